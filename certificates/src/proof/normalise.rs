//! From the terms of an obligation to hypotheses in normal form. The rules are those of `PROOFS.md`, one function for each.
//!
//! Every hypothesis follows from the obligation's assertions, so that refuting the hypotheses refutes the assertions: connectives become
//! conjunction and disjunction, numeric case distinctions go outwards, and integer parts become variables with their definition.
//! Invariant: what an obligation is normalised to depends on nothing but the obligation.

use super::formula::{AtomRelation, Formula, Formulas, IntegerPart, Linear, Variable};
use crate::obligations::Obligation;
use crate::system::System;
use crate::term::{Kind, Operator, Symbol, Term, TermMap, Value};
use crate::work::{NORMALISING, TooLarge, Work};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use std::rc::Rc;

/// The most cases of one numeric term.
pub const MAXIMAL_CASES: usize = 1_000;

/// The most arguments of a pairwise difference.
const MAXIMAL_DISTINCT: usize = 1_000;

/// Why an obligation has no normal form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotExpressible {
    /// A product of two terms that are not constant.
    #[error("it is not linear: it has a product of variables")]
    NotLinear,
    /// A numeric term is defined by too many cases.
    #[error("a numeric term has more than {MAXIMAL_CASES} cases")]
    TooManyCases,
    /// A pairwise difference has too many arguments.
    #[error("a `distinct` has more than {MAXIMAL_DISTINCT} arguments")]
    TooManyArguments,
    /// Formulas or numbers are too large.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

/// A numeric term: a linear expression, or a case distinction.
#[derive(Debug)]
enum Numeric {
    Linear(Linear),
    Choice(Formula, Rc<Numeric>, Rc<Numeric>),
}

/// Normalises obligations, with a memory for the parts that they share.
pub struct Normaliser {
    symbols: Vec<Symbol>,
    formulas: Formulas,
    known_formulas: TermMap<Formula>,
    known_numbers: TermMap<(Rc<Numeric>, usize)>,
    /// The work since the memory was empty: a measure of what the memory holds.
    remembered: u64,
    generation: u64,
}

impl Normaliser {
    /// For the obligations of a certificate about a system.
    pub fn new(system: &System) -> Normaliser {
        let variables = system.variables.iter();
        let states =
            variables.flat_map(|variable| [variable.current.clone(), variable.next.clone()]);
        let inputs = system.inputs.iter().map(|input| input.symbol.clone());
        let mut normaliser = Normaliser {
            symbols: states.chain(inputs).collect(),
            formulas: Formulas::new(),
            known_formulas: TermMap::default(),
            known_numbers: TermMap::default(),
            remembered: 0,
            generation: 0,
        };
        normaliser.forget();
        normaliser
    }

    /// The store of all formulas so far.
    pub fn formulas(&self) -> &Formulas {
        &self.formulas
    }

    /// The store, to make further formulas in it.
    pub fn formulas_mut(&mut self) -> &mut Formulas {
        &mut self.formulas
    }

    /// Changes whenever the store is begun anew, so that formulas have other numbers.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The hypotheses of an obligation: one formula for each assertion, and then two for each integer part. They are valid until the
    /// next call.
    ///
    /// # Errors
    /// When the obligation has no normal form, or one that is too large.
    pub fn hypotheses(&mut self, obligation: &Obligation) -> Result<Vec<Formula>, NotExpressible> {
        // Integer parts are numbered within their obligation.
        if !self.formulas.integer_parts().is_empty()
            || self.formulas.is_half_full()
            || self.remembered > NORMALISING / 2
        {
            self.forget();
        }
        self.formulas.allow(NORMALISING);
        let hypotheses = self.hypotheses_within_limits(obligation);
        self.remembered += NORMALISING - self.formulas.work().left();
        hypotheses
    }

    fn hypotheses_within_limits(
        &mut self,
        obligation: &Obligation,
    ) -> Result<Vec<Formula>, NotExpressible> {
        let mut hypotheses = Vec::with_capacity(obligation.assertions.len());
        for assertion in &obligation.assertions {
            hypotheses.push(self.formula(assertion)?);
        }
        for number in 0..self.formulas.integer_parts().len() {
            let (part, variable) = self.formulas.integer_parts()[number].clone();
            for (expression, relation) in part.definition(variable, self.formulas.work())? {
                hypotheses.push(self.formulas.compare(&expression, relation)?);
            }
        }
        Ok(hypotheses)
    }

    fn forget(&mut self) {
        self.formulas = Formulas::new();
        self.known_formulas = TermMap::default();
        self.known_numbers = TermMap::default();
        self.remembered = 0;
        self.generation += 1;
        for symbol in &self.symbols {
            self.formulas.symbol(symbol);
        }
    }

