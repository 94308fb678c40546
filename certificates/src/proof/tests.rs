#![allow(clippy::unwrap_used, reason = "test code")]

use super::*;
use num_traits::One;

fn split(cases: Vec<StepNumber>) -> Rule {
    Rule::Split {
        hypothesis: 0,
        cases,
    }
}

#[test]
fn steps_rest_on_earlier_steps() {
    let mut proofs = Proofs::new();
    let leaf = proofs.add(Rule::Clash(0, 1)).unwrap();
    let root = proofs.add(split(vec![leaf, leaf])).unwrap();
    proofs.add_root(Some(root)).unwrap();
    proofs.add_root(None).unwrap();
    assert_eq!(proofs.roots(), [Some(1), None]);
    assert_eq!(proofs.unfolded_size(root), 3);
}

#[test]
fn a_step_that_rests_on_itself_or_on_a_later_one_is_refused() {
    let mut proofs = Proofs::new();
    assert_eq!(
        proofs.add(split(vec![0])),
        Err(TableError::NoEarlierStep(0))
    );
    assert_eq!(
        proofs.add(split(vec![7])),
        Err(TableError::NoEarlierStep(7))
    );
    assert_eq!(proofs.add_root(Some(0)), Err(TableError::NoEarlierStep(0)));
}

#[test]
fn depth_is_bounded() {
    let mut proofs = Proofs::new();
    let mut top = proofs.add(Rule::Clash(0, 1)).unwrap();
    for _ in 1..MAXIMAL_DEPTH {
        top = proofs.add(split(vec![top])).unwrap();
    }
    assert_eq!(proofs.add(split(vec![top])), Err(TableError::TooDeep));
}

#[test]
fn equal_steps_are_there_once_and_steps_that_no_root_needs_not_at_all() {
    let mut builder = ProofsBuilder::new();
    let unused = builder.step(Rule::Clash(5, 6)).unwrap();
    let leaf = builder.step(Rule::Clash(0, 1)).unwrap();
    assert_eq!(builder.step(Rule::Clash(0, 1)).unwrap(), leaf);
    assert_ne!(unused, leaf);
    let cut = Rule::Cut {
        combination: vec![(3, BigRational::one())],
        then: leaf,
    };
    let cut = builder.step(cut).unwrap();
    let root = builder.step(split(vec![cut, leaf])).unwrap();
    builder.root(Some(root)).unwrap();
    let proofs = builder.finish();
    assert_eq!(proofs.steps().len(), 3);
    assert_eq!(proofs.steps()[0], Rule::Clash(0, 1));
    assert_eq!(proofs.roots(), [Some(2)]);
    assert_eq!(proofs.step(2).unwrap().premises(), [1, 0]);
}
