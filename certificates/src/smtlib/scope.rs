//! Scopes: what the names of a text stand for.

use super::{Position, ReadError, Sexpr};
use crate::term::{Symbol, Term};
use crate::work::{READING, TooLarge, Work};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// Names that are not symbols of a user unless they stand between bars, and never in the scope of a system.
const RESERVED: [&str; 40] = [
    "true",
    "false",
    "not",
    "and",
    "or",
    "=>",
    "xor",
    "ite",
    "=",
    "distinct",
    "+",
    "-",
    "*",
    "/",
    "div",
    "mod",
    "abs",
    "<=",
    "<",
    ">=",
    ">",
    "to_real",
    "to_int",
    "is_int",
    "let",
    "forall",
    "exists",
    "match",
    "par",
    "as",
    "_",
    "!",
    "BINARY",
    "DECIMAL",
    "HEXADECIMAL",
    "NUMERAL",
    "STRING",
    "Bool",
    "Int",
    "Real",
];

/// Whether the name belongs to SMT-LIB: printed between bars, and refused as the name of something new.
pub fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name)
}

/// A macro: parameters and body.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub parameters: Vec<Symbol>,
    pub body: Term,
    /// The body as it is written, if it is read anew with the arguments: then `body` has only its sort.
    pub text: Option<Sexpr>,
    /// The extent of the body, if there are parameters to substitute.
    pub size: u64,
}

/// What a name stood for that something else has for a while.
#[derive(Debug)]
pub struct Hidden {
    symbol: Option<(String, Symbol)>,
    definition: Option<(String, Definition)>,
}

/// Declared symbols and definitions by name.
#[derive(Clone, Debug)]
pub struct Scope {
    pub(super) symbols: FxHashMap<String, Symbol>,
    pub(super) definitions: FxHashMap<String, Definition>,
    /// What reading may still take beyond what is linear in the text.
    work: RefCell<Work>,
}

impl Default for Scope {
    fn default() -> Scope {
        Scope {
            symbols: FxHashMap::default(),
            definitions: FxHashMap::default(),
            work: RefCell::new(Work::counting(
                "parts of formulas, after definitions are expanded, and words of numbers that are computed with",
                READING,
            )),
        }
    }
}

impl Scope {
    fn check_new(&self, name: &str, position: Position) -> Result<(), ReadError> {
        if is_reserved(name) {
            return Err(ReadError::malformed(
                position,
                format!("`{name}` belongs to SMT-LIB and cannot be declared"),
            ));
        }
        if self.symbols.contains_key(name) || self.definitions.contains_key(name) {
            return Err(ReadError::malformed(
                position,
                format!("`{name}` is declared twice"),
            ));
        }
        Ok(())
    }

    /// Declares a free symbol.
    ///
    /// # Errors
    /// When the name is taken or belongs to SMT-LIB.
    pub fn declare(&mut self, symbol: Symbol, position: Position) -> Result<(), ReadError> {
        self.check_new(symbol.name(), position)?;
        self.symbols.insert(symbol.name().to_owned(), symbol);
        Ok(())
    }

    /// Defines a name that is expanded where it is used.
    ///
    /// # Errors
    /// When the name is taken or belongs to SMT-LIB.
    pub fn define(
        &mut self,
        name: &str,
        parameters: Vec<Symbol>,
        body: Term,
        position: Position,
    ) -> Result<(), ReadError> {
        self.check_new(name, position)?;
        let size = if parameters.is_empty() {
            0
        } else {
            let extent = body.extent() as u64;
            self.spend(position, |work| work.charge(extent))?;
            extent
        };
        let definition = Definition {
            parameters,
            body,
            text: None,
            size,
        };
        self.definitions.insert(name.to_owned(), definition);
        Ok(())
    }

    /// Defines a function whose body is read again at each use, with the arguments substituted for the parameters.
    ///
    /// # Errors
    /// As [`Scope::define`].
    pub(super) fn define_as_text(
        &mut self,
        name: &str,
        parameters: Vec<Symbol>,
        (body, text): (Term, &Sexpr),
        position: Position,
    ) -> Result<(), ReadError> {
        self.define(name, parameters, body, position)?;
        if let Some(definition) = self.definitions.get_mut(name) {
            definition.size = definition.size.max(text.size() as u64);
            definition.text = Some(text.clone());
        }
        Ok(())
    }

    /// Takes a declared symbol out again, at the end of the part of a text that it belongs to.
    pub fn retract(&mut self, symbol: &Symbol) {
        self.symbols.remove(symbol.name());
    }

    /// Takes away what a name stands for, if it stands for anything, while something else has the name.
    pub fn hide(&mut self, name: &str) -> Hidden {
        Hidden {
            symbol: self.symbols.remove_entry(name),
            definition: self.definitions.remove_entry(name),
        }
    }

    /// Restores the meaning of a name.
    pub fn restore(&mut self, hidden: Hidden) {
        self.symbols.extend(hidden.symbol);
        self.definitions.extend(hidden.definition);
    }

    /// Whether the name stands for something.
    pub fn knows(&self, name: &str) -> bool {
        self.symbols.contains_key(name) || self.definitions.contains_key(name)
    }

    /// Takes note of what reading takes beyond what is linear in the text.
    ///
    /// # Errors
    /// When it is too much in all.
    pub(crate) fn spend(
        &self,
        position: Position,
        charge: impl FnOnce(&mut Work) -> Result<(), TooLarge>,
    ) -> Result<(), ReadError> {
        charge(&mut self.work.borrow_mut())
            .map_err(|error| ReadError::malformed(position, error.to_string()))
    }

    /// The declared symbol of that name.
    pub fn symbol(&self, name: &str) -> Option<&Symbol> {
        self.symbols.get(name)
    }

    /// The body of a definition without parameters.
    pub fn definition(&self, name: &str) -> Option<&Term> {
        self.definitions
            .get(name)
            .filter(|definition| definition.parameters.is_empty())
            .map(|definition| &definition.body)
    }
}
