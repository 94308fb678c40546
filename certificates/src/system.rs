//! The flat transition system: what every front end translates to and all evidence is stated about.
//!
//! The *formal* content is what `system.vmt` says: state variables with their next-state partners, inputs, `init`, `trans` and the
//! properties. Besides, a system keeps what readers and engines need to stay in the model's words: named transitions whose guard and
//! update are lists of conjuncts tagged with the process they come from, inputs with their role, frames, participants, value tables.
//! Invariant: variable, next-state and input names are pairwise different; `init` and properties mention no next-state symbol, `init`
//! no input; `trans` is equivalent to the disjunction of the named transitions (the *cover* obligation re-establishes the direction
//! that a proof needs, so that nothing rests on it).

mod property;
mod step;

pub use property::{Property, PropertyError};

use crate::fresh::FreshNames;
use crate::smtlib::Position;
use crate::structure::{Family, Origin, Process};
use crate::term::{Sort, Symbol, Term, Value};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// What the values of a variable are called in the model: an enumeration, or the locations of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueTable {
    /// What the model calls the table (an enumeration's name, or `location`).
    pub name: String,
    /// The name of value 0, 1, ...
    pub values: Vec<String>,
}

/// A state variable and its next-state partner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateVariable {
    /// The variable.
    pub current: Symbol,
    /// Its value after a step.
    pub next: Symbol,
    /// The least and greatest value that the model declares, if it declares a range, an enumeration or locations. A hint: whether
    /// the variable stays inside is a property like any other.
    pub range: Option<(BigInt, BigInt)>,
    /// Names of the values, if they have names.
    pub values: Option<ValueTable>,
    /// Where it comes from, if the model has a structure that is known.
    pub origin: Option<Origin>,
}

impl StateVariable {
    /// A variable without a declared range, whose partner is called `NAME.next`.
    pub fn new(name: &str, sort: Sort) -> StateVariable {
        StateVariable {
            current: Symbol::new(name, sort),
            next: Symbol::new(format!("{name}.next"), sort),
            range: None,
            values: None,
            origin: None,
        }
    }

    /// Conditions that the variable lies in its range; none without a range.
    pub fn bounds(&self) -> Vec<Term> {
        let symbol = Term::symbol(self.current.clone());
        self.range
            .as_ref()
            .map_or_else(Vec::new, |(low, high)| symbol.between(low, high))
    }

    /// The variable's name.
    pub fn name(&self) -> &str {
        self.current.name()
    }

    /// The variable's sort.
    pub fn sort(&self) -> Sort {
        self.current.sort()
    }

    /// The value in the model's words: a name from the table, or the number.
    pub fn show(&self, value: &Value) -> String {
        if let (Some(table), Value::Int(number)) = (&self.values, value)
            && let Ok(index) = usize::try_from(number)
            && let Some(name) = table.values.get(index)
        {
            return name.clone();
        }
        value.to_string()
    }
}

/// Why a step has an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputRole {
    /// The model chooses a value (`choose`, `havoc`).
    Choice,
    /// The environment provides a value.
    Environment,
    /// Who wins when several processes want the same.
    RaceWinner,
}

/// A value that is chosen anew at each step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The symbol that `trans` and properties mention.
    pub symbol: Symbol,
    /// Why it is there.
    pub role: InputRole,
}

/// What a model's text declares besides the formulas of its system: what a verdict has to be read with. Nothing formal rests on it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declarations {
    /// The constants that sizes and ranges depend on, with their values.
    pub sizes: BTreeMap<String, String>,
    /// Transitions without an instance, with their positions.
    pub empty_transitions: Vec<(String, Position)>,
    /// What is hardly meant, with its position.
    pub remarks: Vec<(String, Position)>,
    /// Where the initial condition is, if the text has one.
    pub initial: Option<Position>,
    /// The properties, by position, that every transition requires before its step: the declared ranges.
    pub ranges: Vec<usize>,
    /// The transitions of which properties ask where they are enabled, and whose choices were eliminated for that.
    pub eliminated: Vec<String>,
}

/// A conjunct and the process it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conjunct {
    /// The formula.
    pub formula: Term,
    /// The process whose guard or update it is, by index; `None` for what belongs to the system as a whole.
    pub process: Option<usize>,
}

impl Conjunct {
    /// A conjunct of the system as a whole.
    pub fn of_system(formula: Term) -> Conjunct {
        Conjunct {
            formula,
            process: None,
        }
    }
}

/// A deterministic update: the variable's next value is the value of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// The variable, by index.
    pub variable: usize,
    /// The next value, over state variables and inputs.
    pub value: Term,
    /// The process whose update it is.
    pub process: Option<usize>,
}

