//! The bundle: a directory that holds a certificate, the system that it is about, and its obligations as SMT-LIB files.
//!
//! Reading trusts nothing. Whatever a [`Bundle`] contains is well-formed: every formula is one well-sorted term over the symbols of the
//! system that its place allows, every reference resolves, names and numbers are unique, traces give exactly the state variables.
//! Whether any of it is *true* is the checker's business. Sizes are bounded, so that hostile files are refused and not suffered.
//!
//! Writing is atomic: the directory is made under another name beside its place, read back, and put in place by one rename.

mod decode;
mod encode;
mod format;
mod write;

pub use write::{
    BundleParts, ModelFile, WriteError, check_destination, complete_draft, move_bundle,
    write_bundle, write_draft,
};

use crate::certificate::Certificate;
use crate::proof::{self, Proofs};
use crate::smtlib::{ReadError, Scope};
use crate::system::System;
use crate::vmt::read_vmt_in_scope;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// What `format` says in `certificate.json`.
pub const FORMAT: &str = "slabcert-certificate";
/// The version of the format that is read and written.
pub const VERSION: u64 = 1;
/// The file with the claims and the evidence.
pub const CERTIFICATE_FILE: &str = "certificate.json";
/// The file with the flat system.
pub const SYSTEM_FILE: &str = "system.vmt";
/// Begins the name of the source model as it was read.
pub const MODEL_PREFIX: &str = "model.";
/// The folder with one file for each obligation.
pub const OBLIGATIONS_FOLDER: &str = "obligations";
/// The file with all obligations.
pub const OBLIGATIONS_FILE: &str = "obligations.smt2";
/// The file with times and counters.
pub const STATISTICS_FILE: &str = "statistics.json";
/// The file with refutations of the obligations, if there are any.
pub const PROOFS_FILE: &str = "proofs.json";
/// How many obligations get a file of their own.
pub const MAXIMAL_OBLIGATION_FILES: usize = 2_000;
/// How many bytes each file of a bundle may have that is read.
pub const MAXIMAL_FILE_BYTES: u64 = 64 << 20;
/// How many bytes one formula of a certificate may have.
pub const MAXIMAL_FORMULA_BYTES: usize = 16 << 20;
/// How many obligations a certificate may amount to.
pub const MAXIMAL_OBLIGATIONS: usize = 1_000_000;
/// How many formulas the obligations of a certificate may consist of, counted with repetition.
pub const MAXIMAL_ASSERTIONS: usize = 20_000_000;

/// What is not well-formed, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct Malformed {
    /// The place in `certificate.json`, like `diagrams[0].nodes[3].label[1]`, or the name of another file of the bundle.
    pub place: String,
    /// What is wrong with it.
    pub message: String,
}

impl Malformed {
    /// Something wrong at a place.
    pub fn new(place: impl Into<String>, message: impl Into<String>) -> Malformed {
        Malformed {
            place: place.into(),
            message: message.into(),
        }
    }
}

/// Why a bundle could not be read.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// A file cannot be read: there is no bundle to speak about.
    #[error("{}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        reason: io::Error,
    },
    /// `certificate.json` is no JSON: there is no certificate to speak about.
    #[error("{} is not JSON: {reason}", path.display())]
    NotJson {
        /// The file.
        path: PathBuf,
        /// What is wrong, with line and column.
        reason: String,
    },
    /// The bundle is there, but is not well-formed: it is to be rejected.
    #[error("not well-formed: {0}")]
    NotWellFormed(Malformed),
    /// The system that was named in the place of the bundle's own cannot be read.
    #[error("{}:{reason}", path.display())]
    System {
        /// The file.
        path: PathBuf,
        /// Where and why.
        reason: ReadError,
    },
}

impl From<Malformed> for BundleError {
    fn from(malformed: Malformed) -> BundleError {
        BundleError::NotWellFormed(malformed)
    }
}

/// Which system the certificate of a bundle is read against.
#[derive(Clone, Copy, Debug)]
pub enum SystemChoice<'a> {
    /// The bundle's own `system.vmt`, whose recorded hash must agree.
    Own,
    /// Another VMT-LIB file; the recorded hash is not compared.
    File(&'a Path),
}

