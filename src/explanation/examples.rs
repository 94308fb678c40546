//! A step or a state that shows what fails without a fact, with the values that matter.

use super::claims;
use super::document::Line;
use super::failing_obligations::FailingObligation;
use super::proofs::{Group, Proof};
use slabcert_certificates::certificate::NamedRelation;
use slabcert_certificates::diagram::Diagram;
use slabcert_certificates::obligations::ObligationKind;
use slabcert_certificates::term::{Operator, Symbol, Term};
use slabcert_certificates::trace::Valuation;
use std::collections::BTreeSet;

/// How many variables of a state are shown before it is cut.
const MOST_VARIABLES: usize = 16;

/// What fails without a fact.
pub(super) struct Example<'p> {
    proof: &'p Proof<'p>,
    /// The facts of the list that the fact stands in.
    facts: &'p [Group<'p>],
    fact: &'p Group<'p>,
    failure: &'p FailingObligation,
    /// The diagram whose obligation fails.
    diagram: Option<&'p Diagram>,
}

impl<'p> Example<'p> {
    pub fn of(
        proof: &'p Proof<'p>,
        facts: &'p [Group<'p>],
        fact: &'p Group<'p>,
        failure: &'p FailingObligation,
    ) -> Example<'p> {
        let name = match &failure.kind {
            ObligationKind::Consecution { diagram, .. }
            | ObligationKind::Safety { diagram, .. } => Some(diagram),
            _ => None,
        };
        let mut diagrams = proof.diagrams.iter().map(|(_, diagram, _)| *diagram);
        Example {
            proof,
            facts,
            fact,
            failure,
            diagram: diagrams.find(|diagram| Some(&diagram.name) == name),
        }
    }

    /// The sentence.
    pub fn sentence(&self) -> Line {
        if self.failure.is_impossible {
            return "It excludes values outside of the model's types.".into();
        }
        let before = self.write(self.before());
        match &self.failure.kind {
            ObligationKind::Safety { property, .. } => {
                let mut properties = self.proof.properties.iter();
                let property = properties.find(|one| one.index == *property);
                let line = property
                    .map(|one| claims::name(one, self.proof.system))
                    .unwrap_or_default();
                line.words(" would be violated in ")
                    .code(before)
                    .words(", which no other fact excludes.")
            }
            ObligationKind::Consecution {
                transition,
                successors,
                ..
            } => {
                let line = Line::new(if successors.is_empty() {
                    "The excluded step "
                } else {
                    "The step "
                });
                line.code(transition)
                    .line(self.inputs(transition))
                    .words(" would lead from ")
                    .code(before)
                    .words(" to ")
                    .code(self.write(self.changed()))
                    .line(self.after_clause())
                    .words(".")
            }
            other => other.describe().into(),
        }
    }

    fn inputs(&self, transition: &str) -> Line {
        let given: Vec<String> = self
            .failure
            .inputs
            .iter()
            .map(|(name, value)| {
                let own = name
                    .strip_prefix(transition)
                    .and_then(|rest| rest.strip_prefix('.'));
                format!("{} = {value}", own.unwrap_or(name))
            })
            .collect();
        match given.is_empty() {
            true => Line::default(),
            false => Line::new(" with ").codes(&given, "and"),
        }
    }

    /// Values of a state in the notation of the model, locations of processes first.
    fn write(&self, state: Valuation) -> String {
        let system = self.proof.system;
        let mut variables: Vec<_> = system.variables.iter().collect();
        variables.sort_by_key(|variable| !self.proof.wording.is_location(&variable.current));
        let mut values: Vec<String> = variables
            .into_iter()
            .filter_map(|variable| {
                let value = state.get(variable.name())?;
                Some(self.proof.wording.assignment(&variable.current, value))
            })
            .collect();
        let hidden = values.len().saturating_sub(MOST_VARIABLES);
        values.truncate(MOST_VARIABLES);
        if hidden > 0 {
            values.push(format!("... ({hidden} more)"));
        }
        values.join(", ")
    }

    /// The values that a step changes; all if it changes none.
    fn changed(&self) -> Valuation {
        let Some(after) = &self.failure.after else {
            return Valuation::new();
        };
        let changed: Valuation = after
            .iter()
            .filter(|(name, value)| self.failure.before.get(*name) != Some(*value))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        if changed.is_empty() {
            return self.before();
        }
        changed
    }

    /// The values before that matter.
    fn before(&self) -> Valuation {
        let relevant = self.relevant();
        self.failure
            .before
            .iter()
            .filter(|(name, _)| relevant.contains(name.as_str()))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }

    /// The variables whose values before a step matter: those of what is left out and does not hold, of what the transition or the
    /// property says, and of the fact that is broken by the step.
    fn relevant(&self) -> BTreeSet<String> {
        let ranges = claims::ranges(self.proof.system);
        let value = |symbol: &Symbol| self.failure.before.get(symbol.name()).cloned();
        let certificate = self.proof.certificate;
        let of = certificate.diagrams.get(self.fact.diagram);
        let dropped = self.fact.conjuncts.iter().filter_map(|(node, conjunct)| {
            let node = of?.nodes.get(*node)?;
            node.label.get(*conjunct)
        });
        let mut formulas: Vec<Term> = dropped
            .filter(|one| one.holds(&value) == Ok(false))
            .cloned()
            .collect();
        match &self.failure.kind {
            ObligationKind::Consecution { transition, .. } => {
                let mut transitions = certificate.transitions.iter();
                if let Some(relation) = transitions.find(|one| one.name == *transition) {
                    formulas.extend(conditions(relation, &ranges));
                }
                if let Some((_, broken)) = self.broken() {
                    formulas.push(broken.clone());
                }
            }
            _ => {
                let properties = self.proof.properties.iter();
                formulas.extend(properties.flat_map(|property| property.formula.conjuncts()));
            }
        }
        formulas
            .iter()
            .flat_map(Term::symbols)
            .map(|symbol| symbol.name().to_owned())
            .collect()
    }

    /// Where the state after the step is, as a clause that continues a sentence.
    fn after_clause(&self) -> Line {
        let (Some(diagram), Some(after)) = (self.diagram, &self.failure.after) else {
            return Line::default();
        };
        if self.proof.is_list_of_facts() {
            let Some((fact, broken)) = self.broken() else {
                return Line::default();
            };
            let text = self.proof.wording.label(std::slice::from_ref(broken));
            return Line::new(format!(", where fact {} fails: ", fact.number))
                .code(text.join(" && "));
        }
        let value = |symbol: &Symbol| after.get(symbol.name()).cloned();
        let mut nodes = diagram.nodes.iter();
        let inside = nodes.find(|node| node.label.iter().all(|one| one.holds(&value) == Ok(true)));
        match inside {
            Some(node) => Line::new(format!(
                ", which is in situation {}, but the diagram has no such edge",
                node.id
            )),
            None => Line::new(", which is in no situation"),
        }
    }

    /// The fact of a list that the step breaks, and the conjunct of it.
    fn broken(&self) -> Option<(&'p Group<'p>, &'p Term)> {
        let after = self.failure.after.as_ref()?;
        let value = |symbol: &Symbol| after.get(symbol.name()).cloned();
        let label = &self.diagram?.nodes.first()?.label;
        let conjunct = label
            .iter()
            .position(|one| one.holds(&value) == Ok(false))?;
        let certificate = self.proof.certificate;
        let facts = self.facts.iter();
        let fact = facts.filter(|fact| fact.number > 0).find(|fact| {
            let diagram = certificate.diagrams.get(fact.diagram);
            diagram.map(|one| &one.name) == self.diagram.map(|one| &one.name)
                && fact.conjuncts.contains(&(0, conjunct))
        })?;
        Some((fact, label.get(conjunct)?))
    }
}

/// The conjuncts of a transition that say more than that a variable keeps its value or is in its range.
fn conditions(relation: &NamedRelation, ranges: &BTreeSet<Term>) -> Vec<Term> {
    let is_frame = |conjunct: &Term| match conjunct.as_application() {
        Some((Operator::Equal, [left, right])) => {
            let symbols = [left, right].map(Term::as_symbol);
            let mut kept = relation.frame.iter();
            symbols.iter().all(Option::is_some) && kept.any(|one| symbols.contains(&Some(one)))
        }
        _ => false,
    };
    let conjuncts = relation.relation.conjuncts().into_iter();
    conjuncts
        .filter(|conjunct| !is_frame(conjunct) && !ranges.contains(conjunct))
        .collect()
}
