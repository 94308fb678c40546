//! What is refused: each fault by name, with its position and its advice.
//!
//! In the table a fault is expected where `@` stands in the text (the sign itself is taken out).

use super::*;
use crate::languages::diagnostics::Category;
use crate::languages::tests::{Case, check_refusals};

fn check_all(cases: &[Case]) {
    check_refusals(cases, &read);
}

const GRAMMAR: &[Case] = &[
    (
        "@",
        Category::Syntax,
        "expected `system NAME;` at the beginning",
    ),
    (
        "// nothing but a comment@",
        Category::Syntax,
        "the end of the file",
    ),
    ("@var x : int;", Category::Syntax, "expected `system NAME;`"),
    (
        "system s@\nvar x : int;",
        Category::Syntax,
        "expected `;` at the end of the first line, found `var`",
    ),
    (
        "system @var;",
        Category::Syntax,
        "found the reserved keyword `var`",
    ),
    (
        "system s;\n@variable x : int;",
        Category::Syntax,
        "did you mean `var`?",
    ),
    (
        "system s;\n@edge a -> b;",
        Category::Syntax,
        "belong into `process NAME",
    ),
    ("system s;\n@;", Category::Syntax, "found `;`"),
    (
        "system s;\nconst N @: 5;",
        Category::Syntax,
        "expected `=` and the value of the constant",
    ),
    (
        "system s;\nconst N = @;",
        Category::Syntax,
        "expected an expression, found `;`",
    ),
    (
        "system s;\nenum color { red, @};",
        Category::Syntax,
        "expected the name of a value",
    ),
    (
        "system s;\nenum color { red }@\nvar x : int;",
        Category::Syntax,
        "expected `;` at the end of this enumeration",
    ),
    (
        "system s;\nvar x @= int;",
        Category::Syntax,
        "expected `:` and the sort",
    ),
    ("system s;\nvar x : @;", Category::Syntax, "expected a sort"),
    (
        "system s;\nvar x : 0@;",
        Category::Syntax,
        "expected `..` and the upper end",
    ),
    (
        "system s;\nvar x[1@] : int;",
        Category::Syntax,
        "expected `..` and the upper end",
    ),
    (
        "system s;\nvar x : int@ := 3;",
        Category::Syntax,
        "expected `;` at the end of this declaration, found `:=`",
    ),
    (
        "system s;\ninit x @== 3; var x : int;",
        Category::Syntax,
        "equality is written `=`",
    ),
    (
        "system s;\nvar x : int;\ninit 0 < x @< 3;",
        Category::Syntax,
        "write `a < b && b < c`",
    ),
    (
        "system s;\nvar x : bool;\ninit x @& x;",
        Category::Syntax,
        "\"and\" is written `&&`",
    ),
    (
        "system s;\nvar x : bool;\ninit x = @!x;",
        Category::Syntax,
        "put the negation into parentheses",
    ),
    (
        "system s;\nvar x : int;\ninit (x = 1@;",
        Category::Syntax,
        "expected `)` after the expression, found `;`",
    ),
    (
        "system s;\nvar x : int;\ninit forall i @= 1..3: x = i;",
        Category::Syntax,
        "expected `in` and the range",
    ),
    (
        "system s;\nvar x : int;\ninit forall i in 1..3 @x = i;",
        Category::Syntax,
        "expected `:` after the indices",
    ),
    (
        "system s;\nvar x : int;\ninit x = if x = 1 then 2@;",
        Category::Syntax,
        "expected `else`",
    ),
    (
        "system s;\nvar x[1..2][1..2] : int;\ninit x[1@, 2] = 1;",
        Category::Syntax,
        "each index has its own brackets: `x[1][2]`",
    ),
    (
        "system s;\nvar x : int;\ntransition t do x @= 1;",
        Category::Syntax,
        "an update is written `x := e`; `=` compares",
    ),
    (
        "system s;\nvar x : int;\ntransition t do x@' := 1;",
        Category::Syntax,
        "primes stand in `relation e modifies {x}`",
    ),
    (
        "system s;\nvar x : int;\ntransition t do @1 := x;",
        Category::Syntax,
        "expected an update",
    ),
    (
        "system s;\nvar x : int;\ntransition t do x := 1@ when x = 0;",
        Category::Syntax,
        "the order is: `choose`, then `when`, then `do`",
    ),
    (
        "system s;\nvar x : int;\ntransition t do relation x' > x@;",
        Category::Syntax,
        "expected `modifies`",
    ),
    (
        "system s;\nvar x : int;\ntransition t do relation x' > x modifies @x;",
        Category::Syntax,
        "expected `{`",
    ),
    (
        "system s;\nprocess P { location a; @edge a -> a; }",
        Category::Syntax,
        "expected `start`",
    ),
    (
        "system s;\nprocess P { location a; start a; @var x : int; }",
        Category::Syntax,
        "stand before its locations",
    ),
    (
        "system s;\nprocess P { location a; start a; @location b; start b; }",
        Category::Syntax,
        "are already declared",
    ),
    (
        "system s;\nprocess P { location a; start a; edge a @to a; }",
        Category::Syntax,
        "expected `->`",
    ),
    (
        "system s;\nprocess P { location a; start a; @error false;",
        Category::Syntax,
        "expected `}` at the end of process `P`",
    ),
    (
        "system s;\nprocess P { location a; start a; }@;",
        Category::Syntax,
        "a process ends with its `}`",
    ),
    (
        "system s;\nprocess @P { }",
        Category::Syntax,
        "process `P` has no locations",
    ),
    (
        "system s;\n@/* one /* two */",
        Category::Syntax,
        "1 more `*/`",
    ),
    (
        "system s;\nvar x : int;\ninit x = @#;",
        Category::Syntax,
        "unexpected character '#'",
    ),
    (
        "system s;\nvar x : int;\ninit x' = 1@'';",
        Category::Syntax,
        "once",
    ),
];

