//! Obligations from bytes: linear formulas over a few variables, with quotients and remainders by constants.

#[path = "../tests/proofs/replaying.rs"]
mod replaying;

pub use replaying::replay_one;

use arbitrary::{Result, Unstructured};
use num_bigint::BigInt;
use num_rational::BigRational;
use slabcert_certificates::obligations::{Obligation, ObligationKind};
use slabcert_certificates::system::{StateVariable, System};
use slabcert_certificates::term::{Operator, Sort, Symbol, Term};

/// How deep formulas and numeric terms nest.
const DEPTH: u32 = 4;

const VARIABLES: [(&str, Sort); 7] = [
    ("a", Sort::Bool),
    ("b", Sort::Bool),
    ("i", Sort::Int),
    ("j", Sort::Int),
    ("k", Sort::Int),
    ("r", Sort::Real),
    ("s", Sort::Real),
];

/// The system whose variables the formulas mention.
pub fn system() -> System {
    System {
        variables: VARIABLES
            .iter()
            .map(|(name, sort)| StateVariable::new(name, *sort))
            .collect(),
        ..System::default()
    }
}

/// An obligation that does not hold: its assertions have models.
pub fn satisfiable_obligation() -> Obligation {
    let int = |name| Term::symbol(Symbol::new(name, Sort::Int));
    let real = |name| Term::symbol(Symbol::new(name, Sort::Real));
    let truth = |name| Term::symbol(Symbol::new(name, Sort::Bool));
    obligation_of(vec![
        int("i").less_or_equal(int("j")),
        int("j").less(Term::int(3)),
        Term::or([truth("a"), truth("b").not(), int("k").equals(int("i"))]),
        real("r").less(real("s")),
        Term::int(-5).less_or_equal(int("i")),
        int("k").equals(Term::int(7)).not(),
    ])
}

fn obligation_of(assertions: Vec<Term>) -> Obligation {
    Obligation {
        kind: ObligationKind::Cover,
        assertions,
    }
}

/// An obligation that the bytes describe.
///
/// # Errors
/// When there are too few bytes.
pub fn obligation(bytes: &mut Unstructured<'_>) -> Result<Obligation> {
    let count = bytes.int_in_range(1..=5)?;
    let assertions = (0..count).map(|_| formula(bytes, DEPTH));
    Ok(obligation_of(assertions.collect::<Result<_>>()?))
}

fn symbol(bytes: &mut Unstructured<'_>, wanted: Sort) -> Result<Term> {
    let fitting: Vec<&str> = VARIABLES
        .iter()
        .filter(|(_, sort)| *sort == wanted)
        .map(|(name, _)| *name)
        .collect();
    Ok(Term::symbol(Symbol::new(*bytes.choose(&fitting)?, wanted)))
}

/// A term, or the constant `true` of ill-sorted arguments, which this grammar does not make.
fn apply(operator: Operator, arguments: Vec<Term>) -> Term {
    Term::apply(operator, arguments).unwrap_or_else(|_| Term::bool(true))
}

fn formula(bytes: &mut Unstructured<'_>, depth: u32) -> Result<Term> {
    let choice = bytes.int_in_range(0..=if depth == 0 { 4 } else { 11 })?;
    if choice <= 4 {
        return atom(bytes, choice, depth);
    }
    let mut member = || formula(bytes, depth - 1);
    Ok(match choice {
        5 => member()?.not(),
        6 => Term::and([member()?, member()?, member()?]),
        7 | 8 => Term::or([member()?, member()?, member()?]),
        9 => apply(Operator::Ite, vec![member()?, member()?, member()?]),
        10 => apply(Operator::Equal, vec![member()?, member()?]),
        _ => apply(Operator::Xor, vec![member()?, member()?]),
    })
}

fn atom(bytes: &mut Unstructured<'_>, choice: u8, depth: u32) -> Result<Term> {
    let sort = if bytes.ratio(1, 3)? {
        Sort::Real
    } else {
        Sort::Int
    };
    if choice == 0 {
        return symbol(bytes, Sort::Bool);
    }
    let (left, right) = (
        number(bytes, sort, depth.min(2))?,
        number(bytes, sort, depth.min(2))?,
    );
    Ok(match choice {
        1 => left.less_or_equal(right),
        2 => left.less(right),
        3 => left.equals(right),
        _ => apply(
            Operator::Distinct,
            vec![left, right, number(bytes, sort, 0)?],
        ),
    })
}

fn constant(bytes: &mut Unstructured<'_>, sort: Sort) -> Result<Term> {
    let number = BigInt::from(bytes.int_in_range(-9_i64..=9)?);
    Ok(match sort {
        Sort::Real => Term::real(BigRational::new(
            number,
            bytes.int_in_range(1_i64..=4)?.into(),
        )),
        _ => Term::int(number),
    })
}

fn number(bytes: &mut Unstructured<'_>, sort: Sort, depth: u32) -> Result<Term> {
    let choice = bytes.int_in_range(0..=if depth == 0 { 2 } else { 9 })?;
    match choice {
        0 | 1 => return symbol(bytes, sort),
        2 => return constant(bytes, sort),
        _ => {}
    }
    let left = number(bytes, sort, depth - 1)?;
    Ok(match (choice, sort) {
        (3 | 4, _) => apply(Operator::Add, vec![left, number(bytes, sort, depth - 1)?]),
        (5, _) => apply(
            Operator::Subtract,
            vec![left, number(bytes, sort, depth - 1)?],
        ),
        (6, _) => apply(Operator::Multiply, vec![constant(bytes, sort)?, left]),
        (7, _) => apply(
            Operator::Ite,
            vec![
                formula(bytes, depth - 1)?,
                left,
                number(bytes, sort, depth - 1)?,
            ],
        ),
        (8, Sort::Int) => {
            let divisor = Term::int(bytes.int_in_range(1_i64..=4)?);
            let operator = *bytes.choose(&[Operator::IntegerDivide, Operator::Modulo])?;
            apply(operator, vec![left, divisor])
        }
        (8, _) => apply(Operator::ToReal, vec![apply(Operator::ToInt, vec![left])]),
        (_, Sort::Int) => apply(Operator::Absolute, vec![left]),
        _ => apply(Operator::ToReal, vec![symbol(bytes, Sort::Int)?]),
    })
}
