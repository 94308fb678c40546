//! Both programs, as they were built for the tests.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder with both programs; the checker's is built if it is not there.
pub fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_BIN_EXE_slabcert")).parent().unwrap();
    if !folder.join("slabcert-check").exists() {
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "-p", "slabcert-checker", "--bins"]);
        if folder.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().unwrap().success());
    }
    folder.to_owned()
}
