//! Calls: of functions with a body, and of those that are known by name.

use super::types::{Declared, POINTERS};
use super::{Errors, Failed, Meaning, Resolver, threads};
use crate::languages::c::syntax::{Expression, Kind, Type};
use crate::languages::diagnostics::Category;
use crate::languages::source::Span;
use lang_c::ast;
use lang_c::span::Node;

/// Functions whose call is an error.
const ERRORS: &[&str] = &["reach_error", "__VERIFIER_error", "__assert_fail", "ERROR"];
/// Functions that end the program.
const STOPS: &[&str] = &["abort", "exit", "_Exit", "_exit"];
/// What functions begin with that give any value; the rest of the name is the type.
const ARBITRARY: &[&str] = &["__VERIFIER_nondet_", "nondet_"];

/// Functions that are known by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::languages::c) enum Known {
    Error,
    Stop,
    Assert,
    Assume,
    Arbitrary,
    Scheduler,
}

/// What is known of a function by its name, if the program does not say it.
pub(in crate::languages::c) fn known(
    name: &str,
    errors: &Errors,
    is_defined: bool,
) -> Option<Known> {
    let is_error = match &errors.only {
        Some(only) => only == name,
        None => ERRORS.contains(&name),
    };
    if is_error {
        return Some(Known::Error);
    }
    if is_defined {
        return None;
    }
    match name {
        "assert" => Some(Known::Assert),
        "__VERIFIER_assume" => Some(Known::Assume),
        // Errors that no task names end the program.
        "__assert_fail" | "__VERIFIER_error" => Some(Known::Stop),
        _ if STOPS.contains(&name) => Some(Known::Stop),
        _ if ARBITRARY.iter().any(|it| name.starts_with(it)) => Some(Known::Arbitrary),
        _ => None,
    }
}

impl<'a> Resolver<'a, '_> {
    pub(super) fn call(
        &mut self,
        call: &'a ast::CallExpression,
        span: Span,
    ) -> Result<Expression, Failed> {
        let sets_up = std::mem::take(&mut self.is_set_up);
        let ast::Expression::Identifier(name) = &call.callee.node else {
            return self.refuse(span, POINTERS);
        };
        let name = &*name.node.name;
        match self.meaning(name) {
            Some(Meaning::Function) | None => {}
            Some(_) => return self.refuse(span, POINTERS),
        }
        match self.known(name) {
            Some(known) => self.known_call(known, name, &call.arguments, sets_up, span),
            None => self.own_call(name, &call.arguments, span),
        }
    }

    fn known(&self, name: &str) -> Option<Known> {
        let signature = self.functions.get(name);
        let is_defined = signature.is_some_and(|it| it.definition.is_some());
        let is_of_scheduler = self.header.is_some() && threads::FUNCTIONS.contains(&name);
        match known(name, &self.errors, is_defined) {
            None if is_of_scheduler && !is_defined => Some(Known::Scheduler),
            known => known,
        }
    }
    fn known_call(
        &mut self,
        known: Known,
        name: &str,
        arguments: &'a [Node<ast::Expression>],
        sets_up: bool,
        span: Span,
    ) -> Result<Expression, Failed> {
        let kind = match known {
            Known::Scheduler => return self.scheduler_call(name, arguments, sets_up, span),
            Known::Error => Kind::Fail(self.evaluated(arguments)?),
            Known::Stop => Kind::Stop(self.evaluated(arguments)?),
            Known::Assert | Known::Assume => {
                let [condition] = arguments else {
                    return self.wrong_count(name, 1, arguments.len(), span);
                };
                let condition = Box::new(self.value(condition)?);
                match (known, &self.errors.only) {
                    (Known::Assert, None) => Kind::Assert(condition),
                    _ => Kind::Assume(condition),
                }
            }
            Known::Arbitrary => {
                if !arguments.is_empty() {
                    return self.wrong_count(name, 0, arguments.len(), span);
                }
                let of = self.arbitrary_type(name, span)?;
                let kind = Kind::Arbitrary(name.to_owned());
                return Ok(Expression { kind, of, span });
            }
        };
        let of = Type::Void;
        Ok(Expression { kind, of, span })
    }

    /// The type of any value: that of the declaration, or the rest of the name.
    fn arbitrary_type(&mut self, name: &str, span: Span) -> Result<Type, Failed> {
        let declared = self.functions.get(name).map(|it| it.result);
        let rest = ARBITRARY.iter().find_map(|it| name.strip_prefix(it));
        let of = declared.unwrap_or(match rest {
            Some("int") => Declared::Read(Type::Int),
            Some("char") => Declared::Read(Type::Char),
            Some("bool" | "_Bool") => Declared::Read(Type::Bool),
            _ => {
                Declared::Refused("arbitrary values of types other than `int`, `char` and `_Bool`")
            }
        });
        match of {
            Declared::Read(Type::Void) => self.refuse(span, "arbitrary values of type `void`"),
            Declared::Read(of) => Ok(of),
            Declared::Refused(what) => self.refuse(span, what),
        }
    }

    /// What is evaluated of the arguments of a function that does not return: texts and names of functions are not.
    fn evaluated(
        &mut self,
        arguments: &'a [Node<ast::Expression>],
    ) -> Result<Vec<Expression>, Failed> {
        let mut all = Vec::new();
        for argument in arguments {
            match &argument.node {
                ast::Expression::StringLiteral(_) => {}
                ast::Expression::Identifier(name) if name.node.name.starts_with("__") => {}
                _ => all.push(self.expression(argument)?),
            }
        }
        Ok(all)
    }

    fn own_call(
        &mut self,
        name: &str,
        arguments: &'a [Node<ast::Expression>],
        span: Span,
    ) -> Result<Expression, Failed> {
        let number = self.function_of(name, span)?;
        let parameters = self.unit.functions[number].parameters.clone();
        let of = self.unit.functions[number].result;
        if parameters.len() != arguments.len() {
            return self.wrong_count(name, parameters.len(), arguments.len(), span);
        }
        let mut values = Vec::new();
        for (argument, parameter) in arguments.iter().zip(parameters) {
            let value = self.value(argument)?;
            values.push(self.converted(value, self.unit.variables[parameter].of)?);
        }
        let kind = Kind::Call(number, values);
        Ok(Expression { kind, of, span })
    }

    pub(super) fn wrong_count<T>(
        &mut self,
        name: &str,
        wanted: usize,
        given: usize,
        span: Span,
    ) -> Result<T, Failed> {
        let message = format!("`{name}` takes {wanted} arguments, but {given} are given");
        self.fault(Category::Sort, span, message)
    }
}
