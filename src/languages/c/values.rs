//! Values of expressions as terms, with what is known of their size, and arithmetic as C has it.
//!
//! A value knows between which numbers it lies, if every value that it depends on is in its type. Where a result may leave its type, a
//! condition says that it does not: the value's `checks`.

use super::syntax::{Operator, Type};
use slabcert_certificates::term::{self, Sort, Term, TermError};

/// A term for a truth or a number.
#[derive(Clone, Debug)]
enum What {
    Truth(Term),
    Number(Term),
}

/// A value at a location.
#[derive(Clone, Debug)]
pub(super) struct Value {
    what: What,
    /// The least and the greatest value.
    range: (i64, i64),
    /// What is chosen when the value is taken, by index: such a value is only good for the next edge.
    pub choices: Vec<usize>,
    /// Conditions that no result on the way leaves its type.
    pub checks: Vec<Term>,
}

impl Value {
    pub fn constant(value: i64) -> Value {
        Value::number(Term::int(value), (value, value))
    }

    fn number(term: Term, range: (i64, i64)) -> Value {
        Value {
            what: What::Number(term),
            range,
            choices: Vec::new(),
            checks: Vec::new(),
        }
    }

    pub fn truth(term: Term) -> Value {
        let range = match (term.is_true(), term.is_false()) {
            (true, _) => (1, 1),
            (_, true) => (0, 0),
            _ => (0, 1),
        };
        Value {
            what: What::Truth(term),
            range,
            choices: Vec::new(),
            checks: Vec::new(),
        }
    }

    /// A variable or choice of a type.
    pub fn of(symbol: Term, of: Type) -> Value {
        match symbol.sort() {
            Sort::Bool => Value::truth(symbol),
            _ => Value::number(symbol, of.range()),
        }
    }

    pub fn as_number(&self) -> Term {
        match &self.what {
            What::Number(term) => term.clone(),
            What::Truth(term) => term.clone().ite(Term::int(1), Term::int(0)),
        }
    }

    /// Whether it is not 0.
    pub fn as_truth(&self) -> Term {
        match &self.what {
            What::Truth(term) => term.clone(),
            What::Number(_) if self.range.0 > 0 || self.range.1 < 0 => Term::bool(true),
            What::Number(term) => match term.as_constant() {
                Some(_) => Term::bool(self.range != (0, 0)),
                None => term.clone().equals(Term::int(0)).not(),
            },
        }
    }

    /// As a term of the sort that variables of the type have.
    pub fn stored(&self, of: Type) -> Term {
        match of {
            Type::Bool => self.as_truth(),
            _ => self.as_number(),
        }
    }

    /// How deep the term nests.
    pub fn depth(&self) -> u32 {
        match &self.what {
            What::Truth(term) | What::Number(term) => term.depth(),
        }
    }

    /// The same value with what others have chosen and have to check.
    fn after(mut self, before: [&Value; 2]) -> Value {
        for value in before {
            self.choices.extend(value.choices.iter().copied());
            self.checks.extend(value.checks.iter().cloned());
        }
        self
    }

    /// The value as one of a type: not 0 as `_Bool`, otherwise the same, which has to be in the type.
    pub fn converted(self, of: Type) -> Value {
        match of {
            Type::Bool => {
                let truth = Value::truth(self.as_truth());
                truth.after([&self, &Value::constant(0)])
            }
            _ => self.inside(of),
        }
    }

    /// The value, which has to be in the type.
    fn inside(mut self, of: Type) -> Value {
        let ((low, high), (least, greatest)) = (self.range, of.range());
        if low > greatest || high < least {
            self.checks.push(Term::bool(false));
            return self;
        }
        let number = self.as_number();
        if low < least {
            let check = Term::int(least).less_or_equal(number.clone());
            self.checks.push(check);
        }
        if high > greatest {
            let check = number.less_or_equal(Term::int(greatest));
            self.checks.push(check);
        }
        self.range = (low.max(least), high.min(greatest));
        self
    }

    /// Whether the number is one of these.
    pub fn lies_between(&self, low: i64, high: i64) -> Value {
        let (least, greatest) = self.range;
        if greatest < low || high < least {
            return Value::truth(Term::bool(false));
        }
        if low <= least && greatest <= high {
            return Value::truth(Term::bool(true));
        }
        let bounds = self.as_number().between(&low.into(), &high.into());
        Value::truth(Term::and(bounds))
    }

    pub fn not(self) -> Value {
        let truth = Value::truth(self.as_truth().not());
        truth.after([&self, &Value::constant(0)])
    }

    /// Both, or one of both, where the second one is only looked at if the first one does not decide.
    pub fn and_or(self, mut other: Value, is_and: bool) -> Value {
        let (left, right) = (self.as_truth(), other.as_truth());
        let goes_on = match is_and {
            true => left.clone(),
            false => left.clone().not(),
        };
        other.only_if(&goes_on);
        let whole = match is_and {
            true => Term::and([left, right]),
            false => Term::or([left, right]),
        };
        Value::truth(whole).after([&self, &other])
    }

