//! The engine of this project: `gjk-f32` and `gjk-f64`, by the public queries on the public `Shape`.
//!
//! Shapes are the enum [`Shape`], which is what a caller with a mixed set holds; the match on its kind is inside the clock.

use bench_protocol::{Answer, Offer, Outcome, Pair, Workload, locked_version, measure, serve, target_flags};
use gjk::query::{self, Contact, Distance, Options, Verdict, WarmStart};
use gjk::shape::{Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Polytope, Shape, ShapeError};
use gjk::{Pose, Pose2, Pose3, Scalar, Vec2, Vec3, Vector};
use std::process::ExitCode;

/// Batched operations (`bool-batch`, `dist-batch`, `pen-batch`) join here, and in [`answer`].
const OPS: &[&str] = &["bool", "dist", "pen", "track-dist-cold", "track-dist-warm", "track-pen-cold", "track-pen-warm"];

fn main() -> ExitCode {
    let version = locked_version(include_str!("../Cargo.lock"), "gjk");
    let about = |scalar: &str| format!("gjk {version}, {scalar}; opt 3, fat LTO, {}", target_flags());
    serve(&[
        Offer { name: "gjk-f32", ops: OPS, about: about("f32"), run: run::<f32> },
        Offer { name: "gjk-f64", ops: OPS, about: about("f64"), run: run::<f64> },
    ])
}

fn run<T: Scalar>(workload: &Workload, op: &str, rounds: usize) -> Result<Outcome, String> {
    if workload.dim == 2 {
        let place = |p: &bench_protocol::Place| {
            let [cos, sin, ..] = p.rotation.map(T::from_f64);
            Some(Pose2::from_cos_sin(cos, sin, Vec2::from_f64(p.translation)))
        };
        return answer(&Questions::new(workload, planar, place)?, op, rounds);
    }
    let place =
        |p: &bench_protocol::Place| Pose3::from_quaternion(p.rotation.map(T::from_f64), Vec3::from_f64(p.translation));
    answer(&Questions::new(workload, spatial, place)?, op, rounds)
}

/// A workload in the library's own types.
struct Questions<V: Vector> {
    shapes: Vec<Shape<V>>,
    pairs: Vec<([usize; 2], [Pose<V>; 2])>,
}

impl<V: Vector> Questions<V> {
    fn new(
        workload: &Workload,
        shape: impl Fn(&bench_protocol::Shape) -> Result<Shape<V>, String>,
        place: impl Fn(&bench_protocol::Place) -> Option<Pose<V>>,
    ) -> Result<Self, String> {
        let pose = |pair: &Pair, k: usize| place(&pair.places[k]).ok_or("a zero quaternion");
        let shapes = workload.shapes.iter().map(shape).collect::<Result<_, _>>()?;
        let pairs = workload.pairs.iter().map(|pair| Ok::<_, &str>((pair.shapes, [pose(pair, 0)?, pose(pair, 1)?])));
        Ok(Self { shapes, pairs: pairs.collect::<Result<_, _>>()? })
    }

    /// All pairs, one query each.
    fn each(&self) -> impl Iterator<Item = (&Shape<V>, &Pose<V>, &Shape<V>, &Pose<V>)> {
        let pairs = self.pairs.iter();
        pairs.map(|(ids, poses)| (&self.shapes[ids[0]], &poses[0], &self.shapes[ids[1]], &poses[1]))
    }
}

