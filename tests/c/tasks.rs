//! BenchExec tasks.

use crate::runs::run_of;
use slabcert::languages::c::C;
use slabcert::languages::source::Source;
use slabcert::languages::{Language, Options, ParsedModel};
use std::path::Path;

const TASK: &str = "format_version: '2.0'\ninput_files: 'm.c'\nproperties:\n  - property_file: properties/unreach-call.prp\n    expected_verdict: true\noptions:\n  language: C\n  data_model: ILP32\n";
const PROPERTY: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n\n";
const PROGRAM: &str = "void reach_error(void) { }\nint main(void) {\n  ERROR: ;\n  assert(nondet_int() < 5);\n  reach_error();\n}\n";

fn written(task: &str, property: &str, program: &str) -> (tempfile::TempDir, Source) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("properties")).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("properties/unreach-call.prp", property);
    write("m.c", program);
    write("m.yml", task);
    let source = Source::read(&folder.path().join("m.yml")).unwrap();
    (folder, source)
}

#[test]
fn a_task_names_program_and_property() {
    let (_folder, source) = written(TASK, PROPERTY, PROGRAM);
    let complete = C.complete(source).unwrap();
    // As in a bundle, the whole is one text.
    let alone = Source::new("model.c", complete.text());
    for source in [complete, alone] {
        let Ok(ParsedModel::Program(program, _)) = C.read(&source, &Options::default()) else {
            panic!("a task that is not read");
        };
        // Neither the label nor the assertion is what the property speaks of.
        assert_eq!(run_of(&program, &[4]), "error");
        assert_eq!(run_of(&program, &[5]), "end");
        let names = program.variables[0].values.as_ref().unwrap();
        assert_eq!(names.values[0], "main:4", "lines are those of the program");
    }
}

#[test]
fn what_tasks_cannot_say_is_refused() {
    for (task, property, program, word, status) in [
        (
            &*TASK.replace("unreach-call", "no-overflow"),
            PROPERTY,
            PROGRAM,
            "`properties/no-overflow.prp` are not read",
            5,
        ),
        (
            &*TASK.replace("'m.c'", "['m.c', 'n.c']"),
            PROPERTY,
            PROGRAM,
            "tasks of several files",
            5,
        ),
        (
            &*TASK.replace("'m.c'", "'n.c'"),
            PROPERTY,
            PROGRAM,
            "a file of the task is missing",
            3,
        ),
        (
            "input_files: m.c\n",
            PROPERTY,
            PROGRAM,
            "names no property",
            5,
        ),
        ("properties: []\n", PROPERTY, PROGRAM, "names no program", 3),
        ("a: [", PROPERTY, PROGRAM, "m.yml:1:", 3),
        (
            TASK,
            "CHECK( init(main()), LTL(F end) )\n",
            PROGRAM,
            "only properties like",
            5,
        ),
        (TASK, "nothing\n", PROGRAM, "does not begin with `CHECK`", 3),
        (
            TASK,
            PROPERTY,
            "int main(void) {\n  return x; }\n",
            "m.c:2:",
            3,
        ),
        (&*"[".repeat(100_000), PROPERTY, PROGRAM, "m.yml:1:", 3),
        (
            &*format!("a: [{}]", "1,".repeat(100_000)),
            PROPERTY,
            PROGRAM,
            "at most 100000 values",
            5,
        ),
    ] {
        let (_folder, source) = written(task, property, program);
        let faults = C.read(&source, &Options::default()).unwrap_err();
        let start: String = task.chars().take(200).collect();
        assert!(faults.to_string().contains(word), "{start}\n{faults}");
        assert_eq!(faults.exit_status(), status, "{start}\n{faults}");
    }
    let absent = Source::new(Path::new("/nowhere/m.yml").display().to_string(), TASK);
    assert!(C.complete(absent).is_err());
}
