//! Proofs: refutations of obligations that are checked by adding up, without any search.
//!
//! An obligation is normalised ([`normalise`]) to formulas in negation normal form over linear atoms ([`formula`]), the *hypotheses*. A
//! refutation is a tree of *steps*, six rules in all ([`Rule`]): a Farkas combination, a clash of a formula with its complement, a split of
//! a disjunction, a decision on a formula, a branch on an integer, a cut. A [`Proofs`] has the steps of all obligations of a certificate in one table, so
//! that equal sub-trees are there once. `PROOFS.md` has the rules in full, for whoever writes another checker.
//!
//! Invariant of a table: a step refers to earlier steps only, so that trees end; their depth is bounded. Whether a step
//! *proves* anything is the checker's business.

mod file;
pub mod formula;
pub mod normalise;

pub use file::{FORMAT, MAXIMAL_DIGITS, VERSION, read, write};

use num_bigint::BigInt;
use num_rational::BigRational;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The file with refutations of the obligations, if there are any.
pub const PROOFS_FILE: &str = "proofs.json";

/// How deep a tree may be, in steps from the root to a leaf.
pub const MAXIMAL_DEPTH: usize = 2_000;

/// A hypothesis by its index in the list of those in force.
pub type HypothesisIndex = usize;
/// A step by its index in the table.
pub type StepNumber = usize;
/// Atoms with multipliers.
pub type Combination = Vec<(HypothesisIndex, BigRational)>;

/// One step of a refutation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// A combination of atoms reads `0 < 0`, or worse.
    Farkas(Combination),
    /// A hypothesis is the complement of another.
    Clash(HypothesisIndex, HypothesisIndex),
    /// The cases of a disjunction, each refuted.
    Split {
        /// The disjunction.
        hypothesis: HypothesisIndex,
        /// A refutation for each member, in order.
        cases: Vec<StepNumber>,
    },
    /// One of some formulas holds, or none does; both are refuted. The formulas stand inside hypotheses, or their complements do.
    Decide {
        /// The formulas, one or more.
        formulas: Vec<Occurrence>,
        /// Refutes the disjunction of the formulas.
        holds: StepNumber,
        /// Refutes its complement.
        fails: StepNumber,
    },
    /// A sum of integers is at most an integer, or at least the next; both are refuted.
    Branch {
        /// The sum: coefficients and variables.
        sum: Vec<(BigInt, NamedVariable)>,
        /// The integer.
        bound: BigInt,
        /// Refutes `sum <= bound`.
        at_most: StepNumber,
        /// Refutes `sum >= bound + 1`.
        above: StepNumber,
    },
    /// A combination of atoms, rounded, is a further hypothesis.
    Cut {
        /// The atoms.
        combination: Combination,
        /// The refutation with the further hypothesis.
        then: StepNumber,
    },
}

/// A formula that stands inside a hypothesis, or its complement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Occurrence {
    /// Whether the complement is meant.
    pub is_complement: bool,
    /// The hypothesis.
    pub hypothesis: HypothesisIndex,
    /// The way to the formula: an index among the hypothesis's members, among the members of the member there, and so on; empty for the
    /// hypothesis itself.
    pub path: Vec<usize>,
}

/// A variable as a proof names it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum NamedVariable {
    /// A symbol of the system.
    Symbol(String),
    /// An integer part of the obligation, by its number.
    IntegerPart(usize),
}

/// The refutations of a certificate's obligations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proofs {
    steps: Vec<Rule>,
    /// Depth and unfolded size of each step's tree.
    extents: Vec<(usize, u64)>,
    /// The root of each obligation's refutation, in the order of the obligations.
    roots: Vec<Option<StepNumber>>,
}

/// Why a step or a root does not fit into a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// A step refers to itself, to a later step, or to one that is not there.
    #[error("step {0} is not an earlier step")]
    NoEarlierStep(StepNumber),
    /// The tree is deeper than [`MAXIMAL_DEPTH`].
    #[error("the proof is more than {MAXIMAL_DEPTH} levels deep")]
    TooDeep,
}

impl Rule {
    /// The steps that this one rests on.
    pub fn premises(&self) -> Vec<StepNumber> {
        match self {
            Rule::Farkas(_) | Rule::Clash(..) => Vec::new(),
            Rule::Split { cases, .. } => cases.clone(),
            Rule::Decide { holds, fails, .. } => vec![*holds, *fails],
            Rule::Branch { at_most, above, .. } => vec![*at_most, *above],
            Rule::Cut { then, .. } => vec![*then],
        }
    }

    /// The rule's name in words.
    pub fn name(&self) -> &'static str {
        match self {
            Rule::Farkas(_) => "farkas",
            Rule::Clash(..) => "clash",
            Rule::Split { .. } => "split",
            Rule::Decide { .. } => "decide",
            Rule::Branch { .. } => "branch",
            Rule::Cut { .. } => "cut",
        }
    }
}

impl Proofs {
    /// An empty table.
    pub fn new() -> Proofs {
        Proofs::default()
    }

    /// Adds a step and gives its number.
    ///
    /// # Errors
    /// When it refers to what is not an earlier step, or its tree is too deep.
    pub fn add(&mut self, rule: Rule) -> Result<StepNumber, TableError> {
        let mut depth = 0;
        let mut size: u64 = 1;
        for premise in rule.premises() {
            let (below, steps) = self
                .extents
                .get(premise)
                .ok_or(TableError::NoEarlierStep(premise))?;
            depth = depth.max(*below);
            size = size.saturating_add(*steps);
        }
        depth += 1;
        if depth > MAXIMAL_DEPTH {
            return Err(TableError::TooDeep);
        }
        self.steps.push(rule);
        self.extents.push((depth, size));
        Ok(self.steps.len() - 1)
    }

