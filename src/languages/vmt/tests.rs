//! The VMT-LIB front end: what a relation is split into, that nothing is lost or added, and what refused files are told.

use super::*;
use slabcert_certificates::system::System;
use slabcert_certificates::system::Transition;
use slabcert_certificates::term::{Sort, Symbol, Term, Value};

fn read(source: &Source, most_transitions: usize) -> Result<System, Diagnostics> {
    Vmt { most_transitions }
        .read(source, &Options::default())
        .map(|it| it.flat())
}

fn read_text(text: &str) -> System {
    match read(&Source::new("m.vmt", text), Vmt::DEFAULT.most_transitions) {
        Ok(system) => system,
        Err(faults) => panic!("{faults}"),
    }
}

/// A system with two Booleans, two integers and a Boolean and an integer input, and this relation.
fn with_relation(relation: &str) -> String {
    format!(
        "(declare-fun b () Bool)(declare-fun b.next () Bool)(declare-fun c () Bool)(declare-fun c.next () Bool)
         (declare-fun x () Int)(declare-fun x.next () Int)(declare-fun y () Int)(declare-fun y.next () Int)
         (declare-fun go () Bool)(declare-fun k () Int)
         (define-fun .b () Bool (! b :next b.next))(define-fun .c () Bool (! c :next c.next))
         (define-fun .x () Int (! x :next x.next))(define-fun .y () Int (! y :next y.next))
         (define-fun .init () Bool (! (= x 0) :init true))
         (define-fun .trans () Bool (! {relation} :trans true))
         (define-fun .prop () Bool (! (<= x 9) :invar-property 0))"
    )
}

/// Guard, updates, relation and frame as text.
fn shown(transition: &Transition, system: &System) -> String {
    let conjuncts = |list: &[slabcert_certificates::system::Conjunct]| {
        list.iter()
            .map(|conjunct| conjunct.formula.to_string())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let updates: Vec<String> = transition
        .updates
        .iter()
        .map(|update| {
            let variable = system.variables[update.variable].name();
            format!("{variable} := {}", update.value)
        })
        .collect();
    let frame: Vec<&str> = transition
        .frame
        .iter()
        .map(|&index| system.variables[index].name())
        .collect();
    format!(
        "{}: when {} do {} relation {} frame {}",
        transition.name,
        conjuncts(&transition.guard),
        updates.join(", "),
        conjuncts(&transition.relation),
        frame.join(" ")
    )
}

fn all_shown(relation: &str) -> Vec<String> {
    let system = read_text(&with_relation(relation));
    system
        .transitions
        .iter()
        .map(|transition| shown(transition, &system))
        .collect()
}

/// All assignments of the symbols with integers 0, 1 and 2.
fn assignments(symbols: &[Symbol]) -> Vec<Vec<Value>> {
    symbols.iter().fold(vec![Vec::new()], |partial, symbol| {
        let values: Vec<Value> = match symbol.sort() {
            Sort::Bool => vec![false.into(), true.into()],
            _ => (0..3).map(|number| Value::Int(number.into())).collect(),
        };
        partial
            .iter()
            .flat_map(|chosen| {
                values.iter().map(|value| {
                    let mut longer = chosen.clone();
                    longer.push(value.clone());
                    longer
                })
            })
            .collect()
    })
}

fn assert_equivalent(left: &Term, right: &Term, context: &str) {
    let symbols: Vec<Symbol> = Term::and([left.clone(), right.clone()])
        .symbols()
        .into_iter()
        .chain(left.symbols())
        .chain(right.symbols())
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .collect();
    for values in assignments(&symbols) {
        let lookup = |symbol: &Symbol| {
            let index = symbols.iter().position(|other| other == symbol)?;
            Some(values[index].clone())
        };
        assert_eq!(
            left.holds(&lookup),
            right.holds(&lookup),
            "{context} at {values:?}"
        );
    }
}

#[test]
fn updates_frames_and_guards_are_recognised() {
    assert_eq!(
        all_shown(
            "(and b (< x 3) (= x.next (+ x 1)) (= y y.next) (not b.next) (= c.next (not c)))"
        ),
        ["trans: when b (< x 3) do b := false, c := (not c), x := (+ x 1) relation  frame y"]
    );
}

#[test]
fn equations_are_solved_for_the_next_value() {
    assert_eq!(
        all_shown(
            "(and (= (+ x (* (- 1) x.next)) (- 1)) (= (- y y.next) x) (= b b.next) (= c c.next))"
        ),
        ["trans: when  do x := (+ x 1), y := (- y x) relation  frame b c"]
    );
}

#[test]
fn intermediate_inputs_and_next_values_are_followed() {
    assert_eq!(
        all_shown("(and (= k (+ x 1)) (= x.next k) (= y.next x.next) (= b b.next) (= c c.next))"),
        ["trans: when (= k (+ x 1)) do x := (+ x 1), y := (+ x 1) relation  frame b c"]
    );
}

#[test]
fn a_value_that_cannot_change_is_a_frame() {
    assert_eq!(
        all_shown("(and b b.next (= x 2) (= x.next 2) (= y.next y) (= c.next c))"),
        ["trans: when b (= x 2) do  relation  frame b c x y"]
    );
}

#[test]
fn what_is_not_a_function_of_the_state_stays_a_relation() {
    assert_eq!(
        all_shown("(and (< x x.next) (= y.next (+ x.next 1)) (= b.next b) (= c.next c))"),
        ["trans: when  do  relation (< x x.next) (= y.next (+ x.next 1)) frame b c"]
    );
    // An even number: an integer is not divided.
    assert_eq!(
        all_shown("(and (= (* 2 x.next) y) (= y.next y) (= b.next b) (= c.next c))"),
        ["trans: when  do  relation (= (* 2 x.next) y) frame b c y"]
    );
}

#[test]
fn implications_from_locations_become_transitions() {
    let relation = "(and (=> (and b c) (and (= x.next 0) (= y.next y) b.next (not c.next)))
                         (=> (and b (not c)) (and (= x.next (+ x 1)) (= y.next y) (not b.next) c.next))
                         (or b (and (= x.next x) (= y.next y) (= b.next b) (= c.next c))))";
    let shown = all_shown(relation);
    assert_eq!(
        shown,
        [
            "t1: when (not b) do  relation  frame b c x y",
            "t2: when b (not c) do b := false, c := true, x := (+ x 1) relation  frame y",
            "t3: when b c do c := false, x := 0 relation  frame b y",
        ]
    );
}

