//! Formulas as propositions of Coq, close to the model's text: negations stand at comparisons only, and a conditional number becomes
//! the cases of its condition. Both keep the meaning, since comparisons of integers, reals and truth values are decidable.

use super::NAME;
use crate::ExportError;
use crate::argument::{Argument, Role, divisor};
use slabcert_certificates::term::{Kind, Operator, Sort, Symbol, Term, Value};

/// How deeply a formula may nest: more is not for people, and Coq's own reader is recursive.
const MOST_LEVELS: u32 = 500;
/// How many symbols and operators a formula may have, written out.
const MOST_NODES: usize = 50_000;
/// How many cases a comparison may have.
const MOST_CASES: usize = 64;

/// A proposition in negation normal form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Proposition {
    Atom(String),
    /// None at all is `True`.
    And(Vec<Proposition>),
    /// None at all is `False`.
    Or(Vec<Proposition>),
}

use Proposition::{And, Atom, Or};

impl Proposition {
    /// The conjuncts of the whole.
    pub(super) fn conjuncts(self) -> Vec<Proposition> {
        match self {
            And(parts) => parts,
            other => vec![other],
        }
    }

    /// How long the text is, about; as many steps are needed to say so.
    fn length(&self) -> usize {
        match self {
            Atom(text) => text.len(),
            And(parts) | Or(parts) => {
                parts.iter().map(Proposition::length).sum::<usize>() + 4 * parts.len() + 4
            }
        }
    }

    fn and(parts: Vec<Proposition>) -> Proposition {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                And(inner) => flat.extend(inner),
                Or(inner) if inner.is_empty() => return Or(Vec::new()),
                other => flat.push(other),
            }
        }
        match flat.len() {
            1 => flat.swap_remove(0),
            _ => And(flat),
        }
    }

    fn or(parts: Vec<Proposition>) -> Proposition {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Or(inner) => flat.extend(inner),
                And(inner) if inner.is_empty() => return And(Vec::new()),
                other => flat.push(other),
            }
        }
        match flat.len() {
            1 => flat.swap_remove(0),
            _ => Or(flat),
        }
    }

    /// The proposition as text; as part of another one, connectives stand in parentheses.
    pub(super) fn text(&self, is_part: bool) -> String {
        let (parts, sign, none) = match self {
            Atom(text) => return text.clone(),
            And(parts) => (parts, " /\\ ", "True"),
            Or(parts) => (parts, " \\/ ", "False"),
        };
        if parts.is_empty() {
            return none.to_owned();
        }
        let texts: Vec<String> = parts.iter().map(|part| part.text(true)).collect();
        let text = texts.join(sign);
        if is_part { format!("({text})") } else { text }
    }
}

/// How tightly the outermost operator of a number binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Sum,
    Product,
    Application,
}

/// A number as text, under conditions.
#[derive(Clone)]
struct Case {
    conditions: Vec<Proposition>,
    text: String,
    binding: Binding,
}

impl Case {
    fn of(text: String, binding: Binding) -> Vec<Case> {
        vec![Case {
            conditions: Vec::new(),
            text,
            binding,
        }]
    }

    fn length(&self) -> usize {
        self.text.len()
            + self
                .conditions
                .iter()
                .map(Proposition::length)
                .sum::<usize>()
    }

    fn inside(&self, binding: Binding) -> String {
        if self.binding < binding {
            format!("({})", self.text)
        } else {
            self.text.clone()
        }
    }
}

/// Writes formulas of one argument.
pub(super) struct FormulaWriter<'a> {
    argument: &'a Argument<'a>,
    nodes: usize,
}

fn unsupported(term: &Term, reason: &'static str) -> ExportError {
    ExportError::unsupported(NAME, term, reason)
}

impl<'a> FormulaWriter<'a> {
    /// The formula as a proposition.
    ///
    /// # Errors
    /// When it has what the tactics `lia` and `lra` do not decide, or is too large to be read.
    pub(super) fn proposition(
        argument: &'a Argument<'a>,
        formula: &Term,
    ) -> Result<Proposition, ExportError> {
        if formula.depth() > MOST_LEVELS {
            return Err(ExportError::TooLarge {
                format: NAME,
                limit: format!("nests more than {MOST_LEVELS} levels deep"),
            });
        }
        FormulaWriter { argument, nodes: 0 }.formula(formula, true)
    }

