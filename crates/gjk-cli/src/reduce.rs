//! Shrinks a failing query line to a small one that still fails the same way.
//!
//! Where it sits: `gjk reduce` gives [`reduce`] a line and [`failure`], which names how a line fails; a test may give any
//! other predicate.
//! Idea: candidates are tried one at a time: fewer points, simpler shapes, no pose, shorter numbers. One is kept when it
//! fails by the same name and costs less, so that the search ends; the number of attempts is bounded as well.

use crate::answer;
use crate::convert::{self, Space};
use crate::expect;
use crate::fuzz::case::{Body, Case, Form, Placement};
use crate::fuzz::judge::{Asked, Judge, asking};
use crate::fuzz::{self, report};
use gjk::{Vec2, Vec3};
use gjk_scene::{Axis, BodySpec, ExpectSpec, PoseSpec, QuerySpec, ScalarKind, ShapeSpec};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How a line fails, and what is true of it where an oracle knows.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// Two failures of the same name are the same.
    pub name: String,
    /// The truth.
    pub expect: Option<ExpectSpec>,
}

/// A line that was shrunk.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The line.
    pub spec: QuerySpec,
    /// How it fails.
    pub failure: Failure,
    /// How many candidates were tried.
    pub attempts: usize,
}

/// Shrinks a line that fails; `None` when it does not.
pub fn reduce(
    spec: &QuerySpec,
    attempts_max: usize,
    fails: &mut dyn FnMut(&QuerySpec) -> Option<Failure>,
) -> Option<Reduced> {
    let failure = fails(spec)?;
    let mut best = Reduced {
        spec: spec.clone(),
        failure,
        attempts: 0,
    };
    loop {
        let before = cost(&best.spec);
        for pass in [fewer_points, simpler_shapes, simpler_poses, shorter_numbers] {
            let mut next = 0;
            // After a success the list is made anew, and goes on where it was.
            while let Some(candidate) = pass(&best.spec).into_iter().nth(next) {
                if best.attempts >= attempts_max {
                    return Some(best);
                }
                best.attempts += 1;
                match fails(&candidate) {
                    Some(failure)
                        if failure.name == best.failure.name
                            && cost(&candidate) < cost(&best.spec) =>
                    {
                        (best.spec, best.failure) = (candidate, failure);
                    }
                    _ => next += 1,
                }
            }
        }
        if cost(&best.spec) >= before {
            return Some(best);
        }
    }
}

/// What a line costs: points, then parts of poses, then bits of numbers.
fn cost(spec: &QuerySpec) -> u64 {
    let parts = |pose: &PoseSpec| {
        [
            pose.translation.is_some(),
            pose.rotation.is_some(),
            pose.rotation_matrix.is_some(),
            pose.scale.is_some(),
        ]
        .into_iter()
        .map(u64::from)
        .sum::<u64>()
    };
    let mut sum = 0;
    for body in [&spec.a, &spec.b] {
        sum += 10_000 * shape_cost(&body.shape)
            + 2_000 * body.pose.as_ref().map_or(0, |pose| 1 + parts(pose));
    }
    let mut spec = spec.clone();
    // The visitor never fails.
    let _ = spec.visit_numbers(&mut |x, _| {
        sum += number_cost(*x);
        Ok(())
    });
    sum
}

fn shape_cost(shape: &ShapeSpec) -> u64 {
    match shape {
        ShapeSpec::Convex { points } => 1 + points.len() as u64,
        ShapeSpec::Rounded { core, .. } => 1 + shape_cost(core),
        ShapeSpec::Sum { of } | ShapeSpec::HullOf { of } => {
            2 + of.iter().map(shape_cost).sum::<u64>()
        }
        _ => 1,
    }
}

/// Zero costs nothing; more bits and larger powers of two cost more.
fn number_cost(x: f64) -> u64 {
    if x == 0.0 {
        return u64::from(x.is_sign_negative());
    }
    let bits = x.to_bits() & ((1 << 52) - 1);
    let significant = 53 - u64::from((bits | 1 << 52).trailing_zeros());
    let power = x.abs().log2().floor().abs() as u64;
    2 + 4 * significant + power + u64::from(x < 0.0)
}

/// The same line with other bodies.
fn with(spec: &QuerySpec, second: bool, body: BodySpec) -> QuerySpec {
    let mut other = spec.clone();
    *(if second { &mut other.b } else { &mut other.a }) = body;
    other
}

