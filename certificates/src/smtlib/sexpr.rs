//! S-expressions with positions, read without recursion.

use super::{Position, ReadError};

/// How deeply parentheses may nest.
pub const MAXIMAL_NESTING: usize = 10_000;

/// Ends a symbol that stands for a value after a step, in formats that have such symbols.
const PRIME: char = '\'';

/// A token that is not a parenthesis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Atom {
    /// A symbol, unquoted; whether it was written between bars.
    Symbol(String, bool),
    /// A keyword, with its colon.
    Keyword(String),
    /// Decimal digits.
    Numeral(String),
    /// Digits, a point, digits.
    Decimal(String),
    /// A string literal, unescaped.
    Text(String),
    /// A binary or hexadecimal literal, as written.
    BitVector(String),
}

/// What an S-expression is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SexprKind {
    /// A single token.
    Atom(Atom),
    /// A parenthesised list.
    List(Vec<Sexpr>),
}

/// An S-expression and where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sexpr {
    /// What it is.
    pub kind: SexprKind,
    /// Where it begins.
    pub position: Position,
}

impl Sexpr {
    /// The elements, if it is a list.
    pub fn as_list(&self) -> Option<&[Sexpr]> {
        match &self.kind {
            SexprKind::List(elements) => Some(elements),
            SexprKind::Atom(_) => None,
        }
    }

    /// The unquoted name, if it is a symbol.
    pub fn as_symbol(&self) -> Option<&str> {
        match &self.kind {
            SexprKind::Atom(Atom::Symbol(name, _)) => Some(name),
            _ => None,
        }
    }

    /// The keyword with its colon, if it is one.
    pub fn as_keyword(&self) -> Option<&str> {
        match &self.kind {
            SexprKind::Atom(Atom::Keyword(name)) => Some(name),
            _ => None,
        }
    }

    /// How many atoms and lists it consists of.
    pub fn size(&self) -> usize {
        let mut size = 0;
        let mut waiting = vec![self];
        while let Some(expression) = waiting.pop() {
            size += 1;
            waiting.extend(expression.as_list().unwrap_or_default());
        }
        size
    }

    /// The name at the head of a list, if the list begins with a symbol.
    pub fn head(&self) -> Option<&str> {
        self.as_list()?.first()?.as_symbol()
    }
}

struct Lexer<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    position: Position,
    /// Whether a symbol may end with a prime.
    has_primes: bool,
}

enum Token {
    Open,
    Close,
    Atom(Atom),
}

/// Ends a comment, as SMT-LIB says: a line feed, or a carriage return, which need not be followed by one.
fn is_line_break(character: char) -> bool {
    matches!(character, '\n' | '\r')
}

/// The characters, besides letters and digits, that a simple symbol may have.
pub(super) fn is_symbol_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(character)
}

