//! Z3 as a [`Solver`].
//!
//! Z3's programming interface ignores wrong option names in silence, so options are set in one place here and tests show that each
//! has its effect.

use super::encoding::Encoder;
use super::session::Session;
use super::stop::StopSignal;
use super::{Budget, Model, Outcome, Solver, SolverError, UnknownReason, decoding};
use rustc_hash::FxHashMap;
use slabcert_certificates::term::{Assignment, Kind, Operator, Sort, Symbol, Term, Value};
use std::cell::RefCell;
use std::rc::Rc;
use z3::ast::{Bool, Dynamic};
use z3::{Params, SatResult};

/// Options of a Z3 solver.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Z3Options {
    /// Whether cores of assumptions are irreducible: no assumption in a core can be left out. Costs further queries.
    pub minimal_cores: bool,
}

/// An incremental Z3 solver. It belongs to the thread of its session.
pub struct Z3Solver {
    solver: z3::Solver,
    stop: StopSignal,
    encoder: Rc<RefCell<Encoder>>,
    options: Z3Options,
    /// For each open scope and the outermost: literals that stand for assumptions that are no literals themselves.
    proxies: Vec<FxHashMap<Term, Bool>>,
    failure: Option<SolverError>,
}

impl Z3Solver {
    pub(super) fn new(session: &Session, options: &Z3Options) -> Z3Solver {
        let made = Z3Solver {
            solver: z3::Solver::new(),
            stop: session.stop.clone(),
            encoder: Rc::clone(&session.encoder),
            options: options.clone(),
            proxies: vec![FxHashMap::default()],
            failure: None,
        };
        made.configure(Budget::default());
        made
    }

    fn configure(&self, budget: Budget) {
        let mut parameters = Params::new();
        // Ctrl-C belongs to the program, which stops the session.
        parameters.set_bool("ctrl_c", false);
        parameters.set_bool("core.minimize", self.options.minimal_cores);
        // Quantifier-free formulas have no need of it, and searching for runs is up to twice as fast without.
        parameters.set_u32("relevancy", 0);
        set_budget(&mut parameters, budget);
        self.solver.set_params(&parameters);
    }

    fn encode(&mut self, term: &Term) -> Option<Bool> {
        let encoded = self.encoder.borrow_mut().encode_bool(term);
        encoded.map_err(|error| self.failure = Some(error)).ok()
    }

    /// A literal that is equivalent to the assumption as far as it is assumed.
    fn literal(&mut self, assumption: &Term) -> Option<Bool> {
        if is_literal(assumption) {
            return self.encode(assumption);
        }
        if let Some(known) = self.proxies.iter().find_map(|scope| scope.get(assumption)) {
            return Some(known.clone());
        }
        let meaning = self.encode(assumption)?;
        let proxy = Bool::fresh_const("assumption");
        self.solver.assert(proxy.implies(&meaning));
        if let Some(scope) = self.proxies.last_mut() {
            scope.insert(assumption.clone(), proxy.clone());
        }
        Some(proxy)
    }

    fn unknown_reason(&self) -> UnknownReason {
        if let Some(cause) = self.stop.cause() {
            return UnknownReason::Stopped(cause);
        }
        let words = self.solver.get_reason_unknown().unwrap_or_default();
        match words.as_str() {
            "timeout" | "canceled" | "max. resource limit exceeded" => UnknownReason::Budget,
            _ => UnknownReason::Incomplete(words),
        }
    }
}

/// Sets limits of time and steps, or takes them away.
pub(super) fn set_budget(parameters: &mut Params, budget: Budget) {
    // In Z3 the greatest number of milliseconds and zero steps mean no limit.
    let milliseconds = budget.time.map_or(u32::MAX, |time| {
        u32::try_from(time.as_millis()).unwrap_or(u32::MAX).max(1)
    });
    parameters.set_u32("timeout", milliseconds);
    parameters.set_u32("rlimit", budget.steps.map_or(0, |steps| steps.max(1)));
}

/// Whether Z3 takes the term as an assumption: a Boolean symbol or its negation.
fn is_literal(term: &Term) -> bool {
    match term.kind() {
        Kind::Symbol(symbol) => symbol.sort() == Sort::Bool,
        Kind::Apply(Operator::Not, arguments) => arguments
            .iter()
            .all(|argument| argument.as_symbol().is_some()),
        _ => false,
    }
}

impl Solver for Z3Solver {
    fn push(&mut self) {
        self.solver.push();
        self.proxies.push(FxHashMap::default());
    }

    fn pop(&mut self) {
        if self.proxies.len() > 1 {
            self.solver.pop(1);
            self.proxies.pop();
        }
    }

    fn assert(&mut self, formula: &Term) {
        if let Some(encoded) = self.encode(formula) {
            self.solver.assert(encoded);
        }
    }

    fn check_assuming(&mut self, assumptions: &[Term]) -> Outcome {
        if let Some(cause) = self.stop.cause() {
            return Outcome::Unknown(UnknownReason::Stopped(cause));
        }
        let literals: Option<Vec<Bool>> = assumptions
            .iter()
            .map(|assumption| self.literal(assumption))
            .collect();
        let literals = match (literals, &self.failure) {
            (Some(literals), None) => literals,
            (_, Some(error)) => {
                return Outcome::Unknown(UnknownReason::Failure(error.clone()));
            }
            (None, None) => return Outcome::Unknown(UnknownReason::Incomplete(String::new())),
        };
        let answer = if literals.is_empty() {
            self.solver.check()
        } else {
            self.solver.check_assumptions(&literals)
        };
        // An interrupted Z3 may answer all the same, and wrongly.
        if let Some(cause) = self.stop.cause() {
            return Outcome::Unknown(UnknownReason::Stopped(cause));
        }
        match answer {
            SatResult::Sat => match self.solver.get_model() {
                Some(model) => Outcome::Satisfiable(Model::new(Z3Model {
                    model,
                    encoder: Rc::clone(&self.encoder),
                })),
                None => Outcome::Unknown(self.unknown_reason()),
            },
            SatResult::Unsat => {
                let core = if literals.is_empty() {
                    Vec::new()
                } else {
                    self.solver.get_unsat_core()
                };
                let in_core = |literal: &Bool| core.iter().any(|other| other.ast_eq(literal));
                let positions = literals
                    .iter()
                    .enumerate()
                    .filter(|(_, literal)| in_core(literal));
                Outcome::Unsatisfiable(positions.map(|(position, _)| position).collect())
            }
            SatResult::Unknown => Outcome::Unknown(self.unknown_reason()),
        }
    }

    fn set_budget(&mut self, budget: Budget) {
        self.configure(budget);
    }
}

/// A Z3 model, read symbol by symbol.
struct Z3Model {
    model: z3::Model,
    encoder: Rc<RefCell<Encoder>>,
}

impl Assignment for Z3Model {
    fn value_of(&self, symbol: &Symbol) -> Option<Value> {
        let constant: Option<Dynamic> = self.encoder.borrow().known_symbol(symbol).cloned();
        match constant {
            Some(constant) => decoding::value(&self.model.eval(&constant, true)?),
            // No formula mentions the symbol, so that any value will do.
            None => Some(Value::default_of(symbol.sort())),
        }
    }
}
