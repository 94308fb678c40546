//! What a certificate amounts to: how much there is to state, to print and to replay, found out before any of it is done.
//!
//! Obligations are products: of nodes and transitions, of diagrams and those that assume them, of labels and what they share; so is the
//! replay of a trace, of steps and the relation. Invariant: what is counted here takes time with what is charged, so that counting ends at the
//! bounds as well.

use super::{Certificate, Evidence};
use crate::diagram::{Diagram, Region};
use crate::system::System;
use crate::term::{Kind, Term, Value};
use crate::work::{
    COMMUTING, FORMULA_BYTES, MAXIMAL_ASSERTIONS, MAXIMAL_OBLIGATIONS, OBLIGATION_BYTES,
    REPLAY_BYTES, TooLarge, Work,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Names of diagrams and transitions are kept with each obligation, while its formulas are shared: a byte of a name counts so often.
pub(crate) const NAMES_WEIGHT: u64 = 8;

/// What it takes to look whether two steps commute, though it is known: regions name the same pairs again and again.
pub(crate) const PAIR_WEIGHT: u64 = 5;

impl Certificate {
    /// Refuses certificates about the system whose obligations are too many or too large to state, or whose traces are too long to replay.
    ///
    /// # Errors
    /// The message: what is too large, and the bound.
    pub fn check_size(&self, system: &System) -> Result<(), TooLarge> {
        let mut text = Work::counting("bytes of formulas, counting each occurrence", FORMULA_BYTES);
        let relations = self
            .transitions
            .iter()
            .map(|transition| length(&transition.relation, &mut text))
            .collect::<Result<Vec<u64>, TooLarge>>()?;
        let trans = length(&system.trans_formula(), &mut text)?;
        self.check_traces(trans, &relations)?;
        if self.diagrams.is_empty() {
            return Ok(());
        }
        let diagrams = self
            .diagrams
            .iter()
            .map(|diagram| Measured::of(diagram, &mut text))
            .collect::<Result<Vec<Measured<'_>>, TooLarge>>()?;
        let names = self.transitions.iter().map(|it| it.name.len() as u64);
        let mut counts = Counts {
            by_name: diagrams
                .iter()
                .map(|it| (it.diagram.name.as_str(), it))
                .collect(),
            transitions: relations.len() as u64,
            names: names.sum(),
            relations: relations.iter().sum(),
            init: length(&system.init_formula(), &mut text)?,
            obligations: Work::counting("obligations", MAXIMAL_OBLIGATIONS),
            assertions: Work::counting(
                "formulas in its obligations, counted with repetition",
                MAXIMAL_ASSERTIONS,
            ),
            bytes: Work::counting(
                "bytes of obligations, all of them printed",
                OBLIGATION_BYTES,
            ),
            pairs: Work::counting("formulas in steps that may have to commute", COMMUTING),
        };
        counts.obligations.charge(1)?;
        counts.assertions.charge(counts.transitions + 1)?;
        counts
            .bytes
            .charge(trans.saturating_add(counts.relations))?;
        for diagram in &diagrams {
            counts.diagram(diagram)?;
        }
        let formulas: FxHashMap<usize, &Term> = system
            .properties
            .iter()
            .map(|property| (property.index, &property.formula))
            .collect();
        for claim in &self.claims {
            if let Evidence::Safe(names) = &claim.evidence {
                let property = match formulas.get(&claim.property) {
                    Some(formula) => length(formula, &mut text)?,
                    None => 0,
                };
                counts.safety(names, property)?;
            }
        }
        Ok(())
    }

    /// Each step of a trace is compared with the transition relation, and with the relation of the transition that it names.
    fn check_traces(&self, trans: u64, relations: &[u64]) -> Result<(), TooLarge> {
        let mut replay = Work::counting(
            "bytes of formulas that the steps of its traces are compared with",
            REPLAY_BYTES,
        );
        let names = self.transitions.iter().map(|it| it.name.as_str());
        let by_name: FxHashMap<&str, u64> = names.zip(relations.iter().copied()).collect();
        for step in self.traces.iter().flat_map(|trace| &trace.steps) {
            let named = by_name.get(step.transition.as_str()).copied();
            replay.charge(trans.saturating_add(named.unwrap_or(0)))?;
        }
        Ok(())
    }
}

/// A diagram with the lengths of its labels.
struct Measured<'a> {
    diagram: &'a Diagram,
    /// The lengths by the numbers of the nodes.
    labels: FxHashMap<usize, u64>,
    /// The regions by their names, and the lengths of their labels.
    regions: FxHashMap<&'a str, (&'a Region, u64)>,
    /// The sum of all.
    length: u64,
}

