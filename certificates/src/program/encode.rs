//! From a program to `program.json`. Equal programs give equal bytes.

use super::format::{
    AssignmentJson, BlockingRuleJson, CommandJson, ConjunctJson, CutPointsJson, DeclaredInputJson,
    EdgeJson, FORMAT, FamilyJson, IndexJson, IndexRangeJson, InputJson, InteractionJson, MoveJson,
    OriginJson, ParticipantJson, ProcessJson, ProgramJson, PropertyJson, RangeJson, RequiresJson,
    UpdateJson, VERSION, VariableJson,
};
use super::{
    Command, Edge, Interaction, Program, ProgramProperty, Requirement, scheduler, synchronous,
};
use crate::smtlib::{Position, print_term};
use crate::structure::{Family, IndexRange, Origin};
use crate::system::{Conjunct, StateVariable};
use crate::term::Term;
use num_bigint::BigInt;

/// The file of a program whose flat system has that hash.
///
/// # Errors
/// When JSON cannot be written.
pub(crate) fn write(program: &Program, system_sha256: &str) -> Result<String, serde_json::Error> {
    let name = |index: &usize| program.variables[*index].name().to_owned();
    let inputs = program.inputs.iter().map(|input| {
        InputJson::Declared(DeclaredInputJson {
            name: input.symbol.name().to_owned(),
            sort: input.symbol.sort().to_string(),
        })
    });
    let processes = program.processes.iter().map(|process| ProcessJson {
        name: process.name.clone(),
        family: process.family,
        indices: process.indices.iter().map(BigInt::to_string).collect(),
        location: process.location.as_ref().map(name),
    });
    let json = ProgramJson {
        format: FORMAT.to_owned(),
        version: VERSION,
        system: system_sha256.to_owned(),
        name: program.name.clone(),
        families: program.families.iter().map(family_json).collect(),
        processes: processes.collect(),
        variables: program.variables.iter().map(variable_json).collect(),
        inputs: inputs.collect(),
        init: program.init.iter().map(print_term).collect(),
        ranges: program
            .ranges
            .iter()
            .map(|range| RangeJson {
                name: range.name.clone(),
                variables: range.variables.iter().map(name).collect(),
                position: range.position.map(pair),
            })
            .collect(),
        commands: program
            .commands
            .iter()
            .map(|command| command_json(command, program))
            .collect(),
        cuts: cuts_json(program),
        scheduler: program
            .scheduler
            .as_ref()
            .map(|it| scheduler::json(it, program)),
        synchronous: program
            .synchronous
            .iter()
            .map(|it| synchronous::json(it, program))
            .collect(),
        edges: program
            .edges
            .iter()
            .map(|it| edge_json(it, program))
            .collect(),
        interactions: program
            .interactions
            .iter()
            .map(|interaction| interaction_json(interaction, program))
            .collect(),
        blocking: program
            .blocking
            .iter()
            .map(|rule| BlockingRuleJson {
                blocked: rule.blocked,
                by: rule.by,
                condition: print_term(&rule.condition),
            })
            .collect(),
        properties: program.properties.iter().map(property_json).collect(),
    };
    let mut text = serde_json::to_string_pretty(&json)?;
    text.push('\n');
    Ok(text)
}

fn variable_json(variable: &StateVariable) -> VariableJson {
    let range = variable.range.as_ref();
    VariableJson {
        name: variable.name().to_owned(),
        sort: Some(variable.sort().to_string()),
        next: Some(variable.next.name().to_owned()),
        range: range.map(|(low, high)| [low, high].map(BigInt::to_string)),
        origin: variable.origin.as_ref().map(origin_json),
    }
}

fn cuts_json(program: &Program) -> Vec<CutPointsJson> {
    let cuts = program.cuts.iter();
    let cuts = cuts.map(|(process, locations)| CutPointsJson {
        process: *process,
        locations: locations.clone(),
    });
    cuts.collect()
}

pub(super) fn pair(position: Position) -> (u32, u32) {
    (position.line, position.column)
}

