//! Expressions: operands are promoted, conversions are written down.

use super::threads::{EVENTS, SIGNALS};
use super::types::{ARRAYS, BITS, DIVISORS, Declared, FLOATS, LONG, POINTERS, PRODUCTS};
use super::types::{STRUCTURES, UNSIGNED};
use super::{Failed, Meaning, Resolver, span_of};
use crate::languages::c::constants;
use crate::languages::c::syntax::{Expression, Kind, Operator, Type};
use crate::languages::diagnostics::{Category, Diagnostic};
use crate::languages::source::Span;
use lang_c::ast;
use lang_c::span::Node;

const NO_VALUE: &str = "a value is wanted, but this has none";
const SIZEOF: &str = "`sizeof` and its like";

impl<'a> Resolver<'a, '_> {
    /// An expression with or without a value.
    pub(super) fn expression(
        &mut self,
        node: &'a Node<ast::Expression>,
    ) -> Result<Expression, Failed> {
        let span = span_of(node);
        let of_kind = |kind, of| Ok(Expression { kind, of, span });
        match &node.node {
            ast::Expression::Identifier(name) => self.identifier(&name.node.name, span),
            ast::Expression::Constant(constant) => {
                let value = self.literal(&constant.node, span)?;
                of_kind(Kind::Constant(value), Type::Int)
            }
            ast::Expression::Call(call) => self.call(&call.node, span),
            ast::Expression::UnaryOperator(unary) => self.unary(&unary.node, span),
            ast::Expression::BinaryOperator(binary) => self.binary(&binary.node, span),
            ast::Expression::Cast(cast) => self.cast(&cast.node, span),
            ast::Expression::Conditional(conditional) => {
                let it = &conditional.node;
                let condition = self.value(&it.condition)?;
                let then = self.expression(&it.then_expression)?;
                let otherwise = self.expression(&it.else_expression)?;
                let of = match (then.of, otherwise.of) {
                    (Type::Void, _) | (_, Type::Void) => Type::Void,
                    _ => Type::Int,
                };
                let parts = [condition, then, otherwise].map(Box::new);
                let [condition, then, otherwise] = parts;
                of_kind(Kind::Conditional(condition, then, otherwise), of)
            }
            ast::Expression::Comma(parts) => {
                let mut whole: Option<Expression> = None;
                for part in parts.iter() {
                    let next = self.expression(part)?;
                    whole = Some(match whole {
                        None => next,
                        Some(before) => {
                            let of = next.of;
                            let kind = Kind::Comma(Box::new(before), Box::new(next));
                            Expression { kind, of, span }
                        }
                    });
                }
                whole.ok_or(Failed)
            }
            ast::Expression::Statement(statement) => {
                let statement = self.statement(statement)?;
                of_kind(Kind::Block(Box::new(statement)), Type::Void)
            }
            ast::Expression::StringLiteral(_) => self.refuse(span, "texts"),
            ast::Expression::Member(_)
            | ast::Expression::CompoundLiteral(_)
            | ast::Expression::OffsetOf(_) => self.refuse(span, STRUCTURES),
            ast::Expression::SizeOfTy(_)
            | ast::Expression::SizeOfVal(_)
            | ast::Expression::AlignOf(_) => self.refuse(span, SIZEOF),
            ast::Expression::GenericSelection(_) | ast::Expression::VaArg(_) => {
                self.refuse(span, "expressions that depend on types")
            }
        }
    }

    /// An expression with a value.
    pub(super) fn value(&mut self, node: &'a Node<ast::Expression>) -> Result<Expression, Failed> {
        let value = self.expression(node)?;
        match value.of {
            Type::Void => self.fault(Category::Sort, value.span, NO_VALUE),
            _ => Ok(value),
        }
    }

    /// A value as one of a type, as by assignment.
    pub(super) fn converted(&mut self, value: Expression, of: Type) -> Result<Expression, Failed> {
        let span = value.span;
        match (value.of, of) {
            (Type::Void, _) | (_, Type::Void) => self.fault(Category::Sort, span, NO_VALUE),
            (from, to) if from == to => Ok(value),
            _ => {
                let kind = Kind::Convert(Box::new(value));
                Ok(Expression { kind, of, span })
            }
        }
    }

    fn identifier(&mut self, name: &str, span: Span) -> Result<Expression, Failed> {
        match self.meaning(name).cloned() {
            Some(Meaning::Variable(variable)) => Ok(Expression {
                kind: Kind::Variable(variable),
                of: self.unit.variables[variable].of,
                span,
            }),
            Some(Meaning::Constant(value)) => Ok(Expression {
                kind: Kind::Constant(value),
                of: Type::Int,
                span,
            }),
            Some(Meaning::Refused(what)) => self.refuse(span, what),
            Some(Meaning::Function) => self.refuse(span, POINTERS),
            Some(Meaning::Event(_)) => self.refuse(span, EVENTS),
            Some(Meaning::Signal(_)) => self.refuse(span, SIGNALS),
            Some(Meaning::TypeName(_)) | None => {
                let known = self.scopes.iter().flat_map(|scope| scope.keys());
                let mut known: Vec<&str> = known.map(String::as_str).collect();
                known.sort_unstable();
                let fault = Diagnostic::new(Category::Name, span, format!("unknown name `{name}`"));
                let fault = fault.suggest(name, known);
                self.report(fault)
            }
        }
    }

    fn literal(&mut self, constant: &ast::Constant, span: Span) -> Result<i64, Failed> {
        let integer = match constant {
            ast::Constant::Integer(integer) => integer,
            ast::Constant::Float(_) => return self.refuse(span, FLOATS),
            ast::Constant::Character(text) => match character(text) {
                Some(value) => return Ok(value),
                None => return self.refuse(span, "characters like this"),
            },
        };
        let radix = match integer.base {
            ast::IntegerBase::Decimal => 10,
            ast::IntegerBase::Octal => 8,
            ast::IntegerBase::Hexadecimal => 16,
            ast::IntegerBase::Binary => 2,
        };
        if integer.suffix.imaginary {
            return self.refuse(span, FLOATS);
        }
        if integer.suffix.unsigned {
            return self.refuse(span, UNSIGNED);
        }
        let digits = integer.number.trim_start_matches('0');
        let value = match digits {
            "" => Some(0),
            digits => i64::from_str_radix(digits, radix).ok(),
        };
        match value.filter(|it| Type::Int.contains(*it)) {
            Some(value) if integer.suffix.size == ast::IntegerSize::Int => Ok(value),
            None if radix != 10 => self.refuse(span, UNSIGNED),
            _ => self.refuse(span, LONG),
        }
    }

    fn cast(&mut self, cast: &'a ast::CastExpression, span: Span) -> Result<Expression, Failed> {
        let of = match self.type_name(&cast.type_name) {
            Declared::Read(of) => of,
            Declared::Refused(what) => return self.refuse(span, what),
        };
        let kind = match (&cast.expression.node, of) {
            (ast::Expression::SizeOfTy(_) | ast::Expression::SizeOfVal(_), Type::Void) => {
                Kind::Constant(0)
            }
            (_, Type::Void) => {
                let nothing = Expression {
                    kind: Kind::Constant(0),
                    of,
                    span,
                };
                let value = self.expression(&cast.expression)?;
                Kind::Comma(Box::new(value), Box::new(nothing))
            }
            _ => {
                let value = self.value(&cast.expression)?;
                return self.converted(value, of);
            }
        };
        Ok(Expression { kind, of, span })
    }

    fn unary(
        &mut self,
        unary: &'a ast::UnaryOperatorExpression,
        span: Span,
    ) -> Result<Expression, Failed> {
        use ast::UnaryOperator as Operation;
        let of_int = |kind| {
            let of = Type::Int;
            Ok(Expression { kind, of, span })
        };
        match unary.operator.node {
            Operation::PostIncrement => self.increment(&unary.operand, 1, span),
            Operation::PostDecrement => self.increment(&unary.operand, -1, span),
            Operation::PreIncrement | Operation::PreDecrement => {
                let operator = match unary.operator.node {
                    Operation::PreIncrement => Operator::Add,
                    _ => Operator::Subtract,
                };
                let one = Expression {
                    kind: Kind::Constant(1),
                    of: Type::Int,
                    span,
                };
                self.updated(&unary.operand, operator, one, span)
            }
            Operation::Address | Operation::Indirection => self.refuse(span, POINTERS),
            Operation::Complement => self.refuse(span, BITS),
            Operation::Plus => {
                let value = self.value(&unary.operand)?;
                self.converted(value, Type::Int)
            }
            Operation::Minus => {
                let value = self.value(&unary.operand)?;
                let value = self.converted(value, Type::Int)?;
                let zero = Expression {
                    kind: Kind::Constant(0),
                    of: Type::Int,
                    span,
                };
                let operator = Operator::Subtract;
                of_int(Kind::Binary(operator, Box::new(zero), Box::new(value)))
            }
            Operation::Negate => {
                let value = self.value(&unary.operand)?;
                of_int(Kind::Not(Box::new(value)))
            }
        }
    }

    /// The variable that an assignment is to.
    fn target(&mut self, node: &'a Node<ast::Expression>) -> Result<usize, Failed> {
        let target = self.expression(node)?;
        match target.kind {
            Kind::Variable(variable) => Ok(variable),
            _ => self.fault(Category::Sort, target.span, "a variable is wanted"),
        }
    }

    fn increment(
        &mut self,
        operand: &'a Node<ast::Expression>,
        by: i64,
        span: Span,
    ) -> Result<Expression, Failed> {
        let variable = self.target(operand)?;
        Ok(Expression {
            kind: Kind::Increment(variable, by),
            of: self.unit.variables[variable].of,
            span,
        })
    }

    /// `x += e` and its like.
    fn updated(
        &mut self,
        target: &'a Node<ast::Expression>,
        operator: Operator,
        value: Expression,
        span: Span,
    ) -> Result<Expression, Failed> {
        let own = self.expression(target)?;
        let computed = self.arithmetic(operator, own, value, span)?;
        self.assigned(target, computed, span)
    }

    fn assigned(
        &mut self,
        target: &'a Node<ast::Expression>,
        value: Expression,
        span: Span,
    ) -> Result<Expression, Failed> {
        let variable = self.target(target)?;
        let of = self.unit.variables[variable].of;
        let value = self.converted(value, of)?;
        let kind = Kind::Assign(variable, Box::new(value));
        Ok(Expression { kind, of, span })
    }

    fn binary(
        &mut self,
        binary: &'a ast::BinaryOperatorExpression,
        span: Span,
    ) -> Result<Expression, Failed> {
        use ast::BinaryOperator as Operation;
        let of_int = |kind| {
            let of = Type::Int;
            Ok(Expression { kind, of, span })
        };
        let (left, right) = (&*binary.lhs, &*binary.rhs);
        let compound = match binary.operator.node {
            Operation::Assign => {
                let value = self.value(right)?;
                return self.assigned(left, value, span);
            }
            Operation::AssignPlus => Operator::Add,
            Operation::AssignMinus => Operator::Subtract,
            Operation::AssignMultiply => Operator::Multiply,
            Operation::AssignDivide => Operator::Divide,
            Operation::AssignModulo => Operator::Remainder,
            Operation::Index => return self.refuse(span, ARRAYS),
            Operation::ShiftLeft
            | Operation::ShiftRight
            | Operation::BitwiseAnd
            | Operation::BitwiseXor
            | Operation::BitwiseOr
            | Operation::AssignShiftLeft
            | Operation::AssignShiftRight
            | Operation::AssignBitwiseAnd
            | Operation::AssignBitwiseXor
            | Operation::AssignBitwiseOr => return self.refuse(span, BITS),
            _ => {
                let [left, right] = [self.value(left)?, self.value(right)?];
                let [first, second] = [left.clone(), right.clone()];
                return match binary.operator.node {
                    Operation::LogicalAnd => of_int(Kind::And(Box::new(left), Box::new(right))),
                    Operation::LogicalOr => of_int(Kind::Or(Box::new(left), Box::new(right))),
                    Operation::Multiply => self.arithmetic(Operator::Multiply, left, right, span),
                    Operation::Divide => self.arithmetic(Operator::Divide, left, right, span),
                    Operation::Modulo => self.arithmetic(Operator::Remainder, left, right, span),
                    Operation::Plus => self.arithmetic(Operator::Add, left, right, span),
                    Operation::Minus => self.arithmetic(Operator::Subtract, left, right, span),
                    Operation::Less => self.arithmetic(Operator::Less, left, right, span),
                    Operation::Greater => self.arithmetic(Operator::Less, second, first, span),
                    Operation::LessOrEqual => {
                        self.arithmetic(Operator::LessOrEqual, left, right, span)
                    }
                    Operation::GreaterOrEqual => {
                        self.arithmetic(Operator::LessOrEqual, second, first, span)
                    }
                    Operation::Equals => self.arithmetic(Operator::Equal, left, right, span),
                    _ => {
                        let equal = self.arithmetic(Operator::Equal, left, right, span)?;
                        of_int(Kind::Not(Box::new(equal)))
                    }
                };
            }
        };
        let value = self.value(right)?;
        self.updated(left, compound, value, span)
    }

    /// An operator on two numbers.
    fn arithmetic(
        &mut self,
        operator: Operator,
        left: Expression,
        right: Expression,
        span: Span,
    ) -> Result<Expression, Failed> {
        let left = self.converted(left, Type::Int)?;
        let right = self.converted(right, Type::Int)?;
        let is_division = matches!(operator, Operator::Divide | Operator::Remainder);
        if is_division && constants::value(&right) == Some(0) {
            return self.fault(Category::Value, right.span, "this divides by 0");
        }
        if is_division && constants::value(&right).is_none() {
            return self.refuse(right.span, DIVISORS);
        }
        let is_constant = |it: &Expression| constants::value(it).is_some();
        if operator == Operator::Multiply && !is_constant(&left) && !is_constant(&right) {
            return self.refuse(span, PRODUCTS);
        }
        Ok(Expression {
            kind: Kind::Binary(operator, Box::new(left), Box::new(right)),
            of: Type::Int,
            span,
        })
    }
}

/// The value of a character as it is written, quotes included: `char` has a sign.
fn character(text: &str) -> Option<i64> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let Some(escape) = inner.strip_prefix('\\') else {
        let mut all = inner.bytes();
        let only = all.next().filter(u8::is_ascii)?;
        return all.next().is_none().then(|| i64::from(only));
    };
    let value = match escape {
        "n" => 10,
        "t" => 9,
        "r" => 13,
        "a" => 7,
        "b" => 8,
        "f" => 12,
        "v" => 11,
        "\\" | "'" | "\"" | "?" => i64::from(*escape.as_bytes().first()?),
        _ => {
            let number = match escape.strip_prefix('x') {
                Some(digits) => u8::from_str_radix(digits, 16),
                None => u8::from_str_radix(escape, 8),
            };
            i64::from(number.ok()?.cast_signed())
        }
    };
    Some(value)
}
