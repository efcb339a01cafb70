//! How convex parts relate to the mesh that they stand for: a decomposition, proved.
//!
//! *Containment*: is the mesh's surface within the union of the parts' hulls. *Undershoot*: how far the surface leaves the union. *Overshoot*: how far the union's
//! boundary is from the mesh: from the solid, or from the triangles of a surface. *Volume* of the union.
//!
//! Idea: what of a triangle is outside of convex bodies is found exactly (`clip.rs`): of the mesh's triangles that decides containment, and of the parts' facets it is
//! the union's boundary. Distances are then looked for on these pieces only (`farthest.rs`), so that cut planes which parts share cost nothing.
//! The union's boundary bounds its volume.
//!
//! Two bodies A and B in whose place unions of parts stand, which contain them, are as far apart as the unions at least, and at most by both
//! overshoots more.
//!
//! Frame: the mesh's own; parts are in it too.

mod clip;
mod farthest;
mod target;
mod volume;

use crate::body::{MeshBody, PosedBody};
use crate::boxes::{Box3, BoxTree};
use crate::depth::cell::Cell;
use crate::relation::Relation;
use crate::signs::{Point, Triangle, side};
use crate::{MeshKind, TriMesh, triangulated};
use clip::{CutBudget, Remains, outside};
use core::cmp::Ordering;
pub use farthest::Farthest;
use farthest::{FarCell, farthest};
use gjk::Pose3;
use gjk::hull::{HullError, SpatialHull, convex_hull_3};
use gjk::query::Interval;
use gjk_exact::{Class, classify};
use std::collections::HashMap;
use target::{MeshTarget, Target, UnionTarget};
use volume::{VolumeSum, volume};

/// So many points of a piece are tried for one that is in no part.
const WITNESSES: usize = 16;

/// The hull of a part, with a volume.
#[derive(Clone, Debug)]
pub(crate) struct HullPart {
    vertices: Vec<Point>,
    /// Three points of each facet, counter-clockwise seen from outside.
    planes: Vec<Triangle>,
    /// The facets as triangles, and the facet of each.
    triangles: Vec<Triangle>,
    tree: BoxTree,
    volume: Interval<f64>,
}

/// Convex parts: the hulls of sets of points.
///
/// # Examples
/// ```
/// use gjk_mesh::{Containment, ConvexParts, MeshBody, PartsOptions, TriMesh};
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let mesh = TriMesh::new(&corners, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
/// let parts = ConvexParts::new([&corners[..]])?;
/// let answer = parts.against(&MeshBody::new(mesh), &PartsOptions::default());
/// assert_eq!(answer.containment, Containment::Contained);
/// assert_eq!(answer.overshoot.distance.lower, 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ConvexParts {
    parts: Vec<HullPart>,
    flat: Vec<usize>,
}

/// How precise the answer is, and how much work it may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartsOptions {
    /// Undershoot and overshoot are known to this part of themselves.
    pub relative: f64,
    /// So many cells are looked at for each of them, beside those that the search begins with.
    pub cells_max: usize,
    /// So many cuts of pieces by planes are made for the mesh, and as many for the parts.
    pub cuts_max: usize,
}

impl Default for PartsOptions {
    fn default() -> Self {
        Self {
            relative: 0.01,
            cells_max: 1 << 17,
            cuts_max: 1 << 24,
        }
    }
}

/// Whether a mesh's surface is within the union of parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Containment {
    /// It is.
    Contained,
    /// It is not: there is such a triangle.
    Outside {
        /// The triangle, by its number in the input.
        triangle: u32,
        /// A point of it outside of the union, rounded.
        point: [f64; 3],
        /// The point's distance to the union: zero at least, where the point is outside by less than its rounding.
        distance: Interval<f64>,
    },
    /// The cuts that were allowed were not enough, and no triangle was found that is outside.
    Undecided,
}

