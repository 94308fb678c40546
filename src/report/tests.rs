//! What users and programs read about a run.

use super::*;
use crate::engines::{Event, Progress, counters};
use crate::vacuity::Vacuity;
use slabcert_certificates::smtlib::Position;
use statistics::{EngineStatistics, MinimisationStatistics};
use std::time::Duration;

fn property(name: &str, verdict: Verdict) -> PropertyReport {
    PropertyReport {
        index: 0,
        name: name.into(),
        verdict,
        engine: None,
        evidence: None,
        reason: None,
        assuming: Vec::new(),
    }
}

fn report() -> RunReport {
    let size = DiagramSize {
        nodes: 3,
        literals: 1,
        edges: 4,
    };
    RunReport {
        model: "m.slab".into(),
        language: "slab".into(),
        constants: [("N".to_owned(), "3".to_owned())].into_iter().collect(),
        sizes: [("M", "1"), ("N", "3")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into(),
        properties: vec![
            PropertyReport {
                engine: Some("slicing".into()),
                evidence: Some(EvidenceSummary::Diagrams {
                    names: vec!["main".into()],
                    size,
                }),
                ..property("both", Verdict::Safe)
            },
            PropertyReport {
                evidence: Some(EvidenceSummary::Trace { steps: 1 }),
                ..property("range:x", Verdict::Unsafe)
            },
            PropertyReport {
                reason: Some("the time limit of 3 s is over".into()),
                ..property("low", Verdict::Unknown)
            },
        ],
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

#[test]
fn the_verdict_stands_alone_on_the_last_line() {
    assert_eq!(
        text::verdict(&report()),
        "warning: the system has no initial state: every property holds vacuously (line 2, column 7)
both is safe for M = 1, N = 3: diagram `main` of 3 nodes, 1 literal, 4 edges
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
    let shown = text::verdict(&report);
    let end = ", 4 edges, assuming range:x, which is violated, assuming range:y, not checked\n";
    assert!(shown.contains(end), "{shown}");
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
        property.verdict = Verdict::Unknown;
        property.reason = Some("not accepted".into());
    }
    let shown = text::verdict(&report);
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
fn events_are_counted_even_when_nothing_is_shown() {
    let display = progress::Display::new(progress::When::Never);
    let mut watcher = display.watcher();
    watcher.event("bounded", &Event::Unrolled { steps: 3 });
    watcher.event("bounded", &Event::Unrolled { steps: 4 });
    for refinements in 1..=2 {
        watcher.event(
            "slicing",
            &Event::Refined {
                refinements,
                live_nodes: 5,
            },
        );
    }
    let counters = display.counters();
    assert_eq!(counters["bounded"].steps, 4);
    assert_eq!(counters["slicing"].refinements, 2);
    assert_eq!(counters["slicing"].most_live_nodes, 5);
}

#[test]
fn counters_add_up_and_are_shown_with_their_meaning() {
    let display = progress::Display::new(progress::When::Never);
    let mut watcher = display.watcher();
    let counter = counters::CORE_HITS;
    for count in [4, 3] {
        watcher.event("slicing", &Event::Counted { counter, count });
    }
    let time = Duration::from_millis(250);
    let part = "elimination";
    watcher.event("slicing", &Event::Timed { part, time });
    watcher.event("slicing", &Event::Timed { part, time });
    let statistics = Statistics {
        engines: display.counters(),
        ..Statistics::default()
    };
    let text = statistics.text();
    let line = format!("core_hits: 7 ({})", counter.meaning);
    assert!(text.contains(&line), "{text}");
    assert!(text.contains("elimination: 0.500 s"), "{text}");
    assert!(!text.contains("exact_answers"), "{text}");
}

#[test]
fn what_was_reached_is_told_for_the_property_at_hand() {
    let display = progress::Display::new(progress::When::Never);
    assert_eq!(display.reached(), None);
    let refined = |live_nodes| Event::Refined {
        refinements: 1,
        live_nodes,
    };
    let mut watcher = display.watcher();
    watcher.event("slicing", &Event::Phase("initial graph"));
    assert_eq!(display.reached(), None);
    watcher.event("slicing", &refined(9));
    watcher.event("slicing", &refined(1));
    watcher.event("bounded", &Event::Unrolled { steps: 5 });
    let words = "bounded: no violation within 5 steps; slicing: 2 refinements, 1 live node";
    assert_eq!(display.reached().as_deref(), Some(words));
    display.begin_property("another one");
    assert_eq!(display.reached(), None);
}