    fn formula(&mut self, term: &Term) -> Result<Formula, NotExpressible> {
        if let Some(known) = self.known_formulas.get(term) {
            return Ok(*known);
        }
        let formula = match term.kind() {
            Kind::Constant(value) if *value == Value::Bool(true) => Formula::TRUE,
            Kind::Constant(_) => Formula::FALSE,
            Kind::Symbol(symbol) => {
                let variable = self.formulas.symbol(symbol);
                self.formulas.literal(variable)
            }
            Kind::Apply(operator, arguments) => self.application(*operator, arguments)?,
        };
        self.known_formulas.insert(term, formula);
        Ok(formula)
    }

    fn application(
        &mut self,
        operator: Operator,
        arguments: &[Term],
    ) -> Result<Formula, NotExpressible> {
        if operator == Operator::Distinct && arguments.len() > MAXIMAL_DISTINCT {
            return Err(NotExpressible::TooManyArguments);
        }
        self.charge_arguments(arguments)?;
        match operator {
            Operator::Equal | Operator::Distinct if arguments[0].sort().is_numeric() => {
                self.equality(operator, arguments)
            }
            Operator::LessOrEqual => {
                self.order(&arguments[0], &arguments[1], AtomRelation::LessOrEqual)
            }
            Operator::Less => self.order(&arguments[0], &arguments[1], AtomRelation::Less),
            Operator::GreaterOrEqual => {
                self.order(&arguments[1], &arguments[0], AtomRelation::LessOrEqual)
            }
            Operator::Greater => self.order(&arguments[1], &arguments[0], AtomRelation::Less),
            Operator::IsInt => self.is_integer(&arguments[0]),
            _ => {
                let mut parts = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    parts.push(self.formula(argument)?);
                }
                Ok(self.connective(operator, &parts)?)
            }
        }
    }

    /// Connectives, and equality of truth values.
    fn connective(&mut self, operator: Operator, parts: &[Formula]) -> Result<Formula, TooLarge> {
        let store = &mut self.formulas;
        match (operator, parts) {
            (Operator::Not, [part]) => Ok(part.complement()),
            (Operator::Or, _) => store.or(parts),
            (Operator::Implies, [premise, conclusion]) => {
                store.or(&[premise.complement(), *conclusion])
            }
            (Operator::Equal, [left, right]) => equivalence(store, *left, *right),
            (Operator::Xor, [left, right]) => {
                equivalence(store, *left, *right).map(Formula::complement)
            }
            (Operator::Ite, [condition, then, otherwise]) => {
                store.choice(*condition, *then, *otherwise)
            }
            (Operator::Distinct, _) => {
                let mut pairs = Vec::new();
                for (index, left) in parts.iter().enumerate() {
                    for right in &parts[index + 1..] {
                        pairs.push(equivalence(store, *left, *right)?.complement());
                    }
                }
                store.and(&pairs)
            }
            // Terms are well-sorted: what is left of the operators with truth values is the conjunction.
            _ => store.and(parts),
        }
    }

    /// Equality, or pairwise difference, of numbers.
    fn equality(
        &mut self,
        operator: Operator,
        arguments: &[Term],
    ) -> Result<Formula, NotExpressible> {
        let mut pairs = Vec::new();
        for (index, left) in arguments.iter().enumerate() {
            for right in &arguments[index + 1..] {
                let equation = self.order(left, right, AtomRelation::Equal)?;
                pairs.push(match operator {
                    Operator::Distinct => equation.complement(),
                    _ => equation,
                });
            }
        }
        Ok(self.formulas.and(&pairs)?)
    }

    /// `left RELATION right`
    fn order(
        &mut self,
        left: &Term,
        right: &Term,
        relation: AtomRelation,
    ) -> Result<Formula, NotExpressible> {
        let one = BigRational::one();
        let difference = self.combine(&[(left, one.clone()), (right, -one)])?.0;
        Ok(self.compare(&difference, relation)?)
    }

    /// The comparison with zero, in each case.
    fn compare(&mut self, number: &Numeric, relation: AtomRelation) -> Result<Formula, TooLarge> {
        match number {
            Numeric::Linear(linear) => self.formulas.compare(linear, relation),
            Numeric::Choice(condition, then, otherwise) => {
                let then = self.compare(then, relation)?;
                let otherwise = self.compare(otherwise, relation)?;
                self.formulas.choice(*condition, then, otherwise)
            }
        }
    }

    /// A real is an integer when it equals its integer part.
    fn is_integer(&mut self, argument: &Term) -> Result<Formula, NotExpressible> {
        let number = self.numeric(argument)?.0;
        let fraction = self.remainder(&number, &BigInt::one())?;
        Ok(self.compare(&fraction, AtomRelation::Equal)?)
    }

    /// A numeric term, and the number of its cases.
    fn numeric(&mut self, term: &Term) -> Result<(Rc<Numeric>, usize), NotExpressible> {
        if let Some(known) = self.known_numbers.get(term) {
            return Ok(known.clone());
        }
        let number = match term.kind() {
            Kind::Constant(value) => {
                let value = value.to_rational().unwrap_or_default();
                self.formulas.work().number(&value)?;
                (Rc::new(Numeric::Linear(Linear::constant(value))), 1)
            }
            Kind::Symbol(symbol) => {
                let variable = self.formulas.symbol(symbol);
                (Rc::new(Numeric::Linear(Linear::variable(variable))), 1)
            }
            Kind::Apply(operator, arguments) => self.operation(*operator, arguments)?,
        };
        if number.1 > MAXIMAL_CASES {
            return Err(NotExpressible::TooManyCases);
        }
        self.known_numbers.insert(term, number.clone());
        Ok(number)
    }

    fn operation(
        &mut self,
        operator: Operator,
        arguments: &[Term],
    ) -> Result<(Rc<Numeric>, usize), NotExpressible> {
        self.charge_arguments(arguments)?;
        let one = BigRational::one();
        match operator {
            Operator::Subtract => {
                self.combine(&[(&arguments[0], one.clone()), (&arguments[1], -one)])
            }
            Operator::Negate => self.combine(&[(&arguments[0], -one)]),
            Operator::ToReal => self.numeric(&arguments[0]),
            Operator::Multiply => self.product(arguments),
            Operator::Divide => {
                let divisor = self.constant(&arguments[1])?;
                self.combine(&[(&arguments[0], divisor.recip())])
            }
            Operator::IntegerDivide => {
                let divisor = self.constant(&arguments[1])?.to_integer();
                let (dividend, cases) = self.numeric(&arguments[0])?;
                Ok((self.divide(&dividend, &divisor)?, cases))
            }
            Operator::Modulo => {
                let divisor = self.constant(&arguments[1])?;
                let (dividend, cases) = self.numeric(&arguments[0])?;
                Ok((self.remainder(&dividend, &divisor.to_integer())?, cases))
            }
            Operator::ToInt => {
                let (number, cases) = self.numeric(&arguments[0])?;
                Ok((self.divide(&number, &BigInt::one())?, cases))
            }
            Operator::Absolute => {
                let (number, cases) = self.numeric(&arguments[0])?;
                let negative = self.sum(&[(number.clone(), -one)], cases)?.0;
                // 0 <= number, which is -number <= 0
                let condition = self.compare(&negative, AtomRelation::LessOrEqual)?;
                Ok((
                    Rc::new(Numeric::Choice(condition, number, negative)),
                    2 * cases,
                ))
            }
            Operator::Ite => {
                let condition = self.formula(&arguments[0])?;
                let (then, cases) = self.numeric(&arguments[1])?;
                let (otherwise, more) = self.numeric(&arguments[2])?;
                Ok((
                    Rc::new(Numeric::Choice(condition, then, otherwise)),
                    cases + more,
                ))
            }
            // Terms are well-sorted: what is left of the operators with numbers is the sum.
            _ => {
                let ones = arguments.iter().map(|argument| (argument, one.clone()));
                self.combine(&ones.collect::<Vec<_>>())
            }
        }
    }

    /// What it takes to list the arguments, before memory is used for them.
    fn charge_arguments(&mut self, arguments: &[Term]) -> Result<(), TooLarge> {
        let count = arguments.len() as u64;
        self.formulas.work().charge(4 * count)
    }

    /// The sum of terms with factors.
    fn combine(
        &mut self,
        summands: &[(&Term, BigRational)],
    ) -> Result<(Rc<Numeric>, usize), NotExpressible> {
        let mut numbers = Vec::with_capacity(summands.len());
        let mut cases: usize = 1;
        for (term, factor) in summands {
            let (number, own) = self.numeric(term)?;
            cases = cases.saturating_mul(own);
            numbers.push((number, factor.clone()));
        }
        self.sum(&numbers, cases)
    }

    /// A product: all factors but one are constants.
    fn product(&mut self, arguments: &[Term]) -> Result<(Rc<Numeric>, usize), NotExpressible> {
        let mut factor = BigRational::one();
        let mut rest = None;
        for argument in arguments {
            let (number, cases) = self.numeric(argument)?;
            match &*number {
                Numeric::Linear(linear) if linear.terms.is_empty() => {
                    factor *= &linear.constant;
                    self.formulas.work().number(&factor)?;
                }
                _ if rest.is_none() => rest = Some((number, cases)),
                _ => return Err(NotExpressible::NotLinear),
            }
        }
        match rest {
            Some((number, cases)) => self.sum(&[(number, factor)], cases),
            None => Ok((Rc::new(Numeric::Linear(Linear::constant(factor))), 1)),
        }
    }

    /// The value of a divisor: a constant that is not zero, as terms have no others.
    fn constant(&mut self, term: &Term) -> Result<BigRational, NotExpressible> {
        match &*self.numeric(term)?.0 {
            Numeric::Linear(linear) if linear.terms.is_empty() && !linear.constant.is_zero() => {
                Ok(linear.constant.clone())
            }
            _ => Err(NotExpressible::NotLinear),
        }
    }

    /// The integer part of the quotient, in each case.
    fn divide(
        &mut self,
        number: &Rc<Numeric>,
        divisor: &BigInt,
    ) -> Result<Rc<Numeric>, NotExpressible> {
        Ok(Rc::new(match &**number {
            Numeric::Linear(linear) => {
                Numeric::Linear(Linear::variable(self.integer_part(linear, divisor)?))
            }
            Numeric::Choice(condition, then, otherwise) => Numeric::Choice(
                *condition,
                self.divide(then, divisor)?,
                self.divide(otherwise, divisor)?,
            ),
        }))
    }

    /// What the integer part of the quotient leaves over, in each case.
    fn remainder(
        &mut self,
        number: &Rc<Numeric>,
        divisor: &BigInt,
    ) -> Result<Rc<Numeric>, NotExpressible> {
        Ok(Rc::new(match &**number {
            Numeric::Linear(linear) => {
                let part = self.integer_part(linear, divisor)?;
                let mut rest = linear.clone();
                let factor = BigRational::from_integer(-divisor);
                rest.add_scaled(&Linear::variable(part), &factor, self.formulas.work())?;
                Numeric::Linear(rest)
            }
            Numeric::Choice(condition, then, otherwise) => Numeric::Choice(
                *condition,
                self.remainder(then, divisor)?,
                self.remainder(otherwise, divisor)?,
            ),
        }))
    }

    fn integer_part(
        &mut self,
        dividend: &Linear,
        divisor: &BigInt,
    ) -> Result<Variable, NotExpressible> {
        self.formulas
            .work()
            .charge(1 + dividend.terms.len() as u64)?;
        Ok(self.formulas.integer_part(IntegerPart {
            dividend: dividend.clone(),
            divisor: divisor.clone(),
        }))
    }

    /// The sum of numbers with factors; with the number of its cases, which is at most the bound that is given.
    fn sum(
        &mut self,
        summands: &[(Rc<Numeric>, BigRational)],
        cases: usize,
    ) -> Result<(Rc<Numeric>, usize), NotExpressible> {
        if cases > MAXIMAL_CASES {
            return Err(NotExpressible::TooManyCases);
        }
        let work = self.formulas.work();
        let mut total = Linear::default();
        let mut choices = Vec::new();
        for (number, factor) in summands {
            match &**number {
                Numeric::Linear(linear) => total.add_scaled(linear, factor, work)?,
                Numeric::Choice(..) => choices.push((&**number, factor)),
            }
        }
        Ok((add_up(&total, &choices, work)?, cases))
    }
}

