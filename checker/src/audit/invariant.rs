//! Reading another tool's invariant: functions in SMT-LIB, annotated formulas in VMT-LIB, or a model of Horn clauses.
//!
//! All three are lists of definitions. Formulas that are annotated `:invar-property` are the invariant if there are any; otherwise it is
//! the conjunction of all functions to Bool that no other definition uses. Whatever is read mentions state variables only, whose names
//! are those of the system: a parameter stands for the variable of its name, or, when no parameter has the name of a variable,
//! parameters stand for the variables one by one in the order in which the system declares them. Anything between the two is refused.
//!
//! If the system was made from Horn clauses and the file defines some of their predicates, it is a model: each parameter stands for
//! the variable that has the predicate's argument of that position, whatever it is called, and the definition holds in the states
//! that mention the predicate.

use super::functions::{Function, Functions};
use rustc_hash::FxHashSet;
use slabcert_certificates::smtlib::{
    Position, ReadError, Sexpr, before_exit, parameter_name, print_symbol, read_sexprs,
};
use slabcert_certificates::system::{SymbolRole, System};
use slabcert_certificates::term::{Operator, Sort, Substitution, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// The most conjuncts of an invariant.
pub const MAXIMAL_CONJUNCTS: usize = 100_000;

/// A conjunct of an invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvariantConjunct {
    /// The function or definition that it is part of.
    pub name: String,
    /// Where it begins in the file.
    pub position: Position,
    /// The formula, over the state variables of the system.
    pub formula: Term,
}

/// An invariant, as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// The conjuncts in the order of the file, each once.
    pub conjuncts: Vec<InvariantConjunct>,
    /// How the file was understood, where that is not plain.
    pub notes: Vec<String>,
}

impl Invariant {
    /// Reads an invariant for a system.
    ///
    /// # Errors
    /// At the first position that is malformed, ill-sorted, not supported, or ambiguous.
    pub fn read(text: &str, system: &System) -> Result<Invariant, ReadError> {
        let commands = before_exit(read_sexprs(text)?)?;
        let functions = Functions::read(&commands, system)?;
        let mut reading = Reading {
            system,
            seen: FxHashSet::default(),
            conjuncts: Vec::new(),
            notes: Vec::new(),
        };
        reading.take(&functions)?;
        Ok(Invariant {
            conjuncts: reading.conjuncts,
            notes: reading.notes,
        })
    }

    /// The conjuncts' formulas.
    pub fn formulas(&self) -> Vec<Term> {
        let conjuncts = self.conjuncts.iter();
        conjuncts.map(|conjunct| conjunct.formula.clone()).collect()
    }
}

struct Reading<'a> {
    system: &'a System,
    seen: FxHashSet<Term>,
    conjuncts: Vec<InvariantConjunct>,
    notes: Vec<String>,
}

