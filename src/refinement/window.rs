//! Whether an abstract path is real, and if not, a shortest part of it that is not.
//!
//! Windows are tried by increasing length, with the deterministic updates substituted, so that most of them are small problems about
//! the state where the window begins. A window that begins at the start of the path includes the initial condition, one that ends at
//! its end includes the violation. Windows that turned out feasible are remembered by their nodes and transitions.

use super::path::AbstractPath;
use super::unrolling::{Unrolling, label_partition, step_partition};
use crate::arithmetic::{
    Assignment, Constraint, Formula, Limits, LinearModel, Outcome, Replacement, Substitution, solve,
};
use crate::slicing::graph::{NodeIndex, TransitionIndex};
use crate::slicing::oracle::Stopped;
use crate::solvers::{Outcome as SolverOutcome, Solver, StopSignal, budgets};
use rustc_hash::FxHashSet;
use slabcert_certificates::term::{Term, Value};
use std::collections::BTreeSet;
use std::ops::{Range, RangeInclusive};
use std::sync::atomic::AtomicBool;

/// The work that one window may cost the exact solver.
const WINDOW_LIMITS: Limits = Limits {
    steps: budgets::EXACT_WINDOW,
    depth: 500,
};

/// The largest formula made by substitution, in nodes as a tree.
const LARGEST_FORMULA: usize = 50_000;

/// A part of a path that no run of the system follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Window {
    /// The first position.
    pub start: usize,
    /// The last position.
    pub end: usize,
    /// Whether the initial condition is part of it.
    pub initial: bool,
    /// Whether the violation is part of it.
    pub error: bool,
}

impl Window {
    /// The whole of a path with so many steps.
    #[must_use]
    pub fn whole(length: usize) -> Window {
        Window {
            start: 0,
            end: length,
            initial: true,
            error: true,
        }
    }

    /// The same positions without the initial condition, without the violation, or without both, as far as they are part of it: the
    /// smallest first. The search takes in both wherever a window reaches them, so these were not looked at.
    pub fn narrower(self) -> impl Iterator<Item = Window> {
        let flags = [(false, false), (true, false), (false, true)];
        flags
            .into_iter()
            .map(move |(initial, error)| Window {
                initial: self.initial && initial,
                error: self.error && error,
                ..self
            })
            .filter(move |window| *window != self)
            .collect::<BTreeSet<Window>>()
            .into_iter()
    }

    /// The partitions of the unrolling that the window consists of.
    #[must_use]
    pub fn partitions(&self) -> RangeInclusive<u32> {
        let first = if self.initial {
            0
        } else {
            label_partition(self.start)
        };
        let last = if self.error {
            step_partition(self.end)
        } else {
            label_partition(self.end)
        };
        first..=last
    }

    /// The positions where a cut leaves something on both sides.
    #[must_use]
    pub fn cuts(&self) -> Range<usize> {
        self.start + usize::from(!self.initial)..self.end + usize::from(self.error)
    }
}

/// What became of a path.
#[derive(Debug)]
pub enum Feasibility {
    /// A run follows the path and violates the property; the values of all variables of the unrolling.
    Feasible(LinearModel),
    /// No run follows this part of the path.
    Infeasible(Window),
    /// No solver could tell.
    Undecided,
}

type WindowKey = (Vec<NodeIndex>, Vec<TransitionIndex>, bool, bool);

/// How windows were decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct WindowCounts {
    /// Windows that were known to be feasible.
    pub remembered: u64,
    /// Windows that were given to a solver.
    pub asked: u64,
}

/// Finds infeasible windows.
#[derive(Default)]
pub struct WindowSearch {
    feasible: FxHashSet<WindowKey>,
    counts: WindowCounts,
}

/// A window that grows to the right, with its constraints in terms of the state where it begins.
struct Growing {
    start: usize,
    environment: Substitution,
    constraints: Vec<Constraint>,
    /// The next constraint and definition of the unrolling to take in.
    next_constraint: usize,
    next_definition: usize,
    is_too_large: bool,
}

impl WindowSearch {
    /// How windows were decided.
    #[must_use]
    pub fn counts(&self) -> WindowCounts {
        self.counts
    }

