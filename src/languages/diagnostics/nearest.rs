//! The nearest known name, by the number of single-character edits (optimal string alignment, swaps of neighbours included).

/// Longer names are not compared: nobody misspells them by a letter or two, and the comparison is quadratic.
const LONGEST: usize = 64;

/// Abbreviations are recognised from this length on.
const SHORTEST_ABBREVIATION: usize = 3;

/// The known name nearest to `name`, if it is within a third of its length; the first one among equals. Otherwise the first one
/// that abbreviates the name or is abbreviated by it.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted: Vec<char> = name.chars().collect();
    if wanted.is_empty() || wanted.len() > LONGEST {
        return None;
    }
    let allowed = (wanted.len() / 3).max(1);
    let candidates: Vec<&str> = known.into_iter().filter(|other| *other != name).collect();
    let measured = candidates.iter().filter_map(|other| {
        let letters: Vec<char> = other.chars().collect();
        if letters.len() > LONGEST || letters.len().abs_diff(wanted.len()) > allowed {
            return None;
        }
        let same_but_case = other.eq_ignore_ascii_case(name);
        let edits = if same_but_case {
            0
        } else {
            distance(&wanted, &letters)
        };
        // A name of one or two letters is near to every other one of its kind: only a different case counts there.
        (edits <= allowed && (edits < wanted.len().min(letters.len()))).then_some((edits, other))
    });
    let near = measured.min_by_key(|(edits, _)| *edits);
    let abbreviated = |other: &&&str| {
        name.len().min(other.len()) >= SHORTEST_ABBREVIATION
            && (other.starts_with(name) || name.starts_with(**other))
    };
    near.map(|(_, other)| *other)
        .or_else(|| candidates.iter().find(abbreviated).copied())
}

/// The number of insertions, deletions, replacements and swaps of neighbours that lead from one word to the other.
fn distance(from: &[char], to: &[char]) -> usize {
    let width = to.len() + 1;
    let mut rows = vec![0; (from.len() + 1) * width];
    for i in 0..=from.len() {
        for j in 0..width {
            rows[i * width + j] = if i == 0 || j == 0 {
                i + j
            } else {
                let change = usize::from(from[i - 1] != to[j - 1]);
                let mut best = (rows[(i - 1) * width + j] + 1)
                    .min(rows[i * width + j - 1] + 1)
                    .min(rows[(i - 1) * width + j - 1] + change);
                if i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1] {
                    best = best.min(rows[(i - 2) * width + j - 2] + 1);
                }
                best
            };
        }
    }
    rows[from.len() * width + to.len()]
}
