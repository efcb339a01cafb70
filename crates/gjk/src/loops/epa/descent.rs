//! From a direction of a low height to one of a least height, by Newton's steps on the sphere.
//!
//! Where it sits: the loop in [`super`] calls [`descend`] with the best direction that it knows, and [`super::caps`] proves what is
//! found. Nothing here is a proof.
//! Idea: about a direction each body is a [`Piece`], whose height has a gradient and second derivatives. Where steps change one
//! body's piece, the least height may be where both are highest, as on a cylinder's side or on an edge: then both are kept, their
//! shares are an unknown more, and their equality is an equation more.

use super::local_height::{Base, CAP_ROOT_MIN, LocalHeight, Quadratic};
use crate::math::{Scalar, Vector64};
use crate::support::{MinkowskiDifference, NO_ID, Piece, Support, SupportPair};

/// Steps towards a least height.
const DESCENT_STEPS: usize = 12;
/// A step of this length ends the descent: the next one would be within rounding.
const DESCENT_NEAR: f64 = 1e-7;
/// A share that is beyond its range by so much is at its end.
const SHARE_ROOM: f64 = 1e-9;
/// A disc is looked at whose axis is within this cosine of the direction.
const DISC_COSINE: f64 = 0.995;
/// The end of an edge is looked for so far beside the direction that it is level along.
const DISC_TILT: f64 = 1.0 / 1024.0;
/// A step that ends higher is taken for this part of it.
const SHORTER: f64 = 0.25;
/// No step is longer.
const DESCENT_REACH: f64 = 0.4;
/// The square of the sine between two kinks below which they are nearly one line.
const CORNER_LEAST: f64 = 1e-20;
/// The step across a height that curves down, until another piece is met.
const DESCENT_DOWN: f64 = 0.15;

/// One body about a direction: a piece, or the hull of two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PieceMix<V> {
    pub(crate) first: LocalHeight<V>,
    pub(crate) second: Option<SecondPiece<V>>,
}

/// The second of two pieces. What it differs by is of the two points' difference: the heights of points far from the world's
/// origin have few digits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SecondPiece<V> {
    pub(crate) local: LocalHeight<V>,
    /// Its share, from 0 to 1.
    pub(crate) share: f64,
    /// From the first one's point to its own.
    way: V,
    /// The difference of the gradients of the second and the first.
    pub(crate) kink: [f64; 2],
    /// How much higher it is.
    rise: f64,
    /// Whether it has the axes of the first.
    pub(crate) alike: bool,
}

impl<V: Vector64> PieceMix<V> {
    fn point(&self) -> V {
        match &self.second {
            Some(second) => self.first.point + second.way * second.share,
            None => self.first.point,
        }
    }

    fn hessian(&self) -> Quadratic {
        let first = self.first.hessian();
        match &self.second {
            Some(SecondPiece { local, share, .. }) => {
                first.plus(first, -share).plus(local.hessian(), *share)
            }
            None => first,
        }
    }
}

/// A direction about which the height is stationary, or nearly.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stationary<V> {
    pub(crate) base: Base<V>,
    /// Of A, and of B mirrored.
    pub(crate) places: [PieceMix<V>; 2],
    /// The pieces that the places are of.
    bodies: [FollowedPieces<V>; 2],
}

impl<V: Vector64> Stationary<V> {
    /// A point of the difference.
    pub(crate) fn point(&self) -> V {
        self.places[0].point() + self.places[1].point()
    }

    /// Its height.
    pub(crate) fn height(&self) -> f64 {
        self.point().dot(self.base.normal())
    }

    pub(crate) fn gradient(&self) -> [f64; 2] {
        let point = self.point();
        self.base.across.map(|x| x.dot(point))
    }

    /// It on A and on B.
    pub(crate) fn points(&self) -> [V; 2] {
        [self.places[0].point(), -self.places[1].point()]
    }

    /// The size of what enters a cap's form: the point, the pieces' axes, and the way between two pieces.
    pub(crate) fn size(&self) -> f64 {
        let axes = |body: &FollowedPieces<V>| {
            let axes = body.first.axes.iter().chain(body.other_axes());
            axes.fold(0.0, |sum, axis| sum + axis.max_abs())
        };
        let ways = self
            .places
            .iter()
            .filter_map(|place| place.second.as_ref())
            .fold(0.0, |sum, second| sum + second.way.max_abs());
        self.point().norm() + axes(&self.bodies[0]) + axes(&self.bodies[1]) + ways
    }

