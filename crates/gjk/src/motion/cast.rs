//! From what a caller asks to two bodies in motion.
//!
//! Idea: a ray is a cast of a point, with a ball of the radius `distance` about it. For two bodies and a distance the ball is swept over the second,
//! in the world and in `f64`; the answer goes back to the caller's scalar.
//! Idea: what a closed form knows is told at once; who wants a proof, or watches, gets the search.
//! What is below asks bodies by [`AnyBody`], so that it is compiled once for each vector, and not for each pair of shapes.

use super::answer::{CastAnswer, CastProof};
use super::cast_box::cast_box;
use super::course::Course;
use super::found::{CastFound, MotionFound};
use super::options::{Limits, MotionOptions, ToiOptions};
use super::polygons::{cast_polygons, ray_polygon};
use super::ray::Ray;
use super::ray_box::ray_box;
use super::ray_hull::ray_hull;
use super::ray_quadric::{ray_ellipsoid, ray_solid};
use super::ray_round::{cast_round, ray_round};
use super::shot::{BodyPair, Shot};
use super::solve::MotionQuestion;
use super::toi::ToiQuestion;
use super::track::{Mover, Track};
use super::turning_polygons::toi_polygons;
use super::twist::Twist;
use super::watch::Watch;
use crate::math::{Pose, Ring, Scalar, Vector};
use crate::support::{AnyBody, Form, Inflated, Posed};
use crate::vertices::Sides;

/// A body, where it is at the start, and how it moves.
pub struct Moving<'p, V: Vector> {
    pub(crate) shape: &'p AnyBody<'p, V>,
    pub(crate) pose: &'p Pose<V>,
    pub(crate) velocity: V,
}

/// What is known at once of a ray.
pub(crate) fn ray_at_once<V: Vector>(
    body: &AnyBody<'_, V>,
    pose: &Pose<V>,
    ray: &Ray<V>,
    options: &MotionOptions<V::Scalar>,
) -> Option<MotionFound> {
    if options.has_distance() {
        return None;
    }
    let core = body.core();
    if core.radius != 0.0 {
        return ray_round(&core, pose, ray, options);
    }
    match core.form {
        Form::Cuboid(half) => ray_box(half, pose, ray, options),
        Form::Hull(hull) => {
            if V::DIM == 2
                && let Some(sides) = hull.sides()
                && let Some(found) = ray_polygon(sides, pose, ray, options)
            {
                return Some(found);
            }
            ray_hull(hull, pose, ray, options)
        }
        Form::Ellipsoid(radii) => ray_ellipsoid(radii, pose, ray, options),
        Form::Discs(discs) => ray_solid(&discs, core.extent, pose, ray, options),
        _ => ray_round(&core, pose, ray, options),
    }
}

/// The answer on a ray by the search.
#[inline(never)]
pub(crate) fn searched_ray<V: Vector>(
    body: &AnyBody<'_, V>,
    pose: &Pose<V>,
    ray: &Ray<V>,
    options: &MotionOptions<V::Scalar>,
    proof: bool,
    watch: Watch<'_>,
) -> CastProof<V> {
    let distance = options.distance().to_f64();
    let mover = Mover {
        at: ray.origin(),
        radius: distance,
    };
    let here = Pose::identity();
    let pair = BodyPair::new(body, pose, &mover, &here);
    let velocities = [V::ZERO, ray.direction()];
    let way = Way::Straight(velocities);
    let options = options.with_exit(true);
    answer(pair, way, Some([0.0, distance]), &options, proof, watch)
}

/// What is known at once of two bodies that do not turn.
pub(crate) fn cast_at_once<V: Vector>(
    a: &Moving<'_, V>,
    b: &Moving<'_, V>,
    options: &MotionOptions<V::Scalar>,
) -> Option<CastFound> {
    if options.has_distance() {
        return None;
    }
    let (of_a, of_b) = (a.shape.core(), b.shape.core());
    let sharp = of_a.radius == 0.0 && of_b.radius == 0.0;
    match (of_a.form, of_b.form) {
        (Form::Cuboid(half_a), Form::Cuboid(half_b)) if sharp => {
            cast_box([(half_a, a), (half_b, b)], options)
        }
        (Form::Hull(_) | Form::Cuboid(_), Form::Hull(_) | Form::Cuboid(_))
            if V::DIM == 2 && sharp =>
        {
            let room = &mut [None, None];
            let [of_a, of_b] = sides_of([&of_a.form, &of_b.form], room)?;
            cast_polygons([(of_a, a), (of_b, b)], options)
        }
        (Form::Point(_), _) | (_, Form::Point(_)) => cast_round([(&of_a, a), (&of_b, b)], options),
        _ => None,
    }
}

/// The answer on two bodies that do not turn by the search.
pub(crate) fn searched_cast<V: Vector>(
    a: &Moving<'_, V>,
    b: &Moving<'_, V>,
    options: &MotionOptions<V::Scalar>,
    proof: bool,
    watch: Watch<'_>,
) -> CastProof<V> {
    let way = Way::Straight([a.velocity, b.velocity]);
    moved(a, b, way, options, proof, watch)
}

