//! Many states at once: which pairs of bodies are proved separated in which state, before anything is reported.
//!
//! Where it sits: `lib.rs` asks it for the states of a robot, and the joint ranges of `gjk-motion` for random ones. Read
//! [`ScreenRun::left`].
//! Idea: a planner asks one bit a state. Balls around the parts leave few pairs, the faces of boxes around them fewer; what is left
//! of a block of states is one batch between the parts' hulls. Where that is left over too, a part that is not convex has a core
//! (`inner_core.rs`), a convex body inside of it: where two cores overlap the parts do, and no triangle is looked at.
//! docs/states.md says what each part costs.
//! Numbers: balls and boxes separate by more than `SCREEN_SLACK` of all sizes and coordinates that take part. What is left is
//! decided by the one code that reports: what the screen says is a proof, or nothing.

pub use crate::inner_core::InnerCores;
use crate::inner_core::V3;
use crate::pairs::Pairs;
use crate::parts::{Anchor, Body, Part};
use gjk::math::Vector;
use gjk::query::Verdict;
use gjk::shape::Shape;
use gjk::{NO_ID, Pose3, Posed, Support};
#[cfg(feature = "parallel")]
use gjk_batch::{Options, Pair, Poses, Shapes, World, classify_into};
use gjk_query::convert;
use gjk_scene::Affine;
use std::ops::Range;
use std::sync::Arc;

/// Balls and boxes separate by this part of the sizes and coordinates at least. A product of two maps and what follows from it are
/// off by less than a hundred roundings, `2⁻⁴⁶`; the rest is room.
const SCREEN_SLACK: f64 = 1.0 / (1u64 << 40) as f64;

/// Places beyond this are left to the code that names them.
const SCREEN_RANGE: f64 = 1e100;

/// So many states are a block: their poses stay in the cache, and lanes are seldom empty.
pub const SCREEN_BLOCK: usize = 256;

/// A pair of parts that is not proved separated in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screened {
    /// The state, counted from the first one of the run.
    pub state: usize,
    /// The bodies, the lower index first.
    pub bodies: (usize, usize),
    /// What their hulls are to each other.
    pub hulls: Verdict,
    parts: [u32; 2],
}

/// A part as the screen sees it.
struct ScreenPart<'a> {
    part: &'a Part,
    /// Its body, and which part of it.
    place: (usize, usize),
    /// From the part's frame to its link's; `None` where the two are one.
    in_anchor: Option<Affine>,
    /// A box around the shape in the part's frame.
    center: [f64; 3],
    half: [f64; 3],
    /// How far the box reaches along each of its edges' directions, as the part's pose has them, and how long these are: a link only turns
    /// them.
    extent: [f64; 3],
    length: [f64; 3],
    /// A ball around it about the box's middle.
    reach: f64,
    /// What takes part in roundings: the reach, and how far the box is from the part's origin.
    size: f64,
}

/// Two parts to look at.
#[derive(Clone, Copy)]
struct PartPair {
    parts: [u32; 2],
    bodies: (usize, usize),
}

/// The pairs of some bodies, ready for any number of states.
pub struct StateScreen<'a> {
    parts: Vec<ScreenPart<'a>>,
    pairs: Vec<PartPair>,
    /// By pair of bodies, in the order in which they were given, its pairs of parts.
    of_pair: Vec<Range<usize>>,
    cores: Arc<InnerCores>,
    #[cfg(feature = "parallel")]
    shapes: Shapes<V3>,
}

/// The verdicts of hulls, and what it takes to ask many at once.
#[derive(Default)]
struct HullBatch {
    verdicts: Vec<Verdict>,
    #[cfg(feature = "parallel")]
    poses: Poses<V3>,
    #[cfg(feature = "parallel")]
    pairs: Vec<Pair>,
    /// By placed part, its pose in the batch.
    #[cfg(feature = "parallel")]
    posed: Vec<Option<u32>>,
}

/// A part in a state.
#[derive(Clone, Copy)]
struct PlacedPart {
    map: Affine,
    center: [f64; 3],
    /// What the part's sizes and coordinates add to the slack of a pair.
    slack: f64,
}

/// The parts of a screen in one state.
#[derive(Default)]
pub struct PlacedParts {
    parts: Vec<PlacedPart>,
}

/// A pair of parts in a state whose hulls are asked.
struct NearPair {
    state: u32,
    pair: u32,
    /// Where the parts' maps are in the block.
    at: [u32; 2],
}

/// A run of a screen over states, and the memory that it uses again.
pub struct ScreenRun<'s, 'a> {
    screen: &'s StateScreen<'a>,
    placed: Vec<PlacedPart>,
    near: Vec<NearPair>,
    batch: HullBatch,
    left: Vec<Screened>,
}

