//! The clauses of the meaning, one test for each.

use crate::explorer::{Explorer, State, holds};
use slabcert::languages::bip::Bip;
use slabcert::languages::source::Source;
use slabcert::languages::{Language, Options, ParsedModel};
use slabcert_certificates::system::System;
use slabcert_certificates::term::Value;
use std::collections::BTreeSet;

/// A model that was read.
struct Read {
    model: ParsedModel,
    system: System,
}

const TYPES: &str = "package m
port type Signal()
port type Value(int d)
extern function int any()
connector type Alone(Signal p) define p end
connector type Shown(Value p) define p end
connector type Both(Signal p, Signal q) define p q end
connector type Any(Signal p, Signal q) define p' q' end
connector type Send(Value p, Value q) define p q on p q down { q.d = p.d; } end
";

fn read_with(text: &str, constants: &[(&str, &str)]) -> Read {
    let mut options = Options::default();
    for (name, value) in constants {
        options
            .constants
            .insert((*name).to_owned(), (*value).to_owned());
    }
    let source = Source::new("m.bip", format!("{TYPES}{text}\nend\n"));
    let model = Bip
        .read(&source, &options)
        .unwrap_or_else(|faults| panic!("{faults}"));
    let system = model.flat();
    Read { model, system }
}

fn read(text: &str) -> Read {
    read_with(text, &[])
}

impl Read {
    fn explorer(&self) -> Explorer<'_> {
        Explorer::of(&self.system, &self.model)
    }

    /// What is offered in the first visible state.
    fn offers(&self) -> BTreeSet<String> {
        let explorer = self.explorer();
        self.offers_in(&explorer.visible(explorer.start()))
    }

    fn offers_in(&self, state: &State) -> BTreeSet<String> {
        self.explorer()
            .enabled(state)
            .iter()
            .map(|it| it.name.clone())
            .collect()
    }

    /// The visible state after steps of these names.
    fn after(&self, names: &[&str]) -> State {
        let explorer = self.explorer();
        let mut state = explorer.visible(explorer.start());
        for name in names {
            let enabled = explorer.enabled(&state);
            let taken = enabled.iter().find(|it| it.name == *name);
            let taken =
                taken.unwrap_or_else(|| panic!("{name} is not among {:?}", self.offers_in(&state)));
            state = explorer.visible(explorer.after(taken, &state));
        }
        state
    }

    fn value(&self, state: &State, name: &str) -> String {
        let variable = self
            .system
            .variables
            .iter()
            .find(|it| it.name() == name)
            .unwrap();
        match &state[&variable.current] {
            Value::Int(number) => number.to_string(),
            value => format!("{value:?}"),
        }
    }

    fn holds(&self, property: &str, state: &State) -> bool {
        let property = self.system.properties.iter().find(|it| it.name == property);
        holds(&property.unwrap().formula, state)
    }
}

fn names(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|it| (*it).to_owned()).collect()
}

/// An atom that counts, with a port that shows the count.
const COUNTER: &str = "atom type Counter(int n)
data int x
export port Value v(x)
export port Signal s()
place P
initial to P do { x = n; }
on v from P to P provided (x < 10) do { x = x + 1; }
on s from P to P
end
";

#[test]
fn guards_of_participants_are_read_before_the_transfer_and_their_actions_after_it() {
    let model = read(&format!(
        "{COUNTER}compound type Top() component Counter a(9), b(20), c(3) connector Send no(a.v, b.v), yes(a.v, c.v) end"
    ));
    // `b` refuses although what it would get would do; `c` agrees by its own 3 and adds one to what it gets.
    assert_eq!(model.offers(), names(&["yes"]));
    let after = model.after(&["yes"]);
    assert_eq!(model.value(&after, "a.x"), "10");
    assert_eq!(model.value(&after, "c.x"), "10");
}