/// Every way to change one body.
fn each_body(spec: &QuerySpec, change: impl Fn(&BodySpec) -> Vec<BodySpec>) -> Vec<QuerySpec> {
    let mut all = Vec::new();
    for second in [false, true] {
        let body = if second { &spec.b } else { &spec.a };
        all.extend(
            change(body)
                .into_iter()
                .map(|body| with(spec, second, body)),
        );
    }
    all
}

fn fewer_points(spec: &QuerySpec) -> Vec<QuerySpec> {
    fn fewer(shape: &ShapeSpec) -> Vec<ShapeSpec> {
        match shape {
            ShapeSpec::Convex { points } => {
                let n = points.len();
                let mut all = Vec::new();
                let mut len = n / 2;
                while len >= 1 {
                    for start in (0..n).step_by(len) {
                        let end = (start + len).min(n);
                        if end - start < n {
                            all.push([&points[..start], &points[end..]].concat());
                        }
                    }
                    len /= 2;
                }
                all.into_iter()
                    .map(|points| ShapeSpec::Convex { points })
                    .collect()
            }
            ShapeSpec::Rounded { core, radius } => fewer(core)
                .into_iter()
                .map(|core| ShapeSpec::Rounded {
                    core: Box::new(core),
                    radius: *radius,
                })
                .collect(),
            _ => Vec::new(),
        }
    }
    each_body(spec, |body| {
        fewer(&body.shape)
            .into_iter()
            .map(|shape| BodySpec {
                shape,
                pose: body.pose.clone(),
            })
            .collect()
    })
}

fn simpler_shapes(spec: &QuerySpec) -> Vec<QuerySpec> {
    let simpler = |shape: &ShapeSpec| -> Vec<ShapeSpec> {
        match shape {
            ShapeSpec::Rounded { core, .. } => vec![(**core).clone()],
            ShapeSpec::Sum { of } | ShapeSpec::HullOf { of } => of.clone(),
            _ => Vec::new(),
        }
    };
    each_body(spec, |body| {
        simpler(&body.shape)
            .into_iter()
            .map(|shape| BodySpec {
                shape,
                pose: body.pose.clone(),
            })
            .collect()
    })
}

fn simpler_poses(spec: &QuerySpec) -> Vec<QuerySpec> {
    each_body(spec, |body| {
        let Some(pose) = &body.pose else {
            return Vec::new();
        };
        let less = [
            None,
            Some(PoseSpec {
                translation: None,
                ..pose.clone()
            }),
            Some(PoseSpec {
                rotation: None,
                rotation_matrix: None,
                ..pose.clone()
            }),
            Some(PoseSpec {
                scale: None,
                ..pose.clone()
            }),
        ];
        let mut all: Vec<BodySpec> = less
            .into_iter()
            .map(|pose| BodySpec {
                shape: body.shape.clone(),
                pose,
            })
            .collect();
        all.extend(translated(body));
        all
    })
}

/// A hull with its translation added to its points.
fn translated(body: &BodySpec) -> Option<BodySpec> {
    let (ShapeSpec::Convex { points }, Some(pose)) = (&body.shape, &body.pose) else {
        return None;
    };
    let by = pose.translation.as_ref()?;
    if *pose
        != (PoseSpec {
            translation: Some(by.clone()),
            ..PoseSpec::default()
        })
    {
        return None;
    }
    let moved = points
        .iter()
        .map(|p| p.iter().zip(by).map(|(x, t)| x + t).collect())
        .collect();
    Some(BodySpec {
        shape: ShapeSpec::Convex { points: moved },
        pose: None,
    })
}

fn shorter_numbers(spec: &QuerySpec) -> Vec<QuerySpec> {
    let mut count = 0;
    let mut numbers = spec.clone();
    let mut largest = 0.0_f64;
    let _ = numbers.visit_numbers(&mut |x, _| {
        count += 1;
        largest = largest.max(x.abs());
        Ok(())
    });
    let changed = |which: Option<usize>, change: &dyn Fn(f64) -> f64| {
        let (mut other, mut at) = (spec.clone(), 0);
        let _ = other.visit_numbers(&mut |x, _| {
            if which.is_none_or(|which| which == at) {
                *x = change(*x);
            }
            at += 1;
            Ok(())
        });
        other
    };
    let mut all = Vec::new();
    if largest > 0.0 {
        let power = 2f64.powi(-(largest.log2().floor() as i32).clamp(-1000, 1000));
        all.extend([power, 0.5, 2.0].map(|factor| changed(None, &|x| x * factor)));
        all.extend([3, 6, 12, 24].map(|bits| changed(None, &|x| shortened(x, bits))));
        all.push(changed(None, &f64::round));
    }
    let each: [&dyn Fn(f64) -> f64; 7] = [
        &|_| 0.0,
        &|x| x.signum(),
        &f64::round,
        &|x| shortened(x, 3),
        &|x| shortened(x, 12),
        &|x| shortened(x, 24),
        &|x| x / 2.0,
    ];
    for at in 0..count {
        all.extend(each.iter().map(|change| changed(Some(at), change)));
    }
    all.retain(|other| other != spec);
    all
}

