//! Lines that differ in their indices only, as one line: `for all i != j: P[i] at critical => lock != j`.
//!
//! This works on the text of lines. A line is a pattern with numbers in it; a pattern with some of its numbers replaced by indices
//! stands for as many lines as there are ways to choose the indices. Invariant: a pattern is written only if every line that it
//! stands for is there, so that nothing is claimed about a process that is not claimed by itself.

use super::families::{SHORTEST_RANGE, write_numbers};
use super::labels::Fact;
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use slabcert_certificates::system::System;
use std::collections::{BTreeMap, BTreeSet};

/// How many different numbers a line may have that is compared with others.
const MOST_NUMBERS: usize = 4;
/// How many lines are compared.
const MOST_LINES: usize = 5_000;
/// What indices are called, the first that no name of the system is made of.
const LETTERS: [&str; 12] = ["i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s", "t"];

/// The indices of the families of a system: what the names of members have in brackets.
#[derive(Clone, Default)]
pub(super) struct Indices {
    /// By the word before the bracket: the numbers that occur in it.
    families: FxHashMap<String, BTreeSet<u64>>,
    letters: Vec<&'static str>,
}

/// The numbers of a line, and the text around them.
struct Pattern {
    /// The text before each number, and after the last.
    texts: Vec<String>,
    numbers: Vec<u64>,
    /// For a number in brackets: the word before it.
    families: Vec<Option<String>>,
}

/// A pattern with indices instead of some numbers.
struct Template {
    /// For each number of the pattern: the index that stands there.
    variables: Vec<Option<usize>>,
    /// How many indices there are.
    count: usize,
}

/// Which values the indices take.
enum Choice {
    /// All different ones.
    Different,
    /// Each greater than the one before it.
    Ascending,
    /// Each less than the one before it.
    Descending,
    /// The only index takes these.
    Values(BTreeSet<u64>),
}

/// Whether a pattern stands for all of its lines at once, or for one of them at least.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Quantifier {
    All,
    Some,
}

/// A template, its choice of values, and the lines that it stands for.
struct Found {
    template: Template,
    choice: Choice,
    ordinals: Vec<usize>,
}

impl Indices {
    pub(super) fn of(system: &System) -> Indices {
        let mut families: FxHashMap<String, BTreeSet<u64>> = FxHashMap::default();
        let mut words = BTreeSet::new();
        for variable in &system.variables {
            // Of other names nobody knows whether what they have in brackets is an index.
            let pattern = variable
                .origin
                .as_ref()
                .map(|_| Pattern::of(variable.name()));
            let numbers = pattern
                .iter()
                .flat_map(|it| it.numbers.iter().zip(&it.families));
            for (number, family) in numbers {
                if let Some(family) = family {
                    families.entry(family.clone()).or_default().insert(*number);
                }
            }
            let tables = variable.values.iter().flat_map(|table| &table.values);
            for text in tables.map(String::as_str).chain([variable.name()]) {
                let parts = text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
                words.extend(parts.map(str::to_owned));
            }
        }
        let letters = LETTERS
            .into_iter()
            .filter(|letter| !words.contains(*letter));
        Indices {
            families,
            letters: letters.take(MOST_NUMBERS).collect(),
        }
    }

    /// The lines in their order, similar ones as one at the position of the first.
    pub(super) fn bundle(&self, facts: Vec<Fact>, quantifier: Quantifier) -> Vec<Fact> {
        if facts.len() > MOST_LINES {
            return facts;
        }
        let patterns: Vec<Pattern> = facts.iter().map(|fact| Pattern::of(&fact.text)).collect();
        let mut groups: IndexMap<&[String], Vec<usize>> = IndexMap::new();
        for (ordinal, pattern) in patterns.iter().enumerate() {
            groups.entry(&pattern.texts).or_default().push(ordinal);
        }
        let mut written: BTreeMap<usize, (String, Vec<usize>)> = BTreeMap::new();
        for ordinals in groups.values().filter(|ordinals| ordinals.len() > 1) {
            self.bundle_group(&patterns, ordinals, quantifier, &mut written);
        }
        let mut left: Vec<Option<Fact>> = facts.into_iter().map(Some).collect();
        let mut bundled = Vec::new();
        for ordinal in 0..left.len() {
            if let Some((text, ordinals)) = written.remove(&ordinal) {
                let similar: Vec<Fact> = ordinals
                    .iter()
                    .filter_map(|&one| left[one].take())
                    .collect();
                bundled.push(Fact::of_all(text, similar));
            } else {
                bundled.extend(left[ordinal].take());
            }
        }
        bundled
    }