#[test]
fn internal_transitions_run_first_and_to_the_end() {
    let model = read(
        "atom type A() data int x export port Signal s() place P, Q, R initial to P do { x = 0; }
internal from P to P provided (x < 3) do { x = x + 1; }
internal from P to Q provided (x == 3)
on s from Q to R
on s from P to R
invariant unseen at P provided (false)
end
compound type Top() component A a() connector Alone c(a.s) end",
    );
    let explorer = model.explorer();
    let start = explorer.start();
    // Only the internal transition is enabled, and the state is not visible: the invariant does not speak of it.
    assert_eq!(model.offers_in(&start), names(&["a.internal@P"]));
    assert!(model.holds("a.unseen", &start));
    let visible = explorer.visible(start);
    // The atom has another transition of the port, which the name of the step tells apart.
    assert_eq!(model.offers_in(&visible), names(&["c a.s@Q"]));
    assert_eq!(model.value(&visible, "a.x"), "3");
}

#[test]
fn ports_that_are_not_exported_fire_alone_and_exported_ones_only_through_connectors() {
    let model = read(
        "atom type A() port Signal alone() export port Signal shown() place P initial to P
on alone from P to P
on shown from P to P
end
compound type Top() component A a() end",
    );
    assert_eq!(model.offers(), names(&["a.alone"]));
}

#[test]
fn priorities_of_an_atom_choose_among_its_own_enabled_ports() {
    let atom = |priority: &str| {
        read(&format!(
            "atom type A() data int x export port Signal s(), t() place P initial to P do {{ x = 1; }}
on s from P to P
on t from P to P provided (x == 1)
{priority}
end
compound type Top() component A a(), b() connector Alone one(a.s), other(a.t) end"
        ))
    };
    assert_eq!(atom("").offers(), names(&["one", "other"]));
    assert_eq!(atom("priority r s < t").offers(), names(&["other"]));
    assert_eq!(
        atom("priority r s < t provided (x == 2)").offers(),
        names(&["one", "other"])
    );
    // What goes first is what the atom itself enables: that no connector joins the port does not matter.
    let unconnected = read(
        "atom type A() export port Signal s(), t() place P initial to P
on s from P to P
on t from P to P
priority r s < t
end
compound type Top() component A a() connector Alone one(a.s) end",
    );
    assert_eq!(unconnected.offers(), names(&[]));
    assert!(!unconnected.holds("deadlock", &unconnected.explorer().start()));
}

#[test]
fn priorities_are_closed_through_ports_that_are_not_enabled() {
    let model = read(
        "atom type A() export port Signal s(), t(), u() place P, Q initial to P
on s from P to P
on t from Q to P
on u from P to P
priority r s < t
priority q t < u
end
compound type Top() component A a() connector Alone one(a.s), two(a.t), three(a.u) end",
    );
    assert_eq!(model.offers(), names(&["three"]));
}

/// Two atoms with a signal each, at a place with or without a transition.
const PAIR: &str = "atom type On() export port Signal s() place P initial to P on s from P to P end
atom type Off() export port Signal s() place P, Q initial to P on s from Q to P end
";

#[test]
fn the_largest_interactions_of_a_connector_go_first() {
    let top = |parts: &str| {
        read(&format!(
            "{PAIR}compound type Top() {parts} connector Any c(a.s, b.s) end"
        ))
    };
    assert_eq!(top("component On a(), b()").offers(), names(&["c:a.s,b.s"]));
    assert_eq!(
        top("component On a() component Off b()").offers(),
        names(&["c:a.s"])
    );
    assert_eq!(
        top("component Off a() component On b()").offers(),
        names(&["c:b.s"])
    );
    // Not across connectors.
    let two = read(&format!(
        "{PAIR}compound type Top() component On a(), b() connector Any c(a.s, b.s) connector Alone d(a.s) end"
    ));
    assert_eq!(two.offers(), names(&["c:a.s,b.s", "d"]));
}

