//! The program of one process: a location for each place where control can be, a command for each edge.

use super::Text;
use super::graph::{ABSORBING, END, ERROR, Edge, Graph, LOCATION, MAIN, OVERFLOW};
use super::syntax::Type;
use crate::languages::source::Span;
use rustc_hash::FxHashMap;
use slabcert_certificates::fresh::FreshNames;
use slabcert_certificates::program::{Command, Move, Program, ProgramProperty, Requirement};
use slabcert_certificates::smtlib::Position;
use slabcert_certificates::structure::{Family, Origin, Process};
use slabcert_certificates::system::{
    Conjunct, Input, InputRole, StateVariable, Update, ValueTable,
};
use slabcert_certificates::term::{Sort, Symbol, Term};
use std::collections::BTreeSet;

/// The property that no error is reached, and the one that no value leaves its type.
pub(super) const ERROR_PROPERTY: &str = "error";
pub(super) const OVERFLOW_PROPERTY: &str = "overflow";

/// How deep formulas about one step may nest, by the estimate of [`Program::nesting`].
const MOST_LEVELS_OF_A_STEP: u32 = 1_000;

/// The program of a graph that was cleaned: its cut points are found, and what is not live there is forgotten.
pub(super) fn program(graph: &mut Graph, text: Text<'_>, is_checked: bool) -> Program {
    let mut cuts = graph.cuts();
    let (mut program, locations) = with_cuts(graph, &cuts, text, is_checked);
    while let Some(more) = further_cuts(&program) {
        cuts.extend(more.iter().map(|number| locations[*number]));
        program.cuts.entry(0).or_default().extend(more);
    }
    graph.forget(&cuts);
    with_cuts(graph, &cuts, text, is_checked).0
}

/// The first locations at which formulas nest too deep, by number; none if there are no such locations.
fn further_cuts(program: &Program) -> Option<BTreeSet<usize>> {
    // The cut points are on every loop.
    let nesting = program.nesting(0).ok()?;
    let cuts = program.cuts.get(&0)?;
    let is_deep = |location: &usize| {
        let depth = nesting.get(location).copied().unwrap_or_default();
        depth > MOST_LEVELS_OF_A_STEP && !cuts.contains(location)
    };
    let mut deep: BTreeSet<usize> = nesting.keys().copied().filter(is_deep).collect();
    let all = deep.clone();
    for command in &program.commands {
        if let Some((_, from, to)) = command.statement()
            && all.contains(&from)
        {
            deep.remove(&to);
        }
    }
    (!deep.is_empty()).then_some(deep)
}

/// The program with these cut points, and the locations of the graph by their numbers in the program.
fn with_cuts(
    graph: &Graph,
    cuts: &BTreeSet<usize>,
    text: Text<'_>,
    is_checked: bool,
) -> (Program, Vec<usize>) {
    let mut builder = Builder {
        graph,
        text,
        program: Program::default(),
        names: FreshNames::separated_by(":"),
        numbers: FxHashMap::default(),
        variables: FxHashMap::default(),
        order: Vec::new(),
    };
    builder.variables();
    builder.locations(is_checked);
    let mut names = FreshNames::separated_by(":");
    for edge in &graph.edges {
        let command = builder.command(edge, &mut names);
        builder.program.commands.push(command);
    }
    builder.property(ERROR_PROPERTY, ERROR);
    if is_checked {
        builder.property(OVERFLOW_PROPERTY, OVERFLOW);
    }
    let numbers = cuts.iter().filter_map(|it| builder.numbers.get(it));
    builder.program.cuts.insert(0, numbers.copied().collect());
    (builder.program, builder.order)
}

