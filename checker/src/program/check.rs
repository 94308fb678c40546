//! `slabcert-check check BUNDLE`, or just `slabcert-check BUNDLE`.

use super::{Answer, Failure, Format, INTERRUPT, SolverArguments, output, status_of};
use clap::Args;
use slabcert_checker::{CheckOptions, CheckReport, Watch, check_bundle, report};
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct CheckArguments {
    /// The bundle, a directory.
    bundle: PathBuf,
    /// Checks against this VMT-LIB file in the place of the bundle's own system.
    #[arg(long, value_name = "FILE.vmt")]
    system: Option<PathBuf>,
    /// How the result is printed.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

#[derive(Args)]
pub(super) struct CheckCommand {
    #[command(flatten)]
    pub check: CheckArguments,
    #[command(flatten)]
    pub solving: SolverArguments,
}

pub(super) fn run(command: CheckCommand) -> Result<Answer, Failure> {
    let arguments = command.check;
    let options = CheckOptions {
        system: arguments.system,
        ..command.solving.options()
    };
    let progress = output::Progress::new();
    let report = check_bundle(
        &arguments.bundle,
        &options,
        &Watch {
            interrupt: &INTERRUPT,
            begin: &output::announce,
            progress: &|done, total| progress.show(done, total),
        },
    )?;
    output::log_work(&report);
    Ok(answer(arguments.format, &report))
}

fn answer(format: Format, report: &CheckReport) -> Answer {
    let output = match format {
        Format::Text => format!("{}{}\n", report::text(report), report.verdict.word()),
        Format::Json => format!("{:#}\n", report::json(report)),
    };
    Answer {
        output,
        status: status_of(report.verdict),
    }
}
