//! Public VMT-LIB models beside the project: how many are decided in time.

use crate::outcome::{Outcome, figure};
use crate::rows::{CORPUS_SECONDS, CORPUS_TARGETS};
use crate::table::Table;
use crate::verify::{Ending, Job, Verified, verify};
use crate::{Failure, Setting};
use std::path::PathBuf;

/// A model of the corpus.
pub struct CorpusModel {
    path: PathBuf,
    /// Its path below the corpus, without the extension.
    pub name: String,
    /// `safe` or `unsafe` where that is known.
    known: Option<&'static str>,
}

/// What came of a model, by the engines of [`CORPUS_TARGETS`].
pub struct Row {
    name: String,
    known: Option<&'static str>,
    runs: Vec<Verified>,
}

/// The models that the manifest lists; none when the corpus is absent.
pub fn models(setting: &Setting) -> Vec<CorpusModel> {
    let folder = setting.root.join("../shared/corpus");
    let Ok(manifest) = std::fs::read_to_string(folder.join("MANIFEST.tsv")) else {
        return Vec::new();
    };
    let model = |line: &str| {
        let mut columns = line.split('\t');
        let file = columns.next()?;
        let name = file.strip_suffix(".vmt")?;
        let known = match columns.nth(2).unwrap_or_default() {
            answer if answer.starts_with("SAFE") => Some("safe"),
            answer if answer.starts_with("UNSAFE") => Some("unsafe"),
            _ => None,
        };
        Some(CorpusModel {
            path: folder.join(file),
            name: name.strip_prefix("vmt/").unwrap_or(name).to_owned(),
            known,
        })
    };
    manifest.lines().skip(1).filter_map(model).collect()
}

/// The head of the table.
pub fn table() -> Table {
    Table::new(&[
        ("model", 30),
        ("known", 7),
        ("auto", 9),
        ("s", 7),
        ("peak MB", 7),
        ("by", 8),
        ("slicing", 9),
        ("s", 7),
        ("peak MB", 7),
        ("nodes / literals / edges", 16),
    ])
}

/// Measures one model, once by each engine.
pub fn measure(setting: &Setting, model: &CorpusModel) -> Result<Row, Failure> {
    let limit = if setting.is_limit_chosen {
        setting.limit
    } else {
        CORPUS_SECONDS
    };
    let mut runs = Vec::new();
    for (engine, _) in CORPUS_TARGETS {
        let job = Job {
            model: model.path.clone(),
            constants: Vec::new(),
            engine,
            options: &[],
            limit,
            bundle: None,
        };
        runs.push(verify(&setting.program, &job, setting.folder())?);
    }
    Ok(Row {
        name: model.name.clone(),
        known: model.known,
        runs,
    })
}

/// What an engine decided.
fn word(verified: &Verified) -> &'static str {
    match verified.ending {
        Ending::Safe(_) => "safe",
        Ending::Unsafe(_) => "unsafe",
        Ending::OutOfTime => "–",
        Ending::GaveUp => "gave up",
        Ending::Failed(_) => "failed",
    }
}

impl Row {
    /// Whether a run said something wrong.
    pub fn fault(&self) -> Option<String> {
        self.runs.iter().find_map(|run| match &run.ending {
            Ending::Failed(words) => Some(format!("{}: {words}", self.name)),
            Ending::Safe(_) | Ending::Unsafe(_)
                if self.known.is_some_and(|known| known != word(run)) =>
            {
                Some(format!("{}: {}", self.name, word(run)))
            }
            _ => None,
        })
    }

    /// The cells of the table.
    pub fn cells(&self) -> Vec<String> {
        let mut cells = vec![self.name.clone(), self.known.unwrap_or("?").to_owned()];
        for (index, run) in self.runs.iter().enumerate() {
            cells.extend([
                word(run).to_owned(),
                figure(run.run.wall),
                format!("{:.0}", run.run.peak),
            ]);
            let size = Outcome::of(run).size();
            cells.push(match index {
                0 => run.winner.clone().unwrap_or_default(),
                _ => size.map_or_else(String::new, |size| size.to_string()),
            });
        }
        cells
    }
}

/// How many models each engine decided, against how many it is to decide; nothing when only a few were tried.
pub fn targets(rows: &[Row]) -> Vec<(String, Result<(), String>)> {
    let targets = CORPUS_TARGETS.iter().enumerate();
    targets
        .filter(|(_, (_, least))| rows.len() >= *least)
        .map(|(index, (engine, least))| {
            let outcomes = rows.iter().map(|row| Outcome::of(&row.runs[index]));
            let decided = outcomes.filter(Outcome::is_solved).count();
            let wanted = format!("corpus: {least} of {} decided by {engine}", rows.len());
            let result = if decided >= *least {
                Ok(())
            } else {
                Err(format!("{decided} decided"))
            };
            (wanted, result)
        })
        .collect()
}
