//! The syntax tree: what was written, with its positions, before any meaning.
//!
//! Chains of one operator are kept flat, so that the depth of a tree is the depth of nesting in the text, which the parser
//! bounds.

use crate::languages::source::Span;
use num_bigint::BigInt;
use num_rational::BigRational;
use std::rc::Rc;

/// The longest number that is read, in digits.
pub(super) const LONGEST_NUMBER: usize = 30_000;

/// A name with its position.
#[derive(Debug, Clone)]
pub(super) struct Name {
    pub text: Rc<str>,
    pub span: Span,
}

/// A whole file.
#[derive(Debug, Default)]
pub(super) struct SlabModel {
    pub name: Option<Name>,
    pub items: Vec<Item>,
    /// The blocks in lock step, whose processes and variables are items.
    pub blocks: Vec<Block>,
    /// The names that `unstable` (`true`) or `ambiguous` is asked of.
    pub asked: std::collections::BTreeSet<(bool, Rc<str>)>,
    /// Names that occur where the text could not be read: what they mean is unknown, and no fault is reported for them.
    pub unreadable: std::collections::BTreeSet<Rc<str>>,
}

#[derive(Debug)]
pub(super) enum Item {
    Const(Const),
    Enum(Enum),
    Var(Var),
    Define(Define),
    Init(Expr),
    Property(Property),
    Transition(Transition),
    Process(Process),
}

#[derive(Debug)]
pub(super) struct Const {
    pub name: Name,
    pub value: Expr,
}

#[derive(Debug)]
pub(super) struct Enum {
    pub name: Name,
    pub values: Vec<Name>,
}

/// `var a, b[1..N] : sort = e`: one declaration of several names.
#[derive(Debug)]
pub(super) struct Var {
    pub names: Vec<FamilyName>,
    pub sort: SortExpr,
    pub initial: Option<Expr>,
    pub role: Role,
}

/// What gives a variable its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    State,
    /// An event from outside, of a block by its number: no variable, but an input.
    Event(usize),
    /// The environment of a block.
    Level(usize),
    /// What the edges of a block raise.
    Raised(usize),
}

/// `synchronous NAME race POLICY inputs WHEN { ... }`.
#[derive(Debug)]
pub(super) struct Block {
    pub name: Name,
    pub races: Races,
    pub inputs_when_stable: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Races {
    Error,
    PerVariable,
    Serial,
}

/// The location that holds a process.
#[derive(Debug, Clone)]
pub(super) struct Around {
    pub process: Name,
    pub location: Name,
    pub weak: bool,
    /// How many indices the process around has.
    pub indices: usize,
}

/// A declared name with the ranges of its indices.
#[derive(Debug, Clone)]
pub(super) struct FamilyName {
    pub name: Name,
    pub ranges: Vec<Range>,
}

#[derive(Debug, Clone)]
pub(super) enum SortExpr {
    Bool,
    Int,
    Real,
    Range(Range),
    Enum(Name),
}

/// `low..high`, both ends included.
#[derive(Debug, Clone)]
pub(super) struct Range {
    pub low: Rc<Expr>,
    pub high: Rc<Expr>,
    pub span: Span,
}

#[derive(Debug)]
pub(super) struct Define {
    pub name: Name,
    pub index: Index,
    pub body: Expr,
}

/// `error` and `invariant`.
#[derive(Debug)]
pub(super) struct Property {
    pub name: Option<Name>,
    pub expr: Expr,
    /// `true` for `invariant`: an error where the expression is false.
    pub invariant: bool,
}

/// Bound indices with an optional condition; empty for what has no index.
#[derive(Debug, Clone, Default)]
pub(super) struct Index {
    pub binders: Vec<Binder>,
    pub condition: Option<Box<Expr>>,
}

impl Index {
    /// Puts the indices of what is around before these.
    pub fn prepend(&mut self, outer: &Index) {
        self.binders.splice(0..0, outer.binders.iter().cloned());
        let both = [outer.condition.clone(), self.condition.take()];
        let mut conditions = both.into_iter().flatten().map(|it| *it);
        let first = conditions.next();
        self.condition = first.map(|first| match conditions.next() {
            None => Box::new(first),
            Some(second) => {
                let span = second.span;
                let kind = ExprKind::Chain(Connective::And, vec![first, second]);
                Box::new(Expr { kind, span })
            }
        });
    }
}

#[derive(Debug, Clone)]
pub(super) struct Binder {
    pub name: Name,
    pub range: Range,
}

#[derive(Debug)]
pub(super) struct Transition {
    pub name: Name,
    pub index: Index,
    pub command: Command,
    /// The offset of its end.
    pub end: u32,
}

#[derive(Debug, Default)]
pub(super) struct Command {
    pub choices: Vec<Choice>,
    pub guard: Option<Expr>,
    pub updates: Vec<Update>,
}

#[derive(Debug)]
pub(super) struct Choice {
    pub name: Name,
    pub sort: SortExpr,
    pub condition: Option<Expr>,
}

#[derive(Debug)]
pub(super) struct Update {
    pub kind: UpdateKind,
    pub span: Span,
}

#[derive(Debug)]
pub(super) enum UpdateKind {
    Assign(Reference, Expr),
    Havoc(Reference),
    Move(Reference, Name),
    /// `raise e`.
    Raise(Reference),
    Forall(Index, Box<Update>),
    Relation(Expr, Vec<Reference>),
}

#[derive(Debug)]
pub(super) struct Process {
    pub name: Name,
    /// The indices, those of the processes around it first.
    pub index: Index,
    /// The block that it is in, by its number.
    pub block: Option<usize>,
    pub around: Option<Around>,
    pub vars: Vec<Var>,
    pub locations: Vec<Name>,
    pub start: Option<Name>,
    pub edges: Vec<Edge>,
}

#[derive(Debug)]
pub(super) struct Edge {
    pub name: Option<(Name, Index)>,
    pub source: Name,
    pub target: Name,
    pub command: Command,
    /// From its keyword to the location where it ends.
    pub span: Span,
    /// The offset of the end of its text.
    pub end: u32,
}

/// `name[i][j]` or `name[i].member[j]`.
#[derive(Debug, Clone)]
pub(super) struct Reference {
    pub name: Name,
    pub indices: Vec<Expr>,
    pub member: Option<(Name, Vec<Expr>)>,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub(super) struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub(super) enum ExprKind {
    Integer(BigInt),
    Decimal(BigRational),
    Boolean(bool),
    /// A reference; primed (`x'`) within `relation`.
    Reference(Reference, bool),
    /// `P[i] at {a, b}`.
    At(Reference, Vec<Name>),
    Deadlock,
    Enabled(Reference),
    /// `unstable(NAME)` (true) or `ambiguous(NAME)`, of a block.
    OfBlock(bool, Name),
    Not(Box<Expr>),
    Negate(Box<Expr>),
    /// `a && b && …`, `a || b || …`, `a <=> b <=> …` (grouped to the left).
    Chain(Connective, Vec<Expr>),
    /// `a => b => …`, grouped to the right.
    Implies(Vec<Expr>),
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// Summands; `true` marks those that are subtracted.
    Sum(Vec<(bool, Expr)>),
    /// The first factor, then operators with their operands, grouped to the left.
    Product(Box<Expr>, Vec<(Multiplication, Expr)>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    Quantified(Quantifier, Index, Box<Expr>),
    Call(Function, Vec<Expr>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Connective {
    And,
    Or,
    Iff,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Multiplication {
    Times,
    Divide,
    Div,
    Mod,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quantifier {
    Forall,
    Exists,
    Sum,
    Count,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    Min,
    Max,
    Distinct,
}
