//! Whatever the bytes, reading ends soon and without a panic, with one message for one fault.

use super::*;
use crate::languages::diagnostics::Category;
use proptest::prelude::*;

/// The only fault of a text, as it is shown.
fn only_fault(text: &str) -> String {
    let faults = read(text).unwrap_err();
    let shown = faults.to_string();
    assert_eq!(faults.len(), 1, "{shown}");
    assert!(shown.len() < 1_000, "{} characters", shown.len());
    shown
}

#[test]
fn deep_nesting_gives_one_fault() {
    let deep = 100_000;
    let nested = |open: &str, inner: &str, close: &str| {
        format!("{}{inner}{}", open.repeat(deep), close.repeat(deep))
    };
    for expr in [
        nested("(", "x = 1", ")"),
        nested("(", "", ""),
        nested("!", "true", ""),
        nested("x = -", "1", ""),
        nested("x[", "1", "]"),
        nested("if true then ", "true", " else true"),
        nested("forall i in 1..2: ", "true", ""),
        nested("sum(i in 1..", "2", ": 1)"),
        nested("min(1, ", "2", ")"),
    ] {
        let shown = only_fault(&format!(
            "system s;\nvar x : int;\ninit {expr};\nerror x = 1;"
        ));
        assert!(
            shown.contains("nested deeper than") || shown.contains("chain"),
            "{shown}"
        );
    }
    let updates = format!(
        "system s;\nvar x : int;\ntransition t do {}x := 1;",
        "forall i in 1..1: ".repeat(deep)
    );
    assert!(only_fault(&updates).contains("nested deeper than"));
    let comments = format!("system s; {}", "/*".repeat(deep));
    assert!(only_fault(&comments).contains("not closed"));
}

#[test]
fn long_chains_are_no_deep_nesting() {
    let many = 20_000;
    for (operand, sign) in [
        ("x = 1", "&&"),
        ("x = 1", "||"),
        ("x = 1", "<=>"),
        ("x = 1", "=>"),
    ] {
        let chain = vec![operand; many].join(sign);
        let result = read(&format!("system s; var x : int; init {chain};"));
        // A chain of equivalences is a deep term: it may be refused, but not overflow the stack.
        if let Err(faults) = result {
            assert_eq!((sign, faults.exit_status()), ("<=>", 5), "{faults}");
        }
    }
    let sum = vec!["x"; many].join(" + ");
    assert!(read(&format!("system s; var x : int; init {sum} = 1;")).is_ok());
    let product = vec!["2"; 2_000].join(" * ");
    assert!(read(&format!("system s; var x : int; init {product} * x = 1;")).is_ok());
}

#[test]
fn numbers_of_ten_thousand_digits_are_read_exactly() {
    let digits = "7".repeat(10_000);
    let system = accepted(&format!(
        "system s; var x : int; init x = {digits}; error x = -{digits};"
    ));
    assert_eq!(system.init_formula().to_string(), format!("(= x {digits})"));
    assert!(read(&format!("system s; var x : real; init x = 0.{digits};")).is_ok());
    let overridden = read_with(
        "system s; const N = 1; var x : int; init x = N;",
        &[&format!("N={digits}")],
    );
    assert_eq!(
        overridden.unwrap().init_formula().to_string(),
        format!("(= x {digits})")
    );
}

#[test]
fn numbers_that_grow_without_bound_are_refused() {
    let shown = only_fault(&format!(
        "system s; var x : int; init x = {};",
        "9".repeat(1_000_000)
    ));
    assert!(shown.contains("digits"), "{shown}");
    let mut text = String::from("system s;\nconst A0 = 1000000007;\n");
    for number in 1..60 {
        let before = number - 1;
        text.push_str(&format!("const A{number} = A{before} * A{before};\n"));
    }
    let faults = read(&text).unwrap_err();
    assert!(faults.to_string().contains("grows beyond"), "{faults}");
    assert_eq!(faults.exit_status(), 5);
}