#[test]
fn conditions_on_data_split_what_depends_on_them() {
    let shown = all_shown(
        "(and (or (< x 5) (= x.next 0)) (or (not (< x 5)) (= x.next (+ x 1))) (= y.next y) (= b.next b) (= c.next c))",
    );
    assert_eq!(
        shown,
        [
            "t1: when (not (< x 5)) do x := 0 relation  frame b c y",
            "t2: when (< x 5) do x := (+ x 1) relation  frame b c y",
        ]
    );
}

#[test]
fn a_disjunction_about_the_state_before_is_a_guard() {
    let shown =
        all_shown("(and (or (< x 5) (< y 5)) (= x.next y) (= y.next x) (= b.next b) (= c.next c))");
    assert_eq!(
        shown,
        ["trans: when (or (< x 5) (< y 5)) do x := y, y := x relation  frame b c"]
    );
}

#[test]
fn splitting_neither_loses_nor_adds_steps() {
    for relation in [
        "(ite b (ite c (= x.next 1) (= x.next x)) (xor b.next go))",
        "(and (xor b c) (=> go (= x.next k)) (or (not go) b.next c.next))",
        "(or (and b (or (= x.next 0) (= x.next 1)) (= y.next x.next)) (and (not b) (not (= x 1)) (= x.next x)))",
        "(not (and b (=> c (= x.next x)) (or b.next (not (= y.next y)))))",
        "(distinct b b.next c)",
        "(and (= b.next (= c go)) (= (not c) c.next) (not (= x x.next)))",
        "(and (= x.next (ite b k y)) (= k (ite b 1 2)) (or (= k 1) (= y.next 2)))",
    ] {
        for most in [1, 2, 3, 64] {
            let source = Source::new("m.vmt", with_relation(relation));
            let system = read(&source, most).unwrap();
            assert!(system.transitions.len() <= most, "{relation}");
            let split = Term::or(system.transitions.iter().map(|it| it.formula(&system)));
            assert_equivalent(
                &system.trans_formula(),
                &split,
                &format!("{relation} {most}"),
            );
        }
    }
}

