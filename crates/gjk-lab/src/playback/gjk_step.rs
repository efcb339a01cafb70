//! Frames of the GJK loop: the search, the simplex, and the regions of which one is chosen.

use super::frame::{face_normal, point, points, search, simplex_figure};
use crate::draw::{Figure, Frame, Item};
use crate::regions;
use gjk::SupportPair;
use gjk::math::Scalar;
use gjk::trace::{Region, Step};
use gjk_query::convert::Space;

pub(super) fn gjk_frame<V: Space>(
    step: &Step<V>,
    before: &[SupportPair<V>],
    lines: Vec<String>,
    window: &[Vec<f64>; 2],
) -> Frame {
    let Step::Gjk {
        iteration,
        direction,
        support,
        simplex,
        weights,
        lower,
        upper,
        region,
        ..
    } = step
    else {
        return Frame::empty("gjk", lines);
    };
    let mut items = Vec::new();
    let mut chosen = None;
    // One vertex has one region: everything.
    if V::DIM == 2 && *region != Region::Dropped && !before.is_empty() {
        (items, chosen) = region_items(support, before, simplex, window);
    }
    if V::DIM == 3 && *region != Region::Dropped {
        let candidate: Vec<V> = core::iter::once(support.w)
            .chain(before.iter().map(|pair| pair.w))
            .collect();
        items.extend(tetrahedron_normals(&candidate));
    }
    let enclosed = *region == Region::Enclosed;
    items.push(Item::difference(
        if enclosed { "enclosing" } else { "simplex" },
        simplex_figure(points(simplex)),
    ));
    items.push(Item::difference(
        "vertex",
        Figure::Dots {
            points: points(simplex),
        },
    ));
    if !enclosed && !weights.is_empty() {
        items.extend(nearest_items(simplex, weights));
    }
    items.extend(search(*direction, support));
    let bounds = [lower.to_f64(), upper.to_f64()];
    Frame {
        stage: "gjk",
        title: format!("GJK, step {iteration}: {}", region_text(*region)),
        lines,
        region: chosen.or_else(|| Some(region.name().to_owned())),
        bounds: (!enclosed && bounds.iter().all(|x| x.is_finite())).then_some(bounds),
        items,
    }
}

/// The point of the simplex nearest the origin, and the points of the bodies that it is the difference of.
fn nearest_items<V: Space>(simplex: &[SupportPair<V>], weights: &[V::Scalar]) -> [Item; 2] {
    let on = |of: fn(&SupportPair<V>) -> V| {
        point(
            simplex
                .iter()
                .zip(weights)
                .fold(V::ZERO, |sum, (pair, &weight)| sum + of(pair) * weight),
        )
    };
    let from_origin = Figure::Line {
        points: vec![vec![0.0; V::DIM], on(|pair| pair.w)],
    };
    let between = Figure::Line {
        points: vec![on(|pair| pair.a), on(|pair| pair.b)],
    };
    [
        Item::difference("nearest", from_origin).labelled("v"),
        Item::world("nearest", between),
    ]
}

/// A region in a few words.
fn region_text(region: Region) -> &'static str {
    match region {
        Region::Vertex => "a vertex is nearest",
        Region::Edge => "an edge is nearest",
        Region::Face => "a face is nearest",
        Region::Enclosed => "the origin is inside",
        Region::Dropped => "nothing nearer",
    }
}

/// The regions of the simplex as it was before the reduction, the one that was chosen last, with its name.
fn region_items<V: Space>(
    support: &SupportPair<V>,
    before: &[SupportPair<V>],
    after: &[SupportPair<V>],
    window: &[Vec<f64>; 2],
) -> (Vec<Item>, Option<String>) {
    let planar = |v: V| [v.component(0).to_f64(), v.component(1).to_f64()];
    let candidate: Vec<V> = core::iter::once(support.w)
        .chain(before.iter().map(|pair| pair.w))
        .take(3)
        .collect();
    let corners: Vec<[f64; 2]> = candidate.iter().map(|&w| planar(w)).collect();
    let size = (0..2)
        .map(|k| window[1][k] - window[0][k])
        .fold(0.0, f64::max);
    let corner = |k: usize, sign: f64| [window[k][0] + sign * size, window[k][1] + sign * size];
    let kept: Vec<usize> = (0..candidate.len())
        .filter(|&k| after.iter().any(|pair| pair.w == candidate[k]))
        .collect();
    let (mut items, mut name) = (Vec::new(), None);
    for region in regions::regions(&corners, [corner(0, -1.0), corner(1, 1.0)]) {
        let mut face = region.face.clone();
        face.sort_unstable();
        let own = face == kept;
        let letters: String = face.iter().map(|&k| ["w", "p", "q"][k]).collect();
        let text = match face.len() {
            1 => format!("vertex {letters}"),
            2 => format!("edge {letters}"),
            _ => "inside".to_owned(),
        };
        let points = region.points.iter().map(|p| p.to_vec()).collect();
        let layer = if own { "region_chosen" } else { "region" };
        items.push(Item::difference(layer, Figure::Polygon { points }).labelled(text.clone()));
        if own {
            name = Some(text);
        }
    }
    items.sort_by_key(|item| item.layer == "region_chosen");
    let candidate = candidate.into_iter().map(point).collect();
    items.push(Item::difference("candidate", simplex_figure(candidate)));
    (items, name)
}

/// The outward normals of a tetrahedron's faces, each of a layer that says on which side the origin is.
fn tetrahedron_normals<V: Space>(corners: &[V]) -> Vec<Item> {
    let &[p, q, r, s] = corners else {
        return Vec::new();
    };
    let faces = [
        ([p, q, r], s),
        ([p, q, s], r),
        ([p, r, s], q),
        ([q, r, s], p),
    ];
    faces
        .iter()
        .flat_map(|(face, opposite)| face_normal(face, *opposite))
        .collect()
}
