//! Who judges forgeries: the checker with each of its solvers, and whoever is named as a further checker; and the test of meaning that
//! accepted forgeries must pass.

use crate::enumeration;
use crate::forgery::Forgery;
use slabcert_certificates::bundle::{Bundle, write_proofs};
use slabcert_certificates::certificate::Evidence;
use slabcert_certificates::diagram::Diagram;
use slabcert_certificates::system::{Property, System};
use slabcert_certificates::term::{Sort, Symbol, Term, Value};
use slabcert_certificates::trace::{Trace, Valuation};
use slabcert_checker::{CheckOptions, Verdict, Watch, check_bundle};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A checker's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opinion {
    Accepted,
    Rejected,
    Undecided,
}

/// A checker of bundles. Another one is added to the list in `further_judges`.
pub trait Judge: Sync {
    fn name(&self) -> &str;
    /// It judges every so-manieth forgery, as processes are slow.
    fn every(&self) -> u64;
    fn judge(&self, bundle: &Path) -> Opinion;
}

/// The checker's library with one solver.
pub struct Library {
    pub solver: &'static str,
    pub every: u64,
}

impl Judge for Library {
    fn name(&self) -> &str {
        self.solver
    }

    fn every(&self) -> u64 {
        self.every
    }

    fn judge(&self, bundle: &Path) -> Opinion {
        let options = CheckOptions {
            solvers: vec![self.solver.to_owned()],
            timeout: Duration::from_secs(20),
            jobs: 1,
            system: None,
            facts: false,
            ..CheckOptions::default()
        };
        let never = AtomicBool::new(false);
        match check_bundle(bundle, &options, &Watch::only(&never)) {
            Ok(report) => match report.verdict {
                Verdict::Accepted => Opinion::Accepted,
                Verdict::Rejected => Opinion::Rejected,
                Verdict::Undecided => Opinion::Undecided,
            },
            Err(slabcert_checker::CheckError::Unreadable(_)) => Opinion::Rejected,
            Err(error) => panic!("{}: {error}", self.solver),
        }
    }
}

/// A program that is given the bundle and says `accepted` in the last line of its output, before a colon if there is one.
struct Program(String);

impl Judge for Program {
    fn name(&self) -> &str {
        &self.0
    }

    fn every(&self) -> u64 {
        1
    }

    fn judge(&self, bundle: &Path) -> Opinion {
        let output = Command::new(&self.0).arg(bundle).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        let last = text.lines().last().and_then(|line| line.split(':').next());
        match last {
            Some("accepted") => Opinion::Accepted,
            Some("undecided") => Opinion::Undecided,
            _ => Opinion::Rejected,
        }
    }
}

/// The judges beside `builtin`, which judges everything: z3, cvc5 where it is installed, and the program that `SLABCERT_FURTHER_CHECKER`
/// names.
pub fn further_judges() -> Vec<Box<dyn Judge>> {
    let mut judges: Vec<Box<dyn Judge>> = vec![Box::new(Library {
        solver: "z3",
        every: 25,
    })];
    if Command::new("cvc5").arg("--version").output().is_ok() {
        judges.push(Box::new(Library {
            solver: "cvc5",
            every: 200,
        }));
    }
    if let Ok(program) = std::env::var("SLABCERT_FURTHER_CHECKER") {
        judges.push(Box::new(Program(program)));
    }
    judges
}

/// Puts new proofs into a bundle, of the obligations that hold; nothing where the bundle is not well-formed.
pub fn prove_anew(bundle: &Path) {
    let never = AtomicBool::new(false);
    if let Ok(read) = Bundle::read(bundle)
        && let Ok(all) = slabcert_checker::bundle_obligations(&read)
        && let Ok(outcomes) = slabcert::proofs::prove(
            &read.system,
            &all,
            slabcert::proofs::Effort::default(),
            &never,
        )
    {
        write_proofs(bundle, &outcomes.proofs).unwrap();
    }
}

/// Truth values, and numbers that are more than those that the finite systems have.
fn choice(symbol: &Symbol) -> Vec<Value> {
    match symbol.sort() {
        Sort::Bool => vec![false.into(), true.into()],
        Sort::Int => (-2..7)
            .map(|number| num_bigint::BigInt::from(number).into())
            .collect(),
        Sort::Real => panic!("the finite systems have no reals"),
    }
}

