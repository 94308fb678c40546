//! The scheduler as `program.json` has it.

use super::{Call, Event, Extent, Scheduler, Signal, Thread, Trigger};
use crate::program::Program;
use crate::program::decode::{Allowed, Reader, each, located};
use crate::reading::Malformed;
use crate::smtlib::print_term;
use crate::term::Sort;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::program) struct SchedulerJson {
    controller: usize,
    threads: Vec<ThreadJson>,
    events: Vec<EventJson>,
    signals: Vec<SignalJson>,
    simulations: Vec<SimulationJson>,
    started: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    remaining: Option<String>,
    calls: Vec<CallJson>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ThreadJson {
    process: usize,
    awake: String,
    waits: Vec<WaitJson>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WaitJson {
    location: usize,
    triggers: Vec<TriggerJson>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum TriggerJson {
    Event(usize),
    Changed(usize),
    Rises(usize),
    Falls(usize),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EventJson {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    delay: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SignalJson {
    name: String,
    current: String,
    next: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SimulationJson {
    location: usize,
    extent: ExtentJson,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ExtentJson {
    All,
    Limited,
    /// With the location that the controller gets to.
    Delta(usize),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CallJson {
    command: usize,
    call: KindJson,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum KindJson {
    NotifyNow(usize),
    NotifyAfter(usize, String),
    Cancel(usize),
    Write(usize, String),
    Start(Option<String>),
}

/// The scheduler of a program as the file has it.
pub(in crate::program) fn json(scheduler: &Scheduler, program: &Program) -> SchedulerJson {
    let name = |variable: usize| program.variables[variable].name().to_owned();
    let threads = scheduler.threads.iter().map(|thread| ThreadJson {
        process: thread.process,
        awake: name(thread.awake),
        waits: {
            let waits = thread.waits.iter().map(|(location, triggers)| WaitJson {
                location: *location,
                triggers: triggers.iter().map(trigger_json).collect(),
            });
            waits.collect()
        },
    });
    let simulations = scheduler.simulations.iter();
    let simulations = simulations.map(|(location, extent)| SimulationJson {
        location: *location,
        extent: match extent {
            Extent::All => ExtentJson::All,
            Extent::Limited => ExtentJson::Limited,
            Extent::Delta { then } => ExtentJson::Delta(*then),
        },
    });
    let calls = scheduler.calls.iter().map(|(command, call)| CallJson {
        command: *command,
        call: match call {
            Call::NotifyNow(event) => KindJson::NotifyNow(*event),
            Call::NotifyAfter(event, delay) => KindJson::NotifyAfter(*event, print_term(delay)),
            Call::Cancel(event) => KindJson::Cancel(*event),
            Call::Write(signal, value) => KindJson::Write(*signal, print_term(value)),
            Call::Start(duration) => KindJson::Start(duration.as_ref().map(print_term)),
        },
    });
    SchedulerJson {
        controller: scheduler.controller,
        threads: threads.collect(),
        events: {
            let events = scheduler.events.iter().map(|event| EventJson {
                name: event.name.clone(),
                delay: event.delay.map(name),
            });
            events.collect()
        },
        signals: {
            let signals = scheduler.signals.iter().map(|signal| SignalJson {
                name: signal.name.clone(),
                current: name(signal.current),
                next: name(signal.next),
            });
            signals.collect()
        },
        simulations: simulations.collect(),
        started: name(scheduler.started),
        remaining: scheduler.remaining.map(name),
        calls: calls.collect(),
    }
}

fn trigger_json(trigger: &Trigger) -> TriggerJson {
    match *trigger {
        Trigger::Event(event) => TriggerJson::Event(event),
        Trigger::Changed(signal) => TriggerJson::Changed(signal),
        Trigger::Rises(signal) => TriggerJson::Rises(signal),
        Trigger::Falls(signal) => TriggerJson::Falls(signal),
    }
}

impl Reader<'_> {
    /// Reads the scheduler of a program whose commands, cut points and properties are known.
    pub(in crate::program) fn scheduler(
        &self,
        json: SchedulerJson,
        program: &Program,
    ) -> Result<Scheduler, Malformed> {
        let variable = |name: &str| self.variable(name, "scheduler");
        let threads = each(json.threads, "scheduler.threads", |thread, pointer| {
            let waits = thread.waits.into_iter().map(|wait| {
                let triggers = wait.triggers.into_iter().map(trigger);
                (wait.location, triggers.collect())
            });
            Ok(Thread {
                process: thread.process,
                awake: self.variable(&thread.awake, pointer)?,
                waits: once(waits, pointer)?,
            })
        })?;
        let events = each(json.events, "scheduler.events", |event, pointer| {
            Ok(Event {
                name: event.name,
                delay: (event.delay.map(|it| self.variable(&it, pointer))).transpose()?,
            })
        })?;
        let signals = each(json.signals, "scheduler.signals", |signal, pointer| {
            Ok(Signal {
                name: signal.name,
                current: self.variable(&signal.current, pointer)?,
                next: self.variable(&signal.next, pointer)?,
            })
        })?;
        let simulations = json.simulations.into_iter().map(|simulation| {
            let extent = match simulation.extent {
                ExtentJson::All => Extent::All,
                ExtentJson::Limited => Extent::Limited,
                ExtentJson::Delta(then) => Extent::Delta { then },
            };
            (simulation.location, extent)
        });
        let calls = each(json.calls, "scheduler.calls", |call, pointer| {
            let read = self.call(call.call, call.command, &signals, program, pointer)?;
            Ok((call.command, read))
        })?;
        Ok(Scheduler {
            controller: json.controller,
            threads,
            simulations: once(simulations, "scheduler.simulations")?,
            started: variable(&json.started)?,
            remaining: json.remaining.as_deref().map(variable).transpose()?,
            calls: once(calls, "scheduler.calls")?,
            events,
            signals,
        })
    }

    fn call(
        &self,
        json: KindJson,
        command: usize,
        signals: &[Signal],
        program: &Program,
        pointer: &str,
    ) -> Result<Call, Malformed> {
        let fault = |message: &str| Malformed::new(located(pointer), message);
        let command = program.commands.get(command);
        let command = command.ok_or_else(|| fault("there is no such command"))?;
        let chosen = Allowed {
            inputs: command.choices.iter().copied().collect(),
            ..Allowed::default()
        };
        let term = |text: &str, sort: Sort| self.term(text, sort, &chosen, pointer);
        Ok(match json {
            KindJson::NotifyNow(event) => Call::NotifyNow(event),
            KindJson::NotifyAfter(event, delay) => {
                Call::NotifyAfter(event, term(&delay, Sort::Int)?)
            }
            KindJson::Cancel(event) => Call::Cancel(event),
            KindJson::Write(signal, value) => {
                let written = signals.get(signal);
                let written = written.ok_or_else(|| fault("there is no such signal"))?;
                let sort = program.variables[written.next].sort();
                Call::Write(signal, term(&value, sort)?)
            }
            KindJson::Start(duration) => {
                let duration = duration.map(|it| term(&it, Sort::Int));
                Call::Start(duration.transpose()?)
            }
        })
    }
}

fn trigger(json: TriggerJson) -> Trigger {
    match json {
        TriggerJson::Event(event) => Trigger::Event(event),
        TriggerJson::Changed(signal) => Trigger::Changed(signal),
        TriggerJson::Rises(signal) => Trigger::Rises(signal),
        TriggerJson::Falls(signal) => Trigger::Falls(signal),
    }
}

/// What a list says of each number, of which it may say something once.
fn once<T>(
    list: impl IntoIterator<Item = (usize, T)>,
    pointer: &str,
) -> Result<BTreeMap<usize, T>, Malformed> {
    let mut known = BTreeMap::new();
    for (number, said) in list {
        if known.insert(number, said).is_some() {
            let message = format!("{number} occurs twice");
            return Err(Malformed::new(located(pointer), message));
        }
    }
    Ok(known)
}
