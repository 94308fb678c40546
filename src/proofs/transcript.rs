//! Writing the exact solver's refutations down in the steps of a certificate's proofs.
//!
//! The list of hypotheses in force is kept as the checker keeps it, so that each of the solver's hypotheses has its index. A case that
//! contradicts another hypothesis word for word is closed at once, which is shorter than what the solver does.

use super::Unproved;
use crate::arithmetic::{Hypothesis, Label, LinearExpression, ProofTree, Rational, Source};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed};
use rustc_hash::FxHashMap;
use slabcert_certificates::proof::formula::{
    AtomRelation, Formula, Formulas, Linear, Origin, Variable, View,
};
use slabcert_certificates::proof::{
    Combination, HypothesisIndex, NamedVariable, ProofsBuilder, Rule, StepNumber,
};
use slabcert_certificates::work::{FOLLOWING, TooLarge};
use std::collections::BTreeSet;

/// Hypotheses in force, and the table that steps go to.
pub(super) struct Transcript<'a> {
    formulas: &'a mut Formulas,
    builder: &'a mut ProofsBuilder,
    in_force: Vec<Formula>,
    /// The first index of each formula in force.
    positions: FxHashMap<Formula, HypothesisIndex>,
    /// Where the assumptions of the enclosing nodes begin.
    labels: Vec<(Label, HypothesisIndex)>,
    /// The indices that the steps so far rest on, without those that were taken back.
    used: BTreeSet<HypothesisIndex>,
}

