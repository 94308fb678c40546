//! What is refused: status, line and a word of the message; and that hostile texts end with a message too.

use slabcert::languages::c::C;
use slabcert::languages::source::Source;
use slabcert::languages::{Language, Options};

pub fn refused(text: &str) -> (u8, String) {
    match C.read(&Source::new("m.c", text), &Options::default()) {
        Ok(_) => panic!(
            "this is read:\n{}",
            text.chars().take(2_000).collect::<String>()
        ),
        Err(faults) => (faults.exit_status(), faults.to_string()),
    }
}

pub fn is_read(text: &str) {
    if let Err(faults) = C.read(&Source::new("m.c", text), &Options::default()) {
        panic!("{faults}");
    }
}

/// Statements of `main`, which begins in line 3, that are refused in that line.
#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn what_is_not_read_is_refused_with_a_way_out() {
    for (inside, word) in [
        ("int *p = &x;", "pointers are not read"),
        ("int *p; *p = 1;", "pointers are not read"),
        ("x = &x == 0;", "pointers are not read"),
        ("int a[3]; a[0] = 1;", "arrays are not read"),
        (
            "struct s { int x; } v; v.x = 1;",
            "structures and unions are not read",
        ),
        ("double d = 1;", "floating-point numbers are not read"),
        ("x = 1.5;", "floating-point numbers are not read"),
        ("unsigned u = 1;", "unsigned numbers are not read"),
        ("x = x + 1u;", "unsigned numbers are not read"),
        ("x = 0xFFFFFFFF;", "unsigned numbers are not read"),
        ("x = sizeof(int);", "`sizeof` and its like are not read"),
        (
            "long l = 1;",
            "numbers of type `long` or `short` are not read",
        ),
        (
            "x = 2147483648;",
            "numbers of type `long` or `short` are not read",
        ),
        (
            "volatile int v; x = v;",
            "`volatile` and atomic variables are not read",
        ),
        (
            "static _Thread_local int own; x = own;",
            "attributes that change what a declaration means are not read",
        ),
        ("x = x * y;", "products of variables are not read"),
        ("x = y / x;", "divisors that are not constant are not read"),
        ("x %= y;", "divisors that are not constant are not read"),
        ("x = x & 1;", "operators on bits are not read"),
        ("x = ~x;", "operators on bits are not read"),
        ("x <<= 1;", "operators on bits are not read"),
        (
            "x = recursive(3);",
            "functions that call themselves are not read",
        ),
        ("x = external(3);", "the function `external` has no body"),
        ("x = elsewhere;", "declared `extern` and defined nowhere"),
        ("x = \"text\" == 0;", "texts are not read"),
        ("x = external == 0;", "pointers are not read"),
        ("x = nondet_uint();", "arbitrary values of types"),
        ("x = (int) nondet_pointer();", "arbitrary values of types"),
        ("x = ({ x; });", "has none"),
        ("x = x++ + x;", "C leaves open when `x` is written here"),
        ("x = x++;", "C leaves open when `x` is written here"),
        (
            "x = (x = 1) + (x = 2);",
            "C leaves open when `x` is written here",
        ),
        (
            "x += setting();",
            "C leaves open when `global` is written here",
        ),
        (
            "x = global + setting();",
            "C leaves open when `global` is written here",
        ),
        (
            "x = setting() + setting();",
            "C leaves open when `global` is written here",
        ),
        ("x = two(x++, x);", "C leaves open when `x` is written here"),
        (
            "x = stops() + fails();",
            "C leaves open what ends the program here",
        ),
    ] {
        let global = if inside.starts_with("x +=") {
            inside.replace("x +=", "global +=")
        } else {
            inside.to_owned()
        };
        let text = format!(
            "int recursive(int n) {{ return n ? recursive(n - 1) : 0; }} int external(int); extern int elsewhere; int global; int setting(void) {{ global = 2; return 1; }} int two(int a, int b) {{ return a; }}
int stops(void) {{ abort(); return 1; }} int fails(void) {{ assert(0); return 1; }}
int main(void) {{ int x = 0, y = 1; {global} return 0; }}\n"
        );
        let (status, message) = refused(&text);
        assert!(message.contains(word), "{inside}\n{message}");
        if word.starts_with("functions that") {
            assert!(message.contains("m.c:1:"), "{message}");
        } else {
            assert!(message.contains("m.c:3:"), "{inside}\n{message}");
        }
        let is_fault = word == "has none";
        assert_eq!(status, if is_fault { 3 } else { 5 }, "{message}");
        if !is_fault {
            assert!(message.contains("help:"), "{message}");
        }
    }
}

