//! Sizes that are products: a few bytes say how many there are of everything, and how long. The bundle that this makes is read, its
//! obligations are stated and printed, and the system is written again: within the limits of memory and time that the fuzzer is given,
//! or the bundle is refused by size.

#![no_main]

use arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use slabcert_certificates::bundle::{Bundle, SystemChoice};
use slabcert_certificates::obligations::obligations;
use slabcert_certificates::obligations::text::ObligationPrinter;
use slabcert_certificates::vmt::write_vmt;
use std::fmt::Write;
use std::fs;

/// How many there are of something at most: so many that two such numbers are too much for a product.
const MOST: u16 = 3_000;

struct Sizes {
    inputs: usize,
    named_transitions: usize,
    transitions: usize,
    properties: usize,
    assertions: usize,
    definition: usize,
    digits: usize,
    name: usize,
    parameters: usize,
    calls: usize,
    nodes: usize,
    conjuncts: usize,
    diagrams: usize,
    assumed: usize,
    claims: usize,
    steps: usize,
    shared_label: bool,
}

impl Sizes {
    fn of(input: &mut Unstructured<'_>) -> Result<Sizes> {
        let mut size = || {
            // Half of them are one, so that the others are not lost in what is refused.
            let size: u16 = input.arbitrary()?;
            Ok(match size % 2 {
                0 => 1,
                _ => usize::from(1 + size / 2 % MOST),
            })
        };
        Ok(Sizes {
            inputs: size()?,
            named_transitions: size()?,
            transitions: size()?,
            properties: size()?,
            assertions: size()?,
            definition: size()?,
            digits: size()?,
            name: size()?,
            parameters: size()?,
            calls: size()?,
            nodes: size()?,
            conjuncts: size()?,
            diagrams: size()?,
            assumed: size()?,
            claims: size()?,
            steps: size()?,
            shared_label: input.arbitrary()?,
        })
    }

    fn system(&self) -> String {
        let name = "p".repeat(self.name);
        let mut text = format!(
            "(declare-fun {name} () Bool)(declare-fun q () Bool)(define-fun .s () Bool (! {name} :next q))
(declare-fun x () Int)(declare-fun y () Int)(define-fun .v () Int (! x :next y))
(define-fun number () Int {})
(define-fun big () Bool (and {name}",
            "7".repeat(self.digits)
        );
        for number in 0..self.definition {
            let _ = write!(text, " (< x (+ number {number}))");
        }
        text.push_str("))\n(define-fun f (");
        for number in 0..self.parameters {
            let _ = write!(text, "(a{number} Bool)");
        }
        text.push_str(") Bool (and a0 big))\n");
        for number in 0..self.inputs {
            let _ = write!(text, "(declare-fun i{number} () Bool)");
        }
        let call = format!("(f{})", " q".repeat(self.parameters));
        let calls = if self.parameters < 10 { self.calls } else { 1 };
        for number in 0..self.named_transitions {
            let _ = write!(
                text,
                "(define-fun .transition.{number} () Bool (or q i0 big))"
            );
        }
        text.push_str("(define-fun .trans () Bool (! (or");
        for number in 0..self.named_transitions {
            let _ = write!(text, " .transition.{number}");
        }
        let _ = write!(
            text,
            ") :trans true))(define-fun calls () Bool (and {}))(define-fun .init () Bool (! {name} :init true))",
            call.repeat(calls)
        );
        for number in 0..self.properties {
            let _ = write!(
                text,
                "(define-fun .property.c{number} () Bool (! (or {name} big) :invar-property {number}))"
            );
        }
        text.push_str(&format!("(assert (or {name} big))").repeat(self.assertions));
        text
    }

    fn certificate(&self) -> String {
        let list = |count: usize, text: &dyn Fn(usize) -> String| {
            let all: Vec<String> = (0..count).map(text).collect();
            format!("[{}]", all.join(","))
        };
        let claims = self.claims.min(self.properties);
        let label = |conjunct: usize| {
            if self.shared_label {
                "\"big\"".to_owned()
            } else {
                format!("\"(or big (< x {conjunct}))\"")
            }
        };
        let conjuncts = self.conjuncts;
        let nodes = list(self.nodes.min(1_000_000 / conjuncts), &|node| {
            let label = list(conjuncts, &|conjunct| label(conjunct + node));
            format!("{{\"id\":{node},\"label\":{label}}}")
        });
        let diagrams = self.diagrams;
        let assumed = self.assumed.min(diagrams).min(100);
        let assumed = list(assumed, &|number| format!("\"d{number}\""));
        let diagrams = list(diagrams, &|number| {
            let nodes = if number == 0 {
                &nodes
            } else {
                "[{\"id\":0,\"label\":[\"big\"]}]"
            };
            format!(
                "{{\"name\":\"d{number}\",\"assumes\":{assumed},\"nodes\":{nodes},\"edges\":[{{\"from\":0,\"to\":0,\"transitions\":[\"t0\"]}}]}}"
            )
        });
        let steps = self.steps;
        let state = format!(
            "{{\"{}\":\"true\",\"x\":\"1\"}}",
            "p".repeat(self.name.min(100))
        );
        format!(
            "{{\"format\":\"slabcert-certificate\",\"version\":1,\"system\":{{\"file\":\"system.vmt\",\"sha256\":\"\",\"logic\":\"QF_LIA\"}},\"claims\":{},\"transitions\":{},\"diagrams\":{diagrams},\"traces\":[{{\"states\":{},\"steps\":{}}}]}}",
            list(claims, &|number| format!(
                "{{\"property\":{number},\"verdict\":\"safe\",\"diagrams\":[\"d0\"]}}"
            )),
            list(self.transitions, &|number| format!(
                "{{\"name\":\"t{number}\",\"relation\":\"(or q big)\"}}"
            )),
            list(steps + 1, &|_| state.clone()),
            list(steps, &|_| "{\"transition\":\"t0\"}".to_owned()),
        )
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(sizes) = Sizes::of(&mut Unstructured::new(bytes)) else {
        return;
    };
    let Ok(directory) = tempfile::tempdir() else {
        return;
    };
    let system = directory.path().join("system.vmt");
    if fs::write(&system, sizes.system()).is_err()
        || fs::write(
            directory.path().join("certificate.json"),
            sizes.certificate(),
        )
        .is_err()
    {
        return;
    }
    let Ok(bundle) = Bundle::read_against(directory.path(), SystemChoice::File(&system)) else {
        return;
    };
    let written = write_vmt(&bundle.system);
    assert!(!written.is_empty());
    let Ok(all) = obligations(&bundle.system, &bundle.certificate) else {
        return;
    };
    let mut printer = ObligationPrinter::new(&bundle.system);
    for obligation in &all {
        assert!(!printer.standalone(obligation).is_empty());
    }
});
