//! Faults that were found by attacks and in public reports of other tools: a test for each, named after the fault.

mod exchange;
mod gate;
mod honesty;
mod limits;
mod names;
mod sizes;
mod together;
