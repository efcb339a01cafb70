//! A ray against a box or any parallelepiped, by the planes of its faces, in floats with bounds that prove what they say.
//!
//! Where it sits: `cast.rs` asks it first. It says nothing where the bounds do not decide, where the ray starts in contact, and where it enters through an edge.
//! Idea: with half edges `u_k` of the posed box and `n_k` the product of the other two, the box is where every height `n_k·(p − c)` is within `±h_k·det`. A
//! ray is within each such slab for a piece of time; the ray meets the box while it is in all of them.
//! Numbers: the body is the hull of its rounded vertices, each at most `e` from that of the box. So it has no point beyond slabs that are wider by `e`, and all
//! points of slabs that are narrower by `e`: a convex body whose support function is less by at most `e` contains the box eroded by a ball of the radius `e`.
//! Of a box along the axes the planes are floats, and times that are floats are told as such.
//! Source: Kay, Kajiya 1986 (slabs).

use super::answer::{CastAnswer, Meeting, MotionStop, outward};
use super::float_ends::{FLOAT_TIME_WIDTH, LINE_SIZE_MAX};
use super::options::MotionOptions;
use super::ray::Ray;
use crate::math::{Pose, Ring, Scalar, Triple, Vector, Vector64, cross, dot, length, subtract};
use crate::rounding::UNIT_ROUNDOFF;
use crate::support::{AnyBody, Form};
use gjk_exact::number::{two_product, two_sum};

/// Roundings of a height over a slab, of the product of the other two edges and the sum of all sizes: the product 3, the difference of the places 1, the height 3, the slab's half
/// height 8, the vertices 8. The rest is room.
const SLAB_ROUNDINGS: f64 = 32.0;

/// Roundings of a speed through a slab, likewise: the product 3, the inner product 3. The rest is room.
const SLAB_SPEED_ROUNDINGS: f64 = 16.0;

/// Roundings of a time, of itself, beside those of height and speed: a difference, a quotient. The rest is room.
const SLAB_TIME_ROUNDINGS: f64 = 8.0;

/// When a ray is within one slab, both ends with their bounds.
#[derive(Clone, Copy)]
struct SlabTimes {
    enter: [f64; 2],
    exit: [f64; 2],
}

/// One slab as the ray sees it.
#[derive(Clone, Copy, Default)]
struct Slab {
    normal: Triple,
    half: f64,
    height: f64,
    error: f64,
    speed: f64,
    speed_error: f64,
    /// Of a box along the axes.
    aligned: Option<AlignedSlab>,
}

/// A slab across one of the world's axes: the vertices are on its two planes, as floats.
#[derive(Clone, Copy)]
struct AlignedSlab {
    faces: [f64; 2],
    origin: f64,
    speed: f64,
}

impl AlignedSlab {
    /// When the ray is within; `None` where it is along the slab.
    fn times(&self) -> Option<SlabTimes> {
        if self.speed == 0.0 {
            return None;
        }
        let crossed = |face: f64| {
            let (way, rest) = two_sum(face, -self.origin);
            let time = way / self.speed;
            // What a product of tiny numbers is rounded may be no float.
            let least = f64::MIN_POSITIVE / (UNIT_ROUNDOFF * UNIT_ROUNDOFF);
            let is_told = way == 0.0 || way.abs() > least;
            if is_told && rest == 0.0 && two_product(time, self.speed) == (way, 0.0) {
                return [time; 2];
            }
            // The way and the quotient are rounded.
            let error = SLAB_TIME_ROUNDINGS * UNIT_ROUNDOFF * time.abs() + f64::MIN_POSITIVE;
            [time - error, time + error]
        };
        let [low, high] = self.faces.map(crossed);
        let (enter, exit) = if self.speed > 0.0 {
            (low, high)
        } else {
            (high, low)
        };
        Some(SlabTimes { enter, exit })
    }
}

impl Slab {
    /// When the ray is within; `None` where it may be along the slab.
    fn times(&self) -> Option<SlabTimes> {
        if let Some(aligned) = &self.aligned {
            return aligned.times();
        }
        let speed = self.speed.abs();
        if !(speed > 4.0 * self.speed_error) {
            return None;
        }
        let height = if self.speed < 0.0 {
            -self.height
        } else {
            self.height
        };
        let per = 1.0 / speed;
        let bounds = |time: f64| {
            let error = 1.5 * per * (self.error + time.abs() * self.speed_error)
                + SLAB_TIME_ROUNDINGS * UNIT_ROUNDOFF * time.abs()
                + f64::MIN_POSITIVE;
            [time - error, time + error]
        };
        Some(SlabTimes {
            enter: bounds((-self.half - height) * per),
            exit: bounds((self.half - height) * per),
        })
    }

    /// Whether the ray along the slab is surely within it, or surely beyond it, until a time.
    fn along(&self, until: f64) -> Option<bool> {
        let drift = (self.speed.abs() + self.speed_error) * until;
        let (height, room) = (self.height.abs(), 2.0 * (self.error + drift));
        if height + room < self.half {
            Some(true)
        } else {
            (height - room > self.half).then_some(false)
        }
    }
}

/// The slabs of a posed box about a ray; as many as there are dimensions.
struct RaySlabs {
    slabs: [Slab; 3],
    dim: usize,
}

