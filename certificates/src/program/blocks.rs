//! Cut points: the locations at which steps of a process begin and end.
//!
//! A process whose text has a location for each statement takes many small steps that nobody has to tell apart. Where it has cut points, a
//! step is a *block*: the process runs from one cut point to the next without a stop, by whichever path its conditions choose (large-block
//! encoding: Beyer, Cimatti, Griggio, Keremoglu and Sebastiani, FMCAD 2009). For this to be one functional transition from cut point to
//! cut point, paths are decided by the state and by what is chosen: where two commands leave a location, one requires what the other
//! excludes; and between cut points there is no cycle, so that nothing is chosen twice in a step.

use super::{Command, Program};
use crate::smtlib::Position;
use crate::structure::Origin;
use crate::term::{MAXIMAL_DEPTH, Term};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// The cut points of processes, by index: numbers of locations. A process that has none here takes each command as a step.
pub type CutPoints = BTreeMap<usize, BTreeSet<usize>>;

/// How many commands the blocks of a program may consist of, counted once for each cut point from which they can be reached.
pub const MOST_COMMANDS_OF_BLOCKS: usize = 1 << 20;

/// Why cut points are none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BlockFault {
    /// The process has no such location.
    #[error("`{0}` has no such location")]
    NoSuchLocation(String),
    /// A command does more than to lead its process from one location to another.
    #[error(
        "`{0}` is no statement of a process with cut points: it moves others, starts anywhere, or is a relation"
    )]
    NoStatement(String),
    /// What a process offers to others is no part of a block.
    #[error("`{0}` has cut points, and offers edges")]
    Offers(String),
    /// Two commands may both be possible.
    #[error(
        "`{0}` and `{1}` leave one location, and the first condition of the one is not the negation of the other's"
    )]
    Undecided(String, String),
    /// More than two commands leave a location.
    #[error("`{0}` is the third command that leaves its location")]
    Third(String),
    /// A loop without a cut point.
    #[error("the location `{0}` is on a cycle without a cut point, or behind one")]
    Cycle(String),
    /// One input stands for two choices.
    #[error("what `{0}` chooses is chosen elsewhere too")]
    ChosenTwice(String),
    /// Formulas would nest too deeply.
    #[error(
        "formulas about the way to `{0}` nest more than {MAXIMAL_DEPTH} levels deep; more cut points are needed"
    )]
    TooDeep(String),
    /// There are too many paths.
    #[error(
        "the blocks amount to more than {MOST_COMMANDS_OF_BLOCKS} commands; more cut points are needed"
    )]
    TooMany,
}

impl Command {
    /// The process that a statement belongs to, and the locations that it leads from and to; nothing for other commands.
    pub fn statement(&self) -> Option<(usize, usize, usize)> {
        match self.moves[..] {
            [step] => Some((step.process, step.from?, step.to)),
            _ => None,
        }
    }
}

impl Program {
    /// Whether a command is part of blocks, and no step of its own.
    pub fn is_inside_blocks(&self, command: &Command) -> bool {
        let mut processes = command.moves.iter().map(|step| step.process);
        processes.any(|process| self.cuts.contains_key(&process))
    }

