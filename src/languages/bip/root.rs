//! The root: the compound that the command line names, else the one of the model's own package that no other contains.

use super::program::Builder;
use super::syntax::{CompoundType, Package};
use super::values::{Environment, Failed, sort_of};
use crate::languages::Options;
use crate::languages::diagnostics::{Category, Diagnostic};
use slabcert_certificates::term::Term;
use std::collections::BTreeSet;

/// The constant of the command line that names the root: `-D root='Top(3)'`.
pub(super) const ROOT: &str = "root";

impl<'p> Builder<'p, '_> {
    /// The root and the arguments of its parameters: what the command line names, else the one compound that no other contains.
    pub fn root(
        &mut self,
        package: &'p Package,
        options: &Options,
    ) -> Result<(&'p CompoundType, Environment), Failed> {
        let refuse = |builder: &mut Self, message: String| {
            builder.faults.push(Diagnostic::on_command_line(message));
            Err(Failed)
        };
        if let Some(text) = options.constants.get(ROOT) {
            let (name, rest) = text.split_once('(').unwrap_or((text, ")"));
            let Some(root) = self.types.compounds.get(name.trim()).copied() else {
                return refuse(self, format!("there is no compound type `{}`", name.trim()));
            };
            let values = rest.trim().trim_end_matches(')').split(',').map(str::trim);
            let values: Vec<&str> = values.filter(|value| !value.is_empty()).collect();
            if values.len() != root.parameters.len() {
                let (wanted, given) = (root.parameters.len(), values.len());
                return refuse(
                    self,
                    format!(
                        "`{}` has {wanted} parameters, but {given} values are given",
                        name.trim()
                    ),
                );
            }
            let mut environment = self.constants_of(&root.name.text);
            for (parameter, value) in root.parameters.iter().zip(values) {
                match literal(value).filter(|it| Some(it.sort()) == sort_of(parameter.data_type)) {
                    Some(term) => environment.constant(&parameter.name.text, term),
                    None => {
                        return refuse(
                            self,
                            format!("`{value}` is no value for `{}`", parameter.name.text),
                        );
                    }
                }
            }
            return Ok((root, environment));
        }
        let contained = package.compound_types.iter().flat_map(|it| &it.components);
        let contained: BTreeSet<&str> = contained.map(|it| &*it.component_type.text).collect();
        let mut roots = package
            .compound_types
            .iter()
            .filter(|it| !it.name.text.contains('.') && !contained.contains(&*it.name.text));
        match (roots.next(), roots.next()) {
            (Some(root), None) if root.parameters.is_empty() => {
                Ok((root, self.constants_of(&root.name.text)))
            }
            (Some(root), None) => {
                let name = &root.name.text;
                refuse(
                    self,
                    format!(
                        "`{name}` has parameters: give their values with `-D root='{name}(...)'`"
                    ),
                )
            }
            (Some(one), Some(other)) => {
                let message = "more than one compound type is contained in no other";
                let fault = Diagnostic::new(Category::Name, other.name.span, message);
                let help = format!("choose one with `-D root='{}()'`", one.name.text);
                self.faults.push(fault.help(help));
                Err(Failed)
            }
            (None, _) => {
                let span = package
                    .name
                    .as_ref()
                    .map(|name| name.span)
                    .unwrap_or_default();
                self.fault(
                    Category::Value,
                    span,
                    "no compound type can be the root of the model",
                )
            }
        }
    }
}

/// A value as it stands on the command line.
fn literal(text: &str) -> Option<Term> {
    match text {
        "true" => Some(Term::bool(true)),
        "false" => Some(Term::bool(false)),
        _ => text.parse::<num_bigint::BigInt>().ok().map(Term::int),
    }
}