/// A well-formed bundle.
#[derive(Clone, Debug)]
pub struct Bundle {
    /// The directory.
    pub directory: PathBuf,
    /// The file that the system was read from.
    pub system_file: PathBuf,
    /// The SHA-256 of that file as it was read, in hexadecimal digits.
    pub system_sha256: String,
    /// The system, with the certificate's value tables.
    pub system: System,
    /// The certificate.
    pub certificate: Certificate,
}

impl Bundle {
    /// Reads a bundle and its own system.
    ///
    /// # Errors
    /// When a file cannot be read, or anything in the bundle is not well-formed.
    pub fn read(directory: &Path) -> Result<Bundle, BundleError> {
        Bundle::read_against(directory, SystemChoice::Own)
    }

    /// Reads a bundle against the system of one's choice.
    ///
    /// # Errors
    /// When a file cannot be read, or anything in the bundle is not well-formed.
    pub fn read_against(directory: &Path, choice: SystemChoice<'_>) -> Result<Bundle, BundleError> {
        check_directory(directory)?;
        let path = directory.join(CERTIFICATE_FILE);
        let bytes = read_file(&path)?;
        let json = format::read(&bytes).map_err(|error| match error {
            format::FormatError::NotJson(reason) => BundleError::NotJson {
                path: path.clone(),
                reason,
            },
            format::FormatError::Malformed(malformed) => malformed.into(),
        })?;
        let system_file = match choice {
            SystemChoice::Own => directory.join(SYSTEM_FILE),
            SystemChoice::File(path) => path.to_owned(),
        };
        let (mut system, scope, text) = match choice {
            SystemChoice::Own => {
                let text = own_system(directory, &json.system)?;
                let (system, scope) = read_vmt_in_scope(&text).map_err(|reason| {
                    let place = format!("{SYSTEM_FILE}:{}", reason.position);
                    Malformed::new(place, reason.message)
                })?;
                (system, scope, text)
            }
            SystemChoice::File(path) => read_system(path)?,
        };
        if let Some(source) = &json.source {
            check_source(directory, source)?;
        }
        let certificate = decode::certificate(json, &system, &scope)?;
        for variable in &mut system.variables {
            variable.values = certificate.names.get(variable.current.name()).cloned();
        }
        Ok(Bundle {
            directory: directory.to_owned(),
            system_file,
            system_sha256: sha256(text.as_bytes()),
            system,
            certificate,
        })
    }
}

/// The text of the bundle's own system, whose hash is the recorded one.
fn own_system(directory: &Path, recorded: &format::SystemJson) -> Result<String, BundleError> {
    if recorded.file != SYSTEM_FILE {
        return Err(Malformed::new("system.file", format!("expected `{SYSTEM_FILE}`")).into());
    }
    let path = directory.join(SYSTEM_FILE);
    let bytes = own_file(&path, SYSTEM_FILE)?;
    check_hash("system.sha256", SYSTEM_FILE, &bytes, &recorded.sha256)?;
    String::from_utf8(bytes).map_err(|error| {
        Malformed::new(SYSTEM_FILE, format!("it is no UTF-8 text: {error}")).into()
    })
}

/// The kept source model is the one that the certificate is about.
fn check_source(directory: &Path, recorded: &format::SourceJson) -> Result<(), BundleError> {
    let name = recorded.file.as_str();
    if !write::is_model_name(name) {
        return Err(Malformed::new(
            "source.file",
            format!("expected a file name such as `{MODEL_PREFIX}slab`"),
        )
        .into());
    }
    let bytes = own_file(&directory.join(name), name)?;
    check_hash("source.sha256", name, &bytes, &recorded.sha256)?;
    Ok(())
}

fn check_hash(place: &str, name: &str, bytes: &[u8], recorded: &str) -> Result<(), Malformed> {
    let found = sha256(bytes);
    if found.eq_ignore_ascii_case(recorded) {
        return Ok(());
    }
    Err(Malformed::new(
        place,
        format!(
            "`{name}` has another hash, {found}: it was changed after the certificate was written"
        ),
    ))
}

