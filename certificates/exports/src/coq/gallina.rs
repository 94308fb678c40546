//! The system as people read it in Coq: a definition for each variable, and terms with SMT-LIB's operators by their names in
//! `certificates/coq/theory/Terms.v`.
//!
//! A large sub-term that occurs again gets a definition of its own, so that the text stays as small as the terms are in memory.

use super::{Subject, Untranslatable};
use crate::identifiers::comment;
use num_rational::BigRational;
use num_traits::Signed;
use rustc_hash::FxHashMap;
use slabcert_certificates::fresh::FreshNames;
use slabcert_certificates::system::System;
use slabcert_certificates::term::{Kind, Operator, Sort, Symbol, Term, TermMap, Value};
use std::fmt::Write;

/// The width of lines, where terms can be broken.
const WIDTH: usize = 110;
/// How many characters a repeated sub-term may have without a definition of its own.
const REPEATED: usize = 60;
/// How large the terms may be with everything that is shared written out: Coq compares them with what the certificate states.
pub(super) const MAXIMAL_SIZE: u64 = 1_000_000;

/// Identifiers for symbols.
struct GallinaNames {
    states: FxHashMap<Symbol, String>,
    steps: FxHashMap<Symbol, String>,
    definitions: String,
}

impl GallinaNames {
    fn new(system: &System) -> GallinaNames {
        let mut names = GallinaNames {
            states: FxHashMap::default(),
            steps: FxHashMap::default(),
            definitions: String::new(),
        };
        let mut taken = FreshNames::separated_by("_");
        for (number, variable) in (1..).zip(&system.variables) {
            let name = names.define(&mut taken, "v_", &variable.current, number);
            let constructor = constructor(variable.sort());
            names
                .states
                .insert(variable.current.clone(), format!("{constructor} {name}"));
            names.steps.insert(
                variable.current.clone(),
                format!("{constructor} (now {name})"),
            );
            names.steps.insert(
                variable.next.clone(),
                format!("{constructor} (next {name})"),
            );
        }
        for (number, input) in (1..).zip(&system.inputs) {
            let name = names.define(&mut taken, "i_", &input.symbol, number);
            let constructor = constructor(input.symbol.sort());
            names.steps.insert(
                input.symbol.clone(),
                format!("{constructor} (input {name})"),
            );
        }
        names
    }

    fn define(
        &mut self,
        taken: &mut FreshNames,
        prefix: &str,
        symbol: &Symbol,
        number: usize,
    ) -> String {
        let mut plain: String = symbol
            .name()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        plain.insert_str(0, prefix);
        let name = taken.give(plain.trim_end_matches('_'));
        // Writing to a string cannot fail.
        let _ = writeln!(
            self.definitions,
            "Definition {name} : positive := {number}. (* {}, {} *)",
            comment(symbol.name()),
            symbol.sort()
        );
        name
    }
}

fn constructor(sort: Sort) -> &'static str {
    match sort {
        Sort::Bool => "BoolVar",
        Sort::Int => "IntVar",
        Sort::Real => "RealVar",
    }
}

/// The definitions of the variables and of the system.
pub(super) fn system(subject: &Subject<'_>) -> Result<String, Untranslatable> {
    let system = subject.system;
    let names = GallinaNames::new(system);
    let init = system.init_formula();
    let trans = system.trans_formula();
    let properties = || {
        subject
            .claimed
            .iter()
            .map(|claimed| &claimed.property.formula)
    };
    let mut sizes = TermMap::default();
    let size = [&init, &trans]
        .into_iter()
        .chain(properties())
        .fold(0_u64, |sum, term| {
            sum.saturating_add(size(term, &mut sizes))
        });
    if size > MAXIMAL_SIZE {
        return Err(Untranslatable::Large);
    }
    let mut states = Printer::new(&names.states, "state_term");
    states.count(&init);
    let mut steps = Printer::new(&names.steps, "step_term");
    [&trans]
        .into_iter()
        .chain(properties())
        .for_each(|term| steps.count(term));
    let init = states.bare(&init, 4)?;
    let trans = steps.bare(&trans, 4)?;
    let mut wanted = Vec::new();
    for property in properties() {
        wanted.push(steps.bare(property, 4)?);
    }
    let mut text = format!("(** Variables and inputs. *)\n{}\n", names.definitions);
    for definitions in [&states.definitions, &steps.definitions] {
        if !definitions.is_empty() {
            let _ = writeln!(text, "{definitions}");
        }
    }
    let _ = writeln!(text, "Definition system : Systems.system := {{|");
    let _ = writeln!(text, "  init :=\n    {init};");
    let _ = writeln!(text, "  trans :=\n    {trans};");
    let _ = writeln!(
        text,
        "  properties := [\n    {}]\n|}}.",
        wanted.join(";\n    ")
    );
    Ok(text)
}

