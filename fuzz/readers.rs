//! What holds of every front end, whatever the bytes.

use slabcert::languages::source::Source;
use slabcert::languages::{Language, Options};
use slabcert_certificates::vmt::{read_vmt, write_vmt};

/// Any text is a flat system, which is read again from what is written of it, or has a fault with its position.
pub fn is_read_or_refused(language: &dyn Language, name: &str, bytes: &[u8]) {
    let Ok(source) = Source::from_bytes(name, bytes.to_vec()) else {
        return;
    };
    let _ = language.recognises(source.text());
    match language.read(&source, &Options::default()).map(|it| it.flat()) {
        Ok(system) => {
            let text = write_vmt(&system);
            let read = read_vmt(&text);
            assert!(read.is_ok(), "{:?} in\n{text}", read.err());
        }
        Err(faults) => assert!(!faults.to_string().is_empty()),
    }
}