#[test]
fn texts_that_do_not_follow_the_grammar() {
    check_all(GRAMMAR);
}

#[test]
fn all_faults_of_a_file_are_reported() {
    use Category::Syntax;
    check_all(&[(
        "system s;\nvar x : @;\nconst N @5;\nvar y : int;\ninit y = @;\nprocess P {\n  location a; start a;\n  edge a @- a;\n  edge a -> a@ if;\n}\ntransition t do y @= 1;\nerror y = 1@ ",
        Syntax,
        "",
    )]);
    let faults = read(
        "system s;\nconst N = ;\nvar x[1..N] : int;\nvar y : 3..1;\ninit x[1] = 0 && zz = 1;\nerror y + true;",
    )
    .unwrap_err();
    let lines: Vec<u32> = faults
        .iter()
        .filter_map(|fault| faults.position(fault))
        .map(|reference| reference.line)
        .collect();
    assert_eq!(lines, [2, 4, 5, 6, 6], "{faults}");
}

const NAMES: &[Case] = &[
    (
        "system s;\nvar ticket : int;\ninit @tiket = 0;",
        Category::Name,
        "did you mean `ticket`?",
    ),
    (
        "system s;\nvar x : @colour;\nenum color { red };",
        Category::Name,
        "did you mean `color`?",
    ),
    (
        "system s;\nvar x : @boolean;",
        Category::Name,
        "did you mean `bool`?",
    ),
    (
        "system s;\nvar x : int;\nvar @x : bool;",
        Category::Name,
        "`x` is declared twice",
    ),
    (
        "system s;\nconst x = 1;\nenum e { a, @x };",
        Category::Name,
        "`x` is declared twice",
    ),
    (
        "system s;\ntransition t;\ntransition @t;",
        Category::Name,
        "`t` is declared twice",
    ),
    (
        "system s;\nvar x : int;\nprocess P { var @x : int; location a; start a; }",
        Category::Name,
        "`x` is already a variable",
    ),
    (
        "system s;\nprocess P { location a, @a; start a; }",
        Category::Name,
        "`a` is declared twice",
    ),
    (
        "system s;\nprocess P { location a, b; start @c; }",
        Category::Name,
        "process `P` has no location `c`",
    ),
    (
        "system s;\nprocess P { location idle; start idle; edge idle -> @idel; }",
        Category::Name,
        "did you mean `idle`?",
    ),
    (
        "system s;\nprocess P { location a; start a; edge go: a -> a; edge @go: a -> a; }",
        Category::Name,
        "`go` is declared twice",
    ),
    (
        "system s;\nprocess P { location a; start a; }\nerror P at @b;",
        Category::Name,
        "no location `b`",
    ),
    (
        "system s;\nprocess P { location a; start a; }\nerror P.@x = 1;",
        Category::Name,
        "no variable `x`",
    ),
    (
        "system s;\nprocess P { var x : int; location a; start a; }\nerror @x = 1;",
        Category::Name,
        "written `P.x` or `P[i].x`",
    ),
    (
        "system s;\nprocess P { location a; start a; edge a -> a when @a; }",
        Category::Name,
        "`P at location`",
    ),
    (
        "system s;\nvar x : int;\nerror @x at b;",
        Category::Name,
        "`x` is not a process",
    ),
    (
        "system s;\nvar x : int;\nerror exists @x in 1..2: true;",
        Category::Name,
        "`x` already has a meaning here",
    ),
    (
        "system s;\nerror exists i in 1..2: exists @i in 1..2: true;",
        Category::Name,
        "`i` already has a meaning here",
    ),
    (
        "system s;\nvar x : int;\ntransition t choose @x : int;",
        Category::Name,
        "`x` already has a meaning here",
    ),
    (
        "system s;\nerror e: true;\nerror @e: false;",
        Category::Name,
        "two properties are called `e`",
    ),
    (
        "system s;\ntransition step;\nerror enabled(@setp);",
        Category::Name,
        "did you mean `step`?",
    ),
    (
        "system s;\nprocess P { location a; start a; edge a -> a; }\nerror enabled(P.@go);",
        Category::Name,
        "process `P` has no edge `go`",
    ),
    (
        "system s;\nvar x : int;\ninit x = @average(1, 2);",
        Category::Name,
        "there is no function `average`",
    ),
    (
        "system s;\nconst A = @B; const B = 1;",
        Category::Name,
        "`B` is not declared yet",
    ),
    (
        "system s;\ndefine a = @b; define b = true;",
        Category::Name,
        "`b` is not declared yet",
    ),
    (
        "system s;\ndefine a = @a;",
        Category::Name,
        "`a` is not declared yet",
    ),
];