impl RaySlabs {
    /// `None` for numbers near the ends of their range.
    fn of<W: Vector64>(half: W, pose: &Pose<W>, origin: W, direction: W) -> Option<Self> {
        let dim = W::DIM;
        let column = |k: usize| match pose.columns().get(k) {
            Some(column) => column.to_f64(),
            None => [0.0, 0.0, 1.0],
        };
        let edges = [column(0), column(1), column(2)];
        let half = half.to_f64();
        let lengths = edges.map(length);
        let (center, v) = (pose.translation().to_f64(), direction.to_f64());
        let way = subtract(origin.to_f64(), center);
        let sizes = half.iter().zip(&lengths).map(|(h, l)| h * l).sum::<f64>();
        let size = length(way) + length(center) + sizes;
        let speed = length(v);
        let fits = |x: f64| 1.0 / LINE_SIZE_MAX < x && x < LINE_SIZE_MAX;
        if !(fits(size) && fits(speed) && lengths.into_iter().all(fits)) {
            return None;
        }
        let volume = dot(cross(edges[0], edges[1]), edges[2]).abs();
        let is_along = |k: usize| (0..3).all(|i| i == k || edges[k][i] == 0.0);
        let aligned = (0..dim).all(is_along);
        let slab = |k: usize| {
            let reach = half[k] * edges[k][k].abs();
            let aligned = aligned.then(|| AlignedSlab {
                faces: [center[k] - reach, center[k] + reach],
                origin: origin.component(k),
                speed: v[k],
            });
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            let normal = cross(edges[i], edges[j]);
            let unit = UNIT_ROUNDOFF * lengths[i] * lengths[j];
            Slab {
                normal,
                half: half[k] * volume,
                height: dot(normal, way),
                error: SLAB_ROUNDINGS * unit * size,
                speed: dot(normal, v),
                speed_error: SLAB_SPEED_ROUNDINGS * unit * speed,
                aligned,
            }
        };
        let mut slabs = [Slab::default(); 3];
        for (k, to) in slabs.iter_mut().enumerate().take(dim) {
            *to = slab(k);
        }
        Some(Self { slabs, dim })
    }

    /// When the ray meets the box, with the slabs through which it enters and leaves; `Some(None)` where it misses.
    fn meet(&self) -> Option<Option<BoxTimes>> {
        let mut found = BoxTimes {
            enter: [f64::NEG_INFINITY; 2],
            exit: [f64::INFINITY; 2],
            through: 0,
            sure: true,
        };
        let mut along = [false; 3];
        for (k, slab) in self.slabs.iter().enumerate().take(self.dim) {
            let Some(times) = slab.times() else {
                along[k] = true;
                continue;
            };
            // An entry that may be before or after another is through an edge.
            if times.enter[0] > found.enter[1] {
                (found.enter, found.through, found.sure) = (times.enter, k, true);
            } else if !(times.enter[1] < found.enter[0]) {
                found.enter = join(found.enter, times.enter, f64::max);
                found.sure = false;
            }
            found.exit = join(found.exit, times.exit, f64::min);
        }
        if found.enter[0] > found.exit[1] {
            return Some(None);
        }
        let until = found.enter[0].abs().max(found.exit[1].abs());
        for (k, slab) in self.slabs.iter().enumerate() {
            if along[k] && !slab.along(until)? {
                return Some(None);
            }
        }
        (found.enter[1] < found.exit[0]).then_some(Some(found))
    }
}

/// When a ray meets a box.
struct BoxTimes {
    enter: [f64; 2],
    exit: [f64; 2],
    /// The slab through which it enters, if that is sure.
    through: usize,
    sure: bool,
}

fn join(a: [f64; 2], b: [f64; 2], of: fn(f64, f64) -> f64) -> [f64; 2] {
    [of(a[0], b[0]), of(a[1], b[1])]
}

/// The answer on a ray that meets a box after its start, or does not meet it; `None` for other bodies, other rays, and where the bounds do not decide.
pub(super) fn ray_box<V: Vector>(
    body: &AnyBody<'_, V>,
    pose: &Pose<V>,
    ray: &Ray<V>,
    options: &MotionOptions<V::Scalar>,
) -> Option<CastAnswer<V>> {
    let core = body.core();
    let Form::Cuboid(half) = core.form else {
        return None;
    };
    if core.radius != 0.0 || options.distance() != V::Scalar::ZERO {
        return None;
    }
    let (origin, direction) = (ray.origin().lift(), ray.direction().lift());
    let slabs = RaySlabs::of::<V::Wide>(half.lift(), &pose.lift(), origin, direction)?;
    let free = || CastAnswer::bare(Meeting::Free, true, MotionStop::SeparatingPlane);
    let Some(times) = slabs.meet()? else {
        return Some(free());
    };
    let end = options.max_time().map_or(f64::INFINITY, Scalar::to_f64);
    let ([enter, met], [left, exit]) = (times.enter, times.exit);
    if exit < 0.0 || enter > end {
        return Some(free());
    }
    let narrow = |[lower, upper]: [f64; 2]| {
        upper - lower <= FLOAT_TIME_WIDTH * Scalar::max(lower.abs(), upper.abs())
    };
    // A start in contact, a motion that ends within rounding of one, an edge: others decide.
    let decided = enter > 0.0 && met < end && times.sure && left > met;
    if !(decided && narrow(times.enter) && narrow(times.exit)) {
        return None;
    }
    let slab = &slabs.slabs[times.through];
    let along = V::Wide::from_f64(slab.normal).normalized()?;
    let normal = if slab.speed > 0.0 { -along } else { along };
    let point = (origin + direction * met).lift::<V>();
    let point = Some(point).filter(|point| point.is_finite());
    Some(CastAnswer {
        time: Some(outward(times.enter)),
        exit: Some(outward(times.exit)),
        // Adding zero leaves no negative zeros.
        normal: Some((normal + V::Wide::ZERO).lift()),
        point_a: point,
        point_b: point,
        ..CastAnswer::bare(Meeting::Hits, true, MotionStop::Facet)
    })
}
