//! Refutations by decisions and learned clauses (Davis, Logemann and Loveland, 1962; Marques-Silva and Sakallah, 1999), for obligations
//! with much Boolean structure.
//!
//! The formulas inside the hypotheses are letters, and clauses say how they are made of each other. What is true of the letters has to be
//! true of the atoms too: the exact solver refutes the atoms that a satisfying assignment rests on, and the clause without them is learned.
//! In the end each clause that was learned and is needed is decided on: it holds, or all its literals are false, which is refuted in the
//! few steps from which it was learned. Invariant: what is done is bounded by [`MAXIMAL_CONFLICTS`] and by the work that the formulas'
//! store allows, and it depends on nothing but the obligation.

use super::clauses::{ClauseNumber, Clauses};
use super::nested::{Literal, Nested, Shape};
use super::transcript::Transcript;
use super::writing::{Derivation, Lemma, Source, write};
use super::{Arithmetic, Unproved};
use crate::arithmetic::StopReason;
use crate::solvers::budgets;
use rustc_hash::FxHashMap;
use slabcert_certificates::proof::StepNumber;
use slabcert_certificates::proof::formula::View;
use std::sync::atomic::Ordering;

/// How many clauses a refutation may learn.
const MAXIMAL_CONFLICTS: usize = 20_000;
/// How many literals that are looked at count as one of these steps.
const LITERALS_OF_STEP: usize = 256;

/// Refutes what is in force.
pub(super) fn refute(
    transcript: &mut Transcript<'_>,
    arithmetic: &mut Arithmetic<'_>,
) -> Result<StepNumber, Unproved> {
    let nested = Nested::of(transcript)?;
    let mut search = ClauseSearch {
        clauses: Clauses::new(nested.length()),
        sources: Vec::new(),
        lemmas: Vec::new(),
        units: FxHashMap::default(),
        facts: 0,
        nested,
    };
    search.define();
    while !search.step(transcript, arithmetic)? {}
    write(
        transcript,
        arithmetic,
        &search.nested,
        &search.sources,
        &search.lemmas,
    )
}

/// Takes from the steps for all obligations together.
fn spend(arithmetic: &mut Arithmetic<'_>, steps: u64) -> Result<(), Unproved> {
    let left = arithmetic.left.checked_sub(steps);
    *arithmetic.left = left.unwrap_or(0);
    left.map(drop).ok_or(Unproved::GaveUp(StopReason::Steps))
}

struct ClauseSearch {
    nested: Nested,
    clauses: Clauses,
    /// Where each clause comes from.
    sources: Vec<Source>,
    /// What was learned, in order; each rests on earlier ones.
    lemmas: Vec<Lemma>,
    /// The lemmas of literals that hold without any decision.
    units: FxHashMap<Literal, usize>,
    /// How many of these literals have lemmas, or need none.
    facts: usize,
}

/// What an assignment amounts to.
enum DecisionModel {
    /// Some literal has to hold for a hypothesis to hold.
    Open(Literal),
    /// All hypotheses hold because these literals of atoms do.
    Atoms(Vec<Literal>),
}

impl ClauseSearch {
    fn add(&mut self, literals: Vec<Literal>, source: Source) -> ClauseNumber {
        self.sources.push(source);
        self.clauses.add(literals)
    }

    /// Clauses for the structure of the formulas, and for the hypotheses.
    fn define(&mut self) {
        for literal in self.nested.literals() {
            let (conjunction, members) = match self.nested.shape(literal) {
                Shape::Leaf => continue,
                Shape::And(members) => (literal, members),
                Shape::Or(members) => {
                    let members = members.iter().map(|one| one.complement());
                    (literal.complement(), members.collect())
                }
            };
            for member in &members {
                let clause = vec![conjunction.complement(), *member];
                self.add(clause, Source::Member(*member));
            }
            let mut whole = vec![conjunction];
            whole.extend(members.iter().map(|one| one.complement()));
            self.add(whole, Source::Whole(conjunction));
        }
        for root in self.nested.roots().to_vec() {
            let clause = self.add(vec![root], Source::Hypothesis);
            self.clauses.imply(root, clause);
        }
    }

    /// Goes on to the next conflict; whether it is the last one.
    fn step(
        &mut self,
        transcript: &mut Transcript<'_>,
        arithmetic: &mut Arithmetic<'_>,
    ) -> Result<bool, Unproved> {
        if arithmetic.interrupt.load(Ordering::Relaxed) {
            return Err(Unproved::GaveUp(StopReason::Interrupted));
        }
        let conflict = self.clauses.propagate();
        let work = self.clauses.take_work();
        transcript.charge(work)?;
        spend(arithmetic, (work / LITERALS_OF_STEP) as u64)?;
        self.note_facts();
        if let Some(conflict) = conflict {
            return self.learn(conflict, arithmetic);
        }
        // The hypotheses are looked through from their beginning.
        transcript.charge(self.nested.length())?;
        match self.model() {
            DecisionModel::Open(literal) => {
                self.clauses.decide(literal);
                Ok(false)
            }
            DecisionModel::Atoms(atoms) => {
                let core = self.core(&atoms, transcript, arithmetic)?;
                let literals: Vec<Literal> = core.iter().map(|one| one.complement()).collect();
                let clause = self.add(literals.clone(), Source::Lemma(self.lemmas.len()));
                self.lemmas.push(Lemma {
                    literals,
                    derivation: Derivation::Arithmetic,
                });
                self.learn(clause, arithmetic)
            }
        }
    }

