//! Frames of a query of two meshes: the trees level by level, the triangles that were asked, the points where features meet with the cones
//! there, the shells that were asked by rays, and the answer.

use super::{cones, words};
use crate::draw::{Figure, Frame, Item};
use gjk::{Pose3, Vec3, Vector};
use gjk_mesh::trace::{Compared, ContactCell, Step, TreeBox};
use gjk_mesh::{Contact, PosedBody, RelationAnswer};
use gjk_scene::counted;
use std::collections::{BTreeMap, BTreeSet};

/// Boxes of a level that are drawn, of each body.
const BOXES_DRAWN: usize = 600;
/// Frames of pairs of triangles, and of points where features meet. What decides is among them.
const PAIRS_SHOWN: usize = 40;
const CELLS_SHOWN: usize = 10;
/// Lines that list what is not drawn alone.
const LINES: usize = 12;
/// The bodies' layers of boxes, of boxes that are left out, of triangles that were asked, and of those that are shown.
const BOXES: [&str; 2] = ["box_a", "box_b"];
const LEFT_OUT: [&str; 2] = ["box_out_a", "box_out_b"];
const ASKED: [&str; 2] = ["asked_a", "asked_b"];
const SHOWN: [&str; 2] = ["triangle_a", "triangle_b"];

/// A query and what it did.
pub(super) struct Story<'s> {
    pub(super) placed: &'s [PosedBody<'s>; 2],
    pub(super) names: [&'s str; 2],
    pub(super) answer: &'s RelationAnswer,
    pub(super) steps: &'s [Step],
    pub(super) boxes: &'s [Vec<TreeBox>; 2],
    /// The pose of the frame in which steps are told; `None` for the world.
    pub(super) frame: Option<&'s Pose3<f64>>,
}

