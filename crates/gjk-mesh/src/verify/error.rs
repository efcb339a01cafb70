//! What a checker says against an answer.

use crate::Relation;
use core::fmt;

/// The first thing found wrong: a bug in this library, or an answer of other bodies.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum VerifyError {
    /// A piece of a solid runs an edge more often one way than the other, so it has no inside.
    NotClosed {
        /// 0 or 1.
        body: usize,
        /// The piece.
        piece: u32,
    },
    /// The certificate's cut is none.
    Cut(&'static str),
    /// The cut says that triangles are apart, these among them, and its axis does not tell them apart by as much.
    NotApart {
        /// A triangle of each body.
        triangles: [u32; 2],
    },
    /// The certificate names a triangle or a piece that the bodies do not have, or whose features do not meet.
    Sight(&'static str),
    /// Another relation is proved.
    Relation {
        /// The answer's.
        claimed: Relation,
        /// What the certificate proves.
        proved: Relation,
    },
    /// The distance's upper end is not that of the triangles which it names.
    Upper(String),
    /// A ball is not inside of this body as its certificate says.
    Ball {
        /// 0 or 1.
        body: usize,
        /// What is wrong.
        why: &'static str,
    },
    /// A translation does not separate the bodies as is said.
    Escape(&'static str),
    /// The surface of this body does not reach as deep into the other as is said.
    Protrusion {
        /// 0 or 1.
        body: usize,
        /// What is wrong.
        why: &'static str,
    },
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotClosed { body, piece } => {
                write!(f, "piece {piece} of body {body} is not closed")
            }
            Self::Cut(why) => write!(f, "the cut is none: {why}"),
            Self::NotApart { triangles: [i, j] } => {
                write!(
                    f,
                    "triangles {i} and {j} are not as far apart as the cut says"
                )
            }
            Self::Sight(why) => write!(f, "what is to be seen is not there: {why}"),
            Self::Relation { claimed, proved } => {
                write!(f, "the answer is {claimed:?}, and {proved:?} is proved")
            }
            Self::Upper(why) => write!(f, "the distance is not at most so much: {why}"),
            Self::Ball { body, why } => {
                write!(f, "the ball is not inside of body {body}: {why}")
            }
            Self::Escape(why) => write!(f, "the translation does not separate: {why}"),
            Self::Protrusion { body, why } => {
                write!(f, "body {body} does not reach as deep: {why}")
            }
        }
    }
}

impl std::error::Error for VerifyError {}
