//! The reports of `gjk path` and `gjk edges`: for programs, for people, for CI systems.

pub mod cases;
pub mod page;
pub mod report;
pub mod states;
pub mod table;

use crate::printer::Printer;
use gjk_check::parts::Body;
use gjk_motion::{ClearanceSlice, LinkPath, PathAnswer, PathOptions, PathVerdict, SegmentAnswer};
use gjk_scene::{Robot, Scene};

/// What was checked, and all that its reports read.
pub struct PathsFound<'a> {
    /// The scene.
    pub scene: &'a Scene,
    /// Its robot.
    pub robot: &'a Robot,
    /// Its bodies.
    pub bodies: &'a [Body],
    /// What was asked.
    pub options: &'a PathOptions,
    /// How many pairs are checked, are adjacent, and are disabled by a file.
    pub pairs: [usize; 3],
    /// Pairs of a body of the world and a link that stand still in contact, which are not checked.
    pub standing: Vec<(usize, usize)>,
    /// The trajectories of the file; edges are one.
    pub paths: Vec<CheckedPath>,
    /// Whether the checker of certificates proved it all again.
    pub is_verified: bool,
}

/// A trajectory, and what was found of it.
pub struct CheckedPath {
    /// Where in the file it stands; empty where it is the only one.
    pub place: String,
    /// What was found.
    pub answer: PathAnswer,
    /// Its clearance over time, where that was asked.
    pub slices: Vec<ClearanceSlice>,
}

impl<'a> PathsFound<'a> {
    /// What `path` finds, before it has found anything.
    pub fn new(
        scene: &'a Scene,
        robot: &'a Robot,
        bodies: &'a [Body],
        options: &'a PathOptions,
        path: &LinkPath<'_>,
    ) -> Self {
        let [adjacent, disabled] = path.skipped();
        Self {
            scene,
            robot,
            bodies,
            options,
            pairs: [path.pairs(), adjacent, disabled],
            standing: path.standing().to_vec(),
            paths: Vec::new(),
            is_verified: false,
        }
    }

    /// Tells of pairs that are not checked because they stand still in contact.
    pub fn warn_of_standing(&self, printer: &mut Printer) {
        warn_of_standing(self.bodies, &self.standing, printer);
    }

    /// All segments, with the place of their trajectory.
    pub fn segments(&self) -> impl Iterator<Item = (&CheckedPath, &SegmentAnswer)> {
        let paths = self.paths.iter();
        paths.flat_map(|path| path.answer.segments.iter().map(move |one| (path, one)))
    }

    /// True when it was stopped before its end.
    pub fn is_partial(&self) -> bool {
        self.paths.iter().any(|path| path.answer.is_partial)
    }

    /// True where all is proved; what touches is, unless a clearance is asked for.
    pub fn is_clean(&self) -> bool {
        let good = |one: &SegmentAnswer| one.verdict <= PathVerdict::Touch;
        !self.is_partial() && self.segments().all(|(_, one)| good(one))
    }

    /// What joints do on the segments, such as `cubic` or `linear and cubic`.
    pub fn interpolation(&self) -> String {
        let mut kinds: Vec<_> = self.segments().map(|(_, one)| one.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let words: Vec<&str> = kinds.into_iter().map(|kind| kind.as_str()).collect();
        words.join(" and ")
    }

    /// What follows the word `adjacent` of pairs that are not checked.
    pub fn standing_words(&self) -> String {
        match self.standing.len() {
            0 => String::new(),
            count => format!(", {count} standing in contact"),
        }
    }

    /// A body's name.
    pub fn name(&self, body: usize) -> &'a str {
        &self.bodies[body].name
    }

    /// The slice with the least clearance of a segment.
    pub fn least<'s>(&self, path: &'s CheckedPath, segment: usize) -> Option<&'s ClearanceSlice> {
        let slices = path.slices.iter().filter(|one| one.segment == segment);
        slices.min_by(|a, b| a.clearance.upper.total_cmp(&b.clearance.upper))
    }
}

/// Tells of pairs that are not checked because they stand still in contact.
fn warn_of_standing(bodies: &[Body], standing: &[(usize, usize)], printer: &mut Printer) {
    for &(a, b) in standing {
        printer.warning(format!(
            "`{}` and `{}` stand still and are in contact: not checked",
            bodies[a].name, bodies[b].name
        ));
    }
}
