//! Connectors, multiplied out: which sets of ports come together, what is transferred, and under which guard.
//!
//! In a hierarchy, guards and `up` go from the ports to the top, `down` back again. What an interaction is made of is kept as values
//! of data after the `up` actions, and the `down` actions that are still to run.

use super::components::Compound;
use super::program::{Builder, MOST_INTERACTIONS};
use super::syntax::{self, ConnectorRule, ConnectorType, Define, Name, Statement};
use super::values::{Failed, sort_of};
use crate::languages::diagnostics::Category;
use crate::languages::source::Span;
use slabcert_certificates::structure::Process;
use slabcert_certificates::term::{Sort, Term};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What the names in actions of a connector stand for.
pub(super) type Names = BTreeMap<String, Named>;

/// What a name in actions of a connector stands for.
#[derive(Debug, Clone)]
pub(super) struct Named {
    pub holder: Holder,
    pub sort: Sort,
    /// Whether no action may change it.
    pub is_const: bool,
}

/// What holds a value: data of an atom, by its variable, or of a connector, by the number of the connector.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Holder {
    Variable(usize),
    Connector(usize, Box<str>),
}

/// An interaction that only blocks others: who takes part, and under which guard.
#[derive(Debug, Clone)]
pub(super) struct Blocker {
    pub name: String,
    pub participants: BTreeMap<usize, String>,
    pub guard: Vec<Term>,
}

/// A set of ports that come together, as far as it is known at some level of a hierarchy.
#[derive(Debug, Clone)]
pub(super) struct Offer<'p> {
    /// `connector:port,...`, or the port alone.
    pub name: String,
    /// The processes with the labels of their edges.
    pub participants: BTreeMap<usize, String>,
    /// The connector's ports that take part, as they are bound.
    pub bound: BTreeSet<Box<str>>,
    pub guard: Vec<Term>,
    /// Values that differ from what they were before.
    pub values: BTreeMap<Holder, Term>,
    /// The type of the port, and what it shows, in the order of the type's parameters.
    pub port_type: &'p str,
    pub shown: Vec<(Holder, Sort)>,
    /// What runs when the interaction happens, in order.
    pub downs: Rc<Vec<Down<'p>>>,
    /// The arbitrary values in it, by index among the inputs.
    pub choices: BTreeSet<usize>,
    pub blockers: Vec<(Rc<Blocker>, Term)>,
    pub span: Span,
}

/// Actions of a connector, and what the names in them stand for.
#[derive(Debug, Clone)]
pub(super) struct Down<'p> {
    pub statements: &'p [Statement],
    /// The name of the connector's type.
    pub connector_type: &'p str,
    pub names: Rc<Names>,
}

impl<'p> Offer<'p> {
    /// Nobody takes part.
    pub fn nothing(span: Span) -> Offer<'p> {
        Offer {
            name: String::new(),
            participants: BTreeMap::new(),
            bound: BTreeSet::new(),
            guard: Vec::new(),
            values: BTreeMap::new(),
            port_type: "",
            shown: Vec::new(),
            downs: Rc::default(),
            choices: BTreeSet::new(),
            blockers: Vec::new(),
            span,
        }
    }

    /// Whether all that take part in the other one take part here by the same ports, and more.
    pub fn contains(&self, other: &Offer<'p>) -> bool {
        self.participants.len() > other.participants.len()
            && other
                .participants
                .iter()
                .all(|(process, label)| self.participants.get(process) == Some(label))
    }
}

