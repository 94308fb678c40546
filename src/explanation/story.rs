//! A trace as a narrative: each step and why it is enabled, without what is irrelevant, and why the last state violates the property.

use super::claims;
use super::document::{Document, Item, Line};
use crate::verification::count;
use slabcert_certificates::bundle::Bundle;
use slabcert_certificates::certificate::Evidence;
use slabcert_certificates::system::{Property, System};
use slabcert_certificates::term::{Symbol, Term};
use slabcert_certificates::trace::paths::BlockPaths;
use slabcert_certificates::trace::{Step, Trace, Valuation};
use slabcert_exports::traces::reasons::Reason;
use slabcert_exports::traces::relevance::{Relevance, StepRelevance, relevance};
use slabcert_exports::wording::{Wording, readable};
use std::collections::{BTreeSet, HashSet};
use std::rc::Rc;

/// How many variables that do not matter are named.
const MOST_NAMES: usize = 12;

/// How many lines of a step are named.
const MOST_LINES: usize = 40;

/// A claim that a property is violated, with its trace.
pub(super) struct Story<'a> {
    system: &'a System,
    blocks: Option<Rc<BlockPaths<'a>>>,
    wording: &'a Wording<'a>,
    property: &'a Property,
    trace: &'a Trace,
    relevance: Relevance,
}