    /// Adds the root of the next obligation's refutation; none when there is no refutation.
    ///
    /// # Errors
    /// When there is no such step.
    pub fn add_root(&mut self, root: Option<StepNumber>) -> Result<(), TableError> {
        if let Some(step) = root
            && step >= self.steps.len()
        {
            return Err(TableError::NoEarlierStep(step));
        }
        self.roots.push(root);
        Ok(())
    }

    /// A step by its number.
    pub fn step(&self, number: StepNumber) -> Option<&Rule> {
        self.steps.get(number)
    }

    /// All steps, in the order of their numbers.
    pub fn steps(&self) -> &[Rule] {
        &self.steps
    }

    /// The root of each obligation's refutation, in the order of the obligations.
    pub fn roots(&self) -> &[Option<StepNumber>] {
        &self.roots
    }

    /// The number of steps of a step's tree, shared ones counted as often as they are used.
    pub fn unfolded_size(&self, number: StepNumber) -> u64 {
        self.extents.get(number).map_or(0, |extent| extent.1)
    }
}

/// Builds a table in which equal steps are there once.
#[derive(Debug, Default)]
pub struct ProofsBuilder {
    proofs: Proofs,
    known: FxHashMap<Rule, StepNumber>,
}

impl ProofsBuilder {
    /// An empty table.
    pub fn new() -> ProofsBuilder {
        ProofsBuilder::default()
    }

    /// The number of the step, which is added unless it is there.
    ///
    /// # Errors
    /// As [`Proofs::add`].
    pub fn step(&mut self, rule: Rule) -> Result<StepNumber, TableError> {
        if let Some(known) = self.known.get(&rule) {
            return Ok(*known);
        }
        let number = self.proofs.add(rule.clone())?;
        self.known.insert(rule, number);
        Ok(number)
    }

    /// Adds the root of the next obligation's refutation; none when there is no refutation.
    ///
    /// # Errors
    /// When there is no such step.
    pub fn root(&mut self, root: Option<StepNumber>) -> Result<(), TableError> {
        self.proofs.add_root(root)
    }

    /// The table so far.
    pub fn proofs(&self) -> &Proofs {
        &self.proofs
    }

    /// The finished table, without the steps that no root needs.
    pub fn finish(self) -> Proofs {
        self.proofs.pruned()
    }
}

impl Proofs {
    /// A table with nothing but the tree of a step, for one obligation; `None` when there is no such step.
    pub fn only(&self, root: StepNumber) -> Option<Proofs> {
        self.steps.get(root)?;
        let mut needed = BTreeMap::from([(root, 0)]);
        let mut waiting = vec![root];
        while let Some(number) = waiting.pop() {
            for premise in self.steps[number].premises() {
                if needed.insert(premise, 0).is_none() {
                    waiting.push(premise);
                }
            }
        }
        for (index, number) in needed.values_mut().enumerate() {
            *number = index;
        }
        let mut alone = Proofs::new();
        for &number in needed.keys() {
            let mut rule = self.steps[number].clone();
            for premise in rule.premises_mut() {
                *premise = needed[premise];
            }
            alone.steps.push(rule);
            alone.extents.push(self.extents[number]);
        }
        alone.roots.push(Some(needed[&root]));
        Some(alone)
    }

    /// The table without the steps that no root needs.
    fn pruned(&self) -> Proofs {
        let mut needed = vec![false; self.steps.len()];
        for root in self.roots.iter().flatten() {
            needed[*root] = true;
        }
        for number in (0..self.steps.len()).rev() {
            if needed[number] {
                for premise in self.steps[number].premises() {
                    needed[premise] = true;
                }
            }
        }
        let mut pruned = Proofs::new();
        let mut renumbered = vec![0; self.steps.len()];
        for (number, rule) in self.steps.iter().enumerate() {
            if needed[number] {
                renumbered[number] = pruned.steps.len();
                pruned.steps.push(rule.renumber(&renumbered));
                pruned.extents.push(self.extents[number]);
            }
        }
        let renumber = |root: &Option<StepNumber>| root.map(|step| renumbered[step]);
        pruned.roots = self.roots.iter().map(renumber).collect();
        pruned
    }
}

impl Rule {
    fn renumber(&self, numbers: &[StepNumber]) -> Rule {
        let mut rule = self.clone();
        for premise in rule.premises_mut() {
            *premise = numbers[*premise];
        }
        rule
    }

    /// The steps that this one rests on, to be changed.
    pub fn premises_mut(&mut self) -> Vec<&mut StepNumber> {
        match self {
            Rule::Farkas(_) | Rule::Clash(..) => Vec::new(),
            Rule::Split { cases, .. } => cases.iter_mut().collect(),
            Rule::Decide { holds, fails, .. } => vec![holds, fails],
            Rule::Branch { at_most, above, .. } => vec![at_most, above],
            Rule::Cut { then, .. } => vec![then],
        }
    }

    /// The indices of the hypotheses that this one mentions, to be changed.
    pub fn indices_mut(&mut self) -> Vec<&mut HypothesisIndex> {
        match self {
            Rule::Farkas(combination) | Rule::Cut { combination, .. } => {
                combination.iter_mut().map(|one| &mut one.0).collect()
            }
            Rule::Clash(one, other) => vec![one, other],
            Rule::Split { hypothesis, .. } => vec![hypothesis],
            Rule::Decide { formulas, .. } => {
                let hypotheses = formulas.iter_mut();
                hypotheses.map(|one| &mut one.hypothesis).collect()
            }
            Rule::Branch { .. } => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests;
