//! A line against the hull of points with a ball swept over it: how near it passes, and whether a place of it is in contact.
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

/// A point of a hull.
#[derive(Clone, Debug)]
pub struct LineNearest {
    /// The vertices that make it.
    pub vertices: Vec<u32>,
    /// Their weights: positive numerators of one denominator, their sum.
    pub weights: Vec<Int>,
    /// From the point to what is asked about, as integers times some positive factor; zero where it is in the hull.
    pub direction: Int3,
    /// The distance against the radius.
    pub order: Ordering,
}

/// Vertices and their weights: numerators of one denominator, their sum.
pub type Combination = (Vec<u32>, Vec<Int>);

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

/// Vertices of a hull seen from the origin, and a radius, as integers.
struct Scene {
    vertices: Vec<Int3>,
    direction: Int3,
    radius: Int,
    /// Places on the line are in units of two to this power.
    grid: i32,
}

impl<P: Points + ?Sized> Line<'_, P> {
    /// How near the whole line passes the hull, against the sum of radii; `None` after more steps than any hull can need.
    ///
    /// # Accuracy  exact for finite numbers.
    pub fn passing(&self, radii: &[f64]) -> Option<Passing> {
        let scene = self.scene(None, radii);
        let v = &scene.direction;
        let square = dot(v, v);
        let shadow = |p: &Int3| sub(&scale(p, &square), &scale(v, &dot(p, v)));
        let shadows: Vec<Int3> = scene.vertices.iter().map(shadow).collect();
        let nearest = nearest(&shadows, &(&scene.radius * &square))?;
        let parts = nearest.vertices.iter().zip(&nearest.weights);
        let along: Int = parts
            .map(|(&id, w)| w * dot(&scene.vertices[id as usize], v))
            .sum();
        let total: Int = nearest.weights.iter().sum();
        let place = Ratio::of_integers(along, total * &square, scene.grid);
        let touched = match nearest.order {
            Ordering::Equal => scene.first_touch(&nearest),
            _ => None,
        };
        let (first, touched) = touched.unwrap_or_else(|| {
            let point = (nearest.vertices.clone(), nearest.weights.clone());
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
        nearest(&scene.vertices, &scene.radius)
    }

    /// The vertices as seen from the place `t` of the line, or from its origin.
    fn scene(&self, t: Option<f64>, radii: &[f64]) -> Scene {
        let points: Vec<[f64; 3]> = (0..self.points.count())
            .map(|id| self.points.point(id))
            .collect();
        let lengths = points.iter().flatten().chain(&self.origin).chain(radii);
        let mut grid = grid_of(lengths.copied()).min(1024);
        let along_grid = grid_of(self.direction.iter().copied()).min(1024);
        let direction = self.direction.map(|x| on_grid(x, along_grid));
        let mut moved = None;
        if let Some(t) = t.filter(|&t| t != 0.0) {
            let time_grid = grid_of([t].into_iter());
            let product = scale(&direction, &on_grid(t, time_grid));
            grid = grid.min(along_grid.saturating_add(time_grid));
            let shift = (along_grid + time_grid - grid) as usize;
            moved = Some(product.map(|x| x << shift));
        }
        let origin = self.origin.map(|x| on_grid(x, grid));
        let origin = match moved {
            Some(moved) => core::array::from_fn(|k| &origin[k] + &moved[k]),
            None => origin,
        };
        Scene {
            vertices: points
                .iter()
                .map(|p| sub(&p.map(|x| on_grid(x, grid)), &origin))
                .collect(),
            direction,
            radius: radii.iter().map(|&r| on_grid(r, grid)).sum(),
            grid: grid - along_grid,
        }
    }
}

impl Scene {
    /// Where a line that grazes first touches: of the hull's points with the shadow nearest the line, the least along it.
    ///
    /// They are in the plane that supports the hull there. Along `m`, which is in that plane across the line, they all have one height. Two vertices
    /// on both sides of that height have a point of the chord between them, and the least of all these is its end.
    fn first_touch(&self, nearest: &LineNearest) -> Option<(Ratio, Combination)> {
        let v = &self.direction;
        let m = cross(&nearest.direction, v);
        let height = |p: &Int3| dot(p, &nearest.direction);
        let top = self.vertices.iter().map(height).max()?;
        let total: Int = nearest.weights.iter().sum();
        let parts = nearest.vertices.iter().zip(&nearest.weights);
        let level: Int = parts
            .map(|(&id, w)| w * dot(&self.vertices[id as usize], &m))
            .sum();
        // Heights over the level, times the total of the weights, and places along the line.
        let in_plane: Vec<(u32, Int, Int)> = (0..)
            .zip(&self.vertices)
            .filter(|(_, p)| height(p) == top)
            .map(|(id, p)| (id, dot(p, &m) * &total - &level, dot(p, v)))
            .collect();
        let mut least: Option<([Int; 2], Combination)> = None;
        for (first, above, place_above) in &in_plane {
            for (second, below, place_below) in &in_plane {
                let found = if sign(above).is_eq() {
                    let point = (alloc::vec![*first], alloc::vec![Int::ONE]);
                    ([place_above.clone(), Int::ONE], point)
                } else if sign(above).is_gt() && sign(below).is_lt() {
                    let point = (
                        alloc::vec![*first, *second],
                        alloc::vec![-below, above.clone()],
                    );
                    let place = place_below * above - place_above * below;
                    ([place, above - below], point)
                } else {
                    continue;
                };
                let is_less = |(old, _): &([Int; 2], Combination)| {
                    &found.0[0] * &old[1] < &old[0] * &found.0[1]
                };
                if least.as_ref().is_none_or(is_less) {
                    least = Some(found);
                }
            }
        }
        let ([above, below], point) = least?;
        let place = Ratio::of_integers(above, below * dot(v, v), self.grid);
        Some((place, point))
    }
}

/// The point of a hull nearest the origin, and its distance against a radius; `None` for no points.
fn nearest(points: &[Int3], radius: &Int) -> Option<LineNearest> {
    let mut simplex = alloc::vec![0_u32];
    let at = |id: u32| &points[id as usize];
    points.first()?;
    for _ in 0..STEPS_MAX {
        let (vertices, weights) = nearest_face(points, &simplex)?;
        let mut sum = Int3::default();
        for (&id, weight) in vertices.iter().zip(&weights) {
            let part = scale(at(id), weight);
            sum = core::array::from_fn(|k| &sum[k] + &part[k]);
        }
        let total: Int = weights.iter().sum();
        let square = dot(&sum, &sum);
        // The optimum: no point is nearer to the origin along the way to it.
        let least = (0..points.len() as u32).min_by_key(|&id| dot(at(id), &sum))?;
        if is_zero(&sum) || dot(at(least), &sum) * &total >= square {
            let allowed = radius * &total;
            return Some(LineNearest {
                order: square.cmp(&(&allowed * &allowed)),
                direction: sum.map(|x| -x),
                vertices,
                weights,
            });
        }
        simplex = vertices;
        simplex.push(least);
    }
    None
}

/// The face of a simplex that holds the point nearest the origin, with the positive weights of the point.
fn nearest_face(points: &[Int3], simplex: &[u32]) -> Option<(Vec<u32>, Vec<Int>)> {
    let mut best: Option<(Vec<u32>, Vec<Int>, [Int; 2])> = None;
    for mask in 1_u32..1 << simplex.len() {
        let places = simplex.iter().enumerate();
        let face: Vec<u32> = places
            .filter(|(k, _)| mask >> k & 1 == 1)
            .map(|(_, &id)| id)
            .collect();
        let corners: Vec<&Int3> = face.iter().map(|&id| &points[id as usize]).collect();
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
        if best.as_ref().is_none_or(|(_, _, old)| shorter(old)) {
            best = Some((face, weights, length));
        }
    }
    best.map(|(face, weights, _)| (face, weights))
}

/// Weights, of positive sum, of the point nearest the origin in the plane through at most four corners; `None` where they are dependent.
///
/// With edges `e_k` from the first corner `p`, the weights `x_k` solve `Σ (e_j·e_k) x_k = −e_j·p` by Cramer's rule; the determinant is the denominator.
fn foot(corners: &[&Int3]) -> Option<Vec<Int>> {
    let (first, rest) = corners.split_first()?;
    let edges: Vec<Int3> = rest.iter().map(|&p| sub(p, first)).collect();
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
