//! The report for people with a browser: `gjk path --html`, the page of a check of states along the path, with its clearance over time.
//!
//! Idea: the page goes through states in the order of time. They only show what was proved over the whole time: so the first meetings and
//! the nearest states are among them as they were found, and the others are at equal steps. Numbers of a state are those of `gjk check`.

use super::table::PathUnit;
use super::{CheckedPath, PathsFound};
use crate::check::checked::Checked;
use crate::check::page::PageStory;
use gjk_check::pairs::Pairs;
use gjk_check::states::States;
use gjk_check::{Check, CheckResult, Criteria, PairProximity};
use gjk_motion::{ClearanceSlice, PathEvent, PathSegment, PathVerdict, SegmentAnswer};
use gjk_scene::{SceneError, SceneErrorKind, Srdf, counted};
use serde::Serialize;
use serde_json::json;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

/// States at equal steps of time.
const STEPS: u32 = 140;
/// With more points than this those between segments are no states of their own.
const POINTS_SHOWN: usize = 50;
/// So many segments with a meeting have the states of it.
const MEETINGS_SHOWN: usize = 30;
/// So many slices have their nearest state.
const NEAREST_SHOWN: usize = 40;
/// So many pairs are measured in every state: those that meet, then the nearest ones.
const PAIRS_FOLLOWED: usize = 8;

/// What the page is made of.
pub struct PathPage<'f, 'a> {
    /// What was found.
    pub found: &'f PathsFound<'a>,
    /// The segments of each trajectory.
    pub segments: &'f [Vec<PathSegment>],
    /// The pairs that are checked, as bodies.
    pub checked: &'f [(usize, usize)],
    /// Pairs that are not.
    pub srdf: Option<&'f Srdf>,
    /// What was odd in the input.
    pub warnings: Vec<String>,
    /// When each trajectory begins on the page's axis, and when the last one ends: [`PathPage::starts`].
    pub starts: Vec<f64>,
}

/// A state of the page: where on the path it is.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PathMoment {
    path: usize,
    segment: usize,
    /// The part of the segment.
    part: f64,
    /// Its time on the page, on which trajectories follow one another.
    at: f64,
}

/// A state as the page's scripts see it.
#[derive(Serialize)]
struct PageMoment<'f> {
    at: f64,
    path: usize,
    /// The trajectory's own time.
    time: f64,
    segment: usize,
    #[serde(skip_serializing_if = "str::is_empty")]
    place: &'f str,
}

/// A slice of time, on the page's axis.
#[derive(Serialize)]
struct PageSlice {
    path: usize,
    from: f64,
    to: f64,
    /// The same in the trajectory's own time.
    time: [f64; 2],
    lower: f64,
    /// JSON has null where no pair was looked at.
    upper: f64,
    bodies: Option<(usize, usize)>,
    proved: bool,
}

/// Something that happens on the path.
#[derive(Serialize)]
struct PageEvent<'f> {
    verdict: &'static str,
    from: f64,
    to: f64,
    /// The same in the trajectory's own time.
    time: [f64; 2],
    bodies: (usize, usize),
    segment: usize,
    #[serde(skip_serializing_if = "str::is_empty")]
    place: &'f str,
    /// The page's state that shows it, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<usize>,
    /// That of the deepest overlap after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    deepest: Option<usize>,
}

impl PathPage<'_, '_> {
    /// When each trajectory begins where they follow one another, and when the last one ends.
    pub fn starts(trajectories: &[Vec<PathSegment>]) -> Vec<f64> {
        let mut starts = vec![0.0];
        let mut at = 0.0;
        for segments in trajectories {
            let ends = segments.first().zip(segments.last());
            at += ends.map_or(0.0, |(first, last)| last.time[1] - first.time[0]);
            starts.push(at);
        }
        starts
    }

    /// The page's text, for this file.
    ///
    /// # Errors  a state that places a part beyond the range of numbers.
    pub fn html(&self, file: &Path) -> Result<String, SceneError> {
        let moments = self.moments();
        let found = self.found;
        let values = moments.iter().map(|moment| self.values(moment)).collect();
        let states = States::new(found.scene, values);
        let pairs = Pairs::new(found.scene, found.bodies, self.srdf, false);
        let criteria = Criteria {
            clearance: Some(found.options.clearance).filter(|&clearance| clearance > 0.0),
            ..Criteria::default()
        };
        let result = CheckResult {
            pairs: self.measured(&states, &pairs, criteria)?,
            states: states.len(),
            is_partial: found.is_partial(),
        };
        let checked = Checked {
            scene: found.scene,
            bodies: found.bodies,
            pairs: &pairs,
            states: &states,
            criteria: &criteria,
            result: &result,
        };
        let written = serde_json::to_string(&found.report()).and_then(|report| {
            let view = serde_json::to_value(self.view(&moments))?;
            Ok(self.story(report, view))
        });
        let written = written.map_err(std::io::Error::from);
        written
            .and_then(|story| checked.html_with(&self.warnings, &story))
            .map_err(|error| {
                let message = format!("cannot be written: {error}");
                SceneError::new(SceneErrorKind::Io, message).with_file(file)
            })
    }

