//! What can be written on the command line.

use super::failure::Failure;
use crate::engines::{self, EngineOptions};
use crate::languages;
use crate::report::progress::When;
use crate::verification::{Minimisation, Model};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{ArgMatches, Args, FromArgMatches, Parser, Subcommand, ValueEnum};
use slabcert_checker::limits::LimitArguments;
use std::path::PathBuf;

const EXIT_STATUSES: &str = "Exit statuses: 0 safe, 40 unsafe, 30 unknown or stopped by a limit, 1 internal error, 2 command line, \
3 the input cannot be read, does not parse or does not type-check, 4 a solver is missing or does not start, \
5 the input uses an unsupported feature, 6 a warning under --strict, 130 interrupted.";

/// Verifies models of concurrent systems, with evidence that a separate program checks.
#[derive(Debug, Parser)]
#[command(name = "slabcert", version, after_help = EXIT_STATUSES)]
pub(super) struct CommandLine {
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Decides the properties of a model and writes a certificate bundle that `slabcert-check` accepts.
    ///
    /// The last line of standard output is the verdict: safe, unsafe or unknown. Safe and unsafe are reported only after the checker has
    /// accepted the bundle.
    #[command(after_help = EXIT_STATUSES)]
    Verify(Box<VerifyArguments>),
    /// Prints the flat transition system of a model as VMT-LIB, MoXI or constrained Horn clauses.
    Flatten(FlattenArguments),
    /// Simulates a model: random, replay or interactive.
    ///
    /// Prints a state, then each step with its changes, and where properties are violated. With --interactive you choose each
    /// step; `help` there lists the commands.
    Simulate(SimulateArguments),
    /// Prints what a bundle claims: its diagrams and traces in the notation of the model.
    ///
    /// Nothing is checked here; `slabcert-check` does that.
    Show(ShowArguments),
    /// Explains what a bundle claims and why it is so, in the notation of the model.
    ///
    /// For a proof: the situations that the system can be in, the transitions between them, and what fails without each
    /// fact. Nothing is checked here; `slabcert-check` does that.
    Explain(ExplainArguments),
    /// Writes a bundle's evidence in another format.
    Export(ExportArguments),
    /// Translates the bundle's copy of the model again and compares the result with the bundle's system.
    ///
    /// The last line of standard output is `same` or `different`; the exit statuses are 0 and 40.
    Recheck(BundleArguments),
}

impl Command {
    /// What the command may use.
    pub fn limits(&self) -> &LimitArguments {
        match self {
            Command::Verify(arguments) => &arguments.limits,
            Command::Flatten(arguments) => &arguments.limits,
            Command::Simulate(arguments) => &arguments.limits,
            Command::Show(arguments) => &arguments.bundle.limits,
            Command::Explain(arguments) => &arguments.limits,
            Command::Export(arguments) => &arguments.limits,
            Command::Recheck(arguments) => &arguments.limits,
        }
    }

    /// Whether a failure is reported as JSON too.
    pub fn wants_json(&self) -> bool {
        matches!(self, Command::Verify(arguments) if arguments.format == Format::Json)
    }
}

/// A model and its constants.
#[derive(Debug, Args)]
pub(super) struct ModelArguments {
    /// The model, a file in the modelling language (.slab), in VMT-LIB (.vmt), in MoXI (.moxi) or of constrained Horn clauses (.smt2).
    pub model: PathBuf,
    /// Sets a constant of the model; may be given several times. For a MoXI model, `check` and `query` choose what is
    /// verified.
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = constant)]
    pub constants: Vec<(String, String)>,
    /// An expression over the data and places of a BIP model that must hold in all visible states; may be given several times. The
    /// properties are called `invariant`, `invariant2` and so on, and are recorded like constants.
    #[arg(long = "invariant", value_name = "EXPR")]
    pub invariants: Vec<String>,
    /// The language of the model; without it, determined by the file's extension.
    #[arg(long, value_name = "LANGUAGE", value_parser = language_names())]
    pub language: Option<String>,
}

impl ModelArguments {
    /// Reads the model.
    pub fn read(&self) -> Result<Model, Failure> {
        let language = self.language.as_deref();
        let mut constants = self.constants.clone();
        for (index, invariant) in self.invariants.iter().enumerate() {
            let name = match index {
                0 => "invariant".to_owned(),
                _ => format!("invariant{}", index + 1),
            };
            constants.push((name, invariant.clone()));
        }
        Ok(Model::read(&self.model, language, &constants)?)
    }
}

#[derive(Debug, Args)]
pub(super) struct FlattenArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// The language to print.
    #[arg(long, value_name = "LANGUAGE", value_enum, default_value_t = FlatLanguage::Vmt)]
    pub to: FlatLanguage,
    #[command(flatten)]
    pub limits: LimitArguments,
}

