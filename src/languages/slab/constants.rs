//! The values of constants: as the file says, or as the command line overrides them.

use super::checking::Passed;
use super::expansion::{Environment, Expander};
use super::names::DeclaredNames;
use super::sorts::Sort;
use super::syntax::LONGEST_NUMBER;
use crate::languages::Options;
use crate::languages::diagnostics::{Diagnostic, Diagnostics};
use num_bigint::BigInt;
use num_rational::BigRational;
use slabcert_certificates::term::Term;
use std::collections::{BTreeMap, BTreeSet};

/// The values that the command line gives constants, by their numbers.
pub(super) fn given(
    names: &DeclaredNames,
    passed: &Passed,
    options: &Options,
    faults: &mut Diagnostics,
) -> Vec<Option<Term>> {
    refuse_unknown(names, options, faults);
    let constants = names.constants.iter().zip(&passed.constants);
    let given = constants.map(|(constant, sort)| {
        let sort = (*sort)?;
        let text = options.constants.get(&*constant.name.text)?;
        let value = parse(text, sort);
        if value.is_none() {
            let sort = sort.text(names);
            let message = format!(
                "the constant `{}` has sort {sort}: invalid value `{}`",
                constant.name.text,
                shown(text)
            );
            faults.push(
                Diagnostic::on_command_line(message)
                    .expected(examples(&sort))
                    .related(constant.name.span, "the constant is declared here"),
            );
        }
        value
    });
    given.collect()
}

/// Evaluates all constants, in their order: as given, or as the file says.
pub(super) fn evaluate(expander: &mut Expander, given: &[Option<Term>]) -> Dependencies {
    let mut dependencies = Dependencies::default();
    for (number, given) in given.iter().enumerate() {
        let constant = expander.names.constants[number];
        expander.mentioned.clear();
        let value = match (expander.passed.constants[number], given) {
            (None, _) => None,
            (Some(_), Some(value)) => Some(value.clone()),
            (Some(_), None) => expander
                .expr(&constant.value, &mut Environment::default())
                .ok(),
        };
        expander.constants.push(value);
        dependencies.0.push(std::mem::take(&mut expander.mentioned));
    }
    dependencies
}

/// Which constants the value of each constant was computed from.
#[derive(Default)]
pub(super) struct Dependencies(Vec<BTreeSet<usize>>);

impl Dependencies {
    /// The names and values of the constants that some depend on, these included.
    pub fn of(&self, expander: &Expander) -> BTreeMap<String, String> {
        let mut found = expander.sizes.clone();
        // A constant is computed from earlier ones only.
        for number in (0..self.0.len()).rev() {
            if found.contains(&number) {
                found.extend(&self.0[number]);
            }
        }
        let value = |number: &usize| {
            let value = expander.constants.get(*number)?.as_ref()?;
            let name = &expander.names.constants[*number].name.text;
            Some((name.to_string(), value.to_string()))
        };
        found.iter().filter_map(value).collect()
    }
}

fn refuse_unknown(names: &DeclaredNames, options: &Options, faults: &mut Diagnostics) {
    let constants = names.constants.iter();
    let known: Vec<&str> = constants.map(|constant| &*constant.name.text).collect();
    for name in options.constants.keys() {
        if known.contains(&name.as_str()) || names.is_unreadable(name) {
            continue;
        }
        let message = format!("the model has no constant `{}` to override", shown(name));
        let fault = Diagnostic::on_command_line(message);
        let fault = if known.is_empty() {
            fault.expected("no `-D`: this model has no constants")
        } else {
            fault.expected(format!(
                "one of {}",
                known
                    .iter()
                    .map(|name| format!("`{name}`"))
                    .collect::<Vec<_>>()
                    .join(", ")
            ))
        };
        faults.push(fault.suggest(name, known.iter().copied()));
    }
}

/// A text of the command line, cut to what fits into a message.
fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

fn examples(sort: &str) -> &'static str {
    match sort {
        "bool" => "`true` or `false`",
        "int" => "an integer such as `5` or `-3`",
        _ => "a number such as `5`, `-3` or `0.5`",
    }
}

/// The constant that a text of the command line writes.
fn parse(text: &str, sort: Sort) -> Option<Term> {
    match (sort, text) {
        (Sort::Bool, "true") => Some(Term::bool(true)),
        (Sort::Bool, "false") => Some(Term::bool(false)),
        (Sort::Int, _) => integer(text).map(Term::int),
        (Sort::Real, _) => {
            let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
            let digits = integer(&format!("{whole}{fraction}"))?;
            if whole.trim_start_matches('-').is_empty()
                || fraction.is_empty()
                || fraction.starts_with('-')
            {
                return None;
            }
            let shift = u32::try_from(fraction.len()).ok()?;
            Some(Term::real(BigRational::new(
                digits,
                BigInt::from(10).pow(shift),
            )))
        }
        _ => None,
    }
}

/// Digits with an optional minus sign.
fn integer(text: &str) -> Option<BigInt> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = !digits.is_empty()
        && digits.len() <= LONGEST_NUMBER
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain
        .then(|| BigInt::parse_bytes(text.as_bytes(), 10))
        .flatten()
}
