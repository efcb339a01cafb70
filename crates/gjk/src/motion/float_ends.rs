//! Where a line enters and leaves the difference of two polytopes, by floats and bounds that prove what they say.
//!
//! Where it sits: `solve.rs` asks it first where no certificate is wanted. It says nothing where its bounds do not decide; then `sharp.rs` does.
//! Idea: the walk is that of `gjk_exact::line`, in plain floats. A portal is `DIM` points of the difference whose shadow along the motion holds the
//! line; the walk ends at one that no vertex is beyond. Two facts make its times a proof. The portal holds the line strictly, by determinants with
//! their error bounds: so the line meets the difference where it crosses the portal. The farthest vertex along the portal's normal bounds the
//! difference by a plane: so the line does not meet it before. A line that misses is told by a plane along it.
//! Source: Snethen, XenoCollide, Game Programming Gems 7 (2008).

use super::ends::{LineEnds, Side};
use super::shot::Shot;
use super::soft::gap_error;
use super::track::Track;
use super::watch::{MotionStep, Watch};
use crate::math::{Scalar, Vector, Vector64};
use crate::narrow::frame::slack_and_size;
use crate::rounding::UNIT_ROUNDOFF;
use crate::support::{AnyBody, Form, MinkowskiDifference, NO_ID, Posed, Support, SupportPair};
use core::cmp::Ordering;
use gjk_exact::number::{Filter, Number};

/// Steps of a walk; most end after three.
pub(super) const FLOAT_STEPS_MAX: u32 = 64;

/// A portal with less than so many slacks between its plane and the farthest vertex is a facet. It decides when to stop, and proves nothing.
pub(super) const FACET_SLACKS: f64 = 4.0;

/// Roundings of a normal's length and of its product, of themselves: a square, two sums, and the root half of theirs; a product.
const NORMAL_NORM_ROUNDINGS: f64 = 4.0;

/// Times at most this part of themselves apart are narrow enough for an answer by floats: in `f64`, and in `f32`, whose numbers are rounded to 2⁻²⁴ of themselves.
const FLOAT_TIME_WIDTHS: [f64; 2] = [1.0 / (1u64 << 40) as f64, 1.0 / (1u64 << 30) as f64];

/// The width in a scalar.
#[inline(always)]
pub(super) fn float_time_width<S: Scalar>() -> f64 {
    let [wide, narrow] = FLOAT_TIME_WIDTHS;
    if S::ROUNDING.to_f64() > f64::ROUNDING {
        narrow
    } else {
        wide
    }
}

/// Components of a facet's normal that may be off by this part of the largest are good enough for an answer by floats.
pub(super) const FLOAT_NORMAL_WIDTH: f64 = 1.0 / (1u64 << 44) as f64;

/// Roundings of a component of `v × u` and of the height of a point over it, in units of the sums of `|v|`, `|u|` and the point: one of `v`, one of each
/// product, one of their difference, four of the height. The rest is room.
const ACROSS_ROUNDINGS: f64 = 16.0;

/// Roundings of the mean of a hull's vertices, for each of them: a share and a sum, of its scalar.
const MEAN_ROUNDINGS: f64 = 2.0;

/// Sizes and speeds between these have products that neither overflow nor lose more to underflow than the bounds have room for.
pub(super) const LINE_SIZE_MAX: f64 = (1u128 << 100) as f64;

/// An error bound below this may have lost to underflow what it counts.
const FILTER_ERROR_MIN: f64 = f64::from_bits((1023 - 900) << 52);

/// One end of the contact.
#[derive(Clone, Copy)]
pub(super) struct FloatEnd<W> {
    pub(super) time: [f64; 2],
    /// Unit, along the motion.
    pub(super) along: W,
    pub(super) point: W,
}

/// The ends; none for a line that misses, and the first one alone where no other is asked for.
pub(super) struct FloatEnds<W>(pub(super) [Option<FloatEnd<W>>; 2]);

