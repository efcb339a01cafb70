//! The steps of a gradient: the contact, which vertices may bear it, and what that proves.

use super::answer::{Gradient, GradientVertex, PoseGradient};
use super::closest::{beside, closest};
use super::facets::{ExactPoints, NearFacet, NearPlane, nearest};
use super::highest::{Highest, LEVEL_ERROR, crossing, highest};
use super::level::common;
use super::quick::is_unique;
use super::rate::{GradientErrors, Velocities, rate};
use super::touch::{TouchCone, TouchingRate};
use crate::Stop;
use crate::answer::{Certificate, Contact, Verdict};
use crate::manifold::{Placed, placed, unit};
use crate::math::triple::{Triple, cross, dot, length, plus, subtract};
use crate::math::{Interval, Scalar, Vector, exponent_of};
use crate::motion::Twist;
use crate::narrow::ladder;
use crate::pair::Pair;
use crate::request::contact_request;
use crate::support::Support;
use alloc::vec::Vec;

/// What is lost when a normal or a point is stated in the scalar, in its roundings of the size.
const STATED_ROUNDINGS: f64 = 4.0;

/// Planes whose normals differ by less are of one face whose vertices are rounded; the error of the gradient has what they differ by.
const ONE_PLANE: f64 = 1.0 / (1u64 << 30) as f64;

/// A pair of bodies of numbered vertices, in the world times `2^exponent`, with coordinates of at most 2.
struct Scaled<'b> {
    dim: usize,
    bodies: [Placed<'b>; 2],
    exponent: i32,
    /// One rounding of the caller's scalar.
    coarse: f64,
}

/// What is proved, in the scaled world.
struct Proved {
    /// What may be as good: normals, and points on the surfaces.
    pairs: Vec<(Triple, [Triple; 2])>,
    is_unique: bool,
    errors: GradientErrors,
}

/// The gradient of a pair.
pub(crate) fn answer<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    pair: &Pair<'_, V, A, B>,
) -> Gradient<V> {
    let contact = pair.contact();
    if is_unique(pair, &contact) {
        return stated(pair, contact, true, Vec::new());
    }
    whole(pair, contact).0
}

/// How fast the signed distance of a touching pair changes along two motions from now on: as the bodies part, and as they go deeper.
pub(crate) fn touching<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    pair: &Pair<'_, V, A, B>,
    twists: [&Twist<V>; 2],
) -> Option<TouchingRate<V::Scalar>> {
    let contact = pair.contact();
    if contact.verdict != Verdict::Touching {
        return None;
    }
    let scaled = Scaled::new(pair, &contact)?;
    let poses = [pair.pose_a, pair.pose_b];
    if scaled.radii() != [0.0; 2] {
        // Cores that are apart have one normal on either side of the touch.
        let (found, errors) = whole(pair, contact);
        let rate = rate(&found, &errors?, twists, poses)?;
        let (outside, inside) = (rate, rate);
        return Some(TouchingRate { outside, inside });
    }
    let request = contact_request::<V::Scalar>(true);
    let mut why = None;
    ladder::loops(pair, &request, None, None, &mut (), &mut why);
    let Some(Certificate::Touching { nearest, .. }) = why else {
        return None;
    };
    let cone = TouchCone::new(scaled.dim, scaled.points(), &nearest)?;
    cone.rates(&Velocities::new(twists, poses), scaled.exponent)
}

/// How fast the signed distance of a pair changes along two motions from now on.
pub(crate) fn along<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    pair: &Pair<'_, V, A, B>,
    twists: [&Twist<V>; 2],
) -> Option<Interval<V::Scalar>> {
    let contact = pair.contact();
    let touches = contact.verdict == Verdict::Touching;
    let (found, errors) = whole(pair, contact);
    match errors {
        Some(errors) => rate(&found, &errors, twists, [pair.pose_a, pair.pose_b]),
        None if touches => touching(pair, twists).map(|rate| rate.outside),
        None => None,
    }
}

