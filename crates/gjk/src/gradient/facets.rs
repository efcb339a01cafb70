//! Which planes bound an overlap's depth: the facets of the difference of two bodies that may be nearest to the origin.
//!
//! Idea: let `P` be a polytope of points of the Minkowski difference `M` around the origin, and `G` a facet of `M` as near as the depth. The ray along
//! the normal of `G` leaves `P` no later than `M`, so through a facet of `P` that is no farther than the depth. If `M` is all below the plane of that
//! facet, the ray cannot leave it sooner than `M`, so both are as near along the ray, and the plane, which is no nearer than the depth, is that of `G`. So where `M`
//! is below the planes of all facets of `P` that may be as near as the depth, the nearest planes of `M` are among those.
//! Floats choose the facets, integers compare planes.

use super::highest::Highest;
use crate::math::triple::{Triple, dot, length, subtract};
use crate::math::{Vec2, Vec3, Vector};
use crate::rounding::UNIT_ROUNDOFF;
use alloc::vec::Vec;
use gjk_exact::{Int, Int3, integer};

/// What the normal of a facet may be off, in roundings of the product of its two shortest edges beside its area: as the cross product of differences, doubled.
const NORMAL_ROUNDINGS: f64 = 16.0;

/// A facet of `P`, outward.
pub(super) struct NearFacet {
    pub(super) pairs: [[u32; 2]; 3],
    /// Unit, from A to B.
    pub(super) normal: Triple,
    /// What the normal may be off.
    pub(super) error: f64,
    /// The least and the largest distance of its plane from the origin.
    distance: [f64; 2],
}

impl NearFacet {
    fn new(dim: usize, points: [&[Triple]; 2], pairs: [[u32; 2]; 3]) -> Option<Self> {
        let [a, b] = points;
        let w = |[i, j]: [u32; 2]| Some(subtract(*a.get(i as usize)?, *b.get(j as usize)?));
        let corners = [w(pairs[0])?, w(pairs[1])?, w(pairs[2])?];
        let edges = [0, 1, 2].map(|k| length(subtract(corners[(k + 1) % 3], corners[k])));
        let (direction, product): (Triple, f64) = if dim == 2 {
            let ends = [0, 1].map(|k| Vec2::new(corners[k][0], corners[k][1]));
            let normal: Vec2<f64> = Vector::facet_normal(&ends);
            (normal.to_f64(), edges[0])
        } else {
            let longest = edges
                .into_iter()
                .fold(0.0, |m: f64, x| if x > m { x } else { m });
            let normal: Vec3<f64> = Vector::facet_normal(&corners.map(Vec3::from));
            (normal.to_f64(), edges.iter().product::<f64>() / longest)
        };
        let size = length(direction);
        if !(size > 0.0 && product.is_finite()) {
            return None;
        }
        // The difference is of A less B: its outward normals point from A to B where the origin is inside.
        let normal = direction.map(|x| x / size);
        let height = dot(normal, corners[0]);
        let normal = if height < 0.0 {
            normal.map(|x| -x)
        } else {
            normal
        };
        let error = NORMAL_ROUNDINGS * UNIT_ROUNDOFF * product / size;
        let off = (error + NORMAL_ROUNDINGS * UNIT_ROUNDOFF) * (length(corners[0]) + 1.0);
        Some(Self {
            pairs,
            normal,
            error,
            distance: [height.abs() - off, height.abs() + off],
        })
    }
}

/// The facets that may be as near as a depth, the best known one first; `None` where one of them has no plane.
pub(super) fn nearest(
    dim: usize,
    points: [&[Triple]; 2],
    facets: &[[[u32; 2]; 3]],
    depth: f64,
) -> Option<Vec<NearFacet>> {
    let mut near: Vec<NearFacet> = Vec::new();
    for &pairs in facets {
        let facet = NearFacet::new(dim, points, pairs)?;
        if facet.distance[0] <= depth {
            near.push(facet);
        }
    }
    near.sort_by(|a, b| a.error.total_cmp(&b.error));
    Some(near)
}

/// The vertices of both bodies as integers on one grid.
pub(super) struct ExactPoints<'p> {
    dim: usize,
    points: [&'p [Triple]; 2],
    grid: i32,
}

/// A plane that bounds the difference as near as its depth, and what of either body is in it.
pub(super) struct NearPlane {
    /// Unit, from A to B, to a few roundings.
    pub(super) normal: Triple,
    pub(super) ids: [Highest; 2],
}

