//! From formulas to linear Horn clauses.
//!
//! A formula is taken apart at the connectives above predicates and quantifiers, with what is assumed on one side and what is concluded
//! on the other. Invariant: the conjunction of the clauses is equivalent to the formula; what is not a linear Horn clause is refused, at
//! the predicate that is in the way.

use super::formulas::{Application, Meaning, Vocabulary};
use slabcert_certificates::smtlib::{Position, Quantifier, ReadError};
use slabcert_certificates::term::{Operator, Term};

/// How many clauses a file may have once disjunctions are split.
const MAXIMAL_CLAUSES: usize = 20_000;

/// How many parts may be looked at to take one formula apart. A part that is shared counts each time.
const MAXIMAL_WORK: usize = 4_000_000;

/// A clause; all its symbols are universally quantified.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    /// The predicate that is assumed, if one is.
    pub body: Option<Application>,
    /// What else is assumed.
    pub constraint: Vec<Term>,
    /// What follows; none for a contradiction.
    pub head: Option<Application>,
    /// What the file calls the clause.
    pub name: Option<String>,
    /// Where the formula begins that the clause comes from.
    pub position: Position,
}

/// A clause on the way.
#[derive(Clone, Default)]
struct Partial {
    /// What is assumed and was not looked at.
    premises: Vec<Term>,
    body: Option<Application>,
    constraint: Vec<Term>,
    head: Option<Application>,
}

/// Takes one formula apart.
pub(super) struct Reducer<'a> {
    pub vocabulary: &'a mut Vocabulary,
    /// Where the clauses go.
    pub clauses: &'a mut Vec<Clause>,
    pub name: Option<String>,
    pub position: Position,
    /// How many parts were looked at.
    pub work: usize,
    /// Whether a query was left out whose body is constantly false.
    pub has_void_query: bool,
}

