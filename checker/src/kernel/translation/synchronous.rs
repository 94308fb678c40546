//! What a block in lock step means: facts about the values after its step, one for each way in which they come about.
//!
//! Which edge is taken, and who wins a race, is said of each by itself: what it needs of all that compete with it. So nothing depends on an order
//! in which edges would be gone through.

use super::{Table, Translator, weight};
use slabcert_certificates::program::{
    Arrival, Inside, Preemption, RacePolicy, Synchronous, SynchronousEdge,
};
use slabcert_certificates::term::{Substitution, Term};
use slabcert_certificates::work::TooLarge;
use std::collections::BTreeMap;

/// What it takes to make a fact about an edge, a writer, or a pair of them, in units of work.
const FACT: u64 = 16;

/// Where edges can be taken, and where they are.
struct Edges {
    enabled: Vec<Term>,
    taken: Vec<Term>,
}

/// A process that writes a variable.
struct Writer<'t> {
    process: usize,
    /// That it does.
    writes: Term,
    /// Where each of its edges is taken, and the value that this one gives.
    values: Vec<(Term, &'t Term)>,
}

impl<'p> Translator<'p> {
    /// Takes note of what is so of blocks in every step: where each is stable, and that there was no race.
    pub(super) fn find_blocks(&mut self) -> Result<(), TooLarge> {
        let program = self.program;
        for race in program.races() {
            self.work.charge(FACT)?;
            let flag = self.value(race.flag).not();
            self.premises.push(flag);
        }
        for block in &program.synchronous {
            let enabled = self.enabled_edges(block)?;
            let absent: Substitution = (block.events.iter())
                .map(|event| {
                    let symbol = program.inputs[*event].symbol.clone();
                    (symbol, Term::bool(false))
                })
                .collect();
            let mut some = Vec::new();
            for formula in enabled {
                self.work.charge(FACT + formula.size() as u64)?;
                some.push(formula.substitute(&absent));
            }
            self.stable.push(Term::or(some).not());
        }
        Ok(())
    }

    /// Says of the counters of blocks that do not take the step how they go on.
    pub(super) fn count_unstable(
        &mut self,
        own: Option<usize>,
        table: &mut Table,
        facts: &mut Vec<Term>,
    ) -> Result<(), TooLarge> {
        let program = self.program;
        for (number, block) in program.synchronous.iter().enumerate() {
            let Some(counter) = block.unstable.filter(|_| own != Some(number)) else {
                continue;
            };
            self.work.charge(FACT)?;
            let next = self.left_open(counter, table);
            let stable = self.stable[number].clone();
            facts.push(stable.clone().implies(next.equals(Term::int(1))));
            facts.push(Term::or([stable, self.stays[counter].clone()]));
        }
        Ok(())
    }

    /// Adds the steps of blocks.
    pub(super) fn lock_steps(&mut self) -> Result<(), TooLarge> {
        let program = self.program;
        for (number, block) in program.synchronous.iter().enumerate() {
            self.charge([])?;
            let facts = self.lock_step(number, block)?;
            self.add(block.step_name(), facts)?;
        }
        Ok(())
    }

    fn lock_step(&mut self, number: usize, block: &'p Synchronous) -> Result<Vec<Term>, TooLarge> {
        let stable = self.stable[number].clone();
        let mut facts = self.premises.clone();
        let mut table = Table::new();
        if block.arrival == Arrival::Stable {
            for event in &block.events {
                self.work.charge(FACT)?;
                let event = self.chosen(*event);
                facts.push(event.implies(stable.clone()));
            }
        }
        let around = block.around();
        let edges = Edges {
            enabled: self.enabled_edges(block)?,
            taken: Vec::new(),
        };
        let edges = self.taken_edges(block, &around, edges)?;
        for (edge, taken) in block.edges.iter().zip(&edges.taken) {
            if edge.enabled.is_some() {
                self.work.charge(FACT + weight(&edge.edge.guard))?;
                let guard = edge.edge.guard.iter().cloned();
                facts.push(taken.clone().implies(Term::and(guard)));
            }
        }
        self.moves(block, &around, &edges, &mut table, &mut facts)?;
        self.writes(block, &edges, &mut table, &mut facts)?;
        for level in &block.levels {
            self.work.charge(FACT)?;
            let next = self.left_open(level.variable, &mut table);
            let new = self.chosen(level.input);
            let range = &self.program.variables[level.variable].range;
            if let Some((low, high)) = range {
                facts.extend(new.between(low, high));
            }
            let changes = next.equals(new);
            let stays = self.stays[level.variable].clone();
            match block.arrival {
                Arrival::Always => facts.push(changes),
                Arrival::Stable => {
                    facts.push(stable.clone().implies(changes));
                    facts.push(Term::or([stable.clone(), stays]));
                }
            }
        }
        if let Some(counter) = block.unstable {
            let next = self.left_open(counter, &mut table);
            let one = Term::int(1);
            let more = next.clone().minus(one.clone());
            let more = more.equals(self.value(counter));
            facts.push(stable.clone().implies(next.equals(one)));
            facts.push(Term::or([stable, more]));
        }
        self.count_unstable(Some(number), &mut table, &mut facts)?;
        facts.extend(self.assigned(table));
        Ok(facts)
    }

