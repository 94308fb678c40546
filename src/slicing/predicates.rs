//! The predicates that labels are made of, numbered once; a literal is a predicate or its negation.

use crate::arithmetic::Formula;
use rustc_hash::FxHashMap;
use std::ops::Deref;

/// A predicate or its negation. The order of literals is the order in which their predicates were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal(u32);

impl Literal {
    /// The other literal of the same predicate.
    #[must_use]
    pub fn negated(self) -> Literal {
        Literal(self.0 ^ 1)
    }

    /// The literal's number, for tables.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// All predicates found so far. Invariant: no predicate is constant, and no two literals have the same formula.
#[derive(Default)]
pub struct PredicateTable {
    /// The formula of each literal, by number.
    formulas: Vec<Formula>,
    numbers: FxHashMap<Formula, Literal>,
}

impl PredicateTable {
    /// The literal whose formula this is, made new if there is none. `None` for a constant formula.
    pub fn literal(&mut self, formula: &Formula) -> Option<Literal> {
        if matches!(formula, Formula::True | Formula::False) {
            return None;
        }
        if let Some(literal) = self.numbers.get(formula) {
            return Some(*literal);
        }
        let negation = formula.negate();
        if let Some(literal) = self.numbers.get(&negation) {
            return Some(literal.negated());
        }
        let literal = Literal(u32::try_from(self.formulas.len()).ok()?);
        for (formula, literal) in [(formula, literal), (&negation, literal.negated())] {
            self.formulas.push(formula.clone());
            self.numbers.insert(formula.clone(), literal);
        }
        Some(literal)
    }

    /// The literal that is already known by this formula.
    #[must_use]
    pub fn known(&self, formula: &Formula) -> Option<Literal> {
        self.numbers.get(formula).copied()
    }

    /// What a literal says.
    #[must_use]
    pub fn formula(&self, literal: Literal) -> &Formula {
        &self.formulas[literal.index()]
    }

    /// The formulas of all predicates, the negations left out.
    pub fn predicates(&self) -> impl Iterator<Item = &Formula> {
        self.formulas.iter().step_by(2)
    }
}

/// A conjunction of literals: in the order in which they were given, and as bits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Label {
    literals: Vec<Literal>,
    set: LiteralSet,
}

impl Label {
    /// The conjunction of these literals.
    #[must_use]
    pub fn of(literals: Vec<Literal>) -> Label {
        Label {
            set: LiteralSet::of(literals.iter().copied()),
            literals,
        }
    }

    /// The literals as a set.
    #[must_use]
    pub fn set(&self) -> &LiteralSet {
        &self.set
    }

    /// Whether it has the literal or its negation.
    #[must_use]
    pub fn decides(&self, literal: Literal) -> bool {
        self.set.contains(literal) || self.set.contains(literal.negated())
    }
}

impl Deref for Label {
    type Target = [Literal];

    fn deref(&self) -> &[Literal] {
        &self.literals
    }
}

/// A set of literals as bits, for quick inclusion tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LiteralSet(Vec<u64>);

impl LiteralSet {
    /// The set of these literals.
    pub fn of(literals: impl IntoIterator<Item = Literal>) -> LiteralSet {
        let mut set = LiteralSet::default();
        for literal in literals {
            set.insert(literal);
        }
        set
    }

    /// Adds a literal.
    pub fn insert(&mut self, literal: Literal) {
        let word = literal.index() / 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (literal.index() % 64);
    }

    /// Whether the literal is a member.
    #[must_use]
    pub fn contains(&self, literal: Literal) -> bool {
        self.0
            .get(literal.index() / 64)
            .is_some_and(|word| word & (1 << (literal.index() % 64)) != 0)
    }

    /// Whether all members are members of the other set.
    #[must_use]
    pub fn is_subset(&self, other: &LiteralSet) -> bool {
        self.0
            .iter()
            .enumerate()
            .all(|(index, word)| word & !other.0.get(index).copied().unwrap_or(0) == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::Variable;

    #[test]
    fn a_formula_and_its_negation_are_one_predicate() {
        let mut table = PredicateTable::default();
        let p = Formula::literal(Variable(0), true);
        let literal = table.literal(&p).unwrap();
        assert_eq!(table.literal(&p.negate()), Some(literal.negated()));
        assert_eq!(table.formulas.len(), 2);
        assert_eq!(table.formula(literal.negated()), &p.negate());
    }

    #[test]
    fn constants_are_no_predicates() {
        let mut table = PredicateTable::default();
        assert_eq!(table.literal(&Formula::True), None);
        assert_eq!(table.literal(&Formula::False), None);
        assert!(table.formulas.is_empty());
    }

    #[test]
    fn inclusion_of_literal_sets() {
        let small = LiteralSet::of([Literal(3)]);
        let large = LiteralSet::of([Literal(3), Literal(200)]);
        assert!(small.is_subset(&large));
        assert!(!large.is_subset(&small));
        assert!(LiteralSet::default().is_subset(&small));
        assert!(large.contains(Literal(200)) && !small.contains(Literal(200)));
    }
}
