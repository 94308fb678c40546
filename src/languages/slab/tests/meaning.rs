//! What each construct means in the flat system.

use super::*;
use slabcert_certificates::smtlib::Position;
use slabcert_certificates::system::InputRole;
use slabcert_certificates::vmt;

/// Declarations that the expressions of [`means`] may use.
const DECLARATIONS: &str = "system s; const N = 3; const HALF = 0.5; const YES = true; enum color { red, green, blue }; \
    var x, y : int; var a[0..N] : int; var m[1..2][1..2] : int; var r : real; var p, q : bool; var c, d : color; \
    define big[i in 1..N] = a[i] > 2; define two = N - 1;
    process P { var v : int; location idle, busy, done; start idle; edge go: idle -> busy; }
    process Q[i in 1..2] { var w[1..2] : bool; location here, there; start here; } ";

/// Checks the formula that an expression means.
fn means(expr: &str, formula: &str) {
    let system = accepted(&format!("{DECLARATIONS} error e: {expr};"));
    let found = system.properties[0].formula.clone().not();
    assert_eq!(found.to_string(), formula, "{expr}");
}

#[test]
fn connectives_bind_as_the_grammar_says() {
    means("p && q || p", "(or (and p q) p)");
    means("p || q && p", "(or p (and q p))");
    means("p => q => p", "(=> (and p q) p)");
    means("p || q => p", "(=> (or p q) p)");
    means("p <=> q => p", "(= p (=> q p))");
    means("p <=> q <=> p", "(= (= p q) p)");
    means("!p && q", "(and (not p) q)");
    means("!x = y", "(not (= x y))");
    means("!(!p)", "p");
    means("p != q", "(not (= p q))");
    means("p = (x = y)", "(= p (= x y))");
}

#[test]
fn arithmetic_binds_as_the_grammar_says() {
    means("x - y - 1 = 0", "(= (- x (+ y 1)) 0)");
    means("x + 2 * y - 1 >= 3", "(>= (- (+ x (* 2 y)) 1) 3)");
    means("-x * 2 = y", "(= (* 2 (- x)) y)");
    means("2 * -3 + x < 0", "(< (- x 6) 0)");
    means(
        "x div 2 * 2 + x mod 2 = x",
        "(= (+ (* 2 (div x 2)) (mod x 2)) x)",
    );
    means("0 * x = y", "(= 0 y)");
    means("1 - x = 0", "(= (- 1 x) 0)");
    means("x - x * 1 > 0", "(> (- x x) 0)");
}

#[test]
fn integers_are_promoted_to_reals_where_a_real_is_expected() {
    means("r = 1", "(= r 1.0)");
    means("r = x", "(= r (to_real x))");
    means("x / 2 = r", "(= (* (/ 1.0 2.0) (to_real x)) r)");
    means("r + x > HALF", "(> (+ r (to_real x)) (/ 1.0 2.0))");
    means("(if p then r else 1) > x", "(> (ite p r 1.0) (to_real x))");
    means(
        "min(x, r) = 0",
        "(= (ite (<= (to_real x) r) (to_real x) r) 0.0)",
    );
    means("sum(i in 1..0 : r) = r", "(= 0.0 r)");
}

#[test]
fn constants_are_computed_exactly() {
    for (expr, truth) in [
        ("7 div 2 = 3 && 7 mod 2 = 1", true),
        ("-7 div 2 = -4 && -7 mod 2 = 1", true),
        ("7 div -2 = -3 && 7 mod -2 = 1", true),
        ("-7 div -2 = 4 && -7 mod -2 = 1", true),
        ("1 / 3 + 1 / 6 = HALF", true),
        ("0.1 + 0.2 = 0.3", true),
        ("4 / 2 = two", true),
        ("1 / 2 = 0", false),
        ("N > 2 && !(N = 4) && (YES <=> true)", true),
        ("forall i in 1..N: i * i <= 9", true),
        ("exists i in 1..N where i > 3: true", false),
        (
            "sum(i in 1..N : i) = 6 && count(i in 1..N : i > 1) = 2",
            true,
        ),
        ("min(3, 1, 2) = 1 && max(1, 0.5) = 1", true),
        ("distinct(1, 2, 3) && !distinct(1, 2, 1)", true),
        ("red != green && red = red", true),
        ("if N = 3 then true else 1 div (N - 3) = 0", true),
    ] {
        means(expr, if truth { "true" } else { "false" });
    }
}

