//! The rules of ARCHITECTURE.md that a machine can watch: dependencies flow one way, files stay short, names say something.
//!
//! Sources are read as tokens (comments and literals are skipped), so that grouped, renamed and multi-line `use` declarations count
//! as well as full paths in the code. The rules are functions from sources to complaints; planted violations test them.

#![allow(clippy::expect_used, reason = "all of it is test code")]

use std::fs;
use std::path::Path;
use std::process::Command;

/// The folders of `src/`: each may use those before it only.
const FOLDERS: [&str; 16] = [
    "flattening",
    "languages",
    "solvers",
    "arithmetic",
    "interpolation",
    "slicing",
    "refinement",
    "lemmas",
    "engines",
    "minimise",
    "proofs",
    "vacuity",
    "verification",
    "report",
    "explanation",
    "cli",
];

/// The longest file outside tests, in lines.
const LONGEST_FILE: usize = 600;

/// Names that say nothing about what is inside.
const EMPTY_NAMES: [&str; 6] = ["util", "utils", "helper", "helpers", "common", "misc"];

/// A source file: its path below the repository's root, with `/`, and its text.
struct Source {
    path: String,
    text: String,
}

impl Source {
    fn new(path: &str, text: &str) -> Self {
        Source {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    fn is_test(&self) -> bool {
        self.path
            .split('/')
            .any(|part| matches!(part, "tests" | "tests.rs" | "benches"))
    }
}

// ---- reading ----

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    /// `::`
    Path,
    Sign(char),
}

/// Splits a source into tokens, without comments, literals and lifetimes.
fn tokens(text: &str) -> Vec<Token> {
    let characters: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        let rest = &characters[at..];
        at += match rest {
            ['/', '/', ..] => rest.iter().position(|&c| c == '\n').unwrap_or(rest.len()),
            ['/', '*', ..] => block_comment(rest),
            ['"', ..] => string(rest),
            ['\'', ..] => character_or_lifetime(rest),
            [':', ':', ..] => {
                found.push(Token::Path);
                2
            }
            [first, ..] if first.is_alphanumeric() || *first == '_' => {
                let length = rest
                    .iter()
                    .position(|c| !(c.is_alphanumeric() || *c == '_'))
                    .unwrap_or(rest.len());
                let word: String = rest[..length].iter().collect();
                let raw = raw_string(&rest[length..]);
                match (word.as_str(), raw) {
                    ("r" | "br" | "cr", Some(skipped)) => length + skipped,
                    // `r#name` is the name itself.
                    ("r", None) if rest.get(length) == Some(&'#') => length + 1,
                    ("b" | "c", _) if rest.get(length) == Some(&'"') => length,
                    _ => {
                        found.push(Token::Word(word));
                        length
                    }
                }
            }
            [first, ..] => {
                if !first.is_whitespace() {
                    found.push(Token::Sign(*first));
                }
                1
            }
            [] => 1,
        };
    }
    found
}

/// The length of a block comment, which may be nested.
fn block_comment(rest: &[char]) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < rest.len() {
        match rest[at..] {
            ['/', '*', ..] => {
                depth += 1;
                at += 2;
            }
            ['*', '/', ..] => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    at
}

/// The length of a string literal with escapes.
fn string(rest: &[char]) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// The length of `"…"`, `#"…"#`, `##"…"##` and so on, if that is what comes.
fn raw_string(rest: &[char]) -> Option<usize> {
    let hashes = rest.iter().take_while(|&&c| c == '#').count();
    if rest.get(hashes) != Some(&'"') {
        return None;
    }
    let closing: Vec<char> = std::iter::once('"')
        .chain(std::iter::repeat_n('#', hashes))
        .collect();
    let body = &rest[hashes + 1..];
    let end = body
        .windows(closing.len())
        .position(|window| window == closing)
        .unwrap_or(body.len());
    Some((hashes + 1 + end + closing.len()).min(rest.len()))
}

/// The length of a character literal, or of the tick that begins a lifetime.
fn character_or_lifetime(rest: &[char]) -> usize {
    match rest {
        ['\'', '\\', ..] => {
            let close = rest[3.min(rest.len())..].iter().position(|&c| c == '\'');
            close.map_or(rest.len(), |offset| offset + 4)
        }
        ['\'', _, '\'', ..] => 3,
        _ => 1,
    }
}

// ---- finding what is named ----

/// A path that a source names, with where it starts from resolved.
#[derive(Debug, PartialEq, Eq)]
enum Named {
    /// Something in the same crate, from the crate's root; the flag says whether everything in it is imported.
    Own(Vec<String>, bool),
    /// Something that starts with the name of a crate or of a module in sight; the flag likewise.
    Other(Vec<String>, bool),
}

/// The module that a file is, from its crate's root: `src/solvers/z3.rs` is `[solvers, z3]`.
fn module_of(path: &str) -> Vec<String> {
    let inside = path.split_once("src/").map_or(path, |(_, inside)| inside);
    let mut module: Vec<String> = inside
        .trim_end_matches(".rs")
        .split('/')
        .map(str::to_owned)
        .collect();
    if matches!(
        module.last().map(String::as_str),
        Some("mod" | "lib" | "main")
    ) {
        module.pop();
    }
    module
}

/// All paths that a source names, in `use` declarations and elsewhere.
fn named(source: &Source) -> Vec<Named> {
    let tokens = tokens(&source.text);
    let mut found = Vec::new();
    let mut module = module_of(&source.path);
    // For each open brace: whether it opened an inline module.
    let mut braces = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at..] {
            [
                Token::Word(keyword),
                Token::Word(name),
                Token::Sign('{'),
                ..,
            ] if keyword == "mod" => {
                module.push(name.clone());
                braces.push(true);
                at += 3;
            }
            [Token::Sign('{'), ..] => {
                braces.push(false);
                at += 1;
            }
            [Token::Sign('}'), ..] => {
                if braces.pop() == Some(true) {
                    module.pop();
                }
                at += 1;
            }
            [Token::Word(keyword), ..] if keyword == "use" => {
                at += 1;
                let mut paths = Vec::new();
                use_tree(&tokens, &mut at, &mut Vec::new(), &mut paths);
                // What captures a lifetime, `use<'a>`, is no path.
                paths.retain(|(path, _)| !path.is_empty());
                let resolved = paths.into_iter();
                found.extend(resolved.map(|(path, all)| resolve(&module, path, all)));
            }
            [Token::Word(first), Token::Path, ..] => {
                let mut path = vec![first.clone()];
                at += 1;
                while let [Token::Path, Token::Word(next), ..] = &tokens[at..] {
                    path.push(next.clone());
                    at += 2;
                }
                found.push(resolve(&module, path, false));
            }
            _ => at += 1,
        }
    }
    found
}

