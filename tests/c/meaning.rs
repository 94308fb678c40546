//! The meaning of each statement, operator and conversion.

use crate::runs::{end_of, gives};

#[test]
fn operators_compute_as_c_does() {
    for (expression, expected) in [
        ("a + 5", -2),
        ("a - 5", -12),
        ("3 * a", -21),
        ("-a", 7),
        ("+a", -7),
        ("a / 2", -3),
        ("a % 2", -1),
        ("a / -2", 3),
        ("a % -2", -1),
        ("b / 2", 3),
        ("b % -4", 3),
        ("b / -2", -3),
        ("a < b", 1),
        ("a > b", 0),
        ("a <= -7", 1),
        ("a >= -6", 0),
        ("a == -7", 1),
        ("a != -7", 0),
        ("!a", 0),
        ("!!a", 1),
        ("(a < b) + (a < b)", 2),
        ("(a < b) == 1", 1),
        ("(a < b) == 2", 0),
        ("a && b", 1),
        ("a && z", 0),
        ("z || z", 0),
        ("z || b", 1),
        ("a ? 3 : 4", 3),
        ("z ? 3 : 4", 4),
        ("z ? a : b < 9", 1),
        ("(1, a, 9)", 9),
        ("(_Bool) a + 1", 2),
        ("(char) a", -7),
        ("(int) 'a'", 97),
        ("'\\n' + '\\x41' + '\\101' + '\\0'", 140),
        ("'\\xff'", -1),
        ("0x1F + 017 + 0b11", 49),
        ("2147483647 + a", 2_147_483_640),
    ] {
        gives(
            "",
            &format!("int a = -7, b = 7, z = 0; r = {expression};"),
            &[],
            expected,
        );
        // Constants mean the same as variables.
        let constant = expression
            .replace('a', "(-7)")
            .replace('b', "7")
            .replace('z', "0");
        if !expression.contains(['\'', 'x']) && !expression.contains("char") {
            gives("", &format!("r = {constant};"), &[], expected);
        }
    }
}

#[test]
fn effects_come_in_order() {
    for (inside, expected) in [
        ("int x = 5; r = x++; r = r * 10 + x;", 56),
        ("int x = 5; r = ++x; r = r * 10 + x;", 66),
        ("int x = 5; r = x--; r = r * 10 + x;", 54),
        ("int x = 5; r = --x; r = r * 10 + x;", 44),
        ("int x = 5; r = (x = 3) + 1; r = r * 10 + x;", 43),
        (
            "int x = 5; x += 2; x -= 1; x *= 3; x /= 4; x %= 3; r = x;",
            1,
        ),
        ("int x = 1, y; y = x = 7; r = y;", 7),
        ("int x = 0; r = x && (x = 5); r = r * 10 + x;", 0),
        ("int x = 1; r = x && (x = 5); r = r * 10 + x;", 15),
        ("int x = 0; r = x++ || x++; r = r * 10 + x;", 12),
        ("int x = 3; r = x || x++; r = r * 10 + x;", 13),
        ("int x = 1; r = x ? x++ : x--; r = r * 10 + x;", 12),
        ("int x = 0; x ? x++ : x--; r = x;", -1),
        ("int x = 0; r = (x++, x++, x);", 2),
        ("int x = 0; r = !(x++ || x++);  r = r * 10 + x;", 2),
        (
            "int x = 0, y = 0; if (x++ || (y = 4, x++)) r = x * 10 + y;",
            24,
        ),
        (
            "int x = 2; while (x-- && r < 9) r += 4; r = r * 10 + x;",
            79,
        ),
        (
            "_Bool b = 0; r = b++; r = r * 10 + b; b++; r = r * 10 + b;",
            11,
        ),
        (
            "_Bool b = 1; r = b--; r = r * 10 + b; b--; r = r * 10 + b;",
            101,
        ),
    ] {
        gives("", inside, &[], expected);
    }
}

