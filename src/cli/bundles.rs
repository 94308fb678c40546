//! Commands that read bundles: showing what they claim, and exporting it.

mod program;

use super::arguments::{ExportArguments, ShowArguments};
use super::browser;
use super::failure::Failure;
use super::output;
use crate::languages;
use crate::verification::count;
use slabcert_certificates::bundle::Bundle;
use slabcert_certificates::certificate::{Certificate, Evidence, Verdict};
use slabcert_certificates::diagram::Diagram;
use slabcert_certificates::escaping::plain;
use slabcert_certificates::leftovers::{Unfinished, finish_all, new_file};
use slabcert_certificates::proof::Proofs;
use slabcert_certificates::system::System;
use slabcert_certificates::trace::Trace;
use slabcert_checker::bundle_obligations;
use slabcert_checker::watchdog::Watchdog;
use slabcert_exports::program_text::ProgramText;
use slabcert_exports::wording::{Wording, bundle_diagrams, readable};
use slabcert_exports::{Export, ExportError, Whole, by_name};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Prints what a bundle claims, or opens the report about it.
pub(super) fn show(arguments: &ShowArguments, watchdog: &Watchdog) -> Result<u8, Failure> {
    let bundle = Bundle::read(&arguments.bundle.bundle)?;
    if arguments.program {
        let Some(program) = &bundle.program else {
            let message = "the bundle has no program: its model's language knows no processes";
            return Err(Failure::Input(message.to_owned()));
        };
        let lines = program::lines(program, &bundle.system);
        let lines: Vec<String> = lines.iter().map(|line| plain(line)).collect();
        watchdog.claim_output();
        output::say(&(lines.join("\n") + "\n"))?;
    } else if arguments.open {
        browser::open_report(&bundle)?;
    } else {
        let text = summary(&bundle);
        watchdog.claim_output();
        output::say(&text)?;
    }
    Ok(0)
}

fn summary(bundle: &Bundle) -> String {
    let Bundle {
        system,
        certificate,
        ..
    } = bundle;
    let wording = Wording::of_program(bundle.program.as_ref(), system);
    let mut lines = vec![heading(certificate)];
    lines.push(format!(
        "system: {}, {}, {}, {}",
        count(system.variables.len(), "variable"),
        count(system.inputs.len(), "input"),
        count(certificate.transitions.len(), "transition"),
        if system.properties.len() == 1 {
            "1 property".to_owned()
        } else {
            format!("{} properties", system.properties.len())
        }
    ));
    let assumptions = certificate.assumptions.iter();
    lines.extend(assumptions.map(|assumption| format!("assumed: {assumption}")));
    lines.push(String::new());
    lines.extend(claims(system, certificate));
    for diagram in &certificate.diagrams {
        lines.push(String::new());
        lines.extend(diagram_lines(diagram, &wording));
    }
    for (number, trace) in certificate.traces.iter().enumerate() {
        lines.push(String::new());
        lines.push(format!(
            "trace {number}, {}:",
            count(trace.steps.len(), "step")
        ));
        lines.extend(trace_lines(trace, system, &wording));
    }
    let lines: Vec<String> = lines.iter().map(|line| plain(line)).collect();
    lines.join("\n") + "\n"
}

fn heading(certificate: &Certificate) -> String {
    let source = &certificate.source;
    let constants: Vec<String> = source
        .constants
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let model = match (source.file.as_str(), constants.is_empty()) {
        ("", _) => "no copy of the model".to_owned(),
        (file, true) => format!("model: {file}"),
        (file, false) => format!("model: {file} with {}", constants.join(", ")),
    };
    let producer = &certificate.producer;
    match producer.name.as_str() {
        "" => model,
        name => format!(
            "{model}, by {name} {} (engine: {})",
            producer.version, producer.engine
        ),
    }
}

