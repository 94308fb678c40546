//! What witnesses say of a program: invariants of loops and statements, format 2.0, as formulas at cut points.
//!
//! Nothing is taken on trust: what is read gives a search something to begin with, so that arithmetic may be that of numbers.

use super::origins::Origins;
use super::scopes::Scopes;
use super::text;
use super::yaml::{self, Node as Yaml};
use crate::languages::diagnostics::Diagnostic;
use crate::languages::source::Source;
use crate::languages::{Claimed, Invariant};
use lang_c::ast;
use lang_c::driver::{Config, parse_preprocessed};
use lang_c::span::Node;
use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use slabcert_certificates::term::{Operator, Sort, Term, Value};
use std::collections::BTreeMap;

/// What a witness says at cut points, as far as it is understood.
///
/// # Errors
/// When it is no YAML.
pub(super) fn read(origins: &Origins<'_>, witness: &Source) -> Result<Claimed, Diagnostic> {
    let whole = yaml::read(witness)?;
    let entries = whole.iter().flat_map(Yaml::items);
    let is_read = |it: &&Yaml| is(it, "entry_type", "invariant_set");
    let content = entries.filter(is_read).filter_map(|it| it.get("content"));
    let invariants = content.flat_map(Yaml::items);
    let scopes = origins.scopes();
    let mut claimed = Claimed::default();
    let mut is_empty = true;
    for invariant in invariants.filter_map(|it| it.get("invariant")) {
        is_empty = false;
        let found = at_cut_points(origins, &scopes, invariant);
        match found {
            Ok(found) => claimed.invariants.extend(found),
            Err(reason) => claimed.notes.push(format!(
                "{}:{}: an invariant is left out: {reason}",
                witness.name(),
                invariant.position.line
            )),
        }
    }
    if is_empty {
        let note = format!("{}: the witness has no invariants", witness.name());
        claimed.notes.push(note);
    }
    Ok(claimed)
}

fn is(node: &Yaml, key: &str, value: &str) -> bool {
    node.get(key).and_then(Yaml::text) == Some(value)
}

/// An invariant of a witness at the cut points where it is to hold.
fn at_cut_points(
    origins: &Origins<'_>,
    scopes: &Scopes<'_>,
    invariant: &Yaml,
) -> Result<Vec<Invariant>, &'static str> {
    let location = invariant.get("location");
    let number = |key| {
        let text = location.and_then(|it| it.get(key)).and_then(Yaml::text);
        text.and_then(|it| it.parse::<u32>().ok())
    };
    let line = number("line").ok_or("it has no line")?;
    let value = invariant.get("value").and_then(Yaml::text);
    let value = value.ok_or("it has no value")?;
    let is_loop = match invariant.get("type").and_then(Yaml::text) {
        Some("loop_invariant") => true,
        Some("location_invariant") => false,
        _ => return Err("it has another type"),
    };
    let place = origins.place_at(scopes, line, number("column"), is_loop);
    let place = place.ok_or("no steps of the program begin there")?;
    let names = place.names.iter();
    let names: BTreeMap<&str, Term> = names
        .map(|(symbol, name)| (name.as_str(), Term::symbol(symbol.clone())))
        .collect();
    let formula = formula(value, &names).ok_or("its expression is not read")?;
    let symbols = formula.symbols();
    // What is written between a cut point and the place says nothing of the cut point.
    let from = place.from.into_iter();
    let known = from.filter(|(_, changed)| changed.is_disjoint(&symbols));
    let found: Vec<Invariant> = known
        .map(|(location, _)| Invariant {
            location,
            formula: formula.clone(),
        })
        .collect();
    match found.is_empty() {
        true => Err("what it speaks of is written on the way there"),
        false => Ok(found),
    }
}

/// An expression of C over variables as a formula; none if it is not read.
fn formula(text: &str, names: &BTreeMap<&str, Term>) -> Option<Term> {
    let whole = format!("long value = (\n{text}\n);");
    let prepared = text::prepare(&whole, 0).ok()?.text;
    let parsed = parse_preprocessed(&Config::with_gcc(), prepared).ok()?;
    let [declaration] = &parsed.unit.0[..] else {
        return None;
    };
    let ast::ExternalDeclaration::Declaration(declaration) = &declaration.node else {
        return None;
    };
    let [declarator] = &declaration.node.declarators[..] else {
        return None;
    };
    match &declarator.node.initializer.as_ref()?.node {
        ast::Initializer::Expression(expression) => Some(truth(term(expression, names)?)),
        ast::Initializer::List(_) => None,
    }
}

/// A value as a truth, and as a number.
fn truth(term: Term) -> Term {
    match term.sort() {
        Sort::Bool => term,
        _ => term.equals(Term::int(0)).not(),
    }
}

fn number(term: Term) -> Term {
    match term.sort() {
        Sort::Bool => term.ite(Term::int(1), Term::int(0)),
        _ => term,
    }
}

