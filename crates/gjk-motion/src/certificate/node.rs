//! The nodes of a certificate's tree, and how they are written: as one text, a word each, separated by spaces.
//!
//! Where it sits: trees over joint values and trees over time have them. A robot's matrix has two hundred thousand nodes; as objects of JSON
//! they are ten times as long.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};
use std::fmt::Write;

/// A node of a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CertificateNode {
    /// Along this direction the two pieces are apart by the distance in the whole cell or span: `2:9,-3,5`.
    Apart {
        /// The direction is given in the frame that stands behind so many moving joints of the way.
        cut: usize,
        /// From the first link to the second, of any length.
        along: [f64; 3],
    },
    /// The range of a joint in two at its middle: `L1` where the lower half comes first, else `H1`.
    Range {
        /// The joint, as an index into the pair's joints.
        joint: usize,
        /// Whether the lower half comes first.
        low_first: bool,
    },
    /// The triangles of one link's piece in two, as its part's divisions say; the first half comes first: `T0`, `T1`.
    Triangles {
        /// Which link: 0 or 1.
        link: usize,
    },
    /// Balls around a point in either link's frame, each inside of its part, meet in the whole cell: `O0.1:0,0,0.5:0,0,-0.5`. Of pairs that
    /// overlap alone.
    Overlap {
        /// The part of each link.
        parts: [usize; 2],
        /// The points.
        at: [[f64; 3]; 2],
    },
    /// The span of time in two at its middle, the earlier half first: `S`. Of paths alone.
    Span,
    /// Nothing is claimed of the span: `-`. Of paths alone.
    Open,
}

/// The nodes as a text.
pub(crate) fn serialize<S: Serializer>(
    nodes: &[CertificateNode],
    out: S,
) -> Result<S::Ok, S::Error> {
    out.serialize_str(&text_of(nodes))
}

/// The nodes of a text.
pub(crate) fn deserialize<'d, D: Deserializer<'d>>(
    from: D,
) -> Result<Vec<CertificateNode>, D::Error> {
    let text = String::deserialize(from)?;
    nodes_of(&text).map_err(D::Error::custom)
}

fn text_of(nodes: &[CertificateNode]) -> String {
    let mut text = String::new();
    for (index, node) in nodes.iter().enumerate() {
        if index > 0 {
            text.push(' ');
        }
        // Writing to a string cannot fail.
        let _ = match node {
            CertificateNode::Apart {
                cut,
                along: [x, y, z],
            } => write!(text, "{cut}:{x},{y},{z}"),
            CertificateNode::Range { joint, low_first } => {
                write!(text, "{}{joint}", if *low_first { 'L' } else { 'H' })
            }
            CertificateNode::Triangles { link } => write!(text, "T{link}"),
            CertificateNode::Overlap {
                parts: [a, b],
                at: [[x, y, z], [u, v, w]],
            } => write!(text, "O{a}.{b}:{x},{y},{z}:{u},{v},{w}"),
            CertificateNode::Span => write!(text, "S"),
            CertificateNode::Open => write!(text, "-"),
        };
    }
    text
}

fn nodes_of(text: &str) -> Result<Vec<CertificateNode>, String> {
    let words = text.split_ascii_whitespace().enumerate();
    words
        .map(|(index, word)| {
            node_of(word).ok_or_else(|| {
                let help = "`L1`, `H1`, `T0`, `S`, `-` or a direction such as `2:9,-3,5`";
                format!("node {index} of a tree is `{word}`: expected {help}")
            })
        })
        .collect()
}

fn node_of(word: &str) -> Option<CertificateNode> {
    if let Some(rest) = word.strip_prefix('O') {
        let mut fields = rest.split(':');
        let (a, b) = fields.next()?.split_once('.')?;
        let at = [three(fields.next()?)?, three(fields.next()?)?];
        let parts = [a.parse().ok()?, b.parse().ok()?];
        let is_all = fields.next().is_none();
        return is_all.then_some(CertificateNode::Overlap { parts, at });
    }
    if let Some((cut, along)) = word.split_once(':') {
        let (cut, along) = (cut.parse().ok()?, three(along)?);
        return Some(CertificateNode::Apart { cut, along });
    }
    match word {
        "S" => return Some(CertificateNode::Span),
        "-" => return Some(CertificateNode::Open),
        _ => {}
    }
    let index = |from: usize| word.get(from..)?.parse::<usize>().ok();
    match word.as_bytes().first()? {
        kind @ (b'L' | b'H') => Some(CertificateNode::Range {
            joint: index(1)?,
            low_first: *kind == b'L',
        }),
        b'T' => Some(CertificateNode::Triangles { link: index(1)? }),
        _ => None,
    }
}

/// Three numbers, separated by commas.
fn three(text: &str) -> Option<[f64; 3]> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|x| x.parse().ok()).collect();
    numbers?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_read_back_as_they_are() {
        let nodes = [
            CertificateNode::Range {
                joint: 1,
                low_first: true,
            },
            CertificateNode::Range {
                joint: 12,
                low_first: false,
            },
            CertificateNode::Triangles { link: 1 },
            CertificateNode::Apart {
                cut: 2,
                along: [9.0, -3.0, 0.1 + 0.2],
            },
            CertificateNode::Overlap {
                parts: [0, 12],
                at: [[0.5, 0.0, -1e-7], [1.0, 2.0, 3.0]],
            },
            CertificateNode::Span,
            CertificateNode::Open,
        ];
        let text = text_of(&nodes);
        assert_eq!(
            text,
            "L1 H12 T1 2:9,-3,0.30000000000000004 O0.12:0.5,0,-0.0000001:1,2,3 S -"
        );
        assert_eq!(nodes_of(&text).as_deref(), Ok(&nodes[..]));
    }

    #[test]
    fn words_that_are_no_nodes_are_named() {
        for word in [
            "L",
            "X1",
            "L-1",
            "2:1,2",
            "2:1,2,3,4",
            ":1,2,3",
            "2:a,2,3",
            "T1x",
            "é",
        ] {
            let text = format!("L1 {word}");
            let fault = nodes_of(&text).expect_err(word);
            assert!(
                fault.contains(&format!("node 1 of a tree is `{word}`")),
                "{fault}"
            );
        }
    }
}
