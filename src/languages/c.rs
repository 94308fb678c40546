//! C, sequential and with threads: functions without recursion over variables of `int`, `char`, `_Bool` and enumerations.
//!
//! The text is made ready for the parser, a crate (`text`), names and types are resolved in what `main` reaches (`resolution`, into
//! `syntax`), effects whose order is open are refused (`sequencing`), calls are put in place and statements become edges of a graph
//! for each process (`inlining`, `values`, `graph`), and the graphs a program (`program`). `docs/c.md` says what is read and what it means.

mod constants;
mod graph;
mod inlining;
mod origins;
mod program;
mod resolution;
mod runs;
mod scopes;
mod sequencing;
mod syntax;
mod tasks;
mod text;
mod values;
mod witnesses;
mod yaml;

use super::diagnostics::{Category, Diagnostic, Diagnostics};
use super::source::{Source, Span};
use super::{Claimed, Language, Options, ParsedModel};
use inlining::Flow;
use lang_c::ast::TranslationUnit;
use lang_c::driver::{Config, SyntaxError, parse_preprocessed};
use origins::Origins;
use resolution::Errors;
use slabcert_certificates::bundle::Bundle;
use slabcert_certificates::program::Program;
use slabcert_certificates::system::System;
use slabcert_exports::program_text::ProgramText;
use std::ops::Range;
use syntax::Unit;
use text::Prepared;

/// Parsing and what follows recurse over what is nested: the stack for that, in bytes. Untouched pages cost nothing.
const STACK_SIZE: usize = 1 << 30;

/// The constant of the command line that says what leaving a type is: `-D integers=checked`.
const INTEGERS: &str = "integers";
const CHECKED: &str = "checked";

/// The language of `.c` and `.i` files.
pub struct C;

impl Language for C {
    fn name(&self) -> &'static str {
        "c"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["c", "i", tasks::EXTENSION]
    }

    fn complete(&self, source: Source) -> Result<Source, Diagnostics> {
        match tasks::is_task(&source) {
            true => tasks::complete(source),
            false => Ok(source),
        }
    }

    fn read(&self, source: &Source, options: &Options) -> Result<ParsedModel, Diagnostics> {
        let source = &self.complete(source.clone())?;
        let mut faults = Diagnostics::new(source);
        let is_checked = is_checked(options, &mut faults);
        let (start, errors) = start(source)?;
        let text = Text { source, start };
        let program = on_large_stack(source, &mut faults, |faults| {
            read(text, errors, is_checked, faults)
        });
        let mut program = program.unwrap_or_default();
        tasks::warn(source, &mut faults);
        let remarks = faults.warnings();
        let remarks = remarks.map(|(position, message)| (message.to_owned(), position));
        program.declarations.remarks = remarks.collect();
        faults.into_result(ParsedModel::Program(program, None))
    }

    fn program_text(&self, bundle: &Bundle) -> Result<Option<ProgramText>, Diagnostics> {
        let certified = &bundle.certificate.source;
        let model = bundle.members.model.as_deref().unwrap_or_default();
        let model = String::from_utf8_lossy(model);
        let source = &Source::new(certified.file.as_str(), model);
        let options = Options {
            constants: certified.constants.clone(),
        };
        let mut faults = Diagnostics::new(source);
        let is_checked = is_checked(&options, &mut faults);
        let (start, errors) = start(source)?;
        let text = Text { source, start };
        let found = on_large_stack(source, &mut faults, |faults| {
            let origins = Origins::read(text, errors, is_checked, faults)?;
            origins.of_bundle(bundle, faults)
        });
        faults.into_result(found)
    }

    fn claimed(
        &self,
        model: &Source,
        options: &Options,
        file: &Source,
    ) -> Result<Claimed, Diagnostics> {
        let mut faults = Diagnostics::new(model);
        let is_checked = is_checked(options, &mut faults);
        let (start, errors) = start(model)?;
        let text = Text {
            source: model,
            start,
        };
        let claimed = on_large_stack(model, &mut faults, |faults| {
            let origins = Origins::read(text, errors, is_checked, faults)?;
            if origins.is_threaded() {
                let message = "witnesses of programs with threads are not read";
                let fault = Diagnostic::new(Category::Unsupported, Span::default(), message);
                faults.push(fault.help("start from the bundle of an earlier proof"));
                return None;
            }
            Some(witnesses::read(&origins, file))
        });
        match faults.into_result(claimed)? {
            Some(claimed) => claimed.map_err(|fault| Diagnostics::of(file, fault)),
            None => Ok(Claimed::default()),
        }
    }

    fn assumptions(&self, system: &System) -> Vec<String> {
        let checks =
            |it: &slabcert_certificates::system::Property| it.name == program::OVERFLOW_PROPERTY;
        let assumed = match system.properties.iter().any(checks) {
            true => {
                "a run ends where a result or conversion leaves its type, which is what `overflow` says: nothing is claimed of what follows"
            }
            false => {
                "no result or conversion leaves its type (`int` has 32 bits, `char` 8 and a sign): runs in which one does are not looked at"
            }
        };
        vec![assumed.to_owned()]
    }
}

