//! Connectors, multiplied out: which sets of ports come together, what is transferred, and under which guard.
//!
//! In a hierarchy, guards and `up` go from the ports to the top, `down` back again. What an interaction is made of is kept as values
//! of data after the `up` actions, and the `down` actions that are still to run.

use super::components::Compound;
use super::program::{Builder, MOST_INTERACTIONS};
use super::syntax::{self, ConnectorRule, ConnectorType, Define, Name, Statement};
use super::values::{Environment, Failed, sort_of};
use crate::languages::diagnostics::Category;
use crate::languages::source::Span;
use slabcert_certificates::structure::Process;
use slabcert_certificates::term::{Sort, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What the names in actions of a connector stand for.
type Names = BTreeMap<String, Named>;

/// What a name in actions of a connector stands for.
#[derive(Debug, Clone)]
pub(super) struct Named {
    holder: Holder,
    sort: Sort,
    /// Whether no action may change it.
    is_const: bool,
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
    statements: &'p [Statement],
    names: Rc<Names>,
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

    /// What it is for those that it blocks.
    pub fn blocker(&self) -> Blocker {
        Blocker {
            name: self.name.clone(),
            participants: self.participants.clone(),
            guard: self.guard.clone(),
        }
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
type Combination<'o, 'p> = Vec<(&'o syntax::Name, &'o Offer<'p>)>;

impl<'p> Builder<'p, '_> {
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
        let guard = context.rule.and_then(|rule| rule.guard.as_ref());
        if let Some(guard) = guard {
            let environment = self.environment(&names, &offer, |_| false);
            let guard = self.determined(guard, &environment, Sort::Bool)?;
            if self.is_chosen(&guard) {
                let message = "guards that depend on arbitrary values are not supported";
                return self.fault(Category::Unsupported, context.span, message);
            }
            offer.guard.extend(guard.conjuncts());
        }
        let own = |holder: &Holder| matches!(holder, Holder::Connector(number, _) if *number == context.number);
        if let Some(rule) = context.rule {
            self.run(&rule.up, &names, &mut offer, own, context.path)?;
        }
        let down = context.rule.map(|rule| Down {
            statements: &rule.down,
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

    /// What the names in a connector's actions stand for: data of the ports that take part, and its own. Own data starts arbitrary.
    fn names(
        &mut self,
        context: &Context<'_, 'p>,
        combination: &Combination<'_, 'p>,
    ) -> Result<Rc<Names>, Failed> {
        let mut names = BTreeMap::new();
        for (name, (_, part)) in context.names.iter().zip(combination) {
            let of_type = context
                .connector_type
                .parameters
                .iter()
                .find(|(_, own)| own.text == name.text);
            let declared =
                of_type.and_then(|(port_type, _)| self.types.ports.get(&*port_type.text).copied());
            let parameters = declared.map_or(&[][..], |declared| &declared.parameters);
            for (parameter, (holder, sort)) in parameters.iter().zip(&part.shown) {
                let named = Named {
                    holder: holder.clone(),
                    sort: *sort,
                    is_const: parameter.is_const,
                };
                names.insert(format!("{}.{}", name.text, parameter.name.text), named);
            }
        }
        for data in &context.connector_type.data {
            let Some(sort) = sort_of(data.data_type) else {
                return self.fault(
                    Category::Unsupported,
                    data.name.span,
                    "texts are not supported",
                );
            };
            let holder = Holder::Connector(context.number, data.name.text.clone());
            let is_const = false;
            let named = Named {
                holder,
                sort,
                is_const,
            };
            names.insert(data.name.text.to_string(), named);
        }
        Ok(Rc::new(names))
    }

    /// Whether a term depends on a choice.
    fn is_chosen(&self, term: &Term) -> bool {
        let uninitialised = |symbol: &Symbol| self.uninitialised.values().any(|it| it == symbol);
        let symbols = term.symbols();
        symbols
            .iter()
            .any(|symbol| self.inputs.contains_key(symbol) || uninitialised(symbol))
    }

    /// The values that names stand for.
    fn environment(
        &mut self,
        names: &Names,
        offer: &Offer<'p>,
        is_writable: impl Fn(&Holder) -> bool,
    ) -> Environment {
        let mut environment = self.constants.clone();
        for (
            name,
            Named {
                holder,
                sort,
                is_const,
            },
        ) in names
        {
            let value = match (offer.values.get(holder), holder) {
                (Some(value), _) => value.clone(),
                (None, Holder::Variable(variable)) => self.current(*variable),
                (None, Holder::Connector(_, data)) => self.uninitialised(holder, data, *sort),
            };
            match is_writable(holder) && !is_const {
                true => environment.variable(name, value),
                false => environment.constant(name, value),
            }
        }
        environment
    }

    /// Data of a connector that nothing was assigned to: any value, but the same wherever one interaction reads it.
    fn uninitialised(&mut self, holder: &Holder, data: &str, sort: Sort) -> Term {
        if let Some(known) = self.uninitialised.get(holder) {
            return Term::symbol(known.clone());
        }
        let symbol = Symbol::new(self.taken.give(&format!("{data}:any")), sort);
        self.uninitialised.insert(holder.clone(), symbol.clone());
        Term::symbol(symbol)
    }

    /// Runs actions of a connector.
    fn run(
        &mut self,
        statements: &[Statement],
        names: &Names,
        offer: &mut Offer<'p>,
        is_writable: impl Fn(&Holder) -> bool,
        name: &str,
    ) -> Result<(), Failed> {
        if statements.is_empty() {
            return Ok(());
        }
        let mut environment = self.environment(names, offer, is_writable);
        let before = environment.clone();
        let ((), choices) = self.evaluate(name, |evaluator| {
            evaluator.run(statements, &mut environment)
        })?;
        offer.choices.extend(choices);
        for (name, Named { holder, .. }) in names {
            let (Some(old), Some(new)) = (before.values.get(name), environment.values.get(name))
            else {
                continue;
            };
            if old.value.address() != new.value.address() {
                offer.values.insert(holder.clone(), new.value.clone());
            }
        }
        Ok(())
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

    /// What an interaction writes to data of atoms, after all its actions, and the inputs in it.
    #[expect(
        clippy::type_complexity,
        reason = "the parts of an interaction of a program"
    )]
    pub fn transfer(
        &mut self,
        offer: &Offer<'p>,
    ) -> Result<(Vec<(usize, Term)>, Vec<usize>), Failed> {
        let mut offer = offer.clone();
        for down in Rc::clone(&offer.downs).iter() {
            let name = offer.name.clone();
            self.run(down.statements, &down.names, &mut offer, |_| true, &name)?;
        }
        let mut transfer = Vec::new();
        let mut choices = offer.choices.clone();
        for (holder, value) in &offer.values {
            let Holder::Variable(variable) = holder else {
                continue;
            };
            for symbol in value.symbols() {
                if self.uninitialised.values().any(|it| *it == symbol) {
                    self.input(&symbol);
                }
                choices.extend(self.inputs.get(&symbol));
            }
            transfer.push((*variable, value.clone()));
        }
        Ok((transfer, choices.into_iter().collect()))
    }
}

/// Where an interaction is made.
struct Context<'c, 'p> {
    connector_type: &'p ConnectorType,
    rule: Option<&'p ConnectorRule>,
    number: usize,
    path: &'c str,
    /// The ports of the type that take part, in order.
    names: &'c [&'p Name],
    span: Span,
    /// Whether the connector has no other interaction.
    is_single: bool,
}