#[test]
fn what_main_does_not_reach_may_say_anything() {
    is_read(
        "double half(double *x) { return *x / 2 + unknown; } struct s { int a[4]; } *p; unsigned u = 3;
        int main(void) { const char *unused; return 0; }",
    );
    is_read("int main(int argc, char **argv) { return 0; }");
    let (_, message) = refused("int main(int argc, char **argv) { return argc == 0; }");
    assert!(
        message.contains("the arguments of `main` are not read"),
        "{message}"
    );
}

#[test]
fn attributes_that_change_the_meaning_are_refused() {
    for text in [
        "__attribute__((constructor)) void f(void) { } int main(void) { }",
        "void f(void) __attribute__((__destructor__)); void f(void) { } int main(void) { }",
        "void f(int *x) { } int main(void) { int y __attribute__((cleanup(f))) = 1; }",
        "int x __attribute__((mode(QI))); int main(void) { return x; }",
        "typedef int small __attribute__((mode(QI))); small x; int main(void) { return x; }",
    ] {
        let (status, message) = refused(text);
        assert!(
            message.contains("attributes that change"),
            "{text}\n{message}"
        );
        assert_eq!(status, 5, "{text}");
    }
    is_read(
        "void f(void) __attribute__((__noreturn__, __nothrow__)); int x __attribute__((unused)); int main(void) { return x; }",
    );
}

#[test]
fn order_that_c_says_is_read() {
    for inside in [
        "x = setting() + y;",
        "x = setting() ? global : 2;",
        "y = (x++, x);",
        "y = x > 0 && x++ < 3;",
        "x = setting();",
        "global = setting();",
        "x = two(setting(), y++);",
        "x = fails() + fails();",
    ] {
        is_read(&format!(
            "int global; int setting(void) {{ global = 2; return 1; }} int two(int a, int b) {{ return a; }}
            int fails(void) {{ assert(0); return 1; }} int main(void) {{ int x = 0, y = 1; {inside} return 0; }}"
        ));
    }
}

#[test]
fn faults_are_named_with_their_line() {
    for (text, line, word) in [
        ("int x;", 1, "no function `main`"),
        ("int main(void);\nint x;", 2, "no function `main`"),
        ("int main(void) {\n x = 1; }", 2, "unknown name `x`"),
        (
            "int main(void) {\n int count; conut = 1; }",
            2,
            "did you mean `count`?",
        ),
        ("int main(void) {\n f(1); }", 2, "unknown function `f`"),
        (
            "int f(int a) { return a; }\nint main(void) { f(); }",
            2,
            "takes 1 arguments, but 0",
        ),
        (
            "void f(void) { }\nint main(void) { int x = f(); }",
            2,
            "a value is wanted",
        ),
        ("int main(void) {\n goto out; }", 2, "unknown label `out`"),
        ("int main(void) {\n a: ; a: ; }", 2, "is there twice"),
        ("int main(void) {\n break; }", 2, "there is no loop"),
        ("int main(void) {\n case 1: ; }", 2, "in no `switch`"),
        (
            "int main(void) { switch (1) { case 1: ;\n case 1: ; } }",
            2,
            "a value has two cases",
        ),
        (
            "int main(void) { switch (1) { default: ;\n default: ; } }",
            2,
            "second default",
        ),
        (
            "int main(void) { int x; switch (1) {\n case x: ; } }",
            2,
            "a constant is wanted",
        ),
        ("int main(void) {\n int x = 1 / 0; }", 2, "divides by 0"),
        ("int main(void) {\n 1 = 2; }", 2, "a variable is wanted"),
        (
            "int x;\nint y = x; int main(void) { return y; }",
            2,
            "a constant is wanted",
        ),
        ("int main(void) {\n return 0;", 2, "no C program"),
        ("int main(void) {\n void x; }", 2, "no variable is `void`"),
    ] {
        let (status, message) = refused(text);
        assert!(
            message.contains(&format!("m.c:{line}:")) && message.contains(word),
            "{text}\n{message}"
        );
        assert_eq!(status, 3, "{message}");
    }
}

