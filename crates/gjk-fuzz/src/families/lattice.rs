//! Bodies on small integer grids: shared features, flat bodies, extra points, boxes along the axes.

use super::contact::{self, Feature};
use super::{finish, floats, lattice_point};
use crate::case::{Body, Case, Form, Placement};
use crate::rng::Rng;
use gjk::query::Verdict;

fn cloud(rng: &mut Rng, dim: usize, body: &mut Body, count: i64, radius: i64) {
    body.points
        .extend((0..count).map(|_| floats(lattice_point(rng, dim, radius))));
}

fn radius(rng: &mut Rng) -> i64 {
    1 << rng.int(1, 16)
}

/// `n` points for a body that is solid unless chance flattens it.
fn solid(rng: &mut Rng, dim: usize, body: &mut Body, radius: i64) {
    let count = rng.int(dim as i64 + 1, 7);
    cloud(rng, dim, body, count, radius);
}

pub(super) fn small(rng: &mut Rng, case: &mut Case) {
    let dim = case.dim;
    for body in [&mut case.a, &mut case.b] {
        let (count, radius) = (rng.int(1, 6), rng.int(1, 4));
        cloud(rng, dim, body, count, radius);
        if rng.one_in(2) {
            let tilted = rng.one_in(2);
            for p in &mut body.points {
                p[dim - 1] = if !tilted {
                    0.0
                } else if dim == 3 {
                    p[0] + p[1]
                } else {
                    p[0]
                };
            }
        }
    }
    finish(rng, case);
}

pub(super) fn aligned_boxes(rng: &mut Rng, case: &mut Case) {
    let dim = case.dim;
    for body in [&mut case.a, &mut case.b] {
        let half: [f64; 3] =
            std::array::from_fn(|k| if k < dim { rng.int(1, 4) as f64 } else { 0.0 });
        let translation = floats(lattice_point(rng, dim, 6));
        box_of(body, dim, half, translation);
    }
    // Half of them as points.
    for body in [&mut case.a, &mut case.b] {
        if rng.one_in(2) {
            let mut world = Vec::new();
            body.world_points(&mut world);
            *body = Body {
                points: world,
                ..Body::default()
            };
        }
    }
    super::finish_unscaled(rng, case);
}

/// A box shape with its corners.
pub(super) fn box_of(body: &mut Body, dim: usize, half: [f64; 3], translation: [f64; 3]) {
    body.form = Form::Box(half);
    let corner =
        |id: usize| std::array::from_fn(|k| if id >> k & 1 == 1 { half[k] } else { -half[k] });
    body.points.extend((0..1 << dim).map(corner));
    body.pose = Some(Placement {
        columns: Placement::STRAIGHT,
        translation,
    });
}

pub(super) fn identical(rng: &mut Rng, case: &mut Case) {
    let (dim, radius) = (case.dim, radius(rng));
    let count = rng.int(1, 8);
    cloud(rng, dim, &mut case.a, count, radius);
    case.b.points.extend(case.a.points.iter().rev().copied());
    finish(rng, case);
}

pub(super) fn concentric(rng: &mut Rng, case: &mut Case) {
    let (dim, radius) = (case.dim, radius(rng));
    let count = rng.int(1, 4);
    cloud(rng, dim, &mut case.a, count, radius);
    // Symmetric about the origin, as boxes and spheres are.
    for i in 0..case.a.points.len() {
        let mirrored = case.a.points[i].map(|x| -x);
        case.a.points.push(mirrored);
    }
    let factor = rng.int(1, 4) as f64;
    case.b
        .points
        .extend(case.a.points.iter().map(|p| p.map(|x| x * factor)));
    if rng.one_in(2) {
        let shift = floats(lattice_point(rng, dim, 3));
        for body in [&mut case.a, &mut case.b] {
            body.points
                .iter_mut()
                .for_each(|p| *p = std::array::from_fn(|k| p[k] + shift[k]));
        }
    }
    finish(rng, case);
}

pub(super) fn nested(rng: &mut Rng, case: &mut Case) {
    let (dim, radius) = (case.dim, radius(rng));
    solid(rng, dim, &mut case.a, radius);
    // Points between points of A, halved so that the grid holds them: inside A, or on its boundary.
    case.a
        .points
        .iter_mut()
        .for_each(|p| *p = p.map(|x| 2.0 * x));
    let count = rng.int(1, 6);
    for _ in 0..count {
        let (p, q) = (rng.pick(&case.a.points), rng.pick(&case.a.points));
        case.b
            .points
            .push(std::array::from_fn(|k| (p[k] + q[k]) / 2.0));
    }
    finish(rng, case);
}

