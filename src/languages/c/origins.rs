//! What the text says of the program of a bundle: it is read again.

use super::graph::{ABSORBING, Edge, Graph, OVERFLOW, Place as GraphPlace, PlaceKind};
use super::resolution::Errors;
use super::resolution::calls::{Known, known};
use super::runs::{Flows, LONGEST_RUN, NoRun, What, happenings};
use super::scopes::Scopes;
use super::syntax::Type;
use super::tasks;
use super::{Elaborated, Text, elaborate, program};
use crate::languages::diagnostics::{Category, Diagnostic, Diagnostics};
use crate::languages::source::Span;
use fixedbitset::FixedBitSet;
use slabcert_certificates::bundle::Bundle;
use slabcert_certificates::certificate::Evidence;
use slabcert_certificates::program::Program;
use slabcert_certificates::smtlib::Position;
use slabcert_certificates::term::Symbol;
use slabcert_exports::program_text::{
    Event, EventKind, External, Failure, Local, Place, ProgramText, Run,
};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What is read of a text: with everything in it, and as the program that certificates are about.
pub(super) struct Origins<'t> {
    text: Text<'t>,
    errors: Errors,
    elaborated: Elaborated,
    /// The control flow that the program is made from, of each process, and that program.
    cleaned: Vec<Graph>,
    program: Program,
    /// The locations of `main`, by their numbers in the program.
    numbers: Vec<usize>,
}

