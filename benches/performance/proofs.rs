//! Proofs: slicing against `horn` on families that grow.

use crate::outcome::{Outcome, Ratio};
use crate::rows::{ENCODINGS, Family};
use crate::table::Table;
use crate::verify::{Ending, Job, check, verify};
use crate::{Failure, Setting};

/// How long slicing may take at sizes beyond the comparison, in seconds.
const STRETCH_SECONDS: u64 = 300;
/// An encoding of `horn` that takes so many times as long as another one, and so many seconds more, is not the best.
const OUTDISTANCED: f64 = 3.0;
const OUTDISTANCED_SECONDS: f64 = 2.0;
/// The solvers that have to accept every proof.
const SOLVERS: [&str; 2] = ["z3", "cvc5"];

/// What came of one size of a family.
pub struct Row {
    pub family: &'static Family,
    pub size: u32,
    pub slicing: Outcome,
    /// The best encoding and what came of it.
    pub horn: Option<(&'static str, Outcome)>,
    pub ratio: Option<Ratio>,
    /// What the solvers say about slicing's bundle.
    checked: Vec<(&'static str, String)>,
}

/// The head of the table.
pub fn table() -> Table {
    Table::new(&[
        ("model", 25),
        ("N", 3),
        ("slicing, CPU s", 8),
        ("peak MB", 7),
        ("nodes / literals / edges", 16),
        ("horn, CPU s", 8),
        ("encoding", 21),
        ("peak MB", 7),
        ("nodes / literals / edges", 16),
        ("ratio", 7),
        ("target", 24),
        ("", 6),
        ("accepted by", 8),
    ])
}

/// What a family has learnt on the way to larger sizes.
pub struct Experience {
    /// Encodings of `horn` that were in time so far.
    encodings: Vec<usize>,
}

impl Default for Experience {
    fn default() -> Experience {
        Experience {
            encodings: (0..ENCODINGS.len()).collect(),
        }
    }
}

/// Measures one size of a family.
pub fn measure(
    setting: &Setting,
    family: &'static Family,
    size: u32,
    experience: &mut Experience,
) -> Result<Row, Failure> {
    let is_compared = family.sizes.contains(&size);
    let mut slicing = Outcome::of(&verify(
        &setting.program,
        &slicing_job(setting, family, size),
        setting.folder(),
    )?);
    let mut horn = if is_compared {
        Some(best_encoding(setting, family, size, experience)?)
    } else {
        None
    };
    for repetition in 1..setting.repetitions {
        // Who goes first alternates; what was not done in time is not tried again.
        for is_slicing in [repetition % 2 == 0, repetition % 2 == 1] {
            if is_slicing && slicing.is_solved() {
                let job = slicing_job(setting, family, size);
                slicing.add(&verify(&setting.program, &job, setting.folder())?);
            }
            if let (false, Some((encoding, outcome))) = (is_slicing, &mut horn)
                && outcome.is_solved()
            {
                let job = horn_job(setting, family, size, *encoding);
                outcome.add(&verify(&setting.program, &job, setting.folder())?);
            }
        }
    }
    let ratio = horn
        .as_ref()
        .and_then(|(_, horn)| Ratio::of(&slicing, horn));
    let checked = if setting.is_checking && slicing.is_solved() {
        check_bundle(setting, family, size)?
    } else {
        Vec::new()
    };
    Ok(Row {
        family,
        size,
        slicing,
        horn: horn.map(|(encoding, outcome)| (ENCODINGS[encoding].0, outcome)),
        ratio,
        checked,
    })
}

/// Runs `horn` with each encoding that was in time at smaller sizes, and gives the best of them. One that takes much longer than
/// another is ended early.
fn best_encoding(
    setting: &Setting,
    family: &'static Family,
    size: u32,
    experience: &mut Experience,
) -> Result<(usize, Outcome), Failure> {
    let mut tried = Vec::new();
    let mut limit = setting.limit;
    for &encoding in &experience.encodings {
        let mut job = horn_job(setting, family, size, encoding);
        job.limit = limit;
        let verified = verify(&setting.program, &job, setting.folder())?;
        let outcome = Outcome::of(&verified);
        if outcome.is_solved() {
            let hopeless = OUTDISTANCED * verified.run.wall + OUTDISTANCED_SECONDS;
            limit = limit.min(hopeless.ceil() as u64);
        }
        tried.push((encoding, outcome));
    }
    let rank = |(_, outcome): &(usize, Outcome)| {
        let time = outcome.seconds();
        if outcome.is_solved() {
            time
        } else {
            time + 1e9
        }
    };
    tried.sort_by(|one, other| rank(one).total_cmp(&rank(other)));
    let in_time: Vec<usize> = tried
        .iter()
        .filter(|(_, outcome)| outcome.is_solved())
        .map(|(encoding, _)| *encoding)
        .collect();
    experience.encodings = if in_time.is_empty() {
        vec![tried[0].0]
    } else {
        in_time
    };
    Ok(tried.swap_remove(0))
}

fn slicing_job<'a>(setting: &'a Setting, family: &'static Family, size: u32) -> Job<'a> {
    let own = family.seconds.iter().find(|(at, _)| *at == size);
    let default = match own {
        Some((_, seconds)) => *seconds,
        None if family.stretch.contains(&size) => STRETCH_SECONDS,
        None => setting.limit,
    };
    Job {
        engine: "slicing,lemmas",
        options: family.options,
        limit: if setting.is_limit_chosen {
            setting.limit
        } else {
            default
        },
        ..job(setting, family, size)
    }
}

fn horn_job<'a>(
    setting: &'a Setting,
    family: &'static Family,
    size: u32,
    encoding: usize,
) -> Job<'a> {
    Job {
        engine: "horn",
        options: ENCODINGS[encoding].1,
        ..job(setting, family, size)
    }
}

