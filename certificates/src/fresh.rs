//! Names that differ from all others: the one module that makes up names.
//!
//! Whoever writes a text or builds a system with names of its own takes them from here: binders of printed terms, definitions of files,
//! partners of variables, identifiers of provers. Invariant: no name is given twice or given although it was reserved, whatever the
//! reserved names look like, and what a name costs does not grow with how often it was wanted.

use rustc_hash::{FxHashMap, FxHashSet};

/// Gives out names, each once: `x`, then `x:2`, `x:3`, ..., or with another separator instead of the colon.
#[derive(Clone, Debug)]
pub struct FreshNames {
    separator: &'static str,
    taken: FxHashSet<String>,
    /// For the beginning of a name: the number after the one that was given last.
    numbers: FxHashMap<String, u64>,
}

impl Default for FreshNames {
    fn default() -> FreshNames {
        FreshNames::separated_by(":")
    }
}

impl FreshNames {
    /// Nothing is taken; this stands between a name and its number.
    pub fn separated_by(separator: &'static str) -> FreshNames {
        FreshNames {
            separator,
            taken: FxHashSet::default(),
            numbers: FxHashMap::default(),
        }
    }

    /// Takes a name as it is, so that it is not given out. Whether nobody had it.
    pub fn reserve(&mut self, name: &str) -> bool {
        !self.taken.contains(name) && self.taken.insert(name.to_owned())
    }

    /// The name itself if nobody has it, else with a number.
    pub fn give(&mut self, name: &str) -> String {
        if self.reserve(name) {
            return name.to_owned();
        }
        let beginning = format!("{name}{}", self.separator);
        self.give_numbered(&beginning, 2)
    }

    /// The beginning with a number after it: `first`, or the next one that makes a name which nobody has.
    pub fn give_numbered(&mut self, beginning: &str, first: u64) -> String {
        let mut number = self.numbers.get(beginning).copied().unwrap_or(first);
        // Ends: each turn finds another name that is taken, and there are fewer of these than numbers.
        loop {
            let name = format!("{beginning}{number}");
            number += 1;
            if self.reserve(&name) {
                self.numbers.insert(beginning.to_owned(), number);
                return name;
            }
        }
    }
}

#[cfg(test)]
mod repairs {
    use super::*;

    #[test]
    fn names_are_given_once() {
        let mut names = FreshNames::default();
        assert!(names.reserve("x:2"));
        assert!(!names.reserve("x:2"));
        let given = ["x", "x", "x", "x:2", "y"].map(|name| names.give(name));
        assert_eq!(given, ["x", "x:3", "x:4", "x:2:2", "y"]);
        let mut names = FreshNames::separated_by("_");
        assert_eq!(
            ["a", "a", "a_2"].map(|name| names.give(name)),
            ["a", "a_2", "a_2_2"]
        );
    }

    #[test]
    fn numbers_at_the_end_of_their_range_and_odd_spellings_do_not_collide() {
        let mut names = FreshNames::default();
        let mut all = FxHashSet::default();
        for name in ["?18446744073709551615", "?0", "?1", "?01", "?+2", "?", ""] {
            assert!(names.reserve(name));
            all.insert(name.to_owned());
        }
        for _ in 0..5 {
            assert!(all.insert(names.give_numbered("?", 0)));
            assert!(all.insert(names.give("?")));
            assert!(all.insert(names.give("")));
        }
        assert!(all.contains("?2") && !all.contains("?18446744073709551616"));
    }

    /// With a sign more for each name that is taken, this would take for ever.
    #[test]
    fn a_name_that_is_wanted_often_is_found_soon() {
        let mut names = FreshNames::default();
        for _ in 0..100_000 {
            names.give("x");
        }
        assert_eq!(names.give("x"), "x:100001");
    }
}
