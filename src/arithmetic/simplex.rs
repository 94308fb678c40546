//! The general simplex method: feasibility of conjunctions of linear atoms over the rationals, with bounds that come and go.
//!
//! Every variable, and every sum of several variables that some atom bounds, is a *column* with an optional lower and upper bound;
//! atoms are bounds on columns. The tableau expresses the *basic* columns by the *nonbasic* ones, of which there are as many as
//! variables, so it is a small dense matrix.
//!
//! Invariants: the values satisfy the tableau; nonbasic columns lie within their bounds. [`Simplex::check`] moves basic columns
//! into theirs, and when one cannot be moved, its row is a linear dependency in which every other column is independent of the
//! rest: so the multipliers that it gives are unique, and no atom can be left out of the contradiction.
//!
//! Dutertre and de Moura, *A Fast Linear-Arithmetic Solver for DPLL(T)*, 2006. Here the entering column is the one with the
//! fewest entries, and after a number of pivots the smallest one (Bland's rule), which cannot cycle.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use super::delta::DeltaRational;
use super::linear::{Atom, Relation, Variable};
use super::number::Rational;

mod location;

use location::bounds;

/// Identifies an asserted atom to its asserter.
pub type Reason = usize;

/// Multipliers of asserted atoms whose combination is contradictory: non-negative for inequalities, non-zero always.
pub type Conflict = Vec<(Reason, Rational)>;

/// What [`Simplex::check`] found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Feasibility {
    /// All bounds hold for the current values.
    Feasible,
    /// The atoms contradict each other.
    Infeasible(Conflict),
    /// The given permission to pivot was withdrawn.
    Stopped,
}

/// What the bounds on an atom's own column say about it, without looking at others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Implied {
    /// The atom follows.
    True,
    /// The atom contradicts them.
    False,
    /// Neither.
    Open,
}

type Terms = Vec<(Variable, Rational)>;

#[derive(Clone, Debug)]
struct Bound {
    value: DeltaRational,
    reason: Reason,
    /// The atom is an equality, which serves as a lower bound with a negative multiplier.
    equality: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Lower,
    Upper,
}

#[derive(Clone, Copy, Debug)]
enum BasisStatus {
    Basic { row: usize },
    Nonbasic { position: usize },
}

#[derive(Debug)]
struct Column {
    value: DeltaRational,
    lower: Option<Bound>,
    upper: Option<Bound>,
    status: BasisStatus,
    /// The sum that the column stands for; its first coefficient is positive.
    sum: Terms,
}

#[derive(Debug)]
struct Row {
    basic: usize,
    /// By position of the nonbasic column.
    entries: Vec<Rational>,
}

/// A set of bounds with a tableau; see the module's text.
#[derive(Debug, Default)]
pub struct Simplex {
    columns: Vec<Column>,
    rows: Vec<Row>,
    /// The nonbasic column at each position.
    nonbasic: Vec<usize>,
    variables: FxHashMap<Variable, usize>,
    sums: FxHashMap<Terms, usize>,
    undo: Vec<(usize, Side, Option<Bound>)>,
    levels: Vec<usize>,
    pivots: u64,
}

impl Simplex {
    /// No columns, no bounds.
    #[must_use]
    pub fn new() -> Simplex {
        Simplex::default()
    }

    /// Remembers the present bounds.
    pub fn push(&mut self) {
        self.levels.push(self.undo.len());
    }

    /// Returns to the bounds of the matching [`Simplex::push`]; the tableau and the values stay as they are.
    pub fn pop(&mut self) {
        let target = self.levels.pop().unwrap_or(0);
        while self.undo.len() > target {
            if let Some((column, side, bound)) = self.undo.pop() {
                match side {
                    Side::Lower => self.columns[column].lower = bound,
                    Side::Upper => self.columns[column].upper = bound,
                }
            }
        }
    }

