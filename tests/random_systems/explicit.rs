//! Explicit-state search: the verdict on a system whose reachable states are finitely many, found by looking at all of them.
//!
//! Deliberately independent of everything else: terms are compiled to a small evaluator over machine numbers of its own, and
//! nothing is abstracted, sliced or solved. Inputs, initial values and next values that no update determines are enumerated over
//! the candidates that the generator gives; the generator vouches that the model allows no others.

use num_rational::Ratio;
use num_traits::ToPrimitive;
use slabcert_certificates::system::{Property, System};
use slabcert_certificates::term::{Kind, Operator, Symbol, Term, Value};
use std::collections::{BTreeSet, HashMap, VecDeque};

/// A value in a machine word or two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Small {
    Bool(bool),
    Int(i64),
    Real(Ratio<i64>),
}

pub type State = Vec<Small>;

/// The values that are tried for variables and inputs, by name.
pub type Candidates = HashMap<String, Vec<Small>>;

/// A compiled term: an operator on the values of its arguments, a constant, or an index in the environment.
enum Code {
    Constant(Small),
    HypothesisIndex(usize),
    Apply(Operator, Vec<Code>),
}

/// The environment: current values, next values and inputs, one after the other.
struct Layout {
    indices: HashMap<Symbol, usize>,
    variables: usize,
}

impl Layout {
    fn of(system: &System) -> Layout {
        let current = system.variables.iter().map(|variable| &variable.current);
        let next = system.variables.iter().map(|variable| &variable.next);
        let inputs = system.inputs.iter().map(|input| &input.symbol);
        let symbols = current.chain(next).chain(inputs);
        Layout {
            indices: symbols
                .enumerate()
                .map(|(index, symbol)| (symbol.clone(), index))
                .collect(),
            variables: system.variables.len(),
        }
    }

    fn compile(&self, term: &Term) -> Code {
        match term.kind() {
            Kind::Constant(value) => Code::Constant(match value {
                Value::Bool(truth) => Small::Bool(*truth),
                Value::Int(number) => Small::Int(number.to_i64().unwrap()),
                Value::Real(number) => Small::Real(Ratio::new(
                    number.numer().to_i64().unwrap(),
                    number.denom().to_i64().unwrap(),
                )),
            }),
            Kind::Symbol(symbol) => Code::HypothesisIndex(self.indices[symbol]),
            Kind::Apply(operator, arguments) => Code::Apply(
                *operator,
                arguments
                    .iter()
                    .map(|argument| self.compile(argument))
                    .collect(),
            ),
        }
    }

    fn compile_all<'a>(&self, terms: impl IntoIterator<Item = &'a Term>) -> Vec<Code> {
        terms.into_iter().map(|term| self.compile(term)).collect()
    }

    /// The inputs that the terms mention: their indices and candidates.
    fn inputs<'a>(
        &self,
        terms: impl IntoIterator<Item = &'a Term>,
        candidates: &Candidates,
    ) -> Vec<(usize, Vec<Small>)> {
        let symbols: BTreeSet<Symbol> = terms.into_iter().flat_map(Term::symbols).collect();
        symbols
            .into_iter()
            .filter(|symbol| self.indices[symbol] >= 2 * self.variables)
            .map(|symbol| (self.indices[&symbol], candidates[symbol.name()].clone()))
            .collect()
    }
}

impl Code {
    fn truth(&self, environment: &[Small]) -> bool {
        match self.value(environment) {
            Small::Bool(truth) => truth,
            other => panic!("{other:?} is not a truth value"),
        }
    }

    fn number(&self, environment: &[Small]) -> Ratio<i64> {
        match self.value(environment) {
            Small::Int(number) => Ratio::from_integer(number),
            Small::Real(number) => number,
            Small::Bool(_) => panic!("a truth value is not a number"),
        }
    }

    fn integer(&self, environment: &[Small]) -> i64 {
        match self.value(environment) {
            Small::Int(number) => number,
            other => panic!("{other:?} is not an integer"),
        }
    }