#[test]
fn quantifiers_are_expanded() {
    means(
        "forall i in 1..2: a[i] = i",
        "(and (= |a[1]| 1) (= |a[2]| 2))",
    );
    means(
        "exists i in 1..2, j in 1..2 where i < j: m[i][j] = 0",
        "(= |m[1][2]| 0)",
    );
    means("forall i in 2..1: a[i] = 7", "true");
    means(
        "forall i in 1..2, j in 1..i: m[i][j] > 0",
        "(and (> |m[1][1]| 0) (> |m[2][1]| 0) (> |m[2][2]| 0))",
    );
    means("p && forall i in 1..1: q || p", "(and p (or q p))");
    means(
        "sum(i in 1..N : a[i]) = 1",
        "(= (+ |a[1]| |a[2]| |a[3]|) 1)",
    );
    means(
        "count(i in 1..2 : a[i] > 0) = 1",
        "(= (+ (ite (> |a[1]| 0) 1 0) (ite (> |a[2]| 0) 1 0)) 1)",
    );
    means("distinct(x, y, 3)", "(distinct x y 3)");
    means("distinct(c, red)", "(distinct c 0)");
}

#[test]
fn constants_cut_off_what_they_make_irrelevant() {
    means("forall i in 0..1: i = 0 || a[i - 1] = 0", "(= |a[0]| 0)");
    means("forall i in 0..1: i > 0 => a[i - 1] = 0", "(= |a[0]| 0)");
    means(
        "forall i in 0..1: if i = 0 then true else a[i - 1] = 0",
        "(= |a[0]| 0)",
    );
    means("exists i in 0..1: i > 0 && a[i - 1] = 0", "(= |a[0]| 0)");
}

#[test]
fn definitions_are_expanded_where_they_are_used() {
    means("big[2] && a[two] = 1", "(and (> |a[2]| 2) (= |a[2]| 1))");
    let system = accepted(
        "system s; const N = 3; define next[i in 1..N] = if i = N then 1 else i + 1; var x[1..N] : int; \
         error x[next[1]] = 0 && x[next[3]] = 0;",
    );
    assert_eq!(
        system.properties[0].formula.to_string(),
        "(not (and (= |x[2]| 0) (= |x[1]| 0)))"
    );
}

#[test]
fn processes_and_enumerations_become_numbers_with_tables() {
    means("P at busy", "(= P.location 1)");
    means(
        "Q[2] at {there, here, there}",
        "(or (= |Q[2].location| 1) (= |Q[2].location| 0))",
    );
    means("P.v = 1 && Q[1].w[2]", "(and (= P.v 1) |Q[1].w[2]|)");
    means("c = green", "(= c 1)");
    means("c != d", "(not (= c d))");
    means("(if p then c else blue) = red", "(= (ite p c 2) 0)");
    let system = accepted(&format!("{DECLARATIONS} error p;"));
    let variable = |name: &str| {
        system
            .variables
            .iter()
            .find(|variable| variable.name() == name)
            .unwrap()
    };
    let table = variable("c").values.as_ref().unwrap();
    assert_eq!(
        (table.name.as_str(), table.values.join(" ")),
        ("color", "red green blue".to_owned())
    );
    assert_eq!(variable("c").range, Some((0.into(), 2.into())));
    let table = variable("P.location").values.as_ref().unwrap();
    assert_eq!(
        (table.name.as_str(), table.values.join(" ")),
        ("location", "idle busy done".to_owned())
    );
    let names: Vec<&str> = system
        .processes
        .iter()
        .map(|process| process.name.as_str())
        .collect();
    assert_eq!(names, ["P", "Q[1]", "Q[2]"]);
    let location = system.processes[2].location.unwrap();
    assert_eq!(system.variables[location].name(), "Q[2].location");
    assert_eq!(system.variables[location].next.name(), "Q[2].location.next");
}