/// How parts relate to a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct PartsAnswer {
    /// Whether the mesh's surface is within the union.
    pub containment: Containment,
    /// How many triangles of the mesh are not within the union as a whole.
    pub triangles_outside: usize,
    /// The part of the mesh's area that is outside, to a few roundings.
    pub area_outside: f64,
    /// How far the mesh's surface is from the union.
    pub undershoot: Farthest,
    /// How far the union's boundary is from the mesh.
    pub overshoot: Farthest,
    /// Pairs of parts whose insides meet.
    pub overlapping_pairs: usize,
    /// The union's volume.
    pub volume: Interval<f64>,
    /// The mesh's volume; `None` of a surface, and of a solid of several pieces, which may overlap.
    pub mesh_volume: Option<Interval<f64>>,
}

/// What of some triangles is outside of a union.
#[derive(Default)]
struct Outer {
    cells: Vec<FarCell>,
    /// Triangles with something outside.
    count: usize,
    /// The area outside, and that of all triangles.
    areas: [f64; 2],
    /// Of the largest piece: its area, its triangle, its corners.
    largest: Option<(f64, u32, Vec<Point>)>,
    stopped: bool,
}

impl HullPart {
    /// The hull of points; `None` where it has no volume.
    fn new(points: &[Point]) -> Result<Option<Self>, HullError> {
        let SpatialHull::Polyhedron(hull) = convex_hull_3(points)? else {
            return Ok(None);
        };
        let corner = |k: u32| points[k as usize].map(|x| x + 0.0);
        let (triangles, _) = triangulated(&hull.faces);
        let triangles: Vec<Triangle> = triangles.iter().map(|t| t.map(corner)).collect();
        let plane = |face: &Vec<u32>| {
            Some([
                corner(*face.first()?),
                corner(*face.get(1)?),
                corner(*face.get(2)?),
            ])
        };
        Ok(Some(Self {
            vertices: hull.vertices.iter().map(|&k| corner(k)).collect(),
            planes: hull.faces.iter().filter_map(plane).collect(),
            tree: BoxTree::new(triangles.len(), |k| triangles[k as usize]),
            volume: volume(triangles.iter().copied(), false),
            triangles,
        }))
    }

    fn bounds(&self) -> &Box3 {
        self.tree.bounds()
    }

    /// Whether a point is in the part, or on its boundary.
    fn holds(&self, point: Point) -> bool {
        self.bounds().holds(&Box3::of(&[point]))
            && self.planes.iter().all(|plane| side(plane, point).is_le())
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.bounds().meets(other.bounds())
            && matches!(
                classify(3, &self.vertices, &other.vertices, [0.0; 3]),
                None | Some(Class::Overlapping { .. })
            )
    }

    /// Whether this part is on the inner side of a triangle in whose plane one of its facets is; `None` if none is.
    fn faces_as(&self, triangle: &Triangle) -> Option<bool> {
        let in_plane = |plane: &Triangle| triangle.iter().all(|&p| side(plane, p).is_eq());
        self.planes.iter().find(|plane| in_plane(plane))?;
        let mut sides = self.vertices.iter().map(|&p| side(triangle, p));
        sides.find(|side| side.is_ne()).map(Ordering::is_lt)
    }
}

