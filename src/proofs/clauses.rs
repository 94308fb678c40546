//! Clauses over literals, what follows from them by unit propagation, and what is learned from conflicts (Marques-Silva and Sakallah,
//! GRASP, 1999; the first unique implication point of Chaff, 2001).
//!
//! Nothing is known here of what literals mean. Invariant: each literal on the trail that was not decided on has a reason, a clause all
//! other literals of which are false, assigned earlier.

use super::nested::Literal;

/// A clause by its number.
pub(super) type ClauseNumber = usize;

/// How often the weight of a conflict is doubled before all weights are made smaller.
const LARGEST_WEIGHT: u64 = 1 << 40;
/// After how many conflicts later ones weigh twice as much.
const DOUBLING: u64 = 16;

/// What was learned from a conflict.
pub(super) struct Learned {
    /// The clause, all of its literals false before backjumping; the first is the only one of its level.
    pub literals: Vec<Literal>,
    /// Where to go back to, for the first literal to be implied.
    pub level: usize,
    /// What follows from the complements of the literals, step by step, with the clauses that it follows from.
    pub steps: Vec<(Literal, ClauseNumber)>,
}

/// Clauses, and an assignment.
pub(super) struct Clauses {
    clauses: Vec<Vec<Literal>>,
    /// The clauses of each literal.
    occurrences: Vec<Vec<ClauseNumber>>,
    values: Vec<Option<bool>>,
    levels: Vec<usize>,
    reasons: Vec<Option<ClauseNumber>>,
    trail: Vec<Literal>,
    /// How much of the trail was propagated.
    propagated: usize,
    /// Where the levels after level 0 begin.
    starts: Vec<usize>,
    weights: Vec<u64>,
    weight: u64,
    conflicts: u64,
    /// How many literals were looked at.
    work: usize,
}

impl Clauses {
    /// No clauses about so many entries.
    pub fn new(entries: usize) -> Clauses {
        Clauses {
            clauses: Vec::new(),
            occurrences: vec![Vec::new(); 2 * entries],
            values: vec![None; entries],
            levels: vec![0; entries],
            reasons: vec![None; entries],
            trail: Vec::new(),
            propagated: 0,
            starts: Vec::new(),
            weights: vec![0; entries],
            weight: 1,
            conflicts: 0,
            work: 0,
        }
    }

    /// Adds a clause. What follows from it as it is is for the caller to say.
    pub fn add(&mut self, literals: Vec<Literal>) -> ClauseNumber {
        let number = self.clauses.len();
        for literal in &literals {
            self.occurrences[literal.index()].push(number);
        }
        self.clauses.push(literals);
        number
    }

    /// The literals of a clause.
    pub fn literals(&self, clause: ClauseNumber) -> &[Literal] {
        &self.clauses[clause]
    }

    /// Whether a literal holds, as far as that is known.
    pub fn value(&self, literal: Literal) -> Option<bool> {
        self.values[literal.entry()].map(|value| value != literal.is_complement())
    }

    /// How often a literal's entry had to do with conflicts, recent ones more.
    pub fn weight(&self, literal: Literal) -> u64 {
        self.weights[literal.entry()]
    }

    /// How many decisions there are.
    pub fn level(&self) -> usize {
        self.starts.len()
    }

    /// The level of a literal that has a value.
    pub fn level_of(&self, literal: Literal) -> usize {
        self.levels[literal.entry()]
    }

    /// What holds without any decision, and why.
    pub fn facts(&self) -> impl Iterator<Item = (Literal, Option<ClauseNumber>)> {
        let end = self.starts.first().copied().unwrap_or(self.trail.len());
        let facts = self.trail[..end].iter();
        facts.map(|literal| (*literal, self.reasons[literal.entry()]))
    }

    /// How many literals were looked at since the last time.
    pub fn take_work(&mut self) -> usize {
        std::mem::take(&mut self.work)
    }

    /// Decides that a literal holds.
    pub fn decide(&mut self, literal: Literal) {
        self.starts.push(self.trail.len());
        self.assign(literal, None);
    }

    /// Records that a literal holds because all others of a clause are false.
    pub fn imply(&mut self, literal: Literal, reason: ClauseNumber) {
        if self.value(literal).is_none() {
            self.assign(literal, Some(reason));
        }
    }

    fn assign(&mut self, literal: Literal, reason: Option<ClauseNumber>) {
        let entry = literal.entry();
        self.values[entry] = Some(!literal.is_complement());
        self.levels[entry] = self.level();
        self.reasons[entry] = reason;
        self.trail.push(literal);
    }

    /// Goes back to a level.
    pub fn back_to(&mut self, level: usize) {
        let Some(start) = self.starts.get(level).copied() else {
            return;
        };
        for literal in self.trail.drain(start..) {
            self.values[literal.entry()] = None;
            self.reasons[literal.entry()] = None;
        }
        self.starts.truncate(level);
        self.propagated = self.propagated.min(start);
    }

    /// Assigns what follows; a clause all of whose literals are false, if there is one.
    pub fn propagate(&mut self) -> Option<ClauseNumber> {
        while let Some(literal) = self.trail.get(self.propagated).copied() {
            let falsified = literal.complement().index();
            for at in 0..self.occurrences[falsified].len() {
                let number = self.occurrences[falsified][at];
                let clause = &self.clauses[number];
                self.work += clause.len();
                if clause.iter().any(|one| self.value(*one) == Some(true)) {
                    continue;
                }
                let mut open = clause.iter().filter(|one| self.value(**one).is_none());
                match (open.next().copied(), open.next()) {
                    (None, _) => return Some(number),
                    (Some(only), None) => self.assign(only, Some(number)),
                    (Some(_), Some(_)) => {}
                }
            }
            self.propagated += 1;
        }
        None
    }

    /// What a clause teaches all of whose literals are false, one of them on the present level, which is not level 0.
    pub fn learn(&mut self, conflict: ClauseNumber) -> Learned {
        self.conflicts += 1;
        if self.conflicts.is_multiple_of(DOUBLING) {
            self.weight *= 2;
        }
        let mut seen = vec![false; self.values.len()];
        let mut others = Vec::new();
        let mut steps = Vec::new();
        let mut on_level = 0;
        let mut clause = conflict;
        let mut at = self.trail.len();
        let first = loop {
            for position in 0..self.clauses[clause].len() {
                let literal = self.clauses[clause][position];
                let entry = literal.entry();
                if seen[entry] || self.levels[entry] == 0 {
                    continue;
                }
                seen[entry] = true;
                self.bump(entry);
                if self.levels[entry] == self.level() {
                    on_level += 1;
                } else {
                    others.push(literal);
                }
            }
            while at > 0 && !seen[self.trail[at - 1].entry()] {
                at -= 1;
            }
            // One literal of the conflict is on the present level.
            at = at.saturating_sub(1);
            let literal = self.trail[at];
            on_level -= 1;
            match self.reasons[literal.entry()] {
                Some(reason) if on_level > 0 => {
                    steps.push((literal, reason));
                    clause = reason;
                }
                _ => break literal.complement(),
            }
        };
        steps.reverse();
        let level = others.iter().map(|one| self.level_of(*one)).max();
        let mut literals = vec![first];
        literals.extend(others);
        Learned {
            literals,
            level: level.unwrap_or(0),
            steps,
        }
    }

    fn bump(&mut self, entry: usize) {
        self.weights[entry] += self.weight;
        if self.weights[entry] > LARGEST_WEIGHT {
            for weight in &mut self.weights {
                *weight >>= 20;
            }
            self.weight = (self.weight >> 20).max(1);
        }
    }
}
