//! What makes the numbers of an overlap checkable by a stranger.
//!
//! Idea: each of them is a sentence about a ball or a translation. A ball is inside of a piece when the piece winds around its center and no triangle
//! of it is nearer than the radius: a cut with a list of one point. A translation separates when a cut proves the relation after it; integers
//! move vertices without a rounding.

use super::cover::{CoverCertificate, cover};
use super::cut::Cutter;
use super::{Cut, PlainBody, all_corners};
use crate::depth::Interior;
use crate::signs::{Point, Triangle};
use crate::triangles::nearest;
use crate::{Depth, DepthOptions, InnerBall, PosedBody, Protrusion};
use gjk::Vec3;
use gjk_exact::integer::{
    Int, Int3, common, cross, dot, grid_of, on_grid, scale, sign, sub, to_float,
};

/// What proves that a ball is inside of a piece.
#[derive(Clone, Debug, PartialEq)]
pub struct BallCertificate {
    /// The piece.
    pub piece: u32,
    /// The first list is the center alone, the second the triangles of the piece in the order of their numbers: all are at least the radius away.
    pub cut: Cut,
}

/// What proves how far a surface reaches into a solid at least.
#[derive(Clone, Debug, PartialEq)]
pub struct ProtrusionCertificate {
    /// A triangle of the surface.
    pub triangle: u32,
    /// What each of its corners counts for in a point of it.
    pub weights: [f64; 3],
    /// A ball about that point: its radius is larger than what is claimed by what the point is off its center.
    pub ball: InnerBall,
    /// The ball is inside of the solid.
    pub inside: BallCertificate,
}

/// What proves the numbers of a [`Depth`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DepthCertificate {
    /// That the ball is inside of a piece of each body: the thickness.
    pub ball: Option<[BallCertificate; 2]>,
    /// That the bodies share no inner point after the translation, which rounds no vertex: the escape, and so that no protrusion is greater.
    pub escape: Option<Cut>,
    /// The lower ends of the protrusions.
    pub protrusion: [Option<ProtrusionCertificate>; 2],
    /// Their upper ends, where these are below the escape's length and solids have one piece.
    pub cover: [Option<CoverCertificate>; 2],
}

/// A depth with what proves it.
#[derive(Clone, Debug, PartialEq)]
pub struct CertifiedDepth {
    /// As of [`PosedBody::depth`].
    pub depth: Depth,
    /// Whether it was measured before the pose that both bodies have. The scale of that pose is not part of what is proved.
    pub flush: bool,
    /// The bodies where it was measured.
    pub bodies: [PlainBody; 2],
    /// What was measured there.
    pub measured: Depth,
    /// What proves that.
    pub certificate: DepthCertificate,
}

impl PosedBody<'_> {
    /// How deep two bodies overlap, with what proves it to [`crate::verify::verify_depth`].
    ///
    /// # Accuracy  that of [`PosedBody::depth`]. Upper ends of protrusions that take a large cover are not proved, nor those into several pieces.
    /// # Complexity  as of [`PosedBody::depth`], twice, and a cut for each number.
    /// # Examples
    /// ```
    /// use gjk::{Pose3, Vec3};
    /// use gjk_mesh::{DepthOptions, MeshBody, TriMesh, verify::verify_depth};
    /// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    /// let body = MeshBody::new(TriMesh::new(&corners, &faces).unwrap());
    /// let there = Pose3::from_translation(Vec3::new(0.0, 0.0, -0.5));
    /// let (a, b) = (body.at(&Pose3::identity()), body.at(&there));
    /// let found = a.depth_certified(&b, &[], &DepthOptions::default());
    /// let plain = [&found.bodies[0], &found.bodies[1]];
    /// let proved = verify_depth(plain, &found.measured, &found.certificate).unwrap();
    /// assert!(proved.thickness && proved.escape && proved.protrusion[0][0]);
    /// let mut wrong = found.measured;
    /// wrong.ball.as_mut().unwrap().radius *= 1.1;
    /// assert!(verify_depth(plain, &wrong, &found.certificate).is_err());
    /// ```
    pub fn depth_certified(
        &self,
        other: &PosedBody<'_>,
        along: &[[f64; 3]],
        options: &DepthOptions,
    ) -> CertifiedDepth {
        let Some(scale) = self.scale_before(other) else {
            return certified([self, other], along, options);
        };
        let [a, b] = [self, other].map(PosedBody::before_pose);
        let before = certified([&a, &b], along, options);
        CertifiedDepth {
            depth: before.measured.in_world(self, scale),
            flush: true,
            ..before
        }
    }
}