/// The gradient with all that may be as good, and what its numbers may be off where that is proved.
fn whole<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    pair: &Pair<'_, V, A, B>,
    contact: Contact<V>,
) -> (Gradient<V>, Option<GradientErrors>) {
    let Some(scaled) = Scaled::new(pair, &contact) else {
        return (stated(pair, contact, false, Vec::new()), None);
    };
    let (contact, found) = match scaled.gap(&contact) {
        Some(_) => match scaled.apart(&contact) {
            Some(found) if found.is_unique => (contact, Some(found)),
            _ => {
                let request = contact_request::<V::Scalar>(false);
                let tight = ladder::contact(pair, &request, None, |found| found);
                (tight, scaled.apart(&tight))
            }
        },
        None if contact.verdict == Verdict::Overlapping => {
            let request = contact_request::<V::Scalar>(true);
            let mut why = None;
            let tight = ladder::loops(pair, &request, None, None, &mut (), &mut why);
            (tight, scaled.within(&tight, why))
        }
        None => (contact, None),
    };
    let Some(found) = found else {
        return (stated(pair, contact, false, Vec::new()), None);
    };
    let world = |x: Triple| V::from_f64(x.map(|c| c.scale_by_power(-scaled.exponent) + 0.0));
    let vertex = |&(normal, [a, b]): &(Triple, [Triple; 2])| GradientVertex {
        normal: V::from_f64(normal),
        point_a: world(a),
        point_b: world(b),
    };
    let vertices = found.pairs.iter().map(vertex).collect();
    let errors = GradientErrors {
        point: found.errors.point.scale_by_power(-scaled.exponent),
        ..found.errors
    };
    (
        stated(pair, contact, found.is_unique, vertices),
        Some(errors),
    )
}

/// The gradient of a contact. Without vertices it is the only one that is known.
fn stated<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
    pair: &Pair<'_, V, A, B>,
    contact: Contact<V>,
    unique: bool,
    mut vertices: Vec<GradientVertex<V>>,
) -> Gradient<V> {
    if !unique && vertices.is_empty() {
        vertices.push(GradientVertex {
            normal: contact.normal,
            point_a: contact.point_a,
            point_b: contact.point_b,
        });
    }
    let translations = [pair.pose_a, pair.pose_b].map(|pose| pose.translation());
    Gradient {
        contact,
        unique,
        a: PoseGradient::new(-contact.normal, contact.point_a, translations[0]),
        b: PoseGradient::new(contact.normal, contact.point_b, translations[1]),
        vertices,
    }
}

impl<'b> Scaled<'b> {
    /// `None` where a body has no numbered vertices, or numbers leave the range of floats.
    fn new<V: Vector, A: Support<V> + ?Sized, B: Support<V> + ?Sized>(
        pair: &Pair<'b, V, A, B>,
        contact: &Contact<V>,
    ) -> Option<Self> {
        let points = [contact.point_a, contact.point_b];
        if contact.stop == Stop::Overflow || !points.iter().all(|x| x.is_finite()) {
            return None;
        }
        let mut bodies = [placed(pair.a, pair.pose_a)?, placed(pair.b, pair.pose_b)?];
        if bodies.iter().any(|body| body.is_round()) {
            return None;
        }
        let numbers = bodies
            .iter()
            .flat_map(|body| body.points().iter().flatten());
        let numbers = numbers.chain(bodies.iter().map(|body| &body.radius));
        let (mut largest, mut least) = (0.0, f64::INFINITY);
        for size in numbers.map(|x| x.abs()).filter(|&x| x > 0.0) {
            largest = if size > largest { size } else { largest };
            least = if size < least { size } else { least };
        }
        let exponent = -exponent_of(largest);
        // What a scaling would round cannot be compared exactly.
        if least.scale_by_power(exponent) < f64::MIN_POSITIVE {
            return None;
        }
        bodies.iter_mut().for_each(|body| body.scale(exponent));
        let coarse = V::Scalar::ROUNDING.to_f64();
        let tiniest = V::Scalar::TINIEST.to_f64().scale_by_power(exponent);
        Some(Self {
            dim: V::DIM,
            bodies,
            exponent,
            coarse: if tiniest > coarse { tiniest } else { coarse },
        })
    }

