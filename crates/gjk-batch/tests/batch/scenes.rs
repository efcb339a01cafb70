//! Pairs in all regimes: random, touching on grids, thin, aligned, nested, far from the origin, tiny, huge, mirrored, sheared.

use super::oracle::Rng;
use gjk::shape::{Ball, Capsule, Cuboid, Cylinder, Polytope, Segment, Shape, Triangle};
use gjk::{Axis, Pose, Scalar, Support, Vec2, Vec3, Vector};
use gjk_batch::{Pair, Poses, Shapes, World};

pub(crate) struct Scene<V: Vector> {
    pub(crate) name: &'static str,
    pub(crate) shapes: Shapes<V>,
    pub(crate) poses: Poses<V>,
    pub(crate) pairs: Vec<Pair>,
}

impl<V: Vector> Scene<V> {
    pub(crate) fn world(&self) -> World<'_, V> {
        World {
            shapes: &self.shapes,
            poses: &self.poses,
        }
    }

    fn add(&mut self, a: (Shape<V>, Pose<V>), b: (Shape<V>, Pose<V>)) {
        let (shape_a, shape_b) = (self.shapes.push(a.0), self.shapes.push(b.0));
        let (pose_a, pose_b) = (self.poses.push(a.1), self.poses.push(b.1));
        self.pairs
            .push(Pair::new((shape_a, pose_a), (shape_b, pose_b)));
    }
}

/// What a kind of vector needs here.
pub(crate) trait Space: Vector {
    fn turned(rng: &mut Rng, at: Self) -> Pose<Self>;
    fn round(rng: &mut Rng) -> Vec<Shape<Self>>;
}

impl<T: Scalar> Space for Vec3<T> {
    fn turned(rng: &mut Rng, at: Self) -> Pose<Self> {
        Pose::from_quaternion(rng.quaternion().map(T::from_f64), at).unwrap()
    }
    fn round(rng: &mut Rng) -> Vec<Shape<Self>> {
        let r = T::from_f64(rng.range(0.2, 0.8));
        vec![
            Ball::new(r).unwrap().into(),
            Capsule::new(r, r, Axis::Y).unwrap().into(),
            Cylinder::new(r, r, Axis::Z).unwrap().into(),
        ]
    }
}

impl<T: Scalar> Space for Vec2<T> {
    fn turned(rng: &mut Rng, at: Self) -> Pose<Self> {
        Pose::from_angle(T::from_f64(rng.range(0.0, 7.0)), at)
    }
    fn round(rng: &mut Rng) -> Vec<Shape<Self>> {
        let r = T::from_f64(rng.range(0.2, 0.8));
        vec![
            Ball::new(r).unwrap().into(),
            Capsule::new(r, r, Axis::Y).unwrap().into(),
        ]
    }
}

pub(crate) fn vector<V: Vector>(x: [f64; 3]) -> V {
    V::from_f64(x)
}

fn point<V: Vector>(rng: &mut Rng, reach: f64) -> V {
    let d = rng.direction(V::DIM);
    vector(d.map(|x| x * rng.range(0.0, reach)))
}

pub(crate) fn cuboid<V: Vector>(half: [f64; 3]) -> Shape<V> {
    Cuboid::new(vector(half)).unwrap().into()
}

fn any_cuboid<V: Vector>(rng: &mut Rng) -> Shape<V> {
    cuboid([0; 3].map(|_| rng.range(0.2, 1.0)))
}

fn axis<V: Vector>(rng: &mut Rng) -> usize {
    rng.below(V::DIM as u64) as usize
}

fn capsule<V: Vector>(h: V::Scalar, r: V::Scalar, k: usize) -> Shape<V> {
    Capsule::new(h, r, Axis::ALL[k]).unwrap().into()
}

/// The pose at another place.
fn moved<V: Vector>(pose: &Pose<V>, to: V) -> Pose<V> {
    let mut columns = V::identity();
    columns.as_mut().copy_from_slice(pose.columns());
    Pose::from_columns(columns, to)
}

pub(crate) fn hull<V: Vector>(rng: &mut Rng, vertices: usize, stretch: [f64; 3]) -> Shape<V> {
    let points: Vec<V> = (0..vertices)
        .map(|_| {
            let d = rng.direction(V::DIM);
            vector(core::array::from_fn(|k| d[k] * stretch[k]))
        })
        .collect();
    Polytope::new(&points).unwrap().into()
}

