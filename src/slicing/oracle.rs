//! Queries about labels, flags and edges: exact, with a state or step that shows the possibility, and with cores of refutations that
//! answer later queries without a solver.
//!
//! The exact solver of `arithmetic` answers first; what it does not finish goes to a fallback solver if there is one. Giving up is an
//! answer too ([`OracleAnswer::Undecided`]): the graph keeps what nobody refuted.

use super::encoded::EncodedSystem;
use super::graph::TransitionIndex;
use super::predicates::{Label, Literal, LiteralSet, PredicateTable};
use super::witness::{Point, StepWitness};
use crate::arithmetic::{Constraint, Formula, Limits, LinearModel, Outcome, solve};
use crate::solvers::{Outcome as SolverOutcome, Solver, StopCause, StopSignal, budgets};
use rustc_hash::FxHashMap;
use slabcert_certificates::term::Term;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The search was told to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Stopped(pub StopCause);

/// What is known about a possibility.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OracleAnswer<T> {
    /// It is possible, and this shows it.
    Possible(T),
    /// It is impossible: a query was refuted.
    Impossible,
    /// No solver could tell.
    Undecided,
}

/// How many queries were asked, and how they were answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct OracleCounts {
    /// Queries about labels and flags.
    pub about_states: u64,
    /// Queries about transitions of edges.
    pub about_steps: u64,
    /// Queries answered by an earlier refutation.
    pub answered_by_core: u64,
    /// Queries that the exact solver answered.
    pub answered_exactly: u64,
    /// Queries that the fallback solver answered.
    pub answered_by_fallback: u64,
    /// Queries that nobody could answer.
    pub undecided: u64,
}

/// A refuted combination of literals before and after a transition.
struct StepCore {
    before: LiteralSet,
    after: LiteralSet,
}

/// Which state of a system a query is about, besides the label.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Aspect {
    Any,
    Initial,
    Error,
}

/// How much work one query of the exact solver may cost. Beyond it a general solver is faster.
const QUERY_LIMITS: Limits = Limits {
    steps: budgets::EXACT_LABELS,
    depth: 300,
};

/// Answers the rules' queries about one encoded system.
pub struct Oracle<'a> {
    system: &'a EncodedSystem,
    predicates: PredicateTable,
    fallback: Option<&'a mut dyn Solver>,
    stop: StopSignal,
    interrupt: Arc<AtomicBool>,
    label_cores: FxHashMap<Aspect, Vec<LiteralSet>>,
    step_cores: Vec<Vec<StepCore>>,
    preimages: FxHashMap<(TransitionIndex, Literal), Option<Formula>>,
    counts: OracleCounts,
}

/// Where a constraint of a query comes from, so that a core gives its literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConstraintOrigin {
    /// A literal of the label that holds before the step.
    Before(Literal),
    /// A literal of the label that is to hold after it.
    After(Literal),
    /// The system.
    System,
}

/// A query: constraints that are numbered from 0, and where each comes from.
#[derive(Default)]
struct Query {
    constraints: Vec<Constraint>,
    origins: Vec<ConstraintOrigin>,
}

impl Query {
    fn push(&mut self, origin: ConstraintOrigin, formula: Formula) {
        self.constraints.push(Constraint {
            formula,
            partition: 0,
            id: self.origins.len(),
        });
        self.origins.push(origin);
    }

    fn extend_by_system(&mut self, formulas: &[Formula]) {
        for formula in formulas {
            self.push(ConstraintOrigin::System, formula.clone());
        }
    }
}

