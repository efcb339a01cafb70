//! However a hull's highest vertex is found, answers are the same: SIMD scans, climbs from any vertex and the lists of
//! vertices that may be highest, against plain loops over all vertices and against exact signs.
#![allow(clippy::unwrap_used)]

mod oracle;

use gjk::query::{Cache, Contact, Options, ProofOptions};
use gjk::shape::{Affine, Cuboid, Polytope, Rounded, Shape};
use gjk::{Core, NO_ID, Pose, Posed, Scalar, Support, SupportPoint, Vec2, Vec3, Vector};
use gjk_exact::{AdaptiveSigns, DirectionKind as Direction, Problem};
use oracle::Rng;

/// A hull's vertices without anything that finds them: each support is a loop, and every vertex may be highest.
struct Plain<V>(Vec<V>);

impl<V: Vector> Support<V> for Plain<V> {
    fn support(&self, direction: V::Wide, _hint: u32) -> SupportPoint<V::Wide> {
        let heights: Vec<f64> = self
            .0
            .iter()
            .map(|p| p.lift::<V::Wide>().dot(direction))
            .collect();
        let top = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let id = heights.iter().position(|&h| h == top).unwrap_or(0);
        SupportPoint {
            point: self.0[id].lift(),
            id: id as u32,
        }
    }
    fn core(&self) -> Core<'_, V> {
        let extent = V::from_fn(|k| {
            self.0
                .iter()
                .fold(V::Scalar::from_f64(0.0), |m, p| m.max(p.component(k).abs()))
        });
        // As the polytope's, so that the first direction is the same.
        let share = V::Scalar::from_f64(1.0 / self.0.len() as f64);
        let center = self.0.iter().fold(V::ZERO, |sum, &v| sum + v * share);
        Core {
            vertex_count: Some(self.0.len() as u32),
            ..Core::new(center.lift(), extent.lift())
        }
    }
    fn vertex(&self, id: u32) -> Option<V::Wide> {
        self.0.get(id as usize).map(|x| x.lift())
    }
}

fn points<V: Vector>(rng: &mut Rng, n: usize, kind: usize) -> Vec<V> {
    let point = |rng: &mut Rng| {
        let d = rng.direction(V::DIM);
        match kind % 4 {
            // Thin, on a lattice with many coplanar vertices, round and far from the body's own origin, round.
            0 => [d[0] * 1000.0, d[1], d[2]],
            2 => d.map(|x| (x * 8.0).round()),
            3 => [d[0] + 1e5, d[1], d[2]],
            _ => d,
        }
    };
    (0..n).map(|_| V::from_f64(point(rng))).collect()
}

fn polytope<V: Vector>(rng: &mut Rng, n: usize, kind: usize) -> Polytope<V> {
    Polytope::new(&points::<V>(rng, n, kind)).unwrap()
}

/// Turned any way, up to so far away.
fn pose3<T: Scalar>(rng: &mut Rng, away: f64) -> Pose<Vec3<T>> {
    let far = rng.range(0.2, 1.0) * away;
    let at = Vec3::from(rng.direction(3).map(|x| T::from_f64(x * far)));
    Pose::from_quaternion(rng.quaternion().map(T::from_f64), at).unwrap()
}

