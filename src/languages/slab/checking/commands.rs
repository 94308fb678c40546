//! Commands: choices, guards, updates.

use super::super::names::Entity;
use super::super::sorts::Sort;
use super::super::syntax::{Command, Name, SortExpr, Update, UpdateKind};
use super::{Checker, Context, Scope};
use crate::languages::diagnostics::{Category, Diagnostic};

impl Checker<'_, '_, '_> {
    /// Checks a command whose indices are in the scope.
    pub(super) fn command(&mut self, command: &Command, scope: &mut Scope) {
        for choice in &command.choices {
            let sort = self.sort(&choice.sort, scope);
            self.refuse_visible(&choice.name, scope);
            scope.choices.push((choice.name.clone(), sort));
            if let Some(condition) = &choice.condition {
                self.expect(condition, Sort::Bool, scope, Context::COMMAND);
            }
        }
        if let Some(guard) = &command.guard {
            self.expect(guard, Sort::Bool, scope, Context::COMMAND);
        }
        for update in &command.updates {
            self.update(update, scope);
        }
    }

    fn update(&mut self, update: &Update, scope: &mut Scope) {
        match &update.kind {
            UpdateKind::Assign(reference, value) => {
                let sort = self.target(reference, scope);
                self.expect(value, sort, scope, Context::COMMAND);
            }
            UpdateKind::Havoc(reference) => {
                self.target(reference, scope);
            }
            UpdateKind::Move(reference, location) => {
                let process = self.process_reference(reference, scope);
                self.location(process, location);
                self.refuse_move(process, update.span, scope);
            }
            UpdateKind::Raise(reference) => self.raise(reference, scope),
            UpdateKind::Forall(index, update) => {
                let outer = scope.binders.len();
                self.bind(index, scope);
                self.update(update, scope);
                scope.binders.truncate(outer);
            }
            UpdateKind::Relation(expr, references) => {
                self.refuse_relation(update.span, scope);
                for reference in references {
                    self.target(reference, scope);
                }
                self.expect(expr, Sort::Bool, scope, Context::RELATION);
            }
        }
    }

    /// The sort that a sort expression writes; the ends of a range are checked.
    pub(super) fn sort(&mut self, sort: &SortExpr, scope: &mut Scope) -> Sort {
        match sort {
            SortExpr::Bool => Sort::Bool,
            SortExpr::Int => Sort::Int,
            SortExpr::Real => Sort::Real,
            SortExpr::Range(range) => {
                self.range(range, scope);
                Sort::Int
            }
            SortExpr::Enum(name) => match self.names.global(&name.text) {
                Some(Entity::Enum(number)) => Sort::Enum(number),
                Some(entity) => {
                    let message = format!("`{}` is {}, not a sort", name.text, entity.words());
                    self.faults.push(
                        Diagnostic::new(Category::Sort, name.span, message)
                            .expected("`bool`, `int`, `real`, a range like `0..3`, or the name of an enumeration"),
                    );
                    Sort::Unknown
                }
                None => {
                    self.unknown_sort(name);
                    Sort::Unknown
                }
            },
        }
    }

    fn unknown_sort(&mut self, name: &Name) {
        let names = self.names;
        if names.is_unreadable(&name.text) {
            return;
        }
        let fault = Diagnostic::new(
            Category::Name,
            name.span,
            format!("unknown sort `{}`", name.text),
        )
        .expected("`bool`, `int`, `real`, a range like `0..3`, or the name of an enumeration");
        let lower = name.text.to_ascii_lowercase();
        let meant = match lower.as_str() {
            "bool" | "boolean" => Some("bool"),
            "int" | "integer" | "nat" => Some("int"),
            "real" | "rational" | "float" | "double" => Some("real"),
            _ => None,
        };
        self.faults.push(match meant {
            Some(sort) => fault.help(format!("did you mean `{sort}`?")),
            None => {
                let enums = names.enums.iter();
                fault.suggest(&name.text, enums.map(|enumeration| &*enumeration.name.text))
            }
        });
    }
}
