//! The flat system in the exact solver's terms, as the search uses it.
//!
//! Variables are numbered: state variables first, their next-state partners next, then inputs, then auxiliary variables. Deterministic
//! linear updates and frames are substitutions, so that a query about a step is about the state before it; only what is left
//! undetermined keeps a next-state variable.

use super::graph::TransitionIndex;
use super::simplification::cone_of_influence::Cone;
use super::witness::Point;
use crate::arithmetic::{
    Assignment, Formula, LinearExpression, LinearModel, Rational, Replacement, Substitution,
    TranslationError, Translator, Variable, VariableSorts, VariableTable,
};
use crate::solvers;
use slabcert_certificates::system::{Property, Switch, System, Transition, Update};
use slabcert_certificates::term::{Sort, Term, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The largest formula that the encoding makes, in nodes as a tree. Larger ones are left to other engines.
const LARGEST_FORMULA: usize = 50_000;

/// A transition as conditions and substitutions.
pub struct EncodedTransition {
    /// The transition's name in the system.
    pub name: String,
    /// Conditions on state before, inputs, and next-state variables where no update determines them.
    pub condition: Vec<Formula>,
    /// Conditions without the updates put in: guard and relation as the model has them.
    pub original: Vec<Formula>,
    /// The deterministic updates, by state variable, over state variables, inputs and auxiliary variables.
    pub updates: BTreeMap<usize, Replacement>,
    /// Whether each state variable keeps its value.
    pub kept: Vec<bool>,
    /// Next-state variables in terms of the state before.
    preimage: Substitution,
}

/// A system and one property, encoded.
pub struct EncodedSystem {
    table: VariableTable,
    /// The state variables, which come first.
    states: Vec<Variable>,
    /// Their values after a step, which come next.
    nexts: Vec<Variable>,
    init: Vec<Formula>,
    error: Vec<Formula>,
    transitions: Vec<EncodedTransition>,
    /// For auxiliary variables over the state: the same over the next state.
    partners: BTreeMap<Variable, Variable>,
    constants: BTreeSet<Rational>,
    vocabulary: BTreeSet<Formula>,
    control: Vec<(usize, usize)>,
    switches: Vec<Switch>,
    finite: Vec<usize>,
    relevant: BTreeSet<usize>,
    irrelevant_transitions: Vec<String>,
    start: Vec<Vec<Formula>>,
}

impl EncodedSystem {
    /// Encodes a system and a property, and labels that the search is to start with, as far as they can be expressed.
    ///
    /// # Errors
    /// When a formula of the system is not linear, or too large for the exact solver.
    pub fn new(
        system: &System,
        property: &Property,
        labels: &[Vec<Term>],
    ) -> Result<EncodedSystem, TranslationError> {
        let mut table = VariableTable::default();
        let variables = system.variables.iter();
        let states: Vec<Variable> = variables.map(|it| table.symbol(&it.current)).collect();
        let variables = system.variables.iter();
        let nexts: Vec<Variable> = variables.map(|it| table.symbol(&it.next)).collect();
        for input in &system.inputs {
            table.symbol(&input.symbol);
        }
        let mut encoder = Encoder { system, table };
        let mut init = Vec::new();
        for conjunct in &system.init {
            init.extend(encoder.conjuncts(conjunct)?);
        }
        let error = encoder.conjuncts(&property.formula.clone().not())?;
        let mut transitions = Vec::with_capacity(system.transitions.len());
        for transition in &system.transitions {
            transitions.push(encoder.transition(transition)?);
        }
        let mut hints = Vec::new();
        for hint in &system.hints {
            hints.extend(encoder.conjuncts(hint)?);
        }
        let start = labels.iter().map(|label| encoder.label(label)).collect();
        let partners = encoder.partners();
        let control = control_variables(system);
        let mut encoded = EncodedSystem {
            table: encoder.table,
            states,
            nexts,
            init,
            error,
            transitions,
            partners,
            constants: BTreeSet::new(),
            vocabulary: BTreeSet::new(),
            control,
            switches: system.switches.clone(),
            finite: (0..system.variables.len())
                .filter(|index| system.variables[*index].values.is_some())
                .collect(),
            relevant: (0..system.variables.len()).collect(),
            irrelevant_transitions: Vec::new(),
            start,
        };
        encoded.collect_vocabulary(&hints);
        Ok(encoded)
    }

    /// What the variables range over.
    #[must_use]
    pub fn sorts(&self) -> &impl VariableSorts {
        &self.table
    }

    /// The number of state variables; they are the first variables.
    #[must_use]
    pub fn state_variables(&self) -> usize {
        self.states.len()
    }

    /// The variable for the state variable of that number.
    #[must_use]
    pub fn state_variable(&self, index: usize) -> Variable {
        self.states[index]
    }

    /// Takes everything outside the cone out of the search.
    pub fn restrict(&mut self, cone: Cone) {
        self.relevant = cone.variables;
        let mut kept = cone.transitions.into_iter();
        let irrelevant = self
            .transitions
            .extract_if(.., |_| !kept.next().unwrap_or(true));
        self.irrelevant_transitions
            .extend(irrelevant.map(|transition| transition.name));
    }

    /// The names of the transitions that were taken out of the search: they change no relevant variable.
    #[must_use]
    pub fn irrelevant_transitions(&self) -> &[String] {
        &self.irrelevant_transitions
    }

    /// Whether a label may mention the formula: it is about relevant state variables, and what they determine.
    #[must_use]
    pub fn is_relevant(&self, formula: &Formula) -> bool {
        self.is_about_state(formula)
            && formula.variables().into_iter().all(|variable| {
                self.state_variables_of(variable)
                    .iter()
                    .all(|variable| self.relevant.contains(variable))
            })
    }

    /// The state variables that a variable stands for: itself, the one whose next value it is, or all that its term mentions.
    #[must_use]
    pub fn state_variables_of(&self, variable: Variable) -> Vec<usize> {
        let fold = |index: usize| match index {
            index if index < self.states.len() => Some(index),
            index if index < 2 * self.states.len() => Some(index - self.states.len()),
            _ => None,
        };
        if let Some(index) = fold(variable.index()) {
            return vec![index];
        }
        let Some(term) = self.table.term(variable) else {
            return Vec::new();
        };
        term.symbols()
            .into_iter()
            .filter_map(|symbol| self.table.known(&Term::symbol(symbol)))
            .filter_map(|variable| fold(variable.index()))
            .collect()
    }

    /// The conjuncts of the initial condition.
    #[must_use]
    pub fn init(&self) -> &[Formula] {
        &self.init
    }

    /// The conjuncts of the property's negation.
    #[must_use]
    pub fn error(&self) -> &[Formula] {
        &self.error
    }

    /// The numbers of the transitions.
    pub fn transitions(&self) -> impl Iterator<Item = TransitionIndex> + use<> {
        (0..self.transitions.len()).map(TransitionIndex)
    }

    /// A transition.
    #[must_use]
    pub fn transition(&self, transition: TransitionIndex) -> &EncodedTransition {
        &self.transitions[transition.0]
    }

    /// The labels that the search is to start with.
    #[must_use]
    pub fn start(&self) -> &[Vec<Formula>] {
        &self.start
    }

    /// The constants that occur in the model.
    #[must_use]
    pub fn constants(&self) -> &BTreeSet<Rational> {
        &self.constants
    }

    /// Literals over state variables that the model suggests.
    #[must_use]
    pub fn vocabulary(&self) -> &BTreeSet<Formula> {
        &self.vocabulary
    }

    /// The location variables of the processes, with the number of their locations.
    #[must_use]
    pub fn control(&self) -> &[(usize, usize)] {
        &self.control
    }

    /// The variables that say whose turn it is.
    #[must_use]
    pub fn switches(&self) -> &[Switch] {
        &self.switches
    }

    /// The variables whose values have names: locations and enumerations.
    pub fn finite(&self) -> impl Iterator<Item = usize> + '_ {
        self.finite.iter().copied()
    }

    /// Whether the formula is about state variables alone.
    #[must_use]
    pub fn is_plain(&self, formula: &Formula) -> bool {
        let mut plain = true;
        formula.for_each_leaf(&mut |leaf| {
            plain &= match leaf {
                Formula::Literal { variable, .. } => variable.index() < self.states.len(),
                Formula::Atom(atom) => atom
                    .expression()
                    .variables()
                    .all(|variable| variable.index() < self.states.len()),
                _ => true,
            };
        });
        plain
    }

    /// Whether the formula is about the state: state variables, and auxiliary variables that they determine.
    #[must_use]
    pub fn is_about_state(&self, formula: &Formula) -> bool {
        formula.variables().into_iter().all(|variable| {
            variable.index() < self.states.len() || self.partners.contains_key(&variable)
        })
    }

    /// The formula together with the definitions of its auxiliary variables.
    #[must_use]
    pub fn closed(&self, formula: &Formula) -> Formula {
        if self.is_plain(formula) {
            return formula.clone();
        }
        let definitions = self.table.definitions(formula);
        Formula::and(std::iter::once(formula.clone()).chain(definitions))
    }

    /// What must hold before the transition (with its inputs and what it leaves open) for the formula to hold after it. `None` when
    /// that is too large to say.
    #[must_use]
    pub fn preimage(&self, transition: TransitionIndex, formula: &Formula) -> Option<Formula> {
        let next = self.closed(formula).rename(&|variable| self.next(variable));
        next.substitute(
            &self.transitions[transition.0].preimage,
            &self.table,
            LARGEST_FORMULA,
        )
        .ok()
    }

    /// The next-state partner of a variable over the state.
    #[must_use]
    pub fn next(&self, variable: Variable) -> Variable {
        let next = self.nexts.get(variable.index());
        let next = next.or_else(|| self.partners.get(&variable));
        next.copied().unwrap_or(variable)
    }

    /// The formula as a term over the system's symbols.
    #[must_use]
    pub fn term(&self, formula: &Formula) -> Term {
        self.table.formula_to_term(formula)
    }

    /// The state of a model.
    #[must_use]
    pub fn point(&self, model: &LinearModel) -> Point {
        Point::read(model, &self.states)
    }

    /// The state after a transition from the state and inputs of a model.
    #[must_use]
    pub fn point_after(&self, transition: TransitionIndex, model: &LinearModel) -> Point {
        let encoded = &self.transitions[transition.0];
        let mut point = self.point(model);
        for (variable, next) in self.nexts.iter().enumerate() {
            if encoded.kept[variable] {
                continue;
            }
            match encoded.updates.get(&variable) {
                Some(Replacement::Expression(expression)) => {
                    let value = expression.evaluate(|operand| model.number(operand));
                    point.set_number(variable, value);
                }
                Some(Replacement::Formula(formula)) => {
                    point.set_boolean(variable, formula.evaluate(model));
                }
                None => {
                    point.set_number(variable, model.number(*next));
                    point.set_boolean(variable, model.boolean(*next));
                }
            }
        }
        point
    }

    /// A model of another solver in the exact solver's terms; `None` when a value is missing.
    #[must_use]
    pub fn read_model(
        &self,
        model: &solvers::SolverModel,
        variables: impl IntoIterator<Item = Variable>,
    ) -> Option<LinearModel> {
        let mut read = LinearModel::new();
        for variable in variables {
            let term = self.table.term(variable)?;
            match term.evaluate(model).ok()? {
                Value::Bool(truth) => read.set_boolean(variable, truth),
                Value::Int(number) => read.set_number(variable, number),
                Value::Real(number) => read.set_number(variable, number),
            }
        }
        Some(read)
    }

    /// The variables that are not state variables, with their terms, for naming instances of them.
    #[must_use]
    pub fn variable_term(&self, variable: Variable) -> Option<&Term> {
        self.table.term(variable)
    }

    fn collect_vocabulary(&mut self, hints: &[Formula]) {
        let mut leaves: BTreeSet<Formula> = BTreeSet::new();
        for formula in self.init.iter().chain(&self.error).chain(hints) {
            leaves.extend(formula.atoms());
        }
        for transition in &self.transitions {
            for formula in &transition.original {
                leaves.extend(formula.atoms());
            }
            for update in transition.updates.values() {
                if let Replacement::Expression(expression) = update {
                    self.constants.insert(expression.constant_part().abs());
                }
            }
        }
        self.constants.insert(Rational::ZERO);
        for leaf in &leaves {
            if let Formula::Atom(atom) = leaf {
                self.constants
                    .insert(atom.expression().constant_part().abs());
            }
        }
        let about_state: Vec<Formula> = leaves
            .into_iter()
            .filter(|leaf| self.is_about_state(leaf))
            .collect();
        for leaf in about_state {
            if let Formula::Atom(atom) = &leaf
                && let Some((below, above)) = atom.sides()
            {
                for side in [Formula::from(below), Formula::from(above)] {
                    self.vocabulary.insert(side.negate());
                    self.vocabulary.insert(side);
                }
            } else {
                self.vocabulary.insert(leaf.negate());
            }
            self.vocabulary.insert(leaf);
        }
    }
}

