//! Variables with few named values as binary digits, for a solver of Horn clauses that is better at Booleans than at integers.
//!
//! Only variables whose ranges are invariants by themselves are told in digits, and clauses say that the digits are those of a value: so
//! the system that Spacer sees has the same runs. Ranges without names stay numbers: as digits they are slower. Invariant: what is
//! encoded and then decoded is equivalent to the original wherever all these variables are in range.

use super::Control;
use crate::solvers::{Outcome, Session, Solver, UnknownReason};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use slabcert_certificates::fresh::FreshNames;
use slabcert_certificates::system::System;
use slabcert_certificates::term::{
    Kind, Operator, Sort, Substitution, Symbol, Term, TermMap, Value,
};

/// The most values of a variable that is told in digits.
const MAXIMAL_VALUES: usize = 16;
/// The most combinations of values by which an atom is told; beyond, numbers are chosen by the Booleans inside the atom.
const MAXIMAL_COMBINATIONS: usize = 128;

/// A variable that is told in digits, those of the distance to its least value, the lowest digit first.
#[derive(Clone, Debug)]
struct Finite {
    least: BigInt,
    values: usize,
    /// The digits before a step.
    current: Vec<Symbol>,
    /// The digits after a step.
    next: Vec<Symbol>,
}

impl Finite {
    fn new(least: BigInt, values: usize, name: &str, taken: &mut FreshNames) -> Finite {
        let mut symbols = |suffix: &str| {
            (0..)
                .take_while(|digit| (values - 1) >> digit > 0)
                .map(|digit| taken.give(&format!("{name}{suffix}:{digit}")))
                .map(|name| Symbol::new(name, Sort::Bool))
                .collect()
        };
        Finite {
            least,
            values,
            current: symbols(""),
            next: symbols(".next"),
        }
    }

    fn number(&self, value: usize) -> BigInt {
        &self.least + value
    }

    fn digits(&self, is_next: bool) -> &[Symbol] {
        if is_next { &self.next } else { &self.current }
    }

    /// The digits before or after a step are those of a value.
    fn has(&self, is_next: bool, value: usize) -> Term {
        let digits = self.digits(is_next).iter().enumerate();
        Term::and(digits.map(|(digit, symbol)| {
            let symbol = Term::symbol(symbol.clone());
            if is_set(value, digit) {
                symbol
            } else {
                symbol.not()
            }
        }))
    }
}

fn is_set(value: usize, digit: usize) -> bool {
    value >> digit & 1 == 1
}

/// The Booleans of a system's variables.
#[derive(Clone, Debug)]
pub(super) struct Booleans<'a> {
    system: &'a System,
    /// By the number of the variable; `None` where it stays as it is.
    finite: Vec<Option<Finite>>,
    /// The variable that a symbol belongs to, if that is told in digits, and whether it is the next-state symbol.
    owners: FxHashMap<Symbol, (usize, bool)>,
}

impl<'a> Booleans<'a> {
    /// All variables as they are.
    pub fn none(system: &'a System) -> Booleans<'a> {
        Booleans {
            system,
            finite: vec![None; system.variables.len()],
            owners: FxHashMap::default(),
        }
    }

    /// Chooses the variables: those with few values whose ranges hold initially and, all together, after every step.
    ///
    /// # Errors
    /// When the solver does not know whether they do.
    pub fn new(
        system: &'a System,
        control: Control,
        session: &Session,
    ) -> Result<Booleans<'a>, UnknownReason> {
        let mut made = Booleans::none(system);
        if control == Control::Numbers {
            return Ok(made);
        }
        let mut taken = system.taken_names(":");
        for index in closed_ranges(system, session)? {
            let variable = &system.variables[index];
            let Some((least, values)) = values(system, index) else {
                continue;
            };
            made.finite[index] = Some(Finite::new(least, values, variable.name(), &mut taken));
            made.owners.insert(variable.current.clone(), (index, false));
            made.owners.insert(variable.next.clone(), (index, true));
        }
        Ok(made)
    }

    /// Whether no variable is told in digits.
    pub fn is_empty(&self) -> bool {
        self.owners.is_empty()
    }

    /// The state before a step, or after it: digits, and what stays as it is.
    pub fn symbols(&self, is_next: bool) -> Vec<Symbol> {
        let variables = self.system.variables.iter().zip(&self.finite);
        variables
            .flat_map(|(variable, finite)| match (finite, is_next) {
                (Some(finite), false) => finite.current.clone(),
                (Some(finite), true) => finite.next.clone(),
                (None, false) => vec![variable.current.clone()],
                (None, true) => vec![variable.next.clone()],
            })
            .collect()
    }

    /// That all digits are those of values, before a step or after it.
    pub fn are_values(&self, is_next: bool) -> Term {
        let finite = self.finite.iter().flatten();
        Term::and(finite.flat_map(|finite| {
            let numbers = 1usize << finite.current.len();
            (finite.values..numbers).map(move |number| finite.has(is_next, number).not())
        }))
    }

