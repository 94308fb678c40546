//! What two certificates share and what changed from the one to the other, in the notation of their models.
//!
//! Nothing is checked here. Formulas count as equal when they are the same terms; nodes when they have the same conjuncts, whatever their
//! numbers are; obligations when their hashes agree, as in a cache. How a certificate came about (producer, statistics, pictures, the text
//! of the model) is left out: only what the model means and what is claimed about it is compared.

mod diagrams;
mod text;
mod traces;

pub use diagrams::{ChangedNode, DiagramDifference, LabelledNode};
pub use text::text;
pub use traces::TraceDifference;

use crate::cache::Printer;
use crate::kernel::check::{CheckError, on_large_stack};
use rustc_hash::FxHashSet;
use serde::Serialize;
use slabcert_certificates::bundle::{Bundle, BundleError};
use slabcert_certificates::certificate::{Certificate, Evidence};
use slabcert_certificates::obligations::obligations;
use slabcert_certificates::system::{Property, PropertyError, System};
use slabcert_certificates::term::{Kind, Operator, Symbol, Term};
use slabcert_exports::wording::Wording;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What is on one side only.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sides {
    /// What only the first has.
    pub removed: Vec<String>,
    /// What only the second has.
    pub added: Vec<String>,
}

impl Sides {
    /// Whether both have the same.
    pub fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.added.is_empty()
    }
}

/// A named thing that both have, with other conjuncts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Changed {
    /// Its name.
    pub name: String,
    /// The conjuncts of one side only.
    pub conjuncts: Sides,
}

/// Something that has another value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Replaced {
    /// Its name.
    pub name: String,
    /// What the first says of it; none when it does not have it.
    pub before: Option<String>,
    /// What the second says of it; none when it does not have it.
    pub after: Option<String>,
}

/// What is proved how often on both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Shared {
    /// How many obligations both have.
    pub common: usize,
    /// How many only the first has.
    pub removed: usize,
    /// How many only the second has.
    pub added: usize,
}

/// What differs between two certificates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Constants of the models with other values.
    pub constants: Vec<Replaced>,
    /// State variables and inputs that came, went, or have another sort or other names of values.
    pub variables: Vec<Replaced>,
    /// Conjuncts of the initial condition.
    pub init: Sides,
    /// The names of transitions that came and went.
    pub transitions: Sides,
    /// Disjuncts of the transition relation itself, as far as they are not transitions that are told of above.
    pub relation: Sides,
    /// Transitions with other conjuncts.
    pub changed_transitions: Vec<Changed>,
    /// The names of properties that came and went.
    pub properties: Sides,
    /// Properties with other conjuncts.
    pub changed_properties: Vec<Changed>,
    /// What the certificates take on trust.
    pub assumptions: Sides,
    /// What is claimed otherwise about a property that both have.
    pub claims: Vec<Replaced>,
    /// Diagrams that differ, those that came and went included.
    pub diagrams: Vec<DiagramDifference>,
    /// Traces of properties that both call violated.
    pub traces: Vec<TraceDifference>,
    /// The obligations.
    pub obligations: Shared,
}

impl Difference {
    /// Whether nothing differs.
    pub fn is_none(&self) -> bool {
        let Difference {
            constants,
            variables,
            init,
            transitions,
            changed_transitions,
            relation,
            properties,
            changed_properties,
            assumptions,
            claims,
            diagrams,
            traces,
            obligations,
        } = self;
        constants.is_empty()
            && variables.is_empty()
            && init.is_empty()
            && transitions.is_empty()
            && changed_transitions.is_empty()
            && relation.is_empty()
            && assumptions.is_empty()
            && properties.is_empty()
            && changed_properties.is_empty()
            && claims.is_empty()
            && diagrams.is_empty()
            && traces.is_empty()
            && obligations.removed == 0
            && obligations.added == 0
    }
}

/// Compares two bundles.
///
/// # Errors
/// When one of them cannot be read, or is not well-formed.
pub fn compare_bundles(first: &Path, second: &Path) -> Result<Difference, DifferenceError> {
    on_large_stack(|| {
        let read = |path: &Path| {
            Bundle::read(path).map_err(|reason| DifferenceError::Unreadable {
                bundle: path.display().to_string(),
                reason,
            })
        };
        let (first, second) = (read(first)?, read(second)?);
        let diagrams = [&first, &second].map(|bundle| &bundle.certificate.diagrams);
        if let Some(diagram) = diagrams.into_iter().flatten().find(|it| it.is_reduced()) {
            return Err(DifferenceError::Reduced(diagram.name.clone()));
        }
        let named = [&first.system.properties[..], &second.system.properties];
        check_names(named)?;
        Ok(compare(&first, &second))
    })?
}

