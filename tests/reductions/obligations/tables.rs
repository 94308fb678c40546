//! Random reduced diagrams of random programs, as tables. In most of them all is as it has to be, in some not.

use super::programs::{Cube, Program, SHARED, satisfies};
use crate::random::Random;
use std::collections::{BTreeMap, BTreeSet};

/// Diagrams with more nodes are not looked at.
const MOST_NODES: usize = 60;

/// A set of states or of steps, by their numbers.
pub type Numbers = BTreeSet<usize>;

/// A reduced diagram.
pub struct TableDiagram {
    pub nodes: Vec<TableNode>,
    /// By the steps that may sleep, where and during which others.
    pub sleep: BTreeMap<usize, TableSleep>,
}

/// A node of a reduced diagram, with its region.
pub struct TableNode {
    pub label: Cube,
    pub states: Numbers,
    pub region: Option<TableRegion>,
    /// The steps that sleep.
    pub asleep: Numbers,
    /// By steps, the nodes that edges lead to.
    pub edges: BTreeMap<usize, Numbers>,
}

impl TableNode {
    pub fn follows(&self, step: usize) -> bool {
        let is_stubborn = |it: &TableRegion| it.stubborn.contains(&step);
        self.region.as_ref().is_none_or(is_stubborn) && !self.asleep.contains(&step)
    }
}

pub struct TableRegion {
    pub states: Numbers,
    pub stubborn: Numbers,
    pub key: Option<usize>,
}

pub struct TableSleep {
    pub states: Numbers,
    pub independent: Numbers,
}

/// What may be wrong in a diagram.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Careless {
    /// Labels, edges and the regions that nodes are in.
    Regions,
    /// Something sleeps in the first node.
    Initial,
    /// A node stands for another one in which less sleeps.
    Cover,
    /// A step falls asleep that is neither followed nor asleep before.
    Unfollowed,
    /// A step falls asleep that is followed later.
    Order,
    /// A step sleeps on during one that it depends on.
    Dependent,
    /// A step falls asleep where its region does not say when it may.
    Outside,
    /// The region of a step that sleeps is left meanwhile.
    Open,
    /// The region of a step that sleeps has states in which it does not commute.
    NotCommuting,
    /// A step sleeps that a node follows while it postpones others that the step depends on.
    Postponed,
    /// The key sleeps.
    Key,
}

/// What may be wrong about sleeping, and how often; what is seldom fatal more often.
const OF_SLEEPING: [(Careless, usize); 10] = [
    (Careless::Initial, 1),
    (Careless::Cover, 3),
    (Careless::Unfollowed, 1),
    (Careless::Order, 1),
    (Careless::Dependent, 1),
    (Careless::Outside, 1),
    (Careless::Open, 5),
    (Careless::NotCommuting, 1),
    (Careless::Postponed, 1),
    (Careless::Key, 5),
];

/// What a diagram is made of.
struct Maker<'p> {
    program: &'p Program,
    careless: Option<Careless>,
    /// The entries of a state that nodes do not tell apart.
    hidden: Vec<usize>,
    /// In how many of 100 cases a region has a key, and a node may have a region.
    with_key: usize,
    with_region: usize,
    /// In how many of 100 cases a step sleeps that may.
    with_sleep: usize,
    sleep: BTreeMap<usize, TableSleep>,
    /// What the nodes are to say.
    found: Vec<(Cube, Numbers)>,
}

/// A random diagram: nodes are told apart by locations, some shared values and what sleeps, and found step by
/// step. In so many of 100 cases something may be wrong. `None` if there are too many nodes.
pub fn random_diagram(
    program: &Program,
    with_careless: usize,
    random: &mut Random,
) -> Option<TableDiagram> {
    let shared = program.processes..program.processes + SHARED;
    let hidden: Vec<usize> = shared.filter(|_| random.percent(30)).collect();
    let with_sleep = *random.pick(&[0, 50, 100, 100]);
    let of_regions = with_sleep == 0 || random.percent(10);
    let careless = random.percent(with_careless).then(|| match of_regions {
        true => Careless::Regions,
        false => {
            let all = OF_SLEEPING.iter();
            let all = all.flat_map(|(own, times)| std::iter::repeat_n(*own, *times));
            *random.pick(&all.collect::<Vec<_>>())
        }
    });
    let mut maker = Maker {
        program,
        careless,
        hidden,
        with_key: *random.pick(&[0, 50, 100]),
        with_region: if with_sleep > 0 {
            *random.pick(&[0, 75])
        } else {
            75
        },
        with_sleep,
        sleep: BTreeMap::new(),
        found: Vec::new(),
    };
    if with_sleep > 0 {
        for step in 0..program.steps.len() {
            if let Some(sleep) = maker.random_sleep(step, random) {
                maker.sleep.insert(step, sleep);
            }
        }
    }
    let nodes = maker.nodes(random)?;
    let mut sleep = maker.sleep;
    sleep.retain(|step, _| nodes.iter().any(|node| node.asleep.contains(step)));
    Some(TableDiagram { nodes, sleep })
}

