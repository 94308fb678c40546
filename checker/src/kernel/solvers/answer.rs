//! What solvers say, and how it is read.

use slabcert_certificates::smtlib::{Scope, SexprKind, TermReader, read_sexprs};
use slabcert_certificates::term::{Sort, Symbol, Value};
use std::collections::BTreeMap;

/// What came out of asking whether formulas are satisfiable together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolverAnswer {
    /// They are not.
    Unsat,
    /// The solver says that they are, with these values. It is not trusted.
    Sat(BTreeMap<Symbol, Value>),
    /// The solver gives up.
    Unknown,
    /// There was no answer within the time.
    TimedOut,
    /// Something else happened, which is not an answer.
    Failed(SolverFailure),
}

/// How a solver fails.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolverFailure {
    /// The process did not start.
    #[error("it does not start: {0}")]
    DoesNotStart(String),
    /// The process ended too early.
    #[error("it terminated ({status}){said}")]
    Died {
        /// How it ended.
        status: String,
        /// The end of what it wrote to standard error, with a colon, or nothing.
        said: String,
    },
    /// It writes to standard error, whatever else it says.
    #[error("it writes to standard error: {0}")]
    Complains(String),
    /// It has answered, and does not end.
    #[error("it does not exit after its answer")]
    DoesNotEnd,
    /// It reports an error.
    #[error("it reports an error: {0}")]
    Error(String),
    /// It ends in peace without having said anything.
    #[error("it ends without an answer")]
    Silent,
    /// It answers something that is not an answer.
    #[error("its answer `{0}` is not valid")]
    Garbage(String),
    /// It writes without end.
    #[error("it writes more than {0} bytes")]
    Flood(usize),
    /// It failed too often before to be asked again.
    #[error("it failed {0} times in a row and is not used any more")]
    GivenUp(usize),
    /// The check was interrupted.
    #[error("the check was interrupted")]
    Interrupted,
}

/// How much of a strange answer is shown.
const SHOWN_CHARACTERS: usize = 200;

/// The beginning of a text, on one line.
pub(super) fn excerpt(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line,
    }
}

/// What one line says in answer to `(check-sat)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CheckSat {
    Unsat,
    Sat,
    Unknown,
    TimedOut,
}

/// Reads the answer to `(check-sat)`: one word, nothing else.
pub(super) fn read_check_sat(line: &str) -> Result<CheckSat, SolverFailure> {
    match line.trim() {
        "unsat" => Ok(CheckSat::Unsat),
        "sat" => Ok(CheckSat::Sat),
        "unknown" => Ok(CheckSat::Unknown),
        "timeout" => Ok(CheckSat::TimedOut),
        other => Err(complaint(other)),
    }
}

/// The failure that an unexpected text is.
pub(super) fn complaint(text: &str) -> SolverFailure {
    if text.trim_start().starts_with("(error") {
        SolverFailure::Error(excerpt(text))
    } else {
        SolverFailure::Garbage(excerpt(text))
    }
}

/// Reads the answer to `(get-value ...)`. What cannot be read is left out: the values are only a proposal.
pub(super) fn read_values<'a>(
    text: &str,
    symbols: impl IntoIterator<Item = &'a Symbol>,
) -> BTreeMap<Symbol, Value> {
    let by_name: BTreeMap<&str, &Symbol> = symbols
        .into_iter()
        .map(|symbol| (symbol.name(), symbol))
        .collect();
    let mut values = BTreeMap::new();
    for expression in read_sexprs(text).unwrap_or_default() {
        for pair in expression.as_list().unwrap_or_default() {
            let Some([name, value]) = pair.as_list() else {
                continue;
            };
            let Some(&symbol) = name.as_symbol().and_then(|name| by_name.get(name)) else {
                continue;
            };
            if let Some(value) = read_value(value, symbol.sort()) {
                values.insert(symbol.clone(), value);
            }
        }
    }
    values
}

/// A constant term as a value of the sort.
fn read_value(expression: &slabcert_certificates::smtlib::Sexpr, sort: Sort) -> Option<Value> {
    // Quoted constants and annotations have no business in a value.
    if matches!(&expression.kind, SexprKind::List(elements) if elements.is_empty()) {
        return None;
    }
    let scope = Scope::default();
    let term = TermReader::new(&scope).read(expression).ok()?;
    let term = if sort == Sort::Real && term.sort() == Sort::Int {
        term.to_real()
    } else {
        term
    };
    let value = term.evaluate(&|_: &Symbol| None).ok()?;
    (value.sort() == sort).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_words_themselves_are_answers() {
        assert_eq!(read_check_sat("unsat"), Ok(CheckSat::Unsat));
        assert_eq!(read_check_sat(" sat\r"), Ok(CheckSat::Sat));
        for line in [
            "unsat.",
            "UNSAT",
            "unsat sat",
            "(error \"unsat\")",
            "",
            "success",
            "v unsat",
        ] {
            assert!(read_check_sat(line).is_err(), "{line}");
        }
        assert!(matches!(
            read_check_sat("(error \"line 1\")"),
            Err(SolverFailure::Error(_))
        ));
    }

    #[test]
    fn values_of_all_solvers_are_read() {
        let symbols = [
            Symbol::new("x", Sort::Int),
            Symbol::new("r", Sort::Real),
            Symbol::new("s", Sort::Real),
            Symbol::new("b", Sort::Bool),
            Symbol::new("y", Sort::Int),
        ];
        let text =
            "((x (- 100000000000000000000006))\n (r (- (/ 7.0 24.0))) (s (/ (- 13) 48))\n (b true)
                    (y (root-obj (+ (^ x 2) (- 2)) 1)) (unknown 3) (x) 4)";
        let values = read_values(text, &symbols);
        let shown: Vec<String> = values
            .iter()
            .map(|(symbol, value)| format!("{} = {value}", symbol.name()))
            .collect();
        assert_eq!(
            shown,
            [
                "b = true",
                "r = -7/24",
                "s = -13/48",
                "x = -100000000000000000000006"
            ]
        );
        assert!(read_values("garbage )(", &symbols).is_empty());
    }
}
