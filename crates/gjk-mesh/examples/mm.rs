//! Times of queries of two surfaces, on the meshes of folders: `time_surfaces [--assembly] [--pairs N] FOLDER...`.
//!
//! With `--assembly` meshes stay where their files have them, and pairs whose boxes are near are asked. Otherwise random pairs are placed at
//! random poses, near one another. Times are of one pair, posing included, in microseconds: the mean over all pairs, best of three runs.
#![allow(warnings, clippy::all, clippy::unwrap_used, clippy::print_stdout)]

use gjk::{Pose3, Vec3};
use gjk_mesh::{DistanceOptions, MeshBody, PosedBody, TriMesh, Warm, triangulated};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A body, its middle and half its box's diagonal.
struct Item {
    body: MeshBody,
    middle: [f64; 3],
    low: [f64; 3],
    high: [f64; 3],
    radius: f64,
}

/// Two bodies at their poses.
type Case = ([usize; 2], [Pose3<f64>; 2]);

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let mut entries: Vec<PathBuf> = entries.flatten().map(|x| x.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if path
            .extension()
            .is_some_and(|x| ["obj", "stl", "ply", "dae", "off"].iter().any(|y| x == *y))
        {
            found.push(path);
        }
    }
}

fn item(path: &Path) -> Option<Item> {
    let mesh = gjk_scene::load_mesh(path).ok()?;
    let (triangles, _) = triangulated(&mesh.faces);
    let mesh = TriMesh::new(&mesh.vertices, &triangles).ok()?;
    if mesh.triangles().is_empty() {
        return None;
    }
    let all = || mesh.vertices().iter();
    let low = [0, 1, 2].map(|k| all().map(|p| p[k]).fold(f64::INFINITY, f64::min));
    let high = [0, 1, 2].map(|k| all().map(|p| p[k]).fold(f64::NEG_INFINITY, f64::max));
    let square: f64 = (0..3).map(|k| (high[k] - low[k]).powi(2)).sum();
    Some(Item {
        middle: [0, 1, 2].map(|k| 0.5 * (low[k] + high[k])),
        radius: 0.5 * square.sqrt(),
        low,
        high,
        body: MeshBody::new(mesh),
    })
}

fn random_pose(item: &Item, at: [f64; 3]) -> Pose3<f64> {
    let q = [0; 4].map(|_| fastrand::f64() - 0.5);
    let turn =
        Pose3::from_quaternion(q, Vec3::new(0.0, 0.0, 0.0)).unwrap_or_else(|_| Pose3::identity());
    let [x, y, z] = item.middle;
    let moved = turn.point(Vec3::new(x, y, z));
    let columns = [turn.columns()[0], turn.columns()[1], turn.columns()[2]];
    Pose3::from_columns(columns, Vec3::new(at[0], at[1], at[2]) - moved)
}

fn cases(items: &[Item], assembly: bool, count: usize) -> Vec<Case> {
    let mut cases = Vec::new();
    if assembly {
        for i in 0..items.len() {
            for j in 0..i {
                let (a, b) = (&items[i], &items[j]);
                let room = 0.01 * (a.radius + b.radius);
                if (0..3).all(|k| a.low[k] <= b.high[k] + room && b.low[k] <= a.high[k] + room) {
                    cases.push(([i, j], [Pose3::identity(); 2]));
                }
            }
        }
        fastrand::shuffle(&mut cases);
        cases.truncate(count);
        return cases;
    }
    for _ in 0..count {
        let pair = [0; 2].map(|_| fastrand::usize(..items.len()));
        let [a, b] = pair.map(|k| &items[k]);
        let direction = [0; 3].map(|_| fastrand::f64() - 0.5);
        let length = direction
            .iter()
            .map(|x| x * x)
            .sum::<f64>()
            .sqrt()
            .max(1e-9);
        let far = (a.radius + b.radius) * (0.3 + 0.9 * fastrand::f64()) / length;
        let poses = [
            random_pose(a, [0.0; 3]),
            random_pose(b, direction.map(|x| x * far)),
        ];
        cases.push((pair, poses));
    }
    cases
}

