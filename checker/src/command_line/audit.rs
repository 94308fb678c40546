//! `slabcert-check audit --system FILE.vmt --invariant FILE`.

use super::{
    COMMAND_LINE, CommandOutput, Failure, Format, INTERNAL, Run, SolverArguments, UNREADABLE,
    UNSUPPORTED, output, status_of, status_of_bundle,
};
use clap::Args;
use slabcert_certificates::bundle::WriteError;
use slabcert_certificates::smtlib::ReadErrorKind;
use slabcert_checker::audit::{AuditError, AuditReport, AuditRequest, audit, report};
use slabcert_checker::cache::{Cache, CacheReport};
use slabcert_checker::limits::LimitArguments;
use slabcert_checker::{Expectation, Watch, conclusion};
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct AuditArguments {
    /// The system in VMT-LIB, or a bundle, whose system and names of values are used.
    #[arg(long, value_name = "FILE.vmt|BUNDLE")]
    system: PathBuf,
    /// The invariant: `define-fun`s in SMT-LIB, formulas annotated `:invar-property` in VMT-LIB, or a model of Horn clauses. Several
    /// definitions are conjuncts. Names are those of the system; parameters that have none of its names stand for the state variables in
    /// the order of their declarations.
    #[arg(long, value_name = "FILE")]
    invariant: PathBuf,
    /// A property that the invariant is to prove, by name or number; may be given several times. Without it, all properties of the system.
    #[arg(long = "property", value_name = "NAME|INDEX")]
    properties: Vec<String>,
    /// Writes an accepted invariant as a bundle, whose diagram has one node.
    #[arg(long, value_name = "BUNDLE")]
    write: Option<PathBuf>,
    #[command(flatten)]
    solving: SolverArguments,
    #[command(flatten)]
    pub limits: LimitArguments,
    /// How the result is printed.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

pub(super) fn run(arguments: AuditArguments, run: &Run) -> Result<CommandOutput, Failure> {
    let request = AuditRequest {
        system: arguments.system,
        invariant: arguments.invariant,
        properties: arguments.properties,
        write: arguments.write,
    };
    let options = arguments.solving.options();
    let mut cache = arguments.solving.cache()?;
    let flag = run.watchdog.stop().flag();
    let audited = audit(
        &request,
        &options,
        cache.as_mut().map(|cache| cache as _),
        &Watch {
            interrupt: &flag,
            begin: &output::announce,
            progress: &|done, total| run.progress.show(done, total),
        },
    )?;
    for note in &audited.invariant.notes {
        output::log(&format!("note: {note}"));
    }
    let kept = cache.as_ref().and_then(Cache::report);
    output::log_work(&audited.check, kept);
    Ok(answer(arguments.format, &audited, kept))
}

fn answer(format: Format, audited: &AuditReport, cache: Option<&CacheReport>) -> CommandOutput {
    let verdict = audited.check.verdict;
    let output = match format {
        Format::Text => {
            let heading = slabcert_checker::report::heading(&audited.check);
            let last = conclusion(&audited.check, &Expectation::default());
            format!("{heading}{}{last}\n", report::text(audited))
        }
        Format::Json => format!("{:#}\n", report::json(audited, cache)),
    };
    CommandOutput {
        output,
        status: status_of(verdict),
    }
}

impl From<AuditError> for Failure {
    fn from(error: AuditError) -> Failure {
        let message = error.to_string();
        let status = match error {
            AuditError::Check(error) => return error.into(),
            AuditError::Unreadable(reason) => status_of_bundle(&reason),
            AuditError::Invariant { reason, .. } if reason.kind == ReadErrorKind::Unsupported => {
                UNSUPPORTED
            }
            AuditError::Invariant { .. } => UNREADABLE,
            AuditError::Property(_)
            | AuditError::NoProofs
            | AuditError::Write(
                WriteError::Occupied { .. } | WriteError::NoParent(_) | WriteError::FileName(_),
            ) => COMMAND_LINE,
            AuditError::Write(_) => INTERNAL,
        };
        Failure { message, status }
    }
}
