//! Reports on diagrams whose nodes postpone transitions: which order stands for which, and that nothing they say is called an invariant.

use super::chromium::Browser;
use super::made::certificate;
use super::strange::{assert_inert, hostile_name};
use super::{Example, assert_quiet, opened};
use slabcert_certificates::certificate::Certificate;
use slabcert_certificates::diagram::{Diagram, Edge, Node, Region};
use slabcert_certificates::system::{Property, StateVariable, System, Transition};
use slabcert_certificates::term::{Sort, Term};
use std::path::Path;

fn crossing() -> Example {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/bip/crossing.bip");
    let how = [
        "--engine",
        "predicate",
        "--reduction",
        "simultaneous",
        "--lift",
        "never",
    ];
    Example::of(&model, &[&how[..], &["--property", "deadlock"]].concat())
}

/// Opens the first region that the details name.
fn open_region(browser: &Browser) {
    browser.click(".details .region summary");
    browser.wait_for("document.querySelector('.details .region .label') !== null");
}

#[test]
fn a_reduced_diagram_says_what_it_postpones_and_is_no_invariant() {
    let example = crossing();
    let Some(browser) = opened(&example.report()) else {
        return;
    };
    let text = browser.text(".details");
    assert!(
        text.contains("What the nodes say is no invariant."),
        "{text}"
    );
    assert!(!text.contains("every reachable state is in"), "{text}");
    open_region(&browser);
    let region = browser.text(".details .region");
    assert!(region.contains("Followed: enter."), "{region}");
    assert!(
        region.contains("this order stands for the others"),
        "{region}"
    );
    assert!(
        region.contains(
            "in region `region0` of diagram `main`, `enter` can happen before `announce`"
        ),
        "{region}"
    );
    assert_eq!(
        browser.text("[data-node='1'] text"),
        "1 in region0train at NEARgate at CLOSING"
    );
    browser.click("[data-node='1']");
    let node = browser.text(".details");
    assert!(
        node.contains("What else there is (4 transitions) can as well happen later."),
        "{node}"
    );
    assert!(
        node.contains("node 1 of diagram `main` is in region `region0`"),
        "{node}"
    );
    assert!(
        !node.contains("cannot happen"),
        "what is postponed may be possible: {node}"
    );
    open_region(&browser);
    assert_eq!(browser.text(".details .region"), region);
    browser.click("#tab-overview");
    let overview = browser.text("#panel-overview");
    assert!(
        overview.contains("main (reduced: no invariant)"),
        "{overview}"
    );
    assert!(
        overview.contains("commutation") && !overview.contains("persistence"),
        "{overview}"
    );
    assert_quiet(&browser);
}

#[test]
fn a_node_in_which_transitions_sleep_says_so() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/bip/crossing.bip");
    let how = ["--engine", "predicate", "--reduction", "sleep"];
    let example = Example::of(
        &model,
        &[&how[..], &["--lift", "never", "--property", "deadlock"]].concat(),
    );
    let Some(browser) = opened(&example.report()) else {
        return;
    };
    let text = browser.text(".details");
    assert!(
        text.contains("A transition that sleeps in a node is not followed there"),
        "{text}"
    );
    assert!(!text.contains("postpones all others"), "{text}");
    let titles = "[...document.querySelectorAll('[data-node]')].filter((own) => own.textContent.includes('asleep')).map((own) => own.dataset.node)";
    let asleep = browser.evaluate(titles);
    let node = asleep[0].as_str().unwrap();
    browser.click(&format!("[data-node='{node}']"));
    let node = browser.text(".details");
    assert!(node.contains("This node does not follow"), "{node}");
    open_region(&browser);
    let region = browser.text(".details .region");
    assert!(region.contains("Sleeps:"), "{region}");
    assert!(region.contains("that may happen meanwhile"), "{region}");
    assert!(!region.contains("postponed"), "{region}");
    assert_quiet(&browser);
}

/// A reduced diagram with an obligation of each kind, in which everything that has a name is called by markup.
fn hostile() -> (System, Certificate) {
    let name = hostile_name;
    let variables = [name("a"), name("b")].map(|name| StateVariable::new(&name, Sort::Bool));
    let [a, b] = [0, 1].map(|index: usize| Term::symbol(variables[index].current.clone()));
    let [after_a, after_b] = [0, 1].map(|index: usize| Term::symbol(variables[index].next.clone()));
    let first = Term::and([
        a.clone().not(),
        after_a.clone(),
        after_b.clone().equals(b.clone()),
    ]);
    let second = Term::and([a.clone(), after_b, after_a.equals(a.clone())]);
    let system = System {
        variables: variables.to_vec(),
        transitions: vec![
            Transition::from_relation(name("first"), first, vec![]),
            Transition::from_relation(name("second"), second, vec![]),
        ],
        properties: vec![Property {
            index: 0,
            name: name("property"),
            formula: b.clone().not(),
            position: None,
        }],
        ..System::default()
    };
    let region = |own: &str, key: Option<String>| Region {
        name: name(own),
        label: vec![b.clone().not()],
        stubborn: vec![name("first")],
        key,
        independent: None,
    };
    let node = |id: usize, region: &str| Node {
        id,
        label: vec![a.clone().not()],
        region: Some(name(region)),
        asleep: Vec::new(),
    };
    let mut diagram = Diagram {
        name: name("diagram"),
        assumes: vec![],
        nodes: vec![node(0, "keyed"), node(1, "quiet")],
        edges: vec![Edge {
            from: 0,
            to: 1,
            transitions: vec![name("first")],
        }],
        regions: vec![
            region("keyed", Some(name("first"))),
            region("quiet", None),
            Region {
                independent: Some(vec![name("second")]),
                ..region("sleeping", None)
            },
        ],
    };
    diagram.nodes.push(Node {
        region: None,
        asleep: vec![name("sleeping")],
        ..node(2, "")
    });
    let certificate = certificate(&system, vec![diagram]);
    (system, certificate)
}

#[test]
fn regions_and_keys_whose_names_are_markup_do_nothing() {
    let (system, certificate) = hostile();
    let Some(browser) = assert_inert(&system, &certificate) else {
        return;
    };
    let kinds = browser.evaluate(
        "[...document.querySelectorAll('#panel-obligations option')].map((own) => own.value)",
    );
    for kind in [
        "containment",
        "closure",
        "commutation",
        "quietness",
        "enabledness",
        "persistence",
        "preservation",
    ] {
        assert!(kinds.as_array().unwrap().contains(&kind.into()), "{kind}");
    }
}