/// The number of nodes with all shared ones counted as often as they are used.
fn size(term: &Term, known: &mut TermMap<u64>) -> u64 {
    if let Some(size) = known.get(term) {
        return *size;
    }
    let below = match term.as_application() {
        Some((_, arguments)) => arguments
            .iter()
            .map(|argument| size(argument, known))
            .fold(0_u64, u64::saturating_add),
        None => 0,
    };
    let size = below.saturating_add(1);
    known.insert(term, size);
    size
}

struct Printer<'a> {
    names: &'a FxHashMap<Symbol, String>,
    prefix: &'static str,
    uses: TermMap<usize>,
    defined: TermMap<String>,
    definitions: String,
    count: usize,
}

impl<'a> Printer<'a> {
    fn new(names: &'a FxHashMap<Symbol, String>, prefix: &'static str) -> Printer<'a> {
        Printer {
            names,
            prefix,
            uses: TermMap::default(),
            defined: TermMap::default(),
            definitions: String::new(),
            count: 0,
        }
    }

    /// Counts how often each sub-term is used.
    fn count(&mut self, term: &Term) {
        let uses = self.uses.get(term).copied().unwrap_or(0);
        self.uses.insert(term, uses + 1);
        if uses == 0
            && let Some((_, arguments)) = term.as_application()
        {
            for argument in arguments {
                self.count(argument);
            }
        }
    }

    /// A term, in parentheses where it needs them, for a place in a line. The depth of terms is bounded, and this recursion with it.
    fn print(&mut self, term: &Term, indentation: usize) -> Result<String, Untranslatable> {
        if let Some(name) = self.defined.get(term) {
            return Ok(name.clone());
        }
        let is_repeated = self.uses.get(term).is_some_and(|uses| *uses > 1);
        let inside = if is_repeated { 2 } else { indentation };
        let text = self.bare(term, inside)?;
        if is_repeated && text.len() > REPEATED {
            let name = format!("{}_{}", self.prefix, self.count);
            self.count += 1;
            let _ = writeln!(self.definitions, "Definition {name} : term :=\n  {text}.");
            self.defined.insert(term, name.clone());
            return Ok(name);
        }
        let is_atomic = !text.contains(' ');
        Ok(if is_atomic { text } else { format!("({text})") })
    }

    fn bare(&mut self, term: &Term, indentation: usize) -> Result<String, Untranslatable> {
        match term.kind() {
            Kind::Constant(Value::Bool(truth)) => Ok(format!("Bool {truth}")),
            Kind::Constant(Value::Int(number)) => Ok(match number.is_negative() {
                true => format!("Int ({number})"),
                false => format!("Int {number}"),
            }),
            Kind::Constant(Value::Real(number)) => Ok(format!("Num {}", fraction(number))),
            Kind::Symbol(symbol) => self
                .names
                .get(symbol)
                .cloned()
                .ok_or_else(|| Untranslatable::Symbol(symbol.name().to_owned())),
            Kind::Apply(operator, arguments) => self.application(*operator, arguments, indentation),
        }
    }

    fn application(
        &mut self,
        operator: Operator,
        arguments: &[Term],
        indentation: usize,
    ) -> Result<String, Untranslatable> {
        let mut texts = Vec::with_capacity(arguments.len());
        for argument in arguments {
            texts.push(self.print(argument, indentation + 2)?);
        }
        let name = match operator {
            Operator::And | Operator::Or | Operator::Distinct => {
                let name = list_operator(operator);
                let members: Vec<&str> = texts.iter().map(|text| inner(text)).collect();
                return Ok(broken(
                    &format!("{name} ["),
                    &members,
                    "; ",
                    ";",
                    "]",
                    indentation,
                ));
            }
            Operator::Add | Operator::Multiply => {
                let name = if operator == Operator::Add {
                    "Add"
                } else {
                    "Mul"
                };
                let mut texts = texts.into_iter();
                let first = texts
                    .next()
                    .ok_or(Untranslatable::Operator(operator.name()))?;
                let folded = texts.fold(first, |left, right| format!("({name} {left} {right})"));
                return Ok(inner(&folded).to_owned());
            }
            Operator::ToReal => return Ok(inner(&texts.concat()).to_owned()),
            Operator::Divide | Operator::IntegerDivide | Operator::Modulo => {
                return quotient(operator, arguments, &texts);
            }
            other => plain_operator(other),
        };
        let parts: Vec<&str> = texts.iter().map(String::as_str).collect();
        Ok(broken(
            &format!("{name} "),
            &parts,
            " ",
            "",
            "",
            indentation,
        ))
    }
}

