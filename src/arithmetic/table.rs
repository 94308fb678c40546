//! The table between terms and the solver's variables, and the way back from formulas to terms.
//!
//! A variable stands for a symbol, or for an arithmetic term that is not linear by itself (a quotient, a large case distinction). The
//! latter is *auxiliary*: its value is determined by its definitions, formulas that must accompany every formula that mentions it.

use super::formula::Formula;
use super::linear::{Kind, LinearExpression, Relation, Variable, VariableSorts};
use super::number::Rational;
use num_rational::BigRational;
use rustc_hash::FxHashMap;
use slabcert_certificates::term::{Operator, Sort, Symbol, Term, TermError, Value};
use std::collections::BTreeSet;

struct Entry {
    term: Term,
    kind: Kind,
    /// What determines an auxiliary variable; nothing for symbols.
    definitions: Vec<Formula>,
}

/// Variables and the terms that they stand for.
#[derive(Default)]
pub struct VariableTable {
    entries: Vec<Entry>,
    variables: FxHashMap<Term, Variable>,
}

/// What a term of that sort ranges over as a variable.
#[must_use]
pub fn kind_of(sort: Sort) -> Kind {
    match sort {
        Sort::Bool => Kind::Boolean,
        Sort::Int => Kind::Integer,
        Sort::Real => Kind::Real,
    }
}

impl VariableSorts for VariableTable {
    fn kind(&self, variable: Variable) -> Kind {
        self.entries
            .get(variable.index())
            .map_or(Kind::Real, |entry| entry.kind)
    }
}

impl VariableTable {
    /// The variable of a term, new if there is none. Variables are numbered in the order of first use.
    pub fn variable(&mut self, term: &Term) -> Variable {
        if let Some(variable) = self.variables.get(term) {
            return *variable;
        }
        let number = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
        self.entries.push(Entry {
            term: term.clone(),
            kind: kind_of(term.sort()),
            definitions: Vec::new(),
        });
        self.variables.insert(term.clone(), Variable(number));
        Variable(number)
    }

    /// The variable of a symbol, new if there is none.
    pub fn symbol(&mut self, symbol: &Symbol) -> Variable {
        self.variable(&Term::symbol(symbol.clone()))
    }

    /// The variable of a term, if it has one.
    #[must_use]
    pub fn known(&self, term: &Term) -> Option<Variable> {
        self.variables.get(term).copied()
    }

    /// Says what determines an auxiliary variable.
    pub(super) fn define(&mut self, variable: Variable, definitions: Vec<Formula>) {
        if let Some(entry) = self.entries.get_mut(variable.index()) {
            entry.definitions = definitions;
        }
    }

    /// The number of variables.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no variable.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The term that a variable stands for.
    #[must_use]
    pub fn term(&self, variable: Variable) -> Option<&Term> {
        self.entries.get(variable.index()).map(|entry| &entry.term)
    }

    /// Whether the variable stands for more than a symbol.
    #[must_use]
    pub fn is_auxiliary(&self, variable: Variable) -> bool {
        self.term(variable)
            .is_some_and(|term| term.as_symbol().is_none())
    }

    /// The definitions of all auxiliary variables that a formula mentions, and of those that the definitions mention.
    #[must_use]
    pub fn definitions(&self, formula: &Formula) -> Vec<Formula> {
        let mut found = Vec::new();
        let mut seen = BTreeSet::new();
        let mut open: Vec<Variable> = formula.variables().into_iter().collect();
        while let Some(variable) = open.pop() {
            let Some(entry) = self.entries.get(variable.index()) else {
                continue;
            };
            if entry.definitions.is_empty() || !seen.insert(variable) {
                continue;
            }
            for definition in &entry.definitions {
                open.extend(definition.variables());
                found.push(definition.clone());
            }
        }
        found
    }

