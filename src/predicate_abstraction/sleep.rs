//! Which transitions may sleep (Godefroid, *Partial-Order Methods for the Verification of Concurrent Systems*, 1996), and for which others.
//!
//! Where two independent transitions are followed in one order, the second need not be followed after the first one in the other order: it
//! sleeps, until something happens that it depends on. It depends on nothing that cannot happen where it can begin: what may happen while
//! it sleeps is asked in the region of the locations and switches where it begins.

use super::control::Control;
use crate::reductions::commutation::Commutation;
use crate::slicing::graph::TransitionIndex;
use crate::slicing::oracle::{Oracle, OracleAnswer, Stopped};
use crate::slicing::predicates::{Label, Literal};
use fixedbitset::FixedBitSet;
use slabcert_certificates::diagram::Region;
use slabcert_certificates::system::System;
use std::collections::{BTreeMap, BTreeSet};

/// When a transition may sleep.
struct Rule {
    /// Where it can begin.
    label: Vec<Literal>,
    /// The transitions that may happen while it sleeps, by their numbers in the search.
    independent: FixedBitSet,
    /// The same, by their numbers in the system.
    numbers: Vec<usize>,
}

/// The transitions that may sleep.
pub struct SleepSets<'s> {
    system: &'s System,
    commutation: Commutation<'s>,
    /// For each transition of the search its number in the system.
    numbers: Vec<usize>,
    /// What is known of transitions; `None` for one that never sleeps.
    rules: BTreeMap<TransitionIndex, Option<Rule>>,
}

impl<'s> SleepSets<'s> {
    /// Nothing is known of any transition yet.
    #[must_use]
    pub fn new(
        system: &'s System,
        numbers: Vec<usize>,
        commutation: Commutation<'s>,
    ) -> SleepSets<'s> {
        SleepSets {
            system,
            commutation,
            numbers,
            rules: BTreeMap::new(),
        }
    }

    /// What may sleep after a transition: of what sleeps before it and of what is followed before it that on which the transition does not depend.
    ///
    /// # Errors
    /// When the search is to stop.
    pub fn after(
        &mut self,
        oracle: &mut Oracle<'_>,
        control: &Control,
        asleep: &BTreeSet<TransitionIndex>,
        followed: &BTreeSet<TransitionIndex>,
        by: TransitionIndex,
    ) -> Result<BTreeSet<TransitionIndex>, Stopped> {
        let before = |it: &&TransitionIndex| self.numbers[it.0] < self.numbers[by.0];
        let candidates: BTreeSet<TransitionIndex> = asleep
            .iter()
            .chain(followed.iter().filter(before))
            .copied()
            .collect();
        let mut found = BTreeSet::new();
        for candidate in candidates {
            let rule = self.rule(oracle, control, candidate)?;
            if rule.is_some_and(|rule| rule.independent.contains(by.0)) {
                found.insert(candidate);
            }
        }
        Ok(found)
    }

    /// Whether all of some transitions, by their numbers in the system, may happen while one sleeps.
    #[must_use]
    pub fn allows(&self, sleeping: TransitionIndex, numbers: impl Iterator<Item = usize>) -> bool {
        let rule = self.rules.get(&sleeping).and_then(Option::as_ref);
        rule.is_some_and(|rule| {
            let mut numbers = numbers;
            numbers.all(|number| rule.numbers.binary_search(&number).is_ok())
        })
    }

    fn rule(
        &mut self,
        oracle: &mut Oracle<'_>,
        control: &Control,
        sleeping: TransitionIndex,
    ) -> Result<Option<&Rule>, Stopped> {
        if !self.rules.contains_key(&sleeping) {
            let rule = self.make(oracle, control, sleeping)?;
            self.rules.insert(sleeping, rule);
        }
        Ok(self.rules.get(&sleeping).and_then(Option::as_ref))
    }

    fn make(
        &mut self,
        oracle: &mut Oracle<'_>,
        control: &Control,
        sleeping: TransitionIndex,
    ) -> Result<Option<Rule>, Stopped> {
        let system = oracle.system();
        let begins = control.movement(system, sleeping).begins;
        let label = control.within(oracle, &begins);
        let terms = label
            .iter()
            .map(|literal| oracle.predicates().formula(*literal));
        let terms: Vec<_> = terms.map(|formula| system.term(formula)).collect();
        let own = self.numbers[sleeping.0];
        let mut independent = FixedBitSet::with_capacity(self.numbers.len());
        let mut numbers = Vec::new();
        let of_search: BTreeMap<usize, usize> = self.numbers.iter().copied().zip(0..).collect();
        for number in (0..self.system.transitions.len()).filter(|it| *it != own) {
            let index = of_search.get(&number).copied();
            let mut stays = true;
            if let Some(index) = index {
                let before = Label::of(label.clone());
                for literal in &label {
                    let after = Label::of(vec![literal.negated()]);
                    let answer = oracle.step(&before, TransitionIndex(index), &after)?;
                    stays &= answer == OracleAnswer::Impossible;
                }
            }
            if stays && self.commutation.in_turn(number, own, &terms) {
                numbers.push(number);
                independent.extend(index);
            } else if index.is_none() {
                // It stays in the diagram, at each node.
                return Ok(None);
            }
        }
        Ok(Some(Rule {
            label,
            independent,
            numbers,
        }))
    }

    /// The name of the region in which a transition may sleep.
    #[must_use]
    pub fn region_name(sleeping: TransitionIndex) -> String {
        format!("asleep{}", sleeping.0)
    }

    /// The region in which a transition may sleep, as certificates have it.
    #[must_use]
    pub fn certified(&self, oracle: &Oracle<'_>, sleeping: TransitionIndex) -> Option<Region> {
        let rule = self.rules.get(&sleeping)?.as_ref()?;
        let system = oracle.system();
        let formulas = rule.label.iter().map(|it| oracle.predicates().formula(*it));
        let name = |number: &usize| self.system.transitions[*number].name.clone();
        Some(Region {
            name: SleepSets::region_name(sleeping),
            label: formulas.map(|formula| system.term(formula)).collect(),
            stubborn: vec![name(&self.numbers[sleeping.0])],
            key: None,
            independent: Some(rule.numbers.iter().map(name).collect()),
        })
    }
}