    /// Adds an atom.
    ///
    /// # Errors
    ///
    /// The contradiction, when the atom contradicts the other bound of its column. An equality may then have been added in part:
    /// the caller pops.
    pub fn assert(&mut self, atom: &Atom, reason: Reason) -> Result<(), Conflict> {
        let location = self.locate(atom);
        let (value, lower, upper) = bounds(atom, location.same_sign);
        let bound = |value: DeltaRational| Bound {
            value,
            reason,
            equality: atom.relation() == Relation::Equal,
        };
        if upper {
            self.assert_upper(location.column, bound(value.clone()))?;
        }
        if lower {
            self.assert_lower(location.column, bound(value))?;
        }
        Ok(())
    }

    fn assert_upper(&mut self, index: usize, bound: Bound) -> Result<(), Conflict> {
        let column = &mut self.columns[index];
        if column
            .upper
            .as_ref()
            .is_some_and(|present| present.value <= bound.value)
        {
            return Ok(());
        }
        if let Some(lower) = &column.lower
            && bound.value < lower.value
        {
            return Err(clash(lower, &bound));
        }
        let outside = bound.value < column.value;
        let target = outside.then(|| bound.value.clone());
        let before = column.upper.replace(bound);
        self.undo.push((index, Side::Upper, before));
        self.move_nonbasic(index, target);
        Ok(())
    }

    fn assert_lower(&mut self, index: usize, bound: Bound) -> Result<(), Conflict> {
        let column = &mut self.columns[index];
        if column
            .lower
            .as_ref()
            .is_some_and(|present| present.value >= bound.value)
        {
            return Ok(());
        }
        if let Some(upper) = &column.upper
            && upper.value < bound.value
        {
            return Err(clash(&bound, upper));
        }
        let outside = column.value < bound.value;
        let target = outside.then(|| bound.value.clone());
        let before = column.lower.replace(bound);
        self.undo.push((index, Side::Lower, before));
        self.move_nonbasic(index, target);
        Ok(())
    }

    /// Gives a nonbasic column a new value and lets the basic ones follow.
    fn move_nonbasic(&mut self, index: usize, target: Option<DeltaRational>) {
        let (Some(target), BasisStatus::Nonbasic { position }) =
            (target, self.columns[index].status)
        else {
            return;
        };
        let change = target.scaled_difference(&self.columns[index].value, &Rational::ONE);
        self.columns[index].value = target;
        for row in &self.rows {
            let entry = &row.entries[position];
            if !entry.is_zero() {
                self.columns[row.basic].value.add_scaled(entry, &change);
            }
        }
    }

    /// What the bounds on the atom's own column say about it.
    #[must_use]
    pub fn implied(&self, atom: &Atom) -> Implied {
        let Some(location) = self.find(atom) else {
            return Implied::Open;
        };
        let column = &self.columns[location.column];
        let (value, lower, upper) = bounds(atom, location.same_sign);
        let above = |bound: &Option<Bound>, strictly: bool| match bound {
            Some(bound) if strictly => bound.value > value,
            Some(bound) => bound.value >= value,
            None => false,
        };
        let below = |bound: &Option<Bound>, strictly: bool| match bound {
            Some(bound) if strictly => bound.value < value,
            Some(bound) => bound.value <= value,
            None => false,
        };
        if upper && above(&column.lower, true) || lower && below(&column.upper, true) {
            Implied::False
        } else if (!upper || below(&column.upper, false)) && (!lower || above(&column.lower, false))
        {
            Implied::True
        } else {
            Implied::Open
        }
    }

    /// Looks for values that satisfy all bounds. `permission` is asked before each pivot.
    pub fn check(&mut self, mut permission: impl FnMut() -> bool) -> Feasibility {
        // Bland's rule takes over after a number of pivots that is seldom reached.
        let patience = self.pivots + 4 * (self.rows.len() as u64) + 16;
        loop {
            let Some((row, side)) = self.violated() else {
                return Feasibility::Feasible;
            };
            let Some(position) = self.entering(row, side, self.pivots > patience) else {
                return Feasibility::Infeasible(self.explain(row, side));
            };
            if !permission() {
                return Feasibility::Stopped;
            }
            self.pivot(row, position, side);
        }
    }

