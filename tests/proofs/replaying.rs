//! One proof of one obligation, without a bundle.

use slabcert_certificates::obligations::Obligation;
use slabcert_certificates::proof::Proofs;
use slabcert_certificates::proof::normalise::Normaliser;
use slabcert_certificates::system::System;
use slabcert_checker::builtin::{Reply, replay_with};
use std::sync::atomic::AtomicBool;

/// Replays the tree of the step that is given.
pub fn replay_one(system: &System, obligation: &Obligation, proofs: &Proofs, root: usize) -> Reply {
    let never = AtomicBool::new(false);
    let mut normaliser = Normaliser::new(system);
    replay_with(&mut normaliser, obligation, proofs, Some(root), &never)
}
