//! Numbers out of bytes, and back.
//!
//! Idea: short codes for the numbers that geometry is sensitive to (small integers, halves, neighbours of integers, far
//! exponents), and one long code for any `f64`. Bytes beyond the end are zero, so every input means something.

/// A reader of bytes.
#[derive(Debug)]
pub struct Bytes<'a> {
    rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    /// Reads from the start of `data`.
    pub fn new(data: &'a [u8]) -> Self {
        Self { rest: data }
    }

    /// What has not been read.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// True when all has been read.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next byte; zero beyond the end.
    pub fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.rest.split_first() else {
            return 0;
        };
        self.rest = rest;
        first
    }

    /// A number below `n`, with `n` at most 256.
    pub fn below(&mut self, n: usize) -> usize {
        usize::from(self.byte()) % n
    }

    fn array<const N: usize>(&mut self) -> [u8; N] {
        core::array::from_fn(|_| self.byte())
    }

    /// A signed byte.
    pub fn small(&mut self) -> f64 {
        f64::from(self.byte() as i8)
    }

    /// Any `f64`, also one that is not finite.
    pub fn number(&mut self) -> f64 {
        match self.byte() % 8 {
            0 | 1 => self.small(),
            2 => self.small() / 16.0,
            3 => f64::from(f32::from_le_bytes(self.array())),
            4 => f64::from_le_bytes(self.array()),
            5 => f64::from(i16::from_le_bytes(self.array())) * power(-i32::from(self.byte() % 64)),
            6 => {
                let (near, steps) = (self.small(), self.byte() as i8);
                near_by(near, steps)
            }
            _ => self.small() * power(i32::from(self.byte() as i8) * 8),
        }
    }

    /// A vector of `dim` numbers.
    pub fn vector(&mut self, dim: usize) -> Vec<f64> {
        (0..dim).map(|_| self.number()).collect()
    }

    /// A point; in the plane its third coordinate is zero.
    pub fn point(&mut self, dim: usize) -> [f64; 3] {
        core::array::from_fn(|k| if k < dim { self.number() } else { 0.0 })
    }
}

/// `2^exponent`, 0 or infinite where there is no such `f64`.
fn power(exponent: i32) -> f64 {
    2f64.powi(exponent)
}

/// The float `steps` floats away from `x`.
fn near_by(x: f64, steps: i8) -> f64 {
    (0..steps.unsigned_abs()).fold(x, |x, _| {
        if steps > 0 {
            x.next_up()
        } else {
            x.next_down()
        }
    })
}

/// Writes what [`Bytes`] reads.
#[derive(Debug, Default)]
pub struct Writer {
    /// The bytes so far.
    pub bytes: Vec<u8>,
}

impl Writer {
    /// One byte.
    pub fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// A number by the shortest code that states it.
    pub fn number(&mut self, x: f64) {
        let is_small = |x: f64| x == f64::from(x as i8) && (x != 0.0 || x.is_sign_positive());
        if is_small(x) {
            self.bytes.extend([0, x as i8 as u8]);
        } else if is_small(x * 16.0) {
            self.bytes.extend([2, (x * 16.0) as i8 as u8]);
        } else if f64::from(x as f32) == x {
            self.byte(3);
            self.bytes.extend((x as f32).to_le_bytes());
        } else {
            self.byte(4);
            self.bytes.extend(x.to_le_bytes());
        }
    }

    /// Numbers, one after the other.
    pub fn numbers(&mut self, all: &[f64]) {
        all.iter().for_each(|&x| self.number(x));
    }
}
