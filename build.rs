//! Where the program finds Z3's library when it starts: with the programs that `make install` puts somewhere, or in the checkout that it
//! was built from, so that what `cargo install` copies runs from anywhere.

use std::env;

fn main() -> Result<(), env::VarError> {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_OS")? == "linux" {
        let checkout = env::var("CARGO_MANIFEST_DIR")?;
        for folder in ["$ORIGIN/../lib/slabcert", &format!("{checkout}/target")] {
            // A comma in the path is no separator in this form.
            for argument in ["-rpath", &format!("{folder}/z3/lib")] {
                println!("cargo::rustc-link-arg-bins=-Xlinker");
                println!("cargo::rustc-link-arg-bins={argument}");
            }
        }
    }
    Ok(())
}