impl<W: Vector64> FloatEnds<W> {
    /// The ends of the contact of two polytopes without radii, of which the first lies before the second, and neither on the start or the end of the motion. Where `exit` is not
    /// asked for, of a contact that begins after the start the first one.
    pub(super) fn of<V: Vector<Wide = W>>(shot: &Shot<'_, V>, exit: bool) -> Option<Self> {
        // Hulls without a test of their kind at every support.
        if let (Form::Hull(a), Form::Hull(b)) = (shot.pair.a.core().form, shot.pair.b.core().form)
            && shot.is_sharp()
        {
            let (at_a, at_b) = (*shot.a.pose(), *shot.b.pose());
            let a = Posed::wide(a, &a.core(), at_a);
            let b = Posed::wide(b, &b.core(), at_b);
            return Self::walked(&LineWalk::between(shot, &a, &b)?, exit);
        }
        Self::walked(&LineWalk::of(shot)?, exit)
    }

    fn walked<V: Vector<Wide = W>, S: Support<V> + ?Sized>(
        walk: &LineWalk<'_, V, S>,
        exit: bool,
    ) -> Option<Self> {
        let portal = match walk.start()? {
            LineSight::Misses => return Some(Self([None; 2])),
            LineSight::Holds(portal) => portal,
        };
        let decided = |end: &FloatEnd<W>| {
            let [lower, upper] = end.time;
            [0.0, walk.track.end]
                .iter()
                .all(|&t| t < lower || upper < t)
        };
        let facet = walk.refined(portal, Side::Enter)?;
        let enter = walk.proved(&facet).filter(decided)?;
        if !exit && enter.time[0] > 0.0 {
            return walk.is_thick(&facet).then_some(Self([Some(enter), None]));
        }
        let exit = walk.proved(&walk.refined(portal, Side::Exit)?);
        let exit = exit.filter(decided)?;
        let apart = enter.time[1] < exit.time[0];
        apart.then_some(Self([Some(enter), Some(exit)]))
    }

    fn end(&self, side: Side) -> Option<&FloatEnd<W>> {
        self.0[side as usize].as_ref()
    }
}

impl<W: Vector64> LineEnds<W> for FloatEnds<W> {
    fn sign(&self, side: Side) -> Option<Ordering> {
        // An end that was not asked for is after the other one, which is after the start.
        let end = self.end(side).or(self.end(Side::Enter))?;
        end.time[0].partial_cmp(&0.0)
    }
    fn grazes(&self) -> bool {
        false
    }
    fn time(&self, side: Side) -> Option<[f64; 2]> {
        Some(self.end(side)?.time)
    }
    fn normal(&self, side: Side) -> Option<W> {
        let along = self.end(side)?.along;
        // Adding zero leaves no negative zeros.
        Some(if side == Side::Enter { -along } else { along } + W::ZERO)
    }
    fn point(&self, side: Side) -> Option<W> {
        Some(self.end(side)?.point)
    }
}

/// Points of the difference whose shadow holds the line, counter-clockwise seen against the motion. The first `DIM` count.
pub(super) type FloatPortal<W> = [SupportPair<W>; 3];

/// What the start of a walk found.
pub(super) enum LineSight<W> {
    /// A plane along the line with the difference on one side.
    Misses,
    Holds(FloatPortal<W>),
}

/// A portal at the end of a walk, with the plane that bounds the difference.
struct EndFacet<W> {
    portal: FloatPortal<W>,
    /// Along the motion.
    normal: W,
    /// The farthest height of the difference, against the motion for the end where contact begins.
    height: f64,
    side: Side,
}

/// What a walk reads.
pub(super) struct LineWalk<'s, V: Vector, S: ?Sized = AnyBody<'s, V>> {
    pub(super) difference: MinkowskiDifference<&'s Posed<'s, V, S>, &'s Posed<'s, V, S>>,
    pub(super) track: &'s Track<V::Wide>,
    /// The radii that count, of A and of B.
    pub(super) radii: [f64; 2],
    /// What a height over a unit direction may be off.
    pub(super) slack: f64,
    /// How long a difference may be.
    pub(super) size: f64,
    pub(super) watch: Watch<'s>,
}