/// The location variables, with the number of locations.
fn control_variables(system: &System) -> Vec<(usize, usize)> {
    system
        .processes
        .iter()
        .filter_map(|process| process.location)
        .filter_map(|location| {
            let table = system.variables[location].values.as_ref()?;
            Some((location, table.values.len()))
        })
        .collect()
}

struct Encoder<'a> {
    system: &'a System,
    table: VariableTable,
}

impl Encoder<'_> {
    /// The conjuncts of a term, each closed under the definitions of its auxiliary variables.
    fn conjuncts(&mut self, term: &Term) -> Result<Vec<Formula>, TranslationError> {
        let formula = Translator::new(&mut self.table, LARGEST_FORMULA).formula(term)?;
        let mut conjuncts = formula.conjuncts().to_vec();
        conjuncts.extend(self.table.definitions(&formula));
        Ok(conjuncts)
    }

    /// The conjuncts of a label, as they stand, without those that the exact solver cannot express.
    fn label(&mut self, label: &[Term]) -> Vec<Formula> {
        let mut conjuncts = Vec::with_capacity(label.len());
        for term in label {
            let mut translator = Translator::new(&mut self.table, LARGEST_FORMULA);
            if let Ok(formula) = translator.formula(term) {
                conjuncts.extend_from_slice(formula.conjuncts());
            }
        }
        conjuncts
    }

    fn transition(
        &mut self,
        transition: &Transition,
    ) -> Result<EncodedTransition, TranslationError> {
        let mut original = Vec::new();
        for condition in transition.conditions() {
            original.extend(self.conjuncts(condition)?);
        }
        let mut updates = BTreeMap::new();
        for update in &transition.updates {
            match self.update(update, &mut original)? {
                Some(value) => {
                    updates.insert(update.variable, value);
                }
                None => {
                    let next = Term::symbol(self.system.variables[update.variable].next.clone());
                    original.extend(self.conjuncts(&next.equals(update.value.clone()))?);
                }
            }
        }
        let mut kept = vec![false; self.system.variables.len()];
        for variable in &transition.frame {
            kept[*variable] = true;
        }
        let preimage = self.preimage(&updates, &kept);
        let condition = original
            .iter()
            .map(|formula| {
                formula
                    .substitute(&preimage, &self.table, LARGEST_FORMULA)
                    .map_err(|error| TranslationError::TooLarge(error.limit))
            })
            .collect::<Result<Vec<Formula>, TranslationError>>()?;
        Ok(EncodedTransition {
            name: transition.name.clone(),
            condition,
            original,
            updates,
            kept,
            preimage,
        })
    }

    /// A deterministic linear update as a replacement; definitions of auxiliary variables go to the conditions.
    fn update(
        &mut self,
        update: &Update,
        conditions: &mut Vec<Formula>,
    ) -> Result<Option<Replacement>, TranslationError> {
        let mut translator = Translator::new(&mut self.table, LARGEST_FORMULA);
        if update.value.sort() == Sort::Bool {
            let value = translator.formula(&update.value)?;
            conditions.extend(self.table.definitions(&value));
            return Ok(Some(Replacement::Formula(value)));
        }
        let Some(expression) = translator.expression(&update.value)? else {
            return Ok(None);
        };
        for variable in expression.variables().collect::<Vec<Variable>>() {
            let mention = LinearExpression::variable(variable);
            let mention = Formula::equal(&mention, &LinearExpression::zero(), &self.table);
            conditions.extend(self.table.definitions(&mention));
        }
        Ok(Some(Replacement::Expression(expression)))
    }

    fn preimage(&self, updates: &BTreeMap<usize, Replacement>, kept: &[bool]) -> Substitution {
        let mut preimage = Substitution::new();
        let count = self.system.variables.len();
        for (index, variable) in self.system.variables.iter().enumerate() {
            let (current, next) = (variable_number(index), variable_number(count + index));
            if kept[index] {
                if variable.sort() == Sort::Bool {
                    preimage.set_formula(next, Formula::literal(current, true));
                } else {
                    preimage.set_expression(next, LinearExpression::variable(current));
                }
                continue;
            }
            match updates.get(&index) {
                Some(Replacement::Expression(expression)) => {
                    preimage.set_expression(next, expression.clone());
                }
                Some(Replacement::Formula(formula)) => {
                    preimage.set_formula(next, formula.clone());
                }
                None => {}
            }
        }
        preimage
    }

    /// Makes next-state partners of the auxiliary variables over the state.
    fn partners(&mut self) -> BTreeMap<Variable, Variable> {
        let next = self.system.next_state();
        let mut partners = BTreeMap::new();
        for number in 0..self.table.len() {
            let variable = variable_number(number);
            let Some(term) = self.table.term(variable).cloned() else {
                continue;
            };
            let is_about_state = self.table.is_auxiliary(variable)
                && term
                    .symbols()
                    .iter()
                    .all(|symbol| next.contains_key(symbol));
            if !is_about_state {
                continue;
            }
            let renamed = term.substitute(&next);
            let mut translator = Translator::new(&mut self.table, LARGEST_FORMULA);
            if translator.expression(&renamed).is_ok()
                && let Some(partner) = self.table.known(&renamed)
            {
                partners.insert(variable, partner);
            }
        }
        partners
    }
}

fn variable_number(index: usize) -> Variable {
    Variable(u32::try_from(index).unwrap_or(u32::MAX))
}
