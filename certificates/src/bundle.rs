//! The bundle: a directory that holds a certificate, the system that it is about, and its obligations as SMT-LIB files.
//!
//! Reading trusts nothing. Whatever a [`Bundle`] contains is well-formed: every formula is one well-sorted term over the symbols of the
//! system that its context allows, every reference resolves, names and numbers are unique, traces give exactly the state variables.
//! Whether any of it is *true* is the checker's business. Sizes are bounded, so that hostile files are refused and not suffered.
//!
//! Writing is atomic: the directory is made under another name beside its destination, read back, and put in place by one rename.

mod decode;
mod encode;
mod folder;
mod format;
mod write;

pub use crate::program::PROGRAM_FILE;
pub use crate::proof::PROOFS_FILE;
pub use crate::reading::{MAXIMAL_FILE_BYTES, MAXIMAL_FORMULA_BYTES, Malformed};
pub use folder::{Folder, is_refusal};
pub use write::{
    BundleParts, ModelFile, WriteError, check_destination, complete_draft, move_bundle,
    write_bundle, write_draft,
};

use crate::certificate::Certificate;
use crate::diagram::Diagram;
use crate::program::{self, Program};
use crate::proof::{self, Proofs};
use crate::smtlib::{ReadError, Scope};
use crate::system::System;
use crate::vmt::read_vmt_in_scope;
use sha2::{Digest, Sha256};
use std::io;
use std::path::{Path, PathBuf};

/// What `format` says in `certificate.json`.
pub const FORMAT: &str = "slabcert-certificate";
/// The version of the format of certificates without reduced diagrams.
pub const VERSION: u64 = 1;
/// The version of the format of certificates with reduced diagrams.
pub const REDUCED_VERSION: u64 = 2;
/// The version of the format of certificates with transitions that sleep.
pub const SLEEPING_VERSION: u64 = 3;

/// The version of the format that a certificate is written in.
pub fn format_version(certificate: &Certificate) -> u64 {
    let mut regions = certificate.diagrams.iter().flat_map(|it| &it.regions);
    match certificate.diagrams.iter().any(Diagram::is_reduced) {
        true if regions.any(|it| it.independent.is_some()) => SLEEPING_VERSION,
        true => REDUCED_VERSION,
        false => VERSION,
    }
}

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
/// How many obligations get a file of their own.
pub const MAXIMAL_OBLIGATION_FILES: usize = 2_000;
/// How many files may lie beside each other in a bundle.
pub const MAXIMAL_MEMBERS: usize = 10_000;
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
    /// `certificate.json` is not JSON: there is no certificate to speak about.
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
    /// The program that was named instead of the bundle's own is none of the system.
    #[error("{}: it is no program of the system: {reason}", path.display())]
    Program {
        /// The file.
        path: PathBuf,
        /// Where and why.
        reason: Malformed,
    },
    /// A program was named for a bundle of a system that was made from none.
    #[error(
        "the bundle has no {PROGRAM_FILE}: it is about a system that was not made from a program, so that no other program can replace it"
    )]
    NoProgram,
    /// The system that was named instead of the bundle's own cannot be read.
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
    /// The system, with the certificate's value tables and what the program says of its parts.
    pub system: System,
    /// The program that the system was made from, if the bundle has one: what its `program.json` says, which nobody has checked.
    pub program: Option<Program>,
    /// Whether both are the bundle's own, so that its proofs are about them.
    pub is_own: bool,
    /// The certificate.
    pub certificate: Certificate,
    /// The files that this was read from.
    pub members: Members,
}

/// The files of a bundle: what of them was read, and the way to the others. The directory is opened once and each file in it too, so that
/// what was checked is what is used.
#[derive(Clone, Debug, Default)]
pub struct Members {
    folder: Option<Folder>,
    /// The SHA-256 of `certificate.json`, in hexadecimal digits.
    pub certificate_sha256: String,
    /// The text of the system.
    pub system_text: String,
    /// The bytes of the kept model, if one is kept.
    pub model: Option<Vec<u8>>,
}

impl Members {
    /// The bytes of another file of the bundle.
    ///
    /// # Errors
    /// When there is none, it is not a regular file, too large, or cannot be read.
    pub fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        match &self.folder {
            Some(folder) => folder.read(name),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// The bytes of a file that the bundle may have.
    fn optional(&self, directory: &Path, name: &str) -> Result<Option<Vec<u8>>, BundleError> {
        match self.read(name) {
            Err(reason) if reason.kind() == io::ErrorKind::NotFound => Ok(None),
            result => result
                .map(Some)
                .map_err(|reason| refused(directory, name, reason)),
        }
    }
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
        Bundle::read_chosen(directory, choice, None)
    }

