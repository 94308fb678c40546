//! Which declared ranges a property rests on.
//!
//! Every transition requires all ranges before its step, so that a run ends where a variable leaves its range, and the proof of a property is
//! about the runs up to there. A property rests on a range if its proof says nothing about some run that goes on.
//!
//! The cone of a property has its variables, and with a variable what the guards, relations and values of the transitions that write it
//! read. Say `T` are the transitions that write a variable of the cone. From a run that violates the property, steps outside of `T` can be
//! left out: they write nothing that `T` or the property reads. What is left either keeps all ranges, and is a run of the system, or leaves
//! one first, of a variable that a transition of `T` writes or that starts outside. Hence the property rests on these ranges and no
//! others: where it and they hold in the system, it holds in all runs, whatever happens to the other ranges.

use slabcert_certificates::certificate::Verdict;
use slabcert_certificates::system::{Declarations, Property, System, Transition};
use slabcert_certificates::term::{Operator, Symbol, Term, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The ranges that a property rests on and that are not known to hold, each with what is known; a range does not rest on itself.
pub fn unproved<'s>(
    system: &'s System,
    property: &Property,
    verdict: &dyn Fn(&Property) -> Option<Verdict>,
) -> Vec<(&'s Property, Verdict)> {
    let declared = system.declarations.iter().flat_map(|it| &it.ranges);
    let open = declared.filter_map(|place| {
        let range = &system.properties[*place];
        let known = verdict(range).unwrap_or(Verdict::Unknown);
        (known != Verdict::Safe).then_some((*place, range, known))
    });
    let open: Vec<(usize, &Property, Verdict)> = open.collect();
    if open.is_empty() {
        return Vec::new();
    }
    let rests_on = Cones::new(system).of(property);
    open.into_iter()
        .filter(|(place, ..)| rests_on.contains(place))
        .map(|(_, range, known)| (range, known))
        .collect()
}

/// The ranges that proofs of properties rest on, and that their own proofs rest on, in the system's order.
pub fn of_proofs<'s>(system: &'s System, proved: &[&Property]) -> Vec<&'s Property> {
    let cones = Cones::new(system);
    let mut found = BTreeSet::new();
    let mut waiting: Vec<&Property> = proved.to_vec();
    while let Some(property) = waiting.pop() {
        for place in cones.of(property) {
            if found.insert(place) {
                waiting.push(&system.properties[place]);
            }
        }
    }
    let places = found.into_iter();
    places.map(|place| &system.properties[place]).collect()
}

/// What one transition reads and writes.
struct Access<'s> {
    /// What its guard and relation read, without the ranges that all transitions require.
    condition: BTreeSet<Symbol>,
    /// The variables that may change, with what the new value is computed from.
    writes: BTreeMap<&'s Symbol, BTreeSet<Symbol>>,
}

impl<'s> Access<'s> {
    fn of(transition: &Transition, system: &'s System, ranges: &BTreeSet<Term>) -> Access<'s> {
        let own = transition.guard.iter().map(|conjunct| &conjunct.formula);
        let own = own.filter(|formula| !ranges.contains(formula));
        let relation = transition.relation.iter();
        let condition = own.chain(relation.map(|conjunct| &conjunct.formula));
        let mut access = Access {
            condition: condition.flat_map(Term::symbols).collect(),
            writes: BTreeMap::new(),
        };
        for variable in transition.write_set(system) {
            let symbol = &system.variables[variable].current;
            access.writes.insert(symbol, BTreeSet::new());
        }
        for update in &transition.updates {
            let symbol = &system.variables[update.variable].current;
            let read = access.writes.entry(symbol).or_default();
            read.extend(update.value.symbols());
        }
        access
    }
}

/// A declared range.
struct Range {
    /// The place of its property.
    place: usize,
    variables: BTreeSet<Symbol>,
    /// Whether the initial condition evidently implies it.
    holds_initially: bool,
}

struct Cones<'s> {
    system: &'s System,
    transitions: Vec<Access<'s>>,
    /// The transitions that write a variable.
    writers: BTreeMap<&'s Symbol, Vec<usize>>,
    ranges: Vec<Range>,
}

impl<'s> Cones<'s> {
    fn new(system: &'s System) -> Cones<'s> {
        let none = Declarations::default();
        let declared = &system.declarations.as_ref().unwrap_or(&none).ranges;
        let properties = declared
            .iter()
            .map(|place| (*place, &system.properties[*place]));
        let bounds: BTreeSet<Term> = properties
            .clone()
            .flat_map(|(_, property)| property.formula.conjuncts())
            .collect();
        let initial = Initial::new(system);
        let ranges = properties.map(|(place, property)| Range {
            place,
            variables: property.formula.symbols(),
            holds_initially: property
                .formula
                .conjuncts()
                .iter()
                .all(|bound| initial.implies(bound)),
        });
        let ranges: Vec<Range> = ranges.collect();
        let transitions = system.transitions.iter().filter(|_| !ranges.is_empty());
        let transitions = transitions.map(|it| Access::of(it, system, &bounds));
        let transitions: Vec<Access> = transitions.collect();
        let mut writers: BTreeMap<&Symbol, Vec<usize>> = BTreeMap::new();
        for (number, transition) in transitions.iter().enumerate() {
            for symbol in transition.writes.keys() {
                writers.entry(symbol).or_default().push(number);
            }
        }
        Cones {
            system,
            transitions,
            writers,
            ranges,
        }
    }

    fn of(&self, property: &Property) -> Vec<usize> {
        let written = self.written(property);
        let rests = |range: &&Range| {
            let is_own = self.system.properties[range.place].index == property.index;
            let mut variables = range.variables.iter();
            !is_own && (!range.holds_initially || variables.any(|it| written.contains(it)))
        };
        let ranges = self.ranges.iter().filter(rests);
        ranges.map(|range| range.place).collect()
    }

    /// The variables that the transitions write which write a variable of the property's cone.
    fn written(&self, property: &Property) -> BTreeSet<&'s Symbol> {
        let mut cone = property.formula.symbols();
        let mut waiting: Vec<Symbol> = cone.iter().cloned().collect();
        let mut taken = vec![false; self.transitions.len()];
        let mut written = BTreeSet::new();
        while let Some(variable) = waiting.pop() {
            for &transition in self.writers.get(&variable).into_iter().flatten() {
                let access = &self.transitions[transition];
                let read = access.writes.get(&variable).into_iter().flatten();
                let is_new = !std::mem::replace(&mut taken[transition], true);
                let condition = access.condition.iter().filter(|_| is_new);
                for symbol in read.chain(condition) {
                    if cone.insert(symbol.clone()) {
                        waiting.push(symbol.clone());
                    }
                }
                if is_new {
                    written.extend(access.writes.keys().copied());
                }
            }
        }
        written
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