impl Reducer<'_> {
    /// Adds the clauses of: the premises imply the conclusion. This ends, since each part that is taken out is replaced by smaller
    /// ones, and their number is bounded.
    pub fn reduce(self, premises: Vec<Term>, conclusion: Term) -> Result<(), ReadError> {
        let start = Partial {
            premises,
            ..Partial::default()
        };
        let mut waiting = vec![(start, conclusion)];
        let mut reducer = self;
        let before = reducer.clauses.len();
        while let Some((mut partial, conclusion)) = waiting.pop() {
            match reducer.conclude(&conclusion, &mut partial)? {
                Next::Done => reducer.assume_all(partial)?,
                Next::Holds => {}
                Next::Conclude(conclusions) => {
                    for one in conclusions.into_iter().rev() {
                        reducer.count(&partial, waiting.len())?;
                        waiting.push((partial.clone(), one));
                    }
                }
            }
        }
        // A formula that says nothing but that what is false does not happen is a query all the same.
        let is_query = |clause: &Clause| clause.head.is_none();
        if reducer.has_void_query && !reducer.clauses[before..].iter().any(is_query) {
            reducer.clauses.push(Clause {
                body: None,
                constraint: vec![Term::bool(false)],
                head: None,
                name: reducer.name,
                position: reducer.position,
            });
        }
        Ok(())
    }

    /// Takes note of one more clause on the way, unless there were too many.
    fn count(&mut self, partial: &Partial, waiting: usize) -> Result<(), ReadError> {
        self.work += 1 + partial.premises.len() + partial.constraint.len();
        if self.clauses.len() + waiting > MAXIMAL_CLAUSES || self.work > MAXIMAL_WORK {
            return Err(ReadError::unsupported(
                self.position,
                format!(
                    "this has more than {MAXIMAL_CLAUSES} clauses, or more than {MAXIMAL_WORK} parts"
                ),
            ));
        }
        Ok(())
    }

    /// Analyses a conclusion: it is the head, or is replaced by others.
    fn conclude(&mut self, conclusion: &Term, partial: &mut Partial) -> Result<Next, ReadError> {
        if conclusion.is_true() {
            return Ok(Next::Holds);
        }
        if !self.vocabulary.is_mentioned(conclusion) {
            partial.premises.push(conclusion.clone().not());
            return Ok(Next::Done);
        }
        match self.vocabulary.meaning(conclusion).cloned() {
            Some(Meaning::Application(application)) => {
                partial.head = Some(application);
                return Ok(Next::Done);
            }
            Some(Meaning::Quantified(Quantifier::All, body)) => {
                return Ok(Next::Conclude(vec![body]));
            }
            Some(Meaning::Quantified(Quantifier::Some, _)) => {
                return Err(self.refuse(conclusion, "occurs below `exists` in a head"));
            }
            None => {}
        }
        match conclusion.as_application() {
            Some((Operator::And, conjuncts)) => Ok(Next::Conclude(conjuncts.to_vec())),
            Some((Operator::Not, [negated])) => {
                partial.premises.push(negated.clone());
                Ok(Next::Done)
            }
            Some((Operator::Implies, [premise, conclusion])) => {
                partial.premises.push(premise.clone());
                Ok(Next::Conclude(vec![conclusion.clone()]))
            }
            Some((Operator::Or, disjuncts)) => self.conclude_one(disjuncts, partial),
            Some((Operator::Ite, [condition, then, otherwise])) => Ok(Next::Conclude(vec![
                condition.clone().implies(then.clone()),
                condition.clone().not().implies(otherwise.clone()),
            ])),
            _ => Err(self.refuse(conclusion, "occurs where Horn clauses have no predicate")),
        }
    }

    /// Of a disjunction, all but one disjunct are assumed not to hold.
    fn conclude_one(
        &mut self,
        disjuncts: &[Term],
        partial: &mut Partial,
    ) -> Result<Next, ReadError> {
        let mut head: Option<Term> = None;
        for disjunct in disjuncts {
            let negated = match disjunct.as_application() {
                Some((Operator::Not, [negated])) => negated.clone(),
                _ if !self.vocabulary.is_mentioned(disjunct) => disjunct.clone().not(),
                _ => {
                    if head.is_some() {
                        return Err(self.refuse(disjunct, "is a second head of one clause"));
                    }
                    head = Some(disjunct.clone());
                    continue;
                }
            };
            partial.premises.push(negated);
        }
        match head {
            Some(head) => Ok(Next::Conclude(vec![head])),
            None => Ok(Next::Done),
        }
    }

    /// Analyses all premises, and adds the clauses.
    fn assume_all(&mut self, partial: Partial) -> Result<(), ReadError> {
        let mut waiting = vec![partial];
        while let Some(mut partial) = waiting.pop() {
            let Some(premise) = partial.premises.pop() else {
                self.clauses.push(Clause {
                    body: partial.body,
                    constraint: partial.constraint,
                    head: partial.head,
                    name: self.name.clone(),
                    position: self.position,
                });
                continue;
            };
            if premise.is_false() {
                self.has_void_query |= partial.head.is_none();
                continue;
            }
            if self.work > MAXIMAL_WORK {
                self.count(&partial, waiting.len())?;
            }
            let cases = self.assume(premise, &mut partial)?;
            match cases {
                Some(cases) => {
                    for case in cases.into_iter().rev() {
                        self.count(&partial, waiting.len())?;
                        let mut with_case = partial.clone();
                        with_case.premises.push(case);
                        waiting.push(with_case);
                    }
                }
                None => {
                    self.work += 1;
                    waiting.push(partial);
                }
            }
        }
        Ok(())
    }

    /// Analyses one premise. The cases that it falls into, if it is a disjunction above predicates.
    fn assume(
        &mut self,
        premise: Term,
        partial: &mut Partial,
    ) -> Result<Option<Vec<Term>>, ReadError> {
        if !self.vocabulary.is_mentioned(&premise) {
            partial.constraint.push(premise);
            return Ok(None);
        }
        match self.vocabulary.meaning(&premise).cloned() {
            Some(Meaning::Application(application)) => {
                if partial.body.is_some() {
                    return Err(self.refuse(
                        &premise,
                        "is a second predicate in one body: nonlinear clauses are not supported",
                    ));
                }
                partial.body = Some(application);
                return Ok(None);
            }
            Some(Meaning::Quantified(Quantifier::Some, body)) => {
                partial.premises.push(body);
                return Ok(None);
            }
            Some(Meaning::Quantified(Quantifier::All, _)) => {
                return Err(self.refuse(&premise, "occurs below `forall` in a body"));
            }
            None => {}
        }
        match premise.as_application() {
            Some((Operator::And, conjuncts)) => {
                partial.premises.extend(conjuncts.iter().rev().cloned());
                Ok(None)
            }
            Some((Operator::Or, disjuncts)) => Ok(Some(disjuncts.to_vec())),
            Some((Operator::Implies, [left, right])) => {
                Ok(Some(vec![left.clone().not(), right.clone()]))
            }
            Some((Operator::Ite, [condition, then, otherwise])) => Ok(Some(vec![
                Term::and([condition.clone(), then.clone()]),
                Term::and([condition.clone().not(), otherwise.clone()]),
            ])),
            Some((Operator::Not, [negated])) => self.deny(negated, partial),
            _ => Err(self.refuse(&premise, "occurs where Horn clauses have no predicate")),
        }
    }

    /// Analyses a negated premise.
    fn deny(
        &mut self,
        negated: &Term,
        partial: &mut Partial,
    ) -> Result<Option<Vec<Term>>, ReadError> {
        match self.vocabulary.meaning(negated) {
            Some(Meaning::Quantified(Quantifier::All, body)) => {
                partial.premises.push(body.clone().not());
                return Ok(None);
            }
            // What must not fail, if everything else is assumed, is the head.
            Some(Meaning::Application(application)) if partial.head.is_none() => {
                partial.head = Some(application.clone());
                return Ok(None);
            }
            _ => {}
        }
        let negations =
            |terms: &[Term]| -> Vec<Term> { terms.iter().map(|term| term.clone().not()).collect() };
        match negated.as_application() {
            Some((Operator::Or, disjuncts)) => {
                partial.premises.extend(negations(disjuncts));
                Ok(None)
            }
            Some((Operator::And, conjuncts)) => Ok(Some(negations(conjuncts))),
            Some((Operator::Implies, [left, right])) => {
                partial.premises.push(right.clone().not());
                partial.premises.push(left.clone());
                Ok(None)
            }
            _ => Err(self.refuse(
                negated,
                "is a second head of one clause, or no Horn clause has it here",
            )),
        }
    }

    /// Refuses a predicate in a formula, or the quantifier, if there is none.
    fn refuse(&self, formula: &Term, what: &str) -> ReadError {
        let found = self.vocabulary.some_application(formula);
        let named = found.and_then(|application| {
            let (name, _) = self
                .vocabulary
                .predicates
                .get_index(application.predicate)?;
            Some((name, application.position))
        });
        match named {
            Some((name, position)) => {
                ReadError::unsupported(position, format!("the predicate `{name}` {what}"))
            }
            None => ReadError::unsupported(
                self.position,
                "a quantifier in a constraint is not supported",
            ),
        }
    }
}

/// What is left to do about a conclusion.
enum Next {
    /// The head is found.
    Done,
    /// The conclusion holds anyway: there is no clause.
    Holds,
    /// Each of these has to be concluded.
    Conclude(Vec<Term>),
}
