//! Who decides the signs of heights: adaptive precision, in stages from floats to big integers.

use crate::direction::{Operand, SymbolicDirection, height};
use crate::integer::Int;
use crate::number::{Double, Dyadic, Expansion, Filter, Number};
use core::cell::Cell;
use core::cmp::Ordering;
use core::marker::PhantomData;

/// Who decides signs: adaptive precision, or in tests a single kind of number.
pub trait SignOracle {
    /// The sign of `direction · x`.
    fn sign(&self, direction: &SymbolicDirection, x: &Operand) -> Ordering;
}

/// How many signs each stage decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageCounts {
    /// By floats with an error bound, where floats are exact, or without a look at the coordinates.
    pub filter: u32,
    /// By pairs of floats with an error bound.
    pub double: u32,
    /// By expansions.
    pub expansion: u32,
    /// By big integers.
    pub integer: u32,
}

/// Adaptive precision: a stage evaluates a sign only where the one before could not decide it.
///
/// Points outside [`crate::number::in_range`] go to the integers at once, since the other stages would overflow
/// or underflow.
#[derive(Debug, Default)]
pub struct AdaptiveSigns {
    counts: Cell<StageCounts>,
}

impl AdaptiveSigns {
    /// How many signs each stage decided so far.
    pub fn stage_counts(&self) -> StageCounts {
        self.counts.get()
    }

    #[cold]
    fn by_later_stages(&self, direction: &SymbolicDirection, x: &Operand, plain: bool) -> Ordering {
        let mut counts = self.counts.get();
        let decided = if direction.kind.is_zero_by_construction(x) {
            counts.filter += 1;
            Some(Ordering::Equal)
        } else if !plain {
            None
        } else if let Some(sign) = height::<Double>(direction, x).sign() {
            counts.double += 1;
            Some(sign)
        } else {
            let sign = height::<Expansion>(direction, x).sign();
            counts.expansion += u32::from(sign.is_some());
            sign
        };
        let sign = decided.unwrap_or_else(|| {
            counts.integer += 1;
            height::<Dyadic>(direction, x).mantissa().cmp(&Int::ZERO)
        });
        self.counts.set(counts);
        sign
    }
}

impl SignOracle for AdaptiveSigns {
    fn sign(&self, direction: &SymbolicDirection, x: &Operand) -> Ordering {
        let span = direction.kind.span().with(x.span());
        let plain = span.is_plain();
        if plain {
            let height = height::<Filter>(direction, x);
            let sign = if span.is_exact(direction.kind.degree() + 1) {
                height.value().partial_cmp(&0.0)
            } else {
                height.sign()
            };
            if let Some(sign) = sign {
                let mut counts = self.counts.get();
                counts.filter += 1;
                self.counts.set(counts);
                return sign;
            }
        }
        self.by_later_stages(direction, x, plain)
    }
}

/// Signs by one kind of exact number only, for tests: integers against adaptive precision.
#[derive(Debug, Default)]
pub struct Only<N>(PhantomData<N>);

impl<N> Only<N> {
    /// The decider.
    pub fn new() -> Self {
        Self(PhantomData)
    }
}

impl<N: Number> SignOracle for Only<N> {
    /// # Panics  when the number is not exact and cannot decide the sign.
    fn sign(&self, direction: &SymbolicDirection, x: &Operand) -> Ordering {
        height::<N>(direction, x)
            .sign()
            .expect("an exact number has a sign")
    }
}