#[test]
fn several_statements_are_complained_of_at_once() {
    let (_, message) = refused("int main(void) {\n x = 1;\n int *p = 0;\n y = 2; }");
    for line in [2, 3, 4] {
        assert!(message.contains(&format!("m.c:{line}:")), "{message}");
    }
}

#[test]
fn directives_and_comments_cannot_hide_text() {
    for (text, word) in [
        (
            "#include <assert.h>\nint main(void) { }",
            "directives like `#include`",
        ),
        (
            "#if 0\nint main(void) { assert(0); }\n#endif",
            "directives like `#if`",
        ),
        (
            "  # define X 1\nint main(void) { }",
            "directives like `#define`",
        ),
        ("/* a */ #if 0\nint main(void) { }", "directives like `#if`"),
        ("# 1 \"m.c\" /* \nint main(void) { } */", "are not read"),
        ("# 1 \"m.c\" \\\nint main(void) { }", "are not read"),
        (
            "#pragma once\nint main(void) { }",
            "directives like `#pragma`",
        ),
        (
            "int main(void) { int x = 1; // goes on \\ \n x = 2; }",
            "end with `\\` and blanks",
        ),
        (
            "int main(void) { int x; # define y\n }",
            "lines with `#` inside",
        ),
        ("int main(void) { // ??/\n }", "trigraphs"),
        ("int main(void) { int x \\\n = 1; }", "go on after `\\`"),
        ("int main(void) { /* *\\\n/ */ }", "go on after `\\`"),
    ] {
        let (status, message) = refused(text);
        assert!(message.contains(word), "{text}\n{message}");
        assert_eq!(status, 5, "{message}");
        assert!(message.contains("cc -E"), "{message}");
    }
    for (text, word) in [
        ("int main(void) { /* no end", "has no end"),
        (
            "int main(void) { char c = 'x; }",
            "does not end on its line",
        ),
        (
            "int main(void) { assert(\"no end); }",
            "does not end on its line",
        ),
    ] {
        let (status, message) = refused(text);
        assert!(message.contains(word) && status == 3, "{message}");
    }
}

#[test]
fn comments_and_markers_are_no_program() {
    use crate::runs::gives;
    gives("# 7 \"other.c\" 1 3\n#line 8\n#\n", "r = 1;", &[], 1);
    gives(
        "",
        "r = 1; // r = 2; \\\n r = 3;\n /* r = 4; */ r /**/ = /* ** / */ r + 1;",
        &[],
        2,
    );
    gives("", "r = '\"' + 0; /* ' */ r = '/' - '/'; // \"", &[], 0);
    gives(
        "",
        "r = 1; char c = '\\''; // é /* \n r = 2; /* ü \" */",
        &[],
        2,
    );
    let (_, message) = refused("/* two\nlines é */ int main(void) { x = 1; }");
    assert!(message.contains("m.c:2:29"), "{message}");
}

#[test]
fn nesting_is_bounded() {
    let main = |inside: String| format!("int main(void) {{ int x = 0; {inside} return 0; }}");
    let around = |open: &str, inner: &str, close: &str, count: usize| {
        main(format!(
            "{}{inner}{}",
            open.repeat(count),
            close.repeat(count)
        ))
    };
    for (open, inner, close, count) in [
        ("{", ";", "}", 3_900),
        ("(", "x", ")", 1_900),
        ("!", "x", "", 3_900),
        ("(int)", "x", "", 900),
        ("if (x) ", ";", "", 900),
        ("if (x) ; else ", ";", "", 600),
        ("x && ", "1", "", 1_200),
        ("x + ", "1", "", 1_900),
        ("while (x) {", ";", "}", 700),
        ("x ? 1 : ", "1", "", 900),
    ] {
        let end = if inner == ";" { "" } else { ";" };
        is_read(&around(open, inner, close, count).replace(" return", &format!("{end} return")));
        let (status, message) = refused(&around(open, inner, close, 50_000));
        assert!(
            message.contains("has more than 4000 tokens"),
            "{open}\n{message}"
        );
        assert_eq!(status, 5);
    }
    for text in [
        main("({;}) + ".repeat(100_000)),
        "(".repeat(1_000_000),
        "{".repeat(1_000_000),
        "}".repeat(1_000_000),
        format!("int {}x;", "*".repeat(1_000_000)),
        format!("enum {{ {} }};", "A = 1 +".repeat(100_000)),
    ] {
        refused(&text);
    }
}

