//! The commands of a file, in the dialect of SMT-LIB with asserted clauses and in that of rules and queries.

use super::clauses::{Clause, Reducer};
use super::formulas::Vocabulary;
use slabcert_certificates::smtlib::{
    FunctionDefinition, Position, ReadError, Scope, Sexpr, SexprKind, TermReader, before_exit,
    read_new_name, read_sexprs, read_sort,
};
use slabcert_certificates::term::{Sort, Symbol, Term};

/// What a file says.
pub(super) struct File {
    pub vocabulary: Vocabulary,
    pub clauses: Vec<Clause>,
}

/// Commands without a meaning for the clauses.
const SKIPPED: [&str; 9] = [
    "set-logic",
    "set-info",
    "set-option",
    "check-sat",
    "get-model",
    "get-proof",
    "get-info",
    "get-unsat-core",
    "echo",
];

/// Commands that are known and not supported.
const UNSUPPORTED: [&str; 9] = [
    "declare-sort",
    "define-sort",
    "declare-datatype",
    "declare-datatypes",
    "define-fun-rec",
    "define-funs-rec",
    "push",
    "pop",
    "check-sat-assuming",
];

/// Reads all commands up to `(exit)`.
pub(super) fn read(text: &str) -> Result<File, ReadError> {
    let mut reader = Commands::default();
    for command in before_exit(read_sexprs(text)?)? {
        reader.command(&command)?;
    }
    if !reader.clauses.iter().any(|clause| clause.head.is_none()) {
        let start = Position { line: 1, column: 1 };
        return Err(ReadError::malformed(
            start,
            "no clause has the head `false` and there is no query, so there is nothing to verify",
        ));
    }
    Ok(File {
        vocabulary: reader.vocabulary,
        clauses: reader.clauses,
    })
}

#[derive(Default)]
struct Commands {
    scope: Scope,
    vocabulary: Vocabulary,
    clauses: Vec<Clause>,
}

impl Commands {
    fn command(&mut self, command: &Sexpr) -> Result<(), ReadError> {
        let position = command.position;
        let elements = command.as_list().unwrap_or_default();
        let malformed = |words: &str| Err(ReadError::malformed(position, words));
        match (command.head(), elements) {
            (Some(name), _) if SKIPPED.contains(&name) => Ok(()),
            (Some("declare-fun"), [_, name, sorts, sort]) => {
                self.declare_function(name, sorts, sort)
            }
            (Some("declare-const"), [_, name, sort]) => {
                let none = Sexpr {
                    kind: SexprKind::List(Vec::new()),
                    position,
                };
                self.declare_function(name, &none, sort)
            }
            (Some("declare-rel"), [_, name, sorts, ..]) => self.declare_predicate(name, sorts),
            (Some("declare-var"), [_, name, sort]) => self.declare_variable(name, sort),
            (Some("define-fun" | "define-const"), _) => {
                let mut definition =
                    FunctionDefinition::of_command(elements, position, &read_sort)?;
                self.check_new(definition.name, definition.position)?;
                let body = definition.read_body(TermReader::new(&self.scope))?;
                definition.add_to(&mut self.scope, body)
            }
            (Some("assert"), [_, formula]) => self.clause(formula, None),
            (Some("rule"), [_, formula]) => self.clause(formula, None),
            (Some("rule"), [_, formula, name]) => self.clause(formula, Some(read_new_name(name)?)),
            (Some("query"), [_, formula, ..]) => self.query(formula),
            (Some("declare-fun"), _) => malformed("expected `(declare-fun name (sort ...) Bool)`"),
            (Some("declare-const"), _) => malformed("expected `(declare-const name Bool)`"),
            (Some("declare-rel"), _) => malformed("expected `(declare-rel name (sort ...))`"),
            (Some("declare-var"), _) => malformed("expected `(declare-var name sort)`"),
            (Some("assert"), _) => malformed("expected `(assert clause)`"),
            (Some("rule"), _) => malformed("expected `(rule clause)`"),
            (Some("query"), _) => malformed("expected `(query formula)`"),
            (Some(name), _) if UNSUPPORTED.contains(&name) => Err(ReadError::unsupported(
                position,
                format!("`{name}` is not supported"),
            )),
            (Some(name), _) => Err(ReadError::malformed(
                position,
                format!("`{name}` is not a command of Horn clauses"),
            )),
            (None, _) => malformed("a command such as `(assert (forall ...))` is expected"),
        }
    }

