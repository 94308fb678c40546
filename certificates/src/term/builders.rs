//! Building terms. [`Term::apply`] checks everything and is what readers use; the named builders simplify the obvious cases and are
//! for code that knows the sorts of what it combines.

use super::{Kind, MAXIMAL_DEPTH, Operator, Sort, Symbol, Term, TermError, Value};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;
use rustc_hash::FxHashSet;

/// The arguments an operator takes, for error messages.
fn arity(operator: Operator) -> (usize, usize, &'static str) {
    match operator {
        Operator::Not
        | Operator::Negate
        | Operator::Absolute
        | Operator::ToReal
        | Operator::ToInt
        | Operator::IsInt => (1, 1, "1"),
        Operator::Ite => (3, 3, "3"),
        Operator::And | Operator::Or => (0, usize::MAX, "any number of"),
        Operator::Add | Operator::Multiply => (1, usize::MAX, "1 or more"),
        Operator::Distinct => (2, usize::MAX, "2 or more"),
        Operator::Implies
        | Operator::Xor
        | Operator::Equal
        | Operator::Subtract
        | Operator::Divide
        | Operator::IntegerDivide
        | Operator::Modulo
        | Operator::LessOrEqual
        | Operator::Less
        | Operator::GreaterOrEqual
        | Operator::Greater => (2, 2, "2"),
    }
}

fn expect(
    operator: Operator,
    arguments: &[Term],
    wanted: impl Fn(Sort) -> bool,
    words: &str,
) -> Result<(), TermError> {
    for (index, argument) in arguments.iter().enumerate() {
        if !wanted(argument.sort()) {
            return Err(TermError::ArgumentSort {
                operator: operator.name(),
                position: index + 1,
                expected: words.to_owned(),
                found: argument.sort(),
            });
        }
    }
    Ok(())
}

/// All arguments have the sort of the first one, which must be acceptable.
fn expect_same(
    operator: Operator,
    arguments: &[Term],
    wanted: impl Fn(Sort) -> bool,
    words: &str,
) -> Result<Sort, TermError> {
    let Some(first) = arguments.first() else {
        return Ok(Sort::Bool);
    };
    expect(operator, &arguments[..1], wanted, words)?;
    let sort = first.sort();
    expect(
        operator,
        arguments,
        |other| other == sort,
        &sort.to_string(),
    )?;
    Ok(sort)
}

fn check_divisor(operator: Operator, divisor: &Term) -> Result<(), TermError> {
    match divisor.as_constant().and_then(Value::to_rational) {
        Some(number) if !number.is_zero() => Ok(()),
        _ => Err(TermError::Divisor {
            operator: operator.name(),
        }),
    }
}

fn result_sort(operator: Operator, arguments: &[Term]) -> Result<Sort, TermError> {
    let is_bool = |sort| sort == Sort::Bool;
    let is_int = |sort| sort == Sort::Int;
    let is_real = |sort| sort == Sort::Real;
    match operator {
        Operator::Not | Operator::And | Operator::Or | Operator::Implies | Operator::Xor => {
            expect(operator, arguments, is_bool, "Bool")?;
            Ok(Sort::Bool)
        }
        Operator::Ite => {
            expect(operator, &arguments[..1], is_bool, "Bool")?;
            if arguments[1].sort() != arguments[2].sort() {
                return Err(TermError::ArgumentSort {
                    operator: operator.name(),
                    position: 3,
                    expected: arguments[1].sort().to_string(),
                    found: arguments[2].sort(),
                });
            }
            Ok(arguments[1].sort())
        }
        Operator::Equal | Operator::Distinct => {
            expect_same(operator, arguments, |_| true, "any sort")?;
            Ok(Sort::Bool)
        }
        Operator::Add | Operator::Subtract | Operator::Negate | Operator::Multiply => {
            expect_same(operator, arguments, Sort::is_numeric, "Int or Real")
        }
        Operator::Divide => {
            expect(operator, arguments, is_real, "Real")?;
            check_divisor(operator, &arguments[1])?;
            Ok(Sort::Real)
        }
        Operator::IntegerDivide | Operator::Modulo => {
            expect(operator, arguments, is_int, "Int")?;
            check_divisor(operator, &arguments[1])?;
            Ok(Sort::Int)
        }
        Operator::Absolute => {
            expect(operator, arguments, is_int, "Int")?;
            Ok(Sort::Int)
        }
        Operator::LessOrEqual | Operator::Less | Operator::GreaterOrEqual | Operator::Greater => {
            expect_same(operator, arguments, Sort::is_numeric, "Int or Real")?;
            Ok(Sort::Bool)
        }
        Operator::ToReal => {
            expect(operator, arguments, is_int, "Int")?;
            Ok(Sort::Real)
        }
        Operator::ToInt => {
            expect(operator, arguments, is_real, "Real")?;
            Ok(Sort::Int)
        }
        Operator::IsInt => {
            expect(operator, arguments, is_real, "Real")?;
            Ok(Sort::Bool)
        }
    }
}

