//! What is learned, what is refused, and each step by itself.

use super::implications::{Implications, Literals};
use super::inductive::{breaking_states, inductive_subset};
use super::needed::{is_proof, needed};
use super::roles::{Member, Role, Roles, Variables, is_same_clause, mirrored, pairs};
use super::samples::{Control, View, holds};
use super::steps::{Found, Steps};
use super::*;
use crate::languages::slab::Slab;
use crate::languages::source::Source;
use crate::languages::{Language, Options};
use crate::solvers::{Session, StopSignal, with_session};
use slabcert_certificates::system::System;
use slabcert_certificates::term::{Operator, Sort};
use slabcert_certificates::trace::Valuation;

/// A lock that holds the number of its owner; `taken` says whether entering looks at the lock.
fn lock(processes: usize, guard: &str) -> System {
    let text = format!(
        "system lock;
         const N = {processes};
         var lock : 0..N = 0;
         var visits[1..N] : int = 0;
         process P[i in 1..N] {{
           location idle, critical;
           start idle;
           edge enter: idle -> critical {guard} do lock := i, visits[i] := visits[i] + 1;
           edge leave: critical -> idle do lock := 0;
         }}
         error both: exists i in 1..N, j in 1..N where i < j: P[i] at critical && P[j] at critical;"
    );
    Slab.read(&Source::new("lock.slab", text), &Options::default())
        .map(|it| it.flat())
        .unwrap()
}

fn safe_lock(processes: usize) -> System {
    lock(processes, "when lock = 0")
}

/// The roles of two members of the only family.
fn roles(first: u64, second: u64) -> Roles {
    let member = |index| Member { family: 0, index };
    [(member(first), Role::First), (member(second), Role::Second)]
}

fn instance(system: &System) -> Instance<'_> {
    Instance {
        system,
        property: &system.properties[0],
    }
}

fn in_session<R>(work: impl FnOnce(&Session) -> R) -> R {
    with_session(&StopSignal::default(), work).unwrap()
}

fn variable(system: &System, name: &str) -> Term {
    let mut variables = system.variables.iter();
    let variable = variables.find(|variable| variable.name() == name).unwrap();
    Term::symbol(variable.current.clone())
}

/// `name = value`.
fn equation(system: &System, name: &str, value: i64) -> Term {
    variable(system, name).equals(Term::int(value))
}

/// Two processes are not critical at once.
fn exclusion(system: &System, one: usize, other: usize) -> Term {
    let critical = |process: usize| equation(system, &format!("P[{process}].location"), 1);
    Term::or([critical(one).not(), critical(other).not()])
}

/// A critical process has the lock.
fn ownership(system: &System, process: usize) -> Term {
    let is_critical = equation(system, &format!("P[{process}].location"), 1);
    Term::or([
        is_critical.not(),
        equation(system, "lock", i64::try_from(process).unwrap()),
    ])
}

fn state(system: &System, values: &[i64]) -> Valuation {
    let named = system.variables.iter().zip(values);
    named
        .map(|(variable, value)| {
            let value = slabcert_certificates::term::Value::Int((*value).into());
            (variable.name().to_owned(), value)
        })
        .collect()
}

#[test]
fn indices_become_roles_and_roles_indices() {
    let system = safe_lock(4);
    let clause = Term::or([
        equation(&system, "P[2].location", 1).not(),
        equation(&system, "lock", 2),
        variable(&system, "visits[3]").less(Term::int(0)),
    ]);
    let roles = roles(2, 3);
    let template = Variables::of(&system)
        .abstracted(&clause, &roles, true)
        .unwrap();
    let variables = Variables::of(&system);
    for pair in pairs(&system) {
        let instance = variables.instance(&template, pair).unwrap();
        let is_same = pair.first.index == 2 && pair.second.index == 3;
        assert_eq!(instance == clause, is_same, "{instance}");
    }
    assert_eq!(pairs(&system).len(), 6);
    // Without numbers, 2 stays 2.
    let template = Variables::of(&system)
        .abstracted(&clause, &roles, false)
        .unwrap();
    let instance = variables.instance(&template, pairs(&system)[0]).unwrap();
    assert!(instance.to_string().contains("(= lock 2)"), "{instance}");
}

