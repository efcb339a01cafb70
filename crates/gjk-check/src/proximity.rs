//! Parts in the world, and what is found for two bodies.

use crate::broad_phase::Aabb;
use crate::parts::Part;
use gjk::query::Verdict;
use gjk::shape::Shape;
use gjk::{Pose3, Stop, Vec3};
use gjk_mesh::{PosedBody, Relation};
use std::sync::OnceLock;

/// A part in the world.
pub(crate) struct Placed<'a> {
    /// Its shape.
    pub(crate) shape: &'a Shape<Vec3<f64>>,
    /// The part.
    pub(crate) part: &'a Part,
    /// Its surface in the world, once it is needed.
    pub(crate) surface: OnceLock<Option<PosedBody<'a>>>,
    /// Its pose.
    pub(crate) pose: Pose3<f64>,
    /// A box around it.
    pub(crate) bounds: Aabb,
    /// The scene's body that it belongs to.
    pub(crate) scene_body: usize,
}

impl<'a> Placed<'a> {
    /// The part's surface at its pose; `None` for shapes that have none.
    pub(crate) fn surface(&self) -> Option<&PosedBody<'a>> {
        let surface = || Some(self.part.surface.as_ref()?.at(&self.pose));
        self.surface.get_or_init(surface).as_ref()
    }
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchStop {
    /// A query of two convex shapes ended so.
    Query(Stop),
    /// The depth of the hulls bounds that of the parts; how deep these are at least was not measured.
    HullDepth,
    /// So many pairs of triangles were as near that the search gave up.
    TriangleLimit,
}

impl SearchStop {
    /// The name in the report's format.
    pub fn name(self) -> &'static str {
        match self {
            Self::Query(stop) => stop.name(),
            Self::HullDepth => "hull_depth",
            Self::TriangleLimit => "triangle_limit",
        }
    }
}

/// What was found for two bodies.
#[derive(Clone, Copy, Debug)]
pub struct Proximity {
    /// The relation.
    pub verdict: Verdict,
    /// True when the verdict is proved for the shapes as rounded.
    pub exact: bool,
    /// A lower bound of the signed distance.
    pub lower: f64,
    /// An upper bound of the signed distance.
    pub upper: f64,
    /// Unit, from the first body to the second.
    pub normal: [f64; 3],
    /// On the first body's surface.
    pub point_a: [f64; 3],
    /// On the second body's surface.
    pub point_b: [f64; 3],
    /// Why the search ended that left the interval as wide as it is.
    pub stop: SearchStop,
    /// The parts where it was found.
    pub parts: (usize, usize),
    /// How the bodies are to each other; `None` where that cannot be told: smooth shapes inside of others, bodies in several pieces.
    pub relation: Option<Relation>,
    /// Whether the bodies' poses are one, so that their surfaces were compared in their own frame.
    pub flush: bool,
}

/// An interval that is wider than this part of its larger end is wide: people see two numbers, and want a reason.
const WIDE_RELATIVE: f64 = 1e-6;

/// Overlaps that are this part of their coordinates are taken to come from rounding: 1e4 roundings of a double, and far less
/// than anyone can make.
const ROUNDING_DEPTH: f64 = 1e-12;

impl Proximity {
    /// The same, of bodies whose poses are one or not.
    pub(crate) fn flush(self, flush: bool) -> Self {
        Self { flush, ..self }
    }

    /// True where the ends of the interval differ in the first six digits.
    pub fn is_wide(&self) -> bool {
        self.upper - self.lower > WIDE_RELATIVE * self.lower.abs().max(self.upper.abs())
    }

    /// The touch band that calls an overlap touching, where the overlap is no deeper than the rounding of its coordinates.
    pub fn rounding_band(&self) -> Option<f64> {
        let size = self.point_a.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let band = ROUNDING_DEPTH * size;
        (self.verdict == Verdict::Overlapping && -self.lower <= band).then_some(band)
    }
}

/// The order of verdicts, the most severe first.
pub fn severity(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Overlapping => 0,
        Verdict::Touching => 1,
        Verdict::Undecided => 2,
        Verdict::Separated => 3,
    }
}

/// The components, without negative zeros.
pub(crate) fn plain(v: Vec3<f64>) -> [f64; 3] {
    [v.x + 0.0, v.y + 0.0, v.z + 0.0]
}
