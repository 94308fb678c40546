//! Formulas in negation normal form over linear atoms, each with its complement.
//!
//! Formulas live in a [`Formulas`] store, where equal ones are there once, so that equality is equality of numbers. They are made in
//! pairs: a formula and its complement, which holds exactly when the formula does not. Conjunctions and disjunctions are flat, free of
//! duplicates and constants, and have two members or more, but for truth (the conjunction of nothing) and falsity (the disjunction of
//! nothing).
//!
//! Atoms are canonical, see [`Atom`]: what `PROOFS.md` calls *tightening* is [`Formulas::tighten`] here, and the only part where it matters
//! that a variable is an integer.

mod linear;

pub use linear::Linear;

use crate::term::{Exact, Sort, Symbol};
use crate::work::{FOLLOWING, TooLarge, Work};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::{Hash, Hasher};

/// The most formulas of a store, members of its conjunctions, and numbers of its atoms, in all.
pub const MAXIMAL_MEMBERS: usize = 5_000_000;

/// A variable of a store, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable(u32);

impl Variable {
    /// The number, from 0.
    pub fn number(self) -> u32 {
        self.0
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A formula of a store, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Formula(u32);

impl Formula {
    /// The conjunction of nothing.
    pub const TRUE: Formula = Formula(0);
    /// The disjunction of nothing.
    pub const FALSE: Formula = Formula(1);

    /// The formula that holds exactly when this one does not.
    #[must_use]
    pub fn complement(self) -> Formula {
        // A store keeps a formula and its complement side by side.
        Formula(self.0 ^ 1)
    }

    /// The number, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a sum compares with a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AtomRelation {
    /// `sum <= constant`
    LessOrEqual,
    /// `sum < constant`
    Less,
    /// `sum = constant`
    Equal,
    /// `sum != constant`
    Different,
}

/// A sum of variables with coefficients, sorted by variable, no coefficient zero.
pub type Sum = Box<[(Variable, BigInt)]>;

/// A canonical comparison of a sum with a constant: there is a variable, the coefficients are coprime integers, and when all variables
/// are integers the relation is not `<` and the constant is an integer.
#[derive(Clone, Debug)]
pub struct Atom {
    /// The sum.
    pub sum: Sum,
    /// How it compares.
    pub relation: AtomRelation,
    /// With what.
    pub constant: BigRational,
}

impl Atom {
    fn compared(&self) -> (&Sum, AtomRelation, Exact<'_>) {
        (&self.sum, self.relation, Exact(&self.constant))
    }
}

impl PartialEq for Atom {
    fn eq(&self, other: &Atom) -> bool {
        self.compared() == other.compared()
    }
}

impl Eq for Atom {}

impl Hash for Atom {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.compared().hash(state);
    }
}

/// What a comparison amounts to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// It holds, or fails, whatever the values.
    Constant(bool),
    /// It depends on the values.
    Atom(Atom),
}

/// What a formula is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum View {
    /// A Boolean variable, or its negation.
    Literal {
        /// The variable.
        variable: Variable,
        /// Whether the formula is the variable itself.
        positive: bool,
    },
    /// A comparison.
    Atom(Atom),
    /// All members hold.
    And(Box<[Formula]>),
    /// Some member holds.
    Or(Box<[Formula]>),
}

/// The integer part of an expression divided by an integer: the integer `q` with `divisor * q <= dividend < divisor * q + |divisor|`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IntegerPart {
    /// The expression.
    pub dividend: Linear,
    /// The integer, which is not zero.
    pub divisor: BigInt,
}

/// Where a variable comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A symbol of the system.
    Symbol(Symbol),
    /// An integer part, by its number.
    IntegerPart(usize),
}

/// Formulas and the variables they are about.
#[derive(Clone, Debug)]
pub struct Formulas {
    origins: Vec<Origin>,
    is_integer: Vec<bool>,
    symbols: FxHashMap<Symbol, Variable>,
    parts: Vec<(IntegerPart, Variable)>,
    part_numbers: FxHashMap<IntegerPart, usize>,
    views: Vec<View>,
    known: FxHashMap<View, Formula>,
    members: usize,
    work: Work,
}

impl Default for Formulas {
    fn default() -> Formulas {
        Formulas::new()
    }
}

