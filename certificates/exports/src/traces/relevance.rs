//! What matters in a trace: backwards from the violation, the variables that it depends on, and the steps that set them.
//!
//! This is a slice over concrete values (Korel and Laski, *Dynamic program slicing*, 1988): what counts is why the last state violates
//! the property, and before that how each value that matters came about and why the step was possible. A step that leaves all values
//! that matter as they are does not matter itself. That variables stay in their declared ranges, which are properties of their own, is
//! taken for granted.

use super::reasons::{Reason, reasons, support};
use slabcert_certificates::certificate::Certificate;
use slabcert_certificates::system::{Property, SymbolRole, System};
use slabcert_certificates::term::{EvaluationError, Operator, Symbol, Term};
use slabcert_certificates::trace::step_valuation::{StepValuation, StepValuations};
use slabcert_certificates::trace::{Trace, Valuation};
use std::collections::{BTreeMap, BTreeSet};

/// Why a step that matters was possible, and what it did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepRelevance {
    /// Whether the step matters.
    pub matters: bool,
    /// The facts about the state and the inputs that made it possible.
    pub conditions: Vec<Reason>,
    /// The inputs that matter, by name.
    pub inputs: BTreeSet<String>,
}

/// What matters in a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Relevance {
    /// For each state, the variables whose values there matter, by index.
    pub variables: Vec<BTreeSet<usize>>,
    /// For each step, whether and why.
    pub steps: Vec<StepRelevance>,
    /// The facts about the last state that violate the property.
    pub violation: Vec<Reason>,
}

impl Relevance {
    /// The variables that matter in no state.
    pub fn irrelevant(&self, system: &System) -> Vec<usize> {
        let everywhere: BTreeSet<usize> = self.variables.iter().flatten().copied().collect();
        (0..system.variables.len())
            .filter(|index| !everywhere.contains(index))
            .collect()
    }
}

/// What matters in a trace of a certificate for the violation of a property.
///
/// # Errors
/// When a formula has no value, as for a trace that is not a run.
pub fn relevance(
    system: &System,
    certificate: &Certificate,
    trace: &Trace,
    property: &Property,
) -> Result<Relevance, EvaluationError> {
    let relations = certificate.transitions.iter();
    let slicer = Slicer {
        valuations: StepValuations::of(system),
        relations: relations
            .map(|transition| (transition.name.as_str(), &transition.relation))
            .collect(),
        granted: bounds(system, property),
    };
    let Some(last) = trace.states.last() else {
        return Ok(Relevance::default());
    };
    let valuation = slicer.valuations.state(last, &trace.final_inputs);
    let mut violation = reasons(&property.formula, &valuation)?;
    violation.retain(|reason| !slicer.granted.contains(&reason.part));
    let facts = violation.iter();
    let mut needed = slicer.variables(facts.flat_map(|fact| fact.part.symbols()));
    let mut found = Relevance {
        variables: vec![needed.clone()],
        steps: Vec::new(),
        violation,
    };
    for (step, states) in trace.steps.iter().zip(trace.states.windows(2)).rev() {
        let relation = slicer.relations.get(step.transition.as_str());
        let moved = Moved {
            before: &states[0],
            after: &states[1],
            inputs: &step.inputs,
        };
        let (before, relevance) = match relation {
            Some(relation) => slicer.step(relation, &moved, &needed)?,
            None => (needed.clone(), StepRelevance::default()),
        };
        needed = before;
        found.variables.push(needed.clone());
        found.steps.push(relevance);
    }
    found.variables.reverse();
    found.steps.reverse();
    Ok(found)
}

/// Formulas about one variable that other properties state.
fn bounds(system: &System, property: &Property) -> BTreeSet<Term> {
    let others = system.properties.iter();
    others
        .filter(|other| other.index != property.index)
        .flat_map(|other| other.formula.conjuncts())
        .filter(|conjunct| conjunct.symbols().len() == 1)
        .collect()
}

/// A step with its values.
struct Moved<'a> {
    before: &'a Valuation,
    after: &'a Valuation,
    inputs: &'a Valuation,
}

struct Slicer<'a> {
    valuations: StepValuations<'a>,
    relations: BTreeMap<&'a str, &'a Term>,
    granted: BTreeSet<Term>,
}

