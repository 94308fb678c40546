//! What a verdict does not say: that it holds vacuously, or only as long as variables stay in their ranges.
//!
//! Invariant: what is warned about is proved, by an unsatisfiable formula or by diagrams that the checker has accepted; a question that no
//! solver answers within its budget is not a warning. Nothing here changes a verdict.

mod control;
pub mod dependence;
pub mod ranges;
#[cfg(test)]
mod tests;

use crate::engines::portfolio::STACK_SIZE;
use crate::solvers::{Session, Solver, SolverError, StopSignal, budgets, with_session};
use control::Control;
use slabcert_certificates::diagram::Diagram;
use slabcert_certificates::smtlib::Position;
use slabcert_certificates::system::{Property, StateVariable, System, Transition};
use slabcert_certificates::term::Term;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::panic::resume_unwind;
use std::thread;

/// The questions that are asked about a model, and about a certificate, at most.
const MOST_QUERIES: usize = 2_000;

/// Why a verdict may say less than it seems to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Vacuity {
    /// The initial condition has no state.
    NoInitialState,
    /// A family of processes has no process.
    NoProcess {
        /// The name of the family.
        family: String,
    },
    /// A declared transition has no instance.
    NoInstance {
        /// The name of the declaration.
        transition: String,
    },
    /// No instance of a transition is enabled.
    NeverFires {
        /// The name of an instance, for all of them.
        transition: String,
        /// Whether that follows from the certificate only; otherwise no state within the ranges satisfies its condition.
        from_certificate: bool,
    },
    /// No process of a family reaches a location.
    NeverReached {
        /// The name of the family.
        family: String,
        /// The name of the location.
        location: String,
    },
    /// The front end takes something for a mistake.
    Remark {
        /// What it is.
        message: String,
    },
    /// No state within the ranges violates a property.
    NoViolation {
        /// The name of the property.
        property: String,
    },
}

impl Vacuity {
    /// The kind as one word, as in JSON.
    pub fn word(&self) -> &'static str {
        match self {
            Vacuity::NoInitialState => "no-initial-state",
            Vacuity::NoProcess { .. } => "no-process",
            Vacuity::NoInstance { .. } => "no-instance",
            Vacuity::NeverFires { .. } => "never-fires",
            Vacuity::NeverReached { .. } => "never-reached",
            Vacuity::Remark { .. } => "remark",
            Vacuity::NoViolation { .. } => "no-violation",
        }
    }
}

impl fmt::Display for Vacuity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Vacuity::NoInitialState => formatter
                .write_str("the system has no initial state: every property holds vacuously"),
            Vacuity::Remark { message } => formatter.write_str(message),
            Vacuity::NoProcess { family } => {
                write!(formatter, "the family `{family}` is empty")
            }
            Vacuity::NoInstance { transition } => {
                write!(formatter, "the transition `{transition}` has no instance")
            }
            Vacuity::NeverFires {
                transition,
                from_certificate,
            } => {
                let why = if *from_certificate {
                    "no reachable state satisfies its condition"
                } else {
                    "no state within the ranges satisfies its condition"
                };
                write!(
                    formatter,
                    "the transition `{transition}` never fires: {why}"
                )
            }
            Vacuity::NeverReached { family, location } => write!(
                formatter,
                "no process of `{family}` ever reaches the location `{location}`"
            ),
            Vacuity::NoViolation { property } => write!(
                formatter,
                "no state within the ranges violates `{property}`: it holds vacuously"
            ),
        }
    }
}

/// A vacuity and where it is in the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What is vacuous, and why.
    pub vacuity: Vacuity,
    /// Where it is declared, if that is known.
    pub position: Option<Position>,
}

impl fmt::Display for Warning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.vacuity.fmt(formatter)?;
        match self.position {
            Some(Position { line, column }) => write!(formatter, " (line {line}, column {column})"),
            None => Ok(()),
        }
    }
}

