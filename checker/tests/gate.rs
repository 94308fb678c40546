//! Faults that let something through: a test for each, named after the fault.

#![allow(clippy::unwrap_used, clippy::panic, reason = "all of it is test code")]

mod samples;

/// In a module of this name, so that `cargo test repairs` runs it.
mod repairs {
    #[path = "../repairs/gate.rs"]
    mod gate;
    #[path = "../repairs/members.rs"]
    mod members;
    #[path = "../repairs/properties.rs"]
    mod properties;
    #[path = "../repairs/solvers.rs"]
    mod solvers;
}
