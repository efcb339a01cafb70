//! What goes in and out by value: numbers with names, and plain structures.
//!
//! What a caller names by a number comes in as `uint32_t`: a value that is none of the list is an error, and not undefined.

use gjk_mesh::{MeshKind as Kind, Relation as Related, Side as SideOf};

/// The axis of a capsule, a cylinder or a cone, in the shape's own frame.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Along x.
    X = 0,
    /// Along y.
    Y = 1,
    /// Along z.
    Z = 2,
}

/// How two bodies of a row are to each other.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They share no point.
    Separated = 0,
    /// They share points of their surfaces alone.
    Touching = 1,
    /// They share volume.
    Overlapping = 2,
    /// Smooth bodies that are nearer to touching than their interval tells.
    Undecided = 3,
    /// The row is wrong: its numbers are NaN.
    WrongRow = 255,
}

/// What the numbers of `gjk_poses` are.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoseKind {
    /// No numbers: every body is where its own frame is. All zero bytes are these poses.
    Identity = 0,
    /// Twelve numbers a row: a matrix by rows, three of four. It may stretch and mirror. (Matrices by columns,
    /// as Eigen and OpenGL have them, are others.)
    Matrix3x4 = 1,
    /// Sixteen numbers a row: the same with a last row, which is 0 0 0 1.
    Matrix4x4 = 2,
    /// Four numbers a row: a quaternion x, y, z, w of any length but zero.
    QuatXyzw = 3,
    /// Four numbers a row: a quaternion w, x, y, z of any length but zero.
    QuatWxyz = 4,
}

/// Poses of bodies: maps of points of their frames to the world. Strides are in bytes, from a row to the next
/// one; 0 has one for all rows.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Poses {
    /// A `gjk_pose_kind`.
    pub kind: u32,
    /// The matrices or the quaternions.
    pub numbers: *const f64,
    /// 0, or at least the bytes of a row of `numbers`.
    pub stride: usize,
    /// Three numbers a row, beside quaternions: in the world, in the unit of the shapes. NULL for none.
    pub translation: *const f64,
    /// 0, or at least the bytes of three numbers.
    pub translation_stride: usize,
}

/// One body of each row: a shape and a pose.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Bodies {
    /// The indices of shapes.
    pub shapes: *const u32,
    /// In bytes: 0 has one shape for all rows, else at least `sizeof(uint32_t)`.
    pub shapes_stride: usize,
    /// Where they are.
    pub poses: Poses,
}

/// Where answers go: columns of as many rows as the call has, without gaps. NULL for those that are not wanted.
/// What they hold before does not matter.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    /// A `gjk_verdict` a row.
    pub verdicts: *mut u8,
    /// Lower ends of the distance, or of the signed distance: at most the truth.
    pub lower: *mut f64,
    /// Upper ends of it: at least the truth.
    pub upper: *mut f64,
    /// Three numbers a row: unit, in the world, from A to B.
    pub normals: *mut f64,
    /// Three numbers a row: a point on the surface of A, in the world.
    pub points_a: *mut f64,
    /// Three numbers a row: a point on the surface of B, in the world.
    pub points_b: *mut f64,
}

/// How rows are run. Nothing here changes a bit of an answer.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// 0: as many as there are processors; 1: the caller's thread alone; at most 1024. Threads are kept for the
    /// next call that asks for as many.
    pub threads: u32,
    /// What can stop the call, or NULL.
    pub cancel: *const crate::handles::Cancel,
}

/// Whether a mesh has an inside.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshKind {
    /// The union of closed shells, less their cavities.
    Solid = 0,
    /// The set of its triangles; `gjk_mesh_reason` says why.
    Surface = 1,
}

