//! Reading terms from S-expressions within a scope of declared symbols and definitions.
//!
//! Definitions are expanded where they are used (sub-terms are shared, so nothing grows). Integer numerals are promoted to reals
//! where a real is expected, as most writers of SMT-LIB files rely on.

mod divisors;
mod numbers;

use super::definitions::{read_new_name, read_sort, read_sorted_names};
use super::extension::{Extension, Quantifier};
use super::scope::{Definition, Scope, is_reserved};
use super::{Atom, Position, ReadError, ReadErrorKind, Sexpr, SexprKind};
use crate::term::{Operator, Sort, Substitution, Symbol, Term, TermError, Value};
pub(super) use numbers::divide;
use numbers::{read_decimal, read_integer};
use rustc_hash::{FxHashMap, FxHashSet};

/// An annotation of a term, `(! t :key value)`, with the term it is about.
pub type AnnotationHandler<'a> = dyn FnMut(&Term, &[Sexpr], Position) -> Result<(), ReadError> + 'a;

/// Reads terms within a scope.
pub struct TermReader<'a> {
    scope: &'a Scope,
    locals: FxHashMap<String, Vec<Term>>,
    annotations: Option<&'a mut AnnotationHandler<'a>>,
    extension: Option<&'a mut dyn Extension>,
    /// Where parameters may be divisors: whether one was.
    parameter_divisors: Option<bool>,
    /// How many bodies are being read anew, each inside of the one before.
    nested_bodies: usize,
}

impl<'a> TermReader<'a> {
    /// A reader that refuses annotations.
    pub fn new(scope: &'a Scope) -> TermReader<'a> {
        TermReader {
            scope,
            locals: FxHashMap::default(),
            annotations: None,
            extension: None,
            parameter_divisors: None,
            nested_bodies: 0,
        }
    }

    /// A reader that hands each annotation to the function.
    pub fn with_annotations(
        scope: &'a Scope,
        handler: &'a mut AnnotationHandler<'a>,
    ) -> TermReader<'a> {
        TermReader {
            scope,
            locals: FxHashMap::default(),
            annotations: Some(handler),
            extension: None,
            parameter_divisors: None,
            nested_bodies: 0,
        }
    }

