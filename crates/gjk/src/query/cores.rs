//! Points, segments and boxes, plain or rounded: the numbers by closed forms, without a loop.
//!
//! Where it sits: `solve.rs` asks it before GJK where no certificate is wanted. Read [`Query::cores`] first.
//! Idea: such a core is a centre and up to three generators, `c + Σ sₖgₖ` with `|sₖ| ≤ 1`, whose support height is
//! `n·c + Σ |n·gₖ|`. [`nearest`] proposes two points; the heights along the line between them prove how good they are, so the
//! proposal may assume right angles and may round. Cores that overlap are measured by the facets of their difference, whose
//! normals are products of two generators.
//! Numbers: [`NOISE`] as in `boxes.rs`. What is not as narrow as the caller wants is left to the loop.
//! Source: Ericson, Real-Time Collision Detection, 5.1; for a segment and a box the root of a piecewise linear slope.

use super::Options;
use super::answer::{Contact, Verdict};
use super::boxes::{Along, NOISE, PARALLEL, SIZES, Triple, WORLD, cross, dot, in_unit, length, plus, sum_abs};
use super::solve::{Depth, Query, less_radii, sign_verdict};
use crate::gjk::Stop;
use crate::math::{Pose, Ring, Scalar, Vector};
use crate::support::{Form, Support};

/// A core at its pose, about A's translation.
struct Core {
    center: Triple,
    /// The first `count` count.
    generators: [Triple; 3],
    count: usize,
    /// At least the sum of its coordinates in its own frame, posed.
    size: f64,
}

/// Steps of the search along a segment. Two or three are usual; what is found is proved or not in any case.
const STEPS_MAX: usize = 12;

/// A generator whose height along a facet's normal is below this part of the pair's size may lie in the facet.
const LEVEL: f64 = 1e-6;

impl Core {
    #[inline(always)]
    fn new<V: Vector>(form: &Form<'_, V>, pose: &Pose<V>, place: Triple) -> Option<Self> {
        let columns = pose.columns();
        let turned = |x: [f64; 3]| {
            let turned = columns.iter().zip(x).fold([0.0; 3], |sum, (column, x)| plus(sum, column.to_f64(), x));
            let size = columns.iter().zip(x).fold(0.0, |sum, (column, x)| sum + sum_abs(column.to_f64()) * x.abs());
            (turned, size)
        };
        let mut generators = [[0.0; 3]; 3];
        Some(match form {
            Form::Point(at) => {
                let (x, size) = turned(at.to_f64());
                Self { center: plus(place, x, 1.0), generators, count: 0, size }
            }
            Form::Segment(ends) => {
                let [(x, size_x), (y, size_y)] = [turned(ends[0].to_f64()), turned(ends[1].to_f64())];
                let middle = core::array::from_fn(|k| 0.5 * x[k] + 0.5 * y[k]);
                generators[0] = core::array::from_fn(|k| 0.5 * y[k] - 0.5 * x[k]);
                Self { center: plus(place, middle, 1.0), generators, count: 1, size: size_x.max(size_y) }
            }
            Form::Cuboid(half) => {
                let half = half.to_f64();
                let mut size = 0.0;
                for (k, column) in columns.iter().enumerate() {
                    generators[k] = column.to_f64().map(|x| x * half[k]);
                    size += sum_abs(generators[k]);
                }
                Self { center: place, generators, count: V::DIM, size }
            }
            _ => return None,
        })
    }

    #[inline(always)]
    fn generators(&self) -> &[Triple] {
        &self.generators[..self.count]
    }

    fn at(&self, parts: Triple) -> Triple {
        self.generators().iter().zip(parts).fold(self.center, |x, (&g, part)| plus(x, g, part))
    }
}

