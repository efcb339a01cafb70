//! From steps to frames: each frame is one step of the production loop as items to draw, and the words for it.
//!
//! Where it sits: pure. What is shown comes from the loop's own report; nothing is searched or decided here.

use crate::draw::{Figure, Item};
use crate::outline::{self, Of};
use crate::regions;
use gjk::math::{Ring, Scalar};
use gjk::query::{Certificate, Verdict};
use gjk::trace::{Region, Step};
use gjk::{Support, SupportPair, Vector};
use gjk_query::answer::{Answer, components};
use gjk_query::convert::{Body, Space};
use gjk_query::explain::{self, Explainer};
use gjk_query::pair::Pair;
use gjk_query::record::Recorded;
use serde::Serialize;

/// What one moment of the playback shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Frame {
    /// `gjk`, `epa` or `answer`.
    pub(crate) stage: &'static str,
    /// A few words.
    pub(crate) title: String,
    /// The lines of `gjk trace`.
    pub(crate) lines: Vec<String>,
    /// The region of the simplex that the origin is in, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) region: Option<String>,
    /// What is proved of the signed distance so far; absent where nothing is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bounds: Option<[f64; 2]>,
    /// What to draw, back to front.
    pub(crate) items: Vec<Item>,
}

/// What stands in every frame: the bodies, their difference, the origin.
pub(crate) fn background<V: Space>(pair: &Pair<V>) -> (Vec<Item>, [Vec<f64>; 2]) {
    let [a, b] = [&pair.a, &pair.b].map(outline::outline);
    let difference = outline::difference(pair, Of::Body);
    let window = bounds_of(&difference.points, V::DIM);
    let mut items = vec![
        Item::world("body_a", Figure::from(a)).labelled("A"),
        Item::world("body_b", Figure::from(b)).labelled("B"),
        Item::difference("difference", Figure::from(difference)).labelled("A − B"),
    ];
    items.extend(
        outline::cloud(pair).map(|points| Item::difference("cloud", Figure::Dots { points })),
    );
    if radii(pair) > 0.0 {
        items.push(Item::difference(
            "cores",
            Figure::from(outline::difference(pair, Of::Core)),
        ));
    }
    items.push(
        Item::difference(
            "origin",
            Figure::Dots {
                points: vec![vec![0.0; V::DIM]],
            },
        )
        .labelled("origin"),
    );
    (items, window)
}

/// What the loops' distances, of cores, are more than the bodies'. Under a pose that leaves no ball round the loops see the bodies.
fn radii<V: Space>(pair: &Pair<V>) -> f64 {
    let own = |body: &Body<V>| {
        body.pose.uniform_scale().map_or(0.0, |scale| {
            (V::Scalar::from_f64(body.shape.core().radius) * scale).to_f64()
        })
    };
    own(&pair.a) + own(&pair.b)
}

/// The box of points and the origin.
fn bounds_of(points: &[Vec<f64>], dim: usize) -> [Vec<f64>; 2] {
    let mut bounds = [vec![0.0; dim], vec![0.0; dim]];
    for point in points {
        for (k, &x) in point.iter().enumerate().filter(|(_, x)| x.is_finite()) {
            bounds[0][k] = f64::min(bounds[0][k], x);
            bounds[1][k] = f64::max(bounds[1][k], x);
        }
    }
    bounds
}

/// The frames of a query: a step each, and the answer last. `window` is the box of what stands behind them.
pub(crate) fn frames<V: Space>(
    pair: &Pair<V>,
    recorded: &Recorded<V>,
    window: &[Vec<f64>; 2],
) -> Vec<Frame> {
    let explainer = Explainer::new(pair);
    let Recorded {
        answer,
        steps,
        certificate,
    } = recorded;
    let mut frames = Vec::with_capacity(steps.len() + 1);
    let mut before: &[SupportPair<V>] = &[];
    for (at, step) in steps.iter().enumerate() {
        let lines = plain(explainer.step(step));
        let mut frame = match step {
            Step::Gjk { .. } => gjk_frame(step, before, lines, window),
            Step::Epa { .. } => epa_frame(step, lines),
        };
        frame
            .items
            .extend(steps.get(at + 1).and_then(next_direction));
        frames.push(frame);
        if let Step::Gjk { simplex, .. } = step {
            before = simplex;
        }
    }
    // The steps bound the cores' distance.
    let less = radii(pair);
    for bounds in frames.iter_mut().filter_map(|frame| frame.bounds.as_mut()) {
        *bounds = bounds.map(|x| x - less);
    }
    let mut last = answer_frame(answer, before);
    if let Some(certificate) = certificate {
        last.items.extend(certificate_items(pair, certificate));
    }
    frames.push(last);
    frames
}

fn plain(lines: Vec<String>) -> Vec<String> {
    lines
        .iter()
        .map(|line| anstream::adapter::strip_str(line).to_string())
        .collect()
}

