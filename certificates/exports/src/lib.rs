//! Exports: a certificate in other tools' formats, one file here for each.
//!
//! An export only states; whether what it states is true is up to whoever reads it.

pub mod argument;
pub mod c_harness;
pub mod coq;
pub mod coq_readable;
#[cfg(feature = "drawing")]
pub mod dot;
pub mod identifiers;
pub mod itf;
#[cfg(feature = "drawing")]
mod layout;
pub mod moxi;
#[cfg(feature = "drawing")]
pub mod picture;
pub mod program_text;
#[cfg(feature = "drawing")]
pub mod report;
pub mod smtlib;
#[cfg(feature = "drawing")]
pub mod svg;
pub mod traces;
pub mod why3;
pub mod witness;
pub mod wording;

use program_text::ProgramText;
use slabcert_certificates::bundle::Bundle;
use slabcert_certificates::certificate::Certificate;
use slabcert_certificates::obligations::{Obligation, ObligationError};
use slabcert_certificates::proof::Proofs;
use slabcert_certificates::system::System;
use slabcert_certificates::term::Term;
use std::io;

/// Takes the files of an export one by one: a name (with `/` for folders) and the bytes.
pub type Sink<'a> = dyn FnMut(&str, &[u8]) -> io::Result<()> + 'a;

/// Why an export failed.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// No obligations can be stated.
    #[error(transparent)]
    Obligations(#[from] ObligationError),
    /// The format has no words for a diagram whose nodes leave out transitions, or needs an invariant.
    #[error(
        "the diagram `{0}` is reduced: it has no invariant, and the format has no words for what is owed instead (verify with `--lift auto` or `--reduction none` to look for one that has; smtlib, dot, svg and html take this one)"
    )]
    Reduced(String),
    /// An obligation has no proof, and the format needs one.
    #[error("the bundle has no proof of this obligation: {0}")]
    NoProof(String),
    /// An obligation is outside of what the format can express.
    #[error("the format cannot express this obligation: {obligation} ({reason})")]
    NotExpressible {
        /// What the obligation is about.
        obligation: String,
        /// What is in the way.
        reason: String,
    },
    /// Something is outside of what the format for Coq can express.
    #[error(transparent)]
    Untranslatable(#[from] coq::Untranslatable),
    /// The certificate has nothing that this format shows.
    #[error("{0}")]
    Nothing(String),
    /// The format has no way to say this, or to prove it.
    #[error("{format} does not support this: `{term}` {reason}")]
    Unsupported {
        /// The format's name.
        format: &'static str,
        /// The term in SMT-LIB, cut where it is long.
        term: String,
        /// What is the matter with it.
        reason: &'static str,
    },
    /// A formula is too large for the format.
    #[error("{format} does not support this: a formula {limit}")]
    TooLarge {
        /// The format's name.
        format: &'static str,
        /// What the formula exceeds, as in `has more than 3 cases`.
        limit: String,
    },
    /// A name or a value has no place in the format.
    #[error("{0}")]
    NotInFormat(String),
    /// A picture is too large to be looked at.
    #[error(
        "a picture of {number} {what} is not drawn; the limit is {limit} (export it to dot instead)"
    )]
    NotDrawn {
        /// How many of them the picture has.
        number: usize,
        /// What is counted.
        what: &'static str,
        /// How many are drawn.
        limit: usize,
    },
    /// A file could not be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// How many characters of a term an error shows.
const LONGEST_TERM: usize = 200;

impl ExportError {
    /// An error about a term.
    pub fn unsupported(format: &'static str, term: &Term, reason: &'static str) -> ExportError {
        ExportError::Unsupported {
            format,
            term: term.to_string().chars().take(LONGEST_TERM).collect(),
            reason,
        }
    }

    /// An error where the text of the model is not known.
    pub(crate) fn no_text() -> ExportError {
        ExportError::Nothing("the bundle has no text of a C program".to_owned())
    }

