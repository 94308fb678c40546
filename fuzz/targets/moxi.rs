//! The reader of MoXI.

#![no_main]

#[path = "../readers.rs"]
mod readers;

use libfuzzer_sys::fuzz_target;
use slabcert::languages::moxi::Moxi;

fuzz_target!(|bytes: &[u8]| {
    readers::is_read_or_refused(&Moxi, "model.moxi", bytes);
});
