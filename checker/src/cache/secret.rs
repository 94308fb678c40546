//! The secret, and the codes that it makes (HMAC with SHA-256, RFC 2104).

use super::CacheError;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use slabcert_certificates::bundle::read_text;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// The least number of bytes of a key.
const LEAST_BYTES: usize = 32;
/// The most symbolic links on the way to a key.
const MOST_LINKS: usize = 40;

/// A secret that whoever can write into the cache's folder does not have.
pub(super) struct Secret(Hmac<Sha256>);

impl Secret {
    /// Reads the secret from a file outside of the cache's folder. White space at its end does not count.
    pub fn read(path: &Path, cache: &Path) -> Result<Secret, CacheError> {
        let text = read_text(path).map_err(CacheError::Key)?;
        if let Ok(cache) = cache.canonicalize()
            && leads_through(path, &cache)
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
        // The code has one form only.
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if !code.bytes().all(is_digit) {
            return false;
        }
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

/// Whether anything on the way to a file lies within a folder: the file itself, or a link or a folder that leads to it, which whoever can
/// write into the folder might turn to a file of their own.
fn leads_through(path: &Path, folder: &Path) -> bool {
    let Ok(absolute) = std::path::absolute(path) else {
        return true;
    };
    let mut resolved = PathBuf::new();
    let mut waiting = parts_of(&absolute);
    let mut links = 0;
    while let Some(part) = waiting.pop() {
        match Path::new(&part).components().next() {
            Some(Component::ParentDir) => {
                resolved.pop();
                continue;
            }
            Some(Component::CurDir) | None => continue,
            Some(_) => resolved.push(&part),
        }
        if resolved != folder && resolved.starts_with(folder) {
            return true;
        }
        if let Ok(target) = resolved.read_link() {
            links += 1;
            if links > MOST_LINKS {
                return true;
            }
            resolved.pop();
            waiting.extend(parts_of(&target));
        }
    }
    false
}

/// The parts of a path, the last one first.
fn parts_of(path: &Path) -> Vec<OsString> {
    let parts = path.components().rev();
    parts.map(|part| part.as_os_str().to_owned()).collect()
}
