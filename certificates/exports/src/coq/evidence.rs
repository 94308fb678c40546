//! Refutations as numbers, in the order of `some_evidence` in `certificates/coq/theory/Reader.v`.

use super::Untranslatable;
use super::parts::Parts;
use super::text::Numbers;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::One;
use rustc_hash::FxHashMap;
use slabcert_certificates::proof::{Combination, NamedVariable, Proofs, Rule, StepNumber};
use slabcert_certificates::term::{Sort, Symbol};
use std::collections::BTreeMap;
use std::ops::Range;

/// The steps that some obligations' refutations need.
pub(super) struct Evidence<'a> {
    proofs: &'a Proofs,
    parts: &'a Parts,
    /// Whether a step's tree speaks about integer parts, whose numbers depend on the obligation.
    speaks_of_parts: Vec<bool>,
    steps: Vec<Numbers>,
    known: FxHashMap<(StepNumber, &'a [usize]), usize>,
}

impl<'a> Evidence<'a> {
    /// The refutations of the obligations in the range as numbers.
    pub fn write(
        proofs: &'a Proofs,
        parts: &'a Parts,
        obligations: Range<usize>,
    ) -> Result<Numbers, Untranslatable> {
        let mut evidence = Evidence {
            proofs,
            parts,
            speaks_of_parts: speaks_of_parts(proofs),
            steps: Vec::new(),
            known: FxHashMap::default(),
        };
        let mut roots = Numbers::default();
        roots.count(obligations.len());
        for obligation in obligations {
            let root = proofs.roots().get(obligation).copied().flatten();
            let root = root.ok_or(Untranslatable::NoProof(obligation))?;
            let root = evidence.step(obligation, root)?;
            roots.index(root);
            roots.list(parts.of_obligation(obligation), |numbers, part| {
                numbers.index(*part);
            });
        }
        let mut numbers = Numbers::default();
        numbers.list(&evidence.steps, Numbers::append);
        numbers.append(&roots);
        Ok(numbers)
    }

    /// The number of a step of an obligation's refutation. Trees have a bounded depth, and this recursion with them.
    fn step(&mut self, obligation: usize, step: StepNumber) -> Result<usize, Untranslatable> {
        let parts: &[usize] = match self.speaks_of_parts.get(step) {
            Some(true) => self.parts.of_obligation(obligation),
            _ => &[],
        };
        if let Some(known) = self.known.get(&(step, parts)) {
            return Ok(*known);
        }
        // The table outlives the borrow of `self`.
        let proofs = self.proofs;
        let rule = proofs.step(step).ok_or(Untranslatable::NoStep(step))?;
        let mut below = Vec::new();
        for premise in rule.premises() {
            below.push(self.step(obligation, premise)?);
        }
        let number = self.steps.len();
        let written = self.rule(obligation, rule, &below, number)?;
        self.steps.push(written);
        self.known.insert((step, parts), number);
        Ok(number)
    }

    /// A step with the numbers of those below it, which are counted backwards.
    fn rule(
        &self,
        obligation: usize,
        rule: &Rule,
        below: &[usize],
        number: usize,
    ) -> Result<Numbers, Untranslatable> {
        let mut numbers = Numbers::default();
        let back = |numbers: &mut Numbers, step: &usize| numbers.count(number - 1 - step);
        let all = |numbers: &mut Numbers| below.iter().for_each(|step| back(numbers, step));
        match rule {
            Rule::Farkas(combination) => {
                numbers.count(0);
                write_combination(&mut numbers, combination);
            }
            Rule::Clash(one, other) => {
                numbers.count(1);
                numbers.index(*one);
                numbers.index(*other);
            }
            Rule::Split { hypothesis, .. } => {
                numbers.count(2);
                numbers.index(*hypothesis);
                numbers.list(below, back);
            }
            Rule::Decide { formulas, .. } => {
                numbers.count(3);
                all(&mut numbers);
                numbers.list(formulas, |numbers, one| {
                    numbers.count(usize::from(one.is_complement));
                    numbers.index(one.hypothesis);
                    numbers.list(&one.path, |numbers, member| numbers.index(*member));
                });
            }
            Rule::Branch { sum, bound, .. } => {
                numbers.count(4);
                numbers.integer(bound);
                all(&mut numbers);
                let sum = self.sum(obligation, sum)?;
                numbers.list(sum, |numbers, (variable, coefficient)| {
                    numbers.positive(&BigUint::from(variable));
                    numbers.integer(&coefficient);
                });
            }
            Rule::Cut { combination, .. } => {
                numbers.count(5);
                all(&mut numbers);
                write_combination(&mut numbers, combination);
            }
        }
        Ok(numbers)
    }

    fn sum(
        &self,
        obligation: usize,
        sum: &[(BigInt, NamedVariable)],
    ) -> Result<Vec<(u64, BigInt)>, Untranslatable> {
        let mut terms: BTreeMap<u64, BigInt> = BTreeMap::new();
        for (coefficient, variable) in sum {
            let number = match variable {
                NamedVariable::Symbol(name) => self
                    .parts
                    .symbol(&Symbol::new(name.as_str(), Sort::Int))
                    .ok_or_else(|| Untranslatable::Symbol(name.clone()))?,
                NamedVariable::IntegerPart(part) => self
                    .parts
                    .integer_part(obligation, *part)
                    .ok_or(Untranslatable::IntegerPart(*part))?,
            };
            *terms.entry(number).or_default() += coefficient;
        }
        let zero = BigInt::default();
        Ok((terms.into_iter())
            .filter(|(_, coefficient)| *coefficient != zero)
            .collect())
    }
}

/// A combination with integers as multipliers: a positive multiple of a combination is as good.
fn write_combination(numbers: &mut Numbers, combination: &Combination) {
    let denominators = combination
        .iter()
        .map(|(_, multiplier)| multiplier.denom().clone());
    let common = denominators.fold(BigInt::one(), |common, other| common.lcm(&other));
    numbers.list(combination, |numbers, (index, multiplier)| {
        numbers.index(*index);
        numbers.integer(&(multiplier.numer() * (&common / multiplier.denom())));
    });
}

fn speaks_of_parts(proofs: &Proofs) -> Vec<bool> {
    let mut speaks: Vec<bool> = Vec::with_capacity(proofs.steps().len());
    for rule in proofs.steps() {
        let own = match rule {
            Rule::Branch { sum, .. } => sum
                .iter()
                .any(|(_, variable)| matches!(variable, NamedVariable::IntegerPart(_))),
            _ => false,
        };
        let below = |step: StepNumber| speaks.get(step).copied().unwrap_or(false);
        speaks.push(own || rule.premises().into_iter().any(below));
    }
    speaks
}
