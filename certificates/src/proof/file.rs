//! `proofs.json`: the table of steps as JSON, one array for each step.
//!
//! Reading checks the form of everything and says where it is wrong; nothing in the file nests, so that no depth of a proof can exhaust
//! the stack. Equal tables give equal bytes.

use super::{Combination, NamedVariable, Occurrence, PROOFS_FILE, Proofs, Rule};
use crate::reading::Malformed;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _, SeqAccess, Visitor};
use std::fmt::{self, Write};
use std::marker::PhantomData;

/// What `format` says in the file.
pub const FORMAT: &str = "slabcert-proofs";
/// The version of the format that is read and written.
pub const VERSION: u64 = 1;
/// How many digits a number may have.
pub const MAXIMAL_DIGITS: usize = 1_000;

/// How many items the lists of the file may have in all steps together, or in another list: what is read takes many times the memory of
/// its text.
pub const MAXIMAL_ITEMS: usize = 4_000_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileJson {
    format: String,
    version: u64,
    certificate: String,
    #[serde(deserialize_with = "bounded")]
    variables: Vec<ItemJson>,
    #[serde(deserialize_with = "bounded")]
    steps: Vec<StepJson>,
    #[serde(deserialize_with = "bounded")]
    obligations: Vec<RootJson>,
}

/// What counts towards [`MAXIMAL_ITEMS`].
trait Items {
    fn items(&self) -> usize;
}

#[derive(Deserialize)]
#[serde(transparent)]
struct StepJson(#[serde(deserialize_with = "bounded")] Vec<ItemJson>);

#[derive(Deserialize)]
#[serde(transparent)]
struct RootJson(Option<usize>);

impl Items for ItemJson {
    fn items(&self) -> usize {
        1
    }
}

impl Items for RootJson {
    fn items(&self) -> usize {
        1
    }
}

impl Items for StepJson {
    fn items(&self) -> usize {
        1 + self.0.len()
    }
}

/// Reads a list, and stops as soon as it has too many items.
fn bounded<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Items,
{
    struct List<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de> + Items> Visitor<'de> for List<T> {
        type Value = Vec<T>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("a list")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Vec<T>, A::Error> {
            let mut list = Vec::new();
            let mut items = 0;
            while let Some(next) = sequence.next_element::<T>()? {
                items += next.items();
                if items > MAXIMAL_ITEMS {
                    let message = format!("there are more than {MAXIMAL_ITEMS} items");
                    return Err(A::Error::custom(message));
                }
                list.push(next);
            }
            Ok(list)
        }
    }

    deserializer.deserialize_seq(List(PhantomData))
}

/// A number or a text, as everything in the file is.
#[derive(Deserialize)]
#[serde(untagged)]
enum ItemJson {
    Number(i64),
    Text(String),
}

/// Reads the file: the hash of the `certificate.json` that the proofs were made for, and the proofs.
///
/// # Errors
/// When anything is not well-formed, with its position.
pub fn read(bytes: &[u8]) -> Result<(String, Proofs), Malformed> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let json: FileJson = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let path = error.path().to_string();
        malformed(&path, error.inner().to_string())
    })?;
    deserializer
        .end()
        .map_err(|error| malformed(".", error.to_string()))?;
    if json.format != FORMAT || json.version != VERSION {
        return Err(malformed(
            "format",
            format!(
                "expected `{FORMAT}`, version {VERSION}, but found `{}`, version {}",
                json.format, json.version
            ),
        ));
    }
    let mut variables = Vec::with_capacity(json.variables.len());
    for (number, item) in json.variables.iter().enumerate() {
        variables.push(match item {
            ItemJson::Text(name) => NamedVariable::Symbol(name.clone()),
            ItemJson::Number(part) => {
                let location = format!("variables[{number}]");
                NamedVariable::IntegerPart(index(*part).map_err(|m| malformed(&location, m))?)
            }
        });
    }
    let mut proofs = Proofs::new();
    for (number, items) in json.steps.iter().enumerate() {
        let location = || format!("steps[{number}]");
        let rule = step(&items.0, &variables).map_err(|message| malformed(&location(), message))?;
        proofs
            .add(rule)
            .map_err(|error| malformed(&location(), error.to_string()))?;
    }
    for (number, root) in json.obligations.iter().enumerate() {
        proofs
            .add_root(root.0)
            .map_err(|error| malformed(&format!("obligations[{number}]"), error.to_string()))?;
    }
    Ok((json.certificate, proofs))
}

fn malformed(location: &str, message: impl Into<String>) -> Malformed {
    match location {
        "." => Malformed::new(PROOFS_FILE, message),
        _ => Malformed::new(format!("{PROOFS_FILE}: {location}"), message),
    }
}