    /// Counts a node, so that shared terms do not make texts without end.
    fn count(&mut self) -> Result<(), ExportError> {
        self.nodes += 1;
        self.argument.count(NAME, 1)?;
        if self.nodes > MOST_NODES {
            return Err(ExportError::TooLarge {
                format: NAME,
                limit: format!("has more than {MOST_NODES} symbols and operators, written out"),
            });
        }
        Ok(())
    }

    /// The formula, or its negation.
    fn formula(&mut self, term: &Term, is_positive: bool) -> Result<Proposition, ExportError> {
        self.count()?;
        match term.kind() {
            Kind::Constant(Value::Bool(truth)) if *truth == is_positive => Ok(And(Vec::new())),
            Kind::Constant(_) => Ok(Or(Vec::new())),
            Kind::Symbol(symbol) => Ok(Atom(format!("{} = {is_positive}", self.symbol(symbol)?))),
            Kind::Apply(operator, arguments) => {
                self.application(term, *operator, arguments, is_positive)
            }
        }
    }

    fn application(
        &mut self,
        term: &Term,
        operator: Operator,
        arguments: &[Term],
        is_positive: bool,
    ) -> Result<Proposition, ExportError> {
        match (operator, arguments) {
            (Operator::Not, [inner]) => self.formula(inner, !is_positive),
            (Operator::And, _) => self.junction(arguments, is_positive, is_positive),
            (Operator::Or, _) => self.junction(arguments, !is_positive, is_positive),
            (Operator::Implies, [condition, conclusion]) => {
                let parts = vec![
                    self.formula(condition, !is_positive)?,
                    self.formula(conclusion, is_positive)?,
                ];
                Ok(if is_positive {
                    Proposition::or(parts)
                } else {
                    Proposition::and(parts)
                })
            }
            (Operator::Xor, [left, right]) => self.equivalence(left, right, !is_positive),
            (Operator::Ite, [condition, then, otherwise]) => {
                let holds = vec![
                    self.formula(condition, true)?,
                    self.formula(then, is_positive)?,
                ];
                let fails = vec![
                    self.formula(condition, false)?,
                    self.formula(otherwise, is_positive)?,
                ];
                Ok(Proposition::or(vec![
                    Proposition::and(holds),
                    Proposition::and(fails),
                ]))
            }
            (Operator::Distinct, _) => {
                let mut parts = Vec::new();
                for (index, right) in arguments.iter().enumerate() {
                    for left in &arguments[..index] {
                        parts.push(self.equation(left, right, !is_positive)?);
                    }
                }
                Ok(if is_positive {
                    Proposition::and(parts)
                } else {
                    Proposition::or(parts)
                })
            }
            (Operator::Equal, [left, right]) => self.equation(left, right, is_positive),
            (_, [left, right]) => match sign(operator, is_positive) {
                Some(sign) => self.comparison(left, sign, right),
                None => Err(unsupported(term, "is not written as a proposition")),
            },
            _ => Err(unsupported(term, "is beyond what `lia` and `lra` decide")),
        }
    }

    fn junction(
        &mut self,
        arguments: &[Term],
        is_conjunction: bool,
        is_positive: bool,
    ) -> Result<Proposition, ExportError> {
        let mut parts = Vec::new();
        for argument in arguments {
            parts.push(self.formula(argument, is_positive)?);
        }
        Ok(if is_conjunction {
            Proposition::and(parts)
        } else {
            Proposition::or(parts)
        })
    }

    fn equation(
        &mut self,
        left: &Term,
        right: &Term,
        is_positive: bool,
    ) -> Result<Proposition, ExportError> {
        if left.sort() == Sort::Bool {
            self.equivalence(left, right, is_positive)
        } else {
            self.comparison(left, if is_positive { "=" } else { "<>" }, right)
        }
    }