#[test]
fn the_initial_condition_has_values_bounds_and_starts() {
    let system = accepted(
        "system s; enum e { a, b }; var x, y[1..2] : 0..3 = 1; var z : 1..1; var c : e; var r : real = 2; var w : -2..2;
         process P[i in 1..2] { var n : int = i; var me : bool = n = 1; location l, m; start m; } init x + z < 5;",
    );
    let init: Vec<String> = system.init.iter().map(ToString::to_string).collect();
    assert_eq!(
        init,
        [
            "(= x 1)",
            "(= |y[1]| 1)",
            "(= |y[2]| 1)",
            "(= z 1)",
            "(<= 0 c)",
            "(<= c 1)",
            "(= r 2.0)",
            "(<= (- 2) w)",
            "(<= w 2)",
            "(= |P[1].location| 1)",
            "(= |P[1].n| 1)",
            "(= |P[1].me| (= |P[1].n| 1))",
            "(= |P[2].location| 1)",
            "(= |P[2].n| 2)",
            "(= |P[2].me| (= |P[2].n| 1))",
            "(< (+ x z) 5)",
        ]
    );
}

#[test]
fn updates_read_the_state_before_the_step_and_leave_the_rest() {
    let system = accepted(
        "system s; var x, y, z : int; var r : real; transition swap when x < y do x := y, y := x; transition t do r := x;",
    );
    assert_eq!(
        relation(&system, "swap"),
        "(and (< x y) (= x.next y) (= y.next x) (= z.next z) (= r.next r))"
    );
    assert_eq!(
        relation(&system, "t"),
        "(and (= r.next (to_real x)) (= x.next x) (= y.next y) (= z.next z))"
    );
    assert_eq!(system.transition("swap").unwrap().frame, [2, 3]);
}

#[test]
fn choices_and_havoc_become_inputs_within_their_sorts() {
    let system = accepted(
        "system s; enum e { a, b }; var x : int; var c : e; var k : 0..2; var p : bool;
         transition t[i in 1..2] choose d : real where d > i choose n : 1..i where n < d do x := n;
         transition h do havoc c, havoc k, havoc p, havoc x;",
    );
    let bounds = "(<= 0 k) (<= k 2)";
    assert_eq!(
        relation(&system, "t[2]"),
        format!(
            "(and (> |t[2].d| 2.0) (<= 1 |t[2].n|) (<= |t[2].n| 2) (< (to_real |t[2].n|) |t[2].d|) {bounds} \
             (= x.next |t[2].n|) (= c.next c) (= k.next k) (= p.next p))"
        )
    );
    assert_eq!(
        relation(&system, "h"),
        format!(
            "(and (<= 0 h.c) (<= h.c 1) (<= 0 h.k) (<= h.k 2) {bounds} (= c.next h.c) (= k.next h.k) (= p.next h.p) \
             (= x.next h.x))"
        )
    );
    let names: Vec<&str> = system
        .inputs
        .iter()
        .map(|input| input.symbol.name())
        .collect();
    assert_eq!(
        names,
        [
            "t[1].d", "t[1].n", "t[2].d", "t[2].n", "h.c", "h.k", "h.p", "h.x"
        ]
    );
    assert!(
        system
            .inputs
            .iter()
            .all(|input| input.role == InputRole::Choice)
    );
    assert_eq!(system.transition("t[2]").unwrap().inputs, [2, 3]);
}

