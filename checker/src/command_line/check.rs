//! `slabcert-check check BUNDLE`, or just `slabcert-check BUNDLE`.

use super::{CommandOutput, Failure, Format, Run, SolverArguments, UNEXPECTED, output, status_of};
use clap::{Args, ValueEnum};
use serde_json::{Value as Json, json};
use slabcert_certificates::bundle::FORMAT;
use slabcert_certificates::certificate::Verdict as Claimed;
use slabcert_checker::cache::{Cache, CacheReport};
use slabcert_checker::limits::LimitArguments;
use slabcert_checker::{
    CheckOptions, CheckReport, Expectation, Verdict, Watch, check_bundle_with, conclusion, report,
};
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct CheckArguments {
    /// The bundle, a directory.
    bundle: PathBuf,
    /// Checks against this VMT-LIB file instead of the bundle's own system.
    #[arg(long, value_name = "FILE.vmt")]
    system: Option<PathBuf>,
    /// Checks against the program in this file instead of the bundle's program.json: traces are followed on it, and the system has to say no less.
    #[arg(long, value_name = "FILE.json")]
    program: Option<PathBuf>,
    /// Exits with 0 only if this is established: `safe`, that every property of the system holds, or `unsafe`, that one is violated.
    #[arg(long, value_enum, value_name = "VERDICT")]
    expect: Option<Expected>,
    /// Exits with 0 only if every property of the system is established to be safe or unsafe, whatever the certificate claims.
    #[arg(long)]
    all_properties: bool,
    /// How the result is printed.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Expected {
    Safe,
    Unsafe,
}

#[derive(Args)]
pub(super) struct CheckCommand {
    #[command(flatten)]
    pub check: CheckArguments,
    #[command(flatten)]
    pub solving: SolverArguments,
    #[command(flatten)]
    pub limits: LimitArguments,
}

pub(super) fn run(command: CheckCommand, run: &Run) -> Result<CommandOutput, Failure> {
    let arguments = command.check;
    let expectation = Expectation {
        verdict: arguments.expect.map(|expected| match expected {
            Expected::Safe => Claimed::Safe,
            Expected::Unsafe => Claimed::Unsafe,
        }),
        all_properties: arguments.all_properties,
    };
    let options = CheckOptions {
        system: arguments.system,
        program: arguments.program,
        ..command.solving.options()
    };
    let mut cache = command.solving.cache()?;
    let flag = run.watchdog.stop().flag();
    let report = check_bundle_with(
        &arguments.bundle,
        &options,
        cache.as_mut().map(|cache| cache as _),
        &Watch {
            interrupt: &flag,
            begin: &output::announce,
            progress: &|done, total| run.progress.show(done, total),
        },
    )?;
    let kept = cache.as_ref().and_then(Cache::report);
    output::log_work(&report, kept);
    Ok(answer(arguments.format, &report, kept, &expectation))
}

fn answer(
    format: Format,
    report: &CheckReport,
    cache: Option<&CacheReport>,
    expectation: &Expectation,
) -> CommandOutput {
    // What is not well-formed is of no known format, and about no system.
    let version = report.system.as_ref().map(|system| system.format_version);
    let output = match format {
        Format::Text => {
            let header = match version {
                Some(version) => format!("format: {FORMAT}, version {version}\n"),
                None => String::new(),
            };
            let heading = report::heading(report);
            let last = conclusion(report, expectation);
            format!("{header}{heading}{}{last}\n", report::text(report))
        }
        Format::Json => {
            let mut json = report::json(report, cache);
            json["certificate"] = match version {
                Some(version) => json!({"format": FORMAT, "version": version}),
                None => Json::Null,
            };
            json["expectation"] = expectation.json(report);
            format!("{json:#}\n")
        }
    };
    let status = match report.verdict {
        Verdict::Accepted if !expectation.is_met(report) => UNEXPECTED,
        verdict => status_of(verdict),
    };
    CommandOutput { output, status }
}
