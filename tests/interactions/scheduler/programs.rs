//! Programs with a scheduler, from a compact description.

use slabcert_certificates::program::{
    Call, Command, Event, Extent, Move, Program, ProgramProperty, Requirement, Scheduler, Signal,
    Thread, Trigger,
};
use slabcert_certificates::structure::{Family, Origin, Process};
use slabcert_certificates::system::{
    Conjunct, Input, InputRole, StateVariable, Update, ValueTable,
};
use slabcert_certificates::term::{Sort, Symbol, Term, Value};
use slabcert_certificates::trace::Valuation;
use std::collections::BTreeMap;

/// The variables that every program has, by index: `started`, `remaining`, and `x`, which belongs to nobody.
pub const STARTED: usize = 0;
pub const REMAINING: usize = 1;
pub const X: usize = 2;

/// What a statement does.
#[derive(Clone)]
pub enum Does {
    Nothing,
    /// Gives a variable a value.
    Set(usize, Term),
    Calls(Call),
}

/// A program in the making. Process 0 is the controller, and begins at location 0 like all others.
pub struct Builder {
    pub program: Program,
    pub scheduler: Scheduler,
}

impl Builder {
    /// A program with so many events, and signals of these sorts.
    pub fn new(events: usize, signals: &[Sort]) -> Builder {
        let mut builder = Builder {
            program: Program {
                name: "threads".into(),
                inputs: vec![Input {
                    symbol: Symbol::new("d", Sort::Int),
                    role: InputRole::Choice,
                }],
                properties: vec![ProgramProperty {
                    name: "property".into(),
                    requirement: Requirement::Always(Term::bool(true)),
                    position: None,
                }],
                ..Program::default()
            },
            scheduler: Scheduler {
                controller: 0,
                threads: Vec::new(),
                events: Vec::new(),
                signals: Vec::new(),
                simulations: BTreeMap::new(),
                started: STARTED,
                remaining: None,
                calls: BTreeMap::new(),
            },
        };
        builder.variable("started", Sort::Bool);
        builder.variable("remaining", Sort::Int);
        builder.variable("x", Sort::Int);
        for number in 0..events {
            let delay = builder.variable(&format!("e{number}.delay"), Sort::Int);
            let name = format!("e{number}");
            let delay = Some(delay);
            builder.scheduler.events.push(Event { name, delay });
        }
        for (number, sort) in signals.iter().enumerate() {
            let current = builder.variable(&format!("s{number}.current"), *sort);
            let next = builder.variable(&format!("s{number}.next"), *sort);
            let name = format!("s{number}");
            let signal = Signal {
                name,
                current,
                next,
            };
            builder.scheduler.signals.push(signal);
        }
        builder
    }

    fn variable(&mut self, name: &str, sort: Sort) -> usize {
        let variables = &mut self.program.variables;
        variables.push(StateVariable::new(name, sort));
        variables.len() - 1
    }

    fn process(&mut self, name: &str, locations: usize, cuts: &[usize]) -> usize {
        let process = self.program.processes.len();
        let location = self.variable(&format!("{name}.location"), Sort::Int);
        let variable = &mut self.program.variables[location];
        variable.origin = Some(Origin::of(Some(process), "location".into()));
        variable.values = Some(ValueTable {
            name: "location".into(),
            values: (0..locations).map(|number| format!("l{number}")).collect(),
        });
        self.program.families.push(Family {
            name: name.into(),
            ..Family::default()
        });
        self.program.processes.push(Process {
            name: name.into(),
            family: process,
            indices: Vec::new(),
            location: Some(location),
        });
        let begins = self.value(location).equals(Term::int(0));
        self.program.init.push(begins);
        let cuts = cuts.iter().copied();
        self.program.cuts.insert(process, cuts.collect());
        process
    }

    /// Adds the controller, `main`: its cut points, and where it waits.
    pub fn controller(&mut self, locations: usize, cuts: &[usize], waits: &[(usize, Extent)]) {
        self.process("main", locations, cuts);
        self.scheduler.simulations = waits.iter().copied().collect();
        let is_limited = waits.iter().any(|(_, extent)| *extent == Extent::Limited);
        self.scheduler.remaining = is_limited.then_some(REMAINING);
    }

