//! Pairs that rest on each other, or nearly: each kind of case aims at what rounding may get wrong of a manifold.

use super::ManifoldCase;
use crate::case::{Body, Form, Placement};
use crate::{Rng, Space};

/// What the pairs are; the number of the case says which.
const KINDS: u64 = 9;

/// How far the upper body is tilted.
const TILTS: [f64; 8] = [0.0, 0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 1e-2];

/// How far it is above the lower one, before it is tilted.
const GAPS: [f64; 7] = [0.0, 0.0, -1e-3, 1e-3, -0.05, 0.01, -1e-9];

/// A case.
pub(super) fn case(rng: &mut Rng, space: Space, number: u64) -> ManifoldCase {
    let kind = number % KINDS;
    let mut pair = bodies(rng, space, kind);
    let columns = attitudes(rng, space, kind);
    for (body, columns) in pair.iter_mut().zip(columns) {
        body.pose = Some(Placement {
            columns,
            translation: [0.0; 3],
        });
    }
    let up = space.dim - 1;
    let mut shift = shift(rng, space, kind);
    shift[up] = extreme(&pair[0], up, 1.0) - extreme(&pair[1], up, -1.0) + rng.pick(&GAPS);
    place(rng, space, &mut pair, columns, shift);
    ManifoldCase {
        bodies: pair,
        prediction: snapped(space, rng.pick(&[0.0, 0.02, 0.05, 0.5])),
    }
}

/// How the lower and the upper body are turned, before all of it is turned in the world.
fn attitudes(rng: &mut Rng, space: Space, kind: u64) -> [Columns; 2] {
    let (mut lean, mut yaw) = (rng.pick(&TILTS), turn(rng, kind));
    if kind == 4 {
        // Ridges that are parallel within rounding.
        (lean, yaw) = (rng.pick(&[0.0, 1e-15, 1e-12, 1e-6]), 0.0);
    }
    let start = match kind {
        4 => [quarter(0), quarter(0)],
        5 => [corner(space), mirrored(corner(space))],
        _ => [Placement::STRAIGHT; 2],
    };
    let axis = rng.rotation(3)[0];
    let turned = product(about_up(space, yaw), start[1]);
    [start[0], product(tilt(space, axis, lean), turned)]
}

/// The highest coordinate of a body along an axis; the lowest for a negative sign.
fn extreme(body: &Body, axis: usize, sign: f64) -> f64 {
    let points = body.points.iter().map(|&x| sign * body.world(x)[axis]);
    sign * (points.fold(f64::NEG_INFINITY, f64::max) + body.radius)
}

/// Puts the upper body at its place beside the lower one, and turns and moves both in the world.
fn place(rng: &mut Rng, space: Space, pair: &mut [Body; 2], turned: [Columns; 2], shift: [f64; 3]) {
    let world = if rng.one_in(2) {
        Placement::STRAIGHT
    } else {
        rng.rotation(space.dim)
    };
    let mut away = [0.0; 3];
    if rng.one_in(3) {
        away[..space.dim].fill_with(|| rng.range(-3.0, 3.0));
    }
    for ((body, columns), from) in pair.iter_mut().zip(turned).zip([[0.0; 3], shift]) {
        let moved = applied(world, from);
        body.pose = Some(Placement {
            columns: product(world, columns).map(|column| column.map(|x| snapped(space, x))),
            translation: std::array::from_fn(|k| snapped(space, moved[k] + away[k])),
        });
    }
}

/// A number of the scalar.
fn snapped(space: Space, x: f64) -> f64 {
    if space.single { f64::from(x as f32) } else { x }
}

/// The lower and the upper body.
fn bodies(rng: &mut Rng, space: Space, kind: u64) -> [Body; 2] {
    let half = |rng: &mut Rng| std::array::from_fn(|_| rng.pick(&[0.25, 0.5, 0.5, 0.75, 1.0]));
    match kind {
        2 => {
            // A face in, around or beside the other.
            let (corners, radius) = (rng.int(3, 9) as usize, rng.pick(&[0.125, 0.5, 2.0]));
            let pair = [boxed(space, half(rng)), prism(space, corners, radius)];
            if rng.one_in(2) {
                pair
            } else {
                let [a, b] = pair;
                [b, a]
            }
        }
        3 => [64, rng.pick(&[64, 64, 32, 7])].map(|corners| prism(space, corners, 0.5)),
        6 => [0; 2].map(|_| cloud(rng, space)),
        7 => [0; 2].map(|_| random_hull(rng, space)),
        8 => {
            let mut pair = [0; 2].map(|_| boxed(space, half(rng)));
            pair[1].radius = 0.125;
            pair
        }
        _ => {
            let free = |rng: &mut Rng| std::array::from_fn(|_| snapped(space, rng.range(0.2, 1.0)));
            let lattice = kind == 0 || kind >= 4 || rng.one_in(2);
            [0; 2].map(|_| boxed(space, if lattice { half(rng) } else { free(rng) }))
        }
    }
}