    /// Leaves the value of a variable after the step to facts that follow.
    fn left_open(&self, variable: usize, table: &mut Table) -> Term {
        table.insert(variable, None);
        Term::symbol(self.program.variables[variable].next.clone())
    }

    fn chosen(&self, input: usize) -> Term {
        Term::symbol(self.program.inputs[input].symbol.clone())
    }

    /// Where edges are enabled.
    fn enabled_edges(&mut self, block: &Synchronous) -> Result<Vec<Term>, TooLarge> {
        let around = block.around();
        let mut enabled = Vec::new();
        for edge in &block.edges {
            let process = edge.edge.process;
            let mut facts: Vec<Term> = self.at(process, edge.step().0).into_iter().collect();
            for inside in &around[&process] {
                self.work.charge(FACT)?;
                facts.extend(self.at(inside.process, inside.location));
            }
            match &edge.enabled {
                Some(formula) => facts.push(formula.clone()),
                None => facts.extend(edge.edge.guard.iter().cloned()),
            }
            self.work.charge(FACT + weight(&facts))?;
            enabled.push(Term::and(facts));
        }
        Ok(enabled)
    }

    /// Where edges are taken: they win against each other one that leaves their location, and no process around theirs stops them.
    fn taken_edges(
        &mut self,
        block: &Synchronous,
        around: &BTreeMap<usize, Vec<Inside>>,
        mut edges: Edges,
    ) -> Result<Edges, TooLarge> {
        let mut rivals: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
        let place = |edge: &SynchronousEdge| (edge.edge.process, edge.step().0);
        for (index, edge) in block.edges.iter().enumerate() {
            rivals.entry(place(edge)).or_default().push(index);
        }
        // Each member comes after those around it.
        let ranks = block.members.iter().enumerate();
        let ranks: BTreeMap<usize, usize> = ranks.map(|(rank, it)| (it.process, rank)).collect();
        let mut order: Vec<usize> = (0..block.edges.len()).collect();
        order.sort_by_key(|index| ranks.get(&block.edges[*index].edge.process));
        edges.taken = vec![Term::bool(false); block.edges.len()];
        for index in order {
            let edge = &block.edges[index];
            let mut facts = vec![edges.enabled[index].clone()];
            let preference = |edge: usize| {
                let input = block.edges[edge].preference;
                input.map_or_else(|| Term::bool(true), |it| self.chosen(it))
            };
            let rivals = &rivals[&place(edge)];
            let later: Vec<Term> = (rivals.iter().filter(|it| **it > index))
                .map(|it| edges.enabled[*it].clone())
                .collect();
            if !later.is_empty() {
                facts.push(Term::or([preference(index), Term::or(later).not()]));
            }
            for other in rivals.iter().filter(|it| **it < index) {
                let preferred = Term::and([edges.enabled[*other].clone(), preference(*other)]);
                facts.push(preferred.not());
            }
            for inside in &around[&edge.edge.process] {
                if inside.preemption == Preemption::Strong {
                    facts.push(leaves(block, &edges.taken, inside).not());
                }
            }
            let amount = rivals.len() + around[&edge.edge.process].len() * block.edges.len();
            self.work.charge(FACT * amount as u64 + weight(&facts))?;
            edges.taken[index] = Term::and(facts);
        }
        Ok(edges)
    }

    /// Where processes get to.
    fn moves(
        &mut self,
        block: &Synchronous,
        around: &BTreeMap<usize, Vec<Inside>>,
        edges: &Edges,
        table: &mut Table,
        facts: &mut Vec<Term>,
    ) -> Result<(), TooLarge> {
        for member in &block.members {
            let Some(location) = self.program.processes[member.process].location else {
                continue;
            };
            let around = &around[&member.process];
            let amount = (1 + around.len()) * (1 + block.edges.len());
            self.work.charge(FACT * amount as u64)?;
            let left = around.iter().map(|it| leaves(block, &edges.taken, it));
            let left = Term::or(left.collect::<Vec<Term>>());
            let next = self.left_open(location, table);
            let at = |number: usize| next.clone().equals(Term::int(number as u64));
            facts.push(left.clone().implies(at(member.start)));
            let mut moved = vec![left.clone()];
            let own = block.edges.iter().zip(&edges.taken);
            for (edge, taken) in own.filter(|(edge, _)| edge.edge.process == member.process) {
                let arrives = at(edge.step().1);
                facts.push(Term::or([taken.clone().not(), left.clone(), arrives]));
                moved.push(taken.clone());
            }
            moved.push(self.stays[location].clone());
            facts.push(Term::or(moved));
        }
        Ok(())
    }

