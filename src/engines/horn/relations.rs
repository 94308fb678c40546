//! A system as Horn clauses: a relation for each location, about what is live there.
//!
//! Init(v) ⇒ R(v); R(v) ∧ step(v, i, v′) ⇒ R′(v′); R(v) ∧ ¬property(v, i) ⇒ false. What is known of a variable is not asked for: it is a
//! constant, or told in digits. Invariant: every run of the system is one of the clauses, as long as variables have the values that are
//! known of them.

use super::digits::{Digits, Encoder};
use super::liveness::live;
use super::locations::{Locations, Step};
use super::ranges::{closed_ranges, is_declared};
use super::values::{StateValues, inferred, most_values, of_step};
use super::{Control, Encoding, Steps};
use crate::solvers::{Application, Clause, HornProblem, HornRelation, Session, UnknownReason};
use fixedbitset::FixedBitSet;
use slabcert_certificates::system::{Property, StateVariable, System};
use slabcert_certificates::term::{Sort, Substitution, Symbol, Term, Value};
use std::collections::{BTreeMap, BTreeSet};

/// How a variable is told at a location.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Told {
    /// Not at all: nothing depends on it.
    Dead,
    /// It has one value.
    Known(Value),
    /// In digits.
    Digits,
    /// As it is.
    Itself,
}

/// The relations of a system.
pub(super) struct Relations<'a> {
    system: &'a System,
    /// Their locations.
    locations: Locations,
    /// Steps from them that what is known of variables makes impossible.
    excluded: Vec<Step>,
    /// Whether all steps between two locations are one clause.
    merges: bool,
    /// What is known of the values of variables at each location, as far as anything may depend on it.
    known: Vec<Vec<Term>>,
    /// The violations of the properties at each location.
    violations: Vec<Vec<Term>>,
    /// How variables are told at each location.
    told: Vec<Vec<Told>>,
    /// The digits of variables.
    digits: Vec<Option<Digits>>,
}

impl<'a> Relations<'a> {
    /// Of all variables and locations, as they are, and of all properties.
    pub fn plain(system: &'a System) -> Relations<'a> {
        let violations = system.properties.iter();
        let violations = violations.map(|it| it.formula.clone().not()).collect();
        Relations {
            system,
            locations: Locations::single(system),
            excluded: Vec::new(),
            merges: false,
            known: vec![Vec::new()],
            violations: vec![violations],
            told: vec![vec![Told::Itself; system.variables.len()]],
            digits: vec![None; system.variables.len()],
        }
    }

    /// Of what a property depends on.
    ///
    /// # Errors
    /// When the solver does not know whether declared ranges are kept.
    pub fn new(
        system: &'a System,
        property: &Property,
        encoding: Encoding,
        session: &Session,
    ) -> Result<Relations<'a>, UnknownReason> {
        let joint = (encoding.steps == Steps::PerLocation).then(|| Locations::joint(system));
        let joint = joint.flatten();
        let is_sequential = joint.is_some() && system.processes.len() == 1;
        let locations = joint.unwrap_or_else(|| Locations::single(system));
        let reached = match encoding.control {
            Control::Numbers => vec![Some(vec![None; system.variables.len()])],
            Control::Binary => known_values(system, &locations, session)?,
        };
        let (mut locations, values, mut excluded) = reachable(locations, reached);
        let known = ranges(system, property, &locations, &values);
        let mut violations = Vec::new();
        for values in &values {
            let violation = property.formula.clone().not();
            violations.push(of_step(system, values, None).folded(&violation));
        }
        excluded.extend(fold(system, &mut locations.steps, &values));
        let live = live(system, &locations.steps, &violations);
        let digits = digits(system, &values, &live, encoding.control);
        let told = values.iter().zip(&live).map(|(values, live)| {
            let told = |index: usize| match values[index].as_ref().and_then(only) {
                _ if !live.contains(index) => Told::Dead,
                Some(value) => Told::Known(value.clone()),
                None if digits[index].is_some() => Told::Digits,
                None => Told::Itself,
            };
            (0..system.variables.len()).map(told).collect()
        });
        Ok(Relations {
            told: told.collect(),
            system,
            locations,
            excluded,
            known,
            merges: encoding.steps != Steps::PerTransition && !is_sequential,
            violations: violations.into_iter().map(|it| vec![it]).collect(),
            digits,
        })
    }

