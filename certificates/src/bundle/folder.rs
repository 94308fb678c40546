//! A folder whose files are read through a handle of the folder: each is opened once, and what is there must be a regular file.
//!
//! Bundles and caches come from anywhere. A link would lead out of the folder, a pipe waits for its other end, a device never ends. What was
//! checked and what is used are the same bytes, whatever happens to the folder meanwhile: nothing is inspected before it is opened.
//! Invariant: a name is one component of a path.

use super::MAXIMAL_FILE_BYTES;
use crate::leftovers::undisturbed;
use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Mode, OFlags, mkdirat, openat, renameat, statat, unlinkat,
};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// An open folder.
#[derive(Clone, Debug)]
pub struct Folder(Arc<OwnedFd>);

/// Makes the names of unfinished files different.
static UNFINISHED: AtomicU64 = AtomicU64::new(0);

impl Folder {
    /// Opens a folder that the user named; links on the way are the user's.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub fn open(path: &Path) -> io::Result<Folder> {
        Folder::open_at(CWD, path, OFlags::empty())
    }

    /// Opens a folder inside.
    ///
    /// # Errors
    /// When there is none, it is a link, or it cannot be read.
    pub fn folder(&self, name: &str) -> io::Result<Folder> {
        check_name(name)?;
        Folder::open_at(&self.0, Path::new(name), OFlags::NOFOLLOW)
    }

    fn open_at(scratch: impl AsFd, path: &Path, flags: OFlags) -> io::Result<Folder> {
        let flags = flags | OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Folder(Arc::new(openat(
            scratch,
            path,
            flags,
            Mode::empty(),
        )?)))
    }

    /// The bytes of a regular file inside that is not larger than [`MAXIMAL_FILE_BYTES`].
    ///
    /// # Errors
    /// When there is none, it is anything else (see [`is_refusal`]), or it cannot be read.
    pub fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        check_name(name)?;
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        match openat(&self.0, name, flags, Mode::empty()) {
            Ok(file) => read_regular(File::from(file)),
            Err(Errno::LOOP) => Err(refusal("it is a link and not a regular file")),
            // A socket.
            Err(Errno::NXIO) => Err(refusal(NOT_REGULAR)),
            Err(error) => Err(error.into()),
        }
    }

    /// Refuses what is there and is not a regular file, without opening it.
    ///
    /// # Errors
    /// When it is something else (see [`is_refusal`]), or cannot be looked at.
    pub fn check_regular(&self, name: &str) -> io::Result<()> {
        self.check_kind(name, FileType::RegularFile, NOT_REGULAR)
    }

    /// Refuses what is there and is not a folder.
    ///
    /// # Errors
    /// As for [`Folder::check_regular`].
    pub fn check_folder(&self, name: &str) -> io::Result<()> {
        self.check_kind(name, FileType::Directory, "it is not a directory")
    }

    fn check_kind(&self, name: &str, wanted: FileType, otherwise: &str) -> io::Result<()> {
        match statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(found) if FileType::from_raw_mode(found.st_mode) == wanted => Ok(()),
            Ok(_) => Err(refusal(otherwise)),
            Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// The names of what is inside, sorted, if there are at most so many.
    ///
    /// # Errors
    /// When there are more (see [`is_refusal`]), or the folder cannot be read.
    pub fn names(&self, most: usize) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in Dir::read_from(&self.0)? {
            names.push(entry?.file_name().to_string_lossy().into_owned());
            // The folder itself and the one above are among them.
            if names.len() > most + 2 {
                return Err(refusal(&format!("more than {most} files are in it")));
            }
        }
        names.sort();
        Ok(names)
    }

    /// Whether something of that name is there.
    pub fn has(&self, name: &str) -> bool {
        statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW).is_ok()
    }

    /// Makes a folder inside, unless there is one.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn make_folder(&self, name: &str) -> io::Result<()> {
        check_name(name)?;
        match mkdirat(&self.0, name, Mode::RWXU | Mode::RWXG | Mode::RWXO) {
            Ok(()) | Err(Errno::EXIST) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Writes a file inside in one step, replacing whatever has its name: a concurrent reader sees all of it, or nothing.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        check_name(name)?;
        let number = UNFINISHED.fetch_add(1, Ordering::Relaxed);
        let unfinished = format!(".new-{}-{number}", std::process::id());
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
        let mode = Mode::RUSR | Mode::WUSR;
        undisturbed(|| {
            let file = openat(&self.0, &unfinished, flags | OFlags::CLOEXEC, mode)?;
            let written = File::from(file)
                .write_all(bytes)
                .and_then(|()| Ok(renameat(&self.0, &unfinished, &self.0, name)?));
            if written.is_err() {
                let _ = unlinkat(&self.0, &unfinished, AtFlags::empty());
            }
            written
        })
    }
}