    /// Adds a thread: its cut points, and where it waits for what.
    pub fn thread(
        &mut self,
        name: &str,
        locations: usize,
        cuts: &[usize],
        waits: &[(usize, &[Trigger])],
    ) -> usize {
        let process = self.process(name, locations, cuts);
        let awake = self.variable(&format!("{name}.awake"), Sort::Bool);
        let waits = waits.iter();
        self.scheduler.threads.push(Thread {
            process,
            awake,
            waits: waits.map(|(at, what)| (*at, what.to_vec())).collect(),
        });
        process
    }

    /// Adds a statement of a process.
    pub fn statement(
        &mut self,
        process: usize,
        (from, to): (usize, usize),
        condition: Option<Term>,
        does: Does,
    ) {
        let number = self.program.commands.len();
        let declaration = format!("c{number}");
        let mut updates = Vec::new();
        match does {
            Does::Nothing => {}
            Does::Set(variable, value) => updates.push(Update {
                variable,
                value,
                process: Some(process),
            }),
            Does::Calls(call) => {
                self.scheduler.calls.insert(number, call);
            }
        }
        let given = self.scheduler.calls.get(&number).and_then(Call::given);
        let chosen = Symbol::new("d", Sort::Int);
        let values = updates.iter().map(|it| &it.value).chain(given);
        let chooses = values.flat_map(Term::symbols).any(|it| it == chosen);
        let name = &self.program.processes[process].name;
        self.program.commands.push(Command {
            name: format!("{name}.{declaration}"),
            origin: Origin::of(Some(process), declaration),
            moves: vec![Move {
                process,
                from: Some(from),
                to,
            }],
            guard: condition.into_iter().map(Conjunct::of_system).collect(),
            updates,
            relation: Vec::new(),
            modifies: Vec::new(),
            choices: if chooses { vec![0] } else { Vec::new() },
            position: None,
            last_line: None,
        });
    }

    /// Statements that do these things one after the other, from one location through the next ones.
    pub fn line(&mut self, process: usize, from: usize, line: &[Does], to: usize) {
        for (number, does) in line.iter().enumerate() {
            let at = from + number;
            let next = if number + 1 == line.len() { to } else { at + 1 };
            self.statement(process, (at, next), None, does.clone());
        }
    }

    /// The value of a variable.
    pub fn value(&self, variable: usize) -> Term {
        Term::symbol(self.program.variables[variable].current.clone())
    }

    /// Has no delay for events that are notified at once only.
    fn forget_delays(&mut self) {
        for number in 0..self.scheduler.events.len() {
            let mut calls = self.scheduler.calls.values();
            if !calls.any(|call| matches!(call, Call::NotifyAfter(event, _) if *event == number)) {
                self.scheduler.events[number].delay = None;
            }
        }
    }

    /// The program, which is one.
    pub fn finish(self) -> Program {
        let mut program = self.program;
        program.scheduler = Some(Box::new(self.scheduler));
        assert_eq!(program.check_blocks(), Ok(()));
        assert_eq!(program.check_scheduler(), Ok(()));
        program
    }
}

/// Numbers at random, each below the one that is given.
pub type Numbers<'n> = &'n mut dyn FnMut(usize) -> usize;

/// A program of a controller and two threads, in which everything that can be said is said at random.
pub fn random_program(below: Numbers<'_>) -> Program {
    let mut builder = Builder::new(2, &[Sort::Int, Sort::Bool]);
    let mut extent = || match below(3) {
        0 => Extent::All,
        1 => Extent::Limited,
        _ => Extent::Delta { then: 5 },
    };
    let waits = [(2, extent()), (4, extent())];
    builder.controller(6, &[0, 2, 4, 5], &waits);
    for name in ["t", "u"] {
        let [first, second] = [0, 1].map(|_| random_triggers(below));
        let mut waits = vec![(0, &first[..])];
        if below(3) > 0 {
            waits.push((3, &second[..]));
        }
        builder.thread(name, 5, &[0, 3], &waits);
    }
    let chooser = (below(3), below(5));
    for process in 0..3 {
        for from in 0..5 {
            let condition = builder.random_condition(below);
            let is_branch = below(3) > 0;
            let own = is_branch.then(|| condition.clone());
            let chooses = (process, from) == chooser;
            builder.random_statement((process, from), own, chooses, below);
            if is_branch && below(8) > 0 {
                let other = Some(condition.not());
                builder.random_statement((process, from), other, false, below);
            }
        }
    }
    builder.forget_delays();
    builder.finish()
}

fn random_triggers(below: Numbers<'_>) -> Vec<Trigger> {
    let triggers = (0..below(3)).map(|_| match below(6) {
        0 => Trigger::Changed(below(2)),
        1 => Trigger::Rises(below(2)),
        2 => Trigger::Falls(below(2)),
        _ => Trigger::Event(below(2)),
    });
    triggers.collect()
}