    /// A formula of the system, told in digits.
    pub fn encode(&self, formula: &Term) -> Term {
        if self.is_empty() {
            return formula.clone();
        }
        self.encode_shared(formula, &mut TermMap::default())
    }

    fn encode_shared(&self, formula: &Term, done: &mut TermMap<Term>) -> Term {
        let Kind::Apply(operator, arguments) = formula.kind() else {
            return formula.clone();
        };
        if let Some(known) = done.get(formula) {
            return known.clone();
        }
        let is_structure = arguments
            .iter()
            .all(|argument| argument.sort() == Sort::Bool);
        let encoded = if is_structure {
            let parts: Vec<Term> = arguments
                .iter()
                .map(|argument| self.encode_shared(argument, done))
                .collect();
            rebuilt(*operator, parts)
        } else {
            self.encode_atom(formula)
        };
        done.insert(formula, encoded.clone());
        encoded
    }

    /// A formula that compares numbers.
    fn encode_atom(&self, atom: &Term) -> Term {
        if let Some(equations) = self.same_digits(atom) {
            return equations;
        }
        let symbols = atom.symbols();
        let mut mentioned = Vec::new();
        let mut combinations = 1usize;
        for symbol in symbols {
            let Some(&(index, is_next)) = self.owners.get(&symbol) else {
                continue;
            };
            let Some(finite) = &self.finite[index] else {
                continue;
            };
            combinations = combinations.saturating_mul(finite.values);
            mentioned.push((symbol, finite, is_next));
        }
        if combinations > MAXIMAL_COMBINATIONS {
            return self.choose_numbers(atom, &mentioned);
        }
        let mut cases = vec![(Vec::new(), Substitution::default())];
        for (symbol, finite, is_next) in &mentioned {
            let extend = |(digits, numbers): &(Vec<Term>, Substitution)| {
                let (digits, numbers) = (digits.clone(), numbers.clone());
                (0..finite.values)
                    .map(|value| {
                        let mut digits = digits.clone();
                        digits.push(finite.has(*is_next, value));
                        let mut numbers = numbers.clone();
                        numbers.insert(symbol.clone(), Term::int(finite.number(value)));
                        (digits, numbers)
                    })
                    .collect::<Vec<_>>()
            };
            cases = cases.iter().flat_map(extend).collect();
        }
        Term::or(cases.into_iter().map(|(digits, numbers)| {
            let left = settled(atom.substitute(&numbers));
            Term::and(digits.into_iter().chain(std::iter::once(left)))
        }))
    }

    /// Two variables with the same values have the same one: their digits are pairwise equal.
    fn same_digits(&self, atom: &Term) -> Option<Term> {
        let (Operator::Equal, [left, right]) = atom.as_application()? else {
            return None;
        };
        let side = |term: &Term| {
            let &(index, is_next) = self.owners.get(term.as_symbol()?)?;
            let finite = self.finite[index].as_ref()?;
            Some((finite, is_next))
        };
        let ((left, left_next), (right, right_next)) = (side(left)?, side(right)?);
        if (&left.least, left.values) != (&right.least, right.values) {
            return None;
        }
        let pairs = left.digits(left_next).iter().zip(right.digits(right_next));
        Some(Term::and(pairs.map(|(left, right)| {
            Term::symbol(left.clone()).equals(Term::symbol(right.clone()))
        })))
    }

    /// The atom with numbers that the Booleans choose instead of symbols.
    fn choose_numbers(&self, atom: &Term, mentioned: &[(Symbol, &Finite, bool)]) -> Term {
        let chosen = mentioned.iter().map(|(symbol, finite, is_next)| {
            let last = Term::int(finite.number(finite.values - 1));
            let choice = (0..finite.values - 1).rev().fold(last, |others, value| {
                finite
                    .has(*is_next, value)
                    .ite(Term::int(finite.number(value)), others)
            });
            (symbol.clone(), choice)
        });
        atom.substitute(&chosen.collect())
    }

    /// A formula about the Booleans before a step, told in the system's variables.
    pub fn decode(&self, formula: &Term) -> Term {
        let mut meanings = Substitution::default();
        for (variable, finite) in self.system.variables.iter().zip(&self.finite) {
            let Some(finite) = finite else { continue };
            for (digit, symbol) in finite.current.iter().enumerate() {
                let has = (0..finite.values)
                    .filter(|&value| is_set(value, digit))
                    .map(|value| {
                        Term::symbol(variable.current.clone())
                            .equals(Term::int(finite.number(value)))
                    });
                meanings.insert(symbol.clone(), Term::or(has));
            }
        }
        formula.substitute(&meanings)
    }

