//! Two boxes in space by their separating axes: the verdict, and the depth of an overlap, without a loop.
//!
//! Where it sits: `box_box.rs` asks it where `rotated.rs` does not decide. Read [`GeneralBoxes::relation`] first.
//! Idea: `A − B` is a zonotope of six half edges. Its facets have 15 normals: the face normals of A and of B, and the nine
//! products of an edge of A with one of B. The overlap along an unnormalised axis is a sum of scalar triple products that
//! all axes share, so nothing is divided before the least is known. Poses may scale and shear: nothing here assumes right
//! angles.
//! Numbers: an overlap counts only beyond [`CORE_ERROR`] roundings; what is within goes to the loop and the exact layer. Edges
//! that are parallel up to [`PARALLEL_SINE`] have no normal of their own; the other axes then prove the overlap, by the margin
//! that [`GeneralBoxes::without_parallels`] derives.
//! Source: Gottschalk, Lin, Manocha 1996 (15 axes).

use crate::bounds::Bounds;
use crate::math::{Pose, Scalar, Triple, Vector, cross, dot, length, plus, sum_abs};
use crate::rounding::{CORE_ERROR, CORE_SIZES, CORE_WORLD_ERROR, PARALLEL_SINE, parameter};

/// An edge whose height over a face differs by less than this part of the pair's size lies in it; between this and
/// [`BOX_TILTED_HEIGHT`] rounding decides which end is deepest, and the loops do better.
const BOX_FLAT_HEIGHT: f64 = 1e-14;
/// See [`BOX_FLAT_HEIGHT`].
pub(super) const BOX_TILTED_HEIGHT: f64 = 1e-6;

/// A box as half edges in the world.
struct Side {
    edges: [Triple; 3],
    /// The normal of the face that edge `k` leaves: `edges[k+1] × edges[k+2]`.
    normals: [Triple; 3],
    /// At least the edges' lengths, and hardly more.
    lengths: Triple,
}

/// Two boxes in space.
pub(super) struct GeneralBoxes {
    a: Side,
    b: Side,
    /// From the centre of A to that of B.
    between: Triple,
    size: f64,
    /// The noise of an axis whose factors have length one.
    noise: f64,
}

/// `normals of A[k] · edges of B[j]`, and the other way round: what all axes share.
type Across = [[Triple; 3]; 2];

/// How far the boxes overlap along each axis: the faces of A, those of B, and the edges of A by those of B. Not normalised.
pub(super) type Overlaps = [f64; 15];

/// What the axes say.
pub(super) enum Relation {
    /// The axis, from A to B, separates the boxes by more than the noise. It is not normalised.
    Separated(Triple),
    /// All axes overlap by more than the noise.
    Overlapping(Overlaps),
    /// Too close to tell, or degenerate.
    Unknown,
}

/// One of the 15 axes: a face of A, a face of B, or the edges `i` of A and `j` of B.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Axis {
    Face { of_b: bool, k: usize },
    Edges { i: usize, j: usize },
}

impl Side {
    #[inline(always)]
    fn new<V: Vector>(half_extents: V, pose: &Pose<V>) -> Self {
        let half = half_extents.to_f64();
        let columns = pose.columns();
        let edges: [Triple; 3] = core::array::from_fn(|k| {
            let column = columns[k].to_f64();
            [
                column[0] * half[k],
                column[1] * half[k],
                column[2] * half[k],
            ]
        });
        let normals = [
            cross(edges[1], edges[2]),
            cross(edges[2], edges[0]),
            cross(edges[0], edges[1]),
        ];
        let lengths = match pose.uniform_scale() {
            // The columns of a similarity differ from its scale by less than this.
            Some(scale) => half.map(|h| h * scale.to_f64() * (1.0 + 1.0 / 1024.0)),
            None => edges.map(length),
        };
        Self {
            edges,
            normals,
            lengths,
        }
    }

