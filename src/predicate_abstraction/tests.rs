//! The tree, its coverings, and where predicates belong.

use super::control::{Control, Obstacle};
use super::exploration::{Exploration, Reductions};
use super::post::MOST_COMBINED;
use super::precision::{Precision, Subject};
use super::reduction::Reduction;
use crate::arithmetic::Formula;
use crate::languages::slab::Slab;
use crate::languages::source::Source;
use crate::languages::{Language, Options};
use crate::reductions::stubborn::{Arrival, MOST_TRANSITIONS};
use crate::refinement::path::AbstractPath;
use crate::slicing::encoded::EncodedSystem;
use crate::slicing::graph::NodeIndex;
use crate::slicing::oracle::Oracle;
use crate::slicing::sample::{at_least, at_most};
use crate::solvers::StopSignal;
use slabcert_certificates::system::System;
use std::collections::BTreeMap;

/// Two processes, the first of which reaches one location on two ways; no location violates the property.
const TWO_WAYS: &str = "system ways;
var x : int = 0;
process P { var y : int = 0; location a, b; start a;
  edge one: a -> b do x := 1;
  edge two: a -> b do x := 2;
}
process Q { var z : int = 0; location c; start c; edge stay: c -> c when z > 5 && z < 5 do z := z + 1; }
error never: P at a && P at b && Q at c && x + P.y + Q.z > 0;
";

fn system(text: &str) -> System {
    Slab.read(&Source::new("m.slab", text), &Options::default())
        .map(|it| it.flat())
        .unwrap()
}

fn encode(system: &System) -> EncodedSystem {
    EncodedSystem::new(system, &system.properties[0], &[]).unwrap()
}

/// The number of a variable.
fn number(system: &System, name: &str) -> u32 {
    let mut variables = system.variables.iter();
    let index = variables.position(|variable| variable.name() == name);
    u32::try_from(index.unwrap()).unwrap()
}

/// Does something with the tree of [`TWO_WAYS`], which may have so many nodes, when there is nothing left to unfold.
fn with_tree(
    most_nodes: usize,
    work: impl FnOnce(&mut Exploration<'_>, &mut Oracle<'_>, &Formula),
) -> Result<(), Obstacle> {
    let system = system(TWO_WAYS);
    let encoded = encode(&system);
    let mut oracle = Oracle::new(&encoded, None, StopSignal::default());
    let control = Control::new(&mut oracle)?;
    let precision = Precision::new(&system, &control);
    let mut tree = Exploration::start(
        &mut oracle,
        control,
        precision,
        Reductions::default(),
        most_nodes,
    )?;
    assert_eq!(tree.unfold(&mut oracle)?, None);
    let small = at_most(&encoded, number(&system, "x"), 1);
    work(&mut tree, &mut oracle, &small);
    Ok(())
}

/// Makes the node at the end of a path more precise, and unfolds what waits then.
fn refine(
    tree: &mut Exploration<'_>,
    oracle: &mut Oracle<'_>,
    path: &AbstractPath,
    formula: &Formula,
) {
    let literal = oracle.predicates_mut().literal(formula).unwrap();
    let chosen = BTreeMap::from([(path.transitions.len(), vec![literal])]);
    assert!(tree.refine(oracle, path, &chosen).unwrap());
    assert_eq!(tree.unfold(oracle).unwrap(), None);
}

const FIRST: NodeIndex = NodeIndex(1);
const SECOND: NodeIndex = NodeIndex(2);

#[test]
fn a_node_at_the_same_locations_that_says_no_more_covers() {
    with_tree(3, |tree, oracle, _| {
        let counts = tree.counts();
        assert_eq!(
            (counts.nodes, counts.coverings, counts.uncovered),
            (3, 1, 0)
        );
        // Steps to the covered node lead to the one that covers it.
        let diagram = tree.diagram(oracle, "main");
        assert_eq!(diagram.nodes.len(), 2);
        let to_second = diagram.edges.iter().find(|edge| edge.to == 1);
        assert_eq!(to_second.unwrap().transitions.len(), 2);
    })
    .unwrap();
}

#[test]
fn coverings_by_removed_nodes_are_undone() {
    with_tree(4, |tree, oracle, small| {
        let path = tree.path_to(FIRST);
        refine(tree, oracle, &path, small);
        // The other node waits again, and then covers the new one, which says more.
        assert_eq!((tree.counts().coverings, tree.counts().uncovered), (2, 1));
        assert_eq!(tree.diagram(oracle, "main").nodes.len(), 2);
    })
    .unwrap();
}

#[test]
fn coverings_by_other_nodes_stand() {
    with_tree(4, |tree, oracle, small| {
        let path = tree.path_to(SECOND);
        refine(tree, oracle, &path, small);
        assert_eq!((tree.counts().coverings, tree.counts().uncovered), (2, 0));
        assert_eq!(tree.live_count(), 3);
    })
    .unwrap();
}

#[test]
fn a_tree_ends_at_the_bound_on_its_nodes() {
    assert_eq!(with_tree(3, |_, _, _| {}), Ok(()));
    assert_eq!(with_tree(2, |_, _, _| {}), Err(Obstacle::TooManyNodes(2)));
    let words = Obstacle::TooManyNodes(2).to_string();
    assert_eq!(words, "the abstract tree would have more than 2 nodes");
}