#[test]
fn two_families_with_the_same_indices_are_different_processes() {
    let text = "system s; const N = 2; var clock[1..N] : int = 0; var slot[1..2] : int = 0;
         process P[i in 1..N] { location a, b; start a; edge a -> b; }
         process Q[i in 1..N] { location a, b; start a; edge a -> b; }
         error both: P[1] at b && Q[1] at b;";
    let system = Slab
        .read(&Source::new("two.slab", text), &Options::default())
        .map(|it| it.flat())
        .unwrap();
    let variables = Variables::of(&system);
    let all = pairs(&system);
    assert_eq!(all.len(), 6);
    let between = |one: (usize, u64), other: (usize, u64)| {
        let mut pairs = all.iter();
        *pairs
            .find(|pair| {
                let key = |member: Member| (member.family, member.index);
                key(pair.first) == one && key(pair.second) == other
            })
            .unwrap()
    };
    let clause = Term::or([
        equation(&system, "P[1].location", 0),
        equation(&system, "Q[1].location", 0),
    ]);
    let same = between((0, 1), (1, 1));
    let template = variables.abstracted(&clause, &same.roles(), false).unwrap();
    assert_eq!(variables.instance(&template, same), Some(clause.clone()));
    let instance = variables.instance(&template, between((0, 1), (1, 2)));
    let expected = Term::or([
        equation(&system, "P[1].location", 0),
        equation(&system, "Q[2].location", 0),
    ]);
    assert_eq!(instance, Some(expected));
    // Neither is the other family's process of that index.
    let one_family = between((0, 1), (0, 2));
    assert_eq!(variables.instance(&template, one_family), None);
    assert_eq!(
        variables.abstracted(&clause, &one_family.roles(), false),
        None
    );
    // An array belongs to all families that grow with it, and to none that does not.
    let clocks = variable(&system, "clock[2]").less(variable(&system, "slot[1]"));
    let template = variables.abstracted(&clocks, &between((0, 1), (1, 2)).roles(), false);
    assert_eq!(template.unwrap().to_string(), "(< |clock[>]| |slot[1]|)");
}

#[test]
fn names_that_look_like_members_of_families_are_names() {
    let names = ["P[1]", "P[2]"];
    let system = System {
        variables: names
            .map(|name| slabcert_certificates::system::StateVariable::new(name, Sort::Int))
            .into(),
        ..System::default()
    };
    assert!(pairs(&system).is_empty());
    let formula = equation(&system, "P[1]", 0);
    let template = Variables::of(&system).abstracted(&formula, &roles(1, 2), false);
    assert_eq!(template, Some(formula));
}

#[test]
fn a_formula_about_a_third_process_is_no_template() {
    let system = safe_lock(3);
    let clause = exclusion(&system, 1, 3);
    assert_eq!(
        Variables::of(&system).abstracted(&clause, &roles(1, 2), true),
        None
    );
}

#[test]
fn a_template_has_no_instance_in_a_system_without_its_variables() {
    let large = safe_lock(3);
    let clause = exclusion(&large, 1, 2);
    let template = Variables::of(&large)
        .abstracted(&clause, &roles(1, 2), true)
        .unwrap();
    let other = crate::slicing::sample::system("x Int", "", "(= x 0)", &[], "true");
    let pair = pairs(&large)[0];
    assert_eq!(Variables::of(&other).instance(&template, pair), None);
}

#[test]
fn mirrored_templates_are_recognised() {
    let system = safe_lock(2);
    let roles = roles(1, 2);
    let clause = Term::or([ownership(&system, 1), equation(&system, "visits[2]", 0)]);
    let template = Variables::of(&system)
        .abstracted(&clause, &roles, true)
        .unwrap();
    let mirror = mirrored(&template);
    assert!(!is_same_clause(&template, &mirror));
    assert!(is_same_clause(&template, &mirrored(&mirror)));
    let symmetric = Variables::of(&system)
        .abstracted(&exclusion(&system, 1, 2), &roles, false)
        .unwrap();
    assert!(is_same_clause(&symmetric, &mirrored(&symmetric)));
}

