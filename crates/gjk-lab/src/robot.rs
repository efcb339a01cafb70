//! Assemblies and robots: the bodies of a file, where its joints put them, and every pair that is near.
//!
//! Where it sits: over `gjk-check`, which `gjk check` is too, so that both say the same of a state.

use crate::draw::{Figure, Item};
use crate::many_body::{self, Asked, Model, Place};
use gjk::query::Verdict;
use gjk::shape::Shape;
use gjk_check::pairs::Pairs;
use gjk_check::parts::{self, Body, Part};
use gjk_check::states::States;
use gjk_check::{Check, Criteria, PairProximity};
use gjk_query::convert::{self, InputError};
use gjk_scene::{
    Affine, BodySpec, Geometry, Joint, JointKind, Limits, LoadOptions, PoseSpec, Scene, SceneError,
    ShapeSpec, Srdf, load_text,
};
use serde::Serialize;
use serde_json::{Value, json};
use std::f64::consts::PI;
use std::path::Path;

/// Pairs that the page lists.
const PAIRS_LISTED: usize = 60;
/// With more pairs than this only those that meet are asked: a slider moves sixty times a second.
const PAIRS_ALL: usize = 3000;
/// Nearest pairs between which a line is drawn.
const LINES: usize = 3;

/// The bodies of a file.
pub struct RobotScene {
    scene: Scene,
    bodies: Vec<Body>,
    pairs: Pairs,
}

/// A joint that a slider moves.
#[derive(Serialize)]
struct Slider<'r> {
    joint: usize,
    name: &'r str,
    lower: f64,
    upper: f64,
    /// `rad` or `m`.
    unit: &'static str,
}

/// A pair of the list.
#[derive(Serialize)]
struct Listed<'r> {
    bodies: (usize, usize),
    names: [&'r str; 2],
    verdict: &'static str,
    exact: bool,
    lower: f64,
    upper: f64,
}

impl RobotScene {
    /// The bodies of a scene; a robot's pairs of neighbours and those that the SRDF file names are left out.
    ///
    /// # Errors  a shape that the library refuses.
    pub fn new(scene: Scene, srdf: Option<&Srdf>) -> Result<Self, SceneError> {
        let bodies = parts::build(&scene, parts::Meshes::Hull)?;
        let pairs = Pairs::new(&scene, &bodies, srdf, false);
        Ok(Self {
            scene,
            bodies,
            pairs,
        })
    }

    /// The lab's own robot.
    ///
    /// # Errors  none, as the tests show.
    pub fn example() -> Result<Self, SceneError> {
        let text = include_str!("../robots/reach.urdf");
        Self::new(
            load_text(text, Path::new("reach.urdf"), &LoadOptions::default())?,
            None,
        )
    }

    /// Its name, of the file.
    pub(crate) fn name(&self) -> &str {
        &self.scene.name
    }

    /// What is drawn once, what can be moved, and the state at zero. The clock says seconds since any fixed moment.
    pub(crate) fn begin(&self, clock: fn() -> f64) -> Result<Value, InputError> {
        let values = self
            .scene
            .robot
            .as_ref()
            .map(gjk_scene::Robot::zero_state)
            .unwrap_or_default();
        let mut shown = self.state(values, clock)?;
        let models = self
            .parts()
            .map(|(body, part)| Model::new(&body.name, "mover", &*part.shape));
        shown["models"] = json!(models.collect::<Vec<_>>());
        shown["sliders"] = json!(self.sliders());
        shown["name"] = json!(self.name());
        shown["unit"] = json!(self.scene.unit);
        Ok(shown)
    }

