//! Interactions: each choice of the participants' edges is one named transition; what blocks an interaction stands in its guard.
//!
//! Guards are read before the data transfer, updates of edges after it: a step transfers first and then lets the participants act. An
//! internal edge is a transition of its own, and blocks all interactions where it is enabled.

use rustc_hash::FxHashMap;
use slabcert_certificates::program::{Edge, Program, Requirement, Step};
use slabcert_certificates::structure::Origin;
use slabcert_certificates::system::{Conjunct, Transition, Update};
use slabcert_certificates::term::{Substitution, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// What a program's interactions amount to, worked out once.
pub(super) struct Interactions<'p> {
    program: &'p Program,
    /// For each interaction, by index, where it can happen as far as other interactions are concerned.
    enabled: Vec<Term>,
    /// For each interaction, by index, where none of those that block it is enabled.
    unblocked: Vec<Term>,
    /// Holds in visible states: no internal edge is enabled.
    visible: Term,
}

impl<'p> Interactions<'p> {
    pub fn of(program: &'p Program) -> Interactions<'p> {
        let mut edges: FxHashMap<(usize, &str), Vec<Term>> = FxHashMap::default();
        let mut internal = Vec::new();
        for edge in &program.edges {
            let condition = Term::and(conditions(program, edge));
            match &edge.label {
                Some(label) => edges
                    .entry((edge.process, label.as_str()))
                    .or_default()
                    .push(condition),
                None => internal.push(condition),
            }
        }
        let offers: FxHashMap<_, _> = edges
            .into_iter()
            .map(|(label, conditions)| (label, Term::or(conditions)))
            .collect();
        let enabled: Vec<Term> = program
            .interactions
            .iter()
            .map(|interaction| {
                let labels = interaction.participants.iter().map(|(process, label)| {
                    let offer = offers.get(&(*process, label.as_str()));
                    offer.cloned().unwrap_or_else(|| Term::bool(false))
                });
                Term::and(labels.chain(interaction.guard.iter().cloned()))
            })
            .collect();
        let mut blockers: BTreeMap<usize, Vec<Term>> = BTreeMap::new();
        for rule in &program.blocking {
            let blocks = Term::and([rule.condition.clone(), enabled[rule.by].clone()]);
            blockers.entry(rule.blocked).or_default().push(blocks);
        }
        let unblocked = (0..enabled.len()).map(|index| {
            let blockers = blockers.remove(&index).unwrap_or_default();
            Term::and(blockers.into_iter().map(Term::not))
        });
        Interactions {
            unblocked: unblocked.collect(),
            program,
            enabled,
            visible: Term::or(internal).not(),
        }
    }

    /// The formula of a property.
    pub fn formula(&self, requirement: &Requirement) -> Term {
        match requirement {
            Requirement::Always(formula) => formula.clone(),
            Requirement::Visible(formula) => {
                Term::or([self.visible.clone().not(), formula.clone()])
            }
            Requirement::NoDeadlock => {
                let interactions = self.program.interactions.iter().enumerate();
                let offered = interactions.filter(|(_, interaction)| interaction.is_offered);
                let can_happen = offered.map(|(index, _)| {
                    Term::and([self.enabled[index].clone(), self.unblocked[index].clone()])
                });
                let commands = self.program.commands.iter().map(|command| {
                    let locations = super::interleaving::locations(self.program, &command.moves);
                    let guard = command
                        .guard
                        .iter()
                        .map(|conjunct| conjunct.formula.clone());
                    Term::and(locations.into_iter().map(|it| it.formula).chain(guard))
                });
                let internal = self.visible.clone().not();
                Term::or(can_happen.chain(commands).chain([internal]))
            }
        }
    }

    /// The transitions of internal edges and of interactions.
    pub fn transitions(&self, premises: &[Term]) -> Vec<Transition> {
        let internal = self.program.edges.iter().filter(|it| it.label.is_none());
        let internal = internal.map(|edge| self.internal(edge, premises));
        let indices: FxHashMap<&str, usize> = self
            .program
            .interactions
            .iter()
            .enumerate()
            .map(|(index, interaction)| (interaction.name.as_str(), index))
            .collect();
        let steps = self.program.steps().into_iter().map(|step| {
            let index = indices[step.interaction.name.as_str()];
            self.step(step, &self.unblocked[index], premises)
        });
        internal.chain(steps).collect()
    }

    fn internal(&self, edge: &Edge, premises: &[Term]) -> Transition {
        let process = Some(edge.process);
        let guard = tagged(conditions(self.program, edge), process);
        let updates = updates(self.program, edge, &Substitution::default());
        let name = self.program.edge_name(edge);
        let mut transition = self.transition(name, guard, updates, &edge.choices, premises);
        transition.participants = vec![edge.process];
        transition.origin = Some(Origin::of(process, edge.name.clone()));
        transition.position = edge.position;
        transition
    }

    fn step(&self, step: Step<'_>, unblocked: &Term, premises: &[Term]) -> Transition {
        let Step {
            name,
            interaction,
            edges,
        } = step;
        let edges: Vec<&Edge> = edges
            .iter()
            .map(|edge| &self.program.edges[*edge])
            .collect();
        let mut guard: Vec<Conjunct> = edges
            .iter()
            .flat_map(|edge| tagged(conditions(self.program, edge), Some(edge.process)))
            .collect();
        let visible = [unblocked.clone(), self.visible.clone()];
        let own = interaction.guard.iter().cloned().chain(visible);
        guard.extend(tagged(own.filter(|it| *it != Term::bool(true)), None));
        let transferred: Substitution = interaction
            .transfer
            .iter()
            .map(|(variable, value)| {
                let symbol: Symbol = self.program.variables[*variable].current.clone();
                (symbol, value.clone())
            })
            .collect();
        let mut written = BTreeSet::new();
        let mut all = Vec::new();
        for edge in &edges {
            let own = updates(self.program, edge, &transferred);
            written.extend(own.iter().map(|update| update.variable));
            all.extend(own);
        }
        let transfer = interaction.transfer.iter();
        let kept = transfer.filter(|(variable, _)| !written.contains(variable));
        all.extend(kept.map(|(variable, value)| Update {
            variable: *variable,
            value: value.clone(),
            process: None,
        }));
        let choices: BTreeSet<usize> = edges
            .iter()
            .flat_map(|edge| &edge.choices)
            .chain(&interaction.choices)
            .copied()
            .collect();
        let choices: Vec<usize> = choices.into_iter().collect();
        let mut transition = self.transition(name, guard, all, &choices, premises);
        transition.participants = interaction.processes();
        transition.origin = Some(Origin::of(None, transition.name.clone()));
        transition.position = interaction.position;
        transition
    }

    fn transition(
        &self,
        name: String,
        mut guard: Vec<Conjunct>,
        updates: Vec<Update>,
        choices: &[usize],
        premises: &[Term],
    ) -> Transition {
        guard.extend(premises.iter().cloned().map(Conjunct::of_system));
        let written: BTreeSet<usize> = updates.iter().map(|update| update.variable).collect();
        Transition {
            name,
            guard,
            updates,
            relation: Vec::new(),
            frame: (0..self.program.variables.len())
                .filter(|variable| !written.contains(variable))
                .collect(),
            inputs: choices.to_vec(),
            participants: Vec::new(),
            origin: None,
            position: None,
            last_line: None,
        }
    }
}

/// Where an edge can be taken.
fn conditions<'e>(program: &Program, edge: &'e Edge) -> impl Iterator<Item = Term> + use<'e> {
    let location = edge.step.and_then(|(from, _)| {
        let location = program.processes[edge.process].location?;
        let location = Term::symbol(program.variables[location].current.clone());
        Some(location.equals(Term::int(from as u64)))
    });
    location.into_iter().chain(edge.guard.iter().cloned())
}

fn tagged(formulas: impl IntoIterator<Item = Term>, process: Option<usize>) -> Vec<Conjunct> {
    let formulas = formulas.into_iter();
    formulas
        .map(|formula| Conjunct { formula, process })
        .collect()
}

/// What an edge writes, after a transfer.
fn updates(program: &Program, edge: &Edge, transferred: &Substitution) -> Vec<Update> {
    let process = Some(edge.process);
    let location = program.processes[edge.process].location.zip(edge.step);
    let location = location.and_then(|(variable, (from, to))| {
        (from != to).then(|| Update {
            variable,
            value: Term::int(to as u64),
            process,
        })
    });
    let own = edge.updates.iter().map(|(variable, value)| Update {
        variable: *variable,
        value: value.substitute(transferred),
        process,
    });
    location.into_iter().chain(own).collect()
}
