//! A certificate as a Coq development for people: a record, relations, a lemma for each node and transition, and the theorem.
//!
//! Everything has the model's names ([`Argument`]); what must be proved is what `obligations.rs` says. The invariant of all diagrams
//! together is shown to hold at first and to be kept by every step, so that diagrams may assume one another. Invariant: the file
//! states nothing without a proof that Coq checks, so that a wrong certificate makes a file that does not compile.

mod formula;
mod tactics;

use super::argument::{Argument, Bound, Consecution, NamedDiagram, Relation, StepRelation};
use super::identifiers::{Spelling, comment};
use super::{Export, ExportError, Sink};
use crate::certificate::Certificate;
use crate::system::System;
use crate::term::{Operator, Sort, Term};
use formula::{FormulaWriter, Proposition};
use std::fmt::Write;
use tactics::{Needs, prelude};

/// The format's name.
const NAME: &str = "coq-readable";
/// The one file.
const FILE: &str = "certificate.v";

/// Keywords, and the words that the file uses itself.
const RESERVED: &[&str] = &[
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

/// A readable Coq development.
pub struct CoqReadable;

impl Export for CoqReadable {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> &'static str {
        "the safe claims as a Coq development for people, proved by `lia` and `lra`"
    }

    fn file_names(
        &self,
        system: &System,
        certificate: &Certificate,
    ) -> Result<Vec<String>, ExportError> {
        development(system, certificate)?;
        Ok(vec![FILE.to_owned()])
    }

    fn write(
        &self,
        system: &System,
        certificate: &Certificate,
        sink: &mut Sink<'_>,
    ) -> Result<(), ExportError> {
        sink(FILE, development(system, certificate)?.as_bytes())?;
        Ok(())
    }
}

/// The text of the file.
fn development(system: &System, certificate: &Certificate) -> Result<String, ExportError> {
    let spelling = Spelling {
        reserved: RESERVED,
        is_small: false,
    };
    let mut argument = Argument::of(system, certificate, spelling)?;
    let names = Names::of(&mut argument);
    let mut development = Development {
        argument: &argument,
        names,
        text: String::new(),
    };
    development.header();
    development.state();
    development.transitions()?;
    development.step()?;
    development.labels()?;
    for place in 0..argument.diagrams.len() {
        development.diagram(place);
    }
    development.induction();
    development.safety();
    Ok(development.text)
}

/// Identifiers that only this format has.
struct Names {
    /// For each transition, the constructor of `named_step`.
    by: Vec<String>,
    /// For each diagram and node, the constructor of the diagram's invariant.
    inside: Vec<Vec<String>>,
    /// For each diagram and node, the lemma about all steps from it.
    leaves: Vec<Vec<String>>,
    /// For each diagram, the lemmas that it holds at first and that it is kept.
    starts: Vec<String>,
    keeps: Vec<String>,
    /// For each claim, the lemmas about the nodes of its first diagram, and the one about all states.
    excludes: Vec<Vec<String>>,
    none: Vec<String>,
}

