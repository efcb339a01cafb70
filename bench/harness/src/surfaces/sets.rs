//! The sets of pairs of meshes, as workload files.
//!
//! Sets of real meshes are made where their files are at hand (`../shared/data`, see its `INDEX.csv`), and left out by name where not; noise
//! spheres are made from nothing. A quick run takes a part of the pairs and no sphere of more than 100,000 triangles.

use super::noise;
use crate::chosen;
use crate::robot::{RobotSettings, workload};
use crate::shapes::Rng;
use bench_protocol::{Pair, Place, Shape, Workload};
use gjk_scene::Affine;
use serde::Deserialize;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Rises when what is made here changes.
const VERSION: u32 = 1;
const SEED: u64 = 1;
/// A quick run takes one pair of so many.
const QUICK: usize = 10;
/// `within` is this part of the bodies' mean size.
const NEAR: f64 = 0.01;
/// Distances of the middles of two noise spheres, in sums of their radii.
const GAPS: [f64; 5] = [1.5, 1.2, 1.0, 0.8, 0.6];
const STANDING: Place = Place {
    rotation: [0.0, 0.0, 0.0, 1.0],
    translation: [0.0; 3],
};

/// A set, and its file.
pub(super) struct Set {
    pub(super) name: String,
    pub(super) path: PathBuf,
    pub(super) workload: Workload,
    /// What it is asked.
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// All operations; the goals are about these.
    Pairs,
    /// For the costs by triangles.
    Curve,
    /// For the costs by triangles, and so large that it is asked once, of the fastest.
    Large,
    /// Points in solids.
    Points,
    /// Pairs of one relation.
    Relation,
}

impl Set {
    /// Triangles of a mesh, on average over the meshes.
    pub(super) fn triangles(&self) -> usize {
        self.workload.triangles() / self.workload.shapes.len().max(1)
    }
}

/// How a set is made.
type Make = Box<dyn Fn() -> Result<Workload, String>>;

/// The sets that are asked for, and why others are not here.
pub(super) fn sets(
    data: &Path,
    cache: &Path,
    asked: &[String],
    quick: bool,
) -> Result<(Vec<Set>, Vec<String>), String> {
    let (mut found, mut left_out) = (Vec::new(), Vec::new());
    for (name, kind, needs, make) in all(data, quick) {
        let large = kind == Kind::Large || name == "noise_328k";
        if !chosen(name, asked) || quick && large {
            continue;
        }
        if let Some(path) = needs.filter(|path| !path.exists()) {
            left_out.push(format!("{name}: no {}", path.display()));
            continue;
        }
        eprintln!("set {name}");
        found.push(cached(name, kind, cache, quick, make)?);
    }
    Ok((found, left_out))
}

fn all(data: &Path, quick: bool) -> Vec<(&'static str, Kind, Option<PathBuf>, Make)> {
    let robot = |name: &'static str, urdf: &str, states: usize, most: usize| {
        let urdf = data.join(urdf);
        let needs = Some(urdf.clone());
        let make: Make = Box::new(move || of_robot(&urdf, states, most));
        (name, Kind::Pairs, needs, make)
    };
    let files = |name: &'static str, folder: &str, make: fn(&Path) -> Result<Workload, String>| {
        let folder = data.join(folder);
        let needs = Some(folder.clone());
        let make: Make = Box::new(move || make(&folder));
        (name, Kind::Pairs, needs, make)
    };
    let noise = |name: &'static str, cuts: usize, each: usize, kind: Kind| {
        let make: Make = Box::new(move || Ok(noise_pairs(cuts, each)));
        (name, kind, None, make)
    };
    let points: Make = Box::new(move || Ok(noise_points(6, if quick { 20 } else { 200 })));
    vec![
        robot("ur5", "robots/ur5/ur5_robot.urdf", 50, 750),
        robot("pr2", "robots/pr2/pr2.urdf", 20, 1000),
        files("duplex", "assemblies/bim_duplex/elements", building),
        files("env_rob", "pairs/fcl_env_rob", env_rob),
        files("gearbox", "assemblies/cycloidal_drive", gearbox),
        files("ycb", "meshes/ycb_16k", scans),
        noise("noise_82k", 6, 8, Kind::Pairs),
        noise("noise_328k", 7, 4, Kind::Pairs),
        noise("noise_1k", 3, 8, Kind::Curve),
        noise("noise_5k", 4, 8, Kind::Curve),
        noise("noise_20k", 5, 8, Kind::Curve),
        noise("noise_1311k", 8, 2, Kind::Large),
        ("points_82k", Kind::Points, None, points),
    ]
}

