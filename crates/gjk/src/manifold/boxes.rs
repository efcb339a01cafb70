//! Two boxes in space whose faces bear on each other, in corners that are clear of each other's sides: nearly every manifold of boxes at rest.
//!
//! Where it sits: `solve.rs` asks it before it places bodies of any kind. What is not clear is left to the search there, which has the same answer.
//! Idea: the faces are those whose normals are nearest to the direction (`cuboid.rs`). Four corners are a row of numbers, and their signs against a side of
//! the other face are bits. Every operation is rounded once and none is fused, so that the bits are those of the search.

use super::answer::{ContactFeature, Manifold, ManifoldKind};
use super::chosen::{CornerFrame, Normal};
use super::cuboid;
use super::faces::BearingPlane;
use super::measures::Measures;
use super::options::ManifoldOptions;
use super::polygon::{SideMasks, crossing};
use super::reduce::Candidate;
use super::view::{Flat, View, larger};
use crate::math::triple::{Triple, dot, plus, subtract};
use crate::math::{Pose, Vector};
use crate::simd::level;
use crate::support::{Core, Form};
use fearless_simd::{Simd, dispatch, f64x4, prelude::*};

/// A box's corners in the world.
struct BearingBox {
    points: [Triple; 8],
    largest: f64,
}

/// A face of a box that bears, its corners counter-clockwise seen against the normal of the contact.
struct BoxFace<S: Simd> {
    ids: [u32; 4],
    points: [Triple; 4],
    rows: [f64x4<S>; 3],
    /// The places across the normal of the contact.
    flat: [f64x4<S>; 2],
    places: [[f64; 4]; 2],
    normal: Triple,
    /// The rise of the normal along that of the contact.
    level: f64,
    off: f64,
}

impl BearingBox {
    const NONE: Self = Self {
        points: [[0.0; 3]; 8],
        largest: 0.0,
    };

    /// `None` where it is no box, has a radius or a pose that shears, or leaves the range of floats.
    // In place: it is large.
    #[inline(always)]
    fn place<V: Vector>(&mut self, core: &Core<'_, V>, pose: &Pose<V>) -> Option<()> {
        let Form::Cuboid(half) = core.form else {
            return None;
        };
        pose.uniform_scale()?;
        self.largest = cuboid::corners(half, &pose.lift(), &mut self.points);
        (self.largest.is_finite() && core.radius == 0.0).then_some(())
    }
}

/// The inner products of a direction and a row of points from another.
#[inline(always)]
fn dots<S: Simd>(direction: Triple, rows: [f64x4<S>; 3]) -> f64x4<S> {
    rows[0] * direction[0] + rows[1] * direction[1] + rows[2] * direction[2]
}

#[inline(always)]
fn minus_point<S: Simd>(rows: [f64x4<S>; 3], x: Triple) -> [f64x4<S>; 3] {
    [rows[0] - x[0], rows[1] - x[1], rows[2] - x[2]]
}

impl<S: Simd> BoxFace<S> {
    /// The face that bears, seen along the normal or from behind; `None` where it is not clear which it is.
    #[inline(always)]
    fn new(
        simd: S,
        corners: &BearingBox,
        view: &View,
        is_behind: bool,
        measures: &Measures,
    ) -> Option<Self> {
        let seen = if is_behind { view.behind() } else { *view };
        let mut ids = cuboid::ring(&corners.points, &seen, measures.tangent, measures.band)?;
        let at = |id: u32| corners.points[(id & 7) as usize];
        let plane = BearingPlane::through([at(ids[0]), at(ids[1]), at(ids[2])], seen.along)?;
        if is_behind {
            ids = [ids[3], ids[2], ids[1], ids[0]];
        }
        let points = [at(ids[0]), at(ids[1]), at(ids[2]), at(ids[3])];
        let row = |k: usize| {
            let row = [points[0][k], points[1][k], points[2][k], points[3][k]];
            f64x4::simd_from(simd, row)
        };
        let rows = [row(0), row(1), row(2)];
        let from = minus_point(rows, view.origin);
        let flat = [dots(view.across[0], from), dots(view.across[1], from)];
        let heights: [f64; 4] = dots(plane.normal, minus_point(rows, plane.anchor))
            .abs()
            .into();
        let most = larger(
            larger(heights[0], heights[1]),
            larger(heights[2], heights[3]),
        );
        let level = dot(plane.normal, view.along);
        Some(Self {
            ids,
            points,
            rows,
            flat,
            places: [flat[0].into(), flat[1].into()],
            normal: plane.normal,
            level,
            off: most / level.abs(),
        })
    }

