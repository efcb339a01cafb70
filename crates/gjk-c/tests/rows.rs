//! Answers through the interface for C are those of `gjk_batch`, bit for bit.
#![allow(unsafe_code, clippy::multiple_unsafe_ops_per_block)] // it calls what C calls

use gjk::{Pose3, Vec3, Vector};
use gjk_batch::{Pair, Shapes, World, contact_many, distance_many};
use gjk_c::abi::rows::{gjk_contact_rows, gjk_distance_rows};
use gjk_c::abi::shapes::{
    gjk_shapes_add_box, gjk_shapes_add_capsule, gjk_shapes_add_ellipsoid, gjk_shapes_add_hull,
    gjk_shapes_free, gjk_shapes_new,
};
use gjk_c::status::Status;
use gjk_c::types::{Axis, Bodies, Columns, Options, PoseKind, Poses};
use std::ptr::{null, null_mut};

const ROWS: usize = 3000;

/// Numbers of no pattern, from -1 to 1.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn many<const N: usize>(&mut self) -> [f64; N] {
        core::array::from_fn(|_| self.next())
    }
}

const HALF: [f64; 3] = [0.2, 0.5, 0.3];
const RADII: [f64; 3] = [0.4, 0.2, 0.3];

/// Bodies of rows as a table has them.
struct Table {
    shapes: Vec<u32>,
    turns: Vec<[f64; 4]>,
    at: Vec<[f64; 3]>,
}

impl Table {
    fn new(numbers: &mut Numbers, step: usize) -> Self {
        Self {
            shapes: (0..ROWS).map(|row| (row / step % 4) as u32).collect(),
            turns: (0..ROWS).map(|_| numbers.many()).collect(),
            at: (0..ROWS)
                .map(|_| numbers.many().map(|x: f64| 0.8 * x))
                .collect(),
        }
    }

    fn bodies(&self) -> Bodies {
        Bodies {
            shapes: self.shapes.as_ptr(),
            shapes_stride: size_of::<u32>(),
            poses: Poses {
                kind: PoseKind::QuatXyzw as u32,
                numbers: self.turns.as_ptr().cast(),
                stride: size_of::<[f64; 4]>(),
                translation: self.at.as_ptr().cast(),
                translation_stride: size_of::<[f64; 3]>(),
            },
        }
    }

    fn pose(&self, row: usize) -> Pose3<f64> {
        let [x, y, z] = self.at[row];
        Pose3::from_quaternion(self.turns[row], Vec3::new(x, y, z)).expect("no zero")
    }
}

/// The same columns from both.
fn bits<'n>(numbers: impl IntoIterator<Item = &'n f64>) -> Vec<u64> {
    numbers.into_iter().map(|x| x.to_bits()).collect()
}

#[test]
fn rows_are_answered_bit_for_bit_as_pairs_are() {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let points: [[f64; 3]; 20] = core::array::from_fn(|_| numbers.many());
    let (a, b) = (Table::new(&mut numbers, 1), Table::new(&mut numbers, 4));
    let vector = |[x, y, z]: [f64; 3]| Vec3::new(x, y, z);
    let mut ours = Shapes::new();
    ours.push(gjk::shape::Cuboid::new(vector(HALF)).expect("a box"));
    ours.push(gjk::shape::Capsule::new(0.4, 0.1, gjk::Axis::Y).expect("a capsule"));
    ours.push(gjk::shape::Ellipsoid::new(vector(RADII)).expect("an ellipsoid"));
    ours.push(gjk::shape::Polytope::new(&points.map(vector)).expect("a hull"));
    let poses = (0..ROWS)
        .flat_map(|row| [a.pose(row), b.pose(row)])
        .collect();
    let pairs: Vec<Pair> = (0..ROWS)
        .map(|row| {
            let place = 2 * row as u32;
            Pair::new((a.shapes[row], place), (b.shapes[row], place + 1))
        })
        .collect();
    let world = World {
        shapes: &ours,
        poses: &poses,
    };
    let mut shapes = null_mut();
    let mut at = 0;
    // SAFETY: each pointer is to a value of this test, and each array has the numbers that its function reads.
    let made = unsafe {
        [
            gjk_shapes_new(&mut shapes),
            gjk_shapes_add_box(shapes, HALF.as_ptr(), &mut at),
            gjk_shapes_add_capsule(shapes, 0.4, 0.1, Axis::Y as u32, &mut at),
            gjk_shapes_add_ellipsoid(shapes, RADII.as_ptr(), &mut at),
            gjk_shapes_add_hull(shapes, points.as_ptr().cast(), points.len(), &mut at),
        ]
    };
    assert_eq!(made, [Status::Ok; 5]);
    let (of_a, of_b) = (a.bodies(), b.bodies());
    for is_contact in [false, true] {
        let options = gjk_batch::Options::default();
        let batch = if is_contact {
            contact_many(world, &pairs, &options)
        } else {
            distance_many(world, &pairs, &options)
        };
        let batch = batch.expect("a batch").answers;
        for threads in [0, 1, 2] {
            let options = Options {
                threads,
                cancel: null(),
            };
            let mut verdicts = vec![9u8; ROWS];
            let [mut lower, mut upper] = [(); 2].map(|()| vec![9.0; ROWS]);
            let [mut normals, mut points_a, mut points_b] = [(); 3].map(|()| vec![9.0; 3 * ROWS]);
            let out = Columns {
                verdicts: verdicts.as_mut_ptr(),
                lower: lower.as_mut_ptr(),
                upper: upper.as_mut_ptr(),
                normals: normals.as_mut_ptr(),
                points_a: points_a.as_mut_ptr(),
                points_b: points_b.as_mut_ptr(),
            };
            let rows = if is_contact {
                gjk_contact_rows
            } else {
                gjk_distance_rows
            };
            // SAFETY: the columns and the tables have so many rows.
            let status = unsafe { rows(shapes, ROWS, &of_a, &of_b, &options, &out, null_mut()) };
            assert_eq!(status, Status::Ok);
            let codes: Vec<u8> = batch
                .iter()
                .map(|answer| gjk_batch::rows::code(answer.verdict))
                .collect();
            assert_eq!(verdicts, codes);
            assert_eq!(bits(&lower), bits(batch.iter().map(|x| &x.interval.lower)));
            assert_eq!(bits(&upper), bits(batch.iter().map(|x| &x.interval.upper)));
            for (column, of) in [
                (&normals, batch.iter().map(|x| x.normal).collect::<Vec<_>>()),
                (&points_a, batch.iter().map(|x| x.point_a).collect()),
                (&points_b, batch.iter().map(|x| x.point_b).collect()),
            ] {
                let of: Vec<f64> = of
                    .iter()
                    .flat_map(|v| [0, 1, 2].map(|k| v.component(k)))
                    .collect();
                assert_eq!(bits(column), bits(&of));
            }
        }
        let overlapping = batch.iter().filter(|x| x.interval.upper < 0.0).count();
        assert_eq!(is_contact, (ROWS / 10..ROWS).contains(&overlapping));
    }
    // SAFETY: it was made above, and nothing has it any more.
    unsafe { gjk_shapes_free(shapes) };
}
