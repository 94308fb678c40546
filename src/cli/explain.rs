//! `slabcert explain`: what a bundle claims and why, for people.

use super::arguments::{ExplainArguments, ExplanationFormat};
use super::failure::Failure;
use super::output;
use crate::explanation::{self, Rendering};
use slabcert_certificates::bundle::Bundle;
use slabcert_certificates::leftovers::new_file;
use slabcert_checker::watchdog::Watchdog;
use std::io::{self, Write};

/// Explains a bundle.
pub(super) fn run(arguments: &ExplainArguments, watchdog: &Watchdog) -> Result<u8, Failure> {
    let stop = watchdog.stop();
    let bundle = Bundle::read(&arguments.bundle)?;
    let document = explanation::explain(&bundle, stop);
    // Half of an explanation would read as if there were no more to say.
    stop.check().map_err(Failure::Stopped)?;
    let document = document.map_err(|error| Failure::Solver(error.to_string()))?;
    let text = document.render(match arguments.format {
        ExplanationFormat::Text => Rendering::Text,
        ExplanationFormat::Markdown => Rendering::Markdown,
        ExplanationFormat::Html => Rendering::Html,
    });
    match &arguments.out {
        None => {
            watchdog.claim_output();
            output::say(&text)?;
        }
        Some(path) => {
            let write = || {
                let (new, mut file) = new_file(path)?;
                file.write_all(text.as_bytes())?;
                watchdog.claim_output();
                new.finish(|_| Ok(()))
            };
            write().map_err(|error: io::Error| {
                Failure::CommandLine(format!("cannot write `{}`: {error}", path.display()))
            })?;
        }
    }
    Ok(0)
}
