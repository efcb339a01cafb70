//! Two boxes in space whose faces bear on each other, in corners that are clear of each other's sides: nearly every manifold of boxes at rest.
//!
//! Where it sits: `solve.rs` asks it before it places bodies of any kind. What is not clear is left to the search there, which has the same answer.
//! Idea: the faces are those whose normals are nearest to the direction (`cuboid.rs`). Of the four corners and sides of either face one number has all the
//! signs against those of the other, a bit each.

use super::answer::{ContactFeature, Manifold, ManifoldKind};
use super::chosen::CornerFrame;
use super::cuboid;
use super::faces::BearingPlane;
use super::measures::Measures;
use super::options::ManifoldOptions;
use super::polygon::{CornerRows, SideMasks, crossing, side};
use super::reduce::Candidate;
use super::view::{Flat, View, larger, next_of};
use crate::math::triple::{Triple, dot, plus, subtract};
use crate::math::{Pose, Vector};
use crate::support::{Core, Form};
use smallvec::SmallVec;

/// A box's corners in the world.
struct BoxCorners {
    points: [Triple; 8],
    largest: f64,
}

/// A face of a box that bears.
struct BoxFace {
    /// Counter-clockwise seen against the normal of the contact.
    ids: [u32; 4],
    points: [Triple; 4],
    flat: [Flat; 4],
    normal: Triple,
    /// The rise of the normal along that of the contact.
    level: f64,
    off: f64,
}

impl BoxCorners {
    /// `None` where it is no box, has a radius or a pose that shears, or leaves the range of floats.
    #[inline(always)]
    fn new<V: Vector>(core: &Core<'_, V>, pose: &Pose<V>) -> Option<Self> {
        let Form::Cuboid(half) = core.form else {
            return None;
        };
        pose.uniform_scale()?;
        let (points, largest) = cuboid::corners(half, &pose.lift());
        let fits = largest.is_finite() && core.radius == 0.0;
        fits.then_some(Self { points, largest })
    }

    /// The face that bears, seen along the normal or from behind; `None` where it is not clear which it is.
    #[inline(always)]
    fn face(&self, view: &View, is_behind: bool, measures: &Measures) -> Option<BoxFace> {
        let seen = if is_behind { view.behind() } else { *view };
        let mut ids = cuboid::ring(&self.points, &seen, measures.tangent, measures.band)?;
        let mut points = ids.map(|id| self.points[id as usize % 8]);
        let plane = BearingPlane::through([points[0], points[1], points[2]], seen.along)?;
        let off = plane.off(&points, 0.0, &seen);
        if is_behind {
            ids.reverse();
            points.reverse();
        }
        Some(BoxFace {
            ids,
            points,
            flat: points.map(|x| view.flat(x)),
            normal: plane.normal,
            level: dot(plane.normal, view.along),
            off,
        })
    }
}

impl BoxFace {
    /// The ring as its own body sees it, the lowest number first.
    fn ring(&self, is_behind: bool) -> [u32; 4] {
        let [p, q, r, s] = self.ids;
        let ring = if is_behind { [s, r, q, p] } else { self.ids };
        let lowest = (0..4).fold(0, |low, k| if ring[k] < ring[low] { k } else { low });
        core::array::from_fn(|k| ring[(lowest + k) % 4])
    }

    /// The point of the plane over or under a point.
    #[inline(always)]
    fn lift(&self, from: Triple, along: Triple) -> Triple {
        let rise = dot(self.normal, subtract(self.points[0], from)) / self.level;
        plus(from, along, rise)
    }

    /// What the side after a corner is called.
    #[inline(always)]
    fn side(&self, k: usize) -> ContactFeature {
        let (from, to) = (self.ids[k], self.ids[next_of(k, 4)]);
        ContactFeature::Edge([from.min(to), from.max(to)])
    }