#[test]
fn the_vocabulary_has_neither_locations_nor_inputs_nor_third_processes() {
    let system = safe_lock(3);
    let proof = [
        equation(&system, "P[1].location", 1),
        variable(&system, "visits[1]").less(variable(&system, "visits[2]")),
        Term::named("elsewhere", slabcert_certificates::term::Sort::Bool),
    ];
    let atoms: Vec<String> = vocabulary::atoms(&system, &proof)
        .iter()
        .map(ToString::to_string)
        .collect();
    assert!(
        atoms
            .iter()
            .any(|atom| atom == "(< |visits[<]| |visits[>]|)"),
        "{atoms:?}"
    );
    assert!(atoms.iter().any(|atom| atom == "(= lock 0)"), "{atoms:?}");
    for atom in &atoms {
        assert!(
            !atom.contains("location") && !atom.contains("elsewhere"),
            "{atom}"
        );
        assert!(!atom.contains("[1]") && !atom.contains("[3]"), "{atom}");
    }
}

#[test]
fn the_strongest_clauses_are_those_that_no_sample_contradicts() {
    let system = safe_lock(2);
    let location = |process: usize| {
        let name = format!("P[{process}].location");
        let roles = roles(1, 2);
        Variables::of(&system)
            .abstracted(&variable(&system, &name), &roles, false)
            .unwrap()
    };
    let controls = [1, 2].map(|process| Control {
        template: location(process),
        values: 2,
    });
    let owned = variable(&system, "lock").equals(Term::int(1));
    let roles = roles(1, 2);
    let atoms = [Variables::of(&system)
        .abstracted(&owned, &roles, true)
        .unwrap()];
    let mut view = View::new(&system, pairs(&system)[0], &controls, &atoms);
    let names: Vec<&str> = system.variables.iter().map(|it| it.name()).collect();
    assert_eq!(
        names,
        [
            "lock",
            "visits[1]",
            "visits[2]",
            "P[1].location",
            "P[2].location"
        ]
    );
    view.extend(&[
        state(&system, &[0, 0, 0, 0, 0]),
        state(&system, &[1, 1, 0, 1, 0]),
    ]);
    let views = [view];
    let implications = Implications::new(2, &views, &mut |_, _| false);
    let found = |view: &View| -> Vec<String> {
        clauses::strongest(view, &controls, &implications, 2, 2)
            .iter()
            .map(|shape| shape.template(&controls, &atoms).to_string())
            .collect()
    };
    let few = found(&views[0]);
    // Nobody saw the second process critical, and the first one is critical just when it has the lock.
    assert!(
        few.contains(&"(not (= |P[>].location| 1))".to_owned()),
        "{few:?}"
    );
    let has_it = "(or (not (= |P[<].location| 1)) (= lock |[<]|))".to_owned();
    assert!(few.contains(&has_it), "{few:?}");
    let [mut view] = views;
    view.extend(&[
        state(&system, &[2, 1, 1, 0, 1]),
        state(&system, &[2, 1, 1, 1, 0]),
    ]);
    let more = found(&view);
    assert!(
        !more.contains(&"(not (= |P[>].location| 1))".to_owned()),
        "{more:?}"
    );
    assert!(
        !more.contains(&has_it),
        "contradicted by the last sample: {more:?}"
    );
    let exclusive = "(or (not (= |P[<].location| 1)) (not (= |P[>].location| 1)))".to_owned();
    assert!(more.contains(&exclusive), "{more:?}");
    // Samples that were no good are forgotten.
    view.truncate(2);
    assert_eq!(found(&view), few);
}

#[test]
fn steps_show_exactly_what_breaks_a_clause() {
    let system = safe_lock(2);
    in_session(|session| {
        let mut steps = Steps::new(instance(&system), session);
        let exclusion = steps.add(exclusion(&system, 1, 2));
        let few_visits = steps.add(variable(&system, "visits[1]").less(Term::int(1)));
        let visited = steps.add(equation(&system, "visits[2]", 7));
        assert!(matches!(
            steps.initial(&[exclusion, few_visits]),
            Ok(Found::Nothing(_))
        ));
        let Ok(Found::Outside(initial)) = steps.initial(&[visited]) else {
            panic!("initially nobody has visited");
        };
        assert!(!holds(steps.clause(visited), &initial));
        let enter = 0;
        assert!(steps.affects(enter, few_visits) && !steps.affects(enter, visited));
        let Ok(Found::Outside(after)) = steps.step(enter, &[few_visits], &[few_visits]) else {
            panic!("entering is a visit");
        };
        assert!(!holds(steps.clause(few_visits), &after));
        assert_eq!(after["P[1].location"].to_string(), "1");
        // Exclusion is not a consequence of itself: the lock may be free while somebody is critical.
        let alone = steps.step(enter, &[exclusion], &[exclusion]);
        assert!(matches!(alone, Ok(Found::Outside(_))));
        let owner = steps.add(ownership(&system, 2));
        let Ok(Found::Nothing(core)) = steps.step(enter, &[exclusion, owner], &[exclusion]) else {
            panic!("who is critical has the lock");
        };
        assert_eq!(core, [owner]);
    });
}

