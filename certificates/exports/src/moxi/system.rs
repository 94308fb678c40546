//! The flat system as a MoXI model: one system `main`, a query for each property.

use super::SYSTEM;
use super::names::{MoxiNames, query_names};
use slabcert_certificates::smtlib::print_symbol;
use slabcert_certificates::system::System;
use slabcert_certificates::term::Symbol;
use std::fmt::Write;

/// The system as MoXI. Variables keep their names, transitions are the disjuncts that `:trans` binds by `let`, and a property becomes
/// a query of its name that asks for a violation.
pub fn write_moxi(system: &System) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_model(system, &mut text);
    text
}

fn write_model(system: &System, text: &mut String) -> std::fmt::Result {
    let mut names = MoxiNames::of(system);
    let list = |symbols: &mut dyn Iterator<Item = &Symbol>| {
        let pairs: Vec<String> = symbols
            .map(|symbol| format!("({} {})", names.current(symbol), symbol.sort()))
            .collect();
        pairs.join(" ")
    };
    let inputs = list(&mut system.inputs.iter().map(|input| &input.symbol));
    let locals = list(&mut system.variables.iter().map(|variable| &variable.current));
    let variables = format!("  :input ({inputs})\n  :output ()\n  :local ({locals})\n");
    writeln!(text, "(set-logic {})", system.logic())?;
    write!(text, "(define-system {SYSTEM}\n{variables}")?;
    writeln!(text, "  :init {}", names.print(&system.init_formula()))?;
    write_relation(system, &names, text)?;
    writeln!(text, ")")?;
    write!(text, "(check-system {SYSTEM}\n{variables}")?;
    for (property, query) in system.properties.iter().zip(query_names(system)) {
        let condition = names.definition(format!("{query}.violated"));
        let violation = names.print(&property.formula.clone().not());
        writeln!(text, "  :reachable ({condition} {violation})")?;
        writeln!(text, "  :query ({} ({condition}))", print_symbol(&query))?;
    }
    writeln!(text, ")")
}

fn write_relation(system: &System, names: &MoxiNames, text: &mut String) -> std::fmt::Result {
    if let Some(trans) = &system.trans {
        return writeln!(text, "  :trans {}", names.print(trans));
    }
    if system.transitions.is_empty() {
        return writeln!(text, "  :trans false");
    }
    let mut own = MoxiNames::of(&System::default());
    let mut disjuncts = Vec::new();
    writeln!(text, "  :trans (let (")?;
    for transition in &system.transitions {
        let name = own.definition(transition.name.clone());
        let formula = names.print(&transition.formula(system));
        writeln!(text, "    ({name} {formula})")?;
        disjuncts.push(name);
    }
    match disjuncts.as_slice() {
        [only] => writeln!(text, "    ) {only})"),
        _ => writeln!(text, "    ) (or {}))", disjuncts.join(" ")),
    }
}
