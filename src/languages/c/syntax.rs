//! What resolution leaves of a program: names are numbers, types are known, conversions are written down.
//!
//! Invariant: operands of arithmetic and comparisons are numbers of type `int`, conditions have any type but `void`; variables that
//! are mentioned have a type that is read.

use crate::languages::source::Span;
use slabcert_certificates::program::Trigger;

/// A type that is read. Enumerations are `int`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Type {
    Void,
    Bool,
    Char,
    Int,
}

impl Type {
    /// The least and the greatest value; of `void` none is asked for.
    pub fn range(self) -> (i64, i64) {
        match self {
            Type::Void => (0, 0),
            Type::Bool => (0, 1),
            Type::Char => (i64::from(i8::MIN), i64::from(i8::MAX)),
            Type::Int => (i64::from(i32::MIN), i64::from(i32::MAX)),
        }
    }

    pub fn contains(self, value: i64) -> bool {
        let (low, high) = self.range();
        (low..=high).contains(&value)
    }
}

/// An operator that has a number, or two that it compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Less,
    LessOrEqual,
    Equal,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Constant(i64),
    Variable(usize),
    Binary(Operator, Box<Expression>, Box<Expression>),
    /// `!`: 1 for 0, 0 for everything else.
    Not(Box<Expression>),
    And(Box<Expression>, Box<Expression>),
    Or(Box<Expression>, Box<Expression>),
    Conditional(Box<Expression>, Box<Expression>, Box<Expression>),
    /// Gives the variable a value; the new value is the expression's.
    Assign(usize, Box<Expression>),
    /// `x++` and its like: adds a number, and is the old value.
    Increment(usize, i64),
    Comma(Box<Expression>, Box<Expression>),
    /// To the type of the expression.
    Convert(Box<Expression>),
    Call(usize, Vec<Expression>),
    /// Any value of the type.
    Arbitrary(String),
    /// Goes on only where this holds.
    Assume(Box<Expression>),
    /// An error where this does not hold.
    Assert(Box<Expression>),
    /// An error, after the arguments.
    Fail(Vec<Expression>),
    /// The end of the program, after the arguments.
    Stop(Vec<Expression>),
    /// A statement in the place of an expression without a value.
    Block(Box<Statement>),
    /// What is asked of the scheduler.
    Ask(Request),
}

/// What is asked of the scheduler. Events and signals are numbers in the unit's lists; times are of type `int`.
#[derive(Clone, Debug)]
pub(super) enum Request {
    /// Waits for one of these.
    Wait(Vec<Trigger>),
    WaitTime(Box<Expression>),
    Notify(usize),
    NotifyAfter(usize, Box<Expression>),
    Cancel(usize),
    Write(usize, Box<Expression>),
    /// Lets the threads run, for so long if a time is given.
    Simulate(Option<Box<Expression>>),
    SimulateDelta,
}

#[derive(Clone, Debug)]
pub(super) struct Expression {
    pub kind: Kind,
    pub of: Type,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum StatementKind {
    Expression(Option<Expression>),
    /// The declaration of a local variable is passed.
    Declare(usize, Option<Expression>),
    /// The variables whose life begins where the block is entered, and what is done there.
    Block(Vec<usize>, Vec<Statement>),
    If(Expression, Box<Statement>, Option<Box<Statement>>),
    While(Expression, Box<Statement>),
    DoWhile(Box<Statement>, Expression),
    /// The condition, what is done after the body, and the body.
    For(Option<Expression>, Option<Expression>, Box<Statement>),
    Switch(Expression, Box<Statement>),
    Case(i64, i64, Box<Statement>),
    Default(Box<Statement>),
    Label(String, Box<Statement>),
    Goto(String),
    Break,
    Continue,
    Return(Option<Expression>),
}

#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub kind: StatementKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub name: String,
    pub of: Type,
    /// The function that it is local to, by name; none for what lives as long as the program.
    pub function: Option<String>,
    /// The value at the start; locals have none.
    pub initial: Option<i64>,
    /// The name where it is declared.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) struct Function {
    pub name: String,
    pub parameters: Vec<usize>,
    pub result: Type,
    pub body: Statement,
    pub span: Span,
}

/// A function that is spawned.
#[derive(Clone, Debug)]
pub(super) struct Thread {
    pub function: usize,
    /// What starts it each time, if it is a method.
    pub sensitivity: Option<Vec<Trigger>>,
    /// Whether it runs when the simulation begins.
    pub is_initialized: bool,
}

/// Everything that `main` reaches.
#[derive(Clone, Debug, Default)]
pub(super) struct Unit {
    pub variables: Vec<Variable>,
    /// Callees come before their callers: `main` is the last.
    pub functions: Vec<Function>,
    /// Whether the program has threads, as its header says.
    pub is_threaded: bool,
    /// Whether only one function is an error, so that a failed assertion ends the program.
    pub has_one_error: bool,
    pub threads: Vec<Thread>,
    /// The names of events.
    pub events: Vec<String>,
    /// The variables with the values of signals that are read, by number.
    pub signals: Vec<usize>,
}
