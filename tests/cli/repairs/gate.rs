//! A property is one thing, and what is left through a gate is what was asked for.

use crate::{Bench, Run};

/// Property 0 holds and has the name that is the number of property 1, which does not.
const NAMED: &str = "(declare-fun x () Int) (declare-fun x1 () Int)
(define-fun .s () Int (! x :next x1))
(define-fun .i () Bool (! (= x 0) :init true))
(define-fun .t () Bool (! (= x1 (+ x 1)) :trans true))
(define-fun .property.1 () Bool (! (>= x 0) :invar-property 0))
(define-fun .property.few () Bool (! (< x 2) :invar-property 1))
";

fn verify(bench: &Bench, model: &str, arguments: &[&str]) -> Run {
    let fixed = [
        "verify",
        model,
        "--engine",
        "bounded",
        "--progress",
        "never",
    ];
    bench.run(&[&fixed[..], arguments].concat())
}

#[test]
fn a_name_that_is_the_number_of_another_property_chose_the_wrong_one() {
    let bench = Bench::new();
    bench.write("m.vmt", NAMED);
    let run = verify(&bench, "m.vmt", &["--property", "1"]);
    run.expect_failure(
        2,
        "`1` is ambiguous: it is the name of property 0 and the number of property 1",
    );
    let run = verify(&bench, "m.vmt", &["--property", "few"]);
    run.expect(40, "unsafe");
    let run = verify(&bench, "m.vmt", &["--property", "2"]);
    run.expect_failure(2, "the system has no property `2` (its properties: 1, few)");
}

#[test]
fn two_properties_had_one_name() {
    let bench = Bench::new();
    // One that has no name is called by its number.
    bench.write("number.vmt", NAMED.replace(".property.few", ".q"));
    bench.write(
        "both.vmt",
        NAMED.replace(
            "(! (>= x 0) :invar-property 0)",
            "(! (>= x 0) :invar-property 0 :invar-property 2)",
        ),
    );
    let words = "it is the name of property 0 and the number of property 1";
    verify(&bench, "number.vmt", &[]).expect_failure(3, words);
    let words = "it is the name of property 0 and the name of property 2";
    verify(&bench, "both.vmt", &[]).expect_failure(3, words);
}
