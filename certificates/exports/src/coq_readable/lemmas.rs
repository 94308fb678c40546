//! Lemmas and their proofs: cover, initiation, consecution, safety, and the induction over reachable states.

use super::Development;
use crate::argument::{Consecution, NamedDiagram, TransitionRelation};
use crate::identifiers::comment;
use slabcert_certificates::term::Sort;
use std::fmt::Write;

impl Development<'_> {
    /// The relation is split into its cases, and each is shown to be one of the transitions.
    pub(super) fn own_cover(&mut self, relation: &TransitionRelation) {
        let projections = self.argument.variables.join(" ");
        let mut ways = Vec::new();
        for (by, transition) in self.names.by.iter().zip(&self.argument.transitions) {
            let inputs = transition.inputs.iter().map(|input| {
                let is_known = relation.inputs.contains(input);
                match input.sort {
                    // It may have been decided, and then has no name any more.
                    Sort::Bool if is_known => "eexists; ".to_owned(),
                    _ if is_known => format!("exists {}; ", input.name),
                    Sort::Bool => "exists false; ".to_owned(),
                    Sort::Int => "exists 0; ".to_owned(),
                    Sort::Real => "exists 0%R; ".to_owned(),
                }
            });
            let inputs: String = inputs.collect();
            ways.push(format!(
                "(apply {by}; unfold {}; cbn [{projections}]; {inputs}solve [plain])",
                transition.name
            ));
        }
        let names: Vec<&str> = relation
            .inputs
            .iter()
            .map(|input| input.name.as_str())
            .collect();
        let inputs = if names.is_empty() {
            String::new()
        } else {
            format!(" destruct T as ({} & T).", names.join(" & "))
        };
        self.line("Lemma cover : forall s s', step s s' -> named_step s s'.");
        self.line(&format!(
            "Proof.\n  intros s s' T. unfold step in T.{inputs}"
        ));
        let fields = |end: &str| {
            let names: Vec<String> = self
                .argument
                .variables
                .iter()
                .map(|name| format!("{name}'{end}"))
                .collect();
            names.join(" ")
        };
        let (before, after) = (fields("before"), fields("after"));
        self.line(&format!(
            "  destruct s as [{before}], s' as [{after}]. cbn [{projections}] in T."
        ));
        // Guards are about the state before the step: once its truth values are known, the others follow.
        let variables = self
            .argument
            .system
            .variables
            .iter()
            .zip(&self.argument.variables);
        let splits: Vec<String> = variables
            .filter(|(variable, _)| variable.sort() == Sort::Bool)
            .map(|(_, name)| format!("try destruct {name}'before; propagate"))
            .collect();
        if !splits.is_empty() {
            self.line(&format!("  propagate; {}.", splits.join("; ")));
        }
        // One that nothing is chosen for can be decided as a whole, whatever comparisons are in it.
        let decidable = self.names.by.iter().zip(&self.argument.transitions);
        let decided: String = decidable
            .filter(|(_, transition)| transition.inputs.is_empty())
            .map(|(by, transition)| {
                format!("decide_transition {} {by} ltac:(fun D => unfold {name} in D; cbn [{projections}] in D) ltac:(unfold {name}; cbn [{projections}]); ", transition.name, name = transition.name)
            })
            .collect();
        let start = if splits.is_empty() { "" } else { "  all:" };
        self.line(&format!(
            "{start} decide_all ltac:(first\n    [ {} ])\n    ltac:({decided}exfalso; search).\nQed.",
            ways.join("\n    | ")
        ));
    }

    /// What is assumed of other diagrams: `a s -> b s -> `, their names as hypotheses, and what unfolds them.
    fn assumed(&self, indices: &[usize]) -> Assumed {
        let mut assumed = Assumed::default();
        for (number, &index) in indices.iter().enumerate() {
            let named = &self.argument.diagrams[index];
            let hypothesis = format!("A{number}'");
            assumed.premises.push_str(&format!("{} s -> ", named.name));
            assumed.hypotheses.push_str(&format!(" {hypothesis}"));
            if named.nodes.is_empty() {
                assumed.cases.push_str(&format!(" destruct {hypothesis}."));
            } else {
                let cases = pattern(&hypothesis, named.nodes.len());
                assumed
                    .cases
                    .push_str(&format!(" destruct {hypothesis} as {cases}."));
            }
            assumed.definitions.extend(named.nodes.iter().cloned());
        }
        assumed
    }

    pub(super) fn diagram(&mut self, index: usize) {
        let argument = self.argument;
        let named = &argument.diagrams[index];
        let assumed = self.assumed(&named.assumes);
        self.line(&format!(
            "\n(* The diagram {} is closed under all steps. *)",
            comment(&named.diagram.name)
        ));
        self.initiation(index);
        for (node, consecutions) in argument.consecutions[index].iter().enumerate() {
            if self.text.is_full() {
                break;
            }
            for consecution in consecutions {
                self.consecution(named, node, consecution, &assumed);
            }
            self.node_step(index, node, consecutions, &assumed);
        }
        let Assumed {
            premises,
            hypotheses,
            ..
        } = &assumed;
        let name = &named.name;
        let keeps = &named.keeps;
        self.line(&format!(
            "Lemma {keeps} : forall s s', {premises}{name} s -> named_step s s' -> {name} s'."
        ));
        let cases: Vec<String> = named
            .leaves
            .iter()
            .map(|leaves| format!("exact ({leaves} s s'{hypotheses} N T)"))
            .collect();
        self.line(&format!(
            "Proof.\n  intros s s'{hypotheses} N T. {}\nQed.",
            by_cases("N", &cases)
        ));
    }

    fn initiation(&mut self, index: usize) {
        let named = &self.argument.diagrams[index];
        let goal = disjunction(&named.nodes, "s");
        let unfold: Vec<&str> = std::iter::once("init")
            .chain(named.nodes.iter().map(String::as_str))
            .collect();
        let starts = &named.starts;
        self.line(&format!(
            "Lemma {starts} : forall s, init s -> {} s.",
            named.name
        ));
        self.line(&format!(
            "Proof.\n  assert (H : forall s, init s -> {goal}) by (unfold {}; arithmetic).",
            unfold.join(", ")
        ));
        let cases: Vec<String> = self.names.inside[index]
            .iter()
            .map(|inside| format!("exact ({inside} s E)"))
            .collect();
        let split = by_alternatives("(H s I)", "E", &cases);
        self.line(&format!("  intros s I. {split}.\nQed."));
    }

    fn consecution(
        &mut self,
        named: &NamedDiagram<'_>,
        node: usize,
        consecution: &Consecution,
        assumed: &Assumed,
    ) {
        let transition = &self.argument.transitions[consecution.transition].name;
        let label = &named.nodes[node];
        let successors: Vec<String> = consecution
            .successors
            .iter()
            .map(|&it| named.nodes[it].clone())
            .collect();
        let mut unfold = vec![label.clone(), transition.clone()];
        for definition in successors.iter().chain(&assumed.definitions) {
            if !unfold.contains(definition) {
                unfold.push(definition.clone());
            }
        }
        self.line(&format!(
            "Lemma {} : forall s s', {}{label} s -> {transition} s s' -> {}.",
            consecution.name,
            assumed.premises,
            disjunction(&successors, "s'")
        ));
        self.line(&format!(
            "Proof. intros s s'{} N T.{} unfold {} in *. arithmetic. Qed.",
            assumed.hypotheses,
            assumed.cases,
            unfold.join(", ")
        ));
    }

    fn node_step(
        &mut self,
        index: usize,
        node: usize,
        consecutions: &[Consecution],
        assumed: &Assumed,
    ) {
        let named = &self.argument.diagrams[index];
        let hypotheses = &assumed.hypotheses;
        let leaves = &named.leaves[node];
        self.line(&format!(
            "Lemma {leaves} : forall s s', {}{} s -> named_step s s' -> {} s'.",
            assumed.premises, named.nodes[node], named.name
        ));
        let cases: Vec<String> = consecutions
            .iter()
            .map(|consecution| {
                let used = format!("({} s s'{hypotheses} N T)", consecution.name);
                let inside = |&it: &usize| self.names.inside[index][it].clone();
                match consecution.successors.as_slice() {
                    [] => format!("destruct {used}"),
                    [single] => format!("exact ({} s' {used})", inside(single)),
                    several => {
                        let exact: Vec<String> = several
                            .iter()
                            .map(|it| format!("exact ({} s' E)", inside(it)))
                            .collect();
                        by_alternatives(&used, "E", &exact)
                    }
                }
            })
            .collect();
        self.line(&format!(
            "Proof.\n  intros s s'{hypotheses} N T. {}\nQed.",
            by_cases("T", &cases)
        ));
    }

    pub(super) fn induction(&mut self) {
        let argument = self.argument;
        let count = argument.diagrams.len();
        let all: Vec<String> = argument
            .diagrams
            .iter()
            .map(|named| named.name.clone())
            .collect();
        self.line("\n(* All diagrams together. *)");
        let body: Vec<String> = all.iter().map(|name| format!("{name} s")).collect();
        self.line(&format!(
            "Definition invariant (s : state) : Prop :=\n  {}.",
            body.join(" /\\\n  ")
        ));
        self.line("Lemma invariant_init : forall s, init s -> invariant s.");
        let starts: Vec<String> = argument
            .diagrams
            .iter()
            .map(|named| format!("({} s I)", named.starts))
            .collect();
        self.line(&format!(
            "Proof. intros s I. exact {}. Qed.",
            together(&starts)
        ));
        self.line("Lemma invariant_step : forall s s', invariant s -> step s s' -> invariant s'.");
        let keeps: Vec<String> = argument
            .diagrams
            .iter()
            .map(|named| {
                let assumed: String = named
                    .assumes
                    .iter()
                    .map(|index| format!(" H{index}'"))
                    .collect();
                let own = argument
                    .diagrams
                    .iter()
                    .position(|other| other.name == named.name);
                format!(
                    "({} s s'{assumed} H{}' (cover s s' T))",
                    named.keeps,
                    own.unwrap_or(0)
                )
            })
            .collect();
        self.line(&format!(
            "Proof. intros s s' H T. {} exact {}. Qed.",
            conjuncts_of_invariant(count),
            together(&keeps)
        ));
    }

    pub(super) fn safety(&mut self) {
        let argument = self.argument;
        let count = argument.diagrams.len();
        self.line("\n(* The invariant excludes violations. *)");
        for (number, claimed) in argument.claims.iter().enumerate() {
            let assumed = self.assumed(&claimed.others);
            let error = &claimed.error.name;
            let nodes = &argument.diagrams[claimed.first].nodes;
            for (excludes, node) in claimed.excludes.iter().zip(nodes) {
                let mut unfold = vec![node.clone(), error.clone()];
                for definition in &assumed.definitions {
                    if !unfold.contains(definition) {
                        unfold.push(definition.clone());
                    }
                }
                self.line(&format!(
                    "Lemma {excludes} : forall s, {}{node} s -> {error} s -> False.",
                    assumed.premises
                ));
                self.line(&format!(
                    "Proof. intros s{} N E.{} unfold {} in *. arithmetic. Qed.",
                    assumed.hypotheses,
                    assumed.cases,
                    unfold.join(", ")
                ));
            }
            let others: String = claimed
                .others
                .iter()
                .map(|index| format!(" H{index}'"))
                .collect();
            let cases: Vec<String> = claimed
                .excludes
                .iter()
                .map(|excludes| format!("exact ({excludes} s{others} N E)"))
                .collect();
            self.line(&format!(
                "Lemma {} : forall s, invariant s -> {error} s -> False.",
                self.names.none[number]
            ));
            self.line(&format!(
                "Proof.\n  intros s H E. {} pose proof H{}' as N. {}\nQed.",
                conjuncts_of_invariant(count),
                claimed.first,
                by_cases("N", &cases)
            ));
        }
        let cases: Vec<String> = self
            .names
            .none
            .iter()
            .map(|none| format!("exact ({none} s H E)"))
            .collect();
        let split = by_alternatives("E", "E", &cases);
        self.line("\nTheorem safe : forall s, reachable s -> ~ error s.");
        self.line("Proof.\n  intros s K E.");
        self.line("  assert (H : invariant s).");
        self.line("  { clear E. induction K as [s I | s s' K H T].");
        self.line("    - exact (invariant_init s I).\n    - exact (invariant_step s s' H T). }");
        self.line(&format!("  unfold error in E. {split}.\nQed."));
        self.line("\nPrint Assumptions safe.");
    }
}