    fn story(&self, report: String, view: serde_json::Value) -> PageStory {
        let counts = self.found.counts();
        let (headline, tone) = if self.checked.is_empty() {
            ("no pair is checked", "warn")
        } else if counts.hit > 0 {
            ("links collide", "bad")
        } else if counts.close > 0 {
            ("links come too close", "bad")
        } else if counts.undecided > 0 || self.found.is_partial() {
            ("not all is decided", "warn")
        } else if counts.touch > 0 {
            ("links touch", "warn")
        } else {
            ("free at all times, proved", "good")
        };
        let lines = self.found.lines(PathUnit::Segment, 0);
        let summary = lines
            .iter()
            .position(String::is_empty)
            .map_or(0, |at| at + 1);
        let mut about = lines[summary..].to_vec();
        let segments = self.found.segments();
        let verified = segments
            .filter(|(_, one)| self.found.is_segment_verified(one))
            .count();
        if verified > 0 {
            let segments = counted(verified, "segment", "segments");
            about.push(format!("a second program checked the proofs of {segments}"));
        }
        PageStory {
            command: "path",
            headline: headline.to_owned(),
            tone,
            about,
            pairs: HashMap::new(),
            view,
            report,
            text: lines.join("\n"),
        }
    }

    fn moment(&self, path: usize, segment: usize, part: f64) -> PathMoment {
        let segments = &self.segments[path];
        let time = segments[segment].time_at(part);
        PathMoment {
            path,
            segment,
            part,
            at: self.starts[path] + (time - segments[0].time[0]),
        }
    }

    /// The states, in the order of time.
    fn moments(&self) -> Vec<PathMoment> {
        let mut moments = self.steps();
        let mut meetings = 0;
        for (path, one) in self.answers() {
            let events = one.first.iter().chain(&one.deepest);
            if one.first.is_some() && meetings < MEETINGS_SHOWN {
                meetings += 1;
                moments.extend(events.map(|event| self.moment(path, one.index, event.part.upper)));
            }
        }
        for (path, slice) in self.nearest().into_iter().take(NEAREST_SHOWN) {
            let [from, to] = self.segments[path][slice.segment].time;
            let part = if to > from {
                (slice.at - from) / (to - from)
            } else {
                0.0
            };
            moments.push(self.moment(path, slice.segment, part.clamp(0.0, 1.0)));
        }
        moments.sort_by(|a, b| {
            let place = (a.path, a.segment).cmp(&(b.path, b.segment));
            place.then(a.part.total_cmp(&b.part))
        });
        // The end of a segment is the beginning of the next.
        moments.dedup_by(|later, earlier| later.path == earlier.path && later.at == earlier.at);
        moments
    }

    /// States at equal steps, and at the points between segments.
    fn steps(&self) -> Vec<PathMoment> {
        let total = self.starts.last().copied().unwrap_or(0.0);
        let count: usize = self.segments.iter().map(Vec::len).sum();
        let mut moments = Vec::new();
        for path in 0..self.found.paths.len() {
            let segments = &self.segments[path];
            for (segment, one) in segments.iter().enumerate() {
                let ends = [0.0, 1.0].map(|part| self.moment(path, segment, part));
                let is_end = segment == 0 || segment + 1 == segments.len();
                if is_end || count <= POINTS_SHOWN {
                    moments.extend(ends);
                }
                let step = total / f64::from(STEPS);
                let [from, to] = ends.map(|end| end.at);
                if step > 0.0 && to > from && one.time[1] > one.time[0] {
                    let first = (from / step).ceil() as u32;
                    let inside = (first..=STEPS).map(|k| f64::from(k) * step);
                    let inside = inside.take_while(|&at| at < to);
                    let part = |at: f64| ((at - from) / (to - from)).clamp(0.0, 1.0);
                    moments.extend(inside.map(|at| self.moment(path, segment, part(at))));
                }
            }
        }
        moments
    }

    fn values(&self, moment: &PathMoment) -> Vec<f64> {
        self.segments[moment.path][moment.segment].state(self.found.robot, moment.part)
    }

    fn answers(&self) -> impl Iterator<Item = (usize, &SegmentAnswer)> {
        let paths = self.found.paths.iter().enumerate();
        paths.flat_map(|(path, one)| one.answer.segments.iter().map(move |one| (path, one)))
    }

    /// The slices with their trajectory, the one with the least clearance first.
    fn nearest(&self) -> Vec<(usize, &ClearanceSlice)> {
        let paths = self.found.paths.iter().enumerate();
        let all = paths.flat_map(|(path, one)| one.slices.iter().map(move |slice| (path, slice)));
        let mut all: Vec<_> = all.filter(|(_, slice)| slice.bodies.is_some()).collect();
        all.sort_by(|(_, a), (_, b)| a.clearance.upper.total_cmp(&b.clearance.upper));
        all
    }

