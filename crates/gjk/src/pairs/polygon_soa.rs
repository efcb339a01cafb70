//! Convex polygons as rows of numbers, four an operation: posed, with their edges and the gaps to another polygon.
//!
//! Where it sits: `polygon_polygon.rs` decides by what it computes. Read [`Outline::new`], then [`Corners::edges`].
//! Idea: rows have a length that is known when compiled, so that loops over them unroll and rows stay in registers. The ring
//! is repeated until its rows are full: an edge tested twice costs less than a branch.
//! Numbers: every operation is rounded once and none is fused, on every target alike.

use crate::math::planar::{Planar, negative, sum_abs};
use crate::math::{Pose, Scalar, Vector};
use fearless_simd::{Simd, f64x4, prelude::*, u64x4};

/// The largest count of vertices for which all edges against all vertices are faster than the loops.
pub(super) const VERTICES_MAX: usize = 16;

/// The low bits of a score hold the edge's number: the depth is the least to `2⁻⁴⁷` of itself.
pub(super) const TAG: u64 = 2 * VERTICES_MAX as u64 - 1;
pub(super) const POLYGON_TAG_ERROR: f64 = (TAG + 1) as f64 * f64::EPSILON;

/// Lanes of an operation.
pub(super) const LANES: usize = 4;

/// Numbers of a polygon's vertices or edges, in order, the first again behind the last until the rows are full.
pub(super) type Rows<const C: usize> = [[f64; LANES]; C];

/// [`Rows`] in registers.
pub(super) type Wide<S, const C: usize> = [f64x4<S>; C];

/// A polygon from A's translation, counter-clockwise.
pub(super) struct Outline<S: Simd, const C: usize> {
    pub(super) simd: S,
    x: Rows<C>,
    y: Rows<C>,
    pub(super) len: usize,
    /// The vertex after the last of the rows.
    pub(super) wrap: usize,
    /// The body's ring is the other way around.
    mirrored: bool,
}

/// Edge `k` leaves vertex `k`.
pub(super) struct Edges<const C: usize> {
    pub(super) x: Rows<C>,
    pub(super) y: Rows<C>,
    /// The least height of the other polygon's vertices over the edge, times its length.
    pub(super) gap: Rows<C>,
    /// One over the length.
    pub(super) per_length: Rows<C>,
}

impl<const C: usize> Edges<C> {
    #[inline(always)]
    pub(super) fn edge(&self, k: usize) -> Planar {
        [self.x.as_flattened()[k], self.y.as_flattened()[k]]
    }
}

/// A pose in `f64`.
pub(super) struct Place {
    columns: [Planar; 2],
    pub(super) translation: Planar,
}

impl Place {
    #[inline(always)]
    pub(super) fn new<V: Vector>(pose: &Pose<V>) -> Self {
        let columns = pose.columns();
        Self {
            columns: [planar(columns[0]), planar(columns[1])],
            translation: planar(pose.translation()),
        }
    }

    /// A coordinate of points in the world. The order of operations is that of `Pose::point`.
    #[inline(always)]
    fn row<S: Simd>(&self, k: usize, x: f64x4<S>, y: f64x4<S>) -> f64x4<S> {
        let [c, d] = self.columns;
        (c[k] * x + d[k] * y) + self.translation[k]
    }

    /// Sum of the coordinates' magnitudes of `L·x` over `|x_k| ≤ extent_k`.
    #[inline(always)]
    pub(super) fn bound<V: Vector>(&self, extent: V) -> f64 {
        let [c, d] = self.columns;
        extent.component(0).to_f64() * sum_abs(c) + extent.component(1).to_f64() * sum_abs(d)
    }

    /// Whether the map mirrors; `None` where it nearly flattens.
    #[inline(always)]
    pub(super) fn mirrors(&self) -> Option<bool> {
        const POSE_FLATTENS: f64 = 1e-12;
        let [c, d] = self.columns;
        let (p, q) = (c[0] * d[1], c[1] * d[0]);
        let told = (p - q).abs() > POSE_FLATTENS * (p.abs() + q.abs());
        told.then_some(p < q)
    }
}

/// The vertices of an [`Outline`], and each one's next.
pub(super) struct Corners<S: Simd, const C: usize> {
    simd: S,
    x: Wide<S, C>,
    y: Wide<S, C>,
    next_x: Wide<S, C>,
    next_y: Wide<S, C>,
    /// The largest magnitudes of coordinates in the world.
    pub(super) largest: f64x4<S>,
}

#[inline(always)]
fn planar<V: Vector>(x: V) -> Planar {
    [x.component(0).to_f64(), x.component(1).to_f64()]
}