/// Why two bundles cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum DifferenceError {
    /// One of them cannot be read.
    #[error("{bundle}: {reason}")]
    Unreadable {
        /// The bundle, as it was named.
        bundle: String,
        /// Why.
        reason: BundleError,
    },
    /// What the properties are called does not say which of them are to be compared.
    #[error(transparent)]
    Property(#[from] PropertyError),
    /// A diagram is reduced, and regions are not compared.
    #[error(
        "the diagram `{0}` is reduced, and diagrams with regions are not compared (compare the files `certificate.json` instead)"
    )]
    Reduced(String),
    /// The comparison cannot be run.
    #[error(transparent)]
    Check(#[from] CheckError),
}

/// Properties are compared by their names: each must mean one property on its own side, and one name must not be a name on the one side
/// and a number on the other.
fn check_names(sides: [&[Property]; 2]) -> Result<(), PropertyError> {
    for property in sides.into_iter().flatten() {
        let found = sides.map(|side| Property::find(side, &property.name));
        for result in &found {
            if let Err(error @ PropertyError::Ambiguous { .. }) = result {
                return Err(error.clone());
            }
        }
        if let [Ok(first), Ok(second)] = found
            && (first.index != second.index)
            && (first.name != second.name || first.is_numbered() || second.is_numbered())
        {
            return Err(PropertyError::ambiguous(&property.name, [first, second]));
        }
    }
    Ok(())
}

/// One of the two, with its words.
struct Side<'a> {
    system: &'a System,
    certificate: &'a Certificate,
    wording: Wording<'a>,
}

fn compare(first: &Bundle, second: &Bundle) -> Difference {
    let sides = [first, second].map(|bundle| Side {
        system: &bundle.system,
        certificate: &bundle.certificate,
        wording: Wording::of(&bundle.system),
    });
    let transitions = sides.each_ref().map(|side| {
        let named = side.certificate.transitions.iter();
        named
            .map(|it| (it.name.clone(), it.relation.conjuncts()))
            .collect()
    });
    let properties = sides.each_ref().map(|side| {
        let properties = side.system.properties.iter();
        properties
            .map(|it| (it.name.clone(), it.formula.conjuncts()))
            .collect()
    });
    let (transition_names, changed_transitions) = changes(&sides, transitions);
    let (property_names, changed_properties) = changes(&sides, properties);
    let relation = relation(&sides, &transition_names, &changed_transitions);
    let assumptions = sides.each_ref().map(|side| {
        let assumptions = side.certificate.assumptions.iter();
        assumptions.cloned().collect::<BTreeSet<String>>()
    });
    let init = sides
        .each_ref()
        .map(|side| side.system.init_formula().conjuncts());
    Difference {
        constants: replaced(
            sides
                .each_ref()
                .map(|it| it.certificate.source.constants.clone()),
        ),
        variables: replaced(sides.each_ref().map(variables)),
        init: conjuncts(&sides, [&init[0], &init[1]]),
        transitions: transition_names,
        changed_transitions,
        relation,
        properties: property_names,
        changed_properties,
        assumptions: only_in(&assumptions),
        claims: claims(&sides),
        diagrams: diagrams::compare(&sides),
        traces: traces::compare(&sides),
        obligations: shared_obligations(&sides),
    }
}

/// What is in one of two sets only.
fn only_in([first, second]: &[BTreeSet<String>; 2]) -> Sides {
    Sides {
        removed: first.difference(second).cloned().collect(),
        added: second.difference(first).cloned().collect(),
    }
}

