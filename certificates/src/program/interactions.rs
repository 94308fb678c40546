//! Reading edges, interactions and blocking rules: who takes part is there, nobody writes what is not its own, and steps have names of
//! their own.

use super::decode::{Allowed, Reader, each, located, position, unique};
use super::format::{AssignmentJson, BlockingRuleJson, EdgeJson, InteractionJson};
use super::{BlockingRule, DELTA, Edge, Interaction, Program, TIME};
use crate::reading::Malformed;
use crate::term::Term;
use rustc_hash::FxHashSet;

impl Reader<'_> {
    /// Adds what processes offer to interactions, and these.
    pub(super) fn add_interactions(
        &self,
        (edges, interactions, blocking): (
            Vec<EdgeJson>,
            Vec<InteractionJson>,
            Vec<BlockingRuleJson>,
        ),
        program: &mut Program,
    ) -> Result<(), Malformed> {
        let read = each(edges, "edges", |edge, pointer| {
            self.edge(edge, program, pointer)
        })?;
        program.edges = read;
        let faults = program.check_blocks();
        faults.map_err(|fault| Malformed::new(located("cuts"), fault.to_string()))?;
        let read = each(interactions, "interactions", |interaction, pointer| {
            self.interaction(interaction, program, pointer)
        })?;
        program.interactions = read;
        program.blocking = each(blocking, "blocking", |rule, pointer| {
            let fault = |message| Err(Malformed::new(located(pointer), message));
            let count = program.interactions.len();
            if rule.blocked >= count || rule.by >= count {
                return fault("there is no such interaction");
            }
            if rule.blocked == rule.by {
                return fault("an interaction does not block itself");
            }
            Ok(BlockingRule {
                blocked: rule.blocked,
                by: rule.by,
                condition: self.formula(&rule.condition, &Allowed::default(), pointer)?,
            })
        })?;
        unique(
            program.interactions.iter().map(|it| it.name.as_str()),
            "interactions",
        )?;
        if let Err(error) = program.bound_steps() {
            return Err(Malformed::new(located("interactions"), error.to_string()));
        }
        let edges = program.edges.iter().map(|edge| program.edge_name(edge));
        let edges: Vec<String> = edges.collect();
        unique(edges.iter().map(String::as_str), "edges")?;
        let steps = program.steps();
        let blocks = program.blocks().into_iter();
        let blocks = blocks.map(|block| program.block_origin(block).name(&program.processes));
        let blocks: Vec<String> = blocks.collect();
        let commands = program.commands.iter().map(|it| it.name.as_str());
        let commands = commands.chain(blocks.iter().map(String::as_str));
        let scheduled = program.scheduler.iter().flat_map(|_| [DELTA, TIME]);
        let names = commands.chain(edges.iter().map(String::as_str));
        let names = names.chain(scheduled);
        let locked = program.synchronous.iter().map(|it| it.step_name());
        let locked: Vec<String> = locked.collect();
        let names = names.chain(locked.iter().map(String::as_str));
        unique(
            names.chain(steps.iter().map(|it| it.name.as_str())),
            "commands, blocks, edges, and steps of interactions, of the scheduler and of synchronous blocks",
        )
    }

    fn edge(&self, json: EdgeJson, program: &Program, pointer: &str) -> Result<Edge, Malformed> {
        let fault = |message| Malformed::new(located(pointer), message);
        let Some(process) = program.processes.get(json.process) else {
            return Err(fault("there is no such process"));
        };
        if let Some((from, to)) = json.step {
            let count = program.count_locations(process.location);
            if from.max(to) >= count {
                return Err(fault("there is no such location"));
            }
        }
        let choices = self.choices(json.choices, pointer)?;
        let own = FxHashSet::from_iter([json.process]);
        let updates = self.assignments(json.updates, &own, &choices, program, pointer)?;
        Ok(Edge {
            guard: self.guard(json.guard, pointer)?,
            name: json.name,
            process: json.process,
            label: json.label,
            step: json.step,
            updates,
            choices,
            position: json.position.map(position),
        })
    }

    fn interaction(
        &self,
        json: InteractionJson,
        program: &Program,
        pointer: &str,
    ) -> Result<Interaction, Malformed> {
        let mut processes = FxHashSet::default();
        for participant in &json.participants {
            if participant.process >= self.processes || !processes.insert(participant.process) {
                let message = "a participant is no process, or takes part twice";
                return Err(Malformed::new(located(pointer), message));
            }
        }
        let choices = self.choices(json.choices, pointer)?;
        let transfer = self.assignments(json.transfer, &processes, &choices, program, pointer)?;
        let participants = json.participants.into_iter();
        Ok(Interaction {
            participants: participants.map(|it| (it.process, it.label)).collect(),
            guard: self.guard(json.guard, pointer)?,
            name: json.name,
            transfer,
            is_offered: json.is_offered,
            choices,
            position: json.position.map(position),
        })
    }

    /// Conditions on the state alone: whether something is enabled depends on no choice.
    fn guard(&self, conjuncts: Vec<String>, pointer: &str) -> Result<Vec<Term>, Malformed> {
        each(conjuncts, &format!("{pointer}.guard"), |text, pointer| {
            self.formula(&text, &Allowed::default(), pointer)
        })
    }

    /// New values of variables that belong to some processes and are no locations, each at most once.
    fn assignments(
        &self,
        list: Vec<AssignmentJson>,
        owners: &FxHashSet<usize>,
        choices: &[usize],
        program: &Program,
        pointer: &str,
    ) -> Result<Vec<(usize, Term)>, Malformed> {
        let allowed = Allowed {
            inputs: choices.iter().copied().collect(),
            ..Allowed::default()
        };
        let mut written = FxHashSet::default();
        each(list, pointer, |assignment, pointer| {
            let fault = |message: &str| {
                let message = format!("`{}` {message}", assignment.variable);
                Err(Malformed::new(located(pointer), message))
            };
            let variable = self.variable(&assignment.variable, pointer)?;
            let declared = &program.variables[variable];
            let owner = declared.origin.as_ref().and_then(|origin| origin.process);
            let Some(owner) = owner.filter(|owner| owners.contains(owner)) else {
                return fault("belongs to nobody who takes part");
            };
            if program.processes[owner].location == Some(variable) {
                return fault("is a location");
            }
            if !written.insert(variable) {
                return fault("is written twice");
            }
            let value = self.term(&assignment.value, declared.sort(), &allowed, pointer)?;
            Ok((variable, value))
        })
    }
}
