//! What a user sees of a fault, and which names are suggested.

use super::*;

fn shown(text: &str, fault: Diagnostic) -> String {
    let mut faults = Diagnostics::new(&Source::new("m.slab", text));
    faults.push(fault);
    faults.into_result(()).unwrap_err().to_string()
}

#[test]
fn a_fault_shows_its_line_with_the_position_marked() {
    let fault = Diagnostic::new(Category::Name, Span::new(19, 22), "unknown name `lok`")
        .expected("a variable")
        .suggest("lok", ["clock", "lock", "P"])
        .related(Span::new(0, 6), "the system begins here");
    assert_eq!(
        shown("system s;\ninit\tx = lok + 1;\n", fault),
        "error[name]: unknown name `lok`
 --> m.slab:2:10
  |
2 | init\tx = lok + 1;
  |     \t    ^^^
  = expected: a variable
  = help: did you mean `lock`?
  = note: the system begins here
 --> m.slab:1:1
  |
1 | system s;
  | ------
"
    );
}

#[test]
fn long_lines_are_cut_around_the_mark() {
    let text = format!("{}x{}", "9".repeat(5_000), "8".repeat(5_000));
    let message = shown(
        &text,
        Diagnostic::new(Category::Syntax, Span::new(5_000, 5_001), "wrong"),
    );
    assert!(message.contains("m.slab:1:5001"));
    assert!(message.len() < 400, "{message}");
    assert!(message.contains("x88"), "{message}");
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let message = shown(
        "a \u{1b}[31m",
        Diagnostic::new(Category::Syntax, Span::new(2, 3), "wrong"),
    );
    assert!(!message.contains('\u{1b}'), "{message:?}");
}

#[test]
fn faults_are_sorted_by_place_and_shown_once() {
    let mut faults = Diagnostics::new(&Source::new("m", "abc"));
    for start in [2, 0, 2] {
        faults.push(Diagnostic::new(
            Category::Sort,
            Span::new(start, start + 1),
            "wrong",
        ));
    }
    let faults = faults.into_result(()).unwrap_err();
    let starts: Vec<u32> = faults
        .iter()
        .filter_map(|fault| fault.span)
        .map(|span| span.start)
        .collect();
    assert_eq!(starts, [0, 2]);
}

#[test]
fn what_is_wrong_counts_before_what_is_unsupported() {
    let mut faults = Diagnostics::new(&Source::new("m", "abc"));
    faults.push(Diagnostic::new(
        Category::Unsupported,
        Span::new(0, 1),
        "too much",
    ));
    assert_eq!(faults.exit_status(), 5);
    faults.push(Diagnostic::new(Category::Syntax, Span::new(0, 1), "wrong"));
    assert_eq!(faults.exit_status(), 3);
}

#[test]
fn near_names_are_suggested_and_far_ones_are_not() {
    let known = ["ticket", "turn", "N", "x"];
    assert_eq!(nearest("tiket", known), Some("ticket"));
    assert_eq!(nearest("tickte", known), Some("ticket"));
    assert_eq!(nearest("n", known), Some("N"));
    assert_eq!(nearest("tick", known), Some("ticket"));
    assert_eq!(nearest("turning", known), Some("turn"));
    assert_eq!(nearest("y", known), None);
    assert_eq!(nearest("elephant", known), None);
    assert_eq!(nearest(&"t".repeat(10_000), known), None);
}