/// The answer on two bodies that may turn; the velocities of their places are those of the twists.
pub(crate) fn toi<V: Vector>(
    a: &Moving<'_, V>,
    b: &Moving<'_, V>,
    twists: [&Twist<V>; 2],
    options: &ToiOptions<V::Scalar>,
    proof: bool,
    watch: Watch<'_>,
) -> CastProof<V> {
    let [of_a, of_b] = twists;
    let limits = options.limits();
    let courses = [
        Course::of(a.pose, of_a, limits.end),
        Course::of(b.pose, of_b, limits.end),
    ];
    if V::DIM == 2
        && !proof
        && watch.is_none()
        && let Some(answer) = toi_of_polygons(a, b, &courses, options)
    {
        return CastProof {
            answer,
            features: Default::default(),
            certificate: None,
        };
    }
    moved(
        a,
        b,
        Way::Turning(&courses, limits),
        &options.motion(),
        proof,
        watch,
    )
}

/// The answer on two small polygons at once; `None` of other bodies, and where it is not known at once.
fn toi_of_polygons<V: Vector>(
    a: &Moving<'_, V>,
    b: &Moving<'_, V>,
    courses: &[Course<V::Wide>; 2],
    options: &ToiOptions<V::Scalar>,
) -> Option<CastAnswer<V>> {
    let (of_a, of_b) = (a.shape.core(), b.shape.core());
    let sharp = of_a.radius == 0.0 && of_b.radius == 0.0;
    if !sharp || options.motion().has_distance() {
        return None;
    }
    let room = &mut [None, None];
    let [of_a, of_b] = sides_of([&of_a.form, &of_b.form], room)?;
    toi_polygons([(of_a, a), (of_b, b)], courses, options.limits())
}

/// The sides of two small polygons, in the plane; those of rectangles are made in the room.
#[inline(always)]
fn sides_of<'s, V: Vector>(
    [a, b]: [&Form<'s, V>; 2],
    room: &'s mut [Option<Sides>; 2],
) -> Option<[&'s Sides; 2]> {
    let [room_a, room_b] = room;
    Some([one_of_sides(a, room_a)?, one_of_sides(b, room_b)?])
}

#[inline(always)]
fn one_of_sides<'s, V: Vector>(
    form: &Form<'s, V>,
    room: &'s mut Option<Sides>,
) -> Option<&'s Sides> {
    match form {
        Form::Hull(hull) => hull.sides(),
        Form::Cuboid(half) => {
            let [p, q, _] = half.to_f64();
            Some(room.insert(Sides::of_rectangle([p, q])))
        }
        _ => None,
    }
}

/// How two bodies move.
#[derive(Clone, Copy)]
enum Way<'c, V: Vector> {
    /// By velocities.
    Straight([V; 2]),
    /// By courses in the world, searched within limits.
    Turning(&'c [Course<V::Wide>; 2], Limits),
}

impl<'c, V: Vector> Way<'c, V> {
    /// The same in `f64`.
    fn wide(self) -> Way<'c, V::Wide> {
        match self {
            Self::Straight(velocities) => Way::Straight(velocities.map(Vector::lift)),
            Self::Turning(courses, limits) => Way::Turning(courses, limits),
        }
    }
}

/// The answer on two bodies, with a ball of the radius `distance` swept over the second.
fn moved<V: Vector>(
    a: &Moving<'_, V>,
    b: &Moving<'_, V>,
    way: Way<'_, V>,
    options: &MotionOptions<V::Scalar>,
    proof: bool,
    watch: Watch<'_>,
) -> CastProof<V> {
    if options.distance() == V::Scalar::ZERO {
        let pair = BodyPair::new(a.shape, a.pose, b.shape, b.pose);
        return answer(pair, way, None, options, proof, watch);
    }
    let options = options.wide();
    let (posed_a, posed_b) = (Posed::new(a.shape, *a.pose), Posed::new(b.shape, *b.pose));
    let inflated = Inflated::new(&posed_b, options.distance());
    let here = Pose::identity();
    let pair = BodyPair::new(&posed_a, &here, &inflated, &here);
    let radii = Some([posed_b.radius(), options.distance()]);
    answer(pair, way.wide(), radii, &options, proof, watch).lift()
}

/// The answer on a pair in motion. `radii` are the two parts of the radius of the second body; `None` where it has but its own.
fn answer<V: Vector>(
    pair: BodyPair<'_, V>,
    way: Way<'_, V>,
    radii: Option<[f64; 2]>,
    options: &MotionOptions<V::Scalar>,
    proof: bool,
    watch: Watch<'_>,
) -> CastProof<V> {
    let (a, b) = (
        Posed::new(pair.a, *pair.pose_a),
        Posed::new(pair.b, *pair.pose_b),
    );
    let [own, distance] = radii.unwrap_or([b.radius(), 0.0]);
    let velocities = match way {
        Way::Straight(velocities) => velocities,
        // Those of the courses are in `f64`.
        Way::Turning(..) => [V::ZERO; 2],
    };
    let question = MotionQuestion {
        shot: Shot {
            pair,
            a: &a,
            b: &b,
            track: Track::of(velocities, options.max_time()),
            radii: [a.radius(), own, distance],
            watch,
        },
        options: *options,
        proof,
    };
    match way {
        Way::Straight(_) => question.answer(),
        Way::Turning(courses, limits) => ToiQuestion {
            question,
            courses,
            limits,
        }
        .answer(),
    }
}
