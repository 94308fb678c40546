//! What a block may be: everything that it names is there, its variables and inputs are its own, and nothing is decided that is not chosen.

use super::{Inside, RacePolicy, Synchronous, SynchronousEdge};
use crate::program::{Program, Requirement};
use crate::term::{MAXIMAL_DEPTH, Operator, Sort, Symbol, Term};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// How many parts all blocks of a program may have together: a part is a pair of edges that leave one location, or of processes that write one
/// variable.
pub const MOST_SYNCHRONOUS: usize = 1 << 20;

/// How many locations a process may be inside of.
pub const MOST_AROUND: usize = 64;

/// How many levels of formulas a writer of a variable adds at most, an edge that leaves a location, or a location around a process.
const LEVELS: usize = 8;

/// Why a block is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SynchronousFault {
    /// There are processes of other kinds.
    #[error(
        "a program with synchronous blocks has no edges, interactions, cut points or scheduler"
    )]
    OtherKinds,
    /// A property that is no invariant.
    #[error("the property `{0}` has to hold always: there are synchronous blocks")]
    Property(String),
    /// A member is none.
    #[error(
        "the member {0} of `{1}` has to be a process with a location, in one block once, and inside locations of at most {MOST_AROUND} earlier members"
    )]
    Member(usize, String),
    /// A location does not exist.
    #[error("`{0}` has no such location")]
    NoSuchLocation(String),
    /// The initial condition does not put a member where it starts.
    #[error("the initial condition does not say that `{0}` is at its start location")]
    NoStart(String),
    /// An edge belongs to no member, or has a label, or no locations.
    #[error("the edge `{0}` has to lead a member from location to location, without a label")]
    Edge(String),
    /// Two edges of one process have one name.
    #[error("`{0}` occurs twice")]
    SameName(String),
    /// What is chosen between edges is not said, or without need.
    #[error(
        "the edge `{0}` has to have an input of sort Bool that says whether it is preferred, exactly if a later edge leaves its location"
    )]
    Preference(String),
    /// Where an edge is enabled is not said, or without need.
    #[error(
        "the edge `{0}` has to say where it is enabled, exactly if its guard reads its choices"
    )]
    Enabled(String),
    /// An input has another sort, or is used for two things.
    #[error("the input {0} of `{1}` has another sort, or is used for two things")]
    Input(usize, String),
    /// A variable of a block has another sort, a range, or is used for two things.
    #[error(
        "the variable `{0}` of a block has another sort, a declared range, or is used for two things"
    )]
    Variable(String),
    /// A variable is written that only the block itself writes.
    #[error("`{0}` writes `{1}`, which only its block gives values")]
    Writes(String, String),
    /// A process of a block is moved by something else.
    #[error("`{0}` moves `{1}`, which is moved by its block alone")]
    Moves(String, String),
    /// It is not said what happens in a race.
    #[error(
        "`{0}` has to say of exactly the variables and processes in which a race can be how it ends"
    )]
    Races(String),
    /// The sizes are too large.
    #[error("the synchronous blocks have more than {MOST_SYNCHRONOUS} pairs of edges or writers")]
    TooMany,
    /// Formulas would nest too deeply.
    #[error("formulas about a step of `{0}` nest more than {MAXIMAL_DEPTH} levels deep")]
    TooDeep(String),
}

type Checked = Result<(), SynchronousFault>;

impl Program {
    /// Whether the synchronous blocks are such.
    ///
    /// # Errors
    /// When one is not.
    pub fn check_synchronous(&self) -> Checked {
        if self.synchronous.is_empty() {
            return Ok(());
        }
        let is_plain = self.edges.is_empty()
            && self.interactions.is_empty()
            && self.cuts.is_empty()
            && self.scheduler.is_none();
        if !is_plain {
            return Err(SynchronousFault::OtherKinds);
        }
        let mut properties = self.properties.iter();
        if let Some(other) = properties.find(|it| !matches!(it.requirement, Requirement::Always(_)))
        {
            return Err(SynchronousFault::Property(other.name.clone()));
        }
        let mut members = FxHashSet::default();
        let mut variables = FxHashSet::default();
        let mut inputs = FxHashSet::default();
        let starts: FxHashSet<(&Symbol, &Term)> = self.init.iter().filter_map(start).collect();
        for process in &self.processes {
            variables.extend(process.location);
        }
        for block in &self.synchronous {
            self.check_members(block, &starts, &mut members)?;
            self.check_inputs(block, &mut inputs)?;
            self.check_own(block, &mut variables)?;
            self.check_edges(block)?;
            self.check_races(block)?;
        }
        self.check_synchronous_sizes()?;
        self.check_writes(&members, &variables)
    }

    /// Whether the synchronous blocks are small enough, if they are well-formed.
    ///
    /// # Errors
    /// When they are not.
    pub fn check_synchronous_sizes(&self) -> Checked {
        let mut amount: usize = 0;
        for block in &self.synchronous {
            amount = amount.saturating_add(block.amount()?);
        }
        match amount > MOST_SYNCHRONOUS {
            true => Err(SynchronousFault::TooMany),
            false => Ok(()),
        }
    }