impl Term {
    /// Applies an operator, checking everything.
    ///
    /// # Errors
    /// When number or sorts of the arguments do not fit, a divisor is not a constant other than zero, or the term would nest more
    /// than [`MAXIMAL_DEPTH`] levels deep.
    pub fn apply(operator: Operator, arguments: Vec<Term>) -> Result<Term, TermError> {
        let (least, most, words) = arity(operator);
        if arguments.len() < least || arguments.len() > most {
            return Err(TermError::ArgumentCount {
                operator: operator.name(),
                expected: words,
                found: arguments.len(),
            });
        }
        let sort = result_sort(operator, &arguments)?;
        if arguments.iter().any(|term| term.depth() >= MAXIMAL_DEPTH) {
            return Err(TermError::TooDeep);
        }
        Ok(Term::make(Kind::Apply(operator, arguments), sort))
    }

    /// An application with other arguments of the same sorts, without simplifying; the node itself if they are its own.
    pub(crate) fn with_arguments(&self, operator: Operator, arguments: Vec<Term>) -> Term {
        let own = self.as_application().map_or(&[][..], |(_, own)| own);
        let mut pairs = arguments.iter().zip(own);
        if pairs.all(|(new, old)| new.address() == old.address()) {
            return self.clone();
        }
        Term::make(Kind::Apply(operator, arguments), self.sort())
    }

    /// The constant `true` or `false`.
    pub fn bool(truth: bool) -> Term {
        Term::constant(Value::Bool(truth))
    }

    /// An integer constant.
    pub fn int(number: impl Into<BigInt>) -> Term {
        Term::constant(Value::Int(number.into()))
    }

    /// A real constant.
    pub fn real(number: BigRational) -> Term {
        Term::constant(Value::Real(number))
    }

    /// A free symbol by name and sort.
    pub fn named(name: &str, sort: Sort) -> Term {
        Term::symbol(Symbol::new(name, sort))
    }

    fn bool_application(operator: Operator, arguments: Vec<Term>) -> Term {
        debug_assert!(
            result_sort(operator, &arguments).is_ok(),
            "ill-sorted {operator:?}"
        );
        Term::make(Kind::Apply(operator, arguments), Sort::Bool)
    }

