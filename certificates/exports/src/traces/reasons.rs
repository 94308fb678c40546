//! Why a formula is true or false under given values: few of its parts whose truth values suffice, and few symbols.
//!
//! A conjunction is false because of one of its conjuncts, true because of all of them; of several reasons the one with the fewest
//! symbols is taken, the first of these. Invariant: whoever gives the parts that are named the truth values that are named gives the
//! formula its value too, whatever the other parts are.

use slabcert_certificates::term::{Assignment, EvaluationError, Operator, Sort, Symbol, Term};
use std::collections::BTreeSet;

/// Formulas with more nodes than this are their own reason: looking into them would take too long.
const MAXIMAL_SIZE: usize = 20_000;

/// How many parts of a formula are looked into; shared parts count each time.
const MAXIMAL_WORK: usize = 2_000;

/// A part of a formula, and whether it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The part: no conjunction, disjunction, implication or negation, unless the formula is too large to be looked into.
    pub part: Term,
    /// Whether it holds.
    pub holds: bool,
}

impl Reason {
    /// The part or its negation, whichever holds.
    pub fn fact(&self) -> Term {
        if self.holds {
            self.part.clone()
        } else {
            self.part.clone().not()
        }
    }
}

/// Parts of a formula that suffice for its truth value, in the order in which they stand.
///
/// # Errors
/// When a symbol of a part that matters has no value.
pub fn reasons(
    formula: &Term,
    assignment: &dyn Assignment,
) -> Result<Vec<Reason>, EvaluationError> {
    let holds = formula.holds(assignment)?;
    let mut found = Vec::new();
    Collector::new(formula, assignment).collect(formula, holds, &mut found)?;
    Ok(found)
}

/// Symbols whose values suffice for the value of a term: what stands in a branch that is not taken does not count.
///
/// # Errors
/// When a symbol that matters has no value.
pub fn support(
    term: &Term,
    assignment: &dyn Assignment,
) -> Result<BTreeSet<Symbol>, EvaluationError> {
    let mut symbols = BTreeSet::new();
    Collector::new(term, assignment).needed(term, &mut BTreeSet::new(), &mut symbols)?;
    Ok(symbols)
}

/// Searches terms within a bound on work.
struct Collector<'a> {
    assignment: &'a dyn Assignment,
    work: usize,
}

