//! What is answered about a motion.

use crate::answer::{BigInt, Certificate, Combination, Direction};
use crate::loops::gjk::Stop;
use crate::math::{Interval, Scalar, Vector};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// How two bodies in relative motion meet.
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
    /// So many pieces of the motion are proved as the caller allows.
    PiecesLimit,
    /// A start in contact from which the motion neither parts nor goes deeper by more than rounding.
    Resting,
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
            MotionStop::PiecesLimit => "pieces_limit",
            MotionStop::Resting => "resting",
            MotionStop::Overflow => "overflow",
            MotionStop::Start(stop) => stop.name(),
        }
    }
}

/// The answer of [`crate::query::ray`], of [`crate::query::cast`] and of [`crate::query::toi`]. What a verdict does not have is `None`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastAnswer<V: Vector> {
    /// How they meet.
    pub verdict: Meeting,
    /// True when the verdict rests on exact signs: for polytopes, rounded or not.
    pub exact: bool,
    /// The time of the verdict, of a ray in lengths of its direction: first contact, or the end of contact for [`Meeting::Exits`]; zero for a start in
    /// contact. For [`Meeting::Undecided`] there is no contact before its lower end, and if its upper end is finite there is one until then.
    pub time: Option<Interval<V::Scalar>>,
    /// The time at which contact ends, whether or not the motion goes on so far, where it is known: of a polytope's contact always in the answer on a ray, in a proof, and where
    /// [`MotionOptions::exit`] asks for it.
    ///
    /// [`MotionOptions::exit`]: crate::query::MotionOptions::exit
    pub exit: Option<Interval<V::Scalar>>,
    /// Unit, from A to B at the contact (world): a plane with it supports both bodies there, with the `distance` between them.
    pub normal: Option<V>,
    /// On A's surface, world frame, at the upper end of `time`; of a start in contact as [`crate::query::contact`] has it, of A and of B with a ball of
    /// the radius `distance` swept over it.
    pub point_a: Option<V>,
    /// On B's, likewise; of a ray its place.
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

impl<V: Vector> CastAnswer<V> {
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

    /// The answer of the same bodies in another scalar, intervals rounded outward.
    fn lift<U: Vector>(self) -> CastAnswer<U> {
        let point = |x: Option<V>| x.map(Vector::lift).filter(|x: &U| x.is_finite());
        let interval = |x: Interval<V::Scalar>| outward([x.lower, x.upper].map(Scalar::to_f64));
        CastAnswer {
            verdict: self.verdict,
            exact: self.exact,
            time: self.time.map(interval),
            exit: self.exit.map(interval),
            normal: self.normal.map(Vector::lift),
            point_a: point(self.point_a),
            point_b: point(self.point_b),
            grazing: self.grazing,
            signed_distance: self.signed_distance.map(interval),
            iterations: self.iterations,
            stop: self.stop,
        }
    }
}

/// Numbers rounded outward to the scalar.
pub(super) fn outward<S: Scalar>([lower, upper]: [f64; 2]) -> Interval<S> {
    Interval {
        lower: S::round_down(lower),
        upper: -S::round_down(-upper),
    }
}

/// Why a verdict on two polytopes in motion, rounded or not, is true.
///
/// `R` is the sum of the radii and the distance, `v` the velocity of B less that of A, and `w(t) = b − a + t·v` for any vertices of the cores. A ray is a B
/// of one vertex: in a [`Combination`] the second number of each pair is 0.
#[derive(Clone, Debug, PartialEq)]
pub enum CastCertificate {
    /// Of a start in contact: the certificate of the bodies, B with a ball of the radius `distance` swept over it, as of [`crate::query::prove`].
    Start(Certificate),
    /// `direction · w(t) > R·|direction|` at the start and at the end, or `direction · v ≥ 0` where there is none.
    Free {
        /// From A to B.
        direction: Direction,
    },
    /// For `R = 0`. The least `direction · w(t)` is positive at the start and zero at `time`, and the combination of `w(time)` is zero. Of a
    /// contact that ends, it is zero at `time` and `direction · v` is positive.
    Facet {
        /// The normal of the facet of the difference, from A to B.
        direction: Direction,
        /// The time as a fraction: numerator, and a positive denominator.
        time: [BigInt; 2],
        /// The point in which they meet.
        combination: Combination,
    },
    /// For `R > 0`. The plane separates by more than `R` at the time `outside`, and the motion along the direction closes in (of a contact that
    /// ends, it leads away); the combination of `w` is no longer than `R` at the time `inside`.
    Rounded {
        /// A time without contact: the lower end, of a contact that ends the upper one.
        outside: f64,
        /// From A to B.
        before: Direction,
        /// A time in contact.
        inside: f64,
        /// Points of the cores.
        after: Combination,
        /// The contact has no float time: the combination is no longer than `R` where it is shortest, of the length `R` for a graze.
        touch: bool,
    },
    /// Of bodies that turn: there is no contact on each of the pieces, one after the other, and there is at the end of the time.
    Chain {
        /// The time from which they are proved apart: 0, or later where a start in contact is passed over.
        from: f64,
        /// In the order of time.
        pieces: Vec<ChainPiece>,
        /// Why there is contact after them.
        contact: Option<ChainContact>,
    },
    /// Of bodies that turn and a contact that ends: it is there on each of the pieces, one after the other, and a plane separates later.
    Held {
        /// Why there is contact at the start.
        start: Certificate,
        /// In the order of time.
        pieces: Vec<HeldPiece>,
        /// Why there is no contact after them.
        apart: Apart,
    },
    /// Of a contact that ends: it is there at the start, and a facet or a plane ends it.
    Exit {
        /// Why there is contact at the start.
        start: Certificate,
        /// Why contact ends where it does.
        end: Box<CastCertificate>,
    },
}

