//! Bundles: what is written reads back; what is not well-formed is refused with its position; nothing half-written is left anywhere.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::too_many_lines,
    reason = "all of it is test code"
)]

use serde_json::{Value as Json, json};
use slabcert_certificates::bundle::{
    Bundle, BundleError, BundleParts, CERTIFICATE_FILE, ModelFile, SystemChoice, WriteError,
    complete_draft, move_bundle, sha256, write_bundle, write_draft,
};
use slabcert_certificates::certificate::{Certificate, Claim, Evidence, NamedRelation, Producer};
use slabcert_certificates::diagram::{Diagram, Edge, Node};
use slabcert_certificates::obligations::obligations;
use slabcert_certificates::smtlib::{TermReader, read_sexprs};
use slabcert_certificates::system::{System, ValueTable};
use slabcert_certificates::term::Term;
use slabcert_certificates::trace::{Step, Trace};
use slabcert_certificates::vmt::read_vmt_in_scope;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A light that is switched by hand and counts how often; the count of the second property is wrong.
const LIGHT: &str = "
(declare-fun on () Bool) (declare-fun on.next () Bool)
(declare-fun |count[1]| () Int) (declare-fun |count[1].next| () Int)
(declare-fun hand () Bool)
(define-fun .on () Bool (! on :next on.next))
(define-fun .count () Int (! |count[1]| :next |count[1].next|))
(define-fun low () Bool (<= 0 |count[1]|))
(define-fun .init () Bool (! (and (not on) (= |count[1]| 0)) :init true))
(define-fun .transition.on () Bool (and hand (not on) on.next (= |count[1].next| (+ |count[1]| 1))))
(define-fun .transition.off () Bool (and (not hand) on (not on.next) (= |count[1].next| |count[1]|)))
(define-fun .trans () Bool (! (or .transition.on .transition.off) :trans true))
(define-fun .property.low () Bool (! low :invar-property 0))
(define-fun .property.none () Bool (! (< |count[1]| 1) :invar-property 1))
";

struct Sample {
    folder: tempfile::TempDir,
    system: System,
    certificate: Certificate,
}

impl Sample {
    fn new() -> Sample {
        let (system, scope) = read_vmt_in_scope(LIGHT).unwrap();
        let term = |text: &str| -> Term {
            TermReader::new(&scope)
                .read(&read_sexprs(text).unwrap()[0])
                .unwrap()
        };
        let edge = |from, to, name: &str| Edge {
            from,
            to,
            transitions: vec![name.to_owned()],
        };
        let state = |on: bool, count: i32| {
            BTreeMap::from([
                ("on".to_owned(), on.into()),
                (
                    "count[1]".to_owned(),
                    num_bigint::BigInt::from(count).into(),
                ),
            ])
        };
        let certificate = Certificate {
            producer: Producer {
                name: "by hand".into(),
                version: "1".into(),
                ..Producer::default()
            },
            assumptions: vec!["nothing".into()],
            names: BTreeMap::from([(
                "count[1]".to_owned(),
                ValueTable {
                    name: "Number".into(),
                    values: vec!["none".into(), "one".into()],
                },
            )]),
            claims: vec![
                Claim {
                    property: 0,
                    name: "low".into(),
                    evidence: Evidence::Safe(vec!["main".into()]),
                },
                Claim {
                    property: 1,
                    name: "none".into(),
                    evidence: Evidence::Unsafe(0),
                },
            ],
            transitions: system
                .transitions
                .iter()
                .map(|transition| NamedRelation::of(transition, &system))
                .collect(),
            diagrams: vec![Diagram {
                name: "main".into(),
                assumes: vec![],
                nodes: vec![
                    Node::new(0, vec![term("(not on)"), term("low")]),
                    Node::new(4, vec![term("on"), term("(< 0 |count[1]|)")]),
                ],
                edges: vec![edge(0, 4, "on"), edge(4, 0, "off")],
                regions: Vec::new(),
            }],
            traces: vec![Trace {
                states: vec![state(false, 0), state(true, 1)],
                steps: vec![Step {
                    transition: "on".into(),
                    inputs: BTreeMap::from([("hand".to_owned(), true.into())]),
                }],
                final_inputs: BTreeMap::new(),
            }],
            ..Certificate::default()
        };
        Sample {
            folder: tempfile::tempdir().unwrap(),
            system,
            certificate,
        }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("light.cert")
    }