impl<'a> Measured<'a> {
    fn of(diagram: &'a Diagram, text: &mut Work) -> Result<Measured<'a>, TooLarge> {
        let mut measured = Measured {
            diagram,
            labels: FxHashMap::default(),
            regions: FxHashMap::default(),
            length: 0,
        };
        for node in &diagram.nodes {
            let mut label = 0;
            for conjunct in &node.label {
                label += length(conjunct, text)?;
            }
            measured.length += label;
            measured.labels.insert(node.id, label);
        }
        for region in &diagram.regions {
            let mut label = 0;
            for conjunct in &region.label {
                label += length(conjunct, text)?;
            }
            measured.regions.insert(&region.name, (region, label));
        }
        Ok(measured)
    }

    fn nodes(&self) -> u64 {
        self.diagram.nodes.len() as u64
    }
}

struct Counts<'a> {
    by_name: FxHashMap<&'a str, &'a Measured<'a>>,
    transitions: u64,
    /// The length of all transitions' names.
    names: u64,
    /// The length of all transitions' relations.
    relations: u64,
    init: u64,
    obligations: Work,
    assertions: Work,
    bytes: Work,
    /// Pairs of steps that may have to commute.
    pairs: Work,
}

impl Counts<'_> {
    /// The length of the invariants of diagrams, together.
    fn invariants(&self, names: &[String]) -> u64 {
        let found = names
            .iter()
            .filter_map(|name| self.by_name.get(name.as_str()));
        found.map(|it| it.length).fold(0, u64::saturating_add)
    }

    /// Initiation, consecution, and the questions that facts are found with.
    fn diagram(&mut self, measured: &Measured<'_>) -> Result<(), TooLarge> {
        let diagram = measured.diagram;
        let nodes = measured.nodes();
        let steps = nodes.saturating_mul(self.transitions);
        let assumed = diagram.assumes.len() as u64;
        self.obligations.charge(steps.saturating_add(1))?;
        self.assertions
            .charge(steps.saturating_mul(assumed + 2).saturating_add(nodes + 1))?;
        self.bytes.products(&[
            (1, self.init),
            (1, measured.length),
            (steps, self.invariants(&diagram.assumes)),
            (self.transitions, measured.length),
            (nodes, self.relations),
            (steps, NAMES_WEIGHT * diagram.name.len() as u64),
            (nodes, NAMES_WEIGHT * self.names),
        ])?;
        for edge in &diagram.edges {
            let carried = edge.transitions.len() as u64;
            self.assertions.charge(carried)?;
            let label = measured.labels.get(&edge.to).copied().unwrap_or(0);
            self.bytes.products(&[(carried, label)])?;
        }
        self.bytes
            .products(&[(self.transitions, measured.length), (nodes, self.init)])?;
        self.regions(measured)
    }

    /// What is owed for regions in any case: for each node, and that all pairs of a postponed and a stubborn transition are looked at.
    fn regions(&mut self, measured: &Measured<'_>) -> Result<(), TooLarge> {
        let diagram = measured.diagram;
        for region in &diagram.regions {
            let stubborn = region.stubborn.len() as u64;
            let independent = region.independent.as_ref().map(|it| it.len() as u64);
            let others = || self.transitions.saturating_sub(stubborn);
            let postponed = independent.unwrap_or_else(others);
            let others = stubborn + u64::from(region.key.is_some());
            self.pairs.products(&[(postponed, PAIR_WEIGHT * others)])?;
        }
        let assumed = self.invariants(&diagram.assumes);
        for node in &diagram.nodes {
            let region = node.region.as_deref();
            let Some((region, length)) = region.and_then(|name| measured.regions.get(name)) else {
                continue;
            };
            let label = measured.labels.get(&node.id).copied().unwrap_or(0);
            let owed = 1 + u64::from(region.key.is_some());
            self.obligations.charge(owed)?;
            self.assertions
                .charge(owed * (2 + diagram.assumes.len() as u64))?;
            self.bytes
                .products(&[(1, *length), (owed, label), (owed, assumed)])?;
        }
        Ok(())
    }

    /// The obligations of a safe claim.
    fn safety(&mut self, names: &[String], property: u64) -> Result<(), TooLarge> {
        let Some((first, others)) = names.split_first() else {
            return Ok(());
        };
        let Some(first) = self.by_name.get(first.as_str()).copied() else {
            return Ok(());
        };
        let nodes = first.nodes();
        self.obligations.charge(nodes)?;
        self.assertions
            .charge(nodes.saturating_mul(names.len() as u64 + 1))?;
        self.bytes.products(&[
            (1, first.length),
            (nodes, self.invariants(others)),
            (nodes, property),
            (nodes, NAMES_WEIGHT * first.diagram.name.len() as u64),
        ])?;
        let of_nodes = first.regions.values();
        let of_nodes = of_nodes.filter(|(region, _)| region.independent.is_none());
        let lengths: Vec<u64> = of_nodes.map(|(_, length)| *length).collect();
        let regions = lengths.len() as u64;
        self.obligations.charge(regions)?;
        self.bytes.products(&[
            (1, lengths.into_iter().fold(0, u64::saturating_add)),
            (regions, self.invariants(others)),
            (regions, property),
        ])
    }
}

