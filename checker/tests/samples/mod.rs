//! Small systems with certificates by hand, and what tests do to them.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::panic,
    reason = "test code, of which each test file uses a part"
)]

use serde_json::{Value as Json, json};
use slabcert_certificates::bundle::{BundleParts, sha256, write_bundle};
use slabcert_certificates::certificate::{Certificate, Claim, Evidence, NamedRelation};
use slabcert_certificates::diagram::{Diagram, Edge, Node};
use slabcert_certificates::smtlib::{Scope, TermReader, read_sexprs};
use slabcert_certificates::system::ValueTable;
use slabcert_certificates::term::Term;
use slabcert_certificates::trace::{Step, Trace, Valuation};
use slabcert_certificates::vmt::read_vmt_in_scope;
use slabcert_checker::{CheckOptions, CheckReport, Watch, check_bundle};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A light that is switched by hand and counts how often; it is never off and one ahead (safe), and it counts beyond 1 (unsafe).
pub const LIGHT: &str = "
(declare-fun on () Bool) (declare-fun on.next () Bool)
(declare-fun |count[1]| () Int) (declare-fun |count[1].next| () Int)
(declare-fun lamp () Int) (declare-fun lamp.next () Int)
(declare-fun hand () Bool)
(define-fun .on () Bool (! on :next on.next))
(define-fun .count () Int (! |count[1]| :next |count[1].next|))
(define-fun .lamp () Int (! lamp :next lamp.next))
(define-fun .init () Bool (! (and (not on) (= |count[1]| 0) (= lamp 0)) :init true))
(define-fun .transition.on () Bool
  (and hand (not on) on.next (= |count[1].next| (+ |count[1]| 1)) (= lamp.next 1)))
(define-fun .transition.off () Bool
  (and (not hand) on (not on.next) (= |count[1].next| |count[1]|) (= lamp.next 0)))
(define-fun .trans () Bool (! (or .transition.on .transition.off) :trans true))
(define-fun .property.low () Bool (! (and (<= 0 |count[1]|) (=> on (< 0 |count[1]|))) :invar-property 0))
(define-fun .property.few () Bool (! (or (< |count[1]| 2) (not hand)) :invar-property 1))
";

/// Mutual exclusion by two requests and a turn (Peterson, with a request in one step). Truth values only, so that everything can be
/// enumerated.
pub const MUTEX: &str = "
(declare-fun want0 () Bool) (declare-fun want0.next () Bool)
(declare-fun want1 () Bool) (declare-fun want1.next () Bool)
(declare-fun turn () Bool) (declare-fun turn.next () Bool)
(declare-fun in0 () Bool) (declare-fun in0.next () Bool)
(declare-fun in1 () Bool) (declare-fun in1.next () Bool)
(define-fun .want0 () Bool (! want0 :next want0.next))
(define-fun .want1 () Bool (! want1 :next want1.next))
(define-fun .turn () Bool (! turn :next turn.next))
(define-fun .in0 () Bool (! in0 :next in0.next))
(define-fun .in1 () Bool (! in1 :next in1.next))
(define-fun .init () Bool (! (and (not want0) (not want1) (not in0) (not in1)) :init true))
(define-fun |.transition.request[0]| () Bool
  (and (not want0) want0.next turn.next (= want1.next want1) (= in0.next in0) (= in1.next in1)))
(define-fun |.transition.request[1]| () Bool
  (and (not want1) want1.next (not turn.next) (= want0.next want0) (= in0.next in0) (= in1.next in1)))
(define-fun |.transition.enter[0]| () Bool
  (and want0 (not in0) (or (not want1) (not turn)) in0.next
       (= want0.next want0) (= want1.next want1) (= turn.next turn) (= in1.next in1)))
(define-fun |.transition.enter[1]| () Bool
  (and want1 (not in1) (or (not want0) turn) in1.next
       (= want0.next want0) (= want1.next want1) (= turn.next turn) (= in0.next in0)))
(define-fun |.transition.leave[0]| () Bool
  (and in0 (not in0.next) (not want0.next) (= want1.next want1) (= turn.next turn) (= in1.next in1)))
(define-fun |.transition.leave[1]| () Bool
  (and in1 (not in1.next) (not want1.next) (= want0.next want0) (= turn.next turn) (= in0.next in0)))
(define-fun .trans () Bool (! (or |.transition.request[0]| |.transition.request[1]| |.transition.enter[0]|
  |.transition.enter[1]| |.transition.leave[0]| |.transition.leave[1]|) :trans true))
