//! The calls into C++ and the types that cross; the mirror of `cpp/gjk_bench.hpp`.

use crate::{Answer, Mode, Motion, Op, POINT_PAIRS_MAX, Pair, Pairs, Planar, Query, Shape, Spatial, Unsupported, Workload};
use std::{
    ffi::{CStr, CString, c_char},
    ptr::{self, NonNull},
};

#[repr(C)]
struct RawShape {
    size: [f64; 3],
    vertices: *const [f64; 3],
    triangles: *const [u32; 3],
    vertex_count: u32,
    triangle_count: u32,
    kind: u32,
}

#[repr(C)]
struct RawPose {
    rotation: [f64; 4],
    translation: [f64; 3],
}

#[repr(C)]
struct RawMotion {
    linear: [f64; 3],
    angular: [f64; 3],
}

#[repr(C)]
struct RawPair {
    shapes: [usize; 2],
    poses: [RawPose; 2],
    motions: [RawMotion; 2],
}

#[repr(C)]
struct RawWorkload {
    shapes: *const RawShape,
    shape_count: usize,
    pairs: *const RawPair,
    pair_count: usize,
    within: f64,
    dimension: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct RawAnswer {
    verdict: f64,
    value: f64,
    normal: [f64; 3],
    witnesses: [[f64; 3]; 2],
    manifold: [[[f64; 3]; 2]; POINT_PAIRS_MAX],
    manifold_count: usize,
}

/// A scene of the C++ side.
#[repr(C)]
struct RawScene {
    _opaque: [u8; 0],
}

unsafe extern "C" {
    fn gjk_bench_version() -> *const c_char;
    fn gjk_bench_prepare(
        engine: *const c_char,
        query: u32,
        mode: u32,
        workload: *const RawWorkload,
        why: *mut c_char,
        why_size: usize,
    ) -> *mut RawScene;
    fn gjk_bench_pass(scene: *mut RawScene);
    fn gjk_bench_answer(scene: *const RawScene, pair: usize, answer: *mut RawAnswer);
    fn gjk_bench_free(scene: *mut RawScene);
}

/// The library's version.
pub(super) fn version() -> String {
    // SAFETY: The function takes nothing and returns a string of static lifetime, ended by a zero.
    let version = unsafe { CStr::from_ptr(gjk_bench_version()) };
    version.to_string_lossy().into_owned()
}

/// The vertices in three coordinates; empty for what has none.
fn vertices(shape: &Shape) -> Vec<[f64; 3]> {
    match shape {
        Shape::Hull { vertices, .. } | Shape::Mesh { vertices, .. } => vertices.clone(),
        Shape::Polygon { vertices } => vertices.iter().map(|&[x, y]| [x, y, 0.0]).collect(),
        _ => Vec::new(),
    }
}

/// The result points to `vertices` and into `shape`.
fn raw_shape(shape: &Shape, vertices: &[[f64; 3]]) -> Option<RawShape> {
    let (kind, size) = match *shape {
        Shape::Ball { radius } => (0, [radius, 0.0, 0.0]),
        Shape::Box { half } => (1, half),
        Shape::Capsule { half, radius } => (2, [half, radius, 0.0]),
        Shape::Cylinder { half, radius } => (3, [half, radius, 0.0]),
        Shape::Cone { half, radius } => (4, [half, radius, 0.0]),
        Shape::Ellipsoid { radii } => (5, radii),
        Shape::Hull { .. } => (6, [0.0; 3]),
        Shape::Rectangle { half: [x, y] } => (7, [x, y, 0.0]),
        Shape::Polygon { .. } => (8, [0.0; 3]),
        Shape::Mesh { .. } => (9, [0.0; 3]),
    };
    let triangles = match shape {
        Shape::Hull { triangles, .. } | Shape::Mesh { triangles, .. } => &triangles[..],
        _ => &[],
    };
    Some(RawShape {
        size,
        vertices: vertices.as_ptr(),
        triangles: triangles.as_ptr(),
        vertex_count: u32::try_from(vertices.len()).ok()?,
        triangle_count: u32::try_from(triangles.len()).ok()?,
        kind,
    })
}

fn raw_pairs(pairs: &Pairs) -> Vec<RawPair> {
    match pairs {
        Pairs::Planar(pairs) => pairs.iter().map(|pair| raw_pair(pair, raw_planar)).collect(),
        Pairs::Spatial(pairs) => pairs.iter().map(|pair| raw_pair(pair, raw_spatial)).collect(),
    }
}

fn raw_pair<P: Copy>(pair: &Pair<P>, pose: impl Fn(P) -> RawPose) -> RawPair {
    let motions = pair.motions.map(|Motion { linear, angular }| RawMotion { linear, angular });
    RawPair { shapes: pair.shapes, poses: pair.poses.map(pose), motions }
}

fn raw_planar(Planar { rotation: [cos, sin], translation: [x, y] }: Planar) -> RawPose {
    RawPose { rotation: [cos, sin, 0.0, 0.0], translation: [x, y, 0.0] }
}

fn raw_spatial(Spatial { rotation, translation }: Spatial) -> RawPose {
    RawPose { rotation, translation }
}

/// Owns a scene of the C++ side.
pub struct Scene {
    scene: NonNull<RawScene>,
    pairs: usize,
}

impl Scene {
    pub(super) fn prepare(engine: &str, op: Op, workload: &Workload) -> Result<Self, Unsupported> {
        let engine = CString::new(engine).map_err(|error| Unsupported::new(error.to_string()))?;
        let vertices: Vec<Vec<[f64; 3]>> = workload.shapes.iter().map(vertices).collect();
        let shapes = workload.shapes.iter().zip(&vertices).map(|(shape, vertices)| raw_shape(shape, vertices));
        let shapes: Option<Vec<RawShape>> = shapes.collect();
        let shapes = shapes.ok_or_else(|| Unsupported::new("a shape of more than 2^32 elements"))?;
        let pairs = raw_pairs(&workload.pairs);
        let raw = RawWorkload {
            shapes: shapes.as_ptr(),
            shape_count: shapes.len(),
            pairs: pairs.as_ptr(),
            pair_count: pairs.len(),
            within: workload.within,
            dimension: if matches!(workload.pairs, Pairs::Planar(_)) { 2 } else { 3 },
        };
        let query = match op.query {
            Query::Bool => 0,
            Query::Dist => 1,
            Query::Pen => 2,
            Query::Meet => 3,
            Query::SurfaceDist => 4,
            Query::Within => 5,
            Query::Build => 6,
            Query::Ray => 7,
            Query::Cast => 8,
            Query::CastBool => 9,
            Query::Toi => 10,
            Query::Manifold => 11,
        };
        let mode = match op.mode {
            Mode::Single => 0,
            Mode::Batch => 1,
            Mode::Cold => 2,
            Mode::Warm => 3,
        };
        let mut why = [0_u8; 512];
        // SAFETY: The types mirror those of the header. All pointers are to memory that outlives the call, with the
        // counts beside them (an empty hull's pointers dangle, with counts of 0); the indices of pairs and triangles were
        // checked by the workload's parser. The callee keeps none of them and writes at most `why.len()` bytes to `why`,
        // with an ending zero.
        let scene = unsafe {
            gjk_bench_prepare(engine.as_ptr(), query, mode, &raw const raw, why.as_mut_ptr().cast(), why.len())
        };
        let Some(scene) = NonNull::new(scene) else {
            let why = CStr::from_bytes_until_nul(&why).unwrap_or_default();
            return Err(Unsupported(why.to_string_lossy().into_owned()));
        };
        Ok(Self { scene, pairs: pairs.len() })
    }

