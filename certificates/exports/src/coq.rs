//! A project for Coq: the system as people read it, the certificate and its proofs as dense text, and the theorem that the system is
//! safe, by computation with the checker that `certificates/coq/` proves sound.
//!
//! Coq states the obligations itself from the system and the diagrams; what is written here can only make its check fail. Long
//! certificates are checked in several files.

mod certificate;
mod evidence;
mod gallina;
mod parts;
mod table;
mod text;

use crate::{Export, ExportError, Sink};
use evidence::Evidence;
use parts::Parts;
use slabcert_certificates::certificate::{Certificate, Evidence as ClaimEvidence};
use slabcert_certificates::obligations::{Obligation, ObligationError, obligations};
use slabcert_certificates::proof::Proofs;
use slabcert_certificates::system::{Property, System};
use std::fmt::Write;
use std::ops::Range;

/// How many obligations are checked in one file.
const OBLIGATIONS_OF_A_FILE: usize = 4_000;

/// How many steps a proof may have, with shared steps counted as often as they are used: Coq follows them again.
const MAXIMAL_STEPS: u64 = 10_000_000;

/// What cannot be written for Coq, although it has a normal form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Untranslatable {
    /// A symbol is not a variable where it stands.
    #[error("`{0}` is not a variable of the system here")]
    Symbol(String),
    /// An operator has arguments that it cannot have.
    #[error("`{0}` has no form in Coq with these arguments")]
    Operator(&'static str),
    /// An edge ends in a node that is not there.
    #[error("there is no node {0}")]
    Node(usize),
    /// A proof speaks about an integer part that its obligation does not have.
    #[error("a proof mentions the integer part {0}, which its obligation does not have")]
    IntegerPart(usize),
    /// An obligation has no proof.
    #[error("obligation {0} has no proof")]
    NoProof(usize),
    /// A step of a proof is not there.
    #[error("there is no step {0}")]
    NoStep(usize),
    /// Formulas are too large when shared parts are written out.
    #[error("formulas are too large when shared subformulas are written out")]
    Large,
    /// A proof is too long when shared steps are followed as often as they are used.
    #[error("the proof of obligation {0} is too long when shared steps are repeated")]
    Long(usize),
}

/// A property that is claimed to hold, and the diagrams that are the evidence.
struct Claimed<'a> {
    name: &'a str,
    property: &'a Property,
    diagrams: &'a [String],
}

/// What is exported.
struct Subject<'a> {
    system: &'a System,
    certificate: &'a Certificate,
    claimed: Vec<Claimed<'a>>,
}

impl<'a> Subject<'a> {
    fn new(system: &'a System, certificate: &'a Certificate) -> Result<Subject<'a>, ExportError> {
        ExportError::refuse_reduced(certificate)?;
        let mut claimed = Vec::new();
        for claim in &certificate.claims {
            if let ClaimEvidence::Safe(diagrams) = &claim.evidence {
                let property = (system.properties.iter())
                    .find(|property| property.index == claim.property)
                    .ok_or(ObligationError::NoProperty(claim.property))?;
                claimed.push(Claimed {
                    name: &claim.name,
                    property,
                    diagrams,
                });
            }
        }
        if claimed.is_empty() {
            let message = "the certificate contains no safe claim to export";
            return Err(ExportError::Nothing(message.to_owned()));
        }
        Ok(Subject {
            system,
            certificate,
            claimed,
        })
    }

    /// The indices of diagrams in the certificate.
    fn diagram_ordinals(&self, names: &[String]) -> Result<Vec<usize>, ObligationError> {
        let mut ordinals = Vec::with_capacity(names.len());
        for name in names {
            let ordinal = (self.certificate.diagrams.iter())
                .position(|diagram| diagram.name == *name)
                .ok_or_else(|| ObligationError::NoDiagram(name.clone()))?;
            ordinals.push(ordinal);
        }
        Ok(ordinals)
    }
}

