//! The last frame: the answer, its witness points, and the vertices that its certificate names.

use super::frame::{point, points, simplex_figure};
use crate::common::{plain, witness_items};
use crate::draw::{Figure, Frame, Item};
use crate::outline;
use gjk::query::{Certificate, Verdict};
use gjk::{Support, SupportPair, Vector};
use gjk_query::answer::Answer;
use gjk_query::convert::{Body, Space};
use gjk_query::explain;
use gjk_query::pair::Pair;

pub(super) fn answer_frame<V: Space>(answer: &Answer<V>, last: &[SupportPair<V>]) -> Frame {
    let mut items = Vec::new();
    if let (Some(a), Some(b), Some(normal)) = (&answer.point_a, &answer.point_b, &answer.normal) {
        items = witness_items([a, b], normal, answer.verdict);
    }
    if !last.is_empty() {
        let layer = if answer.verdict == Verdict::Overlapping {
            "enclosing"
        } else {
            "simplex"
        };
        items.push(Item::difference(layer, simplex_figure(points(last))));
    }
    let bounds = answer
        .signed_distance
        .map(|bounds| [bounds.lower, bounds.upper]);
    Frame {
        stage: "answer",
        title: format!("Answer: {}", answer.verdict.name()),
        lines: plain(explain::verdict(answer)),
        region: None,
        bounds: bounds.filter(|bounds| bounds.iter().all(|x| x.is_finite())),
        items,
    }
}

/// The pairs of vertices that a certificate names: on both bodies, and their differences' hull.
pub(super) fn certificate_items<V: Space>(pair: &Pair<V>, certificate: &Certificate) -> Vec<Item> {
    let pairs: &[[u32; 2]] = match certificate {
        Certificate::Overlapping { pairs, .. } => pairs,
        Certificate::Touching { nearest, .. } | Certificate::Near { nearest, .. } => &nearest.pairs,
        Certificate::Separated { nearest, .. } => {
            nearest.as_ref().map_or(&[], |nearest| &nearest.pairs)
        }
    };
    let on = |body: &Body<V>, id: u32| Some(body.pose.point(body.shape.vertex(id)?.lift()));
    let found: Vec<(V, V)> = pairs
        .iter()
        .filter_map(|&[a, b]| Some((on(&pair.a, a)?, on(&pair.b, b)?)))
        .collect();
    let mut items = Vec::new();
    for (number, &(a, b)) in found.iter().enumerate() {
        let dots = |p: V| Figure::Dots {
            points: vec![point(p)],
        };
        items.push(Item::world("certificate", dots(a)).labelled(format!("a{}", number + 1)));
        items.push(Item::world("certificate", dots(b)).labelled(format!("b{}", number + 1)));
    }
    let differences: Vec<V> = found.iter().map(|&(a, b)| a - b).collect();
    if !differences.is_empty() {
        items.push(Item::difference(
            "certificate",
            Figure::from(outline::hull_of::<V>(&differences)),
        ));
        let corners = differences.iter().map(|&w| point(w)).collect();
        items.push(Item::difference(
            "certificate",
            Figure::Dots { points: corners },
        ));
    }
    items
}
