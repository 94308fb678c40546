//! Linear expressions and their comparisons with zero.
//!
//! An [`Atom`] is canonical: its coefficients are integral and coprime; over integers alone the relation is never strict and the
//! constant is integral (floored, which is what tightens `2 x <= 3` to `x <= 1`); an equality's first coefficient is positive.
//! Hence two atoms over the same variables that hold for the same values of the *expression* are equal, and equal atoms are
//! recognised by comparison. Comparisons that are constantly true or false are no atoms.

use std::cmp::Ordering;
use std::fmt;

use super::number::Rational;

/// A variable of the solver; what it stands for is its user's business.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Variable(pub u32);

impl Variable {
    /// The number as an index into a table.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a variable ranges over.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// True or false.
    Boolean,
    /// The integers.
    Integer,
    /// The reals (of which only rationals occur).
    Real,
}

/// Tells what each variable ranges over. Must answer the same for the same variable throughout.
pub trait VariableSorts {
    /// The kind of a variable.
    fn kind(&self, variable: Variable) -> Kind;
}

impl VariableSorts for [Kind] {
    /// Variables beyond the table are real, which claims least about them.
    fn kind(&self, variable: Variable) -> Kind {
        self.get(variable.index()).copied().unwrap_or(Kind::Real)
    }
}

impl VariableSorts for Vec<Kind> {
    fn kind(&self, variable: Variable) -> Kind {
        self.as_slice().kind(variable)
    }
}

impl<F: Fn(Variable) -> Kind> VariableSorts for F {
    fn kind(&self, variable: Variable) -> Kind {
        self(variable)
    }
}

/// A sum of variables with coefficients, plus a constant.
///
/// Invariant: the terms are sorted by variable, each variable occurs once, no coefficient is zero.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct LinearExpression {
    terms: Vec<(Variable, Rational)>,
    constant: Rational,
}

impl LinearExpression {
    /// Zero.
    #[must_use]
    pub fn zero() -> LinearExpression {
        LinearExpression::default()
    }

    /// A constant.
    #[must_use]
    pub fn constant(value: impl Into<Rational>) -> LinearExpression {
        LinearExpression {
            terms: Vec::new(),
            constant: value.into(),
        }
    }

    /// A single variable.
    #[must_use]
    pub fn variable(variable: Variable) -> LinearExpression {
        LinearExpression {
            terms: vec![(variable, Rational::ONE)],
            constant: Rational::ZERO,
        }
    }

    /// A sum from terms in any order; the coefficients of a variable that is named several times are added.
    #[must_use]
    pub fn from_terms(
        terms: impl IntoIterator<Item = (Variable, Rational)>,
        constant: impl Into<Rational>,
    ) -> LinearExpression {
        let mut terms: Vec<(Variable, Rational)> = terms.into_iter().collect();
        normalise(&mut terms);
        LinearExpression {
            terms,
            constant: constant.into(),
        }
    }

    /// The terms, sorted by variable, without zero coefficients.
    #[must_use]
    pub fn terms(&self) -> &[(Variable, Rational)] {
        &self.terms
    }

    /// The constant summand.
    #[must_use]
    pub fn constant_part(&self) -> &Rational {
        &self.constant
    }

    /// Whether no variable occurs.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }

    /// The coefficient of a variable; zero when it does not occur.
    #[must_use]
    pub fn coefficient(&self, variable: Variable) -> &Rational {
        match self.terms.binary_search_by_key(&variable, |term| term.0) {
            Ok(position) => &self.terms[position].1,
            Err(_) => &Rational::ZERO,
        }
    }

    /// The coefficient of a variable (zero when it does not occur), and the expression without it.
    #[must_use]
    pub fn without(&self, variable: Variable) -> (Rational, LinearExpression) {
        let mut rest = self.clone();
        match rest.terms.binary_search_by_key(&variable, |term| term.0) {
            Ok(position) => (rest.terms.remove(position).1, rest),
            Err(_) => (Rational::ZERO, rest),
        }
    }

