//! Answers that are kept from one check to the next, so that a certificate that changed a little is not asked about anew as a whole.
//!
//! An entry is found by what it is about: the hash of the obligation's own text, in which nothing of other transitions or nodes occurs.
//! Invariant: what stands in the folder is not believed because it stands there. A kept *proof* is followed again, step by step, by the
//! builtin solver; it convinces by that, or not at all. A kept *word*, that a solver answered `unsat`, convinces only with a code that
//! nobody can make who does not have the secret key, which lies outside of the folder. Whatever else is found, an entry that was edited,
//! cut, moved to another place or made in another form, is refused, reported, and its obligation asked about anew. Only `unsat` is kept,
//! and files are put in place by one rename.

mod key;
mod memory;
mod proofs;
mod secret;
mod words;

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
pub struct Cache {
    /// None when it is not there, and not to be made.
    folder: Option<Folder>,
    secret: Option<Secret>,
    is_read_only: bool,
    /// What it does for the check that it is used for.
    current: Option<Current>,
}

/// What is found in the place of an entry.
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

    /// The hash of the solver's program, if words of the solver are kept: there is a secret, and it is known which program it is.
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

    /// Looks for the word about the obligation of a solver whose program has that hash.
    fn word(&self, key: &ObligationKey, solver: &Solver, program: &str) -> Found<()> {
        let Some(secret) = &self.secret else {
            return Found::Nothing;
        };
        let word = words::Word::new(key, &solver.name, program);
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

    /// Keeps the word of a solver that the obligation's formulas are unsatisfiable.
    fn keep_word(&self, key: &ObligationKey, solver: &Solver, program: &str) -> io::Result<bool> {
        let Some(secret) = &self.secret else {
            return Ok(false);
        };
        let word = words::Word::new(key, &solver.name, program);
        self.put(&word.file(), &word.text(secret))
    }

    fn text(&self, name: &str) -> Found<String> {
        let read = || {
            let (folder, file) = self.place(name)?;
            let bytes = folder.read(file)?;
            String::from_utf8(bytes).map_err(|_| io::Error::other("it is no UTF-8 text"))
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
        self.place(name)
            .is_ok_and(|(folder, file)| folder.has(file))
    }

    /// The folder inside the cache and the file in it that an entry's name means. Neither may be a link: it would lead out of the cache.
    fn place<'a>(&self, name: &'a str) -> io::Result<(Folder, &'a str)> {
        let folder = self.folder.as_ref().ok_or(io::ErrorKind::NotFound)?;
        let (inside, file) = name.split_once('/').ok_or(io::ErrorKind::InvalidInput)?;
        Ok((folder.folder(inside)?, file))
    }

    /// Writes an entry in one step; another check that runs at the same time sees all of it, or nothing.
    fn put(&self, name: &str, text: &str) -> io::Result<bool> {
        if let (Some(folder), Some((inside, _))) = (&self.folder, name.split_once('/')) {
            folder.make_folder(inside)?;
        }
        let (folder, file) = self.place(name)?;
        folder.put(file, text.as_bytes())?;
        Ok(true)
    }
}
