//! Many questions to one process, one after the other, each between `push` and `pop`.
//!
//! Starting a process for each question would cost more than answering most of them. A session declares everything once. Each answer is
//! followed by an echo of a mark that was not used before, so that an answer can never be taken for that to another question; after
//! anything unexpected the process is killed, and the next question meets a new one.
//!
//! Answers are provisional until [`Session::end`]: when a process fails later, be it at its very end, all that the session answered is
//! taken back.

use super::answer::{CheckSat, complaint, read_check_sat, read_values};
use super::process::{NoAnswer, Process};
use super::{Limits, Solver, SolverAnswer, SolverFailure};
use crate::kernel::question::{Language, Question};
use slabcert_certificates::term::{Symbol, Value};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How many bytes an answer may have, values of all symbols included.
const ANSWER_BYTES: usize = 16 << 20;
/// How many questions a process answers before it makes room for a new one: solvers keep memory of what was popped.
const QUESTIONS_PER_PROCESS: usize = 2_000;

/// How much longer than its own time limit a solver is waited for.
const GRACE: Duration = Duration::from_millis(500);

/// A solver that answers question after question.
pub struct Session<'a> {
    solver: &'a Solver,
    language: &'a Language,
    time: Duration,
    interrupt: &'a AtomicBool,
    process: Option<Process>,
    /// How many questions the process was asked.
    asked: usize,
    /// How many questions were asked in all; the mark of the next answer.
    mark: usize,
    /// How a process failed first.
    failure: Option<SolverFailure>,
}

impl<'a> Session<'a> {
    /// A session with a time limit for each question.
    pub fn new(
        solver: &'a Solver,
        language: &'a Language,
        time: Duration,
        interrupt: &'a AtomicBool,
    ) -> Session<'a> {
        Session {
            solver,
            language,
            time,
            interrupt,
            process: None,
            asked: 0,
            mark: 0,
            failure: None,
        }
    }

    /// Asks whether the formulas are satisfiable together; `None` when the solver is not known to answer question after question.
    pub fn ask(&mut self, question: &Question) -> Option<SolverAnswer> {
        let arguments = self.solver.session_arguments(self.time)?;
        if self.asked >= QUESTIONS_PER_PROCESS {
            self.close();
        }
        if self.process.is_none() {
            match Process::start(&self.solver.program, &arguments) {
                Ok(process) => {
                    process.send(&self.language.preamble());
                    self.process = Some(process);
                    self.asked = 0;
                }
                Err(failure) => return Some(SolverAnswer::Failed(failure)),
            }
        }
        self.asked += 1;
        self.mark += 1;
        let begin = Instant::now();
        let limits = self.limits();
        let mark = format!("slabcert-{}", self.mark);
        let process = self.process.as_mut()?;
        let answer = match exchange(process, question, &mark, &limits) {
            Ok(SolverAnswer::Unknown) if begin.elapsed() >= self.time.mul_f64(0.9) => {
                SolverAnswer::TimedOut
            }
            Ok(answer) => answer,
            Err(NoAnswer::TimedOut) => SolverAnswer::TimedOut,
            Err(NoAnswer::Failure(failure)) => SolverAnswer::Failed(failure),
        };
        if let SolverAnswer::Failed(failure) = &answer
            && *failure != SolverFailure::Interrupted
        {
            self.failure.get_or_insert_with(|| failure.clone());
        }
        if matches!(answer, SolverAnswer::TimedOut | SolverAnswer::Failed(_))
            && let Some(process) = self.process.take()
            && self.failure.is_none()
        {
            // The limit or interruption is ours, and no failure; what was said besides is one.
            self.failure = process.complaint();
        }
        Some(answer)
    }

    fn limits(&self) -> Limits<'a> {
        Limits {
            deadline: Instant::now() + self.time + GRACE,
            bytes: ANSWER_BYTES,
            interrupt: self.interrupt,
        }
    }

    /// Ends the process, and notices when it does not end as it should.
    fn close(&mut self) {
        let Some(mut process) = self.process.take() else {
            return;
        };
        process.send("(exit)\n");
        let mut everything = process.everything(&self.limits());
        if let Err(NoAnswer::Failure(SolverFailure::Interrupted)) = everything {
            // What was answered before the interruption counts if the process ends as it should, and soon.
            let never = AtomicBool::new(false);
            everything = process.everything(&Limits {
                deadline: Instant::now() + GRACE,
                interrupt: &never,
                ..self.limits()
            });
        }
        let failure = match everything {
            Ok(said) if said.text.trim().is_empty() => said.failure,
            Ok(said) => Some(complaint(&said.text)),
            Err(NoAnswer::TimedOut) => Some(SolverFailure::DoesNotEnd),
            Err(NoAnswer::Failure(failure)) => Some(failure),
        };
        self.failure = self.failure.take().or(failure);
    }

    /// Ends the session. Its answers count only now.
    ///
    /// # Errors
    /// When one of its processes failed, at its end or before: then none of its answers counts.
    pub fn end(mut self) -> Result<(), SolverFailure> {
        self.close();
        self.failure.map_or(Ok(()), Err)
    }
}

/// One question and its answer.
fn exchange(
    process: &mut Process,
    question: &Question,
    mark: &str,
    limits: &Limits<'_>,
) -> Result<SolverAnswer, NoAnswer> {
    process.send(&format!(
        "(push 1)\n{}(check-sat)\n(echo \"{mark}\")\n",
        question.assertions()
    ));
    let line = line_of(process, limits)?;
    let answer = read_check_sat(&line).map_err(NoAnswer::Failure)?;
    expect_mark(process, mark, limits)?;
    let answer = match answer {
        CheckSat::Unsat => SolverAnswer::Unsat,
        CheckSat::Unknown => SolverAnswer::Unknown,
        CheckSat::TimedOut => SolverAnswer::TimedOut,
        CheckSat::Sat => SolverAnswer::Sat(values(process, question, mark, limits)?),
    };
    process.send("(pop 1)\n");
    Ok(answer)
}

/// The values of the question's symbols.
fn values(
    process: &mut Process,
    question: &Question,
    mark: &str,
    limits: &Limits<'_>,
) -> Result<BTreeMap<Symbol, Value>, NoAnswer> {
    process.send(&format!(
        "{}(echo \"{mark}-values\")\n",
        question.get_value()
    ));
    let end = format!("{mark}-values");
    let mut text = String::new();
    loop {
        let line = line_of(process, limits)?;
        if is_mark(&line, &end) {
            return Ok(read_values(&text, &question.symbols));
        }
        text.push_str(&line);
        text.push('\n');
        if text.len() > limits.bytes {
            return Err(NoAnswer::Failure(SolverFailure::Flood(limits.bytes)));
        }
    }
}

/// The next line that says something.
fn line_of(process: &mut Process, limits: &Limits<'_>) -> Result<String, NoAnswer> {
    loop {
        let line = process.line(limits)?;
        if !line.trim().is_empty() {
            return Ok(line);
        }
    }
}

fn expect_mark(process: &mut Process, mark: &str, limits: &Limits<'_>) -> Result<(), NoAnswer> {
    let line = line_of(process, limits)?;
    if is_mark(&line, mark) {
        Ok(())
    } else {
        Err(NoAnswer::Failure(complaint(&line)))
    }
}

/// Some solvers echo the quotes too.
fn is_mark(line: &str, mark: &str) -> bool {
    let line = line.trim();
    line == mark
        || line
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'))
            == Some(mark)
}
