//! The simplex's face nearest the origin, in lanes, in space.
//!
//! Where it sits: called by `walk.rs` once a step. Like `gjk::simplex` it tries only faces of the newest vertex, told apart
//! by signs; here every lane evaluates all of them, and what no lane needs is skipped: a triangle while all simplexes are
//! edges, a tetrahedron while all are triangles.
//!
//! Empty slots repeat the newest vertex. Without fused operations an edge to itself has exactly zero products, so a
//! repeated vertex is in no face that wins. Signs are taken from inner products of edges, which may be wrong for slivers:
//! a wrong face gives a point that is not nearer, and the walk stops there with what it has.

use crate::rounding::{Bound, bound};
use crate::simd::{Mask, V3, Wide};
use fearless_simd::{Simd, prelude::*};

/// A face of the newest vertex, with the point of it nearest the origin.
#[derive(Clone, Copy)]
pub(crate) struct Face<S: Simd> {
    /// Which of the three older vertices come second and third: `[k][slot]`.
    pub(crate) second: [Mask<S>; 3],
    pub(crate) third: [Mask<S>; 3],
    /// Numerators of the weights of the second and third, and the denominator of both.
    pub(crate) weights: [Wide<S>; 2],
    pub(crate) total: Wide<S>,
    pub(crate) point: V3<S>,
    /// How many vertices: 1 to 3.
    pub(crate) count: Wide<S>,
    /// The signs agree on a face.
    pub(crate) known: Mask<S>,
    /// The signs say that the tetrahedron holds the origin.
    pub(crate) enclosed: Mask<S>,
}

/// What the signs need: `t_k = −w·e_k` and the edges' inner products.
#[derive(Clone, Copy)]
struct Gram<S: Simd> {
    toward: [Wide<S>; 3],
    square: [Wide<S>; 3],
    /// Of edges 0 and 1, 0 and 2, 1 and 2.
    mixed: [Wide<S>; 3],
}

/// The three faces as pairs of older vertices, and the vertex opposite.
const FACES: [[usize; 3]; 3] = [[0, 1, 2], [0, 2, 1], [1, 2, 0]];

/// The nearest face of `w` and the older vertices, of which the first `count` are real; in the plane at most two.
#[inline(always)]
pub(crate) fn nearest<S: Simd, const PLANAR: bool>(
    simd: S,
    w: V3<S>,
    older: &[V3<S>; 3],
    count: Wide<S>,
    active: Mask<S>,
) -> Face<S> {
    let zero = Wide::<S>::splat(simd, 0.0);
    let no = Mask::<S>::splat(simd, false);
    let (two, three) = (count.simd_gt(1.5), count.simd_gt(2.5));
    let edges = [older[0].minus(w), older[1].minus(w), older[2].minus(w)];
    let mut gram = Gram {
        toward: [zero; 3],
        square: [zero; 3],
        mixed: [zero; 3],
    };
    for k in 0..3 {
        gram.toward[k] = -w.dot(edges[k]);
        gram.square[k] = edges[k].dot(edges[k]);
    }
    // Per face: numerators of its two older vertices.
    let mut numerators = [[zero; 2]; 3];
    let mut totals = [zero; 3];
    let mut inside = [no; 3];
    let mut enclosed = no;
    if (two & active).any_true() {
        let all = !PLANAR && (three & active).any_true();
        for (f, &[j, k, _]) in FACES.iter().enumerate() {
            if f == 0 || all {
                gram.mixed[f] = edges[j].dot(edges[k]);
                let (tj, tk, jk) = (gram.toward[j], gram.toward[k], gram.mixed[f]);
                let nj = tj * gram.square[k] - tk * jk;
                let nk = tk * gram.square[j] - tj * jk;
                totals[f] = gram.square[j] * gram.square[k] - jk * jk;
                numerators[f] = [nj, nk];
                inside[f] =
                    nj.simd_gt(zero) & nk.simd_gt(zero) & (totals[f] - nj - nk).simd_gt(zero);
            }
        }
        if PLANAR {
            // A triangle that holds the origin's projection holds the origin.
            (enclosed, inside[0]) = (inside[0], no);
        }
        if all {
            enclosed = outside(w, &edges, three, &mut inside) & three;
        }
    }
    let mut face = choose(
        simd,
        w,
        older,
        &gram,
        &numerators,
        &totals,
        inside,
        enclosed,
    );
    if PLANAR {
        // As it is; said so that the compiler leaves the third components out.
        face.point.z = zero;
    }
    face
}

/// Leaves of the faces only those that have the origin outside; true where none has, on any side.
#[inline(always)]
fn outside<S: Simd>(
    w: V3<S>,
    edges: &[V3<S>; 3],
    three: Mask<S>,
    inside: &mut [Mask<S>; 3],
) -> Mask<S> {
    let mut enclosed = three;
    for (f, &[j, k, opposite]) in FACES.iter().enumerate() {
        let normal = edges[j].cross(edges[k]);
        let out = (normal.dot(w) * normal.dot(edges[opposite])).simd_gt(0.0) | !three;
        inside[f] &= out;
        enclosed &= !out;
    }
    enclosed
}

