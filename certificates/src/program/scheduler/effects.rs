//! What the scheduler does to the values of a state: where a block begins, when it is called, and in its own two steps.
//!
//! Nothing is asked here about whether a step is possible.

use super::{Call, Extent, Scheduler, Trigger};
use crate::program::Program;
use crate::term::{Assignment, EvaluationError, Term, Value};
use crate::work::Work;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// The new values of variables, by index.
type Written = Vec<(usize, Value)>;

/// What the scheduler of a program, which has been checked ([`Program::check_scheduler`]), does in a state.
pub struct Effects<'e> {
    program: &'e Program,
    scheduler: &'e Scheduler,
    values: &'e dyn Assignment,
    work: &'e mut Work,
}

impl<'e> Effects<'e> {
    /// What it does in a state that has these values.
    pub fn of(
        program: &'e Program,
        scheduler: &'e Scheduler,
        values: &'e dyn Assignment,
        work: &'e mut Work,
    ) -> Effects<'e> {
        Effects {
            program,
            scheduler,
            values,
            work,
        }
    }

    /// What is written when a block begins at a cut point of a process.
    ///
    /// # Errors
    /// When a variable has no value.
    pub fn begin(&mut self, process: usize, from: usize) -> Result<Written, EvaluationError> {
        let scheduler = self.scheduler;
        if let Some(thread) = scheduler.thread(process) {
            let waits = thread.waits.contains_key(&from);
            let slept = waits.then_some((thread.awake, Value::Bool(false)));
            return Ok(slept.into_iter().collect());
        }
        let is_limited = scheduler.simulations.get(&from) == Some(&Extent::Limited);
        let Some(remaining) = scheduler.remaining.filter(|_| is_limited) else {
            return Ok(Written::new());
        };
        let passed = self.integer(remaining)?;
        let mut written = self.pass(&passed)?;
        written.push((remaining, Value::Int(BigInt::zero())));
        Ok(written)
    }

    /// What is written when a process calls the scheduler.
    ///
    /// # Errors
    /// When a formula has no value.
    pub fn call(&mut self, process: usize, call: &Call) -> Result<Written, EvaluationError> {
        let scheduler = self.scheduler;
        let delay = |event: usize| scheduler.events[event].delay;
        Ok(match call {
            Call::NotifyNow(event) => {
                let is_it = |trigger: &Trigger| *trigger == Trigger::Event(*event);
                let mut written = self.wake(Some(process), |_, trigger| Ok(is_it(trigger)))?;
                written.extend(delay(*event).map(|it| (it, unnotified())));
                written
            }
            Call::NotifyAfter(event, after) => {
                let Some(delay) = delay(*event) else {
                    return Ok(Written::new());
                };
                let known = self.integer(delay)?;
                let after = self.evaluate(after)?;
                let is_earlier = !known.is_negative() && Value::Int(known) <= after;
                let later = (!is_earlier).then_some((delay, after));
                later.into_iter().collect()
            }
            Call::Cancel(event) => {
                let delay = delay(*event).into_iter();
                delay.map(|it| (it, unnotified())).collect()
            }
            Call::Write(signal, value) => {
                vec![(scheduler.signals[*signal].next, self.evaluate(value)?)]
            }
            Call::Start(duration) => {
                let mut written = Written::new();
                if self.value(scheduler.started)? == Value::Bool(false) {
                    written = self.take_effect()?;
                    written.push((scheduler.started, Value::Bool(true)));
                }
                if let Some((remaining, duration)) = scheduler.remaining.zip(duration.as_ref()) {
                    written.push((remaining, self.evaluate(duration)?));
                }
                written
            }
        })
    }

    /// What the step `delta` writes, but for where the controller goes.
    ///
    /// # Errors
    /// When a variable has no value.
    pub fn take_effect(&mut self) -> Result<Written, EvaluationError> {
        let mut written = self.wake(None, Effects::has_happened)?;
        for delay in self.scheduler.delays() {
            if self.integer(delay)?.is_zero() {
                written.push((delay, unnotified()));
            }
        }
        for signal in &self.scheduler.signals {
            written.push((signal.current, self.value(signal.next)?));
        }
        Ok(written)
    }

    /// What the step `time` writes, in which so much time passes.
    ///
    /// # Errors
    /// When a variable has no value.
    pub fn let_pass(
        &mut self,
        least: &BigInt,
        is_limited: bool,
    ) -> Result<Written, EvaluationError> {
        let mut written = self.wake(None, |effects, trigger| match trigger {
            Trigger::Event(event) => {
                let delay = effects.scheduler.events[*event].delay;
                let delay = delay.map(|it| effects.integer(it)).transpose()?;
                Ok(delay.as_ref() == Some(least))
            }
            _ => Ok(false),
        })?;
        written.extend(self.pass(least)?);
        for delay in self.scheduler.delays() {
            if self.integer(delay)? == *least {
                written.push((delay, unnotified()));
            }
        }
        if let Some(remaining) = self.scheduler.remaining.filter(|_| is_limited) {
            let less = self.integer(remaining)? - least;
            written.push((remaining, Value::Int(less)));
        }
        Ok(written)
    }

    /// Everything that is notified is due sooner by so much.
    fn pass(&mut self, passed: &BigInt) -> Result<Written, EvaluationError> {
        let mut written = Written::new();
        for variable in self.scheduler.delays() {
            let delay = self.integer(variable)?;
            if !delay.is_negative() {
                let sooner = delay - passed;
                self.work.integer(&sooner)?;
                written.push((variable, Value::Int(sooner)));
            }
        }
        Ok(written)
    }

    /// Wakes the threads that something wakes where they wait, but for one process.
    fn wake(
        &mut self,
        but_for: Option<usize>,
        wakes: impl Fn(&mut Effects<'e>, &Trigger) -> Result<bool, EvaluationError>,
    ) -> Result<Written, EvaluationError> {
        let scheduler = self.scheduler;
        let mut woken = Written::new();
        let others = scheduler.threads.iter();
        for thread in others.filter(|it| Some(it.process) != but_for) {
            let Some(location) = self.program.processes[thread.process].location else {
                continue;
            };
            let location = self.integer(location)?;
            let number = usize::try_from(location).ok();
            let triggers = number.and_then(|it| thread.waits.get(&it));
            for trigger in triggers.into_iter().flatten() {
                self.work.charge(1)?;
                if wakes(self, trigger)? {
                    woken.push((thread.awake, Value::Bool(true)));
                    break;
                }
            }
        }
        Ok(woken)
    }

    /// Whether a delta cycle brings about what a thread may wait for.
    fn has_happened(&mut self, trigger: &Trigger) -> Result<bool, EvaluationError> {
        let scheduler = self.scheduler;
        let signal = match trigger {
            Trigger::Event(event) => {
                let delay = scheduler.events[*event].delay;
                let delay = delay.map(|it| self.integer(it)).transpose()?;
                return Ok(delay.is_some_and(|it| it.is_zero()));
            }
            Trigger::Changed(signal) | Trigger::Rises(signal) | Trigger::Falls(signal) => {
                &scheduler.signals[*signal]
            }
        };
        let (before, after) = (self.value(signal.current)?, self.value(signal.next)?);
        let is_zero = |value: &Value| *value == Value::default_of(value.sort());
        Ok(match trigger {
            Trigger::Rises(_) => is_zero(&before) && !is_zero(&after),
            Trigger::Falls(_) => !is_zero(&before) && is_zero(&after),
            _ => before != after,
        })
    }

    fn evaluate(&mut self, term: &Term) -> Result<Value, EvaluationError> {
        term.evaluate_within(self.values, self.work)
    }

    fn value(&mut self, variable: usize) -> Result<Value, EvaluationError> {
        let symbol = &self.program.variables[variable].current;
        self.evaluate(&Term::symbol(symbol.clone()))
    }

    fn integer(&mut self, variable: usize) -> Result<BigInt, EvaluationError> {
        match self.value(variable)? {
            Value::Int(number) => Ok(number),
            _ => {
                let name = self.program.variables[variable].name();
                Err(EvaluationError::WrongSort(name.to_owned()))
            }
        }
    }
}

/// The delay of an event that is not notified.
fn unnotified() -> Value {
    Value::Int(-BigInt::one())
}
