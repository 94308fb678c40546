//! Properties, and which of them a text means.

use crate::smtlib::Position;
use crate::term::Term;

/// A safety property: no reachable state violates it, whatever the inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// The number of the property in `system.vmt` (`:invar-property N`).
    pub index: usize,
    /// What the model calls it; its number where it has no name.
    pub name: String,
    /// The formula over state variables and inputs.
    pub formula: Term,
    /// Where it stands in the source model.
    pub position: Option<Position>,
}

/// Why a text means no property.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PropertyError {
    /// There is none of that name or number.
    #[error("the system has no property `{name}` (its properties: {})", known.join(", "))]
    Unknown {
        /// The name or number.
        name: String,
        /// The properties that there are.
        known: Vec<String>,
    },
    /// It may mean several.
    #[error("the property `{name}` is ambiguous: it is {}", meanings.join(" and "))]
    Ambiguous {
        /// The name or number.
        name: String,
        /// What it may mean, in words.
        meanings: Vec<String>,
    },
}

impl Property {
    /// Whether the property has no name but its number.
    pub fn is_numbered(&self) -> bool {
        self.name == self.index.to_string()
    }

    /// The one property that has the text as its name or as its number.
    ///
    /// # Errors
    /// When there is none, or more than one: nobody can tell then which is meant.
    pub fn find<'a>(properties: &'a [Property], text: &str) -> Result<&'a Property, PropertyError> {
        let number = text.parse::<usize>().ok();
        let mut found = properties
            .iter()
            .filter(|it| it.name == text || Some(it.index) == number);
        match (found.next(), found.next()) {
            (Some(property), None) => Ok(property),
            (None, _) => Err(PropertyError::Unknown {
                name: text.to_owned(),
                known: properties.iter().map(|it| it.name.clone()).collect(),
            }),
            (Some(first), Some(second)) => Err(PropertyError::ambiguous(
                text,
                [first, second].into_iter().chain(found),
            )),
        }
    }
}

impl PropertyError {
    /// That a text means each of the properties.
    pub fn ambiguous<'a>(
        text: &str,
        meant: impl IntoIterator<Item = &'a Property>,
    ) -> PropertyError {
        let meaning = |it: &Property| {
            if it.name == text && !it.is_numbered() {
                format!("the name of property {}", it.index)
            } else {
                format!("the number of property {}", it.index)
            }
        };
        PropertyError::Ambiguous {
            name: text.to_owned(),
            meanings: meant.into_iter().map(meaning).collect(),
        }
    }
}

#[cfg(test)]
mod repairs {
    use super::*;

    fn named(names: &[&str]) -> Vec<Property> {
        let properties = names.iter().enumerate();
        properties
            .map(|(index, name)| Property {
                index,
                name: (*name).to_owned(),
                formula: Term::bool(true),
                position: None,
            })
            .collect()
    }

    #[test]
    fn a_name_that_is_the_number_of_another_property_meant_the_wrong_one() {
        let properties = named(&["1", "b", "2"]);
        let error = Property::find(&properties, "1").unwrap_err();
        assert_eq!(
            error.to_string(),
            "the property `1` is ambiguous: it is the name of property 0 and the number of property 1"
        );
        for (text, index) in [("0", 0), ("b", 1)] {
            assert_eq!(Property::find(&properties, text).unwrap().index, index);
        }
        // Its own number is no other meaning.
        assert_eq!(Property::find(&properties, "2").unwrap().index, 2);
        let error = Property::find(&properties, "c").unwrap_err();
        assert_eq!(
            error.to_string(),
            "the system has no property `c` (its properties: 1, b, 2)"
        );
    }
}
