//! The formulas inside the hypotheses of an obligation, each once.
//!
//! A formula and its complement are one entry, and a literal says which of the two is meant. Invariant: each entry knows where it was met
//! first, so that a proof can name it, and its members are entries too.

use super::transcript::Transcript;
use rustc_hash::FxHashMap;
use slabcert_certificates::proof::formula::{Formula, View};
use slabcert_certificates::proof::{HypothesisIndex, Occurrence};
use slabcert_certificates::work::TooLarge;

/// An entry, or its complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Literal(usize);

impl Literal {
    /// The entry that is meant, or whose complement is.
    pub fn entry(self) -> usize {
        self.0 / 2
    }

    /// The number among all literals, from 0.
    pub fn index(self) -> usize {
        self.0
    }

    pub fn is_complement(self) -> bool {
        self.0 % 2 == 1
    }

    pub fn complement(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

/// How a formula is made of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A Boolean variable or an atom.
    Leaf,
    And(Vec<Literal>),
    Or(Vec<Literal>),
}

struct Entry {
    /// The one of the two that was met first.
    formula: Formula,
    /// Of that one.
    shape: Shape,
    met: Met,
}

/// Where a formula was met first.
#[derive(Clone, Copy)]
enum Met {
    Hypothesis(HypothesisIndex),
    Member {
        /// The entry that it is a member of.
        of: usize,
        /// Its index among the members.
        at: usize,
    },
}

/// The formulas inside what is in force.
pub(super) struct Nested {
    entries: Vec<Entry>,
    literals: FxHashMap<Formula, Literal>,
    /// The formulas in force themselves.
    roots: Vec<Literal>,
}

impl Nested {
    /// The formulas inside what is in force.
    pub fn of(transcript: &mut Transcript<'_>) -> Result<Nested, TooLarge> {
        let mut nested = Nested {
            entries: Vec::new(),
            literals: FxHashMap::default(),
            roots: Vec::new(),
        };
        let in_force: Vec<(HypothesisIndex, Formula)> = transcript.in_force().collect();
        let mut looked_at = 0;
        for (position, formula) in in_force {
            let mut open = vec![(formula, Met::Hypothesis(position))];
            while let Some((formula, met)) = open.pop() {
                looked_at += 1;
                if nested.literals.contains_key(&formula) {
                    continue;
                }
                let of = nested.entries.len();
                let literal = Literal(2 * of);
                nested.literals.insert(formula, literal);
                nested
                    .literals
                    .insert(formula.complement(), literal.complement());
                if let View::And(members) | View::Or(members) = transcript.formulas().view(formula)
                {
                    let members = members.iter().enumerate().rev();
                    open.extend(members.map(|(at, member)| (*member, Met::Member { of, at })));
                }
                nested.entries.push(Entry {
                    formula,
                    shape: Shape::Leaf,
                    met,
                });
            }
            nested.roots.extend(nested.literals.get(&formula));
        }
        transcript.charge(looked_at)?;
        for number in 0..nested.entries.len() {
            let literals = |members: &[Formula]| {
                let known = members.iter().filter_map(|one| nested.literals.get(one));
                known.copied().collect()
            };
            let view = transcript.formulas().view(nested.entries[number].formula);
            let shape = match view {
                View::Literal { .. } | View::Atom(_) => Shape::Leaf,
                View::And(members) => Shape::And(literals(members)),
                View::Or(members) => Shape::Or(literals(members)),
            };
            nested.entries[number].shape = shape;
        }
        Ok(nested)
    }

    /// How many entries there are.
    pub fn length(&self) -> usize {
        self.entries.len()
    }

    /// The formulas in force.
    pub fn roots(&self) -> &[Literal] {
        &self.roots
    }

    /// The literals of all entries, without complements.
    pub fn literals(&self) -> impl Iterator<Item = Literal> + use<> {
        (0..self.entries.len()).map(|entry| Literal(2 * entry))
    }

    /// The formula that a literal is.
    pub fn formula(&self, literal: Literal) -> Formula {
        let formula = self.entries[literal.entry()].formula;
        if literal.is_complement() {
            formula.complement()
        } else {
            formula
        }
    }

    /// How the formula that a literal is is made.
    pub fn shape(&self, literal: Literal) -> Shape {
        let shape = &self.entries[literal.entry()].shape;
        let complements =
            |members: &[Literal]| members.iter().map(|one| one.complement()).collect();
        match shape {
            _ if !literal.is_complement() => shape.clone(),
            Shape::Leaf => Shape::Leaf,
            Shape::And(members) => Shape::Or(complements(members)),
            Shape::Or(members) => Shape::And(complements(members)),
        }
    }

    /// Where the formula that a literal is stands.
    pub fn occurrence(&self, literal: Literal) -> Occurrence {
        let mut path = Vec::new();
        let mut entry = literal.entry();
        loop {
            match self.entries[entry].met {
                Met::Member { of, at } => {
                    path.push(at);
                    entry = of;
                }
                Met::Hypothesis(hypothesis) => {
                    path.reverse();
                    return Occurrence {
                        is_complement: literal.is_complement(),
                        hypothesis,
                        path,
                    };
                }
            }
        }
    }
}
