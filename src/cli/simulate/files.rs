//! Traces from files and to files.

use super::super::failure::Failure;
use crate::languages::source::{Source, SourceError};
use slabcert_certificates::bundle::{CERTIFICATE_FILE, Folder, MAXIMAL_FILE_BYTES};
use slabcert_certificates::leftovers::Unfinished;
use slabcert_certificates::system::System;
use slabcert_certificates::trace::Trace;
use slabcert_exports::traces::file::{self, Record};
use slabcert_exports::traces::itf;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Ends the name of a file in ITF.
const ITF_ENDING: &str = ".itf.json";

/// A trace as read, and the file that it was read from.
pub(super) struct TraceFile {
    pub record: Record,
    pub path: PathBuf,
}

impl TraceFile {
    /// Reads a trace from a file or a bundle; of a certificate with several, the one with the number.
    pub fn read(path: &Path, system: &System, number: usize) -> Result<TraceFile, Failure> {
        let (path, bytes) = match path.is_dir() {
            true => {
                let file = path.join(CERTIFICATE_FILE);
                let read = Folder::open(path).and_then(|folder| folder.read(CERTIFICATE_FILE));
                let bytes = read.map_err(|error| cannot_read(&file, &error))?;
                (file, bytes)
            }
            false => (path.to_owned(), read_bytes(path)?),
        };
        let text = text_of(bytes, &path)?;
        let record = file::read(&text, system, number)
            .map_err(|error| Failure::Input(format!("{}:{error}", path.display())))?;
        Ok(TraceFile { record, path })
    }

    /// A complaint about the state with that number.
    pub fn complaint(&self, state: usize, what: &str) -> String {
        let file = self.path.display();
        match self.record.state_positions.get(state) {
            Some(position) => format!("{file}:{position}: {what}"),
            None => format!("{file}: {what}"),
        }
    }
}

fn cannot_read(path: &Path, why: &dyn std::fmt::Display) -> Failure {
    Failure::Input(format!("cannot read `{}`: {why}", path.display()))
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let cannot = |why: &dyn std::fmt::Display| cannot_read(path, why);
    // Opening a pipe would wait for whoever writes to it.
    let metadata = path.metadata().map_err(|error| cannot(&error))?;
    if !metadata.is_file() {
        return Err(cannot(&"it is not a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAXIMAL_FILE_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|error| cannot(&error))?;
    if bytes.len() as u64 > MAXIMAL_FILE_BYTES {
        return Err(cannot(&format!(
            "it is larger than {MAXIMAL_FILE_BYTES} bytes"
        )));
    }
    Ok(bytes)
}

fn text_of(bytes: Vec<u8>, path: &Path) -> Result<String, Failure> {
    match Source::from_bytes("", bytes) {
        Ok(source) => Ok(source.text().to_owned()),
        Err(SourceError::Encoding {
            line, column, byte, ..
        }) => Err(Failure::Input(format!(
            "{}:{line}:{column}: the byte 0x{byte:02x} does not belong to UTF-8 text",
            path.display()
        ))),
        Err(error) => Err(cannot_read(path, &error)),
    }
}

/// Writes a trace to a file, in ITF if its name ends so. A file that is there is replaced, and only by a complete one.
pub(super) fn save(path: &Path, trace: &Trace, system: &System, model: &str) -> Result<(), String> {
    let is_itf = path.to_string_lossy().ends_with(ITF_ENDING);
    let text = match is_itf {
        true => itf::write(trace, system, model, &[]).map_err(|error| error.to_string())?,
        false => file::write(trace, system, model),
    };
    let written = || -> io::Result<()> {
        if path.is_dir() {
            return Err(io::Error::other("it is a directory"));
        }
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let mut file = Unfinished::make(|| tempfile::NamedTempFile::new_in(folder))
            .map_err(|error| io::Error::from(error.kind()))?;
        file.write_all(text.as_bytes())?;
        file.finish(|file| file.persist(path))
            .map_err(|error| error.error)?;
        Ok(())
    };
    written().map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}

/// A name for a trace of a model that no file in this folder has.
pub(super) fn free_name(model: &Path) -> PathBuf {
    let stem = model.file_stem();
    let stem = stem.map_or_else(|| "model".into(), |stem| stem.to_string_lossy());
    let first = PathBuf::from(format!("{stem}.trace.json"));
    let further = (2..).map(|number| PathBuf::from(format!("{stem}.trace-{number}.json")));
    std::iter::once(first)
        .chain(further)
        .find(|path| !path.exists())
        .unwrap_or_else(|| PathBuf::from("trace.json"))
}