fn boxed(space: Space, half: [f64; 3]) -> Body {
    let half: [f64; 3] = std::array::from_fn(|k| if k < space.dim { half[k] } else { 0.0 });
    let corner =
        |id: usize| std::array::from_fn(|k| if id >> k & 1 == 1 { half[k] } else { -half[k] });
    Body {
        points: (0..1 << space.dim).map(corner).collect(),
        form: Form::Box(half),
        ..Body::default()
    }
}

/// An upright prism of a regular polygon; in the plane the polygon.
fn prism(space: Space, corners: usize, radius: f64) -> Body {
    let levels: &[f64] = if space.dim == 2 { &[0.0] } else { &[-0.5, 0.5] };
    let mut points = Vec::new();
    for &level in levels {
        for k in 0..corners {
            let (s, c) = (k as f64 / corners as f64 * std::f64::consts::TAU).sin_cos();
            points.push([radius * c, radius * s, level].map(|x| snapped(space, x)));
        }
    }
    Body {
        points,
        form: Form::Hull,
        ..Body::default()
    }
}

/// A box's corners in any order, some of them twice, and points of its edges and faces: all of them are vertices.
fn cloud(rng: &mut Rng, space: Space) -> Body {
    let mut body = boxed(space, [0.5, 0.5, 0.5]);
    for _ in 0..rng.below(6) {
        let (p, q) = (rng.pick(&body.points), rng.pick(&body.points));
        body.points
            .push(std::array::from_fn(|k| 0.5 * (p[k] + q[k])));
    }
    for k in (1..body.points.len()).rev() {
        body.points.swap(k, rng.below(k as u64 + 1) as usize);
    }
    body.form = rng.pick(&[Form::Cloud, Form::Hull]);
    body
}

fn random_hull(rng: &mut Rng, space: Space) -> Body {
    let count = rng.int(4, 12);
    let coordinate = |rng: &mut Rng, k: usize| match k < space.dim {
        true => snapped(space, rng.range(-0.7, 0.7)),
        false => 0.0,
    };
    Body {
        points: (0..count)
            .map(|_| std::array::from_fn(|k| coordinate(rng, k)))
            .collect(),
        form: Form::Hull,
        ..Body::default()
    }
}

/// How far the upper body is to the side.
fn shift(rng: &mut Rng, space: Space, kind: u64) -> [f64; 3] {
    let lattice = matches!(kind, 0 | 4 | 6) || rng.one_in(3);
    let mut shift = std::array::from_fn(|_| {
        if lattice {
            rng.int(-4, 4) as f64 * 0.25
        } else {
            rng.range(-0.8, 0.8)
        }
    });
    if kind == 1 && rng.one_in(2) {
        // Along one side only: the others are on common lines.
        shift[0] = 0.0;
    }
    if kind == 3 || kind == 5 && rng.one_in(2) {
        shift = [0.0; 3];
    }
    shift[space.dim - 1] = 0.0;
    shift
}

/// The angle about the vertical.
fn turn(rng: &mut Rng, kind: u64) -> f64 {
    let sixteenth = std::f64::consts::TAU / 16.0;
    match kind {
        0 | 1 => rng.pick(&[0.0, 0.0, 4.0 * sixteenth, 1e-12, 1e-9]),
        3 => rng.pick(&[0.0, sixteenth / 4.0, sixteenth / 8.0, 1e-12]),
        _ => rng.pick(&[0.0, 2.0 * sixteenth, 1.0, 1e-6, 1e-12]),
    }
}

type Columns = [[f64; 3]; 3];

fn applied(map: Columns, x: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| map[0][k] * x[0] + map[1][k] * x[1] + map[2][k] * x[2])
}

fn product(outer: Columns, inner: Columns) -> Columns {
    inner.map(|column| applied(outer, column))
}

fn about(axis: usize, angle: f64) -> Columns {
    let (s, c) = angle.sin_cos();
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut map = Placement::STRAIGHT;
    (map[i][i], map[i][j], map[j][i], map[j][j]) = (c, s, -s, c);
    map
}

/// An eighth of a turn about a level axis: a box stands on an edge; in the plane on a corner.
fn quarter(axis: usize) -> Columns {
    about(axis, std::f64::consts::FRAC_PI_4)
}

/// A box with a corner up.
fn corner(space: Space) -> Columns {
    if space.dim == 2 {
        return about(2, std::f64::consts::FRAC_PI_4);
    }
    let angle = std::f64::consts::FRAC_1_SQRT_2.atan();
    product(about(1, angle), about(0, std::f64::consts::FRAC_PI_4))
}

/// The same seen from the other side, through the origin: a box is its own mirror image.
fn mirrored(map: Columns) -> Columns {
    product(about(2, std::f64::consts::PI), map)
}

/// A turn about the vertical; in the plane there is none.
fn about_up(space: Space, angle: f64) -> Columns {
    if space.dim == 2 {
        Placement::STRAIGHT
    } else {
        about(2, angle)
    }
}

/// A small turn about a level axis; in the plane about the third.
fn tilt(space: Space, axis: [f64; 3], angle: f64) -> Columns {
    if space.dim == 2 {
        return about(2, angle);
    }
    product(about(0, angle * axis[0]), about(1, angle * axis[1]))
}