    /// The blocks that there may be: process, and the cut points at both ends, where commands connect them. The program has been checked
    /// ([`Program::check_blocks`]).
    pub fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        for (process, cuts) in &self.cuts {
            let leaving = self.leaving(*process);
            for from in cuts {
                let mut known = BTreeSet::new();
                let mut open = vec![*from];
                while let Some(location) = open.pop() {
                    for command in leaving.get(&location).into_iter().flatten() {
                        let to = self.commands[*command].moves[0].to;
                        if known.insert(to) && !cuts.contains(&to) {
                            open.push(to);
                        }
                    }
                }
                let ends = known.into_iter().filter(|to| cuts.contains(to));
                blocks.extend(ends.map(|to| Block {
                    process: *process,
                    from: *from,
                    to,
                }));
            }
        }
        blocks
    }

    /// What a block belongs to, and what it is called: its process and its cut points.
    pub fn block_origin(&self, block: Block) -> Origin {
        let [from, to] = [block.from, block.to].map(|it| self.location_name(block.process, it));
        Origin::of(Some(block.process), format!("{from}->{to}"))
    }

    /// Where a block begins in the source.
    pub fn block_position(&self, block: Block) -> Option<Position> {
        let start = Some((block.process, block.from));
        let first = self.commands.iter().find(|command| {
            let statement = command.statement();
            statement.map(|(process, from, _)| (process, from)) == start
        });
        first?.position
    }

    /// The commands that leave each location of a process, by index.
    pub fn leaving(&self, process: usize) -> BTreeMap<usize, Vec<usize>> {
        let mut leaving: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (index, command) in self.commands.iter().enumerate() {
            if let Some((of, from, _)) = command.statement()
                && of == process
            {
                leaving.entry(from).or_default().push(index);
            }
        }
        leaving
    }

    /// Whether blocks are transitions: whether a path is chosen by conditions and ends.
    ///
    /// # Errors
    /// When they are not.
    pub fn check_blocks(&self) -> Result<(), BlockFault> {
        let mut chosen = FxHashSet::default();
        for command in self.commands.iter().filter(|it| self.is_inside_blocks(it)) {
            let name = || command.name.clone();
            let is_relation = !command.relation.is_empty() || !command.modifies.is_empty();
            if command.statement().is_none() || is_relation {
                return Err(BlockFault::NoStatement(name()));
            }
            if !command.choices.iter().all(|input| chosen.insert(*input)) {
                return Err(BlockFault::ChosenTwice(name()));
            }
        }
        let mut amount = 0;
        for (process, cuts) in &self.cuts {
            let own = &self.processes[*process];
            if self.edges.iter().any(|edge| edge.process == *process) {
                return Err(BlockFault::Offers(own.name.clone()));
            }
            let count = self.count_locations(own.location);
            if cuts.iter().any(|location| *location >= count) {
                return Err(BlockFault::NoSuchLocation(own.name.clone()));
            }
            let leaving = self.leaving(*process);
            for commands in leaving.values() {
                self.check_decided(commands)?;
            }
            let nesting = self.nesting(*process)?;
            if let Some((location, _)) = nesting
                .into_iter()
                .find(|(_, depth)| *depth > MAXIMAL_DEPTH)
            {
                return Err(BlockFault::TooDeep(self.location_name(*process, location)));
            }
            for cut in cuts {
                let mut known = BTreeSet::from([*cut]);
                let mut open = vec![*cut];
                while let Some(location) = open.pop() {
                    let commands = leaving.get(&location).into_iter().flatten();
                    for command in commands {
                        amount += 1;
                        let to = self.commands[*command].moves[0].to;
                        if !cuts.contains(&to) && known.insert(to) {
                            open.push(to);
                        }
                    }
                    if amount > MOST_COMMANDS_OF_BLOCKS {
                        return Err(BlockFault::TooMany);
                    }
                }
            }
        }
        Ok(())
    }

    /// At most two commands leave a location, and one of them requires what the other excludes.
    fn check_decided(&self, commands: &[usize]) -> Result<(), BlockFault> {
        let command = |index: usize| &self.commands[index];
        match *commands {
            [] | [_] => Ok(()),
            [first, second] => {
                let [first, second] = [command(first), command(second)];
                let conditions = first.guard.first().zip(second.guard.first());
                match conditions {
                    Some((one, other)) if one.formula == other.formula.clone().not() => Ok(()),
                    _ => Err(BlockFault::Undecided(
                        first.name.clone(),
                        second.name.clone(),
                    )),
                }
            }
            [_, _, third, ..] => Err(BlockFault::Third(command(third).name.clone())),
        }
    }

    /// At most how deep the terms nest that say what a process does from a cut point to each location, by number.
    ///
    /// # Errors
    /// When there is a cycle without a cut point.
    pub fn nesting(&self, process: usize) -> Result<BTreeMap<usize, u32>, BlockFault> {
        let none = BTreeSet::new();
        let cuts = self.cuts.get(&process).unwrap_or(&none);
        let leaving = self.leaving(process);
        // How many commands enter each location, and how many of them are still to be followed.
        let mut entering: BTreeMap<usize, u32> = BTreeMap::new();
        for command in leaving.values().flatten() {
            *entering
                .entry(self.commands[*command].moves[0].to)
                .or_default() += 1;
        }
        let mut missing = entering.clone();
        let mut nesting: BTreeMap<usize, u32> = BTreeMap::new();
        let starts = leaving
            .keys()
            .filter(|from| cuts.contains(from) || !entering.contains_key(from));
        let mut open: Vec<usize> = starts.copied().collect();
        while let Some(location) = open.pop() {
            // From a cut point on, everything begins anew.
            let own = if cuts.contains(&location) {
                0
            } else {
                nesting.get(&location).copied().unwrap_or(0)
            };
            for command in leaving.get(&location).into_iter().flatten() {
                let command = &self.commands[*command];
                let to = command.moves[0].to;
                let guard = command.guard.iter().map(|it| &it.formula);
                let depths = guard
                    .chain(command.updates.iter().map(|it| &it.value))
                    .map(Term::depth);
                // Where paths meet, each adds a condition, of which there may be a disjunction of conjunctions.
                let after = own
                    .saturating_add(depths.max().unwrap_or(0))
                    .saturating_add(entering[&to] + 3);
                let known = nesting.entry(to).or_default();
                *known = after.max(*known);
                if let Some(count) = missing.get_mut(&to) {
                    *count -= 1;
                    if *count == 0 && !cuts.contains(&to) {
                        open.push(to);
                    }
                }
            }
        }
        // What was never left is on a cycle, or behind one.
        let stuck = missing
            .iter()
            .find(|(location, count)| **count > 0 && !cuts.contains(location));
        match stuck {
            Some((location, _)) => Err(BlockFault::Cycle(self.location_name(process, *location))),
            None => Ok(nesting),
        }
    }

    /// What a location of a process is called, by number.
    pub fn location_name(&self, process: usize, number: usize) -> String {
        let names = self.processes[process]
            .location
            .and_then(|it| self.variables[it].values.as_ref());
        let name = names.and_then(|table| table.values.get(number));
        name.cloned().unwrap_or_else(|| number.to_string())
    }
}

/// All paths of a process from one cut point to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Block {
    /// The process, by index.
    pub process: usize,
    /// Where it begins, by number.
    pub from: usize,
    /// Where it ends, by number.
    pub to: usize,
}
