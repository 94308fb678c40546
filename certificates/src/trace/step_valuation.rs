//! What the symbols of a system are worth around a step: the state before, the inputs, the state after.
//!
//! An input without a value counts as 0 or false, as traces have it. A state variable without a value has none.

use super::Valuation;
use crate::system::{SymbolRole, System};
use crate::term::{Assignment, Symbol, Value};
use rustc_hash::FxHashMap;

/// The symbols of a system, to look at its valuations.
#[derive(Clone, Debug)]
pub struct StepValuations<'a> {
    system: &'a System,
    roles: FxHashMap<Symbol, SymbolRole>,
}

impl<'a> StepValuations<'a> {
    /// The valuations of a system.
    pub fn of(system: &'a System) -> StepValuations<'a> {
        StepValuations {
            system,
            roles: system.symbol_roles(),
        }
    }

    /// The system.
    pub fn system(&self) -> &'a System {
        self.system
    }

    /// What a symbol is; `None` if it is none of the system's.
    pub fn role(&self, symbol: &Symbol) -> Option<SymbolRole> {
        self.roles.get(symbol).copied()
    }

    /// A state, with inputs.
    pub fn state<'b>(&'b self, state: &'b Valuation, inputs: &'b Valuation) -> StepValuation<'b> {
        StepValuation {
            valuations: self,
            before: state,
            after: None,
            inputs,
        }
    }

    /// A step from a state to another one, with inputs.
    pub fn step<'b>(
        &'b self,
        before: &'b Valuation,
        inputs: &'b Valuation,
        after: &'b Valuation,
    ) -> StepValuation<'b> {
        StepValuation {
            valuations: self,
            before,
            after: Some(after),
            inputs,
        }
    }
}

/// A state with inputs, and where there is a step, the state after it.
#[derive(Clone, Copy, Debug)]
pub struct StepValuation<'a> {
    valuations: &'a StepValuations<'a>,
    before: &'a Valuation,
    after: Option<&'a Valuation>,
    inputs: &'a Valuation,
}

impl Assignment for StepValuation<'_> {
    fn value_of(&self, symbol: &Symbol) -> Option<Value> {
        let variables = &self.valuations.system.variables;
        match self.valuations.role(symbol)? {
            SymbolRole::Current(index) => self.before.get(variables[index].name()).cloned(),
            SymbolRole::Next(index) => self.after?.get(variables[index].name()).cloned(),
            SymbolRole::Input(_) => {
                let given = self.inputs.get(symbol.name()).cloned();
                Some(given.unwrap_or_else(|| Value::default_of(symbol.sort())))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::{Input, InputRole, StateVariable};
    use crate::term::Sort;

    #[test]
    fn missing_inputs_count_as_nothing_and_missing_variables_have_no_value() {
        let system = System {
            variables: vec![StateVariable::new("x", Sort::Int)],
            inputs: vec![Input {
                symbol: Symbol::new("d", Sort::Bool),
                role: InputRole::Choice,
            }],
            ..System::default()
        };
        let valuations = StepValuations::of(&system);
        let one = Valuation::from([("x".to_owned(), Value::Int(1.into()))]);
        let none = Valuation::new();
        let symbol = |name: &str, sort| Symbol::new(name, sort);
        let state = valuations.state(&one, &none);
        assert_eq!(
            state.value_of(&symbol("x", Sort::Int)),
            Some(Value::Int(1.into()))
        );
        assert_eq!(
            state.value_of(&symbol("d", Sort::Bool)),
            Some(Value::Bool(false))
        );
        assert_eq!(state.value_of(&symbol("x.next", Sort::Int)), None);
        assert_eq!(state.value_of(&symbol("e", Sort::Int)), None);
        let step = valuations.step(&none, &none, &one);
        assert_eq!(step.value_of(&symbol("x", Sort::Int)), None);
        assert_eq!(
            step.value_of(&symbol("x.next", Sort::Int)),
            Some(Value::Int(1.into()))
        );
    }
}
