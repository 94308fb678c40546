//! Random programs: two or three threads and methods with a little data, small enough that all states can be looked at, and drawn again
//! where they are not.

use crate::contest::Sample;
use crate::random::Random;
use crate::search::explore;
use crate::syntax::{Condition, Program, Statement, Target, Thread, Trigger, VALUES, Value, print};

/// The most states that a program may have, statement by statement, the fewest that are interesting, and how often one is drawn.
const MOST_STATES: usize = 2_000;
const FEWEST_STATES: usize = 25;
const ATTEMPTS: u64 = 200;
/// Of so many of 100 programs an error is wanted.
const UNSAFE: usize = 45;
/// How deep statements nest.
const LEVELS: usize = 2;

const GLOBALS: usize = 2;
const EVENTS: usize = 2;
const SIGNALS: usize = 2;

/// The program of a seed.
pub fn sample(seed: u64) -> Sample {
    for attempt in 0..ATTEMPTS {
        let mut random = Random::new(seed * ATTEMPTS + attempt);
        let is_unsafe = random.percent(UNSAFE);
        let program = Generator {
            random: &mut random,
        }
        .program();
        let Some(found) = explore(&program, MOST_STATES) else {
            continue;
        };
        let is_wanted = found.error.is_some() == is_unsafe && found.states >= FEWEST_STATES;
        if is_wanted || attempt + 1 == ATTEMPTS {
            return Sample {
                text: print(&program),
                properties: vec![("error".to_owned(), found.error)],
                states: found.states,
            };
        }
    }
    panic!("no program of seed {seed} is small enough");
}

/// Who runs a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Main,
    Thread,
    Method,
    Helper,
}

struct Generator<'r> {
    random: &'r mut Random,
}

impl Generator<'_> {
    fn program(&mut self) -> Program {
        let threads = (0..2 + self.random.below(2)).map(|_| self.thread());
        let threads = threads.collect();
        let helper = self.list(Place::Helper, 2, 0);
        let mut main = self.list(Place::Main, 1, 1);
        for _ in 0..1 + self.random.below(2) {
            main.push(match self.random.below(4) {
                0 => Statement::Simulate,
                1 => Statement::SimulateDelta,
                _ => Statement::SimulateFor(self.time(Place::Main)),
            });
            main.extend(self.list(Place::Main, 2, 1));
        }
        main.push(match self.random.percent(50) {
            true => Statement::Simulate,
            false => Statement::SimulateFor(Value::Number(self.random.between(0, 3))),
        });
        if self.random.percent(60) {
            main.push(Statement::Assert(self.condition(Place::Main)));
        }
        Program {
            globals: GLOBALS,
            events: EVENTS,
            signals: SIGNALS,
            threads,
            helper,
            main,
        }
    }

    fn thread(&mut self) -> Thread {
        let is_method = self.random.percent(40);
        let place = if is_method {
            Place::Method
        } else {
            Place::Thread
        };
        let mut body = self.list(place, 4, LEVELS);
        if !is_method && self.random.percent(50) {
            // Without a wait it may go round for ever, which is right too.
            body.insert(0, Statement::Wait(self.triggers(1)));
            let zero = Value::Number(0);
            body = vec![Statement::While(Condition::Equal(zero, zero), body)];
        }
        Thread {
            sensitivity: is_method.then(|| self.triggers(0)),
            is_initialized: self.random.percent(75),
            body,
        }
    }

    fn list(&mut self, place: Place, most: usize, levels: usize) -> Vec<Statement> {
        let count = self.random.between(1, i64::try_from(most).unwrap());
        (0..count).map(|_| self.statement(place, levels)).collect()
    }

    fn statement(&mut self, place: Place, levels: usize) -> Statement {
        let event = self.random.below(EVENTS);
        match self.random.below(20) {
            0..2 => Statement::Assign(self.target(place), self.value(place)),
            2 => Statement::Choose(self.target(place)),
            3..5 if levels > 0 => {
                let condition = self.test(place);
                let then = self.list(place, 2, levels - 1);
                Statement::If(condition, then, self.list(place, 2, levels - 1))
            }
            5 if levels > 0 => {
                let condition = self.test(place);
                Statement::While(condition, self.list(place, 2, levels - 1))
            }
            6 => Statement::Assert(self.condition(place)),
            7 if self.random.percent(30) => Statement::Assume(self.condition(place)),
            7 if self.random.percent(30) => Statement::Exit,
            8..11 if matches!(place, Place::Thread | Place::Helper) => match self.random.below(3) {
                0 => Statement::WaitTime(self.time(place)),
                _ => Statement::Wait(self.triggers(1)),
            },
            11 if place == Place::Thread => Statement::Help,
            12 => Statement::Notify(event),
            13 => Statement::NotifyDelta(event),
            14 => Statement::NotifyAt(event, self.time(place)),
            15 if self.random.percent(50) => Statement::Cancel(event),
            _ => Statement::Write(self.random.below(SIGNALS), self.value(place)),
        }
    }

    fn target(&mut self, place: Place) -> Target {
        match place {
            Place::Helper => Target::Global(self.random.below(GLOBALS)),
            _ if self.random.percent(25) => Target::Own,
            _ => Target::Global(self.random.below(GLOBALS)),
        }
    }

    fn value(&mut self, place: Place) -> Value {
        match self.random.below(4) {
            0 => Value::Number(self.random.between(0, VALUES - 1)),
            1 => Value::Of(self.target(place)),
            2 => Value::Signal(self.random.below(SIGNALS)),
            _ => Value::After(self.target(place)),
        }
    }

    /// A time from 0 to 3: all values are none below 0.
    fn time(&mut self, place: Place) -> Value {
        match self.random.percent(25) {
            true => Value::Of(self.target(place)),
            false => Value::Number(self.random.between(0, 3)),
        }
    }

    fn condition(&mut self, place: Place) -> Condition {
        let (left, right) = (self.value(place), self.value(place));
        match self.random.percent(50) {
            true => Condition::Equal(left, right),
            false => Condition::Less(left, right),
        }
    }

    fn test(&mut self, place: Place) -> Condition {
        match self.random.percent(20) {
            true => Condition::Any,
            false => self.condition(place),
        }
    }

    /// At least so many triggers.
    fn triggers(&mut self, least: usize) -> Vec<Trigger> {
        let count = least + self.random.below(2);
        let all = (0..count).map(|_| {
            if self.random.percent(50) {
                return Trigger::Event(self.random.below(EVENTS));
            }
            let kinds: [fn(usize) -> Trigger; 3] =
                [Trigger::Changed, Trigger::Rises, Trigger::Falls];
            self.random.pick(&kinds)(self.random.below(SIGNALS))
        });
        all.collect()
    }
}
