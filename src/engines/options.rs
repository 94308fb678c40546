//! The user's choices for engines: what all share, and what each has of its own.
//!
//! An engine's own choices are a type of its own, which nobody else needs to know: [`EngineOptions::of`] finds them, or their defaults.

use crate::slicing::start::Start;
use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The user's choices for all engines.
#[derive(Clone, Debug, Default)]
pub struct EngineOptions {
    /// The most steps that a counterexample may have; no bound if `None`.
    pub maximal_steps: Option<u64>,
    /// The most refinements; no bound if `None`.
    pub maximal_refinements: Option<u64>,
    /// The seed of random choices.
    pub seed: u64,
    /// An earlier proof to start from.
    pub start: Option<Arc<Start>>,
    /// What only one engine understands.
    pub own: OwnOptions,
}

/// Choices of engines' own types, [`EngineOptions::with`].
#[derive(Clone, Debug, Default)]
pub struct OwnOptions(BTreeMap<TypeId, Arc<dyn Any + Send + Sync>>);

impl EngineOptions {
    /// The same with an engine's own choices.
    #[must_use]
    pub fn with<O: Any + Send + Sync>(mut self, own: O) -> EngineOptions {
        self.own.0.insert(TypeId::of::<O>(), Arc::new(own));
        self
    }

    /// An engine's own choices: those that were made, or its defaults.
    #[must_use]
    pub fn of<O: Any + Clone + Default>(&self) -> O {
        let known = self.own.0.get(&TypeId::of::<O>());
        known
            .and_then(|own| own.downcast_ref::<O>().cloned())
            .unwrap_or_default()
    }

    /// Whether an earlier proof has lemmas.
    #[must_use]
    pub fn start_has_lemmas(&self) -> bool {
        let start = self.start.as_ref();
        start.is_some_and(|start| !start.lemmas.is_empty())
    }
}
