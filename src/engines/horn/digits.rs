//! Variables with few values as binary digits, for a solver of Horn clauses that is better at Booleans than at integers.
//!
//! Equations are passed on to the branches of what is chosen, so that of a variable with few values no number is left. Invariant: what is
//! encoded and then decoded is equivalent to the original wherever the variables have the values that they are told by.

use super::values::{Known, chosen};
use rustc_hash::FxHashMap;
use slabcert_certificates::fresh::FreshNames;
use slabcert_certificates::term::{
    Kind, Operator, Sort, Substitution, Symbol, Term, TermMap, Value,
};
use std::collections::{BTreeMap, BTreeSet};

/// The most combinations of values by which an atom is told; beyond, numbers are chosen by the Booleans inside the atom.
const MAXIMAL_COMBINATIONS: usize = 128;

/// A variable that is told in digits, those of the position of its value among all values, the lowest digit first.
#[derive(Clone, Debug)]
pub(super) struct Digits {
    symbol: Symbol,
    /// Two or more values, in order.
    values: Vec<Value>,
    /// The digits before a step.
    current: Vec<Symbol>,
    /// The digits after a step.
    next: Vec<Symbol>,
}

impl Digits {
    /// The digits of a variable with these values, under names that nothing else has.
    pub fn new(symbol: &Symbol, values: BTreeSet<Value>, taken: &mut FreshNames) -> Digits {
        let mut symbols = |suffix: &str| {
            (0..)
                .take_while(|digit| (values.len() - 1) >> digit > 0)
                .map(|digit| taken.give(&format!("{}{suffix}:{digit}", symbol.name())))
                .map(|name| Symbol::new(name, Sort::Bool))
                .collect()
        };
        Digits {
            current: symbols(""),
            next: symbols(".next"),
            symbol: symbol.clone(),
            values: values.into_iter().collect(),
        }
    }

    /// The digits before a step, or after it.
    pub fn symbols(&self, is_next: bool) -> &[Symbol] {
        if is_next { &self.next } else { &self.current }
    }

    /// The values that it is told by.
    pub fn values(&self) -> BTreeSet<Value> {
        self.values.iter().cloned().collect()
    }

    /// The digits before or after a step are those of the value at a position.
    fn has(&self, is_next: bool, position: usize) -> Term {
        let digits = self.symbols(is_next).iter().enumerate();
        Term::and(digits.map(|(digit, symbol)| {
            let symbol = Term::symbol(symbol.clone());
            if is_set(position, digit) {
                symbol
            } else {
                symbol.not()
            }
        }))
    }

    /// That the digits are those of a value, before a step or after it.
    pub fn is_value(&self, is_next: bool) -> Term {
        let numbers = 1usize << self.current.len();
        Term::and((self.values.len()..numbers).map(|number| self.has(is_next, number).not()))
    }

    fn one_of(&self, is_chosen: impl Fn(usize) -> bool) -> Term {
        let values = self.values.iter().enumerate();
        let chosen = values.filter(|(position, _)| is_chosen(*position));
        Term::or(chosen.map(|(_, value)| {
            Term::symbol(self.symbol.clone()).equals(Term::constant(value.clone()))
        }))
    }

    /// What the digits mean in the system's words.
    pub fn meanings(&self) -> impl Iterator<Item = (Symbol, Term)> + '_ {
        let digits = self.current.iter().enumerate();
        digits.map(|(digit, symbol)| {
            let meaning = self.one_of(|position| is_set(position, digit));
            (symbol.clone(), meaning)
        })
    }

    /// The value that digits stand for; nothing if they stand for none.
    pub fn value(&self, digits: &[Value]) -> Option<Value> {
        let is_true = |digit: usize| digits.get(digit) == Some(&Value::Bool(true));
        let mut positions = 0..self.values.len();
        let position = positions.find(|position| {
            (0..self.current.len()).all(|digit| is_true(digit) == is_set(*position, digit))
        })?;
        self.values.get(position).cloned()
    }
}

fn is_set(position: usize, digit: usize) -> bool {
    position >> digit & 1 == 1
}

/// Puts digits in the place of variables, in formulas about a step or a state.
pub(super) struct Encoder<'a> {
    /// What is told in digits, and whether it is a state after a step.
    digits: FxHashMap<Symbol, (&'a Digits, bool)>,
    known: Known,
    formulas: TermMap<Term>,
    numbers: TermMap<Term>,
    /// For each term that was asked for, when it has a value.
    cases: TermMap<BTreeMap<Value, Term>>,
}

