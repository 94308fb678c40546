//! The definitions of a file, whichever tool wrote it.
//!
//! Top-level words such as `sat` and commands that define nothing are passed over, `(model ...)` and plain parentheses are opened.
//! Names are those of the system's symbols, unless the file declares variables of its own; what is declared must then agree with the
//! system in sort.

use slabcert_certificates::smtlib::{
    Position, ReadError, Scope, Sexpr, TermReader, parameter, parameter_name, read_new_name,
    read_sort,
};
use slabcert_certificates::system::{Predicate, System};
use slabcert_certificates::term::{Sort, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// What VMT-LIB annotates invariants with.
const INVARIANT: &str = ":invar-property";

/// A definition.
pub(super) struct Function<'a> {
    pub name: &'a str,
    pub position: Position,
    /// The parameters, and where they are declared.
    pub parameters: Vec<(Symbol, Position)>,
    pub body: Term,
    /// The body as it is written.
    pub source: &'a Sexpr,
    /// Whether the body is annotated `:invar-property`.
    is_annotated: bool,
}

/// All definitions of a file, in its order.
pub(super) struct Functions<'a> {
    list: Vec<Function<'a>>,
    /// Names that definitions mention.
    used: BTreeSet<&'a str>,
}

impl<'a> Functions<'a> {
    /// Reads the definitions of a file about a system.
    pub fn read(commands: &'a [Sexpr], system: &System) -> Result<Functions<'a>, ReadError> {
        let opened = open(commands);
        let is_predicate = |name: &str| system.predicates.iter().any(|it| it.name == name);
        let declared: BTreeSet<&str> = opened
            .iter()
            .filter_map(|command| {
                let name = command.as_list()?.get(1)?.as_symbol()?;
                match command.head()? {
                    "declare-fun" | "declare-const" => Some(name),
                    // A predicate may have the name of a variable, which its clauses mention.
                    "define-fun" | "define-const" => is_predicate(name).then_some(name),
                    _ => None,
                }
            })
            .collect();
        let mut reader = Reader {
            system,
            scope: Scope::default(),
            functions: Functions {
                list: Vec::new(),
                used: BTreeSet::new(),
            },
        };
        let start = Position { line: 1, column: 1 };
        for symbol in system_symbols(system) {
            if !declared.contains(symbol.name()) {
                reader.scope.declare(symbol.clone(), start)?;
            }
        }
        for command in opened {
            reader.command(command)?;
        }
        Ok(reader.functions)
    }

    /// The definitions whose bodies are annotated `:invar-property`.
    pub fn annotated(&self) -> impl Iterator<Item = &Function<'a>> {
        self.list.iter().filter(|function| function.is_annotated)
    }

    /// The definitions of predicates of the Horn clauses that the system was made from.
    pub fn of_predicates<'s>(
        &self,
        system: &'s System,
    ) -> impl Iterator<Item = (&Function<'a>, &'s Predicate)> {
        self.list.iter().filter_map(|function| {
            let mut predicates = system.predicates.iter();
            let predicate = predicates.find(|predicate| predicate.name == function.name)?;
            Some((function, predicate))
        })
    }

    /// The functions to Bool that no other definition uses.
    pub fn roots(&self) -> impl Iterator<Item = &Function<'a>> {
        self.list.iter().filter(|function| {
            function.body.sort() == Sort::Bool && !self.used.contains(function.name)
        })
    }
}

fn system_symbols(system: &System) -> impl Iterator<Item = &Symbol> {
    let states = system.variables.iter();
    let states = states.flat_map(|variable| [&variable.current, &variable.next]);
    states.chain(system.inputs.iter().map(|input| &input.symbol))
}

/// The commands, also those inside of `(model ...)` or plain parentheses.
fn open(commands: &[Sexpr]) -> Vec<&Sexpr> {
    let mut waiting: Vec<&Sexpr> = commands.iter().rev().collect();
    let mut opened = Vec::new();
    while let Some(command) = waiting.pop() {
        match command.as_list() {
            Some([]) => {}
            Some([_, rest @ ..]) if command.head() == Some("model") => {
                waiting.extend(rest.iter().rev());
            }
            Some(elements) if elements[0].as_list().is_some() => {
                waiting.extend(elements.iter().rev());
            }
            _ => opened.push(command),
        }
    }
    opened
}

