//! Types of connectors.

use super::{Parsed, Parser};
use crate::languages::bip::lexer::Kind;
use crate::languages::bip::syntax::{ConnectorRule, ConnectorType, Define, Port};

impl Parser<'_> {
    pub(super) fn connector_type(&mut self) -> Parsed<ConnectorType> {
        let name = self.name("the name of the connector type")?;
        let parameters = self.bracketed(|parser| {
            let port_type = parser.dotted("the type of the port")?;
            Ok((port_type, parser.name("the name of the port")?))
        })?;
        let (mut data, mut export) = (Vec::new(), None);
        loop {
            self.annotations()?;
            let is_const = self.take("const");
            if is_const || self.is("data") {
                self.want("data")?;
                data.extend(self.data(is_const)?);
            } else if self.is("export") && export.is_none() {
                self.cursor.advance();
                self.want("port")?;
                let port_type = self.dotted("the type of the port")?;
                export = Some(Port {
                    port_type,
                    name: self.name("the name of the port")?,
                    data: self.bracketed(|parser| parser.name("the name of data"))?,
                });
            } else {
                break;
            }
        }
        self.want("define")?;
        let define = self.members()?;
        let mut rules = Vec::new();
        loop {
            self.annotations()?;
            if self.take("end") {
                break;
            }
            rules.push(self.connector_rule()?);
        }
        Ok(ConnectorType {
            name,
            parameters,
            data,
            export,
            define,
            rules,
        })
    }

    /// Members side by side, each a port or a group in brackets; triggers have a prime.
    fn members(&mut self) -> Parsed<Define> {
        let mut members = Vec::new();
        loop {
            let member = if self.take("(") {
                let group = self.nested(Self::members)?;
                self.want(")")?;
                group
            } else {
                Define::Port(self.name("the name of a port")?)
            };
            members.push((member, self.take("'")));
            let token = self.cursor.front();
            let is_name =
                token.kind == Kind::Word && !super::KEYWORDS.contains(&self.cursor.text(token));
            if !is_name && !self.is("(") {
                return Ok(Define::Group(members));
            }
        }
    }

    fn connector_rule(&mut self) -> Parsed<ConnectorRule> {
        self.want("on")?;
        let mut ports = vec![self.name("the name of a port")?];
        while !["provided", "up", "down", "on", "end", "@"]
            .iter()
            .any(|word| self.is(word))
        {
            ports.push(self.name("the name of a port, `provided`, `up`, `down`, `on` or `end`")?);
        }
        Ok(ConnectorRule {
            ports,
            guard: self.guard()?,
            up: self.block("up")?,
            down: self.block("down")?,
        })
    }
}