/// What a mesh is as a body.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeshFacts {
    /// A solid or a surface.
    pub kind: MeshKind,
    /// How many shells of a solid face outward; 0 for a surface.
    pub shells: usize,
    /// How many shells of a solid face inward, each within one that faces outward; 0 for a surface.
    pub cavities: usize,
    /// Whether two shells of a solid meet; the body is their union all the same.
    pub shells_meet: bool,
    /// Whether all of a solid faces inward; it is meant as its own outside then.
    pub inside_out: bool,
    /// Triangles that are left out because two corners are at one place.
    pub collapsed: usize,
    /// Triangles that are left out in pairs, back to back.
    pub cancelled: usize,
    /// Triangles that are copies of others, which stay.
    pub copies: usize,
}

/// How two meshes are to each other.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// They share no point.
    Separated = 0,
    /// They share points of their surfaces and nothing else. Of a surface: it does not pass to the other's
    /// other side.
    Touching = 1,
    /// Two solids share volume, and neither is within one piece of the other.
    Overlapping = 2,
    /// A surface passes through the other surface, or into a solid and out of it.
    Crossing = 3,
    /// A is within B.
    Inside = 4,
    /// B is within A.
    Contains = 5,
    /// Two solids are the same set.
    Equal = 6,
}

/// Where on a triangle a point is.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// At a corner.
    Vertex = 0,
    /// On an edge.
    Edge = 1,
    /// Inside.
    Face = 2,
}

/// The answer of `gjk_mesh_relation`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelationAnswer {
    /// The relation.
    pub relation: Relation,
    /// False where a shell crosses itself once its vertices are rounded, or no ray avoids all edges: then the
    /// relation is what is known to be true at least.
    pub exact: bool,
    /// Whether both poses are one, so that the meshes were compared in their own frame.
    pub flush: bool,
    /// Whether the surfaces meet, at the point that follows.
    pub has_contact: bool,
    /// Whether `normal` is one: false where the point is on no face of a solid.
    pub has_normal: bool,
    /// The triangles of A and of B that meet there, by their places in the caller's list; `UINT32_MAX` where
    /// there is no contact.
    pub triangles: [u32; 2],
    /// Where on its triangle the point is.
    pub features: [Feature; 2],
    /// In the world, to the rounding of its coordinates; NaN where there is no contact.
    pub point: [f64; 3],
    /// Unit, in the world, out of A and into B; NaN where there is none.
    pub normal: [f64; 3],
}

/// The answer of `gjk_mesh_distance`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceDistance {
    /// At most the distance of the surfaces.
    pub lower: f64,
    /// At least the distance of the surfaces. Infinite where they are beyond reach.
    pub upper: f64,
    /// A nearest point of A's surface, in the world; NaN where they are beyond reach, as all that follows.
    pub point_a: [f64; 3],
    /// A nearest point of B's surface, in the world.
    pub point_b: [f64; 3],
    /// Unit, from A to B; zero where the surfaces meet.
    pub normal: [f64; 3],
    /// The triangles, by their places in the caller's lists; `UINT32_MAX` where they are beyond reach.
    pub triangles: [u32; 2],
    /// Whether the search ended before its end, with an interval that holds all the same.
    pub stopped: bool,
    /// Whether the distance is proved to be more than the reach that was asked for.
    pub beyond_reach: bool,
}

/// What is known of a question.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It is proved that it is not so.
    No = 0,
    /// It is proved.
    Yes = 1,
    /// Neither is.
    Unknown = 2,
}

/// Where a point is.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Inside of the solid.
    Inside = 0,
    /// On a triangle of it.
    Boundary = 1,
    /// Outside.
    Outside = 2,
    /// The mesh is a surface, which has no inside, or no ray avoids all edges.
    Unknown = 3,
}

impl From<Option<SideOf>> for Side {
    fn from(side: Option<SideOf>) -> Self {
        match side {
            Some(SideOf::Inside) => Self::Inside,
            Some(SideOf::Boundary) => Self::Boundary,
            Some(SideOf::Outside) => Self::Outside,
            None => Self::Unknown,
        }
    }
}

impl From<Option<bool>> for Truth {
    fn from(known: Option<bool>) -> Self {
        match known {
            Some(false) => Self::No,
            Some(true) => Self::Yes,
            None => Self::Unknown,
        }
    }
}

