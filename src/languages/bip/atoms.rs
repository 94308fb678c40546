//! Atoms: each is a process, whose edges are its transitions.
//!
//! An atom that is an automaton has a location; of another one, a one-safe Petri net, each place is a truth value. Rules of priority
//! choose among the ports that the atom itself enables, and stand in the guards of its edges.

mod preferences;

use super::components::Place;
use super::connectors::{Holder, Offer};
use super::program::Builder;
use super::syntax::{AtomType, Name, Port, Transition};
use super::values::{Environment, Failed, sort_of};
use crate::languages::diagnostics::Category;
use crate::languages::source::Span;
use num_bigint::BigInt;
use slabcert_certificates::fresh::FreshNames;
use slabcert_certificates::program::Edge;
use slabcert_certificates::structure::{Family, Origin, Process};
use slabcert_certificates::system::ValueTable;
use slabcert_certificates::term::{Sort, Term};
use std::collections::{BTreeMap, BTreeSet};

/// What the variable of a process is called that holds its location.
const LOCATION: &str = "location";
/// What the variable of a Petri net is called that says whether a marked place was marked again.
const OVERFULL: &str = "overfull";
/// The most pairs of transitions of an atom that are compared.
const MOST_PAIRS: usize = 1 << 20;

/// An atom.
pub(super) struct Atom<'p> {
    pub path: String,
    pub process: usize,
    /// The variables of the data.
    pub data: BTreeMap<&'p str, usize>,
    pub exported_data: BTreeMap<&'p str, usize>,
    pub places: BTreeMap<&'p str, Place>,
    /// What it offers at its exported ports.
    pub offers: BTreeMap<&'p str, Vec<Offer<'p>>>,
    /// What it does at ports that are not exported.
    internal: Vec<Offer<'p>>,
    /// The declared invariants.
    pub invariants: Vec<(&'p str, Term, Span)>,
    /// Holds as long as no marked place was marked again; none for an automaton.
    pub one_safe: Option<Term>,
    /// No two transitions of a port, or internal ones, are enabled together.
    pub deterministic: Vec<Term>,
}

impl<'p> Atom<'p> {
    /// Ports that are not exported fire alone.
    pub fn alone(&self) -> impl Iterator<Item = Offer<'p>> {
        self.internal.iter().cloned()
    }
}

