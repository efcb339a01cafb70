//! Seeded pairs of every kind, in every regime: far, touching up to a rounding, deep, aligned with a lattice, tiny, huge, thin.
//!
//! Where it sits: numbers alone; `library.rs` rounds them to a scalar. Read [`pair`] first.
//! Idea: B is put where its farthest point against a direction meets A's farthest point along it, and then moved along that
//! direction by the gap of the regime: a gap of zero is a touch up to rounding, without a query of the library.

use crate::forms::{Draw, Form, Name};
use crate::random::{Random, dot, plus};

/// Pairs of a kind.
pub(crate) const PAIRS: u64 = 240;
/// Poses of B that a warm start is kept over.
pub(crate) const FRAMES: usize = 4;

/// What two bodies are.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) dimension: u32,
    a: Name,
    b: Name,
}

const fn space(name: &'static str, a: Name, b: Name) -> Kind {
    Kind {
        name,
        dimension: 3,
        a,
        b,
    }
}

const fn plane(name: &'static str, a: Name, b: Name) -> Kind {
    Kind {
        name,
        dimension: 2,
        a,
        b,
    }
}

/// All kinds.
pub(crate) const KINDS: [Kind; 23] = [
    space("box-box", Name::Cuboid, Name::Cuboid),
    space("ball-box", Name::Ball, Name::Cuboid),
    space("capsule-box", Name::Capsule, Name::Cuboid),
    space("ball-ball", Name::Ball, Name::Ball),
    space("capsule-capsule", Name::Capsule, Name::Capsule),
    space("hull8-hull8", Name::Hull(8), Name::Hull(8)),
    space("hull32-hull32", Name::Hull(32), Name::Hull(32)),
    space("hull200-hull200", Name::Hull(200), Name::Hull(200)),
    space("cylinder-box", Name::Cylinder, Name::Cuboid),
    space("cone-hull8", Name::Cone, Name::Hull(8)),
    space("ellipsoid-ball", Name::Ellipsoid, Name::Ball),
    space("rounded-hull8", Name::RoundedBox, Name::Hull(8)),
    space("segment-triangle", Name::Segment, Name::Triangle),
    space("point-hull8", Name::Point, Name::Hull(8)),
    plane("box-box", Name::Cuboid, Name::Cuboid),
    plane("polygon4-polygon4", Name::Hull(4), Name::Hull(4)),
    plane("polygon8-polygon8", Name::Hull(8), Name::Hull(8)),
    plane("polygon32-polygon32", Name::Hull(32), Name::Hull(32)),
    plane("polygon8-box", Name::Hull(8), Name::Cuboid),
    plane("disc-polygon8", Name::Ball, Name::Hull(8)),
    plane("capsule-box", Name::Capsule, Name::Cuboid),
    plane("ellipse-polygon8", Name::Ellipsoid, Name::Hull(8)),
    plane("rounded-segment", Name::RoundedBox, Name::Segment),
];

/// Where a body is: `x ↦ L·x + t`, `L` by columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Map {
    pub(crate) columns: [[f64; 3]; 3],
    pub(crate) translation: [f64; 3],
}

/// Two bodies; the second moves a little from frame to frame.
pub(crate) struct Pair {
    pub(crate) a: Form,
    pub(crate) pose_a: Map,
    pub(crate) b: Form,
    pub(crate) poses_b: [Map; FRAMES],
}

/// How two bodies are placed; each has a twelfth of the pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Regime {
    Far,
    Near,
    /// Touching, or apart or together by some roundings.
    Rounding,
    Shallow,
    Deep,
    /// Integers, quarter turns, whole gaps.
    Lattice,
    /// The same rotation, apart along one of its axes.
    Level,
    Tiny,
    Huge,
    Thin,
    /// All lengths scaled by the poses.
    Scaled,
    /// Lengths scaled unevenly by the poses.
    Sheared,
}

