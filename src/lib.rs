//! slabcert: a certifying model checker for infinite-state concurrent systems.
//!
//! ```
//! use slabcert::{Model, Silent, Verdict, VerificationOptions, verify};
//!
//! # fn main() -> Result<(), slabcert::VerificationError> {
//! let model = Model::parse(
//!     "slab",
//!     "system cells;
//!      var x : 0..1 = 0;
//!      var y : 0..1 = 0;
//!      error both: x + y > 1;
//!      transition fill_x when y = 0 do x := 1;
//!      transition fill_y when x = 0 do y := 1;
//!      transition empty do x := 0, y := 0;",
//! )?;
//! let outcome = verify(&model, &VerificationOptions::default(), &mut Silent)?;
//! assert_eq!(outcome.verdict(), Verdict::Safe);
//! # Ok(())
//! # }
//! ```
//!
//! Front ends read a model, programs of processes are made flat transition systems; an engine proves it or breaks it; the evidence is
//! written in the terms of `slabcert-certificates`; the separate checker believes none of it and checks again.

pub mod arithmetic;
pub mod cli;
pub mod engines;
pub mod explanation;
pub mod flattening;
pub mod interpolation;
pub mod languages;
pub mod lemmas;
pub mod minimise;
pub mod predicate_abstraction;
pub mod proofs;
pub mod reductions;
pub mod refinement;
pub mod report;
pub mod slicing;
pub mod solvers;
pub mod vacuity;
pub mod verification;

pub use engines::EngineOptions;
pub use slabcert_certificates::certificate::Verdict;
pub use verification::{
    Model, Outcome, Progress, Silent, VerificationError, VerificationOptions, verify,
};
