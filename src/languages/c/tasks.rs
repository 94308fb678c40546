//! BenchExec tasks: a file that names a program, and properties in files of their own.
//!
//! As one text, the properties follow the task, and the program follows them. The property begins with `CHECK`, as no task and no
//! program does, so that the text says where its parts begin.

use super::resolution::Errors;
use super::yaml::{self, Node};
use crate::languages::diagnostics::{Category, Diagnostic, Diagnostics};
use crate::languages::source::{MAXIMAL_SIZE, Source, Span};
use std::ffi::OsStr;
use std::path::Path;

/// The extension of tasks.
pub(super) const EXTENSION: &str = "yml";
/// What properties begin with.
const CHECK: &str = "CHECK";
/// The property that is read, as its file is called, and what stands around the name of the function.
const UNREACH_CALL: &str = "unreach-call";
const BEFORE_FUNCTION: &str = "CHECK(init(main()),LTL(G!call(";
const AFTER_FUNCTION: &str = "())))";

/// What a task names: files, with the places where it does.
#[derive(Default)]
struct Task {
    programs: Vec<(String, Span)>,
    properties: Vec<(String, Span)>,
}

/// The keys that tasks may begin with: as the first words of a C program, these would be a label outside of functions.
const KEYS: &[&str] = &["format_version:", "input_files:", "properties:", "options:"];

/// Whether a model is a task: by the name of its file, or by its first words, as in a bundle.
pub(super) fn is_task(source: &Source) -> bool {
    let mut lines = source.text().lines();
    let first = lines.find(|it| !(it.trim().is_empty() || it.starts_with('#') || *it == "---"));
    let begins = first.is_some_and(|line| KEYS.iter().any(|key| line.starts_with(key)));
    begins || Path::new(source.name()).extension() == Some(OsStr::new(EXTENSION))
}

/// Where the properties and the program begin in the text of a task that is complete.
fn split(text: &str) -> Option<(usize, usize)> {
    let mut at = 0;
    let mut properties = None;
    for line in text.split_inclusive('\n') {
        let is_property = line.starts_with(CHECK);
        match properties {
            None if is_property => properties = Some(at),
            Some(start) if !is_property && !line.trim().is_empty() => return Some((start, at)),
            _ => {}
        }
        at += line.len();
    }
    properties.map(|start| (start, text.len()))
}

/// The task with the texts of its property and its program.
///
/// # Errors
/// When it names no program or no property that is read, or a file cannot be read.
pub(super) fn complete(mut source: Source) -> Result<Source, Diagnostics> {
    if split(source.text()).is_some() {
        return Ok(source);
    }
    let files = read(&source).and_then(|task| chosen(&task));
    let files = files.map_err(|fault| Diagnostics::of(&source, fault))?;
    for (file, span) in files {
        let folder = Path::new(source.name()).parent();
        let path = folder.unwrap_or(Path::new("")).join(file);
        let fail = |category, message: String| {
            Diagnostics::of(&source, Diagnostic::new(category, span, message))
        };
        let other = Source::read(&path).map_err(|error| {
            fail(
                Category::Name,
                format!("a file of the task is missing: {error}"),
            )
        })?;
        if (source.text().len() + other.text().len()) as u64 >= MAXIMAL_SIZE {
            let message = format!("all files are larger than {} MiB", MAXIMAL_SIZE >> 20);
            return Err(fail(Category::Unsupported, message));
        }
        source.append(&other);
    }
    match split(source.text()) {
        Some(_) => Ok(source),
        None => {
            let message = "the file of the property does not begin with `CHECK`";
            let fault = Diagnostic::new(Category::Syntax, Span::default(), message);
            Err(Diagnostics::of(&source, fault))
        }
    }
}

