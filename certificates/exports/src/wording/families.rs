//! Names of families together: `P[1].enter`, `P[2].enter`, `P[3].enter` as `P[1..3].enter`.

use indexmap::IndexMap;

/// From how many consecutive indices on a range is written.
pub(super) const SHORTEST_RANGE: usize = 3;

/// Names of diagrams in their order, those that are numbered as one.
pub fn bundle_diagrams<'n>(names: impl IntoIterator<Item = &'n str>) -> Vec<String> {
    bundle(names, &|_| true)
}

/// The names in their order, those of members of a family that differ in their first index only written as one.
pub(super) fn bundle<'n>(
    names: impl IntoIterator<Item = &'n str>,
    is_member: &dyn Fn(&str) -> bool,
) -> Vec<String> {
    let mut families: IndexMap<(&str, Option<&str>), Vec<&str>> = IndexMap::new();
    for name in names {
        match split(name).filter(|_| is_member(name)) {
            Some((before, index, after)) => families
                .entry((before, Some(after)))
                .or_default()
                .push(index),
            None => families.entry((name, None)).or_default().push(""),
        }
    }
    families
        .into_iter()
        .map(|((before, after), indices)| match after {
            Some(after) => format!("{before}[{}]{after}", write_indices(&indices)),
            None => before.to_owned(),
        })
        .collect()
}

/// The text before the first index, the index, and the text after it.
fn split(name: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = name.split_once('[')?;
    let (index, after) = rest.split_once(']')?;
    Some((before, index, after))
}

fn write_indices(indices: &[&str]) -> String {
    let numbers: Option<Vec<i64>> = indices.iter().map(|index| index.parse().ok()).collect();
    numbers.map_or_else(|| indices.join(","), write_numbers)
}

/// The numbers in order, those that follow one another as a range.
pub(super) fn write_numbers(mut numbers: Vec<i64>) -> String {
    numbers.sort_unstable();
    numbers.dedup();
    let mut parts = Vec::new();
    let mut rest = numbers.as_slice();
    while let Some(&first) = rest.first() {
        let length = rest
            .iter()
            .zip(first..)
            .take_while(|(number, expected)| *number == expected)
            .count();
        if length >= SHORTEST_RANGE {
            parts.push(format!("{first}..{}", rest[length - 1]));
        } else {
            parts.extend(rest[..length].iter().map(ToString::to_string));
        }
        rest = &rest[length..];
    }
    parts.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_a_family_are_written_together() {
        let names = ["t[1]", "delay", "t[2]", "t[4]", "t[3]", "t[7]", "t[8]"];
        assert_eq!(bundle_diagrams(names), ["t[1..4,7,8]", "delay"]);
        let names = ["P[1].enter", "P[2].leave", "P[2].enter"];
        assert_eq!(bundle_diagrams(names), ["P[1,2].enter", "P[2].leave"]);
    }

    #[test]
    fn names_that_only_look_like_members_stay_as_they_are() {
        let names = ["t[1]", "t[2]", "t[3]"];
        assert_eq!(bundle(names, &|name| name != "t[2]"), ["t[1,3]", "t[2]"]);
        assert_eq!(bundle(names, &|_| false), names);
    }

    #[test]
    fn names_without_numbers_stay_as_they_are() {
        assert_eq!(bundle_diagrams(["a", "b[", "c[x]"]), ["a", "b[", "c[x]"]);
        assert_eq!(bundle_diagrams(["c[x]", "c[y]"]), ["c[x,y]"]);
        assert!(bundle_diagrams([]).is_empty());
    }
}