/// How many bytes the formula has in print, what it shares once; charged as they are counted.
pub(crate) fn length(formula: &Term, text: &mut Work) -> Result<u64, TooLarge> {
    let before = text.left();
    text.charge(token(formula))?;
    if let Kind::Apply(..) = formula.kind() {
        count(formula, &mut FxHashSet::default(), text)?;
    }
    Ok(before - text.left())
}

/// Charges an application and, once, the applications inside it.
fn count(application: &Term, seen: &mut FxHashSet<usize>, text: &mut Work) -> Result<(), TooLarge> {
    let Some((operator, arguments)) = application.as_application() else {
        return Ok(());
    };
    if !seen.insert(application.address()) {
        return Ok(());
    }
    text.charge(2 + operator.name().len() as u64)?;
    for argument in arguments {
        text.charge(1 + token(argument))?;
        count(argument, seen, text)?;
    }
    Ok(())
}

/// The length of a name, a number, or a name that stands for something shared.
fn token(term: &Term) -> u64 {
    // Ten bits are three digits.
    let digits = |bits: u64| bits / 10 * 3 + 3;
    match term.kind() {
        Kind::Symbol(symbol) => symbol.name().len() as u64,
        Kind::Constant(Value::Bool(_)) => 5,
        Kind::Constant(Value::Int(number)) => digits(number.bits()),
        Kind::Constant(Value::Real(number)) => {
            digits(number.numer().bits()) + digits(number.denom().bits())
        }
        Kind::Apply(..) => 2,
    }
}

#[cfg(test)]
mod repairs {
    use super::*;
    use crate::certificate::{Claim, NamedRelation};
    use crate::diagram::{Edge, Node};
    use crate::system::Property;
    use crate::term::Sort;
    use crate::trace::{Step, Trace};

    /// A formula of so many bytes.
    fn formula(bytes: u64) -> Term {
        let length = usize::try_from(bytes).unwrap();
        Term::named(&"p".repeat(length), Sort::Bool)
    }

