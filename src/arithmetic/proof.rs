//! Refutations as data: trees that are checked by adding up, without any search.
//!
//! A refutation starts from *constraints*. Hypotheses are the conjuncts of constraints and of the *assumptions* that the tree's
//! inner nodes make: a [`ProofTree::Split`] assumes each member of a disjunctive hypothesis in turn, a [`ProofTree::Branch`] that
//! an integer is at most or above a bound. Leaves contradict: a [`ProofTree::Farkas`] combination of atoms reads `0 < 0` or worse,
//! a [`ProofTree::Clash`] has a Boolean variable both ways.
//!
//! Each inner node's label names its assumption below it, so that nodes can be left out of a tree without renumbering the rest.

use std::collections::{BTreeMap, BTreeSet};

use super::formula::Formula;
use super::linear::{Kind, LinearExpression, Relation, Variable, VariableSorts};
use super::number::Rational;

/// How deep a tree may be; replay refuses deeper ones, and the solver builds none.
pub const MAXIMAL_DEPTH: usize = 2000;

/// A formula to be refuted together with others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constraint {
    /// What holds.
    pub formula: Formula,
    /// Its place in the sequence that interpolants cut: those below a cut are on the A side.
    pub partition: u32,
    /// Its name in proofs; unique among the constraints of a problem.
    pub id: usize,
}

/// The name of an assumption.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Label(pub u32);

/// Where a hypothesis comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Source {
    /// The constraint with this `id`.
    Constraint(usize),
    /// The assumption of the enclosing inner node with this label.
    Assumption(Label),
}

/// A conjunct (as [`Formula::conjuncts`] counts) of a constraint or an assumption.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Hypothesis {
    /// The constraint or assumption.
    pub source: Source,
    /// The position among its conjuncts.
    pub conjunct: usize,
}

/// A refutation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProofTree {
    /// Atoms whose sum, with the multipliers, is a comparison of a number with zero that fails. Multipliers of inequalities are
    /// positive.
    Farkas(Vec<(Hypothesis, Rational)>),
    /// A Boolean variable and its negation.
    Clash {
        /// The variable as a hypothesis.
        positive: Hypothesis,
        /// Its negation.
        negative: Hypothesis,
    },
    /// The cases of a hypothesis, one for each of its disjuncts (as [`Formula::disjuncts`] counts: falsity has none).
    Split {
        /// Names the assumption that a case makes.
        label: Label,
        /// The disjunction.
        hypothesis: Hypothesis,
        /// A refutation for each disjunct.
        cases: Vec<ProofTree>,
    },
    /// An integral combination of integers is at most an integer, or at least the next one.
    Branch {
        /// Names the assumption on both sides.
        label: Label,
        /// The combination: integer variables, integral coefficients, integral constant.
        expression: LinearExpression,
        /// The integer.
        bound: Rational,
        /// Refutes `expression <= bound`.
        at_most: Box<ProofTree>,
        /// Refutes `expression >= bound + 1`.
        above: Box<ProofTree>,
    },
}

/// Why a tree proves nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProofError {
    /// Two constraints have the same name.
    #[error("two constraints have the id {0}")]
    DuplicateConstraint(usize),
    /// A constraint or assumption, or its conjunct, does not exist.
    #[error("there is no hypothesis {0:?}")]
    UnknownHypothesis(Hypothesis),
    /// A combined hypothesis is no atom.
    #[error("the hypothesis {0:?} in a combination is no linear atom")]
    NotAnAtom(Hypothesis),
    /// An inequality has a multiplier that is not positive, or an equality the multiplier zero.
    #[error("the multiplier {1} of {0:?} is not admitted")]
    Multiplier(Hypothesis, Rational),
    /// A variable does not cancel out.
    #[error("the combination leaves variable {}", .0.0)]
    VariableLeft(Variable),
    /// The combination holds.
    #[error("the combination contradicts nothing")]
    NoContradiction,
    /// The hypotheses of a clash are not a Boolean variable and its negation.
    #[error("{0:?} and {1:?} are not a Boolean variable and its negation")]
    NoClash(Hypothesis, Hypothesis),
    /// A split has more or fewer cases than its hypothesis has disjuncts.
    #[error("a split of {hypothesis:?} into {expected} cases has {found}")]
    CaseCount {
        /// The hypothesis.
        hypothesis: Hypothesis,
        /// How many disjuncts it has.
        expected: usize,
        /// How many cases are there.
        found: usize,
    },
    /// A branch is on something that need not be an integer.
    #[error("a branch on an expression that need not be integral")]
    NotIntegral,
    /// The tree is deeper than [`MAXIMAL_DEPTH`].
    #[error("the proof is too deep")]
    TooDeep,
}

