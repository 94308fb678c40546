//! The picture of the layers, docs/architecture.svg, drawn from what the sources name.

use crate::rules::{PARTS, Part};
use crate::sources::{Named, Source, module_of, named, repository};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Set by `make pictures`: what is derived from the sources is written and not compared.
const WRITE: &str = "SLABCERT_WRITE_ARCHITECTURE";

/// Who uses whom, by numbers.
type Uses = BTreeSet<(usize, usize)>;

/// Compares a file with what it should be, or writes it.
pub fn compare(file: &str, wanted: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if std::env::var_os(WRITE).is_some() {
        fs::write(&path, wanted).expect("a file that can be written");
    }
    let found = fs::read_to_string(&path).expect("a file that can be read");
    assert!(
        found == wanted,
        "{file} is out of date: run `make pictures`"
    );
}

/// Which parts use which, and within each part, which modules use which.
fn uses(sources: &[Source]) -> (Uses, Vec<Uses>) {
    let mut between = Uses::new();
    let mut within = vec![Uses::new(); PARTS.len()];
    let number = |part: &Part| PARTS.iter().position(|it| it.folder == part.folder);
    for source in sources.iter().filter(|source| !source.is_test()) {
        let Some((own, part)) = Part::of(source).and_then(|part| Some((number(part)?, part)))
        else {
            continue;
        };
        let module = module_of(&source.path);
        let folder = part
            .within(&module)
            .and_then(|module| part.rank(module.first()?));
        for name in named(source) {
            let (library, path) = match &name {
                Named::Own(path, _) => (part.library, &path[..]),
                Named::Other(path, _) => (path[0].as_str(), &path[1..]),
            };
            let targets = PARTS.iter().filter(|it| it.library == library);
            let target = targets
                .filter_map(|it| Some((number(it)?, it, it.within(path)?)))
                .max_by_key(|(_, part, _)| part.inside.len());
            let Some((number, target, path)) = target else {
                continue;
            };
            if number != own {
                between.insert((own, number));
            }
            // A part inside of this one is one of its modules.
            let path = if part.library == target.library && number != own {
                target.inside
            } else if number == own {
                &path.iter().map(String::as_str).collect::<Vec<_>>()[..]
            } else {
                continue;
            };
            let used = path.first().and_then(|first| part.rank(first));
            if let (Some(user), Some(used)) = (folder, used)
                && user != used
            {
                within[own].insert((user, used));
            }
        }
    }
    (between, within)
}

/// The uses that do not follow from others. Everything uses what has a smaller number only.
fn reduced(uses: &Uses) -> Uses {
    let leads = |from: usize, to: usize| {
        let mut reached = BTreeSet::from([from]);
        for node in (to..=from).rev() {
            if reached.contains(&node) {
                let next = uses.range((node, 0)..(node, usize::MAX));
                reached.extend(next.map(|(_, used)| *used));
            }
        }
        reached.contains(&to)
    };
    let is_needed = |&(from, to): &(usize, usize)| {
        let mut others = uses.range((from, 0)..(from, usize::MAX));
        !others.any(|&(_, other)| other != to && leads(other, to))
    };
    uses.iter().copied().filter(is_needed).collect()
}

/// How large a box is, and how far the upper edges of two are apart, in pixels.
const BOX: (usize, usize) = (116, 24);
const STEP: usize = 38;
/// How far an arrow swings out for each row that it passes.
const SWING: usize = 9;
/// How everything looks, as in the pictures of proofs.
const STYLE: &str = "text{font:12px ui-monospace,'DejaVu Sans Mono',monospace}.title{font-weight:700}\
rect{fill:#f6f8fa;stroke:#57606a}path.arrow{fill:none;stroke:#57606a}";

