//! What decides: every part of the program that has to be believed for the word *accepted*, beside the vocabulary.

pub mod builtin;
pub mod check;
pub mod counterexample;
pub(crate) mod dispatcher;
pub mod evaluate;
mod facts;
mod findings;
pub mod question;
pub mod solvers;
pub mod verdict;
