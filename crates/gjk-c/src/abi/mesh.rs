//! Meshes of triangles as bodies.

use super::general::free;
use super::pointers::{Out, list, optional, triple, value};
use super::rows::poses;
use crate::handles::Mesh;
use crate::status::{Failure, Status, answered};
use crate::types::{MeshFacts, Poses, RelationAnswer, Side, SurfaceDistance, Truth};
use core::ffi::{CStr, c_char};
use gjk::Pose3;
use gjk_mesh::PosedBody;

/// Makes a mesh of `vertices[vertex_count][3]` and `triangles[triangle_count][3]`, which are indices of
/// vertices, counter-clockwise seen from outside. Vertices at one place are welded; nothing is repaired. Both
/// arrays may be freed afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_mesh_new(
    vertices: *const f64,
    vertex_count: usize,
    triangles: *const u32,
    triangle_count: usize,
    mesh: *mut *mut Mesh,
) -> Status {
    answered(|| {
        // SAFETY: the caller's word; three numbers lie in memory as an array of three does.
        let vertices = unsafe { list(vertices.cast::<[f64; 3]>(), vertex_count, "vertices") }?;
        // SAFETY: as above.
        let triangles = unsafe { list(triangles.cast::<[u32; 3]>(), triangle_count, "triangles") }?;
        // SAFETY: the caller's word.
        let out = unsafe { Out::new(mesh, "mesh") }?;
        out.put(Box::into_raw(Box::new(Mesh::new(vertices, triangles)?)));
        Ok(())
    })
}

/// Frees a mesh. NULL is nothing to free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_mesh_free(mesh: *mut Mesh) {
    // SAFETY: the caller's word.
    unsafe { free(mesh) };
}

/// Whether a mesh is a solid, and what was found of it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_mesh_describe(mesh: *const Mesh, facts: *mut MeshFacts) -> Status {
    answered(|| {
        // SAFETY: the caller's word.
        let mesh = unsafe { value(mesh, "mesh") }?;
        // SAFETY: the caller's word.
        let out = unsafe { Out::new(facts, "facts") }?;
        out.put(MeshFacts::from(&mesh.body));
        Ok(())
    })
}

/// Why a mesh is a surface and no solid, such as "edge 3-7 is open"; empty for a solid, and for NULL. It stays
/// as long as the mesh.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_mesh_reason(mesh: *const Mesh) -> *const c_char {
    let mut reason = c"".as_ptr();
    let _ = answered(|| {
        // SAFETY: the caller's word.
        reason =
            unsafe { optional(mesh, "mesh") }?.map_or(reason, |mesh| CStr::as_ptr(&mesh.reason));
        Ok(())
    });
    reason
}

/// A mesh at a pose, and the name of the pose.
type At = (*const Mesh, *const Poses, &'static str);

/// # Safety  the caller's word.
unsafe fn pose(pose: *const Poses, name: &str) -> Result<Pose3<f64>, Failure> {
    // SAFETY: the caller's word.
    let Some(pose) = unsafe { optional(pose, name) }? else {
        return Ok(Pose3::identity());
    };
    // SAFETY: the caller's word.
    let rows = unsafe { poses(pose, 1) }?;
    let failed = |fault| Failure::new(Status::BadPose, format!("{name}: {fault}"));
    rows.pose(0).map_err(failed)
}

/// Asks two meshes at their poses, and writes the answer.
///
/// # Safety  the caller's word.
unsafe fn ask<T>(
    [a, b]: [At; 2],
    out: *mut T,
    find: impl FnOnce(&PosedBody<'_>, &PosedBody<'_>) -> T,
) -> Result<(), Failure> {
    // SAFETY: the caller's word.
    let [mesh_a, mesh_b] =
        [(a.0, "a"), (b.0, "b")].map(|(mesh, name)| unsafe { value(mesh, name) });
    // SAFETY: the caller's word.
    let [pose_a, pose_b] = [a, b].map(|(_, at, name)| unsafe { pose(at, name) });
    // SAFETY: the caller's word.
    let out = unsafe { Out::new(out, "answer") }?;
    let [a, b] = [mesh_a?.body.at(&pose_a?), mesh_b?.body.at(&pose_b?)];
    out.put(find(&a, &b));
    Ok(())
}

/// A length that is asked about.
fn length(length: f64, name: &str) -> Result<f64, Failure> {
    if length >= 0.0 {
        return Ok(length);
    }
    let text = format!("{name} is {length}: it must be a number that is not negative");
    Err(Failure::new(Status::BadArgument, text))
}

/// How two meshes are to each other at their poses, of which the first row counts; NULL is the identity. It is
/// exact for the vertices as the poses round them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_mesh_relation(
    a: *const Mesh,
    pose_a: *const Poses,
    b: *const Mesh,
    pose_b: *const Poses,
    answer: *mut RelationAnswer,
) -> Status {
    let bodies = [(a, pose_a, "pose_a"), (b, pose_b, "pose_b")];
    // SAFETY: the caller's word.
    answered(|| unsafe { ask(bodies, answer, |a, b| a.relation(b).into()) })
}

