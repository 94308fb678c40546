//! The report: what was missed, and the document with tables and pictures.

use crate::table::Table;
use crate::{Failure, Setting, corpus, counterexamples, machine, plot, proofs};
use std::fmt::Write;
use std::path::Path;

/// What people have to say about the figures.
const NOTES: &str = include_str!("notes.md");
/// The titles of the tables.
const TITLES: [&str; 3] = ["Proofs", "Counterexamples", "Public VMT-LIB models"];

/// Everything that was measured.
#[derive(Default)]
pub struct Report {
    pub proofs: Vec<proofs::Row>,
    pub counterexamples: Vec<counterexamples::Row>,
    pub corpus: Vec<corpus::Row>,
    /// In the order of the titles; none where nothing was measured.
    pub tables: [Option<Table>; 3],
}

impl Report {
    /// All targets: which, and whether it is met.
    fn targets(&self) -> Vec<(String, Result<(), String>)> {
        let mut targets = Vec::new();
        for row in &self.proofs {
            let own = row.targets().into_iter();
            targets
                .extend(own.map(|(wanted, result)| (format!("{}: {wanted}", row.name()), result)));
        }
        for row in &self.counterexamples {
            let wanted = format!("{}: auto within twice the faster engine", row.name());
            targets.push((wanted, row.result()));
        }
        if !self.corpus.is_empty() {
            targets.extend(corpus::targets(&self.corpus));
        }
        targets
    }

    /// How many targets are met, and those that are not.
    pub fn summary(&self) -> String {
        let targets = self.targets();
        let missed: Vec<String> = targets
            .iter()
            .filter_map(|(wanted, result)| {
                let words = result.as_ref().err()?;
                Some(format!("* {wanted}: {words}"))
            })
            .collect();
        let met = targets.len() - missed.len();
        let mut text = format!("{met} of {} targets are met.", targets.len());
        if !missed.is_empty() {
            // Writing to a string cannot fail.
            let _ = write!(text, " Missed:\n\n{}", missed.join("\n"));
        }
        text + "\n"
    }

    /// What was wrong: verdicts that contradict what is known, and evidence that a solver does not accept.
    pub fn faults(&self) -> Vec<String> {
        let proofs = self.proofs.iter().filter_map(proofs::Row::fault);
        let counterexamples = self
            .counterexamples
            .iter()
            .filter_map(counterexamples::Row::fault);
        let corpus = self.corpus.iter().filter_map(corpus::Row::fault);
        proofs.chain(counterexamples).chain(corpus).collect()
    }

    /// Writes the document and the pictures into a folder.
    pub fn write(&self, setting: &Setting, folder: &Path) -> Result<(), Failure> {
        std::fs::create_dir_all(folder)?;
        let mut text = String::from(
            "# Performance\n\nWritten by `make bench`; what is run stands in `benches/performance/rows.rs`.\n\n",
        );
        text += &machine::description(setting);
        write!(text, "\n## Targets\n\n{}", self.summary())?;
        let mut pictures = String::new();
        for (name, picture) in plot::pictures(&self.proofs)? {
            let file = format!("performance-{name}.svg");
            std::fs::write(folder.join(&file), picture)?;
            writeln!(pictures, "![Growth curves: {name}]({file})\n")?;
        }
        for (title, table) in TITLES.iter().zip(&self.tables) {
            if let Some(table) = table {
                write!(text, "\n## {title}\n\n{}", table.text())?;
            }
        }
        if !pictures.is_empty() {
            write!(text, "\n## Growth\n\n{pictures}")?;
        }
        write!(text, "\n{NOTES}")?;
        std::fs::write(folder.join("performance.md"), text)?;
        Ok(())
    }
}