    /// The pairs that are measured in every state.
    fn followed(&self) -> Vec<(usize, usize)> {
        let met = self
            .answers()
            .flat_map(|(_, one)| one.first.iter().chain(&one.open));
        let met = met.map(|event| event.bodies);
        let near = self
            .nearest()
            .into_iter()
            .filter_map(|(_, slice)| slice.bodies);
        let mut seen = HashSet::new();
        let each_once = met.chain(near).filter(|&bodies| seen.insert(bodies));
        each_once.take(PAIRS_FOLLOWED).collect()
    }

    /// What overlaps in the states or is too close, and the pairs that are followed.
    fn measured(
        &self,
        states: &States<'_>,
        pairs: &Pairs,
        criteria: Criteria,
    ) -> Result<Vec<PairProximity>, SceneError> {
        let checked: HashSet<_> = self.checked.iter().copied().collect();
        let run = Check::new(self.found.bodies, pairs)
            .criteria(criteria)
            .run(states)?;
        let shown = run
            .pairs
            .into_iter()
            .filter(|pair| checked.contains(&pair.bodies));
        let mut all: BTreeMap<_, _> = shown
            .map(|pair| ((pair.state, pair.bodies), pair))
            .collect();
        let measure = Check::new(self.found.bodies, pairs).criteria(Criteria {
            all_pairs: true,
            ..criteria
        });
        let followed = self.followed();
        for state in 0..states.len() {
            let links = states.link_poses(state);
            for &bodies in &followed {
                if all.contains_key(&(state, bodies)) {
                    continue;
                }
                let near = measure.between(bodies, &links)?;
                all.extend(near.map(|proximity| {
                    let pair = PairProximity {
                        state,
                        bodies,
                        proximity,
                        verification: None,
                    };
                    ((state, bodies), pair)
                }));
            }
        }
        Ok(all.into_values().collect())
    }

    /// What the scripts of the page draw.
    fn view(&self, moments: &[PathMoment]) -> serde_json::Value {
        let starts = &self.starts;
        let states = moments.iter().map(|moment| PageMoment {
            at: moment.at,
            path: moment.path,
            time: self.segments[moment.path][moment.segment].time_at(moment.part),
            segment: moment.segment,
            place: &self.found.paths[moment.path].place,
        });
        let paths = self.found.paths.iter().enumerate();
        let slices = paths.flat_map(|(path, one)| {
            let begin = self.segments[path]
                .first()
                .map_or(0.0, |first| first.time[0]);
            let shift = starts[path] - begin;
            let slices = one.slices.iter();
            slices.map(move |slice| page_slice(slice, path, shift))
        });
        let events = self
            .answers()
            .flat_map(|(path, one)| self.events(path, one, moments));
        json!({
            "opens": "path",
            "end": starts.last(),
            "clearance": self.found.options.clearance,
            "states": states.collect::<Vec<_>>(),
            "slices": slices.collect::<Vec<_>>(),
            "events": events.collect::<Vec<_>>(),
            "points": self.points(),
        })
    }

    /// Where segments begin, and where the last one ends.
    fn points(&self) -> Vec<f64> {
        let mut points = Vec::new();
        for path in 0..self.found.paths.len() {
            let segments = 0..self.segments[path].len();
            points.extend(segments.clone().map(|k| self.moment(path, k, 0.0).at));
            points.extend(segments.last().map(|k| self.moment(path, k, 1.0).at));
        }
        points
    }

    fn events(
        &self,
        path: usize,
        one: &SegmentAnswer,
        moments: &[PathMoment],
    ) -> Vec<PageEvent<'_>> {
        let place = |event: &PathEvent| {
            let at = self.moment(path, one.index, event.part.upper).at;
            moments
                .iter()
                .position(|moment| moment.path == path && moment.at == at)
        };
        let event = |event: &PathEvent| {
            let ends = [event.part.lower, event.part.upper];
            let [from, to] = ends.map(|part| self.moment(path, one.index, part).at);
            let is_shown = matches!(event.verdict, PathVerdict::Hit | PathVerdict::Close);
            PageEvent {
                verdict: event.verdict.as_str(),
                from,
                to,
                time: [event.time.lower, event.time.upper],
                bodies: event.bodies,
                segment: one.index,
                place: &self.found.paths[path].place,
                state: is_shown.then(|| place(event)).flatten(),
                deepest: None,
            }
        };
        let first = one.first.iter().map(|first| PageEvent {
            deepest: one.deepest.as_ref().and_then(place),
            ..event(first)
        });
        first.chain(one.open.iter().map(event)).collect()
    }
}

fn page_slice(slice: &ClearanceSlice, path: usize, shift: f64) -> PageSlice {
    PageSlice {
        path,
        from: slice.time[0] + shift,
        to: slice.time[1] + shift,
        time: slice.time,
        lower: slice.clearance.lower,
        upper: slice.clearance.upper,
        bodies: slice.bodies,
        proved: slice.is_proved,
    }
}

impl CheckedPath {
    /// Slices that give so many in all; at least a segment's usual ones.
    pub fn slices_for_page(segments: usize) -> u32 {
        let wanted = 64_usize.div_ceil(segments.max(1));
        u32::try_from(wanted).unwrap_or(u32::MAX).max(8)
    }
}
