//! Templates with the indices of an instance, and what of them is inductive there.

use super::inductive::inductive_subset;
use super::needed::{is_proof, needed};
use super::roles::{Pair, Template, Variables, members, pairs, roles_of};
use super::steps::{Found, Steps};
use super::{Instance, Lemma, NoLemmas};
use crate::solvers::Session;
use rustc_hash::FxHashSet;
use slabcert_certificates::term::{Symbol, Term};
use std::collections::BTreeSet;

/// The most clauses that are tried.
const MOST_CLAUSES: usize = 20_000;
/// Above this many clauses, those that nothing needs are kept: telling them apart takes longer than checking them.
const MOST_CLAUSES_TO_SORT_OUT: usize = 120;

/// The clauses that prove the property of the instance, made from templates.
///
/// # Errors
/// When they do not prove it, the solver does not know, or the search is stopped.
pub fn instantiate(
    instance: Instance<'_>,
    templates: &[Template],
    session: &Session,
) -> Result<Vec<Lemma>, NoLemmas> {
    let lemmas = clauses(instance, templates)?;
    let mut proof = InductiveSubset::of(instance, &lemmas, session)?;
    let is_local = 2 * proof.core.len() < proof.alive.len();
    if is_local || proof.alive.len() <= MOST_CLAUSES_TO_SORT_OUT {
        proof.alive = needed(&mut proof.steps, &proof.alive, false)?;
    }
    Ok(proof.lemmas(&lemmas))
}

/// What is still inductive of the clauses of an earlier proof, if it proves the property of the instance. Nothing is left out that
/// still holds: a proof that is like the earlier one is checked with less trouble than a smaller one.
///
/// # Errors
/// When it does not, the solver does not know, or the search is stopped.
pub fn still_inductive(
    instance: Instance<'_>,
    lemmas: &[Lemma],
    session: &Session,
) -> Result<Vec<Lemma>, NoLemmas> {
    Ok(InductiveSubset::of(instance, lemmas, session)?.lemmas(lemmas))
}

/// The largest inductive subset of some clauses, which proves a property.
struct InductiveSubset<'a> {
    steps: Steps<'a>,
    /// The positions of the clauses.
    alive: Vec<usize>,
    /// Those that exclude a violation.
    core: Vec<usize>,
}

impl<'a> InductiveSubset<'a> {
    fn of(
        instance: Instance<'a>,
        lemmas: &[Lemma],
        session: &'a Session,
    ) -> Result<InductiveSubset<'a>, NoLemmas> {
        let mut steps = Steps::new(instance, session);
        let all: Vec<usize> = lemmas
            .iter()
            .map(|lemma| steps.add(lemma.clause.clone()))
            .collect();
        let alive = inductive_subset(&mut steps, &all)?;
        let core = steps.excludes_violation(&alive)?;
        Ok(InductiveSubset {
            steps,
            alive,
            core: core.ok_or(NoLemmas::NotProved)?,
        })
    }

    fn lemmas(&self, lemmas: &[Lemma]) -> Vec<Lemma> {
        let alive = self.alive.iter();
        alive.map(|position| lemmas[*position].clone()).collect()
    }
}

/// The property as the only lemma, if it is inductive by itself.
///
/// # Errors
/// When it is not, mentions inputs, the solver does not know, or the search is stopped.
pub fn property_alone(instance: Instance<'_>, session: &Session) -> Result<Vec<Lemma>, NoLemmas> {
    let Instance { system, property } = instance;
    let clauses = property.formula.conjuncts();
    let states: BTreeSet<&Symbol> = system.variables.iter().map(|it| &it.current).collect();
    let symbols = property.formula.symbols();
    if clauses.is_empty() || !symbols.iter().all(|symbol| states.contains(symbol)) {
        return Err(NoLemmas::NotProved);
    }
    let mut steps = Steps::new(instance, session);
    let all: Vec<usize> = clauses
        .iter()
        .map(|clause| steps.add(clause.clone()))
        .collect();
    if !matches!(steps.initial(&all)?, Found::Nothing(_)) || !is_proof(&mut steps, &all)? {
        return Err(NoLemmas::NotProved);
    }
    let lemma = |clause| Lemma { family: 0, clause };
    Ok(clauses.into_iter().map(lemma).collect())
}

/// All instances of the templates, without repetition.
fn clauses(instance: Instance<'_>, templates: &[Template]) -> Result<Vec<Lemma>, NoLemmas> {
    let variables = Variables::of(instance.system);
    let pairs = pairs(instance.system);
    // A clause about one process may refer to it as the first or the second one.
    let alone = members(instance.system).into_iter();
    let alone: Vec<Pair> = alone
        .map(|member| Pair {
            first: member,
            second: member,
        })
        .collect();
    let mut known: FxHashSet<Term> = FxHashSet::default();
    let mut lemmas = Vec::new();
    for Template { formula, family } in templates {
        let all = if roles_of(formula).len() > 1 {
            &pairs
        } else {
            &alone
        };
        for pair in all {
            let clause = variables.instance(formula, *pair);
            let is_new = |clause: &Term| !clause.is_true() && known.insert(clause.clone());
            lemmas.extend(clause.filter(is_new).map(|clause| Lemma {
                family: *family,
                clause,
            }));
        }
        if lemmas.len() > MOST_CLAUSES {
            return Err(NoLemmas::NotProved);
        }
    }
    Ok(lemmas)
}
