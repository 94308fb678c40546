//! What must hold for a reduced diagram to exclude a violation, though its nodes leave out transitions.
//!
//! `coq/theory/Reductions.v` proves that it is enough: the names of its hypotheses are those of the parts here. A run to a violation is
//! changed until the diagram follows it. The next stubborn transition moves to its front (closure, commutation); where there is none, no
//! violation comes (quietness), or the key transition can go first (enabledness, persistence, preservation), which happens only finitely
//! often in a row (no cycle of key edges). A transition that sleeps is not followed, since a run in which it could move to the front was
//! followed from a node before, where it was at the front: what happened since may happen while it sleeps (closure, commutation of its
//! region), and does not wake it. Nothing here assumes the formula of a reduced diagram: what is postponed leads out of it. The
//! two steps of a commutation are commands with inputs of their own, each of which it keeps in the other order. What both orders plainly
//! have in common owes nothing; so steps of which none reads or writes what the other writes owe nothing at all.

#[cfg(test)]
mod tests;

use super::commands::{Command, Commands, substituted};
use super::regions::check_regions;
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

/// Questions whether two steps can happen in the other order, as the checker asks them.
pub struct Orders<'a>(Reductions<'a>);

impl<'a> Orders<'a> {
    /// The transitions of the certificate are those of the system.
    pub fn of(system: &'a System, certificate: &'a Certificate) -> Orders<'a> {
        Orders(Reductions::of(system, certificate))
    }

    /// A formula over a state and the inputs of both steps; where it has no model, the second step after the first is possible before it
    /// too, with the same result. `None` if that is plain.
    ///
    /// # Errors
    /// When one of the two is no command, or too much was asked.
    pub fn in_turn(
        &mut self,
        first: &'a str,
        second: &'a str,
    ) -> Result<Option<Term>, ObligationError> {
        let owed = self.0.other_order(first, second, Possible::InTurn)?;
        Ok(owed.map(|it| it.term))
    }

    /// The same; where it has no model, and both steps are possible, they can happen in both orders with the same result.
    ///
    /// # Errors
    /// When one of the two is no command, or too much was asked.
    pub fn at_once(
        &mut self,
        one: &'a str,
        other: &'a str,
    ) -> Result<Option<Term>, ObligationError> {
        let owed = self.0.other_order(one, other, Possible::AtOnce)?;
        Ok(owed.map(|it| it.term))
    }
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
        let order = self.certificate.transitions.iter();
        let order = order.map(|it| it.name.as_str()).zip(0..).collect();
        check_regions(diagram, &order).map_err(|fault| ObligationError::Region {
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
        let certificate = self.certificate;
        let others = certificate.transitions.iter().map(|it| &it.name);
        let others = others.filter(|it| !stubborn.contains(it.as_str()));
        let postponed: Vec<&String> = match &region.independent {
            Some(independent) => independent.iter().collect(),
            None => others.collect(),
        };
        for postponed in postponed {
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
        let asleep_anew = asleep_anew(diagram, &mut self.bounds.compared)?;
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
        let nodes = diagram.nodes.iter().zip(&prepared.before);
        let regions_of = nodes.flat_map(|(node, label)| {
            let anew = asleep_anew.get(&node.id).into_iter().flatten().copied();
            let own = node.region.iter().map(String::as_str);
            own.chain(anew).map(move |region| (node, label, region))
        });
        for (node, label, region) in regions_of {
            let Some((outside, key)) = regions.get(region) else {
                continue;
            };
            let label = self.bounds.formula(label.clone())?;
            let part = ReductionPart::Containment {
                node: node.id,
                region: region.to_owned(),
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
        let of_nodes = diagram.regions.iter().filter(|it| it.independent.is_none());
        for region in of_nodes {
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

/// For each node, the regions of the transitions that sleep after one of its steps, and not before.
fn asleep_anew<'d>(
    diagram: &'d Diagram,
    work: &mut Work,
) -> Result<FxHashMap<usize, BTreeSet<&'d str>>, TooLarge> {
    let names = |names: &'d [String]| names.iter().map(String::as_str).collect::<FxHashSet<_>>();
    let asleep = diagram.nodes.iter();
    let asleep: FxHashMap<usize, FxHashSet<&str>> =
        asleep.map(|node| (node.id, names(&node.asleep))).collect();
    let mut anew: FxHashMap<usize, BTreeSet<&str>> = FxHashMap::default();
    for edge in &diagram.edges {
        if let (Some(before), Some(after)) = (asleep.get(&edge.from), asleep.get(&edge.to)) {
            work.charge(after.len() as u64)?;
            anew.entry(edge.from)
                .or_default()
                .extend(after.difference(before).copied());
        }
    }
    Ok(anew)
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