    /// The state at a location as a relation is about it, before a step or after it.
    fn symbols(&self, location: usize, is_next: bool) -> Vec<Symbol> {
        let told = self.told[location].iter().enumerate();
        told.flat_map(|(index, told)| match (told, &self.digits[index]) {
            (Told::Dead | Told::Known(_), _) => Vec::new(),
            (Told::Digits, Some(digits)) => digits.symbols(is_next).to_vec(),
            _ => vec![self.symbol(index, is_next).clone()],
        })
        .collect()
    }

    fn symbol(&self, index: usize, is_next: bool) -> &Symbol {
        let variable = &self.system.variables[index];
        if is_next {
            &variable.next
        } else {
            &variable.current
        }
    }

    /// The variables that are told in digits at a location, by index.
    fn in_digits(&self, location: usize) -> impl Iterator<Item = (usize, &Digits)> {
        let told = self.told[location].iter().zip(&self.digits).enumerate();
        told.filter(|(_, (told, _))| **told == Told::Digits)
            .filter_map(|(index, (_, digits))| Some((index, digits.as_ref()?)))
    }

    fn encoder(&self, from: usize, to: Option<usize>) -> Encoder<'_> {
        let told = |location: usize, is_next: bool| {
            let variables = self.in_digits(location);
            variables.map(move |(index, digits)| {
                let symbol = self.symbol(index, is_next).clone();
                (symbol, digits, is_next)
            })
        };
        let after = to.into_iter().flat_map(|to| told(to, true));
        Encoder::new(told(from, false).chain(after))
    }

    fn applied(&self, location: usize, is_next: bool) -> Application {
        let symbols = self.symbols(location, is_next).into_iter();
        Application {
            relation: location,
            arguments: symbols.map(Term::symbol).collect(),
        }
    }

    /// That all digits at a location are those of values.
    fn are_values(&self, location: usize) -> Term {
        Term::and(self.in_digits(location).map(|(_, it)| it.is_value(false)))
    }

    /// What a step requires and gives, in digits.
    fn step(&self, step: &Step) -> Term {
        let mut encoder = self.encoder(step.from, Some(step.to));
        let mut parts = vec![self.are_values(step.from)];
        parts.extend(step.conditions.iter().map(|it| encoder.encode(it)));
        for (index, told) in self.told[step.to].iter().enumerate() {
            let next = Term::symbol(self.symbol(index, true).clone());
            match (told, &self.digits[index], step.values.get(&index)) {
                (Told::Dead | Told::Known(_), _, _) | (Told::Itself, _, None) => {}
                (Told::Digits, Some(digits), value) => {
                    parts.push(encoder.assign(digits, &next, value));
                }
                (_, _, Some(value)) if value.sort() == Sort::Bool => {
                    parts.push(next.equals(encoder.encode(value)));
                }
                (_, _, Some(value)) => parts.push(next.equals(encoder.number(value))),
                (Told::Digits, None, None) => {}
            }
        }
        Term::and(parts)
    }

    /// The system as clauses: its beginning, its steps, and the violations.
    pub fn clauses(&self) -> HornProblem {
        let start = self.locations.start;
        let initial = self.encoder(start, None).encode(&self.system.init_formula());
        let mut clauses = vec![Clause {
            body: Vec::new(),
            constraint: Term::and([initial, self.are_values(start)]),
            head: Some(self.applied(start, false)),
        }];
        let mut between: BTreeMap<(usize, usize, usize), Vec<Term>> = BTreeMap::new();
        for (number, step) in self.locations.steps.iter().enumerate() {
            let number = if self.merges { 0 } else { number };
            let steps = between.entry((number, step.from, step.to)).or_default();
            steps.push(self.step(step));
        }
        clauses.extend(between.into_iter().map(|((_, from, to), steps)| Clause {
            body: vec![self.applied(from, false)],
            constraint: Term::or(steps),
            head: Some(self.applied(to, true)),
        }));
        for (location, violations) in self.violations.iter().enumerate() {
            for violation in violations.iter().filter(|it| !it.is_false()) {
                let violation = self.encoder(location, None).encode(violation);
                clauses.push(Clause {
                    body: vec![self.applied(location, false)],
                    constraint: Term::and([violation, self.are_values(location)]),
                    head: None,
                });
            }
        }
        let relations = 0..self.told.len();
        HornProblem {
            relations: relations
                .map(|location| HornRelation {
                    parameters: self.symbols(location, false),
                })
                .collect(),
            clauses,
        }
    }

    /// The location of each relation, where there are several, in the system's words.
    fn location(&self, location: usize) -> Vec<Term> {
        let known = self.locations.known[location].iter();
        known
            .map(|(variable, value)| {
                let symbol = self.symbol(*variable, false).clone();
                Term::symbol(symbol).equals(Term::constant(value.clone()))
            })
            .collect()
    }

    /// What a solution says of each location that it does not exclude, in the system's words; if asked for, together with the values that
    /// are known of variables, which it may rest on.
    pub fn labels(&self, solution: &[Term], with_values: bool) -> Vec<Option<Vec<Term>>> {
        let meanings = self.digits.iter().flatten().flat_map(Digits::meanings);
        let meanings: Substitution = meanings.collect();
        let label = |(location, formula): (usize, &Term)| {
            let mut label = self.location(location);
            if with_values {
                label.extend(self.known[location].iter().cloned());
            }
            label.extend(formula.substitute(&meanings).conjuncts());
            (!formula.is_false()).then_some(label)
        };
        solution.iter().enumerate().map(label).collect()
    }

    /// Whether anything is known of the values of variables.
    pub fn knows_values(&self) -> bool {
        self.known.iter().any(|known| !known.is_empty())
    }

    /// The values of variables that a fact of a refutation tells.
    pub fn state(&self, relation: usize, values: &[Value]) -> Option<BTreeMap<usize, Value>> {
        let mut left = values.iter();
        let mut state = self.locations.known.get(relation)?.clone();
        for (index, told) in self.told[relation].iter().enumerate() {
            let value = match (told, &self.digits[index]) {
                (Told::Dead, _) => continue,
                (Told::Known(value), _) => value.clone(),
                (Told::Digits, Some(digits)) => {
                    let count = digits.symbols(false).len();
                    let digits_of_it: Vec<Value> = left.by_ref().take(count).cloned().collect();
                    digits.value(&digits_of_it)?
                }
                _ => left.next()?.clone(),
            };
            state.insert(index, value);
        }
        Some(state)
    }

    /// All steps.
    pub fn steps(&self) -> &[Step] {
        &self.locations.steps
    }

    /// The steps that are impossible, if what is known of variables is true.
    pub fn excluded(&self) -> &[Step] {
        &self.excluded
    }

    /// Where the system begins.
    pub fn start(&self) -> usize {
        self.locations.start
    }
}

