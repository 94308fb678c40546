//! One question in a process of its own: for solvers that are not known, and for questions that a session could not answer.

use super::answer::{CheckSat, complaint, read_check_sat, read_values};
use super::process::{NoAnswer, Process, Said};
use super::{Arguments, FILE_PLACEHOLDER, Limits, Solver, SolverAnswer, SolverFailure};
use crate::kernel::question::Question;
use slabcert_certificates::leftovers::Unfinished;
use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How many bytes an answer may have.
const ANSWER_BYTES: usize = 16 << 20;
/// How much longer than its own time limit a solver is waited for.
const GRACE: Duration = Duration::from_millis(500);

/// Asks one question of one process; when the answer is `sat`, asks another process for the values.
pub fn ask_alone(
    solver: &Solver,
    question: &Question,
    time: Duration,
    interrupt: &AtomicBool,
) -> SolverAnswer {
    let begin = Instant::now();
    let limits = Limits {
        deadline: begin + time + GRACE,
        bytes: ANSWER_BYTES,
        interrupt,
    };
    match run(solver, &question.script(false), time, &limits).and_then(answer) {
        Ok(CheckSat::Unsat) => SolverAnswer::Unsat,
        Ok(CheckSat::TimedOut) => SolverAnswer::TimedOut,
        Ok(CheckSat::Unknown) if begin.elapsed() >= time => SolverAnswer::TimedOut,
        Ok(CheckSat::Unknown) => SolverAnswer::Unknown,
        Ok(CheckSat::Sat) => {
            let limits = Limits {
                deadline: Instant::now() + time + GRACE,
                ..limits
            };
            // Values are only a proposal, so that it does not matter how the process ends.
            let text = run(solver, &question.script(true), time, &limits)
                .map_or_else(|_| String::new(), |said| said.text);
            let values = text.split_once("sat").map_or("", |(_, values)| values);
            SolverAnswer::Sat(read_values(values, &question.symbols))
        }
        Err(NoAnswer::TimedOut) => SolverAnswer::TimedOut,
        Err(NoAnswer::Failure(failure)) => SolverAnswer::Failed(failure),
    }
}

/// Everything that a process says to a script.
fn run(
    solver: &Solver,
    script: &str,
    time: Duration,
    limits: &Limits<'_>,
) -> Result<Said, NoAnswer> {
    let mut arguments = solver.single_arguments(time);
    let failed =
        |error: std::io::Error| NoAnswer::Failure(SolverFailure::DoesNotStart(error.to_string()));
    let wants_file = matches!(&solver.arguments, Arguments::Command(_))
        && arguments
            .iter()
            .any(|argument| argument.contains(FILE_PLACEHOLDER));
    let mut file = None;
    if wants_file {
        let mut builder = tempfile::Builder::new();
        builder.prefix("slabcert-").suffix(".smt2");
        let mut question = Unfinished::make(|| builder.tempfile()).map_err(failed)?;
        question.write_all(script.as_bytes()).map_err(failed)?;
        let name = question.path().to_string_lossy().into_owned();
        for argument in &mut arguments {
            *argument = argument.replace(FILE_PLACEHOLDER, &name);
        }
        file = Some(question);
    }
    let mut process = Process::start(&solver.program, &arguments).map_err(NoAnswer::Failure)?;
    if file.is_none() {
        process.send(script);
    }
    process.everything(limits)
}

/// The answer of a process that ended as it should. Who gives up may end as they like.
fn answer(said: Said) -> Result<CheckSat, NoAnswer> {
    match (one_word(&said.text), said.failure) {
        (given @ Ok(CheckSat::Unknown | CheckSat::TimedOut), _) | (given, None) => given,
        (Ok(CheckSat::Unsat | CheckSat::Sat), Some(failure))
        | (Err(NoAnswer::Failure(SolverFailure::Silent)), Some(failure)) => {
            Err(NoAnswer::Failure(failure))
        }
        (given, Some(_)) => given,
    }
}

/// The answer, when it is all that was said (besides `success`, which some solvers say to every command).
fn one_word(text: &str) -> Result<CheckSat, NoAnswer> {
    let mut lines = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && *line != "success");
    let answer = match (lines.next(), lines.next()) {
        (Some(line), None) => read_check_sat(line),
        (Some(line), Some(_)) if read_check_sat(line).is_err() => Err(complaint(line)),
        (Some(_), Some(more)) => Err(complaint(more)),
        (None, _) => Err(SolverFailure::Silent),
    };
    answer.map_err(NoAnswer::Failure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_one_word_and_nothing_else() {
        assert!(matches!(one_word("unsat\n"), Ok(CheckSat::Unsat)));
        assert!(matches!(
            one_word("success\n\nsuccess\nsat"),
            Ok(CheckSat::Sat)
        ));
        for text in [
            "",
            "success",
            "unsat\nunsat",
            "unsat\n(error \"line 7\")",
            "(error \"line 3\")\nunsat",
            "unsat sat",
        ] {
            assert!(one_word(text).is_err(), "{text}");
        }
    }
}