fn family_json(family: &Family) -> FamilyJson {
    FamilyJson {
        name: family.name.clone(),
        ranges: family.ranges.iter().map(index_range_json).collect(),
    }
}

fn index_range_json(range: &IndexRange) -> IndexRangeJson {
    IndexRangeJson {
        low: range.low.to_string(),
        high: range.high.to_string(),
        size: range.size.clone(),
    }
}

fn origin_json(origin: &Origin) -> OriginJson {
    let indices = origin.indices.iter().map(|index| IndexJson {
        value: index.value.to_string(),
        range: index_range_json(&index.range),
    });
    OriginJson {
        process: origin.process,
        declaration: origin.declaration.clone(),
        indices: indices.collect(),
    }
}

fn command_json(command: &Command, program: &Program) -> CommandJson {
    let name = |index: &usize| program.variables[*index].name().to_owned();
    let input = |index: &usize| program.inputs[*index].symbol.name().to_owned();
    let conjuncts = |conjuncts: &[Conjunct]| {
        let conjuncts = conjuncts.iter().map(|conjunct| ConjunctJson {
            formula: print_term(&conjunct.formula),
            process: conjunct.process,
        });
        conjuncts.collect()
    };
    CommandJson {
        name: command.name.clone(),
        origin: origin_json(&command.origin),
        moves: command
            .moves
            .iter()
            .map(|step| MoveJson {
                process: step.process,
                from: step.from,
                to: step.to,
            })
            .collect(),
        guard: conjuncts(&command.guard),
        updates: command
            .updates
            .iter()
            .map(|update| UpdateJson {
                variable: name(&update.variable),
                value: print_term(&update.value),
                process: update.process,
            })
            .collect(),
        relation: conjuncts(&command.relation),
        modifies: command.modifies.iter().map(name).collect(),
        choices: command.choices.iter().map(input).collect(),
        position: command.position.map(pair),
        last_line: command.last_line,
    }
}

fn names(indices: &[usize], program: &Program) -> Vec<String> {
    let indices = indices.iter();
    indices
        .map(|index| program.inputs[*index].symbol.name().to_owned())
        .collect()
}

fn assignments(list: &[(usize, Term)], program: &Program) -> Vec<AssignmentJson> {
    let list = list.iter().map(|(variable, value)| AssignmentJson {
        variable: program.variables[*variable].name().to_owned(),
        value: print_term(value),
    });
    list.collect()
}

pub(super) fn edge_json(edge: &Edge, program: &Program) -> EdgeJson {
    EdgeJson {
        name: edge.name.clone(),
        process: edge.process,
        label: edge.label.clone(),
        step: edge.step,
        guard: edge.guard.iter().map(print_term).collect(),
        updates: assignments(&edge.updates, program),
        choices: names(&edge.choices, program),
        position: edge.position.map(pair),
    }
}

fn interaction_json(interaction: &Interaction, program: &Program) -> InteractionJson {
    let participants = interaction.participants.iter();
    InteractionJson {
        name: interaction.name.clone(),
        participants: participants
            .map(|(process, label)| ParticipantJson {
                process: *process,
                label: label.clone(),
            })
            .collect(),
        guard: interaction.guard.iter().map(print_term).collect(),
        transfer: assignments(&interaction.transfer, program),
        is_offered: interaction.is_offered,
        choices: names(&interaction.choices, program),
        position: interaction.position.map(pair),
    }
}

fn property_json(property: &ProgramProperty) -> PropertyJson {
    let (formula, requires) = match &property.requirement {
        Requirement::Always(formula) => (Some(formula), None),
        Requirement::Visible(formula) => (Some(formula), Some(RequiresJson::Visible)),
        Requirement::NoDeadlock => (None, Some(RequiresJson::NoDeadlock)),
    };
    PropertyJson {
        name: property.name.clone(),
        formula: formula.map(print_term),
        requires,
        position: property.position.map(pair),
    }
}
