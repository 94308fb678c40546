//! Cut points: where steps of the program begin and end. Everything between two of them is one step.
//!
//! The start, the places where the program stays, and a location of every loop are cut points. Variables that nobody reads any more
//! have the value 0 there, so that states that differ in nothing else are one.

use super::{ABSORBING, Edge, Graph};
use fixedbitset::FixedBitSet;
use slabcert_certificates::program::Call;
use slabcert_certificates::term::{Term, Value};
use std::collections::BTreeSet;

impl Graph {
    /// The start, where the program stays or nothing leads on, what is kept, and where edges lead back to in a search that goes depth first: without these, there is no
    /// loop.
    pub fn cuts(&self) -> BTreeSet<usize> {
        let mut cuts: BTreeSet<usize> = (0..ABSORBING).collect();
        cuts.insert(self.start);
        cuts.extend(self.stays.keys());
        let leaving = self.leaving();
        let ends = self.edges.iter().map(|edge| edge.to);
        cuts.extend(ends.filter(|to| leaving[*to].is_empty()));
        let mut is_seen = vec![false; self.locations];
        let mut is_on_path = vec![false; self.locations];
        for root in &cuts {
            is_seen[*root] = true;
        }
        let mut path: Vec<(usize, usize)> = cuts.iter().map(|root| (*root, 0)).collect();
        while let Some((location, next)) = path.last_mut() {
            let Some(edge) = leaving[*location].get(*next) else {
                is_on_path[*location] = false;
                path.pop();
                continue;
            };
            *next += 1;
            let to = self.edges[*edge].to;
            if is_on_path[to] {
                cuts.insert(to);
            }
            if !std::mem::replace(&mut is_seen[to], true) {
                is_on_path[to] = true;
                path.push((to, 0));
            }
        }
        cuts
    }

    /// Has every edge to a cut point set the variables to 0 that are not live there and may be something else.
    pub fn forget(&mut self, cuts: &BTreeSet<usize>) {
        let live = self.live();
        let leaving = self.leaving();
        // What may be something else than 0, at each location.
        let mut set = vec![FixedBitSet::with_capacity(self.variables.len()); self.locations];
        let initial = self.variables.iter().enumerate();
        let initial = initial.filter(|(_, it)| it.initial.is_some_and(|value| value != 0));
        set[self.start].extend(initial.map(|(number, _)| number));
        let mut open: Vec<usize> = (0..self.locations).rev().collect();
        while let Some(location) = open.pop() {
            for index in &leaving[location] {
                let edge = &self.edges[*index];
                let mut after = written(edge, &set[location]);
                if self.is_open(edge.to) {
                    after.union_with(&self.shared);
                }
                if cuts.contains(&edge.to) {
                    after.intersect_with(&live[edge.to]);
                }
                if !after.is_subset(&set[edge.to]) {
                    set[edge.to].union_with(&after);
                    open.push(edge.to);
                }
            }
        }
        for index in 0..self.edges.len() {
            let edge = &self.edges[index];
            if !cuts.contains(&edge.to) {
                continue;
            }
            let mut forgotten = written(edge, &set[edge.from]);
            forgotten.difference_with(&live[edge.to]);
            let zeros = forgotten.ones().map(|variable| {
                let sort = self.variables[variable].symbol.sort();
                (variable, Term::constant(Value::default_of(sort)))
            });
            let zeros: Vec<(usize, Term)> = zeros.collect();
            match edge.call {
                None => self.edges[index].updates.extend(zeros),
                Some(_) if zeros.is_empty() => {}
                Some(_) => self.forget_beside(index, zeros),
            }
        }
    }

    /// Has an edge of its own set variables to 0, as what calls the scheduler changes nothing itself: after a call, or before one that lets
    /// threads run, which leads to the location at which they do. What that call reads stays.
    fn forget_beside(&mut self, index: usize, mut zeros: Vec<(usize, Term)>) {
        let between = self.location();
        let mut beside = self.edges[index].clone();
        let call = &mut self.edges[index];
        if let Some(Call::Start(time)) = &call.call {
            let read = time.as_ref().map(Term::symbols).unwrap_or_default();
            zeros.retain(|(variable, _)| !read.contains(&self.variables[*variable].symbol));
            (beside.to, call.from) = (between, between);
        } else {
            (beside.from, call.to) = (between, between);
        }
        (beside.call, beside.updates) = (None, zeros);
        self.edges.push(beside);
    }
}

/// What may be something else than 0 after an edge.
fn written(edge: &Edge, before: &FixedBitSet) -> FixedBitSet {
    let mut after = before.clone();
    for (variable, value) in &edge.updates {
        let is_zero = value.as_constant() == Some(&Value::default_of(value.sort()));
        after.set(*variable, !is_zero);
    }
    after.extend(edge.arbitrary.iter().copied());
    after
}
