//! Traversals that visit every shared sub-term once: substitution, free symbols, sizes.

use super::{Kind, Operator, Symbol, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// A substitution for symbols.
pub type Substitution = FxHashMap<Symbol, Term>;

/// A cache of results for shared sub-terms, keyed by node. It keeps the terms alive, so that an address stays unique.
pub struct TermMap<T> {
    entries: FxHashMap<usize, (Term, T)>,
}

impl<T> Default for TermMap<T> {
    fn default() -> TermMap<T> {
        TermMap {
            entries: FxHashMap::default(),
        }
    }
}

impl<T> TermMap<T> {
    /// The result stored for this very node.
    pub fn get(&self, term: &Term) -> Option<&T> {
        self.entries.get(&term.address()).map(|(_, result)| result)
    }

    /// The result stored for this very node, to change it.
    pub fn get_mut(&mut self, term: &Term) -> Option<&mut T> {
        let entry = self.entries.get_mut(&term.address());
        entry.map(|(_, result)| result)
    }

    /// Stores a result for this very node.
    pub fn insert(&mut self, term: &Term, result: T) {
        self.entries.insert(term.address(), (term.clone(), result));
    }
}

impl Term {
    /// Replaces symbols, all at once. Each replacement must have the sort of its symbol.
    pub fn substitute(&self, substitution: &Substitution) -> Term {
        self.substitute_all(substitution, &mut TermMap::default())
    }

    /// Like [`Term::substitute`], with a cache that several calls with the same substitution share.
    pub fn substitute_all(&self, substitution: &Substitution, cache: &mut TermMap<Term>) -> Term {
        match self.kind() {
            Kind::Constant(_) => self.clone(),
            Kind::Symbol(symbol) => substitution.get(symbol).unwrap_or(self).clone(),
            Kind::Apply(operator, arguments) => {
                if let Some(done) = cache.get(self) {
                    return done.clone();
                }
                let replaced: Vec<Term> = arguments
                    .iter()
                    .map(|argument| argument.substitute_all(substitution, cache))
                    .collect();
                let result = self.with_arguments(*operator, replaced);
                cache.insert(self, result.clone());
                result
            }
        }
    }

    /// The free symbols, in order.
    pub fn symbols(&self) -> BTreeSet<Symbol> {
        let mut found = BTreeSet::new();
        self.visit(&mut |term| {
            if let Kind::Symbol(symbol) = term.kind() {
                found.insert(symbol.clone());
            }
        });
        found
    }

    /// Calls the function once for each node that is shared or not, arguments before what uses them.
    pub fn visit(&self, function: &mut dyn FnMut(&Term)) {
        let mut seen = FxHashSet::default();
        self.visit_where(&mut |node| seen.insert(node.address()), function);
    }

    /// Like [`Term::visit`], but for the nodes that were seen before, by several calls in all.
    pub fn visit_new(&self, seen: &mut TermMap<()>, function: &mut dyn FnMut(&Term)) {
        let mut is_new = |node: &Term| {
            let is_new = seen.get(node).is_none();
            if is_new {
                seen.insert(node, ());
            }
            is_new
        };
        self.visit_where(&mut is_new, function);
    }

    fn visit_where(&self, is_new: &mut dyn FnMut(&Term) -> bool, function: &mut dyn FnMut(&Term)) {
        if !is_new(self) {
            return;
        }
        if let Kind::Apply(_, arguments) = self.kind() {
            for argument in arguments {
                argument.visit_where(is_new, function);
            }
        }
        function(self);
    }

    /// The number of different nodes and of their arguments: what copying takes.
    pub fn extent(&self) -> usize {
        let mut count = 0;
        self.visit(&mut |node| {
            count += 1 + node
                .as_application()
                .map_or(0, |(_, arguments)| arguments.len());
        });
        count
    }

    /// The number of different nodes.
    pub fn size(&self) -> usize {
        let mut count = 0;
        self.visit(&mut |_| count += 1);
        count
    }
}

/// Whether the node itself is linear: a product has at most one factor that is not a constant.
pub fn is_linear_node(node: &Term) -> bool {
    match node.kind() {
        Kind::Apply(Operator::Multiply, arguments) => {
            arguments
                .iter()
                .filter(|argument| argument.as_constant().is_none())
                .count()
                <= 1
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

    #[test]
    fn substitution_is_simultaneous() {
        let x = Symbol::new("x", Sort::Int);
        let y = Symbol::new("y", Sort::Int);
        let difference = Term::apply(
            Operator::Subtract,
            vec![Term::symbol(x.clone()), Term::symbol(y.clone())],
        )
        .unwrap();
        let swap: Substitution = [
            (x.clone(), Term::symbol(y.clone())),
            (y.clone(), Term::symbol(x.clone())),
        ]
        .into_iter()
        .collect();
        assert_eq!(difference.substitute(&swap).to_string(), "(- y x)");
    }

    #[test]
    fn shared_terms_are_visited_once() {
        let mut term = Term::named("x", Sort::Int);
        for _ in 0..200 {
            term = Term::apply(Operator::Add, vec![term.clone(), term]).unwrap();
        }
        assert_eq!(term.size(), 201);
        assert_eq!(term.symbols().len(), 1);
        let substitution: Substitution = [(Symbol::new("x", Sort::Int), Term::int(1))]
            .into_iter()
            .collect();
        assert_eq!(term.substitute(&substitution).size(), 201);
    }
}