    /// The row of the smallest basic column that is outside its bounds, and the bound that it violates.
    fn violated(&self) -> Option<(usize, Side)> {
        let mut best: Option<(usize, usize, Side)> = None;
        for (index, row) in self.rows.iter().enumerate() {
            if best.is_some_and(|(smallest, _, _)| smallest < row.basic) {
                continue;
            }
            let column = &self.columns[row.basic];
            if column
                .lower
                .as_ref()
                .is_some_and(|bound| column.value < bound.value)
            {
                best = Some((row.basic, index, Side::Lower));
            } else if column
                .upper
                .as_ref()
                .is_some_and(|bound| bound.value < column.value)
            {
                best = Some((row.basic, index, Side::Upper));
            }
        }
        best.map(|(_, index, side)| (index, side))
    }

    /// The position of a nonbasic column that can move the row's basic column towards the violated bound.
    fn entering(&self, row: usize, side: Side, bland: bool) -> Option<usize> {
        let mut best: Option<((usize, usize), usize)> = None;
        for (position, entry) in self.rows[row].entries.iter().enumerate() {
            let sign = entry.sign();
            if sign == Ordering::Equal {
                continue;
            }
            let index = self.nonbasic[position];
            let column = &self.columns[index];
            let increase = (sign == Ordering::Greater) == (side == Side::Lower);
            let movable = if increase {
                column
                    .upper
                    .as_ref()
                    .is_none_or(|bound| column.value < bound.value)
            } else {
                column
                    .lower
                    .as_ref()
                    .is_none_or(|bound| bound.value < column.value)
            };
            if !movable {
                continue;
            }
            let weight = if bland {
                0
            } else {
                let entries = self
                    .rows
                    .iter()
                    .filter(|row| !row.entries[position].is_zero());
                entries.count()
            };
            if best.is_none_or(|(smallest, _)| (weight, index) < smallest) {
                best = Some(((weight, index), position));
            }
        }
        best.map(|(_, position)| position)
    }

    /// The contradiction in a row whose basic column cannot reach its bound, since all others are at theirs.
    fn explain(&self, row: usize, side: Side) -> Conflict {
        let row = &self.rows[row];
        let mut conflict = Conflict::new();
        let mut add = |column: usize, side: Side, factor: Rational| {
            let column = &self.columns[column];
            let (bound, factor) = match side {
                Side::Upper => (&column.upper, factor),
                Side::Lower => (&column.lower, lower_factor(&column.lower, factor)),
            };
            if let Some(bound) = bound {
                conflict.push((bound.reason, factor));
            }
        };
        add(row.basic, side, Rational::ONE);
        for (position, entry) in row.entries.iter().enumerate() {
            let opposed = match (entry.sign(), side) {
                (Ordering::Equal, _) => continue,
                (Ordering::Greater, Side::Lower) | (Ordering::Less, Side::Upper) => Side::Upper,
                (Ordering::Greater, Side::Upper) | (Ordering::Less, Side::Lower) => Side::Lower,
            };
            add(self.nonbasic[position], opposed, entry.abs());
        }
        conflict
    }

    /// Exchanges the row's basic column, which goes to its violated bound, with the nonbasic column at a position.
    fn pivot(&mut self, row: usize, position: usize, side: Side) {
        let leaving = self.rows[row].basic;
        let entering = self.nonbasic[position];
        let Some(inverse) = self.rows[row].entries[position].reciprocal() else {
            return;
        };
        let column = &self.columns[leaving];
        let bound = match side {
            Side::Lower => &column.lower,
            Side::Upper => &column.upper,
        };
        let Some(target) = bound.as_ref().map(|bound| bound.value.clone()) else {
            return;
        };
        self.pivots += 1;
        let change = target.scaled_difference(&column.value, &inverse);
        self.columns[leaving].value = target;
        self.columns[entering]
            .value
            .add_scaled(&Rational::ONE, &change);

        let mut entries = std::mem::take(&mut self.rows[row].entries);
        let minus_inverse = -&inverse;
        for entry in &mut entries {
            if !entry.is_zero() {
                *entry = &*entry * &minus_inverse;
            }
        }
        entries[position] = inverse;
        for (index, other) in self.rows.iter_mut().enumerate() {
            if index == row {
                continue;
            }
            let factor = std::mem::take(&mut other.entries[position]);
            if factor.is_zero() {
                continue;
            }
            self.columns[other.basic].value.add_scaled(&factor, &change);
            for (target, entry) in other.entries.iter_mut().zip(&entries) {
                if !entry.is_zero() {
                    target.add_product(&factor, entry);
                }
            }
        }
        self.rows[row] = Row {
            basic: entering,
            entries,
        };
        self.nonbasic[position] = leaving;
        self.columns[entering].status = BasisStatus::Basic { row };
        self.columns[leaving].status = BasisStatus::Nonbasic { position };
    }

