//! Boolean combinations of linear atoms, in negation normal form, cheap to copy.
//!
//! The constructors keep formulas simplified: conjunctions and disjunctions are flat, sorted, free of duplicates and of the
//! constants, and have at least two members; among members that bound the same sum only those that matter remain. So formulas that
//! differ only in such things are equal. Build formulas with the constructors, not with the variants.
//!
//! All functions recurse to the depth of the formula; who builds formulas from input bounds that depth.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use super::linear::{Atom, Comparison, LinearExpression, Relation, Variable, VariableSorts};
use super::model::Assignment;

mod simplify;

/// A formula in negation normal form.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Formula {
    /// Holds always.
    True,
    /// Holds never.
    False,
    /// A Boolean variable or its negation.
    Literal {
        /// The Boolean variable.
        variable: Variable,
        /// Whether the formula is the variable itself.
        positive: bool,
    },
    /// A comparison.
    Atom(Arc<Atom>),
    /// All members hold.
    And(Arc<[Formula]>),
    /// Some member holds.
    Or(Arc<[Formula]>),
}

/// An operation would have built a formula above a size limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the formula would have more than {limit} nodes")]
pub struct TooLarge {
    /// The limit, in nodes (literals, atoms and connectives, counted as a tree).
    pub limit: usize,
}

/// What replaces a variable in a substitution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Replacement {
    /// An expression, for an integer or real variable.
    Expression(LinearExpression),
    /// A formula, for a Boolean variable.
    Formula(Formula),
}

/// A simultaneous substitution; variables without an entry stay.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Substitution {
    replacements: BTreeMap<Variable, Replacement>,
}

impl Substitution {
    /// The substitution that changes nothing.
    #[must_use]
    pub fn new() -> Substitution {
        Substitution::default()
    }

    /// Replaces a numeric variable by an expression.
    pub fn set_expression(&mut self, variable: Variable, expression: LinearExpression) {
        self.replacements
            .insert(variable, Replacement::Expression(expression));
    }

    /// Replaces a Boolean variable by a formula.
    pub fn set_formula(&mut self, variable: Variable, formula: Formula) {
        self.replacements
            .insert(variable, Replacement::Formula(formula));
    }

    /// What a variable is replaced by.
    #[must_use]
    pub fn get(&self, variable: Variable) -> Option<&Replacement> {
        self.replacements.get(&variable)
    }

    /// The expression a variable is replaced by.
    #[must_use]
    pub fn expression(&self, variable: Variable) -> Option<&LinearExpression> {
        match self.replacements.get(&variable) {
            Some(Replacement::Expression(expression)) => Some(expression),
            _ => None,
        }
    }

    /// All replacements, ascending by variable.
    pub fn iter(&self) -> impl Iterator<Item = (Variable, &Replacement)> {
        self.replacements
            .iter()
            .map(|(variable, replacement)| (*variable, replacement))
    }
}

impl Formula {
    /// A Boolean variable (`positive`) or its negation.
    #[must_use]
    pub fn literal(variable: Variable, positive: bool) -> Formula {
        Formula::Literal { variable, positive }
    }

    /// The formula that is constantly `value`.
    #[must_use]
    pub fn constant(value: bool) -> Formula {
        if value { Formula::True } else { Formula::False }
    }

    /// `expression RELATION 0`, made canonical.
    #[must_use]
    pub fn compare(
        expression: LinearExpression,
        relation: Relation,
        sorts: &(impl VariableSorts + ?Sized),
    ) -> Formula {
        Atom::compare(expression, relation, sorts).into()
    }

    /// `left <= right`
    #[must_use]
    pub fn less_or_equal(
        left: &LinearExpression,
        right: &LinearExpression,
        sorts: &(impl VariableSorts + ?Sized),
    ) -> Formula {
        Formula::compare(left.minus(right), Relation::LessOrEqual, sorts)
    }

    /// `left < right`
    #[must_use]
    pub fn less(
        left: &LinearExpression,
        right: &LinearExpression,
        sorts: &(impl VariableSorts + ?Sized),
    ) -> Formula {
        Formula::compare(left.minus(right), Relation::Less, sorts)
    }

    /// `left = right`
    #[must_use]
    pub fn equal(
        left: &LinearExpression,
        right: &LinearExpression,
        sorts: &(impl VariableSorts + ?Sized),
    ) -> Formula {
        Formula::compare(left.minus(right), Relation::Equal, sorts)
    }

    /// The simplified conjunction of the members.
    #[must_use]
    pub fn and(members: impl IntoIterator<Item = Formula>) -> Formula {
        simplify::conjunction(members)
    }

