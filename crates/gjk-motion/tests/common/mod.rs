//! Small robots, and the certificates of their matrices.
#![allow(dead_code, unreachable_pub, clippy::print_stderr)]

pub mod motion;

use gjk_check::parts::{self, Body, Meshes};
use gjk_motion::{
    CertificateChecked, CertificateObjection, LinkMatrix, Matrix, MatrixOptions, RangeOptions,
    RobotCertificate, check_certificate, robot_hash,
};
use gjk_scene::{LimitSet, LoadOptions, Robot, Scene, load, load_text};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The folder of collected robots and meshes: `GJK_DATA`, or `shared/data` beside the repository. Absent: the test says so and passes.
pub fn data() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("GJK_DATA").map_or(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!(
        "SKIPPED: no test data at {}; set GJK_DATA",
        folder.display()
    );
    None
}

/// A robot with all that was proved of it.
#[derive(Clone)]
pub struct Proved {
    pub scene: Scene,
    pub bodies: Vec<Body>,
    pub matrix: Matrix,
    pub certificate: RobotCertificate,
}

impl Proved {
    pub fn new(scene: Scene, options: MatrixOptions) -> Self {
        Self::with_samples(scene, options, 0)
    }

    /// With random states, which tell what may always overlap.
    pub fn with_samples(scene: Scene, options: MatrixOptions, samples: u32) -> Self {
        let options = MatrixOptions {
            samples,
            range: RangeOptions {
                keep_nodes: true,
                ..options.range
            },
            ..options
        };
        let robot = scene.robot.clone().expect("it is a robot");
        let bodies = parts::build(&scene, Meshes::Exact).expect("shapes are good");
        let maker = LinkMatrix::new(&scene, &robot, &bodies, &options).expect("limits are good");
        let matrix = maker.run().expect("states are finite");
        let certificate = maker.certificate(&matrix);
        Self {
            scene,
            bodies,
            matrix,
            certificate,
        }
    }

    pub fn of_text(text: &str, limits: LimitSet) -> Self {
        let options = MatrixOptions {
            limits: limits.into(),
            ..MatrixOptions::default()
        };
        Self::new(scene(text), options)
    }

    pub fn check(&self) -> Result<CertificateChecked, CertificateObjection> {
        check_certificate(&self.scene, &self.bodies, &self.certificate)
    }

