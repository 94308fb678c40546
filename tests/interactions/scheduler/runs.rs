//! Runs of programs with a scheduler, step by step.

use crate::{check, check_faulty};
use slabcert::flattening::interleave;
use slabcert_certificates::certificate::Evidence;
use slabcert_certificates::program::Program;
use slabcert_certificates::system::System;
use slabcert_certificates::term::{Assignment, Sort, Symbol, Value};
use slabcert_certificates::trace::{Step, Trace, Valuation};
use slabcert_checker::{CheckReport, Verdict};

/// A program, and a run of it so far.
pub struct Run {
    pub program: Program,
    pub system: System,
    pub trace: Trace,
}

impl Run {
    /// Begins with these values; numbers are 0, nothing is notified, and all threads are awake otherwise.
    pub fn new(program: Program, values: &[(&str, i64)]) -> Run {
        let system = interleave(&program);
        let state = program.variables.iter().map(|variable| {
            let name = variable.name();
            let given = values.iter().find(|(known, _)| *known == name);
            let otherwise =
                i64::from(name.ends_with(".awake")) - i64::from(name.ends_with(".delay"));
            let number = given.map_or(otherwise, |(_, value)| *value);
            let value = match variable.sort() {
                Sort::Bool => Value::Bool(number != 0),
                _ => Value::Int(number.into()),
            };
            (name.to_owned(), value)
        });
        let trace = Trace {
            states: vec![state.collect()],
            ..Trace::default()
        };
        Run {
            program,
            system,
            trace,
        }
    }

    pub fn state(&self) -> &Valuation {
        self.trace.states.last().unwrap()
    }

    /// What can happen, with the states after it.
    pub fn possible(&self) -> Vec<(String, Valuation)> {
        let before = self.state();
        let read = |symbol: &Symbol| match symbol.name() {
            "d" => Some(Value::Int(0.into())),
            name => before.get(name).cloned(),
        };
        let mut possible = Vec::new();
        for transition in &self.system.transitions {
            let mut guard = transition.guard.iter();
            if guard.all(|it| it.formula.holds(&read).unwrap()) {
                let mut after = before.clone();
                for update in &transition.updates {
                    let name = self.system.variables[update.variable].name();
                    let value = update.value.evaluate(&read as &dyn Assignment).unwrap();
                    after.insert(name.to_owned(), value);
                }
                possible.push((transition.name.clone(), after));
            }
        }
        possible
    }

    /// Exactly these steps are possible, the first of which is taken; numbers have these values then.
    #[track_caller]
    pub fn step(&mut self, names: &[&str], values: &[(&str, i64)]) {
        let possible = self.possible();
        let found: Vec<&str> = possible.iter().map(|(name, _)| name.as_str()).collect();
        let mut sorted = names.to_vec();
        sorted.sort_by_key(|name| found.iter().position(|it| it == name));
        assert_eq!(found, sorted, "{:?}", self.state());
        let Some((name, after)) = possible.into_iter().find(|(name, _)| name == names[0]) else {
            panic!("{names:?}");
        };
        self.take(name, after);
        self.see(values);
    }

    /// Takes a step.
    pub fn take(&mut self, transition: String, after: Valuation) {
        self.trace.steps.push(Step {
            transition,
            inputs: Valuation::from([("d".to_owned(), Value::Int(0.into()))]),
        });
        self.trace.states.push(after);
    }

    /// Numbers have these values.
    #[track_caller]
    pub fn see(&self, values: &[(&str, i64)]) {
        for (name, value) in values {
            let found = match &self.state()[*name] {
                Value::Bool(truth) => i64::from(*truth).into(),
                Value::Int(number) => number.clone(),
                Value::Real(_) => panic!("{name}"),
            };
            assert_eq!(found, (*value).into(), "{name} in {:?}", self.state());
        }
    }

    /// Nothing is possible any more; the checker agrees with everything.
    #[track_caller]
    pub fn end(self) {
        let possible = self.possible();
        assert!(possible.is_empty(), "{possible:?}");
        self.agreed();
    }

    /// The checker finds the same steps as the flat system, and follows the run.
    #[track_caller]
    pub fn agreed(self) {
        let report = check_faulty(&self.program, |_| {});
        assert_eq!(report.verdict, Verdict::Accepted, "{:?}", report.rejections);
        assert_eq!(self.followed().rejections, Vec::new());
    }

    /// What the checker says of the run.
    pub fn followed(self) -> CheckReport {
        let nothing = Evidence::Unknown("nothing is claimed".into());
        let mut certificate = crate::certificate(&self.system, nothing);
        certificate.traces = vec![self.trace];
        check(&self.program, &self.system, &certificate)
    }
}