    /// The product of the lengths of the two edges of face `k`.
    #[inline(always)]
    fn face_scale(&self, k: usize) -> f64 {
        self.lengths[(k + 1) % 3] * self.lengths[(k + 2) % 3]
    }

    #[inline(always)]
    fn volume(&self) -> f64 {
        dot(self.edges[0], self.normals[0]).abs()
    }
}

impl GeneralBoxes {
    /// The boxes, if their sizes are in range.
    #[inline(always)]
    pub(super) fn new<V: Vector>(
        half_a: V,
        pose_a: &Pose<V>,
        half_b: V,
        pose_b: &Pose<V>,
    ) -> Option<Self> {
        let (a, b) = (Side::new(half_a, pose_a), Side::new(half_b, pose_b));
        let (from, to) = (pose_a.translation().to_f64(), pose_b.translation().to_f64());
        let between = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
        let least = |x: Triple| x[0].min(x[1]).min(x[2]);
        let size = sum_abs(a.lengths) + sum_abs(b.lengths) + sum_abs(between);
        let noise = CORE_ERROR * size + CORE_WORLD_ERROR * (sum_abs(from) + sum_abs(to));
        let in_range = size < CORE_SIZES.end
            && least(a.lengths).min(least(b.lengths)) > CORE_SIZES.start
            && noise < CORE_SIZES.end;
        in_range.then_some(Self {
            a,
            b,
            between,
            size,
            noise,
        })
    }

    /// From the centre of A to that of B.
    pub(super) fn between(&self) -> Triple {
        self.between
    }

    /// Whether the boxes are apart or overlap; asks the axes in order and stops at the first that separates.
    #[inline(always)]
    pub(super) fn relation(&self) -> Relation {
        let (mut unsure, mut across) = (false, Across::default());
        let mut overlaps = [0.0; 15];
        for of_b in [false, true] {
            let (side, other) = if of_b {
                (&self.b, &self.a)
            } else {
                (&self.a, &self.b)
            };
            across[usize::from(of_b)] = table(&side.normals, &other.edges);
            let volume = side.volume();
            for (k, &normal) in side.normals.iter().enumerate() {
                let height = dot(self.between, normal);
                let overlap = (volume + radius(across[usize::from(of_b)][k])) - height.abs();
                let noise = self.noise * side.face_scale(k);
                if overlap < -noise {
                    return Relation::Separated(toward(normal, height));
                }
                unsure |= !(overlap > noise);
                overlaps[3 * usize::from(of_b) + k] = overlap;
            }
        }
        self.relation_of_edges(&across, unsure, overlaps)
    }

    #[inline]
    fn relation_of_edges(&self, across: &Across, unsure: bool, mut overlaps: Overlaps) -> Relation {
        let mut parallel = false;
        for i in 0..3 {
            let turned = cross(self.between, self.a.edges[i]);
            for j in 0..3 {
                let height = dot(turned, self.b.edges[j]);
                let overlap = edge_radii(across, i, j) - height.abs();
                let noise = self.noise * (self.a.lengths[i] * self.b.lengths[j]);
                if overlap < -noise {
                    return Relation::Separated(toward(
                        cross(self.a.edges[i], self.b.edges[j]),
                        height,
                    ));
                }
                parallel |= !(overlap > noise);
                overlaps[6 + 3 * i + j] = overlap;
            }
        }
        if !unsure && (!parallel || self.without_parallels(across).is_some()) {
            Relation::Overlapping(overlaps)
        } else {
            Relation::Unknown
        }
    }

    fn across(&self) -> Across {
        [
            table(&self.a.normals, &self.b.edges),
            table(&self.b.normals, &self.a.edges),
        ]
    }

    /// Height of B's centre over A's along a face normal, and the sum of the boxes' radii along it.
    fn face(&self, across: &Across, of_b: bool, k: usize) -> (f64, f64) {
        let side = if of_b { &self.b } else { &self.a };
        (
            dot(self.between, side.normals[k]),
            side.volume() + radius(across[usize::from(of_b)][k]),
        )
    }

