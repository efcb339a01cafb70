//! A robot as the library has it, and what was found about it.

use super::RobotSettings;
use crate::goals::{self, RobotGoal};
use crate::points::{Point, csv, table};
use crate::{Settings, keep_texts, record};
use gjk_check::parts::{Body, Meshes, build};
use gjk_scene::{LoadOptions, Robot, Scene, Srdf, load, read_srdf};
use std::time::Instant;

/// A robot as the library has it.
pub(super) struct Subject {
    pub(super) scene: Scene,
    pub(super) bodies: Vec<Body>,
    pub(super) srdf: Option<Srdf>,
}

/// What was measured, and what is wrong.
pub(super) struct Found {
    pub(super) points: Vec<Point>,
    pub(super) failed: Vec<String>,
}

impl Found {
    pub(super) fn push(&mut self, case: &str, size: usize, measure: &str, value: f64) {
        let (part, case, measure) = ("robot".into(), case.into(), measure.into());
        self.points.push(Point {
            part,
            case,
            size,
            measure,
            value,
        });
    }
}

impl Subject {
    pub(super) fn load(asked: &RobotSettings) -> Result<Self, String> {
        let packages = asked.packages.iter().map(|text| {
            let (name, folder) = text.split_once('=').ok_or("--package is NAME=DIR")?;
            Ok((name.to_owned(), folder.into()))
        });
        let packages: Result<_, String> = packages.collect();
        let options = LoadOptions {
            packages: packages?,
            ..LoadOptions::default()
        };
        let scene = load(&asked.urdf, &options).map_err(|why| why.to_string())?;
        let robot = scene.robot.as_ref().ok_or("not a robot")?;
        let srdf = asked.srdf.as_ref().map(|path| read_srdf(path, robot));
        let srdf = srdf.transpose().map_err(|why| why.to_string())?;
        let bodies = build(&scene, Meshes::Exact).map_err(|why| why.to_string())?;
        Ok(Self {
            scene,
            bodies,
            srdf,
        })
    }

    pub(super) fn robot(&self) -> Result<&Robot, String> {
        self.scene
            .robot
            .as_ref()
            .ok_or_else(|| "not a robot".into())
    }
}

/// The least seconds of some rounds, and what the last one found.
pub(super) fn fastest<T>(rounds: usize, run: impl Fn() -> T) -> (f64, T) {
    let timed = || {
        let begin = Instant::now();
        let found = run();
        (begin.elapsed().as_secs_f64(), found)
    };
    let mut best = timed();
    for _ in 1..rounds {
        let next = timed();
        best = (best.0.min(next.0), next.1);
    }
    best
}

/// A goal against what was measured.
pub(super) fn reached(goal: &RobotGoal, points: &[Point]) -> (Option<bool>, String) {
    let name = format!("{}, {}, {}", goal.robot, goal.case, goal.measure);
    let mut those = points.iter();
    let found = those.find(|point| point.case == goal.case && point.measure == goal.measure);
    let Some(point) = found else {
        return (None, format!("{name}: not measured"));
    };
    let (is_reached, wanted) = match (goal.most, goal.least) {
        (Some(most), _) => (point.value <= most, format!("at most {most}")),
        (None, Some(least)) => (point.value >= least, format!("at least {least}")),
        (None, None) => {
            return (
                None,
                format!("{name}: the goal says neither most nor least"),
            );
        }
    };
    (
        Some(is_reached),
        format!("{name}: {:.4}, {wanted}", point.value),
    )
}