impl ScreenRun<'_, '_> {
    /// The pairs of parts that are not proved separated, by state and then in the order of the pairs.
    ///
    /// `links` has where the links stand, `stride` of them a state. [`SCREEN_BLOCK`] states at a time are quickest.
    pub fn left(&mut self, links: &[Affine], stride: usize) -> &[Screened] {
        let Self {
            screen,
            placed,
            near,
            batch,
            left,
        } = self;
        placed.clear();
        near.clear();
        left.clear();
        for (state, links) in links.chunks_exact(stride.max(1)).enumerate() {
            let from = placed.len();
            placed.extend(screen.parts.iter().map(|part| part.placed(links)));
            screen.near_pairs(state as u32, from, placed, near);
        }
        screen.ask_hulls(placed, near, batch);
        for (near, &hulls) in near.iter().zip(&batch.verdicts) {
            let is_in_range = near.at.iter().all(|&at| placed[at as usize].is_in_range());
            let hulls = if is_in_range {
                hulls
            } else {
                Verdict::Undecided
            };
            if hulls != Verdict::Separated {
                let PartPair { parts, bodies } = screen.pairs[near.pair as usize];
                left.push(Screened {
                    state: near.state as usize,
                    bodies,
                    hulls,
                    parts,
                });
            }
        }
        left
    }
}

impl<'a> StateScreen<'a> {
    /// The screen of all pairs of these bodies that are checked.
    ///
    /// `None` where a part has a pose that no link makes valid, which is for the code to name that places it.
    pub fn new(bodies: &'a [Body], pairs: &Pairs) -> Option<Self> {
        let cores = Arc::new(InnerCores::new(bodies));
        Self::of_pairs(bodies, pairs, &pairs.all(bodies.len()), &cores)
    }

    /// The screen of these pairs alone, with the cores that others may have found.
    pub fn of_pairs(
        bodies: &'a [Body],
        rules: &Pairs,
        pairs: &[(usize, usize)],
        cores: &Arc<InnerCores>,
    ) -> Option<Self> {
        let mut parts = Vec::new();
        let mut first = vec![None; bodies.len()];
        for &(a, b) in pairs {
            for body in [a, b] {
                if first[body].is_none() {
                    first[body] = Some(parts.len());
                    for (index, part) in bodies[body].parts.iter().enumerate() {
                        parts.push(ScreenPart::new(part, (body, index))?);
                    }
                }
            }
        }
        let of = |body: usize| {
            let from = first[body].unwrap_or(0);
            from..from + bodies[body].parts.len()
        };
        let mut list = Vec::new();
        let mut of_pair = Vec::with_capacity(pairs.len());
        for &(a, b) in pairs {
            let from = list.len();
            for i in of(a) {
                for j in of(b) {
                    let scene = [i, j].map(|k| parts[k].part.scene_body);
                    if !rules.is_skipped_in_scene(scene[0], scene[1]) {
                        list.push(PartPair {
                            parts: [i as u32, j as u32],
                            bodies: (a, b),
                        });
                    }
                }
            }
            of_pair.push(from..list.len());
        }
        #[cfg(feature = "parallel")]
        let shapes = parts
            .iter()
            .map(|part| (*part.part.shape).clone())
            .collect();
        Some(Self {
            parts,
            pairs: list,
            of_pair,
            cores: cores.clone(),
            #[cfg(feature = "parallel")]
            shapes,
        })
    }

    /// A run over states; each thread has its own.
    pub fn run(&self) -> ScreenRun<'_, 'a> {
        ScreenRun {
            screen: self,
            placed: Vec::new(),
            near: Vec::new(),
            batch: HullBatch::default(),
            left: Vec::new(),
        }
    }

    /// Places the parts in one state.
    pub fn place(&self, links: &[Affine], placed: &mut PlacedParts) {
        placed.parts.clear();
        let parts = self.parts.iter().map(|part| part.placed(links));
        placed.parts.extend(parts);
    }

    /// Whether balls or boxes prove that the bodies of a pair are farther apart than a margin. `pair` is its place among those that
    /// the screen was made of.
    pub fn is_apart(&self, pair: usize, placed: &PlacedParts, margin: f64) -> bool {
        let mut parts = self.pairs[self.of_pair[pair].clone()].iter();
        parts.all(|pair| self.parts_are_apart(pair.parts, &placed.parts, margin))
    }

    /// [`StateScreen::is_apart`] of a pair alone, where the links stand so.
    pub fn is_pair_apart(&self, pair: usize, links: &[Affine], margin: f64) -> bool {
        let mut parts = self.pairs[self.of_pair[pair].clone()].iter();
        parts.all(|pair| {
            let [i, j] = pair.parts.map(|part| &self.parts[part as usize]);
            are_apart([i, j], [&i.placed(links), &j.placed(links)], margin)
        })
    }