    /// The axis, height and radii along it, and the product of its factors' lengths.
    fn axis(&self, across: &Across, axis: Axis) -> (Triple, f64, f64, f64) {
        match axis {
            Axis::Face { of_b, k } => {
                let side = if of_b { &self.b } else { &self.a };
                let (height, radii) = self.face(across, of_b, k);
                (side.normals[k], height, radii, side.face_scale(k))
            }
            Axis::Edges { i, j } => {
                let (e, f) = (self.a.edges[i], self.b.edges[j]);
                let height = dot(cross(self.between, e), f);
                (
                    cross(e, f),
                    height,
                    edge_radii(across, i, j),
                    self.a.lengths[i] * self.b.lengths[j],
                )
            }
        }
    }

    /// The margin that every other axis must overlap by, where edges are parallel; `None` if that proves nothing.
    ///
    /// Let edge `j` of B make the sine `ε` with edge `i` of A, and turn it into A's direction: B's vertices move by at most
    /// `ε·|edge j|`. The turned difference has no facet of its own for the two edges, and its other facets have normals
    /// among the remaining axes: where the turned edge was, A's is. So if the boxes did not overlap, one of the remaining
    /// axes of the turned pair would overlap by at most `ε·size`, and of the pair itself by at most `2ε·size`. Edges may be
    /// turned one after another as long as no two of a box turn into one.
    fn without_parallels(&self, across: &Across) -> Option<f64> {
        let (mut margin, mut used) = (0.0, [[false; 3]; 2]);
        let mut skipped = [[false; 3]; 3];
        for i in 0..3 {
            for j in 0..3 {
                let scale = self.a.lengths[i] * self.b.lengths[j];
                let sine = length(cross(self.a.edges[i], self.b.edges[j])) / scale;
                if sine < PARALLEL_SINE {
                    if core::mem::replace(&mut used[0][i], true)
                        || core::mem::replace(&mut used[1][j], true)
                    {
                        return None;
                    }
                    skipped[i][j] = true;
                    // The cross product is off by 4 roundings of the lengths.
                    margin += 2.0 * (sine + 2.0 * f64::EPSILON) * self.size;
                }
            }
        }
        let enough = |axis: Axis| {
            let (direction, height, radii, scale) = self.axis(across, axis);
            radii - height.abs()
                > self.noise * scale + margin * length(direction) * (1.0 + CORE_ERROR)
        };
        let faces = [false, true]
            .into_iter()
            .all(|of_b| (0..3).all(|k| enough(Axis::Face { of_b, k })));
        let edges = (0..9).all(|at| {
            skipped[at / 3][at % 3]
                || enough(Axis::Edges {
                    i: at / 3,
                    j: at % 3,
                })
        });
        (faces && edges).then_some(margin)
    }

