//! The report in a real browser: what is clicked, typed and read, and that no request leaves the page.
//!
//! The tests need Chromium and say so where there is none. With `SLABCERT_SCREENSHOTS=DIR` they write what is seen into a folder.

#![allow(clippy::unwrap_used, clippy::panic, reason = "all of it is test code")]

mod chromium;
mod diagrams;
mod made;
mod reduced;
mod screenshots;
mod strange;
mod texts;
mod traces;

use chromium::Browser;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// The report of an example, made by the program itself.
struct Example {
    _folder: TempDir,
    bundle: PathBuf,
}

impl Example {
    /// Verifies an example in slab with further arguments.
    fn verified(name: &str, arguments: &[&str]) -> Example {
        let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/slab");
        Example::of(&model.join(format!("{name}.slab")), arguments)
    }

    /// Verifies a model with further arguments.
    fn of(model: &Path, arguments: &[&str]) -> Example {
        let folder = tempfile::tempdir().unwrap();
        let bundle = folder.path().join("example.cert");
        let output = Command::new(env!("CARGO_BIN_EXE_slabcert"))
            .arg("verify")
            .arg(model)
            .arg("--out")
            .arg(&bundle)
            .args(arguments)
            .output()
            .unwrap();
        assert!(
            bundle.join("report.html").exists(),
            "{}: {}",
            model.display(),
            String::from_utf8_lossy(&output.stderr)
        );
        Example {
            _folder: folder,
            bundle,
        }
    }

    fn deque() -> Example {
        Example::verified(
            "deque",
            &["-D", "N=5", "--engine", "slicing", "--no-minimise"],
        )
    }

    fn fischer() -> Example {
        Example::verified("fischer", &["-D", "N=3", "--engine", "slicing"])
    }

    fn fischer_by_lemmas() -> Example {
        Example::verified("fischer", &["-D", "N=3", "--engine", "slicing,lemmas"])
    }

    fn trace() -> Example {
        Example::verified(
            "fischer_unsafe",
            &["--engine", "bounded", "--property", "both"],
        )
    }

    fn report(&self) -> PathBuf {
        self.bundle.join("report.html")
    }
}

/// A browser with a report open in it; none where there is no Chromium.
fn opened(report: &Path) -> Option<Browser> {
    let browser = Browser::start()?;
    browser.resize(1280, 800);
    browser.open(report);
    Some(browser)
}

/// At the end of every test: scripts and policies had nothing to complain about, and nothing was requested.
#[track_caller]
fn assert_quiet(browser: &Browser) {
    assert_eq!(browser.complaints(), "");
    assert_eq!(browser.foreign_requests(), Vec::<String>::new());
}

/// How many elements a selector finds.
fn count(browser: &Browser, selector: &str) -> u64 {
    let found = browser.evaluate(&format!(
        "document.querySelectorAll({}).length",
        json!(selector)
    ));
    found.as_u64().unwrap()
}

/// Chooses in a `select`, as a user does.
fn choose(browser: &Browser, label: &str, value: &str) {
    browser.evaluate(&format!(
        "(() => {{
            const select = document.querySelector(`.panel:not([hidden]) select[aria-label={}]`);
            select.value = {};
            select.dispatchEvent(new Event('change', {{ bubbles: true }}));
        }})()",
        json!(label),
        json!(value)
    ));
}
