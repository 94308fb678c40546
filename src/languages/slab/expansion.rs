//! Expands what passed the check: constants get their values, quantifiers and families their instances, definitions their bodies.
//!
//! The result is a term of the flat system. Conditions that are decided by constants cut off what they make irrelevant, so that
//! `i = 1 || x[i - 1] = 0` may be written for i in 1..N. Invariant: the work is bounded by [`LIMIT`] steps and [`DEPTH`] levels, a
//! number by [`BITS`] bits; what needs more is refused, never attempted.

mod expressions;
mod layout;
mod references;

use super::checking::Passed;
use super::folding;
use super::names::DeclaredNames;
use super::syntax::{Binder, Index, Range};
use crate::languages::diagnostics::{Category, Diagnostic, Diagnostics};
use crate::languages::source::Span;
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use slabcert_certificates::term::{Term, TermError};
use std::collections::BTreeSet;
use std::rc::Rc;

pub(super) use layout::{LOCATION, Layout};
pub(super) use slabcert_certificates::structure::shown_indices;

/// How many steps one file may take: instances, sub-expressions, variables of transitions.
pub(super) const LIMIT: u64 = 4_000_000;

/// How deep definitions and expressions may nest when expanded.
const DEPTH: usize = 1_000;

/// The largest number that constants may make, in bits (39,000 decimal digits).
const BITS: u64 = 1 << 17;

/// The expansion of a part was given up; why was reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stop;

pub(super) type Expanded<T> = Result<T, Stop>;

/// The values of the indices of an instance.
pub(super) type Indices = Vec<BigInt>;

/// What the local names of an instance mean.
#[derive(Debug, Clone, Default)]
pub(super) struct Environment {
    /// The process and instance whose variables may be called by their bare names.
    pub process: Option<(usize, Indices)>,
    /// Bound indices (constants) and choices (symbols).
    pub bindings: Vec<(Rc<str>, Term)>,
    /// The variables of the system that may be primed.
    pub primed: Vec<usize>,
}

impl Environment {
    fn lookup(&self, name: &str) -> Option<&Term> {
        let found = self
            .bindings
            .iter()
            .rev()
            .find(|(other, _)| &**other == name);
        found.map(|(_, term)| term)
    }

    /// The values of the indices bound since `outer` bindings.
    pub fn indices_since(&self, outer: usize) -> Indices {
        let bound = self.bindings.iter().skip(outer);
        bound
            .filter_map(|(_, term)| folding::integer(term).cloned())
            .collect()
    }
}

/// What `enabled` and `deadlock` mean; known only when all transitions are.
pub(super) trait Enabledness {
    /// Whether the transition (or the edge of a process) with these indices is enabled. `None` if there is no such instance.
    fn enabled(&mut self, of: TransitionRef, indices: &Indices)
    -> Option<Result<Term, Diagnostic>>;

    /// Whether no transition is enabled.
    fn deadlock(&mut self) -> Result<Term, Diagnostic>;

    /// How many steps a synchronous block has been unstable for (true), or whether it is ambiguous. `None` if there is no such block.
    fn of_block(&mut self, is_count: bool, name: &str) -> Option<Result<Term, Diagnostic>>;

    /// The names of the transitions whose choices were eliminated for an answer.
    fn eliminated(&self) -> &[String];
}

/// A declared transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum TransitionRef {
    /// By its number among the transitions.
    Global(usize),
    /// A process, and the number of the edge there.
    Edge(usize, usize),
}

/// Expands the parts of one file.
pub(super) struct Expander<'n, 'm, 'f> {
    pub names: &'n DeclaredNames<'m>,
    pub passed: &'n Passed,
    pub faults: &'f mut Diagnostics,
    /// The value of each constant; none if it has a fault.
    pub constants: Vec<Option<Term>>,
    /// The constants that were mentioned.
    pub mentioned: BTreeSet<usize>,
    /// The constants that ranges mention.
    pub sizes: BTreeSet<usize>,
    pub layout: Layout,
    pub enabledness: Option<Box<dyn Enabledness>>,
    defines: FxHashMap<(usize, Indices), Expanded<Term>>,
    steps: u64,
    depth: usize,
}

