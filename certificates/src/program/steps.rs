//! How many steps a program has, and what they are called.

use super::{Edge, Interaction, Program};
use rustc_hash::FxHashMap;

/// The most edges that all steps of a program's interactions may take together.
pub const MOST_STEPS: usize = 1 << 20;

/// The interactions of a program have too many steps, one for each choice of the participants' edges, or too many participants.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the interactions have more than {MOST_STEPS} steps; the most, {most}, has `{interaction}`"
)]
pub struct TooManySteps {
    /// The interaction whose steps take most.
    pub interaction: String,
    /// How many they take.
    pub most: usize,
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
    /// When they take more than [`MOST_STEPS`] edges.
    pub fn bound_steps(&self) -> Result<(), TooManySteps> {
        let edges = self.edges_by_label();
        let count = |interaction: &Interaction| {
            let participants = interaction.participants.iter();
            let steps = participants.fold(1_usize, |product, (process, label)| {
                let offered = edges.get(&(*process, label.as_str())).map_or(0, Vec::len);
                product.saturating_mul(offered)
            });
            steps.saturating_mul(interaction.participants.len().max(1))
        };
        let offered = self.interactions.iter().filter(|it| it.is_offered);
        let counts: Vec<(usize, &Interaction)> = offered.map(|it| (count(it), it)).collect();
        let sum = counts
            .iter()
            .fold(0_usize, |sum, (count, _)| sum.saturating_add(*count));
        match counts.iter().max_by_key(|(count, _)| *count) {
            Some((most, interaction)) if sum > MOST_STEPS => Err(TooManySteps {
                interaction: interaction.name.clone(),
                most: *most,
            }),
            _ => Ok(()),
        }
    }

    /// The steps of the interactions that can happen, in order, at most [`MOST_STEPS`].
    pub fn steps(&self) -> Vec<Step<'_>> {
        let edges = self.edges_by_label();
        let offered = self.interactions.iter().filter(|it| it.is_offered);
        let steps = offered.flat_map(|interaction| {
            let participants = interaction.participants.iter();
            let mut choices: Vec<Vec<usize>> = vec![Vec::new()];
            for (process, label) in participants {
                let offered = edges.get(&(*process, label.as_str()));
                let offered = offered.map_or(&[][..], Vec::as_slice);
                choices = choices
                    .iter()
                    .flat_map(|taken| offered.iter().map(|edge| [&taken[..], &[*edge]].concat()))
                    .take(MOST_STEPS)
                    .collect();
            }
            choices.into_iter().map(|taken| Step {
                name: self.step_name(interaction, &taken, &edges),
                interaction,
                edges: taken,
            })
        });
        steps.take(MOST_STEPS).collect()
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