#[test]
fn components_that_stay_where_they_are_take_one_edge_for_all_of_their_places() {
    let model = read(
        "connector type Three(Value p, Value q, Value r) define p q r on p q r down { q.d = p.d; } end
atom type A(int n) data int x export port Value t(x) export port Signal go() place P, Q, R initial to P do { x = n; }
on t from P to P do { x = x + 1; }
on t from Q to Q provided (x < 5) do { x = x + 2; }
on t from R to R
on t from Q to R provided (x == 7)
on go from P to Q
on go from Q to R
end
compound type Top() component A a(0), b(7), c(3)
connector Three tick(a.t, b.t, c.t) connector Alone go(b.go) end",
    );
    // Of 4^3 steps 2^3 are left; what is no self-loop stays apart.
    let ticks = |first: &str, second: &str, third: &str| {
        let edge = |name: &str, edge: &str| match edge {
            "" => format!("{name}.t@P,Q,R"),
            _ => format!("{name}.t@{edge}"),
        };
        format!(
            "tick {} {} {}",
            edge("a", first),
            edge("b", second),
            edge("c", third)
        )
    };
    let stay = ticks("", "", "");
    assert_eq!(model.offers(), names(&[&stay, "go b.go@P"]));
    let value = |steps: &[&str]| {
        let state = model.after(steps);
        ["a.x", "b.x", "c.x"].map(|name| model.value(&state, name))
    };
    assert_eq!(value(&[&stay]), ["1", "1", "4"]);
    // The guard is read before the transfer: `b` refuses at `Q`, although what it would get would do.
    let at_q = model.after(&["go b.go@P"]);
    let leave = ticks("", "Q:2", "");
    assert_eq!(model.offers_in(&at_q), names(&[&leave, "go b.go@Q"]));
    assert_eq!(value(&[&stay, "go b.go@P", &stay]), ["2", "3", "5"]);
    // An edge that writes nothing keeps what the transfer has left.
    assert_eq!(value(&["go b.go@P", "go b.go@Q", &stay]), ["1", "0", "4"]);
}

#[test]
fn maximal_progress_rules_again_where_a_compound_exports_a_port() {
    let inner =
        "connector type Up(Signal p, Signal q) export port Value e(x) data int x define p' q'
on p q up { x = 2; }
on p up { x = 1; }
on q up { x = 1; }
end
connector type Small(Value p) define p on p provided (p.d <= 1) end
";
    let inner = inner.replace(
        "export port Value e(x) data int x",
        "data int x export port Value e(x)",
    );
    // Below a connector of the same compound, the small interactions are still there; above the export they are blocked.
    let inside = read(&format!(
        "{PAIR}{inner}compound type Top() component On a(), b() connector Up u(a.s, b.s) connector Small c(u.e) end"
    ));
    assert_eq!(inside.offers(), names(&["c:a.s", "c:b.s"]));
    let outside = read(&format!(
        "{PAIR}{inner}compound type Pair() component On a(), b() connector Up u(a.s, b.s) export port u.e as e end
compound type Top() component Pair pair() connector Small c(pair.e) end"
    ));
    assert_eq!(outside.offers(), names(&[]));
}

#[test]
fn what_a_compound_does_not_offer_blocks_nothing_above_it() {
    // Alone, `a` would join `d`, whose guard takes 1 only; the compound offers both together, which is 2.
    let parts = format!(
        "{PAIR}connector type Up(Signal p, Signal q) data int x export port Value e(x) define p' q'
on p q up {{ x = 2; }}
on p up {{ x = 1; }}
on q up {{ x = 1; }}
end
connector type Two(Value p, Signal q) define p' q' on p q provided (p.d == 1) end
compound type Pair() component On a(), b() connector Up u(a.s, b.s) export port u.e as e end
compound type Top() component Pair pair() component On d() connector Two c(pair.e, d.s) end"
    );
    let model = read(&parts);
    assert_eq!(model.offers(), names(&["c:pair.a.s,pair.b.s", "c:d.s"]));
    // Where the guard takes 2, what is offered does block.
    let model = read(&parts.replace("p.d == 1", "p.d == 2"));
    assert_eq!(model.offers(), names(&["c:pair.a.s,pair.b.s,d.s"]));
}