#[test]
fn definitions_that_double_stay_small_and_deep_ones_are_refused() {
    let mut text = String::from("system s; var x : int;\ndefine d0 = x;\n");
    for number in 1..200 {
        let before = number - 1;
        text.push_str(&format!("define d{number} = d{before} + d{before};\n"));
    }
    text.push_str("error d199 = 1;");
    assert!(read(&text).is_ok());
    let mut text = String::from("system s; var x : bool;\ndefine d0 = x;\n");
    for number in 1..20_000 {
        let before = number - 1;
        text.push_str(&format!("define d{number} = !(d{before} && x);\n"));
    }
    text.push_str("error d19999;");
    let faults = read(&text).unwrap_err();
    assert!(faults.to_string().contains("nest deeper"), "{faults}");
}

#[test]
fn families_that_multiply_are_refused_before_they_are_built() {
    for text in [
        "system s; var x[1..1000][1..1000][1..1000] : int;",
        "system s; var x : int; init x = sum(i in 1..100000, j in 1..100000 : 1);",
        "system s; var x[1..2000] : int; transition t[i in 1..2000, j in 1..2000] do x[i] := j;",
        "system s; var x[1..3000] : 0..1; transition t[i in 1..3000] do x[i] := 1;",
        "system s; error exists i in 0..99999999999999999999999999999999: i = 1;",
        "system s; var x[1..100000] : int; transition t do forall i in 1..100000, j in 1..100000 where i = j: x[i] := 1;",
    ] {
        let faults = read(text).unwrap_err();
        assert_eq!(faults.exit_status(), 5, "{faults}");
        assert!(faults.to_string().contains("grows too large"), "{faults}");
    }
}

#[test]
fn many_binders_in_one_list_do_not_overflow_the_stack() {
    let binders: Vec<String> = (0..50_000)
        .map(|number| format!("i{number} in 1..1"))
        .collect();
    let faults = read(&format!(
        "system s; error forall {}: true;",
        binders.join(", ")
    ))
    .unwrap_err();
    assert!(
        faults
            .iter()
            .all(|fault| fault.category == Category::Unsupported),
        "{faults}"
    );
}

#[test]
fn a_file_of_ten_thousand_faults_shows_some_and_counts_the_rest() {
    let text = format!("system s;\n{}", "init y;\n".repeat(10_000));
    let faults = read(&text).unwrap_err();
    assert_eq!(faults.len(), 10_000);
    let shown = faults.to_string();
    assert!(
        shown.contains("... and 9950 more"),
        "{}",
        &shown[shown.len() - 200..]
    );
}

/// Words that make up most texts near to models.
const WORDS: &[&str] = &[
    "system",
    "s",
    ";",
    "const",
    "N",
    "=",
    "3",
    "enum",
    "e",
    "{",
    "a",
    ",",
    "b",
    "}",
    "var",
    "x",
    "[",
    "1",
    "..",
    "]",
    ":",
    "int",
    "bool",
    "real",
    "define",
    "d",
    "init",
    "error",
    "invariant",
    "transition",
    "t",
    "process",
    "P",
    "i",
    "in",
    "where",
    "location",
    "start",
    "edge",
    "->",
    "choose",
    "when",
    "do",
    "havoc",
    ":=",
    "at",
    "forall",
    "exists",
    "if",
    "then",
    "else",
    "relation",
    "modifies",
    "'",
    "(",
    ")",
    "true",
    "div",
    "mod",
    "/",
    "*",
    "+",
    "-",
    "<",
    "<=",
    "=>",
    "<=>",
    "&&",
    "||",
    "!",
    "deadlock",
    "enabled",
    "sum",
    "count",
    "min",
    "distinct",
    "0.5",
    ".",
    "0",
    "@",
    "é",
];

