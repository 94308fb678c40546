//! The syntax tree of a package, as it is written.

use crate::languages::source::Span;

/// A name where it stands. A dotted name (`a.b.c`) is one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    pub text: Box<str>,
    pub span: Span,
}

/// What a value is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DataType {
    Bool,
    Int,
    Float,
    /// Only in arguments of external functions.
    Text,
}

#[derive(Debug, Clone)]
pub(super) struct Expression {
    pub kind: ExpressionKind,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub(super) enum ExpressionKind {
    Bool(bool),
    Integer,
    Decimal,
    Text,
    Name(Name),
    Unary(&'static str, Box<Expression>),
    Binary(&'static str, Box<Expression>, Box<Expression>),
    Call(Name, Vec<Expression>),
}

#[derive(Debug, Clone)]
pub(super) enum Statement {
    Assign(Name, Expression),
    If(Expression, Vec<Statement>, Vec<Statement>),
    Call(Expression),
}

/// Data of an atom, a connector or a package, or a parameter.
#[derive(Debug, Clone)]
pub(super) struct Data {
    pub data_type: DataType,
    pub name: Name,
    pub initial: Option<Expression>,
    pub is_exported: bool,
    pub is_const: bool,
}

#[derive(Debug, Clone)]
pub(super) struct ExternFunction {
    pub name: Name,
    /// None for a function without a result.
    pub result: Option<DataType>,
    /// The types, and whether what is given stays as it is.
    pub arguments: Vec<(DataType, bool)>,
}

#[derive(Debug, Clone)]
pub(super) struct PortType {
    pub name: Name,
    pub parameters: Vec<Data>,
}

/// A port of an atom or the exported one of a connector: its type, its name and the data that it shows.
#[derive(Debug, Clone)]
pub(super) struct Port {
    pub port_type: Name,
    pub name: Name,
    pub data: Vec<Name>,
}

/// Ports of an atom that are declared together.
#[derive(Debug, Clone)]
pub(super) struct Ports {
    pub is_exported: bool,
    pub ports: Vec<Port>,
    /// The one name under which all are exported.
    pub merged: Option<Name>,
}

#[derive(Debug, Clone)]
pub(super) struct Transition {
    /// The port; none for an internal transition.
    pub port: Option<Name>,
    pub from: Vec<Name>,
    pub to: Vec<Name>,
    pub guard: Option<Expression>,
    pub actions: Vec<Statement>,
    pub span: Span,
}

/// A rule of priority in an atom; none stands for all other ports.
#[derive(Debug, Clone)]
pub(super) struct AtomPriority {
    pub name: Name,
    pub low: Option<Name>,
    pub high: Option<Name>,
    pub guard: Option<Expression>,
}

#[derive(Debug, Clone)]
pub(super) struct Invariant {
    pub name: Name,
    pub places: Vec<Name>,
    pub formula: Expression,
}

#[derive(Debug, Clone)]
pub(super) struct AtomType {
    pub name: Name,
    pub parameters: Vec<Data>,
    pub data: Vec<Data>,
    pub ports: Vec<Ports>,
    pub places: Vec<Name>,
    pub initial: Vec<Name>,
    pub initial_actions: Vec<Statement>,
    pub transitions: Vec<Transition>,
    pub priorities: Vec<AtomPriority>,
    pub invariants: Vec<Invariant>,
}

/// Which ports of a connector come together.
#[derive(Debug, Clone)]
pub(super) enum Define {
    Port(Name),
    /// Members, and whether each is a trigger.
    Group(Vec<(Define, bool)>),
}

#[derive(Debug, Clone)]
pub(super) struct ConnectorRule {
    pub ports: Vec<Name>,
    pub guard: Option<Expression>,
    pub up: Vec<Statement>,
    pub down: Vec<Statement>,
}

#[derive(Debug, Clone)]
pub(super) struct ConnectorType {
    pub name: Name,
    /// The types and names of the ports that it joins.
    pub parameters: Vec<(Name, Name)>,
    pub data: Vec<Data>,
    pub export: Option<Port>,
    pub define: Define,
    pub rules: Vec<ConnectorRule>,
}

#[derive(Debug, Clone)]
pub(super) struct Component {
    pub component_type: Name,
    pub name: Name,
    pub arguments: Vec<Expression>,
}

#[derive(Debug, Clone)]
pub(super) struct Connector {
    pub connector_type: Name,
    pub name: Name,
    pub ports: Vec<Name>,
}

/// Interactions that a rule of priority speaks of; what is none stands for all.
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    pub connector: Option<Name>,
    pub ports: Option<Vec<Name>>,
}

#[derive(Debug, Clone)]
pub(super) struct CompoundPriority {
    pub name: Name,
    pub low: Pattern,
    pub high: Pattern,
    pub guard: Option<Expression>,
}

#[derive(Debug, Clone)]
pub(super) struct CompoundType {
    pub name: Name,
    pub parameters: Vec<Data>,
    pub components: Vec<Component>,
    pub connectors: Vec<Connector>,
    pub priorities: Vec<CompoundPriority>,
    /// Ports that are exported under one name.
    pub ports: Vec<(Vec<Name>, Name)>,
    pub data: Vec<(Name, Name)>,
}

/// A package.
#[derive(Debug, Clone, Default)]
pub(super) struct Package {
    pub name: Option<Name>,
    pub uses: Vec<Name>,
    pub constants: Vec<Data>,
    pub functions: Vec<ExternFunction>,
    pub port_types: Vec<PortType>,
    pub connector_types: Vec<ConnectorType>,
    pub atom_types: Vec<AtomType>,
    pub compound_types: Vec<CompoundType>,
    /// Properties that stand in comments: `//@ invariant NAME: EXPR`.
    pub invariants: Vec<Invariant>,
}
