//! Paths of a robot: each segment proved free over its whole time, or the first meeting of two of its links.
//!
//! Where it sits: `gjk path` and `gjk edges` ask [`LinkPath::check`]. Read it, then `search.rs`; docs/paths.md derives the bound.
//! Idea: segments are independent. On each the pairs are searched one after another, what is open earliest first, and share the first meeting:
//! what is later is not looked at. A meeting is an interval: all is proved up to its lower end, and at its upper one a state shows it.
//! **Invariant:** answers do not depend on the number of threads nor on the speed of the machine: what bounds the work is a count of spans.

use crate::chain::JointChain;
use crate::curve::{CurveKind, PathSegment};
use crate::matrix::pairs_of_links;
use crate::piece::LinkPieces;
use crate::placed::{PlacedLinks, PlacedTimes, RootLengths};
use crate::search::{FirstMeeting, PairSpans, SpanTask, at_rest};
use crate::span_screen::PairSizes;
use crate::state::{JudgedTimes, StateJudge};
use crate::worker::{PathPair, PathWorker, Workers, each};
use gjk::query::{Interval, Verdict};
use gjk_check::StateAnswer;
use gjk_check::pairs::Pairs;
use gjk_check::parts::Body;
use gjk_check::screen::StateScreen;
use gjk_check::states::States;
use gjk_scene::{JointLimits, LimitSet, Limits, Robot, Scene, SceneError, Srdf};
use std::collections::HashSet;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What a path is checked for.
#[derive(Clone, Copy, Debug)]
pub struct PathOptions {
    /// Links must stay this far apart.
    pub clearance: f64,
    /// How wide the interval of a meeting may be, in units of time.
    pub resolution: f64,
    /// Links that come this near without being known to meet are called touching.
    pub touch_band: f64,
    /// At most so many spans of time a pair and segment.
    pub cells_max: u64,
    /// Whether to end with the first segment that has a meeting.
    pub first_only: bool,
    /// So many states after a meeting tell how deep the pair goes.
    pub depth_samples: u32,
}

impl Default for PathOptions {
    fn default() -> Self {
        Self {
            clearance: 0.0,
            resolution: 1e-6,
            touch_band: 1e-5,
            cells_max: 100_000,
            first_only: false,
            depth_samples: 32,
        }
    }
}

/// What is known of a segment, from good to bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PathVerdict {
    /// No pair meets at any time: proved.
    Free,
    /// Links come so near to touching that no state decides it; all else is proved.
    Touch,
    /// The spans ran out, or it was stopped.
    Undecided,
    /// Links come nearer than the clearance.
    Close,
    /// Links overlap.
    Hit,
}

impl PathVerdict {
    /// The word of reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Touch => "touch",
            Self::Undecided => "undecided",
            Self::Close => "close",
            Self::Hit => "hit",
        }
    }
}

/// Something that happens to a pair on a segment.
#[derive(Clone, Debug, PartialEq)]
pub struct PathEvent {
    /// What.
    pub verdict: PathVerdict,
    /// The scene's bodies, the lower index first.
    pub bodies: (usize, usize),
    /// When, as parts of the segment. A hit and what is too close: free up to the lower end, shown by a state at the upper end. Else:
    /// from when to when.
    pub part: Interval<f64>,
    /// The same as times.
    pub time: Interval<f64>,
    /// The state at the upper end of a hit and of what is too close, at the lower end of all else: a value a joint.
    pub state: Vec<f64>,
    /// The signed distance there.
    pub distance: Interval<f64>,
}

/// What is known of a segment.
#[derive(Clone, Debug, PartialEq)]
pub struct SegmentAnswer {
    /// Which one.
    pub index: usize,
    /// When it begins and ends.
    pub time: [f64; 2],
    /// What joints do on it.
    pub kind: CurveKind,
    /// The worst of its events.
    pub verdict: PathVerdict,
    /// The first hit, or, where there is none, the first time at which a pair is too close.
    pub first: Option<PathEvent>,
    /// What is touching and undecided before that, in the order of the pairs.
    pub open: Vec<PathEvent>,
    /// After a hit, the state of the pair in which it was seen deepest.
    pub deepest: Option<PathEvent>,
    /// Spans that were looked at.
    pub cells: u64,
}

