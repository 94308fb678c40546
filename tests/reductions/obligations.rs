//! Each obligation left out lets a wrong certificate through.
//!
//! Random programs of two or three processes, with random reduced diagrams. Whether a violation can be reached, and which obligations fail,
//! is found out on tables of all states, from the definitions. Wrong certificates that exactly one kind of obligation rejects are then
//! put to the real obligations, which are evaluated in all states: these fail in that kind, and in no other. Those that none rejects are
//! right, and no real obligation of theirs fails.

use crate::random::Random;
use slabcert_certificates::certificate::{Certificate, Claim, Evidence, NamedRelation};
use slabcert_certificates::diagram::{Diagram, Edge, Node, Region};
use slabcert_certificates::obligations::{
    ObligationError, ObligationKind, ReductionPart, RegionFault, obligations,
};
use slabcert_certificates::system::{
    Conjunct, Property, StateVariable, System, Transition, Update,
};
use slabcert_certificates::term::{Sort, Symbol, Term, Value};
use std::collections::{BTreeMap, BTreeSet};

/// How many random programs are looked at.
const PROGRAMS: usize = 100_000;
/// How many certificates of each kind are put to the real obligations.
const CONFIRMED: usize = 10;
/// The locations of a process.
const LOCATIONS: usize = 3;
/// The shared truth values.
const SHARED: usize = 2;

/// All kinds of obligations, by their names, and that key edges have no cycle.
const KINDS: [&str; 11] = [
    "initiation",
    "consecution",
    "safety",
    "containment",
    "closure",
    "commutation",
    "quietness",
    "enabledness",
    "persistence",
    "preservation",
    CYCLE,
];
const CYCLE: &str = "cycle of key edges";

/// Locations, then shared values as 0 or 1.
type State = Vec<usize>;
/// What some entries of a state are.
type Cube = BTreeMap<usize, usize>;

fn satisfies(state: &State, cube: &Cube) -> bool {
    cube.iter()
        .all(|(location, value)| state[*location] == *value)
}

/// What happens when a cube holds: some entries change.
struct Step {
    process: usize,
    guard: Cube,
    update: Cube,
}

struct Program {
    processes: usize,
    steps: Vec<Step>,
    violation: Cube,
    states: Vec<State>,
    /// For each step and state, by number: the state after it.
    after: Vec<Vec<Option<usize>>>,
}

impl Program {
    fn random(random: &mut Random) -> Program {
        let processes = 2 + random.below(3) / 2;
        let [guarded, updated] = [*random.pick(&[20, 50]), *random.pick(&[20, 60])];
        let shared = |random: &mut Random, chance: usize| -> Cube {
            let locations = processes..processes + SHARED;
            let chosen = locations
                .filter(|_| random.percent(chance))
                .collect::<Vec<_>>();
            chosen
                .into_iter()
                .map(|location| (location, random.below(2)))
                .collect()
        };
        let mut steps = Vec::new();
        for process in 0..processes {
            for _ in 0..=random.below(3) {
                let mut guard = shared(random, guarded);
                let mut update = shared(random, updated);
                guard.insert(process, random.below(LOCATIONS));
                update.insert(process, random.below(LOCATIONS));
                steps.push(Step {
                    process,
                    guard,
                    update,
                });
            }
        }
        let mut violation = shared(random, 30);
        for process in 0..processes {
            if random.percent(50) {
                violation.insert(process, random.below(LOCATIONS));
            }
        }
        if violation.is_empty() {
            violation.insert(0, 1);
        }
        let states = states(processes);
        let number: BTreeMap<&State, usize> = states.iter().zip(0..).collect();
        let after = steps.iter().map(|step| {
            let after = states.iter().map(|state| {
                let mut after = state.clone();
                for (location, value) in &step.update {
                    after[*location] = *value;
                }
                satisfies(state, &step.guard).then(|| number[&after])
            });
            after.collect()
        });
        let after = after.collect();
        Program {
            processes,
            steps,
            violation,
            states,
            after,
        }
    }

