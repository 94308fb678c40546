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

mod repairs {
    use super::{Sample, compile, is_installed};
    use slabcert_certificates::smtlib::is_reserved;
    use slabcert_certificates::vmt::read_vmt;
    use slabcert_exports::ExportError;

    /// Words of Coq, of its tactics, of OCaml and of Why3, and names of what developments define or use.
    const WORDS: &str = "Axiom CoFixpoint Definition Eval Fixpoint Hypothesis Parameter Prop SProp Set Theorem Type Variable as at by \
        cofix else end exists exists2 fix for forall fun if in let match mod return then using where with Lemma Record Let Inductive \
        state step init error safe named_step reachable cover invariant make_state s H T E N D G K A I P Q Z R bool conj eq ex le lt nat \
        arithmetic search first solve repeat beta delta unfold destruct begin val rec module open function predicate theory goal use \
        clone import type of new class object method virtual lazy mutable try done do to downto while constraint external";

    /// Counters called like these words; the transition and the diagram are called like one of them and its neighbour.
    fn called(words: &[&str]) -> Sample {
        // Some are words of SMT-LIB too.
        let names = words.iter().map(|word| match is_reserved(word) {
            true => format!("|{word} |"),
            false => format!("|{word}|"),
        });
        let names: Vec<String> = names.collect();
        let mut text = String::new();
        let (mut at_first, mut steps, mut labels) = (String::new(), String::new(), Vec::new());
        for (number, name) in names.iter().enumerate() {
            text += &format!(
                "(declare-fun {name} () Int)(declare-fun n.{number} () Int)(define-fun s.{number} () Int (! {name} :next n.{number}))"
            );
            at_first += &format!(" (= {name} {number})");
            steps += &format!(" (= n.{number} (+ 1 {name}))");
            labels.push(format!("(>= {name} 0)"));
        }
        let all = labels.join(" ");
        text += &format!(
            "(define-fun i () Bool (! (and{at_first}) :init true))(define-fun t () Bool (! (and{steps}) :trans true))
             (define-fun p () Bool (! (and {all}) :invar-property 0))"
        );
        let mut sample = Sample::of(Box::leak(text.into_boxed_str()));
        sample.transition(words[0], &format!("(and{steps})"));
        let label: Vec<&str> = labels.iter().map(String::as_str).collect();
        sample.diagram(words[words.len() - 1], &[], &[&label], &[(0, 0, words[0])]);
        sample.claim(0, &[words[words.len() - 1]]);
        sample
    }

    /// Several words in each module, so that Coq starts once.
    #[test]
    fn names_that_are_words_of_coq_make_a_development_that_compiles() {
        if !is_installed("coqc") {
            return;
        }
        let words: Vec<&str> = WORDS.split_whitespace().collect();
        let mut text = String::new();
        for (number, words) in words.chunks(12).enumerate() {
            let files = called(words).files("coq-readable").unwrap();
            let (requires, rest) = files["certificate.v"].split_once("Local Open").unwrap();
            if number == 0 {
                text += requires;
            }
            text += &format!("\nModule M{number}.\nLocal Open{rest}\nEnd M{number}.\n");
        }
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("all.v"), text).unwrap();
        let output = std::process::Command::new("coqc")
            .args(["-q", "all.v"])
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
    }

    /// A number that stays as it is, with transitions that only comparisons tell apart, or that an implication restricts.
    fn stays(transitions: &[(&str, &str)]) -> Sample {
        let mut sample = Sample::of(
            "(declare-fun x () Int)(declare-fun x.next () Int)
             (define-fun .a () Int (! x :next x.next))
             (define-fun .i () Bool (! (= x 1) :init true))
             (define-fun .t () Bool (! (= x.next x) :trans true))
             (define-fun .p () Bool (! (>= x 0) :invar-property 0))",
        );
        let mut edges = Vec::new();
        for (name, relation) in transitions {
            sample.transition(name, relation);
            edges.push((0, 0, *name));
        }
        sample.diagram("main", &[], &[&["(>= x 0)"]], &edges);
        sample.claim(0, &["main"]);
        sample
    }

    #[test]
    fn a_cover_that_takes_an_implication_over_integers_is_proved() {
        if !is_installed("coqc") {
            return;
        }
        for (transitions, is_covered) in [
            (
                &[("implied", "(and (= x.next x) (=> (> x 3) (> x 2)))")][..],
                true,
            ),
            (
                &[("implied", "(and (= x.next x) (=> (> x 2) (> x 3)))")],
                false,
            ),
            (
                &[
                    ("low", "(and (< x 5) (= x.next x))"),
                    ("high", "(and (> x 4) (= x.next x))"),
                ],
                true,
            ),
            (
                &[
                    ("low", "(and (< x 5) (= x.next x))"),
                    ("high", "(and (> x 5) (= x.next x))"),
                ],
                false,
            ),
        ] {
            let printed = compile(&stays(transitions));
            assert_eq!(printed.is_some(), is_covered, "{transitions:?}");
        }
    }

    /// A term that its parts share over and over, and that is 100 lines long.
    #[test]
    fn what_is_shared_makes_no_file_without_end() {
        for format in ["coq-readable", "why3"] {
            for (depth, is_written) in [(2, true), (5, false), (6, false), (60, false)] {
                let definitions: String = (0..depth)
                    .map(|i| {
                        format!(
                            "(define-fun d{} () Int (ite (< d{i} {i}) (+ d{i} 1) (- d{i} 2)))",
                            i + 1
                        )
                    })
                    .collect();
                let text = format!(
                    "(declare-fun x () Int)(declare-fun x.next () Int)(define-fun .a () Int (! x :next x.next))
                     (define-fun d0 () Int (+ x 1)) {definitions}
                     (define-fun .i () Bool (! (= x 0) :init true))(define-fun .t () Bool (! (= x.next x) :trans true))
                     (define-fun .p () Bool (! (< d{depth} 7) :invar-property 0))"
                );
                assert!(read_vmt(&text).is_ok());
                let mut sample = Sample::of(Box::leak(text.into_boxed_str()));
                sample.transition("t", "(= x.next x)");
                sample.diagram("main", &[], &[&["(= x 0)"]], &[(0, 0, "t")]);
                sample.claim(0, &["main"]);
                match sample.files(format) {
                    Ok(files) => {
                        let bytes: usize = files.values().map(String::len).sum();
                        assert!(bytes < 200_000, "{format} {depth}: {bytes}");
                        assert!(depth < 60, "{format}");
                    }
                    Err(ExportError::TooLarge { .. }) => assert!(!is_written, "{format} {depth}"),
                    Err(error) => panic!("{error}"),
                }
            }
        }
    }
}