impl<'s, V: Vector> LineWalk<'s, V> {
    /// `None` for numbers near the ends of their range.
    fn of(shot: &'s Shot<'_, V>) -> Option<Self> {
        Self::between(shot, shot.a, shot.b)
    }

    /// The same of bodies with radii, whose support points may be off.
    pub(super) fn swept(shot: &'s Shot<'_, V>) -> Option<Self> {
        let radii = [shot.a.radius(), shot.b.radius()];
        let walk = Self::of(shot)?;
        let size = walk.size + radii[0] + radii[1];
        (size < LINE_SIZE_MAX).then_some(Self {
            radii,
            slack: gap_error(shot.a) + gap_error(shot.b) + f64::MIN_POSITIVE,
            size,
            ..walk
        })
    }
}

impl<'s, V: Vector, S: Support<V> + ?Sized> LineWalk<'s, V, S> {
    /// Of the bodies of a shot, or of what they are besides.
    fn between(
        shot: &'s Shot<'_, V>,
        a: &'s Posed<'s, V, S>,
        b: &'s Posed<'s, V, S>,
    ) -> Option<Self> {
        let [slack, size] = slack_and_size(shot.a, shot.b)?;
        let [of_a, of_b] = shot.track.velocities;
        let fits = |x: f64| 1.0 / LINE_SIZE_MAX < x && x < LINE_SIZE_MAX;
        let slow = of_a.max_abs() < LINE_SIZE_MAX && of_b.max_abs() < LINE_SIZE_MAX;
        let fit = slow && fits(size) && fits(shot.track.direction.max_abs());
        fit.then_some(Self {
            difference: MinkowskiDifference { a, b },
            track: &shot.track,
            radii: [0.0; 2],
            slack,
            size,
            watch: shot.watch,
        })
    }

    pub(super) fn support(
        &self,
        direction: V::Wide,
        near: &SupportPair<V::Wide>,
    ) -> SupportPair<V::Wide> {
        let found = self.difference.support_pair_from(direction, near.ids);
        let [of_a, of_b] = self.radii;
        if of_a == 0.0 && of_b == 0.0 {
            return found;
        }
        let Some(unit) = direction.normalized() else {
            return found;
        };
        let (a, b) = (found.a + unit * of_a, found.b - unit * of_b);
        SupportPair {
            a,
            b,
            w: a - b,
            ids: found.ids,
        }
    }

    /// A point within the difference.
    pub(super) fn middle(&self) -> SupportPair<V::Wide> {
        let (a, b) = (self.difference.a.center(), self.difference.b.center());
        SupportPair {
            a,
            b,
            w: a - b,
            ids: [NO_ID; 2],
        }
    }

    /// The portal to start from.
    pub(super) fn start(&self) -> Option<LineSight<V::Wide>> {
        if V::DIM == 2 {
            self.start_in_plane()
        } else {
            self.start_in_space()
        }
    }

    fn start_in_plane(&self) -> Option<LineSight<V::Wide>> {
        let left = self.leftward();
        let middle = self.middle();
        let (first, last) = (self.support(-left, &middle), self.support(left, &middle));
        // The direction is off by the rounding of the velocity, and its second component is no other number.
        let error = self.slack * left.norm()
            + ACROSS_ROUNDINGS * UNIT_ROUNDOFF * left.sum_abs() * self.size;
        let (right, over) = (left.dot(first.w), left.dot(last.w));
        if right > error || over < -error {
            return Some(LineSight::Misses);
        }
        (right < 0.0 && over > 0.0).then_some(LineSight::Holds([first, last, last]))
    }

    /// The direction to the left of the motion, in the plane.
    pub(super) fn leftward(&self) -> V::Wide {
        let v = self.track.direction;
        V::Wide::from_fn(|k| {
            if k == 0 {
                -v.component(1)
            } else {
                v.component(0)
            }
        })
    }