/// A language of flat systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FlatLanguage {
    /// VMT-LIB.
    Vmt,
    /// MoXI, one system `main` with a query for each property.
    Moxi,
    /// Constrained Horn clauses over one predicate, satisfiable exactly if all properties hold.
    Chc,
}

#[derive(Debug, Args)]
pub(super) struct SimulateArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// Shows the enabled transitions of each state and lets you choose; works through a pipe as well as on a terminal.
    #[arg(long)]
    pub interactive: bool,
    /// Replays the trace of a bundle, a certificate, a saved file, or a file in ITF, and checks each step; the exit status is
    /// 40 if it is not a run of the model. With --interactive, the simulation continues from its end.
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Which trace of a certificate to replay, from 0.
    #[arg(long, value_name = "NUMBER", default_value_t = 0, requires = "trace")]
    pub trace_number: usize,
    /// Number of random steps.
    #[arg(long, value_name = "NUMBER", default_value_t = 20, conflicts_with_all = ["interactive", "trace"])]
    pub steps: u64,
    /// Random seed.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub seed: u64,
    #[command(flatten)]
    pub limits: LimitArguments,
}

/// A bundle.
#[derive(Debug, Args)]
pub(super) struct BundleArguments {
    /// The bundle, a directory.
    pub bundle: PathBuf,
    #[command(flatten)]
    pub limits: LimitArguments,
}

#[derive(Debug, Args)]
pub(super) struct ShowArguments {
    #[command(flatten)]
    pub bundle: BundleArguments,
    /// Opens the report in a browser instead: $BROWSER if it is set, else the system's.
    #[arg(long)]
    pub open: bool,
    /// Prints the program that the system was made from instead: what each process offers, which of it is taken together, and what waits
    /// for what. That this is what the model's text says has to be read; that the system allows all of it is checked.
    #[arg(long, conflicts_with = "open")]
    pub program: bool,
}

#[derive(Debug, Args)]
pub(super) struct ExplainArguments {
    /// The bundle, a directory.
    pub bundle: PathBuf,
    /// How the explanation is written.
    #[arg(long, value_enum, default_value_t = ExplanationFormat::Text)]
    pub format: ExplanationFormat,
    /// The file to write, which must not exist. Without it, the explanation goes to standard output.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub limits: LimitArguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ExplanationFormat {
    Text,
    Markdown,
    Html,
}

#[derive(Debug, Args)]
pub(super) struct ExportArguments {
    /// The bundle, a directory.
    pub bundle: PathBuf,
    /// The format.
    #[arg(long, value_name = "FORMAT", value_parser = export_names())]
    pub to: String,
    /// The directory to write to, created if necessary. Without it, a format with one file goes to standard output.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub limits: LimitArguments,
}

#[derive(Debug, Args)]
pub(super) struct VerifyArguments {
    #[command(flatten)]
    pub model: ModelArguments,
    /// Decides this property, by its name or number, and the ranges that its proof rests on; may be given several times. Without it, all
    /// properties are decided.
    #[arg(long = "property", value_name = "NAME|INDEX")]
    pub properties: Vec<String>,
    /// Does not decide the ranges that proofs of the named properties depend on. A proof then says that it
    /// assumes them.
    #[arg(long, requires = "properties")]
    pub assume_ranges: bool,
    /// Makes every warning an error, with exit status 6: that a property holds vacuously, that there is no initial state or process, that a
    /// transition never fires, that a location is never reached.
    #[arg(long)]
    pub strict: bool,
    /// How to search: with one engine or some of them, separated by commas. `auto` is all of them; the first whose evidence the checker
    /// accepts wins.
    #[arg(long, value_parser = engine_names(), default_value = engines::AUTO_NAME, value_delimiter = ',')]
    pub engine: Vec<String>,
    #[command(flatten)]
    pub of_engines: OwnOptions,
    /// Has slicing start from an earlier certificate, of this model before a change: from its diagram as far as that still holds, and with
    /// its predicates. What the current model does not have is left out. For C programs also a witness in YAML, whose invariants are
    /// predicates. The new evidence is checked as always.
    #[arg(long, value_name = "BUNDLE|FILE.yml")]
    pub start_from: Option<PathBuf>,
    /// Random seed.
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub seed: u64,
    /// The most steps of counterexamples that are searched for; without it, there is no bound.
    #[arg(long, value_name = "STEPS")]
    pub max_steps: Option<u64>,
    /// Where the bundle is written; an existing bundle is replaced. Without it, STEM.cert in the current directory.
    #[arg(long, value_name = "DIR", conflicts_with = "no_certificate")]
    pub out: Option<PathBuf>,
    /// Writes no bundle. The evidence is checked nevertheless.
    #[arg(long)]
    pub no_certificate: bool,
    /// How many queries may be spent on minimising each diagram or trace. Without it, in proportion to the search: as many as it made, but
    /// at least a thousand.
    #[arg(long, value_name = "QUERIES", conflicts_with = "no_minimise")]
    pub minimise: Option<u64>,
    /// Does not minimise diagrams and traces.
    #[arg(long)]
    pub no_minimise: bool,
    /// Leaves out the proofs that the checker replays without any solver.
    #[arg(long)]
    pub no_proofs: bool,
    #[command(flatten)]
    pub limits: LimitArguments,
    /// How the verdict is printed.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// When progress is shown on standard error.
    #[arg(long, value_enum, default_value_t = ProgressChoice::Auto)]
    pub progress: ProgressChoice,
    /// Adds times and counters with explanations: to the JSON object, or to standard error.
    #[arg(long)]
    pub statistics: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    Text,
    Json,
}

