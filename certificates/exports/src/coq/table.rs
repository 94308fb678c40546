//! Terms as a table of nodes over few operators; the others are written with these, so that nothing changes in their normal form.

use super::Untranslatable;
use super::text::Numbers;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, Zero};
use rustc_hash::FxHashMap;
use slabcert_certificates::term::{Kind, Operator, Sort, Symbol, Term, TermMap, Value};

/// A node; the numbers are those of earlier nodes, from 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Node {
    Bool(bool),
    Number(BigRational),
    /// A variable by its number in the theory, from 1.
    Variable(Sort, u64),
    Not(usize),
    And(Vec<usize>),
    Or(Vec<usize>),
    Ite([usize; 3]),
    Equal([usize; 2]),
    LessOrEqual([usize; 2]),
    Less([usize; 2]),
    Add([usize; 2]),
    Multiply([usize; 2]),
    Divide(usize, BigInt),
    Modulo(usize, BigInt),
}

/// The nodes of terms, equal ones there once.
pub(super) struct Table {
    variables: FxHashMap<Symbol, u64>,
    nodes: Vec<Node>,
    numbers: FxHashMap<Node, usize>,
    known: TermMap<usize>,
}

impl Table {
    /// An empty table for terms over symbols with these numbers.
    pub fn new(variables: FxHashMap<Symbol, u64>) -> Table {
        Table {
            variables,
            nodes: Vec::new(),
            numbers: FxHashMap::default(),
            known: TermMap::default(),
        }
    }

    /// The node of a term. The depth of terms is bounded, and this recursion with it.
    pub fn term(&mut self, term: &Term) -> Result<usize, Untranslatable> {
        if let Some(known) = self.known.get(term) {
            return Ok(*known);
        }
        let number = match term.kind() {
            Kind::Constant(Value::Bool(truth)) => self.node(Node::Bool(*truth)),
            Kind::Constant(value) => self.number(value.to_rational().unwrap_or_default()),
            Kind::Symbol(symbol) => {
                let number = self
                    .variables
                    .get(symbol)
                    .ok_or_else(|| Untranslatable::Symbol(symbol.name().to_owned()))?;
                self.node(Node::Variable(symbol.sort(), *number))
            }
            Kind::Apply(operator, arguments) => self.application(*operator, arguments)?,
        };
        self.known.insert(term, number);
        Ok(number)
    }

    fn node(&mut self, node: Node) -> usize {
        if let Some(known) = self.numbers.get(&node) {
            return *known;
        }
        let number = self.nodes.len();
        self.numbers.insert(node.clone(), number);
        self.nodes.push(node);
        number
    }

    fn number(&mut self, number: BigRational) -> usize {
        self.node(Node::Number(number))
    }

    fn negative(&mut self, argument: usize) -> usize {
        let factor = self.number(-BigRational::one());
        self.node(Node::Multiply([factor, argument]))
    }

    fn application(
        &mut self,
        operator: Operator,
        arguments: &[Term],
    ) -> Result<usize, Untranslatable> {
        if let Operator::Divide | Operator::IntegerDivide | Operator::Modulo = operator {
            return self.quotient(operator, arguments);
        }
        let mut parts = Vec::with_capacity(arguments.len());
        for argument in arguments {
            parts.push(self.term(argument)?);
        }
        let node = match (operator, parts.as_slice()) {
            (Operator::And, _) => Node::And(parts),
            (Operator::Or, _) => Node::Or(parts),
            (Operator::Not, [a]) => Node::Not(*a),
            (Operator::Implies, [a, b]) => {
                let not = self.node(Node::Not(*a));
                Node::Or(vec![not, *b])
            }
            (Operator::Xor, [a, b]) => {
                let equal = self.node(Node::Equal([*a, *b]));
                Node::Not(equal)
            }
            (Operator::Ite, [c, a, b]) => Node::Ite([*c, *a, *b]),
            (Operator::Equal, [a, b]) => Node::Equal([*a, *b]),
            (Operator::Distinct, _) => self.distinct(&parts),
            (Operator::LessOrEqual, [a, b]) => Node::LessOrEqual([*a, *b]),
            (Operator::Less, [a, b]) => Node::Less([*a, *b]),
            (Operator::GreaterOrEqual, [a, b]) => Node::LessOrEqual([*b, *a]),
            (Operator::Greater, [a, b]) => Node::Less([*b, *a]),
            (Operator::Subtract, [a, b]) => Node::Add([*a, self.negative(*b)]),
            (Operator::Negate, [a]) => return Ok(self.negative(*a)),
            (Operator::ToReal, [a]) => return Ok(*a),
            (Operator::ToInt, [a]) => Node::Divide(*a, BigInt::one()),
            (Operator::IsInt, [a]) => {
                let fraction = self.node(Node::Modulo(*a, BigInt::one()));
                Node::Equal([fraction, self.number(BigRational::zero())])
            }
            (Operator::Absolute, [a]) => {
                let negative = self.negative(*a);
                let zero = self.number(BigRational::zero());
                let condition = self.node(Node::LessOrEqual([negative, zero]));
                Node::Ite([condition, *a, negative])
            }
            (Operator::Add, [first, rest @ ..]) => return Ok(self.fold(*first, rest, Node::Add)),
            (Operator::Multiply, [first, rest @ ..]) => {
                return Ok(self.fold(*first, rest, Node::Multiply));
            }
            _ => return Err(Untranslatable::Operator(operator.name())),
        };
        Ok(self.node(node))
    }

