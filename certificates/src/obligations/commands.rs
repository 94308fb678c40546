//! Relations as commands: a guard, and the value that each variable has after the step.
//!
//! A relation is one if its conjuncts give every variable a value in terms of the state before and the inputs: the first equation that
//! does is the variable's update, and in all other conjuncts the values stand for the state after. So the relation says that the guard
//! holds and the variables have these values, no more and no less, and with given inputs a state has at most one successor. The relation that
//! is constantly false is one whose guard never holds.

use crate::system::{SymbolRole, System};
use crate::term::{MAXIMAL_DEPTH, Operator, Substitution, Symbol, Term, TermMap, Value};
use rustc_hash::FxHashMap;

/// A relation as guard and updates.
#[derive(Clone, Debug)]
pub(super) struct Command {
    /// Conjuncts over the state before and the inputs.
    pub guard: Vec<Term>,
    /// The values of the variables that may change, by their symbols before the step.
    pub updates: Substitution,
}

/// What relations are read with.
pub(super) struct Commands<'a> {
    system: &'a System,
    roles: FxHashMap<Symbol, SymbolRole>,
    /// Other symbols for the inputs, for the second of two steps.
    renamed: Substitution,
}

impl<'a> Commands<'a> {
    pub fn of(system: &'a System) -> Commands<'a> {
        let inputs = system.inputs.iter().map(|input| input.symbol.clone());
        let second = system.second_inputs().into_iter().map(Term::symbol);
        Commands {
            system,
            roles: system.symbol_roles(),
            renamed: inputs.zip(second).collect(),
        }
    }

    /// The relation as a command; `None` if it is none, or one that would nest too deeply.
    pub fn first(&self, relation: &Term) -> Option<Command> {
        if relation.is_false() {
            return Some(Command {
                guard: vec![relation.clone()],
                updates: Substitution::default(),
            });
        }
        let mut values = Substitution::default();
        let mut others = Vec::new();
        for conjunct in relation.conjuncts() {
            match self.update(&conjunct) {
                Some((next, value)) if !values.contains_key(&next) => {
                    values.insert(next, value);
                }
                _ => others.push(conjunct),
            }
        }
        let mut updates = Substitution::default();
        for variable in &self.system.variables {
            let value = values.get(&variable.next)?;
            if value.as_symbol() != Some(&variable.current) {
                updates.insert(variable.current.clone(), value.clone());
            }
        }
        let guard = substituted(&others, &values)?;
        Some(Command { guard, updates })
    }

    /// The same command, with inputs of its own.
    pub fn second(&self, command: &Command) -> Option<Command> {
        let (symbols, values): (Vec<&Symbol>, Vec<&Term>) = command.updates.iter().unzip();
        let symbols = symbols.into_iter().cloned();
        Some(Command {
            guard: substituted(&command.guard, &self.renamed)?,
            updates: symbols.zip(substituted(values, &self.renamed)?).collect(),
        })
    }

    /// Values for all inputs, where some have to be found: 0 or false.
    pub fn witness(&self) -> Substitution {
        let inputs = self.system.inputs.iter().map(|input| &input.symbol);
        inputs
            .map(|symbol| {
                let value = Term::constant(Value::default_of(symbol.sort()));
                (symbol.clone(), value)
            })
            .collect()
    }

    /// The variable after the step, and the value that the conjunct gives it, if the conjunct is an equation that does.
    fn update(&self, conjunct: &Term) -> Option<(Symbol, Term)> {
        let next = |term: &Term| {
            let symbol = term.as_symbol()?;
            matches!(self.roles.get(symbol), Some(SymbolRole::Next(_))).then(|| symbol.clone())
        };
        if let Some(symbol) = next(conjunct) {
            return Some((symbol, Term::bool(true)));
        }
        match conjunct.as_application()? {
            (Operator::Not, [inner]) => Some((next(inner)?, Term::bool(false))),
            (Operator::Equal, [left, right]) => {
                let (symbol, value) = match (next(left), next(right)) {
                    (Some(symbol), _) => (symbol, right),
                    (None, Some(symbol)) => (symbol, left),
                    (None, None) => return None,
                };
                let mut is_determined = true;
                value.visit(&mut |part| is_determined &= next(part).is_none());
                is_determined.then(|| (symbol, value.clone()))
            }
            _ => None,
        }
    }
}

impl Command {
    /// The value of a variable after a step.
    pub fn value(&self, variable: &Symbol) -> Term {
        let value = self.updates.get(variable).cloned();
        value.unwrap_or_else(|| Term::symbol(variable.clone()))
    }

    /// The guard after a step of the other command, as conjuncts, and the values of the variables after a step of the other and then one of
    /// this; `None` if they would nest too deeply. What does not depend on the other command stays the very same node.
    pub fn after(&self, other: &Command, variables: &[&Symbol]) -> Option<(Vec<Term>, Vec<Term>)> {
        let mut all = self.guard.clone();
        all.extend(variables.iter().map(|variable| self.value(variable)));
        let mut all = substituted(&all, &other.updates)?;
        let values = all.split_off(self.guard.len());
        Some((all, values))
    }
}

/// The formulas with symbols replaced, all in one go; `None` if they would nest too deeply.
pub(super) fn substituted<'a>(
    formulas: impl IntoIterator<Item = &'a Term>,
    values: &Substitution,
) -> Option<Vec<Term>> {
    let mut cache = TermMap::default();
    let formulas = formulas.into_iter();
    formulas
        .map(|formula| formula.substitute_all(values, &mut cache))
        .map(|formula| (formula.depth() <= MAXIMAL_DEPTH).then_some(formula))
        .collect()
}