    fn points(&self) -> [&[Triple]; 2] {
        self.bodies.each_ref().map(Placed::points)
    }

    fn radii(&self) -> [f64; 2] {
        self.bodies.each_ref().map(|body| body.radius)
    }

    fn scale(&self, x: f64) -> f64 {
        x.scale_by_power(self.exponent)
    }

    /// The contact's normal and, where the cores are proved apart along it, the least and the most that they are.
    fn gap<V: Vector>(&self, contact: &Contact<V>) -> Option<(Triple, [f64; 2])> {
        let normal = unit(contact.normal.to_f64())?;
        let height = |all: &[Triple], sign: f64| {
            let heights = all.iter().map(|&x| sign * dot(normal, x));
            heights.fold(f64::NEG_INFINITY, |m, x| if x > m { x } else { m })
        };
        let [a, b] = self.points();
        let lower = -height(a, 1.0) - height(b, -1.0) - LEVEL_ERROR;
        let [ra, rb] = self.radii();
        let upper = self.scale(contact.signed_distance.upper.to_f64()) + ra + rb;
        let upper = upper + LEVEL_ERROR;
        (lower > 0.0 && upper.is_finite()).then_some((normal, [lower, upper]))
    }

    /// What may be highest of A along a unit direction, and lowest of B.
    fn highest(&self, along: Triple, slack: f64) -> [Highest; 2] {
        let [a, b] = self.points();
        [
            highest(a, along, slack),
            highest(b, along.map(|x| -x), slack),
        ]
    }

    /// The points of a contact on the cores.
    fn witness<V: Vector>(&self, contact: &Contact<V>, normal: Triple) -> [Triple; 2] {
        let [a, b] = [contact.point_a, contact.point_b].map(|x| x.to_f64().map(|c| self.scale(c)));
        let [radius_a, radius_b] = self.radii();
        [plus(a, normal, -radius_a), plus(b, normal, radius_b)]
    }

    /// Of bodies whose cores are apart: there is one normal, and the vertices decide about the points.
    fn apart<V: Vector>(&self, contact: &Contact<V>) -> Option<Proved> {
        let (normal, [lower, upper]) = self.gap(contact)?;
        let (slack, cap) = cone(lower, upper);
        let slack = slack + STATED_ROUNDINGS * self.coarse;
        let [a, b] = self.points();
        let bearing = self.highest(normal, slack);
        let ids = bearing.each_ref().map(|found| found.as_slice());
        let sine = crossing([a, b], ids);
        if sine > 0.0 {
            let witness = self.witness(contact, normal);
            if let Some(found) = closest(self.dim, [a, b], ids) {
                let tilt = length(subtract(found.normal, normal));
                let off = |k: usize| length(subtract(found.points[k], witness[k]));
                let point = if off(0) > off(1) { off(0) } else { off(1) };
                return Some(self.unique(tilt + found.normal_error, point + found.point_error));
            }
            let between = subtract(witness[1], witness[0]);
            let along = dot(normal, between);
            let aside = length(plus(between, normal, -along)) + cap;
            let off = aside + (along - lower).abs() + (upper - along).abs();
            return Some(self.unique(slack, self.off(witness, ids, off, sine)));
        }
        let gap = [lower, upper];
        let level = self.level_along(normal, slack, ids, gap);
        Some(level.unwrap_or_else(|| self.several(&[(normal, bearing)], slack, gap)))
    }

