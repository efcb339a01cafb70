//! Part of target `ladder`: one expression on every rung of the exact layer's numbers.
//!
//! The bytes are a program for a stack: differences of inputs are pushed, sums, products and negations replace what is on
//! top. The truth is computed in integers of this crate's own.
//!
//! Held: the last rung has the true sign for all finite inputs. For inputs in range (`in_range`) and expressions of
//! degree 5 and 1024 monomials at most: no rung has another sign, and every error bound holds.

use crate::bytes::Bytes;
use crate::exact::Grid;
use core::cmp::Ordering;
use dashu_int::IBig;
use gjk_exact::number::{Double, Dyadic, Expansion, Filter, Number, in_range};

const INPUTS: usize = 6;
const STEPS_MAX: usize = 40;
const DEGREE_MAX: u32 = 5;
const MONOMIALS_MAX: u32 = 1024;

#[derive(Clone, Copy, Debug)]
enum Step {
    Difference(usize, usize),
    Plus,
    Minus,
    Times,
    Negated,
    Copy,
}

fn decode(data: &[u8]) -> ([f64; INPUTS], Vec<Step>) {
    let mut bytes = Bytes::new(data);
    let inputs = core::array::from_fn(|_| bytes.number());
    let mut steps = Vec::new();
    while !bytes.is_empty() && steps.len() < STEPS_MAX {
        steps.push(match bytes.below(8) {
            0..=2 => {
                let both = bytes.below(INPUTS * INPUTS);
                Step::Difference(both / INPUTS, both % INPUTS)
            }
            3 => Step::Plus,
            4 => Step::Minus,
            5 => Step::Times,
            6 => Step::Negated,
            _ => Step::Copy,
        });
    }
    (inputs, steps)
}

/// The inputs and the program.
pub fn describe(data: &[u8]) -> String {
    format!("{:?}", decode(data))
}

/// An exact number of this crate's own, `integer · 2^exponent`.
#[derive(Clone, Debug)]
struct Truth {
    integer: IBig,
    exponent: i64,
}

impl Truth {
    fn float(x: f64) -> Self {
        let grid = Grid::of([&x]);
        Self {
            integer: grid.integer(x),
            exponent: i64::from(grid.0),
        }
    }

    fn plus(&self, other: &Self, sign: i32) -> Self {
        let exponent = self.exponent.min(other.exponent);
        let at = |x: &Self| &x.integer << (x.exponent - exponent) as usize;
        Self {
            integer: at(self) + at(other) * IBig::from(sign),
            exponent,
        }
    }

    fn times(&self, other: &Self) -> Self {
        Self {
            integer: &self.integer * &other.integer,
            exponent: self.exponent + other.exponent,
        }
    }

    fn sign(&self) -> Ordering {
        self.integer.cmp(&IBig::ZERO)
    }
}

/// One value on all rungs, with what bounds its errors.
#[derive(Clone, Debug)]
struct Value {
    truth: Truth,
    filter: Filter,
    double: Double,
    expansion: Expansion,
    dyadic: Dyadic,
    degree: u32,
    monomials: u32,
}

fn difference(a: f64, b: f64) -> Value {
    Value {
        truth: Truth::float(a).plus(&Truth::float(b), -1),
        filter: Filter::difference(a, b),
        double: Double::difference(a, b),
        expansion: Expansion::difference(a, b),
        dyadic: Dyadic::difference(a, b),
        degree: 1,
        monomials: 1,
    }
}

/// The same operation on all rungs; `None` beyond the degree or the monomials that are promised.
fn combine(a: &Value, b: &Value, step: Step) -> Option<Value> {
    let (degree, monomials) = match step {
        Step::Times => (a.degree + b.degree, a.monomials * b.monomials),
        _ => (a.degree.max(b.degree), a.monomials + b.monomials),
    };
    let truth = match step {
        Step::Times => a.truth.times(&b.truth),
        Step::Minus => a.truth.plus(&b.truth, -1),
        _ => a.truth.plus(&b.truth, 1),
    };
    macro_rules! on {
        ($rung:ident) => {
            match step {
                Step::Times => a.$rung.times(&b.$rung),
                Step::Minus => a.$rung.minus(&b.$rung),
                _ => a.$rung.plus(&b.$rung),
            }
        };
    }
    let value = Value {
        truth,
        filter: on!(filter),
        double: on!(double),
        expansion: on!(expansion),
        dyadic: on!(dyadic),
        degree,
        monomials,
    };
    (degree <= DEGREE_MAX && monomials <= MONOMIALS_MAX).then_some(value)
}

/// Evaluates and checks after every step.
pub fn run(data: &[u8]) {
    let (inputs, steps) = decode(data);
    if !inputs.iter().all(|x| x.is_finite()) {
        return;
    }
    let plain = in_range(inputs.into_iter());
    let mut stack: Vec<Value> = Vec::new();
    for step in steps {
        let next = match (step, stack.as_slice()) {
            (Step::Difference(i, j), _) => Some(difference(inputs[i], inputs[j])),
            (Step::Copy, [.., top]) => Some(top.clone()),
            (Step::Negated, [.., top]) => Some(Value {
                truth: Truth {
                    integer: -&top.truth.integer,
                    ..top.truth
                },
                filter: top.filter.negated(),
                double: top.double.negated(),
                expansion: top.expansion.negated(),
                dyadic: top.dyadic.negated(),
                ..*top
            }),
            (Step::Plus | Step::Minus | Step::Times, [.., a, b]) => combine(a, b, step),
            _ => None,
        };
        let Some(value) = next else { continue };
        check(&value, plain);
        let used = match step {
            Step::Difference(..) | Step::Copy => 0,
            Step::Negated => 1,
            _ => 2,
        };
        stack.truncate(stack.len() - used);
        stack.push(value);
    }
}

fn check(value: &Value, plain: bool) {
    let truth = value.truth.sign();
    assert_eq!(value.dyadic.sign(), Some(truth), "the last rung");
    if !plain {
        return;
    }
    let signs = [
        value.filter.sign(),
        value.double.sign(),
        value.expansion.sign(),
    ];
    assert!(
        signs
            .iter()
            .all(|sign| sign.is_none_or(|sign| sign == truth)),
        "{signs:?} for {truth:?}"
    );
    let within = |about: &Truth, error: f64| {
        let miss = about.plus(&value.truth, -1);
        let size = if miss.sign().is_lt() {
            Truth {
                integer: -miss.integer,
                ..miss
            }
        } else {
            miss
        };
        !error.is_finite() || size.plus(&Truth::float(error), -1).sign().is_le()
    };
    assert!(
        value.filter.value().is_finite()
            && within(&Truth::float(value.filter.value()), value.filter.error())
    );
    let (high, low) = value.double.value();
    assert!(
        within(
            &Truth::float(high).plus(&Truth::float(low), 1),
            value.double.error()
        ),
        "{:?}",
        value.double
    );
    let (lower, upper) = value.double.interval();
    assert!(
        value.truth.plus(&Truth::float(lower), -1).sign().is_ge()
            && value.truth.plus(&Truth::float(upper), -1).sign().is_le()
    );
    if let Some(parts) = value.expansion.components() {
        let sum = parts.iter().fold(Truth::float(0.0), |sum, &part| {
            sum.plus(&Truth::float(part), 1)
        });
        assert!(within(&sum, 0.0), "{parts:?}");
    }
}
