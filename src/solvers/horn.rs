//! Constrained Horn clauses, solved by Spacer, Z3's engine for them (Komuravelli, Gurfinkel and Chaki, *SMT-based model checking
//! for recursive programs*).
//!
//! A clause says: if the constraint and the applications of its body hold, so does its head; a clause without head says that this
//! must not happen. A *solution* interprets the relations so that all clauses hold; a *refutation* derives a contradiction. Invariant:
//! a solution that is given out was checked, clause by clause. Of a refutation only the facts are told, to be replayed by others.

mod text;

pub use text::write_horn;

use super::encoding::{Encoder, z3_sort};
use super::session::Session;
use super::z3::set_budget;
use super::{Budget, Outcome, Solver, SolverError, UnknownReason, answer, decoding};
use slabcert_certificates::term::{Sort, Substitution, Symbol, Term, Value};
use std::collections::BTreeSet;
use z3::ast::{Ast, AstKind, Bool, Dynamic, forall_const};
use z3::{DeclKind, Fixedpoint, FuncDecl, Params, SatResult};

/// An unknown relation, with names for its arguments in which solutions are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HornRelation {
    /// One symbol for each argument, pairwise different.
    pub parameters: Vec<Symbol>,
}

/// A relation applied to arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Application {
    /// The relation, by index in the problem.
    pub relation: usize,
    /// Terms of the parameters' sorts.
    pub arguments: Vec<Term>,
}

/// A clause; all its symbols are universally quantified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// What must hold, besides the constraint.
    pub body: Vec<Application>,
    /// What must hold, in a known theory.
    pub constraint: Term,
    /// What then holds; `None` stands for a contradiction.
    pub head: Option<Application>,
}

/// A set of clauses over unknown relations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HornProblem {
    /// The unknown relations.
    pub relations: Vec<HornRelation>,
    /// The clauses.
    pub clauses: Vec<Clause>,
}

/// Options of the Horn clause solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HornOptions {
    /// Whether relations may be inlined and arguments dropped before solving. Without it, every relation is solved as it stands. A
    /// solution that cannot be told after preprocessing is found again without it.
    pub preprocessing: bool,
    /// Whether lemmas are generalised from several at once (Krishnan, Chen, Shoham and Gurfinkel, *Global guidance for local
    /// generalization in model checking*, 2020). It finds the equations between variables that many loops need, at a small price
    /// elsewhere.
    pub global_guidance: bool,
    /// What the problem may cost.
    pub budget: Budget,
}

impl Default for HornOptions {
    fn default() -> Self {
        HornOptions {
            preprocessing: true,
            global_guidance: false,
            budget: Budget::default(),
        }
    }
}

/// The answer to a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HornOutcome {
    /// For each relation a formula over its parameters; all clauses hold.
    Solved(Vec<Term>),
    /// There is no solution. The facts of a derivation that uses at most one premise in each step, from the first to the last:
    /// relation and arguments. Facts that cannot be read are missing.
    Refuted(Vec<(usize, Vec<Value>)>),
    /// No answer.
    Unknown(UnknownReason),
}

/// The options that make up preprocessing.
pub(super) const PREPROCESSING: [&str; 6] = [
    "xform.inline_eager",
    "xform.inline_linear",
    "xform.slice",
    "xform.coi",
    "xform.subsumption_checker",
    "xform.tail_simplifier_pve",
];

/// The option of [`HornOptions::global_guidance`].
pub(super) const GLOBAL_GUIDANCE: &str = "spacer.global";

fn parameters(options: HornOptions) -> Params {
    let mut parameters = Params::new();
    parameters.set_symbol("engine", "spacer");
    parameters.set_bool("ctrl_c", false);
    if !options.preprocessing {
        for name in PREPROCESSING {
            parameters.set_bool(name, false);
        }
    }
    parameters.set_bool(GLOBAL_GUIDANCE, options.global_guidance);
    set_budget(&mut parameters, options.budget);
    parameters
}

/// A problem as Z3 knows it.
struct Translated {
    engine: Fixedpoint,
    relations: Vec<FuncDecl>,
    contradiction: Bool,
}

impl Session {
    /// Solves a set of clauses.
    pub fn solve_horn(&self, problem: &HornProblem, options: HornOptions) -> HornOutcome {
        if let Some(cause) = self.stop.cause() {
            return HornOutcome::Unknown(UnknownReason::Stopped(cause));
        }
        self.ask_spacer(problem, options)
            .unwrap_or_else(HornOutcome::Unknown)
    }

