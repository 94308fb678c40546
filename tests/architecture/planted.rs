//! Planted violations, which each rule must find, and what it must let pass.

use crate::assert_no;
use crate::rules::{
    LONGEST_FILE, crate_tree, empty_names, foreign_crates, long_files, shared_flattening,
    upward_dependencies,
};
use crate::sources::Source;

/// What the dependency rule says about one file of the given path.
fn dependencies_of(path: &str, text: &str) -> Vec<String> {
    upward_dependencies(&[Source::new(path, text)])
}

#[test]
fn a_downward_use_is_accepted() {
    for text in [
        "use crate::solvers::Solver;",
        "use crate::{arithmetic::Simplex, languages::{slab, vmt::{self, Reader as R}}};",
        "use super::super::solvers::z3::Z3Solver;",
        "use super::Interpolator; use self::inner::Thing; mod inner { use super::super::farkas; }",
        "use slabcert_certificates::{term::Term, system::System}; use std::collections::BTreeMap;",
        "#[cfg(test)] mod tests { use super::*; use proptest::prelude::*; }",
        "fn f(x: &crate::interpolation::Window) -> crate::solvers::Outcome { x.go() }",
    ] {
        assert_no(dependencies_of("src/interpolation/spacer.rs", text));
    }
    assert_no(dependencies_of(
        "src/cli/verify.rs",
        "use slabcert_checker::check; use crate::report::Progress;",
    ));
    assert_no(dependencies_of("src/solvers/z3.rs", "use z3::ast::Bool;"));
    assert_no(dependencies_of(
        "src/lib.rs",
        "pub mod languages; pub use crate::engines::Answer;",
    ));
}

#[test]
fn an_upward_use_is_refused_in_each_of_its_spellings() {
    for text in [
        "use crate::engines::Engine;",
        "use crate::{solvers::Solver, engines::{Engine, Answer}};",
        "use crate::{\n    // a comment\n    solvers::Solver,\n    engines as machines,\n};",
        "use super::super::engines::bounded;",
        "use super::{super::engines, Interpolator};",
        "mod inner { use super::super::super::slicing::Graph; }",
        "fn f() { let _ = crate::cli::main(); }",
        "fn f(x: super::super::report::Progress) {}",
        "pub(in crate::engines) fn f() {}",
        "const TICK: char = '\\''; use crate::engines::Engine; const OTHER: char = '\"';",
        "/* a /* nested */ comment */ use crate :: engines :: Engine;",
        "const TEXT: &str = r#\"a \" quote\"#; use crate::engines::Engine;",
        "use slabcert::engines::Engine;",
        "use crate::unheard_of::Thing;",
        "use crate as everything;",
        "use crate::solvers::*;",
        "use z3::Solver;",
        "fn f(s: z3::Solver) {}",
        "use slabcert_checker::check;",
        "use num_bigint::*;",
    ] {
        let complaints = dependencies_of("src/interpolation/spacer.rs", text);
        assert!(!complaints.is_empty(), "nothing was said about: {text}");
    }
    assert!(!dependencies_of("src/gadgets/mod.rs", "").is_empty());
    assert!(!dependencies_of("src/gadgets.rs", "").is_empty());
}

#[test]
fn a_mention_in_a_comment_or_a_literal_is_no_use() {
    for text in [
        "// use crate::engines::Engine;",
        "/* use crate::engines::Engine; */",
        "//! See [`crate::engines::Engine`].",
        "const TEXT: &str = \"use crate::engines::Engine;\";",
        "const TEXT: &str = r##\"use crate::engines::Engine; \"# \"##;",
        "const BYTES: &[u8] = b\"crate::engines::Engine\";",
        "fn f<'a>(x: &'a str) -> &'a str { x }",
        "fn f<'a>(x: &'a str) -> impl Iterator<Item = char> + use<'a> { x.chars() }",
    ] {
        assert_no(dependencies_of("src/solvers/logging.rs", text));
    }
}

#[test]
fn a_crate_that_must_stand_alone_is_refused_what_stands_on_it() {
    let refused = [
        ("certificates/src/term.rs", "use z3::ast::Bool;"),
        ("certificates/src/term.rs", "use slabcert_checker::verdict;"),
        ("certificates/src/term.rs", "use slabcert_exports::wording;"),
        (
            "certificates/exports/src/dot.rs",
            "use slabcert_checker::verdict;",
        ),
        ("checker/src/kernel/verdict.rs", "use slabcert::engines;"),
        (
            "checker/src/kernel/verdict.rs",
            "fn f() { z3::full_version(); }",
        ),
    ];
    for (path, text) in refused {
        assert!(
            !foreign_crates(&[Source::new(path, text)]).is_empty(),
            "{path}: {text}"
        );
    }
    assert_no(foreign_crates(&[
        Source::new(
            "checker/src/kernel/verdict.rs",
            "use slabcert_certificates::bundle;",
        ),
        Source::new(
            "checker/src/kernel/solvers/z3.rs",
            "pub mod z3; use super::Row;",
        ),
        Source::new("tests/report.rs", "use slabcert_exports::report;"),
    ]));
}