(define-fun .property.exclusion () Bool (! (not (and in0 in1)) :invar-property 0))
";

/// A clock that advances by what the environment says, and an alarm that goes when a third has passed. The safe claim needs a lemma.
pub const CLOCK: &str = "
(declare-fun x () Real) (declare-fun x! () Real)
(declare-fun alarm () Bool) (declare-fun alarm! () Bool)
(declare-fun @delay () Real)
(define-fun .x () Real (! x :next x!))
(define-fun .alarm () Bool (! alarm :next alarm!))
(define-fun .init () Bool (! (and (= x 0.0) (not alarm)) :init true))
(define-fun .transition.wait () Bool (and (>= @delay 0.0) (= x! (+ x @delay)) (= alarm! alarm)))
(define-fun .transition.ring () Bool (and (>= x (/ 1.0 3.0)) alarm! (= x! x)))
(define-fun .trans () Bool (! (or .transition.wait .transition.ring) :trans true))
(define-fun .property.late () Bool (! (=> alarm (>= x (/ 1.0 3.0))) :invar-property 0))
";

/// Nodes with labels.
pub type Nodes<'a> = &'a [(usize, &'a [&'a str])];
/// Edges with transitions.
pub type Edges<'a> = &'a [(usize, usize, &'a [&'a str])];

pub fn read_term(scope: &Scope, text: &str) -> Term {
    let expressions = read_sexprs(text).unwrap();
    TermReader::new(scope).read(&expressions[0]).unwrap()
}

pub fn diagram(scope: &Scope, name: &str, nodes: Nodes<'_>, edges: Edges<'_>) -> Diagram {
    Diagram {
        name: name.to_owned(),
        assumes: Vec::new(),
        nodes: nodes
            .iter()
            .map(|(id, label)| {
                Node::new(
                    *id,
                    label.iter().map(|text| read_term(scope, text)).collect(),
                )
            })
            .collect(),
        edges: edges
            .iter()
            .map(|(from, to, names)| Edge {
                from: *from,
                to: *to,
                transitions: names.iter().map(|name| (*name).to_owned()).collect(),
            })
            .collect(),
        regions: Vec::new(),
    }
}

/// A bundle on disk and its certificate as JSON.
pub struct Sample {
    pub folder: tempfile::TempDir,
    pub vmt: String,
    pub json: Json,
}

impl Sample {
    pub fn write(vmt: &str, fill: impl FnOnce(&Scope, &mut Certificate)) -> Sample {
        let (system, scope) = read_vmt_in_scope(vmt).unwrap();
        let mut certificate = Certificate {
            transitions: system
                .transitions
                .iter()
                .map(|transition| NamedRelation::of(transition, &system))
                .collect(),
            ..Certificate::default()
        };
        fill(&scope, &mut certificate);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sample.cert");
        write_bundle(
            &path,
            &BundleParts {
                system: &system,
                program: None,
                system_text: Some(vmt),
                certificate: &certificate,
                model: None,
                statistics: &json!({}),
                drawings: &[],
            },
        )
        .unwrap();
        let json =
            serde_json::from_slice(&fs::read(path.join("certificate.json")).unwrap()).unwrap();
        Sample {
            folder,
            vmt: vmt.to_owned(),
            json,
        }
    }

    /// The light: property 0 safe, property 1 unsafe.
    pub fn light() -> Sample {
        Sample::write(LIGHT, |scope, certificate| {
            certificate.names = BTreeMap::from([(
                "lamp".to_owned(),
                ValueTable {
                    name: "Lamp".into(),
                    values: vec!["dark".into(), "bright".into()],
                },
            )]);
            certificate.diagrams = vec![diagram(
                scope,
                "main",
                &[
                    (0, &["(not on)", "(<= 0 |count[1]|)", "(= lamp 0)"]),
                    (4, &["on", "(< 0 |count[1]|)", "(= lamp 1)"]),
                ],
                &[(0, 4, &["on"]), (4, 0, &["off"])],
            )];
            certificate.claims = vec![
                claim(0, "low", Evidence::Safe(vec!["main".into()])),
                claim(1, "few", Evidence::Unsafe(0)),
            ];
            let step = |name: &str, hand: Option<bool>| Step {
                transition: name.to_owned(),
                inputs: hand
                    .map(|hand| ("hand".to_owned(), hand.into()))
                    .into_iter()
                    .collect(),
            };
            certificate.traces = vec![Trace {
                states: vec![
                    light_state(false, 0),
                    light_state(true, 1),
                    light_state(false, 1),
                    light_state(true, 2),
                ],
                steps: vec![
                    step("on", Some(true)),
                    step("off", None),
                    step("on", Some(true)),
                ],
                final_inputs: BTreeMap::from([("hand".to_owned(), true.into())]),
            }];
        })
    }

