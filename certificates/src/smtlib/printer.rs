//! Printing terms, values and names so that every solver reads them. Shared sub-terms are bound by `let`, one layer for each level of
//! sharing, so that nesting stays as deep as the term.

use super::scope::is_reserved;
use super::sexpr::is_symbol_character;
use crate::term::{Kind, Operator, Symbol, Term, TermMap, Value};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed};
use std::collections::BTreeMap;

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

/// How often each node is used, its size as a tree (saturating), and the first free number for binder names.
struct Usage {
    count: TermMap<usize>,
    size: TermMap<usize>,
    next_binder: usize,
}

fn usage(term: &Term) -> Usage {
    let mut usage = Usage {
        count: TermMap::default(),
        size: TermMap::default(),
        next_binder: 0,
    };
    let mut nodes = Vec::new();
    term.visit(&mut |node| nodes.push(node.clone()));
    for node in &nodes {
        let mut size: usize = 1;
        match node.kind() {
            Kind::Apply(_, arguments) => {
                for argument in arguments {
                    size = size.saturating_add(*usage.size.get(argument).unwrap_or(&1));
                    let count = usage.count.get(argument).copied().unwrap_or(0);
                    usage.count.insert(argument, count + 1);
                }
            }
            Kind::Symbol(symbol) => {
                // A binder must not capture a symbol of the term.
                if let Some(number) = symbol.name().strip_prefix('?')
                    && let Ok(number) = number.parse::<usize>()
                {
                    usage.next_binder = usage.next_binder.max(number.saturating_add(1));
                }
            }
            Kind::Constant(_) => {}
        }
        usage.size.insert(node, size);
    }
    usage
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
    let usage = usage(term);
    // The layer of a bound term is one above the highest bound term inside it.
    let mut layer_inside: TermMap<usize> = TermMap::default();
    let mut next_binder = usage.next_binder;
    let mut nodes = Vec::new();
    term.visit(&mut |node| nodes.push(node.clone()));
    for node in &nodes {
        let Kind::Apply(_, arguments) = node.kind() else {
            continue;
        };
        let mut layer = arguments
            .iter()
            .filter_map(|argument| layer_inside.get(argument).copied())
            .max()
            .unwrap_or(0);
        let is_shared = usage.count.get(node).copied().unwrap_or(0) > 1
            && usage.size.get(node).copied().unwrap_or(0) >= LEAST_SHARED_SIZE;
        if is_shared {
            let name = format!("?{next_binder}");
            next_binder += 1;
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
