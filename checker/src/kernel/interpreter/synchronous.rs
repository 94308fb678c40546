//! Steps of blocks in lock step, carried out process by process.

use super::{Interpreter, Look, Meant, ProgramFault, Refusal, Table};
use slabcert_certificates::program::{NoLockStep, Race, Synchronous};
use slabcert_certificates::term::Value;

impl Interpreter<'_> {
    /// Takes note of the steps of blocks.
    pub(super) fn name_lock_steps(&mut self) {
        let program = self.program;
        for block in &program.synchronous {
            let meant = Meant::LockStep(block);
            self.steps.insert(block.step_name(), meant);
        }
    }
}

impl<'l> Look<'l> {
    /// Requires that there was no race.
    pub(super) fn require_no_race(&mut self) -> Result<(), Refusal> {
        for race in self.program().races() {
            self.charge()?;
            if self.value(&self.program().variables[race.flag].current)? == Value::Bool(true) {
                return Err(ProgramFault::AfterRace(race.name.clone()).into());
            }
        }
        Ok(())
    }

    /// Why a state violates no property that there is no race; nothing if it does.
    pub(super) fn no_race(&mut self, race: Option<&Race>) -> Result<Option<String>, Refusal> {
        let Some(race) = race else {
            return Ok(Some("there is no such property".into()));
        };
        let flag = self.value(&self.program().variables[race.flag].current)?;
        Ok((flag != Value::Bool(true)).then(|| "there was no race".into()))
    }

    /// Carries out the step of a block, after which nothing has changed but what it gives values.
    pub(super) fn lock_step(
        &mut self,
        block: &Synchronous,
        table: &mut Table,
    ) -> Result<(), Refusal> {
        let step = self.program().lock_step(block, self.values, self.work);
        match step {
            Ok(step) => table.extend(step.values),
            Err(NoLockStep::NoValue(error)) => return Err(error.into()),
            Err(fault) => return Err(ProgramFault::NoLockStep(fault).into()),
        }
        Ok(())
    }

    /// Counts the unstable steps of the blocks that do not take the step.
    pub(super) fn count_unstable(
        &mut self,
        own: Option<&Synchronous>,
        table: &mut Table,
    ) -> Result<(), Refusal> {
        let blocks = self.program().synchronous.iter();
        for block in blocks.filter(|it| own.is_none_or(|own| own.name != it.name)) {
            if let Some(counter) = block.unstable
                && self.program().is_stable(block, self.values, self.work)?
            {
                table.insert(counter, Value::Int(1.into()));
            }
        }
        Ok(())
    }
}
