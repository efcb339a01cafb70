//! Where a line enters and leaves the difference of two bodies of which one is curved, by floats and bounds that prove what they say.
//!
//! Where it sits: `solve.rs` asks it before `soft.rs`. It says nothing where its bounds do not decide: of a graze, and of a start or an end of the motion within rounding of contact.
//! Idea: the walk of `float_ends.rs` finds a portal, `DIM` points of the difference whose shadow along the motion holds the line. Contact is proved where the line crosses the portal, and its
//! absence before any supporting plane. The plane along the portal's own normal gives the next corner, as of polytopes, until both are as near as wanted. Where the surface curves in all directions
//! there is a shorter way. Let directions be scaled so that the motion goes against them at unit speed: then the time at which a plane is crossed is concave, and where the support point is
//! beside the line is its slope. Slopes that are weighed so that the line is at zero weigh the directions too: their mean is the one wanted, but for the square of the portal's size.
//! A direction slightly off the mean, towards that of an old corner, has a point on this corner's side of the line, but much nearer.
//! On ruled and flat surfaces the mean does not help, and is soon asked no more.
//! Numbers: a support point may be off the body by as much as the height of a plane, so every corner is taken to be anywhere within that of where it is.

use super::ends::Side;
use super::float_ends::{
    FACET_SLACKS, FLOAT_STEPS_MAX, FloatEnd, FloatEnds, FloatPortal, LineSight, LineWalk,
    float_time_width,
};
use super::shot::Shot;
use super::soft::{NARROW_ROUNDINGS, PlanePair, TIME_ROUNDINGS};
use super::watch::{self, MotionStep};
use crate::math::{Scalar, Vector, Vector64};
use crate::rounding::UNIT_ROUNDOFF;
use crate::support::SupportPair;

/// Roundings of a corner's way from the line, of the difference's size and the line's way: the difference of two points 1, the line's place 2, the difference of both 1. The rest is room.
const PORTAL_PLACE_ROUNDINGS: f64 = 8.0;

/// Roundings of a product `v·(p × q)` of three terms, of the product of the lengths: products 3, differences 1, sums 2, and twice as many as the terms are longer. The rest is room.
const SHARE_ROUNDINGS: f64 = 32.0;

/// Bounds of weights and times are so many times what they are to the first order, for roundings of their own.
const CROSSING_ROOM: f64 = 1.125;

/// A corner is brought nearer to the line by this part of the way in one step. It chooses, and proves nothing.
const NEARER: f64 = 1.0 / 16.0;

/// A mean direction that narrows the interval to less than this part is followed by another. It chooses, and proves nothing.
const NARROWED: f64 = 0.25;

/// An interval of times is narrow at this part of the width that polytopes are answered with: so are bodies of a few times the speed. It chooses, and proves nothing.
const CURVED_TIME_WIDTH: f64 = 0.25;

/// A support point this many of its errors from the line is no corner: the line could not be told to pass beside it. It chooses, and proves nothing.
const BESIDE_ERRORS: f64 = 64.0;

/// The search for one end, in time of the walk's own sense.
struct CurvedSearch<W> {
    portal: FloatPortal<W>,
    /// Of each corner, the direction of which it is the support, which the motion goes against at unit speed.
    ways: [Option<W>; 3],
    /// The corner to be brought nearer next: in turn, so that none stays far.
    oldest: usize,
    /// The direction of the best plane, so scaled, and the time until which it proves the bodies apart.
    best: Option<(W, f64)>,
    /// What rounding leaves open of that time.
    least: f64,
}

/// A support point, and the direction as corners have it.
type FoundCorner<W> = (SupportPair<W>, Option<W>);

/// Which steps of a search ask the mean direction: where it does not narrow the interval, it is asked ever less often.
struct MeanSteps {
    width: f64,
    /// The last step was one.
    was_mean: bool,
    pause: u32,
    left: u32,
}

impl MeanSteps {
    fn new() -> Self {
        Self {
            width: f64::INFINITY,
            was_mean: false,
            pause: 1,
            left: 1,
        }
    }

    /// Whether the next step is one, where the interval is so wide now.
    fn next(&mut self, width: f64) -> bool {
        if self.was_mean {
            let helped = width < NARROWED * self.width;
            self.pause = if helped { 0 } else { (2 * self.pause).max(1) };
            self.left = self.pause;
        } else {
            self.left = self.left.saturating_sub(1);
        }
        (self.width, self.was_mean) = (width, self.left == 0);
        self.was_mean
    }
}

/// A portal about the line, as bounds have it.
struct HeldLine {
    /// No later than this is there contact.
    upper: f64,
    /// The corners' shares in the crossing.
    weights: [f64; 3],
}

