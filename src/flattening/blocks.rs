//! Blocks: everything that a process does from one cut point to the next is one named transition.
//!
//! What is known at a location is passed on along the commands that leave it: the conditions of having come there, and the values that
//! variables have by then, all in terms of the state at the cut point. Where ways meet, what their conditions have in common stays, pairs
//! that differ in one condition and its negation are joined, and values that differ are told apart by the rest.

use slabcert_certificates::program::{Block, Command, Program};
use slabcert_certificates::system::{Conjunct, Transition, Update};
use slabcert_certificates::term::{Substitution, Term};
use std::collections::{BTreeMap, BTreeSet};

/// The transitions of all blocks.
pub(super) fn transitions(program: &Program, premises: &[Term]) -> Vec<Transition> {
    let mut transitions = Vec::new();
    for (process, cuts) in &program.cuts {
        let leaving = program.leaving(*process);
        for from in cuts {
            for (to, way) in from_cut(program, cuts, &leaving, *from) {
                let block = Block {
                    process: *process,
                    from: *from,
                    to,
                };
                let mut transition = transition(program, block, way, premises);
                transition.position = program.start_position(*from, &leaving);
                transitions.push(transition);
            }
        }
    }
    transitions
}

/// A way from a cut point to a location, or all of them.
#[derive(Clone, Default)]
struct Way {
    /// The command that it ends with, by index.
    last: usize,
    /// What holds if it is gone.
    conditions: Vec<Term>,
    /// The values of the variables that are written on it, by index.
    values: BTreeMap<usize, Term>,
    /// What is chosen on it, by index among the inputs.
    choices: BTreeSet<usize>,
}

/// All ways from a cut point to others, by these.
fn from_cut(
    program: &Program,
    cuts: &BTreeSet<usize>,
    leaving: &BTreeMap<usize, Vec<usize>>,
    from: usize,
) -> BTreeMap<usize, Way> {
    let target = |command: &usize| program.commands[*command].moves[0].to;
    let next = |location: usize| leaving.get(&location).into_iter().flatten();
    // How many commands have to be followed before everything is known of a location.
    let mut missing: BTreeMap<usize, usize> = BTreeMap::new();
    let mut seen = vec![from];
    while let Some(location) = seen.pop() {
        for to in next(location).map(target) {
            let count = missing.entry(to).or_default();
            *count += 1;
            if *count == 1 && !cuts.contains(&to) {
                seen.push(to);
            }
        }
    }
    let mut arrived: BTreeMap<usize, Vec<Way>> = BTreeMap::new();
    let mut open = vec![(from, Way::default())];
    while let Some((location, way)) = open.pop() {
        for index in next(location) {
            let to = target(index);
            let ways = arrived.entry(to).or_default();
            ways.push(continued(program, &way, *index));
            if ways.len() == missing[&to] && !cuts.contains(&to) {
                open.push((to, joined(program, std::mem::take(ways))));
            }
        }
    }
    let ends = arrived.into_iter().filter(|(to, _)| cuts.contains(to));
    ends.map(|(to, ways)| (to, joined(program, ways))).collect()
}

/// A way and then a command.
fn continued(program: &Program, way: &Way, index: usize) -> Way {
    let command: &Command = &program.commands[index];
    let known: Substitution = way
        .values
        .iter()
        .map(|(variable, value)| {
            let symbol = program.variables[*variable].current.clone();
            (symbol, value.clone())
        })
        .collect();
    let mut longer = way.clone();
    longer.last = index;
    let guard = command.guard.iter().map(|it| it.formula.substitute(&known));
    longer.conditions.extend(guard.filter(|it| !it.is_true()));
    for update in &command.updates {
        let value = update.value.substitute(&known);
        longer.values.insert(update.variable, value);
    }
    longer.choices.extend(&command.choices);
    longer
}

