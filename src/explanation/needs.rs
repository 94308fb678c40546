//! What each fact of a proof is needed for, told by what goes wrong without it.

use super::claims;
use super::document::{Document, Item, Line};
use super::losses::{Loss, Losses, Question, losses};
use super::proofs::{Place, Proof};
use super::situations::transitions;
use crate::solvers::{SolverError, StopSignal};
use slabcert_certificates::certificate::NamedRelation;
use slabcert_certificates::diagram::Diagram;
use slabcert_certificates::obligations::ObligationKind;
use slabcert_certificates::term::{Operator, Symbol, Term};
use slabcert_certificates::trace::Valuation;
use slabcert_certificates::wording::{Fact, bundle_names};
use std::collections::BTreeSet;

/// How many variables of a state are shown before it is cut.
const MOST_VARIABLES: usize = 16;

/// Some facts under one heading.
struct Part<'p> {
    heading: Option<String>,
    facts: Vec<(Place, &'p Fact)>,
}

/// Tells for each fact of a proof what fails without it.
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
        .map(|(place, fact)| Question {
            diagram: place.diagram,
            fact,
        })
        .collect();
    let mut document = Document::default();
    if questions.is_empty() {
        return Ok(document);
    }
    let mut found = losses(proof.system, proof.certificate, &questions, queries, stop)?.into_iter();
    document.heading(3, "What each fact is needed for");
    document.paragraph(
        "Each fact was left out in turn. What could then happen is shown by a step that the model allows.",
    );
    let mut unexamined = 0;
    for part in &parts {
        let mut items = Vec::new();
        for (place, fact) in &part.facts {
            let losses = found.next().unwrap_or_default();
            if losses.found.is_empty() && !losses.is_complete {
                unexamined += 1;
                continue;
            }
            items.push(need(proof, part, *place, fact, &losses));
        }
        if !items.is_empty() {
            if let Some(heading) = &part.heading {
                document.paragraph(heading.as_str());
            }
            document.list(items);
        }
    }
    if unexamined > 0 {
        document.paragraph(format!(
            "Not examined, as it would take too long: {unexamined} of {} facts.",
            questions.len()
        ));
    }
    Ok(document)
}

fn parts<'p>(proof: &'p Proof<'_>) -> Vec<Part<'p>> {
    if proof.is_list_of_facts() {
        return vec![Part {
            heading: None,
            facts: proof.numbered_facts(),
        }];
    }
    let mut parts = Vec::new();
    for (place, diagram, reading) in &proof.diagrams {
        let facts_of = |facts: &'p [Fact]| {
            let place = Place {
                diagram: *place,
                number: 0,
            };
            facts.iter().map(|fact| (place, fact)).collect::<Vec<_>>()
        };
        parts.push(Part {
            heading: Some("In every situation:".to_owned()),
            facts: facts_of(&reading.common),
        });
        for (node, facts) in diagram.nodes.iter().zip(&reading.nodes) {
            parts.push(Part {
                heading: Some(format!("In situation {}:", node.id)),
                facts: facts_of(facts),
            });
        }
    }
    parts
}

/// A fact, what it is needed for, and the first thing that goes wrong without it.
fn need(proof: &Proof<'_>, part: &Part<'_>, place: Place, fact: &Fact, losses: &Losses) -> Item {
    let mut line = Line::default();
    if place.number > 0 {
        line = line.words(format!("fact {}, ", place.number));
    }
    line = line.code(&*fact.text);
    let Some(first) = losses.found.first() else {
        return line
            .words(": needed for nothing, the others are enough.")
            .into();
    };
    let properties = losses.found.iter().filter_map(|loss| match loss.kind {
        ObligationKind::Safety { property, .. } => Some(property),
        _ => None,
    });
    let properties: BTreeSet<usize> = properties.collect();
    let mut steps: Vec<&str> = Vec::new();
    for loss in &losses.found {
        if let ObligationKind::Consecution { transition, .. } = &loss.kind
            && !steps.contains(&transition.as_str())
        {
            steps.push(transition);
        }
    }
    line = line.words(": needed for ");
    let mut is_first = true;
    let named = proof.properties.iter();
    for property in named.filter(|property| properties.contains(&property.index)) {
        line = line.words(if is_first {
            "the claim "
        } else {
            " and the claim "
        });
        line = line.line(claims::name(property));
        is_first = false;
    }
    if !steps.is_empty() {
        line = line.words(if is_first { "" } else { " and " });
        let bundled = bundle_names(steps.iter().copied());
        line = match bundled.len() {
            0..=6 => line.line(transitions(&steps)),
            many => line
                .codes(&bundled[..4], ",")
                .words(format!(" and {} more", many - 4)),
        };
    }
    if !losses.is_complete {
        line = line.words(", and maybe more");
    }
    let mut item = Item::from(line.words("."));
    item.inner.push(example(proof, part, fact, first).into());
    item
}