struct Reader<'a, 's> {
    system: &'s System,
    scope: Scope,
    functions: Functions<'a>,
}

fn malformed<T>(position: Position, message: impl Into<String>) -> Result<T, ReadError> {
    Err(ReadError::malformed(position, message))
}

impl<'a> Reader<'a, '_> {
    fn command(&mut self, command: &'a Sexpr) -> Result<(), ReadError> {
        let position = command.position;
        let Some(elements) = command.as_list() else {
            return match command.as_symbol() {
                // What solvers say before their model.
                Some("sat" | "unsat" | "safe" | "unknown" | "success") => Ok(()),
                _ => malformed(
                    position,
                    "a definition such as `(define-fun invariant () Bool ...)` is expected",
                ),
            };
        };
        match (command.head(), elements) {
            (Some("define-fun"), [_, name, parameters, sort, body]) => {
                let parameters = read_parameters(parameters)?;
                self.define(name, parameters, sort, body)
            }
            (Some("define-const"), [_, name, sort, body]) => {
                self.define(name, Vec::new(), sort, body)
            }
            (Some("declare-fun"), [_, name, parameters, sort]) => match parameters.as_list() {
                Some([]) => self.declare(name, sort),
                // What Horn clauses declare for their predicates says nothing.
                Some(_) => Ok(()),
                None => malformed(parameters.position, "a list of sorts is expected here"),
            },
            (Some("declare-const"), [_, name, sort]) => self.declare(name, sort),
            (Some("assert"), [_, body]) => self.assert(body, position),
            (Some(name @ ("define-fun" | "define-const" | "declare-fun" | "declare-const")), _) => {
                malformed(position, format!("`{name}` has too many parts, or too few"))
            }
            (
                Some(
                    "set-info" | "set-logic" | "set-option" | "check-sat" | "get-model" | "push"
                    | "pop",
                ),
                _,
            ) => Ok(()),
            (Some(name), _) => Err(ReadError::unsupported(
                position,
                format!("`{name}` is not supported here; an invariant is given by `define-fun`"),
            )),
            (None, _) => malformed(position, "a command begins with its name"),
        }
    }

    /// A variable of the file stands for that of the system.
    fn declare(&mut self, name: &Sexpr, sort: &Sexpr) -> Result<(), ReadError> {
        let symbol = Symbol::new(read_new_name(name)?, read_sort(sort)?);
        let own = system_symbols(self.system).find(|own| own.name() == symbol.name());
        if let Some(own) = own
            && own.sort() != symbol.sort()
        {
            return malformed(
                sort.position,
                format!(
                    "`{}` has sort {} here, but {} in the system",
                    symbol.name(),
                    symbol.sort(),
                    own.sort()
                ),
            );
        }
        self.scope.declare(symbol, name.position)
    }

    fn define(
        &mut self,
        name: &'a Sexpr,
        parameters: Vec<(Symbol, Position)>,
        sort: &Sexpr,
        source: &'a Sexpr,
    ) -> Result<(), ReadError> {
        let defined = read_new_name(name)?;
        let sort = read_sort(sort)?;
        let (body, is_annotated) = self.body(&parameters, source)?;
        let body = match sort {
            Sort::Real if body.sort() == Sort::Int => body.to_real(),
            _ => body,
        };
        if body.sort() != sort {
            return malformed(
                source.position,
                format!(
                    "`{defined}` is declared with sort {sort}, but its body has sort {}",
                    body.sort()
                ),
            );
        }
        let symbols = parameters
            .iter()
            .map(|(symbol, _)| symbol.clone())
            .collect();
        self.scope
            .define(defined, symbols, body.clone(), name.position)?;
        self.note_uses(&parameters, source);
        self.functions.list.push(Function {
            name: defined,
            position: name.position,
            parameters,
            body,
            source,
            is_annotated,
        });
        Ok(())
    }

    /// Some tools annotate assertions instead of definitions; what is asserted otherwise says nothing about the invariant.
    fn assert(&mut self, source: &'a Sexpr, position: Position) -> Result<(), ReadError> {
        if source.head() != Some("!") {
            return Ok(());
        }
        let (body, is_annotated) = self.body(&[], source)?;
        if is_annotated {
            self.functions.list.push(Function {
                name: "assert",
                position,
                parameters: Vec::new(),
                body,
                source,
                is_annotated,
            });
        }
        Ok(())
    }

    /// A body, and whether it is annotated `:invar-property`.
    fn body(
        &self,
        parameters: &[(Symbol, Position)],
        source: &Sexpr,
    ) -> Result<(Term, bool), ReadError> {
        let mut is_annotated = false;
        let mut handler = |term: &Term, attributes: &[Sexpr], position: Position| {
            // What is annotated inside of a formula is not the formula.
            if position == source.position {
                let mut keywords = attributes.iter().filter_map(Sexpr::as_keyword);
                is_annotated |= term.sort() == Sort::Bool && keywords.any(|word| word == INVARIANT);
            }
            Ok(())
        };
        let mut reader = TermReader::with_annotations(&self.scope, &mut handler);
        for (parameter, _) in parameters {
            reader.bind(parameter);
        }
        let body = reader.read(source)?;
        Ok((body, is_annotated))
    }

    /// Takes note of the definitions that a body mentions. A name that a parameter or a `let` binds is another thing, and so are the
    /// words of annotations.
    fn note_uses(&mut self, parameters: &[(Symbol, Position)], source: &'a Sexpr) {
        let mut bound: BTreeMap<&str, usize> = BTreeMap::new();
        for (parameter, _) in parameters {
            *bound.entry(parameter_name(parameter)).or_default() += 1;
        }
        let mut waiting = vec![Visit::Term(source)];
        while let Some(visit) = waiting.pop() {
            let expression = match visit {
                Visit::Term(expression) => expression,
                Visit::Bind(bindings) => {
                    for name in bound_names(bindings) {
                        *bound.entry(name).or_default() += 1;
                    }
                    continue;
                }
                Visit::Release(bindings) => {
                    for name in bound_names(bindings) {
                        if let Some(times) = bound.get_mut(name) {
                            *times = times.saturating_sub(1);
                        }
                    }
                    continue;
                }
            };
            if let Some(name) = expression.as_symbol()
                && bound.get(name).copied().unwrap_or_default() == 0
            {
                self.functions.used.insert(name);
            }
            let elements = expression.as_list().unwrap_or_default();
            match (expression.head(), elements) {
                (Some("!"), [_, term, ..]) => waiting.push(Visit::Term(term)),
                (Some("let"), [_, bindings, body]) => {
                    waiting.extend([
                        Visit::Release(bindings),
                        Visit::Term(body),
                        Visit::Bind(bindings),
                    ]);
                    // Values are outside of the scope of what they are bound to.
                    let values = pairs(bindings).map(|(_, value)| Visit::Term(value));
                    waiting.extend(values);
                }
                _ => waiting.extend(elements.iter().map(Visit::Term)),
            }
        }
    }
}