    /// The ring as its own body sees it, the lowest number first.
    #[inline(always)]
    fn ring(&self, is_behind: bool) -> [u32; 4] {
        let [p, q, r, s] = self.ids;
        let ring = if is_behind { [s, r, q, p] } else { self.ids };
        let mut low = 0;
        for k in 1..4 {
            low = if ring[k] < ring[low] { k } else { low };
        }
        let at = |k: usize| ring[(low + k) & 3];
        [at(0), at(1), at(2), at(3)]
    }

    /// Of each side, which corners and sides of another face are clearly in, out and across.
    #[inline(always)]
    fn masks(&self, simd: S, other: &Self, band: f64) -> [SideMasks; 4] {
        let [x, y] = self.flat;
        let (step_x, step_y) = (x.slide::<1>(x) - x, y.slide::<1>(y) - y);
        let reach = (step_x * step_x + step_y * step_y).sqrt() * band;
        let [step_x, step_y, reach]: [[f64; 4]; 3] = [step_x.into(), step_y.into(), reach.into()];
        let mut masks = [SideMasks::default(); 4];
        for (k, slot) in masks.iter_mut().enumerate() {
            let heights = (other.flat[1] - self.places[1][k]) * step_x[k]
                - (other.flat[0] - self.places[0][k]) * step_y[k];
            let reach = f64x4::splat(simd, reach[k]);
            let inner = heights.simd_gt(reach).to_bitmask();
            let outer = (-heights).simd_gt(reach).to_bitmask();
            *slot = SideMasks::new(inner, outer, 4);
        }
        masks
    }

    /// The points of the plane over or under those of another face, and how far they are from them along the normal of the contact.
    #[inline(always)]
    fn lifted(&self, simd: S, other: &Self, along: Triple) -> ([[f64; 4]; 3], [f64; 4]) {
        let splat = |x: f64| f64x4::splat(simd, x);
        let [x, y, z] = other.rows;
        let [p, q, r] = self.points[0].map(splat);
        let rise = dots(self.normal, [p - x, q - y, r - z]) / splat(self.level);
        let on = [
            x + rise * along[0],
            y + rise * along[1],
            z + rise * along[2],
        ];
        let heights = dots(along, [on[0] - x, on[1] - y, on[2] - z]);
        ([on[0].into(), on[1].into(), on[2].into()], heights.into())
    }

    #[inline(always)]
    fn place(&self, k: usize) -> Flat {
        [self.places[0][k & 3], self.places[1][k & 3]]
    }

    /// What the side after a corner is called.
    #[inline(always)]
    fn side(&self, k: usize) -> ContactFeature {
        let (from, to) = (self.ids[k & 3], self.ids[(k + 1) & 3]);
        ContactFeature::Edge([from.min(to), from.max(to)])
    }

    /// The point of a side at a part of its length.
    #[inline(always)]
    fn at(&self, k: usize, part: f64) -> Triple {
        let (from, to) = (self.points[k & 3], self.points[(k + 1) & 3]);
        plus(from, subtract(to, from), part)
    }
}

/// The bits of two faces against each other: which corners are within the other, and which sides cross, four bits a side of the first.
struct ClearBits {
    within: [u64; 2],
    crossed: u64,
}

impl ClearBits {
    /// `None` where a corner or a crossing is not clear.
    #[inline(always)]
    fn new(first: &[SideMasks; 4], second: &[SideMasks; 4]) -> Option<Self> {
        let (mut clear, mut held) = ([0xf; 2], [0xf; 2]);
        let (mut parted, mut maybe) = ([0; 2], [0; 2]);
        for (of, sides) in [second, first].into_iter().enumerate() {
            for (k, side) in sides.iter().enumerate() {
                clear[of] &= side.inner;
                held[of] &= !side.outer;
                parted[of] |= (side.parted & 0xf) << (4 * k);
                maybe[of] |= (side.maybe & 0xf) << (4 * k);
            }
        }
        let crossed = parted[1] & transposed(parted[0]);
        let is_clear = clear == held && crossed == maybe[1] & transposed(maybe[0]);
        is_clear.then_some(Self {
            within: clear,
            crossed,
        })
    }
}

/// Four rows of four bits as columns.
#[inline(always)]
fn transposed(rows: u64) -> u64 {
    let swap = (rows ^ (rows >> 3)) & 0x0a0a;
    let rows = rows ^ swap ^ (swap << 3);
    let swap = (rows ^ (rows >> 6)) & 0x00cc;
    rows ^ swap ^ (swap << 6)
}

/// The corners of what two faces have in common; no more than eight of two quadrangles.
struct BoxMeeting {
    found: [Candidate; 8],
    count: usize,
}

impl BoxMeeting {
    #[inline(always)]
    fn push(&mut self, corner: Candidate) {
        if let Some(slot) = self.found.get_mut(self.count) {
            *slot = corner;
            self.count += 1;
        }
    }

