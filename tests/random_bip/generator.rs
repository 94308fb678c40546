//! Random models: a few atoms with little data, joined by connectors, in one or two levels of compounds. Small enough that all states can be
//! looked at, and drawn again where they are not.

mod atoms;
mod connectors;

use crate::contest::Sample;
use crate::random::Random;
use crate::search::{States, explore};
use crate::syntax::*;
use crate::text;

/// The most states that a model may have, the fewest that are interesting, and how often a model is drawn.
const MOST_STATES: usize = 400;
const FEWEST_STATES: usize = 8;
const ATTEMPTS: u64 = 40;
/// How many invariants are drawn for one that is as it is wanted.
const INVARIANTS: usize = 16;
/// The name of the drawn invariant.
const GOAL: &str = "goal";

/// The model of a seed.
pub fn sample(seed: u64) -> Sample {
    for attempt in 0..ATTEMPTS {
        let mut random = Random::new(seed * ATTEMPTS + attempt);
        let mut package = Generator::new(&mut random).package();
        let Some(states) = explore(&package, MOST_STATES) else {
            continue;
        };
        let count = states.count();
        if count < FEWEST_STATES && attempt + 1 < ATTEMPTS {
            continue;
        }
        let (goal, properties) = properties(&mut random, &states);
        package.invariants.push((GOAL.to_owned(), goal));
        return Sample {
            text: text::print(&package),
            properties,
            states: count,
        };
    }
    panic!("no model of seed {seed} is small enough");
}

/// An invariant, and the properties to decide: this one, and some of the others.
fn properties(
    random: &mut Random,
    states: &States<'_>,
) -> (Expression, Vec<(String, Option<u64>)>) {
    let atoms: Vec<(&str, &AtomType)> = states.atoms().collect();
    let is_violated = random.percent(30);
    let mut drawn = Vec::new();
    for _ in 0..INVARIANTS {
        let formula = invariant(random, &atoms);
        let violation = states.violation(&formula);
        drawn.push((formula, violation));
    }
    // A violation in the beginning is no work.
    let wanted = drawn.iter().position(|(_, violation)| match violation {
        Some(steps) => is_violated && *steps > 0,
        None => !is_violated,
    });
    let (goal, violation) = drawn.swap_remove(wanted.unwrap_or(0));
    let mut properties = vec![(GOAL.to_owned(), violation)];
    let mut others: Vec<String> = [
        "deadlock",
        "deterministic",
        "acyclic_priorities",
        "one_safe",
    ]
    .map(str::to_owned)
    .into();
    for (path, atom) in &atoms {
        let invariants = atom.invariants.iter();
        others.extend(invariants.map(|it| format!("{path}.{}", it.name)));
    }
    if random.percent(35) {
        let other = random.pick(&others).clone();
        let violation = states.violation_of(&other);
        properties.push((other, violation));
    }
    (goal, properties)
}

/// A formula about data and places of all components.
fn invariant(random: &mut Random, atoms: &[(&str, &AtomType)]) -> Expression {
    let fact = |random: &mut Random| {
        let (path, atom) = random.pick(atoms);
        let numbers = atom.data.iter().filter(|it| it.data_type != Type::Bool);
        let numbers: Vec<&Data> = numbers.collect();
        if numbers.is_empty() || random.percent(50) {
            let place = random.pick(&atom.places);
            return Expression::name(format!("{path}.{place}")).not();
        }
        let left = Expression::name(format!("{path}.{}", random.pick(&numbers).name));
        let (other, kind) = random.pick(atoms);
        let others = kind.data.iter().filter(|it| it.data_type != Type::Bool);
        let others: Vec<&Data> = others.collect();
        let right = match others.is_empty() || random.percent(60) {
            true => Expression::Int(random.between(-1, 4)),
            false => Expression::name(format!("{other}.{}", random.pick(&others).name)),
        };
        let operator = *random.pick(&["<", "<=", ">=", "!=", "<="]);
        Expression::binary(operator, left, right)
    };
    let first = fact(random);
    match random.below(10) {
        0..6 => first,
        6..9 => Expression::binary("||", first, fact(random)),
        _ => {
            let either = Expression::binary("||", first, fact(random));
            Expression::binary("&&", either, fact(random))
        }
    }
}

