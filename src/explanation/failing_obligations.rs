//! The obligations that fail without one of a proof's facts, each with a concrete state or step as a counterexample.
//!
//! A fact is taken out of the labels that say it, the obligations are stated anew, and those that may fail are put to the solver: all
//! at once, then all but those that are known to fail, until none is left. Invariant: a failure is reported only when evaluation alone
//! confirms its counterexample, and a fact counts as needed by nothing only when the solver has excluded every failure.

use crate::solvers::{
    Outcome, Session, Solver, SolverError, SolverModel, StopSignal, Z3Solver, budgets, with_session,
};
use slabcert_certificates::certificate::{Certificate, Evidence};
use slabcert_certificates::obligations::{Obligation, ObligationKind, obligations};
use slabcert_certificates::system::{StateVariable, System};
use slabcert_certificates::term::{Sort, Symbol, Term, Value};
use slabcert_certificates::trace::Valuation;
use std::collections::BTreeSet;

/// The greatest sizes of numbers that are tried in a counterexample before any number will do.
const SMALL_SIZES: [i64; 2] = [3, 20];

/// An obligation that fails, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailingObligation {
    /// The obligation.
    pub kind: ObligationKind,
    /// The state before the step, or the one that violates the property.
    pub before: Valuation,
    /// The inputs of the step, or of the violation.
    pub inputs: Valuation,
    /// The state after the step.
    pub after: Option<Valuation>,
    /// Whether a variable with named values, or a process, has a value without a name: the model has no such state.
    pub is_impossible: bool,
}

/// What is lost without a fact.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FailingObligations {
    /// The obligations that fail: properties first, then transitions, in the order of the certificate.
    pub found: Vec<FailingObligation>,
    /// Whether there are no others.
    pub is_complete: bool,
}

/// What is left out.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The index of the diagram in the certificate.
    pub diagram: usize,
    /// The conjuncts: the index of the node, and the index in its label.
    pub conjuncts: &'a [(usize, usize)],
}

/// Finds what is lost without each of the facts, with at most so many queries for all of them.
///
/// # Errors
/// When there is no solver of the right version. A solver that does not know leaves failing incomplete.
pub fn failing_obligations(
    system: &System,
    certificate: &Certificate,
    questions: &[Question<'_>],
    queries: u64,
    stop: &StopSignal,
) -> Result<Vec<FailingObligations>, SolverError> {
    with_session(stop, |session| {
        let mut search = FailureSearch::new(system, certificate, session, queries);
        questions
            .iter()
            .map(|question| search.without(question))
            .collect()
    })
}

struct FailureSearch<'a> {
    system: &'a System,
    certificate: &'a Certificate,
    solver: Z3Solver,
    /// Begins the names of the Booleans that choose an obligation.
    prefix: String,
    queries: u64,
}

