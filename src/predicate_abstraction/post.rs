//! Abstract strongest postconditions: the predicates that hold after all steps of a transition from a node, or in all initial states.

use crate::slicing::graph::TransitionIndex;
use crate::slicing::oracle::{Oracle, OracleAnswer, Stopped};
use crate::slicing::predicates::{Label, Literal};
use crate::slicing::witness::Point;
use std::collections::BTreeSet;

/// Where the states of a node come from.
#[derive(Clone, Copy)]
pub enum Source<'a> {
    /// They are initial.
    Initial,
    /// They are reached by a transition from states of a label.
    Step(&'a Label, TransitionIndex),
}

impl Source<'_> {
    /// Whether there is a state of the label, and which.
    fn ask(
        self,
        oracle: &mut Oracle<'_>,
        label: Vec<Literal>,
    ) -> Result<OracleAnswer<Point>, Stopped> {
        let label = Label::of(label);
        let point = match self {
            Source::Initial => match oracle.initial(&label)? {
                OracleAnswer::Possible(point) => (*point).clone(),
                OracleAnswer::Impossible => return Ok(OracleAnswer::Impossible),
                OracleAnswer::Undecided => return Ok(OracleAnswer::Undecided),
            },
            Source::Step(before, transition) => match oracle.step(before, transition, &label)? {
                OracleAnswer::Possible(step) => step.after.clone(),
                OracleAnswer::Impossible => return Ok(OracleAnswer::Impossible),
                OracleAnswer::Undecided => return Ok(OracleAnswer::Undecided),
            },
        };
        Ok(OracleAnswer::Possible(point))
    }
}

/// The strongest conjunction of literals of the predicates that holds in all states from the source in which `given` holds, together
/// with `given` (cartesian abstraction); `None` when there are no such states.
///
/// # Errors
/// When the search is to stop.
pub fn strongest_postcondition(
    oracle: &mut Oracle<'_>,
    source: Source<'_>,
    given: &[Literal],
    predicates: &BTreeSet<Literal>,
) -> Result<Option<Label>, Stopped> {
    let mut points = Vec::new();
    match source.ask(oracle, given.to_vec())? {
        OracleAnswer::Impossible => return Ok(None),
        OracleAnswer::Possible(point) => points.push(point),
        OracleAnswer::Undecided => {}
    }
    let mut label = given.to_vec();
    for predicate in predicates {
        for literal in [*predicate, predicate.negated()] {
            let fails = |point: &Point| oracle.holds_at(literal, point) == Some(false);
            if points.iter().any(fails) {
                continue;
            }
            if is_inherited(oracle, source, literal) {
                label.push(literal);
                break;
            }
            let otherwise = given.iter().copied().chain([literal.negated()]);
            match source.ask(oracle, otherwise.collect())? {
                OracleAnswer::Impossible => {
                    label.push(literal);
                    break;
                }
                OracleAnswer::Possible(point) => points.push(point),
                OracleAnswer::Undecided => {}
            }
        }
    }
    Ok(Some(Label::of(label)))
}

/// The most predicates by whose combinations a node is split.
pub const MOST_COMBINED: usize = 6;

/// A postcondition split by the predicates that it leaves open: a label for each combination of them that some state from the source may
/// have (Boolean abstraction). `None` where that says no more, or where there are more than [`MOST_COMBINED`].
///
/// # Errors
/// When the search is to stop.
pub fn combinations(
    oracle: &mut Oracle<'_>,
    source: Source<'_>,
    label: &Label,
    predicates: &BTreeSet<Literal>,
) -> Result<Option<Vec<Vec<Literal>>>, Stopped> {
    let open = predicates.iter().filter(|it| !label.decides(**it));
    let open: Vec<Literal> = open.copied().collect();
    if open.len() > MOST_COMBINED {
        return Ok(None);
    }
    let mut found: Vec<Vec<Literal>> = vec![Vec::new()];
    for predicate in &open {
        let mut longer = Vec::new();
        for case in found {
            for literal in [*predicate, predicate.negated()] {
                let case: Vec<Literal> = case.iter().copied().chain([literal]).collect();
                let asked = label.iter().chain(&case).copied().collect();
                if !matches!(source.ask(oracle, asked)?, OracleAnswer::Impossible) {
                    longer.push(case);
                }
            }
        }
        found = longer;
    }
    Ok((found.len() < 1 << open.len()).then_some(found))
}

/// Whether the literal holds before the step, which changes nothing that it mentions.
fn is_inherited(oracle: &Oracle<'_>, source: Source<'_>, literal: Literal) -> bool {
    let Source::Step(before, transition) = source else {
        return false;
    };
    let system = oracle.system();
    let kept = &system.transition(transition).kept;
    before.set().contains(literal)
        && oracle
            .predicates()
            .formula(literal)
            .variables()
            .into_iter()
            .flat_map(|variable| system.state_variables_of(variable))
            .all(|variable| kept[variable])
}
