//! The argument of a certificate with a prover's identifiers for everything in it: what the formats for provers have in common.
//!
//! Which lemmas there must be is not decided here but taken from `obligations.rs`; this only gives names.

use super::identifiers::{Identifiers, Spelling};
use crate::ExportError;
use indexmap::IndexMap;
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use slabcert_certificates::certificate::{Certificate, Evidence};
use slabcert_certificates::diagram::Diagram;
use slabcert_certificates::obligations::{ObligationKind, obligations};
use slabcert_certificates::system::{Property, System};
use slabcert_certificates::term::{Operator, Sort, Symbol, Term, Value};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// How many characters the formulas of a file may have together, whatever their size.
const FREE_CHARACTERS: usize = 1 << 16;

/// How many more they may have for each symbol and operator, what is shared counted once.
const CHARACTERS_EACH: usize = 400;

/// How many bytes a file may have.
const MOST_BYTES: usize = 64 << 20;

/// The text of a file, which is not kept when it gets too long.
#[derive(Debug, Default)]
pub struct Text {
    text: String,
    is_full: bool,
}

impl Text {
    /// Adds a line.
    pub fn line(&mut self, line: &str) {
        self.is_full |= self.text.len().saturating_add(line.len()) >= MOST_BYTES;
        if !self.is_full {
            self.text.push_str(line);
            self.text.push('\n');
        }
    }

    /// Whether there were more bytes than a file may have: what is added from now on is lost.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// All lines.
    ///
    /// # Errors
    /// When there were too many bytes.
    pub fn finish(self, format: &'static str) -> Result<String, ExportError> {
        if self.is_full {
            return Err(ExportError::TooLarge {
                format,
                limit: format!("makes a file of more than {MOST_BYTES} bytes"),
            });
        }
        Ok(self.text)
    }
}

/// An input that a formula mentions: its identifier and sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The identifier.
    pub name: String,
    /// The sort.
    pub sort: Sort,
}

/// A formula under an existential quantifier over the inputs that it mentions.
#[derive(Clone, Debug)]
pub struct TransitionRelation {
    /// The identifier of its definition.
    pub name: String,
    /// What the model calls it.
    pub original: String,
    /// The inputs, in the order of the system.
    pub inputs: Vec<Bound>,
    /// The formula.
    pub formula: Term,
}

/// What a step of the system is.
#[derive(Clone, Debug)]
pub enum StepRelation {
    /// A step of one of the named transitions, by definition.
    Named,
    /// What the system says, of which the named transitions are to be shown to lose nothing.
    Own(TransitionRelation),
}

/// A diagram with identifiers for it and its nodes.
#[derive(Clone, Debug)]
pub struct NamedDiagram<'a> {
    /// The diagram.
    pub diagram: &'a Diagram,
    /// The identifier of its invariant.
    pub name: String,
    /// The identifiers of its nodes, in order.
    pub nodes: Vec<String>,
    /// The indices of the diagrams that are assumed.
    pub assumes: Vec<usize>,
    /// For each node, the lemma about all steps from it.
    pub leaves: Vec<String>,
    /// The lemma that the invariant holds initially.
    pub starts: String,
    /// The lemma that the invariant is kept by each step.
    pub keeps: String,
}

/// A lemma for one node and one transition.
#[derive(Clone, Debug)]
pub struct Consecution {
    /// The lemma's identifier.
    pub name: String,
    /// The index of the transition.
    pub transition: usize,
    /// The indices of the successors in the diagram.
    pub successors: Vec<usize>,
}

/// A property that is claimed to hold.
#[derive(Clone, Debug)]
pub struct Claimed<'a> {
    /// The property.
    pub property: &'a Property,
    /// The violation, as a definition.
    pub error: TransitionRelation,
    /// The index of the first diagram, whose nodes are gone through.
    pub first: usize,
    /// The indices of the diagrams that exclude the violation together with it.
    pub others: Vec<usize>,
    /// For each node of the first diagram, the lemma that it excludes the violation.
    pub excludes: Vec<String>,
}

