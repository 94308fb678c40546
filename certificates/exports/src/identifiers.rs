//! Names of a model as identifiers of a prover's language.
//!
//! A model's names may be anything: `x[1]`, `P[2].location`, `forall`. [`Identifiers`] gives each an identifier of letters, digits and
//! underscores that resembles it. Invariant: no two calls give the same identifier, none gives a reserved one, and the same calls in
//! the same order give the same identifiers. No character of a name reaches a file in any other way than through here or [`comment`].

use slabcert_certificates::escaping::is_control;
use slabcert_certificates::fresh::FreshNames;

/// What the identifiers of a language look like.
#[derive(Clone, Copy, Debug)]
pub struct Spelling {
    /// Words that are not identifiers, or that the file around them uses itself.
    pub reserved: &'static [&'static str],
    /// Whether identifiers begin with a small letter.
    pub is_small: bool,
}

/// How many characters of a name are kept.
const LONGEST: usize = 60;

/// Gives out identifiers, each once.
#[derive(Clone, Debug)]
pub struct Identifiers {
    spelling: Spelling,
    taken: FreshNames,
}

impl Identifiers {
    /// Nothing is taken but what is reserved.
    pub fn new(spelling: Spelling) -> Identifiers {
        let mut taken = FreshNames::separated_by("_");
        for word in spelling.reserved {
            taken.reserve(word);
        }
        Identifiers { spelling, taken }
    }

    /// A new identifier that resembles the name.
    pub fn fresh(&mut self, name: &str) -> String {
        let stem = self.stem(name);
        self.taken.give(&stem)
    }

    fn stem(&self, name: &str) -> String {
        let mut stem = String::new();
        for character in name.chars() {
            if character.is_ascii_alphanumeric() {
                stem.push(character);
            } else if !stem.is_empty() && !stem.ends_with('_') {
                stem.push('_');
            }
        }
        stem.truncate(LONGEST);
        stem.truncate(stem.trim_end_matches('_').len());
        if self.spelling.is_small
            && let Some(first) = stem.get_mut(..1)
        {
            first.make_ascii_lowercase();
        }
        let begins_well = stem.starts_with(|first: char| first.is_ascii_alphabetic());
        if !begins_well || self.spelling.reserved.contains(&stem.as_str()) {
            stem.insert_str(0, "v_");
        }
        stem
    }
}

/// Text for a comment between `(*` and `*)`: it neither ends the comment nor opens another one, nor a string.
pub fn comment(text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|character| match character {
            '"' => '\'',
            '*' => '+',
            _ if is_control(character) => ' ',
            _ => character,
        })
        .collect();
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identifiers(is_small: bool) -> Identifiers {
        Identifiers::new(Spelling {
            reserved: &["forall", "s", "x_3"],
            is_small,
        })
    }

    #[test]
    fn identifiers_resemble_the_names_and_are_different() {
        let mut identifiers = identifiers(false);
        for (name, expected) in [
            ("x", "x"),
            ("x[1]", "x_1"),
            ("x(1)", "x_1_2"),
            ("x", "x_2"),
            ("x", "x_4"),
            ("P[1].location", "P_1_location"),
            ("forall", "v_forall"),
            ("s", "v_s"),
            ("", "v_"),
            ("1x", "v_1x"),
            ("é", "v__2"),
            ("a *) Axiom b", "a_Axiom_b"),
        ] {
            assert_eq!(identifiers.fresh(name), expected, "{name:?}");
        }
    }

    #[test]
    fn languages_with_small_identifiers_get_them() {
        let mut identifiers = identifiers(true);
        assert_eq!(identifiers.fresh("P[1]"), "p_1");
        assert_eq!(identifiers.fresh("p[1]"), "p_1_2");
        assert_eq!(identifiers.fresh("Forall"), "v_forall");
    }

    #[test]
    fn long_names_are_cut_and_stay_different() {
        let mut identifiers = identifiers(false);
        let name = "a".repeat(1_000);
        let first = identifiers.fresh(&name);
        let second = identifiers.fresh(&name);
        assert_eq!(first.len(), LONGEST);
        assert_ne!(first, second);
    }

    #[test]
    fn a_name_does_not_end_its_comment() {
        assert_eq!(comment("x *) Axiom (* \"y\n"), "x +) Axiom (+ 'y ");
    }
}