    /// The same reader, which also takes what a format adds.
    #[must_use]
    pub fn extended(mut self, extension: &'a mut dyn Extension) -> TermReader<'a> {
        self.extension = Some(extension);
        self
    }

    /// Makes a parameter of a definition visible under its written name.
    pub fn bind(&mut self, parameter: &Symbol) {
        self.locals
            .entry(parameter_name(parameter).to_owned())
            .or_default()
            .push(Term::symbol(parameter.clone()));
    }

    /// Reads one term.
    ///
    /// # Errors
    /// When it is not a well-sorted term of the scope, or beyond what is supported.
    pub fn read(&mut self, expression: &Sexpr) -> Result<Term, ReadError> {
        match &expression.kind {
            SexprKind::Atom(atom) => self.read_atom(atom, expression.position),
            SexprKind::List(elements) => self.read_list(elements, expression.position),
        }
    }

    fn read_atom(&mut self, atom: &Atom, position: Position) -> Result<Term, ReadError> {
        match atom {
            Atom::Numeral(digits) => read_integer(digits, position).map(Term::int),
            Atom::Decimal(digits) => read_decimal(digits, position).map(Term::real),
            Atom::Symbol(name, quoted) => self.read_name(name, *quoted, position),
            Atom::Keyword(name) => Err(ReadError::malformed(
                position,
                format!("`{name}` is a keyword, but a term is expected"),
            )),
            Atom::Text(_) => Err(ReadError::unsupported(
                position,
                "strings are not supported in terms",
            )),
            Atom::BitVector(text) => Err(ReadError::unsupported(
                position,
                format!("bit-vectors are not supported: `{text}`"),
            )),
        }
    }

    fn read_name(
        &mut self,
        name: &str,
        quoted: bool,
        position: Position,
    ) -> Result<Term, ReadError> {
        if let Some(term) = self.locals.get(name).and_then(|stack| stack.last()) {
            return Ok(term.clone());
        }
        if let Some(symbol) = self.scope.symbols.get(name) {
            return Ok(Term::symbol(symbol.clone()));
        }
        if let Some(definition) = self.scope.definitions.get(name) {
            if !definition.parameters.is_empty() {
                return Err(ReadError::malformed(
                    position,
                    format!("`{name}` takes {} arguments", definition.parameters.len()),
                ));
            }
            return Ok(definition.body.clone());
        }
        match name {
            "true" if !quoted => Ok(Term::bool(true)),
            "false" if !quoted => Ok(Term::bool(false)),
            _ => self.added(name, &[], position).unwrap_or_else(|| {
                Err(ReadError::malformed(
                    position,
                    format!("`{name}` is not declared"),
                ))
            }),
        }
    }

    /// What the format makes of an application.
    fn added(
        &mut self,
        name: &str,
        arguments: &[Term],
        position: Position,
    ) -> Option<Result<Term, ReadError>> {
        self.extension.as_mut()?.apply(name, arguments, position)
    }

    fn read_list(&mut self, elements: &[Sexpr], position: Position) -> Result<Term, ReadError> {
        let Some(head) = elements.first() else {
            return Err(ReadError::malformed(position, "`()` is not a term"));
        };
        let Some(name) = head.as_symbol() else {
            return match head.head() {
                Some("_" | "as") => self.read_indexed(head, &elements[1..], position),
                _ => Err(ReadError::malformed(
                    head.position,
                    "a function name is expected here",
                )),
            };
        };
        match name {
            "let" => self.read_let(elements, position),
            "!" => self.read_annotated(elements, position),
            "forall" => self.read_quantified(Quantifier::All, elements, position),
            "exists" => self.read_quantified(Quantifier::Some, elements, position),
            "_" => Err(ReadError::unsupported(
                position,
                "indexed terms such as bit-vector constants are not supported",
            )),
            "match" | "as" => Err(ReadError::unsupported(
                position,
                format!("`{name}` is not supported"),
            )),
            _ => {
                let mut arguments = Vec::with_capacity(elements.len() - 1);
                for element in &elements[1..] {
                    arguments.push(self.read(element)?);
                }
                self.apply(name, arguments, position)
            }
        }
    }

    fn read_let(&mut self, elements: &[Sexpr], position: Position) -> Result<Term, ReadError> {
        let malformed =
            |position| ReadError::malformed(position, "expected `(let ((name term) ...) term)`");
        let [_, bindings, body] = elements else {
            return Err(malformed(position));
        };
        let bindings = bindings
            .as_list()
            .ok_or_else(|| malformed(bindings.position))?;
        let mut bound: Vec<(String, Term)> = Vec::with_capacity(bindings.len());
        let mut names = FxHashSet::default();
        for binding in bindings {
            let Some([name, value]) = binding.as_list() else {
                return Err(malformed(binding.position));
            };
            let name = name.as_symbol().ok_or_else(|| malformed(name.position))?;
            if is_reserved(name) || !names.insert(name) {
                return Err(ReadError::malformed(
                    binding.position,
                    format!("`{name}` cannot be bound here (bound twice, or a name of SMT-LIB)"),
                ));
            }
            let value = self.read(value)?;
            bound.push((name.to_owned(), value));
        }
        for (name, value) in &bound {
            self.locals
                .entry(name.clone())
                .or_default()
                .push(value.clone());
        }
        let result = self.read(body);
        for (name, _) in &bound {
            if let Some(stack) = self.locals.get_mut(name) {
                stack.pop();
            }
        }
        result
    }

    fn read_quantified(
        &mut self,
        quantifier: Quantifier,
        elements: &[Sexpr],
        position: Position,
    ) -> Result<Term, ReadError> {
        let [_, bindings, body] = elements else {
            return Err(ReadError::malformed(
                position,
                "expected a quantifier, `((variable sort) ...)` and a formula",
            ));
        };
        let unsupported = || ReadError::unsupported(position, "quantifiers are not supported");
        let extension = self.extension.as_mut().ok_or_else(unsupported)?;
        let mut names = Vec::new();
        let mut variables = Vec::new();
        for (name, sort) in read_sorted_names(bindings)? {
            let (name, sort) = (read_new_name(name)?, read_sort(sort)?);
            let variable = extension.bound_variable(name, sort);
            variables.push(variable.ok_or_else(unsupported)?);
            names.push(name);
        }
        for (name, variable) in names.iter().zip(&variables) {
            let stack = self.locals.entry((*name).to_owned()).or_default();
            stack.push(Term::symbol(variable.clone()));
        }
        let read = self.read(body);
        for name in names {
            if let Some(stack) = self.locals.get_mut(name) {
                stack.pop();
            }
        }
        let read = read?;
        if read.sort() != Sort::Bool {
            return Err(ReadError::malformed(
                body.position,
                format!(
                    "a formula is expected here, this term has sort {}",
                    read.sort()
                ),
            ));
        }
        let extension = self.extension.as_mut().ok_or_else(unsupported)?;
        Ok(extension.quantified(quantifier, variables, read))
    }

    fn read_annotated(
        &mut self,
        elements: &[Sexpr],
        position: Position,
    ) -> Result<Term, ReadError> {
        if elements.len() < 2 {
            return Err(ReadError::malformed(
                position,
                "expected `(! term :keyword ...)`",
            ));
        }
        let term = self.read(&elements[1])?;
        match self.annotations.as_mut() {
            Some(handler) => handler(&term, &elements[2..], position)?,
            None => {
                return Err(ReadError::malformed(
                    position,
                    "annotations are not allowed here",
                ));
            }
        }
        Ok(term)
    }

    fn apply(
        &mut self,
        name: &str,
        arguments: Vec<Term>,
        position: Position,
    ) -> Result<Term, ReadError> {
        if let Some(definition) = self.scope.definitions.get(name) {
            self.scope
                .spend(position, |work| work.charge(EXPANSION * definition.size))?;
            return match &definition.text {
                Some(text) => self.expand_text(name, (definition, text), arguments, position),
                None => expand(name, definition, arguments, position),
            };
        }
        if self.scope.symbols.contains_key(name) || self.locals.contains_key(name) {
            return Err(ReadError::malformed(
                position,
                format!("`{name}` is not a function; it takes no arguments"),
            ));
        }
        if let Some(added) = self.added(name, &arguments, position) {
            return added;
        }
        let synonym = self
            .extension
            .as_ref()
            .and_then(|extension| extension.synonym(name));
        let name = synonym.unwrap_or(name);
        let arguments = self.with_constant_divisors(name, arguments, position)?;
        // Constants are negated, promoted and divided here, each time as a number of its own.
        let mut constants = arguments.iter().filter_map(Term::as_constant);
        self.scope.spend(position, |work| {
            constants.try_for_each(|value| work.linear(value))
        })?;
        if name == "/" {
            return divide(self.scope, arguments, position);
        }
        apply_builtin(name, arguments, position)
    }
}

/// Expanding a definition makes parts, which take more than looking at them.
const EXPANSION: u64 = 4;

/// Begins the names of parameters; no symbol that is read has it in its name.
const PARAMETER_MARK: char = '|';

/// The symbol that stands for a parameter in the body of a definition. It differs from every symbol of the text, so that
/// putting an argument in its place leaves a declared symbol of the same name alone.
pub fn parameter(name: &str, sort: Sort) -> Symbol {
    Symbol::new(format!("{PARAMETER_MARK}{name}"), sort)
}

/// The name of a parameter as it is written.
pub fn parameter_name(parameter: &Symbol) -> &str {
    parameter.name().trim_start_matches(PARAMETER_MARK)
}

/// What the parameters of a function stand for.
fn arguments_of(
    name: &str,
    definition: &Definition,
    arguments: Vec<Term>,
    position: Position,
) -> Result<Substitution, ReadError> {
    if arguments.len() != definition.parameters.len() || arguments.is_empty() {
        return Err(ReadError::malformed(
            position,
            format!(
                "`{name}` takes {} arguments, but {} are given",
                definition.parameters.len(),
                arguments.len()
            ),
        ));
    }
    let mut substitution = Substitution::default();
    for (parameter, argument) in definition.parameters.iter().zip(arguments) {
        let argument = promote(argument, parameter.sort());
        if argument.sort() != parameter.sort() {
            return Err(ReadError::malformed(
                position,
                format!(
                    "`{name}` expects sort {} for `{}`, but {} is given",
                    parameter.sort(),
                    parameter_name(parameter),
                    argument.sort()
                ),
            ));
        }
        substitution.insert(parameter.clone(), argument);
    }
    Ok(substitution)
}

fn expand(
    name: &str,
    definition: &Definition,
    arguments: Vec<Term>,
    position: Position,
) -> Result<Term, ReadError> {
    let substitution = arguments_of(name, definition, arguments, position)?;
    let result = definition.body.substitute(&substitution);
    if result.depth() > crate::term::MAXIMAL_DEPTH {
        return Err(term_error(TermError::TooDeep, position));
    }
    Ok(result)
}

fn promote(term: Term, wanted: Sort) -> Term {
    if wanted == Sort::Real && term.sort() == Sort::Int {
        term.to_real()
    } else {
        term
    }
}

fn term_error(error: TermError, position: Position) -> ReadError {
    let kind = match error {
        TermError::Divisor { .. } => ReadErrorKind::Unsupported,
        _ => ReadErrorKind::Malformed,
    };
    ReadError {
        position,
        message: error.to_string(),
        kind,
    }
}

/// The operator of a function name with that many arguments.
fn operator_of(name: &str, arguments: usize) -> Option<Operator> {
    Some(match name {
        "not" => Operator::Not,
        "and" => Operator::And,
        "or" => Operator::Or,
        "=>" => Operator::Implies,
        "xor" => Operator::Xor,
        "ite" => Operator::Ite,
        "=" => Operator::Equal,
        "distinct" => Operator::Distinct,
        "+" => Operator::Add,
        "-" if arguments == 1 => Operator::Negate,
        "-" => Operator::Subtract,
        "*" => Operator::Multiply,
        "/" => Operator::Divide,
        "div" => Operator::IntegerDivide,
        "mod" => Operator::Modulo,
        "abs" => Operator::Absolute,
        "<=" => Operator::LessOrEqual,
        "<" => Operator::Less,
        ">=" => Operator::GreaterOrEqual,
        ">" => Operator::Greater,
        "to_real" => Operator::ToReal,
        "to_int" => Operator::ToInt,
        "is_int" => Operator::IsInt,
        _ => return None,
    })
}

fn unknown_function(name: &str, position: Position) -> ReadError {
    if name.starts_with("bv") || ["concat", "select", "store"].contains(&name) {
        return ReadError::unsupported(
            position,
            format!("`{name}` belongs to a theory that is not supported"),
        );
    }
    ReadError::malformed(position, format!("`{name}` is not a declared function"))
}

/// Applies a function of SMT-LIB: chains and left-associative operators become binary ones, integers are promoted to reals where
/// they meet reals, and a quotient of constants becomes a constant.
pub(super) fn apply_builtin(
    name: &str,
    mut arguments: Vec<Term>,
    position: Position,
) -> Result<Term, ReadError> {
    let build = |operator, arguments| {
        Term::apply(operator, arguments).map_err(|error| term_error(error, position))
    };
    let operator =
        operator_of(name, arguments.len()).ok_or_else(|| unknown_function(name, position))?;
    promote_arguments(operator, &mut arguments);
    match operator {
        Operator::Negate => {
            if let Some(value) = arguments[0].as_constant() {
                match value {
                    Value::Int(number) => return Ok(Term::int(-number)),
                    Value::Real(number) => return Ok(Term::real(-number)),
                    Value::Bool(_) => {}
                }
            }
            build(operator, arguments)
        }
        Operator::ToReal if arguments.len() == 1 && arguments[0].sort() != Sort::Bool => {
            Ok(arguments.remove(0).to_real())
        }
        _ if arguments.len() > 2 => chain(operator, arguments, position),
        _ => build(operator, arguments),
    }
}

/// More than two arguments: right-associative, chained, left-associative, or an operator that takes them all.
fn chain(
    operator: Operator,
    mut arguments: Vec<Term>,
    position: Position,
) -> Result<Term, ReadError> {
    let build = |operator, arguments| {
        Term::apply(operator, arguments).map_err(|error| term_error(error, position))
    };
    match operator {
        Operator::Implies => {
            let mut result = arguments.pop().unwrap_or_else(|| Term::bool(true));
            while let Some(premise) = arguments.pop() {
                result = build(operator, vec![premise, result])?;
            }
            Ok(result)
        }
        Operator::Equal
        | Operator::LessOrEqual
        | Operator::Less
        | Operator::GreaterOrEqual
        | Operator::Greater => {
            let mut links = Vec::with_capacity(arguments.len() - 1);
            for pair in arguments.windows(2) {
                links.push(build(operator, pair.to_vec())?);
            }
            build(Operator::And, links)
        }
        Operator::Xor | Operator::Subtract | Operator::IntegerDivide | Operator::Modulo => {
            let mut rest = arguments.into_iter();
            let mut result = rest.next().unwrap_or_else(|| Term::bool(true));
            for argument in rest {
                result = build(operator, vec![result, argument])?;
            }
            Ok(result)
        }
        _ => build(operator, arguments),
    }
}

fn promote_arguments(operator: Operator, arguments: &mut [Term]) {
    let mixes = matches!(
        operator,
        Operator::Equal
            | Operator::Distinct
            | Operator::Add
            | Operator::Subtract
            | Operator::Multiply
            | Operator::LessOrEqual
            | Operator::Less
            | Operator::GreaterOrEqual
            | Operator::Greater
            | Operator::Ite
    ) && arguments.iter().any(|term| term.sort() == Sort::Real);
    if mixes
        || matches!(
            operator,
            Operator::Divide | Operator::ToInt | Operator::IsInt
        )
    {
        for argument in arguments.iter_mut() {
            *argument = promote(argument.clone(), Sort::Real);
        }
    }
}

#[cfg(test)]
mod tests;
