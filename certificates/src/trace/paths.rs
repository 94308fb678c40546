//! What a program does in a step of a trace that consists of several commands or edges.

use super::step_valuation::{StepValuation, StepValuations};
use super::{Step, Valuation};
use crate::program::{Block, LockStep, Path, Program, Synchronous};
use crate::system::System;
use crate::work::{REPLAYING, Work};
use std::collections::{BTreeMap, HashMap};

/// The blocks of a program, by the names of the transitions that they are.
pub struct BlockPaths<'a> {
    /// The program.
    pub program: &'a Program,
    blocks: HashMap<String, Block>,
    /// The commands that leave each location, by process.
    leaving: HashMap<usize, BTreeMap<usize, Vec<usize>>>,
    valuations: StepValuations<'a>,
}

impl<'a> BlockPaths<'a> {
    /// The blocks of a program whose system this is.
    pub fn of(program: &'a Program, system: &'a System) -> BlockPaths<'a> {
        let blocks = program.blocks().into_iter();
        let named = blocks.map(|it| (program.block_origin(it).name(&program.processes), it));
        BlockPaths {
            program,
            blocks: named.collect(),
            leaving: program
                .cuts
                .keys()
                .map(|process| (*process, program.leaving(*process)))
                .collect(),
            valuations: StepValuations::of(system),
        }
    }

    /// The values of everything that a step reads.
    pub fn values<'b>(&'b self, step: &'b Step, before: &'b Valuation) -> StepValuation<'b> {
        self.valuations.state(before, &step.inputs)
    }

    /// What a block in lock step does in a step from a state; none if it is none, or formulas have no value.
    pub fn lock_step(
        &self,
        step: &Step,
        before: &Valuation,
    ) -> Option<(&'a Synchronous, LockStep)> {
        let mut blocks = self.program.synchronous.iter();
        let block = blocks.find(|block| block.step_name() == step.transition)?;
        let values = self.values(step, before);
        let mut work = Work::new(REPLAYING);
        let taken = self.program.lock_step(block, &values, &mut work).ok()?;
        Some((block, taken))
    }

    /// The path of a step from a state; none if it is no block, or formulas have no value.
    pub fn path(&self, step: &Step, before: &Valuation) -> Option<Path> {
        let block = *self.blocks.get(&step.transition)?;
        let leaving = self.leaving.get(&block.process)?;
        let values = self.values(step, before);
        let mut work = Work::new(REPLAYING);
        self.program.path(block, leaving, &values, &mut work).ok()
    }
}