fn job<'a>(setting: &'a Setting, family: &'static Family, size: u32) -> Job<'a> {
    let mut constants = vec![format!("N={size}")];
    constants.extend(family.constants.iter().map(|text| (*text).to_owned()));
    Job {
        model: setting.example(family.model),
        constants,
        engine: "",
        options: &[],
        limit: setting.limit,
        bundle: None,
    }
}

/// Writes slicing's bundle and gives it to the checker with each solver. None of this is timed.
fn check_bundle(
    setting: &Setting,
    family: &'static Family,
    size: u32,
) -> Result<Vec<(&'static str, String)>, Failure> {
    let bundle = setting.folder().join("checked.cert");
    let job = Job {
        bundle: Some(bundle.clone()),
        ..slicing_job(setting, family, size)
    };
    verify(&setting.program, &job, setting.folder())?;
    SOLVERS
        .iter()
        .map(|solver| {
            let word = check(&setting.checker, &bundle, solver, setting.folder())?;
            Ok((*solver, word))
        })
        .collect()
}

impl Row {
    /// The row's name.
    pub fn name(&self) -> String {
        format!("{} {}", self.family.name, self.size)
    }

    /// What is to be reached, each with whether it is, and if not, how far it is away.
    pub fn targets(&self) -> Vec<(String, Result<(), String>)> {
        let mut targets = Vec::new();
        let size = self.slicing.size();
        let unsolved = || Err("not solved".to_owned());
        if let (Some((from, least)), Some(_)) = (self.family.ratio, &self.horn)
            && self.size >= from
        {
            let result = match self.ratio {
                _ if size.is_none() => unsolved(),
                // `horn` gave up or failed: it is not faster.
                None => Ok(()),
                Some(ratio) if ratio.reaches(least) => Ok(()),
                Some(ratio) => Err(format!("ratio {ratio}")),
            };
            targets.push((format!("ratio ≥ {least}"), result));
        }
        if let Some((_, bound)) = self.family.nodes_below.iter().find(|it| it.0 == self.size) {
            let result = match size {
                None => unsolved(),
                Some(size) if size.nodes < *bound => Ok(()),
                Some(size) => Err(format!("{} nodes", size.nodes)),
            };
            targets.push((format!("< {bound} nodes"), result));
        }
        if let Some((_, bound)) = self.family.seconds.iter().find(|it| it.0 == self.size) {
            let result = match size {
                None => unsolved(),
                Some(_) => Ok(()),
            };
            targets.push((format!("≤ {bound} s"), result));
        }
        targets
    }

    /// Whether a solver did not accept the proof, or a run said something wrong.
    pub fn fault(&self) -> Option<String> {
        let peers = self.horn.iter().map(|(_, outcome)| outcome);
        for outcome in peers.chain([&self.slicing]) {
            match &outcome.ending {
                Ending::Unsafe(_) => return Some(format!("{}: unsafe", self.name())),
                Ending::Failed(words) => return Some(format!("{}: {words}", self.name())),
                Ending::Safe(_) | Ending::OutOfTime | Ending::GaveUp => {}
            }
        }
        let refused = self
            .checked
            .iter()
            .find(|(_, word)| word != "accepted" && word != "not installed");
        refused.map(|(solver, word)| format!("{}: {solver} says {word}", self.name()))
    }

    /// The cells of the table.
    pub fn cells(&self) -> Vec<String> {
        let sizes = |outcome: &Outcome| {
            let size = outcome.size();
            size.map_or_else(String::new, |size| size.to_string())
        };
        let horn = |show: &dyn Fn(&'static str, &Outcome) -> String| {
            let pair = self.horn.as_ref();
            pair.map_or_else(String::new, |(encoding, outcome)| show(encoding, outcome))
        };
        let targets = self.targets();
        let missed: Vec<&str> = targets
            .iter()
            .filter_map(|(_, result)| result.as_ref().err().map(String::as_str))
            .collect();
        let wanted: Vec<&str> = targets.iter().map(|(wanted, _)| wanted.as_str()).collect();
        let verdict = match (targets.is_empty(), missed.is_empty()) {
            (true, _) => String::new(),
            (false, true) => "met".to_owned(),
            (false, false) => format!("**missed**: {}", missed.join(", ")),
        };
        let accepted: Vec<String> = self
            .checked
            .iter()
            .map(|(solver, word)| match word.as_str() {
                "accepted" => (*solver).to_owned(),
                word => format!("{solver} {word}"),
            })
            .collect();
        vec![
            self.family.name.to_owned(),
            self.size.to_string(),
            self.slicing.shown(),
            format!("{:.0}", self.slicing.peak),
            sizes(&self.slicing),
            horn(&|_, outcome| outcome.shown()),
            horn(&|encoding, _| encoding.to_owned()),
            horn(&|_, outcome| format!("{:.0}", outcome.peak)),
            horn(&|_, outcome| sizes(outcome)),
            self.ratio
                .map_or_else(String::new, |ratio| ratio.to_string()),
            wanted.join(", "),
            verdict,
            accepted.join(", "),
        ]
    }
}
