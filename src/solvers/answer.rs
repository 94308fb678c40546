//! Reading the text of Z3's answer to a set of Horn clauses.
//!
//! The answer is a conjunction that defines relations, such as `(forall ((A Int)) (! (= (relation0 A) (>= A 0)) :weight 0))`. Bodies
//! of quantifiers cannot be reached through Z3's programming interface, but their text can. What is not understood is left out: a
//! solution is checked before it is believed.

use super::horn::{HornRelation, relation_name};
use slabcert_certificates::smtlib::{Position, Scope, Sexpr, TermReader, read_sexprs};
use slabcert_certificates::term::{Sort, Substitution, Symbol, Term};

/// For each relation its definition over its parameters, where the text has one.
pub(super) fn definitions(relations: &[HornRelation], text: &str) -> Vec<Option<Term>> {
    let mut found = vec![None; relations.len()];
    let Ok(expressions) = read_sexprs(text) else {
        return found;
    };
    for expression in &expressions {
        let parts = match expression.as_list() {
            Some([head, parts @ ..]) if head.as_symbol() == Some("and") => parts,
            _ => std::slice::from_ref(expression),
        };
        for part in parts {
            if let Some((relation, definition)) = definition(relations, part)
                && let Some(known) = found.get_mut(relation)
            {
                *known = Some(definition);
            }
        }
    }
    found
}

/// Reads `(forall (BINDINGS) EQUATION)`, or an equation alone for a relation without arguments.
fn definition(relations: &[HornRelation], expression: &Sexpr) -> Option<(usize, Term)> {
    match expression.as_list()? {
        [head, bindings, body] if head.as_symbol() == Some("forall") => {
            let mut bound = Vec::new();
            for binding in bindings.as_list()? {
                let [name, sort] = binding.as_list()? else {
                    return None;
                };
                bound.push(Symbol::new(
                    name.as_symbol()?,
                    sort_named(sort.as_symbol()?)?,
                ));
            }
            equation(relations, &bound, unannotated(body))
        }
        _ => equation(relations, &[], expression),
    }
}

fn sort_named(name: &str) -> Option<Sort> {
    [Sort::Bool, Sort::Int, Sort::Real]
        .into_iter()
        .find(|sort| sort.to_string() == name)
}

/// The term inside `(! term :weight 0)`.
fn unannotated(expression: &Sexpr) -> &Sexpr {
    match expression.as_list() {
        Some([head, term, ..]) if head.as_symbol() == Some("!") => term,
        _ => expression,
    }
}

/// Reads `(= (relationN A B) term)`, the arguments being bound symbols.
fn equation(
    relations: &[HornRelation],
    bound: &[Symbol],
    expression: &Sexpr,
) -> Option<(usize, Term)> {
    let [equals, application, body] = expression.as_list()? else {
        return None;
    };
    if equals.as_symbol() != Some("=") {
        return None;
    }
    let (name, arguments) = match application.as_list() {
        Some([name, arguments @ ..]) => (name.as_symbol()?, arguments),
        _ => (application.as_symbol()?, &[][..]),
    };
    let index = (0..relations.len()).find(|index| relation_name(*index) == name)?;
    let parameters = &relations.get(index)?.parameters;
    if arguments.len() != parameters.len() {
        return None;
    }
    let mut scope = Scope::default();
    for symbol in bound {
        scope.declare(symbol.clone(), Position::default()).ok()?;
    }
    let mut substitution = Substitution::default();
    for (argument, parameter) in arguments.iter().zip(parameters) {
        let symbol = scope.symbol(argument.as_symbol()?)?;
        if symbol.sort() != parameter.sort() {
            return None;
        }
        substitution.insert(symbol.clone(), Term::symbol(parameter.clone()));
    }
    let term = TermReader::new(&scope).read(body).ok()?;
    (term.sort() == Sort::Bool).then(|| (index, term.substitute(&substitution)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relations() -> Vec<HornRelation> {
        let parameters = vec![Symbol::new("x y", Sort::Int), Symbol::new("p", Sort::Bool)];
        vec![
            HornRelation { parameters },
            HornRelation { parameters: vec![] },
        ]
    }

    fn read(text: &str) -> Vec<Option<String>> {
        let found = definitions(&relations(), text).into_iter();
        found
            .map(|definition| definition.map(|term| term.to_string()))
            .collect()
    }

    #[test]
    fn definitions_are_read_over_the_parameters() {
        let text = "(and (= contradiction (exists ((x!1 Int)) (! (> x!1 0) :weight 0)))
            (= relation1 false)
            (forall ((A Int) (B Bool)) (! (= (relation0 A B) (let ((a!1 (+ A (* (- 1) 2)))) (or B (<= a!1 0)))) :weight 0)))";
        let expected = "(or p (<= (+ |x y| (* (- 1) 2)) 0))".to_owned();
        assert_eq!(read(text), [Some(expected), Some("false".to_owned())]);
        let alone = "(forall ((A Int) (B Bool)) (= (relation0 B A) true))";
        assert_eq!(read(alone), [None, None], "the sorts do not fit");
        assert_eq!(read("(= relation1 true)"), [None, Some("true".to_owned())]);
    }

    #[test]
    fn what_is_not_understood_is_left_out() {
        for text in [
            "",
            ")",
            "(and",
            "true",
            "(forall ((A Int)) (= (relation0 A) true))",
            "(forall ((A Int) (B Bool)) (= (relation0 A B) (exists ((C Int)) (> C A))))",
            "(forall ((A Int) (B Bool)) (= (relation0 A B) A))",
            "(forall ((A Int) (B Bool)) (= (relation0 3 B) true))",
            "(forall ((A (Array Int Int)) (B Bool)) (= (relation0 A B) true))",
            "(= relation7 true)",
        ] {
            assert_eq!(read(text), [None, None], "{text}");
        }
    }
}
