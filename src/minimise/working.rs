//! The diagram while it is worked on, and the questions about it.
//!
//! The solver knows each transition and each label after a step behind a Boolean of its own, so that a question is a list of
//! assumptions and nothing is ever taken back. A label that changes gets a new Boolean.

use super::{Halt, Problem};
use crate::solvers::{Outcome, Solver, SolverModel, StopSignal, UnknownReason, budgets};
use slabcert_certificates::diagram::{Diagram, Edge, Node};
use slabcert_certificates::term::{Sort, Substitution, Term, TermMap};
use std::collections::{BTreeMap, BTreeSet};

/// A node and what the solver calls it.
pub(super) struct WorkingNode {
    /// The conjuncts.
    pub label: Vec<Term>,
    /// Whether it is needed to cover the initial states.
    pub is_initial: bool,
    /// The label after a step.
    after: Term,
    /// Holds only where the state after the step is not in the node.
    escapes: Term,
}

/// The answer to a question whether something is impossible.
pub(super) enum Possibility {
    /// It is; the positions of the assumed conjuncts that suffice.
    Impossible(Vec<usize>),
    /// It is not, as the model shows.
    Possible(SolverModel),
    /// The solver does not know.
    Unknown,
}

/// The diagram, the solver, and the account of queries.
pub(super) struct Working<'a> {
    problem: &'a Problem<'a>,
    solver: &'a mut dyn Solver,
    stop: &'a StopSignal,
    /// The nodes by number.
    pub parts: BTreeMap<usize, WorkingNode>,
    /// For each node and transition (by index), successors that cover its steps.
    pub successors: BTreeMap<(usize, usize), BTreeSet<usize>>,
    /// One Boolean for each transition, by index.
    takes: Vec<Term>,
    /// Holds only where some transition is taken.
    steps: Term,
    /// Holds only in initial states.
    starts: Term,
    /// For each property: holds only where it is violated.
    violates: Vec<Term>,
    prefix: String,
    made: usize,
    next: Substitution,
    primed: TermMap<Term>,
    queries: u64,
    limit: u64,
}

