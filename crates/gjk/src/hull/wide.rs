//! Signs for coordinates that expansions cannot hold: plain integers, in units of 2⁻¹⁰⁷⁴.
//!
//! Where it sits: called by `cloud.rs` when an axis mixes magnitudes such as 1e-200 and 1. Slow (microseconds a sign) and
//! without any range: every finite `f64` is an integer of at most 2098 bits here.

use super::cloud::decompose;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// A signed integer: little-endian limbs without leading zeros.
#[derive(Clone)]
struct Integer {
    negative: bool,
    limbs: Vec<u32>,
}

/// The exact sign of the turn a, b, c: greater when counter-clockwise.
pub(super) fn wide_turn(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> Ordering {
    let [ax, ay] = differences(a, c);
    let [bx, by] = differences(b, c);
    minor(&ax, &ay, &bx, &by).sign()
}

/// The exact side of `p`: greater when strictly above the plane of a, b, c, whence they appear counter-clockwise.
pub(super) fn wide_above(a: [f64; 3], b: [f64; 3], c: [f64; 3], p: [f64; 3]) -> Ordering {
    let [ux, uy, uz] = differences(b, a);
    let [vx, vy, vz] = differences(c, a);
    let [px, py, pz] = differences(p, a);
    let x = px.times(&minor(&uy, &uz, &vy, &vz));
    let y = py.times(&minor(&uz, &ux, &vz, &vx));
    let z = pz.times(&minor(&ux, &uy, &vx, &vy));
    x.plus(&y).plus(&z).sign()
}

fn differences<const D: usize>(a: [f64; D], b: [f64; D]) -> [Integer; D] {
    core::array::from_fn(|k| Integer::new(a[k]).plus(&Integer::new(-b[k])))
}

/// a·d − b·c.
fn minor(a: &Integer, b: &Integer, c: &Integer, d: &Integer) -> Integer {
    let mut right = b.times(c);
    right.negative = !right.negative;
    a.times(d).plus(&right)
}

impl Integer {
    /// The finite `x` in units of 2⁻¹⁰⁷⁴.
    fn new(x: f64) -> Self {
        let (mantissa, exponent) = decompose(x);
        let shift = (exponent + 1074) as u32; // the exponent is at least -1074
        let mut limbs = alloc::vec![0; (shift / 32) as usize];
        let wide = u128::from(mantissa) << (shift % 32);
        limbs.extend([wide as u32, (wide >> 32) as u32, (wide >> 64) as u32]);
        Self { negative: x < 0.0, limbs }.trimmed()
    }

    fn trimmed(mut self) -> Self {
        while self.limbs.last() == Some(&0) {
            self.limbs.pop();
        }
        self
    }

    fn sign(&self) -> Ordering {
        match (self.limbs.is_empty(), self.negative) {
            (true, _) => Ordering::Equal,
            (false, true) => Ordering::Less,
            (false, false) => Ordering::Greater,
        }
    }

    fn plus(&self, other: &Self) -> Self {
        let (large, small) =
            if magnitude_order(&self.limbs, &other.limbs).is_lt() { (other, self) } else { (self, other) };
        let opposite = large.negative != small.negative;
        let mut limbs = Vec::with_capacity(large.limbs.len() + 1);
        let mut carry = 0_i64;
        for (k, &limb) in large.limbs.iter().enumerate() {
            let term = i64::from(small.limbs.get(k).copied().unwrap_or(0));
            let sum = i64::from(limb) + carry + if opposite { -term } else { term };
            limbs.push(sum as u32); // the low 32 bits, also of a negative sum
            carry = sum >> 32;
        }
        limbs.push(carry as u32); // 0 or 1: the larger magnitude comes first, so no borrow is left
        Self { negative: large.negative, limbs }.trimmed()
    }

    fn times(&self, other: &Self) -> Self {
        let mut limbs = alloc::vec![0_u32; self.limbs.len() + other.limbs.len()];
        for (i, &x) in self.limbs.iter().enumerate().filter(|&(_, &x)| x != 0) {
            let mut carry = 0_u64;
            for (j, &y) in other.limbs.iter().enumerate() {
                let sum = u64::from(x) * u64::from(y) + u64::from(limbs[i + j]) + carry;
                limbs[i + j] = sum as u32;
                carry = sum >> 32;
            }
            limbs[i + other.limbs.len()] = carry as u32; // not yet written by this or an earlier row
        }
        Self { negative: self.negative != other.negative, limbs }.trimmed()
    }
}

fn magnitude_order(a: &[u32], b: &[u32]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
}