/// What is found where the bodies are.
fn certified(
    bodies: [&PosedBody<'_>; 2],
    along: &[[f64; 3]],
    options: &DepthOptions,
) -> CertifiedDepth {
    let depth = Depth::of(bodies, along, options);
    CertifiedDepth {
        depth,
        flush: false,
        bodies: bodies.map(PosedBody::plain_in_world),
        measured: depth,
        certificate: certificate(bodies, &depth),
    }
}

fn certificate(bodies: [&PosedBody<'_>; 2], depth: &Depth) -> DepthCertificate {
    let solids = bodies.map(Interior::of);
    let ball = depth.ball.and_then(|ball| {
        let [a, b] = [0, 1].map(|k: usize| inside(bodies[k], solids[k].as_ref()?, &ball));
        Some([a?, b?])
    });
    let protrusion = [0, 1].map(|k: usize| {
        let solid = solids[1 - k].as_ref()?;
        protrusion([bodies[k], bodies[1 - k]], solid, &depth.protrusion[k]?)
    });
    let most = depth.escape.map_or(f64::INFINITY, |escape| escape.length);
    let cover = [0, 1].map(|k: usize| {
        let (solid, claim) = (solids[1 - k].as_ref()?, &depth.protrusion[k]?);
        let ends = [claim.lower, claim.upper];
        let is_wanted = claim.upper < most && claim.upper.is_finite();
        let made = is_wanted.then(|| cover([bodies[k], bodies[1 - k]], solid, ends));
        made.flatten()
    });
    DepthCertificate {
        cover,
        ball,
        escape: depth.escape.map(|escape| escape_cut(bodies, escape.by)),
        protrusion,
    }
}

/// Proves that a ball is inside of a solid; `None` where no piece is known to have the room.
fn inside(body: &PosedBody<'_>, solid: &Interior<'_>, ball: &InnerBall) -> Option<BallCertificate> {
    let (piece, room) = solid.roomiest_piece(ball.center)?;
    if room < ball.radius {
        return None;
    }
    let all = (0..).zip(all_corners(&body.in_place(false)));
    let of_piece = all.filter(|&(t, _)| body.piece_of(t) == Some(piece));
    let triangles: Vec<Triangle> = of_piece.map(|(_, corners)| corners).collect();
    let cut = Cutter::new([&[[ball.center; 3]], &triangles], ball.radius).cut();
    Some(BallCertificate { piece, cut })
}

/// Tells the bodies apart after a translation of the first.
fn escape_cut([a, b]: [&PosedBody<'_>; 2], by: [f64; 3]) -> Cut {
    let [x, y, z] = by;
    let (moved, is_exact) = a.translated(Vec3::new(x, y, z));
    let first = all_corners(&moved.in_place(false));
    let size = first.as_flattened().as_flattened().iter();
    let size = size.fold(0.0, |size: f64, x| size.max(x.abs()));
    // Each coordinate is off by half a unit.
    let off = if is_exact { 0.0 } else { f64::EPSILON * size };
    let second = all_corners(&b.in_place(false));
    Cutter::new([&first, &second], 0.0).rounded(off).cut()
}

/// Proves how far the surface of the first body reaches into the second, a solid.
fn protrusion(
    [surface, body]: [&PosedBody<'_>; 2],
    solid: &Interior<'_>,
    claim: &Protrusion,
) -> Option<ProtrusionCertificate> {
    let [point, _] = claim.points?;
    let mesh = surface.in_place(false);
    let own = (0..mesh.mesh.triangles().len() as u32).filter(|&t| surface.piece_of(t).is_some());
    let (triangle, _) = own
        .map(|t| (t, nearest(point, &mesh.corners(t)).distance.upper))
        .min_by(|(_, a), (_, b)| a.total_cmp(b))?;
    let (weights, off) = weights(&mesh.corners(triangle), point)?;
    let radius = if off > 0.0 {
        (claim.lower + off).next_up()
    } else {
        claim.lower
    };
    let ball = InnerBall {
        center: point,
        radius,
    };
    Some(ProtrusionCertificate {
        triangle,
        weights,
        ball,
        inside: inside(body, solid, &ball)?,
    })
}

/// The weights of a triangle's point near another, and how far it is from that at most: of the nearest points of corners, edges and face the nearest,
/// as exact as its weights are floats.
fn weights(triangle: &Triangle, point: Point) -> Option<([f64; 3], f64)> {
    let all = triangle.iter().chain([&point]).flatten();
    let grid = grid_of(all.copied()).min(0);
    let exact = |p: &Point| p.map(|x| on_grid(x, grid));
    let (corners, to) = (triangle.each_ref().map(exact), exact(&point));
    let candidates = feet(&corners, &to).into_iter().filter(|weights| {
        let is_none = |w: &Int| sign(w).is_lt();
        !weights.iter().any(is_none) && weights.iter().any(|w| sign(w).is_gt())
    });
    let measured = candidates.map(|weights| {
        let floats = to_float(&weights);
        (
            floats,
            distance_of(&corners, &floats, &to) * 2.0_f64.powi(grid),
        )
    });
    measured.min_by(|(_, a), (_, b)| a.total_cmp(b))
}

/// Weights of the points of a triangle's corners, edges' lines and plane that are nearest to a point.
fn feet([a, b, c]: &[Int3; 3], to: &Int3) -> Vec<Int3> {
    let [to_a, to_b, to_c] = [a, b, c].map(|corner| sub(corner, to));
    let normal = cross(&sub(b, a), &sub(c, a));
    let part = |p: &Int3, q: &Int3| dot(&normal, &cross(p, q));
    let (none, one) = (Int::ZERO, Int::ONE);
    let mut found = vec![
        [one.clone(), none.clone(), none.clone()],
        [none.clone(), one.clone(), none.clone()],
        [none.clone(), none.clone(), one],
        [part(&to_b, &to_c), part(&to_c, &to_a), part(&to_a, &to_b)],
    ];
    for (k, (from, next)) in [(&to_a, &to_b), (&to_b, &to_c), (&to_c, &to_a)]
        .into_iter()
        .enumerate()
    {
        let edge = sub(next, from);
        let mut weights = [none.clone(), none.clone(), none.clone()];
        weights[k] = dot(&edge, next);
        weights[(k + 1) % 3] = -dot(&edge, from);
        found.push(weights);
    }
    found
}

/// How far the point of a triangle with these weights is from another, in steps of the grid: at most so much.
fn distance_of(corners: &[Int3; 3], weights: &[f64; 3], to: &Int3) -> f64 {
    /// A root, a quotient and two integers as floats each lose half a unit.
    const ROUNDINGS: f64 = 4.0;
    let weights = common(weights);
    let mut off = [Int::ZERO; 3];
    for (corner, weight) in corners.iter().zip(&weights) {
        let part = scale(&sub(corner, to), weight);
        off = [0, 1, 2].map(|k: usize| &off[k] + &part[k]);
    }
    let whole: Int = weights.into_iter().sum();
    let square = dot(&off, &off).to_f64().value();
    square.sqrt() / whole.to_f64().value() * (1.0 + ROUNDINGS * f64::EPSILON)
}
