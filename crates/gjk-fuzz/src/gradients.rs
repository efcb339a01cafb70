//! Gradients, judged in exact numbers.
//!
//! Where it sits: `judge.rs` asks, and `examine.rs` hands the answers here.
//! Idea: the combination of a certificate is a point of the difference of two bodies. Where it is the nearest one, which integers tell, it is the exact
//! normal, and integers tell the vertices of either body that are level with it. Where only one is, or two edges that cross, there is one pair of nearest
//! points and the derivative is known to rounding; else the rate is at most that of the combination's own points, and no less than the least of all
//! vertices that are level. It calls nothing of the library's gradients.

use crate::known::{Fault, Kind, Known, fault};
use crate::oracle::proof::big;
use gjk::math::Scalar;
use gjk::query::{
    Certificate, Combination, Gradient, Interval, Pair, Proof, Twist, directional_derivative,
    gradient,
};
use gjk::{Support, Vector};
use gjk_exact::{Int, Int3, integer};

/// How the bodies of every case move: linear and angular velocities, about the translations of their poses.
const MOTIONS: [[[f64; 3]; 2]; 2] = [
    [[0.3, -0.2, 0.5], [0.7, -0.4, 0.2]],
    [[-0.1, 0.6, 0.2], [-0.5, 0.3, 0.9]],
];

/// What a rate computed here may be off, in roundings of its scalar a unit of its terms, with room.
const JUDGED_RATE_ROUNDINGS: f64 = 256.0;

/// A gradient and its rate along the motions.
#[derive(Clone, Debug)]
pub struct AskedGradient<V: Vector> {
    found: Gradient<V>,
    along: Option<Interval<V::Scalar>>,
}

/// The motion of a body in its space.
fn motion<V: Vector>(body: usize) -> [[f64; 3]; 2] {
    let [linear, angular] = MOTIONS[body];
    if V::DIM == 2 {
        [[linear[0], linear[1], 0.0], [0.0, 0.0, angular[2]]]
    } else {
        [linear, angular]
    }
    .map(|x| x.map(|c| V::Scalar::from_f64(c).to_f64()))
}

/// Asks about a pair.
pub(crate) fn asked<V: Vector, A: Support<V>, B: Support<V>>(
    pair: &Pair<'_, V, A, B>,
) -> AskedGradient<V> {
    let found = gradient(pair.a, pair.pose_a, pair.b, pair.pose_b);
    let twist = |body| {
        let [linear, angular] = motion::<V>(body);
        Twist::new(
            V::from_f64(linear),
            angular.map(V::Scalar::from_f64),
            V::ZERO,
        )
    };
    let along = match (twist(0), twist(1)) {
        (Ok(a), Ok(b)) => directional_derivative(pair.a, pair.pose_a, &a, pair.b, pair.pose_b, &b),
        _ => None,
    };
    AskedGradient { found, along }
}

/// Holds a gradient against what is known of the pair.
pub(crate) fn examine<V: Vector>(
    asked: &AskedGradient<V>,
    proof: &Proof<V>,
    translations: [V; 2],
    known: &Known,
    faults: &mut Vec<Fault>,
) {
    let AskedGradient { found, along } = asked;
    let mut wrong =
        |message: String| faults.push(fault(Kind::Interval, format!("gradient: {message}")));
    if found.unique != found.vertices.is_empty() {
        wrong(format!(
            "unique {}, and {} vertices",
            found.unique,
            found.vertices.len()
        ));
    }
    if found.unique && along.is_none() && is_tame(known) {
        wrong("unique, and no rate".to_owned());
    }
    if along.is_some_and(|rate| !(rate.lower <= rate.upper)) {
        wrong(format!("the rate {along:?} is no interval"));
    }
    let nearest = match &proof.certificate {
        Some(
            Certificate::Separated {
                nearest: Some(nearest),
                ..
            }
            | Certificate::Near { nearest, .. },
        ) => nearest,
        _ => return,
    };
    let Some(exact) = ExactNearest::new(known, nearest) else {
        return;
    };
    if found.unique && !exact.is_unique() {
        wrong(format!(
            "claimed to be unique, of {:?} level vertices",
            exact.level.each_ref().map(Vec::len)
        ));
    }
    let Some(along) = along else {
        return;
    };
    let places = translations.map(Vector::to_f64);
    let (least, most, terms) = exact.rates::<V>(known, places);
    let room = JUDGED_RATE_ROUNDINGS * V::Scalar::ROUNDING.to_f64() * terms;
    let [lower, upper] = [along.lower, along.upper].map(Scalar::to_f64);
    if lower > most + room || upper < least - room {
        wrong(format!(
            "the rate [{lower}, {upper}] is not within [{least}, {most}]"
        ));
    }
}

/// Numbers whose products and quotients are far from the ends of the range.
fn is_tame(known: &Known) -> bool {
    let numbers = known.vertices.iter().flatten().flatten();
    let sizes = numbers.chain(&known.radii).map(|x| x.abs());
    sizes
        .filter(|&x| x > 0.0)
        .all(|x| (1e-100..1e100).contains(&x))
}

fn size(known: &Known) -> f64 {
    let numbers = known.vertices.iter().flatten().flatten();
    numbers.fold(known.radius_sum(), |m, x| m.max(x.abs()))
}

