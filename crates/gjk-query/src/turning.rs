//! Bodies that turn, in query lines: their motions and limits as the library takes them, and chains of pieces as the format has them.
//!
//! Where it sits: beside [`crate::motion`], which answers the lines.

use crate::certificate::{CertificateText, indices};
use crate::convert::{self, Body, InputError, Numbering, Space};
use crate::motion::refused;
use crate::pair::Pair;
use gjk::math::Scalar;
use gjk::query::{
    Apart, Carrier, ChainContact, ChainPiece, HeldPiece, MotionOptions, ToiOptions, Twist,
};
use gjk::shape::MovingVertices;
use gjk_scene::{
    BodyMotionSpec, InterpolationSpec, MotionQuerySpec, Place, TurningBodySpec, TwistSpec,
};
use serde::Serialize;

/// A piece of a chain.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct PieceText {
    to: f64,
    #[serde(flatten)]
    normal: NormalText,
}

/// What separates on a piece.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum NormalText {
    Carried {
        direction: Vec<f64>,
        #[serde(rename = "in")]
        carrier: &'static str,
    },
    Edges {
        edge_a: [u64; 2],
        edge_b: [u64; 2],
    },
}

/// Why there is contact at a time.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ContactText {
    time: f64,
    #[serde(flatten)]
    why: WhyText,
}

/// A piece of contact.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct HeldText {
    to: f64,
    #[serde(flatten)]
    why: CertificateText,
}

/// A plane that separates at a time.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ApartText {
    direction: Vec<f64>,
    time: f64,
}

/// Why, as it is written.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum WhyText {
    Overlap(Box<CertificateText>),
    Crossing {
        kind: &'static str,
        from: f64,
        direction: Vec<f64>,
        ring: Vec<[u64; 2]>,
    },
}

/// A body that may turn, or whose vertices move, and how it moves as a whole.
pub(crate) fn turning<V: Space>(
    name: &str,
    spec: &TurningBodySpec,
) -> Result<(Body<V>, Twist<V>), InputError> {
    let mut body = convert::body(name, &spec.body)?;
    let at = format!("{name}.motion");
    let twist = match &spec.motion {
        None => Twist::rest(),
        Some(BodyMotionSpec::Twist(motion)) => twist(&at, Some(motion), &body)?,
        Some(motion @ BodyMotionSpec::Vertices { .. }) => {
            moving_vertices(&at, spec, motion, &mut body)?;
            Twist::rest()
        }
    };
    Ok((body, twist))
}

/// Gives a body vertices that move by themselves: all of the line, in its order.
fn moving_vertices<V: Space>(
    at: &str,
    spec: &TurningBodySpec,
    motion: &BodyMotionSpec,
    body: &mut Body<V>,
) -> Result<(), InputError> {
    let (mut shape, mut motion) = (spec.body.clone(), motion.clone());
    let mut round = |number: &mut f64, at: &Place<'_>| convert::round::<V::Scalar>(number, at);
    // The body's own numbers were in range.
    shape.visit_numbers(&Place::new(at), &mut round)?;
    motion.visit_numbers(at, &mut round)?;
    let BodyMotionSpec::Vertices { vertices } = &motion else {
        return Ok(());
    };
    let list = |rows: &[&[f64]], field: &str| -> Result<Vec<V>, InputError> {
        rows.iter().map(|row| convert::vector(row, field)).collect()
    };
    let ends: Vec<&[f64]> = vertices.iter().map(Vec::as_slice).collect();
    let from = list(&shape.shape.points().unwrap_or_default(), "shape")?;
    let to = list(&ends, &format!("{at}.vertices"))?;
    body.numbering = Numbering::Own(from.len() as u32);
    body.shape = MovingVertices::new(&from, &to)?.into();
    Ok(())
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

/// Pieces of contact, and the plane after them.
pub(crate) fn held_parts<V: Space>(
    pieces: &[HeldPiece],
    apart: &Apart,
    pair: &Pair<V>,
) -> (Vec<HeldText>, ApartText) {
    let piece = |piece: &HeldPiece| HeldText {
        to: piece.to,
        why: CertificateText::new(&piece.why, pair),
    };
    let apart = ApartText {
        direction: apart.direction.iter().take(V::DIM).copied().collect(),
        time: apart.time,
    };
    (pieces.iter().map(piece).collect(), apart)
}

/// A chain of pieces, and the contact at its end.
pub(crate) fn chain_parts<V: Space>(
    pieces: &[ChainPiece],
    contact: Option<&ChainContact>,
    pair: &Pair<V>,
) -> (Vec<PieceText>, Option<ContactText>) {
    let edge = |body: &Body<V>, ids: [u32; 2]| ids.map(|id| body.numbering.index(id.into()));
    let piece = |piece: &ChainPiece| PieceText {
        to: piece.to,
        normal: match piece.carrier {
            Carrier::Edges([of_a, of_b]) => NormalText::Edges {
                edge_a: edge(&pair.a, of_a),
                edge_b: edge(&pair.b, of_b),
            },
            carrier => NormalText::Carried {
                direction: piece.direction.iter().take(V::DIM).copied().collect(),
                carrier: carrier.name(),
            },
        },
    };
    let contact = contact.map(|contact| match contact {
        ChainContact::Overlap { time, why } => ContactText {
            time: *time,
            why: WhyText::Overlap(Box::new(CertificateText::new(why, pair))),
        },
        ChainContact::Crossing(crossing) => ContactText {
            time: crossing.to,
            why: WhyText::Crossing {
                kind: "crossing",
                from: crossing.from,
                direction: crossing.direction.iter().take(V::DIM).copied().collect(),
                ring: indices(&crossing.ring, [&pair.a.numbering, &pair.b.numbering]),
            },
        },
    });
    (pieces.iter().map(piece).collect(), contact)
}
