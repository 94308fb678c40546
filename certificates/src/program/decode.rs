//! From `program.json` to a program: the form of everything is checked, and refused with its position. References resolve, nothing is
//! written twice, formulas mention what their context allows. Whether the system is what the program means is not checked here.

use super::format::{
    CommandJson, ConjunctJson, FORMAT, IndexRangeJson, MoveJson, OriginJson, ProcessJson,
    ProgramJson, PropertyJson, RequiresJson, VERSION, VariableJson,
};
use super::{Command, DeclaredRange, Move, PROGRAM_FILE, Program, ProgramProperty, Requirement};
use crate::reading::{MAXIMAL_FILE_BYTES, Malformed, read_term};
use crate::smtlib::{Position, Scope};
use crate::structure::{Family, Index, IndexRange, Origin, Process, shown_indices};
use crate::system::{Conjunct, StateVariable, SymbolRole, System, Update};
use crate::term::{MAXIMAL_DIGITS, Sort, Symbol, Term};
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

/// The program in a file, about a system with that hash and the scope of its symbols.
///
/// # Errors
/// When anything is not well-formed, or the program is about another system, with its position.
pub(crate) fn read(
    bytes: &[u8],
    system: &System,
    scope: &Scope,
    system_sha256: &str,
) -> Result<Program, Malformed> {
    let fault = |place: &str, message: &str| Err(Malformed::new(located(place), message));
    if bytes.len() as u64 > MAXIMAL_FILE_BYTES {
        return fault("", &format!("it has more than {MAXIMAL_FILE_BYTES} bytes"));
    }
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let json: ProgramJson = serde_path_to_error::deserialize(&mut deserializer)
        .map_err(|error| Malformed::new(located(&error.path().to_string()), error.to_string()))?;
    deserializer
        .end()
        .map_err(|error| Malformed::new(located(""), error.to_string()))?;
    if (json.format.as_str(), json.version) != (FORMAT, VERSION) {
        return fault("format", &format!("expected {FORMAT}, version {VERSION}"));
    }
    if !json.system.eq_ignore_ascii_case(system_sha256) {
        return fault("system", "the program was made for another system");
    }
    let reader = Reader {
        system,
        scope,
        roles: system.symbol_roles(),
        processes: json.processes.len(),
    };
    reader.program(json)
}

/// A position in the file.
pub(super) fn located(place: &str) -> String {
    match place {
        "" | "." => PROGRAM_FILE.to_owned(),
        place => format!("{PROGRAM_FILE}: {place}"),
    }
}

/// What a formula may mention besides state variables.
#[derive(Default)]
pub(super) struct Allowed {
    pub(super) inputs: FxHashSet<usize>,
    pub(super) next: FxHashSet<usize>,
}

/// Reads the parts of the file.
pub(super) struct Reader<'a> {
    system: &'a System,
    scope: &'a Scope,
    roles: FxHashMap<Symbol, SymbolRole>,
    pub(super) processes: usize,
}

