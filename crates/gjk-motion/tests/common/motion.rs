//! Paths of small robots, and their certificates.

use super::scene;
use gjk_check::parts::{self, Body, Meshes};
use gjk_check::states::Splitmix64;
use gjk_motion::{
    CertificateChecked, CertificateObjection, Interpolation, LinkPath, PathOptions, PathSegment,
    PathVerdict, ProvedPath, RobotCertificate, check_path_certificate, robot_hash,
};
use gjk_scene::{Robot, Scene, Trajectory, TrajectoryPoint};

/// A path of a robot, and what proves it.
#[derive(Clone)]
pub struct ProvedMotion {
    pub scene: Scene,
    pub bodies: Vec<Body>,
    pub segments: Vec<PathSegment>,
    pub pairs: Vec<(usize, usize)>,
    pub clearance: f64,
    pub verdicts: Vec<PathVerdict>,
    pub certificate: RobotCertificate,
}

impl ProvedMotion {
    pub fn new(scene: Scene, segments: Vec<PathSegment>, options: PathOptions) -> Self {
        let bodies = parts::build(&scene, Meshes::Exact).expect("shapes are good");
        let of_scene = scene.robot.as_ref().expect("it is a robot");
        let path = LinkPath::new(&scene, of_scene, &bodies, None, options);
        let answer = path.check(&segments).expect("states are finite");
        let both: Vec<_> = segments.iter().zip(&answer.segments).collect();
        let certificate = path.certificate(&both).expect("states are finite");
        let verdicts = answer.segments.iter().map(|one| one.verdict).collect();
        let pairs = path.checked_pairs().to_vec();
        Self {
            bodies,
            segments,
            pairs,
            clearance: options.clearance,
            verdicts,
            certificate,
            scene: scene.clone(),
        }
    }

    /// Lines between random states, a few times as far as the limits.
    pub fn lines(text: &str, count: usize, options: PathOptions) -> Self {
        let scene = scene(text);
        let robot = scene.robot.as_ref().expect("it is a robot");
        let mut draw = Splitmix64(11);
        let mut state = || robot.sample(&mut || draw.unit());
        let lines = (0..count).map(|_| PathSegment::line(robot, &state(), &state()));
        let lines: Result<Vec<_>, _> = lines.collect();
        Self::new(scene.clone(), lines.expect("numbers"), options)
    }

    /// A random trajectory with velocities, and with accelerations where the points are to have them.
    pub fn curved(text: &str, count: usize, accelerates: bool) -> Self {
        let scene = scene(text);
        let robot = scene.robot.as_ref().expect("it is a robot");
        let joints = robot.joints.iter().enumerate();
        let joints: Vec<usize> = joints
            .filter(|(_, joint)| joint.is_independent())
            .map(|(index, _)| index)
            .collect();
        let mut draw = Splitmix64(5);
        let points = (0..count).map(|k| {
            let state = robot.sample(&mut || draw.unit());
            let mut rates = || joints.iter().map(|_| draw.unit() - 0.5).collect();
            TrajectoryPoint {
                time: 0.7 * k as f64,
                positions: joints.iter().map(|&joint| state[joint]).collect(),
                velocities: Some(rates()),
                accelerations: accelerates.then(&mut rates),
            }
        });
        let trajectory = Trajectory {
            place: String::new(),
            points: points.collect(),
            joints: joints.clone(),
            start: robot.zero_state(),
            timed: true,
        };
        let segments = PathSegment::of_trajectory(robot, &trajectory, Interpolation::Auto);
        let segments = segments.expect("polynomials");
        Self::new(scene.clone(), segments, PathOptions::default())
    }

    pub fn check(&self) -> Result<CertificateChecked, CertificateObjection> {
        let segments: Vec<&PathSegment> = self.segments.iter().collect();
        let of = (&self.scene, &self.bodies[..]);
        let (pairs, clearance) = (&self.pairs, self.clearance);
        check_path_certificate(of, &segments, pairs, clearance, &self.certificate)
    }

    pub fn checked(&self) -> CertificateChecked {
        self.check()
            .unwrap_or_else(|objection| panic!("{objection}"))
    }

    pub fn path(&self) -> &ProvedPath {
        self.certificate.path.as_ref().expect("it is of a path")
    }

    pub fn stated(&self, change: impl FnOnce(&mut ProvedPath)) -> Self {
        let mut other = self.clone();
        change(other.certificate.path.as_mut().expect("it is of a path"));
        other
    }

    /// A straight line from one state of the independent joints to another.
    pub fn line(text: &str, from: &[f64], to: &[f64], options: PathOptions) -> Self {
        let scene = scene(text);
        let robot = scene.robot.as_ref().expect("it is a robot");
        let line = PathSegment::line(robot, from, to).expect("numbers");
        Self::new(scene.clone(), vec![line], options)
    }

    /// The scene changed, and the certificate says that it is about this one.
    pub fn of_scene(&self, change: impl FnOnce(&mut Scene)) -> Self {
        let mut other = self.clone();
        change(&mut other.scene);
        other.certificate.robot_hash = robot_hash(&other.scene);
        other
    }

    /// The robot changed, and the certificate says that it is about this one.
    pub fn of_robot(&self, change: impl FnOnce(&mut Robot)) -> Self {
        let mut other = self.clone();
        change(other.scene.robot.as_mut().expect("it is a robot"));
        other.certificate.robot_hash = robot_hash(&other.scene);
        other
    }

    pub fn reason(&self) -> String {
        self.check().expect_err("a mutant").to_string()
    }

    pub fn count(&self, verdict: PathVerdict) -> usize {
        self.verdicts.iter().filter(|&&one| one == verdict).count()
    }
}
