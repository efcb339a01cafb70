//! A body in the world, as its points or its discs.

use super::cuboid;
use super::faces::{Bearing, supporting};
use super::round::{self, WorldDiscs};
use super::view::View;
use crate::math::triple::Triple;
use crate::math::{Pose, Scalar, Vector};
use crate::support::{Core, Form, Posed, Support};
use smallvec::SmallVec;

/// Those of a box and of small hulls are on the stack.
pub(super) type PlacedPoints = SmallVec<[Triple; 8]>;

/// A body's points in the world times a power of two, or its discs.
pub(crate) struct Placed {
    /// Of a body of discs their centres.
    points: PlacedPoints,
    pub(crate) radius: f64,
    discs: Option<WorldDiscs>,
    /// The points are the corners of a box in space, by their numbers, at a pose that keeps right angles.
    is_cuboid: bool,
    /// The largest magnitude of a coordinate or radius, before the power of two.
    largest: f64,
}

/// The larger of a number and a magnitude.
#[inline(always)]
pub(super) fn larger(most: f64, x: f64) -> f64 {
    if x > most { x } else { most }
}

/// The largest magnitude of a point's coordinates.
#[inline(always)]
pub(super) fn largest_of(x: Triple) -> f64 {
    larger(larger(x[0].abs(), x[1].abs()), x[2].abs())
}

/// The largest magnitude of some points' coordinates; `None` where one is not finite.
fn largest_of_all(points: &[Triple]) -> Option<f64> {
    let (mut most, mut zero) = (0.0, 0.0);
    for &x in points {
        most = larger(most, largest_of(x));
        // Of an infinity or what is no number this is none.
        zero += 0.0 * x[0] + 0.0 * x[1] + 0.0 * x[2];
    }
    (zero == 0.0).then_some(most)
}

/// `None` where a body is neither the hull of numbered vertices nor of discs, or leaves the range of floats.
pub(crate) fn placed<V: Vector, S: Support<V> + ?Sized>(
    body: &S,
    pose: &Pose<V>,
) -> Option<Placed> {
    let core = body.core();
    let lifted = pose.lift();
    let posed = Posed::wide(body, &core, lifted);
    let Some(count) = posed.vertex_count().filter(|&count| count > 0) else {
        return placed_discs(body, pose);
    };
    let points = points_of(&core, &posed, count)?;
    let (largest, radius) = (largest_of_all(&points)?, posed.radius());
    let in_space = V::DIM == 3 && lifted.uniform_scale().is_some();
    Some(Placed {
        points,
        radius,
        largest: larger(largest, radius),
        discs: None,
        is_cuboid: in_space && matches!(core.form, Form::Cuboid(_)),
    })
}

/// The vertices in the world. Those of known forms need not be asked for one by one.
fn points_of<V: Vector, S: Support<V> + ?Sized>(
    core: &Core<'_, V>,
    posed: &Posed<'_, V, S>,
    count: u32,
) -> Option<PlacedPoints> {
    let at = |x: V::Wide| posed.pose().point(x).to_f64();
    Some(match core.form {
        Form::Cuboid(half) => cuboid::corners(half, posed.pose()),
        Form::Polygon(points) => points.iter().map(|x| at(x.lift())).collect(),
        Form::Hull(hull) => hull.points().iter().map(|x| at(x.lift())).collect(),
        _ => {
            let each = (0..count).map(|id| posed.vertex(id).map(V::Wide::to_f64));
            each.collect::<Option<PlacedPoints>>()?
        }
    })
}

fn placed_discs<V: Vector, S: Support<V> + ?Sized>(body: &S, pose: &Pose<V>) -> Option<Placed> {
    let discs = body.discs().filter(|_| V::DIM == 3)?;
    let pose: Pose<V::Wide> = pose.lift();
    let scale = pose.uniform_scale()?;
    let centers = discs.centers.map(|x| pose.point(x).to_f64());
    let radii = discs.radii.map(|radius| radius * scale);
    let radius = body.core().radius * scale;
    let numbers = centers.iter().flatten().chain(&radii).chain([&radius]);
    if !numbers.clone().copied().all(f64::is_finite) {
        return None;
    }
    Some(Placed {
        points: centers.into_iter().collect(),
        radius,
        discs: Some(WorldDiscs {
            centers,
            radii,
            across: pose.vector(discs.across).normalized()?.to_f64(),
        }),
        is_cuboid: false,
        largest: numbers.copied().map(f64::abs).fold(0.0, larger),
    })
}

impl Placed {
    /// Of a body of discs their centres.
    pub(crate) fn points(&self) -> &[Triple] {
        &self.points
    }

    /// It is the hull of discs, and not of its points.
    pub(crate) fn is_round(&self) -> bool {
        self.discs.is_some()
    }

    /// The largest magnitude of a coordinate or radius, before it was scaled.
    pub(super) fn largest(&self) -> f64 {
        self.largest
    }

    pub(crate) fn scale(&mut self, exponent: i32) {
        let scaled = |x: &mut Triple| *x = x.map(|c| c.scale_by_power(exponent));
        self.points.iter_mut().for_each(scaled);
        self.radius = self.radius.scale_by_power(exponent);
        if let Some(discs) = &mut self.discs {
            discs.centers.iter_mut().for_each(scaled);
            discs.radii = discs.radii.map(|x| x.scale_by_power(exponent));
        }
    }

    /// What bears along a view's direction, up to the tangent of a tilt.
    pub(super) fn bearing(&self, view: &View, tangent: f64, band: f64) -> Option<Bearing> {
        if let Some(discs) = &self.discs {
            return round::supporting(discs, view, tangent);
        }
        if let Ok(corners) = self.points[..].try_into()
            && self.is_cuboid
            && let Some(ids) = cuboid::ring(corners, view, tangent, band)
            && let Some(face) = Bearing::level(corners, ids, view)
        {
            return Some(face);
        }
        Some(supporting(&self.points, view, tangent, band))
    }
}
