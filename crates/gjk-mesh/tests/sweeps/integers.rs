//! Rays at boxes and triangles of integers, against integers of this file.

use super::boxes::cut_box;
use super::made::{soup, vec3};
use gjk::Pose3;
use gjk::query::{Meeting, MotionOptions, Ray, Start, Touch};
use gjk_mesh::MeshBody;

/// A number of a fraction with a positive denominator, in order by cross products.
#[derive(Clone, Copy, Debug)]
struct Ratio(i128, i128);

impl Ratio {
    fn is_less(self, other: Self) -> bool {
        self.0 * other.1 < other.0 * self.1
    }
    fn is_equal(self, other: Self) -> bool {
        self.0 * other.1 == other.0 * self.1
    }
    fn float(self) -> f64 {
        self.0 as f64 / self.1 as f64
    }
}

/// The times between which a ray is in a box from −2 to 2, of which it need not be inside; whether it ever is; `None` for a miss.
fn slabs(origin: [i128; 3], way: [i128; 3]) -> Option<(Ratio, Ratio, bool)> {
    let (mut enter, mut leave, mut flat) = (Ratio(-1_000_000, 1), Ratio(1_000_000, 1), false);
    for k in 0..3 {
        if way[k] == 0 {
            if origin[k].abs() > 2 {
                return None;
            }
            flat |= origin[k].abs() == 2;
            continue;
        }
        let sign = way[k].signum();
        let times = [
            Ratio((-2 * sign - origin[k]) * sign, way[k].abs()),
            Ratio((2 * sign - origin[k]) * sign, way[k].abs()),
        ];
        if enter.is_less(times[0]) {
            enter = times[0];
        }
        if times[1].is_less(leave) {
            leave = times[1];
        }
    }
    if leave.is_less(enter) || leave.is_less(Ratio(0, 1)) {
        return None;
    }
    Some((enter, leave, enter.is_less(leave) && !flat))
}

/// Solids of many triangles in one plane, with rays through their edges and vertices, along faces, from inside, from on them.
#[test]
fn rays_at_a_box_are_told_by_slabs() {
    let mut random = fastrand::Rng::with_seed(4);
    let bodies = [1, 2, 4].map(|n| MeshBody::new(cut_box([-2.0; 3], [2.0; 3], n)));
    assert!(bodies.iter().all(|body| body.kind().is_solid()));
    let mut seen = [0; 6];
    for case in 0..4000 {
        let origin = [(); 3].map(|()| i128::from(random.i32(-4..=4)));
        let way = [(); 3].map(|()| i128::from(random.i32(-2..=2)));
        if way == [0; 3] {
            continue;
        }
        let body = &bodies[case % 3];
        let [from, along] = [origin, way].map(|v| vec3(v.map(|x| x as f64)));
        let ray = Ray::new(from, along).unwrap();
        let posed = body.at(&Pose3::identity());
        let plain = MotionOptions::default();
        let found = posed.ray(&ray, &plain).unwrap();
        let answer = found.answer;
        let what = (case, origin, way);
        assert!(answer.exact, "{what:?}");
        let passes = posed.ray(&ray, &plain.with_touch(Touch::Passes)).unwrap();
        let exits = posed.ray(&ray, &plain.with_start(Start::Exit)).unwrap();
        let zero = Ratio(0, 1);
        let inside = origin.iter().all(|x| x.abs() < 2);
        match slabs(origin, way) {
            None => {
                assert_eq!(answer.verdict, Meeting::Free, "{what:?}");
                assert_eq!(exits.answer.verdict, Meeting::Free);
                seen[0] += 1;
            }
            Some((enter, leave, deep)) if zero.is_less(enter) => {
                assert_eq!(answer.verdict, Meeting::Hits, "{what:?}");
                assert!(answer.time.unwrap().contains(enter.float()), "{what:?}");
                assert_eq!(answer.grazing, !deep, "{what:?}");
                assert_eq!(passes.answer.verdict == Meeting::Hits, deep, "{what:?}");
                assert_eq!(exits.answer.verdict, Meeting::Hits);
                let _ = leave;
                seen[1 + usize::from(deep)] += 1;
            }
            Some((_, leave, deep)) => {
                let start = if inside {
                    Meeting::StartsOverlapping
                } else {
                    Meeting::StartsTouching
                };
                assert_eq!(answer.verdict, start, "{what:?}");
                assert_eq!(found.inside, inside, "{what:?}");
                assert_eq!(exits.answer.verdict, Meeting::Exits, "{what:?}");
                for time in [answer.exit, exits.answer.time] {
                    assert!(time.unwrap().contains(leave.float()), "{what:?} {leave:?}");
                }
                let goes_in = deep && zero.is_less(leave);
                if !inside {
                    assert_eq!(answer.grazing, !goes_in, "{what:?}");
                    let approach = posed.ray(&ray, &plain.with_start(Start::Approach)).unwrap();
                    assert_eq!(
                        approach.answer.verdict == Meeting::StartsTouching,
                        goes_in,
                        "{what:?}"
                    );
                }
                seen[3 + usize::from(inside) + usize::from(goes_in && !inside)] += 1;
            }
        }
    }
    assert!(seen.iter().filter(|&&n| n > 30).count() >= 5, "{seen:?}");
}