/// The first `shared` points of A are points of B; the rest of A is below the plane, of B above it.
fn sharing(rng: &mut Rng, case: &mut Case, shared: usize, apart: bool) {
    let (dim, radius) = (case.dim, radius(rng));
    let mut common = [[0i64; 3]; 4];
    for point in &mut common[..shared] {
        *point = lattice_point(rng, dim, radius);
        if apart {
            point[dim - 1] = 0;
        }
    }
    let shear = rng.int(-2, 2);
    for (body, up) in [(&mut case.a, -1), (&mut case.b, 1)] {
        let more = rng.int(1, 4) as usize;
        let mut add = |mut point: [i64; 3]| {
            point[dim - 1] += shear * point[0];
            body.points.push(floats(point));
        };
        common[..shared].iter().for_each(|&point| add(point));
        for _ in 0..more {
            let mut point = lattice_point(rng, dim, radius);
            if apart {
                point[dim - 1] = up * rng.int(1, radius);
            }
            add(point);
        }
    }
    if apart {
        case.known = Some(Verdict::Touching);
    }
    finish(rng, case);
}

pub(super) fn shared_face(rng: &mut Rng, case: &mut Case) {
    let count = if case.dim == 2 {
        2
    } else {
        rng.int(3, 4) as usize
    };
    sharing(rng, case, count, true);
}

pub(super) fn shared_edge(rng: &mut Rng, case: &mut Case) {
    let apart = rng.one_in(2);
    sharing(rng, case, 2, apart);
}

pub(super) fn shared_vertex(rng: &mut Rng, case: &mut Case) {
    let apart = rng.one_in(2);
    sharing(rng, case, 1, apart);
}

pub(super) fn shared_points(rng: &mut Rng, case: &mut Case) {
    let count = rng.int(1, 4) as usize;
    sharing(rng, case, count, false);
}

/// Polygons in space, segments in the plane: in one plane, in parallel ones, or in any.
pub(super) fn flat(rng: &mut Rng, case: &mut Case) {
    let dim = case.dim;
    let radius = if rng.one_in(2) {
        4
    } else {
        1 << rng.int(3, 14)
    };
    let (same, lift) = (rng.below(3), rng.int(-1, 1));
    let slopes = [rng.int(-2, 2), rng.int(-2, 2)];
    for (body, lift) in [(&mut case.a, 0), (&mut case.b, lift)] {
        let slopes = if same < 2 {
            slopes
        } else {
            [rng.int(-2, 2), rng.int(-2, 2)]
        };
        for _ in 0..rng.int(2, 5) {
            let mut p = lattice_point(rng, dim, radius);
            let height = slopes[0] * p[0] + if dim == 3 { slopes[1] * p[1] } else { 0 };
            p[dim - 1] = height + if same == 1 { lift } else { 0 };
            body.points.push(floats(p));
        }
    }
    finish(rng, case);
}

/// Segments: on one line, parallel, or any.
pub(super) fn linear(rng: &mut Rng, case: &mut Case) {
    let dim = case.dim;
    let radius = if rng.one_in(2) {
        3
    } else {
        1 << rng.int(2, 14)
    };
    let (direction, offset) = (lattice_point(rng, dim, radius), lattice_point(rng, dim, 2));
    let kind = rng.below(3);
    for (k, body) in [&mut case.a, &mut case.b].into_iter().enumerate() {
        for _ in 0..rng.int(2, 3) {
            let along = direction.map(|x| x * rng.int(-3, 3).clamp(-3, 3));
            let p = match kind {
                0 => along_line(direction, rng.int(-4, 4), [0; 3]),
                1 => along_line(
                    direction,
                    rng.int(-4, 4),
                    if k == 1 { offset } else { [0; 3] },
                ),
                _ if body.points.len() == 2 => along,
                _ => lattice_point(rng, dim, radius),
            };
            body.points.push(floats(p));
        }
    }
    finish(rng, case);
}

fn along_line(direction: [i64; 3], steps: i64, offset: [i64; 3]) -> [i64; 3] {
    std::array::from_fn(|k| offset[k] + steps * direction[k])
}

/// A point against a body: a vertex of it, between two of its vertices, or anywhere.
pub(super) fn point(rng: &mut Rng, case: &mut Case) {
    let (dim, radius) = (case.dim, radius(rng));
    let count = rng.int(1, 8);
    cloud(rng, dim, &mut case.a, count, radius);
    case.a
        .points
        .iter_mut()
        .for_each(|p| *p = p.map(|x| 2.0 * x));
    let (p, q) = (rng.pick(&case.a.points), rng.pick(&case.a.points));
    let at = match rng.below(4) {
        0 => p,
        1 | 2 => std::array::from_fn(|k| (p[k] + q[k]) / 2.0),
        _ => floats(lattice_point(rng, dim, 2 * radius)),
    };
    let copies = if rng.one_in(4) { 3 } else { 1 };
    case.b.points.extend(std::iter::repeat_n(at, copies));
    finish(rng, case);
}

