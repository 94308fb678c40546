//! Rules of priority among the ports of an atom.

use super::Waits;
use crate::languages::bip::priorities::Rules;
use crate::languages::bip::program::Builder;
use crate::languages::bip::syntax::{AtomType, Name};
use crate::languages::bip::values::{Environment, Failed};
use crate::languages::diagnostics::Category;
use slabcert_certificates::term::{Sort, Term};

impl<'p> Builder<'p, '_> {
    /// For each port those that go before it, and where. A circle of rules without conditions is a fault.
    pub(super) fn priorities(
        &mut self,
        atom_type: &'p AtomType,
        ports: &[&'p Name],
        environment: &Environment,
    ) -> Result<Waits<'p>, Failed> {
        let (mut rules, mut unconditional) = (Rules::default(), Rules::default());
        for priority in &atom_type.priorities {
            let mut side = |name: &Option<Name>| match name {
                None => Ok(None),
                Some(name) => match ports.iter().position(|port| port.text == name.text) {
                    Some(number) => Ok(Some(number)),
                    None => self.unknown("port", name),
                },
            };
            let (low, high) = (side(&priority.low)?, side(&priority.high)?);
            let others = |own: Option<usize>, other: Option<usize>| -> Vec<usize> {
                own.map_or_else(
                    || (0..ports.len()).filter(|it| Some(*it) != other).collect(),
                    |own| vec![own],
                )
            };
            if low.is_none() && high.is_none() {
                let message = "a rule of priority has `*` on one side at most";
                return self.fault(Category::Name, priority.name.span, message);
            }
            let condition = match &priority.guard {
                Some(guard) => self.determined(guard, environment, Sort::Bool)?,
                None => Term::bool(true),
            };
            for low in others(low, high) {
                for high in others(high, Some(low)) {
                    rules.add(low, high, condition.clone());
                    if priority.guard.is_none() {
                        unconditional.add(low, high, Term::bool(true));
                    }
                }
            }
        }
        let (Ok(rules), Ok(unconditional)) = (rules.closed(), unconditional.closed()) else {
            let message = "the rules of priority of this atom type are too many for their closure";
            return self.fault(Category::Unsupported, atom_type.name.span, message);
        };
        if !unconditional.cycles().is_false() {
            let span = atom_type
                .priorities
                .first()
                .map_or(atom_type.name.span, |it| it.name.span);
            return self.fault(
                Category::Value,
                span,
                "the rules of priority of this atom type go round in a circle",
            );
        }
        if !rules.cycles().is_false() {
            self.cycles.push(rules.cycles());
        }
        let waits = ports.iter().enumerate().map(|(low, port)| {
            let waits = rules
                .of(low)
                .map(|(high, condition)| (&*ports[high].text, condition.clone()));
            (&*port.text, waits.collect())
        });
        Ok(waits.collect())
    }
}
