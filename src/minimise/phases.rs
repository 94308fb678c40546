//! What is tried, in order: what is free first, then what gains most for a query.

use super::Halt;
use super::coarse;
use super::working::{Possibility, Working};
use slabcert_certificates::term::Term;
use std::collections::BTreeSet;

/// How many pairs of nodes are looked at, for each node that there is; similar ones come first.
const MOST_PAIRS_FOR_EACH_NODE: usize = 8;

/// How many attempts of one kind may fail in a row before the kind is given up: what rarely helps is not worth its queries.
const MOST_FAILURES_IN_A_ROW: usize = 200;

/// Successors of a node for each transition.
type Edges = Vec<BTreeSet<usize>>;

/// Everything, until nothing more is gained or the work has to stop.
pub(super) fn run(working: &mut Working<'_>) -> Result<(), Halt> {
    find_initial(working)?;
    working.restrict_to_reachable();
    join_halves(working);
    coarse::one_node(working)?;
    coarse::drop_variables(working)?;
    generalise_by_cores(working)?;
    absorb_smaller(working);
    join_halves(working);
    // Working out the edges pays twice: fewer nodes are reached, and fewer predecessors have to agree later.
    work_out_edges(working)?;
    working.restrict_to_reachable();
    let worked_out = snapshot(working);
    merge_pairs(working)?;
    drop_literals(working)?;
    absorb_smaller(working);
    join_halves(working);
    drop_nodes(working)?;
    merge_pairs(working)?;
    drop_literals(working)?;
    absorb_smaller(working);
    if snapshot(working) != worked_out {
        work_out_edges(working)?;
    }
    working.restrict_to_reachable();
    Ok(())
}

/// The nodes and their labels.
fn snapshot(working: &Working<'_>) -> Vec<(usize, Vec<Term>)> {
    ids(working)
        .into_iter()
        .map(|id| (id, label(working, id)))
        .collect()
}

fn ids(working: &Working<'_>) -> Vec<usize> {
    working.parts.keys().copied().collect()
}

fn label(working: &Working<'_>, id: usize) -> Vec<Term> {
    working
        .parts
        .get(&id)
        .map(|part| part.label.clone())
        .unwrap_or_default()
}

/// Notes which nodes have initial states.
fn find_initial(working: &mut Working<'_>) -> Result<(), Halt> {
    // Until all are known, every node may be needed.
    for part in working.parts.values_mut() {
        part.is_initial = true;
    }
    let mut without = Vec::new();
    for id in ids(working) {
        let conjuncts = label(working, id);
        if matches!(working.ask_initial(&conjuncts)?, Possibility::Impossible(_)) {
            without.push(id);
        }
    }
    for id in without {
        if let Some(part) = working.parts.get_mut(&id) {
            part.is_initial = false;
        }
    }
    Ok(())
}

/// Two nodes that differ in one literal and its negation are one node without it. No query is needed: the states are the same.
fn join_halves(working: &mut Working<'_>) {
    while let Some((left, right, joined)) = find_halves(working) {
        let is_initial = [left, right]
            .iter()
            .any(|id| working.parts.get(id).is_some_and(|part| part.is_initial));
        for transition in 0..working.transitions() {
            let mut to = working.successors_of(left, transition);
            to.extend(working.successors_of(right, transition));
            if !to.is_empty() {
                working.successors.insert((left, transition), to);
            }
        }
        working.insert(left, joined, is_initial);
        working.redirect(&[left, right], left);
        working.remove(right);
    }
}

fn find_halves(working: &Working<'_>) -> Option<(usize, usize, Vec<Term>)> {
    let sets: Vec<(usize, BTreeSet<&Term>)> = working
        .parts
        .iter()
        .map(|(&id, part)| (id, part.label.iter().collect()))
        .collect();
    for (index, (left, own)) in sets.iter().enumerate() {
        for (right, other) in &sets[index + 1..] {
            if own.len() != other.len() {
                continue;
            }
            let mut here = own.difference(other);
            let mut there = other.difference(own);
            if let (Some(literal), None, Some(opposite), None) =
                (here.next(), here.next(), there.next(), there.next())
                && (*literal).clone().not() == **opposite
            {
                let joined = working.parts.get(left)?.label.iter();
                let joined = joined.filter(|term| term != literal).cloned().collect();
                return Some((*left, *right, joined));
            }
        }
    }
    None
}