/// Reads one tree of a `use` declaration and lists its paths, each with whether it ends in `*`.
fn use_tree(
    tokens: &[Token],
    at: &mut usize,
    prefix: &mut Vec<String>,
    paths: &mut Vec<(Vec<String>, bool)>,
) {
    let depth = prefix.len();
    loop {
        match tokens.get(*at) {
            Some(Token::Word(word)) if word == "as" => *at += 2,
            Some(Token::Word(word)) => {
                prefix.push(word.clone());
                *at += 1;
            }
            Some(Token::Path) => *at += 1,
            Some(Token::Sign('*')) => {
                *at += 1;
                paths.push((prefix.clone(), true));
                break;
            }
            Some(Token::Sign('{')) => {
                *at += 1;
                while !matches!(tokens.get(*at), None | Some(Token::Sign('}'))) {
                    use_tree(tokens, at, prefix, paths);
                    if tokens.get(*at) == Some(&Token::Sign(',')) {
                        *at += 1;
                    }
                }
                *at += 1;
                break;
            }
            _ => {
                paths.push((prefix.clone(), false));
                break;
            }
        }
    }
    prefix.truncate(depth);
}

fn resolve(module: &[String], path: Vec<String>, all: bool) -> Named {
    let mut base = match path.first().map(String::as_str) {
        Some("crate" | "slabcert") => Vec::new(),
        Some("self" | "super") => module.to_vec(),
        _ => return Named::Other(path, all),
    };
    for (position, part) in path.into_iter().enumerate() {
        match part.as_str() {
            "super" => {
                base.pop();
            }
            // `self` ends a group: `use a::{self, b}`.
            "self" => {}
            "crate" | "slabcert" if position == 0 => {}
            _ => base.push(part),
        }
    }
    Named::Own(base, all)
}

// ---- rules ----

/// Complaints about dependencies within `src/`.
fn upward_dependencies(sources: &[Source]) -> Vec<String> {
    let rank = |name: &str| FOLDERS.iter().position(|folder| *folder == name);
    let mut complaints = Vec::new();
    for source in sources.iter().filter(|s| s.path.starts_with("src/")) {
        let module = module_of(&source.path);
        let Some(folder) = module.first() else {
            // The crate's root declares the folders, and the program calls the command line.
            continue;
        };
        let Some(own) = rank(folder) else {
            complaints.push(format!(
                "{}: `{folder}` is not a folder of the architecture",
                source.path
            ));
            continue;
        };
        for name in named(source) {
            match name {
                Named::Own(path, all) => match path.first() {
                    None => complaints.push(format!(
                        "{}: names the root of the crate as a whole",
                        source.path
                    )),
                    Some(target) => {
                        if rank(target).is_none_or(|target| target > own) {
                            complaints.push(format!("{}: uses {}", source.path, path.join("::")));
                        }
                        if all && !path.starts_with(&module[..1]) {
                            complaints.push(format!(
                                "{}: imports all of {}",
                                source.path,
                                path.join("::")
                            ));
                        }
                    }
                },
                Named::Other(path, all) => {
                    let first = path[0].as_str();
                    if first == "slabcert_checker"
                        && !matches!(folder.as_str(), "verification" | "cli")
                    {
                        complaints.push(format!("{}: uses the checker", source.path));
                    }
                    if matches!(first, "z3" | "z3_sys") && folder != "solvers" {
                        complaints.push(format!("{}: uses z3 itself", source.path));
                    }
                    if all && path.last().is_some_and(|last| last != "prelude") {
                        complaints.push(format!(
                            "{}: imports all of {}",
                            source.path,
                            path.join("::")
                        ));
                    }
                }
            }
        }
    }
    complaints
}