/// All of these ways to one location as one. No two of them are possible together.
fn joined(program: &Program, mut ways: Vec<Way>) -> Way {
    ways.sort_by_key(|way| way.last);
    let Some((first, others)) = ways.split_first() else {
        return Way::default();
    };
    if others.is_empty() {
        return first.clone();
    }
    // What was known before the ways parted is the same list, and not looked at.
    let shared = |position: &usize| {
        let at = |way: &Way| way.conditions.get(*position).map(Term::address);
        at(first).is_some() && others.iter().all(|way| at(way) == at(first))
    };
    let parted = (0..).find(|position| !shared(position)).unwrap_or_default();
    let is_common = |condition: &&Term| {
        let mut others = others.iter();
        others.all(|way| way.conditions[parted..].contains(condition))
    };
    let common: Vec<Term> = first.conditions[parted..]
        .iter()
        .filter(is_common)
        .cloned()
        .collect();
    let rests: Vec<Vec<Term>> = ways
        .iter()
        .map(|way| {
            let own = way.conditions[parted..]
                .iter()
                .filter(|it| !common.contains(it));
            own.cloned().collect()
        })
        .collect();
    let deciding: Vec<Term> = rests
        .iter()
        .map(|rest| Term::and(rest.iter().cloned()))
        .collect();
    let mut values = BTreeMap::new();
    let written: BTreeSet<usize> = ways
        .iter()
        .flat_map(|way| way.values.keys())
        .copied()
        .collect();
    for variable in written {
        let value = |way: &Way| {
            let written = way.values.get(&variable).cloned();
            written.unwrap_or_else(|| Term::symbol(program.variables[variable].current.clone()))
        };
        let mut from_last = ways.iter().zip(&deciding).rev();
        let last = from_last.next().map(|(way, _)| value(way));
        let folded = last.map(|last| {
            from_last.fold(last, |otherwise, (way, decides)| {
                decides.clone().ite(value(way), otherwise)
            })
        });
        values.extend(folded.map(|value| (variable, value)));
    }
    let mut conditions = first.conditions[..parted].to_vec();
    conditions.extend(common);
    conditions.extend(one_of(rests));
    Way {
        last: 0,
        conditions,
        values,
        choices: ways.iter().flat_map(|way| &way.choices).copied().collect(),
    }
}

/// That one of these conjunctions holds, as conjuncts.
fn one_of(mut conjunctions: Vec<Vec<Term>>) -> Vec<Term> {
    let pair = |conjunctions: &[Vec<Term>]| {
        for (second, other) in conjunctions.iter().enumerate() {
            for (first, one) in conjunctions[..second].iter().enumerate() {
                if let Some(both) = without_decision(one, other) {
                    return Some((first, second, both));
                }
            }
        }
        None
    };
    while let Some((first, second, both)) = pair(&conjunctions) {
        conjunctions[first] = both;
        conjunctions.remove(second);
    }
    match &mut conjunctions[..] {
        [only] => std::mem::take(only),
        several => vec![Term::or(
            several.iter().map(|it| Term::and(it.iter().cloned())),
        )],
    }
}

/// What two conjunctions say that are the same but for a condition and its negation.
fn without_decision(one: &[Term], other: &[Term]) -> Option<Vec<Term>> {
    if one.len() != other.len() {
        return None;
    }
    let mut differences = one.iter().filter(|it| !other.contains(it));
    let (difference, None) = (differences.next()?, differences.next()) else {
        return None;
    };
    let negation = difference.clone().not();
    let is_decision = other.contains(&negation);
    is_decision.then(|| one.iter().filter(|it| *it != difference).cloned().collect())
}

fn transition(program: &Program, block: Block, way: Way, premises: &[Term]) -> Transition {
    let process = Some(block.process);
    let location = program.processes[block.process].location;
    let at = location.map(|variable| {
        let current = Term::symbol(program.variables[variable].current.clone());
        current.equals(Term::int(block.from as u64))
    });
    let own = at.into_iter().chain(way.conditions);
    let guard = own.map(|formula| Conjunct { formula, process });
    let moved = location.filter(|_| block.from != block.to);
    let moved = moved.map(|variable| (variable, Term::int(block.to as u64)));
    let stays = |variable: usize, value: &Term| {
        value.as_symbol() == Some(&program.variables[variable].current)
    };
    let written = way
        .values
        .into_iter()
        .filter(|(variable, value)| !stays(*variable, value));
    let updates: Vec<Update> = moved
        .into_iter()
        .chain(written)
        .map(|(variable, value)| Update {
            variable,
            value,
            process,
        })
        .collect();
    let changed: BTreeSet<usize> = updates.iter().map(|it| it.variable).collect();
    let origin = program.block_origin(block);
    Transition {
        name: origin.name(&program.processes),
        guard: guard
            .chain(premises.iter().cloned().map(Conjunct::of_system))
            .collect(),
        updates,
        relation: Vec::new(),
        frame: (0..program.variables.len())
            .filter(|it| !changed.contains(it))
            .collect(),
        inputs: way.choices.into_iter().collect(),
        participants: vec![block.process],
        origin: Some(origin),
        position: None,
        last_line: None,
    }
}
