//! The reader of traces: saved runs, certificates and ITF. What it takes is written in both formats and read again as the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use slabcert_certificates::system::{System, ValueTable};
use slabcert_certificates::trace::{Step, Trace};
use slabcert_certificates::vmt::read_vmt;
use slabcert_exports::traces::file::{Record, read, write};
use slabcert_exports::traces::itf;
use std::sync::LazyLock;

static SYSTEM: LazyLock<System> = LazyLock::new(|| {
    let text = "(declare-fun x () Int) (declare-fun x.next () Int) (declare-fun r () Real) (declare-fun r.next () Real)
        (declare-fun p () Bool) (declare-fun p.next () Bool) (declare-fun i () Int)
        (define-fun .x () Int (! x :next x.next)) (define-fun .r () Real (! r :next r.next))
        (define-fun .p () Bool (! p :next p.next)) (define-fun .init () Bool (! p :init true))
        (define-fun .transition.t () Bool p.next) (define-fun .transition.u () Bool (= x.next i))
        (define-fun .trans () Bool (! (or .transition.t .transition.u) :trans true))
        (define-fun .property () Bool (! p :invar-property 0))";
    let mut system = read_vmt(text).expect("a system");
    system.variables[0].values = Some(ValueTable {
        name: "location".to_owned(),
        values: vec!["idle".to_owned(), "busy".to_owned()],
    });
    system
});

/// The trace that a record is, if it says all its transitions.
fn trace(record: Record) -> Option<Trace> {
    let steps = record.steps.into_iter().map(|step| {
        Some(Step {
            transition: step.transition?,
            inputs: step.inputs,
        })
    });
    Some(Trace {
        steps: steps.collect::<Option<_>>()?,
        states: record.states,
        final_inputs: record.final_inputs,
    })
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let Ok(record) = read(text, &SYSTEM, 0) else {
        return;
    };
    let Some(kept) = trace(record) else {
        return;
    };
    let saved = write(&kept, &SYSTEM, "m.slab");
    let exported = itf::write(&kept, &SYSTEM, "m.slab", &["p"]).expect("no name is reserved");
    for text in [saved, exported] {
        let again = read(&text, &SYSTEM, 0).expect("what is written is read");
        assert_eq!(trace(again).as_ref(), Some(&kept), "{text}");
    }
});
