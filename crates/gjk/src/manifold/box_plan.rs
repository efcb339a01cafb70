//! What stays of a manifold of two boxes for the next step: which corners the two faces have in common, their order, and ids.
//!
//! Where it sits: `boxes.rs` asks whether it still holds, and a [`super::ManifoldCache`] keeps it.
//! Idea: which corners there are is told by signs: on which side of the line of each side of a face each corner of the other face is. A sign stays as long as
//! its distance from the line is more than all corners moved. The places of all eight corners are known anyway, and a rigid motion of the plane changes no
//! sign: so they are compared to those of the plan as they are seen from one corner along one side. Nothing is known of the bodies but these places, so that a
//! plan of other bodies holds where it is right for these.
//!
//! Derivation: let `û` be the direction of a side from `p`, `x` a corner of the other face, and `d = û × (x − p)`. When they move to `û'`, `p'`, `x'`,
//! `d' − d = û' × (Δx − Δp) + (û' − û) × (x − p)`. So `|d' − d| ≤ |Δx| + |Δp| + |û' − û|·|x − p|`, and a side of length `s` whose ends move by `Δs` against
//! each other turns by `|û' − û| ≤ |Δs|/(s − |Δs|/2)`, which is `TURN_PART·|Δs|/s` at most where it is no more than a quarter.

use super::box_corners::BoxRecipes;
use super::box_face::BoxFace;
use super::few::{CornerNumbers, FEW};
use super::polygon::{PlaceOrder, counter_clockwise, turned_around};
use super::view::larger;
use fearless_simd::{Simd, f64x4, prelude::*};

/// Of a side that moved by a quarter of its length at most: one by seven eighths, rounded up.
const TURN_PART: f64 = 1.15;

/// See [`TURN_PART`].
const TURN_MAX: f64 = 0.25;

/// What roundings of places and distances are, in parts of the corners' spread: far more than a thousand of them.
const PLAN_RESERVE: f64 = 1e-12;

/// The places of a face, by coordinates.
type FacePlaces = [[f64; 4]; 2];

/// The corners of two faces, for as long as they are those.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BoxPlan {
    pub(super) recipes: BoxRecipes,
    order: [u8; FEW],
    rings: [[u32; 4]; 2],
    /// Seen from the first corner of the first face along its first side.
    places: [FacePlaces; 2],
    /// The reciprocal of the shortest side's length.
    per_side: f64,
    /// The largest distance of a corner from one of the other face.
    spread: f64,
    /// The least distance of a corner from the line of a side of the other face. Zero: there is no plan.
    room: f64,
    ids: [u64; FEW],
    /// A bit for each id that is known.
    known: u8,
}

impl Default for BoxPlan {
    fn default() -> Self {
        Self {
            recipes: BoxRecipes::default(),
            order: [0; FEW],
            rings: [[0; 4]; 2],
            places: [[[0.0; 4]; 2]; 2],
            per_side: 0.0,
            spread: 0.0,
            room: 0.0,
            ids: [0; FEW],
            known: 0,
        }
    }
}

type FaceRows<S> = [f64x4<S>; 2];

/// The places of both faces, seen from the first corner of the first one along its first side.
#[inline(always)]
fn seen<S: Simd>([a, b]: [&BoxFace<S>; 2]) -> [FaceRows<S>; 2] {
    let [x, y] = &a.places;
    let step = [x[1] - x[0], y[1] - y[0]];
    let per = 1.0 / crate::math::Scalar::sqrt(step[0] * step[0] + step[1] * step[1]);
    let [p, q] = [step[0] * per, step[1] * per];
    [a.flat, b.flat].map(|flat| {
        let (dx, dy) = (flat[0] - x[0], flat[1] - y[0]);
        [dx * p + dy * q, dy * p - dx * q]
    })
}

/// From each corner to the next.
#[inline(always)]
fn steps<S: Simd>([x, y]: FaceRows<S>) -> FaceRows<S> {
    [x.slide::<1>(x) - x, y.slide::<1>(y) - y]
}

/// At least the largest number of rows that are not negative; NaN is none.
#[inline(always)]
fn most<S: Simd>(row: f64x4<S>) -> f64 {
    let [p, q, r, s]: [f64; 4] = row.into();
    larger(larger(p, q), larger(r, s))
}

