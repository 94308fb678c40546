//! The rules, as functions from sources to complaints.

use crate::sources::{Named, Source, Token, module_of, named, tokens};
use std::collections::BTreeSet;

/// A part of the program whose modules stand in layers.
pub struct Part {
    /// What it is called in the drawing.
    pub name: &'static str,
    /// The folder of its sources.
    pub folder: &'static str,
    /// The module that it is, from its crate's root.
    pub inside: &'static [&'static str],
    /// The crate's name for whoever uses it.
    pub library: &'static str,
    /// Its modules: each may use those before it only.
    pub layers: &'static [&'static str],
    /// What its modules may use of its root.
    pub root: &'static [&'static str],
}

/// All parts, each of which may use those before it only.
pub const PARTS: [Part; 5] = [
    Part {
        name: "vocabulary",
        folder: "certificates/src/",
        inside: &[],
        library: "slabcert_certificates",
        layers: &[
            "escaping",
            "leftovers",
            "stop",
            "work",
            "fresh",
            "term",
            "smtlib",
            "reading",
            "structure",
            "system",
            "program",
            "trace",
            "vmt",
            "diagram",
            "certificate",
            "obligations",
            "proof",
            "bundle",
        ],
        root: &[],
    },
    Part {
        name: "kernel",
        folder: "checker/src/kernel/",
        inside: &["kernel"],
        library: "slabcert_checker",
        layers: &[
            "builtin",
            "counterexample",
            "interpreter",
            "evaluate",
            "question",
            "solvers",
            "verdict",
            "dispatcher",
            "facts",
            "findings",
            "memory",
            "translation",
            "check",
        ],
        root: &[],
    },
    Part {
        name: "exports",
        folder: "certificates/exports/src/",
        inside: &[],
        library: "slabcert_exports",
        layers: &[
            "identifiers",
            "wording",
            "traces",
            "program_text",
            "argument",
            "layout",
            "picture",
            "smtlib",
            "coq",
            "coq_readable",
            "why3",
            "dot",
            "itf",
            "moxi",
            "witness",
            "c_harness",
            "svg",
            "report",
        ],
        root: &["Export", "ExportError", "Sink", "Whole"],
    },
    Part {
        name: "checker",
        folder: "checker/src/",
        inside: &[],
        library: "slabcert_checker",
        layers: &[
            "kernel",
            "cache",
            "expectation",
            "report",
            "audit",
            "difference",
            "limits",
            "watchdog",
            "command_line",
        ],
        root: &[],
    },
    Part {
        name: "model checker",
        folder: "src/",
        inside: &[],
        library: "slabcert",
        layers: &[
            "arithmetic",
            "flattening",
            "languages",
            "solvers",
            "interpolation",
            "slicing",
            "refinement",
            "lemmas",
            "reductions",
            "predicate_abstraction",
            "engines",
            "minimise",
            "proofs",
            "vacuity",
            "verification",
            "report",
            "explanation",
            "cli",
        ],
        root: &[],
    },
];

/// The longest file outside tests, in lines.
pub const LONGEST_FILE: usize = 600;

/// Names that say nothing about what is inside.
const EMPTY_NAMES: [&str; 6] = ["util", "utils", "helper", "helpers", "common", "misc"];

/// What makes flat systems of programs: once for the model checker, once for whoever checks that.
const FLATTENERS: [&str; 2] = ["src/flattening/", "checker/src/kernel/translation/"];
/// What both may use: what programs and flat systems are, and how large they may be.
const FLAT_VOCABULARY: [&str; 5] = ["program", "structure", "system", "term", "work"];
/// How many lines in a row, not counting short ones, are a copy.
const COPIED_LINES: usize = 6;
/// The fewest characters of a line that counts.
const SHORTEST_COPIED_LINE: usize = 12;

impl Part {
    /// The part that a source belongs to: the innermost one.
    pub fn of(source: &Source) -> Option<&'static Part> {
        let parts = PARTS.iter();
        parts
            .filter(|part| source.path.starts_with(part.folder))
            .max_by_key(|part| part.folder.len())
    }

    /// The rank of a module.
    pub fn rank(&self, name: &str) -> Option<usize> {
        self.layers.iter().position(|layer| *layer == name)
    }

    /// A path from the crate's root as one from the part's root; none when it leads elsewhere.
    pub fn within<'a>(&self, path: &'a [String]) -> Option<&'a [String]> {
        let inside = path.iter().take(self.inside.len());
        inside
            .eq(self.inside.iter())
            .then(|| &path[self.inside.len()..])
    }
}

