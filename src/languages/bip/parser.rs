//! Reads words into a syntax tree, by recursive descent.
//!
//! A fault ends the reading of its type; the next type is still read. Invariant: nesting is bounded by [`NESTING`], which bounds the
//! recursion here and in everything that walks the tree.

mod atoms;
mod compounds;
mod connectors;
mod expressions;

use super::lexer::{self, Kind};
use super::syntax::{Data, DataType, ExternFunction, Invariant, Name, Package, Port, PortType};
use crate::languages::diagnostics::{Category, Diagnostic, Diagnostics};
use crate::languages::source::{Source, Span};
use crate::languages::words::Cursor;
use std::collections::BTreeSet;

/// How deep parentheses, `if` and groups of ports may nest.
pub(super) const NESTING: usize = 256;

/// Words that cannot be names.
const KEYWORDS: &[&str] = &[
    "package",
    "use",
    "end",
    "const",
    "data",
    "extern",
    "function",
    "operator",
    "port",
    "type",
    "connector",
    "define",
    "on",
    "provided",
    "up",
    "down",
    "export",
    "as",
    "atom",
    "place",
    "initial",
    "to",
    "from",
    "do",
    "internal",
    "priority",
    "invariant",
    "compound",
    "component",
    "if",
    "then",
    "else",
    "fi",
    "true",
    "false",
    "clock",
    "unit",
    "eager",
    "lazy",
    "delayable",
    "resume",
    "reset",
    "at",
    "int",
    "bool",
    "float",
    "string",
];

/// Reads the packages of a text, the model first; faults are added to `faults`, and what could be read is returned.
pub(super) fn parse(source: &Source, faults: &mut Diagnostics) -> Vec<Package> {
    let words = lexer::words(source, faults);
    let mut parser = Parser {
        cursor: Cursor::new(source.text(), words),
        depth: 0,
        faults,
    };
    let mut packages = Vec::new();
    // Where the second package begins: what stands in comments behind that is about other models.
    let mut end = source.text().len();
    loop {
        let mut package = Package::default();
        // What went wrong is among the faults.
        let is_read = parser.package(&mut package).is_ok();
        packages.push(package);
        if !is_read || parser.cursor.front().kind == Kind::End {
            break;
        }
        end = end.min(parser.cursor.front().span.start as usize);
    }
    if let Some(first) = packages.first_mut() {
        first.invariants = parser.properties(&source.text()[..end]);
    }
    packages
}

/// An invariant of that name, which a stretch of the text is; faults are added to `faults`.
pub(super) fn invariant(
    source: &Source,
    (name, span): (String, Span),
    faults: &mut Diagnostics,
) -> Option<Invariant> {
    let text = &source.text()[..span.end as usize];
    let words = lexer::words_between(text, span.start as usize, faults);
    let mut parser = Parser {
        cursor: Cursor::new(text, words),
        depth: 0,
        faults,
    };
    let text = name.into();
    parser.formula(Name { text, span }).ok()
}

/// A fault was met and reported.
struct Failed;

type Parsed<T> = Result<T, Failed>;

struct Parser<'a> {
    cursor: Cursor<'a, Kind>,
    depth: usize,
    faults: &'a mut Diagnostics,
}

impl<'a> Parser<'a> {
    fn is(&self, word: &str) -> bool {
        self.is_ahead(0, word)
    }

    fn is_ahead(&self, count: usize, word: &str) -> bool {
        let token = self.cursor.ahead(count);
        match token.kind {
            Kind::Sign(sign) => sign == word,
            Kind::Word => self.cursor.text(token) == word,
            _ => false,
        }
    }

    /// Passes over a keyword or a sign if it is at the front.
    fn take(&mut self, word: &str) -> bool {
        let found = self.is(word);
        if found {
            self.cursor.advance();
        }
        found
    }

    fn want(&mut self, word: &str) -> Parsed<Span> {
        if self.is(word) {
            return Ok(self.cursor.advance().span);
        }
        self.fail(&format!("`{word}`"))
    }

    fn shown_front(&self) -> String {
        match self.cursor.front().kind {
            Kind::End => "the end of the file".to_owned(),
            _ => format!("`{}`", self.cursor.text(self.cursor.front())),
        }
    }

