//! Obligations as self-contained SMT-LIB 2.6 files that every solver reads; [`slabcert_certificates::obligations::text`] says how.

use crate::{Export, ExportError, Sink};
use slabcert_certificates::certificate::Certificate;
use slabcert_certificates::obligations::obligations;
use slabcert_certificates::obligations::text::{ObligationPrinter, file_name};
use slabcert_certificates::system::System;

/// All obligations, one file for each.
pub struct SmtLib;

impl Export for SmtLib {
    fn name(&self) -> &'static str {
        "smtlib"
    }

    fn summary(&self) -> &'static str {
        "every obligation as an SMT-LIB 2.6 file; the certificate is right when all are unsatisfiable"
    }

    fn file_names(
        &self,
        system: &System,
        certificate: &Certificate,
    ) -> Result<Vec<String>, ExportError> {
        Ok(obligations(system, certificate)?
            .iter()
            .enumerate()
            .map(|(number, obligation)| file_name(number, &obligation.kind))
            .collect())
    }

    fn write(
        &self,
        system: &System,
        certificate: &Certificate,
        sink: &mut Sink<'_>,
    ) -> Result<(), ExportError> {
        let mut printer = ObligationPrinter::new(system);
        for (number, obligation) in obligations(system, certificate)?.iter().enumerate() {
            let text = printer.standalone(obligation);
            sink(&file_name(number, &obligation.kind), text.as_bytes())?;
        }
        Ok(())
    }
}
