//! What the page is given: one JSON object, in a block of its own inside the file.
//!
//! This is the interface between this crate and the scripts in `page/`, and it may be read by other programs too. Whatever occurs often
//! is said once and referred to by its place in a list: formulas, transitions, nodes. The scripts print obligations and state none.

use serde::Serialize;

/// What `format` says in the object.
pub const FORMAT: &str = "slabcert-report";
/// The version of the object's layout.
pub const VERSION: u64 = 3;

/// The whole object.
#[derive(Debug, Serialize)]
pub struct ReportJson {
    /// [`FORMAT`].
    pub format: &'static str,
    /// [`VERSION`].
    pub version: u64,
    /// What the system is called.
    pub title: String,
    /// The verdict that is claimed: `safe`, `unsafe` or `unknown`.
    pub verdict: &'static str,
    /// Who discharged the obligations, as the producer recorded it.
    pub record: RecordJson,
    /// The producer in one line, empty if unknown.
    pub producer: String,
    /// The source model.
    pub source: SourceJson,
    /// What is taken on trust, in words.
    pub assumptions: Vec<String>,
    /// The properties, in the system's order, and what is claimed about them.
    pub claims: Vec<ClaimJson>,
    /// Names of processes.
    pub processes: Vec<String>,
    /// State variables.
    pub variables: Vec<VariableJson>,
    /// All symbols, in the order in which SMT-LIB texts declare them.
    pub symbols: Vec<SymbolJson>,
    /// The SMT-LIB logic for each combination of needs: integers 1, reals 2, products 4.
    pub logics: Vec<&'static str>,
    /// SMT-LIB formulas.
    pub formulas: Vec<FormulaJson>,
    /// What obligations say.
    pub sentences: Vec<SentenceJson>,
    /// All obligations, in the order of their numbers.
    pub obligations: Vec<ObligationJson>,
    /// The named transitions.
    pub transitions: Vec<TransitionJson>,
    /// The diagrams.
    pub diagrams: Vec<DiagramJson>,
    /// The traces.
    pub traces: Vec<TraceJson>,
}

/// Who discharged the obligations.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RecordJson {
    /// Solvers that discharged every obligation: what each is called, with its version.
    pub solvers: Vec<String>,
    /// Obligations that have a proof in the bundle, which `builtin` replays: `all`, `none`, or their numbers.
    pub proved: ProvedJson,
}

/// Which obligations have a proof.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ProvedJson {
    /// None has.
    #[default]
    None,
    /// Each has.
    All,
    /// Those with these numbers have.
    Some(Vec<usize>),
}

/// A formula in SMT-LIB. Formulas are referred to by their indices; a reference with all bits turned is to the negation.
#[derive(Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(untagged)]
pub enum FormulaJson {
    /// The text, the needs, and the symbols that occur.
    Text(String, u8, Vec<usize>),
    /// A connective, applied to formulas.
    Connected(&'static str, Vec<i64>),
}

/// What obligations of a kind say: the kind, a sentence with names in braces for what it is about, and these names in the order in which
/// obligations give indices for them; `diagram` before what belongs to it. `key`, `postponed` and `stubborn` are transitions.
#[derive(Debug, PartialEq, Eq, Hash, Serialize)]
pub struct SentenceJson(
    pub &'static str,
    pub &'static str,
    pub &'static [&'static str],
);

/// An obligation: the index of its sentence; the indices of what it is about; how many of its formulas are the first ones of the
/// obligation before it; and the others. Indices that the sentence has no name for are those of the successors.
#[derive(Debug, Serialize)]
pub struct ObligationJson(pub usize, pub Vec<usize>, pub usize, pub Vec<i64>);

/// The source model.
#[derive(Debug, Default, Serialize)]
pub struct SourceJson {
    /// The file's name, empty if the bundle has none.
    pub file: String,
    /// Its language.
    pub language: String,
    /// Constants with their values.
    pub constants: Vec<(String, String)>,
    /// Its text, unless it is too long.
    pub text: Option<String>,
}

/// A property and what is claimed about it.
#[derive(Debug, Serialize)]
pub struct ClaimJson {
    /// The number of the property in `system.vmt`.
    pub property: usize,
    /// What it is called.
    pub name: String,
    /// `safe`, `unsafe` or `unknown`.
    pub verdict: &'static str,
    /// The diagrams that prove it.
    pub diagrams: Vec<usize>,
    /// The trace that violates it.
    pub trace: Option<usize>,
    /// Why nothing is claimed.
    pub reason: Option<String>,
    /// The property in the model's words.
    pub words: String,
    /// Where the property stands in the source model: its first line, from 1.
    pub line: Option<usize>,
}

/// A state variable.
#[derive(Debug, Serialize)]
pub struct VariableJson {
    /// What it is called.
    pub name: String,
    /// The process that it belongs to.
    pub process: Option<usize>,
    /// Whether it is the location of that process.
    pub location: bool,
}

