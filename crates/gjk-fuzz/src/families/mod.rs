//! The families: what kind of adversary each is, and the table of all of them.
//!
//! Every generator writes numbers that the case's scalar holds exactly. The truth is for the oracles to find; a verdict
//! that the construction knows is checked as well.

mod anywhere;
mod contact;
mod gaps;
mod lattice;
mod round;
mod wild;

use super::case::{Body, Case, Form, Placement};
use super::rng::Rng;

/// A family of cases.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// The name on the command line.
    pub name: &'static str,
    /// One line for `--list`.
    pub about: &'static str,
    /// Whether there are cases in the plane.
    pub planar: bool,
    /// One in so many of the requested cases is run: large bodies are slower.
    pub share: u64,
    /// Every n-th case is judged by the facet oracle.
    pub facets_every: u64,
    /// Every n-th case is judged by the linear program.
    pub program_every: u64,
    /// Fills the case, which is empty.
    pub generate: fn(&mut Rng, &mut Case),
}

const BOTH: bool = true;
const SPACE: bool = false;

const fn family(
    name: &'static str,
    about: &'static str,
    planar: bool,
    generate: fn(&mut Rng, &mut Case),
) -> Family {
    Family {
        name,
        about,
        planar,
        share: 1,
        facets_every: 1,
        program_every: 64,
        generate,
    }
}

