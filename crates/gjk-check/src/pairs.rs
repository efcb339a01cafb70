//! Which pairs of bodies are checked, and why the others are not.

use crate::parts::Body;
use gjk_scene::{Scene, Srdf};
use std::collections::{HashMap, HashSet};

/// Why a pair is not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Skip {
    /// One joint joins the two links.
    Adjacent,
    /// The SRDF file or the scene file says so.
    Disabled,
    /// Two bodies of the world around a robot, which nothing moves.
    World,
}

/// The pairs to check.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    /// Pairs of the scene's bodies that are left out, the lower index first.
    skipped_in_scene: HashMap<(usize, usize), Skip>,
    /// Pairs of the report's bodies of which nothing is left.
    skipped: HashSet<(usize, usize)>,
    /// How many pairs of bodies are checked.
    pub considered: usize,
    /// How many are left out because one joint joins them.
    pub adjacent: usize,
    /// How many are left out because a file says so.
    pub disabled: usize,
}

impl Pairs {
    /// The rules of a scene, for its bodies as the report has them.
    pub fn new(
        scene: &Scene,
        bodies: &[Body],
        srdf: Option<&Srdf>,
        include_adjacent: bool,
    ) -> Self {
        let mut pairs = Self::default();
        pairs.skip_world(scene);
        // The first reason stays.
        if !include_adjacent {
            pairs.skip_adjacent(scene);
        }
        if let Some(srdf) = srdf {
            pairs.skip_disabled(scene, srdf);
        }
        for &pair in &scene.allow {
            pairs.skipped_in_scene.entry(pair).or_insert(Skip::Disabled);
        }
        pairs.count(bodies);
        pairs
    }

    fn skip_world(&mut self, scene: &Scene) {
        let Some(robot) = &scene.robot else { return };
        let bodies = scene.bodies.iter().enumerate();
        let world: Vec<usize> = bodies
            .filter(|(_, body)| body.link.is_some_and(|link| robot.is_world(link)))
            .map(|(index, _)| index)
            .collect();
        for (k, &a) in world.iter().enumerate() {
            for &b in &world[k + 1..] {
                self.skipped_in_scene.insert((a, b), Skip::World);
            }
        }
    }

    fn skip_adjacent(&mut self, scene: &Scene) {
        let Some(robot) = &scene.robot else { return };
        let of_link: HashMap<usize, usize> = scene
            .bodies
            .iter()
            .enumerate()
            .filter_map(|(index, body)| Some((body.link?, index)))
            .collect();
        for (a, b) in robot.adjacent_links() {
            if let (Some(&a), Some(&b)) = (of_link.get(&a), of_link.get(&b)) {
                self.skipped_in_scene
                    .insert((a.min(b), a.max(b)), Skip::Adjacent);
            }
        }
    }

    fn skip_disabled(&mut self, scene: &Scene, srdf: &Srdf) {
        for (b, other) in scene.bodies.iter().enumerate() {
            for (a, one) in scene.bodies[..b].iter().enumerate() {
                if let (Some(one), Some(other)) = (one.link, other.link)
                    && srdf.is_disabled(one, other)
                {
                    self.skipped_in_scene
                        .entry((a, b))
                        .or_insert(Skip::Disabled);
                }
            }
        }
    }

    /// Carries the rules from the scene's bodies over to the report's: a pair is left out when all its members' pairs are.
    fn count(&mut self, bodies: &[Body]) {
        let owner: HashMap<usize, usize> = bodies
            .iter()
            .enumerate()
            .flat_map(|(index, body)| {
                body.scene_bodies
                    .iter()
                    .map(move |&scene_body| (scene_body, index))
            })
            .collect();
        let mut members: HashMap<(usize, usize), (usize, Skip)> = HashMap::new();
        for (&(a, b), &skip) in &self.skipped_in_scene {
            if let (Some(&a), Some(&b)) = (owner.get(&a), owner.get(&b))
                && a != b
            {
                let entry = members.entry((a.min(b), a.max(b))).or_insert((0, skip));
                let is_adjacent = [entry.1, skip].contains(&Skip::Adjacent);
                let skip = if is_adjacent { Skip::Adjacent } else { skip };
                *entry = (entry.0 + 1, skip);
            }
        }
        for (pair, (count, skip)) in members {
            if count == bodies[pair.0].scene_bodies.len() * bodies[pair.1].scene_bodies.len() {
                self.skipped.insert(pair);
                match skip {
                    Skip::Adjacent => self.adjacent += 1,
                    Skip::Disabled => self.disabled += 1,
                    Skip::World => {}
                }
            }
        }
        self.considered = bodies.len() * bodies.len().saturating_sub(1) / 2 - self.skipped.len();
    }

    /// True when nothing of this pair of the report's bodies is checked; `a < b`.
    pub fn is_skipped(&self, a: usize, b: usize) -> bool {
        self.skipped.contains(&(a, b))
    }

    /// True when this pair of the scene's bodies is left out.
    pub fn is_skipped_in_scene(&self, a: usize, b: usize) -> bool {
        self.skipped_in_scene.contains_key(&(a.min(b), a.max(b)))
    }

    /// All pairs that are checked, in input order.
    pub fn all(&self, bodies: usize) -> Vec<(usize, usize)> {
        let pairs = (0..bodies).flat_map(|a| (a + 1..bodies).map(move |b| (a, b)));
        pairs.filter(|&(a, b)| !self.is_skipped(a, b)).collect()
    }
}