impl<'a> Story<'a> {
    /// The stories of a certificate, one for each property that is claimed to be violated. A trace that is not a run of the system has
    /// none; the checker says so.
    pub fn all(bundle: &'a Bundle, wording: &'a Wording<'a>) -> Vec<Story<'a>> {
        let (system, certificate) = (&bundle.system, &bundle.certificate);
        let program = bundle.program.as_ref();
        let blocks = program.map(|program| Rc::new(BlockPaths::of(program, system)));
        let mut stories = Vec::new();
        for claim in &certificate.claims {
            let property = system
                .properties
                .iter()
                .find(|property| property.index == claim.property);
            if let (Evidence::Unsafe(number), Some(property)) = (&claim.evidence, property)
                && let Some(trace) = certificate.traces.get(*number)
                && let Ok(relevance) = relevance(system, certificate, trace, property)
            {
                stories.push(Story {
                    blocks: blocks.clone(),
                    system,
                    wording,
                    property,
                    trace,
                    relevance,
                });
            }
        }
        stories
    }

    /// Writes the narrative.
    pub fn write(&self, document: &mut Document) {
        let name = claims::name(self.property, self.system);
        document.heading(
            2,
            Line::new("How ").line(name.clone()).words(" is violated"),
        );
        document.paragraph(self.beginning());
        let mut number = 0;
        document.list((0..self.trace.steps.len()).filter_map(|index| {
            number += 1;
            self.step(index, number)
        }));
        document.paragraph(self.end(name));
        if let Some(left_out) = self.left_out() {
            document.paragraph(left_out);
        }
    }

    fn beginning(&self) -> Line {
        let matter = self.values(0, self.trace.states.first());
        match matter.is_empty() {
            true => Line::new("Initially, no value matters."),
            false => Line::new("Initially, ").codes(&matter, "and").words("."),
        }
    }

    /// The values that matter in a state.
    fn values(&self, index: usize, state: Option<&Valuation>) -> Vec<String> {
        let (Some(state), Some(matter)) = (state, self.relevance.variables.get(index)) else {
            return Vec::new();
        };
        let values = matter.iter().filter_map(|variable| {
            let variable = &self.system.variables[*variable];
            let value = state.get(variable.name())?;
            Some(self.wording.assignment(&variable.current, value))
        });
        values.collect()
    }

    /// A step; none if it does not matter.
    fn step(&self, index: usize, number: usize) -> Option<Item> {
        let step = self.trace.steps.get(index)?;
        let relevance = self.relevance.steps.get(index)?;
        if !relevance.matters {
            return None;
        }
        let (before, after) = (
            self.trace.states.get(index)?,
            self.trace.states.get(index + 1)?,
        );
        let mut line = Line::new(format!("Step {number}: ")).code(readable(&step.transition));
        let lock_step = self.wording.lock_step(step, before);
        let inputs = self.system.inputs.iter().filter_map(|input| {
            let name = input.symbol.name();
            let value = step.inputs.get(name)?;
            let is_news = lock_step.as_ref().is_none_or(|it| it.tells(name));
            let matters = is_news && relevance.inputs.contains(name);
            matters.then(|| self.wording.assignment(&input.symbol, value))
        });
        let inputs: Vec<String> = inputs.collect();
        if !inputs.is_empty() {
            line = line.words(" with ").codes(&inputs, "and");
        }
        let changes = self.changes(index, before, after);
        line = line.words(". ").line(changes);
        let mut inner: Vec<Item> = Vec::new();
        if let Some(lock_step) = &lock_step {
            inner.push(Line::new(format!("it {}.", lock_step.words)).into());
        }
        if let Some(lines) = self.lines(step, before) {
            inner.push(Line::new(lines).into());
        }
        let conditions = self.conditions(relevance, lock_step.is_some());
        if !conditions.is_empty() {
            let line = Line::new("enabled, since ").codes(&conditions, "and");
            inner.push(line.words(".").into());
        }
        Some(Item { line, inner })
    }

    /// By way of which lines a step goes, if it consists of several commands.
    fn lines(&self, step: &Step, before: &Valuation) -> Option<String> {
        let blocks = self.blocks.as_ref()?;
        let path = blocks.path(step, before)?;
        let commands = path.commands.iter().map(|it| &blocks.program.commands[*it]);
        let lines = commands.filter_map(|command| Some(command.position?.line));
        let mut lines: Vec<u32> = lines.collect();
        lines.dedup();
        let more = lines.len().saturating_sub(MOST_LINES);
        lines.truncate(MOST_LINES);
        let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
        let more = match more {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        Some(format!("by way of the lines {}{more}.", lines.join(", ")))
    }

    /// What a step does to the values that matter after it.
    fn changes(&self, index: usize, before: &Valuation, after: &Valuation) -> Line {
        let nothing = BTreeSet::new();
        let matter = self.relevance.variables.get(index + 1).unwrap_or(&nothing);
        let mut line = Line::new("Then ");
        let mut is_first = true;
        for index in matter {
            let variable = &self.system.variables[*index];
            let values = (before.get(variable.name()), after.get(variable.name()));
            let (Some(old), Some(new)) = values else {
                continue;
            };
            if old == new {
                continue;
            }
            if !is_first {
                line = line.words(", ");
            }
            is_first = false;
            line = line
                .code(self.wording.assignment(&variable.current, new))
                .words(" (was ")
                .code(self.wording.value(&variable.current, old))
                .words(")");
        }
        line.words(".")
    }

    /// Why a step was enabled, except for the location of its own process.
    fn conditions(&self, relevance: &StepRelevance, is_lock_step: bool) -> Vec<String> {
        let inputs = self.system.inputs.iter().filter(|_| is_lock_step);
        let inputs: HashSet<&Symbol> = inputs.map(|it| &it.symbol).collect();
        let facts = relevance.conditions.iter().filter(|reason| {
            let symbols = reason.part.symbols();
            // That no event comes is no condition of a step that is always possible.
            if symbols.iter().all(|symbol| inputs.contains(symbol)) {
                return false;
            }
            let only = symbols.iter().next().filter(|_| symbols.len() == 1);
            // A process is at the source of its edge anyway.
            !only.is_some_and(|symbol| self.wording.is_location(symbol))
        });
        self.facts(facts)
    }

    fn facts<'r>(&self, reasons: impl Iterator<Item = &'r Reason>) -> Vec<String> {
        let mut facts: Vec<String> = Vec::new();
        for fact in reasons.map(|reason| self.wording.term(&reason.fact())) {
            if !facts.contains(&fact) {
                facts.push(fact);
            }
        }
        facts
    }

    fn end(&self, name: Line) -> Line {
        let facts = self.facts(self.relevance.violation.iter());
        let mut line = Line::new("Now ").codes(&facts, "and");
        let inputs = self.system.inputs.iter().filter_map(|input| {
            let value = self.trace.final_inputs.get(input.symbol.name())?;
            Some(self.wording.assignment(&input.symbol, value))
        });
        let inputs: Vec<String> = inputs.collect();
        if !inputs.is_empty() {
            line = line.words(", with ").codes(&inputs, "and");
        }
        let values = self.values(self.trace.steps.len(), self.trace.states.last());
        let others: Vec<String> = values
            .into_iter()
            .filter(|value| !facts.contains(value))
            .collect();
        if !others.is_empty() {
            line = line.words(" (").codes(&others, "and").words(")");
        }
        line.words(", which violates ").line(name).words(".")
    }

    /// What the narrative leaves out.
    fn left_out(&self) -> Option<Line> {
        let irrelevant = self.relevance.irrelevant(self.system);
        let skipped = self.relevance.steps.iter().filter(|it| !it.matters).count();
        let names = irrelevant.iter().take(MOST_NAMES).map(|index| {
            let variable = &self.system.variables[*index];
            let name = self.wording.term(&Term::symbol(variable.current.clone()));
            match self.wording.process(&variable.current) {
                Some(process) => format!("{process}'s location"),
                None => name,
            }
        });
        let names: Vec<String> = names.collect();
        let more = irrelevant.len() - names.len();
        let mut line = Line::new("Left out, as irrelevant: ");
        line = match (names.is_empty(), skipped) {
            (true, 0) => return None,
            (true, _) => line,
            (false, _) => line.codes(&names, "and"),
        };
        if more > 0 {
            line = line.words(format!(" and {}", count(more, "more variable")));
        }
        let steps = match skipped {
            0 => String::new(),
            several => count(several, "step"),
        };
        let link = match (names.is_empty(), skipped) {
            (_, 0) | (true, _) => "",
            _ => ", and ",
        };
        Some(line.words(format!("{link}{steps}.")))
    }
}
