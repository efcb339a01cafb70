//! Convex shapes by index.

use super::general::free;
use super::pointers::{Out, list, triple, value};
use crate::handles::Shapes;
use crate::status::{Failure, Status, answered};
use gjk::shape::{
    Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, MovingVertices, Point, Polytope, Rounded,
    Segment, Shape, Triangle,
};
use gjk::{Axis, Vec3};

/// Makes shapes: none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_shapes_new(shapes: *mut *mut Shapes) -> Status {
    answered(|| {
        // SAFETY: the caller's word.
        let out = unsafe { Out::new(shapes, "shapes") }?;
        out.put(Box::into_raw(Box::default()));
        Ok(())
    })
}

/// Frees shapes. NULL is nothing to free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_shapes_free(shapes: *mut Shapes) {
    // SAFETY: the caller's word.
    unsafe { free(shapes) };
}

/// How many there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_shapes_len(shapes: *const Shapes, len: *mut usize) -> Status {
    answered(|| {
        // SAFETY: the caller's word.
        let shapes = unsafe { value(shapes, "shapes") }?;
        // SAFETY: the caller's word.
        let out = unsafe { Out::new(len, "len") }?;
        out.put(shapes.read().len());
        Ok(())
    })
}

/// Adds what `make` makes, and writes its index.
///
/// # Safety  the caller's word.
unsafe fn add(
    shapes: *const Shapes,
    index: *mut u32,
    make: impl FnOnce(&Shapes) -> Result<Shape<Vec3<f64>>, Failure>,
) -> Status {
    answered(|| {
        // SAFETY: the caller's word.
        let shapes = unsafe { value(shapes, "shapes") }?;
        // SAFETY: the caller's word.
        let out = unsafe { Out::new(index, "index") }?;
        out.put(shapes.push(make(shapes)?));
        Ok(())
    })
}

fn vector([x, y, z]: [f64; 3]) -> Vec3<f64> {
    Vec3::new(x, y, z)
}

fn axis(number: u32) -> Result<Axis, Failure> {
    match number {
        0 => Ok(Axis::X),
        1 => Ok(Axis::Y),
        2 => Ok(Axis::Z),
        _ => {
            let text = format!("axis is {number}: it must be a gjk_axis");
            Err(Failure::new(Status::BadArgument, text))
        }
    }
}

/// Adds the point `at[3]`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_shapes_add_point(
    shapes: *mut Shapes,
    at: *const f64,
    index: *mut u32,
) -> Status {
    // SAFETY: the caller's word.
    let make = |_: &Shapes| Ok(Point::new(vector(unsafe { triple(at, "at") }?))?.into());
    // SAFETY: the caller's word.
    unsafe { add(shapes, index, make) }
}

/// Adds the segment from `a[3]` to `b[3]`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_shapes_add_segment(
    shapes: *mut Shapes,
    a: *const f64,
    b: *const f64,
    index: *mut u32,
) -> Status {
    let make = |_: &Shapes| {
        // SAFETY: the caller's word.
        let ends = [(a, "a"), (b, "b")].map(|(at, name)| unsafe { triple(at, name) });
        let [a, b] = ends;
        Ok(Segment::new(vector(a?), vector(b?))?.into())
    };
    // SAFETY: the caller's word.
    unsafe { add(shapes, index, make) }
}

/// Adds the triangle of `a[3]`, `b[3]` and `c[3]`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_shapes_add_triangle(
    shapes: *mut Shapes,
    a: *const f64,
    b: *const f64,
    c: *const f64,
    index: *mut u32,
) -> Status {
    let make = |_: &Shapes| {
        // SAFETY: the caller's word.
        let corners = [(a, "a"), (b, "b"), (c, "c")].map(|(at, name)| unsafe { triple(at, name) });
        let [a, b, c] = corners;
        Ok(Triangle::new(vector(a?), vector(b?), vector(c?))?.into())
    };
    // SAFETY: the caller's word.
    unsafe { add(shapes, index, make) }
}

/// Adds a sphere about the origin.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_shapes_add_sphere(
    shapes: *mut Shapes,
    radius: f64,
    index: *mut u32,
) -> Status {
    // SAFETY: the caller's word.
    unsafe { add(shapes, index, |_| Ok(Ball::new(radius)?.into())) }
}

