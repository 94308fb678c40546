//! Sorts, values and terms: the one term type that the whole workspace speaks.
//!
//! A [`Term`] is an immutable directed acyclic graph: sub-terms are shared, so a system whose definitions were expanded stays as
//! small as its text. Invariant: every term is well-sorted (constructors that take arbitrary arguments return an error), and every
//! divisor is a constant other than zero, so that every term has a value in every state. The language is SMT-LIB's core theory
//! with integers and reals, without quantifiers.

mod builders;
mod evaluation;
mod rational;
mod traversal;
mod value;

pub use evaluation::{Assignment, EvaluationError, MAXIMAL_BITS};
pub use rational::Exact;
pub use traversal::{Substitution, TermMap, is_linear_node};
pub use value::{MAXIMAL_DIGITS, Value, ValueError};

use rustc_hash::{FxHashSet, FxHasher};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// How deeply terms may nest. Traversals are recursive; readers refuse deeper input with a clear message.
pub const MAXIMAL_DEPTH: u32 = 10_000;

/// The sort of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Mathematical integers.
    Int,
    /// Real numbers; values that occur are rational.
    Real,
}

impl Sort {
    /// Whether the sort has numbers as values.
    pub fn is_numeric(self) -> bool {
        self != Sort::Bool
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Sort::Bool => "Bool",
            Sort::Int => "Int",
            Sort::Real => "Real",
        })
    }
}

/// A free symbol: a state variable, its next-state partner, or an input. Two symbols are the same when name and sort are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol {
    name: Arc<str>,
    sort: Sort,
}

impl Symbol {
    /// A symbol with its unquoted name.
    pub fn new(name: impl Into<Arc<str>>, sort: Sort) -> Symbol {
        Symbol {
            name: name.into(),
            sort,
        }
    }

    /// The name, unquoted.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The sort.
    pub fn sort(&self) -> Sort {
        self.sort
    }
}

/// The operators of the term language, each with SMT-LIB's meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    /// Negation, one argument.
    Not,
    /// Conjunction, any number of arguments.
    And,
    /// Disjunction, any number of arguments.
    Or,
    /// Implication, two arguments.
    Implies,
    /// Exclusive or, two arguments.
    Xor,
    /// If-then-else: a condition and two arguments of one sort.
    Ite,
    /// Equality of two arguments of one sort.
    Equal,
    /// Pairwise difference of two or more arguments of one sort.
    Distinct,
    /// Sum of one or more numbers of one sort.
    Add,
    /// Difference of two numbers of one sort.
    Subtract,
    /// Negative of a number.
    Negate,
    /// Product of one or more numbers of one sort.
    Multiply,
    /// Exact quotient of two reals; the divisor is a constant other than zero.
    Divide,
    /// SMT-LIB's `div` of two integers; the divisor is a constant other than zero.
    IntegerDivide,
    /// SMT-LIB's `mod` (never negative); the divisor is a constant other than zero.
    Modulo,
    /// Absolute value of an integer.
    Absolute,
    /// `<=` on numbers of one sort.
    LessOrEqual,
    /// `<` on numbers of one sort.
    Less,
    /// `>=` on numbers of one sort.
    GreaterOrEqual,
    /// `>` on numbers of one sort.
    Greater,
    /// The embedding of integers into reals.
    ToReal,
    /// The largest integer that is not above a real.
    ToInt,
    /// Whether a real is an integer.
    IsInt,
}

impl Operator {
    /// The operator's name in SMT-LIB.
    pub fn name(self) -> &'static str {
        match self {
            Operator::Not => "not",
            Operator::And => "and",
            Operator::Or => "or",
            Operator::Implies => "=>",
            Operator::Xor => "xor",
            Operator::Ite => "ite",
            Operator::Equal => "=",
            Operator::Distinct => "distinct",
            Operator::Add => "+",
            Operator::Subtract | Operator::Negate => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::IntegerDivide => "div",
            Operator::Modulo => "mod",
            Operator::Absolute => "abs",
            Operator::LessOrEqual => "<=",
            Operator::Less => "<",
            Operator::GreaterOrEqual => ">=",
            Operator::Greater => ">",
            Operator::ToReal => "to_real",
            Operator::ToInt => "to_int",
            Operator::IsInt => "is_int",
        }
    }
}

/// What a term is at its root.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A constant.
    Constant(Value),
    /// A free symbol.
    Symbol(Symbol),
    /// An operator applied to arguments.
    Apply(Operator, Vec<Term>),
}

#[derive(Debug)]
struct Node {
    kind: Kind,
    sort: Sort,
    hash: u64,
    depth: u32,
}

/// A well-sorted, quantifier-free term. Cloning is cheap.
#[derive(Clone)]
pub struct Term(Arc<Node>);

