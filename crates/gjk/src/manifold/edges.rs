//! Two polygons in the plane whose edges bear on each other, in two points: nearly every manifold of such a pair.
//!
//! Where it sits: `solve.rs` asks it before it places bodies of any kind. What is not clear is left to the search there, which has the same answer.
//! Idea: across the normal both edges are intervals of one line, and the points are the ends of what they have in common.

use super::answer::{ContactFeature, Manifold, ManifoldKind};
use super::chosen::{separation, world};
use super::cuboid;
use super::faces::place_on;
use super::measures::Measures;
use super::options::ManifoldOptions;
use super::planar::{self, RingOrder};
use super::view::{Flat, inner, larger, minus};
use crate::math::triple::{Triple, plus};
use crate::math::{Pose, Vector};
use crate::support::{Core, Form};

/// Polygons of more vertices are left to the search.
const EDGE_VERTICES_MAX: usize = 16;

/// A polygon's vertices in the world.
struct PlanarBody {
    points: [Flat; EDGE_VERTICES_MAX],
    count: u32,
    order: RingOrder,
    largest: f64,
}

/// An edge that bears: its ends, and where they are along the normal's left.
struct BearingEdge {
    ids: [u32; 2],
    ends: [Flat; 2],
    places: [f64; 2],
}

/// An end of an edge over the other edge.
#[derive(Clone, Copy)]
struct EdgeEnd {
    place: f64,
    separation: f64,
    features: [ContactFeature; 2],
    on_a: Flat,
}

impl PlanarBody {
    /// `None` where it is no polygon, has many vertices or a radius, or leaves the range of floats.
    #[inline(always)]
    fn new<V: Vector>(core: &Core<'_, V>, pose: &Pose<V>) -> Option<Self> {
        let mut body = Self {
            points: [[0.0; 2]; EDGE_VERTICES_MAX],
            count: 4,
            order: RingOrder::Rectangle,
            largest: 0.0,
        };
        if core.radius != 0.0 {
            return None;
        }
        let pose: Pose<V::Wide> = pose.lift();
        let ring = match core.form {
            Form::Cuboid(half) => {
                let (corners, largest) = cuboid::corners(half, &pose);
                for k in 0..4 {
                    body.points[k] = [corners[k][0], corners[k][1]];
                }
                body.largest = largest;
                return largest.is_finite().then_some(body);
            }
            Form::Polygon(ring) => ring,
            Form::Hull(hull) => hull.points(),
            _ => return None,
        };
        if !(3..=EDGE_VERTICES_MAX).contains(&ring.len()) {
            return None;
        }
        let columns = pose.columns();
        let [a, b, from] = [columns[0], columns[1], pose.translation()].map(|x| x.to_f64());
        let mut sum = 0.0;
        for (point, x) in body.points.iter_mut().zip(ring) {
            let [x, y, _] = x.to_f64();
            // What the pose computes, in its order.
            *point = [
                (a[0] * x + b[0] * y) + from[0],
                (a[1] * x + b[1] * y) + from[1],
            ];
            let sizes = point.map(f64::abs);
            body.largest = larger(larger(body.largest, sizes[0]), sizes[1]);
            sum += sizes[0] + sizes[1];
        }
        (body.count, body.order) = (ring.len() as u32, RingOrder::Numbers);
        // Only numbers have a sum that is one.
        sum.is_finite().then_some(body)
    }

    /// The edge along a direction, if it is clear which it is.
    #[inline(always)]
    fn edge(&self, along: Flat, measures: &Measures) -> Option<[u32; 2]> {
        let at = |id: u32| self.points[id as usize % EDGE_VERTICES_MAX];
        let Measures { tangent, band, .. } = *measures;
        planar::edge(self.count, at, self.order, along, tangent, band)
    }

    #[inline(always)]
    fn bearing(&self, ids: [u32; 2], left: Flat, origin: Flat) -> BearingEdge {
        let ends = ids.map(|id| self.points[id as usize % EDGE_VERTICES_MAX]);
        BearingEdge {
            ids,
            ends,
            places: ends.map(|x| inner(left, minus(x, origin))),
        }
    }
}

impl BearingEdge {
    /// Whether an end is over the edge or beyond it by no more than a band.
    #[inline(always)]
    fn holds(&self, place: f64, band: f64) -> bool {
        let step = self.places[1] - self.places[0];
        let (reach, along) = (band * step.abs(), (place - self.places[0]) * step);
        (along >= -reach) & (along <= step * step + reach)
    }

