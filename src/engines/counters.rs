//! What engines count besides refinements and steps. Each engine lists its own, [`super::Engine::counters`].
//!
//! A counter's name is stable: it stands in statistics for programs, and `docs/schema/result.schema.json` lists it.

use crate::refinement::window::WindowCounts;
use crate::slicing::oracle::OracleCounts;

/// Something that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// The name, in the words of statistics for programs.
    pub name: &'static str,
    /// What is counted.
    pub meaning: &'static str,
    /// Whether it counts queries that solvers answered, each once.
    pub is_of_queries: bool,
}

impl Counter {
    /// Something that is no query of its own.
    pub const fn new(name: &'static str, meaning: &'static str) -> Counter {
        Counter {
            name,
            meaning,
            is_of_queries: false,
        }
    }

    /// Queries that a solver answered, which no other counter has.
    pub const fn of_queries(name: &'static str, meaning: &'static str) -> Counter {
        Counter {
            is_of_queries: true,
            ..Counter::new(name, meaning)
        }
    }
}

/// What is counted of the queries about labels and steps, in the order of [`of_oracle`].
pub(super) const OF_ORACLE: [Counter; 6] = [
    Counter::new(
        "state_queries",
        "questions whether a label has a state, an initial state, or an error state",
    ),
    Counter::new(
        "step_queries",
        "edges checked: questions whether a transition leads from one label to another",
    ),
    Counter::new("core_hits", "of these, answered by an earlier refutation"),
    Counter::of_queries("exact_answers", "of these, answered by the exact solver"),
    Counter::of_queries(
        "fallback_answers",
        "of these, answered by Z3 where the exact solver gave up",
    ),
    Counter::new(
        "undecided",
        "of these, answered by nobody: the node, flag or edge stays",
    ),
];

/// How often each of [`OF_ORACLE`] happened.
pub(super) fn of_oracle(counts: OracleCounts) -> [u64; 6] {
    [
        counts.about_states,
        counts.about_steps,
        counts.answered_by_core,
        counts.answered_exactly,
        counts.answered_by_fallback,
        counts.undecided,
    ]
}

/// What is counted of the search for infeasible windows, in the order of [`of_windows`].
pub(super) const OF_WINDOWS: [Counter; 2] = [
    Counter::new("windows_searched", "parts of error paths given to a solver"),
    Counter::new(
        "windows_cached",
        "parts of error paths that were known to be feasible",
    ),
];

/// How often each of [`OF_WINDOWS`] happened.
pub(super) fn of_windows(counts: WindowCounts) -> [u64; 2] {
    [counts.asked, counts.remembered]
}

#[cfg(test)]
mod tests {
    use crate::engines::ALL;
    use crate::slicing::elimination;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn every_rule_has_a_counter_of_its_own() {
        let counters: BTreeSet<&str> = elimination::ALL
            .iter()
            .map(|rule| rule.counter().0)
            .collect();
        assert_eq!(counters.len(), elimination::ALL.len());
    }

    #[test]
    fn a_name_has_one_meaning_and_the_schema_describes_exactly_those_of_the_engines() {
        let mut meanings = BTreeMap::new();
        for engine in ALL {
            let counters = engine.counters();
            let names: BTreeSet<&str> = counters.iter().map(|counter| counter.name).collect();
            assert_eq!(names.len(), counters.len(), "{}", engine.name());
            for counter in counters {
                let known = meanings.insert(counter.name, counter.meaning);
                assert!(known.is_none_or(|known| known == counter.meaning));
            }
        }
        let schema = include_str!("../../docs/schema/result.schema.json");
        let schema: serde_json::Value = serde_json::from_str(schema).unwrap();
        let engine = &schema["$defs"]["statistics"]["properties"]["engines"];
        let described = &engine["additionalProperties"]["properties"]["counters"]["properties"];
        for (name, meaning) in &meanings {
            assert_eq!(described[name]["description"], *meaning);
        }
        assert_eq!(described.as_object().unwrap().len(), meanings.len());
    }
}
