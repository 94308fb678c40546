//! Obligations as self-contained SMT-LIB 2.6 files that every solver reads.
//!
//! A file declares what it mentions, asserts the formulas of the obligation, and asks whether they are satisfiable; the certificate is
//! right when no file is. There are no quantifiers, no definitions and no incremental commands; names are simple ([`Renaming`]), and
//! shared sub-terms are bound by `let`.

mod names;

use crate::escaping::is_control;
pub use names::Renaming;

use super::{Obligation, ObligationKind, TranslationPart};
use crate::smtlib::print_term;
use crate::system::System;
use crate::term::{Operator, Sort, Symbol, Term, TermMap, is_linear_node};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

/// What a formula needs of a logic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    integers: bool,
    reals: bool,
    products: bool,
}

impl Needs {
    /// What a formula needs.
    pub fn of(term: &Term) -> Needs {
        Needs::of_all([term])
    }

    /// What formulas need, which may share their parts.
    pub fn of_all<'a>(terms: impl IntoIterator<Item = &'a Term>) -> Needs {
        let mut needs = Needs::default();
        let mut looked_at = TermMap::default();
        for term in terms {
            term.visit_new(&mut looked_at, &mut |node| {
                // Logics of reals alone do not have `is_int`.
                needs.integers |= node.sort() == Sort::Int
                    || matches!(node.as_application(), Some((Operator::IsInt, _)));
                needs.reals |= node.sort() == Sort::Real;
                needs.products |= !is_linear_node(node);
            });
        }
        needs
    }

    /// What declaring the symbol needs.
    pub fn of_symbol(symbol: &Symbol) -> Needs {
        Needs {
            integers: symbol.sort() == Sort::Int,
            reals: symbol.sort() == Sort::Real,
            products: false,
        }
    }

    /// What both need together.
    #[must_use]
    pub fn and(self, other: Needs) -> Needs {
        Needs {
            integers: self.integers || other.integers,
            reals: self.reals || other.reals,
            products: self.products || other.products,
        }
    }

    /// The needs as a number: integers 1, reals 2, products 4. Needs together have the bits of both.
    pub fn bits(self) -> u8 {
        u8::from(self.integers) | u8::from(self.reals) << 1 | u8::from(self.products) << 2
    }

    /// The needs of that number.
    pub fn from_bits(bits: u8) -> Needs {
        Needs {
            integers: bits & 1 != 0,
            reals: bits & 2 != 0,
            products: bits & 4 != 0,
        }
    }

    /// The smallest SMT-LIB logic that has all of it.
    pub fn logic(self) -> &'static str {
        match (self.integers, self.reals, self.products) {
            (false, false, _) => "QF_UF",
            (true, false, false) => "QF_LIA",
            (false, true, false) => "QF_LRA",
            (true, true, false) => "QF_LIRA",
            (true, false, true) => "QF_NIA",
            (false, true, true) => "QF_NRA",
            (true, true, true) => "QF_NIRA",
        }
    }
}

/// A formula as text, with what a solver must be told before.
#[derive(Clone, Debug)]
pub struct PrintedFormula {
    /// The formula in SMT-LIB, with safe names.
    pub text: Arc<str>,
    /// The safe symbols that it mentions.
    pub symbols: Arc<BTreeSet<Symbol>>,
    /// What it needs of a logic.
    pub needs: Needs,
}

/// Prints the obligations of one system. Formulas that several obligations share are printed once.
pub struct ObligationPrinter {
    renaming: Renaming,
    printed: TermMap<PrintedFormula>,
}

impl ObligationPrinter {
    /// A printer for obligations about the system.
    pub fn new(system: &System) -> ObligationPrinter {
        ObligationPrinter {
            renaming: Renaming::of(system),
            printed: TermMap::default(),
        }
    }

    /// The names that are used.
    pub fn renaming(&self) -> &Renaming {
        &self.renaming
    }