/// A step from its array: the rule's letter, and what belongs to it.
fn step(items: &[ItemJson], variables: &[NamedVariable]) -> Result<Rule, String> {
    let Some((ItemJson::Text(letter), items)) = items.split_first() else {
        return Err("a step begins with the letter of its rule".to_owned());
    };
    let wrong = |expected: &str| Err(format!("`{letter}` takes {expected}"));
    match letter.as_str() {
        "F" => Ok(Rule::Farkas(combination(items)?)),
        "X" => match items {
            [one, other] => Ok(Rule::Clash(location(one)?, location(other)?)),
            _ => wrong("two hypotheses"),
        },
        "S" => match items.split_first() {
            Some((hypothesis, cases)) => Ok(Rule::Split {
                hypothesis: location(hypothesis)?,
                cases: cases.iter().map(location).collect::<Result<_, _>>()?,
            }),
            None => wrong("a hypothesis and steps"),
        },
        "D" => match items {
            [holds, fails, formulas @ ..] if !formulas.is_empty() => Ok(Rule::Decide {
                holds: location(holds)?,
                fails: location(fails)?,
                formulas: occurrences(formulas)?,
            }),
            _ => wrong("two steps, and formulas"),
        },
        "B" => match items {
            [bound, at_most, above, sum @ ..] if !sum.is_empty() => Ok(Rule::Branch {
                bound: integer(bound)?,
                at_most: location(at_most)?,
                above: location(above)?,
                sum: self::sum(sum, variables)?,
            }),
            _ => wrong("an integer, two steps, and coefficients with variables"),
        },
        "C" => match items.split_first() {
            Some((then, combined)) => Ok(Rule::Cut {
                then: location(then)?,
                combination: combination(combined)?,
            }),
            None => wrong("a step, and hypotheses with multipliers"),
        },
        _ => Err(format!("there is no rule `{letter}`")),
    }
}

/// Formulas inside hypotheses: whether the complement is meant, the hypothesis, the length of the path, and the path.
fn occurrences(mut items: &[ItemJson]) -> Result<Vec<Occurrence>, String> {
    let mut formulas = Vec::new();
    while let [complement, hypothesis, length, rest @ ..] = items {
        let is_complement = match complement {
            ItemJson::Number(number @ 0..=1) => *number == 1,
            _ => return Err("a formula begins with 0 or 1".to_owned()),
        };
        let length = location(length)?;
        let (path, rest) = rest.split_at_checked(length).ok_or("a path ends early")?;
        formulas.push(Occurrence {
            is_complement,
            hypothesis: location(hypothesis)?,
            path: path.iter().map(location).collect::<Result<_, _>>()?,
        });
        items = rest;
    }
    match items {
        [] => Ok(formulas),
        _ => Err("a formula ends early".to_owned()),
    }
}

fn combination(items: &[ItemJson]) -> Result<Combination, String> {
    let (pairs, rest) = items.as_chunks::<2>();
    if !rest.is_empty() {
        return Err("a hypothesis has no multiplier".to_owned());
    }
    let pair = |[hypothesis, multiplier]: &[ItemJson; 2]| {
        Ok((location(hypothesis)?, rational(multiplier)?))
    };
    pairs.iter().map(pair).collect()
}

fn sum(
    items: &[ItemJson],
    variables: &[NamedVariable],
) -> Result<Vec<(BigInt, NamedVariable)>, String> {
    let (pairs, rest) = items.as_chunks::<2>();
    if !rest.is_empty() {
        return Err("a coefficient has no variable".to_owned());
    }
    let pair = |[coefficient, variable]: &[ItemJson; 2]| {
        let number = location(variable)?;
        let named = variables
            .get(number)
            .ok_or_else(|| format!("there is no variable {number}"))?;
        Ok((integer(coefficient)?, named.clone()))
    };
    pairs.iter().map(pair).collect()
}

fn index(number: i64) -> Result<usize, String> {
    usize::try_from(number).map_err(|_| format!("{number} is not a list index"))
}

fn location(item: &ItemJson) -> Result<usize, String> {
    match item {
        ItemJson::Number(number) => index(*number),
        ItemJson::Text(text) => Err(format!("`{}` is not a list index", shown(text))),
    }
}

fn integer(item: &ItemJson) -> Result<BigInt, String> {
    match item {
        ItemJson::Number(number) => Ok(BigInt::from(*number)),
        ItemJson::Text(text) => digits(text).ok_or_else(|| no_number(text)),
    }
}