/// Both hold or none does.
fn equivalence(store: &mut Formulas, left: Formula, right: Formula) -> Result<Formula, TooLarge> {
    store.choice(left, right, right.complement())
}

/// Adds case distinctions with factors to an expression. Those of the first number are outermost. The recursion is as deep as there are
/// cases at most.
fn add_up(
    total: &Linear,
    choices: &[(&Numeric, &BigRational)],
    work: &mut Work,
) -> Result<Rc<Numeric>, TooLarge> {
    let Some((first, rest)) = choices.split_first() else {
        work.charge(1 + total.terms.len() as u64)?;
        return Ok(Rc::new(Numeric::Linear(total.clone())));
    };
    add_cases(total, *first, rest, work)
}

fn add_cases(
    total: &Linear,
    (number, factor): (&Numeric, &BigRational),
    rest: &[(&Numeric, &BigRational)],
    work: &mut Work,
) -> Result<Rc<Numeric>, TooLarge> {
    match number {
        Numeric::Linear(linear) => {
            work.charge(1 + total.terms.len() as u64)?;
            let mut total = total.clone();
            total.add_scaled(linear, factor, work)?;
            add_up(&total, rest, work)
        }
        Numeric::Choice(condition, then, otherwise) => Ok(Rc::new(Numeric::Choice(
            *condition,
            add_cases(total, (then, factor), rest, work)?,
            add_cases(total, (otherwise, factor), rest, work)?,
        ))),
    }
}

#[cfg(test)]
mod tests;
