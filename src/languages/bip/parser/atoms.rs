//! Types of atoms.

use super::{Parsed, Parser};
use crate::languages::bip::syntax::{AtomPriority, AtomType, Invariant, Name, Ports, Transition};

impl Parser<'_> {
    pub(super) fn atom_type(&mut self) -> Parsed<AtomType> {
        let mut atom = AtomType {
            name: self.name("the name of the atom type")?,
            parameters: self.bracketed(Self::parameter)?,
            data: Vec::new(),
            ports: Vec::new(),
            places: Vec::new(),
            initial: Vec::new(),
            initial_actions: Vec::new(),
            transitions: Vec::new(),
            priorities: Vec::new(),
            invariants: Vec::new(),
        };
        loop {
            self.annotations()?;
            if self.take("end") {
                return Ok(atom);
            }
            self.part(&mut atom)?;
        }
    }

    fn part(&mut self, atom: &mut AtomType) -> Parsed<()> {
        let is_exported = self.take("export");
        let is_const = self.is("const") && self.is_ahead(1, "data") && self.take("const");
        if self.take("data") {
            let mut data = self.data(is_const)?;
            data.iter_mut()
                .for_each(|data| data.is_exported = is_exported);
            atom.data.extend(data);
        } else if self.take("port") {
            let ports = self.ports()?;
            let merged = match is_exported && self.take("as") {
                true => Some(self.name("the name under which the ports are exported")?),
                false => None,
            };
            atom.ports.push(Ports {
                is_exported,
                ports,
                merged,
            });
        } else if is_exported {
            return self.fail("`data` or `port`");
        } else if self.is("clock") {
            return self.unsupported("clocks");
        } else if self.is("extern") {
            return self.unsupported("external ports");
        } else if self.take("place") {
            atom.places.extend(self.places()?);
        } else if self.take("initial") {
            self.want("to")?;
            atom.initial = self.places()?;
            atom.initial_actions = self.block("do")?;
        } else if self.is("on") || self.is("internal") {
            atom.transitions.push(self.transition()?);
        } else if self.take("priority") {
            atom.priorities.push(self.atom_priority()?);
        } else if self.take("invariant") {
            atom.invariants.push(self.invariant()?);
        } else {
            return self.fail("a part of the atom type, or `end`");
        }
        Ok(())
    }

    fn places(&mut self) -> Parsed<Vec<Name>> {
        self.list(|parser| parser.name("the name of a place"))
    }

    fn transition(&mut self) -> Parsed<Transition> {
        let span = self.cursor.front().span;
        let port = match self.take("internal") {
            true => None,
            false => {
                self.want("on")?;
                Some(self.name("the name of a port")?)
            }
        };
        self.want("from")?;
        let from = self.places()?;
        self.want("to")?;
        let to = self.places()?;
        let guard = self.guard()?;
        if ["eager", "lazy", "delayable", "reset", "resume"]
            .iter()
            .any(|word| self.is(word))
        {
            return self.unsupported("clocks and urgencies");
        }
        let actions = self.block("do")?;
        if self.is("reset") || self.is("resume") {
            return self.unsupported("clocks");
        }
        Ok(Transition {
            port,
            from,
            to,
            guard,
            actions,
            span,
        })
    }

    /// A port; none for all others, `*`.
    fn port_or_all(&mut self) -> Parsed<Option<Name>> {
        match self.take("*") {
            true => Ok(None),
            false => self.name("the name of a port, or `*`").map(Some),
        }
    }

    fn atom_priority(&mut self) -> Parsed<AtomPriority> {
        let name = self.name("the name of the priority")?;
        let low = self.port_or_all()?;
        self.want("<")?;
        Ok(AtomPriority {
            name,
            low,
            high: self.port_or_all()?,
            guard: self.guard()?,
        })
    }

    fn invariant(&mut self) -> Parsed<Invariant> {
        let name = self.name("the name of the invariant")?;
        let places = match self.take("at") || self.take("from") {
            true => self.places()?,
            false => Vec::new(),
        };
        match self.guard()? {
            Some(formula) => Ok(Invariant {
                name,
                places,
                formula,
            }),
            None => self.fail("`provided`"),
        }
    }
}
