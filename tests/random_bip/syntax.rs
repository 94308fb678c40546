//! The syntax of BIP models, as far as random ones use it: a tree of their own, which the front end knows nothing of. Names stand for
//! what they are declared as; places are indices.

use num_rational::Rational64;
use std::collections::BTreeSet;

/// What data is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    Bool,
    Int,
    Float,
}

#[derive(Debug, Clone)]
pub enum Expression {
    Bool(bool),
    Int(i64),
    /// A number of halves.
    Halves(i64),
    Name(String),
    Not(Box<Expression>),
    Negative(Box<Expression>),
    Binary(&'static str, Box<Expression>, Box<Expression>),
}

impl Expression {
    pub fn name(name: impl Into<String>) -> Expression {
        Expression::Name(name.into())
    }

    pub fn binary(operator: &'static str, left: Expression, right: Expression) -> Expression {
        Expression::Binary(operator, Box::new(left), Box::new(right))
    }

    pub fn not(self) -> Expression {
        Expression::Not(Box::new(self))
    }
}

/// A value of data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Value {
    Bool(bool),
    Int(i64),
    Float(Rational64),
}

#[derive(Debug, Clone)]
pub enum Statement {
    Assign(String, Expression),
    If(Expression, Vec<Statement>, Vec<Statement>),
}

/// Data of an atom or of a connector.
#[derive(Debug, Clone)]
pub struct Data {
    pub data_type: Type,
    pub name: String,
    pub initial: Option<Expression>,
    pub is_exported: bool,
}

/// The port types of every model, with the data that ports of the type show.
pub const PORT_TYPES: [(&str, &[(Type, &str)]); 4] = [
    ("Signal", &[]),
    ("Value", &[(Type::Int, "d")]),
    ("Flag", &[(Type::Bool, "b")]),
    ("Pair", &[(Type::Int, "d"), (Type::Int, "e")]),
];

/// A port of an atom, or the exported one of a connector: its type, by index, and the data that it shows.
#[derive(Debug, Clone)]
pub struct Port {
    pub port_type: usize,
    pub name: String,
    pub data: Vec<String>,
}

/// Ports that are declared together.
#[derive(Debug, Clone)]
pub struct Ports {
    pub is_exported: bool,
    pub ports: Vec<Port>,
    /// The one name under which all of them are exported.
    pub merged: Option<String>,
}

#[derive(Debug, Clone)]
pub struct Transition {
    /// The port; none for an internal transition.
    pub port: Option<String>,
    pub from: Vec<usize>,
    pub to: Vec<usize>,
    pub guard: Option<Expression>,
    pub actions: Vec<Statement>,
}

/// A rule of priority in an atom; none stands for all other ports.
#[derive(Debug, Clone)]
pub struct AtomPriority {
    pub low: Option<String>,
    pub high: Option<String>,
    pub guard: Option<Expression>,
}

#[derive(Debug, Clone)]
pub struct AtomInvariant {
    pub name: String,
    pub places: Vec<usize>,
    pub formula: Expression,
}

#[derive(Debug, Clone)]
pub struct AtomType {
    pub name: String,
    /// Whole numbers.
    pub parameters: Vec<String>,
    pub data: Vec<Data>,
    pub ports: Vec<Ports>,
    pub places: Vec<String>,
    pub initial: Vec<usize>,
    pub initial_actions: Vec<Statement>,
    pub transitions: Vec<Transition>,
    pub priorities: Vec<AtomPriority>,
    pub invariants: Vec<AtomInvariant>,
}

/// Which ports of a connector come together; ports by their index among the parameters.
#[derive(Debug, Clone)]
pub enum Define {
    Port(usize),
    /// Members, and whether each is a trigger.
    Group(Vec<(Define, bool)>),
}

/// What an interaction of these ports needs and does.
#[derive(Debug, Clone)]
pub struct Rule {
    pub ports: BTreeSet<usize>,
    pub guard: Option<Expression>,
    pub up: Vec<Statement>,
    pub down: Vec<Statement>,
}

#[derive(Debug, Clone)]
pub struct ConnectorType {
    pub name: String,
    /// The types of the ports that it joins; they are called `p`, `q`, `r`.
    pub parameters: Vec<usize>,
    pub data: Vec<Data>,
    pub export: Option<Port>,
    pub define: Define,
    pub rules: Vec<Rule>,
}

/// The names of the ports of every connector type.
pub const PARAMETERS: [&str; 3] = ["p", "q", "r"];

/// The name of a component or connector, and that of its port or data.
pub type Dotted = (String, String);

#[derive(Debug, Clone)]
pub struct Connector {
    pub name: String,
    /// By index.
    pub connector_type: usize,
    pub ports: Vec<Dotted>,
}

/// Interactions that a rule of priority speaks of; what is none stands for all.
#[derive(Debug, Clone)]
pub struct Pattern {
    pub connector: Option<String>,
    pub ports: Option<Vec<Dotted>>,
}

#[derive(Debug, Clone)]
pub struct Priority {
    pub low: Pattern,
    pub high: Pattern,
    pub guard: Option<Expression>,
}

/// What a component is an instance of, by index.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    Atom(usize),
    Compound(usize),
}

#[derive(Debug, Clone)]
pub struct Component {
    pub name: String,
    pub kind: Kind,
    pub arguments: Vec<Expression>,
}

#[derive(Debug, Clone, Default)]
pub struct CompoundType {
    pub name: String,
    /// Whole numbers.
    pub parameters: Vec<String>,
    pub components: Vec<Component>,
    pub connectors: Vec<Connector>,
    pub priorities: Vec<Priority>,
    /// Ports that are exported under one name.
    pub ports: Vec<(Vec<Dotted>, String)>,
    pub data: Vec<(Dotted, String)>,
}

/// A model; the last compound type is the root.
#[derive(Debug, Clone, Default)]
pub struct Package {
    pub constants: Vec<(String, i64)>,
    pub connector_types: Vec<ConnectorType>,
    pub atom_types: Vec<AtomType>,
    pub compound_types: Vec<CompoundType>,
    pub invariants: Vec<(String, Expression)>,
}
