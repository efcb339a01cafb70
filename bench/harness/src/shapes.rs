//! Random shapes of a family. Every coordinate is an `f32`, so that no engine is asked about another body.

use crate::definition::{Family, Kind};
use bench_protocol::Shape;
use gjk::hull::{SpatialHull, convex_hull_3};

/// SplitMix64: seeded, the same on every machine.
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in an interval.
    pub(crate) fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.bits() >> 11) as f64 / (1_u64 << 53) as f64)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// A point in the unit ball of `N` dimensions, away from its centre, moved out to the sphere.
    pub(crate) fn unit<const N: usize>(&mut self) -> [f64; N] {
        loop {
            let v: [f64; N] = std::array::from_fn(|_| self.range(-1.0, 1.0));
            let squared: f64 = v.iter().map(|x| x * x).sum();
            if squared > 0.01 && squared <= 1.0 {
                return v.map(|x| x / squared.sqrt());
            }
        }
    }

    /// A direction; the third component is zero in 2D.
    pub(crate) fn direction(&mut self, dim: usize) -> [f64; 3] {
        if dim == 3 {
            return self.unit();
        }
        let [x, y] = self.unit();
        [x, y, 0.0]
    }

    /// A uniform rotation: a quaternion, or in 2D cosine and sine.
    pub(crate) fn rotation(&mut self, dim: usize) -> [f64; 4] {
        if dim == 3 {
            return self.unit();
        }
        let [cos, sin] = self.unit();
        [cos, sin, 0.0, 0.0]
    }

    /// Uniform in an interval, as an `f32`.
    pub(crate) fn single(&mut self, low: f64, high: f64) -> f64 {
        single(self.range(low, high))
    }
}

/// The nearest `f32`.
pub(crate) fn single(x: f64) -> f64 {
    f64::from(x as f32)
}

/// Ratio of a thin axis to the others.
const THIN: f64 = 1e-3;

/// The shapes of a family.
pub(crate) fn shapes(family: &Family, rng: &mut Rng) -> Result<Vec<Shape>, String> {
    (0..family.shapes).map(|i| one(family, i, rng)).collect()
}

fn one(family: &Family, at: usize, rng: &mut Rng) -> Result<Shape, String> {
    Ok(match (family.kind, at % 3) {
        (Kind::Box, _) | (Kind::Mixed, 2) => {
            Shape::Box(std::array::from_fn(|_| rng.single(0.3, 1.0)))
        }
        (Kind::BallBox, _) if at % 2 == 1 => {
            Shape::Box(std::array::from_fn(|_| rng.single(0.3, 1.0)))
        }
        (Kind::Mixed, 0) | (Kind::BallBox, _) => Shape::Ball(rng.single(0.3, 1.0)),
        (Kind::Mixed | Kind::Capsule, _) => {
            Shape::Capsule(rng.single(0.3, 1.0), rng.single(0.2, 0.6))
        }
        (Kind::ThinBox, _) => Shape::Box(thin_radii(at, rng).map(single)),
        (Kind::Hull, _) => hull(
            family.vertices,
            std::array::from_fn(|_| rng.range(0.5, 1.0)),
            rng,
        )?,
        (Kind::ThinHull, _) => {
            let radii = thin_radii(at, rng);
            hull(family.vertices, radii, rng)?
        }
        (Kind::Polygon, _) => polygon(family.vertices, rng),
        (Kind::Rectangle, _) => Shape::Box([rng.single(0.3, 1.0), rng.single(0.3, 1.0), 0.0]),
        (Kind::Bar | Kind::FlatBar, _) => bar(family.kind.dim(), at, rng),
    })
}

/// A floor whose last axis is up, or a bar along its first axis.
fn bar(dim: usize, at: usize, rng: &mut Rng) -> Shape {
    let half = |k: usize, rng: &mut Rng| match (at % 2, k) {
        (_, 2) if dim == 2 => 0.0,
        (0, k) if k + 1 == dim => rng.single(0.5, 1.0),
        (0, _) => rng.single(2.0, 3.0),
        (_, 0) => rng.single(0.8, 1.2),
        _ => rng.single(0.04, 0.06),
    };
    Shape::Box([half(0, rng), half(1, rng), half(2, rng)])
}

/// Plates and needles in turn; which axes are thin changes too.
fn thin_radii(at: usize, rng: &mut Rng) -> [f64; 3] {
    let thin = |k: usize| (k == at / 2 % 3) != (at % 2 == 1);
    std::array::from_fn(|k| rng.range(0.7, 1.0) * if thin(k) { THIN } else { 1.0 })
}

/// Random points on an ellipsoid; those that rounding puts inside the hull of the others are drawn again.
fn hull(count: usize, radii: [f64; 3], rng: &mut Rng) -> Result<Shape, String> {
    let draw = |rng: &mut Rng| -> [f64; 3] {
        let on: [f64; 3] = rng.unit();
        std::array::from_fn(|k| single(radii[k] * on[k]))
    };
    let mut points: Vec<[f64; 3]> = (0..count).map(|_| draw(rng)).collect();
    for _ in 0..1000 {
        let SpatialHull::Polyhedron(mesh) =
            convex_hull_3(&points).map_err(|why| why.to_string())?
        else {
            return Err("a flat hull".into());
        };
        let is_vertex = |i: usize| mesh.vertices.binary_search(&(i as u32)).is_ok();
        let inner: Vec<usize> = (0..count).filter(|&i| !is_vertex(i)).collect();
        if inner.is_empty() {
            let fan = |f: &Vec<u32>| {
                (1..f.len() - 1)
                    .map(|k| [f[0], f[k], f[k + 1]])
                    .collect::<Vec<_>>()
            };
            return Ok(Shape::Hull(
                points,
                mesh.faces.iter().flat_map(fan).collect(),
            ));
        }
        for i in inner {
            points[i] = draw(rng);
        }
    }
    Err(format!("no hull of {count} vertices"))
}

/// Random points on an ellipse, at angles that are not too near each other for a library's own checks.
fn polygon(count: usize, rng: &mut Rng) -> Shape {
    let radii = [rng.range(0.5, 1.0), rng.range(0.5, 1.0)];
    let turn = std::f64::consts::TAU / count as f64;
    let phase = rng.range(0.0, turn);
    let angle = |i: usize, rng: &mut Rng| phase + turn * (i as f64 + rng.range(-0.3, 0.3));
    let vertex = |i: usize| {
        let (sin, cos) = angle(i, rng).sin_cos();
        [single(radii[0] * cos), single(radii[1] * sin)]
    };
    Shape::Polygon((0..count).map(vertex).collect())
}
