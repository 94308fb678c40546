//! What must not stay behind when the program ends in the middle of its work: files and folders that are not finished, and programs that
//! it started.
//!
//! Whoever makes such a thing makes it here, so that it is known from its first moment on. Invariant: after [`clear`] nothing of the kind is
//! left, and nothing more can be made, since whoever wants to waits for the end of the program.
//!
//! What is good enough to stay, though its owner goes on with it, is bequeathed ([`bequeath`]): it is put in place before the rest is removed.

use rustix::process::{Pid, Signal, kill_process_group};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;
use std::ops::{Deref, DerefMut};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How often a folder is removed in which somebody goes on writing.
const REMOVALS: usize = 20;

/// What is to be done with something finished.
type Will = Box<dyn FnOnce() + Send>;

struct Known {
    paths: BTreeSet<PathBuf>,
    /// The groups of processes, by the numbers of their first ones.
    groups: BTreeMap<u32, Pid>,
    /// What puts finished things in place, by where they go.
    wills: BTreeMap<PathBuf, Will>,
}

static KNOWN: Mutex<Known> = Mutex::new(Known {
    paths: BTreeSet::new(),
    groups: BTreeMap::new(),
    wills: BTreeMap::new(),
});

fn known() -> MutexGuard<'static, Known> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Puts in place what was bequeathed, removes what is not finished and kills what was started. To be called by whoever ends the program right
/// after it.
pub fn clear() {
    let mut known = known();
    for (_, put) in std::mem::take(&mut known.wills) {
        put();
    }
    for group in known.groups.values() {
        // A group that is gone already is fine.
        let _ = kill_process_group(*group, Signal::KILL);
    }
    for path in &known.paths {
        remove(path);
    }
    // It stays locked.
    std::mem::forget(known);
}

/// Says what puts something in place, should the program end before its owner does ([`inherit`]); what was said of that destination before is
/// void. Nothing may be made as above meanwhile.
pub fn bequeath(destination: PathBuf, put: impl FnOnce() + Send + 'static) {
    known().wills.insert(destination, Box::new(put));
}

/// Puts something in place that may have been bequeathed to a destination: this is done once.
pub fn inherit<R>(destination: &Path, put: impl FnOnce() -> R) -> R {
    let mut known = known();
    known.wills.remove(destination);
    let done = put();
    drop(known);
    done
}

fn remove(path: &Path) {
    for _ in 0..REMOVALS {
        let is_folder = match path.symlink_metadata() {
            Ok(metadata) => metadata.is_dir(),
            Err(_) => return,
        };
        let removed = if is_folder {
            std::fs::remove_dir_all(path)
        } else {
            std::fs::remove_file(path)
        };
        if removed.is_ok() {
            return;
        }
    }
}

/// The numbers of the processes that were started and have not ended.
pub(crate) fn processes() -> Vec<u32> {
    known().groups.keys().copied().collect()
}

/// A file or folder that is removed when the program has to end before it is finished. When this value is dropped, it counts as finished:
/// what becomes of it then is the business of the value inside, which is dropped first.
#[derive(Debug)]
pub struct Unfinished<T> {
    value: T,
    registered: Registered,
}

#[derive(Debug)]
struct Registered(PathBuf);

impl Drop for Registered {
    fn drop(&mut self) {
        known().paths.remove(&self.0);
    }
}

impl<T: AsRef<Path>> Unfinished<T> {
    /// Makes a file or folder; the value has its path.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn make<E>(make: impl FnOnce() -> Result<T, E>) -> Result<Unfinished<T>, E> {
        let mut known = known();
        let value = make()?;
        let path = value.as_ref().to_owned();
        known.paths.insert(path.clone());
        Ok(Unfinished {
            value,
            registered: Registered(path),
        })
    }

    /// Renames it to its destination: if the program ends before, it is removed, and afterwards it stays.
    pub fn finish<R>(self, put: impl FnOnce(T) -> R) -> R {
        let mut known = known();
        let done = put(self.value);
        known.paths.remove(&self.registered.0);
        drop(known);
        done
    }
}