/// The values of variables at each location; nothing where it is never reached.
fn known_values(
    system: &System,
    locations: &Locations,
    session: &Session,
) -> Result<Vec<Option<StateValues>>, UnknownReason> {
    let reached = inferred(system, locations, &BTreeMap::new());
    let is_open = |(index, variable): (usize, &StateVariable)| {
        let mut reached = reached.iter().flatten();
        is_declared(variable) && reached.any(|values| values[index].is_none())
    };
    // What Z3 has seen before changes how Spacer goes on, even ten times: nothing is asked in vain.
    if !system.variables.iter().enumerate().any(is_open) {
        return Ok(reached);
    }
    let closed = closed_ranges(system, session)?;
    Ok(inferred(system, locations, &closed))
}

/// At each location, for each variable that is live there whatever is known, that it has one of its values, except for what the location says.
fn ranges(
    system: &System,
    property: &Property,
    locations: &Locations,
    values: &[StateValues],
) -> Vec<Vec<Term>> {
    let violation = property.formula.clone().not();
    let live = live(system, &locations.steps, &vec![violation; values.len()]);
    let here = locations.known.iter().zip(&live).zip(values);
    here.map(|((location, live), values)| {
        let told = live.ones().filter(|index| !location.contains_key(index));
        let range = |index: usize| {
            let values = values[index].as_ref()?;
            let current = Term::symbol(system.variables[index].current.clone());
            let is_one = values.iter().map(|value| match value {
                Value::Bool(true) => current.clone(),
                Value::Bool(false) => current.clone().not(),
                _ => current.clone().equals(Term::constant(value.clone())),
            });
            let is_open = current.sort() == Sort::Bool && values.len() > 1;
            (!is_open).then(|| Term::or(is_one))
        };
        told.filter_map(range).collect()
    })
    .collect()
}