/// What a symbol stands for, as an identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role<'n> {
    /// The value of a variable before the step.
    Current(&'n str),
    /// The value of a variable after the step.
    Next(&'n str),
    /// An input.
    Input(&'n str),
}

enum SymbolRole {
    Current(usize),
    Next(usize),
    Input(usize),
}

/// The argument with its names.
pub struct Argument<'a> {
    /// The system.
    pub system: &'a System,
    /// The identifiers of the variables, in order.
    pub variables: Vec<String>,
    /// Names of values: the identifier, and the number that it stands for.
    pub values: IndexMap<(String, usize), String>,
    /// The named transitions.
    pub transitions: Vec<TransitionRelation>,
    /// The system's steps.
    pub step: StepRelation,
    /// The diagrams.
    pub diagrams: Vec<NamedDiagram<'a>>,
    /// For each diagram and node, by index, its lemmas in the order of the transitions.
    pub consecutions: Vec<Vec<Vec<Consecution>>>,
    /// The properties that are claimed to hold.
    pub claims: Vec<Claimed<'a>>,
    identifiers: Identifiers,
    inputs: Vec<String>,
    /// How many characters formulas have had so far.
    written: Cell<usize>,
    /// How many they may have.
    most: usize,
    roles: FxHashMap<Symbol, SymbolRole>,
}

impl<'a> Argument<'a> {
    /// The argument of a certificate, with identifiers of the given spelling.
    ///
    /// # Errors
    /// When no property is claimed to hold, or no obligations can be stated.
    pub fn of(
        system: &'a System,
        certificate: &'a Certificate,
        spelling: Spelling,
    ) -> Result<Argument<'a>, ExportError> {
        ExportError::refuse_reduced(certificate)?;
        let stated = obligations(system, certificate)?;
        let mut identifiers = Identifiers::new(spelling);
        let variables: Vec<String> = system
            .variables
            .iter()
            .map(|variable| identifiers.fresh(variable.name()))
            .collect();
        let inputs: Vec<String> = system
            .inputs
            .iter()
            .map(|input| identifiers.fresh(input.symbol.name()))
            .collect();
        let mut argument = Argument {
            system,
            variables,
            values: IndexMap::new(),
            transitions: Vec::new(),
            step: StepRelation::Named,
            diagrams: Vec::new(),
            consecutions: Vec::new(),
            claims: Vec::new(),
            identifiers,
            inputs,
            written: Cell::new(0),
            most: 0,
            roles: roles(system),
        };
        argument.name_values();
        for transition in &certificate.transitions {
            let relation = argument.relation(&transition.name, &transition.relation);
            argument.transitions.push(relation);
        }
        argument.name_step(certificate);
        argument.name_diagrams(certificate);
        argument.name_claims(certificate);
        if argument.claims.is_empty() {
            return Err(ExportError::Nothing(
                "the certificate contains no safe claim to export".to_owned(),
            ));
        }
        argument.name_consecutions(stated.iter().map(|obligation| &obligation.kind));
        argument.name_lemmas();
        let nodes: usize = argument.formulas().into_iter().map(Term::size).sum();
        argument.most = FREE_CHARACTERS.saturating_add(nodes.saturating_mul(CHARACTERS_EACH));
        Ok(argument)
    }

    /// Counts characters of a formula that is being written. What terms share is written out, and what a text of the format takes more
    /// than once is counted as often: a file is as large as the terms, but for a factor, or refused.
    ///
    /// # Errors
    /// When all formulas together have more characters than their symbols and operators allow.
    pub fn count(&self, format: &'static str, characters: usize) -> Result<(), ExportError> {
        let written = self.written.get().saturating_add(characters);
        self.written.set(written);
        if written > self.most {
            return Err(ExportError::TooLarge {
                format,
                limit: format!(
                    "has formulas of more than {} characters, written out without sharing",
                    self.most
                ),
            });
        }
        Ok(())
    }

    /// A new identifier that resembles the name.
    pub fn fresh(&mut self, name: &str) -> String {
        self.identifiers.fresh(name)
    }

    /// What the symbol stands for; `None` for one that is not the system's.
    pub fn role(&self, symbol: &Symbol) -> Option<Role<'_>> {
        Some(match self.roles.get(symbol)? {
            SymbolRole::Current(index) => Role::Current(&self.variables[*index]),
            SymbolRole::Next(index) => Role::Next(&self.variables[*index]),
            SymbolRole::Input(index) => Role::Input(&self.inputs[*index]),
        })
    }

    /// What a constant is called where it is compared with the term: the identifier of a location or of an enumeration's value.
    pub fn value_name(&self, compared: &Term, constant: &Term) -> Option<&str> {
        let (SymbolRole::Current(index) | SymbolRole::Next(index)) =
            self.roles.get(compared.as_symbol()?)?
        else {
            return None;
        };
        let Value::Int(number) = constant.as_constant()? else {
            return None;
        };
        let number = usize::try_from(number).ok()?;
        let table = self.system.variables[*index].values.as_ref()?;
        let name = table.values.get(number)?;
        self.values.get(&(name.clone(), number)).map(String::as_str)
    }

    /// All formulas of the argument.
    pub fn formulas(&self) -> Vec<&Term> {
        let mut formulas: Vec<&Term> = self.system.init.iter().collect();
        formulas.extend(self.transitions.iter().map(|relation| &relation.formula));
        if let StepRelation::Own(relation) = &self.step {
            formulas.push(&relation.formula);
        }
        for named in &self.diagrams {
            formulas.extend(named.diagram.nodes.iter().flat_map(|node| &node.label));
        }
        formulas.extend(self.claims.iter().map(|claimed| &claimed.error.formula));
        formulas
    }

    /// Whether a value of the sort occurs anywhere.
    pub fn uses(&self, sort: Sort) -> bool {
        let declared = self.system.variables.iter().any(|it| it.sort() == sort)
            || self.system.inputs.iter().any(|it| it.symbol.sort() == sort);
        declared || self.any(&mut |term| sort != Sort::Bool && term.sort() == sort)
    }

    /// Whether one of the operators occurs anywhere.
    pub fn applies(&self, operators: &[Operator]) -> bool {
        self.any(&mut |term| {
            term.as_application()
                .is_some_and(|(operator, _)| operators.contains(&operator))
        })
    }

    fn any(&self, test: &mut dyn FnMut(&Term) -> bool) -> bool {
        let mut found = false;
        for formula in self.formulas() {
            formula.visit(&mut |term| found |= test(term));
        }
        found
    }

    fn relation(&mut self, original: &str, formula: &Term) -> TransitionRelation {
        let symbols = formula.symbols();
        let inputs = self
            .system
            .inputs
            .iter()
            .zip(&self.inputs)
            .filter(|(input, _)| symbols.contains(&input.symbol))
            .map(|(input, name)| Bound {
                name: name.clone(),
                sort: input.symbol.sort(),
            })
            .collect();
        TransitionRelation {
            name: self.fresh(original),
            original: original.to_owned(),
            inputs,
            formula: formula.clone(),
        }
    }

    fn name_values(&mut self) {
        for table in self
            .system
            .variables
            .iter()
            .filter_map(|it| it.values.as_ref())
        {
            for (number, name) in table.values.iter().enumerate() {
                let key = (name.clone(), number);
                if !self.values.contains_key(&key) {
                    let identifier = self.identifiers.fresh(name);
                    self.values.insert(key, identifier);
                }
            }
        }
    }

    /// A relation that is just the disjunction of the named transitions is told by their names.
    fn name_step(&mut self, certificate: &Certificate) {
        let trans = self.system.trans_formula();
        let disjuncts = match trans.as_application() {
            Some((Operator::Or, disjuncts)) => disjuncts.to_vec(),
            _ => vec![trans.clone()],
        };
        let stated: BTreeSet<&Term> = disjuncts.iter().collect();
        let named: BTreeSet<&Term> = certificate
            .transitions
            .iter()
            .map(|it| &it.relation)
            .collect();
        if stated != named {
            let mut relation = self.relation("relation", &trans);
            // The skeleton's own word, which no model's name can be.
            relation.name = "step".to_owned();
            self.step = StepRelation::Own(relation);
        }
    }

    fn name_diagrams(&mut self, certificate: &'a Certificate) {
        let ordinal = |name: &String| {
            let diagrams = &certificate.diagrams;
            diagrams.iter().position(|diagram| diagram.name == *name)
        };
        for diagram in &certificate.diagrams {
            let name = self.fresh(&diagram.name);
            let nodes = diagram
                .nodes
                .iter()
                .map(|node| self.identifiers.fresh(&format!("{name}_{}", node.id)))
                .collect();
            self.diagrams.push(NamedDiagram {
                diagram,
                name,
                nodes,
                assumes: diagram.assumes.iter().filter_map(ordinal).collect(),
                leaves: Vec::new(),
                starts: String::new(),
                keeps: String::new(),
            });
        }
    }

    fn name_claims(&mut self, certificate: &Certificate) {
        let ordinal = |name: &String| {
            let diagrams = &certificate.diagrams;
            diagrams.iter().position(|diagram| diagram.name == *name)
        };
        let system = self.system;
        for claim in &certificate.claims {
            let Evidence::Safe(names) = &claim.evidence else {
                continue;
            };
            let property = system
                .properties
                .iter()
                .find(|it| it.index == claim.property);
            let ordinals: Vec<usize> = names.iter().filter_map(ordinal).collect();
            if let (Some(property), Some((first, others))) = (property, ordinals.split_first()) {
                let violation = property.formula.clone().not();
                let mut error = self.relation(&format!("error_{}", property.name), &violation);
                error.original.clone_from(&property.name);
                self.claims.push(Claimed {
                    property,
                    error,
                    first: *first,
                    others: others.to_vec(),
                    excludes: Vec::new(),
                });
            }
        }
    }

    /// The lemmas besides consecution: about all steps from a node, about diagrams, and about what excludes violations.
    fn name_lemmas(&mut self) {
        for named in &mut self.diagrams {
            let mut fresh = |name: String| self.identifiers.fresh(&name);
            let nodes = named.nodes.iter();
            named.leaves = nodes.map(|node| fresh(format!("{node}_step"))).collect();
            named.starts = fresh(format!("{}_init", named.name));
            named.keeps = fresh(format!("{}_step", named.name));
        }
        for claimed in &mut self.claims {
            let error = &claimed.error.name;
            let nodes = self.diagrams[claimed.first].nodes.iter();
            claimed.excludes = nodes
                .map(|node| self.identifiers.fresh(&format!("{node}_excludes_{error}")))
                .collect();
        }
    }

    fn name_consecutions<'k>(&mut self, kinds: impl Iterator<Item = &'k ObligationKind>) {
        let mut diagram_ordinals = BTreeMap::new();
        let mut node_ordinals = BTreeMap::new();
        for (ordinal, named) in self.diagrams.iter().enumerate() {
            diagram_ordinals.insert(named.diagram.name.clone(), ordinal);
            for (node_ordinal, node) in named.diagram.nodes.iter().enumerate() {
                node_ordinals.insert((ordinal, node.id), node_ordinal);
            }
        }
        let transition_ordinals: BTreeMap<String, usize> = self
            .transitions
            .iter()
            .enumerate()
            .map(|(ordinal, relation)| (relation.original.clone(), ordinal))
            .collect();
        let mut consecutions: Vec<Vec<Vec<Consecution>>> = self
            .diagrams
            .iter()
            .map(|named| vec![Vec::new(); named.nodes.len()])
            .collect();
        for kind in kinds {
            let ObligationKind::Consecution {
                diagram,
                node,
                transition,
                successors,
            } = kind
            else {
                continue;
            };
            let (Some(&ordinal), Some(&transition)) = (
                diagram_ordinals.get(diagram),
                transition_ordinals.get(transition),
            ) else {
                continue;
            };
            let Some(&node) = node_ordinals.get(&(ordinal, *node)) else {
                continue;
            };
            let name = format!(
                "{}_{}",
                self.diagrams[ordinal].nodes[node], self.transitions[transition].name
            );
            consecutions[ordinal][node].push(Consecution {
                name: self.identifiers.fresh(&name),
                transition,
                successors: successors
                    .iter()
                    .filter_map(|id| node_ordinals.get(&(ordinal, *id)).copied())
                    .collect(),
            });
        }
        self.consecutions = consecutions;
    }
}

fn roles(system: &System) -> FxHashMap<Symbol, SymbolRole> {
    let mut roles = FxHashMap::default();
    for (index, variable) in system.variables.iter().enumerate() {
        roles.insert(variable.current.clone(), SymbolRole::Current(index));
        roles.insert(variable.next.clone(), SymbolRole::Next(index));
    }
    for (index, input) in system.inputs.iter().enumerate() {
        roles.insert(input.symbol.clone(), SymbolRole::Input(index));
    }
    roles
}

/// The absolute value of a divisor that is a constant, and whether it was negative.
pub fn divisor(term: &Term) -> Option<(BigInt, bool)> {
    match term.as_constant()? {
        Value::Int(number) => Some((
            BigInt::from(number.magnitude().clone()),
            number.sign() == num_bigint::Sign::Minus,
        )),
        _ => None,
    }
}
