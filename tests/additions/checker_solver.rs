//! A solver for the checker, which is Z3 under another name.

use slabcert::{Model, Silent, VerificationOptions, verify};
use slabcert_checker::solvers::{KnownSolver, TimeLimit, find_program};
use slabcert_checker::{CheckOptions, Verdict, Watch, check_bundle};
use std::os::unix::fs::symlink;
use std::sync::atomic::AtomicBool;

#[test]
fn a_solver_of_the_checker_is_one_row() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.cert");
    let model = Model::parse(
        "slab",
        "system s; var x : int = 0; error low: x < 0; transition up do x := x + 1;",
    )
    .unwrap();
    let options = VerificationOptions {
        destination: Some(path.clone()),
        ..VerificationOptions::default()
    };
    verify(&model, &options, &mut Silent).unwrap();
    let program = folder.path().join("toy");
    symlink(find_program("z3").unwrap(), &program).unwrap();
    let row = KnownSolver {
        name: "toy",
        program: program.to_str().unwrap().to_owned().leak(),
        single: &["-in", "-smt2"],
        session: &["-in", "-smt2"],
        time_limit: TimeLimit::Milliseconds("-t:"),
    };
    for solvers in [vec!["toy".to_owned()], Vec::new()] {
        let options = CheckOptions {
            solvers,
            known_solvers: vec![row],
            ..CheckOptions::default()
        };
        let never = AtomicBool::new(false);
        let watch = Watch::only(&never);
        let report = check_bundle(&path, &options, &watch).unwrap();
        assert_eq!(report.verdict, Verdict::Accepted);
        let names: Vec<&str> = report
            .solvers
            .iter()
            .map(|it| it.solver.name.as_str())
            .collect();
        assert_eq!(names, ["toy"]);
        assert!(report.solvers[0].discharged > 0);
    }
}
