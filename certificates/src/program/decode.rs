//! From `program.json` to a program: the form of everything is checked, and refused with its position. References resolve, nothing is
//! written twice, formulas mention what their context allows. Whether the system is what the program means is not checked here.

use super::format::{
    CommandJson, ConjunctJson, FORMAT, IndexRangeJson, InputJson, MoveJson, OriginJson,
    ProcessJson, ProgramJson, PropertyJson, RequiresJson, VERSION, VariableJson,
};
use super::{Command, DeclaredRange, Move, PROGRAM_FILE, Program, ProgramProperty, Requirement};
use crate::reading::{MAXIMAL_FILE_BYTES, Malformed, read_term};
use crate::smtlib::{Position, Scope};
use crate::structure::{Family, Index, IndexRange, Origin, Process, shown_indices};
use crate::system::{Conjunct, StateVariable, SymbolRole, System, Update};
use crate::term::{MAXIMAL_DIGITS, Sort, Symbol, Term};
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

/// The program in a file, about a system and the scope of its symbols, and made for the one with that hash if there is one. Otherwise
/// the program has to say of itself what its names stand for: a system that declares them otherwise is none of it.
///
/// # Errors
/// When anything is not well-formed, or the program is about another system, with its position.
pub(crate) fn read(
    bytes: &[u8],
    system: &System,
    scope: &Scope,
    system_sha256: Option<&str>,
) -> Result<Program, Malformed> {
    let fault = |pointer: &str, message: &str| Err(Malformed::new(located(pointer), message));
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
    if system_sha256.is_some_and(|it| !json.system.eq_ignore_ascii_case(it)) {
        return fault("system", "the program was made for another system");
    }
    let reader = Reader {
        system,
        scope,
        roles: system.symbol_roles(),
        processes: json.processes.len(),
        is_of_system: system_sha256.is_some(),
    };
    reader.program(json)
}

