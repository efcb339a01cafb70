//! Parts in the world, and what is found for two bodies.

use crate::broad_phase::Aabb;
use crate::parts::Part;
use gjk::query::{Interval, Verdict};
use gjk::shape::Shape;
use gjk::{Pose3, Posed, Stop, Vec3, Vector};
use gjk_mesh::{Feature, PosedBody, Relation};
use std::sync::OnceLock;

/// A part in the world.
pub(crate) struct Placed<'a> {
    /// Its shape.
    pub(crate) shape: &'a Shape<Vec3<f64>>,
    /// The part.
    pub(crate) part: &'a Part,
    /// Its surface in the world, once it is needed.
    pub(crate) surface: OnceLock<Option<PosedBody<'a>>>,
    /// Whether that is compared in the world alone.
    pub(crate) only_in_world: bool,
    /// Its pose.
    pub(crate) pose: Pose3<f64>,
    /// A box around it, once it is needed.
    bounds: OnceLock<Aabb>,
    /// The scene's body that it belongs to.
    pub(crate) scene_body: usize,
}

/// Coordinates below this are far within the range of numbers.
const FAR_IN_RANGE: f64 = 1e300;

impl<'a> Placed<'a> {
    /// A part at a pose.
    pub(crate) fn new(part: &'a Part, pose: Pose3<f64>, only_in_world: bool) -> Self {
        Self {
            shape: &part.shape,
            part,
            surface: OnceLock::new(),
            only_in_world,
            pose,
            bounds: OnceLock::new(),
            scene_body: part.scene_body,
        }
    }

    /// Whether it is far within the range of numbers, which its box tells too, for more.
    pub(crate) fn is_far_in_range(&self) -> bool {
        let columns = self.pose.columns().iter();
        let longest = columns.fold(0.0, |sum, column| sum + column.max_abs());
        longest * self.part.extent + self.pose.translation().max_abs() < FAR_IN_RANGE
    }

    /// A box around it.
    pub(crate) fn bounds(&self) -> &Aabb {
        let bounds = || Aabb::of(&Posed::new(self.shape, self.pose));
        self.bounds.get_or_init(bounds)
    }

    /// The part's surface at its pose; `None` for shapes that have none.
    pub(crate) fn surface(&self) -> Option<&PosedBody<'a>> {
        let surface = || {
            let surface = self.part.surface.as_ref()?.at(&self.pose);
            Some(if self.only_in_world {
                surface.only_in_world()
            } else {
                surface
            })
        };
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
    /// A ball inside of both bodies and a translation that separates them bound the depth.
    DepthSearch,
}

impl SearchStop {
    /// The name in the report's format.
    pub fn name(self) -> &'static str {
        match self {
            Self::Query(stop) => stop.name(),
            Self::HullDepth => "hull_depth",
            Self::TriangleLimit => "triangle_limit",
            Self::DepthSearch => "depth_search",
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
    /// Unit, from the first body to the second; zero where there is none.
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
    /// Where the surfaces of two meshes meet.
    pub contact: Option<[ContactFeature; 2]>,
    /// How deep two meshes overlap, where that was asked.
    pub depths: Option<Depths>,
}

/// Where the surface of a part meets another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactFeature {
    /// The triangle of the part's mesh, faces of more corners being fans of triangles.
    pub triangle: u32,
    /// Where on the triangle.
    pub feature: Feature,
}

/// How far two meshes reach into one another; `None` beside a surface, which has no inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Depths {
    /// How far the first's surface reaches into the second, and the second's into the first.
    pub protrusion: [Option<Interval<f64>>; 2],
    /// The direction in which the first was moved out of the second before others were tried.
    pub along: [f64; 3],
}

impl Depths {
    /// How far one of the two reaches into the other at least.
    pub fn proved(&self) -> Option<f64> {
        let both = self.protrusion.iter().flatten();
        both.map(|one| one.lower).max_by(f64::total_cmp)
    }
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

    /// Whether the signed distance was measured; else the interval is only what the hulls bound.
    pub fn is_measured(&self) -> bool {
        self.stop != SearchStop::HullDepth
    }

    /// Unit, from the first body to the second; `None` where none is known.
    pub fn known_normal(&self) -> Option<[f64; 3]> {
        let is_known = self.is_measured() && self.normal.iter().any(|&x| x != 0.0);
        is_known.then_some(self.normal)
    }

    /// A point on the surface of each body; `None` where none is known.
    pub fn known_points(&self) -> Option<[[f64; 3]; 2]> {
        let is_known = self.is_measured() || self.contact.is_some();
        is_known.then_some([self.point_a, self.point_b])
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
