//! What must hold for a reduced diagram to exclude a violation, though its nodes leave out transitions.
//!
//! `coq/theory/Reductions.v` proves that it is enough: the names of its hypotheses are those of the parts here. A run to a violation is
//! changed until the diagram follows it. The next stubborn transition moves to its front (closure, commutation); where there is none, no
//! violation comes (quietness), or the key transition can go first (enabledness, persistence, preservation), which happens only finitely
//! often in a row (no cycle of key edges). Nothing here assumes the formula of a reduced diagram: what is postponed leads out of it. The
//! two steps of a commutation are commands with inputs of their own, each of which it keeps in the other order. What both orders plainly
//! have in common owes nothing; so steps of which none reads or writes what the other writes owe nothing at all.

#[cfg(test)]
mod tests;

use super::commands::{Command, Commands, substituted};
use super::{Obligation, ObligationError, ObligationKind, Prepared, ReductionPart};
use crate::certificate::Certificate;
use crate::certificate::size::{NAMES_WEIGHT, PAIR_WEIGHT, length};
use crate::diagram::{Diagram, Region};
use crate::system::{Property, System};
use crate::term::{Operator, Symbol, Term};
use crate::work::{
    COMMUTING, FORMULA_BYTES, MAXIMAL_OBLIGATIONS, OBLIGATION_BYTES, TooLarge, Work,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Why regions of a diagram are none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegionFault {
    /// Two regions have the same name.
    #[error("a second region is called `{0}`")]
    SecondRegion(String),
    /// A node names a region that there is not.
    #[error("node {0} is in region `{1}`, which the diagram does not have")]
    NoRegion(usize, String),
    /// A region names a transition that there is not.
    #[error("region `{0}` names transition `{1}`, which there is not")]
    NoTransition(String, String),
    /// A region names a transition twice.
    #[error("region `{0}` names transition `{1}` twice")]
    SecondTransition(String, String),
    /// The key is not one of the stubborn set.
    #[error("the key `{1}` of region `{0}` is not in its stubborn set")]
    Key(String, String),
    /// An edge carries a transition that the node does not follow.
    #[error("an edge of `{1}` leaves node {0}, whose region postpones it")]
    Postponed(usize, String),
    /// Key edges are a cycle: on it, what is postponed would never happen.
    #[error(
        "node {0} is on a cycle of key edges; take the key from the region of one of its nodes, or let it follow all transitions"
    )]
    Cycle(usize),
}

/// Checks the form of a diagram's regions: their names, and that no cycle consists of edges by the key transitions of their nodes.
///
/// # Errors
/// What is wrong.
pub fn check_regions(diagram: &Diagram, transitions: &FxHashSet<&str>) -> Result<(), RegionFault> {
    if !diagram.is_reduced() {
        return Ok(());
    }
    let mut regions: FxHashMap<&str, (&Region, FxHashSet<&str>)> = FxHashMap::default();
    for region in &diagram.regions {
        let name = || region.name.clone();
        let mut stubborn = FxHashSet::default();
        for transition in &region.stubborn {
            if !transitions.contains(transition.as_str()) {
                return Err(RegionFault::NoTransition(name(), transition.clone()));
            }
            if !stubborn.insert(transition.as_str()) {
                return Err(RegionFault::SecondTransition(name(), transition.clone()));
            }
        }
        if let Some(key) = &region.key
            && !stubborn.contains(key.as_str())
        {
            return Err(RegionFault::Key(name(), key.clone()));
        }
        if regions.insert(&region.name, (region, stubborn)).is_some() {
            return Err(RegionFault::SecondRegion(name()));
        }
    }
    let mut of_node: FxHashMap<usize, &(&Region, FxHashSet<&str>)> = FxHashMap::default();
    for node in &diagram.nodes {
        if let Some(name) = &node.region {
            let region = regions.get(name.as_str());
            let region = region.ok_or_else(|| RegionFault::NoRegion(node.id, name.clone()))?;
            of_node.insert(node.id, region);
        }
    }
    let mut key_edges: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for edge in &diagram.edges {
        let Some((region, stubborn)) = of_node.get(&edge.from) else {
            continue;
        };
        for transition in &edge.transitions {
            if !stubborn.contains(transition.as_str()) {
                return Err(RegionFault::Postponed(edge.from, transition.clone()));
            }
            if region.key.as_ref() == Some(transition) {
                key_edges.entry(edge.from).or_default().push(edge.to);
            }
        }
    }
    match on_a_cycle(&key_edges) {
        Some(node) => Err(RegionFault::Cycle(node)),
        None => Ok(()),
    }
}

