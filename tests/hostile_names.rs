//! Systems with names that look like what printers and writers invent, from seeds; the fuzz target `hostile_names` makes them from bytes.

#![allow(missing_docs, reason = "it is test code")]

#[path = "random_systems/dice.rs"]
mod dice;
#[path = "../fuzz/hostile.rs"]
mod hostile;

mod repairs {
    use super::{dice::Dice, hostile};

    /// How many systems are made.
    const SYSTEMS: u64 = 2_000;

    #[test]
    fn what_is_written_of_systems_with_hostile_names_reads_back() {
        let mut shared = 0;
        for seed in 0..SYSTEMS {
            let mut dice = Dice::new(seed);
            let system = hostile::system(&mut |below| dice.below(below));
            hostile::reads_back(&system);
            shared += usize::from(system.init_formula().to_string().contains("(let "));
        }
        // Binders are what it is about.
        assert!(shared > 100, "{shared}");
    }
}