    fn check_new(&self, name: &str, position: Position) -> Result<(), ReadError> {
        if self.vocabulary.predicates.contains_key(name) || self.scope.knows(name) {
            return Err(ReadError::malformed(
                position,
                format!("`{name}` is declared twice"),
            ));
        }
        Ok(())
    }

    fn declare_function(
        &mut self,
        name: &Sexpr,
        sorts: &Sexpr,
        sort: &Sexpr,
    ) -> Result<(), ReadError> {
        if read_sort(sort)? != Sort::Bool {
            return Err(ReadError::unsupported(
                name.position,
                "only predicates are supported here; other constants and functions are not, a variable of a clause is bound by `forall`",
            ));
        }
        self.declare_predicate(name, sorts)
    }

    fn declare_predicate(&mut self, name: &Sexpr, sorts: &Sexpr) -> Result<(), ReadError> {
        let written = read_new_name(name)?;
        self.check_new(written, name.position)?;
        let list = sorts.as_list().ok_or_else(|| {
            ReadError::malformed(sorts.position, "a list of sorts is expected here")
        })?;
        let sorts: Vec<Sort> = list.iter().map(read_sort).collect::<Result<_, _>>()?;
        let predicates = &mut self.vocabulary.predicates;
        predicates.insert(written.to_owned(), sorts);
        Ok(())
    }

    fn declare_variable(&mut self, name: &Sexpr, sort: &Sexpr) -> Result<(), ReadError> {
        let written = read_new_name(name)?;
        self.check_new(written, name.position)?;
        let symbol = Symbol::new(written, read_sort(sort)?);
        self.scope.declare(symbol, name.position)?;
        self.vocabulary.reserved.reserve(written);
        Ok(())
    }

    /// Reads a formula, and the last name that an annotation gives to something in it.
    fn read_formula(&mut self, formula: &Sexpr) -> Result<(Term, Option<String>), ReadError> {
        self.vocabulary.begin_formula();
        let mut name = None;
        let mut note = |_: &Term, attributes: &[Sexpr], _: Position| {
            for pair in attributes.windows(2) {
                if pair[0].as_keyword() == Some(":named") {
                    name = pair[1].as_symbol().map(str::to_owned);
                }
            }
            Ok(())
        };
        let reader = TermReader::with_annotations(&self.scope, &mut note);
        let term = reader.extended(&mut self.vocabulary).read(formula)?;
        if term.sort() != Sort::Bool {
            return Err(ReadError::malformed(
                formula.position,
                format!(
                    "a formula is expected here, this term has sort {}",
                    term.sort()
                ),
            ));
        }
        Ok((term, name))
    }

    fn clause(&mut self, formula: &Sexpr, name: Option<&str>) -> Result<(), ReadError> {
        let (term, annotated) = self.read_formula(formula)?;
        let name = name.map(str::to_owned).or(annotated);
        self.reduce(Vec::new(), term, name, formula.position)
    }

    fn query(&mut self, formula: &Sexpr) -> Result<(), ReadError> {
        let (term, _) = self.read_formula(formula)?;
        let name = formula.as_symbol().or(formula.head()).map(str::to_owned);
        let name = name.filter(|name| self.vocabulary.predicates.contains_key(name));
        let violation = Term::bool(false);
        self.reduce(vec![term], violation, name, formula.position)
    }

    fn reduce(
        &mut self,
        premises: Vec<Term>,
        conclusion: Term,
        name: Option<String>,
        position: Position,
    ) -> Result<(), ReadError> {
        Reducer {
            vocabulary: &mut self.vocabulary,
            clauses: &mut self.clauses,
            name,
            position,
            work: 0,
            has_void_query: false,
        }
        .reduce(premises, conclusion)
    }
}
