//! From terms to formulas in negation normal form over linear atoms.
//!
//! Everything in the term language is covered but products of variables. Numeric case distinctions become guarded cases, quotients
//! and large case distinctions auxiliary variables of the [`VariableTable`]. Terms that do not matter to who asks can be kept as they
//! are ([`Translator::keeping_terms_without`]). Sizes are bounded: a term shares its parts, a formula in negation normal form repeats
//! them.

use super::formula::Formula;
use super::linear::{LinearExpression, Relation, Variable};
use super::number::Rational;
use super::table::VariableTable;
use num_traits::Signed;
use rustc_hash::{FxHashMap, FxHashSet};
use slabcert_certificates::term::{Kind as TermKind, Operator, Sort, Symbol, Term, TermMap, Value};

/// Why a term has no formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TranslationError {
    /// A product of terms that are not constant.
    #[error("`{0}` is not linear")]
    NotLinear(Term),
    /// The formula would be larger than the limit, in nodes as a tree.
    #[error("the formula would have more than {0} nodes")]
    TooLarge(usize),
    /// The term nests too deeply, not counting conjunctions within conjunctions and disjunctions within disjunctions.
    #[error("the term nests more than {MAXIMAL_NESTING} levels deep")]
    TooDeep,
}

/// How deeply terms may nest: everything that is done with formulas recurses to their depth.
const MAXIMAL_NESTING: usize = 1_000;

/// The most guarded cases of one numeric term; beyond, a variable takes the place of the case distinction.
const MOST_CASES: usize = 6;

/// The same where most terms are kept: a case distinction that is not is there to be taken apart.
const MOST_CASES_AMONG_KEPT: usize = 1_024;

/// A numeric term as exclusive and exhaustive cases.
type Cases = Vec<(Formula, LinearExpression)>;

/// Translates terms, with a memory for shared parts.
pub struct Translator<'a> {
    table: &'a mut VariableTable,
    limit: usize,
    formulas: FxHashMap<(usize, bool), (Term, Formula, usize)>,
    cases: FxHashMap<usize, (Term, Cases)>,
    nesting: usize,
    most_cases: usize,
    /// The symbols that matter, if only some do, and the terms that mention some of them or none.
    matters: Option<FxHashSet<Symbol>>,
    mentions: TermMap<bool>,
}

impl<'a> Translator<'a> {
    /// A translator whose formulas have at most `limit` nodes as trees.
    pub fn new(table: &'a mut VariableTable, limit: usize) -> Translator<'a> {
        Translator {
            table,
            limit,
            formulas: FxHashMap::default(),
            cases: FxHashMap::default(),
            nesting: 0,
            most_cases: MOST_CASES,
            matters: None,
            mentions: TermMap::default(),
        }
    }

    /// Has formulas that mention none of the symbols stand for themselves, and numbers too where they are no sums: each is a
    /// variable of the table.
    #[must_use]
    pub fn keeping_terms_without(self, symbols: FxHashSet<Symbol>) -> Translator<'a> {
        Translator {
            most_cases: MOST_CASES_AMONG_KEPT,
            matters: Some(symbols),
            ..self
        }
    }

    fn is_kept(&mut self, term: &Term) -> bool {
        fn mentions(term: &Term, symbols: &FxHashSet<Symbol>, known: &mut TermMap<bool>) -> bool {
            match term.kind() {
                TermKind::Constant(_) => false,
                TermKind::Symbol(symbol) => symbols.contains(symbol),
                TermKind::Apply(_, arguments) => {
                    if let Some(known) = known.get(term) {
                        return *known;
                    }
                    let result = arguments
                        .iter()
                        .any(|argument| mentions(argument, symbols, known));
                    known.insert(term, result);
                    result
                }
            }
        }
        match &self.matters {
            Some(symbols) => !mentions(term, symbols, &mut self.mentions),
            None => false,
        }
    }

    /// The formula of a term of sort Bool. Auxiliary variables may occur in it; [`VariableTable::definitions`] says what goes with it.
    ///
    /// # Errors
    /// When the term is not linear, or the formula would be too large.
    pub fn formula(&mut self, term: &Term) -> Result<Formula, TranslationError> {
        self.signed(term, true)
    }

