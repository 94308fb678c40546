//! What is written in MoXI.

use super::*;
use crate::system::{Property, StateVariable};
use crate::term::Sort;

#[test]
fn names_that_end_with_a_prime_lose_it() {
    let system = System {
        variables: vec![
            StateVariable::new("x", Sort::Int),
            StateVariable::new("x'", Sort::Int),
        ],
        properties: vec![Property {
            index: 0,
            name: "p".to_owned(),
            formula: Term::bool(true),
            position: None,
        }],
        ..System::default()
    };
    let text = write_moxi(&system);
    assert!(text.contains("((x Int) (x. Int))"), "{text}");
}
