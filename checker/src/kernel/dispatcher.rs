//! Running obligations on solvers, several at a time.
//!
//! Each worker takes the next pair of a solver and an obligation, so that a bundle keeps all workers busy to the end and a worker
//! stays with one solver process for long. A question goes to a session first, with little time; what the session does not answer
//! is asked again alone, with all of it, so that one hard or fatal question costs no other its answer. What a session answered that fails
//! later, is asked again alone too.

use crate::kernel::builtin::FaultyStep;
use crate::kernel::counterexample::{Background, Counterexample, Proposal};
use crate::kernel::question::{Language, Question};
use crate::kernel::solvers::{Session, Solver, SolverAnswer, SolverFailure, ask_alone};
use slabcert_certificates::certificate::Certificate;
use slabcert_certificates::obligations::Obligation;
use slabcert_certificates::obligations::text::ObligationPrinter;
use slabcert_certificates::proof::normalise::NotExpressible;
use slabcert_certificates::system::System;
use slabcert_certificates::term::Term;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Formulas nest; printing and evaluating them is recursive. The memory is only reserved.
pub(crate) const STACK_BYTES: usize = 256 << 20;
/// The least time that a session gives a question, before it is asked again alone.
const SESSION_TIME: Duration = Duration::from_secs(2);
/// The part of the time limit that a session gives a question.
const SESSION_SHARE: f64 = 0.1;
/// How many questions in a row a session may leave without an answer, before questions are only asked alone.
const MAXIMAL_SILENCES: usize = 3;
/// How many questions in a row a solver may fail before it is not asked any more.
const MAXIMAL_FAILURES: usize = 5;

/// What a solver's answer to an obligation amounts to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Reply {
    /// The obligation is discharged.
    Discharged,
    /// A proof of it was followed, so that the solver was not asked.
    Proved,
    /// The obligation does not hold, confirmed.
    Refuted(Box<Counterexample>),
    /// The solver says that the obligation does not hold, but its values do not show it.
    NotConfirmed,
    /// The solver gave up.
    Unknown,
    /// There was no answer in time.
    TimedOut,
    /// The solver failed.
    Failed(SolverFailure),
    /// The builtin solver has no proof.
    NoProof,
    /// The builtin solver cannot express the obligation.
    NotExpressible(NotExpressible),
    /// The proof that the builtin solver was given is wrong.
    Faulty(FaultyStep),
}

/// Everything that questions are asked about, and how.
pub(crate) struct Dispatcher<'a> {
    pub system: &'a System,
    pub certificate: &'a Certificate,
    pub solvers: &'a [Solver],
    /// The time limit for each question.
    pub time: Duration,
    /// How many questions are asked at once.
    pub jobs: usize,
    pub interrupt: &'a AtomicBool,
    /// Called after each answer with the number of answers so far and in all.
    pub progress: &'a (dyn Fn(usize, usize) + Sync),
}

/// A way to put a question to a solver.
type Asking<'a> = dyn FnMut(&Question) -> SolverAnswer + 'a;

/// One solver, as one worker uses it.
struct Worker<'a> {
    solver: &'a Solver,
    session: Session<'a>,
    time: Duration,
    interrupt: &'a AtomicBool,
    /// How often in a row the session had no answer.
    silences: usize,
    /// The obligations that the session answered.
    heard: Vec<usize>,
}

