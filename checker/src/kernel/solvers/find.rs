//! Finding the programs of solvers.

use super::SolverError;
use std::env;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Names the z3 program; it takes precedence over everything else.
const Z3_VARIABLE: &str = "SLABCERT_Z3";

/// Where z3 lies relative to the folder of an installed program, and in the checkout that a program was built from.
const Z3_FETCHED: [&str; 2] = [
    "../lib/slabcert/z3/bin/z3",
    concat!(env!("CARGO_MANIFEST_DIR"), "/../target/z3/bin/z3"),
];

/// The program of a solver of the table.
pub(super) fn known_program(name: &str, program: &str) -> Result<PathBuf, SolverError> {
    if name == "z3" {
        if let Some(path) = env::var_os(Z3_VARIABLE).filter(|path| !path.is_empty()) {
            let path = PathBuf::from(path);
            if is_executable(&path) {
                return Ok(path);
            }
            return Err(SolverError::Missing {
                name: name.to_owned(),
                reason: format!(
                    "{Z3_VARIABLE} is {}, which is not a program",
                    path.display()
                ),
            });
        }
        if let Some(found) = fetched() {
            return Ok(found);
        }
    }
    find_program(program).ok_or_else(|| SolverError::Missing {
        name: name.to_owned(),
        reason: format!("there is no program `{program}` on the search path"),
    })
}

/// The z3 that was fetched for the running program.
fn fetched() -> Option<PathBuf> {
    let executable = env::current_exe().ok()?;
    let folder = executable.parent()?;
    let candidates = Z3_FETCHED.iter().map(|path| folder.join(path));
    candidates
        .filter_map(|path| path.canonicalize().ok())
        .find(|path| is_executable(path))
}

/// A program by its path, or by its name on the search path.
pub fn find_program(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        let path = PathBuf::from(name);
        return is_executable(&path).then_some(path);
    }
    env::split_paths(&env::var_os("PATH")?)
        .filter(|folder| !folder.as_os_str().is_empty())
        .map(|folder| folder.join(name))
        .find(|path| is_executable(path))
}

fn is_executable(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_by_name_and_by_path() {
        assert!(find_program("sh").is_some());
        assert!(find_program("/bin/sh").is_some());
    }

    #[test]
    fn what_is_no_program_is_not_found() {
        for name in [
            "no-such-program",
            "/no/such/program",
            "/etc/passwd",
            "/",
            "",
        ] {
            assert_eq!(find_program(name), None, "{name}");
        }
    }
}