    fn value(&self, environment: &[Small]) -> Small {
        let (operator, arguments) = match self {
            Code::Constant(value) => return *value,
            Code::HypothesisIndex(index) => return environment[*index],
            Code::Apply(operator, arguments) => (*operator, arguments.as_slice()),
        };
        let truth = |index: usize| arguments[index].truth(environment);
        let number = |index: usize| arguments[index].number(environment);
        let integer = |index: usize| arguments[index].integer(environment);
        let of_sort = |result: Ratio<i64>| match arguments[0].value(environment) {
            Small::Int(_) => Small::Int(result.to_integer()),
            _ => Small::Real(result),
        };
        match operator {
            Operator::Not => Small::Bool(!truth(0)),
            Operator::And => Small::Bool(arguments.iter().all(|part| part.truth(environment))),
            Operator::Or => Small::Bool(arguments.iter().any(|part| part.truth(environment))),
            Operator::Implies => Small::Bool(!truth(0) || truth(1)),
            Operator::Xor => Small::Bool(truth(0) != truth(1)),
            Operator::Ite => arguments[if truth(0) { 1 } else { 2 }].value(environment),
            Operator::Equal => {
                Small::Bool(arguments[0].value(environment) == arguments[1].value(environment))
            }
            Operator::Distinct => {
                let mut seen = BTreeSet::new();
                let mut values = arguments.iter().map(|part| part.value(environment));
                Small::Bool(values.all(|value| seen.insert(value)))
            }
            Operator::Add => of_sort((0..arguments.len()).map(number).sum()),
            Operator::Subtract => of_sort(number(0) - number(1)),
            Operator::Negate => of_sort(-number(0)),
            Operator::Multiply => of_sort((0..arguments.len()).map(number).product()),
            Operator::Divide => Small::Real(number(0) / number(1)),
            Operator::IntegerDivide => Small::Int(integer(0).div_euclid(integer(1))),
            Operator::Modulo => Small::Int(integer(0).rem_euclid(integer(1))),
            Operator::Absolute => Small::Int(integer(0).abs()),
            Operator::LessOrEqual => Small::Bool(number(0) <= number(1)),
            Operator::Less => Small::Bool(number(0) < number(1)),
            Operator::GreaterOrEqual => Small::Bool(number(0) >= number(1)),
            Operator::Greater => Small::Bool(number(0) > number(1)),
            Operator::ToReal => Small::Real(number(0)),
            Operator::ToInt => Small::Int(number(0).floor().to_integer()),
            Operator::IsInt => Small::Bool(number(0).is_integer()),
        }
    }
}

/// Calls `visit` with the environment for each way to fill the environment with candidates.
fn enumerate(
    environment: &mut Vec<Small>,
    indices: &[(usize, Vec<Small>)],
    visit: &mut dyn FnMut(&mut Vec<Small>),
) {
    let Some(((index, values), rest)) = indices.split_first() else {
        visit(environment);
        return;
    };
    for value in values {
        environment[*index] = *value;
        enumerate(environment, rest, visit);
    }
}

struct Move {
    guard: Vec<Code>,
    relation: Vec<Code>,
    updates: Vec<(usize, Code)>,
    frame: Vec<usize>,
    inputs: Vec<(usize, Vec<Small>)>,
    open: Vec<(usize, Vec<Small>)>,
}

/// A system, ready to be searched.
pub struct Explorer<'a> {
    system: &'a System,
    candidates: &'a Candidates,
    layout: Layout,
    moves: Vec<Move>,
}

/// All reachable states in the order of a breadth-first search, with their distances from the initial states.
pub struct Reached {
    pub states: Vec<State>,
    pub distances: Vec<u64>,
}