fn some<V: Vector>(rng: &mut Rng) -> Shape<V> {
    let size = |rng: &mut Rng| rng.range(0.2, 1.0);
    match rng.below(4) {
        0 | 1 => cuboid([size(rng), size(rng), size(rng)]),
        2 => {
            let count = 4 + rng.below(5) as usize;
            hull(rng, count, [1.0, 0.7, 0.5])
        }
        _ if rng.below(2) == 0 => Segment::new(point(rng, 1.0), point(rng, 1.0))
            .unwrap()
            .into(),
        _ => Triangle::new(point(rng, 1.0), point(rng, 1.0), point(rng, 1.0))
            .unwrap()
            .into(),
    }
}

fn filled<V: Space>(
    name: &'static str,
    count: usize,
    mut pair: impl FnMut(&mut Rng, &mut Scene<V>),
) -> Scene<V> {
    let mut rng = Rng(name.len() as u64 * 1000 + name.bytes().map(u64::from).sum::<u64>());
    let mut scene = Scene {
        name,
        shapes: Shapes::new(),
        poses: Poses::new(),
        pairs: Vec::new(),
    };
    for _ in 0..count {
        pair(&mut rng, &mut scene);
    }
    scene
}

/// Boxes at random: most are told by the lanes.
pub(crate) fn boxes<V: Space>(count: usize) -> Scene<V> {
    filled("boxes", count, |rng, scene| {
        let (a, b) = (any_cuboid(rng), any_cuboid(rng));
        let (at, to) = (point(rng, 2.0), point(rng, 2.0));
        scene.add((a, V::turned(rng, at)), (b, V::turned(rng, to)));
    })
}

/// Hulls of at most eight vertices.
pub(crate) fn hulls<V: Space>(count: usize) -> Scene<V> {
    filled("hulls", count, |rng, scene| {
        let (n, m) = (4 + rng.below(5) as usize, 4 + rng.below(5) as usize);
        let (a, b) = (hull(rng, n, [1.0, 0.7, 0.5]), hull(rng, m, [0.5, 1.0, 0.7]));
        let (at, to) = (point(rng, 1.5), point(rng, 1.5));
        scene.add((a, V::turned(rng, at)), (b, V::turned(rng, to)));
    })
}

/// Hulls of more than eight vertices, among them some that are climbed, against all kinds of hulls.
pub(crate) fn large<V: Space>(count: usize) -> Scene<V> {
    let mut scene = filled::<V>("large hulls", 0, |_, _| ());
    let mut rng = Rng(41);
    for vertices in [9, 16, 17, 40, 100, 255, 257, 400, 30, 12] {
        let shape = hull(&mut rng, vertices, [1.0, 0.7, 0.5]);
        scene.shapes.push(shape);
    }
    for _ in 0..6 {
        let shape = some::<V>(&mut rng);
        scene.shapes.push(shape);
    }
    for k in 0..count as u32 {
        let (at, to) = (point(&mut rng, 1.0), point(&mut rng, 1.0));
        scene.poses.push(V::turned(&mut rng, at));
        scene.poses.push(V::turned(&mut rng, to));
        let (a, b) = (rng.below(10) as u32, rng.below(16) as u32);
        let pair = Pair::new((a, 2 * k), (b, 2 * k + 1));
        scene.pairs.push(if rng.below(2) == 0 {
            pair
        } else {
            Pair {
                a: pair.b,
                b: pair.a,
            }
        });
    }
    scene
}

/// Hulls of up to twenty vertices that share a face up to a rounding.
pub(crate) fn kissing_large<V: Space>(count: usize) -> Scene<V> {
    filled("kissing large", count, |rng, scene| {
        let axis = axis::<V>(rng);
        let mut body = |side: f64| -> (Shape<V>, f64) {
            let half: [f64; 3] = [0; 3].map(|_| rng.range(0.2, 1.0));
            let mut points: Vec<[f64; 3]> = (0..8u32)
                .map(|id| {
                    core::array::from_fn(|k| if id >> k & 1 == 1 { half[k] } else { -half[k] })
                })
                .collect();
            for _ in 0..20 {
                let mut p: [f64; 3] = core::array::from_fn(|k| half[k] * rng.range(-1.4, 1.4));
                p[axis] = -side * half[axis] * rng.range(-0.9, 1.4);
                points.push(p);
            }
            let points: Vec<V> = points.into_iter().map(vector).collect();
            (Polytope::new(&points).unwrap().into(), half[axis])
        };
        let ((a, half_a), (b, half_b)) = (body(1.0), body(-1.0));
        let place = point::<V>(rng, 2.0);
        let at = V::turned(rng, place);
        let mut step = [0; 3].map(|_| rng.range(-0.3, 0.3));
        step[axis] = half_a + half_b;
        scene.add((a, at), (b, moved(&at, at.point(vector(step)))));
    })
}

