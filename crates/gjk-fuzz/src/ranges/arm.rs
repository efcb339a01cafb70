//! Random robots: a tree of few joints, whose links are simple bodies.
//!
//! Idea: numbers are drawn so that links of a chain come near one another within their limits about as often as not. Of each robot the URDF
//! file is what the library reads; the oracle has the numbers from here.

use crate::Rng;
use std::f64::consts::PI;
use std::fmt::Write;

/// A convex body in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Solid {
    /// The hull of points, with a ball around each.
    Points(Vec<[f64; 3]>, f64),
    /// A cylinder about z.
    Cylinder {
        /// Half of its height.
        half: f64,
        /// Its radius.
        radius: f64,
    },
}

/// A mesh: places and faces.
pub type ArmMesh = (Vec<[f64; 3]>, Vec<[u32; 3]>);

/// A link: the union of convex bodies, which may be the pieces of one mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct ArmLink {
    /// Its pieces; none for a link without geometry.
    pub pieces: Vec<Solid>,
    /// The `<geometry>` of the URDF file; of a mesh a name that stands for it.
    pub geometry: String,
    /// The mesh: places and faces.
    pub mesh: Option<ArmMesh>,
    /// Where it stands in the link: xyz and rpy.
    pub origin: [[f64; 3]; 2],
}

/// How a joint moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArmJointKind {
    /// It turns within limits.
    Revolute,
    /// It turns without limits.
    Continuous,
    /// It slides within limits.
    Prismatic,
    /// It does not move.
    Fixed,
}

/// A joint from a link to the next one.
#[derive(Clone, Debug, PartialEq)]
pub struct ArmJoint {
    /// How it moves.
    pub kind: ArmJointKind,
    /// The link that carries it; it moves the link of its own number plus one.
    pub parent: usize,
    /// Where it stands: xyz and rpy.
    pub origin: [[f64; 3]; 2],
    /// Of any length.
    pub axis: [f64; 3],
    /// The ends of its values.
    pub limits: [f64; 2],
    /// The joint that it follows, with the multiplier and the offset.
    pub mimic: Option<(usize, f64, f64)>,
}

/// A robot.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// Its links; the first one is the root.
    pub links: Vec<ArmLink>,
    /// Its joints: joint `k` moves link `k + 1`.
    pub joints: Vec<ArmJoint>,
}

fn vector(rng: &mut Rng, size: f64) -> [f64; 3] {
    [0; 3].map(|_| rng.range(-size, size))
}

fn words([x, y, z]: [f64; 3]) -> String {
    format!("{x:?} {y:?} {z:?}")
}

fn origin(rng: &mut Rng, size: f64) -> [[f64; 3]; 2] {
    let turned = match rng.below(3) {
        0 => [0.0; 3],
        1 => [0; 3].map(|_| rng.pick(&[0.0, 0.5 * PI, PI, -0.5 * PI])),
        _ => vector(rng, 3.0),
    };
    [vector(rng, size), turned]
}

/// A mesh that is not convex: a dart, drawn out along z, under a random linear map that keeps its sense.
fn dart(rng: &mut Rng) -> ArmLink {
    let outline = [[-0.2, -0.12], [0.0, -0.02], [0.2, -0.12], [0.0, 0.2]];
    let half = rng.range(0.02, 0.15);
    let stretch = [0; 3].map(|_| rng.range(0.6, 1.6));
    let place = |[x, y]: [f64; 2], z: f64| [x * stretch[0], y * stretch[1], z * stretch[2]];
    let mut points: Vec<[f64; 3]> = outline.iter().map(|&p| place(p, -half)).collect();
    points.extend(outline.iter().map(|&p| place(p, half)));
    let mut faces = vec![[4, 5, 7], [5, 6, 7], [0, 3, 1], [1, 3, 2]];
    for k in 0..4_u32 {
        let next = (k + 1) % 4;
        faces.push([k, next, next + 4]);
        faces.push([k, next + 4, k + 4]);
    }
    let piece = |corners: [usize; 3]| {
        let both = corners.into_iter().flat_map(|k| [points[k], points[k + 4]]);
        Solid::Points(both.collect(), 0.0)
    };
    ArmLink {
        pieces: vec![piece([0, 1, 3]), piece([1, 2, 3])],
        geometry: String::new(),
        mesh: Some((points, faces)),
        origin: [[0.0; 3]; 2],
    }
}

