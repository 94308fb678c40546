//! Learning clauses on a small instance: the strongest ones that the samples allow, weakened by what breaks them until they are
//! inductive.
//!
//! Invariant: the conjunction of the clauses only ever becomes weaker while samples are added, so that once it does not exclude a
//! violation, no clauses of this width prove the property.

use super::clauses::{Shape, strongest};
use super::implications::{Implications, Literals};
use super::inductive::breaking_states;
use super::needed::{is_proof, needed};
use super::roles::{Member, Role, Template, Variables, is_same_clause, mirrored, pairs};
use super::samples::{Control, View};
use super::steps::Steps;
use super::vocabulary::atoms;
use super::{Instance, Lemma, NoLemmas, Samples};
use crate::solvers::Session;
use rustc_hash::FxHashSet;
use slabcert_certificates::system::System;
use slabcert_certificates::term::Term;

/// The most literals of a clause besides its conditions.
const GREATEST_WIDTH: usize = 2;
/// The most clauses that are tried at once.
const MOST_CLAUSES: usize = 3_000;
/// How many times as many clauses as are in use the solver may know; it gives those a value as well that are out of use.
const MOST_KNOWN: usize = 2;
/// How often the clauses may be weakened.
const MOST_ROUNDS: usize = 120;

/// What was learned on a small instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Learned {
    /// The clauses that the small instance's proof needs, with roles for indices.
    pub templates: Vec<Template>,
    /// The proof of the small instance.
    pub lemmas: Vec<Lemma>,
}

/// Learns clauses that prove the property of `training`, over the literals of a proof (labels of a diagram) for the system `smallest`. The
/// samples are runs of `training`.
///
/// # Errors
/// When no clauses of the shape that is tried prove it, the solver does not know, or the search is stopped.
pub fn learn(
    smallest: &System,
    proof: &[Term],
    training: Instance<'_>,
    samples: &mut dyn Samples,
    session: &Session,
) -> Result<Learned, NoLemmas> {
    let states = samples.initial_runs();
    let atoms = atoms(smallest, proof);
    let controls = controls(training.system);
    let mut views: Vec<View> = pairs(training.system)
        .into_iter()
        .map(|pair| View::new(training.system, pair, &controls, &atoms))
        .collect();
    for view in &mut views {
        view.extend(&states);
    }
    let mut steps = Steps::new(training, session);
    let mut literals = Literals::new(&atoms);
    let implications = Implications::new(2 * atoms.len(), &views, &mut |one, other| {
        literals.implies(one, other)
    });
    let mut learner = Learner {
        training,
        atoms,
        controls,
        implications,
        views,
        session,
    };
    for width in 1..=GREATEST_WIDTH {
        match learner.clauses_of_width(&mut steps, samples, width) {
            Err(NoLemmas::NotProved) => {}
            other => return other,
        }
        // What breaks short clauses may lie outside of longer ones.
        for view in &mut learner.views {
            view.truncate(states.len());
        }
    }
    Err(NoLemmas::NotProved)
}

/// The control variables, as both roles see them.
fn controls(system: &System) -> Vec<Control> {
    let variables = Variables::of(system);
    let mut controls: Vec<Control> = Vec::new();
    for process in &system.processes {
        let variable = process
            .location
            .and_then(|index| system.variables.get(index));
        let Some((variable, values)) =
            variable.and_then(|variable| Some((variable, variable.values.as_ref()?.values.len())))
        else {
            continue;
        };
        let location = Term::symbol(variable.current.clone());
        let index = process.indices.first().map(u64::try_from);
        let roles = match (index, process.indices.len()) {
            (None, _) => vec![vec![]],
            (Some(Ok(index)), 1) => {
                let family = process.family;
                let member = Member { family, index };
                vec![vec![(member, Role::First)], vec![(member, Role::Second)]]
            }
            _ => vec![],
        };
        for roles in roles {
            if let Some(template) = variables.abstracted(&location, &roles, false) {
                let control = Control { template, values };
                if !controls.contains(&control) {
                    controls.push(control);
                }
            }
        }
    }
    controls
}

struct Learner<'a> {
    training: Instance<'a>,
    atoms: Vec<Term>,
    controls: Vec<Control>,
    implications: Implications,
    views: Vec<View>,
    session: &'a Session,
}