    fn fail<T>(&mut self, expected: &str) -> Parsed<T> {
        let message = format!("unexpected {}", self.shown_front());
        let fault = Diagnostic::new(Category::Syntax, self.cursor.front().span, message);
        self.faults.push(fault.expected(expected));
        Err(Failed)
    }

    fn unsupported<T>(&mut self, what: &str) -> Parsed<T> {
        let fault = Diagnostic::new(
            Category::Unsupported,
            self.cursor.front().span,
            format!("{what} are not supported"),
        );
        self.faults.push(fault);
        Err(Failed)
    }

    /// One level deeper, as long as nesting is within its bound.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == NESTING {
            let message = format!("nesting is deeper than {NESTING} levels");
            let fault = Diagnostic::new(Category::Unsupported, self.cursor.front().span, message);
            self.faults.push(fault);
            return Err(Failed);
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        let token = self.cursor.front();
        if token.kind != Kind::Word || KEYWORDS.contains(&self.cursor.text(token)) {
            return self.fail(what);
        }
        self.cursor.advance();
        Ok(Name {
            text: self.cursor.text(token).into(),
            span: token.span,
        })
    }

    /// `a.b.c`.
    fn dotted(&mut self, what: &str) -> Parsed<Name> {
        let mut name = self.name(what)?;
        let mut text = name.text.to_string();
        while self.take(".") {
            let part = self.name("the name after the point")?;
            text.push('.');
            text.push_str(&part.text);
            name.span = name.span.to(part.span);
        }
        name.text = text.into();
        Ok(name)
    }

    /// One or more, with commas between them.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.take(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// None or more between round brackets.
    fn bracketed<T>(&mut self, item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        self.want("(")?;
        if self.take(")") {
            return Ok(Vec::new());
        }
        let items = self.list(item)?;
        self.want(")")?;
        Ok(items)
    }

    fn package(&mut self, package: &mut Package) -> Parsed<()> {
        self.annotations()?;
        self.want("package")?;
        package.name = Some(self.dotted("the name of the package")?);
        while self.take("use") {
            package.uses.push(self.dotted("the name of a package")?);
        }
        let mut is_empty = package.uses.is_empty();
        while !self.is("end") {
            self.annotations()?;
            let start = self.cursor.at;
            if self.item(package).is_err() {
                self.next_type(start)?;
            }
            is_empty = false;
        }
        if is_empty {
            return self.fail("a type, as a package has at least one");
        }
        self.want("end")?;
        match self.cursor.front().kind {
            Kind::End => Ok(()),
            _ if self.is("package") || self.is("@") => Ok(()),
            _ => self.fail("another package or the end of the file after the `end` of a package"),
        }
    }

    /// After a fault: goes to the next word that a type begins with.
    fn next_type(&mut self, start: usize) -> Parsed<()> {
        self.depth = 0;
        self.cursor.at = self.cursor.at.max(start + 1);
        let begins = |parser: &Self| {
            let kinds = ["atom", "compound", "connector", "port"];
            kinds.iter().any(|kind| parser.is(kind)) && parser.is_ahead(1, "type")
        };
        while !begins(self) {
            if self.cursor.advance().kind == Kind::End {
                return Err(Failed);
            }
        }
        Ok(())
    }

    /// Passes over `@name(key=value, ...)`: what is generated from a model matters to no property.
    fn annotations(&mut self) -> Parsed<()> {
        let mut known = BTreeSet::new();
        while self.take("@") {
            let name = self.name("the name of an annotation")?;
            if !known.insert(name.text.clone()) {
                let message = format!("the annotation `{}` stands twice", name.text);
                self.faults
                    .push(Diagnostic::new(Category::Name, name.span, message));
            }
            if self.is("(") {
                let mut open = 0_usize;
                loop {
                    match self.cursor.advance().kind {
                        Kind::Sign("(") => open += 1,
                        Kind::Sign(")") => open -= 1,
                        Kind::End => return self.fail("`)` at the end of the annotation"),
                        _ => {}
                    }
                    if open == 0 {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    fn item(&mut self, package: &mut Package) -> Parsed<()> {
        if self.take("const") {
            self.want("data")?;
            let data = self.data(true)?;
            package.constants.extend(data);
        } else if self.is("extern") {
            self.cursor.advance();
            package.functions.extend(self.external()?);
        } else if self.take("port") {
            self.want("type")?;
            let name = self.name("the name of the port type")?;
            let parameters = self.bracketed(Self::parameter)?;
            package.port_types.push(PortType { name, parameters });
        } else if self.take("connector") {
            self.want("type")?;
            package.connector_types.push(self.connector_type()?);
        } else if self.take("atom") {
            self.want("type")?;
            package.atom_types.push(self.atom_type()?);
        } else if self.take("compound") {
            self.want("type")?;
            package.compound_types.push(self.compound_type()?);
        } else {
            return self
                .fail("`const`, `extern`, `port`, `connector`, `atom`, `compound` or `end`");
        }
        Ok(())
    }

    /// `extern function [TYPE] NAME(TYPE, ...)`, after `extern`.
    fn external(&mut self) -> Parsed<Option<ExternFunction>> {
        if !self.is("function") {
            return self.unsupported("external data types and operators");
        }
        self.cursor.advance();
        let result = match self.is_ahead(1, "(") {
            true => None,
            false => Some(self.data_type()?),
        };
        let name = self.name("the name of the function")?;
        let arguments = self.bracketed(|parser| {
            let is_const = parser.take("const");
            let data_type = parser.data_type()?;
            // A parameter may have a name.
            if !parser.is(",") && !parser.is(")") {
                parser.name("the name of the parameter, `,` or `)`")?;
            }
            Ok((data_type, is_const))
        })?;
        Ok(Some(ExternFunction {
            name,
            result,
            arguments,
        }))
    }

    fn data_type(&mut self) -> Parsed<DataType> {
        let types = [
            ("int", DataType::Int),
            ("bool", DataType::Bool),
            ("float", DataType::Float),
            ("string", DataType::Text),
        ];
        for (word, data_type) in types {
            if self.take(word) {
                return Ok(data_type);
            }
        }
        match self.cursor.front().kind {
            Kind::Word => self.unsupported("data of other types than `int`, `bool` and `float`"),
            _ => self.fail("`int`, `bool` or `float`"),
        }
    }

    /// `[const] TYPE NAME [= EXPR], ...`
    fn data(&mut self, is_const: bool) -> Parsed<Vec<Data>> {
        let is_const = self.take("const") || is_const;
        let data_type = self.data_type()?;
        self.list(|parser| {
            Ok(Data {
                data_type,
                name: parser.name("the name of the data")?,
                initial: match parser.take("=") {
                    true => Some(parser.expression()?),
                    false => None,
                },
                is_exported: false,
                is_const,
            })
        })
    }

    fn parameter(&mut self) -> Parsed<Data> {
        let is_const = self.take("const");
        Ok(Data {
            data_type: self.data_type()?,
            name: self.name("the name of the parameter")?,
            initial: None,
            is_exported: false,
            is_const,
        })
    }

    /// `TYPE NAME(DATA, ...), ...`
    fn ports(&mut self) -> Parsed<Vec<Port>> {
        let port_type = self.dotted("the type of the port")?;
        self.list(|parser| {
            Ok(Port {
                port_type: port_type.clone(),
                name: parser.name("the name of the port")?,
                data: parser.bracketed(|parser| parser.name("the name of data"))?,
            })
        })
    }

    /// The properties that stand in comments, as `//@ invariant NAME: EXPR`.
    fn properties(&mut self, text: &str) -> Vec<Invariant> {
        let mut invariants = Vec::new();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let is_property = |text: &&str| text.trim_start().starts_with("invariant");
            let rest = line.trim_start().strip_prefix("//@").filter(is_property);
            if let Some(rest) = rest {
                let offset = start + line.len() - rest.len();
                let end = start + line.trim_end().len();
                let words = lexer::words_between(&text[..end], offset, self.faults);
                let mut parser = Parser {
                    cursor: Cursor::new(text, words),
                    depth: 0,
                    faults: self.faults,
                };
                invariants.extend(parser.property());
            }
            start += line.len();
        }
        invariants
    }

    fn property(&mut self) -> Parsed<Invariant> {
        self.want("invariant")?;
        let name = self.name("the name of the invariant")?;
        self.want(":")?;
        self.formula(name)
    }

    fn formula(&mut self, name: Name) -> Parsed<Invariant> {
        let formula = self.expression()?;
        match self.cursor.front().kind {
            Kind::End => Ok(Invariant {
                name,
                places: Vec::new(),
                formula,
            }),
            _ => self.fail("the end of the invariant"),
        }
    }
}
