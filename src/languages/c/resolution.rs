//! From the parser's tree to names that are numbers: what `main` reaches, and nothing else.
//!
//! Constructs that are not read are refused where they are used in what `main` reaches; declarations may say anything.

pub(super) mod calls;
mod expressions;
mod statements;
mod threads;
pub(super) mod types;

use super::syntax::{Expression, Function, Statement, Type, Unit, Variable};
use crate::languages::diagnostics::{Category, Diagnostic, Diagnostics};
use crate::languages::source::Span;
use lang_c::ast;
use lang_c::span::Node;
use rustc_hash::FxHashMap;
use statements::Control;
use types::Declared;

/// A fault was found; it is among the faults.
#[derive(Debug)]
pub(super) struct Failed;

/// How deep functions may call each other.
const MOST_CALLS: usize = 200;

const EXTERNAL: &str = "variables that are declared `extern` and defined nowhere";

/// What a name means.
#[derive(Clone)]
enum Meaning {
    Variable(usize),
    Constant(i64),
    TypeName(Declared),
    Function,
    Event(usize),
    Signal(usize),
    /// Something that is declared, and not read: what it is.
    Refused(&'static str),
}

/// A function as it is declared.
struct Signature<'a> {
    result: Declared,
    definition: Option<&'a ast::FunctionDefinition>,
    span: Span,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Untouched,
    InProgress,
    Done(usize),
    /// Something in it is among the faults.
    Failed,
}

/// What counts as an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Errors {
    /// The only function whose call is an error, if a task names one.
    pub only: Option<String>,
}

pub(super) struct Resolver<'a, 'f> {
    faults: &'f mut Diagnostics,
    errors: Errors,
    scopes: Vec<FxHashMap<String, Meaning>>,
    functions: FxHashMap<String, Signature<'a>>,
    unit: Unit,
    /// The function that is read, and what it gives.
    function: (String, Type),
    /// The variables of each open block.
    locals: Vec<Vec<usize>>,
    calls: usize,
    /// Whether faults are left to whoever asks for the value.
    is_quiet: bool,
    /// The labels of the function, what jumps go to, the open loops and switches.
    control: Control,
    /// What global variables start with, as far as it was not looked at yet.
    initials: Vec<(usize, &'a Node<ast::Initializer>)>,
    /// Where the text includes the header of threads.
    header: Option<usize>,
    /// Whether a statement of the outermost block of `main` is read, before any jump, that is a call.
    is_set_up: bool,
    /// Whether something was read that lets the threads run.
    is_simulated: bool,
}

/// Everything that `main` reaches; none if something in it is not read, which is among the faults then.
pub(super) fn resolve(
    unit: &ast::TranslationUnit,
    errors: Errors,
    header: Option<usize>,
    end: usize,
    faults: &mut Diagnostics,
) -> Option<Unit> {
    let unit_of_all = Unit {
        is_threaded: header.is_some(),
        has_one_error: errors.only.is_some(),
        ..Unit::default()
    };
    let mut resolver = Resolver {
        faults,
        errors,
        scopes: vec![FxHashMap::default()],
        functions: FxHashMap::default(),
        unit: unit_of_all,
        function: (String::new(), Type::Void),
        locals: Vec::new(),
        calls: 0,
        is_quiet: false,
        control: Control::default(),
        initials: Vec::new(),
        header,
        is_set_up: false,
        is_simulated: false,
    };
    resolver.unit(unit, end).ok()?;
    Some(resolver.unit)
}

pub(super) fn span_of<T>(node: &Node<T>) -> Span {
    Span::new(node.span.start, node.span.end)
}

impl<'a> Resolver<'a, '_> {
    fn fault<T>(
        &mut self,
        category: Category,
        span: Span,
        message: impl Into<String>,
    ) -> Result<T, Failed> {
        self.report(Diagnostic::new(category, span, message))
    }

    fn report<T>(&mut self, fault: Diagnostic) -> Result<T, Failed> {
        if !self.is_quiet {
            self.faults.push(fault);
        }
        Err(Failed)
    }

    /// Refuses a construct, and says what to write instead.
    fn refuse<T>(&mut self, span: Span, what: &str) -> Result<T, Failed> {
        let message = format!("{what} are not read");
        let fault = Diagnostic::new(Category::Unsupported, span, message);
        self.report(fault.help(types::way_out(what)))
    }

