//! From a program to `program.json`. Equal programs give equal bytes.

use super::format::{
    CommandJson, ConjunctJson, FORMAT, FamilyJson, IndexJson, IndexRangeJson, MoveJson, OriginJson,
    ProcessJson, ProgramJson, PropertyJson, RangeJson, UpdateJson, VERSION, VariableJson,
};
use super::{Command, Program};
use crate::smtlib::{Position, print_term};
use crate::structure::{Family, IndexRange, Origin};
use crate::system::Conjunct;
use num_bigint::BigInt;

/// The file of a program whose flat system has that hash.
///
/// # Errors
/// When JSON cannot be written.
pub(crate) fn write(program: &Program, system_sha256: &str) -> Result<String, serde_json::Error> {
    let name = |index: &usize| program.variables[*index].name().to_owned();
    let input = |index: &usize| program.inputs[*index].symbol.name().to_owned();
    let processes = program.processes.iter().map(|process| ProcessJson {
        name: process.name.clone(),
        family: process.family,
        indices: process.indices.iter().map(BigInt::to_string).collect(),
        location: process.location.as_ref().map(name).unwrap_or_default(),
    });
    let json = ProgramJson {
        format: FORMAT.to_owned(),
        version: VERSION,
        system: system_sha256.to_owned(),
        name: program.name.clone(),
        families: program.families.iter().map(family_json).collect(),
        processes: processes.collect(),
        variables: program
            .variables
            .iter()
            .map(|variable| VariableJson {
                name: variable.name().to_owned(),
                range: variable
                    .range
                    .as_ref()
                    .map(|(low, high)| [low, high].map(BigInt::to_string)),
                origin: variable.origin.as_ref().map(origin_json),
            })
            .collect(),
        inputs: (0..program.inputs.len()).map(|it| input(&it)).collect(),
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
        properties: program
            .properties
            .iter()
            .map(|property| PropertyJson {
                name: property.name.clone(),
                formula: print_term(&property.formula),
                position: property.position.map(pair),
            })
            .collect(),
    };
    let mut text = serde_json::to_string_pretty(&json)?;
    text.push('\n');
    Ok(text)
}

fn pair(position: Position) -> (u32, u32) {
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
