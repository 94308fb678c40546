//! What a block does in lock step: which edges are taken, and who wins what several write.

use super::{Wording, readable};
use rustc_hash::FxHashSet;
use slabcert_certificates::program::{LockStep, Program, Synchronous};
use slabcert_certificates::system::System;
use slabcert_certificates::term::Value;
use slabcert_certificates::trace::paths::BlockPaths;
use slabcert_certificates::trace::{Step, Valuation};
use std::sync::Arc;

/// How many edges, and how many variables, are named.
const MOST_NAMED: usize = 40;

impl<'a> Wording<'a> {
    /// The words of a system that was made from this program, if there is one: they say what its blocks do.
    pub fn of_program(program: Option<&'a Program>, system: &'a System) -> Wording<'a> {
        let program = program.filter(|it| !it.synchronous.is_empty());
        Wording {
            paths: program.map(|program| Arc::new(BlockPaths::of(program, system))),
            ..Wording::of(system)
        }
    }

    /// What is done in a step of a block in lock step; none if it is another step.
    pub fn lock_step(&self, step: &Step, before: &Valuation) -> Option<Doing<'a>> {
        let paths = self.paths.as_ref()?;
        let (block, taken) = paths.lock_step(step, before)?;
        Some(Doing::of(paths.program, block, step, &taken))
    }
}

/// What a block does in a step.
pub struct Doing<'a> {
    /// As in `takes P[1].enter, P[2].leave; x is that of P[1].enter`.
    pub words: String,
    /// The inputs that are news beside that: events that come, and what edges choose that are taken.
    news: FxHashSet<&'a str>,
}

impl<'a> Doing<'a> {
    fn of(
        program: &'a Program,
        block: &'a Synchronous,
        step: &Step,
        taken: &LockStep,
    ) -> Doing<'a> {
        let name = |input: &usize| program.inputs[*input].symbol.name();
        let come = |event: &&str| step.inputs.get(*event) == Some(&Value::Bool(true));
        let edges = taken.taken.iter().map(|edge| &block.edges[*edge].edge);
        let chosen = edges.flat_map(|edge| edge.choices.iter().map(name));
        Doing {
            words: words(program, block, taken),
            news: block
                .events
                .iter()
                .map(name)
                .filter(come)
                .chain(chosen)
                .collect(),
        }
    }

    /// Whether the value of an input is news: others say which edges are taken, and who wins.
    pub fn tells(&self, input: &str) -> bool {
        self.news.contains(input)
    }
}

/// A list of names, cut at a length.
fn listed(names: impl ExactSizeIterator<Item = String>) -> String {
    let more = names.len().saturating_sub(MOST_NAMED);
    let shown: Vec<String> = names.take(MOST_NAMED).collect();
    match more {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn words(program: &Program, block: &Synchronous, step: &LockStep) -> String {
    if step.taken.is_empty() {
        return "lets all idle".to_owned();
    }
    let name = |edge: &usize| {
        let name = program.edge_name(&block.edges[*edge].edge);
        readable(&name).into_owned()
    };
    let taken = listed(step.taken.iter().map(name));
    let winners = step.winners.iter().map(|(variable, edge)| {
        let variable = readable(program.variables[*variable].name()).into_owned();
        format!("{variable} is that of {}", name(edge))
    });
    match step.winners.is_empty() {
        true => format!("takes {taken}"),
        false => format!("takes {taken}; {}", listed(winners)),
    }
}