    /// The point of a side at a part of its length.
    #[inline(always)]
    fn at(&self, k: usize, part: f64) -> Triple {
        let (from, to) = (self.points[k], self.points[next_of(k, 4)]);
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
    fn new(faces: [&BoxFace; 2], band: f64) -> Option<Self> {
        let rows = faces.map(|face| CornerRows::<4>::new(&face.flat));
        // Of each side of one, the corners and sides of the other.
        let masks = |of: usize| -> [SideMasks; 4] {
            core::array::from_fn(|k| rows[1 - of].masks(side(&faces[of].flat, k), band))
        };
        let (first, second) = (masks(0), masks(1));
        let within = |sides: &[SideMasks; 4]| {
            let clear = sides.iter().fold(0xf, |all, side| all & side.inner);
            let held = sides.iter().fold(0xf, |all, side| all & !side.outer);
            (clear == held).then_some(clear)
        };
        let rows_of = |sides: &[SideMasks; 4], bits: fn(&SideMasks) -> u64| {
            (0..4).fold(0, |all, k| all | (bits(&sides[k]) & 0xf) << (4 * k))
        };
        let both = |bits: fn(&SideMasks) -> u64| {
            rows_of(&first, bits) & transposed(rows_of(&second, bits))
        };
        let crossed = both(|side| side.parted);
        (crossed == both(|side| side.maybe)).then_some(())?;
        Some(Self {
            within: [within(&second)?, within(&first)?],
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

/// The numbers of the bits that are set.
#[inline(always)]
fn each_bit(mut bits: u64) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let at = bits.trailing_zeros() as usize;
        let is_left = bits != 0;
        bits &= bits.wrapping_sub(1);
        is_left.then_some(at)
    })
}

/// Two faces, seen along the normal.
struct FacePair<'f> {
    faces: [&'f BoxFace; 2],
    view: View,
    frame: CornerFrame,
}

impl FacePair<'_> {
    /// The corners of what the faces have in common.
    #[inline(always)]
    fn corners(&self, bits: &ClearBits, found: &mut SmallVec<[Candidate; 8]>) {
        let [a, b] = self.faces;
        let along = self.frame.along;
        for k in each_bit(bits.within[0]) {
            let names = [ContactFeature::Vertex(a.ids[k & 3]), ContactFeature::Face];
            let x = a.points[k & 3];
            found.push(self.corner(a.flat[k & 3], [x, b.lift(x, along)], names));
        }
        for k in each_bit(bits.within[1]) {
            let names = [ContactFeature::Face, ContactFeature::Vertex(b.ids[k & 3])];
            let x = b.points[k & 3];
            found.push(self.corner(b.flat[k & 3], [a.lift(x, along), x], names));
        }
        for bit in each_bit(bits.crossed) {
            let (i, j) = (bit / 4 & 3, bit & 3);
            let (side_a, side_b) = (side(&a.flat, i), side(&b.flat, j));
            let on_a = a.at(i, crossing(side_a, side_b));
            let on_b = b.at(j, crossing(side_b, side_a));
            let place = self.view.flat(on_a);
            found.push(self.corner(place, [on_a, on_b], [a.side(i), b.side(j)]));
        }
    }

    #[inline(always)]
    fn corner(
        &self,
        place: Flat,
        [on_a, on_b]: [Triple; 2],
        names: [ContactFeature; 2],
    ) -> Candidate {
        Candidate {
            place,
            separation: dot(self.frame.along, subtract(on_b, on_a)),
            features: self.frame.in_order(names),
            point_a: on_a,
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
    let (a, b) = (
        BoxCorners::new(cores[0], poses[0])?,
        BoxCorners::new(cores[1], poses[1])?,
    );
    faces(manifold, [&a, &b], along, options)
}

fn faces<V: Vector>(
    manifold: &mut Manifold<V>,
    [a, b]: [&BoxCorners; 2],
    along: Triple,
    options: &ManifoldOptions<V::Scalar>,
) -> Option<()> {
    let witness = [manifold.contact.point_a, manifold.contact.point_b].map(|x| x.to_f64());
    let sizes = witness.as_flattened().iter().map(|x| x.abs());
    let largest = sizes.fold(larger(a.largest, b.largest), larger);
    let measures = Measures::new(largest, &manifold.contact, options);
    if measures.exponent != 0 {
        return None;
    }
    let view = View::new(3, along, witness[0]);
    let (a, b) = (
        a.face(&view, false, &measures)?,
        b.face(&view, true, &measures)?,
    );
    let bits = ClearBits::new([&a, &b], measures.band)?;
    let rings = [a.ring(false), b.ring(true)];
    let pair = FacePair {
        faces: [&a, &b],
        view,
        frame: CornerFrame {
            along,
            exchanged: rings[1] < rings[0],
            off: a.off + b.off + measures.rounding,
            exponent: 0,
        },
    };
    let mut found = SmallVec::new();
    pair.corners(&bits, &mut found);
    let deepest = measures.distance[1] + pair.frame.off;
    if !found.iter().any(|corner| corner.separation <= deepest) {
        return None;
    }
    manifold.kind = ManifoldKind::FaceFace;
    manifold.face_a.be_ring(rings[0]);
    manifold.face_b.be_ring(rings[1]);
    pair.frame.choose(manifold, &found, options);
    Some(())
}