    fn write(&self) -> Result<(), WriteError> {
        self.write_to(&self.path())
    }

    fn write_to(&self, path: &Path) -> Result<(), WriteError> {
        self.write_by(write_bundle, path)
    }

    fn write_by(
        &self,
        write: fn(&Path, &BundleParts<'_>) -> Result<(), WriteError>,
        path: &Path,
    ) -> Result<(), WriteError> {
        let mut certificate = self.certificate.clone();
        certificate.source.language = "vmt".into();
        write(
            path,
            &BundleParts {
                system: &self.system,
                program: None,
                system_text: Some(LIGHT),
                certificate: &certificate,
                model: Some(ModelFile {
                    extension: "vmt",
                    bytes: LIGHT.as_bytes(),
                }),
                statistics: &json!({"seconds": 0.5}),
                drawings: &[("diagram.dot".to_owned(), b"digraph {}".to_vec())],
            },
        )
    }

    /// Everything that is in the folder, to see that nothing is left behind.
    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    fn json(&self) -> Json {
        serde_json::from_slice(&fs::read(self.path().join(CERTIFICATE_FILE)).unwrap()).unwrap()
    }

    fn replace_json(&self, text: impl AsRef<[u8]>) {
        fs::write(self.path().join(CERTIFICATE_FILE), text).unwrap();
    }
}

fn listing(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            for (inner, bytes) in listing(&path) {
                found.insert(format!("{name}/{inner}"), bytes);
            }
        } else {
            found.insert(name, fs::read(&path).unwrap());
        }
    }
    found
}

fn location_of(error: BundleError) -> String {
    match error {
        BundleError::NotWellFormed(malformed) => malformed.location,
        other => panic!("another error: {other}"),
    }
}

#[test]
fn what_is_written_reads_back() {
    let sample = Sample::new();
    sample.write().unwrap();
    let bundle = Bundle::read(&sample.path()).unwrap();
    assert_eq!(bundle.certificate.diagrams, sample.certificate.diagrams);
    assert_eq!(bundle.certificate.traces, sample.certificate.traces);
    assert_eq!(bundle.certificate.claims, sample.certificate.claims);
    assert_eq!(
        bundle.certificate.transitions,
        sample.certificate.transitions
    );
    assert_eq!(bundle.certificate.names, sample.certificate.names);
    assert_eq!(bundle.certificate.source.file, "model.vmt");
    let count = &bundle.system.variables[1];
    assert_eq!(
        count.show(&num_bigint::BigInt::from(1).into()),
        "one",
        "the system knows the names of values"
    );
    assert_eq!(sample.names(), ["light.cert"]);
    let names: Vec<String> = listing(&sample.path()).into_keys().collect();
    assert_eq!(
        names,
        [
            "certificate.json",
            "diagram.dot",
            "model.vmt",
            "obligations.smt2",
            "obligations/00000-cover.smt2",
            "obligations/00001-initiation-main.smt2",
            "obligations/00002-consecution-main-0-on.smt2",
            "obligations/00003-consecution-main-0-off.smt2",
            "obligations/00004-consecution-main-4-on.smt2",
            "obligations/00005-consecution-main-4-off.smt2",
            "obligations/00006-safety-0-main-0.smt2",
            "obligations/00007-safety-0-main-4.smt2",
            "statistics.json",
            "system.vmt",
        ]
    );
}

#[test]
fn the_same_certificate_gives_the_same_bytes() {
    let sample = Sample::new();
    sample.write().unwrap();
    let other = sample.folder.path().join("other.cert");
    Sample::new().write_to(&other).unwrap();
    assert_eq!(listing(&sample.path()), listing(&other));
}

