//! Two polygons in the plane whose edges bear on each other, in two points: nearly every manifold of such a pair.
//!
//! Where it sits: `solve.rs` asks it before it places bodies of any kind. What is not clear is left to the search there, which has the same answer.
//! Idea: across the normal both edges are intervals of one line, and the points are the ends of what they have in common: each a vertex of one body over
//! the edge of the other. What the contact was found by is known beside it (`bounds.rs`), so that only the vertices about both edges are posed.

use super::answer::{ContactFeature, Manifold, ManifoldKind, ManifoldPoint, vertex_and_edge_id};
use super::chosen::{separation, world};
use super::measures::Measures;
use super::options::ManifoldOptions;
use super::planar::{self, HalfEdges, RingOrder, RingVertices};
use super::view::{Flat, either, either_place, larger};
use crate::bounds::HighestVertices;
use crate::math::planar::{dot, subtract};
use crate::math::triple::{Triple, plus};
use crate::math::{Pose, Vector};
use crate::simd::level;
use crate::support::{Core, Form};
use fearless_simd::dispatch;

/// Polygons of more vertices are left to the search.
const EDGE_VERTICES_MAX: usize = 8;

/// Ends of both edges within so many bands of each other may have one name.
const END_BANDS: f64 = 2.0;

/// A polygon and its pose.
struct PlanarBody<'b, V> {
    outline: PlanarOutline<'b, V>,
    at: Flat,
}

/// What an edge is found by.
enum PlanarOutline<'b, V> {
    Rectangle(HalfEdges),
    /// Vertices in order, and the columns of the pose.
    Ring(&'b [V], [Flat; 2]),
}

/// An edge that bears: its ends, and where they are along the normal's left.
struct BearingEdge {
    ids: [u32; 2],
    ends: [Flat; 2],
    places: [f64; 2],
}

/// An end of what two edges have in common: a vertex of one body, the first or the second, over the other's edge.
struct EdgeEnd {
    body: usize,
    vertex: u32,
    on_a: Flat,
    separation: f64,
}

// What `fill_on` does is in functions, not closures: these are compiled for the baseline where they are not inlined.

/// A half edge's coordinate toward a corner, by the bit of its axis: without a branch, for which corner it is is as good as random.
#[inline(always)]
fn signed(x: f64, corner: u32, axis: u32) -> f64 {
    f64::from_bits(x.to_bits() ^ u64::from(!corner >> axis & 1) << 63)
}

impl<V: Vector> RingVertices for PlanarBody<'_, V> {
    #[inline(always)]
    fn count(&self) -> u32 {
        match self.outline {
            PlanarOutline::Rectangle(_) => 4,
            PlanarOutline::Ring(ring, _) => ring.len() as u32,
        }
    }

    /// A vertex as the pose computes it, in its order.
    #[inline(always)]
    fn vertex(&self, id: u32) -> Flat {
        let at = self.at;
        match &self.outline {
            PlanarOutline::Rectangle(half) => [
                (signed(half.x[0], id, 0) + signed(half.y[0], id, 1)) + at[0],
                (signed(half.x[1], id, 0) + signed(half.y[1], id, 1)) + at[1],
            ],
            PlanarOutline::Ring(ring, [a, b]) => {
                let [x, y, _] = ring[id as usize].to_f64();
                [(a[0] * x + b[0] * y) + at[0], (a[1] * x + b[1] * y) + at[1]]
            }
        }
    }
}

impl<'b, V: Vector> PlanarBody<'b, V> {
    /// `None` where it is no polygon, or has many vertices or a radius.
    #[inline(always)]
    fn new(core: &Core<'b, V>, pose: &Pose<V>) -> Option<Self> {
        let columns = pose.columns();
        let ([a, b, _], [c, d, _]) = (columns[0].to_f64(), columns[1].to_f64());
        let [x, y, _] = pose.translation().to_f64();
        let ring = match core.form {
            Form::Cuboid(half) => {
                let [p, q, _] = half.to_f64();
                let half = HalfEdges {
                    x: [a * p, b * p],
                    y: [c * q, d * q],
                };
                return (core.radius == 0.0).then_some(Self {
                    outline: PlanarOutline::Rectangle(half),
                    at: [x, y],
                });
            }
            Form::Polygon(ring) => ring,
            Form::Hull(hull) => hull.points(),
            _ => return None,
        };
        let is_one = core.radius == 0.0 && (3..=EDGE_VERTICES_MAX).contains(&ring.len());
        is_one.then_some(Self {
            outline: PlanarOutline::Ring(ring, [[a, b], [c, d]]),
            at: [x, y],
        })
    }

