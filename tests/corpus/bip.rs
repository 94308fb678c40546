//! Public BIP models, whose meaning the tables beside them say: which are read, refused or rejected, what is offered state by state, and
//! which properties are violated.

#![allow(clippy::panic, reason = "all of it is test code")]

#[path = "../bip/explorer.rs"]
mod explorer;

use explorer::{Explorer, holds};
use slabcert::languages::diagnostics::{Category, Diagnostic};
use slabcert::languages::source::Source;
use slabcert::languages::{Options, ParsedModel, of_file};
use slabcert_certificates::program::Requirement;
use slabcert_certificates::system::System;
use slabcert_certificates::term::Term;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus/bip")
}

/// The rows of a table, without its head; none where the corpus is absent.
fn rows(table: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(folder().join(table)).unwrap_or_default();
    if text.is_empty() {
        println!("skipped: {table} is not beside the project");
    }
    let rows = text.lines().skip(1);
    rows.map(|row| row.split('\t').map(str::to_owned).collect())
        .collect()
}

/// What reading a model gives, or the exit status and the message.
fn read(path: &Path, constants: &[(&str, &str)]) -> Result<(System, ParsedModel), (u8, String)> {
    let source = Source::read(path).map_err(|error| (3, error.to_string()))?;
    let mut options = Options::default();
    for (name, value) in constants {
        options
            .constants
            .insert((*name).to_owned(), (*value).to_owned());
    }
    let language = of_file(path, source.text()).expect("a language for .bip");
    let of_faults = |faults: slabcert::languages::diagnostics::Diagnostics| {
        (faults.exit_status(), faults.to_string())
    };
    let model = language.read(&source, &options).map_err(of_faults)?;
    Ok((model.flat(), model))
}

/// `a` or `a-b` states, with how many interactions each offers: `3 or 4`, or none in a deadlock.
fn expected(text: &str) -> BTreeMap<usize, Vec<usize>> {
    let mut states = BTreeMap::new();
    for part in text.split("; ").filter(|part| !part.is_empty()) {
        let (range, offer) = part.split_once(": ").expect("a colon");
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let count = match offer.split_once(" in") {
            Some((counts, _)) => counts
                .split(" or ")
                .map(|count| count.parse().expect("a number"))
                .collect(),
            None => vec![0],
        };
        for state in first.parse().expect("a number")..=last.parse().expect("a number") {
            states.insert(state, count.clone());
        }
    }
    states
}

/// Follows two runs, which take the first and the last of what is offered.
fn offers_agree(file: &str, explorer: &Explorer<'_>, expected: &BTreeMap<usize, Vec<usize>>) {
    let Some(last) = expected.keys().last() else {
        return;
    };
    for takes_last in [false, true] {
        let mut state = explorer.visible(explorer.start());
        for number in 0..=*last {
            let enabled = explorer.enabled(&state);
            // The steps of an interaction are one offer.
            let names: BTreeSet<&str> = enabled
                .iter()
                .map(|it| it.name.split('[').next().expect("a name"))
                .collect();
            if let Some(counts) = expected.get(&number) {
                assert!(
                    counts.contains(&names.len()),
                    "{file}: state {number} offers {names:?}"
                );
            }
            let taken = match takes_last {
                true => enabled.last(),
                false => enabled.first(),
            };
            let Some(taken) = taken else {
                assert_eq!(number, *last, "{file}: a deadlock in state {number}");
                break;
            };
            state = explorer.visible(explorer.after(taken, &state));
        }
    }
}

/// Whether a state violates the property after some number of steps, on the first run.
fn violated_after(explorer: &Explorer<'_>, property: &Term) -> Option<usize> {
    let mut state = explorer.start();
    for number in 0..1_000 {
        if !holds(property, &state) {
            return Some(number);
        }
        let taken = explorer.enabled(&state).first().copied()?;
        state = explorer.after(taken, &state);
    }
    None
}

#[test]
fn what_is_read_and_offered_is_what_the_table_says() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for row in rows("EXPECTED.tsv") {
        let [file, root, outcome, offered] = &row[..4] else {
            panic!("{row:?}");
        };
        let path = folder().join("mc_engine_tests/running_tests").join(file);
        let mut constants = vec![("root", root.as_str())];
        if outcome.ends_with("--extern arbitrary") {
            assert_eq!(
                read(&path, &constants)
                    .map(|_| ())
                    .map_err(|(status, _)| status),
                Err(5),
                "{file}"
            );
            constants.push(("extern", "arbitrary"));
        }
        let result = read(&path, &constants);
        let kind = outcome.split(' ').next().unwrap_or_default();
        *counts.entry(kind.to_owned()).or_default() += 1;
        match (kind, result) {
            ("read", Ok((system, model))) => {
                offers_agree(file, &Explorer::of(&system, &model), &expected(offered));
            }
            ("violates", Ok((system, model))) => {
                let name = match outcome.as_str() {
                    "violates determinism" => "deterministic",
                    "violates one-safety" => "one_safe",
                    "violates acyclic priorities" => "acyclic_priorities",
                    _ => "c.use12",
                };
                let property = system.properties.iter().find(|it| it.name == name);
                let property = property.unwrap_or_else(|| panic!("{file}: no property `{name}`"));
                let after = violated_after(&Explorer::of(&system, &model), &property.formula);
                assert!(
                    after.is_some(),
                    "{file}: {name} is not violated on the first run"
                );
                if name == "c.use12" {
                    assert_eq!(after, Some(201), "{file}");
                    let ParsedModel::Program(program, _) = model else {
                        continue;
                    };
                    assert!(matches!(
                        program.properties[property.index].requirement,
                        Requirement::Visible(_)
                    ));
                }
            }
            ("rejected", Err((3, _))) | ("refused", Err((5, _))) => {}
            (_, Ok(_)) => panic!("{file} was read, but is {outcome}"),
            (_, Err((status, message))) => {
                panic!("{file} is {outcome}, but status {status}:\n{message}")
            }
        }
    }
    println!("{counts:?}");
}