/// Boxes whose pairs name poses one after the other, as columns are loaded: runs of all A and of all B, at any place, with a
/// break now and then, a pose for many pairs, and scales.
pub(crate) fn in_a_row<V: Space>(count: usize) -> Scene<V> {
    let mut scene = filled::<V>("in a row", 0, |_, _| ());
    let mut rng = Rng(43);
    for _ in 0..40 {
        let half = [0; 3].map(|_| rng.range(0.2, 1.0));
        scene.shapes.push(cuboid::<V>(half));
    }
    let poses = 2 * count + 37;
    for k in 0..poses {
        let at = point(&mut rng, 1.5);
        let scale = if k % 1000 < 800 {
            1.0
        } else {
            rng.range(0.5, 2.0)
        };
        let factor = V::from_fn(|_| V::Scalar::from_f64(scale));
        scene.poses.push(V::turned(&mut rng, at).scaled(factor));
    }
    let (mut a, mut b) = (5, count as u32 + 11);
    for k in 0..count {
        let (shape_a, shape_b) = (rng.below(40) as u32, rng.below(40) as u32);
        scene.pairs.push(Pair::new(
            (shape_a, a % poses as u32),
            (shape_b, b % poses as u32),
        ));
        a += if k / 100 % 3 == 2 { 0 } else { 1 };
        b += if rng.below(150) == 0 {
            9
        } else {
            1 + u32::from(k / 200 % 2 == 1)
        };
    }
    scene
}

fn mixed<V: Space>(count: usize) -> Scene<V> {
    filled("mixed kinds", count, |rng, scene| {
        let round = V::round(rng);
        let pick = |rng: &mut Rng| match rng.below(6) {
            0 => round[rng.below(round.len() as u64) as usize].clone(),
            1 => hull(rng, 20, [1.0, 1.0, 1.0]),
            _ => some(rng),
        };
        let (a, b) = (pick(rng), pick(rng));
        let (at, to) = (point(rng, 2.0), point(rng, 2.0));
        scene.add((a, V::turned(rng, at)), (b, V::turned(rng, to)));
    })
}

/// Integer boxes on an integer grid: two thirds touch, or overlap by parallel faces.
fn grid<V: Space>(count: usize, scale: f64, name: &'static str) -> Scene<V> {
    filled(name, count, |rng, scene| {
        let mut half = || [0; 3].map(|_| scale * (1 + rng.below(2)) as f64);
        let (a, b) = (cuboid(half()), cuboid(half()));
        let mut at = || vector([0; 3].map(|_| scale * (rng.below(5) as f64 - 2.0)));
        let (at, to) = (at(), at());
        scene.add(
            (a, Pose::from_translation(at)),
            (b, Pose::from_translation(to)),
        );
    })
}

/// Boxes that share a rotation, up to a turn as small as a rounding.
fn aligned<V: Space>(count: usize) -> Scene<V> {
    filled("aligned", count, |rng, scene| {
        let (a, b) = (any_cuboid(rng), any_cuboid(rng));
        let turned = V::turned(rng, V::ZERO);
        let tilt = 10f64.powf(rng.range(-17.0, -2.0));
        let mut columns = V::identity();
        columns.as_mut().copy_from_slice(turned.columns());
        let mut tilted = columns;
        tilted.as_mut()[0] = columns.as_ref()[0] + columns.as_ref()[1] * V::Scalar::from_f64(tilt);
        let at = Pose::from_columns(columns, point(rng, 0.8));
        scene.add((a, at), (b, Pose::from_columns(tilted, point(rng, 0.8))));
    })
}