impl<'n, 'm, 'f> Expander<'n, 'm, 'f> {
    /// An expander that knows neither constants nor variables yet.
    pub fn new(
        names: &'n DeclaredNames<'m>,
        passed: &'n Passed,
        faults: &'f mut Diagnostics,
    ) -> Expander<'n, 'm, 'f> {
        Expander {
            names,
            passed,
            faults,
            constants: Vec::new(),
            mentioned: BTreeSet::new(),
            sizes: BTreeSet::new(),
            layout: Layout::default(),
            enabledness: None,
            defines: FxHashMap::default(),
            steps: 0,
            depth: 0,
        }
    }

    /// Reports a fault and gives up.
    pub fn stop<T>(&mut self, fault: Diagnostic) -> Expanded<T> {
        self.faults.push(fault);
        Err(Stop)
    }

    /// Counts work; beyond the limit it is given up, which is reported once.
    pub fn charge(&mut self, steps: u64, span: Span) -> Expanded<()> {
        let before = self.steps;
        self.steps = self.steps.saturating_add(steps);
        if self.steps <= LIMIT {
            return Ok(());
        }
        if before <= LIMIT {
            self.faults.push(
                Diagnostic::new(
                    Category::Unsupported,
                    span,
                    format!("the model grows too large here: more than {LIMIT} parts when it is expanded"),
                )
                .help("choose smaller constants (`-D NAME=VALUE`) or narrower ranges"),
            );
        }
        Err(Stop)
    }

    /// Counts the values of a range, `times` over, before they are gone through.
    pub fn charge_range(
        &mut self,
        low: &BigInt,
        high: &BigInt,
        times: usize,
        span: Span,
    ) -> Expanded<()> {
        let count = (high - low + 1_u32).max(BigInt::ZERO) * times;
        self.charge(u64::try_from(count).unwrap_or(u64::MAX), span)
    }

    /// A term that a builder made, or a fault at its position.
    pub fn built(&mut self, term: Result<Term, TermError>, span: Span) -> Expanded<Term> {
        match term {
            Ok(term) if folding::bits(&term) <= BITS => Ok(term),
            Ok(_) => self.stop(Diagnostic::new(
                Category::Unsupported,
                span,
                format!("a number grows beyond {BITS} bits"),
            )),
            Err(TermError::Divisor { .. }) => self.stop(
                Diagnostic::new(Category::Value, span, "division by 0")
                    .expected("a divisor other than 0"),
            ),
            Err(error) => self.stop(Diagnostic::new(
                Category::Unsupported,
                span,
                error.to_string(),
            )),
        }
    }

    /// The ends of a range.
    pub fn range(
        &mut self,
        range: &Range,
        environment: &mut Environment,
    ) -> Expanded<(BigInt, BigInt)> {
        let outside = std::mem::take(&mut self.mentioned);
        let low = self.expr(&range.low, environment)?;
        let high = self.expr(&range.high, environment)?;
        self.sizes.extend(&self.mentioned);
        self.mentioned.extend(outside);
        match (folding::integer(&low), folding::integer(&high)) {
            (Some(low), Some(high)) => Ok((low.clone(), high.clone())),
            _ => Err(Stop),
        }
    }

    /// Does something for every instance of bound indices, in order; the bindings are in the environment meanwhile.
    pub fn instances(
        &mut self,
        index: &Index,
        environment: &mut Environment,
        each: &mut dyn FnMut(&mut Self, &mut Environment) -> Expanded<()>,
    ) -> Expanded<()> {
        self.bind_all(&index.binders, index, environment, each)
    }

    /// The environment of every instance of bound indices, in order; each counts as `work` steps.
    pub fn environments(
        &mut self,
        index: &Index,
        environment: &mut Environment,
        work: u64,
    ) -> Expanded<Vec<Environment>> {
        let mut found = Vec::new();
        self.instances(index, environment, &mut |expander, environment| {
            let span = index.binders.first().map(|binder| binder.range.span);
            expander.charge(work, span.unwrap_or_default())?;
            found.push(environment.clone());
            Ok(())
        })?;
        Ok(found)
    }

    fn bind_all(
        &mut self,
        binders: &[Binder],
        index: &Index,
        environment: &mut Environment,
        each: &mut dyn FnMut(&mut Self, &mut Environment) -> Expanded<()>,
    ) -> Expanded<()> {
        let Some((binder, rest)) = binders.split_first() else {
            if let Some(condition) = &index.condition {
                let holds = self.expr(condition, environment)?;
                if folding::truth(&holds) != Some(true) {
                    return Ok(());
                }
            }
            return each(self, environment);
        };
        let (mut value, high) = self.range(&binder.range, environment)?;
        self.charge_range(&value, &high, 1, binder.range.span)?;
        while value <= high {
            let bound = environment.bindings.len();
            environment
                .bindings
                .push((Rc::clone(&binder.name.text), Term::int(value.clone())));
            let result = self.bind_all(rest, index, environment, each);
            environment.bindings.truncate(bound);
            result?;
            value += 1;
        }
        Ok(())
    }
}
