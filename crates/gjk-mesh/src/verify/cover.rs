//! Whether a surface reaches no farther into a solid than is said.
//!
//! Idea: the distance to a triangle is convex, so a part of the surface whose corners are near one triangle of the solid is near it. All other parts are
//! outside: they meet no triangle, and the piece does not wind around a point of each set of them that corners connect.
//! What is proved: a point of the surface is outside of the piece, or so near to a triangle of it. That the piece ends at its triangles is what makes
//! it a solid, and is not proved here.

use super::bodies::{Fraction, GridBody, on_common_grid};
use super::common_points::common_points;
use super::relation::{connected, is_closed};
use super::winding::Column;
use super::{VerifyError, cut};
use crate::certificate::{CoverCertificate, CoverNode, PlainBody};
use gjk_exact::integer::{Int, Int3, cross, decompose, dot, is_zero, on_grid, scale, sign, sub};
use std::collections::BTreeMap;

/// Corners of parts have no more binary digits behind the grid: boxes around them are floats.
const BITS_MAX: usize = 512;

/// A corner of a part: steps of a grid that is finer by so many binary digits.
#[derive(Clone)]
struct FinePoint {
    at: Int3,
    bits: usize,
}

impl FinePoint {
    /// The same on a grid that is finer still.
    fn on(&self, bits: usize) -> Int3 {
        let shift = bits - self.bits;
        [0, 1, 2].map(|k: usize| &self.at[k] << shift)
    }
}

type FineTriangle = [FinePoint; 3];

/// The surface and the solid, on one grid; and how far is near.
struct Covered<'b> {
    number: usize,
    solid: GridBody<'b>,
    most: Int,
    outside: Vec<FineTriangle>,
}

/// Checks that all points of the surface of body `of` are outside of the other, a solid of one piece, or so near to its triangles.
pub(super) fn check(
    bodies: [&PlainBody; 2],
    of: usize,
    most: f64,
    certificate: &CoverCertificate,
) -> Result<(), VerifyError> {
    let objection = |why| VerifyError::Protrusion { body: of, why };
    let (surface, solid) = (bodies[of], bodies[1 - of]);
    let is_one = solid.pieces.iter().flatten().max() == Some(&0);
    if !solid.solid || !is_one {
        return Err(objection("the other body is not of one piece"));
    }
    if !most.is_finite() {
        return Err(objection("it is not finite"));
    }
    // The length is on the grid too.
    let mut longer = surface.clone();
    longer.vertices.push([most, 0.0, 0.0]);
    let ([on_grid, solid], _) = on_common_grid([&longer, solid]);
    is_closed(1 - of, &solid)?;
    let Some([most, ..]) = on_grid.vertices.last().cloned() else {
        return Ok(());
    };
    let mut covered = Covered {
        number: of,
        solid,
        most,
        outside: Vec::new(),
    };
    let mut nodes = certificate.nodes.iter();
    for (numbers, piece) in surface.triangles.iter().zip(&surface.pieces) {
        if piece.is_some() {
            let corners = numbers.map(|v| FinePoint {
                at: on_grid.vertices[v as usize].clone(),
                bits: 0,
            });
            covered.triangle(corners, &mut nodes)?;
        }
    }
    if nodes.next().is_some() {
        return Err(objection("its cover goes on after its end"));
    }
    covered.outside(certificate)
}

