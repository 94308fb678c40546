//! Random systems with odd names in each language, and through each other format: whatever the form, the verdict is that of explicit
//! search.

use super::generator::{Sample, Size, sample};
use super::random::Random;
use super::slab_text;
use super::{REPORTED, TIME, full_size, seeds_or};
use slabcert::engines::horn::{Horn, horn_text};
use slabcert::engines::{Engine, EngineAnswer, EngineOptions, Task};
use slabcert::languages::horn_clauses::HornClauses;
use slabcert::languages::moxi::Moxi;
use slabcert::languages::slab::Slab;
use slabcert::languages::source::Source;
use slabcert::languages::vmt::Vmt;
use slabcert::languages::{Language, Options};
use slabcert::solvers::{Limits, StopSignal};
use slabcert_certificates::system::{Input, Property, StateVariable, System, Transition};
use slabcert_certificates::term::{Substitution, Symbol, Term};
use slabcert_certificates::vmt::write_vmt;
use slabcert_exports::moxi::write_moxi;
use std::fmt::Write;

/// How many systems are tried in each language unless somebody asks for more.
const TRIALS: u64 = 24;
/// A language has words for at least half of the systems, but for so many.
const MOST_WORDLESS: usize = 20;

/// Names that tools invent, that have a meaning somewhere, or that need quotes.
const ODD: [&str; 44] = [
    "x.next",
    "x'y",
    "it;s",
    "a b",
    "P[1]",
    "\"q\"",
    "define-fun",
    "?0",
    ".trans",
    ".init",
    "x:2",
    "location",
    "start",
    "location.next",
    "state",
    "state.",
    "argument0",
    "query",
    "r.seen",
    "a->b",
    "(",
    ")",
    "#x",
    "1",
    ":init",
    "assert",
    "exit",
    "main",
    "p.",
    ".property.p",
    ".state.0",
    "step",
    "x!1",
    "k!0",
    "0.next",
    "select",
    "bv0",
    "{}",
    "violation",
    "violated",
    "a,b",
    "\u{e9}",
    "next",
    "init",
];

/// Names for transitions and properties.
const WORDS: [&str; 12] = [
    "t", "t.1", "t:2", "and", "p->q", "it is", "x'", "trans", "(step)", "or", "let", "0",
];

/// A format that systems are written in, and read again.
struct Format {
    name: &'static str,
    language: &'static dyn Language,
    write: fn(&System) -> String,
}

const FORMATS: [Format; 3] = [
    Format {
        name: "vmt",
        language: &Vmt::DEFAULT,
        write: write_vmt,
    },
    Format {
        name: "moxi",
        language: &Moxi,
        write: write_moxi,
    },
    Format {
        name: "chc",
        language: &HornClauses,
        write: horn_text,
    },
];