/// The hypotheses in force at a node: all constraints, and the assumptions on the way from the root.
pub(super) struct Context<'a> {
    constraints: BTreeMap<usize, &'a Constraint>,
    assumptions: Vec<(Label, Formula)>,
}

impl<'a> Context<'a> {
    pub(super) fn new(constraints: &'a [Constraint]) -> Result<Context<'a>, ProofError> {
        let mut table = BTreeMap::new();
        for constraint in constraints {
            if table.insert(constraint.id, constraint).is_some() {
                return Err(ProofError::DuplicateConstraint(constraint.id));
            }
        }
        Ok(Context {
            constraints: table,
            assumptions: Vec::new(),
        })
    }

    /// The formula of a hypothesis. The innermost assumption of a label counts.
    pub(super) fn find(&self, hypothesis: Hypothesis) -> Result<&Formula, ProofError> {
        let formula = match hypothesis.source {
            Source::Constraint(id) => self
                .constraints
                .get(&id)
                .map(|constraint| &constraint.formula),
            Source::Assumption(label) => self
                .assumptions
                .iter()
                .rev()
                .find(|assumption| assumption.0 == label)
                .map(|assumption| &assumption.1),
        };
        formula
            .and_then(|formula| formula.conjuncts().get(hypothesis.conjunct))
            .ok_or(ProofError::UnknownHypothesis(hypothesis))
    }

    /// The partition of a constraint.
    pub(super) fn partition(&self, id: usize) -> Option<u32> {
        self.constraints
            .get(&id)
            .map(|constraint| constraint.partition)
    }

    /// Makes a further assumption.
    pub(super) fn enter(&mut self, label: Label, formula: Formula) {
        self.assumptions.push((label, formula));
    }

    /// Takes the last assumption back.
    pub(super) fn leave(&mut self) {
        self.assumptions.pop();
    }
}

/// The two assumptions of a branch.
pub(super) fn branch_assumptions(
    expression: &LinearExpression,
    bound: &Rational,
) -> (Formula, Formula) {
    let compare = |sum: LinearExpression| {
        // All variables of a branch are integers.
        Formula::compare(sum, Relation::LessOrEqual, &|_: Variable| Kind::Integer)
    };
    let mut at_most = expression.clone();
    at_most.add_constant(&-bound);
    let mut above = expression.times(&Rational::MINUS_ONE);
    above.add_constant(&(bound + &Rational::ONE));
    (compare(at_most), compare(above))
}

impl ProofTree {
    /// Checks that the tree refutes the conjunction of the constraints, by rational arithmetic alone. `sorts` tells which
    /// variables are integers.
    ///
    /// # Errors
    ///
    /// The first fault that is met.
    pub fn replay(
        &self,
        constraints: &[Constraint],
        sorts: &(impl VariableSorts + ?Sized),
    ) -> Result<(), ProofError> {
        self.check(&mut Context::new(constraints)?, sorts, MAXIMAL_DEPTH)
    }

    fn check(
        &self,
        context: &mut Context<'_>,
        sorts: &(impl VariableSorts + ?Sized),
        depth: usize,
    ) -> Result<(), ProofError> {
        let below = depth.checked_sub(1).ok_or(ProofError::TooDeep)?;
        match self {
            ProofTree::Farkas(combination) => check_combination(combination, context),
            ProofTree::Clash { positive, negative } => {
                let formulas = (context.find(*positive)?, context.find(*negative)?);
                let (
                    Formula::Literal {
                        variable: left,
                        positive: true,
                    },
                    Formula::Literal {
                        variable: right,
                        positive: false,
                    },
                ) = formulas
                else {
                    return Err(ProofError::NoClash(*positive, *negative));
                };
                if left == right {
                    Ok(())
                } else {
                    Err(ProofError::NoClash(*positive, *negative))
                }
            }
            ProofTree::Split {
                label,
                hypothesis,
                cases,
            } => {
                let formula = context.find(*hypothesis)?.clone();
                let disjuncts = formula.disjuncts();
                if disjuncts.len() != cases.len() {
                    return Err(ProofError::CaseCount {
                        hypothesis: *hypothesis,
                        expected: disjuncts.len(),
                        found: cases.len(),
                    });
                }
                for (disjunct, case) in disjuncts.iter().zip(cases) {
                    case.check_under(*label, disjunct.clone(), context, sorts, below)?;
                }
                Ok(())
            }
            ProofTree::Branch {
                label,
                expression,
                bound,
                at_most,
                above,
            } => {
                if !is_integral(expression, sorts) || !bound.is_integer() {
                    return Err(ProofError::NotIntegral);
                }
                let (low, high) = branch_assumptions(expression, bound);
                at_most.check_under(*label, low, context, sorts, below)?;
                above.check_under(*label, high, context, sorts, below)
            }
        }
    }

