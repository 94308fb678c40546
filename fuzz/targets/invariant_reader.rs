//! The reader of other tools' invariants, models of Horn clauses among them: what it takes mentions state variables only.

#![no_main]

use libfuzzer_sys::fuzz_target;
use slabcert_certificates::system::{SymbolRole, System};
use slabcert_certificates::vmt::read_vmt;
use slabcert_checker::audit::Invariant;
use std::sync::LazyLock;

static SYSTEM: LazyLock<System> = LazyLock::new(|| {
    let text = "(declare-fun x () Int) (declare-fun x.next () Int) (declare-fun r () Real) (declare-fun r.next () Real)
        (declare-fun p () Bool) (declare-fun p.next () Bool) (declare-fun i () Int)
        (define-fun .x () Int (! x :next x.next)) (define-fun .r () Real (! r :next r.next))
        (define-fun .p () Bool (! p :next p.next)) (define-fun .init () Bool (! p :init true))
        (define-fun .trans () Bool (! p.next :trans true)) (define-fun .property () Bool (! p :invar-property 0))
        (define-fun .0 () Bool (! (= x 0) :clause-predicate (q r x))) (define-fun .1 () Bool (! (= x 1) :clause-predicate (r)))";
    read_vmt(text).expect("a system")
});

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let Ok(invariant) = Invariant::read(text, &SYSTEM) else {
        return;
    };
    let roles = SYSTEM.symbol_roles();
    for formula in invariant.formulas() {
        for symbol in formula.symbols() {
            assert!(matches!(roles.get(&symbol), Some(SymbolRole::Current(_))));
        }
    }
});
