//! Explanations: what a bundle claims and why, for readers who know the model but not its encoding.
//!
//! An explanation is a [`Document`], written as plain text, Markdown or HTML. Invariant: everything in it is in the notation of the
//! model; nothing rests on it, and what it says about the evidence was computed from the evidence by exact queries.

mod claims;
mod document;
mod examples;
mod failing_obligations;
mod needs;
mod proofs;
mod situations;
mod story;
#[cfg(test)]
mod tests;

pub use document::{Block, Document, Item, Line, Piece, Rendering};

use crate::solvers::{SolverError, StopSignal};
use proofs::Proof;
use slabcert_certificates::bundle::Bundle;
use slabcert_exports::wording::Wording;
use story::Story;

/// How many queries are spent on each proof to find what its facts are needed for.
const MOST_QUERIES: u64 = 4_000;

/// Explains what a bundle claims, and why.
///
/// # Errors
/// When there is no solver of the right version.
pub fn explain(bundle: &Bundle, stop: &StopSignal) -> Result<Document, SolverError> {
    let mut document = Document::new("What is claimed, and why");
    claims::introduce(bundle, &mut document);
    let wording = Wording::of_program(bundle.program.as_ref(), &bundle.system);
    for proof in Proof::all(&bundle.system, &bundle.certificate, &wording) {
        let why = Line::new("Why ").line(proof.subject()).words(proof.verb());
        document.heading(2, why);
        document.append(situations::explain(&proof, stop)?);
        document.append(needs::explain(&proof, MOST_QUERIES, stop)?);
    }
    for story in Story::all(bundle, &wording) {
        story.write(&mut document);
    }
    document.heading(2, "Status of this explanation");
    document.paragraph(
        Line::new("Nothing was checked for this explanation; ")
            .code("slabcert-check")
            .words(" checks the bundle's claims."),
    );
    Ok(document)
}