    /// The simplified disjunction of the members.
    #[must_use]
    pub fn or(members: impl IntoIterator<Item = Formula>) -> Formula {
        simplify::disjunction(members)
    }

    /// The negation, in negation normal form; at most thrice as large.
    #[must_use]
    pub fn negate(&self) -> Formula {
        match self {
            Formula::True => Formula::False,
            Formula::False => Formula::True,
            Formula::Literal { variable, positive } => Formula::literal(*variable, !positive),
            Formula::Atom(atom) => match atom.sides() {
                Some((below, above)) => Formula::or([Formula::from(below), Formula::from(above)]),
                None => atom.complement().map_or(Formula::False, Formula::from),
            },
            Formula::And(members) => Formula::or(members.iter().map(Formula::negate)),
            Formula::Or(members) => Formula::and(members.iter().map(Formula::negate)),
        }
    }

    /// The negation, when the formula has at most `limit` nodes as a tree.
    ///
    /// # Errors
    ///
    /// [`TooLarge`] otherwise: formulas share their parts in memory, and a small one can be a huge tree.
    pub fn negate_bounded(&self, limit: usize) -> Result<Formula, TooLarge> {
        self.check_size(limit)?;
        Ok(self.negate())
    }

    /// Fails when the formula has more than `limit` nodes as a tree; takes time proportional to the limit at most.
    ///
    /// # Errors
    ///
    /// [`TooLarge`].
    pub fn check_size(&self, limit: usize) -> Result<(), TooLarge> {
        fn count(formula: &Formula, left: &mut usize) -> bool {
            let Some(rest) = left.checked_sub(1) else {
                return false;
            };
            *left = rest;
            match formula {
                Formula::And(members) | Formula::Or(members) => {
                    members.iter().all(|member| count(member, left))
                }
                _ => true,
            }
        }
        let mut left = limit;
        if count(self, &mut left) {
            Ok(())
        } else {
            Err(TooLarge { limit })
        }
    }

    /// The formula with its variables renamed. The renaming must keep kinds and, on the formula's variables, be injective.
    #[must_use]
    pub fn rename(&self, renaming: &impl Fn(Variable) -> Variable) -> Formula {
        match self {
            Formula::True | Formula::False => self.clone(),
            Formula::Literal { variable, positive } => {
                Formula::literal(renaming(*variable), *positive)
            }
            Formula::Atom(atom) => atom.rename(renaming).into(),
            Formula::And(members) => {
                Formula::and(members.iter().map(|member| member.rename(renaming)))
            }
            Formula::Or(members) => {
                Formula::or(members.iter().map(|member| member.rename(renaming)))
            }
        }
    }

    /// The formula after a substitution; `sorts` tells the kinds of the variables in the result.
    ///
    /// # Errors
    ///
    /// [`TooLarge`] when the result would have more than `limit` nodes as a tree.
    pub fn substitute(
        &self,
        substitution: &Substitution,
        sorts: &(impl VariableSorts + ?Sized),
        limit: usize,
    ) -> Result<Formula, TooLarge> {
        let mut left = limit;
        self.substitute_within(substitution, sorts, &mut left)
            .ok_or(TooLarge { limit })
    }

    /// `None` when more than `left` nodes were met.
    fn substitute_within(
        &self,
        substitution: &Substitution,
        sorts: &(impl VariableSorts + ?Sized),
        left: &mut usize,
    ) -> Option<Formula> {
        *left = left.checked_sub(1)?;
        let many = |members: &[Formula], left: &mut usize| -> Option<Vec<Formula>> {
            members
                .iter()
                .map(|member| member.substitute_within(substitution, sorts, left))
                .collect()
        };
        Some(match self {
            Formula::True | Formula::False => self.clone(),
            Formula::Literal { variable, positive } => match substitution.get(*variable) {
                Some(Replacement::Formula(formula)) => {
                    let before = *left;
                    formula.check_size(before).ok()?;
                    let result = if *positive {
                        formula.clone()
                    } else {
                        formula.negate()
                    };
                    *left = before.saturating_sub(result.size());
                    result
                }
                _ => self.clone(),
            },
            Formula::Atom(atom) => {
                let expression = atom.expression();
                if expression
                    .variables()
                    .all(|variable| substitution.expression(variable).is_none())
                {
                    self.clone()
                } else {
                    let replaced =
                        expression.substitute(|variable| substitution.expression(variable));
                    Formula::compare(replaced, atom.relation(), sorts)
                }
            }
            Formula::And(members) => Formula::and(many(members, left)?),
            Formula::Or(members) => Formula::or(many(members, left)?),
        })
    }

