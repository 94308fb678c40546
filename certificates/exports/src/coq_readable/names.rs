//! Identifiers of a development beyond those of the argument, and the words that are none.

use crate::argument::Argument;

/// Words that some version of Coq takes for no identifier, or takes for one in some contexts only, and those that a development uses itself.
pub(super) const RESERVED: &[&str] = &[
    "A",
    "Axiom",
    "Axioms",
    "CoFixpoint",
    "CoInductive",
    "Conjecture",
    "Constraint",
    "Corollary",
    "Definition",
    "E",
    "Eval",
    "Example",
    "Fact",
    "False",
    "Fixpoint",
    "H",
    "Hypotheses",
    "Hypothesis",
    "I",
    "IH",
    "IZR",
    "Inductive",
    "Lemma",
    "Let",
    "N",
    "P",
    "Parameter",
    "Parameters",
    "Primitive",
    "Prop",
    "Property",
    "Proposition",
    "Q",
    "R",
    "Record",
    "Remark",
    "SProp",
    "Set",
    "Structure",
    "T",
    "Theorem",
    "True",
    "Type",
    "Variable",
    "Variables",
    "Variant",
    "Z",
    "and",
    "as",
    "at",
    "bool",
    "bool_equal_decidable",
    "by",
    "cofix",
    "conj",
    "cover",
    "decidable",
    "else",
    "end",
    "eq",
    "error",
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
    "reachable",
    "reachable_ind",
    "reachable_init",
    "reachable_step",
    "real_equal_decidable",
    "real_ge_decidable",
    "real_gt_decidable",
    "real_le_decidable",
    "real_lt_decidable",
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
];

/// Identifiers that only this format has.
pub(super) struct ReadableNames {
    /// For each transition, the constructor of `named_step`.
    pub(super) by: Vec<String>,
    /// For each diagram and node, the constructor of the diagram's invariant.
    pub(super) inside: Vec<Vec<String>>,
    /// For each claim, the lemma that no state violates it.
    pub(super) none: Vec<String>,
}

impl ReadableNames {
    /// Names for the constructors and lemmas of an argument.
    pub(super) fn of(argument: &mut Argument<'_>) -> ReadableNames {
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
        ReadableNames {
            by: fresh(by),
            inside: inside.into_iter().map(&mut fresh).collect(),
            none: fresh(none),
        }
    }
}
