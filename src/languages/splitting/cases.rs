//! Splitting one relation into cases at its outermost disjunctions and control bits.
//!
//! A [`Case`] is a conjunction in solved form: definitions of next values and inputs, literals, and conjuncts that are still
//! disjunctions. Facts are propagated as soon as they are known, so that a case that fixes the location keeps of the relation what
//! belongs to this location. Invariant: the disjunction of the cases is equivalent to the relation; only contradictory cases are
//! dropped. How many cases there may be is bounded; what is left of a disjunction when the bound is reached stays in its case.
//!
//! Splitting ends: a case is split by a condition that its path has not tested, or by a disjunction that leaves its branches. On a
//! path the symbols without definition become fewer, or what is open becomes smaller, not counting the conditions that were tested.
//! Since that may still take long, the work is bounded too ([`MOST_WORK`]).

use super::linear::Difference;
use super::rewriting::Rewriting;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxHashMap, FxHashSet};
use slabcert_certificates::system::SymbolRole;
use slabcert_certificates::term::{Kind, Operator, Sort, Substitution, Symbol, Term};
use std::collections::VecDeque;

/// What the symbols of a system are.
pub(super) type Roles = FxHashMap<Symbol, SymbolRole>;

/// A conjunction in solved form.
#[derive(Clone, Default)]
pub(super) struct Case {
    /// Which branches led here, for an order that does not depend on when a case was finished.
    path: Vec<usize>,
    /// Next values and inputs that are given by a term; no defined symbol occurs in a term or elsewhere in the case.
    pub(super) definitions: IndexMap<Symbol, Term>,
    /// Conjuncts that are neither conjunctions nor disjunctions.
    pub(super) literals: IndexSet<Term>,
    /// Conjuncts that are disjunctions.
    pub(super) open: IndexSet<Term>,
    /// The conditions that this case was split by. None is tested twice: a branch in which one was left over (since it is a constant,
    /// or could not be rewritten) would be split by it for ever.
    tested: FxHashSet<Term>,
}

/// A conjunct turned out to be false.
struct Contradiction;

/// How a case falls into others.
#[derive(Default)]
struct Split {
    /// The open disjunction that each branch implies, if it was split by one.
    decided: Option<Term>,
    /// The condition that the branches differ in, if it was split by one.
    tested: Option<Term>,
    /// What is assumed in each branch; none when nothing is left to split.
    branches: Vec<Vec<Term>>,
}

/// How many nodes of the relation are looked at in all splits together, at most; then what is open stays open.
const MOST_WORK: usize = 100_000_000;
/// What a split costs at least, however small the relation is.
const LEAST_WORK: usize = 1_000;

/// The cases of a relation, at most `most` (and at least one, unless the relation is contradictory).
pub(super) fn split(relation: &Term, roles: &Roles, most: usize) -> Vec<Case> {
    let splits = MOST_WORK / relation.size().max(LEAST_WORK);
    split_within(relation, roles, most, splits)
}

/// [`split`] with so many splits at most.
fn split_within(relation: &Term, roles: &Roles, most: usize, mut splits: usize) -> Vec<Case> {
    let mut waiting = VecDeque::new();
    let mut finished = Vec::new();
    waiting.extend(Case::default().with(vec![relation.clone()], roles));
    while let Some(case) = waiting.pop_front() {
        let Split {
            decided,
            tested,
            branches,
        } = match splits {
            0 => Split::default(),
            _ => case.next_split(roles),
        };
        let total = finished.len() + waiting.len() + branches.len();
        if branches.is_empty() || total > most {
            finished.push(case);
            continue;
        }
        splits -= 1;
        for (index, branch) in branches.into_iter().enumerate() {
            let mut next = case.clone();
            next.path.push(index);
            // The branch implies the disjunction; if it stayed, a branch without new facts would be split by it for ever.
            if let Some(disjunction) = &decided {
                next.open.shift_remove(disjunction);
            }
            next.tested.extend(tested.clone());
            waiting.extend(next.with(branch, roles));
        }
    }
    finished.sort_by(|left, right| left.path.cmp(&right.path));
    finished
}

