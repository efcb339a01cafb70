//! The items that frames of several stages have.
//!
//! Where it sits: under the stages (`gjk_step.rs`, `epa_step.rs`, `answer.rs`).

use crate::draw::{Figure, Item};
use gjk::math::{Ring, Scalar};
use gjk::{SupportPair, Vector};
use gjk_query::answer::components;
use gjk_query::convert::Space;

pub(super) fn point<V: Vector>(v: V) -> Vec<f64> {
    components(v)
}

pub(super) fn points<V: Space>(pairs: &[SupportPair<V>]) -> Vec<Vec<f64>> {
    pairs.iter().map(|pair| point(pair.w)).collect()
}

/// Of length one; zero for none.
pub(super) fn unit<V: Space>(direction: V) -> Vec<f64> {
    point(direction.normalized().unwrap_or(V::ZERO))
}

/// A simplex of the difference as a figure.
pub(super) fn simplex_figure(points: Vec<Vec<f64>>) -> Figure {
    let planar = points.first().is_none_or(|p| p.len() == 2);
    match (points.len(), planar) {
        (0 | 1, _) => Figure::Dots { points },
        (2, _) => Figure::Line { points },
        (_, true) => Figure::Polygon { points },
        (3, false) => Figure::Mesh {
            points,
            faces: vec![vec![0, 1, 2], vec![2, 1, 0]],
        },
        // Seen from both sides, whichever way the corners turn.
        (_, false) => {
            let faces = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]];
            let both = faces
                .iter()
                .flat_map(|f| [f.to_vec(), f.iter().rev().copied().collect()])
                .collect();
            Figure::Mesh {
                points,
                faces: both,
            }
        }
    }
}

/// The search: where the supports were asked, and what they answered.
pub(super) fn search<V: Space>(direction: V, support: &SupportPair<V>) -> Vec<Item> {
    let arrow = |from: V, direction: V| Figure::Arrow {
        from: point(from),
        direction: unit(direction),
    };
    vec![
        Item::world("direction", arrow(support.a, direction)),
        Item::world("direction", arrow(support.b, -direction)),
        Item::world(
            "support",
            Figure::Dots {
                points: vec![point(support.a)],
            },
        )
        .labelled("a"),
        Item::world(
            "support",
            Figure::Dots {
                points: vec![point(support.b)],
            },
        )
        .labelled("b"),
        Item::difference("direction", arrow(V::ZERO, direction)).labelled("d"),
        Item::difference(
            "support",
            Figure::Dots {
                points: vec![point(support.w)],
            },
        )
        .labelled("w = a − b"),
    ]
}

/// The normal of a face, away from a point on its inner side.
pub(super) fn face_normal<V: Space>(face: &[V], inside: V) -> Option<Item> {
    let &[p, q, r] = face.get(..3)? else {
        return None;
    };
    let normal: V = V::cross_product(q - p, r - p).normalized()?;
    let normal = if normal.dot(inside - p) > V::Scalar::ZERO {
        -normal
    } else {
        normal
    };
    let layer = if normal.dot(p) < V::Scalar::ZERO {
        "normal_out"
    } else {
        "normal_in"
    };
    let middle = face.iter().fold(V::ZERO, |sum, &corner| sum + corner)
        * V::Scalar::from_f64(1.0 / face.len() as f64);
    Some(Item::difference(
        layer,
        Figure::Arrow {
            from: point(middle),
            direction: point(normal),
        },
    ))
}
