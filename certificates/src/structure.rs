//! What the parts of a model belong to: families of processes, the process that owns a variable or a transition, the indices that
//! tell the members of a declaration apart.
//!
//! Front ends know all this, and say it here. Whoever groups, renames or explains reads it here and never out of a name: a variable
//! that is called `P[1]` but has no [`Origin`] is one variable. Nothing here is part of what a certificate claims.

use crate::smtlib::Position;
use num_bigint::BigInt;

/// The values that an index takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexRange {
    /// The least value.
    pub low: BigInt,
    /// The greatest value.
    pub high: BigInt,
    /// The constant of the model that is the greatest value, if it is written so: the range grows with it.
    pub size: Option<String>,
}

impl IndexRange {
    /// Whether both are indices of the same things: they grow with the same constant or, without constants, have the same values.
    pub fn agrees(&self, other: &IndexRange) -> bool {
        match (&self.size, &other.size) {
            (None, None) => (&self.low, &self.high) == (&other.low, &other.high),
            (own, others) => own == others,
        }
    }
}

/// An index of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Index {
    /// Its value.
    pub value: BigInt,
    /// The values that the index takes in other members.
    pub range: IndexRange,
}

/// A declaration of processes: one process, or one for each choice of indices, of which there may be none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Family {
    /// The name, such as `P`.
    pub name: String,
    /// The ranges of its indices; none for a process that is alone.
    pub ranges: Vec<IndexRange>,
    /// Where it is declared, if the text of the model is known.
    pub position: Option<Position>,
    /// Where each location is declared, in the order of the locations' numbers, if the text of the model is known.
    pub locations: Vec<Position>,
}

/// A process: a member of a family, with its location variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// The name, such as `P[1]`.
    pub name: String,
    /// Its family, by index.
    pub family: usize,
    /// Its indices in the family.
    pub indices: Vec<BigInt>,
    /// The index of its location variable among the system's variables.
    pub location: Option<usize>,
}

/// Where a variable or a transition comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The process that owns it, by index; `None` for what is global.
    pub process: Option<usize>,
    /// What the declaration calls it, without process and indices: `clock` of `P[1].clock[2]`.
    pub declaration: String,
    /// Its own indices, without those of the process.
    pub indices: Vec<Index>,
}

/// Indices as they stand in names: `[1][2]`.
pub fn shown_indices<'i>(indices: impl IntoIterator<Item = &'i BigInt>) -> String {
    let indices = indices.into_iter();
    indices.map(|index| format!("[{index}]")).collect()
}

impl Origin {
    /// Of a part without indices of its own.
    pub fn of(process: Option<usize>, declaration: String) -> Origin {
        Origin {
            process,
            declaration,
            indices: Vec::new(),
        }
    }

    /// The name of the part: `P[1].clock[2]`. Processes are those of the system.
    pub fn name(&self, processes: &[Process]) -> String {
        let indices = self.indices.iter().map(|index| &index.value);
        let own = format!("{}{}", self.declaration, shown_indices(indices));
        match self.process.and_then(|process| processes.get(process)) {
            Some(process) => format!("{}.{own}", process.name),
            None => own,
        }
    }
}