fn claims(system: &System, certificate: &Certificate) -> Vec<String> {
    system
        .properties
        .iter()
        .map(|property| {
            let claim = certificate.claim(property.index);
            let what = match claim.map(|claim| &claim.evidence) {
                Some(Evidence::Safe(diagrams)) => format!(
                    "claimed {} by diagram {}",
                    Verdict::Safe.word(),
                    together(diagrams)
                ),
                Some(Evidence::Unsafe(trace)) => {
                    format!("claimed {} by trace {trace}", Verdict::Unsafe.word())
                }
                Some(Evidence::Unknown(reason)) => format!("nothing is claimed ({reason})"),
                None => "nothing is claimed".to_owned(),
            };
            format!(
                "property {} `{}`: {what}",
                property.index,
                readable(&property.name)
            )
        })
        .collect()
}

/// Names of diagrams in one line.
fn together(names: &[String]) -> String {
    bundle_diagrams(names.iter().map(String::as_str)).join(" and ")
}

fn diagram_lines(diagram: &Diagram, wording: &Wording<'_>) -> Vec<String> {
    let size = diagram.size();
    let assumes = match diagram.assumes.as_slice() {
        [] => String::new(),
        names => format!(", assuming {}", together(names)),
    };
    let mut lines = vec![format!(
        "diagram {}, {}, {}, {}{assumes}:",
        diagram.name,
        count(size.nodes, "node"),
        count(size.literals, "literal"),
        count(size.edges, "edge")
    )];
    let mut successors: BTreeMap<(usize, usize), Vec<&str>> = BTreeMap::new();
    for edge in &diagram.edges {
        let names = edge.transitions.iter().map(String::as_str);
        successors
            .entry((edge.from, edge.to))
            .or_default()
            .extend(names);
    }
    let reading = wording.reading(diagram);
    if !reading.common.is_empty() {
        lines.push("  in all nodes:".to_owned());
        let common = reading.common.iter();
        lines.extend(common.map(|fact| format!("     {}", fact.text)));
    }
    for (node, facts) in diagram.nodes.iter().zip(&reading.nodes) {
        let id = node.id;
        let texts: Vec<&str> = facts.iter().map(|fact| fact.text.as_str()).collect();
        // `a => b && c` in one line would be read otherwise, and so would `for all i: a && b`.
        let stands_alone =
            |text: &&str| text.contains("||") || text.contains("=>") || text.starts_with("for ");
        if texts.is_empty() {
            let nothing = if reading.common.is_empty() {
                "true"
            } else {
                "nothing else"
            };
            lines.push(format!("  {id}: {nothing}"));
        } else if texts.iter().any(stands_alone) {
            let indent = " ".repeat(format!("  {id}: ").len());
            lines.push(format!("  {id}: {}", texts[0]));
            lines.extend(texts[1..].iter().map(|text| format!("{indent}{text}")));
        } else {
            lines.push(format!("  {id}: {}", texts.join(" && ")));
        }
        for ((_, to), names) in successors.range((id, 0)..=(id, usize::MAX)) {
            let names = wording.transitions(names.iter().copied()).join(", ");
            lines.push(format!("       -> {to}  {names}"));
        }
    }
    lines
}

fn trace_lines(trace: &Trace, system: &System, wording: &Wording<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    for (position, state) in trace.states.iter().enumerate() {
        let before = position
            .checked_sub(1)
            .and_then(|position| trace.states.get(position));
        let changed = state
            .iter()
            .filter(|(name, value)| before.is_none_or(|before| before.get(*name) != Some(*value)))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let shown = wording.state(system, &changed);
        let shown = if shown.is_empty() {
            "nothing changes".to_owned()
        } else {
            shown.join(", ")
        };
        lines.push(format!("  {position}: {shown}"));
        let step = trace.steps.get(position);
        let lock_step = step.and_then(|step| wording.lock_step(step, state));
        let inputs = step.map_or(&trace.final_inputs, |step| &step.inputs);
        if let Some(step) = step {
            let words = lock_step.as_ref().map(|it| format!(" {}", it.words));
            lines.push(format!(
                "     {}{}",
                step.transition,
                words.unwrap_or_default()
            ));
        }
        let given = inputs
            .iter()
            .filter(|(name, _)| lock_step.as_ref().is_none_or(|it| it.tells(name)));
        let given: Vec<String> = given
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        if !given.is_empty() {
            let when = if step.is_some() {
                "with"
            } else {
                "violated with"
            };
            lines.push(format!("       {when} {}", given.join(", ")));
        }
    }
    lines
}

