//! Random models with synchronous blocks.

use crate::contest::Sample;
use crate::syntax::{Block, Edge, Expr, LARGEST, Model, Policy, Process, Property, Term};
use fastrand::Rng;

/// More states than that make a model that is not taken.
const MOST_STATES: usize = 3_000;

/// Where an expression stands.
#[derive(Clone, Copy)]
struct Place {
    /// The block whose edge reads it, if one does.
    block: Option<usize>,
    chooses: bool,
}

struct Generator {
    random: Rng,
    model: Model,
}

/// The model of a seed.
pub fn sample(seed: u64) -> Sample {
    for attempt in 0.. {
        let mut generator = Generator {
            random: Rng::with_seed(seed * 1_000 + attempt),
            model: Model {
                blocks: Vec::new(),
                processes: Vec::new(),
                variables: Vec::new(),
                transitions: Vec::new(),
                properties: Vec::new(),
            },
        };
        let policy = [Policy::Error, Policy::PerVariable, Policy::Serial][seed as usize % 3];
        generator.fill(policy);
        let model = generator.model;
        if let Some((properties, states)) = model.search(MOST_STATES)
            && states > 3
        {
            return Sample {
                text: model.text(),
                properties,
                states,
            };
        }
    }
    unreachable!()
}

impl Generator {
    fn chance(&mut self, of_100: u32) -> bool {
        self.random.u32(..100) < of_100
    }

    fn below(&mut self, bound: usize) -> usize {
        self.random.usize(..bound)
    }

    fn number(&mut self) -> i64 {
        self.random.i64(0..=LARGEST)
    }

    fn fill(&mut self, policy: Policy) {
        let blocks = if self.chance(25) { 2 } else { 1 };
        for number in 0..blocks {
            let block = Block {
                policy: match (number, policy) {
                    // What properties of a second block are called is no concern here.
                    (1.., Policy::Error) => Policy::PerVariable,
                    _ => policy,
                },
                is_stable: self.chance(50),
                events: self.below(3),
                has_level: self.chance(25),
                has_raised: self.chance(35),
            };
            self.model.blocks.push(block);
        }
        for _ in 0..1 + self.below(2) {
            let initial = self.number();
            self.model.variables.push(initial);
        }
        for block in 0..blocks {
            for _ in 0..(2 + self.below(2)) / blocks + 1 {
                self.process(block);
            }
        }
        for process in 0..self.model.processes.len() {
            for _ in 0..1 + self.below(3) {
                let edge = self.edge(process);
                self.model.processes[process].edges.push(edge);
            }
        }
        let outside = Place {
            block: None,
            chooses: false,
        };
        if self.chance(30) {
            let guard = self.expr(outside, 1);
            let variable = self.below(self.model.variables.len());
            let value = self.term(outside);
            self.model.transitions.push((guard, variable, value));
        }
        let first = Property::Error(self.expr(outside, 2));
        let one = Expr::And(
            Box::new(self.expr(outside, 1)),
            Box::new(self.expr(outside, 1)),
        );
        let steps = self.random.i64(0..3);
        let block = self.below(blocks);
        self.model.properties = vec![
            ("bad".into(), first),
            ("worse".into(), Property::Error(one)),
            ("unstable".into(), Property::Unstable(block, steps)),
            ("ambiguous".into(), Property::Ambiguous(block)),
        ];
    }

    fn process(&mut self, block: usize) {
        let outer: Vec<usize> = (0..self.model.processes.len())
            .filter(|it| self.model.processes[*it].block == block)
            .collect();
        let mut inside = None;
        if !outer.is_empty() && self.chance(40) {
            let outer = outer[self.below(outer.len())];
            let location = self.below(self.model.processes[outer].locations);
            // All inside of one location are preempted alike.
            let known = self.model.processes.iter().filter_map(|it| it.inside);
            let known = known
                .into_iter()
                .find(|it| (it.0, it.1) == (outer, location));
            let weak = self.chance(50);
            inside = Some((outer, location, known.map_or(weak, |it| it.2)));
        }
        let locations = 2 + self.below(2);
        let start = self.below(locations);
        self.model.processes.push(Process {
            block,
            locations,
            start,
            inside,
            edges: Vec::new(),
        });
    }

    fn edge(&mut self, process: usize) -> Edge {
        let (block, locations) = {
            let its = &self.model.processes[process];
            (its.block, its.locations)
        };
        let chooses = self.chance(20);
        let place = Place {
            block: Some(block),
            chooses,
        };
        let guard = self.expr(place, 1);
        let mut writes = Vec::new();
        for variable in 0..self.model.variables.len() {
            if self.chance(45) {
                writes.push((variable, self.term(place)));
            }
        }
        Edge {
            from: self.below(locations),
            to: self.below(locations),
            chooses,
            guard,
            writes,
            raises: self.model.blocks[block].has_raised && self.chance(30),
        }
    }

    fn expr(&mut self, place: Place, depth: usize) -> Expr {
        if depth > 0 && self.chance(45) {
            let one = Box::new(self.expr(place, depth - 1));
            return match self.below(3) {
                0 => Expr::Not(one),
                1 => Expr::And(one, Box::new(self.expr(place, depth - 1))),
                _ => Expr::Or(one, Box::new(self.expr(place, depth - 1))),
            };
        }
        if let Some(block) = place.block {
            let events = self.model.blocks[block].events;
            if events > 0 && self.chance(40) {
                return Expr::Event(block, self.below(events));
            }
        }
        if place.chooses && self.chance(30) {
            return Expr::Choice(self.random.i64(0..2));
        }
        let block = self.below(self.model.blocks.len());
        if self.model.blocks[block].has_level && self.chance(30) {
            return Expr::Level(block, 1 + self.random.i64(0..LARGEST));
        }
        if self.model.blocks[block].has_raised && self.chance(40) {
            return Expr::Raised(block);
        }
        match self.below(8) {
            0 => Expr::True,
            1..=3 => {
                let variable = self.below(self.model.variables.len());
                Expr::Variable(variable, self.random.bool(), self.number())
            }
            _ => {
                let process = self.below(self.model.processes.len());
                let location = self.below(self.model.processes[process].locations);
                Expr::At(process, location)
            }
        }
    }

    fn term(&mut self, place: Place) -> Term {
        if place.chooses && self.chance(35) {
            return Term::Choice;
        }
        let block = self.below(self.model.blocks.len());
        if self.model.blocks[block].has_level && self.chance(20) {
            return Term::Level(block);
        }
        let variable = self.below(self.model.variables.len());
        match self.below(8) {
            0..=3 => Term::Constant(self.number()),
            4..=5 => Term::Variable(variable),
            6 => {
                let condition = self.expr(place, 0);
                Term::If(condition, self.number(), self.number())
            }
            _ => Term::More(variable),
        }
    }
}
