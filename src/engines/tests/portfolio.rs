//! Races of planted engines: who wins, who is stopped, and what is said when nobody wins.

use super::*;
use crate::engines::portfolio::{Assignment, Portfolio, What};
use crate::slicing::start::Start;
use slabcert_certificates::structure::Process;
use std::sync::{Arc, mpsc};
use std::time::Instant;

/// How a race ended.
struct Finish {
    winner: Option<&'static str>,
    answer: EngineAnswer,
    events: Vec<(&'static str, Event)>,
}

/// An engine that does what a test wants.
struct Planted(&'static str, fn(&Task<'_>) -> EngineAnswer);

impl Engine for Planted {
    fn name(&self) -> &'static str {
        self.0
    }

    fn summary(&self) -> &'static str {
        "planted"
    }

    fn run(&self, task: &Task<'_>, _: &mut dyn Progress) -> EngineAnswer {
        (self.1)(task)
    }
}

fn race_on(
    system: &System,
    engines: &[&'static dyn Engine],
    stop: &StopSignal,
    accept: &mut dyn FnMut(&'static str, &EngineAnswer) -> Result<(), String>,
) -> Finish {
    let side_by_side = engines.iter().enumerate();
    let rows: Vec<Row> = side_by_side
        .map(|(core, engine)| Row {
            core,
            ..Row::of(*engine)
        })
        .collect();
    race_of(system, &rows, &EngineOptions::default(), stop, accept)
}

fn race_of(
    system: &System,
    rows: &[Row],
    options: &EngineOptions,
    stop: &StopSignal,
    accept: &mut dyn FnMut(&'static str, &EngineAnswer) -> Result<(), String>,
) -> Finish {
    race_from(Instant::now(), system, rows, options, stop, accept)
}

/// A race in which engines that let others go first start at this moment.
fn race_from(
    begun: Instant,
    system: &System,
    rows: &[Row],
    options: &EngineOptions,
    stop: &StopSignal,
    accept: &mut dyn FnMut(&'static str, &EngineAnswer) -> Result<(), String>,
) -> Finish {
    let assignment = Assignment {
        system: Arc::new(system.clone()),
        property: 0,
        options: options.clone(),
        instances: Arc::default(),
        assumed: Vec::new(),
        begun,
    };
    let (sender, receiver) = mpsc::channel();
    let stop = stop.derive(Limits::default());
    let mut portfolio = Portfolio::start(7, rows, &assignment, stop, &sender);
    drop(sender);
    let mut events = Vec::new();
    let mut won = None;
    for news in receiver {
        assert_eq!(news.portfolio, 7);
        let name = news.row.engine.name();
        assert!(rows.iter().any(|row| row.engine.name() == name));
        match news.what {
            What::Event(event) => events.push((name, event)),
            What::EngineAnswer(EngineAnswer::Unknown(reason)) => {
                portfolio.gave_up(news.core, name, reason)
            }
            What::EngineAnswer(_) if won.is_some() => {}
            What::EngineAnswer(answer) => match accept(name, &answer) {
                Ok(()) => {
                    portfolio.stop().stop(StopCause::Superseded);
                    won = Some((name, answer));
                }
                Err(why) => portfolio.gave_up(news.core, name, StopReason::Rejected(why)),
            },
        }
    }
    let winner = won.as_ref().map(|(name, _)| *name);
    assert_eq!(portfolio.is_stuck(), winner.is_none());
    Finish {
        winner,
        answer: won.map_or_else(
            || EngineAnswer::Unknown(portfolio.reason()),
            |(_, answer)| answer,
        ),
        events,
    }
}

/// Works until it is told to stop.
const PATIENT: Planted = Planted("patient", |task| {
    loop {
        if let Some(cause) = task.stop.cause() {
            return EngineAnswer::Unknown(cause.into());
        }
        thread::sleep(Duration::from_millis(1));
    }
});
const LIAR: Planted = Planted("liar", |_| EngineAnswer::Safe(vec![Diagram::default()]));
const CLUMSY: Planted = Planted("clumsy", |_| panic!("on purpose"));
const HELPLESS: Planted = Planted("helpless", |_| {
    EngineAnswer::Unknown(StopReason::Unsupported("everything".to_owned()))
});

#[test]
fn the_first_accepted_evidence_wins_and_stops_the_others() {
    let system = counter("(< x 10)");
    let stop = StopSignal::default();
    let finish = race_on(&system, &[&PATIENT, &Bounded], &stop, &mut |_, _| Ok(()));
    assert_eq!(finish.winner, Some("bounded"));
    assert_eq!(trace(finish.answer).states.len(), 6);
    assert_eq!(stop.cause(), None, "the caller's signal is not touched");
}

#[test]
fn an_engine_that_gives_others_a_head_start_works_only_when_they_need_long() {
    let system = counter("(< x 10)");
    let courteous = |core, engine: &'static dyn Engine| Row {
        core,
        head_start: Duration::from_millis(1),
        ..Row::of(engine)
    };
    let far = Instant::now() + Duration::from_secs(3_600);
    let race = |rows: &[Row]| {
        let (options, stop) = (EngineOptions::default(), StopSignal::default());
        let mut heard = Vec::new();
        race_from(far, &system, rows, &options, &stop, &mut |name, _| {
            heard.push(name);
            match name {
                "liar" => Err("it lies".to_owned()),
                _ => Ok(()),
            }
        });
        heard
    };
    let both = [Row::of(&Bounded), courteous(1, &LIAR)];
    assert_eq!(race(&both), ["bounded"]);
    // Nor is anybody waited for who has given up.
    assert_eq!(
        race(&[Row::of(&HELPLESS), courteous(1, &Bounded)]),
        ["bounded"]
    );
    // Alone there is nobody to wait for.
    assert_eq!(race(&[courteous(0, &Bounded)]), ["bounded"]);
}

#[test]
fn the_engines_decide_safe_and_unsafe_systems_together() {
    for (property, is_safe) in [("(<= y x)", true), ("(< x 10)", false)] {
        let system = counter(property);
        let mut accepted = Vec::new();
        let finish = race_on(&system, ALL, &StopSignal::default(), &mut |name, _| {
            accepted.push(name);
            Ok(())
        });
        assert_eq!(finish.winner, accepted.first().copied());
        assert_eq!(accepted.len(), 1);
        if is_safe {
            assert_proof(&system, finish.answer);
        } else {
            assert_eq!(trace(finish.answer).states.len(), 6);
        }
    }
}

#[test]
fn evidence_that_is_not_accepted_does_not_end_the_race() {
    let system = counter("(< x 10)");
    let mut accept = |name: &'static str, _: &EngineAnswer| match name {
        "liar" => Err("the diagram has no node".to_owned()),
        _ => Ok(()),
    };
    let finish = race_on(
        &system,
        &[&LIAR, &Bounded],
        &StopSignal::default(),
        &mut accept,
    );
    assert_eq!(finish.winner, Some("bounded"));
    let finish = race_on(
        &system,
        &[&LIAR, &HELPLESS],
        &StopSignal::default(),
        &mut accept,
    );
    let EngineAnswer::Unknown(reason) = finish.answer else {
        panic!("nothing was accepted");
    };
    assert_eq!(
        reason.to_string(),
        "liar: evidence was not accepted: the diagram has no node; helpless: not supported: everything"
    );
}

#[test]
fn an_engine_that_breaks_down_does_not_end_the_race() {
    let system = counter("(< x 10)");
    let finish = race_on(
        &system,
        &[&CLUMSY, &Bounded],
        &StopSignal::default(),
        &mut |_, _| Ok(()),
    );
    assert_eq!(finish.winner, Some("bounded"));
    let finish = race_on(&system, &[&CLUMSY], &StopSignal::default(), &mut |_, _| {
        Ok(())
    });
    let expected = StopReason::Failure("the engine failed: on purpose".to_owned());
    assert_eq!(
        finish.answer,
        EngineAnswer::Unknown(StopReason::Several(vec![("clumsy", expected)]))
    );
}

#[test]
fn a_race_that_is_stopped_says_why() {
    let system = endless();
    let limit = Duration::from_millis(200);
    let stop = StopSignal::new(Limits {
        time: Some(limit),
        memory: None,
    });
    let finish = race_on(&system, &[&PATIENT, &Bounded, &Horn], &stop, &mut |_, _| {
        Ok(())
    });
    assert_eq!(finish.winner, None);
    assert_eq!(
        finish.answer,
        EngineAnswer::Unknown(StopReason::TimeLimit(limit))
    );
}

#[test]
fn events_of_engines_are_news() {
    let system = counter("(< x 4)");
    let finish = race_on(&system, &[&Bounded], &StopSignal::default(), &mut |_, _| {
        Ok(())
    });
    let unrolled = |steps| ("bounded", Event::Unrolled { steps });
    assert_eq!(finish.events, [unrolled(0), unrolled(1)]);
}

// ---- turns on one core ----

/// Makes as many refinements as it may, and gives up if nobody bounds them.
const DILIGENT: Planted = Planted("diligent", |task| match task.options.maximal_refinements {
    Some(most) => EngineAnswer::Unknown(StopReason::RefinementLimit(most)),
    None => EngineAnswer::Unknown(StopReason::Unsupported("long proofs".to_owned())),
});

fn turns(rows: &[Row], options: &EngineOptions) -> String {
    turns_on(&counter("(< x 10)"), rows, options)
}

fn turns_on(system: &System, rows: &[Row], options: &EngineOptions) -> String {
    let stop = StopSignal::default();
    let finish = race_of(system, rows, options, &stop, &mut |_, _| Ok(()));
    match (finish.winner, finish.answer) {
        (Some(winner), _) => winner.to_owned(),
        (None, EngineAnswer::Unknown(reason)) => reason.to_string(),
        (None, answer) => panic!("nobody won, but {answer:?}"),
    }
}

fn for_refinements(most: u64, engine: &'static dyn Engine) -> Row {
    Row {
        when: When::Refinements(most),
        ..Row::of(engine)
    }
}

#[test]
fn engines_take_turns_on_a_core_and_those_that_gave_up_have_no_other() {
    let rows = [
        for_refinements(20, &DILIGENT),
        Row::of(&HELPLESS),
        Row::of(&DILIGENT),
        Row::of(&HELPLESS),
    ];
    let options = EngineOptions::default();
    let both = "helpless: not supported: everything; diligent: not supported: long proofs";
    assert_eq!(turns(&rows, &options), both);
    let rows = [&rows[..], &[Row::of(&Bounded)]].concat();
    assert_eq!(turns(&rows, &options), "bounded");
}

#[test]
fn a_turn_ends_only_where_another_engine_waits_and_within_the_users_limit() {
    let alone = [for_refinements(20, &DILIGENT), Row::of(&DILIGENT)];
    let options = EngineOptions::default();
    assert_eq!(
        turns(&alone, &options),
        "diligent: not supported: long proofs"
    );
    let options = EngineOptions {
        maximal_refinements: Some(3),
        ..EngineOptions::default()
    };
    let rows = [for_refinements(20, &DILIGENT), Row::of(&HELPLESS)];
    let reasons =
        "diligent: the limit of 3 refinements is reached; helpless: not supported: everything";
    assert_eq!(turns(&rows, &options), reasons);
}

#[test]
fn a_turn_for_earlier_lemmas_is_taken_only_if_there_are_some() {
    let row = |engine| Row {
        when: When::EarlierLemmas,
        ..Row::of(engine)
    };
    let rows = [row(&Bounded), Row::of(&HELPLESS)];
    let cold = turns(&rows, &EngineOptions::default());
    assert_eq!(cold, "helpless: not supported: everything");
    let start = Start {
        lemmas: vec![(0, slabcert_certificates::term::Term::bool(true))],
        ..Start::default()
    };
    let options = EngineOptions {
        start: Some(Arc::new(start)),
        ..EngineOptions::default()
    };
    assert_eq!(turns(&rows, &options), "bounded");
}

#[test]
fn what_is_for_interleavings_has_no_turn_where_a_single_process_runs() {
    let for_interleavings = Row {
        core: 1,
        when: When::Interleaving,
        ..Row::of(&DILIGENT)
    };
    let rows = [Row::of(&HELPLESS), for_interleavings];
    let options = EngineOptions::default();
    let both = "helpless: not supported: everything; diligent: not supported: long proofs";
    let mut system = counter("(< x 10)");
    assert_eq!(turns_on(&system, &rows, &options), both);
    let process = Process {
        name: "P".to_owned(),
        family: 0,
        indices: Vec::new(),
        location: None,
    };
    system.processes = vec![process; 2];
    assert_eq!(turns_on(&system, &rows, &options), both);
    system.processes.pop();
    let one = "helpless: not supported: everything";
    assert_eq!(turns_on(&system, &rows, &options), one);
    let asked_for = super::super::chosen(&["auto".to_owned(), "predicate".to_owned()]);
    assert!(asked_for.iter().all(|row| row.when != When::Interleaving));
}

#[test]
fn engines_are_chosen_by_name_with_their_turns() {
    let names = |chosen: &[&str]| -> Vec<(usize, &str)> {
        let chosen: Vec<String> = chosen.iter().map(|name| (*name).to_owned()).collect();
        let rows = super::super::chosen(&chosen).into_iter();
        rows.map(|row| (row.core, row.engine.name())).collect()
    };
    assert_eq!(names(&["auto"]).len(), AUTO.len());
    assert_eq!(names(&["bounded", "horn"]), [(1, "bounded"), (2, "horn")]);
    // Every engine can be chosen.
    for engine in ALL {
        assert!(!names(&[engine.name()]).is_empty(), "{}", engine.name());
    }
}
