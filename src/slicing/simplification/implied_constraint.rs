//! A condition of a transition that the label before the step says already is left out of the unrolled path.

use crate::arithmetic::Formula;
use crate::slicing::predicates::{Literal, PredicateTable};

/// The conditions that a label does not say word for word.
pub fn needed_conditions<'a>(
    conditions: &'a [Formula],
    label: &'a [Literal],
    predicates: &'a PredicateTable,
) -> impl Iterator<Item = &'a Formula> {
    conditions.iter().filter(move |condition| {
        predicates
            .known(condition)
            .is_none_or(|literal| !label.contains(&literal))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::Variable;

    #[test]
    fn only_what_the_label_says_is_left_out() {
        let mut predicates = PredicateTable::default();
        let p = Formula::literal(Variable(0), true);
        let q = Formula::literal(Variable(1), true);
        let label: Vec<Literal> = predicates.literal(&p).into_iter().collect();
        let conditions = [p.clone(), q.clone(), p.negate()];
        let needed: Vec<&Formula> = needed_conditions(&conditions, &label, &predicates).collect();
        assert_eq!(needed, [&q, &p.negate()]);
    }
}
