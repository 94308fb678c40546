//! Random programs: the interpreter takes the steps of the flat system, starts where it starts, and sees the same violations, and no others.
//!
//! The system that traces are checked against first allows everything, so that the interpreter alone decides.

use super::{certificate, check, plus_one, value};
use fastrand::Rng;
use slabcert::flattening::interleave;
use slabcert_certificates::certificate::{Certificate, Claim, Evidence, NamedRelation};
use slabcert_certificates::program::{
    BlockingRule, Command, DeclaredRange, Edge, Interaction, Move, Program, ProgramProperty,
    Requirement,
};
use slabcert_certificates::structure::{Family, Origin, Process};
use slabcert_certificates::system::{
    Conjunct, Input, InputRole, StateVariable, System, Transition, Update, ValueTable,
};
use slabcert_certificates::term::{Sort, Symbol, Term, Value};
use slabcert_certificates::trace::step_valuation::StepValuations;
use slabcert_certificates::trace::{Step, Trace, Valuation};
use slabcert_checker::verdict::Rejection;
use slabcert_checker::{ProgramFault, TraceFault};

const PROCESSES: usize = 2;
/// The values that variables have in the states that are looked at.
const VALUES: u64 = 3;

struct Generator {
    random: Rng,
    variables: Vec<StateVariable>,
}

impl Generator {
    fn term(&mut self) -> Term {
        let index = self.random.usize(..self.variables.len());
        let variable = value(&self.variables[index]);
        match self.random.u8(..4) {
            0 => Term::int(self.random.u64(..VALUES)),
            1 => plus_one(variable),
            _ => variable,
        }
    }

    fn chosen(&mut self) -> Term {
        match self.random.u8(..4) {
            0 => Term::named("d", Sort::Int),
            _ => self.term(),
        }
    }

    fn formula(&mut self) -> Term {
        let (left, right) = (self.term(), self.term());
        match self.random.u8(..3) {
            0 => left.equals(right),
            1 => left.equals(right).not(),
            _ => left.less(right),
        }
    }

    fn formulas(&mut self) -> Vec<Term> {
        (0..self.random.usize(..2))
            .map(|_| self.formula())
            .collect()
    }

    fn step(&mut self) -> (usize, usize) {
        (self.random.usize(..2), self.random.usize(..2))
    }

    /// The variable of a process that is no location.
    fn own(process: usize) -> usize {
        2 * process + 1
    }

    fn edge(&mut self, number: usize) -> Edge {
        let process = self.random.usize(..PROCESSES);
        let label = ["a", "b"][self.random.usize(..2)];
        let is_internal = self.random.u8(..6) == 0;
        let updates = (0..self.random.usize(..2))
            .map(|_| (Generator::own(process), self.chosen()))
            .collect();
        Edge {
            name: format!("e{number}"),
            process,
            label: (!is_internal).then(|| label.to_owned()),
            step: (self.random.u8(..5) > 0).then(|| self.step()),
            guard: self.formulas(),
            updates,
            choices: vec![0],
            position: None,
        }
    }

    fn interaction(&mut self, number: usize) -> Interaction {
        let mut participants = Vec::new();
        for process in 0..PROCESSES {
            if self.random.u8(..4) > 0 {
                let label = ["a", "b"][self.random.usize(..2)];
                participants.push((process, label.to_owned()));
            }
        }
        let mut transfer = Vec::new();
        for (process, _) in &participants {
            if self.random.bool() {
                transfer.push((Generator::own(*process), self.chosen()));
            }
        }
        Interaction {
            name: format!("i{number}"),
            participants,
            guard: self.formulas(),
            transfer,
            is_offered: self.random.u8(..5) > 0,
            choices: vec![0],
            position: None,
        }
    }

    fn command(&mut self, number: usize) -> Command {
        let process = self.random.usize(..PROCESSES);
        let (from, to) = self.step();
        let from = self.random.bool().then_some(from);
        let other = Generator::own(1 - process);
        let (mut updates, mut relation, mut modifies) = (Vec::new(), Vec::new(), Vec::new());
        if self.random.bool() {
            let next = Term::symbol(self.variables[other].next.clone());
            relation.push(Conjunct::of_system(self.term().less(next)));
            modifies.push(other);
        }
        if self.random.bool() {
            updates.push(Update {
                variable: Generator::own(process),
                value: self.chosen(),
                process: Some(process),
            });
        }
        let guard = self.formulas().into_iter().map(Conjunct::of_system);
        Command {
            name: format!("c{number}"),
            origin: Origin::of(None, format!("c{number}")),
            moves: vec![Move { process, from, to }],
            guard: guard.collect(),
            updates,
            relation,
            modifies,
            choices: vec![0],
            position: None,
            last_line: None,
        }
    }