/// Takes names of a pool, each once.
struct Pool(Vec<&'static str>);

impl Pool {
    /// An odd name, or often the plain one.
    fn name(&mut self, plain: &str, random: &mut Random) -> String {
        if self.0.is_empty() || random.percent(35) {
            return plain.to_owned();
        }
        self.0.swap_remove(random.below(self.0.len())).to_owned()
    }
}

/// The same system with other names, and nothing but relations.
fn renamed(system: &System, random: &mut Random) -> System {
    let mut pool = Pool(ODD.to_vec());
    let mut substitution = Substitution::default();
    let mut rename = |symbol: &Symbol, random: &mut Random| {
        let new = Symbol::new(pool.name(symbol.name(), random), symbol.sort());
        substitution.insert(symbol.clone(), Term::symbol(new.clone()));
        new
    };
    let variables: Vec<StateVariable> = system
        .variables
        .iter()
        .map(|variable| StateVariable {
            current: rename(&variable.current, random),
            next: rename(&variable.next, random),
            range: None,
            values: None,
            origin: None,
        })
        .collect();
    let inputs: Vec<Input> = system
        .inputs
        .iter()
        .map(|input| Input {
            symbol: rename(&input.symbol, random),
            role: input.role,
        })
        .collect();
    let formula = |term: &Term| term.substitute(&substitution);
    let mut words = Pool(WORDS.to_vec());
    let transitions = system.transitions.iter().map(|transition| {
        let relation = formula(&transition.formula(system));
        let name = words.name(&transition.name, random);
        Transition::from_relation(name, relation, transition.inputs.clone())
    });
    let transitions = transitions.collect();
    let property = &system.properties[0];
    System {
        name: "sample".to_owned(),
        variables,
        inputs,
        init: system.init.iter().map(formula).collect(),
        trans: system.trans.as_ref().map(formula),
        transitions,
        properties: vec![Property {
            name: Pool(WORDS.to_vec()).name(&property.name, random),
            formula: formula(&property.formula),
            ..property.clone()
        }],
        ..System::default()
    }
}

/// What a text of a language says.
fn read(language: &dyn Language, text: &str) -> Result<System, String> {
    let extension = language.extensions()[0];
    let source = Source::new(format!("sample.{extension}"), text);
    let read = language
        .read(&source, &Options::default())
        .map(|it| it.flat());
    read.map_err(|faults| faults.to_string())
}

/// Whether Spacer finds a violation; none if it does not know.
fn is_violated(system: &System) -> Option<bool> {
    let options = EngineOptions::default();
    let stop = StopSignal::new(Limits {
        time: Some(TIME),
        memory: None,
    });
    let [property] = system.properties.as_slice() else {
        panic!("{} properties", system.properties.len());
    };
    let task = Task {
        system,
        property,
        options: &options,
        stop: &stop,
        instances: &[],
        assumed: &[],
    };
    match Horn.run(&task, &mut super::Unwatched) {
        EngineAnswer::Safe(_) => Some(false),
        EngineAnswer::Unsafe(_) => Some(true),
        EngineAnswer::Unknown(_) => None,
    }
}

/// How many forms of a sample had no verdict.
struct Undecided(usize);

/// Reads a text of a language, and what becomes of it in each other format. What is wrong, with the text that shows it.
fn mismatch(sample: &Sample, language: &dyn Language, text: &str) -> Result<Undecided, String> {
    let truth = sample.violation.is_some();
    let mut undecided = 0;
    let mut compare = |system: &System, how: &str, text: &str| match is_violated(system) {
        Some(found) if found != truth => Err(format!(
            "{how}: violated is {found}, by explicit search {truth}, of\n{text}"
        )),
        Some(_) => Ok(()),
        None => {
            undecided += 1;
            Ok(())
        }
    };
    let system = read(language, text).map_err(|faults| format!("{faults}\nof\n{text}"))?;
    compare(&system, language.name(), text)?;
    for format in FORMATS {
        let how = format!("{} as {}", language.name(), format.name);
        let written = (format.write)(&system);
        let again = read(format.language, &written)
            .map_err(|faults| format!("{how}: {faults}\nof\n{written}\nfrom\n{text}"))?;
        compare(&again, &how, &format!("{written}\nfrom\n{text}"))?;
    }
    Ok(Undecided(undecided))
}

/// Tries as many systems as seeds are asked for in one language; `write` gives the text, if the language can say it. For a system
/// without words a further seed is taken.
fn demand(language: &dyn Language, write: &dyn Fn(&Sample, u64) -> Option<String>) {
    let (mut tried, mut undecided, mut faults) = (0, 0, String::new());
    let mut wordless = 0;
    let seeds = seeds_or(TRIALS);
    for seed in seeds.start.. {
        if tried as u64 == seeds.end - seeds.start {
            break;
        }
        let try_at = |size: Size| {
            let sample = sample(seed, size);
            let text = write(&sample, seed)?;
            Some(mismatch(&sample, language, &text))
        };
        match try_at(full_size()) {
            None => {
                wordless += 1;
                assert!(
                    wordless <= tried + MOST_WORDLESS,
                    "too few systems have words"
                );
                continue;
            }
            Some(Ok(Undecided(count))) => undecided += count,
            Some(Err(fault)) => {
                // A smaller one is easier to look at.
                let smaller = super::SIZES.iter().find_map(|size| try_at(*size)?.err());
                writeln!(faults, "seed {seed}: {}\n", smaller.unwrap_or(fault)).unwrap();
            }
        }
        tried += 1;
        if tried.is_multiple_of(REPORTED) {
            eprintln!("{}: {tried} systems so far", language.name());
        }
    }
    eprintln!(
        "{}: {tried} systems compared in {} forms each, {undecided} forms without a verdict; {wordless} further systems have no words",
        language.name(),
        FORMATS.len() + 1
    );
    assert!(faults.is_empty(), "{faults}");
    assert!(
        undecided * 20 <= tried * (FORMATS.len() + 1),
        "{undecided} of {tried}"
    );
}

fn demand_format(format: &Format) {
    demand(format.language, &|sample, seed| {
        let mut random = Random::new(seed);
        Some((format.write)(&renamed(&sample.system, &mut random)))
    });
}

#[test]
fn vmt_with_odd_names_means_the_same_in_every_format() {
    demand_format(&FORMATS[0]);
}

#[test]
fn moxi_with_odd_names_means_the_same_in_every_format() {
    demand_format(&FORMATS[1]);
}

#[test]
fn horn_clauses_with_odd_names_mean_the_same_in_every_format() {
    demand_format(&FORMATS[2]);
}

#[test]
fn slab_with_odd_names_means_the_same_in_every_format() {
    demand(&Slab, &|sample, seed| {
        slab_text::write(&sample.system, &mut Random::new(seed))
    });
}
