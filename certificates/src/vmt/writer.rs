//! Writing a flat system as VMT-LIB text.

use super::sharing::CommonTerms;
use super::{PREDICATE, PROPERTY_PREFIX, TRANSITION_PREFIX};
use crate::fresh::FreshNames;
use crate::smtlib::{print_symbol, print_term};
use crate::system::System;
use crate::term::Term;
use std::fmt::Write;

/// The system as VMT-LIB. What is written reads back as the same variables, inputs, formulas, transition and property names, and is as
/// large as these are together: large terms that several have in common are definitions.
pub fn write_vmt(system: &System) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_system(system, &mut text);
    text
}

/// The names that stand in the text already.
struct VmtNames(FreshNames);

impl VmtNames {
    /// The wanted name for a definition, printed; with a number if something else has it.
    fn define(&mut self, wanted: &str) -> String {
        print_symbol(&self.0.give(wanted))
    }
}

fn write_system(system: &System, text: &mut String) -> std::fmt::Result {
    let mut names = VmtNames(system.taken_names("."));
    writeln!(text, "(set-logic {})", system.logic())?;
    for variable in &system.variables {
        for symbol in [&variable.current, &variable.next] {
            let name = print_symbol(symbol.name());
            writeln!(text, "(declare-fun {name} () {})", symbol.sort())?;
        }
    }
    for input in &system.inputs {
        let name = print_symbol(input.symbol.name());
        writeln!(text, "(declare-fun {name} () {})", input.symbol.sort())?;
    }
    for (index, variable) in system.variables.iter().enumerate() {
        let (current, next) = (
            print_symbol(variable.current.name()),
            print_symbol(variable.next.name()),
        );
        writeln!(
            text,
            "(define-fun {} () {} (! {current} :next {next}))",
            names.define(&format!(".state.{index}")),
            variable.sort()
        )?;
    }
    let init = system.init_formula();
    let relations: Vec<Term> = match &system.trans {
        Some(relation) => vec![relation.clone()],
        None => system
            .transitions
            .iter()
            .map(|it| it.formula(system))
            .collect(),
    };
    let properties = system.properties.iter().map(|property| &property.formula);
    let locations = system
        .predicates
        .iter()
        .map(|predicate| &predicate.location);
    let formulas = [&init].into_iter().chain(&relations).chain(properties);
    let formulas: Vec<Term> = formulas
        .chain(&system.hints)
        .chain(locations)
        .cloned()
        .collect();
    let common = CommonTerms::of(&formulas, &mut names.0);
    for (symbol, term) in &common.definitions {
        let name = print_symbol(symbol.name());
        let term = print_term(term);
        writeln!(text, "(define-fun {name} () {} {term})", symbol.sort())?;
    }
    let print = |formula: &Term| print_term(&common.written(formula));
    writeln!(
        text,
        "(define-fun {} () Bool (! {} :init true))",
        names.define(".init"),
        print(&init)
    )?;
    let relations: Vec<String> = relations.iter().map(print).collect();
    write_transitions(system, &relations, &mut names, text)?;
    for property in &system.properties {
        writeln!(
            text,
            "(define-fun {} () Bool (! {} :invar-property {}))",
            names.define(&format!("{PROPERTY_PREFIX}{}", property.name)),
            print(&property.formula),
            property.index
        )?;
    }
    write_notes(system, &print, &mut names, text)?;
    writeln!(text, "(assert true)")
}

/// What the system says beside its meaning: hints, and where the predicates of Horn clauses hold.
fn write_notes(
    system: &System,
    print: &dyn Fn(&Term) -> String,
    names: &mut VmtNames,
    text: &mut String,
) -> std::fmt::Result {
    for (index, hint) in system.hints.iter().enumerate() {
        writeln!(
            text,
            "(define-fun {} () Bool (! {} :predicate true))",
            names.define(&format!(".predicate.{index}")),
            print(hint)
        )?;
    }
    for (index, predicate) in system.predicates.iter().enumerate() {
        let arguments = predicate.arguments.iter();
        let arguments = arguments.map(|&index| system.variables[index].name());
        let words: Vec<String> = [predicate.name.as_str()]
            .into_iter()
            .chain(arguments)
            .map(print_symbol)
            .collect();
        writeln!(
            text,
            "(define-fun {} () Bool (! {} {PREDICATE} ({})))",
            names.define(&format!(".clause-predicate.{index}")),
            print(&predicate.location),
            words.join(" ")
        )?;
    }
    Ok(())
}

fn write_transitions(
    system: &System,
    relations: &[String],
    names: &mut VmtNames,
    text: &mut String,
) -> std::fmt::Result {
    let relation = if system.trans.is_some() {
        relations.concat()
    } else {
        let mut written = Vec::new();
        for (transition, relation) in system.transitions.iter().zip(relations) {
            let name = names.define(&format!("{TRANSITION_PREFIX}{}", transition.name));
            writeln!(text, "(define-fun {name} () Bool {relation})")?;
            written.push(name);
        }
        match written.len() {
            0 => "false".to_owned(),
            1 => written.remove(0),
            _ => format!("(or {})", written.join(" ")),
        }
    };
    writeln!(
        text,
        "(define-fun {} () Bool (! {relation} :trans true))",
        names.define(".trans")
    )
}
