//! Models with synchronous blocks as trees, and their text.

use std::fmt::Write;

/// The largest value of a variable's range, and of a level's.
pub const LARGEST: i64 = 2;

#[derive(Clone, Debug)]
pub enum Expr {
    True,
    /// A variable compared with a constant: whether it is equal, or less.
    Variable(usize, bool, i64),
    /// The level of a block is at least this.
    Level(usize, i64),
    /// An event from outside, by block and number; only where that block's edges read it.
    Event(usize, usize),
    /// What a block raises.
    Raised(usize),
    At(usize, usize),
    /// The choice of the edge is this.
    Choice(i64),
    Not(Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
}

#[derive(Clone, Debug)]
pub enum Term {
    Constant(i64),
    Variable(usize),
    /// One more than a variable, which may leave the range.
    More(usize),
    Choice,
    Level(usize),
    If(Expr, i64, i64),
}

#[derive(Clone, Debug)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    /// Whether it chooses 0 or 1.
    pub chooses: bool,
    pub guard: Expr,
    pub writes: Vec<(usize, Term)>,
    pub raises: bool,
}

#[derive(Clone, Debug)]
pub struct Process {
    pub block: usize,
    pub locations: usize,
    pub start: usize,
    /// The process around it, its location, and whether that preempts weakly.
    pub inside: Option<(usize, usize, bool)>,
    pub edges: Vec<Edge>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    Error,
    PerVariable,
    Serial,
}

#[derive(Clone, Debug)]
pub struct Block {
    pub policy: Policy,
    pub is_stable: bool,
    pub events: usize,
    pub has_level: bool,
    pub has_raised: bool,
}

#[derive(Clone, Debug)]
pub enum Property {
    /// An error where it holds.
    Error(Expr),
    /// A block is unstable for more steps than that.
    Unstable(usize, i64),
    Ambiguous(usize),
}

#[derive(Clone, Debug)]
pub struct Model {
    pub blocks: Vec<Block>,
    /// Each after the one around it.
    pub processes: Vec<Process>,
    /// The initial values of the variables, the first of which are declared in a block.
    pub variables: Vec<i64>,
    /// Steps of their own.
    pub transitions: Vec<(Expr, usize, Term)>,
    pub properties: Vec<(String, Property)>,
}

fn expr(expr: &Expr) -> String {
    match expr {
        Expr::True => "true".into(),
        Expr::Variable(variable, true, value) => format!("x{variable} = {value}"),
        Expr::Variable(variable, false, value) => format!("x{variable} < {value}"),
        Expr::Level(block, value) => format!("level{block} >= {value}"),
        Expr::Event(block, event) => format!("e{block}[{event}]"),
        Expr::Raised(block) => format!("r{block}"),
        Expr::At(process, location) => format!("P{process} at l{location}"),
        Expr::Choice(value) => format!("c = {value}"),
        Expr::Not(inner) => format!("!({})", self::expr(inner)),
        Expr::And(one, other) => format!("({}) && ({})", self::expr(one), self::expr(other)),
        Expr::Or(one, other) => format!("({}) || ({})", self::expr(one), self::expr(other)),
    }
}

fn term(term: &Term) -> String {
    match term {
        Term::Constant(value) => value.to_string(),
        Term::Variable(variable) => format!("x{variable}"),
        Term::More(variable) => format!("x{variable} + 1"),
        Term::Choice => "c".into(),
        Term::Level(block) => format!("level{block}"),
        Term::If(condition, one, other) => {
            format!("if {} then {one} else {other}", expr(condition))
        }
    }
}

impl Model {
    pub fn text(&self) -> String {
        let mut text = "system random;\n".to_owned();
        // What is declared in a block may be used anywhere.
        let mut variables = self
            .variables
            .iter()
            .enumerate()
            .map(|(number, initial)| format!("var x{number} : 0..{LARGEST} = {initial};\n"));
        let first = variables.next().unwrap();
        text.extend(variables);
        for (number, block) in self.blocks.iter().enumerate() {
            let policy = match block.policy {
                Policy::Error => "race error ",
                Policy::PerVariable => "race per_variable ",
                Policy::Serial => "race serial ",
            };
            let inputs = if block.is_stable {
                "inputs stable "
            } else {
                ""
            };
            writeln!(text, "synchronous B{number} {policy}{inputs}{{").unwrap();
            if block.events > 0 {
                writeln!(text, "  input e{number}[0..{}];", block.events - 1).unwrap();
            }
            if block.has_level {
                writeln!(text, "  input level{number} : 0..{LARGEST};").unwrap();
            }
            if block.has_raised {
                writeln!(text, "  event r{number};").unwrap();
            }
            if number == 0 {
                text.push_str(&first);
            }
            for (index, process) in self.processes.iter().enumerate() {
                if process.block == number && process.inside.is_none() {
                    self.process(index, &mut text);
                }
            }
            text.push_str("}\n");
        }
        for (number, (guard, variable, value)) in self.transitions.iter().enumerate() {
            let (guard, value) = (expr(guard), term(value));
            writeln!(
                text,
                "transition t{number} when {guard} do x{variable} := {value};"
            )
            .unwrap();
        }
        for (name, property) in &self.properties {
            let formula = match property {
                Property::Error(condition) => expr(condition),
                Property::Unstable(block, steps) => format!("unstable(B{block}) > {steps}"),
                Property::Ambiguous(block) => format!("ambiguous(B{block})"),
            };
            writeln!(text, "error {name}: {formula};").unwrap();
        }
        text
    }

    fn process(&self, index: usize, text: &mut String) {
        let process = &self.processes[index];
        writeln!(text, "process P{index} {{").unwrap();
        text.push_str("location ");
        for location in 0..process.locations {
            if location > 0 {
                text.push_str(", ");
            }
            write!(text, "l{location}").unwrap();
            let inner = self.processes.iter().enumerate().filter(|(_, it)| {
                it.inside
                    .is_some_and(|(outer, at, _)| (outer, at) == (index, location))
            });
            let inner: Vec<usize> = inner.map(|(number, _)| number).collect();
            if let Some(first) = inner.first() {
                let weak = self.processes[*first].inside.unwrap().2;
                text.push_str(if weak { " preempt weak {\n" } else { " {\n" });
                inner.iter().for_each(|it| self.process(*it, text));
                text.push('}');
            }
        }
        writeln!(text, "; start l{};", process.start).unwrap();
        for (number, edge) in process.edges.iter().enumerate() {
            write!(text, "edge a{number}: l{} -> l{}", edge.from, edge.to).unwrap();
            if edge.chooses {
                text.push_str(" choose c : 0..1");
            }
            write!(text, " when {}", expr(&edge.guard)).unwrap();
            let writes = edge.writes.iter();
            let writes = writes.map(|(variable, value)| format!("x{variable} := {}", term(value)));
            let raises = edge.raises.then(|| format!("raise r{}", process.block));
            let effects: Vec<String> = writes.chain(raises).collect();
            if !effects.is_empty() {
                write!(text, " do {}", effects.join(", ")).unwrap();
            }
            text.push_str(";\n");
        }
        text.push_str("}\n");
    }
}