impl Reader<'_> {
    fn program(&self, json: ProgramJson) -> Result<Program, Malformed> {
        let mut variables = self.system.variables.clone();
        let own = variables.iter().map(|variable| variable.name());
        same_names(
            own,
            json.variables.iter().map(|it| it.name.as_str()),
            "variables",
        )?;
        let own = self.system.inputs.iter().map(|input| input.symbol.name());
        same_names(own, json.inputs.iter().map(String::as_str), "inputs")?;
        let families = each(json.families, "families", |family, place| {
            Ok(Family {
                ranges: each(family.ranges, &format!("{place}.ranges"), index_range)?,
                name: family.name,
                ..Family::default()
            })
        })?;
        unique(
            families.iter().map(|family| family.name.as_str()),
            "families",
        )?;
        self.declare(&mut variables, json.variables)?;
        let mut program = Program {
            name: json.name,
            processes: each(json.processes, "processes", |process, place| {
                self.process(process, &families, place)
            })?,
            families,
            variables,
            inputs: self.system.inputs.clone(),
            init: each(json.init, "init", |text, place| {
                self.formula(&text, &Allowed::default(), place)
            })?,
            ranges: each(json.ranges, "ranges", |range, place| {
                Ok(DeclaredRange {
                    name: range.name,
                    variables: self.variables(&range.variables, place)?,
                    position: range.position.map(position),
                })
            })?,
            ..Program::default()
        };
        unique(
            program.processes.iter().map(|it| it.name.as_str()),
            "processes",
        )?;
        check_owners(&program)?;
        program.commands = each(json.commands, "commands", |command, place| {
            self.command(command, &program, place)
        })?;
        self.add_interactions((json.edges, json.interactions, json.blocking), &mut program)?;
        program.properties = each(json.properties, "properties", |property, place| {
            self.property(property, &program, place)
        })?;
        Ok(program)
    }

    fn property(
        &self,
        json: PropertyJson,
        program: &Program,
        place: &str,
    ) -> Result<ProgramProperty, Malformed> {
        let formula = json
            .formula
            .map(|text| self.formula(&text, &Allowed::default(), place))
            .transpose()?;
        let requirement = match (formula, json.requires) {
            (Some(formula), None) => Requirement::Always(formula),
            (Some(formula), Some(RequiresJson::Visible)) => Requirement::Visible(formula),
            (None, Some(RequiresJson::NoDeadlock)) => {
                let chooses = |command: &Command| {
                    let formulas = command.guard.iter().map(|conjunct| &conjunct.formula);
                    let mut symbols = formulas.flat_map(Term::symbols);
                    !command.relation.is_empty()
                        || symbols
                            .any(|it| matches!(self.roles.get(&it), Some(SymbolRole::Input(_))))
                };
                if program.commands.iter().any(chooses) {
                    let message = "no deadlock cannot be required where commands depend on choices";
                    return Err(Malformed::new(located(place), message));
                }
                Requirement::NoDeadlock
            }
            _ => {
                let message = "expected a formula, or that no deadlock is required";
                return Err(Malformed::new(located(place), message));
            }
        };
        Ok(ProgramProperty {
            name: json.name,
            requirement,
            position: json.position.map(position),
        })
    }

    /// Adds what the file says of the system's variables.
    fn declare(
        &self,
        variables: &mut [StateVariable],
        declared: Vec<VariableJson>,
    ) -> Result<(), Malformed> {
        for (index, (variable, json)) in variables.iter_mut().zip(declared).enumerate() {
            let place = format!("variables[{index}]");
            variable.range = match json.range {
                Some([low, high]) => Some((number(&low, &place)?, number(&high, &place)?)),
                None => None,
            };
            if variable.range.is_some() && variable.sort() != Sort::Int {
                return Err(Malformed::new(
                    located(&place),
                    "only whole numbers have a range",
                ));
            }
            let origin = json.origin.map(|origin| self.origin(origin, &place));
            variable.origin = origin.transpose()?;
        }
        Ok(())
    }

    fn process(
        &self,
        process: ProcessJson,
        families: &[Family],
        place: &str,
    ) -> Result<Process, Malformed> {
        let Some(family) = families.get(process.family) else {
            return Err(Malformed::new(located(place), "there is no such family"));
        };
        if family.ranges.len() != process.indices.len() {
            let message = "it has another number of indices than its family";
            return Err(Malformed::new(located(place), message));
        }
        let indices = each(process.indices, place, |text, place| number(&text, place))?;
        let name = format!("{}{}", family.name, shown_indices(&indices));
        if process.name != name {
            let message = format!("expected the name `{name}`");
            return Err(Malformed::new(located(place), message));
        }
        Ok(Process {
            location: process
                .location
                .map(|name| self.variable(&name, place))
                .transpose()?,
            family: process.family,
            indices,
            name,
        })
    }

    fn command(
        &self,
        json: CommandJson,
        program: &Program,
        place: &str,
    ) -> Result<Command, Malformed> {
        let fault = |message: &str| Malformed::new(located(place), message);
        let choices = self.choices(json.choices, place)?;
        let modifies = self.variables(&json.modifies, place)?;
        let inputs: FxHashSet<usize> = choices.iter().copied().collect();
        let after = Allowed {
            inputs: inputs.clone(),
            next: modifies.iter().copied().collect(),
        };
        let before = Allowed {
            inputs,
            ..Allowed::default()
        };
        let mut written: Vec<usize> = modifies.clone();
        let moves = each(json.moves, &format!("{place}.moves"), |step, place| {
            self.step(&step, program, place)
        })?;
        let locations = moves.iter().map(|step| &program.processes[step.process]);
        written.extend(locations.filter_map(|process| process.location));
        let conjuncts = |list: Vec<ConjunctJson>, allowed: &Allowed, name: &str| {
            each(list, &format!("{place}.{name}"), |conjunct, place| {
                Ok(Conjunct {
                    formula: self.formula(&conjunct.formula, allowed, place)?,
                    process: self.known_process(conjunct.process, place)?,
                })
            })
        };
        let guard = conjuncts(json.guard, &before, "guard")?;
        let relation = conjuncts(json.relation, &after, "relation")?;
        let updates = each(
            json.updates,
            &format!("{place}.updates"),
            |update, place| {
                let variable = self.variable(&update.variable, place)?;
                let sort = program.variables[variable].sort();
                Ok(Update {
                    variable,
                    value: self.term(&update.value, sort, &before, place)?,
                    process: self.known_process(update.process, place)?,
                })
            },
        )?;
        written.extend(updates.iter().map(|update| update.variable));
        let mut known = FxHashSet::default();
        if let Some(twice) = written.iter().find(|variable| !known.insert(**variable)) {
            let name = program.variables[*twice].name();
            return Err(fault(&format!("`{name}` is written twice")));
        }
        let origin = self.origin(json.origin, place)?;
        is_called(&json.name, &origin, program, place)?;
        Ok(Command {
            name: json.name,
            origin,
            moves,
            guard,
            updates,
            relation,
            modifies,
            choices,
            position: json.position.map(position),
            last_line: json.last_line,
        })
    }

    /// A move, by way of locations that the process has.
    fn step(&self, step: &MoveJson, program: &Program, place: &str) -> Result<Move, Malformed> {
        let process = self.known_process(Some(step.process), place)?;
        let location = process.and_then(|process| program.processes.get(process)?.location);
        let count = program.count_locations(location);
        if step.to >= count || step.from.is_some_and(|from| from >= count) {
            let message = "there is no such location";
            return Err(Malformed::new(located(place), message));
        }
        Ok(Move {
            process: step.process,
            from: step.from,
            to: step.to,
        })
    }

    /// What is chosen, each once.
    pub(super) fn choices(&self, names: Vec<String>, place: &str) -> Result<Vec<usize>, Malformed> {
        let fault = |message: &str| Malformed::new(located(place), message);
        let choices = names.iter().map(|name| match self.scope_role(name) {
            Some(SymbolRole::Input(index)) => Ok(index),
            _ => Err(fault(&format!("`{name}` is not an input"))),
        });
        let choices = choices.collect::<Result<Vec<usize>, Malformed>>()?;
        let mut known = FxHashSet::default();
        match choices.iter().all(|input| known.insert(*input)) {
            true => Ok(choices),
            false => Err(fault("something is chosen twice")),
        }
    }

    fn origin(&self, origin: OriginJson, place: &str) -> Result<Origin, Malformed> {
        Ok(Origin {
            process: self.known_process(origin.process, place)?,
            declaration: origin.declaration,
            indices: each(origin.indices, place, |index, place| {
                Ok(Index {
                    value: number(&index.value, place)?,
                    range: index_range(index.range, place)?,
                })
            })?,
        })
    }

    pub(super) fn known_process(
        &self,
        process: Option<usize>,
        place: &str,
    ) -> Result<Option<usize>, Malformed> {
        match process {
            Some(index) if index >= self.processes => {
                Err(Malformed::new(located(place), "there is no such process"))
            }
            process => Ok(process),
        }
    }

    fn variables(&self, names: &[String], place: &str) -> Result<Vec<usize>, Malformed> {
        let names = names.iter();
        names.map(|name| self.variable(name, place)).collect()
    }

    pub(super) fn variable(&self, name: &str, place: &str) -> Result<usize, Malformed> {
        match self.scope_role(name) {
            Some(SymbolRole::Current(index)) => Ok(index),
            _ => {
                let message = format!("`{name}` is not a variable of the system");
                Err(Malformed::new(located(place), message))
            }
        }
    }

    /// What the symbol of that name is in the system.
    fn scope_role(&self, name: &str) -> Option<SymbolRole> {
        let sorts = [Sort::Int, Sort::Bool, Sort::Real].into_iter();
        let mut symbols = sorts.map(|sort| Symbol::new(name, sort));
        symbols.find_map(|symbol| self.roles.get(&symbol).copied())
    }

    pub(super) fn formula(
        &self,
        text: &str,
        allowed: &Allowed,
        place: &str,
    ) -> Result<Term, Malformed> {
        self.term(text, Sort::Bool, allowed, place)
    }

    pub(super) fn term(
        &self,
        text: &str,
        sort: Sort,
        allowed: &Allowed,
        place: &str,
    ) -> Result<Term, Malformed> {
        let place = located(place);
        let term = read_term(text, &place, self.scope)?;
        if term.sort() != sort {
            let message = format!(
                "expected sort {sort}, but this term has sort {}",
                term.sort()
            );
            return Err(Malformed::new(place, message));
        }
        for symbol in term.symbols() {
            let is_allowed = match self.roles.get(&symbol) {
                Some(SymbolRole::Current(_)) => true,
                Some(SymbolRole::Input(index)) => allowed.inputs.contains(index),
                Some(SymbolRole::Next(index)) => allowed.next.contains(index),
                None => false,
            };
            if !is_allowed {
                let message = format!("`{}` may not be mentioned here", symbol.name());
                return Err(Malformed::new(place, message));
            }
        }
        Ok(term)
    }
}

