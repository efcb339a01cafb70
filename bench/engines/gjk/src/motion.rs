//! `ray`, `cast`, `cast-bool`, `toi`, `manifold` with its tracks, and `gradient`, with the default options.
//!
//! The end of a motion and the prediction of a manifold are part of the question. Outside the clock are the rays, velocities and
//! twists in the library's types, as poses are.

use crate::answers::{of_verdict, wide};
use crate::questions::{Questions, Space};
use bench_protocol::{Answer, Outcome, PointPairs, Workload, measure};
use gjk::query::{
    self, CastAnswer, Gradient, Interval, Manifold, ManifoldCache, ManifoldOptions, Meeting,
    MotionOptions, Ray, ToiOptions, Twist,
};
use gjk::{Scalar, Vector};

/// The operations.
pub const OPS: &[&str] = &[
    "ray",
    "cast",
    "cast-bool",
    "toi",
    "manifold",
    "track-manifold-cold",
    "track-manifold-warm",
    "gradient",
];

/// Answers one of [`OPS`].
pub fn run<V: Space>(
    workload: &Workload,
    questions: &Questions<V>,
    op: &str,
    rounds: usize,
) -> Result<Outcome, String> {
    let moves = workload.moves.len() == workload.pairs.len();
    if !moves && ["ray", "cast", "cast-bool", "toi"].contains(&op) {
        return Err("nothing moves".into());
    }
    let prediction = V::Scalar::from_f64(workload.within);
    let options = ManifoldOptions::default().with_prediction(prediction);
    Ok(match op {
        "ray" => rays(workload, questions, rounds)?,
        "cast" => casts(workload, questions, rounds)?,
        "cast-bool" => {
            let (times, answers) = casts(workload, questions, rounds)?;
            (times, answers.iter().map(verdict_alone).collect())
        }
        "toi" => impacts(workload, questions, rounds)?,
        "manifold" | "track-manifold-cold" => manifolds(questions, rounds, &options),
        "track-manifold-warm" => kept_manifolds(questions, rounds, &options),
        _ => gradients(questions, rounds),
    })
}

/// All motions last a unit of time.
fn unit_of_time<S: Scalar>() -> Result<MotionOptions<S>, String> {
    let options = MotionOptions::default().with_max_time(S::ONE);
    options.map_err(|why| why.to_string())
}

fn rays<V: Space>(
    workload: &Workload,
    questions: &Questions<V>,
    rounds: usize,
) -> Result<Outcome, String> {
    let options = unit_of_time()?;
    let each = workload.pairs.iter().zip(&workload.moves);
    let rays = each.map(|(pair, moves)| {
        let origin = V::from_f64(pair.places[1].translation);
        Ray::new(origin, V::from_f64(moves[1].linear)).map_err(|why| why.to_string())
    });
    let rays: Vec<Ray<V>> = rays.collect::<Result<_, _>>()?;
    let (times, all) = measure(rounds, rays.len(), |results| {
        let each = questions.each().zip(&rays);
        results.extend(each.map(|((body, pose, ..), ray)| query::ray(body, pose, ray, &options)));
    });
    Ok((times, all.iter().map(of_motion).collect()))
}

fn casts<V: Space>(
    workload: &Workload,
    questions: &Questions<V>,
    rounds: usize,
) -> Result<Outcome, String> {
    let options = unit_of_time()?;
    let velocities = workload.moves.iter();
    let velocities = velocities.map(|moves| [0, 1].map(|k| V::from_f64(moves[k].linear)));
    let velocities: Vec<[V; 2]> = velocities.collect();
    let (times, all) = measure(rounds, velocities.len(), |results| {
        let each = questions.each().zip(&velocities);
        let found =
            each.map(|((a, pa, b, pb), &[va, vb])| query::cast(a, pa, va, b, pb, vb, &options));
        results.extend(found);
    });
    Ok((times, all.iter().map(of_motion).collect()))
}

