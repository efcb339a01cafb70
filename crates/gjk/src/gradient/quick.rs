//! The usual case: bodies that are apart, of which one has a vertex that is surely the only nearest one, or both an edge, which cross.
//!
//! Idea: as in `solve.rs`, with heights in the bodies' own frames, and the largest distance of two vertices in the place of each one's.

use super::solve::cone;
use crate::answer::Contact;
use crate::math::triple::{Triple, cross, dot, length, sum_abs};
use crate::math::{Pose, Scalar, Vector};
use crate::pair::Pair;
use crate::rounding::UNIT_ROUNDOFF;
use crate::support::{Form, Support};

/// What a height may be off, in roundings of the sizes of a pair: the posed vertex 8, its product with a direction 8, a direction that is posed and normalised
/// 16; doubled for differences, and some room.
const QUICK_ROUNDINGS: f64 = 128.0;

/// Smaller numbers lose digits in products.
const LEAST_GAP: f64 = 1e-200;

/// The three largest heights of a body's vertices along a direction of the world from its place, and how long it is.
struct Peaks {
    heights: [f64; 3],
    /// From the highest to the second, in the world.
    edge: Triple,
    size: f64,
    radius: f64,
}

impl Peaks {
    fn of<V: Vector, S: Support<V> + ?Sized>(
        body: &S,
        pose: &Pose<V>,
        direction: V::Wide,
    ) -> Option<Self> {
        let core = body.core();
        let pose: Pose<V::Wide> = pose.lift();
        let radius = match pose.uniform_scale() {
            Some(scale) => scale * core.radius,
            None if core.radius == 0.0 => 0.0,
            None => return None,
        };
        let local = pose.direction_to_local(direction);
        if let Form::Cuboid(half) = core.form {
            let (heights, edge) = cuboid_peaks(half.lift(), local, &pose);
            let size = pose.bound(core.extent);
            return Some(Self {
                heights,
                edge,
                size,
                radius,
            });
        }
        let mut heights = [f64::NEG_INFINITY; 3];
        let [mut highest, mut next] = [core.center; 2];
        for id in 0..core.vertex_count? {
            let vertex = body.vertex(id)?;
            let height = vertex.dot(local);
            if height > heights[0] {
                heights = [height, heights[0], heights[1]];
                (highest, next) = (vertex, highest);
            } else if height > heights[1] {
                heights = [heights[0], height, heights[1]];
                next = vertex;
            } else if height > heights[2] {
                heights[2] = height;
            }
        }
        Some(Self {
            heights,
            edge: pose.vector(next - highest).to_f64(),
            size: pose.bound(core.extent),
            radius,
        })
    }
}

/// The three largest heights of a box's corners, and the edge from the highest corner to the second: along the axis that is least along the direction.
#[inline(always)]
fn cuboid_peaks<W: Vector<Scalar = f64, Wide = W>>(
    half: W,
    local: W,
    pose: &Pose<W>,
) -> ([f64; 3], Triple) {
    let rise = |k: usize| half.component(k) * local.component(k).abs();
    let mut sum = 0.0;
    let (mut least, mut next) = ((0, f64::INFINITY), f64::INFINITY);
    for k in 0..W::DIM {
        let height = rise(k);
        sum += height;
        if height < least.1 {
            (least, next) = ((k, height), least.1);
        } else if height < next {
            next = height;
        }
    }
    let axis = least.0;
    let back = -2.0 * half.component(axis).copysign(local.component(axis));
    let edge = (pose.columns()[axis] * back).to_f64();
    ([sum, sum - 2.0 * least.1, sum - 2.0 * next], edge)
}

/// Whether two bodies that are apart have one pair of nearest points whatever the true normal is. False says nothing.
pub(super) fn is_unique<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    pair: &Pair<'_, V, A, B>,
    contact: &Contact<V>,
) -> bool {
    proved(pair, contact).unwrap_or(false)
}

fn proved<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    pair: &Pair<'_, V, A, B>,
    contact: &Contact<V>,
) -> Option<bool> {
    let stated: V::Wide = contact.normal.lift();
    let normal = stated * (1.0 / length(stated.to_f64()));
    let a = Peaks::of(pair.a, pair.pose_a, normal)?;
    let b = Peaks::of(pair.b, pair.pose_b, -normal)?;
    let places = [pair.pose_a, pair.pose_b].map(|pose| pose.translation().to_f64());
    let error = QUICK_ROUNDINGS
        * UNIT_ROUNDOFF
        * (a.size + b.size + sum_abs(places[0]) + sum_abs(places[1]));
    let along = normal.to_f64();
    let lower = dot(along, places[1]) - dot(along, places[0]) - a.heights[0] - b.heights[0] - error;
    let upper = contact.signed_distance.upper.to_f64() + a.radius + b.radius + error;
    if !(lower > LEAST_GAP && upper.is_finite()) {
        return None;
    }
    let (slack, _) = cone(lower, upper);
    let slack = slack + 4.0 * V::Scalar::ROUNDING.to_f64();
    let are_only = |peaks: &Peaks, count: usize| {
        peaks.heights[0] - peaks.heights[count] > 2.0 * slack * peaks.size + error
    };
    // An edge that is posed is off by some roundings of its end's place.
    let crossed = || {
        let sizes = (length(a.edge) + error) * error + (length(b.edge) + error) * error;
        length(cross(a.edge, b.edge)) > sizes
    };
    let only = are_only(&a, 1) || are_only(&b, 1);
    Some(only || (are_only(&a, 2) && are_only(&b, 2) && crossed()))
}
