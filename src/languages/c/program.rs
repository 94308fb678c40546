//! The program of `main` and its threads: a location for each place where control can be, a command for each edge.

mod scheduling;

use super::Text;
use super::graph::{ABSORBING, END, ERROR, Edge, Graph, LOCATION, MAIN, OVERFLOW, Variable};
use super::inlining::Flow;
use super::syntax::{Type, Unit};
use crate::languages::source::Span;
use rustc_hash::FxHashMap;
use slabcert_certificates::fresh::FreshNames;
use slabcert_certificates::program::{Call, Command, Move, Program, ProgramProperty, Requirement};
use slabcert_certificates::smtlib::Position;
use slabcert_certificates::structure::{Family, Origin, Process};
use slabcert_certificates::system::{
    Conjunct, Input, InputRole, StateVariable, Update, ValueTable,
};
use slabcert_certificates::term::{Sort, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// The property that no error is reached, and the one that no value leaves its type.
pub(super) const ERROR_PROPERTY: &str = "error";
pub(super) const OVERFLOW_PROPERTY: &str = "overflow";

/// How deep formulas about one step may nest, by the estimate of [`Program::nesting`].
const MOST_LEVELS_OF_A_STEP: u32 = 1_000;

/// The program of graphs that were cleaned: their cut points are found, and what is not live there is forgotten.
/// Comes with the locations of each graph by their numbers in the program.
pub(super) fn program(
    flow: &mut Flow,
    unit: &Unit,
    text: Text<'_>,
    is_checked: bool,
) -> (Program, Vec<Vec<usize>>) {
    let mut cuts: Vec<BTreeSet<usize>> = flow.graphs.iter().map(Graph::cuts).collect();
    let (mut program, locations) = with_cuts(flow, unit, &cuts, text, is_checked);
    for (process, (cuts, locations)) in cuts.iter_mut().zip(locations).enumerate() {
        while let Some(more) = further_cuts(&program, process) {
            cuts.extend(more.iter().map(|number| locations[*number]));
            program.cuts.entry(process).or_default().extend(more);
        }
    }
    for (graph, cuts) in flow.graphs.iter_mut().zip(&cuts) {
        graph.forget(cuts);
    }
    with_cuts(flow, unit, &cuts, text, is_checked)
}

/// The first locations of a process at which formulas nest too deep, by number; none if there are no such locations.
fn further_cuts(program: &Program, process: usize) -> Option<BTreeSet<usize>> {
    // The cut points are on every loop.
    let nesting = program.nesting(process).ok()?;
    let cuts = program.cuts.get(&process)?;
    let is_deep = |location: &usize| {
        let depth = nesting.get(location).copied().unwrap_or_default();
        depth > MOST_LEVELS_OF_A_STEP && !cuts.contains(location)
    };
    let mut deep: BTreeSet<usize> = nesting.keys().copied().filter(is_deep).collect();
    let all = deep.clone();
    for command in &program.commands {
        if let Some((of, from, to)) = command.statement()
            && of == process
            && all.contains(&from)
        {
            deep.remove(&to);
        }
    }
    (!deep.is_empty()).then_some(deep)
}

/// The program with these cut points, and the locations of each graph by their numbers in the program.
fn with_cuts(
    flow: &Flow,
    unit: &Unit,
    cuts: &[BTreeSet<usize>],
    text: Text<'_>,
    is_checked: bool,
) -> (Program, Vec<Vec<usize>>) {
    let mut builder = Builder {
        graph: &flow.graphs[0],
        process: 0,
        text,
        program: Program::default(),
        names: FreshNames::separated_by(":"),
        numbers: Vec::new(),
        variables: FxHashMap::default(),
        calls: BTreeMap::new(),
    };
    for symbol in flow.graphs.iter().flat_map(Graph::symbols) {
        builder.names.reserve(symbol.name());
    }
    let mut orders = Vec::new();
    for (process, (graph, cuts)) in flow.graphs.iter().zip(cuts).enumerate() {
        (builder.graph, builder.process) = (graph, process);
        let location = builder.variables();
        orders.push(builder.locations(location, is_checked));
        let mut names = FreshNames::separated_by(":");
        for edge in &graph.edges {
            let command = builder.command(edge, &mut names);
            builder.program.commands.push(command);
        }
        let numbers = cuts
            .iter()
            .filter_map(|it| builder.numbers[process].get(it));
        builder
            .program
            .cuts
            .insert(process, numbers.copied().collect());
    }
    builder.property(ERROR_PROPERTY, ERROR);
    if is_checked {
        builder.property(OVERFLOW_PROPERTY, OVERFLOW);
    }
    if unit.is_threaded {
        builder.schedule(flow, unit);
    }
    (builder.program, orders)
}

struct Builder<'g> {
    /// The process that is written.
    graph: &'g Graph,
    process: usize,
    text: Text<'g>,
    program: Program,
    names: FreshNames,
    /// The numbers of the locations of each process that there are.
    numbers: Vec<FxHashMap<usize, usize>>,
    /// The numbers of variables.
    variables: FxHashMap<Symbol, usize>,
    /// What commands ask of the scheduler.
    calls: BTreeMap<usize, Call>,
}

