//! What a program means, worked out by the checker itself.
//!
//! Nothing is shared with the module that the flat system was made by: a fault there shows itself as an obligation that does not hold.
//! A step is a list of facts about the values before and after it: what it requires, and for every variable what its next value is. The
//! assignments are carried out one after the other on a table of values, first those of the data transfer, then those of the edges.

mod blocks;
mod scheduler;
mod synchronous;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;
use slabcert_certificates::program::{Command, Edge, Interaction, Meaning, Program, Requirement};
use slabcert_certificates::system::StateVariable;
use slabcert_certificates::term::{Operator, Substitution, Term};
use slabcert_certificates::work::{READING, TooLarge, Work};
use std::collections::BTreeMap;

/// What a program means. It has been read, so that all of its indices are good.
///
/// # Errors
/// When its steps times its variables, or what is put in for transferred values, are too much.
pub fn meaning(program: &Program) -> Result<Meaning, TooLarge> {
    Translator::new(program)?.meaning()
}

/// The values of variables that do not stay as they are, by index; none for one that may take any value.
type Table = BTreeMap<usize, Option<Term>>;

struct Translator<'p> {
    program: &'p Program,
    /// That each variable is inside its range, and that it stays as it is. Each formula is made once, however many steps share it.
    inside: Vec<Vec<Term>>,
    stays: Vec<Term>,
    /// The declared ranges, which every step requires.
    premises: Vec<Term>,
    /// Where some internal edge can be taken.
    busy: Term,
    /// The edges that a process offers by a label.
    offered: FxHashMap<(usize, &'p str), Vec<usize>>,
    /// Where the labels of each interaction can be taken and its guard holds.
    enabled: Vec<Term>,
    /// What keeps each interaction from happening where it is enabled.
    blockers: Vec<Vec<Term>>,
    /// That each process waits, by index, where a scheduler lets some run: each formula is made once.
    waits: BTreeMap<usize, Term>,
    /// Where each synchronous block is stable.
    stable: Vec<Term>,
    steps: Vec<(String, Vec<Term>)>,
    work: Work,
}

impl<'p> Translator<'p> {
    fn new(program: &'p Program) -> Result<Translator<'p>, TooLarge> {
        let variables = program.variables.iter();
        let stays = variables.clone().map(|variable| {
            Term::symbol(variable.next.clone()).equals(Term::symbol(variable.current.clone()))
        });
        let mut translator = Translator {
            program,
            inside: variables.map(StateVariable::bounds).collect(),
            stays: stays.collect(),
            premises: Vec::new(),
            busy: Term::bool(false),
            offered: program.edges_by_label(),
            enabled: Vec::new(),
            blockers: vec![Vec::new(); program.interactions.len()],
            waits: BTreeMap::new(),
            stable: Vec::new(),
            steps: Vec::new(),
            work: Work::new(READING),
        };
        let mut ranged = vec![false; program.variables.len()];
        for variable in program.ranges.iter().flat_map(|range| &range.variables) {
            if !std::mem::replace(&mut ranged[*variable], true) {
                let bounds = translator.inside[*variable].iter().cloned();
                translator.premises.extend(bounds);
            }
        }
        for edge in &program.edges {
            let conditions = translator.conditions(edge);
            translator.work.charge(weight(&conditions))?;
        }
        let internal = program.edges.iter().filter(|edge| edge.label.is_none());
        let internal = internal.map(|edge| Term::and(translator.conditions(edge)));
        translator.busy = Term::or(internal.collect::<Vec<Term>>());
        let mut offers: FxHashMap<(usize, &str), Term> = FxHashMap::default();
        for (label, edges) in &translator.offered {
            let edges = edges.iter().map(|edge| &program.edges[*edge]);
            let conditions = edges.map(|edge| Term::and(translator.conditions(edge)));
            offers.insert(*label, Term::or(conditions.collect::<Vec<Term>>()));
        }
        for interaction in &program.interactions {
            let labels = interaction.participants.iter().map(|(process, label)| {
                let offer = offers.get(&(*process, label.as_str()));
                offer.cloned().unwrap_or_else(|| Term::bool(false))
            });
            let facts: Vec<Term> = labels.chain(interaction.guard.iter().cloned()).collect();
            translator.work.charge(weight(&facts))?;
            translator.enabled.push(Term::and(facts));
        }
        for rule in &program.blocking {
            let facts = [rule.condition.clone(), translator.enabled[rule.by].clone()];
            translator.work.charge(weight(&facts))?;
            translator.blockers[rule.blocked].push(Term::and(facts));
        }
        Ok(translator)
    }

    fn meaning(mut self) -> Result<Meaning, TooLarge> {
        let program = self.program;
        self.work.charge(weight(&program.init))?;
        self.find_waits()?;
        self.find_blocks()?;
        let whole = program.commands.iter();
        for command in whole.filter(|it| !program.is_inside_blocks(it)) {
            self.charge([])?;
            let facts = self.command(command)?;
            self.add(command.name.clone(), facts)?;
        }
        for (process, cuts) in &program.cuts {
            self.blocks(*process, cuts)?;
        }
        if let Some(scheduler) = &program.scheduler {
            self.scheduled(scheduler)?;
        }
        self.lock_steps()?;
        for edge in program.edges.iter().filter(|edge| edge.label.is_none()) {
            self.charge([])?;
            let mut facts = self.conditions(edge);
            facts.extend(self.premises.iter().cloned());
            let mut table = Table::new();
            self.act(edge, &Substitution::default(), &mut table);
            facts.extend(self.assigned(table));
            self.add(program.edge_name(edge), facts)?;
        }
        for (index, interaction) in program.interactions.iter().enumerate() {
            if interaction.is_offered {
                self.interaction(index, interaction)?;
            }
        }
        let mut properties = Vec::new();
        for property in &self.program.properties {
            let required = self.required(&property.requirement)?;
            properties.push((property.name.clone(), required));
        }
        for range in &program.ranges {
            self.work.charge(range.variables.len() as u64)?;
            let bounds = range.variables.iter().flat_map(|it| &self.inside[*it]);
            properties.push((range.property_name(), Term::and(bounds.cloned())));
        }
        for race in program.races() {
            self.work.charge(1)?;
            properties.push((race.property_name(), self.value(race.flag).not()));
        }
        Ok(Meaning {
            init: program.init.clone(),
            steps: self.steps,
            properties,
        })
    }

    /// Takes note of a step: it says something of every variable, and has values put in.
    fn charge<'t>(&mut self, values: impl IntoIterator<Item = &'t Term>) -> Result<(), TooLarge> {
        let sizes = values.into_iter().map(|value| value.size() as u64);
        let variables = self.program.variables.len() as u64;
        self.work.charge(variables + sizes.sum::<u64>())
    }

