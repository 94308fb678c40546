//! What each fact of a proof is needed for: what fails without it.

use super::claims;
use super::document::{Document, Item, Line};
use super::examples::Example;
use super::failing_obligations::{FailingObligations, Question, failing_obligations};
use super::proofs::{Group, Proof};
use crate::solvers::{SolverError, StopSignal};
use slabcert_certificates::obligations::ObligationKind;
use slabcert_exports::wording::Fact;
use std::collections::BTreeSet;

/// For how many facts of a proof an example is shown.
const MOST_EXAMPLES: usize = 120;

/// How many families of transitions are named before they are counted.
const MOST_TRANSITIONS: usize = 6;

/// Some facts under one heading.
struct StoryPart<'p> {
    heading: Option<String>,
    facts: Vec<Group<'p>>,
}

/// Shows for each fact of a proof what fails without it.
///
/// # Errors
/// When there is no solver of the right version.
pub(super) fn explain(
    proof: &Proof<'_>,
    queries: u64,
    stop: &StopSignal,
) -> Result<Document, SolverError> {
    let parts = parts(proof);
    let questions: Vec<Question<'_>> = parts
        .iter()
        .flat_map(|part| &part.facts)
        .map(|fact| Question {
            diagram: fact.diagram,
            conjuncts: &fact.conjuncts,
        })
        .collect();
    let mut document = Document::default();
    if questions.is_empty() {
        return Ok(document);
    }
    // Facts may serve other proofs too, which have explanations of their own.
    let mut own = proof.certificate.clone();
    own.claims
        .retain(|claim| proof.properties.iter().any(|it| it.index == claim.property));
    let found = failing_obligations(proof.system, &own, &questions, queries, stop)?;
    let mut found = found.into_iter();
    document.heading(3, "What each fact is needed for");
    document.paragraph(match questions.len() {
        1 => "It was left out to see what fails then.".to_owned(),
        count if count > MOST_EXAMPLES => format!(
            "Each fact was left out in turn to see what fails then; examples are shown for the first {MOST_EXAMPLES} of {count}."
        ),
        _ => "Each fact was left out in turn to see what fails then.".to_owned(),
    });
    let (mut unexamined, mut examined) = (0, 0);
    for part in &parts {
        let mut items = Vec::new();
        for fact in &part.facts {
            let failing = found.next().unwrap_or_default();
            if failing.found.is_empty() && !failing.is_complete {
                unexamined += 1;
                continue;
            }
            let mut item = Item::from(need(proof, fact, &failing));
            if let Some(first) = failing.found.first().filter(|_| examined < MOST_EXAMPLES) {
                let example = Example::of(proof, &part.facts, fact, first);
                item.inner.push(example.sentence().into());
            }
            examined += 1;
            items.push(item);
        }
        if let Some(heading) = part.heading.as_ref().filter(|_| !items.is_empty()) {
            document.paragraph(heading.as_str());
        }
        document.list(items);
    }
    if unexamined > 0 {
        document.paragraph(format!(
            "Not examined, as it would take too long: {unexamined} of {} facts.",
            questions.len()
        ));
    }
    Ok(document)
}

fn parts<'p>(proof: &'p Proof<'_>) -> Vec<StoryPart<'p>> {
    if proof.is_list_of_facts() {
        return vec![StoryPart {
            heading: None,
            facts: proof.numbered_facts(),
        }];
    }
    let mut parts = Vec::new();
    for (diagram_index, diagram, reading) in &proof.diagrams {
        let groups = |facts: &'p [Fact]| {
            facts
                .iter()
                .map(|fact| Group::of(*diagram_index, 0, fact))
                .collect()
        };
        parts.push(StoryPart {
            heading: Some("In every situation:".to_owned()),
            facts: groups(&reading.common),
        });
        for (node, facts) in diagram.nodes.iter().zip(&reading.nodes) {
            parts.push(StoryPart {
                heading: Some(format!("In situation {}:", node.id)),
                facts: groups(facts),
            });
        }
    }
    parts
}

/// A fact, and what it is needed for.
fn need(proof: &Proof<'_>, fact: &Group<'_>, failing: &FailingObligations) -> Line {
    let mut line = match fact.number {
        0 => Line::default(),
        number => Line::new(format!("fact {number}, ")),
    };
    line = line.codes(&fact.lines[..1], "");
    if fact.lines.len() > 1 {
        line = line.words(" and similar facts");
    }
    if failing.found.is_empty() {
        return line.words(": redundant, the other facts suffice.");
    }
    let mut for_what: Vec<Line> = Vec::new();
    let mut steps: BTreeSet<&str> = BTreeSet::new();
    for failure in &failing.found {
        match &failure.kind {
            ObligationKind::Safety { property, .. } => {
                let mut properties = proof.properties.iter();
                let claim = properties.find(|one| one.index == *property);
                let claim = Line::new("the claim ").line(
                    claim
                        .map(|one| claims::name(one, proof.system))
                        .unwrap_or_default(),
                );
                if !for_what.contains(&claim) {
                    for_what.push(claim);
                }
            }
            ObligationKind::Consecution { transition, .. } => {
                steps.insert(transition);
            }
            ObligationKind::Reduction { .. } => {
                let left_out = Line::new("what is not followed");
                if !for_what.contains(&left_out) {
                    for_what.push(left_out);
                }
            }
            ObligationKind::Cover
            | ObligationKind::Translation(_)
            | ObligationKind::Initiation { .. } => {}
        }
    }
    let in_order = proof.certificate.transitions.iter();
    let names = in_order
        .map(|one| one.name.as_str())
        .filter(|name| steps.contains(name));
    let names = proof.wording.transitions(names);
    let shown = if names.len() > MOST_TRANSITIONS {
        MOST_TRANSITIONS - 1
    } else {
        names.len()
    };
    for_what.extend(names[..shown].iter().map(Line::of_code));
    if names.len() > shown {
        for_what.push(Line::new(format!(
            "{} more transitions",
            names.len() - shown
        )));
    }
    if !failing.is_complete {
        for_what.push(Line::new("possibly more"));
    }
    line.words(": needed for ")
        .series(for_what, "and")
        .words(".")
}