impl<'a> Explorer<'a> {
    pub fn new(system: &'a System, candidates: &'a Candidates) -> Explorer<'a> {
        let layout = Layout::of(system);
        let moves = system.transitions.iter().map(|transition| {
            let guard: Vec<&Term> = transition.guard.iter().map(|part| &part.formula).collect();
            let relation = transition.relation.iter().map(|part| &part.formula);
            let relation: Vec<&Term> = relation.collect();
            let values = transition.updates.iter().map(|update| &update.value);
            let mentioned = guard.iter().chain(&relation).copied().chain(values);
            let determined: BTreeSet<usize> = transition
                .updates
                .iter()
                .map(|update| update.variable)
                .chain(transition.frame.iter().copied())
                .collect();
            let open = (0..system.variables.len())
                .filter(|variable| !determined.contains(variable))
                .map(|variable| {
                    let values = candidates[system.variables[variable].name()].clone();
                    (layout.variables + variable, values)
                });
            Move {
                inputs: layout.inputs(mentioned, candidates),
                open: open.collect(),
                guard: layout.compile_all(guard),
                relation: layout.compile_all(relation),
                updates: transition
                    .updates
                    .iter()
                    .map(|update| (update.variable, layout.compile(&update.value)))
                    .collect(),
                frame: transition.frame.clone(),
            }
        });
        let moves = moves.collect();
        Explorer {
            system,
            candidates,
            layout,
            moves,
        }
    }

    fn environment(&self, state: &[Small]) -> Vec<Small> {
        let mut environment = vec![Small::Bool(false); self.layout.indices.len()];
        environment[..state.len()].copy_from_slice(state);
        environment
    }

    fn initial(&self) -> Vec<State> {
        let init = self.layout.compile_all(&self.system.init);
        let variables = self.system.variables.iter().enumerate();
        let indices: Vec<(usize, Vec<Small>)> = variables
            .map(|(index, variable)| (index, self.candidates[variable.name()].clone()))
            .collect();
        let mut states = Vec::new();
        enumerate(&mut self.environment(&[]), &indices, &mut |environment| {
            if init.iter().all(|part| part.truth(environment)) {
                states.push(environment[..self.layout.variables].to_vec());
            }
        });
        states
    }

    /// The states after one step.
    pub fn successors(&self, state: &[Small]) -> BTreeSet<State> {
        let mut successors = BTreeSet::new();
        let count = self.layout.variables;
        for step in &self.moves {
            let mut environment = self.environment(state);
            enumerate(&mut environment, &step.inputs, &mut |environment| {
                if !step.guard.iter().all(|part| part.truth(environment)) {
                    return;
                }
                for (variable, value) in &step.updates {
                    environment[count + variable] = value.value(environment);
                }
                for variable in &step.frame {
                    environment[count + variable] = environment[*variable];
                }
                enumerate(environment, &step.open, &mut |environment| {
                    if step.relation.iter().all(|part| part.truth(environment)) {
                        successors.insert(environment[count..2 * count].to_vec());
                    }
                });
            });
        }
        successors
    }

    /// All reachable states; `None` when there are more than the limit.
    pub fn reach(&self, most: usize) -> Option<Reached> {
        let mut seen: HashMap<State, u64> = HashMap::new();
        let mut reached = Reached {
            states: Vec::new(),
            distances: Vec::new(),
        };
        let mut open: VecDeque<State> = VecDeque::new();
        for state in self.initial() {
            if seen.insert(state.clone(), 0).is_none() {
                open.push_back(state);
            }
        }
        while let Some(state) = open.pop_front() {
            if seen.len() > most {
                return None;
            }
            let distance = seen[&state];
            for successor in self.successors(&state) {
                if !seen.contains_key(&successor) {
                    seen.insert(successor.clone(), distance + 1);
                    open.push_back(successor);
                }
            }
            reached.distances.push(distance);
            reached.states.push(state);
        }
        Some(reached)
    }

    /// The least number of steps after which the property is violated; `None` when it holds in all reachable states.
    pub fn violation(&self, reached: &Reached, property: &Property) -> Option<u64> {
        let code = self.layout.compile(&property.formula);
        let inputs = self.layout.inputs([&property.formula], self.candidates);
        let states = reached.states.iter().zip(&reached.distances);
        for (state, distance) in states {
            let mut is_violated = false;
            enumerate(&mut self.environment(state), &inputs, &mut |environment| {
                is_violated |= !code.truth(environment)
            });
            if is_violated {
                return Some(*distance);
            }
        }
        None
    }
}
