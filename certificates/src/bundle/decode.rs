//! From JSON to a certificate: formulas are read, references resolved, and everything that is not well-formed is refused with its position.

use super::format::{
    CertificateJson, ClaimJson, DiagramJson, EdgeJson, TraceJson, TransitionJson, UniqueMap,
    VerdictJson,
};
use super::{
    CERTIFICATE_FILE, Malformed, REDUCED_VERSION, SLEEPING_VERSION, VERSION, format_version,
};
use crate::certificate::{Certificate, Claim, Evidence, NamedRelation, Producer, Source};
use crate::diagram::{Diagram, Edge, Node, Region};
use crate::obligations::check_regions;
use crate::reading::read_term;
use crate::smtlib::Scope;
use crate::system::{Property, SymbolRole, System, ValueTable};
use crate::term::{Sort, Symbol, Term, TermMap, Value};
use crate::trace::{Step, Trace, Valuation};
use crate::work::{READING, TooLarge, Work};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// The certificate that the JSON states about the system.
pub(super) fn certificate(
    json: CertificateJson,
    system: &System,
    scope: &Scope,
) -> Result<Certificate, Malformed> {
    let mut decoder = Decoder {
        system,
        scope,
        roles: system.symbol_roles(),
        labels: FxHashMap::default(),
        looked_at: [TermMap::default(), TermMap::default()],
        properties: system.properties.iter().map(|it| (it.index, it)).collect(),
        work: Work::counting(
            "words of numbers, multiplied to bring fractions to lowest terms",
            READING,
        ),
    };
    let names = decoder.names(json.names)?;
    let transitions = decoder.transitions(&json.transitions)?;
    let transition_names: FxHashSet<&str> = transitions
        .iter()
        .map(|transition| transition.name.as_str())
        .collect();
    let diagrams = decoder.diagrams(json.diagrams, &transition_names)?;
    let order = transitions.iter().map(|it| it.name.as_str()).zip(0..);
    let order: FxHashMap<&str, usize> = order.collect();
    for (index, diagram) in diagrams.iter().enumerate() {
        let malformed = |message| Malformed::new(format!("diagrams[{index}]"), message);
        check_regions(diagram, &order).map_err(|fault| malformed(fault.to_string()))?;
    }
    let traces = json
        .traces
        .iter()
        .enumerate()
        .map(|(index, trace)| decoder.trace(trace, &format!("traces[{index}]"), &transition_names))
        .collect::<Result<Vec<Trace>, Malformed>>()?;
    let claims = decoder.claims(json.claims, &diagrams, traces.len())?;
    let certificate = Certificate {
        source: json.source.map_or_else(Source::default, |source| Source {
            file: source.file,
            sha256: source.sha256,
            language: source.language,
            constants: source.constants.0,
        }),
        producer: json
            .producer
            .map_or_else(Producer::default, |producer| Producer {
                name: producer.name,
                version: producer.version,
                engine: producer.engine,
                options: producer.options.0,
            }),
        assumptions: json.assumptions,
        names,
        claims,
        transitions,
        diagrams,
        traces,
    };
    let version = format_version(&certificate);
    if json.version != version {
        return Err(Malformed::new(
            "version",
            format!(
                "expected {version}: the certificate has reduced diagrams in versions {REDUCED_VERSION} and {SLEEPING_VERSION}, transitions that sleep in the latter only, and neither in version {VERSION}"
            ),
        ));
    }
    let too_large = |error: TooLarge| Malformed::new(CERTIFICATE_FILE, error.to_string());
    certificate.check_size(system).map_err(too_large)?;
    Ok(certificate)
}

/// Which symbols a formula may mention.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Allowed {
    StateVariables,
    EverySymbol,
}

struct Decoder<'a> {
    system: &'a System,
    scope: &'a Scope,
    roles: FxHashMap<Symbol, SymbolRole>,
    /// Labels that were read before: nodes share most of their literals.
    labels: FxHashMap<String, Term>,
    /// The parts of formulas that mention no symbol that is not allowed there: formulas share what is defined in the system.
    looked_at: [TermMap<()>; 2],
    /// The properties by their numbers.
    properties: FxHashMap<usize, &'a Property>,
    work: Work,
}

