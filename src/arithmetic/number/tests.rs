use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;
use proptest::prelude::*;

use super::*;

/// Integers around every border of the representation.
fn border() -> impl Strategy<Value = i64> {
    prop_oneof![
        -5i64..6,
        any::<i64>(),
        Just(i64::MAX),
        Just(i64::MAX - 1),
        Just(i64::MIN),
        Just(i64::MIN + 1),
        Just(i64::from(i32::MAX)),
        Just(1i64 << 62),
    ]
}

fn big(numerator: i64, denominator: i64) -> BigRational {
    BigRational::new(BigInt::from(numerator), BigInt::from(denominator))
}

/// Values with their big twin; squared ones lie beyond the small form.
fn value() -> impl Strategy<Value = (Rational, BigRational)> {
    (
        border(),
        border().prop_filter("a denominator", |n| *n != 0),
        any::<bool>(),
    )
        .prop_map(|(above, below, squared)| {
            let wide = big(above, below);
            let wide = if squared { &wide * &wide } else { wide };
            (Rational::from(wide.clone()), wide)
        })
}

fn canonical(value: &Rational, wide: &BigRational) {
    assert_eq!(&value.to_big(), wide);
    assert_eq!(value, &Rational::from(wide.clone()));
    let limit = BigInt::from(i64::MAX);
    let small = wide.numer().magnitude() <= limit.magnitude() && wide.denom() <= &limit;
    assert_eq!(value.is_small(), small);
}

proptest! {
    #[test]
    fn operations_agree_with_big_rationals((a, x) in value(), (b, y) in value(), (c, z) in value()) {
        canonical(&(&a + &b), &(&x + &y));
        canonical(&(&a - &b), &(&x - &y));
        canonical(&(&a * &b), &(&x * &y));
        canonical(&-&a, &-&x);
        canonical(&a.abs(), &x.abs());
        canonical(&a.floor(), &x.floor());
        canonical(&a.ceil(), &x.ceil());
        prop_assert_eq!(a.cmp(&b), x.cmp(&y));
        prop_assert_eq!(a == b, x == y);
        prop_assert_eq!(a.is_integer(), x.is_integer());
        prop_assert_eq!(a.sign(), x.cmp(&BigRational::zero()));
        match a.checked_div(&b) {
            Some(quotient) => canonical(&quotient, &(&x / &y)),
            None => prop_assert!(y.is_zero()),
        }
        let mut sum = a.clone();
        sum.add_product(&b, &c);
        canonical(&sum, &(&x + &y * &z));
        prop_assert_eq!(a.to_string(), x.to_string());
    }

    #[test]
    fn ratios_are_reduced(above in border(), below in border()) {
        match Rational::from(above).checked_div(&Rational::from(below)) {
            Some(value) => canonical(&value, &big(above, below)),
            None => prop_assert_eq!(below, 0),
        }
    }

    #[test]
    fn the_common_divisor_divides_both_and_is_largest((a, _) in value(), (b, _) in value()) {
        let common = a.gcd(&b);
        if common.is_zero() {
            prop_assert!(a.is_zero() && b.is_zero());
        } else {
            let (p, q) = (a.checked_div(&common).unwrap(), b.checked_div(&common).unwrap());
            prop_assert!(common.is_positive() && p.is_integer() && q.is_integer());
            prop_assert!(p.gcd(&q).is_one());
        }
    }
}

#[test]
fn a_rational_takes_two_words() {
    assert_eq!(size_of::<Rational>(), 16);
}

#[test]
fn unreduced_big_values_become_canonical() {
    let raw = BigRational::new_raw(BigInt::from(6), BigInt::from(-4));
    assert_eq!(
        Rational::from(raw),
        Rational::from(-3).checked_div(&Rational::from(2)).unwrap()
    );
}

#[test]
fn ten_thousand_digits_add_and_cancel() {
    let large: BigInt = "9".repeat(10_000).parse().unwrap();
    let value = Rational::from(large);
    assert!(!value.is_small());
    assert_eq!(value.to_string().len(), 10_000);
    let one_more = &value + &Rational::ONE;
    assert!(one_more > value);
    assert_eq!(&one_more - &value, Rational::ONE);
    assert!((&one_more - &value).is_small());
}
