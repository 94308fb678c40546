//! Positions within rows: every item comes as near to the middle of its neighbours as the order and the room of the others allow.
//!
//! Given the order of a row and the positions that its items wish for, the positions with the least sum of squared distances from the wishes
//! are found exactly by pooling neighbours that would overlap (the *pool adjacent violators* algorithm of isotonic regression).

use super::{Grid, Item};

/// Room between boxes.
const BOX_GAP: f64 = 34.0;
/// Room between other things.
const GAP: f64 = 14.0;
/// How often all rows are gone through.
const ROUNDS: usize = 12;
/// How much more an arrow without a box wishes to be straight.
const STRAIGHTNESS: f64 = 4.0;

/// For each item, the middle from left to right.
pub(super) fn assign(grid: &Grid) -> Vec<f64> {
    let mut centres = vec![0.0; grid.items.len()];
    for row in &grid.rows {
        let mut at = 0.0;
        for (index, &item) in row.iter().enumerate() {
            if index > 0 {
                at += distance(grid, row[index - 1], item);
            }
            centres[item] = at;
        }
        for &item in row {
            centres[item] -= at / 2.0;
        }
    }
    for round in 0..ROUNDS {
        let count = grid.rows.len();
        for step in 0..count {
            let is_last = round + 2 >= ROUNDS;
            let (row, sides): (usize, &[&Vec<Vec<usize>>]) = match (is_last, round % 2 == 0) {
                (true, _) => (step, &[&grid.above, &grid.below]),
                (false, true) => (step, &[&grid.above]),
                (false, false) => (count - 1 - step, &[&grid.below]),
            };
            settle(grid, row, sides, &mut centres);
        }
    }
    centres
}

/// How far the middles of two neighbours of a row must be apart.
fn distance(grid: &Grid, left: usize, right: usize) -> f64 {
    let is_box = |item: usize| matches!(grid.items[item], Item::Box(_));
    let gap = if is_box(left) && is_box(right) {
        BOX_GAP
    } else {
        GAP
    };
    f64::midpoint(grid.sizes[left].width, grid.sizes[right].width) + gap
}

/// Items that have to stand as close together as they may.
struct Pool {
    weight: f64,
    wish: f64,
    count: usize,
}

fn settle(grid: &Grid, row: usize, sides: &[&Vec<Vec<usize>>], centres: &mut [f64]) {
    let row = &grid.rows[row];
    let mut offset = 0.0;
    let mut offsets = Vec::with_capacity(row.len());
    let mut pools: Vec<Pool> = Vec::new();
    for (index, &item) in row.iter().enumerate() {
        if index > 0 {
            offset += distance(grid, row[index - 1], item);
        }
        offsets.push(offset);
        let (weight, wish) = wish(grid, item, sides, centres);
        let mut pool = Pool {
            weight,
            wish: wish - offset,
            count: 1,
        };
        while let Some(previous) = pools.pop_if(|previous| previous.wish > pool.wish) {
            let weight = previous.weight + pool.weight;
            pool = Pool {
                weight,
                wish: (previous.weight * previous.wish + pool.weight * pool.wish) / weight,
                count: previous.count + pool.count,
            };
        }
        pools.push(pool);
    }
    let wishes = pools
        .iter()
        .flat_map(|pool| std::iter::repeat_n(pool.wish, pool.count));
    for ((&item, offset), wish) in row.iter().zip(offsets).zip(wishes) {
        centres[item] = wish + offset;
    }
}

/// Where an item wishes to be, and how much.
fn wish(grid: &Grid, item: usize, sides: &[&Vec<Vec<usize>>], centres: &[f64]) -> (f64, f64) {
    let (mut sum, mut weight) = (0.0, 0.0);
    for &other in sides.iter().flat_map(|side| &side[item]) {
        let own = match grid.items[other] {
            Item::Box(_) => 1.0,
            Item::Name(_) | Item::Bend => STRAIGHTNESS,
        };
        sum += own * centres[other];
        weight += own;
    }
    if weight > 0.0 {
        (weight, sum / weight)
    } else {
        (0.1, centres[item])
    }
}
