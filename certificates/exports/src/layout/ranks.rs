//! Rows: how many steps a box is from where runs begin.

use super::{Link, Size};
use std::collections::VecDeque;

/// Room that is counted for each box beside its own width.
const ROOM: f64 = 30.0;

/// For each box, its row. Rows that are too wide are broken into several.
pub(super) fn ranks(boxes: &[Size], links: &[Link], starts: &[usize], widest: f64) -> Vec<usize> {
    let distances = distances(boxes.len(), links, starts);
    let deepest = distances.iter().max().copied().unwrap_or(0);
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); deepest + 1];
    for (number, &distance) in distances.iter().enumerate() {
        rows[distance].push(number);
    }
    let mut ranks = vec![0; boxes.len()];
    let mut rank = 0;
    for row in rows {
        let total: f64 = row.iter().map(|&number| boxes[number].width + ROOM).sum();
        // As many parts as are needed, and all of about the same width.
        let parts = (total / widest.max(1.0)).ceil().max(1.0);
        let limit = total / parts;
        let mut used = 0.0;
        for number in row {
            if used >= limit {
                rank += 1;
                used = 0.0;
            }
            used += boxes[number].width + ROOM;
            ranks[number] = rank;
        }
        rank += 1;
    }
    ranks
}

/// For each box, the fewest arrows to it from a start. What cannot be reached begins anew, boxes that no arrow enters first.
fn distances(count: usize, links: &[Link], starts: &[usize]) -> Vec<usize> {
    let mut successors = vec![Vec::new(); count];
    let mut is_entered = vec![false; count];
    for link in links.iter().filter(|link| link.from != link.to) {
        successors[link.from].push(link.to);
        is_entered[link.to] = true;
    }
    let mut distances: Vec<Option<usize>> = vec![None; count];
    let spread = |from: &mut VecDeque<usize>, distances: &mut Vec<Option<usize>>| {
        while let Some(number) = from.pop_front() {
            let next = distances[number].map_or(0, |distance| distance + 1);
            for &successor in &successors[number] {
                if distances[successor].is_none() {
                    distances[successor] = Some(next);
                    from.push_back(successor);
                }
            }
        }
    };
    let mut waiting = VecDeque::new();
    let sources = (0..count).filter(|&number| !is_entered[number]);
    let first: Vec<usize> = match starts {
        [] => sources.clone().collect(),
        _ => starts.iter().copied().filter(|&it| it < count).collect(),
    };
    for number in first {
        distances[number] = Some(0);
        waiting.push_back(number);
    }
    spread(&mut waiting, &mut distances);
    for number in sources.chain(0..count) {
        if distances[number].is_none() {
            distances[number] = Some(0);
            waiting.push_back(number);
            spread(&mut waiting, &mut distances);
        }
    }
    distances
        .into_iter()
        .map(Option::unwrap_or_default)
        .collect()
}