    /// What is reached from states by some steps.
    fn reached(&self, from: impl IntoIterator<Item = usize>, steps: &[usize]) -> BTreeSet<usize> {
        let mut found: BTreeSet<usize> = from.into_iter().collect();
        let mut waiting: Vec<usize> = found.iter().copied().collect();
        while let Some(state) = waiting.pop() {
            for after in steps.iter().filter_map(|step| self.after[*step][state]) {
                if found.insert(after) {
                    waiting.push(after);
                }
            }
        }
        found
    }

    fn violates(&self, state: usize) -> bool {
        satisfies(&self.states[state], &self.violation)
    }

    fn is_unsafe(&self) -> bool {
        let all: Vec<usize> = (0..self.steps.len()).collect();
        let mut reached = self.reached([0], &all).into_iter();
        reached.any(|state| self.violates(state))
    }
}

/// All states; the first one is initial.
fn states(processes: usize) -> Vec<State> {
    let sizes =
        (0..processes + SHARED).map(|location| if location < processes { LOCATIONS } else { 2 });
    let mut states: Vec<State> = vec![Vec::new()];
    for size in sizes {
        let longer = states.iter().flat_map(|state| {
            (0..size).map(move |value| {
                let mut longer = state.clone();
                longer.push(value);
                longer
            })
        });
        states = longer.collect();
    }
    states
}

/// A node of a reduced diagram, with its region.
struct TableNode {
    label: Cube,
    states: BTreeSet<usize>,
    region: Option<TableRegion>,
    /// By steps, the nodes that edges lead to.
    edges: BTreeMap<usize, BTreeSet<usize>>,
}

struct TableRegion {
    states: BTreeSet<usize>,
    stubborn: BTreeSet<usize>,
    key: Option<usize>,
}

/// A random diagram: nodes are told apart by locations and some shared values, and found step by step. At most locations it is as it has to
/// be; in some, it is not.
fn random_diagram(program: &Program, random: &mut Random) -> Vec<TableNode> {
    let shared = program.processes..program.processes + SHARED;
    let hidden: Vec<usize> = shared.filter(|_| random.percent(30)).collect();
    let cube_of = |state: usize| -> Cube {
        let entries = program.states[state].iter().copied().enumerate();
        entries
            .filter(|(location, _)| !hidden.contains(location))
            .collect()
    };
    let is_careless = random.percent(30);
    let with_key = *random.pick(&[0, 50, 100]);
    let first = if is_careless && random.percent(20) {
        random.below(program.states.len())
    } else {
        0
    };
    let mut locations: BTreeMap<Cube, usize> = BTreeMap::from([(cube_of(first), 0)]);
    let mut cubes = vec![cube_of(first)];
    let mut nodes: Vec<TableNode> = Vec::new();
    while let Some(label) = cubes.get(nodes.len()).cloned() {
        let numbers = 0..program.states.len();
        let states: BTreeSet<usize> = numbers
            .filter(|state| satisfies(&program.states[*state], &label))
            .collect();
        let region = random_region(program, &states, with_key, is_careless, random);
        let mut edges: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for step in 0..program.steps.len() {
            let follows = region.as_ref().is_none_or(|it| it.stubborn.contains(&step));
            for after in states
                .iter()
                .filter_map(|state| program.after[step][*state])
            {
                if !follows || (is_careless && random.percent(2)) {
                    continue;
                }
                let cube = cube_of(after);
                let location = *locations.entry(cube.clone()).or_insert_with(|| {
                    cubes.push(cube);
                    cubes.len() - 1
                });
                edges.entry(step).or_default().insert(location);
            }
        }
        nodes.push(TableNode {
            label,
            states,
            region,
            edges,
        });
    }
    nodes
}

