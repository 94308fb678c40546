//! `program.json`: the program that a bundle's `system.vmt` was made from, as JSON has it: names and strings, nothing resolved.
//!
//! Variables, inputs and processes are the system's, in its order; formulas are SMT-LIB terms over its symbols.

use super::scheduler::SchedulerJson;
use super::synchronous::SynchronousJson;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What `format` says in the file.
pub(super) const FORMAT: &str = "slabcert-program";
/// The version of the format that is read and written.
pub(super) const VERSION: u64 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProgramJson {
    pub format: String,
    pub version: u64,
    /// The SHA-256 of `system.vmt`.
    pub system: String,
    pub name: String,
    pub families: Vec<FamilyJson>,
    pub processes: Vec<ProcessJson>,
    pub variables: Vec<VariableJson>,
    pub inputs: Vec<InputJson>,
    pub init: Vec<String>,
    pub ranges: Vec<RangeJson>,
    pub commands: Vec<CommandJson>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cuts: Vec<CutPointsJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scheduler: Option<SchedulerJson>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub synchronous: Vec<SynchronousJson>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<EdgeJson>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interactions: Vec<InteractionJson>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocking: Vec<BlockingRuleJson>,
    pub properties: Vec<PropertyJson>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FamilyJson {
    pub name: String,
    pub ranges: Vec<IndexRangeJson>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct IndexRangeJson {
    pub low: String,
    pub high: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProcessJson {
    pub name: String,
    pub family: usize,
    pub indices: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct VariableJson {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sort: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<[String; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<OriginJson>,
}

/// An input, as it is written and as it was written before sorts were stated.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum InputJson {
    Declared(DeclaredInputJson),
    Name(String),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DeclaredInputJson {
    pub name: String,
    pub sort: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OriginJson {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<usize>,
    pub declaration: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub indices: Vec<IndexJson>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct IndexJson {
    pub value: String,
    pub range: IndexRangeJson,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RangeJson {
    pub name: String,
    pub variables: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<(u32, u32)>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CommandJson {
    pub name: String,
    pub origin: OriginJson,
    pub moves: Vec<MoveJson>,
    pub guard: Vec<ConjunctJson>,
    pub updates: Vec<UpdateJson>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relation: Vec<ConjunctJson>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modifies: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<(u32, u32)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_line: Option<u32>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MoveJson {
    pub process: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<usize>,
    pub to: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ConjunctJson {
    pub formula: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<usize>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UpdateJson {
    pub variable: String,
    pub value: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<usize>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PropertyJson {
    pub name: String,
    /// The formula, unless no deadlock is required.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    /// In which states; in all reachable ones if it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requires: Option<RequiresJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<(u32, u32)>,
}

#[derive(Serialize, Deserialize, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
pub(super) enum RequiresJson {
    /// The formula, in visible states.
    Visible,
    /// That something can happen.
    NoDeadlock,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CutPointsJson {
    pub process: usize,
    pub locations: BTreeSet<usize>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EdgeJson {
    pub name: String,
    pub process: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<(usize, usize)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub guard: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub updates: Vec<AssignmentJson>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<(u32, u32)>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AssignmentJson {
    pub variable: String,
    pub value: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ParticipantJson {
    pub process: usize,
    pub label: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InteractionJson {
    pub name: String,
    pub participants: Vec<ParticipantJson>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub guard: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transfer: Vec<AssignmentJson>,
    pub is_offered: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<(u32, u32)>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BlockingRuleJson {
    pub blocked: usize,
    pub by: usize,
    pub condition: String,
}
