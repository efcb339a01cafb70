//! How a query line fails: by a panic, before the oracles, or by its own expectation.
//!
//! Where it sits: `gjk reduce` shrinks a line as long as [`failure`] names the same failure.

use crate::case::{Body, Case, Form, Placement};
use crate::judge::{Asked, Judge, asking};
use crate::reduce::Failure;
use crate::{Space as Situation, judge_as, report};
use gjk::{Vec2, Vec3};
use gjk_query::convert::{self, Space};
use gjk_query::{answer, expect};
use gjk_scene::{Axis, BodySpec, QuerySpec, ScalarKind, ShapeSpec};
use std::panic::{AssertUnwindSafe, catch_unwind};

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
    let space = Situation {
        dim: spec.dim,
        single: spec.scalar == ScalarKind::F32,
    };
    // What the fuzzer gives as raw points is a hull in a line: a failure of either counts.
    for raw in [false, true] {
        let Some(case) = case_of::<V>(spec, raw) else {
            continue;
        };
        let mut judge = Judge::default();
        let outcome = judge_as(space, &case, Asked::ALL, &mut judge);
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

/// The body of a line; `None` for shapes that the fuzzer does not have.
fn body_of<V: Space>(spec: &BodySpec, raw: bool) -> Option<Body> {
    let (core, radius) = match &spec.shape {
        ShapeSpec::Rounded { core, radius } => (&**core, rounded::<V>(&[*radius])[0]),
        shape => (shape, 0.0),
    };
    let hull = if raw { Form::Cloud } else { Form::Hull };
    let body = core_of::<V>(core, hull, radius)?;
    let Some(pose) = &spec.pose else {
        return Some(body);
    };
    let pose = convert::pose::<V>(pose).ok()?;
    let mut columns = Placement::STRAIGHT;
    for (to, from) in columns.iter_mut().zip(pose.columns()) {
        *to = from.to_f64();
    }
    // Balls under other maps are no balls.
    (body.radius == 0.0 || columns == Placement::STRAIGHT).then(|| Body {
        pose: Some(Placement {
            columns,
            translation: pose.translation().to_f64(),
        }),
        ..body
    })
}

/// Numbers rounded to the scalar, as the library will do, and zeros for those that are missing.
fn rounded<V: Space>(numbers: &[f64]) -> [f64; 3] {
    V::from_f64(std::array::from_fn(|k| {
        numbers.get(k).copied().unwrap_or(0.0)
    }))
    .to_f64()
}

/// A core of this radius without its pose. Balls and capsules have a radius of their own and take no other.
fn core_of<V: Space>(core: &ShapeSpec, hull: Form, radius: f64) -> Option<Body> {
    let point = |numbers: &Vec<f64>| rounded::<V>(numbers);
    let (points, form, radius) = match core {
        ShapeSpec::Point { point: at } => (vec![point(at)], hull, radius),
        ShapeSpec::Segment { a, b } => (vec![point(a), point(b)], hull, radius),
        ShapeSpec::Triangle { a, b, c } => (vec![point(a), point(b), point(c)], hull, radius),
        ShapeSpec::Convex { points } => (points.iter().map(point).collect(), hull, radius),
        ShapeSpec::Box { half_extents } => {
            let half = point(half_extents);
            let flat = half_extents.contains(&0.0);
            let form = if flat { hull } else { Form::Box(half) };
            let corner = |id: usize| {
                std::array::from_fn(|k| if id >> k & 1 == 1 { half[k] } else { -half[k] })
            };
            ((0..1 << V::DIM).map(corner).collect(), form, radius)
        }
        ShapeSpec::Ball { radius: own } if radius == 0.0 => {
            (vec![[0.0; 3]], hull, rounded::<V>(&[*own])[0])
        }
        ShapeSpec::Capsule {
            half_height,
            radius: own,
            axis,
        } if radius == 0.0 => {
            let mut end = [0.0; 3];
            end[axis_index(*axis)] = rounded::<V>(&[*half_height])[0];
            let ends = vec![end.map(|x| 0.0 - x), end];
            (ends, hull, rounded::<V>(&[*own])[0])
        }
        _ => return None,
    };
    Some(Body {
        points,
        form,
        radius,
        pose: None,
    })
}

fn axis_index(axis: Axis) -> usize {
    match axis {
        Axis::X => 0,
        Axis::Y => 1,
        Axis::Z => 2,
    }
}