impl<'t> Origins<'t> {
    pub fn read(
        text: Text<'t>,
        errors: Errors,
        is_checked: bool,
        faults: &mut Diagnostics,
    ) -> Option<Origins<'t>> {
        let elaborated = elaborate(text, errors.clone(), is_checked, faults)?;
        let unit = &elaborated.unit;
        let mut flow = elaborated.flow.clone();
        flow.clean(unit);
        let (program, numbers) = program::program(&mut flow, unit, text, is_checked);
        let numbers = numbers.into_iter().next()?;
        Some(Origins {
            text,
            errors,
            elaborated,
            cleaned: flow.graphs,
            program,
            numbers,
        })
    }

    /// What the text says of a bundle; none if the bundle's program is another one, which is among the faults.
    pub fn of_bundle(&self, bundle: &Bundle, faults: &mut Diagnostics) -> Option<ProgramText> {
        let Some(program) = bundle.program.as_ref().filter(|it| self.is_of(it)) else {
            let message = "the bundle's program is not what is read in its model";
            faults.push(
                Diagnostic::new(Category::Unsupported, Span::default(), message)
                    .help("verify the model again"),
            );
            return None;
        };
        let scopes = self.scopes();
        let mut runs = Vec::new();
        for claim in &bundle.certificate.claims {
            if let Evidence::Unsafe(number) = claim.evidence {
                match self.run(bundle, program, number, &scopes) {
                    Ok(run) => runs.push(run),
                    // There is nothing to say of it.
                    Err(NoRun::Other) => {}
                    Err(NoRun::TooLong) => {
                        let message = format!(
                            "the run to an error takes more than {LONGEST_RUN} steps in the text"
                        );
                        let span = Span::default();
                        faults.push(Diagnostic::new(Category::Unsupported, span, message));
                    }
                }
            }
        }
        let (externals, errors) = self.functions(&scopes);
        let (program, specification) = match self.text.start {
            0 => (None, None),
            _ => tasks::called(self.text.source).unzip(),
        };
        Some(ProgramText {
            file: program.unwrap_or_else(|| self.text.source.name().to_owned()),
            text: self.text.source.text()[self.text.start..].to_owned(),
            specification,
            places: self.places(&scopes),
            unread: self.unread(),
            runs,
            externals,
            errors,
            undeclared: scopes.undeclared(),
            threads: self.is_threaded().then(|| self.cleaned.len() - 1),
            headers: self.headers(),
        })
    }

    /// Whether a bundle's program is the one that is read.
    fn is_of(&self, it: &Program) -> bool {
        let own = &self.program;
        let chosen = |it: &Program| -> Vec<Symbol> {
            it.inputs.iter().map(|it| it.symbol.clone()).collect()
        };
        it.commands.len() == own.commands.len()
            && it.variables == own.variables
            // Why something is chosen, no bundle says.
            && chosen(it) == chosen(own)
            && it.cuts == own.cuts
            && it.commands.iter().zip(&own.commands).all(|(one, other)| {
                (&one.name, &one.moves, &one.choices)
                    == (&other.name, &other.moves, &other.choices)
            })
    }

    /// The control flow with everything in it.
    fn whole(&self) -> &[Graph] {
        &self.elaborated.flow.graphs
    }

    /// The control flow of `main` that the program is made from.
    fn main(&self) -> &Graph {
        &self.cleaned[0]
    }

    /// Whether the program has a scheduler.
    pub fn is_threaded(&self) -> bool {
        self.elaborated.unit.is_threaded
    }

    /// What the text has of the header of threads.
    fn headers(&self) -> Vec<Range<usize>> {
        let headers = self.elaborated.headers.iter();
        let start = self.text.start;
        headers.map(|it| it.start - start..it.end - start).collect()
    }

    /// The names of the text.
    pub fn scopes(&self) -> Scopes<'_> {
        Scopes::of(&self.elaborated.syntax, &self.elaborated.unit)
    }

    /// What is known at a loop or statement that begins on a line, in that column if it is given; none if steps of the program do not
    /// begin there.
    pub fn place_at(
        &self,
        scopes: &Scopes<'_>,
        line: u32,
        column: Option<u32>,
        is_loop: bool,
    ) -> Option<Place> {
        let places = self.main().places.iter().filter(|it| match it.kind {
            PlaceKind::Statement => !is_loop && scopes.statements.contains_key(&it.span),
            PlaceKind::Loop { .. } => is_loop,
            PlaceKind::Branch(_) => false,
        });
        let there = places.filter(|it| {
            let position = self.position(scopes.begin(it.span));
            position.line == line && column.is_none_or(|it| it == position.column)
        });
        let place = there.min_by_key(|it| it.span.start)?;
        self.place(place, scopes, &Ways::of(self))
    }

    fn position(&self, offset: u32) -> Position {
        let span = Span {
            start: offset,
            end: offset,
        };
        Position {
            line: self.text.line(span),
            column: self.text.source.position(offset as usize).column,
        }
    }

    /// An offset in the text of the program alone.
    fn own(&self, offset: u32) -> usize {
        (offset as usize).saturating_sub(self.text.start)
    }

    /// The functions that are called and that the text does not define, and those that are errors all the same.
    fn functions(
        &self,
        scopes: &Scopes<'_>,
    ) -> (BTreeMap<String, External>, BTreeMap<String, usize>) {
        let mut externals = BTreeMap::new();
        let mut errors = BTreeMap::new();
        for name in &scopes.called {
            let body = scopes.bodies.get(name).copied();
            let external = match known(name, &self.errors, body.is_some()) {
                Some(Known::Arbitrary) => {
                    let mut choices = self.whole().iter().flat_map(|it| &it.choices);
                    let of = choices.find(|it| it.function == *name).map(|it| it.of);
                    External::Value(match of {
                        Some(Type::Bool) => "_Bool",
                        Some(Type::Char) => "signed char",
                        _ => "int",
                    })
                }
                Some(Known::Assume) => External::Assume,
                Some(Known::Assert) if self.errors.only.is_some() => External::Assume,
                Some(Known::Assert) => External::Assert,
                Some(Known::Error) => External::Error,
                // What the library has ends the program.
                Some(Known::Stop) if name.starts_with("__VERIFIER") => External::End,
                Some(Known::Stop | Known::Scheduler) | None => continue,
            };
            match body {
                Some(body) => {
                    errors.insert((*name).to_owned(), body.saturating_sub(self.text.start));
                }
                None => {
                    externals.insert((*name).to_owned(), external);
                }
            }
        }
        (externals, errors)
    }

    /// What is 0 at the cut points because nobody reads it.
    fn unread(&self) -> BTreeMap<usize, BTreeSet<Symbol>> {
        let live = self.main().live();
        let cuts = self.program.cuts.get(&0).into_iter().flatten();
        let inner = cuts.filter(|number| {
            let location = self.numbers[**number];
            location >= ABSORBING && location != self.main().start
        });
        let unread = inner.map(|number| {
            let variables = self.main().variables.iter().enumerate();
            let dead = variables.filter(|(index, _)| !live[self.numbers[*number]].contains(*index));
            (*number, dead.map(|(_, it)| it.symbol.clone()).collect())
        });
        unread.collect()
    }

    /// The places of the text at which what holds at cut points can be said: for each cut point, the loop whose condition is tested there,
    /// or a statement that begins there.
    pub fn places(&self, scopes: &Scopes<'_>) -> Vec<Place> {
        let ways = Ways::of(self);
        let is_statement = |it: &&GraphPlace| {
            it.kind == PlaceKind::Statement && scopes.statements.contains_key(&it.span)
        };
        let is_loop = |it: &&GraphPlace| matches!(it.kind, PlaceKind::Loop { .. });
        let mut chosen: BTreeMap<(u32, bool), &GraphPlace> = BTreeMap::new();
        for location in &ways.cuts {
            let here = || {
                self.main()
                    .places
                    .iter()
                    .filter(|it| it.location == *location)
            };
            let loops: Vec<&GraphPlace> = here().filter(is_loop).collect();
            let statements = here().filter(is_statement);
            let best = statements
                .min_by_key(|it| (!scopes.statements[&it.span].is_labelled, it.span.start))
                .filter(|_| loops.is_empty());
            for place in loops.iter().copied().chain(best) {
                chosen.insert((place.span.start, is_loop(&place)), place);
            }
            // What the head of a loop declares has no name in front of it.
            for place in loops {
                let PlaceKind::Loop { body } = place.kind else {
                    continue;
                };
                let inside = scopes.at(body).len() > scopes.at(place.span.start as usize).len();
                let mut statements = self.main().places.iter().filter(is_statement);
                let first = statements.find(|it| it.span.start as usize == body);
                if let Some(first) = first.filter(|_| inside) {
                    chosen.insert((first.span.start, false), first);
                }
            }
        }
        let mut chosen: Vec<&GraphPlace> = chosen.into_values().collect();
        if chosen.is_empty() {
            let mut statements = self.main().places.iter().filter(is_statement);
            chosen.extend(statements.find(|it| it.location == self.main().start));
        }
        let places = chosen.into_iter();
        places
            .filter_map(|it| self.place(it, scopes, &ways))
            .collect()
    }

    /// What is known at a place, in all calls of its function; none if too little leads there from cut points.
    fn place(&self, place: &GraphPlace, scopes: &Scopes<'_>, ways: &Ways) -> Option<Place> {
        let is_loop = matches!(place.kind, PlaceKind::Loop { .. });
        let mut from: BTreeMap<usize, BTreeSet<Symbol>> = BTreeMap::new();
        let same = self.main().places.iter().filter(|it| {
            (it.kind, it.span) == (place.kind, place.span) && ways.is_there(it.location)
        });
        let mut read = FixedBitSet::with_capacity(self.main().variables.len());
        read.insert_range(..);
        for own in same {
            read.intersect_with(&ways.live[own.location]);
            for (number, changed) in ways.to(own.location, self)? {
                from.entry(number).or_default().extend(changed);
            }
        }
        let variables = &self.main().variables;
        let start = scopes.begin(place.span);
        let names = scopes.at(start as usize).into_iter();
        // What nobody reads any more may have been written without being noticed.
        let names = names.filter(|(_, index)| read.contains(*index));
        let names = names.map(|(name, index)| (variables[index].symbol.clone(), name.to_owned()));
        Some(Place {
            position: self.position(start),
            function: place.function.to_string(),
            is_loop,
            names: names.collect(),
            from,
        })
    }

    /// What a trace does.
    fn run(
        &self,
        bundle: &Bundle,
        program: &Program,
        number: usize,
        scopes: &Scopes<'_>,
    ) -> Result<Run, NoRun> {
        let trace = bundle.certificate.traces.get(number).ok_or(NoRun::Other)?;
        let unit = &self.elaborated.unit;
        let signals = unit.signals.iter();
        let main = &self.whole()[0];
        let flows = Flows {
            whole: self.whole(),
            cleaned: &self.cleaned,
            signals: signals
                .map(|it| main.variables[*it].symbol.clone())
                .collect(),
        };
        let all = happenings(bundle, program, &flows, trace)?;
        let mut events = Vec::new();
        let mut waiting: Vec<(usize, usize)> = Vec::new();
        for it in &all {
            let mut at = it.span.start;
            let graph = &self.whole()[it.process];
            let kind = match &it.what {
                What::Turn => EventKind::Turn(it.process - 1),
                What::Statement => {
                    at = scopes.begin(it.span);
                    if scopes.statements.contains_key(&it.span) {
                        let names = scopes.at(at as usize);
                        for (event, variable) in waiting.drain(..) {
                            self.move_to(
                                &mut events[event],
                                at,
                                names.values().any(|it| *it == variable),
                            );
                        }
                    }
                    continue;
                }
                What::Branch(is_yes) => EventKind::Branch(*is_yes),
                What::Choice(choice, value) => {
                    at = it.span.end.saturating_sub(1);
                    EventKind::Call(graph.choices[*choice].function.clone(), value.clone())
                }
                What::Arbitrary(variable, value, is_known) => {
                    let own = self.elaborated.unit.variables.get(*variable);
                    match own.filter(|own| own.span == it.span) {
                        Some(own) => {
                            waiting.push((events.len(), *variable));
                            let end = scopes.declarators.get(&own.span).copied();
                            let end = end.unwrap_or(own.span.end as usize);
                            let local = Local {
                                declared: end.saturating_sub(self.text.start),
                                name: own.name.clone(),
                            };
                            EventKind::Local(local, value.clone(), false)
                        }
                        None if *is_known => {
                            let symbol = &graph.variables[*variable].symbol;
                            EventKind::Other(symbol.name().to_owned())
                        }
                        None => continue,
                    }
                }
                What::Error(OVERFLOW) => EventKind::Error(Failure::Overflow),
                What::Error(_) => EventKind::Error(self.failure(it.span)),
            };
            events.push(Event {
                position: self.position(at),
                function: it.function.to_string(),
                kind,
            });
        }
        Ok(Run {
            trace: number,
            events,
        })
    }

    /// Says that the value of a local variable is known where a statement begins.
    fn move_to(&self, event: &mut Event, at: u32, is_named: bool) {
        if let EventKind::Local(_, _, is_visible) = &mut event.kind {
            *is_visible = is_named;
            event.position = self.position(at);
        }
    }

    /// The error that stands somewhere: a call or a label.
    fn failure(&self, span: Span) -> Failure {
        let text = &self.text.source.text()[span.start as usize..];
        let is_part = |it: char| !(it.is_ascii_alphanumeric() || it == '_');
        let name = &text[..text.find(is_part).unwrap_or(text.len())];
        match text[name.len()..].trim_start().starts_with(':') {
            true => Failure::Label(name.to_owned(), self.own(span.start)),
            false => Failure::Call(name.to_owned()),
        }
    }
}

