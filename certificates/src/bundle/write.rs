//! Writing a bundle: all of it, or nothing.
//!
//! The files are made in a scratch directory beside the destination and read back; then one rename puts them in place. An existing
//! bundle is exchanged for the new one in one step where the operating system can, and anything else at the destination is left alone.

use super::{
    Bundle, BundleError, CERTIFICATE_FILE, FORMAT, Folder, MAXIMAL_OBLIGATION_FILES, MODEL_PREFIX,
    Malformed, OBLIGATIONS_FILE, OBLIGATIONS_FOLDER, PROGRAM_FILE, PROOFS_FILE, STATISTICS_FILE,
    SYSTEM_FILE, encode, sha256,
};
use crate::certificate::Certificate;
use crate::leftovers::Unfinished;
use crate::obligations::text::{ObligationPrinter, file_name};
use crate::obligations::{Obligation, ObligationError, obligations};
use crate::program::Program;
use crate::system::System;
use crate::vmt::{difference, write_vmt};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The source model, kept as it was read.
#[derive(Clone, Copy, Debug)]
pub struct ModelFile<'a> {
    /// The extension of its name in the bundle: `slab` makes `model.slab`.
    pub extension: &'a str,
    /// Its bytes.
    pub bytes: &'a [u8],
}

/// What a bundle is made of.
#[derive(Clone, Copy, Debug)]
pub struct BundleParts<'a> {
    /// The flat system.
    pub system: &'a System,
    /// The user's own text of the system, if the model was given as VMT-LIB.
    pub system_text: Option<&'a str>,
    /// The program that the system was made from, if the model is one.
    pub program: Option<&'a Program>,
    /// Claims and evidence. File name and hash of the source are filled in from `model`.
    pub certificate: &'a Certificate,
    /// The source model.
    pub model: Option<ModelFile<'a>>,
    /// Times and counters: everything that varies from run to run.
    pub statistics: &'a serde_json::Value,
    /// Further files to look at, by name: `diagram.dot`, `diagram.svg`.
    pub drawings: &'a [(String, Vec<u8>)],
}

/// Why a bundle was not written. The destination is as it was before.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The destination exists and is not a bundle, or has files that no bundle has.
    #[error("{} exists and {reason}; it is not overwritten", path.display())]
    Occupied {
        /// The destination.
        path: PathBuf,
        /// What is wrong with it, in words.
        reason: String,
    },
    /// The destination is not a name that a directory can have.
    #[error("cannot write a bundle to `{}`", .0.display())]
    NoParent(PathBuf),
    /// A file of the bundle was given a name that bundles do not have.
    #[error("`{0}` is not a file name of a bundle")]
    FileName(String),
    /// The operating system refuses.
    #[error("cannot write {}: {reason}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What the operating system says.
        reason: io::Error,
    },
    /// What was written does not read back: the parts do not fit together.
    #[error("the certificate cannot be written: {0}")]
    NotWellFormed(Box<BundleError>),
    /// No obligations can be stated.
    #[error("the certificate cannot be written: {0}")]
    Obligations(#[from] ObligationError),
}

/// Writes a bundle, replacing one that is there.
///
/// # Errors
/// When something else is there, the operating system refuses, or the parts do not fit together.
pub fn write_bundle(directory: &Path, parts: &BundleParts<'_>) -> Result<(), WriteError> {
    write_and_publish(directory, parts, true)
}

/// Writes a bundle without the files of its obligations, which no reader needs: they are there to be looked at.
///
/// # Errors
/// As for [`write_bundle`].
pub fn write_draft(directory: &Path, parts: &BundleParts<'_>) -> Result<(), WriteError> {
    write_and_publish(directory, parts, false)
}

/// Adds the files of its obligations, which are stated by who knows more than a certificate, to a bundle that has none yet.
///
/// # Errors
/// When the bundle cannot be read, or the operating system refuses.
pub fn complete_draft(
    directory: &Path,
    state: impl FnOnce(&Bundle) -> Result<Vec<Obligation>, ObligationError>,
) -> Result<(), WriteError> {
    let bundle = read_back(directory)?;
    let all = state(&bundle)?;
    write_obligations(directory, &bundle, &all)
}

fn write_and_publish(
    directory: &Path,
    parts: &BundleParts<'_>,
    with_obligations: bool,
) -> Result<(), WriteError> {
    let parent = check_destination(directory)?;
    let name = directory
        .file_name()
        .ok_or_else(|| WriteError::NoParent(directory.to_owned()))?;
    let scratch = scratch_folder(name, &parent)?;
    // The scratch directory is private; the bundle inside it has the permissions of any directory.
    let fresh = scratch.path().join("bundle");
    fs::create_dir(&fresh).map_err(|reason| io_error(&fresh, reason))?;
    let bundle = write_files(&fresh, parts)?;
    if with_obligations {
        let all = obligations(&bundle.system, &bundle.certificate)?;
        write_obligations(&fresh, &bundle, &all)?;
    }
    publish(&fresh, &parent.join(name), scratch.path())
}