impl Formulas {
    /// A store with truth and falsity.
    pub fn new() -> Formulas {
        let mut store = Formulas {
            origins: Vec::new(),
            is_integer: Vec::new(),
            symbols: FxHashMap::default(),
            parts: Vec::new(),
            part_numbers: FxHashMap::default(),
            views: Vec::new(),
            known: FxHashMap::default(),
            members: 0,
            work: Work::new(FOLLOWING),
        };
        store.pair(View::And(Box::default()), View::Or(Box::default()));
        store
    }

    /// Bounds the work from now on.
    pub fn allow(&mut self, work: u64) {
        self.work = Work::new(work);
    }

    /// What may still be done.
    pub fn work(&mut self) -> &mut Work {
        &mut self.work
    }

    /// Whether the store is so full that a new one had better be begun.
    pub fn is_half_full(&self) -> bool {
        self.views.len() + self.members > MAXIMAL_MEMBERS / 2
    }

    /// What a formula is.
    pub fn view(&self, formula: Formula) -> &View {
        &self.views[formula.index()]
    }

    /// The members of a conjunction.
    pub fn as_conjunction(&self, formula: Formula) -> Option<&[Formula]> {
        match self.view(formula) {
            View::And(members) => Some(members),
            _ => None,
        }
    }

    /// Where a variable comes from.
    pub fn origin(&self, variable: Variable) -> &Origin {
        &self.origins[variable.index()]
    }

    /// Whether a variable's values are integers.
    pub fn is_integer(&self, variable: Variable) -> bool {
        self.is_integer[variable.index()]
    }

    /// All variables, in the order of their numbers.
    pub fn variables(&self) -> impl Iterator<Item = Variable> + use<> {
        // Each variable got the number of those before it.
        let count = u32::try_from(self.origins.len()).unwrap_or(u32::MAX);
        (0..count).map(Variable)
    }

    /// The integer parts, in the order of their numbers, and their variables.
    pub fn integer_parts(&self) -> &[(IntegerPart, Variable)] {
        &self.parts
    }

    /// The variable of a symbol, made when it is new.
    pub fn symbol(&mut self, symbol: &Symbol) -> Variable {
        if let Some(known) = self.symbols.get(symbol) {
            return *known;
        }
        let is_integer = symbol.sort() == Sort::Int;
        let variable = self.variable(Origin::Symbol(symbol.clone()), is_integer);
        self.symbols.insert(symbol.clone(), variable);
        variable
    }

    /// The variable of a symbol, if there is one.
    pub fn known_symbol(&self, symbol: &Symbol) -> Option<Variable> {
        self.symbols.get(symbol).copied()
    }

    /// The variable of an integer part, made when it is new.
    pub fn integer_part(&mut self, part: IntegerPart) -> Variable {
        if let Some(number) = self.part_numbers.get(&part) {
            return self.parts[*number].1;
        }
        let number = self.parts.len();
        let variable = self.variable(Origin::IntegerPart(number), true);
        self.part_numbers.insert(part.clone(), number);
        self.parts.push((part, variable));
        variable
    }

    fn variable(&mut self, origin: Origin, is_integer: bool) -> Variable {
        // Terms of so many symbols do not fit into memory.
        let variable = Variable(u32::try_from(self.origins.len()).unwrap_or(u32::MAX));
        self.origins.push(origin);
        self.is_integer.push(is_integer);
        variable
    }

    fn pair(&mut self, view: View, complement: View) -> Formula {
        let formula = Formula(u32::try_from(self.views.len()).unwrap_or(u32::MAX - 1));
        self.known.insert(view.clone(), formula);
        self.known.insert(complement.clone(), formula.complement());
        self.views.push(view);
        self.views.push(complement);
        formula
    }

    /// A Boolean variable.
    pub fn literal(&mut self, variable: Variable) -> Formula {
        let view = |positive| View::Literal { variable, positive };
        match self.known.get(&view(true)) {
            Some(known) => *known,
            None => self.pair(view(true), view(false)),
        }
    }

