//! What is refused, with the line and a word of the message.

use slabcert::languages::bip::Bip;
use slabcert::languages::source::Source;
use slabcert::languages::{Language, Options};

/// A model with the parts of an atom type, a connector type and a compound.
fn model(atom: &str, connector: &str, compound: &str) -> String {
    format!(
        "package m\nport type Signal()\nport type Value(int d)\nconnector type Join(Signal p, Signal q)\n{connector}\nend
atom type A()\ndata int x\nexport port Signal s(), t()\nexport port Value v(x)\nplace P, Q\n{atom}\nend
compound type Top()\ncomponent A a(), b()\n{compound}\nend\nend\n"
    )
}

fn refused(text: &str, constants: &[(&str, &str)]) -> (u8, String) {
    let mut options = Options::default();
    for (name, value) in constants {
        options
            .constants
            .insert((*name).to_owned(), (*value).to_owned());
    }
    let faults = Bip.read(&Source::new("m.bip", text), &options).unwrap_err();
    (faults.exit_status(), faults.to_string())
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn faults_are_named_with_their_line() {
    let good = (
        "initial to P\non s from P to Q",
        "define p q",
        "connector Join j(a.s, b.s)",
    );
    assert!(
        Bip.read(
            &Source::new("m.bip", model(good.0, good.1, good.2)),
            &Options::default()
        )
        .is_ok()
    );
    for (atom, connector, compound, status, line, word) in [
        ("initial to R", good.1, good.2, 3, 12, "place `R`"),
        (
            "initial to P\non u from P to Q",
            good.1,
            good.2,
            3,
            13,
            "port `u`",
        ),
        (
            "initial to P\non s from P to Q provided (x)",
            good.1,
            good.2,
            3,
            13,
            "bool",
        ),
        (
            "initial to P\non s from P to Q do { y = 1; }",
            good.1,
            good.2,
            3,
            13,
            "`y`",
        ),
        (
            "initial to P\non s from P to Q do { x = x * x; }",
            good.1,
            good.2,
            5,
            13,
            "product",
        ),
        (
            "initial to P\non s from P to Q do { x = 1 / 0; }",
            good.1,
            good.2,
            3,
            13,
            "divisor",
        ),
        (
            "initial to P\non s from P to Q do { x = 1 / x; }",
            good.1,
            good.2,
            5,
            13,
            "divisor",
        ),
        (
            "initial to P\non s from P to Q do { x = x & 1; }",
            good.1,
            good.2,
            5,
            13,
            "bits",
        ),
        (
            "initial to P\non s from P to Q do { f(x); }",
            good.1,
            good.2,
            3,
            13,
            "function `f`",
        ),
        (
            "initial to P\npriority a s < t\npriority b t < s",
            good.1,
            good.2,
            3,
            13,
            "circle",
        ),
        (
            "initial to P\npriority a * < *",
            good.1,
            good.2,
            3,
            13,
            "`*`",
        ),
        (
            "initial to P\nclock c unit second",
            good.1,
            good.2,
            5,
            13,
            "clocks",
        ),
        (good.0, "define p", good.2, 3, 4, "`q` is missing"),
        (good.0, "define p q p", good.2, 3, 5, "twice"),
        (
            good.0,
            "define p q\non p provided (true)",
            good.2,
            3,
            6,
            "does not define",
        ),
        (
            good.0,
            "define p q\non p q up { p.d = 1; }",
            good.2,
            3,
            6,
            "`up`",
        ),
        (
            good.0,
            good.1,
            "connector Join j(a.s, a.t)",
            3,
            17,
            "binds `a` twice",
        ),
        (good.0, good.1, "connector Join j(a.s, b.v)", 3, 17, "type"),
        (good.0, good.1, "connector Join j(a.s, c.s)", 3, 17, "`c.s`"),
        (good.0, good.1, "connector Join j(a.s)", 3, 17, "joins 2"),
        (
            good.0,
            good.1,
            "connector Join j(a.s, b.s)\npriority r j:a.s < j:*",
            3,
            18,
            "no interaction",
        ),
    ] {
        let (found, message) = refused(&model(atom, connector, compound), &[]);
        assert_eq!(found, status, "{atom} {connector} {compound}: {message}");
        assert!(
            message.contains(&format!("m.bip:{line}:")),
            "{atom} {connector} {compound}: line {line}: {message}"
        );
        assert!(
            message.contains(word),
            "{atom} {connector} {compound}: {word}: {message}"
        );
    }
}

#[test]
fn the_root_is_the_one_that_no_other_contains_or_the_one_asked_for() {
    let two = "package m\natom type A(int n)\nplace P\ninitial to P\nend
compound type One(int n)\ncomponent A a(n)\nend\ncompound type Other()\ncomponent A a(1)\nend\nend\n";
    assert!(refused(two, &[]).1.contains("more than one compound"));
    assert_eq!(refused(two, &[("root", "Third()")]).0, 2);
    assert!(
        refused(two, &[("root", "One()")])
            .1
            .contains("1 parameters")
    );
    assert!(
        refused(two, &[("root", "One(true)")])
            .1
            .contains("no value")
    );
    assert!(refused(two, &[("size", "3")]).1.contains("`size`"));
    for root in ["One(3)", "One( -3 )", "Other()", "Other"] {
        let mut options = Options::default();
        options.constants.insert("root".to_owned(), root.to_owned());
        assert!(
            Bip.read(&Source::new("m.bip", two), &options).is_ok(),
            "{root}"
        );
    }
}

#[test]
fn compounds_that_contain_themselves_are_refused() {
    let text = "package m\ncompound type A()\ncomponent B b()\nend\ncompound type B()\ncomponent A a()\nend\nend\n";
    let (status, message) = refused(text, &[("root", "A()")]);
    assert_eq!(status, 5, "{message}");
    assert!(message.contains("levels deep"), "{message}");
}

#[test]
fn connectors_that_are_bound_to_each_other_are_refused() {
    let text = "package m\nport type S()\nconnector type C(S p)\nexport port S e()\ndefine p\nend
compound type Top()\nconnector C c(d.e), d(c.e)\nend\nend\n";
    assert!(refused(text, &[]).1.contains("bound to itself"));
}

#[test]
fn sizes_are_bounded() {
    let many = |count: usize, text: &dyn Fn(usize) -> String, with: &str| {
        (0..count).map(text).collect::<Vec<_>>().join(with)
    };
    // A connector type that allows 2^20 interactions.
    let ports = many(20, &|n| format!("S p{n}"), ", ");
    let define = many(20, &|n| format!("p{n}'"), " ");
    let text = format!("package m\nport type S()\nconnector type C({ports})\ndefine {define}\nend\natom type A()\nexport port S s()\nplace P\ninitial to P\nend
compound type Top()\ncomponent A {}\nconnector C c({})\nend\nend\n", many(20, &|n| format!("a{n}()"), ", "), many(20, &|n| format!("a{n}.s"), ", "));
    let (status, message) = refused(&text, &[]);
    assert_eq!(status, 5, "{message}");
    assert!(message.contains("interactions"), "{message}");
    // Compounds of ten, of ten, and so on.
    let levels = many(
        6,
        &|n| {
            format!(
                "compound type C{n}()\ncomponent {} {}\nend\n",
                if n == 0 {
                    "A".to_owned()
                } else {
                    format!("C{}", n - 1)
                },
                many(10, &|n| format!("c{n}()"), ", ")
            )
        },
        "",
    );
    let text = format!(
        "package m\nport type S()\natom type A()\nplace P\ninitial to P\nend\n{levels}end\n"
    );
    let (status, message) = refused(&text, &[]);
    assert_eq!(status, 5, "{message}");
    assert!(message.contains("components"), "{message}");
    // Brackets, negations and conditionals that nest.
    for deep in [
        format!("x = {}x{};", "(".repeat(100_000), ")".repeat(100_000)),
        format!("x = {}x;", "-".repeat(100_000)),
        format!("x = x{};", " + 1".repeat(100_000)),
        "if (true) then ".repeat(100_000),
    ] {
        let text = format!(
            "package m\natom type A()\ndata int x\nplace P\ninitial to P do {{ {deep} }}\nend\nend\n"
        );
        let (status, message) = refused(&text, &[]);
        assert!(
            [3, 5].contains(&status) && message.len() < 100_000,
            "{status}"
        );
    }
    // What doubles with each action is shared, and grows no deeper than terms may.
    let text = format!(
        "package m\natom type A()\ndata int x\nplace P\ninitial to P do {{ {} }}\nend\ncompound type T()\ncomponent A a()\nend\nend\n",
        "x = x + x;".repeat(100_000)
    );
    assert_eq!(refused(&text, &[]).0, 5);
}

#[test]
fn calls_of_several_functions_of_one_name_nest_deeply() {
    let call = format!("{}x{}", "f(".repeat(200), ")".repeat(200));
    let text = format!(
        "package m\nextern function int f(int)\nextern function float f(float)\natom type A()\ndata int x\nplace P
initial to P do {{ x = {call}; }}\nend\ncompound type T()\ncomponent A a()\nend\nend\n"
    );
    let mut options = Options::default();
    options
        .constants
        .insert("extern".to_owned(), "arbitrary".to_owned());
    assert!(Bip.read(&Source::new("m.bip", &text), &options).is_ok());
    assert_eq!(refused(&text, &[]).0, 5);
}

#[test]
fn a_place_does_not_stand_twice_in_a_transition() {
    for transition in ["on s from P, P to Q", "on s from P to Q, Q"] {
        let text = model(
            &format!("initial to P\n{transition}"),
            "define p q",
            "connector Join j(a.s, b.s)",
        );
        let (status, message) = refused(&text, &[]);
        assert_eq!(status, 3, "{message}");
        assert!(message.contains("twice"), "{message}");
    }
}

#[test]
fn faults_of_one_type_are_all_told() {
    let text = "package m const data int c, d
const data int e = c + d
port type S() connector type J(S p, S q) define p q end
atom type A(int k) const data int l
export port S s() place P initial to P
on s from P to P do { e = 1;
l = 2;
z = 4; }
end
compound type Top() component A a(true),
b(1.5), f(1)
connector J j(a.s, f.s)
end end";
    let (status, message) = refused(text, &[]);
    assert_eq!(status, 3);
    let lines: Vec<&str> = message.split("--> m.bip:").skip(1).collect();
    let lines: Vec<&str> = lines.iter().filter_map(|it| it.split(':').next()).collect();
    assert_eq!(
        lines,
        ["1", "1", "4", "6", "7", "8", "10", "11"],
        "{message}"
    );
}
