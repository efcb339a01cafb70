//! What a caller has by a pointer and cannot look into.

use crate::status::{Failure, Status};
use core::sync::atomic::{AtomicBool, Ordering};
use gjk::Vec3;
use gjk::shape::Shape;
use gjk_batch::SharedShapes;
use gjk_batch::rows::{RowCaches, RowFault};
use gjk_mesh::{MeshBody, MeshKind, TriMesh};
use std::ffi::CString;
use std::sync::Mutex;

/// Convex shapes by index, as rows name them. A shape that was added does not change.
#[derive(Debug, Default)]
pub struct Shapes {
    shapes: SharedShapes<Vec3<f64>>,
}

impl Shapes {
    /// The shapes as they are now.
    pub(crate) fn read(&self) -> std::sync::Arc<gjk_batch::Shapes<Vec3<f64>>> {
        self.shapes.read()
    }

    pub(crate) fn push(&self, shape: Shape<Vec3<f64>>) -> u32 {
        self.shapes.push(shape)
    }

    /// A shape of these.
    pub(crate) fn get(&self, shape: u32) -> Result<Shape<Vec3<f64>>, Failure> {
        let shapes = self.read();
        let count = shapes.len();
        let found = shapes.get(shape).cloned();
        let none = || Failure::new(Status::NoSuchShape, RowFault::NoSuchShape { shape, count });
        found.ok_or_else(none)
    }
}

/// A mesh of triangles as a body, a solid or a surface. It does not change.
#[derive(Debug)]
pub struct Mesh {
    pub(crate) body: MeshBody,
    /// Why it is a surface; empty for a solid.
    pub(crate) reason: CString,
}

impl Mesh {
    pub(crate) fn new(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<Self, Failure> {
        let mesh = TriMesh::new(vertices, triangles)
            .map_err(|error| Failure::new(Status::BadMesh, error))?;
        let body = MeshBody::new(mesh);
        let reason = match body.kind() {
            MeshKind::Solid { .. } => String::new(),
            MeshKind::Surface(reason) => reason.to_string(),
        };
        let reason = CString::new(reason).unwrap_or_default();
        Ok(Self { body, reason })
    }
}

/// A flag that stops calls of rows from another thread.
#[derive(Debug, Default)]
pub struct Cancel {
    pub(crate) flag: AtomicBool,
}

impl Cancel {
    pub(crate) fn set(&self, requested: bool) {
        self.flag.store(requested, Ordering::Relaxed);
    }
}

/// What stays of the rows of `gjk_manifold_warm` from one call to the next.
#[derive(Debug, Default)]
pub struct ManifoldCache {
    pub(crate) rows: Mutex<RowCaches>,
}

/// Every handle may be used by several threads at once.
const fn shared<T: Send + Sync>() {}
const _: () = (
    shared::<Shapes>(),
    shared::<Mesh>(),
    shared::<Cancel>(),
    shared::<ManifoldCache>(),
)
    .0;