/// The sets of ports that a definition allows.
fn sets(define: &Define) -> Option<Vec<BTreeSet<&str>>> {
    match define {
        Define::Port(name) => Some(vec![BTreeSet::from([&*name.text])]),
        Define::Group(members) => {
            let has_triggers = members.iter().any(|(_, is_trigger)| *is_trigger);
            let mut all: Vec<(BTreeSet<&str>, bool)> = vec![(BTreeSet::new(), false)];
            for (member, is_trigger) in members {
                let own = sets(member)?;
                let without = if has_triggers {
                    all.clone()
                } else {
                    Vec::new()
                };
                if all
                    .len()
                    .saturating_mul(own.len())
                    .saturating_add(without.len())
                    > MOST_INTERACTIONS
                {
                    return None;
                }
                let with = all.iter().flat_map(|(set, is_triggered)| {
                    own.iter().map(move |own| {
                        (
                            set.union(own).copied().collect(),
                            *is_triggered || *is_trigger,
                        )
                    })
                });
                let with: Vec<(BTreeSet<&str>, bool)> = with.collect();
                all = [without, with].concat();
            }
            let allowed = all
                .into_iter()
                .filter(|(_, is_triggered)| *is_triggered || !has_triggers);
            Some(allowed.map(|(set, _)| set).collect())
        }
    }
}