impl<'a> Oracle<'a> {
    /// An oracle without knowledge.
    pub fn new(
        system: &'a EncodedSystem,
        fallback: Option<&'a mut dyn Solver>,
        stop: StopSignal,
    ) -> Oracle<'a> {
        Oracle {
            system,
            predicates: PredicateTable::default(),
            fallback,
            interrupt: stop.flag(),
            stop,
            label_cores: FxHashMap::default(),
            step_cores: system.transitions().map(|_| Vec::new()).collect(),
            preimages: FxHashMap::default(),
            counts: OracleCounts::default(),
        }
    }

    /// The predicates found so far.
    #[must_use]
    pub fn predicates(&self) -> &PredicateTable {
        &self.predicates
    }

    /// The system that it knows.
    pub fn system(&self) -> &'a EncodedSystem {
        self.system
    }

    /// The predicates found so far, to add more.
    pub fn predicates_mut(&mut self) -> &mut PredicateTable {
        &mut self.predicates
    }

    /// How queries were answered.
    #[must_use]
    pub fn counts(&self) -> OracleCounts {
        self.counts
    }

    /// Whether a literal holds in a state; `None` when it is about more than the state variables' own values.
    #[must_use]
    pub fn holds_at(&self, literal: Literal, point: &Point) -> Option<bool> {
        let formula = self.predicates.formula(literal);
        self.system
            .is_plain(formula)
            .then(|| formula.evaluate(point))
    }

    /// Whether the label has a state.
    ///
    /// # Errors
    /// When the search is to stop.
    pub fn label(&mut self, label: &Label) -> Result<OracleAnswer<Rc<Point>>, Stopped> {
        self.query(label, Aspect::Any)
    }

    /// Whether the label has an initial state.
    ///
    /// # Errors
    /// When the search is to stop.
    pub fn initial(&mut self, label: &Label) -> Result<OracleAnswer<Rc<Point>>, Stopped> {
        self.query(label, Aspect::Initial)
    }

    /// Whether the label has a state that violates the property.
    ///
    /// # Errors
    /// When the search is to stop.
    pub fn error(&mut self, label: &Label) -> Result<OracleAnswer<Rc<Point>>, Stopped> {
        self.query(label, Aspect::Error)
    }

    /// Whether the label has a state in which the literal holds; yes if nobody can tell.
    ///
    /// # Errors
    /// When the search is to stop.
    pub fn is_consistent(&mut self, label: &[Literal], literal: Literal) -> Result<bool, Stopped> {
        let mut extended = label.to_vec();
        extended.push(literal);
        let answer = self.query(&Label::of(extended), Aspect::Any)?;
        Ok(!matches!(answer, OracleAnswer::Impossible))
    }

    fn query(&mut self, label: &Label, aspect: Aspect) -> Result<OracleAnswer<Rc<Point>>, Stopped> {
        self.stop.check().map_err(Stopped)?;
        self.counts.about_states += 1;
        for known in [Aspect::Any, aspect] {
            if let Some(cores) = self.label_cores.get(&known)
                && cores.iter().any(|core| core.is_subset(label.set()))
            {
                self.counts.answered_by_core += 1;
                return Ok(OracleAnswer::Impossible);
            }
        }
        let mut query = self.label_query(label);
        let rest: &[Formula] = match aspect {
            Aspect::Any => &[],
            Aspect::Initial => self.system.init(),
            Aspect::Error => self.system.error(),
        };
        query.extend_by_system(rest);
        Ok(match self.ask(&query) {
            Raw::Satisfiable(model) => OracleAnswer::Possible(Rc::new(self.system.point(&model))),
            Raw::Unknown => OracleAnswer::Undecided,
            Raw::Unsatisfiable(core) => {
                let core = literals_before(&core);
                self.label_cores.entry(aspect).or_default().push(core);
                OracleAnswer::Impossible
            }
        })
    }

    /// Whether the transition leads from a state of the one label to a state of the other.
    ///
    /// # Errors
    /// When the search is to stop.
    pub fn step(
        &mut self,
        from: &Label,
        transition: TransitionIndex,
        to: &Label,
    ) -> Result<OracleAnswer<Rc<StepWitness>>, Stopped> {
        self.stop.check().map_err(Stopped)?;
        self.counts.about_steps += 1;
        let cores = &mut self.step_cores[transition.0];
        let known = cores
            .iter()
            .position(|core| core.before.is_subset(from.set()) && core.after.is_subset(to.set()));
        if let Some(position) = known {
            // What refuted once tends to refute again.
            cores.swap(position, position / 2);
            self.counts.answered_by_core += 1;
            return Ok(OracleAnswer::Impossible);
        }
        let mut query = self.label_query(from);
        let encoded = self.system.transition(transition);
        query.extend_by_system(&encoded.condition);
        for literal in to.iter() {
            match self.preimage(transition, *literal) {
                Some(formula) => query.push(ConstraintOrigin::After(*literal), formula),
                None => {
                    self.counts.undecided += 1;
                    return Ok(OracleAnswer::Undecided);
                }
            }
        }
        Ok(match self.ask(&query) {
            Raw::Satisfiable(model) => {
                let before = self.system.point(&model);
                let after = self.system.point_after(transition, &model);
                OracleAnswer::Possible(Rc::new(StepWitness { before, after }))
            }
            Raw::Unknown => OracleAnswer::Undecided,
            Raw::Unsatisfiable(core) => {
                self.step_cores[transition.0].push(StepCore {
                    before: literals_before(&core),
                    after: literals_after(&core),
                });
                OracleAnswer::Impossible
            }
        })
    }

    fn label_query(&self, label: &[Literal]) -> Query {
        let mut query = Query::default();
        for literal in label {
            let formula = self.system.closed(self.predicates.formula(*literal));
            query.push(ConstraintOrigin::Before(*literal), formula);
        }
        query
    }

    /// What must hold before the transition for the literal to hold after it.
    fn preimage(&mut self, transition: TransitionIndex, literal: Literal) -> Option<Formula> {
        if let Some(known) = self.preimages.get(&(transition, literal)) {
            return known.clone();
        }
        let formula = self.predicates.formula(literal);
        let preimage = self.system.preimage(transition, formula);
        self.preimages
            .insert((transition, literal), preimage.clone());
        preimage
    }

    fn ask(&mut self, query: &Query) -> Raw {
        match solve(
            &query.constraints,
            self.system.sorts(),
            QUERY_LIMITS,
            &self.interrupt,
        ) {
            Outcome::Satisfiable(model) => {
                self.counts.answered_exactly += 1;
                Raw::Satisfiable(model)
            }
            Outcome::Unsatisfiable(proof) => {
                self.counts.answered_exactly += 1;
                let core = proof.core().into_iter();
                Raw::Unsatisfiable(core.map(|id| query.origins[id]).collect())
            }
            Outcome::Unknown(_) => {
                let answer = self.ask_fallback(query);
                match answer {
                    Raw::Unknown => self.counts.undecided += 1,
                    _ => self.counts.answered_by_fallback += 1,
                }
                answer
            }
        }
    }

    fn ask_fallback(&mut self, query: &Query) -> Raw {
        let Some(solver) = self.fallback.as_mut() else {
            return Raw::Unknown;
        };
        let assumptions: Vec<Term> = query
            .constraints
            .iter()
            .map(|constraint| self.system.term(&constraint.formula))
            .collect();
        match solver.check_assuming(&assumptions) {
            SolverOutcome::Satisfiable(model) => {
                let variables = query
                    .constraints
                    .iter()
                    .flat_map(|constraint| constraint.formula.variables());
                match self.system.read_model(&model, variables) {
                    Some(model) => Raw::Satisfiable(model),
                    None => Raw::Unknown,
                }
            }
            SolverOutcome::Unsatisfiable(core) => {
                Raw::Unsatisfiable(core.into_iter().map(|index| query.origins[index]).collect())
            }
            SolverOutcome::Unknown(_) => Raw::Unknown,
        }
    }
}

/// An answer as it comes from a solver, with the origins of the core's constraints.
enum Raw {
    Satisfiable(LinearModel),
    Unsatisfiable(Vec<ConstraintOrigin>),
    Unknown,
}

fn literals_before(core: &[ConstraintOrigin]) -> LiteralSet {
    LiteralSet::of(core.iter().filter_map(|origin| match origin {
        ConstraintOrigin::Before(literal) => Some(*literal),
        ConstraintOrigin::After(_) | ConstraintOrigin::System => None,
    }))
}

fn literals_after(core: &[ConstraintOrigin]) -> LiteralSet {
    LiteralSet::of(core.iter().filter_map(|origin| match origin {
        ConstraintOrigin::After(literal) => Some(*literal),
        ConstraintOrigin::Before(_) | ConstraintOrigin::System => None,
    }))
}
