//! The simplex's face nearest the origin, in lanes, in space.
//!
//! Where it sits: called by `lockstep_gjk.rs` once a step. Like `loops/simplex.rs` of crate `gjk` it tries only faces of the
//! newest vertex, distinguished by signs; here every lane evaluates all of them, and what no lane needs is skipped: a triangle
//! while all simplexes are edges, a tetrahedron while all are triangles.
//!
//! Empty slots repeat the newest vertex. Without fused operations an edge to itself has exactly zero products, so a
//! repeated vertex is in no face that wins. Signs are taken from inner products of edges, which may be wrong for slivers:
//! a wrong face gives a point that is not nearer, and the loop stops there with what it has.

use crate::rounding::{RoundingBound, bound};
use crate::simd::{F64s, Mask, Vec3s};
use fearless_simd::{Simd, prelude::*};
use gjk::Scalar;

/// A face of the newest vertex, with the point of it nearest the origin.
#[derive(Clone, Copy)]
pub(crate) struct Face<S: Simd> {
    /// Which of the three older vertices come second and third: `[k][slot]`.
    pub(crate) second: [Mask<S>; 3],
    pub(crate) third: [Mask<S>; 3],
    /// Numerators of the weights of the second and third, and the denominator of both.
    pub(crate) weights: [F64s<S>; 2],
    pub(crate) total: F64s<S>,
    pub(crate) point: Vec3s<S>,
    /// How many vertices: 1 to 3.
    pub(crate) count: F64s<S>,
    /// The signs agree on a face.
    pub(crate) known: Mask<S>,
    /// The signs say that the tetrahedron holds the origin.
    pub(crate) enclosed: Mask<S>,
}

/// What the signs need: `t_k = −w·e_k` and the edges' squares.
#[derive(Clone, Copy)]
struct Gram<S: Simd> {
    toward: [F64s<S>; 3],
    square: [F64s<S>; 3],
}

/// The three faces of the newest vertex. A face that no lane needs is zero.
#[derive(Clone, Copy)]
struct Triangles<S: Simd> {
    /// Numerators of the weights of a face's two older vertices, and their denominator.
    numerators: [[F64s<S>; 2]; 3],
    totals: [F64s<S>; 3],
    /// The origin's projection is inside.
    inside: [Mask<S>; 3],
}

/// The three faces as pairs of older vertices, and the vertex opposite.
const FACES: [[usize; 3]; 3] = [[0, 1, 2], [0, 2, 1], [1, 2, 0]];

/// The nearest face of `w` and the older vertices, of which the first `count` are real; in the plane at most two.
#[inline(always)]
pub(crate) fn nearest<S: Simd, const PLANAR: bool>(
    simd: S,
    w: Vec3s<S>,
    older: &[Vec3s<S>; 3],
    count: F64s<S>,
    active: Mask<S>,
) -> Face<S> {
    let zero = F64s::<S>::splat(simd, 0.0);
    let no = Mask::<S>::splat(simd, false);
    let (two, three) = (count.simd_gt(1.5), count.simd_gt(2.5));
    let edges = [older[0].minus(w), older[1].minus(w), older[2].minus(w)];
    let mut gram = Gram {
        toward: [zero; 3],
        square: [zero; 3],
    };
    for k in 0..3 {
        gram.toward[k] = -w.dot(edges[k]);
        gram.square[k] = edges[k].dot(edges[k]);
    }
    let mut triangles = Triangles {
        numerators: [[zero; 2]; 3],
        totals: [zero; 3],
        inside: [no; 3],
    };
    let mut enclosed = no;
    if (two & active).any_true() {
        let all = !PLANAR && (three & active).any_true();
        triangles.measure(simd, &edges, &gram, all);
        if PLANAR {
            // A triangle that holds the origin's projection holds the origin.
            (enclosed, triangles.inside[0]) = (triangles.inside[0], no);
        }
        if all {
            enclosed = outside(w, &edges, three, &mut triangles.inside) & three;
        }
    }
    let mut face = choose(simd, w, older, &gram, &triangles, enclosed);
    if PLANAR {
        // As it is; said so that the compiler leaves the third components out.
        face.point.z = zero;
    }
    face
}