    fn unit(&mut self, unit: &'a ast::TranslationUnit, end: usize) -> Result<(), Failed> {
        for declaration in &unit.0 {
            match &declaration.node {
                ast::ExternalDeclaration::Declaration(declaration) => {
                    self.global(declaration)?;
                }
                ast::ExternalDeclaration::FunctionDefinition(definition) => {
                    self.definition(definition)?;
                }
                ast::ExternalDeclaration::StaticAssert(_) => {}
            }
        }
        for (variable, initializer) in std::mem::take(&mut self.initials) {
            let of = self.unit.variables[variable].of;
            let value = self.constant_initializer(initializer, of)?;
            self.unit.variables[variable].initial = Some(value);
        }
        let is_defined = |it: &Signature<'_>| it.definition.is_some();
        if !self.functions.get("main").is_some_and(is_defined) {
            let message = "the program has no function `main`";
            return self.fault(Category::Name, Span::new(end, end), message);
        }
        self.function_of("main", Span::new(end, end))?;
        Ok(())
    }

    /// A declaration of the file.
    fn global(&mut self, declaration: &'a Node<ast::Declaration>) -> Result<(), Failed> {
        let specified = self.specifiers(&declaration.node.specifiers);
        for declarator in &declaration.node.declarators {
            let Some((name, declared)) =
                types::declarator(&declarator.node.declarator, specified.of)
            else {
                continue;
            };
            let span = span_of(name);
            if declared.is_function && (specified.runs || declared.runs) {
                return self.refuse(span, types::ATTRIBUTES);
            }
            let name = name.node.name.clone();
            if specified.is_typedef {
                let of = self
                    .header_type(&name, declaration.span.start)
                    .unwrap_or(declared.of);
                self.declare(&name, Meaning::TypeName(of));
                continue;
            }
            if declared.is_function {
                self.signature(&name, declared.of, None, span);
                continue;
            }
            let is_external = specified.is_extern && declarator.node.initializer.is_none();
            match (self.scopes[0].get(&name), declared.of) {
                (Some(Meaning::Variable(_)), Declared::Read(_)) if is_external => {}
                (None, Declared::Read(_)) if is_external => {
                    self.declare_global(&name, Meaning::Refused(EXTERNAL));
                }
                (Some(Meaning::Variable(known)), Declared::Read(_)) => {
                    let known = *known;
                    self.initial(known, declarator);
                }
                (_, Declared::Read(of)) => {
                    let variable = self.variable(&name, of, None, span);
                    self.unit.variables[variable].initial = Some(0);
                    self.declare_global(&name, Meaning::Variable(variable));
                    self.initial(variable, declarator);
                }
                (_, Declared::Refused(threads::EVENTS | threads::SIGNALS)) if is_external => {}
                (_, Declared::Refused(what @ (threads::EVENTS | threads::SIGNALS)))
                    if declarator.node.initializer.is_none() =>
                {
                    self.event_or_signal(&name, what == threads::SIGNALS, span)?;
                }
                (_, Declared::Refused(what)) => {
                    self.declare_global(&name, Meaning::Refused(what));
                }
            }
        }
        Ok(())
    }

    fn initial(&mut self, variable: usize, declarator: &'a Node<ast::InitDeclarator>) {
        let initializer = declarator.node.initializer.as_ref();
        self.initials.extend(initializer.map(|it| (variable, it)));
    }

    fn definition(&mut self, definition: &'a Node<ast::FunctionDefinition>) -> Result<(), Failed> {
        let node = &definition.node;
        let specified = self.specifiers(&node.specifiers);
        if let Some((name, declared)) = types::declarator(&node.declarator, specified.of) {
            if specified.runs || declared.runs {
                return self.refuse(span_of(name), types::ATTRIBUTES);
            }
            self.signature(&name.node.name, declared.of, Some(node), span_of(name));
        }
        Ok(())
    }

    fn signature(
        &mut self,
        name: &str,
        result: Declared,
        definition: Option<&'a ast::FunctionDefinition>,
        span: Span,
    ) {
        let known = self.functions.entry(name.to_owned());
        let known = known.or_insert(Signature {
            result,
            definition: None,
            span,
            state: State::Untouched,
        });
        if definition.is_some() {
            (known.definition, known.span) = (definition, span);
        }
        self.declare(name, Meaning::Function);
    }

