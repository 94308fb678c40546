//! Programs with a scheduler mean what the interpreter does.

#[path = "../../../../../tests/interactions/scheduler/programs.rs"]
#[allow(dead_code, reason = "other tests use all of it")]
mod programs;

use super::super::meaning;
use crate::kernel::interpreter::{Interpreter, Refusal};
use fastrand::Rng;
use programs::{other_state, random_program, random_state};
use slabcert_certificates::program::{Block, DELTA, Effects, Program, TIME};
use slabcert_certificates::term::{Assignment, Symbol, Value};
use slabcert_certificates::trace::Valuation;
use slabcert_certificates::work::Work;
use std::collections::BTreeMap;

/// A state, what is chosen, and the state after it.
fn assignment<'v>(
    program: &'v Program,
    (before, chosen, after): (&'v Valuation, &'v Value, &'v Valuation),
) -> impl Fn(&Symbol) -> Option<Value> + 'v {
    let variables = program.variables.iter();
    let next = variables.map(|it| (it.next.name(), it.name()));
    let next: BTreeMap<&str, &str> = next.collect();
    move |symbol| match (symbol.name(), next.get(symbol.name())) {
        ("d", _) => Some(chosen.clone()),
        (_, Some(name)) => after.get(*name).cloned(),
        (name, None) => before.get(name).cloned(),
    }
}

/// States after a step, one of which is right if the step can be taken.
fn candidates(
    program: &Program,
    name: &str,
    before: &Valuation,
    values: &dyn Assignment,
) -> Vec<Valuation> {
    let scheduler = program.scheduler.as_deref().unwrap();
    let mut work = Work::new(u64::MAX);
    let mut effects = Effects::of(program, scheduler, values, &mut work);
    let controller = program.processes[scheduler.controller].location.unwrap();
    let alternatives: Vec<Vec<(usize, Value)>> = match name {
        DELTA => {
            let stays = effects.take_effect().unwrap();
            let then = (controller, Value::Int(5.into()));
            let goes = stays.iter().cloned().chain([then]).collect();
            vec![stays, goes]
        }
        TIME => {
            let delays = scheduler.delays();
            let delays = delays.map(|it| before[program.variables[it].name()].clone());
            let notified = delays.filter_map(|delay| match delay {
                Value::Int(delay) if delay >= 0.into() => Some(delay),
                _ => None,
            });
            let least = notified.min().unwrap_or_default();
            let limited = [false, true];
            limited
                .map(|it| effects.let_pass(&least, it).unwrap())
                .into()
        }
        _ => {
            let mut blocks = program.blocks().into_iter();
            let called = |it: &Block| program.block_origin(*it).name(&program.processes);
            let block = blocks.find(|it| called(it) == name).unwrap();
            let leaving = program.leaving(block.process);
            let path = program.path(block, &leaving, values, &mut work).unwrap();
            let location = program.processes[block.process].location.unwrap();
            let end = (location, Value::Int(block.to.into()));
            vec![path.values.into_iter().chain([end]).collect()]
        }
    };
    let states = alternatives.into_iter().map(|written| {
        let written = written.into_iter();
        let named = written.map(|(variable, value)| {
            let name = program.variables[variable].name().to_owned();
            (name, value)
        });
        before.clone().into_iter().chain(named).collect()
    });
    states.collect()
}

#[test]
fn the_interpreter_takes_the_steps_of_the_translation_and_no_others() {
    let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for seed in 0..500 {
        let mut random = Rng::with_seed(seed);
        let program = random_program(&mut |bound| random.usize(..bound));
        let steps = meaning(&program).unwrap().steps;
        let interpreter = Interpreter::new(&program);
        for _ in 0..8 {
            let before = random_state(&program, &mut |bound| random.usize(..bound));
            let chosen = Value::Int(random.u64(..3).into());
            for (name, facts) in &steps {
                let values = assignment(&program, (&before, &chosen, &before));
                let mut states = candidates(&program, name, &before, &values);
                let wrong = other_state(&program, &states[0], &mut |it| random.usize(..it));
                states.push(wrong);
                for after in &states {
                    let values = assignment(&program, (&before, &chosen, after));
                    let is_step = facts.iter().all(|fact| fact.holds(&values).unwrap());
                    let found = match interpreter.step(name, &values, &mut Work::new(u64::MAX)) {
                        Ok(()) => true,
                        Err(Refusal::Fault(_)) => false,
                        Err(Refusal::NoValue(error)) => panic!("{error}"),
                    };
                    assert_eq!(found, is_step, "{seed}: {name} {before:?} {after:?}");
                    let kind = name.split(['.', '-']).next().unwrap();
                    let kind = ["delta", "time", "main", "t", "u"]
                        .into_iter()
                        .find(|it| *it == kind);
                    counts.entry(kind.unwrap()).or_default()[usize::from(is_step)] += 1;
                }
            }
        }
    }
    assert_eq!(counts.len(), 5);
    for [not, so] in counts.values() {
        assert!(*so > 100 && *not > 1_000, "{counts:?}");
    }
}