#[test]
fn relations_change_only_what_they_modify() {
    let system = accepted(
        "system s; enum e { a, b }; var x, y : int; var c : e; var k : 0..2;
         transition t when x > 0 do relation x' > x && k' = k + 1 && c' != c modifies {x, k, c}, y := 1;",
    );
    assert_eq!(
        relation(&system, "t"),
        "(and (> x 0) (<= 0 k) (<= k 2) (> x.next x) (= k.next (+ k 1)) (not (= c.next c)) (<= 0 c.next) (<= c.next 1) \
         (= y.next 1))"
    );
    assert!(system.transition("t").unwrap().frame.is_empty());
}

#[test]
fn edges_are_transitions_with_names_participants_and_tags() {
    let system = accepted(
        "system s; process P[i in 1..2] { var n : int; location a, b; start a;
           edge a -> b do P[3 - i] at b; edge b -> a; edge b -> a when n > 0; edge take[k in 1..2 where k != i]: a -> a do n := k;
           edge a_a: b -> b do P[3 - i].n := 0; }",
    );
    let names: Vec<&str> = system
        .transitions
        .iter()
        .map(|transition| transition.name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "P[1].a_b",
            "P[1].b_a_1",
            "P[1].b_a_2",
            "P[1].take[2]",
            "P[1].a_a",
            "P[2].a_b",
            "P[2].b_a_1",
            "P[2].b_a_2",
            "P[2].take[1]",
            "P[2].a_a"
        ]
    );
    assert_eq!(
        relation(&system, "P[1].a_b"),
        "(and (= |P[1].location| 0) (= |P[1].location.next| 1) (= |P[2].location.next| 1) (= |P[1].n.next| |P[1].n|) \
         (= |P[2].n.next| |P[2].n|))"
    );
    let rendezvous = system.transition("P[1].a_b").unwrap();
    assert_eq!(rendezvous.participants, [0, 1]);
    assert_eq!(
        rendezvous
            .updates
            .iter()
            .map(|update| update.process)
            .collect::<Vec<_>>(),
        [Some(0), Some(1)]
    );
    let own = system.transition("P[2].b_a_2").unwrap();
    assert_eq!(own.participants, [1]);
    assert!(own.guard.iter().all(|conjunct| conjunct.process == Some(1)));
    assert_eq!(
        own.position,
        Some(Position {
            line: 2,
            column: 55
        })
    );
    let stay = system.transition("P[1].take[2]").unwrap();
    assert!(stay.frame.contains(&system.processes[0].location.unwrap()));
    assert_eq!(system.transition("P[1].a_a").unwrap().participants, [0, 1]);
}

#[test]
fn ranges_are_required_before_each_step_and_are_properties() {
    let system = accepted(
        "system s; var x : 0..3; var y[1..2] : 1..2; process P[i in 1..2] { var v : 0..1; location a; start a; edge a -> a; }
         transition t do x := x + 1; error e: x = 2; invariant x != 3;",
    );
    let bounds = "(<= 0 x) (<= x 3) (<= 1 |y[1]|) (<= |y[1]| 2) (<= 1 |y[2]|) (<= |y[2]| 2) (<= 0 |P[1].v|) (<= |P[1].v| 1) \
                  (<= 0 |P[2].v|) (<= |P[2].v| 1)";
    for transition in &system.transitions {
        assert!(
            transition.formula(&system).to_string().contains(bounds),
            "{}",
            transition.name
        );
    }
    let properties: Vec<(&str, String)> = system
        .properties
        .iter()
        .map(|property| (property.name.as_str(), property.formula.to_string()))
        .collect();
    assert_eq!(
        properties,
        [
            ("e", "(not (= x 2))".to_owned()),
            ("invariant", "(not (= x 3))".to_owned()),
            ("range:x", "(and (<= 0 x) (<= x 3))".to_owned()),
            (
                "range:y",
                "(and (<= 1 |y[1]|) (<= |y[1]| 2) (<= 1 |y[2]|) (<= |y[2]| 2))".to_owned()
            ),
            (
                "range:P.v",
                "(and (<= 0 |P[1].v|) (<= |P[1].v| 1) (<= 0 |P[2].v|) (<= |P[2].v| 1))".to_owned()
            ),
        ]
    );
    assert!((0..5).all(|index| system.properties[index].index == index));
}

