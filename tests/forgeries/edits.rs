//! What an edit is, and the list of them.

use crate::certificate_edits::{CERTIFICATE_EDITS, TRACE_EDITS};
use crate::forgery::{Forgery, Target};
use crate::proof_edits::PROOF_EDITS;
use crate::random::Random;

/// A kind of edit.
pub struct Edit {
    pub target: Target,
    pub name: &'static str,
    /// Makes the edit; `None` where there is nothing to be edited in this way.
    pub make: fn(&mut Forgery, &mut Random) -> Option<()>,
}

pub const fn edit(
    target: Target,
    name: &'static str,
    make: fn(&mut Forgery, &mut Random) -> Option<()>,
) -> Edit {
    Edit { target, name, make }
}

/// The edits of bundles with a proof, or of those with a trace.
pub fn of_bundles(with_trace: bool) -> Vec<&'static Edit> {
    if with_trace {
        TRACE_EDITS.iter().collect()
    } else {
        PROOF_EDITS.iter().chain(CERTIFICATE_EDITS).collect()
    }
}
