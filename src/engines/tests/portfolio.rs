//! Races of planted engines: who wins, who is stopped, and what is said when nobody wins.

use super::*;
use crate::engines::portfolio::{Finish, race};

/// An engine that does what a test wants.
struct Planted(&'static str, fn(&Task<'_>) -> Answer);

impl Engine for Planted {
    fn name(&self) -> &'static str {
        self.0
    }

    fn summary(&self) -> &'static str {
        "planted"
    }

    fn run(&self, task: &Task<'_>, _: &mut dyn Progress) -> Answer {
        (self.1)(task)
    }
}

fn race_on(
    system: &System,
    engines: &[&dyn Engine],
    stop: &StopSignal,
    accept: &mut dyn FnMut(&'static str, &Answer) -> Result<(), String>,
) -> Finish {
    let options = &EngineOptions::default();
    let task = Task {
        system,
        property: &system.properties[0],
        options,
        stop,
        instances: &[],
    };
    race(engines, &task, accept, &mut Silent)
}

/// Works until it is told to stop.
const PATIENT: Planted = Planted("patient", |task| {
    loop {
        if let Some(cause) = task.stop.cause() {
            return Answer::Unknown(cause.into());
        }
        thread::sleep(Duration::from_millis(1));
    }
});
const LIAR: Planted = Planted("liar", |_| Answer::Safe(vec![Diagram::default()]));
const CLUMSY: Planted = Planted("clumsy", |_| panic!("on purpose"));
const HELPLESS: Planted = Planted("helpless", |_| {
    Answer::Unknown(StopReason::Unsupported("everything".to_owned()))
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
    let mut accept = |name: &'static str, _: &Answer| match name {
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
    let Answer::Unknown(reason) = finish.answer else {
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
    let expected = StopReason::Failure("the engine broke down: on purpose".to_owned());
    assert_eq!(
        finish.answer,
        Answer::Unknown(StopReason::Several(vec![("clumsy", expected)]))
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
    assert_eq!(finish.answer, Answer::Unknown(StopReason::TimeLimit(limit)));
}

#[test]
fn events_of_all_engines_reach_the_watcher() {
    struct Recorder(Vec<(&'static str, Event)>);
    impl Progress for Recorder {
        fn event(&mut self, engine: &'static str, event: &Event) {
            self.0.push((engine, event.clone()));
        }
    }
    let system = counter("(< x 4)");
    let (options, stop) = (EngineOptions::default(), StopSignal::default());
    let task = Task {
        system: &system,
        property: &system.properties[0],
        options: &options,
        stop: &stop,
        instances: &[],
    };
    let mut recorder = Recorder(Vec::new());
    race(&[&Bounded], &task, &mut |_, _| Ok(()), &mut recorder);
    let unrolled = |steps| ("bounded", Event::Unrolled { steps });
    assert_eq!(recorder.0, [unrolled(0), unrolled(1)]);
}
