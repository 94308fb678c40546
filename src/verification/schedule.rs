//! Whose turn it is, when several properties are undecided.
//!
//! The first undecided property is worked on for as long as it takes: its proof often decides the others too. If it takes long, the
//! others overtake it one by one, each for a slice of time that doubles from turn to turn. So each gets its turn however hard the
//! others are, and all slices of a property together take at most about twice as long as the last one.

use std::collections::BTreeMap;
use std::time::Duration;

/// After so long, properties that stand behind the first one get turns, and the first of these turns take so long.
pub(super) const FIRST_SLICE: Duration = Duration::from_secs(2);

/// How many turns each property has had beside the first one.
#[derive(Debug, Default)]
pub(super) struct Schedule(BTreeMap<usize, u32>);

impl Schedule {
    /// Of the waiting properties the one with the fewest turns so far, the first of them in their order, and how long its turn takes.
    pub fn next(&mut self, waiting: impl Iterator<Item = usize>) -> Option<(usize, Duration)> {
        let turns = |property: &usize| self.0.get(property).copied().unwrap_or_default();
        let property = waiting.min_by_key(turns)?;
        let had = self.0.entry(property).or_default();
        let slice = FIRST_SLICE.saturating_mul(1_u32.checked_shl(*had).unwrap_or(u32::MAX));
        *had += 1;
        Some((property, slice))
    }
}

#[cfg(test)]
mod repairs {
    use super::*;

    #[test]
    fn every_property_gets_its_turn_and_longer_ones_later() {
        let mut schedule = Schedule::default();
        let turns: Vec<_> = (0..5)
            .filter_map(|_| schedule.next([3, 1, 7].into_iter()))
            .collect();
        let seconds = turns
            .iter()
            .map(|(property, slice)| (*property, slice.as_secs()));
        let expected = [(3, 2), (1, 2), (7, 2), (3, 4), (1, 4)];
        assert_eq!(seconds.collect::<Vec<_>>(), expected);
        assert_eq!(schedule.next(std::iter::empty()), None);
    }

    #[test]
    fn a_turn_has_a_length_however_often_it_was_taken() {
        let mut schedule = Schedule::default();
        for _ in 0..100 {
            let (property, slice) = schedule.next(std::iter::once(0)).unwrap();
            assert_eq!(property, 0);
            assert!(slice >= FIRST_SLICE);
        }
    }
}
