//! What a trace does in a program, statement by statement.
//!
//! The program of a certificate leaves out what has no effect on the property. A trace is followed on the control flow with everything in
//! it; what was left out chooses 0.

use super::graph::{ABSORBING, END, Edge, Graph, PlaceKind, Role};
use crate::languages::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use slabcert_certificates::bundle::Bundle;
use slabcert_certificates::program::{Call, DELTA, Extent, Program, TIME};
use slabcert_certificates::term::{Assignment, Sort, Symbol, Value};
use slabcert_certificates::trace::Trace;
use slabcert_certificates::trace::paths::BlockPaths;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

#[cfg(test)]
mod tests;

/// The most edges that are followed for one trace.
pub(super) const LONGEST_RUN: usize = 1 << 22;

/// Why nothing can be said of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoRun {
    /// It takes too many edges.
    TooLong,
    /// It is no run that ends with an error.
    Other,
}

/// Something that happens on the way.
pub(super) struct Happening {
    /// The process that it happens in, by index.
    pub process: usize,
    pub what: What,
    pub span: Span,
    pub function: Rc<str>,
}

pub(super) enum What {
    /// A statement begins.
    Statement,
    /// The condition of a statement is found to be so.
    Branch(bool),
    /// The process goes on that waited.
    Turn,
    /// A choice is made, by its index in the process.
    Choice(usize, Value),
    /// A variable gets any value, by its index in the process, and whether the program of the certificate knows of it.
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

/// A step of a trace.
enum Step {
    /// A process takes edges, and whether it waited before.
    Block(usize, bool, VecDeque<Taken>),
    /// A delta cycle ends.
    Delta,
}

/// The control flow of a program: of each process with everything in it, and as the program was made from it.
pub(super) struct Flows<'f> {
    pub whole: &'f [Graph],
    pub cleaned: &'f [Graph],
    /// The values of signals.
    pub signals: Vec<Symbol>,
}

/// What a trace does, step by step; none if it is no run.
fn steps(
    bundle: &Bundle,
    program: &Program,
    cleaned: &[Graph],
    trace: &Trace,
) -> Option<Vec<Step>> {
    let blocks = BlockPaths::of(program, &bundle.system);
    let scheduler = program.scheduler.as_deref();
    let threads = scheduler.into_iter().flat_map(|it| &it.threads);
    let waits: BTreeMap<usize, &BTreeMap<usize, _>> =
        threads.map(|it| (it.process, &it.waits)).collect();
    // The commands of processes come one after the other.
    let edges: Vec<&Edge> = cleaned.iter().flat_map(|it| &it.edges).collect();
    let mut all = Vec::new();
    for (step, before) in trace.steps.iter().zip(&trace.states) {
        match step.transition.as_str() {
            DELTA if scheduler.is_some() => {
                all.push(Step::Delta);
                continue;
            }
            TIME if scheduler.is_some() => continue,
            _ => {}
        }
        let path = blocks.path(step, before)?;
        let values = blocks.values(step, before);
        let first = program.commands.get(*path.commands.first()?)?;
        let (process, from, _) = first.statement()?;
        let mut taken = VecDeque::new();
        for index in path.commands {
            let chosen = program.commands[index].choices.iter();
            let chosen = chosen.map(|input| values.value_of(&program.inputs[*input].symbol));
            let mut choices: Vec<Value> = chosen.collect::<Option<_>>()?;
            let edge = edges.get(index)?;
            let rest = choices.split_off(edge.choices.len().min(choices.len()));
            taken.push_back(Taken {
                edge: edge.number,
                choices,
                arbitrary: edge.arbitrary.iter().copied().zip(rest).collect(),
            });
        }
        let waited = waits.get(&process).is_some_and(|it| it.contains_key(&from));
        all.push(Step::Block(process, waited, taken));
    }
    Some(all)
}

/// What a trace does.
pub(super) fn happenings(
    bundle: &Bundle,
    program: &Program,
    flows: &Flows<'_>,
    trace: &Trace,
) -> Result<Vec<Happening>, NoRun> {
    let steps = steps(bundle, program, flows.cleaned, trace).ok_or(NoRun::Other)?;
    followed(flows, steps, LONGEST_RUN)
}

/// What happens in these steps, on at most so many edges.
fn followed(flows: &Flows<'_>, steps: Vec<Step>, longest: usize) -> Result<Vec<Happening>, NoRun> {
    let mut run = Run::of(flows, longest);
    // The error may be where the program begins.
    let nothing = steps
        .is_empty()
        .then(|| Step::Block(0, false, VecDeque::new()));
    let mut steps = nothing.into_iter().chain(steps).peekable();
    while let Some(step) = steps.next() {
        match step {
            Step::Delta => run.delta(),
            Step::Block(process, waited, taken) => {
                if waited {
                    let graph = &flows.whole[process];
                    run.happen(process, What::Turn, Span::default(), &graph.process);
                }
                match run.proceed(process, taken)? {
                    None => {}
                    Some(END) => return Err(NoRun::Other),
                    Some(_) if steps.peek().is_none() => return Ok(run.happenings),
                    Some(_) => return Err(NoRun::Other),
                }
            }
        }
    }
    Err(NoRun::Other)
}

/// A process on its way.
struct Runner {
    at: usize,
    /// The edges that leave each location of the whole graph.
    leaving: Vec<Vec<usize>>,
    /// The places of the text at each location.
    places: FxHashMap<usize, Vec<usize>>,
    /// The edges that the program has, by number.
    known: FxHashSet<usize>,
}

struct Run<'g> {
    flows: &'g Flows<'g>,
    runners: Vec<Runner>,
    values: FxHashMap<Symbol, Value>,
    /// What was written to signals.
    written: FxHashMap<usize, Value>,
    /// Whether threads have ever run.
    has_started: bool,
    happenings: Vec<Happening>,
    /// How many edges may still be taken.
    left: usize,
}