#[test]
fn calls_and_steps_are_bounded() {
    let mut chain = String::from("void f0(void) { }\n");
    for number in 1..=300 {
        chain += &format!("void f{number}(void) {{ f{}(); }}\n", number - 1);
    }
    is_read(&format!("{chain} int main(void) {{ f150(); }}"));
    let (status, message) = refused(&format!("{chain} int main(void) {{ f300(); }}"));
    assert!(message.contains("more than 200 levels deep"), "{message}");
    assert_eq!(status, 5);

    let mut doubling = String::from("int g; void f0(void) { g = nondet_int(); }\n");
    for number in 1..=40 {
        doubling += &format!("void f{number}(void) {{ f{0}(); f{0}(); }}\n", number - 1);
    }
    is_read(&format!("{doubling} int main(void) {{ f8(); }}"));
    let (status, message) = refused(&format!("{doubling} int main(void) {{ f40(); }}"));
    assert!(message.contains("more than 65536 steps"), "{message}");
    assert_eq!(status, 5);
}

#[test]
fn long_programs_are_read() {
    let statements = "if (x > 3) x = x - 2; else x = x + 1;\n".repeat(3_000);
    is_read(&format!(
        "int main(void) {{ int x = nondet_int();\n{statements} assert(x > 0); }}"
    ));
    let comment = "/* a */ // b\n".repeat(200_000);
    is_read(&format!("{comment} int main(void) {{ }}"));
}

#[test]
fn values_that_nest_deeply_are_refused() {
    let inner = "(1 + ".repeat(600);
    let text = format!(
        "int main(void) {{ int x = 0; x = {inner}x{}; assert(x); }}",
        ")".repeat(600)
    );
    is_read(&text);
    let deep = format!(
        "int main(void) {{ int x = 0; assert({}x{}); }}",
        "(".repeat(600),
        " / 2 - 1)".repeat(600)
    );
    let (status, message) = refused(&deep);
    assert!(message.contains("nests more than"), "{message}");
    assert_eq!(status, 5);
}

#[test]
fn options_are_checked() {
    for (name, value, word) in [
        ("integers", "wrapped", "`integers` can only be `checked`"),
        ("width", "3", "no constant `width`"),
    ] {
        let options = Options {
            constants: [(name.to_owned(), value.to_owned())].into_iter().collect(),
        };
        let faults = C
            .read(&Source::new("m.c", "int main(void) { }"), &options)
            .unwrap_err();
        assert!(faults.to_string().contains(word), "{faults}");
        assert_eq!(faults.exit_status(), 2);
    }
}

/// What computes the size of an array happens, whether or not the array is read.
#[test]
fn effects_in_the_sizes_of_arrays_are_not_left_out() {
    for declaration in [
        "int a[1 + x++];",
        "int a[(x = 1)];",
        "int a[f()];",
        "typedef int t[1 + x++];",
        "struct { int a[1 + x++]; } q;",
        "__typeof__(int[1 + x++]) q;",
        "int (*q)[1 + x++];",
        "for (int a[++x]; 0; ) { }",
    ] {
        let text = format!(
            "int x; int f(void) {{ x = 1; return 1; }}\nint main(void) {{ {declaration} }}"
        );
        let (status, message) = refused(&text);
        assert!(message.contains("effects in declarations"), "{message}");
        assert!(status == 5 && message.contains("m.c:2:"), "{message}");
    }
    is_read("int x; int main(void) { int a[3], b[x + 1]; typedef int t[sizeof(int)]; }");
}
