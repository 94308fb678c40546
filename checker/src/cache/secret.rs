//! The secret, and the codes that it makes (HMAC with SHA-256, RFC 2104).

use super::CacheError;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use slabcert_certificates::bundle::read_text;
use std::path::Path;

/// The least number of bytes of a key.
const LEAST_BYTES: usize = 32;

/// A secret that whoever can write into the cache's folder does not have.
pub(super) struct Secret(Hmac<Sha256>);

impl Secret {
    /// Reads the secret from a file outside of the cache's folder. White space at its end does not count.
    pub fn read(path: &Path, cache: &Path) -> Result<Secret, CacheError> {
        let text = read_text(path).map_err(CacheError::Key)?;
        if let (Ok(inside), Ok(cache)) = (path.canonicalize(), cache.canonicalize())
            && inside.starts_with(cache)
        {
            return Err(CacheError::KeyInside(path.to_owned()));
        }
        let short = || CacheError::ShortKey {
            path: path.to_owned(),
            least: LEAST_BYTES,
        };
        let bytes = text.trim_end().as_bytes();
        if bytes.len() < LEAST_BYTES {
            return Err(short());
        }
        Hmac::new_from_slice(bytes).map(Secret).map_err(|_| short())
    }

    /// The code of a statement, in hexadecimal digits.
    pub fn code(&self, statement: &[u8]) -> String {
        let bytes = self.of(statement).finalize().into_bytes();
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Whether this is the code of the statement; how long that takes does not depend on how much of it is right.
    pub fn vouches_for(&self, statement: &[u8], code: &str) -> bool {
        let digit_pairs = code.as_bytes().chunks(2);
        let bytes: Option<Vec<u8>> = digit_pairs
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
            .collect();
        bytes.is_some_and(|bytes| self.of(statement).verify_slice(&bytes).is_ok())
    }

    fn of(&self, statement: &[u8]) -> Hmac<Sha256> {
        let mut code = self.0.clone();
        code.update(statement);
        code
    }
}
