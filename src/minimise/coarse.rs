//! Coarse attempts at the whole diagram, before single nodes are looked at: where they work, they save most of the queries.

use super::Halt;
use super::working::{Possibility, Working};
use slabcert_certificates::term::Term;
use std::collections::{BTreeMap, BTreeSet};

/// How many variables are left out in vain before no more are tried.
const MOST_FAILURES: usize = 12;
/// The most steps by which conjuncts of a single node are dropped.
const MOST_ROUNDS: usize = 50;

/// One node for everything: the properties and what all nodes have in common, as far as steps keep it.
pub(super) fn one_node(working: &mut Working<'_>) -> Result<(), Halt> {
    if working.parts.len() < 2 {
        return Ok(());
    }
    let mut conjuncts: Vec<Term> = Vec::new();
    for conjunct in common_literals(working)
        .into_iter()
        .chain(working.state_properties())
    {
        let fails_initially = !matches!(
            working.ask_initial(&[conjunct.clone().not()])?,
            Possibility::Impossible(_)
        );
        if !fails_initially && !conjuncts.contains(&conjunct) {
            conjuncts.push(conjunct);
        }
    }
    for _ in 0..MOST_ROUNDS {
        if !matches!(working.ask_safe(&conjuncts)?, Possibility::Impossible(_)) {
            return Ok(());
        }
        let (node, labels) = (working.unused_id(), vec![conjuncts.clone()]);
        working.begin_attempt();
        working.insert(node, conjuncts.clone(), true);
        let answer = working.ask_leads_out(&conjuncts, &BTreeSet::from([node]));
        let kept = match &answer {
            Ok(Possibility::Possible(model)) => Some(working.still_true(&conjuncts, model)),
            _ => None,
        };
        working.take(node);
        working.end_attempt();
        match (answer?, kept) {
            (Possibility::Impossible(_), _) => {
                let everything = ids(working).into_iter().map(|id| (id, 0)).collect();
                try_labels(working, &labels, &everything)?;
                return Ok(());
            }
            (_, Some(kept)) if kept.len() < conjuncts.len() => conjuncts = kept,
            _ => return Ok(()),
        }
    }
    Ok(())
}

fn ids(working: &Working<'_>) -> Vec<usize> {
    working.parts.keys().copied().collect()
}

fn common_literals(working: &Working<'_>) -> Vec<Term> {
    let mut labels = working.parts.values().map(|part| &part.label);
    let mut common = labels.next().cloned().unwrap_or_default();
    for label in labels {
        common.retain(|literal| label.contains(literal));
    }
    common
}

/// Leaves out variables, one after the other, from all labels at once, and joins the nodes that become equal or parts of others.
pub(super) fn drop_variables(working: &mut Working<'_>) -> Result<(), Halt> {
    let mut failures = 0;
    for variable in mentioned(working) {
        if failures == MOST_FAILURES || working.parts.len() < 2 {
            break;
        }
        let (labels, index_of) = without(working, &variable);
        if labels.len() == working.parts.len() || !try_labels(working, &labels, &index_of)? {
            failures += 1;
        } else {
            failures = 0;
        }
    }
    Ok(())
}

/// The variables of the labels, those in the fewest labels first.
fn mentioned(working: &Working<'_>) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for part in working.parts.values() {
        let symbols: BTreeSet<String> = part.label.iter().flat_map(names).collect();
        for name in symbols {
            *counts.entry(name).or_default() += 1;
        }
    }
    let mut ordered: Vec<(usize, String)> = counts
        .into_iter()
        .map(|(name, count)| (count, name))
        .collect();
    ordered.sort();
    ordered.into_iter().map(|(_, name)| name).collect()
}

fn names(literal: &Term) -> Vec<String> {
    literal
        .symbols()
        .iter()
        .map(|symbol| symbol.name().to_owned())
        .collect()
}

