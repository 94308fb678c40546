//! Bundles: the input is `certificate.json`, `system.vmt` and `proofs.json`, separated by lines of dashes. Whatever they say, the checker
//! ends with a verdict or says what is wrong with the input.

#![no_main]

use libfuzzer_sys::fuzz_target;
use slabcert_checker::{CheckError, CheckOptions, Watch, check_bundle};
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

const SEPARATOR: &[u8] = b"\n-----\n";
const FILES: [&str; 3] = ["certificate.json", "system.vmt", "proofs.json"];

fuzz_target!(|bytes: &[u8]| {
    let Ok(directory) = tempfile::tempdir() else {
        return;
    };
    let mut rest = bytes;
    for name in FILES {
        let cut = rest
            .windows(SEPARATOR.len())
            .position(|window| window == SEPARATOR);
        let (part, after) = match cut {
            Some(cut) => (&rest[..cut], &rest[cut + SEPARATOR.len()..]),
            None => (rest, &b""[..]),
        };
        rest = after;
        let is_wanted = name != "proofs.json" || !part.is_empty();
        if is_wanted && fs::write(directory.path().join(name), part).is_err() {
            return;
        }
    }
    check(directory.path(), false);
    // The recorded hash keeps most inputs out of the rest of the reader.
    check(directory.path(), true);
});

fn check(directory: &Path, named: bool) {
    let options = CheckOptions {
        solvers: vec!["builtin".to_owned()],
        system: named.then(|| directory.join("system.vmt")),
        jobs: 1,
        ..CheckOptions::default()
    };
    let never = AtomicBool::new(false);
    let result = check_bundle(directory, &options, &Watch::only(&never));
    assert!(!matches!(result, Err(CheckError::Internal)), "{result:?}");
}
