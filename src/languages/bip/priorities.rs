//! Rules "this one waits for that one" and what follows from several: the closure of the rules, with the conditions on the way.
//!
//! A rule holds whether or not the one in the middle is enabled: from `a < b` and `b < c` follows `a < c`.

use slabcert_certificates::term::Term;
use std::collections::BTreeMap;

/// How many steps making a closure may take.
const MOST_STEPS: usize = 1 << 20;

/// Rules between things with numbers.
#[derive(Debug, Default)]
pub(super) struct Rules {
    /// For each thing those that it waits for, and where.
    waits: BTreeMap<usize, BTreeMap<usize, Term>>,
}

/// The rules are too many for their closure.
#[derive(Debug)]
pub(super) struct TooManyRules;

impl Rules {
    /// `low` waits for `high` where the condition holds.
    pub fn add(&mut self, low: usize, high: usize, condition: Term) {
        if condition.is_false() {
            return;
        }
        let known = self.waits.entry(low).or_default().entry(high);
        let known = known.or_insert_with(|| Term::bool(false));
        if !known.is_true() {
            *known = Term::or([known.clone(), condition]);
        }
    }

    /// The rules and all that follow from them.
    ///
    /// # Errors
    /// When that takes more than [`MOST_STEPS`] steps.
    pub fn closed(mut self) -> Result<Rules, TooManyRules> {
        let middles: Vec<usize> = self.waits.keys().copied().collect();
        let mut steps = 0_usize;
        for middle in &middles {
            let after = self.waits[middle].clone();
            for low in &middles {
                steps += 1;
                let Some(first) = self.waits[low]
                    .get(middle)
                    .cloned()
                    .filter(|_| low != middle)
                else {
                    continue;
                };
                steps += after.len();
                if steps > MOST_STEPS {
                    return Err(TooManyRules);
                }
                for (high, second) in after.iter().filter(|(high, _)| *high != middle) {
                    self.add(*low, *high, Term::and([first.clone(), second.clone()]));
                }
            }
        }
        Ok(self)
    }

    /// What a thing waits for besides itself, and where.
    pub fn of(&self, low: usize) -> impl Iterator<Item = (usize, &Term)> {
        let known = self.waits.get(&low).into_iter().flatten();
        known
            .map(|(high, condition)| (*high, condition))
            .filter(move |(high, _)| *high != low)
    }

    /// Where something waits for itself.
    pub fn cycles(&self) -> Term {
        let own = self
            .waits
            .iter()
            .filter_map(|(low, waits)| waits.get(low).cloned());
        Term::or(own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use slabcert_certificates::term::Sort;

    fn condition(name: &str) -> Term {
        Term::named(name, Sort::Bool)
    }

    #[test]
    fn what_follows_holds_where_all_rules_on_the_way_hold() {
        let mut rules = Rules::default();
        rules.add(0, 1, condition("a"));
        rules.add(1, 2, condition("b"));
        let rules = rules.closed().unwrap();
        let shown: Vec<String> = rules
            .of(0)
            .map(|(high, condition)| format!("{high} {condition}"))
            .collect();
        assert_eq!(shown, ["1 a", "2 (and a b)"]);
        assert_eq!(rules.of(2).count(), 0);
        assert!(rules.cycles().is_false());
    }

    #[test]
    fn a_cycle_is_found_where_all_its_rules_hold() {
        for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
            let mut rules = Rules::default();
            rules.add(order[0], order[1], condition("a"));
            rules.add(order[1], order[2], Term::bool(true));
            rules.add(order[2], order[0], condition("b"));
            let cycles = rules.closed().unwrap().cycles().to_string();
            assert!(cycles.contains('a') && cycles.contains('b'), "{cycles}");
        }
    }

    #[test]
    fn rules_that_never_hold_are_none() {
        let mut rules = Rules::default();
        rules.add(0, 1, Term::bool(false));
        assert_eq!(rules.of(0).count(), 0);
    }
}
