//! The usual case: bodies that are apart, of which one has a vertex that is surely the only nearest one, or both an edge, which cross.
//!
//! Idea: as in `solve.rs`, with heights in the bodies' own frames, and the largest distance of two vertices in the place of each one's.

use super::solve::cone;
use crate::answer::Contact;
use crate::math::triple::{Triple, cross, dot, length, length_of_any, sum_abs};
use crate::math::{Pose, Scalar, Vector};
use crate::pair::Pair;
use crate::rounding::UNIT_ROUNDOFF;
use crate::support::{Form, NO_ID, Support};

/// What a height may be off, in roundings of the sizes of a pair: the posed vertex 8, its product with a direction 8, a direction that is posed and normalised
/// 16; doubled for differences, and some room.
const QUICK_ROUNDINGS: f64 = 128.0;

/// Smaller numbers lose digits in products.
const LEAST_GAP: f64 = 1e-200;

/// A body seen along a direction of the world from its place.
struct Seen<'b, V: Vector, S: ?Sized> {
    body: &'b S,
    pose: &'b Pose<V>,
    /// The direction in its own frame.
    local: V::Wide,
    /// Of its highest vertex.
    height: f64,
    size: f64,
    radius: f64,
    /// Of a box.
    corners: Option<HighestCorners>,
}

/// The highest corners of a box: how much lower the second and the third are than the first, and from the first to the second, in the world.
struct HighestCorners {
    falls: [f64; 2],
    edge: Triple,
}

/// The vertices of a body that are highest within a margin.
struct Peaks {
    /// One, two, or more.
    count: usize,
    /// Between two, in the world.
    edge: Triple,
}

/// So many vertices are more than two.
const MANY: usize = 3;

impl<'b, V: Vector, S: Support<V> + ?Sized> Seen<'b, V, S> {
    /// `None` where the body has no numbered vertices, or a radius that is no ball in the world.
    #[inline(always)]
    fn new(body: &'b S, pose: &'b Pose<V>, direction: V::Wide) -> Option<Self> {
        let core = body.core();
        let wide: Pose<V::Wide> = pose.lift();
        let radius = match wide.uniform_scale() {
            Some(scale) => scale * core.radius,
            None if core.radius == 0.0 => 0.0,
            None => return None,
        };
        let local = wide.direction_to_local(direction);
        core.vertex_count?;
        let (height, corners) = match core.form {
            Form::Cuboid(half) => {
                let (height, corners) = HighestCorners::of(half.lift(), local, &wide);
                (height, Some(corners))
            }
            _ => (top(body, local), None),
        };
        Some(Self {
            body,
            pose,
            local,
            height,
            size: wide.bound(core.extent),
            radius,
            corners,
        })
    }

    /// The vertices that are lower than the highest by no more than a margin, perhaps others too.
    #[inline(always)]
    fn peaks(&self, margin: f64) -> Option<Peaks> {
        if let &Some(HighestCorners { falls, edge }) = &self.corners {
            // No branch: which it is is as good as random.
            let is_near = |fall: f64| usize::from(!(fall > margin));
            let count = 1 + is_near(falls[0]) + is_near(falls[1]);
            return Some(Peaks { count, edge });
        }
        self.searched(margin)
    }

    /// The same of a body that is no box.
    // A call, so that boxes need not save the registers that this uses.
    #[inline(never)]
    fn searched(&self, margin: f64) -> Option<Peaks> {
        let mut ids = [0; MANY];
        let listed = match self.body.core().form {
            // Of a margin on either side.
            Form::Hull(hull) => {
                hull.all_highest(self.local.to_f64(), [0.0; 3], 0.5 * margin, &mut ids)
            }
            _ => None,
        };
        let count = match listed {
            Some(count) => count,
            None => self.listed(margin, &mut ids)?,
        };
        let mut edge = [0.0; 3];
        if let [first, second] = ids[..count] {
            let step = self.body.vertex(second)? - self.body.vertex(first)?;
            let pose: Pose<V::Wide> = self.pose.lift();
            edge = pose.vector(step).to_f64();
        }
        Some(Peaks { count, edge })
    }

    /// The ids of such vertices, no more than there is room for.
    fn listed(&self, margin: f64, ids: &mut [u32; MANY]) -> Option<usize> {
        let mut count = 0;
        for id in 0..self.body.core().vertex_count? {
            let height = self.body.vertex(id)?.dot(self.local);
            // A height that is no number counts.
            if count < MANY && !(self.height - height > margin) {
                ids[count] = id;
                count += 1;
            }
        }
        Some(count)
    }
}

/// The height of the highest vertex.
#[inline(never)]
fn top<V: Vector, S: Support<V> + ?Sized>(body: &S, local: V::Wide) -> f64 {
    body.support(local, NO_ID).point.dot(local)
}

impl HighestCorners {
    /// With the height of the highest corner. The edge is along the axis that is least along the direction.
    #[inline(always)]
    fn of<W: Vector<Scalar = f64, Wide = W>>(half: W, local: W, pose: &Pose<W>) -> (f64, Self) {
        let mut sum = 0.0;
        let (mut least, mut next) = ((0, f64::INFINITY), f64::INFINITY);
        for k in 0..W::DIM {
            let height = half.component(k) * local.component(k).abs();
            sum += height;
            if height < least.1 {
                (least, next) = ((k, height), least.1);
            } else if height < next {
                next = height;
            }
        }
        let axis = least.0;
        let back = -2.0 * half.component(axis).copysign(local.component(axis));
        let corners = Self {
            falls: [2.0 * least.1, 2.0 * next],
            edge: (pose.columns()[axis] * back).to_f64(),
        };
        (sum, corners)
    }
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
    let a = Seen::new(pair.a, pair.pose_a, normal)?;
    let b = Seen::new(pair.b, pair.pose_b, -normal)?;
    let places = [pair.pose_a, pair.pose_b].map(|pose| pose.translation().to_f64());
    let error = QUICK_ROUNDINGS
        * UNIT_ROUNDOFF
        * (a.size + b.size + sum_abs(places[0]) + sum_abs(places[1]));
    let along = normal.to_f64();
    let lower = dot(along, places[1]) - dot(along, places[0]) - a.height - b.height - error;
    let upper = contact.signed_distance.upper.to_f64() + a.radius + b.radius + error;
    if !(lower > LEAST_GAP && upper.is_finite()) {
        return None;
    }
    let (slack, _) = cone(lower, upper);
    let slack = slack + 4.0 * V::Scalar::ROUNDING.to_f64();
    let of_a = a.peaks(2.0 * slack * a.size + error)?;
    let of_b = b.peaks(2.0 * slack * b.size + error)?;
    if (of_a.count == 1) | (of_b.count == 1) {
        return Some(true);
    }
    if (of_a.count > 2) | (of_b.count > 2) {
        return Some(false);
    }
    // An edge that is posed is off by some roundings of its end's place.
    let sizes = (length(of_a.edge) + error) * error + (length(of_b.edge) + error) * error;
    Some(length_of_any(cross(of_a.edge, of_b.edge)) > sizes)
}
