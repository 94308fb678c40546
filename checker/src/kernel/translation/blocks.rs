//! What blocks mean: from cut point to cut point, all paths as one step.
//!
//! The locations between are visited in an order in which every path goes forward. At each of them the paths that arrive are looked up
//! among its predecessors: where one was taken, what was required on it, and which values it left, in terms of the state at the cut point.
//! Arrivals exclude each other, because one of two commands that leave a location requires what the other excludes.

use super::{Table, Translator};
use slabcert_certificates::program::Block;
use slabcert_certificates::term::{Substitution, Term};
use slabcert_certificates::work::TooLarge;
use std::collections::{BTreeMap, BTreeSet};

/// What is known where a process has come to: what it took, each a condition, and the values of what was written.
#[derive(Clone, Default)]
struct Known {
    required: Vec<Term>,
    values: BTreeMap<usize, Term>,
}

impl Translator<'_> {
    /// Adds the steps of a process with cut points.
    pub(super) fn blocks(
        &mut self,
        process: usize,
        cuts: &BTreeSet<usize>,
    ) -> Result<(), TooLarge> {
        let program = self.program;
        let leaving = program.leaving(process);
        let mut entering: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (index, command) in program.commands.iter().enumerate() {
            if let Some((of, _, to)) = command.statement()
                && of == process
            {
                entering.entry(to).or_default().push(index);
            }
        }
        for from in cuts {
            let (inner, ends) = self.forward(*from, cuts, &leaving)?;
            let mut known = BTreeMap::from([(*from, Known::default())]);
            for location in inner {
                let arrived = self.arrive(&entering[&location], &known)?;
                known.insert(location, arrived);
            }
            for to in ends {
                let Known { required, values } = self.arrive(&entering[&to], &known)?;
                let mut facts: Vec<Term> = self.at(process, *from).into_iter().collect();
                facts.extend(required);
                facts.extend(self.premises.iter().cloned());
                let mut table: Table = values
                    .into_iter()
                    .map(|(it, value)| (it, Some(value)))
                    .collect();
                if let Some(location) = program.processes[process].location
                    && *from != to
                {
                    table.insert(location, Some(Term::int(to as u64)));
                }
                self.charge([])?;
                facts.extend(self.assigned(table));
                let block = Block {
                    process,
                    from: *from,
                    to,
                };
                let name = program.block_origin(block).name(&program.processes);
                self.add(name, facts)?;
            }
        }
        Ok(())
    }

    /// The locations between a cut point and the next ones, each after those that lead to it, and these.
    fn forward(
        &mut self,
        from: usize,
        cuts: &BTreeSet<usize>,
        leaving: &BTreeMap<usize, Vec<usize>>,
    ) -> Result<(Vec<usize>, BTreeSet<usize>), TooLarge> {
        let targets = |location: usize| {
            let commands = leaving.get(&location).into_iter().flatten();
            let targets = commands.map(|command| self.program.commands[*command].moves[0].to);
            targets.collect::<Vec<usize>>()
        };
        let mut ends = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut finished = Vec::new();
        let mut visits = 0;
        // Depth first: a location is finished when all that lies behind it is.
        let mut path = vec![(from, targets(from))];
        while let Some((location, left)) = path.last_mut() {
            visits += 1;
            let Some(next) = left.pop() else {
                finished.push(*location);
                path.pop();
                continue;
            };
            if cuts.contains(&next) {
                ends.insert(next);
            } else if seen.insert(next) {
                path.push((next, targets(next)));
            }
        }
        self.work.charge(visits)?;
        finished.reverse();
        // The cut point itself was finished last.
        finished.remove(0);
        Ok((finished, ends))
    }

    /// What is known at a location that these commands enter, as far as they come from where something is known.
    fn arrive(
        &mut self,
        commands: &[usize],
        known: &BTreeMap<usize, Known>,
    ) -> Result<Known, TooLarge> {
        let program = self.program;
        let mut arrivals = Vec::new();
        for command in commands.iter().map(|index| &program.commands[*index]) {
            let source = command
                .statement()
                .and_then(|(_, from, _)| known.get(&from));
            let Some(source) = source else {
                continue;
            };
            let sizes = command.guard.iter().map(|it| &it.formula);
            let sizes = sizes
                .chain(command.updates.iter().map(|it| &it.value))
                .map(Term::size);
            let written = source.values.len() + source.required.len() + 1;
            self.work.charge((sizes.sum::<usize>() + written) as u64)?;
            let values = source.values.iter().map(|(variable, value)| {
                (program.variables[*variable].current.clone(), value.clone())
            });
            let values: Substitution = values.collect();
            let mut arrival = source.clone();
            for conjunct in &command.guard {
                let required = conjunct.formula.substitute(&values);
                if !required.is_true() {
                    arrival.required.push(required);
                }
            }
            let updates = command.updates.iter();
            let updates = updates.map(|it| (it.variable, it.value.substitute(&values)));
            arrival.values.extend(updates.collect::<Vec<_>>());
            arrivals.push(arrival);
        }
        self.meet(arrivals)
    }

    /// What is known where several paths meet: what all of them require, that one of them was taken, and by which one it was, the values.
    fn meet(&mut self, mut arrivals: Vec<Known>) -> Result<Known, TooLarge> {
        if arrivals.len() < 2 {
            return Ok(arrivals.pop().unwrap_or_default());
        }
        let sizes = arrivals
            .iter()
            .map(|it| (it.required.len() + it.values.len()) as u64);
        let count = arrivals.len() as u64;
        self.work.charge(sizes.sum::<u64>().saturating_mul(count))?;
        let mut shared = arrivals[0].required.clone();
        for arrival in &arrivals[1..] {
            shared.retain(|it| arrival.required.contains(it));
        }
        let own: Vec<Vec<Term>> = arrivals
            .iter()
            .map(|arrival| {
                let mut own = arrival.required.clone();
                own.retain(|it| !shared.contains(it));
                own
            })
            .collect();
        let mut values = BTreeMap::new();
        for variable in arrivals.iter().flat_map(|it| it.values.keys()) {
            if values.contains_key(variable) {
                continue;
            }
            let value = |arrival: &Known| {
                arrival
                    .values
                    .get(variable)
                    .cloned()
                    .unwrap_or_else(|| self.value(*variable))
            };
            let mut merged = value(&arrivals[arrivals.len() - 1]);
            for (arrival, own) in arrivals.iter().zip(&own).rev().skip(1) {
                merged = Term::and(own.iter().cloned()).ite(value(arrival), merged);
            }
            values.insert(*variable, merged);
        }
        let rounds = count.saturating_mul(count).saturating_mul(count);
        self.work.charge(rounds)?;
        shared.extend(taken(own));
        Ok(Known {
            required: shared,
            values,
        })
    }
}

/// That one of some paths was taken. Two that part at one condition, and are the same otherwise, are one without it.
fn taken(mut paths: Vec<Vec<Term>>) -> Vec<Term> {
    let mut second = 1;
    while second < paths.len() {
        let partner =
            (0..second).find_map(|first| Some((first, parted(&paths[first], &paths[second])?)));
        match partner {
            Some((first, condition)) => {
                paths.remove(second);
                paths[first].retain(|it| *it != condition);
                second = 1;
            }
            None => second += 1,
        }
    }
    match paths.len() {
        1 => paths.remove(0),
        _ => vec![Term::or(paths.into_iter().map(Term::and))],
    }
}

/// The one condition of the first path that the other one has negated, if they have all else in common.
fn parted(first: &[Term], other: &[Term]) -> Option<Term> {
    let mut own = first.iter().filter(|it| !other.contains(it));
    let condition = own.next()?.clone();
    let is_only = own.next().is_none() && first.len() == other.len();
    (is_only && other.contains(&condition.clone().not())).then_some(condition)
}
