//! All states of a program, breadth first: an interpreter of its own after IEEE 1666-2011, clause 4, statement by statement.

use crate::syntax::{Condition, Program, Statement, Target, Trigger, VALUES, Value};
use std::collections::{HashSet, VecDeque};

/// A statement without others inside.
enum Operation {
    Simple(Statement),
    /// Goes on elsewhere if the condition does not hold.
    Unless(Condition, usize),
    Jump(usize),
    /// Waits for what wakes it; for nothing where a thread begins, has ended or failed.
    Wait(Vec<Trigger>),
    End,
}

/// What the controller does.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Mode {
    Runs,
    All,
    Limited(i64),
    Delta,
    Ended,
}

/// A state: process 0 is `main`, and the last events are those of the threads' own times.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    globals: Vec<i64>,
    own: Vec<i64>,
    current: Vec<i64>,
    next: Vec<i64>,
    /// The time until each event happens, if it is notified.
    due: Vec<Option<i64>>,
    at: Vec<usize>,
    awake: Vec<bool>,
    /// The process that is in the middle of its work.
    running: Option<usize>,
    mode: Mode,
    is_started: bool,
}

/// What came of a search.
pub struct Found {
    pub states: usize,
    /// After how many statements an error is reached first.
    pub error: Option<u64>,
}

struct Machine<'p> {
    program: &'p Program,
    codes: Vec<Vec<Operation>>,
}

/// All states; none if there are more than so many.
pub fn explore(program: &Program, most: usize) -> Option<Found> {
    let machine = Machine::new(program);
    let start = machine.start();
    let mut known: HashSet<State> = HashSet::from([start.clone()]);
    let mut open = VecDeque::from([(start, 0)]);
    let mut error = None;
    while let Some((state, depth)) = open.pop_front() {
        if known.len() > most {
            return None;
        }
        for (next, is_error) in machine.successors(&state) {
            if is_error && error.is_none() {
                error = Some(depth + 1);
            }
            if known.insert(next.clone()) {
                open.push_back((next, depth + 1));
            }
        }
    }
    let states = known.len();
    Some(Found { states, error })
}

