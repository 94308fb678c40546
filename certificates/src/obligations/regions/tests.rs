use super::*;
use crate::diagram::Edge;

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// `left` and `right` have nothing to do with each other, and both wait for `reset`: `left` need not follow `right`, since `right` follows
/// `left` as well.
fn good() -> Diagram {
    let mut nodes: Vec<Node> = (0..4).map(|id| Node::new(id, Vec::new())).collect();
    nodes[2].asleep = names(&["asleep"]);
    nodes[2].region = Some("waiting".to_owned());
    nodes[3].region = Some("waiting".to_owned());
    let edge = |from: usize, to: usize, name: &str| Edge {
        from,
        to,
        transitions: names(&[name]),
    };
    Diagram {
        nodes,
        edges: vec![
            edge(0, 1, "left"),
            edge(0, 2, "right"),
            edge(1, 3, "right"),
            edge(2, 3, "reset"),
            edge(3, 0, "reset"),
        ],
        regions: vec![
            Region {
                name: "waiting".to_owned(),
                stubborn: names(&["left", "reset"]),
                key: Some("reset".to_owned()),
                ..Region::default()
            },
            Region {
                name: "asleep".to_owned(),
                stubborn: names(&["left"]),
                independent: Some(names(&["right"])),
                ..Region::default()
            },
        ],
        ..Diagram::default()
    }
}

const WAITING: usize = 0;
const ASLEEP: usize = 1;

fn check_in_order(diagram: &Diagram, order: &[&str]) -> Result<(), RegionFault> {
    check_regions(diagram, &order.iter().copied().zip(0..).collect())
}

/// What is wrong with the diagram after an edit.
fn check(edit: impl FnOnce(&mut Diagram)) -> Result<(), RegionFault> {
    let mut diagram = good();
    edit(&mut diagram);
    check_in_order(&diagram, &["left", "right", "reset"])
}

#[track_caller]
fn refused(fault: RegionFault, edit: impl FnOnce(&mut Diagram)) {
    assert_eq!(check(edit), Err(fault));
}

/// `by` leads from a node to one where `left` sleeps and may not.
fn awake(from: usize, by: &str, to: usize) -> RegionFault {
    RegionFault::Awake {
        from,
        by: by.to_owned(),
        to,
        sleeping: "left".to_owned(),
    }
}

#[test]
fn names_of_regions_are_those_of_the_diagram_and_mean_one_thing() {
    assert_eq!(check(|_| {}), Ok(()));
    let [asleep, waiting, none, up] = ["asleep", "waiting", "none", "up"].map(str::to_owned);
    refused(RegionFault::SecondRegion(waiting.clone()), |it| {
        it.regions.push(it.regions[WAITING].clone());
    });
    refused(RegionFault::SecondSleeping("left".to_owned()), |it| {
        let region = it.regions[ASLEEP].clone();
        let name = "again".to_owned();
        it.regions.push(Region { name, ..region });
    });
    assert_eq!(
        check(|it| it.regions.push(Region {
            name: "other".to_owned(),
            stubborn: names(&["right"]),
            independent: Some(names(&["left"])),
            ..Region::default()
        })),
        Ok(())
    );
    refused(RegionFault::NoRegion(0, none.clone()), |it| {
        it.nodes[0].region = Some("none".to_owned());
    });
    refused(RegionFault::NoRegion(2, none), |it| {
        it.nodes[2].asleep = names(&["none"]);
    });
    refused(RegionFault::OtherUse(3, asleep.clone()), |it| {
        it.nodes[3].region = Some("asleep".to_owned());
    });
    refused(RegionFault::OtherUse(2, waiting.clone()), |it| {
        it.nodes[2].asleep = names(&["waiting"]);
    });
    for (index, name) in [(WAITING, &waiting), (ASLEEP, &asleep)] {
        let fault = RegionFault::NoTransition(name.clone(), up.clone());
        refused(fault, |it| it.regions[index].stubborn = names(&["up"]));
        let fault = RegionFault::SecondTransition(name.clone(), "left".to_owned());
        refused(fault, |it| {
            it.regions[index].stubborn = names(&["left", "left"]);
        });
    }
    refused(RegionFault::NoTransition(asleep.clone(), up), |it| {
        it.regions[ASLEEP].independent = Some(names(&["right", "up"]));
    });
    refused(
        RegionFault::SecondTransition(asleep, "right".to_owned()),
        |it| it.regions[ASLEEP].independent = Some(names(&["right", "right"])),
    );
}

#[test]
fn nodes_follow_what_their_regions_say_and_keys_end() {
    let waiting = "waiting".to_owned();
    refused(RegionFault::Key(waiting, "right".to_owned()), |it| {
        it.regions[WAITING].key = Some("right".to_owned());
    });
    for name in ["right", "left"] {
        // The one is postponed in node 2, the other sleeps there.
        refused(RegionFault::Left(2, name.to_owned()), |it| {
            it.edges[3].transitions = names(&[name]);
        });
    }
    assert_eq!(
        check(|it| it.edges[4].transitions = names(&["left"])),
        Ok(())
    );
    refused(RegionFault::Cycle(3), |it| {
        it.nodes[2].region = None;
        it.edges[4].to = 3;
    });
    assert_eq!(
        check(|it| {
            it.edges[4].to = 3;
            it.edges[4].transitions = names(&["left"]);
        }),
        Ok(())
    );
}

