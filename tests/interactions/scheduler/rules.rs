//! The rules by which threads take turns, each in both directions.

use super::programs::{Builder, Does, X};
use crate::{check, check_faulty};
use slabcert::flattening::interleave;
use slabcert_certificates::certificate::Evidence;
use slabcert_certificates::program::{Call, Extent, Program, Trigger};
use slabcert_certificates::system::System;
use slabcert_certificates::term::{Assignment, Sort, Symbol, Term, Value};
use slabcert_certificates::trace::{Step, Trace, Valuation};
use slabcert_checker::Verdict;

/// A program, and a run of it so far.
struct Run {
    program: Program,
    system: System,
    trace: Trace,
}

impl Run {
    /// Begins with these values; numbers are 0, nothing is notified, and all threads are awake otherwise.
    fn new(program: Program, values: &[(&str, i64)]) -> Run {
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

    fn state(&self) -> &Valuation {
        self.trace.states.last().unwrap()
    }

    /// What can happen, with the states after it.
    fn possible(&self) -> Vec<(String, Valuation)> {
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
    fn step(&mut self, names: &[&str], values: &[(&str, i64)]) {
        let possible = self.possible();
        let found: Vec<&str> = possible.iter().map(|(name, _)| name.as_str()).collect();
        let mut sorted = names.to_vec();
        sorted.sort_by_key(|name| found.iter().position(|it| it == name));
        assert_eq!(found, sorted, "{:?}", self.state());
        let Some((name, after)) = possible.into_iter().find(|(name, _)| name == names[0]) else {
            panic!("{names:?}");
        };
        self.trace.steps.push(Step {
            transition: name,
            inputs: Valuation::from([("d".to_owned(), Value::Int(0.into()))]),
        });
        self.trace.states.push(after);
        self.see(values);
    }

    /// Numbers have these values.
    #[track_caller]
    fn see(&self, values: &[(&str, i64)]) {
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
    fn end(self) {
        let possible = self.possible();
        assert!(possible.is_empty(), "{possible:?}");
        self.agreed();
    }

    /// The checker finds the same steps as the flat system, and follows the run.
    #[track_caller]
    fn agreed(self) {
        let report = check_faulty(&self.program, |_| {});
        assert_eq!(report.verdict, Verdict::Accepted, "{:?}", report.rejections);
        let nothing = Evidence::Unknown("nothing is claimed".into());
        let mut certificate = crate::certificate(&self.system, nothing);
        certificate.traces = vec![self.trace];
        let report = check(&self.program, &self.system, &certificate);
        assert_eq!(report.rejections, Vec::new());
    }
}

/// The controller waits for so long, once; then it has ended at `l2`.
fn once(builder: &mut Builder, extent: Extent, duration: Option<i64>) {
    builder.controller(3, &[0, 1, 2], &[(1, extent)]);
    let start = Call::Start(duration.map(Term::int));
    builder.statement(0, (0, 1), None, Does::Calls(start));
    builder.statement(0, (1, 2), None, Does::Nothing);
}

fn plus_one(builder: &Builder) -> Does {
    Does::Set(X, crate::plus_one(builder.value(X)))
}

#[test]
fn a_thread_runs_when_it_is_awake_and_wakes_itself_later() {
    let mut builder = Builder::new(1, &[]);
    once(&mut builder, Extent::Limited, Some(3));
    let thread = builder.thread("t", 2, &[0], &[(0, &[Trigger::Event(0)])]);
    let count = plus_one(&builder);
    let later = Does::Calls(Call::NotifyAfter(0, Term::int(2)));
    builder.line(thread, 0, &[count, later], 0);
    let mut run = Run::new(builder.finish(), &[]);
    run.step(
        &["main.l0->l1"],
        &[("remaining", 3), ("started", 1), ("t.awake", 1)],
    );
    run.step(&["t.l0->l0"], &[("x", 1), ("t.awake", 0), ("e0.delay", 2)]);
    run.step(
        &["time"],
        &[("remaining", 1), ("t.awake", 1), ("e0.delay", -1)],
    );
    run.step(&["t.l0->l0"], &[("x", 2), ("e0.delay", 2)]);
    run.step(&["main.l1->l2"], &[("remaining", 0), ("e0.delay", 1)]);
    run.end();
}
