//! Pictures of the evidence and the report, for people. That there is none is not a failure, and is said.

use super::Progress;
use super::search::PropertySearch;
use slabcert_certificates::bundle::Bundle;
use slabcert_certificates::certificate::Certificate;
use slabcert_checker::bundle_obligations;
use slabcert_exports::report::{REPORT_FILE, report_of_bundle};
use slabcert_exports::{Whole, dot, picture, svg};
use std::path::Path;

/// Draws the evidence into a bundle.
pub(super) fn draw(
    search: &PropertySearch<'_>,
    certificate: &Certificate,
    directory: &Path,
    progress: &mut dyn Progress,
) {
    let Ok(pictures) = picture::pictures(&search.model.system, certificate) else {
        return;
    };
    for picture in &pictures {
        let file = |extension: &str| directory.join(format!("{}.{extension}", picture.stem));
        let mut written = std::fs::write(file("dot"), dot::print(picture));
        if search.stop.cause().is_none() {
            match svg::draw(picture) {
                Ok(text) => written = written.and_then(|()| std::fs::write(file("svg"), text)),
                Err(error) => progress.note(&error.to_string()),
            }
        }
        if let Err(error) = written {
            progress.note(&format!("a diagram could not be drawn: {error}"));
        }
    }
}

/// Adds the report to a finished bundle.
pub(super) fn add_report(directory: &Path, progress: &mut dyn Progress) {
    let report = || -> anyhow::Result<()> {
        let bundle = Bundle::read(directory)?;
        let proofs = bundle.proofs()?.unwrap_or_default();
        let text = report_of_bundle(&Whole {
            bundle: &bundle,
            proofs: &proofs,
            obligations: &bundle_obligations(&bundle)?,
            text: None,
        })?;
        Ok(std::fs::write(directory.join(REPORT_FILE), text)?)
    };
    if let Err(error) = report() {
        progress.note(&format!("the bundle has no report: {error}"));
    }
}