    fn equivalence(
        &mut self,
        left: &Term,
        right: &Term,
        is_positive: bool,
    ) -> Result<Proposition, ExportError> {
        if let (true, Some(left), Some(right)) = (is_positive, left.as_symbol(), right.as_symbol())
        {
            return Ok(Atom(format!(
                "{} = {}",
                self.symbol(left)?,
                self.symbol(right)?
            )));
        }
        for (one, other) in [(left, right), (right, left)] {
            if let Some(Value::Bool(truth)) = one.as_constant() {
                return self.formula(other, *truth == is_positive);
            }
        }
        let mut ways = Vec::new();
        for truth in [true, false] {
            let parts = vec![
                self.formula(left, truth)?,
                self.formula(right, truth == is_positive)?,
            ];
            ways.push(Proposition::and(parts));
        }
        Ok(Proposition::or(ways))
    }

    fn comparison(
        &mut self,
        left: &Term,
        sign: &str,
        right: &Term,
    ) -> Result<Proposition, ExportError> {
        let left_cases = self.side(left, right)?;
        let right_cases = self.side(right, left)?;
        let mut ways = Vec::new();
        for left_case in &left_cases {
            for right_case in &right_cases {
                let text = format!("{} {sign} {}", left_case.text, right_case.text);
                let atom = Atom(match left.sort() {
                    Sort::Real => format!("({text})%R"),
                    _ => text,
                });
                let mut parts = left_case.conditions.clone();
                parts.extend(right_case.conditions.iter().cloned());
                parts.push(atom);
                self.argument
                    .count(NAME, parts.iter().map(Proposition::length).sum())?;
                ways.push(Proposition::and(parts));
            }
        }
        if ways.len() > MOST_CASES {
            return Err(too_many_cases());
        }
        Ok(Proposition::or(ways))
    }

    /// One side of a comparison; a constant is called as the variable on the other side calls it.
    fn side(&mut self, term: &Term, compared: &Term) -> Result<Vec<Case>, ExportError> {
        match self.argument.value_name(compared, term) {
            Some(name) => Ok(Case::of(name.to_owned(), Binding::Application)),
            None => self.number(term),
        }
    }

    fn number(&mut self, term: &Term) -> Result<Vec<Case>, ExportError> {
        self.count()?;
        if let Ok(value) = term.evaluate(&|_: &Symbol| None) {
            return Ok(constant(&value));
        }
        let (operator, arguments) = match term.kind() {
            Kind::Symbol(symbol) => {
                return Ok(Case::of(self.symbol(symbol)?, Binding::Application));
            }
            Kind::Apply(operator, arguments) => (*operator, arguments.as_slice()),
            Kind::Constant(value) => return Ok(constant(value)),
        };
        match (operator, arguments) {
            (Operator::Add, _) => self.chain(arguments, "+", Binding::Sum),
            (Operator::Subtract, [_, _]) => self.chain(arguments, "-", Binding::Sum),
            (Operator::Negate, [_]) => self.map(arguments, &|cases| {
                (
                    format!("- {}", cases[0].inside(Binding::Application)),
                    Binding::Sum,
                )
            }),
            (Operator::Multiply, _) => {
                let factors = arguments.iter().filter(|it| !it.symbols().is_empty());
                if factors.count() > 1 {
                    return Err(unsupported(
                        term,
                        "is not linear: `lia` and `lra` do not decide it",
                    ));
                }
                self.chain(arguments, "*", Binding::Product)
            }
            (Operator::Divide, [_, _]) => self.chain(arguments, "/", Binding::Product),
            (Operator::IntegerDivide | Operator::Modulo, [dividend, constant]) => {
                let (divisor, is_negative) = divisor(constant)
                    .ok_or_else(|| unsupported(term, "has a divisor that is not a constant"))?;
                let dividend = std::slice::from_ref(dividend);
                // Coq's quotient is rounded down, as SMT-LIB's is for a divisor above zero; the remainder does not depend on its sign.
                self.map(dividend, &|cases| {
                    let inner = cases[0].inside(Binding::Application);
                    match (operator, is_negative) {
                        (Operator::Modulo, _) => {
                            (format!("{inner} mod {divisor}"), Binding::Product)
                        }
                        (_, false) => (format!("{inner} / {divisor}"), Binding::Product),
                        (_, true) => (format!("- ({inner} / {divisor})"), Binding::Sum),
                    }
                })
            }
            (Operator::Absolute, [_]) => self.map(arguments, &|cases| {
                (format!("Z.abs ({})", cases[0].text), Binding::Application)
            }),
            (Operator::Ite, [condition, then, otherwise]) => {
                let mut cases = Vec::new();
                for (truth, branch) in [(true, then), (false, otherwise)] {
                    let condition = self.formula(condition, truth)?;
                    for mut case in self.number(branch)? {
                        // What stands under several conditions is copied with all of them.
                        self.argument
                            .count(NAME, condition.length() + case.length())?;
                        case.conditions.insert(0, condition.clone());
                        cases.push(case);
                    }
                }
                bounded(cases)
            }
            _ => Err(unsupported(term, "is beyond what `lia` and `lra` decide")),
        }
    }