impl<'g> Run<'g> {
    fn of(flows: &'g Flows<'g>, longest: usize) -> Run<'g> {
        let mut values = FxHashMap::default();
        for variable in flows.whole.iter().flat_map(|it| &it.variables) {
            let initial = match variable.symbol.sort() {
                Sort::Bool => Value::Bool(variable.initial.is_some_and(|it| it != 0)),
                _ => Value::Int(variable.initial.unwrap_or_default().into()),
            };
            values.insert(variable.symbol.clone(), initial);
        }
        let graphs = flows.whole.iter().zip(flows.cleaned);
        let runners = graphs.map(|(whole, cleaned)| {
            let mut places: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
            for (index, place) in whole.places.iter().enumerate() {
                places.entry(place.location).or_default().push(index);
            }
            Runner {
                at: whole.start,
                leaving: whole.leaving(),
                places,
                known: cleaned.edges.iter().map(|it| it.number).collect(),
            }
        });
        let mut run = Run {
            flows,
            runners: runners.collect(),
            values,
            written: FxHashMap::default(),
            has_started: false,
            happenings: Vec::new(),
            left: longest,
        };
        run.arrive(0, flows.whole[0].start);
        run
    }

    fn happen(&mut self, process: usize, what: What, span: Span, function: &Rc<str>) {
        self.happenings.push(Happening {
            process,
            what,
            span,
            function: Rc::clone(function),
        });
    }

    /// A process gets to a location.
    fn arrive(&mut self, process: usize, at: usize) {
        let graph = &self.flows.whole[process];
        self.runners[process].at = at;
        let places = self.runners[process].places.get(&at).cloned();
        for place in places.into_iter().flatten() {
            let place = &graph.places[place];
            let what = match place.kind {
                PlaceKind::Statement => What::Statement,
                PlaceKind::Branch(is_yes) => What::Branch(is_yes),
                PlaceKind::Loop { .. } => continue,
            };
            self.happen(process, what, place.span, &place.function);
        }
    }

    /// Signals take the values that were written.
    fn update(&mut self) {
        for (signal, value) in self.written.drain() {
            let symbol = self.flows.signals[signal].clone();
            self.values.insert(symbol, value);
        }
    }

    fn delta(&mut self) {
        self.update();
        let main = &self.flows.whole[0];
        let stay = main.stays.get(&self.runners[0].at);
        if let Some(Role::Simulation(Extent::Delta { then })) = stay.map(|it| &it.role) {
            self.arrive(0, *then);
        }
    }

    /// A process takes edges, those that are known and what is between them and behind them, up to where others run or something is known.
    /// Where it is then if it does not go on.
    fn proceed(
        &mut self,
        process: usize,
        mut taken: VecDeque<Taken>,
    ) -> Result<Option<usize>, NoRun> {
        let graph = &self.flows.whole[process];
        loop {
            let at = self.runners[process].at;
            if taken.is_empty() && graph.is_open(at) {
                return Ok(None);
            }
            let next = taken.front();
            let leaving = self.runners[process].leaving[at].clone();
            let mut edges = leaving.into_iter().map(|it| &graph.edges[it]);
            let known = &self.runners[process].known;
            if next.is_none() && edges.clone().any(|it| known.contains(&it.number)) {
                return Ok(None);
            }
            let told = |edge: &Edge| next.filter(|it| it.edge == edge.number);
            let edge = edges.find(|edge| self.follow(process, edge, told(edge)));
            let edge = edge.ok_or(NoRun::Other)?;
            self.left = self.left.checked_sub(1).ok_or(NoRun::TooLong)?;
            if told(edge).is_some() {
                taken.pop_front();
            }
            if edge.to < ABSORBING {
                self.happen(process, What::Error(edge.to), edge.span, &edge.function);
                self.runners[process].at = edge.to;
                return match taken.is_empty() {
                    true => Ok(Some(edge.to)),
                    false => Err(NoRun::Other),
                };
            }
            self.arrive(process, edge.to);
        }
    }

    /// Takes an edge of a process, if its guard holds, with these values for what is chosen.
    fn follow(&mut self, process: usize, edge: &Edge, taken: Option<&Taken>) -> bool {
        let graph = &self.flows.whole[process];
        let choices = edge.choices.iter().map(|it| &graph.choices[*it].symbol);
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
        let written = match &edge.call {
            Some(Call::Write(signal, value)) => match value.evaluate(&read) {
                Ok(value) => Some((*signal, value)),
                Err(_) => return false,
            },
            _ => None,
        };
        self.written.extend(written);
        if matches!(edge.call, Some(Call::Start(_)))
            && !std::mem::replace(&mut self.has_started, true)
        {
            self.update();
        }
        for (choice, (_, value)) in edge.choices.iter().zip(choices) {
            let span = graph.choices[*choice].span;
            self.happen(process, What::Choice(*choice, value), span, &edge.function);
        }
        for variable in &edge.arbitrary {
            let known = taken.and_then(|it| it.arbitrary.iter().find(|(it, _)| it == variable));
            let value = known.map(|(_, value)| value.clone());
            let sort = graph.variables[*variable].symbol.sort();
            let what = value.clone().unwrap_or_else(|| Value::default_of(sort));
            updates.push((*variable, what.clone()));
            let what = What::Arbitrary(*variable, what, value.is_some());
            self.happen(process, what, edge.span, &edge.function);
        }
        for (variable, value) in updates {
            let symbol = graph.variables[variable].symbol.clone();
            self.values.insert(symbol, value);
        }
        true
    }
}