/// A node whose label has all the literals of another is part of it.
fn absorb_smaller(working: &mut Working<'_>) {
    for small in ids(working) {
        let Some(part) = working.parts.get(&small) else {
            continue;
        };
        let own: BTreeSet<&Term> = part.label.iter().collect();
        let large = working.parts.iter().find(|(id, other)| {
            **id != small && other.label.iter().all(|literal| own.contains(literal))
        });
        if let Some((&large, _)) = large {
            let is_initial = part.is_initial;
            working.redirect(&[small], large);
            working.remove(small);
            if let Some(part) = working.parts.get_mut(&large) {
                part.is_initial |= is_initial;
            }
        }
    }
}

/// Drops the literals that no core of the node's own obligations needs. A label that grows makes the other obligations weaker only.
fn generalise_by_cores(working: &mut Working<'_>) -> Result<(), Halt> {
    for id in ids(working) {
        let conjuncts = label(working, id);
        let mut used: BTreeSet<usize> = BTreeSet::new();
        match working.ask_safe(&conjuncts)? {
            Possibility::Impossible(core) => used.extend(core),
            _ => return Err(Halt::NotEstablished),
        }
        for transition in 0..working.transitions() {
            let to = working.successors_of(id, transition);
            match working.ask_step(&conjuncts, transition, &to)? {
                Possibility::Impossible(core) => used.extend(core),
                _ => return Err(Halt::NotEstablished),
            }
        }
        if used.len() < conjuncts.len() {
            let kept = used.into_iter().map(|index| conjuncts[index].clone());
            relabel(working, id, kept.collect());
        }
    }
    Ok(())
}

fn relabel(working: &mut Working<'_>, id: usize, label: Vec<Term>) {
    let is_initial = working.parts.get(&id).is_some_and(|part| part.is_initial);
    working.insert(id, label, is_initial);
}

/// Covers all steps from the conjuncts, beginning with some successors.
fn cover_all(
    working: &mut Working<'_>,
    conjuncts: &[Term],
    first: &Edges,
    left_out: &[usize],
) -> Result<Option<Edges>, Halt> {
    let mut found = Vec::with_capacity(first.len());
    for (transition, successors) in first.iter().enumerate() {
        match working.cover(conjuncts, transition, successors.clone(), left_out)? {
            Some(successors) => found.push(successors),
            None => return Ok(None),
        }
    }
    Ok(Some(found))
}

fn edges_of(working: &Working<'_>, id: usize) -> Edges {
    (0..working.transitions())
        .map(|transition| working.successors_of(id, transition))
        .collect()
}

fn count(edges: &Edges) -> usize {
    edges.iter().map(BTreeSet::len).sum()
}

fn set_edges(working: &mut Working<'_>, id: usize, edges: Edges) {
    for (transition, successors) in edges.into_iter().enumerate() {
        working.successors.insert((id, transition), successors);
    }
}

/// Gives a node a larger label, if all obligations hold again and it has not more edges than are allowed; `replaced` are the nodes
/// that it takes the place of.
fn try_label(
    working: &mut Working<'_>,
    id: usize,
    larger: &[Term],
    replaced: &[usize],
    most_edges: usize,
) -> Result<bool, Halt> {
    if !matches!(working.ask_safe(larger)?, Possibility::Impossible(_)) {
        return Ok(false);
    }
    let replaced_initial = replaced
        .iter()
        .chain([&id])
        .any(|id| working.parts.get(id).is_some_and(|part| part.is_initial));
    let old_edges = edges_of(working, id);
    let old = working.take(id);
    working.begin_attempt();
    // With the larger label the node covers more steps, its own too.
    working.insert(id, larger.to_vec(), replaced_initial);
    let attempt = attempt_label(working, id, larger, replaced, old_edges);
    working.end_attempt();
    match attempt {
        Ok(Some(edges)) if count(&edges) <= most_edges => {
            working.insert(id, larger.to_vec(), replaced_initial);
            set_edges(working, id, edges);
            working.redirect(replaced, id);
            for &other in replaced {
                working.remove(other);
            }
            Ok(true)
        }
        Ok(_) => {
            working.put_back(id, old);
            Ok(false)
        }
        Err(halt) => {
            working.put_back(id, old);
            Err(halt)
        }
    }
}

fn attempt_label(
    working: &mut Working<'_>,
    id: usize,
    larger: &[Term],
    replaced: &[usize],
    mut first: Edges,
) -> Result<Option<Edges>, Halt> {
    // One query for all transitions finds most failures.
    if !matches!(
        working.ask_closed(larger, replaced)?,
        Possibility::Impossible(_)
    ) {
        return Ok(None);
    }
    for &other in replaced {
        for (own, more) in first.iter_mut().zip(edges_of(working, other)) {
            own.extend(more);
        }
    }
    for successors in &mut first {
        if replaced.iter().any(|other| successors.contains(other)) {
            successors.insert(id);
        }
    }
    cover_all(working, larger, &first, replaced)
}