fn cached(name: &str, kind: Kind, cache: &Path, quick: bool, make: Make) -> Result<Set, String> {
    let size = if quick { "-quick" } else { "" };
    let path = cache.join(format!("{name}-{VERSION}{size}.workload"));
    let at = |why: String| format!("{}: {why}", path.display());
    if let Ok(text) = std::fs::read_to_string(&path) {
        let (name, workload) = (name.to_owned(), Workload::parse(&text).map_err(at)?);
        return Ok(Set {
            name,
            path,
            workload,
            kind,
        });
    }
    let mut workload = make()?;
    name.clone_into(&mut workload.name);
    if quick && workload.pairs.len() > 4 * QUICK {
        let left = workload.pairs.len() / QUICK;
        draw(&mut workload, left);
        drop_unused(&mut workload);
    }
    workload.within = near(&workload);
    written(name, kind, path, workload)
}

/// A set of some of another's pairs.
pub(super) fn part(
    set: &Set,
    name: &str,
    cache: &Path,
    keep: impl Fn(usize) -> bool,
) -> Result<Set, String> {
    let mut workload = set.workload.clone();
    name.clone_into(&mut workload.name);
    let numbered = workload.pairs.drain(..).enumerate();
    workload.pairs = numbered
        .filter(|(number, _)| keep(*number))
        .map(|(_, pair)| pair)
        .collect();
    let path = cache.join(format!("{name}.workload"));
    written(name, Kind::Relation, path, workload)
}

fn written(name: &str, kind: Kind, path: PathBuf, workload: Workload) -> Result<Set, String> {
    // Under another name first: a run that is interrupted leaves no half file behind.
    let part = path.with_extension("part");
    let done =
        std::fs::write(&part, workload.to_text()).and_then(|()| std::fs::rename(&part, &path));
    done.map_err(|why| format!("{}: {why}", path.display()))?;
    Ok(Set {
        name: name.to_owned(),
        path,
        workload,
        kind,
    })
}

/// Leaves at most so many pairs, drawn.
fn draw(workload: &mut Workload, most: usize) {
    let mut rng = Rng(SEED);
    while workload.pairs.len() > most {
        let one = rng.below(workload.pairs.len());
        workload.pairs.swap_remove(one);
    }
}

/// Leaves only the shapes that pairs have.
fn drop_unused(workload: &mut Workload) {
    let (mut number, mut kept) = (HashMap::new(), Vec::new());
    for id in workload.pairs.iter_mut().flat_map(|pair| &mut pair.shapes) {
        let next = number.len();
        let new = *number.entry(*id).or_insert(next);
        if new == kept.len() {
            kept.push(workload.shapes[*id].clone());
        }
        *id = new;
    }
    workload.shapes = kept;
}

fn empty(shapes: Vec<Shape>) -> Workload {
    Workload {
        name: String::new(),
        dim: 3,
        op: "surface-dist".into(),
        track: false,
        within: 0.0,
        shapes,
        pairs: Vec::new(),
        moves: Vec::new(),
    }
}

/// The vertices of a mesh.
pub(super) fn vertices(shape: &Shape) -> &[[f64; 3]] {
    match shape {
        Shape::Mesh(vertices, _) => vertices,
        _ => &[],
    }
}

/// The box along the axes around points.
pub(super) fn around(points: impl Iterator<Item = [f64; 3]>) -> [[f64; 3]; 2] {
    points.fold([[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]], |[l, h], p| {
        [
            [0, 1, 2].map(|k| l[k].min(p[k])),
            [0, 1, 2].map(|k| h[k].max(p[k])),
        ]
    })
}

