//! Two parts of which one is not convex, by their surfaces.
//!
//! Where it sits: `narrow_phase.rs` has asked their hulls. Hulls that are separated are farther apart than nothing, so only the
//! distance is left to measure. Where hulls meet the surfaces decide.
//! Numbers: what separates two hulls separates what is in them, so the hulls' depth bounds that of the parts from above. How
//! deep they are at least is not measured: the upper end of the interval is zero.

use crate::proximity::{Placed, Proximity, SearchStop, plain};
use gjk::Stop;
use gjk::query::Verdict;
use gjk_mesh::{PosedBody, Relation, ShapeContact};

/// What the surfaces say, after what the hulls said. Distances above `reach` are not measured.
pub(crate) fn refine(hulls: Proximity, a: &Placed<'_>, b: &Placed<'_>, reach: f64) -> Proximity {
    if a.part.is_convex() && b.part.is_convex() {
        return of_convex(hulls, a, b);
    }
    match (a.surface(), b.surface()) {
        (Some(a), Some(b)) => of_meshes(hulls, a, b, reach),
        (Some(surface), None) => with_shape(hulls, surface, b, false, reach),
        (None, Some(surface)) => with_shape(hulls, surface, a, true, reach),
        // A cloud of points has no surface: its hull is what there is.
        (None, None) => hulls,
    }
}

/// Two convex parts: the query has answered, but for the relation of those that overlap, and for those of one pose.
fn of_convex(found: Proximity, a: &Placed<'_>, b: &Placed<'_>) -> Proximity {
    let flush = a.pose == b.pose;
    let is_wanted = match found.verdict {
        Verdict::Overlapping => true,
        Verdict::Touching => flush,
        Verdict::Separated | Verdict::Undecided => false,
    };
    let surfaces = a.surface().zip(b.surface()).filter(|_| is_wanted);
    let Some((a, b)) = surfaces else {
        return found;
    };
    let answer = a.relation(b);
    match answer.relation {
        Relation::Separated => separated(found),
        Relation::Touching => touching(found),
        relation => Proximity {
            verdict: Verdict::Overlapping,
            relation: Some(relation),
            ..found
        },
    }
    .flush(flush)
}

/// Separated parts of unknown distance: at least that of their hulls.
fn separated(hulls: Proximity) -> Proximity {
    Proximity {
        verdict: Verdict::Separated,
        exact: true,
        relation: Some(Relation::Separated),
        lower: hulls.lower.max(0.0),
        upper: f64::INFINITY,
        ..hulls
    }
}

fn touching(hulls: Proximity) -> Proximity {
    Proximity {
        verdict: Verdict::Touching,
        relation: Some(Relation::Touching),
        lower: 0.0,
        upper: 0.0,
        ..hulls
    }
}

fn overlapping(hulls: Proximity, relation: Option<Relation>) -> Proximity {
    Proximity {
        verdict: Verdict::Overlapping,
        relation,
        lower: hulls.lower.min(0.0),
        upper: 0.0,
        stop: SearchStop::HullDepth,
        ..hulls
    }
}

fn of_meshes(hulls: Proximity, a: &PosedBody<'_>, b: &PosedBody<'_>, reach: f64) -> Proximity {
    let found = if hulls.verdict == Verdict::Separated {
        None
    } else {
        Some(a.relation(b))
    };
    let Some(found) = found.filter(|found| found.relation != Relation::Separated) else {
        let exact = found.is_none_or(|found| found.exact);
        return Proximity {
            exact,
            ..by_distance(separated(hulls), a, b, reach)
        };
    };
    let answer = match found.relation {
        Relation::Touching => touching(hulls),
        relation => overlapping(hulls, Some(relation)),
    };
    // Where the surfaces meet, one of the points where they do.
    Proximity {
        exact: found.exact,
        flush: found.flush,
        point_a: found.point.unwrap_or(answer.point_a),
        point_b: found.point.unwrap_or(answer.point_b),
        ..answer
    }
}

/// The distance of separated parts, as far as it is wanted.
fn by_distance(apart: Proximity, a: &PosedBody<'_>, b: &PosedBody<'_>, reach: f64) -> Proximity {
    if apart.lower > reach || reach == 0.0 {
        return apart;
    }
    match a.distance(b, reach) {
        None => Proximity {
            lower: apart.lower.max(reach),
            ..apart
        },
        Some(found) => Proximity {
            lower: found.lower.max(apart.lower),
            upper: found.upper,
            normal: found.normal.map(|x| x + 0.0),
            point_a: found.points[0],
            point_b: found.points[1],
            stop: if found.stopped {
                SearchStop::TriangleLimit
            } else {
                SearchStop::Query(Stop::GapClosed)
            },
            ..apart
        },
    }
}

/// A surface against a shape that has none: a ball, a capsule. `swapped`: the shape is the first of the pair.
fn with_shape(
    hulls: Proximity,
    surface: &PosedBody<'_>,
    shape: &Placed<'_>,
    swapped: bool,
    reach: f64,
) -> Proximity {
    if hulls.verdict == Verdict::Separated && (hulls.lower > reach || reach == 0.0) {
        return separated(hulls);
    }
    let bounds = shape.bounds.corners();
    let found = surface.contact_with(shape.shape, &shape.pose, bounds, reach);
    let oriented = |answer: Proximity| {
        let Some(nearest) = found.nearest else {
            return answer;
        };
        let (mut normal, mut points) = (nearest.normal, [nearest.point_a, nearest.point_b]);
        if swapped {
            normal = -normal;
            points.swap(0, 1);
        }
        Proximity {
            normal: plain(normal),
            point_a: plain(points[0]),
            point_b: plain(points[1]),
            stop: SearchStop::Query(nearest.stop),
            ..answer
        }
    };
    let answer = match found.verdict {
        Verdict::Overlapping => {
            let within = if swapped {
                Relation::Inside
            } else {
                Relation::Contains
            };
            overlapping(hulls, found.inside.then_some(within))
        }
        Verdict::Touching => oriented(touching(hulls)),
        Verdict::Separated | Verdict::Undecided => oriented(not_met(hulls, &found, reach)),
    };
    Proximity {
        exact: found.exact,
        ..answer
    }
}

/// A shape that no triangle is proved to meet, measured as far as `reach`.
fn not_met(hulls: Proximity, found: &ShapeContact, reach: f64) -> Proximity {
    let apart = separated(hulls);
    let Some(nearest) = found.nearest else {
        return Proximity {
            lower: apart.lower.max(reach),
            ..apart
        };
    };
    let interval = nearest.signed_distance;
    if found.verdict == Verdict::Separated {
        return Proximity {
            lower: interval.lower.max(apart.lower),
            upper: interval.upper,
            ..apart
        };
    }
    Proximity {
        verdict: Verdict::Undecided,
        relation: None,
        lower: interval.lower.min(0.0),
        upper: interval.upper.max(0.0),
        ..hulls
    }
}