impl<'a> FailureSearch<'a> {
    fn new(
        system: &'a System,
        certificate: &'a Certificate,
        session: &Session,
        queries: u64,
    ) -> FailureSearch<'a> {
        let mut solver = session.solver();
        solver.set_budget(budgets::EXAMPLE);
        FailureSearch {
            system,
            certificate,
            solver,
            prefix: system.unused_prefix(".chooses."),
            queries,
        }
    }

    fn without(&mut self, question: &Question<'_>) -> FailingObligations {
        let Some(affected) = self.affected(question) else {
            return FailingObligations::default();
        };
        let (properties, steps): (Vec<Obligation>, Vec<Obligation>) = affected
            .into_iter()
            .partition(|obligation| matches!(obligation.kind, ObligationKind::Safety { .. }));
        let mut all = FailingObligations {
            found: Vec::new(),
            is_complete: true,
        };
        for obligations in [properties, steps] {
            let part = self.failing(&obligations);
            all.found.extend(part.found);
            all.is_complete &= part.is_complete;
        }
        all
    }

    /// The obligations, without the fact, that may fail although they hold with it.
    fn affected(&self, question: &Question<'_>) -> Option<Vec<Obligation>> {
        let mut weaker = self.certificate.clone();
        let diagram = weaker.diagrams.get_mut(question.diagram)?;
        let mut nodes = BTreeSet::new();
        for (index, node) in diagram.nodes.iter_mut().enumerate() {
            let dropped: BTreeSet<usize> = question
                .conjuncts
                .iter()
                .filter(|(of, _)| *of == index)
                .map(|(_, conjunct)| *conjunct)
                .collect();
            if dropped.is_empty() {
                continue;
            }
            nodes.insert(node.id);
            let label = std::mem::take(&mut node.label).into_iter().enumerate();
            node.label = label
                .filter(|(conjunct, _)| !dropped.contains(conjunct))
                .map(|(_, term)| term)
                .collect();
        }
        let name = diagram.name.clone();
        let is_used_by = |first: &str, property: usize| {
            self.certificate.claims.iter().any(|claim| {
                claim.property == property
                    && matches!(&claim.evidence, Evidence::Safe(names)
                        if names.first().is_some_and(|one| one == first) && names.contains(&name))
            })
        };
        let all = obligations(self.system, &weaker).ok()?;
        let affected = all.into_iter().filter(|obligation| match &obligation.kind {
            ObligationKind::Cover
            | ObligationKind::Translation(_)
            | ObligationKind::Initiation { .. } => false,
            ObligationKind::Reduction { diagram, .. } => *diagram == name,
            ObligationKind::Consecution { diagram, node, .. } => {
                let assumes = |other: &str| {
                    let other = self.certificate.diagram(other);
                    other.is_some_and(|other| other.assumes.contains(&name))
                };
                if *diagram == name {
                    nodes.contains(node)
                } else {
                    assumes(diagram)
                }
            }
            ObligationKind::Safety {
                property,
                diagram,
                node,
            } => is_used_by(diagram, *property) && (*diagram != name || nodes.contains(node)),
        });
        Some(affected.collect())
    }

    /// Those of the obligations that fail.
    fn failing(&mut self, obligations: &[Obligation]) -> FailingObligations {
        let mut failing = FailingObligations::default();
        let mut found: Vec<(usize, FailingObligation)> = Vec::new();
        self.solver.push();
        let chooses: Vec<Term> = (0..obligations.len())
            .map(|number| Term::named(&format!("{}{number}", self.prefix), Sort::Bool))
            .collect();
        for (chosen, obligation) in chooses.iter().zip(obligations) {
            let fails = Term::and(obligation.assertions.iter().cloned());
            self.solver.assert(&chosen.clone().implies(fails));
        }
        let mut open: Vec<usize> = (0..obligations.len()).collect();
        loop {
            let any = Term::or(open.iter().map(|&number| chooses[number].clone()));
            match self.ask(&any, &[]) {
                Some(Outcome::Unsatisfiable(_)) => {
                    failing.is_complete = true;
                    break;
                }
                Some(Outcome::Satisfiable(model)) => {
                    let holds = |chosen: &Term| {
                        let value = chosen.as_symbol().and_then(|symbol| model.value(symbol));
                        value == Some(Value::Bool(true))
                    };
                    let Some(index) = open.iter().position(|&number| holds(&chooses[number]))
                    else {
                        break;
                    };
                    let number = open.remove(index);
                    match self.read(&obligations[number], &model) {
                        Some(failure) => found.push((number, failure)),
                        None => break,
                    }
                }
                _ => break,
            }
        }
        found.sort_by_key(|(number, _)| *number);
        if let Some((number, failure)) = found.first_mut() {
            self.make_small(&obligations[*number], &chooses[*number], failure);
        }
        self.solver.pop();
        failing.found = found.into_iter().map(|(_, failure)| failure).collect();
        failing
    }

    fn ask(&mut self, formula: &Term, assumptions: &[Term]) -> Option<Outcome> {
        self.queries = self.queries.checked_sub(1)?;
        let mut all = vec![formula.clone()];
        all.extend_from_slice(assumptions);
        Some(self.solver.check_assuming(&all))
    }

    /// Replaces a counterexample by one that the model's reader would accept, if there is any: each named value exists, and
    /// numbers are small.
    fn make_small(
        &mut self,
        obligation: &Obligation,
        chosen: &Term,
        failure: &mut FailingObligation,
    ) {
        let named = self.named_values();
        let with_sizes = SMALL_SIZES.map(|size| [named.clone(), self.small_numbers(size)].concat());
        for wanted in with_sizes.into_iter().chain([named]) {
            if let Some(Outcome::Satisfiable(model)) = self.ask(chosen, &wanted)
                && let Some(smaller) = self.read(obligation, &model)
            {
                *failure = smaller;
                return;
            }
        }
    }

    /// That each variable with named values has one of them.
    fn named_values(&self) -> Vec<Term> {
        let mut found = Vec::new();
        for variable in &self.system.variables {
            if let Some(table) = &variable.values
                && variable.sort() == Sort::Int
            {
                let last = table.values.len().saturating_sub(1);
                for symbol in [&variable.current, &variable.next] {
                    found.push(between(symbol, Term::int(0), Term::int(last)));
                }
            }
        }
        found
    }

    /// That no number of a state or an input is far from 0.
    fn small_numbers(&self, size: i64) -> Vec<Term> {
        let variables = self.system.variables.iter();
        let numbers = variables.filter(|variable| variable.values.is_none());
        numbers
            .flat_map(|variable| [&variable.current, &variable.next])
            .chain(self.system.inputs.iter().map(|input| &input.symbol))
            .filter_map(|symbol| match symbol.sort() {
                Sort::Bool => None,
                Sort::Int => Some(between(symbol, Term::int(-size), Term::int(size))),
                Sort::Real => Some(between(
                    symbol,
                    Term::int(-size).to_real(),
                    Term::int(size).to_real(),
                )),
            })
            .collect()
    }

    /// The states and inputs of a model, if evaluation confirms them.
    fn read(&self, obligation: &Obligation, model: &SolverModel) -> Option<FailingObligation> {
        let value = |symbol: &Symbol| {
            let value = model.value(symbol);
            Some(value.unwrap_or_else(|| Value::default_of(symbol.sort())))
        };
        let mut assertions = obligation.assertions.iter();
        if !assertions.all(|assertion| assertion.holds(&value) == Ok(true)) {
            return None;
        }
        let (mut before, mut after) = (Valuation::new(), Valuation::new());
        for variable in &self.system.variables {
            let name = variable.name().to_owned();
            before.insert(name.clone(), value(&variable.current)?);
            after.insert(name, value(&variable.next)?);
        }
        let used = obligation.symbols();
        let inputs = self.system.inputs.iter().map(|input| &input.symbol);
        let inputs = inputs
            .filter(|symbol| used.contains(*symbol))
            .filter_map(|symbol| Some((symbol.name().to_owned(), value(symbol)?)))
            .collect();
        let is_step = matches!(obligation.kind, ObligationKind::Consecution { .. });
        let is_impossible = self.system.variables.iter().any(|variable| {
            let states = [Some(&before), is_step.then_some(&after)];
            let mut values = states
                .into_iter()
                .flatten()
                .filter_map(|it| it.get(variable.name()));
            values.any(|value| !has_name(variable, value))
        });
        Some(FailingObligation {
            kind: obligation.kind.clone(),
            before,
            inputs,
            after: is_step.then_some(after),
            is_impossible,
        })
    }
}

/// That a value is neither below nor above the bounds.
fn between(symbol: &Symbol, low: Term, high: Term) -> Term {
    let value = Term::symbol(symbol.clone());
    Term::and([low.less_or_equal(value.clone()), value.less_or_equal(high)])
}

/// Whether the value has a name, if the variable's values have names.
fn has_name(variable: &StateVariable, value: &Value) -> bool {
    let Some(table) = &variable.values else {
        return true;
    };
    match value {
        Value::Int(number) => usize::try_from(number).is_ok_and(|index| index < table.values.len()),
        _ => true,
    }
}
