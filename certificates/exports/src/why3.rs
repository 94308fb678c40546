//! A certificate as goals for Why3: induction is proved once, about any system, and cloned for this one.
//!
//! There are two files. `induction.mlw` is the same for all certificates; its only goal needs the transformation `induction_pr`.
//! `certificate.mlw` has the system, a module of lemmas for each node, and the theorem, for any solver. Invariant: a statement that is
//! assumed anywhere is a goal elsewhere, so that a wrong certificate leaves a goal open.

mod formula;

use super::argument::{Argument, Bound, StepRelation, Text, TransitionRelation};
use super::identifiers::{Spelling, comment};
use crate::{Export, ExportError, Sink};
use formula::FormulaWriter;
use slabcert_certificates::certificate::Certificate;
use slabcert_certificates::system::System;
use slabcert_certificates::term::{Operator, Sort, Term};

/// The format's name.
const NAME: &str = "why3";
/// The file about any system.
const INDUCTION_FILE: &str = "induction.mlw";
/// The file about this system.
const FILE: &str = "certificate.mlw";

/// Keywords, and the words that the files use themselves.
const RESERVED: &[&str] = &[
    "abs",
    "abstract",
    "absurd",
    "alias",
    "andb",
    "any",
    "as",
    "assert",
    "assume",
    "at",
    "attribute",
    "axiom",
    "begin",
    "bool",
    "break",
    "by",
    "ceil",
    "check",
    "clone",
    "coinductive",
    "compute",
    "constant",
    "continue",
    "cover",
    "div",
    "diverges",
    "do",
    "done",
    "downto",
    "else",
    "end",
    "ensures",
    "epsilon",
    "error",
    "exception",
    "exists",
    "export",
    "false",
    "float",
    "floor",
    "for",
    "forall",
    "format",
    "from_int",
    "fun",
    "function",
    "ghost",
    "goal",
    "holds",
    "if",
    "implb",
    "import",
    "in",
    "inductive",
    "init",
    "initiation",
    "int",
    "invariant",
    "invariant_init",
    "invariant_step",
    "kept",
    "label",
    "lemma",
    "let",
    "match",
    "meta",
    "mod",
    "module",
    "mutable",
    "named_step",
    "next",
    "not",
    "notb",
    "old",
    "orb",
    "partial",
    "predicate",
    "private",
    "prop",
    "pure",
    "raise",
    "raises",
    "range",
    "reachable",
    "reads",
    "real",
    "rec",
    "ref",
    "remove",
    "requires",
    "return",
    "returns",
    "s",
    "safe",
    "scope",
    "so",
    "start",
    "state",
    "step",
    "strategy",
    "syntax",
    "then",
    "theory",
    "to",
    "true",
    "truncate",
    "try",
    "type",
    "unit",
    "use",
    "val",
    "variant",
    "while",
    "whole",
    "with",
    "writes",
    "xorb",
];

const INDUCTION: &str = "\
(* Induction over the steps of any system: what holds initially and is preserved by each step holds in all reachable states.

   why3 prove -P SOLVER induction.mlw -T Induction -a induction_pr *)

module Induction
  type state
  predicate init state
  predicate step state state
  predicate whole state

  axiom initiation : forall s : state. init s -> whole s
  axiom kept : forall s s' : state. whole s -> step s s' -> whole s'

  inductive reachable state =
  | start : forall s : state. init s -> reachable s
  | next : forall s s' : state. reachable s -> step s s' -> reachable s'

  lemma holds : forall s : state. reachable s -> whole s
end
";

/// Goals for Why3.
pub struct Why3;

impl Export for Why3 {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> &'static str {
        "the safe claims as goals for Why3 and the solvers that it knows"
    }

    fn file_names(
        &self,
        system: &System,
        certificate: &Certificate,
    ) -> Result<Vec<String>, ExportError> {
        theory(system, certificate)?;
        Ok(vec![INDUCTION_FILE.to_owned(), FILE.to_owned()])
    }

    fn write(
        &self,
        system: &System,
        certificate: &Certificate,
        sink: &mut Sink<'_>,
    ) -> Result<(), ExportError> {
        let text = theory(system, certificate)?;
        sink(INDUCTION_FILE, INDUCTION.as_bytes())?;
        sink(FILE, text.as_bytes())?;
        Ok(())
    }
}

/// The text of the file about this system.
fn theory(system: &System, certificate: &Certificate) -> Result<String, ExportError> {
    let spelling = Spelling {
        reserved: RESERVED,
        is_small: true,
    };
    let argument = Argument::of(system, certificate, spelling)?;
    let mut theory = Theory {
        argument: &argument,
        text: Text::default(),
    };
    theory.header();
    theory.system()?;
    theory.evidence()?;
    for index in 0..argument.diagrams.len() {
        for node in 0..argument.diagrams[index].nodes.len() {
            if theory.text.is_full() {
                break;
            }
            theory.node(index, node);
        }
        theory.diagram(index);
    }
    theory.safety();
    theory.text.finish(NAME)
}

