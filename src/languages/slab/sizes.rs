//! Which constants say how many processes a model has: those that bound the index of a family of processes.

use super::syntax::{ExprKind, Item, Model};
use std::collections::BTreeSet;

/// The constants that are the upper end of the range of a family's index, by name, in order.
pub(super) fn size_constants(model: &Model) -> Vec<String> {
    let mut constants = BTreeSet::new();
    let mut bounds = BTreeSet::new();
    for item in &model.items {
        match item {
            Item::Const(constant) => {
                constants.insert(constant.name.text.to_string());
            }
            Item::Process(process) => {
                for binder in &process.index.binders {
                    if let ExprKind::Place(place, false) = &binder.range.high.kind
                        && place.indices.is_empty()
                        && place.member.is_none()
                    {
                        bounds.insert(place.name.text.to_string());
                    }
                }
            }
            _ => {}
        }
    }
    bounds.intersection(&constants).cloned().collect()
}

#[cfg(test)]
mod tests {
    use crate::languages::Language;
    use crate::languages::slab::Slab;
    use crate::languages::source::Source;

    fn sizes(text: &str) -> Vec<String> {
        Slab.size_constants(&Source::new("model.slab", text))
    }

    #[test]
    fn constants_that_bound_families_of_processes_are_sizes() {
        let text = "system s; const N = 3; const M = 2; const D = 1;
            process P[i in 1..N] { location a; start a; }
            process Q[i in 1..M] { location a; start a; }
            error never: false;";
        assert_eq!(sizes(text), ["M", "N"]);
    }

    #[test]
    fn other_constants_and_computed_bounds_are_no_sizes() {
        let text = "system s; const N = 3; var x[1..N] : int;
            process P[i in 1..N + 1] { location a; start a; }
            process Q { location a; start a; }
            error never: false;";
        assert_eq!(sizes(text), Vec::<String>::new());
        assert_eq!(sizes("const ; nonsense"), Vec::<String>::new());
    }
}
