//! Models of several packages, in files beside each other or in one text.

use slabcert::languages::bip::Bip;
use slabcert::languages::source::Source;
use slabcert::languages::{Language, Options, ParsedModel};
use slabcert_certificates::program::Program;
use std::fs;
use std::path::Path;
use std::process::Command;

const MAIN: &str = "package top
use lib.base
port type Other()
connector type Alone(lib.base.Signal p) define p end
compound type Top()
  component Counter a(STEP), b(lib.base.STEP + 1)
  connector Alone one(a.step)
  connector lib.base.Alone two(b.step)
end
end
//@ invariant small: a.x < 2
";

const BASE: &str = "package lib.base
use lib.deep.numbers
const data int STEP = TWO - 1
port type Signal()
connector type Alone(Signal p) define p end
atom type Counter(int n)
  data int x = 0
  export port Signal step()
  place P
  initial to P
  on step from P to P provided (x < 2) do { x = x + n * STEP; }
end
end
//@ invariant of_another_model: a.x < 3
";

const NUMBERS: &str = "package lib.deep.numbers
const data int TWO = 2
end
";

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn files(folder: &Path) {
    write(folder, "top.bip", MAIN);
    write(folder, "lib/base.bip", BASE);
    write(folder, "lib/deep/numbers.bip", NUMBERS);
}

fn read(path: &Path) -> Result<Program, (u8, String)> {
    let source = Source::read(path).unwrap();
    match Bip.read(&source, &Options::default()) {
        Ok(ParsedModel::Program(program, _)) => Ok(program),
        Ok(ParsedModel::System(_)) => panic!("BIP models are programs"),
        Err(faults) => Err((faults.exit_status(), faults.to_string())),
    }
}

fn refused(folder: &Path, name: &str) -> String {
    let (status, message) = read(&folder.join(name)).unwrap_err();
    assert_eq!(status, 3, "{message}");
    message
}

#[test]
fn packages_are_found_beside_the_model_and_their_names_kept_apart() {
    let folder = tempfile::tempdir().unwrap();
    files(folder.path());
    let program = read(&folder.path().join("top.bip")).unwrap();
    let names: Vec<&str> = program.interactions.iter().map(|it| &*it.name).collect();
    assert_eq!(names, ["one", "two"]);
    let properties: Vec<&str> = program.properties.iter().map(|it| &*it.name).collect();
    assert_eq!(
        properties,
        ["small", "deadlock"],
        "those of the first package"
    );
    let updates = program.edges.iter().map(|it| it.updates[0].1.to_string());
    let updates: Vec<String> = updates.collect();
    assert_eq!(updates, ["(+ a.x 1)", "(+ b.x 2)"]);
    // A package inside of folders is read from there, too.
    let text = BASE.replace(
        "atom type",
        "compound type Both() component Counter a(1) end\natom type",
    );
    write(folder.path(), "lib/base.bip", &text);
    assert_eq!(
        read(&folder.path().join("lib/base.bip"))
            .unwrap()
            .processes
            .len(),
        1
    );
}

#[test]
fn a_type_of_one_package_is_none_of_another() {
    let folder = tempfile::tempdir().unwrap();
    files(folder.path());
    write(
        folder.path(),
        "top.bip",
        &MAIN.replace(
            "connector type Alone(lib.base.Signal p)",
            "connector type Alone(Other p)",
        ),
    );
    assert!(refused(folder.path(), "top.bip").contains("`lib.base.Signal`"));
    // What a used package uses is not known here.
    write(folder.path(), "top.bip", &MAIN.replace("a(STEP)", "a(TWO)"));
    assert!(refused(folder.path(), "top.bip").contains("`TWO`"));
}

#[test]
fn packages_that_are_missing_wrong_or_in_a_cycle_are_refused_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    files(folder.path());
    fs::remove_file(folder.path().join("lib/deep/numbers.bip")).unwrap();
    let message = refused(folder.path(), "top.bip");
    assert!(
        message.contains("the package `lib.deep.numbers` is not found"),
        "{message}"
    );
    assert!(message.contains("base.bip:2:5"), "{message}");
    write(
        folder.path(),
        "lib/deep/numbers.bip",
        "package numbers\nconst data int TWO = 2\nend\n",
    );
    assert!(refused(folder.path(), "top.bip").contains("is not the package `lib.deep.numbers`"));
    write(
        folder.path(),
        "lib/deep/numbers.bip",
        "package lib.deep.numbers\nuse top\nend\n",
    );
    let message = refused(folder.path(), "top.bip");
    assert!(
        message.contains("in a cycle") && message.contains("numbers.bip:2:5"),
        "{message}"
    );
    // A fault in a package is shown in its file.
    write(
        folder.path(),
        "lib/deep/numbers.bip",
        "package lib.deep.numbers\nconst data int TWO = two\nend\n",
    );
    let message = refused(folder.path(), "top.bip");
    assert!(message.contains("numbers.bip:2:22"), "{message}");
    write(
        folder.path(),
        "lib/deep/numbers.bip",
        "package lib.deep.numbers\nconst data int\nend\n",
    );
    assert!(refused(folder.path(), "top.bip").contains("numbers.bip:3:1"));
}

#[test]
fn as_many_packages_as_the_bound_says_are_read() {
    for (count, is_read) in [(64, true), (65, false)] {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..count {
            let uses = if number + 1 < count {
                format!("use p{}\n", number + 1)
            } else {
                String::new()
            };
            let port = "port type S()\natom type A() port S s() place P initial to P on s from P to P end\n";
            let top = if number == 0 {
                "compound type Top() component A a() end\n"
            } else {
                ""
            };
            let text = format!("package p{number}\n{uses}{port}{top}end\n");
            write(folder.path(), &format!("p{number}.bip"), &text);
        }
        let read = read(&folder.path().join("p0.bip"));
        match is_read {
            true => assert_eq!(read.unwrap().processes.len(), 1),
            false => {
                let (status, message) = read.unwrap_err();
                assert_eq!(status, 5, "{message}");
                assert!(message.contains("at most 64 packages"), "{message}");
            }
        }
    }
}

#[test]
fn a_bundle_keeps_all_packages() {
    let folder = tempfile::tempdir().unwrap();
    files(folder.path());
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_slabcert"))
            .args(arguments)
            .current_dir(folder.path())
            .output()
            .unwrap();
        (
            output.status.code().unwrap(),
            String::from_utf8_lossy(&output.stdout).into_owned(),
        )
    };
    let (status, text) = run(&[
        "verify",
        "top.bip",
        "--property",
        "small",
        "--out",
        "m.cert",
    ]);
    assert_eq!(status, 40, "{text}");
    let program = read(&folder.path().join("top.bip")).unwrap();
    fs::remove_dir_all(folder.path().join("lib")).unwrap();
    let kept = folder.path().join("m.cert/model.bip");
    let text = fs::read_to_string(&kept).unwrap();
    assert_eq!(text, format!("{MAIN}{BASE}{NUMBERS}"));
    let again = read(&kept).unwrap();
    assert_eq!(again.edges.len(), program.edges.len());
    let (status, text) = run(&["recheck", "m.cert"]);
    assert_eq!(status, 0, "{text}");
}