    /// The farthest vertex along `v × u`; `None` if it proves that the line misses, because it is behind the line.
    fn beyond(
        &self,
        u: V::Wide,
        near: &SupportPair<V::Wide>,
    ) -> Option<(V::Wide, SupportPair<V::Wide>)> {
        let v = self.track.direction;
        let direction = V::Wide::cross_product(v, u);
        let found = self.support(direction, near);
        let error = self.slack * direction.norm()
            + ACROSS_ROUNDINGS * UNIT_ROUNDOFF * v.sum_abs() * u.sum_abs() * self.size;
        (direction.dot(found.w) >= -error).then_some((direction, found))
    }

    /// Two vertices that hold the line between them, as it is seen from a point within.
    fn start_in_space(&self) -> Option<LineSight<V::Wide>> {
        let v = self.track.direction;
        let middle = self.middle();
        let c = middle.w;
        let across = V::Wide::cross_product(v, c);
        let central = !(across.max_abs() > self.slack * v.max_abs());
        let first = if central { v.perpendicular() } else { across };
        let Some((_, mut one)) = self.beyond(first, &middle) else {
            return Some(LineSight::Misses);
        };
        // On which side of the way from the middle to the line a point is.
        let side = |x: &SupportPair<V::Wide>| V::Wide::triple(v, x.w - c, c);
        let mut other = one;
        for _ in 0..FLOAT_STEPS_MAX {
            let step = one.w - c;
            let towards = if V::Wide::triple(v, step, c) > 0.0 {
                -step
            } else {
                step
            };
            let Some((_, found)) = self.beyond(towards, &one) else {
                return Some(LineSight::Misses);
            };
            other = found;
            if side(&one) * side(&other) <= 0.0 {
                break;
            }
            one = other;
        }
        for _ in 0..FLOAT_STEPS_MAX {
            let edge = other.w - one.w;
            let inward = V::Wide::triple(v, edge, c - one.w);
            // Out of the triangle that they make with the middle.
            let out = if inward > 0.0 { -edge } else { edge };
            if V::Wide::triple(v, out, one.w) >= 0.0 {
                let turn = V::Wide::triple(v, one.w - c, other.w - c);
                let portal = if turn < 0.0 {
                    [middle, other, one]
                } else {
                    [middle, one, other]
                };
                return (turn != 0.0).then_some(LineSight::Holds(portal));
            }
            let Some((direction, found)) = self.beyond(out, &one) else {
                return Some(LineSight::Misses);
            };
            if !(direction.dot(found.w - one.w) > 0.0) {
                return None;
            }
            if side(&found) * side(&one) > 0.0 {
                one = found;
            } else {
                other = found;
            }
        }
        None
    }

    /// The normal of a portal, along the motion.
    pub(super) fn normal(&self, portal: &FloatPortal<V::Wide>) -> Option<V::Wide> {
        let corners = portal.map(|pair| pair.w);
        let normal = V::Wide::facet_normal(&corners[..V::DIM]);
        let along = normal.dot(self.track.direction);
        if along == 0.0 {
            return None;
        }
        Some(if along < 0.0 { -normal } else { normal })
    }

    /// The portal that no vertex is beyond.
    fn refined(&self, start: FloatPortal<V::Wide>, side: Side) -> Option<EndFacet<V::Wide>> {
        let mut portal = start;
        for _ in 0..FLOAT_STEPS_MAX {
            let normal = self.normal(&portal)?;
            let outward = match side {
                Side::Enter => -normal,
                Side::Exit => normal,
            };
            let found = self.support(outward, &portal[V::DIM - 1]);
            let height = outward.dot(found.w);
            let gap = height - outward.dot(portal[V::DIM - 1].w);
            if let Some(watch) = self.watch {
                watch(MotionStep::Portal {
                    exit: matches!(side, Side::Exit),
                    corners: portal[..V::DIM].iter().map(|pair| pair.ids).collect(),
                    direction: outward.to_f64(),
                    support: found.ids,
                    gap,
                });
            }
            if !(gap > FACET_SLACKS * self.slack * normal.norm()) {
                return Some(EndFacet {
                    portal,
                    normal,
                    height,
                    side,
                });
            }
            let replaced = self.replaced(&portal.map(|pair| pair.w), found.w)?;
            portal[replaced] = found;
            if V::DIM == 2 {
                portal[2] = portal[1];
            }
        }
        None
    }