impl Maker<'_> {
    fn is(&self, careless: Careless) -> bool {
        self.careless == Some(careless)
    }

    fn cube_of(&self, state: usize) -> Cube {
        let entries = self.program.states[state].iter().copied().enumerate();
        let entries = entries.filter(|(location, _)| !self.hidden.contains(location));
        entries.collect()
    }

    /// Some steps of other processes during which a step may sleep, and the states in which it may, if there are any.
    fn random_sleep(&self, step: usize, random: &mut Random) -> Option<TableSleep> {
        let program = self.program;
        let own = program.steps[step].process;
        let others = (0..program.steps.len()).filter(|it| program.steps[*it].process != own);
        let independent: Numbers = others.filter(|_| random.percent(70)).collect();
        if independent.is_empty() {
            return None;
        }
        let location = program.steps[step].guard.get(&own).copied();
        let location = location.filter(|_| random.percent(70));
        let commutes = |state: usize| {
            let mut independent = independent.iter();
            independent.all(|other| program.may_be_exchanged(state, *other, step))
        };
        let mut states: Numbers = (0..program.states.len())
            .filter(|it| location.is_none_or(|location| program.states[*it][own] == location))
            .filter(|it| self.is(Careless::NotCommuting) || commutes(*it))
            .collect();
        loop {
            let leaves = |state: &usize| {
                let after = independent.iter().map(|it| program.after[*it][*state]);
                after.flatten().any(|after| !states.contains(&after))
            };
            let leaving: Numbers = states.iter().filter(|it| leaves(it)).copied().collect();
            if leaving.is_empty() || self.is(Careless::Open) {
                break;
            }
            states.retain(|it| !leaving.contains(it));
        }
        let some = TableSleep {
            states,
            independent,
        };
        Some(some).filter(|it| !it.states.is_empty())
    }

    fn nodes(&mut self, random: &mut Random) -> Option<Vec<TableNode>> {
        let program = self.program;
        let is_careless = self.is(Careless::Regions);
        let first = if is_careless && random.percent(20) {
            random.below(program.states.len())
        } else {
            program.initial
        };
        let asleep = self.sleep.keys().copied();
        let asleep: Numbers = asleep
            .filter(|_| self.is(Careless::Initial) && random.percent(50))
            .collect();
        self.found.push((self.cube_of(first), asleep));
        let mut nodes: Vec<TableNode> = Vec::new();
        while let Some((label, asleep)) = self.found.get(nodes.len()).cloned() {
            if nodes.len() == MOST_NODES {
                return None;
            }
            let numbers = 0..program.states.len();
            let states: Numbers = numbers
                .filter(|state| satisfies(&program.states[*state], &label))
                .collect();
            let region = random_region(program, &states, &asleep, self, random);
            let mut node = TableNode {
                label,
                asleep: self.may_sleep(asleep, region.as_ref()),
                states,
                region,
                edges: BTreeMap::new(),
            };
            for step in 0..program.steps.len() {
                if !node.follows(step) {
                    continue;
                }
                let after = node.states.iter().map(|it| program.after[step][*it]);
                let after: Vec<usize> = after.flatten().collect();
                let asleep = self.asleep_after(&node, step, random);
                for after in after {
                    if is_careless && random.percent(2) {
                        continue;
                    }
                    let to = self.node_for(self.cube_of(after), &asleep, random);
                    node.edges.entry(step).or_default().insert(to);
                }
            }
            nodes.push(node);
        }
        Some(nodes)
    }

    /// What of some steps may sleep in a node with that region.
    fn may_sleep(&self, asleep: Numbers, region: Option<&TableRegion>) -> Numbers {
        let Some(region) = region else {
            return asleep;
        };
        let may_sleep = |step: &usize| {
            let mut postponed =
                (0..self.program.steps.len()).filter(|it| !region.stubborn.contains(it));
            let is_postponed = !region.stubborn.contains(step);
            let allows = is_postponed
                || self.is(Careless::Postponed)
                || postponed.all(|it| self.sleep[step].independent.contains(&it));
            allows && (region.key != Some(*step) || self.is(Careless::Key))
        };
        asleep.into_iter().filter(may_sleep).collect()
    }

    /// What sleeps after a step.
    fn asleep_after(&self, node: &TableNode, by: usize, random: &mut Random) -> Numbers {
        let mut asleep = Numbers::new();
        for (&step, sleep) in &self.sleep {
            let is_before = step < by || self.is(Careless::Order);
            let is_followed = node.follows(step) || self.is(Careless::Unfollowed);
            let is_inside = node.states.is_subset(&sleep.states) || self.is(Careless::Outside);
            let falls_asleep = step != by && is_before && is_followed && is_inside;
            let is_independent =
                sleep.independent.contains(&by) || self.is(Careless::Dependent) && step != by;
            let may_sleep = node.asleep.contains(&step) || falls_asleep;
            if may_sleep && is_independent && random.percent(self.with_sleep) {
                asleep.insert(step);
            }
        }
        asleep
    }

    /// The node for some states, in which no more than that sleeps.
    fn node_for(&mut self, cube: Cube, asleep: &Numbers, random: &mut Random) -> usize {
        let any = self.is(Careless::Cover) || random.percent(70);
        let covers = |(label, own): &(Cube, Numbers)| {
            let sleeps_less = own.is_subset(asleep) || self.is(Careless::Cover);
            *label == cube && (own == asleep || any && sleeps_less)
        };
        if let Some(known) = self.found.iter().position(covers) {
            return known;
        }
        self.found.push((cube, asleep.clone()));
        self.found.len() - 1
    }
}

