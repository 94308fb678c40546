//! Answers that are kept from one check to the next, so that a certificate that changed a little is not asked about anew as a whole.
//!
//! An entry is found by what it is about: the hash of the obligation's own text, in which nothing of other transitions or nodes occurs.
//! Invariant: what stands in the folder is not believed because it stands there. A kept *proof* is followed again, step by step, by the
//! builtin solver; it convinces by that, or not at all. A kept *word*, that a solver answered `unsat`, convinces only with a code that
//! nobody can make who does not have the secret key, which lies outside of the folder. Whatever else is found, an entry that was edited,
//! cut, moved to another place or made in another form, is refused, reported, and its obligation asked about anew. Only `unsat` is kept,
//! and files are put in place by one rename.

mod key;
mod proofs;
mod secret;
mod warm;
mod words;

pub(crate) use key::{ObligationKey, Printer};
pub(crate) use warm::{Question, Warm};

use crate::builtin;
use crate::solvers::Solver;
use secret::Secret;
use slabcert_certificates::bundle::{BundleError, read_text};
use slabcert_certificates::obligations::Obligation;
use slabcert_certificates::proof::Proofs;
use slabcert_certificates::proof::normalise::Normaliser;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Where answers are kept, and how.
#[derive(Clone, Debug)]
pub struct CacheOptions {
    /// The folder; made when it is not there.
    pub directory: PathBuf,
    /// A file with a secret. Without it, no words of solvers are kept or believed, only proofs.
    pub key: Option<PathBuf>,
    /// Whether the folder is left as it is.
    pub is_read_only: bool,
}

/// Why answers cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// The file with the secret cannot be read.
    #[error("the cache's key cannot be read: {0}")]
    Key(BundleError),
    /// The secret is too short to be one.
    #[error("{}: a key has at least {least} bytes, as `head -c {least} /dev/urandom | base64` makes them", path.display())]
    ShortKey {
        /// The file.
        path: PathBuf,
        /// The least number of bytes.
        least: usize,
    },
    /// The secret lies where whoever can write entries finds it.
    #[error("{}: the key must not lie inside of the cache, whose entries it is to protect", .0.display())]
    KeyInside(PathBuf),
    /// The folder cannot be made or is none.
    #[error("{}: {reason}", path.display())]
    Directory {
        /// The folder.
        path: PathBuf,
        /// What the operating system says.
        reason: io::Error,
    },
}

/// An entry that is not believed.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct RefusedEntry {
    /// The file, within the folder.
    pub file: String,
    /// Why.
    pub reason: String,
}

/// What the cache did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CacheReport {
    /// How many obligations a kept proof discharged.
    pub proofs: usize,
    /// How many questions a kept word of a solver answered.
    pub words: usize,
    /// How many obligations were asked about, all the same.
    pub asked: usize,
    /// How many entries are new.
    pub stored: usize,
    /// The entries that were not believed.
    pub refused: Vec<RefusedEntry>,
    /// Why new entries could not be written, if they could not.
    pub unwritten: Option<String>,
}

/// A folder with entries.
pub(crate) struct Cache {
    directory: PathBuf,
    secret: Option<Secret>,
    is_read_only: bool,
}

/// What is found in the place of an entry.
pub(crate) enum Found<T> {
    /// An entry that holds.
    Entry(T),
    /// Nothing.
    Nothing,
    /// Something that is not believed.
    Refused(RefusedEntry),
}

impl Cache {
    /// The cache in a folder.
    ///
    /// # Errors
    /// When the secret or the folder cannot be used.
    pub fn open(options: &CacheOptions) -> Result<Cache, CacheError> {
        let directory = &options.directory;
        let failed = |reason| CacheError::Directory {
            path: directory.clone(),
            reason,
        };
        if !options.is_read_only {
            fs::create_dir_all(directory).map_err(failed)?;
        }
        // One that is not there yet is empty for whoever only reads.
        match fs::metadata(directory) {
            Ok(metadata) if !metadata.is_dir() => {
                return Err(failed(io::ErrorKind::NotADirectory.into()));
            }
            Err(reason) if reason.kind() != io::ErrorKind::NotFound => return Err(failed(reason)),
            _ => {}
        }
        let secret = options.key.as_deref();
        let secret = secret.map(|path| Secret::read(path, directory));
        Ok(Cache {
            directory: directory.clone(),
            secret: secret.transpose()?,
            is_read_only: options.is_read_only,
        })
    }

