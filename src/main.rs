//! `slabcert`: the command line of the model checker.
fn main() {}
