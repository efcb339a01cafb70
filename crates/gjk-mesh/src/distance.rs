//! The distance of two surfaces, the nearest pairs of their triangles, and whether they are nearer than so much.
//!
//! Idea: boxes that are farther apart than what was found so far hold nothing nearer. The nearer children are entered first. Two
//! triangles are measured in floats, with an interval (`triangles/apart.rs`); the few that floats cannot tell, and the nearest one, are two convex
//! bodies, for which the library answers with a proved interval.
//! Numbers: what boxes leave out is proved to be farther away (`bvh/`, `boxes.rs`).

use crate::ask::Ask;
use crate::body::PosedBody;
use crate::in_place::InPlace;
use crate::pairs;
use crate::signs::{Point, Triangle};
use crate::triangles::{as_far_along, common_point, meeting, near};
use crate::vector::minus;
use core::ops::ControlFlow;
use gjk::query::{Options, Verdict};
use gjk::shape;
use gjk::{Pair, Pose3, Vec3};

/// So many pairs of triangles are measured: surfaces that lie side by side have as many as triangles squared, all nearly as near.
const PAIRS_MAX: usize = 1 << 20;

/// Pairs whose interval in floats is wider than this part of it are measured by the library.
const FLOAT_SHARE: f64 = 1e-9;

/// The distance of two bodies' surfaces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceDistance {
    /// At most the truth.
    pub lower: f64,
    /// At least the truth.
    pub upper: f64,
    /// A nearest point of each, in the world.
    pub points: [[f64; 3]; 2],
    /// Unit, from the first to the second; zero where they meet.
    pub normal: [f64; 3],
    /// The triangles, by the numbers of the input.
    pub triangles: [u32; 2],
    /// Whether the search ended before its end, with an interval that holds all the same.
    pub stopped: bool,
}

/// What is asked of a distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DistanceOptions {
    /// Distances beyond this are of no interest.
    pub reach: f64,
    /// How wide the interval may be, in parts of the distance: pairs that could be nearer by less are left out.
    pub relative: f64,
    /// The same as a length.
    pub absolute: f64,
}

impl Default for DistanceOptions {
    /// Any distance, as narrow as can be.
    fn default() -> Self {
        Self {
            reach: f64::INFINITY,
            relative: 0.0,
            absolute: 0.0,
        }
    }
}

/// The nearest triangles of the last query of two bodies, which the next one measures first. Any will do: they only save time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Warm(Option<[u32; 2]>);

/// Two triangles and their distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearTriangles {
    /// At most the truth.
    pub lower: f64,
    /// At least the truth.
    pub upper: f64,
    /// The triangles, by the numbers of the input.
    pub triangles: [u32; 2],
    /// A nearest point of each, in the world, as floats found them.
    pub points: [[f64; 3]; 2],
}

