//! Paths against closed forms, dense samples and laws: small robots that are written here, and a Panda where it is there.

// A test that cannot go on should say where.
#![allow(clippy::unwrap_used)]
// A skipped test says so.
#![allow(clippy::print_stderr, clippy::print_stdout, unreachable_pub)]

mod arm;
mod laws;
mod measure;
mod meshes;
mod panda;
mod profile;

use gjk::query::Verdict;
use gjk_check::pairs::Pairs;
use gjk_check::parts::{Body, Meshes, build};
use gjk_check::{Check, Criteria};
use gjk_motion::{Interpolation, LinkPath, PathAnswer, PathOptions, PathSegment, SegmentAnswer};
use gjk_scene::{LoadOptions, Robot, Scene, Srdf, Trajectory, TrajectoryPoint, load_text};
use std::path::Path;

/// A robot and its bodies.
struct Built {
    scene: Scene,
    bodies: Vec<Body>,
    srdf: Option<Srdf>,
}

impl Built {
    fn new(urdf: &str) -> Self {
        let scene = load_text(urdf, Path::new("test.urdf"), &LoadOptions::default()).unwrap();
        Self::of(scene)
    }

    fn of(scene: Scene) -> Self {
        let bodies = build(&scene, Meshes::Exact).unwrap();
        Self {
            scene,
            bodies,
            srdf: None,
        }
    }

    fn robot(&self) -> &Robot {
        self.scene.robot.as_ref().unwrap()
    }

    fn path(&self, options: PathOptions) -> LinkPath<'_> {
        LinkPath::new(
            &self.scene,
            self.robot(),
            &self.bodies,
            self.srdf.as_ref(),
            options,
        )
    }

    fn check(&self, segments: &[PathSegment]) -> PathAnswer {
        self.path(PathOptions::default()).check(segments).unwrap()
    }

    fn line(&self, from: &[f64], to: &[f64]) -> PathSegment {
        let full = |values: &[f64]| self.full(values);
        PathSegment::line(self.robot(), &full(from), &full(to)).unwrap()
    }

    fn edge(&self, from: &[f64], to: &[f64]) -> SegmentAnswer {
        self.check(&[self.line(from, to)]).segments.remove(0)
    }

    /// The joints that are set, as indices.
    fn independent(&self) -> Vec<usize> {
        let joints = self.robot().joints.iter().enumerate();
        joints
            .filter(|(_, joint)| joint.is_independent())
            .map(|(index, _)| index)
            .collect()
    }

    /// A full state of the values of the joints that are set; those behind the last one are zero.
    fn full(&self, values: &[f64]) -> Vec<f64> {
        let mut state = vec![0.0; self.robot().joints.len()];
        for (joint, &value) in self.independent().into_iter().zip(values) {
            state[joint] = value;
        }
        self.robot().follow_mimics(&mut state);
        state
    }

    fn trajectory(&self, points: Vec<TrajectoryPoint>) -> Trajectory {
        let joints = self.independent();
        let count = points[0].positions.len();
        Trajectory {
            place: String::new(),
            joints: joints[..count].to_vec(),
            start: self.full(&points[0].positions),
            points,
            timed: true,
        }
    }

    fn segments(&self, points: Vec<TrajectoryPoint>, how: Interpolation) -> Vec<PathSegment> {
        PathSegment::of_trajectory(self.robot(), &self.trajectory(points), how).unwrap()
    }

    fn verdict(&self, bodies: (usize, usize), state: &[f64]) -> Verdict {
        let all = Pairs::new(&self.scene, &self.bodies, None, true);
        let criteria = Criteria {
            all_pairs: true,
            ..Criteria::default()
        };
        let poses = self.robot().forward_kinematics(state);
        let check = Check::new(&self.bodies, &all).criteria(criteria);
        check.between(bodies, &poses).unwrap().unwrap().verdict
    }

    fn name(&self, body: usize) -> &str {
        &self.bodies[body].name
    }
}

fn point(time: f64, positions: &[f64]) -> TrajectoryPoint {
    TrajectoryPoint {
        time,
        positions: positions.to_vec(),
        velocities: None,
        accelerations: None,
    }
}

fn link(name: &str, geometry: &str, origin: &str) -> String {
    format!(
        "<link name=\"{name}\"><collision><origin {origin}/><geometry>{geometry}</geometry></collision></link>"
    )
}

fn joint(name: &str, kind: &str, parent: &str, child: &str, xyz: &str, axis: &str) -> String {
    format!(
        "<joint name=\"{name}\" type=\"{kind}\"><parent link=\"{parent}\"/><child link=\"{child}\"/>\
         <origin xyz=\"{xyz}\"/><axis xyz=\"{axis}\"/><limit lower=\"-3\" upper=\"3\" effort=\"1\" velocity=\"1\"/></joint>"
    )
}

/// A planar arm of two capsules along x, a unit long and 0.1 thick, beside a post: a ball of radius 0.25 at (1.5, 0).
fn arm() -> Built {
    let along = "xyz=\"0.5 0 0\" rpy=\"0 1.5707963267948966 0\"";
    let capsule = "<capsule radius=\"0.1\" length=\"1\"/>";
    let parts = [
        link("base", "<sphere radius=\"0.1\"/>", "xyz=\"0 0 -5\""),
        link("post", "<sphere radius=\"0.25\"/>", ""),
        link("upper", capsule, along),
        link("fore", capsule, along),
        joint("stand", "fixed", "base", "post", "1.5 0 0", "0 0 1"),
        joint("shoulder", "revolute", "base", "upper", "0 0 0", "0 0 1"),
        joint("elbow", "revolute", "upper", "fore", "1 0 0", "0 0 1"),
    ];
    Built::new(&format!("<robot name=\"arm\">{}</robot>", parts.concat()))
}

/// The angle at which the straight arm touches the post: `1.5·sin = 0.25 + 0.1`.
fn contact() -> f64 {
    (0.35_f64 / 1.5).asin()
}

/// Two boxes of half size 0.5 on slides, along x and y, the second one of which stands at x = 2.
fn sliders() -> Built {
    let cube = "<box size=\"1 1 1\"/>";
    let parts = [
        link("base", "<sphere radius=\"0.1\"/>", "xyz=\"0 0 -5\""),
        link("one", cube, ""),
        link("other", cube, ""),
        joint("x", "prismatic", "base", "one", "0 0 0", "1 0 0"),
        joint("y", "prismatic", "base", "other", "2 0 0", "0 1 0"),
    ];
    Built::new(&format!(
        "<robot name=\"sliders\">{}</robot>",
        parts.concat()
    ))
}
