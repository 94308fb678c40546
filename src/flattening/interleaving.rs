//! One command at a time: each is one named transition, everything that it does not write stays as it is.
//!
//! The declared ranges are premises of every transition and properties of the system, so that leaving a range is an error and never a
//! step that silently does not happen.

use super::blocks;
use super::interactions::Interactions;
use super::scheduler;
use super::synchronous;
use slabcert_certificates::program::{Command, DELTA, Move, Program, TIME};
use slabcert_certificates::system::{Conjunct, Property, System, Transition, Update};
use slabcert_certificates::term::Term;
use std::collections::BTreeSet;

/// The flat system of a program whose commands and interactions are taken one at a time.
pub fn interleave(program: &Program) -> System {
    let scheduler = program.scheduler.as_deref();
    let switches = program.switches();
    let plain = scheduler::expanded(program);
    let program = plain.as_ref().unwrap_or(program);
    let mut system = System {
        name: program.name.clone(),
        variables: program.variables.clone(),
        inputs: program.inputs.clone(),
        families: program.families.clone(),
        processes: program.processes.clone(),
        switches,
        init: program.init.clone(),
        ..System::default()
    };
    let ranged: BTreeSet<&usize> = program.ranges.iter().flat_map(|it| &it.variables).collect();
    let mut premises = program.bounds(ranged);
    premises.extend(synchronous::premises(program));
    let commands = program.commands.iter();
    let commands = commands.filter(|it| !program.is_inside_blocks(it));
    let interactions = Interactions::of(program);
    system.transitions = commands
        .map(|command| transition(program, command, &premises))
        .chain(blocks::transitions(program, &premises))
        .chain(interactions.transitions(&premises))
        .collect();
    synchronous::add_transitions(program, &premises, &mut system.transitions);
    for transition in &mut system.transitions {
        if let (Some(scheduler), [DELTA | TIME]) = (scheduler, [transition.name.as_str()]) {
            transition.participants = scheduler.processes();
        }
    }
    let properties = program.properties.iter().enumerate();
    system.properties = properties
        .map(|(index, property)| Property {
            index,
            name: property.name.clone(),
            formula: interactions.formula(&property.requirement),
            position: property.position,
        })
        .collect();
    let mut declarations = program.declarations.clone();
    for range in &program.ranges {
        declarations.ranges.push(system.properties.len());
        system.properties.push(Property {
            index: system.properties.len(),
            name: range.property_name(),
            formula: Term::and(program.bounds(&range.variables)),
            position: range.position,
        });
    }
    for block in &program.synchronous {
        for race in block.errors() {
            let flag = program.variables[race.flag].current.clone();
            system.properties.push(Property {
                index: system.properties.len(),
                name: race.property_name(),
                formula: Term::symbol(flag).not(),
                position: block.position,
            });
        }
    }
    system.declarations = Some(declarations);
    system
}

fn transition(program: &Program, command: &Command, premises: &[Term]) -> Transition {
    let mut guard = locations(program, &command.moves);
    let mut updates = Vec::new();
    for step in &command.moves {
        let Some(variable) = program.processes[step.process].location else {
            continue;
        };
        if step.from != Some(step.to) {
            updates.push(Update {
                variable,
                value: Term::int(step.to as u64),
                process: Some(step.process),
            });
        }
    }
    guard.extend(command.guard.iter().cloned());
    guard.extend(premises.iter().cloned().map(Conjunct::of_system));
    updates.extend(command.updates.iter().cloned());
    let written: BTreeSet<usize> = updates
        .iter()
        .map(|update| update.variable)
        .chain(command.modifies.iter().copied())
        .collect();
    Transition {
        name: command.name.clone(),
        guard,
        updates,
        relation: command.relation.clone(),
        frame: (0..program.variables.len())
            .filter(|variable| !written.contains(variable))
            .collect(),
        inputs: command.choices.clone(),
        participants: program.participants(command),
        origin: Some(command.origin.clone()),
        position: command.position,
        last_line: command.last_line,
    }
}

/// Where the processes that move have to be.
pub(super) fn locations(program: &Program, moves: &[Move]) -> Vec<Conjunct> {
    let conjuncts = moves.iter().filter_map(|step| {
        let location = program.processes[step.process].location?;
        let location = Term::symbol(program.variables[location].current.clone());
        Some(Conjunct {
            formula: location.equals(Term::int(step.from? as u64)),
            process: Some(step.process),
        })
    });
    conjuncts.collect()
}
