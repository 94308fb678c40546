//! Identifiers of a development beyond those of the argument, and the words that are none.

use crate::argument::Argument;

/// Keywords, and the words that a development uses itself.
pub(super) const RESERVED: &[&str] = &[
    "A",
    "E",
    "False",
    "H",
    "I",
    "IH",
    "IZR",
    "N",
    "P",
    "Prop",
    "Q",
    "R",
    "SProp",
    "Set",
    "T",
    "True",
    "Type",
    "Z",
    "as",
    "at",
    "bool",
    "by",
    "cofix",
    "conj",
    "cover",
    "decidable",
    "else",
    "end",
    "error",
    "eq",
    "ex",
    "ex_intro",
    "exists",
    "exists2",
    "false",
    "fix",
    "for",
    "forall",
    "fun",
    "if",
    "in",
    "init",
    "invariant",
    "invariant_init",
    "invariant_step",
    "let",
    "make_state",
    "match",
    "mod",
    "named_step",
    "negb",
    "not",
    "or",
    "or_introl",
    "or_intror",
    "and",
    "reachable",
    "reachable_ind",
    "reachable_init",
    "reachable_step",
    "return",
    "s",
    "safe",
    "state",
    "step",
    "then",
    "true",
    "using",
    "where",
    "with",
    "real_equal_decidable",
    "real_le_decidable",
    "real_lt_decidable",
    "real_ge_decidable",
    "real_gt_decidable",
    "bool_equal_decidable",
];

/// Identifiers that only this format has.
pub(super) struct Names {
    /// For each transition, the constructor of `named_step`.
    pub(super) by: Vec<String>,
    /// For each diagram and node, the constructor of the diagram's invariant.
    pub(super) inside: Vec<Vec<String>>,
    /// For each claim, the lemma that no state violates it.
    pub(super) none: Vec<String>,
}

impl Names {
    /// Names for the constructors and lemmas of an argument.
    pub(super) fn of(argument: &mut Argument<'_>) -> Names {
        let by = argument
            .transitions
            .iter()
            .map(|it| format!("by_{}", it.name));
        let by: Vec<String> = by.collect();
        let inside = argument.diagrams.iter().map(|named| {
            let nodes = named.nodes.iter();
            nodes.map(|node| format!("in_{node}")).collect()
        });
        let inside: Vec<Vec<String>> = inside.collect();
        let none = argument
            .claims
            .iter()
            .map(|it| format!("no_{}", it.error.name));
        let none: Vec<String> = none.collect();
        let mut fresh = |names: Vec<String>| -> Vec<String> {
            names.iter().map(|name| argument.fresh(name)).collect()
        };
        Names {
            by: fresh(by),
            inside: inside.into_iter().map(&mut fresh).collect(),
            none: fresh(none),
        }
    }
}
