//! The pictures of the documents show the proofs that are found today.
//!
//! Compared are the boxes, the arrows and every line of text.

#![allow(clippy::unwrap_used, reason = "all of it is test code")]

use std::fs;
use std::path::Path;
use std::process::Command;

/// What `scripts/pictures` draws: the name of an example, and the options of its verification.
fn drawn() -> Vec<(String, Vec<String>)> {
    let script = fs::read_to_string(root().join("scripts/pictures")).unwrap();
    script
        .lines()
        .filter_map(|line| {
            let mut words = line.strip_prefix("draw ")?.split(' ').map(str::to_owned);
            Some((words.next()?, words.collect()))
        })
        .collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What a proof of the example looks like in the language of Graphviz.
fn proof(name: &str, options: &[String]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let bundle = folder.path().join("m.cert");
    let program = || Command::new(env!("CARGO_BIN_EXE_slabcert"));
    let model = root().join(format!("examples/slab/{name}.slab"));
    let verified = program()
        .arg("verify")
        .arg(model)
        .args(options)
        .args(["--no-proofs", "--out"])
        .arg(&bundle)
        .output()
        .unwrap();
    assert!(verified.status.success(), "{verified:?}");
    let exported = program()
        .arg("export")
        .arg(&bundle)
        .args(["--to", "dot"])
        .output()
        .unwrap();
    assert!(exported.status.success(), "{exported:?}");
    String::from_utf8(exported.stdout).unwrap()
}

/// The lines of text in the labels of a graph, sorted.
fn lines_of_graph(dot: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for part in dot.split("label=\"").skip(1) {
        let label = part.split('"').next().unwrap();
        let label = label.split("\\l").filter(|line| !line.is_empty());
        lines.extend(label.map(str::to_owned));
    }
    lines.sort();
    lines
}

/// The lines of text in a picture, sorted.
fn lines_of_picture(svg: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for part in svg.split("<text").skip(1) {
        let (_, text) = part.split_once('>').unwrap();
        let text = text.split("</text>").next().unwrap();
        let pairs = [
            ("&#45;", "-"),
            ("&lt;", "<"),
            ("&gt;", ">"),
            ("&quot;", "\""),
            ("&#160;", " "),
            ("&amp;", "&"),
        ];
        let plain = pairs
            .iter()
            .fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
        lines.push(plain);
    }
    lines.sort();
    lines
}

#[test]
fn the_pictures_of_the_documents_are_those_of_the_proofs() {
    let drawn = drawn();
    assert!(drawn.len() >= 2, "{drawn:?}");
    for (name, options) in drawn {
        let dot = proof(&name, &options);
        let svg = fs::read_to_string(root().join(format!("docs/{name}.svg"))).unwrap();
        assert_eq!(
            lines_of_picture(&svg),
            lines_of_graph(&dot),
            "docs/{name}.svg is not what scripts/pictures would draw"
        );
        let arrows = dot.matches(" -> ").count();
        assert_eq!(svg.matches("class=\"edge\"").count(), arrows, "{name}");
    }
}

#[test]
fn texts_are_found_in_graphs_and_pictures() {
    let graph = "a [label=\"1\\lx <= 2\\l\"]; b [label=\"all\",tooltip=\"t\"]";
    let picture = "<text x=\"1\">1</text> <text>x &lt;= 2</text><text>all</text>";
    assert_eq!(lines_of_graph(graph), ["1", "all", "x <= 2"]);
    assert_eq!(lines_of_picture(picture), lines_of_graph(graph));
    assert_ne!(lines_of_picture("<text>2</text>"), lines_of_graph(graph));
}
