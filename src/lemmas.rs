//! Inductive clauses about one and two processes, learned on a small instance of a model and instantiated for a large one.
//!
//! Splitting nodes multiplies the states of all processes out, while the invariants of many protocols are conjunctions of clauses that
//! mention two processes each: their number grows with the square of the processes. The steps are those of parameterised
//! verification by small models (Pnueli, Ruah and Zuck, *Automatic deductive verification with invisible invariants*, 2001), with
//! the predicates of a slicing proof as vocabulary and with the Houdini algorithm (Flanagan and Leino, 2001) as filter:
//!
//! 1. `vocabulary`: literals over one or two processes, with the indices abstracted, from a proof for the smallest instance.
//! 2. `clauses`: the strongest clauses over these literals and the control locations that no sampled state contradicts, without those that
//!    others imply (`implications`).
//! 3. `inductive`: the largest inductive subset on a small instance; steps that lead out of the clauses become samples,
//!    and so does what runs reach from there.
//! 4. `needed`: the clauses that the property's proof rests on.
//! 5. `instances`: these with all pairs of indices of the asked instance, filtered again.
//!
//! Invariant: nothing is taken on trust from the small instance. What is given out for the large one was shown to be inductive there,
//! query by query, and goes through the checker like any other proof.

mod clauses;
mod diagrams;
mod implications;
mod inductive;
mod instances;
mod learning;
mod needed;
mod roles;
mod samples;
mod steps;
#[cfg(test)]
mod tests;
mod vocabulary;

pub use diagrams::{diagrams, family_name, is_family_name};
pub use instances::{instantiate, property_alone, still_inductive};
pub use learning::{Learned, learn};
pub use roles::Template;

use crate::solvers::{StopCause, UnknownReason};
use slabcert_certificates::system::{Property, System};
use slabcert_certificates::term::Term;
use slabcert_certificates::trace::Valuation;

/// A system and one of its properties.
#[derive(Clone, Copy, Debug)]
pub struct Instance<'a> {
    /// The system.
    pub system: &'a System,
    /// The property.
    pub property: &'a Property,
}

/// A clause that holds in all reachable states of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lemma {
    /// The number of its family: the clauses that say the same about other processes.
    pub family: usize,
    /// The clause, over state variables.
    pub clause: Term,
}

/// States of a system that are sampled by runs.
pub trait Samples {
    /// Different states on runs from initial states.
    fn initial_runs(&mut self) -> Vec<Valuation>;

    /// States on a run from a state, without it.
    fn run_from(&mut self, state: &Valuation) -> Vec<Valuation>;
}

/// Why there are no lemmas.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoLemmas {
    /// The search was told to stop.
    #[error("{0}")]
    Stopped(StopCause),
    /// The clauses that were tried are not inductive together, or do not exclude a violation.
    #[error("no clauses about pairs of processes prove the property")]
    NotProved,
    /// A query has no answer.
    #[error("the solver returned no answer: {0}")]
    Undecided(String),
}

impl From<UnknownReason> for NoLemmas {
    fn from(reason: UnknownReason) -> NoLemmas {
        match reason {
            UnknownReason::Stopped(cause) => NoLemmas::Stopped(cause),
            other => NoLemmas::Undecided(other.to_string()),
        }
    }
}