/// What is known of a path.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PathAnswer {
    /// The segments, in their order; those that a stop or the first meeting left out are missing.
    pub segments: Vec<SegmentAnswer>,
    /// True when it was stopped before its end.
    pub is_partial: bool,
}

/// A robot whose paths are checked.
pub struct LinkPath<'a> {
    pub(crate) scene: &'a Scene,
    placed: PlacedLinks<'a>,
    judge: StateJudge<'a>,
    pub(crate) links: Vec<LinkPieces>,
    /// How far links are from the root.
    lengths: RootLengths,
    /// Which body is which link, and the pairs that are checked.
    link_of: Vec<usize>,
    pairs: Vec<(usize, usize)>,
    /// How many pairs are left out because they are adjacent, and because a file says so.
    skipped: [usize; 2],
    standing: Vec<(usize, usize)>,
    /// The screen of the pairs, made when it is first asked for; `None` where a part has no valid pose.
    screen: OnceLock<Option<StateScreen<'a>>>,
    /// Their chains, made when they are first asked for.
    chains: OnceLock<Result<Vec<PathPair>, SceneError>>,
    options: PathOptions,
    stop: Option<&'a AtomicBool>,
    on_segment: Option<&'a (dyn Fn() + Sync)>,
}

impl<'a> LinkPath<'a> {
    /// The paths of this robot of the scene: all pairs of its links but adjacent ones and those that a file disables.
    #[must_use]
    pub fn new(
        scene: &'a Scene,
        robot: &'a Robot,
        bodies: &'a [Body],
        srdf: Option<&Srdf>,
        options: PathOptions,
    ) -> Self {
        let links = scene.bodies.iter().map(|body| body.link);
        let link_of: Vec<usize> = links.map(Option::unwrap_or_default).collect();
        let adjacent = robot.adjacent_by_contraction().into_iter();
        let adjacent: HashSet<_> = adjacent.map(|pair| (pair.a, pair.b)).collect();
        let disabled = Pairs::new(scene, bodies, srdf, true);
        let mut pairs = Vec::new();
        let mut skipped = [0; 2];
        for (a, b) in pairs_of_links(scene, robot) {
            let (one, other) = (link_of[a], link_of[b]);
            if adjacent.contains(&(one.min(other), one.max(other))) {
                skipped[0] += 1;
            } else if disabled.is_skipped(a, b) {
                skipped[1] += 1;
            } else {
                pairs.push((a, b));
            }
        }
        Self {
            scene,
            placed: PlacedLinks::of_pairs(robot, &pairs, &link_of),
            judge: StateJudge::new(scene, robot, bodies),
            links: bodies.iter().map(LinkPieces::of_body).collect(),
            lengths: RootLengths::new(robot),
            link_of,
            pairs,
            skipped,
            standing: Vec::new(),
            screen: OnceLock::new(),
            chains: OnceLock::new(),
            options,
            stop: None,
            on_segment: None,
        }
    }

    /// Ends early, with a partial answer, once this is set.
    #[must_use]
    pub fn stop(self, stop: &'a AtomicBool) -> Self {
        let stop = Some(stop);
        Self { stop, ..self }
    }

    /// Calls this once a segment, from any thread.
    #[must_use]
    pub fn on_segment(self, on_segment: &'a (dyn Fn() + Sync)) -> Self {
        let on_segment = Some(on_segment);
        Self { on_segment, ..self }
    }

    /// How many pairs are checked.
    #[must_use]
    pub fn pairs(&self) -> usize {
        self.pairs.len()
    }

    /// What the worst pair is in each state, without how near or deep: what is wrong with one state changes no other.
    #[must_use]
    pub fn verdicts(&self, states: &States<'_>) -> Vec<StateAnswer> {
        self.judge
            .verdicts(states, (&self.pairs, self.screen()), self.stop)
    }

