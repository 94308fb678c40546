//! Z3 as a [`Solver`].
//!
//! Z3's programming interface ignores wrong option names in silence, so options are set once here and tests show that each
//! has its effect.
//!
//! As long as everything is linear, Z3 is told so. It then leaves out theories that it would otherwise look after in every query by
//! visiting all that is asserted, which makes many small queries two to three times as slow.

use super::encoding::Encoder;
use super::session::Session;
use super::{
    Budget, Outcome, Solver, SolverError, SolverModel, StopSignal, UnknownReason, decoding,
};
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

/// The logic that Z3 prepares for while everything is linear. It takes integers and mixed formulas as well.
const LINEAR_LOGIC: &str = "QF_LRA";

/// An incremental Z3 solver. It belongs to the thread of its session.
pub struct Z3Solver {
    solver: z3::Solver,
    stop: StopSignal,
    encoder: Rc<RefCell<Encoder>>,
    options: Z3Options,
    budget: Budget,
    linear: bool,
    /// For each open scope and the outermost: what is asserted, as long as everything is linear.
    asserted: Vec<Vec<Bool>>,
    /// For each open scope and the outermost: literals that stand for assumptions that are not literals themselves.
    proxies: Vec<FxHashMap<Term, Bool>>,
    failure: Option<SolverError>,
}

impl Z3Solver {
    pub(super) fn new(session: &Session, options: &Z3Options) -> Z3Solver {
        let linear = (!session.encoder.borrow().is_beyond_linear())
            .then(|| z3::Solver::new_for_logic(LINEAR_LOGIC))
            .flatten();
        let made = Z3Solver {
            linear: linear.is_some(),
            solver: linear.unwrap_or_default(),
            budget: Budget::default(),
            asserted: vec![Vec::new()],
            stop: session.stop.clone(),
            encoder: Rc::clone(&session.encoder),
            options: options.clone(),
            proxies: vec![FxHashMap::default()],
            failure: None,
        };
        made.configure();
        made
    }

    fn configure(&self) {
        let mut parameters = Params::new();
        // Ctrl-C belongs to the program, which stops the session.
        parameters.set_bool("ctrl_c", false);
        parameters.set_bool("core.minimize", self.options.minimal_cores);
        // Models have no functions that would become shorter.
        parameters.set_bool("model.compact", false);
        // Quantifier-free formulas have no need of it, and searching for runs is up to twice as fast without.
        parameters.set_u32("relevancy", 0);
        set_budget(&mut parameters, self.budget);
        self.solver.set_params(&parameters);
    }

    fn encode(&mut self, term: &Term) -> Option<Bool> {
        let encoded = self.encoder.borrow_mut().encode_bool(term);
        if self.linear && self.encoder.borrow().is_beyond_linear() {
            self.leave_linear_logic();
        }
        encoded.map_err(|error| self.failure = Some(error)).ok()
    }

    /// Goes on with a solver for all theories, which knows what this one knew.
    fn leave_linear_logic(&mut self) {
        self.linear = false;
        self.solver = z3::Solver::new();
        self.configure();
        for (depth, scope) in std::mem::take(&mut self.asserted).into_iter().enumerate() {
            if depth > 0 {
                self.solver.push();
            }
            for formula in scope {
                self.solver.assert(formula);
            }
        }
    }

    fn assert_encoded(&mut self, formula: Bool) {
        if self.linear
            && let Some(scope) = self.asserted.last_mut()
        {
            scope.push(formula.clone());
        }
        self.solver.assert(formula);
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
        self.assert_encoded(proxy.implies(&meaning));
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

/// Sets the limit of steps, or takes it away.
pub(super) fn set_budget(parameters: &mut Params, budget: Budget) {
    // In Z3 zero steps mean no limit.
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
        if self.linear {
            self.asserted.push(Vec::new());
        }
    }

    fn pop(&mut self) {
        if self.proxies.len() > 1 {
            self.solver.pop(1);
            self.proxies.pop();
            if self.linear {
                self.asserted.pop();
            }
        }
    }

    fn assert(&mut self, formula: &Term) {
        if let Some(encoded) = self.encode(formula) {
            self.assert_encoded(encoded);
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
                Some(model) => Outcome::Satisfiable(SolverModel::new(Z3Model {
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
        self.budget = budget;
        self.configure();
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