/// Runs short work, such as writing a small file beside its destination and renaming it, which the program completes before it ends.
pub(crate) fn undisturbed<R>(work: impl FnOnce() -> R) -> R {
    let known = known();
    let done = work();
    drop(known);
    done
}

/// Persists all of them, or none.
pub fn finish_all<T>(all: Vec<Unfinished<T>>) {
    let mut known = known();
    for one in &all {
        known.paths.remove(&one.registered.0);
    }
    drop(known);
    drop(all);
}

impl<T> Deref for Unfinished<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Unfinished<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

/// Creates a file that was not there before, to be written and finished. The file is open only as long as it is written: there may be
/// more files to finish together than may be open.
///
/// # Errors
/// When something is there already, or the operating system refuses.
pub fn new_file(path: &Path) -> io::Result<(Unfinished<PathBuf>, File)> {
    let mut file = None;
    let make = || {
        file = Some(File::create_new(path)?);
        Ok::<PathBuf, io::Error>(path.to_owned())
    };
    let unfinished = Unfinished::make(make)?;
    let file = file.ok_or_else(|| io::Error::other("the file was not created"))?;
    Ok((unfinished, file))
}

/// A program that was started, in a process group of its own. When this value is dropped, the group has been killed and its first process
/// reaped.
#[derive(Debug)]
pub struct ProcessGroup(Child);

impl ProcessGroup {
    /// Starts a program.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub fn start(command: &mut Command) -> io::Result<ProcessGroup> {
        let mut known = known();
        let child = command.process_group(0).spawn()?;
        known.groups.insert(child.id(), Pid::from_child(&child));
        Ok(ProcessGroup(child))
    }
}

impl Deref for ProcessGroup {
    type Target = Child;

    fn deref(&self) -> &Child {
        &self.0
    }
}

impl DerefMut for ProcessGroup {
    fn deref_mut(&mut self) -> &mut Child {
        &mut self.0
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        // It is forgotten before it is reaped: until then nobody else has its number.
        known().groups.remove(&self.0.id());
        let _ = kill_process_group(Pid::from_child(&self.0), Signal::KILL);
        let _ = self.0.wait();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "all of it is test code")]

    use super::*;
    use std::process::Stdio;

    #[test]
    fn what_is_not_finished_is_known_until_it_is() {
        let is_known = |path: &Path| known().paths.contains(path);
        let folder = Unfinished::make(tempfile::tempdir).unwrap();
        let path = folder.path().to_owned();
        assert!(is_known(&path));
        let file = Unfinished::make(|| tempfile::NamedTempFile::new_in(&path)).unwrap();
        let (scratch, kept) = (file.path().to_owned(), path.join("kept"));
        assert!(is_known(&scratch));
        file.finish(|file| file.persist(&kept)).unwrap();
        assert!(!is_known(&scratch) && kept.exists());
        drop(folder);
        assert!(!is_known(&path) && !path.exists());
    }

    #[test]
    fn files_and_folders_are_removed_and_links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(path("a/b")).unwrap();
        std::fs::write(path("a/b/c"), "").unwrap();
        std::fs::create_dir(path("other")).unwrap();
        std::os::unix::fs::symlink(path("other"), path("link")).unwrap();
        for name in ["a", "link", "absent"] {
            remove(&path(name));
        }
        let names = std::fs::read_dir(folder.path()).unwrap();
        let names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["other"]);
    }

    #[test]
    fn a_program_is_known_until_it_has_ended() {
        let mut command = Command::new("sleep");
        let group = ProcessGroup::start(command.arg("1000").stdin(Stdio::null())).unwrap();
        let number = group.id();
        assert!(processes().contains(&number));
        drop(group);
        assert!(!processes().contains(&number));
        assert!(!Path::new(&format!("/proc/{number}")).exists());
    }
}