    /// What unequal heights of two pieces take off a cap's bound.
    pub(crate) fn level_gap(&self) -> f64 {
        self.places
            .iter()
            .filter_map(|place| place.second.as_ref())
            .fold(0.0, |sum, second| sum + Scalar::abs(second.rise))
    }

    /// The points of the difference at the ends of what is level, for a polytope: one, or two.
    pub(crate) fn pairs(&self) -> [Option<SupportPair<V>>; 2] {
        let pair = |second: bool| {
            let [(a, id_a), (b, id_b)] =
                [0, 1].map(|k| match (&self.places[k].second, &self.bodies[k].second) {
                    (Some(other), Some(piece)) if second => (other.local.point, piece.vertex),
                    _ => (self.places[k].first.point, self.bodies[k].first.vertex),
                });
            SupportPair {
                a,
                b: -b,
                w: a + b,
                ids: [id_a, id_b],
            }
        };
        let two = self.places.iter().any(|place| place.second.is_some());
        [Some(pair(false)), two.then(|| pair(true))]
    }
}

/// The pieces of one body that are followed.
#[derive(Clone, Copy, Debug)]
struct FollowedPieces<V> {
    first: Piece<V>,
    second: Option<Piece<V>>,
    share: f64,
}

impl<V: Vector64> FollowedPieces<V> {
    fn place(&self, base: &Base<V>, root: f64) -> Option<PieceMix<V>> {
        let first = LocalHeight::of(&self.first, base, root)?;
        let Some(piece) = &self.second else {
            return Some(PieceMix {
                first,
                second: None,
            });
        };
        let local = LocalHeight::of(piece, base, root)?;
        let way = local.point - first.point;
        let second = SecondPiece {
            local,
            share: self.share,
            way,
            kink: base.across.map(|x| x.dot(way)),
            rise: way.dot(base.normal()),
            alike: piece.axes == self.first.axes,
        };
        Some(PieceMix {
            first,
            second: Some(second),
        })
    }

    fn other_axes(&self) -> core::slice::Iter<'_, V> {
        self.second
            .as_ref()
            .map_or([].iter(), |piece| piece.axes.iter())
    }

    /// How far the pieces reach along a direction.
    fn height(&self, base: &Base<V>, root: f64) -> Option<f64> {
        let of = |piece| LocalHeight::of(piece, base, root).map(|x| x.point.dot(base.normal()));
        let first = of(&self.first)?;
        Some(match &self.second {
            Some(second) => first.max(of(second)?),
            None => first,
        })
    }

    fn holds(&self, top: &Piece<V>) -> bool {
        top.id == self.first.id || self.second.is_some_and(|second| second.id == top.id)
    }

    /// Whether both pieces have a share; one that is nearly without it, or nearly all, is taken to be so.
    fn clamp(&mut self) -> bool {
        let clamped = self.share.clamp(0.0, 1.0);
        let shares = self.second.is_none() || Scalar::abs(self.share - clamped) <= SHARE_ROOM;
        if shares {
            self.share = clamped;
        }
        shares
    }

    /// Leaves a second piece that has no share, or a first one.
    fn settle(&mut self) {
        let Some(second) = self.second else { return };
        if self.share < 0.0 || self.share > 1.0 {
            if self.share > 1.0 {
                self.first = second;
            }
            self.second = None;
        }
    }

    /// Takes in the piece that is highest along a new direction; `true` if it is another one.
    fn meet(&mut self, top: Piece<V>, alone: bool) -> bool {
        if top.id == self.first.id {
            self.first = top;
            return false;
        }
        match &mut self.second {
            Some(second) if second.id == top.id => {
                *second = top;
                false
            }
            Some(second) => {
                if self.share > 0.5 {
                    self.first = *second;
                }
                *second = top;
                self.share = 0.5;
                true
            }
            None if alone => {
                (self.second, self.share) = (Some(top), 0.5);
                true
            }
            None => {
                self.first = top;
                true
            }
        }
    }
}

/// The pieces of both bodies along a direction, B's mirrored.
fn pieces<V: Vector64, A: Support<V>, B: Support<V>>(
    difference: &MinkowskiDifference<A, B>,
    normal: V,
    hints: [u32; 2],
) -> Option<[Piece<V>; 2]> {
    let a = difference.a.piece(normal, hints[0])?;
    let b = difference.b.piece(-normal, hints[1])?;
    Some([a, b.mirrored()])
}

