//! The processes' locations, and which of them a transition leads to. Switches, which say whose turn it is, are like processes whose locations
//! are the values that matter. Where movements are concerned, a process and its switches are one: where it is and whether it is its turn.

use crate::arithmetic::{Formula, LinearExpression, Rational, Replacement, Substitution};
use crate::reductions::stubborn::{Arrival, Movement, set};
use crate::slicing::encoded::{EncodedSystem, EncodedTransition};
use crate::slicing::graph::TransitionIndex;
use crate::slicing::oracle::{Oracle, OracleAnswer, Stopped};
use crate::slicing::predicates::{Label, Literal};
use fixedbitset::FixedBitSet;
use slabcert_certificates::term::Value;

/// A location for each process, in the order of [`Control`].
pub type Locations = Vec<usize>;

/// Why a tree cannot be unfolded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Obstacle {
    /// The search is to stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The tree has too many nodes.
    #[error("the abstract tree would have more than {0} nodes")]
    TooManyNodes(usize),
}

/// A process that the property depends on, or a switch.
struct Located {
    /// Its location variable, by number.
    variable: usize,
    /// What the variable is at each location.
    values: Vec<Value>,
    /// That it is at each location; at last, if not all values are locations, that it is at none of them.
    at: Vec<Literal>,
    /// Whether each transition can begin at each location.
    begins: Vec<Vec<bool>>,
}

/// Where a transition leads a process.
enum Target {
    /// It stays where it is.
    Same,
    /// To this location.
    At(usize),
    /// That depends on data.
    Any,
}

impl Located {
    fn target(&self, transition: &EncodedTransition) -> Target {
        if transition.kept[self.variable] {
            return Target::Same;
        }
        let value = transition.updates.get(&self.variable);
        let is_it = |own: &Value| value == Some(&replacement(own));
        let found = self.values.iter().position(is_it);
        found.map_or(Target::Any, Target::At)
    }
}

/// The processes that the property depends on.
pub struct Control {
    processes: Vec<Located>,
    /// Of these, by position, those that move together: each process with the switches that are its own.
    groups: Vec<Vec<usize>>,
}

impl Control {
    /// Finds the processes, and at which locations their transitions begin.
    ///
    /// # Errors
    /// When the search is to stop.
    pub fn new(oracle: &mut Oracle<'_>) -> Result<Control, Stopped> {
        let system = oracle.system();
        let mut processes: Vec<Located> = Vec::new();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let numbers = |count: usize| (0..count).map(|number| Value::Int(number.into())).collect();
        let control = system.control().iter();
        let control = control.map(|(variable, count)| (*variable, None, numbers(*count)));
        let switches = system.switches().iter();
        let switches = switches.map(|it| (it.variable, it.location, it.values.clone()));
        for (variable, owner, values) in control.chain(switches) {
            let values: Vec<Value> = values;
            let location = system.state_variable(variable);
            let mut indices: Vec<Formula> = values
                .iter()
                .map(|value| match replacement(value) {
                    Replacement::Formula(value) => {
                        Formula::literal(location, value == Formula::True)
                    }
                    Replacement::Expression(value) => {
                        let variable = LinearExpression::variable(location);
                        Formula::equal(&variable, &value, system.sorts())
                    }
                })
                .collect();
            if !system.is_relevant(&indices[0]) {
                continue;
            }
            if !matches!(values[0], Value::Bool(_)) {
                indices.push(Formula::and(indices.iter().map(Formula::negate)));
            }
            let at: Vec<Literal> = indices
                .iter()
                .filter_map(|formula| oracle.predicates_mut().literal(formula))
                .collect();
            let mut begins = Vec::new();
            for transition in system.transitions() {
                let mut conditions = system.transition(transition).condition.iter();
                let asks = conditions.any(|formula| formula.variables().contains(&location));
                let mut possible = vec![true; at.len()];
                if asks {
                    for (possible, literal) in possible.iter_mut().zip(&at) {
                        let before = Label::of(vec![*literal]);
                        let answer = oracle.step(&before, transition, &Label::default())?;
                        *possible = answer != OracleAnswer::Impossible;
                    }
                }
                begins.push(possible);
            }
            let is_own = |group: &&mut Vec<usize>| Some(processes[group[0]].variable) == owner;
            match groups.iter_mut().find(is_own) {
                Some(group) => group.push(processes.len()),
                None => groups.push(vec![processes.len()]),
            }
            processes.push(Located {
                variable,
                values,
                at,
                begins,
            });
        }
        Ok(Control { processes, groups })
    }