    /// The screen of the pairs that are checked.
    pub(crate) fn screen(&self) -> Option<&StateScreen<'a>> {
        let screen = self.screen.get_or_init(|| self.judge.screen(&self.pairs));
        screen.as_ref()
    }

    /// The pairs that are checked, as the scene's bodies.
    #[must_use]
    pub fn checked_pairs(&self) -> &[(usize, usize)] {
        &self.pairs
    }

    /// How many pairs are left out because they are adjacent, and because a file says so.
    #[must_use]
    pub fn skipped(&self) -> [usize; 2] {
        self.skipped
    }

    /// Takes out the pairs of a body of the world and a link that no joint moves against it, where they are in contact: no path changes
    /// that, and a robot that stands on its floor would hit it at all times.
    ///
    /// # Errors  a pose that places a part beyond the range of numbers.
    pub fn without_standing(mut self) -> Result<Self, SceneError> {
        let robot = self.robot();
        let groups = robot.fixed_groups();
        let is_still = |body: usize| {
            let link = self.link_of[body];
            let mut groups = groups.iter();
            let root = robot.root;
            robot.is_world(link)
                || groups.any(|group| group.contains(&link) && group.contains(&root))
        };
        let zero = robot.zero_state();
        let mut pairs = Vec::with_capacity(self.pairs.len());
        for &(a, b) in &self.pairs {
            let is_world = |body: usize| robot.is_world(self.link_of[body]);
            let may_stand = (is_world(a) || is_world(b)) && is_still(a) && is_still(b);
            let contact = [Verdict::Overlapping, Verdict::Touching];
            if may_stand && contact.contains(&self.judge.judge((a, b), &zero, 0.0)?.verdict) {
                self.standing.push((a, b));
            } else {
                pairs.push((a, b));
            }
        }
        self.pairs = pairs;
        self.screen = OnceLock::new();
        self.chains = OnceLock::new();
        Ok(self)
    }

    /// The pairs that [`LinkPath::without_standing`] took out.
    #[must_use]
    pub fn standing(&self) -> &[(usize, usize)] {
        &self.standing
    }

    /// Checks segments, each by itself.
    ///
    /// # Errors  a joint of several values between two links that are checked; a state that places a part beyond the range of numbers.
    pub fn check(&self, segments: &[PathSegment]) -> Result<PathAnswer, SceneError> {
        let pairs = self.chains()?;
        let workers = Workers::default();
        let worst = AtomicUsize::new(usize::MAX);
        let answers = each(segments, |index, segment| {
            let is_later = self.options.first_only && index > worst.load(Ordering::Relaxed);
            let answer = if is_later || self.is_stopped() {
                Ok(None)
            } else {
                workers
                    .with(|worker| self.segment(index, segment, pairs, worker))
                    .map(Some)
            };
            if let Ok(Some(answer)) = &answer
                && answer.first.is_some()
            {
                worst.fetch_min(index, Ordering::Relaxed);
            }
            self.told();
            answer
        })?;
        let mut answers: Vec<SegmentAnswer> = answers.into_iter().flatten().collect();
        if self.options.first_only
            && let Some(at) = answers.iter().position(|answer| answer.first.is_some())
        {
            answers.truncate(at + 1);
        }
        Ok(PathAnswer {
            segments: answers,
            is_partial: self.is_stopped(),
        })
    }

    /// A segment is done.
    pub(crate) fn told(&self) {
        self.on_segment.iter().for_each(|on_segment| on_segment());
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// The chains of all pairs.
    pub(crate) fn chains(&self) -> Result<&[PathPair], SceneError> {
        let pair = |(index, &bodies): (usize, &(usize, usize))| {
            let chain = self.chain(bodies)?;
            let links = [&self.links[bodies.0], &self.links[bodies.1]];
            let sizes = PairSizes::new(links, &chain);
            Ok(PathPair {
                index,
                bodies,
                chain,
                sizes,
            })
        };
        let made = self
            .chains
            .get_or_init(|| self.pairs.iter().enumerate().map(pair).collect());
        made.as_deref().map_err(Clone::clone)
    }

    /// The chain of one pair, whether it is checked or not. What joints reach is what segments say, so that no range counts.
    pub(crate) fn chain(&self, bodies: (usize, usize)) -> Result<JointChain, SceneError> {
        let links = [self.link_of[bodies.0], self.link_of[bodies.1]];
        let still = Limits {
            lower: 0.0,
            upper: 0.0,
        };
        let joints = 0..self.robot().joints.len();
        let limits = JointLimits {
            set: LimitSet::Unlimited,
            overrides: joints.map(|joint| (joint, still)).collect(),
        };
        JointChain::new(self.robot(), links, &limits)
    }

    /// How far both links of a chain are from the root at most.
    pub(crate) fn length(&self, chain: &JointChain, segment: &PathSegment) -> f64 {
        let [a, b] = chain.ends.map(|link| self.lengths.on(segment, link));
        a + b
    }

    /// Looks at these pairs, adjacent or not.
    #[cfg(test)]
    pub(crate) fn look_at(&mut self, pairs: &[(usize, usize)]) {
        self.pairs = pairs.to_vec();
        self.placed = PlacedLinks::of_pairs(self.robot(), pairs, &self.link_of);
        self.screen = OnceLock::new();
        self.chains = OnceLock::new();
    }

    pub(crate) fn robot(&self) -> &'a Robot {
        self.placed.robot
    }

    pub(crate) fn placed_links(&self) -> &PlacedLinks<'a> {
        &self.placed
    }

    pub(crate) fn judge(&self) -> &StateJudge<'a> {
        &self.judge
    }

    pub(crate) fn options(&self) -> &PathOptions {
        &self.options
    }

    pub(crate) fn task<'t>(&'t self, segment: &'t PathSegment, clearance: f64) -> SpanTask<'t> {
        let [from, to] = segment.time;
        SpanTask {
            window: [0.0, 1.0],
            clearance,
            resolution: self.options.resolution
                / (APPROACH_SHARE * (to - from).max(f64::MIN_POSITIVE)),
            touch_band: self.options.touch_band,
            cells_max: self.options.cells_max,
            stop: self.stop,
        }
    }

    /// One segment: too close first, where a clearance is asked for, because what keeps it does not hit.
    fn segment<'p>(
        &'p self,
        index: usize,
        segment: &PathSegment,
        pairs: &[PathPair],
        worker: &mut PathWorker<'p>,
    ) -> Result<SegmentAnswer, SceneError> {
        let clearance = self.options.clearance;
        let placed = PlacedTimes::new(&self.placed, segment, std::mem::take(&mut worker.placed));
        let mut searched = self.search(&placed, clearance, pairs, worker)?;
        let mut kind = PathVerdict::Hit;
        if clearance > 0.0 && searched.first.is_some() {
            let mut hits = self.search(&placed, 0.0, pairs, worker)?;
            hits.cells += searched.cells;
            if hits.first.is_some() {
                searched = hits;
            } else {
                (kind, searched.cells) = (PathVerdict::Close, hits.cells);
            }
        }
        worker.placed = placed.into_memory();
        let first = searched.first;
        let meeting = first.is_some().then(|| {
            let bodies = pairs[first.pair].bodies;
            let part = [first.lower.min(first.upper), first.upper];
            self.event(segment, kind, bodies, part)
        });
        let meeting = meeting.transpose()?;
        let mut open = Vec::new();
        for (pair, spans) in &searched.open {
            let bodies = pairs[*pair].bodies;
            let kinds = [
                (PathVerdict::Touch, spans.touches),
                (PathVerdict::Undecided, spans.undecided),
            ];
            for (kind, part) in kinds {
                if let Some(part) = part.filter(|part| part[0] < first.upper) {
                    open.push(self.event(segment, kind, bodies, part)?);
                }
            }
        }
        let deepest = match &meeting {
            Some(meeting) if kind == PathVerdict::Hit => self.deepest(segment, meeting)?,
            _ => None,
        };
        let worst = open.iter().chain(&meeting).map(|event| event.verdict).max();
        Ok(SegmentAnswer {
            index,
            time: segment.time,
            kind: segment.kind,
            verdict: worst.unwrap_or(PathVerdict::Free),
            first: meeting,
            open,
            deepest,
            cells: searched.cells,
        })
    }

    /// All pairs on a segment.
    fn search<'p>(
        &'p self,
        placed: &PlacedTimes<'_>,
        clearance: f64,
        pairs: &[PathPair],
        worker: &mut PathWorker<'p>,
    ) -> Result<SearchedPairs, SceneError> {
        let task = self.task(placed.segment, clearance);
        let mut screened = std::mem::take(&mut worker.screened);
        screened.screen(self.screen(), placed, clearance, pairs);
        let mut searched = SearchedPairs {
            first: FirstMeeting::NONE,
            open: Vec::new(),
            cells: screened.looks,
        };
        for index in screened.earliest_first() {
            let (pair, open) = (&pairs[index], &screened.open[index]);
            // Without a clearance it is verdicts that count, which cost less than distances.
            let reach = Some(clearance).filter(|&reach| reach > 0.0);
            let times = JudgedTimes::new(&self.judge, placed, pair.bodies, reach);
            let spans = match worker.search(self, pair, placed) {
                Some(mut search) => search.run(&task, open, &times, (index, &mut searched.first)),
                None => at_rest(&task, &times, index, &mut searched.first),
            };
            times.finish()?;
            searched.cells += spans.cells;
            if spans.touches.is_some() || spans.undecided.is_some() {
                searched.open.push((index, spans));
            }
        }
        worker.screened = screened;
        searched.open.sort_by_key(|(pair, _)| *pair);
        searched.join_approach(APPROACH_SHARE * task.resolution);
        Ok(searched)
    }

    fn event(
        &self,
        segment: &PathSegment,
        verdict: PathVerdict,
        bodies: (usize, usize),
        [from, to]: [f64; 2],
    ) -> Result<PathEvent, SceneError> {
        let is_shown = matches!(verdict, PathVerdict::Hit | PathVerdict::Close);
        let state = segment.state(self.robot(), if is_shown { to } else { from });
        let distance = self.judge.judge(bodies, &state, f64::INFINITY)?.distance;
        let time = Interval {
            lower: segment.time_at(from),
            upper: segment.time_at(to),
        };
        Ok(PathEvent {
            verdict,
            bodies,
            part: Interval {
                lower: from,
                upper: to,
            },
            time,
            state,
            distance,
        })
    }

    /// The deepest of some states after a hit.
    fn deepest(
        &self,
        segment: &PathSegment,
        hit: &PathEvent,
    ) -> Result<Option<PathEvent>, SceneError> {
        let mut best: Option<(f64, f64)> = None;
        let count = self.options.depth_samples;
        let from = hit.part.upper;
        for k in 1..=count {
            let u = from + (1.0 - from) * f64::from(k) / f64::from(count);
            let state = segment.state(self.robot(), u);
            let here = self.judge.judge(hit.bodies, &state, 0.0)?;
            let is_deeper = best.is_none_or(|(depth, _)| here.distance.lower < depth);
            if here.verdict == Verdict::Overlapping && is_deeper {
                best = Some((here.distance.lower, u));
            }
        }
        best.map(|(_, u)| self.event(segment, PathVerdict::Hit, hit.bodies, [u, u]))
            .transpose()
    }
}

/// Spans are divided down to this part of the resolution: where a pair touches before it meets, its interval is several of them.
const APPROACH_SHARE: f64 = 4.0;

/// What is known of all pairs on a segment.
struct SearchedPairs {
    first: FirstMeeting,
    open: Vec<(usize, PairSpans)>,
    cells: u64,
}

impl SearchedPairs {
    /// A pair that is within rounding of touching just before it meets, by less than so much, is on its way.
    fn join_approach(&mut self, narrow: f64) {
        let first = &mut self.first;
        for (pair, spans) in &mut self.open {
            if let Some([from, to]) = spans.touches
                && *pair == first.pair
                && to >= first.lower
                && first.upper - from <= narrow
            {
                first.lower = first.lower.min(from);
                spans.touches = None;
            }
        }
    }
}