    /// A positive number that δ can be without violating a bound that holds now.
    #[must_use]
    pub fn concrete_delta(&self) -> Rational {
        let mut delta = Rational::ONE;
        let mut shrink = |small: &DeltaRational, large: &DeltaRational| {
            // small <= large as pairs; keep it so for the number.
            if small.infinitesimal > large.infinitesimal {
                let room = &large.standard - &small.standard;
                let need = &small.infinitesimal - &large.infinitesimal;
                if let Some(limit) = room.checked_div(&need)
                    && limit.is_positive()
                    && limit < delta
                {
                    delta = limit;
                }
            }
        };
        for column in &self.columns {
            if let Some(bound) = &column.lower {
                shrink(&bound.value, &column.value);
            }
            if let Some(bound) = &column.upper {
                shrink(&column.value, &bound.value);
            }
        }
        delta
    }

    /// The value of a variable for a value of δ; zero for one that occurs in no atom.
    #[must_use]
    pub fn value(&self, variable: Variable, delta: &Rational) -> Rational {
        match self.variables.get(&variable) {
            Some(column) => self.columns[*column].value.at(delta),
            None => Rational::ZERO,
        }
    }

    /// The variables that occur in atoms, in the order of their first occurrence.
    pub fn variables(&self) -> impl Iterator<Item = Variable> + '_ {
        self.columns
            .iter()
            .filter_map(|column| match column.sum.as_slice() {
                [(variable, _)] => Some(*variable),
                _ => None,
            })
    }

    /// The dependencies between columns: each a list of coefficients that sum to zero, with the column's own sum and, when its
    /// bounds coincide, its only value.
    pub fn dependencies(&self) -> impl Iterator<Item = Vec<Dependent<'_>>> {
        self.rows.iter().map(|row| {
            let dependent = |index: usize, coefficient: Rational| {
                let column = &self.columns[index];
                let fixed = match (&column.lower, &column.upper) {
                    (Some(lower), Some(upper)) if lower.value == upper.value => {
                        Some(&lower.value.standard)
                    }
                    _ => None,
                };
                Dependent {
                    coefficient,
                    sum: &column.sum,
                    fixed,
                }
            };
            let mut members = vec![dependent(row.basic, Rational::MINUS_ONE)];
            for (position, entry) in row.entries.iter().enumerate() {
                if !entry.is_zero() {
                    members.push(dependent(self.nonbasic[position], entry.clone()));
                }
            }
            members
        })
    }
}

/// A member of a linear dependency.
#[derive(Debug)]
pub struct Dependent<'a> {
    /// Its coefficient in the dependency.
    pub coefficient: Rational,
    /// What it stands for.
    pub sum: &'a [(Variable, Rational)],
    /// The only value that its bounds admit, if they admit one only.
    pub fixed: Option<&'a Rational>,
}

/// The multiplier of the atom behind a lower bound: an equality has the sign of an upper bound.
fn lower_factor(bound: &Option<Bound>, factor: Rational) -> Rational {
    if bound.as_ref().is_some_and(|bound| bound.equality) {
        -&factor
    } else {
        factor
    }
}

/// The contradiction between a lower bound and a smaller upper bound.
fn clash(lower: &Bound, upper: &Bound) -> Conflict {
    let factor = if lower.equality {
        Rational::MINUS_ONE
    } else {
        Rational::ONE
    };
    vec![(lower.reason, factor), (upper.reason, Rational::ONE)]
}

#[cfg(test)]
mod tests;
