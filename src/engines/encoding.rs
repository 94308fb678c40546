//! What engines have in common that search on the encoded system: how a search begins, and the solver for what the exact one gives up.

use super::{EngineAnswer, StopReason, Task};
use crate::slicing::encoded::EncodedSystem;
use crate::slicing::simplification::cone_of_influence::cone_of_influence;
use crate::solvers::{Session, Solver, budgets, with_session};
use slabcert_certificates::term::Term;

/// Searches on the encoded system of a task, together with labels that the search starts with. What the property cannot depend on, and the
/// variables that are said to be in labels do not either, is taken out before.
pub(super) fn search_encoded<E: Into<StopReason>>(
    task: &Task<'_>,
    labels: &[Vec<Term>],
    in_labels: impl FnOnce(&EncodedSystem) -> Vec<usize>,
    search: impl FnOnce(&EncodedSystem, &Session) -> Result<EngineAnswer, E>,
) -> EngineAnswer {
    let mut encoded = match EncodedSystem::new(task.system, task.property, labels) {
        Ok(encoded) => encoded,
        Err(error) => return EngineAnswer::Unknown(StopReason::Unsupported(error.to_string())),
    };
    let in_labels = in_labels(&encoded);
    encoded.restrict(cone_of_influence(&encoded, in_labels));
    match with_session(task.stop, |session| search(&encoded, session)) {
        Ok(answer) => answer.unwrap_or_else(|reason| EngineAnswer::Unknown(reason.into())),
        Err(error) => EngineAnswer::Unknown(StopReason::SolverFailure(error)),
    }
}

/// Z3 for what the exact solver gives up.
pub(super) fn fallback(session: &Session) -> impl Solver + use<> {
    let mut solver = session.solver();
    solver.set_budget(budgets::SLICING_FALLBACK);
    solver
}
