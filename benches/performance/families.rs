//! Models of families that grow, written by a script, each run by several contenders, and how these compare.

use crate::outcome::{Outcome, figure};
use crate::verify::{Ending, Job, Verified, verify};
use crate::{Failure, Setting};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// What is to be reached, and whether it is.
pub type Target = (String, Result<(), String>);

/// Who decides models: what the tables say, the engine, and its options.
pub type Contender = (&'static str, &'static str, &'static [&'static str]);

/// A model of a family.
#[derive(Clone, Debug)]
pub struct Model {
    pub path: PathBuf,
    /// The file's name without its extension.
    pub name: String,
    pub family: String,
    /// 0 in a family of one.
    pub size: u32,
    pub is_safe: bool,
}

impl Model {
    /// From a file `FAMILY_SIZE_VERDICT` or `FAMILY_VERDICT`.
    fn of(path: PathBuf) -> Option<Model> {
        let name = path.file_stem()?.to_str()?.to_owned();
        let (rest, verdict) = name.rsplit_once('_')?;
        let sized = rest.rsplit_once('_');
        let sized = sized.and_then(|(family, size)| Some((family, size.parse().ok()?)));
        let (family, size) = sized.unwrap_or((rest, 0));
        Some(Model {
            family: family.to_owned(),
            size,
            is_safe: verdict == "safe",
            path,
            name,
        })
    }
}

/// Has a script write its models, and lists them by family, verdict and size; only one of them if it is named.
pub fn models(setting: &Setting, script: &str, only: Option<&str>) -> Result<Vec<Model>, Failure> {
    let folder = setting.folder().join(script);
    let program = setting.root.join("scripts").join(script);
    let run = std::process::Command::new(program).arg(&folder).output()?;
    if !run.status.success() {
        return Err(String::from_utf8_lossy(&run.stderr).into());
    }
    let mut models = Vec::new();
    for entry in std::fs::read_dir(&folder)? {
        let model = Model::of(entry?.path());
        models.extend(model.filter(|it| only.is_none_or(|name| it.name == name)));
    }
    models.sort_by_key(|it| (it.family.clone(), !it.is_safe, it.size));
    Ok(models)
}

/// Which contenders were not in time, by family and verdict: they are not tried at larger sizes.
#[derive(Default)]
pub struct Experience(BTreeSet<(String, bool, usize)>);

/// What came of a model, by contender; none where it was not in time at a smaller size.
pub struct Runs {
    pub model: Model,
    contenders: &'static [Contender],
    runs: Vec<Option<(Outcome, Verified)>>,
}

/// Runs a contender on a model once.
pub fn run(
    setting: &Setting,
    model: &Model,
    (_, engine, own): Contender,
    more: &[&str],
    bundle: Option<PathBuf>,
) -> Result<Verified, Failure> {
    let options: Vec<&str> = own.iter().chain(more).copied().collect();
    let job = Job {
        model: model.path.clone(),
        constants: Vec::new(),
        engine,
        options: &options,
        limit: setting.limit,
        bundle,
    };
    verify(&setting.program, &job, setting.folder())
}

impl Runs {
    /// Runs all contenders on a model.
    pub fn of(
        setting: &Setting,
        model: &Model,
        contenders: &'static [Contender],
        options: &[&str],
        experience: &mut Experience,
    ) -> Result<Runs, Failure> {
        let mut runs: Vec<Option<(Outcome, Verified)>> = vec![None; contenders.len()];
        for repetition in 0..setting.repetitions {
            for turn in 0..contenders.len() {
                // Everybody goes first once.
                let contender = (turn + repetition) % contenders.len();
                let key = (model.family.clone(), model.is_safe, contender);
                if experience.0.contains(&key) {
                    continue;
                }
                let verified = run(setting, model, contenders[contender], options, None)?;
                let outcome = Outcome::of(&verified);
                if !outcome.is_solved() {
                    experience.0.insert(key);
                }
                match &mut runs[contender] {
                    Some((known, _)) => known.add(&verified),
                    none => *none = Some((outcome, verified)),
                }
            }
        }
        Ok(Runs {
            model: model.clone(),
            contenders,
            runs,
        })
    }

    /// A contender's run that found evidence.
    pub fn solved(&self, contender: usize) -> Option<&(Outcome, Verified)> {
        let run = self.runs[contender].as_ref();
        run.filter(|(outcome, _)| outcome.is_solved())
    }

    /// What a contender counted.
    pub fn counter(&self, contender: usize, name: &str) -> Option<u64> {
        let (_, verified) = self.runs[contender].as_ref()?;
        verified.counters.get(name).copied()
    }

    /// Nodes and processor time of two contenders, where both were in time.
    pub fn compared(&self, pair: [usize; 2]) -> Option<[(u64, f64); 2]> {
        let figures = pair.map(|contender| {
            let (outcome, _) = self.solved(contender)?;
            Some((self.counter(contender, "tree_nodes")?, outcome.seconds()))
        });
        Some([figures[0]?, figures[1]?])
    }

    /// Which run said something wrong, or failed.
    pub fn fault(&self) -> Option<String> {
        let is_wrong = |ending: &Ending| match ending {
            Ending::Safe(_) => !self.model.is_safe,
            Ending::Unsafe(_) => self.model.is_safe,
            Ending::Failed(_) => true,
            Ending::OutOfTime | Ending::GaveUp => false,
        };
        let mut runs = self.runs.iter().zip(self.contenders);
        runs.find_map(|(run, (name, ..))| {
            let (outcome, _) = run.as_ref()?;
            is_wrong(&outcome.ending)
                .then(|| format!("{} by {name}: {:?}", self.model.name, outcome.ending))
        })
    }

    /// A contender's processor time, as tables show it.
    pub fn shown(&self, contender: usize) -> String {
        let run = self.runs[contender].as_ref();
        run.map_or_else(|| "–".to_owned(), |(outcome, _)| outcome.shown())
    }

    /// A contender's count, as tables show it.
    pub fn counted(&self, contender: usize, name: &str) -> String {
        let count = self.counter(contender, name);
        count.map_or_else(String::new, |count| count.to_string())
    }

    /// Whose evidence was accepted where a contender runs several engines.
    pub fn winner(&self, contender: usize) -> String {
        let winner = self.solved(contender).and_then(|(_, it)| it.winner.clone());
        winner.unwrap_or_default()
    }
}

/// Nodes and processor time of two contenders in total, and of how many models.
pub fn sums<'r>(
    rows: impl Iterator<Item = &'r Runs>,
    pair: [usize; 2],
) -> ([(u64, f64); 2], usize) {
    let mut sums = [(0, 0.0); 2];
    let mut count = 0;
    for compared in rows.filter_map(|row| row.compared(pair)) {
        for (sum, own) in sums.iter_mut().zip(compared) {
            *sum = (sum.0 + own.0, sum.1 + own.1);
        }
        count += 1;
    }
    (sums, count)
}

/// Whether a ratio is small enough.
pub fn share(what: &str, ratio: f64, most: f64) -> Target {
    let result = match ratio <= most {
        true => Ok(()),
        false => Err(figure(ratio)),
    };
    (format!("{what} at most {most}"), result)
}
