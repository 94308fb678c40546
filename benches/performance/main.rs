//! Whole runs of `slabcert`, measured and compared: `make bench`.
//!
//! The tables of what is run are in `rows.rs`. Runs that are compared alternate, and what is shown is the median. Nothing is asserted
//! about times: a target that is missed is a word in the table. The exit status shows only whether a verdict or a check was wrong.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program that prints tables"
)]

mod bip;
mod corpus;
mod counterexamples;
mod document;
mod families;
mod machine;
mod measure;
mod outcome;
mod plot;
mod proofs;
mod rows;
mod table;
mod threads;
mod verify;

use clap::Parser;
use document::Report;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Why the harness cannot go on.
pub type Failure = Box<dyn std::error::Error>;

/// Measures slabcert on the families of examples.
#[derive(Parser)]
#[command(name = "performance")]
struct Arguments {
    /// Only rows whose name (`fischer 3`, `corpus`) contains this; may be given several times. Nothing is written without --out.
    #[arg(long, value_name = "TEXT")]
    rows: Vec<String>,
    /// How often each figure is measured.
    #[arg(long, value_name = "NUMBER", default_value_t = 3)]
    repetitions: usize,
    /// The time limit of each run in seconds, for all rows; without it, 60, and more where the table says so.
    #[arg(long, value_name = "SECONDS")]
    limit: Option<u64>,
    /// Leaves out the checks with z3 and cvc5.
    #[arg(long)]
    no_check: bool,
    /// Where `performance.md` and the pictures go; without it, `docs`.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Only the BIP models; the rest of the document stays as it is.
    #[arg(long)]
    bip: bool,
    /// Only the models in threaded C; the rest of the document stays as it is.
    #[arg(long, conflicts_with = "bip")]
    threads: bool,
    /// Runs the smallest rows once, to see that the harness works, and leaves nothing behind.
    #[arg(long)]
    smoke: bool,
    /// What cargo passes to every bench.
    #[arg(long, hide = true)]
    bench: bool,
}

/// What holds for all rows.
pub struct Setting {
    /// The program that is measured.
    pub program: PathBuf,
    /// The program that checks.
    pub checker: PathBuf,
    /// The repository.
    pub root: PathBuf,
    /// How often each figure is measured.
    pub repetitions: usize,
    /// The time limit of a run, in seconds.
    pub limit: u64,
    /// Whether the user chose the limit.
    pub is_limit_chosen: bool,
    /// Whether bundles are checked.
    pub is_checking: bool,
    scratch: tempfile::TempDir,
}

impl Setting {
    fn new(arguments: &Arguments) -> Result<Setting, Failure> {
        const DEFAULT_LIMIT: u64 = 60;
        const SMOKE_LIMIT: u64 = 20;
        let program = PathBuf::from(env!("CARGO_BIN_EXE_slabcert"));
        let checker = program.with_file_name("slabcert-check");
        let is_checking = !arguments.no_check;
        if is_checking && !checker.exists() {
            return Err(format!(
                "{} is missing: build it with `cargo build --release --workspace --bins`, or leave checks out with --no-check",
                checker.display()
            )
            .into());
        }
        let default = if arguments.smoke {
            SMOKE_LIMIT
        } else {
            DEFAULT_LIMIT
        };
        Ok(Setting {
            program,
            checker,
            root: PathBuf::from(env!("CARGO_MANIFEST_DIR")),
            repetitions: if arguments.smoke {
                1
            } else {
                arguments.repetitions.max(1)
            },
            limit: arguments.limit.unwrap_or(default),
            is_limit_chosen: arguments.limit.is_some(),
            is_checking,
            scratch: tempfile::tempdir()?,
        })
    }

    /// The file of an example.
    pub fn example(&self, name: &str) -> PathBuf {
        self.root.join("examples/slab").join(format!("{name}.slab"))
    }

    /// Where runs may leave files.
    pub fn folder(&self) -> &Path {
        self.scratch.path()
    }
}

impl Arguments {
    fn wants(&self, name: &str) -> bool {
        self.rows.is_empty() || self.rows.iter().any(|part| name.contains(part.as_str()))
    }

    fn wants_proof(&self, family: &rows::Family, size: u32) -> bool {
        let is_smoke = rows::SMOKE.contains(&(family.name, size));
        self.wants(&format!("{} {size}", family.name)) && (!self.smoke || is_smoke)
    }

