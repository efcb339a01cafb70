//! The trace: what the query for a relation did, step by step.
//!
//! Where it sits: [`PosedBody::relation_observed`] takes `&mut impl Observe`. `()` observes nothing and compiles to nothing;
//! [`Recorder`] keeps every step. There is one descent and one comparison of cones, observed or not, and the answer is the same.
//! Frame: the one in which the bodies are compared: the world's, or their own where they have one pose (`flush`).

use crate::boxes::{Below, BoxTree};
use crate::cells::Containing;
pub use crate::cone::Facts;
use crate::cone::{Star, Told};
use crate::pairs::{self, Trees};
use crate::signs::{Point, Span};
use crate::vector::{cross, dot, minus};
use crate::{Contact, Feature, PosedBody};
use gjk::{Vec3, Vector};

/// Receives the steps of a query.
pub trait Observe {
    /// True when steps should be built at all.
    const ENABLED: bool = true;
    /// Called once a step.
    fn observe(&mut self, step: Step);
}

/// Observes nothing, at no cost.
impl Observe for () {
    const ENABLED: bool = false;
    fn observe(&mut self, _: Step) {}
}

/// Keeps every step.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    /// In their order.
    pub steps: Vec<Step>,
}

impl Observe for Recorder {
    fn observe(&mut self, step: Step) {
        self.steps.push(step);
    }
}

/// What the descent compares: a box of a tree, by its number in [`PosedBody::boxes`], or a triangle, by that of the mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Compared {
    /// All that is in a box.
    Box(u32),
    /// One triangle.
    Triangle(u32),
}

/// One step of a query. Triangles are numbered as [`crate::TriMesh::triangles`] has them.
#[derive(Clone, Debug)]
pub enum Step {
    /// The descent compared two parts, of the first and of the second body.
    Compared {
        /// Which.
        parts: [Compared; 2],
        /// Proved: they are no nearer than this.
        apart: f64,
        /// So they share no point, and nothing below them is asked.
        left_out: bool,
    },
    /// Two triangles were asked by exact signs.
    Triangles {
        /// Which.
        triangles: [u32; 2],
        /// How they meet.
        contact: Option<Contact>,
        /// That two solids, or a surface and another body, overlap or cross was first known here.
        decides: bool,
    },
    /// A point at which features of both bodies meet.
    Cell(Box<ContactCell>),
    /// A shell of one body that does not meet a piece of the other: a point of it was asked.
    Shell {
        /// Of which body, 0 or 1.
        body: usize,
        /// Its number in the mesh.
        shell: u32,
        /// The piece of the other body.
        piece: u32,
        /// The point.
        point: [f64; 3],
        /// Whether the point is inside of that piece; `None` where no ray tells.
        inside: Option<bool>,
        /// As of triangles.
        decides: bool,
    },
}

/// A point at which features meet, and the two bodies near it.
#[derive(Clone, Debug)]
pub struct ContactCell {
    /// The point, to the rounding of its coordinates.
    pub point: [f64; 3],
    /// The triangles of each body that contain it.
    pub triangles: [Vec<u32>; 2],
    /// Where on the first triangle of each it is.
    pub features: [Feature; 2],
    /// The pieces near the point; whole where `facts` are known, for what is decided is not collected any more.
    pub cones: [Cone; 2],
    /// What was learned by comparing them; `None` where that was not asked any more.
    pub facts: Option<Facts>,
    /// Of which directions.
    pub learned: Vec<Learned>,
    /// As of triangles.
    pub decides: bool,
}

/// What the comparison of two cones told.
#[derive(Default)]
pub(crate) struct CellFacts {
    pub(crate) facts: Facts,
    pub(crate) learned: Vec<(Told, Facts)>,
    pub(crate) decides: bool,
}

impl ContactCell {
    pub(crate) fn new(
        containing: &Containing,
        point: Point,
        stars: [Star; 2],
        told: Option<CellFacts>,
    ) -> Self {
        let facts = told.as_ref().map(|told| told.facts);
        let told = told.unwrap_or_default();
        Self {
            point,
            triangles: [0, 1].map(|k| containing[k].iter().map(|x| x.0).collect()),
            features: [0, 1].map(|k| Feature::of(containing[k][0].1)),
            cones: stars.map(Cone),
            facts,
            learned: told.learned.into_iter().map(Learned::new).collect(),
            decides: told.decides,
        }
    }
}

/// A body near one of its points, as directions from there.
#[derive(Clone, Debug)]
pub struct Cone(pub(crate) Star);

