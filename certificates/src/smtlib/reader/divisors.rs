//! Divisors and multiples: `div`, `mod`, `/` and `(_ divisible n)`.
//!
//! Terms have constant divisors only. A divisor that is the value of a ground term counts as that constant, and in the body of a
//! function a parameter may be a divisor as long as it is a constant wherever the function is used: such a body is kept as text and
//! read anew with the arguments ([`TermReader::expand_text`]).

use super::{PARAMETER_MARK, apply_builtin};
use super::{TermReader, arguments_of, parameter_name, promote, read_integer, term_error};
use crate::smtlib::scope::Definition;
use crate::smtlib::{Atom, Position, ReadError, Sexpr, SexprKind};
use crate::term::{Operator, Sort, Symbol, Term, Value};
use crate::work::Work;
use num_bigint::BigInt;
use num_traits::Zero;

/// How deep bodies that are kept as text may use each other: each is read while the other is.
pub(super) const MAXIMAL_NESTED_BODIES: usize = 100;

/// How much work evaluating a divisor may take.
const GROUND: u64 = 100_000;

/// The value of a ground term, if it is cheap to compute.
fn ground_value(term: &Term) -> Option<Term> {
    if !term.symbols().is_empty() {
        return None;
    }
    let mut work = Work::new(GROUND);
    let value = term.evaluate_within(&|_: &Symbol| None::<Value>, &mut work);
    let value = value.ok().filter(|value| !value.has_too_many_digits());
    value.map(Term::constant)
}

impl TermReader<'_> {
    /// Lets parameters be divisors; [`TermReader::has_parameter_divisors`] says whether any was.
    pub(in crate::smtlib) fn allow_parameter_divisors(&mut self) {
        self.parameter_divisors = Some(false);
    }

    /// Whether a parameter was a divisor, so that what was read has another term in its place.
    pub(in crate::smtlib) fn has_parameter_divisors(&self) -> bool {
        self.parameter_divisors == Some(true)
    }

    /// The arguments of a function, its divisors as constants as far as they are.
    pub(super) fn with_constant_divisors(
        &mut self,
        name: &str,
        mut arguments: Vec<Term>,
        position: Position,
    ) -> Result<Vec<Term>, ReadError> {
        if !matches!(name, "div" | "mod" | "/") {
            return Ok(arguments);
        }
        for divisor in arguments.iter_mut().skip(1) {
            if divisor.as_constant().is_some() {
                continue;
            }
            // Divisors may share what they are made of.
            self.scope
                .spend(position, |work| work.charge(divisor.extent() as u64))?;
            if let Some(value) = ground_value(divisor) {
                *divisor = value;
                continue;
            }
            let is_parameter = |symbol: &Symbol| symbol.name().starts_with(PARAMETER_MARK);
            if self.parameter_divisors.is_some() && divisor.symbols().iter().any(is_parameter) {
                self.parameter_divisors = Some(true);
                *divisor = match divisor.sort() {
                    Sort::Int => Term::int(1),
                    Sort::Real => Term::int(1).to_real(),
                    Sort::Bool => continue,
                };
            }
        }
        Ok(arguments)
    }

    /// Reads the body of a function anew, its parameters bound to the arguments. This ends: a body mentions what was defined before
    /// it only, and all expansions together are bounded.
    pub(super) fn expand_text(
        &mut self,
        name: &str,
        (definition, text): (&Definition, &Sexpr),
        arguments: Vec<Term>,
        position: Position,
    ) -> Result<Term, ReadError> {
        if self.nested_bodies == MAXIMAL_NESTED_BODIES {
            return Err(ReadError::unsupported(
                position,
                format!(
                    "functions whose parameters are divisors use each other more than {MAXIMAL_NESTED_BODIES} levels deep"
                ),
            ));
        }
        let outer = std::mem::take(&mut self.locals);
        let annotations = self.annotations.take();
        self.nested_bodies += 1;
        let bound = arguments_of(name, definition, arguments, position).map(|bound| {
            for (parameter, argument) in bound {
                let stack = self.locals.entry(parameter_name(&parameter).to_owned());
                stack.or_default().push(argument);
            }
        });
        let read = bound.and_then(|()| self.read(text));
        self.nested_bodies -= 1;
        self.annotations = annotations;
        self.locals = outer;
        // What is wrong is wrong with these arguments: the body itself was read before.
        read.map(|term| promote(term, definition.body.sort()))
            .map_err(|error| ReadError { position, ..error })
    }

    /// Reads `((_ divisible n) term)`: the term is a multiple of the positive number.
    pub(super) fn read_indexed(
        &mut self,
        head: &Sexpr,
        arguments: &[Sexpr],
        position: Position,
    ) -> Result<Term, ReadError> {
        let divisor = match head.as_list() {
            Some([_, function, number]) if function.as_symbol() == Some("divisible") => {
                match &number.kind {
                    SexprKind::Atom(Atom::Numeral(digits)) => {
                        read_integer(digits, number.position)?
                    }
                    _ => BigInt::zero(),
                }
            }
            _ => {
                return Err(ReadError::unsupported(
                    head.position,
                    "indexed and qualified functions other than `divisible` are not supported",
                ));
            }
        };
        let [argument] = arguments else {
            return Err(ReadError::malformed(
                position,
                "`(_ divisible n)` takes 1 argument",
            ));
        };
        if divisor.is_zero() {
            return Err(ReadError::malformed(
                head.position,
                "expected `(_ divisible n)` with a positive numeral",
            ));
        }
        let dividend = self.read(argument)?;
        let remainder = apply_builtin("mod", vec![dividend, Term::int(divisor)], position)?;
        Term::apply(Operator::Equal, vec![remainder, Term::int(0)])
            .map_err(|error| term_error(error, position))
    }
}