/// The least node on or behind a cycle; `None` if there is no cycle. Nodes are taken away whose successors are all taken away; what stays
/// has a successor that stays.
fn on_a_cycle(edges: &FxHashMap<usize, Vec<usize>>) -> Option<usize> {
    let mut open: FxHashMap<usize, usize> = FxHashMap::default();
    let mut predecessors: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    let mut waiting = Vec::new();
    for (&from, successors) in edges {
        open.insert(from, successors.len());
        for &to in successors {
            predecessors.entry(to).or_default().push(from);
            if !edges.contains_key(&to) {
                waiting.push(to);
            }
        }
    }
    while let Some(node) = waiting.pop() {
        // A node without successors is in the list once for each edge to it: its predecessors are told once.
        for before in predecessors.remove(&node).into_iter().flatten() {
            if let Some(count) = open.get_mut(&before) {
                *count -= 1;
                if *count == 0 {
                    open.remove(&before);
                    waiting.push(before);
                }
            }
        }
    }
    open.into_keys().min()
}

/// The obligations that reduced diagrams have beside consecution and safety.
pub(super) struct Reductions<'a> {
    certificate: &'a Certificate,
    relations: FxHashMap<&'a str, &'a Term>,
    commands: Commands<'a>,
    /// The commands by their names, with the system's inputs and with inputs of their own, and the extent of their relation.
    known: FxHashMap<&'a str, (Command, Command, u64)>,
    /// What is owed for two steps in both orders, by the names of the postponed and of the stubborn one, and how they are possible.
    orders: FxHashMap<(&'a str, &'a str, Possible), Option<Formula>>,
    bounds: Bounds,
}

/// How two steps are possible that must be possible in the other order.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Possible {
    /// The stubborn one after the postponed one.
    InTurn,
    /// Each in the state before both.
    AtOnce,
}

/// A formula with its length in print.
#[derive(Clone)]
struct Formula {
    term: Term,
    bytes: u64,
}

/// How much may be stated.
struct Bounds {
    obligations: Work,
    /// Bytes of all obligations in print.
    bytes: Work,
    /// Bytes of formulas that are made here.
    formulas: Work,
    /// Nodes of relations that are looked at in another order.
    compared: Work,
}

impl Bounds {
    fn formula(&mut self, term: Term) -> Result<Formula, TooLarge> {
        let bytes = length(&term, &mut self.formulas)?;
        Ok(Formula { term, bytes })
    }

    fn formulas(&mut self, terms: &[Term]) -> Result<Vec<Formula>, TooLarge> {
        let terms = terms.iter();
        terms.map(|term| self.formula(term.clone())).collect()
    }

    fn owe(
        &mut self,
        diagram: &Diagram,
        part: ReductionPart,
        assertions: &[&[Formula]],
    ) -> Result<Obligation, TooLarge> {
        self.obligations.charge(1)?;
        let formulas = assertions.iter().copied().flatten();
        let bytes = formulas.clone().map(|formula| formula.bytes);
        self.bytes.charge(bytes.fold(0, u64::saturating_add))?;
        let names = diagram.name.len() + part.names();
        self.bytes.charge(NAMES_WEIGHT * names as u64)?;
        Ok(Obligation {
            kind: ObligationKind::Reduction {
                diagram: diagram.name.clone(),
                part,
            },
            assertions: formulas.map(|formula| formula.term.clone()).collect(),
        })
    }
}