impl PosedBody<'_> {
    /// The distance of the surfaces at their poses; `None` where it is proved to be more than `reach`.
    ///
    /// # Accuracy  that of [`gjk::query::distance`], unless `stopped`; where several pairs of triangles are as near, a few roundings of their
    /// size more.
    /// # Complexity  what boxes cannot exclude: fine surfaces that lie side by side cost thousands of triangles.
    pub fn distance(&self, other: &PosedBody<'_>, reach: f64) -> Option<SurfaceDistance> {
        let options = DistanceOptions {
            reach,
            ..DistanceOptions::default()
        };
        self.distance_with(other, &options, &mut Warm::default())
    }

    /// The distance as asked for; `warm` is what the last query left, and is left for the next one.
    ///
    /// # Accuracy  the interval holds, and is no wider than asked for and that of [`PosedBody::distance`], unless `stopped`.
    pub fn distance_with(
        &self,
        other: &PosedBody<'_>,
        options: &DistanceOptions,
        warm: &mut Warm,
    ) -> Option<SurfaceDistance> {
        let meshes = [self.in_place(false), other.in_place(false)];
        let mut search = Nearest {
            meshes: [&meshes[0], &meshes[1]],
            options,
            best: None,
            last: [(u32::MAX, [[0.0; 3]; 3]); 2],
            others: f64::INFINITY,
            measured: 0,
        };
        let counts = [0, 1].map(|k: usize| meshes[k].mesh.triangles().len() as u32);
        let mut is_done = false;
        if let Some([i, j]) = warm.0
            && i < counts[0]
            && j < counts[1]
        {
            is_done = search.pair(i, j).is_break();
        }
        let left_out = if is_done {
            Some(0.0)
        } else {
            pairs::visit([&meshes[0], &meshes[1]], &mut search)
        };
        warm.0 = search.best.map(|best| best.triangles).or(warm.0);
        search.answer(left_out)
    }

    /// Whether the surfaces are nearer than `length`, or as near; the interval of the distance that tells it. `None` where not even the
    /// library's interval of two triangles does.
    ///
    /// # Accuracy  proved.   # Complexity  it ends at the first two triangles that are near enough.
    pub fn closer_than(&self, other: &PosedBody<'_>, length: f64) -> (Option<bool>, [f64; 2]) {
        let meshes = [self.in_place(false), other.in_place(false)];
        let mut search = Within {
            meshes: [&meshes[0], &meshes[1]],
            reach: length,
            visit: |found: &NearTriangles| {
                if found.upper <= length {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
            least: None,
        };
        let left_out = pairs::visit([&meshes[0], &meshes[1]], &mut search);
        match search.least {
            None => (Some(false), [length, f64::INFINITY]),
            Some(least) if least.upper <= length => {
                let lower = left_out.map_or(least.lower, |gap| gap.min(least.lower));
                (Some(true), [lower.max(0.0), least.upper])
            }
            Some(least) => (None, [least.lower, least.upper]),
        }
    }

    /// Visits the pairs of triangles that are not proved to be farther apart than `length`, in no particular order, until the visitor breaks.
    ///
    /// # Accuracy  each has an interval; only where it holds `length` is it open whether the pair is within.
    pub fn pairs_within(
        &self,
        other: &PosedBody<'_>,
        length: f64,
        mut visit: impl FnMut(&NearTriangles) -> ControlFlow<()>,
    ) {
        let meshes = [self.in_place(false), other.in_place(false)];
        let mut search = Within {
            meshes: [&meshes[0], &meshes[1]],
            reach: length,
            visit: |found: &NearTriangles| visit(found),
            least: None,
        };
        pairs::visit([&meshes[0], &meshes[1]], &mut search);
    }

    /// The `count` nearest pairs of triangles, by the upper ends of their intervals, the nearest first.
    ///
    /// # Complexity  O(count) memory, and what boxes cannot exclude.
    pub fn nearest_pairs(&self, other: &PosedBody<'_>, count: usize) -> Vec<NearTriangles> {
        let meshes = [self.in_place(false), other.in_place(false)];
        let mut search = Several {
            meshes: [&meshes[0], &meshes[1]],
            count,
            found: Vec::new(),
        };
        if count > 0 {
            pairs::visit([&meshes[0], &meshes[1]], &mut search);
        }
        search.found
    }
}

/// The search for the nearest pair.
struct Nearest<'m> {
    meshes: [&'m InPlace<'m>; 2],
    options: &'m DistanceOptions,
    /// The nearest pair, by the triangles' own numbers.
    best: Option<NearTriangles>,
    /// The corners of the last triangle of each: mostly one of the next pair is the same.
    last: [(u32, Triangle); 2],
    /// At most the distance of every other pair that was measured.
    others: f64,
    measured: usize,
}

impl Ask for Nearest<'_> {
    fn limit(&self) -> f64 {
        let DistanceOptions {
            reach,
            relative,
            absolute,
        } = *self.options;
        let enough =
            |best: NearTriangles| (best.upper - absolute.max(0.0)) / (1.0 + relative.max(0.0));
        self.best
            .map_or(reach, |best| enough(best).max(0.0).min(reach))
    }

    fn direction(&self) -> Option<Point> {
        self.best.map(|best| minus(best.points[1], best.points[0]))
    }

    fn pair(&mut self, i: u32, j: u32) -> ControlFlow<()> {
        if self.measured == PAIRS_MAX {
            return ControlFlow::Break(());
        }
        self.measured += 1;
        for (k, triangle) in [i, j].into_iter().enumerate() {
            if self.last[k].0 != triangle {
                self.last[k] = (triangle, self.meshes[k].corners(triangle));
            }
        }
        let [(_, a), (_, b)] = &self.last;
        // Where rounding takes all of the bound, the pair may meet.
        if let Some(best) = &self.best
            && best.upper > 0.0
            && let Some(lower) = as_far_along(best.points, a, b, best.lower)
            && lower > 0.0
        {
            self.others = self.others.min(lower);
            return ControlFlow::Continue(());
        }
        let limit = self.limit();
        let found = measured(self.meshes, [i, j], limit);
        if found.lower > limit {
            return ControlFlow::Continue(());
        }
        match self.best {
            Some(best) if best.triangles == found.triangles => {}
            Some(best) if best.upper <= found.upper => self.others = self.others.min(found.lower),
            best => {
                self.others = best.map_or(self.others, |best| self.others.min(best.lower));
                self.best = Some(found);
            }
        }
        // Nothing is nearer than two that meet.
        if found.upper > 0.0 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}

impl Nearest<'_> {
    fn answer(&self, left_out: Option<f64>) -> Option<SurfaceDistance> {
        let best = self.best?;
        let proved = if best.upper > 0.0 {
            of_triangles(self.meshes, best.triangles)
        } else {
            SurfaceDistance {
                lower: 0.0,
                upper: 0.0,
                points: best.points,
                normal: [0.0; 3],
                triangles: [0, 1].map(|k| self.meshes[k].mesh.source(best.triangles[k])),
                stopped: false,
            }
        };
        // A pair that was left out is farther than the limit.
        let rest = left_out.unwrap_or(f64::INFINITY).min(self.others);
        let lower = proved
            .lower
            .max(best.lower)
            .min(rest)
            .min(self.limit().max(0.0));
        let exact = self.options.relative <= 0.0 && self.options.absolute <= 0.0;
        let lower = if exact {
            proved.lower.max(best.lower).min(rest)
        } else {
            lower
        };
        let answer = SurfaceDistance {
            lower: lower.max(0.0).min(proved.upper),
            stopped: left_out.is_some() && proved.upper > 0.0,
            ..proved
        };
        (answer.lower <= self.options.reach).then_some(answer)
    }
}