    /// Whether all coefficients and the constant are integers.
    #[must_use]
    pub fn is_integral(&self) -> bool {
        self.constant.is_integer() && self.terms.iter().all(|term| term.1.is_integer())
    }

    /// The variables that occur, ascending.
    pub fn variables(&self) -> impl Iterator<Item = Variable> + '_ {
        self.terms.iter().map(|term| term.0)
    }

    /// Adds `factor * other`.
    pub fn add_scaled(&mut self, other: &LinearExpression, factor: &Rational) {
        if factor.is_zero() {
            return;
        }
        self.constant.add_product(factor, &other.constant);
        match other.terms.as_slice() {
            [] => {}
            [(variable, coefficient)] => self.add_term(*variable, &(coefficient * factor)),
            _ if self.terms.is_empty() => {
                self.terms = scaled_terms(&other.terms, factor);
            }
            terms => self.merge(terms, factor),
        }
    }

    /// Adds `coefficient * variable`.
    pub fn add_term(&mut self, variable: Variable, coefficient: &Rational) {
        if coefficient.is_zero() {
            return;
        }
        match self.terms.binary_search_by_key(&variable, |term| term.0) {
            Ok(position) => {
                self.terms[position].1 += coefficient;
                if self.terms[position].1.is_zero() {
                    self.terms.remove(position);
                }
            }
            Err(position) => self.terms.insert(position, (variable, coefficient.clone())),
        }
    }

    /// Adds a constant.
    pub fn add_constant(&mut self, value: &Rational) {
        self.constant += value;
    }

    fn merge(&mut self, other: &[(Variable, Rational)], factor: &Rational) {
        let mut merged = Vec::with_capacity(self.terms.len() + other.len());
        let mut mine = std::mem::take(&mut self.terms).into_iter().peekable();
        let mut theirs = other.iter().peekable();
        loop {
            match (mine.peek(), theirs.peek()) {
                (Some(left), Some(right)) => match left.0.cmp(&right.0) {
                    Ordering::Less => merged.extend(mine.next()),
                    Ordering::Greater => {
                        merged.extend(theirs.next().map(|term| (term.0, &term.1 * factor)));
                    }
                    Ordering::Equal => {
                        if let (Some((variable, mut coefficient)), Some(right)) =
                            (mine.next(), theirs.next())
                        {
                            coefficient.add_product(factor, &right.1);
                            if !coefficient.is_zero() {
                                merged.push((variable, coefficient));
                            }
                        }
                    }
                },
                (Some(_), None) => merged.extend(mine.next()),
                (None, Some(_)) => {
                    merged.extend(theirs.next().map(|term| (term.0, &term.1 * factor)));
                }
                (None, None) => break,
            }
        }
        self.terms = merged;
    }

    /// The sum of two expressions.
    #[must_use]
    pub fn plus(&self, other: &LinearExpression) -> LinearExpression {
        let mut sum = self.clone();
        sum.add_scaled(other, &Rational::ONE);
        sum
    }

    /// The difference of two expressions.
    #[must_use]
    pub fn minus(&self, other: &LinearExpression) -> LinearExpression {
        let mut difference = self.clone();
        difference.add_scaled(other, &Rational::MINUS_ONE);
        difference
    }

    /// The expression times a number.
    #[must_use]
    pub fn times(&self, factor: &Rational) -> LinearExpression {
        if factor.is_zero() {
            return LinearExpression::zero();
        }
        LinearExpression {
            terms: scaled_terms(&self.terms, factor),
            constant: &self.constant * factor,
        }
    }

    /// The value under given values of the variables.
    #[must_use]
    pub fn evaluate(&self, mut value: impl FnMut(Variable) -> Rational) -> Rational {
        let mut sum = self.constant.clone();
        for (variable, coefficient) in &self.terms {
            sum.add_product(coefficient, &value(*variable));
        }
        sum
    }

    /// The expression with every variable renamed; coefficients of variables that get the same name are added.
    #[must_use]
    pub fn rename(&self, mut renaming: impl FnMut(Variable) -> Variable) -> LinearExpression {
        let mut terms: Vec<(Variable, Rational)> = self
            .terms
            .iter()
            .map(|(variable, coefficient)| (renaming(*variable), coefficient.clone()))
            .collect();
        normalise(&mut terms);
        LinearExpression {
            terms,
            constant: self.constant.clone(),
        }
    }

    /// The expression with variables replaced by expressions; `None` from the map keeps a variable.
    #[must_use]
    pub fn substitute<'a>(
        &self,
        mut replacement: impl FnMut(Variable) -> Option<&'a LinearExpression>,
    ) -> LinearExpression {
        let mut result = LinearExpression::constant(self.constant.clone());
        for (variable, coefficient) in &self.terms {
            match replacement(*variable) {
                Some(expression) => result.add_scaled(expression, coefficient),
                None => result.add_term(*variable, coefficient),
            }
        }
        result
    }
}