fn thin<V: Space>(count: usize) -> Scene<V> {
    filled("thin", count, |rng, scene| {
        let mut half = || {
            let mut half = [0; 3].map(|_| rng.range(0.2, 1.0));
            half[rng.below(2) as usize] *= 1e-3;
            half
        };
        let (a, b) = (cuboid(half()), cuboid(half()));
        let (at, to) = (point(rng, 0.5), point(rng, 0.5));
        scene.add((a, V::turned(rng, at)), (b, V::turned(rng, to)));
    })
}

fn nested<V: Space>(count: usize) -> Scene<V> {
    filled("nested", count, |rng, scene| {
        let (a, b) = (some(rng), some(rng));
        let small = V::from_fn(|_| V::Scalar::from_f64(0.1));
        let at = point(rng, 0.05);
        scene.add(
            (a, V::turned(rng, V::ZERO)),
            (b, V::turned(rng, at).scaled(small)),
        );
    })
}

pub(crate) fn far<V: Space>(count: usize) -> Scene<V> {
    filled("far from the origin", count, |rng, scene| {
        let place = point::<V>(rng, 1.0) * V::Scalar::from_f64(10f64.powf(rng.range(1.0, 9.0)));
        let (a, b) = (some(rng), some(rng));
        let (at, to) = (place, place + point(rng, 2.0));
        scene.add((a, V::turned(rng, at)), (b, V::turned(rng, to)));
    })
}

/// Boxes and hulls that share a face or a corner up to a rounding, at any turn.
pub(crate) fn kissing<V: Space>(count: usize) -> Scene<V> {
    filled("kissing", count, |rng, scene| kiss(rng, scene, 2.0))
}

/// The same, far from the origin.
pub(crate) fn kissing_far<V: Space>(count: usize) -> Scene<V> {
    filled("kissing far", count, |rng, scene| kiss(rng, scene, 1e4))
}

fn kiss<V: Space>(rng: &mut Rng, scene: &mut Scene<V>, reach: f64) {
    let half: [f64; 3] = [0; 3].map(|_| rng.range(0.2, 1.0));
    let other: [f64; 3] = [0; 3].map(|_| rng.range(0.2, 1.0));
    let place = point::<V>(rng, reach);
    let at = V::turned(rng, place);
    // Slid along the face, and rarely turned in it.
    let mut step: [f64; 3] = core::array::from_fn(|k| rng.range(-0.9, 0.9) * (half[k] + other[k]));
    let axis = axis::<V>(rng);
    step[axis] = half[axis] + other[axis];
    let corner = |h: [f64; 3], id: u32| -> [f64; 3] {
        core::array::from_fn(|k| if id >> k & 1 == 1 { h[k] } else { -h[k] })
    };
    let shapes = match rng.below(3) {
        0 => [cuboid(half), cuboid(other)],
        // The same boxes as hulls.
        1 => [half, other].map(|h| {
            let points: Vec<V> = (0..8).map(|id| vector(corner(h, id))).collect();
            Polytope::new(&points).unwrap().into()
        }),
        // A box and another at another turn, corner on corner's place.
        _ => {
            step = corner(half, 7);
            let turned = V::turned(rng, at.point(vector(step)));
            let lifted = turned.point(vector(corner(other, 0))) - turned.translation();
            let away = turned.translation() - lifted;
            scene.add((cuboid(half), at), (cuboid(other), moved(&turned, away)));
            return;
        }
    };
    let to = moved(&at, at.point(vector(step)));
    let [a, b] = shapes;
    scene.add((a, at), (b, to));
}

/// Two nearly parallel rods, edge above edge: separated only along the cross product of those edges.
pub(crate) fn rods(count: usize) -> Scene<Vec3<f64>> {
    filled("rods", count, |rng, scene| {
        let h = rng.range(0.02, 0.06);
        let (tilt, gap) = (rng.range(2e-4, 8e-4), rng.range(1e-5, 1e-4));
        let (c, s) = (tilt.cos(), tilt.sin());
        let d = 0.5f64.sqrt();
        let a = [
            Vec3::new(1.0, 0.0, 0.0),
            Vec3::new(0.0, d, d),
            Vec3::new(0.0, -d, d),
        ];
        let b = a.map(|v: Vec3<f64>| Vec3::new(c * v.x - s * v.y, s * v.x + c * v.y, v.z));
        let above = Vec3::new(0.0, 0.0, 2.0 * h / d + gap);
        let rod = || cuboid([1.0, h, h]);
        scene.add(
            (rod(), Pose::from_columns(a, Vec3::ZERO)),
            (rod(), Pose::from_columns(b, above)),
        );
    })
}

