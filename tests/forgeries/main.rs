//! Forgeries: bundles that were accepted are edited in dozens of ways, and whoever still accepts one must be right.
//!
//! Hashes are recomputed, so that no edit is found out by them; half of the edited certificates and systems get new proofs of whatever
//! of their obligations still holds. What is accepted of the finite systems is judged again by enumeration of states (`judges.rs`); of
//! the infinite ones z3 has to agree, unless nothing but the proofs was edited, which leaves the obligations what they are.
//!
//! The seeds are fixed. `SLABCERT_FORGERIES=FIRST..LAST` makes others; `make forge` makes 20,000.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    missing_docs,
    reason = "all of it is test code"
)]

mod certificate_edits;
mod edits;
#[path = "../../checker/tests/enumeration/mod.rs"]
mod enumeration;
mod forgery;
mod judges;
mod program_edits;
mod proof_edits;
#[path = "../random_systems/random.rs"]
mod random;
mod region_edits;

use edits::{Edit, of_bundles};
use forgery::{Forgery, Target};
use judges::{Judge, Library, Opinion, fault, further_judges, prove_anew};
use random::Random;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// How many seeds are tried; the edits of some do not apply to the bundle.
const FORGERIES: u64 = 1_500;
/// How often an edit is tried until it changes something.
const TRIES: usize = 20;

const BUILTIN: Library = Library {
    solver: "builtin",
    every: 1,
};
const Z3: Library = Library {
    solver: "z3",
    every: 1,
};

/// A solver that fails after its answer. Nothing that has an obligation is accepted by it, forged or not.
const FAILING: Library = Library {
    solver: "sh -c 'cat > /dev/null; echo unsat; exit 101'",
    every: 25,
};

/// Models whose bundles are forged; those of `bases/` have so few states that all are looked at. The parity of nine letters takes decisions
/// and learned clauses.
const MODELS: &[(&str, &[&str])] = &[
    ("tests/forgeries/bases/token.vmt", &[]),
    ("tests/forgeries/bases/ring.vmt", &[]),
    ("tests/forgeries/bases/parity.vmt", &[]),
    ("tests/forgeries/bases/midpoint.vmt", &[]),
    ("tests/forgeries/bases/broken.vmt", &[]),
    ("tests/forgeries/large/parity_of_nine.vmt", &[]),
    ("tests/forgeries/reduced/threads.vmt", &[]),
    ("tests/forgeries/reduced/asleep.vmt", &[]),
    ("examples/slab/deque.slab", &["-D", "N=3"]),
    ("examples/slab/bakery.slab", &[]),
    ("examples/slab/fischer.slab", &["-D", "N=2"]),
    ("examples/synchronous/mutex.slab", &["-D", "N=2"]),
];

/// A bundle that is forged.
struct Base {
    name: String,
    is_finite: bool,
    good: Forgery,
    edits: Vec<&'static Edit>,
    folder: tempfile::TempDir,
}

impl Base {
    fn of((model, options): (&str, &[&str])) -> Base {
        let folder = tempfile::tempdir().unwrap();
        let bundle = folder.path().join("good.cert");
        let output = Command::new(env!("CARGO_BIN_EXE_slabcert"))
            .arg("verify")
            .arg(format!("{}/{model}", env!("CARGO_MANIFEST_DIR")))
            .args(["--engine", "slicing,lemmas", "--progress", "never", "--out"])
            .arg(&bundle)
            .args(options)
            .output()
            .unwrap();
        assert!(bundle.exists(), "{model}: {output:?}");
        let reduced = PathBuf::from(format!("{}/{model}", env!("CARGO_MANIFEST_DIR")));
        let reduced = std::fs::read_to_string(reduced.with_extension("json"));
        if let Ok(reduced) = &reduced {
            reduce(&bundle, reduced);
        }
        let good = Forgery::of(&bundle);
        let has_trace = output.status.code() != Some(0);
        let edits = of_bundles(has_trace, reduced.is_ok(), good.program.is_object());
        let base = Base {
            name: model.to_owned(),
            is_finite: model.contains("/bases/") || reduced.is_ok(),
            good,
            edits,
            folder,
        };
        assert_eq!(BUILTIN.judge(&bundle), Opinion::Accepted, "{model}");
        if base.is_finite {
            assert_eq!(fault(&base.good, &bundle), None, "{model}");
        }
        base
    }

    /// A copy of the bundle.
    fn copy(&self, folder: &Path) -> PathBuf {
        let copy = folder.join("forged.cert");
        let _ = std::fs::remove_dir_all(&copy);
        std::fs::create_dir(&copy).unwrap();
        for entry in std::fs::read_dir(self.folder.path().join("good.cert")).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_file() {
                std::fs::copy(entry.path(), copy.join(entry.file_name())).unwrap();
            }
        }
        copy
    }

    /// The forgery of a seed; `None` where the edit does not apply.
    fn forged(&self, edit: &Edit, random: &mut Random) -> Option<Forgery> {
        (0..TRIES).find_map(|_| {
            let mut forgery = self.good.clone();
            (edit.make)(&mut forgery, random)?;
            (forgery != self.good).then_some(forgery)
        })
    }
}

/// Puts other claims and diagrams into a bundle, which are reduced.
fn reduce(bundle: &Path, reduced: &str) {
    let mut forgery = Forgery::of(bundle);
    let reduced: serde_json::Value = serde_json::from_str(reduced).unwrap();
    for key in ["version", "claims", "diagrams"] {
        forgery.certificate[key] = reduced[key].clone();
    }
    forgery.proofs = serde_json::Value::Null;
    forgery.put(bundle);
    prove_anew(bundle);
}

/// What became of the forgeries of one kind.
#[derive(Default)]
struct Counts {
    made: usize,
    rejected: usize,
    undecided: usize,
    /// Accepted by `builtin`, and right to be.
    valid: usize,
}

