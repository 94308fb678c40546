//! From atoms to columns: which column an atom bounds, and how; new columns for sums that are met for the first time.

use super::{BasisStatus, Column, Row, Simplex, Terms};
use crate::arithmetic::delta::DeltaRational;
use crate::arithmetic::linear::{Atom, Relation, Variable};
use crate::arithmetic::number::Rational;

/// Where an atom's sum is kept.
pub(super) struct Location {
    pub(super) column: usize,
    /// The atom's coefficients are those of the column, not their negation.
    pub(super) same_sign: bool,
}

impl Simplex {
    /// The column of an atom's sum, when there is one.
    pub(super) fn find(&self, atom: &Atom) -> Option<Location> {
        let terms = atom.expression().terms();
        let (first, coefficient) = terms.first()?;
        let same_sign = !coefficient.is_negative();
        let column = if terms.len() == 1 {
            self.variables.get(first).copied()
        } else if same_sign {
            self.sums.get(terms).copied()
        } else {
            self.sums.get(&negated(terms)).copied()
        };
        Some(Location {
            column: column?,
            same_sign,
        })
    }

    /// The column of an atom's sum; a new one when there is none yet.
    pub(super) fn locate(&mut self, atom: &Atom) -> Location {
        if let Some(location) = self.find(atom) {
            return location;
        }
        let terms = atom.expression().terms();
        let same_sign = !terms.first().is_some_and(|term| term.1.is_negative());
        let column = if let [(variable, _)] = terms {
            self.variable_column(*variable)
        } else {
            let sum = if same_sign {
                terms.to_vec()
            } else {
                negated(terms)
            };
            self.sum_column(sum)
        };
        Location { column, same_sign }
    }

    fn variable_column(&mut self, variable: Variable) -> usize {
        if let Some(column) = self.variables.get(&variable) {
            return *column;
        }
        let index = self.columns.len();
        self.columns.push(Column {
            value: DeltaRational::default(),
            lower: None,
            upper: None,
            status: BasisStatus::Nonbasic {
                position: self.nonbasic.len(),
            },
            sum: vec![(variable, Rational::ONE)],
        });
        self.nonbasic.push(index);
        for row in &mut self.rows {
            row.entries.push(Rational::ZERO);
        }
        self.variables.insert(variable, index);
        index
    }

    fn sum_column(&mut self, sum: Terms) -> usize {
        let columns: Vec<usize> = sum
            .iter()
            .map(|(variable, _)| self.variable_column(*variable))
            .collect();
        let mut entries = vec![Rational::ZERO; self.nonbasic.len()];
        let mut value = DeltaRational::default();
        for (column, (_, coefficient)) in columns.iter().zip(&sum) {
            let column = &self.columns[*column];
            value.add_scaled(coefficient, &column.value);
            match column.status {
                BasisStatus::Nonbasic { position } => entries[position] += coefficient,
                BasisStatus::Basic { row } => {
                    for (target, entry) in entries.iter_mut().zip(&self.rows[row].entries) {
                        if !entry.is_zero() {
                            target.add_product(coefficient, entry);
                        }
                    }
                }
            }
        }
        let index = self.columns.len();
        self.sums.insert(sum.clone(), index);
        self.columns.push(Column {
            value,
            lower: None,
            upper: None,
            status: BasisStatus::Basic {
                row: self.rows.len(),
            },
            sum,
        });
        self.rows.push(Row {
            basic: index,
            entries,
        });
        index
    }
}

fn negated(terms: &[(Variable, Rational)]) -> Terms {
    terms
        .iter()
        .map(|(variable, coefficient)| (*variable, -coefficient))
        .collect()
}

/// An atom as a bound on its column: the bound, whether it is a lower one, whether it is an upper one.
pub(super) fn bounds(atom: &Atom, same_sign: bool) -> (DeltaRational, bool, bool) {
    let constant = atom.expression().constant_part();
    let value = if same_sign {
        -constant
    } else {
        constant.clone()
    };
    let infinitesimal = match (atom.relation(), same_sign) {
        (Relation::Less, true) => Rational::MINUS_ONE,
        (Relation::Less, false) => Rational::ONE,
        _ => Rational::ZERO,
    };
    let equality = atom.relation() == Relation::Equal;
    (
        DeltaRational::new(value, infinitesimal),
        equality || !same_sign,
        equality || same_sign,
    )
}
