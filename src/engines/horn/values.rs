//! What is known of the values of variables: a few constants, or nothing.
//!
//! An abstract interpretation over sets of constants (Cousot and Cousot, 1977). Invariant: a term has one of the values that are told of it
//! wherever the symbols have theirs.

use super::locations::{Locations, Step};
use rustc_hash::FxHashMap;
use slabcert_certificates::system::{StateVariable, System};
use slabcert_certificates::term::{Kind, Operator, Sort, Symbol, Term, TermMap, Value};
use std::collections::{BTreeMap, BTreeSet};

/// How many values a variable may have that is told by them.
const MOST_VALUES: usize = 8;
/// The same where the values have names: locations, enumerations.
const MOST_NAMED_VALUES: usize = 16;
/// How many combinations of values of its arguments an application is tried with.
const MOST_COMBINATIONS: usize = 128;

/// All values that there may be; `None` stands for any.
pub(super) type Values = Option<BTreeSet<Value>>;

/// How many values a variable may have that is told by them.
pub(super) fn most_values(variable: &StateVariable) -> usize {
    match variable.values {
        Some(_) => MOST_NAMED_VALUES,
        None => MOST_VALUES,
    }
}

/// What is known where symbols have certain values.
#[derive(Default)]
pub(super) struct Known {
    symbols: FxHashMap<Symbol, BTreeSet<Value>>,
    values: TermMap<Values>,
    folded: TermMap<Term>,
}

impl Known {
    /// What is known where the symbols have one of these values each.
    pub fn new(symbols: impl IntoIterator<Item = (Symbol, BTreeSet<Value>)>) -> Known {
        Known {
            symbols: symbols.into_iter().collect(),
            ..Known::default()
        }
    }

    /// The values that a term may have.
    pub fn values(&mut self, term: &Term) -> Values {
        let (operator, arguments) = match term.kind() {
            Kind::Constant(value) => return Some(BTreeSet::from([value.clone()])),
            Kind::Symbol(symbol) => {
                let known = self.symbols.get(symbol).cloned();
                return known.or_else(|| any(symbol.sort()));
            }
            Kind::Apply(operator, arguments) => (*operator, arguments),
        };
        if let Some(known) = self.values.get(term) {
            return known.clone();
        }
        let values = self.applied(operator, arguments, term.sort());
        self.values.insert(term, values.clone());
        values
    }

    fn applied(&mut self, operator: Operator, arguments: &[Term], sort: Sort) -> Values {
        match (operator, arguments) {
            (Operator::Ite, [condition, then, otherwise]) => {
                let mut branches = BTreeSet::new();
                for (truth, branch) in [(true, then), (false, otherwise)] {
                    if self.may_be(condition, truth) {
                        branches.extend(self.values(branch)?);
                    }
                }
                (branches.len() <= MOST_COMBINATIONS).then_some(branches)
            }
            (Operator::And | Operator::Or, _) => {
                let decisive = operator == Operator::Or;
                let mut truths = BTreeSet::from([Value::Bool(!decisive)]);
                for argument in arguments {
                    if !self.may_be(argument, !decisive) {
                        return Some(BTreeSet::from([Value::Bool(decisive)]));
                    }
                    if self.may_be(argument, decisive) {
                        truths.insert(Value::Bool(decisive));
                    }
                }
                Some(truths)
            }
            (Operator::Implies, [premise, conclusion]) => {
                let either = [premise.clone().not(), conclusion.clone()];
                self.applied(Operator::Or, &either, sort)
            }
            _ => self.tried(operator, arguments).or_else(|| any(sort)),
        }
    }

    /// The values for all combinations of values of the arguments, if they are few.
    fn tried(&mut self, operator: Operator, arguments: &[Term]) -> Values {
        let mut combinations = vec![Vec::new()];
        for argument in arguments {
            let values = self.values(argument)?;
            if combinations.len() * values.len() > MOST_COMBINATIONS {
                return None;
            }
            let extend = |combination: &Vec<Term>| {
                let combination = combination.clone();
                let values = values.iter().cloned().map(Term::constant);
                values
                    .map(move |value| [&combination[..], &[value]].concat())
                    .collect::<Vec<_>>()
            };
            combinations = combinations.iter().flat_map(extend).collect();
        }
        let results = combinations.into_iter().map(|combination| {
            let applied = Term::apply(operator, combination).ok()?;
            applied.evaluate(&|_: &Symbol| None::<Value>).ok()
        });
        results.collect()
    }

    /// Whether a formula may have a truth value.
    pub fn may_be(&mut self, formula: &Term, truth: bool) -> bool {
        let values = self.values(formula);
        values.is_none_or(|values| values.contains(&Value::Bool(truth)))
    }

