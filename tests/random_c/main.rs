//! Random C programs: what a compiler makes of them, with a sanitizer for undefined behaviour, and what their commands do agree.
//!
//! `SLABCERT_TRIALS=FIRST..LAST` chooses the seeds (`make soak-c`). A program that shows a fault is left in target/random-c.

#![allow(
    clippy::panic,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "all of it is test code"
)]

mod generator;
#[path = "../c/runs.rs"]
#[allow(dead_code, reason = "tests of single statements use more of it")]
mod runs;

use generator::Generator;
use slabcert::languages::c::C;
use slabcert::languages::source::Source;
use slabcert::languages::{Language, Options};
use std::ops::Range;
use std::path::Path;
use std::process::Command;

/// The seeds that are tried without a choice, how many programs each may make until one is read, and how many of a hundred seeds must give
/// one that ends within its types.
const FEW: Range<u64> = 0..40;
const MOST_ATTEMPTS: u64 = 20;
const LEAST_COMPARED: usize = 40;

fn seeds() -> Range<u64> {
    let chosen = std::env::var("SLABCERT_TRIALS").unwrap_or_default();
    let ends = chosen.split_once("..");
    let range = ends.and_then(|(first, last)| Some(first.parse().ok()?..last.parse().ok()?));
    range.unwrap_or(FEW)
}

/// A program in which no order of effects is left open, which is all that may be wrong.
fn readable(seed: u64, refused: &mut usize) -> Option<String> {
    (0..MOST_ATTEMPTS).find_map(|attempt| {
        let text = Generator::new(seed * MOST_ATTEMPTS + attempt).program();
        let model = text.replace("FINISH", "assert(check == 0);");
        let checked = ("integers".to_owned(), "checked".to_owned());
        let options = Options {
            constants: [checked].into_iter().collect(),
        };
        let faults = C.read(&Source::new("m.c", &*model), &options).err();
        if let Some(faults) = &faults {
            let is_open = faults.to_string().contains("C leaves open");
            assert!(is_open, "seed {seed}\n{faults}\n{text}");
            *refused += 1;
        }
        faults.is_none().then_some(text)
    })
}

/// What a compiled program says: a number, or none if it left a type.
fn compiled(folder: &Path, text: &str) -> Option<i64> {
    let (source, program) = (folder.join("m.c"), folder.join("m"));
    let printed = text.replace("FINISH", "printf(\"%d\\n\", check);");
    std::fs::write(&source, format!("#include <stdio.h>\n{printed}")).unwrap();
    let options = [
        "-w",
        "-fsanitize=undefined",
        "-fno-sanitize-recover=all",
        "-o",
    ];
    let built = Command::new("cc")
        .args(options)
        .arg(&program)
        .arg(&source)
        .output()
        .unwrap();
    assert!(
        built.status.success(),
        "{}\n{text}",
        String::from_utf8_lossy(&built.stderr)
    );
    let run = Command::new(&program).output().unwrap();
    run.status
        .success()
        .then(|| String::from_utf8_lossy(&run.stdout).trim().parse().unwrap())
}

#[test]
fn compilers_and_commands_agree() {
    if Command::new("cc").arg("--version").output().is_err() {
        println!("skipped: there is no C compiler");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (mut compared, mut refused, mut overflows, mut unseen) = (0, 0, 0, 0);
    let seeds = seeds();
    'seeds: for seed in seeds.clone() {
        let Some(text) = readable(seed, &mut refused) else {
            continue;
        };
        let value = compiled(folder.path(), &text);
        let test = value.unwrap_or_default();
        let checked = [("integers", "checked")];
        for (assertion, expected, constants) in [
            (format!("assert(check == {test});"), "end", &checked[..]),
            (format!("assert(check != {test});"), "error", &checked[..]),
            (format!("assert(check == {test});"), "end", &[]),
        ] {
            let model = text.replace("FINISH", &assertion);
            let end = runs::run_of(&runs::read_with(&model, constants), &[]);
            // Compilers simplify what they have not looked at yet: `(_Bool) (-2 * x)` is `x != 0` to them.
            if value.is_some() && end == "overflow" {
                unseen += 1;
                continue 'seeds;
            }
            let is_expected = match value {
                Some(_) => end == expected,
                None if constants.is_empty() => end.starts_with("stuck") || end == "main",
                None => end == "overflow",
            };
            if !is_expected {
                let left = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/random-c");
                std::fs::create_dir_all(&left).unwrap();
                std::fs::write(left.join(format!("{seed}.c")), &model).unwrap();
                panic!("seed {seed}: {end} instead of {expected}, {value:?}\n{model}");
            }
        }
        compared += 1;
        overflows += usize::from(value.is_none());
    }
    println!(
        "{compared} compared, {overflows} left a type, {unseen} did unseen, {refused} refused"
    );
    assert!(unseen * 20 <= compared + 20, "too many leave a type unseen");
    let all = usize::try_from(seeds.end - seeds.start).unwrap();
    assert!(
        (compared - overflows) * 100 >= LEAST_COMPARED * all,
        "too few are compared"
    );
}
