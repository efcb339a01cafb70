//! Two polygons in the plane whose edges bear on each other, in two points: nearly every manifold of such a pair.
//!
//! Where it sits: `solve.rs` asks it before it places bodies of any kind. What is not clear is left to the search there, which has the same answer.
//! Idea: across the normal both edges are intervals of one line, and the points are the ends of what they have in common.

use super::answer::{ContactFeature, Manifold, ManifoldKind};
use super::chosen::{separation, world};
use super::measures::Measures;
use super::options::ManifoldOptions;
use super::planar::{self, HalfEdges, RingOrder};
use super::view::{Flat, inner, larger, minus};
use crate::math::triple::{Triple, plus};
use crate::math::{Pose, Vector};
use crate::support::{Core, Form};

/// Polygons of more vertices are left to the search.
const EDGE_VERTICES_MAX: usize = 8;

/// A polygon in the world.
struct PlanarBody {
    outline: PlanarOutline,
    largest: f64,
}

/// What an edge is found by.
enum PlanarOutline {
    Rectangle {
        half: HalfEdges,
        at: Flat,
    },
    Ring {
        points: [Flat; EDGE_VERTICES_MAX],
        count: u32,
    },
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
        if core.radius != 0.0 {
            return None;
        }
        let pose: Pose<V::Wide> = pose.lift();
        let columns = pose.columns();
        let (a, b) = (columns[0].to_f64(), columns[1].to_f64());
        let from = pose.translation().to_f64();
        let ring = match core.form {
            Form::Cuboid(half) => {
                let [p, q, _] = half.to_f64();
                let (x, y) = ([a[0] * p, a[1] * p], [b[0] * q, b[1] * q]);
                let largest = |k: usize| (x[k].abs() + y[k].abs()) + from[k].abs();
                let largest = larger(largest(0), largest(1));
                return largest.is_finite().then_some(Self {
                    outline: PlanarOutline::Rectangle {
                        half: HalfEdges { x, y },
                        at: [from[0], from[1]],
                    },
                    largest,
                });
            }
            Form::Polygon(ring) => ring,
            Form::Hull(hull) => hull.points(),
            _ => return None,
        };
        if !(3..=EDGE_VERTICES_MAX).contains(&ring.len()) {
            return None;
        }
        let mut points = [[0.0; 2]; EDGE_VERTICES_MAX];
        let (mut sum, mut largest) = (0.0, 0.0);
        for (point, x) in points.iter_mut().zip(ring) {
            let [x, y, _] = x.to_f64();
            // What the pose computes, in its order.
            let [x, y] = [
                (a[0] * x + b[0] * y) + from[0],
                (a[1] * x + b[1] * y) + from[1],
            ];
            *point = [x, y];
            largest = larger(larger(largest, x.abs()), y.abs());
            sum += x.abs() + y.abs();
        }
        let count = ring.len() as u32;
        // Only numbers have a sum that is one.
        sum.is_finite().then_some(Self {
            outline: PlanarOutline::Ring { points, count },
            largest,
        })
    }

    /// The edge along a direction, if it is clear which it is.
    #[inline(always)]
    fn edge(&self, along: Flat, measures: &Measures) -> Option<[u32; 2]> {
        let Measures { tangent, band, .. } = *measures;
        match &self.outline {
            PlanarOutline::Rectangle { half, .. } => {
                planar::rectangle_edge(half, along, tangent, band)
            }
            PlanarOutline::Ring { points, count } => {
                let at = |id: u32| points[id as usize & (EDGE_VERTICES_MAX - 1)];
                planar::edge(*count, at, RingOrder::Numbers, along, tangent, band)
            }
        }
    }

    #[inline(always)]
    fn vertex(&self, id: u32) -> Flat {
        match &self.outline {
            PlanarOutline::Rectangle { half, at } => {
                let signed = |x: f64, bit: u32| if id & bit == 0 { -x } else { x };
                [
                    (signed(half.x[0], 1) + signed(half.y[0], 2)) + at[0],
                    (signed(half.x[1], 1) + signed(half.y[1], 2)) + at[1],
                ]
            }
            PlanarOutline::Ring { points, .. } => points[id as usize & (EDGE_VERTICES_MAX - 1)],
        }
    }

    #[inline(always)]
    fn bearing(&self, ids: [u32; 2], left: Flat, origin: Flat) -> BearingEdge {
        let place = |x: Flat| inner(left, minus(x, origin));
        let ends = [self.vertex(ids[0]), self.vertex(ids[1])];
        BearingEdge {
            ids,
            ends,
            places: [place(ends[0]), place(ends[1])],
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
        let [start, end] = self.places;
        let span = end - start;
        // The edge is wide.
        let part = ((place - start) * span / (span * span)).clamp(0.0, 1.0);
        let step = minus(to, from);
        [from[0] + part * step[0], from[1] + part * step[1]]
    }

    /// What is at a place: an end within a band, or the edge.
    #[inline(always)]
    fn feature(&self, place: f64, band: f64) -> ContactFeature {
        let from_place = |x: f64| (x - place) * (x - place);
        let (first, second) = (from_place(self.places[0]), from_place(self.places[1]));
        let [from, to] = self.ids;
        if (first <= band * band) | (second <= band * band) {
            return ContactFeature::Vertex(if second < first { to } else { from });
        }
        ContactFeature::Edge([from.min(to), from.max(to)])
    }
}