/// What is said where a rule of the table is broken.
const RULES: &[(&str, &str)] = &[
    ("IncorrectBipType", "unknown data"),
    ("RedefinedAnnotation", "stands twice"),
    ("RedefinedType", "is declared twice"),
    ("RedefinedVariable", "is declared twice"),
    ("UndefinedType", "type `"),
    ("UndefinedVariable", "unknown p"),
    ("atomPriorityHasAtMostOneWildcard", "`*` on one side"),
    ("checkDownWhenNoDataInConnectorPort", "`down` could change"),
    (
        "checkDuplicatedTriggerPortFromSameState",
        "another transition of this port",
    ),
    ("checkForCyclesInPrioritiesInAtom", "go round in a circle"),
    ("componentDeclarationHasCorrectNumberOfParam", "parameters"),
    (
        "componentDeclarationHasNoUnconnectedPort",
        "is connected to nothing",
    ),
    (
        "compoundPriorityHasAtMostOneWildcard",
        "on one side at most",
    ),
    (
        "compoundPriorityInvolvesOnlyTopLevelConnectors",
        "top-level connectors",
    ),
    ("connectorActionNotEmpty", "transfers nothing"),
    (
        "connectorDeclarationHasnoDuplicatedPortReferenceParameter",
        "twice",
    ),
    ("connectorDoesNotBindTheSameComponentMoreThanOnce", "twice"),
    ("connectorHasExportPortBound", "is connected to nothing"),
    ("cycleInPackageDependencies", "in a cycle"),
    ("dataRefInConnectorActionToInvolvedPort", "unknown name"),
    ("hasCorrectNumberOfDataParameters", "data"),
    ("hasIncorrectConst", "is constant here"),
    ("hasIncorrectType", "type"),
    (
        "interactionDefinedIfExportPortWithData",
        "interactions without a rule",
    ),
    (
        "interactionIsDefinedInConnector",
        "has no interaction of these ports",
    ),
    (
        "invalidConnectorDefine",
        "in the definition of the connector type",
    ),
    (
        "missingInteractionIfExportPortWithData",
        "interactions without a rule",
    ),
    ("missingUpForExportedPort", "without `up`"),
    ("noDuplicatedInteractionAction", "has a rule already"),
    ("noDuplicatedPortReference", "is declared twice"),
    (
        "noDuplicatedPortReferenceInConnectorInteraction",
        "is declared twice",
    ),
    ("noUpIfNoExportedPort", "`up` is for connector types"),
    ("portParameterHasCorrectPortType", "has type"),
    (
        "portReferencesOnCorrectConnectorDeclaration",
        "has no interaction of these ports",
    ),
    (
        "priorityContradictMaximalProgress",
        "contradicts maximal progress",
    ),
    ("priorityDuplicateMaximalProgress", "the same as this rule"),
    ("referencedPortsHaveTheSameType", "exported under one name"),
    ("syntax", "unexpected"),
    (
        "triggerPortsValidWrtDefine",
        "does not define this interaction",
    ),
    ("uninitializedConstData", "needs a value"),
    (
        "uninitializedVariableExportedByPortOfConnector",
        "a value, which",
    ),
    (
        "uninitializedVariableOfConnectorInteractionAction",
        "arbitrary here",
    ),
    (
        "upDoesNotContainExternalSubDataRefOnLHSAssignments",
        "is constant here",
    ),
];

/// What is not said, and why: the rule, and the lines; with an empty one, nowhere.
const UNLIKE: &[(&str, &[&str])] = &[
    // A circle is told once, at the first of its rules.
    ("checkForCyclesInPrioritiesInAtom", &["35", "47"]),
    // The rules of priority of a compound are read up to the first fault.
    ("interactionIsDefinedInConnector", &["27"]),
    // What is given to an external function is not asked whether it is constant.
    ("hasIncorrectConst", &["36", "38"]),
    // Data without a value is arbitrary.
    (
        "uninitializedVariableInAtomInternalDataDeclaration",
        &["", "11"],
    ),
    (
        "uninitializedVariableInConnectorDataDeclaration",
        &["", "24"],
    ),
    // Of several packages, those with faults are told, not those that use them.
    ("LoadPackage", &[""]),
    ("hasCorrectNumberOfDataParameters", &[""]),
];

