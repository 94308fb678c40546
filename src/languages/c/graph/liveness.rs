//! Which variables are read before they are written again.

use super::Graph;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use slabcert_certificates::term::{Symbol, Term};
use std::collections::BTreeSet;

impl Graph {
    /// The variables that are live at each location, by index.
    pub fn live(&self) -> Vec<FixedBitSet> {
        let reads = self.reads();
        let mut live = vec![FixedBitSet::with_capacity(self.variables.len()); self.locations];
        for location in self.stays.keys().filter(|it| self.is_open(**it)) {
            live[*location].union_with(&self.shared);
        }
        let mut entering = vec![Vec::new(); self.locations];
        for (index, edge) in self.edges.iter().enumerate() {
            entering[edge.to].push(index);
        }
        let mut is_open = vec![true; self.edges.len()];
        let mut open: Vec<usize> = (0..self.edges.len()).collect();
        while let Some(index) = open.pop() {
            is_open[index] = false;
            let edge = &self.edges[index];
            let mut before = live[edge.to].clone();
            for (variable, _) in &edge.updates {
                before.set(*variable, false);
            }
            for variable in &edge.arbitrary {
                before.set(*variable, false);
            }
            before.extend(reads[index].guard.iter().copied());
            for ((variable, _), read) in edge.updates.iter().zip(&reads[index].updates) {
                if live[edge.to].contains(*variable) {
                    before.extend(read.iter().copied());
                }
            }
            if !before.is_subset(&live[edge.from]) {
                live[edge.from].union_with(&before);
                for earlier in &entering[edge.from] {
                    if !std::mem::replace(&mut is_open[*earlier], true) {
                        open.push(*earlier);
                    }
                }
            }
        }
        live
    }

    /// The variables that some edge mentions, by index.
    pub fn mentioned(&self) -> BTreeSet<usize> {
        let written = self.edges.iter().flat_map(|edge| {
            let updated = edge.updates.iter().map(|(variable, _)| variable);
            updated.chain(&edge.arbitrary).copied()
        });
        written.chain(self.read()).collect()
    }

    /// The variables that some edge reads, by index.
    pub fn read(&self) -> BTreeSet<usize> {
        let reads = self.reads().into_iter();
        reads
            .flat_map(|it| it.guard.into_iter().chain(it.updates.into_iter().flatten()))
            .collect()
    }

    /// The variables that each edge reads, by index.
    fn reads(&self) -> Vec<Reads> {
        let variables = self.variables.iter().enumerate();
        let numbers = variables.map(|(number, it)| (it.symbol.clone(), number));
        let numbers: FxHashMap<Symbol, usize> = numbers.collect();
        let read = |term: &Term| -> Vec<usize> {
            let symbols = term.symbols();
            symbols
                .iter()
                .filter_map(|it| numbers.get(it).copied())
                .collect()
        };
        let reads = self.edges.iter().map(|edge| Reads {
            guard: edge.conditions().flat_map(read).collect(),
            updates: edge.updates.iter().map(|(_, value)| read(value)).collect(),
        });
        reads.collect()
    }

    /// Drops new values that nobody reads. Whether there were any.
    pub(super) fn drop_dead_values(&mut self) -> bool {
        let live = self.live();
        let mut has_changed = false;
        for edge in &mut self.edges {
            let count = edge.updates.len() + edge.arbitrary.len();
            let live = &live[edge.to];
            edge.updates
                .retain(|(variable, _)| live.contains(*variable));
            edge.arbitrary.retain(|variable| live.contains(*variable));
            has_changed |= edge.updates.len() + edge.arbitrary.len() < count;
        }
        has_changed
    }
}

/// What an edge reads: in its guard or its call, and for each update.
struct Reads {
    guard: Vec<usize>,
    updates: Vec<Vec<usize>>,
}