    /// Whether the difference has inner points behind a facet by which it is entered.
    fn is_thick(&self, facet: &EndFacet<V::Wide>) -> bool {
        let length = facet.normal.norm();
        let deep = |w: V::Wide, error: f64| {
            facet.normal.dot(w) + facet.height > (FACET_SLACKS * self.slack + error) * length
        };
        // The middle of usual bodies is far behind it; the farthest point is behind it if any is.
        let counts = [
            self.difference.a.vertex_count(),
            self.difference.b.vertex_count(),
        ];
        if let [Some(m), Some(n)] = counts {
            let terms = f64::from(m) + f64::from(n);
            let roundings = MEAN_ROUNDINGS * terms * V::Scalar::ROUNDING.to_f64();
            if deep(self.middle().w, roundings * self.size) {
                return true;
            }
        }
        deep(self.support(facet.normal, &facet.portal[0]).w, 0.0)
    }

    /// Whose place a point takes so that the portal still holds the line.
    pub(super) fn replaced(&self, corners: &[V::Wide; 3], w: V::Wide) -> Option<usize> {
        if V::DIM == 2 {
            return Some(usize::from(self.leftward().dot(w) >= 0.0));
        }
        let v = self.track.direction;
        let turns = corners.map(|corner| V::Wide::triple(v, w, corner));
        let kept = (0..3).find(|&k| turns[k] >= 0.0 && turns[(k + 1) % 3] <= 0.0)?;
        Some((kept + 2) % 3)
    }

    /// The end of the contact at a facet, if bounds prove it.
    fn proved(&self, facet: &EndFacet<V::Wide>) -> Option<FloatEnd<V::Wide>> {
        let EndFacet { portal, side, .. } = facet;
        let [from, to] = self.track.velocities;
        let v = difference(to, from);
        let corners = portal.map(|pair| difference(pair.a, pair.b));
        // Edges by edges of the bodies, which are short beside what is between the bodies.
        let edge = |k: usize| {
            let of_a = difference(portal[k].a, portal[0].a);
            minus(&of_a, &difference(portal[k].b, portal[0].b))
        };
        let edges = [edge(1), edge(2)];
        // A point within is of no facet.
        let vertices = portal[..V::DIM].iter().all(|pair| pair.ids != [NO_ID; 2]);
        let (normal, shares) = match V::DIM {
            2 => in_plane(&v, &corners, &edges),
            _ => in_space(&v, &corners, &edges),
        };
        let held = shares[..V::DIM].iter().all(is_positive);
        if !(vertices && held) {
            return None;
        }
        let (along, offset) = (dot(&normal, &v), dot(&normal, &corners[0]));
        let (along, offset) = if along.value() < 0.0 {
            (along.negated(), offset.negated())
        } else {
            (along, offset)
        };
        let crossed = quotient(&offset, &along)?;
        let bound = self.bound(facet, &v)?;
        let time = match side {
            Side::Enter => [bound[0], crossed[1]],
            Side::Exit => [crossed[0], bound[1]],
        };
        let far = Scalar::max(time[0].abs(), time[1].abs());
        let narrow =
            time[0] <= time[1] && time[1] - time[0] <= float_time_width::<V::Scalar>() * far;
        let largest = facet.normal.max_abs();
        let sure = normal
            .iter()
            .all(|x| x.error() <= FLOAT_NORMAL_WIDTH * largest);
        if !(narrow && sure) {
            return None;
        }
        let total: f64 = shares[..V::DIM].iter().map(Filter::value).sum();
        let first = portal[0].b;
        let point = (1..V::DIM).fold(first, |sum, k| {
            sum + (portal[k].b - first) * (shares[k].value() / total)
        });
        Some(FloatEnd {
            // No negative zero.
            time: time.map(|x| x + 0.0),
            along: facet.normal.normalized()?,
            point,
        })
    }