    /// The certificate changed.
    pub fn stated(&self, change: impl FnOnce(&mut RobotCertificate)) -> Self {
        let mut other = self.clone();
        change(&mut other.certificate);
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
}

pub fn scene(text: &str) -> Scene {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("gjk-motion-{}-{count}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).expect("the temporary folder can be written");
    std::fs::write(folder.join("hook.obj"), hook()).expect("the file can be written");
    std::fs::write(folder.join("cube.obj"), CUBE).expect("the file can be written");
    let cup = &CUBE[..CUBE.find("f 5").expect("the upper side")];
    std::fs::write(folder.join("cup.obj"), cup).expect("the file can be written");
    let path = folder.join("robot.urdf");
    let found = load_text(text, &path, &LoadOptions::default());
    // A folder that stays behind does no harm.
    let _ = std::fs::remove_dir_all(&folder);
    found.expect("the robot is good")
}

pub fn scene_of_file(path: &Path) -> Scene {
    load(path, &LoadOptions::default()).expect("the robot is good")
}

/// A cube from -1 to 1, two triangles a side: x, y, z, below and above.
const CUBE: &str = "v -1 -1 -1\nv 1 -1 -1\nv -1 1 -1\nv 1 1 -1\nv -1 -1 1\nv 1 -1 1\nv -1 1 1\nv 1 1 1
f 1 5 7\nf 1 7 3\nf 2 4 8\nf 2 8 6\nf 1 2 6\nf 1 6 5\nf 3 7 8\nf 3 8 4\nf 1 3 4\nf 1 4 2\nf 5 6 8\nf 5 8 7\n";

/// An L in the plane, 0.1 thick: a post up to 0.5, and a foot out to 0.5.
fn hook() -> String {
    let outline = [
        [0.0, 0.0],
        [0.5, 0.0],
        [0.5, 0.1],
        [0.1, 0.1],
        [0.1, 0.5],
        [0.0, 0.5],
    ];
    let mut text = String::new();
    for z in [-0.05, 0.05] {
        for [x, y] in outline {
            text += &format!("v {x} {y} {z}\n");
        }
    }
    let caps = [[1, 2, 3], [1, 3, 4], [1, 4, 5], [1, 5, 6]];
    for [a, b, c] in caps {
        text += &format!("f {a} {c} {b}\nf {} {} {}\n", a + 6, b + 6, c + 6);
    }
    for k in 1..=6 {
        let next = k % 6 + 1;
        text += &format!("f {k} {next} {}\nf {k} {} {}\n", next + 6, next + 6, k + 6);
    }
    text
}

pub fn link(name: &str, geometry: &str, xyz: &str) -> String {
    format!(
        r#"<link name="{name}"><collision><origin xyz="{xyz}" rpy="0 0 0"/><geometry>{geometry}</geometry></collision></link>"#
    )
}

pub fn joint(name: &str, kind: &str, ends: [&str; 2], xyz: &str, rest: &str) -> String {
    let [parent, child] = ends;
    format!(
        r#"<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/><origin xyz="{xyz}" rpy="0 0 0"/>{rest}</joint>"#
    )
}

pub fn robot(inside: &[String]) -> String {
    format!(r#"<robot name="small">{}</robot>"#, inside.concat())
}

/// Four links in a row in the plane, boxes and capsules, that cannot fold back on one another.
pub fn planar_arm() -> String {
    let turn =
        |limit: f64| format!(r#"<axis xyz="0 0 1"/><limit lower="-{limit}" upper="{limit}"/>"#);
    let capsule = r#"<capsule radius="0.03" length="0.3"/>"#;
    robot(&[
        link("base", r#"<box size="0.3 0.08 0.1"/>"#, "-0.15 0 0"),
        link("upper", r#"<box size="0.3 0.06 0.06"/>"#, "0.2 0 0"),
        format!(
            r#"<link name="lower"><collision><origin xyz="0.2 0 0" rpy="0 1.5707963267948966 0"/><geometry>{capsule}</geometry></collision></link>"#
        ),
        link(
            "tool",
            r#"<cylinder radius="0.04" length="0.1"/>"#,
            "0.1 0 0.01",
        ),
        joint("j1", "revolute", ["base", "upper"], "0 0 0", &turn(0.9)),
        joint("j2", "revolute", ["upper", "lower"], "0.4 0 0", &turn(1.1)),
        joint("j3", "revolute", ["lower", "tool"], "0.4 0 0", &turn(1.0)),
    ])
}

/// A palm with two fingers, of which one follows the other the other way.
pub fn gripper() -> String {
    let finger = r#"<box size="0.02 0.1 0.02"/>"#;
    robot(&[
        link("palm", r#"<box size="0.1 0.02 0.04"/>"#, "0 -0.04 0"),
        link("left", finger, "0 0.06 0"),
        link("right", finger, "0 0.06 0"),
        joint(
            "open",
            "revolute",
            ["palm", "left"],
            "-0.05 0 0",
            r#"<axis xyz="0 0 1"/><limit lower="-0.2" upper="0.8"/>"#,
        ),
        joint(
            "follow",
            "revolute",
            ["palm", "right"],
            "0.05 0 0",
            r#"<axis xyz="0 0 1"/><limit lower="-0.8" upper="0.2"/><mimic joint="open" multiplier="-1"/>"#,
        ),
    ])
}

/// Two carriages on rails that cross above each other.
pub fn rails() -> String {
    let slide = |axis: &str| format!(r#"<axis xyz="{axis}"/><limit lower="-0.5" upper="0.5"/>"#);
    robot(&[
        link("frame", r#"<box size="0.1 0.1 0.02"/>"#, "0 0 -0.2"),
        link("low", r#"<box size="0.2 0.2 0.05"/>"#, "0 0 0"),
        link("high", r#"<sphere radius="0.1"/>"#, "0 0 0"),
        joint("x", "prismatic", ["frame", "low"], "0 0 0", &slide("1 0 0")),
        joint(
            "y",
            "prismatic",
            ["frame", "high"],
            "0 0 0.2",
            &slide("0 1 0.1"),
        ),
    ])
}

/// A wheel beside a hook: a rod turns in the hook's corner, so that its hull is not enough.
pub fn hooked() -> String {
    robot(&[
        link("hook", r#"<mesh filename="hook.obj"/>"#, "0 0 0"),
        link("hub", r#"<sphere radius="0.01"/>"#, "0 0 0"),
        link("rod", r#"<box size="0.1 0.02 0.02"/>"#, "0.03 0 0"),
        joint(
            "lift",
            "prismatic",
            ["hook", "hub"],
            "0.25 0.25 0",
            r#"<axis xyz="0 0 1"/><limit lower="-0.02" upper="0.02"/>"#,
        ),
        joint(
            "spin",
            "continuous",
            ["hub", "rod"],
            "0 0 0",
            r#"<axis xyz="0 0 1"/>"#,
        ),
    ])
}

/// An arm of two capsules along x in the plane, 0.5 long each, beside a post, which it may meet.
pub fn beside_a_post() -> String {
    let along = |name: &str| {
        format!(
            r#"<link name="{name}"><collision><origin xyz="0.25 0 0" rpy="0 1.5707963267948966 0"/><geometry><capsule radius="0.05" length="0.5"/></geometry></collision></link>"#
        )
    };
    let turn = r#"<axis xyz="0 0 1"/><limit lower="-2" upper="2"/>"#;
    robot(&[
        link("base", r#"<sphere radius="0.05"/>"#, "0 0 -1"),
        link("post", r#"<sphere radius="0.1"/>"#, "0 0 0"),
        along("upper"),
        along("fore"),
        joint("stand", "fixed", ["base", "post"], "0.7 0 0", ""),
        joint("shoulder", "revolute", ["base", "upper"], "0 0 0", turn),
        joint("elbow", "revolute", ["upper", "fore"], "0.5 0 0", turn),
    ])
}

/// A bar on which a pin slides and turns: it is through the bar at all times.
pub fn skewered() -> String {
    let slide = r#"<axis xyz="1 0 0"/><limit lower="-0.3" upper="0.3"/>"#;
    let turn = r#"<axis xyz="0 0 1"/><limit lower="-0.3" upper="0.3"/>"#;
    robot(&[
        link(
            "cube",
            r#"<mesh filename="cube.obj" scale="0.4 0.1 0.1"/>"#,
            "0 0 0",
        ),
        link("hub", r#"<sphere radius="0.01"/>"#, "0 0 5"),
        link("pin", r#"<cylinder radius="0.06" length="0.5"/>"#, "0 0 0"),
        joint("go", "prismatic", ["cube", "hub"], "0 0 0", slide),
        joint("turn", "revolute", ["hub", "pin"], "0 0 0", turn),
    ])
}
