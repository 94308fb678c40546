//! What the program of a bundle says, as text: what each process offers, which of it is taken together, and what waits for what.

use slabcert_certificates::program::{Command, Edge, Interaction, Program, Requirement};
use slabcert_certificates::system::{Conjunct, System};
use slabcert_certificates::term::Term;
use slabcert_exports::wording::Wording;

/// The lines of the text, over the system that was made from the program.
pub(super) fn lines(program: &Program, system: &System) -> Vec<String> {
    let wording = Wording::of(system);
    let printer = Printer {
        program,
        wording: &wording,
    };
    let mut lines = vec![format!("program {}", program.name)];
    for variable in &program.variables {
        let bounds = variable.range.as_ref();
        let range = bounds.map_or(String::new(), |(low, high)| format!(" in {low}..{high}"));
        lines.push(format!(
            "variable {} : {}{range}",
            variable.name(),
            variable.sort()
        ));
    }
    lines.extend(
        program
            .init
            .iter()
            .map(|it| format!("init {}", wording.term(it))),
    );
    for (number, process) in program.processes.iter().enumerate() {
        lines.push(format!("process {}", process.name));
        let own = program.edges.iter().filter(|edge| edge.process == number);
        lines.extend(own.map(|edge| printer.edge(edge)));
        if let Some(cuts) = program.cuts.get(&number) {
            let names = cuts.iter().map(|cut| program.location_name(number, *cut));
            let names: Vec<String> = names.collect();
            lines.push(format!("  steps begin and end at {}", names.join(", ")));
        }
    }
    lines.extend(program.commands.iter().map(|it| printer.command(it)));
    lines.extend(
        program
            .interactions
            .iter()
            .map(|it| printer.interaction(it)),
    );
    lines.extend(program.blocking.iter().map(|rule| {
        let [blocked, by] = [rule.blocked, rule.by].map(|index| &program.interactions[index].name);
        format!(
            "{blocked} waits for {by}{}",
            printer.when(std::slice::from_ref(&rule.condition))
        )
    }));
    lines.extend(program.properties.iter().map(|property| {
        let what = match &property.requirement {
            Requirement::Always(formula) => format!("always {}", wording.term(formula)),
            Requirement::Visible(formula) => format!("in visible states {}", wording.term(formula)),
            Requirement::NoDeadlock => "no deadlock".to_owned(),
        };
        format!("property {}: {what}", property.name)
    }));
    lines
}

struct Printer<'p> {
    program: &'p Program,
    wording: &'p Wording<'p>,
}

impl Printer<'_> {
    fn when(&self, guard: &[Term]) -> String {
        match Term::and(guard.iter().cloned()) {
            guard if guard.is_true() => String::new(),
            guard => format!(" when {}", self.wording.term(&guard)),
        }
    }

    fn step(&self, guard: &[Term], updates: &[(usize, Term)]) -> String {
        let updates = updates.iter().map(|(variable, value)| {
            let name = self.program.variables[*variable].name();
            format!("{name} := {}", self.wording.term(value))
        });
        let updates: Vec<String> = updates.collect();
        let effect = match updates.is_empty() {
            true => String::new(),
            false => format!(" do {}", updates.join(", ")),
        };
        format!("{}{effect}", self.when(guard))
    }

    fn edge(&self, edge: &Edge) -> String {
        let label = edge.label.as_deref().unwrap_or("internal");
        let step = edge.step.map_or(String::new(), |(from, to)| {
            let [from, to] = [from, to].map(|it| self.program.location_name(edge.process, it));
            format!(" {from} -> {to}")
        });
        format!(
            "  {label} ({}){step}{}",
            edge.name,
            self.step(&edge.guard, &edge.updates)
        )
    }

    fn command(&self, command: &Command) -> String {
        let moves = command.moves.iter().map(|step| {
            let process = &self.program.processes[step.process];
            let from = step
                .from
                .map(|from| self.program.location_name(step.process, from));
            let from = from.as_deref().unwrap_or("anywhere");
            let to = self.program.location_name(step.process, step.to);
            format!(" {}: {from} -> {to}", process.name)
        });
        let moves: Vec<String> = moves.collect();
        let formulas =
            |list: &[Conjunct]| -> Vec<Term> { list.iter().map(|it| it.formula.clone()).collect() };
        let updates = command.updates.iter();
        let updates: Vec<_> = updates.map(|it| (it.variable, it.value.clone())).collect();
        let step = self.step(&formulas(&command.guard), &updates);
        let relation = match Term::and(formulas(&command.relation)) {
            relation if relation.is_true() => String::new(),
            relation => format!(" with {}", self.wording.term(&relation)),
        };
        format!(
            "command {}{}{step}{relation}",
            command.name,
            moves.join(",")
        )
    }

    fn interaction(&self, interaction: &Interaction) -> String {
        let ports = interaction
            .participants
            .iter()
            .map(|(process, label)| format!("{}.{label}", self.program.processes[*process].name));
        let ports: Vec<String> = ports.collect();
        let kind = match interaction.is_offered {
            true => "interaction",
            false => "blocking interaction",
        };
        let step = self.step(&interaction.guard, &interaction.transfer);
        format!("{kind} {}: {}{step}", interaction.name, ports.join(", "))
    }
}
