//! The trace of a relation, on solids of cells: it changes no answer, it names every pair of triangles that meets, and what it says of
//! directions is what the cells say.

use super::cells::{Cells, SIZE};
use super::tests::{halves, mesh};
use crate::Rng;
use gjk::{Pose3, Vec3};
use gjk_mesh::trace::{Compared, ContactCell, How, Recorder, Step, TreeBox};
use gjk_mesh::triangles::contact;
use gjk_mesh::{Contact, MeshBody, MeshKind, Relation};
use std::collections::{BTreeMap, BTreeSet};

type Corners = [[f64; 3]; 3];

/// Between the lines of the grid; floats have it exactly.
const SHIFT: [f64; 3] = [0.25, 0.375, 0.125];

/// Two solids of which the second is moved, by whole cells or so that edges pass through faces.
struct Pair {
    cells: [Cells; 2],
    offsets: [[f64; 3]; 2],
    corners: [Vec<Corners>; 2],
    steps: Vec<Step>,
    boxes: [Vec<TreeBox>; 2],
    relation: Relation,
    /// Whether both are one piece, on one grid: cones are those of pieces, and the cells those of bodies.
    is_plain: bool,
}

impl Pair {
    /// A random one; `posed`: the offset is in a pose, so that boxes in any direction are asked, and not those along the axes.
    fn random(random: &mut Rng, posed: bool) -> Option<Self> {
        let cells = [0; 2].map(|_| Cells::random(random, SIZE));
        if cells.iter().any(Cells::is_empty) {
            return None;
        }
        let is_aligned = !random.one_in(3);
        let shift = if is_aligned { [0.0; 3] } else { SHIFT };
        let offset = shift.map(|x| x + random.int(-2, 2) as f64);
        let (by, in_vertices) = if posed {
            (offset, [0.0; 3])
        } else {
            ([0.0; 3], offset)
        };
        let bodies = [0, 1].map(|k| {
            let own = if k == 1 { in_vertices } else { [0.0; 3] };
            let moved = |node: [i32; 3]| [0, 1, 2].map(|i| halves(node)[i] + own[i]);
            MeshBody::new(mesh(&cells[k].surface(random, moved)))
        });
        let poses = [
            Pose3::identity(),
            Pose3::from_translation(Vec3::new(by[0], by[1], by[2])),
        ];
        let [a, b] = [0, 1].map(|k| bodies[k].at(&poses[k]));
        let mut recorder = Recorder::default();
        let answer = a.relation_observed(&b, &mut recorder);
        assert_eq!(answer, a.relation(&b), "watching changes nothing");
        let corners = [0, 1].map(|k| {
            let mesh = bodies[k].mesh();
            let moved = |v: u32| {
                let at = mesh.vertices()[v as usize];
                [0, 1, 2].map(|i| at[i] + if k == 1 { by[i] } else { 0.0 })
            };
            mesh.triangles().iter().map(|t| t.map(moved)).collect()
        });
        Some(Self {
            cells,
            offsets: [[0.0; 3], offset],
            corners,
            steps: recorder.steps,
            boxes: a.boxes(&b),
            relation: answer.relation,
            is_plain: is_aligned
                && bodies
                    .iter()
                    .all(|body| matches!(body.kind(), MeshKind::Solid { shells: 1, .. })),
        })
    }

    /// Every pair of triangles that meets.
    fn meeting(&self) -> BTreeMap<[u32; 2], Contact> {
        let mut found = BTreeMap::new();
        for (i, a) in (0..).zip(&self.corners[0]) {
            for (j, b) in (0..).zip(&self.corners[1]) {
                found.extend(contact(a, b).map(|contact| ([i, j], contact)));
            }
        }
        found
    }

    /// Whether a body fills all of a small neighbourhood of a point, or nothing of it; `None` at its boundary.
    fn fills(&self, body: usize, point: [f64; 3]) -> Option<bool> {
        let around = |k: usize| {
            let x = point[k] - self.offsets[body][k];
            let below = (x - 1e-6).floor() as i32;
            let above = (x + 1e-6).floor() as i32;
            BTreeSet::from([below, above])
        };
        let [xs, ys, zs] = [around(0), around(1), around(2)];
        let mut filled = BTreeSet::new();
        for &x in &xs {
            for &y in &ys {
                for &z in &zs {
                    filled.insert(self.cells[body].is_filled([x, y, z]));
                }
            }
        }
        (filled.len() == 1).then(|| filled.contains(&true))
    }

    /// The corners of a box, or of a triangle.
    fn extent(&self, body: usize, part: Compared) -> Vec<[f64; 3]> {
        let number = match part {
            Compared::Triangle(k) => return self.corners[body][k as usize].to_vec(),
            Compared::Box(number) => number,
        };
        let own = self.boxes[body].iter().find(|x| x.number == number);
        let own = own.expect("a box of the tree");
        let corner = |bits: usize| {
            let side = |i: usize| if bits >> i & 1 == 1 { 1.0 } else { -1.0 };
            [0, 1, 2].map(|k| own.center[k] + (0..3).map(|i| side(i) * own.axes[i][k]).sum::<f64>())
        };
        (0..8).map(corner).collect()
    }

