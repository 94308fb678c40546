//! From concurrent programs to flat transition systems: one module for each way in which processes run together.
//!
//! Invariant: a flat system has the steps of its program, no more and no fewer. Nothing is shared with what the checker
//! translates programs by, so that a fault here is not repeated there.

mod blocks;
mod interactions;
mod interleaving;
mod scheduler;
mod synchronous;

pub use interleaving::interleave;
pub use synchronous::{enabled, stable, without_events};
