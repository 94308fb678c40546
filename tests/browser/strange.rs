//! Reports that are large, empty, or made by somebody who means harm.

use super::made::{certificate, large, lemmas, processes, report};
use super::{Browser, assert_quiet, count, opened};
use serde_json::json;
use slabcert_certificates::certificate::{Certificate, Claim, Evidence, Producer, Source};
use slabcert_certificates::diagram::{Diagram, Edge, Node};
use slabcert_certificates::system::{StateVariable, System, Transition};
use slabcert_certificates::term::{Sort, Term, Value};
use slabcert_certificates::trace::{Step, Trace};

#[test]
fn a_diagram_of_two_thousand_nodes_loads_and_reacts() {
    let (system, certificate) = large(2_000);
    let begun = std::time::Instant::now();
    let (_folder, path) = report(&system, &certificate);
    println!("written in {:?}", begun.elapsed());
    let Some(browser) = super::Browser::start() else {
        return;
    };
    browser.resize(1280, 800);
    println!("loaded in {:?}", browser.open(&path));
    let clusters = count(&browser, ".cluster");
    assert!((20..=150).contains(&clusters), "{clusters}");
    let begun = std::time::Instant::now();
    browser.click(".cluster");
    assert_eq!(count(&browser, ".cluster.open"), 1);
    println!("a cluster opened in {:?}", begun.elapsed());
    browser.click("#search");
    browser.type_text("main 1999:");
    browser.press("Enter");
    assert!(browser.text(".details h2").starts_with("Node 1999"));
    assert_eq!(count(&browser, ".node.selected"), 1);
    let begun = std::time::Instant::now();
    browser.evaluate("[...document.querySelectorAll('.tools button')].find((own) => own.textContent === 'Open all').click()");
    assert_eq!(count(&browser, ".node"), 2_000);
    println!("all clusters opened in {:?}", begun.elapsed());
    browser.evaluate("[...document.querySelectorAll('[role=tab]')].find((own) => own.id === 'tab-obligations').click()");
    assert_eq!(count(&browser, "#panel-obligations .obligation"), 100);
    assert_quiet(&browser);
}

#[test]
fn five_hundred_lemmas_are_a_list() {
    let (system, certificate) = lemmas(500);
    let (_folder, path) = report(&system, &certificate);
    let Some(browser) = opened(&path) else {
        return;
    };
    assert_eq!(browser.text("[role=tab][aria-selected=true]"), "Lemmas500");
    assert_eq!(count(&browser, "[role=tab]"), 4, "no tab for each lemma");
    assert_eq!(count(&browser, ".lemmas .list tbody tr"), 100);
    browser.click(".lemmas .list tbody tr:nth-child(7) th button");
    assert!(browser.text(".lemmas .details h2").contains("lemma[7]"));
    browser.click(".lemmas .details .obligation summary");
    browser.wait_for("document.querySelector('.lemmas .details .smtlib') !== null");
    let text = browser.text(".lemmas .details .smtlib");
    assert!(
        text.contains("(assert (not (and "),
        "the others are assumed"
    );
    browser.click("#search");
    browser.type_text("lemma[321]");
    browser.press("Enter");
    assert!(browser.text(".lemmas .details h2").contains("lemma[321]"));
    assert!(
        browser
            .text(".lemmas .list tr.selected")
            .contains("lemma[321]")
    );
    assert_quiet(&browser);
}

#[test]
fn nothing_claimed_and_nothing_known_look_sensible() {
    let mut system = processes();
    let empty = Certificate::default();
    let mut unknown = certificate(&system, vec![]);
    unknown.claims[0].evidence = Evidence::Unknown("out of time".into());
    for (certificate, words) in [
        (&empty, "nothing is claimed"),
        (&unknown, "nothing is claimed: out of time"),
    ] {
        let (_folder, path) = report(&system, certificate);
        let Some(browser) = opened(&path) else {
            return;
        };
        assert_eq!(browser.text("[role=tab][aria-selected=true]"), "Overview");
        let text = browser.text("#panel-overview");
        assert!(text.contains(words), "{text}");
        assert_eq!(browser.text("header .badge"), "unknown");
        assert_quiet(&browser);
    }
    system.properties.clear();
    let (_folder, path) = report(&system, &empty);
    let Some(browser) = opened(&path) else {
        return;
    };
    assert!(
        browser
            .text("#panel-overview")
            .contains("has no properties")
    );
    assert_quiet(&browser);
}