/// Variables are called as their origins say, and each process has its location.
fn check_owners(program: &Program) -> Result<(), Malformed> {
    for (index, variable) in program.variables.iter().enumerate() {
        if let Some(origin) = &variable.origin {
            let name = variable.name();
            is_called(name, origin, program, &format!("variables[{index}]"))?;
        }
    }
    for (index, process) in program.processes.iter().enumerate() {
        let Some(location) = process.location.map(|it| &program.variables[it]) else {
            continue;
        };
        let origin = location.origin.as_ref();
        if origin.and_then(|origin| origin.process) != Some(index) {
            let message = "its location is not a variable of its own";
            let place = located(&format!("processes[{index}]"));
            return Err(Malformed::new(place, message));
        }
    }
    Ok(())
}

/// What has an origin is called as the origin says, so that words that are made of it are those of the name.
fn is_called(name: &str, origin: &Origin, program: &Program, place: &str) -> Result<(), Malformed> {
    if name == origin.name(&program.processes) {
        return Ok(());
    }
    let message = format!("`{name}` is not what its origin is called");
    Err(Malformed::new(located(place), message))
}

/// Maps each element of a list that is at a position.
pub(super) fn each<T, R>(
    list: Vec<T>,
    place: &str,
    mut make: impl FnMut(T, &str) -> Result<R, Malformed>,
) -> Result<Vec<R>, Malformed> {
    let elements = list.into_iter().enumerate();
    elements
        .map(|(index, element)| make(element, &format!("{place}[{index}]")))
        .collect()
}

