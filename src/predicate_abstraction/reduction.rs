//! Which transitions a node of the tree has to follow, and the region that says so in a certificate.
//!
//! A stubborn set leaves nothing out if no violation comes before one of its members happens; or if one of them, the key, is possible in
//! all states of the node, whatever violates the property before the key does so after it, and the key is not put off for ever, which is
//! seen when the tree is whole.

use super::control::Control;
use crate::arithmetic::{Formula, LinearExpression, Rational, Substitution};
use crate::reductions::stubborn::{Movement, StubbornSet, StubbornSets};
use crate::slicing::encoded::EncodedSystem;
use crate::slicing::graph::TransitionIndex;
use crate::slicing::oracle::{Oracle, OracleAnswer, Stopped};
use crate::slicing::predicates::{Label, Literal};
use slabcert_certificates::diagram::Region;
use slabcert_certificates::system::System;
use slabcert_certificates::term::{Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// What nodes follow, and where they stay as long as they do not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Chosen {
    /// The members of the stubborn set, by their numbers in the system.
    members: Vec<usize>,
    /// Literals that hold as long as no member happens.
    label: Vec<Literal>,
    key: Option<TransitionIndex>,
}

/// The reduction of a tree.
pub struct Reduction<'s> {
    system: &'s System,
    sets: StubbornSets,
    inputs: BTreeSet<&'s Symbol>,
    /// For each transition of the search its number in the system.
    numbers: Vec<usize>,
    regions: Vec<Chosen>,
    known: BTreeMap<Chosen, usize>,
    /// What was asked before: whether a violation is impossible with some literals, or preserved by a transition.
    answers: BTreeMap<(Option<TransitionIndex>, Vec<Literal>), bool>,
}

impl<'s> Reduction<'s> {
    /// What is known before any node is looked at, with what is assumed of all states; `None` if the system's transitions cannot be reduced.
    #[must_use]
    pub fn new(
        system: &'s System,
        encoded: &EncodedSystem,
        control: &Control,
        assumed: &[Term],
        commute: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Option<Reduction<'s>> {
        let numbers = numbers(system, encoded)?;
        // What was taken out of the search changes no location, or never happens.
        let never = Term::bool(false);
        let movements = system.transitions.iter().map(|transition| {
            let mut guard = transition.guard.iter();
            control.standing(guard.all(|conjunct| conjunct.formula != never))
        });
        let mut movements: Vec<Movement> = movements.collect();
        for (transition, number) in encoded.transitions().zip(&numbers) {
            movements[*number] = control.movement(encoded, transition);
        }
        Some(Reduction {
            sets: StubbornSets::new(system, assumed, movements, commute)?,
            inputs: system.inputs.iter().map(|input| &input.symbol).collect(),
            system,
            numbers,
            regions: Vec::new(),
            known: BTreeMap::new(),
            answers: BTreeMap::new(),
        })
    }

