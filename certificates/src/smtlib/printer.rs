//! Printing terms, values and names so that every solver reads them. Shared sub-terms are bound by `let`, one layer for each level of
//! sharing, so that nesting stays as deep as the term.

use super::scope::is_reserved;
use super::sexpr::is_symbol_character;
use crate::fresh::FreshNames;
use crate::term::{Kind, Operator, Symbol, Term, TermMap, Value};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed};
use std::collections::BTreeMap;
use std::fmt;

impl fmt::Display for Term {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&print_term(self))
    }
}

/// The name as a symbol token: between bars where it has to be. Names that no quoting can express (with a bar or a backslash) are not
/// produced by any reader of this crate.
pub fn print_symbol(name: &str) -> String {
    let simple = !name.is_empty()
        && name.chars().all(is_symbol_character)
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && !is_reserved(name);
    if simple {
        name.to_owned()
    } else {
        format!("|{name}|")
    }
}

/// A value as an SMT-LIB term; reals always with a point, as `1.0` and `(/ 1.0 3.0)`.
pub fn print_value(value: &Value) -> String {
    match value {
        Value::Bool(truth) => truth.to_string(),
        Value::Int(number) => signed(number, ""),
        Value::Real(number) => real(number),
    }
}

fn signed(number: &BigInt, suffix: &str) -> String {
    if number.is_negative() {
        format!("(- {}{suffix})", number.abs())
    } else {
        format!("{number}{suffix}")
    }
}

fn real(number: &BigRational) -> String {
    if number.denom().is_one() {
        signed(number.numer(), ".0")
    } else {
        format!("(/ {} {}.0)", signed(number.numer(), ".0"), number.denom())
    }
}

/// A sub-term is bound by a `let` when it is used more than once and is not tiny.
const LEAST_SHARED_SIZE: usize = 4;

struct Printer<'a> {
    /// Names of the sub-terms that are bound.
    names: TermMap<String>,
    /// How symbols are written.
    symbols: &'a dyn Fn(&Symbol) -> String,
}

impl Printer<'_> {
    fn print(&self, term: &Term, is_definition: bool, output: &mut String) {
        if !is_definition && let Some(name) = self.names.get(term) {
            output.push_str(name);
            return;
        }
        match term.kind() {
            Kind::Constant(value) => output.push_str(&print_value(value)),
            Kind::Symbol(symbol) => output.push_str(&(self.symbols)(symbol)),
            Kind::Apply(Operator::And, arguments) if arguments.is_empty() => {
                output.push_str("true");
            }
            Kind::Apply(Operator::Or, arguments) if arguments.is_empty() => {
                output.push_str("false");
            }
            Kind::Apply(
                Operator::And | Operator::Or | Operator::Add | Operator::Multiply,
                arguments,
            ) if arguments.len() == 1 => self.print(&arguments[0], false, output),
            Kind::Apply(operator, arguments) => {
                output.push('(');
                output.push_str(operator.name());
                for argument in arguments {
                    output.push(' ');
                    self.print(argument, false, output);
                }
                output.push(')');
            }
        }
    }
}

/// How often each node is used, and its size as a tree (saturating).
#[derive(Default)]
struct Usage {
    count: TermMap<usize>,
    size: TermMap<usize>,
}

impl Usage {
    fn of(nodes: &[Term]) -> Usage {
        let mut usage = Usage::default();
        for node in nodes {
            let mut size: usize = 1;
            if let Kind::Apply(_, arguments) = node.kind() {
                for argument in arguments {
                    size = size.saturating_add(*usage.size.get(argument).unwrap_or(&1));
                    let count = usage.count.get(argument).copied().unwrap_or(0);
                    usage.count.insert(argument, count + 1);
                }
            }
            usage.size.insert(node, size);
        }
        usage
    }

    fn is_worth_a_name(&self, node: &Term) -> bool {
        self.count.get(node).copied().unwrap_or(0) > 1
            && self.size.get(node).copied().unwrap_or(0) >= LEAST_SHARED_SIZE
    }
}