    /// The largest magnitude of a vertex's coordinates, and the highest vertex; `None` where one is not finite.
    fn surveyed(&self, along: Flat) -> Option<(f64, u32)> {
        let (mut largest, mut sum) = (0.0, 0.0);
        for id in 0..self.count() {
            let [x, y] = self.vertex(id).map(f64::abs);
            largest = larger(larger(largest, x), y);
            sum += x + y;
        }
        let top = planar::highest(self, along);
        // Only numbers have a sum that is one.
        sum.is_finite().then_some((largest, top))
    }

    /// The edge along a direction, if it is clear which it is, by a vertex that is as good as highest.
    #[inline(always)]
    fn edge(&self, top: u32, along: Flat, measures: &Measures) -> Option<[u32; 2]> {
        let Measures { tangent, band, .. } = *measures;
        match &self.outline {
            PlanarOutline::Rectangle(half) => planar::rectangle_edge(half, along, tangent, band),
            PlanarOutline::Ring(..) => {
                planar::edge(self, RingOrder::Numbers, top, along, [tangent, band])
            }
        }
    }

    #[inline(always)]
    fn bearing(&self, ids: [u32; 2], left: Flat, origin: Flat) -> BearingEdge {
        let ends = [self.vertex(ids[0]), self.vertex(ids[1])];
        let places = [
            dot(left, subtract(ends[0], origin)),
            dot(left, subtract(ends[1], origin)),
        ];
        BearingEdge { ids, ends, places }
    }
}

impl BearingEdge {
    /// The number of the left end.
    #[inline(always)]
    fn left(&self) -> usize {
        usize::from(self.places[1] < self.places[0])
    }

    /// The point of the edge at a place.
    #[inline(always)]
    fn lift(&self, place: f64) -> Flat {
        let [from, to] = self.ends;
        let [start, end] = self.places;
        let span = end - start;
        // The edge is wide.
        let part = ((place - start) * span / (span * span)).clamp(0.0, 1.0);
        let step = subtract(to, from);
        [from[0] + part * step[0], from[1] + part * step[1]]
    }
}

/// The end of one of two edges over the other one, by the body and the number of the end.
#[inline(always)]
fn end_over(edges: &[BearingEdge; 2], [body, k]: [usize; 2], along: Flat) -> EdgeEnd {
    let (own, other) = (&edges[body & 1], &edges[(body & 1) ^ 1]);
    let (x, y) = (own.ends[k & 1], other.lift(own.places[k & 1]));
    let over = dot(along, subtract(y, x));
    EdgeEnd {
        body,
        vertex: own.ids[k & 1],
        on_a: either_place(body == 0, x, y),
        separation: either(body == 0, over, -over),
    }
}

/// The two ends of what both edges have in common, from left to right; `None` where one may have two names.
#[inline(always)]
fn common(edges: &[BearingEdge; 2], along: Flat, band: f64) -> Option<[EdgeEnd; 2]> {
    let [a, b] = edges;
    let (left_a, left_b) = (a.left(), b.left());
    let (low_a, high_a) = (a.places[left_a], a.places[left_a ^ 1]);
    let (low_b, high_b) = (b.places[left_b], b.places[left_b ^ 1]);
    let room = END_BANDS * band;
    let (from_a, to_a) = (low_a > low_b, high_a < high_b);
    let low = either(from_a, low_a, low_b);
    let high = either(to_a, high_a, high_b);
    let is_clear =
        ((low_a - low_b).abs() > room) & ((high_a - high_b).abs() > room) & (high - low > room);
    let first = end_of(from_a, [left_a, left_b]);
    let last = end_of(to_a, [left_a ^ 1, left_b ^ 1]);
    if !is_clear {
        return None;
    }
    Some([end_over(edges, first, along), end_over(edges, last, along)])
}

/// The body and the number of an end, A's or B's.
#[inline(always)]
fn end_of(is_of_a: bool, [of_a, of_b]: [usize; 2]) -> [usize; 2] {
    let body = usize::from(!is_of_a);
    [body, of_a ^ ((of_a ^ of_b) & body)]
}