    /// What was compared and left out shares no point: boxes that are apart have triangles that are.
    fn check_boxes(&self, meeting: &BTreeMap<[u32; 2], Contact>) -> usize {
        let mut left_out = 0;
        let mut open = BTreeSet::new();
        for step in &self.steps {
            match step {
                Step::Compared {
                    parts,
                    apart,
                    left_out: true,
                } => {
                    left_out += 1;
                    if let [Compared::Triangle(i), Compared::Triangle(j)] = *parts {
                        assert!(!meeting.contains_key(&[i, j]));
                    }
                    // Two corners are no nearer than the parts.
                    let [a, b] = [0, 1].map(|k| self.extent(k, parts[k]));
                    let nearest = a
                        .iter()
                        .flat_map(|p| b.iter().map(move |q| distance(*p, *q)));
                    let nearest = nearest.fold(f64::INFINITY, f64::min);
                    assert!(0.0 <= *apart && *apart <= nearest * (1.0 + 1e-5) + 1e-5);
                    assert!(nearest > 0.0);
                }
                Step::Compared { parts, .. } => {
                    open.insert(*parts);
                }
                Step::Triangles {
                    triangles: [i, j], ..
                } => {
                    let parts = [Compared::Triangle(*i), Compared::Triangle(*j)];
                    assert!(open.contains(&parts), "asked without being compared");
                }
                Step::Cell(_) | Step::Shell { .. } => {}
            }
        }
        left_out
    }

    /// Pairs of triangles are told as they are, each once, and all that meet.
    fn check_triangles(&self, meeting: &BTreeMap<[u32; 2], Contact>) {
        let mut told = BTreeSet::new();
        for step in &self.steps {
            if let Step::Triangles {
                triangles, contact, ..
            } = step
            {
                assert!(told.insert(*triangles), "asked twice");
                assert_eq!(contact.as_ref(), meeting.get(triangles));
            }
        }
        // An overlap that is decided ends the search.
        if self.relation != Relation::Overlapping {
            assert!(meeting.keys().all(|pair| told.contains(pair)));
        }
    }

    /// What a cell's cones and directions say is what the cells of both bodies say a little way off.
    fn check_cell(&self, cell: &ContactCell, random: &mut Rng) {
        let off = |direction: [f64; 3]| [0, 1, 2].map(|k| cell.point[k] + direction[k] / 64.0);
        for body in 0..2 {
            for _ in 0..4 {
                let direction = [0; 3].map(|_| random.range(-1.0, 1.0));
                let truth = self.fills(body, off(direction));
                assert_eq!(cell.cones[body].contains(direction), truth, "{direction:?}");
            }
        }
        for learned in &cell.learned {
            let How::OnOne(body) = learned.how else {
                continue;
            };
            let at = off(learned.direction);
            assert_eq!(self.fills(body, at), None, "on the surface");
            let inside = self.fills(1 - body, at);
            assert_eq!(inside, Some(learned.facts.overlap));
            assert_eq!(inside, Some(!learned.facts.leaves[body]));
        }
        let facts = cell.facts.unwrap_or_default();
        let any = cell.learned.iter().any(|x| x.facts.overlap);
        assert_eq!(any, facts.overlap, "facts are those of the directions");
    }
}

fn distance(p: [f64; 3], q: [f64; 3]) -> f64 {
    (0..3).map(|k| (p[k] - q[k]).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn a_watched_relation_is_the_same_and_its_steps_agree_with_the_cells() {
    let mut random = Rng::of_case(23, "trace", 3, 0);
    let (mut left_out, mut cells, mut deciding) = (0, 0, BTreeMap::new());
    for case in 0..200 {
        let Some(pair) = Pair::random(&mut random, case % 2 == 0) else {
            continue;
        };
        let meeting = pair.meeting();
        left_out += pair.check_boxes(&meeting);
        pair.check_triangles(&meeting);
        let mut by = Vec::new();
        for step in &pair.steps {
            match step {
                Step::Cell(cell) => {
                    // Cones are whole where they were compared.
                    if pair.is_plain && cell.facts.is_some() {
                        cells += 1;
                        pair.check_cell(cell, &mut random);
                    }
                    by.extend(cell.decides.then_some("cones"));
                }
                Step::Triangles { decides: true, .. } => by.push("triangles"),
                Step::Shell { decides: true, .. } => by.push("shells"),
                _ => {}
            }
        }
        let overlap = !matches!(pair.relation, Relation::Separated | Relation::Touching);
        assert_eq!(by.len(), usize::from(overlap), "{case}: {by:?}");
        for way in by {
            *deciding.entry(way).or_insert(0) += 1;
        }
    }
    assert!(left_out > 1000 && cells > 100, "{left_out} {cells}");
    // No edge of aligned cells passes through a face of others.
    let count = |way: &str| deciding.get(way).copied().unwrap_or(0);
    assert!(count("cones") > 5 && count("triangles") > 5, "{deciding:?}");
}