    pub(super) fn pass(&mut self) {
        // SAFETY: The scene came from `gjk_bench_prepare` and was not freed; the borrow is exclusive.
        unsafe { gjk_bench_pass(self.scene.as_ptr()) }
    }

    pub(super) fn answers(&self) -> Vec<Answer> {
        let said = |vector: [f64; 3]| vector.iter().all(|x| !x.is_nan()).then_some(vector);
        let answer = |pair| {
            let mut raw = RawAnswer {
                verdict: f64::NAN,
                value: f64::NAN,
                normal: [f64::NAN; 3],
                witnesses: [[f64::NAN; 3]; 2],
                manifold: [[[f64::NAN; 3]; 2]; POINT_PAIRS_MAX],
                manifold_count: 0,
            };
            // SAFETY: As above; `pair` is below the scene's count of pairs, and `raw` is valid for the write.
            unsafe { gjk_bench_answer(self.scene.as_ptr(), pair, ptr::from_mut(&mut raw)) };
            let [a, b] = raw.witnesses.map(said);
            Answer {
                verdict: (!raw.verdict.is_nan()).then_some(raw.verdict != 0.0),
                value: (!raw.value.is_nan()).then_some(raw.value),
                normal: said(raw.normal),
                witnesses: a.zip(b).map(|(a, b)| [a, b]),
                manifold: raw.manifold.into_iter().take(raw.manifold_count).collect(),
            }
        };
        (0..self.pairs).map(answer).collect()
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        // SAFETY: The scene came from `gjk_bench_prepare` and is freed once, here.
        unsafe { gjk_bench_free(self.scene.as_ptr()) }
    }
}
