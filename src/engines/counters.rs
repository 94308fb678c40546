//! What engines count besides refinements and steps: the one table of names and meanings.
//!
//! A counter's name is stable: it stands in statistics for programs, and `docs/schema/result.schema.json` lists it.

/// Something that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// The name, in the words of statistics for programs.
    pub name: &'static str,
    /// What is counted.
    pub meaning: &'static str,
}

macro_rules! counters {
    ($($constant:ident, $name:literal, $meaning:literal;)*) => {
        $(
            #[doc = $meaning]
            pub const $constant: Counter = Counter { name: $name, meaning: $meaning };
        )*
        /// All counters, in the order in which they are listed to users.
        pub const ALL: &[Counter] = &[$($constant),*];
    };
}

counters! {
    STATE_QUERIES, "state_queries", "questions whether a label has a state, an initial state, or an error state";
    STEP_QUERIES, "step_queries", "edges checked: questions whether a transition leads from one label to another";
    CORE_HITS, "core_hits", "of these, answered by an earlier refutation";
    EXACT_ANSWERS, "exact_answers", "of these, answered by the exact solver";
    FALLBACK_ANSWERS, "fallback_answers", "of these, answered by Z3 where the exact solver gave up";
    UNDECIDED, "undecided", "of these, answered by nobody: the node, flag or edge stays";
    WITNESS_HITS, "witness_hits", "edges that kept a known step when a node was split, and were not checked again";
    WINDOWS_SEARCHED, "windows_searched", "parts of error paths given to a solver";
    WINDOWS_CACHED, "windows_cached", "parts of error paths that were known to be feasible";
    REMOVED_INCONSISTENT_LABELS, "removed_inconsistent_labels", "nodes removed because their label has no state";
    CLEARED_FLAGS, "cleared_flags", "flags cleared because the label has no initial state, or no error state";
    REMOVED_TRANSITIONS, "removed_transitions", "transitions removed from edges because no step follows them";
    REMOVED_EDGES, "removed_edges", "edges removed because no transition was left";
    REMOVED_UNREACHABLE, "removed_unreachable", "nodes removed because no initial node reaches them";
    REMOVED_HARMLESS, "removed_harmless", "nodes removed because they reach no error";
}

/// The counter of what an elimination rule removes, by the rule's name.
#[must_use]
pub fn of_rule(rule: &str) -> Option<Counter> {
    Some(match rule {
        "inconsistent label" => REMOVED_INCONSISTENT_LABELS,
        "unfounded flag" => CLEARED_FLAGS,
        "infeasible transition" => REMOVED_TRANSITIONS,
        "empty edge" => REMOVED_EDGES,
        "unreachable from initial states" => REMOVED_UNREACHABLE,
        "error unreachable" => REMOVED_HARMLESS,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slicing::elimination;
    use std::collections::BTreeSet;

    #[test]
    fn every_rule_has_a_counter_of_its_own() {
        let counters: BTreeSet<&str> = elimination::ALL
            .iter()
            .filter_map(|rule| Some(of_rule(rule.name())?.name))
            .collect();
        assert_eq!(counters.len(), elimination::ALL.len());
        assert_eq!(of_rule("no such rule"), None);
    }

    #[test]
    fn names_are_unique_and_the_schema_describes_each() {
        let names: BTreeSet<&str> = ALL.iter().map(|counter| counter.name).collect();
        assert_eq!(names.len(), ALL.len());
        let schema = include_str!("../../docs/schema/result.schema.json");
        let schema: serde_json::Value = serde_json::from_str(schema).unwrap();
        let engine = &schema["$defs"]["statistics"]["properties"]["engines"];
        let described = &engine["additionalProperties"]["properties"]["counters"]["properties"];
        for counter in ALL {
            assert_eq!(described[counter.name]["description"], counter.meaning);
        }
        assert_eq!(described.as_object().unwrap().len(), ALL.len());
    }
}
