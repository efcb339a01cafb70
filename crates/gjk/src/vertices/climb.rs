//! The highest vertex of a large hull: climb its edges from a start that a table or the caller's last vertex gives.
//!
//! Where it sits: [`super::HullVertices`] calls it above [`CLIMB_MIN`] vertices, and scans (`scan.rs`) where it gives up. Read
//! [`Graph::highest`] first.
//! Idea: on a convex polytope a vertex that has no higher neighbour is highest, and the vertices at or above any height are
//! connected by edges (from each of them edges lead up to the top face, whose own edges connect it). The edges are those of
//! the true hull (`hull/` decides by exact signs); only the heights are rounded.
//!
//! Why the answer is that of a scan: let every computed height be within `e` of the true one. The climb ends on a vertex `v`
//! that computes highest among its neighbours; on nearly flat hulls it need not be highest of all. Let `m` compute highest
//! of all. Truly `m ≥ v − 2e`, so `m` is among the vertices at or above `v − 2e`, which are connected, contain `v`, and
//! compute to `v − 4e` or above. A flood from `v` over all neighbours that compute so high therefore reaches `m` and whatever
//! computes as high as `m`. As a rule no neighbour is that near, and the proof costs one comparison. So neither the start nor
//! the instruction set changes the answer, and bounds that rest on support heights need no other check. Test without
//! the flood: `a_climb_alone_would_stop_early`.
//!
//! Source: Cameron 1997 (climbing with a remembered vertex); Box3D and MuJoCo (a table of starts); the flood is ours.

use crate::hull::Neighbours;
use crate::math::Vector;
use crate::rounding::UNIT_ROUNDOFF;
use alloc::vec::Vec;

/// From this many vertices on a climb is as fast as a scan with AVX-512 or AVX2, some 50 ns; with narrower registers from 100.
/// Rows `support` of `bench/record/intel-r-xeon-r-processor-2cpu/2026-11-22.sweep.csv` have both searches by size.
pub(super) const CLIMB_MIN: usize = 192;

/// Vertices that a flood may reach before the scan is cheaper.
const FLOOD_MAX: usize = 24;

/// Entries of the table an axis and sign: 6 · 8 · 8 in space, 4 · 64 in the plane.
const CELLS: [usize; 2] = [64, 8];

/// The edges of a hull, and for each cell of directions the highest vertex along its middle.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Graph {
    edges: Neighbours,
    starts: Vec<u32>,
    /// At most this many heights are computed before giving up: about the cost of a scan.
    effort: usize,
}

/// Points and a direction: heights, computed as `Vector::dot` does.
struct Slope<'a, V> {
    points: &'a [V],
    direction: [f64; 3],
}

impl<V: Vector> Slope<'_, V> {
    #[inline]
    fn height(&self, id: u32) -> f64 {
        height(self.points[id as usize], self.direction)
    }
}

/// The height of a point: three roundings of each product at most.
#[inline]
pub(super) fn height<V: Vector>(point: V, direction: [f64; 3]) -> f64 {
    let p = point.to_f64();
    (p[0] * direction[0] + p[1] * direction[1]) + p[2] * direction[2]
}

/// Roundings of `Σ|d_k x_k|` in four times the largest error of a height, three roundings each, and in the threshold itself.
/// Test: `a_climb_alone_would_stop_early`.
const BAND_ROUNDINGS: f64 = 16.0;

/// At least four times the largest error of a height, given the points' largest coordinates: three roundings of `Σ|d_k x_k|`,
/// and less than one smallest number; one rounding more for the threshold itself. Not finite if a height may overflow.
pub(super) fn band(extent: [f64; 3], direction: [f64; 3]) -> f64 {
    let size: f64 = (0..3).map(|k| (extent[k] * direction[k]).abs()).sum();
    size * (BAND_ROUNDINGS * UNIT_ROUNDOFF) + f64::MIN_POSITIVE
}

