//! What frames of pairs, of motions and of manifolds have in common.
//!
//! Where it sits: under `playback/`, `motion_stage.rs` and `manifold.rs`.

use crate::draw::{Figure, Item};
use gjk::query::Verdict;

/// Lines for people without the marks that colour them.
pub(crate) fn plain(lines: Vec<String>) -> Vec<String> {
    lines
        .iter()
        .map(|line| anstream::adapter::strip_str(line).to_string())
        .collect()
}

/// The witness points on both bodies with the normal between them, their difference, and the plane where the bodies are parted.
pub(crate) fn witness_items([a, b]: [&[f64]; 2], normal: &[f64], verdict: Verdict) -> Vec<Item> {
    let mut items = Vec::new();
    if matches!(verdict, Verdict::Separated | Verdict::Touching) {
        let middle = a
            .iter()
            .zip(b)
            .map(|(x, y)| f64::midpoint(*x, *y))
            .collect();
        items.push(Item::world(
            "plane",
            Figure::Plane {
                through: middle,
                normal: normal.to_vec(),
            },
        ));
    }
    items.push(Item::world(
        "witness",
        Figure::Line {
            points: vec![a.to_vec(), b.to_vec()],
        },
    ));
    items.push(Item::world(
        "witness",
        Figure::Dots {
            points: vec![a.to_vec(), b.to_vec()],
        },
    ));
    items.push(
        Item::world(
            "normal",
            Figure::Arrow {
                from: a.to_vec(),
                direction: normal.to_vec(),
            },
        )
        .labelled("n"),
    );
    let apart: Vec<f64> = a.iter().zip(b).map(|(x, y)| x - y).collect();
    items.push(Item::difference(
        "witness",
        Figure::Line {
            points: vec![vec![0.0; a.len()], apart],
        },
    ));
    items
}
