//! Input languages: each front end translates a model to a flat transition system.

pub mod diagnostics;
pub mod source;