fn rational(item: &ItemJson) -> Result<BigRational, String> {
    let text = match item {
        ItemJson::Number(number) => return Ok(BigRational::from_integer(BigInt::from(*number))),
        ItemJson::Text(text) => text,
    };
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    match (digits(numerator), digits(denominator)) {
        (Some(_), Some(denominator)) if denominator.is_zero() => {
            Err(format!("`{}` has the denominator zero", shown(text)))
        }
        (Some(numerator), Some(denominator)) => Ok(BigRational::new(numerator, denominator)),
        _ => Err(no_number(text)),
    }
}

/// An integer in decimal digits.
fn digits(text: &str) -> Option<BigInt> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let is_number = !unsigned.is_empty()
        && unsigned.len() <= MAXIMAL_DIGITS
        && unsigned.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

fn no_number(text: &str) -> String {
    format!(
        "`{}` is not a number of at most {MAXIMAL_DIGITS} digits",
        shown(text)
    )
}

/// The beginning of a text that may be long.
fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The file with the proofs for the certificate whose `certificate.json` has the hash.
pub fn write(proofs: &Proofs, certificate: &str) -> String {
    let mut variables: Vec<&NamedVariable> = Vec::new();
    let mut numbers: FxHashMap<&NamedVariable, usize> = FxHashMap::default();
    for rule in proofs.steps() {
        if let Rule::Branch { sum, .. } = rule {
            for (_, variable) in sum {
                numbers.entry(variable).or_insert_with(|| {
                    variables.push(variable);
                    variables.len() - 1
                });
            }
        }
    }
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{{\"format\":\"{FORMAT}\",\"version\":{VERSION},");
    let _ = writeln!(text, "\"certificate\":{},", quoted(certificate));
    let names = variables.iter().map(|variable| match variable {
        NamedVariable::Symbol(name) => quoted(name),
        NamedVariable::IntegerPart(number) => number.to_string(),
    });
    let _ = writeln!(
        text,
        "\"variables\":[{}],",
        names.collect::<Vec<_>>().join(",")
    );
    text.push_str("\"steps\":[");
    for (number, rule) in proofs.steps().iter().enumerate() {
        text.push_str(if number == 0 { "\n" } else { ",\n" });
        write_step(&mut text, rule, &numbers);
    }
    text.push_str("],\n\"obligations\":[");
    for (number, root) in proofs.roots().iter().enumerate() {
        if number > 0 {
            text.push(',');
        }
        match root {
            Some(step) => {
                let _ = write!(text, "{step}");
            }
            None => text.push_str("null"),
        }
    }
    text.push_str("]}\n");
    text
}

fn write_step(text: &mut String, rule: &Rule, numbers: &FxHashMap<&NamedVariable, usize>) {
    // Writing to a string cannot fail.
    let _ = match rule {
        Rule::Farkas(combination) => {
            text.push_str("[\"F\"");
            write_combination(text, combination);
            Ok(())
        }
        Rule::Clash(one, other) => write!(text, "[\"X\",{one},{other}"),
        Rule::Split { hypothesis, cases } => {
            let _ = write!(text, "[\"S\",{hypothesis}");
            for case in cases {
                let _ = write!(text, ",{case}");
            }
            Ok(())
        }
        Rule::Decide {
            formulas,
            holds,
            fails,
        } => {
            let _ = write!(text, "[\"D\",{holds},{fails}");
            for one in formulas {
                let (complement, length) = (u8::from(one.is_complement), one.path.len());
                let _ = write!(text, ",{complement},{},{length}", one.hypothesis);
                for member in &one.path {
                    let _ = write!(text, ",{member}");
                }
            }
            Ok(())
        }
        Rule::Branch {
            sum,
            bound,
            at_most,
            above,
        } => {
            let bound = number(&BigRational::from_integer(bound.clone()));
            let _ = write!(text, "[\"B\",{bound},{at_most},{above}");
            for (coefficient, variable) in sum {
                let coefficient = number(&BigRational::from_integer(coefficient.clone()));
                let variable = numbers.get(variable).copied().unwrap_or_default();
                let _ = write!(text, ",{coefficient},{variable}");
            }
            Ok(())
        }
        Rule::Cut { combination, then } => {
            let _ = write!(text, "[\"C\",{then}");
            write_combination(text, combination);
            Ok(())
        }
    };
    text.push(']');
}

fn write_combination(text: &mut String, combination: &Combination) {
    for (hypothesis, multiplier) in combination {
        let _ = write!(text, ",{hypothesis},{}", number(multiplier));
    }
}

/// A number where JSON's numbers are exact everywhere, a text otherwise.
fn number(value: &BigRational) -> String {
    /// The largest integer below which JSON readers with floating point are exact.
    const EXACT: i64 = 1 << 53;
    match value.to_integer().to_i64() {
        Some(small) if value.is_integer() && small.abs() <= EXACT => small.to_string(),
        _ => format!("\"{value}\""),
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests;
