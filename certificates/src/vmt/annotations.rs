//! The annotations of VMT-LIB: what each `(! term :keyword value)` says about the system.

use super::{PREDICATE, read_index};
use crate::smtlib::{Atom, Position, ReadError, Scope, Sexpr, SexprKind, read_new_name};
use crate::system::Predicate;
use crate::term::{Sort, Symbol, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// An annotated formula and how it was written.
#[derive(Clone, Debug)]
pub(super) struct Annotated {
    pub term: Term,
    pub position: Position,
    /// When the formula is written `(or name ...)`: the names.
    pub disjuncts: Vec<String>,
}

#[derive(Clone, Debug)]
pub(super) struct AnnotatedProperty {
    pub term: Term,
    pub position: Position,
    pub name: Option<String>,
}

/// An annotated predicate of Horn clauses, its arguments not looked up yet.
pub(super) struct AnnotatedPredicate {
    name: String,
    location: Term,
    arguments: Vec<(String, Position)>,
    position: Position,
}

impl AnnotatedPredicate {
    /// Reads the value `(name variable ...)`.
    fn read(location: &Term, value: Option<&Sexpr>, position: Position) -> Result<Self, ReadError> {
        let malformed = |position| {
            let words = format!("`{PREDICATE}` needs a predicate and variables, as in `(p x y)`");
            ReadError::malformed(position, words)
        };
        let Some([name, arguments @ ..]) = value.and_then(Sexpr::as_list) else {
            return Err(malformed(position));
        };
        let symbol = |it: &Sexpr| match it.as_symbol() {
            Some(name) => Ok((name.to_owned(), it.position)),
            None => Err(malformed(it.position)),
        };
        Ok(AnnotatedPredicate {
            name: symbol(name)?.0,
            location: location.clone(),
            position,
            arguments: arguments.iter().map(symbol).collect::<Result<_, _>>()?,
        })
    }

    /// The predicate, its arguments as indices of variables.
    pub fn resolve(&self, indices: &FxHashMap<&str, usize>) -> Result<Predicate, ReadError> {
        let index = |(name, position): &(String, Position)| {
            let words = format!("`{name}` is not a state variable, as arguments of predicates are");
            let index = indices.get(name.as_str()).copied();
            index.ok_or_else(|| ReadError::malformed(*position, words))
        };
        Ok(Predicate {
            name: self.name.clone(),
            location: self.location.clone(),
            arguments: self.arguments.iter().map(index).collect::<Result<_, _>>()?,
        })
    }
}

/// The definition that is being read.
#[derive(Default)]
struct Definition {
    name: String,
    /// Where the body's outermost annotation begins.
    position: Position,
    disjuncts: Vec<String>,
}

#[derive(Default)]
pub(super) struct Annotations {
    pub next: FxHashMap<Symbol, Symbol>,
    pub next_positions: FxHashMap<Symbol, Position>,
    pub init: Option<(Term, Position)>,
    pub trans: Option<Annotated>,
    pub properties: BTreeMap<usize, AnnotatedProperty>,
    pub hints: Vec<Term>,
    pub predicates: Vec<AnnotatedPredicate>,
    /// The formulas that the system consists of, and the addresses of their nodes, which live as long.
    formulas: FxHashSet<Term>,
    nodes: FxHashSet<usize>,
    kept: Vec<Term>,
    definition: Option<Definition>,
}

impl Annotations {
    /// Remembers how the body of a definition is written.
    pub fn begin_definition(&mut self, name: &str, body: &Sexpr) {
        let inner = match body.as_list() {
            Some([_, inner, ..]) if body.head() == Some("!") => inner,
            _ => body,
        };
        let disjuncts = match inner.as_list() {
            Some(elements) if inner.head() == Some("or") => elements[1..]
                .iter()
                .map(|element| element.as_symbol().map(str::to_owned))
                .collect::<Option<Vec<String>>>()
                .unwrap_or_default(),
            _ => inner.as_symbol().map(str::to_owned).into_iter().collect(),
        };
        self.definition = Some(Definition {
            name: name.to_owned(),
            position: body.position,
            disjuncts,
        });
    }

    pub fn end_definition(&mut self) {
        self.definition = None;
    }

    /// A predicate that is told of twice would have its arguments twice.
    pub fn check_predicates(&self) -> Result<(), ReadError> {
        let mut names = BTreeSet::new();
        let mut predicates = self.predicates.iter();
        match predicates.find(|predicate| !names.insert(predicate.name.as_str())) {
            None => Ok(()),
            Some(twice) => Err(ReadError::malformed(
                twice.position,
                format!("two annotations `{PREDICATE}` are about `{}`", twice.name),
            )),
        }
    }

    /// Whether the formula is one that the system consists of.
    ///
    /// # Errors
    /// When that takes too much in all: formulas are compared as a whole.
    pub fn is_annotated(
        &self,
        scope: &Scope,
        term: &Term,
        position: Position,
    ) -> Result<bool, ReadError> {
        if self.nodes.contains(&term.address()) {
            return Ok(true);
        }
        scope.spend(position, |work| work.charge(term.extent() as u64))?;
        Ok(self.formulas.contains(term))
    }

    fn consists_of(
        &mut self,
        scope: &Scope,
        term: &Term,
        position: Position,
    ) -> Result<(), ReadError> {
        if !self.nodes.insert(term.address()) {
            return Ok(());
        }
        scope.spend(position, |work| work.charge(term.extent() as u64))?;
        self.formulas.insert(term.clone());
        // The node lives as long as its address is known, also where an equal formula was there.
        self.kept.push(term.clone());
        Ok(())
    }

    /// Takes note of the attributes of one annotated term.
    pub fn note(
        &mut self,
        scope: &Scope,
        term: &Term,
        attributes: &[Sexpr],
        position: Position,
    ) -> Result<(), ReadError> {
        let mut rest = attributes;
        while let Some((keyword, others)) = rest.split_first() {
            let Some(name) = keyword.as_keyword() else {
                return Err(ReadError::malformed(
                    keyword.position,
                    "a keyword such as `:init` is expected here",
                ));
            };
            let value = others.first().filter(|value| value.as_keyword().is_none());
            rest = if value.is_some() {
                &others[1..]
            } else {
                others
            };
            self.attribute(scope, term, name, value, position)?;
        }
        Ok(())
    }

    fn attribute(
        &mut self,
        scope: &Scope,
        term: &Term,
        keyword: &str,
        value: Option<&Sexpr>,
        position: Position,
    ) -> Result<(), ReadError> {
        match keyword {
            ":next" => self.next_partner(scope, term, value, position),
            ":init" | ":trans" => {
                expect_bool(term, keyword, position)?;
                if !is_true(value) {
                    return Err(ReadError::malformed(
                        position,
                        format!("expected `{keyword} true`"),
                    ));
                }
                self.formula(scope, term, keyword, position)
            }
            ":invar-property" => {
                expect_bool(term, keyword, position)?;
                let Some(index) = value.and_then(read_index) else {
                    return Err(ReadError::malformed(
                        position,
                        "`:invar-property` needs a number, as in `:invar-property 0`",
                    ));
                };
                self.property(scope, term, index, position)
            }
            ":predicate" => {
                expect_bool(term, keyword, position)?;
                self.hints.push(term.clone());
                Ok(())
            }
            PREDICATE => {
                expect_bool(term, keyword, position)?;
                let predicate = AnnotatedPredicate::read(term, value, position)?;
                self.predicates.push(predicate);
                Ok(())
            }
            ":live-property" => Err(ReadError::unsupported(
                position,
                "liveness properties are not supported; only `:invar-property` is",
            )),
            // Other attributes carry no meaning for the system.
            _ => Ok(()),
        }
    }

    fn next_partner(
        &mut self,
        scope: &Scope,
        term: &Term,
        value: Option<&Sexpr>,
        position: Position,
    ) -> Result<(), ReadError> {
        let Some(symbol) = term.as_symbol() else {
            return Err(ReadError::malformed(
                position,
                "`:next` belongs to a declared constant",
            ));
        };
        let Some(value) = value else {
            return Err(ReadError::malformed(
                position,
                "`:next` needs the name of the next value",
            ));
        };
        let name = read_new_name(value)?;
        let Some(next) = scope.symbol(name) else {
            return Err(ReadError::malformed(
                value.position,
                format!("`{name}` is not declared"),
            ));
        };
        if self.next.contains_key(symbol) {
            return Err(ReadError::malformed(
                position,
                format!("`{}` has two `:next` annotations", symbol.name()),
            ));
        }
        self.next.insert(symbol.clone(), next.clone());
        self.next_positions.insert(symbol.clone(), value.position);
        Ok(())
    }

    fn formula(
        &mut self,
        scope: &Scope,
        term: &Term,
        keyword: &str,
        position: Position,
    ) -> Result<(), ReadError> {
        let taken = if keyword == ":init" {
            self.init.is_some()
        } else {
            self.trans.is_some()
        };
        if taken {
            return Err(ReadError::malformed(
                position,
                format!("a second formula is annotated `{keyword}`; conjoin them"),
            ));
        }
        self.consists_of(scope, term, position)?;
        if keyword == ":init" {
            self.init = Some((term.clone(), position));
        } else {
            let written = self
                .definition
                .as_ref()
                .filter(|it| it.position == position);
            self.trans = Some(Annotated {
                term: term.clone(),
                position,
                disjuncts: written.map_or_else(Vec::new, |definition| definition.disjuncts.clone()),
            });
        }
        Ok(())
    }

    fn property(
        &mut self,
        scope: &Scope,
        term: &Term,
        index: usize,
        position: Position,
    ) -> Result<(), ReadError> {
        let name = self
            .definition
            .as_ref()
            .filter(|definition| definition.position == position)
            .and_then(|definition| definition.name.strip_prefix(super::PROPERTY_PREFIX))
            .map(str::to_owned);
        let property = AnnotatedProperty {
            term: term.clone(),
            position,
            name,
        };
        self.consists_of(scope, term, position)?;
        if self.properties.insert(index, property).is_some() {
            return Err(ReadError::malformed(
                position,
                format!("two properties have the number {index}"),
            ));
        }
        Ok(())
    }
}

fn expect_bool(term: &Term, keyword: &str, position: Position) -> Result<(), ReadError> {
    if term.sort() == Sort::Bool {
        Ok(())
    } else {
        Err(ReadError::malformed(
            position,
            format!(
                "`{keyword}` belongs to a formula, but this term has sort {}",
                term.sort()
            ),
        ))
    }
}

fn is_true(value: Option<&Sexpr>) -> bool {
    value.is_some_and(
        |value| matches!(&value.kind, SexprKind::Atom(Atom::Symbol(name, false)) if name == "true"),
    )
}