    /// Adds a step, whose facts are going to be put together.
    fn add(&mut self, name: String, facts: Vec<Term>) -> Result<(), TooLarge> {
        self.work.charge(weight(&facts))?;
        self.steps.push((name, facts));
        Ok(())
    }

    fn value(&self, variable: usize) -> Term {
        Term::symbol(self.program.variables[variable].current.clone())
    }

    /// That a process is at a location; nothing if it has none.
    fn at(&self, process: usize, location: usize) -> Option<Term> {
        let variable = self.program.processes[process].location?;
        Some(self.value(variable).equals(Term::int(location as u64)))
    }

    /// That the values after a step are those of a table, and otherwise those before it.
    fn assigned(&self, mut table: Table) -> impl Iterator<Item = Term> {
        let variables = self.program.variables.iter().zip(&self.stays).enumerate();
        variables.filter_map(
            move |(index, (variable, stays))| match table.remove(&index) {
                Some(value) => Some(Term::symbol(variable.next.clone()).equals(value?)),
                None => Some(stays.clone()),
            },
        )
    }

    fn command(&mut self, command: &Command) -> Result<Vec<Term>, TooLarge> {
        let mut facts = Vec::new();
        let mut table = Table::new();
        for step in &command.moves {
            facts.extend(step.from.and_then(|from| self.at(step.process, from)));
            if let Some(location) = self.program.processes[step.process].location {
                table.insert(location, Some(Term::int(step.to as u64)));
            }
        }
        let conditions = command.guard.iter().chain(&command.relation);
        facts.extend(conditions.map(|conjunct| conjunct.formula.clone()));
        facts.extend(self.premises.iter().cloned());
        for update in &command.updates {
            table.insert(update.variable, Some(update.value.clone()));
        }
        // What the relation says of these is all that is known.
        for variable in &command.modifies {
            table.insert(*variable, None);
        }
        self.count_unstable(None, &mut table, &mut facts)?;
        facts.extend(self.assigned(table));
        Ok(facts)
    }

    /// Where an edge can be taken.
    fn conditions(&self, edge: &Edge) -> Vec<Term> {
        let location = edge.step.and_then(|(from, _)| self.at(edge.process, from));
        location
            .into_iter()
            .chain(edge.guard.iter().cloned())
            .collect()
    }