impl<'a> Dispatcher<'a> {
    /// Asks every solver about every obligation, besides what is known: for each solver, the replies in the order of the obligations.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn discharge(
        &self,
        obligations: &[Obligation],
        known: &(dyn Fn(usize, usize) -> Option<Reply> + Sync),
    ) -> std::io::Result<Vec<Vec<Reply>>> {
        let printer = Mutex::new(ObligationPrinter::new(self.system));
        let language = self.language(&printer);
        let background = Background::of(self.system, self.certificate);
        let replies: Vec<Vec<Mutex<Reply>>> = self
            .solvers
            .iter()
            .enumerate()
            .map(|(solver, _)| {
                let replies = (0..obligations.len()).map(|number| known(solver, number));
                replies
                    .map(|reply| reply.unwrap_or(Reply::Failed(SolverFailure::Interrupted)))
                    .map(Mutex::new)
                    .collect()
            })
            .collect();
        let open: Vec<(usize, usize)> = (0..self.solvers.len())
            .flat_map(|solver| (0..obligations.len()).map(move |number| (solver, number)))
            .filter(|&(solver, number)| known(solver, number).is_none())
            .collect();
        // How often each solver failed in a row.
        let failures: Vec<AtomicUsize> = self.solvers.iter().map(|_| AtomicUsize::new(0)).collect();
        let total = open.len();
        let answered = AtomicUsize::new(0);
        let discharge = |solver: usize, number: usize, ask: &mut Asking<'_>| {
            let obligation = &obligations[number];
            let reply = if failures[solver].load(Ordering::Relaxed) >= MAXIMAL_FAILURES {
                Reply::Failed(SolverFailure::GivenUp(MAXIMAL_FAILURES))
            } else {
                let question = question(&obligation.assertions, &printer);
                reply(obligation, ask(&question), &printer, &background)
            };
            match &reply {
                Reply::Failed(SolverFailure::GivenUp(_)) => {}
                Reply::Failed(_) => {
                    failures[solver].fetch_add(1, Ordering::Relaxed);
                }
                _ => failures[solver].store(0, Ordering::Relaxed),
            }
            *replies[solver][number]
                .lock()
                .unwrap_or_else(PoisonError::into_inner) = reply;
        };
        self.share(total, |next| {
            let mut current: Option<(usize, Worker<'_>)> = None;
            while let Some(task) = next() {
                let (solver, number) = open[task];
                let (_, worker) = match current.take_if(|(index, _)| *index != solver) {
                    Some((other, worker)) => {
                        worker.dismiss(&mut |number, ask| discharge(other, number, ask));
                        current.insert((solver, self.worker(solver, &language)))
                    }
                    None => current.get_or_insert_with(|| (solver, self.worker(solver, &language))),
                };
                discharge(solver, number, &mut |question| worker.ask(number, question));
                (self.progress)(answered.fetch_add(1, Ordering::Relaxed) + 1, total);
            }
            if let Some((solver, worker)) = current {
                worker.dismiss(&mut |number, ask| discharge(solver, number, ask));
            }
        })?;
        Ok(replies
            .into_iter()
            .map(|list| {
                list.into_iter()
                    .map(|reply| reply.into_inner().unwrap_or_else(PoisonError::into_inner))
                    .collect()
            })
            .collect())
    }

    /// Asks the first solver, briefly, whether each list of formulas is satisfiable. `None` when it does not say.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn probe(&self, questions: &[Vec<Term>]) -> std::io::Result<Vec<Option<bool>>> {
        let printer = Mutex::new(ObligationPrinter::new(self.system));
        let language = self.language(&printer);
        let found: Vec<Mutex<Option<bool>>> = questions.iter().map(|_| Mutex::new(None)).collect();
        let Some(solver) = self.solvers.first() else {
            return Ok(vec![None; questions.len()]);
        };
        self.share(questions.len(), |next| {
            let time = SESSION_TIME.min(self.time);
            let mut session = Session::new(solver, &language, time, self.interrupt);
            while let Some(task) = next() {
                let question = question(&questions[task], &printer);
                let answer = match session.ask(&question) {
                    Some(answer) => answer,
                    None => ask_alone(solver, &question, time, self.interrupt),
                };
                let satisfiable = match answer {
                    SolverAnswer::Unsat => Some(false),
                    SolverAnswer::Sat(_) => Some(true),
                    SolverAnswer::Failed(_) | SolverAnswer::TimedOut => return,
                    SolverAnswer::Unknown => None,
                };
                *found[task].lock().unwrap_or_else(PoisonError::into_inner) = satisfiable;
            }
        })?;
        Ok(found
            .into_iter()
            .map(|cell| cell.into_inner().unwrap_or_else(PoisonError::into_inner))
            .collect())
    }

    /// Runs workers, each of which takes the next task until there is none or the user wants to stop.
    fn share(
        &self,
        tasks: usize,
        work: impl Fn(&dyn Fn() -> Option<usize>) + Sync,
    ) -> std::io::Result<()> {
        let taken = AtomicUsize::new(0);
        let next = || {
            if self.interrupt.load(Ordering::Relaxed) {
                return None;
            }
            let task = taken.fetch_add(1, Ordering::Relaxed);
            (task < tasks).then_some(task)
        };
        let workers = self.jobs.min(tasks).max(1);
        thread::scope(|scope| {
            for _ in 0..workers {
                thread::Builder::new()
                    .name("checker".to_owned())
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, || work(&next))?;
            }
            Ok(())
        })
    }

    fn language(&self, printer: &Mutex<ObligationPrinter>) -> Language {
        let printer = printer.lock().unwrap_or_else(PoisonError::into_inner);
        Language::of(self.system, self.certificate, &printer)
    }

    fn worker<'b>(&'b self, solver: usize, language: &'b Language) -> Worker<'b> {
        let solver = &self.solvers[solver];
        let time = self
            .time
            .min(SESSION_TIME.max(self.time.mul_f64(SESSION_SHARE)));
        Worker {
            solver,
            session: Session::new(solver, language, time, self.interrupt),
            time: self.time,
            interrupt: self.interrupt,
            silences: 0,
            heard: Vec::new(),
        }
    }
}