    fn ask_spacer(
        &self,
        problem: &HornProblem,
        options: HornOptions,
    ) -> Result<HornOutcome, UnknownReason> {
        let translated = translate(&mut self.encoder.borrow_mut(), problem, options)?;
        // The query of a single formula resets what an earlier interruption left behind; the query of relations does not.
        match translated.engine.query(&translated.contradiction) {
            SatResult::Unsat => {
                for solution in self.solutions(problem, &translated) {
                    if self.is_solution(problem, &solution)? {
                        return Ok(HornOutcome::Solved(solution));
                    }
                }
                if options.preprocessing {
                    let as_it_stands = HornOptions {
                        preprocessing: false,
                        ..options
                    };
                    return self.ask_spacer(problem, as_it_stands);
                }
                let words = "its solution of the Horn clauses is none".to_owned();
                Err(UnknownReason::Incomplete(words))
            }
            SatResult::Sat => {
                // Z3 asks a last query for it, and crashes when that one is interrupted.
                let proof = self
                    .undisturbed(|| translated.engine.get_answer())
                    .map_err(UnknownReason::Stopped)?
                    .map(Dynamic::from);
                let facts = proof.map(|proof| derivation(&translated.relations, problem, proof));
                Ok(HornOutcome::Refuted(facts.unwrap_or_default()))
            }
            SatResult::Unknown => {
                if let Some(cause) = self.stop.cause() {
                    return Err(UnknownReason::Stopped(cause));
                }
                // Z3 does not tell which limit it met, nor whether it met one.
                if options.budget == Budget::default() {
                    let words = translated.engine.get_reason_unknown();
                    return Err(UnknownReason::Incomplete(words));
                }
                Err(UnknownReason::Budget)
            }
        }
    }

    /// What Z3 offers as solutions: the relations as Spacer over-approximated them, which is usually simpler, and as the answer
    /// defines them, which also covers relations that preprocessing removed.
    fn solutions(&self, problem: &HornProblem, translated: &Translated) -> Vec<Vec<Term>> {
        let encoder = self.encoder.borrow();
        let mut covers = Vec::new();
        for (relation, declaration) in problem.relations.iter().zip(&translated.relations) {
            let Some(cover) = translated.engine.get_cover_delta(-1, declaration) else {
                continue;
            };
            let parameters: Vec<Term> = relation
                .parameters
                .iter()
                .cloned()
                .map(Term::symbol)
                .collect();
            // What inlining leaves to say about a relation may need quantifiers.
            covers.extend(decoding::term(&encoder, &parameters, &Dynamic::from(cover)).ok());
        }
        let answer = translated.engine.get_answer();
        let text = answer.map(|answer| answer.to_string()).unwrap_or_default();
        let defined: Option<Vec<Term>> = answer::definitions(&problem.relations, &text)
            .into_iter()
            .collect();
        let mut solutions: Vec<Vec<Term>> = defined.into_iter().collect();
        if covers.len() == problem.relations.len() {
            solutions.insert(0, covers);
        }
        solutions
    }

    /// Whether all clauses hold with the relations interpreted so.
    fn is_solution(&self, problem: &HornProblem, solution: &[Term]) -> Result<bool, UnknownReason> {
        let instance = |application: &Application| -> Result<Term, SolverError> {
            let relation = problem
                .relations
                .get(application.relation)
                .ok_or_else(misapplied)?;
            let definition = solution.get(application.relation).ok_or_else(misapplied)?;
            let arguments = application.arguments.iter().cloned();
            let substitution: Substitution =
                relation.parameters.iter().cloned().zip(arguments).collect();
            Ok(definition.substitute(&substitution))
        };
        for clause in &problem.clauses {
            let mut solver = self.solver();
            solver.assert(&clause.constraint);
            for application in &clause.body {
                solver.assert(&instance(application)?);
            }
            if let Some(head) = &clause.head {
                solver.assert(&instance(head)?.not());
            }
            match solver.check() {
                Outcome::Satisfiable(_) => return Ok(false),
                Outcome::Unsatisfiable(_) => {}
                Outcome::Unknown(reason) => return Err(reason),
            }
        }
        Ok(true)
    }
}

fn misapplied() -> SolverError {
    SolverError::Untranslatable("a relation is applied wrongly".to_owned())
}