fn diagonal([low, high]: [[f64; 3]; 2]) -> f64 {
    (0..3)
        .map(|k| (high[k] - low[k]).powi(2))
        .sum::<f64>()
        .sqrt()
}

/// A part of the mean diagonal of the meshes' boxes, over the pairs' meshes, of two digits.
fn near(workload: &Workload) -> f64 {
    let sizes: Vec<f64> = workload
        .shapes
        .iter()
        .map(|shape| diagonal(around(vertices(shape).iter().copied())))
        .collect();
    let all = workload.pairs.iter().flat_map(|pair| pair.shapes);
    let mean = all.map(|id| sizes[id]).sum::<f64>() / (2 * workload.pairs.len()).max(1) as f64;
    format!("{:.1e}", NEAR * mean)
        .parse()
        .unwrap_or(NEAR * mean)
}

/// The meshes of a robot in random states, all pairs of links that are not neighbours; at most so many, drawn.
fn of_robot(urdf: &Path, states: usize, most: usize) -> Result<Workload, String> {
    let asked = RobotSettings {
        urdf: urdf.to_owned(),
        states,
        seed: SEED,
        ..RobotSettings::default()
    };
    let robot = workload::Robot::load_surfaces(&asked)?;
    let mut workload = robot.asked("all pairs", states, false)?.workload;
    draw(&mut workload, most);
    workload.op = "surface-dist".into();
    Ok(workload)
}

/// A mesh file's triangles.
fn mesh(path: &Path) -> Result<Shape, String> {
    let mesh = gjk_scene::load_mesh(path).map_err(|why| why.to_string())?;
    Ok(workload::surface(&mesh, [1.0; 3]))
}

/// The mesh files of a folder, by name.
fn meshes(folder: &Path) -> Result<Vec<Shape>, String> {
    let entries =
        std::fs::read_dir(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|kind| kind == "obj"));
    paths.sort();
    paths.iter().map(|path| mesh(path)).collect()
}

/// All pairs whose boxes are this near.
fn near_pairs(placed: &[(usize, Place, [[f64; 3]; 2])], gap: f64) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (number, (shape, place, [low, high])) in placed.iter().enumerate() {
        for (other, at, [l, h]) in &placed[..number] {
            if (0..3).all(|k| low[k] <= h[k] + gap && l[k] <= high[k] + gap) {
                pairs.push(Pair {
                    shapes: [*other, *shape],
                    places: [*at, *place],
                });
            }
        }
    }
    pairs
}

/// A building's elements, which stand where their files have them: boxes within 5 cm.
fn building(folder: &Path) -> Result<Workload, String> {
    let mut workload = empty(meshes(folder)?);
    let placed: Vec<_> = workload
        .shapes
        .iter()
        .enumerate()
        .map(|(id, shape)| (id, STANDING, around(vertices(shape).iter().copied())))
        .collect();
    workload.pairs = near_pairs(&placed, 0.05);
    Ok(workload)
}

/// The scene of a gearbox.
#[derive(Deserialize)]
struct Assembly {
    instances: Vec<Instance>,
}

#[derive(Deserialize)]
struct Instance {
    part: String,
    matrix_row_major: [f64; 16],
}

/// Placed parts whose boxes are within 1 mm.
fn gearbox(folder: &Path) -> Result<Workload, String> {
    let file = folder.join("scene.json");
    let at = |why: String| format!("{}: {why}", file.display());
    let text = std::fs::read_to_string(&file).map_err(|why| at(why.to_string()))?;
    let scene: Assembly = serde_json::from_str(&text).map_err(|why| at(why.to_string()))?;
    let (mut workload, mut known) = (empty(Vec::new()), HashMap::new());
    let mut placed = Vec::new();
    for Instance {
        part,
        matrix_row_major: m,
    } in &scene.instances
    {
        if !known.contains_key(part) {
            workload.shapes.push(mesh(&folder.join(part))?);
            known.insert(part.clone(), workload.shapes.len() - 1);
        }
        let id = known[part];
        let pose = Affine {
            linear: [0, 1, 2].map(|k| [m[4 * k], m[4 * k + 1], m[4 * k + 2]]),
            translation: [m[3], m[7], m[11]],
        };
        let points = vertices(&workload.shapes[id])
            .iter()
            .map(|&p| pose.apply(p));
        placed.push((id, workload::place(&pose), around(points)));
    }
    workload.pairs = near_pairs(&placed, 1.0);
    Ok(workload)
}

