//! How near any two links come over time: slices of a path, each with an interval of its least clearance that is proved.
//!
//! Where it sits: `gjk path --profile` asks [`LinkPath::profile`]. It runs the search of `search.rs` with another goal.
//! Idea: states give an upper end, the nearest pair first. A span is closed when its pieces are proved farther apart than that end less the
//! tolerance. Each nearer state lowers the end, and what was closed stays closed.

use crate::curve::PathSegment;
use crate::path::LinkPath;
use crate::placed::PlacedTimes;
use crate::search::SpanTask;
use crate::state::JudgedTimes;
use crate::worker::{PathPair, PathWorker, Workers, each};
use gjk::query::{Interval, Verdict};
use gjk_scene::SceneError;

/// The least clearance in a slice of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClearanceSlice {
    /// The segment that it is of.
    pub segment: usize,
    /// From when to when.
    pub time: [f64; 2],
    /// No pair comes nearer than the lower end, which is proved, and one comes as near as the upper one. Zero where links touch or overlap.
    pub clearance: Interval<f64>,
    /// The pair that does, as the scene's bodies; `None` where no pair was looked at.
    pub bodies: Option<(usize, usize)>,
    /// When.
    pub at: f64,
    /// False where the spans ran out: the lower end is then zero.
    pub is_proved: bool,
}

/// The nearest state of a slice so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearestState {
    pub(crate) distance: f64,
    /// How much nearer a state must be to be of interest.
    pub(crate) tolerance: f64,
    pub(crate) pair: Option<usize>,
    pub(crate) at: f64,
}

impl NearestState {
    /// Spans whose pieces keep farther apart than this are closed.
    pub(crate) fn threshold(&self) -> f64 {
        (self.distance - self.tolerance).max(0.0)
    }

    /// A state of a pair; it counts if it is nearer.
    pub(crate) fn near(&mut self, distance: f64, pair: usize, at: f64) {
        let distance = distance.max(0.0);
        if distance < self.distance {
            (self.distance, self.pair, self.at) = (distance, Some(pair), at);
        }
    }

    /// Whether the interval from zero is narrow enough.
    pub(crate) fn is_done(&self) -> bool {
        self.distance <= self.tolerance
    }
}

impl LinkPath<'_> {
    /// The least clearance of each segment in slices of equal length, to a tolerance.
    ///
    /// # Errors  as [`LinkPath::check`].
    pub fn profile(
        &self,
        segments: &[PathSegment],
        slices: u32,
        tolerance: f64,
    ) -> Result<Vec<ClearanceSlice>, SceneError> {
        let pairs = self.chains()?;
        let workers = Workers::default();
        let slices = slices.max(1);
        let found = each(segments, |index, segment| {
            let slice = |k: u32| {
                let [from, to] = [k, k + 1].map(|end| f64::from(end) / f64::from(slices));
                workers.with(|worker| {
                    let memory = std::mem::take(&mut worker.placed);
                    let placed = PlacedTimes::new(self.placed_links(), segment, memory);
                    let slice = self.slice((&placed, pairs), [from, to], tolerance, worker);
                    worker.placed = placed.into_memory();
                    slice.map(|slice| ClearanceSlice {
                        segment: index,
                        ..slice
                    })
                })
            };
            let found: Result<Vec<_>, SceneError> = if self.is_stopped() {
                Ok(Vec::new())
            } else {
                (0..slices).map(slice).collect()
            };
            self.told();
            found
        })?;
        Ok(found.into_iter().flatten().collect())
    }

    /// A slice of the first segment.
    fn slice<'p>(
        &'p self,
        (placed, pairs): (&PlacedTimes<'_>, &[PathPair]),
        [from, to]: [f64; 2],
        tolerance: f64,
        worker: &mut PathWorker<'p>,
    ) -> Result<ClearanceSlice, SceneError> {
        let segment = placed.segment;
        let mut nearest = NearestState {
            distance: f64::INFINITY,
            tolerance,
            pair: None,
            at: from,
        };
        let task = SpanTask {
            window: [from, to],
            ..self.task(segment, 0.0)
        };
        let mut is_proved = true;
        for pair in self.order((placed, pairs), from, worker) {
            let of = (pair, &pairs[pair]);
            is_proved &= self.measure_pair(&task, of, placed, &mut nearest, worker)?;
            if nearest.is_done() {
                break;
            }
        }
        let lower = if is_proved { nearest.threshold() } else { 0.0 };
        Ok(ClearanceSlice {
            segment: 0,
            time: [from, to].map(|u| segment.time_at(u)),
            clearance: Interval {
                lower: lower.min(nearest.distance),
                upper: nearest.distance,
            },
            bodies: nearest.pair.map(|pair| pairs[pair].bodies),
            at: segment.time_at(nearest.at),
            is_proved,
        })
    }

    /// The pairs by how near balls around them are at a time: where the nearest come first, the others are closed at once.
    fn order<'p>(
        &'p self,
        (placed, pairs): (&PlacedTimes<'_>, &[PathPair]),
        u: f64,
        worker: &mut PathWorker<'p>,
    ) -> Vec<usize> {
        let gap = |pair: &PathPair| {
            let search = worker.search(self, pair, placed);
            search.map_or(0.0, |search| search.gap(u))
        };
        let gaps: Vec<f64> = pairs.iter().map(gap).collect();
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        order.sort_by(|&x, &y| gaps[x].total_cmp(&gaps[y]));
        order
    }

    /// One pair in a slice; false where the spans ran out.
    fn measure_pair<'p>(
        &'p self,
        task: &SpanTask<'_>,
        (index, pair): (usize, &PathPair),
        placed: &PlacedTimes<'_>,
        nearest: &mut NearestState,
        worker: &mut PathWorker<'p>,
    ) -> Result<bool, SceneError> {
        let [from, to] = task.window;
        let times = |reach| JudgedTimes::new(self.judge(), placed, pair.bodies, Some(reach));
        let Some(mut search) = worker.search(self, pair, placed) else {
            let times = times(f64::INFINITY);
            let here = times.at(from);
            if here.verdict == Verdict::Overlapping {
                nearest.near(0.0, index, from);
            }
            nearest.near(here.distance.upper, index, from);
            times.finish()?;
            return Ok(true);
        };
        if search.is_divisible() {
            let near = |u: &f64| search.gap(*u) < nearest.distance;
            let seeds = [from, 0.5 * from + 0.5 * to, to];
            let seeds: Vec<f64> = seeds.into_iter().filter(near).collect();
            let times = times(nearest.distance);
            for u in seeds {
                nearest.near(times.at(u).distance.upper, index, u);
            }
            times.finish()?;
        }
        // From here on only whether they overlap is asked: distances come of their pieces.
        let times = times(0.0);
        let is_proved = search.measure(task, &times, index, nearest);
        times.finish()?;
        Ok(is_proved)
    }
}