const REGIMES: [Regime; 12] = [
    Regime::Far,
    Regime::Near,
    Regime::Rounding,
    Regime::Shallow,
    Regime::Deep,
    Regime::Lattice,
    Regime::Level,
    Regime::Tiny,
    Regime::Huge,
    Regime::Thin,
    Regime::Scaled,
    Regime::Sheared,
];

/// One pair of a kind.
pub(crate) fn pair(kind: &Kind, index: u64) -> Pair {
    let name = kind.name.bytes().fold(u64::from(kind.dimension), |h, b| {
        h.wrapping_mul(31).wrapping_add(u64::from(b))
    });
    let mut random = Random::new(name.wrapping_mul(1 << 20).wrapping_add(index));
    let regime = REGIMES[index as usize % REGIMES.len()];
    let size = match regime {
        Regime::Tiny => 1e-20,
        Regime::Huge => 1e20,
        _ => 1.0,
    };
    let mut draw = Draw {
        random: &mut random,
        dimension: kind.dimension,
        lattice: regime == Regime::Lattice,
        flatness: if regime == Regime::Thin { 1e-6 } else { 1.0 },
        size,
    };
    let (a, b) = (draw.form(kind.a), draw.form(kind.b));
    let (columns_a, columns_b) = columns(&mut random, kind.dimension, regime);
    let direction = direction(&mut random, kind.dimension, regime, &columns_a);
    let gap = size * gap(&mut random, regime);
    let (from, aside) = offsets(&mut random, kind.dimension, regime, &columns_a, size);
    let pose_a = Map {
        columns: columns_a,
        translation: from,
    };
    let far_a = plus(from, 1.0, posed_support(&a, &columns_a, direction));
    let back = posed_support(&b, &columns_b, direction.map(|component| -component));
    let at = plus(plus(far_a, -1.0, back), gap, direction);
    let pose_b = Map {
        columns: columns_b,
        translation: plus(at, 1.0, aside),
    };
    let poses_b = track(&mut random, kind.dimension, &pose_b, size);
    Pair {
        a,
        pose_a,
        b,
        poses_b,
    }
}

/// The linear parts of both poses.
fn columns(random: &mut Random, dimension: u32, regime: Regime) -> ([[f64; 3]; 3], [[f64; 3]; 3]) {
    if regime == Regime::Lattice {
        return (quarter_turn(random), quarter_turn(random));
    }
    let first = rotation(random, dimension);
    let second = if regime == Regime::Level {
        first
    } else {
        rotation(random, dimension)
    };
    match regime {
        Regime::Scaled => {
            let factors = [random.range(0.25, 4.0), random.range(0.25, 4.0)];
            (
                first.map(|column| column.map(|x| x * factors[0])),
                second.map(|column| column.map(|x| x * factors[1])),
            )
        }
        Regime::Sheared => {
            let mut uneven = first;
            uneven[0] = uneven[0].map(|x| x * random.range(0.5, 2.0));
            uneven[1] = plus(uneven[1], 0.25, uneven[0]);
            (uneven, second)
        }
        _ => (first, second),
    }
}

/// A rotation by a quaternion, or by a unit vector in the plane.
fn rotation(random: &mut Random, dimension: u32) -> [[f64; 3]; 3] {
    if dimension == 2 {
        let [cos, sin, _] = random.direction(2);
        return [[cos, sin, 0.0], [-sin, cos, 0.0], [0.0, 0.0, 1.0]];
    }
    let [x, y, z] = random.direction(3);
    turned([x, y, z, random.range(-1.0, 1.0)])
}

/// The columns of the rotation by a quaternion, which need not be unit.
fn turned(quaternion: [f64; 4]) -> [[f64; 3]; 3] {
    let squared: f64 = quaternion
        .iter()
        .map(|component| component * component)
        .sum();
    let [x, y, z, w] = quaternion.map(|component| component / squared.sqrt());
    [
        [
            1.0 - 2.0 * (y * y + z * z),
            2.0 * (x * y + w * z),
            2.0 * (x * z - w * y),
        ],
        [
            2.0 * (x * y - w * z),
            1.0 - 2.0 * (x * x + z * z),
            2.0 * (y * z + w * x),
        ],
        [
            2.0 * (x * z + w * y),
            2.0 * (y * z - w * x),
            1.0 - 2.0 * (x * x + y * y),
        ],
    ]
}

