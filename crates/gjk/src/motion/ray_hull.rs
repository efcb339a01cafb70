//! A ray against a hull, by the planes of its facets.
//!
//! Where it sits: beside `ray_box.rs`; `cast.rs` asks it. It says nothing where its bounds do not decide, where the ray starts in contact, and where it enters within rounding of an edge.
//! Idea: in the hull's own frame the ray enters at the last plane of those that it comes towards, and leaves at the first of the others. If it enters after it leaves, it misses.
//! That it enters through a facet is proved at one place: where it crosses the facet's plane, it is behind all others. So it is where it leaves.
//! Numbers: a point of the ray counts only while it may be on the hull: at a time at most `(|p| + r)/|v|` from the start, if `r` is how far the hull's vertices are from its origin. Heights are
//! bounded for twice that time; a plane that is crossed later leaves or takes the ray beyond the hull all the same.

use super::answer::CastAnswer;
use super::float_ends::float_time_width;
use super::options::MotionOptions;
use super::ray::Ray;
use super::slabs::{Passage, SlabBox, end_of, fits, free, hits};
use crate::math::{Pose, Triple, Vector, Vector64, dot, length, plus, subtract};
use crate::rounding::UNIT_ROUNDOFF;
use crate::vertices::{FacetLine, Facets, HullVertices, STORED_NORMAL_ROUNDINGS};

/// Roundings of a place in the hull's frame, of its size: of each of three components the way 1, the product of two columns 3, the inner product 3, the quotient 2. The rest is room.
const LOCAL_ROUNDINGS: f64 = 18.0;

/// Roundings of a height over a plane, of the size of the place: the inner product 3, the difference 1.
const FACET_HEIGHT_ROUNDINGS: f64 = 4.0;

/// The same, of the hull's size: the normal, the plane's height 3, the difference 1, a vertex in the world 4.
const FACET_REACH_ROUNDINGS: f64 = STORED_NORMAL_ROUNDINGS + 8.0;

/// The same, of the place of the hull in the world, which is in each vertex.
const FACET_PLACE_ROUNDINGS: f64 = 2.0;

/// A plane is crossed if the speed towards it is greater than so many of its bounds.
const FACET_SPEEDS_MIN: f64 = 16.0;

/// Roundings of a time, of itself, beside that of the height: a quotient, and one of a speed for `1/16` of it.
const FACET_TIME_ROUNDINGS: f64 = 4.0;

/// A ray in the frame of a hull.
struct HullRay<'p> {
    facets: &'p Facets,
    line: FacetLine,
    /// Its bounds hold until so long after the start, and so long before.
    until: f64,
}

impl<'p> HullRay<'p> {
    /// `None` for numbers near the ends of their range, and for poses that do more than to turn, to move and to scale.
    #[inline(always)]
    fn of<W: Vector64>(
        facets: &'p Facets,
        extent: W,
        pose: &Pose<W>,
        [origin, direction]: [Triple; 2],
    ) -> Option<Self> {
        let scale = pose.uniform_scale()?;
        let frame = SlabBox::of(extent, pose)?;
        let per = 1.0 / frame.volume;
        // The inverse of the columns, whichever way they turn.
        let sign = if dot(frame.normals[0], frame.edges[0]) < 0.0 {
            -per
        } else {
            per
        };
        let local = |x: Triple| [0, 1, 2].map(|k| dot(frame.normals[k], x) * sign);
        let (point, velocity) = (local(subtract(origin, frame.center)), local(direction));
        let (far, speed, reach) = (length(point), length(velocity), length(frame.half));
        let place = length(frame.center) / scale;
        if !(fits(far + reach + place) && fits(speed)) {
            return None;
        }
        // Twice as long as the ray may be on the hull: farther than that it is not.
        let way = 2.0 * (far + reach);
        let height = LOCAL_ROUNDINGS + STORED_NORMAL_ROUNDINGS + FACET_HEIGHT_ROUNDINGS;
        let error = height * (far + way)
            + FACET_REACH_ROUNDINGS * reach
            + FACET_PLACE_ROUNDINGS * place
            + FACET_TIME_ROUNDINGS * way;
        let error = UNIT_ROUNDOFF * error;
        let slow = FACET_SPEEDS_MIN * UNIT_ROUNDOFF * height * speed;
        Some(Self {
            facets,
            until: way / speed,
            line: FacetLine {
                point,
                velocity,
                error,
                slow,
                drift: error + FACET_SPEEDS_MIN * UNIT_ROUNDOFF * height * way,
            },
        })
    }

    /// The bounds of the time at which it crosses a facet's plane, and the plane's normal.
    fn crossing(&self, facet: usize) -> ([f64; 2], Triple) {
        let (normal, height) = self.facets.plane(facet);
        let over = dot(normal, self.line.point) - height;
        let speed = dot(normal, self.line.velocity);
        let bounds = [-self.line.error, self.line.error].map(|error| (error - over) / speed);
        let [a, b] = bounds;
        (if a < b { [a, b] } else { [b, a] }, normal)
    }

    /// As of [`super::slabs::Slabs::entry`], with the normal of the facet.
    #[inline(always)]
    fn entry(&self, end: f64, width: f64) -> Option<Option<(Passage, Triple)>> {
        let found = self.facets.crossings(&self.line);
        let ((first, entered), (last, exited)) = (found.enter, found.exit);
        if found.misses || first > last || last < 0.0 || first > end {
            return Some(None);
        }
        if found.along || !(first >= -self.until && last <= self.until) {
            return None;
        }
        let ((enter, normal), (exit, _)) = (self.crossing(entered), self.crossing(exited));
        let passage = Passage {
            enter,
            exit,
            through: entered,
            rises: false,
        };
        if !passage.is_decided(end, width) {
            return None;
        }
        let place = |time: f64| plus(self.line.point, self.line.velocity, time);
        let places = [(place(enter[0]), entered), (place(exit[1]), exited)];
        self.facets
            .are_behind(places, self.line.error)
            .then_some(Some((passage, normal)))
    }
}

/// The answer on a ray that meets a hull after its start, or does not meet it; `None` for flat and large hulls, other rays, and where the bounds do not decide.
pub(super) fn ray_hull<V: Vector>(
    hull: &HullVertices<V>,
    pose: &Pose<V>,
    ray: &Ray<V>,
    options: &MotionOptions<V::Scalar>,
) -> Option<CastAnswer<V>> {
    let facets = hull.facets().filter(|_| !options.has_distance())?;
    let line = [ray.origin().to_f64(), ray.direction().to_f64()];
    let pose: Pose<V::Wide> = pose.lift();
    let ray = HullRay::of(facets, hull.extent().lift(), &pose, line)?;
    let Some((passage, normal)) = ray.entry(end_of(options), float_time_width::<V::Scalar>())?
    else {
        return Some(free());
    };
    let outward = pose.vector(V::Wide::from_f64(normal)).to_f64();
    hits(&passage, outward, plus(line[0], line[1], passage.enter[1]))
}
