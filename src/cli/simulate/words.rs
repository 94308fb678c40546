//! What can be done in a state, and what cannot, in the model's words.

use crate::engines::simulation::Open;
use crate::engines::simulation::offers::{Effect, Obstacle, Offer, Possibility, Question};
use crate::engines::simulation::possible::{Interval, Possible};
use crate::engines::simulation::replay::{Fault, Mismatch};
use num_rational::BigRational;
use num_traits::One;
use slabcert_certificates::escaping::plain;
use slabcert_certificates::program::Program;
use slabcert_certificates::system::System;
use slabcert_certificates::term::{Sort, Symbol, Term};
use slabcert_certificates::trace::Valuation;
use slabcert_certificates::trace::step_valuation::StepValuations;
use slabcert_exports::traces::reasons::reasons;
use slabcert_exports::wording::Wording;

/// The words of a system.
pub(super) struct Words<'a> {
    system: &'a System,
    wording: Wording<'a>,
    valuations: StepValuations<'a>,
}

impl<'a> Words<'a> {
    pub fn of(program: Option<&'a Program>, system: &'a System) -> Words<'a> {
        Words {
            system,
            wording: Wording::of_program(program, system),
            valuations: StepValuations::of(system),
        }
    }

    pub fn wording(&self) -> &Wording<'a> {
        &self.wording
    }

    /// All values of a state in one line.
    pub fn state(&self, state: &Valuation) -> String {
        self.wording.state(self.system, state).join(", ")
    }

    /// What an enabled transition would do.
    pub fn effects(&self, effects: &[Effect], open: &[Open]) -> String {
        let variables = &self.system.variables;
        let name = |index: usize| {
            self.wording
                .term(&Term::symbol(variables[index].current.clone()))
        };
        let shown = effects.iter().map(|effect| match effect {
            Effect::Becomes(index, value) => {
                self.wording.assignment(&variables[*index].current, value)
            }
            Effect::Computed(index, value) => {
                format!("{} = {}", name(*index), self.wording.term(value))
            }
            Effect::Chosen(index) => format!("{} as chosen", name(*index)),
        });
        let shown: Vec<String> = shown.collect();
        let shown = match shown.is_empty() {
            true => "changes nothing".to_owned(),
            false => shown.join(", "),
        };
        let inputs = open.iter().map(|open| &open.symbol);
        let inputs: Vec<String> = inputs
            .filter(|symbol| !self.is_next(symbol))
            .map(|symbol| self.name(symbol))
            .collect();
        match inputs.is_empty() {
            true => shown,
            false => format!("{shown} (choose {})", inputs.join(", ")),
        }
    }

    /// What a symbol is called.
    pub fn name(&self, symbol: &Symbol) -> String {
        self.wording.term(&Term::symbol(symbol.clone()))
    }

    /// Whether a symbol is the value of a variable after a step.
    pub fn is_next(&self, symbol: &Symbol) -> bool {
        let mut variables = self.system.variables.iter();
        variables.any(|variable| variable.next == *symbol)
    }

    /// Why a transition is disabled, one reason for each line.
    pub fn obstacle(&self, obstacle: &Obstacle, state: &Valuation) -> Vec<String> {
        match obstacle {
            Obstacle::Violated(conditions) => conditions
                .iter()
                .map(|condition| self.unmet(condition, state))
                .collect(),
            Obstacle::NoChoice(conditions) => {
                let joined = Term::and(conditions.iter().cloned());
                vec![format!(
                    "no choice makes this true: {}{}",
                    self.wording.label(conditions).join(" && "),
                    self.now(&joined, state)
                )]
            }
        }
    }

    fn unmet(&self, condition: &Term, state: &Valuation) -> String {
        format!(
            "needs {}{}",
            self.wording.term(condition),
            self.now(condition, state)
        )
    }

    /// The values of a formula's variables, as far as the state gives them.
    fn now(&self, formula: &Term, state: &Valuation) -> String {
        let mentioned = formula.symbols();
        let variables = self.system.variables.iter();
        let values: Valuation = variables
            .filter(|variable| mentioned.contains(&variable.current))
            .filter_map(|variable| {
                let value = state.get(variable.name())?;
                Some((variable.name().to_owned(), value.clone()))
            })
            .collect();
        match values.is_empty() {
            true => String::new(),
            false => format!("; now {}", self.state(&values)),
        }
    }

    /// A disabled transition, with the reasons.
    pub fn impossible(&self, offer: &Offer<'_>, state: &Valuation) -> Vec<String> {
        let Possibility::Impossible(obstacle) = &offer.possibility else {
            return Vec::new();
        };
        let reasons = self.obstacle(obstacle, state);
        match reasons.as_slice() {
            [reason] => vec![format!("{}: {reason}", plain(&offer.transition.name))],
            _ => std::iter::once(format!("{}:", plain(&offer.transition.name)))
                .chain(reasons.iter().map(|reason| format!("  {reason}")))
                .collect(),
        }
    }

    /// Why a state violates a property: the facts that suffice.
    pub fn violation(&self, property: &Term, state: &Valuation, inputs: &Valuation) -> String {
        let valuation = self.valuations.state(state, inputs);
        let facts: Vec<Term> = match reasons(property, &valuation) {
            Ok(reasons) => reasons.iter().map(|reason| reason.fact()).collect(),
            Err(_) => vec![property.clone().not()],
        };
        let facts: Vec<String> = facts.iter().map(|fact| self.wording.term(fact)).collect();
        facts.join(", ")
    }

    /// What is to be chosen, and from what.
    pub fn question(&self, question: &Question) -> String {
        let symbol = &question.open.symbol;
        format!(
            "{}, {}",
            self.name(symbol),
            self.possible(&question.possible, symbol)
        )
    }

    /// All that is known about a choice.
    pub fn help(&self, question: &Question) -> Vec<String> {
        let mut lines = vec![self.question(question)];
        let conditions = question.others.iter();
        lines.extend(conditions.map(|condition| format!("  and {}", self.wording.term(condition))));
        lines.push("  (nothing): the solver chooses this and all remaining values".to_owned());
        lines.push("  cancel: discard the choices and the step".to_owned());
        lines
    }

    fn possible(&self, possible: &Possible, symbol: &Symbol) -> String {
        let kind = match symbol.sort() {
            _ if self.wording.values_of(symbol).is_some() => "one of these",
            Sort::Bool => "true or false",
            Sort::Int => "an integer",
            Sort::Real => "a number",
        };
        let named = |interval: &Interval| self.interval(interval, symbol);
        match possible {
            Possible::Truths(truths) => match truths.as_slice() {
                [truth] => format!("{truth}"),
                _ => kind.to_owned(),
            },
            Possible::Numbers(intervals) => {
                let shown: Vec<String> = intervals.iter().filter_map(named).collect();
                match shown.is_empty() {
                    true => kind.to_owned(),
                    false => format!("{kind}: {}", shown.join(", or ")),
                }
            }
            Possible::Unknown(conditions) => {
                format!(
                    "{kind} with {}",
                    self.wording.label(conditions).join(" && ")
                )
            }
        }
    }

    /// A range in words; none if it is everything.
    fn interval(&self, interval: &Interval, symbol: &Symbol) -> Option<String> {
        let one = BigRational::one;
        let has_names = self.wording.values_of(symbol).is_some();
        let value = |number: &BigRational| {
            let value = match symbol.sort() {
                Sort::Int => number.to_integer().into(),
                _ => number.clone().into(),
            };
            self.wording.value(symbol, &value)
        };
        let low = interval.low.as_ref().map(|(low, is_in)| {
            let word = if *is_in { "at least" } else { "more than" };
            format!("{word} {}", value(low))
        });
        let high = interval.high.as_ref().map(|(high, is_in)| {
            let word = if *is_in { "at most" } else { "less than" };
            format!("{word} {}", value(high))
        });
        match (&interval.low, &interval.high, low, high) {
            (Some((low, true)), Some((high, true)), ..) if low == high => Some(value(low)),
            (Some((low, true)), Some((high, true)), ..) if has_names => {
                // Values with names have no order that means anything.
                let numbers = std::iter::successors(Some(low.clone()), |it| Some(it + one()));
                let names = numbers.take_while(|number| number <= high);
                Some(names.map(|it| value(&it)).collect::<Vec<_>>().join(", "))
            }
            (Some((low, true)), Some((high, true)), ..) => {
                Some(format!("{} to {}", value(low), value(high)))
            }
            (_, _, Some(low), Some(high)) => Some(format!("{low} and {high}")),
            (_, _, low, high) => low.or(high),
        }
    }

    /// Why a record is not a run of the model.
    pub fn fault(&self, fault: &Fault, states: &[Valuation]) -> String {
        let nothing = Valuation::new();
        let state = |number: usize| states.get(number).unwrap_or(&nothing);
        match fault {
            Fault::NotInitial(conditions) => {
                let conditions = conditions.iter();
                let unmet: Vec<String> = conditions
                    .map(|condition| self.unmet(condition, state(0)))
                    .collect();
                format!("the first state is not initial: it {}", unmet.join("; it "))
            }
            Fault::NoTransition(step) => {
                format!(
                    "no transition leads from state {step} to state {}",
                    step + 1
                )
            }
            Fault::Step(step, name, mismatch) => format!(
                "step {} is not a step of `{name}`: {}",
                step + 1,
                self.mismatch(mismatch, state(*step), state(step + 1))
            ),
        }
    }

    fn mismatch(&self, mismatch: &Mismatch, before: &Valuation, after: &Valuation) -> String {
        match mismatch {
            Mismatch::Violated(conditions) => {
                let conditions = conditions.iter();
                let unmet: Vec<String> = conditions
                    .map(|condition| format!("it {}", self.unmet(condition, before)))
                    .collect();
                unmet.join("; ")
            }
            Mismatch::NoInputs => "no inputs lead to the state after it".to_owned(),
            Mismatch::Result { variable, becomes } => {
                let variable = &self.system.variables[*variable];
                let found = after.get(variable.name());
                let found = found.map(|value| self.wording.assignment(&variable.current, value));
                format!(
                    "after it {}, not {}",
                    self.wording.assignment(&variable.current, becomes),
                    found.unwrap_or_default()
                )
            }
        }
    }
}
