//! Blocks in lock step: one transition each, in which every variable is given its value by cases.
//!
//! Edges are gone through in order. Which one a process takes is decided by formulas over the state before the step and by inputs, so that the
//! transition is as large as the edges are together: nothing is multiplied out. A variable goes through its writers, and has at each the value that
//! it would have if there were no others behind it.

use slabcert_certificates::program::{
    Arrival, Inside, Preemption, Program, RacePolicy, Synchronous, Writer,
};
use slabcert_certificates::system::{Conjunct, StateVariable, Transition, Update};
use slabcert_certificates::term::{Operator, Substitution, Term, TermMap};
use std::collections::{BTreeMap, BTreeSet};

/// That no race was seen before: a premise of every transition.
pub(super) fn premises(program: &Program) -> impl Iterator<Item = Term> {
    let races = program.races();
    races.map(|race| Term::symbol(program.variables[race.flag].current.clone()).not())
}

/// Adds the transitions of the blocks, and to all others what becomes of the counters of unstable steps.
pub(super) fn add_transitions(
    program: &Program,
    premises: &[Term],
    transitions: &mut Vec<Transition>,
) {
    transitions.extend(program.synchronous.iter().map(|block| {
        let mut lock_step = LockStep::of(program, block);
        lock_step.decide();
        lock_step.transition(premises)
    }));
    for counter in counters(program) {
        for transition in &mut *transitions {
            let mut updates = transition.updates.iter();
            if !updates.any(|it| it.variable == counter.variable) {
                transition.frame.retain(|it| *it != counter.variable);
                transition.updates.push(counter.clone());
            }
        }
    }
}

/// Where each edge of a block is enabled, over the state and events.
pub fn enabled(program: &Program, block: &Synchronous) -> Vec<Term> {
    LockStep::of(program, block).enabled
}

/// Where a block is stable.
pub fn stable(program: &Program, block: &Synchronous) -> Term {
    LockStep::of(program, block).stable
}

/// What a formula says if no event of a block comes.
pub fn without_events(program: &Program, block: &Synchronous, formula: &Term) -> Term {
    let events = block.events.iter();
    let events = events.map(|event| program.inputs[*event].symbol.clone());
    let absent = events.map(|it| (it, Term::bool(false))).collect();
    without(formula, &absent, &mut TermMap::default())
}

/// What becomes of the counters of unstable steps in a step that is none of their blocks.
fn counters(program: &Program) -> Vec<Update> {
    let blocks = program.synchronous.iter();
    let counted = blocks.filter_map(|block| {
        let variable = block.unstable?;
        let lock_step = LockStep::of(program, block);
        let counter = lock_step.value(variable);
        let value = lock_step.stable.ite(Term::int(1), counter);
        Some(update(variable, value))
    });
    counted.collect()
}

/// A step of a block while it is worked out.
struct LockStep<'p> {
    program: &'p Program,
    block: &'p Synchronous,
    around: BTreeMap<usize, Vec<Inside>>,
    /// Where each edge is enabled.
    enabled: Vec<Term>,
    /// Where no edge is enabled without events.
    stable: Term,
    /// Where each edge is taken.
    taken: Vec<Term>,
}

