//! Expressions and actions as terms, over whatever the names stand for where they are used.

use super::syntax::{DataType, Expression, ExpressionKind, ExternFunction, Name, Statement};
use crate::languages::diagnostics::{Category, Diagnostic, Diagnostics};
use crate::languages::source::Span;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use slabcert_certificates::term::{Operator, Sort, Symbol, Term, TermError, Value};
use std::collections::BTreeMap;

/// How many values branches of actions may copy together.
const MOST_COPIES: usize = 1 << 22;

/// What names stand for: data, parameters and constants by the way they are written.
#[derive(Debug, Clone, Default)]
pub(super) struct Environment {
    pub values: BTreeMap<String, Slot>,
}

/// A value, and whether actions may change it.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    pub value: Term,
    pub is_const: bool,
}

impl Environment {
    pub fn constant(&mut self, name: &str, value: Term) {
        let is_const = true;
        self.values
            .insert(name.to_owned(), Slot { value, is_const });
    }

    pub fn variable(&mut self, name: &str, value: Term) {
        let is_const = false;
        self.values
            .insert(name.to_owned(), Slot { value, is_const });
    }
}

/// A fault was met and reported.
#[derive(Debug)]
pub(super) struct Failed;

type Made<T> = Result<T, Failed>;

/// The sort of data.
pub(super) fn sort_of(data_type: DataType) -> Option<Sort> {
    match data_type {
        DataType::Bool => Some(Sort::Bool),
        DataType::Int => Some(Sort::Int),
        DataType::Float => Some(Sort::Real),
        DataType::Text => None,
    }
}

/// What a sort is called here.
fn word(sort: Sort) -> &'static str {
    match sort {
        Sort::Bool => "bool",
        Sort::Int => "int",
        Sort::Real => "float",
    }
}

/// Makes terms; faults are reported where they are met.
pub(super) struct Evaluator<'e> {
    pub text: &'e str,
    pub functions: &'e BTreeMap<&'e str, Vec<&'e ExternFunction>>,
    /// Gives a value that is arbitrary, where external functions may return anything.
    pub arbitrary: Option<&'e mut dyn FnMut(Sort) -> Term>,
    pub faults: &'e mut Diagnostics,
    /// How many values were copied.
    pub copies: usize,
    /// What functions were given that may change it.
    pub given: Vec<Box<str>>,
}