    fn check_under(
        &self,
        label: Label,
        assumption: Formula,
        context: &mut Context<'_>,
        sorts: &(impl VariableSorts + ?Sized),
        depth: usize,
    ) -> Result<(), ProofError> {
        context.enter(label, assumption);
        let result = self.check(context, sorts, depth);
        context.leave();
        result
    }

    /// The ids of the constraints that the tree uses.
    #[must_use]
    pub fn core(&self) -> BTreeSet<usize> {
        let mut core = BTreeSet::new();
        self.for_each_hypothesis(&mut |hypothesis| {
            if let Source::Constraint(id) = hypothesis.source {
                core.insert(id);
            }
        });
        core
    }

    /// Visits the hypotheses that the nodes refer to, each as often as it is referred to.
    pub fn for_each_hypothesis(&self, visit: &mut impl FnMut(Hypothesis)) {
        match self {
            ProofTree::Farkas(combination) => {
                for (hypothesis, _) in combination {
                    visit(*hypothesis);
                }
            }
            ProofTree::Clash { positive, negative } => {
                visit(*positive);
                visit(*negative);
            }
            ProofTree::Split {
                hypothesis, cases, ..
            } => {
                visit(*hypothesis);
                for case in cases {
                    case.for_each_hypothesis(visit);
                }
            }
            ProofTree::Branch { at_most, above, .. } => {
                at_most.for_each_hypothesis(visit);
                above.for_each_hypothesis(visit);
            }
        }
    }

    /// The number of leaves and inner nodes.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            ProofTree::Farkas(_) | ProofTree::Clash { .. } => 1,
            ProofTree::Split { cases, .. } => 1 + cases.iter().map(ProofTree::size).sum::<usize>(),
            ProofTree::Branch { at_most, above, .. } => 1 + at_most.size() + above.size(),
        }
    }
}

/// Whether an expression has an integral value whatever the values of its variables.
fn is_integral(expression: &LinearExpression, sorts: &(impl VariableSorts + ?Sized)) -> bool {
    expression.constant_part().is_integer()
        && expression.terms().iter().all(|(variable, coefficient)| {
            coefficient.is_integer() && sorts.kind(*variable) == Kind::Integer
        })
}

fn check_combination(
    combination: &[(Hypothesis, Rational)],
    context: &Context<'_>,
) -> Result<(), ProofError> {
    let mut sum = LinearExpression::zero();
    let mut strict = false;
    for (hypothesis, multiplier) in combination {
        let Formula::Atom(atom) = context.find(*hypothesis)? else {
            return Err(ProofError::NotAnAtom(*hypothesis));
        };
        let admitted = match atom.relation() {
            Relation::Equal => !multiplier.is_zero(),
            Relation::LessOrEqual | Relation::Less => multiplier.is_positive(),
        };
        if !admitted {
            return Err(ProofError::Multiplier(*hypothesis, multiplier.clone()));
        }
        strict |= atom.relation() == Relation::Less;
        sum.add_scaled(atom.expression(), multiplier);
    }
    if let Some(variable) = sum.variables().next() {
        return Err(ProofError::VariableLeft(variable));
    }
    // The sum reads `constant <= 0`, `constant < 0`, or, of equalities alone, `constant = 0`.
    let only_equalities = combination.iter().all(|(hypothesis, _)| {
        matches!(context.find(*hypothesis), Ok(Formula::Atom(atom)) if atom.relation() == Relation::Equal)
    });
    let relation = match (strict, only_equalities) {
        (true, _) => Relation::Less,
        (false, true) => Relation::Equal,
        (false, false) => Relation::LessOrEqual,
    };
    if relation.holds(sum.constant_part()) {
        Err(ProofError::NoContradiction)
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