impl Slicer<'_> {
    fn variables(&self, symbols: impl IntoIterator<Item = Symbol>) -> BTreeSet<usize> {
        symbols
            .into_iter()
            .filter_map(|symbol| match self.valuations.role(&symbol)? {
                SymbolRole::Current(index) => Some(index),
                _ => None,
            })
            .collect()
    }

    /// Which values before a step matter for those that matter after it, and whether the step does.
    fn step(
        &self,
        relation: &Term,
        moved: &Moved<'_>,
        needed: &BTreeSet<usize>,
    ) -> Result<(BTreeSet<usize>, StepRelevance), EvaluationError> {
        let valuation = self
            .valuations
            .step(moved.before, moved.inputs, moved.after);
        let is_same = |index: &usize| {
            let name = self.valuations.system().variables[*index].name();
            moved.before.get(name) == moved.after.get(name)
        };
        if needed.iter().all(is_same) {
            return Ok((needed.clone(), StepRelevance::default()));
        }
        let mut symbols = BTreeSet::new();
        let mut conditions = Vec::new();
        for conjunct in relation.conjuncts() {
            if let Some((written, value)) = self.update(&conjunct) {
                if needed.contains(&written) {
                    symbols.extend(support(&value, &valuation)?);
                }
                continue;
            }
            let is_guard = self.written(&conjunct).is_empty();
            if self.granted.contains(&conjunct)
                || !is_guard && self.written(&conjunct).is_disjoint(needed)
            {
                continue;
            }
            let found = self.facts(&conjunct, &valuation)?;
            symbols.extend(found.iter().flat_map(|reason| reason.part.symbols()));
            if is_guard {
                conditions.extend(found);
            }
        }
        let inputs = symbols
            .iter()
            .filter(|symbol| matches!(self.valuations.role(symbol), Some(SymbolRole::Input(_))))
            .map(|symbol| symbol.name().to_owned())
            .collect();
        let relevance = StepRelevance {
            matters: true,
            conditions,
            inputs,
        };
        Ok((self.variables(symbols), relevance))
    }

    fn facts(
        &self,
        conjunct: &Term,
        valuation: &StepValuation<'_>,
    ) -> Result<Vec<Reason>, EvaluationError> {
        let mut found = reasons(conjunct, valuation)?;
        found.retain(|reason| !self.granted.contains(&reason.part));
        Ok(found)
    }

    /// The variable that a conjunct gives the value of a term without next values.
    fn update(&self, conjunct: &Term) -> Option<(usize, Term)> {
        let (Operator::Equal, [left, right]) = conjunct.as_application()? else {
            return None;
        };
        for (target, value) in [(left, right), (right, left)] {
            if let Some(SymbolRole::Next(index)) =
                target.as_symbol().and_then(|it| self.valuations.role(it))
                && self.written(value).is_empty()
            {
                return Some((index, value.clone()));
            }
        }
        None
    }

    /// The variables whose next values a formula mentions.
    fn written(&self, formula: &Term) -> BTreeSet<usize> {
        let symbols = formula.symbols().into_iter();
        symbols
            .filter_map(|symbol| match self.valuations.role(&symbol)? {
                SymbolRole::Next(index) => Some(index),
                _ => None,
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use slabcert_certificates::certificate::NamedRelation;
    use slabcert_certificates::term::Value;
    use slabcert_certificates::trace::Step;
    use slabcert_certificates::vmt::read_vmt;

    /// x counts while it is allowed; y counts for itself; z is set from an input.
    const SYSTEM: &str = "
        (declare-fun x () Int) (declare-fun x.n () Int) (declare-fun y () Int) (declare-fun y.n () Int)
        (declare-fun z () Int) (declare-fun z.n () Int) (declare-fun on () Bool) (declare-fun on.n () Bool)
        (declare-fun d () Int)
        (define-fun .x () Int (! x :next x.n)) (define-fun .y () Int (! y :next y.n))
        (define-fun .z () Int (! z :next z.n)) (define-fun .on () Bool (! on :next on.n))
        (define-fun .i () Bool (! true :init true)) (define-fun .t () Bool (! true :trans true))
        (define-fun .p () Bool (! (=> (<= 0 y) (not (and (= x 1) (= z 5)))) :invar-property 0))
        (define-fun .q () Bool (! (<= 0 y) :invar-property 1))";

    fn relation(
        system: &System,
        name: &str,
        updates: &[(&str, Term)],
        guard: Term,
    ) -> NamedRelation {
        let equations = system.variables.iter().map(|variable| {
            let update = updates.iter().find(|(name, _)| *name == variable.name());
            let value =
                update.map_or_else(|| Term::symbol(variable.current.clone()), |it| it.1.clone());
            Term::symbol(variable.next.clone()).equals(value)
        });
        NamedRelation {
            name: name.to_owned(),
            relation: Term::and(std::iter::once(guard).chain(equations)),
            inputs: Vec::new(),
            frame: Vec::new(),
        }
    }

    /// The trace of some transitions from all zero, the inputs being 5.
    fn sliced(names: &[&str]) -> (System, Relevance) {
        let system = read_vmt(SYSTEM).unwrap();
        let symbol = |name: &str| {
            let variable = system.variables.iter().find(|it| it.name() == name);
            Term::symbol(variable.unwrap().current.clone())
        };
        let plus = |name: &str| {
            Term::sum(
                [symbol(name), Term::int(1)],
                slabcert_certificates::term::Sort::Int,
            )
        };
        let d = Term::symbol(system.inputs[0].symbol.clone());
        let allowed = Term::and([symbol("on"), Term::int(0).less_or_equal(symbol("y"))]);
        let certificate = Certificate {
            transitions: vec![
                relation(
                    &system,
                    "allow",
                    &[("on", Term::bool(true))],
                    Term::bool(true),
                ),
                relation(&system, "x", &[("x", plus("x"))], allowed),
                relation(&system, "y", &[("y", plus("y"))], Term::bool(true)),
                relation(&system, "z", &[("z", d)], Term::bool(true)),
            ],
            ..Certificate::default()
        };
        let number = |value: u32| Value::Int(value.into());
        let mut state = Valuation::from([
            ("x".to_owned(), number(0)),
            ("y".to_owned(), number(0)),
            ("z".to_owned(), number(0)),
            ("on".to_owned(), Value::Bool(false)),
        ]);
        let mut trace = Trace {
            states: vec![state.clone()],
            ..Trace::default()
        };
        for name in names {
            let (target, value) = match *name {
                "allow" => ("on", Value::Bool(true)),
                "z" => ("z", number(5)),
                _ => (*name, number(1)),
            };
            state.insert(target.to_owned(), value);
            trace.states.push(state.clone());
            trace.steps.push(Step {
                transition: (*name).to_owned(),
                inputs: Valuation::from([("d".to_owned(), number(5))]),
            });
        }
        let found = relevance(&system, &certificate, &trace, &system.properties[0]).unwrap();
        (system, found)
    }

    #[test]
    fn what_the_violation_depends_on_matters_and_nothing_else() {
        let (system, found) = sliced(&["allow", "y", "x", "z"]);
        let matters: Vec<bool> = found.steps.iter().map(|step| step.matters).collect();
        assert_eq!(matters, [true, false, true, true]);
        let names = |indices: &BTreeSet<usize>| {
            let names = indices.iter().map(|index| system.variables[*index].name());
            names.collect::<Vec<_>>().join(" ")
        };
        let variables: Vec<String> = found.variables.iter().map(names).collect();
        assert_eq!(variables, ["x", "x on", "x on", "x", "x z"]);
        let irrelevant = found.irrelevant(&system);
        assert_eq!(names(&irrelevant.into_iter().collect()), "y");
        assert_eq!(found.steps[3].inputs, BTreeSet::from(["d".to_owned()]));
        assert!(found.steps[2].inputs.is_empty());
        let facts = |reasons: &[Reason]| {
            let facts = reasons.iter().map(|reason| reason.fact().to_string());
            facts.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(facts(&found.steps[2].conditions), "on");
        assert_eq!(facts(&found.violation), "(= x 1) (= z 5)");
    }

    #[test]
    fn a_trace_without_a_state_has_nothing_that_matters() {
        let system = read_vmt(SYSTEM).unwrap();
        let (certificate, property) = (Certificate::default(), &system.properties[0]);
        let found = relevance(&system, &certificate, &Trace::default(), property).unwrap();
        assert_eq!(found, Relevance::default());
        let broken = Trace {
            states: vec![Valuation::new()],
            ..Trace::default()
        };
        assert!(relevance(&system, &certificate, &broken, property).is_err());
    }
}