#[test]
fn properties_without_a_name_get_one() {
    let system = accepted(
        "system s; var p : bool; error p; error !p; error error_1: p; invariant p; error deadlock; error deadlock: p;",
    );
    let names: Vec<&str> = system
        .properties
        .iter()
        .map(|property| property.name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "error_2",
            "error_3",
            "error_1",
            "invariant",
            "deadlock_1",
            "deadlock"
        ]
    );
}

#[test]
fn enabledness_is_a_formula_over_the_state() {
    let text = "system s; var x : int; var r : real; var p : bool;
        transition up[i in 1..2] choose n : 0..10 where n > x when p do x := n + i;
        transition wait choose d : real where d > 0 when r + d < 5 do r := r + d;
        transition jump do relation 2 * x' = x modifies {x};
        process P { location a, b; start a; edge go: a -> b when x > 0; } ";
    let property = |expr: &str| {
        let system = accepted(&format!("{text} error e: {expr};"));
        system.properties[0].formula.clone().not().to_string()
    };
    assert_eq!(property("enabled(up[1])"), "(and p (<= x 9))");
    assert_eq!(property("enabled(wait)"), "(< r 5.0)");
    assert_eq!(property("enabled(jump)"), "(= (mod x 2) 0)");
    assert_eq!(property("enabled(P.go)"), "(and (= P.location 0) (> x 0))");
    assert_eq!(
        property("deadlock"),
        "(and (not (and p (<= x 9))) (not (and p (<= x 9))) (not (< r 5.0)) (not (= (mod x 2) 0)) \
         (not (and (= P.location 0) (> x 0))))"
    );
}

#[test]
fn leaving_a_range_is_an_error_and_not_a_disabled_transition() {
    let system =
        accepted("system s; var x : 0..1 = 0; transition t do x := x + 1; error stuck: deadlock;");
    assert_eq!(system.properties[0].formula.to_string(), "true");
    assert_eq!(system.properties[1].name, "range:x");
}

mod repairs {
    use super::*;

    #[track_caller]
    fn assert_starts(declarations: &str, init: &str) {
        let system = accepted(&format!("system s; const N = 5; {declarations}"));
        assert_eq!(system.init_formula().to_string(), init);
    }

    #[test]
    fn a_given_initial_value_is_not_restricted_by_the_range() {
        assert_starts("var x : 0..3 = N;", "(= x 5)");
        assert_starts("var x : 0..3 = 2;", "(= x 2)");
        assert_starts("var y : int; var x : 0..3 = y;", "(= x y)");
        assert_starts(
            "var y : 0..9; var x : 0..3 = y;",
            "(and (<= 0 y) (<= y 9) (= x y))",
        );
        assert_starts("var x[1..2] : 0..3 = N;", "(and (= |x[1]| 5) (= |x[2]| 5))");
        assert_starts(
            "process P[i in 1..2] { var v : 0..1 = i; location a; start a; }",
            "(and (= |P[1].location| 0) (= |P[1].v| 1) (= |P[2].location| 0) (= |P[2].v| 2))",
        );
    }

    #[test]
    fn an_equation_of_an_initial_condition_is_not_restricted_by_the_range() {
        assert_starts("var x : 0..3; init x = N;", "(= x 5)");
        assert_starts("var x : 0..3; init N = x;", "(= 5 x)");
        assert_starts(
            "var x, y, z : 0..3; init x = y + 1; init z = x; init y = N;",
            "(and (= x (+ y 1)) (= z x) (= y 5))",
        );
        assert_starts(
            "var x[1..2] : 0..3; init forall i in 1..2: x[i] = N;",
            "(and (= |x[1]| 5) (= |x[2]| 5))",
        );
    }

