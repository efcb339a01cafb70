//! What is true of a pair, to some 28 digits: neither GJK nor EPA of ours, nor of any peer.
//!
//! Reading order: `core.rs` (a shape as polytope and radius), `apart.rs` (distance between two bounds), `depth.rs` (all
//! facets of the Minkowski difference), `real.rs` (the numbers), `motion.rs` (first contacts). Features are found in `f64`, values are said in
//! double-double. A swept radius is subtracted from the distance of the cores, which is exact for either sign.

mod apart;
mod core;
mod depth;
mod motion;
mod real;
#[cfg(test)]
mod tests;

pub(crate) use core::{Core, Kept};
pub(crate) use motion::{at, first_contact, off_surface, unturned};

use apart::Apart;
use bench_protocol::{Pair, Workload};
use depth::{Axis, Posed};
use real::{Dd, Real, V, dot, norm, scale};
use std::path::Path;

/// The signed distance of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Truth {
    /// Positive apart, negative depth; of a motion the time of the first contact, infinite where there is none.
    pub(crate) value: f64,
    /// Upper less lower bound, relative to the value. For a depth: how far the support's height is from the facet's. Of a motion, whose
    /// duration is 1: the time between apart and in contact.
    pub(crate) gap: f64,
    /// Unit, from A to B.
    pub(crate) normal: [f64; 3],
}

/// The cores of a workload's shapes.
pub(crate) fn cores(workload: &Workload) -> Result<Vec<Core>, String> {
    workload
        .shapes
        .iter()
        .map(|shape| Core::new(shape, workload.dim))
        .collect()
}

/// The truth of one pair.
pub(crate) fn truth(cores: &[Core], pair: &Pair) -> Result<Truth, String> {
    solve::<Dd>(cores, pair, Kept::Exactly)
}

/// The truth of a pair as a program keeps it, which can know no other.
pub(crate) fn truth_as(cores: &[Core], pair: &Pair, kept: Kept) -> Result<Truth, String> {
    solve::<Dd>(cores, pair, kept)
}

/// The same in floats alone, for the generator's search.
pub(crate) fn estimate(cores: &[Core], pair: &Pair) -> Result<Truth, String> {
    solve::<f64>(cores, pair, Kept::Exactly)
}

/// Bounds of the distance of two convex bodies by their vertices; from below zero when they are not proved apart.
pub(crate) fn apart(a: &[[f64; 3]], b: &[[f64; 3]]) -> [f64; 2] {
    // Floats propose the nearest features.
    let start = apart::nearest::<f64>(3, a, b, &[]).pairs;
    bounds::<Dd>(a, b, &start)
}

/// The same in floats alone, whose roundings are in neither bound.
pub(crate) fn apart_in_floats(a: &[[f64; 3]], b: &[[f64; 3]]) -> [f64; 2] {
    bounds::<f64>(a, b, &[])
}

fn bounds<R: Real>(a: &[[f64; 3]], b: &[[f64; 3]], start: &[[u32; 2]]) -> [f64; 2] {
    let numbers = |all: &[[f64; 3]]| -> Vec<V<R>> { all.iter().map(|p| p.map(R::new)).collect() };
    let found = apart::nearest(3, &numbers(a), &numbers(b), start);
    [found.lower.to_f64(), norm(found.nearest).to_f64()]
}

/// Heights this near each other, relative to themselves, are of one normal.
const GAP_TIE: f64 = 1e-24;

fn solve<R: Real>(cores: &[Core], pair: &Pair, kept: Kept) -> Result<Truth, String> {
    let chosen = pair.shapes.map(|id| &cores[id]);
    let radius = R::new(chosen[0].radius) + R::new(chosen[1].radius);
    let origin = pair.places[0].translation;
    let floats = [0, 1].map(|k| chosen[k].posed_as::<f64>(&pair.places[k], origin, kept));
    let rough = apart::nearest(chosen[0].dim, &floats[0], &floats[1], &[]);
    let points = [0, 1].map(|k| chosen[k].posed_as::<R>(&pair.places[k], origin, kept));
    if rough.lower > 0.0 {
        let found = apart::nearest(chosen[0].dim, &points[0], &points[1], &rough.pairs);
        return Ok(of_separated(&found, radius));
    }
    let axes = depth::least_axes(&Posed {
        cores: chosen,
        points: [&floats[0], &floats[1]],
    });
    let posed = Posed {
        cores: chosen,
        points: [&points[0], &points[1]],
    };
    of_overlapping(&posed, axes, radius)
}

