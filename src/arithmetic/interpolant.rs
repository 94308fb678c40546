//! Craig interpolants from proof trees.
//!
//! At a cut, constraints of smaller partitions are A and the others B. An interpolant follows from A, contradicts B, and mentions
//! only variables of both. It is read off the tree: a Farkas leaf gives the sum of its A part, which bounds what both sides share; a
//! clash gives its literal; a split of an A hypothesis gives the disjunction of its cases' interpolants, a split of a B hypothesis
//! their conjunction (Pudlák 1997, McMillan 2005). A branch is a split on `e <= k or e >= k + 1`, which holds anyway and so belongs
//! to whichever side has all variables of `e`; when neither side has them there is no interpolant of this kind.
//!
//! From a leaf's A part follows `t <= c`, from its B part `t >= d` with `c < d` (or `c = d` and one of them strict). Every bound in
//! between will do, which is the freedom that [`interpolants`] uses: it looks for a constant that is preferred.

use std::collections::BTreeSet;

use super::formula::Formula;
use super::linear::{Kind, LinearExpression, Relation, Variable, VariableSorts};
use super::number::Rational;
use super::proof::{
    Constraint, Context, Hypothesis, Label, MAXIMAL_DEPTH, ProofError, ProofTree, Source,
    branch_assumptions,
};

/// How many preferred constants are tried.
const MOST_PREFERRED: usize = 3;

/// Why a proof tree yields no interpolant at a cut.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum InterpolantError {
    /// The tree does not fit the constraints.
    #[error(transparent)]
    Proof(#[from] ProofError),
    /// The tree branches on an expression with variables that only A has and variables that only B has.
    #[error("the proof branches on an expression of which no side has all variables")]
    MixedBranch,
}

/// Which bound a leaf's interpolant takes, of those between its A part and its B part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Choice {
    /// A bound with a preferred constant, the one with this number; the A part's where there is none.
    Preferred(usize),
    /// What the A part says, as an inequality.
    Strong,
    /// What is left when the B part's inequality is negated.
    Weak,
    /// What the A part says, as an equality where it is one.
    Equality,
    /// The negation of the B part, of an equality where it is one.
    Disequality,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    A,
    B,
}

/// Interpolants at a cut, different ones, those with preferred constants first. A constant `c` is preferred when `c` or `-c` is
/// among `preferred`.
///
/// The tree is expected to be one that replays; a tree that does not gives an error or formulas that are no interpolants.
///
/// # Errors
///
/// [`InterpolantError`].
pub fn interpolants(
    proof: &ProofTree,
    constraints: &[Constraint],
    cut: u32,
    sorts: &(impl VariableSorts + ?Sized),
    preferred: &BTreeSet<Rational>,
) -> Result<Vec<Formula>, InterpolantError> {
    let mut variables = [BTreeSet::new(), BTreeSet::new()];
    for constraint in constraints {
        let side = usize::from(constraint.partition >= cut);
        variables[side].extend(constraint.formula.variables());
    }
    let [variables_of_a, variables_of_b] = variables;
    let mut reader = Reader {
        context: Context::new(constraints)?,
        sides: Vec::new(),
        cut,
        sorts,
        preferred,
        variables_of_a,
        variables_of_b,
    };
    let mut found = Vec::new();
    let preferences = (0..MOST_PREFERRED).map(Choice::Preferred);
    let others = [
        Choice::Strong,
        Choice::Weak,
        Choice::Equality,
        Choice::Disequality,
    ];
    for choice in preferences.chain(others) {
        let interpolant = reader.read(proof, choice, MAXIMAL_DEPTH)?;
        if !found.contains(&interpolant) {
            found.push(interpolant);
        }
    }
    Ok(found)
}

struct Reader<'a, S: ?Sized> {
    context: Context<'a>,
    /// The sides of the assumptions in force.
    sides: Vec<(Label, Side)>,
    cut: u32,
    sorts: &'a S,
    preferred: &'a BTreeSet<Rational>,
    variables_of_a: BTreeSet<Variable>,
    variables_of_b: BTreeSet<Variable>,
}

