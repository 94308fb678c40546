//! Questions for solvers: formulas, as text with safe names, and whether they are satisfiable together.

use slabcert_certificates::certificate::Certificate;
use slabcert_certificates::obligations::text::{Needs, ObligationPrinter, PrintedFormula};
use slabcert_certificates::system::System;
use slabcert_certificates::term::{Symbol, Term};
use std::collections::BTreeSet;
use std::fmt::Write;

/// What a session is told before its first question: the logic and all symbols of a system.
#[derive(Clone, Debug)]
pub struct Language {
    logic: &'static str,
    symbols: Vec<Symbol>,
}

impl Language {
    /// The language of all questions about a certificate.
    pub fn of(system: &System, certificate: &Certificate, printer: &ObligationPrinter) -> Language {
        let init = system.init_formula();
        let trans = system.trans_formula();
        let formulas = [&init, &trans]
            .into_iter()
            .chain(system.properties.iter().map(|property| &property.formula))
            .chain(
                certificate
                    .transitions
                    .iter()
                    .map(|transition| &transition.relation),
            )
            .chain(
                certificate
                    .diagrams
                    .iter()
                    .flat_map(|diagram| &diagram.nodes)
                    .flat_map(|node| &node.label),
            );
        let symbols: Vec<Symbol> = printer.renaming().symbols().cloned().collect();
        let needs = symbols
            .iter()
            .map(Needs::of_symbol)
            .fold(Needs::of_all(formulas), Needs::and);
        Language {
            logic: needs.logic(),
            symbols,
        }
    }

    /// Options, logic and declarations of a session.
    pub(crate) fn preamble(&self) -> String {
        let mut text =
            String::from("(set-option :print-success false)\n(set-option :produce-models true)\n");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "(set-logic {})", self.logic);
        declare(&mut text, &self.symbols);
        text
    }
}

fn declare<'a>(text: &mut String, symbols: impl IntoIterator<Item = &'a Symbol>) {
    for symbol in symbols {
        let _ = writeln!(text, "(declare-fun {} () {})", symbol.name(), symbol.sort());
    }
}

/// A question: are these formulas satisfiable together?
#[derive(Clone, Debug)]
pub struct Question {
    formulas: Vec<PrintedFormula>,
    /// The symbols that they mention, by their safe names.
    pub symbols: BTreeSet<Symbol>,
}

impl Question {
    /// The question about the formulas.
    pub fn new(formulas: &[Term], printer: &mut ObligationPrinter) -> Question {
        let formulas: Vec<PrintedFormula> = formulas
            .iter()
            .map(|formula| printer.formula(formula))
            .collect();
        let symbols = formulas
            .iter()
            .flat_map(|formula| formula.symbols.iter().cloned())
            .collect();
        Question { formulas, symbols }
    }

    /// The formulas as commands.
    pub(crate) fn assertions(&self) -> String {
        let mut text = String::new();
        for formula in &self.formulas {
            let _ = writeln!(text, "(assert {})", formula.text);
        }
        text
    }

    /// The command that asks for the values of the symbols; nothing when there are none.
    pub(crate) fn get_value(&self) -> String {
        if self.symbols.is_empty() {
            return String::new();
        }
        let names: Vec<&str> = self.symbols.iter().map(Symbol::name).collect();
        format!("(get-value ({}))\n", names.join(" "))
    }

    /// The question as a script of its own.
    pub(crate) fn script(&self, with_values: bool) -> String {
        let needs = self
            .formulas
            .iter()
            .fold(Needs::default(), |needs, formula| needs.and(formula.needs));
        let mut text = String::new();
        if with_values {
            text.push_str("(set-option :produce-models true)\n");
        }
        let _ = writeln!(text, "(set-logic {})", needs.logic());
        declare(&mut text, &self.symbols);
        text.push_str(&self.assertions());
        text.push_str("(check-sat)\n");
        if with_values {
            text.push_str(&self.get_value());
        }
        text.push_str("(exit)\n");
        text
    }
}
