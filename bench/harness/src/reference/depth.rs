//! The depth of two overlapping polytopes: the least height of a facet of A − B over the origin, by all facets.
//!
//! A facet's normal is a face's of A, one of B, or the product of an edge of each. Small cores try every such axis
//! ([`every_axis`]); hulls only those pairs of edges whose arcs on the sphere of normals cross, which are exactly the
//! facets ([`facets`]; Gauss map, as in Gregorius 2013). Either way the height that counts is that of the supports over
//! all vertices, so that no axis can claim less than the truth.

use super::apart::least;
use super::core::Core;
use super::real::{Real, V, cross, dot, scale, sub, unit};

/// Where a normal comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Axis {
    FaceA(usize),
    FaceB(usize),
    /// Edges of A and of B; whether the product is turned.
    Edges(usize, usize, bool),
}

/// Two cores at their poses.
pub(crate) struct Posed<'a, R> {
    pub(crate) cores: [&'a Core; 2],
    pub(crate) points: [&'a [V<R>]; 2],
}

impl<R: Real> Posed<'_, R> {
    /// Unit, from A to B.
    pub(crate) fn normal(&self, axis: Axis) -> Option<V<R>> {
        let edge = |k: usize, e: usize| {
            let [i, j] = self.cores[k].edges[e].ends;
            sub(self.points[k][j as usize], self.points[k][i as usize])
        };
        unit(match axis {
            Axis::FaceA(face) => self.cores[0].face_normal(face, self.points[0]),
            Axis::FaceB(face) => scale(
                self.cores[1].face_normal(face, self.points[1]),
                R::new(-1.0),
            ),
            Axis::Edges(a, b, false) => cross(edge(0, a), edge(1, b)),
            Axis::Edges(a, b, true) => cross(edge(1, b), edge(0, a)),
        })
    }

    /// How far B must move along a unit normal to leave A: the height of A − B.
    pub(crate) fn height(&self, normal: V<R>) -> R {
        let (back, [a, b]) = (scale(normal, R::new(-1.0)), self.points);
        dot(normal, a[least(a, back) as usize]) - dot(normal, b[least(b, normal) as usize])
    }

    /// The height over the feature that the axis comes from: that of the supports, when it is a facet.
    pub(crate) fn feature_height(&self, axis: Axis, normal: V<R>) -> R {
        let [a, b] = self.points;
        let corner = |k: usize, e: usize| self.points[k][self.cores[k].edges[e].ends[0] as usize];
        match axis {
            Axis::FaceA(face) => {
                let on = a[self.cores[0].faces[face][0] as usize];
                dot(normal, sub(on, b[least(b, normal) as usize]))
            }
            Axis::FaceB(face) => {
                let on = b[self.cores[1].faces[face][0] as usize];
                dot(
                    normal,
                    sub(a[least(a, scale(normal, R::new(-1.0))) as usize], on),
                )
            }
            Axis::Edges(i, j, _) => dot(normal, sub(corner(0, i), corner(1, j))),
        }
    }
}

/// Products of edges up to this count are all tried; above, the arcs decide.
const EVERY_AXIS_MAX: usize = 12 * 12;
/// Candidates this near the least, relative to the size of the pair, are all measured in the wider numbers.
const TIE: f64 = 1e-11;

/// The axes whose heights are least, all within a rounding of each other; none when neither core is solid.
pub(crate) fn least_axes(pair: &Posed<'_, f64>) -> Vec<Axis> {
    let [a, b] = pair.cores;
    if !a.is_solid() && !b.is_solid() {
        return Vec::new();
    }
    let few = a.edges.len() * b.edges.len() <= EVERY_AXIS_MAX;
    let solid = a.is_solid() && b.is_solid();
    let mut found = if few || !solid || a.dim == 2 {
        every_axis(pair)
    } else {
        facets(pair)
    };
    let size = a.diameter() + b.diameter();
    // A candidate that is no facet, by a rounding in its arcs, is raised to its true height before it can win.
    let mut proved = vec![false; found.len()];
    while let Some(at) = (0..found.len()).min_by(|&x, &y| found[x].0.total_cmp(&found[y].0)) {
        if proved[at] {
            let limit = found[at].0 + TIE * size;
            return found
                .into_iter()
                .filter(|c| c.0 <= limit)
                .map(|c| c.1)
                .take(64)
                .collect();
        }
        found[at].0 = pair
            .normal(found[at].1)
            .map_or(f64::INFINITY, |n| pair.height(n));
        proved[at] = true;
    }
    Vec::new()
}

/// All axes that could be a facet's, with the heights of the supports.
pub(crate) fn every_axis(pair: &Posed<'_, f64>) -> Vec<(f64, Axis)> {
    let [a, b] = pair.cores;
    let faces = (0..a.faces.len())
        .map(Axis::FaceA)
        .chain((0..b.faces.len()).map(Axis::FaceB));
    let edges = (0..a.edges.len()).flat_map(|i| (0..b.edges.len()).map(move |j| (i, j)));
    let products = edges.flat_map(|(i, j)| [Axis::Edges(i, j, false), Axis::Edges(i, j, true)]);
    faces
        .chain(products)
        .filter_map(|axis| Some((pair.height(pair.normal(axis)?), axis)))
        .collect()
}