    /// Whether the formula holds under the given values.
    #[must_use]
    pub fn evaluate(&self, values: &(impl Assignment + ?Sized)) -> bool {
        match self {
            Formula::True => true,
            Formula::False => false,
            Formula::Literal { variable, positive } => values.boolean(*variable) == *positive,
            Formula::Atom(atom) => {
                let value = atom
                    .expression()
                    .evaluate(|variable| values.number(variable));
                atom.relation().holds(&value)
            }
            Formula::And(members) => members.iter().all(|member| member.evaluate(values)),
            Formula::Or(members) => members.iter().any(|member| member.evaluate(values)),
        }
    }

    /// The members of a conjunction; any other formula is the conjunction of itself, and truth that of nothing.
    #[must_use]
    pub fn conjuncts(&self) -> &[Formula] {
        match self {
            Formula::True => &[],
            Formula::And(members) => members,
            _ => std::slice::from_ref(self),
        }
    }

    /// The members of a disjunction; any other formula is the disjunction of itself, and falsity that of nothing.
    #[must_use]
    pub fn disjuncts(&self) -> &[Formula] {
        match self {
            Formula::False => &[],
            Formula::Or(members) => members,
            _ => std::slice::from_ref(self),
        }
    }

    /// The variables that occur.
    #[must_use]
    pub fn variables(&self) -> BTreeSet<Variable> {
        let mut variables = BTreeSet::new();
        self.for_each_leaf(&mut |leaf| match leaf {
            Formula::Literal { variable, .. } => {
                variables.insert(*variable);
            }
            Formula::Atom(atom) => variables.extend(atom.expression().variables()),
            _ => {}
        });
        variables
    }

    /// The literals and atoms that occur, each once, sorted.
    #[must_use]
    pub fn atoms(&self) -> BTreeSet<Formula> {
        let mut atoms = BTreeSet::new();
        self.for_each_leaf(&mut |leaf| {
            if !atoms.contains(leaf) {
                atoms.insert(leaf.clone());
            }
        });
        atoms
    }

    /// Visits the literals and atoms from left to right, each as often as it occurs.
    pub fn for_each_leaf(&self, visit: &mut impl FnMut(&Formula)) {
        match self {
            Formula::True | Formula::False => {}
            Formula::Literal { .. } | Formula::Atom(_) => visit(self),
            Formula::And(members) | Formula::Or(members) => {
                for member in members.iter() {
                    member.for_each_leaf(visit);
                }
            }
        }
    }

    /// The number of nodes: constants, literals, atoms and connectives, as a tree.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Formula::And(members) | Formula::Or(members) => members
                .iter()
                .map(Formula::size)
                .fold(1, usize::saturating_add),
            _ => 1,
        }
    }

    /// Writes the formula with the given names.
    #[must_use]
    pub fn display<'a>(&'a self, name: &'a dyn Fn(Variable) -> String) -> FormulaDisplay<'a> {
        FormulaDisplay {
            formula: self,
            name,
        }
    }
}

impl From<Atom> for Formula {
    fn from(atom: Atom) -> Formula {
        Formula::Atom(Arc::new(atom))
    }
}

impl From<Comparison> for Formula {
    fn from(comparison: Comparison) -> Formula {
        match comparison {
            Comparison::Constant(value) => Formula::constant(value),
            Comparison::Atom(atom) => atom.into(),
        }
    }
}

/// A formula with names for its variables, to be written.
pub struct FormulaDisplay<'a> {
    formula: &'a Formula,
    name: &'a dyn Fn(Variable) -> String,
}

impl fmt::Display for FormulaDisplay<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.formula {
            Formula::True => formatter.write_str("true"),
            Formula::False => formatter.write_str("false"),
            Formula::Literal { variable, positive } => {
                formatter.write_str(if *positive { "" } else { "not " })?;
                formatter.write_str(&(self.name)(*variable))
            }
            Formula::Atom(atom) => fmt::Display::fmt(&atom.display(self.name), formatter),
            Formula::And(members) => self.join(members, " and ", formatter),
            Formula::Or(members) => self.join(members, " or ", formatter),
        }
    }
}

impl FormulaDisplay<'_> {
    fn join(
        &self,
        members: &[Formula],
        connective: &str,
        formatter: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        for (position, member) in members.iter().enumerate() {
            if position > 0 {
                formatter.write_str(connective)?;
            }
            let member_display = member.display(self.name);
            if matches!(member, Formula::And(_) | Formula::Or(_)) {
                write!(formatter, "({member_display})")?;
            } else {
                write!(formatter, "{member_display}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Formula {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(
            &self.display(&|variable| format!("v{}", variable.0)),
            formatter,
        )
    }
}

#[cfg(test)]
mod tests;
