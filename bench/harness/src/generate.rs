//! Workload files from definitions: the same file from the same seed.
//!
//! A pair is two shapes at random rotations, A at a random place, and B moved along a random line until the signed distance
//! is the one drawn for it. Along a line the signed distance is convex, so Newton's iteration from far outside comes down to
//! the target from above, and closest features arise as they do in nature.

mod moving;
mod resting;

use crate::definition::{Definition, Family, Regime};
use crate::reference::{self, Core, Truth};
use crate::shapes::{Rng, shapes, single};
use bench_protocol::{Pair, Place, Workload};
use std::path::{Path, PathBuf};

/// Rises when the generator's arithmetic changes.
pub(crate) const VERSION: u32 = 1;

/// The file of a definition, from the cache folder or made there.
pub(crate) fn cached(definition: &Definition, folder: &Path) -> Result<(PathBuf, String), String> {
    let file = folder.join(format!(
        "{}-{:016x}.workload",
        definition.name(),
        definition.fingerprint()
    ));
    if let Ok(text) = std::fs::read_to_string(&file) {
        return Ok((file, text));
    }
    let text = generate(definition)?.to_text();
    // Under another name first: a run that is interrupted leaves no half file behind.
    let part = file.with_extension("part");
    let written = std::fs::write(&part, &text).and_then(|()| std::fs::rename(&part, &file));
    written.map_err(|why| format!("{}: {why}", file.display()))?;
    Ok((file, text))
}

/// The workload of a definition.
pub(crate) fn generate(definition: &Definition) -> Result<Workload, String> {
    let Definition { family, regime } = definition;
    // Shapes are those of the family; what is drawn after them is the regime's own.
    let shapes = shapes(family, &mut Rng(family.seed))?;
    let mut rng = Rng(family.seed ^ (1 + *regime as u64) << 32);
    let dim = family.kind.dim();
    let op = regime.op().to_owned();
    let mut workload = Workload {
        name: definition.name(),
        dim,
        op,
        track: family.track,
        within: 0.0,
        shapes,
        pairs: Vec::new(),
        moves: Vec::new(),
    };
    if regime.moves() {
        return moving::add_moving(workload, family, *regime, &mut rng);
    }
    if matches!(regime, Regime::Rest | Regime::Pressed) {
        return resting::add_resting(workload, family, *regime, &mut rng);
    }
    let cores = reference::cores(&workload)?;
    if family.track {
        workload.pairs = track(&cores, family, *regime, &mut rng)?;
        return Ok(workload);
    }
    while workload.pairs.len() < family.pairs {
        let shapes = [rng.below(cores.len()), rng.below(cores.len())];
        let (a, rotation) = (random_place(dim, &mut rng), rng.rotation(dim));
        let line = Line {
            cores: &cores,
            shapes,
            a,
            rotation,
            direction: rng.direction(dim),
        };
        let Some(scale) = line.scale(family, *regime) else {
            continue;
        };
        let [low, high] = regime.range();
        let part = rng.range(low, high);
        let sign = if regime.is_apart() { 1.0 } else { -1.0 };
        // Rounding the translation moves the distance; what leaves the regime by it is drawn again.
        let inside = |t: &Truth| (low * scale..=high * scale).contains(&(sign * t.value));
        if let Some((pair, _)) = line
            .place_at(sign * part * scale)
            .filter(|(_, t)| inside(t))
        {
            workload.pairs.push(pair);
        }
    }
    Ok(workload)
}

fn random_place(dim: usize, rng: &mut Rng) -> Place {
    let translation = std::array::from_fn(|k| if k < dim { rng.single(-2.0, 2.0) } else { 0.0 });
    Place {
        rotation: rng.rotation(dim),
        translation,
    }
}

/// All pairs whose B stands on a line through the centre of A.
struct Line<'a> {
    cores: &'a [Core],
    shapes: [usize; 2],
    a: Place,
    rotation: [f64; 4],
    direction: [f64; 3],
}