impl ConvexParts {
    /// The hulls of sets of points, each a part.
    ///
    /// # Errors  a set without points, with a coordinate that is not finite, or with too many points.
    /// # Complexity  O(n log n) as a rule.
    pub fn new<'p>(parts: impl IntoIterator<Item = &'p [[f64; 3]]>) -> Result<Self, HullError> {
        let mut all = Self {
            parts: Vec::new(),
            flat: Vec::new(),
        };
        for (number, points) in parts.into_iter().enumerate() {
            match HullPart::new(points)? {
                Some(part) => all.parts.push(part),
                None => all.flat.push(number),
            }
        }
        Ok(all)
    }

    /// The numbers of the parts that are flat: without a volume they are left out of the union.
    pub fn flat(&self) -> &[usize] {
        &self.flat
    }

    /// How the parts relate to a mesh.
    ///
    /// # Accuracy  containment is exact, and so is what is measured; distances and volumes are proved intervals.
    /// # Complexity  a few signs for each triangle and each facet of parts around it; exact cuts where a triangle leaves a part.
    pub fn against(&self, mesh: &MeshBody, options: &PartsOptions) -> PartsAnswer {
        let here = Pose3::identity();
        let posed = mesh.at(&here);
        let union = UnionTarget(&self.parts);
        let surface = self.surface_outside(mesh.mesh(), options);
        let undershoot = farthest(
            &union,
            surface.cells,
            options.relative,
            options.cells_max,
            |_| false,
        );
        let (boundary, sources) = self.boundary(options);
        let overlapping_pairs = self.overlapping_pairs();
        let volume = self.volume(&boundary, overlapping_pairs);
        let overshoot = overshoot(&posed, boundary.cells, &sources, options);
        let containment = match surface.largest {
            Some((_, triangle, corners)) => {
                let (point, distance) = witness(&union, &corners);
                Containment::Outside {
                    triangle: mesh.mesh().source(triangle),
                    point,
                    distance,
                }
            }
            None if surface.stopped => Containment::Undecided,
            None => Containment::Contained,
        };
        let [area_outside, area] = surface.areas;
        PartsAnswer {
            containment,
            triangles_outside: surface.count,
            area_outside: if area > 0.0 { area_outside / area } else { 0.0 },
            undershoot,
            overshoot,
            overlapping_pairs,
            volume,
            mesh_volume: mesh_volume(&posed),
        }
    }

    /// What of a mesh's surface is outside of the union.
    fn surface_outside(&self, mesh: &TriMesh, options: &PartsOptions) -> Outer {
        let mut outer = Outer::default();
        let mut budget = CutBudget(options.cuts_max);
        for k in 0..mesh.triangles().len() as u32 {
            let triangle = mesh.corners(k);
            let around = Box3::of(&triangle);
            let near = self
                .parts
                .iter()
                .filter(|part| part.bounds().meets(&around));
            let planes = near.map(|part| part.planes.as_slice());
            outer.add(k, &triangle, &outside(&triangle, planes, &mut budget));
        }
        outer
    }

    /// The union's boundary, and the facets' triangles that its cells are pieces of.
    ///
    /// What of a facet is within another part is no boundary. Where facets of two parts share an area and face opposite ways, the union goes on; where they
    /// face one way, it is boundary once.
    fn boundary(&self, options: &PartsOptions) -> (Outer, Vec<Triangle>) {
        let (mut outer, mut sources) = (Outer::default(), Vec::new());
        let mut budget = CutBudget(options.cuts_max);
        for (own, part) in self.parts.iter().enumerate() {
            for triangle in &part.triangles {
                let around = Box3::of(triangle);
                let others = self.parts.iter().enumerate().filter(|(other, part)| {
                    *other != own
                        && part.bounds().meets(&around)
                        && (*other < own || part.faces_as(triangle) != Some(true))
                });
                let planes = others.map(|(_, part)| part.planes.as_slice());
                let remains = outside(triangle, planes, &mut budget);
                outer.add(sources.len() as u32, triangle, &remains);
                sources.push(*triangle);
            }
        }
        (outer, sources)
    }

    fn overlapping_pairs(&self) -> usize {
        let pairs = self.parts.iter().enumerate();
        pairs
            .map(|(k, part)| {
                let after = self.parts[k + 1..].iter();
                after.filter(|other| part.overlaps(other)).count()
            })
            .sum()
    }

    /// The union's volume: what its boundary encloses; at most the sum of the parts', and that sum where no two overlap.
    fn volume(&self, boundary: &Outer, overlapping_pairs: usize) -> Interval<f64> {
        let each = || self.parts.iter().map(|part| part.volume);
        // A sum of positive numbers is off by fewer roundings than it has terms.
        let rounding = self.parts.len() as f64 * f64::EPSILON;
        let upper = each().map(|one| one.upper).sum::<f64>() * (1.0 + rounding);
        let lower = if overlapping_pairs == 0 {
            each().map(|one| one.lower).sum::<f64>() * (1.0 - rounding)
        } else {
            each().map(|one| one.lower).fold(0.0, f64::max)
        };
        if boundary.stopped || overlapping_pairs == 0 {
            return Interval { lower, upper };
        }
        let apex = self.parts.first().map_or([0.0; 3], |part| part.vertices[0]);
        let mut sum = VolumeSum::over(apex);
        for piece in &boundary.cells {
            sum.add(&piece.cell.corners(), piece.cell.slack());
        }
        let enclosed = sum.volume(false);
        let lower = lower.max(enclosed.lower);
        Interval {
            lower,
            upper: upper.min(enclosed.upper).max(lower),
        }
    }
}