/// Where the program begins in a model, and what counts as an error in it.
fn start(source: &Source) -> Result<(usize, Errors), Diagnostics> {
    match tasks::is_task(source) {
        true => tasks::program(source).map_err(|it| Diagnostics::of(source, it)),
        false => Ok((0, Errors::default())),
    }
}

fn is_checked(options: &Options, faults: &mut Diagnostics) -> bool {
    let mut is_checked = false;
    for (name, value) in &options.constants {
        let fault = match (name.as_str(), value.as_str()) {
            (INTEGERS, CHECKED) => {
                is_checked = true;
                continue;
            }
            (INTEGERS, _) => format!("`{INTEGERS}` can only be `{CHECKED}`"),
            _ => format!(
                "a C program has no constant `{name}` that can be set; there is `{INTEGERS}`"
            ),
        };
        faults.push(Diagnostic::on_command_line(fault));
    }
    is_checked
}

/// Reads on a thread whose stack is large enough for everything that is read.
fn on_large_stack<T: Send>(
    source: &Source,
    faults: &mut Diagnostics,
    read: impl FnOnce(&mut Diagnostics) -> Option<T> + Send,
) -> Option<T> {
    let mut own = Diagnostics::new(source);
    let read = std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK_SIZE);
        let worker = builder.spawn_scoped(scope, || read(&mut own)).ok()?;
        match worker.join() {
            Ok(read) => Some(read),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    });
    for fault in own.iter() {
        faults.push(fault.clone());
    }
    if read.is_none() {
        let message = "no thread can be started";
        faults.push(Diagnostic::new(
            Category::Unsupported,
            Span::default(),
            message,
        ));
    }
    read?
}

/// The text of a program, which begins at an offset.
#[derive(Clone, Copy)]
struct Text<'s> {
    source: &'s Source,
    start: usize,
}

impl Text<'_> {
    /// The line of the program that something stands in, from 1.
    fn line(&self, span: Span) -> u32 {
        let line = |at: usize| self.source.position(at).line;
        line(span.start as usize).saturating_sub(line(self.start)) + 1
    }
}

fn read(
    text: Text<'_>,
    errors: Errors,
    is_checked: bool,
    faults: &mut Diagnostics,
) -> Option<Program> {
    let Elaborated { unit, mut flow, .. } = elaborate(text, errors, is_checked, faults)?;
    flow.clean(&unit);
    Some(program::program(&mut flow, &unit, text, is_checked).0)
}

/// A program as it is written: its syntax, its names, and its control flow with everything in it.
struct Elaborated {
    syntax: TranslationUnit,
    unit: Unit,
    flow: Flow,
    /// Where the text includes the header of threads.
    headers: Vec<Range<usize>>,
}

fn elaborate(
    text: Text<'_>,
    errors: Errors,
    is_checked: bool,
    faults: &mut Diagnostics,
) -> Option<Elaborated> {
    let source = text.source;
    let Prepared {
        text: prepared,
        header,
        headers,
    } = match text::prepare(source.text(), text.start) {
        Ok(prepared) => prepared,
        Err(fault) => {
            faults.push(fault);
            return None;
        }
    };
    let parsed = match parse_preprocessed(&Config::with_gcc(), prepared) {
        Ok(parsed) => parsed,
        Err(error) => {
            faults.push(syntax_fault(&error));
            return None;
        }
    };
    let unit = resolution::resolve(&parsed.unit, errors, header, source.text().len(), faults)?;
    sequencing::check(&unit, is_checked, faults);
    if !faults.is_empty() {
        return None;
    }
    let flow = inlining::flow(&unit, text, is_checked, faults)?;
    Some(Elaborated {
        syntax: parsed.unit,
        unit,
        flow,
        headers,
    })
}

/// The most words that are listed where others were expected.
const MOST_EXPECTED: usize = 8;

fn syntax_fault(error: &SyntaxError) -> Diagnostic {
    let span = Span::new(error.offset, error.offset + 1);
    let fault = Diagnostic::new(Category::Syntax, span, "this is no C program that is read");
    let mut expected: Vec<&str> = error.expected.iter().copied().collect();
    expected.sort_unstable();
    match expected.len() {
        1..=MOST_EXPECTED => fault.expected(expected.join(", ")),
        _ => fault,
    }
}