impl<'a> Reductions<'a> {
    pub fn of(system: &'a System, certificate: &'a Certificate) -> Reductions<'a> {
        let named = certificate.transitions.iter();
        Reductions {
            certificate,
            relations: named.map(|it| (it.name.as_str(), &it.relation)).collect(),
            commands: Commands::of(system),
            known: FxHashMap::default(),
            orders: FxHashMap::default(),
            bounds: Bounds {
                obligations: Work::counting("obligations", MAXIMAL_OBLIGATIONS),
                bytes: Work::counting(
                    "bytes of obligations, all of them printed",
                    OBLIGATION_BYTES,
                ),
                formulas: Work::counting("bytes of formulas about regions", FORMULA_BYTES),
                compared: Work::counting("formulas in steps that may have to commute", COMMUTING),
            },
        }
    }

    /// States what is owed for a diagram's regions, whatever is claimed with it.
    pub fn regions(
        &mut self,
        prepared: &Prepared<'a>,
        assumed: &[Term],
        found: &mut Vec<Obligation>,
    ) -> Result<(), ObligationError> {
        let diagram = prepared.diagram;
        let names = self.relations.keys().copied().collect();
        check_regions(diagram, &names).map_err(|fault| ObligationError::Region {
            diagram: diagram.name.clone(),
            fault,
        })?;
        let assumed = self.bounds.formulas(assumed)?;
        for region in &diagram.regions {
            let mut inside = assumed.clone();
            inside.push(self.bounds.formula(region.formula())?);
            self.region(diagram, region, &inside, found)?;
        }
        self.nodes(prepared, &assumed, found)
    }

    /// States what is owed for a region, `inside` of which formulas hold.
    fn region(
        &mut self,
        diagram: &'a Diagram,
        region: &'a Region,
        inside: &[Formula],
        found: &mut Vec<Obligation>,
    ) -> Result<(), ObligationError> {
        let stubborn: FxHashSet<&str> = region.stubborn.iter().map(String::as_str).collect();
        let extent = region.formula().extent() as u64;
        for transition in &self.certificate.transitions {
            let postponed = &transition.name;
            if stubborn.contains(postponed.as_str()) {
                continue;
            }
            self.bounds.compared.charge(extent)?;
            if let Some(leaves) = self.leaves(region, postponed)? {
                let part = ReductionPart::Closure {
                    region: region.name.clone(),
                    postponed: postponed.clone(),
                };
                found.push(self.bounds.owe(diagram, part, &[inside, &leaves])?);
            }
            for name in &region.stubborn {
                if let Some(owed) = self.other_order(postponed, name, Possible::InTurn)? {
                    let part = ReductionPart::Commutation {
                        region: region.name.clone(),
                        postponed: postponed.clone(),
                        stubborn: name.clone(),
                    };
                    found.push(self.bounds.owe(diagram, part, &[inside, &[owed]])?);
                }
            }
            if let Some(key) = &region.key
                && let Some(owed) = self.other_order(postponed, key, Possible::AtOnce)?
            {
                let part = ReductionPart::Persistence {
                    region: region.name.clone(),
                    postponed: postponed.clone(),
                    key: key.clone(),
                };
                found.push(self.bounds.owe(diagram, part, &[inside, &[owed]])?);
            }
        }
        Ok(())
    }

    /// Formulas that hold together where the transition leads out of the region; `None` if it plainly changes nothing that the region says.
    fn leaves(
        &mut self,
        region: &Region,
        postponed: &'a str,
    ) -> Result<Option<Vec<Formula>>, ObligationError> {
        let (command, ..) = self.command(postponed)?;
        let after = substituted(&region.label, &command.updates)
            .ok_or_else(|| ObligationError::NoCommand(postponed.to_owned()))?;
        let both = region.label.iter().zip(after);
        let changed = both.filter(|(before, after)| before.address() != after.address());
        let changed: Vec<Term> = changed.map(|(_, after)| after.not()).collect();
        if changed.is_empty() {
            return Ok(None);
        }
        let mut leaves = command.guard.clone();
        leaves.push(Term::or(changed));
        Ok(Some(self.bounds.formulas(&leaves)?))
    }

    /// States what is owed for the nodes that name a region.
    fn nodes(
        &mut self,
        prepared: &Prepared<'a>,
        assumed: &[Formula],
        found: &mut Vec<Obligation>,
    ) -> Result<(), ObligationError> {
        let diagram = prepared.diagram;
        let witness = self.commands.witness();
        let mut regions = FxHashMap::default();
        for region in &diagram.regions {
            let outside = self.bounds.formula(region.formula().not())?;
            let mut key = None;
            if let Some(name) = &region.key {
                let (command, ..) = self.command(name)?;
                let guard = Term::and(command.guard.iter().cloned());
                let impossible = guard.substitute(&witness).not();
                key = Some((name, self.bounds.formula(impossible)?));
            }
            regions.insert(region.name.as_str(), (outside, key));
        }
        for (node, label) in diagram.nodes.iter().zip(&prepared.before) {
            let Some(region) = &node.region else { continue };
            let Some((outside, key)) = regions.get(region.as_str()) else {
                continue;
            };
            let label = self.bounds.formula(label.clone())?;
            let part = ReductionPart::Containment {
                node: node.id,
                region: region.clone(),
            };
            let assertions: &[&[Formula]] = &[assumed, &[label.clone(), outside.clone()]];
            found.push(self.bounds.owe(diagram, part, assertions)?);
            if let Some((key, impossible)) = key.clone() {
                let part = ReductionPart::Enabledness {
                    node: node.id,
                    key: key.clone(),
                };
                found.push((self.bounds).owe(diagram, part, &[assumed, &[label, impossible]])?);
            }
        }
        Ok(())
    }

    /// States what is owed for the regions of the first diagram of a claim about the property. The other diagrams' invariants are known.
    pub fn claim(
        &mut self,
        property: &Property,
        diagram: &'a Diagram,
        known: &[Term],
        found: &mut Vec<Obligation>,
    ) -> Result<(), ObligationError> {
        if !diagram.is_reduced() {
            return Ok(());
        }
        let known = self.bounds.formulas(known)?;
        let violation = self.bounds.formula(property.formula.clone().not())?;
        for region in &diagram.regions {
            let mut assertions = vec![self.bounds.formula(region.formula())?, violation.clone()];
            let part = match &region.key {
                None => ReductionPart::Quietness {
                    region: region.name.clone(),
                    property: property.index,
                },
                Some(key) => {
                    // The inputs that the property mentions are not those of the key transition.
                    let (_, command, _) = self.command(key)?;
                    let after = substituted([&property.formula], &command.updates)
                        .ok_or_else(|| ObligationError::NoCommand(key.clone()))?;
                    let step = Term::and(command.guard.iter().cloned().chain(after));
                    assertions.push(self.bounds.formula(step)?);
                    ReductionPart::Preservation {
                        region: region.name.clone(),
                        key: key.clone(),
                        property: property.index,
                    }
                }
            };
            found.push(self.bounds.owe(diagram, part, &[&known, &assertions])?);
        }
        Ok(())
    }

    fn command(&mut self, name: &'a str) -> Result<&(Command, Command, u64), ObligationError> {
        if !self.known.contains_key(name) {
            let read = self.relations.get(name).and_then(|relation| {
                let first = self.commands.first(relation)?;
                let second = self.commands.second(&first)?;
                Some((first, second, relation.extent() as u64))
            });
            let read = read.ok_or_else(|| ObligationError::NoCommand(name.to_owned()))?;
            self.known.insert(name, read);
        }
        Ok(&self.known[name])
    }

    /// A formula that is satisfiable where the two steps are possible, but not in the other order with the same result; `None` if it is
    /// plain that they are.
    fn other_order(
        &mut self,
        postponed: &'a str,
        stubborn: &'a str,
        possible: Possible,
    ) -> Result<Option<Formula>, ObligationError> {
        // That many pairs are looked up takes long as well.
        self.bounds.compared.charge(PAIR_WEIGHT)?;
        let name = (postponed, stubborn, possible);
        if let Some(known) = self.orders.get(&name) {
            return Ok(known.clone());
        }
        self.command(postponed)?;
        self.command(stubborn)?;
        let ((first, _, one), (_, second, other)) = (&self.known[postponed], &self.known[stubborn]);
        self.bounds.compared.charge(one.saturating_add(*other))?;
        let owed = other_order(first, second, possible)
            .ok_or_else(|| ObligationError::NoCommand(stubborn.to_owned()))?;
        let owed = owed.map(|owed| self.bounds.formula(owed)).transpose()?;
        self.orders.insert(name, owed.clone());
        Ok(owed)
    }
}

