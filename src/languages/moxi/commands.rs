//! The commands of a file, one after the other.

use super::Additions;
use super::attributes::{Variable, check_unprimed};
use super::checking::Check;
use super::definitions::Definition;
use super::enumerations::check_sorts;
use super::sorts::{ModelSort, Sorts};
use indexmap::IndexMap;
use slabcert_certificates::smtlib::{
    FunctionDefinition, Position, ReadError, Scope, Sexpr, TermReader, before_exit, read_new_name,
    read_primed_sexprs, read_sorted_names,
};
use slabcert_certificates::system::ValueTable;
use slabcert_certificates::term::{Sort, Term};

/// What a file says.
#[derive(Default)]
pub(super) struct File {
    pub sorts: Sorts,
    /// Constants, values of enumerations and functions.
    pub scope: Scope,
    /// Constants without a value: whatever it is, it stays. Their symbols are marked, since variables may have the same names.
    pub constants: Vec<Variable>,
    pub systems: IndexMap<String, Definition>,
    pub checks: Vec<Check>,
}

/// Ends the name of a constant's symbol; no symbol that is read has it in its name.
pub(super) const CONSTANT_MARK: char = '|';

/// Commands that are known and not supported.
const UNSUPPORTED: [&str; 8] = [
    "declare-sort",
    "declare-datatype",
    "declare-datatypes",
    "define-fun-rec",
    "define-funs-rec",
    "push",
    "pop",
    "assert",
];

impl File {
    /// Reads all commands up to `(exit)`.
    pub fn read(text: &str) -> Result<File, ReadError> {
        let mut file = File::default();
        for command in before_exit(read_primed_sexprs(text)?)? {
            file.command(&command)?;
        }
        Ok(file)
    }

    fn command(&mut self, command: &Sexpr) -> Result<(), ReadError> {
        let position = command.position;
        let elements = command.as_list().unwrap_or_default();
        match command.head() {
            Some("set-logic" | "set-info" | "set-option") => Ok(()),
            Some("define-system") => self.define_system(elements, position),
            Some("check-system") => {
                let check = Check::read(self, elements, position)?;
                self.checks.push(check);
                Ok(())
            }
            Some("declare-enum-sort") => self.declare_enumeration(elements, position),
            Some("define-sort") => self.define_sort(elements, position),
            Some("declare-const" | "declare-fun") => self.declare_constant(elements, position),
            Some("define-fun" | "define-const") => self.define_function(elements, position),
            Some(name) if UNSUPPORTED.contains(&name) => Err(ReadError::unsupported(
                position,
                format!("`{name}` is not supported"),
            )),
            Some(name) => Err(ReadError::malformed(
                position,
                format!("`{name}` is not a command of MoXI"),
            )),
            None => Err(ReadError::malformed(
                position,
                "a command such as `(define-system main ...)` is expected",
            )),
        }
    }

    fn define_system(&mut self, elements: &[Sexpr], position: Position) -> Result<(), ReadError> {
        let Some(name) = elements.get(1) else {
            return Err(ReadError::malformed(
                position,
                "expected `(define-system name ...)`",
            ));
        };
        let written = read_new_name(name)?.to_owned();
        if self.systems.contains_key(&written) {
            return Err(ReadError::malformed(
                name.position,
                format!("the system `{written}` is defined twice"),
            ));
        }
        let definition = Definition::read(self, &elements[2..])?;
        self.systems.insert(written, definition);
        Ok(())
    }

    fn declare_enumeration(
        &mut self,
        elements: &[Sexpr],
        position: Position,
    ) -> Result<(), ReadError> {
        let malformed = |location| {
            ReadError::malformed(location, "expected `(declare-enum-sort name (value ...))`")
        };
        let [_, name, values] = elements else {
            return Err(malformed(position));
        };
        let values = match values.as_list() {
            Some(list) if !list.is_empty() => list,
            _ => return Err(malformed(values.position)),
        };
        let mut table = ValueTable {
            name: read_new_name(name)?.to_owned(),
            values: Vec::with_capacity(values.len()),
        };
        for (index, value) in values.iter().enumerate() {
            let written = read_new_name(value)?;
            check_unprimed(value, written)?;
            self.scope
                .define(written, Vec::new(), Term::int(index), value.position)?;
            table.values.push(written.to_owned());
        }
        let values = table.values.clone();
        let sort = self.sorts.add_enumeration(name, table)?;
        for value in &values {
            self.sorts.add_signature(value, &[], sort);
        }
        Ok(())
    }

