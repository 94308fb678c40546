//! The explicit abstract graph of slicing abstractions (Dräger, Kupriyanov, Finkbeiner and Wehrheim, "SLAB", 2010; Brückner, Dräger,
//! Finkbeiner and Wehrheim, "Slicing Abstractions", 2007).
//!
//! A node is a conjunction of literals over the state variables, with two flags: it may contain an initial state, it may contain a
//! state that violates the property. An edge carries transitions. The nodes that are not removed or split always cover all states
//! but those whose removal the rules justify, and every concrete step between covered states follows an edge.
//!
//! Rules make the graph smaller: [`elimination`] removes nodes, edges and flags; [`simplification`] makes the search's copy of
//! transitions weaker. What was removed, and why, is logged in [`removed`], from which a proof is read off as a diagram.

pub mod elimination;
pub mod encoded;
pub mod graph;
pub mod initial;
pub mod oracle;
pub mod predicates;
pub mod reading;
pub mod removed;
#[cfg(test)]
pub(crate) mod sample;
pub mod simplification;
pub mod split;
pub mod start;
#[cfg(test)]
mod tests;
pub mod witness;
