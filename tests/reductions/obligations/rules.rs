//! What has to hold for a reduced diagram, on tables of all states, from the definitions.

use super::programs::Program;
use super::tables::{TableDiagram, TableNode, TableRegion, TableSleep};
use std::collections::BTreeSet;

/// Key edges have a cycle.
pub const CYCLE: &str = "cycle of key edges";
/// Something sleeps in all nodes with the initial state.
const INITIALLY_ASLEEP: &str = "initiation where nothing sleeps";
/// The key sleeps.
pub const KEY_ASLEEP: &str = "key asleep";
/// What is postponed depends on what sleeps.
pub const DEPENDENT: &str = "postponed while one sleeps";
/// What happens depends on what sleeps.
const ASLEEP_DURING: &str = "asleep during";
/// A step falls asleep that is not followed.
const ASLEEP_UNFOLLOWED: &str = "asleep though not followed";
/// A step falls asleep during one that is followed before it.
const ASLEEP_BEFORE: &str = "asleep before followed";
/// What is said for these three.
pub const AWAKE: &str = "awake";
/// A step falls asleep out of its region.
const ASLEEP_OUTSIDE: &str = "containment where it falls asleep";
/// The region of a step that sleeps is left.
const ASLEEP_CLOSURE: &str = "closure while asleep";
/// What happens cannot happen after what sleeps.
const ASLEEP_COMMUTATION: &str = "commutation while asleep";

/// All that may fail, with the words of obligations and of faults for it.
pub const KINDS: [(&str, &str); 20] = [
    ("initiation", "initiation"),
    ("consecution", "consecution"),
    ("safety", "safety"),
    ("containment", "containment"),
    ("closure", "closure"),
    ("commutation", "commutation"),
    ("quietness", "quietness"),
    ("enabledness", "enabledness"),
    ("persistence", "persistence"),
    ("preservation", "preservation"),
    (CYCLE, CYCLE),
    (INITIALLY_ASLEEP, "initiation"),
    (KEY_ASLEEP, KEY_ASLEEP),
    (DEPENDENT, DEPENDENT),
    (ASLEEP_DURING, AWAKE),
    (ASLEEP_UNFOLLOWED, AWAKE),
    (ASLEEP_BEFORE, AWAKE),
    (ASLEEP_OUTSIDE, "containment"),
    (ASLEEP_CLOSURE, "closure"),
    (ASLEEP_COMMUTATION, "commutation"),
];

/// The kinds of obligations that fail, on tables.
pub fn failing(program: &Program, diagram: &TableDiagram) -> BTreeSet<&'static str> {
    let mut failing = BTreeSet::new();
    let mut require = |holds: bool, kind: &'static str| {
        if !holds {
            failing.insert(kind);
        }
    };
    let nodes = &diagram.nodes;
    let mut initial = nodes
        .iter()
        .filter(|node| node.states.contains(&program.initial));
    let is_asleep = initial.clone().all(|node| !node.asleep.is_empty());
    match initial.next() {
        None => require(false, "initiation"),
        Some(_) => require(!is_asleep, INITIALLY_ASLEEP),
    }
    for node in nodes {
        require(
            !node.states.iter().any(|it| program.violates(*it)),
            "safety",
        );
        for step in 0..program.steps.len() {
            let to = node.edges.get(&step);
            let mut after = node.states.iter().filter_map(|it| program.after[step][*it]);
            let stays = after.all(|after| {
                let mut to = to.into_iter().flatten();
                to.any(|location| nodes[*location].states.contains(&after))
            });
            require(!node.follows(step) || stays, "consecution");
        }
        if let Some(region) = &node.region {
            require(node.states.is_subset(&region.states), "containment");
            if let Some(key) = region.key {
                let mut states = node.states.iter();
                require(
                    states.all(|it| program.after[key][*it].is_some()),
                    "enabledness",
                );
            }
            failing_in_region(program, region, &mut require);
        }
        failing_asleep(program, diagram, node, &mut require);
    }
    for (step, sleep) in &diagram.sleep {
        failing_while_asleep(program, *step, sleep, &mut require);
    }
    require(!has_cycle(nodes), CYCLE);
    failing
}

fn failing_in_region(
    program: &Program,
    region: &TableRegion,
    require: &mut dyn FnMut(bool, &'static str),
) {
    let after = |step: usize, state: usize| program.after[step][state];
    for &state in &region.states {
        match region.key {
            None => require(!program.violates(state), "quietness"),
            Some(key) => {
                let keeps = after(key, state).is_none_or(|after| program.violates(after));
                require(!program.violates(state) || keeps, "preservation");
            }
        }
        for step in (0..program.steps.len()).filter(|step| !region.stubborn.contains(step)) {
            let Some(one) = after(step, state) else {
                continue;
            };
            require(region.states.contains(&one), "closure");
            for &stubborn in &region.stubborn {
                let commutes = program.may_be_exchanged(state, step, stubborn);
                require(commutes, "commutation");
            }
            if let Some(key) = region.key
                && let Some(other) = after(key, state)
            {
                let both = after(key, one);
                require(both.is_some() && both == after(step, other), "persistence");
            }
        }
    }
}

/// What may not sleep in a node, or after it.
fn failing_asleep(
    program: &Program,
    diagram: &TableDiagram,
    node: &TableNode,
    require: &mut dyn FnMut(bool, &'static str),
) {
    for step in &node.asleep {
        let Some(region) = &node.region else {
            continue;
        };
        require(region.key != Some(*step), KEY_ASLEEP);
        let independent = &diagram.sleep[step].independent;
        let mut postponed = (0..program.steps.len()).filter(|it| !region.stubborn.contains(it));
        let allows = postponed.all(|it| independent.contains(&it));
        require(!region.stubborn.contains(step) || allows, DEPENDENT);
    }
    for (by, to) in &node.edges {
        let asleep_after = to.iter().flat_map(|to| &diagram.nodes[*to].asleep);
        for step in asleep_after {
            let sleep = &diagram.sleep[step];
            require(sleep.independent.contains(by), ASLEEP_DURING);
            if !node.asleep.contains(step) {
                require(node.states.is_subset(&sleep.states), ASLEEP_OUTSIDE);
                require(node.follows(*step), ASLEEP_UNFOLLOWED);
                require(step < by, ASLEEP_BEFORE);
            }
        }
    }
}

/// What has to hold where a step may sleep.
fn failing_while_asleep(
    program: &Program,
    step: usize,
    sleep: &TableSleep,
    require: &mut dyn FnMut(bool, &'static str),
) {
    for &state in &sleep.states {
        for &other in &sleep.independent {
            let after = program.after[other][state];
            let stays = after.is_none_or(|after| sleep.states.contains(&after));
            require(stays, ASLEEP_CLOSURE);
            let commutes = program.may_be_exchanged(state, other, step);
            require(commutes, ASLEEP_COMMUTATION);
        }
    }
}

/// Whether edges by keys lead from a node back to it.
fn has_cycle(nodes: &[TableNode]) -> bool {
    let by_key = |location: usize| {
        let region = nodes[location].region.as_ref();
        let key = region.and_then(|region| region.key);
        let edges = key.and_then(|key| nodes[location].edges.get(&key));
        edges.into_iter().flatten().copied()
    };
    (0..nodes.len()).any(|start| {
        let mut waiting: Vec<usize> = by_key(start).collect();
        let mut seen: BTreeSet<usize> = BTreeSet::new();
        while let Some(location) = waiting.pop() {
            if seen.insert(location) {
                waiting.extend(by_key(location));
            }
        }
        seen.contains(&start)
    })
}
