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