impl<W: Vector64> FloatEnds<W> {
    /// As of [`FloatEnds::of`], of any two bodies, with their radii.
    pub(super) fn curved<V: Vector<Wide = W>>(shot: &Shot<'_, V>, exit: bool) -> Option<Self> {
        let walk = LineWalk::swept(shot)?;
        let portal = match walk.start()? {
            LineSight::Misses => return Some(Self([None; 2])),
            LineSight::Holds(portal) => portal,
        };
        let decided = |end: &FloatEnd<W>| {
            let [lower, upper] = end.time;
            [0.0, shot.track.end]
                .iter()
                .all(|&t| t < lower || upper < t)
        };
        let enter = walk.narrowed(portal, Side::Enter).filter(decided)?;
        if !exit && enter.time[0] > 0.0 {
            return walk
                .has_depth(enter.along)
                .then_some(Self([Some(enter), None]));
        }
        let back = shot.track.reversed();
        let walk = LineWalk {
            track: &back,
            ..walk
        };
        let exit = walk
            .narrowed(turned::<W>(portal), Side::Exit)
            .filter(decided)?;
        (enter.time[1] < exit.time[0]).then_some(Self([Some(enter), Some(exit)]))
    }
}

/// A portal as it is seen along the motion.
fn turned<W: Vector64>([first, second, third]: FloatPortal<W>) -> FloatPortal<W> {
    if W::DIM == 2 {
        [second, first, first]
    } else {
        [first, third, second]
    }
}