    fn diagram(name: &str, labels: Vec<Vec<Term>>) -> Diagram {
        let nodes = labels.into_iter().enumerate();
        Diagram {
            name: name.to_owned(),
            nodes: nodes.map(|(id, label)| Node::new(id, label)).collect(),
            ..Diagram::default()
        }
    }

    fn transitions(count: usize) -> Vec<NamedRelation> {
        let transition = |number| NamedRelation {
            name: format!("{number}"),
            relation: Term::bool(true),
            inputs: Vec::new(),
            frame: Vec::new(),
        };
        (0..count).map(transition).collect()
    }

    #[track_caller]
    fn is_refused(certificate: &Certificate, system: &System, words: &str) {
        let message = certificate.check_size(system).unwrap_err().to_string();
        assert!(message.contains(words), "{message}");
    }

    #[test]
    fn obligations_are_counted_as_nodes_times_transitions() {
        // Cover, initiation, and a consecution for each node and transition.
        let mut certificate = Certificate {
            transitions: transitions(499_999),
            diagrams: vec![diagram("d", vec![vec![], vec![]])],
            ..Certificate::default()
        };
        let system = System::default();
        assert_eq!(certificate.check_size(&system), Ok(()));
        certificate.diagrams.push(diagram("e", vec![]));
        is_refused(&certificate, &system, "more than 1000000 obligations");
    }

    #[test]
    fn assumptions_are_counted_for_each_node_and_transition() {
        let with = |assumed: usize| Certificate {
            transitions: transitions(999),
            diagrams: vec![Diagram {
                assumes: vec![String::new(); assumed],
                ..diagram("d", vec![vec![]; 1_000])
            }],
            ..Certificate::default()
        };
        let system = System::default();
        assert_eq!(with(18).check_size(&system), Ok(()));
        is_refused(&with(19), &system, "more than 20000000 formulas");
    }

    #[test]
    fn what_labels_share_is_counted_for_each_label() {
        // The relation and the initial condition, both constants, have five bytes each.
        let rest = FORMULA_BYTES - 10;
        let shared = formula(rest / 64);
        let with = |bytes: u64| {
            let mut label = vec![shared.clone(); 64];
            label.push(formula(bytes));
            Certificate {
                diagrams: vec![diagram("d", vec![label])],
                ..Certificate::default()
            }
        };
        let system = System::default();
        assert_eq!(with(rest % 64).check_size(&system), Ok(()));
        is_refused(
            &with(rest % 64 + 1),
            &system,
            "more than 67108864 bytes of formulas",
        );
    }

    /// A diagram of so many nodes in a region that says so much, follows so many transitions, and has a key or none.
    fn reduced(nodes: usize, label: Vec<Term>, stubborn: usize, has_key: bool) -> Diagram {
        let mut reduced = diagram("d", vec![vec![]; nodes]);
        for node in &mut reduced.nodes {
            node.region = Some("r".to_owned());
        }
        reduced.regions.push(Region {
            name: "r".to_owned(),
            label,
            stubborn: vec![String::new(); stubborn],
            key: has_key.then(String::new),
            independent: None,
        });
        reduced
    }

    #[test]
    fn what_regions_say_is_counted_when_a_certificate_is_read() {
        let with = |bytes: u64| Certificate {
            diagrams: vec![reduced(0, vec![formula(bytes)], 0, false)],
            ..Certificate::default()
        };
        let system = System::default();
        // The relation and the initial condition, both constants, have five bytes each.
        assert_eq!(with(FORMULA_BYTES - 10).check_size(&system), Ok(()));
        let words = "more than 67108864 bytes of formulas";
        is_refused(&with(FORMULA_BYTES - 9), &system, words);
    }

    #[test]
    fn nodes_in_regions_are_counted_twice_where_there_is_a_key() {
        let with = |nodes: usize, has_key: bool| Certificate {
            diagrams: vec![reduced(nodes, vec![], 0, has_key)],
            ..Certificate::default()
        };
        let system = System::default();
        // Beside cover and initiation.
        assert_eq!(with(499_999, true).check_size(&system), Ok(()));
        assert_eq!(with(500_000, false).check_size(&system), Ok(()));
        is_refused(&with(500_000, true), &system, "1000000 obligations");
    }

