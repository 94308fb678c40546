//! What an edit is, and the list of them.

use crate::certificate_edits::{CERTIFICATE_EDITS, TRACE_EDITS};
use crate::forgery::{Forgery, Target};
use crate::program_edits::PROGRAM_EDITS;
use crate::proof_edits::PROOF_EDITS;
use crate::random::Random;
use crate::region_edits::REGION_EDITS;

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

/// The edits of bundles with a proof, or of those with a trace; of reduced diagrams; of programs.
pub fn of_bundles(with_trace: bool, is_reduced: bool, with_program: bool) -> Vec<&'static Edit> {
    if with_trace {
        return TRACE_EDITS.iter().collect();
    }
    let mut edits: Vec<&Edit> = PROOF_EDITS.iter().chain(CERTIFICATE_EDITS).collect();
    if is_reduced {
        // There are few, and few bundles to make them in.
        for _ in 0..4 {
            edits.extend(REGION_EDITS);
        }
    }
    if with_program {
        edits.extend(PROGRAM_EDITS);
    }
    edits
}
