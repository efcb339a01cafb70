//! Bodies that turn, in query lines: their motions and limits as the library takes them, and chains of pieces as the format has them.
//!
//! Where it sits: beside [`crate::motion`], which answers the lines.

use crate::certificate::CertificateText;
use crate::convert::{self, Body, InputError, Space};
use crate::motion::{MotionText, refused};
use crate::pair::Pair;
use gjk::math::Scalar;
use gjk::query::{Certificate, ChainPiece, MotionOptions, ToiOptions, Twist};
use gjk_scene::{InterpolationSpec, MotionQuerySpec, TwistSpec};
use serde::Serialize;

/// A piece of a chain.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct PieceText {
    to: f64,
    direction: Vec<f64>,
    #[serde(rename = "in")]
    carrier: &'static str,
}

/// Why there is contact at a time.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ContactText {
    time: f64,
    #[serde(flatten)]
    why: CertificateText,
}

/// How a body moves and turns, its numbers rounded likewise.
pub(crate) fn twist<V: Space>(
    at: &str,
    spec: Option<&TwistSpec>,
    body: &Body<V>,
) -> Result<Twist<V>, InputError> {
    let Some(mut motion) = spec.cloned() else {
        return Ok(Twist::rest());
    };
    motion.visit_numbers(at, &mut |number, at| {
        convert::round::<V::Scalar>(number, at)
    })?;
    let vector = |numbers: &Option<Vec<f64>>, field: &str| match numbers {
        Some(numbers) => convert::vector::<V>(numbers, &format!("{at}.{field}")),
        None => Ok(V::ZERO),
    };
    match &motion {
        TwistSpec::To {
            to,
            rotation,
            center,
        } => {
            let (to, center) = (convert::pose(to)?, vector(center, "center")?);
            let motion = match rotation.unwrap_or_default() {
                InterpolationSpec::Slerp => Twist::between(&body.pose, &to, center),
                InterpolationSpec::Nlerp => Twist::nlerp(&body.pose, &to, center),
            };
            motion.map_err(refused)
        }
        TwistSpec::Constant {
            velocity,
            angular,
            center,
        } => {
            let angular = angular.map_or([0.0; 3], |angular| angular.components());
            let angular = angular.map(V::Scalar::from_f64);
            let (linear, center) = (vector(velocity, "velocity")?, vector(center, "center")?);
            Twist::new(linear, angular, center).map_err(refused)
        }
    }
}

/// The library's options of bodies that turn.
pub(crate) fn limits<S: Scalar>(
    spec: &MotionQuerySpec,
    options: MotionOptions<S>,
) -> Result<ToiOptions<S>, InputError> {
    let mut limits = ToiOptions::default().with_motion(options);
    if let Some(resolution) = spec.options.time_resolution {
        let resolution = S::from_f64(resolution);
        limits = limits.with_time_resolution(resolution).map_err(refused)?;
    }
    if let Some(pieces) = spec.options.pieces_max {
        limits = limits.with_pieces_max(pieces);
    }
    Ok(limits)
}

/// A chain of pieces, and the contact at its end.
pub(crate) fn chain_text<V: Space>(
    from: f64,
    pieces: &[ChainPiece],
    contact: Option<&(f64, Certificate)>,
    pair: &Pair<V>,
) -> MotionText {
    let piece = |piece: &ChainPiece| PieceText {
        to: piece.to,
        direction: piece.direction.iter().take(V::DIM).copied().collect(),
        carrier: piece.carrier.name(),
    };
    let contact = contact.map(|(time, why)| ContactText {
        time: *time,
        why: CertificateText::new(why, pair),
    });
    let pieces = pieces.iter().map(piece).collect();
    MotionText::chain(Some(from).filter(|&from| from > 0.0), pieces, contact)
}
