//! The operations, by parry's public queries on `dyn Shape`; warm ones by the functions that take an initial direction.

use super::build::{DIM, pose, shape, wide};
use super::motion;
use super::parry::math::{Pose, Real, Vector};
use super::parry::query::details::{
    closest_points_support_map_support_map_with_params, contact_support_map_support_map_with_params,
};
use super::parry::query::gjk::{GJKResult, VoronoiSimplex};
use super::parry::query::{self, ClosestPoints, Contact};
use super::parry::shape::{Shape, SupportMap};
use bench_protocol::{Answer, Outcome, Times, Workload, measure, measure_build};

pub(super) type Posed<'a> = (&'a dyn Shape, Pose, &'a dyn Shape, Pose);

/// Shapes are of kinds that every query of parry supports with one another.
pub(super) const SUPPORTED: &str = "parry answers these shapes";
/// A distance of two meshes asks all triangles of one for the other's nearest: a set of more takes minutes.
const TRIANGLES_MAX: usize = 40_000;

pub(crate) fn run(workload: &Workload, op: &str, rounds: usize) -> Result<Outcome, String> {
    if workload.dim != DIM {
        return Err(format!("{DIM}D only"));
    }
    if op == "build" {
        return measure_build(rounds, workload, |built| {
            built.extend(workload.shapes.iter().map(shape));
            Ok(())
        });
    }
    let shapes = workload
        .shapes
        .iter()
        .map(shape)
        .collect::<Result<Vec<_>, _>>()?;
    let pairs = posed(workload, &shapes);
    Ok(match op {
        "bool" | "meet" => {
            let (times, all) = overlaps(&pairs, rounds);
            let said = |hit: query::ShapeIntersection| Answer {
                intersects: Some(hit.intersecting),
                ..Answer::default()
            };
            (times, all.into_iter().map(said).collect())
        }
        "surface-dist" if workload.triangles() > TRIANGLES_MAX => {
            return Err(format!(
                "more than {TRIANGLES_MAX} triangles: without a tree of both it takes seconds"
            ));
        }
        "dist" | "surface-dist" | "track-dist-cold" => {
            let (times, all) = nearest(&pairs, rounds, Real::MAX);
            (times, all.iter().map(of_points).collect())
        }
        "within" => {
            let (times, all) = nearest(&pairs, rounds, workload.within as Real);
            let said = |found: &ClosestPoints| Answer {
                intersects: Some(!matches!(found, ClosestPoints::Disjoint)),
                ..Answer::default()
            };
            (times, all.iter().map(said).collect())
        }
        "pen" | "track-pen-cold" => {
            let (times, all) = contacts(&pairs, rounds);
            (times, all.iter().map(of_contact).collect())
        }
        "track-dist-warm" => warm(&pairs, rounds, |pose, a, b, far, simplex, direction| {
            closest_points_support_map_support_map_with_params(pose, a, b, far, simplex, direction)
        })?,
        "track-pen-warm" => warm(&pairs, rounds, |pose, a, b, far, simplex, direction| {
            contact_support_map_support_map_with_params(pose, a, b, far, simplex, direction)
        })?,
        _ => motion::run(workload, &pairs, op, rounds)?,
    })
}

fn posed<'s>(workload: &Workload, shapes: &'s [Box<dyn Shape>]) -> Vec<Posed<'s>> {
    let pairs = workload.pairs.iter().map(|pair| {
        let [a, b] = pair.shapes.map(|id| &*shapes[id]);
        (a, pose(&pair.places[0]), b, pose(&pair.places[1]))
    });
    pairs.collect()
}