    /// Whether words of the solver are kept: there is a secret, and it is known which solver it is.
    pub fn keeps_words_of(&self, solver: &Solver) -> bool {
        self.secret.is_some() && solver.version.is_some()
    }

    /// Whether new entries are written.
    pub fn is_written(&self) -> bool {
        !self.is_read_only
    }

    /// Looks for a proof of the obligation, and follows it.
    pub fn proof(
        &self,
        key: &ObligationKey,
        normaliser: &mut Normaliser,
        obligation: &Obligation,
        interrupt: &AtomicBool,
    ) -> Found<()> {
        let name = key.file(proofs::EXTENSION);
        let text = match self.text(&name) {
            Found::Entry(text) => text,
            Found::Nothing => return Found::Nothing,
            Found::Refused(refused) => return Found::Refused(refused),
        };
        let (proofs, root) = match proofs::read(&text, key) {
            Ok(read) => read,
            Err(reason) => return Found::Refused(RefusedEntry { file: name, reason }),
        };
        match builtin::replay_with(normaliser, obligation, &proofs, Some(root), interrupt) {
            builtin::Reply::Discharged => Found::Entry(()),
            builtin::Reply::Faulty(step) => Found::Refused(RefusedEntry {
                file: name,
                reason: format!(
                    "it is no proof of its obligation: step {} ({}): {}",
                    step.step, step.rule, step.fault
                ),
            }),
            builtin::Reply::NotExpressible(reason) => Found::Refused(RefusedEntry {
                file: name,
                reason: format!("its obligation has no proof of this kind: {reason}"),
            }),
            builtin::Reply::NoProof | builtin::Reply::Interrupted => Found::Nothing,
        }
    }

    /// Looks for a solver's word about the obligation.
    pub fn word(&self, key: &ObligationKey, solver: &Solver) -> Found<()> {
        let (Some(secret), Some(version)) = (&self.secret, &solver.version) else {
            return Found::Nothing;
        };
        let word = words::Word::new(key, &solver.name, version);
        let name = word.file();
        match self.text(&name) {
            Found::Entry(text) => match word.check(&text, secret) {
                Ok(()) => Found::Entry(()),
                Err(reason) => Found::Refused(RefusedEntry {
                    file: name,
                    reason: reason.to_owned(),
                }),
            },
            Found::Nothing => Found::Nothing,
            Found::Refused(refused) => Found::Refused(refused),
        }
    }

    /// Keeps a proof of an obligation, the tree of the step that is given, unless there is an entry.
    pub fn keep_proof(
        &self,
        key: &ObligationKey,
        proofs: &Proofs,
        root: usize,
    ) -> io::Result<bool> {
        let name = key.file(proofs::EXTENSION);
        if self.directory.join(&name).exists() {
            return Ok(false);
        }
        match proofs::write(proofs, root, key) {
            Some(text) => self.put(&name, &text),
            None => Ok(false),
        }
    }

    /// Keeps the word of a solver that the obligation's formulas are unsatisfiable.
    pub fn keep_word(&self, key: &ObligationKey, solver: &Solver) -> io::Result<bool> {
        let (Some(secret), Some(version)) = (&self.secret, &solver.version) else {
            return Ok(false);
        };
        let word = words::Word::new(key, &solver.name, version);
        self.put(&word.file(), &word.text(secret))
    }

    fn text(&self, name: &str) -> Found<String> {
        match read_text(&self.directory.join(name)) {
            Ok(text) => Found::Entry(text),
            Err(BundleError::Unreadable { reason, .. })
                if reason.kind() == io::ErrorKind::NotFound =>
            {
                Found::Nothing
            }
            Err(BundleError::Unreadable { reason, .. }) => Found::Refused(RefusedEntry {
                file: name.to_owned(),
                reason: reason.to_string(),
            }),
            Err(error) => Found::Refused(RefusedEntry {
                file: name.to_owned(),
                reason: error.to_string(),
            }),
        }
    }

    /// Writes an entry in one step; another check that runs at the same time sees all of it, or nothing.
    fn put(&self, name: &str, text: &str) -> io::Result<bool> {
        let path = self.directory.join(name);
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let mut file = tempfile::Builder::new()
            .prefix(".new-")
            .tempfile_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.persist(&path).map_err(|error| error.error)?;
        Ok(true)
    }
}