    /// Makes lemmas of what holds without any decision, so that all that rests on it finds it in force.
    fn note_facts(&mut self) {
        let new: Vec<(Literal, Option<ClauseNumber>)> =
            self.clauses.facts().skip(self.facts).collect();
        self.facts += new.len();
        for (literal, reason) in new {
            if let Some(reason) = reason
                && !matches!(self.sources[reason], Source::Hypothesis)
            {
                let derivation = self.derivation(Vec::new(), reason);
                self.units.insert(literal, self.lemmas.len());
                self.lemmas.push(Lemma {
                    literals: vec![literal],
                    derivation,
                });
            }
        }
    }

    fn derivation(
        &self,
        steps: Vec<(Literal, ClauseNumber)>,
        conflict: ClauseNumber,
    ) -> Derivation {
        let clauses = steps.iter().map(|(_, clause)| *clause).chain([conflict]);
        let needed = clauses
            .clone()
            .filter_map(|clause| match self.sources[clause] {
                Source::Lemma(lemma) => Some(lemma),
                _ => None,
            });
        let facts = clauses
            .clone()
            .flat_map(|clause| self.clauses.literals(clause))
            .filter_map(|literal| self.units.get(&literal.complement()).copied());
        let lemmas = needed.chain(facts).collect();
        Derivation::Clauses {
            steps,
            conflict,
            lemmas,
        }
    }

    /// Learns from a clause all of whose literals are false; whether it is the last that is needed.
    fn learn(
        &mut self,
        conflict: ClauseNumber,
        arithmetic: &mut Arithmetic<'_>,
    ) -> Result<bool, Unproved> {
        spend(arithmetic, budgets::EXACT_CONFLICT)?;
        if self.lemmas.len() >= MAXIMAL_CONFLICTS {
            return Err(Unproved::GaveUp(StopReason::Steps));
        }
        let literals = self.clauses.literals(conflict).iter();
        let levels = literals.map(|literal| self.clauses.level_of(*literal));
        let level = levels.max().unwrap_or(0);
        if level == 0 {
            let derivation = self.derivation(Vec::new(), conflict);
            self.lemmas.push(Lemma {
                literals: Vec::new(),
                derivation,
            });
            return Ok(true);
        }
        // What the exact solver refutes need not have to do with the last decision.
        self.clauses.back_to(level);
        let learned = self.clauses.learn(conflict);
        let derivation = self.derivation(learned.steps, conflict);
        self.clauses.back_to(learned.level);
        let first = learned.literals[0];
        let clause = self.add(learned.literals.clone(), Source::Lemma(self.lemmas.len()));
        self.lemmas.push(Lemma {
            literals: learned.literals,
            derivation,
        });
        self.clauses.imply(first, clause);
        Ok(false)
    }

    /// What the hypotheses rest on.
    fn model(&self) -> DecisionModel {
        let mut atoms = Vec::new();
        let mut is_known = vec![false; self.nested.length()];
        let mut open: Vec<Literal> = self.nested.roots().iter().rev().copied().collect();
        while let Some(literal) = open.pop() {
            if std::mem::replace(&mut is_known[literal.entry()], true) {
                continue;
            }
            match self.nested.shape(literal) {
                Shape::Leaf => atoms.push(literal),
                Shape::And(members) => open.extend(members.into_iter().rev()),
                Shape::Or(members) => {
                    let mut holding = members
                        .iter()
                        .filter(|one| self.clauses.value(**one) == Some(true));
                    let known = holding.clone().find(|one| is_known[one.entry()]);
                    if let Some(reason) = known.or_else(|| holding.next()) {
                        open.push(*reason);
                        continue;
                    }
                    let undecided = members
                        .iter()
                        .enumerate()
                        .filter(|(_, one)| self.clauses.value(**one).is_none());
                    let choice = undecided.max_by_key(|(index, one)| {
                        (self.clauses.weight(**one), std::cmp::Reverse(*index))
                    });
                    if let Some((_, choice)) = choice {
                        return DecisionModel::Open(*choice);
                    }
                }
            }
        }
        DecisionModel::Atoms(atoms)
    }

    /// Which of the atoms cannot hold together.
    fn core(
        &self,
        literals: &[Literal],
        transcript: &mut Transcript<'_>,
        arithmetic: &mut Arithmetic<'_>,
    ) -> Result<Vec<Literal>, Unproved> {
        let before = transcript.length();
        let mut assumed = Vec::new();
        for literal in literals {
            let formula = self.nested.formula(*literal);
            if matches!(transcript.formulas().view(formula), View::Atom(_)) {
                transcript.assume(formula);
                assumed.push(*literal);
            }
        }
        transcript.take_used();
        let refuted = arithmetic.refute_from(transcript, before, budgets::EXACT_ATOMS);
        let used = transcript.take_used();
        transcript.take_back(before);
        refuted?;
        let indices = used.range(before..);
        let core = indices.filter_map(|index| assumed.get(index - before).copied());
        Ok(core.collect())
    }
}
