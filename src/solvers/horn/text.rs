//! Horn clauses as SMT-LIB text, as solvers of the CHC competition read them.

use super::{Application, Clause, HornProblem, clause_symbols};
use slabcert_certificates::smtlib::{print_symbol, print_term};

/// The problem as text. The relations are called as they are told, and further ones `relation1`, `relation2`, ... by their index.
pub fn write_horn(problem: &HornProblem, names: &[&str]) -> String {
    let name = |index: usize| match names.get(index) {
        Some(name) => print_symbol(name),
        None => super::relation_name(index),
    };
    let mut lines = vec!["(set-logic HORN)".to_owned()];
    for (index, relation) in problem.relations.iter().enumerate() {
        let parameters = relation.parameters.iter();
        let sorts: Vec<String> = parameters.map(|it| it.sort().to_string()).collect();
        let sorts = sorts.join(" ");
        lines.push(format!("(declare-fun {} ({sorts}) Bool)", name(index)));
    }
    let clauses = problem.clauses.iter();
    lines.extend(clauses.map(|clause| format!("(assert {})", clause_text(clause, &name))));
    lines.push("(check-sat)\n".to_owned());
    lines.join("\n")
}

fn clause_text(clause: &Clause, name: &dyn Fn(usize) -> String) -> String {
    let apply = |application: &Application| {
        let arguments: Vec<String> = application.arguments.iter().map(print_term).collect();
        match arguments.as_slice() {
            [] => name(application.relation),
            _ => format!("({} {})", name(application.relation), arguments.join(" ")),
        }
    };
    let mut premises: Vec<String> = clause.body.iter().map(apply).collect();
    premises.extend(clause.constraint.conjuncts().iter().map(print_term));
    let premise = match premises.as_slice() {
        [] => "true".to_owned(),
        [only] => only.clone(),
        _ => format!("(and {})", premises.join(" ")),
    };
    let head = clause.head.as_ref().map_or("false".to_owned(), apply);
    let implication = format!("(=> {premise} {head})");
    let variables: Vec<String> = clause_symbols(clause)
        .iter()
        .map(|symbol| format!("({} {})", print_symbol(symbol.name()), symbol.sort()))
        .collect();
    if variables.is_empty() {
        return implication;
    }
    format!("(forall ({}) {implication})", variables.join(" "))
}
