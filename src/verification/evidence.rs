//! From an engine's answer to evidence worth showing: what else it proves, and how small it can be.

use super::statistics::MinimisationStatistics;
use crate::minimise::{Bound, Minimised, Problem, minimise, minimise_trace};
use crate::solvers::{Outcome, Session, Solver, StopSignal, budgets, with_session};
use slabcert_certificates::certificate::NamedRelation;
use slabcert_certificates::diagram::{Diagram, Node};
use slabcert_certificates::system::{Property, System};
use slabcert_certificates::term::{Symbol, Term, Value};
use slabcert_certificates::trace::{Trace, Valuation};

/// What an answer is about.
pub(super) struct Context<'a> {
    pub system: &'a System,
    pub transitions: &'a [NamedRelation],
    pub stop: &'a StopSignal,
    /// The queries that minimising a diagram may cost; 0 leaves it alone.
    pub queries: u64,
}

/// A proof, the properties it proves, and what was done to it.
pub(super) struct Proof {
    pub diagrams: Vec<Diagram>,
    /// The properties, by number.
    pub properties: Vec<usize>,
    pub minimisation: Option<MinimisationStatistics>,
    /// Whether it is known that all obligations hold in the system.
    pub is_established: bool,
}

/// Finds which other properties a proof proves, and minimises it.
pub(super) fn refine_proof(
    context: &Context<'_>,
    diagrams: &[Diagram],
    property: &Property,
    others: &[&Property],
) -> Proof {
    let unrefined = || Proof {
        diagrams: diagrams.to_vec(),
        properties: vec![property.index],
        minimisation: None,
        is_established: false,
    };
    let [diagram] = diagrams else {
        return unrefined();
    };
    // What a reduced diagram excludes it excludes for its own property.
    if diagram.is_reduced() {
        return unrefined();
    }
    let refined = with_session(context.stop, |session| {
        let proved: Vec<&Property> = std::iter::once(property)
            .chain(
                others
                    .iter()
                    .copied()
                    .filter(|other| excludes_violation(diagram, other, session)),
            )
            .collect();
        let smaller =
            (context.queries > 0).then(|| make_smaller(context, diagram, &proved, session));
        let numbers = proved.iter().map(|property| property.index).collect();
        (numbers, smaller)
    });
    // Without a solver there is no refinement; that it is missing, the engine has said.
    let Ok((properties, smaller)) = refined else {
        return unrefined();
    };
    let is_established = matches!(&smaller, Some(it) if it.bound == Bound::None);
    let minimisation = smaller.as_ref().map(|smaller| MinimisationStatistics {
        property: property.name.clone(),
        before: smaller.before,
        after: smaller.after,
        queries: smaller.queries,
        bounded_by: describe(smaller.bound),
    });
    Proof {
        diagrams: vec![smaller.map_or_else(|| diagram.clone(), |smaller| smaller.diagram)],
        properties,
        minimisation,
        is_established,
    }
}

fn excludes_violation(diagram: &Diagram, property: &Property, session: &Session) -> bool {
    let mut solver = session.solver();
    solver.set_budget(budgets::OTHER_PROPERTY);
    solver.assert(&property.formula.clone().not());
    diagram
        .nodes
        .iter()
        .all(|Node { label, .. }| matches!(solver.check_assuming(label), Outcome::Unsatisfiable(_)))
}

fn make_smaller(
    context: &Context<'_>,
    diagram: &Diagram,
    proved: &[&Property],
    session: &Session,
) -> Minimised {
    let formulas: Vec<&Term> = proved.iter().map(|property| &property.formula).collect();
    let problem = Problem {
        system: context.system,
        transitions: context.transitions,
        properties: &formulas,
    };
    minimise(
        &problem,
        diagram,
        context.queries,
        &mut session.solver(),
        context.stop,
    )
}

fn describe(bound: Bound) -> Option<String> {
    match bound {
        Bound::None => None,
        Bound::Queries(limit) => Some(format!("the limit of {limit} queries")),
        Bound::Stopped(cause) => Some(cause.to_string()),
        Bound::NotEstablished => Some("an obligation could not be established".to_owned()),
    }
}

/// Makes a trace shorter, and lets fewer values change in it.
pub(super) fn refine_trace(
    context: &Context<'_>,
    trace: &Trace,
    property: &Property,
    has_fewest_steps: bool,
) -> Trace {
    if context.queries == 0 {
        return trace.clone();
    }
    let (system, queries) = (context.system, context.queries);
    let refined = with_session(context.stop, |session| {
        minimise_trace(system, property, trace, has_fewest_steps, queries, session).trace
    });
    refined.unwrap_or_else(|_| trace.clone())
}

/// The shortest prefix of a trace whose last state violates the property with inputs of the trace.
pub(super) fn violating_prefix(trace: &Trace, property: &Property) -> Option<Trace> {
    let inputs = trace.steps.iter().map(|step| &step.inputs);
    let inputs = inputs.chain([&trace.final_inputs]);
    let violates = |(state, inputs): (&Valuation, &Valuation)| {
        let value = |symbol: &Symbol| {
            let given = state
                .get(symbol.name())
                .or_else(|| inputs.get(symbol.name()));
            let default = || Value::default_of(symbol.sort());
            Some(given.cloned().unwrap_or_else(default))
        };
        property.formula.holds(&value) == Ok(false)
    };
    let length = trace.states.iter().zip(inputs.clone()).position(violates)?;
    Some(Trace {
        states: trace.states.iter().take(length + 1).cloned().collect(),
        steps: trace.steps.iter().take(length).cloned().collect(),
        final_inputs: inputs.clone().nth(length)?.clone(),
    })
}