/// What is to be done on the way through a body.
enum Visit<'a> {
    /// Looking at a term.
    Term(&'a Sexpr),
    /// Entering the scope of bindings.
    Bind(&'a Sexpr),
    /// Leaving the scope of bindings.
    Release(&'a Sexpr),
}

/// The names and values of a list `((name value) ...)`.
fn pairs(bindings: &Sexpr) -> impl Iterator<Item = (&Sexpr, &Sexpr)> {
    let elements = bindings.as_list().unwrap_or_default().iter();
    elements.filter_map(|binding| match binding.as_list() {
        Some([name, value]) => Some((name, value)),
        _ => None,
    })
}

fn bound_names(bindings: &Sexpr) -> impl Iterator<Item = &str> {
    pairs(bindings).filter_map(|(name, _)| name.as_symbol())
}

fn read_parameters(expression: &Sexpr) -> Result<Vec<(Symbol, Position)>, ReadError> {
    let Some(list) = expression.as_list() else {
        return malformed(expression.position, "expected `((parameter sort) ...)`");
    };
    let mut names = BTreeSet::new();
    let mut parameters = Vec::with_capacity(list.len());
    for element in list {
        let Some([name, sort]) = element.as_list() else {
            return malformed(element.position, "expected `(parameter sort)`");
        };
        let symbol = parameter(read_new_name(name)?, read_sort(sort)?);
        if !names.insert(parameter_name(&symbol).to_owned()) {
            return malformed(
                name.position,
                format!("the parameter `{}` occurs twice", parameter_name(&symbol)),
            );
        }
        parameters.push((symbol, name.position));
    }
    Ok(parameters)
}
