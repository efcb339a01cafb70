//! What a ray does at a point of a surface: goes in, out, through, or along it.
//!
//! Idea: near the point a body is a cone, whose sectors are those of the triangles that contain the point. Where the point is on each of them is told by signs of the ray and the corners, so that the point is not
//! constructed. The triangles that the ray meets just then contain it, and those that have the same edge or vertex.

use crate::cone::Star;
use crate::in_place::InPlace;
use crate::signs::{Point, Span, Triangle, determinant, dropped, is_flat};
use crate::triangles::{Place, place};
use core::cmp::Ordering;
use gjk::query::{self, MotionOptions, Ray};
use gjk::{Pose3, Vec3, Vector};
use std::collections::BTreeMap;

use crate::distance::convex;

/// A point in motion, as signs see it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) ray: Ray<Vec3<f64>>,
    origin: Point,
    direction: Span,
}

/// Where a direction goes from a point of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heading {
    Inside,
    Outside,
    /// It stays on the surface.
    Along,
    /// The triangles at the point bound no inside.
    Unknown,
}

impl Line {
    pub(super) fn new(ray: &Ray<Vec3<f64>>) -> Self {
        Self {
            ray: *ray,
            origin: ray.origin().to_f64(),
            direction: Span::of_coordinates(ray.direction().to_f64()),
        }
    }

    /// Whether the point rests.
    pub(super) fn rests(&self) -> bool {
        self.ray.direction().max_abs() == 0.0
    }

    /// Greater where the line comes from the side from which a triangle's corners run clockwise, equal where it is along its plane.
    pub(super) fn sense(&self, corners: &Triangle) -> Ordering {
        let [a, b, c] = *corners;
        determinant(&Span::new(a, b), &Span::new(a, c), &self.direction)
    }

    /// Where on a triangle the line first meets it, which it does; `None` where that is not told.
    pub(super) fn place_on(&self, corners: &Triangle, starts: bool) -> Option<Place> {
        if starts {
            return place(corners, dropped(corners), self.origin);
        }
        if self.sense(corners).is_ne() {
            let from = corners.map(|corner| Span::new(self.origin, corner));
            let is_on =
                |k: usize| determinant(&self.direction, &from[k], &from[(k + 1) % 3]).is_eq();
            return Some(Place::by_edges([0, 1, 2].map(is_on)));
        }
        let triangle = convex(corners)?;
        let options = MotionOptions::default();
        let proof = query::prove_ray(&triangle, &Pose3::identity(), &self.ray, &options);
        match proof.features[0][..] {
            [corner] => Some(Place::Corner(corner as usize)),
            [i, j] => (0..3)
                .find(|&k| [i, j].contains(&k) && [i, j].contains(&((k + 1) % 3)))
                .map(|k| Place::Edge(k as usize)),
            _ => None,
        }
    }

    /// Where the motion goes from the point of a star, and where it comes from.
    pub(super) fn headings(&self, star: &Star) -> [Heading; 2] {
        [self.direction, self.direction.reversed()].map(|way| {
            if !star.around(&way).is_empty() {
                return Heading::Along;
            }
            match star.contains(&way) {
                Some(true) => Heading::Inside,
                Some(false) => Heading::Outside,
                None => Heading::Unknown,
            }
        })
    }
}

/// The stars of the pieces at the point at which a line meets these triangles at once. `piece` names the piece of a triangle, if it counts; `reversed`: triangles run clockwise seen from
/// outside.
pub(super) fn stars(
    mesh: &InPlace<'_>,
    met: &[(u32, Place)],
    piece: impl Fn(u32) -> Option<u32>,
    reversed: bool,
) -> BTreeMap<u32, Star> {
    let mut stars: BTreeMap<u32, Star> = BTreeMap::new();
    for (triangle, at) in containing(mesh, met) {
        let Some(piece) = piece(triangle) else {
            continue;
        };
        let corners = mesh.corners(triangle);
        // Its edges are its neighbours'.
        if !is_flat(&corners) {
            stars.entry(piece).or_default().add(&corners, at);
        }
    }
    if reversed {
        stars.values_mut().for_each(Star::reverse);
    }
    stars
}

/// The triangles that contain the point which these have at such places: they, and those with the same edge or vertex.
fn containing(mesh: &InPlace<'_>, met: &[(u32, Place)]) -> BTreeMap<u32, Place> {
    let topology = mesh.mesh.topology();
    let ring = |triangle: u32| mesh.mesh.triangles()[triangle as usize];
    let mut all: BTreeMap<u32, Place> = met.iter().copied().collect();
    for &(triangle, at) in met {
        match at {
            Place::Inside => {}
            Place::Corner(k) => {
                let vertex = ring(triangle)[k];
                for other in topology.around(vertex) {
                    if let Some(k) = ring(other).iter().position(|&v| v == vertex) {
                        all.entry(other).or_insert(Place::Corner(k));
                    }
                }
            }
            Place::Edge(k) => {
                let edge = topology.edges_of(triangle)[k];
                for &(_, _, other) in topology.uses(edge) {
                    if let Some(k) = topology.edges_of(other).iter().position(|&e| e == edge) {
                        all.entry(other).or_insert(Place::Edge(k));
                    }
                }
            }
        }
    }
    all
}
