//! What engines count besides refinements and steps. Each engine lists its own, [`super::Engine::counters`].
//!
//! A counter's name is stable: it stands in statistics for programs, and `docs/schema/result.schema.json` lists it.

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
