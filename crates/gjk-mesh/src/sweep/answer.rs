//! What is answered about a motion against a mesh, and why there is no answer.

use core::fmt;
use gjk::Vec3;
use gjk::query::{CastAnswer, MotionError};

/// When a motion first meets a mesh, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshCast {
    /// As of a pair of convex bodies, with the mesh as A. The normal and the points are those of one of the triangles that may be first, the one that faces the motion most. The depth of a start
    /// in contact is not known. `exit` is known of rays that leave a solid.
    pub answer: CastAnswer<Vec3<f64>>,
    /// The triangles that may be the first, by the numbers of the input, ascending: several where the motion meets an edge or a vertex, a face of several
    /// triangles, or where times are too near to be told apart. Of a start in contact those that were found to be.
    pub triangles: Vec<u32>,
    /// The start is inside of a solid, and off its surface.
    pub inside: bool,
}

/// Why a motion has no answer against a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SweepError {
    /// A surface has no inside that a motion could leave: [`gjk::query::Start::Exit`] is for solids.
    ExitOfSurface,
    /// The end of a contact is told of rays without a distance only.
    ExitOfBody,
    /// A number of the motion is wrong.
    Motion(MotionError),
}

impl From<MotionError> for SweepError {
    fn from(error: MotionError) -> Self {
        Self::Motion(error)
    }
}

impl fmt::Display for SweepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ExitOfSurface => write!(
                f,
                "start: a surface has no inside to leave; ask for hits, or for a mesh that is a solid"
            ),
            Self::ExitOfBody => write!(
                f,
                "start: the end of a contact is told of rays without a distance; ask for hits"
            ),
            Self::Motion(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SweepError {}