/// A tetrahedron.
fn tetrahedron(rng: &mut Rng) -> ArmLink {
    loop {
        let points: Vec<[f64; 3]> = (0..4).map(|_| vector(rng, 0.2)).collect();
        let edge = |k: usize| [0, 1, 2].map(|i: usize| points[k][i] - points[0][i]);
        let [a, b, c] = [edge(1), edge(2), edge(3)];
        let cross = [
            b[1] * c[2] - b[2] * c[1],
            b[2] * c[0] - b[0] * c[2],
            b[0] * c[1] - b[1] * c[0],
        ];
        let volume = a[0] * cross[0] + a[1] * cross[1] + a[2] * cross[2];
        if volume.abs() < 1e-4 {
            continue;
        }
        let mut faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        if volume < 0.0 {
            faces.iter_mut().for_each(|face| face.swap(1, 2));
        }
        return ArmLink {
            pieces: vec![Solid::Points(points.clone(), 0.0)],
            geometry: String::new(),
            mesh: Some((points, faces)),
            origin: [[0.0; 3]; 2],
        };
    }
}

fn link(rng: &mut Rng) -> ArmLink {
    let simple = |pieces: Vec<Solid>, geometry: String| ArmLink {
        pieces,
        geometry,
        mesh: None,
        origin: [[0.0; 3]; 2],
    };
    let radius = rng.range(0.03, 0.15);
    let half = rng.range(0.05, 0.3);
    let mut link = match rng.below(7) {
        0 => simple(Vec::new(), String::new()),
        1 => {
            let half = [0; 3].map(|_| rng.range(0.03, 0.25));
            let corner = |k: usize| {
                [0, 1, 2].map(|i: usize| if k >> i & 1 == 0 { -half[i] } else { half[i] })
            };
            let size = words(half.map(|x| 2.0 * x));
            simple(
                vec![Solid::Points((0..8).map(corner).collect(), 0.0)],
                format!("<box size=\"{size}\"/>"),
            )
        }
        2 => simple(
            vec![Solid::Points(vec![[0.0; 3]], radius)],
            format!("<sphere radius=\"{radius:?}\"/>"),
        ),
        3 => simple(
            vec![Solid::Points(
                vec![[0.0, 0.0, -half], [0.0, 0.0, half]],
                radius,
            )],
            format!(
                "<capsule radius=\"{radius:?}\" length=\"{:?}\"/>",
                2.0 * half
            ),
        ),
        4 => simple(
            vec![Solid::Cylinder { half, radius }],
            format!(
                "<cylinder radius=\"{radius:?}\" length=\"{:?}\"/>",
                2.0 * half
            ),
        ),
        5 => tetrahedron(rng),
        _ => dart(rng),
    };
    link.origin = origin(rng, 0.2);
    link
}

fn joint(rng: &mut Rng, k: usize, before: &[ArmJoint]) -> ArmJoint {
    let kind = match rng.below(8) {
        0 => ArmJointKind::Fixed,
        1 => ArmJointKind::Continuous,
        2 | 3 => ArmJointKind::Prismatic,
        _ => ArmJointKind::Revolute,
    };
    let limits = match kind {
        ArmJointKind::Prismatic => {
            let low = rng.range(-0.5, 0.2);
            [low, low + rng.range(0.0, 0.6)]
        }
        _ => {
            let low = rng.range(-3.2, 1.0);
            [low, low + rng.pick(&[0.2, 1.0, 2.0, 4.0, 7.0]) * rng.unit()]
        }
    };
    let axis = match rng.below(2) {
        0 => rng.pick(&[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]]),
        _ => {
            let mut axis = vector(rng, 1.0);
            axis[0] += axis[0].signum() * 0.1;
            axis
        }
    };
    let moves = |joint: &ArmJoint| joint.kind != ArmJointKind::Fixed && joint.mimic.is_none();
    let leaders: Vec<usize> = (0..before.len()).filter(|&k| moves(&before[k])).collect();
    let follows = kind != ArmJointKind::Fixed && !leaders.is_empty() && rng.one_in(6);
    let mimic = follows.then(|| {
        let leader = rng.pick(&leaders);
        let multiplier = rng.pick(&[1.0, -1.0, 0.5, -0.75, 2.0]);
        (leader, multiplier, rng.pick(&[0.0, 0.3]))
    });
    // Mostly a chain, sometimes a second arm.
    let parent = if rng.one_in(4) {
        rng.below(k as u64 + 1) as usize
    } else {
        k
    };
    ArmJoint {
        kind,
        parent,
        origin: origin(rng, 0.45),
        axis,
        limits,
        mimic,
    }
}

