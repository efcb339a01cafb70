//! Two bodies and what is asked of them, out of bytes; and as a query line, which people and `gjk query` read.

use crate::bytes::{Bytes, Writer};
use gjk_scene::{
    Axis, BodySpec, OptionsSpec, PoseSpec, QueryKind, QuerySpec, RotationSpec, ScalarKind,
    ShapeSpec,
};

/// Nesting and list lengths of decoded shapes.
const DEPTH_MAX: usize = 2;
const POINTS_MAX: usize = 24;
const PARTS_MAX: usize = 3;
/// Matrices that floats state exactly; row by row.
const TURNS: [[f64; 9]; 4] = [
    [0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0],
    [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0],
    [-1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 1.0],
    [1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
];
const TOLERANCES: [f64; 6] = [0.0, 1e-15, 1e-9, 1e-6, 1e-3, 0.5];
const LIMITS: [u32; 6] = [1, 2, 3, 5, 16, 200];
/// Without a limit of its own: smooth pairs run to the library's default of 1000, which takes seconds with a sanitizer.
const LIMIT: u32 = 64;

/// A query with the options that a query line does not have.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// Bodies, dimension, scalar, and the options of a query line.
    pub query: QuerySpec,
    /// See `gjk::query::Options`.
    pub cutoff: Option<f64>,
    /// See `gjk::query::Options`.
    pub first_direction: Option<[f64; 3]>,
    /// See `gjk::query::Options`.
    pub prove_depth: bool,
}

impl Case {
    /// Reads any bytes.
    pub fn decode(data: &[u8]) -> Self {
        let mut bytes = Bytes::new(data);
        let (head, flags) = (bytes.byte(), bytes.byte());
        let dim = if head & 1 == 1 { 2 } else { 3 };
        let options = OptionsSpec {
            tolerance_relative: (flags & 1 != 0).then(|| TOLERANCES[bytes.below(TOLERANCES.len())]),
            iterations_max: Some(if flags & 2 != 0 {
                LIMITS[bytes.below(LIMITS.len())]
            } else {
                LIMIT
            }),
            certificate: Some(true),
            trace: None,
        };
        let cutoff = (flags & 4 != 0).then(|| bytes.number());
        let first_direction = (flags & 8 != 0).then(|| bytes.point(dim));
        let a = body(&mut bytes, dim, None);
        let b = body(&mut bytes, dim, Some(&a.shape));
        let scalar = if head & 2 == 2 {
            ScalarKind::F32
        } else {
            ScalarKind::F64
        };
        let query = QueryKind::Contact;
        let id = "fuzz".to_owned();
        let query = QuerySpec {
            id,
            dim,
            scalar,
            query,
            a,
            b,
            options,
            note: None,
            source: None,
            expect: None,
        };
        Self {
            query,
            cutoff,
            first_direction,
            prove_depth: flags & 16 != 0,
        }
    }

    /// Writes a query line's bodies as a seed; `None` for what the decoder cannot say (long lists, angles are turned
    /// into matrices).
    pub fn encode(query: &QuerySpec) -> Option<Vec<u8>> {
        let mut writer = Writer::default();
        writer.byte(
            u8::from(query.dim == 2)
                + if query.scalar == ScalarKind::F32 {
                    2
                } else {
                    0
                },
        );
        writer.byte(16);
        for body in [&query.a, &query.b] {
            write_shape(&mut writer, &body.shape, 0)?;
            write_pose(&mut writer, body.pose.as_ref(), query.dim);
        }
        Some(writer.bytes)
    }
}

fn body(bytes: &mut Bytes<'_>, dim: usize, other: Option<&ShapeSpec>) -> BodySpec {
    let shape = shape(bytes, dim, 0, other);
    BodySpec {
        shape,
        pose: pose(bytes, dim),
    }
}

fn shape(bytes: &mut Bytes<'_>, dim: usize, depth: usize, other: Option<&ShapeSpec>) -> ShapeSpec {
    let kind = bytes.below(if depth < DEPTH_MAX { 14 } else { 10 });
    let inner = |bytes: &mut Bytes<'_>| shape(bytes, dim, depth + 1, None);
    match kind {
        0 => ShapeSpec::Point {
            point: bytes.vector(dim),
        },
        1 => ShapeSpec::Segment {
            a: bytes.vector(dim),
            b: bytes.vector(dim),
        },
        2 => ShapeSpec::Triangle {
            a: bytes.vector(dim),
            b: bytes.vector(dim),
            c: bytes.vector(dim),
        },
        3 => ShapeSpec::Ball {
            radius: bytes.number().abs(),
        },
        4 => ShapeSpec::Box {
            half_extents: positive(bytes, dim),
        },
        5 => ShapeSpec::Ellipsoid {
            radii: positive(bytes, dim),
        },
        6..=8 => revolved(bytes, kind, dim),
        9 => {
            let count = 1 + bytes.below(POINTS_MAX);
            ShapeSpec::Convex {
                points: (0..count).map(|_| bytes.vector(dim)).collect(),
            }
        }
        10 => ShapeSpec::Rounded {
            core: Box::new(inner(bytes)),
            radius: bytes.number().abs(),
        },
        11 => ShapeSpec::Sum {
            of: vec![inner(bytes), inner(bytes)],
        },
        12 => {
            let count = 1 + bytes.below(PARTS_MAX);
            ShapeSpec::HullOf {
                of: (0..count).map(|_| inner(bytes)).collect(),
            }
        }
        _ => other.cloned().unwrap_or_else(|| ShapeSpec::Box {
            half_extents: vec![1.0; dim],
        }),
    }
}

