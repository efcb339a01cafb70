//! A ray against a hull, by the planes of its facets.
//!
//! Where it sits: beside `ray_box.rs`; `cast.rs` asks it. It says nothing where its bounds do not decide, where the ray starts in contact, and where it enters within rounding of an edge.
//! Idea: in the hull's own frame the ray enters at the last plane of those that it comes towards, and leaves at the first of the others. If it enters after it leaves, it misses.
//! Each plane is crossed at a time between two: the ray is outside until the last of the first times at which it comes to a plane, and inside from the last of the second ones on, and so where it leaves.
//! Numbers: heights are bounded for the time of which `local_line.rs` tells; a plane that is crossed later leaves or takes the ray beyond the hull all the same.

use super::float_ends::float_time_width;
use super::found::MotionFound;
use super::local_line::{LOCAL_ROUNDINGS, LocalLine};
use super::options::MotionOptions;
use super::ray::Ray;
use super::slabs::{Passage, end_of};
use crate::math::{Pose, Triple, Vector};
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

/// Roundings of a time, of itself, beside that of the height: a difference, a quotient, a product, and one of a speed for `1/16` of it.
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
                lengths: ray.far + way + reach,
                speed,
            },
        }
    }

    /// As of [`super::slabs::Slabs::entry`], with the normal of the facet.
    #[inline(always)]
    fn entry(&self, end: f64, width: f64) -> Option<Option<(Passage, Triple)>> {
        let found = self.facets.crossings(&self.line);
        let (enter, exit) = (found.enter, found.exit);
        if found.misses || enter[0] > exit[1] || exit[1] < 0.0 || enter[0] > end {
            return Some(None);
        }
        let held = enter[0] >= -self.until && exit[1] <= self.until;
        if found.along || !(held && found.is_one) {
            return None;
        }
        let passage = Passage {
            through: found.entered,
            rises: false,
            enter,
            exit,
        };
        let normal = self.facets.plane(found.entered).0;
        passage
            .is_decided(end, width)
            .then_some(Some((passage, normal)))
    }
}

/// What is known of a ray at a hull; `None` for flat and large hulls, a start in contact, and where the bounds do not decide.
#[inline(always)]
pub(super) fn ray_hull<V: Vector>(
    hull: &HullVertices<V>,
    pose: &Pose<V>,
    ray: &Ray<V>,
    options: &MotionOptions<V::Scalar>,
) -> Option<MotionFound> {
    let facets = hull.facets()?;
    let line = [ray.origin().to_f64(), ray.direction().to_f64()];
    // Planes are told in the body's lengths.
    let local = LocalLine::of(hull.extent().to_f64(), pose, line)?;
    let local = Some(local).filter(|local| local.units.are_plain())?;
    let (end, width) = (end_of(options), float_time_width::<V::Scalar>());
    let Some((passage, normal)) = HullRay::of(facets, &local).entry(end, width)? else {
        return Some(MotionFound::free(true));
    };
    let outward = V::Wide::from_f64(pose.wide_vector(normal)).normalized()?;
    Some(MotionFound::facet(&passage, outward.to_f64()))
}
