//! What a block does in a step, carried out on values: from a state and what is chosen.

use super::{Arrival, Inside, Preemption, RacePolicy, Synchronous};
use crate::program::Program;
use crate::term::{Assignment, EvaluationError, Symbol, Term, Value};
use crate::work::Work;
use num_bigint::BigInt;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// What happens in a step of a block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LockStep {
    /// Whether the block is stable before it.
    pub is_stable: bool,
    /// The edges that are taken, by index, in the order of the processes.
    pub taken: Vec<usize>,
    /// The variables that several of them write, by index, with the edge whose value each gets.
    pub winners: BTreeMap<usize, usize>,
    /// Those of them that are written different values.
    pub races: Vec<usize>,
    /// The values after the step of the variables that are given one, by index.
    pub values: BTreeMap<usize, Value>,
}

/// Why there is no such step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoLockStep {
    /// An event comes where none may.
    #[error("`{0}` comes, but `{1}` is not stable")]
    Event(String, String),
    /// What is chosen is not allowed.
    #[error("what is chosen for the edge `{0}` does not satisfy its guard")]
    Choice(String),
    /// The environment gives something a value outside of its range.
    #[error("the next value of `{0}` is outside of its range")]
    Level(String),
    /// A formula has no value.
    #[error(transparent)]
    NoValue(#[from] EvaluationError),
}

impl Program {
    /// What a block does in a step from a state with what is chosen. The program has been checked ([`Program::check_synchronous`]).
    ///
    /// # Errors
    /// When there is no such step, or a formula has no value.
    pub fn lock_step(
        &self,
        block: &Synchronous,
        values: &dyn Assignment,
        work: &mut Work,
    ) -> Result<LockStep, NoLockStep> {
        let step = LockStep {
            is_stable: self.is_stable(block, values, work)?,
            ..LockStep::default()
        };
        let mut run = Run {
            program: self,
            block,
            around: block.around(),
            values,
            work,
            step,
        };
        run.environment()?;
        run.take()?;
        run.arrive()?;
        run.write()?;
        if let Some(counter) = block.unstable {
            let counted = run.counter(counter)?;
            run.step.values.insert(counter, Value::Int(counted));
        }
        Ok(run.step)
    }

