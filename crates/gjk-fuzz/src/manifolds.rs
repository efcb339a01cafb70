//! Contact manifolds: pairs that rest on each other, judged by clipping, by the checker and by laws.
//!
//! Where it sits: `gjk fuzz --family manifolds`. A case is a query line of another kind than a pair's, and has its own counts, as motions have.
//! Idea: what a manifold says of itself is checked on the bodies' own points (`verify_manifold`, and here points, ids and emptiness once more); its area
//! against a polygon that is found by all planes and clipped (`oracle.rs`); and other questions must have the same answer (`laws.rs`): exchanged bodies, a
//! quarter turn, a power of two, other numbers of the vertices, a motion of 1e-9, a warm query.

mod generate;
mod laws;
mod oracle;

use crate::case::{Body, Fuzzed};
use crate::{Rng, Space};
use gjk::math::Scalar;
use gjk::query::{Manifold, ManifoldOptions, manifold};
use gjk::verify::verify_manifold;
use gjk::{Pose, Vec2, Vec3, Vector};
use gjk_query::convert::Space as QuerySpace;
use gjk_scene::{ManifoldQuerySpec, ScalarKind};
use oracle::{ExpectedPolygon, Gauge, area_of};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

/// The name of the family.
pub const MANIFOLD_FAMILY: &str = "manifolds";

/// What it is, in the words of `gjk fuzz --list`.
pub const MANIFOLD_FAMILY_ABOUT: &str = "bodies that rest on each other: equal, larger and smaller faces, level, turned and tilted by 1e-15 to 1e-2, sides on one line, caps of 64 corners, ridges, corners, points twice and in any order";

/// How many wrong cases of a run are kept.
const FINDS_KEPT: usize = 20;

/// Cases that one thread does in one go.
const CHUNK: u64 = 256;

/// What a corner may be off, in roundings of the scalar a unit of the largest coordinate: the number of docs/tolerances.md.
const JUDGED_CORNER_ROUNDINGS: f64 = 64.0;

/// What is surely more: what is between this and nothing is not judged.
const CLEAR_ROUNDINGS: f64 = 4096.0;

/// Four points keep this part of the area.
const KEPT_PART: f64 = 0.5;

/// Two bodies, and up to which separation points are wanted.
pub(crate) struct ManifoldCase {
    pub(crate) bodies: [Body; 2],
    pub(crate) prediction: f64,
}

/// The bodies of a case as the library takes them.
pub(crate) struct AskedPair<V: Vector> {
    shapes: [Fuzzed<V>; 2],
    poses: [Pose<V>; 2],
}

impl<V: QuerySpace> AskedPair<V> {
    /// `None` for bodies that the library refuses.
    fn of(bodies: &[Body; 2]) -> Option<Self> {
        let [a, b] = bodies;
        Some(Self {
            shapes: [a.shape::<V>()?, b.shape::<V>()?],
            poses: [a.library_pose(), b.library_pose()],
        })
    }

    fn ask(&self, options: &ManifoldOptions<V::Scalar>) -> Manifold<V> {
        let ([a, b], [pose_a, pose_b]) = (&self.shapes, &self.poses);
        manifold(a, pose_a, b, pose_b, options)
    }
}

/// What was counted.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ManifoldTally {
    /// Cases.
    pub cases: u64,
    /// Points of all of them.
    pub points: u64,
    /// By the name of what bears; `none` where there is no point.
    pub kinds: BTreeMap<&'static str, u64>,
    /// Areas that were compared to the clipped polygon.
    pub judged: u64,
    /// Motions of 1e-9 that were to change no name.
    pub moved: u64,
    /// Cases with anything wrong.
    pub wrong: u64,
    /// Panics, which are wrong too.
    pub panics: u64,
    /// Nanoseconds of the answers, and of judging.
    pub nanoseconds: [u64; 2],
    /// The first wrong cases.
    #[serde(skip)]
    pub finds: Vec<ManifoldFind>,
}