/// A part of a motion on which bodies stay in contact.
///
/// With `R` the radii and the distance: at its begin the facets are a closed surface with the origin inside of each, or the combination is shorter than `R`. No difference of two
/// vertices moves on the piece by as much as the nearest facet is from the origin and `R` together, or as the combination is shorter than `R`.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldPiece {
    /// Its end; it begins where the piece before ends, the first one at the time 0.
    pub to: f64,
    /// Why there is contact at its begin.
    pub why: Certificate,
}

/// A plane that separates the bodies, with more than the radii and the distance between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Apart {
    /// When.
    pub time: f64,
    /// From A to B, along the world's axes.
    pub direction: [f64; 3],
}

/// Why bodies that turn are in contact.
#[derive(Clone, Debug, PartialEq)]
pub enum ChainContact {
    /// They overlap.
    Overlap {
        /// When.
        time: f64,
        /// Why, where they are then.
        why: Certificate,
    },
    /// They pass through each other.
    Crossing(Crossing),
}

/// A piece of time in which a point passes through a triangle, or a segment through a segment; in the plane a point through a segment.
///
/// Let `w` be B's vertex less A's, for the pairs of the ring. At the begin and at the end of the piece the volume of the first three `w` (in the plane the area of both) has opposite
/// signs. At all times of it `direction` is on one side of the planes through the origin and each two `w` that follow each other around the ring (in the plane the two `w`
/// are on either side of the line along it). So at some time the origin is in the ring.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossing {
    /// The begin of the piece.
    pub from: f64,
    /// Its end.
    pub to: f64,
    /// Along the world's axes.
    pub direction: [f64; 3],
    /// Pairs of a vertex of A and one of B: the corners of their difference, in order.
    pub ring: Vec<[u32; 2]>,
}

/// A part of a motion on which planes of one direction separate the bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainPiece {
    /// Its end; it begins where the piece before ends.
    pub to: f64,
    /// From A to B, nearly unit, along the world's axes: where the carrier is a body, at the time 0. Of [`Carrier::Edges`] the product of both edges there, of which no length is meant.
    pub direction: [f64; 3],
    /// What the direction turns with.
    pub carrier: Carrier,
}

/// What a direction turns with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// Nothing: it is fixed in the world.
    World,
    /// Body A.
    A,
    /// Body B.
    B,
    /// Both: it is the product of an edge of A and one of B, each from the first vertex to the second.
    Edges([[u32; 2]; 2]),
}

impl Carrier {
    /// The name in the motion format.
    pub fn name(self) -> &'static str {
        match self {
            Carrier::World => "world",
            Carrier::A => "a",
            Carrier::B => "b",
            Carrier::Edges(_) => "edges",
        }
    }
}

/// The answer of [`crate::query::prove_ray`], of [`crate::query::prove_cast`] and of [`crate::query::prove_toi`].
#[derive(Clone, Debug, PartialEq)]
pub struct CastProof<V: Vector> {
    /// What is proved.
    pub answer: CastAnswer<V>,
    /// The vertices of what meets, of each body: one for a vertex, two for an edge, else the ring of a face; of rounded cores those of the points that are
    /// nearest. Empty where it is smooth, and where there is no contact.
    pub features: [Vec<u32>; 2],
    /// Why it is true; `None` for smooth bodies, and for a graze that is passed over.
    pub certificate: Option<CastCertificate>,
}

impl<V: Vector> CastProof<V> {
    /// The same in another scalar.
    pub(super) fn lift<U: Vector>(self) -> CastProof<U> {
        CastProof {
            answer: self.answer.lift(),
            features: self.features,
            certificate: self.certificate,
        }
    }
}
