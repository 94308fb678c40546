//! Choices that the user makes: values that were typed with the step, or are asked for one by one.

use super::lines::Input;
use super::session::{Leave, Session, Trouble};
use crate::engines::simulation::SimulationError;
use crate::engines::simulation::offers::{Choices, Question};
use num_bigint::BigInt;
use num_rational::BigRational;
use slabcert_certificates::system::Transition;
use slabcert_certificates::term::{Sort, Symbol, Value};
use slabcert_exports::traces::file::parse_value;

/// How many digits after the point a decimal number may have.
const MOST_DECIMALS: usize = 1_000;

/// What the choices are for.
#[derive(Clone, Copy)]
enum Purpose<'t> {
    Step(&'t Transition),
    Start,
}

impl Session<'_> {
    /// The choices for a step: those that are given, and others asked for unless there is only one.
    pub(super) fn choices(
        &mut self,
        transition: &Transition,
        given: &[(String, String)],
    ) -> Result<Choices, Trouble> {
        let inputs = transition.inputs.iter();
        let inputs = inputs.map(|index| &self.system.inputs[*index].symbol);
        let next = self.system.variables.iter().map(|variable| &variable.next);
        let names: Vec<String> = inputs.chain(next).map(|it| self.words.name(it)).collect();
        let unknown = given
            .iter()
            .find(|(short, _)| !names.iter().any(|name| is_meant(short, name)));
        if let Some((name, _)) = unknown {
            let transition = &transition.name;
            return Err(Trouble::Say(format!(
                "`{transition}` has no choice `{name}`"
            )));
        }
        self.choose(Purpose::Step(transition), given.to_vec())
    }

    /// The choices for a state to start from.
    pub(super) fn start_choices(&mut self) -> Result<Choices, Trouble> {
        self.choose(Purpose::Start, Vec::new())
    }

    fn choose(
        &mut self,
        purpose: Purpose<'_>,
        mut given: Vec<(String, String)>,
    ) -> Result<Choices, Trouble> {
        let mut made = Choices::new();
        while let Some(question) = self.question(purpose, &made)? {
            let symbol = question.open.symbol.clone();
            let name = self.words.name(&symbol);
            let ordinal = given.iter().position(|(short, _)| is_meant(short, &name));
            if let Some(ordinal) = ordinal {
                let (_, text) = given.remove(ordinal);
                let value = self.value(&symbol, &text).map_err(Trouble::Say)?;
                made.insert(symbol, value);
                if let Some(objection) = self.objection(purpose, &made)? {
                    return Err(Trouble::Say(objection));
                }
            } else if let Some(value) = question.possible.single(symbol.sort()) {
                made.insert(symbol, value);
            } else if !self.ask(purpose, &question, &mut made)? {
                break;
            }
        }
        match given.first() {
            Some((name, _)) => Err(Trouble::Say(format!("there is no choice `{name}` left"))),
            None => Ok(made),
        }
    }

    fn question(
        &mut self,
        purpose: Purpose<'_>,
        made: &Choices,
    ) -> Result<Option<Question>, SimulationError> {
        match purpose {
            Purpose::Step(transition) => {
                let state = self.play.state();
                Ok(self.simulator.question(transition, state, made))
            }
            Purpose::Start => self.simulator.start_question(made),
        }
    }

    /// What is wrong with choices, if anything is.
    fn objection(
        &mut self,
        purpose: Purpose<'_>,
        made: &Choices,
    ) -> Result<Option<String>, SimulationError> {
        match purpose {
            Purpose::Step(transition) => {
                let state = self.play.state();
                let obstacle = self.simulator.obstacle(transition, state, made)?;
                let reasons = obstacle.map(|it| self.words.obstacle(&it, state).join("\n"));
                Ok(reasons.map(|reasons| format!("that is not possible: {reasons}")))
            }
            Purpose::Start => match self.simulator.start_with(made)? {
                Some(_) => Ok(None),
                None => Ok(Some("no initial state has these values".to_owned())),
            },
        }
    }

    /// Asks until there is an answer; false when the rest is left to the solver.
    fn ask(
        &mut self,
        purpose: Purpose<'_>,
        question: &Question,
        made: &mut Choices,
    ) -> Result<bool, Trouble> {
        let symbol = &question.open.symbol;
        let prompt = format!("  {}: ", self.words.question(question));
        loop {
            let line = match self.lines.ask(&prompt, self.out)? {
                Input::Line(line) => line,
                Input::End => return Err(Trouble::Leave(Leave::End)),
                Input::Interrupted => return Err(Trouble::Leave(Leave::Interrupted)),
            };
            match line.trim() {
                "" => return Ok(false),
                "cancel" => return Err(Trouble::Say("the step is not taken".to_owned())),
                "?" | "help" => {
                    for line in self.words.help(question) {
                        writeln!(self.out, "  {line}")?;
                    }
                }
                text => match self.value(symbol, text) {
                    Err(reason) => writeln!(self.out, "  {reason}")?,
                    Ok(value) => {
                        made.insert(symbol.clone(), value);
                        let Some(objection) = self.objection(purpose, made)? else {
                            return Ok(true);
                        };
                        made.remove(symbol);
                        writeln!(self.out, "  {objection}")?;
                    }
                },
            }
        }
    }

    /// The value that a text gives a symbol.
    fn value(&self, symbol: &Symbol, text: &str) -> Result<Value, String> {
        if symbol.sort() == Sort::Real
            && let Some(number) = decimal(text)
        {
            return Ok(Value::Real(number));
        }
        let table = self.words.wording().values_of(symbol);
        parse_value(text, symbol, table)
    }
}

/// Whether a name, or its end after a point, is what was typed.
fn is_meant(typed: &str, name: &str) -> bool {
    name == typed || name.ends_with(&format!(".{typed}"))
}

/// A number with a decimal point, such as `-0.25`.
fn decimal(text: &str) -> Option<BigRational> {
    let (whole, decimals) = text.split_once('.')?;
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    if !are_digits(digits) || !are_digits(decimals) || digits.len() + decimals.len() > MOST_DECIMALS
    {
        return None;
    }
    let numerator: BigInt = format!("{whole}{decimals}").parse().ok()?;
    let exponent = u32::try_from(decimals.len()).ok()?;
    Some(BigRational::new(numerator, BigInt::from(10).pow(exponent)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact_and_nothing_else_is_one() {
        let number = |text: &str| decimal(text).map(|number| number.to_string());
        assert_eq!(number("0.25").as_deref(), Some("1/4"));
        assert_eq!(number("-0.5").as_deref(), Some("-1/2"));
        for text in ["1", "1.", ".5", "1.5.2", "1e3.0", "--1.5", "+1.5"] {
            assert_eq!(number(text), None, "{text}");
        }
        assert_eq!(number(&format!("0.{}", "1".repeat(2_000))), None);
    }
}