    /// What variables get.
    fn writes(
        &mut self,
        block: &'p Synchronous,
        edges: &Edges,
        table: &mut Table,
        facts: &mut Vec<Term>,
    ) -> Result<(), TooLarge> {
        for raised in &block.raised {
            let next = self.left_open(*raised, table);
            let raising = (block.edges.iter().zip(&edges.taken))
                .filter(|(edge, _)| edge.edge.updates.iter().any(|(it, _)| it == raised));
            let raising: Vec<Term> = raising.map(|(_, taken)| taken.clone()).collect();
            self.work.charge(FACT * (1 + block.edges.len() as u64))?;
            facts.push(next.equals(Term::or(raising)));
        }
        let contested = block.contested();
        let mut races: BTreeMap<usize, Vec<Term>> = BTreeMap::new();
        for (variable, writers) in block.writers() {
            if block.raised.contains(&variable) {
                continue;
            }
            let writers = writers.into_iter().map(|writer| {
                let values = writer.values.into_iter();
                let values = values.map(|(edge, value)| (edges.taken[edge].clone(), value));
                let values: Vec<(Term, &Term)> = values.collect();
                Writer {
                    process: writer.process,
                    writes: Term::or(values.iter().map(|(taken, _)| taken.clone())),
                    values,
                }
            });
            let writers: Vec<Writer<'_>> = writers.collect();
            let count = writers.len() as u64;
            let values: u64 = writers.iter().map(|it| it.values.len() as u64).sum();
            self.work
                .products(&[(FACT * (count + values), count + values)])?;
            let is_contested = contested.contains_key(&variable);
            let next = self.left_open(variable, table);
            for (rank, writer) in writers.iter().enumerate() {
                let wins = match is_contested {
                    true => self.wins(&block.races, variable, &writers, rank),
                    // It does not matter whose value it is.
                    false => Term::bool(true),
                };
                for (taken, value) in &writer.values {
                    let wins = Term::and([taken.clone(), wins.clone()]);
                    facts.push(wins.implies(next.clone().equals((*value).clone())));
                }
            }
            let nobody = writers.iter().map(|it| it.writes.clone());
            let stays = self.stays[variable].clone();
            facts.push(Term::or(nobody.chain([stays])));
            if is_contested {
                races.insert(variable, differing(&writers));
            }
        }
        for race in block.errors() {
            let next = self.left_open(race.flag, table);
            let its = race.variables.iter().filter_map(|it| races.remove(it));
            facts.push(next.equals(Term::or(its.flatten().collect::<Vec<Term>>())));
        }
        Ok(())
    }

    /// That a writer wins against each other one, if it writes.
    fn wins(
        &self,
        races: &RacePolicy,
        variable: usize,
        writers: &[Writer<'_>],
        own: usize,
    ) -> Term {
        let mut facts = Vec::new();
        let others = writers.iter().enumerate().filter(|(rank, _)| *rank != own);
        match races {
            RacePolicy::Error(_) => {
                let before = others.filter(|(rank, _)| *rank < own);
                facts.extend(before.map(|(_, it)| it.writes.clone().not()));
            }
            RacePolicy::PerVariable(inputs) => {
                let preferred = |writer: &Writer<'_>| {
                    let input = inputs.get(&(variable, writer.process));
                    input.map_or_else(|| Term::bool(false), |it| self.chosen(*it))
                };
                let (before, behind): (Vec<_>, Vec<_>) = others.partition(|(rank, _)| *rank < own);
                let before = before.into_iter().map(|(_, it)| it.writes.clone());
                let alone = Term::or(before.collect::<Vec<Term>>()).not();
                facts.push(Term::or([preferred(&writers[own]), alone]));
                for (_, it) in behind {
                    let stronger = Term::and([it.writes.clone(), preferred(it)]);
                    facts.push(stronger.not());
                }
            }
            RacePolicy::Serial(inputs) => {
                let rank = |writer: &Writer<'_>| {
                    let input = inputs.get(&writer.process);
                    input.map_or_else(|| Term::int(0), |it| self.chosen(*it))
                };
                for (number, it) in others {
                    let comes_first = match number < own {
                        true => rank(it).less_or_equal(rank(&writers[own])),
                        false => rank(it).less(rank(&writers[own])),
                    };
                    facts.push(it.writes.clone().implies(comes_first));
                }
            }
        }
        Term::and(facts)
    }
}

/// That a process takes an edge from a location.
fn leaves(block: &Synchronous, taken: &[Term], inside: &Inside) -> Term {
    let edges = block.edges.iter().zip(taken);
    let edges = edges.filter(|(edge, _)| {
        (edge.edge.process, edge.step().0) == (inside.process, inside.location)
    });
    Term::or(edges.map(|(_, taken)| taken.clone()).collect::<Vec<Term>>())
}

/// Each way in which two processes write different values.
fn differing(writers: &[Writer<'_>]) -> Vec<Term> {
    let mut ways = Vec::new();
    for (rank, one) in writers.iter().enumerate() {
        for other in &writers[rank + 1..] {
            for (taken, value) in &one.values {
                for (too, another) in &other.values {
                    let differ = (*value).clone().equals((*another).clone()).not();
                    ways.push(Term::and([taken.clone(), too.clone(), differ]));
                }
            }
        }
    }
    ways
}
