//! A convex body that is proved to be inside of a part that is not convex.
//!
//! Where it sits: `screen.rs` asks for it, once a part. Read [`InnerCore::of_part`].
//! Idea: most meshes of robots are nearly convex, but for roundings or shallow dents. Their hull, made smaller about its middle, is
//! inside of them, which the exact relation of the two surfaces proves. Two cores that overlap are a proof that the parts do.
//! Numbers: the core that was proved is made smaller once more by [`CORE_ROOM`], so that what poses round does not matter.

use crate::parts::{Part, surface_of_shape};
use gjk::math::Vector;
use gjk::query::{Pair, Verdict};
use gjk::shape::{Polytope, Shape};
use gjk::{Pose3, Vec3};
use gjk_mesh::{MeshKind, Relation};
use gjk_query::convert;
use gjk_scene::Affine;

type V3 = Vec3<f64>;

/// How large a hull is tried to be, of its own size.
const CORE_SIZES_TRIED: [f64; 5] = [0.99, 0.95, 0.85, 0.7, 0.5];

/// A core is smaller by this part of itself than the one that is proved to be inside.
const CORE_ROOM: f64 = 1e-6;

/// Places farther than this from the origin, in sizes of the core's inside, round by more than a tenth of the room.
const CORE_PLACE_MAX: f64 = 1e8;

/// A convex body inside of a part, in the part's frame.
pub(crate) struct InnerCore {
    shape: Shape<V3>,
    /// How far its middle is from its faces at least.
    inside: f64,
}

impl InnerCore {
    /// The core of a part; `None` where it has no surface that encloses it, or none of the sizes fits.
    pub(crate) fn of_part(part: &Part) -> Option<Self> {
        let surface = part.surface.as_ref()?;
        let Shape::Polytope(hull) = &*part.shape else {
            return None;
        };
        if !matches!(surface.kind(), MeshKind::Solid { .. }) {
            return None;
        }
        let vertices = hull.vertices();
        let sum = vertices.iter().fold(V3::ZERO, |sum, &vertex| sum + vertex);
        let middle = sum * (1.0 / vertices.len() as f64);
        let smaller = |size: f64| {
            let points: Vec<V3> = vertices
                .iter()
                .map(|&x| middle + (x - middle) * size)
                .collect();
            Polytope::new(&points).ok().map(Shape::Polytope)
        };
        let here = Pose3::identity();
        let fits = |size: &f64| {
            let core = smaller(*size).and_then(|shape| surface_of_shape(&shape));
            core.is_some_and(|core| {
                let answer = surface.at(&here).relation(&core.at(&here));
                answer.exact && answer.relation == Relation::Contains
            })
        };
        let size = CORE_SIZES_TRIED.into_iter().find(fits)?;
        let shape = smaller(size * (1.0 - CORE_ROOM))?;
        Some(Self {
            shape,
            inside: size * inside_of(hull, middle)?,
        })
    }

    /// Whether two cores overlap, at these poses of their parts.
    pub(crate) fn overlaps(&self, at: &Affine, other: &Self, other_at: &Affine) -> bool {
        let (pose, other_pose): (Pose3<f64>, Pose3<f64>) =
            (convert::affine(at), convert::affine(other_at));
        let has_room = |core: &Self, pose: &Pose3<f64>| {
            let place = pose.translation().norm();
            pose.uniform_scale()
                .is_some_and(|scale| place < CORE_PLACE_MAX * scale * core.inside)
        };
        has_room(self, &pose)
            && has_room(other, &other_pose)
            && Pair::new(&self.shape, &pose, &other.shape, &other_pose)
                .intersects()
                .verdict
                == Verdict::Overlapping
    }
}

