//! Expressions.

use super::super::folding;
use super::super::syntax::{
    Comparison, Connective, Expr, ExprKind, Function, Index, Multiplication, Quantifier,
};
use super::{DEPTH, Environment, Expanded, Expander, Stop};
use crate::languages::diagnostics::{Category, Diagnostic};
use crate::languages::source::Span;
use slabcert_certificates::term::{MAXIMAL_DEPTH, Operator, Term};

impl Expander<'_, '_, '_> {
    /// The term that an expression means in an environment.
    pub fn expr(&mut self, expr: &Expr, environment: &mut Environment) -> Expanded<Term> {
        self.charge(1, expr.span)?;
        if self.depth >= DEPTH {
            return self.stop(Diagnostic::new(
                Category::Unsupported,
                expr.span,
                format!("definitions nest deeper than {DEPTH} levels when they are expanded"),
            ));
        }
        self.depth += 1;
        let result = self.expr_inner(expr, environment);
        self.depth -= 1;
        let term = result?;
        self.refuse_deep(&term, expr.span)?;
        Ok(term)
    }

    fn refuse_deep(&mut self, term: &Term, span: Span) -> Expanded<()> {
        if term.depth() <= MAXIMAL_DEPTH / 2 {
            return Ok(());
        }
        self.stop(Diagnostic::new(
            Category::Unsupported,
            span,
            "this condition nests too deeply when it is expanded",
        ))
    }

    fn expr_inner(&mut self, expr: &Expr, environment: &mut Environment) -> Expanded<Term> {
        match &expr.kind {
            ExprKind::Integer(number) => {
                self.charge(number.bits() / 512, expr.span)?;
                self.built(Ok(Term::int(number.clone())), expr.span)
            }
            ExprKind::Decimal(number) => {
                self.charge(number.denom().bits() / 256, expr.span)?;
                self.built(Ok(Term::real(number.clone())), expr.span)
            }
            ExprKind::Boolean(truth) => Ok(Term::bool(*truth)),
            ExprKind::Reference(reference, primed) => {
                self.reference(reference, *primed, environment)
            }
            ExprKind::At(reference, locations) => self.at(reference, locations, environment),
            ExprKind::Deadlock => self.deadlock(expr.span),
            ExprKind::OfBlock(is_count, name) => self.of_block(*is_count, name, expr.span),
            ExprKind::Enabled(reference) => self.enabled(reference, environment),
            ExprKind::Not(operand) => Ok(self.expr(operand, environment)?.not()),
            ExprKind::Negate(operand) => {
                let operand = self.expr(operand, environment)?;
                self.built(folding::sum(vec![(true, operand)]), expr.span)
            }
            ExprKind::Chain(connective, operands) => self.chain(*connective, operands, environment),
            ExprKind::Implies(operands) => self.implication(operands, environment),
            ExprKind::Compare(comparison, left, right) => {
                let left = self.expr(left, environment)?;
                let right = self.expr(right, environment)?;
                self.built(folding::compare(*comparison, left, right), expr.span)
            }
            ExprKind::Sum(summands) => {
                let mut terms = Vec::with_capacity(summands.len());
                for (minus, summand) in summands {
                    terms.push((*minus, self.expr(summand, environment)?));
                }
                self.built(folding::sum(terms), expr.span)
            }
            ExprKind::Product(first, rest) => self.product(first, rest, environment),
            ExprKind::If(condition, positive, negative) => {
                self.conditional(condition, positive, negative, environment)
            }
            ExprKind::Quantified(quantifier, index, body) => {
                self.quantified(*quantifier, index, body, expr.span, environment)
            }
            ExprKind::Call(function, arguments) => {
                self.call(*function, arguments, expr.span, environment)
            }
        }
    }

    /// Connectives stop at the first operand that decides them. A fault in one operand does not hide faults in the next.
    fn chain(
        &mut self,
        connective: Connective,
        operands: &[Expr],
        environment: &mut Environment,
    ) -> Expanded<Term> {
        let decisive = match connective {
            Connective::And => Some(false),
            Connective::Or => Some(true),
            Connective::Iff => None,
        };
        let mut terms = Vec::with_capacity(operands.len());
        let mut stopped = false;
        for operand in operands {
            match self.expr(operand, environment) {
                Ok(term) if decisive.is_some() && folding::truth(&term) == decisive => {
                    return Ok(term);
                }
                Ok(term) => terms.push(term),
                Err(Stop) => stopped = true,
            }
        }
        if stopped {
            return Err(Stop);
        }
        match connective {
            Connective::And => Ok(Term::and(terms)),
            Connective::Or => Ok(Term::or(terms)),
            Connective::Iff => {
                let mut terms = terms.into_iter();
                let mut result = terms.next().unwrap_or_else(|| Term::bool(true));
                for (term, operand) in terms.zip(operands) {
                    result = folding::equivalence(result, term);
                    self.refuse_deep(&result, operand.span)?;
                }
                Ok(result)
            }
        }
    }

    fn implication(&mut self, operands: &[Expr], environment: &mut Environment) -> Expanded<Term> {
        let Some((conclusion, premises)) = operands.split_last() else {
            return Ok(Term::bool(true));
        };
        let mut terms = Vec::with_capacity(premises.len());
        for premise in premises {
            let term = self.expr(premise, environment)?;
            if term.is_false() {
                return Ok(Term::bool(true));
            }
            terms.push(term);
        }
        let conclusion = self.expr(conclusion, environment)?;
        Ok(Term::and(terms).implies(conclusion))
    }

    fn product(
        &mut self,
        first: &Expr,
        rest: &[(Multiplication, Expr)],
        environment: &mut Environment,
    ) -> Expanded<Term> {
        let mut result = self.expr(first, environment)?;
        for (operator, operand) in rest {
            let term = self.expr(operand, environment)?;
            let next = match operator {
                Multiplication::Times => folding::product(result, term),
                Multiplication::Divide => folding::quotient(result, &term),
                Multiplication::Div => {
                    folding::integer_division(Operator::IntegerDivide, result, term)
                }
                Multiplication::Mod => folding::integer_division(Operator::Modulo, result, term),
            };
            result = self.built(next, operand.span)?;
        }
        Ok(result)
    }

    fn conditional(
        &mut self,
        condition: &Expr,
        positive: &Expr,
        negative: &Expr,
        environment: &mut Environment,
    ) -> Expanded<Term> {
        let condition = self.expr(condition, environment)?;
        if let Some(truth) = folding::truth(&condition) {
            let taken = if truth { positive } else { negative };
            return self.expr(taken, environment);
        }
        let positive = self.expr(positive, environment)?;
        let negative = self.expr(negative, environment)?;
        Ok(folding::conditional(condition, positive, negative))
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        index: &Index,
        body: &Expr,
        span: Span,
        environment: &mut Environment,
    ) -> Expanded<Term> {
        let mut terms = Vec::new();
        self.instances(index, environment, &mut |expander, environment| {
            terms.push(expander.expr(body, environment)?);
            Ok(())
        })?;
        match quantifier {
            Quantifier::Forall => Ok(Term::and(terms)),
            Quantifier::Exists => Ok(Term::or(terms)),
            Quantifier::Sum => {
                let summands = terms.into_iter().map(|term| (false, term)).collect();
                self.built(folding::sum(summands), span)
            }
            Quantifier::Count => {
                let count = |term: Term| {
                    (
                        false,
                        folding::conditional(term, Term::int(1), Term::int(0)),
                    )
                };
                self.built(folding::sum(terms.into_iter().map(count).collect()), span)
            }
        }
    }

    fn call(
        &mut self,
        function: Function,
        arguments: &[Expr],
        span: Span,
        environment: &mut Environment,
    ) -> Expanded<Term> {
        let mut terms = Vec::with_capacity(arguments.len());
        for argument in arguments {
            terms.push(self.expr(argument, environment)?);
        }
        let term = match function {
            Function::Min => folding::extreme(Comparison::AtMost, &terms),
            Function::Max => folding::extreme(Comparison::AtLeast, &terms),
            Function::Distinct => {
                // Pairwise difference is quadratic for whoever reads it.
                let pairs = terms.len() as u64 * terms.len() as u64;
                self.charge(pairs, span)?;
                folding::distinct(terms)
            }
        };
        self.built(term, span)
    }
}