/// What is vacuous whatever the verdicts on the chosen properties are.
///
/// # Errors
/// When there is no solver of the right version.
pub fn of_model(
    system: &System,
    chosen: &[&Property],
    stop: &StopSignal,
) -> Result<Vec<Warning>, SolverError> {
    let declarations = system.declarations.clone().unwrap_or_default();
    let mut found = Vec::new();
    let mut warn = |vacuity, position| found.push(Warning { vacuity, position });
    for (message, position) in declarations.remarks {
        warn(Vacuity::Remark { message }, Some(position));
    }
    for (number, family) in system.families.iter().enumerate() {
        if system.processes.iter().all(|it| it.family != number) {
            let vacuity = Vacuity::NoProcess {
                family: family.name.clone(),
            };
            warn(vacuity, family.position);
        }
    }
    for (transition, position) in declarations.empty_transitions {
        warn(Vacuity::NoInstance { transition }, Some(position));
    }
    apart(stop, |session| {
        let mut questions = Questions::new(session.solver());
        if questions.excludes(&system.init) {
            warn(Vacuity::NoInitialState, declarations.initial);
        }
        for group in groups(system) {
            if group
                .iter()
                .all(|transition| questions.excludes_step(transition))
            {
                warn_never_fires(&group, false, &mut warn);
            }
        }
        let control = Control::new(system);
        warn_never_reached(system, &[], &mut warn, &mut |location, number| {
            !control.reaches(&location.current, number)
        });
        let domains = domains(system);
        let ranges: BTreeSet<usize> = system.declared_ranges().map(|it| it.index).collect();
        for property in chosen {
            let is_range = ranges.contains(&property.index);
            let violation = [property.formula.clone().not()];
            let all: Vec<Term> = domains.iter().chain(&violation).cloned().collect();
            if !is_range && questions.excludes(&all) {
                let property_name = property.name.clone();
                let vacuity = Vacuity::NoViolation {
                    property: property_name,
                };
                warn(vacuity, property.position);
            }
        }
    })?;
    Ok(found)
}

/// Warns about the locations of families that no process reaches, where `is_never` says so of one process's location variable.
fn warn_never_reached(
    system: &System,
    known: &[Warning],
    warn: &mut impl FnMut(Vacuity, Option<Position>),
    is_never: &mut dyn FnMut(&StateVariable, usize) -> bool,
) {
    for (family_number, family) in system.families.iter().enumerate() {
        let processes = || {
            let all = system.processes.iter().enumerate();
            all.filter(|(_, process)| process.family == family_number)
        };
        let Some((first, _)) = processes().next() else {
            continue;
        };
        for (number, position) in family.locations.iter().enumerate() {
            let is_known = known.iter().any(|warning| {
                warning.position == Some(*position)
                    && matches!(warning.vacuity, Vacuity::NeverReached { .. })
            });
            let mut variables =
                processes().filter_map(|(_, process)| system.variables.get(process.location?));
            if !is_known && variables.all(|variable| is_never(variable, number)) {
                let vacuity = Vacuity::NeverReached {
                    family: family.name.clone(),
                    location: location_name(system, first, number),
                };
                warn(vacuity, Some(*position));
            }
        }
    }
}

/// What is vacuous because no state that accepted diagrams allow is reached: transitions that never fire, and locations that are never
/// reached. What `known` says already is left out.
///
/// The diagrams must have been accepted, and all declared ranges been proved: runs end where a range is left.
///
/// # Errors
/// When there is no solver of the right version.
pub fn of_certificate(
    system: &System,
    diagrams: &[Diagram],
    known: &[Warning],
    stop: &StopSignal,
) -> Result<Vec<Warning>, SolverError> {
    let mut found = Vec::new();
    if system.declarations.is_none() || diagrams.is_empty() {
        return Ok(found);
    }
    let mut warn = |vacuity, position| found.push(Warning { vacuity, position });
    let taken: Vec<BTreeSet<&str>> = diagrams.iter().map(taken).collect();
    apart(stop, |session| {
        let mut questions = Questions::new(session.solver());
        for diagram in diagrams {
            questions.solver.assert(&diagram.formula());
        }
        for group in groups(system) {
            let position = group.first().and_then(|transition| transition.position);
            let is_known = known.iter().any(|warning| {
                warning.position == position
                    && matches!(warning.vacuity, Vacuity::NeverFires { .. })
            });
            let is_impossible = |transition: &&Transition| {
                let mut diagrams = taken.iter();
                diagrams.any(|names| !names.contains(transition.name.as_str()))
                    || questions.excludes_step(transition)
            };
            if !is_known && group.iter().all(is_impossible) {
                warn_never_fires(&group, true, &mut warn);
            }
        }
        warn_never_reached(system, known, &mut warn, &mut |location, number| {
            let location = Term::symbol(location.current.clone());
            questions.excludes(&[location.equals(Term::int(number))])
        });
    })?;
    Ok(found)
}

