//! Variables of a clause that an equation determines.

use slabcert_certificates::term::{Kind, Operator, Substitution, Symbol, Term};

/// How many nodes of formulas may be rewritten for one clause.
const MAXIMAL_WORK: usize = 4_000_000;

/// How deep a term may be that takes the place of a variable, so that chains of equations do not become deep terms.
const MAXIMAL_DEPTH: u32 = 200;

/// Takes out the variables that an equation determines. What is left is equivalent to the conjunction with these variables
/// existentially quantified. Each definition that is found takes one local variable out of all conjuncts, so that this ends.
pub(super) fn solve(formulas: Vec<Term>, is_local: &dyn Fn(&Symbol) -> bool) -> Vec<Term> {
    let mut conjuncts = Term::and(formulas).conjuncts();
    let mut work = 0;
    let mut at = 0;
    while at < conjuncts.len() {
        let Some((symbol, value)) = definition(&conjuncts[at], is_local) else {
            at += 1;
            continue;
        };
        work += conjuncts.iter().map(Term::size).sum::<usize>();
        if work > MAXIMAL_WORK {
            break;
        }
        conjuncts.remove(at);
        let substitution = Substitution::from_iter([(symbol, value)]);
        let replaced = conjuncts
            .iter()
            .map(|conjunct| conjunct.substitute(&substitution));
        conjuncts = Term::and(replaced.collect::<Vec<_>>()).conjuncts();
        at = 0;
    }
    conjuncts
}

/// The variable that a conjunct determines, with its value.
fn definition(conjunct: &Term, is_local: &dyn Fn(&Symbol) -> bool) -> Option<(Symbol, Term)> {
    let local = |term: &Term| term.as_symbol().filter(|symbol| is_local(symbol)).cloned();
    let sides = match conjunct.kind() {
        Kind::Symbol(_) => return Some((local(conjunct)?, Term::bool(true))),
        Kind::Apply(Operator::Not, negated) => {
            return Some((local(&negated[0])?, Term::bool(false)));
        }
        Kind::Apply(Operator::Equal, sides) => sides,
        _ => return None,
    };
    let [left, right] = sides.as_slice() else {
        return None;
    };
    [(left, right), (right, left)]
        .into_iter()
        .find_map(|(side, value)| {
            let symbol = local(side)?;
            let fits = value.depth() <= MAXIMAL_DEPTH && !value.symbols().contains(&symbol);
            fits.then(|| (symbol, value.clone()))
        })
}