/// A symbol as it is written in SMT-LIB.
#[derive(Debug, Serialize)]
pub struct SymbolJson {
    /// The name that every solver takes.
    pub name: String,
    /// The system's own name.
    pub original: String,
    /// The sort.
    pub sort: String,
}

/// A named transition.
#[derive(Debug, Serialize)]
pub struct TransitionJson {
    /// The name.
    pub name: String,
    /// The relation.
    pub formula: i64,
    /// Processes that take part; none for a transition of the system as a whole.
    pub processes: Vec<usize>,
    /// What must hold before, in the model's words.
    pub guard: Vec<String>,
    /// What changes.
    pub updates: Vec<String>,
    /// What else is said about the next state.
    pub relation: Vec<String>,
    /// The variables that keep their values.
    pub frame: Vec<String>,
    /// The names of its inputs.
    pub inputs: Vec<String>,
    /// Its lines in the source model, from 1, the first and the last.
    pub lines: Option<(usize, usize)>,
}

/// A diagram.
#[derive(Debug, Serialize)]
pub struct DiagramJson {
    /// The name.
    pub name: String,
    /// The diagrams that are assumed.
    pub assumes: Vec<usize>,
    /// What all labels have in common, as it is drawn beside the nodes.
    pub common: Vec<String>,
    /// The nodes.
    pub nodes: Vec<NodeJson>,
    /// The regions; none if the diagram is not reduced.
    pub regions: Vec<RegionJson>,
    /// The edges, one for each pair of nodes.
    pub edges: Vec<EdgeJson>,
    /// Width and height of the drawing of all nodes; none if it is drawn in clusters only.
    pub size: Option<(i32, i32)>,
    /// Nodes in clusters, if there are many nodes.
    pub clusters: Vec<ClusterJson>,
}

/// A node.
#[derive(Debug, Serialize)]
pub struct NodeJson {
    /// Its number.
    pub id: usize,
    /// The lines that are drawn, the first being its title.
    pub lines: Vec<String>,
    /// The label in the model's words, one line for each thing that is said.
    pub words: Vec<String>,
    /// Whether an initial state is known to be in it.
    pub initial: bool,
    /// The index of its region, if it follows only some transitions.
    pub region: Option<usize>,
    /// The indices of the regions of the transitions that sleep in it.
    pub asleep: Vec<usize>,
    /// Left, top, width and height in the drawing, or in its cluster's.
    pub at: (i32, i32, i32, i32),
}

/// A region of a reduced diagram.
#[derive(Debug, Serialize)]
pub struct RegionJson {
    /// What it is called.
    pub name: String,
    /// Its label in the model's words, one line for each thing that is said.
    pub words: Vec<String>,
    /// The transitions that its nodes follow, all others being postponed; or the one that may sleep.
    pub stubborn: Vec<usize>,
    /// The one of these that can always be the first, if there is one.
    pub key: Option<usize>,
    /// If it is for a transition that sleeps, those that may happen meanwhile.
    pub independent: Option<Vec<usize>>,
}

/// An edge with all transitions that lead along it.
#[derive(Debug, Serialize)]
pub struct EdgeJson {
    /// The index of the node where it begins.
    pub from: usize,
    /// The index of the node where it ends.
    pub to: usize,
    /// The transitions.
    pub transitions: Vec<usize>,
    /// The lines that are drawn.
    pub lines: Vec<String>,
    /// The curve in SVG's language, if the diagram is drawn as a whole or the edge stays inside a cluster.
    pub path: Option<String>,
    /// The middle of its lines.
    pub label: Option<(i32, i32)>,
}

/// Nodes that are drawn together.
#[derive(Debug, Serialize)]
pub struct ClusterJson {
    /// What the nodes have in common, in the model's words.
    pub lines: Vec<String>,
    /// The indices of the nodes.
    pub nodes: Vec<usize>,
    /// The row in which it is drawn.
    pub row: usize,
    /// Its index within the row.
    pub index: usize,
    /// Width and height when it is open.
    pub size: (i32, i32),
}

/// A trace.
#[derive(Debug, Serialize)]
pub struct TraceJson {
    /// For each state, the values of all variables in the model's words.
    pub states: Vec<Vec<String>>,
    /// The steps between them.
    pub steps: Vec<StepJson>,
    /// The inputs with which the last state violates the property.
    pub last: Vec<(String, String)>,
    /// The time that has passed before each state; none if no step is a passing of time.
    pub times: Option<Vec<String>>,
    /// The clocks: variables that grow with time.
    pub clocks: Vec<usize>,
}

/// A step of a trace.
#[derive(Debug, Serialize)]
pub struct StepJson {
    /// The transition.
    pub transition: usize,
    /// What it consists of, if it is a step of several processes: which edges are taken, and who wins what several write.
    pub edges: Option<String>,
    /// Names and values of inputs; if the edges are said, those that are not said by them.
    pub inputs: Vec<(String, String)>,
    /// How much time passes, if that is what the step does.
    pub delay: Option<String>,
}
