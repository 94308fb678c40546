//! What a picture of a certificate shows, whoever draws it: boxes with lines of text, arrows with names.
//!
//! A node of a diagram is a box with its number and what its label says, where processes are first; what all labels say is said once.
//! Transitions between the same two nodes share an arrow. A trace is a chain of states, each after the first showing what has changed. Lines and texts are cut where they
//! would not fit; the whole text is the tooltip.

use crate::ExportError;
use crate::wording::{Wording, bundle_diagrams};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use slabcert_certificates::certificate::{Certificate, Evidence};
use slabcert_certificates::diagram::{Diagram, Node};
use slabcert_certificates::escaping::is_control;
use slabcert_certificates::system::System;
use slabcert_certificates::term::{Kind, Operator, Symbol, Term, Value};
use slabcert_certificates::trace::{Trace, Valuation};
use std::collections::BTreeSet;

/// How many characters of a line are shown.
const LONGEST_LINE: usize = 60;
/// How many lines of a box are shown.
const MOST_LINES_OF_BOX: usize = 24;
/// How many lines of an arrow are shown.
const MOST_LINES_OF_ARROW: usize = 6;
/// How many characters a tooltip has.
const LONGEST_TOOLTIP: usize = 4_000;

/// A box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The lines of text, not too many and not too long.
    pub lines: Vec<String>,
    /// The whole text.
    pub tooltip: String,
    /// Whether an initial state is known to be in it.
    pub is_initial: bool,
    /// Whether it is the state that violates a property.
    pub is_bad: bool,
}

/// An arrow between two boxes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// The index of the box where it begins.
    pub from: usize,
    /// The index of the box where it ends.
    pub to: usize,
    /// The lines of text.
    pub lines: Vec<String>,
    /// The whole text.
    pub tooltip: String,
}

/// A diagram or a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// What it shows.
    pub title: String,
    /// What holds in all boxes, one line for each fact, not too many and not too long.
    pub notes: Vec<String>,
    /// The boxes.
    pub shapes: Vec<Shape>,
    /// The arrows.
    pub arrows: Vec<Arrow>,
}

/// Everything that goes into one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The file's name without its extension: `diagram` or `trace`.
    pub stem: &'static str,
    /// The parts.
    pub groups: Vec<Group>,
}

/// The pictures of a certificate: one of all its diagrams and one of all its traces.
///
/// # Errors
/// When it has neither.
pub fn pictures(system: &System, certificate: &Certificate) -> Result<Vec<Picture>, ExportError> {
    let wording = Wording::of(system);
    let mut pictures = Vec::new();
    if !certificate.diagrams.is_empty() {
        let values = initial_values(system);
        let groups = certificate
            .diagrams
            .iter()
            .map(|diagram| draw_diagram(diagram, certificate, &wording, &values))
            .collect();
        pictures.push(Picture {
            stem: "diagram",
            groups,
        });
    }
    if !certificate.traces.is_empty() {
        let groups = certificate
            .traces
            .iter()
            .enumerate()
            .map(|(number, trace)| draw_trace(number, trace, system, certificate, &wording))
            .collect();
        pictures.push(Picture {
            stem: "trace",
            groups,
        });
    }
    if pictures.is_empty() {
        return Err(ExportError::Nothing(
            "the certificate has neither diagrams nor traces to draw".to_owned(),
        ));
    }
    Ok(pictures)
}

/// The names of the claims for which `uses` holds.
fn claims(certificate: &Certificate, uses: impl Fn(&Evidence) -> bool) -> String {
    let names: Vec<&str> = certificate
        .claims
        .iter()
        .filter(|claim| uses(&claim.evidence))
        .map(|claim| claim.name.as_str())
        .collect();
    names.join(", ")
}

