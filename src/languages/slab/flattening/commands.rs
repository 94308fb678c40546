//! Commands: one named transition of the flat system for each instance.

use super::super::expansion::{Environment, Expanded, Stop};
use super::super::folding;
use super::super::syntax::{Choice, Command, Expr, Index, Place, Update, UpdateKind};
use super::enabling::{Bound, Instance};
use super::variables::{bounds, domain};
use super::{Flattener, Owner};
use crate::languages::diagnostics::{Category, Diagnostic};
use crate::languages::source::Span;
use rustc_hash::FxHashMap;
use slabcert_certificates::system::{self, Conjunct, Input, InputRole, Transition};
use slabcert_certificates::term::{Symbol, Term};
use std::collections::BTreeSet;

/// A transition while it is built.
struct Draft {
    transition: Transition,
    /// The process whose transition it is.
    owner: Option<usize>,
    /// Where each variable that changes is updated.
    written: FxHashMap<usize, Span>,
    participants: BTreeSet<usize>,
    /// What must hold for the transition to be taken, and which inputs and next values may be chosen for that.
    enabling: Instance,
}

impl Draft {
    fn conjunct(&self, formula: Term) -> Conjunct {
        let process = self.owner;
        Conjunct { formula, process }
    }

    /// Adds a condition on the state before the step and the inputs, that must hold for the transition to be taken.
    fn require(&mut self, formula: &Term) {
        for formula in formula.conjuncts() {
            self.enabling.conditions.push(formula.clone());
            let conjunct = self.conjunct(formula);
            self.transition.guard.push(conjunct);
        }
    }
}

impl Flattener<'_, '_, '_, '_> {
    /// Adds the transition of a command in an environment.
    pub(super) fn command(
        &mut self,
        name: &str,
        owner: Option<Owner>,
        command: &Command,
        span: Span,
        environment: &mut Environment,
    ) -> Expanded<Instance> {
        let mut transition = Transition::from_relation(name, Term::bool(true), Vec::new());
        transition.relation.clear();
        transition.position = Some(self.source.position(span.start as usize));
        let mut draft = Draft {
            transition,
            owner: owner.map(|owner| owner.slot),
            written: FxHashMap::default(),
            participants: owner.iter().map(|owner| owner.slot).collect(),
            enabling: Instance {
                name: name.to_owned(),
                span,
                conditions: Vec::new(),
                bound: Vec::new(),
            },
        };
        let own_move = owner.map_or(Ok(()), |owner| self.own_move(owner, &mut draft));
        let choices = command
            .choices
            .iter()
            .try_for_each(|choice| self.choice(choice, &mut draft, environment));
        let guard = match &command.guard {
            Some(guard) if choices.is_ok() => self.require(guard, &mut draft, environment),
            _ => choices,
        };
        let mut updates = own_move;
        for update in &command.updates {
            if choices.is_ok() {
                updates = self.update(update, &mut draft, environment).and(updates);
            }
        }
        guard.and(updates)?;
        self.finish(draft)
    }

    /// A condition of the command.
    fn require(
        &mut self,
        condition: &Expr,
        draft: &mut Draft,
        environment: &mut Environment,
    ) -> Expanded<()> {
        let condition = self.expander.expr(condition, environment)?;
        draft.require(&condition);
        Ok(())
    }

    /// The move of the own process along its edge.
    fn own_move(&mut self, owner: Owner, draft: &mut Draft) -> Expanded<()> {
        let location = self.expander.layout.location(owner.slot).ok_or(Stop)?;
        let source = self
            .expander
            .location_number(owner.process, &owner.edge.source)?;
        let target = self
            .expander
            .location_number(owner.process, &owner.edge.target)?;
        let symbol = Term::symbol(self.expander.layout.variables[location].current.clone());
        draft.require(&symbol.equals(Term::int(source as u64)));
        draft.written.insert(location, owner.edge.span);
        if source != target {
            draft.transition.updates.push(system::Update {
                variable: location,
                value: Term::int(target as u64),
                process: draft.owner,
            });
        }
        Ok(())
    }

    fn choice(
        &mut self,
        choice: &Choice,
        draft: &mut Draft,
        environment: &mut Environment,
    ) -> Expanded<()> {
        let domain = domain(&mut self.expander, &choice.sort, environment)?;
        let wanted = format!("{}.{}", draft.transition.name, choice.name.text);
        let symbol = self.input(&wanted, domain.sort, draft);
        draft.enabling.bound.push(Bound {
            symbol: symbol.clone(),
            range: domain.range.clone(),
        });
        let term = Term::symbol(symbol);
        for bound in domain.bounds(&term) {
            draft.require(&bound);
        }
        environment.bindings.push((choice.name.text.clone(), term));
        match &choice.condition {
            Some(condition) => self.require(condition, draft, environment),
            None => Ok(()),
        }
    }

    /// A new input of a transition.
    fn input(
        &mut self,
        wanted: &str,
        sort: slabcert_certificates::term::Sort,
        draft: &mut Draft,
    ) -> Symbol {
        let symbol = Symbol::new(self.taken.give(wanted), sort);
        draft.transition.inputs.push(self.inputs.len());
        self.inputs.push(Input {
            symbol: symbol.clone(),
            role: InputRole::Choice,
        });
        symbol
    }