/// The robot of FCL's tests anywhere in its environment.
fn env_rob(folder: &Path) -> Result<Workload, String> {
    let shapes = vec![
        mesh(&folder.join("env.obj"))?,
        mesh(&folder.join("rob.obj"))?,
    ];
    let [low, high] = around(vertices(&shapes[0]).iter().copied());
    let mut workload = empty(shapes);
    let mut rng = Rng(SEED);
    for _ in 0..200 {
        let place = Place {
            rotation: rng.rotation(3),
            translation: [0, 1, 2].map(|k| rng.range(low[k], high[k])),
        };
        workload.pairs.push(Pair {
            shapes: [0, 1],
            places: [STANDING, place],
        });
    }
    Ok(workload)
}

/// A body turned about the middle of its box, which comes to a point.
fn turned(shape: &Shape, to: [f64; 3], rng: &mut Rng) -> Place {
    let rotation = rng.rotation(3);
    let [low, high] = around(vertices(shape).iter().copied());
    let middle = [0, 1, 2].map(|k| 0.5 * (low[k] + high[k]));
    let moved = Affine::from_quaternion(rotation).apply(middle);
    Place {
        rotation,
        translation: [0, 1, 2].map(|k| to[k] - moved[k]),
    }
}

/// Two scans, near each other or in one another.
fn scans(folder: &Path) -> Result<Workload, String> {
    let mut workload = empty(meshes(folder)?);
    let mut rng = Rng(SEED);
    let count = workload.shapes.len();
    for _ in 0..120 {
        let ids = [rng.below(count), rng.below(count)];
        let [a, b] = ids.map(|id| &workload.shapes[id]);
        let size = |shape| 0.5 * diagonal(around(vertices(shape).iter().copied()));
        let (direction, apart) = (rng.unit::<3>(), rng.range(0.3, 1.2) * (size(a) + size(b)));
        let places = [
            turned(a, [0.0; 3], &mut rng),
            turned(b, direction.map(|x| apart * x), &mut rng),
        ];
        workload.pairs.push(Pair {
            shapes: ids,
            places,
        });
    }
    Ok(workload)
}

/// A noise sphere beside another pose of itself, `each` times at each gap.
fn noise_pairs(cuts: usize, each: usize) -> Workload {
    let mut workload = empty(vec![noise::sphere(cuts, SEED)]);
    let mut rng = Rng(SEED);
    let length = |p: &[f64; 3]| p.iter().map(|x| x * x).sum::<f64>().sqrt();
    let radius = vertices(&workload.shapes[0])
        .iter()
        .map(length)
        .fold(0.0, f64::max);
    for gap in GAPS {
        for _ in 0..each {
            let direction = rng.unit::<3>();
            let place = |translation, rng: &mut Rng| Place {
                rotation: rng.rotation(3),
                translation,
            };
            let places = [
                place([0.0; 3], &mut rng),
                place(direction.map(|x| 2.0 * gap * radius * x), &mut rng),
            ];
            workload.pairs.push(Pair {
                shapes: [0, 0],
                places,
            });
        }
    }
    workload
}

/// Points anywhere in a noise sphere's box, as places of the second body of each pair.
fn noise_points(cuts: usize, count: usize) -> Workload {
    let mut workload = empty(vec![noise::sphere(cuts, SEED)]);
    let mut rng = Rng(SEED);
    let [low, high] = around(vertices(&workload.shapes[0]).iter().copied());
    for _ in 0..count {
        let place = Place {
            translation: [0, 1, 2].map(|k| rng.range(low[k], high[k])),
            ..STANDING
        };
        workload.pairs.push(Pair {
            shapes: [0, 0],
            places: [STANDING, place],
        });
    }
    workload
}