#[test]
fn conversions_to_bool_give_0_or_1() {
    for (inside, expected) in [
        ("_Bool b = 5; r = b;", 1),
        ("_Bool b = 0; r = b;", 0),
        ("_Bool b; b = -3; r = b + b;", 2),
        ("int x = 4; _Bool b = x; r = b;", 1),
        ("int x = 4; r = (_Bool) x;", 1),
        ("_Bool b = 1; b += 1; r = b;", 1),
        ("int x = 4; (void) (_Bool) x; (void) (char) x; r = 1;", 1),
        ("r = (_Bool) x_of(4) + (_Bool) x_of(0);", 1),
        ("r = yes(7);", 1),
        ("r = is(7);", 1),
        ("r = is(0);", 0),
    ] {
        let outside = "int x_of(int x) { return x; } _Bool yes(int x) { return x; } int is(_Bool b) { return b; }";
        gives(outside, inside, &[], expected);
    }
}

#[test]
fn loops_and_jumps_lead_where_they_should() {
    for (inside, expected) in [
        ("while (r < 5) r += 2;", 6),
        ("while (0) r = 1;", 0),
        ("do r += 1; while (r < 3);", 3),
        ("do { r = 9; } while (0);", 9),
        ("for (int i = 0; i < 4; i++) r += i;", 6),
        ("int i; for (i = 0; ; i++) { if (i == 3) break; r = i; }", 2),
        (
            "for (int i = 0; i < 6; i++) { if (i % 2) continue; r += i; }",
            6,
        ),
        (
            "int i = 0; while (i < 6) { i++; if (i == 2) continue; if (i == 5) break; r += i; }",
            8,
        ),
        (
            "int i = 0; do { if (i == 1) continue; r += 1; } while (++i < 3);",
            2,
        ),
        (
            "for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) { if (j == 2) break; r++; }",
            6,
        ),
        ("again: r++; if (r < 4) goto again;", 4),
        ("goto past; r = 5; past: r += 1;", 1),
        ("goto inside; if (r) { r = 5; inside: r += 1; }", 1),
        (
            "int i = 0; goto inside; while (i < 3) { r += 10; inside: r += 1; i++; }",
            23,
        ),
        (
            "goto a; { b: r = r * 10 + 2; goto c; } { a: r = 1; goto b; } c: ;",
            12,
        ),
        ("{ while (1) { if (r++ > 3) goto out; } } out: ;", 5),
        ("if (r) r = 1; else if (r == 0) r = 2; else r = 3;", 2),
        ("; { } {{ r = 4; }} ;", 4),
    ] {
        gives("", inside, &[], expected);
    }
}

#[test]
fn switches_go_to_their_case() {
    let table = "switch (x) { case 1: r = 1; break; case 2: r = 2; case 3: r += 10; break; default: r = 7; case -1: r += 100; }";
    for (value, expected) in [(1, 1), (2, 12), (3, 10), (4, 107), (-1, 100)] {
        gives("", &format!("int x = {value}; {table}"), &[], expected);
    }
    for (inside, expected) in [
        ("switch (2) { case 1: r = 1; }", 0),
        ("switch (r) { r = 8; }", 0),
        (
            "switch (5) { case 1 ... 4: r = 1; break; case 5 ... 9: r = 2; }",
            2,
        ),
        (
            "enum { A, B = 5, C }; switch (6) { case A: r = 1; break; case C: r = 3; }",
            3,
        ),
        (
            "switch (1) { case 1: switch (2) { case 1: r = 9; break; case 2: r = 4; break; } r += 1; }",
            5,
        ),
        (
            "for (int i = 0; i < 3; i++) switch (i) { case 1: continue; default: r += 1; }",
            2,
        ),
        (
            "int n = 5; switch (n % 2) { case 0: do { r += 1; case 1: r += 10; n -= 2; } while (n > 0); }",
            32,
        ),
        ("int x = 1; switch (x++) { case 1: r = x; }", 2),
        ("switch (r) { int y; case 0: y = 6; r = y; }", 6),
        (
            "switch ('b') { case 'a': r = 1; break; case 'b': r = 2; }",
            2,
        ),
    ] {
        gives("", inside, &[], expected);
    }
    gives(
        "",
        "switch (nondet_int()) { case 1: r = 1; break; case 2: r = 2; }",
        &[2],
        2,
    );
}