    fn update(
        &mut self,
        update: &Update,
        draft: &mut Draft,
        environment: &mut Environment,
    ) -> Expanded<()> {
        match &update.kind {
            UpdateKind::Assign(place, value) => {
                let value = self.expander.expr(value, environment);
                let variable = self.write(place, draft, environment)?;
                let value = folding::promote(value?, self.expander.sort_of(variable));
                self.assign(variable, value, draft);
                Ok(())
            }
            UpdateKind::Havoc(place) => self.havoc(place, draft, environment),
            UpdateKind::Move(place, location) => {
                let (process, slot) = self.expander.process(place, environment)?;
                let target = self.expander.location_number(process, location)?;
                let variable = self.expander.layout.location(slot).ok_or(Stop)?;
                self.note_write(variable, update.span, draft)?;
                draft.transition.updates.push(system::Update {
                    variable,
                    value: Term::int(target as u64),
                    process: Some(slot),
                });
                Ok(())
            }
            UpdateKind::Forall(index, update) => self.for_each(index, update, draft, environment),
            UpdateKind::Relation(expr, places) => self.relation(expr, places, draft, environment),
        }
    }

    fn for_each(
        &mut self,
        index: &Index,
        update: &Update,
        draft: &mut Draft,
        environment: &mut Environment,
    ) -> Expanded<()> {
        let instances = self.expander.environments(index, environment, 2)?;
        let mut result = Ok(());
        for mut environment in instances {
            result = self.update(update, draft, &mut environment).and(result);
        }
        result
    }

    fn assign(&mut self, variable: usize, value: Term, draft: &mut Draft) {
        draft.transition.updates.push(system::Update {
            variable,
            value,
            process: draft.owner,
        });
    }

    /// The variable that a place names, noted as written.
    fn write(
        &mut self,
        place: &Place,
        draft: &mut Draft,
        environment: &mut Environment,
    ) -> Expanded<usize> {
        let variable = self.expander.target(place, environment)?;
        self.note_write(variable, place.span, draft)?;
        Ok(variable)
    }

    fn note_write(&mut self, variable: usize, span: Span, draft: &mut Draft) -> Expanded<()> {
        draft
            .participants
            .extend(self.expander.layout.owners[variable]);
        let Some(first) = draft.written.insert(variable, span) else {
            return Ok(());
        };
        let name = self.expander.layout.variables[variable].name();
        let message = match name.strip_suffix(".location") {
            Some(process) => format!("`{process}` is moved twice in one step"),
            None => format!("`{name}` is updated twice in one step"),
        };
        self.expander.stop(
            Diagnostic::new(Category::Update, span, message)
                .help("one step gives each place one new value: join the cases with `if`")
                .related(first, "the other update is here"),
        )
    }

    fn havoc(
        &mut self,
        place: &Place,
        draft: &mut Draft,
        environment: &mut Environment,
    ) -> Expanded<()> {
        let variable = self.write(place, draft, environment)?;
        let member = &self.expander.layout.variables[variable];
        let wanted = format!("{}.{}", draft.transition.name, member.name());
        let (sort, range) = (member.sort(), member.range.clone());
        let term = Term::symbol(self.input(&wanted, sort, draft));
        if let Some((low, high)) = range {
            let bounds = bounds(&term, &low, &high)
                .into_iter()
                .map(|bound| draft.conjunct(bound));
            let bounds: Vec<Conjunct> = bounds.collect();
            draft.transition.guard.extend(bounds);
        }
        self.assign(variable, term, draft);
        Ok(())
    }

    fn relation(
        &mut self,
        expr: &Expr,
        places: &[Place],
        draft: &mut Draft,
        environment: &mut Environment,
    ) -> Expanded<()> {
        let mut modified = Vec::new();
        for place in places {
            modified.push(self.write(place, draft, environment)?);
        }
        environment.primed.clone_from(&modified);
        let formula = self.expander.expr(expr, environment);
        environment.primed.clear();
        let mut conditions = formula?.conjuncts();
        for variable in modified {
            let member = &self.expander.layout.variables[variable];
            // A value of an enumeration is always one of its values; a range may be left, which is an error then.
            let range = member.range.clone().filter(|_| member.values.is_some());
            let symbol = member.next.clone();
            if let Some((low, high)) = &range {
                conditions.extend(bounds(&Term::symbol(symbol.clone()), low, high));
            }
            draft.enabling.bound.push(Bound { symbol, range });
        }
        for condition in conditions {
            draft.enabling.conditions.push(condition.clone());
            let conjunct = draft.conjunct(condition);
            draft.transition.relation.push(conjunct);
        }
        Ok(())
    }

    /// Adds what every transition has: the ranges before the step, and the frame.
    fn finish(&mut self, draft: Draft) -> Expanded<Instance> {
        let Draft {
            mut transition,
            written,
            participants,
            enabling,
            ..
        } = draft;
        let variables = self.expander.layout.variables.len();
        let work = (variables + self.range_bounds.len()) as u64 / 4;
        self.expander.charge(work, enabling.span)?;
        let ranges = self.range_bounds.iter().cloned().map(Conjunct::of_system);
        transition.guard.extend(ranges);
        let updated: BTreeSet<usize> = transition
            .updates
            .iter()
            .map(|update| update.variable)
            .collect();
        let moved_along_a_loop =
            |variable: &usize| !updated.contains(variable) && self.is_location(*variable);
        transition.frame = (0..variables)
            .filter(|variable| !written.contains_key(variable) || moved_along_a_loop(variable))
            .collect();
        transition.participants = participants.into_iter().collect();
        self.transitions.push(transition);
        Ok(enabling)
    }

    fn is_location(&self, variable: usize) -> bool {
        let layout = &self.expander.layout;
        layout.owners[variable].is_some_and(|owner| layout.location(owner) == Some(variable))
    }
}