impl Decoder<'_> {
    /// Reads a string as exactly one formula.
    fn formula(&mut self, text: &str, location: &str, allowed: Allowed) -> Result<Term, Malformed> {
        let malformed = |message: String| Malformed::new(location, message);
        let term = read_term(text, location, self.scope)?;
        if term.sort() != Sort::Bool {
            return Err(malformed(format!(
                "expected a formula, but this term has sort {}",
                term.sort()
            )));
        }
        match self.forbidden(&term, allowed) {
            None => Ok(term),
            Some((name, complaint)) => Err(malformed(format!("`{name}` {complaint}"))),
        }
    }

    /// The first symbol, in order, that may not be mentioned, and why.
    fn forbidden(&mut self, term: &Term, allowed: Allowed) -> Option<(String, &'static str)> {
        let mut found: Option<(Symbol, &'static str)> = None;
        let roles = &self.roles;
        term.visit_new(&mut self.looked_at[allowed as usize], &mut |part| {
            let Some(symbol) = part.as_symbol() else {
                return;
            };
            let complaint = match (roles.get(symbol), allowed) {
                (Some(SymbolRole::Current(_)), _) | (Some(_), Allowed::EverySymbol) => return,
                (Some(SymbolRole::Next(_)), Allowed::StateVariables) => {
                    "is a next-state symbol; labels mention state variables only"
                }
                (Some(SymbolRole::Input(_)), Allowed::StateVariables) => {
                    "is an input; labels mention state variables only"
                }
                (None, _) => "is not a symbol of the system",
            };
            if found.as_ref().is_none_or(|(first, _)| symbol < first) {
                found = Some((symbol.clone(), complaint));
            }
        });
        found.map(|(symbol, complaint)| (symbol.name().to_owned(), complaint))
    }

    fn conjuncts(&mut self, texts: Vec<String>, location: &str) -> Result<Vec<Term>, Malformed> {
        let texts = texts.into_iter().enumerate();
        texts
            .map(|(position, text)| self.label(text, &format!("{location}[{position}]")))
            .collect()
    }

    fn label(&mut self, text: String, location: &str) -> Result<Term, Malformed> {
        if let Some(term) = self.labels.get(&text) {
            return Ok(term.clone());
        }
        let term = self.formula(&text, location, Allowed::StateVariables)?;
        self.labels.insert(text, term.clone());
        Ok(term)
    }

    fn names(
        &self,
        names: UniqueMap<super::format::ValueTableJson>,
    ) -> Result<BTreeMap<String, ValueTable>, Malformed> {
        names
            .0
            .into_iter()
            .map(|(key, table)| {
                let is_number = self.scope.symbol(&key).is_some_and(|symbol| {
                    symbol.sort() == Sort::Int
                        && !matches!(self.roles.get(symbol), None | Some(SymbolRole::Next(_)))
                });
                if !is_number {
                    return Err(Malformed::new(
                        format!("names.{key}"),
                        "is not a state variable and no input of sort Int",
                    ));
                }
                Ok((
                    key,
                    ValueTable {
                        name: table.name,
                        values: table.values,
                    },
                ))
            })
            .collect()
    }

    fn transitions(&mut self, list: &[TransitionJson]) -> Result<Vec<NamedRelation>, Malformed> {
        let mut seen = FxHashSet::default();
        list.iter()
            .enumerate()
            .map(|(index, transition)| {
                let location = format!("transitions[{index}]");
                if !seen.insert(transition.name.as_str()) {
                    return Err(Malformed::new(
                        format!("{location}.name"),
                        format!("a second transition is called `{}`", transition.name),
                    ));
                }
                let role = |role: &SymbolRole| matches!(role, SymbolRole::Input(_));
                let inputs =
                    self.symbols(&transition.inputs, &format!("{location}.inputs"), role)?;
                let role = |role: &SymbolRole| matches!(role, SymbolRole::Current(_));
                let frame = self.symbols(&transition.frame, &format!("{location}.frame"), role)?;
                Ok(NamedRelation {
                    name: transition.name.clone(),
                    relation: self.formula(
                        &transition.relation,
                        &format!("{location}.relation"),
                        Allowed::EverySymbol,
                    )?,
                    inputs,
                    frame,
                })
            })
            .collect()
    }

    /// Resolves names of inputs or of state variables.
    fn symbols(
        &self,
        names: &[String],
        location: &str,
        wanted: impl Fn(&SymbolRole) -> bool,
    ) -> Result<Vec<Symbol>, Malformed> {
        names
            .iter()
            .enumerate()
            .map(|(index, name)| {
                self.scope
                    .symbol(name)
                    .filter(|symbol| self.roles.get(symbol).is_some_and(&wanted))
                    .cloned()
                    .ok_or_else(|| {
                        Malformed::new(
                            format!("{location}[{index}]"),
                            format!("the system has no such symbol `{name}`"),
                        )
                    })
            })
            .collect()
    }

    fn diagrams(
        &mut self,
        list: Vec<DiagramJson>,
        transitions: &FxHashSet<&str>,
    ) -> Result<Vec<Diagram>, Malformed> {
        let mut names = FxHashSet::default();
        for (index, diagram) in list.iter().enumerate() {
            if !names.insert(diagram.name.clone()) {
                return Err(Malformed::new(
                    format!("diagrams[{index}].name"),
                    format!("a second diagram is called `{}`", diagram.name),
                ));
            }
        }
        list.into_iter()
            .enumerate()
            .map(|(index, diagram)| {
                let location = format!("diagrams[{index}]");
                let mut assumed = FxHashSet::default();
                for (position, name) in diagram.assumes.iter().enumerate() {
                    if !assumed.insert(name) {
                        return Err(Malformed::new(
                            format!("{location}.assumes[{position}]"),
                            format!("diagram `{name}` is assumed twice"),
                        ));
                    }
                    if !names.contains(name) {
                        return Err(Malformed::new(
                            format!("{location}.assumes[{position}]"),
                            format!("there is no diagram `{name}`"),
                        ));
                    }
                }
                self.diagram(diagram, &location, transitions)
            })
            .collect()
    }

    fn diagram(
        &mut self,
        json: DiagramJson,
        location: &str,
        transitions: &FxHashSet<&str>,
    ) -> Result<Diagram, Malformed> {
        let mut ids = FxHashSet::default();
        let mut nodes = Vec::with_capacity(json.nodes.len());
        for (index, node) in json.nodes.into_iter().enumerate() {
            let location = format!("{location}.nodes[{index}]");
            if !ids.insert(node.id) {
                return Err(Malformed::new(
                    format!("{location}.id"),
                    format!("a second node has the number {}", node.id),
                ));
            }
            let label = self.conjuncts(node.label, &format!("{location}.label"))?;
            nodes.push(Node {
                id: node.id,
                label,
                region: node.region,
                asleep: node.asleep,
            });
        }
        let mut regions = Vec::with_capacity(json.regions.len());
        for (index, region) in json.regions.into_iter().enumerate() {
            let location = format!("{location}.regions[{index}].label");
            let label = self.conjuncts(region.label, &location)?;
            regions.push(Region {
                name: region.name,
                label,
                stubborn: region.stubborn,
                key: region.key,
                independent: region.independent,
            });
        }
        let edges = json
            .edges
            .into_iter()
            .enumerate()
            .map(|(index, json)| {
                edge(
                    json,
                    &format!("{location}.edges[{index}]"),
                    &ids,
                    transitions,
                )
            })
            .collect::<Result<Vec<Edge>, Malformed>>()?;
        Ok(Diagram {
            name: json.name,
            assumes: json.assumes,
            nodes,
            edges,
            regions,
        })
    }

    fn claims(
        &self,
        list: Vec<ClaimJson>,
        diagrams: &[Diagram],
        traces: usize,
    ) -> Result<Vec<Claim>, Malformed> {
        let names: FxHashSet<&str> = diagrams
            .iter()
            .map(|diagram| diagram.name.as_str())
            .collect();
        let mut claimed = FxHashSet::default();
        list.into_iter()
            .enumerate()
            .map(|(index, claim)| {
                let location = format!("claims[{index}]");
                let Some(property) = self.properties.get(&claim.property) else {
                    return Err(Malformed::new(
                        format!("{location}.property"),
                        format!("the system has no property {}", claim.property),
                    ));
                };
                if !claimed.insert(claim.property) {
                    return Err(Malformed::new(
                        format!("{location}.property"),
                        format!("a second claim is about property {}", claim.property),
                    ));
                }
                Ok(Claim {
                    property: claim.property,
                    // What the file calls it may be what another property is called.
                    name: property.name.clone(),
                    evidence: evidence(claim, &location, &names, traces)?,
                })
            })
            .collect()
    }

    fn trace(
        &mut self,
        json: &TraceJson,
        location: &str,
        transitions: &FxHashSet<&str>,
    ) -> Result<Trace, Malformed> {
        if json.states.is_empty() || json.states.len() != json.steps.len() + 1 {
            return Err(Malformed::new(
                format!("{location}.states"),
                format!(
                    "there are {} states and {} steps; there must be one state more than steps",
                    json.states.len(),
                    json.steps.len()
                ),
            ));
        }
        let mut trace = Trace::default();
        for (index, state) in json.states.iter().enumerate() {
            let location = format!("{location}.states[{index}]");
            trace.states.push(self.state(state, &location)?);
        }
        for (index, step) in json.steps.iter().enumerate() {
            let location = format!("{location}.steps[{index}]");
            if !transitions.contains(step.transition.as_str()) {
                return Err(Malformed::new(
                    format!("{location}.transition"),
                    format!("there is no transition `{}`", step.transition),
                ));
            }
            trace.steps.push(Step {
                transition: step.transition.clone(),
                inputs: self.inputs(&step.inputs, &format!("{location}.inputs"))?,
            });
        }
        trace.final_inputs =
            self.inputs(&json.final_inputs, &format!("{location}.final_inputs"))?;
        Ok(trace)
    }

    /// A state gives exactly the state variables.
    fn state(&mut self, json: &UniqueMap<String>, location: &str) -> Result<Valuation, Malformed> {
        let state = self.valuation(json, location, "state variable", |role| {
            matches!(role, SymbolRole::Current(_))
        })?;
        for variable in &self.system.variables {
            if !state.contains_key(variable.name()) {
                return Err(Malformed::new(
                    location,
                    format!("the state gives `{}` no value", variable.name()),
                ));
            }
        }
        Ok(state)
    }

    fn inputs(&mut self, json: &UniqueMap<String>, location: &str) -> Result<Valuation, Malformed> {
        self.valuation(json, location, "input", |role| {
            matches!(role, SymbolRole::Input(_))
        })
    }

    fn valuation(
        &mut self,
        json: &UniqueMap<String>,
        location: &str,
        what: &str,
        wanted: impl Fn(&SymbolRole) -> bool,
    ) -> Result<Valuation, Malformed> {
        json.0
            .iter()
            .map(|(name, text)| {
                let malformed = |message| Malformed::new(format!("{location}.{name}"), message);
                let symbol = self
                    .scope
                    .symbol(name)
                    .filter(|symbol| self.roles.get(symbol).is_some_and(&wanted))
                    .ok_or_else(|| malformed(format!("the system has no such {what}")))?;
                let value = Value::parse(text, symbol.sort())
                    .map_err(|error| malformed(error.to_string()))?;
                self.work
                    .quadratic(&value, &value)
                    .map_err(|error| malformed(error.to_string()))?;
                Ok((name.clone(), value))
            })
            .collect()
    }
}

