//! The properties of a model: declared invariants, those that the command line asks for, and what every model has to keep.

use super::components::{Component, Compound};
use super::program::Builder;
use super::syntax::Package;
use super::values::{Environment, Failed};
use crate::languages::Options;
use crate::languages::source::{Source, Span};
use slabcert_certificates::fresh::FreshNames;
use slabcert_certificates::program::{ProgramProperty, Requirement};
use slabcert_certificates::term::{Sort, Term};

/// Whether a constant of the command line is an invariant to verify: `invariant`, `invariant2`, ...
pub(super) fn is_asked(name: &str) -> bool {
    let number = name.strip_prefix("invariant");
    number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A model with the invariants that the command line asks for behind it, each with its name and where it stands there.
pub(super) fn with_asked(source: &Source, options: &Options) -> (Source, Vec<(String, Span)>) {
    let mut all = source.clone();
    let asked = options.constants.iter().filter(|(name, _)| is_asked(name));
    let asked = asked.map(|(name, formula)| {
        all.append(&Source::new(format!("--{name}"), formula.as_str()));
        let end = all.text().len();
        (name.clone(), Span::new(end - formula.len(), end))
    });
    let asked = asked.collect();
    (all, asked)
}

impl<'p> Builder<'p, '_> {
    /// Adds the properties: those of atoms, those of the file, then the general ones.
    pub fn properties(&mut self, package: &Package, root: &Compound<'p>) -> Result<(), Failed> {
        let mut names = FreshNames::separated_by(":");
        let mut properties = Vec::new();
        let mut add = |name: &str, requirement, position| {
            properties.push(ProgramProperty {
                name: names.give(name),
                requirement,
                position,
            });
        };
        for atom in &self.atoms {
            for (name, formula, span) in &atom.invariants {
                let name = format!("{}.{name}", atom.path);
                let position = self.position(*span);
                add(&name, Requirement::Visible(formula.clone()), position);
            }
        }
        let everywhere = |formulas: Vec<Term>| {
            (!formulas.is_empty()).then(|| Requirement::Always(Term::and(formulas)))
        };
        let one_safe = self
            .atoms
            .iter()
            .flat_map(|atom| atom.one_safe.clone())
            .collect();
        let deterministic = self
            .atoms
            .iter()
            .flat_map(|atom| atom.deterministic.clone())
            .collect();
        let acyclic = self
            .cycles
            .iter()
            .map(|cycle| cycle.clone().not())
            .collect();
        let mut environment = self.constants_of("");
        self.visible_names("", &Component::Compound(root.clone()), &mut environment);
        for invariant in &package.invariants {
            let formula = self.determined(&invariant.formula, &environment, Sort::Bool)?;
            let position = self.position(invariant.name.span);
            add(
                &invariant.name.text,
                Requirement::Visible(formula),
                position,
            );
        }
        for (name, formulas) in [
            ("one_safe", one_safe),
            ("deterministic", deterministic),
            ("acyclic_priorities", acyclic),
        ] {
            if let Some(requirement) = everywhere(formulas) {
                add(name, requirement, None);
            }
        }
        add("deadlock", Requirement::NoDeadlock, None);
        self.program.properties = properties;
        Ok(())
    }

    /// All data and places below a component, by the names that lead there.
    fn visible_names(
        &self,
        prefix: &str,
        component: &Component<'p>,
        environment: &mut Environment,
    ) {
        match component {
            Component::Atom(atom) => {
                let atom = &self.atoms[*atom];
                for (name, variable) in &atom.data {
                    environment.variable(&format!("{prefix}{name}"), self.current(*variable));
                }
                for (name, place) in &atom.places {
                    let marked = self.marked(atom, place);
                    environment.variable(&format!("{prefix}{name}"), marked);
                }
            }
            Component::Compound(compound) => {
                for (name, part) in compound.components.iter() {
                    self.visible_names(&format!("{prefix}{name}."), part, environment);
                }
            }
        }
    }
}