/// Writes a bundle's evidence in another format.
pub(super) fn export(arguments: &ExportArguments, watchdog: &Watchdog) -> Result<u8, Failure> {
    let unknown = || Failure::CommandLine(format!("there is no format `{}`", arguments.to));
    let format = by_name(&arguments.to).ok_or_else(unknown)?;
    let bundle = Bundle::read(&arguments.bundle)?;
    let names = format.file_names(&bundle.system, &bundle.certificate)?;
    let proofs = match format.uses_proofs() {
        true => bundle.proofs()?.unwrap_or_default(),
        false => Proofs::new(),
    };
    let text = match format.uses_text() {
        true => program_text(&bundle)?,
        false => None,
    };
    let whole = Whole {
        bundle: &bundle,
        proofs: &proofs,
        obligations: &bundle_obligations(&bundle).map_err(ExportError::from)?,
        text: text.as_ref(),
    };
    match &arguments.out {
        Some(directory) => {
            write_into(directory, format, &whole, &names, watchdog)?;
            Ok(0)
        }
        None if names.len() == 1 => {
            let mut text = Vec::new();
            let mut sink = |_: &str, bytes: &[u8]| {
                text.extend_from_slice(bytes);
                Ok(())
            };
            format.write_bundle(&whole, &mut sink)?;
            watchdog.claim_output();
            output::data(&text)?;
            Ok(0)
        }
        None => Err(Failure::CommandLine(format!(
            "{} files are to be written; name a directory with --out DIR",
            names.len()
        ))),
    }
}

/// What the model of a bundle says of the program, if its language says something.
fn program_text(bundle: &Bundle) -> Result<Option<ProgramText>, Failure> {
    let name = &bundle.certificate.source.language;
    let language = languages::ALL.iter().find(|it| it.name() == name);
    let text = language.map(|it| it.program_text(bundle)).transpose();
    text.map_err(|faults| Failure::Model(Box::new(faults)))
        .map(Option::flatten)
}

fn write_into(
    directory: &Path,
    format: &dyn Export,
    whole: &Whole<'_>,
    names: &[String],
    watchdog: &Watchdog,
) -> Result<(), Failure> {
    let occupied = names.iter().find(|name| directory.join(name).exists());
    if let Some(name) = occupied {
        return Err(Failure::CommandLine(format!(
            "{} exists; it is not overwritten",
            directory.join(name).display()
        )));
    }
    let mut begun = Vec::new();
    let mut sink = |name: &str, bytes: &[u8]| {
        let path = directory.join(name);
        write_file(&path, bytes, &mut begun)
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
    };
    let written = format.write_bundle(whole, &mut sink);
    if let Err(error) = written {
        // Half of the evidence would look like all of it.
        for file in &begun {
            let _ = std::fs::remove_file(&**file);
        }
        return Err(error.into());
    }
    // Whoever is told that the run was stopped finds nothing.
    watchdog.claim_output();
    finish_all(begun);
    output::log(&format!(
        "{} written to {}",
        count(names.len(), "file"),
        directory.display()
    ));
    Ok(())
}

fn write_file(path: &Path, bytes: &[u8], begun: &mut Vec<Unfinished<PathBuf>>) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    let (new, mut file) = new_file(path)?;
    begun.push(new);
    file.write_all(bytes)
}