    /// The variables that have definitions, in the order of first use.
    pub fn defined(&self) -> impl Iterator<Item = Variable> + '_ {
        let numbered = (0..).map(Variable).zip(&self.entries);
        numbered
            .filter(|(_, entry)| !entry.definitions.is_empty())
            .map(|(variable, _)| variable)
    }

    /// The expression as a number of that sort, as people write it: what is added first, then what is subtracted.
    ///
    /// # Errors
    /// When the term would nest too deeply.
    pub fn expression_to_term(
        &self,
        expression: &LinearExpression,
        sort: Sort,
    ) -> Result<Term, TermError> {
        let (mut added, mut subtracted) = self.summands(expression, sort);
        let constant = expression.constant_part();
        if constant.is_negative() && !added.is_empty() {
            subtracted.push(number(&-constant, sort));
        } else if !constant.is_zero() {
            added.push(number(constant, sort));
        }
        let (is_sum, is_difference) = (!added.is_empty(), !subtracted.is_empty());
        let (added, subtracted) = (Term::sum(added, sort), Term::sum(subtracted, sort));
        match (is_sum, is_difference) {
            (true, true) => Term::apply(Operator::Subtract, vec![added, subtracted]),
            (false, true) => Term::apply(Operator::Negate, vec![subtracted]),
            _ => Ok(added),
        }
    }

    /// The formula as a term: comparisons with the variables of positive coefficient on the left, the others on the right.
    #[must_use]
    pub fn formula_to_term(&self, formula: &Formula) -> Term {
        match formula {
            Formula::True => Term::bool(true),
            Formula::False => Term::bool(false),
            Formula::Literal { variable, positive } => {
                let term = self.variable_term(*variable, Sort::Bool);
                if *positive { term } else { term.not() }
            }
            Formula::Atom(atom) => self.comparison(atom.expression(), atom.relation()),
            Formula::And(members) => {
                Term::and(members.iter().map(|member| self.formula_to_term(member)))
            }
            Formula::Or(members) => {
                if let Some(equation) = self.excluded_equation(members) {
                    return equation.not();
                }
                Term::or(members.iter().map(|member| self.formula_to_term(member)))
            }
        }
    }

    /// The equation that is false where one of two comparisons holds: `x <= 0` or `x >= 2` says that `x = 1` does not hold.
    fn excluded_equation(&self, members: &[Formula]) -> Option<Term> {
        let [Formula::Atom(left), Formula::Atom(right)] = members else {
            return None;
        };
        let sum = left.expression().plus(right.expression());
        if !sum.is_constant() || left.relation() != right.relation() {
            return None;
        }
        let gap = match left.relation() {
            Relation::LessOrEqual if left.is_integral() && right.is_integral() => 1,
            Relation::Less => 0,
            _ => return None,
        };
        if *sum.constant_part() != Rational::from(2 * gap) {
            return None;
        }
        let mut expression = left.expression().clone();
        expression.add_constant(&Rational::from(-gap));
        Some(self.comparison(&expression, Relation::Equal))
    }

    fn variable_term(&self, variable: Variable, sort: Sort) -> Term {
        match self.term(variable) {
            Some(term) => term.clone(),
            None => Term::named(&format!("variable!{}", variable.0), sort),
        }
    }

    /// The variables with positive coefficients, and those with negative ones, times the coefficients' absolute values.
    fn summands(&self, expression: &LinearExpression, sort: Sort) -> (Vec<Term>, Vec<Term>) {
        let mut positive = Vec::new();
        let mut negative = Vec::new();
        for (variable, coefficient) in expression.terms() {
            let term = self.variable_term(*variable, sort);
            let term = if sort == Sort::Real {
                term.to_real()
            } else {
                term
            };
            let scaled = scale(term, &coefficient.abs(), sort);
            if coefficient.is_negative() {
                negative.push(scaled);
            } else {
                positive.push(scaled);
            }
        }
        (positive, negative)
    }

    fn comparison(&self, expression: &LinearExpression, relation: Relation) -> Term {
        let is_integral = expression
            .variables()
            .all(|variable| self.kind(variable) == Kind::Integer)
            && expression.constant_part().is_integer();
        let sort = if is_integral { Sort::Int } else { Sort::Real };
        let (mut left, mut right) = self.summands(expression, sort);
        let constant = expression.constant_part();
        // Only upper bounds of negated variables: `-x + 3 <= 0` reads `x >= 3`.
        if left.is_empty() {
            let bound = number(constant, sort);
            let sum = Term::sum(right, sort);
            return match relation {
                Relation::Equal => sum.equals(bound),
                Relation::LessOrEqual => compare(Operator::GreaterOrEqual, sum, bound),
                Relation::Less => compare(Operator::Greater, sum, bound),
            };
        }
        if right.is_empty() || !constant.is_zero() && constant.is_negative() {
            right.push(number(&-constant, sort));
        } else if constant.is_positive() {
            left.push(number(constant, sort));
        }
        let (left, right) = (Term::sum(left, sort), Term::sum(right, sort));
        match relation {
            Relation::Equal => left.equals(right),
            Relation::LessOrEqual => left.less_or_equal(right),
            Relation::Less => left.less(right),
        }
    }
}

fn compare(operator: Operator, left: Term, right: Term) -> Term {
    // Both sides have one sort, so the comparison is well-sorted.
    Term::apply(operator, vec![left, right]).unwrap_or_else(|_| Term::bool(false))
}

fn number(value: &Rational, sort: Sort) -> Term {
    let big: BigRational = value.to_big();
    match sort {
        Sort::Int => Term::constant(Value::Int(big.to_integer())),
        Sort::Bool | Sort::Real => Term::real(big),
    }
}

fn scale(term: Term, factor: &Rational, sort: Sort) -> Term {
    if factor.is_one() {
        return term;
    }
    // The factor has the term's sort, so the product is well-sorted.
    Term::apply(Operator::Multiply, vec![number(factor, sort), term.clone()]).unwrap_or(term)
}