/// What became of all forgeries.
#[derive(Default)]
struct Tally {
    kinds: BTreeMap<(Target, &'static str), Counts>,
    /// For each further judge: judged, accepted.
    judged: BTreeMap<String, (usize, usize)>,
    /// What was accepted wrongly.
    faults: Vec<String>,
}

/// Everything that is the same for all seeds.
struct Campaign {
    bases: Vec<Base>,
    judges: Vec<Box<dyn Judge>>,
    tally: Mutex<Tally>,
}

impl Campaign {
    fn new() -> Campaign {
        Campaign {
            bases: MODELS.iter().map(|model| Base::of(*model)).collect(),
            judges: further_judges(),
            tally: Mutex::new(Tally::default()),
        }
    }

    /// Makes the forgery of a seed, and has it judged.
    fn run(&self, seed: u64, folder: &Path) {
        let mut random = Random::new(seed);
        let base = random.pick(&self.bases);
        let edit: &Edit = base.edits[random.below(base.edits.len())];
        let Some(forgery) = base.forged(edit, &mut random) else {
            return;
        };
        let bundle = base.copy(folder);
        forgery.put(&bundle);
        if matches!(
            edit.target,
            Target::Certificate | Target::System | Target::Program
        ) && random.percent(50)
        {
            prove_anew(&bundle);
        }
        let words = || format!("seed {seed}: {}: {}", base.name, edit.name);
        // Only what is edited beside the proofs can make obligations false.
        let doubt = |judge: &str| match (edit.target, base.is_finite) {
            (Target::Proofs, _) => None,
            (_, true) => {
                fault(&forgery, &bundle).map(|fault| format!("{judge}: {}: {fault}", words()))
            }
            // z3 is the measure here, whoever else accepts.
            (_, false) if judge == Z3.solver => None,
            (_, false) => (Z3.judge(&bundle) != Opinion::Accepted)
                .then(|| format!("{judge}: {}: z3 does not agree", words())),
        };
        let mut found = Vec::new();
        let opinion = BUILTIN.judge(&bundle);
        if opinion == Opinion::Accepted {
            found.extend(doubt("builtin"));
        }
        let mut judged = Vec::new();
        if edit.target != Target::Trace && seed.is_multiple_of(FAILING.every) {
            let is_accepted = FAILING.judge(&bundle) == Opinion::Accepted;
            if is_accepted {
                found.push(format!("a solver that failed is believed: {}", words()));
            }
            judged.push(("a failing solver".to_owned(), is_accepted));
        }
        for judge in &self.judges {
            // Solvers do not look at the proofs.
            if edit.target == Target::Proofs && judge.every() > 1
                || !seed.is_multiple_of(judge.every())
            {
                continue;
            }
            let is_accepted = judge.judge(&bundle) == Opinion::Accepted;
            if is_accepted {
                found.extend(doubt(judge.name()));
            }
            judged.push((judge.name().to_owned(), is_accepted));
        }
        let mut tally = self.tally.lock().unwrap();
        let counts = tally.kinds.entry((edit.target, edit.name)).or_default();
        counts.made += 1;
        match opinion {
            Opinion::Rejected => counts.rejected += 1,
            Opinion::Undecided => counts.undecided += 1,
            Opinion::Accepted => counts.valid += 1,
        }
        for (name, is_accepted) in judged {
            let numbers = tally.judged.entry(name).or_default();
            numbers.0 += 1;
            numbers.1 += usize::from(is_accepted);
        }
        tally.faults.extend(found);
    }
}

fn seeds() -> Range<u64> {
    let Ok(text) = std::env::var("SLABCERT_FORGERIES") else {
        return 0..FORGERIES;
    };
    let (first, last) = text.split_once("..").unwrap();
    first.parse().unwrap()..last.parse().unwrap()
}

fn table(tally: &Tally) -> String {
    let mut text = String::from("made, rejected, undecided, accepted and valid:\n");
    let mut sum = Counts::default();
    for ((target, name), counts) in &tally.kinds {
        let Counts {
            made,
            rejected,
            undecided,
            valid,
        } = counts;
        writeln!(
            text,
            "{made:6} {rejected:6} {undecided:6} {valid:6}  {target:?}: {name}"
        )
        .unwrap();
        sum.made += made;
        sum.rejected += rejected;
        sum.undecided += undecided;
        sum.valid += valid;
    }
    let Counts {
        made,
        rejected,
        undecided,
        valid,
    } = sum;
    writeln!(
        text,
        "{made:6} {rejected:6} {undecided:6} {valid:6}  all {} kinds",
        tally.kinds.len()
    )
    .unwrap();
    for (name, (judged, accepted)) in &tally.judged {
        writeln!(
            text,
            "{name} judged {judged} of them and accepted {accepted}"
        )
        .unwrap();
    }
    text
}

#[test]
fn no_forgery_is_accepted_unless_it_is_still_valid() {
    let campaign = Campaign::new();
    let seeds = seeds();
    let next = AtomicU64::new(seeds.start);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let folder = tempfile::tempdir().unwrap();
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds.end {
                        return;
                    }
                    campaign.run(seed, folder.path());
                }
            });
        }
    });
    let tally = campaign.tally.into_inner().unwrap();
    eprintln!("{}", table(&tally));
    assert!(
        tally.faults.is_empty(),
        "accepted wrongly:\n{}",
        tally.faults.join("\n")
    );
    let rejected: usize = tally.kinds.values().map(|counts| counts.rejected).sum();
    let made: usize = tally.kinds.values().map(|counts| counts.made).sum();
    assert!(
        tally.kinds.len() >= 30 && 2 * rejected > made,
        "{rejected} of {made}"
    );
}