impl Covered<'_> {
    fn objection(&self, why: &'static str) -> VerifyError {
        VerifyError::Protrusion {
            body: self.number,
            why,
        }
    }

    /// Follows the cuts of a triangle.
    fn triangle<'n>(
        &mut self,
        corners: FineTriangle,
        nodes: &mut impl Iterator<Item = &'n CoverNode>,
    ) -> Result<(), VerifyError> {
        let mut open = vec![corners];
        while let Some(cell) = open.pop() {
            match nodes.next() {
                None => return Err(self.objection("its cover ends too early")),
                Some(CoverNode::Split { edge, part }) => {
                    let halves = halves(&cell, *edge, *part);
                    let [first, other] =
                        halves.ok_or_else(|| self.objection("a part is cut outside of it"))?;
                    open.extend([other, first]);
                }
                Some(CoverNode::Near(triangle)) => {
                    if !cell.iter().all(|corner| self.is_near(corner, *triangle)) {
                        return Err(self.objection("a part of its cover is farther"));
                    }
                }
                Some(CoverNode::Outside) => self.outside.push(cell),
            }
        }
        Ok(())
    }

    /// Whether a point is near a triangle: a corner, an edge or the face of it.
    fn is_near(&self, point: &FinePoint, triangle: u32) -> bool {
        let Some(numbers) = self.solid.plain.triangles.get(triangle as usize) else {
            return false;
        };
        if self.solid.plain.pieces[triangle as usize].is_none() {
            return false;
        }
        let fine = |p: &Int3| [0, 1, 2].map(|k: usize| &p[k] << point.bits);
        let to = numbers.map(|v| sub(&point.at, &fine(&self.solid.vertices[v as usize])));
        let most = &self.most << point.bits;
        let square = &most * &most;
        let [a, b, c] = &to;
        // Each edge is the difference of what is from its ends to the point.
        let edges = [sub(a, b), sub(b, c), sub(c, a)];
        let normal = cross(&edges[0], &edges[1]);
        let mut is_over = !is_zero(&normal);
        for k in 0..3 {
            let (from, edge) = (&to[k], &edges[k]);
            let (long, along) = (dot(from, from), dot(from, edge));
            let whole = dot(edge, edge);
            let is_beside = sign(&along).is_ge() && along <= whole;
            if long <= square || is_beside && long * &whole - &along * &along <= &square * &whole {
                return true;
            }
            is_over &= sign(&dot(&cross(&normal, edge), from)).is_ge();
        }
        let height = dot(&normal, a);
        is_over && &height * &height <= square * dot(&normal, &normal)
    }

    /// Checks the parts that are outside.
    fn outside(&self, certificate: &CoverCertificate) -> Result<(), VerifyError> {
        let bits = self.outside.iter().flatten().map(|p| p.bits).max();
        let bits = bits.unwrap_or(0);
        let mut numbers: BTreeMap<Int3, u32> = BTreeMap::new();
        let mut vertices: Vec<Int3> = Vec::new();
        let mut number = |point: &FinePoint| {
            *numbers.entry(point.on(bits)).or_insert_with_key(|at| {
                vertices.push(at.clone());
                vertices.len() as u32 - 1
            })
        };
        let triangles: Vec<[u32; 3]> = self
            .outside
            .iter()
            .map(|cell| cell.each_ref().map(&mut number))
            .collect();
        let plain = PlainBody {
            vertices: Vec::new(),
            pieces: vec![Some(0); triangles.len()],
            triangles,
            solid: false,
            reversed: false,
        };
        let fine = |p: &Int3| [0, 1, 2].map(|k: usize| &p[k] << bits);
        let other = self.solid.vertices.iter().map(fine).collect();
        let bodies = [
            GridBody::with_vertices(&plain, vertices),
            GridBody::with_vertices(self.solid.plain, other),
        ];
        let [parts, solid] = &bodies;
        for [i, j] in cut::check(&bodies, 0, &certificate.cut, 0.0)? {
            if !common_points(parts.corners(i), solid.corners(j)).is_empty() {
                return Err(self.objection("a part that is said to be outside meets the body"));
            }
        }
        for set in connected(parts) {
            let [corner, ..] = parts.corners(set[0]);
            let winding = Column::new(solid, 0, &Fraction::of(corner)).winding(&[]);
            if solid.plain.has_inside(winding) {
                return Err(self.objection("a part that is said to be outside is inside"));
            }
        }
        Ok(())
    }
}

/// Both parts after a cut of an edge; `None` where it is none, or the point has too many digits.
fn halves(cell: &FineTriangle, edge: usize, part: f64) -> Option<[FineTriangle; 2]> {
    if edge > 2 || part.is_nan() || part <= 0.0 || part >= 1.0 {
        return None;
    }
    let [a, b, c] = [0, 1, 2].map(|k: usize| &cell[(edge + k) % 3]);
    let shift = decompose(part).1.unsigned_abs() as usize;
    let coarse = a.bits.max(b.bits);
    let bits = coarse + shift;
    if bits > BITS_MAX {
        return None;
    }
    let share = on_grid(part, -(shift as i32));
    let rest = (Int::ONE << shift) - &share;
    let (p, q) = (scale(&a.on(coarse), &rest), scale(&b.on(coarse), &share));
    let at = FinePoint {
        at: [0, 1, 2].map(|k: usize| &p[k] + &q[k]),
        bits,
    };
    let parts = [[a, &at, c], [&at, b, c]];
    Some(parts.map(|part| part.map(FinePoint::clone)))
}