impl<'p> ExactPoints<'p> {
    pub(super) fn new(dim: usize, points: [&'p [Triple]; 2]) -> Self {
        let coordinates = points.iter().flat_map(|all| all.iter().flatten());
        Self {
            dim,
            points,
            grid: integer::grid_of(coordinates.copied()),
        }
    }

    fn vertex(&self, body: usize, id: u32) -> Int3 {
        self.points[body][id as usize].map(|x| integer::on_grid(x, self.grid))
    }

    /// A vertex of the difference.
    fn corner(&self, [i, j]: [u32; 2]) -> Int3 {
        integer::sub(&self.vertex(0, i), &self.vertex(1, j))
    }

    /// A normal of three points, in the plane of two.
    fn normal(&self, [a, b, c]: [&Int3; 3]) -> Int3 {
        let other = if self.dim == 2 {
            [Int::ZERO, Int::ZERO, Int::ONE]
        } else {
            integer::sub(c, a)
        };
        integer::cross(&integer::sub(b, a), &other)
    }

    /// The planes of some facets, each once; `None` unless both bodies are on the right sides of all of them. `candidates` are what may be highest of A
    /// along a facet's normal, and lowest of B.
    pub(super) fn planes(
        &self,
        near: &[NearFacet],
        candidates: impl Fn(&NearFacet) -> [Highest; 2],
    ) -> Option<Vec<NearPlane>> {
        let mut planes: Vec<(Int3, Int, NearPlane)> = Vec::new();
        for facet in near {
            let corners = facet.pairs.map(|pair| self.corner(pair));
            let is_in = |(plane, height, _): &(Int3, Int, NearPlane)| {
                corners.iter().all(|x| integer::dot(plane, x) == *height)
            };
            if planes.iter().any(is_in) {
                continue;
            }
            let mut plane = self.normal(corners.each_ref());
            let mut height = integer::dot(&plane, &corners[0]);
            if height < Int::ZERO {
                (plane, height) = (integer::neg(&plane), -height);
            }
            let ids = candidates(facet);
            let found = self.supported(&plane, &height, ids.each_ref().map(|ids| &ids[..]))?;
            planes.push((plane, height, found));
        }
        Some(planes.into_iter().map(|(_, _, plane)| plane).collect())
    }

    /// What of either body is in a plane, if it supports the difference.
    fn supported(&self, plane: &Int3, height: &Int, candidates: [&[u32]; 2]) -> Option<NearPlane> {
        let heights = |k: usize| -> Vec<(u32, Int)> {
            let height = |&id: &u32| (id, integer::dot(plane, &self.vertex(k, id)));
            candidates[k].iter().map(height).collect()
        };
        let [of_a, of_b] = [heights(0), heights(1)];
        let top = of_a.iter().map(|(_, x)| x).max()?;
        let bottom = of_b.iter().map(|(_, x)| x).min()?;
        if *height == Int::ZERO || top - bottom != *height {
            return None;
        }
        let level = |all: &[(u32, Int)], wanted: &Int| -> Highest {
            let equal = all.iter().filter(|(_, x)| x == wanted);
            equal.map(|&(id, _)| id).collect()
        };
        Some(NearPlane {
            normal: unit(plane)?,
            ids: [level(&of_a, top), level(&of_b, bottom)],
        })
    }

    /// The unit normal of the planes that some vertices of either body are in, if they are in two that are parallel, or on two edges that are.
    /// Of parallel edges in space the normal is not theirs to say.
    pub(super) fn level(&self, ids: [&[u32]; 2]) -> Option<Option<Triple>> {
        let sets = [0, 1].map(|k| {
            let all = ids[k].iter().map(|&id| self.vertex(k, id));
            all.collect::<Vec<Int3>>()
        });
        let steps = sets.each_ref().map(|all| {
            let from = all.iter().skip(1);
            from.map(|x| integer::sub(x, &all[0]))
                .collect::<Vec<Int3>>()
        });
        let all: Vec<&Int3> = steps.iter().flatten().collect();
        let first = *all.first()?;
        if all
            .iter()
            .all(|step| integer::is_zero(&integer::cross(first, step)))
        {
            if self.dim == 3 {
                return Some(None);
            }
            let up = [Int::ZERO, Int::ZERO, Int::ONE];
            return Some(unit(&integer::cross(first, &up)));
        }
        // Two edges that cross, at however small an angle, have one point in common.
        let plane = steps.iter().find_map(|steps| {
            let mut normals = steps.iter().map(|step| integer::cross(&steps[0], step));
            normals.find(|normal| !integer::is_zero(normal))
        })?;
        let is_level = |step: &&Int3| integer::dot(&plane, step) == Int::ZERO;
        (self.dim == 3 && all.iter().all(is_level)).then(|| unit(&plane))
    }
}

/// The unit vector, to a few roundings; `None` of zero.
fn unit(x: &Int3) -> Option<Triple> {
    let x = integer::to_float(x);
    let size = length(x);
    (size > 0.0).then(|| x.map(|c| c / size))
}
