//! Programs with a scheduler, from a compact description.

use slabcert_certificates::program::{
    Call, Command, Event, Extent, Move, Program, ProgramProperty, Requirement, Scheduler, Signal,
    Thread, Trigger,
};
use slabcert_certificates::structure::{Family, Origin, Process};
use slabcert_certificates::system::{
    Conjunct, Input, InputRole, StateVariable, Update, ValueTable,
};
use slabcert_certificates::term::{Sort, Symbol, Term};
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

    /// The program, which is one.
    pub fn finish(self) -> Program {
        let mut program = self.program;
        program.scheduler = Some(Box::new(self.scheduler));
        assert_eq!(program.check_blocks(), Ok(()));
        assert_eq!(program.check_scheduler(), Ok(()));
        program
    }
}
