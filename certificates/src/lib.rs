//! The vocabulary that the model checker and the independent checker share.
//!
//! Everything here is about *stating* things: terms, flat transition systems, inductive verification diagrams, traces, and
//! the list of obligations that make a diagram a proof. Nothing here decides, searches or interpolates, and nothing here
//! depends on a solver.

pub mod bundle;
pub mod certificate;
pub mod diagram;
pub mod escaping;
pub mod fresh;
pub mod leftovers;
pub mod obligations;
pub mod program;
pub mod proof;
mod reading;
pub mod smtlib;
pub mod stop;
pub mod structure;
pub mod system;
pub mod term;
pub mod trace;
pub mod vmt;
pub mod work;