/// What the diagram is called, what it assumes, and what it proves.
fn title(diagram: &Diagram, certificate: &Certificate) -> String {
    let proves = claims(
        certificate,
        |evidence| matches!(evidence, Evidence::Safe(names) if names.contains(&diagram.name)),
    );
    let title = match (proves.is_empty(), diagram.assumes.is_empty()) {
        (true, true) => diagram.name.clone(),
        (false, true) => format!("{}: proves {proves}", diagram.name),
        (true, false) => format!(
            "{} (assumes {})",
            diagram.name,
            bundle_diagrams(diagram.assumes.iter().map(String::as_str)).join(", ")
        ),
        (false, false) => format!(
            "{} (assumes {}): proves {proves}",
            diagram.name,
            bundle_diagrams(diagram.assumes.iter().map(String::as_str)).join(", ")
        ),
    };
    match diagram.is_reduced() {
        true => format!("{title} (reduced: no invariant)"),
        false => title,
    }
}

fn draw_diagram(
    diagram: &Diagram,
    certificate: &Certificate,
    wording: &Wording<'_>,
    initial: &FxHashMap<Symbol, Value>,
) -> Group {
    let title = title(diagram, certificate);
    let positions: FxHashMap<usize, usize> = diagram
        .nodes
        .iter()
        .enumerate()
        .map(|(position, node)| (node.id, position))
        .collect();
    let reading = wording.reading(diagram);
    let common: Vec<String> = reading
        .common
        .iter()
        .map(|fact| fact.text.clone())
        .collect();
    let shapes = diagram
        .nodes
        .iter()
        .zip(&reading.nodes)
        .map(|(node, facts)| {
            let lines: Vec<String> = match facts.as_slice() {
                [] if common.is_empty() => vec!["true".to_owned()],
                facts => facts.iter().map(|fact| fact.text.clone()).collect(),
            };
            let whole = [lines.as_slice(), common.as_slice()].concat();
            Shape {
                tooltip: tooltip(&format!("node {}: {}", node.id, whole.join("; "))),
                lines: shown_lines(node_title(node), lines, MOST_LINES_OF_BOX),
                // Where transitions sleep, no run begins.
                is_initial: node.asleep.is_empty() && holds_initially(node, initial),
                is_bad: false,
            }
        })
        .collect();
    let mut bundles: IndexMap<(usize, usize), Vec<&str>> = IndexMap::new();
    for edge in &diagram.edges {
        if let (Some(&from), Some(&to)) = (positions.get(&edge.from), positions.get(&edge.to)) {
            let names = edge.transitions.iter().map(String::as_str);
            bundles.entry((from, to)).or_default().extend(names);
        }
    }
    let arrows = bundles
        .into_iter()
        .map(|((from, to), names)| {
            let lines = wording.transitions(names.iter().copied());
            let lines = if lines.len() > 1 && is_all(&names, certificate) {
                vec!["all transitions".to_owned()]
            } else {
                lines
            };
            Arrow {
                from,
                to,
                tooltip: tooltip(&wording.transitions(names).join(", ")),
                lines: cut_lines(lines, MOST_LINES_OF_ARROW),
            }
        })
        .collect();
    Group {
        title,
        notes: cut_lines(common, MOST_LINES_OF_BOX),
        shapes,
        arrows,
    }
}

/// The node's number, the region that says which transitions it follows, and how many of these sleep.
fn node_title(node: &Node) -> String {
    let mut title = node.id.to_string();
    if let Some(region) = &node.region {
        title.push_str(&format!(" in {}", cut(region, LONGEST_LINE)));
    }
    if !node.asleep.is_empty() {
        title.push_str(&format!(", {} asleep", node.asleep.len()));
    }
    title
}

/// Whether these are the names of all transitions.
fn is_all(names: &[&str], certificate: &Certificate) -> bool {
    let names: BTreeSet<&str> = names.iter().copied().collect();
    let mut transitions = certificate.transitions.iter();
    !certificate.transitions.is_empty()
        && transitions.all(|transition| names.contains(transition.name.as_str()))
}

