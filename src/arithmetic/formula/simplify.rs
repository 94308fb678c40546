//! What the constructors of conjunctions and disjunctions simplify: constants, nesting, duplicates, complementary members, and
//! bounds on one sum of which some follow from others.
//!
//! Everything here is found by looking at neighbours in sorted order; nothing is searched for. Each simplification keeps the
//! formula equivalent.

use std::cmp::Ordering;

use super::Formula;
use crate::arithmetic::linear::{Atom, Relation, Variable};
use crate::arithmetic::number::Rational;

/// The simplified conjunction.
pub(super) fn conjunction(members: impl IntoIterator<Item = Formula>) -> Formula {
    let mut list = Vec::new();
    for member in members {
        match member {
            Formula::True => {}
            Formula::False => return Formula::False,
            Formula::And(inner) => list.extend(inner.iter().cloned()),
            other => list.push(other),
        }
    }
    if !tidy(&mut list) {
        return Formula::False;
    }
    if atoms_of(&list).len() > 1 {
        let mut merged = Vec::new();
        if !keep_strongest(&mut list) || !meet_opposite(&mut list, &mut merged) {
            return Formula::False;
        }
        if !merged.is_empty() {
            // The new equalities may make further members superfluous.
            list.extend(merged);
            return conjunction(list);
        }
    }
    match list.len() {
        0 => Formula::True,
        1 => list.swap_remove(0),
        _ => Formula::And(list.into()),
    }
}

/// The simplified disjunction.
pub(super) fn disjunction(members: impl IntoIterator<Item = Formula>) -> Formula {
    let mut list = Vec::new();
    for member in members {
        match member {
            Formula::False => {}
            Formula::True => return Formula::True,
            Formula::Or(inner) => list.extend(inner.iter().cloned()),
            other => list.push(other),
        }
    }
    if !tidy(&mut list) {
        return Formula::True;
    }
    if atoms_of(&list).len() > 1 {
        keep_weakest(&mut list);
        if opposite_sides_cover(&list) {
            return Formula::True;
        }
    }
    match list.len() {
        0 => Formula::False,
        1 => list.swap_remove(0),
        _ => Formula::Or(list.into()),
    }
}

/// Sorts and drops duplicates; false when a Boolean variable occurs with both signs.
fn tidy(list: &mut Vec<Formula>) -> bool {
    if !list.is_sorted_by(|left, right| left < right) {
        list.sort_unstable();
        list.dedup();
    }
    list.windows(2).all(|pair| match (&pair[0], &pair[1]) {
        (
            Formula::Literal { variable: left, .. },
            Formula::Literal {
                variable: right, ..
            },
        ) => left != right,
        _ => true,
    })
}

/// The atoms of a sorted list, which are neighbours.
fn atoms_of(list: &[Formula]) -> &[Formula] {
    let start = list.partition_point(|member| {
        matches!(
            member,
            Formula::True | Formula::False | Formula::Literal { .. }
        )
    });
    let length = list[start..].partition_point(|member| matches!(member, Formula::Atom(_)));
    &list[start..start + length]
}

fn as_atom(formula: &Formula) -> Option<&Atom> {
    match formula {
        Formula::Atom(atom) => Some(atom),
        _ => None,
    }
}

fn same_sum(left: &Atom, right: &Atom) -> bool {
    left.expression().terms() == right.expression().terms()
}

/// Whether an equality implies another atom over the same sum.
fn equality_implies(equality: &Atom, other: &Atom) -> bool {
    let value = other.expression().constant_part() - equality.expression().constant_part();
    other.relation().holds(&value)
}

/// Of several bounds on one sum keeps those that imply the others; false when two contradict each other.
fn keep_strongest(list: &mut Vec<Formula>) -> bool {
    let mut consistent = true;
    list.dedup_by(|later, earlier| {
        let (Some(right), Some(left)) = (as_atom(later), as_atom(earlier)) else {
            return false;
        };
        if !same_sum(left, right) {
            return false;
        }
        match (left.relation(), right.relation()) {
            (Relation::Equal, _) => consistent &= equality_implies(left, right),
            (_, Relation::Equal) => {
                consistent &= equality_implies(right, left);
                std::mem::swap(later, earlier);
            }
            // Sorted by constant, then strictness: the later bound is the tighter one.
            _ => std::mem::swap(later, earlier),
        }
        true
    });
    consistent
}