impl Cone {
    /// The sectors of its surface, each between two directions of length 1, of less than half a turn.
    pub fn sectors(&self) -> impl Iterator<Item = [[f64; 3]; 2]> + '_ {
        self.0.sectors().map(|ends| ends.map(unit))
    }

    /// Whether a direction goes inside; `None` for a surface, and on the surface of a body.
    pub fn contains(&self, direction: [f64; 3]) -> Option<bool> {
        let direction = Span::of_coordinates(direction);
        let is_free = self.0.around(&direction).is_empty();
        is_free.then(|| self.0.contains(&direction)).flatten()
    }
}

/// What one direction from a point told of the cones there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Learned {
    /// Of length 1.
    pub direction: [f64; 3],
    /// Which direction it is.
    pub how: How,
    /// What follows.
    pub facts: Facts,
}

impl Learned {
    fn new((told, facts): (Told, Facts)) -> Self {
        let (direction, how) = match told {
            Told::OnOne(body, direction) => (unit(direction), How::OnOne(body)),
            Told::OnBoth(direction) => (unit(direction), How::OnBoth),
            Told::Crossing(arcs) => {
                let [n, m] = arcs.map(|ends| {
                    let [from, to] = ends.map(unit);
                    cross(from, to)
                });
                // Of the two directions in both planes the one within the arcs.
                let along = cross(n, m);
                let [from, to] = arcs[0].map(unit);
                let middle: Point = core::array::from_fn(|k| from[k] + to[k]);
                let sign = if dot(along, middle) < 0.0 { -1.0 } else { 1.0 };
                let to = Span::of_coordinates(along.map(|x| sign * x));
                (unit(to), How::Crossing)
            }
        };
        Self {
            direction,
            how,
            facts,
        }
    }
}

/// What a direction is to the surfaces of two cones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum How {
    /// Two sectors cross there.
    Crossing,
    /// It is on the surface of this body, and off the other's.
    OnOne(usize),
    /// It is on both.
    OnBoth,
}

/// A box of a tree: the points `center + Σ sᵢ axesᵢ` with `|sᵢ| ≤ 1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeBox {
    /// Its name in [`Compared::Box`].
    pub number: u32,
    /// How many boxes are around it.
    pub level: u32,
    /// The middle.
    pub center: [f64; 3],
    /// Half its sides.
    pub axes: [[f64; 3]; 3],
}

impl PosedBody<'_> {
    /// The boxes that a query of this body and another descends, of each, those with smaller levels first.
    ///
    /// # Complexity  O(n), and the building of the trees where no query was asked before.
    pub fn boxes(&self, other: &PosedBody<'_>) -> [Vec<TreeBox>; 2] {
        let flush = self.has_pose_of(other);
        let [a, b] = [self.in_place(flush), other.in_place(flush)];
        let own = gjk::Pose3::identity();
        let poses = pairs::poses([&a, &b], &own);
        let mut boxes = match pairs::trees([&a, &b]) {
            Trees::Wide(trees, _) => [0, 1].map(|k| {
                let mut boxes = trees[k].boxes();
                for own in &mut boxes {
                    let vector = |[x, y, z]: Point| Vec3::new(x, y, z);
                    let moved = poses[k].point(vector(own.center));
                    own.center = moved.to_f64();
                    own.axes = own.axes.map(|axis| poses[k].vector(vector(axis)).to_f64());
                }
                boxes
            }),
            Trees::AlongAxes(trees) => trees.map(along_axes),
        };
        for boxes in &mut boxes {
            boxes.sort_by_key(|x| (x.level, x.number));
        }
        boxes
    }
}

/// The boxes of a tree along the axes.
fn along_axes(tree: &BoxTree) -> Vec<TreeBox> {
    let (mut boxes, mut stack) = (Vec::new(), vec![(0, 0)]);
    while let Some((number, level)) = stack.pop() {
        let [low, high] = tree.bounds_of_node(number).corners();
        let mut axes = [[0.0; 3]; 3];
        for k in 0..3 {
            axes[k][k] = 0.5 * high[k] - 0.5 * low[k];
        }
        boxes.push(TreeBox {
            number,
            level,
            center: core::array::from_fn(|k| 0.5 * low[k] + 0.5 * high[k]),
            axes,
        });
        if let Below::Nodes(children) = tree.below(number) {
            stack.extend(children.map(|child| (child, level + 1)));
        }
    }
    boxes
}

/// A direction of length 1, or none of a length that floats do not have.
pub(crate) fn unit(span: Span) -> Point {
    let [from, to] = span.ends();
    let apart = minus(to, from);
    let size = apart.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let scaled = apart.map(|x| x / size);
    let length = dot(scaled, scaled).sqrt();
    scaled.map(|x| x / length)
}