    /// Mutual exclusion, with five nodes.
    pub fn mutex() -> Sample {
        Sample::write(MUTEX, |scope, certificate| {
            certificate.diagrams = vec![diagram(
                scope,
                "main",
                &[
                    (0, &["(not in0)", "(not in1)"]),
                    (1, &["in0", "(not in1)", "want0", "(not want1)"]),
                    (2, &["in0", "(not in1)", "want0", "want1", "(not turn)"]),
                    (3, &["in1", "(not in0)", "want1", "(not want0)"]),
                    (4, &["in1", "(not in0)", "want1", "want0", "turn"]),
                ],
                &[
                    (0, 0, &["request[0]", "request[1]"]),
                    (0, 1, &["enter[0]"]),
                    (0, 2, &["enter[0]"]),
                    (0, 3, &["enter[1]"]),
                    (0, 4, &["enter[1]"]),
                    (1, 2, &["request[1]"]),
                    (1, 0, &["leave[0]"]),
                    (2, 0, &["leave[0]"]),
                    (3, 4, &["request[0]"]),
                    (3, 0, &["leave[1]"]),
                    (4, 0, &["leave[1]"]),
                ],
            )];
            certificate.claims = vec![claim(0, "exclusion", Evidence::Safe(vec!["main".into()]))];
        })
    }

    /// The clock: the main diagram assumes a lemma.
    pub fn clock() -> Sample {
        Sample::write(CLOCK, |scope, certificate| {
            let mut main = diagram(
                scope,
                "main",
                &[(0, &["(not alarm)"]), (1, &["alarm", "(>= x (/ 1 3))"])],
                &[
                    (0, 0, &["wait"]),
                    (0, 1, &["ring"]),
                    (1, 1, &["wait", "ring"]),
                ],
            );
            main.assumes = vec!["lemma".into()];
            let lemma = diagram(
                scope,
                "lemma",
                &[(0, &["(>= x 0.0)"])],
                &[(0, 0, &["wait", "ring"])],
            );
            certificate.diagrams = vec![main, lemma];
            certificate.claims = vec![claim(
                0,
                "late",
                Evidence::Safe(vec!["main".into(), "lemma".into()]),
            )];
        })
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("sample.cert")
    }

    /// Puts another certificate in place.
    pub fn put(&self, json: &Json) {
        self.put_text(&json.to_string());
    }

    pub fn put_text(&self, text: &str) {
        fs::write(self.path().join("certificate.json"), text).unwrap();
    }

    /// Puts another system in place, with its hash in the certificate.
    pub fn put_system(&self, vmt: &str) {
        fs::write(self.path().join("system.vmt"), vmt).unwrap();
        let mut json = self.json.clone();
        json["system"]["sha256"] = json!(sha256(vmt.as_bytes()));
        self.put(&json);
    }

    /// A file with the system as it was.
    pub fn original(&self) -> PathBuf {
        let path = self.folder.path().join("original.vmt");
        fs::write(&path, &self.vmt).unwrap();
        path
    }

    pub fn check(&self) -> CheckReport {
        self.check_with(&quick(&["z3"]))
    }

    pub fn check_with(&self, options: &CheckOptions) -> CheckReport {
        check_bundle(&self.path(), options, &Watch::only(&AtomicBool::new(false))).unwrap()
    }
}

pub fn claim(property: usize, name: &str, evidence: Evidence) -> Claim {
    Claim {
        property,
        name: name.to_owned(),
        evidence,
    }
}

pub fn light_state(on: bool, count: i32) -> Valuation {
    BTreeMap::from([
        ("on".to_owned(), on.into()),
        (
            "count[1]".to_owned(),
            num_bigint::BigInt::from(count).into(),
        ),
        (
            "lamp".to_owned(),
            num_bigint::BigInt::from(i32::from(on)).into(),
        ),
    ])
}

/// Options for tests: these solvers, no facts.
pub fn quick(solvers: &[&str]) -> CheckOptions {
    CheckOptions {
        solvers: solvers.iter().map(|name| (*name).to_owned()).collect(),
        timeout: Duration::from_secs(20),
        jobs: 2,
        facts: false,
        ..CheckOptions::default()
    }
}
