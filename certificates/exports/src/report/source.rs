//! Where a transition stands in the text of a model.
//!
//! Bundles keep no positions, so that declarations are searched by their names. A line is shown only where exactly one declaration can be
//! meant; nothing is better than something wrong.

use std::ops::RangeInclusive;

/// Lines of a text, from 1.
pub type Lines = RangeInclusive<usize>;

/// The declarations of a model in the modelling language.
#[derive(Debug, Default)]
pub(super) struct Declarations {
    system: Option<String>,
    transitions: Vec<(String, Lines)>,
    properties: Vec<(String, Lines)>,
    /// For each process its edges: a name, or source and target.
    edges: Vec<(String, EdgeName, Lines)>,
}

#[derive(Debug, PartialEq, Eq)]
enum EdgeName {
    Own(String),
    Generated(String),
}

impl Declarations {
    /// Reads declarations; a text in a language other than `slab` has none that are known here.
    pub fn read(language: &str, text: &str) -> Declarations {
        let mut found = Declarations::default();
        if language == "slab" {
            found.read_tokens(&tokens(text));
        }
        found
    }

    /// The name of the system.
    pub fn system(&self) -> Option<&str> {
        self.system.as_deref()
    }

    /// Where the transition stands that goes by this name in the flat system.
    pub fn transition(&self, name: &str) -> Option<&Lines> {
        match name.split_once('.') {
            None => only(
                self.transitions
                    .iter()
                    .filter(|(own, _)| own == without_indices(name))
                    .map(|(_, lines)| lines),
            ),
            Some((process, edge)) => {
                let (process, edge) = (without_indices(process), without_indices(edge));
                let own = |wanted: &EdgeName| {
                    only(
                        self.edges
                            .iter()
                            .filter(|(owner, name, _)| owner == process && name == wanted)
                            .map(|(_, _, lines)| lines),
                    )
                };
                own(&EdgeName::Own(edge.to_owned()))
                    .or_else(|| own(&EdgeName::Generated(edge.to_owned())))
            }
        }
    }

    /// Where the property of that name stands.
    pub fn property(&self, name: &str) -> Option<&Lines> {
        only(
            self.properties
                .iter()
                .filter(|(own, _)| own == name)
                .map(|(_, lines)| lines),
        )
    }

    /// Keywords are no names, so that each begins a declaration.
    fn read_tokens(&mut self, tokens: &[Token<'_>]) {
        let mut process: Option<String> = None;
        let mut depth = 0_usize;
        for (place, token) in tokens.iter().enumerate() {
            let word = |ahead: usize| tokens.get(place + ahead).map_or("", |it| it.text);
            match token.text {
                "{" => depth += 1,
                "}" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        process = None;
                    }
                }
                "process" if depth == 0 => process = Some(word(1).to_owned()),
                "system" if place == 0 => self.system = Some(word(1).to_owned()),
                "transition" if depth == 0 => {
                    let lines = statement(tokens, place);
                    self.transitions.push((word(1).to_owned(), lines));
                }
                "error" | "invariant" if depth == 0 && word(2) == ":" => {
                    let lines = statement(tokens, place);
                    self.properties.push((word(1).to_owned(), lines));
                }
                "edge" => {
                    if let Some(process) = &process {
                        let name = edge_name(&tokens[place + 1..]);
                        let lines = statement(tokens, place);
                        self.edges
                            .extend(name.map(|name| (process.clone(), name, lines)));
                    }
                }
                _ => {}
            }
        }
    }
}

/// `name:`, `name[i in 1..2]:`, or `source -> target`.
fn edge_name(tokens: &[Token<'_>]) -> Option<EdgeName> {
    let first = tokens.first()?;
    if let [_, arrow, target, ..] = tokens
        && arrow.text == "->"
    {
        return Some(EdgeName::Generated(format!(
            "{}_{}",
            first.text, target.text
        )));
    }
    Some(EdgeName::Own(first.text.to_owned()))
}

/// From a declaration's first line to that of the semicolon that ends it.
fn statement(tokens: &[Token<'_>], place: usize) -> Lines {
    let first = tokens[place].line;
    let end = tokens[place..]
        .iter()
        .find(|token| token.text == ";")
        .map_or(first, |token| token.line);
    first..=end
}

fn only<'l>(mut lines: impl Iterator<Item = &'l Lines>) -> Option<&'l Lines> {
    let first = lines.next()?;
    lines.next().is_none().then_some(first)
}

/// `toggle` of `toggle[2]`.
fn without_indices(name: &str) -> &str {
    name.split_once('[').map_or(name, |(stem, _)| stem)
}

#[derive(Clone, Copy, Debug)]
struct Token<'t> {
    text: &'t str,
    line: usize,
}

/// Words, arrows and single signs, without comments.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut is_comment = false;
    for (number, line) in text.lines().enumerate() {
        let mut rest = line;
        loop {
            if is_comment {
                let Some(end) = rest.find("*/") else { break };
                rest = &rest[end + 2..];
                is_comment = false;
            }
            rest = rest.trim_start();
            if rest.is_empty() {
                break;
            }
            if rest.starts_with("//") {
                // A carriage return ends a comment too.
                let Some(end) = rest.find('\r') else { break };
                rest = &rest[end..];
                continue;
            }
            if let Some(inside) = rest.strip_prefix("/*") {
                is_comment = true;
                rest = inside;
                continue;
            }
            let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
            let length = if rest.starts_with("->") {
                2
            } else if rest.starts_with(is_part) {
                rest.find(|letter| !is_part(letter)).unwrap_or(rest.len())
            } else {
                rest.chars().next().map_or(1, char::len_utf8)
            };
            found.push(Token {
                text: &rest[..length],
                line: number + 1,
            });
            rest = &rest[length..];
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = "system lock; // process Q { edge a: b -> c; }
var x : int;
process P[i in 1..2] {
  location idle, busy;
  start idle;
  edge idle -> busy
    when x = 0
    do x := i;
  edge leave: busy -> idle do x := 0;
  /* edge gone: idle -> busy;
  */ edge stay[j in 1..2]: busy -> busy;
}
error both: x = 3;
transition tick
  do x := x;
";

    fn lines(name: &str) -> Option<Lines> {
        Declarations::read("slab", MODEL).transition(name).cloned()
    }

    #[test]
    fn declarations_are_found_by_the_names_of_the_flat_system() {
        assert_eq!(lines("P[1].idle_busy"), Some(6..=8));
        assert_eq!(lines("P[2].leave"), Some(9..=9));
        assert_eq!(lines("P[2].stay[1]"), Some(11..=11));
        assert_eq!(lines("tick"), Some(14..=15));
        let declarations = Declarations::read("slab", MODEL);
        assert_eq!(declarations.property("both"), Some(&(13..=13)));
        assert_eq!(declarations.system(), Some("lock"));
    }

    #[test]
    fn nothing_is_shown_where_it_could_be_wrong() {
        for name in [
            "P[1].gone",
            "Q.a",
            "tock",
            "P[1].busy_idle",
            "P[1].idle_busy_1",
            "",
        ] {
            assert_eq!(lines(name), None, "{name}");
        }
        let twice = "process P { edge a -> b; edge a -> b; }";
        assert_eq!(Declarations::read("slab", twice).transition("P.a_b"), None);
        assert_eq!(Declarations::read("vmt", MODEL).transition("tick"), None);
    }
}
