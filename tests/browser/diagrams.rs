//! Diagrams: nodes, edges, missing edges, filters, colours, keyboard.

use super::{Browser, Example, assert_quiet, choose, count, opened};
use serde_json::{Value, json};
use std::fs;

/// The text that is shown for an obligation, and that of its file.
fn shown_and_kept(browser: &Browser, example: &Example) -> (String, String) {
    // A row is filled when the browser says that it is open.
    browser.wait_for("document.querySelector('.details .obligation[open] .smtlib') !== null");
    let shown = browser.text(".details .obligation[open] .smtlib");
    let number = browser
        .evaluate("Number(document.querySelector('.details .obligation[open]').dataset.number)");
    let prefix = format!("{:05}-", number.as_u64().unwrap());
    let file = fs::read_dir(example.bundle.join("obligations"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| {
            path.file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with(&prefix))
        })
        .unwrap();
    (shown, fs::read_to_string(file).unwrap())
}

#[test]
fn in_the_deque_a_node_is_clicked_and_its_obligation_read() {
    let example = Example::deque();
    let Some(browser) = opened(&example.report()) else {
        return;
    };
    // A page that anybody may have made does not say a verdict, it repeats a claim.
    assert_eq!(browser.text("header .badge"), "claimed safe");
    browser.click("[data-node='2']");
    assert!(browser.text(".details h2").starts_with("Node 2"));
    assert!(browser.text(".details .label").contains("x["));
    browser.click(".details .obligation summary");
    let (shown, kept) = shown_and_kept(&browser, &example);
    assert_eq!(shown, kept);
    let chips = browser.text(".details .obligation .chips");
    assert!(chips.contains("z3") && chips.contains("builtin"), "{chips}");
    assert_quiet(&browser);
}

#[test]
fn in_fischer_a_node_inside_a_cluster_is_found_and_its_obligation_read() {
    let example = Example::fischer();
    let Some(browser) = opened(&example.report()) else {
        return;
    };
    let clusters = count(&browser, ".cluster");
    assert!(clusters > 5, "{clusters}");
    let closed = count(&browser, ".node");
    browser.click("[aria-label='show the whole diagram']");
    browser.click(".cluster");
    assert_eq!(count(&browser, ".cluster.open"), 1);
    assert!(count(&browser, ".node") > closed);
    browser.click(".cluster.open ~ .node, .node");
    assert!(browser.text(".details h2").starts_with("Node "));
    browser.click(".details .obligation summary");
    let (shown, kept) = shown_and_kept(&browser, &example);
    assert_eq!(shown, kept);
    assert_quiet(&browser);
}

/// The indices of two nodes of the first diagram between which there is no edge.
fn missing_edge(example: &Example) -> (usize, usize) {
    let text = fs::read_to_string(example.bundle.join("certificate.json")).unwrap();
    let certificate: Value = serde_json::from_str(&text).unwrap();
    let diagram = &certificate["diagrams"][0];
    let nodes = diagram["nodes"].as_array().unwrap();
    let edges = diagram["edges"].as_array().unwrap();
    let has_edge = |from: usize, to: usize| {
        let (from, to) = (&nodes[from]["id"], &nodes[to]["id"]);
        edges
            .iter()
            .any(|edge| edge["from"] == *from && edge["to"] == *to)
    };
    (0..nodes.len())
        .flat_map(|from| (0..nodes.len()).map(move |to| (from, to)))
        .find(|&(from, to)| from != to && !has_edge(from, to))
        .unwrap()
}

#[test]
fn a_missing_edge_is_explained_by_the_obligation_that_forbids_it() {
    for example in [Example::deque(), Example::fischer()] {
        let Some(browser) = opened(&example.report()) else {
            return;
        };
        let (from, to) = missing_edge(&example);
        browser.evaluate("[...document.querySelectorAll('.tools button')].find((own) => own.textContent === 'Why no edge?').click()");
        assert!(
            browser
                .text(".details h2")
                .starts_with("Why is there no edge")
        );
        choose(&browser, "node from", &from.to_string());
        choose(&browser, "node to", &to.to_string());
        assert_eq!(browser.text(".details h2"), "Why there is no edge");
        let text = browser.text(".details");
        assert!(
            text.contains("Leads elsewhere") || text.contains("Cannot happen"),
            "{text}"
        );
        assert!(!text.contains("There is an edge"), "{text}");
        browser.click(".details .obligation summary");
        let (shown, kept) = shown_and_kept(&browser, &example);
        assert_eq!(shown, kept);
        assert!(shown.contains("; consecution: "), "{shown}");
        assert_quiet(&browser);
    }
}