    fn program(&mut self) -> Program {
        let process = |number: usize| Process {
            name: format!("P{number}"),
            family: number,
            indices: Vec::new(),
            location: Some(2 * number),
        };
        let family = |number: usize| Family {
            name: format!("P{number}"),
            ..Family::default()
        };
        let interactions: Vec<Interaction> = (0..4).map(|it| self.interaction(it)).collect();
        let mut blocking = Vec::new();
        for _ in 0..self.random.usize(..4) {
            let blocked = self.random.usize(..4);
            let by = (blocked + self.random.usize(1..4)) % 4;
            let condition = self.formula();
            blocking.push(BlockingRule {
                blocked,
                by,
                condition,
            });
        }
        let commands: Vec<Command> = (0..self.random.usize(..3))
            .map(|it| self.command(it))
            .collect();
        let requirement = match self.random.u8(..3) {
            0 if commands.iter().all(|it| it.relation.is_empty()) => Requirement::NoDeadlock,
            0 | 1 => Requirement::Always(self.formula()),
            _ => Requirement::Visible(self.formula()),
        };
        let ranges = (0..self.random.usize(..2)).map(|_| DeclaredRange {
            name: "range".into(),
            variables: vec![1],
            position: None,
        });
        Program {
            name: "random".into(),
            ranges: ranges.collect(),
            families: (0..PROCESSES).map(family).collect(),
            processes: (0..PROCESSES).map(process).collect(),
            inputs: vec![Input {
                symbol: Symbol::new("d", Sort::Int),
                role: InputRole::Choice,
            }],
            init: self.formulas(),
            edges: (0..6).map(|it| self.edge(it)).collect(),
            interactions,
            blocking,
            commands,
            properties: vec![ProgramProperty {
                name: "property".into(),
                requirement,
                position: None,
            }],
            variables: self.variables.clone(),
            ..Program::default()
        }
    }
}

fn variables() -> Vec<StateVariable> {
    let mut variables = Vec::new();
    for process in 0..PROCESSES {
        for name in ["location", "v"] {
            let mut variable = StateVariable::new(&format!("P{process}.{name}"), Sort::Int);
            variable.origin = Some(Origin::of(Some(process), name.to_owned()));
            match name {
                "location" => {
                    variable.values = Some(ValueTable {
                        name: "location".into(),
                        values: vec!["l".into(), "m".into()],
                    });
                }
                _ => variable.range = Some((0.into(), 1.into())),
            }
            variables.push(variable);
        }
    }
    variables
}

pub fn states(variables: &[StateVariable]) -> Vec<Valuation> {
    let mut states = vec![Valuation::new()];
    for variable in variables {
        let names = variable.values.as_ref();
        let count = names.map_or(VALUES, |table| table.values.len() as u64);
        let with = |state: &Valuation, number: u64| {
            let mut state = state.clone();
            state.insert(variable.name().to_owned(), Value::Int(number.into()));
            state
        };
        states = states
            .iter()
            .flat_map(|state| (0..count).map(|number| with(state, number)))
            .collect();
    }
    states
}

/// A system with the program's symbols and names that allows everything and in which every state violates everything.
pub fn permissive(system: &System) -> System {
    let mut permissive = system.clone();
    permissive.init.clear();
    for transition in &mut permissive.transitions {
        *transition = Transition::from_relation(transition.name.clone(), Term::bool(true), vec![]);
    }
    for property in &mut permissive.properties {
        property.formula = Term::bool(false);
    }
    permissive
}

/// How often the flat system says that something is so, and that it is not.
#[derive(Debug, Default)]
pub struct Count {
    pub so: usize,
    pub not: usize,
}

impl Count {
    pub fn note(&mut self, is_so: bool) {
        match is_so {
            true => self.so += 1,
            false => self.not += 1,
        }
    }
}