/// What goes wrong, with the values that matter.
fn example(proof: &Proof<'_>, part: &Part<'_>, fact: &Fact, loss: &Loss) -> Line {
    let (before, after) = Shown::of(proof, part, fact, loss);
    match &loss.kind {
        ObligationKind::Safety { property, .. } => {
            let property = proof
                .properties
                .iter()
                .find(|one| one.index == *property)
                .map_or_else(Line::default, |one| claims::name(one));
            Line::default()
                .line(property)
                .words(" would be violated in ")
                .code(before)
                .words(", which nothing else excludes.")
        }
        ObligationKind::Consecution {
            transition,
            successors,
            diagram,
            ..
        } => {
            let line = Line::new(if successors.is_empty() {
                "The otherwise impossible step "
            } else {
                "The step "
            });
            let line = line
                .code(transition.as_str())
                .line(with_inputs(&loss.inputs))
                .words(" would lead from ")
                .code(before)
                .words(" to ")
                .code(after);
            line.line(place_after(proof, part, diagram, loss))
                .words(".")
        }
        other => Line::new(other.describe()),
    }
}

fn with_inputs(inputs: &Valuation) -> Line {
    let given: Vec<String> = inputs
        .iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    match given.is_empty() {
        true => Line::default(),
        false => Line::new(" with ").codes(&given, "and"),
    }
}

/// Where the state after the step is, as a clause that continues a sentence.
fn place_after(proof: &Proof<'_>, part: &Part<'_>, diagram: &str, loss: &Loss) -> Line {
    let Some((_, diagram, _)) = proof
        .diagrams
        .iter()
        .find(|(_, one, _)| one.name == diagram)
    else {
        return Line::default();
    };
    let Some(after) = &loss.after else {
        return Line::default();
    };
    if proof.is_list_of_facts() {
        return match broken(proof, part, diagram, after) {
            Some((place, text)) => Line::new(", where fact ")
                .words(place.number.to_string())
                .words(" does not hold: ")
                .code(text),
            None => Line::default(),
        };
    }
    let value = |symbol: &Symbol| after.get(symbol.name()).cloned();
    let inside = diagram
        .nodes
        .iter()
        .find(|node| node.label.iter().all(|one| one.holds(&value) == Ok(true)));
    match inside {
        Some(node) => Line::new(format!(
            ", which is in situation {}, where it does not lead otherwise",
            node.id
        )),
        None => Line::new(", which is in none of the situations"),
    }
}

/// The fact of a list that does not hold in a state of its diagram, and the instance of it that fails.
fn broken(
    proof: &Proof<'_>,
    part: &Part<'_>,
    diagram: &Diagram,
    state: &Valuation,
) -> Option<(Place, String)> {
    let conjunct = broken_conjunct(diagram, state)?;
    let of = proof
        .diagrams
        .iter()
        .find(|(_, one, _)| one.name == diagram.name)
        .map(|(place, ..)| *place)?;
    let (place, _) = part
        .facts
        .iter()
        .find(|(place, fact)| place.diagram == of && fact.conjuncts.contains(&(0, conjunct)))?;
    let term = diagram.nodes.first()?.label.get(conjunct)?;
    Some((
        *place,
        proof.wording.label(std::slice::from_ref(term)).join(" && "),
    ))
}