impl Builder {
    fn named(&self, name: &str) -> Term {
        let mut variables = self.program.variables.iter();
        let found = variables.find(|it| it.name() == name);
        found.map_or_else(|| Term::int(1), |it| Term::symbol(it.current.clone()))
    }

    fn random_number(&self, below: Numbers<'_>) -> Term {
        match below(6) {
            0 => self.value(X),
            1 => self.named("s0.current"),
            2 => self.named("e1.delay"),
            3 => Term::sum([self.value(X), Term::int(1)], Sort::Int),
            _ => Term::int(below(3) as u64),
        }
    }

    fn random_condition(&self, below: Numbers<'_>) -> Term {
        match below(5) {
            0 => self.named("s1.current"),
            1 => self.named("u.awake"),
            2 => self.named("started"),
            _ => self.random_number(below).less(self.random_number(below)),
        }
    }

    /// A statement from a location of a process, which leads on, or back to a cut point.
    fn random_statement(
        &mut self,
        (process, from): (usize, usize),
        condition: Option<Term>,
        chooses: bool,
        below: Numbers<'_>,
    ) {
        let cuts: Vec<usize> = self.program.cuts[&process].iter().copied().collect();
        let last = if process == 0 { 5 } else { 4 };
        let to = match below(4) {
            0 => cuts[below(cuts.len())],
            _ if from < last => from + 1 + below(last - from),
            _ => 0,
        };
        let mut number = match chooses {
            true => Term::named("d", Sort::Int),
            false => self.random_number(below),
        };
        let entered = self.scheduler.simulations.get(&to);
        let does = match entered.filter(|_| process == 0) {
            Some(Extent::Limited) => Does::Calls(Call::Start(Some(number))),
            Some(_) => Does::Calls(Call::Start(None)),
            None => match below(8) {
                0 => Does::Nothing,
                1 => Does::Calls(Call::NotifyNow(below(2))),
                2 => Does::Calls(Call::Cancel(below(2))),
                3 => {
                    let truth = self.random_condition(below);
                    Does::Calls(Call::Write(1, truth))
                }
                4 => Does::Set(X, number),
                5 => {
                    if below(2) == 0 {
                        number = Term::int(0);
                    }
                    Does::Calls(Call::NotifyAfter(below(2), number))
                }
                _ => Does::Calls(Call::Write(0, number)),
            },
        };
        self.statement(process, (from, to), condition, does);
    }
}

/// A state of a program in which processes are at cut points. In some of them no thread is awake, in some of these nothing is put off.
pub fn random_state(program: &Program, below: Numbers<'_>) -> Valuation {
    let (is_asleep, is_settled) = (below(3) > 0, below(2) == 0);
    let mut state = Valuation::new();
    for variable in &program.variables {
        let name = variable.name();
        let is_delay = name.ends_with(".delay");
        let value = match (variable.sort(), name.split_once(".next")) {
            (_, Some((signal, _))) if is_settled => state[&format!("{signal}.current")].clone(),
            (Sort::Bool, _) => {
                Value::Bool(below(2) == 0 && !(is_asleep && name.ends_with(".awake")))
            }
            (_, _) if is_delay => match below(6) {
                0 if !is_settled => Value::Int(0.into()),
                number @ 1..=3 => Value::Int(number.into()),
                _ => Value::Int((-1).into()),
            },
            _ => Value::Int(below(4).into()),
        };
        state.insert(name.to_owned(), value);
    }
    for (process, cuts) in &program.cuts {
        let cut = cuts.iter().nth(below(cuts.len())).copied();
        let location = program.processes[*process].location;
        let location = location.map(|it| program.variables[it].name().to_owned());
        if let (Some(cut), Some(location)) = (cut, location) {
            state.insert(location, Value::Int(cut.into()));
        }
    }
    state
}

/// Another state, in which one variable has another value.
pub fn other_state(program: &Program, state: &Valuation, below: Numbers<'_>) -> Valuation {
    let mut other = state.clone();
    let name = program.variables[below(program.variables.len())].name();
    let value = match &state[name] {
        Value::Bool(truth) => Value::Bool(!truth),
        Value::Int(number) => Value::Int(number + 1),
        Value::Real(number) => Value::Real(number.clone()),
    };
    other.insert(name.to_owned(), value);
    other
}
