//! Writing a flat system as VMT-LIB text.

use super::{PREDICATE, PROPERTY_PREFIX, TRANSITION_PREFIX};
use crate::fresh::FreshNames;
use crate::smtlib::{print_symbol, print_term};
use crate::system::System;
use std::fmt::Write;

/// The system as VMT-LIB. What is written reads back as the same variables, inputs, formulas, transition and property names.
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
    writeln!(
        text,
        "(define-fun {} () Bool (! {} :init true))",
        names.define(".init"),
        print_term(&system.init_formula())
    )?;
    write_transitions(system, &mut names, text)?;
    for property in &system.properties {
        writeln!(
            text,
            "(define-fun {} () Bool (! {} :invar-property {}))",
            names.define(&format!("{PROPERTY_PREFIX}{}", property.name)),
            print_term(&property.formula),
            property.index
        )?;
    }
    for (index, hint) in system.hints.iter().enumerate() {
        writeln!(
            text,
            "(define-fun {} () Bool (! {} :predicate true))",
            names.define(&format!(".predicate.{index}")),
            print_term(hint)
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
            print_term(&predicate.place),
            words.join(" ")
        )?;
    }
    writeln!(text, "(assert true)")
}

fn write_transitions(system: &System, names: &mut VmtNames, text: &mut String) -> std::fmt::Result {
    if let Some(trans) = &system.trans {
        return writeln!(
            text,
            "(define-fun {} () Bool (! {} :trans true))",
            names.define(".trans"),
            print_term(trans)
        );
    }
    let mut written = Vec::new();
    for transition in &system.transitions {
        let name = names.define(&format!("{TRANSITION_PREFIX}{}", transition.name));
        writeln!(
            text,
            "(define-fun {name} () Bool {})",
            print_term(&transition.formula(system))
        )?;
        written.push(name);
    }
    let relation = match written.len() {
        0 => "false".to_owned(),
        1 => written.remove(0),
        _ => format!("(or {})", written.join(" ")),
    };
    writeln!(
        text,
        "(define-fun {} () Bool (! {relation} :trans true))",
        names.define(".trans")
    )
}
