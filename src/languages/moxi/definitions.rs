//! `define-system`: a system with its subsystems taken in.

use super::PRIME;
use super::attributes::{Attribute, Variable, attributes, check_primes, value_of, variables};
use super::commands::File;
use super::composition::Composition;
use super::terms::Terms;
use slabcert_certificates::smtlib::{ReadError, Sexpr};
use slabcert_certificates::term::Term;
use std::collections::{BTreeMap, BTreeSet};

/// A system; its formulas are about its variables, `x`, and their values after a step, `x'`.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub inputs: Vec<Variable>,
    pub outputs: Vec<Variable>,
    pub locals: Vec<Variable>,
    /// The local variables of subsystems, called `INSTANCE.NAME`.
    pub hidden: Vec<Variable>,
    /// What holds in the first state, besides the invariance condition.
    pub init: Term,
    pub trans: DefinedRelation,
    /// What holds in every state.
    pub inv: Term,
    /// How many instances of other systems are in it, in all.
    pub instances: usize,
}

impl Default for Definition {
    /// A system without variables and conditions.
    fn default() -> Definition {
        Definition {
            inputs: Vec::new(),
            outputs: Vec::new(),
            locals: Vec::new(),
            hidden: Vec::new(),
            init: Term::bool(true),
            trans: DefinedRelation::unnamed(Term::bool(true)),
            inv: Term::bool(true),
            instances: 0,
        }
    }
}

/// A transition condition.
#[derive(Clone, Debug)]
pub(super) struct DefinedRelation {
    /// The condition as a whole.
    pub formula: Term,
    /// Its disjuncts, if all of them have names.
    pub named: Vec<(String, Term)>,
}

impl DefinedRelation {
    /// A condition whose disjuncts have no names.
    pub fn unnamed(formula: Term) -> DefinedRelation {
        DefinedRelation {
            formula,
            named: Vec::new(),
        }
    }
}

impl Definition {
    /// Reads the attributes of the command.
    pub fn read(file: &mut File, elements: &[Sexpr]) -> Result<Definition, ReadError> {
        let once = [":input", ":output", ":local", ":init", ":trans", ":inv"];
        let given = attributes(elements, &once, &[":subsys"])?;
        let list = |keyword| match value_of(&given, keyword) {
            Some(list) => variables(list, &file.sorts),
            None => Ok(Vec::new()),
        };
        let mut definition = Definition {
            inputs: list(":input")?,
            outputs: list(":output")?,
            locals: list(":local")?,
            ..Definition::default()
        };
        let mut composition = Composition::new(file, &definition);
        for attribute in &given {
            if attribute.keyword == ":subsys" {
                composition.add(attribute.value)?;
            }
        }
        let parts = composition.finish();
        let visible = definition.visible();
        Terms::with_variables(&mut file.scope, &file.sorts, &visible, |terms| {
            let formulas = Formulas {
                terms,
                given: &given,
            };
            definition.init = formulas.state_condition(":init")?;
            definition.inv = formulas.state_condition(":inv")?;
            definition.trans = formulas.relation()?;
            Ok(())
        })?;
        definition.take_in(parts);
        Ok(definition)
    }

    /// The variables that formulas of the command may mention.
    pub fn visible(&self) -> Vec<Variable> {
        [&self.inputs[..], &self.outputs, &self.locals].concat()
    }

    /// Adds the subsystems.
    fn take_in(&mut self, parts: Definition) {
        let conjoin = |own: &Term, other: Term| Term::and([own.clone(), other]);
        self.hidden = parts.hidden;
        self.instances = parts.instances;
        self.init = conjoin(&self.init, parts.init);
        self.inv = conjoin(&self.inv, parts.inv);
        if !parts.trans.formula.is_true() {
            self.trans =
                DefinedRelation::unnamed(conjoin(&self.trans.formula, parts.trans.formula));
        }
    }
}

/// The formulas of a command and how they are read.
struct Formulas<'a, 'b> {
    terms: &'a Terms<'a>,
    given: &'a [Attribute<'b>],
}

impl Formulas<'_, '_> {
    /// A condition on one state; true if it is not given.
    fn state_condition(&self, keyword: &str) -> Result<Term, ReadError> {
        match value_of(self.given, keyword) {
            Some(formula) => {
                let about = format!("`{keyword}` is about one state");
                check_primes(formula, &|_| false, &about)?;
                self.terms.formula(formula)
            }
            None => Ok(Term::bool(true)),
        }
    }

    fn relation(&self) -> Result<DefinedRelation, ReadError> {
        let Some(formula) = value_of(self.given, ":trans") else {
            return Ok(DefinedRelation::unnamed(Term::bool(true)));
        };
        let Some(names) = named_disjuncts(formula) else {
            return Ok(DefinedRelation::unnamed(self.terms.formula(formula)?));
        };
        // Reading the whole too finds what is wrong with bindings that are not disjuncts.
        let formula = self.terms.formula(formula)?;
        let named = names
            .into_iter()
            .map(|(name, value)| Ok((name.to_owned(), self.terms.formula(value)?)))
            .collect::<Result<_, ReadError>>()?;
        Ok(DefinedRelation { formula, named })
    }
}

/// The disjuncts of `(let ((name formula) ...) (or name ...))` or of `(let ((name formula)) name)`.
fn named_disjuncts(formula: &Sexpr) -> Option<Vec<(&str, &Sexpr)>> {
    let [binder, bindings, body] = formula.as_list()? else {
        return None;
    };
    if binder.as_symbol() != Some("let") {
        return None;
    }
    let mut bound = BTreeMap::new();
    for binding in bindings.as_list()? {
        let [name, value] = binding.as_list()? else {
            return None;
        };
        bound.insert(name.as_symbol()?, value);
    }
    let disjuncts = match body.as_list() {
        Some([first, disjuncts @ ..]) if first.as_symbol() == Some("or") => disjuncts,
        _ => std::slice::from_ref(body),
    };
    let mut seen = BTreeSet::new();
    let mut named = Vec::new();
    for disjunct in disjuncts {
        let name = disjunct.as_symbol()?;
        if name.ends_with(PRIME) || !seen.insert(name) {
            return None;
        }
        named.push((name, *bound.get(name)?));
    }
    Some(named)
}