/// All sizes of the scalar, subnormal ones included.
fn scales<V: Space>(count: usize) -> Scene<V> {
    let reach = if V::Scalar::NAME == "f32" {
        42.0
    } else {
        305.0
    };
    filled("scales", count, |rng, scene| {
        let scale = 10f64.powf(rng.range(-reach, reach - 5.0));
        let factor = V::from_fn(|_| V::Scalar::from_f64(scale));
        let (a, b) = (some(rng), some(rng));
        let place = |rng: &mut Rng| vector::<V>(point::<V>(rng, 2.0).to_f64().map(|x| x * scale));
        let (at, to) = (place(rng), place(rng));
        scene.add(
            (a, V::turned(rng, at).scaled(factor)),
            (b, V::turned(rng, to).scaled(factor)),
        );
    })
}

fn maps<V: Space>(count: usize) -> Scene<V> {
    filled("mirrors and shears", count, |rng, scene| {
        let (a, b) = (some(rng), some(rng));
        let mut pose = || {
            let mut columns = V::identity();
            for column in columns.as_mut() {
                *column = vector([0; 3].map(|_| rng.range(-1.0, 1.0)));
            }
            Pose::from_columns(columns, vector([0; 3].map(|_| rng.range(-0.8, 0.8))))
        };
        let (at, mut to) = (pose(), pose());
        if rng.below(4) == 0 {
            to = V::turned(rng, to.translation()).scaled(vector([-1.0, 1.0, 1.0]));
        }
        scene.add((a, at), (b, to));
    })
}

/// A ball, a capsule along any axis, or a box.
fn rounded<V: Space>(rng: &mut Rng) -> Shape<V> {
    let size = |rng: &mut Rng, part: f64| V::Scalar::from_f64(rng.range(0.2, 1.0) * part);
    let thin = [1.0, 1.0, 0.01][rng.below(3) as usize];
    match rng.below(3) {
        0 => Ball::new(size(rng, thin)).unwrap().into(),
        1 => capsule(size(rng, 1.0), size(rng, thin), axis::<V>(rng)),
        _ => cuboid([
            rng.range(0.2, 1.0),
            rng.range(0.2, 1.0),
            rng.range(0.2, 1.0),
        ]),
    }
}

/// Round bodies and boxes, some under scales and mirrors; now and then a map that keeps no ball round, or a shape of another
/// kind.
pub(crate) fn round<V: Space>(count: usize) -> Scene<V> {
    filled("round", count, |rng, scene| {
        let mut body = || {
            let shape = if rng.below(12) == 0 {
                some(rng)
            } else {
                rounded(rng)
            };
            let at = point(rng, 2.0);
            let pose = V::turned(rng, at);
            let scale = rng.range(0.5, 1.5);
            let factor = match rng.below(12) {
                0 | 1 => [scale; 3],
                2 => [-scale, scale, scale],
                3 => [scale, 1.0, 1.0],
                _ => return (shape, pose),
            };
            (shape, pose.scaled(vector(factor)))
        };
        let (a, b) = (body(), body());
        scene.add(a, b);
    })
}

/// Round bodies, or the cores of such, that touch up to a gap from nothing to a hundredth, near the origin and far from it.
pub(crate) fn kissing_round<V: Space>(count: usize) -> Scene<V> {
    filled("kissing round", count, |rng, scene| {
        let reach = [1.0, 1.0, 1e3, 1e6][rng.below(4) as usize];
        let (a, b) = (rounded::<V>(rng), rounded::<V>(rng));
        let place = point::<V>(rng, reach);
        let aside = place + point(rng, 3.0);
        let (at, to) = (V::turned(rng, place), V::turned(rng, aside));
        let found = gjk::query::contact(&a, &at, &b, &to, &gjk::query::Options::tight());
        let gap = 10f64.powf(rng.range(-18.0, -2.0)) * [0.0, 1.0, -1.0][rng.below(3) as usize];
        let signed = found.signed_distance.middle().to_f64();
        let sunk = [0.0, a.core().radius + b.core().radius][rng.below(2) as usize];
        let (normal, step) = (found.normal.to_f64(), gap - sunk - signed);
        let there: V = to.translation() + vector(normal.map(|n| n * step));
        scene.add((a, at), (b, moved(&to, there)));
    })
}

