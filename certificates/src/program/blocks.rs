//! Cut points: the locations at which steps of a process begin and end.
//!
//! A process whose text has a location for each statement takes many small steps that nobody has to tell apart. Where it has cut points, a
//! step is a *block*: the process runs from one cut point to the next without a stop, by whichever path its conditions choose (large-block
//! encoding: Beyer, Cimatti, Griggio, Keremoglu and Sebastiani, FMCAD 2009). For this to be one functional transition from cut point to
//! cut point, paths are decided by the state and by what is chosen: where two commands leave a location, one requires what the other
//! excludes; and between cut points there is no cycle, so that nothing is chosen twice in a step. Locations between cut points are never
//! seen: no process begins at one, and no property speaks of one.

use super::{Call, Command, Program, Scheduler};
use crate::smtlib::Position;
use crate::structure::Origin;
use crate::term::{MAXIMAL_DEPTH, Operator, Term};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// The cut points of processes, by index: numbers of locations. A process that has none here takes each command as a step.
pub type CutPoints = BTreeMap<usize, BTreeSet<usize>>;

/// How many commands and bytes of names all blocks of a program may have together. A command counts once for each cut point from which it can
/// be reached.
pub const MOST_BLOCKS: usize = 1 << 20;

/// How many levels of formulas a call of the scheduler adds at most, or the beginning of a block where there is one.
const CALL_LEVELS: u32 = 8;

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
    /// The process does not begin at a cut point.
    #[error(
        "the initial condition does not say that `{0}` begins at a cut point, or at one of several"
    )]
    NoStart(String),
    /// A formula asks for locations that are never seen.
    #[error(
        "the location of `{0}` is compared with something that is no cut point, and is never seen elsewhere"
    )]
    Unseen(String),
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
    /// A command reads where its process is.
    #[error(
        "`{0}` reads the location of its own process, which is that of the cut point while the block runs"
    )]
    ReadsLocation(String),
    /// A command writes a variable with a declared range.
    #[error("`{0}` writes `{1}`, whose range would not be looked at inside a block")]
    Range(String, String),
    /// A location that is entered, left by nothing, and no cut point.
    #[error("nothing leads on from `{0}`, so that it has to be a cut point")]
    DeadEnd(String),
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
        "the blocks amount to more than {MOST_BLOCKS} commands and bytes of names; more cut points are needed"
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

    /// The blocks that there may be, where commands connect cut points. The program has been checked ([`Program::check_blocks`]).
    pub fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        for (process, cuts) in &self.cuts {
            let leaving = self.leaving(*process);
            for from in cuts {
                let (_, ends) = self.reach(*from, cuts, &leaving, &|_| 1);
                blocks.extend(ends.into_iter().map(|to| Block {
                    process: *process,
                    from: *from,
                    to,
                }));
            }
        }
        blocks
    }

    /// How much the commands weigh together on the paths from a cut point to the next ones, and these.
    fn reach(
        &self,
        from: usize,
        cuts: &BTreeSet<usize>,
        leaving: &BTreeMap<usize, Vec<usize>>,
        weight: &dyn Fn(usize) -> usize,
    ) -> (usize, BTreeSet<usize>) {
        let mut commands: usize = 0;
        let mut known = BTreeSet::new();
        let mut open = vec![from];
        while let Some(location) = open.pop() {
            for command in leaving.get(&location).into_iter().flatten() {
                commands = commands.saturating_add(weight(*command));
                let to = self.commands[*command].moves[0].to;
                if known.insert(to) && !cuts.contains(&to) {
                    open.push(to);
                }
            }
        }
        known.retain(|to| cuts.contains(to));
        (commands, known)
    }

    /// What a block belongs to, and what it is called: its process and its cut points.
    pub fn block_origin(&self, block: Block) -> Origin {
        let [from, to] = [block.from, block.to].map(|it| self.location_name(block.process, it));
        Origin::of(Some(block.process), format!("{from}->{to}"))
    }

    /// Where the blocks from a cut point begin in the source, with the commands that leave each location.
    pub fn start_position(
        &self,
        from: usize,
        leaving: &BTreeMap<usize, Vec<usize>>,
    ) -> Option<Position> {
        let first = leaving.get(&from)?.first()?;
        self.commands[*first].position
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
        let ranged = self.ranges.iter().flat_map(|range| &range.variables);
        let ranged: FxHashSet<usize> = ranged.copied().collect();
        let mut chosen = FxHashSet::default();
        let commands = self.commands.iter().enumerate();
        for (index, command) in commands.filter(|(_, it)| self.is_inside_blocks(it)) {
            let name = || command.name.clone();
            let is_relation = !command.relation.is_empty() || !command.modifies.is_empty();
            if command.statement().is_none() || is_relation {
                return Err(BlockFault::NoStatement(name()));
            }
            let call = self.scheduler.as_ref().and_then(|it| it.calls.get(&index));
            self.check_statement(command, call, &ranged)?;
            if !command.choices.iter().all(|input| chosen.insert(*input)) {
                return Err(BlockFault::ChosenTwice(name()));
            }
        }
        let scheduler = self.scheduler.as_deref();
        let cycle = scheduler.map_or(0, Scheduler::delta_amount);
        let weight = |command: usize| match scheduler.and_then(|it| it.calls.get(&command)) {
            Some(Call::NotifyNow(_) | Call::Start(_)) => 1 + cycle,
            _ => 1,
        };
        let mut amount: usize = 0;
        for (process, cuts) in &self.cuts {
            let own = &self.processes[*process];
            if self.edges.iter().any(|edge| edge.process == *process) {
                return Err(BlockFault::Offers(own.name.clone()));
            }
            let count = self.count_locations(own.location);
            if cuts.iter().any(|location| *location >= count) {
                return Err(BlockFault::NoSuchLocation(own.name.clone()));
            }
            if let Some(location) = own.location
                && !self
                    .init
                    .iter()
                    .any(|it| self.states_cut(it, location, cuts))
            {
                return Err(BlockFault::NoStart(own.name.clone()));
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
            self.check_ends(cuts, &leaving)?;
            for cut in cuts {
                let (commands, ends) = self.reach(*cut, cuts, &leaving, &weight);
                let names = ends.iter().chain([cut]);
                let names = names.map(|end| self.location_name(*process, *end).len());
                let names = names.max().unwrap_or(0) + own.name.len();
                let names = ends.len() * (names + 1);
                amount = amount.saturating_add(commands).saturating_add(names);
                if amount > MOST_BLOCKS {
                    return Err(BlockFault::TooMany);
                }
            }
        }
        Ok(())
    }

    /// A statement reads nothing that its block hides: its own location is the cut point as long as the block runs, and a range that is
    /// left and entered again would not be seen to be left.
    fn check_statement(
        &self,
        command: &Command,
        call: Option<&Call>,
        ranged: &FxHashSet<usize>,
    ) -> Result<(), BlockFault> {
        let name = || command.name.clone();
        let location = command
            .moves
            .first()
            .and_then(|step| self.processes[step.process].location);
        let location = location.map(|it| &self.variables[it].current);
        let guard = command.guard.iter().map(|it| &it.formula);
        let given = call.and_then(Call::given);
        let mut terms = guard
            .chain(command.updates.iter().map(|it| &it.value))
            .chain(given);
        if terms.any(|term| location.is_some_and(|it| term.symbols().contains(it))) {
            return Err(BlockFault::ReadsLocation(name()));
        }
        match command
            .updates
            .iter()
            .find(|it| ranged.contains(&it.variable))
        {
            Some(update) => {
                let variable = self.variables[update.variable].name().to_owned();
                Err(BlockFault::Range(name(), variable))
            }
            None => Ok(()),
        }
    }

    /// Where nothing leads on is a cut point: else the way there would be no step.
    fn check_ends(
        &self,
        cuts: &BTreeSet<usize>,
        leaving: &BTreeMap<usize, Vec<usize>>,
    ) -> Result<(), BlockFault> {
        for command in leaving
            .values()
            .flatten()
            .map(|index| &self.commands[*index])
        {
            let step = command.moves[0];
            if !cuts.contains(&step.to) && !leaving.contains_key(&step.to) {
                return Err(BlockFault::DeadEnd(
                    self.location_name(step.process, step.to),
                ));
            }
        }
        Ok(())
    }

    /// Whether a conjunct says that a location is a cut point, or one of several.
    pub(super) fn states_cut(
        &self,
        conjunct: &Term,
        location: usize,
        cuts: &BTreeSet<usize>,
    ) -> bool {
        match conjunct.as_application() {
            Some((Operator::Or, parts)) => {
                parts.iter().all(|it| self.states_cut(it, location, cuts))
            }
            Some((Operator::Equal, [left, right])) => {
                let is_cut = cuts.iter().any(|cut| *right == Term::int(*cut as u64));
                left.as_symbol() == Some(&self.variables[location].current) && is_cut
            }
            _ => false,
        }
    }

    /// Whether a property speaks of processes with cut points only where they are seen: it compares their locations with cut points.
    ///
    /// # Errors
    /// When it does not: it would hold of what is never seen.
    pub fn check_seen(&self, formula: &Term) -> Result<(), BlockFault> {
        for (process, cuts) in &self.cuts {
            let own = &self.processes[*process];
            let Some(location) = own.location else {
                continue;
            };
            let current = &self.variables[location].current;
            let mut is_seen = true;
            formula.visit(&mut |node| {
                let mentions = node.as_application().is_some_and(|(_, arguments)| {
                    arguments.iter().any(|it| it.as_symbol() == Some(current))
                });
                is_seen &= !mentions || self.states_cut(node, location, cuts);
            });
            if !is_seen {
                return Err(BlockFault::Unseen(own.name.clone()));
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
                self.scheduler.as_ref().map_or(0, |_| CALL_LEVELS)
            } else {
                nesting.get(&location).copied().unwrap_or(0)
            };
            for command in leaving.get(&location).into_iter().flatten() {
                let calls = self.scheduler.as_ref().map(|it| &it.calls);
                let call = calls.and_then(|it| it.get(command));
                let command = &self.commands[*command];
                let to = command.moves[0].to;
                let guard = command.guard.iter().map(|it| &it.formula);
                let depths = guard
                    .chain(command.updates.iter().map(|it| &it.value))
                    .chain(call.and_then(Call::given))
                    .map(Term::depth);
                // Where paths meet, each adds a condition, of which there may be a disjunction of conjunctions.
                let after = own
                    .saturating_add(depths.max().unwrap_or(0))
                    .saturating_add(call.map_or(0, |_| CALL_LEVELS))
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