fn index_range(range: IndexRangeJson, place: &str) -> Result<IndexRange, Malformed> {
    Ok(IndexRange {
        low: number(&range.low, place)?,
        high: number(&range.high, place)?,
        size: range.size,
    })
}

fn number(text: &str, place: &str) -> Result<BigInt, Malformed> {
    let number = (text.len() <= MAXIMAL_DIGITS).then(|| text.parse().ok());
    number.flatten().ok_or_else(|| {
        let message = format!("expected a whole number of at most {MAXIMAL_DIGITS} digits");
        Malformed::new(located(place), message)
    })
}

fn same_names<'n>(
    own: impl Iterator<Item = &'n str>,
    named: impl Iterator<Item = &'n str>,
    place: &str,
) -> Result<(), Malformed> {
    if own.eq(named) {
        return Ok(());
    }
    let message = "they are not those of the system, in its order";
    Err(Malformed::new(located(place), message))
}

pub(super) fn unique<'n>(
    mut names: impl Iterator<Item = &'n str>,
    place: &str,
) -> Result<(), Malformed> {
    let mut known = FxHashSet::default();
    match names.find(|name| !known.insert(*name)) {
        Some(twice) => {
            let message = format!("`{twice}` occurs twice");
            Err(Malformed::new(located(place), message))
        }
        None => Ok(()),
    }
}

pub(super) fn position((line, column): (u32, u32)) -> Position {
    Position { line, column }
}