/// The facets of A − B, with the heights of their features.
pub(crate) fn facets(pair: &Posed<'_, f64>) -> Vec<(f64, Axis)> {
    let normals = [0, 1].map(|k| -> Vec<V<f64>> {
        let (core, sign) = (pair.cores[k], if k == 0 { 1.0 } else { -1.0 });
        let faces = 0..core.faces.len();
        faces
            .map(|f| {
                scale(
                    unit(core.face_normal(f, pair.points[k])).unwrap_or([0.0; 3]),
                    sign,
                )
            })
            .collect()
    });
    let mut found = Vec::new();
    for (k, own) in normals.iter().enumerate() {
        let (core, other) = (pair.cores[k], 1 - k);
        let mut at = 0;
        for (face, &normal) in own.iter().enumerate() {
            let n = scale(normal, if k == 0 { 1.0 } else { -1.0 });
            at = climb(pair.cores[other], pair.points[other], at, scale(n, -1.0));
            let on_face = pair.points[k][core.faces[face][0] as usize];
            let height = dot(n, sub(on_face, pair.points[other][at]));
            found.push((
                height,
                if k == 0 {
                    Axis::FaceA(face)
                } else {
                    Axis::FaceB(face)
                },
            ));
        }
    }
    let arcs = [0, 1].map(|k| -> Vec<Arc> {
        let edges = pair.cores[k].edges.iter();
        edges
            .map(|e| {
                Arc::new(
                    normals[k][e.faces[0] as usize],
                    normals[k][e.faces[1] as usize],
                )
            })
            .collect()
    });
    crossing(&arcs[0], &arcs[1], |i, j| {
        let (plain, [a, b]) = (Axis::Edges(i, j, false), pair.cores);
        let Some(n) = pair.normal(plain) else {
            return;
        };
        // Both arcs are shorter than half a turn, so the crossing is on the side of their ends.
        let turned = dot(n, arcs[0][i].from) + dot(n, arcs[0][i].to) < 0.0;
        let on = sub(
            pair.points[0][a.edges[i].ends[0] as usize],
            pair.points[1][b.edges[j].ends[0] as usize],
        );
        let height = if turned { -dot(n, on) } else { dot(n, on) };
        found.push((height, Axis::Edges(i, j, turned)));
    });
    found
}

/// From a vertex along rising edges: on a convex surface the last is the highest.
fn climb(core: &Core, points: &[V<f64>], from: usize, direction: V<f64>) -> usize {
    let (mut at, mut height) = (from, dot(points[from], direction));
    loop {
        let better = core.neighbours[at]
            .iter()
            .map(|&i| (i as usize, dot(points[i as usize], direction)));
        match better.max_by(|x, y| x.1.total_cmp(&y.1)) {
            Some((i, h)) if h > height => (at, height) = (i, h),
            _ => return at,
        }
    }
}

/// The normals at an edge: the arc between those of its two faces.
struct Arc {
    from: V<f64>,
    to: V<f64>,
    across: V<f64>,
}

impl Arc {
    fn new(from: V<f64>, to: V<f64>) -> Self {
        Self {
            from,
            to,
            across: cross(from, to),
        }
    }

    /// Both arcs cross the other's great circle, on the same side of the sphere.
    fn crosses(&self, other: &Arc) -> bool {
        let (c, d) = (dot(other.from, self.across), dot(other.to, self.across));
        let (a, b) = (dot(self.from, other.across), dot(self.to, other.across));
        // `c` and `b` are minus the usual triple products of Gregorius, both: their product keeps its sign.
        c * d < 0.0 && a * b < 0.0 && c * b > 0.0
    }

    /// A box around the arc: its ends, and how far the arc rises over their chord.
    fn bounds(&self, cells: usize) -> [[usize; 2]; 3] {
        let chord = sub(self.to, self.from);
        let rise = 1.0 - (1.0 - 0.25 * dot(chord, chord).min(4.0)).sqrt() + 1e-12;
        let cell = |x: f64| ((0.5 * (x + 1.0) * cells as f64).max(0.0) as usize).min(cells - 1);
        let range = |k: usize| {
            let (low, high) = (self.from[k].min(self.to[k]), self.from[k].max(self.to[k]));
            [cell(low - rise), cell(high + rise)]
        };
        [range(0), range(1), range(2)]
    }
}

/// All pairs of crossing arcs, some of them more than once: only arcs in one cell of a grid over the sphere are tried.
fn crossing(a: &[Arc], b: &[Arc], mut found: impl FnMut(usize, usize)) {
    let cells = ((a.len().max(b.len()) as f64).sqrt() / 4.0).clamp(1.0, 24.0) as usize;
    let each = |bounds: [[usize; 2]; 3], visit: &mut dyn FnMut(usize)| {
        let [x, y, z] = bounds.map(|[low, high]| low..=high);
        for i in x {
            for j in y.clone() {
                z.clone().for_each(|k| visit((i * cells + j) * cells + k));
            }
        }
    };
    // Counted, then filled: the arcs of a cell stand between two offsets.
    let mut offsets = vec![0_u32; cells * cells * cells + 1];
    b.iter()
        .for_each(|arc| each(arc.bounds(cells), &mut |cell| offsets[cell + 1] += 1));
    for cell in 1..offsets.len() {
        offsets[cell] += offsets[cell - 1];
    }
    let mut inside = vec![0_u32; offsets[offsets.len() - 1] as usize];
    let mut next = offsets.clone();
    for (j, arc) in b.iter().enumerate() {
        each(arc.bounds(cells), &mut |cell| {
            inside[next[cell] as usize] = j as u32;
            next[cell] += 1;
        });
    }
    for (i, arc) in a.iter().enumerate() {
        each(arc.bounds(cells), &mut |cell| {
            for &j in &inside[offsets[cell] as usize..offsets[cell + 1] as usize] {
                if arc.crosses(&b[j as usize]) {
                    found(i, j as usize);
                }
            }
        });
    }
}