#[test]
fn functions_are_called_by_value_and_return() {
    let outside = "int g = 3, h; static int s = 4;
        int twice(int x) { x = x * 2; return x; }
        int max(int a, int b) { if (a > b) return a; return b; }
        void set(int v) { g = v; if (v > 5) return; h = v; }
        int count(void) { static int n = 10; n++; return n; }
        int both(int x) { return max(twice(x), x + 3); }
        int old() { return 5; }
        int shadow(int g) { { int g = 8; g++; } return g; }
        static inline int last(int n) { int i; for (i = 0; i < n; i++) { if (i == 2) return i; } return -1; }";
    for (inside, expected) in [
        ("r = twice(4);", 8),
        ("int x = 4; r = twice(x) + x;", 12),
        ("r = twice(twice(3));", 12),
        ("r = twice(2) + twice(3);", 10),
        ("r = max(twice(1), max(5, 4));", 5),
        ("r = both(2) * 10 + both(9);", 68),
        ("set(2); r = g * 10 + h;", 22),
        ("set(7); r = g * 10 + h;", 70),
        ("count(); count(); r = count();", 13),
        ("r = old() + s + g;", 12),
        ("r = shadow(2) + g;", 5),
        ("int g = 1; { int g = 2; r = g; } r = r * 10 + g;", 21),
        ("r = last(9) * 10 + last(1);", 19),
        ("if (twice(0) || twice(1)) r = 1;", 1),
        ("for (int i = 0; i < max(2, 3); i++) r += twice(i);", 6),
        ("(void) count(); r = count();", 12),
    ] {
        gives(outside, inside, &[], expected);
    }
}

#[test]
fn declarations_name_types_and_constants() {
    let outside = "typedef int number; typedef _Bool flag; enum color { RED, GREEN = 4, BLUE };
        extern int printf(const char *format, ...); unsigned long unused; struct s { int x; }; struct s *p;
        const int limit = 6; int early; int early = 2; extern int early; signed char c = -3;
        double half(double x) { return x / 2; }";
    for (inside, expected) in [
        ("number n = 3; flag f = 9; r = n + f;", 4),
        ("enum color k = BLUE; r = k + RED;", 5),
        ("r = limit + early + c;", 5),
        ("typedef char number; number n = 7; r = n;", 7),
        ("enum { RED = 9 }; r = RED;", 9),
        ("extern int early; r = early;", 2),
        ("int twice(int); r = 1;", 1),
        ("register int x = 3; auto int y = 4; r = x + y;", 7),
    ] {
        gives(outside, inside, &[], expected);
    }
}

#[test]
fn locals_are_arbitrary_when_their_block_is_entered() {
    // The value is fixed until the declaration is passed again.
    gives("", "int x; r = x - x;", &[5], 0);
    gives("", "int x; r = x;", &[7], 7);
    gives(
        "",
        "for (int i = 0; i < 2; i++) { int x; r = r * 10 + x; }",
        &[3, 4],
        34,
    );
    gives(
        "",
        "for (int i = 0; i < 2; i++) { int x; if (i == 0) x = 1; r = r * 10 + x; }",
        &[9, 5],
        15,
    );
    gives(
        "",
        "int i = 0; again: ; int x; if (i == 0) x = 1; r = r * 10 + x; if (i++ < 1) goto again;",
        &[9, 5],
        15,
    );
    // A jump into a block skips the declaration, not the life of the variable.
    gives("", "goto in; { int x = 1; in: r = x; }", &[6], 6);
    gives(
        "",
        "int i = 0; goto in; while (i < 2) { int x = 1; in: r = r * 10 + x; i++; }",
        &[6],
        61,
    );
    gives("", "_Bool b; r = b;", &[1], 1);
    gives("int f(int x) { int y; return y; }", "r = f(1);", &[8], 8);
    gives("int f(int x) { if (x) return 3; }", "r = f(0);", &[8], 8);
    // Globals and static variables start at 0.
    gives(
        "int g; _Bool b;",
        "static int s; r = g + s + b;",
        &[5, 5, 5],
        0,
    );
}

