//! Choosing the splits that exclude a spurious path: interpolation methods propose, the judge of candidates orders, and a split whose
//! half would be empty is never made.

use super::{SlicingOptions, Splitting};
use crate::refinement::candidates::Candidate;
use crate::refinement::path::AbstractPath;
use crate::refinement::sources::Sources;
use crate::refinement::unrolling::Unrolling;
use crate::refinement::window::Window;
use crate::slicing::encoded::EncodedSystem;
use crate::slicing::graph::NodeIndex;
use crate::slicing::oracle::{Oracle, Stopped};
use crate::slicing::predicates::{Label, Literal};
use crate::solvers::{Session, StopSignal};
use std::collections::BTreeSet;

/// Chooses splits.
pub struct Refiner<'a> {
    sources: Sources<'a>,
    splitting: Splitting,
}

impl<'a> Refiner<'a> {
    /// A refiner with the methods that the options name.
    pub fn new(
        system: &'a EncodedSystem,
        options: &SlicingOptions,
        session: &Session,
        stop: &StopSignal,
    ) -> Refiner<'a> {
        Refiner {
            sources: Sources::new(system, options.interpolation, session, stop),
            splitting: options.splitting,
        }
    }

    /// The nodes to split, each with a literal; nothing when no method helps.
    ///
    /// Where one side of every cut contradicts itself, interpolants say nothing. This happens when the window breaks without its start
    /// or its violation already; so what is left without them is tried next.
    ///
    /// # Errors
    /// When the search is to stop.
    pub fn splits(
        &mut self,
        oracle: &mut Oracle<'_>,
        labels: &[&Label],
        path: &AbstractPath,
        unrolling: &Unrolling,
        window: Window,
    ) -> Result<Vec<(NodeIndex, Literal)>, Stopped> {
        for window in std::iter::once(window).chain(window.narrower()) {
            let predicates = oracle.predicates();
            let sources = &mut self.sources;
            let candidates = sources.candidates(predicates, labels, unrolling, window);
            let splits = self.choose(oracle, labels, path, &candidates)?;
            if !splits.is_empty() {
                return Ok(splits);
            }
        }
        Ok(Vec::new())
    }

    /// The first candidates whose halves both have states: one, or one for each node of the path.
    fn choose(
        &self,
        oracle: &mut Oracle<'_>,
        labels: &[&Label],
        path: &AbstractPath,
        candidates: &[Candidate],
    ) -> Result<Vec<(NodeIndex, Literal)>, Stopped> {
        let mut splits = Vec::new();
        let mut taken = BTreeSet::new();
        for candidate in candidates {
            let node = path.nodes[candidate.position];
            if taken.contains(&node) {
                continue;
            }
            let Some(literal) = oracle.predicates_mut().literal(&candidate.formula) else {
                continue;
            };
            let label = labels[candidate.position];
            if !oracle.is_consistent(label, literal)?
                || !oracle.is_consistent(label, literal.negated())?
            {
                continue;
            }
            taken.insert(node);
            splits.push((node, literal));
            if self.splitting == Splitting::Single {
                break;
            }
        }
        Ok(splits)
    }
}