/// Complaints about the crates that must stand without the model checker.
fn foreign_crates(sources: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for source in sources {
        let forbidden: &[&str] = if source.path.starts_with("certificates/exports/") {
            &["z3", "z3_sys", "slabcert", "slabcert_checker"]
        } else if source.path.starts_with("certificates/") {
            &[
                "z3",
                "z3_sys",
                "slabcert",
                "slabcert_checker",
                "slabcert_exports",
            ]
        } else if source.path.starts_with("checker/") {
            &["z3", "z3_sys", "slabcert"]
        } else {
            continue;
        };
        for token in tokens(&source.text).windows(2) {
            let uses = match token {
                [Token::Word(keyword), Token::Word(name)] if keyword == "use" => name,
                [Token::Word(name), Token::Path] => name,
                _ => continue,
            };
            if forbidden.contains(&uses.as_str()) {
                complaints.push(format!("{}: uses the crate {uses}", source.path));
            }
        }
    }
    complaints
}

/// Complaints about long files.
fn long_files(sources: &[Source]) -> Vec<String> {
    sources
        .iter()
        .filter(|source| !source.is_test())
        .map(|source| (source, source.text.lines().count()))
        .filter(|(_, lines)| *lines > LONGEST_FILE)
        .map(|(source, lines)| format!("{}: {lines} lines", source.path))
        .collect()
}

/// Complaints about files, folders and inline modules whose names say nothing.
fn empty_names(sources: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for source in sources {
        let parts = source.path.trim_end_matches(".rs").split('/');
        for part in parts.filter(|part| EMPTY_NAMES.contains(part)) {
            complaints.push(format!("{}: `{part}` says nothing", source.path));
        }
        for pair in tokens(&source.text).windows(2) {
            if let [Token::Word(keyword), Token::Word(name)] = pair
                && keyword == "mod"
                && EMPTY_NAMES.contains(&name.as_str())
            {
                complaints.push(format!("{}: module `{name}` says nothing", source.path));
            }
        }
    }
    complaints.dedup();
    complaints
}

/// Complaints about the crates that the vocabulary or the checker depends on, from the lines of `cargo tree`.
fn crate_tree(package: &str, listing: &str) -> Vec<String> {
    let names = listing
        .lines()
        .filter_map(|line| line.split_whitespace().next());
    names
        .filter(|name| {
            matches!(
                *name,
                "slabcert" | "z3" | "z3-sys" | "z3-src" | "graphviz-rust" | "layout-rs"
            )
        })
        .map(|name| format!("{package} depends on {name}"))
        .collect()
}

// ---- the repository itself ----

fn repository() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = Vec::new();
    for folder in ["src", "certificates", "checker", "tests", "benches"] {
        gather(root, &root.join(folder), &mut sources);
    }
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(
        sources.len() > 5,
        "the sources were not found below {}",
        root.display()
    );
    sources
}

fn gather(root: &Path, folder: &Path, sources: &mut Vec<Source>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "target") {
                gather(root, &path, sources);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a readable source");
            let inside = path.strip_prefix(root).expect("a path below the root");
            let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
            sources.push(Source::new(&parts.join("/"), &text));
        }
    }
}

fn assert_no(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn dependencies_within_the_model_checker_flow_one_way() {
    assert_no(upward_dependencies(&repository()));
}

#[test]
fn the_certificates_and_the_checker_stand_without_the_model_checker() {
    assert_no(foreign_crates(&repository()));
}

#[test]
fn files_stay_short() {
    assert_no(long_files(&repository()));
}

#[test]
fn names_say_something() {
    assert_no(empty_names(&repository()));
}

#[test]
fn the_vocabulary_and_the_checker_are_linked_with_neither_z3_nor_drawing_nor_the_model_checker() {
    for package in ["slabcert-certificates", "slabcert-checker"] {
        let output = Command::new(env!("CARGO"))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .args(["tree", "--offline", "--package", package])
            .args(["--edges", "normal,build,dev", "--prefix", "none"])
            .output()
            .expect("cargo runs");
        let listing = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(listing.contains("slabcert-certificates"), "{listing}");
        assert_no(crate_tree(package, &listing));
    }
}

// ---- planted violations ----

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
        ("src/solvers/mod.rs", "mod helpers { }"),
        ("src/solvers/mod.rs", "pub(crate) mod misc;"),
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
