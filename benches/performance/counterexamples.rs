//! Counterexamples: each engine alone, and all of them side by side.

use crate::outcome::{Outcome, figure, median};
use crate::rows::AUTO_FACTOR;
use crate::table::Table;
use crate::verify::{Ending, Job, verify};
use crate::{Failure, Setting};

/// The engines, in the table's order.
const ENGINES: [&str; 4] = ["slicing", "bounded", "horn", "auto"];
const BOUNDED: usize = 1;
const HORN: usize = 2;
const AUTO: usize = 3;

/// Only the property that is violated: `bounded` proves none of the others.
const FIRST_PROPERTY: &[&str] = &["--property", "0"];

/// What came of one size of a model.
pub struct Row {
    model: &'static str,
    size: u32,
    /// By engine.
    outcomes: Vec<Outcome>,
    /// Whose trace `auto` showed.
    winner: Option<String>,
}

/// The head of the table.
pub fn table() -> Table {
    Table::new(&[
        ("model", 28),
        ("N", 3),
        ("steps", 5),
        ("slicing, s", 8),
        ("bounded, s", 8),
        ("horn, s", 8),
        ("auto, s", 8),
        ("by", 8),
        ("peak MB", 7),
        ("auto / faster alone", 8),
        ("", 6),
    ])
}

/// Measures one size of a model.
pub fn measure(setting: &Setting, model: &'static str, size: u32) -> Result<Row, Failure> {
    let mut outcomes: Vec<Option<Outcome>> = vec![None; ENGINES.len()];
    let mut winner = None;
    for repetition in 0..setting.repetitions {
        for turn in 0..ENGINES.len() {
            // Everybody goes first once.
            let index = (turn + repetition) % ENGINES.len();
            if outcomes[index]
                .as_ref()
                .is_some_and(|outcome| !outcome.is_solved())
            {
                continue;
            }
            let job = Job {
                model: setting.example(model),
                constants: vec![format!("N={size}")],
                engine: ENGINES[index],
                options: FIRST_PROPERTY,
                limit: setting.limit,
                bundle: None,
            };
            let verified = verify(&setting.program, &job, setting.folder())?;
            match &mut outcomes[index] {
                Some(outcome) => outcome.add(&verified),
                none => *none = Some(Outcome::of(&verified)),
            }
            if index == AUTO {
                winner = verified.winner;
            }
        }
    }
    Ok(Row {
        model,
        size,
        outcomes: outcomes.into_iter().flatten().collect(),
        winner,
    })
}

impl Row {
    /// The row's name.
    pub fn name(&self) -> String {
        format!("{} {}", self.model, self.size)
    }

    /// How many times as long `auto` takes as the faster of `bounded` and `horn`.
    fn factor(&self) -> Option<f64> {
        let auto = &self.outcomes[AUTO];
        let alone = [BOUNDED, HORN].map(|index| &self.outcomes[index]);
        let solved = alone.into_iter().filter(|outcome| outcome.is_solved());
        let fastest = solved
            .map(|outcome| median(&outcome.wall))
            .min_by(f64::total_cmp)?;
        auto.is_solved().then(|| median(&auto.wall) / fastest)
    }

    /// Whether `auto` is fast enough, and if not, how far away it is.
    pub fn result(&self) -> Result<(), String> {
        match self.factor() {
            _ if !self.outcomes[AUTO].is_solved() => Err("not found".to_owned()),
            Some(factor) if factor > AUTO_FACTOR => Err(format!("{} times", figure(factor))),
            // Where neither finds it alone, there is nothing to be slower than.
            _ => Ok(()),
        }
    }

    /// Whether a run said something wrong.
    pub fn fault(&self) -> Option<String> {
        let mut outcomes = self.outcomes.iter().zip(ENGINES);
        outcomes.find_map(|(outcome, engine)| match &outcome.ending {
            Ending::Safe(_) => Some(format!("{} by {engine}: safe", self.name())),
            Ending::Failed(words) => Some(format!("{} by {engine}: {words}", self.name())),
            Ending::Unsafe(_) | Ending::OutOfTime | Ending::GaveUp => None,
        })
    }

    /// The cells of the table.
    pub fn cells(&self) -> Vec<String> {
        let steps = self.outcomes.iter().filter_map(|it| match it.ending {
            Ending::Unsafe(steps) => Some(steps),
            _ => None,
        });
        let peak = self.outcomes.iter().map(|outcome| outcome.peak);
        let mut cells = vec![
            self.model.to_owned(),
            self.size.to_string(),
            steps
                .min()
                .map_or_else(String::new, |steps| steps.to_string()),
        ];
        cells.extend(self.outcomes.iter().map(Outcome::shown_wall));
        cells.extend([
            self.winner.clone().unwrap_or_default(),
            format!("{:.0}", peak.fold(0.0, f64::max)),
            self.factor().map_or_else(String::new, figure),
            match self.result() {
                Ok(()) => "met".to_owned(),
                Err(words) => format!("**missed**: {words}"),
            },
        ]);
        cells
    }
}
