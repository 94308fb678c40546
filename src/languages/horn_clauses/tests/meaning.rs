//! What clauses mean.

use super::*;

const PREDICATE: &str = "(set-logic HORN)(declare-fun p (Int) Bool)";
const FACT: &str = "(assert (forall ((x Int)) (=> (= x 0) (p x))))";
const STEP: &str = "(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))";
const QUERY: &str = "(assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))";

#[test]
fn one_predicate_needs_no_location() {
    let system = accepted(&[PREDICATE, FACT, STEP, QUERY, "(check-sat)(get-model)"].concat());
    assert_eq!(
        shown(&system),
        "x |  | (= x 0) | step: (= x.next (+ x 1)) | query: (not (< x 0))"
    );
}

#[test]
fn several_predicates_are_locations_and_share_variables() {
    let system = accepted(
        "(set-logic HORN)(declare-fun up (Int) Bool)(declare-fun down (Int Bool) Bool)
         (assert (up 0))
         (assert (forall ((i Int)) (=> (up i) (up (+ i 1)))))
         (assert (forall ((i Int)) (=> (and (up i) (> i 3)) (down i false))))
         (assert (forall ((i Int) (b Bool)) (=> (and (down i b) (< i 0)) false)))",
    );
    assert_eq!(
        shown(&system),
        "location i b |  | (and (= location 0) (= i 0)) | \
         up->up: (and (= location 0) (= i.next (+ i 1)) (= location.next location) (= b.next b)), \
         up->down: (and (= location 0) (> i 3) (= location.next 1) (= b.next false) (= i.next i)) | \
         query: (not (and (= location 1) (< i 0)))"
    );
    let table = system.variables[0].values.as_ref().unwrap();
    assert_eq!(table.values, ["up", "down"]);
}

#[test]
fn facts_about_more_than_the_arguments_begin_at_a_start() {
    let fact = "(assert (forall ((x Int) (y Int)) (=> (and (= x (* 2 y)) (> y 1)) (p x))))";
    let system = accepted(&[PREDICATE, fact, STEP, QUERY].concat());
    assert_eq!(
        shown(&system),
        "location x | y | (and (= location 0) (= x 0)) | \
         start->p: (and (= location 0) (> y 1) (= location.next 1) (= x.next (* 2 y))), \
         p->p: (and (= location 1) (= x.next (+ x 1)) (= location.next location)) | \
         query: (not (and (= location 1) (< x 0)))"
    );
}

/// Without a start there would be no state in which it could be violated.
#[test]
fn a_query_without_predicate_is_violated_at_the_start() {
    let query = "(assert (forall ((x Int)) (not (> x 5))))";
    let system = accepted(&[PREDICATE, query].concat());
    assert_eq!(
        shown(&system),
        "location | x | (= location 0) |  | query: (not (and (= location 0) (> x 5)))"
    );
    let nothing = accepted(&[PREDICATE, "(assert false)"].concat());
    assert_eq!(
        nothing.properties[0].formula.to_string(),
        "(not (= location 0))"
    );
}

#[test]
fn clauses_without_facts_have_no_initial_state() {
    let system = accepted(&[PREDICATE, STEP, QUERY].concat());
    assert_eq!(system.init_formula().to_string(), "false");
}

#[test]
fn other_variables_become_inputs_unless_an_equation_gives_them() {
    let step = "(assert (forall ((x Int) (y Int) (z Int) (b Bool))
        (=> (and (p x) (= y (+ x z)) (> z 0) b (= (+ y 1) x)) (p y))))";
    let system = accepted(&[PREDICATE, FACT, step, QUERY].concat());
    assert_eq!(
        system.trans_formula().to_string(),
        "(and (= x.next (+ x z)) (> z 0) (= (+ x.next 1) x))"
    );
    let inputs: Vec<&str> = system.inputs.iter().map(|it| it.symbol.name()).collect();
    assert_eq!(inputs, ["z"]);
}

#[test]
fn arguments_may_be_terms_and_occur_twice() {
    let text = "(set-logic HORN)(declare-fun p (Int Int) Bool)(assert (p 0 0))
         (assert (forall ((x Int)) (=> (p x x) (p 3 (+ x 1)))))
         (assert (forall ((x Int)) (=> (p (+ x 1) 7) false)))";
    let system = accepted(text);
    assert_eq!(
        shown(&system),
        "x x:2 | x:3 | (and (= x 0) (= |x:2| 0)) | step: (and (= |x:2| x) (= x.next 3) (= |x:2.next| (+ x 1))) | \
         query: (not (and (= x (+ |x:3| 1)) (= |x:2| 7)))"
    );
}

#[test]
fn the_same_name_in_two_clauses_may_have_two_sorts() {
    let text = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))
         (assert (forall ((x Int) (y Bool)) (=> (and (p x) (or y (> x 1))) (p 1))))
         (assert (forall ((x Int) (y Int)) (=> (and (p x) (< y x) (< x (+ y 2)) (distinct x 0 y)) (p y))))
         (assert (=> (p 9) false))";
    let system = accepted(text);
    let inputs = system.inputs.iter().map(|it| &it.symbol);
    let inputs: Vec<String> = inputs
        .map(|it| format!("{} {}", it.name(), it.sort()))
        .collect();
    assert_eq!(inputs, ["y Bool"]);
    assert_eq!(system.transitions.len(), 2);
}

