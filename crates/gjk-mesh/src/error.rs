//! Why vertices and triangles are not a mesh.

use core::fmt;

/// What is wrong with the input of [`crate::TriMesh::new`]. Indices count from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum MeshError {
    /// There is no triangle.
    Empty,
    /// A corner names no vertex.
    IndexOutOfRange {
        /// The triangle.
        triangle: usize,
        /// The corner's index.
        index: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// A vertex of a triangle has a NaN or an infinite coordinate.
    NotFinite {
        /// The vertex.
        vertex: usize,
        /// Its coordinates.
        at: [f64; 3],
    },
    /// More triangles or vertices than 32 bits can number.
    TooMany {
        /// How many there are.
        count: usize,
    },
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "the mesh has no triangle; expected at least one"),
            Self::IndexOutOfRange {
                triangle,
                index,
                vertices,
            } => write!(
                f,
                "triangle {triangle} (counted from 0): index {index} names no vertex; there are {vertices}"
            ),
            Self::NotFinite {
                vertex,
                at: [x, y, z],
            } => write!(
                f,
                "vertex {vertex} (counted from 0): ({x}, {y}, {z}) is not finite; repair the mesh"
            ),
            Self::TooMany { count } => write!(
                f,
                "{count} is more than a mesh can have (2147483647); split it"
            ),
        }
    }
}

impl std::error::Error for MeshError {}