    /// A region for a node, if it need not follow all transitions.
    ///
    /// # Errors
    /// When the search is to stop.
    pub fn region(
        &mut self,
        oracle: &mut Oracle<'_>,
        control: &Control,
        locations: &[usize],
        label: &Label,
    ) -> Result<Option<usize>, Stopped> {
        for set in self.sets.at(&control.joined(locations)).iter() {
            // Where locations say enough, many nodes share a region.
            let at = control.within(oracle, &set.locations);
            let more = stays(oracle, label, set, &at);
            for inside in [&at, &more] {
                let key = if self.is_quiet(oracle, inside)? {
                    None
                } else if let Some(key) = self.key(oracle, set, label, inside)? {
                    Some(key)
                } else {
                    continue;
                };
                let chosen = Chosen {
                    members: set.members.ones().collect(),
                    label: inside.clone(),
                    key,
                };
                let next = self.regions.len();
                let number = *self.known.entry(chosen.clone()).or_insert(next);
                if number == next {
                    self.regions.push(chosen);
                }
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// Whether nothing violates the property as long as no member happens.
    fn is_quiet(&mut self, oracle: &mut Oracle<'_>, inside: &[Literal]) -> Result<bool, Stopped> {
        let question = (None, inside.to_vec());
        if let Some(known) = self.answers.get(&question) {
            return Ok(*known);
        }
        let answer = oracle.error(&Label::of(inside.to_vec()))? == OracleAnswer::Impossible;
        self.answers.insert(question, answer);
        Ok(answer)
    }

    /// Whether what violates the property as long as no member happens still does so after the key.
    fn is_preserved(
        &mut self,
        oracle: &mut Oracle<'_>,
        inside: &[Literal],
        key: TransitionIndex,
    ) -> Result<bool, Stopped> {
        let question = (Some(key), inside.to_vec());
        if let Some(known) = self.answers.get(&question) {
            return Ok(*known);
        }
        let system = oracle.system();
        let error = Formula::and(system.error().iter().cloned());
        let mut answer = false;
        if system.is_about_state(&error)
            && let Some(error) = oracle.predicates_mut().literal(&error)
        {
            let before = Label::of(inside.iter().copied().chain([error]).collect());
            let after = Label::of(vec![error.negated()]);
            answer = oracle.step(&before, key, &after)? == OracleAnswer::Impossible;
        }
        self.answers.insert(question, answer);
        Ok(answer)
    }

    /// A member that can happen first in every state of the node, and after which a violation is still one.
    fn key(
        &mut self,
        oracle: &mut Oracle<'_>,
        set: &StubbornSet,
        label: &Label,
        inside: &[Literal],
    ) -> Result<Option<TransitionIndex>, Stopped> {
        let system = oracle.system();
        for key in system.transitions() {
            if !set.possible.contains(&self.numbers[key.0]) {
                continue;
            }
            let Some(guard) = self.guard(system, key) else {
                continue;
            };
            let is_possible = match oracle.predicates_mut().literal(&guard) {
                None => guard == Formula::True,
                Some(guard) => {
                    let otherwise = label.iter().copied().chain([guard.negated()]).collect();
                    oracle.label(&Label::of(otherwise))? == OracleAnswer::Impossible
                }
            };
            if is_possible && self.is_preserved(oracle, inside, key)? {
                return Ok(Some(key));
            }
        }
        Ok(None)
    }

    /// When a transition can happen with all its inputs 0 or false, as certificates want it for a key; `None` if that cannot be said.
    fn guard(&self, system: &EncodedSystem, transition: TransitionIndex) -> Option<Formula> {
        let conditions = system.transition(transition).condition.iter();
        let is_assumed = |it: &Formula| system.start().iter().flatten().any(|known| known == it);
        let guard = Formula::and(conditions.filter(|it| !is_assumed(it)).cloned());
        let mut values = Substitution::new();
        for variable in guard.variables() {
            let term = system.variable_term(variable);
            let Some(symbol) = term.and_then(|term| term.as_symbol()) else {
                continue;
            };
            if self.inputs.contains(symbol) {
                if symbol.sort().is_numeric() {
                    let zero = LinearExpression::constant(Rational::from(0));
                    values.set_expression(variable, zero);
                } else {
                    values.set_formula(variable, Formula::False);
                }
            }
        }
        let guard = guard.substitute(&values, system.sorts(), usize::MAX).ok()?;
        system.is_about_state(&guard).then_some(guard)
    }

    /// Whether the nodes of a region follow a transition.
    #[must_use]
    pub fn follows(&self, region: usize, transition: TransitionIndex) -> bool {
        let members = &self.regions[region].members;
        members.binary_search(&self.numbers[transition.0]).is_ok()
    }

    /// What the nodes of a region postpone, by numbers in the system.
    pub fn postponed(&self, region: usize) -> impl Iterator<Item = usize> + '_ {
        let members = &self.regions[region].members;
        let all = 0..self.system.transitions.len();
        all.filter(|number| members.binary_search(number).is_err())
    }

    /// The key of a region.
    #[must_use]
    pub fn key_of(&self, region: usize) -> Option<TransitionIndex> {
        self.regions[region].key
    }

    /// How many regions there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.regions.len()
    }

    /// A region as certificates have it.
    #[must_use]
    pub fn certified(&self, oracle: &Oracle<'_>, region: usize) -> Region {
        let system = oracle.system();
        let chosen = &self.regions[region];
        let literals = chosen.label.iter();
        let formulas = literals.map(|literal| oracle.predicates().formula(*literal));
        let conjuncts = formulas.flat_map(Formula::conjuncts);
        let members = chosen.members.iter();
        let key = chosen.key.map(|key| system.transition(key).name.clone());
        Region {
            name: format!("region{region}"),
            label: conjuncts.map(|formula| system.term(formula)).collect(),
            stubborn: members
                .map(|number| self.system.transitions[*number].name.clone())
                .collect(),
            key,
            independent: None,
        }
    }
}

/// For each transition of the search its number in the system.
#[must_use]
pub fn numbers(system: &System, encoded: &EncodedSystem) -> Option<Vec<usize>> {
    let names = system.transitions.iter();
    let by_name: BTreeMap<&str, usize> = names.map(|it| it.name.as_str()).zip(0..).collect();
    let names = encoded.transitions();
    names
        .map(|it| by_name.get(encoded.transition(it).name.as_str()).copied())
        .collect()
}

/// What of a node stays true as long as no member of a stubborn set happens: where processes can be, and what nothing outside writes.
fn stays(oracle: &Oracle<'_>, label: &Label, set: &StubbornSet, at: &[Literal]) -> Vec<Literal> {
    let mut inside = at.to_vec();
    let system = oracle.system();
    let is_written = |variable: usize| set.written.contains(variable);
    for literal in label.iter() {
        let variables = oracle.predicates().formula(*literal).variables();
        let mut variables = variables
            .into_iter()
            .flat_map(|variable| system.state_variables_of(variable));
        if !variables.any(is_written) && !inside.contains(literal) {
            inside.push(*literal);
        }
    }
    inside
}
