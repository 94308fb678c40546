//! A run while it is played: the states so far, where in it one is, and what was undone.
//!
//! Invariant: there is one state more than there are steps, and the position is one of the states.

use slabcert_certificates::trace::{Step, Trace, Valuation};

/// A run, and a position in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Play {
    first: Valuation,
    steps: Vec<(Step, Valuation)>,
    at: usize,
}

impl Play {
    /// A run that has not gone anywhere.
    pub fn from_state(first: Valuation) -> Play {
        Play {
            first,
            steps: Vec::new(),
            at: 0,
        }
    }

    /// The run of a trace, at its end; `None` if the trace has no state.
    pub fn from_trace(trace: Trace) -> Option<Play> {
        let mut states = trace.states.into_iter();
        let first = states.next()?;
        let steps: Vec<(Step, Valuation)> = trace.steps.into_iter().zip(states).collect();
        Some(Play {
            first,
            at: steps.len(),
            steps,
        })
    }

    /// The state where one is.
    pub fn state(&self) -> &Valuation {
        self.state_at(self.at).unwrap_or(&self.first)
    }

    /// The state after so many steps.
    pub fn state_at(&self, number: usize) -> Option<&Valuation> {
        match number.checked_sub(1) {
            None => Some(&self.first),
            Some(step) => self.steps.get(step).map(|(_, state)| state),
        }
    }

    /// The steps up to where one is, each with the state before and after it.
    pub fn steps(&self) -> impl Iterator<Item = (&Valuation, &Step, &Valuation)> {
        let before = std::iter::once(&self.first).chain(self.steps.iter().map(|(_, state)| state));
        before
            .zip(&self.steps)
            .take(self.at)
            .map(|(before, (step, after))| (before, step, after))
    }

    /// How many steps lie before.
    pub fn at(&self) -> usize {
        self.at
    }

    /// How many steps there are, with those that were undone.
    pub fn length(&self) -> usize {
        self.steps.len()
    }

    /// Goes a new step. What was undone is forgotten.
    pub fn take(&mut self, step: Step, state: Valuation) {
        self.steps.truncate(self.at);
        self.steps.push((step, state));
        self.at += 1;
    }

    /// Goes to the state after so many steps; false, and nothing happens, if there are not as many.
    pub fn jump(&mut self, number: usize) -> bool {
        let is_there = number <= self.steps.len();
        if is_there {
            self.at = number;
        }
        is_there
    }

    /// Goes a step back; false at the start.
    pub fn undo(&mut self) -> bool {
        self.at
            .checked_sub(1)
            .is_some_and(|before| self.jump(before))
    }

    /// Goes a step forward that was undone; false if there is none.
    pub fn redo(&mut self) -> bool {
        self.jump(self.at + 1)
    }

    /// The run up to where one is, with inputs for its last state.
    pub fn trace(&self, final_inputs: Valuation) -> Trace {
        let (steps, states): (Vec<Step>, Vec<Valuation>) =
            self.steps.iter().take(self.at).cloned().unzip();
        Trace {
            states: std::iter::once(self.first.clone()).chain(states).collect(),
            steps,
            final_inputs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use slabcert_certificates::term::Value;

    fn state(x: u32) -> Valuation {
        Valuation::from([("x".to_owned(), Value::Int(x.into()))])
    }

    fn step(name: &str) -> Step {
        Step {
            transition: name.to_owned(),
            inputs: Valuation::new(),
        }
    }

    fn played() -> Play {
        let mut play = Play::from_state(state(0));
        play.take(step("a"), state(1));
        play.take(step("b"), state(2));
        play
    }

    #[test]
    fn what_is_undone_can_be_redone_until_another_step_is_taken() {
        let mut play = played();
        assert!(play.undo() && play.undo());
        assert!(!play.undo(), "there is nothing before the start");
        assert_eq!((play.at(), play.length(), play.state()), (0, 2, &state(0)));
        assert!(play.redo());
        assert_eq!(play.state(), &state(1));
        play.take(step("c"), state(7));
        assert!(!play.redo());
        let names: Vec<&str> = play
            .steps()
            .map(|(_, step, _)| step.transition.as_str())
            .collect();
        assert_eq!(names, ["a", "c"]);
    }

    #[test]
    fn a_trace_goes_up_to_the_place_and_comes_back() {
        let mut play = played();
        assert_eq!(
            Play::from_trace(play.trace(Valuation::new())),
            Some(play.clone())
        );
        assert!(play.jump(1) && !play.jump(3));
        let trace = play.trace(Valuation::new());
        assert_eq!((trace.states.len(), trace.steps.len()), (2, 1));
        assert_eq!(Play::from_trace(Trace::default()), None);
    }
}