/// Adds a box about the origin, from `-half_extents[3]` to `half_extents[3]`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_shapes_add_box(
    shapes: *mut Shapes,
    half_extents: *const f64,
    index: *mut u32,
) -> Status {
    let make = |_: &Shapes| {
        // SAFETY: the caller's word.
        let half = unsafe { triple(half_extents, "half_extents") }?;
        Ok(Cuboid::new(vector(half))?.into())
    };
    // SAFETY: the caller's word.
    unsafe { add(shapes, index, make) }
}

/// Adds a capsule about the origin: a sphere swept along a `gjk_axis` from `-half_height` to `half_height`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_shapes_add_capsule(
    shapes: *mut Shapes,
    half_height: f64,
    radius: f64,
    axis: u32,
    index: *mut u32,
) -> Status {
    let make = |_: &Shapes| Ok(Capsule::new(half_height, radius, self::axis(axis)?)?.into());
    // SAFETY: the caller's word.
    unsafe { add(shapes, index, make) }
}

/// Adds a cylinder about the origin, from `-half_height` to `half_height` along a `gjk_axis`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_shapes_add_cylinder(
    shapes: *mut Shapes,
    half_height: f64,
    radius: f64,
    axis: u32,
    index: *mut u32,
) -> Status {
    let make = |_: &Shapes| Ok(Cylinder::new(half_height, radius, self::axis(axis)?)?.into());
    // SAFETY: the caller's word.
    unsafe { add(shapes, index, make) }
}

/// Adds a cone: its base at `-half_height` along a `gjk_axis`, its tip at `half_height`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_shapes_add_cone(
    shapes: *mut Shapes,
    half_height: f64,
    radius: f64,
    axis: u32,
    index: *mut u32,
) -> Status {
    let make = |_: &Shapes| Ok(Cone::new(half_height, radius, self::axis(axis)?)?.into());
    // SAFETY: the caller's word.
    unsafe { add(shapes, index, make) }
}

/// Adds an ellipsoid about the origin of `radii[3]`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_shapes_add_ellipsoid(
    shapes: *mut Shapes,
    radii: *const f64,
    index: *mut u32,
) -> Status {
    let make = |_: &Shapes| {
        // SAFETY: the caller's word.
        let radii = unsafe { triple(radii, "radii") }?;
        Ok(Ellipsoid::new(vector(radii))?.into())
    };
    // SAFETY: the caller's word.
    unsafe { add(shapes, index, make) }
}

/// Adds the convex hull of `points[count][3]`, in any order; those within it do no harm.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_shapes_add_hull(
    shapes: *mut Shapes,
    points: *const f64,
    count: usize,
    index: *mut u32,
) -> Status {
    let make = |_: &Shapes| {
        // SAFETY: the caller's word; three numbers lie in memory as an array of three does.
        let points = unsafe { list(points.cast::<[f64; 3]>(), count, "points") }?;
        let points: Vec<Vec3<f64>> = points.iter().map(|&point| vector(point)).collect();
        Ok(Polytope::new(&points)?.into())
    };
    // SAFETY: the caller's word.
    unsafe { add(shapes, index, make) }
}

/// Adds the convex hull of vertices of which each moves in a straight line, from `from[count][3]` at the time 0 to
/// `to[count][3]` at the time 1, and on: `gjk_toi_rows` takes them along. All other calls take the body as it is at the time 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_shapes_add_moving_vertices(
    shapes: *mut Shapes,
    from: *const f64,
    to: *const f64,
    count: usize,
    index: *mut u32,
) -> Status {
    let make = |_: &Shapes| {
        // SAFETY: the caller's word; three numbers lie in memory as an array of three does.
        let from = unsafe { list(from.cast::<[f64; 3]>(), count, "from") }?;
        // SAFETY: as above.
        let to = unsafe { list(to.cast::<[f64; 3]>(), count, "to") }?;
        let all = |points: &[[f64; 3]]| points.iter().map(|&point| vector(point)).collect();
        let (from, to): (Vec<Vec3<f64>>, Vec<Vec3<f64>>) = (all(from), all(to));
        Ok(MovingVertices::new(&from, &to)?.into())
    };
    // SAFETY: the caller's word.
    unsafe { add(shapes, index, make) }
}

/// Adds the shape `shape` of these with a sphere swept over it: its surface is `radius` further out.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_shapes_add_rounded(
    shapes: *mut Shapes,
    shape: u32,
    radius: f64,
    index: *mut u32,
) -> Status {
    let make = |shapes: &Shapes| Ok(Rounded::new(shapes.get(shape)?, radius)?.into());
    // SAFETY: the caller's word.
    unsafe { add(shapes, index, make) }
}