/// Complaints about dependencies within each part.
pub fn upward_dependencies(sources: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for source in sources {
        // What tests use beside the model checker's own is no layer.
        let Some(part) =
            Part::of(source).filter(|it| it.library == "slabcert" || !source.is_test())
        else {
            continue;
        };
        let whole = module_of(&source.path);
        let Some(folder) = part.within(&whole).and_then(|module| module.first()) else {
            // The root declares the modules, and the program calls the command line.
            continue;
        };
        let Some(own) = part.rank(folder) else {
            complaints.push(format!(
                "{}: `{folder}` is not a module of the architecture",
                source.path
            ));
            continue;
        };
        let depth = part.inside.len() + 1;
        for name in named(source) {
            let path = &source.path;
            match name {
                Named::Own(target, all) => {
                    let shown = target.join("::");
                    match part.within(&target).map(|inside| inside.first()) {
                        None => complaints.push(format!("{path}: uses {shown}")),
                        Some(None) => complaints
                            .push(format!("{path}: names the root of its part as a whole")),
                        Some(Some(first)) => {
                            let is_root = part.root.contains(&first.as_str());
                            if !is_root && part.rank(first).is_none_or(|target| target > own) {
                                complaints.push(format!("{path}: uses {shown}"));
                            }
                            if all && !target.starts_with(&whole[..depth]) {
                                complaints.push(format!("{path}: imports all of {shown}"));
                            }
                        }
                    }
                }
                Named::Other(target, all) => {
                    if all && target.last().is_some_and(|last| last != "prelude") {
                        complaints.push(format!("{path}: imports all of {}", target.join("::")));
                    }
                    let first = target[0].as_str();
                    if part.library != "slabcert" {
                        continue;
                    }
                    if first == "slabcert_checker"
                        && !matches!(folder.as_str(), "verification" | "cli")
                    {
                        complaints.push(format!("{path}: uses the checker"));
                    }
                    if matches!(first, "z3" | "z3_sys") && folder != "solvers" {
                        complaints.push(format!("{path}: uses z3 itself"));
                    }
                }
            }
        }
    }
    complaints
}

/// Complaints about what makes flat systems twice: it must be made twice. Both may use the vocabulary, and neither copies the other.
pub fn shared_flattening(sources: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    let of = |folder: &str| {
        let is_there = |source: &&Source| {
            let file = format!("{}.rs", folder.trim_end_matches('/'));
            !source.is_test() && (source.path.starts_with(folder) || source.path == file)
        };
        sources.iter().filter(is_there).collect::<Vec<_>>()
    };
    let [ours, theirs] = FLATTENERS.map(of);
    for source in ours.iter().chain(&theirs) {
        for name in named(source) {
            if let Named::Other(path, _) = name
                && path[0].starts_with("slabcert")
                && !(path[0] == "slabcert_certificates"
                    && path
                        .get(1)
                        .is_some_and(|it| FLAT_VOCABULARY.contains(&it.as_str())))
            {
                complaints.push(format!("{}: uses {}", source.path, path.join("::")));
            }
        }
    }
    let runs = |source: &Source| -> BTreeSet<Vec<String>> {
        let lines = source.text.lines().map(str::trim);
        let lines: Vec<String> = lines
            .filter(|line| line.len() >= SHORTEST_COPIED_LINE)
            .filter(|line| !line.starts_with("//") && !line.starts_with("use "))
            .map(str::to_owned)
            .collect();
        lines
            .windows(COPIED_LINES)
            .map(<[String]>::to_vec)
            .collect()
    };
    let known: BTreeSet<Vec<String>> = ours.iter().flat_map(|source| runs(source)).collect();
    for source in theirs {
        if let Some(run) = runs(source).intersection(&known).next() {
            complaints.push(format!("{}: copies `{}`", source.path, run[0]));
        }
    }
    complaints
}

/// Complaints about the crates that must stand without the model checker.
pub fn foreign_crates(sources: &[Source]) -> Vec<String> {
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
        } else if source.path.starts_with("checker/src/kernel") {
            &["z3", "z3_sys", "slabcert", "slabcert_exports", "clap"]
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
pub fn long_files(sources: &[Source]) -> Vec<String> {
    sources
        .iter()
        .filter(|source| !source.is_test())
        .map(|source| (source, source.text.lines().count()))
        .filter(|(_, lines)| *lines > LONGEST_FILE)
        .map(|(source, lines)| format!("{}: {lines} lines", source.path))
        .collect()
}

/// Complaints about files, folders and inline modules whose names say nothing.
pub fn empty_names(sources: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for source in sources {
        let parts = source.path.trim_end_matches(".rs").split('/');
        for part in parts.filter(|part| EMPTY_NAMES.contains(part)) {
            complaints.push(format!("{}: `{part}` says nothing", source.path));
        }
        // One layout: `x.rs` with `x/`. In folders of tests, `x.rs` would be a test of its own.
        if !source.is_test() && source.path.ends_with("/mod.rs") {
            complaints.push(format!("{}: `mod` says nothing", source.path));
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
pub fn crate_tree(package: &str, listing: &str) -> Vec<String> {
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
