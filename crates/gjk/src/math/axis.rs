//! The coordinate axes by name, where a shape's constructor takes one.

use core::fmt;

/// A coordinate axis of a body's own frame. In 2D there is no [`Axis::Z`]: constructors refuse it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Axis {
    /// The first coordinate.
    X,
    /// The second coordinate.
    Y,
    /// The third coordinate.
    Z,
}

impl Axis {
    /// The axes in the order of the coordinates.
    pub const ALL: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

    /// The number of the coordinate: 0, 1 or 2.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl From<Axis> for usize {
    fn from(axis: Axis) -> Self {
        axis.index()
    }
}

/// File formats number the axes: 0, 1 and 2.
impl TryFrom<usize> for Axis {
    type Error = AxisError;

    fn try_from(index: usize) -> Result<Self, AxisError> {
        Self::ALL.get(index).copied().ok_or(AxisError { index })
    }
}

/// A number that names no axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AxisError {
    /// The number.
    pub index: usize,
}

impl fmt::Display for AxisError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "axis is {}: it must be 0, 1 or 2", self.index)
    }
}

impl core::error::Error for AxisError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_axes_are_the_same_both_ways() {
        for (index, axis) in Axis::ALL.into_iter().enumerate() {
            assert_eq!(
                (Axis::try_from(index), usize::from(axis)),
                (Ok(axis), index)
            );
        }
        assert_eq!(Axis::try_from(3), Err(AxisError { index: 3 }));
    }
}