/// One box below the other, what uses above what is used, with the arrows to their right; gives the width.
fn column(
    left: usize,
    title: &str,
    names: &[&str],
    uses: &Uses,
    body: &mut String,
) -> Result<usize, std::fmt::Error> {
    let top = |number: usize| 40 + STEP * (names.len() - 1 - number);
    writeln!(
        body,
        "<text class=\"title\" x=\"{left}\" y=\"24\">{title}</text>"
    )?;
    for (number, name) in names.iter().enumerate() {
        let (y, text) = (top(number), top(number) + 16);
        writeln!(
            body,
            "<rect x=\"{left}\" y=\"{y}\" width=\"{}\" height=\"{}\" rx=\"6\"/><text x=\"{}\" y=\"{text}\">{name}</text>",
            BOX.0,
            BOX.1,
            left + 8
        )?;
    }
    let right = left + BOX.0;
    let mut widest = right;
    for (from, to) in reduced(uses) {
        let (start, end) = (top(from) + 16, top(to) + 8);
        let swing = right + 8 + SWING * from.abs_diff(to);
        widest = widest.max(swing);
        writeln!(
            body,
            "<path class=\"arrow\" d=\"M{right} {start}C{swing} {start} {swing} {end} {right} {end}\" marker-end=\"url(#head)\"><title>{} uses {}</title></path>",
            names[from], names[to]
        )?;
    }
    Ok(widest.max(left + 8 * title.len()) - left)
}

/// The picture: the parts, and the modules of each.
fn picture(between: &Uses, within: &[Uses]) -> Result<String, std::fmt::Error> {
    let mut columns = vec![("parts", PARTS.map(|part| part.name).to_vec(), between)];
    for (part, uses) in PARTS.iter().zip(within).rev() {
        columns.push((part.folder, part.layers.to_vec(), uses));
    }
    let rows = columns.iter().map(|(_, names, _)| names.len()).max();
    let height = 40 + STEP * rows.unwrap_or(0);
    let mut body = String::new();
    let mut width = 16;
    for (title, names, uses) in columns {
        width += column(width, title, &names, uses, &mut body)? + 28;
    }
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         <style>{STYLE}</style>\n\
         <marker id=\"head\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\">\
         <path d=\"M0 1L9 5L0 9z\" fill=\"#57606a\"/></marker>\n\
         <rect width=\"{width}\" height=\"{height}\" style=\"fill:white;stroke:none\"/>\n{body}</svg>\n"
    ))
}

/// The uses that would be arrows upwards.
fn upwards(uses: &Uses) -> Vec<(usize, usize)> {
    uses.iter()
        .copied()
        .filter(|(from, to)| from <= to)
        .collect()
}

#[test]
fn the_picture_of_the_layers_is_what_the_sources_say_and_no_arrow_runs_upwards() {
    let (between, within) = uses(&repository());
    for uses in within.iter().chain([&between]) {
        assert!(!uses.is_empty());
        assert_eq!(upwards(uses), []);
    }
    let svg = picture(&between, &within).expect("a string that is written to");
    compare("docs/architecture.svg", &svg);
}

#[test]
fn an_arrow_that_runs_upwards_is_seen() {
    assert_eq!(upwards(&Uses::from([(1, 0), (2, 0), (0, 2)])), [(0, 2)]);
}

#[test]
fn an_arrow_that_follows_from_others_is_left_out() {
    let uses = Uses::from([(1, 0), (2, 1), (2, 0), (3, 0)]);
    assert_eq!(reduced(&uses), Uses::from([(1, 0), (2, 1), (3, 0)]));
}

#[test]
fn uses_are_found_between_parts_and_within_them() {
    let sources = [
        Source::new("checker/src/cache.rs", "use crate::kernel::memory::Memory;"),
        Source::new(
            "checker/src/command_line/check.rs",
            "use slabcert_checker::{cache::Cache, audit::audit};",
        ),
        Source::new(
            "checker/src/kernel/check.rs",
            "use crate::kernel::{facts, check::X}; use slabcert_certificates::term::Term;",
        ),
        Source::new(
            "src/cli/verify.rs",
            "use slabcert_exports::svg; use crate::engines::Engine;",
        ),
    ];
    let (between, within) = uses(&sources);
    let title = |&(from, to): &(usize, usize)| (PARTS[from].library, PARTS[to].library);
    let between: Vec<_> = between.iter().map(title).collect();
    assert_eq!(
        between,
        [
            ("slabcert_checker", "slabcert_certificates"),
            ("slabcert_checker", "slabcert_checker"),
            ("slabcert", "slabcert_exports")
        ]
    );
    let names: Vec<_> = (PARTS.iter().zip(&within))
        .flat_map(|(part, uses)| {
            uses.iter()
                .map(|(from, to)| (part.layers[*from], part.layers[*to]))
        })
        .collect();
    assert_eq!(
        names,
        [
            ("check", "facts"),
            ("cache", "kernel"),
            ("command_line", "cache"),
            ("command_line", "audit"),
            ("cli", "engines")
        ]
    );
}
