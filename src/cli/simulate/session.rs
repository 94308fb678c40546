//! A run that is played: a line is typed, something happens, and what can be done next is shown.
//!
//! Invariant: a line that is wrong changes nothing but what is said.

use super::files::{TraceFile, free_name, save};
use super::lines::{Input, Lines};
use super::requests::{HELP, Request};
use super::words::Words;
use crate::engines::simulation::offers::{Offer, Possibility};
use crate::engines::simulation::play::Play;
use crate::engines::simulation::{SimulationError, Simulator, step_in_words};
use slabcert_certificates::escaping::plain;
use slabcert_certificates::program::Program;
use slabcert_certificates::system::System;
use slabcert_certificates::trace::{Step, Valuation};
use slabcert_checker::watchdog::Watchdog;
use std::io::{self, Write};
use std::path::Path;

/// Why a session is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leave {
    /// The user asked for it.
    Quit,
    /// There are no more lines.
    End,
    /// The run was interrupted.
    Interrupted,
}

/// Why a line does not do what it should: the session goes on, or is over.
pub(super) enum Trouble {
    /// Something to say.
    Say(String),
    /// The session is over.
    Leave(Leave),
    /// Nothing can go on.
    Failure(SimulationError),
}

impl From<SimulationError> for Trouble {
    fn from(error: SimulationError) -> Trouble {
        Trouble::Failure(error)
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Trouble {
        Trouble::Failure(error.into())
    }
}

/// A session.
pub(super) struct Session<'a> {
    pub(super) system: &'a System,
    pub(super) words: Words<'a>,
    pub(super) simulator: Simulator<'a>,
    pub(super) play: Play,
    offers: Vec<Offer<'a>>,
    pub(super) lines: &'a Lines,
    pub(super) out: &'a mut dyn Write,
    model: &'a Path,
    is_saved: bool,
}

/// What a session needs.
pub(super) struct Parts<'a> {
    pub program: Option<&'a Program>,
    pub system: &'a System,
    pub simulator: Simulator<'a>,
    pub lines: &'a Lines,
    pub out: &'a mut dyn Write,
    pub model: &'a Path,
    pub watchdog: &'a Watchdog,
}

impl<'a> Session<'a> {
    /// Plays on from where a run is, until the user leaves.
    pub fn run(parts: Parts<'a>, play: Play) -> Result<Leave, SimulationError> {
        let mut session = Session {
            system: parts.system,
            words: Words::of(parts.program, parts.system),
            simulator: parts.simulator,
            is_saved: true,
            play,
            offers: Vec::new(),
            lines: parts.lines,
            out: parts.out,
            model: parts.model,
        };
        let left = session.serve();
        if matches!(left, Ok(Leave::Interrupted)) {
            // What is done from here on is not to be cut off.
            parts.watchdog.claim_output();
        }
        // Whoever typed a run by hand and did not say to leave it keeps it.
        let is_lost = !session.is_saved && session.lines.is_terminal();
        if is_lost && !matches!(left, Ok(Leave::Quit)) {
            let path = free_name(session.model);
            let said = match session.save(&path) {
                Ok(()) => format!("the run is saved in {}", path.display()),
                Err(reason) => reason,
            };
            writeln!(session.out, "{said}")?;
        }
        left
    }

    fn serve(&mut self) -> Result<Leave, SimulationError> {
        let mut trouble = self.arrive().err();
        loop {
            match trouble.take() {
                None => {}
                Some(Trouble::Say(text)) => writeln!(self.out, "{text}")?,
                Some(Trouble::Leave(leave)) => return Ok(leave),
                Some(Trouble::Failure(error)) => return Err(error),
            }
            match self.lines.ask("> ", self.out)? {
                Input::End => return Ok(Leave::End),
                Input::Interrupted => return Ok(Leave::Interrupted),
                Input::Line(line) => trouble = self.obey(&line).err(),
            }
        }
    }

