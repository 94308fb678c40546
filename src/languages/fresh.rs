//! Names that differ from all others.
//!
//! Invariant: no name is given twice, and what a name costs does not grow with how often it was wanted.

use rustc_hash::{FxHashMap, FxHashSet};

/// Gives out names, each once: `x`, then `x:2`, `x:3`, ...
#[derive(Clone, Debug, Default)]
pub(super) struct FreshNames {
    taken: FxHashSet<String>,
    /// The number that was last given with a name.
    numbers: FxHashMap<String, usize>,
}

impl FreshNames {
    /// Takes a name as it is, so that it is not given out. Whether nobody had it.
    pub fn reserve(&mut self, name: &str) -> bool {
        self.taken.insert(name.to_owned())
    }

    /// The name itself if nobody has it, else with a number.
    pub fn give(&mut self, name: &str) -> String {
        if self.reserve(name) {
            return name.to_owned();
        }
        let mut number = self.numbers.get(name).copied().unwrap_or(1);
        loop {
            number += 1;
            let numbered = format!("{name}:{number}");
            if self.reserve(&numbered) {
                self.numbers.insert(name.to_owned(), number);
                return numbered;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_given_once() {
        let mut names = FreshNames::default();
        assert!(names.reserve("x:2"));
        assert!(!names.reserve("x:2"));
        let given = ["x", "x", "x", "x:2", "y"].map(|name| names.give(name));
        assert_eq!(given, ["x", "x:3", "x:4", "x:2:2", "y"]);
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