/// What a descent ends with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DescentGoal {
    /// Whether both bodies may be the hull of two pieces at once, as two sides that cross. Such a place has no cap.
    pub(crate) corners: bool,
    /// A step of this length ends the descent.
    pub(crate) near: f64,
    /// See [`LocalHeight::of`].
    pub(crate) root: f64,
    pub(crate) steps: usize,
    /// A height that rises by no more is as low as before.
    pub(crate) slack: f64,
}

/// For caps: the next step would be within what a cap leaves open.
pub(crate) const CAP_GOAL: DescentGoal = DescentGoal {
    corners: false,
    near: DESCENT_NEAR,
    root: CAP_ROOT_MIN,
    steps: DESCENT_STEPS,
    slack: 0.0,
};

/// A stationary height not far from a direction; `None` where no step leads to one, as where the least height is that of a facet.
pub(crate) fn descend<V: Vector64, A: Support<V>, B: Support<V>>(
    difference: &MinkowskiDifference<A, B>,
    from: V,
    goal: &DescentGoal,
) -> Option<Stationary<V>> {
    let mut base = Base::about(from)?;
    let mut bodies = pieces(difference, base.normal(), [NO_ID; 2])?.map(|first| FollowedPieces {
        first,
        second: None,
        share: 0.0,
    });
    let mut part = 1.0;
    for _ in 0..goal.steps {
        let places = places(&bodies, &base, goal)?;
        let stepped = step(&base, &places)?;
        let moved = Base::about(base.moved(stepped.way.map(|x| x * part)))?;
        let hints = [bodies[0].first.vertex, bodies[1].first.vertex];
        let tops = pieces(difference, moved.normal(), hints)?;
        let changed = [0, 1].map(|k| !bodies[k].holds(&tops[k]));
        if goal.corners && rises(&bodies, &tops, [&base, &moved], goal)? {
            // What is highest there is followed from here on: a step that ends where it is level may be lower.
            if part == 1.0 && changed != [false; 2] {
                for k in [0, 1] {
                    bodies[k].meet(tops[k], true);
                }
                continue;
            }
            for (body, share) in bodies.iter_mut().zip(stepped.shares) {
                let before = body.share;
                body.share += share;
                body.settle();
                body.share = before.clamp(0.0, 1.0);
            }
            part *= SHORTER;
            continue;
        }
        for (body, share) in bodies.iter_mut().zip(stepped.shares) {
            body.share += share * part;
        }
        base = moved;
        let near = part == 1.0 && stepped.length < goal.near && stepped.sure;
        if near && bodies.iter_mut().all(FollowedPieces::clamp) {
            return Some(Stationary {
                base,
                places: self::places(&bodies, &base, goal)?,
                bodies,
            });
        }
        part = 1.0;
        bodies.iter_mut().for_each(FollowedPieces::settle);
        for k in [0, 1] {
            let alone = bodies[1 - k].second.is_none() && !changed[1 - k];
            bodies[k].meet(tops[k], alone || goal.corners);
        }
    }
    None
}

/// A direction across a disc that a body ends in, and the nearest points where the other body's is over the disc.
pub(crate) struct OnDisc<V> {
    pub(crate) normal: V,
    /// On A and on B.
    pub(crate) points: [V; 2],
}

/// The direction across a disc not far from a direction, and the point of the disc under the other body's.
///
/// There the height has no gradient, so no step leads to it. `known` are points of A and B, perhaps the nearest.
pub(crate) fn on_disc<V: Vector64, A: Support<V>, B: Support<V>>(
    difference: &MinkowskiDifference<A, B>,
    from: V,
    known: [V; 2],
) -> Option<OnDisc<V>> {
    let from = from.normalized()?;
    let mut best: Option<(f64, OnDisc<V>)> = None;
    for (k, piece) in pieces(difference, from, [NO_ID; 2])?.iter().enumerate() {
        let [u, v, rest] = piece.axes;
        if u == V::ZERO || v == V::ZERO || rest != V::ZERO {
            continue;
        }
        let Some(axis) = V::cross_product(u, v).normalized() else {
            continue;
        };
        let cosine = axis.dot(from);
        if !(Scalar::abs(cosine) > DISC_COSINE) {
            continue;
        }
        let normal = if cosine < 0.0 { -axis } else { axis };
        // Of A, and of B mirrored: the other body's points.
        let farthest = |direction: V| {
            if k == 0 {
                -difference.b.support(-direction, NO_ID).point
            } else {
                difference.a.support(direction, NO_ID).point
            }
        };
        let one = farthest(normal);
        // The other end of an edge that may be level with it, towards the disc.
        let inward = -(piece.center + one);
        let inward = inward - normal * inward.dot(normal);
        let aside = inward.normalized().unwrap_or(V::ZERO) * DISC_TILT;
        let edge = farthest(normal + aside) - one;
        let (square, along) = (edge.dot(edge), edge.dot(inward));
        let nearest = if square > 0.0 { along / square } else { 0.0 };
        let between = one + edge * nearest.clamp(0.0, 1.0);
        let known = if k == 0 { -known[1] } else { known[0] };
        let others = [one, between, known];
        for other in others {
            let under = within_disc(piece, -other);
            let distance = (under + other).norm();
            if best.as_ref().is_none_or(|(least, _)| distance < *least) {
                let points = if k == 0 {
                    [under, -other]
                } else {
                    [other, -under]
                };
                best = Some((distance, OnDisc { normal, points }));
            }
        }
    }
    best.map(|(_, found)| found)
}