/// A model with everything in it, to be damaged.
const WHOLE: &str = "system s; const N = 2; const R = 0.5; enum e { red, green }; var c : e = red; var x[1..N] : 0..3 = 0; \
    var r : real; define big[i in 1..N] = x[i] > 1; define stuck = deadlock; init r >= 0 && c != green; error both: big[1] && big[2]; \
    invariant r >= 0; error stuck; transition t[i in 1..N where i > 0] choose d : real where d > 0 && d < R choose k : 0..2 \
    when x[i] + k < 3 && enabledness do x[i] := x[i] + k, r := r + d, forall j in 1..N where j != i: x[j] := 0; \
    transition g do relation r' > r modifies { r }, havoc c; process P[i in 1..N] { var n : int = i; location idle, busy; start idle; \
    edge go: idle -> busy when n mod 2 = 0 do n := -n, P[3 - i] at idle; edge busy -> idle; } \
    error P[1] at busy && enabled(P[2].go) || sum(i in 1..N : P[i].n) = max(1, r);";

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn random_words_never_panic(words in prop::collection::vec(prop::sample::select(WORDS), 0..60)) {
        let text = words.join(" ");
        prop_assert!(read(&text).map_err(|faults| faults.to_string()).is_ok_and(|_| true) || read(&text).is_err());
    }

    #[test]
    fn random_characters_never_panic(text in "\\PC{0,200}") {
        let shown = read(&text).map(|_| String::new()).unwrap_or_else(|faults| faults.to_string());
        prop_assert!(text.trim_start().starts_with("system") || !shown.is_empty());
    }

    #[test]
    fn damaged_models_never_panic(
        cuts in prop::collection::vec((0_usize..WHOLE.len(), 0_usize..6, prop::sample::select(WORDS)), 1..5),
    ) {
        let mut text = WHOLE.to_owned();
        for (at, length, word) in cuts {
            let start = at.min(text.len());
            let end = (start + length).min(text.len());
            if text.is_char_boundary(start) && text.is_char_boundary(end) {
                text.replace_range(start..end, word);
            }
        }
        let shown = read(&text).map(|_| String::new()).unwrap_or_else(|faults| faults.to_string());
        prop_assert!(shown.is_empty() || shown.starts_with("error["));
    }
}

#[test]
fn the_model_that_is_damaged_is_whole() {
    let faults = read(WHOLE).unwrap_err();
    assert_eq!(faults.len(), 1, "{faults}");
    assert!(faults.to_string().contains("`enabledness`"), "{faults}");
    let system = accepted(&WHOLE.replace(" && enabledness", ""));
    assert_eq!(system.transitions.len(), 7);
}

#[test]
fn a_file_of_millions_of_words_is_refused_soon() {
    let faults = read(&format!("system s; {}", "init x; ".repeat(1_000_000))).unwrap_err();
    let shown = faults.to_string();
    assert!(
        shown.contains("more than 2000000 words") || faults.len() > 100_000,
        "{shown}"
    );
    assert_eq!(faults.exit_status(), 3);
}

#[test]
fn many_unknown_names_among_many_known_ones_are_reported_soon() {
    let known: String = (0..20_000)
        .map(|number| format!("var variable{number} : bool;\n"))
        .collect();
    let unknown: String = (0..20_000)
        .map(|number| format!("init variably{number};\n"))
        .collect();
    let faults = read(&format!("system s;\n{known}{unknown}")).unwrap_err();
    assert_eq!(faults.len(), 20_000);
}

#[test]
fn a_fault_of_a_declaration_with_several_names_counts_for_all_of_them() {
    for declaration in [
        "var x, y : int = false;",
        "var x, y : bool = 3;",
        "var x, y : 0..nowhere = 0;",
        "process P { var x, y : real = true; location l; start l; edge e: l -> l; }",
    ] {
        only_fault(&format!("system s;\n{declaration}\nerror never: false;"));
    }
    // The family of one name is not that of the others.
    only_fault("system s;\nvar x[1..nowhere], y : int = 0;\nerror never: y < 0;");
}
