//! What systems and queries mean.

use super::*;

/// A counter with an input, and this command to check it.
fn counter(check: &str) -> String {
    format!(
        "(define-system main :input ((go Bool)) :local ((x Int)) :init (= x 0) :trans (= x' (ite go (+ x 1) x)))
         (check-system main :input ((go Bool)) :local ((y Int)) {check})"
    )
}

#[test]
fn variables_have_the_names_of_the_command_and_free_inputs_are_inputs() {
    let system = accepted(&counter(":reachable (r (= y 5)) :query (q (r))"));
    assert_eq!(
        shown(&system),
        "y | go | (= y 0) | (= y.next (ite go (+ y 1) y)) | q: (not (= y 5))"
    );
}

#[test]
fn an_input_that_is_restricted_or_whose_next_value_matters_is_a_state_variable() {
    for check in [
        ":assumption (a (=> go (< y 3))) :reachable (r (= y 5)) :query (q (a r))",
        ":assumption (a (not go')) :reachable (r (= y 5)) :query (q (a r))",
        ":reachable (r (and go go')) :query (q (r))",
        ":current (c go) :reachable (r (= y 5)) :query (q (c r))",
    ] {
        let system = accepted(&counter(check));
        assert!(system.inputs.is_empty(), "{check}");
        assert_eq!(system.variables[0].name(), "go", "{check}");
    }
}

#[test]
fn an_invariance_condition_and_an_assumption_hold_in_every_state() {
    let system = accepted(
        "(define-system main :local ((x Int)) :init (= x 0) :trans (= x' (+ x 1)) :inv (< x 9))
         (check-system main :local ((x Int)) :assumption (a (> x (- 3))) :reachable (r (= x 5)) :query (q (a r)))",
    );
    assert_eq!(
        shown(&system),
        "x |  | (and (= x 0) (< x 9) (> x (- 3))) | (and (= x.next (+ x 1)) (< x.next 9) (> x.next (- 3))) | q: (not (= x 5))"
    );
}

#[test]
fn another_initial_condition_takes_the_place_of_the_systems_own_but_not_of_its_invariance_condition()
 {
    let system = accepted(
        "(define-system main :local ((x Int)) :init (= x 0) :trans (= x' x) :inv (< x 9))
         (check-system main :current (c (> x 4)) :reachable (r (= x 5)) :query (q (c r)))",
    );
    assert_eq!(system.init_formula().to_string(), "(and (> x 4) (< x 9))");
}

#[test]
fn several_conditions_may_hold_at_different_steps() {
    let system = accepted(&counter(
        ":reachable (a (= y 1)) :reachable (b (= y 2)) :query (q (a b)) :query (single (a))",
    ));
    assert_eq!(
        shown(&system),
        "y a.seen b.seen | go | (and (= y 0) (not a.seen) (not b.seen)) | \
         (and (= y.next (ite go (+ y 1) y)) (= a.seen.next (or a.seen (= y 1))) (= b.seen.next (or b.seen (= y 2)))) | \
         q: (not (and (or a.seen (= y 1)) (or b.seen (= y 2)))), single: (not (= y 1))"
    );
}

#[test]
fn a_condition_about_a_step_holds_once_the_step_is_made() {
    let system = accepted(&counter(":reachable (r (and go (= y' 2))) :query (q (r))"));
    assert_eq!(
        shown(&system),
        "y r.seen | go | (and (= y 0) (not r.seen)) | \
         (and (= y.next (ite go (+ y 1) y)) (= r.seen.next (or r.seen (and go (= y.next 2))))) | q: (not r.seen)"
    );
}

#[test]
fn a_query_without_reachability_condition_asks_for_an_initial_state() {
    let system = accepted(&counter(":assumption (a true) :query (q (a))"));
    assert_eq!(system.properties[0].formula.to_string(), "false");
}

#[test]
fn a_queries_attribute_is_a_list_of_queries() {
    let system = accepted(&counter(
        ":reachable (a (= y 1)) :reachable (b (= y 2)) :queries ((q1 (a)) (q2 (b)))",
    ));
    let names: Vec<&str> = system
        .properties
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(names, ["q1", "q2"]);
}

#[test]
fn transitions_that_let_names_keep_their_names() {
    let system = accepted(
        "(define-system main :local ((x Int)) :init (= x 0)
           :trans (let ((up (= x' (+ x 1))) (|go down| (and (> x 0) (= |x'| (- x 1))))) (or up |go down|)) :inv (< x 9))
         (check-system main :reachable (r (= x 5)) :query (q (r)))",
    );
    let names: Vec<&str> = system
        .transitions
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(names, ["up", "go down"]);
    assert_eq!(
        system.transitions[1].formula(&system).to_string(),
        "(and (> x 0) (< (- x 1) 9) (= x.next (- x 1)))"
    );
    assert!(system.trans.is_none());
}

