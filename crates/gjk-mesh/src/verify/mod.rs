//! Is the relation, the distance or the depth of two meshes true? A checker that trusts nothing but integers.
//!
//! Where it sits: beside the queries, not under them. It shares no line with trees, lanes, cones and rays: only the vertices where the query had them
//! ([`PlainBody`]) and big-integer arithmetic. Read [`verify_relation`].
//!
//! Idea: an inside is told by winding numbers alone. Where two solids overlap, a point says so: next to a pair of triangles that meet, or of a shell that
//! is within the other. That they do not is told by all pairs of triangles: a *cut* halves both bodies and gives an axis for everything that is
//! apart; at the corners of what the other pairs share, and for each set of connected triangles that meets nothing, the winding numbers of both bodies
//! around all points beside it are computed. docs/meshes.md has the theorem that this is enough.
//!
//! | answer | certificate | what is proved |
//! |---|---|---|
//! | overlapping, crossing | sights: pairs of triangles, shells | an inner point of both; for each piece, one of the other body's outside of it |
//! | separated, touching, inside, contains, equal | a cut | all that the relation says |
//! | distance | a cut, a proof for two triangles | all others are no nearer; the two are as near |
//! | depth | balls inside of pieces, a translation with a cut, covers of surfaces | thickness, escape, lower and upper ends of protrusions |
//!
//! Two surfaces have no inside. That they touch and do not cross is not proved here.
//!
//! # Complexity
//! For an overlap O(n + m) for each sight. For a cut O(n + m) for each of its levels, and for each contact point O(n + m) and the square of the
//! number of triangles there.

mod ball;
mod bodies;
mod common_points;
mod cover;
mod cut;
mod depth;
mod error;
mod near_point;
mod relation;
mod winding;

pub use depth::DepthProved;
pub use error::VerifyError;

use crate::certificate::{DepthCertificate, DistanceCertificate, PlainBody, RelationCertificate};
use crate::{Depth, Relation, SurfaceDistance};
use bodies::{GridBody, on_common_grid};
use common_points::common_points;
use gjk::shape::Triangle;
use gjk::{Pose3, Vec3};

/// Checks a relation by its certificate; true where it is proved.
///
/// # Errors  the first thing found wrong.
/// # Complexity  see the module.
pub fn verify_relation(
    bodies: [&PlainBody; 2],
    relation: Relation,
    certificate: &RelationCertificate,
) -> Result<bool, VerifyError> {
    let (bodies, grid) = on_common_grid(bodies);
    relation::check(&bodies, grid, relation, certificate)
}

/// Checks a distance by its certificate: whether its lower and its upper end are proved.
///
/// # Errors  the first thing found wrong.
/// # Complexity  see the module.
pub fn verify_distance(
    bodies: [&PlainBody; 2],
    distance: &SurfaceDistance,
    certificate: &DistanceCertificate,
) -> Result<[bool; 2], VerifyError> {
    let (on_grid, grid) = on_common_grid(bodies);
    if distance.lower > 0.0 {
        let near = cut::check(&on_grid, grid, &certificate.cut, distance.lower)?;
        if let Some(&triangles) = near.first() {
            return Err(VerifyError::NotApart { triangles });
        }
    }
    let upper = is_as_near(bodies, &on_grid, distance.upper, certificate)?;
    Ok([true, upper])
}

/// Checks a depth by its certificate: which of its numbers are proved.
///
/// # Errors  the first thing found wrong.
/// # Complexity  a cut for each ball and each piece that it is in, for the translation, and for what of a surface is outside.
pub fn verify_depth(
    bodies: [&PlainBody; 2],
    depth: &Depth,
    certificate: &DepthCertificate,
) -> Result<DepthProved, VerifyError> {
    depth::check(bodies, depth, certificate)
}

/// Whether the certificate's triangles are at most so far apart.
fn is_as_near(
    bodies: [&PlainBody; 2],
    on_grid: &[GridBody<'_>; 2],
    length: f64,
    certificate: &DistanceCertificate,
) -> Result<bool, VerifyError> {
    let triangles = certificate.triangles;
    let corners = |k: usize| {
        let numbers = bodies[k].triangles.get(triangles[k] as usize)?;
        let [a, b, c] = numbers.map(|v| bodies[k].vertices[v as usize]);
        let at = |[x, y, z]: [f64; 3]| Vec3::new(x, y, z);
        Triangle::new(at(a), at(b), at(c)).ok()
    };
    let (Some(a), Some(b)) = (corners(0), corners(1)) else {
        return Err(VerifyError::Upper("there is no such triangle".into()));
    };
    if length == 0.0 {
        let [a, b] = [0, 1].map(|k: usize| on_grid[k].corners(triangles[k]));
        return Ok(!common_points(a, b).is_empty());
    }
    let here = Pose3::identity();
    // The proof is for this length.
    let mut nearest = certificate.nearest.clone();
    let interval = &mut nearest.contact.signed_distance;
    interval.upper = length;
    interval.lower = interval.lower.min(length);
    let proved = gjk::verify::verify(&a, &here, &b, &here, &nearest)
        .map_err(|error| VerifyError::Upper(error.to_string()))?;
    Ok(proved.upper)
}

/// A piece of each body.
struct Pieces<'b> {
    bodies: [&'b GridBody<'b>; 2],
    numbers: [u32; 2],
}

/// What is known of two pieces.
#[derive(Clone, Copy, Debug, Default)]
struct PieceFacts {
    /// Inner points of both; of a surface, points that are inner ones of the other.
    overlap: bool,
    /// Inner points of one, or points of a surface, that are outside of the other.
    leaves: [bool; 2],
}

impl PieceFacts {
    /// Adds a point that is off both surfaces.
    fn add(&mut self, inside: [bool; 2]) {
        self.overlap |= inside == [true, true];
        self.leaves[0] |= inside == [true, false];
        self.leaves[1] |= inside == [false, true];
    }

    /// Adds a point of a surface that is off the solid's.
    fn add_surface(&mut self, surface: usize, is_inside: bool) {
        self.overlap |= is_inside;
        self.leaves[surface] |= !is_inside;
    }

    /// Whether nothing more can become known of two solids.
    fn is_complete(&self) -> bool {
        self.overlap && self.leaves == [true; 2]
    }
}