    /// What is level with each other of bodies that are apart, if integers say so of all that may be nearest.
    fn level_along(
        &self,
        normal: Triple,
        slack: f64,
        ids: [&[u32]; 2],
        gap: [f64; 2],
    ) -> Option<Proved> {
        let points = self.points();
        let exact = ExactPoints::new(self.dim, points);
        let (plane, error) = match exact.level(ids)? {
            Some(plane) if dot(plane, normal) < 0.0 => (plane.map(|x| -x), 0.0),
            Some(plane) => (plane, 0.0),
            // Parallel edges: across them from one to the other.
            None => {
                let [a, b] = [0, 1].map(|k| points[k][ids[k][0] as usize]);
                let along = subtract(points[0][ids[0][1] as usize], a);
                let found = beside(a, along, b)?;
                (found.normal, found.normal_error)
            }
        };
        let is_near = length(subtract(plane, normal)) <= slack + error;
        if is_near {
            self.level(plane, error, ids, gap)
        } else {
            None
        }
    }

    /// Of cores that overlap: the facets that are nearest decide about the normal.
    fn within<V: Vector>(&self, contact: &Contact<V>, why: Option<Certificate>) -> Option<Proved> {
        let Some(Certificate::Overlapping { facets, .. }) = why else {
            return None;
        };
        let swept: f64 = self.radii().iter().sum();
        let depth = |end: V::Scalar| -self.scale(end.to_f64()) - swept;
        let least = depth(contact.signed_distance.upper) - LEVEL_ERROR;
        let most = depth(contact.signed_distance.lower) + LEVEL_ERROR;
        if !(least > 0.0 && most.is_finite()) {
            return None;
        }
        let gap = [-most, -least];
        let points = self.points();
        let near = nearest(self.dim, points, &facets, most)?;
        let (slack, _) = cone(least, most);
        let slack = slack + STATED_ROUNDINGS * self.coarse;
        let candidates = |facet: &NearFacet| self.highest(facet.normal, facet.error);
        let Some(planes) = ExactPoints::new(self.dim, points).planes(&near, candidates) else {
            let all: Vec<_> = near
                .iter()
                .map(|facet| {
                    (
                        facet.normal,
                        self.highest(facet.normal, slack + facet.error),
                    )
                })
                .collect();
            return Some(self.several(&all, slack, gap));
        };
        if let Some(found) = self.one_plane(contact, &planes, gap) {
            return Some(found);
        }
        if let [plane] = &planes[..] {
            let ids = plane.ids.each_ref().map(|ids| &ids[..]);
            if let Some(level) = self.level(plane.normal, 0.0, ids, gap) {
                return Some(level);
            }
        }
        let all: Vec<_> = planes
            .into_iter()
            .map(|plane| (plane.normal, plane.ids))
            .collect();
        Some(self.several(&all, 0.0, gap))
    }

    /// Of an overlap with one nearest plane, or those of one face whose vertices are rounded off it, in each of which there is one pair of points.
    fn one_plane<V: Vector>(
        &self,
        contact: &Contact<V>,
        planes: &[NearPlane],
        gap: [f64; 2],
    ) -> Option<Proved> {
        let stated = unit(contact.normal.to_f64())?;
        let (mut tilt, mut point) = (0.0, 0.0);
        for NearPlane { normal, ids } in planes {
            let ids = ids.each_ref().map(|ids| &ids[..]);
            let sine = crossing(self.points(), ids);
            let own = length(subtract(*normal, stated));
            if !(sine > 0.0 && own <= ONE_PLANE) {
                return None;
            }
            let witness = self.witness(contact, *normal);
            let between = subtract(witness[1], witness[0]);
            let difference = length(plus(between, *normal, -gap[0])) + (gap[1] - gap[0]);
            let off = self.off(witness, ids, difference, sine);
            tilt = if own > tilt { own } else { tilt };
            point = if off > point { off } else { point };
        }
        Some(self.unique(tilt, point))
    }

