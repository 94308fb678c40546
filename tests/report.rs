//! The report says where transitions stand; the translator knows it, and both agree on every example.

#![allow(clippy::unwrap_used, clippy::panic, reason = "all of it is test code")]

use slabcert::flattening::interleave;
use slabcert::languages::slab::Slab;
use slabcert::languages::source::Source;
use slabcert::languages::{Language, Options, ParsedModel};
use slabcert_certificates::bundle::{Bundle, BundleParts, ModelFile, write_draft};
use slabcert_certificates::certificate::{Certificate, NamedRelation, Source as Kept};
use slabcert_certificates::program::Program;
use slabcert_certificates::proof::Proofs;
use slabcert_certificates::system::System;
use slabcert_exports::Whole;
use slabcert_exports::report::report_of_bundle;
use std::path::Path;

/// The data of the report on a model about which nothing is claimed.
fn report(program: &Program, system: &System, source: &Source) -> serde_json::Value {
    let certificate = Certificate {
        source: Kept {
            language: "slab".into(),
            ..Kept::default()
        },
        transitions: system
            .transitions
            .iter()
            .map(|transition| NamedRelation::of(transition, system))
            .collect(),
        ..Certificate::default()
    };
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path().join("example.cert");
    let parts = BundleParts {
        system,
        program: Some(program),
        system_text: None,
        certificate: &certificate,
        model: Some(ModelFile {
            extension: "slab",
            bytes: source.text().as_bytes(),
        }),
        statistics: &serde_json::json!({}),
        drawings: &[],
    };
    write_draft(&directory, &parts).unwrap();
    let bundle = Bundle::read(&directory).unwrap();
    let page = report_of_bundle(&Whole {
        bundle: &bundle,
        proofs: &Proofs::new(),
        obligations: &[],
        text: None,
    });
    let page = page.unwrap();
    let (_, rest) = page.split_once("id=\"data\">").unwrap();
    let (json, _) = rest.split_once("</script>").unwrap();
    serde_json::from_str(json).unwrap()
}

#[test]
fn transitions_are_shown_where_the_translator_found_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/slab");
    let mut compared = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let source = Source::read(&path).unwrap();
        let read = Slab.read(&source, &Options::default()).unwrap();
        let ParsedModel::Program(program, _) = read else {
            panic!("{read:?}");
        };
        let system = interleave(&program);
        let report = report(&program, &system, &source);
        assert_eq!(report["title"], system.name.as_str());
        for (transition, shown) in system
            .transitions
            .iter()
            .zip(report["transitions"].as_array().unwrap())
        {
            let position = transition.position.unwrap();
            assert_eq!(
                shown["lines"][0].as_u64(),
                Some(u64::from(position.line)),
                "{} in {}",
                transition.name,
                path.display()
            );
            compared += 1;
        }
    }
    assert!(compared > 150, "{compared} transitions");
}