#[test]
fn the_inductive_subset_keeps_what_holds_and_drops_what_breaks() {
    let system = safe_lock(2);
    in_session(|session| {
        let mut steps = Steps::new(instance(&system), session);
        let good = [
            steps.add(ownership(&system, 1)),
            steps.add(ownership(&system, 2)),
            steps.add(exclusion(&system, 1, 2)),
        ];
        let bad = [
            steps.add(equation(&system, "P[1].location", 0)),
            steps.add(variable(&system, "visits[1]").less(Term::int(3))),
        ];
        let all = [good.as_slice(), &bad].concat();
        assert_eq!(inductive_subset(&mut steps, &all), Ok(good.to_vec()));
        assert_eq!(
            breaking_states(&mut steps, &good, &mut |_| vec![]),
            Ok(vec![])
        );
        let broken = breaking_states(&mut steps, &all, &mut |_| vec![]).unwrap();
        for clause in bad {
            assert!(
                broken
                    .iter()
                    .any(|state| !holds(steps.clause(clause), state))
            );
        }
        // What is reached from a state that breaks a clause is a sample as well, and breaks clauses without a query.
        let visited = state(&system, &[1, 3, 0, 1, 0]);
        let further = breaking_states(&mut steps, &bad[1..], &mut |_| vec![visited.clone()]);
        assert_eq!(
            further.map(|states| states.last() == Some(&visited)),
            Ok(true)
        );
        assert_eq!(is_proof(&mut steps, &good), Ok(true));
        assert_eq!(is_proof(&mut steps, &good[..2]), Ok(true));
        assert_eq!(
            is_proof(&mut steps, &good[..1]),
            Ok(false),
            "nothing excludes a violation"
        );
        assert_eq!(
            is_proof(&mut steps, &good[2..]),
            Ok(false),
            "a step leaves it"
        );
    });
}

#[test]
fn what_a_proof_needs_is_kept_and_nothing_else() {
    let system = safe_lock(2);
    in_session(|session| {
        let mut steps = Steps::new(instance(&system), session);
        let needless = steps.add(Term::int(0).less_or_equal(variable(&system, "visits[1]")));
        let good = [
            steps.add(ownership(&system, 1)),
            steps.add(ownership(&system, 2)),
            steps.add(exclusion(&system, 1, 2)),
        ];
        let all = [&[needless], good.as_slice()].concat();
        assert!(
            needed(&mut steps, &all, true)
                .unwrap()
                .iter()
                .all(|it| good.contains(it))
        );
        let without = [needless, good[0], good[2]];
        assert_eq!(is_proof(&mut steps, &without), Ok(false));
        assert_eq!(
            needed(&mut steps, &[needless], true),
            Err(NoLemmas::NotProved)
        );
    });
}

/// One state, and no step.
struct Fixed(Valuation);

impl Samples for Fixed {
    fn initial_runs(&mut self) -> Vec<Valuation> {
        vec![self.0.clone()]
    }

    fn run_from(&mut self, _state: &Valuation) -> Vec<Valuation> {
        Vec::new()
    }
}

/// Learns on three processes and instantiates for five.
fn from_three_to_five(guard: &str, start: &[i64]) -> Result<(Learned, Vec<Lemma>), NoLemmas> {
    let [small, training, large] = [2, 3, 5].map(|processes| lock(processes, guard));
    in_session(|session| {
        let mut samples = Fixed(state(&training, start));
        let learned = learn(&small, &[], instance(&training), &mut samples, session)?;
        let lemmas = instantiate(instance(&large), &learned.templates, session)?;
        Ok((learned, lemmas))
    })
}