/// The bundle as every reader sees it. Its obligations are those that every reader states anew.
fn read_back(directory: &Path) -> Result<Bundle, WriteError> {
    Bundle::read(directory).map_err(|error| WriteError::NotWellFormed(Box::new(error)))
}

/// Moves a finished bundle from a private folder to another path on the same file system in one step, replacing a bundle that is there, which
/// then lies in that folder or is gone.
///
/// # Errors
/// When something else is there, or the operating system refuses; the bundle then stays where it was.
pub fn move_bundle(finished: &Path, destination: &Path) -> Result<(), WriteError> {
    let parent = check_destination(destination)?;
    let name = destination
        .file_name()
        .ok_or_else(|| WriteError::NoParent(destination.to_owned()))?;
    let scratch = finished.parent().unwrap_or(&parent);
    publish(finished, &parent.join(name), scratch)?;
    // Where two bundles were exchanged, the old one now lies where the new one was.
    let _ = fs::remove_dir_all(finished);
    Ok(())
}

/// A private folder beside the destination; goes away with the value.
fn scratch_folder(name: &OsStr, parent: &Path) -> Result<Unfinished<TempDir>, WriteError> {
    let mut builder = tempfile::Builder::new();
    let prefix = format!(".{}.", name.to_string_lossy());
    Unfinished::make(|| builder.prefix(&prefix).tempdir_in(parent))
        .map_err(|reason| io_error(parent, reason))
}

/// Whether a bundle can be written there: nothing is there yet, or a bundle. Gives the parent directory.
///
/// # Errors
/// When something else is there, or the parent directory is not.
pub fn check_destination(directory: &Path) -> Result<PathBuf, WriteError> {
    if directory.file_name().is_none() {
        return Err(WriteError::NoParent(directory.to_owned()));
    }
    let parent = match directory.parent() {
        Some(parent) if parent != Path::new("") => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    let is_directory = fs::metadata(&parent).map_err(|reason| io_error(&parent, reason))?;
    if !is_directory.is_dir() {
        return Err(io_error(&parent, io::ErrorKind::NotADirectory.into()));
    }
    let occupied = |reason: &str| WriteError::Occupied {
        path: directory.to_owned(),
        reason: reason.to_owned(),
    };
    match fs::symlink_metadata(directory) {
        Err(reason) if reason.kind() == io::ErrorKind::NotFound => return Ok(parent),
        Err(reason) => return Err(io_error(directory, reason)),
        Ok(metadata) if !metadata.is_dir() => return Err(occupied("is not a directory")),
        Ok(_) => {}
    }
    if !holds_certificate(directory) {
        return Err(occupied("is not a bundle"));
    }
    // Replacing a directory removes what is in it, so it must hold nothing but a bundle.
    for entry in fs::read_dir(directory).map_err(|reason| io_error(directory, reason))? {
        let entry = entry.map_err(|reason| io_error(directory, reason))?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_own = match entry.file_type() {
            Ok(kind) if kind.is_dir() => name == OBLIGATIONS_FOLDER,
            Ok(kind) => kind.is_file() && is_bundle_file(&name),
            Err(_) => false,
        };
        if !is_own {
            return Err(occupied(&format!(
                "has `{name}`, which belongs to no bundle"
            )));
        }
    }
    Ok(parent)
}

/// Whether the directory has a file that says it is a certificate.
fn holds_certificate(directory: &Path) -> bool {
    #[derive(serde::Deserialize)]
    struct Header {
        format: String,
    }
    Folder::open(directory)
        .and_then(|folder| folder.read(CERTIFICATE_FILE))
        .ok()
        .and_then(|bytes| serde_json::from_slice::<Header>(&bytes).ok())
        .is_some_and(|header| header.format == FORMAT)
}

/// Whether bundles have files of that name.
pub(super) fn is_bundle_file(name: &str) -> bool {
    matches!(
        name,
        CERTIFICATE_FILE
            | SYSTEM_FILE
            | PROGRAM_FILE
            | OBLIGATIONS_FILE
            | STATISTICS_FILE
            | PROOFS_FILE
    ) || is_model_name(name)
        || is_drawing_name(name)
}

/// `model.` and an extension that leads nowhere else.
pub(super) fn is_model_name(name: &str) -> bool {
    name.strip_prefix(MODEL_PREFIX).is_some_and(is_plain)
}

pub(super) fn is_drawing_name(name: &str) -> bool {
    ["diagram", "trace", "report"].iter().any(|stem| {
        name.strip_prefix(stem)
            .is_some_and(|rest| rest.starts_with(['.', '-']) && is_plain(rest))
    })
}

/// Letters, digits, points, dashes and underscores.
fn is_plain(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte))
}

