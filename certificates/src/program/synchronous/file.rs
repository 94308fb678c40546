//! Synchronous blocks as `program.json` has them.

use super::{
    Arrival, Inside, Level, Member, Preemption, Race, RacePolicy, Synchronous, SynchronousEdge,
};
use crate::program::Edge;
use crate::program::Program;
use crate::program::decode::{Allowed, Reader, each, located, position};
use crate::program::encode::{edge_json, pair};
use crate::program::format::EdgeJson;
use crate::reading::Malformed;
use crate::smtlib::print_term;
use crate::system::SymbolRole;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::program) struct SynchronousJson {
    name: String,
    arrival: ArrivalJson,
    races: RacesJson,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    events: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    levels: Vec<LevelJson>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    raised: Vec<String>,
    members: Vec<MemberJson>,
    edges: Vec<SynchronousEdgeJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unstable: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    position: Option<(u32, u32)>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ArrivalJson {
    Always,
    Stable,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RacesJson {
    Error(Vec<RaceJson>),
    PerVariable(Vec<PreferenceJson>),
    Serial(Vec<RankJson>),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RaceJson {
    name: String,
    variables: Vec<String>,
    flag: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PreferenceJson {
    variable: String,
    process: usize,
    input: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RankJson {
    process: usize,
    input: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LevelJson {
    variable: String,
    input: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MemberJson {
    process: usize,
    start: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    inside: Option<InsideJson>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct InsideJson {
    process: usize,
    location: usize,
    preemption: PreemptionJson,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum PreemptionJson {
    Strong,
    Weak,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SynchronousEdgeJson {
    edge: EdgeJson,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    enabled: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    preference: Option<String>,
}

/// A block of a program as the file has it.
pub(in crate::program) fn json(block: &Synchronous, program: &Program) -> SynchronousJson {
    let variable = |index: usize| program.variables[index].name().to_owned();
    let input = |index: usize| program.inputs[index].symbol.name().to_owned();
    let members = block.members.iter().map(|member| MemberJson {
        process: member.process,
        start: member.start,
        inside: member.inside.map(|inside| InsideJson {
            process: inside.process,
            location: inside.location,
            preemption: match inside.preemption {
                Preemption::Strong => PreemptionJson::Strong,
                Preemption::Weak => PreemptionJson::Weak,
            },
        }),
    });
    let edges = block.edges.iter().map(|edge| SynchronousEdgeJson {
        edge: edge_json(&edge.edge, program),
        enabled: edge.enabled.as_ref().map(print_term),
        preference: edge.preference.map(input),
    });
    let levels = block.levels.iter().map(|level| LevelJson {
        variable: variable(level.variable),
        input: input(level.input),
    });
    SynchronousJson {
        name: block.name.clone(),
        arrival: match block.arrival {
            Arrival::Always => ArrivalJson::Always,
            Arrival::Stable => ArrivalJson::Stable,
        },
        races: races_json(&block.races, &variable, &input),
        events: block.events.iter().copied().map(input).collect(),
        levels: levels.collect(),
        raised: block.raised.iter().copied().map(variable).collect(),
        members: members.collect(),
        edges: edges.collect(),
        unstable: block.unstable.map(variable),
        position: block.position.map(pair),
    }
}

fn races_json(
    races: &RacePolicy,
    variable: &dyn Fn(usize) -> String,
    input: &dyn Fn(usize) -> String,
) -> RacesJson {
    match races {
        RacePolicy::Error(races) => {
            let races = races.iter().map(|race| RaceJson {
                name: race.name.clone(),
                variables: race.variables.iter().copied().map(variable).collect(),
                flag: variable(race.flag),
            });
            RacesJson::Error(races.collect())
        }
        RacePolicy::PerVariable(inputs) => {
            let inputs = inputs.iter().map(|((of, process), number)| PreferenceJson {
                variable: variable(*of),
                process: *process,
                input: input(*number),
            });
            RacesJson::PerVariable(inputs.collect())
        }
        RacePolicy::Serial(inputs) => {
            let inputs = inputs.iter().map(|(process, number)| RankJson {
                process: *process,
                input: input(*number),
            });
            RacesJson::Serial(inputs.collect())
        }
    }
}

impl Reader<'_> {
    /// Reads a block.
    pub(in crate::program) fn synchronous(
        &self,
        json: SynchronousJson,
        program: &Program,
        pointer: &str,
    ) -> Result<Synchronous, Malformed> {
        let events = self.choices(json.events, pointer)?;
        let levels = each(json.levels, pointer, |level, pointer| {
            Ok(Level {
                variable: self.variable(&level.variable, pointer)?,
                input: self.input(&level.input, pointer)?,
            })
        })?;
        let raised = json.raised.iter().map(|it| self.variable(it, pointer));
        let members = json.members.into_iter().map(|member| Member {
            process: member.process,
            start: member.start,
            inside: member.inside.map(|inside| Inside {
                process: inside.process,
                location: inside.location,
                preemption: match inside.preemption {
                    PreemptionJson::Strong => Preemption::Strong,
                    PreemptionJson::Weak => Preemption::Weak,
                },
            }),
        });
        let edges = each(json.edges, &format!("{pointer}.edges"), |edge, pointer| {
            self.synchronous_edge(edge, &events, program, pointer)
        })?;
        Ok(Synchronous {
            name: json.name,
            arrival: match json.arrival {
                ArrivalJson::Always => Arrival::Always,
                ArrivalJson::Stable => Arrival::Stable,
            },
            races: self.races(json.races, pointer)?,
            levels,
            raised: raised.collect::<Result<_, _>>()?,
            members: members.collect(),
            edges,
            unstable: json
                .unstable
                .map(|it| self.variable(&it, pointer))
                .transpose()?,
            position: json.position.map(position),
            events,
        })
    }

    fn input(&self, name: &str, pointer: &str) -> Result<usize, Malformed> {
        match self.scope_role(name) {
            Some(SymbolRole::Input(index)) => Ok(index),
            _ => {
                let message = format!("`{name}` is not an input");
                Err(Malformed::new(located(pointer), message))
            }
        }
    }

    fn races(&self, json: RacesJson, pointer: &str) -> Result<RacePolicy, Malformed> {
        let twice = |pointer: &str| Malformed::new(located(pointer), "it is said twice");
        Ok(match json {
            RacesJson::Error(races) => RacePolicy::Error(each(races, pointer, |race, pointer| {
                let variables = race.variables.iter();
                let variables = variables.map(|it| self.variable(it, pointer));
                Ok(Race {
                    name: race.name,
                    variables: variables.collect::<Result<_, _>>()?,
                    flag: self.variable(&race.flag, pointer)?,
                })
            })?),
            RacesJson::PerVariable(list) => {
                let mut inputs = BTreeMap::new();
                for preference in list {
                    let variable = self.variable(&preference.variable, pointer)?;
                    let input = self.input(&preference.input, pointer)?;
                    if inputs
                        .insert((variable, preference.process), input)
                        .is_some()
                    {
                        return Err(twice(pointer));
                    }
                }
                RacePolicy::PerVariable(inputs)
            }
            RacesJson::Serial(list) => {
                let mut inputs = BTreeMap::new();
                for rank in list {
                    let input = self.input(&rank.input, pointer)?;
                    if inputs.insert(rank.process, input).is_some() {
                        return Err(twice(pointer));
                    }
                }
                RacePolicy::Serial(inputs)
            }
        })
    }

    fn synchronous_edge(
        &self,
        json: SynchronousEdgeJson,
        events: &[usize],
        program: &Program,
        pointer: &str,
    ) -> Result<SynchronousEdge, Malformed> {
        let choices = self.choices(json.edge.choices, pointer)?;
        let events = events.iter().copied();
        let before = Allowed {
            inputs: events.clone().collect(),
            ..Allowed::default()
        };
        let chosen = Allowed {
            inputs: events.chain(choices.iter().copied()).collect(),
            ..Allowed::default()
        };
        let mut written = FxHashSet::default();
        let updates = each(json.edge.updates, pointer, |assignment, pointer| {
            let variable = self.variable(&assignment.variable, pointer)?;
            if !written.insert(variable) {
                let message = format!("`{}` is written twice", assignment.variable);
                return Err(Malformed::new(located(pointer), message));
            }
            let sort = program.variables[variable].sort();
            Ok((
                variable,
                self.term(&assignment.value, sort, &chosen, pointer)?,
            ))
        })?;
        let enabled = json.enabled;
        Ok(SynchronousEdge {
            enabled: enabled
                .map(|text| self.formula(&text, &before, pointer))
                .transpose()?,
            preference: json
                .preference
                .map(|name| self.input(&name, pointer))
                .transpose()?,
            edge: Edge {
                name: json.edge.name,
                process: self
                    .known_process(Some(json.edge.process), pointer)?
                    .unwrap_or(0),
                label: json.edge.label,
                step: json.edge.step,
                guard: each(json.edge.guard, pointer, |text, pointer| {
                    self.formula(&text, &chosen, pointer)
                })?,
                updates,
                choices,
                position: json.edge.position.map(position),
            },
        })
    }
}