#[test]
fn lemmas_of_three_processes_prove_five() {
    let (learned, lemmas) = from_three_to_five("when lock = 0", &[0; 7]).unwrap();
    let large = safe_lock(5);
    in_session(|session| {
        let mut steps = Steps::new(instance(&large), session);
        let all: Vec<usize> = lemmas
            .iter()
            .map(|lemma| steps.add(lemma.clause.clone()))
            .collect();
        assert_eq!(
            breaking_states(&mut steps, &all, &mut |_| vec![]),
            Ok(vec![])
        );
        assert_eq!(is_proof(&mut steps, &all), Ok(true));
    });
    assert!(learned.lemmas.len() < lemmas.len());
    let diagrams = diagrams(&large, &lemmas);
    let labels: usize = diagrams
        .iter()
        .map(|diagram| diagram.nodes[0].label.len())
        .sum();
    assert_eq!(labels, lemmas.len());
    for diagram in &diagrams {
        assert_eq!(diagram.nodes.len(), 1);
        assert_eq!(diagram.assumes.len(), diagrams.len() - 1);
        assert_eq!(diagram.edges[0].transitions.len(), large.transitions.len());
    }
    let families: std::collections::BTreeSet<usize> =
        lemmas.iter().map(|lemma| lemma.family).collect();
    assert_eq!(diagrams.len(), families.len());
}

#[test]
fn nothing_is_learned_about_a_lock_that_nobody_looks_at() {
    assert_eq!(from_three_to_five("", &[0; 7]), Err(NoLemmas::NotProved));
}

#[test]
fn templates_of_another_model_prove_nothing() {
    let (learned, _) = from_three_to_five("when lock = 0", &[0; 7]).unwrap();
    let careless = lock(4, "");
    let refused =
        in_session(|session| instantiate(instance(&careless), &learned.templates, session));
    assert_eq!(refused, Err(NoLemmas::NotProved));
}

#[test]
fn learning_stops_when_told() {
    let stop = StopSignal::default();
    stop.stop(StopCause::Interrupted);
    let [small, training] = [2, 3].map(safe_lock);
    let stopped = with_session(&stop, |session| {
        learn(
            &small,
            &[],
            instance(&training),
            &mut Fixed(state(&training, &[0; 7])),
            session,
        )
    });
    assert_eq!(stopped, Ok(Err(NoLemmas::Stopped(StopCause::Interrupted))));
}

#[test]
fn learning_is_deterministic() {
    let guard = "when lock = 0";
    assert_eq!(
        from_three_to_five(guard, &[0; 7]),
        from_three_to_five(guard, &[0; 7])
    );
}

#[test]
fn a_property_that_is_inductive_by_itself_is_the_only_lemma() {
    let text = "system steps; var x : int = 0; var y : int = 0;
        error low: x < 0 || y < x;
        transition up do y := y + 1;
        transition follow when x < y do x := x + 1;";
    let read = |text: &str| {
        Slab.read(&Source::new("steps.slab", text), &Options::default())
            .map(|it| it.flat())
            .unwrap()
    };
    let system = read(text);
    in_session(|session| {
        let lemmas = property_alone(instance(&system), session).unwrap();
        let diagrams = diagrams(&system, &lemmas);
        assert_eq!(diagrams.len(), 1);
        assert!(diagrams[0].assumes.is_empty());
        // A lock is not: who is critical may find it free.
        let lock = safe_lock(2);
        let refused = property_alone(instance(&lock), session);
        assert_eq!(refused, Err(NoLemmas::NotProved));
        for other in [
            text.replace("x : int = 0", "x : int = 1"),
            text.replace("x < y do", "x <= y do"),
        ] {
            let refused = property_alone(instance(&read(&other)), session);
            assert_eq!(refused, Err(NoLemmas::NotProved), "{other}");
        }
    });
}

#[test]
fn literals_imply_what_follows_by_arithmetic_and_nothing_else() {
    let x = || Term::named("x", Sort::Int);
    let y = || Term::named("y", Sort::Int);
    let atoms = [
        x().less(Term::int(3)),
        x().less_or_equal(Term::int(7)),
        x().equals(y()),
        x().less_or_equal(y()),
        Term::named("z", Sort::Int).less(Term::int(3)),
        Term::apply(Operator::Multiply, vec![x(), y()])
            .unwrap()
            .less(Term::int(3)),
    ];
    let mut literals = Literals::new(&atoms);
    // Twice the atom, plus one for its negation.
    for (one, other) in [(0, 2), (3, 1), (4, 6), (7, 5)] {
        assert!(literals.implies(one, other), "{one} {other}");
    }
    for (one, other) in [
        (2, 0),
        (1, 3),
        (6, 4),
        (0, 4),
        (0, 8),
        (0, 1),
        (10, 0),
        (0, 10),
    ] {
        assert!(!literals.implies(one, other), "{one} {other}");
    }
}
