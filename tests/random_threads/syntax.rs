//! Programs in threaded C as trees, and their text.

use std::fmt::Write;

/// The number of values that variables take: what is computed is a remainder.
pub const VALUES: i64 = 3;

#[derive(Clone, Copy)]
pub enum Target {
    Global(usize),
    /// The local variable of the process.
    Own,
}

#[derive(Clone, Copy)]
pub enum Value {
    Number(i64),
    Of(Target),
    Signal(usize),
    /// The next value after that of a variable.
    After(Target),
}

#[derive(Clone, Copy)]
pub enum Condition {
    Equal(Value, Value),
    Less(Value, Value),
    /// Chosen anew each time.
    Any,
}

#[derive(Clone, Copy)]
pub enum Trigger {
    Event(usize),
    Changed(usize),
    Rises(usize),
    Falls(usize),
}

#[derive(Clone)]
pub enum Statement {
    Assign(Target, Value),
    Choose(Target),
    If(Condition, Vec<Statement>, Vec<Statement>),
    While(Condition, Vec<Statement>),
    Assert(Condition),
    Assume(Condition),
    Exit,
    Wait(Vec<Trigger>),
    WaitTime(Value),
    Notify(usize),
    NotifyDelta(usize),
    NotifyAt(usize, Value),
    Cancel(usize),
    Write(usize, Value),
    /// The function that several threads call.
    Help,
    Simulate,
    SimulateFor(Value),
    SimulateDelta,
}

/// A function that is spawned.
pub struct Thread {
    /// What triggers it, if it is a method.
    pub sensitivity: Option<Vec<Trigger>>,
    pub is_initialized: bool,
    pub body: Vec<Statement>,
}

pub struct Program {
    pub globals: usize,
    pub events: usize,
    pub signals: usize,
    pub threads: Vec<Thread>,
    pub helper: Vec<Statement>,
    pub main: Vec<Statement>,
}

fn target(target: Target) -> String {
    match target {
        Target::Global(number) => format!("g{number}"),
        Target::Own => "own".to_owned(),
    }
}

fn value(value: Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Of(it) => target(it),
        Value::Signal(number) => format!("signal_read(s{number})"),
        Value::After(it) => format!("({} + 1) % {VALUES}", target(it)),
    }
}

fn condition(condition: Condition) -> String {
    match condition {
        Condition::Equal(left, right) => format!("{} == {}", value(left), value(right)),
        Condition::Less(left, right) => format!("{} < {}", value(left), value(right)),
        Condition::Any => "nondet_bool()".to_owned(),
    }
}

fn triggers(triggers: &[Trigger]) -> String {
    let all = triggers.iter().map(|trigger| match trigger {
        Trigger::Event(number) => format!("e{number}"),
        Trigger::Changed(number) => format!("changed(s{number})"),
        Trigger::Rises(number) => format!("positive_edge(s{number})"),
        Trigger::Falls(number) => format!("negative_edge(s{number})"),
    });
    all.collect::<Vec<_>>().join(", ")
}

fn statements(list: &[Statement], indent: usize) -> String {
    list.iter().map(|it| statement(it, indent)).collect()
}

fn statement(it: &Statement, indent: usize) -> String {
    let begin = "  ".repeat(indent);
    let inner = |list: &[Statement]| format!("{{\n{}{begin}}}", statements(list, indent + 1));
    let text = match it {
        Statement::Assign(to, it) => format!("{} = {};", target(*to), value(*it)),
        Statement::Choose(to) => format!("{} = nondet_bool();", target(*to)),
        Statement::If(test, then, otherwise) => {
            let (test, then) = (condition(*test), inner(then));
            format!("if ({test}) {then} else {}", inner(otherwise))
        }
        Statement::While(test, body) => format!("while ({}) {}", condition(*test), inner(body)),
        Statement::Assert(test) => format!("assert({});", condition(*test)),
        Statement::Assume(test) => format!("__VERIFIER_assume({});", condition(*test)),
        Statement::Exit => "exit(0);".to_owned(),
        Statement::Wait(list) if list.len() == 1 => format!("wait_event({});", triggers(list)),
        Statement::Wait(list) => format!("wait_any({});", triggers(list)),
        Statement::WaitTime(time) => format!("wait_time({});", value(*time)),
        Statement::Notify(event) => format!("notify_event(e{event});"),
        Statement::NotifyDelta(event) => format!("notify_event_delta(e{event});"),
        Statement::NotifyAt(event, time) => {
            format!("notify_event_at_time(e{event}, {});", value(*time))
        }
        Statement::Cancel(event) => format!("cancel_event(e{event});"),
        Statement::Write(signal, it) => format!("signal_write(s{signal}, {});", value(*it)),
        Statement::Help => "help();".to_owned(),
        Statement::Simulate => "simulate();".to_owned(),
        Statement::SimulateFor(time) => format!("simulate_for({});", value(*time)),
        Statement::SimulateDelta => "simulate_delta();".to_owned(),
    };
    format!("{begin}{text}\n")
}

/// The program as text.
pub fn print(program: &Program) -> String {
    let mut text = "#include <slabcert/threads.h>\n".to_owned();
    for (kind, name, count) in [
        ("int", "g", program.globals),
        ("event_t", "e", program.events),
        ("signal_t", "s", program.signals),
    ] {
        for number in 0..count {
            writeln!(text, "{kind} {name}{number};").unwrap();
        }
    }
    writeln!(
        text,
        "void help(void) {{\n{}}}",
        statements(&program.helper, 1)
    )
    .unwrap();
    let mut setup = String::new();
    for (number, thread) in program.threads.iter().enumerate() {
        let body = statements(&thread.body, 1);
        writeln!(text, "void t{number}(void) {{\n  int own = 0;\n{body}}}").unwrap();
        match &thread.sensitivity {
            None => writeln!(setup, "  spawn(t{number});").unwrap(),
            Some(list) if list.is_empty() => writeln!(setup, "  spawn_method(t{number});").unwrap(),
            Some(list) => {
                writeln!(setup, "  spawn_method(t{number}, {});", triggers(list)).unwrap();
            }
        }
        if !thread.is_initialized {
            writeln!(setup, "  dont_initialize(t{number});").unwrap();
        }
    }
    let main = statements(&program.main, 1);
    writeln!(text, "int main(void) {{\n  int own = 0;\n{setup}{main}}}").unwrap();
    text
}