pub(super) fn duplicates(rng: &mut Rng, case: &mut Case) {
    let kind = rng.pick(&contact::KINDS);
    let size = 1 << rng.int(1, 14);
    contact::integers(rng, case, kind, size, 0);
    case.known = Some(Verdict::Touching);
    for body in [&mut case.a, &mut case.b] {
        let count = body.points.len();
        for i in 0..count {
            let copies = rng.below(2);
            body.points
                .extend(std::iter::repeat_n(body.points[i], copies as usize));
        }
        shuffle(rng, &mut body.points);
    }
    finish(rng, case);
}

fn shuffle(rng: &mut Rng, points: &mut [[f64; 3]]) {
    for i in (1..points.len()).rev() {
        points.swap(i, rng.below(i as u64 + 1) as usize);
    }
}

pub(super) fn coplanar_extra(rng: &mut Rng, case: &mut Case) {
    let kind = rng.pick(&contact::KINDS);
    let size = 1 << rng.int(1, 12);
    contact::integers(rng, case, kind, size, 0);
    case.known = Some(Verdict::Touching);
    for body in [&mut case.a, &mut case.b] {
        body.points.iter_mut().for_each(|p| *p = p.map(|x| 4.0 * x));
        let count = body.points.len();
        for _ in 0..rng.int(1, 4) {
            // A mean of four points, most of them the same two.
            let i: [usize; 4] = std::array::from_fn(|_| rng.below(count as u64) as usize);
            let (p, q, r) = (
                body.points[i[0]],
                body.points[i[1]],
                body.points[i[2 + rng.below(2) as usize]],
            );
            body.points
                .push(std::array::from_fn(|k| (2.0 * p[k] + q[k] + r[k]) / 4.0));
        }
        shuffle(rng, &mut body.points);
    }
    finish(rng, case);
}

/// A polygon in the plane of a face: touching it or beside it.
pub(super) fn in_plane(rng: &mut Rng, case: &mut Case) {
    let dim = case.dim;
    let size = 1 << rng.int(2, 10);
    contact::integers(rng, case, (Feature::Face, Feature::Face), size, 0);
    // B becomes a polygon through three (two) points of A's first face, moved along that face.
    let face: Vec<[f64; 3]> = case.a.points.iter().take(dim).copied().collect();
    let (s, t) = (rng.int(-2, 2) as f64, rng.int(-2, 2) as f64);
    let along = |i: usize, k: usize| face[i.min(face.len() - 1)][k] - face[0][k];
    let moved = |p: &[f64; 3]| std::array::from_fn(|k| p[k] + s * along(1, k) + t * along(2, k));
    case.b.points = face.iter().map(moved).collect();
    finish(rng, case);
}

pub(super) fn centred(rng: &mut Rng, case: &mut Case) {
    let (dim, radius) = (case.dim, radius(rng));
    let first = floats(lattice_point(rng, dim, radius));
    for body in [&mut case.a, &mut case.b] {
        let count = rng.int(1, 5);
        if rng.one_in(2) {
            body.points.push(first);
            cloud(rng, dim, body, count, radius);
        } else {
            // Point pairs around the common centre.
            for _ in 0..count.min(4) {
                let p = floats(lattice_point(rng, dim, radius));
                body.points.push(std::array::from_fn(|k| first[k] + p[k]));
                body.points.push(std::array::from_fn(|k| first[k] - p[k]));
            }
        }
    }
    finish(rng, case);
}

/// The points that the first direction (from first point to first point) finds coincide.
pub(super) fn first_support(rng: &mut Rng, case: &mut Case) {
    let (dim, radius) = (case.dim, radius(rng));
    let axis = rng.below(dim as u64) as usize;
    let common = floats(lattice_point(rng, dim, radius));
    let deep = rng.one_in(2);
    for (body, side) in [(&mut case.a, -1.0), (&mut case.b, 1.0)] {
        let mut first = common;
        first[axis] += side * radius as f64;
        body.points.push(first);
        body.points.push(common);
        let count = rng.int(0, 4);
        for _ in 0..count {
            let mut p = floats(lattice_point(rng, dim, radius));
            if !deep {
                p[axis] = common[axis] + side * rng.int(0, radius) as f64;
            }
            body.points.push(p);
        }
    }
    finish(rng, case);
}
