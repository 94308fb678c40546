//! The variables of the program.

use super::super::expansion::{
    Environment, Expanded, Expander, Indices, LOCATION, Stop, shown_indices,
};
use super::super::names::{Entity, Variable};
use super::super::syntax::{ExprKind, FamilyName, Item, Range, Role, SortExpr};
use super::{Builder, WORK};
use crate::languages::diagnostics::{Category, Diagnostic};
use num_bigint::BigInt;
use slabcert_certificates::program::{DeclaredRange, Level};
use slabcert_certificates::smtlib::is_reserved;
use slabcert_certificates::structure::{Index, IndexRange, Origin};
use slabcert_certificates::system::{StateVariable, ValueTable};
use slabcert_certificates::term::{Sort, Term};

/// The values that a sort expression allows.
pub(super) struct Domain {
    pub sort: Sort,
    /// Least and greatest value of a range or an enumeration.
    pub range: Option<(BigInt, BigInt)>,
    pub values: Option<ValueTable>,
    /// Whether it was written as a range, so that leaving it is an error.
    pub declared_range: bool,
}

impl Domain {
    fn plain(sort: Sort) -> Domain {
        Domain {
            sort,
            range: None,
            values: None,
            declared_range: false,
        }
    }

    /// Conditions that a term lies in the domain.
    pub fn bounds(&self, term: &Term) -> Vec<Term> {
        match &self.range {
            Some((low, high)) => term.between(low, high),
            None => Vec::new(),
        }
    }
}

/// The name of a variable in the flat system: that of the model, but for words of SMT-LIB, which get a point at the end, so that it is
/// no name that a model could have.
fn spellable(name: String) -> String {
    if is_reserved(&name) {
        return format!("{name}.");
    }
    name
}

/// The domain of a sort expression.
pub(super) fn domain(
    expander: &mut Expander,
    sort: &SortExpr,
    environment: &mut Environment,
) -> Expanded<Domain> {
    match sort {
        SortExpr::Bool => Ok(Domain::plain(Sort::Bool)),
        SortExpr::Int => Ok(Domain::plain(Sort::Int)),
        SortExpr::Real => Ok(Domain::plain(Sort::Real)),
        SortExpr::Range(range) => {
            let (low, high) = expander.range(range, environment)?;
            if low > high {
                let message = format!("the range {low}..{high} is empty");
                return expander.stop(
                    Diagnostic::new(Category::Value, range.span, message)
                        .expected("a lower end that is not above the upper end"),
                );
            }
            Ok(Domain {
                range: Some((low, high)),
                declared_range: true,
                ..Domain::plain(Sort::Int)
            })
        }
        SortExpr::Enum(name) => {
            let Some(Entity::Enum(number)) = expander.names.global(&name.text) else {
                return Err(Stop);
            };
            let enumeration = expander.names.enums[number];
            let values = enumeration
                .values
                .iter()
                .map(|value| value.text.to_string());
            Ok(Domain {
                range: Some((BigInt::ZERO, BigInt::from(enumeration.values.len()) - 1)),
                values: Some(ValueTable {
                    name: name.text.to_string(),
                    values: values.collect(),
                }),
                ..Domain::plain(Sort::Int)
            })
        }
    }
}

impl Builder<'_, '_, '_, '_> {
    /// Lays out all variables.
    pub(super) fn variables(&mut self) {
        let names = self.expander.names;
        let mut processes = 0..names.processes.len();
        let mut declared = 0;
        for item in &names.model.items {
            match item {
                Item::Var(var) => {
                    let group: Vec<usize> = (declared..declared + var.names.len()).collect();
                    declared += group.len();
                    self.family_members(&group, &mut Environment::default(), None);
                }
                Item::Process(process) => {
                    let counts = process.vars.iter().map(|var| var.names.len());
                    let groups: Vec<Vec<usize>> = counts
                        .map(|count| {
                            let group = (declared..declared + count).collect();
                            declared += count;
                            group
                        })
                        .collect();
                    if let Some(number) = processes.next() {
                        self.process_variables(number, &groups);
                    }
                }
                _ => {}
            }
        }
        for variable in &self.expander.layout.variables {
            self.taken.reserve(variable.current.name());
            self.taken.reserve(variable.next.name());
        }
        for event in &self.inputs {
            self.taken.reserve(event.symbol.name());
        }
        self.lay_out_blocks();
    }

    /// Lays out the instances of a process, each with the variables of `groups`.
    fn process_variables(&mut self, number: usize, groups: &[Vec<usize>]) {
        let names = self.expander.names;
        if !self.expander.passed.processes[number].header {
            return;
        }
        let process = names.processes[number].syntax;
        let Ok(instances) =
            self.expander
                .environments(&process.index, &mut Environment::default(), WORK)
        else {
            let layout = &mut self.expander.layout;
            groups
                .iter()
                .flatten()
                .for_each(|declared| layout.note_faulty(*declared));
            return;
        };
        let all: Vec<Indices> = instances.iter().map(|it| it.indices_since(0)).collect();
        let ranges = process.index.binders.iter().map(|binder| &binder.range);
        self.families[number].ranges = self.index_ranges(ranges, &all);
        for (mut environment, indices) in instances.into_iter().zip(all) {
            let name = format!("{}{}", process.name.text, shown_indices(&indices));
            let mut location = StateVariable::new(&format!("{name}.{LOCATION}"), Sort::Int);
            location.range = Some((BigInt::ZERO, BigInt::from(process.locations.len()) - 1));
            location.values = Some(ValueTable {
                name: LOCATION.to_owned(),
                values: names.location_names(number),
            });
            let slot = self
                .expander
                .layout
                .add_process(number, indices.clone(), name, location);
            environment.process = Some((number, indices));
            for group in groups {
                self.family_members(group, &mut environment, Some(slot));
            }
        }
    }