impl Names {
    fn of(argument: &mut Argument<'_>) -> Names {
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

struct Development<'a> {
    argument: &'a Argument<'a>,
    names: Names,
    text: String,
}

fn sort(sort: Sort) -> &'static str {
    match sort {
        Sort::Bool => "bool",
        Sort::Int => "Z",
        Sort::Real => "R",
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

impl Development<'_> {
    /// Writing to a string cannot fail.
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn header(&mut self) {
        let argument = self.argument;
        self.line("(* What holds in all reachable states of a system, with a proof.");
        self.line("");
        self.line("   Proved are the properties below. The states are a record, a step is one of the named transitions, and the");
        self.line("   invariant is that the state is in a node of each diagram. There is a lemma for each node and transition.");
        if argument.uses(Sort::Real) {
            self.line("   The system has real numbers: the theorem rests on the axioms of Coq's reals, which the last line lists. *)");
        } else {
            self.line("   The theorem rests on no axioms, as the last line says. *)");
        }
        let needs = Needs {
            reals: argument.uses(Sort::Real),
            booleans: argument.uses(Sort::Bool),
            division: argument.applies(&[Operator::IntegerDivide, Operator::Modulo]),
        };
        self.text.push_str(&prelude(needs));
    }

    fn state(&mut self) {
        let argument = self.argument;
        self.line("\n(* The state. *)\nRecord state : Set := make_state {");
        let count = argument.variables.len();
        for (place, (variable, name)) in argument
            .system
            .variables
            .iter()
            .zip(&argument.variables)
            .enumerate()
        {
            let end = if place + 1 < count { ";" } else { "" };
            let original = comment(variable.name());
            self.line(&format!(
                "  {name} : {}{end}  (* {original} *)",
                sort(variable.sort())
            ));
        }
        self.line("}.");
        if !argument.values.is_empty() {
            self.line("\n(* Names of values. *)");
        }
        for ((_, number), name) in &argument.values {
            self.line(&format!("Notation {name} := {number}%Z (only parsing)."));
        }
    }

    /// `Definition NAME ARGUMENTS : Prop := exists INPUTS, CONJUNCTS.`, a conjunct on each line.
    fn definition(
        &mut self,
        head: &str,
        inputs: &[Bound],
        formulas: &[&Term],
    ) -> Result<(), ExportError> {
        let mut conjuncts = Vec::new();
        for formula in formulas {
            let proposition = FormulaWriter::proposition(self.argument, formula)?;
            conjuncts.extend(proposition.conjuncts());
        }
        let quantified: Vec<String> = inputs
            .iter()
            .map(|input| format!("exists {} : {}, ", input.name, sort(input.sort)))
            .collect();
        self.line(&format!("Definition {head} : Prop :="));
        if !quantified.is_empty() {
            self.line(&format!("  {}", quantified.concat().trim_end()));
        }
        let is_one = conjuncts.len() == 1;
        let lines: Vec<String> = conjuncts
            .iter()
            .map(|conjunct| format!("  {}", conjunct.text(!is_one)))
            .collect();
        let body = if lines.is_empty() {
            format!("  {}", Proposition::And(Vec::new()).text(false))
        } else {
            lines.join(" /\\\n")
        };
        self.line(&format!("{body}."));
        Ok(())
    }

    fn relation(&mut self, relation: &Relation, arguments: &str) -> Result<(), ExportError> {
        self.definition(
            &format!("{}{arguments}", relation.name),
            &relation.inputs,
            &[&relation.formula],
        )
    }

    fn transitions(&mut self) -> Result<(), ExportError> {
        let argument = self.argument;
        self.line("\n(* The initial states. *)");
        let init: Vec<&Term> = argument.system.init.iter().collect();
        self.definition("init (s : state)", &[], &init)?;
        self.line("\n(* The named transitions: s before the step, s' after it. *)");
        for relation in &argument.transitions {
            self.line(&format!("(* {} *)", comment(&relation.original)));
            self.relation(relation, " (s s' : state)")?;
        }
        Ok(())
    }

    fn step(&mut self) -> Result<(), ExportError> {
        let argument = self.argument;
        self.line("\nInductive named_step (s s' : state) : Prop :=");
        for (by, relation) in self.names.by.clone().iter().zip(&argument.transitions) {
            self.line(&format!(
                "| {by} : {} s s' -> named_step s s'",
                relation.name
            ));
        }
        self.line(".");
        self.line(
            "\n(* The steps of the system, and that each is a step of a named transition. *)",
        );
        match &argument.step {
            StepRelation::Named => {
                let all: Vec<String> = argument
                    .transitions
                    .iter()
                    .map(|it| format!("{} s s'", it.name))
                    .collect();
                let all = if all.is_empty() {
                    "False".to_owned()
                } else {
                    all.join(" \\/\n  ")
                };
                self.line(&format!(
                    "Definition step (s s' : state) : Prop :=\n  {all}."
                ));
                self.line("Lemma cover : forall s s', step s s' -> named_step s s'.");
                let cases: Vec<String> = self
                    .names
                    .by
                    .iter()
                    .map(|by| format!("exact ({by} s s' T)"))
                    .collect();
                self.line(&format!(
                    "Proof.\n  intros s s' T. {}.\nQed.",
                    by_alternatives("T", "T", &cases)
                ));
            }
            StepRelation::Own(relation) => {
                self.relation(relation, " (s s' : state)")?;
                self.own_cover(relation);
            }
        }
        self.line("\nSet Elimination Schemes.\nInductive reachable : state -> Prop :=");
        self.line("| reachable_init : forall s, init s -> reachable s");
        self.line("| reachable_step : forall s s', reachable s -> step s s' -> reachable s'.");
        self.line("Unset Elimination Schemes.");
        Ok(())
    }

    /// The relation is split into its cases, and each is shown to be one of the transitions.
    fn own_cover(&mut self, relation: &Relation) {
        let mut ways = Vec::new();
        for (by, transition) in self.names.by.iter().zip(&self.argument.transitions) {
            let inputs = transition.inputs.iter().map(|input| {
                let is_known = relation.inputs.contains(input);
                match input.sort {
                    _ if is_known => format!("exists {}; ", input.name),
                    Sort::Bool => "exists false; ".to_owned(),
                    Sort::Int => "exists 0; ".to_owned(),
                    Sort::Real => "exists 0%R; ".to_owned(),
                }
            });
            let inputs: String = inputs.collect();
            ways.push(format!(
                "apply {by}; unfold {}; {inputs}solve [one_of]",
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
        self.line(&format!("Proof.\n  unfold step; intros s s' T.{inputs}"));
        self.line("  first");
        self.line(&format!("  [ {}", ways.join("\n  | ")));
        self.line("  | repeat match goal with");
        self.line("    | H : _ /\\ _ |- _ => destruct H");
        self.line("    | H : _ \\/ _ |- _ => destruct H");
        self.line("    end;");
        self.line(&format!(
            "    first\n    [ {} ] ].\nQed.",
            ways.join("\n    | ")
        ));
    }

    fn labels(&mut self) -> Result<(), ExportError> {
        let argument = self.argument;
        for (place, named) in argument.diagrams.iter().enumerate() {
            self.line(&format!(
                "\n(* The nodes of the diagram {}. *)",
                comment(&named.diagram.name)
            ));
            for (node, name) in named.diagram.nodes.iter().zip(&named.nodes) {
                let label: Vec<&Term> = node.label.iter().collect();
                self.definition(&format!("{name} (s : state)"), &[], &label)?;
            }
            self.line(&format!("Inductive {} (s : state) : Prop :=", named.name));
            for (inside, node) in self.names.inside[place].clone().iter().zip(&named.nodes) {
                self.line(&format!("| {inside} : {node} s -> {} s", named.name));
            }
            self.line(".");
        }
        self.line("\n(* Violations of the properties. *)");
        for claimed in &argument.claims {
            self.line(&format!("(* {} *)", comment(&claimed.error.original)));
            self.relation(&claimed.error, " (s : state)")?;
        }
        let errors: Vec<String> = argument
            .claims
            .iter()
            .map(|it| format!("{} s", it.error.name))
            .collect();
        self.line(&format!(
            "Definition error (s : state) : Prop :=\n  {}.",
            errors.join(" \\/ ")
        ));
        Ok(())
    }

    /// What is assumed of other diagrams: `a s -> b s -> `, their names as hypotheses, and what unfolds them.
    fn assumed(&self, places: &[usize]) -> Assumed {
        let mut assumed = Assumed::default();
        for (number, &place) in places.iter().enumerate() {
            let named = &self.argument.diagrams[place];
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

    fn diagram(&mut self, place: usize) {
        let argument = self.argument;
        let named = &argument.diagrams[place];
        let assumed = self.assumed(&named.assumes);
        self.line(&format!(
            "\n(* The diagram {} is closed under all steps. *)",
            comment(&named.diagram.name)
        ));
        self.initiation(place);
        for (node, consecutions) in argument.consecutions[place].iter().enumerate() {
            for consecution in consecutions {
                self.consecution(named, node, consecution, &assumed);
            }
            self.node_step(place, node, consecutions, &assumed);
        }
        let Assumed {
            premises,
            hypotheses,
            ..
        } = &assumed;
        let name = &named.name;
        let keeps = self.names.keeps[place].clone();
        self.line(&format!(
            "Lemma {keeps} : forall s s', {premises}{name} s -> named_step s s' -> {name} s'."
        ));
        let cases: Vec<String> = self.names.leaves[place]
            .iter()
            .map(|leaves| format!("exact ({leaves} s s'{hypotheses} N T)"))
            .collect();
        self.line(&format!(
            "Proof.\n  intros s s'{hypotheses} N T. {}\nQed.",
            by_cases("N", &cases)
        ));
    }

    fn initiation(&mut self, place: usize) {
        let named = &self.argument.diagrams[place];
        let goal = disjunction(&named.nodes, "s");
        let unfold: Vec<&str> = std::iter::once("init")
            .chain(named.nodes.iter().map(String::as_str))
            .collect();
        let starts = self.names.starts[place].clone();
        self.line(&format!(
            "Lemma {starts} : forall s, init s -> {} s.",
            named.name
        ));
        self.line(&format!(
            "Proof.\n  assert (H : forall s, init s -> {goal}) by (unfold {}; arithmetic).",
            unfold.join(", ")
        ));
        let cases: Vec<String> = self.names.inside[place]
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
        place: usize,
        node: usize,
        consecutions: &[Consecution],
        assumed: &Assumed,
    ) {
        let named = &self.argument.diagrams[place];
        let hypotheses = &assumed.hypotheses;
        let leaves = self.names.leaves[place][node].clone();
        self.line(&format!(
            "Lemma {leaves} : forall s s', {}{} s -> named_step s s' -> {} s'.",
            assumed.premises, named.nodes[node], named.name
        ));
        let cases: Vec<String> = consecutions
            .iter()
            .map(|consecution| {
                let used = format!("({} s s'{hypotheses} N T)", consecution.name);
                let inside = |&it: &usize| self.names.inside[place][it].clone();
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

    fn induction(&mut self) {
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
        let starts: Vec<String> = self
            .names
            .starts
            .iter()
            .map(|starts| format!("({starts} s I)"))
            .collect();
        self.line(&format!(
            "Proof. intros s I. exact {}. Qed.",
            together(&starts)
        ));
        self.line("Lemma invariant_step : forall s s', invariant s -> step s s' -> invariant s'.");
        let keeps: Vec<String> = argument
            .diagrams
            .iter()
            .zip(&self.names.keeps)
            .map(|(named, keeps)| {
                let assumed: String = named
                    .assumes
                    .iter()
                    .map(|place| format!(" H{place}'"))
                    .collect();
                let own = argument
                    .diagrams
                    .iter()
                    .position(|other| other.name == named.name);
                format!(
                    "({keeps} s s'{assumed} H{}' (cover s s' T))",
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

    fn safety(&mut self) {
        let argument = self.argument;
        let count = argument.diagrams.len();
        self.line("\n(* The invariant excludes violations. *)");
        for (number, claimed) in argument.claims.iter().enumerate() {
            let assumed = self.assumed(&claimed.others);
            let error = &claimed.error.name;
            let nodes = &argument.diagrams[claimed.first].nodes;
            for (excludes, node) in self.names.excludes[number].clone().iter().zip(nodes) {
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
                .map(|place| format!(" H{place}'"))
                .collect();
            let cases: Vec<String> = self.names.excludes[number]
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

/// What is assumed of other diagrams.
#[derive(Default)]
struct Assumed {
    premises: String,
    hypotheses: String,
    cases: String,
    definitions: Vec<String>,
}

/// Goes through the alternatives of a proven disjunction, with a tactic for each; `name` is what each alternative is called.
fn by_alternatives(proof: &str, name: &str, cases: &[String]) -> String {
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
    let names: Vec<String> = (0..count).map(|place| format!("H{place}'")).collect();
    match names.as_slice() {
        [single] => format!("pose proof H as {single}. unfold invariant in {single}."),
        _ => format!("pose proof H as G. destruct G as ({}).", names.join(" & ")),
    }
}
