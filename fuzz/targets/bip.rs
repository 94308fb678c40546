//! The reader of BIP models.

#![no_main]

#[path = "../readers.rs"]
mod readers;

use libfuzzer_sys::fuzz_target;
use slabcert::languages::bip::Bip;

fuzz_target!(|bytes: &[u8]| {
    readers::is_read_or_refused(&Bip, "model.bip", bytes);
});
