//! Refinement: which abstract error path to look at, whether it is real, and if not, which node to split by which predicate.

pub mod candidates;
pub mod concretise;
pub mod path;
pub mod proposals;
pub mod sources;
#[cfg(test)]
mod tests;
pub mod unrolling;
pub mod window;