/// A named transition. Its relation is the conjunction of the guard, the updates as equations, the relation conjuncts, and the
/// equations `x.next = x` of the frame. A variable that occurs in none of them takes any value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The name in the model's words, unique in the system.
    pub name: String,
    /// Conditions on the state before the step and the inputs.
    pub guard: Vec<Conjunct>,
    /// Deterministic updates, at most one for each variable.
    pub updates: Vec<Update>,
    /// Conditions that mention next-state symbols and are not updates.
    pub relation: Vec<Conjunct>,
    /// The variables that keep their value, by index, in order.
    pub frame: Vec<usize>,
    /// The inputs of this transition, by index, in order.
    pub inputs: Vec<usize>,
    /// The processes that take part, by index, in order.
    pub participants: Vec<usize>,
    /// Where it comes from, if the model has a structure that is known.
    pub origin: Option<Origin>,
    /// Where the transition stands in the source model.
    pub position: Option<Position>,
    /// The last line where it stands in the source model.
    pub last_line: Option<u32>,
}

impl Transition {
    /// A transition that is one formula over state, next and input symbols.
    pub fn from_relation(
        name: impl Into<String>,
        relation: Term,
        inputs: Vec<usize>,
    ) -> Transition {
        Transition {
            name: name.into(),
            guard: Vec::new(),
            updates: Vec::new(),
            relation: vec![Conjunct::of_system(relation)],
            frame: Vec::new(),
            inputs,
            participants: Vec::new(),
            origin: None,
            position: None,
            last_line: None,
        }
    }

    /// The whole relation as one formula over the system's symbols.
    pub fn formula(&self, system: &System) -> Term {
        let values = self.next_values(system);
        let equations = values.map(|(next, value)| Term::symbol(next.clone()).equals(value));
        Term::and(self.conditions().cloned().chain(equations))
    }

    /// The variables that may change: all but the frame.
    pub fn write_set(&self, system: &System) -> BTreeSet<usize> {
        let frame: BTreeSet<usize> = self.frame.iter().copied().collect();
        (0..system.variables.len())
            .filter(|index| !frame.contains(index))
            .collect()
    }
}

/// A predicate of the constrained Horn clauses that a system was made from. It is a hint about names: models of the clauses, which
/// other tools write, speak of predicates and of their arguments by position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// The name in the clauses.
    pub name: String,
    /// In which states the predicate is about the state.
    pub location: Term,
    /// The variables that have its arguments, by index, in their order.
    pub arguments: Vec<usize>,
}

/// A variable that says whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The variable, by index.
    pub variable: usize,
    /// The location variable of the process whose turn it is, by index, if it says that of one.
    pub location: Option<usize>,
    /// Values that it is given: both if it is a Boolean, else those that matter most, which others may join.
    pub values: Vec<Value>,
}

/// A flat transition system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct System {
    /// The system's name, for titles.
    pub name: String,
    /// The state variables.
    pub variables: Vec<StateVariable>,
    /// The inputs.
    pub inputs: Vec<Input>,
    /// The declarations of processes, if the model has any.
    pub families: Vec<Family>,
    /// The processes, if the model has any.
    pub processes: Vec<Process>,
    /// The variables that say whose turn it is, if the model has a scheduler.
    pub switches: Vec<Switch>,
    /// The conjuncts of the initial condition.
    pub init: Vec<Term>,
    /// The transition relation as `system.vmt` states it; `None` when it is the disjunction of the named transitions.
    pub trans: Option<Term>,
    /// The named transitions.
    pub transitions: Vec<Transition>,
    /// The properties, in the order of their indices.
    pub properties: Vec<Property>,
    /// Predicates that the model's author suggests.
    pub hints: Vec<Term>,
    /// What the model's text declares, where a front end reports it.
    pub declarations: Option<Declarations>,
    /// The predicates of the Horn clauses that the system was made from, if it was.
    pub predicates: Vec<Predicate>,
}

impl System {
    /// The initial condition as one formula.
    pub fn init_formula(&self) -> Term {
        Term::and(self.init.iter().cloned())
    }

    /// The transition relation as one formula.
    pub fn trans_formula(&self) -> Term {
        match &self.trans {
            Some(trans) => trans.clone(),
            None => Term::or(
                self.transitions
                    .iter()
                    .map(|transition| transition.formula(self)),
            ),
        }
    }

    /// The properties that are declared ranges.
    pub fn declared_ranges(&self) -> impl Iterator<Item = &Property> {
        let ranges = self.declarations.iter().flat_map(|it| &it.ranges);
        ranges.filter_map(|index| self.properties.get(*index))
    }

    /// The index of each variable by its name.
    pub fn variable_indices(&self) -> FxHashMap<&str, usize> {
        self.variables
            .iter()
            .enumerate()
            .map(|(index, variable)| (variable.name(), index))
            .collect()
    }

    /// The names of all symbols, taken, so that names can be given that no symbol has; the separator is that of
    /// [`FreshNames::separated_by`].
    pub fn taken_names(&self, separator: &'static str) -> FreshNames {
        let mut names = FreshNames::separated_by(separator);
        for variable in &self.variables {
            names.reserve(variable.current.name());
            names.reserve(variable.next.name());
        }
        for input in &self.inputs {
            names.reserve(input.symbol.name());
        }
        names
    }

