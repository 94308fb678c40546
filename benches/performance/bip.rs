//! BIP models: lazy predicate abstraction with and without simultaneous sets, against the other engines, on the families of
//! `scripts/bip-models`.

use crate::outcome::{Outcome, figure, median};
use crate::table::Table;
use crate::verify::{Ending, Job, Verified, verify};
use crate::{Failure, Setting, measure};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Who decides the models: what the tables say, the engine, and its options.
const CONTENDERS: [(&str, &str, &[&str]); 5] = [
    ("predicate", "predicate", &["--reduction", "none"]),
    (
        "simultaneous",
        "predicate",
        &["--reduction", "simultaneous"],
    ),
    ("slicing", "slicing", &[]),
    ("horn", "horn", &[]),
    ("auto", "auto", &[]),
];
const PLAIN: usize = 0;
const REDUCED: usize = 1;
const HORN: usize = 3;
const AUTO: usize = 4;
/// So many models are to end in reduced bundles, where these are not lifted.
const REDUCED_BUNDLES: usize = 30;
/// Options of every run: the property, and the most memory in megabytes.
const OPTIONS: [&str; 4] = ["--property", "goal", "--memory", "4096"];

/// How many of the models `predicate` is to decide, with or without reduction.
const DECIDED_BY_PREDICATE: usize = 110;
/// With the reduction, violations are to take at most so much of the nodes and of the time of the search without, proofs so much.
const UNSAFE_SHARES: (f64, f64) = (0.5, 0.7);
const SAFE_SHARES: (f64, f64) = (1.0, 1.2);
/// From this size on, the family with a local property is to take at most a fifth of the nodes.
const LOCAL: (&str, u32, f64) = ("atm_local", 3, 0.2);
/// `auto` may take so many times the wall-clock time of `horn`.
const AUTO_FACTOR: f64 = 1.2;
/// A check of the translation too may take so many times as long as one without.
const TRANSLATION_FACTOR: f64 = 2.0;
/// The model that `--smoke` runs.
const SMOKE: &str = "railway_control_1_safe";

/// A model of a family.
#[derive(Clone, Debug)]
pub struct BipModel {
    path: PathBuf,
    /// The file's name without its extension.
    pub name: String,
    family: String,
    size: u32,
    is_safe: bool,
}

/// What came of a model.
pub struct Row {
    model: BipModel,
    /// By contender; none where it was not in time at a smaller size.
    runs: Vec<Option<(Outcome, Verified)>>,
    check: Option<Check>,
}

/// What a check of the bundle with simultaneous sets took.
struct Check {
    /// What the checker says.
    word: String,
    obligations: BTreeMap<String, usize>,
    is_reduced: bool,
    /// Processor time in seconds, with the translation of the program and without.
    seconds: (f64, f64),
}

/// Writes the models, and lists them by family, verdict and size.
pub fn models(setting: &Setting, is_smoke: bool) -> Result<Vec<BipModel>, Failure> {
    let folder = setting.folder().join("bip-models");
    let script = setting.root.join("scripts/bip-models");
    let run = std::process::Command::new(script).arg(&folder).output()?;
    if !run.status.success() {
        return Err(String::from_utf8_lossy(&run.stderr).into());
    }
    let mut models = Vec::new();
    for entry in std::fs::read_dir(&folder)? {
        let path = entry?.path();
        let Some(name) = path.file_stem().and_then(|it| it.to_str()) else {
            continue;
        };
        // `FAMILY_SIZE_VERDICT`
        let mut parts = name.rsplitn(3, '_');
        let (verdict, size, family) = (parts.next(), parts.next(), parts.next());
        if let (Some(verdict), Some(Ok(size)), Some(family)) =
            (verdict, size.map(str::parse), family)
            && (!is_smoke || name == SMOKE)
        {
            models.push(BipModel {
                name: name.to_owned(),
                family: family.to_owned(),
                size,
                is_safe: verdict == "safe",
                path: path.clone(),
            });
        }
    }
    models.sort_by_key(|it| (it.family.clone(), !it.is_safe, it.size));
    Ok(models)
}