/// Markup that would be noticed if it were one.
const MARKUP: &str = "</script><script>window.harmed=1</script><img src=x onerror='window.harmed=1'>\"'`${window.harmed=1}\u{2028}";

/// A name with that markup.
pub fn hostile_name(kind: &str) -> String {
    format!("{kind}{MARKUP}")
}

/// A certificate in which everything that has a name is called by that markup.
fn hostile() -> (System, Certificate) {
    let name = hostile_name;
    let mut system = processes();
    system.name = name("system");
    system.properties[0].name = name("property");
    let x = StateVariable::new(&name("x"), Sort::Int);
    let is_low = Term::symbol(x.current.clone()).less_or_equal(Term::int(3));
    system.variables.push(x);
    for variable in &mut system.variables {
        if let Some(table) = &mut variable.values {
            table.values[0] = name("location");
        }
    }
    let transition = Transition::from_relation(name("transition"), is_low.clone(), vec![]);
    system.transitions.push(transition);
    let diagram = Diagram {
        name: name("diagram"),
        assumes: vec![],
        nodes: vec![Node::new(0, vec![is_low])],
        edges: vec![Edge {
            from: 0,
            to: 0,
            transitions: vec![name("transition")],
        }],
        regions: Vec::new(),
    };
    let mut certificate = certificate(&system, vec![diagram]);
    let state = || {
        system
            .variables
            .iter()
            .map(|it| (it.name().to_owned(), Value::Int(0.into())))
            .collect()
    };
    certificate.traces.push(Trace {
        states: vec![state(), state()],
        steps: vec![Step {
            transition: name("transition"),
            inputs: [(name("input"), Value::Int(1.into()))].into(),
        }],
        final_inputs: [(name("input"), Value::Int(1.into()))].into(),
    });
    certificate.claims.push(Claim {
        property: 0,
        name: name("claim"),
        evidence: Evidence::Unknown(name("reason")),
    });
    certificate.assumptions.push(name("assumption"));
    certificate.producer = Producer {
        name: name("producer"),
        version: name("version"),
        engine: name("engine"),
        ..Producer::default()
    };
    certificate.source = Source {
        file: name("file"),
        language: name("language"),
        constants: [(name("constant"), name("value"))].into(),
        ..Source::default()
    };
    (system, certificate)
}

/// Opens everything on the report of a certificate in whose names there is markup, and searches for it; gives the browser, if there is one.
pub fn assert_inert(system: &System, certificate: &Certificate) -> Option<Browser> {
    let (_folder, path) = report(system, certificate);
    let browser = opened(&path)?;
    let tabs =
        browser.evaluate("[...document.querySelectorAll('[role=tab]')].map((tab) => tab.id)");
    // What is opened may have something to open.
    for _ in 0..3 {
        for tab in tabs.as_array().unwrap() {
            browser.evaluate(&format!("document.getElementById({tab}).click()"));
            browser.evaluate("for (const own of document.querySelectorAll('details')) { own.open = true; own.dispatchEvent(new Event('toggle')); }");
        }
    }
    browser.evaluate("[...document.querySelectorAll('[role=tab]')].find((tab) => tab.id.startsWith('tab-diagram')).click()");
    browser.click("[data-node='0']");
    browser.click("#search");
    browser.type_text("img");
    assert!(browser.text("#results").contains("<img src=x"));
    assert!(browser.text(".details").contains("<img src=x"));
    let harm =
        browser.evaluate("[window.harmed ?? 0, document.images.length, document.scripts.length]");
    assert_eq!(harm, json!([0, 0, 2]));
    assert_quiet(&browser);
    Some(browser)
}

#[test]
fn names_that_are_markup_are_shown_and_do_nothing() {
    let (system, certificate) = hostile();
    assert_inert(&system, &certificate);
}
