//! The reader of MoXI: any text is a flat system or has a fault with its place; what is written of the system is read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use slabcert::languages::moxi::Moxi;
use slabcert::languages::source::Source;
use slabcert::languages::{Language, Options};
use slabcert_certificates::vmt::{read_vmt, write_vmt};

fuzz_target!(|bytes: &[u8]| {
    let Ok(source) = Source::from_bytes("model.moxi", bytes.to_vec()) else {
        return;
    };
    let _ = Moxi.recognises(source.text());
    match Moxi.read(&source, &Options::default()) {
        Ok(system) => {
            let text = write_vmt(&system);
            let read = read_vmt(&text);
            assert!(read.is_ok(), "{:?} in\n{text}", read.err());
        }
        Err(faults) => assert!(!faults.to_string().is_empty()),
    }
});
