//! A mesh where it is: at its own place, or where a pose takes it.
//!
//! Idea: most questions about a body at a pose reach few of its triangles, so vertices are moved when they are asked for: a triangle's
//! corners each time, or all vertices once for those who need all, or the tree of boxes along the world's axes.
//! Numbers: a vertex is moved and rounded once, and has the same bits however it was asked for.

use crate::TriMesh;
use crate::boxes::{Below, Box3, BoxTree};
use crate::bvh::{PointFrame, SearchLimits, WorldBox};
use crate::signs::{Point, Triangle, is_flat};
use gjk::{Pose3, Vec3};
use std::sync::OnceLock;

/// Where a pose takes a mesh.
#[derive(Clone, Debug)]
pub(crate) struct Moved {
    /// Where the vertices are, to a few roundings.
    pose: Pose3<f64>,
    vertices: OnceLock<Vec<Point>>,
    /// Few need it, and it is large.
    tree: OnceLock<Box<BoxTree>>,
}

impl Moved {
    pub(crate) fn by(pose: &Pose3<f64>) -> Self {
        Self {
            pose: *pose,
            vertices: OnceLock::new(),
            tree: OnceLock::new(),
        }
    }

    /// Vertices that were moved once more; the pose takes them there to a few roundings.
    pub(crate) fn to(vertices: Vec<Point>, pose: &Pose3<f64>) -> Self {
        Self {
            vertices: OnceLock::from(vertices),
            ..Self::by(pose)
        }
    }

    /// The pose that takes the vertices there, to a few roundings.
    pub(crate) fn pose(&self) -> &Pose3<f64> {
        &self.pose
    }

    fn point(&self, [x, y, z]: Point) -> Point {
        let at = self.pose.point(Vec3::new(x, y, z));
        [at.x + 0.0, at.y + 0.0, at.z + 0.0]
    }
}

/// A mesh with its vertices somewhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InPlace<'m> {
    pub(crate) mesh: &'m TriMesh,
    /// `None` where its vertices are its own.
    moved: Option<&'m Moved>,
}

impl<'m> InPlace<'m> {
    pub(crate) fn own(mesh: &'m TriMesh) -> Self {
        Self { mesh, moved: None }
    }

    pub(crate) fn moved(mesh: &'m TriMesh, moved: &'m Moved) -> Self {
        Self {
            mesh,
            moved: Some(moved),
        }
    }

    /// The pose that takes the mesh here, to a few roundings; `None` where it has not moved.
    pub(crate) fn pose(&self) -> Option<&'m Pose3<f64>> {
        self.moved.map(|moved| &moved.pose)
    }

    /// The corners of a triangle.
    pub(crate) fn corners(&self, triangle: u32) -> Triangle {
        let Some(moved) = self.moved else {
            return self.mesh.corners(triangle);
        };
        let corners = self.mesh.triangles()[triangle as usize];
        match moved.vertices.get() {
            Some(vertices) => corners.map(|v| vertices[v as usize]),
            None => corners.map(|v| self.vertex(v)),
        }
    }

    /// The first triangle of a shell; of a solid's, the first that has an area here.
    pub(crate) fn first_of(&self, shell: u32, solid: bool) -> Option<u32> {
        let first = self.mesh.shells()[shell as usize].first;
        let mut later = first..self.mesh.triangles().len() as u32;
        later.find(|&k| self.mesh.shell_of(k) == shell && !(solid && is_flat(&self.corners(k))))
    }

    /// A vertex.
    pub(crate) fn vertex(&self, vertex: u32) -> Point {
        let own = self.mesh.vertices()[vertex as usize];
        let Some(moved) = self.moved else {
            return own;
        };
        match moved.vertices.get() {
            Some(vertices) => vertices[vertex as usize],
            None => moved.point(own),
        }
    }

    /// All vertices.   # Complexity  O(n) the first time.
    pub(crate) fn vertices(&self) -> &'m [Point] {
        let own = self.mesh.vertices();
        self.moved.map_or(own, |moved| {
            moved
                .vertices
                .get_or_init(|| own.iter().map(|&p| moved.point(p)).collect())
        })
    }

    /// A box around all vertices, along the axes.
    pub(crate) fn bounds(&self) -> Box3 {
        match (self.mesh.wide_tree(), self.pose()) {
            (Some(tree), None) => *tree.bounds(),
            (Some(tree), Some(pose)) => tree.bounds().moved(pose),
            (None, _) => *self.tree().bounds(),
        }
    }

    /// Visits the triangles that are not proved to be off a segment.
    pub(crate) fn near_segment(&self, ends: [Point; 2], visit: &mut dyn FnMut(u32)) {
        let pose = self.pose().copied().unwrap_or_else(Pose3::identity);
        let tree = self.mesh.wide_tree();
        match tree.and_then(|tree| Some((tree, PointFrame::new(tree, &pose)?))) {
            Some((tree, frame)) => tree.near_segment(&frame, ends, visit),
            None => self.tree().meeting(&Box3::of(&ends), visit),
        }
    }

    /// Visits the triangles that are not proved to be farther than the limit from a shape, near ones first. `of` is a box around the shape's core,
    /// from which the shape reaches `around`, and `bounds` a box along the axes around the shape.
    pub(crate) fn near_shape(
        &self,
        (of, around): (Option<&WorldBox>, f64),
        bounds: &Box3,
        limits: &SearchLimits,
        visit: &mut dyn FnMut(u32),
    ) {
        let limit = &limits.limit;
        let pose = self.pose().copied().unwrap_or_else(Pose3::identity);
        let tree = self.mesh.wide_tree();
        let placed = tree.and_then(|tree| Some((tree, PointFrame::new(tree, &pose)?)));
        match (placed, of) {
            (Some((tree, frame)), Some(of)) => tree.near_box(&frame, of, around, limits, visit),
            _ if limit.get().is_finite() => self.meeting(&bounds.grown(limit.get()), visit),
            _ => self.tree().near(bounds, limit, visit),
        }
    }

    /// Visits the triangles whose boxes meet a box: nodes are moved when they are asked for.
    pub(crate) fn meeting(&self, other: &Box3, visit: &mut dyn FnMut(u32)) {
        let Some(pose) = self.pose() else {
            return self.mesh.tree().meeting(other, visit);
        };
        let tree = self.mesh.tree();
        let mut stack = vec![0];
        while let Some(node) = stack.pop() {
            if !tree.bounds_of_node(node).moved(pose).meets(other) {
                continue;
            }
            match tree.below(node) {
                Below::Nodes(children) => stack.extend(children),
                Below::Triangles(triangles) => {
                    let meets = |&k: &u32| Box3::of(&self.corners(k)).meets(other);
                    triangles
                        .iter()
                        .copied()
                        .filter(meets)
                        .for_each(&mut *visit);
                }
            }
        }
    }

    /// The boxes of the triangles, along the axes.   # Complexity  O(n) the first time.
    pub(crate) fn tree(&self) -> &'m BoxTree {
        let own = self.mesh.tree();
        self.moved.map_or(own, |moved| {
            moved.tree.get_or_init(|| {
                let vertices = self.vertices();
                let triangles = self.mesh.triangles();
                Box::new(own.moved(|k| triangles[k as usize].map(|v| vertices[v as usize])))
            })
        })
    }
}