    /// The expression of a numeric term, if it needs no case distinction.
    ///
    /// # Errors
    /// When the term is not linear, or too large.
    pub fn expression(
        &mut self,
        term: &Term,
    ) -> Result<Option<LinearExpression>, TranslationError> {
        let mut cases = self.numeric(term)?;
        Ok(match cases.len() {
            1 => cases.pop().map(|(_, expression)| expression),
            _ => None,
        })
    }

    fn nested<T>(
        &mut self,
        body: impl FnOnce(&mut Self) -> Result<T, TranslationError>,
    ) -> Result<T, TranslationError> {
        if self.nesting >= MAXIMAL_NESTING {
            return Err(TranslationError::TooDeep);
        }
        self.nesting += 1;
        let result = body(self);
        self.nesting -= 1;
        result
    }

    fn signed(&mut self, term: &Term, positive: bool) -> Result<Formula, TranslationError> {
        let key = (term.address(), positive);
        if let Some((_, formula, _)) = self.formulas.get(&key) {
            return Ok(formula.clone());
        }
        let formula = self.nested(|translator| translator.connective(term, positive))?;
        let size = formula.size();
        if size > self.limit {
            return Err(TranslationError::TooLarge(self.limit));
        }
        self.formulas
            .insert(key, (term.clone(), formula.clone(), size));
        Ok(formula)
    }

    fn all(&mut self, terms: &[&Term], positive: bool) -> Result<Vec<Formula>, TranslationError> {
        let mut formulas = Vec::with_capacity(terms.len());
        let mut size = 0_usize;
        for term in terms {
            let formula = self.signed(term, positive)?;
            size = size.saturating_add(self.known_size(term, positive));
            if size > self.limit {
                return Err(TranslationError::TooLarge(self.limit));
            }
            formulas.push(formula);
        }
        Ok(formulas)
    }

    fn known_size(&self, term: &Term, positive: bool) -> usize {
        self.formulas
            .get(&(term.address(), positive))
            .map_or(1, |(_, _, size)| *size)
    }

    fn connective(&mut self, term: &Term, positive: bool) -> Result<Formula, TranslationError> {
        let (operator, arguments) = match term.kind() {
            TermKind::Constant(value) => {
                return Ok(Formula::constant(*value == Value::Bool(positive)));
            }
            TermKind::Apply(operator, arguments) if !self.is_kept(term) => {
                (*operator, arguments.as_slice())
            }
            TermKind::Symbol(_) | TermKind::Apply(..) => {
                return Ok(Formula::literal(self.table.variable(term), positive));
            }
        };
        match operator {
            Operator::Not => self.signed(&arguments[0], !positive),
            Operator::And | Operator::Or => {
                let members = self.all(&flattened(operator, arguments), positive)?;
                Ok(if (operator == Operator::And) == positive {
                    Formula::and(members)
                } else {
                    Formula::or(members)
                })
            }
            Operator::Implies => {
                let premise = self.signed(&arguments[0], !positive)?;
                let conclusion = self.signed(&arguments[1], positive)?;
                Ok(if positive {
                    Formula::or([premise, conclusion])
                } else {
                    Formula::and([premise, conclusion])
                })
            }
            Operator::Xor => self.equivalence(&arguments[0], &arguments[1], !positive),
            Operator::Equal if arguments[0].sort() == Sort::Bool => {
                self.equivalence(&arguments[0], &arguments[1], positive)
            }
            Operator::Ite => {
                let condition = self.signed(&arguments[0], true)?;
                let otherwise = self.signed(&arguments[0], false)?;
                let first = self.signed(&arguments[1], positive)?;
                let second = self.signed(&arguments[2], positive)?;
                self.choice(condition, first, otherwise, second)
            }
            Operator::Distinct => self.distinct(arguments, positive),
            _ => self.atom(operator, arguments, positive),
        }
    }