impl Evaluator<'_> {
    fn fail<T>(&mut self, category: Category, span: Span, message: impl Into<String>) -> Made<T> {
        self.faults.push(Diagnostic::new(category, span, message));
        Err(Failed)
    }

    fn written(&self, span: Span) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// A term of this sort. Whole numbers become real ones where these are wanted.
    pub fn of_sort(
        &mut self,
        expression: &Expression,
        environment: &Environment,
        sort: Sort,
    ) -> Made<Term> {
        let term = self.term(expression, environment)?;
        self.converted(term, sort, expression.span)
    }

    fn converted(&mut self, term: Term, sort: Sort, span: Span) -> Made<Term> {
        match (term.sort(), sort) {
            (found, wanted) if found == wanted => Ok(term),
            (Sort::Int, Sort::Real) => Ok(term.to_real()),
            (found, wanted) => {
                let message = format!(
                    "this is of type {}, but {} is wanted",
                    word(found),
                    word(wanted)
                );
                self.fail(Category::Sort, span, message)
            }
        }
    }

    /// Like [`Evaluator::of_sort`], where functions may change what they are given.
    pub fn changing(
        &mut self,
        expression: &Expression,
        environment: &mut Environment,
        sort: Sort,
    ) -> Made<Term> {
        let value = self.of_sort(expression, environment, sort)?;
        self.forget(environment);
        Ok(value)
    }

    /// The value of an expression.
    pub fn term(&mut self, expression: &Expression, environment: &Environment) -> Made<Term> {
        let span = expression.span;
        match &expression.kind {
            ExpressionKind::Bool(truth) => Ok(Term::bool(*truth)),
            ExpressionKind::Integer => match self.written(span).parse::<BigInt>() {
                Ok(number) => Ok(Term::int(number)),
                Err(_) => self.fail(Category::Syntax, span, "this is no number"),
            },
            ExpressionKind::Decimal => self.decimal(span),
            ExpressionKind::Text => {
                self.fail(Category::Unsupported, span, "texts have no value here")
            }
            ExpressionKind::Name(name) => self.named(name, environment),
            ExpressionKind::Unary(operator, argument) => {
                self.unary(operator, argument, environment, span)
            }
            ExpressionKind::Binary(operator, left, right) => {
                let left = self.term(left, environment)?;
                let right = self.term(right, environment)?;
                self.binary(operator, left, right, span)
            }
            ExpressionKind::Call(name, arguments) => {
                match self.call(name, arguments, environment)? {
                    Some(value) => Ok(value),
                    None => self.fail(
                        Category::Sort,
                        span,
                        format!("`{}` returns nothing", name.text),
                    ),
                }
            }
        }
    }

    fn decimal(&mut self, span: Span) -> Made<Term> {
        let text = self.written(span).to_owned();
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let digits = format!("{whole}{fraction}").parse::<BigInt>();
        let power = u32::try_from(fraction.len())
            .ok()
            .map(|length| BigInt::from(10).pow(length));
        match (digits, power) {
            (Ok(digits), Some(power)) => Ok(Term::real(BigRational::new(digits, power))),
            _ => self.fail(Category::Syntax, span, "this is no number"),
        }
    }

    fn named(&mut self, name: &Name, environment: &Environment) -> Made<Term> {
        if let Some(slot) = environment.values.get(&*name.text) {
            return Ok(slot.value.clone());
        }
        let fault = Diagnostic::new(
            Category::Name,
            name.span,
            format!("unknown name `{}`", name.text),
        );
        let known = environment.values.keys().map(String::as_str);
        let fault = match self.faults.wants_advice() {
            true => fault.suggest(&name.text, known),
            false => fault,
        };
        self.faults.push(fault);
        Err(Failed)
    }

    fn unary(
        &mut self,
        operator: &str,
        argument: &Expression,
        environment: &Environment,
        span: Span,
    ) -> Made<Term> {
        if operator == "!" {
            return Ok(self.of_sort(argument, environment, Sort::Bool)?.not());
        }
        let argument = self.term(argument, environment)?;
        if !argument.sort().is_numeric() {
            return self.fail(Category::Sort, span, format!("`{operator}` wants a number"));
        }
        match operator {
            "-" => self.apply(Operator::Negate, vec![argument], span),
            _ => Ok(argument),
        }
    }

    fn binary(&mut self, operator: &str, left: Term, right: Term, span: Span) -> Made<Term> {
        let is_bool = (left.sort() == Sort::Bool, right.sort() == Sort::Bool);
        let fits = match operator {
            "&&" | "||" => is_bool == (true, true),
            "==" | "!=" => is_bool.0 == is_bool.1,
            "%" => (left.sort(), right.sort()) == (Sort::Int, Sort::Int),
            _ => is_bool == (false, false),
        };
        if !fits {
            let message = format!(
                "`{operator}` does not take {} and {}",
                word(left.sort()),
                word(right.sort())
            );
            return self.fail(Category::Sort, span, message);
        }
        let (left, right) = match (left.sort(), right.sort()) {
            (Sort::Int, Sort::Real) => (left.to_real(), right),
            (Sort::Real, Sort::Int) => (left, right.to_real()),
            _ => (left, right),
        };
        match operator {
            "&&" => Ok(Term::and([left, right])),
            "||" => Ok(Term::or([left, right])),
            "==" => self.apply(Operator::Equal, vec![left, right], span),
            "!=" => Ok(self.apply(Operator::Equal, vec![left, right], span)?.not()),
            "<" => self.apply(Operator::Less, vec![left, right], span),
            "<=" => self.apply(Operator::LessOrEqual, vec![left, right], span),
            ">" => self.apply(Operator::Less, vec![right, left], span),
            ">=" => self.apply(Operator::LessOrEqual, vec![right, left], span),
            "+" => self.apply(Operator::Add, vec![left, right], span),
            "-" => self.apply(Operator::Subtract, vec![left, right], span),
            "*" => {
                if left.as_constant().is_none() && right.as_constant().is_none() {
                    let message = "a product of two values that are no constants is not supported";
                    return self.fail(Category::Unsupported, span, message);
                }
                self.apply(Operator::Multiply, vec![left, right], span)
            }
            _ => self.quotient(operator, left, right, span),
        }
    }

    /// `/` and `%`: quotients of whole numbers are rounded to zero, and the remainder has the sign of the dividend.
    fn quotient(&mut self, operator: &str, left: Term, right: Term, span: Span) -> Made<Term> {
        let divisor = match right.as_constant() {
            Some(Value::Int(divisor)) if !divisor.is_zero() => divisor.clone(),
            Some(Value::Real(divisor)) if !divisor.is_zero() => {
                return self.apply(Operator::Divide, vec![left, right], span);
            }
            Some(_) => return self.fail(Category::Value, span, "the divisor is 0"),
            None => {
                let message = "a divisor that is no constant is not supported";
                return self.fail(Category::Unsupported, span, message);
            }
        };
        let size = Term::int(divisor.abs());
        let up = self.apply(
            Operator::IntegerDivide,
            vec![left.clone(), size.clone()],
            span,
        )?;
        let negated = self.apply(Operator::Negate, vec![left.clone()], span)?;
        let down = self.apply(Operator::IntegerDivide, vec![negated, size], span)?;
        let down = self.apply(Operator::Negate, vec![down], span)?;
        let is_negative = self.apply(Operator::Less, vec![left.clone(), Term::int(0)], span)?;
        let (negative, positive) = match divisor.is_negative() {
            true => (self.negated(down, span)?, self.negated(up, span)?),
            false => (down, up),
        };
        let quotient = is_negative.ite(negative, positive);
        if operator == "/" {
            return Ok(quotient);
        }
        let multiple = self.apply(Operator::Multiply, vec![Term::int(divisor), quotient], span)?;
        self.apply(Operator::Subtract, vec![left, multiple], span)
    }

    fn negated(&mut self, term: Term, span: Span) -> Made<Term> {
        self.apply(Operator::Negate, vec![term], span)
    }

    /// Applies an operator to arguments that fit; what is constant is computed.
    fn apply(&mut self, operator: Operator, arguments: Vec<Term>, span: Span) -> Made<Term> {
        let is_constant = arguments
            .iter()
            .all(|argument| argument.as_constant().is_some());
        let term = match Term::apply(operator, arguments) {
            Ok(term) => term,
            Err(TermError::TooDeep) => {
                return self.fail(Category::Unsupported, span, TermError::TooDeep.to_string());
            }
            Err(error) => return self.fail(Category::Sort, span, error.to_string()),
        };
        let none = |_: &Symbol| None;
        match is_constant.then(|| term.evaluate(&none)) {
            Some(Ok(value)) => Ok(Term::constant(value)),
            _ => Ok(term),
        }
    }

    /// The result of a call; none where a function returns nothing.
    fn call(
        &mut self,
        name: &Name,
        arguments: &[Expression],
        environment: &Environment,
    ) -> Made<Option<Term>> {
        // Each argument is evaluated once: calls nest, and each level would double the work.
        let mut values = Vec::new();
        for argument in arguments {
            values.push(match argument.kind {
                ExpressionKind::Text => None,
                _ => Some(self.term(argument, environment)?),
            });
        }
        let sorts: Vec<Option<Sort>> = values
            .iter()
            .map(|it| it.as_ref().map(Term::sort))
            .collect();
        let function = self.function(name, &sorts)?;
        if function.arguments.len() != arguments.len() {
            let (wanted, given) = (function.arguments.len(), arguments.len());
            let message = format!(
                "`{}` takes {wanted} arguments, but {given} are given",
                name.text
            );
            return self.fail(Category::Sort, name.span, message);
        }
        let is_printf = &*name.text == "printf" && function.result.is_none();
        let each = arguments.iter().zip(values).zip(&function.arguments);
        for ((argument, value), (data_type, is_const)) in each {
            match (sort_of(*data_type), value) {
                (None, None) => {}
                (None, Some(_)) => {
                    return self.fail(Category::Sort, argument.span, "a text is wanted");
                }
                (Some(_), None) => {
                    return self.fail(Category::Sort, argument.span, "a text is no value");
                }
                (Some(sort), Some(value)) => {
                    self.converted(value, sort, argument.span)?;
                }
            }
            if let ExpressionKind::Name(name) = &argument.kind
                && !is_const
                && !is_printf
            {
                self.given.push(name.text.clone());
            }
        }
        if is_printf {
            return Ok(None);
        }
        let Some(arbitrary) = &mut self.arbitrary else {
            let message = format!("`{}` is external: what it does is not known", name.text);
            let fault = Diagnostic::new(Category::Unsupported, name.span, message);
            self.faults
                .push(fault.help("`-D extern=arbitrary` lets external functions return anything"));
            return Err(Failed);
        };
        let result = function.result.and_then(sort_of);
        Ok(result.map(arbitrary))
    }

    /// The function that a call means: of several with its name, the one that converts least.
    fn function(&mut self, name: &Name, sorts: &[Option<Sort>]) -> Made<ExternFunction> {
        let known = self.functions.get(&*name.text);
        let known: &[&ExternFunction] = known.map_or(&[], |it| it);
        match known {
            [] => {
                let message = format!("unknown function `{}`", name.text);
                return self.fail(Category::Name, name.span, message);
            }
            [one] => return Ok((*one).clone()),
            _ => {}
        }
        let fitting = known
            .iter()
            .filter_map(|it| Some((conversions(it, sorts)?, *it)));
        let mut fitting: Vec<(usize, &ExternFunction)> = fitting.collect();
        fitting.sort_by_key(|(count, _)| *count);
        match fitting.as_slice() {
            [] => {
                let message = format!("no function `{}` takes these arguments", name.text);
                self.fail(Category::Sort, name.span, message)
            }
            [(one, _), (other, _), ..] if one == other => {
                let message = format!("several functions `{}` take these arguments", name.text);
                self.fail(Category::Sort, name.span, message)
            }
            [(_, function), ..] => Ok((*function).clone()),
        }
    }

    /// What actions make of values, one after the other.
    pub fn run(&mut self, statements: &[Statement], environment: &mut Environment) -> Made<()> {
        // What is wrong is among the faults; the other statements are looked at.
        let mut all = Ok(());
        for statement in statements {
            all = self.statement(statement, environment).and(all);
        }
        all
    }

    fn statement(&mut self, statement: &Statement, environment: &mut Environment) -> Made<()> {
        match statement {
            Statement::Assign(name, value) => self.assign(name, value, environment),
            Statement::Call(expression) => {
                if let ExpressionKind::Call(name, arguments) = &expression.kind {
                    self.call(name, arguments, environment)?;
                    self.forget(environment);
                }
                Ok(())
            }
            Statement::If(condition, then, otherwise) => {
                let span = condition.span;
                let condition = self.changing(condition, environment, Sort::Bool)?;
                self.branch(&condition, (then, otherwise), environment, span)
            }
        }
    }

    /// What functions were given is arbitrary after the call.
    fn forget(&mut self, environment: &mut Environment) {
        for name in std::mem::take(&mut self.given) {
            if let Some(arbitrary) = &mut self.arbitrary
                && let Some(slot) = environment.values.get_mut(&*name)
                && !slot.is_const
            {
                slot.value = arbitrary(slot.value.sort());
            }
        }
    }

    fn assign(
        &mut self,
        name: &Name,
        value: &Expression,
        environment: &mut Environment,
    ) -> Made<()> {
        let old = self.named(name, environment)?;
        let value = self.changing(value, environment, old.sort())?;
        match environment.values.get_mut(&*name.text) {
            Some(slot) if !slot.is_const => {
                slot.value = value;
                Ok(())
            }
            _ => {
                let message = format!("`{}` is constant here", name.text);
                self.fail(Category::Sort, name.span, message)
            }
        }
    }

    fn branch(
        &mut self,
        condition: &Term,
        (then, otherwise): (&[Statement], &[Statement]),
        environment: &mut Environment,
        span: Span,
    ) -> Made<()> {
        self.copies = self.copies.saturating_add(environment.values.len());
        if self.copies > MOST_COPIES {
            let message = format!("the branches of actions copy more than {MOST_COPIES} values");
            return self.fail(Category::Unsupported, span, message);
        }
        let mut other = environment.clone();
        self.run(then, environment)?;
        self.run(otherwise, &mut other)?;
        for (name, slot) in &mut environment.values {
            let Some(other) = other.values.remove(name).map(|it| it.value) else {
                continue;
            };
            if slot.value.address() != other.address() {
                let arguments = vec![condition.clone(), slot.value.clone(), other.clone()];
                let whole = self.apply(Operator::Ite, arguments, span)?;
                slot.value = match condition.as_constant() {
                    Some(_) => condition.clone().ite(slot.value.clone(), other),
                    None => whole,
                };
            }
        }
        Ok(())
    }
}

/// How many arguments a function would convert; none if it does not take them. Texts have no sort.
fn conversions(function: &ExternFunction, sorts: &[Option<Sort>]) -> Option<usize> {
    if function.arguments.len() != sorts.len() {
        return None;
    }
    let mut count = 0;
    for ((wanted, _), given) in function.arguments.iter().zip(sorts) {
        match (sort_of(*wanted), given) {
            (wanted, given) if wanted == *given => {}
            (Some(Sort::Real), Some(Sort::Int)) => count += 1,
            _ => return None,
        }
    }
    Some(count)
}