fn edge(
    json: EdgeJson,
    location: &str,
    nodes: &FxHashSet<usize>,
    transitions: &FxHashSet<&str>,
) -> Result<Edge, Malformed> {
    for (key, node) in [("from", json.from), ("to", json.to)] {
        if !nodes.contains(&node) {
            return Err(Malformed::new(
                format!("{location}.{key}"),
                format!("the diagram has no node {node}"),
            ));
        }
    }
    for (index, name) in json.transitions.iter().enumerate() {
        if !transitions.contains(name.as_str()) {
            return Err(Malformed::new(
                format!("{location}.transitions[{index}]"),
                format!("there is no transition `{name}`"),
            ));
        }
    }
    Ok(Edge {
        from: json.from,
        to: json.to,
        transitions: json.transitions,
    })
}

/// The evidence of a claim: diagrams for safe, a trace for unsafe, neither for unknown.
fn evidence(
    claim: ClaimJson,
    location: &str,
    diagrams: &FxHashSet<&str>,
    traces: usize,
) -> Result<Evidence, Malformed> {
    let malformed =
        |key: &str, message: String| Malformed::new(format!("{location}.{key}"), message);
    if claim.verdict != VerdictJson::Safe && claim.diagrams.is_some() {
        return Err(malformed(
            "diagrams",
            "only a claim that is `safe` names diagrams".to_owned(),
        ));
    }
    if claim.verdict != VerdictJson::Unsafe && claim.trace.is_some() {
        return Err(malformed(
            "trace",
            "only a claim that is `unsafe` names a trace".to_owned(),
        ));
    }
    match claim.verdict {
        VerdictJson::Safe => {
            let names = claim.diagrams.unwrap_or_default();
            if names.is_empty() {
                return Err(malformed(
                    "diagrams",
                    "a claim that is `safe` needs at least one diagram".to_owned(),
                ));
            }
            let mut named = FxHashSet::default();
            for (index, name) in names.iter().enumerate() {
                if !named.insert(name) {
                    return Err(malformed(
                        &format!("diagrams[{index}]"),
                        format!("diagram `{name}` is named twice"),
                    ));
                }
                if !diagrams.contains(name.as_str()) {
                    return Err(malformed(
                        &format!("diagrams[{index}]"),
                        format!("there is no diagram `{name}`"),
                    ));
                }
            }
            Ok(Evidence::Safe(names))
        }
        VerdictJson::Unsafe => match claim.trace {
            Some(index) if index < traces => Ok(Evidence::Unsafe(index)),
            Some(index) => Err(malformed("trace", format!("there is no trace {index}"))),
            None => Err(malformed(
                "trace",
                "a claim that is `unsafe` needs a trace".to_owned(),
            )),
        },
        VerdictJson::Unknown => Ok(Evidence::Unknown(claim.reason.unwrap_or_default())),
    }
}