impl Line<'_> {
    fn pair(&self, offset: f64) -> Pair {
        let coordinate = |k: usize| single(self.a.translation[k] + offset * self.direction[k]);
        let b = Place {
            rotation: self.rotation,
            translation: std::array::from_fn(coordinate),
        };
        Pair {
            shapes: self.shapes,
            places: [self.a, b],
        }
    }

    fn diameter(&self) -> f64 {
        0.5 * self
            .shapes
            .map(|id| self.cores[id].diameter())
            .iter()
            .sum::<f64>()
    }

    /// The length that the regime's parts are of.
    fn scale(&self, family: &Family, regime: Regime) -> Option<f64> {
        use crate::definition::Kind::{ThinBox, ThinHull};
        let thin = matches!(family.kind, ThinBox | ThinHull) && regime != Regime::Far;
        if thin || regime == Regime::Deep {
            let at_centre = reference::estimate(self.cores, &self.pair(0.0)).ok()?;
            return Some(-at_centre.value);
        }
        Some(self.diameter())
    }

    /// The pair at a signed distance, to a part in 10⁴ and the rounding of the translation.
    fn place_at(&self, target: f64) -> Option<(Pair, Truth)> {
        let mut offset = 1.5 * self.diameter() + target.max(0.0);
        for _ in 0..60 {
            // Unrounded: the search needs a smooth function.
            let mut pair = self.pair(offset);
            pair.places[1].translation =
                std::array::from_fn(|k| self.a.translation[k] + offset * self.direction[k]);
            let here = reference::estimate(self.cores, &pair).ok()?;
            let excess = here.value - target;
            if excess.abs() <= 1e-4 * target.abs() {
                let pair = self.pair(offset);
                let truth = reference::estimate(self.cores, &pair).ok()?;
                return Some((pair, truth));
            }
            let slope: f64 = here
                .normal
                .iter()
                .zip(self.direction)
                .map(|(n, d)| n * d)
                .sum();
            // A line that grazes has a slope near zero, and its search no end.
            if !(slope > 1e-3) {
                return None;
            }
            offset -= excess / slope;
        }
        None
    }
}

/// Steps of a degree's half.
const STEP_RADIANS: f64 = std::f64::consts::PI / 360.0;
/// Of the diameter, a step.
const STEP_PART: f64 = 0.005;

/// B circles A and turns about an axis of its own; its distance rises and falls between the regime's ends.
fn track(
    cores: &[Core],
    family: &Family,
    regime: Regime,
    rng: &mut Rng,
) -> Result<Vec<Pair>, String> {
    let ([low, high], sign) = (regime.range(), if regime.is_apart() { 1.0 } else { -1.0 });
    for _ in 0..100 {
        let (a, from, rotation) = (random_place(3, rng), rng.direction(3), rng.rotation(3));
        let (to, axis) = (perpendicular(from, 3, rng), rng.direction(3));
        let line = |step: usize, turn: f64| {
            let (sin, cos) = (turn * step as f64).sin_cos();
            let direction = std::array::from_fn(|k| cos * from[k] + sin * to[k]);
            let half = 0.5 * STEP_RADIANS * step as f64;
            let spin = [
                axis[0] * half.sin(),
                axis[1] * half.sin(),
                axis[2] * half.sin(),
                half.cos(),
            ];
            Line {
                cores,
                shapes: [0, 1],
                a,
                rotation: product(spin, rotation),
                direction,
            }
        };
        let size = line(0, 0.0).diameter();
        // Centres are about a diameter apart, so an angle of this size moves B by its part of the diameter.
        let place = |step: usize| {
            let wave = (std::f64::consts::TAU * step as f64 / 200.0).sin();
            let part = 0.5 * (low + high) + 0.45 * (high - low) * wave;
            line(step, STEP_PART)
                .place_at(sign * part * size)
                .map(|(pair, _)| pair)
        };
        if let Some(pairs) = (0..family.pairs).map(place).collect::<Option<Vec<_>>>() {
            return Ok(pairs);
        }
    }
    Err(format!("{}: no track", family.name))
}

fn perpendicular(to: [f64; 3], dim: usize, rng: &mut Rng) -> [f64; 3] {
    loop {
        let v = rng.direction(dim);
        let along: f64 = v.iter().zip(to).map(|(x, y)| x * y).sum();
        let rest: [f64; 3] = std::array::from_fn(|k| v[k] - along * to[k]);
        let length = rest.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length > 0.1 {
            return rest.map(|x| x / length);
        }
    }
}

/// The quaternion of `q` followed by `p`, both `x y z w`.
pub(crate) fn product(p: [f64; 4], q: [f64; 4]) -> [f64; 4] {
    let [a, b, c, d] = p;
    let [e, f, g, h] = q;
    [
        d * e + a * h + b * g - c * f,
        d * f - a * g + b * h + c * e,
        d * g + a * f - b * e + c * h,
        d * h - a * e - b * f - c * g,
    ]
}