/// The search for all pairs within reach.
struct Within<'m, F> {
    meshes: [&'m InPlace<'m>; 2],
    reach: f64,
    visit: F,
    /// The nearest one visited.
    least: Option<NearTriangles>,
}

impl<F: FnMut(&NearTriangles) -> ControlFlow<()>> Ask for Within<'_, F> {
    fn limit(&self) -> f64 {
        self.reach
    }

    fn pair(&mut self, i: u32, j: u32) -> ControlFlow<()> {
        let found = measured(self.meshes, [i, j], self.reach);
        if found.lower > self.reach {
            return ControlFlow::Continue(());
        }
        let least = self.least.get_or_insert(found);
        let lower = least.lower.min(found.lower);
        *least = if found.upper < least.upper {
            found
        } else {
            *least
        };
        least.lower = lower;
        (self.visit)(&by_source(self.meshes, found))
    }
}

/// The search for several nearest pairs.
struct Several<'m> {
    meshes: [&'m InPlace<'m>; 2],
    count: usize,
    /// The nearest ones, in order.
    found: Vec<NearTriangles>,
}

impl Ask for Several<'_> {
    fn limit(&self) -> f64 {
        if self.found.len() < self.count {
            return f64::INFINITY;
        }
        self.found.last().map_or(f64::INFINITY, |last| last.upper)
    }

    fn pair(&mut self, i: u32, j: u32) -> ControlFlow<()> {
        let limit = self.limit();
        let found = by_source(self.meshes, measured(self.meshes, [i, j], limit));
        if found.lower <= limit {
            let at = self
                .found
                .partition_point(|known| known.upper <= found.upper);
            self.found.insert(at, found);
            self.found.truncate(self.count);
        }
        ControlFlow::Continue(())
    }
}

fn by_source(meshes: [&InPlace<'_>; 2], found: NearTriangles) -> NearTriangles {
    let triangles = [0, 1].map(|k| meshes[k].mesh.source(found.triangles[k]));
    NearTriangles { triangles, ..found }
}

/// The distance of two triangles by their own numbers: in floats, or where these do not tell whether it is within the limit, by the library.
fn measured(meshes: [&InPlace<'_>; 2], triangles: [u32; 2], limit: f64) -> NearTriangles {
    let [a, b] = [0, 1].map(|k| meshes[k].corners(triangles[k]));
    let found = near(&a, &b);
    let is_narrow = found.lower > 0.0 && found.upper - found.lower <= FLOAT_SHARE * found.upper;
    if found.lower > limit || is_narrow {
        return NearTriangles {
            lower: found.lower,
            upper: found.upper,
            triangles,
            points: found.points,
        };
    }
    if let Some(point) = shared(&a, &b) {
        return NearTriangles {
            lower: 0.0,
            upper: 0.0,
            triangles,
            points: [point; 2],
        };
    }
    let SurfaceDistance {
        lower,
        upper,
        points,
        ..
    } = of_triangles(meshes, triangles);
    NearTriangles {
        lower,
        upper,
        triangles,
        points,
    }
}

/// A point that two triangles share.
fn shared(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> Option<[f64; 3]> {
    meeting(a, b)?;
    common_point(a, b).map(|(point, _)| point)
}

/// The distance of two triangles by their own numbers, as the library proves it.
fn of_triangles(meshes: [&InPlace<'_>; 2], triangles: [u32; 2]) -> SurfaceDistance {
    let named = [0, 1].map(|k| meshes[k].mesh.source(triangles[k]));
    let corners = [0, 1].map(|k| meshes[k].corners(triangles[k]));
    let shapes = corners.map(|triangle| convex(&triangle));
    let [Some(a), Some(b)] = shapes else {
        return SurfaceDistance {
            lower: 0.0,
            upper: f64::INFINITY,
            points: [corners[0][0], corners[1][0]],
            normal: [0.0; 3],
            triangles: named,
            stopped: false,
        };
    };
    let here = Pose3::identity();
    let found = Pair::new(&a, &here, &b, &here)
        .with(&Options::tight())
        .distance();
    let plain = |v: Vec3<f64>| [v.x, v.y, v.z];
    let is_apart = found.verdict == Verdict::Separated;
    SurfaceDistance {
        lower: found.distance.lower,
        upper: found.distance.upper,
        points: [plain(found.point_a), plain(found.point_b)],
        normal: if is_apart {
            plain(found.normal)
        } else {
            [0.0; 3]
        },
        triangles: named,
        stopped: false,
    }
}

/// A triangle as a convex body; `None` where its coordinates are not finite.
pub(crate) fn convex(corners: &[[f64; 3]; 3]) -> Option<shape::Triangle<Vec3<f64>>> {
    let [a, b, c] = corners.map(|[x, y, z]| Vec3::new(x, y, z));
    shape::Triangle::new(a, b, c).ok()
}
