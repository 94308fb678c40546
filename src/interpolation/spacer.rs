//! Interpolants from Spacer, Z3's solver for constrained Horn clauses.
//!
//! An interpolant is a solution of two clauses without recursion: A implies R of the variables that both sides share, and R and B
//! contradict. Preprocessing stays off, since it would inline R and leave nothing to read. The method takes what the exact solver
//! finds too hard, at the price of a slower start. Its formulas are as good as Spacer's generalisation; [`super`] says who checks
//! them.

use super::{InterpolationError, Interpolator, Method, Problem};
use crate::arithmetic::{
    Formula, Kind, LinearExpression, Relation, Replacement, Translator, Variable, VariableSorts,
    VariableTable,
};
use crate::solvers::{
    Application, Budget, Clause, HornOptions, HornOutcome, HornProblem, HornRelation, Session,
    budgets,
};
use slabcert_certificates::term::{Sort, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// The method, to be chosen.
pub const METHOD: Method = Method {
    name: "spacer",
    wants_vocabulary: false,
    make: |_, session| Box::new(Spacer::new(session, budgets::PATH_CLAUSES)),
};

/// The largest interpolant that is taken, in nodes as a tree.
const LARGEST_FORMULA: usize = 5_000;

/// The method. It belongs to the thread of its session.
pub struct Spacer {
    session: Session,
    budget: Budget,
}

impl Spacer {
    /// The method, with what one interpolant may cost.
    #[must_use]
    pub fn new(session: &Session, budget: Budget) -> Spacer {
        Spacer {
            session: session.clone(),
            budget,
        }
    }
}

impl Interpolator for Spacer {
    fn name(&self) -> &'static str {
        METHOD.name
    }

    fn interpolate(&mut self, problem: &Problem<'_>) -> Result<Vec<Formula>, InterpolationError> {
        let sides = [side(problem, true), side(problem, false)];
        let [seen, also_seen] = sides.each_ref().map(Formula::variables);
        let names = ClauseNames::new(problem.sorts, seen.union(&also_seen));
        let common = problem
            .shared
            .iter()
            .filter(|variable| seen.contains(variable) && also_seen.contains(variable));
        let parameters: Vec<Symbol> = common
            .filter_map(|variable| names.symbol(*variable))
            .collect();
        let [a, b] = sides.each_ref().map(|side| names.term(side));
        let relation = Application {
            relation: 0,
            arguments: parameters.iter().cloned().map(Term::symbol).collect(),
        };
        let clauses = HornProblem {
            relations: vec![HornRelation { parameters }],
            clauses: vec![
                Clause {
                    body: vec![],
                    constraint: a,
                    head: Some(relation.clone()),
                },
                Clause {
                    body: vec![relation],
                    constraint: b,
                    head: None,
                },
            ],
        };
        let options = HornOptions {
            preprocessing: false,
            budget: self.budget,
            ..HornOptions::default()
        };
        match self.session.solve_horn(&clauses, options) {
            HornOutcome::Solved(solution) => {
                let interpolant = solution.first().map(|term| names.formula(term));
                interpolant
                    .transpose()
                    .map(|formula| formula.into_iter().collect())
            }
            HornOutcome::Refuted(_) => Err(InterpolationError::Satisfiable),
            HornOutcome::Unknown(reason) => {
                Err(InterpolationError::NotApplicable(reason.to_string()))
            }
        }
    }
}

/// All that a side says, its updates as equations.
fn side(problem: &Problem<'_>, before_cut: bool) -> Formula {
    let belongs = |partition: u32| (partition < problem.cut) == before_cut;
    let constraints = problem.constraints.iter();
    let constraints = constraints
        .filter(|constraint| belongs(constraint.partition))
        .map(|constraint| constraint.formula.clone());
    let definitions = problem.definitions.iter();
    let definitions = definitions
        .filter(|definition| belongs(definition.partition))
        .map(|definition| equation(definition.variable, &definition.value, problem.sorts));
    Formula::and(constraints.chain(definitions))
}

fn equation(variable: Variable, value: &Replacement, sorts: &dyn VariableSorts) -> Formula {
    match value {
        Replacement::Expression(expression) => {
            let difference = LinearExpression::variable(variable).minus(expression);
            Formula::compare(difference, Relation::Equal, sorts)
        }
        Replacement::Formula(formula) => {
            let is_true = Formula::literal(variable, true);
            Formula::or([
                Formula::and([is_true.clone(), formula.clone()]),
                Formula::and([is_true.negate(), formula.negate()]),
            ])
        }
    }
}

/// A symbol for each variable of a problem, and back.
struct ClauseNames {
    table: VariableTable,
    /// The table's number of each of the problem's variables.
    inside: BTreeMap<Variable, Variable>,
    outside: BTreeMap<Variable, Variable>,
}

impl ClauseNames {
    fn new<'v>(
        sorts: &dyn VariableSorts,
        variables: impl Iterator<Item = &'v Variable>,
    ) -> ClauseNames {
        let mut made = ClauseNames {
            table: VariableTable::default(),
            inside: BTreeMap::new(),
            outside: BTreeMap::new(),
        };
        for variable in variables {
            let sort = match sorts.kind(*variable) {
                Kind::Boolean => Sort::Bool,
                Kind::Integer => Sort::Int,
                Kind::Real => Sort::Real,
            };
            let number = made
                .table
                .symbol(&Symbol::new(variable.0.to_string(), sort));
            made.inside.insert(*variable, number);
            made.outside.insert(number, *variable);
        }
        made
    }

    fn symbol(&self, variable: Variable) -> Option<Symbol> {
        let number = self.inside.get(&variable)?;
        self.table.term(*number)?.as_symbol().cloned()
    }

    fn term(&self, formula: &Formula) -> Term {
        let inside = |variable| self.inside.get(&variable).copied().unwrap_or(variable);
        self.table.formula_to_term(&formula.rename(&inside))
    }

    fn formula(mut self, term: &Term) -> Result<Formula, InterpolationError> {
        let translated = Translator::new(&mut self.table, LARGEST_FORMULA).formula(term);
        let formula =
            translated.map_err(|error| InterpolationError::NotApplicable(error.to_string()))?;
        let known: BTreeSet<Variable> = self.outside.keys().copied().collect();
        if !formula.variables().is_subset(&known) {
            let words = "Spacer's answer is not linear".to_owned();
            return Err(InterpolationError::NotApplicable(words));
        }
        let outside = |variable| self.outside.get(&variable).copied().unwrap_or(variable);
        Ok(formula.rename(&outside))
    }
}

#[cfg(test)]
mod tests;
