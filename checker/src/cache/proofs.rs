//! Entries that are proofs: a `proofs.json` about one obligation, with the obligation's key where a bundle's has the hash of its
//! certificate.

use super::ObligationKey;
use slabcert_certificates::proof::{self, Proofs};

/// Ends the names of these entries.
pub(super) const EXTENSION: &str = "proof.json";

/// The proof in an entry and its last step, if the entry is one about the obligation with that key.
pub(super) fn read(text: &str, key: &ObligationKey) -> Result<(Proofs, usize), String> {
    let (about, proofs) =
        proof::read(text.as_bytes()).map_err(|malformed| malformed.to_string())?;
    if about != key.as_str() {
        return Err("it is about another obligation".to_owned());
    }
    match *proofs.roots() {
        [Some(root)] => Ok((proofs, root)),
        _ => Err("it has no proof, or more than one".to_owned()),
    }
}

/// An entry with the tree of a step; none when there is no such step.
pub(super) fn write(proofs: &Proofs, root: usize, key: &ObligationKey) -> Option<String> {
    Some(proof::write(&proofs.only(root)?, key.as_str()))
}
