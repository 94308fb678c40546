//! Blocks in lock step. Their words are names elsewhere: they count only where no name can stand.

use super::super::syntax::{
    Around, Block, Expr, ExprKind, Item, Name, Process, Races, Role, SortExpr, UpdateKind, Var,
};
use super::super::token::{Keyword, Kind, Sign};
use super::{Failed, Parsed, Parser};
use crate::languages::diagnostics::{Category, Diagnostic};
use std::rc::Rc;

/// The word that begins a block.
pub(super) const SYNCHRONOUS: &str = "synchronous";

/// A name that is one of several words, and what each stands for.
type Words<T> = [(&'static str, T)];

impl Parser<'_> {
    /// Whether this word is at the front, and a name follows it.
    fn begins(&self, word: &str) -> bool {
        self.is_word(word) && self.cursor.ahead(1).kind == Kind::Identifier
    }

    fn is_word(&self, word: &str) -> bool {
        let token = self.cursor.front();
        token.kind == Kind::Identifier && self.cursor.text(token) == word
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.cursor.advance();
        }
        found
    }

    /// Whether a block begins here, where no name can stand.
    pub(super) fn begins_block(&self) -> bool {
        self.is_word(SYNCHRONOUS)
    }

    /// One of several words; the first one where another name stands, which is a fault.
    fn one_of<T: Copy>(&mut self, words: &Words<T>) -> Parsed<T> {
        let token = self.cursor.front();
        let text = self.cursor.text(token);
        let meant = words.iter().find(|(word, _)| *word == text);
        if meant.is_none() {
            let known: Vec<String> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
            let fault: Parsed<()> = self.fail(&known.join(" or "));
            if token.kind != Kind::Identifier {
                fault?;
            }
        }
        self.cursor.advance();
        Ok(meant.unwrap_or(&words[0]).1)
    }

    /// A block, whose parts become items of the file.
    pub(super) fn block(&mut self, items: &mut Vec<Item>, blocks: &mut Vec<Block>) -> Parsed<()> {
        self.cursor.advance();
        let name = self.name("the name of a block")?;
        let mut block = Block {
            name,
            races: Races::Error,
            inputs_when_stable: false,
        };
        if self.take_word("race") {
            block.races = self.one_of(&[
                ("error", Races::Error),
                ("per_variable", Races::PerVariable),
                ("serial", Races::Serial),
            ])?;
        }
        if self.take_word("inputs") {
            block.inputs_when_stable = self.one_of(&[("stable", true), ("always", false)])?;
        }
        self.sign(Sign::OpenBrace, "and the body of the block")?;
        let number = blocks.len();
        let name = block.name.clone();
        blocks.push(block);
        loop {
            let start = self.cursor.at;
            match self.cursor.front().kind {
                Kind::Sign(Sign::CloseBrace) => {
                    self.cursor.advance();
                    return Ok(());
                }
                Kind::End => return self.unclosed_block(&name),
                _ => {}
            }
            if let Err(Failed) = self.block_part(number, items) {
                self.recover(start, true);
                if self.cursor.at == start {
                    self.cursor.advance();
                }
            }
        }
    }

    fn unclosed_block(&mut self, name: &Name) -> Parsed<()> {
        let message = format!(
            "expected `}}` at the end of block `{}`, found the end of the file",
            name.text
        );
        let fault = Diagnostic::new(Category::Syntax, self.cursor.front().span, message)
            .expected("`input`, `event`, `var`, `process` or `}`")
            .related(name.span, "the block begins here");
        self.report(fault)
    }

    fn block_part(&mut self, block: usize, items: &mut Vec<Item>) -> Parsed<()> {
        match self.cursor.front().kind {
            Kind::Keyword(Keyword::Var) => {
                let variables = self.variables()?;
                items.push(Item::Var(variables));
            }
            Kind::Keyword(Keyword::Process) => {
                let process = self.process(Some(block))?;
                self.push_processes(process, items);
            }
            _ if self.take_word("input") => items.push(Item::Var(self.input(block)?)),
            _ if self.take_word("event") => items.push(Item::Var(self.event(block)?)),
            _ => return self.fail("`input`, `event`, `var`, `process` or `}` in a block"),
        }
        Ok(())
    }

    /// Adds a process, and those inside of it.
    pub(super) fn push_processes(&mut self, process: Process, items: &mut Vec<Item>) {
        items.push(Item::Process(process));
        items.extend(self.inside.drain(..).map(Item::Process));
    }

    fn input(&mut self, block: usize) -> Parsed<Var> {
        let names = self.list(Self::family_name)?;
        let (sort, role) = match self.take_sign(Sign::Colon) {
            true => (self.sort()?, Role::Level(block)),
            false => (SortExpr::Bool, Role::Event(block)),
        };
        self.semicolon("this declaration")?;
        Ok(Var {
            names,
            sort,
            initial: None,
            role,
        })
    }

    fn event(&mut self, block: usize) -> Parsed<Var> {
        let names = self.list(Self::family_name)?;
        self.semicolon("this declaration")?;
        Ok(Var {
            initial: Some(Expr {
                kind: ExprKind::Boolean(false),
                span: names[0].name.span,
            }),
            names,
            sort: SortExpr::Bool,
            role: Role::Raised(block),
        })
    }

    /// The name of a location, with the processes inside of it.
    pub(super) fn location(&mut self, process: &Process) -> Parsed<Name> {
        let name = self.name("the name of a location")?;
        let preempts = self.take_word("preempt");
        if !preempts && !self.is_sign(Sign::OpenBrace) {
            return Ok(name);
        }
        if process.block.is_none() {
            let message = "only locations of processes in a `synchronous` block hold processes";
            let span = self.cursor.front().span;
            self.faults
                .push(Diagnostic::new(Category::Syntax, span, message));
        }
        let weak = preempts && self.one_of(&[("weak", true), ("strong", false)])?;
        self.sign(Sign::OpenBrace, "and the processes inside of the location")?;
        let around = Around {
            process: process.name.clone(),
            location: name.clone(),
            weak,
            indices: process.index.binders.len(),
        };
        while !self.take_sign(Sign::CloseBrace) {
            if !self.is_keyword(Keyword::Process) {
                return self.fail("`process` or `}` in a location");
            }
            let place = self.inside.len();
            let Ok(mut inner) = self.nested(|parser| parser.process(process.block)) else {
                self.skip_braces();
                continue;
            };
            inner.around = Some(around.clone());
            inner.index.prepend(&process.index);
            // Those inside of it have its indices already; they need those around too, and come after it.
            for deeper in &mut self.inside[place..] {
                deeper.index.prepend(&process.index);
                if let Some(around) = &mut deeper.around {
                    around.indices += process.index.binders.len();
                }
            }
            self.inside.insert(place, inner);
        }
        Ok(name)
    }

    /// Goes on behind the next braces. Names passed over count as unreadable.
    fn skip_braces(&mut self) {
        let mut open = 0_usize;
        loop {
            match self.cursor.front().kind {
                Kind::End => return,
                Kind::Sign(Sign::OpenBrace) => open += 1,
                Kind::Sign(Sign::CloseBrace) => open = open.saturating_sub(1),
                _ => {}
            }
            let token = self.cursor.advance();
            if token.kind == Kind::Identifier {
                let name = Rc::from(self.cursor.text(token));
                self.unreadable.insert(name);
            }
            if open == 0 && token.kind == Kind::Sign(Sign::CloseBrace) {
                return;
            }
        }
    }

    /// `raise e`, where that is no assignment to a variable of that name.
    pub(super) fn raise(&mut self) -> Parsed<Option<UpdateKind>> {
        if !self.begins("raise") {
            return Ok(None);
        }
        self.cursor.advance();
        Ok(Some(UpdateKind::Raise(self.reference()?)))
    }

    /// `unstable(NAME)` and `ambiguous(NAME)`.
    pub(super) fn of_block(&mut self, is_count: bool) -> Parsed<ExprKind> {
        self.cursor.advance();
        self.cursor.advance();
        let name = self.name("the name of a block")?;
        self.asked.insert((is_count, Rc::clone(&name.text)));
        Ok(ExprKind::OfBlock(is_count, name))
    }
}