/// Whether the surfaces of two meshes share a point, exactly; poses as of `gjk_mesh_relation`. `triangles[2]`,
/// which may be NULL, are one of each that do, by their places in the caller's lists; `UINT32_MAX` where none
/// do.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_mesh_meets(
    a: *const Mesh,
    pose_a: *const Poses,
    b: *const Mesh,
    pose_b: *const Poses,
    answer: *mut bool,
    triangles: *mut u32,
) -> Status {
    let bodies = [(a, pose_a, "pose_a"), (b, pose_b, "pose_b")];
    answered(|| {
        // SAFETY: the caller's word; two numbers lie in memory as an array of two does.
        let shown = unsafe { Out::optional(triangles.cast::<[u32; 2]>(), "triangles") }?;
        let find = |a: &PosedBody<'_>, b: &PosedBody<'_>| {
            let met = a.meets(b);
            if let Some(out) = shown {
                out.put(met.unwrap_or([u32::MAX; 2]));
            }
            met.is_some()
        };
        // SAFETY: the caller's word.
        unsafe { ask(bodies, answer, find) }
    })
}

/// The distance of the surfaces of two meshes: an interval which contains the truth, and points; poses as of
/// `gjk_mesh_relation`. Of a solid within another it is how far their surfaces are apart. `reach`: distances
/// beyond it are of no interest; `INFINITY` for any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_mesh_distance(
    a: *const Mesh,
    pose_a: *const Poses,
    b: *const Mesh,
    pose_b: *const Poses,
    reach: f64,
    answer: *mut SurfaceDistance,
) -> Status {
    let bodies = [(a, pose_a, "pose_a"), (b, pose_b, "pose_b")];
    answered(|| {
        let reach = length(reach, "reach")?;
        let find =
            |a: &PosedBody<'_>, b: &PosedBody<'_>| SurfaceDistance::of(a.distance(b, reach), reach);
        // SAFETY: the caller's word.
        unsafe { ask(bodies, answer, find) }
    })
}

/// Whether the surfaces of two meshes are at most `length` apart; poses as of `gjk_mesh_relation`.
/// `interval[2]`, which may be NULL, are the ends of the interval of the distance that tells it. It ends at the
/// first triangles that are near enough.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_mesh_closer_than(
    a: *const Mesh,
    pose_a: *const Poses,
    b: *const Mesh,
    pose_b: *const Poses,
    length: f64,
    answer: *mut Truth,
    interval: *mut f64,
) -> Status {
    let bodies = [(a, pose_a, "pose_a"), (b, pose_b, "pose_b")];
    answered(|| {
        let length = self::length(length, "length")?;
        // SAFETY: the caller's word; two numbers lie in memory as an array of two does.
        let told = unsafe { Out::optional(interval.cast::<[f64; 2]>(), "interval") }?;
        let find = |a: &PosedBody<'_>, b: &PosedBody<'_>| {
            let (known, ends) = a.closer_than(b, length);
            if let Some(out) = told {
                out.put(ends);
            }
            Truth::from(known)
        };
        // SAFETY: the caller's word.
        unsafe { ask(bodies, answer, find) }
    })
}

/// Where `point[3]` is to a solid, in the frame of its vertices, exactly.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gjk_mesh_side(
    mesh: *const Mesh,
    point: *const f64,
    side: *mut Side,
) -> Status {
    answered(|| {
        // SAFETY: the caller's word.
        let mesh = unsafe { value(mesh, "mesh") }?;
        // SAFETY: the caller's word.
        let point = unsafe { triple(point, "point") }?;
        // SAFETY: the caller's word.
        let out = unsafe { Out::new(side, "side") }?;
        if let Some(x) = point.iter().find(|x| !x.is_finite()) {
            let text = format!("point has the coordinate {x}: it must be finite");
            return Err(Failure::new(Status::BadArgument, text));
        }
        out.put(mesh.body.side_of(point).into());
        Ok(())
    })
}