/// The one face whose signs hold, and its nearest point.
#[inline(always)]
#[allow(clippy::too_many_arguments)] // all are the signs of one simplex
fn choose<S: Simd>(
    simd: S,
    w: V3<S>,
    older: &[V3<S>; 3],
    gram: &Gram<S>,
    numerators: &[[Wide<S>; 2]; 3],
    totals: &[Wide<S>; 3],
    inside: [Mask<S>; 3],
    enclosed: Mask<S>,
) -> Face<S> {
    let (zero, one) = (Wide::<S>::splat(simd, 0.0), Wide::<S>::splat(simd, 1.0));
    let f01 = inside[0];
    let f02 = inside[1] & !f01;
    let f12 = inside[2] & !f01 & !f02;
    let face = f01 | f02 | f12;
    // An edge wins when both its faces say that the origin is on the far side of it. A face that was skipped says zero.
    let [n01, n02, n12] = numerators;
    let ahead = [
        gram.toward[0].simd_gt(zero),
        gram.toward[1].simd_gt(zero),
        gram.toward[2].simd_gt(zero),
    ];
    let e0 = ahead[0] & n01[1].simd_le(zero) & n02[1].simd_le(zero) & !face;
    let e1 = ahead[1] & n01[0].simd_le(zero) & n12[1].simd_le(zero) & !face & !e0;
    let e2 = ahead[2] & n02[0].simd_le(zero) & n12[0].simd_le(zero) & !face & !e0 & !e1;
    let edge = e0 | e1 | e2;
    let vertex = !(ahead[0] | ahead[1] | ahead[2] | face);
    let second = [f01 | f02 | e0, f12 | e1, e2];
    let third = [Mask::<S>::splat(simd, false), f01, f02 | f12];
    let next = older[0].or(second[0], older[1].or(second[1], older[2].or(second[2], w)));
    let last = older[1].or(third[1], older[2].or(third[2], w));
    let along = second[0].select(
        gram.toward[0],
        second[1].select(gram.toward[1], gram.toward[2]),
    );
    let square = second[0].select(
        gram.square[0],
        second[1].select(gram.square[1], gram.square[2]),
    );
    // Only where boxes start can the nearest point of an edge be its older end.
    let along = along.min(square);
    let first_weight = f01.select(
        n01[0],
        f02.select(n02[0], f12.select(n12[0], edge.select(along, zero))),
    );
    let last_weight = f01.select(n01[1], f02.select(n02[1], f12.select(n12[1], zero)));
    let total = f01.select(
        totals[0],
        f02.select(totals[1], f12.select(totals[2], edge.select(square, one))),
    );
    // The edge's point by its weight, the face's by its normal, which keeps more digits when the face is near.
    let ab = next.minus(w);
    let mut point = w.plus(ab.times(first_weight / total));
    if face.any_true() {
        let normal = ab.cross(last.minus(w));
        let foot = normal.times(normal.dot(w) / normal.dot(normal));
        point = foot.or(face, point);
    }
    let count = face.select(one + one + one, edge.select(one + one, one));
    let known = face | edge | vertex;
    Face {
        second,
        third,
        weights: [first_weight, last_weight],
        total,
        point,
        count,
        known,
        enclosed,
    }
}

/// True where floats prove that the origin is strictly inside the four differences, each rounded once.
///
/// As `gjk_exact::measure::surely_encloses`: with `M` the largest coordinate, each determinant has a permanent of at most
/// `6M³`, and an error below `8u` of that: below `64u·M³`. The range keeps products from underflowing. `moved` bounds how far a
/// corner may be from the world's vertices, as those are with which boxes start: a determinant of vectors no longer than
/// `√3·M` changes by less than `10·moved·M²`.
#[inline(always)]
pub(crate) fn surely_encloses<S: Simd, const PLANAR: bool>(
    w: V3<S>,
    older: &[V3<S>; 3],
    moved: Wide<S>,
) -> Mask<S> {
    if PLANAR {
        return surely_encloses_planar(w, older, moved);
    }
    let largest = w
        .max_abs()
        .max(older[0].max_abs())
        .max(older[1].max_abs())
        .max(older[2].max_abs());
    let error = largest * largest * (largest * (64.0 * crate::rounding::U) + moved * 10.0);
    let (last, first) = (older[1].cross(older[2]), w.cross(older[0]));
    let parts = [
        older[0].dot(last),
        -w.dot(last),
        older[2].dot(first),
        -older[1].dot(first),
    ];
    let usable = error.simd_gt(1e-250) & error.simd_lt(1e250);
    let error = error * bound(Bound::Encloses, 1.0);
    let mut above = usable;
    let mut below = usable;
    for part in parts {
        above &= part.simd_gt(error);
        below &= part.simd_lt(-error);
    }
    above | below
}

/// The same in the plane, for the first three: permanents of `2M²`, and a change below `10·moved·M`.
#[inline(always)]
fn surely_encloses_planar<S: Simd>(w: V3<S>, older: &[V3<S>; 3], moved: Wide<S>) -> Mask<S> {
    let largest = w.max_abs().max(older[0].max_abs()).max(older[1].max_abs());
    let error = largest * (largest * (64.0 * crate::rounding::U) + moved * 10.0);
    let parts = [
        older[0].cross(older[1]).z,
        older[1].cross(w).z,
        w.cross(older[0]).z,
    ];
    let usable = error.simd_gt(1e-250) & error.simd_lt(1e250);
    let error = error * bound(Bound::Encloses, 1.0);
    let mut above = usable;
    let mut below = usable;
    for part in parts {
        above &= part.simd_gt(error);
        below &= part.simd_lt(-error);
    }
    above | below
}
