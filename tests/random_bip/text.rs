//! Random models as text, with no more brackets than the operators need.

use crate::syntax::*;
use std::fmt::Write;

/// The text of a model.
pub fn print(package: &Package) -> String {
    let mut text = "package random\n".to_owned();
    for (name, value) in &package.constants {
        writeln!(text, "const data int {name} = {value}").unwrap();
    }
    for (name, data) in PORT_TYPES {
        let data = data
            .iter()
            .map(|(kind, name)| format!("{} {name}", word(*kind)));
        writeln!(text, "port type {name}({})", listed(data)).unwrap();
    }
    for connector in &package.connector_types {
        connector_type(connector, &mut text);
    }
    for atom in &package.atom_types {
        atom_type(atom, &mut text);
    }
    for compound in &package.compound_types {
        compound_type(package, compound, &mut text);
    }
    text += "end\n";
    for (name, formula) in &package.invariants {
        writeln!(text, "//@ invariant {name}: {}", expression(formula)).unwrap();
    }
    text
}

fn word(kind: Type) -> &'static str {
    match kind {
        Type::Bool => "bool",
        Type::Int => "int",
        Type::Float => "float",
    }
}

fn listed(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<String>>().join(", ")
}

/// How strongly operators bind, those that bind weakest first.
const LEVELS: [&[&str]; 6] = [
    &["||"],
    &["&&"],
    &["==", "!="],
    &["<", "<=", ">", ">="],
    &["+", "-"],
    &["*", "/", "%"],
];

pub fn expression(expression: &Expression) -> String {
    at_level(expression, 0)
}

fn at_level(expression: &Expression, least: usize) -> String {
    match expression {
        Expression::Bool(truth) => truth.to_string(),
        Expression::Int(number) if *number < 0 => format!("({number})"),
        Expression::Int(number) => number.to_string(),
        Expression::Halves(halves) => {
            let tenths = 5 * (halves % 2);
            format!("{}.{tenths}", halves / 2)
        }
        Expression::Name(name) => name.clone(),
        Expression::Not(inner) => format!("!{}", at_level(inner, LEVELS.len())),
        Expression::Negative(inner) => format!("-{}", at_level(inner, LEVELS.len())),
        Expression::Binary(operator, left, right) => {
            let level = LEVELS.iter().position(|it| it.contains(operator)).unwrap();
            let (left, right) = (at_level(left, level), at_level(right, level + 1));
            let text = format!("{left} {operator} {right}");
            if level < least {
                format!("({text})")
            } else {
                text
            }
        }
    }
}

fn statements(all: &[Statement]) -> String {
    let each = all.iter().map(|it| match it {
        Statement::Assign(name, value) => format!("{name} = {};", expression(value)),
        Statement::If(condition, then, otherwise) => {
            let condition = expression(condition);
            let otherwise = match &otherwise[..] {
                [] => String::new(),
                some => format!(" else {}", statements(some)),
            };
            format!("if ({condition}) then {}{otherwise} fi", statements(then))
        }
    });
    each.collect::<Vec<String>>().join(" ")
}

/// `WORD { ... }`, where there is something to do.
fn block(word: &str, all: &[Statement]) -> String {
    match all {
        [] => String::new(),
        some => format!(" {word} {{ {} }}", statements(some)),
    }
}

fn provided(guard: Option<&Expression>) -> String {
    guard.map_or_else(String::new, |it| format!(" provided ({})", expression(it)))
}

fn data(all: &[Data], text: &mut String) {
    for it in all {
        let export = if it.is_exported { "export " } else { "" };
        let initial = it
            .initial
            .as_ref()
            .map(|it| format!(" = {}", expression(it)));
        let kind = word(it.data_type);
        let initial = initial.unwrap_or_default();
        writeln!(text, "  {export}data {kind} {}{initial}", it.name).unwrap();
    }
}

fn port(port: &Port) -> String {
    let kind = PORT_TYPES[port.port_type].0;
    format!("port {kind} {}({})", port.name, port.data.join(", "))
}

