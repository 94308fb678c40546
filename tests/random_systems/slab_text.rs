//! Systems as texts of the modelling language, as far as it has their operators.

use super::random::Random;
use rustc_hash::FxHashMap;
use slabcert_certificates::system::{SymbolRole, System, Transition};
use slabcert_certificates::term::{Kind, Operator, Sort, Symbol, Term, Value};
use std::fmt::Write;

/// Names that other languages keep for themselves, or that tools invent.
const ODD: [&str; 24] = [
    "next",
    "x_next",
    "state",
    "state_1",
    "argument0",
    "query",
    "location_",
    "initial",
    "trans",
    "and",
    "or",
    "not",
    "ite",
    "let",
    "distinct",
    "assert",
    "exit",
    "Bool",
    "Int",
    "Real",
    "abs",
    "is_int",
    "main",
    "_x",
];

/// What the symbols are called.
type SlabNames = FxHashMap<Symbol, String>;

/// The text; none if the language has no words for it.
pub fn write(system: &System, random: &mut Random) -> Option<String> {
    let mut pool = ODD.to_vec();
    let mut name = |symbol: &Symbol| match random.percent(40) {
        true => symbol.name().to_owned(),
        false => pool.swap_remove(random.below(pool.len())).to_owned(),
    };
    let mut names = SlabNames::default();
    let mut text = "system sample;\n".to_owned();
    for variable in &system.variables {
        let given = name(&variable.current);
        writeln!(text, "var {given} : {};", sort(variable.sort())).ok()?;
        names.insert(variable.next.clone(), format!("{given}'"));
        names.insert(variable.current.clone(), given);
    }
    for input in &system.inputs {
        let given = name(&input.symbol);
        names.insert(input.symbol.clone(), given);
    }
    writeln!(text, "init {};", shown(&system.init_formula(), &names)?).ok()?;
    for (number, transition) in system.transitions.iter().enumerate() {
        text.push_str(&transition_text(number, transition, system, &names)?);
    }
    let property = &system.properties[0].formula;
    let roles = system.symbol_roles();
    let is_input = |symbol: &Symbol| matches!(roles.get(symbol), Some(SymbolRole::Input(_)));
    if property.symbols().iter().any(is_input) {
        return None;
    }
    writeln!(text, "error bad: !{};", shown(property, &names)?).ok()?;
    Some(text)
}

fn sort(sort: Sort) -> &'static str {
    match sort {
        Sort::Bool => "bool",
        Sort::Int => "int",
        Sort::Real => "real",
    }
}

fn transition_text(
    number: usize,
    transition: &Transition,
    system: &System,
    names: &SlabNames,
) -> Option<String> {
    let mut text = format!("transition step{number}");
    for &index in &transition.inputs {
        let symbol = &system.inputs[index].symbol;
        write!(text, " choose {} : {}", names[symbol], sort(symbol.sort())).ok()?;
    }
    let all = |conjuncts: &[slabcert_certificates::system::Conjunct]| {
        let formulas = conjuncts.iter().map(|conjunct| conjunct.formula.clone());
        shown(&Term::and(formulas), names)
    };
    write!(text, " when {} do ", all(&transition.guard)?).ok()?;
    let mut parts = Vec::new();
    for update in &transition.updates {
        let variable = &system.variables[update.variable].current;
        parts.push(format!(
            "{} := {}",
            names[variable],
            shown(&update.value, names)?
        ));
    }
    let is_fixed = |index: &usize| {
        let is_updated = transition.updates.iter().any(|it| it.variable == *index);
        is_updated || transition.frame.contains(index)
    };
    let free = (0..system.variables.len()).filter(|index| !is_fixed(index));
    let free: Vec<&str> = free
        .map(|index| names[&system.variables[index].current].as_str())
        .collect();
    if !free.is_empty() {
        let relation = all(&transition.relation)?;
        parts.push(format!(
            "relation {relation} modifies {{{}}}",
            free.join(", ")
        ));
    } else if !transition.relation.is_empty() {
        // A relation about what is updated has no words.
        return None;
    }
    if parts.is_empty() {
        let first = names[&system.variables[0].current].as_str();
        parts.push(format!("{first} := {first}"));
    }
    writeln!(text, "{};", parts.join(", ")).ok()?;
    Some(text)
}

/// A term in the language, each operation in parentheses; none if it has no words for one.
fn shown(term: &Term, names: &SlabNames) -> Option<String> {
    let (operator, arguments) = match term.kind() {
        Kind::Symbol(symbol) => return names.get(symbol).cloned(),
        Kind::Constant(Value::Bool(truth)) => return Some(format!("({truth})")),
        Kind::Constant(Value::Int(number)) => return Some(format!("({number})")),
        Kind::Constant(Value::Real(number)) => {
            return Some(format!("({}.0/{}.0)", number.numer(), number.denom()));
        }
        Kind::Apply(operator, arguments) => (*operator, arguments),
    };
    let is_truth = arguments.first().is_some_and(|it| it.sort() == Sort::Bool);
    let parts: Option<Vec<String>> = arguments.iter().map(|it| shown(it, names)).collect();
    let parts = parts?;
    let joined = |sign: &str| Some(format!("({})", parts.join(&format!(" {sign} "))));
    match (operator, parts.as_slice()) {
        (Operator::And, []) => Some("(true)".to_owned()),
        (Operator::Or, []) => Some("(false)".to_owned()),
        (Operator::And, _) => joined("&&"),
        (Operator::Or, _) => joined("||"),
        (Operator::Not, [inner]) => Some(format!("(!{inner})")),
        (Operator::Implies, _) => joined("=>"),
        (Operator::Xor, [left, right]) => Some(format!("(!({left} <=> {right}))")),
        (Operator::Equal, _) => joined(if is_truth { "<=>" } else { "=" }),
        (Operator::Distinct, [left, right]) if is_truth => Some(format!("(!({left} <=> {right}))")),
        (Operator::Distinct, [_, _]) => joined("!="),
        (Operator::Ite, [condition, then, otherwise]) => {
            Some(format!("(if {condition} then {then} else {otherwise})"))
        }
        (Operator::Add, _) => joined("+"),
        (Operator::Subtract, _) => joined("-"),
        (Operator::Negate, [inner]) => Some(format!("(-{inner})")),
        (Operator::Multiply, _) => joined("*"),
        (Operator::Divide, _) => joined("/"),
        (Operator::IntegerDivide, _) => joined("div"),
        (Operator::Modulo, _) => joined("mod"),
        (Operator::Absolute, [inner]) => {
            Some(format!("(if {inner} < 0 then -{inner} else {inner})"))
        }
        (Operator::LessOrEqual, _) => joined("<="),
        // An integer is a real where a real is expected.
        (Operator::ToReal, [inner]) => Some(format!("({inner} + 0.0)")),
        (Operator::Less, _) => joined("<"),
        (Operator::GreaterOrEqual, _) => joined(">="),
        (Operator::Greater, _) => joined(">"),
        _ => None,
    }
}