    /// `(condition ∧ first) ∨ (otherwise ∧ second)`, where exactly one of the conditions holds.
    fn choice(
        &self,
        condition: Formula,
        first: Formula,
        otherwise: Formula,
        second: Formula,
    ) -> Result<Formula, TranslationError> {
        let size = [&condition, &first, &otherwise, &second]
            .into_iter()
            .fold(0_usize, |sum, formula| sum.saturating_add(formula.size()));
        if size > self.limit {
            return Err(TranslationError::TooLarge(self.limit));
        }
        Ok(Formula::or([
            Formula::and([condition, first]),
            Formula::and([otherwise, second]),
        ]))
    }

    fn equivalence(
        &mut self,
        left: &Term,
        right: &Term,
        positive: bool,
    ) -> Result<Formula, TranslationError> {
        let condition = self.signed(left, true)?;
        let otherwise = self.signed(left, false)?;
        let first = self.signed(right, positive)?;
        let second = self.signed(right, !positive)?;
        self.choice(condition, first, otherwise, second)
    }

    fn distinct(
        &mut self,
        arguments: &[Term],
        positive: bool,
    ) -> Result<Formula, TranslationError> {
        let mut pairs = Vec::new();
        for (index, left) in arguments.iter().enumerate() {
            for right in &arguments[index + 1..] {
                pairs.push(if left.sort() == Sort::Bool {
                    self.equivalence(left, right, !positive)?
                } else {
                    let pair = [left.clone(), right.clone()];
                    self.atom(Operator::Equal, &pair, !positive)?
                });
            }
        }
        Ok(if positive {
            Formula::and(pairs)
        } else {
            Formula::or(pairs)
        })
    }

    fn atom(
        &mut self,
        operator: Operator,
        arguments: &[Term],
        positive: bool,
    ) -> Result<Formula, TranslationError> {
        let (left, right, relation) = match operator {
            Operator::LessOrEqual => (&arguments[0], &arguments[1], Relation::LessOrEqual),
            Operator::Less => (&arguments[0], &arguments[1], Relation::Less),
            Operator::GreaterOrEqual => (&arguments[1], &arguments[0], Relation::LessOrEqual),
            Operator::Greater => (&arguments[1], &arguments[0], Relation::Less),
            Operator::IsInt => return self.is_integer(&arguments[0], positive),
            _ => (&arguments[0], &arguments[1], Relation::Equal),
        };
        let difference = self.combine(
            &[left.clone(), right.clone()],
            &[Rational::ONE, Rational::MINUS_ONE],
        )?;
        let mut members = Vec::with_capacity(difference.len());
        for (guard, expression) in difference {
            let atom = Formula::compare(expression, relation, &*self.table);
            let atom = if positive { atom } else { atom.negate() };
            members.push(Formula::and([guard, atom]));
        }
        Ok(Formula::or(members))
    }

    fn is_integer(&mut self, term: &Term, positive: bool) -> Result<Formula, TranslationError> {
        // A real is an integer when it equals its floor.
        let floor = Term::apply(Operator::ToInt, vec![term.clone()])
            .map(Term::to_real)
            .map_err(|_| TranslationError::NotLinear(term.clone()))?;
        self.atom(Operator::Equal, &[term.clone(), floor], positive)
    }

    fn numeric(&mut self, term: &Term) -> Result<Cases, TranslationError> {
        let (operator, arguments) = match term.kind() {
            TermKind::Constant(value) => {
                let number = value.to_rational().map(Rational::from).unwrap_or_default();
                return Ok(single(LinearExpression::constant(number)));
            }
            TermKind::Symbol(_) => {
                let variable = self.table.variable(term);
                return Ok(single(LinearExpression::variable(variable)));
            }
            TermKind::Apply(operator, arguments) => (*operator, arguments.as_slice()),
        };
        if let Some((_, cases)) = self.cases.get(&term.address()) {
            return Ok(cases.clone());
        }
        let cases =
            match self.nested(|translator| translator.application(term, operator, arguments)) {
                Err(TranslationError::NotLinear(_)) if self.is_kept(term) => {
                    let variable = self.table.variable(term);
                    single(LinearExpression::variable(variable))
                }
                result => result?,
            };
        let sizes = cases
            .iter()
            .map(|(guard, sum)| guard.size().saturating_add(sum.terms().len()));
        if sizes.fold(0, usize::saturating_add) > self.limit {
            return Err(TranslationError::TooLarge(self.limit));
        }
        self.cases
            .insert(term.address(), (term.clone(), cases.clone()));
        Ok(cases)
    }