impl Arm {
    /// A robot of one to five joints.
    pub fn random(rng: &mut Rng) -> Self {
        let count = 1 + rng.below(5) as usize;
        let mut joints = Vec::new();
        for k in 0..count {
            let joint = joint(rng, k, &joints);
            joints.push(joint);
        }
        let links = (0..=count).map(|_| link(rng)).collect();
        Self { links, joints }
    }

    /// A state within the limits: a value a joint that a state sets, and what follows it.
    pub fn state(&self, value: &mut dyn FnMut([f64; 2]) -> f64) -> Vec<f64> {
        let mut values = vec![0.0; self.joints.len()];
        for (k, joint) in self.joints.iter().enumerate() {
            if joint.mimic.is_none() {
                values[k] = match joint.kind {
                    ArmJointKind::Fixed => 0.0,
                    // Any turn is a state of it.
                    ArmJointKind::Continuous => value([-7.0, 7.0]),
                    _ => value(joint.limits),
                };
            }
        }
        self.follow(&mut values);
        values
    }

    /// Sets the joints that follow others.
    pub fn follow(&self, values: &mut [f64]) {
        for (k, joint) in self.joints.iter().enumerate() {
            if let Some((leader, multiplier, offset)) = joint.mimic {
                values[k] = multiplier * values[leader] + offset;
            }
        }
    }

    /// Whether two links are next to each other, links without geometry left out.
    pub fn is_adjacent(&self, a: usize, b: usize) -> bool {
        let above = |link: usize| self.joints[link - 1].parent;
        let way_up = |mut link: usize| {
            let mut way = vec![link];
            while link > 0 {
                link = above(link);
                way.push(link);
            }
            way
        };
        let (mut one, mut other) = (way_up(a), way_up(b));
        let mut meeting = 0;
        while let (Some(x), Some(y)) = (one.last(), other.last())
            && x == y
        {
            meeting = *x;
            one.pop();
            other.pop();
        }
        let between = one.iter().chain(&other).chain([&meeting]);
        let mut between = between.filter(|&&link| link != a && link != b);
        between.all(|&link| self.links[link].pieces.is_empty())
    }

    /// Its URDF file. A mesh is a ball of radius 1 there, whose part is replaced once it is read.
    pub fn urdf(&self) -> String {
        let mut text = "<robot name=\"arm\">\n".to_owned();
        for (k, link) in self.links.iter().enumerate() {
            let [xyz, rpy] = link.origin.map(words);
            let geometry = match &link.mesh {
                Some(_) => "<sphere radius=\"1\"/>",
                None => &link.geometry,
            };
            let collision = if link.pieces.is_empty() {
                String::new()
            } else {
                format!(
                    "<collision><origin xyz=\"{xyz}\" rpy=\"{rpy}\"/><geometry>{geometry}</geometry></collision>"
                )
            };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  <link name=\"l{k}\">{collision}</link>");
            if let Some((points, faces)) = &link.mesh {
                let _ = writeln!(text, "  <!-- the mesh of l{k}: {points:?} {faces:?} -->");
            }
        }
        for (k, joint) in self.joints.iter().enumerate() {
            let kind = match joint.kind {
                ArmJointKind::Revolute => "revolute",
                ArmJointKind::Continuous => "continuous",
                ArmJointKind::Prismatic => "prismatic",
                ArmJointKind::Fixed => "fixed",
            };
            let [xyz, rpy] = joint.origin.map(words);
            let [lower, upper] = joint.limits;
            let mimic = joint.mimic.map(|(leader, multiplier, offset)| {
                format!("<mimic joint=\"j{leader}\" multiplier=\"{multiplier:?}\" offset=\"{offset:?}\"/>")
            });
            let _ = writeln!(
                text,
                "  <joint name=\"j{k}\" type=\"{kind}\"><parent link=\"l{}\"/><child link=\"l{}\"/><origin xyz=\"{xyz}\" rpy=\"{rpy}\"/>\
                 <axis xyz=\"{}\"/><limit lower=\"{lower:?}\" upper=\"{upper:?}\" effort=\"1\" velocity=\"1\"/>{}</joint>",
                joint.parent,
                k + 1,
                words(joint.axis),
                mimic.unwrap_or_default()
            );
        }
        text + "</robot>\n"
    }
}
