//! BIP models: lazy predicate abstraction with and without simultaneous sets, against the other engines, on the families of
//! `scripts/bip-models`.

use crate::families::{Contender, Experience, Model, Runs, Target, models, run, share, sums};
use crate::outcome::{figure, median};
use crate::table::Table;
use crate::{Failure, Setting, measure};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Who decides the models.
const CONTENDERS: &[Contender] = &[
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

/// What came of a model.
pub struct Row {
    runs: Runs,
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
    model: &Model,
    experience: &mut Experience,
) -> Result<Row, Failure> {
    let runs = Runs::of(setting, model, CONTENDERS, &OPTIONS, experience)?;
    let check = match setting.is_checking && runs.solved(REDUCED).is_some() {
        true => Some(check(setting, model)?),
        false => None,
    };
    Ok(Row { runs, check })
}

/// Has the bundle of a run with simultaneous sets, which stays reduced, checked as it is and without its program.
fn check(setting: &Setting, model: &Model) -> Result<Check, Failure> {
    /// The time limit for each check, in seconds.
    const LIMIT: f64 = 300.0;
    let bundle = setting.folder().join("bip.cert");
    let options: Vec<&str> = OPTIONS.into_iter().chain(["--lift", "never"]).collect();
    let contender = CONTENDERS[REDUCED];
    run(setting, model, contender, &options, Some(bundle.clone()))?;
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
    /// Whether a run said something wrong, or a bundle was not accepted.
    pub fn fault(&self) -> Option<String> {
        let check = self.check.as_ref().filter(|it| it.word != "accepted");
        let refused =
            check.map(|it| format!("{}: the check says {}", self.runs.model.name, it.word));
        self.runs.fault().or(refused)
    }

    /// The cells of the table.
    pub fn cells(&self) -> Vec<String> {
        let sets = ["stubborn_sets", "full_expansions", "lifted"];
        let mut cells = vec![
            self.runs.model.name.clone(),
            self.runs.shown(PLAIN),
            self.runs.counted(PLAIN, "tree_nodes"),
            self.runs.shown(REDUCED),
            self.runs.counted(REDUCED, "tree_nodes"),
            sets.map(|it| self.runs.counted(REDUCED, it)).join(" / "),
        ];
        cells.extend((REDUCED + 1..=AUTO).map(|it| self.runs.shown(it)));
        cells.push(self.runs.winner(AUTO));
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
    columns.extend(CONTENDERS.iter().map(|(name, ..)| (*name, 12)));
    let mut table = Table::new(&columns);
    let key = |row: &Row| (row.runs.model.family.clone(), row.runs.model.is_safe);
    let families: BTreeSet<(String, bool)> = rows.iter().map(key).collect();
    for (family, is_safe) in families {
        let own: Vec<&Row> = rows
            .iter()
            .filter(|row| key(row) == (family.clone(), is_safe))
            .collect();
        let word = if is_safe { "safe" } else { "unsafe" };
        let ([plain, reduced], count) = sums(own.iter().map(|row| &row.runs), [PLAIN, REDUCED]);
        let mut cells = vec![format!("{family}, {word}"), own.len().to_string()];
        cells.extend([
            count.to_string(),
            plain.0.to_string(),
            reduced.0.to_string(),
        ]);
        cells.extend([figure(plain.1), figure(reduced.1)]);
        let decided = |contender| {
            own.iter()
                .filter(move |row| row.runs.solved(contender).is_some())
        };
        cells.extend((0..CONTENDERS.len()).map(|it| decided(it).count().to_string()));
        table.print(&cells);
    }
    table
}

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
    decided("auto", rows.len(), &|row| row.runs.solved(AUTO).is_some());
    decided("predicate", DECIDED_BY_PREDICATE, &|row| {
        [PLAIN, REDUCED]
            .iter()
            .any(|it| row.runs.solved(*it).is_some())
    });
    let is_reduced = |row: &Row| row.check.as_ref().is_some_and(|it| it.is_reduced);
    decided("reduced bundles", REDUCED_BUNDLES, &is_reduced);
    for (word, is_safe, shares) in [
        ("unsafe", false, UNSAFE_SHARES),
        ("safe", true, SAFE_SHARES),
    ] {
        let own = rows.iter().filter(|row| row.runs.model.is_safe == is_safe);
        let ([plain, reduced], count) = sums(own.map(|row| &row.runs), [PLAIN, REDUCED]);
        if count > 0 {
            let nodes = reduced.0 as f64 / plain.0 as f64;
            targets.push(share(
                &format!("BIP: {word}, nodes in total"),
                nodes,
                shares.0,
            ));
            let time = reduced.1 / plain.1;
            targets.push(share(&format!("BIP: {word}, CPU in total"), time, shares.1));
        }
    }
    for row in rows {
        let name = format!("BIP: {}", row.runs.model.name);
        let (family, least, part) = LOCAL;
        if row.runs.model.family == family && row.runs.model.size >= least {
            let result = match (
                row.runs.compared([PLAIN, REDUCED]),
                row.runs.solved(REDUCED),
            ) {
                (Some([plain, reduced]), _) => share(
                    &format!("{name}, nodes"),
                    reduced.0 as f64 / plain.0 as f64,
                    part,
                ),
                (None, Some(_)) => (format!("{name}, nodes"), Ok(())),
                (None, None) => {
                    let missed = Err("undecided with simultaneous sets".to_owned());
                    (format!("{name}, nodes"), missed)
                }
            };
            targets.push(result);
        }
        if let Some((horn, _)) = row.runs.solved(HORN) {
            let wanted = format!("{name}, auto against horn");
            targets.push(match row.runs.solved(AUTO) {
                Some((auto, _)) => share(
                    &wanted,
                    median(&auto.wall) / median(&horn.wall),
                    AUTO_FACTOR,
                ),
                None => (wanted, Err("undecided".to_owned())),
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

/// Writes the models; only the one that `--smoke` runs if that is wanted.
pub fn all(setting: &Setting, is_smoke: bool) -> Result<Vec<Model>, Failure> {
    models(setting, "bip-models", is_smoke.then_some(SMOKE))
}
