//! Two parts of which one is not convex, by their surfaces.
//!
//! Where it sits: `narrow_phase.rs` has asked their hulls. Hulls that are separated are farther apart than nothing, so only the
//! distance is left to measure. Where hulls meet the surfaces decide.
//! Numbers: what separates two hulls separates what is in them, so the hulls' depth bounds that of the parts from above. How
//! deep they are at least is not measured: the upper end of the interval is zero.

use crate::Criteria;
use crate::proximity::{ContactFeature, Depths, Placed, Proximity, SearchStop, plain};
use gjk::Stop;
use gjk::query::{Interval, Verdict};
use gjk_mesh::{
    Depth, DepthOptions, PosedBody, Protrusion, Relation, ShapeContact, SurfaceContact,
};

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
    let flush = a.pose == b.pose && !a.only_in_world;
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
    let related = match answer.relation {
        Relation::Separated => separated(found),
        Relation::Touching => touching(found),
        relation => Proximity {
            verdict: Verdict::Overlapping,
            relation: Some(relation),
            ..found
        },
    }
    .flush(flush);
    Proximity {
        contact: answer.contact.map(|contact| features(&contact)),
        ..related
    }
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

/// No triangles meet, and it is not known whether one body is inside of the other.
fn undecided(hulls: Proximity, apart: Proximity) -> Proximity {
    Proximity {
        verdict: Verdict::Undecided,
        exact: false,
        relation: None,
        lower: hulls.lower,
        ..apart
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
        let apart = by_distance(separated(hulls), a, b, reach);
        return if found.is_none_or(|found| found.exact) {
            apart
        } else {
            undecided(hulls, apart)
        };
    };
    let answer = match found.relation {
        Relation::Touching => touching(hulls),
        relation => overlapping(hulls, Some(relation)),
    };
    let answer = Proximity {
        exact: found.exact,
        flush: found.flush,
        ..answer
    };
    found
        .contact
        .map_or(answer, |contact| at_contact(answer, &contact))
}

fn features(contact: &SurfaceContact) -> [ContactFeature; 2] {
    [0, 1].map(|k| ContactFeature {
        triangle: contact.triangles[k],
        feature: contact.features[k],
    })
}

/// Where the surfaces meet, one of the points where they do.
fn at_contact(answer: Proximity, contact: &SurfaceContact) -> Proximity {
    let touches = answer.verdict == Verdict::Touching;
    Proximity {
        contact: Some(features(contact)),
        point_a: contact.point,
        point_b: contact.point,
        // The hulls' normal says nothing of bodies that touch.
        normal: if touches {
            contact.normal.unwrap_or([0.0; 3])
        } else {
            answer.normal
        },
        ..answer
    }
}

/// How precise depths are.
pub(crate) fn depth_options(criteria: &Criteria) -> DepthOptions {
    let mut options = DepthOptions::default();
    options.relative = criteria.depth.unwrap_or(options.relative);
    options
}

/// How deep two meshes overlap, where that is asked, and whether the depth is within the touch band.
pub(crate) fn with_depths(
    found: Proximity,
    a: &Placed<'_>,
    b: &Placed<'_>,
    criteria: &Criteria,
) -> Proximity {
    let is_asked = criteria.depth.is_some() || criteria.touch_band > 0.0;
    let surfaces = a.surface().zip(b.surface());
    let is_overlap = found.verdict == Verdict::Overlapping;
    let Some((first, second)) = surfaces.filter(|_| is_asked && is_overlap) else {
        return found;
    };
    let along = found.normal.map(|x| -x);
    let depth = first.depth(second, &[along], &depth_options(criteria));
    let is_convex = a.part.is_convex() && b.part.is_convex();
    let measured = if is_convex {
        found
    } else {
        measured(found, &depth)
    };
    let interval = |p: Protrusion| Interval {
        lower: p.lower,
        upper: p.upper,
    };
    let deep = Proximity {
        depths: Some(Depths {
            protrusion: depth.protrusion.map(|of| of.map(interval)),
            along,
        }),
        ..measured
    };
    if deep.relation == Some(Relation::Overlapping)
        && is_within(&depth, [first, second], criteria.touch_band)
    {
        return Proximity {
            verdict: Verdict::Touching,
            relation: Some(Relation::Touching),
            exact: false,
            ..deep
        };
    }
    deep
}

/// An overlap of meshes with what was measured of it.
fn measured(found: Proximity, depth: &Depth) -> Proximity {
    let interval = depth.signed_distance();
    let mut answer = Proximity {
        upper: interval.upper,
        stop: SearchStop::DepthSearch,
        ..found
    };
    if depth.escape.is_none() {
        // A surface has no inside to be pushed out of.
        return found;
    }
    // The hulls' depth separates the bodies too, along the normal that is there already.
    if let Some(escape) = depth.escape.filter(|_| interval.lower > found.lower) {
        answer.lower = interval.lower;
        answer.normal = escape.by.map(|x| 0.0 - x / escape.length);
    }
    let reach = |k: usize| depth.protrusion[k].map_or(0.0, |p| p.lower);
    let deeper = usize::from(reach(1) > reach(0));
    if let Some(points) = depth.protrusion[deeper].and_then(|p| p.points) {
        [answer.point_a, answer.point_b] = points;
        if deeper == 1 {
            core::mem::swap(&mut answer.point_a, &mut answer.point_b);
        }
    }
    answer
}

/// Whether two solids reach into one another by no more than a band. Walls that are thinner than the band are refused: what goes
/// through one reaches no deeper than half of it.
fn is_within(depth: &Depth, bodies: [&PosedBody<'_>; 2], band: f64) -> bool {
    (0..2).all(|k| {
        depth.protrusion[k].is_some_and(|p| {
            let has_room = |[point, _]: [[f64; 3]; 2]| bodies[1 - k].has_room_at(point, 0.5 * band);
            p.upper <= band && p.points.is_none_or(has_room)
        })
    })
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
    let bounds = shape.bounds().corners();
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
        Verdict::Separated | Verdict::Undecided => oriented(not_met(hulls, &found)),
    };
    Proximity {
        exact: found.exact,
        ..answer
    }
}

/// A shape that no triangle is proved to meet, measured as far as `reach`.
fn not_met(hulls: Proximity, found: &ShapeContact) -> Proximity {
    let apart = separated(hulls);
    let interval = found.signed_distance;
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
        lower: interval.lower,
        upper: interval.upper,
        ..hulls
    }
}
