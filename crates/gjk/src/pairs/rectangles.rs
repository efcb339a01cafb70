//! Two rectangles in the plane by the normals of their edges: the verdict, the distance and the depth, without a loop.
//!
//! Where it sits: a pair solver of [`crate::narrow::dispatch`], before `polygon_polygon.rs`, which has what is left undecided here: corners that are nearest
//! to each other, and what is near touch. Read [`verdict`], then [`solve`].
//! Idea: a rectangle reaches as far along a direction as its half edges do, whatever their signs. So the gap along the normal of an edge is a sum of
//! magnitudes of cross products with that edge, of which two rectangles have ten. Nothing needs right angles: poses may shear and mirror.
//! Numbers: the posed rectangles are parallelograms but for the roundings of their corners. The largest gap over its edge's length is the distance, if a corner
//! of the one is over that edge of the other, and minus the depth if all are negative. What is off in a gap is counted by [`CORE_ERROR`], which bounds a
//! box in space, and [`CORE_WORLD_ERROR`]. Every operation is rounded once, and none is fused.
//! Source: Gottschalk, Lin, Manocha 1996.

use crate::bounds::{Bounds, Conclusion, HighestVertices};
use crate::math::planar::{Planar, cross, dot, subtract, sum_abs};
use crate::math::{Pose, Scalar, Vector, larger, smaller};
use crate::request::{Request, Wanted, is_narrow};
use crate::rounding::{CORE_ERROR, CORE_SIZES, CORE_WORLD_ERROR, UNIT_ROUNDOFF};
use crate::support::{Core, Form};

/// A point of an edge that is higher than its deepest corner by no more than this part of the pair's size may stand for it.
const RECTANGLE_RISE: f64 = 32.0 * UNIT_ROUNDOFF;

/// Two rectangles from A's center.
struct Rectangles {
    /// Half the edges: two of A, two of B.
    half: [Planar; 4],
    /// From the center of A to that of B.
    between: Planar,
    size: f64,
    /// What a gap may be off.
    noise: f64,
    /// See [`HighestVertices`].
    largest: f64,
}

/// The gaps along the normals of the four half edges, in their order, times the lengths of these.
type EdgeGaps = [f64; 4];

/// The conclusion on two rectangles without radii.
#[inline(always)]
pub(crate) fn solve<V: Vector>(
    cores: [&Core<'_, V>; 2],
    poses: [&Pose<V>; 2],
    request: &Request,
    bounds: &mut Bounds,
) -> Conclusion {
    // A verdict was asked before, and a width of none is for the loops.
    if request.wanted == Wanted::Verdict || request.width <= 0.0 {
        return Conclusion::Undecided;
    }
    let Some(half) = halves(cores) else {
        return Conclusion::Undecided;
    };
    solve_sharp(half, poses, request, bounds)
}

/// [`solve`] without radii. A call, so that pairs of other kinds need not save the registers that this uses.
#[inline(never)]
fn solve_sharp<V: Vector>(
    half: [&V; 2],
    poses: [&Pose<V>; 2],
    request: &Request,
    bounds: &mut Bounds,
) -> Conclusion {
    match Rectangles::new(half, poses) {
        Some(pair) => pair.measure(request, bounds),
        None => Conclusion::Undecided,
    }
}

/// The verdict on two rectangles without radii.
#[inline(always)]
pub(crate) fn verdict<V: Vector>(half: [&V; 2], poses: [&Pose<V>; 2]) -> Conclusion {
    Rectangles::new(half, poses).map_or(Conclusion::Undecided, |pair| pair.relation())
}

/// The half extents of two rectangles without radii.
#[inline(always)]
fn halves<'b, V: Vector>([a, b]: [&Core<'b, V>; 2]) -> Option<[&'b V; 2]> {
    match (&a.form, &b.form) {
        (Form::Cuboid(half_a), Form::Cuboid(half_b)) if a.radius == 0.0 && b.radius == 0.0 => {
            Some([half_a, half_b])
        }
        _ => None,
    }
}

