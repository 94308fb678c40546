//! Similar lines are written once, with exactly the indices that they have.

use super::*;
use slabcert_certificates::structure::Origin;
use slabcert_certificates::system::StateVariable;
use slabcert_certificates::term::Sort;

/// Processes `P[1]` to `P[N]` and cells `x[1]` to `x[5]`.
fn system(processes: u64) -> System {
    let positions = (1..=processes).map(|number| format!("P[{number}].location"));
    let cells = (1..=5).map(|number| format!("x[{number}]"));
    System {
        variables: positions
            .chain(cells)
            .map(|name| {
                let mut variable = StateVariable::new(&name, Sort::Int);
                variable.origin = Some(Origin {
                    process: None,
                    declaration: name,
                    indices: Vec::new(),
                });
                variable
            })
            .collect(),
        ..System::default()
    }
}

fn bundled<S: AsRef<str>>(processes: u64, lines: impl IntoIterator<Item = S>) -> Vec<String> {
    let facts = lines.into_iter().enumerate().map(|(position, line)| {
        let mut fact = Fact::of_all(line.as_ref().to_owned(), []);
        fact.conjuncts.push((0, position));
        fact
    });
    let facts: Vec<Fact> = facts.collect();
    let count = facts.len();
    let result = Indices::of(&system(processes)).bundle(facts, Quantifier::All);
    let mut covered: Vec<usize> = result
        .iter()
        .flat_map(|fact| fact.conjuncts.iter().map(|(_, position)| *position))
        .collect();
    covered.sort_unstable();
    assert!(covered.into_iter().eq(0..count), "each line exactly once");
    result.into_iter().map(|fact| fact.text).collect()
}

/// The lines of a clause for all pairs for which the condition holds.
fn pairs(processes: u64, holds: impl Fn(u64, u64) -> bool) -> Vec<String> {
    let mut lines = Vec::new();
    for i in 1..=processes {
        for j in (1..=processes).filter(|&j| holds(i, j)) {
            lines.push(format!("P[{i}] at critical => !(P[{j}] at critical)"));
        }
    }
    lines
}

#[test]
fn lines_for_all_indices_are_one() {
    assert_eq!(
        bundled(3, ["P[1] at idle", "b", "P[2] at idle", "P[3] at idle"]),
        ["for all i: P[i] at idle", "b"]
    );
    assert_eq!(
        bundled(
            3,
            (1..=3).map(|i| format!("P[{i}] at critical => lock = {i}"))
        ),
        ["for all i: P[i] at critical => lock = i"]
    );
    assert_eq!(
        bundled(2, ["P[1] at idle || x[1] = 0", "P[2] at idle || x[1] = 0"]),
        ["for all i: P[i] at idle || x[1] = 0"]
    );
}

#[test]
fn lines_for_all_pairs_are_one() {
    assert_eq!(
        bundled(4, pairs(4, |i, j| i != j)),
        ["for all i != j: P[i] at critical => !(P[j] at critical)"]
    );
    assert_eq!(
        bundled(4, pairs(4, |i, j| i < j)),
        ["for all i < j: P[i] at critical => !(P[j] at critical)"]
    );
    assert_eq!(
        bundled(4, pairs(4, |i, j| i > j)),
        ["for all i > j: P[i] at critical => !(P[j] at critical)"]
    );
    let owners = [(1, 2), (1, 3), (2, 1), (2, 3), (3, 1), (3, 2)];
    assert_eq!(
        bundled(
            3,
            owners.map(|(i, j)| format!("P[{i}] at critical => lock != {j}"))
        ),
        ["for all i != j: P[i] at critical => lock != j"]
    );
}

#[test]
fn what_is_missing_is_not_claimed() {
    assert_eq!(
        bundled(4, ["P[1] at idle", "P[2] at idle", "P[4] at idle"]),
        ["for all i != 3: P[i] at idle"]
    );
    assert_eq!(
        bundled(3, ["P[1] at idle", "P[2] at idle"]),
        ["P[1] at idle", "P[2] at idle"]
    );
    let some = [1, 3, 4, 6].map(|i| format!("P[{i}] at idle"));
    assert_eq!(bundled(6, some), ["for i in 1,3,4,6: P[i] at idle"]);
    // All pairs but one.
    let lines = bundled(4, pairs(4, |i, j| i != j && (i, j) != (4, 3)));
    assert!(lines.iter().all(|line| !line.contains("!= j")), "{lines:?}");
    assert_eq!(
        bundled(5, (2..=5).map(|i| format!("x[{i}] = 0"))),
        ["for i in 2..5: x[i] = 0"]
    );
}

#[test]
fn numbers_that_are_no_indices_stay() {
    for lines in [
        ["x[1] <= 1.5", "x[1] <= 2.5"],
        ["y = 1", "y = 2"],
        ["x1 = 0", "x2 = 0"],
        ["x[1] + y = 3", "x[2] + y = 4"],
    ] {
        assert_eq!(bundled(2, lines), lines);
    }
}

#[test]
fn lines_of_a_model_whose_names_only_look_like_members_stay() {
    let mut system = system(3);
    for variable in &mut system.variables {
        variable.origin = None;
    }
    let facts = (1..=3).map(|i| Fact::of_all(format!("P[{i}] = 0"), []));
    let lines = Indices::of(&system).bundle(facts.collect(), Quantifier::All);
    assert_eq!(lines.len(), 3);
}

#[test]
fn indices_are_called_as_nothing_in_the_model_is() {
    let mut system = system(2);
    for name in ["i", "P[1].j"] {
        system.variables.push(StateVariable::new(name, Sort::Int));
    }
    let facts = ["P[1] at idle", "P[2] at idle"].map(|line| Fact::of_all(line.to_owned(), []));
    let lines = Indices::of(&system).bundle(facts.into(), Quantifier::All);
    assert_eq!(lines[0].text, "for all k: P[k] at idle");
}

#[test]
fn alternatives_that_are_alike_are_one() {
    let lines = pairs(3, |i, j| i < j).into_iter();
    let facts = lines.map(|line| Fact::of_all(line, [])).collect();
    let lines = Indices::of(&system(3)).bundle(facts, Quantifier::Some);
    assert_eq!(
        lines[0].text,
        "for some i < j: P[i] at critical => !(P[j] at critical)"
    );
}
