//! A line against the difference of two hulls with a ball swept over it: how near it passes, and whether a place of it is in contact.
//!
//! Idea: the distance of a line from a hull is that of the origin from the hull's shadow along the line. So one exact search for the point of
//! a hull that is nearest the origin serves lines and points alike. It is the GJK loop with every face of the simplex tried, in integers: slow,
//! and only for what floats leave open.
//! Numbers: all coordinates are integers on one grid, and a radius is the sum of floats on the same. Distances are compared by their squares.

use super::ratio::Ratio;
use super::view::Line;
use crate::integer::{Int, Int3, cross, dot, grid_of, is_zero, on_grid, scale, sign, sub};
use crate::problem::Points;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// Steps that no search needs: each has a strictly smaller distance, and some ten are usual.
const STEPS_MAX: u32 = 1000;

/// A point of the difference.
#[derive(Clone, Debug)]
pub struct LineNearest {
    /// The pairs of vertices that make it.
    pub pairs: Vec<[u32; 2]>,
    /// Their weights: positive numerators of one denominator, their sum.
    pub weights: Vec<Int>,
    /// From the point to the place that is asked about, as integers times some positive factor; zero where it is in the hull.
    pub direction: Int3,
    /// The distance against the radius.
    pub order: Ordering,
}

/// Pairs of vertices and their weights: numerators of one denominator, their sum.
pub type Combination = (Vec<[u32; 2]>, Vec<Int>);

/// A line near a rounded hull.
#[derive(Clone, Debug)]
pub struct Passing {
    /// The point of the hull nearest the line.
    pub nearest: LineNearest,
    /// Where on the line the nearest point is.
    pub place: Ratio,
    /// Where a line that grazes first touches; the place itself where it does not graze.
    pub first: Ratio,
    /// The point of the hull that it then touches; the nearest point where it does not graze.
    pub touched: Combination,
}

/// The points of two hulls as integers. What is meant is their difference.
struct Hulls([Vec<Int3>; 2]);

impl Hulls {
    fn point(&self, [i, j]: [u32; 2]) -> Int3 {
        let Self([a, b]) = self;
        sub(&a[i as usize], &b[j as usize])
    }

    /// The pair with the least `direction · (a − b)`.
    fn least(&self, direction: &Int3) -> Option<[u32; 2]> {
        let Self([a, b]) = self;
        let lowest = (0..).zip(a).min_by_key(|(_, p)| dot(p, direction))?;
        let highest = (0..).zip(b).min_by_key(|(_, p)| -dot(p, direction))?;
        Some([lowest.0, highest.0])
    }

    fn map(&self, change: impl Fn(&Int3) -> Int3) -> Self {
        let Self(points) = self;
        Self([0, 1].map(|k: usize| points[k].iter().map(&change).collect()))
    }

    /// The points of each that are farthest along a direction, B's against it, with their numbers.
    fn farthest(&self, direction: &Int3) -> Option<([Vec<u32>; 2], Self)> {
        let opposite = direction.each_ref().map(|x| -x);
        let [a, b] = self.least(&opposite)?;
        let Self(points) = self;
        let ids = [(0, a), (1, b)].map(|(k, best): (usize, u32)| {
            let top = dot(&points[k][best as usize], direction);
            let all = (0..).zip(&points[k]);
            let level = all.filter(|(_, p)| dot(p, direction) == top);
            level.map(|(id, _)| id).collect::<Vec<u32>>()
        });
        let of = |k: usize| {
            ids[k]
                .iter()
                .map(|&id| points[k][id as usize].clone())
                .collect()
        };
        let face = Self([of(0), of(1)]);
        Some((ids, face))
    }
}

/// Two hulls and their relative motion, and a radius, as integers.
struct Scene {
    hulls: Hulls,
    direction: Int3,
    radius: Int,
    /// Places on the line are in units of two to this power.
    grid: i32,
}

