//! Writing a flat system as VMT-LIB text.

use super::{PROPERTY_PREFIX, TRANSITION_PREFIX};
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

fn write_system(system: &System, text: &mut String) -> std::fmt::Result {
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
            "(define-fun .state.{index} () {} (! {current} :next {next}))",
            variable.sort()
        )?;
    }
    writeln!(
        text,
        "(define-fun .init () Bool (! {} :init true))",
        print_term(&system.init_formula())
    )?;
    write_transitions(system, text)?;
    for property in &system.properties {
        writeln!(
            text,
            "(define-fun {} () Bool (! {} :invar-property {}))",
            print_symbol(&format!("{PROPERTY_PREFIX}{}", property.name)),
            print_term(&property.formula),
            property.index
        )?;
    }
    for (index, hint) in system.hints.iter().enumerate() {
        writeln!(
            text,
            "(define-fun .predicate.{index} () Bool (! {} :predicate true))",
            print_term(hint)
        )?;
    }
    writeln!(text, "(assert true)")
}

fn write_transitions(system: &System, text: &mut String) -> std::fmt::Result {
    if let Some(trans) = &system.trans {
        return writeln!(
            text,
            "(define-fun .trans () Bool (! {} :trans true))",
            print_term(trans)
        );
    }
    let mut names = Vec::new();
    for transition in &system.transitions {
        let name = print_symbol(&format!("{TRANSITION_PREFIX}{}", transition.name));
        writeln!(
            text,
            "(define-fun {name} () Bool {})",
            print_term(&transition.formula(system))
        )?;
        names.push(name);
    }
    let relation = match names.len() {
        0 => "false".to_owned(),
        1 => names.remove(0),
        _ => format!("(or {})", names.join(" ")),
    };
    writeln!(
        text,
        "(define-fun .trans () Bool (! {relation} :trans true))"
    )
}
