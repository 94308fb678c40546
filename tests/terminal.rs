//! `simulate --interactive` on a terminal: a pseudo-terminal of its own, with echo, Ctrl-C and Ctrl-D.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "all of it is test code")]

use nix::pty::openpty;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// When a program that says nothing is given up; nothing is measured by it.
const PATIENCE: Duration = Duration::from_secs(120);

const CTRL_C: &str = "\u{3}";
const CTRL_D: &str = "\u{4}";

const LOCK: &str = "system lock;
var free : bool = true;
process P[i in 1..2] {
  location idle, trying, critical;
  start idle;
  edge look:  idle -> trying     when free;
  edge take:  trying -> critical do free := false;
  edge leave: critical -> idle   do free := true;
}
transition wait choose d : 1..3 when free;
error both: P[1] at critical && P[2] at critical;
";

/// The program on a terminal, in a folder of its own.
struct Terminal {
    folder: TempDir,
    keys: File,
    shown: Receiver<Vec<u8>>,
    /// What was shown and not expected yet.
    rest: String,
    child: Child,
}

impl Terminal {
    fn start(arguments: &[&str]) -> Terminal {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("lock.slab"), LOCK).unwrap();
        Terminal::start_in(folder, arguments)
    }

    fn start_in(folder: TempDir, arguments: &[&str]) -> Terminal {
        let pair = openpty(None, None).unwrap();
        let slave = File::from(pair.slave);
        // A session of its own, whose terminal this is: only then Ctrl-C becomes a signal.
        let child = Command::new("setsid")
            .args(["--ctty", env!("CARGO_BIN_EXE_slabcert"), "simulate"])
            .args(arguments)
            .current_dir(folder.path())
            .stdin(slave.try_clone().unwrap())
            .stdout(slave.try_clone().unwrap())
            .stderr(slave)
            .spawn()
            .unwrap();
        let keys = File::from(pair.master);
        let mut screen = keys.try_clone().unwrap();
        let (sender, shown) = channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // Reading fails when nobody is on the other end any more.
            while let Ok(count) = screen.read(&mut bytes) {
                if count == 0 || sender.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Terminal {
            folder,
            keys,
            shown,
            rest: String::new(),
            child,
        }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits for words, and gives all that was shown up to them.
    #[track_caller]
    fn expect(&mut self, words: &str) -> String {
        loop {
            if let Some(index) = self.rest.find(words) {
                let end = index + words.len();
                return self.rest.drain(..end).collect();
            }
            match self.shown.recv_timeout(PATIENCE) {
                Ok(bytes) => self.rest += &String::from_utf8_lossy(&bytes),
                Err(_) => panic!("`{words}` is not shown, but {:?}", self.rest),
            }
        }
    }

    /// Types a line at the prompt, and gives what is shown up to the next prompt.
    #[track_caller]
    fn type_line(&mut self, line: &str) -> String {
        self.press(&format!("{line}\n"));
        self.expect(&format!("{line}\r\n"));
        self.expect("\r\n> ")
    }

    /// Waits for the end, and gives the status and what was shown last.
    fn end(mut self) -> (TempDir, Option<i32>, String) {
        let status = self.child.wait().unwrap().code();
        while let Ok(bytes) = self.shown.recv_timeout(Duration::from_millis(200)) {
            self.rest += &String::from_utf8_lossy(&bytes);
        }
        (self.folder, status, self.rest)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

#[test]
fn a_session_on_a_terminal() {
    let mut terminal = Terminal::start(&["lock.slab", "--interactive"]);
    let shown = terminal.expect("\r\n> ");
    assert!(
        shown.contains("0: free = true, P[1] at idle, P[2] at idle"),
        "{shown}"
    );
    let shown = terminal.type_line("list");
    assert!(shown.contains("P[1].look: P[1] at trying"), "{shown}");
    let unmet = "P[2].take: needs P[2] at trying; now P[2] at idle";
    assert!(shown.contains(unmet), "{shown}");
    let shown = terminal.type_line("P[1].look");
    assert!(shown.contains("1: free = true, P[1] at trying"), "{shown}");
    let shown = terminal.type_line("P[2].take");
    assert!(shown.contains(unmet), "{shown}");
    for line in ["P[2].look", "P[1].take"] {
        terminal.type_line(line);
    }
    let shown = terminal.type_line("P[2].take");
    let violated = "violates both: P[1] at critical, P[2] at critical";
    assert!(shown.contains(violated), "{shown}");
    terminal.type_line("save bad.json");
    assert!(terminal.path("bad.json").exists());
    let shown = terminal.type_line("undo");
    assert!(
        shown.contains("3: free = false, P[1] at critical, P[2] at trying"),
        "{shown}"
    );
    let shown = terminal.type_line("load bad.json");
    assert!(shown.contains("4: ") && shown.contains(violated), "{shown}");
    terminal.type_line("jump 1");
    terminal.press("wait\n");
    terminal.expect("wait.d, an integer: 1 to 3: ");
    terminal.press("7\n");
    terminal.expect("that is not possible");
    terminal.expect("wait.d, an integer: 1 to 3: ");
    let shown = terminal.type_line("2");
    assert!(shown.contains("wait with wait.d = 2"), "{shown}");
    terminal.press("quit\n");
    let (folder, status, shown) = terminal.end();
    assert_eq!(status, Some(0), "{shown}");
    let names = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(names, 2, "quit keeps nothing that was not saved");
}

/// What is left of a session of one step that ends with a key.
fn left_by(key: &str, status: i32) {
    let mut terminal = Terminal::start(&["lock.slab", "--interactive"]);
    terminal.expect("\r\n> ");
    terminal.type_line("P[1].look");
    terminal.press(key);
    terminal.expect("the run is saved in lock.trace.json");
    let (folder, left, shown) = terminal.end();
    assert_eq!(left, Some(status), "{shown}");
    let arguments = ["lock.slab", "--interactive", "--trace", "lock.trace.json"];
    let mut again = Terminal::start_in(folder, &arguments);
    let shown = again.expect("\r\n> ");
    assert!(shown.contains("1: free = true, P[1] at trying"), "{shown}");
    again.press(key);
    let (folder, left, shown) = again.end();
    assert_eq!(left, Some(status), "{shown}");
    let names = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(names, 2, "nothing new is to be kept");
}

#[test]
fn ctrl_d_leaves_and_loses_nothing() {
    left_by(CTRL_D, 0);
}

#[test]
fn ctrl_c_leaves_and_loses_nothing() {
    left_by(CTRL_C, 130);
}

#[test]
fn ctrl_c_leaves_while_a_choice_is_asked_for() {
    let mut terminal = Terminal::start(&["lock.slab", "--interactive"]);
    terminal.expect("\r\n> ");
    terminal.press("wait\n");
    terminal.expect("1 to 3: ");
    terminal.press(CTRL_C);
    let (_, status, shown) = terminal.end();
    assert_eq!(status, Some(130), "{shown}");
    assert!(!shown.contains("is kept"), "{shown}");
}