#[test]
fn a_long_file_is_refused_unless_it_holds_tests() {
    let line = "fn f() {}\n";
    assert_no(long_files(&[
        Source::new("src/solvers/z3.rs", &line.repeat(LONGEST_FILE)),
        Source::new("src/solvers/tests.rs", &line.repeat(LONGEST_FILE + 1)),
        Source::new("tests/suite.rs", &line.repeat(LONGEST_FILE + 1)),
    ]));
    let long = Source::new("src/solvers/z3.rs", &line.repeat(LONGEST_FILE + 1));
    assert_eq!(long_files(&[long]), ["src/solvers/z3.rs: 601 lines"]);
}

#[test]
fn a_name_that_says_nothing_is_refused() {
    for (path, text) in [
        ("src/solvers/utils.rs", ""),
        ("tests/common/mod.rs", ""),
        ("src/solvers.rs", "mod helpers { }"),
        ("src/solvers.rs", "pub(crate) mod misc;"),
        ("src/solvers/mod.rs", ""),
    ] {
        assert!(
            !empty_names(&[Source::new(path, text)]).is_empty(),
            "{path}: {text}"
        );
    }
    assert_no(empty_names(&[Source::new(
        "src/solvers/z3.rs",
        "mod common_denominator {}",
    )]));
}

#[test]
fn a_checker_that_depends_on_the_prover_is_refused() {
    assert_no(crate_tree(
        "slabcert-checker",
        "slabcert-checker v0.1.0\nslabcert-certificates v0.1.0\nclap v4.6.9\n",
    ));
    assert_eq!(
        crate_tree(
            "slabcert-checker",
            "slabcert-checker v0.1.0\nz3 v0.22.0\nlayout-rs v0.1.3\nslabcert v0.1.0 (*)\n"
        )
        .len(),
        3
    );
}

#[test]
fn an_upward_use_is_refused_in_the_vocabulary_the_exports_the_checker_and_its_kernel() {
    for (path, text) in [
        ("certificates/src/term.rs", "use crate::smtlib::print_term;"),
        (
            "certificates/src/proof/file.rs",
            "use crate::bundle::Bundle;",
        ),
        ("certificates/src/gadgets.rs", ""),
        (
            "certificates/exports/src/layout/ranks.rs",
            "use crate::report;",
        ),
        ("certificates/exports/src/svg.rs", "use crate::ALL;"),
        ("checker/src/cache.rs", "use crate::audit::audit;"),
        (
            "checker/src/report.rs",
            "fn f() { crate::command_line::run() }",
        ),
        (
            "checker/src/kernel/question.rs",
            "use crate::kernel::check::check_bundle;",
        ),
        (
            "checker/src/kernel/builtin/replay.rs",
            "use super::super::memory::Memory;",
        ),
        ("checker/src/kernel/check.rs", "use crate::cache::Cache;"),
        (
            "checker/src/kernel/check.rs",
            "use super::super::difference;",
        ),
        (
            "checker/src/kernel/check.rs",
            "use crate::kernel as everything;",
        ),
        (
            "checker/src/kernel/check.rs",
            "use crate::kernel::solvers::*;",
        ),
        ("checker/src/kernel/gadgets.rs", ""),
    ] {
        let complaints = dependencies_of(path, text);
        assert!(
            !complaints.is_empty(),
            "nothing was said about {path}: {text}"
        );
    }
    for (path, text) in [
        ("certificates/src/smtlib.rs", "use crate::term::Term;"),
        (
            "certificates/src/term/tests.rs",
            "use crate::smtlib::print_term;",
        ),
        (
            "certificates/exports/src/svg.rs",
            "use crate::{Export, layout::Size};",
        ),
        ("checker/src/cache.rs", "use crate::kernel::memory::Memory;"),
        (
            "checker/src/kernel/check.rs",
            "use crate::kernel::{facts, memory::Memory};",
        ),
        (
            "checker/src/kernel/solvers/single.rs",
            "use super::answer::CheckSat;",
        ),
        ("checker/src/lib.rs", "pub use kernel::check::check_bundle;"),
    ] {
        assert_no(dependencies_of(path, text));
    }
}

#[test]
fn what_flattens_for_the_checker_is_refused_what_the_model_checker_flattens_with() {
    let ours = "fn frames_of(program: &Program) -> Vec<Term> {\n".to_owned()
        + &"    let written = program.written_by_somebody();\n".repeat(5);
    let flattening = Source::new("src/flattening/interleaving.rs", &ours);
    let theirs = "checker/src/kernel/translation/interleaving.rs";
    for text in [
        ours.as_str(),
        "use slabcert::flattening::frames;",
        "use slabcert_certificates::bundle::Bundle;",
    ] {
        let complaints = shared_flattening(&[
            Source::new("src/flattening/interleaving.rs", &ours),
            Source::new(theirs, text),
        ]);
        assert_eq!(complaints.len(), 1, "{text}: {complaints:?}");
    }
    let uses = "use slabcert_checker::kernel::translation;";
    assert!(!shared_flattening(&[Source::new("src/flattening/mod.rs", uses)]).is_empty());
    let another = "use slabcert_certificates::program::Program;\nfn another() {}\n";
    assert_no(shared_flattening(&[
        flattening,
        Source::new(theirs, another),
    ]));
}