fn translate(
    encoder: &mut Encoder,
    problem: &HornProblem,
    options: HornOptions,
) -> Result<Translated, SolverError> {
    let engine = Fixedpoint::new();
    engine.set_params(&parameters(options));
    let mut relations = Vec::new();
    for (index, relation) in problem.relations.iter().enumerate() {
        let sorts: Vec<z3::Sort> = relation
            .parameters
            .iter()
            .map(|symbol| z3_sort(symbol.sort()))
            .collect();
        let sorts: Vec<&z3::Sort> = sorts.iter().collect();
        let declaration = FuncDecl::new(relation_name(index), &sorts, &z3::Sort::bool());
        engine.register_relation(&declaration);
        relations.push(declaration);
    }
    let contradiction = FuncDecl::new("contradiction", &[], &z3::Sort::bool());
    engine.register_relation(&contradiction);
    let contradiction = contradiction
        .apply(&[])
        .as_bool()
        .ok_or_else(|| SolverError::Untranslatable("a relation is not a formula".to_owned()))?;
    for clause in &problem.clauses {
        let mut body = Vec::new();
        for application in &clause.body {
            body.push(apply(encoder, &relations, application)?);
        }
        body.push(encoder.encode_bool(&clause.constraint)?);
        let head = match &clause.head {
            Some(application) => apply(encoder, &relations, application)?,
            None => contradiction.clone(),
        };
        let rule = Bool::and(&body).implies(&head);
        let bound: Vec<Dynamic> = clause_symbols(clause)
            .iter()
            .map(|symbol| encoder.symbol(symbol))
            .collect();
        let bound: Vec<&dyn Ast> = bound.iter().map(|constant| constant as &dyn Ast).collect();
        engine.add_rule(&forall_const(&bound, &[], &rule), None);
    }
    Ok(Translated {
        engine,
        relations,
        contradiction,
    })
}

pub(super) fn relation_name(index: usize) -> String {
    format!("relation{index}")
}

fn apply(
    encoder: &mut Encoder,
    relations: &[FuncDecl],
    application: &Application,
) -> Result<Bool, SolverError> {
    let declaration = relations.get(application.relation).ok_or_else(misapplied)?;
    let arguments: Vec<Dynamic> = application
        .arguments
        .iter()
        .map(|argument| encoder.encode(argument))
        .collect::<Result<_, _>>()?;
    // Z3 itself would only report an error that nobody reads.
    let fits = declaration.arity() == arguments.len()
        && (0..)
            .zip(&arguments)
            .all(|(position, argument)| declaration.domain(position) == Some(argument.sort_kind()));
    if !fits {
        return Err(misapplied());
    }
    let arguments: Vec<&dyn Ast> = arguments
        .iter()
        .map(|argument| argument as &dyn Ast)
        .collect();
    declaration
        .apply(&arguments)
        .as_bool()
        .ok_or_else(misapplied)
}

fn clause_symbols(clause: &Clause) -> BTreeSet<Symbol> {
    let applications = clause.body.iter().chain(&clause.head);
    let arguments = applications.flat_map(|application| &application.arguments);
    let mut symbols = clause.constraint.symbols();
    for argument in arguments {
        symbols.extend(argument.symbols());
    }
    symbols
}

/// Reads the facts of a linear derivation off Z3's proof: a nest of hyper-resolution steps, each holding the rule, the proofs of its
/// premises and the fact that it concludes.
fn derivation(
    relations: &[FuncDecl],
    problem: &HornProblem,
    proof: Dynamic,
) -> Vec<(usize, Vec<Value>)> {
    let mut facts = Vec::new();
    let mut current = Some(proof);
    while let Some(step) = current.take() {
        let Ok(declaration) = step.safe_decl() else {
            break;
        };
        let mut children = step.children();
        match declaration.kind() {
            DeclKind::PrModusPonens if !children.is_empty() => {
                current = Some(children.swap_remove(0));
            }
            DeclKind::PrHyperResolve if children.len() >= 2 => {
                facts.extend(
                    children
                        .pop()
                        .and_then(|fact| read_fact(relations, problem, &fact)),
                );
                if children.len() >= 2 {
                    current = Some(children.swap_remove(1));
                }
            }
            _ => {}
        }
    }
    facts.reverse();
    facts
}

fn read_fact(
    relations: &[FuncDecl],
    problem: &HornProblem,
    fact: &Dynamic,
) -> Option<(usize, Vec<Value>)> {
    if fact.kind() != AstKind::App {
        return None;
    }
    let name = fact.safe_decl().ok()?.name();
    let relation = (0..relations.len()).find(|index| relation_name(*index) == name)?;
    let arguments: Vec<Value> = fact
        .children()
        .iter()
        .map(decoding::value)
        .collect::<Option<_>>()?;
    let wanted: Vec<Sort> = problem
        .relations
        .get(relation)?
        .parameters
        .iter()
        .map(Symbol::sort)
        .collect();
    let found: Vec<Sort> = arguments.iter().map(Value::sort).collect();
    (wanted == found).then_some((relation, arguments))
}
