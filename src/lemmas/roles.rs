//! Indices as roles: a template refers to a first and a second process instead of processes 1 and 2.
//!
//! In a template the index of a variable, `clock[2]`, and a number that is an index, `lock = 2`, are replaced by a role. Roles are
//! ordered: the first index is less than the second, because ties are often broken by the order of indices; of processes of different
//! families, which are never the same whatever their indices, the one of the earlier family is the first. What is an index, and of
//! which family, is what the system says. Invariant: an instance of a template mentions only variables that the instance's system has.

use num_bigint::BigInt;
use slabcert_certificates::structure::Family;
use slabcert_certificates::system::{StateVariable, System};
use slabcert_certificates::term::{Kind, Operator, Sort, Substitution, Symbol, Term, Value};
use std::collections::{BTreeMap, BTreeSet};

/// A process of a clause: the one that comes first in the order of families and indices, or the other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// The earlier one.
    First,
    /// The later one.
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

/// An index of a process: of which family, and which one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Member {
    pub family: usize,
    pub index: u64,
}

/// The two members that a clause is about, the earlier one first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pair {
    pub first: Member,
    pub second: Member,
}

impl Pair {
    fn index(self, role: Role) -> u64 {
        match role {
            Role::First => self.first.index,
            Role::Second => self.second.index,
        }
    }

    /// Which member has which role.
    pub fn roles(self) -> Roles {
        [(self.first, Role::First), (self.second, Role::Second)]
    }
}

/// Members with their roles. Where both fit, the first does.
pub(super) type Roles = [(Member, Role); 2];

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

/// Small formulas only: shared parts are visited once for each mention.
fn numbers_as_roles(formula: &Term, roles: &[(Member, Role)]) -> Term {
    match formula.kind() {
        Kind::Constant(Value::Int(number)) => roles
            .iter()
            .find(|(member, _)| *number == member.index.into())
            .map_or_else(|| formula.clone(), |(_, role)| Term::symbol(role.symbol())),
        Kind::Apply(operator, arguments) => {
            let arguments = arguments
                .iter()
                .map(|argument| numbers_as_roles(argument, roles))
                .collect();
            Term::apply(*operator, arguments).unwrap_or_else(|_| formula.clone())
        }
        _ => formula.clone(),
    }
}

/// The variables of a system by name, to take indices out of formulas and to put them into templates.
pub(super) struct Variables<'a> {
    system: &'a System,
    by_name: BTreeMap<&'a str, &'a StateVariable>,
}

impl<'a> Variables<'a> {
    pub fn of(system: &'a System) -> Variables<'a> {
        let variables = system.variables.iter();
        Variables {
            system,
            by_name: variables
                .map(|variable| (variable.name(), variable))
                .collect(),
        }
    }

    /// The formula with the indices replaced by roles; `None` when it mentions another index. With `numbers`, the constants that
    /// equal one of the indices become roles too.
    pub fn abstracted(
        &self,
        formula: &Term,
        roles: &[(Member, Role)],
        numbers: bool,
    ) -> Option<Term> {
        let mut substitution = Substitution::default();
        for symbol in formula.symbols() {
            let name = self.renamed(symbol.name(), roles)?;
            if name != symbol.name() {
                let sort = symbol.sort();
                substitution.insert(symbol, Term::symbol(Symbol::new(name, sort)));
            }
        }
        let formula = formula.substitute(&substitution);
        Some(if numbers {
            numbers_as_roles(&formula, roles)
        } else {
            formula
        })
    }

    /// The name of a variable with its indices replaced by roles; `None` when it has the index of another process.
    fn renamed(&self, name: &str, roles: &[(Member, Role)]) -> Option<String> {
        let origin = self
            .by_name
            .get(name)
            .and_then(|variable| variable.origin.as_ref());
        let process = origin.and_then(|origin| self.system.processes.get(origin.process?));
        let indices = origin.map_or(&[][..], |origin| &origin.indices);
        if indices.is_empty() && process.is_none_or(|process| process.indices.is_empty()) {
            return Some(name.to_owned());
        }
        let mark = |value: &BigInt, fits: &dyn Fn(usize) -> bool| {
            let mut roles = roles.iter();
            let found =
                roles.find(|(member, _)| *value == member.index.into() && fits(member.family));
            found.map(|(_, role)| role.mark())
        };
        let mut made = String::with_capacity(name.len());
        if let Some(process) = process {
            made.push_str(&self.system.families.get(process.family)?.name);
            for index in &process.indices {
                made.push_str(mark(index, &|family| family == process.family)?);
            }
            made.push('.');
        }
        made.push_str(&origin?.declaration);
        for index in indices {
            let families = self.system.families.iter();
            let counts = |family: &Family| {
                let mut ranges = family.ranges.iter();
                ranges.any(|range| range.agrees(&index.range))
            };
            let counted: Vec<bool> = families.map(counts).collect();
            // A value that is not an index of a family does not distinguish processes.
            if !counted.contains(&true) {
                made.push_str(&format!("[{}]", index.value));
                continue;
            }
            made.push_str(mark(&index.value, &|family| counted[family])?);
        }
        Some(made)
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
                None => Term::symbol(self.variable(&symbol, pair)?),
            };
            substitution.insert(symbol, value);
        }
        Some(template.substitute(&substitution))
    }

    /// The variable that a symbol of a template stands for: one that has the template's name with these roles.
    fn variable(&self, symbol: &Symbol, pair: Pair) -> Option<Symbol> {
        let [first, second] = [pair.first, pair.second].map(|it| format!("[{}]", it.index));
        let name = symbol
            .name()
            .replace(Role::First.mark(), &first)
            .replace(Role::Second.mark(), &second);
        let known = &self.by_name.get(name.as_str())?.current;
        let [one, other] = pair.roles();
        // Which role comes first matters where both members have the same index.
        let is_meant = [[one, other], [other, one]]
            .iter()
            .any(|roles| self.renamed(&name, roles).as_deref() == Some(symbol.name()));
        (is_meant && known.sort() == symbol.sort()).then(|| known.clone())
    }
}

/// The indices of the system's processes, family by family.
pub(super) fn members(system: &System) -> Vec<Member> {
    let members: BTreeSet<Member> = system
        .processes
        .iter()
        .flat_map(|process| {
            let indices = process.indices.iter();
            let family = process.family;
            indices.filter_map(move |index| {
                let index = u64::try_from(index).ok()?;
                Some(Member { family, index })
            })
        })
        .collect();
    members.into_iter().collect()
}

/// All pairs of members; none if there is a single one.
pub(super) fn pairs(system: &System) -> Vec<Pair> {
    let members = members(system);
    let mut pairs = Vec::new();
    for (position, first) in members.iter().enumerate() {
        for second in &members[position + 1..] {
            pairs.push(Pair {
                first: *first,
                second: *second,
            });
        }
    }
    pairs
}
