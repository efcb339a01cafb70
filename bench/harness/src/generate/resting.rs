//! Bodies that rest on each other: a face of B nearly on a face of A, as a stack or a heap has it.

use super::{perpendicular, product, random_place};
use crate::definition::{Family, Regime};
use crate::reference::{self, Core};
use crate::shapes::{Rng, single};
use bench_protocol::{Pair, Place, Workload};

/// Up to this separation a manifold has points: what Box2D and Box3D look ahead.
const PREDICTION: f64 = 0.02;
/// No face is tilted by more: a fifth of a degree.
const TILT_MAX: f64 = std::f64::consts::PI / 900.0;
/// Of the size: how far the middles of the two faces are from each other.
const ASIDE: f64 = 0.1;
/// A step of a track turns about the normal by this, and there are so many steps in a wave of gap and tilt.
const TRACK_YAW: f64 = 1e-3;
const WAVE: f64 = 200.0;
/// Faces that a track is tried on.
const TRIES_MAX: usize = 100;

/// How B stands on A.
struct Stand {
    yaw: f64,
    tilt: f64,
    aside: f64,
    gap: f64,
}

/// Adds the pairs.
pub(super) fn add_resting(
    mut workload: Workload,
    family: &Family,
    regime: Regime,
    rng: &mut Rng,
) -> Result<Workload, String> {
    workload.within = PREDICTION;
    let cores = reference::cores(&workload)?;
    let [low, high] = regime.range();
    while !family.track && workload.pairs.len() < family.pairs {
        let shapes = [rng.below(cores.len()), rng.below(cores.len())];
        let base = Base::new(&cores, shapes, rng);
        let stand = Stand {
            yaw: rng.range(0.0, std::f64::consts::TAU),
            tilt: rng.range(0.0, TILT_MAX),
            aside: rng.range(0.0, ASIDE),
            gap: rng.range(low, high),
        };
        workload.pairs.extend(base.pair(&stand));
    }
    if family.track {
        let mut tries =
            (0..TRIES_MAX).map(|_| Base::new(&cores, [0, 1], rng).track(family, regime));
        workload.pairs = tries.find_map(|pairs| pairs).ok_or("no track")?;
    }
    Ok(workload)
}

/// A face of A at its pose, and a face of B.
struct Base<'a> {
    cores: &'a [Core],
    shapes: [usize; 2],
    place: Place,
    /// Of A, in the world: outward, a direction in the face, the middle.
    normal: [f64; 3],
    tangent: [f64; 3],
    middle: [f64; 3],
    /// Of B, in its own frame: outward, the middle.
    other: [[f64; 3]; 2],
}

impl<'a> Base<'a> {
    fn new(cores: &'a [Core], shapes: [usize; 2], rng: &mut Rng) -> Self {
        let [a, b] = shapes.map(|id| &cores[id]);
        let place = random_place(a.dim, rng);
        let posed = a.posed::<f64>(&place, [0.0; 3]);
        let (normal, middle) = a.face_frame(rng.below(a.faces.len()), &posed);
        let other = b.face_frame(rng.below(b.faces.len()), &b.vertices);
        Self {
            cores,
            shapes,
            place,
            normal,
            tangent: perpendicular(normal, a.dim, rng),
            middle,
            other: other.into(),
        }
    }

    /// Steps of a slow rocking and turning; none where one is not found.
    fn track(&self, family: &Family, regime: Regime) -> Option<Vec<Pair>> {
        let [low, high] = regime.range();
        let step = |k: usize| {
            let wave = (std::f64::consts::TAU * k as f64 / WAVE).sin();
            self.pair(&Stand {
                yaw: TRACK_YAW * k as f64,
                tilt: TILT_MAX * wave,
                aside: 0.5 * ASIDE * (1.0 + wave),
                gap: 0.5 * (low + high) + 0.5 * (high - low) * wave,
            })
        };
        (0..family.pairs).map(step).collect()
    }

    /// B on A, at its gap; none where that is not found.
    fn pair(&self, stand: &Stand) -> Option<Pair> {
        let dim = self.cores[self.shapes[0]].dim;
        let down = self.normal.map(|x| -x);
        let turn = |axis: [f64; 3], angle: f64| {
            let (sin, cos) = (0.5 * angle).sin_cos();
            [axis[0] * sin, axis[1] * sin, axis[2] * sin, cos]
        };
        let rotation = if dim == 2 {
            // From the angle of B's face to that of A's, seen from above.
            let angle = |v: [f64; 3]| v[1].atan2(v[0]);
            let angle = angle(down) - angle(self.other[0]) + stand.tilt;
            [angle.cos(), angle.sin(), 0.0, 0.0]
        } else {
            let level = product(turn(self.normal, stand.yaw), between(self.other[0], down));
            product(turn(self.tangent, stand.tilt), level)
        };
        let size = self.cores[self.shapes[0]].diameter();
        let mut lift = 0.0;
        for _ in 0..40 {
            let pair = self.standing(rotation, stand.aside * size, lift);
            let here = reference::estimate(self.cores, &pair).ok()?;
            let excess = here.value - stand.gap;
            // The roundings of an `f32` are left.
            if excess.abs() <= 1e-6 {
                return Some(pair);
            }
            let rise: f64 = (0..3).map(|k| here.normal[k] * self.normal[k]).sum();
            if !(rise > 0.5) {
                return None;
            }
            lift -= excess / rise;
        }
        None
    }

    fn standing(&self, rotation: [f64; 4], aside: f64, lift: f64) -> Pair {
        let b = &self.cores[self.shapes[1]];
        let origin = Place {
            rotation,
            translation: [0.0; 3],
        };
        let foot = b.placed(self.other[1], &origin);
        let translation = std::array::from_fn(|k| {
            let over = self.middle[k] + aside * self.tangent[k] + lift * self.normal[k];
            if k < b.dim {
                single(over - foot[k])
            } else {
                0.0
            }
        });
        let other = Place {
            rotation,
            translation,
        };
        Pair {
            shapes: self.shapes,
            places: [self.place, other],
        }
    }
}

/// The quaternion of the shortest turn from one unit vector to another.
fn between(from: [f64; 3], to: [f64; 3]) -> [f64; 4] {
    let [a, b, c] = from;
    let [x, y, z] = to;
    let real = 1.0 + a * x + b * y + c * z;
    if real < 1e-9 {
        // Half a turn, about any axis across.
        let across = if a.abs() < 0.9 {
            [0.0, -c, b]
        } else {
            [c, 0.0, -a]
        };
        let length = across.iter().map(|v| v * v).sum::<f64>().sqrt();
        return [
            across[0] / length,
            across[1] / length,
            across[2] / length,
            0.0,
        ];
    }
    let raw = [b * z - c * y, c * x - a * z, a * y - b * x, real];
    let length = raw.iter().map(|v| v * v).sum::<f64>().sqrt();
    raw.map(|v| v / length)
}