impl Graph {
    /// The graph of the hull of `points` with these edges.
    pub(super) fn new<V: Vector>(points: &[V], edges: Neighbours) -> Self {
        let cells = CELLS[V::DIM - 2];
        let mut graph = Self {
            edges,
            starts: Vec::new(),
            effort: 6 * points.len(),
        };
        let mut last = 0;
        let starts = (0..2 * V::DIM * cells.pow(V::DIM as u32 - 1)).map(|cell| {
            let slope = Slope {
                points,
                direction: middle(V::DIM, cell),
            };
            // Any vertex nearby is a start.
            last = graph.climb(&slope, last).map_or(last, |(id, _)| id);
            last
        });
        graph.starts = starts.collect();
        graph.effort = points.len() / 4;
        graph
    }

    /// The lowest id of the vertices that compute highest along `direction`; `None` where a scan is cheaper. `hint` may be any
    /// number: it changes only the time. `band` is that of the points, and finite.
    #[inline(always)] // of one caller
    pub(super) fn highest<V: Vector>(
        &self,
        points: &[V],
        direction: [f64; 3],
        band: f64,
        hint: u32,
    ) -> Option<u32> {
        let slope = Slope { points, direction };
        let mut start = self.starts[cell(V::DIM, direction)];
        if (hint as usize) < points.len() && slope.height(hint) > slope.height(start) {
            start = hint;
        }
        let (top, near) = self.climb(&slope, start)?;
        if near < slope.height(top) - band {
            return Some(top);
        }
        let mut found = [0; FLOOD_MAX];
        let len = self.flood(&slope, top, band, &mut found)?;
        let found = found[..len].iter().map(|&id| (slope.height(id), id));
        found
            .reduce(|a, b| {
                if b.0 > a.0 || (b.0 == a.0 && b.1 < a.1) {
                    b
                } else {
                    a
                }
            })
            .map(|(_, id)| id)
    }

    /// Writes all vertices that compute within `slack` of `top` to `found`, and returns how many; `None` when there are more
    /// than it can hold. `top` computes highest, `slack` is the band at least.
    pub(super) fn near<V: Vector>(
        &self,
        points: &[V],
        direction: [f64; 3],
        top: u32,
        slack: f64,
        found: &mut [u32],
    ) -> Option<usize> {
        self.flood(&Slope { points, direction }, top, slack, found)
    }

    /// From `start` to a vertex that no neighbour computes higher than, and how high the highest neighbour computes.
    fn climb<V: Vector>(&self, slope: &Slope<'_, V>, start: u32) -> Option<(u32, f64)> {
        let (mut at, mut top) = (start, slope.height(start));
        let mut effort = self.effort;
        loop {
            let neighbours = self.edges.of(at as usize);
            effort = effort.checked_sub(neighbours.len())?;
            let (mut next, mut highest) = (at, f64::NEG_INFINITY);
            for &id in neighbours {
                let height = slope.height(id);
                if height > highest {
                    (next, highest) = (id, height);
                }
            }
            // Strictly up, so it ends.
            if !(highest > top) {
                return Some((at, highest));
            }
            (at, top) = (next, highest);
        }
    }

    /// Everything connected to `start` that computes within `slack` of the highest; see the head of this file.
    fn flood<V: Vector>(
        &self,
        slope: &Slope<'_, V>,
        start: u32,
        slack: f64,
        found: &mut [u32],
    ) -> Option<usize> {
        *found.first_mut()? = start;
        let (mut top, mut len, mut done) = (slope.height(start), 1, 0);
        while done < len {
            for &id in self.edges.of(found[done] as usize) {
                let height = slope.height(id);
                if height >= top - slack && !found[..len].contains(&id) {
                    *found.get_mut(len)? = id;
                    len += 1;
                    top = if height > top { height } else { top };
                }
            }
            done += 1;
        }
        Some(len)
    }
}

/// The edges of a polygon whose corners are numbered along its boundary.
pub(crate) fn ring(count: u32) -> Neighbours {
    let targets = (0..count).flat_map(|i| [(i + count - 1) % count, (i + 1) % count]);
    Neighbours {
        offsets: (0..=count).map(|i| 2 * i).collect(),
        targets: targets.collect(),
    }
}

