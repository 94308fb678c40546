//! What a scheduler does: the flat system, the checker's translation and its interpreter agree on programs in which threads take turns.

pub mod programs;
mod rules;