    /// Negation; constants and double negations are simplified. The argument has sort Bool.
    #[expect(
        clippy::should_implement_trait,
        reason = "a builder like the others, found without importing a trait"
    )]
    pub fn not(self) -> Term {
        match self.kind() {
            Kind::Constant(Value::Bool(truth)) => Term::bool(!truth),
            Kind::Apply(Operator::Not, arguments) => arguments[0].clone(),
            _ => Term::bool_application(Operator::Not, vec![self]),
        }
    }

    /// Conjunction; nested conjunctions are flattened, `true` is left out, one `false` is all. The arguments have sort Bool.
    pub fn and(conjuncts: impl IntoIterator<Item = Term>) -> Term {
        let mut kept = Vec::new();
        for conjunct in conjuncts {
            if conjunct.is_false() {
                return conjunct;
            }
            match conjunct.kind() {
                Kind::Apply(Operator::And, inner) => kept.extend(inner.iter().cloned()),
                _ if conjunct.is_true() => {}
                _ => kept.push(conjunct),
            }
        }
        match kept.len() {
            0 => Term::bool(true),
            1 => kept.remove(0),
            _ => Term::bool_application(Operator::And, kept),
        }
    }

    /// Disjunction; nested disjunctions are flattened, `false` is left out, one `true` is all. The arguments have sort Bool.
    pub fn or(disjuncts: impl IntoIterator<Item = Term>) -> Term {
        let mut kept = Vec::new();
        for disjunct in disjuncts {
            if disjunct.is_true() {
                return disjunct;
            }
            match disjunct.kind() {
                Kind::Apply(Operator::Or, inner) => kept.extend(inner.iter().cloned()),
                _ if disjunct.is_false() => {}
                _ => kept.push(disjunct),
            }
        }
        match kept.len() {
            0 => Term::bool(false),
            1 => kept.remove(0),
            _ => Term::bool_application(Operator::Or, kept),
        }
    }

    /// Implication; simplified when one side is a constant. Both sides have sort Bool.
    pub fn implies(self, conclusion: Term) -> Term {
        if self.is_true() || conclusion.is_true() {
            conclusion
        } else if self.is_false() {
            Term::bool(true)
        } else if conclusion.is_false() {
            self.not()
        } else {
            Term::bool_application(Operator::Implies, vec![self, conclusion])
        }
    }

    /// Equality of two terms of one sort.
    pub fn equals(self, other: Term) -> Term {
        if self == other {
            return Term::bool(true);
        }
        Term::bool_application(Operator::Equal, vec![self, other])
    }

    /// `self <= other`, numbers of one sort.
    pub fn less_or_equal(self, other: Term) -> Term {
        Term::bool_application(Operator::LessOrEqual, vec![self, other])
    }

    /// Conditions that a whole number lies between two values, each of which it may have.
    pub fn between(&self, low: &BigInt, high: &BigInt) -> Vec<Term> {
        let [least, greatest] = [low, high].map(|end| Term::int(end.clone()));
        if low == high {
            return vec![self.clone().equals(least)];
        }
        vec![
            least.less_or_equal(self.clone()),
            self.clone().less_or_equal(greatest),
        ]
    }

    /// `self < other`, numbers of one sort.
    pub fn less(self, other: Term) -> Term {
        Term::bool_application(Operator::Less, vec![self, other])
    }

    /// If-then-else; the branches have one sort.
    pub fn ite(self, then: Term, otherwise: Term) -> Term {
        if self.is_true() || then == otherwise {
            return then;
        }
        if self.is_false() {
            return otherwise;
        }
        let sort = then.sort();
        Term::make(
            Kind::Apply(Operator::Ite, vec![self, then, otherwise]),
            sort,
        )
    }

    /// The sum of numbers of one sort, which is needed for the empty sum.
    pub fn sum(summands: impl IntoIterator<Item = Term>, sort: Sort) -> Term {
        let mut summands: Vec<Term> = summands.into_iter().collect();
        match summands.len() {
            0 => Term::constant(Value::default_of(sort)),
            1 => summands.remove(0),
            _ => Term::make(Kind::Apply(Operator::Add, summands), sort),
        }
    }

    /// The difference of two numbers of one sort.
    pub fn minus(self, subtrahend: Term) -> Term {
        let sort = self.sort();
        Term::make(
            Kind::Apply(Operator::Subtract, vec![self, subtrahend]),
            sort,
        )
    }

    /// The integer as a real; constants are converted.
    pub fn to_real(self) -> Term {
        match self.kind() {
            Kind::Constant(Value::Int(number)) => {
                Term::real(BigRational::from_integer(number.clone()))
            }
            _ if self.sort() == Sort::Real => self,
            _ => Term::make(Kind::Apply(Operator::ToReal, vec![self]), Sort::Real),
        }
    }

    /// The conjuncts of a conjunction (nested ones too, in order, a shared conjunction once); the term itself otherwise, nothing
    /// for `true`.
    pub fn conjuncts(&self) -> Vec<Term> {
        let mut found = Vec::new();
        self.collect_conjuncts(&mut FxHashSet::default(), &mut found);
        found
    }

    fn collect_conjuncts(&self, seen: &mut FxHashSet<usize>, found: &mut Vec<Term>) {
        match self.kind() {
            Kind::Apply(Operator::And, arguments) => {
                if seen.insert(self.address()) {
                    for argument in arguments {
                        argument.collect_conjuncts(seen, found);
                    }
                }
            }
            _ if self.is_true() => {}
            _ => found.push(self.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn well_sorted_applications_are_built() {
        let x = Term::named("x", Sort::Int);
        let sum = Term::apply(Operator::Add, vec![x.clone(), Term::int(1)]).unwrap();
        assert_eq!(sum.sort(), Sort::Int);
        let less = Term::apply(Operator::Less, vec![x.clone(), sum]).unwrap();
        assert_eq!(less.sort(), Sort::Bool);
        assert_eq!(less.to_string(), "(< x (+ x 1))");
        assert!(Term::apply(Operator::Modulo, vec![x, Term::int(-3)]).is_ok());
    }

    #[test]
    fn ill_sorted_applications_are_refused() {
        let x = Term::named("x", Sort::Int);
        let r = Term::named("r", Sort::Real);
        for (operator, arguments) in [
            (Operator::Not, vec![x.clone()]),
            (Operator::Add, vec![x.clone(), r.clone()]),
            (Operator::Less, vec![Term::bool(true), Term::bool(false)]),
            (Operator::Equal, vec![x.clone(), r.clone()]),
            (Operator::Less, vec![x.clone()]),
            (Operator::Add, vec![]),
            (Operator::ToInt, vec![x.clone()]),
            (Operator::Ite, vec![Term::bool(true), x.clone(), r.clone()]),
        ] {
            assert!(
                Term::apply(operator, arguments.clone()).is_err(),
                "{operator:?} {arguments:?}"
            );
        }
    }

    #[test]
    fn divisors_must_be_constants_other_than_zero() {
        let x = Term::named("x", Sort::Int);
        for divisor in [Term::int(0), x.clone()] {
            assert!(matches!(
                Term::apply(Operator::IntegerDivide, vec![x.clone(), divisor]),
                Err(TermError::Divisor { .. })
            ));
        }
    }

    #[test]
    fn too_deep_terms_are_refused() {
        let mut term = Term::named("p", Sort::Bool);
        for _ in 0..MAXIMAL_DEPTH {
            term = Term::apply(Operator::Not, vec![term]).unwrap();
        }
        assert_eq!(
            Term::apply(Operator::Not, vec![term]),
            Err(TermError::TooDeep)
        );
    }

    #[test]
    fn connectives_simplify_constants_only() {
        let p = Term::named("p", Sort::Bool);
        assert_eq!(Term::and([p.clone(), Term::bool(true)]), p);
        assert!(Term::and([p.clone(), Term::bool(false)]).is_false());
        assert!(Term::or([p.clone(), Term::bool(true)]).is_true());
        assert_eq!(p.clone().not().not(), p);
        assert_eq!(Term::and([p.clone(), p.clone()]).conjuncts().len(), 2);
    }

    #[test]
    fn a_conjunction_of_shared_conjunctions_has_each_conjunct_once() {
        let mut term = Term::named("p", Sort::Bool);
        for _ in 0..200 {
            term = Term::apply(Operator::And, vec![term.clone(), term]).unwrap();
        }
        assert_eq!(term.conjuncts().len(), 2);
    }
}