/// A wrong case.
#[derive(Clone, Debug)]
pub struct ManifoldFind {
    /// What is wrong.
    pub message: String,
    /// The case as a query line.
    pub spec: ManifoldQuerySpec,
}

impl ManifoldTally {
    fn merged(mut self, other: Self) -> Self {
        for (name, count) in other.kinds {
            *self.kinds.entry(name).or_default() += count;
        }
        self.cases += other.cases;
        self.points += other.points;
        self.judged += other.judged;
        self.moved += other.moved;
        self.wrong += other.wrong;
        self.panics += other.panics;
        for (to, from) in self.nanoseconds.iter_mut().zip(other.nanoseconds) {
            *to += from;
        }
        let room = FINDS_KEPT.saturating_sub(self.finds.len());
        self.finds.extend(other.finds.into_iter().take(room));
        self
    }
}

/// Runs cases of one space on the current thread pool; `progress` is told how many are done.
pub fn run(
    space: Space,
    seed: u64,
    from: u64,
    cases: u64,
    progress: impl Fn(u64) + Sync,
) -> ManifoldTally {
    let chunks = cases.div_ceil(CHUNK);
    let tallies: Vec<ManifoldTally> = (0..chunks)
        .into_par_iter()
        .map(|chunk| {
            let first = from + chunk * CHUNK;
            let count = CHUNK.min(from + cases - first);
            let mut tally = ManifoldTally::default();
            for number in first..first + count {
                let kind = u64::from(space.single) + 2 * space.dim as u64;
                let mut rng = Rng::of_case(seed, MANIFOLD_FAMILY, kind, number);
                let case = generate::case(&mut rng, space, number);
                judge(space, &case, number, &mut tally);
            }
            progress(count);
            tally
        })
        .collect();
    tallies
        .into_iter()
        .fold(ManifoldTally::default(), ManifoldTally::merged)
}

fn judge(space: Space, case: &ManifoldCase, number: u64, tally: &mut ManifoldTally) {
    let outcome = catch_unwind(AssertUnwindSafe(|| match (space.dim, space.single) {
        (2, true) => examine::<Vec2<f32>>(case, tally),
        (2, false) => examine::<Vec2<f64>>(case, tally),
        (_, true) => examine::<Vec3<f32>>(case, tally),
        (_, false) => examine::<Vec3<f64>>(case, tally),
    }));
    tally.cases += 1;
    let message = match outcome {
        Ok(Ok(())) => return,
        Ok(Err(message)) => message,
        Err(_) => {
            tally.panics += 1;
            "a panic".to_owned()
        }
    };
    tally.wrong += 1;
    if tally.finds.len() < FINDS_KEPT {
        let spec = spec(space, case, number, &message);
        tally.finds.push(ManifoldFind { message, spec });
    }
}

/// Asks and judges a case.
fn examine<V: QuerySpace>(case: &ManifoldCase, tally: &mut ManifoldTally) -> Result<(), String> {
    let Some(pair) = AskedPair::<V>::of(&case.bodies) else {
        return Ok(());
    };
    let few = ManifoldOptions::default().with_prediction(V::Scalar::from_f64(case.prediction));
    let start = Instant::now();
    let found = pair.ask(&few.with_all_points());
    tally.nanoseconds[0] += start.elapsed().as_nanos() as u64;
    let start = Instant::now();
    let kind = if found.points.is_empty() {
        "none"
    } else {
        found.kind.name()
    };
    *tally.kinds.entry(kind).or_default() += 1;
    tally.points += found.points.len() as u64;
    let judged = stated(&pair, &few, &found).and_then(|()| {
        let (gauge, expected) = expected(case, &found);
        area_is_right(&pair, &few, &found, &gauge, &expected, tally)?;
        laws::hold(case, &pair, &few, &found, &gauge, &expected, tally)
    });
    tally.nanoseconds[1] += start.elapsed().as_nanos() as u64;
    judged
}