impl<'p> LockStep<'p> {
    fn of(program: &'p Program, block: &'p Synchronous) -> LockStep<'p> {
        let mut lock_step = LockStep {
            program,
            block,
            around: block.around(),
            enabled: Vec::new(),
            stable: Term::bool(true),
            taken: Vec::new(),
        };
        let edges = block.edges.iter();
        let enabled = edges.map(|edge| {
            let process = edge.edge.process;
            let around = lock_step.around[&process].iter().rev();
            let around = around.map(|inside| lock_step.at(inside.process, inside.location));
            let own = [lock_step.at(process, edge.step().0)];
            let guard: Vec<Term> = match &edge.enabled {
                Some(formula) => vec![formula.clone()],
                None => edge.edge.guard.clone(),
            };
            Term::and(around.chain(own).chain(guard))
        });
        lock_step.enabled = enabled.collect();
        let enabled = Term::or(lock_step.enabled.iter().cloned());
        lock_step.stable = without_events(program, block, &enabled).not();
        lock_step
    }

    fn value(&self, variable: usize) -> Term {
        Term::symbol(self.program.variables[variable].current.clone())
    }

    fn input(&self, input: usize) -> Term {
        Term::symbol(self.program.inputs[input].symbol.clone())
    }

    fn location(&self, process: usize) -> Option<usize> {
        self.program.processes[process].location
    }

    fn at(&self, process: usize, location: usize) -> Term {
        let variable = self.location(process).map(|it| self.value(it));
        variable.map_or_else(
            || Term::bool(true),
            |it| it.equals(Term::int(location as u64)),
        )
    }

    /// Finds out which edges are taken, the processes around others first.
    fn decide(&mut self) {
        self.taken = vec![Term::bool(false); self.block.edges.len()];
        for member in &self.block.members {
            let around = &self.around[&member.process];
            let strong = around
                .iter()
                .filter(|it| it.preemption == Preemption::Strong);
            let stopped = strong.map(|it| self.leaves(it.process, it.location));
            let stopped = Term::or(stopped.collect::<Vec<Term>>());
            let mut leaving: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            for (index, edge) in self.block.edges.iter().enumerate() {
                if edge.edge.process == member.process {
                    leaving.entry(edge.step().0).or_default().push(index);
                }
            }
            for edges in leaving.values() {
                let mut none_before = stopped.clone().not();
                for (position, index) in edges.iter().enumerate() {
                    let later = edges[position + 1..].iter();
                    let later = Term::or(later.map(|it| self.enabled[*it].clone()));
                    let preferred = match self.block.edges[*index].preference {
                        Some(input) => Term::or([self.input(input), later.not()]),
                        None => Term::bool(true),
                    };
                    let taken = [none_before.clone(), self.enabled[*index].clone(), preferred];
                    self.taken[*index] = Term::and(taken);
                    none_before = Term::and([none_before, self.taken[*index].clone().not()]);
                }
            }
        }
    }

    /// That a process takes an edge from a location.
    fn leaves(&self, process: usize, location: usize) -> Term {
        let edges = self.block.edges.iter().zip(&self.taken);
        let edges =
            edges.filter(|(edge, _)| edge.edge.process == process && edge.step().0 == location);
        Term::or(edges.map(|(_, taken)| taken.clone()).collect::<Vec<Term>>())
    }

    fn transition(&self, premises: &[Term]) -> Transition {
        let block = self.block;
        let mut updates = self.locations();
        self.variables(&mut updates);
        for level in &block.levels {
            let new = self.input(level.input);
            let value = match block.arrival {
                Arrival::Always => new,
                Arrival::Stable => self.stable.clone().ite(new, self.value(level.variable)),
            };
            updates.push(update(level.variable, value));
        }
        if let Some(variable) = block.unstable {
            let more = Term::sum(
                [self.value(variable), Term::int(1)],
                self.value(variable).sort(),
            );
            updates.push(update(
                variable,
                self.stable.clone().ite(Term::int(1), more),
            ));
        }
        let written: BTreeSet<usize> = updates.iter().map(|it| it.variable).collect();
        Transition {
            name: block.step_name(),
            guard: self.guard(premises),
            updates,
            relation: Vec::new(),
            frame: (0..self.program.variables.len())
                .filter(|variable| !written.contains(variable))
                .collect(),
            inputs: block.inputs(),
            participants: block.processes(),
            origin: Some(block.step_origin()),
            position: block.position,
            last_line: None,
        }
    }

    /// Events come where they may, what is chosen satisfies what it is chosen for, and levels stay inside their ranges.
    fn guard(&self, premises: &[Term]) -> Vec<Conjunct> {
        let block = self.block;
        let mut guard: Vec<Conjunct> = Vec::new();
        if block.arrival == Arrival::Stable {
            let events = block.events.iter().map(|event| self.input(*event).not());
            let come = events.map(|absent| Term::or([absent, self.stable.clone()]));
            guard.extend(come.map(Conjunct::of_system));
        }
        for (edge, taken) in block.edges.iter().zip(&self.taken) {
            if edge.enabled.is_some() {
                let satisfied = Term::and(edge.edge.guard.iter().cloned());
                guard.push(Conjunct {
                    formula: taken.clone().implies(satisfied),
                    process: Some(edge.edge.process),
                });
            }
        }
        for level in &block.levels {
            let StateVariable { range, .. } = &self.program.variables[level.variable];
            if let Some((low, high)) = range {
                let bounds = self.input(level.input).between(low, high);
                guard.extend(bounds.into_iter().map(Conjunct::of_system));
            }
        }
        guard.extend(premises.iter().cloned().map(Conjunct::of_system));
        guard
    }

    /// Where the processes get to.
    fn locations(&self) -> Vec<Update> {
        let members = self.block.members.iter();
        let updates = members.filter_map(|member| {
            let location = self.location(member.process)?;
            let edges = self.block.edges.iter().zip(&self.taken);
            let edges = edges.filter(|(edge, _)| edge.edge.process == member.process);
            let moved = edges.fold(self.value(location), |stays, (edge, taken)| {
                let to = Term::int(edge.step().1 as u64);
                taken.clone().ite(to, stays)
            });
            let around = self.around[&member.process].iter();
            let left = around.map(|it| self.leaves(it.process, it.location));
            let left = Term::or(left.collect::<Vec<Term>>());
            Some(Update {
                variable: location,
                value: left.ite(Term::int(member.start as u64), moved),
                process: Some(member.process),
            })
        });
        updates
            .filter(|it| it.value != self.value(it.variable))
            .collect()
    }

    /// What the edges write.
    fn variables(&self, updates: &mut Vec<Update>) {
        let block = self.block;
        let mut writers = block.writers();
        for raised in &block.raised {
            writers.entry(*raised).or_default();
        }
        let contested = block.contested();
        let mut races: BTreeMap<usize, Term> = BTreeMap::new();
        for (variable, writers) in &writers {
            let rest = match block.raised.contains(variable) {
                true => Term::bool(false),
                false => self.value(*variable),
            };
            let mut contest = Contest {
                won: rest,
                any: Term::bool(false),
                rank: None,
                race: Term::bool(false),
            };
            let policy = contested.contains_key(variable).then_some(&block.races);
            for writer in writers {
                self.join(&mut contest, policy, *variable, writer);
            }
            updates.push(update(*variable, contest.won));
            races.insert(*variable, contest.race);
        }
        for race in block.errors() {
            let found = race.variables.iter().filter_map(|it| races.remove(it));
            let found = Term::or(found.collect::<Vec<Term>>());
            updates.push(update(race.flag, found));
        }
    }

    /// Lets the edges of one more process write a variable.
    fn join(
        &self,
        contest: &mut Contest,
        policy: Option<&RacePolicy>,
        variable: usize,
        Writer { process, values }: &Writer<'_>,
    ) {
        let writes = Term::or(values.iter().map(|(edge, _)| self.taken[*edge].clone()));
        let values = values.iter();
        let values = values.map(|(edge, value)| (self.taken[*edge].clone(), (*value).clone()));
        let own = values.reduce(|(any, other), (taken, value)| {
            let value = taken.clone().ite(value, other);
            (Term::or([any, taken]), value)
        });
        let Some((_, own)) = own else { return };
        let first = contest.any.clone().not();
        let input = |input: Option<&usize>| input.map(|input| self.input(*input));
        let wins = match policy {
            None => first,
            Some(RacePolicy::Error(_)) => {
                let other = own.clone().equals(contest.won.clone()).not();
                let race = Term::and([writes.clone(), contest.any.clone(), other]);
                contest.race = Term::or([contest.race.clone(), race]);
                first
            }
            Some(RacePolicy::PerVariable(inputs)) => {
                let preferred = input(inputs.get(&(variable, *process)));
                Term::or(preferred.into_iter().chain([first]))
            }
            Some(RacePolicy::Serial(inputs)) => {
                let own = input(inputs.get(process));
                let later = contest.rank.clone().zip(own.clone());
                let later = later.map(|(before, own)| before.less_or_equal(own));
                let wins = Term::or(later.into_iter().chain([first]));
                let takes = Term::and([writes.clone(), wins.clone()]);
                contest.rank = match (contest.rank.take(), own) {
                    (Some(before), Some(own)) => Some(takes.ite(own, before)),
                    (before, own) => before.or(own),
                };
                wins
            }
        };
        let takes = Term::and([writes.clone(), wins]);
        contest.won = takes.ite(own, contest.won.clone());
        contest.any = Term::or([contest.any.clone(), writes]);
    }
}

