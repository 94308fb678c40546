//! slabcert: a certifying model checker for infinite-state concurrent systems.
//!
//! Front ends read a model, programs of processes are made flat transition systems; an engine proves it or breaks it; the evidence is written in the
//! terms of `slabcert-certificates`; the separate checker believes none of it and checks again.

pub mod arithmetic;
pub mod cli;
pub mod engines;
pub mod explanation;
pub mod flattening;
pub mod interpolation;
pub mod languages;
pub mod lemmas;
pub mod minimise;
pub mod proofs;
pub mod refinement;
pub mod report;
pub mod slicing;
pub mod solvers;
pub mod vacuity;