fn same_answers<V: Vector>(
    rng: &mut Rng,
    sizes: &[usize],
    mut pose: impl FnMut(&mut Rng) -> Pose<V>,
) {
    for case in 0..sizes.len() * 24 {
        let n = sizes[case % sizes.len()];
        let (a, b) = (
            polytope::<V>(rng, n, case / 4),
            polytope::<V>(rng, n, case / 2),
        );
        let (plain_a, plain_b) = (Plain(a.vertices().to_vec()), Plain(b.vertices().to_vec()));
        let (at_a, at_b) = (Pose::identity(), pose(rng));
        let options = Options::tight();
        let facets = ProofOptions::default().with_facets(true);
        let fast = gjk::Pair::new(&a, &at_a, &b, &at_b)
            .with(&options)
            .prove_with(&facets);
        let slow = gjk::Pair::new(&plain_a, &at_a, &plain_b, &at_b)
            .with(&options)
            .prove_with(&facets);
        let steps = Steps::of(&a, &b);
        same(steps, case, &fast.contact, &slow.contact);
        if steps == Steps::Same {
            assert_eq!(format!("{fast:?}"), format!("{slow:?}"), "case {case}");
        }
        let fast = gjk::Pair::new(&a, &at_a, &b, &at_b)
            .with(&options)
            .warm(&mut Cache::new())
            .contact();
        let slow = gjk::Pair::new(&plain_a, &at_a, &plain_b, &at_b)
            .with(&options)
            .warm(&mut Cache::new())
            .contact();
        same(steps, case, &fast, &slow);
    }
}

/// Whether the loop takes the same steps for a hull and for its plain vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Steps {
    /// Large hulls are climbed, and begin as bodies without facets do.
    Same,
    /// Others begin at the facet that faces the other body, and may end at another face as near.
    Fewer,
}

/// Hulls of so many vertices are climbed, which `vertices/climb.rs` names `CLIMB_MIN`.
const CLIMBED: usize = 192;

impl Steps {
    fn of<V: Vector>(a: &Polytope<V>, b: &Polytope<V>) -> Self {
        let climbed = |body: &Polytope<V>| body.vertices().len() >= CLIMBED;
        if climbed(a) || climbed(b) {
            Self::Same
        } else {
            Self::Fewer
        }
    }
}

/// All of it after the same steps; after others the verdict, and intervals that have a number in common.
fn same<V: Vector>(steps: Steps, case: usize, fast: &Contact<V>, slow: &Contact<V>) {
    if steps == Steps::Same {
        return assert_eq!(format!("{fast:?}"), format!("{slow:?}"), "case {case}");
    }
    let [fast_verdict, slow_verdict] = [fast, slow].map(|found| (found.verdict, found.exact));
    assert_eq!(fast_verdict, slow_verdict, "case {case}");
    let (one, other) = (fast.signed_distance, slow.signed_distance);
    assert!(
        one.lower <= other.upper && other.lower <= one.upper,
        "case {case}: {one:?}, {other:?}"
    );
}

/// Queries in full: bounds, points, certificates, iteration counts.
#[test]
fn answers_do_not_depend_on_the_search() {
    let mut rng = Rng(1);
    let sizes = [6, 8, 9, 20, 33, 70, 190, 200, 600];
    same_answers::<Vec3<f64>>(&mut rng, &sizes, |rng| pose3(rng, 2.0));
    same_answers::<Vec3<f32>>(&mut rng, &sizes, |rng| pose3(rng, 2.0));
    // Moved along an axis only: coplanar faces, touching bodies, ties.
    same_answers::<Vec3<f64>>(&mut rng, &sizes, |rng| {
        Pose::from_translation(Vec3::new(rng.below(17) as f64, rng.below(2) as f64, 0.0))
    });
    same_answers::<Vec2<f64>>(&mut rng, &sizes, |rng| {
        let at = rng.direction(2).map(|x| 2.0 * x);
        Pose::from_angle(rng.range(-3.0, 3.0), Vec2::new(at[0], at[1]))
    });
}

/// Hints change no support, whatever they are, through every shape that passes them on.
#[test]
fn hints_change_nothing() {
    let mut rng = Rng(2);
    for kind in 0..8 {
        let hull = polytope::<Vec3<f32>>(&mut rng, [40, 400][kind % 2], kind);
        let affine = Pose::from_columns(
            [[2.0, 0.1, 0.0], [0.0, 1.0, 0.5], [0.3, 0.0, -1.0]].map(Vec3::from),
            Vec3::default(),
        );
        let shapes: [Shape<Vec3<f32>>; 3] = [
            hull.clone().into(),
            Rounded::new(hull.clone().into(), 0.25).unwrap().into(),
            Affine::new(hull.clone().into(), affine).unwrap().into(),
        ];
        let vertices = Plain(hull.vertices().to_vec());
        for _ in 0..300 {
            let d = Vec3::from(rng.direction(3));
            assert_eq!(hull.support(d, NO_ID), vertices.support(d, NO_ID));
            for hint in [
                NO_ID,
                0,
                hull.vertices().len() as u32,
                rng.below(400) as u32,
            ] {
                for shape in &shapes {
                    assert_eq!(shape.support(d, hint), shape.support(d, NO_ID));
                }
            }
        }
    }
}