#[test]
fn a_draft_becomes_the_bundle_when_it_is_completed() {
    let sample = Sample::new();
    let (whole, draft) = (sample.folder.path().join("whole"), sample.path());
    sample.write_to(&whole).unwrap();
    sample.write_by(write_draft, &draft).unwrap();
    assert!(Bundle::read(&draft).is_ok());
    assert!(
        !listing(&draft)
            .keys()
            .any(|name| name.contains("obligations"))
    );
    let state = |it: &Bundle| obligations(&it.system, &it.certificate);
    complete_draft(&draft, state).unwrap();
    assert_eq!(listing(&draft), listing(&whole));
    // A second time there is nothing to complete, and what is not a bundle has no obligations.
    assert!(complete_draft(&draft, state).is_err());
    assert!(complete_draft(sample.folder.path(), state).is_err());
}

#[test]
fn an_existing_bundle_is_replaced() {
    let mut sample = Sample::new();
    sample.write().unwrap();
    sample.certificate.assumptions = vec!["something else".into()];
    sample.write().unwrap();
    let bundle = Bundle::read(&sample.path()).unwrap();
    assert_eq!(bundle.certificate.assumptions, ["something else"]);
    assert_eq!(sample.names(), ["light.cert"]);
}

#[test]
fn a_finished_bundle_moves_to_its_place_or_stays() {
    let sample = Sample::new();
    let pending = sample.folder.path().join("pending");
    sample.write_to(&pending).unwrap();
    let files = listing(&pending);
    move_bundle(&pending, &sample.path()).unwrap();
    assert_eq!(listing(&sample.path()), files);
    // Once more, over the one that is there.
    sample.write_to(&pending).unwrap();
    move_bundle(&pending, &sample.path()).unwrap();
    assert_eq!(listing(&sample.path()), files);
    assert_eq!(sample.names().len(), 1, "nothing else is left");
    let other = sample.folder.path().join("other");
    fs::create_dir(&other).unwrap();
    let error = move_bundle(&sample.path(), &other).unwrap_err();
    assert!(matches!(error, WriteError::Occupied { .. }), "{error}");
    assert_eq!(listing(&sample.path()), files);
}

#[test]
fn anything_else_at_the_destination_is_left_alone() {
    let sample = Sample::new();
    let path = sample.path();
    fs::write(&path, "a file").unwrap();
    assert!(matches!(sample.write(), Err(WriteError::Occupied { .. })));
    assert_eq!(fs::read(&path).unwrap(), b"a file");
    fs::remove_file(&path).unwrap();

    fs::create_dir(&path).unwrap();
    assert!(matches!(sample.write(), Err(WriteError::Occupied { .. })));
    fs::write(path.join(CERTIFICATE_FILE), "{\"format\": \"another\"}").unwrap();
    assert!(matches!(sample.write(), Err(WriteError::Occupied { .. })));
    fs::remove_dir_all(&path).unwrap();

    sample.write().unwrap();
    fs::write(path.join("notes.txt"), "mine").unwrap();
    let error = sample.write().unwrap_err();
    assert!(error.to_string().contains("notes.txt"), "{error}");
    assert_eq!(fs::read(path.join("notes.txt")).unwrap(), b"mine");
    fs::remove_file(path.join("notes.txt")).unwrap();

    let link = sample.folder.path().join("link.cert");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    assert!(matches!(
        sample.write_to(&link),
        Err(WriteError::Occupied { .. })
    ));
}

#[test]
fn positions_that_do_not_exist_are_refused() {
    let sample = Sample::new();
    let file = sample.folder.path().join("file");
    fs::write(&file, "").unwrap();
    for path in [
        sample.folder.path().join("missing/light.cert"),
        file.join("light.cert"),
    ] {
        assert!(matches!(sample.write_to(&path), Err(WriteError::Io { .. })));
    }
    for path in ["..", "/"] {
        assert!(matches!(
            sample.write_to(Path::new(path)),
            Err(WriteError::NoParent(_))
        ));
    }
    assert_eq!(sample.names(), ["file"]);
}

#[test]
fn parts_that_do_not_fit_together_are_not_written() {
    let mut sample = Sample::new();
    sample.certificate.diagrams[0].edges[0].to = 7;
    let error = sample.write().unwrap_err();
    assert!(
        error.to_string().contains("diagrams[0].edges[0].to"),
        "{error}"
    );
    assert!(sample.names().is_empty());
}