    fn check_members(
        &self,
        block: &Synchronous,
        starts: &FxHashSet<(&Symbol, &Term)>,
        known: &mut FxHashSet<usize>,
    ) -> Checked {
        let mut depths: BTreeMap<usize, usize> = BTreeMap::new();
        for (number, member) in block.members.iter().enumerate() {
            let fault = || SynchronousFault::Member(number, block.name.clone());
            let process = self.processes.get(member.process).ok_or_else(fault)?;
            let location = process.location.ok_or_else(fault)?;
            let depth = match member.inside {
                None => 0,
                Some(inside) => 1 + depths.get(&inside.process).ok_or_else(fault)?,
            };
            if !known.insert(member.process) || depth > MOST_AROUND {
                return Err(fault());
            }
            depths.insert(member.process, depth);
            let inside = member.inside.map(|it| (it.process, it.location));
            for (process, number) in inside.into_iter().chain([(member.process, member.start)]) {
                let process = &self.processes[process];
                if number >= self.count_locations(process.location) {
                    return Err(SynchronousFault::NoSuchLocation(process.name.clone()));
                }
            }
            let start = Term::int(member.start as u64);
            if !starts.contains(&(&self.variables[location].current, &start)) {
                return Err(SynchronousFault::NoStart(process.name.clone()));
            }
        }
        Ok(())
    }

    /// Each input is there for one thing.
    fn check_inputs(&self, block: &Synchronous, known: &mut FxHashSet<usize>) -> Checked {
        let levels: BTreeMap<usize, Sort> = (block.levels.iter())
            .map(|level| (level.input, self.variables[level.variable].sort()))
            .collect();
        let mut free: FxHashSet<usize> = FxHashSet::default();
        for edge in &block.edges {
            free.extend(&edge.edge.choices);
        }
        let ranks: BTreeSet<usize> = match &block.races {
            RacePolicy::Serial(inputs) => inputs.values().copied().collect(),
            RacePolicy::Error(_) | RacePolicy::PerVariable(_) => BTreeSet::new(),
        };
        for input in block.inputs() {
            let sort = self.inputs.get(input).map(|it| it.symbol.sort());
            let expected = match levels.get(&input) {
                Some(sort) => *sort,
                None if ranks.contains(&input) => Sort::Int,
                None => Sort::Bool,
            };
            let fits = sort.is_some_and(|sort| sort == expected || free.contains(&input));
            if !fits || !known.insert(input) {
                return Err(SynchronousFault::Input(input, block.name.clone()));
            }
        }
        Ok(())
    }

    /// Variables that only the block gives values are there for one thing, and have no declared range.
    fn check_own(&self, block: &Synchronous, known: &mut FxHashSet<usize>) -> Checked {
        let ranged = self.ranges.iter().flat_map(|range| &range.variables);
        let ranged: FxHashSet<&usize> = ranged.collect();
        let levels = block.levels.iter().map(|it| (it.variable, None));
        let flags = block.errors().iter().map(|it| it.flag);
        let truths = block.raised.iter().copied().chain(flags);
        let own = levels
            .chain(truths.map(|it| (it, Some(Sort::Bool))))
            .chain(block.unstable.map(|it| (it, Some(Sort::Int))));
        for (variable, sort) in own {
            let fits = sort.is_none_or(|sort| self.variables[variable].sort() == sort);
            if !fits || ranged.contains(&variable) || !known.insert(variable) {
                let name = self.variables[variable].name().to_owned();
                return Err(SynchronousFault::Variable(name));
            }
        }
        Ok(())
    }

    fn check_edges(&self, block: &Synchronous) -> Checked {
        let members: FxHashSet<usize> = block.members.iter().map(|it| it.process).collect();
        let mut names = FxHashSet::default();
        let mut later: FxHashSet<(usize, usize)> = FxHashSet::default();
        for SynchronousEdge {
            edge,
            enabled,
            preference,
        } in block.edges.iter().rev()
        {
            let name = || self.edge_name(edge);
            let count = members
                .contains(&edge.process)
                .then(|| self.count_locations(self.processes[edge.process].location));
            let Some(((from, to), count)) = edge.step.zip(count).filter(|_| edge.label.is_none())
            else {
                return Err(SynchronousFault::Edge(edge.name.clone()));
            };
            if from.max(to) >= count {
                let name = self.processes[edge.process].name.clone();
                return Err(SynchronousFault::NoSuchLocation(name));
            }
            if !names.insert(name()) {
                return Err(SynchronousFault::SameName(name()));
            }
            let is_last = later.insert((edge.process, from));
            if is_last == preference.is_some() {
                return Err(SynchronousFault::Preference(name()));
            }
            let choices = edge.choices.iter().map(|it| &self.inputs[*it].symbol);
            let choices: FxHashSet<_> = choices.collect();
            let mut read = edge.guard.iter().flat_map(Term::symbols);
            if read.any(|symbol| choices.contains(&symbol)) != enabled.is_some() {
                return Err(SynchronousFault::Enabled(name()));
            }
            for (variable, value) in &edge.updates {
                let is_raised = block.raised.contains(variable);
                if is_raised && !value.is_true() {
                    let variable = self.variables[*variable].name().to_owned();
                    return Err(SynchronousFault::Writes(name(), variable));
                }
            }
        }
        Ok(())
    }

