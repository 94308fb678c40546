//! Items: constants, sorts, variables, defines, properties, transitions, processes.

use super::super::syntax::{
    Const, Define, Enum, FamilyName, Item, Name, Process, Property, Role, SlabModel, SortExpr,
    Transition, Var,
};
use super::super::syntax::{Edge, ExprKind};
use super::super::token::{Keyword, Kind, Sign};
use super::{Failed, Parsed, Parser};
use crate::languages::diagnostics::{Category, Diagnostic};

impl Parser<'_> {
    pub(super) fn model(&mut self) -> SlabModel {
        let mut model = SlabModel::default();
        match self.header() {
            Ok(name) => model.name = Some(name),
            Err(Failed) => self.recover(0, false),
        }
        while self.cursor.front().kind != Kind::End {
            let start = self.cursor.at;
            if self.begins_block() {
                if let Err(Failed) = self.block(&mut model.items, &mut model.blocks) {
                    self.recover(start, false);
                }
                continue;
            }
            match self.item() {
                Ok(item) => model.items.push(item),
                Err(Failed) => {
                    self.recover(start, false);
                    if self.cursor.at == start {
                        self.cursor.advance();
                    }
                }
            }
        }
        model
    }

    fn header(&mut self) -> Parsed<Name> {
        if !self.is_keyword(Keyword::System) {
            let token = self.cursor.front();
            let found = self.describe(token);
            let fault = Diagnostic::new(
                Category::Syntax,
                token.span,
                format!("expected `system NAME;` at the beginning, found {found}"),
            )
            .expected("`system`")
            .help("every model begins with its name, for example `system bakery;`");
            return self.report(fault);
        }
        self.cursor.advance();
        let name = self.name("the name of the system")?;
        self.semicolon("the first line")?;
        Ok(name)
    }

    fn item(&mut self) -> Parsed<Item> {
        let token = self.cursor.front();
        let Kind::Keyword(keyword) = token.kind else {
            return self.no_item();
        };
        match keyword {
            Keyword::Const => self.constant().map(Item::Const),
            Keyword::Enum => self.enumeration().map(Item::Enum),
            Keyword::Var => self.variables().map(Item::Var),
            Keyword::Define => self.definition().map(Item::Define),
            Keyword::Init => {
                self.cursor.advance();
                let expr = self.expression()?;
                self.semicolon("this initial condition")?;
                Ok(Item::Init(expr))
            }
            Keyword::Error | Keyword::Invariant => self.property().map(Item::Property),
            Keyword::Transition => self.transition().map(Item::Transition),
            Keyword::Process => self.process(None).map(Item::Process),
            _ => self.no_item(),
        }
    }

    fn no_item<T>(&mut self) -> Parsed<T> {
        const ITEMS: [&str; 10] = [
            "const",
            "enum",
            "var",
            "define",
            "init",
            "error",
            "invariant",
            "transition",
            "process",
            super::synchronous::SYNCHRONOUS,
        ];
        let token = self.cursor.front();
        let found = self.describe(token);
        let message = format!("expected the beginning of an item, found {found}");
        let fault = Diagnostic::new(Category::Syntax, token.span, message)
            .expected("one of `const`, `enum`, `var`, `define`, `init`, `error`, `invariant`, `transition`, `process`, `synchronous`");
        let fault = match token.kind {
            Kind::Sign(Sign::Semicolon) => {
                fault.help("remove the `;`: a process ends with its `}`")
            }
            Kind::Keyword(Keyword::Edge | Keyword::Location | Keyword::Start) => {
                fault.help("locations and edges belong into `process NAME { ... }`")
            }
            Kind::Identifier => fault.suggest(self.cursor.text(token), ITEMS),
            _ => fault,
        };
        self.report(fault)
    }

    fn constant(&mut self) -> Parsed<Const> {
        self.cursor.advance();
        let name = self.name("the name of a constant")?;
        self.sign(Sign::Equal, "and the value of the constant")?;
        let value = self.expression()?;
        self.semicolon("this constant")?;
        Ok(Const { name, value })
    }

    fn enumeration(&mut self) -> Parsed<Enum> {
        self.cursor.advance();
        let name = self.name("the name of an enumeration")?;
        self.sign(Sign::OpenBrace, "and the values of the enumeration")?;
        let values = self.list(|parser| parser.name("the name of a value"))?;
        self.sign(Sign::CloseBrace, "after the values of the enumeration")?;
        self.semicolon("this enumeration")?;
        Ok(Enum { name, values })
    }

    pub(super) fn variables(&mut self) -> Parsed<Var> {
        self.cursor.advance();
        let names = self.list(Self::family_name)?;
        self.sign(Sign::Colon, "and the sort of the variable")?;
        let sort = self.sort()?;
        let initial = match self.take_sign(Sign::Equal) {
            true => Some(self.expression()?),
            false => None,
        };
        self.semicolon("this declaration")?;
        Ok(Var {
            names,
            sort,
            initial,
            role: Role::State,
        })
    }

    pub(super) fn family_name(&mut self) -> Parsed<FamilyName> {
        let name = self.name("the name of a variable")?;
        let mut ranges = Vec::new();
        while self.take_sign(Sign::OpenSquare) {
            ranges.push(self.nested(Self::range)?);
            self.sign(Sign::CloseSquare, "after the range of the index")?;
        }
        Ok(FamilyName { name, ranges })
    }

    pub(super) fn sort(&mut self) -> Parsed<SortExpr> {
        let token = self.cursor.front();
        let sort = match token.kind {
            Kind::Keyword(Keyword::Bool) => SortExpr::Bool,
            Kind::Keyword(Keyword::Int) => SortExpr::Int,
            Kind::Keyword(Keyword::Real) => SortExpr::Real,
            _ => return self.range_or_enumeration(),
        };
        self.cursor.advance();
        Ok(sort)
    }

    fn range_or_enumeration(&mut self) -> Parsed<SortExpr> {
        if !self.begins_operand() {
            return self.fail(
                "a sort: `bool`, `int`, `real`, a range like `0..3`, or the name of an enumeration",
            );
        }
        let low = self.nested(Self::sum)?;
        if !self.is_sign(Sign::Range) {
            return match low.kind {
                ExprKind::Reference(reference, false)
                    if reference.indices.is_empty() && reference.member.is_none() =>
                {
                    Ok(SortExpr::Enum(reference.name))
                }
                _ => self.fail("`..` and the upper end of the range"),
            };
        }
        let range = self.range_from(low)?;
        Ok(SortExpr::Range(range))
    }

    fn definition(&mut self) -> Parsed<Define> {
        self.cursor.advance();
        let name = self.name("the name of a definition")?;
        let index = self.optional_index()?;
        self.sign(Sign::Equal, "and the expression that is named")?;
        let body = self.expression()?;
        self.semicolon("this definition")?;
        Ok(Define { name, index, body })
    }

    fn property(&mut self) -> Parsed<Property> {
        let invariant = self.cursor.advance().kind == Kind::Keyword(Keyword::Invariant);
        let what = if invariant {
            "this invariant"
        } else {
            "this error condition"
        };
        let labelled = self.cursor.ahead(1).kind == Kind::Sign(Sign::Colon);
        let name = if labelled {
            let name = self.property_name()?;
            self.sign(Sign::Colon, "after the name of the property")?;
            Some(name)
        } else {
            None
        };
        let expr = self.expression()?;
        self.semicolon(what)?;
        Ok(Property {
            name,
            expr,
            invariant,
        })
    }

    /// A name; `deadlock` is one here, because that is what everybody calls this property.
    fn property_name(&mut self) -> Parsed<Name> {
        let token = self.cursor.front();
        if token.kind != Kind::Keyword(Keyword::Deadlock) {
            return self.name("the name of the property");
        }
        self.cursor.advance();
        let text = Keyword::Deadlock.text().into();
        let span = token.span;
        Ok(Name { text, span })
    }

    fn transition(&mut self) -> Parsed<Transition> {
        self.cursor.advance();
        let name = self.name("the name of a transition")?;
        let index = self.optional_index()?;
        let command = self.command()?;
        let end = self.cursor.front().span.start;
        self.semicolon("this transition")?;
        Ok(Transition {
            name,
            index,
            command,
            end,
        })
    }

    pub(super) fn process(&mut self, block: Option<usize>) -> Parsed<Process> {
        self.cursor.advance();
        let name = self.name("the name of a process")?;
        let index = self.optional_index()?;
        self.sign(Sign::OpenBrace, "and the body of the process")?;
        let mut process = Process {
            name,
            index,
            block,
            around: None,
            vars: Vec::new(),
            locations: Vec::new(),
            start: None,
            edges: Vec::new(),
        };
        loop {
            let start = self.cursor.at;
            match self.cursor.front().kind {
                Kind::Sign(Sign::CloseBrace) => {
                    self.cursor.advance();
                    break;
                }
                Kind::Keyword(keyword) if super::begins_item(keyword, false, 1) => {
                    break self.unclosed(&process);
                }
                Kind::End => break self.unclosed(&process),
                _ => {}
            }
            if let Err(Failed) = self.process_part(&mut process) {
                self.recover(start, true);
                if self.cursor.at == start {
                    self.cursor.advance();
                }
            }
        }
        Ok(process)
    }

    fn unclosed(&mut self, process: &Process) {
        let found = self.describe(self.cursor.front());
        let message = format!(
            "expected `}}` at the end of process `{}`, found {found}",
            process.name.text
        );
        let fault = Diagnostic::new(Category::Syntax, self.cursor.front().span, message)
            .expected("`var`, `location`, `edge` or `}`")
            .related(process.name.span, "the process begins here");
        self.faults.push(fault);
    }

    fn process_part(&mut self, process: &mut Process) -> Parsed<()> {
        let token = self.cursor.front();
        match token.kind {
            Kind::Keyword(Keyword::Var) if process.locations.is_empty() => {
                let variables = self.variables()?;
                process.vars.push(variables);
                Ok(())
            }
            Kind::Keyword(Keyword::Var) => {
                let fault = Diagnostic::new(
                    Category::Syntax,
                    token.span,
                    "the variables of a process stand before its locations",
                )
                .help("move this declaration before `location`");
                self.report(fault)
            }
            Kind::Keyword(Keyword::Location) => self.locations(process),
            Kind::Keyword(Keyword::Edge) => {
                if process.locations.is_empty() {
                    let message = "the locations of a process stand before its edges";
                    let fault = Diagnostic::new(Category::Syntax, token.span, message)
                        .expected("`location A, B; start A;`");
                    self.faults.push(fault);
                }
                let edge = self.edge()?;
                process.edges.push(edge);
                Ok(())
            }
            _ => self.fail("`var`, `location`, `edge` or `}` in a process"),
        }
    }

    fn locations(&mut self, process: &mut Process) -> Parsed<()> {
        let token = self.cursor.advance();
        if !process.locations.is_empty() {
            let message = "the locations of this process are already declared";
            let fault = Diagnostic::new(Category::Syntax, token.span, message)
                .help("name all locations after one `location`, separated by commas");
            self.faults.push(fault);
        }
        let locations = self.list(|parser| parser.location(process))?;
        process.locations.extend(locations);
        self.semicolon("the locations")?;
        self.keyword(Keyword::Start, "and the location where the process starts")?;
        process.start = Some(self.name("the location where the process starts")?);
        self.semicolon("the start location")?;
        Ok(())
    }

    fn edge(&mut self) -> Parsed<Edge> {
        let first = self.cursor.advance().span;
        let named = matches!(
            self.cursor.ahead(1).kind,
            Kind::Sign(Sign::Colon | Sign::OpenSquare)
        );
        let name = if named {
            let name = self.name("the name of an edge")?;
            let index = self.optional_index()?;
            self.sign(Sign::Colon, "after the name of the edge")?;
            Some((name, index))
        } else {
            None
        };
        let source = self.name("the location where the edge begins")?;
        self.sign(Sign::Arrow, "between the locations of the edge")?;
        let target = self.name("the location where the edge ends")?;
        let span = first.to(target.span);
        let command = self.command()?;
        let end = self.cursor.front().span.start;
        self.semicolon("this edge")?;
        Ok(Edge {
            name,
            source,
            target,
            command,
            span,
            end,
        })
    }
}
