//! Shrinks a failing query line to a small one that still fails the same way.
//!
//! Where it sits: `gjk reduce` gives [`reduce`] a line and [`failure`], which names how a line fails; a test may give any
//! other predicate.
//! Idea: candidates are tried one at a time: fewer points, simpler shapes, no pose, shorter numbers. One is kept when it
//! fails by the same name and costs less, so that the search ends; the number of attempts is bounded as well.

pub use crate::failing::failure;
use gjk_scene::{BodySpec, ExpectSpec, PoseSpec, QuerySpec, ShapeSpec};

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