/// Whether each pair intersects.
fn overlaps(pairs: &[Posed<'_>], rounds: usize) -> (Times, Vec<query::ShapeIntersection>) {
    measure(rounds, pairs.len(), |results| {
        let found = pairs
            .iter()
            .map(|(a, pa, b, pb)| query::intersection_test(pa, *a, pb, *b));
        results.extend(found.map(|hit| hit.expect(SUPPORTED)));
    })
}

/// The contact of each pair that has one.
fn contacts(pairs: &[Posed<'_>], rounds: usize) -> (Times, Vec<Option<Contact>>) {
    measure(rounds, pairs.len(), |results| {
        let found = pairs
            .iter()
            .map(|(a, pa, b, pb)| query::contact(pa, *a, pb, *b, 0.0));
        results.extend(found.map(|contact| contact.expect(SUPPORTED)));
    })
}

/// The nearest points of each pair, where they are within a margin.
fn nearest(pairs: &[Posed<'_>], rounds: usize, margin: Real) -> (Times, Vec<ClosestPoints>) {
    measure(rounds, pairs.len(), |results| {
        let found = pairs
            .iter()
            .map(|(a, pa, b, pb)| query::closest_points(pa, *a, pb, *b, margin));
        results.extend(found.map(|near| near.expect(SUPPORTED)));
    })
}

/// The functions with an initial direction: two supports, how far to look, a simplex, the direction.
type FromDirection = fn(
    &Pose,
    &dyn SupportMap,
    &dyn SupportMap,
    Real,
    &mut VoronoiSimplex,
    Option<Vector>,
) -> GJKResult;

/// A track whose steps begin at the direction that the step before ended with, which is all that parry lets a caller keep.
fn warm(pairs: &[Posed<'_>], rounds: usize, query: FromDirection) -> Result<Outcome, String> {
    let supports = pairs
        .iter()
        .map(|(a, _, b, _)| a.as_support_map().zip(b.as_support_map()));
    let supports: Vec<_> = supports.collect::<Option<_>>().ok_or("no support map")?;
    let (times, all) = measure(rounds, pairs.len(), |results| {
        let (mut simplex, mut direction) = (VoronoiSimplex::new(), None);
        results.extend(pairs.iter().zip(&supports).map(|((_, pa, _, pb), (a, b))| {
            let found = query(&pa.inv_mul(pb), *a, *b, Real::MAX, &mut simplex, direction);
            let GJKResult::ClosestPoints(p, q, normal) = found else {
                return None;
            };
            direction = Some(normal);
            Some((
                pa.transform_point(p),
                pa.transform_point(q),
                pa.rotation * normal,
            ))
        }));
    });
    let said = |&(p, q, normal): &(Vector, Vector, Vector)| {
        let value = f64::from((q - p).dot(normal));
        let points = Some([wide(p), wide(q)]);
        Answer {
            intersects: Some(value <= 0.0),
            value: Some(value),
            normal: Some(wide(normal)),
            points,
            ..Answer::default()
        }
    };
    Ok((
        times,
        all.iter()
            .map(|found| found.as_ref().map_or_else(Answer::default, said))
            .collect(),
    ))
}

fn of_points(found: &ClosestPoints) -> Answer {
    match found {
        ClosestPoints::Intersecting => Answer {
            intersects: Some(true),
            value: Some(0.0),
            ..Answer::default()
        },
        ClosestPoints::WithinMargin(p, q) => {
            // The same subtraction in parry's own scalar that `query::distance` would do.
            let value = f64::from((*q - *p).length());
            Answer {
                intersects: Some(false),
                value: Some(value),
                points: Some([wide(*p), wide(*q)]),
                ..Answer::default()
            }
        }
        ClosestPoints::Disjoint => Answer {
            intersects: Some(false),
            ..Answer::default()
        },
    }
}

fn of_contact(found: &Option<Contact>) -> Answer {
    let Some(contact) = found else {
        return Answer {
            intersects: Some(false),
            ..Answer::default()
        };
    };
    Answer {
        intersects: Some(contact.dist <= 0.0),
        value: Some(f64::from(contact.dist)),
        normal: Some(wide(contact.normal1)),
        points: Some([wide(contact.point1), wide(contact.point2)]),
        ..Answer::default()
    }
}
