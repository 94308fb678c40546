//! What decides: every part of the program that has to be believed for the word *accepted*, beside the vocabulary. Nothing here uses
//! what stands outside of this module.

pub mod builtin;
pub mod check;
pub mod counterexample;
pub(crate) mod dispatcher;
pub mod evaluate;
mod facts;
mod findings;
pub mod interpreter;
pub mod memory;
pub mod question;
pub mod solvers;
pub mod translation;
pub mod verdict;
