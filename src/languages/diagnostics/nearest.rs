//! The nearest known name, by the number of single-character edits (optimal string alignment, swaps of neighbours included).

use strsim::osa_distance;

/// Longer names are not compared: nobody misspells them by a letter or two, and the comparison is quadratic.
const LONGEST: usize = 64;

/// Abbreviations are recognised from this length on.
const SHORTEST_ABBREVIATION: usize = 3;

/// The known name nearest to `name`, if it is within a third of its length; the first one among equals. Otherwise the first one
/// that abbreviates the name or is abbreviated by it.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = name.chars().count();
    if wanted == 0 || wanted > LONGEST {
        return None;
    }
    let allowed = (wanted / 3).max(1);
    let candidates: Vec<&str> = known.into_iter().filter(|other| *other != name).collect();
    let measured = candidates.iter().filter_map(|other| {
        let letters = other.chars().count();
        if letters > LONGEST || letters.abs_diff(wanted) > allowed {
            return None;
        }
        let same_but_case = other.eq_ignore_ascii_case(name);
        let edits = if same_but_case {
            0
        } else {
            osa_distance(name, other)
        };
        // A name of one or two letters is near to every other one of its kind: only a different case counts there.
        (edits <= allowed && (edits < wanted.min(letters))).then_some((edits, other))
    });
    let near = measured.min_by_key(|(edits, _)| *edits);
    let abbreviated = |other: &&&str| {
        name.len().min(other.len()) >= SHORTEST_ABBREVIATION
            && (other.starts_with(name) || name.starts_with(**other))
    };
    near.map(|(_, other)| *other)
        .or_else(|| candidates.iter().find(abbreviated).copied())
}