/// Which contenders were not in time, by family and verdict: they are not tried at larger sizes.
#[derive(Default)]
pub struct Experience(BTreeSet<(String, bool, usize)>);

/// The head of the table.
pub fn table() -> Table {
    Table::new(&[
        ("model", 28),
        ("predicate: CPU s", 8),
        ("nodes", 7),
        ("simultaneous: CPU s", 8),
        ("nodes", 7),
        ("sets / full / lifted", 12),
        ("slicing: CPU s", 8),
        ("horn: CPU s", 8),
        ("auto: CPU s", 8),
        ("by", 9),
        ("obligations", 30),
        ("check: CPU s", 8),
        ("without translation", 8),
        ("accepted", 8),
    ])
}

/// Measures one model.
pub fn measure(
    setting: &Setting,
    model: &BipModel,
    experience: &mut Experience,
) -> Result<Row, Failure> {
    let mut runs: Vec<Option<(Outcome, Verified)>> = vec![None; CONTENDERS.len()];
    for repetition in 0..setting.repetitions {
        for turn in 0..CONTENDERS.len() {
            // Everybody goes first once.
            let contender = (turn + repetition) % CONTENDERS.len();
            let key = (model.family.clone(), model.is_safe, contender);
            if experience.0.contains(&key) {
                continue;
            }
            let verified = run(setting, model, contender, None)?;
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
    let is_solved = runs[REDUCED].as_ref().is_some_and(|(it, _)| it.is_solved());
    let check = match setting.is_checking && is_solved {
        true => Some(check(setting, model)?),
        false => None,
    };
    Ok(Row {
        model: model.clone(),
        runs,
        check,
    })
}

fn run(
    setting: &Setting,
    model: &BipModel,
    contender: usize,
    bundle: Option<PathBuf>,
) -> Result<Verified, Failure> {
    let (_, engine, own) = CONTENDERS[contender];
    let mut options: Vec<&str> = OPTIONS.iter().chain(own).copied().collect();
    if bundle.is_some() {
        options.extend(["--lift", "never"]);
    }
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

/// Has the bundle of a run with simultaneous sets, which stays reduced, checked as it is and without its program.
fn check(setting: &Setting, model: &BipModel) -> Result<Check, Failure> {
    /// The time limit for each check, in seconds.
    const LIMIT: f64 = 300.0;
    let bundle = setting.folder().join("bip.cert");
    run(setting, model, REDUCED, Some(bundle.clone()))?;
    let timed = |folder: &Path| {
        let arguments = [&folder.display().to_string(), "--solver", "z3"].map(str::to_owned);
        measure::measured(&setting.checker, &arguments, LIMIT, setting.folder())
    };
    let with = timed(&bundle)?;
    let mut obligations = BTreeMap::new();
    if let Ok(files) = std::fs::read_dir(bundle.join("obligations")) {
        for file in files {
            // `00012-consecution-main-...`
            let name = file?.file_name().to_string_lossy().into_owned();
            let kind = name.split(['-', '.']).nth(1).unwrap_or_default().to_owned();
            *obligations.entry(kind).or_default() += 1;
        }
    }
    let certificate = std::fs::read_to_string(bundle.join("certificate.json")).unwrap_or_default();
    // A bundle that is missing has no program either.
    let _ = std::fs::remove_file(bundle.join("program.json"));
    let without = timed(&bundle)?;
    let word = with.output.lines().last().unwrap_or_default();
    Ok(Check {
        word: word.split(':').next().unwrap_or_default().to_owned(),
        obligations,
        is_reduced: certificate.contains("\"regions\""),
        seconds: (with.cpu, without.cpu),
    })
}

impl Row {
    fn solved(&self, contender: usize) -> Option<&(Outcome, Verified)> {
        let run = self.runs[contender].as_ref();
        run.filter(|(outcome, _)| outcome.is_solved())
    }

    fn counter(&self, contender: usize, name: &str) -> Option<u64> {
        let (_, verified) = self.runs[contender].as_ref()?;
        verified.counters.get(name).copied()
    }

    /// Nodes and processor time of the search without and with reduction, where both were in time.
    fn compared(&self) -> Option<[(u64, f64); 2]> {
        let figures = [PLAIN, REDUCED].map(|contender| {
            let (outcome, _) = self.solved(contender)?;
            Some((self.counter(contender, "tree_nodes")?, outcome.seconds()))
        });
        Some([figures[0]?, figures[1]?])
    }

    /// Whether a run said something wrong, or a bundle was not accepted.
    pub fn fault(&self) -> Option<String> {
        let is_wrong = |ending: &Ending| match ending {
            Ending::Safe(_) => !self.model.is_safe,
            Ending::Unsafe(_) => self.model.is_safe,
            Ending::Failed(_) => true,
            Ending::OutOfTime | Ending::GaveUp => false,
        };
        for (run, (name, ..)) in self.runs.iter().zip(CONTENDERS) {
            if let Some((outcome, _)) = run
                && is_wrong(&outcome.ending)
            {
                return Some(format!(
                    "{} by {name}: {:?}",
                    self.model.name, outcome.ending
                ));
            }
        }
        let check = self.check.as_ref().filter(|it| it.word != "accepted");
        check.map(|check| format!("{}: the check says {}", self.model.name, check.word))
    }

    /// The cells of the table.
    pub fn cells(&self) -> Vec<String> {
        let shown = |contender: usize| {
            let run = self.runs[contender].as_ref();
            run.map_or_else(|| "–".to_owned(), |(outcome, _)| outcome.shown())
        };
        let counted = |contender, name| {
            let count = self.counter(contender, name);
            count.map_or_else(String::new, |count| count.to_string())
        };
        let sets = ["stubborn_sets", "full_expansions", "lifted"].map(|it| counted(REDUCED, it));
        let mut cells = vec![
            self.model.name.clone(),
            shown(PLAIN),
            counted(PLAIN, "tree_nodes"),
            shown(REDUCED),
            counted(REDUCED, "tree_nodes"),
            sets.join(" / "),
        ];
        cells.extend((REDUCED + 1..=AUTO).map(shown));
        let winner = self.solved(AUTO).and_then(|(_, it)| it.winner.clone());
        cells.push(winner.unwrap_or_default());
        match &self.check {
            Some(check) => {
                let kinds = check.obligations.iter();
                let kinds: Vec<String> = kinds.map(|(kind, it)| format!("{it} {kind}")).collect();
                let (with, without) = check.seconds;
                cells.extend([kinds.join(", "), figure(with), figure(without)]);
                let reduced = if check.is_reduced { ", reduced" } else { "" };
                cells.push(format!("{}{reduced}", check.word));
            }
            None => cells.extend(vec![String::new(); 4]),
        }
        cells
    }
}

/// The families in total, without and with reduction where both were in time, and how many each contender decides.
pub fn totals(rows: &[Row]) -> Table {
    let mut columns = vec![("family", 28), ("models", 6), ("in both", 7)];
    columns.extend([
        ("nodes", 9),
        ("simultaneous", 9),
        ("CPU s", 8),
        ("simultaneous", 8),
    ]);
    columns.extend(CONTENDERS.map(|(name, ..)| (name, 12)));
    let mut table = Table::new(&columns);
    let key = |row: &Row| (row.model.family.clone(), row.model.is_safe);
    let families: BTreeSet<(String, bool)> = rows.iter().map(key).collect();
    for (family, is_safe) in families {
        let own: Vec<&Row> = rows
            .iter()
            .filter(|row| key(row) == (family.clone(), is_safe))
            .collect();
        let word = if is_safe { "safe" } else { "unsafe" };
        let ([plain, reduced], count) = sums(own.iter().copied());
        let mut cells = vec![format!("{family}, {word}"), own.len().to_string()];
        cells.extend([
            count.to_string(),
            plain.0.to_string(),
            reduced.0.to_string(),
        ]);
        cells.extend([figure(plain.1), figure(reduced.1)]);
        let decided = |contender| {
            own.iter()
                .filter(move |row| row.solved(contender).is_some())
        };
        cells.extend((0..CONTENDERS.len()).map(|it| decided(it).count().to_string()));
        table.print(&cells);
    }
    table
}

/// Nodes and processor time without and with reduction, in total, and of how many models.
fn sums<'r>(rows: impl Iterator<Item = &'r Row>) -> ([(u64, f64); 2], usize) {
    let mut sums = [(0, 0.0); 2];
    let mut count = 0;
    for compared in rows.filter_map(Row::compared) {
        for (sum, own) in sums.iter_mut().zip(compared) {
            *sum = (sum.0 + own.0, sum.1 + own.1);
        }
        count += 1;
    }
    (sums, count)
}

type Target = (String, Result<(), String>);

/// What is to be reached, each with whether it is.
pub fn targets(rows: &[Row]) -> Vec<Target> {
    let mut targets = Vec::new();
    let mut decided = |who: &str, wanted: usize, is_decided: &dyn Fn(&Row) -> bool| {
        let found = rows.iter().filter(|row| is_decided(row)).count();
        let result = match found >= wanted.min(rows.len()) {
            true => Ok(()),
            false => Err(format!("{found} decided")),
        };
        let wanted = format!("BIP: {} of {} by {who}", wanted.min(rows.len()), rows.len());
        targets.push((wanted, result));
    };
    decided("auto", rows.len(), &|row| row.solved(AUTO).is_some());
    decided("predicate", DECIDED_BY_PREDICATE, &|row| {
        [PLAIN, REDUCED].iter().any(|it| row.solved(*it).is_some())
    });
    let is_reduced = |row: &Row| row.check.as_ref().is_some_and(|it| it.is_reduced);
    decided("reduced bundles", REDUCED_BUNDLES, &is_reduced);
    for (word, is_safe, shares) in [
        ("unsafe", false, UNSAFE_SHARES),
        ("safe", true, SAFE_SHARES),
    ] {
        let own = rows.iter().filter(|row| row.model.is_safe == is_safe);
        let ([plain, reduced], count) = sums(own);
        if count > 0 {
            let nodes = reduced.0 as f64 / plain.0 as f64;
            targets.push(share(&format!("{word}, nodes in total"), nodes, shares.0));
            let time = reduced.1 / plain.1;
            targets.push(share(&format!("{word}, CPU in total"), time, shares.1));
        }
    }
    for row in rows {
        let name = &row.model.name;
        let (family, least, part) = LOCAL;
        if row.model.family == family && row.model.size >= least {
            let result = match (row.compared(), row.solved(REDUCED)) {
                (Some([plain, reduced]), _) => share(
                    &format!("{name}, nodes"),
                    reduced.0 as f64 / plain.0 as f64,
                    part,
                ),
                (None, Some(_)) => (format!("BIP: {name}, nodes"), Ok(())),
                (None, None) => {
                    let missed = Err("undecided with simultaneous sets".to_owned());
                    (format!("BIP: {name}, nodes"), missed)
                }
            };
            targets.push(result);
        }
        if let Some((horn, _)) = row.solved(HORN) {
            let wanted = format!("{name}, auto against horn");
            targets.push(match row.solved(AUTO) {
                Some((auto, _)) => share(
                    &wanted,
                    median(&auto.wall) / median(&horn.wall),
                    AUTO_FACTOR,
                ),
                None => (format!("BIP: {wanted}"), Err("undecided".to_owned())),
            });
        }
        if let Some(check) = &row.check {
            let (with, without) = check.seconds;
            let wanted = format!("{name}, translation in checks");
            targets.push(share(&wanted, with / without, TRANSLATION_FACTOR));
        }
    }
    targets
}

/// Whether a ratio is small enough.
fn share(what: &str, ratio: f64, most: f64) -> Target {
    let result = match ratio <= most {
        true => Ok(()),
        false => Err(figure(ratio)),
    };
    (format!("BIP: {what} at most {most}"), result)
}
