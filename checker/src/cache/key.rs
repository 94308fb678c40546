//! What an entry is about: the hash of everything that the answer to an obligation's question depends on.

use crate::kernel::question::Question;
use slabcert_certificates::bundle::sha256;
use slabcert_certificates::obligations::Obligation;
use slabcert_certificates::obligations::text::ObligationPrinter;
use slabcert_certificates::system::{SymbolRole, System};
use slabcert_certificates::term::Symbol;
use std::fmt::Write;

/// The hash of an obligation, in hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ObligationKey(String);

impl ObligationKey {
    /// The hash.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The file of an entry about the obligation, in one of 256 folders.
    pub fn file(&self, extension: &str) -> String {
        entry_file(&self.0, extension)
    }
}

/// The file of an entry with that hash, in one of 256 folders.
pub(super) fn entry_file(hash: &str, extension: &str) -> String {
    let (folder, rest) = hash.split_at(2.min(hash.len()));
    format!("{folder}/{rest}.{extension}")
}

/// Makes keys for the obligations of one system.
pub(crate) struct Printer {
    printer: ObligationPrinter,
    /// The safe symbols and what they are called in the system, in the system's order.
    symbols: Vec<(Symbol, String)>,
}

impl Printer {
    /// For the obligations of a certificate about the system.
    pub fn new(system: &System) -> Printer {
        let printer = ObligationPrinter::new(system);
        let roles = system.symbol_roles();
        let position = |symbol: &Symbol| match roles.get(symbol) {
            Some(SymbolRole::Current(index)) => (0, *index, 0),
            Some(SymbolRole::Next(index)) => (0, *index, 1),
            Some(SymbolRole::Input(index)) => (1, *index, 0),
            None => (2, 0, 0),
        };
        let renaming = printer.renaming();
        let mut symbols: Vec<_> = renaming
            .symbols()
            .filter_map(|safe| {
                let original = renaming.original(safe)?;
                Some((position(original), safe.clone(), original.name().to_owned()))
            })
            .collect();
        symbols.sort();
        Printer {
            symbols: symbols
                .into_iter()
                .map(|(_, safe, original)| (safe, original))
                .collect(),
            printer,
        }
    }

    /// The key of an obligation: its question as a script of its own, and the names and the order of the symbols that it mentions, on
    /// which proofs depend. Nothing in it is about other obligations.
    pub fn key(&mut self, obligation: &Obligation) -> ObligationKey {
        let question = Question::new(&obligation.assertions, &mut self.printer);
        let mut text = String::from("slabcert obligation 1\n");
        for (safe, original) in &self.symbols {
            if question.symbols.contains(safe) {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "; {} {original:?}", safe.name());
            }
        }
        text.push_str(&question.script(false));
        ObligationKey(sha256(text.as_bytes()))
    }
}
