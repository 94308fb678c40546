#![allow(clippy::unwrap_used, reason = "test code")]

use super::*;
use crate::proof::{MAXIMAL_DEPTH, ProofsBuilder};

const STEPS: &str = r#"["F",3,1,5,"-1/2"],["X",0,7],["S",4,0,1],["B",-2,0,1,3,0,-1,1],["C",3,2,"123456789012345678901234567890"],["D",0,4,1,7,0],["D",0,4,0,7,2,1,5,1,3,0]"#;

fn file(steps: &str, obligations: &str) -> String {
    format!(
        r#"{{"format":"slabcert-proofs","version":1,"certificate":"abc","variables":["x",0],"steps":[{steps}],"obligations":[{obligations}]}}"#
    )
}

/// Where and why a file is refused.
fn refusal(text: &str) -> String {
    read(text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn what_is_read_is_what_was_written() {
    let (certificate, proofs) = read(file(STEPS, "2,null,4").as_bytes()).unwrap();
    assert_eq!(certificate, "abc");
    assert_eq!(proofs.steps().len(), 7);
    assert_eq!(proofs.roots(), [Some(2), None, Some(4)]);
    let text = write(&proofs, &certificate);
    assert_eq!(read(text.as_bytes()).unwrap(), (certificate, proofs));
    let plain: String = text.chars().filter(|c| *c != '\n').collect();
    assert_eq!(plain, file(STEPS, "2,null,4"));
}

#[test]
fn an_empty_table_is_well_formed() {
    let text = write(&ProofsBuilder::new().finish(), "");
    assert_eq!(read(text.as_bytes()).unwrap().1, Proofs::new());
}

#[test]
fn each_step_must_have_the_form_of_its_rule() {
    for (step, reason) in [
        (r#"["Q",1]"#, "there is no rule `Q`"),
        (r#"["farkas",1,1]"#, "there is no rule `farkas`"),
        ("[]", "a step begins with the letter of its rule"),
        ("[1,2]", "a step begins with the letter of its rule"),
        (r#"["F",3]"#, "a hypothesis has no multiplier"),
        (r#"["F",3,1,5]"#, "a hypothesis has no multiplier"),
        (r#"["F",-3,1]"#, "-3 is not a list index"),
        (r#"["F","3",1]"#, "`3` is not a list index"),
        (r#"["F",3,"1/0"]"#, "`1/0` has the denominator zero"),
        (r#"["F",3,"0/0"]"#, "`0/0` has the denominator zero"),
        (r#"["F",3,"1/2/3"]"#, "`1/2/3` is not a number"),
        (r#"["F",3,"+1"]"#, "`+1` is not a number"),
        (r#"["F",3,""]"#, "`` is not a number"),
        (r#"["F",3,"0.5"]"#, "`0.5` is not a number"),
        (r#"["F",3,"1e9"]"#, "`1e9` is not a number"),
        (r#"["X",3]"#, "`X` takes two hypotheses"),
        (r#"["X",3,4,5]"#, "`X` takes two hypotheses"),
        (r#"["S"]"#, "`S` takes a hypothesis and steps"),
        (r#"["B",1,0,0]"#, "`B` takes an integer, two steps"),
        (r#"["B",1,0,0,1]"#, "a coefficient has no variable"),
        (r#"["B","1/2",0,0,1,0]"#, "`1/2` is not a number"),
        (r#"["B",1,0,0,1,2]"#, "there is no variable 2"),
        (r#"["D",0,0]"#, "`D` takes two steps, and formulas"),
        (r#"["D",0,0,0]"#, "a formula ends early"),
        (r#"["D",0,0,2,1,0]"#, "a formula begins with 0 or 1"),
        (r#"["D",0,0,0,1,2,0]"#, "a path ends early"),
        (r#"["D",0,0,0,1,0,1,1]"#, "a formula ends early"),
        (r#"["C"]"#, "`C` takes a step, and hypotheses"),
        (r#"["C",0,1]"#, "a hypothesis has no multiplier"),
        (r#"["S",0,1]"#, "step 1 is not an earlier step"),
        (r#"["S",0,9]"#, "step 9 is not an earlier step"),
        (r#"["C",1]"#, "step 1 is not an earlier step"),
    ] {
        let text = refusal(&file(&format!(r#"["X",0,1],{step}"#), "0"));
        let wanted = format!("proofs.json: steps[1]: {reason}");
        assert!(text.starts_with(&wanted), "{step}: {text}");
    }
}

#[test]
fn numbers_that_json_has_and_proofs_have_not_are_refused_with_their_position() {
    for number in [
        "0.5",
        "1e3",
        "99999999999999999999",
        "true",
        "null",
        "[1]",
        "{}",
    ] {
        let text = refusal(&file(&format!(r#"["F",3,{number}]"#), "0"));
        assert!(text.starts_with("proofs.json: steps[0][2]: "), "{text}");
    }
    let long = "1".repeat(MAXIMAL_DIGITS + 1);
    let text = refusal(&file(&format!(r#"["F",3,"{long}"]"#), "0"));
    assert!(text.contains("is not a number of at most"), "{text}");
    assert!(text.len() < 200, "{text}");
}

#[test]
fn the_file_as_a_whole_must_have_its_form() {
    let good = file(STEPS, "2");
    for (old, new, location) in [
        ("slabcert-proofs", "slabcert-certificate", "format"),
        (r#""version":1"#, r#""version":2"#, "format"),
        (r#""version":1"#, r#""version":-1"#, "version"),
        (r#""version":1"#, r#""version":1,"extra":0"#, "extra"),
        (r#"["x",0]"#, r#"["x",-1]"#, "variables[1]"),
        (r#"["x",0]"#, r#"["x",[]]"#, "variables[1]"),
        (
            r#""obligations":[2]"#,
            r#""obligations":[7]"#,
            "obligations[0]",
        ),
        (
            r#""obligations":[2]"#,
            r#""obligations":[-1]"#,
            "obligations[0]",
        ),
        (
            r#""obligations":[2]"#,
            r#""obligations":["2"]"#,
            "obligations[0]",
        ),
    ] {
        let text = refusal(&good.replace(old, new));
        assert!(
            text.starts_with(&format!("proofs.json: {location}: ")),
            "{new}: {text}"
        );
    }
    let twice = good.replace(r#""version":1"#, r#""version":1,"version":1"#);
    assert!(refusal(&twice).contains("duplicate field"));
    for text in [
        "",
        "[]",
        "null",
        "{",
        &good[..good.len() - 1],
        &format!("{good} x"),
    ] {
        assert!(refusal(text).starts_with("proofs.json"), "{text}");
    }
}

#[test]
fn a_hundred_thousand_levels_are_refused_without_exhausting_the_stack() {
    let mut steps = r#"["X",0,1]"#.to_owned();
    for number in 0..100_000 {
        steps.push_str(&format!(r#",["S",0,{number}]"#));
    }
    assert_eq!(
        refusal(&file(&steps, "100000")),
        format!(
            "proofs.json: steps[{MAXIMAL_DEPTH}]: the proof is more than {MAXIMAL_DEPTH} levels deep"
        )
    );
    let nested = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(refusal(&file(&nested, "0")).starts_with("proofs.json: steps[0][0]"));
    assert!(refusal(&nested).starts_with("proofs.json"));
}

#[test]
fn lists_with_too_many_items_are_refused_while_they_are_read() {
    let many = vec![r#"["F"]"#; MAXIMAL_ITEMS / 2 + 1].join(",");
    let refused = refusal(&file(&many, ""));
    assert!(refused.contains("more than 4000000 items"), "{refused}");
    assert!(refused.contains("steps"), "{refused}");
    let wide = format!(r#"["F"{}]"#, ",0".repeat(MAXIMAL_ITEMS + 1));
    assert!(refusal(&file(&wide, "")).contains("more than 4000000 items"));
    let roots = vec!["null"; MAXIMAL_ITEMS + 1].join(",");
    assert!(refusal(&file("", &roots)).contains("more than 4000000 items"));
}
