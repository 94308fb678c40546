//! The strongest clauses that no sample contradicts.
//!
//! A clause says: with the control variables of at most two processes at these locations, one of at most two literals holds. A clause
//! is left out if a stronger one is there: with fewer conditions, fewer literals, or literals that imply its own. Invariant: together
//! the clauses that are found imply every clause of this shape that holds in all samples.

use super::implications::Implications;
use super::samples::{Control, View};
use slabcert_certificates::term::Term;
use std::collections::{BTreeMap, BTreeSet};

/// A condition: a control variable and its value.
type Condition = (usize, usize);

/// A clause as numbers of conditions and literals.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Shape {
    pub conditions: Vec<Condition>,
    /// Twice the atom's number, plus one for its negation.
    pub literals: Vec<usize>,
}

impl Shape {
    /// The clause as a template.
    pub fn template(&self, controls: &[Control], atoms: &[Term]) -> Term {
        let conditions = self.conditions.iter().map(|(control, value)| {
            let location = controls[*control].template.clone();
            location.equals(Term::int(*value)).not()
        });
        let literals = self.literals.iter().map(|literal| {
            let atom = atoms[literal / 2].clone();
            if literal.is_multiple_of(2) {
                atom
            } else {
                atom.not()
            }
        });
        Term::or(conditions.chain(literals))
    }
}

/// What is known under one combination of conditions.
#[derive(Default)]
struct Known {
    /// No sample satisfies the conditions.
    never: bool,
    /// The literals that hold in all samples with the conditions.
    literals: BTreeSet<usize>,
    /// The pairs of literals of which one holds in each sample with the conditions.
    choices: BTreeSet<(usize, usize)>,
}

/// The strongest clauses with at most `width` literals (1 or 2) for one pair of indices.
pub(super) fn strongest(
    view: &View,
    controls: &[Control],
    implications: &Implications,
    literals: usize,
    width: usize,
) -> Vec<Shape> {
    let mut found = Vec::new();
    let mut known: BTreeMap<Vec<Condition>, Known> = BTreeMap::new();
    for conditions in combinations(view, controls) {
        let weaker: Vec<&Known> = known
            .iter()
            .filter(|(fewer, _)| is_part(fewer, &conditions))
            .map(|(_, known)| known)
            .collect();
        let now = examine(view, implications, &conditions, literals, width);
        let shape = |literals: Vec<usize>| Shape {
            conditions: conditions.clone(),
            literals,
        };
        let is_told = weaker.iter().any(|known| known.never);
        if now.never {
            if !is_told {
                found.push(shape(vec![]));
            }
        } else {
            found.extend(
                new_literals(&now, &weaker, implications)
                    .into_iter()
                    .map(|literal| shape(vec![literal])),
            );
            found.extend(
                new_choices(&now, &weaker, implications)
                    .into_iter()
                    .map(|(one, other)| shape(vec![one, other])),
            );
        }
        known.insert(conditions, now);
    }
    found
}

/// No condition, one condition, two conditions on different variables, in this order.
fn combinations(view: &View, controls: &[Control]) -> Vec<Vec<Condition>> {
    let single: Vec<Condition> = controls
        .iter()
        .enumerate()
        .filter(|(control, _)| view.has_control(*control))
        .flat_map(|(control, it)| (0..it.values).map(move |value| (control, value)))
        .collect();
    let mut combinations = vec![vec![]];
    combinations.extend(single.iter().map(|condition| vec![*condition]));
    for (position, one) in single.iter().enumerate() {
        for other in &single[position + 1..] {
            if one.0 != other.0 {
                combinations.push(vec![*one, *other]);
            }
        }
    }
    combinations
}

fn is_part(fewer: &[Condition], more: &[Condition]) -> bool {
    fewer.len() < more.len() && fewer.iter().all(|condition| more.contains(condition))
}

fn examine(
    view: &View,
    implications: &Implications,
    conditions: &[Condition],
    literals: usize,
    width: usize,
) -> Known {
    let mut samples = view.all();
    for (control, value) in conditions {
        samples.intersect_with(view.at(*control, *value));
    }
    if samples.is_clear() {
        return Known {
            never: true,
            ..Known::default()
        };
    }
    let usable = (0..literals).filter(|literal| view.has_literal(*literal));
    let (valid, open): (Vec<usize>, Vec<usize>) =
        usable.partition(|literal| samples.is_subset(view.column(*literal)));
    let mut choices = BTreeSet::new();
    if width > 1 {
        for (position, one) in open.iter().enumerate() {
            let mut rest = samples.clone();
            rest.difference_with(view.column(*one));
            for other in &open[position + 1..] {
                let is_choice = !implications.is_tautology(*one, *other)
                    && !implications.holds(*one, *other)
                    && !implications.holds(*other, *one)
                    && rest.is_subset(view.column(*other));
                if is_choice {
                    choices.insert((*one, *other));
                }
            }
        }
    }
    Known {
        never: false,
        literals: valid.into_iter().collect(),
        choices,
    }
}

fn new_literals(now: &Known, weaker: &[&Known], implications: &Implications) -> Vec<usize> {
    let is_told = |literal: &usize| {
        weaker.iter().any(|known| known.literals.contains(literal))
            || now
                .literals
                .iter()
                .any(|other| implications.is_stronger(*other, *literal))
    };
    let literals = now.literals.iter().copied();
    literals.filter(|literal| !is_told(literal)).collect()
}

fn new_choices(now: &Known, weaker: &[&Known], implications: &Implications) -> Vec<(usize, usize)> {
    let is_told = |choice: &(usize, usize)| {
        weaker.iter().any(|known| known.choices.contains(choice))
            || now
                .choices
                .iter()
                .any(|other| other != choice && is_stronger_choice(*other, *choice, implications))
    };
    let choices = now.choices.iter().copied();
    choices.filter(|choice| !is_told(choice)).collect()
}

fn is_stronger_choice(
    one: (usize, usize),
    other: (usize, usize),
    implications: &Implications,
) -> bool {
    let implies = |one: (usize, usize), other: (usize, usize)| {
        implications.holds(one.0, other.0) && implications.holds(one.1, other.1)
            || implications.holds(one.0, other.1) && implications.holds(one.1, other.0)
    };
    implies(one, other) && (!implies(other, one) || one < other)
}