/// `[T|T|T]`: the same name in each of the cases.
fn pattern(name: &str, cases: usize) -> String {
    format!("[{}]", vec![name; cases].join("|"))
}

/// A pattern for `a \/ b \/ c`.
fn alternatives(name: &str, count: usize) -> String {
    let mut text = name.to_owned();
    for _ in 1..count {
        text = format!("[{name}|{text}]");
    }
    text
}

/// What is assumed of other diagrams.
#[derive(Default)]
struct Assumed {
    premises: String,
    hypotheses: String,
    cases: String,
    definitions: Vec<String>,
}

/// Goes through the alternatives of a proven disjunction, with a tactic for each; `name` is what each alternative is called.
pub(super) fn by_alternatives(proof: &str, name: &str, cases: &[String]) -> String {
    match cases {
        [] => format!("destruct {proof}"),
        [single] if proof == name => single.clone(),
        [single] => format!("pose proof {proof} as {name}; {single}"),
        _ => format!(
            "destruct {proof} as {}; [{}]",
            alternatives(name, cases.len()),
            cases.join(" | ")
        ),
    }
}

fn disjunction(names: &[String], state: &str) -> String {
    if names.is_empty() {
        return "False".to_owned();
    }
    let parts: Vec<String> = names.iter().map(|name| format!("{name} {state}")).collect();
    parts.join(" \\/ ")
}

/// `destruct H as [..]` and a bullet for each case.
fn by_cases(hypothesis: &str, cases: &[String]) -> String {
    if cases.is_empty() {
        return format!("destruct {hypothesis}.");
    }
    let mut text = format!(
        "destruct {hypothesis} as {}.",
        pattern(hypothesis, cases.len())
    );
    for case in cases {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n  - {case}.");
    }
    text
}

/// A proof of a conjunction from proofs of its parts.
fn together(proofs: &[String]) -> String {
    let Some((last, others)) = proofs.split_last() else {
        return "I".to_owned();
    };
    others
        .iter()
        .rev()
        .fold(last.clone(), |text, proof| format!("(conj {proof} {text})"))
}

/// Takes the invariant of all diagrams apart.
fn conjuncts_of_invariant(count: usize) -> String {
    let names: Vec<String> = (0..count).map(|index| format!("H{index}'")).collect();
    match names.as_slice() {
        [single] => format!("pose proof H as {single}. unfold invariant in {single}."),
        _ => format!("pose proof H as G. destruct G as ({}).", names.join(" & ")),
    }
}