fn scaled_terms(terms: &[(Variable, Rational)], factor: &Rational) -> Vec<(Variable, Rational)> {
    terms
        .iter()
        .map(|(variable, coefficient)| (*variable, coefficient * factor))
        .collect()
}

/// Sorts terms, adds up the coefficients of each variable, drops zeros.
fn normalise(terms: &mut Vec<(Variable, Rational)>) {
    if !terms.is_sorted_by(|left, right| left.0 < right.0) {
        terms.sort_by_key(|term| term.0);
        terms.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                earlier.1 += &later.1;
            }
            same
        });
    }
    terms.retain(|term| !term.1.is_zero());
}

/// How an expression compares with zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Relation {
    /// `expression <= 0`
    LessOrEqual,
    /// `expression < 0`
    Less,
    /// `expression = 0`
    Equal,
}

impl Relation {
    /// Whether a value compares with zero as the relation says.
    #[must_use]
    pub fn holds(self, value: &Rational) -> bool {
        match self {
            Relation::LessOrEqual => !value.is_positive(),
            Relation::Less => value.is_negative(),
            Relation::Equal => value.is_zero(),
        }
    }
}

/// What a comparison with zero comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// It holds or fails whatever the variables' values.
    Constant(bool),
    /// It depends on them.
    Atom(Atom),
}

/// A canonical comparison of a linear expression with zero; see the module's text.
///
/// Ordered by terms first, then constant, then relation, so that neighbours in a sorted list bound the same sum.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atom {
    expression: LinearExpression,
    relation: Relation,
    /// Whether all variables are integers.
    integral: bool,
}

impl Atom {
    /// Brings `expression RELATION 0` into canonical form.
    #[must_use]
    pub fn compare(
        expression: LinearExpression,
        relation: Relation,
        sorts: &(impl VariableSorts + ?Sized),
    ) -> Comparison {
        let integral = expression
            .variables()
            .all(|variable| sorts.kind(variable) == Kind::Integer);
        Atom::canonical(expression, relation, integral)
    }

    /// As [`Atom::compare`], for variables that are known to be all integers, or not all integers.
    pub(super) fn canonical(
        mut expression: LinearExpression,
        mut relation: Relation,
        integral: bool,
    ) -> Comparison {
        if expression.is_constant() {
            return Comparison::Constant(relation.holds(&expression.constant));
        }
        make_coprime(&mut expression);
        if integral {
            let constant = &expression.constant;
            match relation {
                Relation::Equal if !constant.is_integer() => return Comparison::Constant(false),
                Relation::Equal => {}
                // sum <= -c, so sum <= floor(-c), which is -ceil(c)
                Relation::LessOrEqual => expression.constant = constant.ceil(),
                // sum < -c, so sum <= ceil(-c) - 1, which is -(floor(c) + 1)
                Relation::Less => {
                    expression.constant = &constant.floor() + &Rational::ONE;
                    relation = Relation::LessOrEqual;
                }
            }
        }
        if relation == Relation::Equal && expression.terms[0].1.is_negative() {
            expression = expression.times(&Rational::MINUS_ONE);
        }
        Comparison::Atom(Atom {
            expression,
            relation,
            integral,
        })
    }

    /// The expression that is compared with zero.
    #[must_use]
    pub fn expression(&self) -> &LinearExpression {
        &self.expression
    }

