//! Frames of the EPA loop: the polytope, its nearest facet, and the search beyond it.

use super::frame::{face_normal, point, points, search, simplex_figure};
use crate::draw::{Figure, Frame, Item};
use gjk::math::{Ring, Scalar};
use gjk::trace::Step;
use gjk_query::convert::Space;

pub(super) fn epa_frame<V: Space>(step: &Step<V>, lines: Vec<String>) -> Frame {
    let Step::Epa {
        iteration,
        nearest,
        normal,
        support,
        facets,
        lower,
        upper,
    } = step
    else {
        return Frame::empty("epa", lines);
    };
    let mut items = polytope_items(facets);
    items.push(Item::difference("facet", simplex_figure(points(nearest))));
    let foot = normal.normalized().map_or(V::ZERO, |n| {
        n * nearest.first().map_or(V::Scalar::ZERO, |p| n.dot(p.w))
    });
    items.push(
        Item::difference(
            "nearest",
            Figure::Line {
                points: vec![vec![0.0; V::DIM], point(foot)],
            },
        )
        .labelled("depth"),
    );
    items.extend(search(*normal, support));
    Frame {
        stage: "epa",
        title: format!(
            "EPA, step {iteration}: the polytope has {} facets",
            facets.len()
        ),
        lines,
        region: None,
        bounds: Some([-upper.to_f64(), -lower.to_f64()])
            .filter(|bounds| bounds.iter().all(|x| x.is_finite())),
        items,
    }
}

/// The polytope; in space with its outward normals.
fn polytope_items<V: Space>(facets: &[Vec<V>]) -> Vec<Item> {
    let corners = |facet: &[V]| facet.iter().map(|&w| point(w)).collect::<Vec<_>>();
    if V::DIM == 2 {
        let line = |facet: &Vec<V>| Figure::Line {
            points: corners(facet),
        };
        return facets
            .iter()
            .map(|facet| Item::difference("polytope", line(facet)))
            .collect();
    }
    let count = |k: usize| facets[..k].iter().map(Vec::len).sum::<usize>() as u32;
    let faces = (0..facets.len())
        .map(|k| (count(k)..count(k + 1)).collect())
        .collect();
    let points = facets.iter().flat_map(|facet| corners(facet)).collect();
    let mut items = vec![Item::difference("polytope", Figure::Mesh { points, faces })];
    // The origin is inside.
    items.extend(
        facets
            .iter()
            .filter_map(|facet| face_normal(facet, V::ZERO)),
    );
    items
}
