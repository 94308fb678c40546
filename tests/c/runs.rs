//! Runs of programs with concrete values, statement by statement.

use slabcert::languages::c::C;
use slabcert::languages::source::Source;
use slabcert::languages::{Language, Options, ParsedModel};
use slabcert_certificates::program::{Command, Program};
use slabcert_certificates::term::{Sort, Symbol, Value};
use std::collections::HashMap;

/// The longest run, in commands.
const LONGEST: usize = 200_000;

/// The program of a text.
pub fn read_with(text: &str, constants: &[(&str, &str)]) -> Program {
    let constants = constants.iter();
    let options = Options {
        constants: constants
            .map(|(name, value)| ((*name).into(), (*value).into()))
            .collect(),
    };
    match C.read(&Source::new("m.c", text), &options) {
        Ok(ParsedModel::Program(program, _)) => {
            program
                .check_blocks()
                .unwrap_or_else(|fault| panic!("{fault}\n{text}"));
            program
        }
        Ok(ParsedModel::System(_)) => panic!("C models are programs"),
        Err(faults) => panic!("{faults}\n{text}"),
    }
}

/// The location where a run ends: values are chosen in this order, then 0.
pub fn run_of(program: &Program, chosen: &[i64]) -> String {
    let mut chosen = chosen.iter().copied();
    let location = program.processes[0].location.unwrap();
    let mut state: HashMap<Symbol, Value> = HashMap::new();
    for variable in &program.variables {
        state.insert(variable.current.clone(), Value::default_of(variable.sort()));
    }
    for conjunct in &program.init {
        let (symbol, value) = match conjunct.as_application() {
            None => (conjunct.as_symbol().unwrap().clone(), Value::Bool(true)),
            Some((_, [inner])) => (inner.as_symbol().unwrap().clone(), Value::Bool(false)),
            Some((_, [left, right])) => {
                let value = right.evaluate(&|_: &Symbol| None).unwrap();
                (left.as_symbol().unwrap().clone(), value)
            }
            Some(_) => panic!("an initial condition of another form"),
        };
        state.insert(symbol, value);
    }
    for _ in 0..LONGEST {
        let at = &state[&program.variables[location].current];
        let name = program.variables[location].show(at);
        let leaving = program.commands.iter().filter(|it| {
            it.moves[0]
                .from
                .map(|from| Value::Int(from.into()))
                .as_ref()
                == Some(at)
        });
        let mut leaving = leaving.peekable();
        if leaving.peek().is_none() {
            return name;
        }
        let mut taken = None;
        for command in leaving {
            let with_choices = choose(program, command, &state, &mut chosen.clone());
            let mut guard = command.guard.iter();
            if guard.all(|it| {
                it.formula
                    .holds(&|symbol: &Symbol| with_choices.get(symbol).cloned())
                    .unwrap()
            }) {
                assert!(taken.is_none(), "two commands at {name}");
                taken = Some((command, with_choices));
            }
        }
        let Some((command, before)) = taken else {
            return format!("stuck at {name}");
        };
        choose(program, command, &state, &mut chosen);
        for update in &command.updates {
            let value = update
                .value
                .evaluate(&|symbol: &Symbol| before.get(symbol).cloned());
            state.insert(
                program.variables[update.variable].current.clone(),
                value.unwrap(),
            );
        }
        let to = Value::Int(command.moves[0].to.into());
        state.insert(program.variables[location].current.clone(), to);
    }
    "going round".to_owned()
}

/// The state with what a command chooses.
fn choose(
    program: &Program,
    command: &Command,
    state: &HashMap<Symbol, Value>,
    chosen: &mut dyn Iterator<Item = i64>,
) -> HashMap<Symbol, Value> {
    let mut with_choices = state.clone();
    for input in &command.choices {
        let symbol = &program.inputs[*input].symbol;
        let number = chosen.next().unwrap_or(0);
        let value = match symbol.sort() {
            Sort::Bool => Value::Bool(number != 0),
            _ => Value::Int(number.into()),
        };
        with_choices.insert(symbol.clone(), value);
    }
    with_choices
}

/// Where a text's run ends.
pub fn end_of(text: &str, chosen: &[i64]) -> String {
    run_of(&read_with(text, &[]), chosen)
}

/// Has `main` do what is said, with a value in `r`, which has to be as expected: not less, not more.
pub fn gives(outside: &str, inside: &str, chosen: &[i64], expected: i64) {
    for (test, end) in [("==", "end"), ("!=", "error")] {
        let text = format!(
            "{outside}\nint main(void) {{ int r = 0;\n{inside}\nassert(r {test} {expected}); return 0; }}\n"
        );
        assert_eq!(end_of(&text, chosen), end, "{text}");
    }
}