/// The input languages.
fn language_names() -> PossibleValuesParser {
    PossibleValuesParser::new(languages::ALL.iter().map(|language| language.name()))
}

/// The formats of exports, each with what it is good for.
fn export_names() -> PossibleValuesParser {
    let exports = slabcert_exports::ALL.iter();
    PossibleValuesParser::new(exports.map(|it| PossibleValue::new(it.name()).help(it.summary())))
}

/// The choices of engines, each with what it does.
fn engine_names() -> PossibleValuesParser {
    let auto =
        PossibleValue::new(engines::AUTO_NAME).help("all of them: some side by side, some in turn");
    let threads = PossibleValue::new(engines::THREADS_NAME)
        .help("another name of `predicate`, for C programs with threads only");
    let engines = engines::ALL.iter();
    let engines = engines.map(|it| PossibleValue::new(it.name()).help(it.summary()));
    let all = std::iter::once(auto).chain(engines).chain([threads]);
    PossibleValuesParser::new(all)
}

/// The options that engines have of their own.
#[derive(Clone, Debug)]
pub(super) struct OwnOptions {
    options: EngineOptions,
    /// What was chosen, by name, in words.
    recorded: Vec<(String, String)>,
}

impl Args for OwnOptions {
    fn augment_args(command: clap::Command) -> clap::Command {
        let engines = engines::ALL.iter();
        engines.fold(command, |command, engine| engine.add_arguments(command))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        OwnOptions::augment_args(command)
    }
}

impl FromArgMatches for OwnOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<OwnOptions, clap::Error> {
        let mut options = EngineOptions::default();
        for engine in engines::ALL {
            options = engine.read_arguments(matches, options)?;
        }
        let own = OwnOptions::augment_args(clap::Command::new(""));
        let words = |name: &str| {
            let raw = matches.get_raw(name)?;
            let words: Vec<_> = raw.map(|word| word.to_string_lossy()).collect();
            Some((name.replace('_', "-"), words.join(",")))
        };
        let names = own.get_arguments().map(|argument| argument.get_id());
        let recorded = names.filter_map(|name| words(name.as_str())).collect();
        Ok(OwnOptions { options, recorded })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = OwnOptions::from_arg_matches(matches)?;
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ProgressChoice {
    Auto,
    Always,
    Never,
}

impl ProgressChoice {
    pub fn when(self) -> When {
        match self {
            ProgressChoice::Auto => When::Auto,
            ProgressChoice::Always => When::Always,
            ProgressChoice::Never => When::Never,
        }
    }
}

impl VerifyArguments {
    /// The options of the engines.
    pub fn engine_options(&self) -> EngineOptions {
        EngineOptions {
            maximal_steps: self.max_steps,
            seed: self.seed,
            ..self.of_engines.options.clone()
        }
    }

    /// How much work may go into minimising evidence.
    pub fn minimisation(&self) -> Minimisation {
        match (self.no_minimise, self.minimise) {
            (true, _) => Minimisation::Queries(0),
            (false, Some(queries)) => Minimisation::Queries(queries),
            (false, None) => Minimisation::Proportional,
        }
    }

    /// The choices that matter for the result, as the certificate records them.
    pub fn recorded_options(&self) -> Vec<(String, String)> {
        let queries = match self.minimisation() {
            Minimisation::Queries(queries) => queries.to_string(),
            Minimisation::Proportional => "proportional".to_owned(),
        };
        let steps = self.max_steps.map(|steps| ("max-steps", steps.to_string()));
        let shared = [
            ("engine", self.engine.join(",")),
            ("seed", self.seed.to_string()),
            ("minimise", queries),
        ];
        let shared = shared.into_iter().chain(steps);
        let shared = shared.map(|(name, value)| (name.to_owned(), value));
        shared.chain(self.of_engines.recorded.clone()).collect()
    }
}

fn constant(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("expected NAME=VALUE, as in -D N=3".to_owned()),
    }
}