#[test]
fn what_is_about_one_process_counts_at_its_location_and_all_else_everywhere() {
    let system = system(TWO_WAYS);
    let encoded = encode(&system);
    let mut oracle = Oracle::new(&encoded, None, StopSignal::default());
    let control = Control::new(&mut oracle).unwrap();
    let mut precision = Precision::new(&system, &control);
    let of = |name: &str| at_least(&encoded, number(&system, name), 3);
    let both = Formula::or([of("P.y"), of("Q.z")]);
    for (formula, subject) in [
        (of("P.y"), Subject::Process(0)),
        (of("Q.z"), Subject::Process(1)),
        (of("x"), Subject::Global),
        (both.clone(), Subject::Global),
    ] {
        assert_eq!(precision.subject(&encoded, &formula), subject);
    }
    let local = oracle.predicates_mut().literal(&of("P.y")).unwrap();
    let global = oracle.predicates_mut().literal(&both).unwrap();
    assert!(precision.add(&encoded, &of("P.y"), local, &[0, 0]));
    assert!(!precision.add(&encoded, &of("P.y"), local.negated(), &[0, 0]));
    assert!(precision.add(&encoded, &of("P.y"), local, &[2, 0]));
    assert!(precision.add(&encoded, &both, global, &[0, 0]));
    assert!(!precision.add(&encoded, &both, global, &[1, 0]));
    assert!(precision.at(&[0, 0]).into_iter().eq([local, global]));
    assert!(precision.at(&[1, 0]).into_iter().eq([global]));
}

/// A state in which `x` and `y` are small together, or large together.
const TOGETHER: &str = "system together;
var x, y : int;
init (x <= 0 && y <= 0) || (x >= 5 && y >= 5);
transition stay;
error apart: x <= 0 && y >= 5;
";

/// A tree of [`TOGETHER`] with predicates about `x` and `y`, and so many more that nothing decides.
fn with_pair(others: i64, work: impl FnOnce(&mut Exploration<'_>, &mut Oracle<'_>, &AbstractPath)) {
    let system = system(TOGETHER);
    let encoded = encode(&system);
    let mut oracle = Oracle::new(&encoded, None, StopSignal::default());
    let control = Control::new(&mut oracle).unwrap();
    let mut precision = Precision::new(&system, &control);
    let of = |name: &str, most: i64| at_most(&encoded, number(&system, name), most);
    let own = [of("x", 0), of("y", 0)].into_iter();
    for formula in own.chain((0..others).map(|number| of("x", 100 + number))) {
        let literal = oracle.predicates_mut().literal(&formula).unwrap();
        precision.add(&encoded, &formula, literal, &[]);
    }
    let mut tree =
        Exploration::start(&mut oracle, control, precision, Reductions::default(), 8).unwrap();
    let spurious = tree.unfold(&mut oracle).unwrap().unwrap();
    let path = tree.path_to(spurious);
    work(&mut tree, &mut oracle, &path);
}

#[test]
fn what_conjunctions_of_predicates_cannot_prove_their_combinations_can() {
    with_pair(0, |tree, oracle, path| {
        assert!(!tree.refine(oracle, path, &BTreeMap::new()).unwrap());
        assert!(tree.split(oracle, path).unwrap());
        assert_eq!(tree.unfold(oracle).unwrap(), None);
        assert_eq!(tree.diagram(oracle, "main").nodes.len(), 2);
        assert!(!tree.split(oracle, &tree.path_to(NodeIndex(1))).unwrap());
    });
}

#[test]
fn so_many_predicates_are_combined_and_no_more() {
    let most = i64::try_from(MOST_COMBINED).unwrap();
    for (others, is_split) in [(most - 2, true), (most - 1, false)] {
        with_pair(others, |tree, oracle, path| {
            assert_eq!(tree.split(oracle, path).unwrap(), is_split, "{others}");
        });
    }
}

#[test]
fn systems_with_too_many_transitions_are_not_reduced() {
    for (count, is_reduced) in [(MOST_TRANSITIONS, true), (MOST_TRANSITIONS + 1, false)] {
        let text = format!(
            "system many; var x : int = 0;
transition step[i in 1..{count}] when x = i do x := i + 1;
error never: x < 0;
"
        );
        let system = system(&text);
        let encoded = encode(&system);
        let mut oracle = Oracle::new(&encoded, None, StopSignal::default());
        let control = Control::new(&mut oracle).unwrap();
        let reduction = Reduction::new(&system, &encoded, &control, &[], &mut |_, _| false);
        assert_eq!(reduction.is_some(), is_reduced, "{count}");
    }
}

#[test]
fn a_move_from_anywhere_was_noted_for_each_location() {
    let system = system(
        "system moved;
process P { location a, b, c; start a; edge a -> b; edge b -> c; }
transition reset do P at a;
error bad: P at c;
",
    );
    let encoded = encode(&system);
    let mut oracle = Oracle::new(&encoded, None, StopSignal::default());
    let control = Control::new(&mut oracle).unwrap();
    for transition in encoded.transitions() {
        let movement = control.movement(&encoded, transition);
        let begins = &movement.begins[0];
        let is_anywhere = begins.count_ones(..) == begins.len();
        assert_eq!(is_anywhere, encoded.transition(transition).name == "reset");
        assert!(matches!(movement.arrives[0], Some(Arrival::Anyway(_))));
    }
}
