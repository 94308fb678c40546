//! From Horn clauses to a flat system.
//!
//! A clause with a predicate on both sides is a transition from one location to another, a fact an initial state, and a clause without
//! head a property. Facts and clauses that this does not fit, since they need variables besides the arguments or no predicate at all,
//! begin at a location of their own, `start`. Invariant: a solution of the clauses exists exactly if no property can be violated.

use super::clauses::Clause;
use super::commands::File;
use super::constraints::solve;
use super::formulas::Application;
use super::layout::Layout;
use crate::languages::splitting;
use indexmap::IndexMap;
use slabcert_certificates::fresh::FreshNames;
use slabcert_certificates::smtlib::ReadError;
use slabcert_certificates::system::{Input, InputRole, Property, System, Transition};
use slabcert_certificates::term::{MAXIMAL_DEPTH, Substitution, Symbol, Term, Value};

/// How deep formulas may nest, so that what is written nests no deeper than readers take.
const DEPTH: u32 = MAXIMAL_DEPTH / 2;

/// Begins the names of a clause's variables while it is translated; no symbol that is read has it in its name.
const LOCAL_MARK: char = '|';

/// The flat system of a file's clauses.
pub(super) fn system(file: &File) -> Result<System, ReadError> {
    let without_start = Translation::new(file, false).finish();
    let built = match without_start {
        Some(system) => Some(system),
        None => Translation::new(file, true).finish(),
    };
    let mut system = built.unwrap_or_default();
    let properties = system.properties.iter().map(|property| &property.formula);
    let formulas = system.init.iter().chain(&system.trans).chain(properties);
    if let Some(clause) = file.clauses.first()
        && formulas.map(Term::depth).max().unwrap_or(0) > DEPTH
    {
        return Err(ReadError::unsupported(
            clause.position,
            format!("the formulas nest more than {DEPTH} levels deep"),
        ));
    }
    splitting::split_each(&mut system, splitting::MOST_TRANSITIONS);
    Ok(system)
}

struct Translation<'a> {
    file: &'a File,
    layout: Layout,
    has_start: bool,
    /// The inputs by the variables of clauses that they are.
    inputs: IndexMap<Symbol, Symbol>,
    init: Vec<Term>,
    transitions: Vec<Transition>,
    properties: Vec<Property>,
    transition_names: FreshNames,
    property_names: FreshNames,
}

fn is_local(symbol: &Symbol) -> bool {
    symbol.name().starts_with(LOCAL_MARK)
}