/// A position in the file.
pub(super) fn located(pointer: &str) -> String {
    match pointer {
        "" | "." => PROGRAM_FILE.to_owned(),
        pointer => format!("{PROGRAM_FILE}: {pointer}"),
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
    /// Whether the program was made for the system, so that the sorts are the system's where it states none.
    is_of_system: bool,
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
        self.same_inputs(&json.inputs)?;
        let families = each(json.families, "families", |family, pointer| {
            Ok(Family {
                ranges: each(family.ranges, &format!("{pointer}.ranges"), index_range)?,
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
            processes: each(json.processes, "processes", |process, pointer| {
                self.process(process, &families, pointer)
            })?,
            families,
            variables,
            inputs: self.system.inputs.clone(),
            init: each(json.init, "init", |text, pointer| {
                self.formula(&text, &Allowed::default(), pointer)
            })?,
            ranges: each(json.ranges, "ranges", |range, pointer| {
                Ok(DeclaredRange {
                    name: range.name,
                    variables: {
                        let names = range.variables.iter().map(String::as_str);
                        unique(names, &format!("{pointer}.variables"))?;
                        self.variables(&range.variables, pointer)?
                    },
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
        program.commands = each(json.commands, "commands", |command, pointer| {
            self.command(command, &program, pointer)
        })?;
        for (index, cuts) in json.cuts.into_iter().enumerate() {
            let pointer = located(&format!("cuts[{index}]"));
            let is_known = cuts.process < program.processes.len();
            if !is_known || program.cuts.insert(cuts.process, cuts.locations).is_some() {
                let message = "there is no such process, or it has cut points already";
                return Err(Malformed::new(pointer, message));
            }
        }
        if let Some(scheduler) = json.scheduler {
            let read = self.scheduler(scheduler, &program)?;
            program.scheduler = Some(Box::new(read));
        }
        program.synchronous = each(json.synchronous, "synchronous", |block, pointer| {
            self.synchronous(block, &program, pointer)
        })?;
        self.add_interactions((json.edges, json.interactions, json.blocking), &mut program)?;
        program.properties = each(json.properties, "properties", |property, pointer| {
            self.property(property, &program, pointer)
        })?;
        let faults = program.check_scheduler();
        faults.map_err(|fault| Malformed::new(located("scheduler"), fault.to_string()))?;
        let faults = program.check_synchronous();
        faults.map_err(|fault| Malformed::new(located("synchronous"), fault.to_string()))?;
        Ok(program)
    }

    fn property(
        &self,
        json: PropertyJson,
        program: &Program,
        pointer: &str,
    ) -> Result<ProgramProperty, Malformed> {
        let formula = json
            .formula
            .map(|text| self.formula(&text, &Allowed::default(), pointer))
            .transpose()?;
        if let Some(formula) = &formula {
            let seen = program.check_seen(formula);
            seen.map_err(|fault| Malformed::new(located(pointer), fault.to_string()))?;
        }
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
                if program.commands.iter().any(chooses) || !program.cuts.is_empty() {
                    let message = "no deadlock cannot be required where commands depend on choices or are parts of blocks";
                    return Err(Malformed::new(located(pointer), message));
                }
                Requirement::NoDeadlock
            }
            _ => {
                let message = "expected a formula, or that no deadlock is required";
                return Err(Malformed::new(located(pointer), message));
            }
        };
        Ok(ProgramProperty {
            name: json.name,
            requirement,
            position: json.position.map(position),
        })
    }

    /// The inputs are the system's, in its order.
    fn same_inputs(&self, declared: &[InputJson]) -> Result<(), Malformed> {
        let inputs = &self.system.inputs;
        let own = inputs.iter().map(|input| input.symbol.name());
        let names = declared.iter().map(|input| match input {
            InputJson::Declared(input) => input.name.as_str(),
            InputJson::Name(name) => name,
        });
        same_names(own, names, "inputs")?;
        for (index, (input, json)) in inputs.iter().zip(declared).enumerate() {
            let sort = match json {
                InputJson::Declared(input) => Some(input.sort.as_str()),
                InputJson::Name(_) => None,
            };
            let own = input.symbol.sort().to_string();
            self.agrees(sort, &own, &format!("inputs[{index}].sort"))?;
        }
        Ok(())
    }

    /// What the file says of a symbol is what the system says. A file that was made for the system may leave it to that.
    fn agrees(&self, stated: Option<&str>, own: &str, pointer: &str) -> Result<(), Malformed> {
        let message = match stated {
            Some(stated) if stated == own => return Ok(()),
            Some(stated) => format!("`{stated}` is not what the system has, `{own}`"),
            None if self.is_of_system => return Ok(()),
            None => "a program that is to replace another one has to state this".to_owned(),
        };
        Err(Malformed::new(located(pointer), message))
    }

    /// Adds what the file says of the system's variables.
    fn declare(
        &self,
        variables: &mut [StateVariable],
        declared: Vec<VariableJson>,
    ) -> Result<(), Malformed> {
        for (index, (variable, json)) in variables.iter_mut().zip(declared).enumerate() {
            let pointer = format!("variables[{index}]");
            let sort = variable.sort().to_string();
            self.agrees(json.sort.as_deref(), &sort, &format!("{pointer}.sort"))?;
            let next = format!("{pointer}.next");
            self.agrees(json.next.as_deref(), variable.next.name(), &next)?;
            variable.range = match json.range {
                Some([low, high]) => Some((number(&low, &pointer)?, number(&high, &pointer)?)),
                None => None,
            };
            if variable.range.is_some() && variable.sort() != Sort::Int {
                return Err(Malformed::new(
                    located(&pointer),
                    "only whole numbers have a range",
                ));
            }
            let origin = json.origin.map(|origin| self.origin(origin, &pointer));
            variable.origin = origin.transpose()?;
        }
        Ok(())
    }

    fn process(
        &self,
        process: ProcessJson,
        families: &[Family],
        pointer: &str,
    ) -> Result<Process, Malformed> {
        let Some(family) = families.get(process.family) else {
            return Err(Malformed::new(located(pointer), "there is no such family"));
        };
        if family.ranges.len() != process.indices.len() {
            let message = "it has another number of indices than its family";
            return Err(Malformed::new(located(pointer), message));
        }
        let indices = each(process.indices, pointer, |text, pointer| {
            number(&text, pointer)
        })?;
        let name = format!("{}{}", family.name, shown_indices(&indices));
        if process.name != name {
            let message = format!("expected the name `{name}`");
            return Err(Malformed::new(located(pointer), message));
        }
        Ok(Process {
            location: process
                .location
                .map(|name| self.variable(&name, pointer))
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
        pointer: &str,
    ) -> Result<Command, Malformed> {
        let fault = |message: &str| Malformed::new(located(pointer), message);
        let choices = self.choices(json.choices, pointer)?;
        let modifies = self.variables(&json.modifies, pointer)?;
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
        let moves = each(json.moves, &format!("{pointer}.moves"), |step, pointer| {
            self.step(&step, program, pointer)
        })?;
        let locations = moves.iter().map(|step| &program.processes[step.process]);
        written.extend(locations.filter_map(|process| process.location));
        let conjuncts = |list: Vec<ConjunctJson>, allowed: &Allowed, name: &str| {
            each(list, &format!("{pointer}.{name}"), |conjunct, pointer| {
                Ok(Conjunct {
                    formula: self.formula(&conjunct.formula, allowed, pointer)?,
                    process: self.known_process(conjunct.process, pointer)?,
                })
            })
        };
        let guard = conjuncts(json.guard, &before, "guard")?;
        let relation = conjuncts(json.relation, &after, "relation")?;
        let updates = each(
            json.updates,
            &format!("{pointer}.updates"),
            |update, pointer| {
                let variable = self.variable(&update.variable, pointer)?;
                let sort = program.variables[variable].sort();
                Ok(Update {
                    variable,
                    value: self.term(&update.value, sort, &before, pointer)?,
                    process: self.known_process(update.process, pointer)?,
                })
            },
        )?;
        written.extend(updates.iter().map(|update| update.variable));
        let mut known = FxHashSet::default();
        if let Some(twice) = written.iter().find(|variable| !known.insert(**variable)) {
            let name = program.variables[*twice].name();
            return Err(fault(&format!("`{name}` is written twice")));
        }
        let origin = self.origin(json.origin, pointer)?;
        is_called(&json.name, &origin, program, pointer)?;
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
    fn step(&self, step: &MoveJson, program: &Program, pointer: &str) -> Result<Move, Malformed> {
        let process = self.known_process(Some(step.process), pointer)?;
        let location = process.and_then(|process| program.processes.get(process)?.location);
        let count = program.count_locations(location);
        if step.to >= count || step.from.is_some_and(|from| from >= count) {
            let message = "there is no such location";
            return Err(Malformed::new(located(pointer), message));
        }
        Ok(Move {
            process: step.process,
            from: step.from,
            to: step.to,
        })
    }

    /// What is chosen, each once.
    pub(super) fn choices(
        &self,
        names: Vec<String>,
        pointer: &str,
    ) -> Result<Vec<usize>, Malformed> {
        let fault = |message: &str| Malformed::new(located(pointer), message);
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

    fn origin(&self, origin: OriginJson, pointer: &str) -> Result<Origin, Malformed> {
        Ok(Origin {
            process: self.known_process(origin.process, pointer)?,
            declaration: origin.declaration,
            indices: each(origin.indices, pointer, |index, pointer| {
                Ok(Index {
                    value: number(&index.value, pointer)?,
                    range: index_range(index.range, pointer)?,
                })
            })?,
        })
    }

    pub(super) fn known_process(
        &self,
        process: Option<usize>,
        pointer: &str,
    ) -> Result<Option<usize>, Malformed> {
        match process {
            Some(index) if index >= self.processes => {
                Err(Malformed::new(located(pointer), "there is no such process"))
            }
            process => Ok(process),
        }
    }

    fn variables(&self, names: &[String], pointer: &str) -> Result<Vec<usize>, Malformed> {
        let names = names.iter();
        names.map(|name| self.variable(name, pointer)).collect()
    }

    pub(super) fn variable(&self, name: &str, pointer: &str) -> Result<usize, Malformed> {
        match self.scope_role(name) {
            Some(SymbolRole::Current(index)) => Ok(index),
            _ => {
                let message = format!("`{name}` is not a variable of the system");
                Err(Malformed::new(located(pointer), message))
            }
        }
    }

    /// What the symbol of that name is in the system.
    pub(super) fn scope_role(&self, name: &str) -> Option<SymbolRole> {
        let sorts = [Sort::Int, Sort::Bool, Sort::Real].into_iter();
        let mut symbols = sorts.map(|sort| Symbol::new(name, sort));
        symbols.find_map(|symbol| self.roles.get(&symbol).copied())
    }

    pub(super) fn formula(
        &self,
        text: &str,
        allowed: &Allowed,
        pointer: &str,
    ) -> Result<Term, Malformed> {
        self.term(text, Sort::Bool, allowed, pointer)
    }

    pub(super) fn term(
        &self,
        text: &str,
        sort: Sort,
        allowed: &Allowed,
        pointer: &str,
    ) -> Result<Term, Malformed> {
        let pointer = located(pointer);
        let term = read_term(text, &pointer, self.scope)?;
        if term.sort() != sort {
            let message = format!(
                "expected sort {sort}, but this term has sort {}",
                term.sort()
            );
            return Err(Malformed::new(pointer, message));
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
                return Err(Malformed::new(pointer, message));
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
        let owner = origin.and_then(|origin| origin.process);
        if (owner, location.sort()) != (Some(index), Sort::Int) {
            let message = "its location is not a whole number of its own";
            let pointer = located(&format!("processes[{index}]"));
            return Err(Malformed::new(pointer, message));
        }
    }
    Ok(())
}

/// What has an origin is called as the origin says, so that words that are made of it are those of the name.
fn is_called(
    name: &str,
    origin: &Origin,
    program: &Program,
    pointer: &str,
) -> Result<(), Malformed> {
    if name == origin.name(&program.processes) {
        return Ok(());
    }
    let message = format!("`{name}` is not what its origin is called");
    Err(Malformed::new(located(pointer), message))
}

/// Maps each element of a list that is at a position.
pub(super) fn each<T, R>(
    list: Vec<T>,
    pointer: &str,
    mut make: impl FnMut(T, &str) -> Result<R, Malformed>,
) -> Result<Vec<R>, Malformed> {
    let elements = list.into_iter().enumerate();
    elements
        .map(|(index, element)| make(element, &format!("{pointer}[{index}]")))
        .collect()
}

fn index_range(range: IndexRangeJson, pointer: &str) -> Result<IndexRange, Malformed> {
    Ok(IndexRange {
        low: number(&range.low, pointer)?,
        high: number(&range.high, pointer)?,
        size: range.size,
    })
}

fn number(text: &str, pointer: &str) -> Result<BigInt, Malformed> {
    let number = (text.len() <= MAXIMAL_DIGITS).then(|| text.parse().ok());
    number.flatten().ok_or_else(|| {
        let message = format!("expected a whole number of at most {MAXIMAL_DIGITS} digits");
        Malformed::new(located(pointer), message)
    })
}

fn same_names<'n>(
    own: impl Iterator<Item = &'n str>,
    named: impl Iterator<Item = &'n str>,
    pointer: &str,
) -> Result<(), Malformed> {
    if own.eq(named) {
        return Ok(());
    }
    let message = "they are not those of the system, in its order";
    Err(Malformed::new(located(pointer), message))
}

pub(super) fn unique<'n>(
    mut names: impl Iterator<Item = &'n str>,
    pointer: &str,
) -> Result<(), Malformed> {
    let mut known = FxHashSet::default();
    match names.find(|name| !known.insert(*name)) {
        Some(twice) => {
            let message = format!("`{twice}` occurs twice");
            Err(Malformed::new(located(pointer), message))
        }
        None => Ok(()),
    }
}

pub(super) fn position((line, column): (u32, u32)) -> Position {
    Position { line, column }
}
