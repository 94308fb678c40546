//! The output of a run: verdicts as text and as JSON, and progress.
//!
//! An [`Outcome`](crate::verification::Outcome) is only written here. Invariant: the last line of the text is the overall verdict
//! alone, and the same outcome gives the same text but for the times in its statistics.

pub mod json;
pub mod progress;
#[cfg(test)]
mod tests;
pub mod text;
