//! Families in floats, and integer ones of extreme proportions or magnitudes.

use super::contact::{self, KINDS};
use super::{by_power, finish, finish_unscaled, floats, lattice_point, neighbour, round_to};
use crate::case::{Body, Case, Form, Placement};
use crate::rng::Rng;
use gjk::query::Verdict;

/// Turns a point by columns.
fn turned(c: &[[f64; 3]; 3], p: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| c[0][k] * p[0] + c[1][k] * p[1] + c[2][k] * p[2])
}

/// Most double coordinates are put on this grid, so that the oracle's words hold them; singles need none.
const GRID: f64 = 1.0 / (1u64 << 52) as f64;

fn snap(case: &Case, x: f64, grid: f64) -> f64 {
    if case.single {
        round_to(case, x)
    } else {
        (x / grid).round() * grid
    }
}

fn map_points(case: &mut Case, mut f: impl FnMut(&Case, bool, [f64; 3]) -> [f64; 3]) {
    for second in [false, true] {
        let mut points = std::mem::take(if second {
            &mut case.b.points
        } else {
            &mut case.a.points
        });
        points.iter_mut().for_each(|p| *p = f(case, second, *p));
        *(if second {
            &mut case.b.points
        } else {
            &mut case.a.points
        }) = points;
    }
}

pub(super) fn ulp_gap(rng: &mut Rng, case: &mut Case) {
    let (dim, kind, size) = (case.dim, rng.pick(&KINDS), 1 << rng.int(1, 12));
    let map = contact::unimodular(rng, dim);
    contact::mapped_integers(rng, case, kind, size, 0, &map);
    let (columns, shrink) = (rng.rotation(dim), 0.05 / size as f64);
    let free = rng.one_in(32);
    let shift: [f64; 3] = std::array::from_fn(|k| {
        if k < dim && rng.one_in(2) {
            rng.range(-1.0, 1.0)
        } else {
            0.0
        }
    });
    let (axis, up, every) = (rng.below(dim as u64) as usize, rng.one_in(2), rng.int(0, 2));
    map_points(case, |case, second, p| {
        let p = turned(&columns, p.map(|x| x * shrink));
        let mut q: [f64; 3] = std::array::from_fn(|k| {
            let x = p[k] + shift[k];
            if free {
                round_to(case, x)
            } else {
                snap(case, x, GRID)
            }
        });
        let moves = second && (every == 1 || every == 2 && rng.one_in(3));
        if moves && (free || case.single) {
            q[axis] = neighbour(case, q[axis], up);
        } else if moves {
            q[axis] += if up { GRID } else { -GRID };
        }
        q
    });
    finish_unscaled(rng, case);
}

/// A thin body: `long` along the axes of `wide`, a few units along the others.
fn thin(rng: &mut Rng, dim: usize, body: &mut Body, wide: [bool; 3], long: i64, offset: [i64; 3]) {
    let count = rng.int(4, 6);
    for _ in 0..count {
        let p = std::array::from_fn(|k| match (k < dim, wide[k]) {
            (false, _) => 0,
            (true, true) => {
                if rng.one_in(2) {
                    long
                } else {
                    -long - rng.int(0, 3)
                }
            }
            (true, false) => rng.int(0, 2) + offset[k],
        });
        body.points.push(floats(p));
    }
}

fn thin_pair(rng: &mut Rng, case: &mut Case, plates: bool) {
    let dim = case.dim;
    let map = contact::unimodular(rng, dim);
    for body in [&mut case.a, &mut case.b] {
        let long = rng.int(100_000, 1_000_000);
        let axis = rng.below(dim as u64) as usize;
        let wide = std::array::from_fn(|k| (k == axis) != plates);
        let offset = lattice_point(rng, dim, 4);
        thin(rng, dim, body, wide, long, offset);
        for p in &mut body.points {
            *p = std::array::from_fn(|i| (0..3).map(|k| map[i][k] as f64 * p[k]).sum());
        }
    }
    finish(rng, case);
}

pub(super) fn needles(rng: &mut Rng, case: &mut Case) {
    thin_pair(rng, case, false);
}

pub(super) fn plates(rng: &mut Rng, case: &mut Case) {
    thin_pair(rng, case, true);
}

