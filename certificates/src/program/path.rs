//! The path that a process takes in a block: its commands are carried out, one after the other, from a state and what is chosen.

use super::{Block, Effects, Program};
use crate::term::{Assignment, EvaluationError, Symbol, Term, Value};
use crate::work::Work;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What a process does in a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    /// The commands that it takes, by index, in order.
    pub commands: Vec<usize>,
    /// Where it gets to, by number; a location between cut points if no command can be taken there.
    pub end: usize,
    /// The values of the variables that it writes, by index.
    pub values: BTreeMap<usize, Value>,
}

impl Program {
    /// The path of a process from a cut point in a state, which it is at, with what is chosen. `leaving` has the commands that leave each
    /// location ([`Program::leaving`]). Blocks have been checked ([`Program::check_blocks`]).
    ///
    /// # Errors
    /// When a formula has no value.
    pub fn path(
        &self,
        block: Block,
        leaving: &BTreeMap<usize, Vec<usize>>,
        values: &dyn Assignment,
        work: &mut Work,
    ) -> Result<Path, EvaluationError> {
        let mut path = Path {
            end: block.from,
            ..Path::default()
        };
        let mut written: FxHashMap<&Symbol, Value> = FxHashMap::default();
        let mut new = Vec::new();
        if let Some(scheduler) = &self.scheduler {
            let mut effects = Effects::of(self, scheduler, values, work);
            new = effects.begin(block.process, block.from)?;
        }
        loop {
            for (variable, value) in new.drain(..) {
                written.insert(&self.variables[variable].current, value.clone());
                path.values.insert(variable, value);
            }
            let cuts = self.cuts.get(&block.process);
            let is_seen = cuts.is_none_or(|cuts| cuts.contains(&path.end));
            if is_seen && !path.commands.is_empty() {
                return Ok(path);
            }
            let read = |symbol: &Symbol| {
                let own = written.get(symbol).cloned();
                own.or_else(|| values.value_of(symbol))
            };
            let mut taken = None;
            for index in leaving.get(&path.end).into_iter().flatten() {
                let guard = self.commands[*index].guard.iter().map(|it| &it.formula);
                if all_hold(guard, &read, work)? {
                    taken = Some(*index);
                    break;
                }
            }
            let Some(index) = taken else {
                return Ok(path);
            };
            let command = &self.commands[index];
            work.charge(1 + command.updates.len() as u64)?;
            for update in &command.updates {
                let value = update.value.evaluate_within(&read, work)?;
                new.push((update.variable, value));
            }
            let scheduler = self.scheduler.as_deref();
            if let Some((scheduler, call)) =
                scheduler.and_then(|it| Some((it, it.calls.get(&index)?)))
            {
                let mut effects = Effects::of(self, scheduler, &read, work);
                new.extend(effects.call(block.process, call)?);
            }
            path.commands.push(index);
            path.end = command.moves[0].to;
        }
    }
}

fn all_hold<'t>(
    formulas: impl Iterator<Item = &'t Term>,
    values: &dyn Assignment,
    work: &mut Work,
) -> Result<bool, EvaluationError> {
    for formula in formulas {
        work.charge(1)?;
        if formula.evaluate_within(values, work)? != Value::Bool(true) {
            return Ok(false);
        }
    }
    Ok(true)
}