    /// Writes the axis along which the boxes overlap least, with the depth; `None` where that is not proved to the part `width`
    /// of itself.
    ///
    /// The depth is the least over all facet normals, and any axis bounds it from above. An axis's depth is at least its
    /// overlap over the product of its factors' lengths, so few edges need a square root.
    pub(super) fn depth(&self, overlaps: &Overlaps, width: f64, bounds: &mut Bounds) -> Option<()> {
        // Of the best: its index, its depth, and that with its noise. Faces are asked first, and keep ties.
        let (mut best, mut least, mut upper) = (0, f64::INFINITY, f64::INFINITY);
        let (mut lower, mut parallel) = (f64::INFINITY, false);
        let mut consider = |at: usize, overlap: f64, norm: f64, scale: f64| {
            let reciprocal = 1.0 / norm;
            let (depth, noise) = (overlap * reciprocal, self.noise * scale * reciprocal);
            let (below, above) = (depth - noise, depth + noise);
            lower = if below < lower { below } else { lower };
            let better = (above < upper) & (depth < least);
            (best, least, upper) = if better {
                (at, depth, above)
            } else {
                (best, least, upper)
            };
            upper
        };
        let mut bound = f64::INFINITY;
        for (at, side) in [(0, &self.a), (3, &self.b)] {
            for k in 0..3 {
                bound = consider(
                    at + k,
                    overlaps[at + k],
                    length(side.normals[k]),
                    side.face_scale(k),
                );
            }
        }
        for i in 0..3 {
            for j in 0..3 {
                let (at, scale) = (6 + 3 * i + j, self.a.lengths[i] * self.b.lengths[j]);
                // Also bounds the lower end: the axis's depth minus noise is at least this minus noise.
                if overlaps[at] > (bound + self.noise) * scale * (1.0 + CORE_ERROR) {
                    continue;
                }
                let norm = length(cross(self.a.edges[i], self.b.edges[j]));
                if norm < PARALLEL_SINE * scale {
                    parallel = true;
                    continue;
                }
                bound = consider(at, overlaps[at], norm, scale);
            }
        }
        let margin = if parallel {
            self.without_parallels(&self.across())?
        } else {
            0.0
        };
        lower -= margin;
        // The loops measure to a few roundings of the depth's own size where this would not.
        if !(upper - lower <= upper * width) {
            return None;
        }
        let (axis, direction) = self.direction(best);
        let normal = unit(toward(direction, dot(self.between, direction)));
        bounds.points = self.witness(axis, normal, least)?;
        (bounds.lower, bounds.upper, bounds.normal) = (-upper, -lower, normal);
        Some(())
    }

    /// An axis by its place in [`Overlaps`].
    fn direction(&self, at: usize) -> (Axis, Triple) {
        if at < 6 {
            let (of_b, k) = (at >= 3, at % 3);
            (
                Axis::Face { of_b, k },
                if of_b {
                    self.b.normals[k]
                } else {
                    self.a.normals[k]
                },
            )
        } else {
            let (i, j) = ((at - 6) / 3, (at - 6) % 3);
            (
                Axis::Edges { i, j },
                cross(self.a.edges[i], self.b.edges[j]),
            )
        }
    }

    /// Writes the axis along which the boxes are farthest apart, and the distance where two of their features face each other
    /// along it; else `None`, as where a vertex is nearest to an edge, or `width` is not reached. The axis is a good direction
    /// to start from then.
    pub(super) fn distance(&self, width: f64, bounds: &mut Bounds) -> Option<()> {
        let across = &self.across();
        let mut best = (f64::NEG_INFINITY, Axis::Face { of_b: false, k: 0 }, 0.0);
        let mut consider = |axis: Axis, gap: f64, norm: f64, scale: f64| {
            if gap > best.0 * norm {
                best = (gap / norm, axis, self.noise * scale / norm);
            }
        };
        for of_b in [false, true] {
            let side = if of_b { &self.b } else { &self.a };
            for k in 0..3 {
                let (height, radii) = self.face(across, of_b, k);
                let gap = height.abs() - radii;
                if gap > 0.0 {
                    consider(
                        Axis::Face { of_b, k },
                        gap,
                        length(side.normals[k]),
                        side.face_scale(k),
                    );
                }
            }
        }
        for i in 0..3 {
            let turned = cross(self.between, self.a.edges[i]);
            for j in 0..3 {
                let gap = dot(turned, self.b.edges[j]).abs() - edge_radii(across, i, j);
                if gap > 0.0 {
                    let scale = self.a.lengths[i] * self.b.lengths[j];
                    let norm = length(cross(self.a.edges[i], self.b.edges[j]));
                    if norm > PARALLEL_SINE * scale {
                        consider(Axis::Edges { i, j }, gap, norm, scale);
                    }
                }
            }
        }
        let (distance, axis, noise) = best;
        let (direction, height, ..) = self.axis(across, axis);
        bounds.first_direction = toward(direction, height);
        let normal = unit(bounds.first_direction);
        // Any axis bounds the distance from below. Points on both that are as far apart make it the distance.
        if !(2.0 * noise <= distance * width) {
            return None;
        }
        bounds.points = self.witness(axis, normal, -distance)?;
        (bounds.lower, bounds.upper, bounds.normal) = (distance - noise, distance + noise, normal);
        Some(())
    }
}