#[test]
fn filters_leave_the_edges_of_a_process_or_of_a_transition() {
    let example = Example::fischer();
    let Some(browser) = opened(&example.report()) else {
        return;
    };
    let (all, none) = (count(&browser, ".edge"), count(&browser, ".edge.dim"));
    assert_eq!(none, 0);
    choose(&browser, "filter by process", "1");
    let dim = count(&browser, ".edge.dim");
    assert!(dim > 0 && dim < all, "{dim} of {all}");
    browser.click("[data-node='0']");
    let rows = browser.text(".details");
    assert!(
        rows.contains("P[2].idle_request") && !rows.contains("P[1].idle_request"),
        "{rows}"
    );
    choose(&browser, "filter by process", "");
    assert_eq!(count(&browser, ".edge.dim"), 0);
    choose(&browser, "filter by transition", "0");
    assert!(count(&browser, ".edge.dim") > dim);
    assert_quiet(&browser);
}

#[test]
fn colours_follow_the_system_and_the_button() {
    let example = Example::deque();
    let Some(browser) = opened(&example.report()) else {
        return;
    };
    let background = || browser.evaluate("getComputedStyle(document.body).backgroundColor");
    let light = background();
    browser.click("#theme");
    let dark = background();
    assert_ne!(light, dark);
    browser.click("#theme");
    assert_eq!(background(), light);
    let feature = json!([{ "name": "prefers-color-scheme", "value": "dark" }]);
    browser.call("Emulation.setEmulatedMedia", json!({ "features": feature }));
    assert_eq!(background(), light, "what was chosen stays");
    browser.open(&example.report());
    assert_eq!(background(), dark, "the system's choice");
    assert_quiet(&browser);
}

/// What has the focus: its role and its label or text.
fn focused(browser: &Browser) -> String {
    let text = browser.evaluate(
        "(() => {
            const own = document.activeElement;
            return `${own.getAttribute('role') ?? own.tagName.toLowerCase()} ${own.getAttribute('aria-label') ?? own.textContent}`;
        })()",
    );
    text.as_str().unwrap().to_owned()
}

/// Presses Tab until what has the focus begins with some words.
fn tab_to(browser: &Browser, words: &str) {
    let mut seen = Vec::new();
    for _ in 0..60 {
        browser.press("Tab");
        let now = focused(browser);
        if now.starts_with(words) {
            return;
        }
        seen.push(now);
    }
    panic!("{words} is not reached: {seen:#?}");
}

#[test]
fn the_keyboard_alone_reads_an_obligation_and_asks_about_an_edge() {
    let example = Example::deque();
    let Some(browser) = opened(&example.report()) else {
        return;
    };
    tab_to(&browser, "tab main");
    browser.press("ArrowLeft");
    assert!(focused(&browser).starts_with("tab Overview"));
    browser.press("ArrowRight");
    tab_to(&browser, "button node 0");
    let is_ringed = browser.evaluate("document.activeElement.matches(':focus-visible')");
    assert_eq!(is_ringed, json!(true), "the focus can be seen");
    browser.press("ArrowDown");
    let below = focused(&browser);
    assert!(
        below.starts_with("button node") && !below.starts_with("button node 0"),
        "{below}"
    );
    browser.press("Enter");
    let heading = browser.text(".details h2");
    assert!(below.contains(&heading.replace("Node ", "node ").replace(" of main", "")));
    tab_to(&browser, "summary");
    browser.press("Enter");
    let (shown, kept) = shown_and_kept(&browser, &example);
    assert_eq!(shown, kept);
    browser.press("Escape");
    assert_eq!(focused(&browser), below, "back in the diagram");
    browser.press("w");
    assert_eq!(browser.text(".details h2"), "Why is there no edge?");
    browser.press("ArrowUp");
    browser.press("Enter");
    let text = browser.text(".details");
    assert!(
        text.contains("cannot happen") || text.contains("ends in"),
        "{text}"
    );
    browser.press("Escape");
    browser.press("Escape");
    assert!(browser.text(".details h2").starts_with("Diagram main"));
    browser.press("/");
    assert!(focused(&browser).starts_with("combobox search"));
    browser.type_text("toggle[3]");
    browser.press("Enter");
    assert_eq!(browser.text("[role='tab'][aria-selected='true']"), "Model");
    assert!(focused(&browser).contains("toggle[3]"));
    assert_quiet(&browser);
}

#[test]
fn search_finds_obligations_by_number_and_nodes_by_words() {
    let example = Example::fischer();
    let Some(browser) = opened(&example.report()) else {
        return;
    };
    browser.click("#search");
    browser.type_text("#1234");
    assert!(browser.text("#results").contains("1234:"));
    browser.press("Enter");
    let open = browser.evaluate("document.querySelector('.obligation[open]').dataset.number");
    assert_eq!(open, json!("1234"));
    browser.click("#search");
    browser.evaluate("document.getElementById('search').select()");
    browser.type_text("main critical");
    assert!(browser.text("#results").contains("node"));
    browser.press("ArrowDown");
    browser.press("Enter");
    assert!(browser.text(".details h2").starts_with("Node "));
    assert_eq!(count(&browser, ".node.selected"), 1, "its cluster is open");
    assert_quiet(&browser);
}