impl<'a> Working<'a> {
    pub(super) fn new(
        problem: &'a Problem<'a>,
        diagram: &Diagram,
        limit: u64,
        solver: &'a mut dyn Solver,
        stop: &'a StopSignal,
    ) -> Working<'a> {
        let system = problem.system;
        solver.set_budget(budgets::SMALLER_DIAGRAM);
        let mut working = Working {
            problem,
            solver,
            stop,
            parts: BTreeMap::new(),
            successors: BTreeMap::new(),
            takes: Vec::new(),
            steps: Term::bool(true),
            starts: Term::bool(true),
            violates: Vec::new(),
            prefix: system.unused_prefix(".minimise."),
            made: 0,
            next: system.next_state(),
            primed: TermMap::default(),
            queries: 0,
            limit,
        };
        for transition in problem.transitions {
            let takes = working.guarded(&transition.relation);
            working.takes.push(takes);
        }
        working.steps = working.guarded(&Term::or(working.takes.iter().cloned()));
        working.starts = working.guarded(&system.init_formula());
        for property in problem.properties {
            let violates = working.guarded(&(*property).clone().not());
            working.violates.push(violates);
        }
        working.take_over(diagram);
        working
    }

    fn take_over(&mut self, diagram: &Diagram) {
        for node in &diagram.nodes {
            self.insert(node.id, node.label.clone(), false);
        }
        let indices: BTreeMap<&str, usize> = self
            .problem
            .transitions
            .iter()
            .enumerate()
            .map(|(index, transition)| (transition.name.as_str(), index))
            .collect();
        for ((from, name), to) in diagram.successors() {
            if let Some(&index) = indices.get(name) {
                self.successors.insert((from, index), to);
            }
        }
    }

    /// A new Boolean that implies the formula.
    fn guarded(&mut self, formula: &Term) -> Term {
        let guard = Term::named(&format!("{}{}", self.prefix, self.made), Sort::Bool);
        self.made += 1;
        self.solver.assert(&guard.clone().implies(formula.clone()));
        guard
    }

    /// Begins an attempt: what the solver is told from here on is forgotten when the attempt ends.
    pub(super) fn begin_attempt(&mut self) {
        self.solver.push();
    }

    /// Ends an attempt.
    pub(super) fn end_attempt(&mut self) {
        self.solver.pop();
    }

    /// Takes a node out to change it.
    pub(super) fn take(&mut self, id: usize) -> Option<WorkingNode> {
        self.parts.remove(&id)
    }

    /// Puts a node back as it was, with the name that the solver knows it by.
    pub(super) fn put_back(&mut self, id: usize, part: Option<WorkingNode>) {
        if let Some(part) = part {
            self.parts.insert(id, part);
        }
    }

    /// Adds a node, or gives one another label.
    pub(super) fn insert(&mut self, id: usize, label: Vec<Term>, is_initial: bool) {
        let after = Term::and(label.iter().cloned()).substitute_all(&self.next, &mut self.primed);
        let escapes = self.guarded(&after.clone().not());
        self.parts.insert(
            id,
            WorkingNode {
                label,
                is_initial,
                after,
                escapes,
            },
        );
    }

    pub(super) fn queries(&self) -> u64 {
        self.queries
    }

    /// The number of transitions.
    pub(super) fn transitions(&self) -> usize {
        self.takes.len()
    }

    /// Whether the conjuncts and the assumptions are impossible together.
    fn ask(&mut self, conjuncts: &[Term], assumptions: Vec<Term>) -> Result<Possibility, Halt> {
        self.stop.check().map_err(Halt::Stopped)?;
        if self.queries >= self.limit {
            return Err(Halt::Queries);
        }
        self.queries += 1;
        let mut all = conjuncts.to_vec();
        all.extend(assumptions);
        match self.solver.check_assuming(&all) {
            Outcome::Unsatisfiable(core) => Ok(Possibility::Impossible(
                core.into_iter()
                    .filter(|&position| position < conjuncts.len())
                    .collect(),
            )),
            Outcome::Satisfiable(model) => Ok(Possibility::Possible(model)),
            Outcome::Unknown(UnknownReason::Stopped(cause)) => Err(Halt::Stopped(cause)),
            Outcome::Unknown(_) => Ok(Possibility::Unknown),
        }
    }

    fn escapes<'i>(&self, ids: impl IntoIterator<Item = &'i usize>) -> Vec<Term> {
        ids.into_iter()
            .filter_map(|id| self.parts.get(id))
            .map(|part| part.escapes.clone())
            .collect()
    }

    /// Whether no initial state satisfies the conjuncts.
    pub(super) fn ask_initial(&mut self, conjuncts: &[Term]) -> Result<Possibility, Halt> {
        self.ask(conjuncts, vec![self.starts.clone()])
    }

    /// Whether no state of the conjuncts violates any property; conjuncts that suffice for all properties.
    pub(super) fn ask_safe(&mut self, conjuncts: &[Term]) -> Result<Possibility, Halt> {
        let mut used = BTreeSet::new();
        for index in 0..self.violates.len() {
            match self.ask(conjuncts, vec![self.violates[index].clone()])? {
                Possibility::Impossible(core) => used.extend(core),
                other => return Ok(other),
            }
        }
        Ok(Possibility::Impossible(used.into_iter().collect()))
    }

    /// Whether the transition never leads from the conjuncts to a state outside of the nodes.
    pub(super) fn ask_step(
        &mut self,
        conjuncts: &[Term],
        transition: usize,
        covered_by: &BTreeSet<usize>,
    ) -> Result<Possibility, Halt> {
        let mut assumptions = self.escapes(covered_by);
        assumptions.push(self.takes[transition].clone());
        self.ask(conjuncts, assumptions)
    }

    /// Whether no transition leads from the conjuncts to a state outside of all nodes, those left out not counted.
    pub(super) fn ask_closed(
        &mut self,
        conjuncts: &[Term],
        left_out: &[usize],
    ) -> Result<Possibility, Halt> {
        let ids: Vec<usize> = self
            .parts
            .keys()
            .copied()
            .filter(|id| !left_out.contains(id))
            .collect();
        let mut assumptions = self.escapes(&ids);
        assumptions.push(self.steps.clone());
        self.ask(conjuncts, assumptions)
    }

    /// Whether no transition leads from the conjuncts to a state outside of some nodes.
    pub(super) fn ask_leads_out(
        &mut self,
        conjuncts: &[Term],
        ends: &BTreeSet<usize>,
    ) -> Result<Possibility, Halt> {
        let mut assumptions = self.escapes(ends);
        assumptions.push(self.steps.clone());
        self.ask(conjuncts, assumptions)
    }

    /// The conjuncts of the properties that are about the state alone.
    pub(super) fn state_properties(&self) -> Vec<Term> {
        let is_about_state = |formula: &Term| {
            let mut symbols = formula.symbols().into_iter();
            symbols.all(|symbol| self.next.contains_key(&symbol))
        };
        let properties = self.problem.properties.iter();
        properties
            .flat_map(|property| property.conjuncts())
            .filter(is_about_state)
            .collect()
    }

    /// Those of the conjuncts that hold after the model's step.
    pub(super) fn still_true(&mut self, conjuncts: &[Term], model: &SolverModel) -> Vec<Term> {
        conjuncts
            .iter()
            .filter(|conjunct| {
                let after = conjunct.substitute_all(&self.next, &mut self.primed);
                after.holds(model) == Ok(true)
            })
            .cloned()
            .collect()
    }

    /// A number from which on no node has any.
    pub(super) fn unused_id(&self) -> usize {
        self.parts.keys().max().map_or(0, |id| id + 1)
    }

    /// The first node, in order of preference, that the state after the model's step is in.
    fn node_after(&self, model: &SolverModel, left_out: &[usize]) -> Option<usize> {
        self.parts
            .iter()
            .filter(|(id, _)| !left_out.contains(id))
            .find(|(_, part)| part.after.holds(model) == Ok(true))
            .map(|(&id, _)| id)
    }

    /// Successors that cover the steps of the transition from the conjuncts, beginning with some; `None` when there are none.
    pub(super) fn cover(
        &mut self,
        conjuncts: &[Term],
        transition: usize,
        mut covered_by: BTreeSet<usize>,
        left_out: &[usize],
    ) -> Result<Option<BTreeSet<usize>>, Halt> {
        covered_by.retain(|id| !left_out.contains(id));
        loop {
            match self.ask_step(conjuncts, transition, &covered_by)? {
                Possibility::Impossible(_) => return Ok(Some(covered_by)),
                Possibility::Unknown => return Ok(None),
                Possibility::Possible(model) => match self.node_after(&model, left_out) {
                    // The model is complete only for what it was asked; a node twice would go on for ever.
                    Some(id) if covered_by.insert(id) => {}
                    _ => return Ok(None),
                },
            }
        }
    }

    /// The successors of a node for a transition.
    pub(super) fn successors_of(&self, id: usize, transition: usize) -> BTreeSet<usize> {
        self.successors
            .get(&(id, transition))
            .cloned()
            .unwrap_or_default()
    }

    /// Replaces some nodes by another one, wherever they are successors.
    pub(super) fn redirect(&mut self, from: &[usize], to: usize) {
        for successors in self.successors.values_mut() {
            let before = successors.len();
            successors.retain(|id| !from.contains(id) || *id == to);
            if successors.len() < before {
                successors.insert(to);
            }
        }
    }

    /// Takes a node away, with its outgoing edges; it must be nobody's successor.
    pub(super) fn remove(&mut self, id: usize) {
        self.parts.remove(&id);
        self.successors.retain(|(from, _), _| *from != id);
    }

    /// Keeps what the nodes that cover the initial states lead to.
    pub(super) fn restrict_to_reachable(&mut self) {
        let mut reached: BTreeSet<usize> = BTreeSet::new();
        let mut waiting: Vec<usize> = self
            .parts
            .iter()
            .filter(|(_, part)| part.is_initial)
            .map(|(&id, _)| id)
            .collect();
        while let Some(id) = waiting.pop() {
            if reached.insert(id) {
                let out = self.successors.range((id, 0)..=(id, usize::MAX));
                waiting.extend(out.flat_map(|(_, to)| to.iter().copied()));
            }
        }
        self.parts.retain(|id, _| reached.contains(id));
        self.successors
            .retain(|(from, _), _| reached.contains(from));
    }

    /// The diagram, its nodes numbered from 0.
    pub(super) fn into_diagram(self, name: &str) -> Diagram {
        let numbers: BTreeMap<usize, usize> = self
            .parts
            .keys()
            .enumerate()
            .map(|(number, &id)| (id, number))
            .collect();
        let nodes = self
            .parts
            .iter()
            .map(|(id, part)| Node::new(numbers[id], part.label.clone()))
            .collect();
        let mut edges: BTreeMap<(usize, usize), Vec<String>> = BTreeMap::new();
        for ((from, transition), to) in &self.successors {
            for id in to {
                if let (Some(&from), Some(&to)) = (numbers.get(from), numbers.get(id)) {
                    let name = self.problem.transitions[*transition].name.clone();
                    edges.entry((from, to)).or_default().push(name);
                }
            }
        }
        Diagram {
            name: name.to_owned(),
            assumes: Vec::new(),
            nodes,
            edges: edges
                .into_iter()
                .map(|((from, to), transitions)| Edge {
                    from,
                    to,
                    transitions,
                })
                .collect(),
            regions: Vec::new(),
        }
    }
}