impl GeneralBoxes {
    /// Where the facet of the least depth meets the line to it: a point on each box, from the centre of A.
    fn witness(&self, axis: Axis, normal: Triple, depth: f64) -> Option<[Triple; 2]> {
        match axis {
            Axis::Face { of_b: false, k } => {
                let a = self.patch(
                    &self.a,
                    k,
                    &self.b,
                    plus(self.between, normal, depth),
                    normal,
                )?;
                Some([a, plus(a, normal, -depth)])
            }
            Axis::Face { of_b: true, k } => {
                let (back, away) = (self.between.map(|x| -x), normal.map(|x| -x));
                let b = plus(
                    self.patch(&self.b, k, &self.a, plus(back, away, depth), away)?,
                    self.between,
                    1.0,
                );
                Some([plus(b, normal, depth), b])
            }
            Axis::Edges { i, j } => self.crossing([i, j], normal, depth),
        }
    }

    /// The middle of what the other box's deepest feature shares with face `k` of a box, on the face, from that box's centre.
    ///
    /// `to_other` is where the other's centre is once the boxes are moved apart by the depth.
    fn patch(
        &self,
        owner: &Side,
        k: usize,
        other: &Side,
        to_other: Triple,
        outward: Triple,
    ) -> Option<Triple> {
        let (u, v) = ((k + 1) % 3, (k + 2) % 3);
        let reciprocal = 1.0 / dot(owner.edges[k], owner.normals[k]);
        let coordinates = |x: Triple| {
            [
                dot(x, owner.normals[u]) * reciprocal,
                dot(x, owner.normals[v]) * reciprocal,
            ]
        };
        let mut corner = to_other;
        let mut flat = [[0.0; 2]; 2];
        let mut flat_count = 0;
        for e in other.edges {
            let height = dot(e, outward);
            if height.abs() < self.size * BOX_FLAT_HEIGHT {
                // Three flat edges would be a box without volume.
                *flat.get_mut(flat_count)? = coordinates(e);
                flat_count += 1;
            } else if height.abs() < self.size * BOX_TILTED_HEIGHT {
                return None;
            } else {
                corner = plus(corner, e, if height < 0.0 { 1.0 } else { -1.0 });
            }
        }
        let c = coordinates(corner);
        let mut polygon = Polygon::default();
        let signs: &[[f64; 2]] = match flat_count {
            0 => &[[0.0, 0.0]],
            1 => &[[-1.0, 0.0], [1.0, 0.0]],
            _ => &[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]],
        };
        for [s, r] in signs {
            polygon.push([0, 1].map(|at| c[at] + s * flat[0][at] + r * flat[1][at]));
        }
        let [x, y] = polygon.middle_in_square()?;
        let top = if dot(owner.edges[k], outward) < 0.0 {
            -1.0
        } else {
            1.0
        };
        let point = plus([0.0; 3], owner.edges[k], top);
        Some(plus(plus(point, owner.edges[u], x), owner.edges[v], y))
    }

    /// Where two edges pass each other.
    fn crossing(&self, [i, j]: [usize; 2], normal: Triple, depth: f64) -> Option<[Triple; 2]> {
        let middle = |side: &Side, free: usize, from: Triple, sign: f64| {
            (0..3).filter(|&k| k != free).try_fold(from, |sum, k| {
                let height = sign * dot(side.edges[k], normal);
                let told = height.abs() > self.size * BOX_TILTED_HEIGHT;
                told.then(|| plus(sum, side.edges[k], if height < 0.0 { -1.0 } else { 1.0 }))
            })
        };
        let a = middle(&self.a, i, [0.0; 3], 1.0)?;
        let b = middle(&self.b, j, self.between, -1.0)?;
        let (e, f) = (self.a.edges[i], self.b.edges[j]);
        let n = cross(e, f);
        let (apart, squared) = (plus(b, a, -1.0), dot(n, n));
        let on_a = parameter(dot(cross(apart, f), n) / squared)?;
        parameter(dot(cross(apart, e), n) / squared)?;
        let a = plus(a, e, on_a);
        Some([a, plus(a, normal, -depth)])
    }
}

