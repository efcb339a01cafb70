//! A body in the world, as its points or its discs.

use super::cuboid::{self, EdgeTilts};
use super::faces::{Bearing, facet_bears, supporting};
use super::facet;
use super::planar::{self, RingOrder, RingVertices};
use super::round::{self, WorldDiscs};
use super::view::{Flat, View, larger, largest_by};
use crate::math::triple::{Triple, cross};
use crate::math::{Pose, Scalar, Vector};
use crate::support::{Core, Form, Posed, Support, box_corners};
use crate::vertices::Facets;
use smallvec::SmallVec;

/// Those of a box and of small hulls are on the stack.
type PlacedPoints = SmallVec<[Triple; 32]>;

/// What is known of a body's faces without a search.
#[derive(Clone, Copy, Debug)]
enum Known<'b> {
    /// There is no body of points or discs.
    Smooth,
    Nothing,
    /// It is the hull of these.
    Discs(WorldDiscs),
    /// The points are the corners of a box in space, by their numbers, at a pose that keeps right angles.
    Cuboid,
    /// They are a polygon in the plane.
    Ring(RingOrder),
    /// They are the vertices of a hull of which the facets are known, at a pose of these columns that keeps right angles.
    Facets(&'b Facets, [Triple; 3]),
}

/// A body's points in the world times a power of two, or its discs.
pub(crate) struct Placed<'b> {
    /// Of a body of discs their centres.
    points: PlacedPoints,
    pub(crate) radius: f64,
    known: Known<'b>,
    /// The largest magnitude of a coordinate or radius, before the power of two.
    largest: f64,
}

impl RingVertices for &[Triple] {
    fn count(&self) -> u32 {
        self.len() as u32
    }

    fn vertex(&self, id: u32) -> Flat {
        let [x, y, _] = self[id as usize];
        [x, y]
    }
}

/// The largest magnitude of some points' coordinates; `None` where one is not finite.
fn largest_of_all(points: &[Triple]) -> Option<f64> {
    let largest = largest_by(points.as_flattened(), 0.0, |x| {
        let size = x.abs();
        // What is no number is none's largest.
        if size <= f64::MAX {
            size
        } else {
            f64::INFINITY
        }
    });
    largest.is_finite().then_some(largest)
}

/// `None` where a body is neither the hull of numbered vertices nor of discs, or leaves the range of floats.
pub(crate) fn placed<'b, V: Vector, S: Support<V> + ?Sized>(
    body: &'b S,
    pose: &Pose<V>,
) -> Option<Placed<'b>> {
    let mut placed = Placed::new();
    placed.place(body, pose).map(|()| placed)
}

/// Writes the vertices in the world, and tells the largest magnitude of their coordinates; `None` where one is not finite. Those of known forms need not
/// be asked for one by one.
#[inline(always)]
fn points_of<V: Vector, S: Support<V> + ?Sized>(
    core: &Core<'_, V>,
    posed: &Posed<'_, V, S>,
    count: u32,
    points: &mut PlacedPoints,
) -> Option<f64> {
    if let Form::Cuboid(half) = core.form {
        let mut corners = [[0.0; 3]; 8];
        let largest = box_corners(half, posed.pose(), &mut corners);
        *points = if V::DIM == 2 {
            PlacedPoints::from_slice(&corners[..4])
        } else {
            PlacedPoints::from_slice(&corners)
        };
        return largest.is_finite().then_some(largest);
    }
    let columns = posed.pose().columns();
    let column = |k: usize| columns.get(k).map_or([0.0; 3], |column| column.to_f64());
    let ([a, b, c], from) = ([0, 1, 2].map(column), posed.pose().translation().to_f64());
    // What the pose computes, in its order; in the plane with zeros beside it.
    let at = |x: &V| {
        let [x, y, z] = x.to_f64();
        [
            (a[0] * x + b[0] * y + c[0] * z) + from[0],
            (a[1] * x + b[1] * y + c[1] * z) + from[1],
            (a[2] * x + b[2] * y + c[2] * z) + from[2],
        ]
    };
    match core.form {
        Form::Polygon(ring) => points.extend(ring.iter().map(at)),
        Form::Hull(hull) => points.extend(hull.points().iter().map(at)),
        _ => {
            points.reserve(count as usize);
            for id in 0..count {
                points.push(posed.vertex(id)?.to_f64());
            }
        }
    }
    largest_of_all(points)
}

impl<'b> Placed<'b> {
    /// Nothing yet.
    pub(super) fn new() -> Self {
        Self {
            points: PlacedPoints::new(),
            radius: 0.0,
            known: Known::Smooth,
            largest: 0.0,
        }
    }

