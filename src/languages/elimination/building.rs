//! From terms to formulas: negations inwards, conditionals in arithmetic split into cases, `div` and `mod` of a variable to eliminate
//! replaced by a new variable for the quotient.

use super::atoms::{Comparison, Literal};
use super::formula::Formula;
use super::linear::Linear;
use super::{Bound, Budget, DEPTH, Eliminated, EliminationError};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashSet;
use slabcert_certificates::fresh::FreshNames;
use slabcert_certificates::term::{Kind, Operator, Sort, Symbol, Term, TermMap, Value};

/// A numeric term under conditions.
#[derive(Clone)]
struct Case {
    conditions: Vec<Formula>,
    value: Linear,
}

pub(super) struct Builder<'b> {
    variables: FxHashSet<Symbol>,
    mentions: TermMap<bool>,
    quotients: Vec<Bound>,
    /// Names that quotients cannot have.
    taken: FreshNames,
    budget: &'b mut Budget,
    depth: usize,
}

impl<'b> Builder<'b> {
    /// A builder for formulas of these conditions.
    pub fn new(variables: &[Bound], conditions: &[Term], budget: &'b mut Budget) -> Builder<'b> {
        let mut taken = FreshNames::default();
        for symbol in conditions.iter().flat_map(Term::symbols) {
            taken.reserve(symbol.name());
        }
        for bound in variables {
            taken.reserve(bound.symbol.name());
        }
        Builder {
            variables: variables.iter().map(|bound| bound.symbol.clone()).collect(),
            mentions: TermMap::default(),
            quotients: Vec::new(),
            taken,
            budget,
            depth: 0,
        }
    }

    /// The new variables, to be eliminated before the others.
    pub fn quotients(self) -> Vec<Bound> {
        self.quotients
    }

    /// Whether a term mentions a variable to eliminate.
    fn mentions(&mut self, term: &Term) -> bool {
        match term.kind() {
            Kind::Constant(_) => false,
            Kind::Symbol(symbol) => self.variables.contains(symbol),
            Kind::Apply(_, arguments) => {
                if let Some(known) = self.mentions.get(term) {
                    return *known;
                }
                let result = arguments.iter().any(|argument| self.mentions(argument));
                self.mentions.insert(term, result);
                result
            }
        }
    }

    /// The formula that a term (or its negation) means.
    pub fn formula(&mut self, term: &Term, positive: bool) -> Eliminated<Formula> {
        self.budget.charge(1)?;
        if self.depth >= DEPTH * 4 {
            return Err(EliminationError::TooLarge);
        }
        self.depth += 1;
        let result = self.formula_inner(term, positive);
        self.depth -= 1;
        result
    }

    fn formula_inner(&mut self, term: &Term, positive: bool) -> Eliminated<Formula> {
        if let Some(Value::Bool(truth)) = term.as_constant() {
            return Ok(Formula::Constant(*truth == positive));
        }
        let Some((operator, arguments)) = term.as_application().filter(|_| self.mentions(term))
        else {
            return Ok(Formula::Literal(Literal::Opaque(term.clone(), positive)));
        };
        match operator {
            Operator::Not => self.formula(&arguments[0], !positive),
            Operator::And => self.junction(arguments, positive, positive),
            Operator::Or => self.junction(arguments, !positive, positive),
            Operator::Implies => {
                let premise = self.formula(&arguments[0], !positive)?;
                let conclusion = self.formula(&arguments[1], positive)?;
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
                let then = self.formula(&arguments[0], true)?;
                let otherwise = self.formula(&arguments[0], false)?;
                let first = self.formula(&arguments[1], positive)?;
                let second = self.formula(&arguments[2], positive)?;
                Ok(Formula::or([
                    Formula::and([then, first]),
                    Formula::and([otherwise, second]),
                ]))
            }
            Operator::Distinct => self.distinct(arguments, positive),
            Operator::Equal => {
                self.comparison(Operator::Equal, &arguments[0], &arguments[1], positive)
            }
            Operator::LessOrEqual
            | Operator::Less
            | Operator::GreaterOrEqual
            | Operator::Greater => {
                self.comparison(operator, &arguments[0], &arguments[1], positive)
            }
            _ => Err(unsupported(operator)),
        }
    }

    fn junction(
        &mut self,
        arguments: &[Term],
        conjunction: bool,
        positive: bool,
    ) -> Eliminated<Formula> {
        let mut parts = Vec::with_capacity(arguments.len());
        for argument in arguments {
            parts.push(self.formula(argument, positive)?);
        }
        Ok(if conjunction {
            Formula::and(parts)
        } else {
            Formula::or(parts)
        })
    }

    fn equivalence(&mut self, left: &Term, right: &Term, same: bool) -> Eliminated<Formula> {
        let first = Formula::and([self.formula(left, true)?, self.formula(right, same)?]);
        let second = Formula::and([self.formula(left, false)?, self.formula(right, !same)?]);
        Ok(Formula::or([first, second]))
    }

    fn distinct(&mut self, arguments: &[Term], positive: bool) -> Eliminated<Formula> {
        let mut parts = Vec::new();
        for (index, left) in arguments.iter().enumerate() {
            for right in &arguments[index + 1..] {
                parts.push(if left.sort() == Sort::Bool {
                    self.equivalence(left, right, !positive)?
                } else {
                    self.comparison(Operator::Equal, left, right, !positive)?
                });
            }
        }
        Ok(if positive {
            Formula::and(parts)
        } else {
            Formula::or(parts)
        })
    }

    /// A comparison of two numbers, or its negation.
    fn comparison(
        &mut self,
        operator: Operator,
        left: &Term,
        right: &Term,
        positive: bool,
    ) -> Eliminated<Formula> {
        let minus = -BigRational::one();
        // The difference that is compared with 0, and how.
        let (flipped, relation) = match (operator, positive) {
            (Operator::Equal, true) => (false, Comparison::Zero),
            (Operator::Equal, false) => (false, Comparison::NonZero),
            (Operator::LessOrEqual, true) => (false, Comparison::AtMostZero),
            (Operator::LessOrEqual, false) => (true, Comparison::Negative),
            (Operator::Less, true) => (false, Comparison::Negative),
            (Operator::Less, false) => (true, Comparison::AtMostZero),
            (Operator::GreaterOrEqual, true) => (true, Comparison::AtMostZero),
            (Operator::GreaterOrEqual, false) => (false, Comparison::Negative),
            (_, true) => (true, Comparison::Negative),
            (_, false) => (false, Comparison::AtMostZero),
        };
        let (left, right) = if flipped {
            (right, left)
        } else {
            (left, right)
        };
        let lefts = self.cases(left)?;
        let rights = self.cases(right)?;
        self.budget
            .charge(lefts.len().saturating_mul(rights.len()))?;
        let mut results = Vec::new();
        for left in &lefts {
            for right in &rights {
                let difference = left.value.clone().plus(&right.value, &minus);
                let conditions = left.conditions.iter().chain(&right.conditions).cloned();
                results.push(Formula::and(
                    conditions.chain([Literal::linear(relation, difference)]),
                ));
            }
        }
        Ok(Formula::or(results))
    }

    /// A numeric term as linear expressions under conditions that exclude one another.
    fn cases(&mut self, term: &Term) -> Eliminated<Vec<Case>> {
        self.budget.charge(1)?;
        if self.depth >= DEPTH * 4 {
            return Err(EliminationError::TooLarge);
        }
        self.depth += 1;
        let result = self.cases_inner(term);
        self.depth -= 1;
        result
    }

    fn cases_inner(&mut self, term: &Term) -> Eliminated<Vec<Case>> {
        let plain = |value| {
            let conditions = Vec::new();
            Ok(vec![Case { conditions, value }])
        };
        let (operator, arguments) = match term.kind() {
            Kind::Constant(value) => {
                return plain(Linear::constant(
                    value.to_rational().unwrap_or_else(BigRational::zero),
                ));
            }
            Kind::Symbol(_) => return plain(Linear::of(term.clone())),
            Kind::Apply(operator, arguments) => (*operator, arguments),
        };
        let minus = -BigRational::one();
        match operator {
            Operator::Add => self.sum(
                arguments
                    .iter()
                    .map(|argument| (argument, BigRational::one())),
            ),
            Operator::Subtract => {
                self.sum([(&arguments[0], BigRational::one()), (&arguments[1], minus)])
            }
            Operator::Negate => self.sum([(&arguments[0], minus)]),
            Operator::ToReal => self.cases(&arguments[0]),
            Operator::Multiply | Operator::Divide if arguments.len() == 2 => {
                let numbers = [&arguments[0], &arguments[1]]
                    .map(|term| term.as_constant().and_then(Value::to_rational));
                match (operator, numbers) {
                    (Operator::Multiply, [Some(factor), _]) => self.sum([(&arguments[1], factor)]),
                    (Operator::Multiply, [None, Some(factor)]) => {
                        self.sum([(&arguments[0], factor)])
                    }
                    (Operator::Divide, [_, Some(divisor)]) if !divisor.is_zero() => {
                        self.sum([(&arguments[0], divisor.recip())])
                    }
                    _ => self.opaque(term, operator),
                }
            }
            Operator::Ite if self.mentions(term) => self.conditional(arguments),
            Operator::IntegerDivide | Operator::Modulo if self.mentions(term) => {
                self.division(operator, arguments)
            }
            _ => self.opaque(term, operator),
        }
    }

    /// A term that counts as a symbol: it mentions no variable to eliminate.
    fn opaque(&mut self, term: &Term, operator: Operator) -> Eliminated<Vec<Case>> {
        if self.mentions(term) {
            return Err(unsupported(operator));
        }
        Ok(vec![Case {
            conditions: Vec::new(),
            value: Linear::of(term.clone()),
        }])
    }

    /// A sum of terms with factors: the product of their cases.
    fn sum<'t>(
        &mut self,
        summands: impl IntoIterator<Item = (&'t Term, BigRational)>,
    ) -> Eliminated<Vec<Case>> {
        let mut results = vec![Case {
            conditions: Vec::new(),
            value: Linear::constant(BigRational::zero()),
        }];
        for (term, factor) in summands {
            let cases = self.cases(term)?;
            self.budget
                .charge(results.len().saturating_mul(cases.len()))?;
            let mut longer = Vec::new();
            for result in &results {
                for case in &cases {
                    longer.push(Case {
                        conditions: result
                            .conditions
                            .iter()
                            .chain(&case.conditions)
                            .cloned()
                            .collect(),
                        value: result.value.clone().plus(&case.value, &factor),
                    });
                }
            }
            results = longer;
        }
        Ok(results)
    }

    fn conditional(&mut self, arguments: &[Term]) -> Eliminated<Vec<Case>> {
        let mut results = Vec::new();
        for (truth, branch) in [(true, &arguments[1]), (false, &arguments[2])] {
            let condition = self.formula(&arguments[0], truth)?;
            for mut case in self.cases(branch)? {
                case.conditions.push(condition.clone());
                results.push(case);
            }
        }
        Ok(results)
    }

    /// `t div k` is a new variable q with k q <= t < k q + |k|; `t mod k` is t - k q.
    fn division(&mut self, operator: Operator, arguments: &[Term]) -> Eliminated<Vec<Case>> {
        let divisor = match arguments[1].as_constant() {
            Some(Value::Int(divisor)) if !divisor.is_zero() => {
                BigRational::from_integer(divisor.clone())
            }
            _ => return Err(unsupported(operator)),
        };
        let mut results = Vec::new();
        for mut case in self.cases(&arguments[0])? {
            let symbol = Symbol::new(self.taken.give("quotient"), Sort::Int);
            self.quotients.push(Bound {
                symbol: symbol.clone(),
                range: None,
            });
            let quotient = Linear::of(Term::symbol(symbol));
            let remainder = case.value.clone().plus(&quotient, &-divisor.clone());
            let mut above = remainder.clone();
            above.constant -= divisor.abs() - BigRational::from_integer(BigInt::one());
            let not_negative = remainder.clone().times(&-BigRational::one());
            case.conditions
                .push(Literal::linear(Comparison::AtMostZero, not_negative));
            case.conditions
                .push(Literal::linear(Comparison::AtMostZero, above));
            case.value = if operator == Operator::IntegerDivide {
                quotient
            } else {
                remainder
            };
            results.push(case);
        }
        Ok(results)
    }
}

fn unsupported(operator: Operator) -> EliminationError {
    EliminationError::Unsupported(format!("a choice occurs within `{}`", operator.name()))
}