#[test]
fn names_that_are_unknown_or_taken() {
    check_all(NAMES);
}

const SORTS: &[Case] = &[
    (
        "system s;\nvar x : int;\ninit @x;",
        Category::Sort,
        "expected `bool`, found `int`",
    ),
    (
        "system s;\nvar x : int = @true;",
        Category::Sort,
        "expected `int`, found `bool`",
    ),
    (
        "system s;\nvar x : int = @0.5;",
        Category::Sort,
        "a real is never turned into an int",
    ),
    (
        "system s;\nvar x : int;\nvar r : real;\ntransition t do x := @r;",
        Category::Sort,
        "a real is never turned into an int",
    ),
    (
        "system s;\nvar x : int;\ninit @x = true;",
        Category::Sort,
        "different sorts, `int` and `bool`",
    ),
    (
        "system s;\nenum e { a, b };\nvar x : e;\ninit @x < @b;",
        Category::Sort,
        "expected a number, found `e`",
    ),
    (
        "system s;\nvar x : bool;\ninit 1 + @x = 2;",
        Category::Sort,
        "`if c then 1 else 0`",
    ),
    (
        "system s;\nvar x : real;\ninit @x div 2 = 1;",
        Category::Sort,
        "expected `int`, found `real`",
    ),
    (
        "system s;\nvar x : int;\ninit distinct(x, @true);",
        Category::Sort,
        "expected `int`, found `bool`",
    ),
    (
        "system s;\nvar x : int;\ninit count(i in 1..2 : @i) = 1;",
        Category::Sort,
        "expected `bool`, found `int`",
    ),
    (
        "system s;\nvar x : int;\ninit @if true then 1 else 2;",
        Category::Sort,
        "",
    ),
    (
        "system s;\nvar x[1..3] : int;\ninit @x = 1;",
        Category::Sort,
        "`x` takes 1 index, found no index",
    ),
    (
        "system s;\nvar x : int;\ninit @x[1] = 1;",
        Category::Sort,
        "`x` takes no index, found 1 index",
    ),
    (
        "system s;\nvar x[1..3] : int;\nvar y : int;\ninit x[@y] = 1;",
        Category::Sort,
        "a variable may not be indexed by a variable",
    ),
    (
        "system s;\nvar y : int;\ninit forall i in 1..@y: true;",
        Category::Sort,
        "the end of a range is a constant",
    ),
    (
        "system s;\nvar y : int;\ninit forall i in 1..2 where @y = i: true;",
        Category::Sort,
        "the `where` of bound indices is a constant",
    ),
    (
        "system s;\ndefine n = 3;\nvar x : 0..@n;",
        Category::Sort,
        "use `const` to name a number",
    ),
    (
        "system s;\nvar y : int;\nconst N = @y;",
        Category::Sort,
        "use `define` to name an expression over the state",
    ),
    (
        "system s;\nenum e { a };\nconst N = @a;",
        Category::Sort,
        "use `define` to give the value another name",
    ),
    (
        "system s;\nvar x[1..@0.5] : int;",
        Category::Sort,
        "expected `int`, found `real`",
    ),
    (
        "system s;\nconst N = 1;\nvar x : @N;",
        Category::Sort,
        "`N` is a constant, not a sort",
    ),
    (
        "system s;\nconst N = 1;\ntransition t do @N := 2;",
        Category::Sort,
        "`N` is a constant, it cannot be changed",
    ),
    (
        "system s;\nprocess P { location a; start a; }\ntransition t do @P := 2;",
        Category::Sort,
        "`P at location` moves the process",
    ),
    (
        "system s;\nprocess P { location a; start a; }\ninit @P = 1;",
        Category::Sort,
        "`P` is a process, not a value",
    ),
    (
        "system s;\nprocess P[i in 1..2] { location a; start a; }\ninit @P at a;",
        Category::Sort,
        "takes 1 index",
    ),
    (
        "system s;\nvar x : int;\ntransition t when @x' = 1;",
        Category::Sort,
        "primed variables are only allowed within `relation ... modifies {...}`",
    ),
    (
        "system s;\ntransition t when @deadlock;",
        Category::Sort,
        "may only be used in `error` and `invariant`",
    ),
    (
        "system s;\ntransition t;\ninit @enabled(t);",
        Category::Sort,
        "may only be used in `error` and `invariant`",
    ),
    (
        "system s;\ndefine d = deadlock;\ntransition t when @d;",
        Category::Sort,
        "may only be used in `error` and `invariant`",
    ),
    (
        "system s;\ndefine d[i in 1..2] = true;\nerror @d;",
        Category::Sort,
        "`d` takes 1 index",
    ),
    (
        "system s;\ntransition t[i in 1..2];\nerror enabled(@t);",
        Category::Sort,
        "`t` takes 1 index",
    ),
];