    /// Everything in a state of its joints.
    ///
    /// # Errors  another count of values, numbers that are not finite or put a part beyond their range.
    pub(crate) fn state(&self, values: Vec<f64>, clock: fn() -> f64) -> Result<Value, InputError> {
        let links = self.links(&values)?;
        let criteria = Criteria {
            all_pairs: self.pairs.considered <= PAIRS_ALL,
            ..Criteria::default()
        };
        let states = States::new(&self.scene, vec![values.clone()]);
        let start = clock();
        let result = Check::new(&self.bodies, &self.pairs)
            .criteria(criteria)
            .run(&states)
            .map_err(told)?;
        let seconds = clock() - start;
        let mut found = result.pairs;
        found.sort_by(|one, other| one.proximity.upper.total_cmp(&other.proximity.upper));
        let meets = |pair: &PairProximity| {
            matches!(
                pair.proximity.verdict,
                Verdict::Touching | Verdict::Overlapping
            )
        };
        let mut hit = vec![false; self.bodies.len()];
        for pair in found
            .iter()
            .filter(|pair| pair.proximity.verdict == Verdict::Overlapping)
        {
            (hit[pair.bodies.0], hit[pair.bodies.1]) = (true, true);
        }
        let place = |(index, body): (usize, &Body)| -> Vec<Place> {
            let of = |part: &Part| {
                Place::new::<gjk::Vec3<f64>>(&convert::affine(&part.pose(&links)), hit[index])
            };
            body.parts.iter().map(of).collect()
        };
        let places: Vec<Place> = self.bodies.iter().enumerate().flat_map(place).collect();
        let contacts = found.iter().filter(|pair| meets(pair)).count();
        let asked = Asked {
            pairs: self.pairs.considered,
            contacts,
            seconds,
        };
        let listed: Vec<Listed<'_>> = found
            .iter()
            .take(PAIRS_LISTED)
            .map(|pair| self.listed(pair))
            .collect();
        Ok(
            json!({"joints": values, "places": places, "items": items(&found), "pairs": listed, "asked": asked}),
        )
    }

    /// The parts of two bodies where they are nearest or deepest in a state, as a query.
    ///
    /// # Errors  as [`RobotScene::state`]; bodies that are none.
    pub(crate) fn pair(&self, values: &[f64], bodies: (usize, usize)) -> Result<Value, InputError> {
        let links = self.links(values)?;
        let (a, b) = (bodies.0.min(bodies.1), bodies.0.max(bodies.1));
        if a == b || b >= self.bodies.len() {
            return Err(InputError::new(
                "bad_request",
                "bodies",
                "expected two bodies by their numbers",
            ));
        }
        let criteria = Criteria {
            all_pairs: true,
            ..Criteria::default()
        };
        let result = Check::new(&self.bodies, &self.pairs)
            .criteria(criteria)
            .run(&States::new(&self.scene, vec![values.to_vec()]))
            .map_err(told)?;
        let nearest = result.pairs.iter().find(|pair| pair.bodies == (a, b));
        let (i, j) = nearest.map_or((0, 0), |pair| pair.proximity.parts);
        let [one, other] = [(a, i), (b, j)].map(|(body, part)| self.spec(body, part, &links));
        let names = [a, b].map(|k| self.bodies[k].name.as_str());
        Ok(json!({"id": format!("{}, {}", names[0], names[1]), "dim": 3, "a": one, "b": other}))
    }

    fn links(&self, values: &[f64]) -> Result<Vec<Affine>, InputError> {
        let robot = self.scene.robot.as_ref();
        let count = robot.map_or(0, |robot| robot.joints.len());
        if values.len() != count || !values.iter().all(|x| x.is_finite()) {
            let message = format!("expected {count} finite numbers, one a joint");
            return Err(InputError::new("bad_request", "joints", message));
        }
        Ok(robot
            .map(|robot| robot.forward_kinematics(values))
            .unwrap_or_default())
    }

    fn parts(&self) -> impl Iterator<Item = (&Body, &Part)> {
        self.bodies
            .iter()
            .flat_map(|body| body.parts.iter().map(move |part| (body, part)))
    }

