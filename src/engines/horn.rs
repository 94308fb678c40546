//! Reachability as constrained Horn clauses, solved by Spacer (Komuravelli, Gurfinkel and Chaki, 2014).
//!
//! One unknown relation over the state variables, or one for each location of the only process, contains the initial states, is closed
//! under steps, and must exclude violations. A solution becomes a diagram: a node for each location, or for each of its disjuncts where
//! they are few, else one node. A refutation becomes a trace.
//! Invariant: a missing edge was shown impossible, and traces were replayed.

mod control;
mod locations;
#[cfg(test)]
mod tests;

use super::unrolling::{Unrolling, Violation};
use super::{Engine, EngineAnswer, EngineOptions, Event, MAIN_DIAGRAM, Progress, StopReason, Task};
use crate::solvers::{
    Application, Clause, HornOptions, HornOutcome, HornProblem, HornRelation, Outcome, Session,
    Solver, Z3Solver, with_session, write_horn,
};
use clap::builder::PossibleValue;
use clap::{ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueEnum};
use control::Booleans;
use locations::Locations;
use slabcert_certificates::diagram::{Diagram, Edge, Node};
use slabcert_certificates::system::{Property, System};
use slabcert_certificates::term::{Operator, Term, Value};
use std::collections::BTreeMap;

/// The most nodes into which a solution is split.
const MAXIMAL_NODES: usize = 12;

/// How the system's steps become clauses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Steps {
    /// One clause for the whole transition relation, usually the fastest by far where several processes run.
    Monolithic,
    /// One clause for each named transition.
    PerTransition,
    /// A relation for each location of the only process, and one clause for each named transition, which programs with one process need;
    /// all other systems as in one clause.
    #[default]
    PerLocation,
}

/// How variables whose few values have names, such as locations, are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Control {
    /// As integers.
    Numbers,
    /// As the binary digits of the value, each a Boolean; on most systems with locations 1.3 to 3 times faster.
    #[default]
    Binary,
}

/// How a system becomes Horn clauses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Encoding {
    /// How its steps become clauses.
    pub steps: Steps,
    /// How its variables with named values are told.
    pub control: Control,
}

impl ValueEnum for Encoding {
    fn value_variants<'a>() -> &'a [Encoding] {
        const fn encoding(steps: Steps, control: Control) -> Encoding {
            Encoding { steps, control }
        }
        &const {
            [
                encoding(Steps::Monolithic, Control::Numbers),
                encoding(Steps::Monolithic, Control::Binary),
                encoding(Steps::PerTransition, Control::Numbers),
                encoding(Steps::PerTransition, Control::Binary),
                encoding(Steps::PerLocation, Control::Binary),
            ]
        }
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(match (self.steps, self.control) {
            (Steps::Monolithic, Control::Numbers) => "mono",
            (Steps::Monolithic, Control::Binary) => "mono-binary",
            (Steps::PerTransition, Control::Numbers) => "per-transition",
            (Steps::PerTransition, Control::Binary) => "per-transition-binary",
            (Steps::PerLocation, _) => "per-location",
        }))
    }
}

/// The user's choices for this engine.
#[derive(Args, Clone, Copy, Debug, PartialEq, Eq)]
pub struct HornChoices {
    /// CHC encoding of `horn`: one Horn clause for all steps (mono) or one for each transition; locations and enumerations as
    /// numbers or as binary digits; or a relation for each location where there is one process, and else like mono-binary (per-location).
    #[arg(long, value_enum, default_value_t)]
    pub horn_encoding: Encoding,
    /// Has `horn` generalise each lemma on its own: often faster, but equations between variables are harder to find.
    #[arg(long = "no-horn-guidance", action = ArgAction::SetFalse)]
    pub horn_guidance: bool,
}

impl Default for HornChoices {
    fn default() -> HornChoices {
        HornChoices {
            horn_encoding: Encoding::default(),
            horn_guidance: true,
        }
    }
}