    /// Reads a bundle against the system of one's choice, and with the program in a file instead of the bundle's own. Which system that
    /// file says that it was made for is not compared.
    ///
    /// # Errors
    /// When a file cannot be read, anything in the bundle or the file is not well-formed, or the bundle has no program to be replaced.
    pub fn read_chosen(
        directory: &Path,
        choice: SystemChoice<'_>,
        program_file: Option<&Path>,
    ) -> Result<Bundle, BundleError> {
        let folder = open_directory(directory)?;
        let path = directory.join(CERTIFICATE_FILE);
        let bytes = (folder.read(CERTIFICATE_FILE)).map_err(|reason| unreadable(&path, reason))?;
        let json = format::read(&bytes).map_err(|error| match error {
            format::FormatError::NotJson(reason) => BundleError::NotJson {
                path: path.clone(),
                reason,
            },
            format::FormatError::Malformed(malformed) => malformed.into(),
        })?;
        check_members(&folder, directory)?;
        let system_file = match choice {
            SystemChoice::Own => directory.join(SYSTEM_FILE),
            SystemChoice::File(path) => path.to_owned(),
        };
        let (mut system, scope, text) = match choice {
            SystemChoice::Own => {
                let text = own_system(&folder, directory, &json.system)?;
                let (system, scope) = read_vmt_in_scope(&text).map_err(|reason| {
                    let location = format!("{SYSTEM_FILE}:{}", reason.position);
                    Malformed::new(location, reason.message)
                })?;
                (system, scope, text)
            }
            SystemChoice::File(path) => read_system(path)?,
        };
        let source = json.source.as_ref();
        let model = source.map(|source| kept_model(&folder, directory, source));
        let members = Members {
            certificate_sha256: sha256(&bytes),
            model: model.transpose()?,
            system_text: text,
            folder: Some(folder),
        };
        let certificate = decode::certificate(json, &system, &scope)?;
        for variable in &mut system.variables {
            variable.values = certificate.names.get(variable.current.name()).cloned();
        }
        let system_sha256 = sha256(members.system_text.as_bytes());
        // Bundles of models without processes, and those of earlier versions, have no program.
        let own = || members.optional(directory, PROGRAM_FILE);
        let program = match (program_file, choice) {
            (Some(path), _) => {
                own()?.ok_or(BundleError::NoProgram)?;
                let bytes = folder::read_named(path).map_err(|reason| unreadable(path, reason))?;
                let read = program::read(&bytes, &system, &scope, None);
                Some(read.map_err(|reason| BundleError::Program {
                    path: path.to_owned(),
                    reason,
                })?)
            }
            (None, SystemChoice::Own) => own()?
                .map(|bytes| program::read(&bytes, &system, &scope, Some(&system_sha256)))
                .transpose()?,
            (None, SystemChoice::File(_)) => None,
        };
        let is_own = program_file.is_none() && matches!(choice, SystemChoice::Own);
        // Where things stand in `system.vmt` is nothing that the model's reader would look for.
        system.forget_positions();
        if let Some(program) = &program {
            program.annotate(&mut system);
        }
        Ok(Bundle {
            directory: directory.to_owned(),
            system_file,
            system_sha256,
            system,
            program,
            is_own,
            certificate,
            members,
        })
    }

    /// The bundle's proofs; none when it has no such file.
    ///
    /// # Errors
    /// When the file cannot be read, is not well-formed, or was made for another `certificate.json`.
    pub fn proofs(&self) -> Result<Option<Proofs>, BundleError> {
        let Some(bytes) = self.members.optional(&self.directory, PROOFS_FILE)? else {
            return Ok(None);
        };
        let (recorded, proofs) = proof::read(&bytes)?;
        let certificate = &self.members.certificate_sha256;
        if recorded != *certificate {
            let message = format!(
                "the proofs were made for a {CERTIFICATE_FILE} with another hash than {certificate}"
            );
            return Err(Malformed::new(format!("{PROOFS_FILE}: certificate"), message).into());
        }
        Ok(Some(proofs))
    }
}

