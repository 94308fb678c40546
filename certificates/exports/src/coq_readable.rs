//! A certificate as a Coq development for people: a record, relations, a lemma for each node and transition, and the theorem.
//!
//! Everything has the model's names ([`Argument`]); what must be proved is what `obligations.rs` says. The invariant of all diagrams
//! together is shown to hold initially and to be preserved by every step, so that diagrams may assume one another. Invariant: the file
//! states nothing without a proof that Coq checks, so that a wrong certificate makes a file that does not compile.

mod formula;
mod lemmas;
mod names;
mod tactics;

use super::argument::{Argument, Bound, StepRelation, Text, TransitionRelation};
use super::identifiers::{Spelling, comment};
use crate::{Export, ExportError, Sink};
use formula::{FormulaWriter, Proposition};
use lemmas::by_alternatives;
use names::{RESERVED, ReadableNames};
use slabcert_certificates::certificate::Certificate;
use slabcert_certificates::system::System;
use slabcert_certificates::term::{Operator, Sort, Term};
use tactics::{Needs, prelude};

/// The format's name.
const NAME: &str = "coq-readable";
/// The one file.
const FILE: &str = "certificate.v";

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
    let names = ReadableNames::of(&mut argument);
    let mut development = Development {
        argument: &argument,
        names,
        text: Text::default(),
    };
    development.header();
    development.state();
    development.transitions()?;
    development.step()?;
    development.labels()?;
    for index in 0..argument.diagrams.len() {
        development.diagram(index);
    }
    development.induction();
    development.safety();
    development.text.finish(NAME)
}

struct Development<'a> {
    argument: &'a Argument<'a>,
    names: ReadableNames,
    text: Text,
}

fn sort(sort: Sort) -> &'static str {
    match sort {
        Sort::Bool => "bool",
        Sort::Int => "Z",
        Sort::Real => "R",
    }
}

impl Development<'_> {
    fn line(&mut self, line: &str) {
        self.text.line(line);
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
            self.line("   The theorem uses no axioms, as the last line shows. *)");
        }
        let needs = Needs {
            reals: argument.uses(Sort::Real),
            cover: matches!(argument.step, StepRelation::Own(_)),
            division: argument.applies(&[Operator::IntegerDivide, Operator::Modulo]),
        };
        self.line(prelude(needs).trim_end_matches('\n'));
    }

    fn state(&mut self) {
        let argument = self.argument;
        self.line("\n(* The state. *)\nRecord state : Set := make_state {");
        let count = argument.variables.len();
        for (index, (variable, name)) in argument
            .system
            .variables
            .iter()
            .zip(&argument.variables)
            .enumerate()
        {
            let end = if index + 1 < count { ";" } else { "" };
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

    fn relation(
        &mut self,
        relation: &TransitionRelation,
        arguments: &str,
    ) -> Result<(), ExportError> {
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

    fn labels(&mut self) -> Result<(), ExportError> {
        let argument = self.argument;
        for (index, named) in argument.diagrams.iter().enumerate() {
            self.line(&format!(
                "\n(* The nodes of the diagram {}. *)",
                comment(&named.diagram.name)
            ));
            for (node, name) in named.diagram.nodes.iter().zip(&named.nodes) {
                let label: Vec<&Term> = node.label.iter().collect();
                self.definition(&format!("{name} (s : state)"), &[], &label)?;
            }
            self.line(&format!("Inductive {} (s : state) : Prop :=", named.name));
            for (inside, node) in self.names.inside[index].clone().iter().zip(&named.nodes) {
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
}
