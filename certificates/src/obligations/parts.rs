//! What is owed for a reduced diagram, by name.

/// A part of why a reduced diagram misses no violation. Transitions that a region's stubborn set does not have are postponed; in the region of a
/// transition that sleeps, which is its stubborn one, these are only those that may happen meanwhile.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReductionPart {
    /// The states of the node are in its region, or in that of a transition that falls asleep after a step from it.
    Containment {
        /// The node's number.
        node: usize,
        /// The region's name.
        region: String,
    },
    /// The postponed transition does not leave the region.
    Closure {
        /// The region's name.
        region: String,
        /// The postponed transition's name.
        postponed: String,
    },
    /// In the region, the stubborn transition after the postponed one is possible before it too, with the same result.
    Commutation {
        /// The region's name.
        region: String,
        /// The postponed transition's name.
        postponed: String,
        /// The stubborn transition's name.
        stubborn: String,
    },
    /// No state of the region, which has no key, violates the property.
    Quietness {
        /// The region's name.
        region: String,
        /// The number of the property.
        property: usize,
    },
    /// The key transition is possible in the node, with inputs that are 0 or false.
    Enabledness {
        /// The node's number.
        node: usize,
        /// The key transition's name.
        key: String,
    },
    /// In the region, the key transition stays possible after the postponed one, and they commute.
    Persistence {
        /// The region's name.
        region: String,
        /// The postponed transition's name.
        postponed: String,
        /// The key transition's name.
        key: String,
    },
    /// In the region, the key transition leads from a violation of the property to a violation.
    Preservation {
        /// The region's name.
        region: String,
        /// The key transition's name.
        key: String,
        /// The number of the property.
        property: usize,
    },
}

impl ReductionPart {
    /// The part as one word; in `coq/theory/Reductions.v`, the hypothesis of that name.
    pub fn word(&self) -> &'static str {
        match self {
            ReductionPart::Containment { .. } => "containment",
            ReductionPart::Closure { .. } => "closure",
            ReductionPart::Commutation { .. } => "commutation",
            ReductionPart::Quietness { .. } => "quietness",
            ReductionPart::Enabledness { .. } => "enabledness",
            ReductionPart::Persistence { .. } => "persistence",
            ReductionPart::Preservation { .. } => "preservation",
        }
    }

    /// What must hold, with names in braces like those of other obligations.
    pub(super) fn sentence(&self) -> &'static str {
        match self {
            ReductionPart::Containment { .. } => {
                "node {node} of diagram `{diagram}` is in region `{region}`"
            }
            ReductionPart::Closure { .. } => {
                "`{postponed}` stays in region `{region}` of diagram `{diagram}`"
            }
            ReductionPart::Commutation { .. } => {
                "in region `{region}` of diagram `{diagram}`, `{stubborn}` can happen before `{postponed}` instead of after it"
            }
            ReductionPart::Quietness { .. } => {
                "region `{region}` of diagram `{diagram}` excludes a violation of property {property}"
            }
            ReductionPart::Enabledness { .. } => {
                "`{key}` is possible in node {node} of diagram `{diagram}`"
            }
            ReductionPart::Persistence { .. } => {
                "in region `{region}` of diagram `{diagram}`, `{key}` and `{postponed}` can happen in both orders"
            }
            ReductionPart::Preservation { .. } => {
                "in region `{region}` of diagram `{diagram}`, `{key}` keeps a violation of property {property}"
            }
        }
    }

    /// What a name in the sentence stands for.
    pub(super) fn named(&self, name: &str) -> String {
        match (self, name) {
            (
                ReductionPart::Containment { region, .. }
                | ReductionPart::Closure { region, .. }
                | ReductionPart::Commutation { region, .. }
                | ReductionPart::Quietness { region, .. }
                | ReductionPart::Persistence { region, .. }
                | ReductionPart::Preservation { region, .. },
                "region",
            ) => region.clone(),
            (
                ReductionPart::Containment { node, .. } | ReductionPart::Enabledness { node, .. },
                "node",
            ) => node.to_string(),
            (
                ReductionPart::Closure { postponed, .. }
                | ReductionPart::Commutation { postponed, .. }
                | ReductionPart::Persistence { postponed, .. },
                "postponed",
            ) => postponed.clone(),
            (
                ReductionPart::Enabledness { key, .. }
                | ReductionPart::Persistence { key, .. }
                | ReductionPart::Preservation { key, .. },
                "key",
            ) => key.clone(),
            (ReductionPart::Commutation { stubborn, .. }, "stubborn") => stubborn.clone(),
            (
                ReductionPart::Quietness { property, .. }
                | ReductionPart::Preservation { property, .. },
                "property",
            ) => property.to_string(),
            _ => String::new(),
        }
    }

    /// What it is about, for names of files.
    pub(super) fn subject(&self) -> String {
        let names = ["property", "node", "region", "postponed", "stubborn", "key"];
        let names = names.map(|name| self.named(name));
        let given: Vec<String> = names.into_iter().filter(|name| !name.is_empty()).collect();
        given.join("-")
    }

    /// The number of the property, if the part is about one.
    pub fn property(&self) -> Option<usize> {
        match self {
            ReductionPart::Quietness { property, .. }
            | ReductionPart::Preservation { property, .. } => Some(*property),
            _ => None,
        }
    }

    /// How many bytes its names have.
    pub(super) fn names(&self) -> usize {
        let names = ["region", "postponed", "stubborn", "key"];
        names.map(|name| self.named(name).len()).iter().sum()
    }
}