    fn sliders(&self) -> Vec<Slider<'_>> {
        let joints = self
            .scene
            .robot
            .iter()
            .flat_map(|robot| robot.joints.iter().enumerate());
        let moved = joints.filter(|(_, joint)| joint.is_independent());
        moved
            .map(
                |(
                    joint,
                    Joint {
                        name, kind, limits, ..
                    },
                )| {
                    let Limits { lower, upper } = limits.unwrap_or(Limits {
                        lower: -PI,
                        upper: PI,
                    });
                    Slider {
                        joint,
                        name,
                        lower,
                        upper,
                        unit: if *kind == JointKind::Prismatic {
                            "m"
                        } else {
                            "rad"
                        },
                    }
                },
            )
            .collect()
    }

    fn listed(&self, pair: &PairProximity) -> Listed<'_> {
        let (a, b) = pair.bodies;
        Listed {
            bodies: pair.bodies,
            names: [&self.bodies[a].name, &self.bodies[b].name],
            verdict: pair.proximity.verdict.name(),
            exact: pair.proximity.exact,
            lower: pair.proximity.lower,
            upper: pair.proximity.upper,
        }
    }

    /// A part as the body of a query: a mesh as the corners of its hull.
    fn spec(&self, body: usize, part: usize, links: &[Affine]) -> BodySpec {
        let placed = &self.bodies[body].parts[part];
        let shape = match (
            &self.scene.bodies[placed.scene_body].parts[part].geometry,
            &*placed.shape,
        ) {
            (Geometry::Shape(spec), _) => spec.clone(),
            (_, Shape::Polytope(hull)) => ShapeSpec::Convex {
                points: hull
                    .vertices()
                    .iter()
                    .map(|p| vec![p.x, p.y, p.z])
                    .collect(),
            },
            // A mesh is a polytope and nothing else.
            _ => ShapeSpec::Point {
                point: vec![0.0; 3],
            },
        };
        let Affine {
            linear,
            translation,
        } = placed.pose(links);
        let pose = PoseSpec {
            translation: Some(translation.to_vec()),
            rotation_matrix: Some(linear.iter().map(|row| row.to_vec()).collect()),
            ..PoseSpec::default()
        };
        BodySpec {
            shape,
            pose: Some(pose),
        }
    }
}

/// The contacts, and lines between the nearest of those that are apart.
fn items(found: &[PairProximity]) -> Vec<Item> {
    let mut items = Vec::new();
    let mut lines = 0;
    for PairProximity {
        proximity: found, ..
    } in found
    {
        let points = [found.point_a.to_vec(), found.point_b.to_vec()];
        if found.verdict != Verdict::Separated {
            items.extend(many_body::contact(points, found.normal.to_vec()));
        } else if lines < LINES {
            lines += 1;
            items.push(Item::world(
                "gap",
                Figure::Line {
                    points: points.to_vec(),
                },
            ));
        }
    }
    items
}

fn told(error: SceneError) -> InputError {
    InputError::new("bad_state", "joints", error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOCK: fn() -> f64 = || 0.0;

    #[test]
    fn the_example_stands_on_its_table_and_moves() {
        let robot = RobotScene::example().expect("the example");
        let shown = robot.begin(CLOCK).expect("a state");
        let pair = |shown: &Value, names: [&str; 2]| {
            let pairs = shown["pairs"].as_array().expect("a list").clone();
            pairs
                .into_iter()
                .find(|pair| pair["names"] == json!(names))
                .unwrap_or_else(|| panic!("{names:?}"))
        };
        assert_eq!(pair(&shown, ["table", "base"])["verdict"], "touching");
        assert_eq!(pair(&shown, ["table", "ball"])["verdict"], "touching");
        assert_eq!(shown["sliders"].as_array().map(Vec::len), Some(6));
        assert_eq!(
            shown["models"].as_array().map(Vec::len),
            shown["places"].as_array().map(Vec::len)
        );
        // The arm bent to the table.
        let mut values = robot.scene.robot.as_ref().expect("a robot").zero_state();
        let shoulder = robot
            .scene
            .robot
            .as_ref()
            .and_then(|r| r.joint_index("shoulder"))
            .expect("a joint");
        values[shoulder] = 1.9;
        values[shoulder + 1] = 0.1;
        let bent = robot.state(values.clone(), CLOCK).expect("a state");
        let hand = pair(&bent, ["table", "palm"]);
        assert_eq!(hand["verdict"], "overlapping", "{hand}");
        // The same pair, as a query of its own.
        let bodies = (
            hand["bodies"][0].as_u64().expect("a") as usize,
            hand["bodies"][1].as_u64().expect("b") as usize,
        );
        let query = robot.pair(&values, bodies).expect("a query");
        let environment = crate::Environment {
            clock: CLOCK,
            robot: None,
            meshes: None,
        };
        let answer = crate::respond(
            &json!({"ask": "query", "query": query}).to_string(),
            &environment,
        );
        assert!(
            answer.contains(r#""verdict":"overlapping""#),
            "{answer:.400}"
        );
    }

    #[test]
    fn a_state_of_another_size_is_refused() {
        let robot = RobotScene::example().expect("the example");
        assert!(robot.state(vec![0.0], CLOCK).is_err());
        assert!(robot.pair(&[], (0, 1)).is_err());
        let zero = robot.scene.robot.as_ref().expect("a robot").zero_state();
        assert!(robot.pair(&zero, (0, 99)).is_err());
    }
}
