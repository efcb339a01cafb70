//! The reports for programs: `gjk path --json`, schema "gjk-path/1", and `gjk edges --json`, "gjk-edges/1".

use super::{CheckedPath, PathsFound};
use crate::acm::report::{ReportInterval, depth_of, named, names_of};
use gjk::query::Interval;
use gjk_motion::{PathEvent, PathVerdict, SegmentAnswer};
use gjk_scene::LinkRole;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// What `gjk path --json` prints.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PathReport<'a> {
    /// The layout's name: `gjk-path/1`.
    pub schema: &'static str,
    /// The robot's name.
    pub robot: &'a str,
    /// What joints do between points: `state`, `linear`, `cubic`, `quintic`, or several of them joined by `and`.
    pub interpolation: String,
    /// What is checked of each segment: `whole time`.
    pub checked: &'static str,
    /// Links must stay this far apart, in the robot's length unit.
    pub clearance: f64,
    /// The bodies that stand around the robot; absent where there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub world: Vec<&'a str>,
    /// The bodies that links carry; absent where there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attached: Vec<&'a str>,
    /// The pairs of links with geometry.
    pub pairs: PathPairs,
    /// The segments, in the file's order.
    pub segments: Vec<SegmentEntry<'a>>,
    /// How many segments have which verdict.
    pub counts: PathCounts,
    /// True when it was stopped before its end; absent otherwise.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
}

/// What `gjk edges --json` prints.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EdgesReport<'a> {
    /// The layout's name: `gjk-edges/1`.
    pub schema: &'static str,
    /// The robot's name.
    pub robot: &'a str,
    /// Links must stay this far apart, in the robot's length unit.
    pub clearance: f64,
    /// The bodies that stand around the robot; absent where there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub world: Vec<&'a str>,
    /// The bodies that links carry; absent where there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attached: Vec<&'a str>,
    /// The pairs of links with geometry.
    pub pairs: PathPairs,
    /// The edges, in the file's order. Their time goes from 0 at the start to 1 at the goal.
    pub edges: Vec<SegmentEntry<'a>>,
    /// How many edges have which verdict.
    pub counts: PathCounts,
    /// True when it was stopped before its end; absent otherwise.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
}

/// Which pairs are checked.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PathPairs {
    /// Checked.
    pub checked: usize,
    /// Not checked, because they are adjacent.
    pub adjacent: usize,
    /// Not checked, because a file says so, or because what is attached may touch the link.
    pub disabled: usize,
    /// Not checked, because they stand still and are in contact: a body of the world and a link that no joint moves.
    pub standing: usize,
}

/// How many segments or edges have which verdict.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PathCounts {
    /// All that were looked at.
    pub all: usize,
    /// Proved free.
    pub free: usize,
    /// So near to touching that no state decides it.
    pub touch: usize,
    /// Not decided.
    pub undecided: usize,
    /// Nearer than the clearance.
    pub close: usize,
    /// Overlapping.
    pub hit: usize,
}

/// A segment, or an edge.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SegmentEntry<'a> {
    /// The trajectory that it is of; absent where there is one.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub trajectory: &'a str,
    /// Which one, from 0.
    pub index: usize,
    /// When it begins and ends.
    pub t: [f64; 2],
    /// What joints do on it: `state`, `linear`, `cubic` or `quintic`.
    pub interpolation: &'static str,
    /// `free`, `touch`, `undecided`, `close` or `hit`.
    pub verdict: &'static str,
    /// The first hit, or else the first time at which a pair is too close.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<PathEventEntry<'a>>,
    /// What is touching or undecided before that.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<PathEventEntry<'a>>,
    /// After a hit, the state of the pair in which it was seen deepest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deepest: Option<PathEventEntry<'a>>,
    /// The least clearance, where that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clearance: Option<ClearanceEntry<'a>>,
    /// True where the checker of certificates proved it again: up to the first time of a hit and of what is too close. Absent otherwise.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub verified: bool,
    /// Spans of time that were looked at.
    pub spans: u64,
}

/// Something that happens to a pair.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PathEventEntry<'a> {
    /// `touch`, `undecided`, `close` or `hit`.
    pub verdict: &'static str,
    /// A hit, and what is too close: proved free before the first time, shown by the state at the second one. Else: from when to when.
    pub t: [f64; 2],
    /// The first link.
    pub a: &'a str,
    /// The second link.
    pub b: &'a str,
    /// The state at the second time of a hit and of what is too close, at the first time of all else.
    pub state: BTreeMap<&'a str, f64>,
    /// How deep they overlap in that state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<ReportInterval>,
    /// How far apart they are in that state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<ReportInterval>,
}