/// Drops single literals as long as all obligations hold again. A literal that keeps steps from leading to more nodes stays: with it
/// the diagram is easier to follow.
fn drop_literals(working: &mut Working<'_>) -> Result<(), Halt> {
    let mut failures = 0;
    for id in ids(working) {
        let mut index = 0;
        while failures < MOST_FAILURES_IN_A_ROW {
            let mut larger = label(working, id);
            if index >= larger.len() {
                break;
            }
            larger.remove(index);
            let most_edges = count(&edges_of(working, id));
            if try_label(working, id, &larger, &[], most_edges)? {
                failures = 0;
            } else {
                failures += 1;
                index += 1;
            }
        }
    }
    Ok(())
}

/// Pairs of nodes by how many literals their common label loses, the fewest first.
fn pairs(working: &Working<'_>) -> Vec<(usize, usize, usize)> {
    let sets: Vec<(usize, BTreeSet<&Term>)> = working
        .parts
        .iter()
        .map(|(&id, part)| (id, part.label.iter().collect()))
        .collect();
    let mut found = Vec::new();
    for (index, (left, own)) in sets.iter().enumerate() {
        for (right, other) in &sets[index + 1..] {
            let common = own.intersection(other).count();
            if common > 0 {
                found.push((own.len() + other.len() - 2 * common, *left, *right));
            }
        }
    }
    found.sort_unstable();
    found.truncate(MOST_PAIRS_FOR_EACH_NODE * sets.len());
    found
}

/// Merges two nodes into one with their common literals, if all obligations hold again.
fn merge_pairs(working: &mut Working<'_>) -> Result<(), Halt> {
    let mut failures = 0;
    for (_, left, right) in pairs(working) {
        if failures == MOST_FAILURES_IN_A_ROW {
            break;
        }
        if !working.parts.contains_key(&left) || !working.parts.contains_key(&right) {
            continue;
        }
        let other = label(working, right);
        let mut common = label(working, left);
        common.retain(|literal| other.contains(literal));
        if !common.is_empty() && try_label(working, left, &common, &[right], usize::MAX)? {
            failures = 0;
        } else {
            failures += 1;
        }
    }
    Ok(())
}

/// Drops nodes whose states the others cover, or that are not needed where they are led to.
fn drop_nodes(working: &mut Working<'_>) -> Result<(), Halt> {
    for id in ids(working) {
        let Some(heirs) = heirs(working, id)? else {
            continue;
        };
        let predecessors: Vec<(usize, usize)> = working
            .successors
            .iter()
            .filter(|((from, _), to)| *from != id && to.contains(&id))
            .map(|(key, _)| *key)
            .collect();
        let mut changes = Vec::new();
        for &(from, transition) in &predecessors {
            let conjuncts = label(working, from);
            let first = working.successors_of(from, transition);
            match working.cover(&conjuncts, transition, first, &[id])? {
                Some(successors) => changes.push(((from, transition), successors)),
                None => break,
            }
        }
        if changes.len() == predecessors.len() {
            working.successors.extend(changes);
            working.remove(id);
            for heir in heirs {
                if let Some(part) = working.parts.get_mut(&heir) {
                    part.is_initial = true;
                }
            }
        }
    }
    Ok(())
}

/// The nodes that cover the initial states of this one; `None` when it is needed for them.
fn heirs(working: &mut Working<'_>, id: usize) -> Result<Option<Vec<usize>>, Halt> {
    if working.parts.get(&id).is_none_or(|part| !part.is_initial) {
        return Ok(Some(Vec::new()));
    }
    let others: Vec<usize> = ids(working).into_iter().filter(|&it| it != id).collect();
    let outside: Vec<Term> = others
        .iter()
        .map(|&other| Term::and(label(working, other)).not())
        .collect();
    Ok(match working.ask_initial(&outside)? {
        Possibility::Impossible(core) => {
            Some(core.into_iter().map(|index| others[index]).collect())
        }
        _ => None,
    })
}

/// Works out all edges anew, so that each is one that a step takes.
fn work_out_edges(working: &mut Working<'_>) -> Result<(), Halt> {
    for id in ids(working) {
        let conjuncts = label(working, id);
        for transition in 0..working.transitions() {
            let old = working.successors_of(id, transition);
            if old.is_empty() {
                continue;
            }
            let found = working.cover(&conjuncts, transition, BTreeSet::new(), &[])?;
            if let Some(found) = found
                && found.len() <= old.len()
            {
                working.successors.insert((id, transition), found);
            }
        }
    }
    Ok(())
}