    /// Other symbols for the inputs, which no symbol of the system is, in the order of the inputs: those of the second of two steps.
    pub fn second_inputs(&self) -> Vec<Symbol> {
        let mut names = self.taken_names(":");
        let inputs = self.inputs.iter().map(|input| &input.symbol);
        inputs
            .map(|symbol| Symbol::new(names.give(symbol.name()), symbol.sort()))
            .collect()
    }

    /// The beginning, or one that continues it with dots, if no symbol's name begins with it.
    pub fn unused_prefix(&self, beginning: &str) -> String {
        let mut prefix = beginning.to_owned();
        let roles = self.symbol_roles();
        while roles
            .keys()
            .any(|symbol| symbol.name().starts_with(&prefix))
        {
            prefix.push('.');
        }
        prefix
    }

    /// The process whose location a variable is, by index, if it is one's.
    pub fn process_at(&self, variable: &StateVariable) -> Option<usize> {
        let index = variable.origin.as_ref()?.process?;
        let location = self.variables.get(self.processes.get(index)?.location?)?;
        (location.current == variable.current).then_some(index)
    }

    /// Drops where transitions and properties stand.
    pub(crate) fn forget_positions(&mut self) {
        for transition in &mut self.transitions {
            (transition.position, transition.last_line) = (None, None);
        }
        for property in &mut self.properties {
            property.position = None;
        }
    }

    /// What a symbol of this system is.
    pub fn symbol_roles(&self) -> FxHashMap<Symbol, SymbolRole> {
        let mut roles = FxHashMap::default();
        for (index, variable) in self.variables.iter().enumerate() {
            roles.insert(variable.current.clone(), SymbolRole::Current(index));
            roles.insert(variable.next.clone(), SymbolRole::Next(index));
        }
        for (index, input) in self.inputs.iter().enumerate() {
            roles.insert(input.symbol.clone(), SymbolRole::Input(index));
        }
        roles
    }

    /// The named transition of that name.
    pub fn transition(&self, name: &str) -> Option<&Transition> {
        self.transitions
            .iter()
            .find(|transition| transition.name == name)
    }

    /// The SMT-LIB logic that the system's formulas belong to.
    pub fn logic(&self) -> &'static str {
        let mut sorts = BTreeSet::new();
        let mut is_linear = true;
        let mut note = |term: &Term| {
            term.visit(&mut |node| {
                sorts.insert(node.sort());
                is_linear &= crate::term::is_linear_node(node);
            });
        };
        for init in &self.init {
            note(init);
        }
        note(&self.trans_formula());
        for property in &self.properties {
            note(&property.formula);
        }
        for variable in &self.variables {
            sorts.insert(variable.sort());
        }
        for input in &self.inputs {
            sorts.insert(input.symbol.sort());
        }
        match (
            sorts.contains(&Sort::Int),
            sorts.contains(&Sort::Real),
            is_linear,
        ) {
            (false, false, _) => "QF_UF",
            (true, false, true) => "QF_LIA",
            (false, true, true) => "QF_LRA",
            (true, true, true) => "QF_LIRA",
            (true, false, false) => "QF_NIA",
            (false, true, false) => "QF_NRA",
            (true, true, false) => "QF_NIRA",
        }
    }
}

/// What a symbol is in a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolRole {
    /// A state variable, by index.
    Current(usize),
    /// The next-state partner of a variable, by index.
    Next(usize),
    /// An input, by index.
    Input(usize),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Operator;

    fn counter() -> System {
        let variables = vec![
            StateVariable::new("x", Sort::Int),
            StateVariable::new("y", Sort::Int),
        ];
        let x = Term::symbol(variables[0].current.clone());
        let mut step = Transition::from_relation("step", Term::bool(true), vec![]);
        step.relation.clear();
        step.guard
            .push(Conjunct::of_system(x.clone().less(Term::int(3))));
        step.updates.push(Update {
            variable: 0,
            value: Term::apply(Operator::Add, vec![x, Term::int(1)]).unwrap(),
            process: None,
        });
        step.frame.push(1);
        System {
            variables,
            transitions: vec![step],
            ..System::default()
        }
    }

    #[test]
    fn a_transition_is_guard_updates_and_frame() {
        let system = counter();
        assert_eq!(
            system.transitions[0].formula(&system).to_string(),
            "(and (< x 3) (= x.next (+ x 1)) (= y.next y))"
        );
        assert_eq!(
            system.trans_formula(),
            system.transitions[0].formula(&system)
        );
        assert_eq!(system.logic(), "QF_LIA");
    }

    #[test]
    fn what_may_change_is_all_but_the_frame() {
        let system = counter();
        let step = &system.transitions[0];
        assert_eq!(step.write_set(&system), BTreeSet::from([0]));
    }

    #[test]
    fn values_are_shown_by_their_names() {
        let mut variable = StateVariable::new("at", Sort::Int);
        variable.values = Some(ValueTable {
            name: "location".into(),
            values: vec!["idle".into(), "busy".into()],
        });
        assert_eq!(variable.show(&Value::Int(1.into())), "busy");
        assert_eq!(variable.show(&Value::Int(7.into())), "7");
    }
}
