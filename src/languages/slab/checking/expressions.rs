//! Expressions: the sort of each, and whether it is constant.

use super::super::sorts::Sort;
use super::super::syntax::{
    Comparison, Connective, Expr, ExprKind, Function, Index, Multiplication, Quantifier, Range,
};
use super::{Checker, Constancy, Context, Scope, Typed};
use crate::languages::diagnostics::{Category, Diagnostic};
use crate::languages::source::Span;

impl Checker<'_, '_, '_> {
    /// Checks an expression that must fit a sort; says whether it is constant.
    pub(super) fn expect(
        &mut self,
        expr: &Expr,
        expected: Sort,
        scope: &mut Scope,
        context: Context,
    ) -> bool {
        let typed = self.expr(expr, scope, context);
        if !typed.sort.fits(expected) {
            self.mismatch(expr.span, typed.sort, expected);
        }
        typed.constant
    }

    fn mismatch(&mut self, span: Span, found: Sort, expected: Sort) {
        let [found_text, expected_text] = [found, expected].map(|sort| sort.text(self.names));
        let message = format!("expected `{expected_text}`, found `{found_text}`");
        let fault =
            Diagnostic::new(Category::Sort, span, message).expected(format!("`{expected_text}`"));
        self.faults.push(match (found, expected) {
            (Sort::Real, Sort::Int) => fault.help(
                "a real is never turned into an int; `div` divides integers, `/` gives a real",
            ),
            (Sort::Int | Sort::Real, Sort::Bool) => fault.help("compare the number with something"),
            (Sort::Bool, Sort::Int | Sort::Real) => {
                fault.help("`if c then 1 else 0` turns a condition into a number")
            }
            _ => fault,
        });
    }

    /// The ends of a range: constant integers.
    pub(super) fn range(&mut self, range: &Range, scope: &mut Scope) {
        for end in [&range.low, &range.high] {
            self.expect(end, Sort::Int, scope, Context::constant(Constancy::Range));
        }
    }

    /// Checks an expression.
    pub(super) fn expr(&mut self, expr: &Expr, scope: &mut Scope, context: Context) -> Typed {
        let literal = |sort| Typed {
            sort,
            constant: true,
        };
        match &expr.kind {
            ExprKind::Integer(_) => literal(Sort::Int),
            ExprKind::Decimal(_) => literal(Sort::Real),
            ExprKind::Boolean(_) => literal(Sort::Bool),
            ExprKind::Reference(reference, primed) => {
                if *primed {
                    self.primed(reference, scope, context)
                } else {
                    self.reference(reference, scope, context)
                }
            }
            ExprKind::At(reference, locations) => self.at(reference, locations, scope, context),
            ExprKind::Deadlock => {
                self.refuse_deadlock(expr.span);
                self.enabledness(expr.span, "deadlock", context)
            }
            ExprKind::OfBlock(is_count, name) => self.of_block(expr.span, *is_count, name, context),
            ExprKind::Enabled(reference) => {
                let typed = self.enabledness(expr.span, "enabled", context);
                self.transition_reference(reference, scope);
                typed
            }
            ExprKind::Not(operand) => self.logical(std::slice::from_ref(operand), scope, context),
            ExprKind::Chain(Connective::And | Connective::Or | Connective::Iff, operands) => {
                self.logical(operands, scope, context)
            }
            ExprKind::Implies(operands) => self.logical(operands, scope, context),
            ExprKind::Compare(comparison, left, right) => {
                self.compare(*comparison, left, right, scope, context)
            }
            ExprKind::Negate(operand) => self.numeric(operand, scope, context),
            ExprKind::Sum(summands) => {
                let operands = summands.iter().map(|(_, operand)| operand);
                self.joined(operands, scope, context)
            }
            ExprKind::Product(first, rest) => self.product(first, rest, scope, context),
            ExprKind::If(condition, positive, negative) => {
                let constant = self.expect(condition, Sort::Bool, scope, context);
                let typed = self.branches(expr.span, positive, negative, scope, context);
                Typed {
                    constant: constant && typed.constant,
                    ..typed
                }
            }
            ExprKind::Quantified(quantifier, index, body) => {
                self.quantified(*quantifier, index, body, scope, context)
            }
            ExprKind::Call(Function::Min | Function::Max, arguments) => {
                self.joined(arguments.iter(), scope, context)
            }
            ExprKind::Call(Function::Distinct, arguments) => {
                self.distinct(arguments, scope, context)
            }
        }
    }

    /// Operands that must be Boolean.
    fn logical<E: std::borrow::Borrow<Expr>>(
        &mut self,
        operands: &[E],
        scope: &mut Scope,
        context: Context,
    ) -> Typed {
        let mut constant = true;
        for operand in operands {
            constant &= self.expect(operand.borrow(), Sort::Bool, scope, context);
        }
        let sort = Sort::Bool;
        Typed { sort, constant }
    }

    /// An operand that must be a number.
    fn numeric(&mut self, operand: &Expr, scope: &mut Scope, context: Context) -> Typed {
        let typed = self.expr(operand, scope, context);
        if typed.sort.is_numeric() {
            return typed;
        }
        let found = typed.sort.text(self.names);
        let fault = Diagnostic::new(
            Category::Sort,
            operand.span,
            format!("expected a number, found `{found}`"),
        )
        .expected("`int` or `real`");
        self.faults.push(match typed.sort {
            Sort::Bool => fault.help("`if c then 1 else 0` turns a condition into a number"),
            Sort::Enum(_) => {
                fault.help("values of an enumeration can only be compared with `=` and `!=`")
            }
            _ => fault,
        });
        Typed::UNKNOWN
    }

    /// Numbers that are promoted to one sort.
    fn joined<'e>(
        &mut self,
        operands: impl Iterator<Item = &'e Expr>,
        scope: &mut Scope,
        context: Context,
    ) -> Typed {
        let mut result = Typed {
            sort: Sort::Int,
            constant: true,
        };
        for operand in operands {
            let typed = self.numeric(operand, scope, context);
            result.sort = result.sort.join(typed.sort).unwrap_or(Sort::Unknown);
            result.constant &= typed.constant;
        }
        result
    }

    /// Two expressions that must have one sort.
    fn branches(
        &mut self,
        span: Span,
        left: &Expr,
        right: &Expr,
        scope: &mut Scope,
        context: Context,
    ) -> Typed {
        let left = self.expr(left, scope, context);
        let right = self.expr(right, scope, context);
        let constant = left.constant && right.constant;
        match left.sort.join(right.sort) {
            Some(sort) => Typed { sort, constant },
            None => {
                let [first, second] = [left.sort, right.sort].map(|sort| sort.text(self.names));
                let message =
                    format!("the two sides have different sorts, `{first}` and `{second}`");
                self.faults.push(
                    Diagnostic::new(Category::Sort, span, message)
                        .expected("one sort on both sides"),
                );
                Typed::UNKNOWN
            }
        }
    }

    fn compare(
        &mut self,
        comparison: Comparison,
        left: &Expr,
        right: &Expr,
        scope: &mut Scope,
        context: Context,
    ) -> Typed {
        let span = left.span.to(right.span);
        let constant = match comparison {
            Comparison::Equal | Comparison::NotEqual => {
                self.branches(span, left, right, scope, context).constant
            }
            _ => {
                let left = self.numeric(left, scope, context);
                let right = self.numeric(right, scope, context);
                left.constant && right.constant
            }
        };
        let sort = Sort::Bool;
        Typed { sort, constant }
    }

    fn product(
        &mut self,
        first: &Expr,
        rest: &[(Multiplication, Expr)],
        scope: &mut Scope,
        context: Context,
    ) -> Typed {
        let mut result = self.numeric(first, scope, context);
        for (operator, operand) in rest {
            let typed = self.numeric(operand, scope, context);
            let span = first.span.to(operand.span);
            match operator {
                Multiplication::Times if result.constant || typed.constant => {}
                Multiplication::Times => {
                    self.nonlinear(span, "a product of two expressions that are not constant")
                }
                _ if typed.constant => {}
                _ => self.nonlinear(operand.span, "a divisor that is not constant"),
            }
            match operator {
                Multiplication::Times => {
                    result.sort = result.sort.join(typed.sort).unwrap_or(Sort::Unknown);
                }
                Multiplication::Divide => result.sort = Sort::Real,
                Multiplication::Div | Multiplication::Mod => {
                    for (span, sort) in [(first.span, result.sort), (operand.span, typed.sort)] {
                        if !sort.fits(Sort::Int) {
                            self.mismatch(span, sort, Sort::Int);
                        }
                    }
                    result.sort = Sort::Int;
                }
            }
            result.constant &= typed.constant;
        }
        result
    }

    fn nonlinear(&mut self, span: Span, what: &str) {
        self.faults.push(
            Diagnostic::new(
                Category::Nonlinear,
                span,
                format!("arithmetic is linear: {what}"),
            )
            .expected("one factor, and every divisor, a constant")
            .help("split the cases with `if`, or choose a constant"),
        );
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        index: &Index,
        body: &Expr,
        scope: &mut Scope,
        context: Context,
    ) -> Typed {
        let outer = scope.binders.len();
        self.bind(index, scope);
        let typed = match quantifier {
            Quantifier::Sum => self.numeric(body, scope, context),
            Quantifier::Forall | Quantifier::Exists | Quantifier::Count => {
                let constant = self.expect(body, Sort::Bool, scope, context);
                let sort = if quantifier == Quantifier::Count {
                    Sort::Int
                } else {
                    Sort::Bool
                };
                Typed { sort, constant }
            }
        };
        scope.binders.truncate(outer);
        typed
    }

    fn distinct(&mut self, arguments: &[Expr], scope: &mut Scope, context: Context) -> Typed {
        let mut constant = true;
        let mut joined = Sort::Unknown;
        for argument in arguments {
            let typed = self.expr(argument, scope, context);
            constant &= typed.constant;
            match joined.join(typed.sort) {
                Some(sort) => joined = sort,
                None => self.mismatch(argument.span, typed.sort, joined),
            }
        }
        let sort = Sort::Bool;
        Typed { sort, constant }
    }

    /// `deadlock` and `enabled` stand in properties and in definitions used there only.
    pub(super) fn enabledness(&mut self, span: Span, word: &str, context: Context) -> Typed {
        self.met_enabledness = true;
        if !context.enabledness {
            let message = format!(
                "`{word}` may only be used in `error` and `invariant`, and in definitions used there"
            );
            self.faults
                .push(Diagnostic::new(Category::Sort, span, message));
        }
        Typed {
            sort: Sort::Bool,
            constant: false,
        }
    }
}
