//! The reader of VMT-LIB, as a model and as the system of a bundle.

#![no_main]

use libfuzzer_sys::fuzz_target;
use slabcert::languages::source::Source;
use slabcert::languages::vmt::Vmt;
use slabcert::languages::{Language, Options};
use slabcert_certificates::vmt::read_vmt;

fuzz_target!(|bytes: &[u8]| {
    let Ok(source) = Source::from_bytes("model.vmt", bytes.to_vec()) else {
        return;
    };
    let _ = read_vmt(source.text());
    let _ = Vmt::DEFAULT.read(&source, &Options::default());
});