/// Names for binders: none is the name of a symbol among the nodes, as it is printed. A name of the text around the term may be among
/// them; it means nothing inside, and stays what it is outside.
fn binders(nodes: &[Term], symbols: &dyn Fn(&Symbol) -> String) -> FreshNames {
    let mut taken = FreshNames::default();
    for symbol in nodes.iter().filter_map(Term::as_symbol) {
        // Bars belong to the writing, not to the name; what is primed is the value of a name after a step.
        let name = symbols(symbol).replace('|', "");
        taken.reserve(name.trim_end_matches('\''));
        taken.reserve(&name);
    }
    taken
}

/// The term in SMT-LIB. Sub-terms that occur more than once are bound by `let` as `?0`, `?1`, ... once they are worth it.
pub fn print_term(term: &Term) -> String {
    print_term_with(term, &|symbol| print_symbol(symbol.name()))
}

/// Like [`print_term`], with symbols written as another format writes them.
pub fn print_term_with(term: &Term, symbols: &dyn Fn(&Symbol) -> String) -> String {
    let mut printer = Printer {
        names: TermMap::default(),
        symbols,
    };
    let mut layers: BTreeMap<usize, Vec<(String, Term)>> = BTreeMap::new();
    // The layer of a bound term is one above the highest bound term inside it.
    let mut layer_inside: TermMap<usize> = TermMap::default();
    let mut nodes = Vec::new();
    term.visit(&mut |node| nodes.push(node.clone()));
    let usage = Usage::of(&nodes);
    // Most terms share nothing that is worth a name.
    let mut names: Option<FreshNames> = None;
    for node in &nodes {
        let Kind::Apply(_, arguments) = node.kind() else {
            continue;
        };
        let mut layer = arguments
            .iter()
            .filter_map(|argument| layer_inside.get(argument).copied())
            .max()
            .unwrap_or(0);
        if usage.is_worth_a_name(node) {
            let names = names.get_or_insert_with(|| binders(&nodes, symbols));
            let name = names.give_numbered("?", 0);
            printer.names.insert(node, name.clone());
            layers.entry(layer).or_default().push((name, node.clone()));
            layer += 1;
        }
        layer_inside.insert(node, layer);
    }
    let mut output = String::new();
    for bindings in layers.values() {
        output.push_str("(let (");
        for (index, (name, node)) in bindings.iter().enumerate() {
            output.push_str(if index == 0 { "(" } else { " (" });
            output.push_str(name);
            output.push(' ');
            printer.print(node, true, &mut output);
            output.push(')');
        }
        output.push_str(") ");
    }
    printer.print(term, false, &mut output);
    output.push_str(&")".repeat(layers.len()));
    output
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

    #[test]
    fn names_are_quoted_where_they_must_be() {
        for (name, printed) in [
            ("x", "x"),
            ("x.next", "x.next"),
            ("x[1]", "|x[1]|"),
            ("a b", "|a b|"),
            ("", "||"),
            ("1x", "|1x|"),
            ("let", "|let|"),
            ("and", "|and|"),
            ("\"", "|\"|"),
        ] {
            assert_eq!(print_symbol(name), printed);
        }
    }

    #[test]
    fn values_print_for_every_solver() {
        let real = |numerator: i64, denominator: i64| {
            print_value(&Value::Real(BigRational::new(
                numerator.into(),
                denominator.into(),
            )))
        };
        assert_eq!(real(-1, 3), "(/ (- 1.0) 3.0)");
        assert_eq!(real(2, 1), "2.0");
        assert_eq!(print_value(&Value::Int((-3).into())), "(- 3)");
    }

    #[test]
    fn shared_terms_are_bound_once() {
        let mut term = Term::named("x", Sort::Int);
        for _ in 0..100 {
            term = Term::apply(Operator::Add, vec![term.clone(), term]).unwrap();
        }
        assert!(print_term(&term).len() < 5_000);
    }
}