/// What [`Reductions::other_order`] says about two commands that have no input in common; `None` if it would nest too deeply.
fn other_order(
    postponed: &Command,
    stubborn: &Command,
    possible: Possible,
) -> Option<Option<Term>> {
    let written = postponed.updates.keys().chain(stubborn.updates.keys());
    let written: BTreeSet<&Symbol> = written.collect();
    let written: Vec<&Symbol> = written.into_iter().collect();
    let (stubborn_second, one) = stubborn.after(postponed, &written)?;
    let (postponed_second, other) = postponed.after(stubborn, &written)?;
    let (stubborn_given, stubborn_owed) = match possible {
        Possible::InTurn => (stubborn_second, stubborn.guard.clone()),
        Possible::AtOnce => (stubborn.guard.clone(), stubborn_second),
    };
    let given: Vec<Term> = postponed
        .guard
        .iter()
        .cloned()
        .chain(stubborn_given)
        .collect();
    let plain: FxHashSet<usize> = given.iter().map(Term::address).collect();
    let guards = postponed_second.into_iter().chain(stubborn_owed);
    let mut owed: Vec<Term> = guards.filter(|it| !plain.contains(&it.address())).collect();
    for (one, other) in one.into_iter().zip(other) {
        // Comparing large terms could take long, and who is asked knows as well that they are equal.
        let is_plain = one.address() == other.address() || (one.depth() == 0 && one == other);
        if !is_plain {
            owed.push(Term::apply(Operator::Equal, vec![one, other]).ok()?);
        }
    }
    if owed.is_empty() {
        return Some(None);
    }
    let differs = Term::or(owed.into_iter().map(Term::not));
    Some(Some(Term::and(given.into_iter().chain([differs]))))
}