fn time(
    name: &str,
    items: &[Item],
    cases: &[Case],
    ask: impl Fn(usize, &PosedBody<'_>, &PosedBody<'_>) -> bool,
) {
    let mut best = f64::INFINITY;
    let mut yes = 0;
    let mut each = vec![f64::INFINITY; cases.len()];
    for _ in 0..3 {
        yes = 0;
        let start = Instant::now();
        for (number, (pair, poses)) in cases.iter().enumerate() {
            let start = Instant::now();
            let a = items[pair[0]].body.at(&poses[0]);
            let b = items[pair[1]].body.at(&poses[1]);
            yes += usize::from(black_box(ask(number, &a, &b)));
            each[number] = each[number].min(start.elapsed().as_secs_f64());
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    each.sort_by(f64::total_cmp);
    let micro = 1e6 / cases.len().max(1) as f64;
    println!(
        "  {name:<18} mean {:>10.2} us   median {:>9.2}   yes {yes}",
        best * micro,
        each[each.len() / 2] * 1e6
    );
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (mut assembly, mut count, mut folders) = (false, 300, Vec::new());
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--assembly" => assembly = true,
            "--pairs" => {
                count = arguments
                    .next()
                    .and_then(|x| x.parse().ok())
                    .unwrap_or(count)
            }
            _ => folders.push(PathBuf::from(argument)),
        }
    }
    for folder in folders {
        fastrand::seed(7);
        let mut paths = Vec::new();
        files(&folder, &mut paths);
        let items: Vec<Item> = paths.iter().filter_map(|path| item(path)).collect();
        if items.is_empty() {
            continue;
        }
        let triangles: usize = items.iter().map(|x| x.body.mesh().triangles().len()).sum();
        let cases = cases(&items, assembly, count);
        println!(
            "{} meshes, {triangles} triangles, {} pairs",
            items.len(),
            cases.len()
        );
        report(&items, &cases);
    }
}

fn report(items: &[Item], cases: &[Case]) {
    for item in items {
        let here = item.body.at(&Pose3::identity());
        black_box(here.distance(&here, 0.0));
    }
    let which = std::env::var("W").unwrap_or_default();
    let n: usize = std::env::var("N").map_or(200, |x| x.parse().unwrap());
    for _ in 0..n / 3 {
        match which.as_str() {
            "relation" => time2(items, cases, |_, a, b| a.relation(b).contact.is_some()),
            "overlap" => time3(items, cases),
            _ => time2(items, cases, |_, a, b| a.meets(b).is_some()),
        }
    }
    if which != "overlap" {
        time("meets", items, cases, |_, a, b| a.meets(b).is_some());
    }
}
fn time3(items: &[Item], cases: &[Case]) {
    let mut v = vec![];
    for (pair, poses) in cases {
        let a = items[pair[0]].body.at(&poses[0]);
        let b = items[pair[1]].body.at(&poses[1]);
        if a.relation(&b).relation != gjk_mesh::Relation::Overlapping {
            continue;
        }
        let mut best = f64::MAX;
        for _ in 0..30 {
            let s = Instant::now();
            let a = items[pair[0]].body.at(&poses[0]);
            let b = items[pair[1]].body.at(&poses[1]);
            black_box(a.relation(&b));
            best = best.min(s.elapsed().as_secs_f64());
        }
        v.push((best * 1e6, pair));
    }
    v.sort_by(|a, b| a.0.total_cmp(&b.0));
    let m: f64 = v.iter().map(|x| x.0).sum::<f64>() / v.len() as f64;
    println!(
        "{} overlapping mean {m:.2} us median {:.2} max {:?}",
        v.len(),
        v[v.len() / 2].0,
        &v[v.len().saturating_sub(12)..]
    );
    std::process::exit(0)
}
fn time2(
    items: &[Item],
    cases: &[Case],
    ask: impl Fn(usize, &PosedBody<'_>, &PosedBody<'_>) -> bool,
) {
    for (number, (pair, poses)) in cases.iter().enumerate() {
        let a = items[pair[0]].body.at(&poses[0]);
        let b = items[pair[1]].body.at(&poses[1]);
        black_box(ask(number, &a, &b));
    }
}
fn new_ones(items: &[Item], cases: &[Case], size: impl Fn(usize) -> f64) {
    time("meets", items, cases, |_, a, b| a.meets(b).is_some());
    time("closer than 1 %", items, cases, |k, a, b| {
        a.closer_than(b, size(k)).0 == Some(true)
    });
    let options = DistanceOptions {
        relative: 0.01,
        ..DistanceOptions::default()
    };
    time("distance to 1 %", items, cases, |_, a, b| {
        a.distance_with(b, &options, &mut Warm::default()).is_some()
    });
    let warm: Vec<Warm> = cases
        .iter()
        .map(|(pair, poses)| {
            let [a, b] = [0, 1].map(|k| items[pair[k]].body.at(&poses[k]));
            let mut warm = Warm::default();
            a.distance_with(&b, &DistanceOptions::default(), &mut warm);
            warm
        })
        .collect();
    time("distance, warm", items, cases, |k, a, b| {
        let mut warm = warm[k];
        a.distance_with(b, &DistanceOptions::default(), &mut warm)
            .is_some()
    });
}
