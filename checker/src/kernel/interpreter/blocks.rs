//! Blocks, followed command by command from cut point to cut point.

use super::{Look, Meant, ProgramFault, Refusal, Table};
use rustc_hash::FxHashMap;
use slabcert_certificates::program::{Block, Command};
use slabcert_certificates::term::Symbol;
use slabcert_certificates::term::Value;
use std::collections::BTreeMap;

/// A process with cut points: the commands that leave its locations.
pub(super) struct Statements<'p> {
    leaving: BTreeMap<usize, Vec<&'p Command>>,
}

impl<'p> super::Interpreter<'p> {
    /// Takes note of the steps of processes with cut points.
    pub(super) fn name_blocks(&mut self) {
        let program = self.program;
        for process in program.cuts.keys() {
            let leaving = program.leaving(*process).into_iter();
            let leaving = leaving.map(|(location, commands)| {
                let commands = commands.into_iter().map(|it| &program.commands[it]);
                (location, commands.collect())
            });
            let leaving = leaving.collect();
            self.statements.insert(*process, Statements { leaving });
        }
        for block in program.blocks() {
            let name = program.block_origin(block).name(&program.processes);
            self.steps.insert(name, Meant::Block(block));
        }
    }
}

impl<'l> Look<'l> {
    /// Carries out commands until the next cut point, which has to be where the block ends.
    pub(super) fn block(&mut self, block: Block, table: &mut Table) -> Result<(), Refusal> {
        let interpreter = self.interpreter;
        let program = interpreter.program;
        self.require_location(block.process, block.from)?;
        let statements = &interpreter.statements[&block.process];
        let cuts = &program.cuts[&block.process];
        let mut written: FxHashMap<&Symbol, Value> = FxHashMap::default();
        let mut location = block.from;
        loop {
            let commands = statements.leaving.get(&location).into_iter().flatten();
            let Some(command) = self.possible_command(commands.copied(), &written)? else {
                return Err(
                    ProgramFault::Stuck(program.location_name(block.process, location)).into(),
                );
            };
            let mut values = Vec::new();
            for update in &command.updates {
                values.push((update.variable, self.evaluate(&update.value, &written)?));
            }
            for (variable, value) in values {
                written.insert(&program.variables[variable].current, value.clone());
                table.insert(variable, value);
            }
            location = command.moves[0].to;
            if cuts.contains(&location) {
                break;
            }
        }
        if location != block.to {
            let arrived = program.location_name(block.process, location);
            return Err(ProgramFault::OtherEnd(arrived).into());
        }
        self.arrive(block.process, location, table);
        Ok(())
    }

    /// The command among some that can be taken after these values were written; at most one of them can.
    fn possible_command(
        &mut self,
        commands: impl Iterator<Item = &'l Command>,
        written: &FxHashMap<&Symbol, Value>,
    ) -> Result<Option<&'l Command>, Refusal> {
        for command in commands {
            let mut is_possible = true;
            for conjunct in &command.guard {
                self.charge()?;
                if self.evaluate(&conjunct.formula, written)? != Value::Bool(true) {
                    is_possible = false;
                    break;
                }
            }
            if is_possible {
                return Ok(Some(command));
            }
        }
        Ok(None)
    }
}
