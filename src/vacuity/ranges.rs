//! Which declared ranges a property rests on.
//!
//! Every transition requires all ranges before its step, so that a run ends where a variable leaves its range, and the proof of a property is
//! about the runs up to there. A property rests on a range if its proof says nothing about some run that goes on.
//!
//! Say `T` are the transitions that write a variable of the property's cone ([`super::dependence`]). From a run that violates the property, steps outside of `T` can be
//! left out: they write nothing that `T` or the property reads. What is left either keeps all ranges, and is a run of the system, or leaves
//! one first, of a variable that a transition of `T` writes or that starts outside. Hence the property rests on these ranges and no
//! others: where it and they hold in the system, it holds in all runs, whatever happens to the other ranges.

use super::dependence::Dependence;
use slabcert_certificates::certificate::Verdict;
use slabcert_certificates::system::{Declarations, Property, System};
use slabcert_certificates::term::{Operator, Symbol, Term, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The ranges that a property rests on and that are not known to hold, each with what is known; a range does not rest on itself.
pub fn unproved<'s>(
    system: &'s System,
    property: &Property,
    verdict: &dyn Fn(&Property) -> Option<Verdict>,
) -> Vec<(&'s Property, Verdict)> {
    let declared = system.declarations.iter().flat_map(|it| &it.ranges);
    let open = declared.filter_map(|position| {
        let range = &system.properties[*position];
        let known = verdict(range).unwrap_or(Verdict::Unknown);
        (known != Verdict::Safe).then_some((*position, range, known))
    });
    let open: Vec<(usize, &Property, Verdict)> = open.collect();
    if open.is_empty() {
        return Vec::new();
    }
    let rests_on = Cones::new(system).of(property);
    open.into_iter()
        .filter(|(position, ..)| rests_on.contains(position))
        .map(|(_, range, known)| (range, known))
        .collect()
}

/// The ranges that proofs of properties rest on, and that their own proofs rest on, in the system's order.
pub fn of_proofs<'s>(system: &'s System, proved: &[&Property]) -> Vec<&'s Property> {
    let cones = Cones::new(system);
    let mut found = BTreeSet::new();
    let mut waiting: Vec<&Property> = proved.to_vec();
    while let Some(property) = waiting.pop() {
        for position in cones.of(property) {
            if found.insert(position) {
                waiting.push(&system.properties[position]);
            }
        }
    }
    let positions = found.into_iter();
    positions
        .map(|position| &system.properties[position])
        .collect()
}

/// A declared range.
struct Range {
    /// The index of its property.
    position: usize,
    variables: BTreeSet<Symbol>,
    /// Whether the initial condition evidently implies it.
    holds_initially: bool,
}

struct Cones<'s> {
    system: &'s System,
    dependence: Option<Dependence<'s>>,
    ranges: Vec<Range>,
}

impl<'s> Cones<'s> {
    fn new(system: &'s System) -> Cones<'s> {
        let none = Declarations::default();
        let declared = &system.declarations.as_ref().unwrap_or(&none).ranges;
        let properties = declared
            .iter()
            .map(|position| (*position, &system.properties[*position]));
        let bounds: BTreeSet<Term> = properties
            .clone()
            .flat_map(|(_, property)| property.formula.conjuncts())
            .collect();
        let initial = Initial::new(system);
        let ranges = properties.map(|(position, property)| Range {
            position,
            variables: property.formula.symbols(),
            holds_initially: property
                .formula
                .conjuncts()
                .iter()
                .all(|bound| initial.implies(bound)),
        });
        let ranges: Vec<Range> = ranges.collect();
        Cones {
            system,
            dependence: (!ranges.is_empty()).then(|| Dependence::new(system, &bounds)),
            ranges,
        }
    }

    fn of(&self, property: &Property) -> Vec<usize> {
        let Some(dependence) = &self.dependence else {
            return Vec::new();
        };
        let written = dependence.cone(&property.formula).written;
        let rests = |range: &&Range| {
            let is_own = self.system.properties[range.position].index == property.index;
            let mut variables = range.variables.iter();
            !is_own && (!range.holds_initially || variables.any(|it| written.contains(it)))
        };
        let ranges = self.ranges.iter().filter(rests);
        ranges.map(|range| range.position).collect()
    }
}

/// What conjuncts of the initial condition say about single variables.
struct Initial {
    conjuncts: BTreeSet<Term>,
    values: BTreeMap<Symbol, Value>,
}

impl Initial {
    fn new(system: &System) -> Initial {
        let conjuncts: BTreeSet<Term> = system.init.iter().flat_map(Term::conjuncts).collect();
        let values = conjuncts.iter().filter_map(|conjunct| {
            let (Operator::Equal, [left, right]) = conjunct.as_application()? else {
                return None;
            };
            let value = |variable: &Term, value: &Term| {
                Some((variable.as_symbol()?.clone(), value.as_constant()?.clone()))
            };
            value(left, right).or_else(|| value(right, left))
        });
        Initial {
            values: values.collect(),
            conjuncts,
        }
    }

    fn implies(&self, bound: &Term) -> bool {
        let value = |symbol: &Symbol| self.values.get(symbol).cloned();
        self.conjuncts.contains(bound) || bound.holds(&value) == Ok(true)
    }
}
