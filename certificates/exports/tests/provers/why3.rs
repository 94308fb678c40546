//! Solvers behind Why3 prove the goals of what is right, and leave one open of what is not.

use super::sample::{Sample, is_installed};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The z3 that the project fetches, or another one.
fn z3() -> Option<PathBuf> {
    let fetched = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/z3/bin/z3");
    if fetched.exists() {
        return Some(fetched);
    }
    is_installed("z3").then(|| "z3".into())
}

/// How many goals there are and how many are proved, with the goal of induction.
fn goals(sample: &Sample) -> Option<(usize, usize)> {
    if !is_installed("why3") {
        return None;
    }
    let solver = z3()?;
    let folder = tempfile::tempdir().unwrap();
    sample.write("why3", folder.path());
    let configuration = format!(
        "[main]\nmagic = 14\n\n[prover]\ncommand = \"{} -smt2 -T:%t %f\"\ndriver = \"z3_471\"\neditor = \"\"\n\
         in_index = false\ninteractive = false\nname = \"Z3\"\nshortcut = \"z3\"\nversion = \"any\"\n",
        solver.display()
    );
    std::fs::write(folder.path().join("why3.conf"), configuration).unwrap();
    let mut output = String::new();
    for arguments in [
        &["induction.mlw", "-T", "Induction", "-a", "induction_pr"][..],
        &["-L", ".", "certificate.mlw"][..],
    ] {
        let finished = Command::new("why3")
            .args(["prove", "-C", "why3.conf", "-P", "z3", "-t", "10"])
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&finished.stdout);
        // A command that Why3 does not understand proves nothing, and leaves nothing open either.
        let faults = String::from_utf8_lossy(&finished.stderr);
        assert!(
            said.contains("Prover result is: "),
            "{arguments:?}: {said}{faults}"
        );
        output.push_str(&said);
    }
    let count = |text: &str| output.matches(text).count();
    // The lemmas of at least two nodes, and the induction: what Why3 cannot read has none of them.
    assert!(count("Prover result is: ") >= 10, "{output}");
    Some((
        count("Prover result is: "),
        count("Prover result is: Valid"),
    ))
}

#[test]
fn all_goals_of_what_is_right_are_proved() {
    for sample in [Sample::lamp(), Sample::clock()] {
        if let Some((all, proved)) = goals(&sample) {
            assert_eq!(all, proved);
        }
    }
}

#[test]
fn a_wrong_certificate_leaves_a_goal_open() {
    let mut without_edge = Sample::lamp();
    without_edge.certificate.diagrams[0].edges.remove(0);
    let mut without_conjunct = Sample::lamp();
    without_conjunct.certificate.diagrams[0].nodes[0]
        .label
        .pop();
    let mut without_transition = Sample::clock();
    without_transition.certificate.transitions.pop();
    for diagram in &mut without_transition.certificate.diagrams {
        diagram.edges.retain(|edge| edge.transitions == ["reset"]);
    }
    for sample in [without_edge, without_conjunct, without_transition] {
        if let Some((all, proved)) = goals(&sample) {
            assert!(proved < all);
        }
    }
}