    /// Finds the templates of lines with the same text around their numbers; those that stand for most lines come first.
    fn bundle_group(
        &self,
        patterns: &[Pattern],
        ordinals: &[usize],
        quantifier: Quantifier,
        written: &mut BTreeMap<usize, (String, Vec<usize>)>,
    ) {
        let lines: FxHashMap<&[u64], usize> = ordinals
            .iter()
            .map(|&ordinal| (patterns[ordinal].numbers.as_slice(), ordinal))
            .collect();
        let mut open: BTreeSet<usize> = lines.values().copied().collect();
        while let Some((ordinal, mut found)) = self.best(patterns, &lines, &open) {
            found.ordinals.retain(|one| open.remove(one));
            found.ordinals.sort_unstable();
            let text = self.write(&patterns[ordinal], &found, quantifier);
            if let Some(&first) = found.ordinals.first() {
                written.insert(first, (text, found.ordinals));
            }
        }
    }

    /// The template that stands for most of the lines that are open, if it stands for several, and a line that it is made from.
    fn best(
        &self,
        patterns: &[Pattern],
        lines: &FxHashMap<&[u64], usize>,
        open: &BTreeSet<usize>,
    ) -> Option<(usize, Found)> {
        let mut best = None;
        let mut most = 1;
        for &ordinal in open {
            for template in self.templates(&patterns[ordinal]) {
                let Some(found) = self.instances(&patterns[ordinal], template, lines) else {
                    continue;
                };
                let gain = found
                    .ordinals
                    .iter()
                    .filter(|one| open.contains(one))
                    .count();
                if gain > most {
                    most = gain;
                    best = Some((ordinal, found));
                }
            }
            if most == open.len() {
                break;
            }
        }
        best
    }

    /// The ways to replace numbers of a line by indices: equal numbers by the same index or not at all.
    fn templates(&self, pattern: &Pattern) -> Vec<Template> {
        let mut values = pattern.numbers.clone();
        values.sort_unstable();
        values.dedup();
        if values.len() > MOST_NUMBERS.min(self.letters.len()) {
            return Vec::new();
        }
        let choices = 1_u32..1 << values.len();
        choices
            .filter_map(|choice| {
                let chosen: Vec<u64> = (0..values.len())
                    .filter(|bit| choice & (1 << bit) != 0)
                    .map(|bit| values[bit])
                    .collect();
                // Indices are numbered as they occur.
                let mut order: Vec<u64> = Vec::new();
                let mut variables = Vec::new();
                for number in &pattern.numbers {
                    if !chosen.contains(number) {
                        variables.push(None);
                        continue;
                    }
                    let index = order.iter().position(|one| one == number);
                    variables.push(Some(index.unwrap_or_else(|| {
                        order.push(*number);
                        order.len() - 1
                    })));
                }
                let template = Template {
                    variables,
                    count: order.len(),
                };
                self.domain(pattern, &template).map(|_| template)
            })
            .collect()
    }

    /// The values that all indices of the template take: those of the one family in whose brackets they stand.
    fn domain(&self, pattern: &Pattern, template: &Template) -> Option<&BTreeSet<u64>> {
        let mut domain = None;
        for (variable, family) in template.variables.iter().zip(&pattern.families) {
            if let (Some(_), Some(family)) = (variable, family) {
                let indices = self.families.get(family)?;
                if domain.is_some_and(|known| known != indices) {
                    return None;
                }
                domain = Some(indices);
            }
        }
        domain
    }

    /// The lines that a template stands for, if they are all there.
    fn instances(
        &self,
        pattern: &Pattern,
        template: Template,
        lines: &FxHashMap<&[u64], usize>,
    ) -> Option<Found> {
        let domain = self.domain(pattern, &template)?;
        let line_of = |values: &[u64]| {
            let numbers: Vec<u64> = template
                .variables
                .iter()
                .zip(&pattern.numbers)
                .map(|(variable, number)| variable.map_or(*number, |index| values[index]))
                .collect();
            lines.get(numbers.as_slice()).copied()
        };
        if template.count == 1 {
            let there: Vec<(u64, usize)> = domain
                .iter()
                .filter_map(|&value| Some((value, line_of(&[value])?)))
                .collect();
            let is_enough = there.len() == domain.len() || there.len() >= SHORTEST_RANGE;
            let (values, ordinals) = there.into_iter().unzip();
            return is_enough.then_some(Found {
                template,
                choice: Choice::Values(values),
                ordinals,
            });
        }
        for choice in [Choice::Different, Choice::Ascending, Choice::Descending] {
            let Some(tuples) = tuples(domain, template.count, &choice, lines.len()) else {
                continue;
            };
            let ordinals: Option<Vec<usize>> =
                tuples.iter().map(|values| line_of(values)).collect();
            if let Some(ordinals) = ordinals.filter(|ordinals| !ordinals.is_empty()) {
                return Some(Found {
                    template,
                    choice,
                    ordinals,
                });
            }
        }
        None
    }