impl Learner<'_> {
    fn clauses_of_width(
        &mut self,
        steps: &mut Steps<'_>,
        samples: &mut dyn Samples,
        width: usize,
    ) -> Result<Learned, NoLemmas> {
        for _ in 0..MOST_ROUNDS {
            let candidates = self.candidates(width);
            if candidates.len() > MOST_CLAUSES {
                return Err(NoLemmas::NotProved);
            }
            if steps.len() > MOST_KNOWN * candidates.len() {
                steps.forget(self.session);
            }
            let all = added(steps, &candidates);
            if steps.excludes_violation(&all)?.is_none() {
                return Err(NoLemmas::NotProved);
            }
            let states = breaking_states(steps, &all, &mut |state| samples.run_from(state))?;
            if states.is_empty() {
                // Anew, so that shorter clauses come first, and positions are those of the candidates.
                steps.forget(self.session);
                let all = added(steps, &candidates);
                let chosen = needed(steps, &all, true)?;
                let chosen = without_needless_templates(steps, &candidates, chosen)?;
                return Ok(learned(&candidates, &chosen));
            }
            for view in &mut self.views {
                view.extend(&states);
            }
        }
        Err(NoLemmas::NotProved)
    }

    /// The domains of control variables, then the strongest clauses of all pairs, short ones first: each as template and instance.
    fn candidates(&self, width: usize) -> Vec<(Term, Term)> {
        let variables = Variables::of(self.training.system);
        let mut shapes: Vec<(Shape, usize)> = Vec::new();
        for (number, view) in self.views.iter().enumerate() {
            let found = strongest(
                view,
                &self.controls,
                &self.implications,
                2 * self.atoms.len(),
                width,
            );
            shapes.extend(found.into_iter().map(|shape| (shape, number)));
        }
        shapes.sort_by_key(|(shape, view)| {
            let size = shape.conditions.len() + 2 * shape.literals.len();
            (size, shape.clone(), *view)
        });
        let mut known: FxHashSet<Term> = FxHashSet::default();
        let mut candidates = Vec::new();
        for view in &self.views {
            for template in self.controls.iter().flat_map(Control::domain) {
                if let Some(clause) = variables.instance(&template, view.pair)
                    && known.insert(clause.clone())
                {
                    candidates.push((template, clause));
                }
            }
        }
        for (shape, view) in shapes {
            let template = shape.template(&self.controls, &self.atoms);
            let pair = self.views[view].pair;
            if let Some(clause) = variables.instance(&template, pair)
                && known.insert(clause.clone())
            {
                candidates.push((template, clause));
            }
        }
        candidates
    }
}

/// The positions of the candidates, which the solver knows from now on.
fn added(steps: &mut Steps<'_>, candidates: &[(Term, Term)]) -> Vec<usize> {
    let clauses = candidates.iter();
    clauses
        .map(|(_, clause)| steps.add(clause.clone()))
        .collect()
}

/// Leaves out the clauses of whole templates, those with the fewest clauses first, while the others still prove the property: what
/// holds for one pair only is rather an accident of the small instance.
fn without_needless_templates(
    steps: &mut Steps<'_>,
    candidates: &[(Term, Term)],
    mut chosen: Vec<usize>,
) -> Result<Vec<usize>, NoLemmas> {
    let mut templates: Vec<(usize, usize)> = Vec::new();
    for position in &chosen {
        let first = chosen
            .iter()
            .copied()
            .find(|other| candidates[*other].0 == candidates[*position].0);
        let first = first.unwrap_or(*position);
        match templates.iter_mut().find(|(_, known)| *known == first) {
            Some((count, _)) => *count += 1,
            None => templates.push((1, first)),
        }
    }
    templates.sort_by_key(|(count, first)| (*count, std::cmp::Reverse(*first)));
    for (_, template) in templates {
        let is_other = |position: &usize| candidates[*position].0 != candidates[template].0;
        let fewer: Vec<usize> = chosen.iter().copied().filter(is_other).collect();
        if is_proof(steps, &fewer)? {
            chosen = fewer;
        }
    }
    Ok(chosen)
}

/// The chosen clauses as lemmas, and their templates in families.
fn learned(candidates: &[(Term, Term)], chosen: &[usize]) -> Learned {
    let mut templates: Vec<Template> = Vec::new();
    let mut families = 0;
    let mut lemmas = Vec::new();
    for position in chosen {
        let (formula, clause) = &candidates[*position];
        let known = templates.iter().find(|known| &known.formula == formula);
        let family = known.map(|known| known.family).unwrap_or_else(|| {
            let mirror = mirrored(formula);
            let relative = templates
                .iter()
                .find(|known| is_same_clause(&known.formula, &mirror));
            let family = relative.map_or(families, |relative| relative.family);
            families = families.max(family + 1);
            templates.push(Template {
                formula: formula.clone(),
                family,
            });
            family
        });
        lemmas.push(Lemma {
            family,
            clause: clause.clone(),
        });
    }
    Learned { templates, lemmas }
}