impl<S: VariableSorts + ?Sized> Reader<'_, S> {
    fn read(
        &mut self,
        proof: &ProofTree,
        choice: Choice,
        depth: usize,
    ) -> Result<Formula, InterpolantError> {
        let below = depth.checked_sub(1).ok_or(ProofError::TooDeep)?;
        match proof {
            ProofTree::Farkas(combination) => self.combination(combination, choice),
            ProofTree::Clash { positive, negative } => {
                Ok(match (self.side(*positive)?, self.side(*negative)?) {
                    (Side::A, Side::A) => Formula::False,
                    (Side::B, Side::B) => Formula::True,
                    (Side::A, Side::B) => self.context.find(*positive)?.clone(),
                    (Side::B, Side::A) => self.context.find(*negative)?.clone(),
                })
            }
            ProofTree::Split {
                label,
                hypothesis,
                cases,
            } => {
                let side = self.side(*hypothesis)?;
                let formula = self.context.find(*hypothesis)?.clone();
                let cases: Vec<(&Formula, &ProofTree)> =
                    formula.disjuncts().iter().zip(cases).collect();
                self.cases(*label, side, &cases, choice, below)
            }
            ProofTree::Branch {
                label,
                expression,
                bound,
                at_most,
                above,
            } => {
                let side = self.side_of_branch(expression)?;
                let (low, high) = branch_assumptions(expression, bound);
                self.cases(
                    *label,
                    side,
                    &[(&low, at_most), (&high, above)],
                    choice,
                    below,
                )
            }
        }
    }

    fn cases(
        &mut self,
        label: Label,
        side: Side,
        cases: &[(&Formula, &ProofTree)],
        choice: Choice,
        depth: usize,
    ) -> Result<Formula, InterpolantError> {
        let mut members = Vec::with_capacity(cases.len());
        self.sides.push((label, side));
        for (assumption, proof) in cases {
            self.context.enter(label, (*assumption).clone());
            let member = self.read(proof, choice, depth);
            self.context.leave();
            members.push(member?);
        }
        self.sides.pop();
        Ok(match side {
            Side::A => Formula::or(members),
            Side::B => Formula::and(members),
        })
    }

    fn side(&self, hypothesis: Hypothesis) -> Result<Side, ProofError> {
        let side = match hypothesis.source {
            Source::Constraint(id) => self.context.partition(id).map(|partition| {
                if partition < self.cut {
                    Side::A
                } else {
                    Side::B
                }
            }),
            Source::Assumption(label) => self
                .sides
                .iter()
                .rev()
                .find(|assumption| assumption.0 == label)
                .map(|assumption| assumption.1),
        };
        side.ok_or(ProofError::UnknownHypothesis(hypothesis))
    }

    fn side_of_branch(&self, expression: &LinearExpression) -> Result<Side, InterpolantError> {
        let all_in = |variables: &BTreeSet<Variable>| {
            expression
                .variables()
                .all(|variable| variables.contains(&variable))
        };
        if all_in(&self.variables_of_b) {
            Ok(Side::B)
        } else if all_in(&self.variables_of_a) {
            Ok(Side::A)
        } else {
            Err(InterpolantError::MixedBranch)
        }
    }

    fn combination(
        &self,
        combination: &[(Hypothesis, Rational)],
        choice: Choice,
    ) -> Result<Formula, InterpolantError> {
        let mut a = LeafPart::default();
        let mut b = LeafPart::default();
        for (hypothesis, multiplier) in combination {
            let Formula::Atom(atom) = self.context.find(*hypothesis)? else {
                return Err(ProofError::NotAnAtom(*hypothesis).into());
            };
            let part = match self.side(*hypothesis)? {
                Side::A => &mut a,
                Side::B => &mut b,
            };
            part.any = true;
            part.sum.add_scaled(atom.expression(), multiplier);
            match atom.relation() {
                Relation::Less => part.strict = true,
                Relation::LessOrEqual => part.inequality = true,
                Relation::Equal => {}
            }
        }
        if !a.any {
            return Ok(Formula::True);
        }
        if !b.any {
            return Ok(Formula::False);
        }
        if a.sum.is_constant() {
            // One side contradicts itself.
            let holds = a.relation().holds(a.sum.constant_part());
            return Ok(Formula::constant(holds));
        }
        Ok(Gap::between(&a, &b, self.sorts).interpolant(choice, self.preferred, self.sorts))
    }
}

/// The sum of the atoms of one side, each with its multiplier.
#[derive(Default)]
struct LeafPart {
    any: bool,
    sum: LinearExpression,
    /// Some atom is a strict inequality.
    strict: bool,
    /// Some atom is an inequality that is not strict.
    inequality: bool,
}

impl LeafPart {
    fn relation(&self) -> Relation {
        if self.strict {
            Relation::Less
        } else if self.inequality {
            Relation::LessOrEqual
        } else {
            Relation::Equal
        }
    }
}

