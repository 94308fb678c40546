//! What blocks mean: from cut point to cut point, all paths as one step.
//!
//! The locations between are visited in an order in which every path goes forward. At each of them the paths that arrive are looked up
//! among its predecessors: where one was taken, what was required on it, and which values it left, in terms of the state at the cut point.
//! Arrivals exclude each other, because one of two commands that leave a location requires what the other excludes.

use super::{Table, Translator, disjuncts, weight};
use slabcert_certificates::program::Block;
use slabcert_certificates::term::{Substitution, Term};
use slabcert_certificates::work::TooLarge;
use std::collections::{BTreeMap, BTreeSet};

/// What it takes to make an equation, in units of work.
const EQUATION: u64 = 16;

/// What is known where a process has come to: what it took, each a condition, and the values of what was written.
#[derive(Clone, Default)]
pub(super) struct Known {
    pub(super) required: Vec<Term>,
    pub(super) values: BTreeMap<usize, Term>,
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
            let begin = self.begin(process, *from)?;
            let mut known = BTreeMap::from([(*from, begin)]);
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
                // An equation for each value is made for each end.
                self.charge([])?;
                self.work.charge(EQUATION * table.len() as u64)?;
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
        for index in commands {
            let command = &program.commands[*index];
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
            self.call(*index, &values, &mut arrival)?;
            arrivals.push(arrival);
        }
        self.meet(arrivals)
    }

    /// Whether two terms are equal; looking costs what has to be compared.
    fn same(&mut self, one: &Term, other: &Term) -> Result<bool, TooLarge> {
        self.work.charge(one.effort_to_compare(other) as u64)?;
        Ok(one == other)
    }

    fn contains(&mut self, terms: &[Term], term: &Term) -> Result<bool, TooLarge> {
        for other in terms {
            if self.same(other, term)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The terms of a list that another one lacks.
    fn lacking(&mut self, terms: &[Term], other: &[Term]) -> Result<Vec<Term>, TooLarge> {
        let mut lacking = Vec::new();
        for term in terms {
            if !self.contains(other, term)? {
                lacking.push(term.clone());
            }
        }
        Ok(lacking)
    }

    /// What is known where several paths meet: what all of them require, that one of them was taken, and by which one it was, the values.
    fn meet(&mut self, mut arrivals: Vec<Known>) -> Result<Known, TooLarge> {
        if arrivals.len() < 2 {
            return Ok(arrivals.pop().unwrap_or_default());
        }
        // What was required before the paths parted is at the front of all lists, the same terms.
        let first = arrivals[0].required.iter().enumerate();
        let is_front = |(index, term): &(usize, &Term)| {
            let mut others = arrivals[1..].iter().map(|it| it.required.get(*index));
            others.all(|it| it.is_some_and(|it| it.address() == term.address()))
        };
        let front = first.take_while(is_front).count();
        self.work.charge((front * arrivals.len()) as u64)?;
        let mut required = arrivals[0].required[..front].to_vec();
        let mut own: Vec<Vec<Term>> = arrivals
            .iter()
            .map(|it| it.required[front..].to_vec())
            .collect();
        let mut shared = own[0].clone();
        for terms in &own[1..] {
            let missing = self.lacking(&shared, terms)?;
            shared = self.lacking(&shared, &missing)?;
        }
        for terms in &mut own {
            *terms = self.lacking(terms, &shared)?;
        }
        required.extend(shared);
        let mut conditions = Vec::new();
        for terms in &own {
            self.work.charge(weight(terms) + terms.len() as u64)?;
            conditions.push(Term::and(terms.iter().cloned()));
        }
        let mut values: BTreeMap<usize, Term> = BTreeMap::new();
        for variable in arrivals.iter().flat_map(|it| it.values.keys()) {
            if values.contains_key(variable) {
                continue;
            }
            let mut merged: Option<Term> = None;
            for (arrival, condition) in arrivals.iter().zip(&conditions).rev() {
                let value = arrival.values.get(variable).cloned();
                let value = value.unwrap_or_else(|| self.value(*variable));
                merged = Some(match merged {
                    None => value,
                    Some(otherwise) => {
                        self.same(&value, &otherwise)?;
                        condition.clone().ite(value, otherwise)
                    }
                });
            }
            values.extend(merged.map(|value| (*variable, value)));
        }
        required.extend(self.taken(own)?);
        Ok(Known { required, values })
    }

    /// That one of some paths was taken. Two that part at one condition, and are the same otherwise, are one without it.
    fn taken(&mut self, mut paths: Vec<Vec<Term>>) -> Result<Vec<Term>, TooLarge> {
        let mut second = 1;
        while second < paths.len() {
            let mut partner = None;
            for first in 0..second {
                if let Some(condition) = self.parted(&paths[first], &paths[second])? {
                    partner = Some((first, condition));
                    break;
                }
            }
            match partner {
                Some((first, condition)) => {
                    paths.remove(second);
                    paths[first] = self.lacking(&paths[first], &[condition])?;
                    second = 1;
                }
                None => second += 1,
            }
        }
        if paths.len() == 1 {
            return Ok(paths.remove(0));
        }
        for path in &paths {
            self.work.charge(weight(path) + path.len() as u64)?;
        }
        let conjunctions: Vec<Term> = paths.into_iter().map(Term::and).collect();
        self.work.charge(conjunctions.iter().map(disjuncts).sum())?;
        Ok(vec![Term::or(conjunctions)])
    }

    /// The one condition of the first path that the other one has negated, if they have all else in common.
    fn parted(&mut self, first: &[Term], other: &[Term]) -> Result<Option<Term>, TooLarge> {
        self.work.charge(1)?;
        if first.len() != other.len() {
            return Ok(None);
        }
        let mut own = self.lacking(first, other)?;
        let Some(condition) = own.pop().filter(|_| own.is_empty()) else {
            return Ok(None);
        };
        let is_decision = self.contains(other, &condition.clone().not())?;
        Ok(is_decision.then_some(condition))
    }
}