    fn wants_counterexample(&self, model: &str, size: u32) -> bool {
        self.wants(&format!("{model} {size}"))
            && (!self.smoke || rows::SMOKE_UNSAFE == (model, size))
    }
}

fn main() -> ExitCode {
    let all: Vec<String> = std::env::args().skip(1).collect();
    let done = match all.split_first() {
        Some((first, rest)) if first == "--measure" => measure::measure(rest).map(|()| Vec::new()),
        _ => run(&Arguments::parse()),
    };
    match done {
        Ok(faults) if faults.is_empty() => ExitCode::SUCCESS,
        Ok(faults) => {
            for fault in faults {
                eprintln!("WRONG: {fault}");
            }
            ExitCode::FAILURE
        }
        Err(failure) => {
            eprintln!("performance: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// Runs what is asked for and gives everything that was wrong.
fn run(arguments: &Arguments) -> Result<Vec<String>, Failure> {
    let setting = Setting::new(arguments)?;
    let report = measure_all(&setting, arguments)?;
    println!("\n{}", report.summary());
    let out = match (&arguments.out, arguments.smoke, arguments.rows.is_empty()) {
        (Some(out), _, _) => Some(out.clone()),
        (None, true, _) => Some(setting.folder().join("docs")),
        (None, false, true) => Some(setting.root.join("docs")),
        // A part of the rows must not replace the whole.
        (None, false, false) => None,
    };
    if let Some(out) = out {
        match (arguments.bip, arguments.threads) {
            (true, _) => report.write_section(&setting, &out, document::BIP)?,
            (_, true) => report.write_section(&setting, &out, document::THREADS)?,
            (false, false) => report.write(&setting, &out)?,
        }
        if !arguments.smoke {
            println!("written: {}", out.join("performance.md").display());
        }
    }
    Ok(report.faults())
}

fn measure_all(setting: &Setting, arguments: &Arguments) -> Result<Report, Failure> {
    let mut report = Report::default();
    if arguments.bip || arguments.smoke {
        let mut experience = families::Experience::default();
        let mut table = None;
        for model in &bip::all(setting, arguments.smoke)? {
            if arguments.wants(&model.name) {
                let row = bip::measure(setting, model, &mut experience)?;
                table.get_or_insert_with(bip::table).print(&row.cells());
                report.bip.push(row);
            }
        }
        report.bip_tables = table.map(|table| [table, bip::totals(&report.bip)]);
    }
    if arguments.threads {
        let mut experience = families::Experience::default();
        for model in &threads::all(setting, arguments.smoke)? {
            if arguments.wants(&model.name) {
                let row = threads::measure(setting, model, &mut experience)?;
                let table = report.threads_table.get_or_insert_with(threads::table);
                table.print(&row.cells());
                report.threads.push(row);
            }
        }
    }
    if arguments.bip || arguments.threads {
        return Ok(report);
    }
    let mut proofs = None;
    for family in rows::FAMILIES {
        let mut experience = proofs::Experience::default();
        for size in family.sizes.iter().chain(family.stretch) {
            if arguments.wants_proof(family, *size) {
                let row = proofs::measure(setting, family, *size, &mut experience)?;
                proofs.get_or_insert_with(proofs::table).print(&row.cells());
                report.proofs.push(row);
            }
        }
    }
    let mut counterexamples = None;
    for (model, sizes) in rows::UNSAFE {
        for size in *sizes {
            if arguments.wants_counterexample(model, *size) {
                let row = counterexamples::measure(setting, model, *size)?;
                counterexamples
                    .get_or_insert_with(counterexamples::table)
                    .print(&row.cells());
                report.counterexamples.push(row);
            }
        }
    }
    let mut corpus = None;
    if !arguments.smoke {
        let models = corpus::models(setting);
        if models.is_empty() {
            println!("the corpus is skipped: it is not beside the project (../shared/corpus)");
        }
        for model in &models {
            if arguments.wants(&format!("corpus {}", model.name)) {
                let row = corpus::measure(setting, model)?;
                corpus.get_or_insert_with(corpus::table).print(&row.cells());
                report.corpus.push(row);
            }
        }
    }
    report.tables = [proofs, counterexamples, corpus];
    Ok(report)
}
