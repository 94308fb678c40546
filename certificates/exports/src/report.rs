//! The report: one file of HTML that shows a certificate and everything that must hold for it, and needs nothing else.
//!
//! The page has its data in a block of JSON ([`data`]) and its scripts and style from `page/`. It loads nothing: a content security policy
//! allows just this style and this script, by their hashes, and no connection at all. Nothing that comes from a model becomes markup:
//! within the block `<`, `>` and `&` are escaped, and the scripts make texts and never parse any.
//!
//! A report is not evidence. It says who discharged an obligation as the producer recorded it; nobody reads a report back.

mod clusters;
pub mod data;
mod diagrams;
mod formulas;
mod gather;
mod obligations;
mod page;
mod record;
#[cfg(test)]
mod tests;
mod traces;

use crate::{Export, ExportError, Sink, Whole};
use data::RecordJson;
use slabcert_certificates::certificate::Certificate;
use slabcert_certificates::obligations::obligations;
use slabcert_certificates::system::System;

/// The report's file in a bundle.
pub const REPORT_FILE: &str = "report.html";

/// The report.
pub struct Html;

impl Export for Html {
    fn name(&self) -> &'static str {
        "html"
    }

    fn summary(&self) -> &'static str {
        "a page for browsers that shows diagrams, traces and obligations, and works offline"
    }

    fn file_names(
        &self,
        _system: &System,
        _certificate: &Certificate,
    ) -> Result<Vec<String>, ExportError> {
        Ok(vec![REPORT_FILE.to_owned()])
    }

    fn write(
        &self,
        system: &System,
        certificate: &Certificate,
        sink: &mut Sink<'_>,
    ) -> Result<(), ExportError> {
        let obligations = obligations(system, certificate)?;
        let record = RecordJson::default();
        let report = gather::gather((None, system), certificate, &obligations, None, record)?;
        Ok(sink(REPORT_FILE, page::write(&report)?.as_bytes())?)
    }

    fn uses_proofs(&self) -> bool {
        true
    }

    fn write_bundle(&self, whole: &Whole<'_>, sink: &mut Sink<'_>) -> Result<(), ExportError> {
        let text = report_of_bundle(whole)?;
        Ok(sink(REPORT_FILE, text.as_bytes())?)
    }
}

/// The report on a bundle, with the model's text and what the producer recorded about the check.
///
/// # Errors
/// When the page cannot be written.
pub fn report_of_bundle(whole: &Whole<'_>) -> Result<String, ExportError> {
    let members = &whole.bundle.members;
    let (system, certificate) = (&whole.bundle.system, &whole.bundle.certificate);
    let record = record::record(members, whole.proofs, whole.obligations.len());
    let text = members.model.as_deref();
    let text = text.and_then(|bytes| std::str::from_utf8(bytes).ok());
    let program = whole.bundle.program.as_ref();
    let report = gather::gather(
        (program, system),
        certificate,
        whole.obligations,
        text,
        record,
    )?;
    page::write(&report)
}
