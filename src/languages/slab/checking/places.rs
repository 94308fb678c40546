//! Places: variables and what else a name with indices may be.

use super::super::names::Entity;
use super::super::sorts::Sort;
use super::super::syntax::{Expr, Name, Place};
use super::{Checker, Constancy, Context, Meaning, Scope, Typed};
use crate::languages::diagnostics::{Category, Diagnostic};
use crate::languages::source::Span;

impl Checker<'_, '_, '_> {
    /// The sort of a variable; constants are checked before any is known.
    fn variable(&self, number: usize) -> Sort {
        self.variables.get(number).copied().unwrap_or(Sort::Unknown)
    }

    /// A place that is read.
    pub(super) fn place(&mut self, place: &Place, scope: &mut Scope, context: Context) -> Typed {
        if place.member.is_some() {
            return match self.member(place, scope) {
                Some(variable) => self.state(place, self.variable(variable), context),
                None => Typed::UNKNOWN,
            };
        }
        let Some(meaning) = self.meaning(&place.name, scope) else {
            self.indices(&place.indices, scope);
            return Typed::UNKNOWN;
        };
        match meaning {
            Meaning::Binder => {
                self.count_indices(place, &place.indices, 0, scope);
                Typed {
                    sort: Sort::Int,
                    constant: true,
                }
            }
            Meaning::Choice(sort) => {
                self.count_indices(place, &place.indices, 0, scope);
                self.state(place, sort, context)
            }
            Meaning::Own(variable) | Meaning::Global(Entity::Variable(variable)) => {
                self.variable_indices(place, &place.indices, variable, scope);
                self.state(place, self.variable(variable), context)
            }
            Meaning::Global(entity) => self.other(place, entity, scope, context),
        }
    }

    /// Something that depends on the state or on a choice: refused where a constant is needed.
    fn state(&mut self, place: &Place, sort: Sort, context: Context) -> Typed {
        if let Some(why) = context.constant {
            self.not_constant(place.span, &place.name, why);
            return Typed::UNKNOWN;
        }
        Typed {
            sort,
            constant: false,
        }
    }

    fn not_constant(&mut self, span: Span, name: &Name, why: Constancy) {
        let message = format!(
            "{} is a constant, but `{}` changes from state to state",
            why.words(),
            name.text
        );
        let fault = Diagnostic::new(Category::Sort, span, message)
            .expected("numbers, constants and bound indices");
        self.faults.push(match why {
            Constancy::Index => fault.help(
                "a variable may not be indexed by a variable: give the transition an index (`[i in 1..N]`) and compare \
                 in its `when`, or use `forall i in 1..N: ...`",
            ),
            Constancy::Range | Constancy::Condition => fault.help("put the condition on the state into the body"),
            Constancy::Item => fault.help("use `define` to name an expression over the state"),
        });
    }

    /// What is neither a variable nor bound.
    fn other(
        &mut self,
        place: &Place,
        entity: Entity,
        scope: &mut Scope,
        context: Context,
    ) -> Typed {
        match entity {
            Entity::Constant(number) => {
                self.count_indices(place, &place.indices, 0, scope);
                match self.constants.get(number) {
                    Some(sort) => Typed {
                        sort: *sort,
                        constant: true,
                    },
                    None => self.declared_later(
                        place,
                        "constant",
                        self.names.constants[number].name.span,
                    ),
                }
            }
            Entity::EnumValue(enumeration, _) => {
                self.count_indices(place, &place.indices, 0, scope);
                Typed {
                    sort: Sort::Enum(enumeration),
                    constant: true,
                }
            }
            Entity::Define(number) => self.define(place, number, scope, context),
            Entity::Enum(_) | Entity::Process(_) => {
                self.indices(&place.indices, scope);
                let message = format!("`{}` is {}, not a value", place.name.text, entity.words());
                let fault = Diagnostic::new(Category::Sort, place.span, message);
                self.faults.push(match entity {
                    Entity::Process(_) => fault.help(format!(
                        "write `{0} at location` for its location or `{0}.variable` for a variable of it",
                        place.name.text
                    )),
                    _ => fault.help("write one of its values"),
                });
                Typed::UNKNOWN
            }
            Entity::Variable(_) => Typed::UNKNOWN,
        }
    }

    fn define(
        &mut self,
        place: &Place,
        number: usize,
        scope: &mut Scope,
        context: Context,
    ) -> Typed {
        let define = self.names.defines[number];
        self.count_indices(place, &place.indices, define.index.binders.len(), scope);
        let Some(facts) = self.defines.get(number).copied() else {
            if self.before_definitions() {
                return self.not_yet_defined(place);
            }
            return self.declared_later(place, "definition", define.name.span);
        };
        if facts.enabledness {
            self.enabledness(place.span, &place.name.text, context);
        }
        if facts.typed.constant {
            return facts.typed;
        }
        self.state(place, facts.typed.sort, context)
    }

    /// Whether constants and declarations of variables are still being checked: definitions come after them.
    fn before_definitions(&self) -> bool {
        self.constants.len() < self.names.constants.len()
            || self.variables.len() < self.names.variables.len()
    }

    fn not_yet_defined(&mut self, place: &Place) -> Typed {
        let message = format!(
            "the definition `{}` may not be used in a constant or in the declaration of a variable",
            place.name.text
        );
        self.faults.push(
            Diagnostic::new(Category::Sort, place.span, message)
                .expected("numbers, constants and bound indices")
                .help("use `const` to name a number"),
        );
        Typed::UNKNOWN
    }

    fn declared_later(&mut self, place: &Place, what: &str, span: Span) -> Typed {
        let message = format!(
            "`{}` is not declared yet: a {what} uses only those above it",
            place.name.text
        );
        self.faults.push(
            Diagnostic::new(Category::Name, place.span, message)
                .help("change the order of the declarations")
                .related(span, "it is declared here"),
        );
        Typed::UNKNOWN
    }

    /// `P[i].x`: the variable that is meant.
    fn member(&mut self, place: &Place, scope: &mut Scope) -> Option<usize> {
        let (name, indices) = place.member.as_ref()?;
        let process = self.process(place, scope);
        let Some(process) = process else {
            self.indices(indices, scope);
            return None;
        };
        let Some((variable, _)) = self.names.processes[process].variables.get(&name.text) else {
            self.indices(indices, scope);
            let names = self.names;
            let known = names.processes[process].variables.keys();
            self.unknown_in(
                &format!("process `{}` has no variable", place.name.text),
                name,
                known,
            );
            return None;
        };
        self.variable_indices(place, indices, *variable, scope);
        Some(*variable)
    }

    /// The process that a place names, with its indices checked.
    fn process(&mut self, place: &Place, scope: &mut Scope) -> Option<usize> {
        match self.meaning(&place.name, scope) {
            Some(Meaning::Global(Entity::Process(process))) => {
                let binders = self.names.processes[process].syntax.index.binders.len();
                self.count_indices(place, &place.indices, binders, scope);
                Some(process)
            }
            Some(_) => {
                self.indices(&place.indices, scope);
                let message = format!("`{}` is not a process", place.name.text);
                let fault = Diagnostic::new(Category::Name, place.name.span, message)
                    .expected("the name of a process");
                let processes = self
                    .names
                    .processes
                    .iter()
                    .map(|process| &*process.syntax.name.text);
                self.faults.push(fault.suggest(&place.name.text, processes));
                None
            }
            None => {
                self.indices(&place.indices, scope);
                None
            }
        }
    }

    /// `P[i] at {a, b}`.
    pub(super) fn at(
        &mut self,
        place: &Place,
        locations: &[Name],
        scope: &mut Scope,
        context: Context,
    ) -> Typed {
        let process = self.process_place(place, scope);
        for location in locations {
            self.location(process, location);
        }
        if process.is_none() {
            return Typed {
                sort: Sort::Bool,
                constant: true,
            };
        }
        self.state(place, Sort::Bool, context)
    }

    /// A place that must be a process as a whole.
    pub(super) fn process_place(&mut self, place: &Place, scope: &mut Scope) -> Option<usize> {
        if let Some((member, indices)) = &place.member {
            self.indices(indices, scope);
            let message = "only a process is at a location";
            self.faults.push(
                Diagnostic::new(Category::Sort, member.span, message)
                    .expected("a process, such as `P[1]`"),
            );
        }
        self.process(place, scope)
    }

    pub(super) fn location(&mut self, process: Option<usize>, location: &Name) {
        let Some(process) = process else { return };
        let names = self.names;
        let process = &names.processes[process];
        if !process.locations.contains_key(&location.text) {
            let what = format!("process `{}` has no location", process.syntax.name.text);
            self.unknown_in(&what, location, process.locations.keys());
        }
    }

    /// `x'`: a variable after the step.
    pub(super) fn primed(&mut self, place: &Place, scope: &mut Scope, context: Context) -> Typed {
        if !context.primes {
            self.place(place, scope, context);
            let message = "primed variables are only allowed within `relation ... modifies {...}`";
            self.faults
                .push(Diagnostic::new(Category::Sort, place.span, message));
            return Typed::UNKNOWN;
        }
        Typed {
            sort: self.target(place, scope),
            constant: false,
        }
    }

    /// A place that is changed: a variable.
    pub(super) fn target(&mut self, place: &Place, scope: &mut Scope) -> Sort {
        if place.member.is_some() {
            let variable = self.member(place, scope);
            return variable.map_or(Sort::Unknown, |variable| self.variable(variable));
        }
        let meaning = self.meaning(&place.name, scope);
        if let Some(Meaning::Own(variable) | Meaning::Global(Entity::Variable(variable))) = meaning
        {
            self.variable_indices(place, &place.indices, variable, scope);
            return self.variable(variable);
        }
        self.indices(&place.indices, scope);
        let what = match meaning {
            None => return Sort::Unknown,
            Some(Meaning::Binder) => "a bound index",
            Some(Meaning::Choice(_)) => "a choice",
            Some(Meaning::Own(_)) => "a variable",
            Some(Meaning::Global(entity)) => entity.words(),
        };
        let message = format!("`{}` is {what}, it cannot be changed", place.name.text);
        let fault = Diagnostic::new(Category::Sort, place.span, message).expected("a variable");
        self.faults.push(match meaning {
            Some(Meaning::Global(Entity::Process(_))) => fault.help(format!(
                "`{} at location` moves the process",
                place.name.text
            )),
            _ => fault,
        });
        Sort::Unknown
    }

    fn variable_indices(
        &mut self,
        place: &Place,
        indices: &[Expr],
        variable: usize,
        scope: &mut Scope,
    ) {
        let count = self.names.variables[variable].family.ranges.len();
        self.count_indices(place, indices, count, scope);
    }

    /// Checks indices and their number.
    fn count_indices(
        &mut self,
        place: &Place,
        indices: &[Expr],
        expected: usize,
        scope: &mut Scope,
    ) {
        self.indices(indices, scope);
        if indices.len() == expected {
            return;
        }
        let plural = |count: usize| match count {
            0 => "no index".to_owned(),
            1 => "1 index".to_owned(),
            _ => format!("{count} indices"),
        };
        let message = format!(
            "`{}` takes {}, found {}",
            self.shown(place),
            plural(expected),
            plural(indices.len())
        );
        let fault = Diagnostic::new(Category::Sort, place.span, message).expected(plural(expected));
        self.faults.push(match (expected, indices.len()) {
            (1.., 0) => fault.help("all members at once are meant by `forall i in 1..N: ...`"),
            _ => fault,
        });
    }

    /// The place without its indices.
    fn shown(&self, place: &Place) -> String {
        match &place.member {
            Some((member, _)) => format!("{}.{}", place.name.text, member.text),
            None => place.name.text.to_string(),
        }
    }

    fn indices(&mut self, indices: &[Expr], scope: &mut Scope) {
        for index in indices {
            self.expect(index, Sort::Int, scope, Context::constant(Constancy::Index));
        }
    }

    /// The transition that `enabled(...)` asks about.
    pub(super) fn transition_place(&mut self, place: &Place, scope: &mut Scope) {
        let names = self.names;
        let Some((edge, indices)) = &place.member else {
            let Some((number, _)) = names.transition_names.get(&place.name.text) else {
                self.indices(&place.indices, scope);
                self.unknown_in(
                    "there is no transition",
                    &place.name,
                    names.transition_names.keys(),
                );
                return;
            };
            let binders = names.transitions[*number].index.binders.len();
            self.count_indices(place, &place.indices, binders, scope);
            return;
        };
        let Some(process) = self.process(place, scope) else {
            self.indices(indices, scope);
            return;
        };
        let Some((number, _)) = names.processes[process].edges.get(&edge.text) else {
            self.indices(indices, scope);
            let what = format!("process `{}` has no edge", place.name.text);
            self.unknown_in(&what, edge, names.processes[process].edges.keys());
            return;
        };
        let syntax = &names.processes[process].syntax.edges[*number];
        let binders = syntax
            .name
            .as_ref()
            .map_or(0, |(_, index)| index.binders.len());
        self.count_indices(place, indices, binders, scope);
    }
}
