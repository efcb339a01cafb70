//! [`TriMesh`]: welded triangles that are checked once, with their shells.

use crate::boxes::BoxTree;
use crate::bvh::Tree;
use crate::by_vertex;
use crate::error::MeshError;
use crate::flat::FlatFaces;
use crate::in_place::InPlace;
use crate::shells::{self, Shell};
use crate::signs::{Point, Triangle};
use crate::topology::Topology;
use core::cmp::Ordering;
use core::hash::BuildHasher;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::sync::OnceLock;

/// The most vertices or triangles.
const COUNT_MAX: usize = (u32::MAX / 2) as usize;

/// A mesh of triangles, as it is: open or closed, in one piece or many.
///
/// Vertices are welded where they are equal as numbers. Triangles with two corners at one place have no inside and are left out; of
/// two triangles that are each other's back both are left out, because no surface of a body is there. Copies stay: shells that share
/// a face have it once each.
///
/// # Examples
/// ```
/// use gjk_mesh::{MeshKind, TriMesh};
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
/// let tetrahedron = TriMesh::new(&corners, &faces)?;
/// assert!(matches!(tetrahedron.kind(), MeshKind::Solid { shells: 1, cavities: 0, .. }));
/// let open = TriMesh::new(&corners, &faces[1..])?;
/// assert!(matches!(open.kind(), MeshKind::Surface(_)));
/// # Ok::<(), gjk_mesh::MeshError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TriMesh {
    vertices: Vec<Point>,
    triangles: Vec<[u32; 3]>,
    /// The numbers that vertices and triangles had in the input.
    vertex_sources: Vec<u32>,
    sources: Vec<u32>,
    left_out: LeftOut,
    copies: usize,
    shells: Vec<Shell>,
    shell_of: Vec<u32>,
    tree: OnceLock<BoxTree>,
    wide: OnceLock<Option<Tree>>,
    topology: OnceLock<Topology>,
    flat: OnceLock<FlatFaces>,
}

/// The triangles of the input that a mesh is without.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// With two corners at one place.
    pub collapsed: usize,
    /// In pairs that lie on one another, back to back.
    pub cancelled: usize,
}

impl TriMesh {
    /// A mesh of vertices and triangles: `vertices` is `[n]`, `triangles` are indices into it, counter-clockwise seen from outside.
    ///
    /// # Errors  no triangle; a corner that names no vertex; a corner that is not finite; more than 2³¹ − 1 of either.
    /// # Complexity  O((n + m) log(n + m)) for m triangles.
    pub fn new(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<Self, MeshError> {
        check(vertices, triangles)?;
        let (vertex_sources, triangles) = weld(vertices, triangles);
        let place = |&source: &u32| placed(vertices[source as usize]);
        let vertices: Vec<Point> = vertex_sources.iter().map(place).collect();
        let (kept, left_out, copies) = kept(&triangles, vertices.len());
        let mut triangles: Vec<[u32; 3]> = kept.iter().map(|&k| triangles[k as usize]).collect();
        let (shells, shell_of) = shells::find(&vertices, &mut triangles);
        Ok(Self {
            vertices,
            triangles,
            vertex_sources,
            sources: kept,
            left_out,
            copies,
            shells,
            shell_of,
            tree: OnceLock::new(),
            wide: OnceLock::new(),
            topology: OnceLock::new(),
            flat: OnceLock::new(),
        })
    }

    /// The vertices, each place once, in the order in which triangles name them.
    pub fn vertices(&self) -> &[[f64; 3]] {
        &self.vertices
    }

    /// The triangles as indices into [`TriMesh::vertices`]. Some may be flat, with three corners on a line, and some turned: see
    /// [`Shell::turned`].
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The number that a vertex had in the input, the first of those at its place.
    pub fn vertex_source(&self, vertex: u32) -> u32 {
        self.vertex_sources[vertex as usize]
    }

    /// The number that a triangle had in the input.
    pub fn source(&self, triangle: u32) -> u32 {
        self.sources[triangle as usize]
    }

    /// What of the input is not here.
    pub fn left_out(&self) -> LeftOut {
        self.left_out
    }

    /// How many triangles are copies of others: the same corners, facing the same way.
    pub fn copies(&self) -> usize {
        self.copies
    }

    /// The shells, in the order of their first triangles.
    pub fn shells(&self) -> &[Shell] {
        &self.shells
    }

    /// The shell of a triangle.
    pub fn shell_of(&self, triangle: u32) -> u32 {
        self.shell_of[triangle as usize]
    }

    /// The mesh where its vertices are.
    pub(crate) fn in_place(&self) -> InPlace<'_> {
        InPlace::own(self)
    }

    /// The corners of a triangle.
    pub(crate) fn corners(&self, triangle: u32) -> Triangle {
        self.triangles[triangle as usize].map(|v| self.vertices[v as usize])
    }

    /// The boxes of the triangles.
    pub(crate) fn tree(&self) -> &BoxTree {
        self.tree
            .get_or_init(|| BoxTree::new(self.triangles.len(), |k| self.corners(k)))
    }

    /// The triangles of edges and vertices.
    pub(crate) fn topology(&self) -> &Topology {
        let build = || Topology::new(&self.triangles, self.vertices.len());
        self.topology.get_or_init(build)
    }