fn point<V: Vector>(v: V) -> Vec<f64> {
    components(v)
}

fn points<V: Space>(pairs: &[SupportPair<V>]) -> Vec<Vec<f64>> {
    pairs.iter().map(|pair| point(pair.w)).collect()
}

/// Of length one; zero for none.
fn unit<V: Space>(direction: V) -> Vec<f64> {
    point(direction.normalized().unwrap_or(V::ZERO))
}

/// A simplex of the difference as a figure.
fn simplex_figure(points: Vec<Vec<f64>>) -> Figure {
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
fn search<V: Space>(direction: V, support: &SupportPair<V>) -> Vec<Item> {
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

fn gjk_frame<V: Space>(
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
        return Frame {
            stage: "gjk",
            title: String::new(),
            lines,
            region: None,
            bounds: None,
            items: Vec::new(),
        };
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
    let nearest = simplex
        .iter()
        .zip(weights)
        .fold(V::ZERO, |sum, (pair, &weight)| sum + pair.w * weight);
    if !enclosed && !weights.is_empty() {
        let line = vec![vec![0.0; V::DIM], point(nearest)];
        items.push(Item::difference("nearest", Figure::Line { points: line }).labelled("v"));
        let on = |body: fn(&SupportPair<V>) -> V| {
            point(
                simplex
                    .iter()
                    .zip(weights)
                    .fold(V::ZERO, |sum, (pair, &weight)| sum + body(pair) * weight),
            )
        };
        items.push(Item::world(
            "nearest",
            Figure::Line {
                points: vec![on(|p| p.a), on(|p| p.b)],
            },
        ));
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

fn epa_frame<V: Space>(step: &Step<V>, lines: Vec<String>) -> Frame {
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
        return Frame {
            stage: "epa",
            title: String::new(),
            lines,
            region: None,
            bounds: None,
            items: Vec::new(),
        };
    };
    let corners = |facet: &[V]| facet.iter().map(|&w| point(w)).collect::<Vec<_>>();
    let mut items = Vec::new();
    if V::DIM == 2 {
        for facet in facets {
            items.push(Item::difference(
                "polytope",
                Figure::Line {
                    points: corners(facet),
                },
            ));
        }
    } else {
        let count = |k: usize| facets[..k].iter().map(Vec::len).sum::<usize>() as u32;
        let faces = (0..facets.len())
            .map(|k| (count(k)..count(k + 1)).collect())
            .collect();
        let all = facets.iter().flat_map(|facet| corners(facet)).collect();
        items.push(Item::difference(
            "polytope",
            Figure::Mesh { points: all, faces },
        ));
        // The origin is inside.
        items.extend(
            facets
                .iter()
                .filter_map(|facet| face_normal(facet, V::ZERO)),
        );
    }
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

/// Where the step after this one asks.
fn next_direction<V: Space>(next: &Step<V>) -> Option<Item> {
    let (Step::Gjk { direction, .. }
    | Step::Epa {
        normal: direction, ..
    }) = next;
    let arrow = Figure::Arrow {
        from: vec![0.0; V::DIM],
        direction: unit(*direction),
    };
    Some(Item::difference("next_direction", arrow).labelled("next d"))
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

/// The normal of a face, away from a point on its inner side.
fn face_normal<V: Space>(face: &[V], inside: V) -> Option<Item> {
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

/// The pairs of vertices that a certificate names: on both bodies, and their differences' hull.
fn certificate_items<V: Space>(pair: &Pair<V>, certificate: &Certificate) -> Vec<Item> {
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

fn answer_frame<V: Space>(answer: &Answer<V>, last: &[SupportPair<V>]) -> Frame {
    let mut items = Vec::new();
    if let (Some(a), Some(b), Some(normal)) = (&answer.point_a, &answer.point_b, &answer.normal) {
        if matches!(answer.verdict, Verdict::Separated | Verdict::Touching) {
            let middle = a
                .iter()
                .zip(b)
                .map(|(x, y)| f64::midpoint(*x, *y))
                .collect();
            items.push(Item::world(
                "plane",
                Figure::Plane {
                    through: middle,
                    normal: normal.clone(),
                },
            ));
        }
        items.push(Item::world(
            "witness",
            Figure::Line {
                points: vec![a.clone(), b.clone()],
            },
        ));
        items.push(Item::world(
            "witness",
            Figure::Dots {
                points: vec![a.clone(), b.clone()],
            },
        ));
        items.push(
            Item::world(
                "normal",
                Figure::Arrow {
                    from: a.clone(),
                    direction: normal.clone(),
                },
            )
            .labelled("n"),
        );
        let apart: Vec<f64> = a.iter().zip(b).map(|(x, y)| x - y).collect();
        items.push(Item::difference(
            "witness",
            Figure::Line {
                points: vec![vec![0.0; V::DIM], apart],
            },
        ));
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
