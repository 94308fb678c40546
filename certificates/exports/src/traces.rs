//! Traces in files, and what in a trace matters and why.

pub mod file;
pub mod itf;
mod located;
pub mod reasons;
pub mod relevance;