/// What is wrong with an accepted forgery of a finite system: its diagrams are no proof, its traces are not runs, or what it claims of
/// the system is not so. Everything is found by enumeration.
pub fn fault(forgery: &Forgery, bundle: &Path) -> Option<String> {
    let read = Bundle::read(bundle).unwrap();
    for trace in &read.certificate.traces {
        if let Some(fault) = no_violating_run(&read.system, trace) {
            return Some(fault);
        }
    }
    if read.certificate.traces.is_empty() {
        // The diagrams of others are invariants, as enumeration defines it; reduced ones only say that nothing is violated.
        let is_reduced = read.certificate.diagrams.iter().any(Diagram::is_reduced);
        let broken = (!is_reduced)
            .then(|| enumeration::violation(&forgery.vmt, &forgery.certificate, &choice));
        return broken.flatten().or_else(|| reachable_violation(&read));
    }
    None
}

type Values = BTreeMap<Symbol, Value>;

fn holds(formula: &Term, values: &Values) -> bool {
    formula
        .holds(&|symbol: &Symbol| values.get(symbol).cloned())
        .unwrap()
}

fn step(system: &System, before: &[Value], after: &[Value]) -> Values {
    let mut values = Values::new();
    for (position, variable) in system.variables.iter().enumerate() {
        values.insert(variable.current.clone(), before[position].clone());
        values.insert(variable.next.clone(), after[position].clone());
    }
    values
}

fn no_violating_run(system: &System, trace: &Trace) -> Option<String> {
    let ordered = |state: &Valuation| -> Vec<Value> {
        let variables = system.variables.iter();
        variables
            .map(|variable| state[variable.name()].clone())
            .collect()
    };
    let states: Vec<Vec<Value>> = trace.states.iter().map(ordered).collect();
    let first = states.first()?;
    if !holds(&system.init_formula(), &step(system, first, first)) {
        return Some("the first state is not initial".to_owned());
    }
    for pair in states.windows(2) {
        if !holds(&system.trans_formula(), &step(system, &pair[0], &pair[1])) {
            return Some(format!("no step: {pair:?}"));
        }
    }
    let last = states.last()?;
    let values = step(system, last, last);
    let mut properties = system.properties.iter();
    (properties.all(|property| holds(&property.formula, &values)))
        .then(|| "the last state violates nothing".to_owned())
}

/// A state that is reachable within the choice and violates a property that is called safe. Of others an accepted bundle says nothing.
fn reachable_violation(bundle: &Bundle) -> Option<String> {
    let system = &bundle.system;
    let is_safe = |property: &&Property| {
        let claim = bundle.certificate.claim(property.index);
        claim.is_some_and(|claim| matches!(claim.evidence, Evidence::Safe(_)))
    };
    let claimed: Vec<&Property> = system.properties.iter().filter(is_safe).collect();
    let mut all: Vec<Vec<Value>> = vec![Vec::new()];
    for variable in &system.variables {
        let values = choice(&variable.current);
        all = (all.iter())
            .flat_map(|state| {
                values.iter().map(|value| {
                    let mut state = state.clone();
                    state.push(value.clone());
                    state
                })
            })
            .collect();
    }
    let (init, trans) = (system.init_formula(), system.trans_formula());
    let mut reached: BTreeSet<usize> = (0..all.len())
        .filter(|state| holds(&init, &step(system, &all[*state], &all[*state])))
        .collect();
    let mut waiting: Vec<usize> = reached.iter().copied().collect();
    while let Some(state) = waiting.pop() {
        let values = step(system, &all[state], &all[state]);
        for property in &claimed {
            if !holds(&property.formula, &values) {
                return Some(format!("{} is violated by {:?}", property.name, all[state]));
            }
        }
        for after in 0..all.len() {
            if !reached.contains(&after) && holds(&trans, &step(system, &all[state], &all[after])) {
                reached.insert(after);
                waiting.push(after);
            }
        }
    }
    None
}