/// The nearest points of two hulls.
struct ExactNearest {
    /// From A to B, times some positive number.
    normal: Int3,
    /// The points of the combination, as floats.
    points: [[f64; 3]; 2],
    /// What is level with it of either body, each place once.
    level: [Vec<u32>; 2],
    vertices: [Vec<Int3>; 2],
}

impl ExactNearest {
    /// `None` where the combination is not the nearest one, or is zero.
    fn new(known: &Known, nearest: &Combination) -> Option<Self> {
        let coordinates = known.vertices.iter().flatten().flatten();
        let grid = integer::grid_of(coordinates.copied());
        let vertices = known.vertices.each_ref().map(|all| {
            let exact = |x: &[f64; 3]| x.map(|c| integer::on_grid(c, grid));
            all.iter().map(exact).collect::<Vec<Int3>>()
        });
        let weights: Vec<Int> = nearest.weights.integers().iter().map(big).collect();
        let total: Int = weights.iter().sum();
        let mut sums = [Int3::default(), Int3::default()];
        for (pair, weight) in nearest.pairs.iter().zip(&weights) {
            for (body, sum) in sums.iter_mut().enumerate() {
                let vertex = vertices[body].get(pair[body] as usize)?;
                (0..3).for_each(|k| sum[k] += weight * &vertex[k]);
            }
        }
        let normal = integer::sub(&sums[1], &sums[0]);
        let height = |body: usize, id: usize| integer::dot(&normal, &vertices[body][id]);
        let heights = [0, 1].map(|body| {
            let all = 0..vertices[body].len();
            all.map(|id| height(body, id)).collect::<Vec<Int>>()
        });
        let (top, bottom) = (heights[0].iter().max()?, heights[1].iter().min()?);
        let squared = integer::dot(&normal, &normal);
        if squared == Int::ZERO || (bottom - top) * &total != squared {
            return None;
        }
        let level = [(0, top), (1, bottom)].map(|(body, wanted)| {
            let mut ids: Vec<u32> = Vec::new();
            for (id, height) in heights[body].iter().enumerate() {
                let is_new = |&other: &u32| vertices[body][other as usize] != vertices[body][id];
                if height == wanted && ids.iter().all(is_new) {
                    ids.push(id as u32);
                }
            }
            ids
        });
        // Weights are non-negative, so floats of the sums are good to a rounding each.
        let whole = total.to_f64().value();
        let part: Vec<f64> = weights.iter().map(|w| w.to_f64().value() / whole).collect();
        let points = [0, 1].map(|body: usize| {
            let mut point = [0.0; 3];
            for (pair, part) in nearest.pairs.iter().zip(&part) {
                let vertex = known.vertices[body][pair[body] as usize];
                (0..3).for_each(|k| point[k] += part * vertex[k]);
            }
            point
        });
        Some(Self {
            normal,
            points,
            level,
            vertices,
        })
    }

    /// One vertex of either body is level, or two edges that cross are.
    fn is_unique(&self) -> bool {
        let [a, b] = &self.level;
        let edge = |body: usize| {
            let ids = &self.level[body];
            let [from, to] = [ids[0], ids[1]].map(|id| &self.vertices[body][id as usize]);
            integer::sub(to, from)
        };
        match (a.len(), b.len()) {
            (1, _) | (_, 1) => true,
            (2, 2) => !integer::is_zero(&integer::cross(&edge(0), &edge(1))),
            _ => false,
        }
    }

    /// The rate is at least and at most these; the sum of the magnitudes of what it is made of.
    fn rates<V: Vector>(&self, known: &Known, places: [[f64; 3]; 2]) -> (f64, f64, f64) {
        let direction = integer::to_float(&self.normal);
        let length = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
        let normal = direction.map(|x| x / length);
        let dot = |x: [f64; 3], y: [f64; 3]| x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
        let velocity = |body: usize, x: [f64; 3]| -> [f64; 3] {
            let [linear, [p, q, r]] = motion::<V>(body);
            let [x, y, z]: [f64; 3] = std::array::from_fn(|k| x[k] - places[body][k]);
            let turn = [q * z - r * y, r * x - p * z, p * y - q * x];
            std::array::from_fn(|k| linear[k] + turn[k])
        };
        let [a, b] = self.points;
        let between: [f64; 3] = std::array::from_fn(|k| b[k] - a[k]);
        let [radius_a, radius_b] = known.radii;
        let moved = |x: [f64; 3], by: [f64; 3], sign: f64| -> [f64; 3] {
            std::array::from_fn(|k| x[k] + sign * by[k])
        };
        let rate = |a: [f64; 3], b: [f64; 3]| {
            let on_a = moved(a, normal, radius_a);
            let on_b = moved(b, normal, -radius_b);
            dot(normal, velocity(1, on_b)) - dot(normal, velocity(0, on_a))
        };
        let of_a = self.level[0].iter().map(|&id| {
            let x = known.vertices[0][id as usize];
            rate(x, moved(x, between, 1.0))
        });
        let of_b = self.level[1].iter().map(|&id| {
            let x = known.vertices[1][id as usize];
            rate(moved(x, between, -1.0), x)
        });
        let least = of_a
            .fold(f64::INFINITY, f64::min)
            .max(of_b.fold(f64::INFINITY, f64::min));
        let most = rate(a, b);
        let terms = 4.0
            + 4.0
                * (size(known)
                    + places
                        .iter()
                        .flatten()
                        .fold(0.0, |m: f64, x| m.max(x.abs())));
        (if self.is_unique() { most } else { least }, most, terms)
    }
}