impl Reading<'_> {
    /// The definitions that are the invariant.
    fn take(&mut self, functions: &Functions<'_>) -> Result<(), ReadError> {
        let annotated: Vec<&Function<'_>> = functions.annotated().collect();
        if annotated.is_empty() && functions.of_predicates(self.system).next().is_some() {
            return self.take_model(functions);
        }
        let chosen = if annotated.is_empty() {
            let is_model = functions.roots().any(|root| !root.parameters.is_empty());
            let (constant, chosen): (Vec<_>, Vec<_>) = functions
                .roots()
                .partition(|root| is_model && is_constant(root));
            for function in constant {
                self.notes.push(format!(
                    "`{}` is {} in every state: it is taken for the predicate of a query and left out",
                    function.name, function.body
                ));
            }
            chosen
        } else {
            annotated
        };
        if chosen.is_empty() {
            return Err(ReadError::malformed(
                Position { line: 1, column: 1 },
                "there is no invariant: neither a function to Bool, as in `(define-fun invariant () Bool ...)`, nor a formula that is annotated `:invar-property`",
            ));
        }
        for function in chosen {
            let arguments = self.arguments(function)?;
            self.function(function, &arguments, &Term::bool(true))?;
        }
        Ok(())
    }

    /// What a model says of the predicates.
    fn take_model(&mut self, functions: &Functions<'_>) -> Result<(), ReadError> {
        let system = self.system;
        for (function, predicate) in functions.of_predicates(system) {
            if function.body.sort() != Sort::Bool {
                return Err(ReadError::malformed(
                    function.position,
                    format!(
                        "`{}` is a predicate of the system, but has sort {} here",
                        function.name,
                        function.body.sort()
                    ),
                ));
            }
            let (given, taken) = (function.parameters.len(), predicate.arguments.len());
            if given != taken {
                return Err(ReadError::malformed(
                    function.position,
                    format!(
                        "the predicate `{}` has {taken} arguments, but {given} parameters here",
                        function.name
                    ),
                ));
            }
            let arguments = self.stand_for(function, &predicate.arguments)?;
            if given > 0 {
                self.note_order(function, &predicate.arguments, "by position");
            }
            self.function(function, &arguments, &predicate.location)?;
        }
        let defined: BTreeSet<&str> = functions
            .of_predicates(system)
            .map(|(function, _)| function.name)
            .collect();
        let others = functions.roots().map(|root| root.name);
        let left_out = others.filter(|name| !defined.contains(name)).map(|name| {
            format!("`{name}` is not a predicate of the system's clauses and is left out")
        });
        let missing = system.predicates.iter().map(|it| it.name.as_str());
        let missing = missing
            .filter(|name| !defined.contains(name))
            .map(|name| format!("the predicate `{name}` is not defined and taken for true"));
        self.notes.extend(left_out.chain(missing));
        Ok(())
    }

    /// Adds the conjuncts of a function, each restricted to the states of its predicate.
    fn function(
        &mut self,
        function: &Function<'_>,
        arguments: &Substitution,
        location: &Term,
    ) -> Result<(), ReadError> {
        let body = function.body.substitute(arguments);
        self.check_symbols(function, &body)?;
        let mut waiting = vec![(function.source, body)];
        // The conjuncts come out in the order of the file.
        while let Some((source, term)) = waiting.pop() {
            let parts = match inner(source).as_list() {
                Some(elements) if inner(source).head() == Some("and") => &elements[1..],
                _ => &[],
            };
            match term.as_application() {
                Some((Operator::And, terms)) if terms.len() == parts.len() => {
                    waiting.extend(parts.iter().zip(terms.iter().cloned()).rev());
                }
                _ => {
                    for conjunct in term.conjuncts() {
                        let formula = location.clone().implies(conjunct);
                        self.conjunct(function, inner(source).position, formula)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn conjunct(
        &mut self,
        function: &Function<'_>,
        position: Position,
        formula: Term,
    ) -> Result<(), ReadError> {
        if !self.seen.insert(formula.clone()) {
            return Ok(());
        }
        if self.conjuncts.len() >= MAXIMAL_CONJUNCTS {
            return Err(ReadError::malformed(
                position,
                format!("the invariant has more than {MAXIMAL_CONJUNCTS} conjuncts"),
            ));
        }
        self.conjuncts.push(InvariantConjunct {
            name: function.name.to_owned(),
            position,
            formula,
        });
        Ok(())
    }

    /// What the parameters of a function stand for.
    fn arguments(&mut self, function: &Function<'_>) -> Result<Substitution, ReadError> {
        let variables = &self.system.variables;
        let indices = self.system.variable_indices();
        let named: Vec<Option<usize>> = function
            .parameters
            .iter()
            .map(|(parameter, _)| indices.get(parameter_name(parameter)).copied())
            .collect();
        self.check_parameters(function)?;
        let locations: Vec<usize> = if named.iter().all(Option::is_some) {
            named.into_iter().flatten().collect()
        } else if named.iter().all(Option::is_none) {
            if named.len() != variables.len() {
                return Err(ReadError::malformed(
                    function.position,
                    format!(
                        "no parameter of `{}` has the name of a state variable, and their number, {}, is not that of the state variables, {}; either name all of them as the system does, or give one for each variable in the order of its declarations ({})",
                        function.name,
                        named.len(),
                        variables.len(),
                        listed(variables.iter().map(|variable| variable.name()))
                    ),
                ));
            }
            let locations: Vec<usize> = (0..variables.len()).collect();
            self.note_order(function, &locations, "in the order of their declarations");
            locations
        } else {
            return Err(self.ambiguous(function, &named));
        };
        self.stand_for(function, &locations)
    }

    /// Notes what parameters are taken for.
    fn note_order(&mut self, function: &Function<'_>, locations: &[usize], how: &str) {
        let parameters = function.parameters.iter().zip(locations);
        let pairs = parameters.map(|((parameter, _), &location)| {
            let variable = self.system.variables[location].name();
            format!("{} is {variable}", parameter_name(parameter))
        });
        let note = format!(
            "the parameters of `{}` are taken for the state variables {how}: {}",
            function.name,
            listed(pairs)
        );
        self.notes.push(note);
    }

    /// The variables of these positions for the parameters of a function, one by one.
    fn stand_for(
        &self,
        function: &Function<'_>,
        locations: &[usize],
    ) -> Result<Substitution, ReadError> {
        let mut arguments = Substitution::default();
        for ((parameter, position), &location) in function.parameters.iter().zip(locations) {
            let variable = &self.system.variables[location].current;
            if parameter.sort() != variable.sort() {
                return Err(ReadError::malformed(
                    *position,
                    format!(
                        "the parameter `{}` of `{}` has sort {}, but the state variable {} that it stands for has sort {}",
                        parameter_name(parameter),
                        function.name,
                        parameter.sort(),
                        print_symbol(variable.name()),
                        variable.sort()
                    ),
                ));
            }
            arguments.insert(parameter.clone(), Term::symbol(variable.clone()));
        }
        Ok(arguments)
    }

    /// A parameter with the name of an input or of a next value stands for no state variable, at whatever position.
    fn check_parameters(&self, function: &Function<'_>) -> Result<(), ReadError> {
        let roles = self.system.symbol_roles();
        let others: BTreeMap<&str, String> = roles
            .iter()
            .filter_map(|(symbol, role)| Some((symbol.name(), self.no_state(Some(role))?)))
            .collect();
        let mut parameters = function.parameters.iter();
        let strange = parameters.find_map(|(parameter, position)| {
            let name = parameter_name(parameter);
            Some((name, *position, others.get(name)?))
        });
        match strange {
            None => Ok(()),
            Some((name, position, what)) => Err(ReadError::malformed(
                position,
                format!(
                    "the parameter `{name}` of `{}` cannot stand for a state variable: {} {what}",
                    function.name,
                    print_symbol(name)
                ),
            )),
        }
    }

    /// What a symbol is that is not a state variable.
    fn no_state(&self, role: Option<&SymbolRole>) -> Option<String> {
        match role {
            Some(SymbolRole::Current(_)) => None,
            Some(SymbolRole::Next(index)) => Some(format!(
                "is the next value of {}",
                print_symbol(self.system.variables[*index].name())
            )),
            Some(SymbolRole::Input(_)) => Some("is an input".to_owned()),
            None => Some("is not a variable of the system".to_owned()),
        }
    }

    fn ambiguous(&self, function: &Function<'_>, named: &[Option<usize>]) -> ReadError {
        let parameters = function.parameters.iter().zip(named);
        let mut strange = parameters.filter(|(_, location)| location.is_none());
        let (name, position) = strange
            .next()
            .map_or(("", function.position), |((parameter, position), _)| {
                (parameter_name(parameter), *position)
            });
        ReadError::malformed(
            position,
            format!(
                "some parameters of `{}` have the names of state variables, but `{name}` does not: which parameter stands for which variable is ambiguous; name all of them as the system does ({})",
                function.name,
                listed(self.system.variables.iter().map(|variable| variable.name()))
            ),
        )
    }

    /// An invariant is about states: inputs and next values have no business in it.
    fn check_symbols(&self, function: &Function<'_>, body: &Term) -> Result<(), ReadError> {
        let roles = self.system.symbol_roles();
        for symbol in body.symbols() {
            let Some(what) = self.no_state(roles.get(&symbol)) else {
                continue;
            };
            return Err(ReadError::malformed(
                mention(function.source, &symbol).unwrap_or(function.position),
                format!(
                    "{} {what}; an invariant mentions state variables only",
                    print_symbol(symbol.name())
                ),
            ));
        }
        Ok(())
    }
}

/// A function without parameters that says the same about every state.
fn is_constant(function: &Function<'_>) -> bool {
    function.parameters.is_empty() && function.body.as_constant().is_some()
}

/// What is inside of annotations and bindings.
fn inner(mut source: &Sexpr) -> &Sexpr {
    loop {
        source = match (source.head(), source.as_list()) {
            (Some("!"), Some([_, term, ..])) => term,
            (Some("let"), Some([_, _, body])) => body,
            _ => return source,
        };
    }
}

/// Where a symbol is mentioned first.
fn mention(source: &Sexpr, symbol: &Symbol) -> Option<Position> {
    let mut waiting = vec![source];
    while let Some(expression) = waiting.pop() {
        if expression.as_symbol() == Some(symbol.name()) {
            return Some(expression.position);
        }
        waiting.extend(expression.as_list().unwrap_or_default().iter().rev());
    }
    None
}

/// How many names a message lists.
const LISTED_NAMES: usize = 12;

fn listed<T: AsRef<str>>(names: impl ExactSizeIterator<Item = T>) -> String {
    let count = names.len();
    let mut shown: Vec<String> = names
        .take(LISTED_NAMES)
        .map(|name| name.as_ref().to_owned())
        .collect();
    if count > LISTED_NAMES {
        shown.push(format!("and {} more", count - LISTED_NAMES));
    }
    shown.join(", ")
}