impl Worker<'_> {
    fn ask(&mut self, number: usize, question: &Question) -> SolverAnswer {
        if self.silences < MAXIMAL_SILENCES {
            match self.session.ask(question) {
                Some(answer @ (SolverAnswer::Unsat | SolverAnswer::Sat(_))) => {
                    self.silences = 0;
                    self.heard.push(number);
                    return answer;
                }
                Some(answer @ SolverAnswer::Failed(SolverFailure::Interrupted)) => return answer,
                // A program that cannot be spoken with in a session is not bothered with another one.
                Some(SolverAnswer::Failed(_)) | None => self.silences = MAXIMAL_SILENCES,
                Some(SolverAnswer::Unknown | SolverAnswer::TimedOut) => self.silences += 1,
            }
        }
        ask_alone(self.solver, question, self.time, self.interrupt)
    }

    /// Ends the session. If it failed, what it answered is asked again alone.
    fn dismiss(self, discharge: &mut dyn FnMut(usize, &mut Asking<'_>)) {
        let Worker {
            solver,
            session,
            time,
            interrupt,
            heard,
            ..
        } = self;
        if session.end().is_err() {
            for number in heard {
                discharge(number, &mut |question| {
                    if interrupt.load(Ordering::Relaxed) {
                        return SolverAnswer::Failed(SolverFailure::Interrupted);
                    }
                    ask_alone(solver, question, time, interrupt)
                });
            }
        }
    }
}

/// What an answer amounts to.
fn reply(
    obligation: &Obligation,
    answer: SolverAnswer,
    printer: &Mutex<ObligationPrinter>,
    background: &Background<'_>,
) -> Reply {
    match answer {
        SolverAnswer::Unsat => Reply::Discharged,
        SolverAnswer::Unknown => Reply::Unknown,
        SolverAnswer::TimedOut => Reply::TimedOut,
        SolverAnswer::Failed(failure) => Reply::Failed(failure),
        SolverAnswer::Sat(values) => {
            let printer = printer.lock().unwrap_or_else(PoisonError::into_inner);
            let given = values.into_iter().filter_map(|(safe, value)| {
                Some((printer.renaming().original(&safe)?.clone(), value))
            });
            let proposal = Proposal::new(obligation, given);
            drop(printer);
            if proposal.refutes(obligation) {
                let shown = proposal.show(&obligation.kind, background);
                Reply::Refuted(Box::new(shown))
            } else {
                Reply::NotConfirmed
            }
        }
    }
}

fn question(formulas: &[Term], printer: &Mutex<ObligationPrinter>) -> Question {
    let mut printer = printer.lock().unwrap_or_else(PoisonError::into_inner);
    Question::new(formulas, &mut printer)
}
