//! How many steps a program has, and what they are called.

use super::{Edge, Interaction, Program};
use rustc_hash::FxHashMap;

/// How many edges and bytes of names all steps of a program's interactions may have together.
pub const MOST_STEPS: usize = 1 << 24;

/// The interactions of a program have too many steps, one for each choice of the participants' edges, or too large ones.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the steps of all interactions amount to more than {MOST_STEPS} edges and bytes of names; most of them has `{interaction}`"
)]
pub struct TooManySteps {
    /// The interaction whose steps amount to most.
    pub interaction: String,
}

/// A step of an interaction.
#[derive(Clone, Debug)]
pub struct Step<'p> {
    /// Its name, unique in the program.
    pub name: String,
    /// The interaction.
    pub interaction: &'p Interaction,
    /// The edges that the participants take, by index, in the order of the participants.
    pub edges: Vec<usize>,
}

impl Program {
    /// The edges that a process offers by a label, by index, in their order.
    pub fn edges_by_label(&self) -> FxHashMap<(usize, &str), Vec<usize>> {
        let mut edges: FxHashMap<(usize, &str), Vec<usize>> = FxHashMap::default();
        for (index, edge) in self.edges.iter().enumerate() {
            if let Some(label) = &edge.label {
                let offered = edges.entry((edge.process, label.as_str())).or_default();
                offered.push(index);
            }
        }
        edges
    }

    /// Whether the steps of the interactions can be listed: there is one for each choice of the participants' edges.
    ///
    /// # Errors
    /// When they amount to more than [`MOST_STEPS`].
    pub fn bound_steps(&self) -> Result<(), TooManySteps> {
        // How many edges a label has, and how much the name of one adds to that of a step.
        let labels: FxHashMap<(usize, &str), (usize, usize)> = self
            .edges_by_label()
            .into_iter()
            .map(|(label, edges)| {
                let names = edges.iter().map(|edge| self.edges[*edge].name.len());
                let process = self.processes[label.0].name.len();
                let added = match edges.len() {
                    1 => 0,
                    _ => names.max().unwrap_or(0) + process + 2,
                };
                (label, (edges.len(), added))
            })
            .collect();
        let amount = |interaction: &Interaction| {
            let (mut steps, mut size) = (1_usize, interaction.name.len());
            for (process, label) in &interaction.participants {
                let (edges, added) = labels
                    .get(&(*process, label.as_str()))
                    .copied()
                    .unwrap_or((0, 0));
                steps = steps.saturating_mul(edges);
                size = size.saturating_add(1 + added);
            }
            steps.saturating_mul(size)
        };
        let offered = self.interactions.iter().filter(|it| it.is_offered);
        let amounts: Vec<(usize, &Interaction)> = offered.map(|it| (amount(it), it)).collect();
        let sum = amounts
            .iter()
            .fold(0_usize, |sum, (amount, _)| sum.saturating_add(*amount));
        match amounts.iter().max_by_key(|(amount, _)| *amount) {
            Some((_, interaction)) if sum > MOST_STEPS => Err(TooManySteps {
                interaction: interaction.name.clone(),
            }),
            _ => Ok(()),
        }
    }

    /// The steps of the interactions that can happen, in order. They are bounded ([`Program::bound_steps`]).
    pub fn steps(&self) -> Vec<Step<'_>> {
        let edges = self.edges_by_label();
        let mut steps = Vec::new();
        for interaction in self.interactions.iter().filter(|it| it.is_offered) {
            let participants = interaction.participants.iter();
            let offered: Option<Vec<&Vec<usize>>> = participants
                .map(|(process, label)| edges.get(&(*process, label.as_str())))
                .collect();
            // Where a label has no edge, there is no step, however many edges the others have.
            let mut choices: Vec<Vec<usize>> = offered.iter().map(|_| Vec::new()).collect();
            for edges in offered.into_iter().flatten() {
                let longer = |taken: &Vec<usize>, edge: &usize| [&taken[..], &[*edge]].concat();
                choices = choices
                    .iter()
                    .flat_map(|taken| edges.iter().map(|edge| longer(taken, edge)))
                    .collect();
            }
            steps.extend(choices.into_iter().map(|taken| Step {
                name: self.step_name(interaction, &taken, &edges),
                interaction,
                edges: taken,
            }));
        }
        steps
    }

    /// What the step of an interaction is called in which the participants take these edges, given by index in the order of the
    /// participants. Where a participant offers several edges by its label, the name says which one it takes.
    pub fn step_name(
        &self,
        interaction: &Interaction,
        taken: &[usize],
        edges: &FxHashMap<(usize, &str), Vec<usize>>,
    ) -> String {
        let mut name = interaction.name.clone();
        for edge in taken.iter().map(|index| &self.edges[*index]) {
            let label = edge.label.as_deref().unwrap_or_default();
            if edges
                .get(&(edge.process, label))
                .is_some_and(|alike| alike.len() > 1)
            {
                let process = &self.processes[edge.process].name;
                name.push_str(&format!(" {process}.{}", edge.name));
            }
        }
        name
    }

    /// What the step of an internal edge is called.
    pub fn edge_name(&self, edge: &Edge) -> String {
        format!("{}.{}", self.processes[edge.process].name, edge.name)
    }
}
