//! A C program with the values of a run to an error: compiled and run, it reaches the error.
//!
//! The program's text stays what it is, but for local variables without a value, which get those of the run where they are declared, and for
//! errors that the program defines itself. A second file defines the functions that the program only declares.

use crate::program_text::{EventKind, External, Failure, Local, ProgramText, Run};
use crate::witness::{number, refuse_other_languages};
use crate::{Export, ExportError, Sink, Whole};
use slabcert_certificates::certificate::{Certificate, Evidence};
use slabcert_certificates::system::System;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::ops::Range;

/// What a harness ends with: at the error, where more values are asked for than the run has, and where an assumption does not hold.
const ERROR_STATUS: u8 = 70;
const NO_VALUES_STATUS: u8 = 71;
const ASSUMPTION_STATUS: u8 = 72;

/// What names begin with that are added.
const PREFIX: &str = "harness_";
/// What threads call: as the program sees it, where lists of triggers have no end of their own, and what it does.
const DECLARATIONS: &str = include_str!("c_harness/threads.h");
const LISTS: &str = "#define wait_any(...) wait_any(__VA_ARGS__, (struct harness_event *)0)
#define spawn_method(...) spawn_method(__VA_ARGS__, (struct harness_event *)0)
";
const SCHEDULER: &str = include_str!("c_harness/threads.c");

/// The format for harnesses.
pub struct CHarness;

impl Export for CHarness {
    fn name(&self) -> &'static str {
        "c-harness"
    }

    fn summary(&self) -> &'static str {
        "C programs that reach their errors, with the values of the runs that were found"
    }

    fn file_names(
        &self,
        _system: &System,
        certificate: &Certificate,
    ) -> Result<Vec<String>, ExportError> {
        refuse_other_languages(certificate, "a harness")?;
        let folders = violated(certificate).into_iter();
        let names = folders.flat_map(|(folder, _)| {
            ["program.c", "values.c"].map(|name| format!("{folder}{name}"))
        });
        let names: Vec<String> = names.collect();
        match names.is_empty() {
            true => Err(ExportError::Nothing(
                "the certificate has no run to an error; a harness is one".to_owned(),
            )),
            false => Ok(names),
        }
    }

    fn uses_text(&self) -> bool {
        true
    }

    fn write(
        &self,
        _system: &System,
        _certificate: &Certificate,
        _sink: &mut Sink<'_>,
    ) -> Result<(), ExportError> {
        Err(ExportError::no_text())
    }

    fn write_bundle(&self, whole: &Whole<'_>, sink: &mut Sink<'_>) -> Result<(), ExportError> {
        let certificate = &whole.bundle.certificate;
        let text = whole.text.ok_or_else(ExportError::no_text)?;
        for (folder, trace) in violated(certificate) {
            let harness = Harness::of(text, text.run(trace)?)?;
            sink(&format!("{folder}program.c"), harness.program().as_bytes())?;
            sink(&format!("{folder}values.c"), harness.values().as_bytes())?;
        }
        Ok(())
    }
}

/// The traces of violated properties, each with the folder of its files if there are several.
fn violated(certificate: &Certificate) -> Vec<(String, usize)> {
    let claims = certificate.claims.iter();
    let mut found: Vec<(String, usize)> = claims
        .filter_map(|claim| match claim.evidence {
            Evidence::Unsafe(trace) => Some((format!("{}/", claim.name), trace)),
            Evidence::Safe(_) | Evidence::Unknown(_) => None,
        })
        .collect();
    if let [(folder, _)] = &mut found[..] {
        folder.clear();
    }
    found
}