#[test]
fn expressions_of_the_wrong_sort() {
    check_all(SORTS);
}

#[test]
fn arithmetic_that_is_not_linear() {
    use Category::Nonlinear;
    check_all(&[
        (
            "system s;\nvar x, y : int;\ninit @x * y = 1;",
            Nonlinear,
            "a product of two expressions that are not constant",
        ),
        (
            "system s;\nvar x, y : int;\ninit 1 + @2 * x * y = 1;",
            Nonlinear,
            "one factor",
        ),
        (
            "system s;\nvar x, y : int;\ninit x div @y = 1;",
            Nonlinear,
            "a divisor that is not constant",
        ),
        (
            "system s;\nvar x, y : real;\ninit x / @y = 1;",
            Nonlinear,
            "a divisor that is not constant",
        ),
        (
            "system s;\nvar x : int;\ntransition t choose d : int do x := @x * d;",
            Nonlinear,
            "",
        ),
    ]);
}

#[test]
fn values_that_make_no_sense() {
    use Category::Value;
    check_all(&[
        (
            "system s;\nvar x : @3..1;",
            Value,
            "the range 3..1 is empty",
        ),
        (
            "system s;\nconst N = 0;\nvar x : @1..N;",
            Value,
            "the range 1..0 is empty",
        ),
        (
            "system s;\ntransition t choose d : @2..1;",
            Value,
            "the range 2..1 is empty",
        ),
        (
            "system s;\nvar x[@2..1] : int;\ninit x[1] = 0;",
            Value,
            "the family `x` has no members",
        ),
        ("system s;\nconst N = 1 div @0;", Value, "division by 0"),
        (
            "system s;\nvar x : int;\ninit x mod @(1 - 1) = 0;",
            Value,
            "division by 0",
        ),
        (
            "system s;\nvar x : real;\ninit x / @0 = 1;",
            Value,
            "division by 0",
        ),
        (
            "system s;\nvar x[1..3] : int;\ninit @x[4] = 0;",
            Value,
            "there is no variable `x[4]`",
        ),
        (
            "system s;\nvar x[1..3] : int;\ninit forall i in 1..3: @x[i - 1] = 0;",
            Value,
            "between those of `x[1]` and `x[3]`",
        ),
        (
            "system s;\nprocess P[i in 1..2] { location a; start a; }\nerror @P[3] at a;",
            Value,
            "there is no process `P[3]`",
        ),
        (
            "system s;\nprocess P[i in 1..2] { var x : int; location a; start a; }\nerror @P[0].x = 1;",
            Value,
            "there is no process `P[0]`",
        ),
        (
            "system s;\ndefine d[i in 1..2] = true;\nerror @d[3];",
            Value,
            "`i` between 1 and 2",
        ),
        (
            "system s;\ndefine d[i in 1..2 where i = 1] = true;\nerror @d[2];",
            Value,
            "its `where` excludes it",
        ),
        (
            "system s;\ntransition t[i in 1..2 where i = 1];\nerror enabled(@t[2]);",
            Value,
            "there is no transition `t[2]`",
        ),
    ]);
}