    /// It is said how each race ends.
    fn check_races(&self, block: &Synchronous) -> Checked {
        let contested = block.contested();
        let said = match &block.races {
            RacePolicy::Error(races) => {
                let variables: Vec<usize> = (races.iter())
                    .flat_map(|race| race.variables.iter().copied())
                    .collect();
                let known: BTreeSet<&usize> = variables.iter().collect();
                known.len() == variables.len() && known.into_iter().eq(contested.keys())
            }
            RacePolicy::PerVariable(inputs) => {
                let pairs = contested.iter().flat_map(|(variable, processes)| {
                    processes
                        .iter()
                        .skip(1)
                        .map(|process| (*variable, *process))
                });
                pairs.collect::<BTreeSet<_>>().iter().eq(inputs.keys())
            }
            RacePolicy::Serial(inputs) => {
                let processes = contested.values().flatten();
                processes
                    .collect::<BTreeSet<_>>()
                    .into_iter()
                    .eq(inputs.keys())
            }
        };
        match said {
            true => Ok(()),
            false => Err(SynchronousFault::Races(block.name.clone())),
        }
    }

    /// Nothing else writes what belongs to blocks, or moves their processes.
    fn check_writes(&self, members: &FxHashSet<usize>, variables: &FxHashSet<usize>) -> Checked {
        let name = |variable: usize| self.variables[variable].name().to_owned();
        for command in &self.commands {
            let mut moves = command.moves.iter();
            if let Some(step) = moves.find(|step| members.contains(&step.process)) {
                let process = self.processes[step.process].name.clone();
                return Err(SynchronousFault::Moves(command.name.clone(), process));
            }
            let updates = command.updates.iter().map(|update| &update.variable);
            let mut written = updates.chain(&command.modifies);
            if let Some(variable) = written.find(|it| variables.contains(it)) {
                return Err(SynchronousFault::Writes(
                    command.name.clone(),
                    name(*variable),
                ));
            }
        }
        for block in &self.synchronous {
            for edge in block.edges.iter().map(|it| &it.edge) {
                let mut written = edge.updates.iter().map(|(variable, _)| variable);
                let foreign =
                    written.find(|it| variables.contains(it) && !block.raised.contains(it));
                if let Some(variable) = foreign {
                    return Err(SynchronousFault::Writes(
                        self.edge_name(edge),
                        name(*variable),
                    ));
                }
            }
        }
        Ok(())
    }
}

impl Synchronous {
    /// How many pairs there are of edges that leave one location, or processes that write one variable.
    fn amount(&self) -> Result<usize, SynchronousFault> {
        let mut leaving: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let mut depth: usize = 0;
        for edge in &self.edges {
            *leaving
                .entry((edge.edge.process, edge.step().0))
                .or_default() += 1;
            let guard = edge.edge.guard.iter().chain(&edge.enabled);
            let terms = guard.chain(edge.edge.updates.iter().map(|(_, value)| value));
            let deepest = terms.map(Term::depth).max().unwrap_or(0);
            depth = depth.max(deepest as usize);
        }
        let around = self.around();
        let around = around.values().map(Vec::len).max().unwrap_or(0);
        let writers = self.writers();
        let edges = writers
            .values()
            .map(|it| it.iter().map(|writer| writer.values.len()).sum());
        let edges: Vec<usize> = edges.collect();
        let of_process = leaving.iter().fold(
            BTreeMap::<usize, usize>::new(),
            |mut known, ((process, _), count)| {
                *known.entry(*process).or_default() += count;
                known
            },
        );
        let longest = edges.iter().chain(of_process.values()).max().copied();
        let levels = LEVELS.saturating_mul(longest.unwrap_or(0) + around * around + 2);
        if depth.saturating_add(levels) > MAXIMAL_DEPTH as usize {
            return Err(SynchronousFault::TooDeep(self.name.clone()));
        }
        let counts = edges.iter().chain(leaving.values());
        let pairs = counts.fold(0_usize, |sum, it| {
            sum.saturating_add(it.saturating_mul(*it))
        });
        Ok(pairs.saturating_add(self.members.len().saturating_mul(around + 1)))
    }

    /// The locations that each process is inside of, from the innermost outwards. Members are checked.
    pub fn around(&self) -> BTreeMap<usize, Vec<Inside>> {
        let mut found: BTreeMap<usize, Vec<Inside>> = BTreeMap::new();
        for member in &self.members {
            let mut own: Vec<Inside> = member.inside.into_iter().collect();
            let outer = member.inside.and_then(|it| found.get(&it.process));
            own.extend(outer.into_iter().flatten());
            found.insert(member.process, own);
        }
        found
    }
}

/// What a conjunct of the initial condition says a whole number is.
fn start(conjunct: &Term) -> Option<(&Symbol, &Term)> {
    match conjunct.as_application() {
        Some((Operator::Equal, [left, right])) => Some((left.as_symbol()?, right)),
        _ => None,
    }
}