/// A polygon's vertices in order, counter-clockwise.
#[derive(Clone, Copy)]
pub(super) enum PlanarRing<'b, V> {
    /// The corners of a rectangle about the origin, by its half edges, from the lowest on.
    Rectangle(Planar),
    /// So many of a hull that has them in lanes, repeated until these are full.
    Lanes([&'b [f64; 2 * LANES]; 2], usize),
    Vertices(&'b [V]),
}

impl<V: Vector> PlanarRing<'_, V> {
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Rectangle(_) => 4,
            Self::Lanes(_, len) => *len,
            Self::Vertices(ring) => ring.len(),
        }
    }

    /// The coordinates, from the last to the first of a ring that is mirrored, repeated until the rows are full; and the vertex that comes next.
    #[inline(always)]
    fn repeated<const C: usize>(&self, mirrored: bool) -> ([Rows<C>; 2], usize) {
        let len = self.len();
        match *self {
            Self::Rectangle([p, q]) => {
                let low = if mirrored { q } else { -q };
                ([[[-p, p, p, -p]; C], [[low, low, -low, -low]; C]], 0)
            }
            Self::Lanes([x, y], _) if !mirrored && C <= 2 => {
                let mut local = [[[0.0; LANES]; C]; 2];
                for at in 0..C {
                    for k in 0..LANES {
                        local[0][at][k] = x[at * LANES + k];
                        local[1][at][k] = y[at * LANES + k];
                    }
                }
                (local, if len == C * LANES { 0 } else { C * LANES % len })
            }
            Self::Lanes([x, y], _) => repeated(len, mirrored, |k| [x[k], y[k]]),
            Self::Vertices(ring) => repeated(len, mirrored, |k| planar(ring[k])),
        }
    }
}

/// The same of so many vertices, one by one.
#[inline(always)]
fn repeated<const C: usize>(
    len: usize,
    mirrored: bool,
    at: impl Fn(usize) -> Planar,
) -> ([Rows<C>; 2], usize) {
    let (mut local, mut wrap) = ([[[0.0; LANES]; C]; 2], 0);
    for k in 0..C * LANES {
        let [x, y] = at(if mirrored { len - 1 - wrap } else { wrap });
        local[0][k / LANES][k % LANES] = x;
        local[1][k / LANES][k % LANES] = y;
        wrap = if wrap + 1 < len { wrap + 1 } else { 0 };
    }
    (local, wrap)
}

impl<S: Simd, const C: usize> Outline<S, C> {
    #[inline(always)]
    pub(super) fn new<V: Vector>(
        simd: S,
        ring: &PlanarRing<'_, V>,
        place: &Place,
        from: Planar,
        mirrored: bool,
    ) -> (Self, Corners<S, C>) {
        let len = ring.len();
        let (local, wrap) = ring.repeated::<C>(mirrored);
        let none = [f64x4::splat(simd, 0.0); C];
        let mut corners = Corners {
            simd,
            x: none,
            y: none,
            next_x: none,
            next_y: none,
            largest: none[0],
        };
        let mut largest = none[0];
        let (mut x, mut y) = ([[0.0; LANES]; C], [[0.0; LANES]; C]);
        for at in 0..C {
            let at_x = f64x4::simd_from(simd, local[0][at]);
            let at_y = f64x4::simd_from(simd, local[1][at]);
            let (in_x, in_y) = (place.row(0, at_x, at_y), place.row(1, at_x, at_y));
            largest = larger(larger(largest, in_x.abs()), in_y.abs());
            (corners.x[at], corners.y[at]) = (in_x - from[0], in_y - from[1]);
            (x[at], y[at]) = (corners.x[at].into(), corners.y[at].into());
        }
        corners.largest = largest;
        let last = if wrap == 0 {
            [corners.x[0], corners.y[0]]
        } else {
            let (x, y) = (x.as_flattened()[wrap], y.as_flattened()[wrap]);
            [f64x4::splat(simd, x), f64x4::splat(simd, y)]
        };
        for at in 0..C {
            let after = if at + 1 < C {
                [corners.x[at + 1], corners.y[at + 1]]
            } else {
                last
            };
            corners.next_x[at] = corners.x[at].slide::<1>(after[0]);
            corners.next_y[at] = corners.y[at].slide::<1>(after[1]);
        }
        (
            Self {
                simd,
                x,
                y,
                len,
                wrap,
                mirrored,
            },
            corners,
        )
    }

    #[inline(always)]
    pub(super) fn point(&self, k: usize) -> Planar {
        [self.x.as_flattened()[k], self.y.as_flattened()[k]]
    }

