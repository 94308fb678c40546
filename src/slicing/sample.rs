//! Small systems for tests, written as VMT-LIB and read by the front end, so that transitions have guards, updates and frames.

use super::encoded::EncodedSystem;
use super::graph::TransitionIndex;
use crate::arithmetic::{Formula, LinearExpression, Variable};
use crate::languages::source::Source;
use crate::languages::vmt::Vmt;
use crate::languages::{Language, Options};
use slabcert_certificates::system::System;
use std::fmt::Write;

/// A system from its parts: `variables` and `inputs` as in `x Int, p Bool`; transitions by name.
pub(crate) fn system(
    variables: &str,
    inputs: &str,
    init: &str,
    transitions: &[(&str, &str)],
    property: &str,
) -> System {
    let mut text = String::new();
    for variable in variables.split(", ") {
        let (name, sort) = variable.split_once(' ').unwrap();
        writeln!(
            text,
            "(declare-fun {name} () {sort}) (declare-fun {name}.next () {sort})
             (define-fun .{name} () {sort} (! {name} :next {name}.next))"
        )
        .unwrap();
    }
    for input in inputs.split(", ").filter(|input| !input.is_empty()) {
        let (name, sort) = input.split_once(' ').unwrap();
        writeln!(text, "(declare-fun {name} () {sort})").unwrap();
    }
    let mut names = String::new();
    for (name, relation) in transitions {
        writeln!(text, "(define-fun |.transition.{name}| () Bool {relation})").unwrap();
        write!(names, " |.transition.{name}|").unwrap();
    }
    writeln!(
        text,
        "(define-fun .init () Bool (! {init} :init true))
         (define-fun .trans () Bool (! (or{names}) :trans true))
         (define-fun .property.p () Bool (! {property} :invar-property 0))"
    )
    .unwrap();
    Vmt::DEFAULT
        .read(&Source::new("m.vmt", text), &Options::default())
        .map(|it| it.flat())
        .unwrap()
}

pub(crate) fn encode(system: &System) -> EncodedSystem {
    EncodedSystem::new(system, &system.properties[0], &[]).unwrap()
}

/// x counts from 0 up to 3, y counts for ever; x stays below 5.
pub(crate) fn counter() -> EncodedSystem {
    encode(&system(
        "x Int, y Int",
        "",
        "(and (= x 0) (= y 0))",
        &[
            ("up", "(and (< x 3) (= x.next (+ x 1)) (= y.next y))"),
            ("tick", "(and (= x.next x) (= y.next (+ y 1)))"),
        ],
        "(< x 5)",
    ))
}

pub(crate) const UP: TransitionIndex = TransitionIndex(0);
pub(crate) const TICK: TransitionIndex = TransitionIndex(1);

/// The variable with that number.
pub(crate) fn variable(number: u32) -> LinearExpression {
    LinearExpression::variable(Variable(number))
}

pub(crate) fn at_most(system: &EncodedSystem, number: u32, bound: i64) -> Formula {
    Formula::less_or_equal(
        &variable(number),
        &LinearExpression::constant(bound),
        system.sorts(),
    )
}

pub(crate) fn at_least(system: &EncodedSystem, number: u32, bound: i64) -> Formula {
    Formula::less_or_equal(
        &LinearExpression::constant(bound),
        &variable(number),
        system.sorts(),
    )
}