    /// Refuses certificates with a reduced diagram, for formats that need an invariant.
    ///
    /// # Errors
    /// When there is one.
    pub(crate) fn refuse_reduced(certificate: &Certificate) -> Result<(), ExportError> {
        let mut diagrams = certificate.diagrams.iter();
        match diagrams.find(|diagram| diagram.is_reduced()) {
            Some(diagram) => Err(ExportError::Reduced(diagram.name.clone())),
            None => Ok(()),
        }
    }
}

/// A bundle with all that formats may show of it.
#[derive(Clone, Copy)]
pub struct Whole<'a> {
    /// The bundle.
    pub bundle: &'a Bundle,
    /// Proofs of its obligations; empty if the format uses none.
    pub proofs: &'a Proofs,
    /// Everything that must hold for its claims, as the checker states it: also what its program owes.
    pub obligations: &'a [Obligation],
    /// What the model's text says of its program; none if the format does not ask, or the language says nothing.
    pub text: Option<&'a ProgramText>,
}

/// A format.
pub trait Export: Sync {
    /// The format's name, as in `export --to NAME`.
    fn name(&self) -> &'static str;

    /// What the files are good for, in one sentence.
    fn summary(&self) -> &'static str;

    /// The names of the files that [`Export::write`] would give.
    ///
    /// # Errors
    /// When the certificate cannot be exported to this format.
    fn file_names(
        &self,
        system: &System,
        certificate: &Certificate,
    ) -> Result<Vec<String>, ExportError>;

    /// Returns the files one by one, always the same bytes for the same certificate.
    ///
    /// # Errors
    /// When the certificate cannot be exported to this format, or the sink fails.
    fn write(
        &self,
        system: &System,
        certificate: &Certificate,
        sink: &mut Sink<'_>,
    ) -> Result<(), ExportError>;

    /// Whether the files have proofs of the obligations, so that [`Export::write_with_proofs`] is the way to get them.
    fn uses_proofs(&self) -> bool {
        false
    }

    /// Whether the files speak of the model's text, so that [`Whole::text`] is the way to get them.
    fn uses_text(&self) -> bool {
        false
    }

    /// The same as [`Export::write`] for a certificate with proofs of its obligations, which most formats do not show.
    ///
    /// # Errors
    /// As [`Export::write`], and when the format needs a proof that is not there.
    fn write_with_proofs(
        &self,
        system: &System,
        certificate: &Certificate,
        _proofs: &Proofs,
        sink: &mut Sink<'_>,
    ) -> Result<(), ExportError> {
        self.write(system, certificate, sink)
    }

    /// The same as [`Export::write_with_proofs`] for a format that shows more of a bundle than its certificate.
    ///
    /// # Errors
    /// As [`Export::write_with_proofs`].
    fn write_bundle(&self, whole: &Whole<'_>, sink: &mut Sink<'_>) -> Result<(), ExportError> {
        let (system, certificate) = (&whole.bundle.system, &whole.bundle.certificate);
        self.write_with_proofs(system, certificate, whole.proofs, sink)
    }
}

/// All formats.
pub const ALL: &[&dyn Export] = &[
    &smtlib::SmtLib,
    &coq::Coq,
    &coq_readable::CoqReadable,
    &why3::Why3,
    &witness::Witness,
    &c_harness::CHarness,
    &itf::Itf,
    &moxi::Response,
    #[cfg(feature = "drawing")]
    &dot::Dot,
    #[cfg(feature = "drawing")]
    &svg::Svg,
    #[cfg(feature = "drawing")]
    &report::Html,
];

/// The format of that name.
pub fn by_name(name: &str) -> Option<&'static dyn Export> {
    ALL.iter().copied().find(|export| export.name() == name)
}

#[cfg(all(test, feature = "drawing"))]
mod tests {
    use super::*;

    #[test]
    fn the_readme_lists_every_format() {
        let readme = include_str!("../../../README.md");
        let marker = "`slabcert export BUNDLE --to ";
        let list = readme
            .split(marker)
            .nth(1)
            .and_then(|it| it.split('`').next());
        let mut listed: Vec<&str> = list.unwrap_or_default().split("\\|").collect();
        let mut names: Vec<&str> = ALL.iter().map(|format| format.name()).collect();
        listed.sort_unstable();
        names.sort_unstable();
        assert_eq!(listed, names);
    }
}