/// The point of a disc under a point; at the rim towards it where it is beside the disc.
fn within_disc<V: Vector64>(disc: &Piece<V>, over: V) -> V {
    let [u, v, _] = disc.axes;
    let way = over - disc.center;
    let (uu, uv, vv) = (u.dot(u), u.dot(v), v.dot(v));
    let determinant = uu * vv - uv * uv;
    let (x, y) = (way.dot(u), way.dot(v));
    let (p, q) = (
        (x * vv - y * uv) / determinant,
        (y * uu - x * uv) / determinant,
    );
    let far = Scalar::sqrt(p * p + q * q).max(1.0);
    disc.center + u * (p / far) + v * (q / far)
}

/// The bodies about a direction.
fn places<V: Vector64>(
    bodies: &[FollowedPieces<V>; 2],
    base: &Base<V>,
    goal: &DescentGoal,
) -> Option<[PieceMix<V>; 2]> {
    Some([
        bodies[0].place(base, goal.root)?,
        bodies[1].place(base, goal.root)?,
    ])
}

/// Whether the bodies are higher along the second direction than along the first.
fn rises<V: Vector64>(
    bodies: &[FollowedPieces<V>; 2],
    tops: &[Piece<V>; 2],
    [from, to]: [&Base<V>; 2],
    goal: &DescentGoal,
) -> Option<bool> {
    let before = bodies[0].height(from, goal.root)? + bodies[1].height(from, goal.root)?;
    let top = |piece| LocalHeight::of(piece, to, goal.root).map(|x| x.point.dot(to.normal()));
    let after = top(&tops[0])? + top(&tops[1])?;
    Some(after > before + goal.slack)
}

/// A step across the direction, and how the second pieces' shares change.
struct DescentStep {
    way: [f64; 2],
    shares: [f64; 2],
    length: f64,
    /// Whether it is Newton's, of a height that curves up.
    sure: bool,
}

/// Newton's step, for both pieces of a body that has two.
///
/// With the gradient `g`, the second derivatives `H` less the height (a unit direction falls off by `t²/2` of it), and of two pieces
/// the difference `l` of their gradients and `s` of their heights: `Ht + Δλ·l = −g`, `l·t = −s`.
fn step<V: Vector64>(base: &Base<V>, places: &[PieceMix<V>; 2]) -> Option<DescentStep> {
    let point = places[0].point() + places[1].point();
    let g = base.across.map(|x| x.dot(point));
    let round = Quadratic {
        xx: 1.0,
        xy: 0.0,
        yy: 1.0,
    };
    let h = places[0]
        .hessian()
        .plus(places[1].hessian(), 1.0)
        .plus(round, -point.dot(base.normal()));
    let [of_a, of_b] = [0, 1].map(|k| places[k].second.as_ref().map(|x| (x.kink, x.rise)));
    let one = |(kink, rise): ([f64; 2], f64)| level_step(kink, rise, g, h);
    let (mut way, mut shares, mut sure) = match (of_a, of_b) {
        (Some(a), Some(b)) => corner_step(a, b, g, h)?,
        (Some(a), None) => one(a).map(|(way, share, sure)| (way, [share, 0.0], sure))?,
        (None, Some(b)) => one(b).map(|(way, share, sure)| (way, [0.0, share], sure))?,
        (None, None) => {
            let (way, sure) = free_step(g, h);
            (way, [0.0; 2], sure)
        }
    };
    let length = Scalar::sqrt(way[0] * way[0] + way[1] * way[1]);
    if !(length < f64::MAX) {
        return None;
    }
    if length > DESCENT_REACH {
        let part = DESCENT_REACH / length;
        way = way.map(|x| x * part);
        (shares, sure) = (shares.map(|share| share * part), false);
    }
    Some(DescentStep {
        way,
        shares,
        length,
        sure,
    })
}

