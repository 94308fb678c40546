//! Random small systems whose reachable states are finitely many: Booleans, integers and reals that every transition keeps inside a
//! few values, by guards, by saturation or by remainders.

use super::explicit::{Candidates, Explorer, Small};
use super::formulas::{Vocabulary, apply, ratio};
use super::random::Random;
use num_rational::Ratio;
use slabcert::languages::source::Source;
use slabcert::languages::vmt::Vmt;
use slabcert::languages::{Language, Options};
use slabcert_certificates::structure::{Family, Process};
use slabcert_certificates::system::{
    Conjunct, Input, InputRole, Property, StateVariable, System, Transition, Update, ValueTable,
};
use slabcert_certificates::term::{Operator, Sort, Symbol, Term};
use slabcert_certificates::vmt::write_vmt;

/// How large a system may become.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub variables: usize,
    pub transitions: usize,
    pub depth: usize,
}

/// From the smallest to the one that trials use.
pub const SIZES: [Size; 4] = [
    Size {
        variables: 1,
        transitions: 1,
        depth: 0,
    },
    Size {
        variables: 2,
        transitions: 2,
        depth: 1,
    },
    Size {
        variables: 3,
        transitions: 3,
        depth: 1,
    },
    Size {
        variables: 5,
        transitions: 6,
        depth: 2,
    },
];

/// The most reachable states that a system may have.
const MOST_STATES: usize = 600;

/// A random system with what explicit search needs to know.
pub struct Sample {
    /// The system as engines get it.
    pub system: System,
    /// The least number of steps to a violation.
    pub violation: Option<u64>,
    /// The greatest distance of a reachable state.
    pub diameter: u64,
}

/// The values that a variable takes.
#[derive(Clone)]
enum Range {
    Truth,
    Integers(i64, i64),
    Reals(Vec<Ratio<i64>>),
}

impl Range {
    fn sort(&self) -> Sort {
        match self {
            Range::Truth => Sort::Bool,
            Range::Integers(..) => Sort::Int,
            Range::Reals(_) => Sort::Real,
        }
    }

    /// That a term has one of the values.
    fn contains(&self, term: &Term) -> Term {
        match self {
            Range::Truth => Term::bool(true),
            Range::Integers(low, high) => Term::and([
                Term::int(*low).less_or_equal(term.clone()),
                term.clone().less_or_equal(Term::int(*high)),
            ]),
            Range::Reals(values) => {
                Term::or(values.iter().map(|value| term.clone().equals(real(*value))))
            }
        }
    }

    fn values(&self) -> Vec<Small> {
        match self {
            Range::Truth => vec![Small::Bool(false), Small::Bool(true)],
            Range::Integers(low, high) => (*low..=*high).map(Small::Int).collect(),
            Range::Reals(values) => values.iter().copied().map(Small::Real).collect(),
        }
    }

    fn value(&self, random: &mut Random) -> Term {
        match self {
            Range::Truth => Term::bool(random.percent(50)),
            Range::Integers(low, high) => Term::int(random.between(*low, *high)),
            Range::Reals(values) => real(*random.pick(values)),
        }
    }
}

fn real(value: Ratio<i64>) -> Term {
    ratio(*value.numer(), *value.denom())
}

fn range(random: &mut Random) -> Range {
    match random.below(8) {
        0..=2 => Range::Truth,
        3..=6 => {
            let low = random.between(-1, 1);
            Range::Integers(low, low + random.between(1, 4))
        }
        _ => {
            let denominator = *random.pick(&[1, 2, 3]);
            let count = random.between(2, 4);
            Range::Reals((0..count).map(|k| Ratio::new(k, denominator)).collect())
        }
    }
}

struct Generator<'a> {
    random: &'a mut Random,
    size: Size,
    ranges: Vec<Range>,
    input_ranges: Vec<Range>,
    with_divisions: bool,
    system: System,
}

/// The sample of a seed at a size.
pub fn sample(seed: u64, size: Size) -> Sample {
    let mut random = Random::new(seed);
    loop {
        let wants_violation = random.percent(50);
        let mut generator = Generator {
            with_divisions: random.percent(40),
            random: &mut random,
            size,
            ranges: Vec::new(),
            input_ranges: Vec::new(),
            system: System::default(),
        };
        generator.declare();
        generator.transitions();
        if let Some(sample) = generator.finish(wants_violation) {
            return sample;
        }
    }
}