fn answer<V: Vector>(questions: &Questions<V>, op: &str, rounds: usize) -> Result<Outcome, String> {
    // Other libraries state no certificates; verdicts and intervals are proved either way.
    let options = Options { certificate: false, sharp: false, ..Options::default() };
    let count = questions.pairs.len();
    Ok(match op {
        "bool" => {
            let (times, all) = measure(rounds, count, |results| {
                let found = questions.each().map(|(a, pa, b, pb)| query::intersects(a, pa, b, pb, &options).intersects);
                results.extend(found);
            });
            (times, all.into_iter().map(|intersects| Answer { intersects, ..Answer::default() }).collect())
        }
        "dist" | "track-dist-cold" => {
            let (times, all) = measure(rounds, count, |results| {
                results.extend(questions.each().map(|(a, pa, b, pb)| query::distance(a, pa, b, pb, &options)));
            });
            (times, all.iter().map(of_distance).collect())
        }
        "pen" | "track-pen-cold" => {
            let (times, all) = measure(rounds, count, |results| {
                results.extend(questions.each().map(|(a, pa, b, pb)| query::penetration(a, pa, b, pb, &options)));
            });
            (times, all.iter().map(|found| found.as_ref().map_or_else(apart, of_contact)).collect())
        }
        "track-dist-warm" => {
            let (times, all) = measure(rounds, count, |results| {
                let warm = &mut WarmStart::new();
                let each = questions.each();
                results.extend(each.map(|(a, pa, b, pb)| query::distance_warm(a, pa, b, pb, &options, warm)));
            });
            (times, all.iter().map(of_distance).collect())
        }
        "track-pen-warm" => {
            let (times, all) = measure(rounds, count, |results| {
                let warm = &mut WarmStart::new();
                let each = questions.each();
                results
                    .extend(each.map(|(a, pa, b, pb)| query::contact_observed(a, pa, b, pb, &options, warm, &mut ())));
            });
            (times, all.iter().map(of_contact).collect())
        }
        _ => return Err("no such operation".into()),
    })
}

/// `penetration` of bodies that it proved separated.
fn apart() -> Answer {
    Answer { intersects: Some(false), ..Answer::default() }
}

fn of_contact<V: Vector>(found: &Contact<V>) -> Answer {
    let middle = 0.5 * (found.signed_distance.lower.to_f64() + found.signed_distance.upper.to_f64());
    said(found.verdict, middle, found.normal, [found.point_a, found.point_b])
}

fn of_distance<V: Vector>(found: &Distance<V>) -> Answer {
    let middle = 0.5 * (found.distance.lower.to_f64() + found.distance.upper.to_f64());
    said(found.verdict, middle, found.normal, [found.point_a, found.point_b])
}

fn said<V: Vector>(verdict: Verdict, value: f64, normal: V, points: [V; 2]) -> Answer {
    let intersects = match verdict {
        Verdict::Separated => Some(false),
        Verdict::Touching | Verdict::Overlapping => Some(true),
        Verdict::Undecided => None,
    };
    let wide = |v: V| std::array::from_fn(|k| if k < V::DIM { v.component(k).to_f64() } else { 0.0 });
    Answer { intersects, value: Some(value), normal: Some(wide(normal)), points: Some(points.map(wide)) }
}

/// The axis along which the protocol's solids of revolution stand.
const Z: usize = 2;

fn spatial<T: Scalar>(shape: &bench_protocol::Shape) -> Result<Shape<Vec3<T>>, String> {
    use bench_protocol::Shape as Asked;
    let number = T::from_f64;
    let built = match shape {
        Asked::Ball(r) => Ball::new(number(*r)).map(Shape::Ball),
        Asked::Capsule(half, r) => Capsule::new(number(*half), number(*r), Z).map(Shape::Capsule),
        Asked::Cylinder(half, r) => Cylinder::new(number(*half), number(*r), Z).map(Shape::Cylinder),
        // Apex and base stand at ± half a height in both conventions.
        Asked::Cone(half, r) => Cone::new(number(*half), number(*r), Z).map(Shape::Cone),
        Asked::Ellipsoid(radii) => Ellipsoid::new(Vec3::from_f64(*radii)).map(Shape::Ellipsoid),
        Asked::Box(half) => Cuboid::new(Vec3::from_f64(*half)).map(Shape::Cuboid),
        Asked::Hull(vertices, _) => {
            let points: Vec<Vec3<T>> = vertices.iter().map(|&v| Vec3::from_f64(v)).collect();
            Polytope::new(&points).map(Shape::Polytope)
        }
        Asked::Polygon(_) => return Err("a polygon in 3D".into()),
    };
    built.map_err(|why: ShapeError| why.to_string())
}

fn planar<T: Scalar>(shape: &bench_protocol::Shape) -> Result<Shape<Vec2<T>>, String> {
    let built = match shape {
        bench_protocol::Shape::Box(half) => Cuboid::new(Vec2::from_f64(*half)).map(Shape::Cuboid),
        bench_protocol::Shape::Polygon(vertices) => {
            let points: Vec<Vec2<T>> = vertices.iter().map(|&[x, y]| Vec2::from_f64([x, y, 0.0])).collect();
            Polytope::new(&points).map(Shape::Polytope)
        }
        _ => return Err("only boxes and polygons in 2D".into()),
    };
    built.map_err(|why| why.to_string())
}
