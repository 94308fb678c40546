//! Commands that define names, and the lists of names with sorts in them, as all formats on top of SMT-LIB share them.

use super::reader::{TermReader, parameter, parameter_name};
use super::{Position, ReadError, Scope, Sexpr};
use crate::term::{Sort, Symbol, Term};
use rustc_hash::FxHashSet;

/// What a sort's expression stands for in a format.
pub type SortReader<'a> = dyn Fn(&Sexpr) -> Result<Sort, ReadError> + 'a;

/// Reads one of the sorts Bool, Int and Real.
///
/// # Errors
/// When it is another one.
pub fn read_sort(expression: &Sexpr) -> Result<Sort, ReadError> {
    match expression.as_symbol() {
        Some("Bool") => Ok(Sort::Bool),
        Some("Int") => Ok(Sort::Int),
        Some("Real") => Ok(Sort::Real),
        _ => Err(ReadError::unsupported(
            expression.position,
            "only the sorts Bool, Int and Real are supported",
        )),
    }
}

/// Reads a name.
///
/// # Errors
/// When it is not a symbol.
pub fn read_new_name(expression: &Sexpr) -> Result<&str, ReadError> {
    expression
        .as_symbol()
        .ok_or_else(|| ReadError::malformed(expression.position, "a name is expected here"))
}

/// The pairs of a list `((name sort) ...)`, each a name and the expression of its sort.
///
/// # Errors
/// When it is no such list.
pub fn read_sorted_names(expression: &Sexpr) -> Result<Vec<(&Sexpr, &Sexpr)>, ReadError> {
    let malformed = |position| ReadError::malformed(position, "expected `((name sort) ...)`");
    let list = expression
        .as_list()
        .ok_or_else(|| malformed(expression.position))?;
    let mut pairs = Vec::with_capacity(list.len());
    for element in list {
        match element.as_list() {
            Some([name, sort]) if name.as_symbol().is_some() => pairs.push((name, sort)),
            _ => return Err(malformed(element.position)),
        }
    }
    Ok(pairs)
}

/// A command `(define-fun name ((parameter sort) ...) sort body)` or `(define-const name sort body)`, its body not read yet.
pub struct FunctionDefinition<'a> {
    /// The name that is defined.
    pub name: &'a str,
    /// Where the name stands.
    pub position: Position,
    /// The parameters, as the body's reader knows them.
    pub parameters: Vec<Symbol>,
    /// The sort of the body.
    pub sort: Sort,
    /// The body.
    pub body: &'a Sexpr,
    /// Whether a parameter is a divisor in the body, so that it has to be read anew with the arguments.
    has_parameter_divisors: bool,
}

impl<'a> FunctionDefinition<'a> {
    /// Takes the command apart, given as the elements of its list.
    ///
    /// # Errors
    /// When it has another form, a parameter occurs twice, or a sort is not known.
    pub fn of_command(
        elements: &'a [Sexpr],
        position: Position,
        sorts: &SortReader<'_>,
    ) -> Result<FunctionDefinition<'a>, ReadError> {
        let command = elements.first().and_then(Sexpr::as_symbol);
        let (name, parameters, sort, body) = match (command, elements) {
            (Some("define-fun"), [_, name, parameters, sort, body]) => {
                (name, read_parameters(parameters, sorts)?, sort, body)
            }
            (Some("define-const"), [_, name, sort, body]) => (name, Vec::new(), sort, body),
            (Some("define-const"), _) => {
                return Err(ReadError::malformed(
                    position,
                    "expected `(define-const name sort term)`",
                ));
            }
            _ => {
                return Err(ReadError::malformed(
                    position,
                    "expected `(define-fun name ((parameter sort) ...) sort term)`",
                ));
            }
        };
        Ok(FunctionDefinition {
            name: read_new_name(name)?,
            position: name.position,
            parameters,
            sort: sorts(sort)?,
            body,
            has_parameter_divisors: false,
        })
    }

    /// Reads the body, in which the parameters are bound.
    ///
    /// # Errors
    /// When the body is not a well-sorted term.
    pub fn read_body(&mut self, mut reader: TermReader<'_>) -> Result<Term, ReadError> {
        for parameter in &self.parameters {
            reader.bind(parameter);
        }
        if !self.parameters.is_empty() {
            reader.allow_parameter_divisors();
        }
        let body = reader.read(self.body)?;
        self.has_parameter_divisors = reader.has_parameter_divisors();
        Ok(body)
    }

    /// Adds the definition with its body to a scope.
    ///
    /// # Errors
    /// When the body has another sort than declared, or the name is taken.
    pub fn add_to(self, scope: &mut Scope, body: Term) -> Result<(), ReadError> {
        let body = if self.sort == Sort::Real && body.sort() == Sort::Int {
            body.to_real()
        } else {
            body
        };
        if body.sort() != self.sort {
            return Err(ReadError::malformed(
                self.body.position,
                format!(
                    "`{}` is declared with sort {}, but its body has sort {}",
                    self.name,
                    self.sort,
                    body.sort()
                ),
            ));
        }
        if self.has_parameter_divisors {
            let body = (body, self.body);
            return scope.define_as_text(self.name, self.parameters, body, self.position);
        }
        scope.define(self.name, self.parameters, body, self.position)
    }
}

fn read_parameters(expression: &Sexpr, sorts: &SortReader<'_>) -> Result<Vec<Symbol>, ReadError> {
    let mut parameters: Vec<Symbol> = Vec::new();
    let mut names = FxHashSet::default();
    for (name, sort) in read_sorted_names(expression)? {
        let symbol = parameter(read_new_name(name)?, sorts(sort)?);
        if !names.insert(symbol.name().to_owned()) {
            return Err(ReadError::malformed(
                name.position,
                format!("the parameter `{}` occurs twice", parameter_name(&symbol)),
            ));
        }
        parameters.push(symbol);
    }
    Ok(parameters)
}