    /// That all variables told in digits are in range.
    pub fn ranges(&self) -> Vec<Term> {
        let chosen = self.finite.iter().enumerate();
        chosen
            .filter(|(_, finite)| finite.is_some())
            .flat_map(|(index, _)| range(self.system, index, false).unwrap_or_default())
            .collect()
    }

    /// The state that Booleans stand for; nothing if they stand for none.
    pub fn state(&self, values: &[Value]) -> Option<Vec<Value>> {
        let mut left = values.iter();
        let mut state = Vec::new();
        for finite in &self.finite {
            let Some(finite) = finite else {
                state.push(left.next()?.clone());
                continue;
            };
            let digits: Vec<&Value> = left.by_ref().take(finite.current.len()).collect();
            let is_true = |digit: usize| digits.get(digit) == Some(&&Value::Bool(true));
            let value = (0..finite.values).find(|&value| {
                (0..finite.current.len()).all(|digit| is_true(digit) == is_set(value, digit))
            })?;
            state.push(Value::Int(finite.number(value)));
        }
        Some(state)
    }
}

/// An operator applied to Booleans.
fn rebuilt(operator: Operator, mut parts: Vec<Term>) -> Term {
    let same = |left: &Term, right: &Term| {
        let there = left.clone().implies(right.clone());
        Term::and([there, right.clone().implies(left.clone())])
    };
    match (operator, parts.as_slice()) {
        (Operator::Or, _) => Term::or(parts),
        (Operator::Not, [_]) => parts.swap_remove(0).not(),
        (Operator::Implies, [left, right]) => left.clone().implies(right.clone()),
        (Operator::Ite, [condition, then, otherwise]) => Term::and([
            condition.clone().implies(then.clone()),
            condition.clone().not().implies(otherwise.clone()),
        ]),
        (Operator::Equal, [left, right]) => same(left, right),
        (Operator::Xor | Operator::Distinct, [left, right]) => same(left, right).not(),
        // There are no three different truth values.
        (Operator::Distinct, _) => Term::bool(false),
        _ => Term::and(parts),
    }
}

/// A constant for a formula without symbols.
fn settled(formula: Term) -> Term {
    match formula.holds(&|_: &Symbol| None::<Value>) {
        Ok(truth) => Term::bool(truth),
        Err(_) => formula,
    }
}

/// The least value of a variable and the number of its values, if they are few.
fn values(system: &System, index: usize) -> Option<(BigInt, usize)> {
    let variable = &system.variables[index];
    let (least, greatest) = variable.range.as_ref()?;
    let count = usize::try_from(greatest - least).ok()?.checked_add(1)?;
    let is_finite = variable.sort() == Sort::Int
        && variable.values.is_some()
        && (2..=MAXIMAL_VALUES).contains(&count);
    is_finite.then(|| (least.clone(), count))
}

/// That a variable is in its range, before a step or after it.
fn range(system: &System, index: usize, is_next: bool) -> Option<Vec<Term>> {
    let variable = &system.variables[index];
    let (least, greatest) = variable.range.as_ref()?;
    let symbol = if is_next {
        &variable.next
    } else {
        &variable.current
    };
    let symbol = Term::symbol(symbol.clone());
    Some(vec![
        Term::int(least.clone()).less_or_equal(symbol.clone()),
        symbol.less_or_equal(Term::int(greatest.clone())),
    ])
}

/// The variables with few values that are always in range, which the ranges of these variables show by themselves.
fn closed_ranges(system: &System, session: &Session) -> Result<Vec<usize>, UnknownReason> {
    let mut closed: Vec<usize> = (0..system.variables.len())
        .filter(|&index| values(system, index).is_some())
        .collect();
    let in_range =
        |index: usize, is_next: bool| Term::and(range(system, index, is_next).unwrap_or_default());
    if closed.is_empty() {
        // What Z3 has seen before changes how Spacer goes on, even ten times: nothing is asked in vain.
        return Ok(closed);
    }
    let mut initial = session.solver();
    initial.assert(&system.init_formula());
    closed = kept(&mut initial, &closed, &|index| in_range(index, false))?;
    loop {
        let mut step = session.solver();
        step.assert(&system.trans_formula());
        for &index in &closed {
            step.assert(&in_range(index, false));
        }
        let next = kept(&mut step, &closed, &|index| in_range(index, true))?;
        if next.len() == closed.len() {
            return Ok(closed);
        }
        closed = next;
    }
}

/// Those of the variables for which the formula follows from what is asserted.
fn kept(
    solver: &mut dyn Solver,
    variables: &[usize],
    formula: &dyn Fn(usize) -> Term,
) -> Result<Vec<usize>, UnknownReason> {
    let mut kept = Vec::new();
    for &index in variables {
        match solver.check_assuming(&[formula(index).not()]) {
            Outcome::Unsatisfiable(_) => kept.push(index),
            Outcome::Satisfiable(_) => {}
            Outcome::Unknown(reason) => return Err(reason),
        }
    }
    Ok(kept)
}
