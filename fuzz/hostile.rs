//! Terms and systems whose names look like what printers and writers invent: what is printed reads back as the same.
//!
//! The fuzz target `hostile_names` chooses from its bytes, `tests/random_systems/repairs.rs` from seeds.

use slabcert::engines::horn::horn_text;
use slabcert::languages::source::Source;
use slabcert::languages::{ALL, Options};
use slabcert_certificates::fresh::FreshNames;
use slabcert_certificates::obligations::text::ObligationPrinter;
use slabcert_certificates::smtlib::{
    Position, Scope, TermReader, as_read, is_reserved, print_term, read_sexprs,
};
use slabcert_certificates::system::{
    Input, InputRole, Property, StateVariable, System, Transition,
};
use slabcert_certificates::term::{Operator, Sort, Substitution, Symbol, Term};
use slabcert_certificates::vmt::read_back;
use slabcert_exports::moxi::write_moxi;

/// Chooses a number below another one.
pub type Choose<'c> = dyn FnMut(usize) -> usize + 'c;

/// What names are made of.
const PARTS: [&str; 34] = [
    "?",
    "?0",
    "?1",
    "?00",
    "?18446744073709551615",
    "?18446744073709551614",
    "?18446744073709551616",
    "?+1",
    "?-1",
    ".init",
    ".trans",
    ".state.0",
    ".transition.",
    ".property.",
    ".predicate.0",
    ".2",
    ".next",
    ":2",
    ":",
    "_2",
    "x",
    "y",
    "state",
    "let",
    "and",
    "main",
    "quotient",
    "'",
    " ",
    "\n",
    "\u{1b}",
    "\u{202e}",
    "argument0",
    "",
];

/// A name that nothing else has. A prime at the end is MoXI's own.
fn name(choose: &mut Choose<'_>, taken: &mut FreshNames) -> String {
    let parts = 1 + choose(3);
    let name: String = (0..parts).map(|_| PARTS[choose(PARTS.len())]).collect();
    let name = name.trim_end_matches('\'');
    if is_reserved(name) {
        taken.give(&format!("{name}."))
    } else {
        taken.give(name)
    }
}

/// Terms over some symbols; later ones share earlier ones.
fn terms(symbols: &[Symbol], choose: &mut Choose<'_>) -> (Vec<Term>, Vec<Term>) {
    let mut numbers = vec![Term::int(choose(9) as u64)];
    let mut truths = vec![Term::bool(true)];
    for symbol in symbols {
        match symbol.sort() {
            Sort::Bool => truths.push(Term::symbol(symbol.clone())),
            _ => numbers.push(Term::symbol(symbol.clone())),
        }
    }
    for _ in 0..choose(24) {
        let number = |choose: &mut Choose<'_>| {
            numbers[numbers.len() - 1 - choose(numbers.len().min(5))].clone()
        };
        let truth = |choose: &mut Choose<'_>| {
            truths[truths.len() - 1 - choose(truths.len().min(5))].clone()
        };
        let (one, two, condition, other) =
            (number(choose), number(choose), truth(choose), truth(choose));
        match choose(8) {
            0 | 1 => numbers.push(Term::sum(
                [one, two, Term::int(choose(9) as u64)],
                Sort::Int,
            )),
            2 => numbers.extend(Term::apply(Operator::Ite, vec![condition, one, two])),
            3 => truths.extend(Term::apply(Operator::LessOrEqual, vec![one, two])),
            4 => truths.extend(Term::apply(Operator::Equal, vec![one, two])),
            5 => truths.extend(Term::apply(Operator::And, vec![condition, other])),
            6 => truths.extend(Term::apply(Operator::Or, vec![condition, other])),
            _ => truths.extend(Term::apply(Operator::Not, vec![condition])),
        }
    }
    (numbers, truths)
}

/// A system of such names and terms.
pub fn system(choose: &mut Choose<'_>) -> System {
    let mut taken = FreshNames::default();
    let mut system = System::default();
    let sort = |choose: &mut Choose<'_>| [Sort::Int, Sort::Int, Sort::Bool][choose(3)];
    for _ in 0..1 + choose(4) {
        let sort = sort(choose);
        let mut variable = StateVariable::new(&name(choose, &mut taken), sort);
        variable.next = Symbol::new(name(choose, &mut taken), sort);
        system.variables.push(variable);
    }
    for _ in 0..choose(3) {
        let symbol = Symbol::new(name(choose, &mut taken), sort(choose));
        system.inputs.push(Input {
            symbol,
            role: InputRole::Environment,
        });
    }
    let current: Vec<Symbol> = system
        .variables
        .iter()
        .map(|it| it.current.clone())
        .collect();
    let mut all = current.clone();
    all.extend(system.inputs.iter().map(|it| it.symbol.clone()));
    let (_, truths) = terms(&current, choose);
    system.init = truths
        .last()
        .into_iter()
        .flat_map(Term::conjuncts)
        .collect();
    let mut names = FreshNames::default();
    let (_, truths) = terms(&all, choose);
    for index in 0..1 + choose(2) {
        system.properties.push(Property {
            index,
            name: name(choose, &mut names),
            formula: truths[truths.len() - 1 - choose(truths.len())].clone(),
            position: None,
        });
    }
    all.extend(system.variables.iter().map(|it| it.next.clone()));
    let mut names = FreshNames::default();
    for _ in 0..choose(3) {
        let (_, truths) = terms(&all, choose);
        let relation = truths[truths.len() - 1].clone();
        let name = name(choose, &mut names);
        system
            .transitions
            .push(Transition::from_relation(name, relation, Vec::new()));
    }
    system
}

/// Everything that is written of the system is what was meant.
pub fn reads_back(system: &System) {
    let again = read_back(system);
    assert!(again.is_ok(), "{:?}: {system:?}", again.err());
    let mut formulas = vec![system.init_formula(), system.trans_formula()];
    formulas.extend(
        system
            .properties
            .iter()
            .map(|property| property.formula.clone()),
    );
    let mut own = Scope::default();
    for symbol in system.symbol_roles().into_keys() {
        assert!(own.declare(symbol, Position::default()).is_ok());
    }
    let mut printer = ObligationPrinter::new(system);
    let mut safe = Scope::default();
    let mut originals = Substitution::default();
    for symbol in printer.renaming().symbols().cloned().collect::<Vec<_>>() {
        assert!(
            safe.declare(symbol.clone(), Position::default()).is_ok(),
            "{symbol:?}"
        );
        let original = printer.renaming().original(&symbol).cloned();
        assert!(original.is_some());
        originals.extend(original.map(|original| (symbol, Term::symbol(original))));
    }
    let read = |text: &str, scope: &Scope| {
        let expressions = read_sexprs(text).unwrap_or_default();
        let read = expressions
            .first()
            .map(|it| TermReader::new(scope).read(it));
        read.and_then(Result::ok)
    };
    for formula in formulas {
        let expected = as_read(&formula).ok();
        let text = print_term(&formula);
        assert_eq!(read(&text, &own), expected, "{text}");
        let text = printer.formula(&formula).text;
        let found = read(&text, &safe).map(|term| term.substitute(&originals));
        assert_eq!(found, expected, "{text}");
    }
    for (name, text) in [("moxi", write_moxi(system)), ("chc", horn_text(system))] {
        let language = ALL.iter().find(|language| language.name() == name);
        let source = Source::new(name, &text);
        let read = language.map(|language| language.read(&source, &Options::default()));
        assert!(
            matches!(read, Some(Ok(_))),
            "{name}: {:?}\n{text}",
            read.map(|it| it.err().map(|it| it.to_string()))
        );
    }
}
