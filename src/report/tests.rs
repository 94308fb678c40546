//! What users and programs read about a run.

use super::*;
use crate::engines::Event;
use crate::engines::counters::Counter;
use crate::vacuity::{Vacuity, Warning};
use crate::verification::statistics::{EngineStatistics, MinimisationStatistics, Statistics};
use crate::verification::{
    Assumption, CheckSummary, EvidenceSummary, Outcome, PropertyOutcome, SolverSummary,
};
use slabcert_certificates::certificate::Verdict;
use slabcert_certificates::diagram::DiagramSize;
use slabcert_certificates::smtlib::Position;
use std::time::Duration;

fn report() -> Outcome {
    let size = DiagramSize {
        nodes: 3,
        literals: 1,
        edges: 4,
    };
    let mut both = PropertyOutcome::pretended("both", Verdict::Safe);
    both.engine = Some("slicing".into());
    both.evidence = Some(EvidenceSummary::Diagrams {
        names: vec!["main".into()],
        size,
    });
    let mut range = PropertyOutcome::pretended("range:x", Verdict::Unsafe);
    range.evidence = Some(EvidenceSummary::Trace { steps: 1 });
    let mut low = PropertyOutcome::pretended("low", Verdict::Unknown);
    low.reason = Some("the time limit of 3 s is over".into());
    Outcome {
        model: "m.slab".into(),
        language: "slab".into(),
        constants: [("N".to_owned(), "3".to_owned())].into_iter().collect(),
        sizes: [("M", "1"), ("N", "3")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into(),
        properties: vec![both, range, low],
        certificate: Some("m.cert".into()),
        kept: None,
        check: Some(CheckSummary {
            obligations: 12,
            solvers: vec![SolverSummary {
                name: "z3".into(),
                version: None,
            }],
        }),
        warnings: vec![Warning {
            vacuity: Vacuity::NoInitialState,
            position: Some(Position { line: 2, column: 7 }),
        }],
        statistics: Statistics::default(),
    }
}

fn nothing_told(_: &PropertyOutcome) -> bool {
    false
}

#[test]
fn the_verdict_stands_alone_on_the_last_line() {
    assert_eq!(
        text::conclusion(&report(), nothing_told),
        "both is safe for M = 1, N = 3: diagram `main` of 3 nodes, 1 literal, 4 edges
range:x is unsafe: a trace of 1 step
low is unknown: the time limit of 3 s is over
checked: 12 obligations, discharged by z3
certificate: m.cert
unsafe
"
    );
}

#[test]
fn a_proof_that_rests_on_ranges_says_so_in_its_line() {
    let mut report = report();
    let assumption = |name: &str, verdict| Assumption {
        name: name.into(),
        verdict,
    };
    report.properties[0].assuming = vec![
        assumption("range:x", Verdict::Unsafe),
        assumption("range:y", Verdict::Unknown),
    ];
    let shown = text::conclusion(&report, nothing_told);
    let end = ", 4 edges, assuming range:x, which is violated, assuming range:y, not checked\n";
    assert!(shown.contains(end), "{shown}");
    assert_eq!(
        text::warning(&report.warnings[0]),
        "warning: the system has no initial state: every property holds vacuously (line 2, column 7)"
    );
    let value = json::result(&report, false);
    assert_eq!(value["properties"][0]["assuming"][1]["name"], "range:y");
    assert_eq!(value["sizes"]["N"], "3");
    assert_eq!(value["warnings"][0]["kind"], "no-initial-state");
    assert_eq!(value["warnings"][0]["line"], 2);
}

#[test]
fn evidence_for_another_verdict_is_not_shown() {
    let mut report = report();
    for property in &mut report.properties {
        let evidence = property.evidence.take();
        *property = PropertyOutcome::pretended("both", Verdict::Unknown);
        property.evidence = evidence;
        property.reason = Some("not accepted".into());
    }
    let shown = text::conclusion(&report, nothing_told);
    assert!(
        !shown.contains("diagram") && !shown.contains("trace"),
        "{shown}"
    );
    assert!(!shown.contains("safe"), "{shown}");
}

#[test]
fn statistics_are_part_of_the_object_when_they_are_asked_for() {
    let report = report();
    assert!(json::result(&report, false).get("statistics").is_none());
    assert!(json::result(&report, true)["statistics"].is_object());
    assert_eq!(json::result(&report, true)["verdict"], "unsafe");
}

#[test]
fn statistics_add_up_and_read_well() {
    let mut statistics = Statistics::default();
    statistics.add_time("search", Duration::from_millis(1500));
    statistics.add_time("search", Duration::from_millis(500));
    statistics.engines.insert(
        "slicing",
        EngineStatistics {
            refinements: 7,
            most_live_nodes: 4,
            ..EngineStatistics::default()
        },
    );
    statistics.minimisation.push(MinimisationStatistics {
        property: "both".into(),
        before: DiagramSize::default(),
        after: DiagramSize::default(),
        queries: 9,
        bounded_by: Some("the limit of 9 queries".into()),
    });
    let text = statistics.text();
    for expected in ["search: 2.000 s", "7 refinements", "9 queries (the limit"] {
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn a_verdict_that_was_told_is_not_told_again() {
    let shown = text::conclusion(&report(), |property| property.name == "both");
    assert!(shown.starts_with("range:x is unsafe"), "{shown}");
    assert!(shown.ends_with("\nunsafe\n"), "{shown}");
}

#[test]
fn events_are_counted() {
    let mut statistics = EngineStatistics::default();
    statistics.note(&Event::Unrolled { steps: 3 });
    statistics.note(&Event::Unrolled { steps: 4 });
    for refinements in 1..=2 {
        statistics.note(&Event::Refined {
            refinements,
            live_nodes: 5,
        });
    }
    assert_eq!(statistics.steps, 4);
    assert_eq!(statistics.refinements, 2);
    assert_eq!(statistics.most_live_nodes, 5);
}

#[test]
fn counters_add_up_and_are_shown_with_their_meaning() {
    let mut engine = EngineStatistics::default();
    let counter = Counter::new("core_hits", "answered by an earlier refutation");
    for count in [4, 3] {
        engine.note(&Event::Counted { counter, count });
    }
    let time = Duration::from_millis(250);
    let part = "elimination";
    engine.note(&Event::Timed { part, time });
    engine.note(&Event::Timed { part, time });
    let statistics = Statistics {
        engines: [("slicing", engine)].into(),
        ..Statistics::default()
    };
    let text = statistics.text();
    let line = format!("core_hits: 7 ({})", counter.meaning);
    assert!(text.contains(&line), "{text}");
    assert!(text.contains("elimination: 0.500 s"), "{text}");
    assert!(!text.contains("exact_answers"), "{text}");
}