pub(super) fn tiny_huge(rng: &mut Rng, case: &mut Case) {
    let (dim, kind, gap) = (case.dim, rng.pick(&KINDS), rng.int(-1, 1));
    let map = contact::unimodular(rng, dim);
    contact::mapped_integers(rng, case, kind, 16, gap, &map);
    // The gap is B's: scaling A about the origin keeps touching and sides.
    let (huge, tiny) = (2f64.powi(16), 2f64.powi(-20));
    case.known = [None, Some(Verdict::Touching), Some(Verdict::Separated)][(gap + 1) as usize];
    map_points(case, |_, second, p| {
        p.map(|x| x * if second { tiny } else { huge })
    });
    finish(rng, case);
}

pub(super) fn far(rng: &mut Rng, case: &mut Case) {
    let (dim, kind, gap, size) = (
        case.dim,
        rng.pick(&KINDS),
        rng.int(-1, 1),
        1 << rng.int(1, 8),
    );
    let map = contact::unimodular(rng, dim);
    contact::mapped_integers(rng, case, kind, size, gap, &map);
    case.known = [None, Some(Verdict::Touching), Some(Verdict::Separated)][(gap + 1) as usize];
    let exponent = if case.single {
        22
    } else {
        rng.pick(&[22, 30, 44])
    };
    let offset: [f64; 3] = std::array::from_fn(|k| {
        if k < dim {
            rng.pick(&[1.0, -1.0, 0.0]) * 2f64.powi(exponent)
        } else {
            0.0
        }
    });
    map_points(case, |_, _, p| std::array::from_fn(|k| p[k] + offset[k]));
    finish(rng, case);
}

pub(super) fn near_parallel(rng: &mut Rng, case: &mut Case) {
    let (dim, kind, size) = (case.dim, rng.pick(&KINDS), 1 << rng.int(2, 8));
    contact::mapped_integers(rng, case, kind, size, 0, &contact::STRAIGHT);
    let angle = 10f64.powf(rng.range(-8.0, -4.0)) * if rng.one_in(2) { 1.0 } else { -1.0 };
    let lift = rng.pick(&[0.0, 1e-9, -1e-9, 1e-5, -1e-5]);
    let (i, up) = (rng.below(dim as u64 - 1) as usize, dim - 1);
    let shrink = 1.0 / size as f64;
    map_points(case, |case, second, p| {
        let mut q = p.map(|x| x * shrink);
        if second {
            (q[i], q[up]) = (q[i] - angle * q[up], q[up] + angle * q[i] + lift);
        }
        q.map(|x| snap(case, x, 2f64.powi(-44)))
    });
    finish_unscaled(rng, case);
}

/// Corners of a polygon of `sides` on the integer grid, and its prism in space.
fn prism(
    dim: usize,
    body: &mut Body,
    sides: usize,
    radius: f64,
    centre: [i64; 3],
    turn: f64,
    half: i64,
) {
    for s in 0..sides {
        let (sin, cos) = (turn + s as f64 * std::f64::consts::TAU / sides as f64).sin_cos();
        let p = [
            centre[0] as f64 + (radius * cos).round(),
            centre[1] as f64 + (radius * sin).round(),
            0.0,
        ];
        if dim == 2 {
            body.points.push(p);
            continue;
        }
        for z in [-half, half] {
            body.points.push([p[0], p[1], (centre[2] + z) as f64]);
        }
    }
}

pub(super) fn prisms(rng: &mut Rng, case: &mut Case) {
    let dim = case.dim;
    let radius = f64::from(1 << rng.int(4, 16));
    let most = if dim == 2 { 32 } else { 14 };
    let half = rng.int(1, 64);
    let turn = rng.range(0.0, 6.3);
    prism(
        dim,
        &mut case.a,
        rng.int(5, most) as usize,
        radius,
        [0; 3],
        turn,
        half,
    );
    let reach = (2.0 * radius) as i64 + rng.int(-2, 2);
    let centre = match rng.below(3) {
        0 => [reach, rng.int(-2, 2), rng.int(-3, 3)],
        1 => [rng.int(-3, 3), rng.int(-3, 3), 2 * half + rng.int(-1, 1)],
        _ => lattice_point(rng, dim, 2 * radius as i64),
    };
    let turn = if rng.one_in(2) {
        turn
    } else {
        rng.range(0.0, 6.3)
    };
    prism(
        dim,
        &mut case.b,
        rng.int(3, most) as usize,
        radius,
        centre,
        turn,
        half,
    );
    finish(rng, case);
}

