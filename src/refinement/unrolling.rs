//! An abstract path in single-assignment form: one variable for each value that a state variable takes along the path.
//!
//! A variable that a step keeps is the same variable after it, so frames need no constraints. Deterministic updates are definitions;
//! everything else is a constraint with the position where it belongs: 0 for the initial condition, 2p+1 for the label at position p,
//! 2p+2 for the step from p to p+1, and 2k+2 for the violation of the property after k steps.

use crate::arithmetic::{
    Constraint, Formula, Kind, LinearExpression, Replacement, Variable, VariableSorts,
    VariableTable,
};
use crate::interpolation::Definition;
use crate::slicing::encoded::{EncodedSystem, EncodedTransition};
use crate::slicing::graph::TransitionIndex;
use crate::slicing::predicates::{Label, PredicateTable};
use crate::slicing::simplification::implied_constraint::needed_conditions;
use slabcert_certificates::term::{Sort, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// What a variable of the unrolling stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instance {
    /// The variable of the encoded system.
    pub variable: Variable,
    /// The position on the path where it got its value.
    pub position: usize,
}

/// A path in single-assignment form.
pub struct Unrolling {
    /// The number of steps.
    pub length: usize,
    /// For each position, the variable that holds each state variable's value.
    pub versions: Vec<Vec<Variable>>,
    /// What each variable stands for.
    pub instances: Vec<Instance>,
    /// The constraints that are not definitions, ascending by partition; identities are positions in this list.
    pub constraints: Vec<Constraint>,
    /// The deterministic updates in the order of the path.
    pub definitions: Vec<Definition>,
    kinds: Vec<Kind>,
    others: BTreeMap<Instance, Variable>,
}

/// The partition of the label at a position.
#[must_use]
pub fn label_partition(position: usize) -> u32 {
    u32::try_from(2 * position + 1).unwrap_or(u32::MAX)
}

/// The partition of the step that leaves a position.
#[must_use]
pub fn step_partition(position: usize) -> u32 {
    u32::try_from(2 * position + 2).unwrap_or(u32::MAX)
}

impl VariableSorts for Unrolling {
    fn kind(&self, variable: Variable) -> Kind {
        self.kinds.as_slice().kind(variable)
    }
}

impl Unrolling {
    /// Unrolls the system along a path: its labels, one more than there are transitions, and the transitions between them.
    #[must_use]
    pub fn new(
        system: &EncodedSystem,
        predicates: &PredicateTable,
        labels: &[&Label],
        transitions: &[TransitionIndex],
    ) -> Unrolling {
        let length = transitions.len();
        let mut unrolling = Unrolling {
            length,
            versions: Vec::with_capacity(length + 1),
            instances: Vec::new(),
            constraints: Vec::new(),
            definitions: Vec::new(),
            kinds: Vec::new(),
            others: BTreeMap::new(),
        };
        let first = (0..system.state_variables())
            .map(|index| unrolling.instance(system, variable_number(index), 0))
            .collect();
        unrolling.versions.push(first);
        for formula in system.init() {
            unrolling.constrain(system, formula, 0, 0);
        }
        for (position, label) in labels.iter().enumerate() {
            for literal in label.iter() {
                let formula = system.closed(predicates.formula(*literal));
                unrolling.constrain(system, &formula, position, label_partition(position));
            }
            if let Some(transition) = transitions.get(position) {
                let transition = system.transition(*transition);
                let conditions = needed_conditions(&transition.original, label, predicates);
                unrolling.step(system, transition, conditions, position);
            }
        }
        for formula in system.error() {
            unrolling.constrain(system, formula, length, step_partition(length));
        }
        unrolling
    }

    fn instance(
        &mut self,
        system: &EncodedSystem,
        variable: Variable,
        position: usize,
    ) -> Variable {
        let new = variable_number(self.instances.len());
        self.instances.push(Instance { variable, position });
        self.kinds.push(system.sorts().kind(variable));
        new
    }