#[test]
fn rules_of_priority_block_where_the_other_interaction_is_enabled() {
    let top = |parts: &str, rule: &str| {
        read(&format!(
            "{PAIR}compound type Top() {parts} connector Alone one(a.s), other(b.s) {rule} end"
        ))
        .offers()
    };
    let both = "component On a(), b()";
    assert_eq!(top(both, ""), names(&["one", "other"]));
    assert_eq!(top(both, "priority r one:* < other:*"), names(&["other"]));
    assert_eq!(top(both, "priority r one:a.s < *:*"), names(&["other"]));
    assert_eq!(top(both, "priority r *:* < one:a.s"), names(&["one"]));
    assert_eq!(
        top(both, "priority r one:* < other:* provided (false)"),
        names(&["one", "other"])
    );
    assert_eq!(
        top(
            "component On a() component Off b()",
            "priority r one:* < other:*"
        ),
        names(&["one"])
    );
}

#[test]
fn rules_read_exported_data_of_parts_and_of_parts_of_parts() {
    let model = |value: i32| {
        read(&format!(
            "atom type A(int n) export data int x export port Signal s() place P initial to P do {{ x = n; }} on s from P to P end
compound type Inner(int n) component A a(n) export port a.s as s export data a.x as y end
compound type Top() component Inner i({value}) component A b(0) connector Alone one(i.s), other(b.s)
priority r one:* < other:* provided (i.y > b.x) end"
        ))
        .offers()
    };
    assert_eq!(model(1), names(&["other"]));
    assert_eq!(model(0), names(&["one", "other"]));
}

#[test]
fn a_circle_of_priorities_violates_a_property_where_all_its_rules_hold() {
    let model = |value: i32| {
        read(&format!(
            "atom type A(int n) export data int x export port Signal s() place P initial to P do {{ x = n; }} on s from P to P end
compound type Top() component A a({value}), b(0) connector Alone one(a.s), other(b.s)
priority r one:* < other:* provided (a.x > 0)
priority q other:* < one:* provided (a.x > 1) end"
        ))
    };
    for (value, is_acyclic) in [(0, true), (1, true), (2, false)] {
        let model = model(value);
        let start = model.explorer().start();
        assert_eq!(
            model.holds("acyclic_priorities", &start),
            is_acyclic,
            "{value}"
        );
    }
}

#[test]
fn groups_and_triggers_define_which_ports_come_together() {
    let offered = |define: &str| {
        let text = format!(
            "{PAIR}connector type C(Signal p, Signal q, Signal r) define {define}
on p provided (true) end
compound type Top() component On a(), b(), c() connector C c1(a.s, b.s, c.s) end"
        );
        let text = text.replace("on p provided (true) ", "");
        let model = read(&text);
        // All interactions, also those that larger ones block.
        let ParsedModel::Program(program, _) = model.model else {
            panic!()
        };
        let offered = program.interactions.iter().filter(|it| it.is_offered);
        let sets = offered.map(|it| {
            it.participants
                .iter()
                .map(|(process, _)| ["p", "q", "r"][*process])
                .collect::<String>()
        });
        sets.collect::<BTreeSet<String>>()
    };
    assert_eq!(offered("p q r"), names(&["pqr"]));
    assert_eq!(offered("p' q r"), names(&["p", "pq", "pr", "pqr"]));
    assert_eq!(
        offered("p' q' r"),
        names(&["p", "q", "pq", "pr", "qr", "pqr"])
    );
    assert_eq!(offered("(p q)' r"), names(&["pq", "pqr"]));
    assert_eq!(offered("(p' q') r"), names(&["pr", "qr", "pqr"]));
    assert_eq!(offered("p' (q r)"), names(&["p", "pqr"]));
}

#[test]
fn merged_ports_offer_what_each_of_them_offers() {
    let model = read(
        "atom type A() data int x, y export port Value p(x), q(y) as e place P initial to P do { x = 1; y = 2; }
on p from P to P
on q from P to P
end
compound type Top() component A a() connector Shown c(a.e) end",
    );
    assert_eq!(model.offers(), names(&["c:a.p", "c:a.q"]));
}

