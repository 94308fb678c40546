//! What is well formed, but hardly meant, with its line; and what is as it should be.

use slabcert::languages::bip::Bip;
use slabcert::languages::source::Source;
use slabcert::languages::{Language, Options, ParsedModel};
use slabcert_certificates::program::{Program, Requirement};

/// A model with rules of a connector type that exports a port, and parts of the root, from line 3 and line 12 on.
fn model(connector: &str, compound: &str) -> String {
    format!(
        "package m port type S() port type D(int x)
connector type Join(S p, S q) define p q end
connector type Up(D p, D q) data int z export port D e(z) define p' q {connector} end
atom type A() data int x
  export port S s()
  export port D d(x)
  place P initial to P do {{ x = 0; }}
  on s from P to P
  on d from P to P
end
compound type Top() component A a(), b()
{compound}
end end"
    )
}

fn program(text: &str, constants: &[(&str, &str)]) -> Program {
    let constants = constants.iter();
    let constants = constants.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let options = Options {
        constants: constants.collect(),
    };
    match Bip.read(&Source::new("m.bip", text), &options) {
        Ok(ParsedModel::Program(program, _)) => program,
        other => panic!("{other:?}"),
    }
}

fn remarks(text: &str) -> Vec<(u32, String)> {
    let remarks = program(text, &[]).declarations.remarks.into_iter();
    remarks.map(|(message, at)| (at.line, message)).collect()
}

const RULES: &str = "on p up { z = p.x; } on p q up { z = p.x + q.x; }";
const ALL_BOUND: &str = "connector Join j(a.s, b.s) connector Up u(a.d, b.d) export port u.e as e";

#[test]
fn what_is_hardly_meant_is_told_with_its_line() {
    assert_eq!(remarks(&model(RULES, ALL_BOUND)), []);
    for (connector, compound, line, words) in [
        ("", ALL_BOUND, 3, "interactions without a rule"),
        (
            "on p up { z = p.x; } ",
            ALL_BOUND,
            3,
            "interactions without a rule",
        ),
        (
            "on p up { z = p.x; }\non p q down { p.x = 1; }",
            ALL_BOUND,
            4,
            "without `up`",
        ),
        (
            "on p down { p.x = 1; } on p q down { p.x = 1; }",
            ALL_BOUND,
            3,
            "nothing gives `z` a value",
        ),
        (
            "on p up { z = p.x; }\non p q",
            ALL_BOUND,
            4,
            "transfers nothing",
        ),
        (
            RULES,
            "connector Join j(a.s, b.s) connector Up u(a.d, b.d)",
            12,
            "`u.e` is connected to nothing",
        ),
        (
            RULES,
            "connector Up u(a.d, b.d) export port u.e as e",
            11,
            "`a.s` is connected to nothing",
        ),
        (
            RULES,
            "connector Join j(a.s, b.s) connector Up u(a.d, b.d) export port u.e as e\npriority r u:a.d < u:a.d,b.d",
            13,
            "maximal progress says the same",
        ),
    ] {
        let remarks = remarks(&model(connector, compound));
        let is_told = |(at, message): &(u32, String)| *at == line && message.contains(words);
        assert!(remarks.iter().any(is_told), "{words}: {remarks:?}");
    }
}

#[test]
fn down_without_data_is_told_and_other_packages_are_not_spoken_of() {
    let text = |rule: &str| {
        let text =
            model(RULES, ALL_BOUND).replace("define p q end", &format!("define p q {rule} end"));
        text.replace(
            "port type S()",
            "extern function printf(string) port type S()",
        )
    };
    let printing = "on p q down { printf(\"x\"); }";
    let told = remarks(&text(printing));
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].1.contains("`down` could change"), "{told:?}");
    let used = format!(
        "package m use n\n compound type Top() component n.Top t() export port t.e as e end end\n{}",
        text(printing).replace("package m", "package n")
    );
    assert_eq!(remarks(&used), []);
}

#[test]
fn invariants_of_the_command_line_are_properties_of_visible_states() {
    let text = model(RULES, ALL_BOUND);
    let constants = [("invariant", "a.x >= 0"), ("invariant2", "a.P && b.x < 3")];
    let program = program(&text, &constants);
    let names: Vec<&str> = program.properties.iter().map(|it| &*it.name).collect();
    assert_eq!(names, ["invariant", "invariant2", "deadlock"]);
    for property in &program.properties[..2] {
        assert!(matches!(property.requirement, Requirement::Visible(_)));
        assert_eq!(property.position, None);
    }
    for (name, value, words) in [
        ("invariant", "a.x >=", "unexpected the end of the file"),
        ("invariant", "a.x; b.x", "unexpected `;`"),
        ("invariant", "c.x = 1", "--> --invariant:1:"),
        ("invariants", "true", "no constant `invariants`"),
    ] {
        let constants = [(name.to_owned(), value.to_owned())];
        let options = Options {
            constants: constants.into(),
        };
        let faults = Bip.read(&Source::new("m.bip", text.as_str()), &options);
        let faults = faults.unwrap_err().to_string();
        assert!(faults.contains(words), "{faults}");
    }
}