#[test]
fn rules_and_queries_of_fixed_point_engines_are_clauses() {
    let system = accepted(
        "(declare-rel p (Int)) (declare-rel bad ()) (declare-var x Int) (declare-var y Int)
         (rule (p 0)) (rule (=> (and (p x) (> y x)) (p y)) grow) (rule (=> (and (p x) (< x 0)) bad))
         (query bad :print-certificate true) (query (p 3))",
    );
    assert_eq!(
        shown(&system),
        "location x |  | (and (= location 0) (= x 0)) | \
         grow: (and (= location 0) (> x.next x) (= location.next location)), \
         p->bad: (and (= location 0) (< x 0) (= location.next 1) (= x.next x)) | \
         bad: (not (= location 1)), p: (not (and (= location 0) (= x 3)))"
    );
}

/// All say: p holds of 0, is closed under adding 1, and not of -1.
#[test]
fn clauses_have_many_forms() {
    let forms = [
        "(assert (forall ((x Int)) (or (not (p x)) (p (+ x 1))))) (assert (not (p (- 1))))",
        "(assert (forall ((x Int)) (=> (p x) (=> true (p (+ x 1)))))) (assert (not (exists ((x Int)) (and (p x) (= x (- 1))))))",
        "(assert (not (or (p (- 1)) (exists ((x Int)) (and (p x) (not (p (+ x 1))))))))",
        "(assert (forall ((x Int)) (and (=> (p x) (p (+ x 1))) (=> (p (- 1)) false))))",
        "(assert (let ((a (p (- 1)))) (and (not a) (forall ((x Int)) (let ((b (p x)) (y (+ x 1))) (=> b (p y)))))))",
        "(assert (forall ((x Int)) (! (=> (p x) (p (+ x 1))) :named s))) (assert (=> (exists ((y Int)) (and (= y (- 1)) (p y))) false))",
        "(assert (forall ((x Int)) (ite (p x) (p (+ x 1)) true))) (assert (=> (p (- 1)) false))",
        "(define-fun next ((x Int)) Int (+ x 1)) (assert (forall ((x Int)) (=> (p x) (forall ((y Int)) (=> (= y (next x)) (p y)))))) (assert (forall ((x Int)) (=> (= x (- 1)) (not (p x)))))",
    ];
    for form in forms {
        let system = accepted(&[PREDICATE, "(assert (p 0))", form].concat());
        let name = system.variables[0].name();
        assert_eq!(
            system.init_formula().to_string(),
            format!("(= {name} 0)"),
            "{form}"
        );
        assert_eq!(
            system.trans_formula().to_string(),
            format!("(= {name}.next (+ {name} 1))"),
            "{form}"
        );
        assert_eq!(
            system.properties[0].formula.to_string(),
            format!("(not (= {name} (- 1)))"),
            "{form}"
        );
    }
}

#[test]
fn a_disjunction_above_predicates_is_several_clauses() {
    let text = "(set-logic HORN)(declare-fun p (Int) Bool)(declare-fun q (Int) Bool)(assert (p 0))
         (assert (forall ((x Int)) (=> (or (p x) (and (q x) (> x 1))) (q (+ x 1)))))
         (assert (forall ((x Int)) (=> (not (and (=> (q x) (> x 0)) true)) false)))";
    let system = accepted(text);
    let names: Vec<&str> = system
        .transitions
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(names, ["p->q", "q->q"]);
    assert_eq!(
        system.properties[0].formula.to_string(),
        "(not (and (= location 1) (not (> x 0))))"
    );
}

#[test]
fn a_clause_with_a_disjunctive_constraint_is_several_transitions() {
    let step = "(assert (forall ((x Int) (y Int)) (=> (and (p x) (or (= y 1) (and (= y 2) (> x 3)))) (p y))))";
    let system = accepted(&[PREDICATE, FACT, step, step, QUERY].concat());
    let names: Vec<&str> = system
        .transitions
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(names, ["step.1", "step.2", "step:2.1", "step:2.2"]);
}

#[test]
fn integers_are_promoted_to_reals() {
    let system = accepted(
        "(declare-rel p (Real)) (declare-var x Real) (rule (p 0)) (rule (=> (p x) (p (+ x 1)))) (query (p 2))",
    );
    assert_eq!(system.init_formula().to_string(), "(= x 0.0)");
}

#[test]
fn predicates_without_arguments_are_locations_alone() {
    let system = accepted(
        "(set-logic HORN)(declare-fun a () Bool)(declare-const b Bool)(assert a)(assert (=> a b))(assert (not b))",
    );
    assert_eq!(
        shown(&system),
        "location |  | (= location 0) | a->b: (and (= location 0) (= location.next 1)) | query: (not (= location 1))"
    );
}
