//! Smaller diagrams that are still proofs, and smaller traces: easier to read and to check.
//!
//! Labels lose literals and grow, nodes merge or go, and edges are worked out anew from what steps really do. Invariant: after each
//! change every obligation of the diagram holds again — initiation, consecution for the successors that are noted, and safety for
//! each property — so that the work may stop at any moment. How much is done is bounded by a number of queries and not by time: the
//! same diagram comes out on every machine. Nothing rests on this module: the checker sees its result only.
//!
//! A counterexample to an attempt is used where it helps: it names the node that a step leads to.

mod coarse;
mod phases;
#[cfg(test)]
mod tests;
mod traces;
mod working;

pub use traces::{MinimisedTrace, TraceSize, minimise_trace};

use crate::solvers::{Solver, StopCause, StopSignal};
use slabcert_certificates::certificate::NamedRelation;
use slabcert_certificates::diagram::{Diagram, DiagramSize};
use slabcert_certificates::system::System;
use slabcert_certificates::term::Term;
use working::Working;

/// What the diagram is about.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// The system.
    pub system: &'a System,
    /// The named transitions, as the certificate states them.
    pub transitions: &'a [NamedRelation],
    /// The properties that the diagram proves, and is to prove afterwards.
    pub properties: &'a [&'a Term],
}

/// What bounded the work, if anything did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Nothing: there is no more to gain in the ways that are tried.
    None,
    /// The number of queries.
    Queries(u64),
    /// The run was told to stop.
    Stopped(StopCause),
    /// The solver did not establish an obligation of the diagram as it was given, which is returned unchanged.
    NotEstablished,
}

/// A smaller diagram, and what it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minimised {
    /// The diagram.
    pub diagram: Diagram,
    /// The size of the diagram that was given.
    pub before: DiagramSize,
    /// The size of the result.
    pub after: DiagramSize,
    /// How many queries were asked.
    pub queries: u64,
    /// What bounded the work.
    pub bound: Bound,
}

/// Why a piece of work ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Halt {
    Queries,
    Stopped(StopCause),
    NotEstablished,
}

/// Makes a diagram smaller with at most so many queries. A diagram that assumes others, or is reduced, is returned as it is.
pub fn minimise(
    problem: &Problem<'_>,
    diagram: &Diagram,
    queries: u64,
    solver: &mut dyn Solver,
    stop: &StopSignal,
) -> Minimised {
    let before = diagram.size();
    let unchanged = |queries, bound| Minimised {
        diagram: diagram.clone(),
        before,
        after: before,
        queries,
        bound,
    };
    if !diagram.assumes.is_empty() || diagram.is_reduced() || diagram.nodes.is_empty() {
        return unchanged(0, Bound::None);
    }
    let mut working = Working::new(problem, diagram, queries, solver, stop);
    let halt = phases::run(&mut working).err();
    let asked = working.queries();
    let bound = match halt {
        None => Bound::None,
        Some(Halt::Queries) => Bound::Queries(queries),
        Some(Halt::Stopped(cause)) => Bound::Stopped(cause),
        Some(Halt::NotEstablished) => return unchanged(asked, Bound::NotEstablished),
    };
    working.restrict_to_reachable();
    let result = working.into_diagram(&diagram.name);
    let after = result.size();
    Minimised {
        diagram: result,
        before,
        after,
        queries: asked,
        bound,
    }
}
