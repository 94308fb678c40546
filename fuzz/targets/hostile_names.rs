//! Names that look like what printers and writers invent.

#![no_main]

use arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;

#[path = "../hostile.rs"]
mod hostile;

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = Unstructured::new(bytes);
    let mut choose = |below: usize| bytes.int_in_range(0..=below - 1).unwrap_or(0);
    hostile::reads_back(&hostile::system(&mut choose));
});