impl Story<'_> {
    /// All frames, in order; the last is the answer.
    pub(super) fn frames(&self) -> Vec<Frame> {
        let mut frames = self.levels();
        frames.push(self.asked());
        frames.extend(self.pairs());
        frames.extend(self.cells());
        frames.extend(self.shells());
        frames.push(self.last());
        frames
    }

    fn point(&self, at: [f64; 3]) -> Vec<f64> {
        let [x, y, z] = at;
        self.frame
            .map_or(at, |pose| pose.point(Vec3::new(x, y, z)).to_f64())
            .to_vec()
    }

    /// Triangles of a body where it is.
    fn triangles(&self, body: usize, triangles: impl Iterator<Item = u32>) -> Figure {
        let (mesh, pose) = (self.placed[body].body().mesh(), self.placed[body].pose());
        let (mut points, mut faces) = (Vec::new(), Vec::new());
        for triangle in triangles {
            let from = points.len() as u32;
            faces.push(vec![from, from + 1, from + 2]);
            points.extend(mesh.triangles()[triangle as usize].map(|v| {
                let [x, y, z] = mesh.vertices()[v as usize];
                pose.point(Vec3::new(x, y, z)).to_f64().to_vec()
            }));
        }
        Figure::Mesh { points, faces }
    }

    fn both(&self, layers: [&'static str; 2], triangles: [u32; 2]) -> Vec<Item> {
        let of = |k: usize| {
            let figure = self.triangles(k, [triangles[k]].into_iter());
            Item::world(layers[k], figure)
        };
        vec![of(0), of(1)]
    }

    /// A triangle by the number that it has in its file.
    fn named(&self, body: usize, triangle: u32) -> u32 {
        self.placed[body].body().mesh().source(triangle)
    }

    // The trees.

    fn levels(&self) -> Vec<Frame> {
        let of_box = self.boxes.each_ref().map(|boxes| {
            let levels = boxes.iter().map(|x| (x.number, x.level));
            levels.collect::<BTreeMap<u32, u32>>()
        });
        // Of each box: whether a pair with it was not left out.
        let mut seen: [BTreeMap<u32, bool>; 2] = Default::default();
        let mut counts: BTreeMap<u32, [usize; 2]> = BTreeMap::new();
        for step in self.steps {
            let Step::Compared {
                parts, left_out, ..
            } = step
            else {
                continue;
            };
            let mut level = 0;
            for k in 0..2 {
                if let Compared::Box(number) = parts[k] {
                    *seen[k].entry(number).or_default() |= !left_out;
                    level = level.max(of_box[k].get(&number).copied().unwrap_or(0));
                }
            }
            if parts.iter().any(|part| matches!(part, Compared::Box(_))) {
                let count = counts.entry(level).or_default();
                count[0] += 1;
                count[1] += usize::from(*left_out);
            }
        }
        let frames = counts.iter();
        frames
            .map(|(&level, &[compared, left_out])| self.level(level, compared, left_out, &seen))
            .collect()
    }

    fn level(
        &self,
        level: u32,
        compared: usize,
        left_out: usize,
        seen: &[BTreeMap<u32, bool>; 2],
    ) -> Frame {
        let (mut items, mut lines) = (Vec::new(), Vec::new());
        for k in 0..2 {
            let of_level = self.boxes[k].iter().filter(|x| x.level == level);
            let (mut open, mut out, mut never) = (Vec::new(), Vec::new(), 0);
            for own in of_level {
                match seen[k].get(&own.number) {
                    Some(true) => open.push(own),
                    Some(false) => out.push(own),
                    None => never += 1,
                }
            }
            if open.len() + out.len() + never > 0 {
                lines.push(format!(
                    "{}: {} in question, {} left out, {never} not asked",
                    self.names[k],
                    counted(open.len(), "box", "boxes"),
                    out.len(),
                ));
            }
            for (layer, list) in [(BOXES[k], open), (LEFT_OUT[k], out)] {
                if !list.is_empty() {
                    items.push(Item::world(layer, self.frames_of(&list)));
                }
            }
        }
        lines.push(format!(
            "{} compared, {left_out} left out: so far apart that nothing in them meets",
            counted(compared, "pair", "pairs"),
        ));
        Frame {
            title: format!("Boxes of level {level}"),
            items,
            ..Frame::empty("boxes", lines)
        }
    }

    /// The edges of boxes.
    fn frames_of(&self, boxes: &[&TreeBox]) -> Figure {
        let (mut points, mut edges) = (Vec::new(), Vec::new());
        for own in boxes.iter().take(BOXES_DRAWN) {
            let from = points.len() as u32;
            for corner in 0..8_u32 {
                let side = |i: usize| if corner >> i & 1 == 1 { 1.0 } else { -1.0 };
                let at = [0, 1, 2].map(|k| {
                    let reach = (0..3).map(|i| side(i) * own.axes[i][k]);
                    own.center[k] + reach.sum::<f64>()
                });
                points.push(self.point(at));
                let further = (0..3).map(|i| corner ^ (1 << i)).filter(|&x| x > corner);
                edges.extend(further.map(|x| [from + corner, from + x]));
            }
        }
        Figure::Edges { points, edges }
    }

    // The triangles.

    /// All pairs of triangles that no box told apart.
    fn asked(&self) -> Frame {
        let mut asked: [BTreeSet<u32>; 2] = Default::default();
        let (mut pairs, mut meet) = (0, 0);
        let mut lines = Vec::new();
        for step in self.steps {
            let Step::Triangles {
                triangles, contact, ..
            } = step
            else {
                continue;
            };
            for k in 0..2 {
                asked[k].insert(triangles[k]);
            }
            pairs += 1;
            meet += usize::from(contact.is_some());
            if pairs <= LINES {
                let [i, j] = [0, 1].map(|k| self.named(k, triangles[k]));
                let told = contact.map_or("share no point", words::contact);
                lines.push(format!("A's {i} and B's {j} {told}"));
            }
        }
        if pairs > LINES {
            lines.push(format!("… and {} more", pairs - LINES));
        }
        if pairs == 0 {
            lines.push("Boxes tell all triangles apart.".to_owned());
        }
        let items = (0..2).filter(|&k| !asked[k].is_empty());
        let items =
            items.map(|k| Item::world(ASKED[k], self.triangles(k, asked[k].iter().copied())));
        let pairs = counted(pairs, "pair of triangles asked", "pairs of triangles asked");
        Frame {
            items: items.collect(),
            title: format!("{pairs}, {meet} meet"),
            ..Frame::empty("triangles", lines)
        }
    }

    /// Pairs of triangles that meet.
    fn pairs(&self) -> Vec<Frame> {
        let mut frames = Vec::new();
        for step in self.steps {
            let Step::Triangles {
                triangles,
                contact: Some(contact),
                decides,
            } = step
            else {
                continue;
            };
            if frames.len() < PAIRS_SHOWN || *decides {
                frames.push(self.pair(*triangles, *contact, *decides));
            }
        }
        frames
    }

    fn pair(&self, triangles: [u32; 2], contact: Contact, decides: bool) -> Frame {
        let [i, j] = [0, 1].map(|k| self.named(k, triangles[k]));
        let mut lines = vec![format!("They {}.", words::contact(contact))];
        if decides {
            lines.push("So the bodies overlap, or cross: no cone has to be asked.".to_owned());
        } else if contact != Contact::Crossing {
            lines.push("Which of the two bodies goes where is asked at their corners.".to_owned());
        }
        Frame {
            items: self.both(SHOWN, triangles),
            title: format!("A's triangle {i} and B's {j}"),
            ..Frame::empty("triangles", lines)
        }
    }

    // The points at which features meet.

    fn cells(&self) -> Vec<Frame> {
        let cells = self.steps.iter().filter_map(|step| match step {
            Step::Cell(cell) if cell.facts.is_some() => Some(cell),
            _ => None,
        });
        let mut frames = Vec::new();
        for (number, cell) in (1..).zip(cells) {
            if frames.len() < CELLS_SHOWN || cell.decides {
                frames.push(self.cell(number, cell));
            }
        }
        frames
    }

    fn cell(&self, number: usize, cell: &ContactCell) -> Frame {
        let [a, b] = cell.features.map(words::feature);
        let mut counts: Vec<(String, usize)> = Vec::new();
        for learned in &cell.learned {
            let facts = words::facts(&learned.facts);
            if facts.is_empty() {
                continue;
            }
            let told = format!("{}: {facts}", words::how(learned.how));
            match counts.iter_mut().find(|known| known.0 == told) {
                Some(known) => known.1 += 1,
                None => counts.push((told, 1)),
            }
        }
        let line = |(told, count): &(String, usize)| {
            format!("{} {told}", counted(*count, "direction", "directions"))
        };
        let mut lines: Vec<String> = counts.iter().map(line).collect();
        let known = cell.facts.as_ref().map(words::facts).unwrap_or_default();
        lines.push(if known.is_empty() {
            "Nothing of either goes into the other or leaves it here.".to_owned()
        } else {
            format!("Here {known}.")
        });
        Frame {
            title: format!("Contact {number}: {a} of A on {b} of B"),
            items: self.cell_items(cell),
            ..Frame::empty("cones", lines)
        }
    }

    fn cell_items(&self, cell: &ContactCell) -> Vec<Item> {
        let around = |k: usize| {
            let figure = self.triangles(k, cell.triangles[k].iter().copied());
            Item::world(SHOWN[k], figure)
        };
        let at = self.point(cell.point);
        let mut items = vec![around(0), around(1)];
        items.push(Item::world(
            "cell",
            Figure::Dots {
                points: vec![at.clone()],
            },
        ));
        if let Some(learned) = cones::telling(cell) {
            items.push(Item::world(
                "common",
                Figure::Arrow {
                    from: at,
                    direction: cones::in_world(learned.direction, self.frame),
                },
            ));
        }
        items.extend(cones::items(cell, self.frame));
        items
    }

    // The shells that meet nothing.

    fn shells(&self) -> Vec<Frame> {
        let mut frames = Vec::new();
        for step in self.steps {
            let Step::Shell {
                body,
                shell,
                point,
                inside,
                ..
            } = step
            else {
                continue;
            };
            if frames.len() == CELLS_SHOWN {
                break;
            }
            let [mine, other] = [self.names[*body], self.names[1 - body]];
            let told = match inside {
                Some(true) => format!("is inside of {other}, so all of the shell is"),
                Some(false) => format!("is outside of {other}, so all of the shell is"),
                None => "cannot be told: no ray avoids all edges".to_owned(),
            };
            let lines = vec![
                format!("It meets nothing of this piece of {other}."),
                format!("A point of it, asked by a ray, {told}."),
            ];
            let points = vec![self.point(*point)];
            frames.push(Frame {
                title: format!("Shell {shell} of {mine}"),
                items: vec![Item::world("cell", Figure::Dots { points })],
                ..Frame::empty("shells", lines)
            });
        }
        frames
    }

    /// The answer with what decided it.
    fn last(&self) -> Frame {
        let mut items = Vec::new();
        let deciding = self.steps.iter().find_map(|step| match step {
            Step::Cell(cell) if cell.decides => Some(self.cell_items(cell)),
            Step::Triangles {
                triangles,
                decides: true,
                ..
            } => Some(self.both(SHOWN, *triangles)),
            _ => None,
        });
        // Of bodies that touch, a point at which they do.
        let touching = || {
            self.steps.iter().find_map(|step| match step {
                Step::Cell(cell) if cell.facts.is_some() => Some(self.cell_items(cell)),
                _ => None,
            })
        };
        items.extend(deciding.or_else(touching).unwrap_or_default());
        let mut lines = vec![words::sentence(self.answer, self.steps)];
        if let Some(contact) = &self.answer.contact {
            let points = vec![contact.point.to_vec()];
            items.push(Item::world("cell", Figure::Dots { points }));
            if let Some(normal) = contact.normal {
                items.push(Item::world(
                    "normal",
                    Figure::Arrow {
                        from: contact.point.to_vec(),
                        direction: normal.to_vec(),
                    },
                ));
            }
            let [a, b] = contact.features.map(words::feature);
            let [i, j] = contact.triangles;
            lines.push(format!(
                "The answer names {a} of A's triangle {i} and {b} of B's triangle {j}."
            ));
        }
        if self.answer.flush {
            lines.push("Both have one pose: they are compared in their own frame.".to_owned());
        }
        Frame {
            title: format!("Answer: {}", words::relation(self.answer.relation)),
            items,
            ..Frame::empty("answer", lines)
        }
    }
}
