//! The engine `predicate`: what its paper gets wrong. Each verdict has evidence that the checker accepts.

use super::Bench;

/// Two components `a` and `b` of one type, with the connectors of the model.
fn model(atom: &str, connectors: &str, property: &str) -> String {
    format!(
        "package m
port type S()
port type N(int v)
connector type One(S p) define p end
connector type Both(S p, S q) define p q end
connector type Move(N p, N q) define p q
  on p q provided (p.v == 0) down {{ p.v = 5; q.v = p.v; }}
end
{atom}
compound type Top() component A a(), b()
{connectors}
//@ invariant wanted: {property}
end
end
"
    )
}

/// What the engine alone says of the wanted property.
#[track_caller]
fn expect(text: &str, verdict: &str) {
    let bench = Bench::new();
    bench.write("m.bip", text);
    let arguments = [
        "verify",
        "m.bip",
        "--engine",
        "predicate",
        "--property",
        "wanted",
    ];
    let run = bench.run(&arguments);
    assert_eq!(run.last_line(), verdict, "{run:?}");
}

#[test]
fn local_regions_are_computed_with_the_transfer() {
    let atom = "atom type A() data int x export port N n(x) place P, Q initial to P do { x = 0; }
  on n from P to Q do { x = x + 1; }
end";
    let connectors = "connector Move m(a.n, b.n)";
    // A region of the transition's guard and operation alone has x = 1 in the end.
    for (property, verdict) in [
        ("!a.Q || (a.x == 6 && b.x == 6)", "safe"),
        ("!b.Q || b.x == 1", "unsafe"),
        ("!a.Q || a.x == 1", "unsafe"),
    ] {
        expect(&model(atom, connectors, property), verdict);
    }
}

#[test]
fn guards_of_participants_are_in_the_formula_of_a_counterexample() {
    let atom = |guard: &str| {
        format!(
            "atom type A() data int x export port S s(), e() place P, Q initial to P do {{ x = 0; }}
  on s from P to P provided (x < 2) do {{ x = x + 1; }}
  on e from P to Q provided ({guard})
end"
        )
    };
    let connectors = "connector Both s(a.s, b.s) connector Both e(a.e, b.e)";
    for (guard, verdict) in [("x > 2", "safe"), ("x > 1", "unsafe")] {
        expect(&model(&atom(guard), connectors, "!(a.Q && b.Q)"), verdict);
    }
}

#[test]
fn priorities_are_in_the_formula_of_a_counterexample() {
    let atom =
        "atom type A() data int x export port S s(), e() place P, Q initial to P do { x = 0; }
  on s from P to P provided (x < 2) do { x = x + 1; }
  on e from P to Q
end";
    let connectors = "connector One s(a.s) connector One t(b.s) connector Both e(a.e, b.e)";
    let rule = "priority first e:* < s:*";
    for (rule, verdict) in [(rule, "safe"), ("", "unsafe")] {
        let connectors = format!("{connectors} {rule}");
        expect(&model(atom, &connectors, "!a.Q || a.x == 2"), verdict);
    }
}

#[test]
fn a_predicate_over_two_components_without_transfer_joins_a_precision() {
    let atom =
        "atom type A() data int x export port S s(), e() place P, Q initial to P do { x = 0; }
  on s from P to P do { x = x + 1; }
  on e from P to Q
end";
    let together = "connector Both s(a.s, b.s) connector Both e(a.e, b.e)";
    let apart = "connector One s(a.s) connector One t(b.s) connector Both e(a.e, b.e)";
    for (connectors, verdict) in [(together, "safe"), (apart, "unsafe")] {
        expect(&model(atom, connectors, "!a.Q || a.x == b.x"), verdict);
    }
}