pub(super) fn fine_spheres(rng: &mut Rng, case: &mut Case) {
    let dim = case.dim;
    for second in [false, true] {
        let count = rng.int(100, 400);
        let columns = rng.rotation(dim);
        let apart = rng.pick(&[2.0, 1.9999, 2.0001, 1.0, 0.01, 2.5]);
        let direction = rng.rotation(dim)[0];
        for i in 0..count {
            let p = if dim == 2 {
                let (s, c) = (i as f64 * std::f64::consts::TAU / count as f64).sin_cos();
                [c, s, 0.0]
            } else {
                let z = 1.0 - (2.0 * i as f64 + 1.0) / count as f64;
                let (s, c) = (i as f64 * 2.399_963_229_728_653).sin_cos();
                let r = (1.0 - z * z).sqrt();
                [r * c, r * s, z]
            };
            let p = turned(&columns, p);
            let shift = if second { apart } else { 0.0 };
            let q =
                std::array::from_fn(|k| snap(case, p[k] + shift * direction[k], 2f64.powi(-40)));
            if second { &mut case.b } else { &mut case.a }
                .points
                .push(q);
        }
    }
    finish_unscaled(rng, case);
}

fn scaled_contact(rng: &mut Rng, case: &mut Case, exponent: i32) {
    let (kind, gap, size) = (rng.pick(&KINDS), rng.int(-1, 1), 1 << rng.int(1, 12));
    contact::integers(rng, case, kind, size, gap);
    case.known = [None, Some(Verdict::Touching), Some(Verdict::Separated)][(gap + 1) as usize];
    map_points(case, |_, _, p| p.map(|x| by_power(x, exponent)));
    finish_unscaled(rng, case);
}

pub(super) fn subnormal(rng: &mut Rng, case: &mut Case) {
    let lowest = if case.single { -149 } else { -1074 };
    let exponent = lowest + rng.int(0, 24) as i32;
    scaled_contact(rng, case, exponent);
}

pub(super) fn huge(rng: &mut Rng, case: &mut Case) {
    let exponent = if case.single {
        rng.int(80, 106)
    } else {
        rng.pick(&[82, 100, 300, 900, 1000])
    } as i32;
    scaled_contact(rng, case, exponent);
}

pub(super) fn mixed(rng: &mut Rng, case: &mut Case) {
    let (dim, kind, gap, size) = (
        case.dim,
        rng.pick(&KINDS),
        rng.int(-1, 1),
        1 << rng.int(1, 10),
    );
    let map = contact::unimodular(rng, dim);
    contact::mapped_integers(rng, case, kind, size, gap, &map);
    let reach = rng.pick(&[8, 20, 40]);
    let axes: [i32; 3] = std::array::from_fn(|_| rng.int(-reach, reach) as i32);
    let by_axis = rng.one_in(2);
    map_points(case, |_, _, p| {
        let own = rng.int(-reach, reach) as i32;
        std::array::from_fn(|k| p[k] * 2f64.powi(if by_axis { axes[k] } else { own }))
    });
    finish_unscaled(rng, case);
}

pub(super) fn random_boxes(rng: &mut Rng, case: &mut Case) {
    let dim = case.dim;
    let apart = rng.range(0.0, 3.0);
    for second in [false, true] {
        let half: [f64; 3] = std::array::from_fn(|k| {
            if k < dim {
                round_to(case, rng.range(0.1, 1.0))
            } else {
                0.0
            }
        });
        let columns = rng.rotation(dim).map(|c| c.map(|x| round_to(case, x)));
        let direction = rng.rotation(dim)[0];
        let away = if second { apart } else { 0.0 };
        let translation = direction.map(|x| round_to(case, x * away));
        let body = if second { &mut case.b } else { &mut case.a };
        super::lattice::box_of(body, dim, half, translation);
        body.pose = Some(Placement {
            columns,
            translation,
        });
    }
}

pub(super) fn random_hulls(rng: &mut Rng, case: &mut Case) {
    let dim = case.dim;
    let (apart, direction) = (rng.range(0.0, 3.0), rng.rotation(dim)[0]);
    for second in [false, true] {
        let count = rng.int(8, 12);
        for _ in 0..count {
            let p: [f64; 3] = std::array::from_fn(|k| {
                let x = if k < dim { rng.range(-1.0, 1.0) } else { 0.0 };
                snap(
                    case,
                    x + if second { apart * direction[k] } else { 0.0 },
                    2f64.powi(-50),
                )
            });
            if second { &mut case.b } else { &mut case.a }
                .points
                .push(p);
        }
    }
    for body in [&mut case.a, &mut case.b] {
        body.form = rng.pick(&[Form::Cloud, Form::Hull]);
    }
}