/// The number with at most this many significant bits.
fn shortened(x: f64, bits: i32) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    let drop = 53 - bits;
    let kept = (x.to_bits() >> drop) << drop;
    f64::from_bits(kept)
}

/// How a line fails: by a panic, before the oracles, or by its own expectation.
pub fn failure(spec: &QuerySpec) -> Option<Failure> {
    match (spec.dim, spec.scalar) {
        (2, ScalarKind::F32) => failure_in::<Vec2<f32>>(spec),
        (2, ScalarKind::F64) => failure_in::<Vec2<f64>>(spec),
        (_, ScalarKind::F32) => failure_in::<Vec3<f32>>(spec),
        (_, ScalarKind::F64) => failure_in::<Vec3<f64>>(spec),
    }
}

fn failure_in<V: Space>(spec: &QuerySpec) -> Option<Failure> {
    let space = fuzz::Space {
        dim: spec.dim,
        single: spec.scalar == ScalarKind::F32,
    };
    // What the fuzzer gives as raw points is a hull in a line: a failure of either counts.
    for raw in [false, true] {
        let Some(case) = case_of::<V>(spec, raw) else {
            continue;
        };
        let mut judge = Judge::default();
        let outcome = fuzz::judge_as(space, &case, Asked::ALL, &mut judge);
        if let Some(fault) = outcome.faults.first() {
            // Numbers change as the bodies shrink, words must not.
            let words = fault
                .message
                .split(|c: char| c.is_ascii_digit() || c == '[')
                .next()
                .unwrap_or_default();
            let name = format!(
                "{}: {}{}",
                fault.kind.name(),
                words.trim(),
                if raw { " (raw points)" } else { "" }
            );
            return Some(Failure {
                name,
                expect: report::expectation(judge.known()),
            });
        }
    }
    let asked = asking(|| catch_unwind(AssertUnwindSafe(|| answer::solve::<V>(spec, false))));
    let Ok(answered) = asked else {
        return Some(Failure {
            name: "panic".to_owned(),
            expect: None,
        });
    };
    let expected = spec.expect.as_ref()?;
    let failures = expect::failures(expected, &answered.ok()?);
    let first = failures.first()?;
    // A verdict must stay the same wrong one; numbers change as the bodies shrink.
    let name = if first.starts_with("expected verdict") {
        first.clone()
    } else {
        first.chars().take(24).collect()
    };
    Some(Failure {
        name,
        expect: spec.expect.clone(),
    })
}

/// The line as a case of the fuzzer; `None` for shapes that it does not have.
fn case_of<V: Space>(spec: &QuerySpec, raw: bool) -> Option<Case> {
    let mut case = Case {
        dim: spec.dim,
        single: spec.scalar == ScalarKind::F32,
        ..Case::default()
    };
    case.a = body_of::<V>(&spec.a, raw)?;
    case.b = body_of::<V>(&spec.b, raw)?;
    Some(case)
}