/// The faults that the interpreter finds in traces, by their numbers.
fn faults(
    program: &Program,
    system: &System,
    certificate: &Certificate,
) -> Vec<(usize, ProgramFault)> {
    let report = check(program, system, certificate);
    let found = report.rejections.iter().map(|rejection| match rejection {
        Rejection::Trace {
            location,
            fault: TraceFault::NotOfTheProgram(fault),
        } => {
            let (number, _) = location["traces[".len()..].split_once(']').unwrap();
            (number.parse().unwrap(), fault.clone())
        }
        other => panic!("{other:?}"),
    });
    found.collect()
}

/// Every state is the beginning and the end of a trace of its own.
fn compare_states(program: &Program, states: &[Valuation], starts: &mut Count, ends: &mut Count) {
    let mut program = program.clone();
    let property = program.properties[0].clone();
    let properties = (0..states.len()).map(|number| ProgramProperty {
        name: format!("property_{number}"),
        ..property.clone()
    });
    program.properties = properties.collect();
    let system = interleave(&program);
    let valuations = StepValuations::of(&system);
    let (none, init) = (Valuation::new(), system.init_formula());
    let mut expected = Vec::new();
    for (number, state) in states.iter().enumerate() {
        let valuation = valuations.state(state, &none);
        let is_initial = init.holds(&valuation) == Ok(true);
        let is_violation = system.properties[number].formula.holds(&valuation) == Ok(false);
        starts.note(is_initial);
        ends.note(is_violation);
        expected.push((is_initial, is_violation));
    }
    let system = permissive(&system);
    let mut all = certificate(&system, Evidence::Unsafe(0));
    let traces = states.iter().map(|state| Trace {
        states: vec![state.clone()],
        ..Trace::default()
    });
    all.traces = traces.collect();
    let claims = (0..states.len()).map(|number| Claim {
        property: number,
        name: system.properties[number].name.clone(),
        evidence: Evidence::Unsafe(number),
    });
    all.claims = claims.collect();
    let mut found = vec![(true, true); states.len()];
    for (number, fault) in faults(&program, &system, &all) {
        match fault {
            ProgramFault::NotInitial(_) => found[number].0 = false,
            ProgramFault::NoViolation(_) => found[number].1 = false,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(found, expected, "{program:?}");
}

/// Steps between states, each in a trace of its own.
pub fn compare_steps(program: &Program, states: &[Valuation], random: &mut Rng, steps: &mut Count) {
    let mut program = program.clone();
    // A process with cut points takes steps from these only, so that nothing is lost by beginning there.
    if program.cuts.is_empty() {
        program.init.clear();
    }
    let system = interleave(&program);
    let valuations = StepValuations::of(&system);
    let mut traces = Vec::new();
    let mut expected = Vec::new();
    for named in NamedRelation::all(&system) {
        for _ in 0..4 {
            let before = &states[random.usize(..states.len())];
            let chosen = Value::Int(random.u64(..VALUES).into());
            let inputs = Valuation::from([("d".to_owned(), chosen)]);
            for after in states {
                let valuation = valuations.step(before, &inputs, after);
                let is_step = named.relation.holds(&valuation) == Ok(true);
                steps.note(is_step);
                expected.push(is_step);
                traces.push(Trace {
                    states: vec![before.clone(), after.clone()],
                    steps: vec![Step {
                        transition: named.name.clone(),
                        inputs: inputs.clone(),
                    }],
                    ..Trace::default()
                });
            }
        }
    }
    let system = permissive(&system);
    let mut all = certificate(&system, Evidence::Unknown("nothing is claimed".into()));
    all.traces = traces;
    let mut found = vec![true; expected.len()];
    for (number, _) in faults(&program, &system, &all) {
        found[number] = false;
    }
    assert_eq!(found, expected, "{program:?}");
}

#[test]
fn the_interpreter_agrees_with_the_flat_system_on_random_programs() {
    let states = states(&variables());
    let (mut starts, mut ends, mut steps) = (Count::default(), Count::default(), Count::default());
    for seed in 0..60 {
        let mut generator = Generator {
            random: Rng::with_seed(seed),
            variables: variables(),
        };
        let program = generator.program();
        compare_states(&program, &states, &mut starts, &mut ends);
        compare_steps(&program, &states, &mut generator.random, &mut steps);
    }
    // All of it happens often enough to show something.
    for count in [&starts, &ends, &steps] {
        assert!(
            count.so > 200 && count.not > 200,
            "{starts:?} {ends:?} {steps:?}"
        );
    }
}
