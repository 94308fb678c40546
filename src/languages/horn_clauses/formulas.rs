//! Formulas with predicates and quantifiers in them.
//!
//! Terms know neither. An application of a predicate and a quantified formula are read as symbols that stand for them; what they stand
//! for is kept in the [`Vocabulary`]. Invariant: no name in a text is the name of such a symbol, and variables that are bound in one
//! formula are pairwise different.

use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use slabcert_certificates::fresh::FreshNames;
use slabcert_certificates::smtlib::{Extension, Position, Quantifier, ReadError};
use slabcert_certificates::term::{Kind, Sort, Symbol, Term, TermMap};
use std::collections::BTreeSet;

/// A predicate applied to arguments, which have neither predicates nor quantifiers in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Application {
    /// The predicate, by index.
    pub predicate: usize,
    pub arguments: Vec<Term>,
    pub position: Position,
}

/// What a symbol stands for.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    Application(Application),
    Quantified(Quantifier, Term),
}

/// The predicates of a file, and what symbols of its formulas stand for.
#[derive(Default)]
pub(super) struct Vocabulary {
    /// The sorts of each predicate's arguments.
    pub predicates: IndexMap<String, Vec<Sort>>,
    /// Names that variables bound in a formula cannot have.
    pub reserved: FreshNames,
    /// Names of variables that are bound in the formula that is being read, and the reserved ones.
    bound: FreshNames,
    meanings: FxHashMap<Symbol, Meaning>,
    /// Terms, and whether a symbol in them stands for something.
    mentions: TermMap<bool>,
}

impl Vocabulary {
    /// Begins a new formula.
    pub fn begin_formula(&mut self) {
        self.bound.clone_from(&self.reserved);
    }

    /// What a formula stands for, if it is such a symbol.
    pub fn meaning(&self, formula: &Term) -> Option<&Meaning> {
        self.meanings.get(formula.as_symbol()?)
    }

    /// Whether a predicate or a quantifier is in a formula.
    pub fn is_mentioned(&mut self, formula: &Term) -> bool {
        match formula.kind() {
            Kind::Constant(_) => false,
            Kind::Symbol(symbol) => self.meanings.contains_key(symbol),
            Kind::Apply(_, arguments) => {
                if let Some(known) = self.mentions.get(formula) {
                    return *known;
                }
                let found = arguments.iter().any(|argument| self.is_mentioned(argument));
                self.mentions.insert(formula, found);
                found
            }
        }
    }

    /// Some application in a formula, to name its predicate.
    pub fn some_application(&self, formula: &Term) -> Option<&Application> {
        let mut seen = BTreeSet::new();
        let mut waiting: Vec<Symbol> = formula.symbols().into_iter().collect();
        while let Some(symbol) = waiting.pop() {
            match self.meanings.get(&symbol) {
                Some(Meaning::Application(application)) => return Some(application),
                Some(Meaning::Quantified(_, body)) if seen.insert(symbol) => {
                    waiting.extend(body.symbols());
                }
                _ => {}
            }
        }
        None
    }

    /// A symbol that stands for something.
    fn stand_in(&mut self, meaning: Meaning) -> Term {
        // No name that is read has a bar in it, and no symbol that stands for such a name has two of them.
        let symbol = Symbol::new(format!("||{}", self.meanings.len()), Sort::Bool);
        self.meanings.insert(symbol.clone(), meaning);
        Term::symbol(symbol)
    }
}

impl Extension for Vocabulary {
    fn apply(
        &mut self,
        name: &str,
        arguments: &[Term],
        position: Position,
    ) -> Option<Result<Term, ReadError>> {
        let (predicate, _, sorts) = self.predicates.get_full(name)?;
        let sorts = sorts.clone();
        if arguments.len() != sorts.len() {
            return Some(Err(ReadError::malformed(
                position,
                format!(
                    "`{name}` takes {} arguments, but {} are given",
                    sorts.len(),
                    arguments.len()
                ),
            )));
        }
        let mut promoted = Vec::with_capacity(arguments.len());
        for (argument, sort) in arguments.iter().zip(&sorts) {
            let argument = match (sort, argument.sort()) {
                (Sort::Real, Sort::Int) => argument.clone().to_real(),
                _ => argument.clone(),
            };
            if argument.sort() != *sort {
                return Some(Err(ReadError::malformed(
                    position,
                    format!(
                        "`{name}` expects sort {sort}, but sort {} is given",
                        argument.sort()
                    ),
                )));
            }
            // A stand-in would pass for a variable that may have either value.
            if self.is_mentioned(&argument) {
                return Some(Err(ReadError::unsupported(
                    position,
                    format!(
                        "an argument of `{name}` has a predicate or a quantifier in it, which is not supported"
                    ),
                )));
            }
            promoted.push(argument);
        }
        Some(Ok(self.stand_in(Meaning::Application(Application {
            predicate,
            arguments: promoted,
            position,
        }))))
    }

    fn bound_variable(&mut self, name: &str, sort: Sort) -> Option<Symbol> {
        Some(Symbol::new(self.bound.give(name), sort))
    }

    fn quantified(&mut self, quantifier: Quantifier, _variables: Vec<Symbol>, body: Term) -> Term {
        if self.is_mentioned(&body) || !body.symbols().is_empty() {
            self.stand_in(Meaning::Quantified(quantifier, body))
        } else {
            body
        }
    }
}