    /// An equivalent term in which all that has one value only is this value.
    pub fn folded(&mut self, term: &Term) -> Term {
        if let Some(values) = self.values(term)
            && let (Some(only), None) = (values.first(), values.iter().nth(1))
        {
            return Term::constant(only.clone());
        }
        let Some((operator, arguments)) = term.as_application() else {
            return term.clone();
        };
        if let Some(known) = self.folded.get(term) {
            return known.clone();
        }
        let parts: Vec<Term> = match (operator, arguments) {
            // The branch that is not taken need not be looked at.
            (Operator::Ite, [condition, then, otherwise]) => match self.folded(condition) {
                decided if decided.is_true() => return self.folded(then),
                decided if decided.is_false() => return self.folded(otherwise),
                open => vec![open, self.folded(then), self.folded(otherwise)],
            },
            _ => arguments.iter().map(|it| self.folded(it)).collect(),
        };
        let folded = match (operator, &parts[..]) {
            (Operator::And, _) => Term::and(parts),
            (Operator::Or, _) => Term::or(parts),
            (Operator::Not, [part]) => part.clone().not(),
            (Operator::Implies, [premise, conclusion]) => {
                premise.clone().implies(conclusion.clone())
            }
            (Operator::Equal, [left, right]) => left.clone().equals(right.clone()),
            (Operator::Ite, [condition, then, otherwise]) => {
                chosen(condition.clone(), then.clone(), otherwise.clone())
            }
            _ => Term::apply(operator, parts).unwrap_or_else(|_| term.clone()),
        };
        self.folded.insert(term, folded.clone());
        folded
    }
}

/// If-then-else, where branches that are constant truths are no branches.
pub(super) fn chosen(condition: Term, then: Term, otherwise: Term) -> Term {
    if then.is_true() {
        Term::or([condition, otherwise])
    } else if then.is_false() {
        Term::and([condition.not(), otherwise])
    } else if otherwise.is_true() {
        Term::or([condition.not(), then])
    } else if otherwise.is_false() {
        Term::and([condition, then])
    } else {
        condition.ite(then, otherwise)
    }
}

fn any(sort: Sort) -> Values {
    (sort == Sort::Bool).then(|| [true, false].map(Value::Bool).into())
}

/// The values of a state's variables, by index.
pub(super) type StateValues = Vec<Values>;

/// What is known of a step between states with these values.
pub(super) fn of_step(system: &System, before: &StateValues, after: Option<&StateValues>) -> Known {
    let variables = system.variables.iter();
    let current = variables.clone().map(|it| &it.current).zip(before);
    let next = after.map(|after| variables.map(|it| &it.next).zip(after));
    let symbols = current.chain(next.into_iter().flatten());
    Known::new(symbols.filter_map(|(symbol, values)| Some((symbol.clone(), values.clone()?))))
}

/// For each location that may be reached, the values that variables may have there. Those with closed ranges stay in them.
pub(super) fn inferred(
    system: &System,
    locations: &Locations,
    closed: &BTreeMap<usize, BTreeSet<Value>>,
) -> Vec<Option<StateValues>> {
    let widened = |variable: usize, values: Values| {
        let few = values.filter(|it| it.len() <= most_values(&system.variables[variable]));
        few.or_else(|| closed.get(&variable).cloned())
            .or_else(|| any(system.variables[variable].sort()))
    };
    let mut reached: Vec<Option<StateValues>> = vec![None; locations.known.len()];
    let initial = (0..system.variables.len()).map(|index| {
        let stated = stated(&system.init, &system.variables[index].current);
        widened(index, stated.map(|value| [value].into()))
    });
    reached[locations.start] = Some(initial.collect());
    let mut leaving = vec![Vec::new(); locations.known.len()];
    for step in &locations.steps {
        leaving[step.from].push(step);
    }
    let mut open = BTreeSet::from([locations.start]);
    while let Some(location) = open.pop_first() {
        let Some(before) = reached[location].clone() else {
            continue;
        };
        let mut known = of_step(system, &before, None);
        for step in &leaving[location] {
            let Some(after) = after(system, step, &mut known) else {
                continue;
            };
            let joined = match &reached[step.to] {
                None => after,
                Some(others) => others.iter().zip(after).map(union).collect(),
            };
            let joined: StateValues = joined
                .into_iter()
                .enumerate()
                .map(|(variable, values)| widened(variable, values))
                .collect();
            if reached[step.to].as_ref() != Some(&joined) {
                reached[step.to] = Some(joined);
                open.insert(step.to);
            }
        }
    }
    reached
}

fn union((some, others): (&Values, Values)) -> Values {
    let (some, others) = (some.as_ref()?, others?);
    Some(some | &others)
}

/// The values after a step; nothing if it is not possible.
fn after(system: &System, step: &Step, known: &mut Known) -> Option<StateValues> {
    let mut conditions = step.conditions.iter();
    conditions.all(|it| known.may_be(it, true)).then(|| {
        let variables = 0..system.variables.len();
        let value = |variable| known.values(step.values.get(&variable)?);
        variables.map(value).collect()
    })
}

/// The value that some conjunct says a symbol has.
pub(super) fn stated(conjuncts: &[Term], symbol: &Symbol) -> Option<Value> {
    let is_it = |term: &Term| term.as_symbol() == Some(symbol);
    conjuncts.iter().find_map(|conjunct| match conjunct.kind() {
        Kind::Symbol(_) if is_it(conjunct) => Some(Value::Bool(true)),
        Kind::Apply(Operator::Not, negated) if is_it(&negated[0]) => Some(Value::Bool(false)),
        Kind::Apply(Operator::Equal, sides) => match &sides[..] {
            [left, right] if is_it(left) => right.as_constant().cloned(),
            [left, right] if is_it(right) => left.as_constant().cloned(),
            _ => None,
        },
        Kind::Apply(Operator::And, inner) => stated(inner, symbol),
        _ => None,
    })
}
