//! Small systems with certificates, and the files of an export.

use slabcert_certificates::certificate::{Certificate, Claim, Evidence, NamedRelation};
use slabcert_certificates::diagram::{Diagram, Edge, Node};
use slabcert_certificates::smtlib::{TermReader, read_sexprs};
use slabcert_certificates::system::{System, ValueTable};
use slabcert_certificates::term::Term;
use slabcert_certificates::vmt::read_vmt_in_scope;
use slabcert_exports::{ExportError, by_name};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

/// A lamp that is idle or busy, a count whose input is above zero, and a name that tries to end its comment.
pub const LAMP: &str = r#"
(declare-fun |lamp.location| () Int) (declare-fun |lamp.location.next| () Int)
(declare-fun |x[1] *) Axiom| () Int) (declare-fun x.next () Int)
(declare-fun on () Bool) (declare-fun on.next () Bool)
(declare-fun by () Int)
(define-fun .a () Int (! |lamp.location| :next |lamp.location.next|))
(define-fun .b () Int (! |x[1] *) Axiom| :next x.next))
(define-fun .c () Bool (! on :next on.next))
(define-fun .init () Bool (! (and (= |lamp.location| 0) (not on) (= |x[1] *) Axiom| 0)) :init true))
(define-fun .begin () Bool
  (and (= |lamp.location| 0) (> by 0) (= |lamp.location.next| 1) on.next (= x.next (+ |x[1] *) Axiom| by))))
(define-fun .end () Bool
  (and (= |lamp.location| 1) (= |lamp.location.next| 0) (not on.next) (= x.next (ite on |x[1] *) Axiom| (- 1)))))
(define-fun .trans () Bool (! (or .begin .end) :trans true))
(define-fun .positive () Bool (! (=> on (< 0 |x[1] *) Axiom|)) :invar-property 0))
"#;

/// The labels of the lamp's two nodes.
pub const LAMP_LABELS: [&[&str]; 2] = [
    &[
        "(= |lamp.location| 0)",
        "(not on)",
        "(<= 0 |x[1] *) Axiom|)",
    ],
    &["(= |lamp.location| 1)", "on", "(< 0 |x[1] *) Axiom|)"],
];

/// A clock beside a number of ticks; the relation is not said as a disjunction of the transitions.
pub const CLOCK: &str = "
(declare-fun c () Real) (declare-fun c.next () Real) (declare-fun n () Int) (declare-fun n.next () Int)
(declare-fun d () Real) (declare-fun reset () Bool)
(define-fun .c () Real (! c :next c.next)) (define-fun .n () Int (! n :next n.next))
(define-fun .init () Bool (! (and (= c 0.0) (= n 0)) :init true))
(define-fun .trans () Bool (! (and (< 0.0 d) (ite reset (and (= c.next 0.0) (= n.next 0))
  (and (= c.next (+ c (/ d 2.0))) (= n.next (+ n 1))))) :trans true))
(define-fun .both () Bool (! (and (<= 0.0 c) (not (= n (- 1)))) :invar-property 0))
";

pub struct Sample {
    pub system: System,
    pub certificate: Certificate,
    text: &'static str,
}

impl Sample {
    /// A system without evidence.
    pub fn of(text: &'static str) -> Sample {
        let (system, _) = read_vmt_in_scope(text).unwrap();
        Sample {
            system,
            certificate: Certificate::default(),
            text,
        }
    }

    pub fn term(&self, text: &str) -> Term {
        let (_, scope) = read_vmt_in_scope(self.text).unwrap();
        TermReader::new(&scope)
            .read(&read_sexprs(text).unwrap()[0])
            .unwrap()
    }

    pub fn transition(&mut self, name: &str, relation: &str) {
        let relation = self.term(relation);
        self.certificate.transitions.push(NamedRelation {
            name: name.into(),
            relation,
            inputs: Vec::new(),
            frame: Vec::new(),
        });
    }

