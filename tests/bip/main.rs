//! What BIP models mean, clause by clause, on small models: which interactions are offered, what they transfer, which states are visible.

#![allow(
    clippy::panic,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "all of it is test code"
)]

mod explorer;
mod faults;
mod meaning;
mod packages;
mod warnings;

/// A script that took every word for a folder wrote its models to one called `--help`.
#[test]
fn the_script_that_writes_models_writes_nothing_where_help_is_wanted() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let run = std::process::Command::new(root.join("scripts/bip-models"))
        .arg("--help")
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(run.status.success() && !run.stdout.is_empty(), "{run:?}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