/// How far a point inside of a hull is from its faces at least.
fn inside_of(hull: &Polytope<V3>, middle: V3) -> Option<f64> {
    let point = gjk::shape::Point::new(middle).ok()?;
    let here = Pose3::identity();
    let contact = Pair::new(hull, &here, &point, &here).contact();
    Some(-contact.signed_distance.upper).filter(|inside| *inside > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::{Anchor, Fidelity};
    use crate::states::Splitmix64;
    use gjk_mesh::{MeshBody, TriMesh};
    use std::sync::Arc;

    /// A cube whose top has its middle this far below the rim.
    fn dented(depth: f64) -> Part {
        let mut vertices: Vec<[f64; 3]> = (0..8)
            .map(|k| [0, 1, 2].map(|bit| if k >> bit & 1 == 0 { -1.0 } else { 1.0 }))
            .collect();
        vertices.push([0.0, 0.0, 1.0 - depth]);
        let triangles = [
            [0, 2, 1],
            [1, 2, 3],
            [0, 1, 4],
            [1, 5, 4],
            [1, 3, 5],
            [3, 7, 5],
            [3, 2, 7],
            [2, 6, 7],
            [2, 0, 6],
            [0, 4, 6],
            [4, 5, 8],
            [5, 7, 8],
            [7, 6, 8],
            [6, 4, 8],
        ];
        let mesh = TriMesh::new(&vertices, &triangles).unwrap_or_else(|error| panic!("{error}"));
        let points: Vec<V3> = vertices.iter().map(|&p| V3::from_f64(p)).collect();
        let hull = Polytope::new(&points).unwrap_or_else(|error| panic!("{error}"));
        Part {
            source: "dented".into(),
            shape: Arc::new(Shape::Polytope(hull)),
            fidelity: Fidelity::Solid { shells: 1 },
            surface: Some(Arc::new(MeshBody::new(mesh))),
            anchor: Anchor::World(Affine::IDENTITY),
            in_anchor: Affine::IDENTITY,
            scene_body: 0,
        }
    }

    /// A core keeps out of the dent: about its middle it is as large as the dent leaves it, of the sizes that are tried.
    #[test]
    fn a_core_is_as_large_as_a_dent_lets_it_be() {
        // The middle of the hull's eight corners is the cube's; the dent is an inverted pyramid.
        for (depth, expected) in [
            (0.005, Some(0.99)),
            (0.04, Some(0.95)),
            (0.25, Some(0.7)),
            (0.6, None),
        ] {
            let core = InnerCore::of_part(&dented(depth));
            let found = core.as_ref().map(|core| core.inside);
            match (found, expected) {
                (None, None) => {}
                (Some(found), Some(expected)) => {
                    assert!((found - expected).abs() < 1e-9, "{depth}: {found}")
                }
                other => panic!("{depth}: {other:?}"),
            }
        }
    }

    /// Cores that overlap are of solids that do, whatever the poses.
    #[test]
    fn cores_that_overlap_are_of_solids_that_do() {
        let part = dented(0.04);
        let core = InnerCore::of_part(&part).unwrap_or_else(|| panic!("no core"));
        let surface = part
            .surface
            .as_ref()
            .unwrap_or_else(|| panic!("no surface"));
        let mut draw = Splitmix64(5);
        let mut counts = [0, 0];
        for _ in 0..400 {
            let mut unit = || 2.0 * draw.unit() - 1.0;
            let mut place = || {
                let turn = Affine::from_quaternion([unit(), unit(), unit(), unit()]);
                Affine {
                    translation: [1.3 * unit(), 1.3 * unit(), 1.3 * unit()],
                    ..turn
                }
            };
            let (a, b) = (place(), place());
            let overlap = core.overlaps(&a, &core, &b);
            let relation = surface
                .at(&convert::affine(&a))
                .relation(&surface.at(&convert::affine(&b)))
                .relation;
            let solids = !matches!(relation, Relation::Separated | Relation::Touching);
            assert!(solids || !overlap);
            counts[0] += usize::from(solids);
            counts[1] += usize::from(overlap);
        }
        assert!(
            counts[0] > 100 && counts[1] * 20 > counts[0] * 17,
            "{counts:?}"
        );
    }
}