    /// The processes' location variables, by number.
    pub fn variables(&self) -> impl Iterator<Item = usize> + '_ {
        self.processes.iter().map(|process| process.variable)
    }

    /// That the processes are at these locations.
    #[must_use]
    pub fn label(&self, locations: &[usize]) -> Vec<Literal> {
        let processes = self.processes.iter().zip(locations);
        processes
            .map(|(process, location)| process.at[*location])
            .collect()
    }

    /// The formula for states at these locations.
    #[must_use]
    pub fn at(&self, system: &EncodedSystem, locations: &[usize], formula: &Formula) -> Formula {
        let mut known = Substitution::new();
        for (process, location) in self.processes.iter().zip(locations) {
            let variable = system.state_variable(process.variable);
            match process.values.get(*location).map(replacement) {
                Some(Replacement::Formula(value)) => known.set_formula(variable, value),
                Some(Replacement::Expression(value)) => known.set_expression(variable, value),
                None => {}
            }
        }
        let located = formula.substitute(&known, system.sorts(), usize::MAX);
        located.unwrap_or_else(|_| formula.clone())
    }

    /// That each process is at one of some locations, which are those of processes with their switches.
    pub fn within(&self, oracle: &mut Oracle<'_>, locations: &[FixedBitSet]) -> Vec<Literal> {
        let mut literals = Vec::new();
        for (group, locations) in self.groups.iter().zip(locations) {
            if locations.count_ones(..) == self.size(group) {
                continue;
            }
            let at = locations.ones().map(|location| {
                let parts = group.iter().zip(self.parts(group, location));
                let parts = parts.map(|(process, part)| self.processes[*process].at[part]);
                Formula::and(parts.map(|it| oracle.predicates().formula(it).clone()))
            });
            let formula = Formula::or(at.collect::<Vec<_>>());
            literals.extend(oracle.predicates_mut().literal(&formula));
        }
        literals
    }

    /// How many locations processes have together.
    fn size(&self, group: &[usize]) -> usize {
        let sizes = group.iter().map(|it| self.processes[*it].at.len());
        sizes.product()
    }

    /// The locations of processes that are one location together.
    fn parts(&self, group: &[usize], mut location: usize) -> Vec<usize> {
        let parts = group.iter().map(|process| {
            let size = self.processes[*process].at.len();
            let part = location % size;
            location /= size;
            part
        });
        parts.collect()
    }

    /// The joined locations that some targets lead to.
    fn after(&self, group: &[usize], before: usize, targets: &[Target]) -> Vec<usize> {
        let mut found = vec![0];
        let mut unit = 1;
        for ((process, before), target) in group.iter().zip(self.parts(group, before)).zip(targets)
        {
            let size = self.processes[*process].at.len();
            let parts = match target {
                Target::Same => before..before + 1,
                Target::At(location) => *location..*location + 1,
                Target::Any => 0..size,
            };
            let joined = |known: usize| parts.clone().map(move |part| known + unit * part);
            found = found.into_iter().flat_map(joined).collect();
            unit *= size;
        }
        found
    }

    /// The locations of processes with their switches.
    #[must_use]
    pub fn joined(&self, locations: &[usize]) -> Vec<usize> {
        let join = |group: &Vec<usize>| {
            let parts = group.iter().rev();
            parts.fold(0, |joined, it| {
                joined * self.processes[*it].at.len() + locations[*it]
            })
        };
        self.groups.iter().map(join).collect()
    }

    /// Where a transition can begin, and where it leads, for processes with their switches.
    #[must_use]
    pub fn movement(&self, system: &EncodedSystem, transition: TransitionIndex) -> Movement {
        let encoded = system.transition(transition);
        let begins = self.groups.iter().map(|group| {
            let can_begin = |location: &usize| {
                let mut parts = group.iter().zip(self.parts(group, *location));
                parts.all(|(process, part)| self.processes[*process].begins[transition.0][part])
            };
            let size = self.size(group);
            set(size, (0..size).filter(can_begin))
        });
        let begins: Vec<FixedBitSet> = begins.collect();
        let arrives = self.groups.iter().zip(&begins).map(|(group, begins)| {
            let targets = group.iter().map(|it| self.processes[*it].target(encoded));
            let targets: Vec<Target> = targets.collect();
            let after = |before: usize| self.after(group, before, &targets);
            let stays = targets
                .iter()
                .filter(|it| matches!(it, Target::Same))
                .count();
            if stays == targets.len() {
                return None;
            }
            Some(match stays {
                0 => Arrival::Anyway(set(self.size(group), after(0))),
                _ => Arrival::From(begins.ones().map(|it| (it, after(it))).collect()),
            })
        });
        let arrives = arrives.collect();
        Movement { begins, arrives }
    }

    /// That a transition can begin anywhere, or never, and leads nowhere.
    #[must_use]
    pub fn standing(&self, can_begin: bool) -> Movement {
        let begins = |group: &Vec<usize>| {
            let size = self.size(group);
            set(size, (0..size).filter(|_| can_begin))
        };
        Movement {
            begins: self.groups.iter().map(begins).collect(),
            arrives: vec![None; self.groups.len()],
        }
    }

    /// Whether the transition can begin at these locations, as far as each of them tells alone.
    #[must_use]
    pub fn can_begin(&self, locations: &[usize], transition: TransitionIndex) -> bool {
        let mut processes = self.processes.iter().zip(locations);
        processes.all(|(process, location)| process.begins[transition.0][*location])
    }

    /// The locations of initial states.
    ///
    /// # Errors
    /// When the search is to stop.
    pub fn initial(&self, oracle: &mut Oracle<'_>) -> Result<Vec<Locations>, Stopped> {
        let choices = vec![None; self.processes.len()];
        self.choose(oracle, &choices, &mut |oracle, label| {
            Ok(oracle.initial(label)? != OracleAnswer::Impossible)
        })
    }

    /// The locations that a transition leads to from a node.
    ///
    /// # Errors
    /// When the search is to stop.
    pub fn successors(
        &self,
        oracle: &mut Oracle<'_>,
        locations: &[usize],
        label: &Label,
        transition: TransitionIndex,
    ) -> Result<Vec<Locations>, Stopped> {
        let encoded = oracle.system().transition(transition);
        let processes = self.processes.iter().zip(locations);
        let choices: Vec<Option<usize>> = processes
            .map(|(process, location)| match process.target(encoded) {
                Target::Same => Some(*location),
                Target::At(location) => Some(location),
                Target::Any => None,
            })
            .collect();
        self.choose(oracle, &choices, &mut |oracle, after| {
            Ok(oracle.step(label, transition, after)? != OracleAnswer::Impossible)
        })
    }

    /// All possible combinations of locations, some of which are known.
    fn choose(
        &self,
        oracle: &mut Oracle<'_>,
        choices: &[Option<usize>],
        is_possible: &mut dyn FnMut(&mut Oracle<'_>, &Label) -> Result<bool, Stopped>,
    ) -> Result<Vec<Locations>, Stopped> {
        let mut found: Vec<(Locations, Vec<Literal>)> = vec![Default::default()];
        for (process, choice) in self.processes.iter().zip(choices) {
            if let Some(location) = choice {
                for (locations, label) in &mut found {
                    locations.push(*location);
                    label.push(process.at[*location]);
                }
                continue;
            }
            let mut extended = Vec::new();
            for (locations, label) in &found {
                for (location, literal) in process.at.iter().enumerate() {
                    let label: Vec<Literal> = label.iter().copied().chain([*literal]).collect();
                    if is_possible(oracle, &Label::of(label.clone()))? {
                        let locations = locations.iter().copied().chain([location]);
                        extended.push((locations.collect(), label));
                    }
                }
            }
            found = extended;
        }
        Ok(found.into_iter().map(|(locations, _)| locations).collect())
    }
}

/// What a variable with this value is.
fn replacement(value: &Value) -> Replacement {
    let constant = |number| Replacement::Expression(LinearExpression::constant(number));
    match value {
        Value::Bool(true) => Replacement::Formula(Formula::True),
        Value::Bool(false) => Replacement::Formula(Formula::False),
        Value::Int(number) => constant(Rational::from(number.clone())),
        Value::Real(number) => constant(Rational::from(number.clone())),
    }
}