    fn define_sort(&mut self, elements: &[Sexpr], position: Position) -> Result<(), ReadError> {
        let [_, name, parameters, sort] = elements else {
            return Err(ReadError::malformed(
                position,
                "expected `(define-sort name () sort)`",
            ));
        };
        if parameters.as_list().is_none_or(|list| !list.is_empty()) {
            return Err(ReadError::unsupported(
                parameters.position,
                "sorts with parameters are not supported",
            ));
        }
        let sort: ModelSort = self.sorts.read(sort)?;
        self.sorts.add(name, sort)
    }

    fn declare_constant(
        &mut self,
        elements: &[Sexpr],
        position: Position,
    ) -> Result<(), ReadError> {
        let (name, sort) = match elements {
            [command, name, sort] if command.as_symbol() == Some("declare-const") => (name, sort),
            [command, name, parameters, sort] if command.as_symbol() == Some("declare-fun") => {
                if parameters.as_list().is_none_or(|list| !list.is_empty()) {
                    return Err(ReadError::unsupported(
                        parameters.position,
                        "uninterpreted functions with arguments are not supported",
                    ));
                }
                (name, sort)
            }
            _ => {
                return Err(ReadError::malformed(
                    position,
                    "expected `(declare-const name sort)`",
                ));
            }
        };
        let written = read_new_name(name)?;
        check_unprimed(name, written)?;
        let constant = Variable {
            name: format!("{written}{CONSTANT_MARK}"),
            sort: self.sorts.read(sort)?,
            position: name.position,
        };
        let symbol = Term::symbol(constant.current());
        self.scope
            .define(written, Vec::new(), symbol, name.position)?;
        self.sorts.add_signature(written, &[], constant.sort);
        self.constants.push(constant);
        Ok(())
    }

    fn define_function(&mut self, elements: &[Sexpr], position: Position) -> Result<(), ReadError> {
        let sorts = &self.sorts;
        let mut definition = FunctionDefinition::of_command(elements, position, &|expression| {
            Ok(sorts.read(expression)?.sort)
        })?;
        if let Some(name) = elements.get(1) {
            check_unprimed(name, definition.name)?;
        }
        let mut additions = Additions;
        let reader = TermReader::new(&self.scope).extended(&mut additions);
        let body = definition.read_body(reader)?;
        let (parameters, result) = self.sorts_of_function(elements)?;
        let enumerated = parameters
            .iter()
            .map(|(name, sort)| (name.clone(), sort.enumeration));
        let enumerated = enumerated.collect();
        let found = check_sorts(&self.sorts, &enumerated, definition.body)?;
        if found != result.enumeration {
            return Err(ReadError::malformed(
                definition.body.position,
                format!(
                    "`{}` is declared with sort {}, but its body has another",
                    definition.name,
                    self.sorts.show(result)
                ),
            ));
        }
        let parameters: Vec<ModelSort> = parameters.into_iter().map(|(_, sort)| sort).collect();
        self.sorts
            .add_signature(definition.name, &parameters, result);
        definition.add_to(&mut self.scope, body)
    }

    /// The parameters of a function with their sorts, and the sort of its value.
    fn sorts_of_function(
        &self,
        elements: &[Sexpr],
    ) -> Result<(Vec<(String, ModelSort)>, ModelSort), ReadError> {
        let mut parameters = Vec::new();
        let sort = match elements {
            [_, _, list, sort, _] => {
                for (name, sort) in read_sorted_names(list)? {
                    parameters.push((read_new_name(name)?.to_owned(), self.sorts.read(sort)?));
                }
                sort
            }
            [_, _, sort, ..] => sort,
            _ => return Ok((parameters, ModelSort::plain(Sort::Bool))),
        };
        Ok((parameters, self.sorts.read(sort)?))
    }
}
