//! Lazy predicate abstraction on the fly (Wang and Bliudze, "Verification of Component-Based Systems via Predicate Abstraction and
//! Simultaneous Set Reduction", 2015, Algorithms 1 and 2; Henzinger, Jhala, Majumdar and McMillan, "Abstractions from proofs", 2004).
//!
//! A tree is unfolded from the initial states. Its nodes have a location for each process, a region for each process and a global one:
//! conjunctions of predicates from a [`precision`] that grows with each spurious counterexample. A node at whose locations another
//! node says no more is covered: it is not unfolded.
//!
//! Postconditions are conjunctions of predicates (cartesian abstraction). Where a counterexample stays spurious although no predicate is new,
//! nodes are split into the combinations of their predicates that states can have (Boolean abstraction).
//!
//! This differs from the paper where the paper is wrong. A region is computed from the whole node and the whole transition of the flat
//! system, so that transfer, the guards of all participants and priorities count in it, as they do in the formula of a counterexample.
//! Every predicate joins a precision, whether its variables are transferred or not. What a removed node covered is unfolded again.

pub mod control;
pub mod exploration;
pub mod post;
pub mod precision;
pub mod reduction;
pub mod sleep;
#[cfg(test)]
mod tests;