    fn write(&self, pattern: &Pattern, found: &Found, quantifier: Quantifier) -> String {
        let letters = &self.letters[..found.template.count];
        let (all, each) = match quantifier {
            Quantifier::All => ("for all", "for"),
            Quantifier::Some => ("for some", "for some"),
        };
        let quantifier = match &found.choice {
            Choice::Values(values) => {
                let letter = letters.first().copied().unwrap_or_default();
                let all_values = self.domain(pattern, &found.template);
                let missing: Vec<&u64> = all_values
                    .into_iter()
                    .flatten()
                    .filter(|one| !values.contains(one))
                    .collect();
                let numbers = values.iter().filter_map(|&value| i64::try_from(value).ok());
                let range = write_numbers(numbers.collect());
                match missing.as_slice() {
                    [] => format!("{all} {letter}"),
                    [one] if range.contains(',') => format!("{all} {letter} != {one}"),
                    _ => format!("{each} {letter} in {range}"),
                }
            }
            Choice::Ascending => format!("{all} {}", letters.join(" < ")),
            Choice::Descending => format!("{all} {}", letters.join(" > ")),
            Choice::Different if letters.len() == 2 => format!("{all} {}", letters.join(" != ")),
            Choice::Different => format!("{all} different {}", letters.join(", ")),
        };
        let mut text = format!("{quantifier}: ");
        for (ordinal, part) in pattern.texts.iter().enumerate() {
            text.push_str(part);
            if let Some(number) = pattern.numbers.get(ordinal) {
                match found.template.variables[ordinal] {
                    Some(index) => text.push_str(letters[index]),
                    None => text.push_str(&number.to_string()),
                }
            }
        }
        text
    }
}

/// All ways to choose so many values; none at all if there are too many ways for there being a line for each.
fn tuples(
    domain: &BTreeSet<u64>,
    count: usize,
    choice: &Choice,
    most: usize,
) -> Option<Vec<Vec<u64>>> {
    let mut found: Vec<Vec<u64>> = vec![Vec::new()];
    for _ in 0..count {
        found = found
            .iter()
            .flat_map(|begun| {
                let last = begun.last().copied();
                let fits = move |value: &&u64| match choice {
                    Choice::Ascending => last.is_none_or(|last| **value > last),
                    Choice::Descending => last.is_none_or(|last| **value < last),
                    _ => true,
                };
                domain
                    .iter()
                    .filter(fits)
                    .filter(|value| !begun.contains(value))
                    .map(|value| [begun.as_slice(), &[*value]].concat())
                    .collect::<Vec<_>>()
            })
            .collect();
        // For those in order there may be fewer ways in the end.
        if found.len() > most.saturating_mul(domain.len()) {
            return None;
        }
    }
    (found.len() <= most).then_some(found)
}

impl Pattern {
    /// Reads the numbers of a line: whole numbers that are not part of a word or of a decimal.
    fn of(line: &str) -> Pattern {
        let mut pattern = Pattern {
            texts: Vec::new(),
            numbers: Vec::new(),
            families: Vec::new(),
        };
        let mut text = String::new();
        let mut rest = line;
        while let Some(letter) = rest.chars().next() {
            let length = rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len());
            let (digits, after) = rest.split_at(length);
            let follows_word = text.ends_with(|c: char| c.is_alphanumeric() || "_.'".contains(c));
            let continues = after.starts_with(|c: char| c.is_alphanumeric() || "_.'".contains(c));
            let number = digits
                .parse::<u64>()
                .ok()
                .filter(|number| !follows_word && !continues && digits == number.to_string());
            if let Some(number) = number {
                let is_bracketed = text.ends_with('[') && after.starts_with(']');
                pattern
                    .families
                    .push(is_bracketed.then(|| family_of(&text)));
                pattern.numbers.push(number);
                pattern.texts.push(std::mem::take(&mut text));
                rest = after;
            } else {
                let taken = length.max(letter.len_utf8());
                text.push_str(&rest[..taken]);
                rest = &rest[taken..];
            }
        }
        pattern.texts.push(text);
        pattern
    }
}

/// The word at the end of a text, before its last bracket.
fn family_of(text: &str) -> String {
    let before = text.strip_suffix('[').unwrap_or(text);
    let start = before
        .rfind(|c: char| !(c.is_alphanumeric() || "_.]".contains(c)))
        .map_or(0, |at| {
            at + before[at..].chars().next().map_or(1, char::len_utf8)
        });
    before[start..].to_owned()
}

#[cfg(test)]
mod tests;