    /// A comparison as a formula.
    ///
    /// # Errors
    /// When the store is full.
    pub fn comparison(&mut self, comparison: Comparison) -> Result<Formula, TooLarge> {
        let atom = match comparison {
            Comparison::Constant(true) => return Ok(Formula::TRUE),
            Comparison::Constant(false) => return Ok(Formula::FALSE),
            Comparison::Atom(atom) => atom,
        };
        let view = View::Atom(atom.clone());
        if let Some(known) = self.known.get(&view) {
            return Ok(*known);
        }
        let long = (atom.sum.iter()).map(|(_, coefficient)| coefficient.bits() / 64);
        let words = atom.sum.len() as u64 + long.sum::<u64>();
        self.members = (self.members).saturating_add(usize::try_from(words).unwrap_or(usize::MAX));
        if self.views.len() + self.members > MAXIMAL_MEMBERS {
            return Err(TooLarge::Formulas);
        }
        let complement = self.complement_of(atom);
        Ok(self.pair(view, View::Atom(complement)))
    }

    /// `expression RELATION 0`
    ///
    /// # Errors
    /// When the store is full, or a number becomes too large.
    pub fn compare(
        &mut self,
        expression: &Linear,
        relation: AtomRelation,
    ) -> Result<Formula, TooLarge> {
        let comparison = self.tighten(expression, relation)?;
        self.comparison(comparison)
    }

    /// `expression RELATION 0` in canonical form.
    ///
    /// # Errors
    /// When that is too much work, or a number becomes too large.
    pub fn tighten(
        &mut self,
        expression: &Linear,
        relation: AtomRelation,
    ) -> Result<Comparison, TooLarge> {
        let is_integer = |variable: Variable| self.is_integer[variable.index()];
        tighten(expression, relation, &is_integer, &mut self.work)
    }

    /// The complement of a canonical atom, which is canonical.
    fn complement_of(&self, atom: Atom) -> Atom {
        let is_integral = (atom.sum.iter()).all(|(variable, _)| self.is_integer(*variable));
        let negative = |sum: &Sum| sum.iter().map(|(v, c)| (*v, -c)).collect();
        match atom.relation {
            AtomRelation::Equal => Atom {
                relation: AtomRelation::Different,
                ..atom
            },
            AtomRelation::Different => Atom {
                relation: AtomRelation::Equal,
                ..atom
            },
            AtomRelation::LessOrEqual if is_integral => Atom {
                sum: negative(&atom.sum),
                relation: AtomRelation::LessOrEqual,
                constant: -atom.constant - BigRational::one(),
            },
            AtomRelation::LessOrEqual => Atom {
                sum: negative(&atom.sum),
                relation: AtomRelation::Less,
                constant: -atom.constant,
            },
            AtomRelation::Less => Atom {
                sum: negative(&atom.sum),
                relation: AtomRelation::LessOrEqual,
                constant: -atom.constant,
            },
        }
    }

    /// The two cases of `sum != constant`: below it, and above it.
    ///
    /// # Errors
    /// When the store is full.
    pub fn sides(&mut self, atom: &Atom) -> Result<[Formula; 2], TooLarge> {
        let one = BigRational::one();
        let mut side = |sign: BigRational| {
            let mut side = Linear::constant(-&atom.constant * &sign);
            for (variable, coefficient) in &atom.sum {
                side.add_term(*variable, &sign * coefficient);
            }
            self.compare(&side, AtomRelation::Less)
        };
        Ok([side(one.clone())?, side(-one)?])
    }

    /// The conjunction: flat, without duplicates and constants.
    ///
    /// # Errors
    /// When the store is full.
    pub fn and(&mut self, parts: &[Formula]) -> Result<Formula, TooLarge> {
        let mut members = Vec::with_capacity(parts.len());
        let mut seen = FxHashSet::default();
        for part in parts {
            match self.view(*part) {
                _ if *part == Formula::FALSE => return Ok(Formula::FALSE),
                View::And(inner) => {
                    members.extend(inner.iter().filter(|member| seen.insert(**member)));
                }
                _ if seen.insert(*part) => members.push(*part),
                _ => {}
            }
            if self.views.len() + self.members + members.len() > MAXIMAL_MEMBERS {
                return Err(TooLarge::Formulas);
            }
        }
        match members.as_slice() {
            [] => return Ok(Formula::TRUE),
            [only] => return Ok(*only),
            _ => {}
        }
        let dual = members.iter().map(|member| member.complement()).collect();
        let view = View::And(members.into_boxed_slice());
        if let Some(known) = self.known.get(&view) {
            return Ok(*known);
        }
        if let View::And(members) = &view {
            self.members += members.len();
        }
        Ok(self.pair(view, View::Or(dual)))
    }