/// The end of one of two edges over the other one: two bits, the body and the end.
#[inline(always)]
fn end_over(edges: [&BearingEdge; 2], bits: usize, along: Flat, band: f64) -> EdgeEnd {
    let (body, k) = (bits >> 1 & 1, bits & 1);
    let (own, other) = (edges[body], edges[1 - body]);
    let place = own.places[k];
    let (x, y) = (own.ends[k], other.lift(place));
    let (mine, theirs) = (
        ContactFeature::Vertex(own.ids[k]),
        other.feature(place, band),
    );
    let (on_a, on_b, features) = if body == 0 {
        (x, y, [mine, theirs])
    } else {
        (y, x, [theirs, mine])
    };
    EdgeEnd {
        place,
        separation: inner(along, minus(on_b, on_a)),
        features,
        on_a,
    }
}

/// The two ends that both edges have in common, from left to right; `None` where there are others, or one has two names.
#[inline(always)]
fn common(edges: [&BearingEdge; 2], along: Flat, band: f64) -> Option<[EdgeEnd; 2]> {
    let [a, b] = edges;
    let held = usize::from(b.holds(a.places[0], band))
        | usize::from(b.holds(a.places[1], band)) << 1
        | usize::from(a.holds(b.places[0], band)) << 2
        | usize::from(a.holds(b.places[1], band)) << 3;
    let lower = held.trailing_zeros() as usize;
    let rest = held & held.wrapping_sub(1);
    if rest == 0 || rest & (rest - 1) != 0 {
        return None;
    }
    let upper = rest.trailing_zeros() as usize;
    let (first, second) = (
        end_over(edges, lower, along, band),
        end_over(edges, upper, along, band),
    );
    if first.features == second.features {
        return None;
    }
    Some(if second.place < first.place {
        [second, first]
    } else {
        [first, second]
    })
}

/// The two edges that bear, A's and B's, seen along a direction from a point; `None` where it is not clear which they are.
#[inline(always)]
fn bearing_edges(
    [a, b]: [&PlanarBody; 2],
    along: Flat,
    origin: Flat,
    measures: &Measures,
) -> Option<[BearingEdge; 2]> {
    let left = [-along[1], along[0]];
    let of_a = a.edge(along, measures)?;
    let [low, high] = b.edge([-along[0], -along[1]], measures)?;
    // Each from left to right as its own body sees it.
    Some([
        a.bearing(of_a, left, origin),
        b.bearing([high, low], left, origin),
    ])
}

/// Writes the points of two edges; `None`, and nothing written, where it is not clear that there are such, or one point has to be chosen.
#[inline(always)]
pub(super) fn fill<V: Vector>(
    manifold: &mut Manifold<V>,
    cores: [&Core<'_, V>; 2],
    poses: [&Pose<V>; 2],
    along: Triple,
    options: &ManifoldOptions<V::Scalar>,
) -> Option<()> {
    let a = PlanarBody::new(cores[0], poses[0])?;
    let b = PlanarBody::new(cores[1], poses[1])?;
    let on_a = manifold.contact.point_a.to_f64();
    let on_b = manifold.contact.point_b.to_f64();
    let mut largest = larger(a.largest, b.largest);
    for x in [on_a[0], on_a[1], on_b[0], on_b[1]] {
        largest = larger(largest, x.abs());
    }
    let measures = Measures::new(largest, &manifold.contact, options);
    if measures.exponent != 0 {
        return None;
    }
    let (along, origin) = ([along[0], along[1]], [on_a[0], on_a[1]]);
    let [edge_a, edge_b] = bearing_edges([&a, &b], along, origin, &measures)?;
    let ends = common([&edge_a, &edge_b], along, measures.band)?;
    // A place along an edge is as far off as the band, and edges may be tilted.
    let off = measures.rounding + measures.band;
    let deepest = measures.distance[1] + off;
    if ends[0].separation > deepest && ends[1].separation > deepest {
        return None;
    }
    let rings = [edge_a.ids, [edge_b.ids[1], edge_b.ids[0]]];
    state(manifold, &ends, rings, (along, off), options)
}

/// States the ends that are within the prediction.
#[inline(always)]
fn state<V: Vector>(
    manifold: &mut Manifold<V>,
    ends: &[EdgeEnd; 2],
    rings: [[u32; 2]; 2],
    (along, off): (Flat, f64),
    options: &ManifoldOptions<V::Scalar>,
) -> Option<()> {
    let interval = |k: usize| separation::<V>(ends[k].separation, off, 0);
    let intervals = [interval(0), interval(1)];
    let is_near = [
        intervals[0].lower <= options.prediction(),
        intervals[1].lower <= options.prediction(),
    ];
    let is_one = is_near[0] != is_near[1];
    if !(is_one || is_near[0] && options.points_max() != Some(1)) {
        return None;
    }
    manifold.kind = ManifoldKind::EdgeEdge;
    manifold.face_a.be_edge(rings[0]);
    manifold.face_b.be_edge(rings[1]);
    let count = usize::from(is_near[0]) + usize::from(is_near[1]);
    let first = usize::from(!is_near[0]);
    for k in first..first + count {
        let end = &ends[k & 1];
        let (on_a, along) = ([end.on_a[0], end.on_a[1], 0.0], [along[0], along[1], 0.0]);
        let on_b = plus(on_a, along, end.separation);
        let points = [world(on_a, 0), world(on_b, 0)];
        manifold.take(points, intervals[k & 1], end.features);
    }
    Some(())
}