    fn chain(
        &mut self,
        arguments: &[Term],
        sign: &str,
        binding: Binding,
    ) -> Result<Vec<Case>, ExportError> {
        let tighter = match binding {
            Binding::Sum => Binding::Product,
            _ => Binding::Application,
        };
        self.map(arguments, &|cases| {
            let mut text = String::new();
            for (index, case) in cases.iter().enumerate() {
                if index == 0 {
                    text.push_str(&case.inside(if case.text.starts_with('-') {
                        tighter
                    } else {
                        binding
                    }));
                } else {
                    text.push_str(&format!(" {sign} {}", case.inside(tighter)));
                }
            }
            (text, binding)
        })
    }

    /// Builds a number for each combination of the arguments' cases.
    fn map(
        &mut self,
        arguments: &[Term],
        build: &dyn Fn(&[Case]) -> (String, Binding),
    ) -> Result<Vec<Case>, ExportError> {
        let mut combinations: Vec<Vec<Case>> = vec![Vec::new()];
        for argument in arguments {
            let cases = self.number(argument)?;
            let mut longer = Vec::new();
            for combination in &combinations {
                for case in &cases {
                    let copied = combination.iter().map(Case::length).sum::<usize>();
                    self.argument.count(NAME, copied + case.length())?;
                    let mut combination = combination.clone();
                    combination.push(case.clone());
                    longer.push(combination);
                }
            }
            combinations = bounded(longer)?;
        }
        Ok(combinations
            .into_iter()
            .map(|combination| {
                let (text, binding) = build(&combination);
                let conditions = combination
                    .into_iter()
                    .flat_map(|case| case.conditions)
                    .collect();
                Case {
                    conditions,
                    text,
                    binding,
                }
            })
            .collect())
    }

    fn symbol(&self, symbol: &Symbol) -> Result<String, ExportError> {
        match self.argument.role(symbol) {
            Some(Role::Current(name)) => Ok(format!("{name} s")),
            Some(Role::Next(name)) => Ok(format!("{name} s'")),
            Some(Role::Input(name)) => Ok(name.to_owned()),
            None => Err(unsupported(
                &Term::symbol(symbol.clone()),
                "is not a symbol of the system",
            )),
        }
    }
}

fn too_many_cases() -> ExportError {
    ExportError::TooLarge {
        format: NAME,
        limit: format!("has a comparison of more than {MOST_CASES} cases"),
    }
}

fn bounded<T>(cases: Vec<T>) -> Result<Vec<T>, ExportError> {
    if cases.len() > MOST_CASES {
        return Err(too_many_cases());
    }
    Ok(cases)
}

fn constant(value: &Value) -> Vec<Case> {
    let text = value.to_string();
    let binding = if text.starts_with('-') {
        Binding::Sum
    } else if text.contains('/') {
        Binding::Product
    } else {
        Binding::Application
    };
    Case::of(text.replace('/', " / "), binding)
}

fn sign(operator: Operator, is_positive: bool) -> Option<&'static str> {
    Some(match (operator, is_positive) {
        (Operator::LessOrEqual, true) | (Operator::Greater, false) => "<=",
        (Operator::Less, true) | (Operator::GreaterOrEqual, false) => "<",
        (Operator::GreaterOrEqual, true) | (Operator::Less, false) => ">=",
        (Operator::Greater, true) | (Operator::LessOrEqual, false) => ">",
        _ => return None,
    })
}
