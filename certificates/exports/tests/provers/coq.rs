//! Coq compiles what is right, and nothing else.

use super::sample::{Sample, is_installed};
use std::process::Command;

/// What Coq prints; `None` when it refuses the file.
fn compile(sample: &Sample) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    sample.write("coq-readable", folder.path());
    let output = Command::new("coqc")
        .args(["-q", "certificate.v"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn a_system_of_integers_is_proved_without_axioms() {
    if is_installed("coqc") {
        let printed = compile(&Sample::lamp()).unwrap();
        assert!(
            printed.contains("Closed under the global context"),
            "{printed}"
        );
    }
}

#[test]
fn reals_beside_integers_and_diagrams_that_assume_one_another_are_proved() {
    if is_installed("coqc") {
        let printed = compile(&Sample::clock()).unwrap();
        assert!(printed.contains("Axioms:"), "{printed}");
    }
}

#[test]
fn an_edge_without_its_end_does_not_compile() {
    if is_installed("coqc") {
        let mut sample = Sample::lamp();
        sample.certificate.diagrams[0].edges.remove(0);
        assert_eq!(compile(&sample), None);
    }
}

#[test]
fn a_label_without_a_conjunct_does_not_compile() {
    if is_installed("coqc") {
        let mut sample = Sample::lamp();
        sample.certificate.diagrams[0].nodes[0].label.pop();
        assert_eq!(compile(&sample), None);
    }
}

#[test]
fn a_transition_that_is_missing_does_not_compile() {
    if is_installed("coqc") {
        let mut sample = Sample::clock();
        sample.certificate.transitions.pop();
        for diagram in &mut sample.certificate.diagrams {
            diagram.edges.retain(|edge| edge.transitions == ["reset"]);
        }
        assert_eq!(compile(&sample), None);
    }
}
