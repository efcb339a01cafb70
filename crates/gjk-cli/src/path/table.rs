//! The report for people: a line a segment that is not free, and what was checked.

use super::{CheckedPath, PathsFound};
use crate::printer::style;
use crate::text::{Cell, aligned, plain, short};
use gjk_motion::{PathEvent, PathVerdict, SegmentAnswer};
use gjk_scene::counted;

/// What the lines are about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PathUnit {
    /// Segments of trajectories, in seconds.
    Segment,
    /// Edges, in parts of them.
    Edge,
}

impl PathUnit {
    /// One, and several.
    fn words(self) -> [&'static str; 2] {
        match self {
            Self::Segment => ["segment", "segments"],
            Self::Edge => ["edge", "edges"],
        }
    }
}

impl PathsFound<'_> {
    /// The lines of the table, and the summary. Of all rows at most so many; 0: all.
    pub fn lines(&self, unit: PathUnit, rows_max: usize) -> Vec<String> {
        let bad: Vec<_> = self
            .segments()
            .filter(|(_, one)| one.verdict != PathVerdict::Free)
            .collect();
        let shown = if rows_max == 0 { bad.len() } else { rows_max };
        let rows = bad.iter().take(shown);
        let mut lines = aligned(rows.map(|(path, one)| self.row(unit, path, one)).collect());
        if bad.len() > shown {
            let [one, many] = unit.words();
            let more = counted(bad.len() - shown, one, many);
            lines.push(format!("  … {more} more: --rows 0 shows all"));
        }
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.extend(self.summary(unit));
        lines
    }

    fn row(&self, unit: PathUnit, path: &CheckedPath, one: &SegmentAnswer) -> Vec<Cell> {
        let (mark, look) = match one.verdict {
            PathVerdict::Hit | PathVerdict::Close => ("✗", style::BAD),
            PathVerdict::Undecided | PathVerdict::Touch => ("?", style::WARN),
            PathVerdict::Free => ("✓", style::GOOD),
        };
        let place = if path.place.is_empty() {
            String::new()
        } else {
            format!("{}, ", path.place)
        };
        let [word, _] = unit.words();
        vec![
            Cell {
                text: mark.to_owned(),
                style: look,
            },
            plain(&format!("{place}{word} {}", one.index)),
            plain(&self.sentence(unit, one)),
        ]
    }

    /// What is said of a segment that is not free.
    pub fn sentence(&self, unit: PathUnit, one: &SegmentAnswer) -> String {
        let mut parts = Vec::new();
        parts.extend(one.first.as_ref().map(|first| self.meeting(unit, first)));
        parts.extend(one.deepest.iter().map(|deepest| {
            format!(
                "{} deep at {}",
                short(-deepest.distance.lower),
                moment(unit, deepest.time.upper)
            )
        }));
        parts.extend(one.open.iter().map(|open| self.open(unit, open)));
        parts.join("; ")
    }

    fn meeting(&self, unit: PathUnit, first: &PathEvent) -> String {
        let names = self.names(first);
        let what = match first.verdict {
            PathVerdict::Close => format!("{names} closer than {}", short(self.options.clearance)),
            _ => format!("{names} collide"),
        };
        let from = format!("{what} from {}", moment(unit, first.time.upper));
        let state = self.robot.joints.iter().zip(&first.state);
        let values: Vec<String> = state
            .filter(|(joint, _)| joint.is_independent())
            .map(|(joint, value)| format!("{} {value:.3}", joint.name))
            .collect();
        format!("{from} at {}", values.join(", "))
    }

    fn open(&self, unit: PathUnit, open: &PathEvent) -> String {
        let names = self.names(open);
        let [from, to] = [open.time.lower, open.time.upper].map(|time| moment(unit, time));
        match open.verdict {
            PathVerdict::Touch => format!(
                "{names} come within {} of touching from {from} to {to}",
                short(self.options.touch_band)
            ),
            _ => format!("{names}: nothing is proved from {from} to {to}"),
        }
    }

    fn names(&self, event: &PathEvent) -> String {
        let (a, b) = event.bodies;
        format!("{} and {}", self.name(a), self.name(b))
    }

    fn summary(&self, unit: PathUnit) -> Vec<String> {
        let counts = self.counts();
        let [checked, adjacent, disabled] = self.pairs;
        let [one, many] = unit.words();
        let clearance = if self.options.clearance > 0.0 {
            format!(
                ", {} closer than {}",
                counts.close,
                short(self.options.clearance)
            )
        } else {
            String::new()
        };
        let mut lines = vec![format!(
            "{}: {} free, {} hit{clearance}, {} touch, {} undecided · {} checked ({adjacent} adjacent, {disabled} disabled{}: not checked)",
            counted(counts.all, one, many),
            counts.free,
            counts.hit,
            counts.touch,
            counts.undecided,
            counted(checked, "pair", "pairs"),
            self.standing_words(),
        )];
        let how = match unit {
            PathUnit::Segment => format!("interpolation: {} · ", self.interpolation()),
            PathUnit::Edge => String::new(),
        };
        lines.push(format!("{how}checked: whole time, not samples"));
        let nearest = self.paths.iter().flat_map(|path| &path.slices);
        let nearest = nearest.min_by(|a, b| a.clearance.upper.total_cmp(&b.clearance.upper));
        lines.extend(nearest.and_then(|nearest| {
            let (a, b) = nearest.bodies?;
            Some(format!(
                "least clearance: {} to {} of {} and {} at {}",
                short(nearest.clearance.lower),
                short(nearest.clearance.upper),
                self.name(a),
                self.name(b),
                moment(unit, nearest.at)
            ))
        }));
        lines
    }
}

/// A time, or a part of an edge.
fn moment(unit: PathUnit, time: f64) -> String {
    match unit {
        PathUnit::Segment => format!("{time:.6} s"),
        PathUnit::Edge => format!("s = {time:.6}"),
    }
}
