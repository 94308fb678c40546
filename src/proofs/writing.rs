//! Writing down a refutation that was found by learning clauses, in the steps of a certificate's proofs.
//!
//! The lemmas that the last one rests on are decided on in order: a lemma holds, which the steps below may use, or all its literals are
//! false, from which something that cannot be follows in a few steps. Invariant: when a step is written, the formula of each literal that
//! it uses is in force, word for word.

use super::clauses::ClauseNumber;
use super::nested::{Literal, Nested, Shape};
use super::transcript::Transcript;
use super::{Arithmetic, Unproved};
use crate::solvers::budgets;
use slabcert_certificates::proof::formula::{Formula, View};
use slabcert_certificates::proof::{HypothesisIndex, Occurrence, Rule, StepNumber};

/// Where a clause comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A hypothesis holds.
    Hypothesis,
    /// A conjunction does not hold without this member.
    Member(Literal),
    /// This conjunction holds when all its members do.
    Whole(Literal),
    /// A lemma, by its number.
    Lemma(usize),
}

/// A clause that follows, and why.
pub(super) struct Lemma {
    /// The literals one of which holds; none in the last lemma.
    pub literals: Vec<Literal>,
    pub derivation: Derivation,
}

/// Why a lemma holds.
pub(super) enum Derivation {
    /// Its literals are atoms the complements of which the exact solver refutes.
    Arithmetic,
    /// From the complements of its literals these follow, each from a clause, until all literals of a clause are false.
    Clauses {
        steps: Vec<(Literal, ClauseNumber)>,
        conflict: ClauseNumber,
        /// The lemmas that this may rest on.
        lemmas: Vec<usize>,
    },
}

/// Writes the refutation that the last lemma is.
pub(super) fn write(
    transcript: &mut Transcript<'_>,
    arithmetic: &mut Arithmetic<'_>,
    nested: &Nested,
    sources: &[Source],
    lemmas: &[Lemma],
) -> Result<StepNumber, Unproved> {
    let mut writing = Writing {
        transcript,
        arithmetic,
        nested,
        sources,
        lemmas,
    };
    writing.all()
}

struct Writing<'a, 'b, 'c, 'd> {
    transcript: &'a mut Transcript<'b>,
    arithmetic: &'a mut Arithmetic<'c>,
    nested: &'d Nested,
    sources: &'d [Source],
    lemmas: &'d [Lemma],
}

/// A decision one side of which is refuted.
struct Decided {
    formulas: Vec<Occurrence>,
    fails: StepNumber,
    /// How many formulas were in force before.
    before: HypothesisIndex,
}

