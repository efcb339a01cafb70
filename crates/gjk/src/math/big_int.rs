//! Integers of any size, as certificates state them: a sign and a magnitude, to be read, written and compared.
//!
//! There is no arithmetic: a checker brings its own, and takes the magnitude by its limbs or by its digits. The library's
//! own checker is [`crate::verify`].

use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;
use core::str::FromStr;
use gjk_exact::{Int, integer};

/// An integer of any size.
///
/// ```
/// use gjk::query::BigInt;
/// let big: BigInt = "-36893488147419103233".parse().unwrap();
/// assert_eq!((big.is_negative(), big.limbs()), (true, &[1, 2][..]));
/// assert_eq!(big.to_string(), "-36893488147419103233");
/// assert!(big < BigInt::from(7));
/// ```
#[derive(Clone, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "String", try_from = "String")
)]
pub struct BigInt {
    /// False for zero.
    negative: bool,
    /// The magnitude, least significant first; the last is not zero.
    limbs: Vec<u64>,
}

/// Digits that a limb holds, and the power of ten that has so many zeros.
const DIGITS: usize = 19;
const POWER: u64 = 10_u64.pow(DIGITS as u32);

impl BigInt {
    /// The integer of this sign and magnitude, the least significant limb first. Zero has no sign.
    pub fn from_limbs(negative: bool, mut limbs: Vec<u64>) -> Self {
        while limbs.last() == Some(&0) {
            limbs.pop();
        }
        Self {
            negative: negative && !limbs.is_empty(),
            limbs,
        }
    }

    /// The magnitude in base 2⁶⁴, the least significant limb first; empty for zero, and the last limb is never zero.
    pub fn limbs(&self) -> &[u64] {
        &self.limbs
    }

    /// True below zero.
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// True for zero.
    pub fn is_zero(&self) -> bool {
        self.limbs.is_empty()
    }

    /// The exact layer's integer as one of ours.
    pub(crate) fn from_exact(x: &Int) -> Self {
        let (negative, limbs) = integer::to_limbs(x);
        Self::from_limbs(negative, limbs)
    }

    /// The integer as the exact layer computes with it.
    pub(crate) fn to_exact(&self) -> Int {
        integer::from_limbs(self.negative, &self.limbs)
    }
}

macro_rules! from_small {
    ($($t:ty)*) => {$(
        impl From<$t> for BigInt {
            fn from(x: $t) -> Self {
                Self::from_limbs(x < 0, [x.unsigned_abs().into()].into())
            }
        }
    )*};
}
from_small!(i32 i64);

impl From<u64> for BigInt {
    fn from(x: u64) -> Self {
        Self::from_limbs(false, [x].into())
    }
}

impl Ord for BigInt {
    fn cmp(&self, other: &Self) -> Ordering {
        let size = |x: &Self| x.limbs.len();
        let digits = |x: &Self, y: &Self| x.limbs.iter().rev().cmp(y.limbs.iter().rev());
        let larger = |x: &Self, y: &Self| size(x).cmp(&size(y)).then_with(|| digits(x, y));
        match (self.negative, other.negative) {
            (false, false) => larger(self, other),
            (true, true) => larger(other, self),
            (negative, _) => {
                if negative {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
        }
    }
}

impl PartialOrd for BigInt {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for BigInt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        // Long division by a power of ten, from the top; the remainders are groups of digits, the last first.
        let (mut limbs, mut groups) = (self.limbs.clone(), Vec::new());
        while !limbs.is_empty() {
            let mut rest = 0_u128;
            for limb in limbs.iter_mut().rev() {
                let value = rest << 64 | u128::from(*limb);
                *limb = (value / u128::from(POWER)) as u64;
                rest = value % u128::from(POWER);
            }
            groups.push(rest as u64);
            while limbs.last() == Some(&0) {
                limbs.pop();
            }
        }
        let mut digits = String::new();
        write!(digits, "{}", groups.pop().unwrap_or(0))?;
        for group in groups.iter().rev() {
            write!(digits, "{group:0width$}", width = DIGITS)?;
        }
        f.pad_integral(!self.negative, "", &digits)
    }
}

/// The digits: a list of limbs says nothing to a reader.
impl fmt::Debug for BigInt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<BigInt> for String {
    fn from(x: BigInt) -> Self {
        alloc::format!("{x}")
    }
}

/// A text that is no decimal integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BigIntError;

impl fmt::Display for BigIntError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not an integer: decimal digits are expected, and a sign at most")
    }
}

impl core::error::Error for BigIntError {}

impl FromStr for BigInt {
    type Err = BigIntError;

    fn from_str(text: &str) -> Result<Self, BigIntError> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(BigIntError);
        }
        let mut limbs = Vec::new();
        for group in digits.as_bytes().chunks(DIGITS) {
            let mut carry = 0_u128;
            for digit in group {
                carry = carry * 10 + u128::from(digit - b'0');
            }
            let power = u128::from(10_u64.pow(group.len() as u32));
            for limb in &mut limbs {
                let value = u128::from(*limb) * power + carry;
                *limb = value as u64;
                carry = value >> 64;
            }
            limbs.push(carry as u64);
        }
        Ok(Self::from_limbs(negative, limbs))
    }
}

impl TryFrom<String> for BigInt {
    type Error = BigIntError;

    fn try_from(text: String) -> Result<Self, BigIntError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    fn of(text: &str) -> BigInt {
        text.parse().expect("digits")
    }

    #[test]
    fn digits_are_read_and_written() {
        let most = "340282366920938463463374607431768211455"; // 2¹²⁸ − 1
        for text in [
            "0",
            "7",
            "-1",
            "18446744073709551616",
            "10000000000000000000",
            most,
        ] {
            assert_eq!(of(text).to_string(), text);
        }
        assert_eq!(of(most).limbs(), [u64::MAX; 2]);
        let long = "-1".to_string() + &"0".repeat(100) + "23";
        assert_eq!(of(&long).to_string(), long);
        assert_eq!((of("-0"), of("+007")), (BigInt::default(), BigInt::from(7)));
        assert_eq!(BigInt::from(i64::MIN).to_string(), i64::MIN.to_string());
        for text in ["", "-", "+-1", "1e3", "0x1", " 1"] {
            assert_eq!(text.parse::<BigInt>(), Err(BigIntError), "{text:?}");
        }
    }

    #[test]
    fn the_same_digits_come_from_the_exact_layer() {
        let mut x = Int::from(-3);
        for step in 0..70 {
            x = x * Int::from(1_000_003) + Int::from(step);
            assert_eq!(BigInt::from_exact(&x).to_string(), x.to_string());
            assert_eq!(BigInt::from_exact(&x).to_exact(), x);
        }
        assert!(BigInt::from_exact(&Int::ZERO).is_zero());
    }

    #[test]
    fn integers_are_ordered_by_value() {
        let sorted = [
            "-18446744073709551617",
            "-18446744073709551616",
            "-2",
            "0",
            "1",
        ];
        let sorted = sorted
            .into_iter()
            .chain(["18446744073709551615", "18446744073709551616"]);
        let sorted: Vec<BigInt> = sorted.map(of).collect();
        assert!(sorted.is_sorted_by(|x, y| x < y));
        assert!(sorted.iter().rev().is_sorted_by(|x, y| x > y));
    }
}