struct Builder<'g> {
    graph: &'g Graph,
    text: Text<'g>,
    program: Program,
    names: FreshNames,
    /// The numbers of the locations that stay, and of variables.
    numbers: FxHashMap<usize, usize>,
    variables: FxHashMap<usize, usize>,
    /// The locations that stay, in the order of their numbers.
    order: Vec<usize>,
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

    /// The function and the line that an edge stands in.
    fn place(&self, edge: &Edge) -> String {
        format!("{}:{}", edge.function, self.line(edge.span))
    }

    /// The variables that some edge mentions, and what all start with.
    fn variables(&mut self) {
        let graph = self.graph;
        for variable in &graph.variables {
            self.names.reserve(variable.symbol.name());
        }
        for choice in &graph.choices {
            self.names.reserve(choice.symbol.name());
        }
        let location = Symbol::new(format!("{MAIN}.{LOCATION}"), Sort::Int);
        self.names.reserve(location.name());
        let variable = self.variable(location.clone());
        self.program.variables[variable].origin = Some(Origin::of(Some(0), LOCATION.to_owned()));
        let at_start = Term::symbol(location).equals(Term::int(0));
        self.program.init.push(at_start);
        let mentioned = graph.mentioned();
        for (index, own) in graph.variables.iter().enumerate() {
            if !mentioned.contains(&index) {
                continue;
            }
            let number = self.variable(own.symbol.clone());
            self.variables.insert(index, number);
            let origin = match &own.local {
                Some(declaration) => Origin::of(Some(0), declaration.clone()),
                None => Origin::of(None, own.symbol.name().to_owned()),
            };
            self.program.variables[number].origin = Some(origin);
            let symbol = Term::symbol(own.symbol.clone());
            let initial = own.initial.unwrap_or_default();
            self.program.init.push(match (own.of, initial) {
                (Type::Bool, 0) => symbol.not(),
                (Type::Bool, _) => symbol,
                (_, value) => symbol.equals(Term::int(value)),
            });
        }
    }

    fn variable(&mut self, symbol: Symbol) -> usize {
        let next = self.names.give(&format!("{}.next", symbol.name()));
        let mut variable = StateVariable::new(symbol.name(), symbol.sort());
        variable.next = Symbol::new(next, symbol.sort());
        self.program.variables.push(variable);
        self.program.variables.len() - 1
    }

    /// Numbers the locations: the start first, then those of the text, then those where the program stays.
    fn locations(&mut self, is_checked: bool) {
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
            ERROR => true,
            OVERFLOW => is_checked,
            _ => all.contains(&location),
        };
        let last = [END, ERROR, OVERFLOW].into_iter();
        order.extend(last.filter(|it| *it != graph.start && is_there(*it)));
        let mut names = FreshNames::separated_by(":");
        let mut table = Vec::new();
        let mut positions = Vec::new();
        for location in order.iter().copied() {
            self.numbers.insert(location, table.len());
            let first = firsts.get(&location);
            let name = match (location, first) {
                (END, _) => "end".to_owned(),
                (ERROR, _) => ERROR_PROPERTY.to_owned(),
                (OVERFLOW, _) => OVERFLOW_PROPERTY.to_owned(),
                (_, Some(edge)) => self.place(edge),
                (_, None) => MAIN.to_owned(),
            };
            table.push(names.give(&name));
            positions.extend(first.and_then(|edge| self.position(edge.span)));
        }
        self.order = order;
        let position = positions.first().copied();
        if positions.len() < table.len() {
            positions.clear();
        }
        self.program.variables[0].range = Some((0.into(), (table.len() - 1).into()));
        self.program.variables[0].values = Some(ValueTable {
            name: LOCATION.to_owned(),
            values: table,
        });
        self.program.name = MAIN.to_owned();
        self.program.families.push(Family {
            name: MAIN.to_owned(),
            ranges: Vec::new(),
            position,
            locations: positions,
        });
        self.program.processes.push(Process {
            name: MAIN.to_owned(),
            family: 0,
            indices: Vec::new(),
            location: Some(0),
        });
    }

    fn property(&mut self, name: &str, location: usize) {
        let at = Term::symbol(self.program.variables[0].current.clone());
        let number = self.numbers.get(&location).copied().unwrap_or_default();
        let never = at.equals(Term::int(number as u64)).not();
        self.program.properties.push(ProgramProperty {
            name: name.to_owned(),
            requirement: Requirement::Always(never),
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
        let bounds = bounds.into_iter().map(own).collect();
        (self.program.inputs.len() - 1, bounds)
    }

    fn command(&mut self, edge: &Edge, names: &mut FreshNames) -> Command {
        let graph = self.graph;
        let place = self.place(edge);
        let name = names.give(&format!("{place}{}", edge.branch));
        let mut guard: Vec<Conjunct> = edge.guard.iter().cloned().map(own).collect();
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
            variable: self.variables[&variable],
            value,
            process: Some(0),
        });
        Command {
            name: format!("{MAIN}.{name}"),
            origin: Origin::of(Some(0), name),
            moves: vec![Move {
                process: 0,
                from: Some(self.numbers[&edge.from]),
                to: self.numbers[&edge.to],
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
}

fn own(formula: Term) -> Conjunct {
    Conjunct {
        formula,
        process: Some(0),
    }
}