/// What an equation should be solved for: next values rather than inputs, and never a variable's value before the step.
fn rank(symbol: &Symbol, roles: &Roles) -> Option<u8> {
    match roles.get(symbol) {
        Some(SymbolRole::Next(_)) => Some(2),
        Some(SymbolRole::Input(_)) => Some(1),
        Some(SymbolRole::Current(_)) | None => None,
    }
}

/// The definition that a literal amounts to, if it amounts to one.
fn definition(literal: &Term, roles: &Roles) -> Option<(Symbol, Term)> {
    let (operator, arguments, is_positive) = match literal.kind() {
        Kind::Symbol(symbol) => {
            rank(symbol, roles)?;
            return Some((symbol.clone(), Term::bool(true)));
        }
        Kind::Apply(Operator::Not, inner) => match inner[0].kind() {
            Kind::Symbol(symbol) => {
                rank(symbol, roles)?;
                return Some((symbol.clone(), Term::bool(false)));
            }
            Kind::Apply(operator, arguments) => (*operator, arguments, false),
            Kind::Constant(_) => return None,
        },
        Kind::Apply(operator, arguments) => (*operator, arguments, true),
        Kind::Constant(_) => return None,
    };
    let [left, right] = arguments.as_slice() else {
        return None;
    };
    let is_equation = match operator {
        Operator::Equal => is_positive,
        Operator::Xor => !is_positive,
        _ => return None,
    };
    if left.sort().is_numeric() {
        if !is_equation {
            return None;
        }
        let difference = Difference::new(left, right)?;
        return difference.solve(&|symbol| rank(symbol, roles));
    }
    let side = |this: &Term, other: &Term| {
        let symbol = this.as_symbol()?;
        let rank = rank(symbol, roles)?;
        let value = if is_equation {
            other.clone()
        } else {
            other.clone().not()
        };
        (!other.symbols().contains(symbol)).then(|| (rank, symbol.clone(), value))
    };
    let candidates = [side(left, right), side(right, left)];
    let best = candidates
        .into_iter()
        .flatten()
        .max_by_key(|(rank, ..)| *rank)?;
    Some((best.1, best.2))
}

/// The conjuncts or disjuncts that a formula consists of at its root, if it is not a literal.
enum Shape {
    Conjunction(Vec<Term>),
    Disjunction(Vec<Term>),
    Literal,
}

fn shape(formula: &Term) -> Shape {
    let negate = |terms: &[Term]| terms.iter().map(|term| term.clone().not()).collect();
    match formula.kind() {
        Kind::Apply(Operator::And, arguments) => Shape::Conjunction(arguments.clone()),
        Kind::Apply(Operator::Or, arguments) => Shape::Disjunction(arguments.clone()),
        Kind::Apply(Operator::Implies, sides) => {
            Shape::Disjunction(vec![sides[0].clone().not(), sides[1].clone()])
        }
        Kind::Apply(Operator::Ite, parts) => {
            let (condition, then, otherwise) =
                (parts[0].clone(), parts[1].clone(), parts[2].clone());
            Shape::Disjunction(vec![
                Term::and([condition.clone(), then]),
                Term::and([condition.not(), otherwise]),
            ])
        }
        Kind::Apply(Operator::Not, inner) => match inner[0].kind() {
            Kind::Apply(Operator::Or, arguments) => Shape::Conjunction(negate(arguments)),
            Kind::Apply(Operator::And, arguments) => Shape::Disjunction(negate(arguments)),
            Kind::Apply(Operator::Implies, sides) => {
                Shape::Conjunction(vec![sides[0].clone(), sides[1].clone().not()])
            }
            Kind::Apply(Operator::Ite, parts) => shape(
                &parts[0]
                    .clone()
                    .ite(parts[1].clone().not(), parts[2].clone().not()),
            ),
            _ => Shape::Literal,
        },
        _ => Shape::Literal,
    }
}

