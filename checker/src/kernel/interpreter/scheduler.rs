//! Whose turn it is, and the steps that a scheduler takes where all threads wait.

use super::{Interpreter, Look, Meant, Refusal, Table, TurnFault};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use slabcert_certificates::program::{Block, DELTA, Effects, Extent, Scheduler, TIME};
use slabcert_certificates::term::{EvaluationError, Value};

/// A step of a scheduler.
#[derive(Clone, Copy)]
pub(super) enum SchedulerStep {
    Delta,
    Time,
}

impl Interpreter<'_> {
    /// Takes note of the steps of the scheduler, if there is one.
    pub(super) fn name_scheduled(&mut self) {
        if self.program.scheduler.is_some() {
            let named = [(DELTA, SchedulerStep::Delta), (TIME, SchedulerStep::Time)];
            let named = named.map(|(name, step)| (name.to_owned(), Meant::Scheduled(step)));
            self.steps.extend(named);
        }
    }
}

impl<'l> Look<'l> {
    /// Requires that the scheduler lets a block begin.
    pub(super) fn require_turn(&mut self, block: Block) -> Result<(), Refusal> {
        let Some(scheduler) = self.program().scheduler.as_deref() else {
            return Ok(());
        };
        if let Some(thread) = scheduler.thread(block.process) {
            if !thread.waits.contains_key(&block.from) {
                return Ok(());
            }
            if !self.is_true(thread.awake)? {
                let name = self.process_name(block.process);
                return self.refuse(TurnFault::Asleep(name));
            }
            self.simulation(scheduler)?;
            return self.require_waiting(scheduler, Some(block.process));
        }
        let Some(extent) = scheduler.simulations.get(&block.from) else {
            return Ok(());
        };
        self.require_rest(scheduler)?;
        self.require_no_delta_work(scheduler)?;
        let limit = match extent {
            Extent::All => None,
            Extent::Limited => match scheduler.remaining {
                Some(remaining) => Some(self.integer(remaining)?),
                None => None,
            },
            Extent::Delta { .. } => return Ok(()),
        };
        for event in &scheduler.events {
            let Some(delay) = event.delay else { continue };
            let delay = self.integer(delay)?;
            if !delay.is_negative() && limit.as_ref().is_none_or(|limit| delay <= *limit) {
                return self.refuse(TurnFault::Due(event.name.clone()));
            }
        }
        Ok(())
    }

    /// Carries out a step of the scheduler.
    pub(super) fn scheduled(
        &mut self,
        step: SchedulerStep,
        table: &mut Table,
    ) -> Result<(), Refusal> {
        let Some(scheduler) = self.program().scheduler.as_deref() else {
            return Ok(());
        };
        self.require_rest(scheduler)?;
        let extent = self.simulation(scheduler)?;
        match step {
            SchedulerStep::Delta => {
                if self.delta_work(scheduler)?.is_none() {
                    return self.refuse(TurnFault::NoDeltaWork);
                }
                table.extend(self.effects(scheduler).take_effect()?);
                if let Extent::Delta { then } = extent {
                    self.arrive(scheduler.controller, then, table);
                }
            }
            SchedulerStep::Time => {
                let remaining = match extent {
                    Extent::All => None,
                    Extent::Limited => scheduler.remaining,
                    Extent::Delta { .. } => return self.refuse_place(scheduler),
                };
                self.require_no_delta_work(scheduler)?;
                let mut least: Option<BigInt> = None;
                for variable in scheduler.delays() {
                    let delay = self.integer(variable)?;
                    if !delay.is_negative() && least.as_ref().is_none_or(|least| delay < *least) {
                        least = Some(delay);
                    }
                }
                let limit = remaining.map(|it| self.integer(it)).transpose()?;
                let due = least.filter(|least| limit.as_ref().is_none_or(|it| least <= it));
                let Some(due) = due else {
                    return self.refuse(TurnFault::NothingDue);
                };
                let passed = self
                    .effects(scheduler)
                    .let_pass(&due, remaining.is_some())?;
                table.extend(passed);
            }
        }
        Ok(())
    }

    fn effects<'e>(&'e mut self, scheduler: &'e Scheduler) -> Effects<'e> {
        Effects::of(self.program(), scheduler, self.values, self.work)
    }

    fn refuse<T>(&self, fault: TurnFault) -> Result<T, Refusal> {
        Err(super::ProgramFault::from(fault).into())
    }

    fn refuse_place<T>(&self, scheduler: &Scheduler) -> Result<T, Refusal> {
        let controller = self.process_name(scheduler.controller);
        self.refuse(TurnFault::NotSimulating(controller))
    }

    fn process_name(&self, process: usize) -> String {
        self.program().processes[process].name.clone()
    }

    fn is_true(&mut self, variable: usize) -> Result<bool, EvaluationError> {
        let symbol = &self.program().variables[variable].current;
        Ok(self.value(symbol)? == Value::Bool(true))
    }

    fn integer(&mut self, variable: usize) -> Result<BigInt, EvaluationError> {
        let symbol = &self.program().variables[variable].current;
        match self.value(symbol)? {
            Value::Int(number) => Ok(number),
            _ => Err(EvaluationError::WrongSort(symbol.name().to_owned())),
        }
    }

    /// How long the controller waits where it is.
    fn simulation(&mut self, scheduler: &'l Scheduler) -> Result<Extent, Refusal> {
        for (location, extent) in &scheduler.simulations {
            if self.is_at(scheduler.controller, *location)? {
                return Ok(*extent);
            }
        }
        self.refuse_place(scheduler)
    }

    /// Requires that all threads wait, but for one process.
    fn require_waiting(
        &mut self,
        scheduler: &Scheduler,
        but_for: Option<usize>,
    ) -> Result<(), Refusal> {
        let threads = scheduler.threads.iter();
        for thread in threads.filter(|it| Some(it.process) != but_for) {
            let mut waits = false;
            for location in thread.waits.keys() {
                waits |= self.is_at(thread.process, *location)?;
            }
            if !waits {
                let name = self.process_name(thread.process);
                return self.refuse(TurnFault::Working(name));
            }
        }
        Ok(())
    }

    fn require_rest(&mut self, scheduler: &Scheduler) -> Result<(), Refusal> {
        for thread in &scheduler.threads {
            if self.is_true(thread.awake)? {
                let name = self.process_name(thread.process);
                return self.refuse(TurnFault::Awake(name));
            }
        }
        self.require_waiting(scheduler, None)
    }

    fn require_no_delta_work(&mut self, scheduler: &Scheduler) -> Result<(), Refusal> {
        match self.delta_work(scheduler)? {
            Some(name) => self.refuse(TurnFault::DeltaWork(name)),
            None => Ok(()),
        }
    }

    /// An event or a signal that a delta cycle changes, if there is one.
    fn delta_work(&mut self, scheduler: &Scheduler) -> Result<Option<String>, EvaluationError> {
        for event in &scheduler.events {
            let Some(delay) = event.delay else { continue };
            if self.integer(delay)?.is_zero() {
                return Ok(Some(event.name.clone()));
            }
        }
        for signal in &scheduler.signals {
            let [current, next] =
                [signal.current, signal.next].map(|it| &self.program().variables[it].current);
            if self.value(current)? != self.value(next)? {
                return Ok(Some(signal.name.clone()));
            }
        }
        Ok(None)
    }
}