impl<A: Points + ?Sized, B: Points + ?Sized> Line<'_, A, B> {
    /// How near the whole line passes the hull, against the sum of radii; `None` after more steps than any hull can need.
    ///
    /// # Accuracy  exact for finite numbers.
    pub fn passing(&self, radii: &[f64]) -> Option<Passing> {
        let scene = self.scene(None, radii);
        let v = &scene.direction;
        let square = dot(v, v);
        let shadow = |p: &Int3| sub(&scale(p, &square), &scale(v, &dot(p, v)));
        let nearest = nearest(&scene.hulls.map(shadow), &(&scene.radius * &square))?;
        let parts = nearest.pairs.iter().zip(&nearest.weights);
        let along: Int = parts
            .map(|(&pair, w)| w * dot(&scene.hulls.point(pair), v))
            .sum();
        let total: Int = nearest.weights.iter().sum();
        let place = Ratio::of_integers(along, total * &square, scene.grid);
        let touched = match nearest.order {
            Ordering::Equal => scene.first_touch(&nearest),
            _ => None,
        };
        let (first, touched) = touched.unwrap_or_else(|| {
            let point = (nearest.pairs.clone(), nearest.weights.clone());
            (place.clone(), point)
        });
        Some(Passing {
            nearest,
            place,
            first,
            touched,
        })
    }

    /// The point of the hull nearest to the place `t` of the line, against the sum of radii.
    ///
    /// # Accuracy  exact for finite numbers.
    pub fn nearest_at(&self, t: f64, radii: &[f64]) -> Option<LineNearest> {
        let scene = self.scene(Some(t), radii);
        nearest(&scene.hulls, &scene.radius)
    }

    /// The points as they are at the time `t`, or at the start: B is moved, A rests.
    fn scene(&self, t: Option<f64>, radii: &[f64]) -> Scene {
        fn points<P: Points + ?Sized>(set: &P) -> Vec<[f64; 3]> {
            (0..set.count()).map(|id| set.point(id)).collect()
        }
        let (a, b) = (points(self.a), points(self.b));
        let lengths = a.iter().chain(&b).flatten().chain(radii);
        let mut grid = grid_of(lengths.copied()).min(1024);
        let along_grid = grid_of(self.velocities.iter().flatten().copied()).min(1024);
        let [from, to] = self.velocities.map(|v| v.map(|x| on_grid(x, along_grid)));
        let direction = sub(&to, &from);
        let mut moved = Int3::default();
        if let Some(t) = t.filter(|&t| t != 0.0) {
            let time_grid = grid_of([t].into_iter());
            let product = scale(&direction, &on_grid(t, time_grid));
            grid = grid.min(along_grid.saturating_add(time_grid));
            let shift = (along_grid + time_grid - grid) as usize;
            moved = product.map(|x| x << shift);
        }
        let whole = |p: &[f64; 3]| p.map(|x| on_grid(x, grid));
        let later = |p: &[f64; 3]| {
            let p = whole(p);
            core::array::from_fn(|k| &p[k] + &moved[k])
        };
        Scene {
            hulls: Hulls([a.iter().map(whole).collect(), b.iter().map(later).collect()]),
            direction,
            radius: radii.iter().map(|&r| on_grid(r, grid)).sum(),
            grid: grid - along_grid,
        }
    }
}

impl Scene {
    /// Where a line that grazes first touches: of the hull's points with the shadow nearest the line, the least along it.
    ///
    /// They are in the plane that supports the hull there. Along `m`, which is in that plane across the line, they all have one height. A chord
    /// between two vertices on both sides of that height gives a point of it; while a vertex is below the chord, it takes the place of one end.
    fn first_touch(&self, nearest: &LineNearest) -> Option<(Ratio, Combination)> {
        let v = &self.direction;
        let m = cross(&nearest.direction, v);
        let total: Int = nearest.weights.iter().sum();
        let parts = nearest.pairs.iter().zip(&nearest.weights);
        let level: Int = parts
            .map(|(&pair, w)| w * dot(&self.hulls.point(pair), &m))
            .sum();
        let (ids, face) = self.hulls.farthest(&nearest.direction)?;
        let named = |[i, j]: [u32; 2]| [ids[0][i as usize], ids[1][j as usize]];
        // Heights over the level, times the total of the weights, and places along the line.
        let above = |pair| dot(&face.point(pair), &m) * &total - &level;
        let place = |pair| dot(&face.point(pair), v);
        let at = |pair| {
            let ratio = Ratio::of_integers(place(pair), dot(v, v), self.grid);
            (ratio, (alloc::vec![named(pair)], alloc::vec![Int::ONE]))
        };
        let down = m.each_ref().map(|x| -x);
        let (mut upper, mut lower) = (face.least(&down)?, face.least(&m)?);
        if above(upper) == above(lower) {
            return Some(at(face.least(v)?));
        }
        for _ in 0..STEPS_MAX {
            // At a right angle to the chord, towards greater places.
            let rise = dot(&sub(&face.point(upper), &face.point(lower)), &m);
            let run = place(upper) - place(lower);
            let across = sub(&scale(v, &rise), &scale(&m, &run));
            let new = face.least(&across)?;
            if dot(&face.point(new), &across) >= dot(&face.point(upper), &across) {
                break;
            }
            match sign(&above(new)) {
                Ordering::Greater => upper = new,
                Ordering::Less => lower = new,
                // Below all others of its height.
                Ordering::Equal => return Some(at(new)),
            }
        }
        let weights = [-above(lower), above(upper)];
        let along = &weights[0] * place(upper) + &weights[1] * place(lower);
        let whole = &weights[0] + &weights[1];
        let ratio = Ratio::of_integers(along, whole * dot(v, v), self.grid);
        let point = (alloc::vec![named(upper), named(lower)], weights.into());
        Some((ratio, point))
    }
}

