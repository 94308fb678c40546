//! What must hold for a flat system to say no less than a program.
//!
//! Whoever checks translates the program again. What comes out is its *meaning*: every initial state of it has to be one of the system's,
//! every step a step of the certificate's relation of that name, and every violation of a property that is claimed to be safe one of the
//! system's. Then a proof about the system is a proof about the program. Conjuncts that both have owe nothing.

use super::{Obligation, ObligationError, ObligationKind, TranslationPart};
use crate::certificate::{Certificate, Evidence};
use crate::program::Meaning;
use crate::system::System;
use crate::term::Term;
use rustc_hash::{FxHashMap, FxHashSet};

/// What must hold for a certificate's safe claims about a system to be claims about a program of that meaning.
///
/// # Errors
/// When the system has other properties than the program, or the certificate does not name a step of the program.
pub fn translation(
    meaning: &Meaning,
    system: &System,
    certificate: &Certificate,
) -> Result<Vec<Obligation>, ObligationError> {
    same_properties(meaning, system)?;
    let mut found = Vec::new();
    if certificate.diagrams.is_empty() {
        return Ok(found);
    }
    owe(
        TranslationPart::Initial,
        &meaning.init,
        &system.init,
        &mut found,
    );
    let named = certificate.transitions.iter();
    let relations: FxHashMap<&str, &Term> = named
        .map(|transition| (transition.name.as_str(), &transition.relation))
        .collect();
    for (name, step) in &meaning.steps {
        let relation = relations
            .get(name.as_str())
            .ok_or_else(|| ObligationError::NoTransition(name.clone()))?;
        let part = TranslationPart::Step(name.clone());
        owe(part, step, std::slice::from_ref(*relation), &mut found);
    }
    let positions = system.properties.iter().enumerate();
    let positions: FxHashMap<usize, usize> = positions
        .map(|(position, property)| (property.index, position))
        .collect();
    for claim in &certificate.claims {
        let position = positions.get(&claim.property).copied();
        if let (Evidence::Safe(_), Some(position)) = (&claim.evidence, position) {
            let stated = system.properties[position].formula.clone();
            let violation = meaning.properties[position].1.clone().not();
            // A state that violates the program's property has to violate the system's: it does not satisfy it.
            if stated.clone().not() != violation {
                found.push(Obligation {
                    kind: ObligationKind::Translation(TranslationPart::Property(claim.property)),
                    assertions: vec![violation, stated],
                });
            }
        }
    }
    Ok(found)
}

/// Requires that both have properties of the same names, in the same order: claims are about what has the name.
fn same_properties(meaning: &Meaning, system: &System) -> Result<(), ObligationError> {
    let own = meaning.properties.iter().map(|(name, _)| name.as_str());
    let others = system.properties.iter().map(|it| it.name.as_str());
    let (own, others): (Vec<&str>, Vec<&str>) = (own.collect(), others.collect());
    if own == others {
        return Ok(());
    }
    let lacking = |names: &[&str], of: &[&str]| {
        let known: FxHashSet<&str> = of.iter().copied().collect();
        let lacking = names.iter().find(|it| !known.contains(**it));
        lacking.map(|it| (*it).to_owned())
    };
    Err(match (lacking(&own, &others), lacking(&others, &own)) {
        (Some(name), _) => ObligationError::OnlyInProgram(name),
        (None, Some(name)) => ObligationError::OnlyInSystem(name),
        (None, None) => ObligationError::OtherOrder,
    })
}

/// Adds the obligation that formulas imply others, as far as it is not plain.
fn owe(part: TranslationPart, known: &[Term], implied: &[Term], found: &mut Vec<Obligation>) {
    let known: Vec<Term> = known.iter().flat_map(Term::conjuncts).collect();
    let plain: FxHashSet<&Term> = known.iter().collect();
    let implied = implied.iter().flat_map(Term::conjuncts);
    let owed: Vec<Term> = implied
        .filter(|it| !plain.contains(it))
        .map(Term::not)
        .collect();
    if !owed.is_empty() {
        let mut assertions = known;
        assertions.push(Term::or(owed));
        found.push(Obligation {
            kind: ObligationKind::Translation(part),
            assertions,
        });
    }
}