/// Up to 8 points of the plane in order.
#[derive(Clone, Copy, Default)]
struct Polygon {
    points: [[f64; 2]; 8],
    len: usize,
}

impl Polygon {
    fn push(&mut self, point: [f64; 2]) {
        // A polygon of four corners cut by four lines has at most eight.
        if let Some(slot) = self.points.get_mut(self.len) {
            *slot = point;
            self.len += 1;
        }
    }

    /// The mean of the corners of the part within `[-1, 1]²`; `None` when nothing is left.
    fn middle_in_square(mut self) -> Option<[f64; 2]> {
        if self.len == 1 {
            let [x, y] = self.points[0];
            return Some([parameter(x)?, parameter(y)?]);
        }
        for axis in 0..2 {
            for sign in [-1.0, 1.0] {
                self = self.cut(axis, sign);
            }
        }
        let count = self.len as f64;
        let sum = self.points[..self.len]
            .iter()
            .fold([0.0; 2], |s, p| [s[0] + p[0], s[1] + p[1]]);
        (self.len > 0).then(|| sum.map(|x| (x / count).clamp(-1.0, 1.0)))
    }

    /// The part with `sign · coordinate ≤ 1`. Source: Sutherland, Hodgman 1974.
    fn cut(&self, axis: usize, sign: f64) -> Self {
        let mut kept = Self::default();
        for at in 0..self.len {
            let (p, q) = (self.points[at], self.points[(at + 1) % self.len]);
            let (over_p, over_q) = (sign * p[axis] - 1.0, sign * q[axis] - 1.0);
            if over_p <= 0.0 {
                kept.push(p);
            }
            if (over_p < 0.0) != (over_q < 0.0) && over_p != 0.0 && over_q != 0.0 {
                let part = over_p / (over_p - over_q);
                kept.push([p[0] + part * (q[0] - p[0]), p[1] + part * (q[1] - p[1])]);
            }
        }
        kept
    }
}

#[inline(always)]
fn table(normals: &[Triple; 3], edges: &[Triple; 3]) -> [Triple; 3] {
    normals.map(|n| [dot(n, edges[0]), dot(n, edges[1]), dot(n, edges[2])])
}

#[inline(always)]
fn radius([x, y, z]: Triple) -> f64 {
    x.abs() + y.abs() + z.abs()
}

/// The sum of the radii along `edge i of A × edge j of B`: each other edge's triple product with the two is one of a face
/// normal with the third.
#[inline(always)]
fn edge_radii([a, b]: &Across, i: usize, j: usize) -> f64 {
    let ([k, m], [l, n]) = ([(i + 1) % 3, (i + 2) % 3], [(j + 1) % 3, (j + 2) % 3]);
    (a[k][j].abs() + a[m][j].abs()) + (b[l][i].abs() + b[n][i].abs())
}

/// The axis turned from A to B.
#[inline(always)]
pub(super) fn toward(axis: Triple, height: f64) -> Triple {
    if height < 0.0 { axis.map(|x| -x) } else { axis }
}

fn unit(x: Triple) -> Triple {
    let reciprocal = 1.0 / length(x);
    x.map(|x| x * reciprocal)
}