/// All families, in the order of `--family all`.
pub const FAMILIES: &[Family] = &[
    family(
        "face-face",
        "touch: a face on a face (2D: edge on edge), sheared on the integer grid",
        BOTH,
        contact::face_face,
    ),
    family(
        "face-edge",
        "touch: a face on an edge",
        SPACE,
        contact::face_edge,
    ),
    family(
        "face-vertex",
        "touch: a face on a vertex (2D: edge on vertex)",
        BOTH,
        contact::face_vertex,
    ),
    family(
        "edge-edge-crossing",
        "touch: two edges that cross",
        SPACE,
        contact::edge_edge_crossing,
    ),
    family(
        "edge-edge-parallel",
        "touch: two edges along one line",
        SPACE,
        contact::edge_edge_parallel,
    ),
    family(
        "edge-vertex",
        "touch: an edge on a vertex",
        SPACE,
        contact::edge_vertex,
    ),
    family(
        "vertex-vertex",
        "touch: one common vertex",
        BOTH,
        contact::vertex_vertex,
    ),
    family(
        "grid-gap",
        "any of these with a gap of one grid unit, coordinates to 2^18",
        BOTH,
        contact::grid_gap,
    ),
    family(
        "grid-overlap",
        "any of these pushed one grid unit into each other",
        BOTH,
        contact::grid_overlap,
    ),
    family(
        "ulp-gap",
        "any of these rotated, rounded, and moved by one rounding",
        BOTH,
        wild::ulp_gap,
    ),
    family(
        "small-lattice",
        "one to six points each on a grid of radius 1 to 4, half of them flat",
        BOTH,
        lattice::small,
    ),
    family(
        "aligned-boxes",
        "boxes along the axes with small integer coordinates",
        BOTH,
        lattice::aligned_boxes,
    ),
    family("identical", "a body and itself", BOTH, lattice::identical),
    family(
        "concentric",
        "a body and its multiple about the same centre",
        BOTH,
        lattice::concentric,
    ),
    family(
        "nested",
        "a small body inside a large one, touching its boundary or not",
        BOTH,
        lattice::nested,
    ),
    family(
        "shared-face",
        "two bodies on either side of a common face",
        BOTH,
        lattice::shared_face,
    ),
    family(
        "shared-edge",
        "two bodies with a common edge",
        BOTH,
        lattice::shared_edge,
    ),
    family(
        "shared-vertex",
        "two bodies with a common vertex, on any side",
        BOTH,
        lattice::shared_vertex,
    ),
    family(
        "flat",
        "two polygons in space, or segments in the plane, often in one plane",
        BOTH,
        lattice::flat,
    ),
    family(
        "linear",
        "two segments, often on one line",
        BOTH,
        lattice::linear,
    ),
    family("point", "a point against anything", BOTH, lattice::point),
    family(
        "duplicates",
        "touching bodies with every point given several times",
        BOTH,
        lattice::duplicates,
    ),
    family(
        "coplanar-extra",
        "touching bodies with points on their faces and edges and inside",
        BOTH,
        lattice::coplanar_extra,
    ),
    family(
        "in-plane",
        "a polygon in the plane of a face of the other",
        BOTH,
        lattice::in_plane,
    ),
    family(
        "needles",
        "needles of 1e5 to 1e6 to 1, crossing or nearly",
        BOTH,
        wild::needles,
    ),
    family("plates", "plates of 1e5 to 1e6 to 1", BOTH, wild::plates),
    family("tiny-huge", "1e-6 against 1e6", BOTH, wild::tiny_huge),
    family(
        "far",
        "small bodies far from the origin (2^22 grid units)",
        BOTH,
        wild::far,
    ),
    family(
        "near-parallel",
        "faces that are parallel up to 1e-8 to 1e-4",
        BOTH,
        wild::near_parallel,
    ),
    Family {
        facets_every: 16,
        program_every: 512,
        ..family(
            "prisms",
            "prisms with many nearly coplanar faces",
            BOTH,
            wild::prisms,
        )
    },
    Family {
        share: 100,
        program_every: 16,
        ..family(
            "fine-spheres",
            "spheres of a few hundred vertices",
            BOTH,
            wild::fine_spheres,
        )
    },
    family(
        "centred",
        "bodies whose first points or centres coincide",
        BOTH,
        lattice::centred,
    ),
    family(
        "first-support",
        "the first support point of the difference is the origin",
        BOTH,
        lattice::first_support,
    ),
    family(
        "shared-points",
        "several points of A are points of B",
        BOTH,
        lattice::shared_points,
    ),
    family(
        "subnormal",
        "coordinates near the smallest floats",
        BOTH,
        wild::subnormal,
    ),
    family("huge", "coordinates of 1e30 and more", BOTH, wild::huge),
    Family {
        facets_every: 8,
        ..family(
            "mixed-magnitudes",
            "coordinates of very different magnitudes in one body",
            BOTH,
            wild::mixed,
        )
    },
    family(
        "steep",
        "poses that undo a body's own scale, axis by axis, to 1e300",
        BOTH,
        wild::steep,
    ),
    Family {
        facets_every: 64,
        program_every: 512,
        ..family(
            "random-boxes",
            "random boxes at random poses",
            BOTH,
            wild::random_boxes,
        )
    },
    Family {
        facets_every: 4,
        ..family(
            "random-hulls",
            "hulls of a dozen random points",
            BOTH,
            wild::random_hulls,
        )
    },
    family(
        "ball-ball",
        "balls at Pythagorean distances, touching exactly or a rounding off",
        BOTH,
        round::ball_ball,
    ),
    family(
        "ball-box",
        "a ball and a box likewise",
        BOTH,
        round::ball_box,
    ),
    family(
        "capsule-capsule",
        "capsules likewise",
        BOTH,
        round::capsule_capsule,
    ),
    family(
        "rounded-hull",
        "rounded hulls likewise",
        BOTH,
        round::rounded_hull,
    ),
    family(
        "rounded-overlap",
        "rounded bodies whose cores meet or touch",
        BOTH,
        round::rounded_overlap,
    ),
    family(
        "far-scales",
        "round pairs near the ends of the range, or radii of unequal magnitude",
        BOTH,
        round::far_scales,
    ),
    family(
        "coaxial-cylinders",
        "cylinders on one axis: closed form",
        SPACE,
        round::coaxial_cylinders,
    ),
    family(
        "parallel-cylinders",
        "cylinders with parallel axes side by side: closed form",
        SPACE,
        round::parallel_cylinders,
    ),
    family(
        "ellipsoid-plate",
        "an ellipsoid over a large box: closed form",
        BOTH,
        round::ellipsoid_plate,
    ),
    family(
        "smooth",
        "cylinders, cones, ellipsoids against anything: consistency only",
        BOTH,
        round::smooth,
    ),
    family(
        "smooth-gaps",
        "caps, sides, rims, tips against anything, level or tilted by 1e-12 to 1e-2, gaps of 0 and 1e-9 to 1: bounds in twice the digits",
        BOTH,
        gaps::smooth_gaps,
    ),
];