/// The locations that are reached, the values there, and the steps from there to others.
fn reachable(
    locations: Locations,
    reached: Vec<Option<StateValues>>,
) -> (Locations, Vec<StateValues>, Vec<Step>) {
    let mut numbers = BTreeMap::new();
    let mut known = Vec::new();
    let mut values = Vec::new();
    for ((location, at), reached) in locations.known.into_iter().enumerate().zip(reached) {
        if let Some(reached) = reached {
            numbers.insert(location, values.len());
            known.push(at);
            values.push(reached);
        }
    }
    let (mut steps, mut excluded) = (Vec::new(), Vec::new());
    for step in locations.steps {
        match (numbers.get(&step.from), numbers.get(&step.to)) {
            (Some(&from), Some(&to)) => steps.push(Step { from, to, ..step }),
            (Some(&from), None) => excluded.push(Step { from, ..step }),
            (None, _) => {}
        }
    }
    let start = numbers.get(&locations.start).copied().unwrap_or_default();
    let reached = Locations {
        known,
        start,
        steps,
    };
    (reached, values, excluded)
}

/// Decides what the values decide, and takes out what is impossible.
fn fold(system: &System, steps: &mut Vec<Step>, values: &[StateValues]) -> Vec<Step> {
    for step in steps.iter_mut() {
        let mut known = of_step(system, &values[step.from], Some(&values[step.to]));
        let conditions = step.conditions.iter().map(|it| known.folded(it));
        step.conditions = conditions.filter(|it| !it.is_true()).collect();
        for value in step.values.values_mut() {
            *value = known.folded(value);
        }
    }
    let impossible = |step: &mut Step| step.conditions.iter().any(Term::is_false);
    steps.extract_if(.., impossible).collect()
}

/// The variables that are told in digits wherever they have several values: numbers that have few of them wherever they are live.
fn digits(
    system: &System,
    values: &[StateValues],
    live: &[FixedBitSet],
    control: Control,
) -> Vec<Option<Digits>> {
    let mut taken = system.taken_names(":");
    let variables = system.variables.iter().enumerate();
    let digits = variables.map(|(index, variable)| {
        if control == Control::Numbers || variable.sort() != Sort::Int {
            return None;
        }
        let mut all = BTreeSet::new();
        for (values, live) in values.iter().zip(live) {
            if live.contains(index) {
                let values = values[index].as_ref()?;
                all.extend(only(values).is_none().then_some(values).into_iter().flatten());
            }
        }
        let is_few = (2..=most_values(variable)).contains(&all.len());
        is_few.then(|| {
            let values = all.into_iter().cloned().collect();
            Digits::new(&variable.current, values, &mut taken)
        })
    });
    digits.collect()
}

/// The only value.
fn only(values: &BTreeSet<Value>) -> Option<&Value> {
    values.first().filter(|_| values.len() == 1)
}