/// What belongs to a bundle is a regular file, whether or not it is read; the obligations are in a directory. Pictures and reports are made
/// anew where they are not regular files.
fn check_members(folder: &Folder, directory: &Path) -> Result<(), BundleError> {
    let names = folder.names(MAXIMAL_MEMBERS);
    let names = names.map_err(|reason| match is_refusal(&reason) {
        true => Malformed::new("the bundle", reason.to_string()).into(),
        false => unreadable(directory, reason),
    })?;
    for name in names {
        let checked = match name.as_str() {
            OBLIGATIONS_FOLDER => folder.check_folder(&name),
            own if write::is_bundle_file(own) && !write::is_drawing_name(own) => {
                folder.check_regular(&name)
            }
            _ => Ok(()),
        };
        checked.map_err(|reason| refused(directory, &name, reason))?;
    }
    Ok(())
}

/// The text of the bundle's own system, whose hash is the recorded one.
fn own_system(
    folder: &Folder,
    directory: &Path,
    recorded: &format::SystemJson,
) -> Result<String, BundleError> {
    if recorded.file != SYSTEM_FILE {
        return Err(Malformed::new("system.file", format!("expected `{SYSTEM_FILE}`")).into());
    }
    let bytes = own_file(folder, directory, SYSTEM_FILE)?;
    check_hash("system.sha256", SYSTEM_FILE, &bytes, &recorded.sha256)?;
    String::from_utf8(bytes).map_err(|error| {
        Malformed::new(SYSTEM_FILE, format!("it is not UTF-8 text: {error}")).into()
    })
}

/// The kept source model, which is the one that the certificate is about.
fn kept_model(
    folder: &Folder,
    directory: &Path,
    recorded: &format::SourceJson,
) -> Result<Vec<u8>, BundleError> {
    let name = recorded.file.as_str();
    if !write::is_model_name(name) {
        return Err(Malformed::new(
            "source.file",
            format!("expected a file name such as `{MODEL_PREFIX}slab`"),
        )
        .into());
    }
    let bytes = own_file(folder, directory, name)?;
    check_hash("source.sha256", name, &bytes, &recorded.sha256)?;
    Ok(bytes)
}

fn check_hash(location: &str, name: &str, bytes: &[u8], recorded: &str) -> Result<(), Malformed> {
    let found = sha256(bytes);
    if found.eq_ignore_ascii_case(recorded) {
        return Ok(());
    }
    Err(Malformed::new(
        location,
        format!(
            "`{name}` has another hash, {found}: it was changed after the certificate was written"
        ),
    ))
}

/// Replaces the proofs of a bundle.
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
fn own_file(folder: &Folder, directory: &Path, name: &str) -> Result<Vec<u8>, BundleError> {
    folder.read(name).map_err(|reason| match reason.kind() {
        io::ErrorKind::NotFound => Malformed::new(name, "the bundle has no such file").into(),
        _ => refused(directory, name, reason),
    })
}

/// What is not a regular file, or too large, makes the bundle ill-formed; what the operating system does not let be read does not.
fn refused(directory: &Path, name: &str, reason: io::Error) -> BundleError {
    match is_refusal(&reason) {
        true => Malformed::new(name, reason.to_string()).into(),
        false => unreadable(&directory.join(name), reason),
    }
}

fn unreadable(path: &Path, reason: io::Error) -> BundleError {
    BundleError::Unreadable {
        path: path.to_owned(),
        reason,
    }
}

/// A system that the user named by its file, with the scope of its names and its text.
///
/// # Errors
/// When the file cannot be read, or is not VMT-LIB that is supported.
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
/// When there is no such file, or it is not UTF-8 text.
pub fn read_text(path: &Path) -> Result<String, BundleError> {
    let bytes = folder::read_named(path).map_err(|reason| unreadable(path, reason))?;
    text_of(bytes, path)
}

/// Opens the directory. What is not a bundle at all is reported under the name that the user gave.
fn open_directory(directory: &Path) -> Result<Folder, BundleError> {
    Folder::open(directory).map_err(|reason| {
        let reason = match reason.kind() {
            io::ErrorKind::NotADirectory => {
                io::Error::other("it is not a bundle; a bundle is a directory")
            }
            _ => reason,
        };
        unreadable(directory, reason)
    })
}

fn text_of(bytes: Vec<u8>, path: &Path) -> Result<String, BundleError> {
    String::from_utf8(bytes).map_err(|_| BundleError::Unreadable {
        path: path.to_owned(),
        reason: io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text"),
    })
}