    pub fn diagram(
        &mut self,
        name: &str,
        assumes: &[&str],
        labels: &[&[&str]],
        edges: &[(usize, usize, &str)],
    ) {
        let nodes = labels
            .iter()
            .enumerate()
            .map(|(id, label)| Node::new(id, label.iter().map(|text| self.term(text)).collect()))
            .collect();
        let edges = edges
            .iter()
            .map(|(from, to, transition)| Edge {
                from: *from,
                to: *to,
                transitions: vec![(*transition).to_owned()],
            })
            .collect();
        self.certificate.diagrams.push(Diagram {
            name: name.into(),
            assumes: assumes.iter().map(|&name| name.to_owned()).collect(),
            nodes,
            edges,
            regions: Vec::new(),
        });
    }

    pub fn claim(&mut self, property: usize, diagrams: &[&str]) {
        self.certificate.claims.push(Claim {
            property,
            name: self.system.properties[property].name.clone(),
            evidence: Evidence::Safe(diagrams.iter().map(|&name| name.to_owned()).collect()),
        });
    }

    /// The lamp with its diagram.
    pub fn lamp() -> Sample {
        let mut sample = Sample::of(LAMP);
        let trans = sample.system.trans_formula();
        let disjuncts = trans.as_application().unwrap().1.to_vec();
        for (name, relation) in ["begin[1]", "end"].into_iter().zip(disjuncts) {
            sample.certificate.transitions.push(NamedRelation {
                name: name.into(),
                relation,
                inputs: Vec::new(),
                frame: Vec::new(),
            });
        }
        let table = ValueTable {
            name: "location".into(),
            values: vec!["idle".into(), "busy".into()],
        };
        sample.system.variables[0].values = Some(table.clone());
        sample.certificate.names = BTreeMap::from([("lamp.location".to_owned(), table)]);
        sample.diagram(
            "main",
            &[],
            &LAMP_LABELS,
            &[(0, 1, "begin[1]"), (1, 0, "end")],
        );
        sample.claim(0, &["main"]);
        sample
    }

    /// The clock with two diagrams, of which one assumes the other.
    pub fn clock() -> Sample {
        let mut sample = Sample::of(CLOCK);
        sample.transition("reset", "(and (< 0.0 d) reset (= c.next 0.0) (= n.next 0))");
        sample.transition(
            "tick",
            "(and (< 0.0 d) (not reset) (= c.next (+ c (/ d 2.0))) (= n.next (+ n 1)))",
        );
        let edges = [(0, 0, "reset"), (0, 0, "tick")];
        sample.diagram("time", &[], &[&["(<= 0.0 c)"]], &edges);
        let to_all = [
            (0, 0, "reset"),
            (0, 1, "tick"),
            (1, 0, "reset"),
            (1, 1, "tick"),
        ];
        let labels: [&[&str]; 2] = [&["(= n 0)"], &["(<= 1 n)", "(<= 0.0 c)"]];
        sample.diagram("ticks", &["time"], &labels, &to_all);
        sample.claim(0, &["ticks", "time"]);
        sample
    }

    /// The files of a format, by name.
    pub fn files(&self, format: &str) -> Result<BTreeMap<String, String>, ExportError> {
        let format = by_name(format).unwrap();
        let mut files = BTreeMap::new();
        format.write(&self.system, &self.certificate, &mut |name, bytes| {
            files.insert(name.to_owned(), String::from_utf8(bytes.to_vec()).unwrap());
            Ok(())
        })?;
        let names = format.file_names(&self.system, &self.certificate)?;
        assert_eq!(files.keys().cloned().collect::<Vec<_>>(), {
            let mut names = names;
            names.sort();
            names
        });
        Ok(files)
    }

    /// The same, written to a folder.
    pub fn write(&self, format: &str, folder: &Path) {
        for (name, text) in self.files(format).unwrap() {
            std::fs::write(folder.join(name), text).unwrap();
        }
    }
}

/// Whether a program can be started; says so if not.
pub fn is_installed(program: &str) -> bool {
    let started = Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let is_installed = started.is_ok_and(|status| status.success());
    if !is_installed {
        eprintln!("skipped: {program} is not installed");
    }
    is_installed
}
