//! A robot as the library has it, and what was found about it.

use super::RobotSettings;
use crate::goals::RobotGoal;
use crate::points::{Point, csv};
use crate::{Settings, keep_texts, record};
use gjk_check::parts::{Body, Meshes, build};
use gjk_scene::{LoadOptions, Robot, Scene, Srdf, load, read_srdf};
use indicatif::{ProgressBar, ProgressStyle};
use std::time::Instant;

/// A robot as the library has it.
#[derive(Clone)]
pub(super) struct Subject {
    pub(super) scene: Scene,
    pub(super) bodies: Vec<Body>,
    pub(super) srdf: Option<Srdf>,
}

/// What was measured, and what is wrong.
#[derive(Default)]
pub(super) struct Found {
    pub(super) points: Vec<Point>,
    pub(super) failed: Vec<String>,
}

impl Found {
    pub(super) fn push(&mut self, case: &str, size: usize, measure: &str, value: f64) {
        self.push_in("robot", case, size, measure, value);
    }

    /// The same in a part of its own, which is a table of its own.
    pub(super) fn push_in(
        &mut self,
        part: &str,
        case: &str,
        size: usize,
        measure: &str,
        value: f64,
    ) {
        let (part, case, measure) = (part.into(), case.into(), measure.into());
        self.points.push(Point {
            part,
            case,
            size,
            measure,
            value,
        });
    }

    pub(super) fn print_failed(&self) {
        self.failed.iter().for_each(|why| println!("FAILED: {why}"));
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
        let mut scene = load(&asked.urdf, &options).map_err(|why| why.to_string())?;
        if let Some(file) = &asked.scene {
            let robot = scene.robot.iter().flat_map(|robot| &robot.links);
            let options = LoadOptions {
                links: robot.map(|link| link.name.clone()).collect(),
                ..options
            };
            let world = load(file, &options).map_err(|why| why.to_string())?;
            let added = scene.add_world(world, file);
            added.map_err(|why| why.to_string())?;
        }
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

    /// Records what was found, as a file of this kind.
    pub(super) fn keep(
        &self,
        settings: &Settings,
        asked: &RobotSettings,
        kind: &str,
        found: &Found,
    ) -> Result<(), String> {
        let name = &self.scene.name;
        let (machine, lscpu) = record::machine();
        let facts = record::facts(&[], &machine);
        let text = format!(
            "{facts}# {kind} of {name}, seed {}\n{}",
            asked.seed,
            csv(&found.points)
        );
        let stem = name.split('.').next().unwrap_or(name);
        let file = format!(".{stem}.{kind}.csv");
        let files = [(file.as_str(), text.as_str())];
        keep_texts(settings, !settings.quick, &machine, &files, &lscpu)
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
pub(super) fn reached(robot: &str, goal: &RobotGoal, points: &[Point]) -> (Option<bool>, String) {
    let name = format!("{robot}, {}, {}", goal.case, goal.measure);
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

/// How far something is that may take an hour.
pub(super) fn progress(count: u64, of: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg} {eta}");
    let bar = ProgressBar::new(count).with_message(of);
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