fn body_of<V: Space>(spec: &BodySpec, raw: bool) -> Option<Body> {
    // Numbers are rounded to the scalar, as the library will do.
    let full = |p: &Vec<f64>| -> [f64; 3] {
        V::from_f64(std::array::from_fn(|k| p.get(k).copied().unwrap_or(0.0))).to_f64()
    };
    let number = |x: f64| full(&vec![x])[0];
    let (core, mut radius) = match &spec.shape {
        ShapeSpec::Rounded { core, radius } => (&**core, number(*radius)),
        shape => (shape, 0.0),
    };
    let axis = |axis: &Axis| match axis {
        Axis::X => 0,
        Axis::Y => 1,
        Axis::Z => 2,
    };
    let mut form = if raw { Form::Cloud } else { Form::Hull };
    let points = match core {
        ShapeSpec::Point { point } => vec![full(point)],
        ShapeSpec::Segment { a, b } => vec![full(a), full(b)],
        ShapeSpec::Triangle { a, b, c } => vec![full(a), full(b), full(c)],
        ShapeSpec::Convex { points } => points.iter().map(full).collect(),
        ShapeSpec::Box { half_extents } => {
            let half = full(half_extents);
            form = if half_extents.contains(&0.0) {
                form
            } else {
                Form::Box(half)
            };
            let corner = |id: usize| {
                std::array::from_fn(|k| if id >> k & 1 == 1 { half[k] } else { -half[k] })
            };
            (0..1 << V::DIM).map(corner).collect()
        }
        ShapeSpec::Ball { radius: own } if radius == 0.0 => {
            radius = number(*own);
            vec![[0.0; 3]]
        }
        ShapeSpec::Capsule {
            half_height,
            radius: own,
            axis: along,
        } if radius == 0.0 => {
            radius = number(*own);
            let mut end = [0.0; 3];
            end[axis(along)] = number(*half_height);
            vec![end.map(|x| 0.0 - x), end]
        }
        _ => return None,
    };
    let pose = match &spec.pose {
        None => None,
        Some(pose) => {
            let pose = convert::pose::<V>(pose).ok()?;
            let mut columns = Placement::STRAIGHT;
            for (to, from) in columns.iter_mut().zip(pose.columns()) {
                *to = from.to_f64();
            }
            // Balls under other maps are no balls.
            (radius == 0.0 || columns == Placement::STRAIGHT)
                .then_some(())
                .map(|()| Placement {
                    columns,
                    translation: pose.translation().to_f64(),
                })
                .map(Some)?
        }
    };
    Some(Body {
        points,
        form,
        radius,
        pose,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gjk_scene::read_query_line;

    fn line(text: &str) -> QuerySpec {
        read_query_line(text.as_bytes(), 1).unwrap().query.unwrap()
    }

    const CROWD: &str = r#"{"a":{"shape":"convex","points":[[0.125,1.5,2],[3.0625,4,5],[7,8,9.7],[1,1,1],[2,5,1]],
        "pose":{"translation":[1,2,3]}},"b":{"shape":"ball","radius":1.2345}}"#;

    /// Fails as long as A has a point beyond 4 on the second axis.
    fn synthetic(spec: &QuerySpec) -> Option<Failure> {
        let ShapeSpec::Convex { points } = &spec.a.shape else {
            return None;
        };
        points.iter().any(|p| p[1] > 4.0).then(|| Failure {
            name: "synthetic".to_owned(),
            expect: None,
        })
    }

    #[test]
    fn one_point_of_short_numbers_is_left() {
        let reduced = reduce(&line(&CROWD.replace('\n', "")), 10_000, &mut synthetic).unwrap();
        let ShapeSpec::Convex { points } = &reduced.spec.a.shape else {
            panic!("not convex")
        };
        assert_eq!(points.len(), 1, "{:?}", reduced.spec);
        assert!(
            points[0][1] > 4.0 && points[0][0] == 0.0 && points[0][2] == 0.0,
            "{points:?}"
        );
        assert_eq!(reduced.spec.a.pose, None);
    }

    #[test]
    fn attempts_are_bounded() {
        let reduced = reduce(&line(&CROWD.replace('\n', "")), 3, &mut synthetic).unwrap();
        assert_eq!(reduced.attempts, 3);
        assert!(synthetic(&reduced.spec).is_some());
    }

    #[test]
    fn another_failure_is_not_taken() {
        // With fewer than three points it fails by another name.
        let mut named = |spec: &QuerySpec| {
            let ShapeSpec::Convex { points } = &spec.a.shape else {
                return None;
            };
            let name = if points.len() >= 3 { "many" } else { "few" };
            Some(Failure {
                name: name.to_owned(),
                expect: None,
            })
        };
        let reduced = reduce(&line(&CROWD.replace('\n', "")), 10_000, &mut named).unwrap();
        let ShapeSpec::Convex { points } = &reduced.spec.a.shape else {
            panic!("not convex")
        };
        assert_eq!((points.len(), reduced.failure.name.as_str()), (3, "many"));
    }

    #[test]
    fn what_does_not_fail_is_not_reduced() {
        assert!(reduce(&line(&CROWD.replace('\n', "")), 100, &mut failure).is_none());
    }
}
