//! What a batch wants of every pair.

/// What a batch wants to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// The verdict alone.
    Verdict,
    /// The verdict, and the distance of separated pairs.
    Distance,
    /// The distance of separated pairs and the depth of overlapping ones.
    Contact,
}

impl Request {
    /// Whether numbers are wanted of separated pairs.
    #[inline(always)]
    pub(crate) fn wants_distance(self) -> bool {
        self != Self::Verdict
    }

    /// Whether numbers are wanted of overlapping pairs.
    #[inline(always)]
    pub(crate) fn wants_depth(self) -> bool {
        self == Self::Contact
    }
}