/// The place of the first conjunct of the first node's label that does not hold in a state.
fn broken_conjunct(diagram: &Diagram, state: &Valuation) -> Option<usize> {
    let value = |symbol: &Symbol| state.get(symbol.name()).cloned();
    let label = &diagram.nodes.first()?.label;
    label.iter().position(|one| one.holds(&value) == Ok(false))
}

/// What is shown of the states of a loss.
struct Shown;

impl Shown {
    /// The values before that matter, and those that change.
    fn of(proof: &Proof<'_>, part: &Part<'_>, fact: &Fact, loss: &Loss) -> (String, String) {
        let relevant = relevant(proof, part, fact, loss);
        let before: Valuation = loss
            .before
            .iter()
            .filter(|(name, _)| relevant.contains(name.as_str()))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let after: Valuation = loss
            .after
            .iter()
            .flatten()
            .filter(|(name, value)| loss.before.get(*name) != Some(*value))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let write = |state: &Valuation| {
            let mut values = proof.wording.state(proof.system, state);
            let hidden = values.len().saturating_sub(MOST_VARIABLES);
            values.truncate(MOST_VARIABLES);
            if hidden > 0 {
                values.push(format!("... ({hidden} more)"));
            }
            values.join(", ")
        };
        (write(&before), write(&after))
    }
}

/// The variables whose values before a step matter for what goes wrong: those of the fact that is left out, of the transition's
/// condition, and of what else is known or broken.
fn relevant(proof: &Proof<'_>, part: &Part<'_>, fact: &Fact, loss: &Loss) -> BTreeSet<String> {
    let mut formulas: Vec<Term> = Vec::new();
    let value = |symbol: &Symbol| loss.before.get(symbol.name()).cloned();
    let (diagram_name, transition) = match &loss.kind {
        ObligationKind::Consecution {
            diagram,
            transition,
            ..
        } => (diagram, Some(transition)),
        ObligationKind::Safety { diagram, .. } => (diagram, None),
        _ => return BTreeSet::new(),
    };
    for (_, diagram, _) in &proof.diagrams {
        for (node, conjunct) in &fact.conjuncts {
            let dropped = diagram
                .nodes
                .get(*node)
                .and_then(|node| node.label.get(*conjunct));
            formulas.extend(
                dropped
                    .filter(|one| one.holds(&value) == Ok(false))
                    .cloned(),
            );
        }
    }
    let _ = part;
    if let Some((_, diagram, _)) = proof
        .diagrams
        .iter()
        .find(|(_, one, _)| one.name == *diagram_name)
    {
        match (proof.is_list_of_facts(), &loss.after) {
            (true, Some(after)) => formulas.extend(
                broken_conjunct(diagram, after)
                    .and_then(|place| diagram.nodes[0].label.get(place).cloned()),
            ),
            _ => {}
        }
    }
    let ranges = claims::ranges(proof.system);
    match transition {
        Some(name) => {
            let relation = proof
                .certificate
                .transitions
                .iter()
                .find(|one| one.name == *name);
            formulas.extend(
                relation
                    .map(|relation| conditions(relation, &ranges))
                    .unwrap_or_default(),
            );
        }
        None => formulas.extend(proof.properties.iter().map(|one| one.formula.clone())),
    }
    formulas
        .iter()
        .flat_map(Term::symbols)
        .map(|symbol| symbol.name().to_owned())
        .collect()
}

/// The conjuncts of a transition that say more than that a variable keeps its value or is in its range.
fn conditions(relation: &NamedRelation, ranges: &BTreeSet<Term>) -> Vec<Term> {
    let is_frame = |conjunct: &Term| match conjunct.as_application() {
        Some((Operator::Equal, [left, right])) => {
            relation.frame.iter().any(|symbol| {
                [left, right]
                    .iter()
                    .any(|side| side.as_symbol() == Some(symbol))
            }) && [left, right].iter().all(|side| side.as_symbol().is_some())
        }
        _ => false,
    };
    let conjuncts = relation.relation.conjuncts().into_iter();
    conjuncts
        .filter(|conjunct| !is_frame(conjunct) && !ranges.contains(conjunct))
        .collect()
}