impl Lexer<'_> {
    fn advance(&mut self) -> Option<char> {
        let character = self.rest.next()?;
        if character == '\n' {
            self.position.line += 1;
            self.position.column = 1;
        } else {
            self.position.column += 1;
        }
        Some(character)
    }

    fn skip_blanks(&mut self) {
        while let Some(&character) = self.rest.peek() {
            if character == ';' {
                while self.rest.peek().is_some_and(|&next| !is_line_break(next)) {
                    self.advance();
                }
            } else if character.is_ascii_whitespace() {
                self.advance();
            } else {
                return;
            }
        }
    }

    fn take_while(&mut self, accept: impl Fn(char) -> bool) -> String {
        let mut taken = String::new();
        while let Some(&character) = self.rest.peek() {
            if !accept(character) {
                break;
            }
            taken.push(character);
            self.advance();
        }
        taken
    }

    fn token(&mut self) -> Result<Option<(Token, Position)>, ReadError> {
        self.skip_blanks();
        let position = self.position;
        let Some(&first) = self.rest.peek() else {
            return Ok(None);
        };
        let token = match first {
            '(' => {
                self.advance();
                Token::Open
            }
            ')' => {
                self.advance();
                Token::Close
            }
            '|' => Token::Atom(self.quoted_symbol(position)?),
            '"' => Token::Atom(self.text(position)?),
            ':' => {
                self.advance();
                let name = self.take_while(is_symbol_character);
                if name.is_empty() {
                    return Err(ReadError::malformed(
                        position,
                        "a keyword needs a name after `:`",
                    ));
                }
                Token::Atom(Atom::Keyword(format!(":{name}")))
            }
            '#' => {
                self.advance();
                let digits = self.take_while(|character| character.is_ascii_alphanumeric());
                Token::Atom(Atom::BitVector(format!("#{digits}")))
            }
            digit if digit.is_ascii_digit() => Token::Atom(self.number(position)?),
            character if is_symbol_character(character) => {
                let name = self.take_while(is_symbol_character);
                Token::Atom(Atom::Symbol(self.with_prime(name), false))
            }
            other => {
                return Err(ReadError::malformed(
                    position,
                    format!(
                        "unexpected character `{}`; a symbol with such characters is written between bars, as in `|x y|`",
                        other.escape_default()
                    ),
                ));
            }
        };
        Ok(Some((token, position)))
    }

    /// The name with the prime that follows it, where symbols may have one.
    fn with_prime(&mut self, mut name: String) -> String {
        if self.has_primes && self.rest.peek() == Some(&PRIME) {
            self.advance();
            name.push(PRIME);
        }
        name
    }

    fn quoted_symbol(&mut self, position: Position) -> Result<Atom, ReadError> {
        self.advance();
        let name = self.take_while(|character| character != '|' && character != '\\');
        match self.advance() {
            Some('|') => Ok(Atom::Symbol(self.with_prime(name), true)),
            Some(_) => Err(ReadError::malformed(
                position,
                "a symbol between bars cannot contain a backslash",
            )),
            None => Err(ReadError::malformed(
                position,
                "a symbol that begins with `|` here never ends",
            )),
        }
    }

    fn text(&mut self, position: Position) -> Result<Atom, ReadError> {
        self.advance();
        let mut text = String::new();
        loop {
            match self.advance() {
                Some('"') if self.rest.peek() == Some(&'"') => {
                    self.advance();
                    text.push('"');
                }
                Some('"') => return Ok(Atom::Text(text)),
                Some(character) => text.push(character),
                None => {
                    return Err(ReadError::malformed(
                        position,
                        "a string that begins here never ends",
                    ));
                }
            }
        }
    }

    fn number(&mut self, position: Position) -> Result<Atom, ReadError> {
        let digits = self.take_while(|character| character.is_ascii_digit());
        let is_decimal = self.rest.peek() == Some(&'.');
        let atom = if is_decimal {
            self.advance();
            let fraction = self.take_while(|character| character.is_ascii_digit());
            if fraction.is_empty() {
                return Err(ReadError::malformed(
                    position,
                    "a decimal needs digits after the point",
                ));
            }
            Atom::Decimal(format!("{digits}.{fraction}"))
        } else {
            Atom::Numeral(digits)
        };
        if self.rest.peek().copied().is_some_and(is_symbol_character) {
            return Err(ReadError::malformed(
                position,
                "a number must be followed by a blank or a parenthesis",
            ));
        }
        Ok(atom)
    }
}

/// Reads a text as a sequence of S-expressions.
///
/// # Errors
/// At the first position where the text is not an S-expression, or nests deeper than [`MAXIMAL_NESTING`].
pub fn read_sexprs(text: &str) -> Result<Vec<Sexpr>, ReadError> {
    read_all(text, false)
}

/// Like [`read_sexprs`], but a symbol may end with a prime, as in `x'` and `|x[1]|'`; the prime is then part of its name.
///
/// # Errors
/// As [`read_sexprs`].
pub fn read_primed_sexprs(text: &str) -> Result<Vec<Sexpr>, ReadError> {
    read_all(text, true)
}