/// The least clearance of a segment.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClearanceEntry<'a> {
    /// No pair comes nearer than this, which is proved.
    pub lower: f64,
    /// A pair comes as near as this.
    pub upper: f64,
    /// When.
    pub t: f64,
    /// Which pair.
    pub pair: [&'a str; 2],
}

impl<'a> PathsFound<'a> {
    /// Whether a second program checked the proof of a segment, and nothing of it is open.
    pub(super) fn is_segment_verified(&self, segment: &SegmentAnswer) -> bool {
        self.is_verified && segment.open.is_empty()
    }

    /// The report of trajectories.
    pub fn report(&'a self) -> PathReport<'a> {
        PathReport {
            schema: "gjk-path/1",
            robot: &self.robot.name,
            interpolation: self.interpolation(),
            checked: "whole time",
            clearance: self.options.clearance,
            world: names_of(self.robot, LinkRole::World),
            attached: names_of(self.robot, LinkRole::Attached),
            pairs: self.report_pairs(),
            segments: self.entries(),
            counts: self.counts(),
            partial: self.is_partial(),
        }
    }

    /// The report of edges.
    pub fn edges_report(&'a self) -> EdgesReport<'a> {
        EdgesReport {
            schema: "gjk-edges/1",
            robot: &self.robot.name,
            clearance: self.options.clearance,
            world: names_of(self.robot, LinkRole::World),
            attached: names_of(self.robot, LinkRole::Attached),
            pairs: self.report_pairs(),
            edges: self.entries(),
            counts: self.counts(),
            partial: self.is_partial(),
        }
    }

    fn report_pairs(&self) -> PathPairs {
        let [checked, adjacent, disabled] = self.pairs;
        PathPairs {
            checked,
            adjacent,
            disabled,
            standing: self.standing.len(),
        }
    }

    /// How many segments have which verdict.
    pub fn counts(&self) -> PathCounts {
        let count = |verdict: PathVerdict| {
            let segments = self.segments();
            segments.filter(|(_, one)| one.verdict == verdict).count()
        };
        PathCounts {
            all: self.segments().count(),
            free: count(PathVerdict::Free),
            touch: count(PathVerdict::Touch),
            undecided: count(PathVerdict::Undecided),
            close: count(PathVerdict::Close),
            hit: count(PathVerdict::Hit),
        }
    }

    fn entries(&'a self) -> Vec<SegmentEntry<'a>> {
        let segments = self.segments();
        segments.map(|(path, one)| self.entry(path, one)).collect()
    }

    fn entry(&'a self, path: &'a CheckedPath, segment: &SegmentAnswer) -> SegmentEntry<'a> {
        let event = |event: &PathEvent| self.event(event);
        let clearance = self.least(path, segment.index).and_then(|nearest| {
            let (a, b) = nearest.bodies?;
            let slices = path.slices.iter();
            let own = slices.filter(|slice| slice.segment == segment.index);
            let lowers = own.map(|slice| slice.clearance.lower);
            Some(ClearanceEntry {
                lower: lowers.fold(f64::INFINITY, f64::min),
                upper: nearest.clearance.upper,
                t: nearest.at,
                pair: [self.name(a), self.name(b)],
            })
        });
        SegmentEntry {
            trajectory: &path.place,
            index: segment.index,
            t: segment.time,
            interpolation: segment.kind.as_str(),
            verdict: segment.verdict.as_str(),
            first: segment.first.as_ref().map(event),
            open: segment.open.iter().map(event).collect(),
            deepest: segment.deepest.as_ref().map(event),
            clearance,
            verified: self.is_segment_verified(segment),
            spans: segment.cells,
        }
    }

    fn event(&'a self, event: &PathEvent) -> PathEventEntry<'a> {
        let overlaps = event.verdict == PathVerdict::Hit;
        let apart = |distance: Interval<f64>| !overlaps && distance.upper.is_finite();
        PathEventEntry {
            verdict: event.verdict.as_str(),
            t: [event.time.lower, event.time.upper],
            a: self.name(event.bodies.0),
            b: self.name(event.bodies.1),
            state: named(self.robot, &event.state),
            depth: overlaps.then(|| depth_of(event.distance)),
            distance: Some(event.distance)
                .filter(|&distance| apart(distance))
                .map(ReportInterval::from),
        }
    }
}

impl PathReport<'_> {
    /// Its JSON Schema.
    pub fn json_schema() -> schemars::Schema {
        schemars::schema_for!(PathReport<'static>)
    }
}

impl EdgesReport<'_> {
    /// Its JSON Schema.
    pub fn json_schema() -> schemars::Schema {
        schemars::schema_for!(EdgesReport<'static>)
    }
}