type Int3 = [i128; 3];

fn cross(a: Int3, b: Int3) -> Int3 {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

fn dot(a: Int3, b: Int3) -> i128 {
    (0..3).map(|k| a[k] * b[k]).sum()
}

fn minus(a: Int3, b: Int3) -> Int3 {
    [0, 1, 2].map(|k| a[k] - b[k])
}

/// The first time of a ray and a segment in one plane.
fn at_segment(origin: Int3, way: Int3, [p, q]: [Int3; 2]) -> Option<Ratio> {
    let (edge, from) = (minus(q, p), minus(p, origin));
    let across = cross(way, edge);
    let square = dot(across, across);
    if square != 0 {
        if dot(from, across) != 0 {
            return None;
        }
        let t = dot(cross(from, edge), across);
        let s = dot(cross(from, way), across);
        return (t >= 0 && s >= 0 && s <= square).then_some(Ratio(t, square));
    }
    if cross(from, way) != [0; 3] {
        return None;
    }
    let size = dot(way, way);
    let ends = [dot(from, way), dot(minus(q, origin), way)];
    let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
    (high >= 0).then_some(Ratio(low.max(0), size))
}

/// The first time of a ray at a triangle.
fn at_triangle(origin: Int3, way: Int3, corners: [Int3; 3]) -> Option<Ratio> {
    let [a, b, c] = corners;
    let normal = cross(minus(b, a), minus(c, a));
    let along = dot(normal, way);
    let height = dot(normal, minus(a, origin));
    let sides = |p: Int3, scale: i128| {
        let each = [[a, b], [b, c], [c, a]].map(|[u, v]| {
            let from = [0, 1, 2].map(|k| p[k] - scale * u[k]);
            dot(cross(minus(v, u), from), normal)
        });
        each.iter().all(|&x| x >= 0)
    };
    if normal != [0; 3] && along != 0 {
        let (t, d) = (height * along.signum(), along.abs());
        let point = [0, 1, 2].map(|k| d * origin[k] + t * way[k]);
        return (t >= 0 && sides(point, d)).then_some(Ratio(t, d));
    }
    if normal != [0; 3] && height != 0 {
        return None;
    }
    if normal != [0; 3] && sides(origin, 1) {
        return Some(Ratio(0, 1));
    }
    let edges = [[a, b], [b, c], [c, a]];
    let times = edges
        .into_iter()
        .filter_map(|edge| at_segment(origin, way, edge));
    times.reduce(|x, y| if y.is_less(x) { y } else { x })
}

/// All hits: which, in what order, and the first of them.
#[test]
fn hits_are_those_of_integers() {
    let mut random = fastrand::Rng::with_seed(9);
    let (mut hits, mut ties) = (0, 0);
    for case in 0..1500 {
        let body = MeshBody::new(soup(&mut random, 14, 2));
        let mesh = body.mesh();
        let origin = [(); 3].map(|()| i128::from(random.i32(-3..=3)));
        let way = [(); 3].map(|()| i128::from(random.i32(-2..=2)));
        if way == [0; 3] {
            continue;
        }
        let corner = |v: u32| mesh.vertices()[v as usize].map(|x| x as i128);
        let of = |k: usize| at_triangle(origin, way, mesh.triangles()[k].map(corner));
        let mut truth: Vec<(Ratio, u32)> = (0..mesh.triangles().len())
            .filter_map(|k| Some((of(k)?, mesh.source(k as u32))))
            .collect();
        truth.sort_by(|x, y| {
            let order = if x.0.is_less(y.0) {
                core::cmp::Ordering::Less
            } else if y.0.is_less(x.0) {
                core::cmp::Ordering::Greater
            } else {
                core::cmp::Ordering::Equal
            };
            order.then(x.1.cmp(&y.1))
        });
        let [from, along] = [origin, way].map(|v| vec3(v.map(|x| x as f64)));
        let ray = Ray::new(from, along).unwrap();
        let posed = body.at(&Pose3::identity());
        let found = posed.ray_hits(&ray, &MotionOptions::default());
        let names =
            |hits: &[gjk_mesh::MeshHit]| hits.iter().map(|hit| hit.triangle).collect::<Vec<_>>();
        let expected: Vec<u32> = truth.iter().map(|hit| hit.1).collect();
        assert_eq!(names(&found), expected, "{case} {origin:?} {way:?}");
        for (hit, (time, _)) in found.iter().zip(&truth) {
            assert!(hit.answer.time.unwrap().contains(time.float()), "{case}");
        }
        let first = posed.ray(&ray, &MotionOptions::default()).unwrap();
        let of_first: Vec<u32> = truth
            .iter()
            .filter(|hit| hit.0.is_equal(truth[0].0))
            .map(|hit| hit.1)
            .collect();
        assert_eq!(first.triangles, of_first, "{case}");
        hits += usize::from(!truth.is_empty());
        ties += usize::from(of_first.len() > 1);
    }
    assert!(hits > 400 && ties > 50, "{hits} {ties}");
}
