//! `slabcert simulate`: runs a model at random, repeats a trace, or is played.

mod choices;
mod files;
mod lines;
mod requests;
mod session;
mod words;

use super::arguments::SimulateArguments;
use super::failure::Failure;
use super::output;
use crate::engines::simulation::play::Play;
use crate::engines::simulation::{
    SimulationError, Simulator, step_in_words, write_run, write_violations,
};
use crate::solvers::{Solver, StopSignal, with_session};
use crate::verification::Model;
use files::TraceFile;
use lines::Lines;
use session::{Leave, Parts, Session};
use slabcert_certificates::trace::Trace;
use slabcert_checker::watchdog::Watchdog;
use std::io::{self, Write};
use words::Words;

/// The status of a trace that is not a run of the model, as of a claim that is refuted.
const NO_RUN: u8 = 40;

/// Runs a model.
pub(super) fn run(arguments: &SimulateArguments, watchdog: &Watchdog) -> Result<u8, Failure> {
    let model = arguments.model.read()?;
    let file = match &arguments.trace {
        Some(path) => Some(TraceFile::read(
            path,
            &model.system,
            arguments.trace_number,
        )?),
        None => None,
    };
    // Ctrl-C ends the run; what was printed stays true.
    let stop = watchdog.stop();
    let task = Task {
        arguments,
        model: &model,
        file: file.as_ref(),
        stop,
        watchdog,
    };
    let ran = with_session(stop, |session| task.run(&mut session.solver()));
    let ran = ran.map_err(|error| Failure::Internal(error.to_string()))?;
    stop.check().map_err(Failure::Stopped)?;
    match ran {
        Ok(status) => Ok(status),
        Err(SimulationError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(0),
        Err(error) => Err(Failure::Internal(error.to_string())),
    }
}

/// What is to be done.
struct Task<'a> {
    arguments: &'a SimulateArguments,
    model: &'a Model,
    file: Option<&'a TraceFile>,
    stop: &'a StopSignal,
    watchdog: &'a Watchdog,
}

impl Task<'_> {
    fn run(&self, solver: &mut dyn Solver) -> Result<u8, SimulationError> {
        let (system, seed) = (&self.model.system, self.arguments.seed);
        let mut out = output::Terminal(io::stdout().lock());
        if self.file.is_none() && !self.arguments.interactive {
            let program = self.model.program.as_ref();
            write_run(
                &mut out,
                (program, system),
                solver,
                self.arguments.steps,
                seed,
            )?;
            return Ok(0);
        }
        let mut simulator = Simulator::new(system, solver, seed);
        let play = match self.file {
            Some(file) => match self.repeat(file, &mut simulator, &mut out)? {
                Some(trace) => Play::from_trace(trace),
                None => return Ok(NO_RUN),
            },
            None => simulator.start()?.map(Play::from_state),
        };
        let Some(play) = play else {
            writeln!(out, "no state satisfies the initial condition")?;
            return Ok(0);
        };
        if !self.arguments.interactive {
            return Ok(0);
        }
        let parts = Parts {
            program: self.model.program.as_ref(),
            system,
            simulator,
            lines: &Lines::of_standard_input(self.stop)?,
            out: &mut out,
            model: &self.arguments.model.model,
            watchdog: self.watchdog,
        };
        let left = Session::run(parts, play)?;
        if left == Leave::Interrupted {
            self.stop.stop(crate::solvers::StopCause::Interrupted);
        }
        Ok(0)
    }

    /// Repeats the trace of a file and shows it; `None`, after complaints, if it is not a run of the model.
    fn repeat(
        &self,
        file: &TraceFile,
        simulator: &mut Simulator<'_>,
        out: &mut dyn Write,
    ) -> Result<Option<Trace>, SimulationError> {
        let system = &self.model.system;
        let words = Words::of(self.model.program.as_ref(), system);
        let replayed = simulator.replay(&file.record)?;
        let trace = replayed.trace;
        if let Some(first) = trace.states.first() {
            writeln!(out, "0: {}", words.state(first))?;
            write_violations(out, simulator, first)?;
        }
        for (number, (step, states)) in trace.steps.iter().zip(trace.states.windows(2)).enumerate()
        {
            let line = step_in_words(system, words.wording(), &states[0], step, &states[1]);
            writeln!(out, "{}: {line}", number + 1)?;
            write_violations(out, simulator, &states[1])?;
        }
        let Some(fault) = replayed.fault else {
            return Ok(Some(trace));
        };
        out.flush()?;
        let what = words.fault(&fault, &file.record.states);
        let complaint = file.complaint(trace.states.len(), &what);
        output::log(&format!("error: {complaint}"));
        Ok(None)
    }
}