#[test]
fn enumerations_are_numbers_with_names_that_stay_in_range() {
    let system = accepted(
        "(declare-enum-sort Light (red green))
         (define-fun other ((l Light)) Light (ite (= l red) green red))
         (define-system main :output ((l Light)) :init (= l red) :trans (= l' (other l)))
         (check-system main :reachable (r (!= l red green)) :query (q (r)))",
    );
    assert_eq!(
        shown(&system),
        "l |  | (and (= l 0) (<= 0 l) (<= l 1)) | \
         (and (= l.next (ite (= l 0) 1 0)) (<= 0 l.next) (<= l.next 1)) | q: (not (distinct l 0 1))"
    );
    let table = system.variables[0].values.as_ref().unwrap();
    assert_eq!(
        (table.name.as_str(), &table.values[1][..]),
        ("Light", "green")
    );
}

#[test]
fn constants_never_change_and_those_that_nothing_mentions_are_left_out() {
    let system = accepted(
        "(declare-const limit Int) (declare-fun spare () Int)
         (define-system main :local ((x Int)) :init (= x 0) :trans (and (< x limit) (= x' (+ x 1))))
         (check-system main :reachable (r (= x 5)) :query (q (r)))",
    );
    assert_eq!(
        shown(&system),
        "x limit |  | (= x 0) | (and (< x limit) (= x.next (+ x 1)) (= limit.next limit)) | q: (not (= x 5))"
    );
}

#[test]
fn subsystems_run_in_step_and_have_local_variables_of_their_own() {
    let system = accepted(
        "(define-system Delay :input ((i Int)) :output ((o Int)) :local ((s Int)) :inv (= s i) :init (= o 0) :trans (= o' s))
         (define-system Twice :input ((in Int)) :output ((out Int)) :local ((mid Int))
           :subsys (A (Delay in mid)) :subsys (B (Delay mid out)))
         (check-system Twice :input ((i Int)) :output ((o Int)) :local ((m Int)) :reachable (r (= o 7)) :query (q (r)))",
    );
    assert_eq!(
        shown(&system),
        "i o m A.s B.s |  | (and (= m 0) (= o 0) (= A.s i) (= B.s m)) | \
         (and (= m.next A.s) (= o.next B.s) (= A.s.next i.next) (= B.s.next m.next)) | q: (not (= o 7))"
    );
}

#[test]
fn names_that_are_taken_get_numbers() {
    let system = accepted(
        "(define-system S :input ((i Int)) :local ((x Int)) :trans (= x' i))
         (define-system main :input ((x.next Int) (A.x Int)) :local ((x Int))
           :subsys (A (S x)) :trans (= x' x.next))
         (check-system main :reachable (r (= x 5)) :query (q (r)))",
    );
    let names: Vec<&str> = system.variables.iter().map(|it| it.name()).collect();
    assert_eq!(names, ["x", "A.x:2"]);
    assert_eq!(system.variables[0].next.name(), "x.next:2");
    assert_eq!(system.inputs.len(), 2);
}

#[test]
fn the_command_line_chooses_between_commands_and_queries() {
    let text = counter(":assumption (a go) :reachable (r (= y 5)) :query (q (r)) :query (p (a r))")
        + "(check-system main :reachable (s (= x 6)) :query (t (s)))";
    let formula = |choices: &[&str]| {
        let system = read_with(&text, choices).unwrap();
        assert_eq!(system.properties.len(), 1);
        system.properties[0].formula.to_string()
    };
    assert_eq!(formula(&["query=q"]), "(not (= y 5))");
    assert_eq!(formula(&["query=p"]), "(not (= y 5))");
    assert_eq!(formula(&["query=t"]), "(not (= x 6))");
    assert_eq!(formula(&["check=2"]), "(not (= x 6))");
    assert_eq!(formula(&["check=1", "query=q"]), "(not (= y 5))");
    for (choices, words) in [
        (["query=u"], "no query is called `u`"),
        (["check=3"], "no `check-system` command number 3"),
        (
            ["check=x"],
            "is the number of a `check-system` command, not `x`",
        ),
        (["N=3"], "so `N` cannot be set"),
    ] {
        let faults = read_with(&text, &choices).unwrap_err();
        assert_eq!(faults.exit_status(), 2, "{faults}");
        assert!(faults.to_string().contains(words), "{faults}");
    }
    for choices in [&[][..], &["check=1"]] {
        let faults = read_with(&text, choices).unwrap_err();
        assert_eq!(faults.exit_status(), 5, "{faults}");
        assert!(faults.to_string().contains("choose by `-D"), "{faults}");
    }
}

#[test]
fn what_is_read_is_written_and_read_again_as_the_same() {
    let text = "(declare-const limit Int)
         (define-system main :input ((go Bool) (|in 1| Int)) :output ((|out 1| Real)) :local ((x Int))
           :init (and (= x 0) (= |out 1| 0.5))
           :trans (let ((up (and go (= x' (+ x |in 1|)) (= |out 1|' |out 1|))) (hold (and (= x' x) (> |out 1'| (* 2.0 |out 1|))))) (or up hold)))
         (check-system main :reachable (r (= x 5)) :reachable (s (> x limit)) :query (q (r)) :query (|a b| (s)))";
    let once = accepted(text);
    let written = slabcert_exports::moxi::write_moxi(&once);
    let twice = accepted(&written);
    assert_eq!(shown(&once), shown(&twice), "{written}");
    let names = |system: &System| -> Vec<String> {
        let names = system.transitions.iter().map(|it| it.name.clone());
        names.collect()
    };
    assert_eq!(names(&once), names(&twice));
}