impl<'a> Encoder<'a> {
    /// For symbols that are told in digits, of a state before a step or after it.
    pub fn new(told: impl IntoIterator<Item = (Symbol, &'a Digits, bool)>) -> Encoder<'a> {
        let told = told.into_iter();
        let digits: FxHashMap<Symbol, (&Digits, bool)> = told
            .map(|(symbol, digits, is_next)| (symbol, (digits, is_next)))
            .collect();
        let known = digits.iter().map(|(symbol, (digits, _))| (symbol.clone(), digits.values()));
        Encoder {
            known: Known::new(known),
            digits,
            formulas: TermMap::default(),
            numbers: TermMap::default(),
            cases: TermMap::default(),
        }
    }

    /// A formula, told in digits.
    pub fn encode(&mut self, formula: &Term) -> Term {
        let Some((operator, arguments)) = formula.as_application() else {
            return formula.clone();
        };
        if self.digits.is_empty() {
            return formula.clone();
        }
        if let Some(known) = self.formulas.get(formula) {
            return known.clone();
        }
        let is_structure = arguments.iter().all(|it| it.sort() == Sort::Bool);
        let encoded = match (operator, arguments) {
            _ if is_structure => {
                let parts = arguments.iter().map(|it| self.encode(it));
                rebuilt(operator, parts.collect())
            }
            (Operator::Equal, [left, right]) => self.equal(left, right),
            (Operator::Distinct, _) => {
                let mut apart = Vec::new();
                for (position, right) in arguments.iter().enumerate() {
                    for left in &arguments[..position] {
                        apart.push(self.equal(left, right).not());
                    }
                }
                Term::and(apart)
            }
            _ => self.compare(formula, operator, arguments),
        };
        self.formulas.insert(formula, encoded.clone());
        encoded
    }

    /// That a variable has the value of a term after a step: where that is one of the variable's values, an equation for each digit. Without
    /// a term, it has any of the variable's values.
    pub fn assign(&mut self, digits: &Digits, next: &Term, value: Option<&Term>) -> Term {
        let Some(value) = value else {
            return digits.is_value(true);
        };
        let possible = self.known.values(value);
        let is_one = possible.is_some_and(|it| it.iter().all(|it| digits.values.contains(it)));
        if !is_one {
            return Term::and([self.equal(next, value), digits.is_value(true)]);
        }
        if let Some(same) = self.same_digits(next, value) {
            return same;
        }
        let mut equations = Vec::new();
        for (digit, symbol) in digits.symbols(true).iter().enumerate() {
            let positions = (0..digits.values.len()).filter(|it| is_set(*it, digit));
            let cases = positions.map(|it| self.has(value, &digits.values[it]));
            let is_true = Term::or(cases.collect::<Vec<Term>>());
            equations.push(Term::symbol(symbol.clone()).equals(is_true));
        }
        Term::and(equations)
    }

    fn equal(&mut self, left: &Term, right: &Term) -> Term {
        if let Some(equations) = self.same_digits(left, right) {
            return equations;
        }
        if let Some(value) = right.as_constant() {
            return self.has(left, value);
        }
        if let Some(value) = left.as_constant() {
            return self.has(right, value);
        }
        let values = match (self.known.values(left), self.known.values(right)) {
            (Some(left), Some(right)) => &left & &right,
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => return self.number(left).equals(self.number(right)),
        };
        let cases = values
            .iter()
            .map(|it| Term::and([self.has(left, it), self.has(right, it)]));
        Term::or(cases.collect::<Vec<Term>>())
    }

    /// Two variables with the same values have the same one: their digits are pairwise equal.
    fn same_digits(&self, left: &Term, right: &Term) -> Option<Term> {
        let side = |term: &Term| self.digits.get(term.as_symbol()?);
        let ((left, left_next), (right, right_next)) = (side(left)?, side(right)?);
        if left.values != right.values {
            return None;
        }
        let (left, right) = (left.symbols(*left_next), right.symbols(*right_next));
        Some(Term::and(left.iter().zip(right).map(|(left, right)| {
            Term::symbol(left.clone()).equals(Term::symbol(right.clone()))
        })))
    }

    /// When a term has a value.
    fn has(&mut self, term: &Term, value: &Value) -> Term {
        if let Some(known) = self.cases.get(term).and_then(|cases| cases.get(value)) {
            return known.clone();
        }
        let constant = || Term::constant(value.clone());
        let answer = match term.kind() {
            Kind::Constant(own) => Term::bool(own == value),
            Kind::Symbol(symbol) => match self.digits.get(symbol) {
                Some((digits, is_next)) => {
                    let position = digits.values.iter().position(|it| it == value);
                    position.map_or(Term::bool(false), |it| digits.has(*is_next, it))
                }
                None => term.clone().equals(constant()),
            },
            Kind::Apply(Operator::Ite, parts) => {
                let [then, otherwise] = [&parts[1], &parts[2]].map(|it| self.has(it, value));
                if then == otherwise {
                    then
                } else {
                    chosen(self.encode(&parts[0]), then, otherwise)
                }
            }
            Kind::Apply(..) => match self.known.values(term) {
                Some(values) if !values.contains(value) => Term::bool(false),
                _ => self.atom(&term.clone().equals(constant())),
            },
        };
        if self.cases.get(term).is_none() {
            self.cases.insert(term, BTreeMap::new());
        }
        if let Some(cases) = self.cases.get_mut(term) {
            cases.insert(value.clone(), answer.clone());
        }
        answer
    }

    /// An application that is true or false, of numbers.
    fn compare(&mut self, formula: &Term, operator: Operator, arguments: &[Term]) -> Term {
        let [left, right] = arguments else {
            return self.atom(formula);
        };
        let (Some(lefts), Some(rights)) = (self.known.values(left), self.known.values(right))
        else {
            return self.atom(formula);
        };
        if lefts.len() * rights.len() > MAXIMAL_COMBINATIONS {
            return self.atom(formula);
        }
        let mut cases = Vec::new();
        for one in &lefts {
            for other in &rights {
                let sides = [one, other].map(|it| Term::constant(it.clone()));
                match Term::apply(operator, sides.to_vec()) {
                    Ok(compared) if settled(compared.clone()).is_false() => {}
                    Ok(_) => cases.push(Term::and([self.has(left, one), self.has(right, other)])),
                    Err(_) => return formula.clone(),
                }
            }
        }
        Term::or(cases)
    }

    /// A formula about numbers, by the combinations of values of what it mentions, or with numbers that digits choose.
    fn atom(&mut self, atom: &Term) -> Term {
        let symbols = atom.symbols();
        let told = symbols.iter().filter_map(|symbol| {
            let (digits, is_next) = self.digits.get(symbol)?;
            Some((symbol, *digits, *is_next))
        });
        let told: Vec<(&Symbol, &Digits, bool)> = told.collect();
        let mut combinations = 1usize;
        for (_, digits, _) in &told {
            combinations = combinations.saturating_mul(digits.values.len());
        }
        if combinations > MAXIMAL_COMBINATIONS || has_choices(atom) {
            return self.number(atom);
        }
        let mut cases = vec![(Vec::new(), Substitution::default())];
        for (symbol, digits, is_next) in &told {
            let extend = |(conditions, numbers): &(Vec<Term>, Substitution)| {
                let (conditions, numbers) = (conditions.clone(), numbers.clone());
                let values = digits.values.iter().enumerate();
                values
                    .map(|(position, value)| {
                        let mut conditions = conditions.clone();
                        conditions.push(digits.has(*is_next, position));
                        let mut numbers = numbers.clone();
                        numbers.insert((*symbol).clone(), Term::constant(value.clone()));
                        (conditions, numbers)
                    })
                    .collect::<Vec<_>>()
            };
            cases = cases.iter().flat_map(extend).collect();
        }
        Term::or(cases.into_iter().map(|(conditions, numbers)| {
            let left = settled(atom.substitute(&numbers));
            Term::and(conditions.into_iter().chain([left]))
        }))
    }

    /// A number or a comparison of numbers, in which digits choose the numbers of variables.
    pub fn number(&mut self, term: &Term) -> Term {
        let (operator, arguments) = match term.kind() {
            Kind::Constant(_) => return term.clone(),
            Kind::Symbol(symbol) => {
                return match self.digits.get(symbol) {
                    Some((digits, is_next)) => choice(digits, *is_next),
                    None => term.clone(),
                };
            }
            Kind::Apply(operator, arguments) => (*operator, arguments),
        };
        if let Some(known) = self.numbers.get(term) {
            return known.clone();
        }
        let parts = arguments.iter().map(|it| match it.sort() {
            Sort::Bool => self.encode(it),
            _ => self.number(it),
        });
        let parts: Vec<Term> = parts.collect();
        let number = match (operator, &parts[..]) {
            (Operator::Ite, [condition, then, otherwise]) => {
                condition.clone().ite(then.clone(), otherwise.clone())
            }
            // What nests too deep stays as it is: its symbols have any value then.
            _ => Term::apply(operator, parts).unwrap_or_else(|_| term.clone()),
        };
        self.numbers.insert(term, number.clone());
        number
    }
}

/// The value of a variable, by its digits.
fn choice(digits: &Digits, is_next: bool) -> Term {
    let mut values = digits.values.iter().cloned().map(Term::constant).enumerate().rev();
    let last = values.next().map(|(_, value)| value);
    let last = last.unwrap_or_else(|| Term::symbol(digits.symbol.clone()));
    values.fold(last, |others, (position, value)| {
        digits.has(is_next, position).ite(value, others)
    })
}

fn has_choices(term: &Term) -> bool {
    let mut found = false;
    term.visit(&mut |node| {
        found |= matches!(node.as_application(), Some((Operator::Ite, _)));
    });
    found
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
        (Operator::Ite, [condition, then, otherwise]) => {
            chosen(condition.clone(), then.clone(), otherwise.clone())
        }
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