impl<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized> Query<'_, V, A, B> {
    /// The answer for two bodies whose cores are points, segments or boxes, not both boxes; `None` for others, and where floats
    /// do not tell enough.
    #[inline]
    pub(super) fn cores(&self, forms: &[Form<'_, V>; 2]) -> Option<Contact<V>> {
        match forms {
            [Form::Cuboid(_), Form::Cuboid(_)]
            | [Form::Other | Form::Polygon(_), _]
            | [_, Form::Other | Form::Polygon(_)] => None,
            _ => self.simple_cores(forms),
        }
    }

    #[inline(never)]
    fn simple_cores(&self, forms: &[Form<'_, V>; 2]) -> Option<Contact<V>> {
        let Options { prove_depth, float_only, .. } = *self.options;
        let width = self.narrow();
        if self.states_certificate() || prove_depth || float_only || (width <= 0.0 && self.depth != Depth::Verdict) {
            return None;
        }
        let radii = [swept(self.a.radius(), self.pose_a)?, swept(self.b.radius(), self.pose_b)?];
        let (from, to) = (self.pose_a.translation().to_f64(), self.pose_b.translation().to_f64());
        let a = Core::new(&forms[0], self.pose_a, [0.0; 3])?;
        let b = Core::new(&forms[1], self.pose_b, core::array::from_fn(|k| to[k] - from[k]))?;
        // The difference of the translations is in B's centre.
        let size = a.size + b.size + sum_abs(b.center) + sum_abs(a.center);
        let noise = NOISE * size + WORLD * (sum_abs(from) + sum_abs(to));
        if !(size > SIZES.start && size < SIZES.end && noise < SIZES.end) {
            return None;
        }
        let (x, y) = nearest(&a, &b);
        let mut found = apart(&a, &b, x, y, noise);
        if !found.as_ref().is_some_and(|found| found.lower > 0.0) && V::DIM == 3 {
            found = overlapping(&a, &b, noise, size);
        }
        let Along { lower, upper, normal, points: [x, y] } = found?;
        let [lower, upper] = less_radii([lower, upper], radii);
        let verdict = sign_verdict(lower, upper);
        let narrow = match verdict {
            Verdict::Separated => upper - lower <= lower * width,
            Verdict::Overlapping => self.depth != Depth::Penetration || upper - lower <= -upper * width,
            _ => false,
        };
        if verdict == Verdict::Undecided || !(narrow || self.depth == Depth::Verdict) {
            return None;
        }
        let points = [plus(x, normal, radii[0]), plus(y, normal, -radii[1])];
        let (lower, upper) = if verdict == Verdict::Overlapping { (-upper, -lower) } else { (lower, upper) };
        let answer = self.by_axes(verdict, &Along { lower, upper, normal, points });
        Some(Contact { stop: Stop::ClosedForm, ..answer })
    }
}

/// The radius in the world; `None` where the pose does not keep balls round.
#[inline(always)]
fn swept<V: Vector>(radius: V::Scalar, pose: &Pose<V>) -> Option<f64> {
    if radius == V::Scalar::ZERO {
        return Some(0.0);
    }
    pose.uniform_scale().map(|scale| radius.to_f64() * scale.to_f64())
}

/// The signed distance of two cores apart, from points of theirs that are nearest or nearly so.
///
/// The line between them is freed of what rounding, and angles that are not right, left along the generators that the points are
/// inside of: an error of the direction then counts by its square.
#[inline(always)]
fn apart(a: &Core, b: &Core, x: (Triple, Triple), y: (Triple, Triple), noise: f64) -> Option<Along> {
    let ((x, on_a), (y, on_b)) = (x, y);
    let between = plus(y, x, -1.0);
    let mut direction = between;
    let mut free = None;
    for (core, parts) in [(a, on_a), (b, on_b)] {
        for (&g, part) in core.generators().iter().zip(parts) {
            if part.abs() >= 1.0 {
                continue;
            }
            let Some(other) = free else {
                free = Some(g);
                direction = plus(direction, g, -dot(direction, g) / dot(g, g));
                continue;
            };
            let normal = cross(other, g);
            let square = dot(normal, normal);
            if square > PARALLEL * PARALLEL * dot(other, other) * dot(g, g) {
                direction = normal.map(|n| n * (dot(between, normal) / square));
            }
        }
    }
    let distance = length(direction);
    if !(distance > 0.0) {
        return None;
    }
    let normal = direction.map(|d| d * (1.0 / distance));
    let rise = |core: &Core| core.generators().iter().fold(0.0, |sum, &g| sum + dot(normal, g).abs());
    let lower = dot(normal, plus(b.center, a.center, -1.0)) - rise(a) - rise(b) - noise;
    Some(Along { lower, upper: length(between) + noise, normal, points: [x, y] })
}

/// Points of two cores that are nearest, if their edges are at right angles, with their parts of the generators.
#[inline(always)]
fn nearest(a: &Core, b: &Core) -> ((Triple, Triple), (Triple, Triple)) {
    let (on_a, on_b) = match (a.count, b.count) {
        (0, 0) => ([0.0; 3], [0.0; 3]),
        (0, _) => ([0.0; 3], coordinates(b, a.center).map(clamped)),
        (_, 0) => (coordinates(a, b.center).map(clamped), [0.0; 3]),
        (1, 1) => segments(a, b),
        (1, _) => segment_and_box(a, b),
        (_, 1) => {
            let (on_b, on_a) = segment_and_box(b, a);
            (on_a, on_b)
        }
        _ => ([0.0; 3], [0.0; 3]),
    };
    ((a.at(on_a), on_a), (b.at(on_b), on_b))
}

#[inline(always)]
fn clamped(x: f64) -> f64 {
    if x < 1.0 { if x > -1.0 { x } else { -1.0 } } else { 1.0 }
}

/// A point in units of the generators.
#[inline(always)]
fn coordinates(core: &Core, x: Triple) -> Triple {
    along(core, plus(x, core.center, -1.0))
}

/// A vector in units of the generators; of those that there are not, zero.
#[inline(always)]
fn along(core: &Core, x: Triple) -> Triple {
    let mut parts = [0.0; 3];
    for (part, &g) in parts.iter_mut().zip(core.generators()) {
        *part = dot(x, g) / dot(g, g);
    }
    parts
}

#[inline(always)]
fn segments(a: &Core, b: &Core) -> (Triple, Triple) {
    let (g, h) = (a.generators[0], b.generators[0]);
    let between = plus(b.center, a.center, -1.0);
    let (gg, hh, gh) = (dot(g, g), dot(h, h), dot(g, h));
    let (gr, hr) = (dot(g, between), dot(h, between));
    // Parallel segments have no crossing: any point serves to start from.
    let denominator = gg * hh - gh * gh;
    let crossing = if denominator > 0.0 { clamped((gr * hh - gh * hr) / denominator) } else { 0.0 };
    let t = clamped((crossing * gh - hr) / hh);
    let s = clamped((gr + t * gh) / gg);
    ([s, 0.0, 0.0], [t, 0.0, 0.0])
}

/// The distance's square along the segment is convex, its slope piecewise linear with six corners: Newton's step is exact on a
/// piece, and where it leaves what is left of the segment, the corners tell the piece.
#[inline(always)]
fn segment_and_box(segment: &Core, cuboid: &Core) -> (Triple, Triple) {
    let (start, step) = (coordinates(cuboid, segment.center), along(cuboid, segment.generators[0]));
    let mut weights = [0.0; 3];
    for (weight, &g) in weights.iter_mut().zip(cuboid.generators()) {
        *weight = dot(g, g);
    }
    let slope = |t: f64| {
        let (mut value, mut rise) = (0.0, 0.0);
        for k in 0..3 {
            let x = start[k] + t * step[k];
            let over = x - clamped(x);
            let pull = weights[k] * step[k];
            value += pull * over;
            rise += if over == 0.0 { 0.0 } else { pull * step[k] };
        }
        (value, rise)
    };
    // Between what was asked, to either side; the ends were not.
    let (mut low, mut high, mut t) = (-2.0, 2.0, 0.0);
    for _ in 0..STEPS_MAX {
        let (value, rise) = slope(t);
        if value > 0.0 {
            high = t;
        } else if value < 0.0 {
            low = t;
        } else {
            break;
        }
        let mut next = clamped(t - value / rise);
        let beyond = if value > 0.0 { next <= low } else { next >= high };
        if beyond {
            // The pieces between are steeper: between two corners there is only one.
            for corner in 0..6 {
                let k = corner % 3;
                let at = ([-1.0, 1.0][corner / 3] - start[k]) / step[k];
                if at > low && at < high {
                    if slope(at).0 > 0.0 { high = at } else { low = at }
                }
            }
            next = 0.5 * (low + high);
        }
        // At an end that pulls outward, and where a step is lost in rounding.
        if next == t {
            break;
        }
        t = next;
    }
    let at = core::array::from_fn(|k| clamped(start[k] + t * step[k]));
    ([t, 0.0, 0.0], at)
}

/// The depth of two cores whose difference has an interior, as a signed distance; `None` where floats do not prove it, or where
/// its facet is not a parallelogram.
fn overlapping(a: &Core, b: &Core, noise: f64, size: f64) -> Option<Along> {
    let count = a.count + b.count;
    let mut generators = [[0.0; 3]; 4];
    if !(3..=4).contains(&count) {
        return None;
    }
    for (slot, &g) in generators.iter_mut().zip(a.generators().iter().chain(b.generators())) {
        *slot = g;
    }
    let generators = &generators[..count];
    let between = plus(b.center, a.center, -1.0);
    let (mut lower, mut upper) = (f64::INFINITY, f64::INFINITY);
    let mut best = None;
    for i in 0..count {
        for j in i + 1..count {
            let normal = cross(generators[i], generators[j]);
            let norm = length(normal);
            let scale = length(generators[i]) * length(generators[j]);
            if !(norm > PARALLEL * scale) {
                return None;
            }
            let height = dot(between, normal);
            let reach =
                (0..count).filter(|&k| k != i && k != j).fold(0.0, |sum, k| sum + dot(normal, generators[k]).abs());
            let (depth, noise) = ((reach - height.abs()) / norm, noise * scale / norm);
            if !(depth > noise) {
                return None;
            }
            lower = if depth - noise < lower { depth - noise } else { lower };
            if depth + noise < upper {
                upper = depth + noise;
                let sign = if height < 0.0 { -1.0 } else { 1.0 };
                best = Some((i, j, depth, normal, sign / norm));
            }
        }
    }
    let (i, j, depth, product, scale) = best?;
    let normal = product.map(|x| x * scale);
    // The facet farthest back along the normal, and the origin's projection on it in units of its two generators.
    let mut parts = [0.0; 4];
    let mut rest = plus(normal.map(|n| -depth * n), between, -1.0);
    for (k, &g) in generators.iter().enumerate().filter(|&(k, _)| k != i && k != j) {
        let rise = dot(normal, g);
        if !(rise.abs() > LEVEL * size) {
            return None;
        }
        parts[k] = if rise > 0.0 { -1.0 } else { 1.0 };
        rest = plus(rest, g, -parts[k]);
    }
    let square = dot(product, product);
    parts[i] = in_unit(dot(cross(rest, generators[j]), product) / square)?;
    parts[j] = in_unit(dot(cross(generators[i], rest), product) / square)?;
    let (mut on_a, mut on_b) = ([0.0; 3], [0.0; 3]);
    for (k, &part) in parts.iter().enumerate().take(count) {
        // The difference runs against A's generators.
        if k < a.count { on_a[k] = -part } else { on_b[k - a.count] = part }
    }
    Some(Along { lower: -upper, upper: -lower, normal, points: [a.at(on_a), b.at(on_b)] })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn core(center: Triple, generators: &[Triple]) -> Core {
        let mut all = [[0.0; 3]; 3];
        all[..generators.len()].copy_from_slice(generators);
        Core { center, generators: all, count: generators.len(), size: 4.0 }
    }

    /// The search must end on the nearest point, whichever pieces it passes.
    #[test]
    fn a_segment_and_a_box_are_nearest_where_a_fine_search_says() {
        let mut state = 5_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        for case in 0..5000 {
            let half = [random().abs() + 0.01, random().abs() + 0.01, random().abs() + 0.01];
            let cuboid = core([0.0; 3], &[[half[0], 0.0, 0.0], [0.0, half[1], 0.0], [0.0, 0.0, half[2]]]);
            let far = [1.0, 3.0][case % 2];
            let segment =
                core([random() * far, random() * far, random() * far], &[[random() * far, random(), random()]]);
            let ((x, _), (y, _)) = nearest(&segment, &cuboid);
            let found = length(plus(x, y, -1.0));
            let distance = |t: f64| {
                let p = segment.at([t, 0.0, 0.0]);
                length(core::array::from_fn(|k| p[k].abs() - p[k].abs().min(half[k])))
            };
            let fine = (0..=2000).map(|k| distance(f64::from(k) / 1000.0 - 1.0)).fold(f64::INFINITY, f64::min);
            assert!(found <= fine + 1e-12, "case {case}: {found} against {fine}");
        }
    }
}