#[test]
fn a_region_of_a_sleeping_transition_is_that_of_one() {
    let edits: [fn(&mut Region); 4] = [
        |it| it.stubborn = names(&["left", "reset"]),
        |it| it.stubborn.clear(),
        |it| it.key = Some("left".to_owned()),
        |it| it.independent = Some(names(&["right", "left"])),
    ];
    for edit in edits {
        refused(RegionFault::NotOne("asleep".to_owned()), |it| {
            edit(&mut it.regions[ASLEEP]);
        });
    }
    assert_eq!(
        check(|it| it.regions[ASLEEP].independent = Some(names(&["reset", "right"]))),
        Ok(())
    );
}

#[test]
fn the_key_does_not_sleep_and_what_is_followed_sleeps_only_if_nothing_postponed_wakes_it() {
    refused(RegionFault::KeyAsleep(2, "left".to_owned()), |it| {
        it.regions[WAITING].key = Some("left".to_owned());
    });
    // Where it does not sleep, it may be the key.
    assert_eq!(
        check(|it| {
            it.regions.push(Region {
                name: "keyed".to_owned(),
                stubborn: names(&["left"]),
                key: Some("left".to_owned()),
                ..Region::default()
            });
            it.nodes[3].region = Some("keyed".to_owned());
            it.edges[4].transitions = names(&["left"]);
        }),
        Ok(())
    );
    let all = ["left", "right", "reset", "late", "later"];
    let mut diagram = good();
    let fault = RegionFault::Dependent(2, "left".to_owned(), "late".to_owned());
    assert_eq!(check_in_order(&diagram, &all), Err(fault));
    // Nothing else is postponed; or it may happen meanwhile; or what sleeps is postponed as well.
    diagram.regions[WAITING].stubborn = names(&["left", "reset", "late", "later"]);
    assert_eq!(check_in_order(&diagram, &all), Ok(()));
    let mut diagram = good();
    diagram.regions[ASLEEP].independent = Some(names(&["right", "late", "later"]));
    assert_eq!(check_in_order(&diagram, &all), Ok(()));
    let mut diagram = good();
    diagram.regions[WAITING].stubborn = names(&["reset"]);
    assert_eq!(check_in_order(&diagram, &all), Ok(()));
}

#[test]
fn a_transition_sleeps_only_after_it_slept_or_was_followed_before() {
    // It wakes by what depends on it, and by itself.
    refused(awake(3, "reset", 2), |it| it.edges[4].to = 2);
    refused(awake(0, "left", 2), |it| it.edges[0].to = 2);
    refused(awake(0, "right", 2), |it| {
        it.nodes[2].region = None;
        it.regions[ASLEEP].independent = Some(Vec::new());
    });
    // `right` is followed before `left`.
    let order = ["right", "left", "reset"];
    assert_eq!(check_in_order(&good(), &order), Err(awake(0, "right", 2)));
    // `left` is not followed in the node before: it has to sleep there.
    let unfollowed = |it: &mut Diagram, is_asleep: bool| {
        it.regions.push(Region {
            name: "right only".to_owned(),
            stubborn: names(&["right"]),
            ..Region::default()
        });
        it.nodes.push(Node::new(4, Vec::new()));
        it.nodes[4].region = Some("right only".to_owned());
        it.edges.push(Edge {
            from: 4,
            to: 2,
            transitions: names(&["right"]),
        });
        if is_asleep {
            it.nodes[4].asleep = names(&["asleep"]);
        }
    };
    refused(awake(4, "right", 2), |it| unfollowed(it, false));
    assert_eq!(check(|it| unfollowed(it, true)), Ok(()));
    // Where it sleeps before, it may be after what happens in the order.
    let mut diagram = good();
    unfollowed(&mut diagram, true);
    diagram.edges.remove(1);
    assert_eq!(check_in_order(&diagram, &order), Ok(()));
}

#[test]
fn how_much_may_sleep_is_bounded() {
    let diagram = good();
    let order = ["left", "right", "reset"].into_iter().zip(0..).collect();
    let within = |limit: u64| {
        let mut work = Work::counting("parts", limit);
        check_within(&diagram, &order, &mut work).map(|()| limit - work.left())
    };
    // One follows its region's set, and three transitions are gone through; one edge leads to where it sleeps.
    assert_eq!(within(COMMUTING), Ok(4));
    assert_eq!(within(4), Ok(4));
    for limit in [3, 2] {
        let what = "parts";
        let error = TooLarge::Amount { what, limit };
        assert_eq!(within(limit), Err(RegionFault::TooLarge(error)));
    }
}
