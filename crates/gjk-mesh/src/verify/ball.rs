//! Whether a ball is inside of a piece.
//!
//! Idea: no triangle of the piece is nearer to the center than the radius, so the piece winds around all points of the ball as often as around the center.

use super::bodies::{Fraction, on_common_grid};
use super::relation::is_closed;
use super::winding::Column;
use super::{VerifyError, cut};
use crate::InnerBall;
use crate::certificate::{BallCertificate, PlainBody};

/// Checks that a ball is inside of a piece of a solid. `number`: which of the bodies it is.
pub(super) fn is_inside(
    number: usize,
    body: &PlainBody,
    ball: &InnerBall,
    certificate: &BallCertificate,
) -> Result<(), VerifyError> {
    let objection = |why| VerifyError::Ball { body: number, why };
    if !ball
        .center
        .iter()
        .chain([&ball.radius])
        .all(|x| x.is_finite())
    {
        return Err(objection("it is not finite"));
    }
    let piece = piece_of(body, certificate.piece);
    if !body.solid || piece.triangles.is_empty() {
        return Err(objection("there is no such piece"));
    }
    let center = PlainBody {
        vertices: vec![ball.center],
        triangles: vec![[0; 3]],
        pieces: vec![None],
        solid: false,
        reversed: false,
    };
    let (bodies, grid) = on_common_grid([&center, &piece]);
    is_closed(number, &bodies[1])?;
    let near = cut::check(&bodies, grid, &certificate.cut, ball.radius);
    let near = near.map_err(|error| match error {
        VerifyError::NotApart { .. } => objection("its triangles are nearer than the radius"),
        other => other,
    })?;
    if !near.is_empty() {
        return Err(objection("its triangles are not all told to be so far"));
    }
    let [at, ..] = bodies[0].corners(0);
    let winding = Column::new(&bodies[1], 0, &Fraction::of(at)).winding(&[]);
    if body.has_inside(winding) {
        Ok(())
    } else {
        Err(objection("its center is outside"))
    }
}

/// The triangles of a piece as a body.
fn piece_of(body: &PlainBody, piece: u32) -> PlainBody {
    let own = body.triangles.iter().zip(&body.pieces);
    let own = own.filter(|(_, of)| **of == Some(piece));
    let triangles: Vec<[u32; 3]> = own.map(|(triangle, _)| *triangle).collect();
    PlainBody {
        vertices: body.vertices.clone(),
        pieces: vec![Some(0); triangles.len()],
        triangles,
        ..*body
    }
}