    /// Carries out an edge: what it reads is what a transfer has left.
    fn act(&self, edge: &Edge, transferred: &Substitution, table: &mut Table) {
        for (variable, value) in &edge.updates {
            table.insert(*variable, Some(value.substitute(transferred)));
        }
        let location = self.program.processes[edge.process].location;
        if let (Some(location), Some((_, to))) = (location, edge.step) {
            table.insert(location, Some(Term::int(to as u64)));
        }
    }

    /// Adds the steps of an interaction: the choices of edges, counted like the digits of a number, the last participant's fastest.
    fn interaction(&mut self, index: usize, interaction: &Interaction) -> Result<(), TooLarge> {
        let participants = interaction.participants.iter();
        let offered: Option<Vec<&Vec<usize>>> = participants
            .map(|(process, label)| self.offered.get(&(*process, label.as_str())))
            .collect();
        let Some(offered) = offered else {
            return Ok(());
        };
        let offered: Vec<Vec<usize>> = offered.into_iter().cloned().collect();
        let mut around: Vec<Term> = interaction.guard.clone();
        around.extend(self.blockers[index].iter().cloned().map(Term::not));
        around.push(self.busy.clone().not());
        around.extend(self.premises.iter().cloned());
        let transferred: Substitution = interaction
            .transfer
            .iter()
            .map(|(variable, value)| {
                (
                    self.program.variables[*variable].current.clone(),
                    value.clone(),
                )
            })
            .collect();
        let mut digits = vec![0; offered.len()];
        loop {
            let taken: Vec<usize> = digits
                .iter()
                .zip(&offered)
                .map(|(it, list)| list[*it])
                .collect();
            let edges = taken.iter().map(|edge| &self.program.edges[*edge]);
            let values = edges.flat_map(|edge| edge.updates.iter().map(|(_, value)| value));
            self.charge(values)?;
            let mut facts = around.clone();
            let mut table = Table::new();
            for (variable, value) in &interaction.transfer {
                table.insert(*variable, Some(value.clone()));
            }
            for edge in taken.iter().map(|edge| &self.program.edges[*edge]) {
                facts.extend(self.conditions(edge));
                self.act(edge, &transferred, &mut table);
            }
            facts.extend(self.assigned(table));
            let name = self.program.step_name(interaction, &taken, &self.offered);
            self.add(name, facts)?;
            let Some(position) = (0..digits.len())
                .rev()
                .find(|it| digits[*it] + 1 < offered[*it].len())
            else {
                return Ok(());
            };
            digits[position] += 1;
            digits[position + 1..].fill(0);
        }
    }

    /// What holds in every state that does not violate a property.
    fn required(&mut self, requirement: &Requirement) -> Result<Term, TooLarge> {
        Ok(match requirement {
            Requirement::Always(formula) => formula.clone(),
            Requirement::Visible(formula) => {
                self.work
                    .charge(disjuncts(&self.busy) + disjuncts(formula))?;
                Term::or([self.busy.clone(), formula.clone()])
            }
            Requirement::NoDeadlock => {
                let program = self.program;
                let guards = program.commands.iter().flat_map(|it| &it.guard);
                let guards = guards.map(|it| weight(std::slice::from_ref(&it.formula)));
                let moves = program.commands.iter().map(|it| it.moves.len() + 1);
                let others = program.blocking.len() + moves.sum::<usize>();
                let parts = guards.sum::<u64>() + weight(&self.enabled) + disjuncts(&self.busy);
                self.work.charge(parts + others as u64)?;
                self.can_happen()
            }
        })
    }

    /// That an edge, an interaction or a command is enabled.
    fn can_happen(&self) -> Term {
        let mut possible = vec![self.busy.clone()];
        for (index, interaction) in self.program.interactions.iter().enumerate() {
            if interaction.is_offered {
                let mut facts = vec![self.enabled[index].clone()];
                facts.extend(self.blockers[index].iter().cloned().map(Term::not));
                possible.push(Term::and(facts));
            }
        }
        for command in &self.program.commands {
            let moves = command.moves.iter();
            let mut facts: Vec<Term> = moves
                .filter_map(|step| self.at(step.process, step.from?))
                .collect();
            facts.extend(command.guard.iter().map(|it| it.formula.clone()));
            possible.push(Term::and(facts));
        }
        Term::or(possible)
    }
}

/// What it takes to put facts together to a conjunction: the conjuncts of those that are conjunctions are copied.
fn weight(facts: &[Term]) -> u64 {
    let weights = facts.iter().map(|fact| match fact.as_application() {
        Some((Operator::And, _)) => fact.extent() as u64,
        _ => 1,
    });
    weights.sum()
}

/// The same for a disjunction.
fn disjuncts(formula: &Term) -> u64 {
    match formula.as_application() {
        Some((Operator::Or, parts)) => parts.len() as u64,
        _ => 1,
    }
}