impl Rectangles {
    /// `None` where their sizes are out of range, or one has next to no width.
    #[inline(always)]
    fn new<V: Vector>(half: [&V; 2], poses: [&Pose<V>; 2]) -> Option<Self> {
        let ([hx, hy], [gx, gy]) = (edges(half[0], poses[0]), edges(half[1], poses[1]));
        let (from, to) = (
            planar(poses[0].translation()),
            planar(poses[1].translation()),
        );
        let between = [to[0] - from[0], to[1] - from[1]];
        let [p, q, r, s] = [sum_abs(hx), sum_abs(hy), sum_abs(gx), sum_abs(gy)];
        let size = (p + q) + (r + s) + sum_abs(between);
        let world = sum_abs(from) + sum_abs(to);
        let noise = CORE_ERROR * size + CORE_WORLD_ERROR * world;
        // The smallest floats have no direction, and what is near them no square.
        let thinnest = smaller(smaller(p, q), smaller(r, s));
        let is_in_range =
            (thinnest > CORE_SIZES.start) & (size < CORE_SIZES.end) & (world < CORE_SIZES.end);
        let reach = |x: f64, y: f64, at: f64| (x.abs() + y.abs()) + at.abs();
        let largest = larger(
            larger(reach(hx[0], hy[0], from[0]), reach(hx[1], hy[1], from[1])),
            larger(reach(gx[0], gy[0], to[0]), reach(gx[1], gy[1], to[1])),
        );
        is_in_range.then_some(Self {
            half: [hx, hy, gx, gy],
            between,
            size,
            noise,
            largest,
        })
    }

    /// The gaps along the normals, and the heights of B's center over A's along them.
    #[inline(always)]
    fn gaps(&self) -> (EdgeGaps, EdgeGaps) {
        let [hx, hy, gx, gy] = self.half;
        let [own_a, own_b] = [cross(hx, hy).abs(), cross(gx, gy).abs()];
        let [xx, xy] = [cross(hx, gx).abs(), cross(hx, gy).abs()];
        let [yx, yy] = [cross(hy, gx).abs(), cross(hy, gy).abs()];
        let reaches = [
            own_a + (xx + xy),
            own_a + (yx + yy),
            own_b + (xx + yx),
            own_b + (xy + yy),
        ];
        let heights = self.half.map(|edge| cross(self.between, edge));
        let gap = |k: usize| heights[k].abs() - reaches[k];
        ([gap(0), gap(1), gap(2), gap(3)], heights)
    }

    /// Whether they are clearly separated, or clearly overlap.
    #[inline(always)]
    fn relation(&self) -> Conclusion {
        let (gaps, _) = self.gaps();
        let (mut apart, mut meet) = (false, true);
        for (gap, edge) in gaps.into_iter().zip(self.half) {
            // The sum of the coordinates is no less than the length.
            let noise = self.noise * sum_abs(edge);
            apart |= gap > noise;
            meet &= -gap > noise;
        }
        if apart {
            Conclusion::Separated
        } else if meet {
            Conclusion::Overlapping
        } else {
            Conclusion::Undecided
        }
    }

    /// The distance or depth along the normal of the widest gap, if a corner of the other rectangle is over the edge.
    #[inline(always)]
    fn measure(&self, request: &Request, bounds: &mut Bounds) -> Conclusion {
        let (gaps, heights) = self.gaps();
        let per_length = self.half.map(|edge| 1.0 / Scalar::sqrt(dot(edge, edge)));
        let gap = |k: usize| gaps[k] * per_length[k];
        let (mut at, mut widest) = (0, gap(0));
        for k in 1..4 {
            let next = gap(k);
            (at, widest) = if next > widest {
                (k, next)
            } else {
                (at, widest)
            };
        }
        let (lower, upper) = (widest - self.noise, widest + self.noise);
        let conclusion = if lower > 0.0 {
            Conclusion::Separated
        } else if upper < 0.0 {
            Conclusion::Overlapping
        } else {
            return Conclusion::Undecided;
        };
        if conclusion == Conclusion::Overlapping && request.wanted != Wanted::Contact {
            let [x, y] = self.between;
            bounds.overlap_without_depth([[0.0; 3], [x, y, 0.0]]);
            return Conclusion::Overlapping;
        }
        // From A to B.
        let scale = per_length[at] * f64::copysign(1.0, heights[at]);
        let normal = [self.half[at][1] * scale, -self.half[at][0] * scale];
        let Some((points, off)) = self.facing(at, normal, per_length[at]) else {
            return Conclusion::Undecided;
        };
        // The depth is that of all axes.
        let upper = if lower > 0.0 { upper + off } else { upper };
        let distance = larger(upper, -lower);
        if !is_narrow(upper - lower, distance, request.width, self.size) {
            return Conclusion::Undecided;
        }
        (bounds.lower, bounds.upper) = (lower, upper);
        bounds.normal = [normal[0], normal[1], 0.0];
        bounds.points = points.map(|[x, y]| [x, y, 0.0]);
        bounds.highest = Some(HighestVertices {
            ids: [0; 2],
            largest: self.largest,
        });
        conclusion
    }

