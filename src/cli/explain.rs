//! `slabcert explain`: what a bundle claims and why, for people.

use super::arguments::{ExplainArguments, ExplanationFormat};
use super::failure::Failure;
use super::output;
use super::watchdog::Watchdog;
use crate::explanation::{self, Rendering};
use crate::solvers::{Limits, StopCause, StopSignal};
use slabcert_certificates::bundle::Bundle;
use std::fs::File;
use std::io::Write;

/// Explains a bundle.
pub(super) fn run(arguments: &ExplainArguments) -> Result<u8, Failure> {
    let bundle = Bundle::read(&arguments.bundle)?;
    let stop = StopSignal::new(Limits::default());
    let watchdog = Watchdog::start(&stop);
    let document = explanation::explain(&bundle, &stop);
    watchdog.take_floor();
    if stop.cause() == Some(StopCause::Interrupted) {
        return Err(Failure::Interrupted);
    }
    let document = document.map_err(|error| Failure::Solver(error.to_string()))?;
    let text = document.render(match arguments.format {
        ExplanationFormat::Text => Rendering::Text,
        ExplanationFormat::Markdown => Rendering::Markdown,
        ExplanationFormat::Html => Rendering::Html,
    });
    match &arguments.out {
        None => output::say(&text)?,
        Some(path) => {
            let written =
                File::create_new(path).and_then(|mut file| file.write_all(text.as_bytes()));
            written.map_err(|error| {
                Failure::CommandLine(format!("cannot write `{}`: {error}", path.display()))
            })?;
        }
    }
    Ok(0)
}