/// The labels without literals about a variable, none part of another; and for each node the index of the label that it goes into.
fn without(working: &Working<'_>, variable: &str) -> (Vec<Vec<Term>>, BTreeMap<usize, usize>) {
    let shortened: BTreeMap<usize, Vec<Term>> = working
        .parts
        .iter()
        .map(|(&id, part)| {
            let kept = part.label.iter();
            let kept = kept.filter(|literal| !names(literal).iter().any(|name| name == variable));
            (id, kept.cloned().collect())
        })
        .collect();
    let mut by_length: Vec<(usize, usize)> = shortened
        .iter()
        .map(|(&id, label)| (label.len(), id))
        .collect();
    by_length.sort_unstable();
    let mut labels: Vec<Vec<Term>> = Vec::new();
    let mut index_of = BTreeMap::new();
    for (_, id) in by_length {
        let label = &shortened[&id];
        let own: BTreeSet<&Term> = label.iter().collect();
        let larger = labels
            .iter()
            .position(|other| other.iter().all(|literal| own.contains(literal)));
        let index = larger.unwrap_or_else(|| {
            labels.push(label.clone());
            labels.len() - 1
        });
        index_of.insert(id, index);
    }
    (labels, index_of)
}

/// Replaces all nodes by others, if all obligations hold again. Each old node goes into the one at the given index.
fn try_labels(
    working: &mut Working<'_>,
    labels: &[Vec<Term>],
    index_of: &BTreeMap<usize, usize>,
) -> Result<bool, Halt> {
    for label in labels {
        if !matches!(working.ask_safe(label)?, Possibility::Impossible(_)) {
            return Ok(false);
        }
    }
    let first = working.unused_id();
    let fresh: Vec<usize> = (first..first + labels.len()).collect();
    let mut initial = vec![false; labels.len()];
    let mut edges: BTreeMap<(usize, usize), BTreeSet<usize>> = BTreeMap::new();
    for (&id, &index) in index_of {
        initial[index] |= working.parts.get(&id).is_some_and(|part| part.is_initial);
        for transition in 0..working.transitions() {
            let ends = working.successors_of(id, transition);
            let ends = ends
                .iter()
                .filter_map(|end| Some(fresh[*index_of.get(end)?]));
            edges
                .entry((fresh[index], transition))
                .or_default()
                .extend(ends);
        }
    }
    working.begin_attempt();
    for (index, &id) in fresh.iter().enumerate() {
        working.insert(id, labels[index].clone(), initial[index]);
    }
    let attempt = cover(working, labels, &fresh, &edges);
    for id in &fresh {
        working.take(*id);
    }
    working.end_attempt();
    let Some(edges) = attempt? else {
        return Ok(false);
    };
    for id in ids(working) {
        working.remove(id);
    }
    for (index, &id) in fresh.iter().enumerate() {
        working.insert(id, labels[index].clone(), initial[index]);
    }
    working.successors = edges;
    Ok(true)
}

type Edges = BTreeMap<(usize, usize), BTreeSet<usize>>;

/// The edges that cover all steps of the new nodes, beginning with some; none when a step leads out.
fn cover(
    working: &mut Working<'_>,
    labels: &[Vec<Term>],
    fresh: &[usize],
    first: &Edges,
) -> Result<Option<Edges>, Halt> {
    let old: Vec<usize> = ids(working)
        .into_iter()
        .filter(|id| !fresh.contains(id))
        .collect();
    let all: BTreeSet<usize> = fresh.iter().copied().collect();
    // One query for each node shows whether more may succeed.
    for label in labels {
        if !matches!(
            working.ask_leads_out(label, &all)?,
            Possibility::Impossible(_)
        ) {
            return Ok(None);
        }
    }
    let mut found = Edges::new();
    for (label, &id) in labels.iter().zip(fresh) {
        for transition in 0..working.transitions() {
            let known = first.get(&(id, transition)).cloned().unwrap_or_default();
            match working.cover(label, transition, known, &old)? {
                Some(ends) => found.insert((id, transition), ends),
                None => return Ok(None),
            };
        }
    }
    Ok(Some(found))
}