    /// The point of the edge at a place.
    #[inline(always)]
    fn lift(&self, place: f64) -> Flat {
        let [from, to] = self.ends;
        let part = place_on([self.places[0], 0.0], [self.places[1], 0.0], [place, 0.0]);
        let step = minus(to, from);
        [from[0] + part * step[0], from[1] + part * step[1]]
    }

    /// What is at a place: an end within a band, or the edge.
    #[inline(always)]
    fn feature(&self, place: f64, band: f64) -> ContactFeature {
        let [first, second] = self.places.map(|x| (x - place) * (x - place));
        let [from, to] = self.ids;
        if first.min(second) <= band * band {
            return ContactFeature::Vertex(if second < first { to } else { from });
        }
        ContactFeature::Edge([from.min(to), from.max(to)])
    }
}

/// The ends that both edges have in common, if there are two of different names.
#[inline(always)]
fn common(edges: [&BearingEdge; 2], along: Flat, band: f64) -> Option<[EdgeEnd; 2]> {
    let mut found: [Option<EdgeEnd>; 2] = [None; 2];
    for body in 0..2 {
        let (own, other) = (edges[body], edges[1 - body]);
        for k in 0..2 {
            let place = own.places[k];
            if !other.holds(place, band) {
                continue;
            }
            let (x, y) = (own.ends[k], other.lift(place));
            let names = [
                ContactFeature::Vertex(own.ids[k]),
                other.feature(place, band),
            ];
            let [on_a, on_b] = if body == 0 { [x, y] } else { [y, x] };
            let features = if body == 0 {
                names
            } else {
                [names[1], names[0]]
            };
            if found.iter().flatten().any(|end| end.features == features) {
                continue;
            }
            let slot = found.iter_mut().find(|slot| slot.is_none())?;
            *slot = Some(EdgeEnd {
                place,
                separation: inner(along, minus(on_b, on_a)),
                features,
                on_a,
            });
        }
    }
    let [Some(first), Some(second)] = found else {
        return None;
    };
    Some(if second.place < first.place {
        [second, first]
    } else {
        [first, second]
    })
}

/// Writes the points of two edges; `None`, and nothing written, where it is not clear that there are such, or a point is not within the prediction and the
/// other decides.
#[inline(always)]
pub(super) fn fill<V: Vector>(
    manifold: &mut Manifold<V>,
    cores: [&Core<'_, V>; 2],
    poses: [&Pose<V>; 2],
    along: Triple,
    options: &ManifoldOptions<V::Scalar>,
) -> Option<()> {
    let (a, b) = (
        PlanarBody::new(cores[0], poses[0])?,
        PlanarBody::new(cores[1], poses[1])?,
    );
    let witness = [manifold.contact.point_a, manifold.contact.point_b].map(|x| x.to_f64());
    let sizes = witness.as_flattened().iter().map(|x| x.abs());
    let largest = sizes.fold(larger(a.largest, b.largest), larger);
    let measures = Measures::new(largest, &manifold.contact, options);
    if measures.exponent != 0 {
        return None;
    }
    let along = [along[0], along[1]];
    let (left, origin) = ([-along[1], along[0]], [witness[0][0], witness[0][1]]);
    let of_a = a.edge(along, &measures)?;
    let of_b = b.edge([-along[0], -along[1]], &measures)?;
    // Each from left to right as its own body sees it.
    let edge_a = a.bearing(of_a, left, origin);
    let edge_b = b.bearing([of_b[1], of_b[0]], left, origin);
    let ends = common([&edge_a, &edge_b], along, measures.band)?;
    // A place along an edge is as far off as the band, and edges may be tilted.
    let off = measures.rounding + measures.band;
    let deepest = measures.distance[1] + off;
    let intervals = ends.map(|end| separation::<V>(end.separation, off, 0));
    let is_near = intervals.map(|interval| interval.lower <= options.prediction());
    let is_told = ends.iter().any(|end| end.separation <= deepest)
        && match is_near {
            [true, true] => options.points_max() != Some(1),
            [false, false] => false,
            _ => true,
        };
    if !is_told {
        return None;
    }
    manifold.kind = ManifoldKind::EdgeEdge;
    manifold.face_a.be_edge(of_a);
    manifold.face_b.be_edge(of_b);
    for k in 0..2 {
        if is_near[k] {
            let EdgeEnd {
                separation,
                features,
                on_a,
                ..
            } = ends[k];
            let (on_a, along) = ([on_a[0], on_a[1], 0.0], [along[0], along[1], 0.0]);
            let points = [world(on_a, 0), world(plus(on_a, along, separation), 0)];
            manifold.take(points, intervals[k], features);
        }
    }
    Some(())
}