/// Evidence that Coq checks.
pub struct Coq;

impl Export for Coq {
    fn name(&self) -> &'static str {
        "coq"
    }

    fn summary(&self) -> &'static str {
        "the theorem for Coq that the system is safe, by the verified checker of certificates/coq"
    }

    fn file_names(
        &self,
        system: &System,
        certificate: &Certificate,
    ) -> Result<Vec<String>, ExportError> {
        Subject::new(system, certificate)?;
        let count = obligations(system, certificate)?.len();
        let mut names = vec!["System.v".to_owned()];
        names.extend((0..slices(count).len()).map(|part| format!("{}.v", module(part))));
        names.extend(["Safe.v", "Makefile", "certificate.txt"].map(str::to_owned));
        Ok(names)
    }

    fn uses_proofs(&self) -> bool {
        true
    }

    fn write(
        &self,
        system: &System,
        certificate: &Certificate,
        sink: &mut Sink<'_>,
    ) -> Result<(), ExportError> {
        self.write_with_proofs(system, certificate, &Proofs::new(), sink)
    }

    fn write_with_proofs(
        &self,
        system: &System,
        certificate: &Certificate,
        proofs: &Proofs,
        sink: &mut Sink<'_>,
    ) -> Result<(), ExportError> {
        let subject = Subject::new(system, certificate)?;
        let obligations = obligations(system, certificate)?;
        let parts = Parts::find(&subject, &obligations)?;
        all_proved(&obligations, proofs)?;
        let lines = certificate::write(&subject, &parts)?.lines();
        sink("System.v", system_file(&subject, &lines)?.as_bytes())?;
        let slices = slices(obligations.len());
        let mut plain = plain_certificate(&lines);
        for (part, slice) in slices.iter().enumerate() {
            let evidence = Evidence::write(proofs, &parts, slice.clone())?.lines();
            sink(
                &format!("{}.v", module(part)),
                slice_file(slice, &evidence).as_bytes(),
            )?;
            plain.push('\n');
            for line in evidence {
                plain.push_str(&line);
                plain.push('\n');
            }
        }
        sink("Safe.v", safe_file(&slices).as_bytes())?;
        sink("Makefile", makefile(slices.len()).as_bytes())?;
        sink("certificate.txt", plain.as_bytes())?;
        Ok(())
    }
}

/// Sees that there is a proof for each obligation, none of them of endless length.
fn all_proved(obligations: &[Obligation], proofs: &Proofs) -> Result<(), ExportError> {
    let open = (obligations.iter().enumerate())
        .find(|(number, _)| proofs.roots().get(*number).copied().flatten().is_none());
    if let Some((_, obligation)) = open {
        return Err(ExportError::NoProof(obligation.kind.describe()));
    }
    let mut roots = proofs.roots().iter().flatten().enumerate();
    match roots.find(|(_, root)| proofs.unfolded_size(**root) > MAXIMAL_STEPS) {
        Some((number, _)) => Err(Untranslatable::Long(number).into()),
        None => Ok(()),
    }
}

/// The obligations of each file.
fn slices(count: usize) -> Vec<Range<usize>> {
    (0..count.max(1))
        .step_by(OBLIGATIONS_OF_A_FILE)
        .map(|from| from..count.min(from + OBLIGATIONS_OF_A_FILE))
        .collect()
}

fn module(part: usize) -> String {
    format!("Evidence{part}")
}

const HEAD: &str = "(* Written by `slabcert export --to coq`. To have it checked: `make THEORY=...`, the folder certificates/coq/theory of slabcert \
after it was compiled there. *)\n\n";

/// Lines of dense text as a list.
fn list(lines: &[String]) -> String {
    let quoted: Vec<String> = lines.iter().map(|line| format!("  \"{line}\"")).collect();
    format!("[\n{}\n]%text", quoted.join(";\n"))
}