    /// [`StateScreen::is_apart`] of two parts.
    #[inline]
    fn parts_are_apart(&self, parts: [u32; 2], placed: &[PlacedPart], margin: f64) -> bool {
        let [i, j] = parts.map(|part| part as usize);
        let of = [&self.parts[i], &self.parts[j]];
        are_apart(of, [&placed[i], &placed[j]], margin)
    }

    /// The pairs of a state that neither balls nor boxes separate.
    fn near_pairs(&self, state: u32, from: usize, placed: &[PlacedPart], near: &mut Vec<NearPair>) {
        for (index, pair) in self.pairs.iter().enumerate() {
            if !self.parts_are_apart(pair.parts, &placed[from..], 0.0) {
                near.push(NearPair {
                    state,
                    pair: index as u32,
                    at: pair.parts.map(|part| from as u32 + part),
                });
            }
        }
    }

    /// What the hulls of near pairs are to each other, by a batch.
    #[cfg(feature = "parallel")]
    fn ask_hulls(&self, placed: &[PlacedPart], near: &[NearPair], batch: &mut HullBatch) {
        let HullBatch {
            verdicts,
            poses,
            pairs,
            posed,
        } = batch;
        pairs.clear();
        posed.clear();
        posed.resize(placed.len(), None);
        let mut count = 0;
        for pair in near {
            let parts = self.pairs[pair.pair as usize].parts;
            let bodies = [0, 1].map(|k| {
                let at = pair.at[k] as usize;
                let pose = *posed[at].get_or_insert_with(|| {
                    let pose = placed[at].pose();
                    // Slots of the block before are written again.
                    if !poses.set(count, pose) {
                        poses.push(pose);
                    }
                    count += 1;
                    count - 1
                });
                (parts[k], pose)
            });
            pairs.push(Pair::new(bodies[0], bodies[1]));
        }
        let world = World {
            shapes: &self.shapes,
            poses,
        };
        let options = Options {
            threads: Some(1),
            ..Options::default()
        };
        if classify_into(world, pairs, &options, verdicts).is_err() {
            verdicts.clear();
            verdicts.resize(near.len(), Verdict::Undecided);
        }
    }

    /// What the hulls of near pairs are to each other, one after the other.
    #[cfg(not(feature = "parallel"))]
    fn ask_hulls(&self, placed: &[PlacedPart], near: &[NearPair], batch: &mut HullBatch) {
        batch.verdicts.clear();
        batch.verdicts.extend(near.iter().map(|pair| {
            let [a, b] = pair.at.map(|at| placed[at as usize].pose());
            let parts = self.pairs[pair.pair as usize].parts;
            let [one, other] = parts.map(|part| &*self.parts[part as usize].part.shape);
            gjk::query::Pair::new(one, &a, other, &b)
                .intersects()
                .verdict
        }));
    }

    /// The parts of a pair that was left.
    pub(crate) fn parts_of(&self, found: &Screened) -> [&'a Part; 2] {
        found.parts.map(|k| self.parts[k as usize].part)
    }

    /// Whether a pair of parts is proved to overlap in the state that it is of: its cores do, or the parts are convex.
    pub fn overlaps(&self, found: &Screened, links: &[Affine]) -> bool {
        let [a, b] = found.parts.map(|k| &self.parts[k as usize]);
        if found.hulls != Verdict::Overlapping {
            return false;
        }
        if a.part.is_convex() && b.part.is_convex() {
            return true;
        }
        let core = |of: &ScreenPart<'a>| self.cores.of(of.place, of.part);
        let (Some(core_a), Some(core_b)) = (core(a), core(b)) else {
            return false;
        };
        core_a.overlaps(&a.part.pose(links), core_b, &b.part.pose(links))
    }
}

impl PlacedPart {
    /// False also where something is not a number.
    fn is_in_range(&self) -> bool {
        self.slack < SCREEN_RANGE
    }

    /// Its pose; any, where it is beyond the range of numbers.
    fn pose(&self) -> Pose3<f64> {
        if self.is_in_range() {
            convert::affine(&self.map)
        } else {
            Pose3::identity()
        }
    }
}