impl Builder<'_> {
    /// Where something stands, if it is in the model's own file.
    fn position(&self, span: Span) -> Option<Position> {
        let start = span.start as usize;
        // Positions in what a task names are none in its own file.
        (self.text.start == 0).then(|| self.text.source.position(start))
    }

    fn line(&self, span: Span) -> u32 {
        self.text.line(span)
    }

    /// The function and the line that something stands in.
    fn place(&self, function: &str, span: Span) -> String {
        format!("{function}:{}", self.line(span))
    }

    /// The variables that some edge mentions, and what all start with; the number of the location.
    fn variables(&mut self) -> usize {
        let graph = self.graph;
        let process = Some(self.process);
        let location = Symbol::new(format!("{}.{LOCATION}", graph.process), Sort::Int);
        self.names.reserve(location.name());
        let at_start = Term::symbol(location.clone()).equals(Term::int(0));
        let at = self.variable(location, Origin::of(process, LOCATION.to_owned()), at_start);
        let mentioned = graph.mentioned();
        for (index, own) in graph.variables.iter().enumerate() {
            if !mentioned.contains(&index) || self.variables.contains_key(&own.symbol) {
                continue;
            }
            self.declared(own);
        }
        at
    }

    /// A variable of the text, or one that holds a value between two edges.
    fn declared(&mut self, own: &Variable) -> usize {
        let origin = match &own.local {
            Some(declaration) => Origin::of(Some(self.process), declaration.clone()),
            None => Origin::of(None, own.symbol.name().to_owned()),
        };
        let symbol = Term::symbol(own.symbol.clone());
        let initial = own.initial.unwrap_or_default();
        let initial = match (own.of, initial) {
            (Type::Bool, 0) => symbol.not(),
            (Type::Bool, _) => symbol,
            (_, value) => symbol.equals(Term::int(value)),
        };
        let number = self.variable(own.symbol.clone(), origin, initial);
        self.variables.insert(own.symbol.clone(), number);
        number
    }

    /// A variable, and what holds of it at the start.
    fn variable(&mut self, symbol: Symbol, origin: Origin, initial: Term) -> usize {
        let next = self.names.give(&format!("{}.next", symbol.name()));
        let mut variable = StateVariable::new(symbol.name(), symbol.sort());
        variable.next = Symbol::new(next, symbol.sort());
        variable.origin = Some(origin);
        self.program.variables.push(variable);
        self.program.init.push(initial);
        self.program.variables.len() - 1
    }

    /// Numbers the locations: the start first, then those of the text, then those where the program stays.
    fn locations(&mut self, variable: usize, is_checked: bool) -> Vec<usize> {
        let graph = self.graph;
        let mut firsts: FxHashMap<usize, &Edge> = FxHashMap::default();
        for edge in &graph.edges {
            firsts.entry(edge.from).or_insert(edge);
        }
        let ends = graph.edges.iter().map(|edge| edge.to);
        let all: BTreeSet<usize> = ends.chain(graph.edges.iter().map(|it| it.from)).collect();
        let inner = all
            .iter()
            .copied()
            .filter(|it| *it >= ABSORBING && *it != graph.start);
        let mut order = vec![graph.start];
        order.extend(inner);
        let is_there = |location: usize| match location {
            ERROR if self.process == 0 => true,
            OVERFLOW if self.process == 0 => is_checked,
            _ => all.contains(&location),
        };
        let last = [END, ERROR, OVERFLOW].into_iter();
        order.extend(last.filter(|it| *it != graph.start && is_there(*it)));
        let mut names = FreshNames::separated_by(":");
        let mut table = Vec::new();
        let mut position = None;
        let mut numbers = FxHashMap::default();
        for location in order.iter().copied() {
            numbers.insert(location, table.len());
            let stay = graph.stays.get(&location).map(|it| (&it.function, it.span));
            let first = firsts.get(&location).map(|it| (&it.function, it.span));
            let place = stay.or(first);
            let name = match (location, place) {
                (END, _) => "end".to_owned(),
                (ERROR, _) => ERROR_PROPERTY.to_owned(),
                (OVERFLOW, _) => OVERFLOW_PROPERTY.to_owned(),
                (_, Some((function, span))) => self.place(function, span),
                (_, None) => graph.process.to_string(),
            };
            table.push(names.give(&name));
            position = position.or_else(|| self.position(place?.1));
        }
        self.numbers.push(numbers);
        let own = &mut self.program.variables[variable];
        own.range = Some((0.into(), (table.len() - 1).into()));
        own.values = Some(ValueTable {
            name: LOCATION.to_owned(),
            values: table,
        });
        self.program.name = MAIN.to_owned();
        self.program.families.push(Family {
            name: graph.process.to_string(),
            ranges: Vec::new(),
            position,
            // Whether one between cut points is reached cannot be seen.
            locations: Vec::new(),
        });
        self.program.processes.push(Process {
            name: graph.process.to_string(),
            family: self.process,
            indices: Vec::new(),
            location: Some(variable),
        });
        order
    }

    /// No process is ever at a location.
    fn property(&mut self, name: &str, location: usize) {
        let processes = self.program.processes.iter().zip(&self.numbers);
        let never = processes.filter_map(|(process, numbers)| {
            let at = &self.program.variables[process.location?].current;
            let number = Term::int(*numbers.get(&location)? as u64);
            Some(Term::symbol(at.clone()).equals(number).not())
        });
        let requirement = Requirement::Always(Term::and(never));
        self.program.properties.push(ProgramProperty {
            name: name.to_owned(),
            requirement,
            position: None,
        });
    }

    /// An input, and the conditions that it is a value of a type.
    fn input(&mut self, symbol: &Symbol, of: Type, role: InputRole) -> (usize, Vec<Conjunct>) {
        self.program.inputs.push(Input {
            symbol: symbol.clone(),
            role,
        });
        let (low, high) = of.range();
        let bounds = match symbol.sort() {
            Sort::Bool => Vec::new(),
            _ => Term::symbol(symbol.clone()).between(&low.into(), &high.into()),
        };
        let bounds = bounds.into_iter().map(|it| self.own(it)).collect();
        (self.program.inputs.len() - 1, bounds)
    }

    fn command(&mut self, edge: &Edge, names: &mut FreshNames) -> Command {
        let graph = self.graph;
        let place = self.place(&edge.function, edge.span);
        if let Some(call) = &edge.call {
            self.calls.insert(self.program.commands.len(), call.clone());
        }
        let name = names.give(&format!("{place}{}", edge.branch));
        let mut guard: Vec<Conjunct> = edge.guard.iter().map(|it| self.own(it.clone())).collect();
        let mut choices = Vec::new();
        for choice in &edge.choices {
            let chosen = &graph.choices[*choice];
            let (input, bounds) = self.input(&chosen.symbol, chosen.of, InputRole::Environment);
            choices.push(input);
            guard.extend(bounds);
        }
        let mut updates = Vec::new();
        for (variable, value) in &edge.updates {
            updates.push((*variable, value.clone()));
        }
        for variable in &edge.arbitrary {
            let chosen = &graph.variables[*variable];
            let line = self.line(edge.span);
            let name = self.names.give(&format!("{}:{line}", chosen.symbol.name()));
            let symbol = Symbol::new(name, chosen.symbol.sort());
            let (input, bounds) = self.input(&symbol, chosen.of, InputRole::Choice);
            choices.push(input);
            guard.extend(bounds);
            updates.push((*variable, Term::symbol(symbol)));
        }
        let updates = updates.into_iter().map(|(variable, value)| Update {
            variable: self.variables[&graph.variables[variable].symbol],
            value,
            process: Some(self.process),
        });
        let numbers = &self.numbers[self.process];
        Command {
            name: format!("{}.{name}", graph.process),
            origin: Origin::of(Some(self.process), name),
            moves: vec![Move {
                process: self.process,
                from: Some(numbers[&edge.from]),
                to: numbers[&edge.to],
            }],
            guard,
            updates: updates.collect(),
            relation: Vec::new(),
            modifies: Vec::new(),
            choices,
            position: self.position(edge.span),
            last_line: None,
        }
    }

    fn own(&self, formula: Term) -> Conjunct {
        Conjunct {
            formula,
            process: Some(self.process),
        }
    }
}
