//! A convex body that is proved to be inside of a part that is not convex.
//!
//! Where it sits: `screen.rs` asks for it, once a part. Read [`InnerCore::of_part`].
//! Idea: most meshes of robots are nearly convex, but for roundings or shallow dents. Their hull, made smaller about its middle, is
//! inside of them, which the exact relation to its triangles proves. Two cores that overlap are a proof that the parts do.
//! Numbers: the core that was proved is made smaller once more by [`CORE_ROOM`], so that what poses round does not matter.

use crate::broad_phase::Aabb;
use crate::parts::{Body, Part};
use gjk::math::Vector;
use gjk::query::{Pair, Verdict};
use gjk::shape::{Point, Polytope, Shape};
use gjk::{Pose3, Posed, Vec3};
use gjk_mesh::MeshKind;
use gjk_query::convert;
use gjk_scene::Affine;
use std::sync::{Arc, OnceLock};

/// A point in space.
pub(crate) type V3 = Vec3<f64>;

/// How large a hull is tried to be, of its own size.
const CORE_SIZES_TRIED: [f64; 5] = [0.99, 0.95, 0.85, 0.7, 0.5];

/// A core is smaller by this part of itself than the one that is proved to be inside.
const CORE_ROOM: f64 = 1e-6;

/// Places farther than this from the origin, in sizes of the core's inside, round by more than a tenth of the room.
const CORE_PLACE_MAX: f64 = 1e8;

/// A convex body inside of a part: its hull, made smaller.
pub(crate) struct InnerCore {
    hull: Arc<Shape<V3>>,
    /// From the hull to the core, in the part's frame.
    smaller: Affine,
    /// How far its middle is from its faces at least.
    inside: f64,
}

/// The cores of bodies' parts, each found when it is first asked for.
pub struct InnerCores {
    of: Vec<Vec<OnceLock<Option<InnerCore>>>>,
}

impl InnerCores {
    /// Of none so far.
    #[must_use]
    pub fn new(bodies: &[Body]) -> Self {
        let parts = |body: &Body| body.parts.iter().map(|_| OnceLock::new()).collect();
        Self {
            of: bodies.iter().map(parts).collect(),
        }
    }

    /// The core of a body's part.
    pub(crate) fn of(&self, (body, index): (usize, usize), part: &Part) -> Option<&InnerCore> {
        let core = &self.of[body][index];
        core.get_or_init(|| InnerCore::of_part(part)).as_ref()
    }
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
            let place = middle * (1.0 - size);
            Affine {
                translation: [place.x, place.y, place.z],
                ..Affine::IDENTITY.scaled([size; 3])
            }
        };
        let placed = surface.at(&Pose3::identity());
        let mesh = surface.mesh();
        // A dent's deepest corner tells most sizes that do not fit, for a hundredth of what the triangles cost.
        let holds_corner = |pose: &Pose3<f64>| {
            mesh.vertices().iter().any(|&corner| {
                let corner = Point::new(V3::from_f64(corner)).ok();
                let here = Pose3::identity();
                corner.is_none_or(|corner| {
                    let pair = Pair::new(&corner, &here, &*part.shape, pose);
                    pair.intersects().verdict != Verdict::Separated
                })
            })
        };
        let fits = |size: &f64| {
            let pose: Pose3<f64> = convert::affine(&smaller(*size));
            if holds_corner(&pose) {
                return false;
            }
            let bounds = Aabb::of(&Posed::new(&*part.shape, pose)).corners();
            let found = placed.contact_with(&*part.shape, &pose, bounds, 0.0);
            found.verdict == Verdict::Overlapping && found.inside && found.exact
        };
        let size = CORE_SIZES_TRIED.into_iter().find(fits)?;
        Some(Self {
            hull: part.shape.clone(),
            smaller: smaller(size * (1.0 - CORE_ROOM)),
            inside: size * inside_of(hull, middle)?,
        })
    }

    /// Whether two cores overlap, at these poses of their parts.
    pub(crate) fn overlaps(&self, at: &Affine, other: &Self, other_at: &Affine) -> bool {
        let placed = |core: &Self, at: &Affine| -> Option<Pose3<f64>> {
            let pose: Pose3<f64> = convert::affine(&at.compose(&core.smaller));
            let room = CORE_PLACE_MAX * core.inside * pose.uniform_scale()?;
            (pose.translation().norm() < room).then_some(pose)
        };
        let (Some(pose), Some(other_pose)) = (placed(self, at), placed(other, other_at)) else {
            return false;
        };
        let pair = Pair::new(&*self.hull, &pose, &*other.hull, &other_pose);
        pair.intersects().verdict == Verdict::Overlapping
    }
}

/// How far a point inside of a hull is from its faces at least.
fn inside_of(hull: &Polytope<V3>, middle: V3) -> Option<f64> {
    let point = Point::new(middle).ok()?;
    let here = Pose3::identity();
    let contact = Pair::new(hull, &here, &point, &here).contact();
    Some(-contact.signed_distance.upper).filter(|inside| *inside > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::{Anchor, Fidelity};
    use crate::states::Splitmix64;
    use gjk_mesh::{MeshBody, Relation, TriMesh};

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
            extent: 1.0,
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