impl<'a> Translation<'a> {
    fn new(file: &'a File, has_start: bool) -> Translation<'a> {
        Translation {
            file,
            layout: Layout::new(file, has_start),
            has_start,
            inputs: IndexMap::new(),
            init: Vec::new(),
            transitions: Vec::new(),
            properties: Vec::new(),
            transition_names: FreshNames::default(),
            property_names: FreshNames::default(),
        }
    }

    /// The system, unless it needs a start.
    fn finish(mut self) -> Option<System> {
        for clause in &self.file.clauses {
            match (&clause.body, &clause.head) {
                (None, None) if clause.constraint.iter().any(Term::is_false) => {
                    self.void_query(clause)
                }
                (None, _) if self.has_start => self.step(clause),
                (None, None) => return None,
                (None, Some(head)) => self.fact(clause, head)?,
                (Some(_), _) => self.step(clause),
            }
        }
        if self.has_start {
            let values = self.layout.others(None).into_iter().map(|index| {
                let value = self.layout.value(index, false);
                let default = Value::default_of(value.sort());
                value.equals(Term::constant(default))
            });
            let start = [self.layout.is_at(None, false)].into_iter().chain(values);
            self.init = vec![Term::and(start)];
        }
        let relations = self.transitions.iter().flat_map(|it| &it.relation);
        let trans = Term::or(relations.map(|conjunct| conjunct.formula.clone()));
        let inputs = self.inputs.into_values().map(|symbol| Input {
            symbol,
            role: InputRole::Choice,
        });
        let predicates = self.layout.predicates(self.file);
        Some(System {
            predicates,
            variables: self.layout.variables,
            inputs: inputs.collect(),
            init: Term::or(self.init).conjuncts(),
            trans: Some(trans),
            transitions: self.transitions,
            properties: self.properties,
            ..System::default()
        })
    }

    /// An initial state, unless the constraint is about more than the arguments.
    fn fact(&mut self, clause: &Clause, head: &Application) -> Option<()> {
        let mut frame = Frame::new(clause);
        frame.fix(&self.layout, head, false);
        let conjuncts = frame.finish();
        let is_about_arguments = !conjuncts
            .iter()
            .any(|conjunct| conjunct.symbols().iter().any(is_local));
        is_about_arguments.then(|| {
            let at = self.layout.is_at(Some(head.predicate), false);
            self.init.push(Term::and([at].into_iter().chain(conjuncts)));
        })
    }

    /// A transition or a property.
    fn step(&mut self, clause: &Clause) {
        let mut frame = Frame::new(clause);
        if let Some(body) = &clause.body {
            frame.fix(&self.layout, body, false);
        }
        if let Some(head) = &clause.head {
            frame.fix(&self.layout, head, true);
        }
        let mut conjuncts = frame.finish();
        self.choose_inputs(&mut conjuncts);
        let from = clause.body.as_ref().map(|body| body.predicate);
        conjuncts.insert(0, self.layout.is_at(from, false));
        match &clause.head {
            Some(head) => {
                let to = Some(head.predicate);
                conjuncts.push(self.layout.is_at(to, true));
                let layout = &self.layout;
                conjuncts.extend(layout.others(to).into_iter().map(|index| {
                    let kept = layout.value(index, false);
                    layout.value(index, true).equals(kept)
                }));
                let name = self.transition_name(clause, from, to);
                let relation = Term::and(conjuncts);
                let mut transition = Transition::from_relation(name, relation, Vec::new());
                transition.position = Some(clause.position);
                self.transitions.push(transition);
            }
            None => {
                let name = self.property_name(clause);
                self.properties.push(Property {
                    index: self.properties.len(),
                    name,
                    formula: Term::and(conjuncts).not(),
                    position: Some(clause.position),
                });
            }
        }
    }

    /// A query that is constantly false, which needs no start to be asked at.
    fn void_query(&mut self, clause: &Clause) {
        let name = self.property_name(clause);
        self.properties.push(Property {
            index: self.properties.len(),
            name,
            formula: Term::bool(true),
            position: Some(clause.position),
        });
    }

    /// Makes inputs of the variables that are left.
    fn choose_inputs(&mut self, conjuncts: &mut [Term]) {
        let mut chosen = Substitution::default();
        for conjunct in conjuncts.iter() {
            for symbol in conjunct.symbols().into_iter().filter(is_local) {
                let name = symbol.name().trim_start_matches(LOCAL_MARK).to_owned();
                let layout = &mut self.layout;
                let input = self.inputs.entry(symbol.clone()).or_insert_with(|| {
                    let unique = layout.unique(&name);
                    Symbol::new(unique, symbol.sort())
                });
                chosen.insert(symbol, Term::symbol(input.clone()));
            }
        }
        for conjunct in conjuncts {
            *conjunct = conjunct.substitute(&chosen);
        }
    }

    /// The clause's own name, or from where it leads to where; with a number where that is not the first.
    fn transition_name(
        &mut self,
        clause: &Clause,
        from: Option<usize>,
        to: Option<usize>,
    ) -> String {
        let locations = (
            self.layout.location_name(from),
            self.layout.location_name(to),
        );
        let name = match (&clause.name, locations) {
            (Some(name), _) => name.clone(),
            (None, (Some(from), Some(to))) => format!("{from}->{to}"),
            (None, _) => "step".to_owned(),
        };
        self.transition_names.give(&name)
    }

    fn property_name(&mut self, clause: &Clause) -> String {
        let name = clause.name.clone().unwrap_or_else(|| "query".to_owned());
        self.property_names.give(&name)
    }
}

/// The constraint of one clause, while its variables are matched with state variables.
struct Frame {
    /// From the variables of the clause to marked ones.
    marked: Substitution,
    /// From marked variables to state variables.
    fixed: Substitution,
    conjuncts: Vec<Term>,
}

impl Frame {
    fn new(clause: &Clause) -> Frame {
        let applications = clause.body.iter().chain(&clause.head);
        let arguments = applications.flat_map(|application| &application.arguments);
        let mut marked = Substitution::default();
        for term in clause.constraint.iter().chain(arguments) {
            for symbol in term.symbols() {
                let name = format!("{LOCAL_MARK}{}", symbol.name());
                let local = Symbol::new(name, symbol.sort());
                marked.insert(symbol, Term::symbol(local));
            }
        }
        let conjuncts = clause.constraint.iter();
        let conjuncts = conjuncts.map(|conjunct| conjunct.substitute(&marked));
        Frame {
            conjuncts: conjuncts.collect(),
            marked,
            fixed: Substitution::default(),
        }
    }

    /// Equates the arguments of a predicate with the values of its variables, before the step or after it.
    fn fix(&mut self, layout: &Layout, application: &Application, is_next: bool) {
        let slots = layout.slots(application.predicate);
        for (argument, &slot) in application.arguments.iter().zip(slots) {
            let argument = argument.substitute(&self.marked);
            let value = layout.value(slot, is_next);
            match argument.as_symbol() {
                Some(symbol) if !self.fixed.contains_key(symbol) => {
                    self.fixed.insert(symbol.clone(), value);
                }
                _ => self.conjuncts.push(value.equals(argument)),
            }
        }
    }

    /// What the constraint says, without variables that it determines.
    fn finish(self) -> Vec<Term> {
        let conjuncts = self.conjuncts.iter();
        let fixed = conjuncts.map(|conjunct| conjunct.substitute(&self.fixed));
        solve(fixed.collect(), &is_local)
    }
}