/// A port that connectors can bind: what it is called, its type, and the atoms behind it.
#[derive(Debug, Clone)]
struct Source {
    name: Dotted,
    port_type: usize,
    atoms: Vec<String>,
}

/// Makes the parts of a model.
struct Generator<'r> {
    random: &'r mut Random,
    package: Package,
}

impl<'r> Generator<'r> {
    fn new(random: &'r mut Random) -> Generator<'r> {
        Generator {
            random,
            package: Package::default(),
        }
    }

    fn package(mut self) -> Package {
        if self.random.percent(30) {
            let value = self.random.between(1, 3);
            self.package.constants.push(("K".to_owned(), value));
        }
        let kinds = 1 + self.random.below(3);
        for number in 0..kinds {
            let atom = self.atom_type(number);
            self.package.atom_types.push(atom);
        }
        let is_nested = self.random.percent(35);
        if is_nested {
            let parts = 1 + self.random.below(2);
            self.compound_type("Inner", parts, 0);
        }
        let (inner, own) = match is_nested {
            true => (1 + self.random.below(2), self.random.below(2)),
            false => (0, 2 + self.random.below(3)),
        };
        self.compound_type("Top", own, inner);
        self.package
    }

    /// A compound of atoms and of some instances of the compound that was made before.
    fn compound_type(&mut self, name: &str, atoms: usize, inner: usize) {
        let mut compound = CompoundType {
            name: name.to_owned(),
            ..CompoundType::default()
        };
        if name == "Inner" && self.random.percent(50) {
            compound.parameters.push("m".to_owned());
        }
        let mut sources = Vec::new();
        for number in 0..atoms + inner {
            let kind = match number < atoms {
                true => Kind::Atom(self.random.below(self.package.atom_types.len())),
                false => Kind::Compound(0),
            };
            let name = ["a", "b", "c", "d", "e"][number].to_owned();
            let count = match kind {
                Kind::Atom(kind) => self.package.atom_types[kind].parameters.len(),
                Kind::Compound(kind) => self.package.compound_types[kind].parameters.len(),
            };
            let arguments = (0..count).map(|_| self.argument(&compound)).collect();
            sources.extend(self.sources_of(&name, kind));
            compound.components.push(Component {
                name,
                kind,
                arguments,
            });
        }
        self.connect(&mut compound, sources);
        self.package.compound_types.push(compound);
    }

    fn argument(&mut self, compound: &CompoundType) -> Expression {
        match compound.parameters.first() {
            Some(own) if self.random.percent(60) => Expression::name(&**own),
            _ => Expression::Int(self.random.between(0, 2)),
        }
    }

    /// The ports of a component.
    fn sources_of(&self, name: &str, kind: Kind) -> Vec<Source> {
        let source = |port: &str, port_type| Source {
            name: (name.to_owned(), port.to_owned()),
            port_type,
            // A compound counts as one: none of its atoms takes part twice.
            atoms: vec![name.to_owned()],
        };
        match kind {
            Kind::Atom(kind) => {
                let exported = self.package.atom_types[kind].ports.iter();
                let exported = exported.filter(|it| it.is_exported);
                let ports = exported.flat_map(|group| match &group.merged {
                    Some(name) => vec![source(name, group.ports[0].port_type)],
                    None => {
                        let ports = group.ports.iter();
                        ports.map(|it| source(&it.name, it.port_type)).collect()
                    }
                });
                ports.collect()
            }
            Kind::Compound(kind) => {
                let compound = &self.package.compound_types[kind];
                let ports = compound.ports.iter();
                let ports =
                    ports.map(|(parts, name)| source(name, self.type_of(compound, &parts[0])));
                ports.collect()
            }
        }
    }

    /// The type of a port of a component or connector.
    fn type_of(&self, compound: &CompoundType, (first, second): &Dotted) -> usize {
        if let Some(connector) = compound.connectors.iter().find(|it| it.name == *first) {
            let connector_type = &self.package.connector_types[connector.connector_type];
            return connector_type.export.as_ref().unwrap().port_type;
        }
        let component = compound.components.iter().find(|it| it.name == *first);
        let sources = self.sources_of(first, component.unwrap().kind);
        sources
            .iter()
            .find(|it| it.name.1 == *second)
            .unwrap()
            .port_type
    }

    /// A comparison of numbers, or a truth value, of these names; none where there are none.
    fn condition(&mut self, names: &[(String, Type)]) -> Option<Expression> {
        if names.is_empty() {
            return None;
        }
        let first = self.comparison(names);
        Some(match self.random.below(10) {
            0..7 => first,
            7 => first.not(),
            8 => Expression::binary("&&", first, self.comparison(names)),
            _ => Expression::binary("||", first, self.comparison(names)),
        })
    }

    fn comparison(&mut self, names: &[(String, Type)]) -> Expression {
        let (name, kind) = self.random.pick(names).clone();
        let name = Expression::Name(name);
        if kind == Type::Bool {
            return name;
        }
        let operator = *self.random.pick(&["<", "<=", ">", ">=", "==", "!=", "<"]);
        let left = match self.random.percent(20) {
            true => self.number(names),
            false => name,
        };
        let right = match self.random.percent(25) {
            true => self.number(names),
            false => Expression::Int(self.random.between(0, 3)),
        };
        Expression::binary(operator, left, right)
    }

    /// A whole or real number, made of what these names stand for.
    fn number(&mut self, names: &[(String, Type)]) -> Expression {
        let numbers = names.iter().filter(|(_, kind)| *kind == Type::Int);
        let numbers: Vec<&String> = numbers.map(|(name, _)| name).collect();
        let small = Expression::Int(self.random.between(0, 3));
        if numbers.is_empty() || self.random.percent(20) {
            return small;
        }
        let name = Expression::name(self.random.pick(&numbers).as_str());
        let positive = Expression::Int(self.random.between(2, 3));
        match self.random.below(12) {
            0..3 => name,
            3..5 => Expression::binary("+", name, Expression::Int(1)),
            5 => Expression::binary("-", name, small),
            6 => Expression::Negative(Box::new(name)),
            7 => Expression::binary("-", small, name),
            8 => {
                let sum = Expression::binary("+", name, small);
                Expression::binary("%", sum, positive)
            }
            9 => Expression::binary("/", name, positive),
            10 => Expression::binary(
                "/",
                Expression::binary("-", name, positive),
                Expression::Int(-2),
            ),
            _ => {
                let other = Expression::name(self.random.pick(&numbers).as_str());
                Expression::binary(
                    "+",
                    Expression::binary("*", Expression::Int(2), name),
                    other,
                )
            }
        }
    }

    /// An assignment to one of some names, of what others stand for; numbers are mostly kept small.
    fn assignment(
        &mut self,
        written: &[(String, Type)],
        read: &[(String, Type)],
    ) -> Vec<Statement> {
        if written.is_empty() {
            return Vec::new();
        }
        let (name, kind) = self.random.pick(written).clone();
        let own = Expression::name(&*name);
        let value = match kind {
            Type::Bool => match self.random.below(3) {
                0 => own.not(),
                1 => Expression::Bool(self.random.percent(50)),
                _ => self.comparison(read),
            },
            Type::Int if self.random.percent(35) => {
                Expression::binary("+", own, Expression::Int(1))
            }
            Type::Int => self.number(read),
            Type::Float => match self.random.below(3) {
                0 => Expression::binary("+", own, Expression::Halves(1)),
                1 => self.number(read),
                _ => Expression::Halves(self.random.between(0, 4)),
            },
        };
        let mut statements = vec![Statement::Assign(name.clone(), value)];
        if kind != Type::Bool && self.random.percent(85) {
            let most = Expression::Int(self.random.between(2, 3));
            let high = Expression::binary(">", Expression::name(&*name), most);
            let low = Expression::binary("<", Expression::name(&*name), Expression::Int(-1));
            let outside = Expression::binary("||", high, low);
            let reset = Statement::Assign(name, Expression::Int(self.random.between(0, 1)));
            statements.push(Statement::If(outside, vec![reset], Vec::new()));
        }
        if self.random.percent(15) {
            let condition = self.comparison(read);
            return vec![Statement::If(
                condition,
                statements,
                self.otherwise(written),
            )];
        }
        statements
    }

    fn otherwise(&mut self, written: &[(String, Type)]) -> Vec<Statement> {
        let (name, kind) = self.random.pick(written).clone();
        match kind {
            _ if self.random.percent(50) => Vec::new(),
            Type::Bool => vec![Statement::Assign(name, Expression::Bool(true))],
            _ => vec![Statement::Assign(name, Expression::Int(2))],
        }
    }
}