/// What the two sides say about their common sum: A that it is at most `low`, B that it is at least `high`.
struct Gap {
    /// The sum, with coprime coefficients and without a constant.
    sum: LinearExpression,
    integral: bool,
    low: Rational,
    /// A says below `low`. Never so when integral.
    low_strict: bool,
    /// A says exactly `low`.
    low_equal: bool,
    high: Rational,
    /// B says above `high`. Never so when integral.
    high_strict: bool,
    /// B says exactly `high`.
    high_equal: bool,
}

impl Gap {
    fn between(a: &LeafPart, b: &LeafPart, sorts: &(impl VariableSorts + ?Sized)) -> Gap {
        let common = a
            .sum
            .terms()
            .iter()
            .fold(Rational::ZERO, |common, term| common.gcd(&term.1));
        let scale = common.reciprocal().unwrap_or(Rational::ONE);
        let mut sum = a.sum.times(&scale);
        let constant = sum.constant_part().clone();
        sum.add_constant(&-&constant);
        let integral = sum
            .variables()
            .all(|variable| sorts.kind(variable) == Kind::Integer);
        let mut gap = Gap {
            sum,
            integral,
            low: -&constant,
            low_strict: a.strict,
            low_equal: a.relation() == Relation::Equal,
            high: b.sum.constant_part() * &scale,
            high_strict: b.strict,
            high_equal: b.relation() == Relation::Equal,
        };
        if integral {
            gap.tighten();
        }
        gap
    }

    /// Moves the bounds to integers.
    fn tighten(&mut self) {
        // An equality with a fraction is contradictory by itself, and then so is either inequality.
        self.low_equal &= self.low.is_integer();
        self.high_equal &= self.high.is_integer();
        if self.low_strict {
            self.low = &self.low.ceil() - &Rational::ONE;
        } else {
            self.low = self.low.floor();
        }
        if self.high_strict {
            self.high = &self.high.floor() + &Rational::ONE;
        } else {
            self.high = self.high.ceil();
        }
        self.low_strict = false;
        self.high_strict = false;
    }

    fn interpolant(
        &self,
        choice: Choice,
        preferred: &BTreeSet<Rational>,
        sorts: &(impl VariableSorts + ?Sized),
    ) -> Formula {
        let compare = |bound: &Rational, relation: Relation| {
            let mut difference = self.sum.clone();
            difference.add_constant(&-bound);
            Formula::compare(difference, relation, sorts)
        };
        let strong = || {
            if self.low_strict {
                compare(&self.low, Relation::Less)
            } else {
                compare(&self.low, Relation::LessOrEqual)
            }
        };
        let weak = || {
            if self.high_strict {
                compare(&self.high, Relation::LessOrEqual)
            } else {
                compare(&self.high, Relation::Less)
            }
        };
        match choice {
            Choice::Preferred(number) => self
                .preferred_bounds(preferred)
                .into_iter()
                .nth(number)
                .map_or_else(strong, |(bound, relation)| compare(&bound, relation)),
            Choice::Equality if self.low_equal => compare(&self.low, Relation::Equal),
            Choice::Disequality if self.high_equal => compare(&self.high, Relation::Equal).negate(),
            Choice::Strong | Choice::Equality => strong(),
            Choice::Weak | Choice::Disequality => weak(),
        }
    }

    /// The bounds within the gap whose constants are preferred, the smallest absolute constants first.
    fn preferred_bounds(&self, preferred: &BTreeSet<Rational>) -> Vec<(Rational, Relation)> {
        let mut constants: Vec<Rational> = preferred
            .iter()
            .flat_map(|constant| [constant.clone(), -constant])
            .filter(|constant| *constant >= self.low && *constant <= self.high)
            .collect();
        constants.sort_by_cached_key(|constant| (constant.abs(), constant.is_negative()));
        constants.dedup();
        let mut bounds = Vec::new();
        for constant in constants {
            let at_most = constant < self.high || self.high_strict;
            let below = constant > self.low || self.low_strict;
            if self.integral {
                // `t < c` and its negation `t >= c` name the constant as well.
                if !constant.is_integer() {
                    continue;
                }
                if at_most {
                    bounds.push((constant.clone(), Relation::LessOrEqual));
                }
                if below {
                    bounds.push((constant, Relation::Less));
                }
            } else if at_most {
                bounds.push((constant, Relation::LessOrEqual));
            } else if below {
                bounds.push((constant, Relation::Less));
            }
        }
        bounds
    }
}

#[cfg(test)]
mod tests;
