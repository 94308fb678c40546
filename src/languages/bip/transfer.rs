//! Data in interactions: what names stand for in a connector, its own data, its actions, and what is written in the end.

use super::connectors::{Combination, Context, Holder, Named, Names, Offer};
use super::program::Builder;
use super::syntax::Statement;
use super::values::{Environment, Failed, sort_of};
use crate::languages::diagnostics::Category;
use slabcert_certificates::term::{Sort, Symbol, Term};
use std::collections::BTreeMap;
use std::rc::Rc;

impl<'p> Builder<'p, '_> {
    /// What the names in a connector's actions stand for: data of the ports that take part, and its own. Own data starts arbitrary.
    pub fn names(
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
            let named = Named {
                holder,
                sort,
                is_const: data.is_const,
            };
            names.insert(data.name.text.to_string(), named);
        }
        Ok(Rc::new(names))
    }

    /// The values that data of a connector starts with.
    pub fn initial_data(
        &mut self,
        context: &Context<'_, 'p>,
        names: &Names,
        offer: &mut Offer<'p>,
    ) -> Result<(), Failed> {
        for data in &context.connector_type.data {
            let Some(Named { holder, sort, .. }) = names.get(&*data.name.text) else {
                continue;
            };
            let Some(initial) = &data.initial else {
                if data.is_const {
                    let environment = Environment::default();
                    self.constant_data(data, *sort, &environment);
                }
                continue;
            };
            let environment = self.environment(names, offer, |_| false, context.home());
            let value = self.determined(initial, &environment, *sort)?;
            offer.values.insert(holder.clone(), value);
        }
        Ok(())
    }

    /// Whether a term depends on a choice.
    pub fn is_chosen(&self, term: &Term) -> bool {
        let uninitialised = |symbol: &Symbol| self.uninitialised.values().any(|it| it == symbol);
        let symbols = term.symbols();
        symbols
            .iter()
            .any(|symbol| self.inputs.contains_key(symbol) || uninitialised(symbol))
    }

    /// The values that names stand for.
    pub fn environment(
        &mut self,
        names: &Names,
        offer: &Offer<'p>,
        is_writable: impl Fn(&Holder) -> bool,
        connector_type: &str,
    ) -> Environment {
        let mut environment = self.constants_of(connector_type);
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
    pub fn run(
        &mut self,
        (statements, connector_type): (&[Statement], &str),
        names: &Names,
        offer: &mut Offer<'p>,
        is_writable: impl Fn(&Holder) -> bool,
        name: &str,
    ) -> Result<(), Failed> {
        if statements.is_empty() {
            return Ok(());
        }
        let mut environment = self.environment(names, offer, is_writable, connector_type);
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
            let actions = (down.statements, down.connector_type);
            self.run(actions, &down.names, &mut offer, |_| true, &name)?;
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