    /// Whether a block is stable in a state.
    ///
    /// # Errors
    /// When a formula has no value.
    pub fn is_stable(
        &self,
        block: &Synchronous,
        values: &dyn Assignment,
        work: &mut Work,
    ) -> Result<bool, EvaluationError> {
        let events = block.events.iter().map(|it| &self.inputs[*it].symbol);
        let events: FxHashSet<&Symbol> = events.collect();
        let quiet = |symbol: &Symbol| match events.contains(symbol) {
            true => Some(Value::Bool(false)),
            false => values.value_of(symbol),
        };
        let mut run = Run {
            program: self,
            block,
            around: block.around(),
            values: &quiet,
            work,
            step: LockStep::default(),
        };
        for edge in 0..block.edges.len() {
            if run.is_enabled(edge)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

struct Run<'r> {
    program: &'r Program,
    block: &'r Synchronous,
    around: BTreeMap<usize, Vec<Inside>>,
    values: &'r dyn Assignment,
    work: &'r mut Work,
    step: LockStep,
}

impl Run<'_> {
    fn evaluate(&mut self, term: &Term) -> Result<Value, EvaluationError> {
        term.evaluate_within(self.values, self.work)
    }

    fn holds(&mut self, formula: &Term) -> Result<bool, EvaluationError> {
        self.work.charge(1)?;
        Ok(self.evaluate(formula)? == Value::Bool(true))
    }

    fn variable(&mut self, index: usize) -> Result<Value, EvaluationError> {
        let symbol = &self.program.variables[index].current;
        self.evaluate(&Term::symbol(symbol.clone()))
    }

    fn input(&mut self, index: usize) -> Result<Value, EvaluationError> {
        let symbol = &self.program.inputs[index].symbol;
        self.evaluate(&Term::symbol(symbol.clone()))
    }

    fn is_at(&mut self, process: usize, location: usize) -> Result<bool, EvaluationError> {
        self.work.charge(1)?;
        match self.program.processes[process].location {
            Some(variable) => Ok(self.variable(variable)? == Value::Int(location.into())),
            None => Ok(true),
        }
    }

    fn is_enabled(&mut self, edge: usize) -> Result<bool, EvaluationError> {
        let edge = &self.block.edges[edge];
        let process = edge.edge.process;
        if !self.is_at(process, edge.step().0)? {
            return Ok(false);
        }
        for inside in self.around[&process].clone() {
            if !self.is_at(inside.process, inside.location)? {
                return Ok(false);
            }
        }
        if let Some(formula) = &edge.enabled {
            return self.holds(formula);
        }
        for formula in &edge.edge.guard {
            if !self.holds(formula)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What the environment does.
    fn environment(&mut self) -> Result<(), NoLockStep> {
        let acts = self.block.arrival == Arrival::Always || self.step.is_stable;
        for event in &self.block.events {
            if !acts && self.input(*event)? == Value::Bool(true) {
                let name = self.program.inputs[*event].symbol.name().to_owned();
                return Err(NoLockStep::Event(name, self.block.name.clone()));
            }
        }
        for level in &self.block.levels {
            let new = self.input(level.input)?;
            let variable = &self.program.variables[level.variable];
            if let (Some((low, high)), Value::Int(number)) = (&variable.range, &new)
                && !(low <= number && number <= high)
            {
                return Err(NoLockStep::Level(variable.name().to_owned()));
            }
            if acts {
                self.step.values.insert(level.variable, new);
            }
        }
        Ok(())
    }

    /// Lets processes choose their edges, those around others first.
    fn take(&mut self) -> Result<(), NoLockStep> {
        let mut edges: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (index, edge) in self.block.edges.iter().enumerate() {
            edges.entry(edge.edge.process).or_default().push(index);
        }
        let mut moving: FxHashSet<usize> = FxHashSet::default();
        for member in &self.block.members {
            let around = &self.around[&member.process];
            // A process that takes an edge from another location than the one around has nobody active in that one.
            let is_stopped = around.iter().any(|inside| {
                inside.preemption == Preemption::Strong && moving.contains(&inside.process)
            });
            if is_stopped {
                continue;
            }
            let mut taken = None;
            for index in edges.get(&member.process).into_iter().flatten() {
                if self.is_enabled(*index)? {
                    taken = Some(*index);
                    let preference = self.block.edges[*index].preference;
                    let goes_on = match preference {
                        Some(input) => self.input(input)? == Value::Bool(false),
                        None => false,
                    };
                    if !goes_on {
                        break;
                    }
                }
            }
            let Some(index) = taken else { continue };
            let edge = &self.block.edges[index];
            if edge.enabled.is_some() {
                for formula in &edge.edge.guard {
                    if !self.holds(formula)? {
                        let name = self.program.edge_name(&edge.edge);
                        return Err(NoLockStep::Choice(name));
                    }
                }
            }
            moving.insert(member.process);
            self.step.taken.push(index);
        }
        Ok(())
    }

    /// Moves the processes.
    fn arrive(&mut self) -> Result<(), EvaluationError> {
        let mut put = |process: usize, number: usize| {
            if let Some(location) = self.program.processes[process].location {
                self.step.values.insert(location, Value::Int(number.into()));
            }
        };
        let mut left: FxHashSet<(usize, usize)> = FxHashSet::default();
        for index in &self.step.taken {
            let edge = &self.block.edges[*index];
            put(edge.edge.process, edge.step().1);
            left.insert((edge.edge.process, edge.step().0));
        }
        for member in &self.block.members {
            let mut around = self.around[&member.process].iter();
            if around.any(|it| left.contains(&(it.process, it.location))) {
                put(member.process, member.start);
            }
        }
        Ok(())
    }

    /// Gives variables what the edges write.
    fn write(&mut self) -> Result<(), EvaluationError> {
        for raised in &self.block.raised {
            self.step.values.insert(*raised, Value::Bool(false));
        }
        let mut written: BTreeMap<usize, Vec<(usize, Value)>> = BTreeMap::new();
        for index in self.step.taken.clone() {
            for (variable, value) in &self.block.edges[index].edge.updates {
                let value = self.evaluate(value)?;
                written.entry(*variable).or_default().push((index, value));
            }
        }
        let contested = self.block.contested();
        for (variable, values) in written {
            let winner = match contested.contains_key(&variable) {
                true => self.winner(variable, &values)?,
                false => 0,
            };
            let (edge, value) = values[winner].clone();
            if values.iter().any(|(_, other)| *other != value) {
                self.step.races.push(variable);
            }
            if values.len() > 1 {
                self.step.winners.insert(variable, edge);
            }
            self.step.values.insert(variable, value);
        }
        for race in self.block.errors() {
            let mut variables = race.variables.iter();
            let happens = variables.any(|it| self.step.races.contains(it));
            self.step.values.insert(race.flag, Value::Bool(happens));
        }
        Ok(())
    }

    /// Which of several writers, in the order of their processes, wins.
    fn winner(
        &mut self,
        variable: usize,
        values: &[(usize, Value)],
    ) -> Result<usize, EvaluationError> {
        let process = |writer: usize| self.block.edges[values[writer].0].edge.process;
        let mut winner = 0;
        match &self.block.races {
            RacePolicy::Error(_) => {}
            RacePolicy::PerVariable(inputs) => {
                for next in 1..values.len() {
                    if let Some(input) = inputs.get(&(variable, process(next)))
                        && self.input(*input)? == Value::Bool(true)
                    {
                        winner = next;
                    }
                }
            }
            RacePolicy::Serial(inputs) => {
                let mut greatest: Option<BigInt> = None;
                for next in 0..values.len() {
                    if let Some(input) = inputs.get(&process(next))
                        && let Value::Int(rank) = self.input(*input)?
                        && greatest.as_ref().is_none_or(|it| *it <= rank)
                    {
                        greatest = Some(rank);
                        winner = next;
                    }
                }
            }
        }
        Ok(winner)
    }

    /// What the counter of unstable steps is after the step.
    fn counter(&mut self, counter: usize) -> Result<BigInt, EvaluationError> {
        match self.variable(counter)? {
            _ if self.step.is_stable => Ok(BigInt::from(1)),
            Value::Int(before) => {
                let more = before + 1;
                self.work.integer(&more)?;
                Ok(more)
            }
            _ => {
                let name = self.program.variables[counter].name();
                Err(EvaluationError::WrongSort(name.to_owned()))
            }
        }
    }
}
