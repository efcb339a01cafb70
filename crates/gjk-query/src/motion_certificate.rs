//! Certificates of motions, as the motion format has them.
//!
//! Where it sits: under [`crate::motion`], whose answers have them, and over `turning.rs`, which has the parts of those of bodies that turn.

use crate::certificate::{
    CertificateText, Exact, direction_text, exact, indices, ratio_text, weights_of,
};
use crate::convert::{InputError, Space};
use crate::pair::Pair;
use crate::turning::{ApartText, ContactText, HeldText, PieceText, chain_parts, held_parts};
use gjk::query::{BigInt, CastCertificate, Certificate, Combination, Direction, Meeting};
use serde::Serialize;

/// A certificate in the words of the motion format.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum MotionCertificateText {
    /// Of a start in contact: that of the pair at rest.
    Start(CertificateText),
    /// Of a motion.
    Motion(Box<MotionText>),
}

/// A certificate of a motion: the keys that its kind has.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MotionText {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<CertificateText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    direction: Option<Vec<Exact>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<Exact>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<Vec<[u64; 2]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<Vec<Exact>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<BeforeText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<AfterText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pieces: Option<Vec<PieceText>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contact: Option<ContactText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    held: Option<Vec<HeldText>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    apart: Option<ApartText>,
}

/// A plane that separates at a time.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BeforeText {
    direction: Vec<Exact>,
    time: f64,
}

/// Points of both that are near at a time.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AfterText {
    pairs: Vec<[u64; 2]>,
    weights: Vec<Exact>,
    time: f64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    touch: bool,
}

fn fraction(time: &[BigInt; 2]) -> Exact {
    let time = exact(time);
    ratio_text(&time[0], &time[1])
}

/// A plane before contact and a point in it, as they are written.
fn rounded_text<V: Space>(
    (outside, before): (f64, &Direction),
    (inside, after): (f64, &Combination),
    touch: bool,
    pairs: impl Fn(&Combination) -> Vec<[u64; 2]>,
) -> MotionText {
    let direction = direction_text(before, V::DIM);
    MotionText {
        before: Some(BeforeText {
            direction,
            time: outside,
        }),
        after: Some(AfterText {
            pairs: pairs(after),
            weights: weights_of(after),
            time: inside,
            touch,
        }),
        ..MotionText::default()
    }
}

/// A start in contact, and what ends it.
fn exit_text<V: Space>(
    start: &Certificate,
    end: &CastCertificate,
    pair: &Pair<V>,
    verdict: Meeting,
) -> Result<MotionText, InputError> {
    let MotionCertificateText::Motion(end) = certificate_text(end, pair, verdict)? else {
        return Err(InputError::new("internal", "", "an exit without an end"));
    };
    let start = CertificateText::new(start, pair);
    Ok(MotionText {
        start: Some(start),
        ..*end
    })
}

/// A certificate of bodies that turn.
fn turning_text<V: Space>(certificate: &CastCertificate, pair: &Pair<V>) -> MotionText {
    match certificate {
        CastCertificate::Chain {
            from,
            pieces,
            contact,
        } => {
            let (pieces, contact) = chain_parts(pieces, contact.as_ref(), pair);
            MotionText {
                kind: "chain",
                from: Some(*from).filter(|&from| from > 0.0),
                pieces: Some(pieces),
                contact,
                ..MotionText::default()
            }
        }
        CastCertificate::Held {
            start,
            pieces,
            apart,
        } => {
            let (held, apart) = held_parts(pieces, apart, pair);
            MotionText {
                kind: "held",
                start: Some(CertificateText::new(start, pair)),
                held: Some(held),
                apart: Some(apart),
                ..MotionText::default()
            }
        }
        _ => MotionText::default(),
    }
}

/// A certificate of a motion as the format has it.
///
/// # Errors  a certificate that is none.
pub(crate) fn certificate_text<V: Space>(
    certificate: &CastCertificate,
    pair: &Pair<V>,
    verdict: Meeting,
) -> Result<MotionCertificateText, InputError> {
    let pairs = |point: &Combination| indices(&point.pairs, [&pair.a.numbering, &pair.b.numbering]);
    let kind = verdict.name();
    let text = match certificate {
        CastCertificate::Chain { .. } | CastCertificate::Held { .. } => {
            turning_text(certificate, pair)
        }
        CastCertificate::Start(start) => {
            let text = CertificateText::new(start, pair);
            return Ok(MotionCertificateText::Start(text));
        }
        CastCertificate::Exit { start, end } => exit_text(start, end, pair, verdict)?,
        CastCertificate::Free { direction } => MotionText {
            kind,
            direction: Some(direction_text(direction, V::DIM)),
            ..MotionText::default()
        },
        CastCertificate::Facet {
            direction,
            time,
            combination,
        } => MotionText {
            kind,
            direction: Some(direction_text(direction, V::DIM)),
            time: Some(fraction(time)),
            pairs: Some(pairs(combination)),
            weights: Some(weights_of(combination)),
            ..MotionText::default()
        },
        CastCertificate::Rounded {
            outside,
            before,
            inside,
            after,
            touch,
        } => MotionText {
            kind,
            ..rounded_text::<V>((*outside, before), (*inside, after), *touch, pairs)
        },
    };
    Ok(MotionCertificateText::Motion(Box::new(text)))
}