impl<'a> Collector<'a> {
    fn new(term: &Term, assignment: &'a dyn Assignment) -> Collector<'a> {
        let is_large = term.size() > MAXIMAL_SIZE;
        Collector {
            assignment,
            work: if is_large { 0 } else { MAXIMAL_WORK },
        }
    }

    fn needed(
        &mut self,
        term: &Term,
        seen: &mut BTreeSet<usize>,
        symbols: &mut BTreeSet<Symbol>,
    ) -> Result<(), EvaluationError> {
        if !seen.insert(term.address()) {
            return Ok(());
        }
        if self.work == 0 {
            symbols.extend(term.symbols());
            return Ok(());
        }
        self.work -= 1;
        let Some((operator, arguments)) = term.as_application() else {
            symbols.extend(term.as_symbol().cloned());
            return Ok(());
        };
        match (operator, arguments) {
            (Operator::Ite, [condition, then, otherwise]) => {
                let is_then = condition.holds(self.assignment)?;
                self.needed(condition, seen, symbols)?;
                self.needed(if is_then { then } else { otherwise }, seen, symbols)
            }
            (Operator::And | Operator::Or | Operator::Implies | Operator::Not, _) => {
                let holds = term.holds(self.assignment)?;
                let mut found = Vec::new();
                self.collect(term, holds, &mut found)?;
                found.iter().try_for_each(|reason| {
                    // What could not be looked into comes back whole.
                    if reason.part == *term {
                        symbols.extend(term.symbols());
                        return Ok(());
                    }
                    self.needed(&reason.part, seen, symbols)
                })
            }
            _ => arguments
                .iter()
                .try_for_each(|argument| self.needed(argument, seen, symbols)),
        }
    }

    /// Adds the parts that make a formula as true or false as it is.
    fn collect(
        &mut self,
        formula: &Term,
        holds: bool,
        found: &mut Vec<Reason>,
    ) -> Result<(), EvaluationError> {
        let application = formula.as_application().filter(|_| self.work > 0);
        let Some((operator, arguments)) = application else {
            add(formula, holds, found);
            return Ok(());
        };
        self.work -= 1;
        match (operator, arguments) {
            (Operator::Not, [inner]) => self.collect(inner, !holds, found),
            (Operator::And, _) if holds => self.collect_all(arguments, true, found),
            (Operator::And, _) => self.collect_one(arguments.iter().cloned(), false, found),
            (Operator::Or, _) if !holds => self.collect_all(arguments, false, found),
            (Operator::Or, _) => self.collect_one(arguments.iter().cloned(), true, found),
            (Operator::Implies, [premise, conclusion]) if !holds => {
                self.collect(premise, true, found)?;
                self.collect(conclusion, false, found)
            }
            (Operator::Implies, [premise, conclusion]) => {
                let either = [premise.clone().not(), conclusion.clone()];
                self.collect_one(either.into_iter(), true, found)
            }
            (Operator::Ite, [condition, then, otherwise]) if then.sort() == Sort::Bool => {
                let is_then = condition.holds(self.assignment)?;
                self.collect(condition, is_then, found)?;
                self.collect(if is_then { then } else { otherwise }, holds, found)
            }
            _ => {
                add(formula, holds, found);
                Ok(())
            }
        }
    }

    fn collect_all(
        &mut self,
        parts: &[Term],
        holds: bool,
        found: &mut Vec<Reason>,
    ) -> Result<(), EvaluationError> {
        parts
            .iter()
            .try_for_each(|part| self.collect(part, holds, found))
    }

    /// Adds the reasons of the part that needs the fewest symbols among those that have the truth value.
    fn collect_one(
        &mut self,
        parts: impl Iterator<Item = Term>,
        holds: bool,
        found: &mut Vec<Reason>,
    ) -> Result<(), EvaluationError> {
        let mut best: Option<(usize, Vec<Reason>)> = None;
        for part in parts {
            if part.holds(self.assignment)? != holds {
                continue;
            }
            let mut own = Vec::new();
            self.collect(&part, holds, &mut own)?;
            let parts = own.iter().map(|reason| reason.part.symbols());
            let symbols: BTreeSet<Symbol> = parts.flatten().collect();
            if best
                .as_ref()
                .is_none_or(|(least, _)| symbols.len() < *least)
            {
                best = Some((symbols.len(), own));
            }
        }
        for reason in best.map(|(_, own)| own).unwrap_or_default() {
            add(&reason.part, reason.holds, found);
        }
        Ok(())
    }
}

fn add(part: &Term, holds: bool, found: &mut Vec<Reason>) {
    let is_known = found.iter().any(|reason| reason.part == *part);
    if part.as_constant().is_none() && !is_known {
        found.push(Reason {
            part: part.clone(),
            holds,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use slabcert_certificates::term::Value;

    fn variable(name: &str) -> Term {
        Term::named(name, Sort::Int)
    }

    /// a = 1, b = 2, c = 3.
    fn values(symbol: &Symbol) -> Option<Value> {
        let index = "abc".find(symbol.name())?;
        Some(Value::Int((index + 1).into()))
    }

    fn is(name: &str, number: u32) -> Term {
        variable(name).equals(Term::int(number))
    }

    fn shown(formula: &Term) -> Vec<String> {
        reasons(formula, &values)
            .unwrap()
            .iter()
            .map(|reason| reason.fact().to_string())
            .collect()
    }

    #[test]
    fn a_conjunction_is_false_for_one_reason_and_true_for_all() {
        let both = Term::and([is("a", 1), is("b", 2)]);
        assert_eq!(shown(&both), ["(= a 1)", "(= b 2)"]);
        let wrong = Term::and([is("a", 1), is("b", 7), is("c", 7)]);
        assert_eq!(shown(&wrong), ["(not (= b 7))"]);
        assert_eq!(shown(&both.not()), ["(= a 1)", "(= b 2)"]);
    }

    #[test]
    fn of_several_reasons_the_smaller_one_is_taken() {
        let sum = variable("a").less(variable("b"));
        let either = Term::or([sum, is("c", 3)]);
        assert_eq!(shown(&either), ["(= c 3)"]);
        let implied = is("a", 9).implies(variable("a").less(variable("b")));
        assert_eq!(shown(&implied), ["(not (= a 9))"]);
        let broken = is("a", 1).implies(is("b", 9));
        assert_eq!(shown(&broken), ["(= a 1)", "(not (= b 9))"]);
    }

    #[test]
    fn branches_that_are_not_taken_need_no_value() {
        let chosen = is("a", 1).ite(variable("b"), variable("c"));
        let names = |term: &Term| {
            let symbols = support(term, &values).unwrap();
            symbols
                .iter()
                .map(|symbol| symbol.name().to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(names(&chosen), ["a", "b"]);
        assert_eq!(names(&Term::or([is("c", 3), is("b", 9)])), ["c"]);
        let unknown = Term::and([is("a", 1), is("x", 1)]);
        assert!(reasons(&unknown, &values).is_err());
    }

    #[test]
    fn a_formula_that_is_too_large_is_its_own_reason() {
        let many = Term::and((0..30_000).map(|number| is("a", 1).implies(is("b", number))));
        let found = reasons(&many, &values).unwrap();
        assert_eq!(found.len(), 1);
        assert!(!found[0].holds && found[0].part == many);
    }
}