    /// How far points on the cores are from the nearest ones, whose difference is theirs but for a length; both are on the edges, or one at the vertex, of
    /// these numbers, which cross at an angle of this sine or more.
    fn off(&self, witness: [Triple; 2], ids: [&[u32]; 2], difference: f64, sine: f64) -> f64 {
        let points = self.points();
        let aside = |k: usize| match *ids[k] {
            [only] => length(subtract(witness[k], points[k][only as usize])),
            [from, to] => {
                let from = points[k][from as usize];
                let along = subtract(points[k][to as usize], from);
                length(cross(along, subtract(witness[k], from))) / length(along)
            }
            _ => 0.0,
        };
        let aside = aside(0) + aside(1);
        aside + (difference + aside) / sine + LEVEL_ERROR
    }

    fn unique(&self, slack: f64, point: f64) -> Proved {
        let slack = slack + STATED_ROUNDINGS * self.coarse;
        let swept: f64 = self.radii().iter().sum();
        Proved {
            pairs: Vec::new(),
            is_unique: true,
            errors: GradientErrors {
                normal: slack,
                point: point + swept * slack + STATED_ROUNDINGS * self.coarse,
                is_flat: false,
            },
        }
    }

    /// What level faces or edges have in common is equally good; the rate of the corners says all.
    fn level(&self, normal: Triple, slack: f64, ids: [&[u32]; 2], gap: [f64; 2]) -> Option<Proved> {
        let level = common(self.dim, normal, self.points(), ids)?;
        let across = |x: &Triple| (normal, self.across(*x, normal, gap[0]));
        let found = self.several_of(
            level.corners.iter().map(across).collect(),
            slack,
            level.error,
        );
        Some(Proved {
            errors: GradientErrors {
                is_flat: true,
                ..found.errors
            },
            ..found
        })
    }

    /// The point of A's surface over a point of its core, and that of B's across a gap of the cores.
    fn across(&self, core: Triple, normal: Triple, gap: f64) -> [Triple; 2] {
        let [radius_a, radius_b] = self.radii();
        [
            plus(core, normal, radius_a),
            plus(core, normal, gap - radius_b),
        ]
    }

    /// What the best points of the true normals are among: the hull of the highest vertices of that body whose are nearer together.
    fn several(&self, normals: &[(Triple, [Highest; 2])], slack: f64, gap: [f64; 2]) -> Proved {
        let points = self.points();
        let mut pairs = Vec::new();
        for (normal, highest) in normals {
            let spread = |k: usize| {
                let at = |id: u32| points[k][id as usize];
                let ids = highest[k].as_slice();
                let far = ids.iter().map(|&id| length(subtract(at(id), at(ids[0]))));
                far.fold(0.0, |m: f64, x| if x > m { x } else { m })
            };
            let body = usize::from(spread(1) < spread(0));
            for &id in highest[body].as_slice() {
                let core = points[body][id as usize];
                let on_a = if body == 0 {
                    core
                } else {
                    plus(core, *normal, -gap[0])
                };
                pairs.push((*normal, self.across(on_a, *normal, gap[0])));
            }
        }
        self.several_of(pairs, slack, drift(gap, slack))
    }

    fn several_of(&self, pairs: Vec<(Triple, [Triple; 2])>, slack: f64, point: f64) -> Proved {
        Proved {
            pairs,
            is_unique: false,
            ..self.unique(slack, point + LEVEL_ERROR)
        }
    }
}

/// What the difference of the nearest points may be off, beside the least gap along a normal that may be off by a length.
fn drift([lower, upper]: [f64; 2], slack: f64) -> f64 {
    upper - lower + lower.abs() * slack
}

/// What the true normal and the true nearest point of a difference may be off, when the point is at least `lower` along the normal from the origin and at
/// most `upper` away: the cosine of the angle is at least their ratio, the square of the difference of two unit vectors is twice what a cosine lacks, and the
/// point is in the cap of a ball.
pub(super) fn cone(lower: f64, upper: f64) -> (f64, f64) {
    let lacking = upper - lower;
    let lacking = if lacking > 0.0 { lacking } else { 0.0 };
    let slack = Scalar::sqrt(2.0 * lacking / upper);
    (slack, Scalar::sqrt(lacking * (upper + lower)))
}
