//! When transitions are enabled: `enabled` and `deadlock`.
//!
//! A transition is enabled where some inputs, and some next values that its relations choose, satisfy its conditions. These are
//! eliminated, so that the answer is a formula over the state. What a transition would do to a range does not matter: leaving it
//! is an error, not a step that does not happen.

use super::super::expansion::{Enabledness, Indices, TransitionRef};
use crate::languages::diagnostics::{Category, Diagnostic};
use crate::languages::elimination::{self, EliminationError};
use crate::languages::source::Span;
use indexmap::IndexMap;
use slabcert_certificates::term::Term;

pub(super) use crate::languages::elimination::Bound;

/// One transition of the system: when it is enabled.
#[derive(Debug, Clone)]
pub(super) struct Instance {
    /// The name of the transition.
    pub name: String,
    /// Where it stands in the text.
    pub span: Span,
    /// What must hold, over the state, inputs and next values.
    pub conditions: Vec<Term>,
    /// The inputs and next values that may be chosen.
    pub bound: Vec<Bound>,
}

impl Instance {
    /// Whether its conditions mention what may be chosen, so that something has to be eliminated.
    pub fn depends_on_choices(&self) -> bool {
        let mut mentioned = self.conditions.iter().flat_map(Term::symbols);
        mentioned.any(|symbol| self.bound.iter().any(|bound| bound.symbol == symbol))
    }
}

/// All transitions, with the answers that were asked for.
#[derive(Debug, Default)]
pub(super) struct Enabling {
    instances: IndexMap<(TransitionRef, Indices), Instance>,
    answers: IndexMap<(TransitionRef, Indices), Term>,
    /// The names of the transitions whose choices were eliminated.
    eliminated: Vec<String>,
    /// What is asked of synchronous blocks, by their names: whether they are counted, or ambiguous.
    pub blocks: IndexMap<(bool, String), Result<Term, Diagnostic>>,
}

impl Enabling {
    /// Takes note of a transition whose choices were eliminated.
    pub fn note_eliminated(&mut self, name: &str) {
        self.eliminated.push(name.to_owned());
    }

    pub fn add(&mut self, of: TransitionRef, indices: Indices, instance: Instance) {
        self.instances.insert((of, indices), instance);
    }

    fn answer(&mut self, key: &(TransitionRef, Indices)) -> Option<Result<Term, Diagnostic>> {
        if let Some(known) = self.answers.get(key) {
            return Some(Ok(known.clone()));
        }
        let instance = self.instances.get(key)?;
        Some(
            match elimination::eliminate(&instance.bound, &instance.conditions) {
                Ok(term) => {
                    if instance.depends_on_choices() {
                        self.eliminated.push(instance.name.clone());
                    }
                    self.answers.insert(key.clone(), term.clone());
                    Ok(term)
                }
                Err(error) => Err(refused(instance, &error)),
            },
        )
    }
}

pub(super) fn refused(instance: &Instance, error: &EliminationError) -> Diagnostic {
    let message = format!(
        "when `{}` is enabled cannot be written without its choices: {error}",
        instance.name
    );
    Diagnostic::new(Category::Unsupported, instance.span, message)
        .help("write the condition so that it does not depend on them")
}

impl Enabledness for Enabling {
    fn enabled(
        &mut self,
        of: TransitionRef,
        indices: &Indices,
    ) -> Option<Result<Term, Diagnostic>> {
        self.answer(&(of, indices.clone()))
    }

    fn deadlock(&mut self) -> Result<Term, Diagnostic> {
        let keys: Vec<(TransitionRef, Indices)> = self.instances.keys().cloned().collect();
        let mut answers = Vec::with_capacity(keys.len());
        for key in &keys {
            if let Some(answer) = self.answer(key) {
                answers.push(answer?.not());
            }
        }
        Ok(Term::and(answers))
    }

    fn of_block(&mut self, is_count: bool, name: &str) -> Option<Result<Term, Diagnostic>> {
        self.blocks.get(&(is_count, name.to_owned())).cloned()
    }

    fn eliminated(&self) -> &[String] {
        &self.eliminated
    }
}