    fn obey(&mut self, line: &str) -> Result<(), Trouble> {
        match Request::parse(line).map_err(Trouble::Say)? {
            Request::Show => self.show(),
            Request::List => self.list(),
            Request::Why(name) => self.why(&name),
            Request::Take(name, choices) => self.take(&name, &choices),
            Request::Random(count) => self.random(count),
            Request::Undo => self.go(Play::undo, "this is the start of the run"),
            Request::Redo => self.go(Play::redo, "nothing was undone"),
            Request::Jump(number) => self.jump(number),
            Request::Start => self.start(),
            Request::Trace => self.trace(),
            Request::Save(path) => {
                self.save(&path).map_err(Trouble::Say)?;
                writeln!(self.out, "saved in {}", path.display())?;
                Ok(())
            }
            Request::Load(path, number) => self.load(&path, number),
            Request::Help => Ok(write!(self.out, "{HELP}")?),
            Request::Quit => Err(Trouble::Leave(Leave::Quit)),
        }
    }

    /// Finds out what can be done in a state that is new, and shows it.
    fn arrive(&mut self) -> Result<(), Trouble> {
        self.offers = self.simulator.offers(self.play.state())?;
        self.show()
    }

    fn show(&mut self) -> Result<(), Trouble> {
        let state = self.play.state();
        writeln!(self.out, "{}: {}", self.play.at(), self.words.state(state))?;
        for violation in self.simulator.violations(state)? {
            let property = &self.system.properties[violation.property];
            writeln!(
                self.out,
                "   violates {}: {}",
                plain(&property.name),
                self.words
                    .violation(&property.formula, state, &violation.inputs)
            )?;
        }
        let mut others = 0;
        for (number, offer) in self.offers.iter().enumerate() {
            match &offer.possibility {
                Possibility::Possible(effects, open) => writeln!(
                    self.out,
                    "{:>4}  {}: {}",
                    number + 1,
                    plain(&offer.transition.name),
                    self.words.effects(effects, open)
                )?,
                Possibility::Impossible(_) => others += 1,
            }
        }
        match (others, others == self.offers.len()) {
            (0, _) => {}
            (_, true) => writeln!(self.out, "no transition is enabled; `why` explains")?,
            (1, _) => writeln!(self.out, "      1 other is disabled; `why` explains")?,
            _ => writeln!(
                self.out,
                "      {others} others are disabled; `why` explains"
            )?,
        }
        Ok(())
    }

    fn list(&mut self) -> Result<(), Trouble> {
        self.show()?;
        self.why("")
    }