/// Fills an empty case by a family; one in so many is somewhere else in the range of floats.
pub(crate) fn generate(family: &Family, rng: &mut Rng, case: &mut Case) {
    (family.generate)(rng, case);
    if rng.one_in(ELSEWHERE_EVERY) {
        anywhere::scale_anywhere(rng, case);
    }
}

/// One in so many cases is multiplied by a power of two.
const ELSEWHERE_EVERY: u64 = 8;

/// The number as the case's scalar holds it.
fn round_to(case: &Case, x: f64) -> f64 {
    if case.single { f64::from(x as f32) } else { x }
}

/// The next float of the case's scalar, up or down.
fn neighbour(case: &Case, x: f64, up: bool) -> f64 {
    match (case.single, up) {
        (true, true) => f64::from((x as f32).next_up()),
        (true, false) => f64::from((x as f32).next_down()),
        (false, true) => x.next_up(),
        (false, false) => x.next_down(),
    }
}

/// `x · 2^exponent`, in three steps that stay in range.
pub(crate) fn by_power(x: f64, exponent: i32) -> f64 {
    let step = exponent / 3;
    x * 2f64.powi(step) * 2f64.powi(step) * 2f64.powi(exponent - 2 * step)
}

/// Random integer coordinates in the cube of this radius.
fn lattice_point(rng: &mut Rng, dim: usize, radius: i64) -> [i64; 3] {
    std::array::from_fn(|k| if k < dim { rng.int(-radius, radius) } else { 0 })
}

fn floats(p: [i64; 3]) -> [f64; 3] {
    p.map(|x| x as f64)
}

/// The last steps of every integer family: a scale by a power of two, forms, poses, and the order of the bodies.
fn finish(rng: &mut Rng, case: &mut Case) {
    if rng.one_in(4) {
        let power = 2f64.powi(rng.int(-40, 40) as i32);
        for body in [&mut case.a, &mut case.b] {
            body.points
                .iter_mut()
                .for_each(|p| *p = p.map(|x| x * power));
            body.radius *= power;
        }
    }
    finish_unscaled(rng, case);
}

/// [`finish`] for families whose scale is their point.
fn finish_unscaled(rng: &mut Rng, case: &mut Case) {
    for body in [&mut case.a, &mut case.b] {
        if body.form == Form::Cloud {
            body.form = rng.pick(&[Form::Cloud, Form::Cloud, Form::Hull, Form::Simple]);
        }
        if body.pose.is_none() && rng.one_in(4) {
            place_exactly(body);
        }
    }
    if rng.one_in(2) {
        std::mem::swap(&mut case.a, &mut case.b);
    }
}

/// Gives a body a translation to its first point where that is exact.
fn place_exactly(body: &mut Body) {
    let Some(&translation) = body.points.first() else {
        return;
    };
    let exact = |p: &[f64; 3]| {
        (0..3).all(|k| {
            let local = p[k] - translation[k];
            f64::from(local as f32) == local && local + translation[k] == p[k]
        })
    };
    if body.form != Form::Ball && body.points.iter().all(exact) {
        body.points
            .iter_mut()
            .for_each(|p| *p = std::array::from_fn(|k| p[k] - translation[k]));
        body.pose = Some(Placement {
            columns: Placement::STRAIGHT,
            translation,
        });
    }
}