    #[test]
    fn pairs_of_postponed_and_stubborn_transitions_are_counted() {
        let with = |has_key: bool| Certificate {
            transitions: transitions(9_000),
            diagrams: vec![reduced(0, vec![], 4_000, has_key)],
            ..Certificate::default()
        };
        let system = System::default();
        assert_eq!(COMMUTING, 5_000 * 4_000 * PAIR_WEIGHT);
        assert_eq!(with(false).check_size(&system), Ok(()));
        is_refused(&with(true), &system, "steps that may have to commute");
    }

    #[test]
    fn regions_are_counted_for_each_claim() {
        let with = |claims: usize| Certificate {
            claims: (0..claims)
                .map(|_| Claim {
                    property: 0,
                    name: String::new(),
                    evidence: Evidence::Safe(vec!["d".to_owned()]),
                })
                .collect(),
            diagrams: vec![reduced(0, vec![], 0, false)],
            ..Certificate::default()
        };
        let system = System::default();
        assert_eq!(with(999_998).check_size(&system), Ok(()));
        is_refused(&with(999_999), &system, "1000000 obligations");
    }

    #[test]
    fn formulas_are_counted_for_each_obligation_that_they_are_in() {
        let with = |nodes: u64| Certificate {
            claims: vec![Claim {
                property: 0,
                name: String::new(),
                evidence: Evidence::Safe(vec!["d".to_owned()]),
            }],
            diagrams: vec![diagram("d", vec![vec![]; usize::try_from(nodes).unwrap()])],
            ..Certificate::default()
        };
        let property = OBLIGATION_BYTES / 1_000;
        let system = System {
            properties: vec![Property {
                index: 0,
                name: String::new(),
                formula: formula(property),
                position: None,
            }],
            ..System::default()
        };
        assert_eq!(with(999).check_size(&system), Ok(()));
        is_refused(
            &with(1_000),
            &system,
            "more than 1073741824 bytes of obligations",
        );
    }

    #[test]
    fn long_names_are_counted_for_each_obligation() {
        let with = |name: usize| Certificate {
            transitions: transitions(1_000),
            diagrams: vec![diagram(&"d".repeat(name), vec![vec![]; 900])],
            ..Certificate::default()
        };
        let system = System::default();
        assert_eq!(with(100).check_size(&system), Ok(()));
        is_refused(&with(1_000), &system, "bytes of obligations");
    }

    #[test]
    fn steps_are_counted_as_often_as_the_relation_is_long() {
        let system = System {
            trans: Some(formula(1 << 20)),
            ..System::default()
        };
        let step = Step {
            transition: String::new(),
            inputs: Default::default(),
        };
        let with = |steps: usize| Certificate {
            traces: vec![Trace {
                steps: vec![step.clone(); steps],
                ..Trace::default()
            }],
            ..Certificate::default()
        };
        assert_eq!(with(1 << 10).check_size(&system), Ok(()));
        is_refused(
            &with((1 << 10) + 1),
            &system,
            "bytes of formulas that the steps",
        );
    }

    #[test]
    fn what_a_label_shares_inside_is_counted_once_and_edges_as_their_successors() {
        let mut shared = formula(1);
        for _ in 0..1_000 {
            shared = Term::apply(crate::term::Operator::And, vec![shared.clone(), shared]).unwrap();
        }
        let mut certificate = Certificate {
            transitions: transitions(1),
            diagrams: vec![diagram("d", vec![vec![shared]])],
            ..Certificate::default()
        };
        let system = System::default();
        assert_eq!(certificate.check_size(&system), Ok(()));
        certificate.diagrams[0].edges.push(Edge {
            from: 0,
            to: 0,
            transitions: vec![String::new(); 1_000_000],
        });
        is_refused(&certificate, &system, "bytes of obligations");
    }
}