/// A choice of what each of some ports offers.
pub(super) type Combination<'o, 'p> = Vec<(&'o syntax::Name, &'o Offer<'p>)>;

impl<'p> Builder<'p, '_> {
    /// What an interaction is for those that it blocks. What gives way in a part, where that exports it, is not there for others: it
    /// blocks nothing, either.
    pub fn blocker(&mut self, offer: &Offer<'p>) -> Blocker {
        let mut guard = offer.guard.clone();
        for (other, condition) in &offer.blockers {
            let labels = other.participants.iter();
            let labels: Vec<Term> = labels
                .map(|(process, label)| self.label_enabled(*process, label))
                .collect();
            let facts = labels.into_iter().chain(other.guard.iter().cloned());
            guard.push(Term::and(facts.chain([condition.clone()])).not());
        }
        guard.retain(|it| !it.is_true());
        Blocker {
            name: offer.name.clone(),
            participants: offer.participants.clone(),
            guard,
        }
    }

    /// Where an atom has an enabled edge with this label.
    fn label_enabled(&mut self, process: usize, label: &str) -> Term {
        let key = (process, label.to_owned());
        if let Some(known) = self.enabled.get(&key) {
            return known.clone();
        }
        let edges = self.program.edges.iter();
        let edges = edges.filter(|it| it.process == process && it.label.as_deref() == Some(label));
        let location = self.program.processes[process].location;
        let enabled = edges.map(|edge| {
            let place = location
                .zip(edge.step)
                .map(|(variable, (from, _))| self.current(variable).equals(Term::int(from as u64)));
            Term::and(place.into_iter().chain(edge.guard.iter().cloned()))
        });
        let enabled = Term::or(enabled.collect::<Vec<Term>>());
        self.enabled.insert(key, enabled.clone());
        enabled
    }

    /// The interactions of a connector.
    pub fn connector(
        &mut self,
        connector: &'p syntax::Connector,
        compound: &Compound<'p>,
        others: &BTreeMap<&str, Vec<Offer<'p>>>,
        path: &str,
    ) -> Result<Vec<Offer<'p>>, Failed> {
        let Some(connector_type) = self
            .types
            .connectors
            .get(&*connector.connector_type.text)
            .copied()
        else {
            return self.unknown("connector type", &connector.connector_type);
        };
        if connector_type.parameters.len() != connector.ports.len() {
            let (wanted, given) = (connector_type.parameters.len(), connector.ports.len());
            let message = format!(
                "`{}` joins {wanted} ports, but {given} are given",
                connector_type.name.text
            );
            return self.fault(Category::Sort, connector.name.span, message);
        }
        let mut offers = Vec::new();
        for ((port_type, _), port) in connector_type.parameters.iter().zip(&connector.ports) {
            let offered = self.bound_to(port, compound, others)?;
            self.check_shown(port_type, port, &offered)?;
            offers.push(offered);
        }
        let Some(sets) = sets(&connector_type.define) else {
            let message =
                format!("this connector type allows more than {MOST_INTERACTIONS} interactions");
            return self.fault(Category::Unsupported, connector_type.name.span, message);
        };
        let number = self.connectors;
        self.connectors += 1;
        self.seen.insert(&connector_type.name.text);
        let path = match path {
            "" => connector.name.text.to_string(),
            _ => format!("{path}.{}", connector.name.text),
        };
        let is_single = sets.len() == 1 && offers.iter().all(|offers| offers.len() == 1);
        let rules: BTreeMap<BTreeSet<&str>, &ConnectorRule> = connector_type
            .rules
            .iter()
            .map(|rule| (rule.ports.iter().map(|it| &*it.text).collect(), rule))
            .collect();
        let mut made = Vec::new();
        for set in sets {
            let takes_part = |name: &&Name| set.contains(&*name.text);
            let names = connector_type.parameters.iter().map(|(_, name)| name);
            let names: Vec<&'p Name> = names.filter(takes_part).collect();
            let rule = rules.get(&set).copied();
            let ports = connector_type
                .parameters
                .iter()
                .zip(&offers)
                .zip(&connector.ports);
            let ports = ports.filter(|(((_, name), _), _)| takes_part(&name));
            let ports = ports.map(|((_, offers), bound)| (bound, &offers[..]));
            let combinations = self.combinations(connector, ports)?;
            for combination in combinations {
                let context = Context {
                    connector_type,
                    rule,
                    number,
                    path: &path,
                    names: &names,
                    span: connector.name.span,
                    is_single,
                };
                made.push(self.joined(&context, &combination)?);
            }
        }
        Ok(made)
    }

    /// All choices of what ports offer, one of each.
    fn combinations<'o>(
        &mut self,
        connector: &syntax::Connector,
        ports: impl Iterator<Item = (&'o Name, &'o [Offer<'p>])>,
    ) -> Result<Vec<Combination<'o, 'p>>, Failed>
    where
        'p: 'o,
    {
        let mut combinations: Vec<Combination<'o, 'p>> = vec![Vec::new()];
        for (bound, offers) in ports {
            let count = combinations.len().saturating_mul(offers.len());
            if count.saturating_add(self.interactions) > MOST_INTERACTIONS {
                let message = format!(
                    "all connectors together have more than {MOST_INTERACTIONS} interactions"
                );
                return self.fault(Category::Unsupported, connector.name.span, message);
            }
            let longer = combinations.iter().flat_map(|taken| {
                let with = |offer| [&taken[..], &[(bound, offer)]].concat();
                offers.iter().map(with)
            });
            combinations = longer.collect();
        }
        self.interactions += combinations.len();
        Ok(combinations)
    }

    /// A bound port has the type that the connector's type says.
    fn check_shown(
        &mut self,
        port_type: &'p Name,
        port: &Name,
        offers: &[Offer<'p>],
    ) -> Result<(), Failed> {
        for offer in offers {
            if offer.port_type != &*port_type.text {
                let (found, wanted) = (offer.port_type, &port_type.text);
                let message = format!(
                    "`{}` has type `{found}`, but `{wanted}` is wanted",
                    port.text
                );
                return self.fault(Category::Sort, port.span, message);
            }
        }
        Ok(())
    }

    /// One interaction: what some ports offer, joined by a connector. No component takes part twice.
    fn joined(
        &mut self,
        context: &Context<'_, 'p>,
        combination: &Combination<'_, 'p>,
    ) -> Result<Offer<'p>, Failed> {
        let mut offer = Offer::nothing(context.span);
        for (bound, part) in combination {
            for (process, label) in &part.participants {
                if offer.participants.insert(*process, label.clone()).is_some() {
                    let name = &self.program.processes[*process].name;
                    let message =
                        format!("this connector binds `{name}` twice, through others perhaps");
                    return self.fault(Category::Name, context.span, message);
                }
            }
            offer.bound.insert(bound.text.clone());
            offer.guard.extend(part.guard.iter().cloned());
            offer.values.extend(part.values.clone());
            offer.choices.extend(&part.choices);
            offer.blockers.extend(part.blockers.iter().cloned());
        }
        let ports = offer
            .participants
            .iter()
            .map(|(process, label)| format!("{}.{label}", self.program.processes[*process].name));
        let ports: Vec<String> = ports.collect();
        offer.name = match context.is_single {
            true => context.path.to_owned(),
            false => format!("{}:{}", context.path, ports.join(",")),
        };
        let names = self.names(context, combination)?;
        self.initial_data(context, &names, &mut offer)?;
        let guard = context.rule.and_then(|rule| rule.guard.as_ref());
        if let Some(guard) = guard {
            let environment = self.environment(&names, &offer, |_| false, context.home());
            let guard = self.determined(guard, &environment, Sort::Bool)?;
            if self.is_chosen(&guard) {
                let message = "guards that depend on arbitrary values are not supported";
                return self.fault(Category::Unsupported, context.span, message);
            }
            offer.guard.extend(guard.conjuncts());
        }
        let own = |holder: &Holder| matches!(holder, Holder::Connector(number, _) if *number == context.number);
        if let Some(rule) = context.rule {
            self.run(
                (&rule.up, context.home()),
                &names,
                &mut offer,
                own,
                context.path,
            )?;
        }
        let down = context.rule.map(|rule| Down {
            statements: &rule.down,
            connector_type: context.home(),
            names: Rc::clone(&names),
        });
        let inner = combination
            .iter()
            .flat_map(|(_, part)| part.downs.iter().cloned());
        offer.downs = Rc::new(down.into_iter().chain(inner).collect());
        if let Some(port) = &context.connector_type.export {
            offer.port_type = &port.port_type.text;
            offer.shown = port
                .data
                .iter()
                .filter_map(|data| names.get(&*data.text))
                .map(|named| (named.holder.clone(), named.sort))
                .collect();
        }
        Ok(offer)
    }

    /// Checks the actions of a connector type that no connector has, on components that show what its ports show.
    ///
    /// # Errors
    /// When there is a fault.
    pub fn try_connector(&mut self, connector_type: &'p ConnectorType) -> Result<(), Failed> {
        let mut offers = Vec::new();
        for (process, (port_type, name)) in connector_type.parameters.iter().enumerate() {
            let Some(declared) = self.types.ports.get(&*port_type.text).copied() else {
                return self.unknown("port type", port_type);
            };
            let mut shown = Vec::new();
            for parameter in &declared.parameters {
                let Some(sort) = sort_of(parameter.data_type) else {
                    return self.fault(
                        Category::Unsupported,
                        parameter.name.span,
                        "texts are not supported",
                    );
                };
                let variable = self.variable(&parameter.name.text, sort, None);
                shown.push((Holder::Variable(variable), sort));
            }
            self.program.processes.push(Process {
                name: name.text.to_string(),
                family: 0,
                indices: Vec::new(),
                location: None,
            });
            offers.push(Offer {
                participants: BTreeMap::from([(process, name.text.to_string())]),
                port_type: &port_type.text,
                shown,
                ..Offer::nothing(name.span)
            });
        }
        for rule in &connector_type.rules {
            let taking_part = connector_type.parameters.iter().zip(&offers);
            let taking_part = taking_part
                .filter(|((_, name), _)| rule.ports.iter().any(|port| port.text == name.text));
            let (names, combination): (Vec<&'p Name>, Combination<'_, 'p>) = taking_part
                .map(|((_, name), offer)| (name, (name, offer)))
                .unzip();
            let context = Context {
                connector_type,
                rule: Some(rule),
                number: 0,
                path: &connector_type.name.text,
                names: &names,
                span: connector_type.name.span,
                is_single: true,
            };
            let offer = self.joined(&context, &combination)?;
            self.transfer(&offer)?;
        }
        Ok(())
    }
}

/// Where an interaction is made.
pub(super) struct Context<'c, 'p> {
    pub connector_type: &'p ConnectorType,
    pub rule: Option<&'p ConnectorRule>,
    pub number: usize,
    pub path: &'c str,
    /// The ports of the type that take part, in order.
    pub names: &'c [&'p Name],
    pub span: Span,
    /// Whether the connector has no other interaction.
    pub is_single: bool,
}

impl<'p> Context<'_, 'p> {
    /// The name of the connector's type, from which follows what constants are known.
    pub fn home(&self) -> &'p str {
        &self.connector_type.name.text
    }
}