impl<'a> ScreenPart<'a> {
    fn new(part: &'a Part, place: (usize, usize)) -> Option<Self> {
        let fixed = match part.anchor {
            Anchor::World(pose) => pose,
            Anchor::Link(_) => part.in_anchor,
        };
        let pose: Pose3<f64> = convert::affine(&fixed);
        if !pose.is_valid() {
            return None;
        }
        let shape: &Shape<V3> = &part.shape;
        let body = Posed::new(shape, Pose3::identity());
        let radius = body.radius();
        let end = |k: usize, sign: f64| {
            let top = body.support(V3::axis(k) * sign, NO_ID).point.component(k);
            top + sign * radius
        };
        let ends = [0, 1, 2].map(|k| [end(k, -1.0), end(k, 1.0)]);
        let center = ends.map(|[low, high]| 0.5 * (low + high));
        let half = ends.map(|[low, high]| 0.5 * (high - low));
        let corner = V3::from_f64(half).norm();
        let vertices = body.vertex_count().map(|count| {
            let vertices = (0..count).filter_map(|id| Support::<V3>::vertex(&body, id));
            let reach = vertices.map(|vertex| (vertex - V3::from_f64(center)).norm());
            reach.fold(0.0, f64::max) + radius
        });
        let column = |k: usize| V3::from_fn(|row| fixed.linear[row][k]);
        let edges = [0, 1, 2].map(column);
        let extent = edges.map(|edge| {
            let along = edges.iter().zip(half);
            along
                .map(|(other, half)| half * edge.dot(*other).abs())
                .sum()
        });
        let longest = longest(&fixed, &pose);
        let reach = vertices.unwrap_or(corner).min(corner) * longest;
        let size = reach + V3::from_f64(center).norm() * longest;
        Some(Self {
            part,
            place,
            in_anchor: Some(part.in_anchor).filter(|pose| *pose != Affine::IDENTITY),
            center,
            half,
            extent,
            length: edges.map(V3::norm),
            reach,
            size,
        })
    }

    #[inline]
    fn placed(&self, links: &[Affine]) -> PlacedPart {
        let map = match (self.part.anchor, &self.in_anchor) {
            (Anchor::World(pose), _) => pose,
            (Anchor::Link(link), None) => links[link],
            (Anchor::Link(link), Some(in_anchor)) => links[link].compose(in_anchor),
        };
        let center = map.apply(self.center);
        let [x, y, z] = map.translation;
        PlacedPart {
            map,
            center,
            slack: SCREEN_SLACK * (self.size + x.abs() + y.abs() + z.abs()),
        }
    }
}

/// An upper bound of how much a map lengthens.
fn longest(map: &Affine, pose: &Pose3<f64>) -> f64 {
    let squares = map.linear.as_flattened().iter().map(|x| x * x);
    // Of a map that scales all lengths alike all columns are as long, up to the skew.
    match pose.uniform_scale() {
        Some(scale) => scale * (1.0 + 2.0 * pose.skew()),
        None => squares.sum::<f64>().sqrt(),
    }
}

/// Whether balls or boxes prove two parts farther apart than a margin.
#[inline]
fn are_apart([a, b]: [&ScreenPart<'_>; 2], [one, other]: [&PlacedPart; 2], margin: f64) -> bool {
    let slack = one.slack + other.slack;
    let (from, to) = (&one.center, &other.center);
    let between = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
    let [x, y, z] = between;
    let reach = a.reach + b.reach + slack + margin;
    let square = x * x + y * y + z * z;
    // No face separates by more than the middles are apart.
    let is_apart = square > reach * reach
        || square > margin * margin
            && is_apart_by_face([a, b], [one, other], between, (slack, margin));
    is_apart && one.is_in_range() && other.is_in_range()
}

/// Whether a face of one of the boxes separates them, which are `between` apart from middle to middle.
#[inline]
fn is_apart_by_face(
    [a, b]: [&ScreenPart<'_>; 2],
    [one, other]: [&PlacedPart; 2],
    between: [f64; 3],
    (slack, margin): (f64, f64),
) -> bool {
    // An edge's direction; where the pose does not shear it is the face's normal. No `map`, which is not inlined here.
    let (p, q) = (&one.map.linear, &other.map.linear);
    let column = |m: &[[f64; 3]; 3], k: usize| [m[0][k], m[1][k], m[2][k]];
    let along = |[x, y, z]: [f64; 3], [a, b, c]: [f64; 3]| x * a + y * b + z * c;
    // The edges of one box along those of the other.
    let mut turned = [[0.0; 3]; 3];
    for (k, row) in turned.iter_mut().enumerate() {
        for (j, entry) in row.iter_mut().enumerate() {
            *entry = along(column(p, k), column(q, j)).abs();
        }
    }
    let beyond = slack + margin;
    for k in 0..3 {
        let height = along(column(p, k), between).abs();
        if height - a.extent[k] - along(turned[k], b.half) > beyond * a.length[k] {
            return true;
        }
        let height = along(column(q, k), between).abs();
        if height - b.extent[k] - along(column(&turned, k), a.half) > beyond * b.length[k] {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests;