    fn fold(&mut self, first: usize, rest: &[usize], node: fn([usize; 2]) -> Node) -> usize {
        let mut result = first;
        for argument in rest {
            result = self.node(node([result, *argument]));
        }
        result
    }

    fn distinct(&mut self, parts: &[usize]) -> Node {
        let mut pairs = Vec::new();
        for (index, left) in parts.iter().enumerate() {
            for right in &parts[index + 1..] {
                let equal = self.node(Node::Equal([*left, *right]));
                pairs.push(self.node(Node::Not(equal)));
            }
        }
        Node::And(pairs)
    }

    /// Quotients and remainders, whose divisors are constants other than zero.
    fn quotient(
        &mut self,
        operator: Operator,
        arguments: &[Term],
    ) -> Result<usize, Untranslatable> {
        let untranslatable = Untranslatable::Operator(operator.name());
        let [dividend, divisor] = arguments else {
            return Err(untranslatable);
        };
        let divisor = match divisor.as_constant().and_then(Value::to_rational) {
            Some(number) if !number.is_zero() => number,
            _ => return Err(untranslatable),
        };
        let dividend = self.term(dividend)?;
        let node = match operator {
            Operator::Divide => {
                let factor = self.number(divisor.recip());
                Node::Multiply([factor, dividend])
            }
            Operator::IntegerDivide => Node::Divide(dividend, divisor.to_integer()),
            _ => Node::Modulo(dividend, divisor.to_integer()),
        };
        Ok(self.node(node))
    }

    /// The table as numbers.
    pub fn write(&self, numbers: &mut Numbers) {
        numbers.list(
            self.nodes.iter().enumerate(),
            |numbers, (position, node)| {
                write_node(numbers, position, node);
            },
        );
    }
}

fn write_node(numbers: &mut Numbers, position: usize, node: &Node) {
    // A node refers to those before it, counted backwards.
    let back = |argument: usize| position - 1 - argument;
    let mut write = |code: usize, arguments: &[usize]| {
        numbers.count(code);
        for argument in arguments {
            numbers.count(back(*argument));
        }
    };
    match node {
        Node::Bool(truth) => write(usize::from(*truth), &[]),
        Node::Number(number) => {
            numbers.count(2);
            numbers.rational(number);
        }
        Node::Variable(sort, number) => {
            write(
                match sort {
                    Sort::Bool => 3,
                    Sort::Int => 4,
                    Sort::Real => 5,
                },
                &[],
            );
            numbers.positive(&BigUint::from(*number));
        }
        Node::Not(argument) => write(6, &[*argument]),
        Node::And(members) | Node::Or(members) => {
            write(7 + usize::from(matches!(node, Node::Or(_))), &[]);
            numbers.list(members, |numbers, member| numbers.count(back(*member)));
        }
        Node::Ite(arguments) => write(9, arguments),
        Node::Equal(arguments) => write(10, arguments),
        Node::LessOrEqual(arguments) => write(11, arguments),
        Node::Less(arguments) => write(12, arguments),
        Node::Add(arguments) => write(13, arguments),
        Node::Multiply(arguments) => write(14, arguments),
        Node::Divide(argument, divisor) | Node::Modulo(argument, divisor) => {
            write(
                15 + usize::from(matches!(node, Node::Modulo(..))),
                &[*argument],
            );
            numbers.integer(divisor);
        }
    }
}
