//! Which queries are asked: all of the file's one `check-system` command, or what the command line chooses.
//!
//! Queries that begin or go on under different conditions are about different systems. Invariant: those that are asked together agree
//! in their initial condition and their assumptions.

use super::checking::{Check, Condition, Query, Role};
use super::commands::File;
use crate::languages::Options;
use crate::languages::diagnostics::{Category, Diagnostic, Diagnostics};
use crate::languages::source::Source;
use slabcert_certificates::smtlib::{Position, ReadError};

/// What the command line chooses.
#[derive(Default)]
pub(super) struct Choice {
    /// `-D check=NUMBER`: a `check-system` command of the file, from 1.
    check: Option<usize>,
    /// `-D query=NAME`.
    query: Option<String>,
}

/// The queries that are asked.
pub(super) struct Asked<'a> {
    pub check: &'a Check,
    pub queries: Vec<&'a Query>,
}

impl Choice {
    /// Reads the choice from the constants of the command line.
    pub fn of_options(source: &Source, options: &Options) -> Result<Choice, Diagnostics> {
        let mut choice = Choice::default();
        for (name, value) in &options.constants {
            match (name.as_str(), value.parse::<usize>()) {
                ("query", _) => choice.query = Some(value.clone()),
                ("check", Ok(number)) if number > 0 => choice.check = Some(number),
                ("check", _) => {
                    return Err(refuse(
                        source,
                        format!("`check` is the number of a `check-system` command, not `{value}`"),
                    ));
                }
                _ => {
                    return Err(refuse(
                        source,
                        format!(
                            "a MoXI model has no constants, so `{name}` cannot be set; `check` and `query` choose the query"
                        ),
                    ));
                }
            }
        }
        Ok(choice)
    }
}

fn refuse(source: &Source, message: String) -> Diagnostics {
    Diagnostics::of(source, Diagnostic::on_command_line(message))
}

/// The queries of a file that are asked.
pub(super) fn choose<'a>(
    file: &'a File,
    choice: &Choice,
    source: &Source,
) -> Result<Asked<'a>, Diagnostics> {
    let of_read_error = |error| Diagnostics::of_read_error(source, &error);
    if file.checks.is_empty() {
        let start = Position { line: 1, column: 1 };
        return Err(of_read_error(ReadError::malformed(
            start,
            "there is no `check-system` command, so there is nothing to verify",
        )));
    }
    let check = chosen_check(file, choice, source)?;
    let mut queries: Vec<&Query> = check.queries.iter().collect();
    if let Some(name) = &choice.query {
        queries.retain(|query| &query.name == name);
        if queries.is_empty() {
            let known = check.queries.iter().map(|query| query.name.as_str());
            let fault = Diagnostic::on_command_line(format!("no query is called `{name}`"));
            return Err(Diagnostics::of(source, fault.suggest(name, known)));
        }
    }
    if queries.is_empty() {
        return Err(of_read_error(ReadError::malformed(
            check.position,
            "the command asks no query, so there is nothing to verify",
        )));
    }
    let asked = Asked { check, queries };
    asked.check_agreement(source)?;
    Ok(asked)
}

fn chosen_check<'a>(
    file: &'a File,
    choice: &Choice,
    source: &Source,
) -> Result<&'a Check, Diagnostics> {
    if let Some(number) = choice.check {
        let message = format!("the file has no `check-system` command number {number}");
        let found = file.checks.get(number - 1);
        return found.ok_or_else(|| refuse(source, message));
    }
    let mut candidates: Vec<&Check> = file.checks.iter().collect();
    if let Some(name) = &choice.query {
        candidates.retain(|check| check.queries.iter().any(|query| &query.name == name));
    }
    match candidates.as_slice() {
        [only] => Ok(only),
        [] => Ok(&file.checks[0]),
        [_, second, ..] => {
            let span = source.token_at(second.position);
            let words = "this is a second `check-system` command; choose one";
            let fault = Diagnostic::new(Category::Unsupported, span, words);
            let help = "choose by `-D check=NUMBER` or `-D query=NAME`";
            Err(Diagnostics::of(source, fault.help(help)))
        }
    }
}

impl<'a> Asked<'a> {
    /// The conditions of a query in one role, with their names.
    pub fn conditions(&self, query: &'a Query, role: Role) -> Vec<(&'a str, &'a Condition)> {
        let named = query.conditions.iter();
        let known = named.filter_map(|name| {
            let condition = self.check.conditions.get(name)?;
            Some((name.as_str(), condition))
        });
        known
            .filter(|(_, condition)| condition.role == role)
            .collect()
    }

    /// Refuses queries for infinite runs, and queries under different conditions.
    fn check_agreement(&self, source: &Source) -> Result<(), Diagnostics> {
        let unsupported = |query: &Query, message: String| {
            let span = source.token_at(query.position);
            Diagnostic::new(Category::Unsupported, span, message)
        };
        let names = |query: &'a Query, role| {
            let mut names: Vec<&str> = self
                .conditions(query, role)
                .into_iter()
                .map(|(name, _)| name)
                .collect();
            names.sort_unstable();
            names
        };
        for query in &self.queries {
            if let Some(name) = names(query, Role::Fairness).first() {
                let message = format!(
                    "`{}` asks for an infinite run, since `{name}` is a fairness condition; only finite runs are supported",
                    query.name
                );
                return Err(Diagnostics::of(source, unsupported(query, message)));
            }
        }
        let Some((first, others)) = self.queries.split_first() else {
            return Ok(());
        };
        for other in others {
            for (role, what) in [
                (Role::Current, "initial conditions"),
                (Role::Assumption, "assumptions"),
            ] {
                if names(first, role) != names(other, role) {
                    let message = format!(
                        "`{}` and `{}` have different {what}, and one system is verified at a time",
                        first.name, other.name
                    );
                    let fault = unsupported(other, message);
                    let help = format!("choose by `-D query={}`", other.name);
                    return Err(Diagnostics::of(source, fault.help(help)));
                }
            }
        }
        Ok(())
    }
}
