//! Types of compounds.

use super::{Parsed, Parser};
use crate::languages::bip::syntax::{
    Component, CompoundPriority, CompoundType, Connector, Name, Pattern,
};

impl Parser<'_> {
    pub(super) fn compound_type(&mut self) -> Parsed<CompoundType> {
        let mut compound = CompoundType {
            name: self.name("the name of the compound type")?,
            parameters: self.bracketed(Self::parameter)?,
            components: Vec::new(),
            connectors: Vec::new(),
            priorities: Vec::new(),
            ports: Vec::new(),
            data: Vec::new(),
        };
        loop {
            self.annotations()?;
            if self.take("end") {
                return Ok(compound);
            }
            if self.take("component") {
                let component_type = self.dotted("the type of the component")?;
                compound.components.extend(self.list(|parser| {
                    Ok(Component {
                        component_type: component_type.clone(),
                        name: parser.name("the name of the component")?,
                        arguments: parser.bracketed(Self::expression)?,
                    })
                })?);
            } else if self.take("connector") {
                let connector_type = self.dotted("the type of the connector")?;
                compound.connectors.extend(self.list(|parser| {
                    Ok(Connector {
                        connector_type: connector_type.clone(),
                        name: parser.name("the name of the connector")?,
                        ports: parser.bracketed(|parser| parser.dotted("a port"))?,
                    })
                })?);
            } else if self.take("priority") {
                compound.priorities.push(self.compound_priority()?);
            } else if self.take("export") {
                self.exported(&mut compound)?;
            } else {
                return self.fail("a part of the compound type, or `end`");
            }
        }
    }

    fn exported(&mut self, compound: &mut CompoundType) -> Parsed<()> {
        let is_port = self.take("port");
        if !is_port {
            self.want("data")?;
        }
        let parts = self.list(|parser| parser.dotted("a part of a component"))?;
        self.want("as")?;
        let name: Name = self.name("the name under which it is exported")?;
        match (is_port, &parts[..]) {
            (true, _) => compound.ports.push((parts, name)),
            (false, [data]) => compound.data.push((data.clone(), name)),
            (false, _) => return self.fail("one piece of data for each `export data`"),
        }
        Ok(())
    }

    fn compound_priority(&mut self) -> Parsed<CompoundPriority> {
        let name = self.name("the name of the priority")?;
        let low = self.pattern()?;
        self.want("<")?;
        Ok(CompoundPriority {
            name,
            low,
            high: self.pattern()?,
            guard: self.guard()?,
        })
    }

    /// `CONNECTOR:PORT,...`, with `*` for all on either side of the colon.
    fn pattern(&mut self) -> Parsed<Pattern> {
        let connector = match self.take("*") {
            true => None,
            false => Some(self.name("the name of a connector, or `*`")?),
        };
        self.want(":")?;
        let ports = match self.take("*") {
            true => None,
            false => Some(self.list(|parser| parser.dotted("a port, or `*`"))?),
        };
        Ok(Pattern { connector, ports })
    }
}
