//! What is printed reads back as the same: terms, and systems as VMT-LIB.

#![no_main]

use arbitrary::Unstructured;
use formulas::{obligation, system};
use libfuzzer_sys::fuzz_target;
use slabcert_certificates::smtlib::{Position, Scope, TermReader, read_sexprs};
use slabcert_certificates::vmt::{read_vmt, write_vmt};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(system) = read_vmt(text)
    {
        let printed = write_vmt(&system);
        let again = read_vmt(&printed);
        assert!(again.is_ok(), "{:?} in\n{printed}", again.err());
        let again = again.map(|system| write_vmt(&system));
        assert_eq!(again.ok(), Some(printed));
    }
    let mut scope = Scope::default();
    for variable in system().variables {
        let declared = scope.declare(variable.current.clone(), Position::default());
        assert!(declared.is_ok());
    }
    let Ok(obligation) = obligation(&mut Unstructured::new(bytes)) else {
        return;
    };
    for term in obligation.assertions {
        let text = term.to_string();
        let read = read_sexprs(&text)
            .ok()
            .and_then(|expressions| TermReader::new(&scope).read(expressions.first()?).ok());
        assert_eq!(read.map(|term| term.to_string()), Some(text));
    }
});
