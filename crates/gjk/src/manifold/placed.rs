//! A body in the world, as its points or its discs.

use super::faces::{Bearing, supporting};
use super::round::{self, WorldDiscs};
use super::view::View;
use crate::math::triple::Triple;
use crate::math::{Pose, Scalar, Vector};
use crate::support::{Posed, Support};
use alloc::vec::Vec;

/// A body's points in the world times a power of two, or its discs.
pub(crate) struct Placed {
    /// Of a body of discs their centres.
    points: Vec<Triple>,
    pub(crate) radius: f64,
    discs: Option<WorldDiscs>,
}

/// `None` where a body is neither the hull of numbered vertices nor of discs, or leaves the range of floats.
pub(crate) fn placed<V: Vector, S: Support<V> + ?Sized>(
    body: &S,
    pose: &Pose<V>,
) -> Option<Placed> {
    let posed = Posed::new(body, *pose);
    let Some(count) = posed.vertex_count().filter(|&count| count > 0) else {
        return placed_discs(body, pose);
    };
    let points: Option<Vec<Triple>> = (0..count)
        .map(|id| posed.vertex(id).map(V::Wide::to_f64))
        .collect();
    let points = points.filter(|all| all.iter().flatten().all(|x| x.is_finite()))?;
    Some(Placed {
        points,
        radius: posed.radius(),
        discs: None,
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
    if !numbers.copied().all(f64::is_finite) {
        return None;
    }
    Some(Placed {
        points: centers.into(),
        radius,
        discs: Some(WorldDiscs {
            centers,
            radii,
            across: pose.vector(discs.across).normalized()?.to_f64(),
        }),
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

    pub(super) fn largest(&self) -> f64 {
        let radii = self.discs.map_or([0.0; 2], |discs| discs.radii);
        let numbers = self.points.iter().flatten().chain(&radii);
        numbers.fold(self.radius, |m, &x| if x.abs() > m { x.abs() } else { m })
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

    pub(super) fn bearing(&self, view: &View, tangent: f64, band: f64) -> Option<Bearing> {
        match &self.discs {
            Some(discs) => round::supporting(discs, view, tangent),
            None => Some(supporting(&self.points, view, tangent, band)),
        }
    }
}