impl<V: Vector> LineWalk<'_, V> {
    /// The end that a portal leads to, whose interval is narrow; in the walk's own sense of time the first contact.
    fn narrowed(&self, portal: FloatPortal<V::Wide>, side: Side) -> Option<FloatEnd<V::Wide>> {
        let mut search = CurvedSearch {
            portal,
            ways: [None; 3],
            oldest: 0,
            best: None,
            least: f64::INFINITY,
        };
        let mut means = MeanSteps::new();
        for _ in 0..FLOAT_STEPS_MAX {
            let held = match search.best {
                Some(best) => self.held(&search.portal, best),
                None => None,
            };
            let mut width = f64::INFINITY;
            if let (Some(held), Some((_, lower))) = (&held, search.best) {
                width = held.upper - lower;
                if width <= self.wanted([lower, held.upper], search.least) {
                    return self.ended(search, held, side);
                }
            }
            let nearer = match held {
                Some(held) if search.is_mean_known() && means.next(width) => {
                    search.nearer(&held.weights)
                }
                _ => None,
            };
            let direction = match nearer {
                Some(direction) => direction,
                None => -self.normal(&search.portal)?,
            };
            let found = self.ask(&mut search, direction, side)?;
            self.take(&mut search, found)?;
        }
        None
    }

    /// Whether the difference surely has inner points between its planes along a direction.
    fn has_depth(&self, along: V::Wide) -> bool {
        let middle = self.middle();
        let [near, far] = [-along, along].map(|x| self.support(x, &middle).w);
        along.dot(far - near) > FACET_SLACKS * self.slack
    }

    /// How wide an interval may be.
    fn wanted(&self, [lower, upper]: [f64; 2], least: f64) -> f64 {
        let far = Scalar::max(lower.abs(), upper.abs());
        Scalar::max(
            NARROW_ROUNDINGS * (least + UNIT_ROUNDOFF * far),
            CURVED_TIME_WIDTH * float_time_width::<V::Scalar>() * far,
        )
    }

    /// The support along a direction, and the direction as corners have it: its plane may be the best.
    fn ask(
        &self,
        search: &mut CurvedSearch<V::Wide>,
        direction: V::Wide,
        side: Side,
    ) -> Option<FoundCorner<V::Wide>> {
        let v = self.track.direction;
        let unit = direction.normalized()?;
        let found = self.support(unit, &search.portal[0]);
        let plane = PlanePair::of(unit, -unit.dot(found.w), self.slack, v);
        let against = -unit.dot(v);
        let way = (against > 0.0).then(|| unit * (1.0 / against));
        if let (Some(bound), Some(way)) = (plane.crossing(), way)
            && search.best.is_none_or(|(_, lower)| lower < bound)
        {
            search.best = Some((way, bound));
            search.least = self.slack / against;
        }
        self.told(unit, &plane, side);
        Some((found, way))
    }

    /// Takes a support as a corner, so that the portal still holds the line.
    fn take(
        &self,
        search: &mut CurvedSearch<V::Wide>,
        (found, way): FoundCorner<V::Wide>,
    ) -> Option<()> {
        let v = self.track.direction;
        // Near the line, so that little is lost to rounding.
        let here = v * search.best.map_or(0.0, |(_, lower)| lower);
        let corners = search.portal.map(|pair| pair.w - here);
        let place = found.w - here;
        let along = v * (place.dot(v) / v.norm_squared());
        if !((place - along).max_abs() > BESIDE_ERRORS * self.slack) {
            return Some(());
        }
        let k = self.replaced(&corners, place)?;
        (search.portal[k], search.ways[k]) = (found, way);
        if k == search.oldest {
            search.oldest = (k + 1) % V::DIM;
        }
        if V::DIM == 2 {
            (search.portal[2], search.ways[2]) = (search.portal[1], search.ways[1]);
        }
        Some(())
    }

    /// Tells who watches of a plane.
    fn told(&self, direction: V::Wide, plane: &PlanePair, side: Side) {
        if let Some(watch) = self.watch {
            let step = MotionStep::Planes {
                direction: direction.to_f64(),
                gap: plane.gap,
                rate: plane.rate,
                bound: plane.crossing(),
                free: false,
            };
            watch(match side {
                Side::Enter => step,
                Side::Exit => watch::reversed(step),
            });
        }
    }

    /// Where the line crosses a portal, if it surely does: of corners that are near the line at the time `near`.
    fn held(&self, portal: &FloatPortal<V::Wide>, (way, near): (V::Wide, f64)) -> Option<HeldLine> {
        let v = self.track.direction;
        let (here, speed, slowness) = (v * near, v.norm(), way.norm());
        let ways = portal.map(|pair| pair.w - here);
        let size = self.size + near.abs() * v.sum_abs();
        let off = self.slack + PORTAL_PLACE_ROUNDINGS * UNIT_ROUNDOFF * size;
        let reaches = ways.map(|x| x.norm() + off);
        let (shares, errors) = self.shares(&ways, &reaches, off, speed);
        let sum = |x: &[f64; 3]| x[..V::DIM].iter().sum::<f64>();
        let (total, error) = (sum(&shares), sum(&errors));
        let positive = (0..V::DIM).all(|k| shares[k] > errors[k]);
        if !(positive && total > error) {
            return None;
        }
        let weights = shares.map(|share| share / total);
        // When planes through the corners across the best direction are crossed.
        let times = ways.map(|x| -way.dot(x));
        let (mut time, mut open) = (times[0], 0.0);
        for k in 1..V::DIM {
            let later = times[k] - times[0];
            time += weights[k] * later;
            open += (errors[k] + weights[k] * error) / (total - error) * later.abs();
        }
        let reach = reaches[..V::DIM]
            .iter()
            .fold(0.0, |m, &x| if x > m { x } else { m });
        let rounded = TIME_ROUNDINGS * UNIT_ROUNDOFF * (near.abs() + reach * slowness);
        Some(HeldLine {
            upper: near + time + CROSSING_ROOM * (open + off * slowness) + rounded,
            weights,
        })
    }

    /// The shares of the corners in a crossing, and how far they may be off.
    fn shares(
        &self,
        ways: &[V::Wide; 3],
        reaches: &[f64; 3],
        off: f64,
        speed: f64,
    ) -> ([f64; 3], [f64; 3]) {
        if V::DIM == 2 {
            let left = self.leftward();
            let error = |k: usize| speed * (off + SHARE_ROUNDINGS * UNIT_ROUNDOFF * reaches[k]);
            return (
                [left.dot(ways[1]), -left.dot(ways[0]), 0.0],
                [error(1), error(0), 0.0],
            );
        }
        let v = self.track.direction;
        let share = |i: usize, j: usize| V::Wide::triple(v, ways[i], ways[j]);
        let error = |i: usize, j: usize| {
            let rounded = SHARE_ROUNDINGS * UNIT_ROUNDOFF * reaches[i] * reaches[j];
            speed * (off * (reaches[i] + reaches[j]) + rounded)
        };
        (
            [share(1, 2), share(2, 0), share(0, 1)],
            [error(1, 2), error(2, 0), error(0, 1)],
        )
    }

    /// The end, with the best direction known.
    fn ended(
        &self,
        mut search: CurvedSearch<V::Wide>,
        held: &HeldLine,
        side: Side,
    ) -> Option<FloatEnd<V::Wide>> {
        if search.is_mean_known() {
            let mean = search.mean(&held.weights);
            self.ask(&mut search, mean, side)?;
        }
        let (way, lower) = search.best?;
        let outward = way.normalized()?;
        let first = search.portal[0].b;
        let point = (1..V::DIM).fold(first, |sum, k| {
            sum + (search.portal[k].b - first) * held.weights[k]
        });
        let (along, time) = match side {
            Side::Enter => (-outward, [lower, held.upper]),
            Side::Exit => (outward, [-held.upper, -lower]),
        };
        // No negative zero.
        let time = time.map(|x| x + 0.0);
        Some(FloatEnd { time, along, point })
    }
}

impl<W: Vector64> CurvedSearch<W> {
    /// Whether all corners have directions.
    fn is_mean_known(&self) -> bool {
        self.ways[..W::DIM].iter().all(Option::is_some)
    }

    /// The corners' directions by their weights.
    fn mean(&self, weights: &[f64; 3]) -> W {
        let ways = self.ways.iter().flatten().zip(weights).take(W::DIM);
        ways.fold(W::ZERO, |sum, (&way, &weight)| sum + way * weight)
    }

    /// The mean direction, and somewhat from it towards that of the oldest corner.
    fn nearer(&self, weights: &[f64; 3]) -> Option<W> {
        let mean = self.mean(weights);
        Some(mean + (self.ways[self.oldest]? - mean) * NEARER)
    }
}