/// A cylinder (7) or a cone (8) in space, else a capsule.
fn revolved(bytes: &mut Bytes<'_>, kind: usize, dim: usize) -> ShapeSpec {
    let (half_height, radius) = (bytes.number().abs(), bytes.number().abs());
    let axis = [Axis::X, Axis::Y, Axis::Z][bytes.below(3) % dim];
    match (kind, dim) {
        (7, 3) => ShapeSpec::Cylinder {
            half_height,
            radius,
            axis,
        },
        (8, 3) => ShapeSpec::Cone {
            half_height,
            radius,
            axis,
        },
        _ => ShapeSpec::Capsule {
            half_height,
            radius,
            axis,
        },
    }
}

fn positive(bytes: &mut Bytes<'_>, dim: usize) -> Vec<f64> {
    bytes.vector(dim).into_iter().map(f64::abs).collect()
}

fn pose(bytes: &mut Bytes<'_>, dim: usize) -> Option<PoseSpec> {
    let flags = bytes.byte();
    let translation = (flags & 1 != 0).then(|| bytes.vector(dim));
    let rows = |m: &[f64]| {
        (0..dim)
            .map(|r| (0..dim).map(|c| m[r * 3 + c]).collect())
            .collect()
    };
    let (mut rotation, mut rotation_matrix) = (None, None);
    match (flags >> 1) % 4 {
        0 => {}
        1 => rotation_matrix = Some(rows(&TURNS[bytes.below(TURNS.len())])),
        2 if dim == 3 => {
            let q: [f64; 4] = core::array::from_fn(|_| bytes.number());
            let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            if norm > 0.0 && norm.is_finite() {
                rotation = Some(RotationSpec::Quaternion(q.map(|x| x / norm)));
            }
        }
        2 => rotation = Some(RotationSpec::Angle(bytes.number())),
        _ => rotation_matrix = Some(rows(&core::array::from_fn::<f64, 9, _>(|_| bytes.number()))),
    }
    let scale = (flags & 8 != 0).then(|| bytes.vector(dim));
    (flags != 0).then_some(PoseSpec {
        translation,
        rotation,
        rotation_matrix,
        scale,
    })
}

fn write_pose(writer: &mut Writer, pose: Option<&PoseSpec>, dim: usize) {
    let Some(pose) = pose else {
        return writer.byte(0);
    };
    let affine = pose.affine();
    let plain = pose.rotation.is_none() && pose.rotation_matrix.is_none();
    let quaternion = match pose.rotation {
        Some(RotationSpec::Quaternion(q)) => Some(q),
        _ => None,
    };
    let linear = if plain {
        0
    } else if quaternion.is_some() {
        2
    } else {
        3
    };
    // A matrix holds the scale already.
    let scale = pose.scale.as_ref().filter(|_| linear != 3);
    writer.byte(
        u8::from(pose.translation.is_some()) + 2 * linear + if scale.is_some() { 8 } else { 0 },
    );
    pose.translation.iter().for_each(|t| writer.numbers(t));
    match quaternion {
        Some(q) => writer.numbers(&q),
        None if !plain => affine.linear.iter().for_each(|row| writer.numbers(row)),
        None => {}
    }
    debug_assert!(dim == 2 || dim == 3);
    scale.into_iter().for_each(|s| writer.numbers(s));
}

fn write_shape(writer: &mut Writer, shape: &ShapeSpec, depth: usize) -> Option<()> {
    let mut flat = |kind: u8, numbers: &[&[f64]]| {
        writer.byte(kind);
        numbers.iter().for_each(|list| writer.numbers(list));
        Some(())
    };
    match shape {
        ShapeSpec::Point { point } => flat(0, &[point]),
        ShapeSpec::Segment { a, b } => flat(1, &[a, b]),
        ShapeSpec::Triangle { a, b, c } => flat(2, &[a, b, c]),
        ShapeSpec::Ball { radius } => flat(3, &[&[*radius]]),
        ShapeSpec::Box { half_extents } => flat(4, &[half_extents]),
        ShapeSpec::Ellipsoid { radii } => flat(5, &[radii]),
        ShapeSpec::Capsule {
            half_height,
            radius,
            axis,
        }
        | ShapeSpec::Cylinder {
            half_height,
            radius,
            axis,
        }
        | ShapeSpec::Cone {
            half_height,
            radius,
            axis,
        } => {
            let kind = match shape {
                ShapeSpec::Capsule { .. } => 6,
                ShapeSpec::Cylinder { .. } => 7,
                _ => 8,
            };
            flat(kind, &[&[*half_height, *radius]])?;
            writer.byte(*axis as u8);
            Some(())
        }
        ShapeSpec::Convex { points } if points.len() <= POINTS_MAX => {
            writer.byte(9);
            writer.byte(points.len() as u8 - 1);
            points.iter().for_each(|p| writer.numbers(p));
            Some(())
        }
        _ => write_composite(writer, shape, depth),
    }
}

/// Writes a shape that is made of shapes; `None` for any other, or when it is nested too deep or has too many parts.
fn write_composite(writer: &mut Writer, shape: &ShapeSpec, depth: usize) -> Option<()> {
    match shape {
        ShapeSpec::Rounded { core, radius } if depth < DEPTH_MAX => {
            writer.byte(10);
            write_shape(writer, core, depth + 1)?;
            writer.number(*radius);
            Some(())
        }
        ShapeSpec::Sum { of } if depth < DEPTH_MAX && of.len() == 2 => {
            writer.byte(11);
            of.iter()
                .try_for_each(|part| write_shape(writer, part, depth + 1))
        }
        ShapeSpec::HullOf { of } if depth < DEPTH_MAX && of.len() <= PARTS_MAX => {
            writer.byte(12);
            writer.byte(of.len() as u8 - 1);
            of.iter()
                .try_for_each(|part| write_shape(writer, part, depth + 1))
        }
        _ => None,
    }
}
