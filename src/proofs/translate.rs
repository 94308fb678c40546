//! Formulas of the certificate's normal form as the exact solver has them, member for member.
//!
//! The solver's own constructors would sort and simplify; here the shape is kept, so that a position in a refutation means the same on
//! both sides. Only `sum != constant`, which the solver has no atom for, becomes the disjunction of its two cases.

use crate::arithmetic::{
    Formula as SolverFormula, Kind, LinearExpression, Rational, Relation as SolverRelation,
    Variable as SolverVariable, kind_of,
};
use num_rational::BigRational;
use slabcert_certificates::proof::formula::{
    Atom, AtomRelation, Formula, Formulas, Origin, Variable, View,
};
use std::sync::Arc;

/// Translated formulas of one store, by number.
#[derive(Default)]
pub(super) struct Translation {
    formulas: Vec<Option<SolverFormula>>,
    sorts: Vec<Kind>,
}

impl Translation {
    /// Forgets everything, for formulas of another store.
    pub fn forget(&mut self) {
        *self = Translation::default();
    }

    /// What the variables range over.
    pub fn sorts(&self) -> &Vec<Kind> {
        &self.sorts
    }

    /// Takes note of all variables of the store.
    pub fn declare(&mut self, store: &Formulas) {
        let new = store.variables().skip(self.sorts.len());
        self.sorts
            .extend(new.map(|variable| match store.origin(variable) {
                Origin::Symbol(symbol) => kind_of(symbol.sort()),
                Origin::IntegerPart(_) => Kind::Integer,
            }));
    }

    /// The solver's formula.
    pub fn formula(&mut self, store: &Formulas, formula: Formula) -> SolverFormula {
        let index = formula.index();
        if let Some(Some(known)) = self.formulas.get(index) {
            return known.clone();
        }
        let translated = match store.view(formula) {
            View::Literal { variable, positive } => {
                SolverFormula::literal(solver_variable(*variable), *positive)
            }
            View::Atom(atom) => self.atom(atom),
            View::And(members) if members.is_empty() => SolverFormula::True,
            View::Or(members) if members.is_empty() => SolverFormula::False,
            View::And(members) => SolverFormula::And(self.members(store, members)),
            View::Or(members) => SolverFormula::Or(self.members(store, members)),
        };
        if self.formulas.len() <= index {
            self.formulas.resize(index + 1, None);
        }
        self.formulas[index] = Some(translated.clone());
        translated
    }

    fn members(&mut self, store: &Formulas, members: &[Formula]) -> Arc<[SolverFormula]> {
        let members = members.iter();
        members.map(|member| self.formula(store, *member)).collect()
    }

    fn atom(&self, atom: &Atom) -> SolverFormula {
        let one = Rational::ONE;
        match atom.relation {
            AtomRelation::LessOrEqual => self.compare(atom, &one, SolverRelation::LessOrEqual),
            AtomRelation::Less => self.compare(atom, &one, SolverRelation::Less),
            AtomRelation::Equal => self.compare(atom, &one, SolverRelation::Equal),
            AtomRelation::Different => SolverFormula::Or(Arc::new([
                self.compare(atom, &one, SolverRelation::Less),
                self.compare(atom, &Rational::MINUS_ONE, SolverRelation::Less),
            ])),
        }
    }

    /// `sign * sum RELATION sign * constant`
    fn compare(&self, atom: &Atom, sign: &Rational, relation: SolverRelation) -> SolverFormula {
        let terms = atom.sum.iter().map(|(variable, coefficient)| {
            let coefficient = Rational::from(coefficient.clone());
            (solver_variable(*variable), &coefficient * sign)
        });
        let constant = &Rational::from(-BigRational::clone(&atom.constant)) * sign;
        let expression = LinearExpression::from_terms(terms, constant);
        SolverFormula::compare(expression, relation, &self.sorts)
    }
}

/// The solver's variable, which has the same number.
fn solver_variable(variable: Variable) -> SolverVariable {
    SolverVariable(variable.number())
}
