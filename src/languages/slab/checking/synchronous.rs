//! What is particular to blocks in lock step: who may read and write what.

use super::super::names::Entity;
use super::super::sorts::Sort;
use super::super::syntax::{Name, Reference, Role};
use super::{Checker, Context, Meaning, Scope, Typed};
use crate::languages::diagnostics::{Category, Diagnostic};
use crate::languages::source::Span;

impl Checker<'_, '_, '_> {
    /// Whether a variable is known where it is read: an event from outside only to the edges of its block.
    pub(super) fn is_known(
        &mut self,
        reference: &Reference,
        variable: usize,
        scope: &Scope,
        context: Context,
    ) -> bool {
        let Role::Event(block) = self.names.variables[variable].role else {
            return true;
        };
        let own = self.names.block_of(scope.process);
        if context.constant.is_some() || (context.events && own == Some(block)) {
            return true;
        }
        let message = format!(
            "the event `{}` is there for one step only: it may be read by the edges of its block alone",
            reference.name.text
        );
        let fault = Diagnostic::new(Category::Sort, reference.span, message);
        self.faults
            .push(fault.help("let an edge note it in a variable"));
        false
    }

    /// Refuses to change what the environment or `raise` changes.
    pub(super) fn refuse_given(&mut self, reference: &Reference, variable: usize) {
        let (what, help) = match self.names.variables[variable].role {
            Role::State => return,
            Role::Event(_) | Role::Level(_) => ("an input", "inputs are given from outside"),
            Role::Raised(_) => ("an event", "an edge of its block raises it: `raise e`"),
        };
        let message = format!("`{}` is {what}, it cannot be changed", reference.name.text);
        let fault = Diagnostic::new(Category::Sort, reference.span, message);
        self.faults.push(fault.expected("a variable").help(help));
    }

    /// `raise e`: an event of the own block.
    pub(super) fn raise(&mut self, reference: &Reference, scope: &mut Scope) {
        let own = self.names.block_of(scope.process);
        let meaning = match reference.member {
            Some(_) => None,
            None => self.meaning(&reference.name, scope),
        };
        if let Some(Meaning::Global(Entity::Variable(variable))) = meaning
            && let Role::Raised(block) = self.names.variables[variable].role
            && own == Some(block)
        {
            self.variable_indices(reference, &reference.indices, variable, scope);
            return;
        }
        let message = "only the edges of a `synchronous` block raise events, and only its own";
        let fault = Diagnostic::new(Category::Update, reference.span, message);
        self.faults
            .push(fault.expected("an event that the block declares with `event`"));
    }

    /// Processes of blocks move by their own edges alone, and move no other ones.
    pub(super) fn refuse_move(&mut self, process: Option<usize>, span: Span, scope: &Scope) {
        let [own, moved] = [scope.process, process].map(|it| self.names.block_of(it));
        if own.is_some() || moved.is_some() {
            let message = "processes in a `synchronous` block are moved by their own edges alone";
            let fault = Diagnostic::new(Category::Unsupported, span, message);
            self.faults
                .push(fault.help("let the other process have an edge with this condition"));
        }
    }

    /// What an edge in a block writes is given by terms.
    pub(super) fn refuse_relation(&mut self, span: Span, scope: &Scope) {
        if self.names.block_of(scope.process).is_some() {
            let message = "`relation` may not be used in a `synchronous` block";
            let fault = Diagnostic::new(Category::Unsupported, span, message);
            self.faults
                .push(fault.help("choose the new values: `choose c : int where ... do x := c`"));
        }
    }

    /// A block always has a step.
    pub(super) fn refuse_deadlock(&mut self, span: Span) {
        if let Some(block) = self.names.model.blocks.first() {
            let message = format!(
                "there is no deadlock: the block `{}` always has a step, in which processes may idle",
                block.name.text
            );
            let fault = Diagnostic::new(Category::Unsupported, span, message);
            self.faults
                .push(fault.related(block.name.span, "the block is here"));
        }
    }

    /// `unstable(NAME)` and `ambiguous(NAME)`.
    pub(super) fn of_block(
        &mut self,
        span: Span,
        is_count: bool,
        name: &Name,
        context: Context,
    ) -> Typed {
        let (word, sort) = match is_count {
            true => ("unstable", Sort::Int),
            false => ("ambiguous", Sort::Bool),
        };
        let blocks = &self.names.model.blocks;
        if !blocks.iter().any(|block| block.name.text == name.text) {
            let blocks: Vec<_> = blocks.iter().map(|it| &it.name.text).collect();
            self.unknown_in("there is no synchronous block", name, blocks.into_iter());
            return Typed::UNKNOWN;
        }
        let typed = self.enabledness(span, word, context);
        Typed { sort, ..typed }
    }
}