impl<S: Simd> Triangles<S> {
    /// The first face, or all three.
    #[inline(always)]
    fn measure(&mut self, simd: S, edges: &[Vec3s<S>; 3], gram: &Gram<S>, all: bool) {
        let zero = F64s::<S>::splat(simd, 0.0);
        for (f, &[j, k, _]) in FACES.iter().enumerate() {
            if f == 0 || all {
                let (tj, tk) = (gram.toward[j], gram.toward[k]);
                let jk = edges[j].dot(edges[k]);
                let nj = tj * gram.square[k] - tk * jk;
                let nk = tk * gram.square[j] - tj * jk;
                self.totals[f] = gram.square[j] * gram.square[k] - jk * jk;
                self.numerators[f] = [nj, nk];
                self.inside[f] =
                    nj.simd_gt(zero) & nk.simd_gt(zero) & (self.totals[f] - nj - nk).simd_gt(zero);
            }
        }
    }
}

/// Leaves of the faces only those that have the origin outside; true where none has, on any side.
#[inline(always)]
fn outside<S: Simd>(
    w: Vec3s<S>,
    edges: &[Vec3s<S>; 3],
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

/// Which faces, edges and the vertex the signs choose: at most one of all in a lane.
#[derive(Clone, Copy)]
struct Choice<S: Simd> {
    faces: [Mask<S>; 3],
    edges: [Mask<S>; 3],
    vertex: Mask<S>,
}

impl<S: Simd> Choice<S> {
    #[inline(always)]
    fn of(simd: S, gram: &Gram<S>, triangles: &Triangles<S>) -> Self {
        let zero = F64s::<S>::splat(simd, 0.0);
        let f01 = triangles.inside[0];
        let f02 = triangles.inside[1] & !f01;
        let f12 = triangles.inside[2] & !f01 & !f02;
        let face = f01 | f02 | f12;
        // An edge wins when both its faces say that the origin is on the far side of it. A face that was skipped says zero.
        let [n01, n02, n12] = &triangles.numerators;
        let ahead = [
            gram.toward[0].simd_gt(zero),
            gram.toward[1].simd_gt(zero),
            gram.toward[2].simd_gt(zero),
        ];
        let e0 = ahead[0] & n01[1].simd_le(zero) & n02[1].simd_le(zero) & !face;
        let e1 = ahead[1] & n01[0].simd_le(zero) & n12[1].simd_le(zero) & !face & !e0;
        let e2 = ahead[2] & n02[0].simd_le(zero) & n12[0].simd_le(zero) & !face & !e0 & !e1;
        Self {
            faces: [f01, f02, f12],
            edges: [e0, e1, e2],
            vertex: !(ahead[0] | ahead[1] | ahead[2] | face),
        }
    }

    /// Numerators of the weights of the second and third vertex, and their denominator.
    #[inline(always)]
    fn weights(
        &self,
        simd: S,
        gram: &Gram<S>,
        triangles: &Triangles<S>,
        second: &[Mask<S>; 3],
    ) -> ([F64s<S>; 2], F64s<S>) {
        let (zero, one) = (F64s::<S>::splat(simd, 0.0), F64s::<S>::splat(simd, 1.0));
        let [f01, f02, f12] = self.faces;
        let edge = self.edges[0] | self.edges[1] | self.edges[2];
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
        let [n01, n02, n12] = &triangles.numerators;
        let first = f01.select(
            n01[0],
            f02.select(n02[0], f12.select(n12[0], edge.select(along, zero))),
        );
        let last = f01.select(n01[1], f02.select(n02[1], f12.select(n12[1], zero)));
        let [t01, t02, t12] = triangles.totals;
        let total = f01.select(
            t01,
            f02.select(t02, f12.select(t12, edge.select(square, one))),
        );
        ([first, last], total)
    }
}

/// The one face whose signs hold, and its nearest point.
#[inline(always)]
fn choose<S: Simd>(
    simd: S,
    w: Vec3s<S>,
    older: &[Vec3s<S>; 3],
    gram: &Gram<S>,
    triangles: &Triangles<S>,
    enclosed: Mask<S>,
) -> Face<S> {
    let one = F64s::<S>::splat(simd, 1.0);
    let choice = Choice::of(simd, gram, triangles);
    let ([f01, f02, f12], [e0, e1, e2]) = (choice.faces, choice.edges);
    let (face, edge) = (f01 | f02 | f12, e0 | e1 | e2);
    let second = [f01 | f02 | e0, f12 | e1, e2];
    let third = [Mask::<S>::splat(simd, false), f01, f02 | f12];
    let next = older[0].or(second[0], older[1].or(second[1], older[2].or(second[2], w)));
    let last = older[1].or(third[1], older[2].or(third[2], w));
    let (weights, total) = choice.weights(simd, gram, triangles, &second);
    // The edge's point by its weight, the face's by its normal, which keeps more digits when the face is near.
    let ab = next.minus(w);
    let mut point = w.plus(ab.times(weights[0] / total));
    if face.any_true() {
        let normal = ab.cross(last.minus(w));
        let foot = normal.times(normal.dot(w) / normal.dot(normal));
        point = foot.or(face, point);
    }
    Face {
        second,
        third,
        weights,
        total,
        point,
        count: face.select(one + one + one, edge.select(one + one, one)),
        known: face | edge | choice.vertex,
        enclosed,
    }
}

/// What four determinants are off, in roundings of the cube of the largest coordinate `M`: each has a permanent of at most `6M³`,
/// and an error below `8u` of that. In the plane permanents are `2M²`.
const LOCKSTEP_DETERMINANT: f64 = 64.0 * f64::ROUNDING;
/// What a determinant changes by, in squares of `M`, where a corner moves by one: vectors no longer than `√3·M`, so below 10.
const LOCKSTEP_DETERMINANT_MOVED: f64 = 10.0;
/// Error bounds whose products neither underflow nor overflow.
const LOCKSTEP_DETERMINANT_RANGE: [f64; 2] = [1e-250, 1e250];

/// True where floats prove that the origin is strictly inside the four differences, each rounded once.
///
/// As `gjk_exact::measure::surely_encloses`. `moved` bounds how far a corner may be from the world's vertices, as those are with
/// which boxes start.
#[inline(always)]
pub(crate) fn surely_encloses<S: Simd, const PLANAR: bool>(
    w: Vec3s<S>,
    older: &[Vec3s<S>; 3],
    moved: F64s<S>,
) -> Mask<S> {
    if PLANAR {
        return surely_encloses_planar(w, older, moved);
    }
    let largest = w
        .max_abs()
        .max(older[0].max_abs())
        .max(older[1].max_abs())
        .max(older[2].max_abs());
    let error =
        largest * largest * (largest * LOCKSTEP_DETERMINANT + moved * LOCKSTEP_DETERMINANT_MOVED);
    let (last, first) = (older[1].cross(older[2]), w.cross(older[0]));
    let parts = [
        older[0].dot(last),
        -w.dot(last),
        older[2].dot(first),
        -older[1].dot(first),
    ];
    let usable =
        error.simd_gt(LOCKSTEP_DETERMINANT_RANGE[0]) & error.simd_lt(LOCKSTEP_DETERMINANT_RANGE[1]);
    let error = error * bound(RoundingBound::Encloses, 1.0);
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
fn surely_encloses_planar<S: Simd>(w: Vec3s<S>, older: &[Vec3s<S>; 3], moved: F64s<S>) -> Mask<S> {
    let largest = w.max_abs().max(older[0].max_abs()).max(older[1].max_abs());
    let error = largest * (largest * LOCKSTEP_DETERMINANT + moved * LOCKSTEP_DETERMINANT_MOVED);
    let parts = [
        older[0].cross(older[1]).z,
        older[1].cross(w).z,
        w.cross(older[0]).z,
    ];
    let usable =
        error.simd_gt(LOCKSTEP_DETERMINANT_RANGE[0]) & error.simd_lt(LOCKSTEP_DETERMINANT_RANGE[1]);
    let error = error * bound(RoundingBound::Encloses, 1.0);
    let mut above = usable;
    let mut below = usable;
    for part in parts {
        above &= part.simd_gt(error);
        below &= part.simd_lt(-error);
    }
    above | below
}