impl Case {
    /// The case with more conjuncts, everything that follows from single facts propagated; `None` when it is contradictory. This ends
    /// since what comes back to be absorbed has fewer symbols with a definition in it, or is smaller.
    fn with(mut self, conjuncts: Vec<Term>, roles: &Roles) -> Option<Case> {
        let mut pending = conjuncts;
        while !pending.is_empty() {
            self.absorb(pending, roles).ok()?;
            pending = self.propagate();
        }
        Some(self)
    }

    /// Takes in conjuncts, one after the other.
    fn absorb(&mut self, conjuncts: Vec<Term>, roles: &Roles) -> Result<(), Contradiction> {
        let mut stack: Vec<Term> = conjuncts.into_iter().rev().collect();
        // A conjunction that is shared would come once for each way to it, which may be very many.
        let mut seen = FxHashSet::default();
        while let Some(formula) = stack.pop() {
            if formula.is_true() {
                continue;
            }
            if formula.is_false() {
                return Err(Contradiction);
            }
            match shape(&formula) {
                Shape::Conjunction(parts) => {
                    if seen.insert(formula) {
                        stack.extend(parts.into_iter().rev());
                    }
                }
                Shape::Disjunction(_) => {
                    self.open.insert(formula);
                }
                Shape::Literal => {
                    let literal = self.rewrite_definitions(&formula);
                    if literal != formula {
                        stack.push(literal);
                    } else if let Some((symbol, value)) = definition(&literal, roles)
                        // A literal that could not be rewritten may mention what is defined already.
                        && !self.definitions.contains_key(&symbol)
                    {
                        self.define(symbol, value);
                    } else if self.literals.contains(&literal.clone().not()) {
                        return Err(Contradiction);
                    } else {
                        self.literals.insert(literal);
                    }
                }
            }
        }
        Ok(())
    }

    fn rewrite_definitions(&self, formula: &Term) -> Term {
        let definitions = self.substitution();
        Rewriting::new(
            &FxHashMap::default(),
            &definitions,
            &Substitution::default(),
        )
        .rewrite(formula)
    }

    fn substitution(&self) -> Substitution {
        self.definitions
            .iter()
            .map(|(symbol, value)| (symbol.clone(), value.clone()))
            .collect()
    }

    /// Adds a definition and applies it to the others.
    fn define(&mut self, symbol: Symbol, value: Term) {
        let new: Substitution = [(symbol.clone(), value.clone())].into_iter().collect();
        let (facts, constants) = (FxHashMap::default(), Substitution::default());
        let mut rewriting = Rewriting::new(&facts, &new, &constants);
        for other in self.definitions.values_mut() {
            *other = rewriting.rewrite(other);
        }
        self.definitions.insert(symbol, value);
    }

    /// Applies definitions to literals, and definitions and facts to what is open. What changes is taken out and returned.
    fn propagate(&mut self) -> Vec<Term> {
        let definitions = self.substitution();
        let mut changed = Vec::new();
        let (no_facts, no_constants) = (FxHashMap::default(), Substitution::default());
        let mut rewriting = Rewriting::new(&no_facts, &definitions, &no_constants);
        self.literals.retain(|literal| {
            let new = rewriting.rewrite(literal);
            let is_same = &new == literal;
            if !is_same {
                changed.push(new);
            }
            is_same
        });
        let mut facts = FxHashMap::default();
        let mut constants = Substitution::default();
        for literal in &self.literals {
            match literal.kind() {
                Kind::Apply(Operator::Not, inner) => {
                    facts.insert(inner[0].clone(), false);
                }
                _ => {
                    facts.insert(literal.clone(), true);
                }
            }
            if let Some((symbol, value)) = fixed_value(literal) {
                constants.insert(symbol, value);
            }
        }
        let mut rewriting = Rewriting::new(&facts, &definitions, &constants);
        self.open.retain(|formula| {
            let new = rewriting.rewrite(formula);
            let is_same = &new == formula;
            if !is_same {
                changed.push(new);
            }
            is_same
        });
        changed
    }