#[cfg(test)]
mod repairs {
    use crate::smtlib::{FunctionDefinition, ReadError, Scope, TermReader, read_sexprs, read_sort};
    use crate::term::{Sort, Symbol, Term};

    /// Reads definitions and then a term over an integer `x` and a real `r`.
    fn read(text: &str) -> Result<Term, ReadError> {
        let mut scope = Scope::default();
        for (name, sort) in [("x", Sort::Int), ("r", Sort::Real)] {
            scope.declare(Symbol::new(name, sort), crate::smtlib::Position::default())?;
        }
        let mut expressions = read_sexprs(text)?;
        let term = expressions.pop().unwrap();
        for expression in &expressions {
            let elements = expression.as_list().unwrap();
            let mut definition =
                FunctionDefinition::of_command(elements, expression.position, &read_sort)?;
            let body = definition.read_body(TermReader::new(&scope))?;
            definition.add_to(&mut scope, body)?;
        }
        TermReader::new(&scope).read(&term)
    }

    #[track_caller]
    fn is(text: &str, expected: &str) {
        assert_eq!(read(text).unwrap().to_string(), expected, "{text}");
    }

    #[track_caller]
    fn is_refused(text: &str, words: &str) {
        let error = read(text).unwrap_err();
        assert!(error.message.contains(words), "{text}: {error}");
    }

    #[test]
    fn multiples_of_a_number_are_formulas() {
        is("((_ divisible 3) (+ x 1))", "(= (mod (+ x 1) 3) 0)");
        is_refused("((_ divisible 0) x)", "positive");
        is_refused("((_ divisible x) x)", "positive");
        is_refused("((_ divisible 3) r)", "Int");
        is_refused("((_ divisible 3) x x)", "1 argument");
        is_refused("((_ extract 3) x)", "not supported");
    }

    #[test]
    fn a_divisor_is_constant_where_a_function_is_used() {
        let part = "(define-fun part ((x Int) (y Int)) Int (div x y))";
        is(&format!("{part} (part x 2)"), "(div x 2)");
        is(
            &format!("{part} (part (+ x 1) (- 2))"),
            "(div (+ x 1) (- 2))",
        );
        is(&format!("{part} (part x (+ 1 1))"), "(div x 2)");
        is(&format!("{part} (+ x 1)"), "(+ x 1)");
        is_refused(&format!("{part} (part 7 x)"), "divisor");
        is_refused(&format!("{part} (part x 0)"), "divisor");
        is_refused(&format!("{part} (part x)"), "arguments");
        is_refused(&format!("{part} (part x r)"), "sort");
        let half = format!("{part} (define-fun half ((z Int)) Int (part z 2)) (half x)");
        is(&half, "(div x 2)");
        let twice = format!("{part} (define-fun in ((z Int)) Int (part 100 z)) (in 5)");
        is(&twice, "(div 100 5)");
        is("(define-fun q ((a Real)) Real (/ r a)) (q 4)", "(/ r 4.0)");
        // Without parameters there is nothing that could become a constant.
        is_refused("(define-fun d () Int (div 1 x)) x", "divisor");
        // A body is read with its own names only.
        is_refused(
            "(define-fun f ((y Int)) Int (div z y)) (let ((z 1)) (f 2))",
            "`z`",
        );
        is(
            "(define-fun f ((y Int)) Int (div x y)) (let ((x 1)) (f 2))",
            "(div x 2)",
        );
    }

    #[test]
    fn bodies_that_are_read_anew_are_bounded() {
        let chain = |count: usize| {
            let mut text = "(define-fun f0 ((y Int)) Int (div x y))".to_owned();
            for number in 1..=count {
                let before = number - 1;
                text += &format!("(define-fun f{number} ((y Int)) Int (f{before} y))");
            }
            text + &format!("(f{count} 2)")
        };
        let most = super::MAXIMAL_NESTED_BODIES;
        is(&chain(most - 1), "(div x 2)");
        is_refused(&chain(most), "levels deep");
        let mut doubling = "(define-fun f0 ((y Int)) Int (div x y))".to_owned();
        for number in 1..40 {
            let before = number - 1;
            doubling +=
                &format!("(define-fun f{number} ((y Int)) Int (+ (f{before} y) (f{before} y)))");
        }
        is_refused(
            &format!("{doubling} (f39 2)"),
            "after definitions are expanded",
        );
    }
}
