//! The reader of `proofs.json`, and the replay of whatever it reads against a fixed obligation that has a model: no proof convinces.

#![no_main]

use formulas::{replay_one, satisfiable_obligation, system};
use libfuzzer_sys::fuzz_target;
use slabcert_certificates::proof::{read, write};
use slabcert_checker::builtin::Reply;

fuzz_target!(|bytes: &[u8]| {
    let Ok((hash, proofs)) = read(bytes) else {
        return;
    };
    let text = write(&proofs, &hash);
    let again = read(text.as_bytes());
    assert_eq!(again.ok(), Some((hash, proofs.clone())));
    let (system, obligation) = (system(), satisfiable_obligation());
    for root in proofs.roots().iter().flatten() {
        let reply = replay_one(&system, &obligation, &proofs, *root);
        assert_ne!(reply, Reply::Discharged);
    }
});
