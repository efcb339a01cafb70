//! A ray against a hull, by the planes of its facets.
//!
//! Where it sits: beside `ray_box.rs`; `cast.rs` asks it. It says nothing where its bounds do not decide, where the ray starts in contact, and where it enters within rounding of an edge.
//! Idea: in the hull's own frame the ray enters at the last plane of those that it comes towards, and leaves at the first of the others. If it enters after it leaves, it misses.
//! That it enters through a facet is proved at one place: where it crosses the facet's plane, it is behind all others. So it is where it leaves.
//! Numbers: heights are bounded for the time of which `local_line.rs` tells; a plane that is crossed later leaves or takes the ray beyond the hull all the same.

use super::answer::CastAnswer;
use super::float_ends::float_time_width;
use super::local_line::{LOCAL_ROUNDINGS, LocalLine};
use super::options::MotionOptions;
use super::ray::Ray;
use super::slabs::{Passage, end_of, free, hits};
use crate::math::{Pose, Triple, Vector, dot, plus};
use crate::rounding::UNIT_ROUNDOFF;
use crate::vertices::{FacetLine, Facets, HullVertices, STORED_NORMAL_ROUNDINGS};

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
    #[inline(always)]
    fn of(facets: &'p Facets, ray: &LocalLine) -> Self {
        let LocalLine {
            speed, reach, way, ..
        } = *ray;
        let height = LOCAL_ROUNDINGS + STORED_NORMAL_ROUNDINGS + FACET_HEIGHT_ROUNDINGS;
        let error = height * (ray.far + way)
            + FACET_REACH_ROUNDINGS * reach
            + FACET_PLACE_ROUNDINGS * ray.place
            + FACET_TIME_ROUNDINGS * way;
        let error = UNIT_ROUNDOFF * error;
        let slow = FACET_SPEEDS_MIN * UNIT_ROUNDOFF * height * speed;
        Self {
            facets,
            until: ray.until(),
            line: FacetLine {
                point: ray.point,
                velocity: ray.velocity,
                error,
                slow,
                drift: error + FACET_SPEEDS_MIN * UNIT_ROUNDOFF * height * way,
            },
        }
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
#[inline(always)]
pub(super) fn ray_hull<V: Vector>(
    hull: &HullVertices<V>,
    pose: &Pose<V>,
    ray: &Ray<V>,
    options: &MotionOptions<V::Scalar>,
) -> Option<CastAnswer<V>> {
    let facets = hull.facets().filter(|_| !options.has_distance())?;
    let line = [ray.origin().to_f64(), ray.direction().to_f64()];
    let pose: Pose<V::Wide> = pose.lift();
    // Planes are told in the body's lengths.
    let local = LocalLine::of(hull.extent().lift(), &pose, line)?;
    let local = Some(local).filter(|local| local.units.are_plain())?;
    let (end, width) = (end_of(options), float_time_width::<V::Scalar>());
    let Some((passage, normal)) = HullRay::of(facets, &local).entry(end, width)? else {
        return Some(free());
    };
    let outward = pose.vector(V::Wide::from_f64(normal)).to_f64();
    hits(&passage, outward, plus(line[0], line[1], passage.enter[1]))
}