fn term(node: &Node<ast::Expression>, names: &BTreeMap<&str, Term>) -> Option<Term> {
    match &node.node {
        ast::Expression::Identifier(name) => names.get(name.node.name.as_str()).cloned(),
        ast::Expression::Constant(constant) => literal(&constant.node),
        ast::Expression::UnaryOperator(unary) => {
            let operand = term(&unary.node.operand, names)?;
            match unary.node.operator.node {
                ast::UnaryOperator::Plus => Some(number(operand)),
                ast::UnaryOperator::Minus => negative(number(operand)),
                ast::UnaryOperator::Negate => Some(truth(operand).not()),
                _ => None,
            }
        }
        ast::Expression::BinaryOperator(it) => {
            let left = term(&it.node.lhs, names)?;
            binary(
                it.node.operator.node.clone(),
                left,
                term(&it.node.rhs, names)?,
            )
        }
        ast::Expression::Conditional(it) => {
            let condition = truth(term(&it.node.condition, names)?);
            let then = number(term(&it.node.then_expression, names)?);
            let otherwise = number(term(&it.node.else_expression, names)?);
            Some(condition.ite(then, otherwise))
        }
        // Numbers are as large as they are.
        ast::Expression::Cast(cast) => {
            let type_name = &cast.node.type_name.node;
            let is_number = |it: &Node<ast::SpecifierQualifier>| match &it.node {
                ast::SpecifierQualifier::TypeSpecifier(it) => matches!(
                    it.node,
                    ast::TypeSpecifier::Int | ast::TypeSpecifier::Long | ast::TypeSpecifier::Signed
                ),
                _ => false,
            };
            let is_read =
                type_name.declarator.is_none() && type_name.specifiers.iter().all(is_number);
            term(&cast.node.expression, names)
                .filter(|_| is_read)
                .map(number)
        }
        _ => None,
    }
}

/// A negative constant is a constant.
fn negative(term: Term) -> Option<Term> {
    match term.as_constant() {
        Some(Value::Int(value)) => Some(Term::int(-value)),
        _ => Term::apply(Operator::Negate, vec![term]).ok(),
    }
}

fn literal(constant: &ast::Constant) -> Option<Term> {
    let ast::Constant::Integer(integer) = constant else {
        return None;
    };
    let radix = match integer.base {
        ast::IntegerBase::Decimal => 10,
        ast::IntegerBase::Octal => 8,
        ast::IntegerBase::Hexadecimal => 16,
        ast::IntegerBase::Binary => 2,
    };
    let is_signed = !integer.suffix.imaginary && !integer.suffix.unsigned;
    let value = BigInt::parse_bytes(integer.number.as_bytes(), radix);
    value.filter(|_| is_signed).map(Term::int)
}

fn binary(operator: ast::BinaryOperator, left: Term, right: Term) -> Option<Term> {
    use ast::BinaryOperator as Binary;
    let apply =
        |operator, left, right| Term::apply(operator, vec![number(left), number(right)]).ok();
    match operator {
        Binary::LogicalAnd => Some(Term::and([truth(left), truth(right)])),
        Binary::LogicalOr => Some(Term::or([truth(left), truth(right)])),
        Binary::Equals | Binary::NotEquals => {
            let are_truths = left.sort() == Sort::Bool && right.sort() == Sort::Bool;
            let equal = match are_truths {
                true => left.equals(right),
                false => number(left).equals(number(right)),
            };
            match operator {
                Binary::Equals => Some(equal),
                _ => Some(equal.not()),
            }
        }
        Binary::Less => apply(Operator::Less, left, right),
        Binary::Greater => apply(Operator::Greater, left, right),
        Binary::LessOrEqual => apply(Operator::LessOrEqual, left, right),
        Binary::GreaterOrEqual => apply(Operator::GreaterOrEqual, left, right),
        Binary::Plus => apply(Operator::Add, left, right),
        Binary::Minus => apply(Operator::Subtract, left, right),
        Binary::Multiply => {
            let is_constant = |it: &Term| it.as_constant().is_some();
            let is_linear = is_constant(&left) || is_constant(&right);
            is_linear.then(|| apply(Operator::Multiply, left, right))?
        }
        Binary::Divide => divided(Operator::IntegerDivide, left, &right),
        Binary::Modulo => divided(Operator::Modulo, left, &right),
        _ => None,
    }
}

/// The quotient or remainder by a constant, which is rounded towards zero.
fn divided(operator: Operator, left: Term, right: &Term) -> Option<Term> {
    let Some(Value::Int(divisor)) = right.as_constant() else {
        return None;
    };
    if divisor.is_zero() {
        return None;
    }
    let left = number(left);
    let size = Term::int(divisor.abs());
    let is_positive = Term::int(0).less_or_equal(left.clone());
    let above = Term::apply(operator, vec![left.clone(), size.clone()]).ok()?;
    let below = negative(Term::apply(operator, vec![negative(left)?, size]).ok()?)?;
    let value = is_positive.ite(above, below);
    match operator == Operator::IntegerDivide && divisor.is_negative() {
        true => negative(value),
        false => Some(value),
    }
}
