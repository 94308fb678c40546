//! Several runs of the same job as one figure, and two figures against each other.

use crate::verify::{Ending, Size, Verified};

/// What came of a job.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Processor time of each run, in seconds.
    pub cpu: Vec<f64>,
    /// Wall-clock time of each run, in seconds.
    pub wall: Vec<f64>,
    /// The most resident memory of all runs, in megabytes.
    pub peak: f64,
    /// How the runs ended: the worst of them.
    pub ending: Ending,
}

impl Outcome {
    pub fn of(verified: &Verified) -> Outcome {
        Outcome {
            cpu: vec![verified.run.cpu],
            wall: vec![verified.run.wall],
            peak: verified.run.peak,
            ending: verified.ending.clone(),
        }
    }

    /// Adds another run of the job.
    pub fn add(&mut self, verified: &Verified) {
        self.cpu.push(verified.run.cpu);
        self.wall.push(verified.run.wall);
        self.peak = self.peak.max(verified.run.peak);
        if self.is_solved() {
            self.ending = verified.ending.clone();
        }
    }

    /// Whether every run found evidence.
    pub fn is_solved(&self) -> bool {
        matches!(self.ending, Ending::Safe(_) | Ending::Unsafe(_))
    }

    /// The size of the proof, if it is one.
    pub fn size(&self) -> Option<Size> {
        match self.ending {
            Ending::Safe(size) => Some(size),
            _ => None,
        }
    }

    /// The median of the processor times.
    pub fn seconds(&self) -> f64 {
        median(&self.cpu)
    }

    /// The processor time as the table shows it.
    pub fn shown(&self) -> String {
        self.show(self.seconds())
    }

    /// The wall-clock time as the table shows it.
    pub fn shown_wall(&self) -> String {
        self.show(median(&self.wall))
    }

    fn show(&self, time: f64) -> String {
        match &self.ending {
            Ending::Safe(_) | Ending::Unsafe(_) => figure(time),
            Ending::OutOfTime => format!("> {}", figure(time)),
            Ending::GaveUp => format!("gave up ({})", figure(time)),
            Ending::Failed(_) => "failed".to_owned(),
        }
    }
}

/// How many times as much processor time one job needs as another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ratio {
    Exactly(f64),
    /// The other job was ended before it was done.
    MoreThan(f64),
    /// This job was ended before it was done.
    LessThan(f64),
}

impl Ratio {
    /// The ratio of a peer's time to ours: the median over paired runs where both were done.
    pub fn of(ours: &Outcome, peer: &Outcome) -> Option<Ratio> {
        match (ours.is_solved(), peer.is_solved()) {
            (true, true) => {
                let pairs = ours.cpu.iter().zip(&peer.cpu);
                let ratios: Vec<f64> = pairs.map(|(ours, peer)| peer / ours).collect();
                Some(Ratio::Exactly(median(&ratios)))
            }
            (true, false) => {
                // One that gave up says nothing about how long it would have taken.
                let is_bound = peer.ending == Ending::OutOfTime;
                is_bound.then(|| Ratio::MoreThan(peer.seconds() / ours.seconds()))
            }
            (false, true) => {
                let is_bound = ours.ending == Ending::OutOfTime;
                is_bound.then(|| Ratio::LessThan(peer.seconds() / ours.seconds()))
            }
            (false, false) => None,
        }
    }

    /// Whether it is certain to be at least so much.
    pub fn reaches(self, least: f64) -> bool {
        match self {
            Ratio::Exactly(ratio) | Ratio::MoreThan(ratio) => ratio >= least,
            Ratio::LessThan(_) => false,
        }
    }
}

impl std::fmt::Display for Ratio {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            // Rounded down: 0.998 is not yet 1.
            Ratio::Exactly(ratio) => formatter.write_str(&figure((ratio * 100.0).floor() / 100.0)),
            Ratio::MoreThan(ratio) => write!(formatter, "> {}", figure(*ratio)),
            Ratio::LessThan(ratio) => write!(formatter, "< {}", figure(*ratio)),
        }
    }
}

/// A time or ratio with as many digits as mean something.
pub fn figure(value: f64) -> String {
    if value < 10.0 {
        format!("{value:.2}")
    } else {
        format!("{value:.0}")
    }
}

/// The value in the middle; the mean of both if there are two; 0 if there is none.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => 0.0,
        odd if odd % 2 == 1 => sorted[odd / 2],
        even => f64::midpoint(sorted[even / 2 - 1], sorted[even / 2]),
    }
}