/// What the checker says, and what needs no body: emptiness and different ids.
fn stated<V: QuerySpace>(
    pair: &AskedPair<V>,
    options: &ManifoldOptions<V::Scalar>,
    found: &Manifold<V>,
) -> Result<(), String> {
    let ([a, b], [pose_a, pose_b]) = (&pair.shapes, &pair.poses);
    let all = options.with_all_points();
    verify_manifold(a, pose_a, b, pose_b, &all, found).map_err(|error| error.to_string())?;
    if found.points.is_empty() != (found.contact.signed_distance.lower > options.prediction()) {
        return Err("points are there where they are not wanted, or not where they are".to_owned());
    }
    let mut ids: Vec<u64> = found.points.iter().map(|point| point.id).collect();
    ids.sort_unstable();
    ids.dedup();
    if ids.len() != found.points.len() || !found.complete {
        return Err("two points have one id, or not all are there".to_owned());
    }
    Ok(())
}

/// What must come out, by other means; nothing in the plane.
fn expected<V: Vector>(case: &ManifoldCase, found: &Manifold<V>) -> (Gauge, ExpectedPolygon) {
    let mut points = [Vec::new(), Vec::new()];
    for (body, into) in case.bodies.iter().zip(&mut points) {
        body.world_points(into);
    }
    let radii = case.bodies.each_ref().map(|body| body.radius);
    let numbers = points.iter().flatten().flatten().chain(&radii);
    let largest = numbers.fold(0.0, |m: f64, x| m.max(x.abs()));
    let size = f64::exp2(largest.log2().floor());
    let rounding = V::Scalar::ROUNDING.to_f64() * size;
    let normal = found.contact.normal.to_f64();
    let length = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
    let cosine = ManifoldOptions::<V::Scalar>::default().cos_max_tilt();
    let gauge = Gauge {
        normal: normal.map(|x| x / length),
        size,
        band: JUDGED_CORNER_ROUNDINGS * rounding,
        clear: CLEAR_ROUNDINGS * rounding,
        tangent: (1.0 - cosine * cosine).sqrt() / cosine,
    };
    if V::DIM == 2 || found.points.is_empty() {
        return (gauge, ExpectedPolygon::default());
    }
    let distance = [
        found.contact.signed_distance.lower.to_f64(),
        found.contact.signed_distance.upper.to_f64(),
    ];
    let bodies = points.each_ref().map(Vec::as_slice);
    let sum = radii[0] + radii[1];
    let expected = gauge.expected(bodies, distance, case.prediction, sum);
    (gauge, expected)
}

/// The area is that of the clipped polygon and of the points, and four points keep half of it.
fn area_is_right<V: QuerySpace>(
    pair: &AskedPair<V>,
    few: &ManifoldOptions<V::Scalar>,
    found: &Manifold<V>,
    gauge: &Gauge,
    expected: &ExpectedPolygon,
    tally: &mut ManifoldTally,
) -> Result<(), String> {
    let area = found.area.to_f64();
    if let Some([truth, room]) = expected.area {
        tally.judged += 1;
        if (area - truth).abs() > room + gauge.clear * gauge.size {
            return Err(format!("the area {area}, clipped {truth} ± {room}"));
        }
    }
    if V::DIM == 2 {
        return Ok(());
    }
    let of_points = |found: &Manifold<V>| {
        let points: Vec<[f64; 3]> = found.points.iter().map(|p| p.point_a.to_f64()).collect();
        area_of(gauge, &points)
    };
    let room = 64.0 * gauge.clear;
    let whole = of_points(found);
    if (whole - area).abs() > room {
        return Err(format!("the area {area}, of the points {whole}"));
    }
    let kept = of_points(&pair.ask(few));
    if kept < KEPT_PART * whole - room {
        return Err(format!("four points keep {kept} of {whole}"));
    }
    Ok(())
}