#[test]
fn data_goes_up_a_hierarchy_and_down_again() {
    let model = read(&format!(
        "{COUNTER}connector type Sum(Value p, Value q) data int x export port Value e(x) define p q
on p q up {{ x = p.d + q.d; }} down {{ p.d = x; q.d = x + 1; }} end
connector type Half(Value p) define p on p provided (p.d > 4) down {{ p.d = p.d / 2; }} end
compound type Top() component Counter a(2), b(5) connector Sum s(a.v, b.v) connector Half h(s.e) end"
    ));
    // 7 goes up, 3 comes down; each atom then adds one.
    let after = model.after(&["h"]);
    assert_eq!(
        (model.value(&after, "a.x"), model.value(&after, "b.x")),
        ("4".into(), "5".into())
    );
}

#[test]
fn quotients_are_rounded_to_zero_and_remainders_have_the_sign_of_the_dividend() {
    for (left, right) in [
        (7, 2),
        (-7, 2),
        (7, -2),
        (-7, -2),
        (6, 3),
        (-6, 3),
        (0, 5),
        (1, 5),
        (-1, 5),
    ] {
        for (atom, shown) in [("n", left.to_string()), ("x", left.to_string())] {
            let model = read(&format!(
                "atom type A(int n) data int x, q, r place P port Signal s() initial to P do {{ x = n; }}
on s from P to P do {{ q = {atom} / ({right}); r = {atom} % ({right}); }}
end
compound type Top() component A a({shown}) end"
            ));
            let after = model.after(&["a.s"]);
            let found = (model.value(&after, "a.q"), model.value(&after, "a.r"));
            assert_eq!(
                found,
                ((left / right).to_string(), (left % right).to_string()),
                "{left} {right} {atom}"
            );
        }
    }
}

#[test]
fn data_that_is_not_initialised_is_arbitrary() {
    let model = read(
        "atom type A() data int x, y, z place P initial to P do { y = x + 1; z = 4; z = z + 1; x = 0; } end
compound type Top() component A a() end",
    );
    let start = model.explorer().start();
    assert_eq!(
        (model.value(&start, "a.x"), model.value(&start, "a.z")),
        ("0".into(), "5".into())
    );
    // `y` is what `x` was before, plus one: with every value of the variable that stands for it there is an initial state.
    let before = model
        .system
        .variables
        .iter()
        .find(|it| it.name().contains("start"))
        .unwrap();
    let y = model
        .system
        .variables
        .iter()
        .find(|it| it.name() == "a.y")
        .unwrap();
    let mut other = start.clone();
    other.insert(before.current.clone(), Value::Int(41.into()));
    other.insert(y.current.clone(), Value::Int(42.into()));
    assert!(model.system.init.iter().all(|it| holds(it, &other)));
    other.insert(y.current.clone(), Value::Int(43.into()));
    assert!(!model.system.init.iter().all(|it| holds(it, &other)));
}

#[test]
fn data_of_a_connector_that_nothing_was_assigned_to_is_an_input() {
    let model = read(&format!(
        "{COUNTER}connector type C(Value p, Value q) data int x, y define p q on p q down {{ p.d = x; q.d = y; y = 0; }} end
compound type Top() component Counter a(1), b(2) connector C c(a.v, b.v) end"
    ));
    let transition = &model.system.transitions[0];
    assert_eq!(transition.inputs.len(), 2, "one for each");
    assert_eq!(model.system.inputs.len(), 2);
}

#[test]
fn data_of_a_connector_begins_with_the_value_that_it_is_given() {
    let text = format!(
        "{COUNTER}connector type C(Value p) data int x = 4 const data int y = x + 1 define p on p provided (x < y) down {{ p.d = x + y; x = 0; }} end
compound type Top() component Counter a(1) connector C c(a.v) end"
    );
    let model = read(&text);
    assert!(model.system.inputs.is_empty());
    let state = model.after(&["c"]);
    assert_eq!(
        model.value(&state, "a.x"),
        model.value(&read(&text.replace("x + y", "9")).after(&["c"]), "a.x")
    );
    for (from, to) in [("x = 0;", "y = 0;"), ("y = x + 1", "y")] {
        let source = Source::new("m.bip", format!("{TYPES}{}\nend\n", text.replace(from, to)));
        let faults = Bip.read(&source, &Options::default()).unwrap_err();
        assert_eq!(faults.exit_status(), 3, "{faults}");
    }
}

