//! From a direction of a low height to one of a least height, by Newton's steps on the sphere.
//!
//! Where it sits: the loop in [`super`] calls [`descend`] with the best direction that it knows, and [`super::caps`] proves what is
//! found. Nothing here is a proof.
//! Idea: about a direction each body is a [`Piece`], whose height has a gradient and second derivatives. Where steps change one
//! body's piece, the least height may be where both are highest, as on a cylinder's side or on an edge: then both are kept, their
//! shares are an unknown more, and their equality is an equation more.

use super::local_height::{Base, LocalHeight, Quadratic};
use crate::math::{Scalar, Vector64};
use crate::support::{MinkowskiDifference, NO_ID, Piece, Support, SupportPair};

/// Steps towards a least height.
const DESCENT_STEPS: usize = 12;
/// A step of this length ends the descent: the next one would be within rounding.
const DESCENT_NEAR: f64 = 1e-7;
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
    fn place(&self, base: &Base<V>) -> Option<PieceMix<V>> {
        let first = LocalHeight::of(&self.first, base)?;
        let Some(piece) = &self.second else {
            return Some(PieceMix {
                first,
                second: None,
            });
        };
        let local = LocalHeight::of(piece, base)?;
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
}

/// For caps: the next step would be within what a cap leaves open.
pub(crate) const CAP_GOAL: DescentGoal = DescentGoal {
    corners: false,
    near: DESCENT_NEAR,
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
    for _ in 0..DESCENT_STEPS {
        let places = [bodies[0].place(&base)?, bodies[1].place(&base)?];
        let stepped = step(&base, &places)?;
        for (body, share) in bodies.iter_mut().zip(stepped.shares) {
            body.share += share;
        }
        base = Base::about(base.moved(stepped.way))?;
        let near = stepped.length < goal.near && stepped.sure;
        let shares =
            |body: &FollowedPieces<V>| body.second.is_none() || (0.0..=1.0).contains(&body.share);
        if near && bodies.iter().all(shares) {
            let places = [bodies[0].place(&base)?, bodies[1].place(&base)?];
            return Some(Stationary {
                base,
                places,
                bodies,
            });
        }
        let hints = [bodies[0].first.vertex, bodies[1].first.vertex];
        let tops = pieces(difference, base.normal(), hints)?;
        bodies.iter_mut().for_each(FollowedPieces::settle);
        let changed = [0, 1].map(|k| {
            tops[k].id != bodies[k].first.id
                && bodies[k]
                    .second
                    .is_none_or(|second| second.id != tops[k].id)
        });
        for k in [0, 1] {
            let alone = bodies[1 - k].second.is_none() && !changed[1 - k];
            bodies[k].meet(tops[k], alone || goal.corners);
        }
    }
    None
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
