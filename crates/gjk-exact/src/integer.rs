//! Floats on one common power-of-two grid, as big integers.
//!
//! Every finite float is an integer times a power of two. With the smallest such power over a whole problem as the
//! grid step, all coordinates become integers and every polynomial in them is exact. Directions and signs do not
//! depend on the grid, so results need no scaling back.

use alloc::vec::Vec;
use core::cmp::Ordering;
use dashu_int::ops::{Abs, BitTest, Gcd, UnsignedAbs};
use dashu_int::{IBig, UBig};

/// The integer type of the exact layer.
pub type Int = IBig;

/// A vector of three integers; planar problems keep the third at zero.
pub type Int3 = [Int; 3];

/// Splits a finite float into `mantissa * 2^exponent` with an odd mantissa (or zero).
///
/// Zero answers exponent `i32::MAX`, so that it never sets the grid.
pub fn decompose(x: f64) -> (i64, i32) {
    let bits = x.to_bits();
    let biased = ((bits >> 52) & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let (mantissa, exponent) = if biased == 0 {
        (fraction, -1074)
    } else {
        (fraction | (1 << 52), biased - 1075)
    };
    if mantissa == 0 {
        return (0, i32::MAX);
    }
    let shift = mantissa.trailing_zeros();
    let mantissa = mantissa >> shift;
    (
        if bits >> 63 == 1 { -mantissa } else { mantissa },
        exponent + shift as i32,
    )
}

/// The float as an integer multiple of `2^grid`; `grid` must not exceed the float's own exponent.
pub fn on_grid(x: f64, grid: i32) -> Int {
    let (mantissa, exponent) = decompose(x);
    if mantissa == 0 {
        Int::ZERO
    } else {
        Int::from(mantissa) << (exponent - grid) as usize
    }
}

/// The finest grid exponent needed by `values` (`i32::MAX` when all are zero).
pub fn grid_of(values: impl Iterator<Item = f64>) -> i32 {
    values.map(|x| decompose(x).1).min().unwrap_or(i32::MAX)
}

/// Finite floats as integers on their finest common grid: each times the same power of two.
pub fn common<const N: usize>(values: &[f64; N]) -> [Int; N] {
    let grid = grid_of(values.iter().copied());
    core::array::from_fn(|k| on_grid(values[k], grid))
}

/// The sign and the magnitude of an integer, in base 2⁶⁴ with the least significant limb first.
pub fn to_limbs(x: &Int) -> (bool, Vec<u64>) {
    let bytes = x.clone().unsigned_abs().to_le_bytes();
    let limb = |chunk: &[u8]| {
        let mut bytes = [0; 8];
        bytes[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(bytes)
    };
    (sign(x).is_lt(), bytes.chunks(8).map(limb).collect())
}

/// The integer of a sign and a magnitude as [`to_limbs`] states them.
pub fn from_limbs(negative: bool, limbs: &[u64]) -> Int {
    let bytes: Vec<u8> = limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect();
    let magnitude = Int::from(UBig::from_le_bytes(&bytes));
    if negative { -magnitude } else { magnitude }
}

/// The greatest common divisor; 1 for zeros only.
pub fn common_factor(numbers: &[Int]) -> Int {
    let nonzero = numbers.iter().filter(|x| !x.is_zero());
    nonzero
        .fold(None, |g: Option<Int>, x| {
            Some(Int::from(g.as_ref().unwrap_or(x).gcd(x)))
        })
        .unwrap_or(Int::ONE)
}

/// `a - b`.
pub fn sub(a: &Int3, b: &Int3) -> Int3 {
    core::array::from_fn(|k| &a[k] - &b[k])
}

/// `-a`.
pub fn neg(a: &Int3) -> Int3 {
    core::array::from_fn(|k| -&a[k])
}

/// `a * s`.
pub fn scale(a: &Int3, s: &Int) -> Int3 {
    core::array::from_fn(|k| &a[k] * s)
}

/// `a · b`.
pub fn dot(a: &Int3, b: &Int3) -> Int {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

/// `a × b`.
pub fn cross(a: &Int3, b: &Int3) -> Int3 {
    [
        &a[1] * &b[2] - &a[2] * &b[1],
        &a[2] * &b[0] - &a[0] * &b[2],
        &a[0] * &b[1] - &a[1] * &b[0],
    ]
}

/// True for the zero vector.
pub fn is_zero(a: &Int3) -> bool {
    a.iter().all(Int::is_zero)
}

/// The sign of an integer as an ordering against zero.
pub fn sign(x: &Int) -> Ordering {
    x.cmp(&Int::ZERO)
}

/// The direction as floats with largest component 1, each within 2⁻⁵² of it; zero stays zero.
pub fn to_float(d: &Int3) -> [f64; 3] {
    let bits = d
        .iter()
        .map(|x| x.clone().abs().bit_len())
        .max()
        .unwrap_or(0);
    let shift = bits.saturating_sub(900);
    let float: [f64; 3] = core::array::from_fn(|k| (d[k].clone() >> shift).to_f64().value());
    let largest = float.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    if largest > 0.0 {
        float.map(|x| x / largest)
    } else {
        float
    }
}