/// To the direction in which two pieces of each body are level; along the longer of two kinks that are nearly one line.
fn corner_step(
    (k, rise): ([f64; 2], f64),
    (l, climb): ([f64; 2], f64),
    g: [f64; 2],
    h: Quadratic,
) -> Option<([f64; 2], [f64; 2], bool)> {
    let cross = |x: [f64; 2], y: [f64; 2]| x[0] * y[1] - x[1] * y[0];
    let square = |x: [f64; 2]| x[0] * x[0] + x[1] * x[1];
    let determinant = cross(k, l);
    if !(determinant * determinant > CORNER_LEAST * square(k) * square(l)) {
        return if square(k) >= square(l) {
            level_step(k, rise, g, h).map(|(way, share, sure)| (way, [share, 0.0], sure))
        } else {
            level_step(l, climb, g, h).map(|(way, share, sure)| (way, [0.0, share], sure))
        };
    }
    let way = [
        (climb * k[1] - rise * l[1]) / determinant,
        (rise * l[0] - climb * k[0]) / determinant,
    ];
    let rest = [
        -(g[0] + h.xx * way[0] + h.xy * way[1]),
        -(g[1] + h.xy * way[0] + h.yy * way[1]),
    ];
    let shares = [cross(rest, l) / determinant, cross(k, rest) / determinant];
    Some((way, shares, true))
}

/// Along the directions in which two pieces are level.
fn level_step(l: [f64; 2], rise: f64, g: [f64; 2], h: Quadratic) -> Option<([f64; 2], f64, bool)> {
    let length = Scalar::sqrt(l[0] * l[0] + l[1] * l[1]);
    if !(length > 0.0) {
        return None;
    }
    let (e, f) = (l.map(|x| x / length), [-l[1] / length, l[0] / length]);
    let times = |x: [f64; 2]| [h.xx * x[0] + h.xy * x[1], h.xy * x[0] + h.yy * x[1]];
    let dot = |x: [f64; 2], y: [f64; 2]| x[0] * y[0] + x[1] * y[1];
    let (he, hf) = (times(e), times(f));
    let curve = dot(f, hf);
    if !(curve > 0.0) {
        return None;
    }
    let along = -rise / length;
    let across = -(dot(g, f) + dot(he, f) * along) / curve;
    let share = -(dot(g, e) + dot(he, e) * along + dot(hf, e) * across) / length;
    Some(([0, 1].map(|k| e[k] * along + f[k] * across), share, true))
}

/// Of one piece each: by the axes of the form, down where it curves down.
fn free_step(g: [f64; 2], h: Quadratic) -> ([f64; 2], bool) {
    let determinant = h.xx * h.yy - h.xy * h.xy;
    if determinant > 0.0 && h.xx > 0.0 {
        let x = (h.xy * g[1] - h.yy * g[0]) / determinant;
        let y = (h.xy * g[0] - h.xx * g[1]) / determinant;
        return ([x, y], true);
    }
    let half = (h.xx - h.yy) * 0.5;
    let root = Scalar::sqrt(half * half + h.xy * h.xy);
    let (middle, double) = ((h.xx + h.yy) * 0.5, [half, h.xy]);
    // The axis of the larger eigenvalue: half the angle of (half, xy).
    let axis = if root > 0.0 {
        let cosine = Scalar::sqrt((1.0 + double[0] / root) * 0.5);
        let sine = Scalar::sqrt((1.0 - double[0] / root) * 0.5);
        [cosine, if double[1] < 0.0 { -sine } else { sine }]
    } else {
        [1.0, 0.0]
    };
    let mut way = [0.0; 2];
    for (axis, curve) in [(axis, middle + root), ([-axis[1], axis[0]], middle - root)] {
        let slope = g[0] * axis[0] + g[1] * axis[1];
        let part = if curve > 0.0 {
            -slope / curve
        } else if slope > 0.0 {
            -DESCENT_DOWN
        } else {
            DESCENT_DOWN
        };
        way = [0, 1].map(|k| way[k] + axis[k] * part);
    }
    (way, false)
}
