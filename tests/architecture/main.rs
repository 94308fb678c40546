//! The rules of ARCHITECTURE.md that a machine can watch: dependencies flow one way, files stay short, names say something.
//!
//! Sources are read as tokens (comments and literals are skipped), so that grouped, renamed and multi-line `use` declarations count
//! as well as full paths in the code. The rules are functions from sources to complaints; planted violations test them.

#![allow(clippy::expect_used, reason = "all of it is test code")]

mod picture;
mod planted;
mod rules;
mod sources;
mod trust;

use rules::{
    crate_tree, empty_names, foreign_crates, long_files, shared_flattening, upward_dependencies,
};
use sources::repository;
use std::process::Command;

fn assert_no(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn dependencies_within_each_part_flow_one_way() {
    assert_no(upward_dependencies(&repository()));
}

#[test]
fn what_makes_flat_systems_and_what_checks_that_share_no_code() {
    assert_no(shared_flattening(&repository()));
}

#[test]
fn the_certificates_and_the_checker_stand_without_the_model_checker() {
    assert_no(foreign_crates(&repository()));
}

#[test]
fn files_stay_short() {
    assert_no(long_files(&repository()));
}

#[test]
fn names_say_something() {
    assert_no(empty_names(&repository()));
}

#[test]
fn the_vocabulary_and_the_checker_are_linked_with_neither_z3_nor_drawing_nor_the_model_checker() {
    for package in ["slabcert-certificates", "slabcert-checker"] {
        let output = Command::new(env!("CARGO"))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .args(["tree", "--offline", "--package", package])
            .args(["--edges", "normal,build,dev", "--prefix", "none"])
            .output()
            .expect("cargo runs");
        let listing = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(listing.contains("slabcert-certificates"), "{listing}");
        assert_no(crate_tree(package, &listing));
    }
}