    /// The times between which the line crosses the plane that bounds the difference.
    fn bound(&self, facet: &EndFacet<V::Wide>, v: &Filtered) -> Option<[f64; 2]> {
        let normal = facet.normal.to_f64();
        let exact: Filtered = normal.map(|x| Filter::difference(x, 0.0));
        let along = dot(&exact, v);
        let beyond =
            self.slack * facet.normal.norm() * (1.0 + NORMAL_NORM_ROUNDINGS * UNIT_ROUNDOFF);
        let height = match facet.side {
            Side::Enter => -facet.height,
            Side::Exit => facet.height,
        };
        ratio([height - beyond, height + beyond], &along)
    }
}

/// A vector of numbers with their error bounds.
type Filtered = [Filter; 3];

/// The first less the second.
fn difference<W: Vector64>(a: W, b: W) -> Filtered {
    let (a, b) = (a.to_f64(), b.to_f64());
    core::array::from_fn(|k| Filter::difference(a[k], b[k]))
}

fn minus(a: &Filtered, b: &Filtered) -> Filtered {
    core::array::from_fn(|k| a[k].minus(&b[k]))
}

fn cross(a: &Filtered, b: &Filtered) -> Filtered {
    let minor = |i: usize, j: usize| a[i].times(&b[j]).minus(&a[j].times(&b[i]));
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}

fn dot(a: &Filtered, b: &Filtered) -> Filter {
    let terms: Filtered = core::array::from_fn(|k| a[k].times(&b[k]));
    terms[0].plus(&terms[1]).plus(&terms[2])
}

/// The normal of a portal in space, and how much of each corner makes the crossing.
fn in_space(
    v: &Filtered,
    [a, b, c]: &[Filtered; 3],
    [to_b, to_c]: &[Filtered; 2],
) -> (Filtered, Filtered) {
    let normal = cross(to_b, to_c);
    let share = |x: &Filtered, y: &Filtered| dot(v, &cross(x, y));
    (normal, [share(b, c), share(c, a), share(a, b)])
}

/// The same in the plane.
fn in_plane(
    v: &Filtered,
    [a, b, _]: &[Filtered; 3],
    [step, _]: &[Filtered; 2],
) -> (Filtered, Filtered) {
    let left = |x: &Filtered| v[0].times(&x[1]).minus(&v[1].times(&x[0]));
    let zero = Filter::difference(0.0, 0.0);
    (
        [step[1], step[0].negated(), zero],
        [left(b), left(a).negated(), zero],
    )
}

/// Whether a number is surely greater than zero.
fn is_positive(x: &Filter) -> bool {
    x.value() > x.error() && x.error() > FILTER_ERROR_MIN
}

/// Bounds of a quotient, of which the denominator is surely greater than zero.
fn quotient(above: &Filter, below: &Filter) -> Option<[f64; 2]> {
    let (value, error) = (above.value(), above.error());
    ratio([value - error, value + error], below)
}

/// Bounds of a quotient of a number between two floats, which are a rounding off.
fn ratio([lower, upper]: [f64; 2], below: &Filter) -> Option<[f64; 2]> {
    if !is_positive(below) {
        return None;
    }
    let (lower, upper) = (lower.next_down(), upper.next_up());
    let small = (below.value() - below.error()).next_down();
    let large = (below.value() + below.error()).next_up();
    if !(small > 0.0) {
        return None;
    }
    let least = lower / if lower < 0.0 { small } else { large };
    let most = upper / if upper < 0.0 { large } else { small };
    let bounds = [least.next_down(), most.next_up()];
    bounds.iter().all(|x| x.is_finite()).then_some(bounds)
}