impl<'p> Machine<'p> {
    fn new(program: &'p Program) -> Machine<'p> {
        let mut codes = vec![Vec::new()];
        append(&mut codes[0], &program.main, program, 0);
        codes[0].push(Operation::End);
        for thread in &program.threads {
            let sensitivity = thread.sensitivity.clone();
            let mut code = vec![Operation::Wait(sensitivity.clone().unwrap_or_default())];
            code.push(Operation::Simple(Statement::Assign(
                Target::Own,
                Value::Number(0),
            )));
            append(&mut code, &thread.body, program, codes.len());
            if sensitivity.is_some() {
                code.push(Operation::Jump(0));
            }
            // The last operation is where a thread has ended or failed.
            code.push(Operation::Wait(Vec::new()));
            codes.push(code);
        }
        Machine { program, codes }
    }

    fn start(&self) -> State {
        let processes = self.codes.len();
        let threads = self.program.threads.iter().map(|it| it.is_initialized);
        State {
            globals: vec![0; self.program.globals],
            own: vec![0; processes],
            current: vec![0; self.program.signals],
            next: vec![0; self.program.signals],
            due: vec![None; self.program.events + processes],
            at: vec![0; processes],
            awake: std::iter::once(false).chain(threads).collect(),
            running: Some(0),
            mode: Mode::Runs,
            is_started: false,
        }
    }

    /// The next states, each with whether an error was reached on the way there.
    fn successors(&self, state: &State) -> Vec<(State, bool)> {
        match (state.mode, state.running) {
            (Mode::Ended, _) => Vec::new(),
            (_, Some(process)) => self.operate(state, process),
            (_, None) => self
                .schedule(state)
                .into_iter()
                .map(|it| (it, false))
                .collect(),
        }
    }

    /// What the scheduler does where everybody waits.
    fn schedule(&self, state: &State) -> Vec<State> {
        let awake = (1..self.codes.len()).filter(|it| state.awake[*it]);
        let turns = awake.map(|process| {
            let mut next = state.clone();
            next.awake[process] = false;
            next.running = Some(process);
            next.at[process] += 1;
            next
        });
        let turns: Vec<State> = turns.collect();
        if !turns.is_empty() {
            return turns;
        }
        let mut next = state.clone();
        if state.current != state.next || state.due.contains(&Some(0)) {
            self.take_effect(&mut next);
            if state.mode == Mode::Delta {
                goes_on(&mut next);
            }
            return vec![next];
        }
        let least = state.due.iter().flatten().copied().min();
        match (state.mode, least) {
            (Mode::All, Some(passed)) => self.pass(&mut next, passed),
            (Mode::Limited(limit), Some(passed)) if passed <= limit => {
                next.mode = Mode::Limited(limit - passed);
                self.pass(&mut next, passed);
            }
            (Mode::Limited(limit), _) => {
                for due in next.due.iter_mut().flatten() {
                    *due -= limit;
                }
                goes_on(&mut next);
            }
            _ => goes_on(&mut next),
        }
        vec![next]
    }

    /// The end of a delta cycle.
    fn take_effect(&self, state: &mut State) {
        let before = state.clone();
        self.wake(state, |trigger| {
            let values = |signal: usize| (before.current[signal], before.next[signal]);
            match trigger {
                Trigger::Event(event) => before.due[event] == Some(0),
                Trigger::Changed(signal) => values(signal).0 != values(signal).1,
                Trigger::Rises(signal) => values(signal).0 == 0 && values(signal).1 != 0,
                Trigger::Falls(signal) => values(signal).0 != 0 && values(signal).1 == 0,
            }
        });
        state.current.clone_from(&before.next);
        for due in &mut state.due {
            *due = due.filter(|it| *it > 0);
        }
    }

    /// Time goes on.
    fn pass(&self, state: &mut State, passed: i64) {
        for due in state.due.iter_mut().flatten() {
            *due -= passed;
        }
        let happening = state.due.clone();
        self.wake(state, |trigger| match trigger {
            Trigger::Event(event) => happening[event] == Some(0),
            _ => false,
        });
        for due in &mut state.due {
            *due = due.filter(|it| *it > 0);
        }
    }

    fn wake(&self, state: &mut State, happens: impl Fn(Trigger) -> bool) {
        for process in 1..self.codes.len() {
            if state.running == Some(process) {
                continue;
            }
            if let Operation::Wait(triggers) = &self.codes[process][state.at[process]] {
                state.awake[process] |= triggers.iter().any(|it| happens(*it));
            }
        }
    }

    /// What a process does next.
    fn operate(&self, state: &State, process: usize) -> Vec<(State, bool)> {
        let mut next = state.clone();
        let statement = match &self.codes[process][state.at[process]] {
            Operation::Simple(statement) => statement,
            Operation::Unless(Condition::Any, to) => {
                let mut other = state.clone();
                other.at[process] = *to;
                next.at[process] += 1;
                return vec![(next, false), (other, false)];
            }
            Operation::Unless(condition, to) => {
                next.at[process] = match holds(state, process, *condition) {
                    true => state.at[process] + 1,
                    false => *to,
                };
                return vec![(next, false)];
            }
            Operation::Jump(to) => {
                next.at[process] = *to;
                return vec![(next, false)];
            }
            Operation::Wait(_) => {
                next.running = None;
                return vec![(next, false)];
            }
            Operation::End => {
                next.mode = Mode::Ended;
                return vec![(next, false)];
            }
        };
        next.at[process] += 1;
        let value = |it: Value| value(state, process, it);
        match *statement {
            Statement::Assign(target, it) => assign(&mut next, process, target, value(it)),
            Statement::Choose(target) => {
                let mut other = next.clone();
                assign(&mut next, process, target, 0);
                assign(&mut other, process, target, 1);
                return vec![(next, false), (other, false)];
            }
            Statement::Assert(condition) if !holds(state, process, condition) => {
                if process == 0 {
                    next.mode = Mode::Ended;
                }
                next.at[process] = self.codes[process].len() - 1;
                return vec![(next, true)];
            }
            Statement::Assume(condition) if !holds(state, process, condition) => {
                next.mode = Mode::Ended;
            }
            Statement::Exit => next.mode = Mode::Ended,
            Statement::WaitTime(time) => {
                next.due[self.program.events + process] = Some(value(time));
            }
            Statement::Notify(event) => {
                next.due[event] = None;
                self.wake(
                    &mut next,
                    |it| matches!(it, Trigger::Event(it) if it == event),
                );
            }
            Statement::NotifyDelta(event) => notify(&mut next, event, 0),
            Statement::NotifyAt(event, time) => notify(&mut next, event, value(time)),
            Statement::Cancel(event) => next.due[event] = None,
            Statement::Write(signal, it) => next.next[signal] = value(it),
            Statement::Simulate => self.begin(&mut next, Mode::All),
            Statement::SimulateFor(time) => self.begin(&mut next, Mode::Limited(value(time))),
            Statement::SimulateDelta => self.begin(&mut next, Mode::Delta),
            _ => {}
        }
        vec![(next, false)]
    }

    /// The controller begins to wait.
    fn begin(&self, state: &mut State, mode: Mode) {
        (state.mode, state.running) = (mode, None);
        if !std::mem::replace(&mut state.is_started, true) {
            self.take_effect(state);
        }
    }
}

/// The controller goes on.
fn goes_on(state: &mut State) {
    (state.mode, state.running) = (Mode::Runs, Some(0));
}

fn notify(state: &mut State, event: usize, time: i64) {
    let earlier = state.due[event].filter(|it| *it <= time);
    state.due[event] = Some(earlier.unwrap_or(time));
}

fn assign(state: &mut State, process: usize, target: Target, value: i64) {
    match target {
        Target::Global(number) => state.globals[number] = value,
        Target::Own => state.own[process] = value,
    }
}

fn value(state: &State, process: usize, value: Value) -> i64 {
    let of = |target: Target| match target {
        Target::Global(number) => state.globals[number],
        Target::Own => state.own[process],
    };
    match value {
        Value::Number(number) => number,
        Value::Of(target) => of(target),
        Value::Signal(number) => state.current[number],
        Value::After(target) => (of(target) + 1) % VALUES,
    }
}

fn holds(state: &State, process: usize, condition: Condition) -> bool {
    let value = |it: Value| value(state, process, it);
    match condition {
        Condition::Equal(left, right) => value(left) == value(right),
        Condition::Less(left, right) => value(left) < value(right),
        // Only branches choose.
        Condition::Any => true,
    }
}

/// Statements of a process as code.
fn append(code: &mut Vec<Operation>, list: &[Statement], program: &Program, process: usize) {
    for statement in list {
        match statement {
            Statement::If(condition, then, otherwise) => {
                let test = code.len();
                code.push(Operation::End);
                append(code, then, program, process);
                let end = code.len();
                code.push(Operation::End);
                code[test] = Operation::Unless(*condition, code.len());
                append(code, otherwise, program, process);
                code[end] = Operation::Jump(code.len());
            }
            Statement::While(condition, body) => {
                let test = code.len();
                code.push(Operation::End);
                append(code, body, program, process);
                code.push(Operation::Jump(test));
                code[test] = Operation::Unless(*condition, code.len());
            }
            Statement::Wait(triggers) => code.push(Operation::Wait(triggers.clone())),
            Statement::WaitTime(_) => {
                code.push(Operation::Simple(statement.clone()));
                let own = Trigger::Event(program.events + process);
                code.push(Operation::Wait(vec![own]));
            }
            Statement::Help => append(code, &program.helper, program, process),
            _ => code.push(Operation::Simple(statement.clone())),
        }
    }
}