    fn step<'a>(
        &mut self,
        system: &EncodedSystem,
        transition: &EncodedTransition,
        conditions: impl Iterator<Item = &'a Formula>,
        position: usize,
    ) {
        let mut after = self.versions[position].clone();
        for (index, version) in after.iter_mut().enumerate() {
            if !transition.kept[index] {
                *version = self.instance(system, variable_number(index), position + 1);
            }
        }
        self.versions.push(after);
        let partition = step_partition(position);
        for formula in conditions {
            self.constrain(system, formula, position, partition);
        }
        for (index, value) in &transition.updates {
            let value = match value {
                Replacement::Expression(expression) => {
                    let mut renamed = Vec::new();
                    for (variable, coefficient) in expression.terms() {
                        let new = self.version_of(system, *variable, position);
                        renamed.push((new, coefficient.clone()));
                    }
                    Replacement::Expression(LinearExpression::from_terms(
                        renamed,
                        expression.constant_part().clone(),
                    ))
                }
                Replacement::Formula(formula) => {
                    Replacement::Formula(self.renamed(system, formula, position))
                }
            };
            self.definitions.push(Definition {
                variable: self.versions[position + 1][*index],
                value,
                partition,
            });
        }
    }

    /// The variable that a variable of the system is at a position: a version, or an instance of an input or auxiliary variable.
    fn version_of(
        &mut self,
        system: &EncodedSystem,
        variable: Variable,
        position: usize,
    ) -> Variable {
        let count = system.state_variables();
        if variable.index() < count {
            return self.versions[position][variable.index()];
        }
        if variable.index() < 2 * count
            && let Some(after) = self.versions.get(position + 1)
        {
            return after[variable.index() - count];
        }
        let instance = Instance { variable, position };
        if let Some(known) = self.others.get(&instance) {
            return *known;
        }
        let new = self.instance(system, variable, position);
        self.others.insert(instance, new);
        new
    }

    fn renamed(&mut self, system: &EncodedSystem, formula: &Formula, position: usize) -> Formula {
        let names: BTreeMap<Variable, Variable> = formula
            .variables()
            .into_iter()
            .map(|variable| (variable, self.version_of(system, variable, position)))
            .collect();
        formula.rename(&|variable| names.get(&variable).copied().unwrap_or(variable))
    }

    fn constrain(
        &mut self,
        system: &EncodedSystem,
        formula: &Formula,
        position: usize,
        partition: u32,
    ) {
        let formula = self.renamed(system, formula, position);
        for conjunct in formula.conjuncts() {
            self.constraints.push(Constraint {
                formula: conjunct.clone(),
                partition,
                id: self.constraints.len(),
            });
        }
    }

    /// Names for all variables, to ask another solver.
    #[must_use]
    pub fn table(&self) -> VariableTable {
        let mut table = VariableTable::default();
        for (index, kind) in self.kinds.iter().enumerate() {
            let sort = match kind {
                Kind::Boolean => Sort::Bool,
                Kind::Integer => Sort::Int,
                Kind::Real => Sort::Real,
            };
            table.symbol(&Symbol::new(format!("v{index}"), sort));
        }
        table
    }

    /// A definition as a formula.
    #[must_use]
    pub fn equation(&self, definition: &Definition) -> Formula {
        match &definition.value {
            Replacement::Expression(expression) => Formula::equal(
                &LinearExpression::variable(definition.variable),
                expression,
                self,
            ),
            Replacement::Formula(formula) => Formula::or([
                Formula::and([Formula::literal(definition.variable, true), formula.clone()]),
                Formula::and([
                    Formula::literal(definition.variable, false),
                    formula.negate(),
                ]),
            ]),
        }
    }

    /// The variables that hold the state at a position, auxiliary ones included.
    #[must_use]
    pub fn shared(&self, position: usize) -> BTreeSet<Variable> {
        let mut shared: BTreeSet<Variable> = self.versions[position].iter().copied().collect();
        let others = self.others.iter();
        shared.extend(
            others
                .filter(|(instance, _)| instance.position == position)
                .map(|(_, variable)| *variable),
        );
        shared
    }

    /// A formula over the variables at a position as a formula of the system; `None` if it mentions any other.
    #[must_use]
    pub fn at_position(
        &self,
        system: &EncodedSystem,
        formula: &Formula,
        position: usize,
    ) -> Option<Formula> {
        let versions: BTreeMap<Variable, Variable> = self.versions[position]
            .iter()
            .enumerate()
            .map(|(index, version)| (*version, variable_number(index)))
            .collect();
        let mut names = BTreeMap::new();
        for variable in formula.variables() {
            let original = match versions.get(&variable) {
                Some(original) => *original,
                None => {
                    let instance = self.instances.get(variable.index())?;
                    if instance.position != position {
                        return None;
                    }
                    instance.variable
                }
            };
            names.insert(variable, original);
        }
        let renamed = formula.rename(&|variable| names.get(&variable).copied().unwrap_or(variable));
        system.is_relevant(&renamed).then_some(renamed)
    }

    /// A formula of the system over the state, as a formula over the variables at a position; `None` if it has auxiliary variables
    /// that do not occur there.
    #[must_use]
    pub fn from_state(&self, formula: &Formula, position: usize) -> Option<Formula> {
        let mut names = BTreeMap::new();
        for variable in formula.variables() {
            let version = match self.versions[position].get(variable.index()) {
                Some(version) => *version,
                None => *self.others.get(&Instance { variable, position })?,
            };
            names.insert(variable, version);
        }
        Some(formula.rename(&|variable| names.get(&variable).copied().unwrap_or(variable)))
    }
}

pub(super) fn variable_number(index: usize) -> Variable {
    Variable(u32::try_from(index).unwrap_or(u32::MAX))
}
