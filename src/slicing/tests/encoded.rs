//! The system in the exact solver's terms.

use super::*;
use crate::arithmetic::{Assignment, LinearModel, Replacement, TranslationError};

/// Each way in which a transition can write a variable, and a variable that it leaves open.
fn ways() -> EncodedSystem {
    encode(&system(
        "x Int, p Bool, kept Int, cases Int, open Int",
        "i Int",
        "(and (= x 0) p)",
        &[(
            "go",
            "(and (< x i) (= x.next (+ x i)) (= p.next (not p)) (= kept.next kept)
                  (= cases.next (ite (< x 2) x i)) (<= open.next cases.next))",
        )],
        "(=> p (< x 9))",
    ))
}

const GO: TransitionIndex = TransitionIndex(0);

#[test]
fn deterministic_updates_are_substitutions_and_the_rest_conditions() {
    let system = ways();
    let go = system.transition(GO);
    assert!(matches!(go.updates[&0], Replacement::Expression(_)));
    assert!(matches!(go.updates[&1], Replacement::Formula(_)));
    assert_eq!(go.kept, [false, false, true, false, false]);
    assert!(!go.updates.contains_key(&4));
    let next_open = system.next(Variable(4));
    assert!(
        go.condition
            .iter()
            .any(|formula| formula.variables().contains(&next_open))
    );
    // x, p and kept after the step are said in terms of the state before.
    for number in 0..3 {
        let next = system.next(Variable(number));
        assert!(
            go.condition
                .iter()
                .all(|formula| !formula.variables().contains(&next))
        );
    }
}

#[test]
fn the_preimage_says_what_must_hold_before_the_step() {
    let system = counter();
    let after = at_most(&system, 0, 2);
    assert_eq!(system.preimage(UP, &after), Some(at_most(&system, 0, 1)));
    assert_eq!(system.preimage(TICK, &after), Some(after));
    let p = Formula::literal(Variable(1), true);
    assert_eq!(ways().preimage(GO, &p), Some(p.negate()));
}

#[test]
fn the_state_after_a_step_follows_updates_frame_and_what_is_open() {
    let system = ways();
    let mut model = LinearModel::new();
    for (number, value) in [(0, 1_i64), (2, 7), (3, 0), (4, 0)] {
        model.set_number(Variable(number), value);
    }
    model.set_boolean(Variable(1), true);
    model.set_number(system.next(Variable(3)), 1_i64);
    model.set_number(system.next(Variable(4)), -5_i64);
    // The input is the first variable after the state and the next state.
    model.set_number(Variable(10), 3_i64);
    let after = system.point_after(GO, &model);
    assert_eq!(after.number(Variable(0)), 4_i64.into());
    assert!(!after.boolean(Variable(1)));
    assert_eq!(after.number(Variable(2)), 7_i64.into());
    assert_eq!(after.number(Variable(4)), (-5_i64).into());
}

#[test]
fn formulas_about_inputs_are_not_about_the_state() {
    let system = ways();
    let input = Formula::less_or_equal(&variable(10), &variable(0), system.sorts());
    assert!(!system.is_about_state(&input));
    assert!(system.is_plain(&at_most(&system, 0, 1)));
    assert!(
        system
            .vocabulary()
            .iter()
            .all(|word| system.is_about_state(word))
    );
}

#[test]
fn a_quotient_of_the_state_is_about_the_state_and_has_a_partner() {
    let system = encode(&system(
        "x Int",
        "i Int",
        "(= x 0)",
        &[("up", "(and (< (mod i 3) 1) (= x.next (+ x 2)))")],
        "(= (mod x 2) 0)",
    ));
    let quotients: Vec<Variable> = system
        .vocabulary()
        .iter()
        .flat_map(Formula::variables)
        .filter(|variable| variable.index() >= 3)
        .collect();
    assert!(!quotients.is_empty());
    for quotient in quotients {
        assert_eq!(system.state_variables_of(quotient), [0]);
        assert_ne!(system.next(quotient), quotient);
        let mention = Formula::less_or_equal(&variable(quotient.0), &variable(0), system.sorts());
        assert!(system.is_about_state(&mention) && !system.is_plain(&mention));
        // What determines the quotient goes with the formula.
        assert!(system.closed(&mention).size() > mention.size());
    }
}

#[test]
fn constants_and_words_of_the_model_are_collected() {
    let system = counter();
    // Among integers, `x < 3` is `x <= 2`.
    for constant in [0_i64, 1, 2, 5] {
        assert!(system.constants().contains(&constant.into()), "{constant}");
    }
    assert!(system.vocabulary().contains(&at_most(&system, 0, 2)));
    // Of an equation, the two bounds as well.
    assert!(system.vocabulary().contains(&at_most(&system, 0, 0)));
    assert!(system.vocabulary().contains(&at_least(&system, 0, 0)));
}

#[test]
fn products_of_variables_and_huge_formulas_are_refused() {
    let transitions = [("square", "(= x.next (* x x))")];
    let squares = system("x Int", "", "true", &transitions, "(< x 5)");
    assert!(matches!(
        EncodedSystem::new(&squares, &squares.properties[0], &[]),
        Err(TranslationError::NotLinear(_))
    ));
    let chain = (0..20).fold("p0".to_owned(), |chain, number| {
        format!("(= {chain} p{})", number + 1)
    });
    let names: Vec<String> = (0..=20).map(|number| format!("p{number} Bool")).collect();
    let parity = system(&names.join(", "), "", "true", &[("any", "true")], &chain);
    assert!(matches!(
        EncodedSystem::new(&parity, &parity.properties[0], &[]),
        Err(TranslationError::TooLarge(_))
    ));
}