    /// Lays out the members of the variables of one declaration, of one instance of its process.
    fn family_members(
        &mut self,
        group: &[usize],
        environment: &mut Environment,
        owner: Option<usize>,
    ) {
        for declared in group {
            if self.expander.passed.variables[*declared].is_none() {
                continue;
            }
            if self.members(*declared, environment, owner).is_err() {
                self.expander.layout.note_faulty(*declared);
            }
        }
    }

    fn members(
        &mut self,
        declared: usize,
        environment: &mut Environment,
        owner: Option<usize>,
    ) -> Expanded<()> {
        let names = self.expander.names;
        let Variable {
            family,
            sort,
            initial,
            role,
            ..
        } = &names.variables[declared];
        let domain = domain(&mut self.expander, sort, environment)?;
        let prefix = match owner {
            Some(slot) => format!("{}.", self.expander.layout.processes[slot].name),
            None => String::new(),
        };
        let outer = environment
            .process
            .as_ref()
            .map(|(_, indices)| indices.clone())
            .unwrap_or_default();
        let all = self.family_indices(family, environment)?;
        let ranges = self.index_ranges(family.ranges.iter(), &all);
        for indices in all {
            let name = format!("{prefix}{}{}", family.name.text, shown_indices(&indices));
            if let Role::Event(block) = role {
                self.add_event(*block, declared, indices, spellable(name));
                continue;
            }
            let mut variable = StateVariable::new(&spellable(name), domain.sort);
            variable.origin = Some(Origin {
                process: owner,
                declaration: match owner {
                    None if indices.is_empty() => spellable(family.name.text.to_string()),
                    _ => family.name.text.to_string(),
                },
                indices: with_ranges(&indices, &ranges),
            });
            variable.range.clone_from(&domain.range);
            variable.values.clone_from(&domain.values);
            if initial.is_none() {
                self.undetermined.insert(variable.current.clone());
            }
            let all = outer.iter().chain(&indices).cloned().collect();
            let slot = self.expander.layout.add_member(declared, all, variable);
            match role {
                Role::State if domain.declared_range => self.note_range(declared, slot),
                Role::State | Role::Event(_) => {}
                Role::Level(block) => self.blocks[*block].levels.push(Level {
                    variable: slot,
                    input: usize::MAX,
                }),
                Role::Raised(block) => self.blocks[*block].raised.push(slot),
            }
        }
        Ok(())
    }

    /// All index tuples of a family, in order.
    pub(super) fn family_indices(
        &mut self,
        family: &FamilyName,
        environment: &mut Environment,
    ) -> Expanded<Vec<Indices>> {
        let mut all = vec![Indices::new()];
        for range in &family.ranges {
            let (low, high) = self.expander.range(range, environment)?;
            if low > high {
                let message = format!(
                    "the family `{}` has no members: {low}..{high} is empty",
                    family.name.text
                );
                return self.expander.stop(
                    Diagnostic::new(Category::Value, range.span, message)
                        .expected("a lower end that is not above the upper end"),
                );
            }
            self.expander
                .charge_range(&low, &high, all.len(), range.span)?;
            let mut longer = Vec::new();
            for indices in &all {
                let mut value = low.clone();
                while value <= high {
                    longer.push(indices.iter().cloned().chain([value.clone()]).collect());
                    value += 1;
                }
            }
            all = longer;
        }
        Ok(all)
    }

    /// The ranges of indices of which these are all tuples. The upper end is a constant's where it is written so.
    pub(super) fn index_ranges<'r>(
        &self,
        ranges: impl Iterator<Item = &'r Range>,
        all: &[Indices],
    ) -> Vec<IndexRange> {
        let size = |range: &Range| match &range.high.kind {
            ExprKind::Reference(reference, false)
                if reference.indices.is_empty() && reference.member.is_none() =>
            {
                let entity = self.expander.names.global(&reference.name.text);
                matches!(entity, Some(Entity::Constant(_))).then(|| reference.name.text.to_string())
            }
            _ => None,
        };
        let ranges = ranges.enumerate().filter_map(|(number, range)| {
            let values = || all.iter().filter_map(|indices| indices.get(number));
            Some(IndexRange {
                low: values().min()?.clone(),
                high: values().max()?.clone(),
                size: size(range),
            })
        });
        ranges.collect()
    }

    /// Enters a member of a declared range.
    fn note_range(&mut self, declared: usize, slot: usize) {
        let names = self.expander.names;
        let variable = &names.variables[declared];
        let name = match variable.process {
            Some(process) => format!(
                "{}.{}",
                names.processes[process].syntax.name.text, variable.family.name.text
            ),
            None => variable.family.name.text.to_string(),
        };
        let ranges = &mut self.expander.layout.ranges;
        match ranges.iter_mut().find(|range| range.name == name) {
            Some(range) => range.variables.push(slot),
            None => {
                let start = variable.family.name.span.start;
                ranges.push(DeclaredRange {
                    name,
                    variables: vec![slot],
                    position: Some(self.source.position(start as usize)),
                });
            }
        }
    }
}

/// Indices with the ranges that they are from.
pub(super) fn with_ranges(indices: &Indices, ranges: &[IndexRange]) -> Vec<Index> {
    let pairs = indices.iter().cloned().zip(ranges.iter().cloned());
    pairs.map(|(value, range)| Index { value, range }).collect()
}