/// Works with a session on a thread of its own: Z3 keeps its state by thread, and what is asked here must not change later answers.
fn apart(stop: &StopSignal, work: impl FnOnce(&Session) + Send) -> Result<(), SolverError> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK_SIZE);
        match thread.spawn_scoped(scope, || with_session(stop, work)) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            // What nobody answers is not a warning.
            Err(_) => Ok(()),
        }
    })
}

/// What a solver is asked, as long as there are questions left.
struct Questions<S> {
    solver: S,
    left: usize,
}

impl<S: Solver> Questions<S> {
    fn new(mut solver: S) -> Questions<S> {
        solver.set_budget(budgets::VACUITY);
        Questions {
            solver,
            left: MOST_QUERIES,
        }
    }

    /// Whether it is proved that the transition cannot be taken; its updates can always be done.
    fn excludes_step(&mut self, transition: &Transition) -> bool {
        let conditions: Vec<Term> = transition.conditions().cloned().collect();
        self.excludes(&conditions)
    }

    /// Whether it is proved that the formulas do not hold together, with what was asserted.
    fn excludes(&mut self, formulas: &[Term]) -> bool {
        let Some(left) = self.left.checked_sub(1) else {
            return false;
        };
        self.left = left;
        self.solver.check_assuming(formulas).is_unsatisfiable()
    }
}

/// The instances of each declared transition, in the order of the text.
fn groups(system: &System) -> Vec<Vec<&Transition>> {
    let mut groups: BTreeMap<Position, Vec<&Transition>> = BTreeMap::new();
    let transitions = system.transitions.iter();
    for transition in transitions.filter(|_| system.declarations.is_some()) {
        if let Some(position) = transition.position {
            groups.entry(position).or_default().push(transition);
        }
    }
    groups.into_values().collect()
}

fn warn_never_fires(
    group: &[&Transition],
    from_certificate: bool,
    warn: &mut impl FnMut(Vacuity, Option<Position>),
) {
    if let Some(first) = group.first() {
        let transition = first.name.clone();
        let vacuity = Vacuity::NeverFires {
            transition,
            from_certificate,
        };
        warn(vacuity, first.position);
    }
}

/// The transitions that some edge of a diagram has.
fn taken(diagram: &Diagram) -> BTreeSet<&str> {
    let names = diagram.edges.iter().flat_map(|edge| &edge.transitions);
    names.map(String::as_str).collect()
}

/// That every variable has a value of its range, its enumeration or its locations.
fn domains(system: &System) -> Vec<Term> {
    let ranges = system.variables.iter().filter_map(|variable| {
        let (low, high) = variable.range.as_ref()?;
        let value = Term::symbol(variable.current.clone());
        let [low, high] = [low, high].map(|end| Term::int(end.clone()));
        Some([low.less_or_equal(value.clone()), value.less_or_equal(high)])
    });
    ranges.flatten().collect()
}

fn location_name(system: &System, process: usize, number: usize) -> String {
    let location = system.processes.get(process).and_then(|it| it.location);
    let variable = location.and_then(|index| system.variables.get(index));
    let table = variable.and_then(|it| it.values.as_ref());
    let name = table.and_then(|table| table.values.get(number));
    name.cloned().unwrap_or_else(|| number.to_string())
}
