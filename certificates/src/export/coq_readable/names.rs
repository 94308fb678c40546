//! Identifiers of a development beyond those of the argument, and the words that are none.

use crate::export::argument::Argument;

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
    /// For each diagram and node, the lemma about all steps from it.
    pub(super) leaves: Vec<Vec<String>>,
    /// For each diagram, the lemmas that it holds at first and that it is kept.
    pub(super) starts: Vec<String>,
    pub(super) keeps: Vec<String>,
    /// For each claim, the lemmas about the nodes of its first diagram, and the one about all states.
    pub(super) excludes: Vec<Vec<String>>,
    pub(super) none: Vec<String>,
}

impl Names {
    /// Names for the lemmas and constructors of an argument.
    pub(super) fn of(argument: &mut Argument<'_>) -> Names {
        let transitions: Vec<String> = argument
            .transitions
            .iter()
            .map(|it| it.name.clone())
            .collect();
        let diagrams: Vec<(String, Vec<String>)> = argument
            .diagrams
            .iter()
            .map(|named| (named.name.clone(), named.nodes.clone()))
            .collect();
        let claims: Vec<(String, usize)> = argument
            .claims
            .iter()
            .map(|claimed| (claimed.error.name.clone(), claimed.first))
            .collect();
        let mut names = Names {
            by: Vec::new(),
            inside: Vec::new(),
            leaves: Vec::new(),
            starts: Vec::new(),
            keeps: Vec::new(),
            excludes: Vec::new(),
            none: Vec::new(),
        };
        names.by = transitions
            .iter()
            .map(|name| argument.fresh(&format!("by_{name}")))
            .collect();
        for (diagram, nodes) in &diagrams {
            names.inside.push(
                nodes
                    .iter()
                    .map(|node| argument.fresh(&format!("in_{node}")))
                    .collect(),
            );
            names.leaves.push(
                nodes
                    .iter()
                    .map(|node| argument.fresh(&format!("{node}_step")))
                    .collect(),
            );
            names
                .starts
                .push(argument.fresh(&format!("{diagram}_init")));
            names.keeps.push(argument.fresh(&format!("{diagram}_step")));
        }
        for (error, first) in &claims {
            let nodes = diagrams
                .get(*first)
                .map_or(&[][..], |(_, nodes)| nodes.as_slice());
            names.excludes.push(
                nodes
                    .iter()
                    .map(|node| argument.fresh(&format!("{node}_excludes_{error}")))
                    .collect(),
            );
            names.none.push(argument.fresh(&format!("no_{error}")));
        }
        names
    }
}