impl Outer {
    /// Adds what of a triangle is outside.
    fn add(&mut self, number: u32, triangle: &Triangle, remains: &Remains) {
        let area = area(triangle);
        self.areas[1] += area;
        self.stopped |= !remains.complete;
        if remains.complete && !remains.pieces.is_empty() {
            self.count += 1;
        }
        for piece in &remains.pieces {
            let (triangles, slack) = piece.triangles(triangle);
            self.cells.extend(triangles.iter().map(|&corners| FarCell {
                cell: Cell::with_slack(corners, slack),
                counts: remains.complete,
                source: number,
            }));
            if !remains.complete {
                continue;
            }
            let outside = area * piece.share();
            self.areas[0] += outside;
            if self
                .largest
                .as_ref()
                .is_none_or(|(largest, ..)| outside > *largest)
            {
                let (corners, _) = piece.corners(triangle);
                self.largest = Some((outside, number, corners));
            }
        }
    }
}

/// How far cells of the union's boundary are from a mesh. A facet that is within the solid as a whole, by the exact relation, is not away from it.
fn overshoot(
    mesh: &PosedBody<'_>,
    cells: Vec<FarCell>,
    sources: &[Triangle],
    options: &PartsOptions,
) -> Farthest {
    let target = MeshTarget::of(mesh);
    let mut known: HashMap<u32, bool> = HashMap::new();
    let is_solid = matches!(target, MeshTarget::Solid(_));
    let is_within = |source: u32| {
        is_solid
            && *known
                .entry(source)
                .or_insert_with(|| lies_within(mesh, sources[source as usize]))
    };
    farthest(
        &target,
        cells,
        options.relative,
        options.cells_max,
        is_within,
    )
}

/// Whether a triangle is within a solid.
fn lies_within(solid: &PosedBody<'_>, triangle: Triangle) -> bool {
    let Ok(mesh) = TriMesh::new(&triangle, &[[0, 1, 2]]) else {
        return false;
    };
    let surface = MeshBody::new(mesh);
    let found = surface.at(solid.pose()).relation(solid);
    found.exact && found.relation == Relation::Inside
}

/// The volume of a solid of one piece.
fn mesh_volume(mesh: &PosedBody<'_>) -> Option<Interval<f64>> {
    let is_solid = matches!(mesh.body().kind(), MeshKind::Solid { .. });
    if !is_solid || mesh.pieces() != 1 {
        return None;
    }
    let triangles = 0..mesh.mesh().triangles().len() as u32;
    let counted = triangles.filter(|&k| mesh.piece_of(k).is_some());
    Some(volume(
        counted.map(|k| mesh.mesh().corners(k)),
        mesh.is_reversed(true),
    ))
}

/// A point of a piece that is outside of the union as a whole, and its distance. Parts may still touch the piece where it has no area:
/// of some points the first is taken that is in no part.
fn witness(union: &UnionTarget<'_>, corners: &[Point]) -> (Point, Interval<f64>) {
    let inner = |number: usize| -> Point {
        let weight = |k: usize| 1.0 + ((7 + number) * k * number % 11) as f64;
        let sum: f64 = (0..corners.len()).map(weight).sum();
        core::array::from_fn(|k| {
            let weighted = corners.iter().enumerate();
            weighted.map(|(j, p)| p[k] * (weight(j) / sum)).sum()
        })
    };
    let at = |number| {
        let point = inner(number);
        (point, union.at(point).distance)
    };
    let mut tried = (0..WITNESSES).map(at);
    tried
        .find(|(_, distance)| distance.upper > 0.0)
        .unwrap_or_else(|| at(0))
}

fn area([a, b, c]: &Triangle) -> f64 {
    let normal = crate::vector::cross(crate::vector::minus(*b, *a), crate::vector::minus(*c, *a));
    0.5 * crate::vector::dot(normal, normal).sqrt()
}
