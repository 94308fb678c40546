//! References: variables and what else a name with indices may be.

use super::super::names::Entity;
use super::super::sorts::Sort;
use super::super::syntax::{Expr, Name, Reference};
use super::{Checker, Constancy, Context, Meaning, Scope, Typed};
use crate::languages::diagnostics::{Category, Diagnostic};
use crate::languages::source::Span;

impl Checker<'_, '_, '_> {
    /// The sort of a variable; constants are checked before any is known.
    fn variable(&self, number: usize) -> Sort {
        self.variables.get(number).copied().unwrap_or(Sort::Unknown)
    }

    /// A reference that is read.
    pub(super) fn reference(
        &mut self,
        reference: &Reference,
        scope: &mut Scope,
        context: Context,
    ) -> Typed {
        if reference.member.is_some() {
            return match self.member(reference, scope) {
                Some(variable) => self.state(reference, self.variable(variable), context),
                None => Typed::UNKNOWN,
            };
        }
        let Some(meaning) = self.meaning(&reference.name, scope) else {
            self.indices(&reference.indices, scope);
            return Typed::UNKNOWN;
        };
        match meaning {
            Meaning::Binder => {
                self.count_indices(reference, &reference.indices, 0, scope);
                Typed {
                    sort: Sort::Int,
                    constant: true,
                }
            }
            Meaning::Choice(sort) => {
                self.count_indices(reference, &reference.indices, 0, scope);
                self.state(reference, sort, context)
            }
            Meaning::Own(variable) | Meaning::Global(Entity::Variable(variable)) => {
                self.variable_indices(reference, &reference.indices, variable, scope);
                if !self.is_known(reference, variable, scope, context) {
                    return Typed::UNKNOWN;
                }
                self.state(reference, self.variable(variable), context)
            }
            Meaning::Global(entity) => self.other(reference, entity, scope, context),
        }
    }

    /// Something that depends on the state or on a choice: refused where a constant is needed.
    fn state(&mut self, reference: &Reference, sort: Sort, context: Context) -> Typed {
        if let Some(why) = context.constant {
            self.not_constant(reference.span, &reference.name, why);
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
        reference: &Reference,
        entity: Entity,
        scope: &mut Scope,
        context: Context,
    ) -> Typed {
        match entity {
            Entity::Constant(number) => {
                self.count_indices(reference, &reference.indices, 0, scope);
                match self.constants.get(number) {
                    Some(sort) => Typed {
                        sort: *sort,
                        constant: true,
                    },
                    None => self.declared_later(
                        reference,
                        "constant",
                        self.names.constants[number].name.span,
                    ),
                }
            }
            Entity::EnumValue(enumeration, _) => {
                self.count_indices(reference, &reference.indices, 0, scope);
                Typed {
                    sort: Sort::Enum(enumeration),
                    constant: true,
                }
            }
            Entity::Define(number) => self.define(reference, number, scope, context),
            Entity::Enum(_) | Entity::Process(_) | Entity::Block(_) => {
                self.indices(&reference.indices, scope);
                let message = format!(
                    "`{}` is {}, not a value",
                    reference.name.text,
                    entity.words()
                );
                let fault = Diagnostic::new(Category::Sort, reference.span, message);
                self.faults.push(match entity {
                    Entity::Process(_) => fault.help(format!(
                        "write `{0} at location` for its location or `{0}.variable` for a variable of it",
                        reference.name.text
                    )),
                    Entity::Block(_) => fault.help(format!(
                        "write `unstable({0})` or `ambiguous({0})`",
                        reference.name.text
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
        reference: &Reference,
        number: usize,
        scope: &mut Scope,
        context: Context,
    ) -> Typed {
        let define = self.names.defines[number];
        self.count_indices(
            reference,
            &reference.indices,
            define.index.binders.len(),
            scope,
        );
        let Some(facts) = self.defines.get(number).copied() else {
            if self.before_definitions() {
                return self.not_yet_defined(reference);
            }
            return self.declared_later(reference, "definition", define.name.span);
        };
        if facts.enabledness {
            self.enabledness(reference.span, &reference.name.text, context);
        }
        if facts.typed.constant {
            return facts.typed;
        }
        self.state(reference, facts.typed.sort, context)
    }

    /// Whether constants and declarations of variables are still being checked: definitions come after them.
    fn before_definitions(&self) -> bool {
        self.constants.len() < self.names.constants.len()
            || self.variables.len() < self.names.variables.len()
    }

    fn not_yet_defined(&mut self, reference: &Reference) -> Typed {
        let message = format!(
            "the definition `{}` may not be used in a constant or in the declaration of a variable",
            reference.name.text
        );
        self.faults.push(
            Diagnostic::new(Category::Sort, reference.span, message)
                .expected("numbers, constants and bound indices")
                .help("use `const` to name a number"),
        );
        Typed::UNKNOWN
    }

    fn declared_later(&mut self, reference: &Reference, what: &str, span: Span) -> Typed {
        let message = format!(
            "`{}` is not declared yet: a {what} uses only those above it",
            reference.name.text
        );
        self.faults.push(
            Diagnostic::new(Category::Name, reference.span, message)
                .help("change the order of the declarations")
                .related(span, "it is declared here"),
        );
        Typed::UNKNOWN
    }

    /// `P[i].x`: the variable that is meant.
    fn member(&mut self, reference: &Reference, scope: &mut Scope) -> Option<usize> {
        let (name, indices) = reference.member.as_ref()?;
        let process = self.process(reference, scope);
        let Some(process) = process else {
            self.indices(indices, scope);
            return None;
        };
        let Some((variable, _)) = self.names.processes[process].variables.get(&name.text) else {
            self.indices(indices, scope);
            let names = self.names;
            let known = names.processes[process].variables.keys();
            self.unknown_in(
                &format!("process `{}` has no variable", reference.name.text),
                name,
                known,
            );
            return None;
        };
        self.variable_indices(reference, indices, *variable, scope);
        Some(*variable)
    }

    /// The process that a reference names, with its indices checked.
    fn process(&mut self, reference: &Reference, scope: &mut Scope) -> Option<usize> {
        match self.meaning(&reference.name, scope) {
            Some(Meaning::Global(Entity::Process(process))) => {
                let binders = self.names.processes[process].syntax.index.binders.len();
                self.count_indices(reference, &reference.indices, binders, scope);
                Some(process)
            }
            Some(_) => {
                self.indices(&reference.indices, scope);
                let message = format!("`{}` is not a process", reference.name.text);
                let fault = Diagnostic::new(Category::Name, reference.name.span, message)
                    .expected("the name of a process");
                let processes = self
                    .names
                    .processes
                    .iter()
                    .map(|process| &*process.syntax.name.text);
                self.faults
                    .push(fault.suggest(&reference.name.text, processes));
                None
            }
            None => {
                self.indices(&reference.indices, scope);
                None
            }
        }
    }

    /// `P[i] at {a, b}`.
    pub(super) fn at(
        &mut self,
        reference: &Reference,
        locations: &[Name],
        scope: &mut Scope,
        context: Context,
    ) -> Typed {
        let process = self.process_reference(reference, scope);
        for location in locations {
            self.location(process, location);
        }
        if process.is_none() {
            return Typed {
                sort: Sort::Bool,
                constant: true,
            };
        }
        self.state(reference, Sort::Bool, context)
    }

    /// A reference that must be a process as a whole.
    pub(super) fn process_reference(
        &mut self,
        reference: &Reference,
        scope: &mut Scope,
    ) -> Option<usize> {
        if let Some((member, indices)) = &reference.member {
            self.indices(indices, scope);
            let message = "only a process is at a location";
            self.faults.push(
                Diagnostic::new(Category::Sort, member.span, message)
                    .expected("a process, such as `P[1]`"),
            );
        }
        self.process(reference, scope)
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
    pub(super) fn primed(
        &mut self,
        reference: &Reference,
        scope: &mut Scope,
        context: Context,
    ) -> Typed {
        if !context.primes {
            self.reference(reference, scope, context);
            let message = "primed variables are only allowed within `relation ... modifies {...}`";
            self.faults
                .push(Diagnostic::new(Category::Sort, reference.span, message));
            return Typed::UNKNOWN;
        }
        Typed {
            sort: self.target(reference, scope),
            constant: false,
        }
    }

    /// A reference that is changed: a variable.
    pub(super) fn target(&mut self, reference: &Reference, scope: &mut Scope) -> Sort {
        if reference.member.is_some() {
            let variable = self.member(reference, scope);
            return variable.map_or(Sort::Unknown, |variable| self.variable(variable));
        }
        let meaning = self.meaning(&reference.name, scope);
        if let Some(Meaning::Own(variable) | Meaning::Global(Entity::Variable(variable))) = meaning
        {
            self.variable_indices(reference, &reference.indices, variable, scope);
            self.refuse_given(reference, variable);
            return self.variable(variable);
        }
        self.indices(&reference.indices, scope);
        let what = match meaning {
            None => return Sort::Unknown,
            Some(Meaning::Binder) => "a bound index",
            Some(Meaning::Choice(_)) => "a choice",
            Some(Meaning::Own(_)) => "a variable",
            Some(Meaning::Global(entity)) => entity.words(),
        };
        let message = format!("`{}` is {what}, it cannot be changed", reference.name.text);
        let fault = Diagnostic::new(Category::Sort, reference.span, message).expected("a variable");
        self.faults.push(match meaning {
            Some(Meaning::Global(Entity::Process(_))) => fault.help(format!(
                "`{} at location` moves the process",
                reference.name.text
            )),
            _ => fault,
        });
        Sort::Unknown
    }

    pub(super) fn variable_indices(
        &mut self,
        reference: &Reference,
        indices: &[Expr],
        variable: usize,
        scope: &mut Scope,
    ) {
        let count = self.names.variables[variable].family.ranges.len();
        self.count_indices(reference, indices, count, scope);
    }

    /// Checks indices and their number.
    fn count_indices(
        &mut self,
        reference: &Reference,
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
            self.shown(reference),
            plural(expected),
            plural(indices.len())
        );
        let fault =
            Diagnostic::new(Category::Sort, reference.span, message).expected(plural(expected));
        self.faults.push(match (expected, indices.len()) {
            (1.., 0) => fault.help("all members at once are meant by `forall i in 1..N: ...`"),
            _ => fault,
        });
    }

    /// The reference without its indices.
    fn shown(&self, reference: &Reference) -> String {
        match &reference.member {
            Some((member, _)) => format!("{}.{}", reference.name.text, member.text),
            None => reference.name.text.to_string(),
        }
    }

    fn indices(&mut self, indices: &[Expr], scope: &mut Scope) {
        for index in indices {
            self.expect(index, Sort::Int, scope, Context::constant(Constancy::Index));
        }
    }

    /// The transition that `enabled(...)` asks about.
    pub(super) fn transition_reference(&mut self, reference: &Reference, scope: &mut Scope) {
        let names = self.names;
        let Some((edge, indices)) = &reference.member else {
            let Some((number, _)) = names.transition_names.get(&reference.name.text) else {
                self.indices(&reference.indices, scope);
                self.unknown_in(
                    "there is no transition",
                    &reference.name,
                    names.transition_names.keys(),
                );
                return;
            };
            let binders = names.transitions[*number].index.binders.len();
            self.count_indices(reference, &reference.indices, binders, scope);
            return;
        };
        let Some(process) = self.process(reference, scope) else {
            self.indices(indices, scope);
            return;
        };
        if names.block_of(Some(process)).is_some() {
            let message = format!(
                "`{}` is in a synchronous block, whose step is always enabled",
                reference.name.text
            );
            let fault = Diagnostic::new(Category::Unsupported, reference.span, message);
            self.faults
                .push(fault.help("write the condition of the edge yourself"));
        }
        let Some((number, _)) = names.processes[process].edges.get(&edge.text) else {
            self.indices(indices, scope);
            let what = format!("process `{}` has no edge", reference.name.text);
            self.unknown_in(&what, edge, names.processes[process].edges.keys());
            return;
        };
        let syntax = &names.processes[process].syntax.edges[*number];
        let binders = syntax
            .name
            .as_ref()
            .map_or(0, |(_, index)| index.binders.len());
        self.count_indices(reference, indices, binders, scope);
    }
}
