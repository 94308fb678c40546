//! Runs of a concurrent program, followed on the program itself.
//!
//! Nothing is translated: a state is looked at edge by edge, and a step is carried out on a table of values. So a fault that the checker's
//! own translation and the model checker's flattening have in common makes no run of the one that is none of the program. Nothing is shared with
//! either of them.
//!
//! An interaction happens where its participants' edges can be taken and its guard holds, no interaction that blocks it is enabled, and no
//! internal edge is; all of this is read before the step. Then data is transferred, and then the participants act: their edges read what the
//! transfer has left.

mod blocks;
mod faults;
mod scheduler;
mod synchronous;

pub use faults::{ProgramFault, Refusal, TurnFault};

use rustc_hash::{FxHashMap, FxHashSet};
use scheduler::SchedulerStep;
use slabcert_certificates::program::{
    Block, Command, Edge, Program, Requirement, Step, Synchronous,
};
use slabcert_certificates::system::StateVariable;
use slabcert_certificates::term::{Assignment, EvaluationError, Symbol, Term, TermMap, Value};
use slabcert_certificates::work::Work;
use std::collections::BTreeMap;

/// What the name of a step stands for.
enum Meant<'p> {
    Command(&'p Command),
    Block(Block),
    Scheduled(SchedulerStep),
    LockStep(&'p Synchronous),
    Internal(&'p Edge),
    /// An interaction, by index, and the edges that its participants take.
    Interaction(usize, Vec<&'p Edge>),
}

/// Follows runs of a program. It has been read, so that all of its indices are good.
pub struct Interpreter<'p> {
    program: &'p Program,
    /// The steps by their names.
    steps: FxHashMap<String, Meant<'p>>,
    /// The commands that leave each location of processes with cut points, by these.
    leaving: BTreeMap<usize, BTreeMap<usize, Vec<usize>>>,
    /// The edges that each process offers.
    offered: Vec<Vec<&'p Edge>>,
    /// The edges without a label.
    internal: Vec<&'p Edge>,
    /// The rules by the interactions that they block.
    rules: Vec<Vec<usize>>,
}

impl<'p> Interpreter<'p> {
    /// Makes ready to follow runs of the program.
    pub fn new(program: &'p Program) -> Interpreter<'p> {
        let mut offered = vec![Vec::new(); program.processes.len()];
        let mut internal = Vec::new();
        for edge in &program.edges {
            match edge.label {
                Some(_) => offered[edge.process].push(edge),
                None => internal.push(edge),
            }
        }
        let mut rules = vec![Vec::new(); program.interactions.len()];
        for (index, rule) in program.blocking.iter().enumerate() {
            rules[rule.blocked].push(index);
        }
        let mut interpreter = Interpreter {
            program,
            steps: FxHashMap::default(),
            leaving: BTreeMap::new(),
            offered,
            internal,
            rules,
        };
        interpreter.name_steps();
        interpreter
    }

    fn name_steps(&mut self) {
        let program = self.program;
        self.name_blocks();
        self.name_scheduled();
        self.name_lock_steps();
        let whole = program.commands.iter();
        for command in whole.filter(|it| !program.is_inside_blocks(it)) {
            let meant = Meant::Command(command);
            self.steps.insert(command.name.clone(), meant);
        }
        for edge in self.internal.iter().copied() {
            let meant = Meant::Internal(edge);
            self.steps.insert(program.edge_name(edge), meant);
        }
        let interactions = program.interactions.iter().enumerate();
        let indices: FxHashMap<&str, usize> = interactions
            .map(|(index, interaction)| (interaction.name.as_str(), index))
            .collect();
        for step in program.steps() {
            let index = indices.get(step.interaction.name.as_str());
            if let Some(index) = index
                && let Some(taken) = self.taken(*index, &step)
            {
                let meant = Meant::Interaction(*index, taken);
                self.steps.insert(step.name, meant);
            }
        }
    }

    /// The edges of a step, if each participant has that edge and offers it by the label that the interaction asks for.
    fn taken(&self, interaction: usize, step: &Step<'_>) -> Option<Vec<&'p Edge>> {
        let interaction = &self.program.interactions[interaction];
        let edges = step.edges.iter().map(|edge| &self.program.edges[*edge]);
        let taken: Vec<&Edge> = edges.collect();
        let participants = interaction.participants.iter();
        let offered = taken
            .iter()
            .map(|edge| (edge.process, edge.label.as_deref()));
        let asked = participants.map(|(process, label)| (*process, Some(label.as_str())));
        (interaction.is_offered && asked.eq(offered)).then_some(taken)
    }

    /// Whether the program may begin in a state.
    ///
    /// # Errors
    /// When it may not, or nobody can tell.
    pub fn start(&self, state: &dyn Assignment, work: &mut Work) -> Result<(), Refusal> {
        let mut look = Look::at(self, state, work);
        for conjunct in &self.program.init {
            if !look.holds(conjunct)? {
                return Err(ProgramFault::NotInitial(shown(conjunct)).into());
            }
        }
        Ok(())
    }

    /// Whether the step of that name leads from the state before it to the one after it, which the assignment gives together with what is
    /// chosen.
    ///
    /// # Errors
    /// When it does not, or nobody can tell.
    pub fn step(
        &self,
        name: &str,
        values: &dyn Assignment,
        work: &mut Work,
    ) -> Result<(), Refusal> {
        let Some(meant) = self.steps.get(name) else {
            return Err(ProgramFault::NoSuchStep(name.to_owned()).into());
        };
        let mut look = Look::at(self, values, work);
        look.require_ranges()?;
        look.require_no_race()?;
        let mut table = Table::new();
        let mut open: &[usize] = &[];
        let mut own = None;
        match meant {
            Meant::Command(command) => {
                look.command(command, &mut table)?;
                open = &command.modifies;
            }
            Meant::Block(block) => look.block(*block, &mut table)?,
            Meant::Scheduled(step) => look.scheduled(*step, &mut table)?,
            Meant::LockStep(block) => {
                look.lock_step(block, &mut table)?;
                own = Some(*block);
            }
            Meant::Internal(edge) => {
                look.require_edge(edge)?;
                look.act(edge, &Transferred::default(), &mut table)?;
            }
            Meant::Interaction(index, edges) => look.interaction(*index, edges, &mut table)?,
        }
        look.count_unstable(own, &mut table)?;
        look.compare(&table, open)
    }

    /// Whether a state violates the property at that position: those of the program, and then the declared ranges.
    ///
    /// # Errors
    /// When it does not, or nobody can tell.
    pub fn violate(
        &self,
        property: usize,
        state: &dyn Assignment,
        work: &mut Work,
    ) -> Result<(), Refusal> {
        let mut look = Look::at(self, state, work);
        let own = self.program.properties.len();
        let reason = match self.program.properties.get(property) {
            Some(property) => look.satisfied(&property.requirement)?,
            None => match self.program.ranges.get(property.saturating_sub(own)) {
                Some(range) => {
                    let outside = look.outside(range.variables.iter().copied())?;
                    outside.is_none().then(|| "all values are inside".into())
                }
                None => {
                    let ranges = own + self.program.ranges.len();
                    let race = self.program.races().nth(property.saturating_sub(ranges));
                    look.no_race(race)?
                }
            },
        };
        match reason {
            Some(reason) => Err(ProgramFault::NoViolation(reason).into()),
            None => Ok(()),
        }
    }
}

/// The new values of variables, by index.
type Table = BTreeMap<usize, Value>;

/// What a transfer has left, by the variables.
type Transferred<'p> = FxHashMap<&'p Symbol, Value>;

/// A state that is looked at, with what is chosen, and the state after it where there is a step.
struct Look<'l> {
    interpreter: &'l Interpreter<'l>,
    values: &'l dyn Assignment,
    /// What was evaluated already.
    known: TermMap<Value>,
    /// Which interactions were found to be enabled, or not to be, by index.
    enabled: FxHashMap<usize, bool>,
    work: &'l mut Work,
}

impl<'l> Look<'l> {
    fn at(
        interpreter: &'l Interpreter<'l>,
        values: &'l dyn Assignment,
        work: &'l mut Work,
    ) -> Look<'l> {
        Look {
            interpreter,
            values,
            known: TermMap::default(),
            enabled: FxHashMap::default(),
            work,
        }
    }

    fn program(&self) -> &'l Program {
        self.interpreter.program
    }

    /// Takes note that something is looked at that may be no formula.
    fn charge(&mut self) -> Result<(), EvaluationError> {
        Ok(self.work.charge(1)?)
    }

    fn holds(&mut self, formula: &Term) -> Result<bool, EvaluationError> {
        formula.holds_shared(self.values, &mut self.known, self.work)
    }

    /// The value of a symbol, which has one of its sort.
    fn value(&mut self, symbol: &Symbol) -> Result<Value, EvaluationError> {
        Term::symbol(symbol.clone()).evaluate_within(self.values, self.work)
    }

    /// Whether a process is at a location, if it has one.
    fn is_at(&mut self, process: usize, location: usize) -> Result<bool, EvaluationError> {
        let variable = self.program().processes[process].location;
        let Some(variable) = variable.map(|it| &self.program().variables[it]) else {
            return Ok(true);
        };
        Ok(self.value(&variable.current)? == Value::Int(location.into()))
    }

    /// Whether an edge can be taken, as far as it is concerned.
    fn can_take(&mut self, edge: &Edge) -> Result<bool, EvaluationError> {
        self.charge()?;
        if let Some((from, _)) = edge.step
            && !self.is_at(edge.process, from)?
        {
            return Ok(false);
        }
        self.all_hold(&edge.guard)
    }

    fn all_hold<'t>(
        &mut self,
        formulas: impl IntoIterator<Item = &'t Term>,
    ) -> Result<bool, EvaluationError> {
        for formula in formulas {
            if !self.holds(formula)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// An internal edge that can be taken.
    fn internal(&mut self) -> Result<Option<&'l Edge>, EvaluationError> {
        let interpreter = self.interpreter;
        for edge in interpreter.internal.iter().copied() {
            if self.can_take(edge)? {
                return Ok(Some(edge));
            }
        }
        Ok(None)
    }

    /// Whether an interaction is enabled: every participant can take an edge with its label, and the guard holds. Whether it is offered, or
    /// blocked, does not matter.
    fn is_enabled(&mut self, index: usize) -> Result<bool, EvaluationError> {
        if let Some(known) = self.enabled.get(&index) {
            return Ok(*known);
        }
        let found = self.find_enabled(index)?;
        self.enabled.insert(index, found);
        Ok(found)
    }

    fn find_enabled(&mut self, index: usize) -> Result<bool, EvaluationError> {
        let interpreter = self.interpreter;
        let interaction = &interpreter.program.interactions[index];
        for (process, label) in &interaction.participants {
            let mut offers = false;
            for edge in &interpreter.offered[*process] {
                self.charge()?;
                if edge.label.as_ref() == Some(label) && self.can_take(edge)? {
                    offers = true;
                    break;
                }
            }
            if !offers {
                return Ok(false);
            }
        }
        self.all_hold(&interaction.guard)
    }

    /// An interaction that keeps another one from happening, by index.
    fn blocker(&mut self, blocked: usize) -> Result<Option<usize>, EvaluationError> {
        let interpreter = self.interpreter;
        for index in &interpreter.rules[blocked] {
            let rule = &interpreter.program.blocking[*index];
            if self.holds(&rule.condition)? && self.is_enabled(rule.by)? {
                return Ok(Some(rule.by));
            }
        }
        Ok(None)
    }

    /// One of the variables that is outside of its declared range.
    fn outside(
        &mut self,
        variables: impl Iterator<Item = usize>,
    ) -> Result<Option<&'l StateVariable>, EvaluationError> {
        for variable in variables {
            let variable = &self.program().variables[variable];
            let value = self.value(&variable.current)?;
            if let (Some((low, high)), Value::Int(number)) = (&variable.range, value)
                && !(*low <= number && number <= *high)
            {
                return Ok(Some(variable));
            }
        }
        Ok(None)
    }

    fn require(&mut self, formula: &Term) -> Result<(), Refusal> {
        match self.holds(formula)? {
            true => Ok(()),
            false => Err(ProgramFault::Condition(shown(formula)).into()),
        }
    }

    fn require_ranges(&mut self) -> Result<(), Refusal> {
        let ranges = self.program().ranges.iter();
        match self.outside(ranges.flat_map(|range| range.variables.iter().copied()))? {
            Some(variable) => Err(ProgramFault::OutsideRange(variable.name().to_owned()).into()),
            None => Ok(()),
        }
    }

    fn require_location(&mut self, process: usize, location: usize) -> Result<(), Refusal> {
        match self.is_at(process, location)? {
            true => Ok(()),
            false => {
                let name = &self.program().processes[process].name;
                Err(ProgramFault::Elsewhere(name.clone()).into())
            }
        }
    }

    fn require_edge(&mut self, edge: &Edge) -> Result<(), Refusal> {
        self.charge()?;
        if let Some((from, _)) = edge.step {
            self.require_location(edge.process, from)?;
        }
        edge.guard.iter().try_for_each(|it| self.require(it))
    }

    /// Carries out a command.
    fn command(&mut self, command: &Command, table: &mut Table) -> Result<(), Refusal> {
        for step in &command.moves {
            self.charge()?;
            if let Some(from) = step.from {
                self.require_location(step.process, from)?;
            }
            self.arrive(step.process, step.to, table);
        }
        for conjunct in command.guard.iter().chain(&command.relation) {
            self.require(&conjunct.formula)?;
        }
        for update in &command.updates {
            let value = self.evaluate(&update.value, &Transferred::default())?;
            table.insert(update.variable, value);
        }
        Ok(())
    }

    /// Carries out an interaction: data is transferred, then the participants act.
    fn interaction(
        &mut self,
        index: usize,
        edges: &[&Edge],
        table: &mut Table,
    ) -> Result<(), Refusal> {
        let interaction = &self.program().interactions[index];
        for edge in edges {
            self.require_edge(edge)?;
        }
        for conjunct in &interaction.guard {
            self.require(conjunct)?;
        }
        if let Some(edge) = self.internal()? {
            let name = self.program().edge_name(edge);
            return Err(ProgramFault::GoesFirst(name).into());
        }
        if let Some(blocker) = self.blocker(index)? {
            let name = self.program().interactions[blocker].name.clone();
            return Err(ProgramFault::Blocked(name).into());
        }
        let mut transferred = Transferred::default();
        for (variable, value) in &interaction.transfer {
            let value = self.evaluate(value, &Transferred::default())?;
            let symbol = &self.program().variables[*variable].current;
            transferred.insert(symbol, value.clone());
            table.insert(*variable, value);
        }
        for edge in edges {
            self.act(edge, &transferred, table)?;
        }
        Ok(())
    }

    /// A process takes an edge, after a transfer.
    fn act(
        &mut self,
        edge: &Edge,
        transferred: &Transferred<'_>,
        table: &mut Table,
    ) -> Result<(), Refusal> {
        for (variable, value) in &edge.updates {
            let value = self.evaluate(value, transferred)?;
            table.insert(*variable, value);
        }
        if let Some((_, to)) = edge.step {
            self.arrive(edge.process, to, table);
        }
        Ok(())
    }

    fn arrive(&self, process: usize, location: usize, table: &mut Table) {
        if let Some(variable) = self.program().processes[process].location {
            table.insert(variable, Value::Int(location.into()));
        }
    }

    /// The value of a term before the step, except where a transfer has left another one.
    fn evaluate(
        &mut self,
        term: &Term,
        transferred: &Transferred<'_>,
    ) -> Result<Value, EvaluationError> {
        let values = self.values;
        let read = |symbol: &Symbol| {
            let left = transferred.get(symbol).cloned();
            left.or_else(|| values.value_of(symbol))
        };
        term.evaluate_within(&read, self.work)
    }

    /// Requires that the state after the step is that of the table: what is not in it has not changed, and what is left open may have.
    fn compare(&mut self, table: &Table, open: &[usize]) -> Result<(), Refusal> {
        let open: FxHashSet<usize> = open.iter().copied().collect();
        for (index, variable) in self.program().variables.iter().enumerate() {
            if open.contains(&index) {
                continue;
            }
            let value = match table.get(&index) {
                Some(value) => value.clone(),
                None => self.value(&variable.current)?,
            };
            if self.value(&variable.next)? != value {
                let fault = ProgramFault::OtherValue {
                    variable: variable.name().to_owned(),
                    value: variable.show(&value),
                };
                return Err(fault.into());
            }
        }
        Ok(())
    }

    /// Why the state satisfies a requirement; nothing if it violates it.
    fn satisfied(&mut self, requirement: &Requirement) -> Result<Option<String>, EvaluationError> {
        let formula = match requirement {
            Requirement::Always(formula) => formula,
            Requirement::Visible(formula) => {
                if let Some(edge) = self.internal()? {
                    return Ok(Some(self.enabled_edge(edge)));
                }
                formula
            }
            Requirement::NoDeadlock => return self.possible(),
        };
        let holds = self.holds(formula)?;
        Ok(holds.then(|| format!("{} holds", shown(formula))))
    }

    fn enabled_edge(&self, edge: &Edge) -> String {
        let name = self.program().edge_name(edge);
        format!("the internal edge `{name}` is enabled")
    }

    /// What can happen, if anything can.
    fn possible(&mut self) -> Result<Option<String>, EvaluationError> {
        if let Some(edge) = self.internal()? {
            return Ok(Some(self.enabled_edge(edge)));
        }
        let program = self.program();
        for (index, interaction) in program.interactions.iter().enumerate() {
            self.charge()?;
            let can_happen =
                interaction.is_offered && self.is_enabled(index)? && self.blocker(index)?.is_none();
            if can_happen {
                return Ok(Some(format!("`{}` can happen", interaction.name)));
            }
        }
        for command in &program.commands {
            if self.can_run(command)? {
                return Ok(Some(format!("`{}` can happen", command.name)));
            }
        }
        Ok(None)
    }

    /// Whether a command is enabled. Its guard depends on no choice where that is asked.
    fn can_run(&mut self, command: &Command) -> Result<bool, EvaluationError> {
        self.charge()?;
        for step in &command.moves {
            self.charge()?;
            if let Some(from) = step.from
                && !self.is_at(step.process, from)?
            {
                return Ok(false);
            }
        }
        self.all_hold(command.guard.iter().map(|conjunct| &conjunct.formula))
    }
}

/// How much of a formula is shown.
const SHOWN_CHARACTERS: usize = 200;

/// The beginning of a formula, for messages.
pub(crate) fn shown(formula: &Term) -> String {
    let text = formula.to_string();
    match text.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("`{}...`", &text[..end]),
        None => format!("`{text}`"),
    }
}

#[cfg(test)]
mod tests;
