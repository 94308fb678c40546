//! The reader of constrained Horn clauses.

#![no_main]

#[path = "../readers.rs"]
mod readers;

use libfuzzer_sys::fuzz_target;
use slabcert::languages::horn_clauses::HornClauses;

fuzz_target!(|bytes: &[u8]| {
    readers::is_read_or_refused(&HornClauses, "model.smt2", bytes);
});