/// Where the program begins in the text of a complete task, and what counts as an error in it.
pub(super) fn program(source: &Source) -> Result<(usize, Errors), Diagnostic> {
    let text = source.text();
    let Some((start, end)) = split(text) else {
        let message = "the task has no property";
        return Err(Diagnostic::new(Category::Syntax, Span::default(), message));
    };
    let property: String = text[start..end].split_whitespace().collect();
    let inner = property.strip_prefix(BEFORE_FUNCTION);
    let function = inner.and_then(|it| it.strip_suffix(AFTER_FUNCTION));
    let is_name = |it: &&str| it.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
    match function.filter(is_name) {
        Some(function) => Ok((
            end,
            Errors {
                only: Some(function.to_owned()),
            },
        )),
        None => {
            let message = "only properties like `CHECK( init(main()), LTL(G ! call(reach_error())) )` are read";
            let span = Span::new(start, start + CHECK.len());
            Err(Diagnostic::new(Category::Unsupported, span, message))
        }
    }
}

/// The property and the program of a task.
fn chosen(task: &Task) -> Result<[(String, Span); 2], Diagnostic> {
    let program = match &task.programs[..] {
        [program] => program.clone(),
        [] => {
            let message = "the task names no program in `input_files`";
            return Err(Diagnostic::new(Category::Syntax, Span::default(), message));
        }
        [_, second, ..] => {
            let message = "tasks of several files are not read";
            let fault = Diagnostic::new(Category::Unsupported, second.1, message);
            return Err(fault.help("put all of the program into one file"));
        }
    };
    let stem = |file: &str| Path::new(file).file_stem().map(OsStr::to_os_string);
    let is_read =
        |(file, _): &&(String, Span)| stem(file).as_deref() == Some(OsStr::new(UNREACH_CALL));
    if let Some(property) = task.properties.iter().find(is_read) {
        return Ok([property.clone(), program]);
    }
    let names = names(&task.properties);
    let message = match names.len() {
        0 => "the task names no property".to_owned(),
        _ => format!("the properties {} are not read", names.join(", ")),
    };
    let span = task
        .properties
        .first()
        .map_or_else(Span::default, |it| it.1);
    let fault = Diagnostic::new(Category::Unsupported, span, message);
    Err(fault.help(format!("name the property `{UNREACH_CALL}.prp`")))
}

fn names<'p>(properties: impl IntoIterator<Item = &'p (String, Span)>) -> Vec<String> {
    let names = properties.into_iter().map(|(it, _)| format!("`{it}`"));
    names.collect()
}

/// What a complete task is called by: the name of its program, and its property.
pub(super) fn called(source: &Source) -> Option<(String, String)> {
    let (start, end) = split(source.text())?;
    let task = own(source)?;
    let (program, _) = task.programs.first()?;
    let property = source.text()[start..end].trim();
    Some((program.clone(), property.to_owned()))
}

/// The task itself, without what it names.
fn own(source: &Source) -> Option<Task> {
    let (start, _) = split(source.text())?;
    let own = Source::new(source.name(), &source.text()[..start]);
    read(&own).ok()
}

/// Takes note of the properties of a complete task that nothing is said of.
pub(super) fn warn(source: &Source, faults: &mut Diagnostics) {
    let Some(task) = own(source) else {
        return;
    };
    let is_other = |it: &&(String, Span)| {
        let stem = Path::new(&it.0).file_stem();
        stem != Some(OsStr::new(UNREACH_CALL))
    };
    let others: Vec<&(String, Span)> = task.properties.iter().filter(is_other).collect();
    if let Some((_, span)) = others.first() {
        let names = names(others.iter().copied()).join(", ");
        faults.warn(*span, format!("nothing is said of the properties {names}"));
    }
}

/// What a task says: `input_files` at the top, `property_file` in the items of `properties`.
fn read(source: &Source) -> Result<Task, Diagnostic> {
    let whole = yaml::read(source)?;
    let get = |key| whole.iter().filter_map(move |it| it.get(key));
    let named = |it: &Node| Some((it.text()?.to_owned(), source.token_at(it.position)));
    let programs = get("input_files").flat_map(Node::items);
    let properties = get("properties").flat_map(Node::items);
    let properties = properties.filter_map(|it| it.get("property_file"));
    Ok(Task {
        programs: programs.filter_map(named).collect(),
        properties: properties.filter_map(named).collect(),
    })
}