impl<'a> Transcript<'a> {
    pub fn new(formulas: &'a mut Formulas, builder: &'a mut ProofsBuilder) -> Transcript<'a> {
        formulas.allow(FOLLOWING);
        Transcript {
            formulas,
            builder,
            in_force: Vec::new(),
            positions: FxHashMap::default(),
            labels: Vec::new(),
            used: BTreeSet::new(),
        }
    }

    /// The formulas in force that are not conjunctions, and their indices.
    pub fn in_force(&self) -> impl Iterator<Item = (HypothesisIndex, Formula)> {
        let all = self.in_force.iter().copied().enumerate();
        all.filter(|(_, formula)| self.formulas.as_conjunction(*formula).is_none())
    }

    pub fn formulas(&self) -> &Formulas {
        self.formulas
    }

    /// Adds a hypothesis, and its members when it is a conjunction.
    pub fn assume(&mut self, hypothesis: Formula) {
        self.push(hypothesis);
        let members = self.formulas.as_conjunction(hypothesis).map(<[_]>::to_vec);
        for member in members.unwrap_or_default() {
            self.push(member);
        }
    }

    fn push(&mut self, formula: Formula) {
        self.positions.entry(formula).or_insert(self.in_force.len());
        self.in_force.push(formula);
    }

    /// How many formulas are in force.
    pub fn length(&self) -> usize {
        self.in_force.len()
    }

    /// Whether a formula is in force.
    pub fn holds(&self, formula: Formula) -> bool {
        self.positions.contains_key(&formula)
    }

    /// Where a formula is in force.
    pub fn position_of(&self, formula: Formula) -> Option<HypothesisIndex> {
        self.positions.get(&formula).copied()
    }

    /// Adds a step to the table.
    pub fn step(&mut self, mut rule: Rule) -> Result<StepNumber, Unproved> {
        self.used
            .extend(rule.indices_mut().into_iter().map(|position| *position));
        Ok(self.builder.step(rule)?)
    }

    /// The indices that the steps rest on which were added since the last time, and the formulas of which are still in force.
    pub fn take_used(&mut self) -> BTreeSet<HypothesisIndex> {
        std::mem::take(&mut self.used)
    }

    /// A disjunction, made like those of hypotheses.
    pub fn disjunction(&mut self, formulas: &[Formula]) -> Result<Formula, TooLarge> {
        self.formulas.or(formulas)
    }

    /// Takes note of work that is going to be done.
    pub fn charge(&mut self, work: usize) -> Result<(), TooLarge> {
        self.formulas.work().charge(work as u64)
    }

    /// Takes back all but so many of the formulas in force.
    pub fn take_back(&mut self, length: usize) {
        for position in (length..self.in_force.len()).rev() {
            let formula = self.in_force[position];
            if self.positions.get(&formula) == Some(&position) {
                self.positions.remove(&formula);
            }
        }
        self.in_force.truncate(length);
        self.used.split_off(&length);
    }

    /// A clash of a hypothesis from the given index on with any other, or falsity among them.
    pub fn clash_from(
        &mut self,
        position: HypothesisIndex,
    ) -> Result<Option<StepNumber>, Unproved> {
        for new in position..self.in_force.len() {
            let formula = self.in_force[new];
            let rule = if formula == Formula::FALSE {
                Rule::Split {
                    hypothesis: new,
                    cases: Vec::new(),
                }
            } else if let Some(other) = self.positions.get(&formula.complement()) {
                Rule::Clash(new, *other)
            } else {
                continue;
            };
            return Ok(Some(self.step(rule)?));
        }
        Ok(None)
    }

    /// A refutation that needs no arithmetic: a clash, or a disjunction each case of which is a clash.
    pub fn at_sight(&mut self) -> Result<Option<StepNumber>, Unproved> {
        if let Some(step) = self.clash_from(0)? {
            return Ok(Some(step));
        }
        'disjunctions: for position in 0..self.in_force.len() {
            let View::Or(members) = self.formulas.view(self.in_force[position]) else {
                continue;
            };
            let members = members.to_vec();
            let mut cases = Vec::with_capacity(members.len());
            for member in members {
                let before = self.in_force.len();
                self.assume(member);
                let clash = self.clash_from(before);
                self.take_back(before);
                match clash? {
                    Some(step) => cases.push(step),
                    None => continue 'disjunctions,
                }
            }
            let rule = Rule::Split {
                hypothesis: position,
                cases,
            };
            return Ok(Some(self.step(rule)?));
        }
        Ok(None)
    }

    /// Writes down a refutation of what is in force.
    pub fn write(&mut self, tree: &ProofTree) -> Result<StepNumber, Unproved> {
        let rule = match tree {
            ProofTree::Farkas(combination) => Rule::Farkas(self.combination(combination)?),
            ProofTree::Clash { positive, negative } => {
                Rule::Clash(self.position(*positive)?, self.position(*negative)?)
            }
            ProofTree::Split {
                label,
                hypothesis,
                cases,
            } => {
                let position = self.position(*hypothesis)?;
                let members = self.cases(position)?;
                if members.len() != cases.len() {
                    return Err(Unproved::NoTranscript);
                }
                let mut steps = Vec::with_capacity(cases.len());
                for (member, case) in members.into_iter().zip(cases) {
                    steps.push(self.write_under(*label, member, case)?);
                }
                Rule::Split {
                    hypothesis: position,
                    cases: steps,
                }
            }
            ProofTree::Branch {
                label,
                expression,
                bound,
                at_most,
                above,
            } => {
                let bound = integer(bound)?;
                let constant = integer(expression.constant_part())?;
                let bound = bound - constant;
                let sum = self.sum(expression)?;
                let [low, high] = self.sides(&sum, &bound)?;
                let at_most = self.write_under(*label, low, at_most)?;
                let above = self.write_under(*label, high, above)?;
                Rule::Branch {
                    sum: sum
                        .into_iter()
                        .map(|(coefficient, variable)| (coefficient, self.named(variable)))
                        .collect(),
                    bound,
                    at_most,
                    above,
                }
            }
        };
        self.step(rule)
    }

    fn write_under(
        &mut self,
        label: Label,
        assumption: Formula,
        tree: &ProofTree,
    ) -> Result<StepNumber, Unproved> {
        let before = self.in_force.len();
        self.labels.push((label, before));
        self.assume(assumption);
        let step = match self.clash_from(before) {
            Ok(Some(step)) => Ok(step),
            Ok(None) => self.write(tree),
            Err(reason) => Err(reason),
        };
        self.take_back(before);
        self.labels.pop();
        step
    }

    /// Where a hypothesis of the solver is in force.
    fn position(&self, hypothesis: Hypothesis) -> Result<HypothesisIndex, Unproved> {
        let position = match hypothesis.source {
            // Constraints are named by their indices, and are not conjunctions.
            Source::Constraint(position) => position,
            Source::Assumption(label) => {
                let labels = self.labels.iter().rev();
                let mut found = labels.filter(|known| known.0 == label).map(|known| known.1);
                let base = found.next().ok_or(Unproved::NoTranscript)?;
                match self.formulas.as_conjunction(self.in_force[base]) {
                    Some(_) => base + 1 + hypothesis.conjunct,
                    None => base,
                }
            }
        };
        Ok(position)
    }

    fn cases(&mut self, position: HypothesisIndex) -> Result<Vec<Formula>, Unproved> {
        let formula = self.in_force.get(position).ok_or(Unproved::NoTranscript)?;
        match self.formulas.view(*formula) {
            View::Or(members) => Ok(members.to_vec()),
            View::Atom(atom) if atom.relation == AtomRelation::Different => {
                let atom = atom.clone();
                Ok(self.formulas.sides(&atom)?.to_vec())
            }
            _ => Err(Unproved::NoTranscript),
        }
    }

    fn combination(&self, combination: &[(Hypothesis, Rational)]) -> Result<Combination, Unproved> {
        let mut written = Vec::with_capacity(combination.len());
        for (hypothesis, multiplier) in combination {
            let position = self.position(*hypothesis)?;
            let formula = self.in_force.get(position).ok_or(Unproved::NoTranscript)?;
            let View::Atom(atom) = self.formulas.view(*formula) else {
                return Err(Unproved::NoTranscript);
            };
            let multiplier = BigRational::from(multiplier);
            // The first coefficient of the solver's equations is positive.
            let is_turned = atom.relation == AtomRelation::Equal
                && atom.sum.first().is_some_and(|term| term.1.is_negative());
            written.push((position, if is_turned { -multiplier } else { multiplier }));
        }
        Ok(written)
    }

    fn sum(&self, expression: &LinearExpression) -> Result<Vec<(BigInt, Variable)>, Unproved> {
        let variables: Vec<Variable> = self.formulas.variables().collect();
        let terms = expression.terms().iter();
        terms
            .map(|(variable, coefficient)| {
                let variable = variables.get(variable.index());
                Ok((
                    integer(coefficient)?,
                    *variable.ok_or(Unproved::NoTranscript)?,
                ))
            })
            .collect()
    }

    /// The assumptions of a branch.
    fn sides(
        &mut self,
        sum: &[(BigInt, Variable)],
        bound: &BigInt,
    ) -> Result<[Formula; 2], Unproved> {
        let mut low = Linear::constant(BigRational::from_integer(-bound));
        for (coefficient, variable) in sum {
            low.add_term(*variable, BigRational::from_integer(coefficient.clone()));
        }
        let mut high = Linear::constant(BigRational::one());
        high.add_scaled(&low, &-BigRational::one(), self.formulas.work())?;
        let low = self.formulas.compare(&low, AtomRelation::LessOrEqual)?;
        let high = self.formulas.compare(&high, AtomRelation::LessOrEqual)?;
        Ok([low, high])
    }

    fn named(&self, variable: Variable) -> NamedVariable {
        match self.formulas.origin(variable) {
            Origin::Symbol(symbol) => NamedVariable::Symbol(symbol.name().to_owned()),
            Origin::IntegerPart(number) => NamedVariable::IntegerPart(*number),
        }
    }
}

fn integer(number: &Rational) -> Result<BigInt, Unproved> {
    if number.is_integer() {
        Ok(number.numerator())
    } else {
        Err(Unproved::NoTranscript)
    }
}