    /// One formula as text.
    pub fn formula(&mut self, term: &Term) -> PrintedFormula {
        if let Some(printed) = self.printed.get(term) {
            return printed.clone();
        }
        // Most negations are of labels that occur elsewhere: only what is inside is worth remembering.
        if let Some((Operator::Not, [inner])) = term.as_application() {
            let mut printed = self.formula(inner);
            printed.text = format!("(not {})", printed.text).into();
            return printed;
        }
        let safe = self.renaming.apply(term);
        let printed = PrintedFormula {
            text: print_term(&safe).into(),
            symbols: Arc::new(safe.symbols()),
            needs: Needs::of(&safe),
        };
        self.printed.insert(term, printed.clone());
        printed
    }

    /// The formulas of an obligation as texts.
    pub fn assertions(&mut self, obligation: &Obligation) -> Vec<PrintedFormula> {
        obligation
            .assertions
            .iter()
            .map(|assertion| self.formula(assertion))
            .collect()
    }

    /// The obligation as a file of its own.
    pub fn standalone(&mut self, obligation: &Obligation) -> String {
        let assertions = self.assertions(obligation);
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_standalone(obligation, &assertions, &mut text);
        text
    }

    fn write_standalone(
        &self,
        obligation: &Obligation,
        assertions: &[PrintedFormula],
        text: &mut String,
    ) -> std::fmt::Result {
        let needs = assertions
            .iter()
            .fold(Needs::default(), |needs, formula| needs.and(formula.needs));
        let symbols: BTreeSet<&Symbol> = assertions
            .iter()
            .flat_map(|formula| formula.symbols.iter())
            .collect();
        writeln!(text, "(set-info :smt-lib-version 2.6)")?;
        writeln!(
            text,
            "; {}: {}.",
            obligation.kind.word(),
            on_one_line(&obligation.kind.describe())
        )?;
        writeln!(
            text,
            "; It holds when the formulas below are unsatisfiable together."
        )?;
        writeln!(text, "(set-logic {})", needs.logic())?;
        writeln!(text, "(set-info :status unsat)")?;
        for symbol in symbols {
            write!(text, "(declare-fun {} () {})", symbol.name(), symbol.sort())?;
            match self.renaming.original(symbol) {
                Some(original) if original.name() != symbol.name() => {
                    writeln!(text, " ; {}", on_one_line(original.name()))?;
                }
                _ => writeln!(text)?,
            }
        }
        for formula in assertions {
            writeln!(text, "(assert {})", formula.text)?;
        }
        writeln!(text, "(check-sat)")
    }
}

/// The text for a comment: a name with a line break in it must not end the comment.
fn on_one_line(text: &str) -> String {
    text.chars()
        .map(|character| {
            if is_control(character) {
                ' '
            } else {
                character
            }
        })
        .collect()
}

/// How many characters of names go into the name of a file.
const LONGEST_NAME: usize = 60;

/// The name of an obligation's file: `00012-consecution-main-3-toggle_2.smt2`.
pub fn file_name(number: usize, kind: &ObligationKind) -> String {
    let name = match kind {
        ObligationKind::Cover | ObligationKind::Translation(TranslationPart::Initial) => {
            String::new()
        }
        ObligationKind::Translation(TranslationPart::Step(name)) => format!("-{name}"),
        ObligationKind::Translation(TranslationPart::Property(property)) => format!("-{property}"),
        ObligationKind::Initiation { diagram } => format!("-{diagram}"),
        ObligationKind::Consecution {
            diagram,
            node,
            transition,
            ..
        } => format!("-{diagram}-{node}-{transition}"),
        ObligationKind::Safety {
            property,
            diagram,
            node,
        } => format!("-{property}-{diagram}-{node}"),
        ObligationKind::Reduction { diagram, part } => format!("-{diagram}-{}", part.subject()),
    };
    let plain: String = name
        .chars()
        .map(|character| {
            if character.is_ascii_alphanumeric() || character == '-' {
                character
            } else {
                '_'
            }
        })
        .take(LONGEST_NAME)
        .collect();
    format!(
        "{number:05}-{}{}.smt2",
        kind.word(),
        plain.trim_end_matches('_')
    )
}

#[cfg(test)]
mod tests;