    /// A point of A and one of B over each other along a normal: a corner of the one that is deepest, or where its foot is beyond the end of the other's edge the
    /// point over that end, and how much higher it is; `None` where it is higher than rounding.
    #[inline(always)]
    fn facing(&self, at: usize, normal: Planar, per_length: f64) -> Option<([Planar; 2], f64)> {
        // Seen from the rectangle that has the edge.
        let is_of_a = at < 2;
        let sign = if is_of_a { 1.0 } else { -1.0 };
        let outward = [sign * normal[0], sign * normal[1]];
        let center = [sign * self.between[0], sign * self.between[1]];
        let (edge, across) = (self.half[at & 3], self.half[(at ^ 1) & 3]);
        let from = if is_of_a { 2 } else { 0 };
        let [p, q] = [self.half[from], self.half[from + 1]];
        let face = along(across, outward, 1.0);
        let (toward_p, toward_q) = (along(p, outward, -1.0), along(q, outward, -1.0));
        let inverse = per_length * per_length;
        let corner = [
            center[0] + (toward_p[0] + toward_q[0]),
            center[1] + (toward_p[1] + toward_q[1]),
        ];
        let part = |x: Planar| dot(subtract(x, face), edge) * inverse;
        let foot = |part: f64| [face[0] + edge[0] * part, face[1] + edge[1] * part];
        let t = part(corner);
        let clamped = Scalar::max(-1.0, Scalar::min(1.0, t));
        let own = foot(clamped);
        let (other, off) = if t == clamped {
            (corner, 0.0)
        } else {
            // From the deepest corner along the flatter of its edges to where it is over this one.
            let (rise_p, rise_q) = (dot(p, outward).abs(), dot(q, outward).abs());
            let is_p = rise_p < rise_q;
            let (step, rise) = if is_p {
                (toward_p, rise_p)
            } else {
                (toward_q, rise_q)
            };
            let share = (t - clamped) / (dot(step, edge) * inverse);
            let off = rise * share;
            // Also where a share is no number.
            if !((0.0..=2.0).contains(&share) && off <= RECTANGLE_RISE * self.size) {
                return None;
            }
            (
                [corner[0] - share * step[0], corner[1] - share * step[1]],
                off,
            )
        };
        if is_of_a {
            return Some(([own, other], off));
        }
        // From A's center.
        let back = |x: Planar| [self.between[0] + x[0], self.between[1] + x[1]];
        Some(([back(other), back(own)], off))
    }
}

/// Half the edges of a posed rectangle.
#[inline(always)]
fn edges<V: Vector>(half: &V, pose: &Pose<V>) -> [Planar; 2] {
    let ([p, q], columns) = (planar(*half), pose.columns());
    let ([a, b], [c, d]) = (planar(columns[0]), planar(columns[1]));
    [[a * p, b * p], [c * q, d * q]]
}

#[inline(always)]
fn planar<V: Vector>(x: V) -> Planar {
    [x.component(0).to_f64(), x.component(1).to_f64()]
}

/// A half edge, or the one opposite, that goes up along a direction, or down for a sign of minus one.
#[inline(always)]
fn along(edge: Planar, direction: Planar, sign: f64) -> Planar {
    let sign = sign * f64::copysign(1.0, dot(edge, direction));
    [sign * edge[0], sign * edge[1]]
}