/// A quotient or remainder by a constant.
fn quotient(
    operator: Operator,
    arguments: &[Term],
    texts: &[String],
) -> Result<String, Untranslatable> {
    let divisor = arguments
        .get(1)
        .and_then(Term::as_constant)
        .and_then(Value::to_rational);
    let (Some(divisor), Some(dividend)) = (divisor, texts.first()) else {
        return Err(Untranslatable::Operator(operator.name()));
    };
    Ok(match operator {
        Operator::Divide => format!("Mul (Num {}) {dividend}", fraction(&divisor.recip())),
        Operator::IntegerDivide => format!("IntDiv {dividend} ({divisor})"),
        _ => format!("Mod {dividend} ({divisor})"),
    })
}

fn list_operator(operator: Operator) -> &'static str {
    match operator {
        Operator::And => "And",
        Operator::Or => "Or",
        _ => "Distinct",
    }
}

fn plain_operator(operator: Operator) -> &'static str {
    match operator {
        Operator::Not => "Not",
        Operator::Implies => "Implies",
        Operator::Xor => "Xor",
        Operator::Ite => "Ite",
        Operator::Equal => "Eq",
        Operator::Subtract => "Sub",
        Operator::Negate => "Neg",
        Operator::Absolute => "Abs",
        Operator::LessOrEqual => "Le",
        Operator::Less => "Lt",
        Operator::GreaterOrEqual => "Ge",
        Operator::Greater => "Gt",
        Operator::ToInt => "ToInt",
        Operator::IsInt => "IsInt",
        // The others have forms of their own.
        other => other.name(),
    }
}

fn fraction(number: &BigRational) -> String {
    format!("({} # {})", number.numer(), number.denom())
}

/// A text without its outer parentheses.
fn inner(text: &str) -> &str {
    text.strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'))
        .unwrap_or(text)
}

/// Parts on one line if they fit, otherwise each on its own.
fn broken(
    open: &str,
    parts: &[&str],
    between: &str,
    end: &str,
    close: &str,
    indentation: usize,
) -> String {
    let length: usize = parts.iter().map(|part| part.len() + between.len()).sum();
    if indentation + open.len() + length <= WIDTH && parts.iter().all(|part| !part.contains('\n')) {
        return format!("{open}{}{close}", parts.join(between));
    }
    let space = " ".repeat(indentation + 2);
    let separator = format!("{end}\n{space}");
    format!(
        "{}\n{space}{}{close}",
        open.trim_end(),
        parts.join(&separator)
    )
}