    /// Explains why a transition is disabled, or all that are.
    fn why(&mut self, name: &str) -> Result<(), Trouble> {
        let state = self.play.state();
        let chosen: Vec<&Offer<'_>> = match name {
            "" => self.offers.iter().filter(|it| !it.is_possible()).collect(),
            name => vec![self.find(name)?],
        };
        let mut lines = Vec::new();
        for offer in chosen {
            if offer.is_possible() {
                lines.push(format!("{} is enabled", offer.transition.name));
            }
            lines.extend(self.words.impossible(offer, state));
        }
        for line in lines {
            writeln!(self.out, "  {line}")?;
        }
        Ok(())
    }

    /// The transition of a number or name, or of the beginning of a name if that is clear.
    fn find(&self, name: &str) -> Result<&Offer<'a>, Trouble> {
        let number = name.parse::<usize>().ok().and_then(|it| it.checked_sub(1));
        if let Some(offer) = number.and_then(|number| self.offers.get(number)) {
            return Ok(offer);
        }
        let exact = self.offers.iter().find(|it| it.transition.name == name);
        if let Some(offer) = exact {
            return Ok(offer);
        }
        let begun: Vec<&Offer<'a>> = self
            .offers
            .iter()
            .filter(|offer| offer.transition.name.starts_with(name))
            .collect();
        match begun.as_slice() {
            [offer] => Ok(offer),
            [] => Err(Trouble::Say(format!(
                "there is no transition `{name}`; `help` lists what can be typed"
            ))),
            several => {
                let names: Vec<&str> = several
                    .iter()
                    .map(|offer| offer.transition.name.as_str())
                    .collect();
                Err(Trouble::Say(format!("which one: {}?", names.join(", "))))
            }
        }
    }

    fn take(&mut self, name: &str, given: &[(String, String)]) -> Result<(), Trouble> {
        let offer = self.find(name)?;
        let transition = offer.transition;
        if !offer.is_possible() {
            let reasons = self.words.impossible(offer, self.play.state());
            return Err(Trouble::Say(reasons.join("\n")));
        }
        let choices = self.choices(transition, given)?;
        let taken = self
            .simulator
            .take_with(transition, self.play.state(), &choices)?;
        match taken {
            Some((step, next)) => self.went(step, next),
            None => Err(Trouble::Say("these choices are not possible".to_owned())),
        }
    }

    fn went(&mut self, step: Step, next: Valuation) -> Result<(), Trouble> {
        let before = self.play.state();
        let words = step_in_words(self.system, self.words.wording(), before, &step, &next);
        writeln!(self.out, "{words}")?;
        self.play.take(step, next);
        self.is_saved = false;
        self.arrive()
    }

    fn random(&mut self, count: u64) -> Result<(), Trouble> {
        for _ in 0..count {
            let before = self.play.state();
            let Some((step, next)) = self.simulator.step(before)? else {
                break;
            };
            let words = step_in_words(self.system, self.words.wording(), before, &step, &next);
            writeln!(self.out, "{words}")?;
            self.play.take(step, next);
            self.is_saved = false;
        }
        self.arrive()
    }

    fn go(&mut self, go: fn(&mut Play) -> bool, otherwise: &str) -> Result<(), Trouble> {
        if go(&mut self.play) {
            return self.arrive();
        }
        Err(Trouble::Say(otherwise.to_owned()))
    }

    fn jump(&mut self, number: usize) -> Result<(), Trouble> {
        if self.play.jump(number) {
            return self.arrive();
        }
        let length = self.play.length();
        Err(Trouble::Say(format!("the run has {length} steps")))
    }

    /// Begins anew, in an initial state of the user's choice.
    fn start(&mut self) -> Result<(), Trouble> {
        let choices = self.start_choices()?;
        match self.simulator.start_with(&choices)? {
            Some(state) => {
                self.play = Play::from_state(state);
                self.is_saved = choices.is_empty();
                self.arrive()
            }
            None => Err(Trouble::Say("no initial state has these values".to_owned())),
        }
    }

    fn trace(&mut self) -> Result<(), Trouble> {
        let first = self.play.state_at(0).map(|state| self.words.state(state));
        writeln!(self.out, "0: {}", first.unwrap_or_default())?;
        for (number, (before, step, after)) in self.play.steps().enumerate() {
            let words = step_in_words(self.system, self.words.wording(), before, step, after);
            writeln!(self.out, "{}: {words}", number + 1)?;
        }
        Ok(())
    }

    fn save(&mut self, path: &Path) -> Result<(), String> {
        // The inputs of the violation that is first are those that the trace is evidence for.
        let violations = self.simulator.violations(self.play.state());
        let inputs = violations.ok().and_then(|found| found.into_iter().next());
        let trace = self
            .play
            .trace(inputs.map(|it| it.inputs).unwrap_or_default());
        let model = self.model.file_name().unwrap_or_default();
        save(path, &trace, self.system, &model.to_string_lossy())?;
        self.is_saved = true;
        Ok(())
    }

    fn load(&mut self, path: &Path, number: usize) -> Result<(), Trouble> {
        let file = TraceFile::read(path, self.system, number)
            .map_err(|failure| Trouble::Say(failure.to_string()))?;
        let replayed = self.simulator.replay(&file.record)?;
        if let Some(fault) = replayed.fault {
            let states = replayed.trace.states.len();
            let what = self.words.fault(&fault, &file.record.states);
            return Err(Trouble::Say(file.complaint(states, &what)));
        }
        if let Some(play) = Play::from_trace(replayed.trace) {
            self.play = play;
            self.is_saved = true;
        }
        self.arrive()
    }
}
