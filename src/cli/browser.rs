//! The report of a bundle, and a browser to look at it.

use super::failure::Failure;
use super::output;
use slabcert_certificates::bundle::Bundle;
use slabcert_certificates::leftovers::Unfinished;
use slabcert_checker::bundle_obligations;
use slabcert_exports::report::{REPORT_FILE, report_of_bundle};
use slabcert_exports::{ExportError, Whole};
use std::env;
use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Names the user's browser: a program, or several with `:` between them.
const VARIABLE: &str = "BROWSER";
/// What opens files on this system.
const OPENER: &str = if cfg!(target_os = "macos") {
    "open"
} else {
    "xdg-open"
};

/// Opens the report on a bundle. A page that came with the bundle is opened only if it is what would be written here: anybody may have
/// changed it, and browsers run what is in it.
pub(super) fn open_report(bundle: &Bundle) -> Result<(), Failure> {
    let proofs = bundle.proofs()?.unwrap_or_default();
    let text = report_of_bundle(&Whole {
        bundle,
        proofs: &proofs,
        obligations: &bundle_obligations(bundle).map_err(ExportError::from)?,
        text: None,
    })?;
    let own = bundle.directory.join(REPORT_FILE);
    let found = bundle.members.read(REPORT_FILE);
    let page = if found.is_ok_and(|found| found == text.as_bytes()) {
        std::path::absolute(&own).unwrap_or(own)
    } else {
        written_anew(&text)?
    };
    output::log(&format!("the report: {}", page.display()));
    open(&page)
}

/// The page in a file of its own, which stays.
fn written_anew(text: &str) -> Result<PathBuf, Failure> {
    let failed = |error: std::io::Error| Failure::Internal(format!("the report: {error}"));
    let mut builder = tempfile::Builder::new();
    builder.prefix("slabcert-report-").suffix(".html");
    let mut file = Unfinished::make(|| builder.tempfile()).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    let (_, path) = file
        .finish(|file| file.keep())
        .map_err(|error| failed(error.error))?;
    Ok(path)
}

fn open(page: &Path) -> Result<(), Failure> {
    let named = env::var_os(VARIABLE).filter(|value| !value.is_empty());
    if let Some(named) = &named {
        for program in env::split_paths(named) {
            let started = silent(program.as_os_str().to_owned(), page).spawn();
            match started {
                // A browser stays; nobody waits for it.
                Ok(_) => return Ok(()),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(not_opened(&program, page, &error.to_string())),
            }
        }
    }
    let opener = Path::new(OPENER);
    match silent(OPENER.into(), page).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(not_opened(opener, page, &format!("it failed ({status})"))),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let tried = named.map_or_else(
                || format!("${VARIABLE} is not set, and there is no `{OPENER}`"),
                |named| {
                    format!(
                        "neither `{}` (${VARIABLE}) nor `{OPENER}` is there",
                        named.display()
                    )
                },
            );
            Err(Failure::CommandLine(format!(
                "no browser was found: {tried}; the report is {}",
                page.display()
            )))
        }
        Err(error) => Err(not_opened(opener, page, &error.to_string())),
    }
}

fn silent(program: OsString, page: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .arg(page)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

fn not_opened(program: &Path, page: &Path, reason: &str) -> Failure {
    Failure::CommandLine(format!(
        "`{}` does not open the report: {reason}; the report is {}",
        program.display(),
        page.display()
    ))
}
