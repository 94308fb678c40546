//! The words of the language.

use crate::languages::words;
use std::fmt;

/// A word of the text with its position.
pub(super) type Token = words::Token<Kind>;

/// What a word is. Identifiers and numbers are read from the text by their span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Identifier,
    Integer,
    Decimal,
    Keyword(Keyword),
    Sign(Sign),
    /// Characters that belong to no word; they were reported.
    Unreadable,
    End,
}

/// Declares an enumeration of fixed words with its table of spellings.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($variant:ident = $text:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum $name { $($variant),* }

        impl $name {
            /// Every word of this kind.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// How it is written.
            pub fn text(self) -> &'static str {
                match self { $($name::$variant => $text),* }
            }
        }
    };
}

words! {
    /// Words that cannot be names. The functions `sum`, `count`, `min`, `max`, `distinct` and `enabled` are not among them:
    /// the parenthesis that follows distinguishes them from names.
    Keyword {
        System = "system", Const = "const", Enum = "enum", Var = "var", Define = "define", Init = "init", Error = "error",
        Invariant = "invariant", Transition = "transition", Process = "process", Location = "location", Start = "start",
        Edge = "edge", Choose = "choose", Where = "where", When = "when", Do = "do", Havoc = "havoc", At = "at",
        Forall = "forall", Exists = "exists", In = "in", If = "if", Then = "then", Else = "else", Relation = "relation",
        Modifies = "modifies", Bool = "bool", Int = "int", Real = "real", True = "true", False = "false", Div = "div",
        Mod = "mod", Deadlock = "deadlock",
    }
}

words! {
    /// Signs; a longer one is preferred to a shorter one at the same position.
    Sign {
        Iff = "<=>", Assign = ":=", Arrow = "->", Implies = "=>", And = "&&", Or = "||", NotEqual = "!=", AtMost = "<=",
        AtLeast = ">=", Range = "..", Equal = "=", Less = "<", Greater = ">", Not = "!", Plus = "+", Minus = "-", Times = "*",
        Divide = "/", Semicolon = ";", Comma = ",", Colon = ":", Dot = ".", Prime = "'", OpenRound = "(", CloseRound = ")",
        OpenSquare = "[", CloseSquare = "]", OpenBrace = "{", CloseBrace = "}",
    }
}

impl Kind {
    /// The keyword that a word is, if it is one.
    pub fn of_word(word: &str) -> Kind {
        let keyword = Keyword::ALL.iter().find(|keyword| keyword.text() == word);
        keyword.map_or(Kind::Identifier, |keyword| Kind::Keyword(*keyword))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Identifier => out.write_str("a name"),
            Kind::Integer => out.write_str("an integer"),
            Kind::Decimal => out.write_str("a decimal"),
            Kind::Keyword(keyword) => write!(out, "`{}`", keyword.text()),
            Kind::Sign(sign) => write!(out, "`{}`", sign.text()),
            Kind::Unreadable => out.write_str("an unexpected character"),
            Kind::End => out.write_str("the end of the file"),
        }
    }
}