/// The truth of cores that are apart: the distance of their nearest points, less the radii.
fn of_separated<R: Real>(found: &Apart<R>, radius: R) -> Truth {
    let length = norm(found.nearest);
    let value = (length - radius).to_f64();
    let gap = ((length - found.lower).to_f64() / value).abs();
    Truth {
        value,
        gap,
        normal: scale(found.nearest, -R::new(1.0) / length).map(R::to_f64),
    }
}

/// The truth of cores that overlap: their least height along the axes, and the radii.
fn of_overlapping<R: Real>(
    posed: &Posed<'_, R>,
    axes: Vec<Axis>,
    radius: R,
) -> Result<Truth, String> {
    let measured: Vec<(R, R, V<R>)> = axes
        .into_iter()
        .filter_map(|axis| {
            let normal = posed.normal(axis)?;
            Some((
                posed.height(normal),
                posed.feature_height(axis, normal),
                normal,
            ))
        })
        .collect();
    let Some(&(height, _, normal)) = measured
        .iter()
        .reduce(|best, x| if x.0 < best.0 { x } else { best })
    else {
        // Two flat cores that meet: the radius alone is the depth, along a normal that nothing here needs.
        return Ok(Truth {
            value: -radius.to_f64(),
            gap: 0.0,
            normal: [0.0; 3],
        });
    };
    let value = -(height + radius).to_f64();
    if !(height > R::new(0.0)) {
        return Err(format!(
            "cores neither proved apart nor overlapping: height {}",
            height.to_f64()
        ));
    }
    // Of parallel edges one pair supports: the highest feature under the least height.
    let limit = height + R::new(GAP_TIE) * height;
    let features = measured.iter().filter(|m| m.0 <= limit).map(|m| m.1);
    let feature = features
        .reduce(|best, x| if x > best { x } else { best })
        .unwrap_or(height);
    let gap = ((height - feature).to_f64() / value).abs();
    Ok(Truth {
        value,
        gap,
        normal: normal.map(R::to_f64),
    })
}

/// How far the bodies are apart along a direction, from A to B: at most the signed distance, and equal to it for the
/// best direction. Not a number for a zero direction.
pub(crate) fn separation(cores: &[Core], pair: &Pair, direction: [f64; 3]) -> f64 {
    let chosen = pair.shapes.map(|id| &cores[id]);
    let points =
        [0, 1].map(|k| chosen[k].posed::<f64>(&pair.places[k], pair.places[0].translation));
    let n = scale(direction, 1.0 / norm(direction));
    let posed = Posed {
        cores: chosen,
        points: [&points[0], &points[1]],
    };
    if !dot(n, n).is_finite() {
        return f64::NAN;
    }
    -posed.height(n) - chosen[0].radius - chosen[1].radius
}

/// Of a whole workload, from the cache file where that was written for this text.
pub(crate) fn cached(workload: &Workload, text: &str, file: &Path) -> Result<Vec<Truth>, String> {
    let key = format!(
        "gjk-reference {VERSION} {:016x}",
        crate::definition::fingerprint(text)
    );
    if let Some(found) = std::fs::read_to_string(file)
        .ok()
        .and_then(|old| read(&old, &key, workload.pairs.len()))
    {
        return Ok(found);
    }
    let cores = cores(workload)?;
    let each = workload.pairs.iter().enumerate();
    let found = each.map(|(k, pair)| {
        let found = match workload.moves.get(k) {
            Some(moves) => first_contact(&cores, pair, moves),
            None => truth(&cores, pair),
        };
        found.map_err(|why| format!("{} pair {k}: {why}", workload.name))
    });
    let found: Vec<Truth> = found.collect::<Result<_, _>>()?;
    let line = |t: &Truth| {
        format!(
            "\n{} {} {} {} {}",
            t.value, t.gap, t.normal[0], t.normal[1], t.normal[2]
        )
    };
    let lines: String = found.iter().map(line).collect();
    std::fs::write(file, format!("{key}{lines}\n"))
        .map_err(|why| format!("{}: {why}", file.display()))?;
    Ok(found)
}

/// Rises when the reference's arithmetic changes.
const VERSION: u32 = 1;

fn read(text: &str, key: &str, pairs: usize) -> Option<Vec<Truth>> {
    let rest = text.strip_prefix(key)?;
    let number = |word: &str| word.parse::<f64>().ok();
    let line = |line: &str| {
        let numbers: Vec<f64> = line.split_whitespace().map(number).collect::<Option<_>>()?;
        let [value, gap, x, y, z] = numbers[..] else {
            return None;
        };
        Some(Truth {
            value,
            gap,
            normal: [x, y, z],
        })
    };
    let found: Vec<Truth> = rest.trim().lines().map(line).collect::<Option<_>>()?;
    (found.len() == pairs).then_some(found)
}