    /// Decides whether a run follows the path.
    ///
    /// # Errors
    /// When the search is to stop.
    pub fn search(
        &mut self,
        unrolling: &Unrolling,
        path: &AbstractPath,
        fallback: Option<&mut (dyn Solver + '_)>,
        stop: &StopSignal,
    ) -> Result<Feasibility, Stopped> {
        let interrupt = stop.flag();
        let length = unrolling.length;
        let mut growing: Vec<Growing> = (0..=length)
            .map(|start| Growing::new(start, unrolling))
            .collect();
        let mut is_undecided = false;
        for width in 0..=length {
            for (start, window) in growing.iter_mut().enumerate().take(length - width + 1) {
                stop.check().map_err(Stopped)?;
                let end = start + width;
                let narrow = Window {
                    start,
                    end,
                    initial: start == 0,
                    error: end == length,
                };
                window.grow_to(label_partition(end), unrolling);
                // Single steps and labels were asked about when the edge was made.
                if width < 2 && !narrow.initial && !narrow.error {
                    continue;
                }
                let is_whole = width == length;
                let key = (
                    path.nodes[start..=end].to_vec(),
                    path.transitions[start..end].to_vec(),
                    narrow.initial,
                    narrow.error,
                );
                if !is_whole && self.feasible.contains(&key) {
                    self.counts.remembered += 1;
                    continue;
                }
                self.counts.asked += 1;
                match window.solve(&narrow, unrolling, &interrupt) {
                    Outcome::Unsatisfiable(_) => return Ok(Feasibility::Infeasible(narrow)),
                    Outcome::Satisfiable(model) if is_whole => {
                        let model = complete(unrolling, &model);
                        return Ok(Feasibility::Feasible(model));
                    }
                    Outcome::Satisfiable(_) => {
                        self.feasible.insert(key);
                    }
                    Outcome::Unknown(_) if !is_whole => {
                        self.feasible.insert(key);
                    }
                    Outcome::Unknown(_) => is_undecided = true,
                }
            }
        }
        match fallback {
            Some(solver) if is_undecided => Ok(ask_fallback(unrolling, solver)),
            _ => Ok(Feasibility::Undecided),
        }
    }
}

impl Growing {
    fn new(start: usize, unrolling: &Unrolling) -> Growing {
        // Constraints and definitions that belong to earlier positions are never part of the window.
        let first = if start == 0 {
            0
        } else {
            label_partition(start)
        };
        Growing {
            start,
            environment: Substitution::new(),
            constraints: Vec::new(),
            next_constraint: unrolling
                .constraints
                .partition_point(|constraint| constraint.partition < first),
            next_definition: unrolling
                .definitions
                .partition_point(|definition| definition.partition < first),
            is_too_large: false,
        }
    }

    /// Takes in everything up to a partition.
    fn grow_to(&mut self, partition: u32, unrolling: &Unrolling) {
        // Constraints of a step may mention what its definitions define, so definitions come first.
        while let Some(definition) = unrolling.definitions.get(self.next_definition) {
            if definition.partition > partition {
                break;
            }
            self.next_definition += 1;
            match &definition.value {
                Replacement::Expression(expression) => {
                    let value =
                        expression.substitute(|variable| self.environment.expression(variable));
                    self.environment.set_expression(definition.variable, value);
                }
                Replacement::Formula(formula) => {
                    match formula.substitute(&self.environment, unrolling, LARGEST_FORMULA) {
                        Ok(value) => self.environment.set_formula(definition.variable, value),
                        Err(_) => self.is_too_large = true,
                    }
                }
            }
        }
        while let Some(constraint) = unrolling.constraints.get(self.next_constraint) {
            if constraint.partition > partition {
                break;
            }
            self.next_constraint += 1;
            match self.substituted(constraint, unrolling) {
                Some(Formula::True) => {}
                Some(formula) => self.constraints.push(Constraint {
                    formula,
                    ..*constraint
                }),
                None => self.is_too_large = true,
            }
        }
    }

    fn substituted(&self, constraint: &Constraint, unrolling: &Unrolling) -> Option<Formula> {
        constraint
            .formula
            .substitute(&self.environment, unrolling, LARGEST_FORMULA)
            .ok()
    }