/// The ways from cut points to other locations.
struct Ways {
    /// The cut points at which something is known, as locations of the graph, with their numbers.
    cuts: BTreeSet<usize>,
    by_location: BTreeMap<usize, usize>,
    /// The edges that lead to each location.
    entering: BTreeMap<usize, Vec<usize>>,
    /// The variables that are read later, at each location.
    live: Vec<FixedBitSet>,
}

impl Ways {
    fn of(origins: &Origins<'_>) -> Ways {
        let numbers = origins.program.cuts.get(&0).into_iter().flatten();
        let by_location: BTreeMap<usize, usize> = numbers
            .map(|number| (origins.numbers[*number], *number))
            .collect();
        let inner = by_location.keys().copied();
        let mut entering: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (index, edge) in origins.main().edges.iter().enumerate() {
            entering.entry(edge.to).or_default().push(index);
        }
        let is_inside = |it: &usize| {
            *it >= ABSORBING && (*it != origins.main().start || entering.contains_key(it))
        };
        Ways {
            cuts: inner.filter(is_inside).collect(),
            by_location,
            entering,
            live: origins.main().live(),
        }
    }

    /// Whether a location can be reached.
    fn is_there(&self, location: usize) -> bool {
        self.by_location.contains_key(&location) || self.entering.contains_key(&location)
    }

    /// The cut points that lead to a location without another one between, by number, and what is written on the way.
    fn to(&self, location: usize, origins: &Origins<'_>) -> Option<Vec<(usize, BTreeSet<Symbol>)>> {
        let graph = origins.main();
        let mut changed: BTreeSet<Symbol> = BTreeSet::new();
        let mut from = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open = vec![location];
        while let Some(location) = open.pop() {
            if !seen.insert(location) {
                continue;
            }
            if let Some(number) = self.by_location.get(&location) {
                from.insert(*number);
                continue;
            }
            for edge in self.entering.get(&location)? {
                let Edge {
                    updates,
                    arbitrary,
                    from,
                    ..
                } = &graph.edges[*edge];
                let written = updates
                    .iter()
                    .map(|(variable, _)| variable)
                    .chain(arbitrary);
                changed.extend(written.map(|it| graph.variables[*it].symbol.clone()));
                open.push(*from);
            }
        }
        Some(from.into_iter().map(|it| (it, changed.clone())).collect())
    }
}