    /// The next split. A disjunction without next values is a guard and stays as it is.
    fn next_split(&self, roles: &Roles) -> Split {
        let steps: Vec<&Term> = self
            .open
            .iter()
            .filter(|formula| mentions_next(formula, roles))
            .collect();
        if let Some(condition) = condition(&steps, roles, &self.tested) {
            return Split {
                decided: None,
                tested: Some(condition.clone()),
                branches: vec![vec![condition.clone().not()], vec![condition]],
            };
        }
        let smallest = steps
            .into_iter()
            .filter_map(|formula| match shape(formula) {
                Shape::Disjunction(parts) => Some((formula, parts)),
                _ => None,
            })
            .min_by_key(|(_, parts)| parts.len());
        let Some((formula, disjuncts)) = smallest else {
            return Split::default();
        };
        let mut branches: Vec<Vec<Term>> = Vec::new();
        let mut excluded = Vec::new();
        for disjunct in disjuncts {
            let mut branch: Vec<Term> = excluded.clone();
            branch.push(disjunct.clone());
            branches.push(branch);
            // The later branches need not repeat what this one covers, as long as saying so costs one literal.
            if matches!(shape(&disjunct), Shape::Literal) {
                excluded.push(disjunct.not());
            }
        }
        Split {
            decided: Some(formula.clone()),
            tested: None,
            branches,
        }
    }
}

/// Whether the formula says something about the state after the step.
pub(super) fn mentions_next(formula: &Term, roles: &Roles) -> bool {
    formula
        .symbols()
        .iter()
        .any(|symbol| matches!(roles.get(symbol), Some(SymbolRole::Next(_))))
}

/// The condition on the state before the step that the formulas use most: a Boolean state variable or input if there is one, else
/// a comparison that alone makes one of the disjunctions true. A constant is nothing to tell cases apart by, nor is what was tested.
fn condition(formulas: &[&Term], roles: &Roles, tested: &FxHashSet<Term>) -> Option<Term> {
    let mut bits: IndexMap<Term, usize> = IndexMap::new();
    let mut comparisons: IndexMap<Term, usize> = IndexMap::new();
    for formula in formulas {
        formula.visit(&mut |node| {
            let Kind::Apply(_, arguments) = node.kind() else {
                return;
            };
            for argument in arguments {
                if argument.sort() == Sort::Bool && argument.as_symbol().is_some() {
                    *bits.entry(argument.clone()).or_default() += 1;
                }
            }
        });
        let Shape::Disjunction(parts) = shape(formula) else {
            continue;
        };
        for part in parts {
            if matches!(shape(&part), Shape::Literal) {
                let atom = match part.kind() {
                    Kind::Apply(Operator::Not, inner) => inner[0].clone(),
                    _ => part,
                };
                *comparisons.entry(atom).or_default() += 1;
            }
        }
    }
    [bits, comparisons].into_iter().find_map(|uses| {
        // The first of those that are used most.
        uses.into_iter()
            .filter(|(atom, _)| atom.as_constant().is_none() && !tested.contains(atom))
            .filter(|(atom, _)| !mentions_next(atom, roles))
            .rev()
            .max_by_key(|(_, count)| *count)
            .map(|(atom, _)| atom)
    })
}

/// The symbol and the constant that a literal says are equal.
pub(super) fn fixed_value(literal: &Term) -> Option<(Symbol, Term)> {
    match literal.kind() {
        Kind::Symbol(symbol) => Some((symbol.clone(), Term::bool(true))),
        Kind::Apply(Operator::Not, inner) => {
            let symbol = inner[0].as_symbol()?;
            Some((symbol.clone(), Term::bool(false)))
        }
        Kind::Apply(Operator::Equal, sides) if sides[0].sort().is_numeric() => {
            let difference = Difference::new(&sides[0], &sides[1])?;
            let (symbol, value) = difference.solve(&|_| Some(0))?;
            value.as_constant()?;
            Some((symbol, value))
        }
        _ => None,
    }
}

#[cfg(test)]
mod repairs {
    use super::*;
    use slabcert_certificates::system::{StateVariable, System};

    fn system() -> System {
        System {
            variables: vec![
                StateVariable::new("b", Sort::Bool),
                StateVariable::new("c", Sort::Bool),
                StateVariable::new("x", Sort::Int),
            ],
            ..System::default()
        }
    }