/// The case as a query line.
fn spec(space: Space, case: &ManifoldCase, number: u64, message: &str) -> ManifoldQuerySpec {
    let scalar = if space.single {
        ScalarKind::F32
    } else {
        ScalarKind::F64
    };
    let id = format!(
        "{MANIFOLD_FAMILY}-{}d-{}-{number}",
        space.dim,
        space.scalar()
    );
    let [a, b] = case.bodies.each_ref().map(|body| body.spec(space.dim));
    let mut spec = ManifoldQuerySpec::new(id, space.dim, scalar, a, b);
    spec.options.prediction = Some(case.prediction).filter(|&x| x > 0.0);
    spec.note = Some(message.to_owned());
    spec.source = Some("gjk fuzz".to_owned());
    spec
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Form, Placement};

    #[test]
    fn manifolds_are_answered_as_clipping_says() {
        for (dim, single) in [(2, true), (2, false), (3, true), (3, false)] {
            let tally = run(Space { dim, single }, 1, 0, 450, |_| ());
            let first = tally.finds.first();
            let first = first.map(|find| (&find.message, find.spec.to_line()));
            assert_eq!(tally.wrong, 0, "{dim} {single} {first:?}\n{tally:?}");
            assert!(dim == 2 || tally.judged > 200, "{tally:?}");
            assert!(tally.points > 400, "{tally:?}");
        }
    }

    /// Far from one another way leads to the distance, and a prediction that is it within rounding has points there or has none.
    #[test]
    fn a_prediction_within_rounding_of_the_distance_is_no_law() {
        let (dim, single) = (2, false);
        let tally = run(Space { dim, single }, 42, 50994, 1, |_| ());
        assert_eq!(tally.wrong, 0, "{:?}", tally.finds);
    }

    /// The face of A is 0.03 wide, which is narrow beside what `f32` rounds 4,096 times over: the oracle knows of none.
    #[test]
    fn a_narrow_face_is_in_doubt() {
        let (dim, single) = (3, true);
        let tally = run(Space { dim, single }, 42, 40264, 1, |_| ());
        assert_eq!((tally.judged, tally.wrong), (0, 0), "{:?}", tally.finds);
    }

    /// Sides cross at a sine of 1e-9 here, and the polygon's far corners are beyond the prediction: fractions have the area 0.011870412.
    #[test]
    fn a_part_of_a_polygon_is_as_good_as_its_crossings() {
        let (dim, single) = (3, false);
        let tally = run(Space { dim, single }, 5, 2034, 1, |_| ());
        assert_eq!((tally.judged, tally.wrong), (1, 0), "{:?}", tally.finds);
    }

    /// The face of A has its highest corner on a side of B's, at a sine of 1e-9: where the sides cross is off by 1e-7, and the height of a face that is tilted by 13 degrees
    /// there by more than the distance's rounding. It is the deepest point all the same; fractions have the area 5.7956e-12.
    #[test]
    fn a_face_whose_highest_corner_is_on_a_side_has_its_area() {
        let (x, y) = (
            [-0.027815116744539292, 0.0779362252323417],
            [0.12186598902272795, 0.09772893530850373],
        );
        let corner = |k: usize, z: f64| [x[k], y[k], z];
        let a = Body {
            points: vec![
                corner(0, -0.5),
                corner(1, -0.5),
                corner(0, 0.5),
                corner(1, 0.5),
                [0.0, -0.125, -0.5],
                [0.0, -0.125, 0.5],
            ],
            form: Form::Hull,
            ..Body::default()
        };
        let half = [1.0, 0.5, 0.5];
        let b = Body {
            points: (0..8)
                .map(|id| {
                    std::array::from_fn(|k| if id >> k & 1 == 1 { half[k] } else { -half[k] })
                })
                .collect(),
            form: Form::Box(half),
            pose: Some(Placement {
                columns: [
                    [1.0, 9.999999375136626e-13, -2.4038700661276994e-10],
                    [-1e-12, 1.0, -2.599405779519858e-10],
                    [2.4038700661251e-10, 2.599405779522262e-10, 1.0],
                ],
                translation: [-0.25, 0.75, 1.0000000003703573],
            }),
            ..Body::default()
        };
        let case = ManifoldCase {
            bodies: [a, b],
            prediction: 0.5,
        };
        let mut tally = ManifoldTally::default();
        assert_eq!(examine::<Vec3<f64>>(&case, &mut tally), Ok(()));
        assert_eq!(tally.points, 3);
    }
}
