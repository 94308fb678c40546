//! Puts the program together: constants, the root and its components, what is offered, what blocks what, and the properties.

use super::atoms::Atom;
use super::components::Place;
use super::connectors::{Holder, Offer};
use super::packages::{Constants, Merged, prefix};
use super::properties::is_asked;
use super::root::ROOT;
use super::self_loops;
use super::syntax::{Data, Expression, Package};
use super::types::Types;
use super::values::{Environment, Evaluator, Failed, sort_of};
use crate::languages::Options;
use crate::languages::diagnostics::{Category, Diagnostic, Diagnostics};
use crate::languages::source::{Source, Span};
use rustc_hash::FxHashMap;
use slabcert_certificates::fresh::FreshNames;
use slabcert_certificates::program::{BlockingRule, Interaction, Program};
use slabcert_certificates::smtlib::{Position, print_term};
use slabcert_certificates::structure::Origin;
use slabcert_certificates::system::{Input, InputRole, StateVariable};
use slabcert_certificates::term::{Sort, Symbol, Term, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The constant of the command line that says what external functions do: `-D extern=arbitrary`.
const EXTERN: &str = "extern";
/// The value of parameters of types that no component has: none that a divisor would be 0 for.
const ANY: u32 = 1009;
/// The most components of a model.
pub(super) const MOST_COMPONENTS: usize = 10_000;
/// The most interactions that all connectors may have together.
pub(super) const MOST_INTERACTIONS: usize = 1 << 16;

/// The program of a package; faults are added to `faults`, and the program is complete only if there are none.
pub(super) fn build(
    merged: &Merged,
    source: &Source,
    options: &Options,
    faults: &mut Diagnostics,
) -> Option<Program> {
    let package = &merged.package;
    let mut builder = Builder {
        types: Types::of(package),
        source,
        faults,
        is_extern_arbitrary: options
            .constants
            .get(EXTERN)
            .is_some_and(|it| it == "arbitrary"),
        program: Program::default(),
        taken: FreshNames::separated_by(":"),
        atoms: Vec::new(),
        others: merged.others,
        constants: BTreeMap::new(),
        enabled: FxHashMap::default(),
        offered: Vec::new(),
        cycles: Vec::new(),
        connectors: 0,
        interactions: 0,
        components: 0,
        seen: BTreeSet::new(),
        inputs: FxHashMap::default(),
        uninitialised: BTreeMap::new(),
    };
    builder.options(options);
    // What went wrong is among the faults.
    builder.package(merged, options).ok()?;
    Some(builder.program)
}

/// What is built, and what it needs for that.
pub(super) struct Builder<'p, 'f> {
    pub types: Types<'p>,
    pub source: &'p Source,
    pub faults: &'f mut Diagnostics,
    is_extern_arbitrary: bool,
    pub program: Program,
    /// Names of variables, of their partners and of inputs.
    pub taken: FreshNames,
    pub atoms: Vec<Atom<'p>>,
    /// Where the text of other packages begins.
    others: usize,
    /// What the constants that a package knows stand for, by what its types' names begin with.
    constants: BTreeMap<&'p str, Environment>,
    /// Where atoms enable what they offer by a label, as far as it was asked for.
    pub enabled: FxHashMap<(usize, String), Term>,
    /// What can happen.
    pub offered: Vec<Offer<'p>>,
    /// Where rules of priority go round in a circle.
    pub cycles: Vec<Term>,
    /// How many connectors there are.
    pub connectors: usize,
    /// How many interactions all connectors have.
    pub interactions: usize,
    pub components: usize,
    /// The types that some component or connector has.
    pub seen: BTreeSet<&'p str>,
    /// The numbers of the inputs.
    pub inputs: FxHashMap<Symbol, usize>,
    /// What stands for data of connectors that nothing was assigned to.
    pub uninitialised: BTreeMap<Holder, Symbol>,
}

impl<'p> Builder<'p, '_> {
    pub fn fault<T>(
        &mut self,
        category: Category,
        span: Span,
        message: impl Into<String>,
    ) -> Result<T, Failed> {
        self.faults.push(Diagnostic::new(category, span, message));
        Err(Failed)
    }

    pub fn unknown<T>(&mut self, what: &str, name: &super::syntax::Name) -> Result<T, Failed> {
        self.fault(
            Category::Name,
            name.span,
            format!("unknown {what} `{}`", name.text),
        )
    }

    pub fn position(&self, span: Span) -> Option<Position> {
        let start = span.start as usize;
        (start < self.others).then(|| self.source.position(start))
    }

    /// What the constants stand for that the package of a type knows.
    pub fn constants_of(&self, type_name: &str) -> Environment {
        let known = self.constants.get(prefix(type_name));
        known.cloned().unwrap_or_default()
    }

    /// Has something evaluated; arbitrary values are inputs of the program, and returned.
    pub fn evaluate<T>(
        &mut self,
        name: &str,
        evaluate: impl FnOnce(&mut Evaluator<'_>) -> Result<T, Failed>,
    ) -> Result<(T, Vec<usize>), Failed> {
        let mut new = Vec::new();
        let taken = &mut self.taken;
        let mut arbitrary = |sort: Sort| {
            let symbol = Symbol::new(taken.give(&format!("{name}:any")), sort);
            new.push(symbol.clone());
            Term::symbol(symbol)
        };
        let mut evaluator = Evaluator {
            text: self.source.text(),
            functions: &self.types.functions,
            arbitrary: self
                .is_extern_arbitrary
                .then_some(&mut arbitrary as &mut dyn FnMut(Sort) -> Term),
            faults: self.faults,
            copies: 0,
            given: Vec::new(),
        };
        let value = evaluate(&mut evaluator)?;
        let choices = new.iter().map(|symbol| self.input(symbol)).collect();
        Ok((value, choices))
    }

    /// The number of an input.
    pub fn input(&mut self, symbol: &Symbol) -> usize {
        let next = self.program.inputs.len();
        let number = *self.inputs.entry(symbol.clone()).or_insert(next);
        if number == next {
            self.program.inputs.push(Input {
                symbol: symbol.clone(),
                role: InputRole::Environment,
            });
        }
        number
    }

    /// A value that depends on no choice.
    pub fn determined(
        &mut self,
        expression: &Expression,
        environment: &Environment,
        sort: Sort,
    ) -> Result<Term, Failed> {
        let (term, choices) = self.evaluate("choice", |evaluator| {
            evaluator.of_sort(expression, environment, sort)
        })?;
        if !choices.is_empty() {
            let message =
                "conditions and constants that depend on external functions are not supported";
            return self.fault(Category::Unsupported, expression.span, message);
        }
        Ok(term)
    }

    /// A constant.
    pub fn constant(
        &mut self,
        expression: &Expression,
        environment: &Environment,
        sort: Sort,
    ) -> Result<Term, Failed> {
        let term = self.determined(expression, environment, sort)?;
        if term.as_constant().is_some() {
            return Ok(term);
        }
        let none = |_: &Symbol| None;
        match term.evaluate(&none) {
            Ok(value) => Ok(Term::constant(value)),
            Err(_) => self.fault(Category::Sort, expression.span, "a constant is wanted"),
        }
    }

    /// A new variable of a process, or of none.
    pub fn variable(&mut self, name: &str, sort: Sort, origin: Option<Origin>) -> usize {
        let name = self.taken.give(name);
        let mut variable = StateVariable::new(&name, sort);
        variable.next = Symbol::new(self.taken.give(&format!("{name}.next")), sort);
        variable.origin = origin;
        self.program.variables.push(variable);
        self.program.variables.len() - 1
    }

    pub fn current(&self, variable: usize) -> Term {
        Term::symbol(self.program.variables[variable].current.clone())
    }

    fn options(&mut self, options: &Options) {
        for (name, value) in &options.constants {
            let fault = match (name.as_str(), value.as_str()) {
                (ROOT, _) | (EXTERN, "arbitrary") => continue,
                (name, _) if is_asked(name) => continue,
                (EXTERN, _) => "`extern` can only be `arbitrary`".to_owned(),
                _ => format!(
                    "a BIP model has no constant `{name}` that can be set; there are `root`, `extern` and `invariant`"
                ),
            };
            self.faults.push(Diagnostic::on_command_line(fault));
        }
    }

    fn package(&mut self, merged: &'p Merged, options: &Options) -> Result<(), Failed> {
        let package = &merged.package;
        for constants in &merged.constants {
            self.package_constants(constants)?;
        }
        self.check_types(package)?;
        let made = self.root(package, options).and_then(|(root, arguments)| {
            self.program.name = root.name.text.to_string();
            let root = self.compound(root, arguments, "", 0)?;
            self.finish(package, &root)
        });
        let program = std::mem::take(&mut self.program);
        self.unused_types(package);
        self.program = program;
        made
    }

    /// Checks the types that the root does not contain as if they were the root, for some values of their parameters.
    fn unused_types(&mut self, package: &'p Package) {
        let compounds = package.compound_types.iter().rev();
        for compound in compounds
            .filter(|it| !self.seen.contains(&*it.name.text))
            .collect::<Vec<_>>()
        {
            if !self.seen.contains(&*compound.name.text) {
                self.forget_program();
                let environment = self.any_arguments(&compound.name.text, &compound.parameters);
                // What is wrong is among the faults.
                let _ = self.compound(compound, environment, "", 0);
            }
        }
        for atom in &package.atom_types {
            if !self.seen.contains(&*atom.name.text) {
                self.forget_program();
                let environment = self.any_arguments(&atom.name.text, &atom.parameters);
                let _ = self.atom(atom, environment, &atom.name.text, atom.name.span);
            }
        }
        for connector in &package.connector_types {
            if !self.seen.contains(&*connector.name.text) {
                self.forget_program();
                let _ = self.try_connector(connector);
            }
        }
    }

    fn forget_program(&mut self) {
        self.program = Program::default();
        self.taken = FreshNames::separated_by(":");
        (self.components, self.interactions) = (0, 0);
        self.atoms.clear();
        self.offered.clear();
        self.inputs.clear();
        self.uninitialised.clear();
        self.enabled.clear();
    }

    /// Some values for parameters.
    fn any_arguments(&self, type_name: &str, parameters: &'p [Data]) -> Environment {
        let mut environment = self.constants_of(type_name);
        for parameter in parameters {
            let value = match sort_of(parameter.data_type) {
                Some(Sort::Bool) => Term::bool(true),
                Some(Sort::Real) => Term::int(ANY).to_real(),
                _ => Term::int(ANY),
            };
            environment.constant(&parameter.name.text, value);
        }
        environment
    }

    /// The constants that a package knows: those of the packages that it uses, also by their long names, and its own.
    fn package_constants(&mut self, constants: &'p Constants) -> Result<(), Failed> {
        let mut environment = Environment::default();
        for used in &constants.uses {
            let known = self.constants.get(&**used).cloned().unwrap_or_default();
            for name in &constants.names[used] {
                if let Some(slot) = known.values.get(name) {
                    environment.constant(name, slot.value.clone());
                    environment.constant(&format!("{used}.{name}"), slot.value.clone());
                }
            }
        }
        for data in &constants.own {
            let Some(sort) = sort_of(data.data_type) else {
                let message = "constant texts are not supported";
                return self.fault(Category::Unsupported, data.name.span, message);
            };
            let value = self.constant_data(data, sort, &environment);
            environment.constant(&data.name.text, value);
        }
        self.constants.insert(&constants.package, environment);
        Ok(())
    }

    /// The value of constant data; any value if it has a fault, so that what mentions it is looked at.
    pub fn constant_data(&mut self, data: &Data, sort: Sort, environment: &Environment) -> Term {
        let value = match &data.initial {
            Some(initial) => self.constant(initial, environment, sort),
            None => self.fault(
                Category::Value,
                data.name.span,
                "constant data needs a value",
            ),
        };
        value.unwrap_or_else(|Failed| Term::constant(Value::default_of(sort)))
    }

    /// Ports that are not exported fire alone; then everything is numbered.
    fn finish(
        &mut self,
        package: &Package,
        root: &super::components::Compound<'p>,
    ) -> Result<(), Failed> {
        let mut alone = Vec::new();
        for atom in &self.atoms {
            alone.extend(atom.alone());
        }
        self.offered.extend(alone);
        self.interactions()?;
        self.properties(package, root)
    }

    fn interactions(&mut self) -> Result<(), Failed> {
        let mut offers = std::mem::take(&mut self.offered);
        // What can never happen stands for nothing.
        offers.retain(|offer| !offer.guard.iter().any(Term::is_false));
        let mut names = FreshNames::separated_by(":");
        let mut indices: HashMap<String, usize> = HashMap::new();
        let key = |name: &str, participants: &BTreeMap<usize, String>, guard: &[Term]| {
            let guard: Vec<String> = guard.iter().map(print_term).collect();
            format!("{name}\n{participants:?}\n{}", guard.join("\n"))
        };
        for offer in &offers {
            let (transfer, choices) = self.transfer(offer)?;
            indices
                .entry(key(&offer.name, &offer.participants, &offer.guard))
                .or_insert(self.program.interactions.len());
            self.program.interactions.push(Interaction {
                name: names.give(&offer.name),
                participants: offer.participants.clone().into_iter().collect(),
                guard: offer.guard.clone(),
                transfer,
                is_offered: true,
                choices,
                position: self.position(offer.span),
            });
        }
        for (blocked, offer) in offers.iter().enumerate() {
            for (blocker, condition) in &offer.blockers {
                if blocker.guard.iter().any(Term::is_false) {
                    continue;
                }
                let next = self.program.interactions.len();
                let key = key(&blocker.name, &blocker.participants, &blocker.guard);
                let by = *indices.entry(key).or_insert(next);
                if by == next {
                    self.program.interactions.push(Interaction {
                        name: names.give(&format!("{}!", blocker.name)),
                        participants: blocker.participants.clone().into_iter().collect(),
                        guard: blocker.guard.clone(),
                        transfer: Vec::new(),
                        is_offered: false,
                        choices: Vec::new(),
                        position: self.position(offer.span),
                    });
                }
                if by != blocked {
                    self.program.blocking.push(BlockingRule {
                        blocked,
                        by,
                        condition: condition.clone(),
                    });
                }
            }
        }
        self_loops::merge(&mut self.program);
        match self.program.bound_steps() {
            Ok(()) => Ok(()),
            Err(error) => self.fault(Category::Unsupported, Span::default(), error.to_string()),
        }
    }

    /// Holds where a place of an atom is marked.
    pub fn marked(&self, atom: &Atom<'p>, place: &Place) -> Term {
        match place {
            Place::Location(number) => {
                let location = self.program.processes[atom.process].location;
                let location =
                    location.map_or_else(|| Term::int(0), |variable| self.current(variable));
                location.equals(Term::int(*number as u64))
            }
            Place::Marking(variable) => self.current(*variable),
        }
    }
}