    /// The vertex in a place of the rows.
    #[inline(always)]
    pub(super) fn vertex(&self, k: usize) -> usize {
        if k < self.len { k } else { k % self.len }
    }

    /// The number that the body has for a vertex; of a rectangle its place in order.
    #[inline(always)]
    pub(super) fn id(&self, vertex: usize) -> u32 {
        (if self.mirrored {
            self.len - 1 - vertex
        } else {
            vertex
        }) as u32
    }

    /// The vertex after `k`, or before it.
    #[inline(always)]
    pub(super) fn beside(&self, k: usize, forward: bool) -> usize {
        if forward {
            if k + 1 < self.len { k + 1 } else { 0 }
        } else if k > 0 {
            k - 1
        } else {
            self.len - 1
        }
    }

    /// The heights of the vertices.
    #[inline(always)]
    pub(super) fn heights(&self, direction: Planar) -> Wide<S, C> {
        let mut heights = [f64x4::splat(self.simd, 0.0); C];
        for (at, slot) in heights.iter_mut().enumerate() {
            *slot = f64x4::simd_from(self.simd, self.x[at]) * direction[0]
                + f64x4::simd_from(self.simd, self.y[at]) * direction[1];
        }
        heights
    }

    /// The lowest vertex, up to the roundings that numbers in low bits cost.
    #[inline(always)]
    pub(super) fn lowest(&self, direction: Planar) -> usize {
        let mut heights = self.heights(negative(direction));
        for (at, slot) in heights.iter_mut().enumerate() {
            *slot = tagged(self.simd, *slot, at * LANES);
        }
        // Rows repeat the ring.
        self.vertex((top(highest(heights)).to_bits() & TAG) as usize % (C * LANES))
    }
}

impl<S: Simd, const C: usize> Corners<S, C> {
    /// The edges, and for each the gap over its length, and its number, which counts from `first`.
    #[inline(always)]
    pub(super) fn edges(&self, other: &Outline<S, C>, first: usize) -> (Edges<C>, Wide<S, C>) {
        let simd = self.simd;
        let (mut x, mut y, mut lowest) = (self.x, self.y, [f64x4::splat(simd, f64::INFINITY); C]);
        for at in 0..C {
            (x[at], y[at]) = (self.next_x[at] - self.x[at], self.next_y[at] - self.y[at]);
        }
        // The outward normal is (y, -x).
        for j in 0..C * LANES {
            let [p, q] = other.point(j);
            let (p, q) = (f64x4::splat(simd, p), f64x4::splat(simd, q));
            for at in 0..C {
                lowest[at] = lowest[at].min(y[at] * p - x[at] * q);
            }
        }
        let none = [[0.0; LANES]; C];
        let (mut edges, mut scores) = (
            Edges {
                x: none,
                y: none,
                gap: none,
                per_length: none,
            },
            x,
        );
        for at in 0..C {
            // All roots at once take less time than one would once the edge is known.
            let per_length = 1.0 / (x[at] * x[at] + y[at] * y[at]).sqrt();
            let gap = lowest[at] - (y[at] * self.x[at] - x[at] * self.y[at]);
            scores[at] = tagged(simd, gap * per_length, first + at * LANES);
            (edges.x[at], edges.y[at]) = (x[at].into(), y[at].into());
            (edges.gap[at], edges.per_length[at]) = (gap.into(), per_length.into());
        }
        (edges, scores)
    }
}

/// Numbers that differ by `2⁻⁴⁷` of themselves, with their place in the low bits.
#[inline(always)]
pub(super) fn tagged<S: Simd>(simd: S, x: f64x4<S>, first: usize) -> f64x4<S> {
    let first = first as u64;
    let tags = u64x4::simd_from(simd, [first, first + 1, first + 2, first + 3]);
    (x.bitcast::<u64x4<S>>() & u64x4::splat(simd, !TAG) | tags).bitcast()
}

/// The second where one is not a number, on every target.
#[inline(always)]
pub(super) fn larger<S: Simd>(x: f64x4<S>, y: f64x4<S>) -> f64x4<S> {
    x.simd_gt(y).select(x, y)
}

#[inline(always)]
pub(super) fn highest<S: Simd, const C: usize>(mut rows: Wide<S, C>) -> f64x4<S> {
    let mut half = C / 2;
    while half > 0 {
        for at in 0..half {
            rows[at] = larger(rows[at], rows[at + half]);
        }
        half /= 2;
    }
    rows[0]
}

/// The largest of four.
#[inline(always)]
pub(super) fn top<S: Simd>(x: f64x4<S>) -> f64 {
    let (low, high) = x.split();
    let pair = low.simd_gt(high).select(low, high);
    if pair[0] > pair[1] { pair[0] } else { pair[1] }
}