impl BoxPlan {
    /// Whether the faces have the corners of the plan in common, each farther from the sides than the band.
    #[inline(always)]
    pub(super) fn holds<S: Simd>(&self, simd: S, faces: [&BoxFace<S>; 2], band: f64) -> bool {
        if !(self.room > 0.0) || self.rings != [faces[0].ids, faces[1].ids] {
            return false;
        }
        let now = seen(faces);
        let mut moved = 0.0;
        let mut stretched = f64x4::splat(simd, 0.0);
        for (now, then) in now.into_iter().zip(&self.places) {
            let then = then.map(|row| f64x4::simd_from(simd, row));
            let by = [now[0] - then[0], now[1] - then[1]];
            // The sum of two magnitudes is at least the length.
            moved += most(by[0].abs() + by[1].abs());
            let [x, y] = steps(by);
            stretched = stretched.max(x.abs() + y.abs());
        }
        let turned = most(stretched) * self.per_side;
        let reach = moved + TURN_PART * turned * self.spread + band + PLAN_RESERVE * self.spread;
        turned <= TURN_MAX && reach < self.room
    }

    /// Becomes the plan of these faces, whose corners these are.
    #[inline(never)]
    pub(super) fn remember<S: Simd>(
        &mut self,
        simd: S,
        faces: [&BoxFace<S>; 2],
        recipes: BoxRecipes,
    ) {
        let [first, second] = seen(faces);
        let (of_first, of_second) = (
            distances(simd, first, second),
            distances(simd, second, first),
        );
        let least = |x: f64, y: f64| if y < x { y } else { x };
        *self = Self {
            recipes,
            order: core::array::from_fn(|k| k as u8),
            rings: [faces[0].ids, faces[1].ids],
            places: [first, second].map(|rows| rows.map(Into::into)),
            per_side: 1.0 / least(of_first.side, of_second.side),
            spread: of_first.spread,
            room: least(of_first.room, of_second.room),
            ids: [0; FEW],
            known: 0,
        };
        // What is no number is no plan.
        if !(self.per_side.is_finite() && self.spread.is_finite()) {
            self.room = 0.0;
        }
    }

    /// The order of the corners, counter-clockwise: that of the plan, if it is one, from where it begins.
    #[inline(always)]
    pub(super) fn order(&mut self, numbers: &CornerNumbers) -> [usize; FEW] {
        let count = self.recipes.count();
        let place = |n: usize| [numbers.x[n & (FEW - 1)], numbers.y[n & (FEW - 1)]];
        let keys = turned_around(count, place);
        let at = |k: usize| keys[usize::from(self.order[k]) & (FEW - 1)];
        let (mut falls, mut start) = (0, 0);
        for k in 0..count {
            let next = if k + 1 == count { 0 } else { k + 1 };
            let rises = at(k) < at(next);
            falls += u32::from(!rises);
            start = if rises { start } else { next };
        }
        if falls != 1 {
            let order: PlaceOrder = counter_clockwise(count, place);
            for (slot, &n) in self.order.iter_mut().zip(&order) {
                *slot = n as u8;
            }
            start = 0;
        }
        let mut order = [0; FEW];
        for (k, slot) in order[..count].iter_mut().enumerate() {
            let from = start + k;
            let from = if from < count { from } else { from - count };
            *slot = usize::from(self.order[from & (FEW - 1)]);
        }
        order
    }

    /// The id of a corner.
    #[inline(always)]
    pub(super) fn id(&mut self, n: usize, id: &dyn Fn() -> u64) -> u64 {
        let n = n & (FEW - 1);
        if self.known >> n & 1 == 0 {
            self.ids[n] = id();
            self.known |= 1 << n;
        }
        self.ids[n]
    }
}

/// What distances the corners of a face have from another one.
struct FaceDistances {
    /// The shortest side of the other face.
    side: f64,
    spread: f64,
    room: f64,
}

#[inline(always)]
fn distances<S: Simd>(simd: S, of: FaceRows<S>, corners: FaceRows<S>) -> FaceDistances {
    let (places, steps): (FacePlaces, _) = (of.map(Into::into), steps(of));
    let lengths = (steps[0] * steps[0] + steps[1] * steps[1]).sqrt();
    let [lengths, x, y]: [[f64; 4]; 3] = [lengths.into(), steps[0].into(), steps[1].into()];
    let infinite = f64x4::splat(simd, f64::INFINITY);
    let (mut room, mut spread, mut side) = (infinite, f64x4::splat(simd, 0.0), f64::INFINITY);
    for k in 0..4 {
        let from = [corners[0] - places[0][k], corners[1] - places[1][k]];
        let heights = from[1] * x[k] - from[0] * y[k];
        room = room.min(heights.abs() / f64x4::splat(simd, lengths[k]));
        spread = spread.max(from[0] * from[0] + from[1] * from[1]);
        side = if lengths[k] < side { lengths[k] } else { side };
    }
    let [p, q, r, s]: [f64; 4] = room.into();
    let least = |x: f64, y: f64| if y < x { y } else { x };
    FaceDistances {
        side,
        spread: most(spread.sqrt()),
        room: least(least(p, q), least(r, s)),
    }
}