/// The commands of a text, up to `(exit)`.
///
/// # Errors
/// When something follows `(exit)`: some tools read on and others do not, so that it is not plain what the text says.
pub fn before_exit(mut commands: Vec<Sexpr>) -> Result<Vec<Sexpr>, ReadError> {
    let exit = commands
        .iter()
        .position(|command| command.head() == Some("exit"));
    if let Some(exit) = exit {
        if let Some(after) = commands.get(exit + 1) {
            return Err(ReadError::malformed(
                after.position,
                "unexpected text after `(exit)`",
            ));
        }
        commands.truncate(exit);
    }
    Ok(commands)
}

fn read_all(text: &str, has_primes: bool) -> Result<Vec<Sexpr>, ReadError> {
    let mut lexer = Lexer {
        rest: text.chars().peekable(),
        position: Position { line: 1, column: 1 },
        has_primes,
    };
    let mut finished = Vec::new();
    let mut open: Vec<(Position, Vec<Sexpr>)> = Vec::new();
    while let Some((token, position)) = lexer.token()? {
        let expression = match token {
            Token::Open => {
                if open.len() == MAXIMAL_NESTING {
                    return Err(ReadError::unsupported(
                        position,
                        format!("parentheses nest more than {MAXIMAL_NESTING} levels deep"),
                    ));
                }
                open.push((position, Vec::new()));
                continue;
            }
            Token::Close => match open.pop() {
                Some((position, elements)) => Sexpr {
                    kind: SexprKind::List(elements),
                    position,
                },
                None => {
                    return Err(ReadError::malformed(
                        position,
                        "this closing parenthesis has no opening one",
                    ));
                }
            },
            Token::Atom(atom) => Sexpr {
                kind: SexprKind::Atom(atom),
                position,
            },
        };
        match open.last_mut() {
            Some((_, elements)) => elements.push(expression),
            None => finished.push(expression),
        }
    }
    match open.last() {
        Some((position, _)) => Err(ReadError::malformed(
            *position,
            "this opening parenthesis is never closed",
        )),
        None => Ok(finished),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_keep_positions_and_quoting() {
        let read = read_sexprs("(a ; comment\n |b c| 1 1.5 :k \"s\"\"t\")").unwrap();
        let elements = read[0].as_list().unwrap();
        assert_eq!(elements[0].as_symbol(), Some("a"));
        assert_eq!(elements[1].as_symbol(), Some("b c"));
        assert_eq!(elements[1].position, Position { line: 2, column: 2 });
        assert_eq!(elements[4].as_keyword(), Some(":k"));
        assert_eq!(elements[5].kind, SexprKind::Atom(Atom::Text("s\"t".into())));
    }

    #[test]
    fn primes_belong_to_names_only_where_they_may() {
        let read = read_primed_sexprs("(x' |y z|' |w'|)").unwrap();
        let names: Vec<_> = read[0]
            .as_list()
            .unwrap()
            .iter()
            .map(Sexpr::as_symbol)
            .collect();
        assert_eq!(names, [Some("x'"), Some("y z'"), Some("w'")]);
        assert!(read_sexprs("(x')").is_err());
        assert!(read_primed_sexprs("(x'')").is_err());
        assert!(read_primed_sexprs("('x)").is_err());
    }

    #[test]
    fn broken_texts_are_refused_with_their_position() {
        for (text, line, column) in [
            ("(a", 1, 1),
            ("a)", 1, 2),
            ("\n|abc", 2, 1),
            ("\"abc", 1, 1),
            ("1.", 1, 1),
            ("12ab", 1, 1),
            ("|a\\b|", 1, 1),
            ("(a ü)", 1, 4),
            (":", 1, 1),
        ] {
            let error = read_sexprs(text).unwrap_err();
            assert_eq!(error.position, Position { line, column }, "{text}");
        }
    }

    #[test]
    fn a_hundred_thousand_parentheses_are_refused_without_a_crash() {
        let text = "(".repeat(100_000) + &")".repeat(100_000);
        assert!(
            read_sexprs(&text)
                .unwrap_err()
                .message
                .contains("levels deep")
        );
        let allowed = "(".repeat(MAXIMAL_NESTING) + &")".repeat(MAXIMAL_NESTING);
        assert!(read_sexprs(&allowed).is_ok());
    }
}