/// A text with blanks in the place of some of its parts, in which lines stay lines.
fn without(text: &str, parts: &[Range<usize>]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for part in parts {
        for byte in bytes.get_mut(part.clone()).into_iter().flatten() {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The files of a run.
struct Harness<'t> {
    text: &'t ProgramText,
    failure: &'t Failure,
    /// The values of calls, in order.
    calls: Vec<String>,
    /// The threads that go on, by number, in order.
    turns: Vec<String>,
    /// The values of local variables, in the order in which their declarations are passed.
    locals: BTreeMap<&'t Local, Vec<String>>,
    /// What the functions begin with that are added; nothing in the program does.
    prefix: String,
}

impl<'t> Harness<'t> {
    fn of(text: &'t ProgramText, run: &'t Run) -> Result<Harness<'t>, ExportError> {
        let failure = run.failure().filter(|it| **it != Failure::Overflow);
        let failure = failure.ok_or_else(|| {
            let message = "the run ends where a value leaves its type, which is no error that a compiled program reports: `cc -fsanitize=undefined` makes it one";
            ExportError::NotInFormat(message.to_owned())
        })?;
        let mut harness = Harness {
            text,
            failure,
            calls: Vec::new(),
            turns: Vec::new(),
            locals: BTreeMap::new(),
            prefix: PREFIX.to_owned(),
        };
        while text.text.contains(&harness.prefix) {
            harness.prefix.push('_');
        }
        for event in &run.events {
            match &event.kind {
                EventKind::Turn(thread) => harness.turns.push(thread.to_string()),
                EventKind::Call(_, value) => harness.calls.push(number(value)),
                EventKind::Local(local, value, _) => {
                    let known = harness.locals.entry(local).or_default();
                    known.push(number(value));
                }
                EventKind::Other(name) => {
                    let message = format!(
                        "`{name}` has any value in line {}, where no declaration can give it one: no harness is written",
                        event.position.line
                    );
                    return Err(ExportError::NotInFormat(message));
                }
                EventKind::Branch(_) | EventKind::Error(_) => {}
            }
        }
        Ok(harness)
    }

    /// The program, with what has to be added to it.
    fn program(&self) -> String {
        let Harness { text, prefix, .. } = self;
        let mut additions: BTreeMap<usize, String> = BTreeMap::new();
        for (number, local) in self.locals.keys().enumerate() {
            additions.insert(local.declared, format!(" = {prefix}local({number})"));
        }
        let mut errors: BTreeSet<usize> = text.errors.values().copied().collect();
        if let Failure::Label(name, offset) = self.failure {
            let rest = text.text.get(offset + name.len()..).unwrap_or_default();
            let colon = rest.find(':').unwrap_or_default();
            errors.insert(offset + name.len() + colon + 1);
        }
        for offset in &errors {
            additions.insert(*offset, format!(" {prefix}error();"));
        }
        let mut declarations = Vec::new();
        for name in &text.undeclared {
            if let Some(external) = text.externals.get(name) {
                let result = match external {
                    External::Value("signed char") => "char",
                    External::Value(of) => of,
                    _ => "void",
                };
                declarations.push(format!("{result} {name}();"));
            }
        }
        if !self.locals.is_empty() {
            declarations.push(format!("int {prefix}local(int);"));
        }
        if !errors.is_empty() {
            declarations.push(format!("void {prefix}error(void);"));
        }
        let mut whole = String::new();
        if text.threads.is_some() {
            whole.push_str(&self.prefixed(DECLARATIONS));
            whole.push_str(&self.prefixed(LISTS));
        }
        if !declarations.is_empty() || !whole.is_empty() {
            let file = text.file.replace(['\\', '"', '\n'], "_");
            let _ = writeln!(whole, "{}\n#line 1 \"{file}\"", declarations.join(" "));
        }
        let text = without(&text.text, &text.headers);
        let mut at = 0;
        for (offset, addition) in additions {
            whole.push_str(text.get(at..offset).unwrap_or_default());
            whole.push_str(&addition);
            at = offset;
        }
        whole.push_str(text.get(at..).unwrap_or_default());
        whole
    }

    /// A text in C with this harness's prefix.
    fn prefixed(&self, text: &str) -> String {
        text.replace(PREFIX, &self.prefix)
    }

    /// The scheduler of threads, with the turns of the run.
    fn scheduler(&self, threads: usize) -> String {
        let turns = self.turns.iter().map(|it| format!("{it}, "));
        format!(
            "enum {{ THREADS = {}, NO_VALUES_STATUS = {NO_VALUES_STATUS} }};\n\
             /* The threads that go on, by number, in the order of the run; -1 is its end. */\nstatic const int turns[] = {{ {}-1 }};\n\n{}\n{}\n",
            threads.max(1),
            turns.collect::<String>(),
            self.prefixed(DECLARATIONS),
            self.prefixed(SCHEDULER)
        )
    }

    /// The file that defines what the program asks for.
    fn values(&self) -> String {
        let Harness { prefix, .. } = self;
        let mut file = format!(
            "/* The values of a run to an error: `cc -fsigned-char program.c values.c -o harness`, and `./harness` ends with the status\n   \
             {ERROR_STATUS} at the error, {NO_VALUES_STATUS} where the run has no more values, {ASSUMPTION_STATUS} where an assumption does not hold. */\n\
             #include <stdio.h>\n#include <unistd.h>\n\n\
             static void end(const char *what, int status) {{\n  fprintf(stderr, \"%s\\n\", what);\n  _exit(status);\n}}\n\n\
             void {prefix}error(void) {{ end(\"the error is reached\", {ERROR_STATUS}); }}\n\n"
        );
        let taken = |values: &[String]| {
            // An array has at least one value.
            let count = values.len();
            let all = if count == 0 {
                "0".to_owned()
            } else {
                values.join(", ")
            };
            format!(
                "  static const int values[] = {{ {all} }};\n  static int next;\n  \
                 if (next >= {count}) end(\"the run has no more values\", {NO_VALUES_STATUS});\n  return values[next++];\n"
            )
        };
        let _ = write!(
            file,
            "/* What is called for any value, in the order of the calls. */\nstatic int value(void) {{\n{}}}\n\n",
            taken(&self.calls)
        );
        if !self.locals.is_empty() {
            for (number, (local, values)) in self.locals.iter().enumerate() {
                let _ = write!(
                    file,
                    "/* The local variable `{}`, in the order in which its declaration is passed. */\nstatic int local_{number}(void) {{\n{}}}\n\n",
                    local.name,
                    taken(values)
                );
            }
            let cases =
                (0..self.locals.len()).map(|it| format!("  case {it}: return local_{it}();\n"));
            let _ = write!(
                file,
                "int {prefix}local(int which) {{\n  switch (which) {{\n{}  default: return 0;\n  }}\n}}\n\n",
                cases.collect::<String>()
            );
        }
        if let Some(threads) = self.text.threads {
            file.push_str(&self.scheduler(threads));
        }
        for (name, external) in &self.text.externals {
            let definition = match external {
                External::Value(of) => format!("{of} {name}(void) {{ return value(); }}"),
                External::Assume => format!(
                    "void {name}(int holds) {{ if (!holds) end(\"an assumption does not hold\", {ASSUMPTION_STATUS}); }}"
                ),
                External::Assert => {
                    format!("void {name}(int holds) {{ if (!holds) {prefix}error(); }}")
                }
                External::Error => format!("void {name}(void) {{ {prefix}error(); }}"),
                External::End => format!("void {name}(void) {{ _exit(0); }}"),
            };
            file.push_str(&definition);
            file.push('\n');
        }
        file
    }
}