/// For each port, or for internal transitions, where these are enabled: the first place that they leave, and the condition.
type Enabled<'p> = BTreeMap<Option<&'p str>, Vec<(&'p str, Term)>>;

/// For each port those that go before it, and where.
type Waits<'p> = BTreeMap<&'p str, Vec<(&'p str, Term)>>;

/// A transition with what it needs and does.
struct Ready<'p> {
    transition: &'p Transition,
    /// Where it is enabled, as far as the atom is concerned.
    guard: Vec<Term>,
    updates: Vec<(usize, Term)>,
    choices: Vec<usize>,
}

impl<'p> Builder<'p, '_> {
    /// Adds an atom with these values of its parameters.
    pub fn atom(
        &mut self,
        atom_type: &'p AtomType,
        mut environment: Environment,
        path: &str,
        span: Span,
    ) -> Result<usize, Failed> {
        self.seen.insert(&atom_type.name.text);
        let process = self.program.processes.len();
        self.program.families.push(Family {
            name: path.to_owned(),
            ranges: Vec::new(),
            position: self.position(span),
            locations: Vec::new(),
        });
        self.program.processes.push(Process {
            name: path.to_owned(),
            family: process,
            indices: Vec::new(),
            location: None,
        });
        let places = self.places(atom_type, process, path)?;
        let mut atom = Atom {
            path: path.to_owned(),
            process,
            data: BTreeMap::new(),
            exported_data: BTreeMap::new(),
            places,
            offers: BTreeMap::new(),
            internal: Vec::new(),
            invariants: Vec::new(),
            one_safe: None,
            deterministic: Vec::new(),
        };
        for data in &atom_type.data {
            let Some(sort) = sort_of(data.data_type) else {
                return self.fault(
                    Category::Unsupported,
                    data.name.span,
                    "texts are not supported",
                );
            };
            let name = &*data.name.text;
            if data.is_const {
                let value = self.constant_data(data, sort, &environment);
                environment.constant(name, value);
                continue;
            }
            let origin = Origin::of(Some(process), name.to_owned());
            let variable = self.variable(&format!("{path}.{name}"), sort, Some(origin));
            atom.data.insert(name, variable);
            if data.is_exported {
                atom.exported_data.insert(name, variable);
            }
            environment.variable(name, self.current(variable));
        }
        self.initial(atom_type, &mut atom, &environment)?;
        self.offers(atom_type, &mut atom)?;
        self.edges(atom_type, &mut atom, &environment)?;
        for invariant in &atom_type.invariants {
            let formula = self.determined(&invariant.formula, &environment, Sort::Bool)?;
            let at = self.all_marked(&atom, &invariant.places)?;
            atom.invariants.push((
                &invariant.name.text,
                at.implies(formula),
                invariant.name.span,
            ));
        }
        self.atoms.push(atom);
        Ok(self.atoms.len() - 1)
    }

    /// The location of an automaton, or the truth values of the places of a Petri net.
    fn places(
        &mut self,
        atom_type: &'p AtomType,
        process: usize,
        path: &str,
    ) -> Result<BTreeMap<&'p str, Place>, Failed> {
        let is_automaton = atom_type.initial.len() == 1
            && atom_type
                .transitions
                .iter()
                .all(|it| it.from.len() == 1 && it.to.len() == 1);
        let origin = |name: &str| Some(Origin::of(Some(process), name.to_owned()));
        let mut places = BTreeMap::new();
        if is_automaton {
            let location =
                self.variable(&format!("{path}.{LOCATION}"), Sort::Int, origin(LOCATION));
            let variable = &mut self.program.variables[location];
            variable.range = Some((BigInt::ZERO, BigInt::from(atom_type.places.len()) - 1));
            variable.values = Some(ValueTable {
                name: LOCATION.to_owned(),
                values: atom_type
                    .places
                    .iter()
                    .map(|it| it.text.to_string())
                    .collect(),
            });
            self.program.processes[process].location = Some(location);
            let positions = atom_type.places.iter().map(|it| self.position(it.span));
            let positions: Option<Vec<_>> = positions.collect();
            self.program.families[process].locations = positions.unwrap_or_default();
            for (number, place) in atom_type.places.iter().enumerate() {
                places.insert(&*place.text, Place::Location(number));
            }
        } else {
            for place in &atom_type.places {
                let variable = self.variable(
                    &format!("{path}.{}", place.text),
                    Sort::Bool,
                    origin(&place.text),
                );
                places.insert(&*place.text, Place::Marking(variable));
            }
        }
        Ok(places)
    }

    pub fn place<'a>(&mut self, atom: &'a Atom<'p>, name: &Name) -> Result<&'a Place, Failed> {
        match atom.places.get(&*name.text) {
            Some(place) => Ok(place),
            None => self.unknown("place", name),
        }
    }

    fn all_marked(&mut self, atom: &Atom<'p>, places: &[Name]) -> Result<Term, Failed> {
        let mut marked = Vec::new();
        for name in places {
            let place = self.place(atom, name)?.clone();
            marked.push(self.marked(atom, &place));
        }
        Ok(Term::and(marked))
    }

    /// What the ports offer.
    fn offers(&mut self, atom_type: &'p AtomType, atom: &mut Atom<'p>) -> Result<(), Failed> {
        for group in &atom_type.ports {
            let mut all = Vec::new();
            for port in &group.ports {
                let offer = self.offer(atom, port)?;
                match (group.is_exported, &group.merged) {
                    (false, _) => atom.internal.push(offer),
                    (true, None) => {
                        atom.offers.insert(&*port.name.text, vec![offer]);
                    }
                    (true, Some(merged)) => {
                        self.same_type(&all, &offer, merged)?;
                        all.push(offer);
                    }
                }
            }
            if let Some(merged) = &group.merged {
                atom.offers.insert(&*merged.text, all);
            }
        }
        Ok(())
    }

    fn offer(&mut self, atom: &Atom<'p>, port: &'p Port) -> Result<Offer<'p>, Failed> {
        let Some(port_type) = self.types.ports.get(&*port.port_type.text).copied() else {
            return self.unknown("port type", &port.port_type);
        };
        if port_type.parameters.len() != port.data.len() {
            let (wanted, given) = (port_type.parameters.len(), port.data.len());
            let message = format!(
                "a port of type `{}` shows {wanted} data, but {given} are given",
                port_type.name.text
            );
            return self.fault(Category::Sort, port.name.span, message);
        }
        let mut shown = Vec::new();
        for (name, parameter) in port.data.iter().zip(&port_type.parameters) {
            let Some(variable) = atom.data.get(&*name.text).copied() else {
                return self.unknown("data", name);
            };
            let sort = self.program.variables[variable].sort();
            if Some(sort) != sort_of(parameter.data_type) {
                let message = format!(
                    "`{}` has another type than `{}` of the port type",
                    name.text, parameter.name.text
                );
                return self.fault(Category::Sort, name.span, message);
            }
            shown.push((Holder::Variable(variable), sort));
        }
        Ok(Offer {
            name: format!("{}.{}", atom.path, port.name.text),
            participants: BTreeMap::from([(atom.process, port.name.text.to_string())]),
            port_type: &port_type.name.text,
            shown,
            ..Offer::nothing(port.name.span)
        })
    }

    fn edges(
        &mut self,
        atom_type: &'p AtomType,
        atom: &mut Atom<'p>,
        environment: &Environment,
    ) -> Result<(), Failed> {
        let ports: Vec<&'p Name> = atom_type
            .ports
            .iter()
            .flat_map(|it| &it.ports)
            .map(|it| &it.name)
            .collect();
        let mut ready = Vec::new();
        let is_net = self.program.processes[atom.process].location.is_none();
        let overfull = is_net.then(|| {
            let origin = Origin::of(Some(atom.process), OVERFULL.to_owned());
            self.variable(
                &format!("{}.{OVERFULL}", atom.path),
                Sort::Bool,
                Some(origin),
            )
        });
        if let Some(overfull) = overfull {
            let never = self.current(overfull).not();
            self.program.init.push(never.clone());
            atom.one_safe = Some(never);
        }
        for transition in &atom_type.transitions {
            if let Some(port) = &transition.port
                && !ports.iter().any(|it| it.text == port.text)
            {
                return self.unknown("port", port);
            }
            ready.push(self.transition(atom, transition, environment, overfull)?);
        }
        let mut enabled: Enabled<'p> = BTreeMap::new();
        for it in &ready {
            let port = it.transition.port.as_ref().map(|it| &*it.text);
            let condition = Term::and(it.guard.iter().cloned());
            let of_port = enabled.entry(port).or_default();
            of_port.push((&it.transition.from[0].text, condition));
        }
        self.determinism(atom_type, atom, &enabled)?;
        let waits = self.priorities(atom_type, &ports, environment)?;
        let mut names = FreshNames::separated_by(":");
        for it in ready {
            let edge = self.edge(atom, it, &enabled, &waits, &mut names);
            self.program.edges.push(edge);
        }
        Ok(())
    }

    /// Two transitions of a port, or two internal ones, are not enabled together.
    fn determinism(
        &mut self,
        atom_type: &'p AtomType,
        atom: &mut Atom<'p>,
        enabled: &Enabled<'p>,
    ) -> Result<(), Failed> {
        let is_net = self.program.processes[atom.process].location.is_none();
        let mut pairs = 0_usize;
        for all in enabled.values() {
            pairs = pairs.saturating_add(all.len() * all.len());
            if pairs > MOST_PAIRS {
                let message = format!(
                    "comparing the transitions of this atom type takes more than {MOST_PAIRS} steps"
                );
                return self.fault(Category::Unsupported, atom_type.name.span, message);
            }
            for (number, (from, one)) in all.iter().enumerate() {
                // An automaton is at one location.
                let others = all[..number]
                    .iter()
                    .filter(|(other, _)| is_net || other == from);
                let both = others.map(|(_, other)| Term::and([one.clone(), other.clone()]));
                atom.deterministic
                    .extend(both.map(Term::not).filter(|it| !it.is_true()));
            }
        }
        Ok(())
    }

    fn edge(
        &self,
        atom: &Atom<'p>,
        ready: Ready<'p>,
        enabled: &Enabled<'p>,
        waits: &Waits<'p>,
        names: &mut FreshNames,
    ) -> Edge {
        let transition = ready.transition;
        let label = transition.port.as_ref().map(|it| it.text.to_string());
        let mut guard = ready.guard;
        let waits = label.as_deref().and_then(|label| waits.get(label));
        for (high, condition) in waits.into_iter().flatten() {
            let enabled = enabled.get(&Some(*high)).into_iter().flatten();
            let enabled = Term::or(enabled.map(|(_, condition)| condition.clone()));
            guard.push(Term::and([condition.clone(), enabled]).not());
        }
        let number = |name: &Name| match atom.places.get(&*name.text) {
            Some(Place::Location(number)) => Some(*number),
            _ => None,
        };
        let step = number(&transition.from[0]).zip(number(&transition.to[0]));
        // The location is said by the step.
        if step.is_some() {
            guard.remove(0);
        }
        guard.retain(|conjunct| !conjunct.is_true());
        let from: Vec<&str> = transition.from.iter().map(|it| &*it.text).collect();
        let port = label.as_deref().unwrap_or("internal");
        Edge {
            name: names.give(&format!("{port}@{}", from.join("+"))),
            process: atom.process,
            label,
            step,
            guard,
            updates: ready.updates,
            choices: ready.choices,
            position: self.position(transition.span),
        }
    }

    /// What a transition needs and does; the marking comes first in the guard.
    fn transition(
        &mut self,
        atom: &Atom<'p>,
        transition: &'p Transition,
        environment: &Environment,
        overfull: Option<usize>,
    ) -> Result<Ready<'p>, Failed> {
        let mut guard = vec![self.all_marked(atom, &transition.from)?];
        self.all_marked(atom, &transition.to)?;
        if let Some(condition) = &transition.guard {
            guard.extend(
                self.determined(condition, environment, Sort::Bool)?
                    .conjuncts(),
            );
        }
        let mut after = environment.clone();
        let ((), choices) = self.evaluate(&atom.path, |evaluator| {
            evaluator.run(&transition.actions, &mut after)
        })?;
        let mut updates = Vec::new();
        for (name, variable) in &atom.data {
            if let Some(slot) = after.values.get(*name)
                && slot.value != self.current(*variable)
            {
                updates.push((*variable, slot.value.clone()));
            }
        }
        if let Some(overfull) = overfull {
            let names = |names: &'p [Name]| -> BTreeSet<&'p str> {
                names.iter().map(|it| &*it.text).collect()
            };
            let (from, to) = (names(&transition.from), names(&transition.to));
            let mut twice = vec![self.current(overfull)];
            for name in from.symmetric_difference(&to) {
                let Some(Place::Marking(variable)) = atom.places.get(name) else {
                    continue;
                };
                let is_new = to.contains(name);
                updates.push((*variable, Term::bool(is_new)));
                if is_new {
                    twice.push(self.current(*variable));
                }
            }
            if twice.len() > 1 {
                updates.push((overfull, Term::or(twice)));
            }
        }
        Ok(Ready {
            transition,
            guard,
            updates,
            choices,
        })
    }
}
