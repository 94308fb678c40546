//! Traces in the Informal Trace Format; [`crate::traces::itf`] says how values are written.

use crate::traces::itf::write;
use crate::{Export, ExportError, Sink};
use slabcert_certificates::certificate::{Certificate, Evidence};
use slabcert_certificates::system::System;

/// The Informal Trace Format, one file for each trace.
pub struct Itf;

impl Export for Itf {
    fn name(&self) -> &'static str {
        "itf"
    }

    fn summary(&self) -> &'static str {
        "traces in Apalache's Informal Trace Format"
    }

    fn file_names(
        &self,
        _system: &System,
        certificate: &Certificate,
    ) -> Result<Vec<String>, ExportError> {
        match certificate.traces.len() {
            0 => Err(ExportError::Nothing(
                "the certificate has no trace; ITF is a format for traces".to_owned(),
            )),
            1 => Ok(vec!["trace.itf.json".to_owned()]),
            count => Ok((0..count)
                .map(|number| format!("trace-{number}.itf.json"))
                .collect()),
        }
    }

    fn write(
        &self,
        system: &System,
        certificate: &Certificate,
        sink: &mut Sink<'_>,
    ) -> Result<(), ExportError> {
        let names = self.file_names(system, certificate)?;
        for (index, (name, trace)) in names.iter().zip(&certificate.traces).enumerate() {
            let claims = certificate.claims.iter();
            let violated: Vec<&str> = claims
                .filter(|claim| claim.evidence == Evidence::Unsafe(index))
                .map(|claim| claim.name.as_str())
                .collect();
            let text = write(trace, system, &certificate.source.file, &violated)
                .map_err(|error| ExportError::NotInFormat(error.to_string()))?;
            sink(name, text.as_bytes())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use slabcert_certificates::trace::{Trace, Valuation};

    #[test]
    fn there_is_a_file_for_each_trace_and_none_without_a_trace() {
        let system = System::default();
        let trace = Trace {
            states: vec![Valuation::new()],
            ..Trace::default()
        };
        for (count, expected) in [
            (1, &["trace.itf.json"][..]),
            (2, &["trace-0.itf.json", "trace-1.itf.json"]),
        ] {
            let certificate = Certificate {
                traces: vec![trace.clone(); count],
                ..Certificate::default()
            };
            let mut written = Vec::new();
            let mut sink = |name: &str, bytes: &[u8]| {
                assert!(bytes.starts_with(b"{"));
                written.push(name.to_owned());
                Ok(())
            };
            Itf.write(&system, &certificate, &mut sink).unwrap();
            assert_eq!(written, expected);
        }
        let error = Itf.file_names(&system, &Certificate::default());
        assert!(matches!(error, Err(ExportError::Nothing(_))));
    }
}