/// The extent that a posed body states holds its vertices in the world, near and far, and at the ends of the range.
#[test]
fn posed_vertices_are_within_the_extent() {
    let mut rng = Rng(4);
    for case in 0..400 {
        let half = Vec3::from([(); 3].map(|()| rng.range(0.1, 2.0)));
        let cuboid = Cuboid::new(half).unwrap();
        let scale = [1.0, 1e3, 1e130, 1e-200][case % 4];
        let columns = [(); 3].map(|()| Vec3::from(rng.direction(3).map(|x| x * scale)));
        let at = Vec3::from(rng.direction(3).map(|x| x * scale));
        let posed = Posed::new(&cuboid, Pose::from_columns(columns, at));
        let core = posed.core();
        for id in 0..core.vertex_count.unwrap() {
            let x = posed.vertex(id).unwrap();
            for k in 0..3 {
                let (reached, bound) = (x.component(k).abs(), core.extent.component(k));
                assert!(reached <= bound, "case {case}: {reached} over {bound}");
            }
        }
    }
}

/// Whatever vertex of the world is highest along a direction, by exact signs, is listed when that direction is asked for give
/// or take an error that covers it.
#[test]
fn lists_of_the_highest_hold_the_exact_one() {
    let mut rng = Rng(3);
    let (mut listed, mut cases) = (0, 0);
    let here = [[0.0; 3]];
    let ladder = AdaptiveSigns::default();
    for case in 0..160 {
        let hull = polytope::<Vec3<f64>>(&mut rng, [12, 60, 300][case % 3], case / 3);
        let columns = [rng.direction(3), rng.direction(3), rng.direction(3)]
            .map(|c| Vec3::from(c.map(|x| x * 3.0)));
        let inner = Pose::from_columns(columns, Vec3::new(1e3, 0.0, -1.0));
        let shape: Shape<Vec3<f64>> = match case % 4 {
            0 if inner.is_valid() => Affine::new(hull.into(), inner).unwrap().into(),
            _ => hull.into(),
        };
        let away = [0.0, 1.0, 1e6, 1e12, 3e14][rng.below(5) as usize];
        let posed = Posed::new(&shape, pose3(&mut rng, away));
        let world: Vec<[f64; 3]> = (0..posed.vertex_count().unwrap())
            .map(|i| posed.vertex(i).unwrap().to_f64())
            .collect();
        let problem = Problem::new(3, &world[..], &here[..], &ladder);
        for _ in 0..12 {
            let blur = [0.0, 1e-15, 1e-9, 1e-3][rng.below(4) as usize];
            let exact = rng.direction(3);
            let asked: [f64; 3] = exact.map(|x| x + blur * rng.range(-0.99, 0.99));
            let mut found = [0; 64];
            let all =
                posed.highest_vertices(asked.into(), Vec3::new(blur, blur, blur), 0.0, &mut found);
            cases += 1;
            if let Some(len) = all {
                let highest = problem.support(&Direction::Given(exact).into()).pair[0];
                assert!(
                    found[..len].contains(&highest),
                    "case {case}: {highest} is not in {:?}",
                    &found[..len]
                );
                assert!(found[..len].is_sorted_by(|a, b| a < b));
                listed += 1;
            }
        }
    }
    assert!(listed * 4 > cases * 3, "{listed} of {cases} had a list");
}