    fn application(
        &mut self,
        term: &Term,
        operator: Operator,
        arguments: &[Term],
    ) -> Result<Cases, TranslationError> {
        match operator {
            Operator::Ite
            | Operator::Absolute
            | Operator::IntegerDivide
            | Operator::Modulo
            | Operator::ToInt
                if self.is_kept(term) =>
            {
                Err(TranslationError::NotLinear(term.clone()))
            }
            Operator::Add => {
                let ones = vec![Rational::ONE; arguments.len()];
                self.combine(arguments, &ones)
            }
            Operator::Subtract => self.combine(arguments, &[Rational::ONE, Rational::MINUS_ONE]),
            Operator::Negate => self.combine(arguments, &[Rational::MINUS_ONE]),
            Operator::ToReal => self.numeric(&arguments[0]),
            Operator::Multiply => self.product(term, arguments),
            Operator::Divide => {
                let divisor = self.constant_value(&arguments[1]);
                match divisor.and_then(|divisor| divisor.reciprocal()) {
                    Some(factor) => self.combine(&arguments[..1], &[factor]),
                    None => Err(TranslationError::NotLinear(term.clone())),
                }
            }
            Operator::Ite => self.case_distinction(term, arguments),
            Operator::Absolute => {
                let argument = &arguments[0];
                let zero = Term::int(0);
                let condition = zero.less_or_equal(argument.clone());
                let negative = Term::apply(Operator::Negate, vec![argument.clone()])
                    .map_err(|_| TranslationError::NotLinear(term.clone()))?;
                self.case_distinction(term, &[condition, argument.clone(), negative])
            }
            Operator::IntegerDivide => self
                .quotient(term, arguments)
                .map(|quotient| single(LinearExpression::variable(quotient))),
            Operator::Modulo => {
                let whole = Term::apply(Operator::IntegerDivide, arguments.to_vec())
                    .map_err(|_| TranslationError::NotLinear(term.clone()))?;
                let divisor = self
                    .constant_value(&arguments[1])
                    .ok_or_else(|| TranslationError::NotLinear(term.clone()))?;
                self.combine(&[arguments[0].clone(), whole], &[Rational::ONE, -&divisor])
            }
            Operator::ToInt => self
                .floor(term, &arguments[0])
                .map(|floor| single(LinearExpression::variable(floor))),
            _ => Err(TranslationError::NotLinear(term.clone())),
        }
    }

    fn constant_value(&mut self, term: &Term) -> Option<Rational> {
        match self.numeric(term).ok()?.as_slice() {
            [(_, expression)] if expression.is_constant() => {
                Some(expression.constant_part().clone())
            }
            _ => None,
        }
    }

    fn product(&mut self, term: &Term, arguments: &[Term]) -> Result<Cases, TranslationError> {
        let mut factor = Rational::ONE;
        let mut rest: Option<&Term> = None;
        for argument in arguments {
            match self.constant_value(argument) {
                Some(constant) => factor = &factor * &constant,
                None if rest.is_none() => rest = Some(argument),
                None => return Err(TranslationError::NotLinear(term.clone())),
            }
        }
        match rest {
            Some(argument) => self.combine(std::slice::from_ref(argument), &[factor]),
            None => Ok(single(LinearExpression::constant(factor))),
        }
    }

    /// The weighted sum of terms, with the product of their cases; terms with many cases are replaced by variables.
    fn combine(&mut self, terms: &[Term], factors: &[Rational]) -> Result<Cases, TranslationError> {
        let mut sum = single(LinearExpression::zero());
        for (term, factor) in terms.iter().zip(factors) {
            let mut cases = self.numeric(term)?;
            if cases.len() > 1 && sum.len() * cases.len() > self.most_cases {
                cases = single(LinearExpression::variable(self.named_cases(term, cases)));
            }
            let mut product = Vec::with_capacity(sum.len() * cases.len());
            for (guard, partial) in &sum {
                for (condition, expression) in &cases {
                    let both = Formula::and([guard.clone(), condition.clone()]);
                    let mut total = partial.clone();
                    total.add_scaled(expression, factor);
                    product.push((both, total));
                }
            }
            sum = product;
        }
        Ok(sum)
    }

