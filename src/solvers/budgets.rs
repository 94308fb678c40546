//! What single queries may cost, all in one table. Beyond its budget, a query has no answer.
//!
//! Budgets of Z3 are in its resource units, those of the exact solver in its steps; neither depends on the machine's speed.

use super::Budget;

const fn steps(steps: u32) -> Budget {
    Budget { steps: Some(steps) }
}

/// A question whether something in a model is vacuous.
pub const VACUITY: Budget = steps(1_000_000);
/// A step of a random run that gives samples.
pub const SAMPLES: Budget = steps(1_000_000);
/// A question about a shorter trace.
pub const SHORTER_TRACE: Budget = steps(2_000_000);
/// An attempt to make a diagram smaller; one that is too hard is given up.
pub const SMALLER_DIAGRAM: Budget = steps(4_000_000);
/// A question whether a diagram also proves another property.
pub const OTHER_PROPERTY: Budget = steps(4_000_000);
/// The search for an example of what goes wrong.
pub const EXAMPLE: Budget = steps(4_000_000);
/// A question whether two steps can happen in the other order.
pub const COMMUTATION: Budget = steps(2_000_000);
/// A question about clauses and a step.
pub const LEMMAS: Budget = steps(20_000_000);
/// A question of the slicing engine on which the exact solver gave up.
pub const SLICING_FALLBACK: Budget = steps(20_000_000);
/// A chain of Horn clauses along a path.
pub const PATH_CLAUSES: Budget = steps(20_000_000);

/// A question about a node or an edge, for the exact solver. Beyond it a general solver is faster.
pub const EXACT_LABELS: u64 = 5_000;
/// A question about a proposed predicate, for the exact solver.
pub const EXACT_PROPOSAL: u64 = 10_000;
/// An infeasible window, for the exact solver.
pub const EXACT_WINDOW: u64 = 20_000;
/// The atoms of an assignment in a proof, for the exact solver.
pub const EXACT_ATOMS: u64 = 2_000;
/// What a conflict of a proof's Boolean structure counts, in steps of the exact solver.
pub const EXACT_CONFLICT: u64 = 20;
/// The literals of a proof's lemma, which was refuted before, for the exact solver.
pub const EXACT_LEMMA: u64 = 10_000;
