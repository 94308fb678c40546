//! The properties of a model: declared invariants, and what every model has to keep.

use super::components::{Component, Compound};
use super::program::Builder;
use super::syntax::Package;
use super::values::{Environment, Failed};
use slabcert_certificates::fresh::FreshNames;
use slabcert_certificates::program::{ProgramProperty, Requirement};
use slabcert_certificates::term::{Sort, Term};

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
