//! Contact manifolds of a mesh and a convex body, without contacts at inner edges that no surface has.
//!
//! Where it sits: above `shape.rs`, which has the contact of each near triangle, `flat.rs`, which knows faces and edges, and [`gjk::query::manifold_along`], which finds the points along a normal.
//! Idea: the contact of one triangle takes its edges for those of the body, and its normal may be one that the surface does not have: a box that slides over a floor of many triangles is pushed back at each of their
//! edges. So `sort.rs` asks what of the mesh a triangle's contact belongs to: its face, an edge or a vertex, by the Voronoi region that the normal is in; a normal that is in none belongs to the face beside it.
//! `patch.rs` then finds the points along the normals of these. Triangles of one plane are one face.
//!
//! Frame: the world. Sign: normals point from the mesh to the body; a separation is negative in overlap.

mod answer;
mod patch;
mod sort;

pub use answer::{MeshManifold, MeshManifoldOptions, MeshPatch, MeshPoint, MeshSides};

use crate::body::PosedBody;
use gjk::{Pose3, Posed, Support, Vec3, Vector};

impl PosedBody<'_> {
    /// The points at which the mesh and a convex body bear on each other, or will when they come nearer by the prediction: for each normal of the surface its own.
    ///
    /// A face bears along its normal, a ridge along a normal between those of its two faces, a vertex along one between those of its faces; valleys give the contacts of both faces. Inner edges of a plane give none. So a box
    /// that lies on a floor of any triangles has the four points of its corners, and the floor's normal. Edges that triangles do not share by two vertices are borders, which bear but where a triangle of the same plane goes on.
    ///
    /// There are no patches where the distance is proved to be greater than the prediction, where a body is inside of a solid and off its surface (`contact.inside`), and behind a surface of which only the front
    /// bears. Else there is a point: where no normal of the surface is that of a triangle's contact, of those faces that the body is in it is the one that it is least deep in.
    /// # Accuracy  separations are proved intervals along the normal, as those of [`gjk::query::manifold`]; which normals there are is a choice by floats, of no proof.
    /// # Complexity  two queries for each triangle whose box is within the prediction of the body's; O(n log n) for n triangles the first time.
    /// # Examples
    /// ```
    /// use gjk::{Pose3, Vec3, shape::Cuboid};
    /// use gjk_mesh::{MeshBody, TriMesh};
    /// let corners = [[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [9.0, 9.0, 0.0], [-9.0, 9.0, 0.0]];
    /// let floor = MeshBody::new(TriMesh::new(&corners, &[[0, 1, 2], [0, 2, 3]])?);
    /// let cube = Cuboid::new(Vec3::new(0.5, 0.5, 0.5)).unwrap();
    /// let deep = Pose3::from_translation(Vec3::new(0.25, 0.0, 0.375));
    /// let found = floor.at(&Pose3::identity()).manifold(&cube, &deep, &Default::default());
    /// assert_eq!((found.patches.len(), found.patches[0].points.len()), (1, 4));
    /// assert_eq!(found.patches[0].normal, Vec3::new(0.0, 0.0, 1.0));
    /// assert!(found.patches[0].points.iter().all(|point| point.point.separation.contains(-0.125)));
    /// # Ok::<(), gjk_mesh::MeshError>(())
    /// ```
    pub fn manifold<S: Support<Vec3<f64>> + ?Sized>(
        &self,
        shape: &S,
        pose: &Pose3<f64>,
        options: &MeshManifoldOptions,
    ) -> MeshManifold {
        let prediction = options.points.prediction();
        let bounds = Posed::new(shape, *pose).bounds().map(Vector::to_f64);
        let mut near = Vec::new();
        let contact = self.contact_and_near(shape, pose, bounds, prediction, &mut |k, found| {
            let is_unit = found.normal.is_finite() && found.normal.max_abs() > 0.0;
            if is_unit && found.signed_distance.lower <= prediction {
                near.push((k, *found));
            }
        });
        near.sort_by_key(|x| x.0);
        let surface = sort::Surface::new(self, options.sides, pose.point(shape.core().center));
        let sorted = surface.sorted(&near);
        let asker = patch::Bearer {
            surface: &surface,
            shape,
            pose,
            options: options.points,
        };
        MeshManifold {
            contact,
            patches: asker.patches(&sorted, &near),
        }
    }
}