/// [`fill_on`] with instructions that this machine has: the same operations, hence the same bits.
#[inline(never)]
pub(super) fn fill<V: Vector>(
    manifold: &mut Manifold<V>,
    cores: [&Core<'_, V>; 2],
    poses: [&Pose<V>; 2],
    along: Triple,
    options: &ManifoldOptions<V::Scalar>,
    known: Option<HighestVertices>,
) -> Option<()> {
    dispatch!(level(), _simd => fill_on(manifold, cores, poses, along, options, known))
}

/// Writes the points of two edges; `None`, and nothing written, where it is not clear that there are such, or one point has to be chosen.
#[inline(always)]
fn fill_on<V: Vector>(
    manifold: &mut Manifold<V>,
    cores: [&Core<'_, V>; 2],
    poses: [&Pose<V>; 2],
    along: Triple,
    options: &ManifoldOptions<V::Scalar>,
    known: Option<HighestVertices>,
) -> Option<()> {
    let a = PlanarBody::new(cores[0], poses[0])?;
    let b = PlanarBody::new(cores[1], poses[1])?;
    let (along, against) = ([along[0], along[1]], [-along[0], -along[1]]);
    let HighestVertices { ids, largest } = match known {
        Some(known) => known,
        None => searched([&a, &b], [along, against])?,
    };
    let (on_a, on_b) = (
        manifold.contact.point_a.to_f64(),
        manifold.contact.point_b.to_f64(),
    );
    let mut largest = largest;
    for x in [on_a[0], on_a[1], on_b[0], on_b[1]] {
        largest = larger(largest, x.abs());
    }
    let measures = Measures::new(largest, &manifold.contact, options);
    if measures.exponent != 0 {
        return None;
    }
    let (left, origin) = ([-along[1], along[0]], [on_a[0], on_a[1]]);
    let of_a = a.edge(ids[0], along, &measures)?;
    let [low, high] = b.edge(ids[1], against, &measures)?;
    let edges = [
        a.bearing(of_a, left, origin),
        b.bearing([high, low], left, origin),
    ];
    let ends = common(&edges, along, measures.band)?;
    // A place along an edge is as far off as the band, and edges may be tilted.
    let off = measures.rounding + measures.band;
    let deepest = measures.distance[1] + off;
    if ends[0].separation > deepest && ends[1].separation > deepest {
        return None;
    }
    let rings = [of_a, [low, high]];
    state(manifold, &ends, rings, (along, off), options)
}

/// What a search tells of two bodies, each along its direction.
#[inline(never)]
fn searched<V: Vector>(
    [a, b]: [&PlanarBody<'_, V>; 2],
    [along, against]: [Flat; 2],
) -> Option<HighestVertices> {
    let ((of_a, top_a), (of_b, top_b)) = (a.surveyed(along)?, b.surveyed(against)?);
    Some(HighestVertices {
        ids: [top_a, top_b],
        largest: larger(of_a, of_b),
    })
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
    let (first, last): (ManifoldPoint<V>, ManifoldPoint<V>) = (
        point(&ends[0], &rings, along, off),
        point(&ends[1], &rings, along, off),
    );
    let first_counts = first.separation.lower <= options.prediction();
    let last_counts = last.separation.lower <= options.prediction();
    let is_one = first_counts != last_counts;
    if !(is_one || first_counts && options.points_max() != Some(1)) {
        return None;
    }
    manifold.kind = ManifoldKind::EdgeEdge;
    manifold.face_a.be_edge(rings[0]);
    manifold.face_b.be_edge(rings[1]);
    if is_one {
        let only = if first_counts { first } else { last };
        manifold.points.push(only);
    } else {
        manifold.points.be_two([first, last]);
    }
    Some(())
}

/// An end as a point.
#[inline(always)]
fn point<V: Vector>(
    end: &EdgeEnd,
    rings: &[[u32; 2]; 2],
    along: Flat,
    off: f64,
) -> ManifoldPoint<V> {
    let (on_a, along) = ([end.on_a[0], end.on_a[1], 0.0], [along[0], along[1], 0.0]);
    let is_of_a = end.body == 0;
    let edge = if is_of_a { rings[1] } else { rings[0] };
    let (vertex, edge) = (
        ContactFeature::Vertex(end.vertex),
        ContactFeature::Edge(edge),
    );
    ManifoldPoint {
        point_a: world(on_a, 0),
        point_b: world(plus(on_a, along, end.separation), 0),
        separation: separation::<V>(end.separation, off, 0),
        feature_a: if is_of_a { vertex } else { edge },
        feature_b: if is_of_a { edge } else { vertex },
        id: vertex_and_edge_id(
            is_of_a,
            end.vertex,
            if is_of_a { rings[1] } else { rings[0] },
        ),
    }
}