    /// The first or the second value; only that one is looked at.
    pub fn choose(self, mut then: Value, mut otherwise: Value) -> Value {
        let condition = self.as_truth();
        then.only_if(&condition);
        otherwise.only_if(&condition.clone().not());
        let range = match (condition.is_true(), condition.is_false()) {
            (true, _) => then.range,
            (_, true) => otherwise.range,
            _ => (
                then.range.0.min(otherwise.range.0),
                then.range.1.max(otherwise.range.1),
            ),
        };
        let both = match (&then.what, &otherwise.what) {
            (What::Truth(one), What::Truth(other)) => {
                Value::truth(condition.ite(one.clone(), other.clone()))
            }
            _ => Value::number(
                condition.ite(then.as_number(), otherwise.as_number()),
                range,
            ),
        };
        let both = both.after([&then, &otherwise]);
        both.after([&self, &Value::constant(0)])
    }

    fn only_if(&mut self, condition: &Term) {
        for check in &mut self.checks {
            *check = condition.clone().implies(check.clone());
        }
        self.checks.retain(|it| !it.is_true());
    }

    /// An operator on two numbers; of a product one is a constant, of a quotient the second one, which is not 0.
    ///
    /// # Errors
    /// When the term nests too deep.
    pub fn binary(operator: Operator, left: &Value, right: &Value) -> Result<Value, TermError> {
        let (first, second) = (left.as_number(), right.as_number());
        let ((a, b), (c, d)) = (left.range, right.range);
        let value = match operator {
            Operator::Add => Value::number(
                Term::apply(term::Operator::Add, vec![first, second])?,
                (a + c, b + d),
            ),
            Operator::Subtract if first.as_constant().is_some() && left.range == (0, 0) => {
                Value::number(Term::apply(term::Operator::Negate, vec![second])?, (-d, -c))
            }
            Operator::Subtract => {
                let difference = Term::apply(term::Operator::Subtract, vec![first, second])?;
                Value::number(difference, (a - d, b - c))
            }
            Operator::Multiply => {
                let corners = [a * c, a * d, b * c, b * d];
                let range = bounds(corners);
                let product = Term::apply(term::Operator::Multiply, vec![first, second])?;
                Value::number(product, range)
            }
            Operator::Divide | Operator::Remainder => return divided(operator, left, right),
            Operator::Less | Operator::LessOrEqual | Operator::Equal => {
                return Ok(compared(operator, left, right).after([left, right]));
            }
        };
        Ok(value.folded().inside(Type::Int).after([left, right]))
    }

    /// A number that can only be one is that constant.
    fn folded(self) -> Value {
        match self.range {
            (low, high) if low == high => Value {
                what: What::Number(Term::int(low)),
                ..self
            },
            _ => self,
        }
    }
}

fn bounds(corners: [i64; 4]) -> (i64, i64) {
    let least = corners.into_iter().fold(i64::MAX, i64::min);
    (least, corners.into_iter().fold(i64::MIN, i64::max))
}

/// Whether one is less than, at most, or equal to the other one.
fn compared(operator: Operator, left: &Value, right: &Value) -> Value {
    let ((a, b), (c, d)) = (left.range, right.range);
    if operator == Operator::Equal
        && let (What::Truth(one), Some(_)) = (&left.what, right.as_number().as_constant())
    {
        // A truth is compared with 0 or 1 mostly.
        return Value::truth(match c {
            0 => one.clone().not(),
            1 => one.clone(),
            _ => Term::bool(false),
        });
    }
    let (first, second) = (left.as_number(), right.as_number());
    let (always, never) = match operator {
        Operator::Less => (b < c, a >= d),
        Operator::LessOrEqual => (b <= c, a > d),
        _ => (a == b && (a, b) == (c, d), b < c || d < a),
    };
    Value::truth(match operator {
        _ if always => Term::bool(true),
        _ if never => Term::bool(false),
        Operator::Less => first.less(second),
        Operator::LessOrEqual => first.less_or_equal(second),
        _ => first.equals(second),
    })
}

/// `/` and `%` by a constant, towards zero: SMT-LIB's operators round down for positive divisors.
fn divided(operator: Operator, left: &Value, right: &Value) -> Result<Value, TermError> {
    let ((low, high), divisor) = (left.range, right.range.0);
    let size = Term::int(divisor.abs());
    let (down, sign) = match operator {
        Operator::Divide => (term::Operator::IntegerDivide, divisor.signum()),
        _ => (term::Operator::Modulo, 1),
    };
    let negative = |it: Term| Term::apply(term::Operator::Negate, vec![it]);
    let first = left.as_number();
    let of_positive = Term::apply(down, vec![first.clone(), size.clone()])?;
    let of_negative = negative(Term::apply(down, vec![negative(first.clone())?, size])?)?;
    let towards_zero = match (low >= 0, high < 0) {
        (true, _) => of_positive,
        (_, true) => of_negative,
        _ => {
            let is_positive = Term::int(0).less_or_equal(first.clone());
            is_positive.ite(of_positive, of_negative)
        }
    };
    let term = match sign {
        -1 => negative(towards_zero)?,
        _ => towards_zero,
    };
    let range = match operator {
        Operator::Divide => {
            let (one, other) = (low / divisor, high / divisor);
            let zero = if low <= 0 && 0 <= high { 0 } else { one };
            bounds([one, other, zero, zero])
        }
        _ if low == high => (low % divisor, low % divisor),
        _ => {
            let most = divisor.abs() - 1;
            (low.clamp(-most, 0), high.clamp(0, most))
        }
    };
    let mut value = Value::number(term, range).folded().inside(Type::Int);
    // The remainder of the least number by -1 is 0, but C does not compute it.
    let least = Type::Int.range().0;
    if operator == Operator::Remainder && divisor == -1 && low == least {
        let check = Term::int(least + 1).less_or_equal(first);
        value.checks.push(check);
    }
    Ok(value.after([left, right]))
}