#[test]
fn arbitrary_values_are_chosen_in_order() {
    gives("", "r = nondet_int();", &[42], 42);
    gives("", "r = nondet_int() * 10 + nondet_int();", &[4, 2], 42);
    gives("", "if (nondet_int()) r = 1; else r = 2;", &[0], 2);
    gives(
        "",
        "if (nondet_int() > 5 && nondet_bool()) r = 1; else r = 2;",
        &[6, 1],
        1,
    );
    gives("", "while (__VERIFIER_nondet_int()) r++;", &[1, 1, 0], 2);
    gives(
        "extern char nondet_letter(void);",
        "r = nondet_letter();",
        &[-5],
        -5,
    );
    gives(
        "int f(int a, int b) { return a * 10 + b; }",
        "r = f(nondet_int(), nondet_int());",
        &[1, 2],
        12,
    );
    gives(
        "int nondet_int(void) { return 3; }",
        "r = nondet_int();",
        &[42],
        3,
    );
    // What is chosen is a value of its type.
    let text = "int main(void) { char c = nondet_char(); assert(c != 0); return 0; }";
    assert_eq!(end_of(text, &[127]), "end");
    assert!(end_of(text, &[128]).starts_with("stuck"));
}

#[test]
fn programs_end_and_fail_where_they_say() {
    for (inside, end) in [
        ("assert(1);", "end"),
        ("assert(0);", "error"),
        ("reach_error();", "error"),
        ("__VERIFIER_error();", "error"),
        ("__assert_fail(\"x\", \"m.c\", 4, __func__);", "error"),
        ("ERROR();", "error"),
        ("goto ERROR; ERROR: ;", "error"),
        ("if (0) { ERROR: ; }", "end"),
        ("abort(); assert(0);", "end"),
        ("exit(3); assert(0);", "end"),
        ("return 1; assert(0);", "end"),
        ("__VERIFIER_assume(0); assert(0);", "end"),
        ("__VERIFIER_assume(1); assert(0);", "error"),
        ("fails();", "error"),
        ("checks(0);", "error"),
        ("checks(1);", "end"),
        ("while (1) { }", "going round"),
        ("for (;;) ;", "going round"),
        ("here: goto here;", "going round"),
        (
            "((void) sizeof ((1) ? 1 : 0), __extension__ ({ if (0) ; else __assert_fail (\"x\", \"m.c\", 1, __extension__ __PRETTY_FUNCTION__); }));",
            "error",
        ),
        (
            "((1) ? (void) (0) : __assert_fail(\"x\", \"m.c\", 1, __func__));",
            "end",
        ),
        ("int x = 3; x == 3 || (reach_error(), 0);", "end"),
        ("int x = 4; x == 3 || (reach_error(), 0);", "error"),
    ] {
        let text = format!(
            "void reach_error(void) {{ }} void ERROR(void) {{ }}
            void fails(void) {{ {{ goto ERROR; ERROR: ; return; }} }}
            void checks(int ok) {{ if (!ok) {{ reach_error(); }} }}
            int main(void) {{ {inside} }}"
        );
        assert_eq!(end_of(&text, &[]), end, "{inside}");
    }
}