/// Lines with what is said there.
type Said = Vec<(u32, String)>;

/// What the front end says about a package, whatever its root would be: faults, and warnings. No faults if something is not supported,
/// since what stands behind that is not looked at.
fn said(path: &Path) -> (Option<Said>, Said) {
    let constants = [("root", "?"), ("extern", "arbitrary")];
    let options = Options {
        constants: constants
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into(),
    };
    let source = Source::read(path).expect("a file");
    let language = of_file(path, source.text()).expect("a language for .bip");
    let faults = match language.read(&source, &options) {
        Ok(_) => panic!("there is no root `?`"),
        Err(faults) => faults,
    };
    let lines = |fault: &Diagnostic| {
        let position = faults.position(fault)?;
        Some((position.line, fault.message.clone()))
    };
    let mut all = faults.iter();
    let is_whole = all.all(|it| it.category != Category::Unsupported);
    let warnings = faults.warnings();
    let warnings = warnings.map(|(at, text)| (at.line, text.to_owned()));
    (
        is_whole.then(|| faults.iter().filter_map(lines).collect()),
        warnings.collect(),
    )
}

/// The rules of a row of the table, each with the line if it is known.
fn rules(row: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    let rules = row.split("; ").filter(|rule| !rule.is_empty());
    rules.map(|rule| {
        let rule = rule.split(' ').next().expect("a rule");
        match rule.split_once(':') {
            Some((rule, line)) => (rule, Some(line)),
            None => (rule, None),
        }
    })
}

#[test]
fn rules_are_broken_and_warned_of_where_the_table_says() {
    let (mut count, mut wrong) = (0, BTreeSet::new());
    for row in rows("FRONTEND.tsv") {
        let (file, outcome) = (&row[0], row[1].as_str());
        let found = match (outcome, said(&folder().join("frontend_tests").join(file))) {
            ("warned", (_, warnings)) => warnings,
            ("rejected", (Some(faults), _)) => faults,
            _ => continue,
        };
        for (rule, line) in rules(&row[2]) {
            let words = RULES.iter().find(|(known, _)| *known == rule);
            let mut of_rule = found
                .iter()
                .filter(|(_, message)| words.is_some_and(|(_, words)| message.contains(words)));
            if of_rule.clone().next().is_none() {
                wrong.insert((rule.to_owned(), String::new()));
            }
            if let Some(line) = line
                && !of_rule.any(|(at, _)| at.to_string() == line)
            {
                wrong.insert((rule.to_owned(), line.to_owned()));
            }
            count += 1;
        }
    }
    println!("{count} rules, without {wrong:?}");
    let unlike = UNLIKE.iter().flat_map(|(rule, lines)| {
        let lines = lines.iter();
        lines.map(|line| ((*rule).to_owned(), (*line).to_owned()))
    });
    let unlike = unlike.filter(|_| count > 0).collect();
    assert_eq!(wrong, unlike);
}

#[test]
fn what_the_front_end_rejects_is_what_the_table_says() {
    let (mut wrong, mut unlike) = (Vec::new(), 0);
    let all = rows("FRONTEND.tsv");
    for row in &all {
        let (file, outcome, rules) = (&row[0], &row[1], row.get(2).map_or("", String::as_str));
        let path = folder().join("frontend_tests").join(file);
        let is_read = match read_any_root(&path) {
            Ok(()) => true,
            // What is well formed but not supported is not rejected.
            Err((5, _)) => continue,
            Err(_) => false,
        };
        if is_read != (outcome == "rejected") {
            continue;
        }
        // The table is of the reader of the syntax there: `ab` is one name, and no port of the connector type.
        if file == "syntax/nested/nested.bip" {
            unlike += 1;
        } else {
            wrong.push(format!("{file}: {outcome}, {rules}"));
        }
    }
    println!(
        "{} of {} as the table says",
        all.len() - wrong.len() - unlike,
        all.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_package_is_read_or_refused() {
    let mut waiting = vec![folder()];
    let mut count = 0;
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|it| it == "bip") {
                count += 1;
                if let Err((_, message)) = read(&path, &[]) {
                    assert!(message.contains("error["), "{}: {message}", path.display());
                }
            }
        }
    }
    println!("{count} packages");
}

/// Reads a package whatever its root would be: that there is none is no fault of a package.
fn read_any_root(path: &Path) -> Result<(), (u8, String)> {
    match read(path, &[("root", "?")]) {
        Ok(_) => Ok(()),
        Err((_, message)) if message.matches("error[").count() == 1 && message.contains("`?`") => {
            Ok(())
        }
        Err((_, message))
            if !message
                .replace("error[override]", "")
                .replace("error[unsupported]", "")
                .contains("error[") =>
        {
            Err((5, message))
        }
        Err((_, message)) => Err((3, message)),
    }
}