/// The form of as many points that keeps each of them.
const SIMPLE: [Form; 5] = [
    Form::Cloud,
    Form::Simple,
    Form::Simple,
    Form::Simple,
    Form::Cloud,
];

/// Bodies of any family of sharp ones under poses whose columns undo the scale of the body's own axes: the world's vertices are
/// ordinary up to a power of two, and the numbers that they are made of are not.
pub(super) fn steep(rng: &mut Rng, case: &mut Case) {
    let dim = case.dim;
    match rng.below(4) {
        0 => random_boxes(rng, case),
        1 => super::lattice::flat(rng, case),
        2 => super::lattice::linear(rng, case),
        _ => {
            let (kind, gap, size) = (rng.pick(&KINDS), rng.int(-1, 1), 1 << rng.int(1, 8));
            contact::mapped_integers(rng, case, kind, size, gap, &contact::STRAIGHT);
        }
    }
    let powers = Powers::of_case(rng, case.single);
    let turn = rng.one_in(2).then(|| rng.rotation(dim));
    for body in [&mut case.a, &mut case.b] {
        if !matches!(body.form, Form::Box(_)) {
            // A hull drops points on its edges, which anything but powers of two may round to outside of it.
            let hull = rng.pick(&[Form::Cloud, Form::Hull, Form::Simple]);
            body.form = if turn.is_none() && powers.jitter == 0 && powers.world > -1000 {
                hull
            } else {
                rng.pick(&[Form::Cloud, SIMPLE[body.points.len().min(4)]])
            };
        }
        if let Some(turn) = &turn {
            let pose = body.pose.get_or_insert(Placement {
                columns: Placement::STRAIGHT,
                translation: [0.0; 3],
            });
            pose.columns = pose.columns.map(|column| turned(turn, column));
            pose.translation = turned(turn, pose.translation);
        }
        powers.steepen(rng, dim, body);
    }
}

/// The powers of two of a steep case.
struct Powers {
    single: bool,
    /// Local coordinates, columns and the world all stay within these, but for a world near the smallest floats.
    reach: i64,
    world: i32,
    /// How far a column may be from undoing the scale of its axis.
    jitter: i64,
}

impl Powers {
    fn of_case(rng: &mut Rng, single: bool) -> Self {
        let reach = if single { 64 } else { 780 };
        let far = rng.int(-reach, reach / 2);
        // In the last of these most of the world underflows.
        let world = rng.pick(&[0, 0, far, -reach, if single { -reach } else { -1050 }]) as i32;
        let jitter = if rng.one_in(3) {
            rng.pick(if single {
                &[1, 5, 10, 20]
            } else {
                &[1, 10, 60, 200]
            })
        } else {
            0
        };
        Self {
            single,
            reach,
            world,
            jitter,
        }
    }

    fn round(&self, x: f64) -> f64 {
        if self.single { f64::from(x as f32) } else { x }
    }

    /// The power of a body's own axis.
    fn own(&self, rng: &mut Rng) -> i32 {
        let (reach, world) = (self.reach, i64::from(self.world));
        rng.int((-reach).max(world - reach), reach.min(world + reach)) as i32
    }

    /// Scales the body's own axes, and its pose so that the world is what it was, up to a power of two and the jitter.
    fn steepen(&self, rng: &mut Rng, dim: usize, body: &mut Body) {
        let Placement {
            mut columns,
            translation,
        } = body.pose.unwrap_or(Placement {
            columns: Placement::STRAIGHT,
            translation: [0.0; 3],
        });
        let shared = self.own(rng);
        let alike = rng.one_in(3);
        for k in 0..dim {
            let own = if alike { shared } else { self.own(rng) };
            body.points
                .iter_mut()
                .for_each(|p| p[k] = self.round(by_power(p[k], own)));
            if let Form::Box(half) = &mut body.form {
                half[k] = self.round(by_power(half[k], own));
            }
            // A column that moves no point may be anything.
            let idle = body.points.iter().all(|p| p[k] == 0.0);
            let loose = rng.int(-self.jitter, self.jitter) as i32;
            let steepness = if idle {
                rng.int(-self.reach, self.reach) as i32
            } else {
                self.world - own + loose
            };
            columns[k] = columns[k].map(|x| self.round(by_power(x, steepness)));
        }
        let far = self.world + rng.int(-self.jitter, self.jitter) as i32;
        body.pose = Some(Placement {
            columns,
            translation: translation.map(|x| self.round(by_power(x, far))),
        });
    }
}