/// No turn, or a quarter about the last axis.
fn quarter_turn(random: &mut Random) -> [[f64; 3]; 3] {
    if random.below(2) == 0 {
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    } else {
        [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    }
}

/// From A to B.
fn direction(
    random: &mut Random,
    dimension: u32,
    regime: Regime,
    columns: &[[f64; 3]; 3],
) -> [f64; 3] {
    if !matches!(regime, Regime::Lattice | Regime::Level | Regime::Thin) {
        return random.direction(dimension);
    }
    // Along an axis of A, so that faces meet.
    columns[random.below(u64::from(dimension)) as usize]
}

/// How far B is from touching A along the direction.
fn gap(random: &mut Random, regime: Regime) -> f64 {
    const ROUNDING: f64 = f64::EPSILON;
    match regime {
        Regime::Far => random.range(1.5, 2.5),
        Regime::Near => random.range(0.01, 0.05),
        Regime::Rounding => random.integer(4) * ROUNDING,
        Regime::Shallow => -random.range(0.01, 0.05),
        Regime::Deep => -random.range(0.2, 1.0),
        Regime::Lattice => [0.0, 0.0, 1.0, -1.0, -2.0][random.below(5) as usize],
        Regime::Thin => [0.0, 1e-6, -1e-7, 0.5, 2.0][random.below(5) as usize],
        _ => [0.0, 0.02, -0.02, 2.0, -0.5, ROUNDING][random.below(6) as usize],
    }
}

/// Where A is, and how far B is moved aside.
fn offsets(
    random: &mut Random,
    dimension: u32,
    regime: Regime,
    columns: &[[f64; 3]; 3],
    size: f64,
) -> ([f64; 3], [f64; 3]) {
    let mut draw = |scale: f64| {
        let mut vector = [0.0; 3].map(|_: f64| {
            if regime == Regime::Lattice {
                random.integer(2)
            } else {
                random.range(-1.0, 1.0)
            }
        });
        if dimension == 2 {
            vector[2] = 0.0;
        }
        vector.map(|component| component * (scale * size))
    };
    let from = draw(1.0);
    let aside = match regime {
        Regime::Lattice => draw(1.0),
        // Along an edge, so that edges and faces stay level.
        Regime::Level => columns[0].map(|component| component * (0.25 * size)),
        _ => [0.0; 3],
    };
    (from, aside)
}

/// The farthest point of a body under a linear map.
fn posed_support(form: &Form, columns: &[[f64; 3]; 3], direction: [f64; 3]) -> [f64; 3] {
    let local = columns.map(|column| dot(column, direction));
    let point = form.support(local);
    (0..3).fold([0.0; 3], |sum, axis| plus(sum, point[axis], columns[axis]))
}

/// The pose, and the next ones of a body that moves and turns a little.
fn track(random: &mut Random, dimension: u32, pose: &Map, size: f64) -> [Map; FRAMES] {
    let step = random.direction(dimension);
    let [x, y, z] = random.direction(3);
    [0, 1, 2, 3].map(|frame: i32| {
        if frame == 0 {
            return *pose;
        }
        let angle = 0.005 * f64::from(frame);
        let turn = if dimension == 2 {
            turned([0.0, 0.0, angle, 1.0])
        } else {
            turned([angle * x, angle * y, angle * z, 1.0])
        };
        let rotated = |column: [f64; 3]| {
            (0..3).fold([0.0; 3], |sum, axis| plus(sum, column[axis], turn[axis]))
        };
        Map {
            columns: pose.columns.map(rotated),
            translation: plus(pose.translation, 0.01 * size * f64::from(frame), step),
        }
    })
}
