//! Partial-order reduction: which transitions a node of an abstract search has to follow, when all others can as well happen later
//! (Valmari, "Stubborn sets for reduced state space generation", 1990), and how a reduced diagram becomes one of all transitions again.
//!
//! Wang and Bliudze, "Verification of Component-Based Systems via Predicate Abstraction and Simultaneous Set Reduction", 2015, fire
//! interactions of components that have nothing in common at once, and keep only the state after all of them (Algorithm 3). Here they fire
//! one after the other, at nodes that follow nothing but the next one, so that each node can be named in a certificate. Which ones these
//! are is decided as the theorem about reduced diagrams wants it, and not as the paper does: nothing that is reachable without a member may
//! conflict with it, however many steps away it is; members are possible in all states of the node; and what violates the property does so
//! after the member as well, so that a conjunctive error is not jumped over. Nothing here is trusted: the checker states all that is owed.

pub mod commutation;
pub mod lift;
pub mod stubborn;