/// Spacer on the system's Horn clauses.
#[derive(Clone, Copy, Debug, Default)]
pub struct Horn;

impl Engine for Horn {
    fn name(&self) -> &'static str {
        "horn"
    }

    fn summary(&self) -> &'static str {
        "solves the system as constrained Horn clauses with Z3's Spacer"
    }

    fn add_arguments(&self, command: Command) -> Command {
        HornChoices::augment_args(command)
    }

    fn read_arguments(
        &self,
        matches: &ArgMatches,
        options: EngineOptions,
    ) -> Result<EngineOptions, clap::Error> {
        Ok(options.with(HornChoices::from_arg_matches(matches)?))
    }

    fn run(&self, task: &Task<'_>, progress: &mut dyn Progress) -> EngineAnswer {
        let solved = with_session(task.stop, |session| {
            solve(session, task, self.name(), progress)
        });
        solved.unwrap_or_else(|error| EngineAnswer::Unknown(StopReason::SolverFailure(error)))
    }
}

fn solve(
    session: &Session,
    task: &Task<'_>,
    name: &'static str,
    progress: &mut dyn Progress,
) -> EngineAnswer {
    progress.event(name, &Event::Phase("Spacer"));
    let choices: HornChoices = task.options.of();
    let options = HornOptions {
        global_guidance: choices.horn_guidance,
        ..HornOptions::default()
    };
    let encoding = choices.horn_encoding;
    if encoding.steps == Steps::PerLocation
        && let Some(locations) = Locations::of(task.system)
    {
        return solve_located(session, task, &locations, options);
    }
    let booleans = match Booleans::new(task.system, encoding.control, session) {
        Ok(booleans) => booleans,
        Err(reason) => return EngineAnswer::Unknown(reason.into()),
    };
    let property = std::slice::from_ref(task.property);
    let problem = clauses(task.system, property, encoding.steps, &booleans);
    match session.solve_horn(&problem, options) {
        HornOutcome::Solved(solution) => {
            let invariant = invariant(session, task, &booleans, &Term::and(solution));
            match invariant.and_then(|invariant| diagram(session, task, labels(&invariant))) {
                Ok(diagram) => EngineAnswer::Safe(vec![diagram]),
                Err(reason) => EngineAnswer::Unknown(reason),
            }
        }
        HornOutcome::Refuted(facts) => {
            let states = facts.iter().map(|(_, values)| booleans.state(values));
            let states: Option<Vec<Vec<Value>>> = states.collect();
            counterexample(session, task, &states.unwrap_or_default())
        }
        HornOutcome::Unknown(reason) => EngineAnswer::Unknown(reason.into()),
    }
}

/// With a relation for each location.
fn solve_located(
    session: &Session,
    task: &Task<'_>,
    locations: &Locations<'_>,
    options: HornOptions,
) -> EngineAnswer {
    match session.solve_horn(&locations.clauses(task.property), options) {
        HornOutcome::Solved(solution) => {
            match diagram(session, task, locations.labels(&solution)) {
                Ok(diagram) => EngineAnswer::Safe(vec![diagram]),
                Err(reason) => EngineAnswer::Unknown(reason),
            }
        }
        HornOutcome::Refuted(facts) => {
            let states = facts
                .iter()
                .map(|(relation, values)| locations.state(*relation, values));
            let states: Option<Vec<Vec<Value>>> = states.collect();
            counterexample(session, task, &states.unwrap_or_default())
        }
        HornOutcome::Unknown(reason) => EngineAnswer::Unknown(reason.into()),
    }
}

/// What a system's relation, the reachable states or more, is called where it needs a name.
const RELATION: &str = "state";

/// A name that no symbol of the system has: a variable of the same name would hide the relation wherever it is bound.
fn relation_name(system: &System) -> String {
    system.taken_names(".").give(RELATION)
}

