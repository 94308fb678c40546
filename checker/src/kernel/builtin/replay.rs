//! Following a refutation step by step: one function for each rule.
//!
//! In force is a list of hypotheses. A step contradicts some of them, or adds a hypothesis for each case that is left; what is added is
//! taken back when the case is refuted. A conjunction is followed in the list by its members. Invariant: whenever a step counts as
//! followed, the hypotheses in force at it do not hold together.

use super::FaultyStep;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use slabcert_certificates::proof::formula::{
    AtomRelation, Comparison, Formula, Formulas, Linear, Variable, View,
};
use slabcert_certificates::proof::{
    Combination, HypothesisIndex, NamedVariable, Occurrence, Proofs, Rule, StepNumber,
};
use slabcert_certificates::term::{Sort, Symbol};
use slabcert_certificates::work::{FOLLOWING, TooLarge};
use std::sync::atomic::{AtomicBool, Ordering};

/// What a formula counts that a step makes, as it takes memory.
const FORMULA_WORK: u64 = 50;

/// What is wrong with a step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// There is no such step.
    #[error("there is no step {0}")]
    NoStep(StepNumber),
    /// There is no such hypothesis.
    #[error("there is no hypothesis {index}: {count} are in force")]
    NoHypothesis {
        /// Where it was looked for.
        index: HypothesisIndex,
        /// How many there are.
        count: usize,
    },
    /// A hypothesis cannot be combined.
    #[error("hypothesis {0} is not an equation or inequality")]
    NoAtom(HypothesisIndex),
    /// An inequality has a multiplier that is not positive, or an equation the multiplier zero.
    #[error("hypothesis {index} must not have the multiplier {multiplier}")]
    Multiplier {
        /// The hypothesis.
        index: HypothesisIndex,
        /// Its multiplier.
        multiplier: BigRational,
    },
    /// A combination contradicts nothing.
    #[error("the combination is not a contradiction")]
    NoContradiction,
    /// Two hypotheses can hold together, for all that is known.
    #[error("hypotheses {0} and {1} are not complements of each other")]
    NoClash(HypothesisIndex, HypothesisIndex),
    /// A hypothesis has no cases.
    #[error("hypothesis {0} is not a disjunction")]
    NoDisjunction(HypothesisIndex),
    /// A hypothesis has nothing at the end of a path.
    #[error("hypothesis {index} has no member {}", shown(path))]
    NoMember {
        /// The hypothesis.
        index: HypothesisIndex,
        /// Where the member was looked for.
        path: Vec<usize>,
    },
    /// A split has more or fewer cases than its hypothesis has members.
    #[error("hypothesis {index} has {members} cases, but {cases} are refuted")]
    Cases {
        /// The hypothesis.
        index: HypothesisIndex,
        /// The number of its members.
        members: usize,
        /// The number of refutations.
        cases: usize,
    },
    /// A branch is on something that is not an integer variable of the obligation.
    #[error("`{0}` is not an integer variable of the system")]
    NoIntegerVariable(String),
    /// Following the refutation takes too much work, numbers that are too large, or too many formulas.
    #[error("the proof cannot be followed: {0}")]
    TooLarge(#[from] TooLarge),
}

/// A path as text: `2`, or `2.0.1`; cut when it is long.
fn shown(path: &[usize]) -> String {
    const LONGEST: usize = 20;
    let indices: Vec<String> = path.iter().take(LONGEST).map(usize::to_string).collect();
    let cut = if path.len() > LONGEST { "..." } else { "" };
    format!("{}{cut}", indices.join("."))
}

/// Why a refutation is not followed to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    Faulty(FaultyStep),
    Interrupted,
}

/// Follows refutations of hypotheses of one store.
pub(super) struct Replay<'a> {
    formulas: &'a mut Formulas,
    proofs: &'a Proofs,
    interrupt: &'a AtomicBool,
    in_force: Vec<Formula>,
}