struct Theory<'a> {
    argument: &'a Argument<'a>,
    text: Text,
}

fn sort(sort: Sort) -> &'static str {
    match sort {
        Sort::Bool => "bool",
        Sort::Int => "int",
        Sort::Real => "real",
    }
}

/// The name of the module about a node or a diagram; the prefix keeps it apart from all others.
fn module(name: &str) -> String {
    format!("About_{name}")
}

/// `a s \/ b s`, or what holds never if there is none.
fn disjunction<'n>(names: impl Iterator<Item = &'n str>, arguments: &str) -> String {
    let parts: Vec<String> = names.map(|name| format!("{name} {arguments}")).collect();
    if parts.is_empty() {
        "false".to_owned()
    } else {
        parts.join(" \\/ ")
    }
}

impl Theory<'_> {
    fn line(&mut self, line: &str) {
        self.text.line(line);
    }

    fn header(&mut self) {
        self.line("(* What holds in all reachable states of a system, as goals for solvers: a lemma for each node and transition.");
        self.line("");
        self.line("   why3 prove -P SOLVER -L . certificate.mlw");
        self.line("");
        self.line("   The theorem is the last goal; it uses the goal of induction.mlw, where its proof is described. *)");
    }

    /// The libraries that the formulas need.
    fn libraries(&mut self) {
        let argument = self.argument;
        self.line("  use int.Int");
        self.line("  use bool.Bool");
        if argument.uses(Sort::Real) {
            self.line("  use real.RealInfix");
        }
        if argument.applies(&[Operator::IntegerDivide, Operator::Modulo]) {
            self.line("  use int.EuclideanDivision");
        }
        if argument.applies(&[Operator::Absolute]) {
            self.line("  use int.Abs");
        }
        if argument.applies(&[Operator::ToReal, Operator::IsInt]) {
            self.line("  use real.FromInt");
        }
        if argument.applies(&[Operator::ToInt, Operator::IsInt]) {
            self.line("  use real.Truncate");
        }
    }

    fn definition(
        &mut self,
        head: &str,
        inputs: &[Bound],
        formulas: &[&Term],
    ) -> Result<(), ExportError> {
        let mut conjuncts = Vec::new();
        for formula in formulas {
            match formula.as_application() {
                Some((Operator::And, parts)) if !parts.is_empty() => {
                    for part in parts {
                        conjuncts.push(FormulaWriter::formula(self.argument, part)?);
                    }
                }
                _ => conjuncts.push(FormulaWriter::formula(self.argument, formula)?),
            }
        }
        self.line(&format!("  predicate {head} ="));
        for input in inputs {
            self.line(&format!(
                "    exists {} : {}.",
                input.name,
                sort(input.sort)
            ));
        }
        if conjuncts.is_empty() {
            conjuncts.push("true".to_owned());
        }
        self.line(&format!("    {}", conjuncts.join("\n    /\\ ")));
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

    fn system(&mut self) -> Result<(), ExportError> {
        let argument = self.argument;
        self.line("\nmodule Model");
        self.libraries();
        if argument.variables.is_empty() {
            self.line("\n  type state = unit");
        } else {
            self.line("\n  type state = {");
            for (variable, name) in argument.system.variables.iter().zip(&argument.variables) {
                let original = comment(variable.name());
                self.line(&format!(
                    "    {name} : {};  (* {original} *)",
                    sort(variable.sort())
                ));
            }
            self.line("  }");
        }
        for ((_, number), name) in &argument.values {
            self.line(&format!("  constant {name} : int = {number}"));
        }
        self.line("");
        let init: Vec<&Term> = argument.system.init.iter().collect();
        self.definition("init (s : state)", &[], &init)?;
        self.line("\n  (* The named transitions: s before the step, s' after it. *)");
        for relation in &argument.transitions {
            self.line(&format!("  (* {} *)", comment(&relation.original)));
            self.relation(relation, " (s s' : state)")?;
        }
        let named = disjunction(
            argument.transitions.iter().map(|it| it.name.as_str()),
            "s s'",
        );
        self.line(&format!(
            "  predicate named_step (s s' : state) =\n    {named}"
        ));
        self.line("\n  (* The steps of the system. *)");
        match &argument.step {
            StepRelation::Named => self.line("  predicate step (s s' : state) = named_step s s'"),
            StepRelation::Own(relation) => self.relation(relation, " (s s' : state)")?,
        }
        self.line("end");
        self.line("\nmodule Cover\n  use Model");
        self.libraries();
        self.line("  lemma cover : forall s s' : state. step s s' -> named_step s s'\nend");
        Ok(())
    }

    fn evidence(&mut self) -> Result<(), ExportError> {
        let argument = self.argument;
        self.line("\nmodule Evidence\n  use Model");
        self.libraries();
        for named in &argument.diagrams {
            self.line(&format!(
                "\n  (* The nodes of the diagram {}. *)",
                comment(&named.diagram.name)
            ));
            for (node, name) in named.diagram.nodes.iter().zip(&named.nodes) {
                let label: Vec<&Term> = node.label.iter().collect();
                self.definition(&format!("{name} (s : state)"), &[], &label)?;
            }
            let nodes = disjunction(named.nodes.iter().map(String::as_str), "s");
            self.line(&format!(
                "  predicate {} (s : state) =\n    {nodes}",
                named.name
            ));
        }
        self.line("\n  (* Violations of the properties. *)");
        for claimed in &argument.claims {
            self.line(&format!("  (* {} *)", comment(&claimed.error.original)));
            self.relation(&claimed.error, " (s : state)")?;
        }
        let errors = disjunction(argument.claims.iter().map(|it| it.error.name.as_str()), "s");
        self.line(&format!("  predicate error (s : state) = {errors}"));
        let all: Vec<String> = argument
            .diagrams
            .iter()
            .map(|named| format!("{} s", named.name))
            .collect();
        self.line(&format!(
            "  predicate whole (s : state) = {}\nend",
            all.join(" /\\ ")
        ));
        Ok(())
    }

    /// The diagrams that are assumed, as premises.
    fn premises(&self, indices: &[usize]) -> String {
        indices
            .iter()
            .map(|&index| format!("{} s -> ", self.argument.diagrams[index].name))
            .collect()
    }

    fn uses(&mut self, modules: &[&str]) {
        self.libraries();
        for module in modules {
            self.line(&format!("  use {module}"));
        }
    }

    fn node(&mut self, index: usize, node: usize) {
        let argument = self.argument;
        let named = &argument.diagrams[index];
        let premises = self.premises(&named.assumes);
        let label = &named.nodes[node];
        self.line(&format!("\nmodule {}", module(label)));
        self.uses(&["Model", "Evidence"]);
        for consecution in &argument.consecutions[index][node] {
            let transition = &argument.transitions[consecution.transition].name;
            let successors = consecution.successors.iter();
            let goal = disjunction(successors.map(|&it| named.nodes[it].as_str()), "s'");
            self.line(&format!(
                "  lemma {} : forall s s' : state.\n    {premises}{label} s -> {transition} s s' -> {goal}",
                consecution.name
            ));
        }
        let leaves = &named.leaves[node];
        self.line(&format!(
            "  lemma {leaves} : forall s s' : state.\n    {premises}{label} s -> named_step s s' -> {} s'",
            named.name
        ));
        self.line("end");
    }

    fn diagram(&mut self, index: usize) {
        let argument = self.argument;
        let named = &argument.diagrams[index];
        let premises = self.premises(&named.assumes);
        let name = &named.name;
        self.line(&format!("\nmodule {}", module(name)));
        self.uses(&["Model", "Evidence"]);
        for node in &named.nodes {
            self.line(&format!("  use {}", module(node)));
        }
        let (starts, keeps) = (&named.starts, &named.keeps);
        self.line(&format!(
            "  lemma {starts} : forall s : state. init s -> {name} s"
        ));
        self.line(&format!(
            "  lemma {keeps} : forall s s' : state.\n    {premises}{name} s -> named_step s s' -> {name} s'"
        ));
        self.line("end");
    }

    fn safety(&mut self) {
        let argument = self.argument;
        self.line("\nmodule Safety");
        self.uses(&["Model", "Cover", "Evidence"]);
        for named in &argument.diagrams {
            self.line(&format!("  use {}", module(&named.name)));
        }
        for claimed in &argument.claims {
            let premises = self.premises(&claimed.others);
            let nodes = &argument.diagrams[claimed.first].nodes;
            for (excludes, node) in claimed.excludes.iter().zip(nodes) {
                self.line(&format!(
                    "  lemma {excludes} : forall s : state. {premises}{node} s -> not ({} s)",
                    claimed.error.name
                ));
            }
        }
        self.line("  lemma invariant_init : forall s : state. init s -> whole s");
        self.line("  lemma invariant_step : forall s s' : state. whole s -> step s s' -> whole s'");
        self.line("  clone induction.Induction with type state = state, predicate init = init,");
        self.line(
            "    predicate step = step, predicate whole = whole, lemma initiation, lemma kept",
        );
        self.line("  goal safe : forall s : state. Induction.reachable s -> not (error s)");
        self.line("end");
    }
}
