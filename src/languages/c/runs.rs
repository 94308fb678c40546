//! What a trace does in a program, statement by statement.
//!
//! The program of a certificate leaves out what has no effect on the property. A trace is followed on the control flow with everything in
//! it; what was left out chooses 0.

use super::graph::{ABSORBING, Edge, Graph, PlaceKind};
use crate::languages::source::Span;
use rustc_hash::FxHashMap;
use slabcert_certificates::bundle::Bundle;
use slabcert_certificates::program::Program;
use slabcert_certificates::term::{Assignment, Symbol, Value};
use slabcert_certificates::trace::Trace;
use slabcert_certificates::trace::paths::BlockPaths;
use std::rc::Rc;

/// The most edges that are followed for one trace.
const LONGEST_RUN: usize = 1 << 22;

/// Something that happens on the way.
pub(super) struct Happening {
    pub what: What,
    pub span: Span,
    pub function: Rc<str>,
}

pub(super) enum What {
    /// A statement begins.
    Statement,
    /// The condition of a statement is found to be so.
    Branch(bool),
    /// A choice is made, by index.
    Choice(usize, Value),
    /// A variable gets any value, by index, and whether the program of the certificate knows of it.
    Arbitrary(usize, Value, bool),
    /// An error: the location.
    Error(usize),
}

/// An edge that a trace takes, by its number, with the values of its choices, and of the variables that get any value there which is
/// read later.
struct Taken {
    edge: usize,
    choices: Vec<Value>,
    arbitrary: Vec<(usize, Value)>,
}

/// The edges that a trace takes in the graph that the program was made from; none if it is no run.
fn taken(bundle: &Bundle, program: &Program, graph: &Graph, trace: &Trace) -> Option<Vec<Taken>> {
    let blocks = BlockPaths::of(program, &bundle.system);
    let mut all = Vec::new();
    for (step, before) in trace.steps.iter().zip(&trace.states) {
        let path = blocks.path(step, before)?;
        let values = blocks.values(step, before);
        for index in path.commands {
            let chosen = program.commands[index].choices.iter();
            let chosen = chosen.map(|input| values.value_of(&program.inputs[*input].symbol));
            let mut choices: Vec<Value> = chosen.collect::<Option<_>>()?;
            let edge = graph.edges.get(index)?;
            let rest = choices.split_off(edge.choices.len().min(choices.len()));
            all.push(Taken {
                edge: edge.number,
                choices,
                arbitrary: edge.arbitrary.iter().copied().zip(rest).collect(),
            });
        }
    }
    Some(all)
}

/// What a trace does: `whole` is the control flow with everything in it, `graph` what the program was made from. None if the trace is no
/// run that ends with an error.
pub(super) fn happenings(
    bundle: &Bundle,
    program: &Program,
    (whole, graph): (&Graph, &Graph),
    trace: &Trace,
) -> Option<Vec<Happening>> {
    let taken = taken(bundle, program, graph, trace)?;
    let leaving = whole.leaving();
    let mut places: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (index, place) in whole.places.iter().enumerate() {
        places.entry(place.location).or_default().push(index);
    }
    let mut run = Run {
        graph: whole,
        values: FxHashMap::default(),
        happenings: Vec::new(),
    };
    for variable in &whole.variables {
        let initial = match variable.symbol.sort() {
            slabcert_certificates::term::Sort::Bool => {
                Value::Bool(variable.initial.is_some_and(|it| it != 0))
            }
            _ => Value::Int(variable.initial.unwrap_or_default().into()),
        };
        run.values.insert(variable.symbol.clone(), initial);
    }
    let mut taken = taken.iter().peekable();
    let mut at = whole.start;
    for _ in 0..LONGEST_RUN {
        for place in places.get(&at).into_iter().flatten() {
            let place = &whole.places[*place];
            let what = match place.kind {
                PlaceKind::Statement => What::Statement,
                PlaceKind::Branch(is_yes) => What::Branch(is_yes),
                PlaceKind::Loop { .. } => continue,
            };
            run.happen(what, place.span, &place.function);
        }
        let next = taken.peek();
        let known = |edge: &Edge| next.filter(|it| it.edge == edge.number);
        let mut edges = leaving[at].iter().map(|index| &whole.edges[*index]);
        let edge = edges.find(|edge| run.follow(edge, known(edge).copied()))?;
        if known(edge).is_some() {
            taken.next();
        }
        at = edge.to;
        if at < ABSORBING {
            run.happen(What::Error(at), edge.span, &edge.function);
            let is_whole = taken.next().is_none() && at != super::graph::END;
            return is_whole.then_some(run.happenings);
        }
    }
    None
}

struct Run<'g> {
    graph: &'g Graph,
    values: FxHashMap<Symbol, Value>,
    happenings: Vec<Happening>,
}

impl Run<'_> {
    fn happen(&mut self, what: What, span: Span, function: &Rc<str>) {
        self.happenings.push(Happening {
            what,
            span,
            function: Rc::clone(function),
        });
    }

    /// Takes an edge, if its guard holds, with these values for what is chosen.
    fn follow(&mut self, edge: &Edge, taken: Option<&Taken>) -> bool {
        let choices = edge
            .choices
            .iter()
            .map(|it| &self.graph.choices[*it].symbol);
        let choices: Vec<(Symbol, Value)> = choices
            .enumerate()
            .map(|(position, symbol)| {
                let known = taken.and_then(|it| it.choices.get(position)).cloned();
                let value = known.unwrap_or_else(|| Value::default_of(symbol.sort()));
                (symbol.clone(), value)
            })
            .collect();
        let read = |symbol: &Symbol| {
            let own = choices.iter().find(|(it, _)| it == symbol);
            own.map(|(_, value)| value)
                .or_else(|| self.values.get(symbol))
                .cloned()
        };
        if !edge.guard.iter().all(|it| it.holds(&read) == Ok(true)) {
            return false;
        }
        let mut updates = Vec::new();
        for (variable, term) in &edge.updates {
            match term.evaluate(&read) {
                Ok(value) => updates.push((*variable, value)),
                Err(_) => return false,
            }
        }
        for (choice, (_, value)) in edge.choices.iter().zip(choices) {
            let span = self.graph.choices[*choice].span;
            self.happen(What::Choice(*choice, value), span, &edge.function);
        }
        for variable in &edge.arbitrary {
            let known = taken.and_then(|it| it.arbitrary.iter().find(|(it, _)| it == variable));
            let value = known.map(|(_, value)| value.clone());
            let sort = self.graph.variables[*variable].symbol.sort();
            let what = value.clone().unwrap_or_else(|| Value::default_of(sort));
            updates.push((*variable, what.clone()));
            let what = What::Arbitrary(*variable, what, value.is_some());
            self.happen(what, edge.span, &edge.function);
        }
        for (variable, value) in updates {
            let symbol = self.graph.variables[variable].symbol.clone();
            self.values.insert(symbol, value);
        }
        true
    }
}
