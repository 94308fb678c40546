//! Indices as roles: a template speaks of a first and a second process instead of processes 1 and 2.
//!
//! In a template the index of a variable, `clock[2]`, and a number that is an index, `lock = 2`, are replaced by a role. Roles are
//! ordered: the first index is less than the second, because ties are often broken by the order of indices. Invariant: an instance of
//! a template mentions only variables that the instance's system has.

use slabcert_certificates::system::System;
use slabcert_certificates::term::{Kind, Operator, Sort, Substitution, Symbol, Term, Value};
use std::collections::{BTreeMap, BTreeSet};

/// A process of a clause: the one with the smaller index, or the one with the greater index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// The smaller index.
    First,
    /// The greater index.
    Second,
}

impl Role {
    /// How the role stands in names. No variable of a model has such an index.
    fn mark(self) -> &'static str {
        match self {
            Role::First => "[<]",
            Role::Second => "[>]",
        }
    }

    fn symbol(self) -> Symbol {
        Symbol::new(self.mark(), Sort::Int)
    }
}

/// The two indices that a clause is about, the smaller one first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pair {
    pub first: u64,
    pub second: u64,
}

impl Pair {
    fn index(self, role: Role) -> u64 {
        match role {
            Role::First => self.first,
            Role::Second => self.second,
        }
    }
}

/// A formula over variables whose indices are roles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// The formula.
    pub(super) formula: Term,
    /// The number of its family: templates that differ in the order of the processes only are of one family.
    pub(super) family: usize,
}

/// The formula with the roles exchanged, written like the first one: disjuncts in the order of their text.
pub(super) fn mirrored(formula: &Term) -> Term {
    let mut substitution = Substitution::default();
    for symbol in formula.symbols() {
        let name: String = symbol
            .name()
            .split_inclusive(']')
            .map(|part| {
                match [Role::First, Role::Second].map(|role| part.strip_suffix(role.mark())) {
                    [Some(before), _] => format!("{before}{}", Role::Second.mark()),
                    [_, Some(before)] => format!("{before}{}", Role::First.mark()),
                    _ => part.to_owned(),
                }
            })
            .collect();
        let sort = symbol.sort();
        substitution.insert(symbol, Term::symbol(Symbol::new(name, sort)));
    }
    formula.substitute(&substitution)
}

/// Whether two clauses have the same disjuncts.
pub(super) fn is_same_clause(one: &Term, other: &Term) -> bool {
    let disjuncts = |formula: &Term| -> BTreeSet<String> {
        match formula.as_application() {
            Some((Operator::Or, disjuncts)) => disjuncts.iter().map(Term::to_string).collect(),
            _ => BTreeSet::from([formula.to_string()]),
        }
    };
    disjuncts(one) == disjuncts(other)
}

/// The indices in a name, in order: `m[1][2].x` has 1 and 2.
pub(super) fn indices(name: &str) -> Vec<u64> {
    let mut found = Vec::new();
    let mut rest = name;
    while let Some(open) = rest.find('[') {
        let inside = &rest[open + 1..];
        let Some(close) = inside.find(']') else {
            break;
        };
        found.extend(inside[..close].parse::<u64>());
        rest = &inside[close + 1..];
    }
    found
}

/// The name with each index replaced as told; `None` when an index is not.
fn renamed(name: &str, replacement: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let mut made = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(open) = rest.find('[') {
        let close = open + rest[open..].find(']')?;
        made.push_str(&rest[..open]);
        made.push_str(&replacement(&rest[open..=close])?);
        rest = &rest[close + 1..];
    }
    made.push_str(rest);
    Some(made)
}

/// The roles that a template mentions in its variables.
pub(super) fn roles_of(template: &Term) -> BTreeSet<Role> {
    let symbols = template.symbols();
    let mentions = |role: Role| {
        symbols
            .iter()
            .any(|symbol| symbol.name().contains(role.mark()))
    };
    [Role::First, Role::Second]
        .into_iter()
        .filter(|role| mentions(*role))
        .collect()
}

/// The formula with the indices replaced by roles; `None` when it mentions another index. With `numbers`, the constants that equal one
/// of the indices become roles too.
pub(super) fn abstracted(
    formula: &Term,
    assignment: &[(u64, Role)],
    numbers: bool,
) -> Option<Term> {
    let mut substitution = Substitution::default();
    for symbol in formula.symbols() {
        let name = renamed(symbol.name(), &|index| {
            let number: u64 = index.trim_matches(['[', ']']).parse().ok()?;
            let (_, role) = assignment.iter().find(|(known, _)| *known == number)?;
            Some(role.mark().to_owned())
        })?;
        if name != symbol.name() {
            let sort = symbol.sort();
            substitution.insert(symbol, Term::symbol(Symbol::new(name, sort)));
        }
    }
    let formula = formula.substitute(&substitution);
    Some(if numbers {
        numbers_as_roles(&formula, assignment)
    } else {
        formula
    })
}

/// Small formulas only: shared parts are visited once for each mention.
fn numbers_as_roles(formula: &Term, assignment: &[(u64, Role)]) -> Term {
    match formula.kind() {
        Kind::Constant(Value::Int(number)) => assignment
            .iter()
            .find(|(known, _)| *number == (*known).into())
            .map_or_else(|| formula.clone(), |(_, role)| Term::symbol(role.symbol())),
        Kind::Apply(operator, arguments) => {
            let arguments = arguments
                .iter()
                .map(|argument| numbers_as_roles(argument, assignment))
                .collect();
            Term::apply(*operator, arguments).unwrap_or_else(|_| formula.clone())
        }
        _ => formula.clone(),
    }
}

/// The variables of a system by name, to put indices into templates.
pub(super) struct Variables<'a> {
    by_name: BTreeMap<&'a str, &'a Symbol>,
}

impl<'a> Variables<'a> {
    pub fn of(system: &'a System) -> Variables<'a> {
        let variables = system.variables.iter();
        Variables {
            by_name: variables
                .map(|variable| (variable.name(), &variable.current))
                .collect(),
        }
    }

    /// The template with these indices; `None` when the system does not have one of the variables.
    pub fn instance(&self, template: &Term, pair: Pair) -> Option<Term> {
        let mut substitution = Substitution::default();
        for symbol in template.symbols() {
            let role = [Role::First, Role::Second]
                .into_iter()
                .find(|role| role.symbol() == symbol);
            let value = match role {
                Some(role) => Term::int(pair.index(role)),
                None => {
                    let name = symbol
                        .name()
                        .replace(Role::First.mark(), &format!("[{}]", pair.first))
                        .replace(Role::Second.mark(), &format!("[{}]", pair.second));
                    let known = *self.by_name.get(name.as_str())?;
                    if known.sort() != symbol.sort() {
                        return None;
                    }
                    Term::symbol(known.clone())
                }
            };
            substitution.insert(symbol, value);
        }
        Some(template.substitute(&substitution))
    }
}

/// All pairs of the indices that the system's processes have; none if there is a single process.
pub(super) fn pairs(system: &System) -> Vec<Pair> {
    let known: BTreeSet<u64> = system
        .processes
        .iter()
        .flat_map(|process| indices(&process.name))
        .collect();
    let known: Vec<u64> = known.into_iter().collect();
    let mut pairs = Vec::new();
    for (position, first) in known.iter().enumerate() {
        for second in &known[position + 1..] {
            pairs.push(Pair {
                first: *first,
                second: *second,
            });
        }
    }
    pairs
}