    #[test]
    fn what_nothing_determines_starts_in_its_range() {
        assert_starts("var x : 0..3;", "(and (<= 0 x) (<= x 3))");
        assert_starts(
            "var x : 0..3; init x > 1;",
            "(and (<= 0 x) (<= x 3) (> x 1))",
        );
        // Neither says what the other one is.
        assert_starts(
            "var x : 0..3; var y : int; init y = x;",
            "(and (<= 0 x) (<= x 3) (= y x))",
        );
        assert_starts(
            "enum c { red, green }; var x : c; var y : c = x;",
            "(and (<= 0 x) (<= x 1) (= y x))",
        );
    }
}

#[test]
fn constants_are_overridden_from_the_command_line() {
    let text = "system s; const N = 2; const M = N + 1; const R = 0.5; const B = true; var x[1..M] : int; var r : real; init B && r = R;";
    let system = read_with(text, &["N=4", "R=-2.25", "B=false"]).unwrap();
    assert_eq!(system.variables.len(), 6);
    assert_eq!(system.init_formula().to_string(), "false");
    let system = read_with(text, &["R=3"]).unwrap();
    assert_eq!(system.init_formula().to_string(), "(= r 3.0)");
}

#[test]
fn names_of_inputs_are_unique() {
    let system = accepted(
        "system s; process t { var d : int; location a; start a; edge n: a -> a choose d_2 : int do d := d_2; }
         transition t choose d_2 : int choose next : int do t.d := d_2 + next;
         transition t_d choose x : int;",
    );
    let mut names: Vec<&str> = system
        .inputs
        .iter()
        .map(|input| input.symbol.name())
        .collect();
    names.extend(
        system
            .variables
            .iter()
            .flat_map(|variable| [variable.current.name(), variable.next.name()]),
    );
    let different: std::collections::BTreeSet<&str> = names.iter().copied().collect();
    assert_eq!(different.len(), names.len(), "{names:?}");
}

#[test]
fn comments_nest_and_words_of_functions_may_be_names() {
    let system = accepted(
        "/* a /* nested */ comment */ system s; // to the end of the line
         var sum, count, min, max, distinct, enabled : int; error sum = count + sum(i in 1..2 : min);",
    );
    assert_eq!(
        system.properties[0].formula.to_string(),
        "(not (= sum (+ count (+ min min))))"
    );
}

#[test]
fn the_same_text_gives_the_same_system() {
    let text = format!(
        "{DECLARATIONS} transition t[i in 1..N] choose k : int do a[i] := k, havoc x; error deadlock;"
    );
    assert_eq!(accepted(&text), accepted(&text));
}

#[test]
fn a_system_reads_back_from_vmt_with_all_its_names() {
    let text = format!(
        "{DECLARATIONS} var and, ite, Int, distinct : int; var xor : bool = true; \
         transition let[i in 1..2] choose or : int when xor do and := ite + or, relation Int' > Int modifies {{Int}}; \
         error abs: distinct = 1; error par: deadlock;"
    );
    let system = accepted(&text);
    let read_back = vmt::read_vmt(&vmt::write_vmt(&system)).unwrap();
    let names = |system: &System| -> Vec<String> {
        let variables = system.variables.iter().map(|variable| variable.name());
        let transitions = system
            .transitions
            .iter()
            .map(|transition| transition.name.as_str());
        let properties = system
            .properties
            .iter()
            .map(|property| property.name.as_str());
        variables
            .chain(transitions)
            .chain(properties)
            .map(str::to_owned)
            .collect()
    };
    assert_eq!(names(&read_back), names(&system));
    for (read, written) in read_back.transitions.iter().zip(&system.transitions) {
        assert_eq!(read.formula(&read_back), written.formula(&system));
    }
}