fn system_file(subject: &Subject<'_>, lines: &[String]) -> Result<String, ExportError> {
    let mut text = format!(
        "{HEAD}From Coq Require Import ZArith QArith List.\nFrom Slabcert Require Import Terms Systems Reader.\n\
         Import ListNotations.\n\n"
    );
    let mut note = |line: String| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{line}");
    };
    note("(** The properties that are claimed to hold, in this order:".to_owned());
    for claimed in &subject.claimed {
        note(format!(
            "    {}: {}",
            claimed.property.index,
            crate::identifiers::comment(claimed.name)
        ));
    }
    let others = subject.system.properties.len() - subject.claimed.len();
    if others > 0 {
        note(format!("    Not covered: {others} more."));
    }
    note("*)\n".to_owned());
    text.push_str(&gallina::system(subject)?);
    let _ = writeln!(
        text,
        "\n(** System and diagrams as the checker reads them. *)\nDefinition certificate : list text := {}.\n",
        list(lines)
    );
    text.push_str(
        "Lemma certificate_states : states certificate system.\n\
         Proof. vm_cast_no_check (@eq_refl (option Systems.system) (Some system)). Qed.\n",
    );
    Ok(text)
}

fn slice_file(slice: &Range<usize>, lines: &[String]) -> String {
    format!(
        "{HEAD}From Coq Require Import NArith List.\nFrom Slabcert Require Import Reader.\nRequire Import System.\n\
         Import ListNotations.\n\n\
         Definition evidence : list text := {}.\n\n\
         Lemma refuted : text_slice_refuted certificate {} {}.\n\
         Proof. apply (text_slice_ok _ _ _ evidence). vm_cast_no_check (eq_refl true). Qed.\n",
        list(lines),
        slice.start,
        slice.len()
    )
}

fn safe_file(slices: &[Range<usize>]) -> String {
    let modules: Vec<String> = (0..slices.len()).map(module).collect();
    let counts: Vec<String> = slices.iter().map(|slice| slice.len().to_string()).collect();
    let mut refuted = "I".to_owned();
    for module in modules.iter().rev() {
        refuted = format!("(conj {module}.refuted {refuted})");
    }
    format!(
        "{HEAD}From Coq Require Import NArith List.\nFrom Slabcert Require Import Terms Systems Reader.\n\
         Require Import System.\nRequire {}.\nImport ListNotations.\n\n\
         Theorem safe : forall s, reachable system s -> ~ error system s.\n\
         Proof.\n\
         \x20 apply (text_slices_sound certificate [{}]%N system certificate_states).\n\
         \x20 - vm_cast_no_check (eq_refl true).\n\
         \x20 - exact {refuted}.\n\
         Qed.\n\n\
         Print Assumptions safe.\n",
        modules.join(" "),
        counts.join("; "),
    )
}

fn makefile(parts: usize) -> String {
    let modules: Vec<String> = (0..parts).map(module).collect();
    let with = |ending: &str| {
        let files: Vec<String> = modules.iter().map(|m| format!("{m}{ending}")).collect();
        files.join(" ")
    };
    format!(
        "# Written by `slabcert export --to coq`. THEORY is the folder certificates/coq/theory of slabcert, compiled; NAME is what other\n\
         # developments call this one.\n\
         THEORY ?= theory\nNAME ?= Certificate\nCOQC ?= coqc\n\n\
         Safe.vo: System.vo {vo}\n{vo}: System.vo\n\n\
         %.vo: %.v\n\t$(COQC) -R $(THEORY) Slabcert -R . $(NAME) $<\n\n\
         .PHONY: clean\nclean:\n\trm -f *.vo *.vok *.vos *.glob .*.aux\n",
        vo = with(".vo")
    )
}

/// The beginning of the text for the extracted checker: the certificate.
fn plain_certificate(lines: &[String]) -> String {
    let mut text = lines.join("\n");
    text.push('\n');
    text
}

#[cfg(test)]
mod tests;