impl Generator<'_> {
    fn declare(&mut self) {
        let least = self.size.variables / 2;
        for index in 0..=least + self.random.below(self.size.variables - least) {
            let range = range(self.random);
            let mut variable = StateVariable::new(&format!("x{index}"), range.sort());
            if let Range::Integers(0, high) = &range
                && self.random.percent(40)
            {
                variable.range = Some((0.into(), (*high).into()));
                variable.values = Some(ValueTable {
                    name: "location".to_owned(),
                    values: (0..=*high).map(|value| format!("at{value}")).collect(),
                });
                let name = format!("P{index}");
                self.system.families.push(Family {
                    name: name.clone(),
                    ..Family::default()
                });
                self.system.processes.push(Process {
                    name,
                    family: self.system.families.len() - 1,
                    indices: Vec::new(),
                    location: Some(index),
                });
            }
            self.system.variables.push(variable);
            self.ranges.push(range);
        }
        for index in 0..self.random.below(3) {
            let range = range(self.random);
            self.system.inputs.push(Input {
                symbol: Symbol::new(format!("i{index}"), range.sort()),
                role: InputRole::Choice,
            });
            self.input_ranges.push(range);
        }
        for index in 0..self.system.variables.len() {
            let variable = Term::symbol(self.system.variables[index].current.clone());
            let start = if self.random.percent(75) {
                variable.equals(self.ranges[index].value(self.random))
            } else {
                self.ranges[index].contains(&variable)
            };
            self.system.init.extend(start.conjuncts());
        }
        if self.random.percent(25) {
            let symbols = self.current();
            let formula = self.vocabulary(&symbols).formula(1, self.random);
            self.system.init.push(formula);
        }
    }

    fn current(&self) -> Vec<Symbol> {
        let variables = self.system.variables.iter();
        variables.map(|variable| variable.current.clone()).collect()
    }

    fn vocabulary<'b>(&self, symbols: &'b [Symbol]) -> Vocabulary<'b> {
        Vocabulary {
            symbols,
            with_divisions: self.with_divisions,
        }
    }

    fn transitions(&mut self) {
        let count = if self.random.percent(4) {
            0
        } else {
            let least = self.size.transitions / 2;
            1 + least + self.random.below(self.size.transitions - least)
        };
        for number in 0..count {
            let transition = self.transition(number);
            self.system.transitions.push(transition);
        }
    }

    fn transition(&mut self, number: usize) -> Transition {
        let mut transition =
            Transition::from_relation(format!("t{number}"), Term::bool(true), Vec::new());
        transition.relation.clear();
        let mut readable = self.current();
        for index in 0..self.system.inputs.len() {
            if self.random.percent(40) {
                let symbol = self.system.inputs[index].symbol.clone();
                let bounds = self.input_ranges[index].contains(&Term::symbol(symbol.clone()));
                transition.guard.push(Conjunct::of_system(bounds));
                transition.inputs.push(index);
                readable.push(symbol);
            }
        }
        let depth = self.size.depth;
        for _ in 0..self.random.below(2) + self.random.below(2) {
            let guard = self.vocabulary(&readable).formula(depth, self.random);
            transition.guard.push(Conjunct::of_system(guard));
        }
        let mut writable = readable.clone();
        for index in 0..self.ranges.len() {
            let next = self.system.variables[index].next.clone();
            match self.random.below(10) {
                0..=3 => transition.frame.push(index),
                4..=8 => self.update(index, &readable, &mut transition),
                _ => {
                    let bounds = self.ranges[index].contains(&Term::symbol(next.clone()));
                    transition.relation.push(Conjunct::of_system(bounds));
                    writable.push(next);
                }
            }
        }
        if writable.len() > readable.len() && self.random.percent(60) {
            let relation = self
                .vocabulary(&writable)
                .formula(depth.max(1), self.random);
            transition.relation.push(Conjunct::of_system(relation));
        }
        for conjuncts in [&mut transition.guard, &mut transition.relation] {
            conjuncts.retain(|conjunct| !conjunct.formula.is_true());
        }
        transition
    }

    /// An update that stays in the variable's range.
    fn update(&mut self, index: usize, readable: &[Symbol], transition: &mut Transition) {
        let range = self.ranges[index].clone();
        let depth = self.size.depth;
        let vocabulary = self.vocabulary(readable);
        let own = Term::symbol(self.system.variables[index].current.clone());
        let value = match &range {
            Range::Truth if self.random.percent(40) => own.not(),
            Range::Truth => vocabulary.formula(depth, self.random),
            Range::Integers(..) if self.random.percent(50) => {
                let step = *self.random.pick(&[1, 1, 1, 2, -1, -1, -2]);
                apply(Operator::Add, vec![own, Term::int(step)])
            }
            _ if self.random.percent(30) => range.value(self.random),
            _ => vocabulary.number(range.sort(), depth, self.random),
        };
        let value = match &range {
            Range::Integers(low, high) if self.random.percent(40) => {
                let (low, high) = (Term::int(*low), Term::int(*high));
                let capped = value.clone().less(high.clone()).ite(value.clone(), high);
                value.less(low.clone()).ite(low, capped)
            }
            Range::Integers(low, high) if self.with_divisions && self.random.percent(40) => {
                let remainder = apply(Operator::Modulo, vec![value, Term::int(high - low + 1)]);
                apply(Operator::Add, vec![Term::int(*low), remainder])
            }
            _ => {
                let bounds = range.contains(&value);
                transition.guard.push(Conjunct::of_system(bounds));
                value
            }
        };
        transition.updates.push(Update {
            variable: index,
            value,
            process: None,
        });
    }

    /// That some variables do not have certain values, all at once.
    fn property(&mut self) -> Term {
        let mut readable = self.current();
        let mut premise = Vec::new();
        if !self.system.inputs.is_empty() && self.random.percent(20) {
            let index = self.random.below(self.system.inputs.len());
            let symbol = self.system.inputs[index].symbol.clone();
            premise.push(self.input_ranges[index].contains(&Term::symbol(symbol.clone())));
            readable.push(symbol);
        }
        if self.random.percent(3) {
            return Term::bool(self.random.percent(50));
        }
        let bad = if self.random.percent(50) {
            let vocabulary = self.vocabulary(&readable);
            let count = 1 + self.random.below(3);
            let literals = (0..count).map(|_| vocabulary.literal(1, self.random));
            Term::and(literals.collect::<Vec<Term>>())
        } else {
            let equations = (0..self.ranges.len()).map(|index| {
                let variable = Term::symbol(self.system.variables[index].current.clone());
                variable.equals(self.ranges[index].value(self.random))
            });
            Term::and(equations.collect::<Vec<Term>>())
        };
        Term::and(premise.into_iter().chain([bad])).not()
    }

    fn candidates(&self) -> Candidates {
        let variables = self.system.variables.iter().map(StateVariable::name);
        let inputs = self.system.inputs.iter().map(|input| input.symbol.name());
        let ranges = self.ranges.iter().chain(&self.input_ranges);
        let names = variables.chain(inputs).map(str::to_owned);
        names.zip(ranges.map(Range::values)).collect()
    }

    /// The sample, if the system is small enough. The property is one that is violated, or not, if such a one is found soon.
    fn finish(mut self, wants_violation: bool) -> Option<Sample> {
        if self.random.percent(30) {
            let symbols = self.current();
            let hint = self.vocabulary(&symbols).literal(1, self.random);
            self.system.hints.push(hint);
        }
        let candidates = self.candidates();
        let reached = Explorer::new(&self.system, &candidates).reach(MOST_STATES)?;
        let diameter = reached.distances.iter().copied().max().unwrap_or(0);
        if self.size.variables > 2 && diameter < 3 && self.random.percent(75) {
            return None;
        }
        let mut violation = None;
        for _ in 0..12 {
            let property = Property {
                index: 0,
                name: "p".to_owned(),
                formula: self.property(),
                position: None,
            };
            let explorer = Explorer::new(&self.system, &candidates);
            violation = explorer.violation(&reached, &property);
            self.system.properties = vec![property];
            let is_wanted = match violation {
                Some(steps) => wants_violation && steps > 0,
                None => !wants_violation,
            };
            if is_wanted {
                break;
            }
        }
        Some(Sample {
            diameter,
            system: disguised(self.system, self.random),
            violation,
        })
    }
}

/// The same system, perhaps in another form.
fn disguised(mut system: System, random: &mut Random) -> System {
    match random.below(4) {
        // Nothing says what is guard, update or frame.
        0 => {
            for index in 0..system.transitions.len() {
                if random.percent(50) {
                    let transition = &system.transitions[index];
                    let formula = transition.formula(&system);
                    let (name, inputs) = (transition.name.clone(), transition.inputs.clone());
                    system.transitions[index] = Transition::from_relation(name, formula, inputs);
                }
            }
            system
        }
        // What the front end makes of the text; without names, it has to find the transitions itself.
        1 | 2 => {
            let mut text = write_vmt(&system);
            if random.percent(50) {
                text = text.replace(".transition.", "anonymous.");
            }
            Vmt::DEFAULT
                .read(&Source::new("sample.vmt", text), &Options::default())
                .map(|it| it.flat())
                .unwrap_or_else(|faults| panic!("{faults}"))
        }
        _ => system,
    }
}