#[test]
fn the_bound_on_transitions_is_kept_and_the_rest_stays_open() {
    let flips: Vec<String> = (0..10)
        .map(|index| format!("(or (<= x.next {index}) (<= y.next {index}))"))
        .collect();
    let relation = format!("(and {})", flips.join(" "));
    let source = Source::new("m.vmt", with_relation(&relation));
    let system = read(&source, 5).unwrap();
    assert!((2..=5).contains(&system.transitions.len()));
    assert!(system.transitions.iter().any(|it| {
        it.relation
            .iter()
            .any(|conjunct| conjunct.formula.to_string().starts_with("(or"))
    }));
}

#[test]
fn a_relation_without_steps_has_no_transitions() {
    assert!(all_shown("(and b (not b))").is_empty());
    assert!(all_shown("(and (= x.next 1) (= x.next 2))").is_empty());
}

/// Such a disjunct says nothing new once it is chosen.
#[test]
fn a_disjunct_of_guards_alone_is_not_split_for_ever() {
    let guards = "(or (= y 1) (> y 5)) (or (= y 2) (< y 9))";
    for (other, count) in [("(= y.next y)", 2), ("(= x.next 2)", 1)] {
        let other = format!("(and (= x.next 1) {other})");
        let relation = format!("(and {guards} (or {other} (and {guards})))");
        assert_eq!(all_shown(&relation).len(), count);
    }
}

#[test]
fn a_case_distinction_with_a_constant_branch_is_not_split_for_ever() {
    for (relation, count) in [
        ("(ite (> x 4) b.next false)", 1),
        ("(ite (> x 4) false b.next)", 1),
        ("(ite (> x 4) (< x.next x) true)", 2),
    ] {
        assert_eq!(all_shown(relation).len(), count, "{relation}");
    }
}

#[test]
fn named_transitions_keep_their_names_and_are_not_split() {
    let text = with_relation("(or .transition.up .transition.down)").replace(
        "(define-fun .init",
        "(define-fun .transition.up () Bool (and (or b c) (= x.next (+ x 1)) (= y.next y)))
         (define-fun .transition.down () Bool (and (or (= x.next 0) (= x.next 1)) (= y.next y)))
         (define-fun .init",
    );
    let system = read_text(&text);
    let names: Vec<&str> = system
        .transitions
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(names, ["up", "down"]);
    assert_eq!(
        shown(&system.transitions[0], &system),
        "up: when (or b c) do x := (+ x 1) relation  frame y"
    );
}

#[test]
fn the_system_is_called_after_its_file() {
    let source = Source::new("some/where/m.c.vmt", with_relation("(= x.next x)"));
    assert_eq!(read(&source, 1).unwrap().name, "m.c");
}

#[test]
fn faults_show_the_line_and_their_kind() {
    let text = "(declare-fun x () Int)\n(define-fun .p () Bool (! (< x yy) :invar-property 0))\n";
    let faults = read(&Source::new("m.vmt", text), 1).unwrap_err();
    let message = faults.to_string();
    assert_eq!(faults.exit_status(), 3);
    assert!(message.contains("--> m.vmt:2:32"), "{message}");
    assert!(message.contains("^^\n"), "{message}");
    let text = with_relation("(= x.next x)").replace(":invar-property", ":live-property");
    let faults = read(&Source::new("m.vmt", text), 1).unwrap_err();
    assert_eq!(faults.exit_status(), 5, "{faults}");
}

#[test]
fn empty_files_are_told_what_is_missing() {
    let faults = read(&Source::new("m.vmt", ""), 1).unwrap_err();
    assert!(faults.to_string().contains(":init"), "{faults}");
}

#[test]
fn constants_of_the_command_line_are_refused() {
    let options = Options {
        constants: [("N".to_owned(), "3".to_owned())].into_iter().collect(),
    };
    let source = Source::new("m.vmt", with_relation("(= x.next x)"));
    let faults = Vmt::DEFAULT.read(&source, &options).unwrap_err();
    assert_eq!(faults.exit_status(), 2, "{faults}");
}