#[test]
fn constant_data_of_an_atom_is_no_variable() {
    let text = "atom type A(int n) const data int c = n + 1 data const int d = c * 2 data int x = d port Signal s()
place P initial to P on s from P to P provided (x == 8) end
compound type Top() component A a(3) end";
    let model = read(text);
    assert_eq!(model.offers(), names(&["a.s"]));
    assert!(model.system.variables.iter().all(|it| it.name() != "a.c"));
    let changed = text.replace("(x == 8)", "(x == 8) do { d = 1; }");
    let source = Source::new("m.bip", format!("{TYPES}{changed}\nend\n"));
    let faults = Bip.read(&source, &Options::default()).unwrap_err();
    assert_eq!(faults.exit_status(), 3, "{faults}");
}

#[test]
fn of_functions_with_one_name_that_is_called_which_converts_least() {
    let functions = "extern function printf(string)\nextern function printf(string, int x)\nextern function float f(int)\nextern function int f(float)\n";
    let text = |value: &str, declared: &str| {
        format!(
            "{declared}atom type A() data float x = 0 data int y = 0 port Signal s() place P initial to P
on s from P to P do {{ printf(\"a\"); printf(\"b\", y); {value} }} end
compound type Top() component A a() end"
        )
    };
    let arbitrary = &[("extern", "arbitrary")][..];
    read_with(&text("x = f(y); y = f(x);", functions), arbitrary);
    for (value, declared) in [
        ("y = f(y);", functions.to_owned()),
        ("printf(y);", functions.to_owned()),
        ("", format!("{functions}extern function int f(int)\n")),
    ] {
        let source = Source::new("m.bip", format!("{TYPES}{}\nend\n", text(value, &declared)));
        let mut options = Options::default();
        options
            .constants
            .insert("extern".into(), "arbitrary".into());
        let faults = Bip.read(&source, &options).unwrap_err();
        assert_eq!(faults.exit_status(), 3, "{value}: {faults}");
    }
}

#[test]
fn external_functions_return_anything_where_that_is_asked_for() {
    let text = format!(
        "{COUNTER}atom type R() data int x, y port Signal s() place P initial to P do {{ x = any(); y = 0; }}
on s from P to P do {{ x = any(); y = any(); }} end
compound type Top() component R r() end"
    );
    let model = read_with(&text, &[("extern", "arbitrary")]);
    assert_eq!(model.system.transitions[0].inputs.len(), 2);
    assert_eq!(
        model.system.inputs.len(),
        2,
        "the first value is no input of a step"
    );
    let source = Source::new("m.bip", format!("{TYPES}{text}\nend\n"));
    let faults = Bip.read(&source, &Options::default()).unwrap_err();
    assert_eq!(faults.exit_status(), 5, "{faults}");
}

#[test]
fn places_of_a_net_are_marked_together_and_never_twice() {
    let net = |to: &str| {
        read(&format!(
            "atom type A() port Signal s(), t() place P, Q, R initial to P, Q
on s from P to {to}
on t from Q, R to P, Q
end
compound type Top() component A a() end"
        ))
    };
    let safe = net("R");
    let after = safe.after(&["a.s"]);
    assert_eq!(safe.offers_in(&after), names(&["a.t"]));
    assert!(safe.holds("one_safe", &after));
    let unsafe_one = net("Q, R");
    let start = unsafe_one.explorer().start();
    assert!(unsafe_one.holds("one_safe", &start));
    assert!(!unsafe_one.holds("one_safe", &unsafe_one.after(&["a.s"])));
}

#[test]
fn two_transitions_of_a_port_that_are_enabled_together_violate_a_property() {
    let model = |condition: &str| {
        read(&format!(
            "atom type A() data int x port Signal s() place P, Q initial to P do {{ x = 1; }}
on s from P to Q provided (x > 0)
on s from P to P provided ({condition})
end
compound type Top() component A a() end"
        ))
    };
    for (condition, is_deterministic) in [("x > 0", false), ("x <= 0", true)] {
        let model = model(condition);
        assert_eq!(
            model.holds("deterministic", &model.explorer().start()),
            is_deterministic,
            "{condition}"
        );
    }
}

#[test]
fn invariants_speak_of_data_and_places_of_all_components() {
    let model = read(
        "atom type A(int n) data int x port Signal s() place P, Q initial to P do { x = n; } on s from P to Q
invariant small at Q provided (x < 2)
end
compound type Inner() component A a(1) end
compound type Top() component Inner i() component A b(2) end
//@ invariant never: !(i.a.Q && b.Q)
//@ invariant more: i.a.x < b.x
",
    );
    let one = model.after(&["i.a.s"]);
    let both = model.after(&["i.a.s", "b.s"]);
    for (property, truths) in [
        ("never", [true, false]),
        ("more", [true, true]),
        ("i.a.small", [true, true]),
        ("b.small", [true, false]),
    ] {
        assert_eq!(
            [model.holds(property, &one), model.holds(property, &both)],
            truths,
            "{property}"
        );
    }
}

#[test]
fn constants_of_the_package_are_read_everywhere() {
    let model = read(
        "const data int N = 3, M = 2 * N - 1
atom type A(int n) data int x port Signal s() place P initial to P do { x = M; } on s from P to P provided (x < N + n) do { x = x + N; } end
compound type Top() component A a(M) end",
    );
    assert_eq!(model.value(&model.after(&["a.s"]), "a.x"), "8");
    assert_eq!(model.offers_in(&model.after(&["a.s"])), names(&[]));
}

#[test]
fn what_a_function_is_given_is_arbitrary_after_every_kind_of_call() {
    let given = |actions: &str| {
        let text = format!(
            "extern function int change(int)
extern function printf(string, int)
atom type R() data int x, y port Signal s() place P initial to P do {{ x = 0; y = 0; }}
on s from P to P do {{ x = 0; {actions} }} end
compound type Top() component R r() end"
        );
        let model = read_with(&text, &[("extern", "arbitrary")]);
        let transition = &model.system.transitions[0];
        let x = model
            .system
            .variables
            .iter()
            .position(|it| it.name() == "r.x");
        let value = transition.updates.iter().find(|it| Some(it.variable) == x);
        let value = value.map(|it| it.value.clone()).unwrap();
        value
            .symbols()
            .iter()
            .any(|it| model.system.inputs.iter().any(|input| input.symbol == *it))
    };
    for actions in [
        "change(x);",
        "y = change(x);",
        "y = 1 + change(change(x));",
        "printf(\"%d\", change(x));",
        "printf(\"%d\", change(x)); printf(\"%d\", y);",
        "if (change(x) > 0) then y = 1; fi",
    ] {
        assert!(given(actions), "{actions}");
    }
    for actions in [
        "printf(\"%d\", x);",
        "y = change(y);",
        "y = change(x + 1);",
        "change(x); x = 1;",
    ] {
        assert!(!given(actions), "{actions}");
    }
    // In the beginning too: `x` may be something else than 0 after its value was given to a function.
    let text = "extern function int change(int)
atom type R() data int x = 0, y = change(x) place P initial to P end
compound type Top() component R r() end";
    let model = read_with(text, &[("extern", "arbitrary")]);
    let x = model
        .system
        .variables
        .iter()
        .find(|it| it.name() == "r.x")
        .unwrap();
    let mut state = model.explorer().start();
    for variable in &model.system.variables {
        if variable.values.is_none() {
            state.insert(variable.current.clone(), Value::Int(7.into()));
        }
    }
    assert!(state.contains_key(&x.current));
    assert!(model.system.init.iter().all(|it| holds(it, &state)));
}