/// Why a term cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TermError {
    /// An operator was given the wrong number of arguments.
    #[error("`{operator}` takes {expected} arguments, but {found} are given")]
    ArgumentCount {
        /// The operator's name in SMT-LIB.
        operator: &'static str,
        /// What it takes, in words.
        expected: &'static str,
        /// How many it was given.
        found: usize,
    },
    /// An argument has the wrong sort.
    #[error("argument {position} of `{operator}` has sort {found}, but {expected} is expected")]
    ArgumentSort {
        /// The operator's name in SMT-LIB.
        operator: &'static str,
        /// Which argument, from 1.
        position: usize,
        /// What is expected, in words.
        expected: String,
        /// The argument's sort.
        found: Sort,
    },
    /// A divisor is not a constant, or is zero: the quotient would be unspecified.
    #[error("the divisor of `{operator}` must be a constant other than zero")]
    Divisor {
        /// The operator's name in SMT-LIB.
        operator: &'static str,
    },
    /// The term nests too deeply.
    #[error("the term nests more than {MAXIMAL_DEPTH} levels deep")]
    TooDeep,
}

impl Term {
    fn make(kind: Kind, sort: Sort) -> Term {
        let mut hasher = FxHasher::default();
        let mut depth = 0;
        match &kind {
            Kind::Constant(value) => value.hash(&mut hasher),
            Kind::Symbol(symbol) => symbol.hash(&mut hasher),
            Kind::Apply(operator, arguments) => {
                operator.hash(&mut hasher);
                for argument in arguments {
                    argument.0.hash.hash(&mut hasher);
                    depth = depth.max(argument.0.depth + 1);
                }
            }
        }
        Term(Arc::new(Node {
            kind,
            sort,
            hash: hasher.finish(),
            depth,
        }))
    }

    /// A constant.
    pub fn constant(value: Value) -> Term {
        let sort = value.sort();
        Term::make(Kind::Constant(value), sort)
    }

    /// A free symbol.
    pub fn symbol(symbol: Symbol) -> Term {
        let sort = symbol.sort();
        Term::make(Kind::Symbol(symbol), sort)
    }

    /// What the term is at its root.
    pub fn kind(&self) -> &Kind {
        &self.0.kind
    }

    /// The term's sort.
    pub fn sort(&self) -> Sort {
        self.0.sort
    }

    /// The length of the longest path from the root to a leaf; 0 for a leaf.
    pub fn depth(&self) -> u32 {
        self.0.depth
    }

    /// The address of the shared node: equal addresses mean the same term while both are alive. For caches within one traversal.
    pub fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// The value, if the term is a constant.
    pub fn as_constant(&self) -> Option<&Value> {
        match self.kind() {
            Kind::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// The symbol, if the term is one.
    pub fn as_symbol(&self) -> Option<&Symbol> {
        match self.kind() {
            Kind::Symbol(symbol) => Some(symbol),
            _ => None,
        }
    }

    /// Operator and arguments, if the term is an application.
    pub fn as_application(&self) -> Option<(Operator, &[Term])> {
        match self.kind() {
            Kind::Apply(operator, arguments) => Some((*operator, arguments)),
            _ => None,
        }
    }

    /// Whether the term is the constant `true`.
    pub fn is_true(&self) -> bool {
        matches!(self.kind(), Kind::Constant(Value::Bool(true)))
    }

    /// Whether the term is the constant `false`.
    pub fn is_false(&self) -> bool {
        matches!(self.kind(), Kind::Constant(Value::Bool(false)))
    }
}

impl PartialEq for Term {
    fn eq(&self, other: &Term) -> bool {
        self.equals_shared(other, &mut FxHashSet::default())
    }
}

impl Term {
    /// Structural equality; `seen` has the pairs of nodes that are being or were compared, so that shared nodes cost once.
    fn equals_shared(&self, other: &Term, seen: &mut FxHashSet<(usize, usize)>) -> bool {
        if Arc::ptr_eq(&self.0, &other.0) {
            return true;
        }
        if self.0.hash != other.0.hash || self.0.sort != other.0.sort {
            return false;
        }
        match (self.kind(), other.kind()) {
            (Kind::Apply(operator, arguments), Kind::Apply(other_operator, other_arguments)) => {
                operator == other_operator
                    && arguments.len() == other_arguments.len()
                    && (!seen.insert((self.address(), other.address()))
                        || arguments
                            .iter()
                            .zip(other_arguments)
                            .all(|(left, right)| left.equals_shared(right, seen)))
            }
            (kind, other_kind) => kind == other_kind,
        }
    }
}

impl Term {
    /// What it takes at most to find out whether two terms are equal, in nodes and arguments. Nodes that both share cost nothing, and nearly
    /// all different terms are told apart at once.
    pub fn effort_to_compare(&self, other: &Term) -> usize {
        match Arc::ptr_eq(&self.0, &other.0) || self.0.hash != other.0.hash {
            true => 1,
            false => self.extent(),
        }
    }
}

impl Eq for Term {}

impl Hash for Term {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

impl PartialOrd for Term {
    fn partial_cmp(&self, other: &Term) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Term {
    fn cmp(&self, other: &Term) -> std::cmp::Ordering {
        if Arc::ptr_eq(&self.0, &other.0) {
            return std::cmp::Ordering::Equal;
        }
        self.0
            .sort
            .cmp(&other.0.sort)
            .then_with(|| self.0.kind.cmp(&other.0.kind))
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}
