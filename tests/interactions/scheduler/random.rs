//! Random programs with a scheduler: the flat system has the steps that the checker's translation finds, no fewer and no more.

use super::programs::{other_state, random_program, random_state};
use super::runs::Run;
use crate::check_faulty;
use crate::random::Count;
use fastrand::Rng;
use slabcert::flattening::interleave;
use slabcert_certificates::bundle::{Bundle, BundleParts, write_bundle};
use slabcert_certificates::certificate::NamedRelation;
use slabcert_certificates::obligations::{ObligationKind, TranslationPart};
use slabcert_certificates::program::Program;
use slabcert_certificates::system::System;
use slabcert_certificates::term::{Term, Value};
use slabcert_certificates::trace::Valuation;
use slabcert_certificates::trace::step_valuation::StepValuations;
use slabcert_checker::{Verdict, bundle_obligations};
use std::collections::BTreeMap;

/// The steps as the checker translates them: what has to imply relations that allow nothing.
fn translated(program: &Program, system: &System) -> BTreeMap<String, Term> {
    let mut all = crate::claims_all(system);
    for transition in &mut all.transitions {
        transition.relation = Term::bool(false);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bundle");
    let parts = BundleParts {
        system,
        program: Some(program),
        system_text: None,
        certificate: &all,
        model: None,
        statistics: &serde_json::json!({}),
        drawings: &[],
    };
    write_bundle(&path, &parts).unwrap();
    let bundle = Bundle::read(&path).unwrap();
    let read = bundle.program.as_ref();
    assert_eq!(read.map(|it| &it.scheduler), Some(&program.scheduler));
    let owed = bundle_obligations(&bundle).unwrap().into_iter();
    let steps = owed.filter_map(|obligation| match obligation.kind {
        ObligationKind::Translation(TranslationPart::Step(name)) => {
            let mut facts = obligation.assertions;
            assert_eq!(facts.pop(), Some(Term::bool(true)));
            Some((name, Term::and(facts)))
        }
        _ => None,
    });
    steps.collect()
}

/// How often each kind of step is taken, and how often none is.
type Counts = BTreeMap<&'static str, Count>;

fn kind(name: &str) -> &'static str {
    match name.split('.').next() {
        Some("delta") => "delta",
        Some("time") => "time",
        Some("main") => "main",
        _ => "thread",
    }
}

/// The state after a transition as far as its updates say.
fn after(system: &System, number: usize, before: &Valuation, inputs: &Valuation) -> Valuation {
    let mut after = before.clone();
    let valuations = StepValuations::of(system);
    let read = valuations.state(before, inputs);
    for update in &system.transitions[number].updates {
        let name = system.variables[update.variable].name().to_owned();
        after.insert(name, update.value.evaluate(&read).unwrap());
    }
    after
}

#[test]
fn the_flat_system_has_the_steps_of_the_translation_and_no_others() {
    let mut counts = Counts::new();
    for seed in 0..500 {
        let mut random = Rng::with_seed(seed);
        let program = random_program(&mut |bound| random.usize(..bound));
        let system = interleave(&program);
        let translated = translated(&program, &system);
        let valuations = StepValuations::of(&system);
        for _ in 0..8 {
            let before = random_state(&program, &mut |bound| random.usize(..bound));
            let chosen = Value::Int(random.u64(..3).into());
            let inputs = Valuation::from([("d".to_owned(), chosen)]);
            for (number, named) in NamedRelation::all(&system).iter().enumerate() {
                let right = after(&system, number, &before, &inputs);
                let wrong = other_state(&program, &right, &mut |bound| random.usize(..bound));
                for after in [right, wrong] {
                    let valuation = valuations.step(&before, &inputs, &after);
                    let is_step = named.relation.holds(&valuation).unwrap();
                    // Nothing is owed for a step that is never possible.
                    let translated = translated.get(&named.name);
                    let found = translated.is_some_and(|it| it.holds(&valuation).unwrap());
                    assert_eq!(
                        found, is_step,
                        "{seed}: {} {before:?} {after:?}",
                        named.name
                    );
                    let count = counts.entry(kind(&named.name)).or_default();
                    count.note(is_step);
                }
            }
        }
    }
    for count in counts.values() {
        assert!(count.so > 100 && count.not > 1_000, "{counts:?}");
    }
    assert_eq!(counts.len(), 4);
}

#[test]
fn the_checker_proves_that_the_flat_system_loses_no_step() {
    for seed in 1_000..1_040 {
        let mut random = Rng::with_seed(seed);
        let program = random_program(&mut |bound| random.usize(..bound));
        let report = check_faulty(&program, |_| {});
        assert_eq!(report.verdict, Verdict::Accepted, "{:?}", report.rejections);
    }
}

#[test]
fn random_runs_are_followed_on_the_program() {
    let mut steps = BTreeMap::<&str, usize>::new();
    for seed in 2_000..2_300 {
        let mut random = Rng::with_seed(seed);
        let program = random_program(&mut |bound| random.usize(..bound));
        let mut run = Run::new(program, &[("t.awake", random.i64(..2))]);
        for _ in 0..30 {
            let possible = run.possible();
            if possible.is_empty() {
                break;
            }
            let (name, after) = possible[random.usize(..possible.len())].clone();
            *steps.entry(kind(&name)).or_default() += 1;
            run.take(name, after);
        }
        assert_eq!(run.followed().rejections, Vec::new(), "{seed}");
    }
    assert_eq!(steps.len(), 4);
    assert!(steps.values().all(|count| *count > 20), "{steps:?}");
}
