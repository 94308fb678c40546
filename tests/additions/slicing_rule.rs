//! A slicing rule that only looks.

use slabcert::engines::slicing_abstraction::{SlicingAbstraction, SlicingOptions};
use slabcert::engines::{EngineOptions, Row};
use slabcert::slicing::elimination::EliminationRule;
use slabcert::slicing::graph::AbstractGraph;
use slabcert::slicing::oracle::{Oracle, Stopped};
use slabcert::slicing::removed::RemovalLog;
use slabcert::{Model, Silent, Verdict, VerificationOptions, verify};

struct Look;

impl EliminationRule for Look {
    fn name(&self) -> &'static str {
        "look"
    }

    fn counter(&self) -> (&'static str, &'static str) {
        ("looked", "rounds in which the graph was looked at")
    }

    fn apply(
        &self,
        _: &mut AbstractGraph,
        _: &mut Oracle<'_>,
        _: &mut RemovalLog,
    ) -> Result<usize, Stopped> {
        Ok(1)
    }
}

#[test]
fn a_slicing_rule_is_one_file_and_one_row() {
    let model = Model::parse(
        "slab",
        "system s; var x : int = 0; var y : int = 0; error apart: x < y;
         transition both do x := x + 1, y := y + 1; transition one do x := x + 1;",
    )
    .unwrap();
    let mut slicing = SlicingOptions::default();
    slicing.rules.0.push(&Look);
    let options = VerificationOptions {
        engines: vec![Row::of(&SlicingAbstraction)],
        engine_options: EngineOptions::default().with(slicing),
        ..VerificationOptions::default()
    };
    let outcome = verify(&model, &options, &mut Silent).unwrap();
    assert_eq!(outcome.verdict(), Verdict::Safe);
    let engine = &outcome.statistics.engines["slicing"];
    let mut counters = engine.counters.iter();
    let (counter, rounds) = counters.find(|(it, _)| it.name == "looked").unwrap();
    assert_eq!(counter.meaning, Look.counter().1);
    // Each refinement is followed by a round, and one round comes first.
    assert_eq!(*rounds, engine.refinements + 1);
}
