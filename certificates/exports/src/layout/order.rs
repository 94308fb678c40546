//! The order within rows: items move towards the middle of what they are connected with, and the order with the fewest crossings stays.

use super::Grid;

/// How often all rows are gone through.
const ROUNDS: usize = 16;
/// The same for large drawings.
const ROUNDS_IN_HASTE: usize = 4;
/// From how many items on a drawing is large.
const LARGE: usize = 6_000;

pub(super) fn reduce_crossings(grid: &mut Grid) {
    let mut indices = vec![0; grid.items.len()];
    note_indices(&grid.rows, &mut indices);
    let mut best = (crossings(grid, &indices), grid.rows.clone());
    let rounds = if grid.items.len() > LARGE {
        ROUNDS_IN_HASTE
    } else {
        ROUNDS
    };
    for round in 0..rounds {
        if best.0 == 0 {
            break;
        }
        let is_downward = round % 2 == 0;
        let count = grid.rows.len();
        for step in 0..count {
            let row = if is_downward { step } else { count - 1 - step };
            let neighbours = if is_downward {
                &grid.above
            } else {
                &grid.below
            };
            sort_row(&mut grid.rows[row], neighbours, &mut indices);
        }
        let found = crossings(grid, &indices);
        if found < best.0 {
            best = (found, grid.rows.clone());
        }
    }
    grid.rows = best.1;
}

fn note_indices(rows: &[Vec<usize>], indices: &mut [usize]) {
    for row in rows {
        for (index, &item) in row.iter().enumerate() {
            indices[item] = index;
        }
    }
}

/// Sorts a row by the mean position of the neighbours; what has none stays where it is.
fn sort_row(row: &mut [usize], neighbours: &[Vec<usize>], indices: &mut [usize]) {
    let key = |item: usize| {
        let connected = &neighbours[item];
        if connected.is_empty() {
            return as_float(indices[item]);
        }
        let sum: usize = connected.iter().map(|&other| indices[other]).sum();
        as_float(sum) / as_float(connected.len())
    };
    let mut keyed: Vec<(f64, usize)> = row.iter().map(|&item| (key(item), item)).collect();
    keyed.sort_by(|left, right| left.0.total_cmp(&right.0));
    for (index, (_, item)) in keyed.into_iter().enumerate() {
        row[index] = item;
        indices[item] = index;
    }
}

fn as_float(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

/// How many pairs of connections between neighbouring rows cross.
fn crossings(grid: &Grid, indices: &[usize]) -> usize {
    grid.rows
        .windows(2)
        .map(|pair| {
            let mut ends = Vec::new();
            for &upper in &pair[0] {
                let mut own: Vec<usize> = grid.below[upper]
                    .iter()
                    .map(|&lower| indices[lower])
                    .collect();
                own.sort_unstable();
                ends.extend(own);
            }
            inversions(&ends, pair[1].len())
        })
        .sum()
}

/// How many pairs stand in the wrong order, by a tree of partial sums.
fn inversions(ends: &[usize], width: usize) -> usize {
    let mut sums = vec![0_usize; width + 1];
    let mut found = 0;
    for (seen, &end) in ends.iter().enumerate() {
        let mut not_greater = 0;
        let mut at = end + 1;
        while at > 0 {
            not_greater += sums[at];
            at &= at - 1;
        }
        found += seen - not_greater;
        let mut at = end + 1;
        while at <= width {
            sums[at] += 1;
            at += at & at.wrapping_neg();
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_in_the_wrong_order_are_counted() {
        assert_eq!(inversions(&[0, 1, 2], 3), 0);
        assert_eq!(inversions(&[2, 1, 0], 3), 3);
        assert_eq!(inversions(&[1, 1, 0, 2], 3), 2);
        assert_eq!(inversions(&[], 0), 0);
    }
}