    fn apply(operator: Operator, arguments: Vec<Term>) -> Term {
        Term::apply(operator, arguments).unwrap()
    }

    /// As texts have it: nothing is simplified.
    fn constant_below(operator: Operator, truth: bool) -> Term {
        let constant = Term::bool(truth);
        match operator {
            Operator::Not => apply(operator, vec![constant]),
            Operator::Ite => apply(operator, vec![constant.clone(), constant.clone(), constant]),
            _ => apply(operator, vec![constant.clone(), constant]),
        }
    }

    #[test]
    fn a_constant_below_a_connective_is_no_condition_to_split_by_for_ever() {
        let system = system();
        let roles = system.symbol_roles();
        let next = Term::named("b.next", Sort::Bool);
        for operator in [
            Operator::Not,
            Operator::And,
            Operator::Or,
            Operator::Implies,
            Operator::Xor,
            Operator::Equal,
            Operator::Ite,
        ] {
            for truth in [false, true] {
                let constant = constant_below(operator, truth);
                let value = constant.holds(&|_: &Symbol| None).unwrap();
                let cases = split(
                    &apply(Operator::Or, vec![next.clone(), constant]),
                    &roles,
                    64,
                );
                // What is constantly true leaves no condition, what is constantly false leaves the other disjunct.
                let is_free = cases.iter().any(|case| {
                    case.definitions.is_empty() && case.literals.is_empty() && case.open.is_empty()
                });
                assert_eq!(is_free, value, "{operator:?} {truth}");
                assert!(
                    !cases.is_empty() && cases.len() <= 2,
                    "{operator:?} {truth}"
                );
            }
        }
    }

    #[test]
    fn a_condition_is_tested_once_on_a_path() {
        let system = system();
        let roles = system.symbol_roles();
        let b = Term::named("b", Sort::Bool);
        let mut tested = FxHashSet::default();
        let relation = apply(
            Operator::Or,
            vec![Term::named("c.next", Sort::Bool), b.clone()],
        );
        assert_eq!(condition(&[&relation], &roles, &tested), Some(b.clone()));
        tested.insert(b);
        assert_eq!(condition(&[&relation], &roles, &tested), None);
    }

    #[test]
    fn splitting_within_a_bound_loses_nothing() {
        let system = system();
        let roles = system.symbol_roles();
        let x = Term::named("x", Sort::Int);
        let next = Term::named("x.next", Sort::Int);
        let branch = |number: i64| {
            let at = x.clone().equals(Term::int(number));
            Term::and([at, next.clone().equals(Term::int(number + 1))])
        };
        let relation = Term::or([branch(0), branch(1), branch(2)]);
        let whole = split_within(&relation, &roles, 64, 0);
        assert_eq!(whole.len(), 1);
        assert!(whole[0].open.contains(&relation));
        assert_eq!(split_within(&relation, &roles, 64, 1).len(), 3);
        assert_eq!(split(&relation, &roles, 64).len(), 3);
    }

    #[test]
    fn a_conjunction_that_is_shared_on_every_level_is_taken_in_once() {
        let system = system();
        let roles = system.symbol_roles();
        let next = Term::named("c.next", Sort::Bool);
        for (operator, is_negated) in [(Operator::And, false), (Operator::Or, true)] {
            let (mut formula, mut before) = (next.clone(), Term::named("b", Sort::Bool));
            for _ in 0..60 {
                let both = apply(operator, vec![formula.clone(), before]);
                (formula, before) = (both, formula);
            }
            if is_negated {
                formula = formula.not();
            }
            let cases = split(&formula, &roles, 64);
            assert_eq!(cases.len(), 1);
            assert_eq!(
                cases[0].definitions[next.as_symbol().unwrap()],
                Term::bool(!is_negated)
            );
            // What is rewritten is shared as well: a definition changes all levels of a disjunction.
            let open = apply(
                Operator::Or,
                vec![formula, Term::named("x", Sort::Int).less(Term::int(0))],
            );
            assert_eq!(
                split(&Term::and([next.clone().not(), open]), &roles, 64).len(),
                1
            );
        }
    }
}
