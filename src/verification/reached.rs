//! How far engines have come with a property that they have not decided.

use super::outcome::count;
use crate::engines::Event;
use std::collections::BTreeMap;

/// What one engine has reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Extent {
    refinements: usize,
    live_nodes: usize,
    /// The longest runs without a violation, in steps.
    steps: Option<u64>,
}

/// What the engines have reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Reached(BTreeMap<&'static str, Extent>);

impl Reached {
    /// Takes note of something that happened.
    pub fn note(&mut self, engine: &'static str, event: &Event) {
        let extent = self.0.entry(engine).or_default();
        match event {
            Event::Unrolled { steps } => extent.steps = extent.steps.max(Some(*steps)),
            Event::Refined { live_nodes, .. } => {
                extent.refinements += 1;
                extent.live_nodes = *live_nodes;
            }
            Event::Phase(_) | Event::Counted { .. } | Event::Timed { .. } => {}
        }
    }

    /// The same in words: `bounded: no violation within 5 steps; slicing: 12 refinements, 7 live nodes`.
    pub fn words(&self) -> Option<String> {
        let words: Vec<String> = self
            .0
            .iter()
            .filter_map(|(engine, extent)| Some(format!("{engine}: {}", extent.words()?)))
            .collect();
        (!words.is_empty()).then(|| words.join("; "))
    }
}

impl Extent {
    fn words(self) -> Option<String> {
        if self.refinements > 0 {
            let refinements = count(self.refinements, "refinement");
            let nodes = count(self.live_nodes, "live node");
            return Some(format!("{refinements}, {nodes}"));
        }
        let steps = usize::try_from(self.steps?).ok()?;
        Some(format!("no violation within {}", count(steps, "step")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_reached_is_told_in_words() {
        let mut reached = Reached::default();
        reached.note("slicing", &Event::Phase("initial graph"));
        assert_eq!(reached.words(), None);
        for live_nodes in [9, 1] {
            let refinements = 1;
            let event = Event::Refined {
                refinements,
                live_nodes,
            };
            reached.note("slicing", &event);
        }
        reached.note("bounded", &Event::Unrolled { steps: 5 });
        let words = "bounded: no violation within 5 steps; slicing: 2 refinements, 1 live node";
        assert_eq!(reached.words().as_deref(), Some(words));
        // A later turn begins anew.
        reached.note("bounded", &Event::Unrolled { steps: 1 });
        assert_eq!(reached.words().as_deref(), Some(words));
    }
}