/// The system as constrained Horn clauses in SMT-LIB: they are satisfiable exactly if all properties hold.
pub fn horn_text(system: &System) -> String {
    let steps = Steps::PerTransition;
    let problem = clauses(system, &system.properties, steps, &Booleans::none(system));
    write_horn(&problem, &[&relation_name(system)])
}

/// Init(v) ⇒ R(v); R(v) ∧ step(v, i, v′) ⇒ R(v′); R(v) ∧ ¬property(v, i) ⇒ false, where Booleans stand for variables with few values.
fn clauses(
    system: &System,
    properties: &[Property],
    steps: Steps,
    booleans: &Booleans<'_>,
) -> HornProblem {
    let reached = |is_next: bool| Application {
        relation: 0,
        arguments: booleans
            .symbols(is_next)
            .into_iter()
            .map(Term::symbol)
            .collect(),
    };
    let before = reached(false);
    let steps = match steps {
        // Where `trans` is given by itself, it is what counts.
        Steps::PerTransition if system.trans.is_none() => system
            .transitions
            .iter()
            .map(|transition| transition.formula(system))
            .collect(),
        _ => vec![system.trans_formula()],
    };
    let are_values = booleans.are_values(false);
    let stay_values = Term::and([are_values.clone(), booleans.are_values(true)]);
    let mut clauses = vec![Clause {
        body: vec![],
        constraint: Term::and([booleans.encode(&system.init_formula()), are_values.clone()]),
        head: Some(before.clone()),
    }];
    clauses.extend(steps.into_iter().map(|step| Clause {
        body: vec![before.clone()],
        constraint: Term::and([booleans.encode(&step), stay_values.clone()]),
        head: Some(reached(true)),
    }));
    clauses.extend(properties.iter().map(|property| {
        let violation = booleans.encode(&property.formula.clone().not());
        Clause {
            body: vec![before.clone()],
            constraint: Term::and([violation, are_values.clone()]),
            head: None,
        }
    }));
    HornProblem {
        relations: vec![HornRelation {
            parameters: booleans.symbols(false),
        }],
        clauses,
    }
}

/// The inductive invariant that a solution is. That variables stay in range, which the solution may rest on, is said where needed.
fn invariant(
    session: &Session,
    task: &Task<'_>,
    booleans: &Booleans<'_>,
    solution: &Term,
) -> Result<Term, StopReason> {
    let invariant = booleans.decode(solution);
    if booleans.is_empty() || is_inductive(session, task, &invariant)? {
        return Ok(invariant);
    }
    Ok(Term::and(booleans.ranges().into_iter().chain([invariant])))
}