    /// The flat faces and the kinds of edges.
    pub(crate) fn flat(&self) -> &FlatFaces {
        let build = || FlatFaces::new(&self.vertices, &self.triangles, self.topology());
        self.flat.get_or_init(build)
    }

    /// The boxes in any direction; `None` where the mesh is too large or too small for them.
    pub(crate) fn wide_tree(&self) -> Option<&Tree> {
        let build = || Tree::new(&self.vertices, &self.triangles);
        self.wide.get_or_init(build).as_ref()
    }
}

/// Triangles of polygons, each with the number of its polygon: fans from the first corners, as faces of mesh files are meant.
///
/// A polygon of fewer than three corners has none.
pub fn triangulated(faces: &[Vec<u32>]) -> (Vec<[u32; 3]>, Vec<u32>) {
    let mut triangles = Vec::with_capacity(faces.len());
    let mut face_of = Vec::with_capacity(faces.len());
    for (face, ring) in (0..).zip(faces) {
        for k in 2..ring.len() {
            triangles.push([ring[0], ring[k - 1], ring[k]]);
            face_of.push(face);
        }
    }
    (triangles, face_of)
}

fn check(vertices: &[Point], triangles: &[[u32; 3]]) -> Result<(), MeshError> {
    if triangles.is_empty() {
        return Err(MeshError::Empty);
    }
    let count = vertices.len().max(triangles.len());
    if count > COUNT_MAX {
        return Err(MeshError::TooMany { count });
    }
    for (triangle, corners) in triangles.iter().enumerate() {
        for &index in corners {
            let Some(at) = vertices.get(index as usize) else {
                return Err(MeshError::IndexOutOfRange {
                    triangle,
                    index,
                    vertices: vertices.len(),
                });
            };
            if !at.iter().all(|x| x.is_finite()) {
                return Err(MeshError::NotFinite {
                    vertex: index as usize,
                    at: *at,
                });
            }
        }
    }
    Ok(())
}

/// A vertex with one of the two zeros.
fn placed(vertex: Point) -> Point {
    vertex.map(|x| x + 0.0)
}

/// The first vertex of each place that a triangle names, and the triangles by these.
fn weld(vertices: &[Point], triangles: &[[u32; 3]]) -> (Vec<u32>, Vec<[u32; 3]>) {
    // The numbers of the places alone: a place is looked at where a number's few bits of hash say so.
    let mut at_place: HashTable<u32> = HashTable::with_capacity(vertices.len());
    let hasher = DefaultHashBuilder::default();
    let place = |old: u32| placed(vertices[old as usize]).map(f64::to_bits);
    let mut welded: Vec<u32> = Vec::with_capacity(vertices.len());
    let mut new_index = vec![u32::MAX; vertices.len()];
    let triangles = triangles
        .iter()
        .map(|corners| {
            corners.map(|old| {
                let slot = &mut new_index[old as usize];
                if *slot == u32::MAX {
                    let own = place(old);
                    let known = at_place.entry(
                        hasher.hash_one(own),
                        |&new| place(welded[new as usize]) == own,
                        |&new| hasher.hash_one(place(welded[new as usize])),
                    );
                    *slot = *known.or_insert(welded.len() as u32).get();
                    if *slot == welded.len() as u32 {
                        welded.push(old);
                    }
                }
                *slot
            })
        })
        .collect();
    (welded, triangles)
}

/// The numbers of the triangles to keep: those with three corners, less pairs that lie on one another, back to back.
/// And how many of them are copies.
fn kept(triangles: &[[u32; 3]], vertices: usize) -> (Vec<u32>, LeftOut, usize) {
    let rings = || {
        (0..).zip(triangles).filter_map(|(number, &[a, b, c])| {
            if a == b || b == c || c == a {
                return None;
            }
            // From the lowest corner; forward where the next one is lower than the last.
            let [first, next, last] = match a.min(b).min(c) {
                low if low == a => [a, b, c],
                low if low == b => [b, c, a],
                _ => [c, a, b],
            };
            let ring: [u32; 3] = [first, next.min(last), next.max(last)];
            Some((ring, next < last, number))
        })
    };
    let sorted = by_vertex::sorted(rings, vertices, |(ring, ..)| ring[0]);
    let (mut left_out, mut copied) = (LeftOut::default(), 0);
    left_out.collapsed = triangles.len() - sorted.len();
    let mut is_kept = vec![false; triangles.len()];
    for same in sorted.chunk_by(|a, b| a.0 == b.0) {
        let forward = same.iter().filter(|(_, forward, _)| *forward).count();
        let backward = same.len() - forward;
        let facing = match forward.cmp(&backward) {
            Ordering::Equal => {
                left_out.cancelled += same.len();
                continue;
            }
            more => more.is_gt(),
        };
        let pairs = forward.min(backward);
        left_out.cancelled += 2 * pairs;
        let copies = same.iter().filter(|x| x.1 == facing);
        let count = same.len() - 2 * pairs;
        for &(_, _, number) in copies.take(count) {
            is_kept[number as usize] = true;
        }
        copied += count - 1;
    }
    let kept = (0..).zip(is_kept).filter(|x| x.1).map(|x| x.0);
    (kept.collect(), left_out, copied)
}
