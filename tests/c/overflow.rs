//! Values that leave their types: no run goes on there; with `-D integers=checked` it is an error.

use crate::runs::{read_with, run_of};

fn end(text: &str, is_checked: bool, chosen: &[i64]) -> String {
    let constants = [("integers", "checked")];
    let constants = if is_checked { &constants[..] } else { &[] };
    run_of(&read_with(text, constants), chosen)
}

#[test]
fn leaving_a_type_is_an_error_or_not_looked_at() {
    for inside in [
        "x = x + 1;",
        "x++;",
        "++x;",
        "x += 2;",
        "x = -x - 2;",
        "x = 2 * x;",
        "x = (x - 1) * 3;",
        "x = -(-x - 1) / -1 - x - x - x - x;",
        "c = x;",
        "c = 128;",
        "c = c + 120; c = c + 120;",
        "c += 127; c++;",
        "x + 1;",
        "if (x + 1 > 0) x = 1;",
        "if (x && x + 1 > 0) x = 1;",
        "x = x ? x + 1 : 0;",
        "x = x > 0 ? x + x : 0;",
        "while (x + 1) x = 0;",
        "switch (x + 1) { case 1: ; }",
        "x = (y = 2147483647) + 1;",
        "take(x + 1);",
        "x = give();",
        "x = (-2147483647 - 1) / -1;",
        "y = -x - 1; x = y / -1;",
        "y = -x - 1; x = y % -1;",
        "y = -x - 1; x = -y;",
        "x = 2147483647 + nondet_int();",
    ] {
        let text = format!(
            "void take(int p) {{ }} char give(void) {{ return 300; }}
            int main(void) {{ int x = 2147483647, y; char c = 0; {inside} assert(0); }}"
        );
        assert_eq!(end(&text, true, &[1, 1, 1]), "overflow", "{inside}");
        let ended = end(&text, false, &[1, 1, 1]);
        // Where no run goes on at all, the start is left by nothing.
        let is_stuck = ended.starts_with("stuck") || ended == "main";
        assert!(is_stuck, "{inside}: {ended}");
    }
}

#[test]
fn staying_in_a_type_is_none() {
    for inside in [
        "x = x + 0;",
        "x = x - 1; x++;",
        "x = -x;",
        "x = -x - 1;",
        "x = x / -1;",
        "x = x % -1;",
        "c = 127; c = c - 1;",
        "b = x; b = b + 1; b++;",
        "if (x == 0 && x + 1 > 0) x = 1;",
        "if (x > 0 || x + 1 > 0) x = 1;",
        "x = x ? 1 : x + 1;",
        "x = 2147483646 + nondet_int();",
    ] {
        let text = format!(
            "int main(void) {{ int x = 2147483647, y; char c = 0; _Bool b; {inside} assert(0); }}"
        );
        assert_eq!(end(&text, true, &[1]), "error", "{inside}");
        assert_eq!(end(&text, false, &[1]), "error", "{inside}");
    }
}