/// The point of a difference nearest the origin, and its distance against a radius; `None` for no points.
fn nearest(hulls: &Hulls, radius: &Int) -> Option<LineNearest> {
    let Hulls([a, b]) = hulls;
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let mut simplex = alloc::vec![[0_u32; 2]];
    for _ in 0..STEPS_MAX {
        let (pairs, weights) = nearest_face(hulls, &simplex)?;
        let mut sum = Int3::default();
        for (&pair, weight) in pairs.iter().zip(&weights) {
            let part = scale(&hulls.point(pair), weight);
            sum = core::array::from_fn(|k| &sum[k] + &part[k]);
        }
        let total: Int = weights.iter().sum();
        let square = dot(&sum, &sum);
        // The optimum: no point is nearer to the origin along the way to it.
        let least = hulls.least(&sum)?;
        if is_zero(&sum) || dot(&hulls.point(least), &sum) * &total >= square {
            let allowed = radius * &total;
            return Some(LineNearest {
                order: square.cmp(&(&allowed * &allowed)),
                direction: sum.map(|x| -x),
                pairs,
                weights,
            });
        }
        simplex = pairs;
        simplex.push(least);
    }
    None
}

/// The face of a simplex that holds the point nearest the origin, with the positive weights of the point.
fn nearest_face(hulls: &Hulls, simplex: &[[u32; 2]]) -> Option<Combination> {
    let mut best: Option<(Combination, [Int; 2])> = None;
    for mask in 1_u32..1 << simplex.len() {
        let places = simplex.iter().enumerate();
        let face: Vec<[u32; 2]> = places
            .filter(|(k, _)| mask >> k & 1 == 1)
            .map(|(_, &pair)| pair)
            .collect();
        let corners: Vec<Int3> = face.iter().map(|&pair| hulls.point(pair)).collect();
        let Some(weights) = foot(&corners) else {
            continue;
        };
        if weights.iter().any(|w| sign(w).is_le()) {
            continue;
        }
        let total: Int = weights.iter().sum();
        let mut sum = Int3::default();
        for (corner, weight) in corners.iter().zip(&weights) {
            let part = scale(corner, weight);
            sum = core::array::from_fn(|k| &sum[k] + &part[k]);
        }
        let length = [dot(&sum, &sum), &total * &total];
        let shorter = |old: &[Int; 2]| (&length[0] * &old[1]) < (&old[0] * &length[1]);
        if best.as_ref().is_none_or(|(_, old)| shorter(old)) {
            best = Some(((face, weights), length));
        }
    }
    best.map(|(found, _)| found)
}

/// Weights, of positive sum, of the point nearest the origin in the plane through at most four corners; `None` where they are dependent.
///
/// With edges `e_k` from the first corner `p`, the weights `x_k` solve `Σ (e_j·e_k) x_k = −e_j·p` by Cramer's rule; the determinant is the denominator.
fn foot(corners: &[Int3]) -> Option<Vec<Int>> {
    let (first, rest) = corners.split_first()?;
    let edges: Vec<Int3> = rest.iter().map(|p| sub(p, first)).collect();
    let gram: Vec<Vec<Int>> = edges
        .iter()
        .map(|e| edges.iter().map(|f| dot(e, f)).collect())
        .collect();
    let right: Vec<Int> = edges.iter().map(|e| -dot(e, first)).collect();
    let whole = determinant(&gram);
    if whole.is_zero() {
        return None;
    }
    let mut weights: Vec<Int> = (0..edges.len())
        .map(|k| {
            let mut changed = gram.clone();
            for (row, value) in changed.iter_mut().zip(&right) {
                row[k] = value.clone();
            }
            determinant(&changed)
        })
        .collect();
    let others: Int = weights.iter().sum();
    weights.insert(0, whole - others);
    Some(weights)
}

/// The determinant of at most three rows.
fn determinant(rows: &[Vec<Int>]) -> Int {
    let minor = |i: usize, j: usize, r: usize| {
        &rows[r][i] * &rows[r + 1][j] - &rows[r][j] * &rows[r + 1][i]
    };
    match rows.len() {
        0 => Int::ONE,
        1 => rows[0][0].clone(),
        2 => minor(0, 1, 0),
        _ => {
            &rows[0][0] * minor(1, 2, 1)
                + &rows[0][1] * minor(2, 0, 1)
                + &rows[0][2] * minor(0, 1, 1)
        }
    }
}
