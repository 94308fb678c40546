//! Systems with names that look like what printers and writers invent, from seeds; the fuzz target `hostile_names` makes them from bytes.

use crate::{hostile, random::Random};

/// How many systems are made.
const SYSTEMS: u64 = 1_000;

#[test]
fn what_is_written_of_systems_with_hostile_names_reads_back() {
    let mut shared = 0;
    for seed in 0..SYSTEMS {
        let mut random = Random::new(seed);
        let system = hostile::system(&mut |below| random.below(below));
        hostile::reads_back(&system);
        let formulas = system.properties.iter().map(|it| it.formula.to_string());
        shared += formulas.filter(|text| text.contains("(let ")).count();
    }
    // Binders are what it is about.
    assert!(shared > 50, "{shared}");
}