    /// How it is compared.
    #[must_use]
    pub fn relation(&self) -> Relation {
        self.relation
    }

    /// Whether all variables are integers.
    #[must_use]
    pub fn is_integral(&self) -> bool {
        self.integral
    }

    /// The comparison with a renamed expression. The renaming must keep the variables' kinds.
    pub(super) fn rename(&self, renaming: impl FnMut(Variable) -> Variable) -> Comparison {
        let expression = self.expression.rename(renaming);
        if expression.terms.len() < self.expression.terms.len() {
            return Atom::canonical(expression, self.relation, self.integral);
        }
        // Scale and constant cannot have changed; only an equality's first coefficient may be another one.
        let flip = self.relation == Relation::Equal && expression.terms[0].1.is_negative();
        Comparison::Atom(Atom {
            expression: if flip {
                expression.times(&Rational::MINUS_ONE)
            } else {
                expression
            },
            relation: self.relation,
            integral: self.integral,
        })
    }

    /// The negation of an inequality, an atom again; `None` for an equality, whose negation is two strict inequalities.
    #[must_use]
    pub fn complement(&self) -> Option<Atom> {
        let relation = match self.relation {
            Relation::LessOrEqual => Relation::Less,
            Relation::Less => Relation::LessOrEqual,
            Relation::Equal => return None,
        };
        self.reversed(relation)
    }

    /// `-expression RELATION 0`.
    fn reversed(&self, relation: Relation) -> Option<Atom> {
        let expression = self.expression.times(&Rational::MINUS_ONE);
        match Atom::canonical(expression, relation, self.integral) {
            Comparison::Atom(atom) => Some(atom),
            Comparison::Constant(_) => None,
        }
    }

    /// The two strict inequalities, below and above, whose disjunction negates an equality; `None` for an inequality.
    #[must_use]
    pub fn sides(&self) -> Option<(Atom, Atom)> {
        if self.relation != Relation::Equal {
            return None;
        }
        let Comparison::Atom(below) =
            Atom::canonical(self.expression.clone(), Relation::Less, self.integral)
        else {
            return None;
        };
        Some((below, self.reversed(Relation::Less)?))
    }

    /// Writes the atom with the variables on the left and the constant on the right, such as `x - 2*y <= 3`.
    #[must_use]
    pub fn display<'a>(&'a self, name: &'a dyn Fn(Variable) -> String) -> AtomDisplay<'a> {
        AtomDisplay { atom: self, name }
    }
}

/// An atom with names for its variables, to be written.
pub struct AtomDisplay<'a> {
    atom: &'a Atom,
    name: &'a dyn Fn(Variable) -> String,
}

impl fmt::Display for AtomDisplay<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expression = &self.atom.expression;
        for (position, (variable, coefficient)) in expression.terms.iter().enumerate() {
            formatter.write_str(match (position, coefficient.is_negative()) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            })?;
            let magnitude = coefficient.abs();
            if !magnitude.is_one() {
                write!(formatter, "{magnitude}*")?;
            }
            formatter.write_str(&(self.name)(*variable))?;
        }
        let relation = match self.atom.relation {
            Relation::LessOrEqual => "<=",
            Relation::Less => "<",
            Relation::Equal => "=",
        };
        write!(formatter, " {relation} {}", -&expression.constant)
    }
}

impl fmt::Debug for Atom {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(
            &self.display(&|variable| format!("v{}", variable.0)),
            formatter,
        )
    }
}

/// Scales the coefficients by a positive number so that they are integral and coprime.
fn make_coprime(expression: &mut LinearExpression) {
    let mut common = Rational::ZERO;
    for (_, coefficient) in &expression.terms {
        common = common.gcd(coefficient);
        if common.is_one() {
            // Only a fraction further on could still change the divisor.
            if expression.terms.iter().all(|term| term.1.is_integer()) {
                return;
            }
        }
    }
    if let Some(factor) = common.reciprocal()
        && !factor.is_one()
    {
        *expression = expression.times(&factor);
    }
}

#[cfg(test)]
mod tests;
