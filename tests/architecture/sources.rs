//! Sources as tokens, without comments and literals, and the paths that they name. Grouped, renamed and multi-line `use` declarations count
//! as well as full paths in the code.

use std::fs;
use std::path::Path;

/// A source file: its path below the repository's root, with `/`, and its text.
pub struct Source {
    pub path: String,
    pub text: String,
}

impl Source {
    pub fn new(path: &str, text: &str) -> Self {
        Source {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    pub fn is_test(&self) -> bool {
        self.path
            .split('/')
            .any(|part| matches!(part, "tests" | "tests.rs" | "benches"))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    Word(String),
    /// `::`
    Path,
    Sign(char),
}

/// Splits a source into tokens, without comments, literals and lifetimes.
pub fn tokens(text: &str) -> Vec<Token> {
    let characters: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        let rest = &characters[at..];
        at += match rest {
            ['/', '/', ..] => rest.iter().position(|&c| c == '\n').unwrap_or(rest.len()),
            ['/', '*', ..] => block_comment(rest),
            ['"', ..] => string(rest),
            ['\'', ..] => character_or_lifetime(rest),
            [':', ':', ..] => {
                found.push(Token::Path);
                2
            }
            [first, ..] if first.is_alphanumeric() || *first == '_' => {
                let length = rest
                    .iter()
                    .position(|c| !(c.is_alphanumeric() || *c == '_'))
                    .unwrap_or(rest.len());
                let word: String = rest[..length].iter().collect();
                let raw = raw_string(&rest[length..]);
                match (word.as_str(), raw) {
                    ("r" | "br" | "cr", Some(skipped)) => length + skipped,
                    // `r#name` is the name itself.
                    ("r", None) if rest.get(length) == Some(&'#') => length + 1,
                    ("b" | "c", _) if rest.get(length) == Some(&'"') => length,
                    _ => {
                        found.push(Token::Word(word));
                        length
                    }
                }
            }
            [first, ..] => {
                if !first.is_whitespace() {
                    found.push(Token::Sign(*first));
                }
                1
            }
            [] => 1,
        };
    }
    found
}

/// The length of a block comment, which may be nested.
fn block_comment(rest: &[char]) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < rest.len() {
        match rest[at..] {
            ['/', '*', ..] => {
                depth += 1;
                at += 2;
            }
            ['*', '/', ..] => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    at
}

/// The length of a string literal with escapes.
fn string(rest: &[char]) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// The length of `"…"`, `#"…"#`, `##"…"##` and so on, if that is what comes.
fn raw_string(rest: &[char]) -> Option<usize> {
    let hashes = rest.iter().take_while(|&&c| c == '#').count();
    if rest.get(hashes) != Some(&'"') {
        return None;
    }
    let closing: Vec<char> = std::iter::once('"')
        .chain(std::iter::repeat_n('#', hashes))
        .collect();
    let body = &rest[hashes + 1..];
    let end = body
        .windows(closing.len())
        .position(|window| window == closing)
        .unwrap_or(body.len());
    Some((hashes + 1 + end + closing.len()).min(rest.len()))
}

/// The length of a character literal, or of the tick that begins a lifetime.
fn character_or_lifetime(rest: &[char]) -> usize {
    match rest {
        ['\'', '\\', ..] => {
            let close = rest[3.min(rest.len())..].iter().position(|&c| c == '\'');
            close.map_or(rest.len(), |offset| offset + 4)
        }
        ['\'', _, '\'', ..] => 3,
        _ => 1,
    }
}

/// A path that a source names, with where it starts from resolved.
#[derive(Debug, PartialEq, Eq)]
pub enum Named {
    /// Something in the same crate, from the crate's root; the flag says whether everything in it is imported.
    Own(Vec<String>, bool),
    /// Something that starts with the name of a crate or of a module in sight; the flag likewise.
    Other(Vec<String>, bool),
}

/// The module that a file is, from its crate's root: `src/solvers/z3.rs` is `[solvers, z3]`.
pub fn module_of(path: &str) -> Vec<String> {
    let inside = path.split_once("src/").map_or(path, |(_, inside)| inside);
    let mut module: Vec<String> = inside
        .trim_end_matches(".rs")
        .split('/')
        .map(str::to_owned)
        .collect();
    if matches!(
        module.last().map(String::as_str),
        Some("mod" | "lib" | "main")
    ) {
        module.pop();
    }
    module
}

/// All paths that a source names, in `use` declarations and elsewhere.
pub fn named(source: &Source) -> Vec<Named> {
    let tokens = tokens(&source.text);
    // The program of the model checker knows the library by its name.
    let is_own = source.path.starts_with("src/");
    let mut found = Vec::new();
    let mut module = module_of(&source.path);
    // For each open brace: whether it opened an inline module.
    let mut braces = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at..] {
            [
                Token::Word(keyword),
                Token::Word(name),
                Token::Sign('{'),
                ..,
            ] if keyword == "mod" => {
                module.push(name.clone());
                braces.push(true);
                at += 3;
            }
            [Token::Sign('{'), ..] => {
                braces.push(false);
                at += 1;
            }
            [Token::Sign('}'), ..] => {
                if braces.pop() == Some(true) {
                    module.pop();
                }
                at += 1;
            }
            [Token::Word(keyword), ..] if keyword == "use" => {
                at += 1;
                let mut paths = Vec::new();
                use_tree(&tokens, &mut at, &mut Vec::new(), &mut paths);
                // What captures a lifetime, `use<'a>`, is no path.
                paths.retain(|(path, _)| !path.is_empty());
                let resolved = paths.into_iter();
                found.extend(resolved.map(|(path, all)| resolve(&module, path, all, is_own)));
            }
            [Token::Word(first), Token::Path, ..] => {
                let mut path = vec![first.clone()];
                at += 1;
                while let [Token::Path, Token::Word(next), ..] = &tokens[at..] {
                    path.push(next.clone());
                    at += 2;
                }
                found.push(resolve(&module, path, false, is_own));
            }
            _ => at += 1,
        }
    }
    found
}

/// Reads one tree of a `use` declaration and lists its paths, each with whether it ends in `*`.
fn use_tree(
    tokens: &[Token],
    at: &mut usize,
    prefix: &mut Vec<String>,
    paths: &mut Vec<(Vec<String>, bool)>,
) {
    let depth = prefix.len();
    loop {
        match tokens.get(*at) {
            Some(Token::Word(word)) if word == "as" => *at += 2,
            Some(Token::Word(word)) => {
                prefix.push(word.clone());
                *at += 1;
            }
            Some(Token::Path) => *at += 1,
            Some(Token::Sign('*')) => {
                *at += 1;
                paths.push((prefix.clone(), true));
                break;
            }
            Some(Token::Sign('{')) => {
                *at += 1;
                while !matches!(tokens.get(*at), None | Some(Token::Sign('}'))) {
                    use_tree(tokens, at, prefix, paths);
                    if tokens.get(*at) == Some(&Token::Sign(',')) {
                        *at += 1;
                    }
                }
                *at += 1;
                break;
            }
            _ => {
                paths.push((prefix.clone(), false));
                break;
            }
        }
    }
    prefix.truncate(depth);
}

fn resolve(module: &[String], path: Vec<String>, all: bool, is_own: bool) -> Named {
    let mut base = match path.first().map(String::as_str) {
        Some("crate") => Vec::new(),
        Some("slabcert") if is_own => Vec::new(),
        Some("self" | "super") => module.to_vec(),
        _ => return Named::Other(path, all),
    };
    for (position, part) in path.into_iter().enumerate() {
        match part.as_str() {
            "super" => {
                base.pop();
            }
            // `self` ends a group: `use a::{self, b}`.
            "self" => {}
            "crate" | "slabcert" if position == 0 => {}
            _ => base.push(part),
        }
    }
    Named::Own(base, all)
}

/// The sources of the repository, in the order of their paths.
pub fn repository() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = Vec::new();
    for folder in ["src", "certificates", "checker", "tests", "benches"] {
        gather(root, &root.join(folder), &mut sources);
    }
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(
        sources.len() > 5,
        "the sources were not found below {}",
        root.display()
    );
    sources
}

fn gather(root: &Path, folder: &Path, sources: &mut Vec<Source>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "target") {
                gather(root, &path, sources);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a readable source");
            let inside = path.strip_prefix(root).expect("a path below the root");
            let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
            sources.push(Source::new(&parts.join("/"), &text));
        }
    }
}