#[test]
fn two_updates_of_one_variable() {
    use Category::Update;
    check_all(&[
        (
            "system s;\nvar x : int;\ntransition t do x := 1, @x := 2;",
            Update,
            "`x` is updated twice",
        ),
        (
            "system s;\nvar x : int;\ntransition t do x := 1, havoc @x;",
            Update,
            "`x` is updated twice",
        ),
        (
            "system s;\nvar x[1..3] : int;\ntransition t[i in 1..3] do x[i] := 1, @x[2] := 2;",
            Update,
            "`x[2]` is updated twice",
        ),
        (
            "system s;\nvar x[1..3] : int;\ntransition t do forall i in 1..2: @x[1] := i;",
            Update,
            "`x[1]` is updated twice",
        ),
        (
            "system s;\nvar x : int;\ntransition t do x := 1, relation x' > x modifies {@x};",
            Update,
            "`x` is updated twice",
        ),
        (
            "system s;\nprocess P { location a, b; start a; edge a -> b do @P at a; }",
            Update,
            "`P` is moved twice",
        ),
        (
            "system s;\nprocess P[i in 1..2] { location a, b; start a; edge a -> a do @P[1] at b; }",
            Update,
            "`P[1]` is moved twice",
        ),
        (
            "system s;\nvar x, y : int;\ntransition t do relation x' = @y' modifies {x};",
            Update,
            "add it to the variables after `modifies`",
        ),
    ]);
}

#[test]
fn what_is_too_large_or_not_covered() {
    use Category::Unsupported;
    check_all(&[
        (
            "system s;\nvar x[@1..1000000000] : int;",
            Unsupported,
            "the model grows too large here",
        ),
        (
            "system s;\ntransition t[i in @1..1000000000] when false;",
            Unsupported,
            "-D NAME=VALUE",
        ),
        (
            "system s;\nerror exists i in 1..100000, j in 1..100000: @i = j && i = 0;",
            Unsupported,
            "grows too large",
        ),
        (
            "system s;\nprocess P[i in @1..1000000000] { location a; start a; }",
            Unsupported,
            "grows too large",
        ),
        (
            "system s;\nvar r : real;\ntransition @t choose n : int when n = r;\nerror deadlock;",
            Unsupported,
            "compared with a real that is not chosen",
        ),
    ]);
}

#[test]
fn a_constant_of_the_command_line_must_exist_and_fit() {
    let text = "system s; const N = 3; const R = 0.5; const B = true; var x : int;";
    for (pair, words) in [
        ("M=3", "the model has no constant `M`"),
        ("n=3", "did you mean `N`?"),
        ("M=3", "one of `N`, `R`, `B`"),
        ("N=0.5", "has sort int: invalid value `0.5`"),
        ("N=1_0", "invalid value"),
        ("N=+1", "invalid value"),
        ("N=", "an integer such as"),
        ("N=true", "invalid value"),
        ("R=.5", "a number such as"),
        ("R=1.", "invalid value"),
        ("R=1.-5", "invalid value"),
        ("R=1/2", "invalid value"),
        ("B=1", "`true` or `false`"),
    ] {
        let faults = read_with(text, &[pair]).unwrap_err();
        assert!(faults.to_string().contains(words), "{pair}: {faults}");
        assert_eq!(faults.exit_status(), 2, "{pair}");
    }
    let faults = read_with("system s; var x : int;", &["N=1"]).unwrap_err();
    assert!(
        faults.to_string().contains("this model has no constants"),
        "{faults}"
    );
}

#[test]
fn an_unreadable_declaration_does_not_make_its_name_unknown() {
    let faults = read("system s;\nvar x[1..] : int;\ninit x[1] = 0;\nerror x[2] = 1;").unwrap_err();
    assert_eq!(faults.len(), 1, "{faults}");
}