/// Whether a formula holds initially, is kept by all steps and excludes violations.
fn is_inductive(session: &Session, task: &Task<'_>, formula: &Term) -> Result<bool, StopReason> {
    let system = task.system;
    let broken = [
        vec![system.init_formula(), formula.clone().not()],
        vec![formula.clone(), task.property.formula.clone().not()],
        vec![
            formula.clone(),
            system.trans_formula(),
            primed(system, formula).not(),
        ],
    ];
    for assertions in broken {
        if is_possible(&mut session.solver(), &assertions)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether what was asserted allows the assumptions.
fn is_possible(solver: &mut Z3Solver, assumptions: &[Term]) -> Result<bool, StopReason> {
    match solver.check_assuming(assumptions) {
        Outcome::Satisfiable(_) => Ok(true),
        Outcome::Unsatisfiable(_) => Ok(false),
        Outcome::Unknown(reason) => Err(reason.into()),
    }
}

/// The same formula about the state after a step.
fn primed(system: &System, formula: &Term) -> Term {
    formula.substitute(&system.next_state())
}

/// The diagram of an inductive invariant, as the disjunction of these conjunctions.
fn diagram(
    session: &Session,
    task: &Task<'_>,
    labels: Vec<Vec<Term>>,
) -> Result<Diagram, StopReason> {
    let system = task.system;
    let mut nodes = Vec::new();
    for label in labels {
        if is_possible(&mut session.solver(), &label)? {
            nodes.push(Node::new(nodes.len(), label));
        }
    }
    let edges = edges(session, system, &nodes)?;
    let name = MAIN_DIAGRAM.to_owned();
    Ok(Diagram {
        name,
        assumes: vec![],
        nodes,
        edges,
        regions: Vec::new(),
    })
}

/// All steps between nodes that are possible.
fn edges(session: &Session, system: &System, nodes: &[Node]) -> Result<Vec<Edge>, StopReason> {
    let labels: Vec<Term> = nodes.iter().map(Node::formula).collect();
    let after: Vec<Term> = labels.iter().map(|label| primed(system, label)).collect();
    let mut solver = session.solver();
    let mut edges: BTreeMap<(usize, usize), Vec<String>> = BTreeMap::new();
    for transition in &system.transitions {
        solver.push();
        solver.assert(&transition.formula(system));
        for (from, label) in nodes.iter().zip(&labels) {
            if !is_possible(&mut solver, std::slice::from_ref(label))? {
                continue;
            }
            for (to, after) in nodes.iter().zip(&after) {
                if is_possible(&mut solver, &[label.clone(), after.clone()])? {
                    edges
                        .entry((from.id, to.id))
                        .or_default()
                        .push(transition.name.clone());
                }
            }
        }
        solver.pop();
    }
    let edges = edges.into_iter();
    Ok(edges
        .map(|((from, to), transitions)| Edge {
            from,
            to,
            transitions,
        })
        .collect())
}

/// The labels of nodes that together say what the formula says: its disjuncts if they are few, else the formula itself.
fn labels(formula: &Term) -> Vec<Vec<Term>> {
    match disjuncts(formula) {
        Some(cubes) => cubes,
        None => vec![formula.conjuncts()],
    }
}

/// The disjunctive normal form, as long as it has few disjuncts.
fn disjuncts(formula: &Term) -> Option<Vec<Vec<Term>>> {
    match formula.as_application() {
        Some((Operator::Or, arguments)) => {
            let mut cubes = Vec::new();
            for argument in arguments {
                cubes.extend(disjuncts(argument)?);
                if cubes.len() > MAXIMAL_NODES {
                    return None;
                }
            }
            Some(cubes)
        }
        Some((Operator::And, arguments)) => {
            let mut cubes = vec![Vec::new()];
            for argument in arguments {
                let choices = disjuncts(argument)?;
                if cubes.len() * choices.len() > MAXIMAL_NODES {
                    return None;
                }
                let extend = |cube: &Vec<Term>| {
                    let cube = cube.clone();
                    choices
                        .iter()
                        .map(move |choice| [&cube[..], choice].concat())
                        .collect::<Vec<_>>()
                };
                cubes = cubes.iter().flat_map(extend).collect();
            }
            Some(cubes)
        }
        _ if formula.is_true() => Some(vec![Vec::new()]),
        _ => Some(vec![vec![formula.clone()]]),
    }
}

/// The trace along the states of a refutation; if that fails, the shortest one.
fn counterexample(session: &Session, task: &Task<'_>, states: &[Vec<Value>]) -> EngineAnswer {
    if !states.is_empty() {
        let mut runs = Unrolling::new(session, task.system, task.property);
        for (step, state) in states.iter().enumerate() {
            if step > 0 {
                runs.extend();
            }
            runs.fix_state(state);
        }
        if let Violation::Found(trace) = runs.violation() {
            return EngineAnswer::Unsafe(trace);
        }
    }
    let mut runs = Unrolling::new(session, task.system, task.property);
    loop {
        match runs.violation() {
            Violation::Found(trace) => return EngineAnswer::Unsafe(trace),
            Violation::None => runs.extend(),
            Violation::NoRun => {
                return EngineAnswer::Unknown(StopReason::Rejected(
                    "Spacer's refutation is invalid".to_owned(),
                ));
            }
            Violation::Unknown(reason) => return EngineAnswer::Unknown(reason),
        }
    }
}
