//! Blocks, followed command by command from cut point to cut point.

use super::{Interpreter, Look, Meant, ProgramFault, Refusal, Table};
use slabcert_certificates::program::Block;

impl Interpreter<'_> {
    /// Takes note of the steps of processes with cut points.
    pub(super) fn name_blocks(&mut self) {
        let program = self.program;
        for process in program.cuts.keys() {
            self.leaving.insert(*process, program.leaving(*process));
        }
        for block in program.blocks() {
            let name = program.block_origin(block).name(&program.processes);
            self.steps.insert(name, Meant::Block(block));
        }
    }
}

impl Look<'_> {
    /// Carries out commands until the next cut point, which has to be where the block ends.
    pub(super) fn block(&mut self, block: Block, table: &mut Table) -> Result<(), Refusal> {
        let program = self.program();
        self.require_location(block.process, block.from)?;
        self.require_turn(block)?;
        let leaving = &self.interpreter.leaving[&block.process];
        let path = program.path(block, leaving, self.values, self.work)?;
        let name = || program.location_name(block.process, path.end);
        // A block that comes back to where it began has taken a command.
        if path.commands.is_empty() || !program.cuts[&block.process].contains(&path.end) {
            return Err(ProgramFault::Stuck(name()).into());
        }
        if path.end != block.to {
            return Err(ProgramFault::OtherEnd(name()).into());
        }
        table.extend(path.values);
        self.arrive(block.process, path.end, table);
        Ok(())
    }
}