    fn case_distinction(
        &mut self,
        term: &Term,
        arguments: &[Term],
    ) -> Result<Cases, TranslationError> {
        let condition = self.signed(&arguments[0], true)?;
        let otherwise = self.signed(&arguments[0], false)?;
        let mut cases = Vec::new();
        for (guard, branch) in [(condition, &arguments[1]), (otherwise, &arguments[2])] {
            for (inner, expression) in self.numeric(branch)? {
                cases.push((Formula::and([guard.clone(), inner]), expression));
            }
        }
        if cases.len() > self.most_cases {
            let variable = self.named_cases(term, cases);
            cases = single(LinearExpression::variable(variable));
        }
        Ok(cases)
    }

    /// A variable that is defined by cases.
    fn named_cases(&mut self, term: &Term, cases: Cases) -> Variable {
        let known = self.table.known(term);
        let variable = self.table.variable(term);
        if known.is_none() {
            let value = LinearExpression::variable(variable);
            let definitions = cases
                .into_iter()
                .map(|(guard, expression)| {
                    let equation = Formula::equal(&value, &expression, &*self.table);
                    Formula::or([guard.negate(), equation])
                })
                .collect();
            self.table.define(variable, definitions);
        }
        variable
    }

    /// The variable of `(div t k)`: `k*q <= t <= k*q + |k| - 1`.
    fn quotient(&mut self, term: &Term, arguments: &[Term]) -> Result<Variable, TranslationError> {
        if let Some(known) = self.table.known(term) {
            return Ok(known);
        }
        let not_linear = || TranslationError::NotLinear(term.clone());
        let divisor = match arguments[1].as_constant() {
            Some(Value::Int(divisor)) if divisor.is_positive() || divisor.is_negative() => {
                divisor.clone()
            }
            _ => return Err(not_linear()),
        };
        let cases = self.numeric(&arguments[0])?;
        let dividend = self.one_expression(&arguments[0], cases);
        let quotient = self.table.variable(term);
        let scaled = LinearExpression::variable(quotient).times(&Rational::from(divisor.clone()));
        let mut above = scaled.clone();
        above.add_constant(&Rational::from(divisor.abs() - 1));
        let definitions = vec![
            Formula::less_or_equal(&scaled, &dividend, &*self.table),
            Formula::less_or_equal(&dividend, &above, &*self.table),
        ];
        self.table.define(quotient, definitions);
        Ok(quotient)
    }

    /// The variable of `(to_int r)`: `f <= r < f + 1`.
    fn floor(&mut self, term: &Term, argument: &Term) -> Result<Variable, TranslationError> {
        if let Some(known) = self.table.known(term) {
            return Ok(known);
        }
        let cases = self.numeric(argument)?;
        let real = self.one_expression(argument, cases);
        let floor = self.table.variable(term);
        let below = LinearExpression::variable(floor);
        let mut above = below.clone();
        above.add_constant(&Rational::ONE);
        let definitions = vec![
            Formula::less_or_equal(&below, &real, &*self.table),
            Formula::less(&real, &above, &*self.table),
        ];
        self.table.define(floor, definitions);
        Ok(floor)
    }

    fn one_expression(&mut self, term: &Term, mut cases: Cases) -> LinearExpression {
        if cases.len() == 1
            && let Some((_, expression)) = cases.pop()
        {
            return expression;
        }
        LinearExpression::variable(self.named_cases(term, cases))
    }
}

/// The arguments of a conjunction, with those of conjunctions among them, in order; likewise of a disjunction.
fn flattened(operator: Operator, arguments: &[Term]) -> Vec<&Term> {
    let mut open: Vec<&Term> = arguments.iter().rev().collect();
    let mut parts = Vec::with_capacity(arguments.len());
    while let Some(part) = open.pop() {
        match part.as_application() {
            Some((inner, arguments)) if inner == operator => open.extend(arguments.iter().rev()),
            _ => parts.push(part),
        }
    }
    parts
}

fn single(expression: LinearExpression) -> Cases {
    vec![(Formula::True, expression)]
}

#[cfg(test)]
mod tests;
