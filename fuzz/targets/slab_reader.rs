//! The reader of the modelling language: any text is a system or has faults with positions; a system that comes out is well-formed.

#![no_main]

use libfuzzer_sys::fuzz_target;
use slabcert::languages::slab::Slab;
use slabcert::languages::source::Source;
use slabcert::languages::{Language, Options};
use slabcert_certificates::vmt::{read_vmt, write_vmt};

fuzz_target!(|bytes: &[u8]| {
    let Ok(source) = Source::from_bytes("model.slab", bytes.to_vec()) else {
        return;
    };
    match Slab.read(&source, &Options::default()).map(|it| it.flat()) {
        // A system without properties is nothing to verify, which the reader of VMT-LIB refuses.
        Ok(system) if system.properties.is_empty() => {}
        Ok(system) => {
            let text = write_vmt(&system);
            let read = read_vmt(&text);
            assert!(read.is_ok(), "{:?} in\n{text}", read.err());
        }
        Err(faults) => assert!(!faults.to_string().is_empty()),
    }
});