impl<'d> Writing<'_, '_, '_, 'd> {
    fn all(&mut self) -> Result<StepNumber, Unproved> {
        let mut decided = Vec::new();
        for lemma in self.needed() {
            if lemma.literals.is_empty() {
                let bottom = self.refute(lemma)?;
                return self.decide(decided, bottom);
            }
            let formula = self.disjunction(lemma)?;
            if self.transcript.holds(formula) {
                continue;
            }
            let before = self.transcript.length();
            self.transcript.assume(formula.complement());
            let fails = match self.transcript.clash_from(before)? {
                Some(step) => Ok(step),
                None => self.refute(lemma),
            };
            self.transcript.take_back(before);
            let occurrences = lemma.literals.iter();
            decided.push(Decided {
                formulas: occurrences
                    .map(|one| self.nested.occurrence(*one))
                    .collect(),
                fails: fails?,
                before,
            });
            self.transcript.assume(formula);
            if let Some(bottom) = self.transcript.clash_from(before)? {
                return self.decide(decided, bottom);
            }
        }
        // The last lemma has no literals.
        Err(Unproved::NoTranscript)
    }

    /// The lemmas that the last one rests on, in order, and it.
    fn needed(&self) -> Vec<&'d Lemma> {
        let mut is_needed = vec![false; self.lemmas.len()];
        if let Some(last) = is_needed.last_mut() {
            *last = true;
        }
        for number in (0..self.lemmas.len()).rev() {
            if let Derivation::Clauses { lemmas, .. } = &self.lemmas[number].derivation
                && is_needed[number]
            {
                for lemma in lemmas {
                    is_needed[*lemma] = true;
                }
            }
        }
        let lemmas = self.lemmas.iter().zip(is_needed);
        lemmas
            .filter_map(|(lemma, is_needed)| is_needed.then_some(lemma))
            .collect()
    }

    fn disjunction(&mut self, lemma: &Lemma) -> Result<Formula, Unproved> {
        let literals = lemma.literals.iter();
        let formulas: Vec<Formula> = literals.map(|one| self.nested.formula(*one)).collect();
        Ok(self.transcript.disjunction(&formulas)?)
    }

    /// Writes decisions down, the last one first, over the refutation of what is in force when all of them hold.
    fn decide(
        &mut self,
        decided: Vec<Decided>,
        bottom: StepNumber,
    ) -> Result<StepNumber, Unproved> {
        let mut step = bottom;
        for one in decided.into_iter().rev() {
            self.transcript.take_back(one.before);
            step = self.transcript.step(Rule::Decide {
                formulas: one.formulas,
                holds: step,
                fails: one.fails,
            })?;
        }
        Ok(step)
    }

    /// Refutes what is in force together with the complements of the literals of a lemma, which are in force too.
    fn refute(&mut self, lemma: &Lemma) -> Result<StepNumber, Unproved> {
        let (steps, conflict) = match &lemma.derivation {
            Derivation::Arithmetic => {
                let from = self.transcript.length() - self.length_of(lemma);
                return self
                    .arithmetic
                    .refute_from(self.transcript, from, budgets::EXACT_LEMMA);
            }
            Derivation::Clauses {
                steps, conflict, ..
            } => (steps, *conflict),
        };
        let mut decided = Vec::new();
        // A conjunction of conjunctions has their members, but not them.
        for literal in &lemma.literals {
            let complement = literal.complement();
            if !self.holds(complement) {
                let before = self.transcript.length();
                self.assume(*literal);
                let fails = self.split(*literal);
                self.transcript.take_back(before);
                self.note(&mut decided, complement, fails?);
            }
        }
        for (literal, clause) in steps {
            if self.holds(*literal) {
                continue;
            }
            let before = self.transcript.length();
            self.assume(literal.complement());
            let fails = match self.transcript.clash_from(before) {
                Ok(None) => self.close(*clause),
                Ok(Some(step)) => Ok(step),
                Err(error) => Err(error),
            };
            self.transcript.take_back(before);
            self.note(&mut decided, *literal, fails?);
            if let Some(step) = self.transcript.clash_from(before)? {
                return self.decide(decided, step);
            }
        }
        let step = self.close(conflict)?;
        self.decide(decided, step)
    }

    /// How many formulas come into force with the complement of a lemma.
    fn length_of(&self, lemma: &Lemma) -> usize {
        match lemma.literals.len() {
            1 => 1,
            more => 1 + more,
        }
    }

    fn note(&mut self, decided: &mut Vec<Decided>, literal: Literal, fails: StepNumber) {
        decided.push(Decided {
            formulas: vec![self.nested.occurrence(literal)],
            fails,
            before: self.transcript.length(),
        });
        self.assume(literal);
    }

    fn holds(&self, literal: Literal) -> bool {
        self.transcript.holds(self.nested.formula(literal))
    }

    fn assume(&mut self, literal: Literal) {
        self.transcript.assume(self.nested.formula(literal));
    }

    /// Refutes what is in force because all literals of a clause are false.
    fn close(&mut self, clause: ClauseNumber) -> Result<StepNumber, Unproved> {
        match self.sources[clause] {
            Source::Hypothesis => Err(Unproved::NoTranscript),
            Source::Member(member) => self.clash(self.nested.formula(member)),
            Source::Whole(conjunction) => self.split(conjunction.complement()),
            Source::Lemma(number) => {
                let formula = self.disjunction(&self.lemmas[number])?;
                self.split_formula(formula)
            }
        }
    }

    /// Refutes a formula and its complement.
    fn clash(&mut self, formula: Formula) -> Result<StepNumber, Unproved> {
        let indices = (self.transcript.position_of(formula))
            .zip(self.transcript.position_of(formula.complement()));
        let (one, other) = indices.ok_or(Unproved::NoTranscript)?;
        self.transcript.step(Rule::Clash(one, other))
    }

    /// Refutes a disjunction in force the complements of whose members are in force.
    fn split(&mut self, literal: Literal) -> Result<StepNumber, Unproved> {
        match self.nested.shape(literal) {
            Shape::Or(_) => self.split_formula(self.nested.formula(literal)),
            Shape::And(_) | Shape::Leaf => Err(Unproved::NoTranscript),
        }
    }

    fn split_formula(&mut self, formula: Formula) -> Result<StepNumber, Unproved> {
        let members = match self.transcript.formulas().view(formula) {
            View::Or(members) => members.to_vec(),
            View::And(_) | View::Literal { .. } | View::Atom(_) => return self.clash(formula),
        };
        let hypothesis = self.transcript.position_of(formula);
        let hypothesis = hypothesis.ok_or(Unproved::NoTranscript)?;
        let mut cases = Vec::with_capacity(members.len());
        for member in members {
            let before = self.transcript.length();
            self.transcript.assume(member);
            let clash = self.clash(member);
            self.transcript.take_back(before);
            cases.push(clash?);
        }
        self.transcript.step(Rule::Split { hypothesis, cases })
    }
}