/// Runs one test of this file again in a shell that limits the size of files, as a full disk would.
#[test]
fn a_full_disk_leaves_nothing_behind() {
    const MARK: &str = "SLABCERT_TEST_FULL_DISK";
    if let Some(folder) = std::env::var_os(MARK) {
        let error = Sample::new()
            .write_to(&Path::new(&folder).join("light.cert"))
            .unwrap_err();
        assert!(matches!(error, WriteError::Io { .. }), "{error}");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let status = std::process::Command::new("sh")
        .arg("-c")
        .arg("trap '' XFSZ; ulimit -f 1; exec \"$0\" --exact a_full_disk_leaves_nothing_behind")
        .arg(std::env::current_exe().unwrap())
        .env(MARK, folder.path())
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.success(), "the limited run failed");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn written_certificates_satisfy_the_schema() {
    let schema: Json =
        serde_json::from_str(include_str!("../schema/certificate.schema.json")).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let sample = Sample::new();
    sample.write().unwrap();
    let json = sample.json();
    if let Err(error) = schema.validate(&json) {
        panic!("{}: {error}", error.instance_path());
    }
    for (pointer, value) in [
        ("/claims/0/diagrams", json!([])),
        ("/claims/0/verdict", json!("perhaps")),
        ("/claims/0/verdict", json!("unsafe")),
        ("/traces/0/states/0/on", json!(true)),
        ("/traces/0/states/0/count[1]", json!("0.5")),
        ("/diagrams/0/nodes/0/id", json!(-1)),
        ("/diagrams/0/nodes/0/label", json!("on")),
        ("/system/file", json!("/etc/passwd")),
        ("/version", json!(2)),
    ] {
        let mut other = json.clone();
        *other.pointer_mut(pointer).unwrap() = value;
        assert!(!schema.is_valid(&other), "{pointer}");
    }
    for pointer in ["", "/claims/0", "/claims/1", "/diagrams/0/edges/0"] {
        let mut other = json.clone();
        other.pointer_mut(pointer).unwrap()["more"] = json!(1);
        assert!(!schema.is_valid(&other), "{pointer}");
    }
}

#[test]
fn the_schema_tells_the_version_by_what_diagrams_leave_out() {
    let schema: Json =
        serde_json::from_str(include_str!("../schema/certificate.schema.json")).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let sample = Sample::new();
    sample.write().unwrap();
    let whole = sample.json();
    let mut reduced = whole.clone();
    reduced["diagrams"][0]["regions"] = json!([{ "name": "region", "label": [], "stubborn": [] }]);
    reduced["diagrams"][0]["nodes"][0]["region"] = json!("region");
    let mut asleep = reduced.clone();
    let region = json!({ "name": "asleep", "label": [], "stubborn": ["on"], "independent": [] });
    let regions = asleep["diagrams"][0]["regions"].as_array_mut().unwrap();
    regions.push(region);
    asleep["diagrams"][0]["nodes"][0]["asleep"] = json!(["asleep"]);
    for (json, own) in [(whole, 1), (reduced, 2), (asleep, 3)] {
        for version in 1..=4 {
            let mut other = json.clone();
            other["version"] = json!(version);
            assert_eq!(schema.is_valid(&other), version == own, "{own}: {version}");
        }
    }
}

#[test]
fn an_absent_or_broken_certificate_is_told_from_an_ill_formed_one() {
    let sample = Sample::new();
    assert!(matches!(
        Bundle::read(&sample.path()),
        Err(BundleError::Unreadable { .. })
    ));
    sample.write().unwrap();
    let good = sample.json().to_string();
    for text in [
        "".to_owned(),
        "{".to_owned(),
        "not json".to_owned(),
        good[..good.len() - 1].to_owned(),
        good.replace("\"main\"", "main"),
        format!("{good} {good}"),
        format!("{{\"unknown\": 1, {}", &good[1..good.len() - 1]),
    ] {
        sample.replace_json(&text);
        assert!(
            matches!(
                Bundle::read(&sample.path()),
                Err(BundleError::NotJson { .. })
            ),
            "{text}"
        );
    }
    sample.replace_json(b"\"\xff\"");
    assert!(matches!(
        Bundle::read(&sample.path()),
        Err(BundleError::NotJson { .. })
    ));
    for (text, location) in [
        ("[]", "format"),
        ("{}", "format"),
        ("{\"format\": \"other\"}", "format"),
        (
            "{\"format\": \"slabcert-certificate\", \"version\": 2}",
            "version",
        ),
        (
            "{\"format\": \"slabcert-certificate\", \"version\": 1}",
            "certificate.json",
        ),
    ] {
        sample.replace_json(text);
        let found = location_of(Bundle::read(&sample.path()).unwrap_err());
        assert!(
            found == location || found == "certificate.json",
            "{text}: {found}"
        );
    }
    fs::remove_file(sample.path().join(CERTIFICATE_FILE)).unwrap();
    fs::create_dir(sample.path().join(CERTIFICATE_FILE)).unwrap();
    assert!(matches!(
        Bundle::read(&sample.path()),
        Err(BundleError::Unreadable { .. })
    ));
}

#[test]
fn what_is_not_well_formed_is_refused_with_its_position() {
    let sample = Sample::new();
    sample.write().unwrap();
    let good = sample.json();
    let label = "/diagrams/0/nodes/1/label/1";
    let relation = "/transitions/1/relation";
    let deep = "(not ".repeat(20_000) + "on" + &")".repeat(20_000);
    let digits = format!("(= |count[1]| {})", "9".repeat(200_000));
    for (pointer, value, location) in [
        (label, json!("on on"), "diagrams[0].nodes[1].label[1]"),
        (label, json!(""), "diagrams[0].nodes[1].label[1]"),
        (label, json!("(not on"), "diagrams[0].nodes[1].label[1]"),
        (label, json!("hand"), "diagrams[0].nodes[1].label[1]"),
        (label, json!("on.next"), "diagrams[0].nodes[1].label[1]"),
        (
            label,
            json!(".transition.on"),
            "diagrams[0].nodes[1].label[1]",
        ),
        (label, json!("unheard"), "diagrams[0].nodes[1].label[1]"),
        (label, json!("|count[1]|"), "diagrams[0].nodes[1].label[1]"),
        (label, json!("(= on 1)"), "diagrams[0].nodes[1].label[1]"),
        (
            label,
            json!("(! on :named a)"),
            "diagrams[0].nodes[1].label[1]",
        ),
        (
            label,
            json!("(exists ((z Int)) (< z 0))"),
            "diagrams[0].nodes[1].label[1]",
        ),
        (label, json!(deep), "diagrams[0].nodes[1].label[1]"),
        (label, json!(digits), "diagrams[0].nodes[1].label[1]"),
        (label, json!(3), "diagrams[0].nodes[1].label[1]"),
        (relation, json!("unheard"), "transitions[1].relation"),
        (relation, json!("true true"), "transitions[1].relation"),
        ("/transitions/1/name", json!("on"), "transitions[1].name"),
        (
            "/transitions/0/inputs/0",
            json!("on"),
            "transitions[0].inputs[0]",
        ),
        (
            "/diagrams/0/nodes/1/id",
            json!(0),
            "diagrams[0].nodes[1].id",
        ),
        (
            "/diagrams/0/nodes/1/id",
            json!(1e99),
            "diagrams[0].nodes[1].id",
        ),
        (
            "/diagrams/0/assumes",
            json!(["other"]),
            "diagrams[0].assumes[0]",
        ),
        (
            "/diagrams/0/edges/0/to",
            json!(7),
            "diagrams[0].edges[0].to",
        ),
        (
            "/diagrams/0/edges/1/from",
            json!(7),
            "diagrams[0].edges[1].from",
        ),
        (
            "/diagrams/0/edges/1/transitions/0",
            json!("up"),
            "diagrams[0].edges[1].transitions[0]",
        ),
        ("/diagrams", json!([]), "claims[0].diagrams[0]"),
        ("/claims/0/diagrams", json!([]), "claims[0].diagrams"),
        ("/claims/0/diagrams", json!(null), "claims[0].diagrams"),
        ("/claims/0/verdict", json!("unknown"), "claims[0].diagrams"),
        ("/claims/0/property", json!(9), "claims[0].property"),
        ("/claims/0/property", json!(1), "claims[1].property"),
        ("/claims/1/trace", json!(1), "claims[1].trace"),
        ("/claims/1/trace", json!(null), "claims[1].trace"),
        ("/traces/0/steps", json!([]), "traces[0].states"),
        ("/traces/0/states", json!([]), "traces[0].states"),
        (
            "/traces/0/steps/0/transition",
            json!("up"),
            "traces[0].steps[0].transition",
        ),
        (
            "/traces/0/steps/0/inputs",
            json!({"on": "true"}),
            "traces[0].steps[0].inputs.on",
        ),
        (
            "/traces/0/states/1/on",
            json!("1"),
            "traces[0].states[1].on",
        ),
        (
            "/traces/0/states/1/count[1]",
            json!("1/2"),
            "traces[0].states[1].count[1]",
        ),
        (
            "/traces/0/states/1",
            json!({"on": "true"}),
            "traces[0].states[1]",
        ),
        (
            "/names",
            json!({"on": {"name": "n", "values": []}}),
            "names.on",
        ),
        ("/system/file", json!("../system.vmt"), "system.file"),
        ("/system/sha256", json!("00"), "system.sha256"),
        ("/source/file", json!("model./../../x"), "source.file"),
        ("/source/file", json!("model.other"), "model.other"),
        ("/source/sha256", json!("00"), "source.sha256"),
    ] {
        let mut forged = good.clone();
        *forged
            .pointer_mut(pointer)
            .unwrap_or_else(|| panic!("no {pointer}")) = value.clone();
        sample.replace_json(forged.to_string());
        let mut shown = value.to_string();
        shown.truncate(60);
        match Bundle::read(&sample.path()) {
            Ok(_) => panic!("{pointer} = {shown} was accepted"),
            Err(error) => assert_eq!(location_of(error), location, "{pointer} = {shown}"),
        }
    }
}

#[test]
fn keys_that_are_unknown_or_occur_twice_are_refused_with_their_position() {
    let sample = Sample::new();
    sample.write().unwrap();
    let good = sample.json().to_string();
    for (from, to, location) in [
        ("\"claims\":", "\"more\":1,\"claims\":", "more"),
        ("\"claims\":", "\"claims\":[],\"claims\":", "claims"),
        (
            "\"verdict\":\"safe\"",
            "\"verdict\":\"safe\",\"verdict\":\"safe\"",
            "claims[0].verdict",
        ),
        (
            "\"hand\":\"true\"",
            "\"hand\":\"true\",\"hand\":\"true\"",
            "traces[0].steps[0].inputs.hand",
        ),
        (
            "\"on\":\"false\"",
            "\"on\":\"false\",\"on\":\"true\"",
            "traces[0].states[0].on",
        ),
        ("\"id\":0", "\"id\":0,\"id\":0", "diagrams[0].nodes[0].id"),
    ] {
        assert!(good.contains(from), "{from}");
        sample.replace_json(good.replacen(from, to, 1));
        let found = location_of(Bundle::read(&sample.path()).unwrap_err());
        // Where a key is to blame, the position is the key or the object that has it.
        assert!(
            location.starts_with(&found) || found == "certificate.json",
            "{to}: {found}"
        );
    }
}

#[test]
fn certificates_that_amount_to_too_much_are_refused() {
    let sample = Sample::new();
    sample.write().unwrap();
    let mut bomb = sample.json();
    let nodes: Vec<Json> = (0..2_000)
        .map(|id| json!({"id": id, "label": []}))
        .collect();
    let transitions: Vec<Json> = (0..2_000)
        .map(|number| json!({"name": number.to_string(), "relation": "true"}))
        .collect();
    bomb["diagrams"][0]["nodes"] = json!(nodes);
    bomb["diagrams"][0]["edges"] = json!([]);
    bomb["traces"][0] = json!({"states": [], "steps": []});
    bomb["transitions"] = json!(transitions);
    bomb["traces"] = json!([]);
    bomb["claims"] = json!([]);
    sample.replace_json(bomb.to_string());
    assert_eq!(
        location_of(Bundle::read(&sample.path()).unwrap_err()),
        "certificate.json"
    );
    let nested = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
    sample.replace_json(format!(
        "{{\"format\":\"slabcert-certificate\",\"version\":1,\"claims\":{nested}}}"
    ));
    assert!(Bundle::read(&sample.path()).is_err());
}

#[test]
fn terms_that_double_with_each_let_are_read_in_no_time() {
    let sample = Sample::new();
    sample.write().unwrap();
    let mut bomb = sample.json();
    let mut label = "(and on on)".to_owned();
    for _ in 0..100 {
        label = format!("(let ((z {label})) (and z z))");
    }
    bomb["diagrams"][0]["nodes"][1]["label"] = json!([label, format!("(and {label} true)")]);
    sample.replace_json(bomb.to_string());
    assert!(Bundle::read(&sample.path()).is_ok());
}

#[test]
fn the_system_of_ones_choice_takes_the_place_of_the_recorded_one() {
    let sample = Sample::new();
    sample.write().unwrap();
    let other = sample.folder.path().join("other.vmt");
    fs::write(
        &other,
        LIGHT.replace("(<= 0 |count[1]|)", "(<= 1 |count[1]|)"),
    )
    .unwrap();
    let bundle = Bundle::read_against(&sample.path(), SystemChoice::File(&other)).unwrap();
    assert_eq!(
        bundle.system.properties[0].formula.to_string(),
        "(<= 1 |count[1]|)"
    );
    assert_eq!(bundle.system_file, other);
    assert_eq!(bundle.system_sha256, sha256(&fs::read(&other).unwrap()));
    // Names of another system do not resolve.
    fs::write(&other, LIGHT.replace("hand", "foot")).unwrap();
    let error = Bundle::read_against(&sample.path(), SystemChoice::File(&other)).unwrap_err();
    assert_eq!(location_of(error), "transitions[0].inputs[0]");
    fs::write(&other, "(declare-fun").unwrap();
    assert!(matches!(
        Bundle::read_against(&sample.path(), SystemChoice::File(&other)),
        Err(BundleError::System { .. })
    ));
    // The bundle's own system is part of the bundle: without it, or with another, the bundle is ill-formed.
    fs::write(sample.path().join("system.vmt"), "(declare-fun").unwrap();
    assert_eq!(
        location_of(Bundle::read(&sample.path()).unwrap_err()),
        "system.sha256"
    );
    fs::remove_file(sample.path().join("system.vmt")).unwrap();
    assert_eq!(
        location_of(Bundle::read(&sample.path()).unwrap_err()),
        "system.vmt"
    );
}

/// A few characters changed anywhere: whatever comes of it, reading ends with a bundle or a reason.
#[test]
fn no_edit_takes_the_reader_down() {
    use proptest::prelude::{Strategy, any};
    use proptest::sample::{Index, select};
    const PIECES: [&str; 40] = [
        "",
        "0",
        "1",
        "-",
        "\"",
        "\\",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "(",
        ")",
        "|",
        " ",
        "!",
        "#b0",
        "?0",
        "on",
        "hand",
        "let ",
        "(let ((on on)) on)",
        "null",
        "true",
        "1e400",
        "99999999999999999999",
        "\\u0000",
        "\\ud800",
        "\u{e9}",
        ";",
        "\n",
        "not ",
        "(",
        "(- 1)",
        "/",
        "1/0",
        "as",
        "_",
        "main",
    ];
    let sample = Sample::new();
    sample.write().unwrap();
    let good: Vec<char> = sample.json().to_string().chars().collect();
    let edits =
        proptest::collection::vec((any::<Index>(), select(&PIECES[..])), 1..4).prop_map(|edits| {
            let mut text = good.clone();
            for (index, piece) in edits {
                let index = index.index(text.len());
                text.splice(index..=index, piece.chars());
            }
            text.into_iter().collect::<String>()
        });
    let config = proptest::test_runner::Config {
        failure_persistence: None,
        cases: 500,
        ..Default::default()
    };
    proptest::test_runner::TestRunner::new(config)
        .run(&edits, |text| {
            sample.replace_json(text);
            let _ = Bundle::read(&sample.path());
            Ok(())
        })
        .unwrap();
}