/// The proofs of a bundle; none when it has no such file.
///
/// # Errors
/// When the file cannot be read, is not well-formed, or was made for another `certificate.json`.
pub fn read_proofs(directory: &Path) -> Result<Option<Proofs>, BundleError> {
    let bytes = match read_file(&directory.join(PROOFS_FILE)) {
        Err(BundleError::Unreadable { reason, .. }) if reason.kind() == io::ErrorKind::NotFound => {
            return Ok(None);
        }
        result => result?,
    };
    let (recorded, proofs) = proof::read(&bytes)?;
    let certificate = sha256(&read_file(&directory.join(CERTIFICATE_FILE))?);
    if recorded != certificate {
        let message = format!(
            "the proofs were made for a {CERTIFICATE_FILE} with another hash than {certificate}"
        );
        return Err(Malformed::new(format!("{PROOFS_FILE}: certificate"), message).into());
    }
    Ok(Some(proofs))
}

/// Adds proofs to a bundle, in the place of those that it has.
///
/// # Errors
/// When the operating system refuses.
pub fn write_proofs(directory: &Path, proofs: &Proofs) -> Result<(), WriteError> {
    let path = directory.join(PROOFS_FILE);
    let failed = |reason| WriteError::Io {
        path: path.clone(),
        reason,
    };
    let certificate = std::fs::read(directory.join(CERTIFICATE_FILE)).map_err(failed)?;
    std::fs::write(&path, proof::write(proofs, &sha256(&certificate))).map_err(failed)
}

/// The SHA-256 of bytes in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// The bytes of a file that the bundle must have: an absent one makes the bundle ill-formed.
fn own_file(path: &Path, name: &str) -> Result<Vec<u8>, BundleError> {
    match read_file(path) {
        Err(BundleError::Unreadable { reason, .. }) if reason.kind() == io::ErrorKind::NotFound => {
            Err(Malformed::new(name, "the bundle has no such file").into())
        }
        result => result,
    }
}

/// A system that the user named by its file, with the scope of its names and its text.
///
/// # Errors
/// When the file cannot be read, or is no VMT-LIB that is supported.
pub fn read_system(path: &Path) -> Result<(System, Scope, String), BundleError> {
    let text = read_text(path)?;
    let (system, scope) = read_vmt_in_scope(&text).map_err(|reason| BundleError::System {
        path: path.to_owned(),
        reason,
    })?;
    Ok((system, scope, text))
}

/// The text of a regular file that is not larger than [`MAXIMAL_FILE_BYTES`].
///
/// # Errors
/// When there is no such file, or it is no UTF-8 text.
pub fn read_text(path: &Path) -> Result<String, BundleError> {
    text_of(read_file(path)?, path)
}

/// Tells what is no bundle at all in the words of the user, who named no file inside it.
fn check_directory(directory: &Path) -> Result<(), BundleError> {
    let unreadable = |reason: io::Error| BundleError::Unreadable {
        path: directory.to_owned(),
        reason,
    };
    let metadata = std::fs::metadata(directory).map_err(unreadable)?;
    if metadata.is_dir() {
        return Ok(());
    }
    let reason = "it is no bundle; a bundle is a directory";
    Err(unreadable(io::Error::other(reason)))
}

/// The bytes of a regular file, if it is not too large.
fn read_file(path: &Path) -> Result<Vec<u8>, BundleError> {
    let unreadable = |reason: io::Error| BundleError::Unreadable {
        path: path.to_owned(),
        reason,
    };
    // Opening a pipe would wait for its other end.
    let metadata = std::fs::metadata(path).map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(unreadable(io::Error::other("it is not a regular file")));
    }
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAXIMAL_FILE_BYTES + 1).read_to_end(&mut bytes))
        .map_err(unreadable)?;
    if bytes.len() as u64 > MAXIMAL_FILE_BYTES {
        return Err(unreadable(io::Error::other(format!(
            "it is larger than {MAXIMAL_FILE_BYTES} bytes"
        ))));
    }
    Ok(bytes)
}

fn text_of(bytes: Vec<u8>, path: &Path) -> Result<String, BundleError> {
    String::from_utf8(bytes).map_err(|_| BundleError::Unreadable {
        path: path.to_owned(),
        reason: io::Error::new(io::ErrorKind::InvalidData, "it is no UTF-8 text"),
    })
}
