//! Answers that are cached from one check to the next, so that only what changed in a certificate is checked with solvers again.
//!
//! An entry is found by what it is about: the hash of the obligation's own text, in which nothing of other transitions or nodes occurs.
//! Invariant: the folder is not trusted. A cached *proof* is replayed, step by step, by the builtin solver, and counts only if it holds.
//! A cached *answer*, that a solver returned `unsat`, counts only with a code that requires the secret key, which is outside of the
//! folder. An entry that was edited, truncated, moved to another name or made in another format is refused and reported, and its
//! obligation is discharged again. Only `unsat` is cached, and files are written by one rename.

mod answers;
mod key;
mod memory;
mod proofs;
mod secret;

use key::ObligationKey;
pub(crate) use key::Printer;

use crate::kernel::solvers::Solver;
use memory::Current;
use secret::Secret;
use slabcert_certificates::bundle::{BundleError, Folder};
use slabcert_certificates::proof::Proofs;
use std::fs;
use std::io;
use std::path::PathBuf;

/// Where answers are cached, and how.
#[derive(Clone, Debug)]
pub struct CacheOptions {
    /// The folder; made when it is not there.
    pub directory: PathBuf,
    /// A file with a secret. Without it, only proofs are cached and used, no solver answers.
    pub key: Option<PathBuf>,
    /// Whether the folder is left as it is.
    pub is_read_only: bool,
}

/// Why answers cannot be cached.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// The file with the secret cannot be read.
    #[error("the cache's key cannot be read: {0}")]
    Key(BundleError),
    /// The secret is too short to be one.
    #[error("{}: a key has at least {least} bytes; `head -c {least} /dev/urandom | base64` makes one", path.display())]
    ShortKey {
        /// The file.
        path: PathBuf,
        /// The least number of bytes.
        least: usize,
    },
    /// The secret lies where whoever can write entries finds it.
    #[error("{}: the key must not be inside of the cache that it protects", .0.display())]
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

/// An invalid entry.
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
    /// How many queries were answered by a cached answer of a solver.
    pub answers: usize,
    /// How many obligations were asked about, all the same.
    pub asked: usize,
    /// How many entries are new.
    pub stored: usize,
    /// The invalid entries.
    pub refused: Vec<RefusedEntry>,
    /// Why new entries could not be written, if they could not.
    pub unwritten: Option<String>,
}

/// A folder with entries.
pub struct Cache {
    /// None when it is not there, and not to be made.
    folder: Option<Folder>,
    secret: Option<Secret>,
    is_read_only: bool,
    /// What it does for the check that it is used for.
    current: Option<Current>,
}

/// The result of looking for an entry.
enum Found<T> {
    /// An entry that can be read.
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
        let folder = match Folder::open(directory) {
            // One that is not there yet is empty for whoever only reads.
            Err(reason) if options.is_read_only && reason.kind() == io::ErrorKind::NotFound => None,
            opened => Some(opened.map_err(failed)?),
        };
        let secret = options.key.as_deref();
        let secret = secret.map(|path| Secret::read(path, directory));
        Ok(Cache {
            folder,
            secret: secret.transpose()?,
            is_read_only: options.is_read_only,
            current: None,
        })
    }

    /// What it did for the check that it was used for; none when that check had nothing to look up.
    pub fn report(&self) -> Option<&CacheReport> {
        self.current.as_ref().map(|current| &current.report)
    }

    /// The hash of the solver's program, if the solver's answers are cached: there is a secret, and its program is known.
    fn program_of(&self, solver: &Solver) -> Option<String> {
        self.secret.as_ref().and_then(|_| solver.program_sha256())
    }

    /// Looks for a proof of the obligation and its last step.
    fn proof(&self, key: &ObligationKey) -> Found<(Proofs, usize)> {
        let name = key.file(proofs::EXTENSION);
        match self.text(&name) {
            Found::Entry(text) => match proofs::read(&text, key) {
                Ok(read) => Found::Entry(read),
                Err(reason) => Found::Refused(RefusedEntry { file: name, reason }),
            },
            Found::Nothing => Found::Nothing,
            Found::Refused(refused) => Found::Refused(refused),
        }
    }

    /// Looks for the answer about the obligation of a solver whose program has that hash.
    fn answer(&self, key: &ObligationKey, solver: &Solver, program: &str) -> Found<()> {
        let Some(secret) = &self.secret else {
            return Found::Nothing;
        };
        let answer = answers::CachedAnswer::new(key, &solver.name, program);
        let name = answer.file();
        match self.text(&name) {
            Found::Entry(text) => match answer.check(&text, secret) {
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
    fn keep_proof(&self, key: &ObligationKey, proofs: &Proofs, root: usize) -> io::Result<bool> {
        let name = key.file(proofs::EXTENSION);
        if self.has(&name) {
            return Ok(false);
        }
        match proofs::write(proofs, root, key) {
            Some(text) => self.put(&name, &text),
            None => Ok(false),
        }
    }

    /// Caches the answer of a solver that the obligation's formulas are unsatisfiable.
    fn keep_answer(&self, key: &ObligationKey, solver: &Solver, program: &str) -> io::Result<bool> {
        let Some(secret) = &self.secret else {
            return Ok(false);
        };
        let answer = answers::CachedAnswer::new(key, &solver.name, program);
        self.put(&answer.file(), &answer.text(secret))
    }

    fn text(&self, name: &str) -> Found<String> {
        let read = || {
            let (folder, file) = self.locate(name)?;
            let bytes = folder.read(file)?;
            String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8 text"))
        };
        match read() {
            Ok(text) => Found::Entry(text),
            Err(reason) if reason.kind() == io::ErrorKind::NotFound => Found::Nothing,
            Err(reason) => Found::Refused(RefusedEntry {
                file: name.to_owned(),
                reason: reason.to_string(),
            }),
        }
    }

    fn has(&self, name: &str) -> bool {
        self.locate(name)
            .is_ok_and(|(folder, file)| folder.has(file))
    }

    /// The folder inside the cache and the file in it that an entry's name means. Neither may be a link: it would lead out of the cache.
    fn locate<'a>(&self, name: &'a str) -> io::Result<(Folder, &'a str)> {
        let folder = self.folder.as_ref().ok_or(io::ErrorKind::NotFound)?;
        let (inside, file) = name.split_once('/').ok_or(io::ErrorKind::InvalidInput)?;
        Ok((folder.folder(inside)?, file))
    }

    /// Writes an entry in one step; another check that runs at the same time sees all of it, or nothing.
    fn put(&self, name: &str, text: &str) -> io::Result<bool> {
        if let (Some(folder), Some((inside, _))) = (&self.folder, name.split_once('/')) {
            folder.make_folder(inside)?;
        }
        let (folder, file) = self.locate(name)?;
        folder.put(file, text.as_bytes())?;
        Ok(true)
    }
}
