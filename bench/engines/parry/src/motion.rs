//! Bodies that move, and manifolds, by parry's public queries on `dyn Shape`.

use super::build::{from_triple, pose, turn_rate, wide};
use super::parry::math::{Pose, Real, Vector};
use super::parry::query::{
    ContactManifold, DefaultQueryDispatcher, NonlinearRigidMotion, PersistentQueryDispatcher, Ray,
    RayIntersection, ShapeCastHit, ShapeCastOptions, cast_shapes, cast_shapes_nonlinear,
};
use super::queries::{Posed, SUPPORTED};
use bench_protocol::{Answer, Outcome, POINT_PAIRS_MAX, Place, PointPairs, Workload, measure};

pub(super) fn run(
    workload: &Workload,
    pairs: &[Posed<'_>],
    op: &str,
    rounds: usize,
) -> Result<Outcome, String> {
    let moves = workload.moves.len() == pairs.len();
    let prediction = workload.within as Real;
    Ok(match op {
        "manifold" | "track-manifold-cold" => manifolds(pairs, prediction, rounds, false),
        "track-manifold-warm" => manifolds(pairs, prediction, rounds, true),
        _ if !moves => return Err("nothing moves".into()),
        "ray" => rays(workload, pairs, rounds),
        "cast" | "cast-bool" => casts(workload, pairs, rounds, op == "cast"),
        "toi" => impacts(workload, pairs, rounds),
        _ => return Err("no such operation".into()),
    })
}

/// A body is solid, and the ray a unit of time long.
fn rays(workload: &Workload, pairs: &[Posed<'_>], rounds: usize) -> Outcome {
    let each = workload.pairs.iter().zip(&workload.moves);
    let rays = each.map(|(pair, moves)| {
        let origin = from_triple(pair.places[1].translation);
        Ray::new(origin, from_triple(moves[1].linear))
    });
    let rays: Vec<Ray> = rays.collect();
    let (times, all) = measure(rounds, pairs.len(), |results| {
        let each = pairs.iter().zip(&rays);
        let found =
            each.map(|((body, pose, ..), ray)| body.cast_ray_and_get_normal(pose, ray, 1.0, true));
        results.extend(found);
    });
    let said = |found: &Option<RayIntersection>| Answer {
        intersects: Some(found.is_some()),
        value: found.map(|hit| f64::from(hit.time_of_impact)),
        normal: found.map(|hit| wide(hit.normal)),
        ..Answer::default()
    };
    (times, all.iter().map(said).collect())
}

fn casts(workload: &Workload, pairs: &[Posed<'_>], rounds: usize, timed: bool) -> Outcome {
    let velocities = workload.moves.iter();
    let velocities = velocities.map(|moves| [0, 1].map(|k| from_triple(moves[k].linear)));
    let velocities: Vec<[Vector; 2]> = velocities.collect();
    let (times, all) = measure(rounds, pairs.len(), |results| {
        let each = pairs.iter().zip(&velocities);
        let found = each.map(|((a, pa, b, pb), &[va, vb])| {
            let options = ShapeCastOptions::with_max_time_of_impact(1.0);
            cast_shapes(pa, va, *a, pb, vb, *b, options).expect(SUPPORTED)
        });
        results.extend(found);
    });
    let said = |(at, found): (usize, &Option<ShapeCastHit>)| {
        if timed {
            of_hit(workload, at, found)
        } else {
            verdict_alone(found)
        }
    };
    (times, all.iter().enumerate().map(said).collect())
}

/// The bodies' own origins move and turn.
fn motion(place: &Place, motion: &bench_protocol::Move) -> NonlinearRigidMotion {
    let (linear, angular) = (from_triple(motion.linear), turn_rate(motion.angular));
    NonlinearRigidMotion::new(pose(place), Vector::ZERO, linear, angular)
}

fn motions(workload: &Workload) -> impl Iterator<Item = [NonlinearRigidMotion; 2]> {
    let each = workload.pairs.iter().zip(&workload.moves);
    each.map(|(pair, moves)| [0, 1].map(|k| motion(&pair.places[k], &moves[k])))
}

fn impacts(workload: &Workload, pairs: &[Posed<'_>], rounds: usize) -> Outcome {
    let moved: Vec<[NonlinearRigidMotion; 2]> = motions(workload).collect();
    let (times, all) = measure(rounds, pairs.len(), |results| {
        let each = pairs.iter().zip(&moved);
        let found = each.map(|((a, _, b, _), [ma, mb])| {
            cast_shapes_nonlinear(ma, *a, mb, *b, 0.0, 1.0, true).expect(SUPPORTED)
        });
        results.extend(found);
    });
    let answers = all.iter().enumerate();
    (
        times,
        answers
            .map(|(at, found)| of_hit(workload, at, found))
            .collect(),
    )
}

fn verdict_alone(found: &Option<ShapeCastHit>) -> Answer {
    Answer {
        intersects: Some(found.is_some()),
        ..Answer::default()
    }
}

/// Witnesses and normals are in the frames of the bodies, which are where the time has them.
fn of_hit(workload: &Workload, at: usize, found: &Option<ShapeCastHit>) -> Answer {
    let Some(hit) = found else {
        return verdict_alone(found);
    };
    let (pair, moves) = (&workload.pairs[at], &workload.moves[at]);
    let posed = |k: usize| motion(&pair.places[k], &moves[k]).position_at_time(hit.time_of_impact);
    let (a, b) = (posed(0), posed(1));
    let (on_a, on_b) = (
        a.transform_point(hit.witness1),
        b.transform_point(hit.witness2),
    );
    Answer {
        intersects: Some(true),
        value: Some(f64::from(hit.time_of_impact)),
        normal: Some(wide(a.rotation * hit.normal1)),
        points: Some([wide(on_a), wide(on_b)]),
        ..Answer::default()
    }
}

/// The points of a manifold, in the frames of the bodies, and the normal in A's.
#[derive(Clone, Copy)]
struct Bearing {
    normal: Vector,
    points: [(Vector, Vector, Real); POINT_PAIRS_MAX],
    count: usize,
}

impl Bearing {
    fn new(manifold: &ContactManifold<(), ()>) -> Self {
        let mut points = [(Vector::ZERO, Vector::ZERO, 0.0); POINT_PAIRS_MAX];
        for (slot, point) in points.iter_mut().zip(&manifold.points) {
            *slot = (point.local_p1, point.local_p2, point.dist);
        }
        Self {
            normal: manifold.local_n1,
            points,
            count: manifold.points.len().min(POINT_PAIRS_MAX),
        }
    }
}

/// A manifold is a new one for each pair, or one that is kept along a track.
fn manifolds(pairs: &[Posed<'_>], prediction: Real, rounds: usize, keep: bool) -> Outcome {
    let mut kept = ContactManifold::<(), ()>::new();
    let (times, all) = measure(rounds, pairs.len(), |results| {
        kept = ContactManifold::new();
        results.extend(pairs.iter().map(|(a, pa, b, pb)| {
            if !keep {
                kept.clear();
            }
            let relative = pa.inv_mul(pb);
            DefaultQueryDispatcher
                .contact_manifold_convex_convex(
                    &relative, *a, *b, None, None, prediction, &mut kept,
                )
                .expect(SUPPORTED);
            Bearing::new(&kept)
        }));
    });
    let each = pairs.iter().zip(&all);
    (
        times,
        each.map(|((_, pa, _, pb), found)| of_manifold(pa, pb, found))
            .collect(),
    )
}

fn of_manifold(pa: &Pose, pb: &Pose, found: &Bearing) -> Answer {
    let mut manifold = PointPairs::default();
    let points = &found.points[..found.count];
    for (p, q, _) in points {
        manifold.push([wide(pa.transform_point(*p)), wide(pb.transform_point(*q))]);
    }
    Answer {
        intersects: Some(!points.is_empty()),
        value: points.iter().map(|p| f64::from(p.2)).reduce(f64::min),
        normal: Some(wide(pa.rotation * found.normal)).filter(|_| !points.is_empty()),
        manifold,
        ..Answer::default()
    }
}