/// Round bodies on an integer grid with parallel axes: they touch, cross, lie in line, and have one centre.
pub(crate) fn round_grid<V: Space>(count: usize) -> Scene<V> {
    filled("round grid", count, |rng, scene| {
        let mut body = || {
            let mut size = || V::Scalar::from_f64((1 + rng.below(2)) as f64);
            let (h, r, k) = (size(), size(), size());
            let shape: Shape<V> = match rng.below(3) {
                0 => Ball::new(r).unwrap().into(),
                1 => capsule(h, r, axis::<V>(rng)),
                _ => cuboid([h, r, k].map(Scalar::to_f64)),
            };
            let at = vector([0; 3].map(|_| rng.below(7) as f64 - 3.0));
            // Turned in the plane, or sheared by a rounding or more.
            let [cos, sin, tilt] = [
                [1.0, 0.0, 0.0],
                [0.8, 0.6, 0.0],
                [1.0, 0.0, 1e-17],
                [1.0, 0.0, 1e-9],
            ][rng.below(4) as usize];
            let mut columns = V::identity();
            columns.as_mut()[0] = vector([cos, sin + tilt, 0.0]);
            columns.as_mut()[1] = vector([-sin, cos, 0.0]);
            (shape, Pose::from_columns(columns, at))
        };
        let (a, b) = (body(), body());
        scene.add(a, b);
    })
}

/// Round bodies of all sizes, alike and unlike; in a third the core or the radius hardly counts.
pub(crate) fn round_scales<V: Space>(count: usize) -> Scene<V> {
    let reach = if V::Scalar::NAME == "f32" {
        36.0
    } else {
        200.0
    };
    filled("round scales", count, |rng, scene| {
        let scale = 10f64.powf(rng.range(-reach, reach));
        let number = |x: f64| V::Scalar::from_f64(x.clamp(10f64.powf(-reach), 10f64.powf(reach)));
        let mut body = || {
            let other = if rng.below(3) == 0 {
                10f64.powf(rng.range(-20.0, 20.0))
            } else {
                1.0
            };
            let (h, r) = (
                number(rng.range(0.2, 1.0) * scale),
                number(rng.range(0.2, 1.0) * scale * other),
            );
            let shape: Shape<V> = match rng.below(3) {
                0 => Ball::new(r).unwrap().into(),
                1 => capsule(h, r, axis::<V>(rng)),
                _ => cuboid([h, r, h].map(Scalar::to_f64)),
            };
            let at = vector(point::<V>(rng, 2.0).to_f64().map(|x| x * scale));
            (shape, V::turned(rng, at))
        };
        let (a, b) = (body(), body());
        scene.add(a, b);
    })
}

/// One body, many poses, repeated and out of order: the lanes' columns are not contiguous.
fn shared<V: Space>(count: usize) -> Scene<V> {
    let mut scene = filled::<V>("shared bodies", 0, |_, _| ());
    let mut rng = Rng(99);
    for _ in 0..7 {
        scene.shapes.push(some::<V>(&mut rng));
    }
    for _ in 0..50 {
        let at = point(&mut rng, 2.0);
        scene.poses.push(V::turned(&mut rng, at));
    }
    for _ in 0..count {
        let mut body = || (rng.below(7) as u32, rng.below(50) as u32);
        scene.pairs.push(Pair::new(body(), body()));
    }
    scene
}

/// Every regime, `count` pairs each.
pub(crate) fn all<V: Space>(count: usize) -> Vec<Scene<V>> {
    vec![
        boxes(count),
        hulls(count),
        large(count),
        kissing_large(count),
        in_a_row(count),
        mixed(count),
        grid(count, 1.0, "grid"),
        grid(count, 1e-3, "rounded grid"),
        aligned(count),
        thin(count),
        nested(count),
        far(count),
        kissing(count),
        kissing_far(count),
        scales(count),
        maps(count),
        shared(count),
        round(count),
        kissing_round(count),
        round_grid(count),
        round_scales(count),
    ]
}