    /// Becomes a body at its pose; `None` where it is neither the hull of numbered vertices nor of discs, or leaves the range of floats.
    // In place: it is large.
    pub(super) fn place<V: Vector, S: Support<V> + ?Sized>(
        &mut self,
        body: &'b S,
        pose: &Pose<V>,
    ) -> Option<()> {
        let core = body.core();
        let lifted = pose.lift();
        let posed = Posed::wide(body, &core, lifted);
        let Some(count) = posed.vertex_count().filter(|&count| count > 0) else {
            return self.place_discs(&core, pose);
        };
        let largest = points_of(&core, &posed, count, &mut self.points)?;
        self.radius = posed.radius();
        self.largest = larger(largest, self.radius);
        self.known = match core.form {
            Form::Cuboid(_) if V::DIM == 2 => Known::Ring(RingOrder::Rectangle),
            Form::Cuboid(_) if lifted.uniform_scale().is_some() => Known::Cuboid,
            Form::Polygon(_) | Form::Hull(_) if V::DIM == 2 && self.points.len() > 2 => {
                Known::Ring(RingOrder::Numbers)
            }
            Form::Hull(hull) if V::DIM == 3 && lifted.uniform_scale().is_some() => {
                let columns = lifted.columns();
                let columns = [0, 1, 2].map(|k: usize| columns[k].to_f64());
                let facets = hull.facets();
                facets.map_or(Known::Nothing, |facets| Known::Facets(facets, columns))
            }
            _ => Known::Nothing,
        };
        Some(())
    }

    fn place_discs<V: Vector>(&mut self, core: &Core<'_, V>, pose: &Pose<V>) -> Option<()> {
        let Form::Discs(discs) = &core.form else {
            return None;
        };
        let pose: Pose<V::Wide> = pose.lift();
        let scale = pose.uniform_scale()?;
        let axis = V::Wide::axis(discs.axis);
        let first = V::Wide::axis((discs.axis + 1) % V::DIM).to_f64();
        let across = [first, cross(axis.to_f64(), first)];
        let end = axis * discs.half_height;
        let centers = [-end, end].map(|x| pose.point(x).to_f64());
        let radii = discs.radii.map(|radius| radius * scale);
        let radius = core.radius * scale;
        let numbers = centers.iter().flatten().chain(&radii).chain([&radius]);
        if !numbers.clone().copied().all(f64::is_finite) {
            return None;
        }
        self.largest = numbers.copied().map(f64::abs).fold(0.0, larger);
        self.radius = radius;
        self.points = PlacedPoints::from_slice(&centers);
        self.known = Known::Discs(WorldDiscs {
            centers,
            radii,
            across: across.map(|x| pose.vector(Vector::from_f64(x)).to_f64().map(|c| c / scale)),
        });
        Some(())
    }
    /// Of a body of discs their centres.
    pub(crate) fn points(&self) -> &[Triple] {
        &self.points
    }

    /// It is the hull of discs, and not of its points.
    pub(crate) fn is_round(&self) -> bool {
        matches!(self.known, Known::Discs(_))
    }

    /// The largest magnitude of a coordinate or radius, before it was scaled.
    pub(super) fn largest(&self) -> f64 {
        self.largest
    }

    pub(crate) fn scale(&mut self, exponent: i32) {
        let scaled = |x: &mut Triple| *x = x.map(|c| c.scale_by_power(exponent));
        self.points.iter_mut().for_each(scaled);
        self.radius = self.radius.scale_by_power(exponent);
        if let Known::Discs(discs) = &mut self.known {
            discs.centers.iter_mut().for_each(scaled);
            discs.radii = discs.radii.map(|x| x.scale_by_power(exponent));
        }
    }

    /// Finds what bears along a view's direction, up to the tangent of a tilt; `None` where it is a point of a smooth surface. `against` is the
    /// direction in which a cap's depths are measured.
    pub(super) fn bear(
        &self,
        view: &View,
        against: Triple,
        tangent: f64,
        band: f64,
        bearing: &mut Bearing,
    ) -> Option<()> {
        let points = &self.points[..];
        match &self.known {
            Known::Smooth => return None,
            Known::Discs(discs) => {
                return round::supporting(discs, view, against, tangent, bearing);
            }
            Known::Ring(order) => {
                let along = [view.along[0], view.along[1]];
                let vertex = planar::highest(&points, along);
                if let Some(ids) = planar::edge(&points, *order, vertex, along, [tangent, band]) {
                    bearing.be_edge(points, &ids, view);
                    return Some(());
                }
            }
            Known::Cuboid => {
                let edges = cuboid::edges(|id| points[id]);
                if let Some(face) = EdgeTilts::new(&edges, view.along).face(tangent, band)
                    && bearing.be_level(points, face.seen[0].ids, view)
                {
                    return Some(());
                }
            }
            Known::Facets(facets, columns) => {
                let ring = facet::least_tilted(facets, columns, view.along, tangent);
                if let Some(ring) = ring
                    && facet_bears(points, ring, view, band, bearing)
                {
                    return Some(());
                }
            }
            Known::Nothing => {}
        }
        supporting(points, view, tangent, band, bearing);
        Some(())
    }
}
