//! What a scheduler does: the flat system, the checker's translation and its interpreter agree on programs in which threads take turns.

mod checks;
mod planted;
pub mod programs;
mod random;
mod rules;
mod runs;