impl<'a> Replay<'a> {
    pub fn new(
        formulas: &'a mut Formulas,
        proofs: &'a Proofs,
        interrupt: &'a AtomicBool,
    ) -> Replay<'a> {
        Replay {
            formulas,
            proofs,
            interrupt,
            in_force: Vec::new(),
        }
    }

    /// Follows the refutation of the hypotheses whose last step is given.
    pub fn refutes(&mut self, hypotheses: &[Formula], root: StepNumber) -> Result<(), Stop> {
        self.in_force.clear();
        self.formulas.allow(FOLLOWING);
        for hypothesis in hypotheses {
            self.assume(*hypothesis);
        }
        self.step(root)
    }

    /// Follows a step and those that it rests on. The depth of a table is bounded, and this recursion with it.
    fn step(&mut self, number: StepNumber) -> Result<(), Stop> {
        // The table outlives the replay's own borrow.
        let proofs = self.proofs;
        let rule = proofs.step(number);
        let name = rule.map_or("none", Rule::name);
        let faulty = |fault| {
            Stop::Faulty(FaultyStep {
                step: number,
                rule: name,
                fault,
            })
        };
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(Stop::Interrupted);
        }
        self.charge(1).map_err(faulty)?;
        let cases = match rule.ok_or_else(|| faulty(Fault::NoStep(number)))? {
            Rule::Farkas(combination) => self.farkas(combination),
            Rule::Clash(one, other) => self.clash(*one, *other),
            Rule::Split { hypothesis, cases } => self.split(*hypothesis, cases),
            Rule::Decide {
                formulas,
                holds,
                fails,
            } => self.decide(formulas, [*holds, *fails]),
            Rule::Branch {
                sum,
                bound,
                at_most,
                above,
            } => self.branch(sum, bound, [*at_most, *above]),
            Rule::Cut { combination, then } => self.cut(combination, *then),
        }
        .map_err(faulty)?;
        for (assumption, refutation) in cases {
            let before = self.in_force.len();
            let members = self.assume(assumption);
            self.charge(members).map_err(faulty)?;
            self.step(refutation)?;
            self.in_force.truncate(before);
        }
        Ok(())
    }

    fn charge(&mut self, work: u64) -> Result<(), Fault> {
        Ok(self.formulas.work().charge(work)?)
    }

    /// Adds a hypothesis, and its members when it is a conjunction; the number of members.
    fn assume(&mut self, hypothesis: Formula) -> u64 {
        self.in_force.push(hypothesis);
        let members = self.formulas.as_conjunction(hypothesis).unwrap_or_default();
        self.in_force.extend_from_slice(members);
        members.len() as u64
    }

    fn hypothesis(&self, index: HypothesisIndex) -> Result<Formula, Fault> {
        self.in_force
            .get(index)
            .copied()
            .ok_or(Fault::NoHypothesis {
                index,
                count: self.in_force.len(),
            })
    }

    /// The combination of atoms as a comparison: a sum of equations and inequalities with multipliers that keep the direction. It is
    /// strict when one of them is, and an equation when all are.
    fn combine(&mut self, combination: &Combination) -> Result<Comparison, Fault> {
        let mut sum = Linear::default();
        let mut relation = AtomRelation::Equal;
        for (index, multiplier) in combination {
            let View::Atom(atom) = self.formulas.view(self.hypothesis(*index)?) else {
                return Err(Fault::NoAtom(*index));
            };
            let atom = atom.clone();
            let is_admitted = match atom.relation {
                AtomRelation::Equal => !multiplier.is_zero(),
                AtomRelation::LessOrEqual | AtomRelation::Less => multiplier.is_positive(),
                AtomRelation::Different => return Err(Fault::NoAtom(*index)),
            };
            if !is_admitted {
                return Err(Fault::Multiplier {
                    index: *index,
                    multiplier: multiplier.clone(),
                });
            }
            relation = match (relation, atom.relation) {
                (AtomRelation::Less, _) | (_, AtomRelation::Less) => AtomRelation::Less,
                (AtomRelation::Equal, AtomRelation::Equal) => AtomRelation::Equal,
                _ => AtomRelation::LessOrEqual,
            };
            let mut linear = Linear::constant(-atom.constant);
            for (variable, coefficient) in atom.sum {
                linear.add_term(variable, BigRational::from_integer(coefficient));
            }
            sum.add_scaled(&linear, multiplier, self.formulas.work())?;
        }
        Ok(self.formulas.tighten(&sum, relation)?)
    }

    /// The combination holds for no values.
    fn farkas(&mut self, combination: &Combination) -> Result<Vec<(Formula, StepNumber)>, Fault> {
        match self.combine(combination)? {
            Comparison::Constant(false) => Ok(Vec::new()),
            Comparison::Constant(true) | Comparison::Atom(_) => Err(Fault::NoContradiction),
        }
    }

    /// One hypothesis is the complement of the other.
    fn clash(
        &self,
        one: HypothesisIndex,
        other: HypothesisIndex,
    ) -> Result<Vec<(Formula, StepNumber)>, Fault> {
        if self.hypothesis(one)?.complement() == self.hypothesis(other)? {
            Ok(Vec::new())
        } else {
            Err(Fault::NoClash(one, other))
        }
    }

    /// A member of the disjunction holds; what differs from a number is below or above it.
    fn split(
        &mut self,
        index: HypothesisIndex,
        cases: &[StepNumber],
    ) -> Result<Vec<(Formula, StepNumber)>, Fault> {
        let members: Vec<Formula> = match self.formulas.view(self.hypothesis(index)?) {
            View::Or(members) => members.to_vec(),
            View::Atom(atom) if atom.relation == AtomRelation::Different => {
                let atom = atom.clone();
                self.charge(2 * FORMULA_WORK)?;
                self.formulas.sides(&atom)?.to_vec()
            }
            _ => return Err(Fault::NoDisjunction(index)),
        };
        if members.len() != cases.len() {
            return Err(Fault::Cases {
                index,
                members: members.len(),
                cases: cases.len(),
            });
        }
        Ok(members.into_iter().zip(cases.iter().copied()).collect())
    }

    /// One of the formulas holds, or the complements of all do.
    fn decide(
        &mut self,
        formulas: &[Occurrence],
        [holds, fails]: [StepNumber; 2],
    ) -> Result<Vec<(Formula, StepNumber)>, Fault> {
        let mut found = Vec::with_capacity(formulas.len());
        for one in formulas {
            self.charge(1 + one.path.len() as u64)?;
            let formula = self.inside(one.hypothesis, &one.path)?;
            if let View::And(members) | View::Or(members) = self.formulas.view(formula) {
                let members = members.len() as u64;
                self.charge(members)?;
            }
            found.push(if one.is_complement {
                formula.complement()
            } else {
                formula
            });
        }
        self.charge(FORMULA_WORK)?;
        let formula = self.formulas.or(&found)?;
        Ok(vec![(formula, holds), (formula.complement(), fails)])
    }

    /// What stands inside a hypothesis at the end of a path.
    fn inside(&self, index: HypothesisIndex, path: &[usize]) -> Result<Formula, Fault> {
        let mut formula = self.hypothesis(index)?;
        for member in path {
            formula = match self.formulas.view(formula) {
                View::And(members) | View::Or(members) => members.get(*member).copied(),
                View::Literal { .. } | View::Atom(_) => None,
            }
            .ok_or_else(|| Fault::NoMember {
                index,
                path: path.to_vec(),
            })?;
        }
        Ok(formula)
    }

    /// The sum of integers is at most the bound, or at least the next integer.
    fn branch(
        &mut self,
        sum: &[(BigInt, NamedVariable)],
        bound: &BigInt,
        [at_most, above]: [StepNumber; 2],
    ) -> Result<Vec<(Formula, StepNumber)>, Fault> {
        self.charge(2 * FORMULA_WORK + sum.len() as u64)?;
        let mut low = Linear::constant(BigRational::from_integer(-bound));
        for (coefficient, variable) in sum {
            let variable = self.integer_variable(variable)?;
            low.add_term(variable, BigRational::from_integer(coefficient.clone()));
        }
        let mut high = Linear::constant(BigRational::one());
        high.add_scaled(&low, &-BigRational::one(), self.formulas.work())?;
        Ok(vec![
            (
                self.formulas.compare(&low, AtomRelation::LessOrEqual)?,
                at_most,
            ),
            (
                self.formulas.compare(&high, AtomRelation::LessOrEqual)?,
                above,
            ),
        ])
    }

    fn integer_variable(&self, named: &NamedVariable) -> Result<Variable, Fault> {
        match named {
            NamedVariable::Symbol(name) => self
                .formulas
                .known_symbol(&Symbol::new(name.as_str(), Sort::Int))
                .ok_or_else(|| Fault::NoIntegerVariable(name.clone())),
            NamedVariable::IntegerPart(number) => self
                .formulas
                .integer_parts()
                .get(*number)
                .map(|(_, variable)| *variable)
                .ok_or_else(|| Fault::NoIntegerVariable(number.to_string())),
        }
    }

    /// The combination, rounded, holds as well.
    fn cut(
        &mut self,
        combination: &Combination,
        then: StepNumber,
    ) -> Result<Vec<(Formula, StepNumber)>, Fault> {
        let comparison = self.combine(combination)?;
        self.charge(FORMULA_WORK)?;
        Ok(vec![(self.formulas.comparison(comparison)?, then)])
    }
}