impl From<Related> for Relation {
    fn from(relation: Related) -> Self {
        match relation {
            Related::Separated => Self::Separated,
            Related::Touching => Self::Touching,
            Related::Overlapping => Self::Overlapping,
            Related::Crossing => Self::Crossing,
            Related::Inside => Self::Inside,
            Related::Contains => Self::Contains,
            Related::Equal => Self::Equal,
        }
    }
}

impl From<gjk_mesh::Feature> for Feature {
    fn from(feature: gjk_mesh::Feature) -> Self {
        match feature {
            gjk_mesh::Feature::Vertex => Self::Vertex,
            gjk_mesh::Feature::Edge => Self::Edge,
            gjk_mesh::Feature::Face => Self::Face,
        }
    }
}

/// No triangle.
const NONE: [u32; 2] = [u32::MAX; 2];
/// No point.
const NOWHERE: [f64; 3] = [f64::NAN; 3];

impl From<gjk_mesh::RelationAnswer> for RelationAnswer {
    fn from(answer: gjk_mesh::RelationAnswer) -> Self {
        let contact = answer.contact;
        let normal = contact.and_then(|contact| contact.normal);
        Self {
            relation: answer.relation.into(),
            exact: answer.exact,
            flush: answer.flush,
            has_contact: contact.is_some(),
            has_normal: normal.is_some(),
            triangles: contact.map_or(NONE, |contact| contact.triangles),
            features: contact.map_or([Feature::Vertex; 2], |at| at.features.map(Feature::from)),
            point: contact.map_or(NOWHERE, |contact| contact.point),
            normal: normal.unwrap_or(NOWHERE),
        }
    }
}

impl SurfaceDistance {
    /// An answer; `None` for a distance beyond the reach.
    pub(crate) fn of(found: Option<gjk_mesh::SurfaceDistance>, reach: f64) -> Self {
        match found {
            Some(found) => Self {
                lower: found.lower,
                upper: found.upper,
                point_a: found.points[0],
                point_b: found.points[1],
                normal: found.normal,
                triangles: found.triangles,
                stopped: found.stopped,
                beyond_reach: false,
            },
            None => Self {
                lower: reach,
                upper: f64::INFINITY,
                point_a: NOWHERE,
                point_b: NOWHERE,
                normal: NOWHERE,
                triangles: NONE,
                stopped: false,
                beyond_reach: true,
            },
        }
    }
}

impl From<&gjk_mesh::MeshBody> for MeshFacts {
    fn from(body: &gjk_mesh::MeshBody) -> Self {
        let left_out = body.mesh().left_out();
        let surface = Self {
            kind: MeshKind::Surface,
            shells: 0,
            cavities: 0,
            shells_meet: false,
            inside_out: false,
            collapsed: left_out.collapsed,
            cancelled: left_out.cancelled,
            copies: body.mesh().copies(),
        };
        match *body.kind() {
            Kind::Surface(_) => surface,
            Kind::Solid {
                shells,
                cavities,
                shells_meet,
                inside_out,
            } => Self {
                kind: MeshKind::Solid,
                shells,
                cavities,
                shells_meet,
                inside_out,
                ..surface
            },
        }
    }
}

// The column of verdicts has the codes of the batch.
const _: () = {
    assert!(gjk_batch::rows::WRONG_ROW as u32 == Verdict::WrongRow as u32);
};

#[cfg(test)]
mod tests {
    use super::*;
    use gjk::query::Verdict as Verdict3;

    #[test]
    fn verdicts_have_the_codes_of_the_batch() {
        for (ours, theirs) in [
            (Verdict::Separated, Verdict3::Separated),
            (Verdict::Touching, Verdict3::Touching),
            (Verdict::Overlapping, Verdict3::Overlapping),
            (Verdict::Undecided, Verdict3::Undecided),
        ] {
            assert_eq!(ours as u32, u32::from(gjk_batch::rows::code(theirs)));
        }
    }
}