/// How a variable is written, as far as its writers were gone through.
struct Contest {
    /// The value that it has then.
    won: Term,
    /// That one of them writes.
    any: Term,
    /// The rank of the one whose value it is, where ranks decide and one of them writes.
    rank: Option<Term>,
    /// That two of them write different values.
    race: Term,
}

fn update(variable: usize, value: Term) -> Update {
    Update {
        variable,
        value,
        process: None,
    }
}

/// What a formula says if some symbols are false, without what is decided by that.
fn without(formula: &Term, absent: &Substitution, known: &mut TermMap<Term>) -> Term {
    if let Some(known) = known.get(formula) {
        return known.clone();
    }
    let mut parts = Vec::new();
    let connective = formula.as_application().filter(|(operator, _)| {
        matches!(
            operator,
            Operator::And | Operator::Or | Operator::Not | Operator::Implies
        )
    });
    for argument in connective.into_iter().flat_map(|(_, arguments)| arguments) {
        parts.push(without(argument, absent, known));
    }
    let left = match (connective.map(|(operator, _)| operator), &parts[..]) {
        (Some(Operator::And), _) => Term::and(parts),
        (Some(Operator::Or), _) => Term::or(parts),
        (Some(Operator::Not), [part]) => part.clone().not(),
        (Some(Operator::Implies), [one, other]) => one.clone().implies(other.clone()),
        _ => formula.substitute(absent),
    };
    known.insert(formula, left.clone());
    left
}