fn io_error(path: &Path, reason: io::Error) -> WriteError {
    WriteError::Io {
        path: path.to_owned(),
        reason,
    }
}

fn write_files(fresh: &Path, parts: &BundleParts<'_>) -> Result<Bundle, WriteError> {
    let system_text = match parts.system_text {
        Some(text) => text.to_owned(),
        None => write_vmt(parts.system),
    };
    write_file(fresh, SYSTEM_FILE, system_text.as_bytes(), true)?;
    let mut certificate = parts.certificate.clone();
    if let Some(model) = parts.model {
        let name = format!("{MODEL_PREFIX}{}", model.extension);
        if !is_model_name(&name) {
            return Err(WriteError::FileName(name));
        }
        write_file(fresh, &name, model.bytes, true)?;
        certificate.source.file = name;
        certificate.source.sha256 = sha256(model.bytes);
    }
    let hash = sha256(system_text.as_bytes());
    let json_error = |error: serde_json::Error| io_error(fresh, error.into());
    if let Some(program) = parts.program {
        let text = program.text(&hash).map_err(json_error)?;
        write_file(fresh, PROGRAM_FILE, text.as_bytes(), true)?;
    }
    let text = encode::certificate(&certificate, parts.system, hash).map_err(json_error)?;
    write_file(fresh, CERTIFICATE_FILE, text.as_bytes(), true)?;
    let mut statistics = serde_json::to_string_pretty(parts.statistics).map_err(json_error)?;
    statistics.push('\n');
    write_file(fresh, STATISTICS_FILE, statistics.as_bytes(), false)?;
    for (name, bytes) in parts.drawings {
        if !is_drawing_name(name) {
            return Err(WriteError::FileName(name.clone()));
        }
        write_file(fresh, name, bytes, false)?;
    }
    let bundle = read_back(fresh)?;
    let reason = match difference(parts.system, &bundle.system) {
        Ok(None) => return Ok(bundle),
        Ok(Some(difference)) => format!("it is not the system that was meant: {difference}"),
        Err(error) => error.message,
    };
    let malformed = Malformed::new(SYSTEM_FILE, reason);
    Err(WriteError::NotWellFormed(Box::new(malformed.into())))
}

fn write_file(folder: &Path, name: &str, bytes: &[u8], sync: bool) -> Result<(), WriteError> {
    let path = folder.join(name);
    File::create_new(&path)
        .and_then(|mut file| {
            file.write_all(bytes)?;
            // Some file systems say only now that the disk is full.
            if sync { file.sync_all() } else { Ok(()) }
        })
        .map_err(|reason| io_error(&path, reason))
}

fn write_obligations(fresh: &Path, bundle: &Bundle, all: &[Obligation]) -> Result<(), WriteError> {
    let mut printer = ObligationPrinter::new(&bundle.system);
    let folder = fresh.join(OBLIGATIONS_FOLDER);
    fs::create_dir(&folder).map_err(|reason| io_error(&folder, reason))?;
    let path = fresh.join(OBLIGATIONS_FILE);
    let together = |reason| io_error(&path, reason);
    let mut file = BufWriter::new(File::create_new(&path).map_err(together)?);
    for (number, obligation) in all.iter().enumerate() {
        let text = printer.standalone(obligation);
        if number < MAXIMAL_OBLIGATION_FILES {
            write_file(
                &folder,
                &file_name(number, &obligation.kind),
                text.as_bytes(),
                false,
            )?;
        }
        file.write_all(text.as_bytes())
            .and_then(|()| file.write_all(b"(reset)\n"))
            .map_err(together)?;
    }
    let file = file
        .into_inner()
        .map_err(|error| together(error.into_error()))?;
    file.sync_all().map_err(together)
}

/// Renames the finished bundle to its destination. What was there goes away with the scratch directory.
fn publish(fresh: &Path, destination: &Path, scratch: &Path) -> Result<(), WriteError> {
    let failed = |reason| io_error(destination, reason);
    if fs::symlink_metadata(destination).is_err() {
        return fs::rename(fresh, destination).map_err(failed);
    }
    // Somebody may have put something else there while the bundle was made.
    check_destination(destination)?;
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        if renameat_with(CWD, fresh, CWD, destination, RenameFlags::EXCHANGE).is_ok() {
            return Ok(());
        }
    }
    let old = scratch.join("old");
    fs::rename(destination, &old).map_err(failed)?;
    fs::rename(fresh, destination).map_err(|reason| {
        // The old bundle is better than none.
        match fs::rename(&old, destination) {
            Ok(()) => failed(reason),
            Err(second) => failed(second),
        }
    })
}
