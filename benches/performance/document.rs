//! The report: what was missed, and the document with tables and pictures.

use crate::table::Table;
use crate::{Failure, Setting, bip, corpus, counterexamples, machine, plot, proofs, threads};
use std::fmt::Write;
use std::ops::Range;
use std::path::Path;

/// What people have to say about the figures.
const NOTES: &str = include_str!("notes.md");
/// The document.
const FILE: &str = "performance.md";
/// Sections that have a command of their own, in the order in which they stand: what each begins with, and what it is about.
pub const BIP: Section = ("\n## BIP models\n", BIP_NOTES);
pub const THREADS: Section = ("\n## Threaded C\n", THREADS_NOTES);
/// What comes after them.
const AFTER: [&str; 2] = ["\n## Growth\n", "\n## Notes\n"];
type Section = (&'static str, &'static str);
const THREADS_NOTES: &str = "
Written by `make bench-threads`: the models of `scripts/threads-models`, each by `predicate` with each reduction, and by other engines, as whole
processes without a bundle; processor time in seconds. Who is not in time is not tried at larger sizes of the family (–). Nodes are those of the abstract
tree, one for each block that was followed, all that were made; full are those that followed all transitions although both reductions were on.
Sequential are programs of the corpus that are the same designs with a scheduler written out in C. The last column is what the checker says of the
bundle with both reductions.
";
const BIP_NOTES: &str = "
Written by `make bench-bip`: the families of `scripts/bip-models`, each model by every engine, as whole processes without a bundle. Who is
not in time is not tried at larger sizes of the family (–). Nodes are those of the abstract tree, all that were made; sets are the
different stubborn sets, full the nodes that followed all transitions although one was looked for. Obligations and checks are those of the
bundle with simultaneous sets and `--lift never`, checked by z3, as it is and without its `program.json`.
";
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
    pub bip: Vec<bip::Row>,
    /// Each model, and the families in total.
    pub bip_tables: Option<[Table; 2]>,
    pub threads: Vec<threads::Row>,
    pub threads_table: Option<Table>,
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
        if !self.bip.is_empty() {
            targets.extend(bip::targets(&self.bip));
        }
        if !self.threads.is_empty() {
            targets.extend(threads::targets(&self.threads));
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
        let bip = self.bip.iter().filter_map(bip::Row::fault);
        let known = proofs.chain(counterexamples).chain(corpus);
        let threads = self.threads.iter().filter_map(threads::Row::fault);
        known.chain(bip).chain(threads).collect()
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
        // What other commands wrote stays.
        let known = std::fs::read_to_string(folder.join(FILE)).unwrap_or_default();
        for section in [BIP, THREADS] {
            text += &known[place(&known, section)];
        }
        if !pictures.is_empty() {
            write!(text, "\n## Growth\n\n{pictures}")?;
        }
        write!(text, "\n{NOTES}")?;
        std::fs::write(folder.join(FILE), text)?;
        Ok(())
    }

    /// What stands in a section, after its title and notes; nothing where nothing was measured.
    pub fn tables(&self, section: Section) -> Option<String> {
        if section == BIP {
            let [models, totals] = self.bip_tables.as_ref()?;
            let (models, totals) = (models.text(), totals.text());
            return Some(format!(
                "### Families in total\n\n{totals}\n### Models\n\n{models}"
            ));
        }
        self.threads_table.as_ref().map(Table::text)
    }

    /// Writes a section into the document in a folder; the rest of it stays.
    pub fn write_section(
        &self,
        setting: &Setting,
        folder: &Path,
        section: Section,
    ) -> Result<(), Failure> {
        std::fs::create_dir_all(folder)?;
        let mut text = std::fs::read_to_string(folder.join(FILE)).unwrap_or_default();
        let Some(tables) = self.tables(section) else {
            return Ok(());
        };
        let (title, notes) = section;
        let machine = machine::description(setting);
        let own = format!("{title}{notes}\n{machine}\n{}\n{tables}", self.summary());
        let position = place(&text, section);
        text.replace_range(position, &own);
        std::fs::write(folder.join(FILE), text)?;
        Ok(())
    }
}

/// Where a section stands in a document, or is to stand: before those that come after it.
fn place(text: &str, section: Section) -> Range<usize> {
    let sections = [BIP, THREADS];
    let later = sections.iter().skip_while(|it| **it != section).skip(1);
    let titles: Vec<&str> = later.map(|(title, _)| *title).chain(AFTER).collect();
    let next = |from: usize| {
        let positions = titles.iter().filter_map(|title| text[from..].find(title));
        positions.min().map_or(text.len(), |it| from + it)
    };
    match text.find(section.0) {
        Some(start) => start..next(start),
        None => next(0)..next(0),
    }
}