/// Of several bounds on one sum keeps those that are not implied by another.
fn keep_weakest(list: &mut Vec<Formula>) {
    // The first bound of each sum is the weakest one; equalities may come before it and after it.
    let implied: Vec<bool> = (0..list.len())
        .map(|position| {
            let Some(atom) = as_atom(&list[position]) else {
                return false;
            };
            let mut neighbours = list[..position]
                .iter()
                .rev()
                .chain(&list[position + 1..])
                .map_while(as_atom);
            if atom.relation() == Relation::Equal {
                neighbours.any(|other| {
                    same_sum(atom, other)
                        && other.relation() != Relation::Equal
                        && equality_implies(atom, other)
                }) || opposites(list, atom).any(|lower| {
                    let value =
                        lower.expression().constant_part() + atom.expression().constant_part();
                    lower.relation().holds(&value)
                })
            } else {
                list[..position]
                    .iter()
                    .rev()
                    .map_while(as_atom)
                    .take_while(|other| same_sum(atom, other))
                    .any(|other| other.relation() != Relation::Equal)
            }
        })
        .collect();
    let mut verdicts = implied.iter();
    list.retain(|_| verdicts.next() != Some(&true));
}

/// Compares `left` with the negation of `right`, in the order of lists of terms.
fn compare_with_negated(left: &[(Variable, Rational)], right: &[(Variable, Rational)]) -> Ordering {
    for (one, two) in left.iter().zip(right) {
        let order = one.0.cmp(&two.0).then_with(|| one.1.cmp(&-&two.1));
        if order != Ordering::Equal {
            return order;
        }
    }
    left.len().cmp(&right.len())
}

/// The inequalities of a sorted list whose sum is the negation of the given one's.
fn opposites<'a>(list: &'a [Formula], atom: &'a Atom) -> impl Iterator<Item = &'a Atom> {
    let atoms = atoms_of(list);
    let terms = atom.expression().terms();
    let start = atoms.partition_point(|member| {
        as_atom(member).is_some_and(|other| {
            compare_with_negated(other.expression().terms(), terms) == Ordering::Less
        })
    });
    atoms[start..]
        .iter()
        .map_while(as_atom)
        .take_while(move |other| {
            compare_with_negated(other.expression().terms(), terms) == Ordering::Equal
        })
}

/// Whether an atom's first coefficient is negative; of two opposite sums exactly one is such.
fn is_lower(atom: &Atom) -> bool {
    atom.expression()
        .terms()
        .first()
        .is_some_and(|term| term.1.is_negative())
}

/// Looks at upper and lower bounds on one sum: false when they contradict each other; bounds that meet are taken out and the
/// equality is added to `merged`.
fn meet_opposite(list: &mut Vec<Formula>, merged: &mut Vec<Formula>) -> bool {
    let mut gone: Vec<Formula> = Vec::new();
    for lower in atoms_of(list).iter().filter_map(as_atom) {
        if !is_lower(lower) {
            continue;
        }
        for upper in opposites(list, lower) {
            // The sum of both: 0 + gap REL 0.
            let gap = upper.expression().constant_part() + lower.expression().constant_part();
            let strict = upper.relation() == Relation::Less || lower.relation() == Relation::Less;
            if upper.relation() == Relation::Equal {
                // The lower bound follows from the equality, or contradicts it.
                if gap.is_positive() || strict && gap.is_zero() {
                    return false;
                }
                gone.push(Formula::from(lower.clone()));
            } else if gap.is_positive() || strict && gap.is_zero() {
                return false;
            } else if gap.is_zero() {
                gone.push(Formula::from(lower.clone()));
                gone.push(Formula::from(upper.clone()));
                merged.push(
                    Atom::canonical(
                        upper.expression().clone(),
                        Relation::Equal,
                        upper.is_integral(),
                    )
                    .into(),
                );
            }
        }
    }
    if !gone.is_empty() {
        list.retain(|member| !gone.contains(member));
    }
    true
}

/// Whether an upper and a lower bound on one sum together admit every value.
fn opposite_sides_cover(list: &[Formula]) -> bool {
    atoms_of(list)
        .iter()
        .filter_map(as_atom)
        .filter(|lower| is_lower(lower))
        .any(|lower| {
            opposites(list, lower)
                .filter(|upper| upper.relation() != Relation::Equal)
                .any(|upper| {
                    let gap =
                        upper.expression().constant_part() + lower.expression().constant_part();
                    if upper.is_integral() {
                        return gap <= Rational::ONE;
                    }
                    let both_strict =
                        upper.relation() == Relation::Less && lower.relation() == Relation::Less;
                    gap.is_negative() || gap.is_zero() && !both_strict
                })
        })
}