    fn solve(&self, narrow: &Window, unrolling: &Unrolling, interrupt: &AtomicBool) -> Outcome {
        debug_assert_eq!(self.start, narrow.start);
        let unknown = Outcome::Unknown(crate::arithmetic::StopReason::Steps);
        if self.is_too_large {
            return unknown;
        }
        if !narrow.error {
            return solve(&self.constraints, unrolling, WINDOW_LIMITS, interrupt);
        }
        let mut constraints = self.constraints.clone();
        for constraint in &unrolling.constraints[self.next_constraint..] {
            match self.substituted(constraint, unrolling) {
                Some(formula) => constraints.push(Constraint {
                    formula,
                    ..*constraint
                }),
                None => return unknown,
            }
        }
        solve(&constraints, unrolling, WINDOW_LIMITS, interrupt)
    }
}

/// Adds the values of the defined variables.
fn complete(unrolling: &Unrolling, model: &LinearModel) -> LinearModel {
    let mut complete = model.clone();
    for definition in &unrolling.definitions {
        match &definition.value {
            Replacement::Expression(expression) => {
                let value = expression.evaluate(|variable| complete.number(variable));
                complete.set_number(definition.variable, value);
            }
            Replacement::Formula(formula) => {
                let value = formula.evaluate(&complete);
                complete.set_boolean(definition.variable, value);
            }
        }
    }
    complete
}

/// Decides the whole path with another solver; its core gives the window.
fn ask_fallback(unrolling: &Unrolling, solver: &mut dyn Solver) -> Feasibility {
    let table = unrolling.table();
    let mut partitions = Vec::new();
    let mut assumptions: Vec<Term> = Vec::new();
    for constraint in &unrolling.constraints {
        partitions.push(constraint.partition);
        assumptions.push(table.formula_to_term(&constraint.formula));
    }
    for definition in &unrolling.definitions {
        partitions.push(definition.partition);
        assumptions.push(table.formula_to_term(&unrolling.equation(definition)));
    }
    match solver.check_assuming(&assumptions) {
        SolverOutcome::Satisfiable(model) => {
            let mut read = LinearModel::new();
            for (index, _) in unrolling.instances.iter().enumerate() {
                let variable = super::unrolling::variable_number(index);
                let value = table
                    .term(variable)
                    .and_then(|term| term.evaluate(&model).ok());
                match value {
                    Some(Value::Bool(truth)) => read.set_boolean(variable, truth),
                    Some(Value::Int(number)) => read.set_number(variable, number),
                    Some(Value::Real(number)) => read.set_number(variable, number),
                    None => return Feasibility::Undecided,
                }
            }
            Feasibility::Feasible(read)
        }
        SolverOutcome::Unsatisfiable(core) => {
            let used: Vec<u32> = core.iter().map(|position| partitions[*position]).collect();
            match (used.iter().min(), used.iter().max()) {
                (Some(least), Some(greatest)) => {
                    Feasibility::Infeasible(window_of(*least, *greatest, unrolling.length))
                }
                _ => Feasibility::Undecided,
            }
        }
        SolverOutcome::Unknown(_) => Feasibility::Undecided,
    }
}

/// The window that spans these partitions.
fn window_of(least: u32, greatest: u32, length: usize) -> Window {
    let error = greatest == step_partition(length);
    Window {
        start: (least.saturating_sub(1) / 2) as usize,
        end: if error {
            length
        } else {
            (greatest / 2) as usize
        },
        initial: least == 0,
        error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_leave_something_on_both_sides() {
        let window = |start, end, initial, error| Window {
            start,
            end,
            initial,
            error,
        };
        assert_eq!(window(0, 0, true, true).cuts().collect::<Vec<_>>(), [0]);
        assert_eq!(window(1, 3, false, false).cuts().collect::<Vec<_>>(), [2]);
        assert_eq!(window(1, 2, false, true).cuts().collect::<Vec<_>>(), [2]);
        assert_eq!(window(0, 0, true, false).cuts().count(), 0);
    }

    #[test]
    fn windows_are_told_by_their_partitions() {
        for (start, end, initial, error) in [
            (0, 2, true, false),
            (1, 3, false, true),
            (1, 2, false, false),
        ] {
            let window = Window {
                start,
                end,
                initial,
                error,
            };
            let partitions = window.partitions();
            assert_eq!(window_of(*partitions.start(), *partitions.end(), 3), window);
        }
    }
}