/// Steps of some processes are stubborn, and the region is what the others reach; or it is none, and the node follows all.
fn random_region(
    program: &Program,
    states: &Numbers,
    asleep: &Numbers,
    maker: &Maker<'_>,
    random: &mut Random,
) -> Option<TableRegion> {
    let is_careless = maker.is(Careless::Regions);
    if !random.percent(maker.with_region) {
        return None;
    }
    // Where it makes a difference, what sleeps is in the stubborn set.
    let of_sleeping = asleep.iter().map(|step| program.steps[*step].process);
    let of_sleeping =
        of_sleeping.filter(|_| maker.is(Careless::Key) || maker.is(Careless::Postponed));
    let processes: Numbers = (0..program.processes)
        .filter(|_| random.percent(50))
        .chain(of_sleeping)
        .collect();
    let steps = 0..program.steps.len();
    let (stubborn, postponed): (Vec<usize>, Vec<usize>) =
        steps.partition(|step| processes.contains(&program.steps[*step].process));
    if stubborn.is_empty() || postponed.is_empty() {
        return None;
    }
    let is_possible = |step: &&usize| states.iter().all(|it| program.after[**step][*it].is_some());
    let possible: Vec<usize> = stubborn.iter().filter(is_possible).copied().collect();
    let keys = if possible.is_empty() || random.percent(10) {
        &stubborn
    } else {
        &possible
    };
    let mut key = random.percent(maker.with_key).then(|| *random.pick(keys));
    if maker.is(Careless::Key) && random.percent(50) {
        key = asleep
            .first()
            .copied()
            .filter(|it| possible.contains(it))
            .or(key);
    }
    let inside = if is_careless && random.percent(5) {
        states.clone()
    } else if is_careless && random.percent(5) {
        let some = states.iter().filter(|_| random.percent(50)).copied();
        program.reached(some.collect::<Vec<_>>(), &postponed)
    } else {
        program.reached(states.iter().copied(), &postponed)
    };
    Some(TableRegion {
        states: inside,
        stubborn: stubborn.into_iter().collect(),
        key,
    })
}