fn draw_trace(
    number: usize,
    trace: &Trace,
    system: &System,
    certificate: &Certificate,
    wording: &Wording<'_>,
) -> Group {
    let violates = claims(
        certificate,
        |evidence| matches!(evidence, Evidence::Unsafe(index) if *index == number),
    );
    let mut shapes = Vec::new();
    for (position, state) in trace.states.iter().enumerate() {
        let changed = changed_part(trace, position, state);
        let lines = wording.state(system, &changed);
        let title = format!("state {position}");
        shapes.push(Shape {
            tooltip: tooltip(&format!(
                "{title}: {}",
                wording.state(system, state).join(", ")
            )),
            lines: shown_lines(title, lines, MOST_LINES_OF_BOX),
            is_initial: position == 0,
            is_bad: position + 1 == trace.states.len(),
        });
    }
    let last = shapes.len().saturating_sub(1);
    let arrows = trace
        .steps
        .iter()
        .take(last)
        .enumerate()
        .map(|(position, step)| {
            let mut lines = vec![step.transition.clone()];
            let inputs = step
                .inputs
                .iter()
                .map(|(name, value)| format!("{name} = {value}"));
            lines.extend(inputs);
            Arrow {
                from: position,
                to: position + 1,
                tooltip: tooltip(&lines.join(", ")),
                lines: cut_lines(lines, MOST_LINES_OF_ARROW),
            }
        })
        .collect();
    Group {
        title: format!("violates {violates}"),
        notes: Vec::new(),
        shapes,
        arrows,
    }
}

/// The whole first state, and what differs from the state before in a later one.
fn changed_part(trace: &Trace, position: usize, state: &Valuation) -> Valuation {
    let before = position
        .checked_sub(1)
        .and_then(|position| trace.states.get(position));
    state
        .iter()
        .filter(|(name, value)| before.is_none_or(|before| before.get(*name) != Some(value)))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// The values that the initial condition gives by equations with constants.
fn initial_values(system: &System) -> FxHashMap<Symbol, Value> {
    let mut values = FxHashMap::default();
    for conjunct in system.init.iter().flat_map(Term::conjuncts) {
        let given = match conjunct.kind() {
            Kind::Symbol(symbol) => Some((symbol, Value::Bool(true))),
            Kind::Apply(Operator::Not, inner) => inner[0]
                .as_symbol()
                .map(|symbol| (symbol, Value::Bool(false))),
            Kind::Apply(Operator::Equal, sides) => sides[0]
                .as_symbol()
                .zip(sides[1].as_constant())
                .or_else(|| sides[1].as_symbol().zip(sides[0].as_constant()))
                .map(|(symbol, value)| (symbol, value.clone())),
            _ => None,
        };
        if let Some((symbol, value)) = given {
            values.insert(symbol.clone(), value);
        }
    }
    values
}

/// Whether every conjunct of the label holds for the initial values, as far as they are known.
fn holds_initially(node: &Node, values: &FxHashMap<Symbol, Value>) -> bool {
    let value = |symbol: &Symbol| values.get(symbol).cloned();
    node.label
        .iter()
        .all(|conjunct| conjunct.holds(&value) == Ok(true))
}

fn shown_lines(title: String, lines: Vec<String>, most: usize) -> Vec<String> {
    std::iter::once(title)
        .chain(cut_lines(lines, most))
        .collect()
}

fn cut_lines(lines: Vec<String>, most: usize) -> Vec<String> {
    let total = lines.len();
    let shown = if total > most { most - 1 } else { total };
    let mut kept: Vec<String> = lines
        .into_iter()
        .take(shown)
        .map(|line| cut(&line, LONGEST_LINE))
        .collect();
    if total > shown {
        kept.push(format!("... {} more", total - shown));
    }
    kept
}

/// One line of visible characters.
fn cut(text: &str, longest: usize) -> String {
    let visible = text.chars().map(|character| {
        if is_control(character) {
            ' '
        } else {
            character
        }
    });
    if text.chars().count() <= longest {
        return visible.collect();
    }
    let mut short: String = visible.take(longest.saturating_sub(3)).collect();
    short.push_str("...");
    short
}

fn tooltip(text: &str) -> String {
    cut(text, LONGEST_TOOLTIP)
}