/// Steps of some processes are stubborn, and the region is what the others reach; or it is none, and the node follows all.
fn random_region(
    program: &Program,
    states: &BTreeSet<usize>,
    with_key: usize,
    is_careless: bool,
    random: &mut Random,
) -> Option<TableRegion> {
    if random.percent(25) {
        return None;
    }
    let processes: Vec<usize> = (0..program.processes)
        .filter(|_| random.percent(50))
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
    let key = random.percent(with_key).then(|| *random.pick(keys));
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

/// The kinds of obligations that fail, on tables.
fn failing(program: &Program, nodes: &[TableNode]) -> BTreeSet<&'static str> {
    let mut failing = BTreeSet::new();
    let mut require = |holds: bool, kind: &'static str| {
        if !holds {
            failing.insert(kind);
        }
    };
    require(
        nodes.iter().any(|node| node.states.contains(&0)),
        "initiation",
    );
    for node in nodes {
        require(
            !node.states.iter().any(|it| program.violates(*it)),
            "safety",
        );
        for step in 0..program.steps.len() {
            let follows = node
                .region
                .as_ref()
                .is_none_or(|it| it.stubborn.contains(&step));
            let to = node.edges.get(&step);
            let mut after = node.states.iter().filter_map(|it| program.after[step][*it]);
            let stays = after.all(|after| {
                let mut to = to.into_iter().flatten();
                to.any(|location| nodes[*location].states.contains(&after))
            });
            require(!follows || stays, "consecution");
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
                let first = after(stubborn, state).and_then(|other| after(step, other));
                let both = after(stubborn, one);
                require(both.is_none() || both == first, "commutation");
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

/// The system, and the certificate with the diagram, in the types of the format.
fn real(program: &Program, nodes: &[TableNode]) -> (System, Certificate) {
    let variables: Vec<StateVariable> = (0..program.processes + SHARED)
        .map(|location| StateVariable::new(&format!("x{location}"), sort(program, location)))
        .collect();
    let formula = |cube: &Cube| {
        Term::and(cube.iter().map(|(location, value)| {
            let symbol = Term::symbol(variables[*location].current.clone());
            symbol.equals(constant(program, *location, *value))
        }))
    };
    let name = |step: &usize| format!("step{step}");
    let transitions = program.steps.iter().enumerate().map(|(number, step)| {
        let mut transition = Transition::from_relation(name(&number), Term::bool(true), vec![]);
        transition.relation.clear();
        transition
            .guard
            .push(Conjunct::of_system(formula(&step.guard)));
        for (&variable, &value) in &step.update {
            transition.updates.push(Update {
                variable,
                value: constant(program, variable, value),
                process: None,
            });
        }
        let frame = (0..variables.len()).filter(|location| !step.update.contains_key(location));
        transition.frame = frame.collect();
        transition
    });
    let whole =
        |state: &usize| formula(&program.states[*state].iter().copied().enumerate().collect());
    let system = System {
        init: vec![whole(&0)],
        transitions: transitions.collect(),
        properties: vec![Property {
            index: 0,
            name: "property".into(),
            formula: formula(&program.violation).not(),
            position: None,
        }],
        variables: variables.clone(),
        ..System::default()
    };
    let mut diagram = Diagram {
        name: "main".into(),
        ..Diagram::default()
    };
    for (id, node) in nodes.iter().enumerate() {
        diagram.nodes.push(Node {
            id,
            label: vec![formula(&node.label)],
            region: node.region.as_ref().map(|_| format!("region{id}")),
            asleep: Vec::new(),
        });
        if let Some(region) = &node.region {
            diagram.regions.push(Region {
                name: format!("region{id}"),
                label: vec![Term::or(region.states.iter().map(whole))],
                stubborn: region.stubborn.iter().map(name).collect(),
                key: region.key.as_ref().map(name),
                independent: None,
            });
        }
        for (step, to) in &node.edges {
            diagram.edges.extend(to.iter().map(|&to| Edge {
                from: id,
                to,
                transitions: vec![name(step)],
            }));
        }
    }
    let certificate = Certificate {
        claims: vec![Claim {
            property: 0,
            name: "property".into(),
            evidence: Evidence::Safe(vec!["main".into()]),
        }],
        transitions: NamedRelation::all(&system),
        diagrams: vec![diagram],
        ..Certificate::default()
    };
    (system, certificate)
}

fn sort(program: &Program, location: usize) -> Sort {
    if location < program.processes {
        Sort::Int
    } else {
        Sort::Bool
    }
}

fn constant(program: &Program, location: usize, value: usize) -> Term {
    match sort(program, location) {
        Sort::Bool => Term::bool(value == 1),
        _ => Term::int(value),
    }
}

/// The kinds of the real obligations that fail in some state, or in a step from it.
fn really_failing(program: &Program, nodes: &[TableNode]) -> BTreeSet<&'static str> {
    let (system, certificate) = real(program, nodes);
    let all = match obligations(&system, &certificate) {
        Ok(all) => all,
        Err(ObligationError::Region {
            fault: RegionFault::Cycle(_),
            ..
        }) => return BTreeSet::from([CYCLE]),
        Err(error) => panic!("{error}"),
    };
    let mut failing = BTreeSet::new();
    for obligation in all {
        let word = obligation.kind.word();
        if failing.contains(word) {
            continue;
        }
        let by = match &obligation.kind {
            // All steps of the system are named.
            ObligationKind::Cover => continue,
            ObligationKind::Consecution { transition, .. } => Some(transition),
            ObligationKind::Reduction {
                part: ReductionPart::Closure { postponed, .. },
                ..
            } => Some(postponed),
            _ => None,
        };
        let step = by.map(|name| name["step".len()..].parse::<usize>().unwrap());
        let mut states = 0..program.states.len();
        let fails = states.any(|state| {
            let Some(after) = step.map_or(Some(state), |step| program.after[step][state]) else {
                return false;
            };
            let mut values: BTreeMap<Symbol, Value> = BTreeMap::new();
            for (location, variable) in system.variables.iter().enumerate() {
                let value = |state: usize| {
                    let constant = constant(program, location, program.states[state][location]);
                    constant.as_constant().cloned().unwrap()
                };
                values.insert(variable.current.clone(), value(state));
                if step.is_some() {
                    values.insert(variable.next.clone(), value(after));
                }
            }
            let lookup = |symbol: &Symbol| values.get(symbol).cloned();
            let mut assertions = obligation.assertions.iter();
            assertions.all(|formula| formula.holds(&lookup).unwrap())
        });
        if fails {
            failing.insert(word);
        }
    }
    failing
}

#[test]
fn each_obligation_left_out_lets_a_wrong_certificate_through() {
    let mut random = Random::new(1);
    let mut right = 0;
    let mut wrong: BTreeMap<&str, usize> = BTreeMap::new();
    for _ in 0..PROGRAMS {
        let program = Program::random(&mut random);
        let nodes = random_diagram(&program, &mut random);
        let failing = failing(&program, &nodes);
        let mut kinds = failing.iter();
        match (kinds.next(), kinds.next(), program.is_unsafe()) {
            (None, _, is_unsafe) => {
                assert!(!is_unsafe, "a wrong certificate is accepted");
                if nodes.iter().any(|node| node.region.is_some()) {
                    right += 1;
                    if right <= CONFIRMED {
                        assert_eq!(really_failing(&program, &nodes), BTreeSet::new());
                    }
                }
            }
            (Some(kind), None, true) => {
                let count = wrong.entry(kind).or_default();
                *count += 1;
                if *count <= CONFIRMED {
                    assert_eq!(really_failing(&program, &nodes), failing);
                }
            }
            _ => {}
        }
    }
    println!("right certificates: {right}; wrong ones that only one kind rejects: {wrong:?}");
    for kind in KINDS {
        assert!(wrong.contains_key(kind), "none is rejected by {kind} alone");
    }
    assert!(right > CONFIRMED);
}
