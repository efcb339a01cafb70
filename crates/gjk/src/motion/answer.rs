//! What a ray's query answers.

use crate::answer::{BigInt, Certificate, Combination, Direction};
use crate::loops::gjk::Stop;
use crate::math::{Interval, Vector};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// How a motion and a body meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub enum Meeting {
    /// There is no contact at any time of the motion.
    Free,
    /// They are apart at the start, and in contact later.
    Hits,
    /// They touch at the start.
    StartsTouching,
    /// They share inner points at the start.
    StartsOverlapping,
    /// They are in contact at the start, and it ends.
    Exits,
    /// A smooth body that floats do not decide.
    Undecided,
}

impl Meeting {
    /// The name in the motion format.
    pub fn name(self) -> &'static str {
        match self {
            Meeting::Free => "free",
            Meeting::Hits => "hits",
            Meeting::StartsTouching => "starts_touching",
            Meeting::StartsOverlapping => "starts_overlapping",
            Meeting::Exits => "exits",
            Meeting::Undecided => "undecided",
        }
    }
}

/// Why the work on a motion ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MotionStop {
    /// A facet that the motion crosses was found, by exact signs.
    Facet,
    /// A plane separates the whole motion from the body.
    SeparatingPlane,
    /// The bounds of the time meet, but for rounding.
    GapClosed,
    /// Integers decided.
    Exact,
    /// The bounds of the time do not meet in this precision.
    TimeResolution,
    /// More steps than the method needs.
    IterationLimit,
    /// The body leaves the range of `f64`; nothing was computed.
    Overflow,
    /// The start decided, and this is why the work on it ended.
    Start(Stop),
}

impl MotionStop {
    /// The name in the motion format.
    pub fn name(self) -> &'static str {
        match self {
            MotionStop::Facet => "facet",
            MotionStop::SeparatingPlane => "separating_plane",
            MotionStop::GapClosed => "gap_closed",
            MotionStop::Exact => "exact",
            MotionStop::TimeResolution => "time_resolution",
            MotionStop::IterationLimit => "iteration_limit",
            MotionStop::Overflow => "overflow",
            MotionStop::Start(stop) => stop.name(),
        }
    }
}

/// The answer of [`crate::query::ray`]. What a verdict does not have is `None`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayAnswer<V: Vector> {
    /// How the ray and the body meet.
    pub verdict: Meeting,
    /// True when the verdict rests on exact signs: for polytopes, rounded or not.
    pub exact: bool,
    /// The time of the verdict, in lengths of the direction: first contact, or the end of contact for [`Meeting::Exits`]; zero for a start in
    /// contact. For [`Meeting::Undecided`] there is no contact before its lower end, and if its upper end is finite there is one until then.
    pub time: Option<Interval<V::Scalar>>,
    /// The time at which contact ends, whether or not the ray goes on so far, where it is known: always where a polytope's verdict has a contact.
    pub exit: Option<Interval<V::Scalar>>,
    /// Unit, outward from the body at the contact (world): a plane with it supports the body there.
    pub normal: Option<V>,
    /// On the body's surface, world frame, at the upper end of `time`; of a start in contact as [`crate::query::contact`] has it.
    pub point_a: Option<V>,
    /// On the ray's, likewise: the same point where the ray has no radius.
    pub point_b: Option<V>,
    /// There is contact, and it is known that no inner point is ever met.
    pub grazing: bool,
    /// Of a start in contact: not positive.
    pub signed_distance: Option<Interval<V::Scalar>>,
    /// Steps of the search.
    pub iterations: u32,
    /// Why the work ended.
    pub stop: MotionStop,
}

impl<V: Vector> RayAnswer<V> {
    /// An answer of which only the verdict is known.
    pub(super) fn bare(verdict: Meeting, exact: bool, stop: MotionStop) -> Self {
        Self {
            verdict,
            exact,
            time: None,
            exit: None,
            normal: None,
            point_a: None,
            point_b: None,
            grazing: false,
            signed_distance: None,
            iterations: 0,
            stop,
        }
    }
}

/// Why a verdict on a ray and a polytope, rounded or not, is true.
///
/// `R` is the sum of the body's radius and the ray's, `x(t)` the place of the ray, and `a` any vertex of the body's core. In a [`Combination`] the
/// second number of each pair is 0: the ray has one vertex.
#[derive(Clone, Debug, PartialEq)]
pub enum RayCertificate {
    /// Of a start in contact: the certificate of the body and the point, as of [`crate::query::prove`].
    Start(Certificate),
    /// `direction · (x(t) − a) > R·|direction|` at the start and at the end, or `direction · v ≥ 0` where there is none.
    Free {
        /// From the body to the ray.
        direction: Direction,
    },
    /// For `R = 0`. The least `direction · (x(t) − a)` is positive at the start and zero at `time`, and the combination of `a − x(time)` is zero. Of a
    /// ray that leaves, it is zero at `time` and `direction · v` is positive.
    Facet {
        /// The facet's outer normal.
        direction: Direction,
        /// The time as a fraction: numerator, and a positive denominator.
        time: [BigInt; 2],
        /// The point hit.
        combination: Combination,
    },
    /// For `R > 0`. The plane separates by more than `R` at the time `outside`, and the motion along the direction is towards the body (of a ray that
    /// leaves, away from it); the point of the combination is within `R` of the ray's place at the time `inside`.
    Rounded {
        /// A time without contact: the lower end, of a ray that leaves the upper one.
        outside: f64,
        /// From the body to the ray.
        before: Direction,
        /// A time in contact.
        inside: f64,
        /// A point of the core.
        after: Combination,
        /// The contact has no float time: the point is within `R` of the line where the line is nearest to it, at the distance `R` for a graze.
        touch: bool,
    },
    /// Of a ray that leaves: it is in contact at the start, and a facet or a plane ends the contact.
    Exit {
        /// Why it is in contact at the start.
        start: Certificate,
        /// Why contact ends where it does.
        end: Box<RayCertificate>,
    },
}

/// The answer of [`crate::query::prove_ray`].
#[derive(Clone, Debug, PartialEq)]
pub struct RayProof<V: Vector> {
    /// What is proved.
    pub answer: RayAnswer<V>,
    /// The vertices of the body's feature that is met: one for a vertex, two for an edge, else the ring of a face. Empty where it is smooth, and where
    /// there is no contact.
    pub feature: Vec<u32>,
    /// Why it is true; `None` for smooth bodies, and for a graze that is passed over.
    pub certificate: Option<RayCertificate>,
}