/// The bytes of a regular file that the user named, links included.
pub(super) fn read_named(path: &Path) -> io::Result<Vec<u8>> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    match openat(CWD, path, flags, Mode::empty()) {
        Ok(file) => read_regular(File::from(file)),
        Err(Errno::NXIO) => Err(refusal(NOT_REGULAR)),
        Err(error) => Err(error.into()),
    }
}

const NOT_REGULAR: &str = "it is not a regular file";

fn read_regular(file: File) -> io::Result<Vec<u8>> {
    if !file.metadata()?.is_file() {
        return Err(refusal(NOT_REGULAR));
    }
    let mut bytes = Vec::new();
    file.take(MAXIMAL_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAXIMAL_FILE_BYTES {
        return Err(refusal(&format!(
            "it is larger than {MAXIMAL_FILE_BYTES} bytes"
        )));
    }
    Ok(bytes)
}

fn refusal(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, reason)
}

/// Whether a file was refused for what it is, and not by the operating system.
pub fn is_refusal(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::InvalidInput
}

fn check_name(name: &str) -> io::Result<()> {
    if name.is_empty() || name == "." || name == ".." || name.contains(['/', '\0']) {
        return Err(refusal("it is not a name of a file in the folder"));
    }
    Ok(())
}

#[cfg(test)]
mod repairs {
    #![allow(clippy::unwrap_used, reason = "all of it is test code")]

    use super::*;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    #[test]
    fn what_is_no_regular_file_was_opened() {
        let scratch = tempfile::tempdir().unwrap();
        let path = |name: &str| scratch.path().join(name);
        std::fs::write(path("file"), "text").unwrap();
        std::fs::create_dir(path("inside")).unwrap();
        symlink("file", path("link")).unwrap();
        symlink("/dev/zero", path("device")).unwrap();
        symlink("inside", path("other")).unwrap();
        let _socket = UnixListener::bind(path("socket")).unwrap();
        rustix::fs::mknodat(CWD, path("pipe"), FileType::Fifo, Mode::RWXU, 0).unwrap();
        let folder = Folder::open(scratch.path()).unwrap();
        assert_eq!(folder.read("file").unwrap(), b"text");
        folder.check_regular("file").unwrap();
        folder.check_regular("absent").unwrap();
        folder.check_folder("inside").unwrap();
        for name in ["link", "device", "inside", "other", "socket", "pipe"] {
            for error in [folder.read(name).err(), folder.check_regular(name).err()] {
                assert!(is_refusal(&error.unwrap()), "{name}");
            }
        }
        for name in ["", ".", "..", "inside/..", "../file", "/etc/passwd"] {
            assert!(is_refusal(&folder.read(name).unwrap_err()), "{name}");
        }
        assert!(folder.check_folder("other").is_err());
        assert!(folder.folder("other").is_err());
        assert!(folder.folder("inside").is_ok());
        // The user may name a link.
        assert_eq!(read_named(&path("link")).unwrap(), b"text");
        assert!(Folder::open(&path("other")).is_ok());
        for name in ["device", "inside", "socket", "pipe"] {
            assert!(is_refusal(&read_named(&path(name)).unwrap_err()), "{name}");
        }
    }

    #[test]
    fn a_file_was_read_again_from_another_folder_of_the_same_name() {
        let scratch = tempfile::tempdir().unwrap();
        let (path, away) = (scratch.path().join("folder"), scratch.path().join("away"));
        std::fs::create_dir(&path).unwrap();
        std::fs::write(path.join("file"), "first").unwrap();
        let folder = Folder::open(&path).unwrap();
        std::fs::rename(&path, &away).unwrap();
        std::fs::create_dir(&path).unwrap();
        std::fs::write(path.join("file"), "second").unwrap();
        assert_eq!(folder.read("file").unwrap(), b"first");
    }

    #[test]
    fn what_is_written_replaces_a_link_and_not_what_it_leads_to() {
        let scratch = tempfile::tempdir().unwrap();
        let path = |name: &str| scratch.path().join(name);
        std::fs::write(path("target"), "kept").unwrap();
        symlink("target", path("entry")).unwrap();
        let folder = Folder::open(scratch.path()).unwrap();
        folder.put("entry", b"new").unwrap();
        assert_eq!(folder.read("entry").unwrap(), b"new");
        assert_eq!(folder.read("target").unwrap(), b"kept");
        folder.make_folder("inside").unwrap();
        folder.make_folder("inside").unwrap();
        assert!(folder.put("inside", b"").is_err());
        let mut left: Vec<_> = std::fs::read_dir(scratch.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        left.sort();
        assert_eq!(left, ["entry", "inside", "target"]);
    }
}