/// The table's cell of a direction: its largest component and that one's sign, then the quotients of the others by it.
fn cell(dim: usize, direction: [f64; 3]) -> usize {
    let d = direction;
    let major = if d[0].abs() >= d[1].abs() && d[0].abs() >= d[2].abs() {
        0
    } else if d[1].abs() >= d[2].abs() {
        1
    } else {
        2
    };
    let cells = CELLS[dim - 2];
    let half = 0.5 * cells as f64;
    let scale = half / d[major].abs();
    // Casts saturate, and take what is no number as zero.
    let at = |x: f64| ((x * scale + half) as usize).min(cells - 1);
    let side = 2 * major + usize::from(d[major] < 0.0);
    if dim == 2 {
        side * cells + at(d[1 - major])
    } else {
        (side * cells + at(d[(major + 1) % 3])) * cells + at(d[(major + 2) % 3])
    }
}

/// The direction in the middle of a cell.
fn middle(dim: usize, cell: usize) -> [f64; 3] {
    let cells = CELLS[dim - 2];
    let at = |index: usize| (2 * (index % cells) + 1) as f64 / cells as f64 - 1.0;
    let side = cell / cells.pow(dim as u32 - 1);
    let (major, mut direction) = (side / 2, [0.0; 3]);
    direction[major] = if side & 1 == 0 { 1.0 } else { -1.0 };
    if dim == 2 {
        direction[1 - major] = at(cell);
    } else {
        (direction[(major + 1) % 3], direction[(major + 2) % 3]) = (at(cell / cells), at(cell));
    }
    direction
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hull::{PlanarHull, SpatialHull, convex_hull_2, convex_hull_3};
    use crate::math::{Vec2, Vec3};
    use crate::random::Random;

    /// A hull in space with its graph.
    fn hull(points: &[[f64; 3]]) -> (Vec<Vec3<f64>>, Graph) {
        let (source, edges) = match convex_hull_3(points) {
            Ok(SpatialHull::Polyhedron(mesh)) => (mesh.vertices, mesh.neighbours),
            Ok(SpatialHull::Polygon { ring: corners }) => {
                let edges = ring(corners.len() as u32);
                (corners, edges)
            }
            other => panic!("{other:?}"),
        };
        let vertices: Vec<_> = source
            .iter()
            .map(|&i| Vec3::from(points[i as usize]))
            .collect();
        let graph = Graph::new(&vertices, edges);
        (vertices, graph)
    }

    /// The oracle: the first of the highest, and how high.
    fn naive<V: Vector>(points: &[V], d: [f64; 3]) -> (u32, f64) {
        let top = points
            .iter()
            .fold(f64::NEG_INFINITY, |m, p| height(*p, d).max(m));
        (
            points
                .iter()
                .position(|p| height(*p, d) == top)
                .unwrap_or(0) as u32,
            top,
        )
    }

    fn extent<V: Vector>(points: &[V]) -> [f64; 3] {
        core::array::from_fn(|k| {
            points
                .iter()
                .fold(0.0, |m: f64, p| m.max(p.to_f64()[k].abs()))
        })
    }

    /// Directions of every kind: any, axes, the vertices themselves, and normals of three vertices that are near each other.
    fn directions<V: Vector>(unit: &mut Random, points: &[V]) -> Vec<[f64; 3]> {
        let mut directions = alloc::vec![
            [0.0; 3],
            [1.0, 0.0, 0.0],
            [0.0, -1.0, 0.0],
            [0.0, 0.0, 1.0],
            [1e-320, 1e-322, 0.0]
        ];
        for _ in 0..60 {
            directions.push(unit.direction());
            let [a, b, c] = [0; 3].map(|_| points[unit.below(points.len())].to_f64());
            directions.push(a);
            let (u, v): ([f64; 3], [f64; 3]) = (
                core::array::from_fn(|k| b[k] - a[k]),
                core::array::from_fn(|k| c[k] - a[k]),
            );
            directions.push(core::array::from_fn(|k| {
                u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]
            }));
        }
        let flat = V::DIM == 2;
        directions
            .into_iter()
            .map(|[x, y, z]| [x, y, if flat { 0.0 } else { z }])
            .collect()
    }

    /// What was seen: answers, answers that needed the flood, and climbs that ended below the top.
    #[derive(Debug, Default)]
    struct Seen {
        asked: usize,
        answered: usize,
        flooded: usize,
        early: usize,
    }

    /// Every answer is the oracle's, from any hint; so is what is named as near.
    fn check<V: Vector>(
        points: &[V],
        graph: &Graph,
        directions: &[[f64; 3]],
        unit: &mut Random,
    ) -> Seen {
        let (mut seen, mut found) = (Seen::default(), alloc::vec![0; points.len()]);
        for &d in directions {
            let (expected, top) = naive(points, d);
            let band = band(extent(points), d);
            if !band.is_finite() {
                continue; // The hull does not use it either.
            }
            let hints = [
                u32::MAX,
                points.len() as u32,
                0,
                points.len() as u32 - 1,
                expected,
                unit.below(points.len()) as u32,
            ];
            for hint in hints {
                seen.asked += 1;
                if let Some(id) = graph.highest(points, d, band, hint) {
                    assert_eq!(id, expected, "{d:?} from {hint}");
                    seen.answered += 1;
                }
                let slope = Slope {
                    points,
                    direction: d,
                };
                let start = if (hint as usize) < points.len() {
                    hint
                } else {
                    graph.starts[cell(V::DIM, d)]
                };
                if let Some((id, near)) = graph.climb(&slope, start) {
                    seen.flooded += usize::from(near >= slope.height(id) - band);
                    seen.early += usize::from(slope.height(id) < top);
                }
            }
            for slack in [band, band + 0.01 * top.abs()] {
                let len = graph
                    .near(points, d, expected, slack, &mut found)
                    .expect("room for all");
                for id in (0..points.len() as u32)
                    .filter(|&i| height(points[i as usize], d) >= top - (slack - band))
                {
                    assert!(found[..len].contains(&id), "{d:?}: {id}");
                }
            }
        }
        seen
    }

    fn check_hull(name: &str, points: &[[f64; 3]]) -> Seen {
        let (vertices, graph) = hull(points);
        let mut unit = Random(points.len() as u64);
        let mut directions = directions(&mut unit, &vertices);
        // The outward normals of the last points of the list, where every test puts what is special.
        directions.extend(points.iter().rev().take(3));
        let seen = check(&vertices, &graph, &directions, &mut unit);
        // Subnormal heights are all within the band: the scan answers.
        assert!(seen.answered > 0 || name == "subnormal", "{name}: {seen:?}");
        seen
    }

    fn circle(n: usize, mut place: impl FnMut(f64, f64) -> [f64; 3]) -> Vec<[f64; 3]> {
        (0..n)
            .map(|i| libm::sincos(i as f64 * core::f64::consts::TAU / n as f64))
            .map(|(s, c)| place(c, s))
            .collect()
    }

    #[test]
    fn climbs_agree_with_the_oracle() {
        let mut unit = Random(1);
        let mut ball = |n: usize, scale: [f64; 3], at: f64| -> Vec<[f64; 3]> {
            (0..n)
                .map(|_| unit.direction())
                .map(|p| core::array::from_fn(|k| p[k] * scale[k] + at))
                .collect()
        };
        let round = check_hull("ball", &ball(1000, [1.0; 3], 0.0));
        assert!(round.answered * 10 > round.asked * 9, "{round:?}");
        check_hull("few", &ball(30, [1.0; 3], 0.0));
        check_hull("needle", &ball(400, [1000.0, 1.0, 1.0], 0.0));
        check_hull("plate", &ball(400, [1000.0, 1000.0, 1.0], 0.0));
        check_hull("thinner plate", &ball(400, [1.0, 1.0, 1e-12], 0.0));
        check_hull("far away", &ball(400, [1.0; 3], 1e6));
        check_hull("subnormal", &ball(400, [1e-310; 3], 0.0));
        check_hull("huge", &ball(400, [1e150; 3], 0.0));
        let prism: Vec<_> = circle(100, |c, s| [c, s, 1.0])
            .into_iter()
            .chain(circle(100, |c, s| [c, s, -1.0]))
            .collect();
        let tied = check_hull("prism", &prism);
        assert!(tied.flooded > 100, "{tied:?}");
        let mut cones = circle(300, |c, s| [c, s, 0.0]);
        cones.extend([[0.0, 0.0, 2.0], [0.1, 0.0, -1e-9]]);
        check_hull("two cones", &cones);
        check_hull("flat", &circle(300, |c, s| [c, s, c + s]));
        let lattice: Vec<_> = ball(4000, [12.0; 3], 0.0)
            .into_iter()
            .map(|p| p.map(f64::round))
            .collect();
        let tied = check_hull("lattice", &lattice);
        assert!(tied.flooded > 20, "{tied:?}");
    }

    #[test]
    fn polygons_agree_with_the_oracle() {
        for n in [3, 4, 50, 1000] {
            let corners = circle(n, |c, s| [1000.0 * c, s, 0.0])
                .into_iter()
                .map(|p| [p[0], p[1]]);
            let corners: Vec<_> = corners.collect();
            let Ok(PlanarHull::Polygon(source)) = convex_hull_2(&corners) else {
                panic!("{n}")
            };
            let vertices: Vec<_> = source
                .iter()
                .map(|&i| Vec2::from(corners[i as usize]))
                .collect();
            let graph = Graph::new(&vertices, ring(source.len() as u32));
            let mut unit = Random(n as u64);
            let directions = directions(&mut unit, &vertices);
            let seen = check(&vertices, &graph, &directions, &mut unit);
            assert!(seen.answered > 0 || n < 50, "{n}: {seen:?}");
        }
    }

    /// On a patch of a sphere so small that neighbours differ by roundings, climbs stop below the top. Without the flood
    /// these answers would be wrong.
    #[test]
    fn a_climb_alone_would_stop_early() {
        let mut unit = Random(7);
        let (mut early, mut answered) = (0, 0);
        for size in [3e-8, 6e-8, 1e-7] {
            // A solid below the patch, so that it is part of a hull.
            let mut points: Vec<[f64; 3]> =
                (0..40).map(|_| unit.direction().map(|x| 0.5 * x)).collect();
            let up = [0.6, 0.48, 0.64];
            points.extend((0..300).map(|_| {
                let p: [f64; 3] = core::array::from_fn(|k| up[k] + size * unit.next());
                let norm = p.iter().map(|x| x * x).sum::<f64>().sqrt();
                p.map(|x| x / norm)
            }));
            let (vertices, graph) = hull(&points);
            let near: Vec<[f64; 3]> = (0..400)
                .map(|_| core::array::from_fn(|k| up[k] + size * unit.next()))
                .collect();
            let seen = check(&vertices, &graph, &near, &mut unit);
            (early, answered) = (early + seen.early, answered + seen.answered);
        }
        assert!(
            early > 20 && answered > 20,
            "{early} early, {answered} answered"
        );
    }

    /// A direction's cell has a middle whose cell it is, and every cell is used.
    #[test]
    fn cells_and_middles_agree() {
        for dim in [2, 3] {
            let count = 2 * dim * CELLS[dim - 2].pow(dim as u32 - 1);
            assert!((0..count).all(|at| cell(dim, middle(dim, at)) == at));
            for d in [
                [0.0; 3],
                [f64::NAN, 1.0, 0.0],
                [f64::INFINITY, 1.0, 0.0],
                [1.0, 1.0, 0.0],
                [-1.0, 1.0, 0.0],
            ] {
                assert!(cell(dim, d) < count, "{d:?}");
            }
        }
    }
}
