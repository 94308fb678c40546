//! Takes out of a graph what has no effect: locations that are left without a test, those that are not reached, and values that
//! nobody reads.

use super::{ABSORBING, Edge, Graph};

impl Graph {
    /// Takes out everything without an effect. Whether there were values that nobody reads.
    pub fn clean(&mut self) -> bool {
        let mut has_changed = false;
        loop {
            self.skip_empty();
            self.drop_unreached();
            if !self.drop_dead_values() {
                return has_changed;
            }
            has_changed = true;
        }
    }

    /// What leads to a location that is left by one edge without any effect, or by two to the same place, leads on.
    fn skip_empty(&mut self) {
        loop {
            let leaving = self.leaving();
            let mut next: Vec<usize> = (0..self.locations).collect();
            for location in ABSORBING..self.locations {
                match leaving[location][..] {
                    _ if self.stays.contains_key(&location) => {}
                    [only] if self.edges[only].is_empty() => {
                        next[location] = self.edges[only].to;
                    }
                    [one, other] if is_pointless(&self.edges[one], &self.edges[other]) => {
                        next[location] = self.edges[one].to;
                    }
                    _ => {}
                }
            }
            let next = followed(&next);
            let is_skipped = |location: &usize| next[*location] != *location;
            if !(0..self.locations).any(|it| is_skipped(&it)) {
                return;
            }
            self.start = next[self.start];
            self.edges.retain(|edge| !is_skipped(&edge.from));
            for edge in &mut self.edges {
                edge.to = next[edge.to];
            }
            for place in &mut self.places {
                place.location = next[place.location];
            }
        }
    }

    /// Drops the edges that no run takes, as far as the graph tells.
    fn drop_unreached(&mut self) {
        let leaving = self.leaving();
        let mut reached = vec![false; self.locations];
        let mut open = vec![self.start];
        reached[self.start] = true;
        while let Some(location) = open.pop() {
            for edge in &leaving[location] {
                let to = self.edges[*edge].to;
                if !std::mem::replace(&mut reached[to], true) {
                    open.push(to);
                }
            }
        }
        self.edges.retain(|edge| reached[edge.from]);
        self.stays.retain(|location, _| reached[*location]);
    }
}

/// Whether two edges that leave a location with a condition and its negation do nothing and meet.
fn is_pointless(one: &Edge, other: &Edge) -> bool {
    let only_tests = |it: &Edge| it.changes_nothing() && it.guard.len() == 1;
    only_tests(one) && only_tests(other) && one.to == other.to
}

/// Where each location leads to in the end. On a cycle of skipped locations, the one that is met first stays: there the program goes
/// round for ever.
fn followed(next: &[usize]) -> Vec<usize> {
    let mut ends: Vec<Option<usize>> = vec![None; next.len()];
    let mut is_on_path = vec![false; next.len()];
    for start in 0..next.len() {
        let mut path = Vec::new();
        let mut at = start;
        while ends[at].is_none() && next[at] != at && !is_on_path[at] {
            is_on_path[at] = true;
            path.push(at);
            at = next[at];
        }
        let end = ends[at].unwrap_or(at);
        ends[at] = Some(end);
        for location in path {
            ends[location] = Some(end);
            is_on_path[location] = false;
        }
    }
    let ends = ends.into_iter().enumerate();
    ends.map(|(own, end)| end.unwrap_or(own)).collect()
}