    fn declare(&mut self, name: &str, meaning: Meaning) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), meaning);
        }
    }

    fn declare_global(&mut self, name: &str, meaning: Meaning) {
        self.scopes[0].insert(name.to_owned(), meaning);
    }

    fn variable(&mut self, name: &str, of: Type, function: Option<String>, span: Span) -> usize {
        self.unit.variables.push(Variable {
            name: name.to_owned(),
            of,
            function,
            initial: None,
            span,
        });
        self.unit.variables.len() - 1
    }

    fn meaning(&self, name: &str) -> Option<&Meaning> {
        self.scopes.iter().rev().find_map(|it| it.get(name))
    }

    /// The number of a function with a body, which is read now if it was not before.
    fn function_of(&mut self, name: &str, span: Span) -> Result<usize, Failed> {
        let Some(signature) = self.functions.get_mut(name) else {
            return self.fault(Category::Name, span, format!("unknown function `{name}`"));
        };
        let (result, own) = (signature.result, signature.span);
        let definition = match (signature.state, signature.definition) {
            (State::Done(number), _) => return Ok(number),
            (State::Failed, _) => return Err(Failed),
            (State::InProgress, _) => {
                return self.refuse(span, types::RECURSION);
            }
            (State::Untouched, Some(definition)) => definition,
            (State::Untouched, None) => {
                let message = format!("the function `{name}` has no body");
                let fault = Diagnostic::new(Category::Unsupported, span, message);
                let help = "write a body, or call `nondet_int()` for a value that may be any";
                return self.report(fault.help(help));
            }
        };
        signature.state = State::InProgress;
        if self.calls >= MOST_CALLS {
            let message = format!("functions call each other more than {MOST_CALLS} levels deep");
            return self.fault(Category::Unsupported, span, message);
        }
        self.calls += 1;
        let read = self.function_inside(name, result, definition, own);
        self.calls -= 1;
        if let Some(signature) = self.functions.get_mut(name) {
            signature.state = read.as_ref().map_or(State::Failed, |it| State::Done(*it));
        }
        read
    }

    /// Reads a function where nothing but what is global is known.
    fn function_inside(
        &mut self,
        name: &str,
        result: Declared,
        definition: &'a ast::FunctionDefinition,
        span: Span,
    ) -> Result<usize, Failed> {
        let result = match result {
            Declared::Read(result) => result,
            Declared::Refused(what) => return self.refuse(span, what),
        };
        let caller = std::mem::replace(&mut self.function, (name.to_owned(), result));
        let scopes = self.scopes.split_off(1);
        let locals = std::mem::take(&mut self.locals);
        let control = std::mem::take(&mut self.control);
        let read = self.body(definition, span);
        self.scopes.truncate(1);
        self.scopes.extend(scopes);
        (self.locals, self.control, self.function) = (locals, control, caller);
        let (parameters, body) = read?;
        self.unit.functions.push(Function {
            name: name.to_owned(),
            parameters,
            result,
            body,
            span,
        });
        Ok(self.unit.functions.len() - 1)
    }

    fn body(
        &mut self,
        definition: &'a ast::FunctionDefinition,
        span: Span,
    ) -> Result<(Vec<usize>, Statement), Failed> {
        self.scopes.push(FxHashMap::default());
        let mut parameters = Vec::new();
        for parameter in types::parameters(&definition.declarator) {
            let specified = self.specifiers(&parameter.node.specifiers);
            let declarator = parameter.node.declarator.as_ref();
            let is_changed = types::is_changed(&parameter.node.extensions);
            let named = declarator.and_then(|it| types::declarator(it, specified.of));
            match named {
                Some((name, declared)) => {
                    let of = match declared.of {
                        Declared::Read(Type::Void) => {
                            Declared::Refused("parameters of type `void`")
                        }
                        _ if declared.is_function => Declared::Refused(types::POINTERS),
                        _ if is_changed => Declared::Refused(types::ATTRIBUTES),
                        of => of,
                    };
                    let text = &name.node.name;
                    match of {
                        _ if self.function.0 == "main" => {
                            self.declare(text, Meaning::Refused("the arguments of `main`"));
                        }
                        Declared::Read(of) => {
                            let function = Some(self.function.0.clone());
                            let variable = self.variable(text, of, function, span_of(name));
                            self.declare(text, Meaning::Variable(variable));
                            parameters.push(variable);
                        }
                        Declared::Refused(what) => return self.refuse(span_of(name), what),
                    }
                }
                None if specified.of == Declared::Read(Type::Void) => {}
                None => return self.refuse(span_of(parameter), "parameters without a name"),
            }
        }
        if types::is_old_style(definition) {
            return self.refuse(span, "parameters that are declared behind the parentheses");
        }
        let body = self.statement(&definition.statement)?;
        self.check_jumps()?;
        Ok((parameters, body))
    }

    /// The value of a constant expression of a type, as the start of a variable.
    fn constant_initializer(
        &mut self,
        initializer: &'a Node<ast::Initializer>,
        of: Type,
    ) -> Result<i64, Failed> {
        let value = self.initializer(initializer, of)?;
        self.constant(&value)
    }

    /// The value of a constant expression.
    fn constant(&mut self, expression: &Expression) -> Result<i64, Failed> {
        match super::constants::value(expression) {
            Some(value) => Ok(value),
            None => self.fault(
                Category::Value,
                expression.span,
                "a constant is wanted, each value in its type",
            ),
        }
    }
}