    /// The disjunction: flat, without duplicates and constants.
    ///
    /// # Errors
    /// When the store is full.
    pub fn or(&mut self, parts: &[Formula]) -> Result<Formula, TooLarge> {
        let dual: Vec<Formula> = parts.iter().map(|part| part.complement()).collect();
        self.and(&dual).map(Formula::complement)
    }

    /// `condition` decides between two formulas.
    ///
    /// # Errors
    /// When the store is full.
    pub fn choice(
        &mut self,
        condition: Formula,
        then: Formula,
        otherwise: Formula,
    ) -> Result<Formula, TooLarge> {
        let first = self.or(&[condition.complement(), then])?;
        let second = self.or(&[condition, otherwise])?;
        self.and(&[first, second])
    }
}

/// Brings `expression RELATION 0` into canonical form. Integers that are not strictly below a number are at most the next smaller
/// integer; this is where integers are more than reals.
fn tighten(
    expression: &Linear,
    relation: AtomRelation,
    is_integer: &dyn Fn(Variable) -> bool,
    work: &mut Work,
) -> Result<Comparison, TooLarge> {
    let constant = -&expression.constant;
    if expression.terms.is_empty() {
        let zero = BigRational::zero();
        return Ok(Comparison::Constant(match relation {
            AtomRelation::LessOrEqual => zero <= constant,
            AtomRelation::Less => zero < constant,
            AtomRelation::Equal => zero == constant,
            AtomRelation::Different => zero != constant,
        }));
    }
    let mut denominator = BigInt::one();
    for coefficient in expression.terms.values() {
        denominator = denominator.lcm(coefficient.denom());
        work.integer(&denominator)?;
    }
    let mut numerators: Vec<BigInt> = Vec::with_capacity(expression.terms.len());
    let mut divisor = BigInt::zero();
    for coefficient in expression.terms.values() {
        let number = coefficient.numer() * (&denominator / coefficient.denom());
        work.integer(&number)?;
        divisor = divisor.gcd(&number);
        numerators.push(number);
    }
    let sum: Sum = expression
        .terms
        .keys()
        .zip(&numerators)
        .map(|(variable, number)| (*variable, number / &divisor))
        .collect();
    let constant = constant * BigRational::new(denominator, divisor);
    work.number(&constant)?;
    let is_integral = sum.iter().all(|(variable, _)| is_integer(*variable));
    let (relation, constant) = match relation {
        AtomRelation::LessOrEqual if is_integral => (AtomRelation::LessOrEqual, constant.floor()),
        AtomRelation::Less if is_integral => (
            AtomRelation::LessOrEqual,
            constant.ceil() - BigRational::one(),
        ),
        AtomRelation::Equal if is_integral && !constant.is_integer() => {
            return Ok(Comparison::Constant(false));
        }
        AtomRelation::Different if is_integral && !constant.is_integer() => {
            return Ok(Comparison::Constant(true));
        }
        _ => (relation, constant),
    };
    Ok(Comparison::Atom(Atom {
        sum,
        relation,
        constant,
    }))
}

impl IntegerPart {
    /// What holds of the integer part, as two comparisons with zero.
    ///
    /// # Errors
    /// When that is too much work, or a number becomes too large.
    pub fn definition(
        &self,
        part: Variable,
        work: &mut Work,
    ) -> Result<[(Linear, AtomRelation); 2], TooLarge> {
        let divisor = BigRational::from_integer(self.divisor.clone());
        let mut below = Linear::default();
        below.add_term(part, divisor);
        below.add_scaled(&self.dividend, &-BigRational::one(), work)?;
        // dividend - divisor * part - |divisor| < 0
        let mut above = Linear::default();
        above.add_scaled(&below, &-BigRational::one(), work)?;
        above.constant -= BigRational::from_integer(self.divisor.abs());
        Ok([
            (below, AtomRelation::LessOrEqual),
            (above, AtomRelation::Less),
        ])
    }
}

#[cfg(test)]
mod tests;