fn atom_type(atom: &AtomType, text: &mut String) {
    let parameters = listed(atom.parameters.iter().map(|it| format!("int {it}")));
    writeln!(text, "atom type {}({parameters})", atom.name).unwrap();
    data(&atom.data, text);
    for group in &atom.ports {
        let export = if group.is_exported { "export " } else { "" };
        let first = port(&group.ports[0]);
        let others = group.ports[1..].iter();
        let others = others.map(|it| format!(", {}({})", it.name, it.data.join(", ")));
        let others = others.collect::<String>();
        let merged = group.merged.as_ref().map(|name| format!(" as {name}"));
        writeln!(
            text,
            "  {export}{first}{others}{}",
            merged.unwrap_or_default()
        )
        .unwrap();
    }
    let places = |places: &[usize]| listed(places.iter().map(|it| atom.places[*it].clone()));
    writeln!(text, "  place {}", atom.places.join(", ")).unwrap();
    let initial = block("do", &atom.initial_actions);
    writeln!(text, "  initial to {}{initial}", places(&atom.initial)).unwrap();
    for it in &atom.transitions {
        let port = it.port.as_ref().map(|name| format!("on {name}"));
        writeln!(
            text,
            "  {} from {} to {}{}{}",
            port.unwrap_or_else(|| "internal".to_owned()),
            places(&it.from),
            places(&it.to),
            provided(it.guard.as_ref()),
            block("do", &it.actions)
        )
        .unwrap();
    }
    for (number, it) in atom.priorities.iter().enumerate() {
        let side = |name: &Option<String>| name.clone().unwrap_or_else(|| "*".to_owned());
        let (low, high) = (side(&it.low), side(&it.high));
        let guard = provided(it.guard.as_ref());
        writeln!(text, "  priority first{number} {low} < {high}{guard}").unwrap();
    }
    for it in &atom.invariants {
        let (name, at) = (&it.name, places(&it.places));
        let formula = provided(Some(&it.formula));
        writeln!(text, "  invariant {name} at {at}{formula}").unwrap();
    }
    text.push_str("end\n");
}

fn define(it: &Define) -> String {
    match it {
        Define::Port(number) => PARAMETERS[*number].to_owned(),
        Define::Group(members) => {
            let each = members.iter().map(|(member, is_trigger)| {
                let prime = if *is_trigger { "'" } else { "" };
                match member {
                    Define::Port(_) => format!("{}{prime}", define(member)),
                    Define::Group(_) => format!("({}){prime}", define(member)),
                }
            });
            each.collect::<Vec<String>>().join(" ")
        }
    }
}

fn connector_type(connector: &ConnectorType, text: &mut String) {
    let parameters = connector.parameters.iter().zip(PARAMETERS);
    let parameters = parameters.map(|(kind, name)| format!("{} {name}", PORT_TYPES[*kind].0));
    writeln!(
        text,
        "connector type {}({})",
        connector.name,
        listed(parameters)
    )
    .unwrap();
    data(&connector.data, text);
    if let Some(exported) = &connector.export {
        writeln!(text, "  export {}", port(exported)).unwrap();
    }
    writeln!(text, "  define {}", define(&connector.define)).unwrap();
    for rule in &connector.rules {
        let ports = rule.ports.iter().map(|it| PARAMETERS[*it]);
        writeln!(
            text,
            "  on {}{}{}{}",
            ports.collect::<Vec<_>>().join(" "),
            provided(rule.guard.as_ref()),
            block("up", &rule.up),
            block("down", &rule.down)
        )
        .unwrap();
    }
    text.push_str("end\n");
}

fn dotted((first, second): &Dotted) -> String {
    format!("{first}.{second}")
}

fn pattern(it: &Pattern) -> String {
    let connector = it.connector.clone().unwrap_or_else(|| "*".to_owned());
    let ports = it.ports.as_ref().map(|all| all.iter().map(dotted));
    let ports = ports.map_or_else(
        || "*".to_owned(),
        |ports| ports.collect::<Vec<_>>().join(","),
    );
    format!("{connector}:{ports}")
}

fn compound_type(package: &Package, compound: &CompoundType, text: &mut String) {
    let parameters = listed(compound.parameters.iter().map(|it| format!("int {it}")));
    writeln!(text, "compound type {}({parameters})", compound.name).unwrap();
    for it in &compound.components {
        let kind = match it.kind {
            Kind::Atom(number) => &package.atom_types[number].name,
            Kind::Compound(number) => &package.compound_types[number].name,
        };
        let arguments = listed(it.arguments.iter().map(expression));
        writeln!(text, "  component {kind} {}({arguments})", it.name).unwrap();
    }
    for it in &compound.connectors {
        let kind = &package.connector_types[it.connector_type].name;
        let ports = listed(it.ports.iter().map(dotted));
        writeln!(text, "  connector {kind} {}({ports})", it.name).unwrap();
    }
    for (number, it) in compound.priorities.iter().enumerate() {
        let (low, high) = (pattern(&it.low), pattern(&it.high));
        let guard = provided(it.guard.as_ref());
        writeln!(text, "  priority rule{number} {low} < {high}{guard}").unwrap();
    }
    for (parts, name) in &compound.ports {
        let parts = listed(parts.iter().map(dotted));
        writeln!(text, "  export port {parts} as {name}").unwrap();
    }
    for (part, name) in &compound.data {
        writeln!(text, "  export data {} as {name}", dotted(part)).unwrap();
    }
    text.push_str("end\n");
}