/// The disjuncts of the system's own relation that only one side has. What the certificate calls its transitions need not be all of it.
/// Where a disjunct is such a transition, and it is told of that this changed, it is not told of again.
fn relation(sides: &[Side<'_>; 2], names: &Sides, changed: &[Changed]) -> Sides {
    let told: BTreeSet<&str> = (names.removed.iter().chain(&names.added))
        .chain(changed.iter().map(|it| &it.name))
        .map(String::as_str)
        .collect();
    let disjuncts = sides.each_ref().map(|side| {
        let relation = side.system.trans_formula();
        match relation.kind() {
            Kind::Apply(Operator::Or, disjuncts) => disjuncts.to_vec(),
            _ => vec![relation.clone()],
        }
    });
    let only = |own: usize, other: usize| -> Vec<String> {
        let others: FxHashSet<&Term> = disjuncts[other].iter().collect();
        let transitions = sides[own].certificate.transitions.iter();
        let known: FxHashSet<&Term> = transitions
            .filter(|it| told.contains(it.name.as_str()))
            .map(|it| &it.relation)
            .collect();
        let own_words = &sides[own].wording;
        disjuncts[own]
            .iter()
            .filter(|it| !others.contains(it) && !known.contains(it))
            .map(|it| own_words.term(it))
            .collect()
    };
    Sides {
        removed: only(0, 1),
        added: only(1, 0),
    }
}

/// The conjuncts that only one side has.
fn conjuncts(sides: &[Side<'_>; 2], formulas: [&[Term]; 2]) -> Sides {
    let only = |own: usize, other: usize| -> Vec<String> {
        let others: FxHashSet<&Term> = formulas[other].iter().collect();
        let own_words = &sides[own].wording;
        let formulas = formulas[own].iter();
        formulas
            .filter(|formula| !others.contains(formula))
            .map(|formula| own_words.term(formula))
            .collect()
    };
    Sides {
        removed: only(0, 1),
        added: only(1, 0),
    }
}

/// Named things with conjuncts, in the order of a certificate.
type Named = Vec<(String, Vec<Term>)>;

fn changes(sides: &[Side<'_>; 2], named: [Named; 2]) -> (Sides, Vec<Changed>) {
    let [first, second] = &named;
    let by_name = |list: &Named| -> BTreeMap<String, usize> {
        let names = list.iter().enumerate();
        names
            .map(|(position, (name, _))| (name.clone(), position))
            .collect()
    };
    let positions = [by_name(first), by_name(second)];
    let only = |own: usize, other: usize| -> Vec<String> {
        let names = named[own].iter().map(|(name, _)| name);
        names
            .filter(|name| !positions[other].contains_key(*name))
            .cloned()
            .collect()
    };
    let changed = first.iter().filter_map(|(name, before)| {
        let (_, after) = second.get(*positions[1].get(name)?)?;
        let conjuncts = conjuncts(sides, [before, after]);
        (!conjuncts.is_empty()).then(|| Changed {
            name: name.clone(),
            conjuncts,
        })
    });
    let changed = changed.collect();
    let names = Sides {
        removed: only(0, 1),
        added: only(1, 0),
    };
    (names, changed)
}

/// What has another value, or is on one side only.
fn replaced(values: [BTreeMap<String, String>; 2]) -> Vec<Replaced> {
    let names: BTreeSet<&String> = values.iter().flat_map(BTreeMap::keys).collect();
    names
        .into_iter()
        .filter(|name| values[0].get(*name) != values[1].get(*name))
        .map(|name| Replaced {
            name: name.clone(),
            before: values[0].get(name).cloned(),
            after: values[1].get(name).cloned(),
        })
        .collect()
}

/// What the variables and inputs of a system are, by name.
fn variables(side: &Side<'_>) -> BTreeMap<String, String> {
    let described = |what: &str, symbol: &Symbol| {
        let table = side.certificate.names.get(symbol.name());
        let kind = table.map_or_else(
            || symbol.sort().to_string(),
            |table| format!("{} of {}", table.name, table.values.join(", ")),
        );
        (symbol.name().to_owned(), format!("{what}: {kind}"))
    };
    let states = side.system.variables.iter();
    let states = states.map(|variable| described("state variable", &variable.current));
    let inputs = side.system.inputs.iter();
    let inputs = inputs.map(|input| described("input", &input.symbol));
    states.chain(inputs).collect()
}

fn claims(sides: &[Side<'_>; 2]) -> Vec<Replaced> {
    let verdicts = sides.each_ref().map(|side| {
        let properties = side.system.properties.iter();
        let verdict = |index| {
            let claim = side.certificate.claim(index)?;
            Some(match &claim.evidence {
                Evidence::Safe(_) => "safe",
                Evidence::Unsafe(_) => "unsafe",
                Evidence::Unknown(_) => "unknown",
            })
        };
        properties
            .map(|it| {
                (
                    it.name.clone(),
                    verdict(it.index).unwrap_or("unknown").to_owned(),
                )
            })
            .collect::<BTreeMap<String, String>>()
    });
    let both = |change: &Replaced| change.before.is_some() && change.after.is_some();
    replaced(verdicts).into_iter().filter(both).collect()
}

fn shared_obligations(sides: &[Side<'_>; 2]) -> Shared {
    let counted = sides.each_ref().map(|side| {
        let mut printer = Printer::new(side.system);
        let mut counted: BTreeMap<String, usize> = BTreeMap::new();
        // A well-formed certificate has obligations.
        for obligation in obligations(side.system, side.certificate).unwrap_or_default() {
            let key = printer.key(&obligation);
            *counted.entry(key.as_str().to_owned()).or_default() += 1;
        }
        counted
    });
    let [first, second] = counted;
    let total = |counted: &BTreeMap<String, usize>| counted.values().sum::<usize>();
    let common = first
        .iter()
        .map(|(key, count)| second.get(key).map_or(0, |other| *count.min(other)))
        .sum();
    Shared {
        common,
        removed: total(&first) - common,
        added: total(&second) - common,
    }
}