    #[inline(always)]
    fn fill<S: Simd>(
        &mut self,
        simd: S,
        [a, b]: [&BoxFace<S>; 2],
        view: &View,
        frame: &CornerFrame,
        bits: &ClearBits,
    ) {
        let along = frame.along;
        let (_, heights) = b.lifted(simd, a, along);
        let mut left = bits.within[0];
        while left != 0 {
            let k = left.trailing_zeros() as usize & 3;
            left &= left - 1;
            self.push(Candidate {
                place: a.place(k),
                separation: heights[k],
                features: frame.in_order([ContactFeature::Vertex(a.ids[k]), ContactFeature::Face]),
                point_a: a.points[k],
            });
        }
        let (on, heights) = a.lifted(simd, b, along);
        let mut left = bits.within[1];
        while left != 0 {
            let k = left.trailing_zeros() as usize & 3;
            left &= left - 1;
            self.push(Candidate {
                place: b.place(k),
                separation: -heights[k],
                features: frame.in_order([ContactFeature::Face, ContactFeature::Vertex(b.ids[k])]),
                point_a: [on[0][k], on[1][k], on[2][k]],
            });
        }
        let mut left = bits.crossed;
        while left != 0 {
            let (i, j) = (
                left.trailing_zeros() as usize / 4,
                left.trailing_zeros() as usize & 3,
            );
            left &= left - 1;
            let side_a = [a.place(i), a.place(i + 1)];
            let side_b = [b.place(j), b.place(j + 1)];
            let on_a = a.at(i, crossing(side_a, side_b));
            let on_b = b.at(j, crossing(side_b, side_a));
            self.push(Candidate {
                place: view.flat(on_a),
                separation: dot(along, subtract(on_b, on_a)),
                features: frame.in_order([a.side(i), b.side(j)]),
                point_a: on_a,
            });
        }
    }
}

/// Writes the points of two faces; `None`, and nothing written, where it is not clear that there are such.
#[inline(always)]
pub(super) fn fill<V: Vector>(
    manifold: &mut Manifold<V>,
    cores: [&Core<'_, V>; 2],
    poses: [&Pose<V>; 2],
    along: Triple,
    options: &ManifoldOptions<V::Scalar>,
) -> Option<()> {
    let (mut a, mut b) = (BearingBox::NONE, BearingBox::NONE);
    a.place(cores[0], poses[0])?;
    b.place(cores[1], poses[1])?;
    with_simd(manifold, [&a, &b], along, options)
}

/// [`faces`] with instructions that this machine has: the same operations, hence the same bits.
#[inline(never)]
fn with_simd<V: Vector>(
    manifold: &mut Manifold<V>,
    bodies: [&BearingBox; 2],
    along: Triple,
    options: &ManifoldOptions<V::Scalar>,
) -> Option<()> {
    dispatch!(level(), simd => faces(simd, manifold, bodies, along, options))
}

#[inline(always)]
fn faces<S: Simd, V: Vector>(
    simd: S,
    manifold: &mut Manifold<V>,
    [a, b]: [&BearingBox; 2],
    along: Triple,
    options: &ManifoldOptions<V::Scalar>,
) -> Option<()> {
    let witness = [
        manifold.contact.point_a.to_f64(),
        manifold.contact.point_b.to_f64(),
    ];
    let mut largest = larger(a.largest, b.largest);
    for x in witness.as_flattened() {
        largest = larger(largest, x.abs());
    }
    let measures = Measures::new(largest, &manifold.contact, options);
    if measures.exponent != 0 {
        return None;
    }
    let view = View::new(3, along, witness[0]);
    let a = BoxFace::new(simd, a, &view, false, &measures)?;
    let b = BoxFace::new(simd, b, &view, true, &measures)?;
    let of_a = a.masks(simd, &b, measures.band);
    let of_b = b.masks(simd, &a, measures.band);
    let bits = ClearBits::new(&of_a, &of_b)?;
    let rings = [a.ring(false), b.ring(true)];
    let frame = CornerFrame {
        along,
        exchanged: rings[1] < rings[0],
        off: a.off + b.off + measures.rounding,
        exponent: 0,
        normal: Normal::OfContact,
    };
    let mut meeting = BoxMeeting {
        found: [Candidate::NONE; 8],
        count: 0,
    };
    meeting.fill(simd, [&a, &b], &view, &frame, &bits);
    let found = &meeting.found[..meeting.count];
    let deepest = measures.distance[1] + frame.off;
    if !found.iter().any(|corner| corner.separation <= deepest) {
        return None;
    }
    manifold.kind = ManifoldKind::FaceFace;
    manifold.face_a.be_ring(rings[0]);
    manifold.face_b.be_ring(rings[1]);
    frame.choose(manifold, found, options);
    Some(())
}
