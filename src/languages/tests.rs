//! What the tests of all front ends share: reading a text that must be accepted, showing its system, and tables of refusals.

use super::diagnostics::{Category, Diagnostics};
use super::source::Source;
use super::{ALL, Language, Options, of_file};
use slabcert_certificates::system::System;
use std::path::Path;

/// A text with faults where `@` stands (the sign itself is taken out), their category, and a part of what is said.
pub(super) type Case = (&'static str, Category, &'static str);

/// How a front end reads a text.
pub(super) type Reader<'a> = &'a dyn Fn(&str) -> Result<System, Diagnostics>;

/// Reads a text in a language, with constants (`NAME=VALUE`).
pub(super) fn read_with(
    language: &dyn Language,
    text: &str,
    constants: &[&str],
) -> Result<System, Diagnostics> {
    let pairs = constants.iter().filter_map(|pair| pair.split_once('='));
    let constants = pairs
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    language
        .read(&Source::new("model", text), &Options { constants })
        .map(|it| it.flat())
}

/// The system of a text that must be accepted.
pub(super) fn accepted(text: &str, read: Reader<'_>) -> System {
    match read(text) {
        Ok(system) => system,
        Err(faults) => panic!("refused:\n{text}\n{faults}"),
    }
}

/// Names of variables and inputs, the initial condition, the transitions as they are given, and the properties.
pub(super) fn shown(system: &System, transitions: &str) -> String {
    let states: Vec<&str> = system.variables.iter().map(|it| it.name()).collect();
    let inputs: Vec<&str> = system.inputs.iter().map(|it| it.symbol.name()).collect();
    let properties = system.properties.iter();
    let properties: Vec<String> = properties
        .map(|property| format!("{}: {}", property.name, property.formula))
        .collect();
    format!(
        "{} | {} | {} | {transitions} | {}",
        states.join(" "),
        inputs.join(" "),
        system.init_formula(),
        properties.join(", ")
    )
}

/// Says how the faults of a text differ from the marked positions, if they do.
fn complaint((text, category, words): &Case, read: Reader<'_>) -> Option<String> {
    let plain = text.replace('@', "");
    let Err(faults) = read(&plain) else {
        return Some(format!("accepted:\n{text}"));
    };
    let mut marks = Vec::new();
    for (number, line) in (1_u32..).zip(text.lines()) {
        let columns = (1_u32..).zip(line.chars()).filter(|(_, sign)| *sign == '@');
        marks.extend(
            (0_u32..)
                .zip(columns)
                .map(|(count, (column, _))| (number, column - count)),
        );
    }
    let positions = faults.iter().filter_map(|fault| faults.position(fault));
    let found: Vec<(u32, u32)> = positions.map(|it| (it.line, it.column)).collect();
    let shown = faults.to_string();
    let status = if *category == Category::Unsupported {
        5
    } else {
        3
    };
    let right = found == marks
        && faults.iter().all(|fault| fault.category == *category)
        && faults.exit_status() == status
        && shown.contains(words);
    (!right).then(|| format!("{text}\nexpected {marks:?} and `{words}`, found {found:?}:\n{shown}"))
}

/// Fails with all texts of a table that are not refused as it says.
pub(super) fn check_refusals(cases: &[Case], read: Reader<'_>) {
    let complaints: Vec<String> = cases
        .iter()
        .filter_map(|case| complaint(case, read))
        .collect();
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n----\n"));
}

fn language(name: &str, text: &str) -> Option<&'static str> {
    of_file(Path::new(name), text).map(Language::name)
}

#[test]
fn languages_are_told_apart_by_extension_and_text() {
    assert_eq!(language("a/m.slab", ""), Some("slab"));
    assert_eq!(language("m.bip", ""), Some("bip"));
    assert_eq!(language("m.c", ""), Some("c"));
    assert_eq!(language("m.i", ""), Some("c"));
    assert_eq!(language("m.yml", ""), Some("c"));
    assert_eq!(language("m.moxi", ""), Some("moxi"));
    assert_eq!(language("m.vmt", "(set-logic HORN)"), Some("vmt"));
    assert_eq!(language("m.smt2", "(set-logic QF_LIA)"), Some("vmt"));
    assert_eq!(language("m.smt2", "; a\n(set-logic\tHORN)"), Some("chc"));
    assert_eq!(language("m.smt2", "(declare-rel p (Int))"), Some("chc"));
    assert_eq!(language("m.smt2", "; HORN, declare-rel"), Some("vmt"));
    assert_eq!(language("m.txt", "(set-logic HORN)"), None);
    assert_eq!(language("smt2", "(set-logic HORN)"), None);
}

#[test]
fn every_language_has_a_name_and_an_extension_of_its_own_or_recognises_its_texts() {
    for language in ALL {
        assert!(!language.name().is_empty());
        assert!(!language.extensions().is_empty());
    }
}

#[test]
fn slab_assumes_something_of_its_translation_where_choices_are_eliminated_and_nowhere_else() {
    let assumptions = |text: &str| {
        let slab = super::slab::Slab;
        slab.assumptions(&read_with(&slab, text, &[]).unwrap())
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/slab");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        assert_eq!(assumptions(&text), Vec::<String>::new(), "{text}");
        count += 1;
    }
    assert!(count >= 30, "{count}");
    let step = "system s; var x : int = 0; transition step choose k : int when k > x do x := k;";
    for (property, is_assumed) in [
        ("error deadlock;", true),
        ("error enabled(step);", true),
        ("error x < 0;", false),
    ] {
        let found = assumptions(&format!("{step} {property}"));
        assert_eq!(found.len(), usize::from(is_assumed), "{property}");
        assert!(
            found
                .iter()
                .all(|it| it.contains("where `step` can happen"))
        );
    }
    let plain =
        "system s; var x : int = 0; transition step when x < 3 do x := x + 1; error deadlock;";
    assert_eq!(assumptions(plain), Vec::<String>::new());
    let relation = "system s; var x : int = 0; transition jump do relation 2 * x' = x modifies {x}; error deadlock;";
    assert_eq!(assumptions(relation).len(), 1);
}