fn impacts<V: Space>(
    workload: &Workload,
    questions: &Questions<V>,
    rounds: usize,
) -> Result<Outcome, String> {
    let options = ToiOptions::default();
    let twist = |motion: &bench_protocol::Move| {
        let angular = motion.angular.map(V::Scalar::from_f64);
        Twist::new(V::from_f64(motion.linear), angular, V::ZERO).map_err(|why| why.to_string())
    };
    let moves = workload.moves.iter();
    let twists = moves.map(|[a, b]| Ok([twist(a)?, twist(b)?]));
    let twists: Vec<[Twist<V>; 2]> = twists.collect::<Result<_, String>>()?;
    let (times, all) = measure(rounds, twists.len(), |results| {
        let each = questions.each().zip(&twists);
        let found =
            each.map(|((a, pa, b, pb), [ta, tb])| query::toi(a, pa, ta, b, pb, tb, &options));
        results.extend(found);
    });
    Ok((times, all.iter().map(of_motion).collect()))
}

fn manifolds<V: Space>(
    questions: &Questions<V>,
    rounds: usize,
    options: &ManifoldOptions<V::Scalar>,
) -> Outcome {
    let (times, all) = measure(rounds, questions.pairs.len(), |results| {
        let each = questions.each();
        results.extend(each.map(|(a, pa, b, pb)| query::manifold(a, pa, b, pb, options)));
    });
    (times, all.iter().map(of_manifold).collect())
}

/// What the library lets a caller keep is a value for each point's name, an impulse here, and what it uses again itself.
fn kept_manifolds<V: Space>(
    questions: &Questions<V>,
    rounds: usize,
    options: &ManifoldOptions<V::Scalar>,
) -> Outcome {
    let (times, all) = measure(rounds, questions.pairs.len(), |results| {
        let mut cache: ManifoldCache<f64> = ManifoldCache::default();
        results.extend(questions.each().map(|(a, pa, b, pb)| {
            let found = query::manifold_warm(a, pa, b, pb, options, &mut cache);
            cache.matched(&found, || 0.0);
            found
        }));
        std::hint::black_box(cache.values());
    });
    (times, all.iter().map(of_manifold).collect())
}

fn gradients<V: Space>(questions: &Questions<V>, rounds: usize) -> Outcome {
    let (times, all) = measure(rounds, questions.pairs.len(), |results| {
        let each = questions.each();
        results.extend(each.map(|(a, pa, b, pb)| query::gradient(a, pa, b, pb)));
    });
    (times, all.iter().map(of_gradient).collect())
}

fn middle<S: Scalar>(interval: Interval<S>) -> f64 {
    0.5 * (interval.lower.to_f64() + interval.upper.to_f64())
}

fn verdict_alone(answer: &Answer) -> Answer {
    Answer {
        intersects: answer.intersects,
        ..Answer::default()
    }
}

fn of_motion<V: Vector>(found: &CastAnswer<V>) -> Answer {
    let meets = match found.verdict {
        Meeting::Free => Some(false),
        Meeting::Undecided => None,
        _ => Some(true),
    };
    let time = found.time.filter(|_| meets == Some(true));
    Answer {
        intersects: meets,
        value: time.map(middle),
        normal: found.normal.map(wide),
        points: found
            .point_a
            .zip(found.point_b)
            .map(|(a, b)| [wide(a), wide(b)]),
        interval: time.map(|time| [time.lower.to_f64(), time.upper.to_f64()]),
        ..Answer::default()
    }
}

fn of_manifold<V: Vector>(found: &Manifold<V>) -> Answer {
    let mut manifold = PointPairs::default();
    let points = || found.points.iter();
    points().for_each(|p| manifold.push([wide(p.point_a), wide(p.point_b)]));
    Answer {
        intersects: Some(!found.points.is_empty()),
        value: points().map(|p| middle(p.separation)).reduce(f64::min),
        normal: Some(wide(found.contact.normal)),
        manifold,
        ..Answer::default()
    }
}

/// The normal is the gradient by B's translation; the two "points" are those by turns of A and of B.
fn of_gradient<V: Vector>(found: &Gradient<V>) -> Answer {
    let turn = |angular: [V::Scalar; 3]| angular.map(Scalar::to_f64);
    Answer {
        intersects: of_verdict(found.contact.verdict),
        value: Some(middle(found.contact.signed_distance)),
        normal: Some(wide(found.b.linear)),
        points: Some([turn(found.a.angular), turn(found.b.angular)]),
        ..Answer::default()
    }
}
