//! Commands: one of the program for each instance of an edge or a global transition.

use super::super::expansion::{Environment, Expanded, Stop};
use super::super::folding;
use super::super::syntax::{Choice, Command, Expr, Index, Reference, Update, UpdateKind};
use super::enabling::{Bound, Instance};
use super::variables::domain;
use super::{Builder, Owner};
use crate::languages::diagnostics::{Category, Diagnostic};
use crate::languages::source::Span;
use rustc_hash::FxHashMap;
use slabcert_certificates::program::{self, Move};
use slabcert_certificates::structure::Origin;
use slabcert_certificates::system::{self, Conjunct, Input, InputRole};
use slabcert_certificates::term::{Symbol, Term};

/// Where a command comes from, and what it is called.
pub(super) struct Head {
    pub name: String,
    pub origin: Origin,
    pub span: Span,
    /// The offset of its end.
    pub end: u32,
}

/// A command while it is built.
struct Draft {
    command: program::Command,
    /// Where each variable that changes is updated.
    written: FxHashMap<usize, Span>,
    /// What must hold for the transition to be taken, and which inputs and next values may be chosen for that.
    enabling: Instance,
}

impl Draft {
    fn conjunct(&self, formula: Term) -> Conjunct {
        let process = self.command.origin.process;
        Conjunct { formula, process }
    }

    /// Adds a condition on the state before the step and the inputs, that must hold for the transition to be taken.
    fn require(&mut self, formula: &Term) {
        for formula in formula.conjuncts() {
            self.enabling.conditions.push(formula.clone());
            let conjunct = self.conjunct(formula);
            self.command.guard.push(conjunct);
        }
    }
}

impl Builder<'_, '_, '_, '_> {
    /// Adds a command in an environment.
    pub(super) fn command(
        &mut self,
        head: Head,
        owner: Option<Owner>,
        command: &Command,
        environment: &mut Environment,
    ) -> Expanded<Instance> {
        let position = |offset: u32| self.source.position(offset as usize);
        let mut draft = Draft {
            written: FxHashMap::default(),
            enabling: Instance {
                name: head.name.clone(),
                span: head.span,
                conditions: Vec::new(),
                bound: Vec::new(),
            },
            command: program::Command {
                name: head.name,
                origin: head.origin,
                moves: Vec::new(),
                guard: Vec::new(),
                updates: Vec::new(),
                relation: Vec::new(),
                modifies: Vec::new(),
                choices: Vec::new(),
                position: Some(position(head.span.start)),
                last_line: Some(position(head.end).line),
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
        self.charge_frame(draft.enabling.span)?;
        match owner.and_then(|it| self.expander.names.block_of(Some(it.process))) {
            Some(block) => self.finish_edge(block, draft.command, &draft.enabling)?,
            None => self.commands.push(draft.command),
        }
        Ok(draft.enabling)
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
        let is_there = symbol.equals(Term::int(source as u64));
        draft.enabling.conditions.push(is_there);
        draft.written.insert(location, owner.edge.span);
        draft.command.moves.push(Move {
            process: owner.slot,
            from: Some(source),
            to: target,
        });
        Ok(())
    }

    fn choice(
        &mut self,
        choice: &Choice,
        draft: &mut Draft,
        environment: &mut Environment,
    ) -> Expanded<()> {
        let domain = domain(&mut self.expander, &choice.sort, environment)?;
        let wanted = format!("{}.{}", draft.command.name, choice.name.text);
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
        draft.command.choices.push(self.inputs.len());
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
            UpdateKind::Assign(reference, value) => {
                let value = self.expander.expr(value, environment);
                let variable = self.write(reference, draft, environment)?;
                let value = folding::promote(value?, self.expander.sort_of(variable));
                self.assign(variable, value, draft);
                Ok(())
            }
            UpdateKind::Havoc(reference) => self.havoc(reference, draft, environment),
            UpdateKind::Move(reference, location) => {
                let (process, slot) = self.expander.process(reference, environment)?;
                let target = self.expander.location_number(process, location)?;
                let variable = self.expander.layout.location(slot).ok_or(Stop)?;
                self.note_write(variable, update.span, draft)?;
                draft.command.moves.push(Move {
                    process: slot,
                    from: None,
                    to: target,
                });
                Ok(())
            }
            UpdateKind::Raise(reference) => {
                let variable = self.write(reference, draft, environment)?;
                self.assign(variable, Term::bool(true), draft);
                Ok(())
            }
            UpdateKind::Forall(index, update) => self.for_each(index, update, draft, environment),
            UpdateKind::Relation(expr, references) => {
                self.relation(expr, references, draft, environment)
            }
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
        draft.command.updates.push(system::Update {
            variable,
            value,
            process: draft.command.origin.process,
        });
    }

    /// The variable that a reference names, noted as written.
    fn write(
        &mut self,
        reference: &Reference,
        draft: &mut Draft,
        environment: &mut Environment,
    ) -> Expanded<usize> {
        let variable = self.expander.target(reference, environment)?;
        self.note_write(variable, reference.span, draft)?;
        Ok(variable)
    }

    fn note_write(&mut self, variable: usize, span: Span, draft: &mut Draft) -> Expanded<()> {
        let Some(first) = draft.written.insert(variable, span) else {
            return Ok(());
        };
        let layout = &self.expander.layout;
        let mut processes = layout.processes.iter();
        let message = match processes.find(|process| process.location == Some(variable)) {
            Some(process) => format!("`{}` is moved twice in one step", process.name),
            None => {
                let name = layout.variables[variable].name();
                format!("`{name}` is updated twice in one step")
            }
        };
        self.expander.stop(
            Diagnostic::new(Category::Update, span, message)
                .help("a step updates each variable once: join the cases with `if`")
                .related(first, "the other update is here"),
        )
    }

    fn havoc(
        &mut self,
        reference: &Reference,
        draft: &mut Draft,
        environment: &mut Environment,
    ) -> Expanded<()> {
        let variable = self.write(reference, draft, environment)?;
        let member = &self.expander.layout.variables[variable];
        let wanted = format!("{}.{}", draft.command.name, member.name());
        let (sort, range) = (member.sort(), member.range.clone());
        let term = Term::symbol(self.input(&wanted, sort, draft));
        if let Some((low, high)) = range {
            for bound in term.between(&low, &high) {
                let bound = draft.conjunct(bound);
                draft.command.guard.push(bound);
            }
        }
        self.assign(variable, term, draft);
        Ok(())
    }

    fn relation(
        &mut self,
        expr: &Expr,
        references: &[Reference],
        draft: &mut Draft,
        environment: &mut Environment,
    ) -> Expanded<()> {
        let mut modified = Vec::new();
        for reference in references {
            modified.push(self.write(reference, draft, environment)?);
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
                conditions.extend(Term::symbol(symbol.clone()).between(low, high));
            }
            draft.enabling.bound.push(Bound { symbol, range });
            draft.command.modifies.push(variable);
        }
        for condition in conditions {
            draft.enabling.conditions.push(condition.clone());
            let conjunct = draft.conjunct(condition);
            draft.command.relation.push(conjunct);
        }
        Ok(())
    }

    /// The work of the flat transition, which has all ranges and the frame besides.
    fn charge_frame(&mut self, span: Span) -> Expanded<()> {
        let ranged = self.expander.layout.ranges.iter();
        let ranged: usize = ranged.map(|range| range.variables.len()).sum();
        let work = (self.expander.layout.variables.len() + 2 * ranged) as u64 / 4;
        self.expander.charge(work, span)
    }
}
