//! What is claimed against differences of the signed distance.

use crate::{Moved, Mover, claim, product, quotient};
use gjk::shape::{Cuboid, Polytope, Rounded};
use gjk::{Pose, Support, Vec2, Vec3, Vector};
use std::sync::atomic::{AtomicU64, Ordering};

/// The bits of the widest derivative so far, for what a campaign prints. Positive floats have the order of their bits.
static WIDEST: AtomicU64 = AtomicU64::new(0);

struct Rng(u64);

impl Rng {
    fn unit(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
    fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }
    fn triple(&mut self) -> [f64; 3] {
        core::array::from_fn(|_| self.range(-1.0, 1.0))
    }
    fn whole(&mut self, most: u64) -> f64 {
        (self.unit() * (2 * most + 1) as f64).floor() - most as f64
    }
}

fn space(rng: &mut Rng, spread: f64) -> Pose<Vec3<f64>> {
    loop {
        let [x, y, z] = rng.triple();
        let w = rng.range(-1.0, 1.0);
        let size = (x * x + y * y + z * z + w * w).sqrt();
        if size > 0.1 {
            let quaternion = [x, y, z, w].map(|c| c / size);
            return Pose::from_quaternion(quaternion, Vec3::from_f64(rng.triple()) * spread)
                .unwrap();
        }
    }
}

fn plane(rng: &mut Rng, spread: f64) -> Pose<Vec2<f64>> {
    Pose::from_angle(
        rng.range(-3.0, 3.0),
        Vec2::new(rng.range(-spread, spread), rng.range(-spread, spread)),
    )
}

fn hull<V: Vector<Scalar = f64>>(rng: &mut Rng, count: usize) -> Polytope<V> {
    let points: Vec<V> = (0..count).map(|_| V::from_f64(rng.triple())).collect();
    Polytope::new(&points).unwrap()
}

/// One pair: how many of its claims were made, and whether the derivative is.
fn check<V: Vector<Scalar = f64>, A: Support<V>, B: Support<V>>(
    shapes: (&A, &B),
    poses: [Pose<V>; 2],
    rng: &mut Rng,
    told: &str,
) -> [bool; 2]
where
    Pose<V>: Moved,
{
    let mut angular = || {
        let [x, y, z] = rng.triple();
        if V::DIM == 2 {
            [0.0, 0.0, z]
        } else {
            [x, y, z]
        }
    };
    let turns = [angular(), angular()];
    let a = Mover {
        shape: shapes.0,
        pose: poses[0],
        linear: rng.triple(),
        angular: turns[0],
    };
    let b = Mover {
        shape: shapes.1,
        pose: poses[1],
        linear: rng.triple(),
        angular: turns[1],
    };
    let (found, along) = claim(&a, &b);
    let Some(along) = along else {
        assert!(!found.unique);
        return [false, false];
    };
    let distance = found.contact.signed_distance.middle();
    // Points move in curves, and a nearest direction turns: by the speeds across, beside the distance. Nearest points of faces that are nearly parallel
    // slide faster than that. Then the quotient goes to the rate all the same: over a tenth of the time it is five times as near.
    let curved = |time: f64| (40.0 + 40.0 / distance.abs().max(1e-9)) * time;
    let mut last = 0.0;
    for time in [1e-6, 1e-7, 1e-8] {
        let truth = quotient(&a, &b, time);
        let off = f64::max(along.lower - truth.upper, truth.lower - along.upper);
        assert!(
            time == 1e-6 || off <= f64::max(curved(time), last / 5.0),
            "{told}: {along} against {truth} in {time}, {found:?}"
        );
        last = off;
    }
    if found.unique {
        WIDEST.fetch_max(along.width().to_bits(), Ordering::Relaxed);
    }
    if found.unique {
        let rate = product(&found, [(&a.linear, &a.angular), (&b.linear, &b.angular)]);
        // A distance is known to 2⁻³⁸ of itself at the worst, and its direction to the root of twice that: 2.7e-6. Arms are up to four.
        let wide = 1.1e-5 * (1.0 + 1.0 / distance.abs());
        assert!(
            (along.lower - 1e-9..=along.upper + 1e-9).contains(&rate),
            "{told}: {rate} is not in {along}"
        );
        assert!(along.width() < wide, "{told}: {along} at {distance}");
    }
    [true, found.unique]
}

/// How many cases of each kind: `GRADIENT_CASES`, or as many as a test has time for. With another number `GRADIENT_SEED` may say which.
fn campaign(seed: u64) -> (usize, Rng) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let cases = number("GRADIENT_CASES").unwrap_or(600);
    (cases as usize, Rng(number("GRADIENT_SEED").unwrap_or(seed)))
}

fn held(claimed: [usize; 2], cases: usize, least: [f64; 2], told: &str) {
    let widest = f64::from_bits(WIDEST.load(Ordering::Relaxed));
    let text = format!(
        "{told}: of {cases} cases {claimed:?} claimed, widest of a derivative until here {widest:e}\n"
    );
    // For `--nocapture`: what a campaign counted.
    std::io::Write::write_all(&mut std::io::stderr(), text.as_bytes()).ok();
    let parts = claimed.map(|count| count as f64 / cases as f64);
    assert!(
        parts[0] >= least[0] && parts[1] >= least[1],
        "{told}: of {cases} cases {claimed:?} claimed"
    );
}

/// Hulls, boxes and rounded ones at poses of no order: nearly all have a derivative.
#[test]
fn random_pairs() {
    let (cases, mut rng) = campaign(11);
    let mut claimed = [[0; 2]; 3];
    let mut count = |kind: usize, found: [bool; 2]| {
        (0..2).for_each(|k| claimed[kind][k] += usize::from(found[k]))
    };
    for case in 0..cases {
        let spread = [0.6, 1.5, 2.5][case % 3];
        let (a, b): (Polytope<Vec3<f64>>, Polytope<Vec3<f64>>) =
            (hull(&mut rng, 10), hull(&mut rng, 7));
        let poses = [space(&mut rng, spread), space(&mut rng, spread)];
        count(
            0,
            check((&a, &b), poses, &mut rng, &format!("hulls {case}")),
        );
        let a = Rounded::new(Cuboid::new(Vec3::new(0.5, 0.7, 0.9)).unwrap().into(), 0.2).unwrap();
        let poses = [space(&mut rng, spread), space(&mut rng, spread)];
        count(
            1,
            check((&a, &b), poses, &mut rng, &format!("rounded box {case}")),
        );
        let (a, b): (Polytope<Vec2<f64>>, Polytope<Vec2<f64>>) =
            (hull(&mut rng, 6), hull(&mut rng, 5));
        let poses = [plane(&mut rng, spread), plane(&mut rng, spread)];
        count(
            2,
            check((&a, &b), poses, &mut rng, &format!("polygons {case}")),
        );
    }
    for (kind, told) in ["hulls", "rounded boxes", "polygons"]
        .into_iter()
        .enumerate()
    {
        held(claimed[kind], cases, [0.99, 0.98], told);
    }
}

/// Boxes at whole numbers and right angles: faces and edges are level, and hardly any has a derivative.
#[test]
fn level_pairs() {
    let (cases, mut rng) = campaign(12);
    let mut claimed = [0; 2];
    for case in 0..cases {
        let mut side = || 1.0 + rng.whole(1).abs();
        let [a, b] = [0, 1].map(|_| Cuboid::new(Vec3::new(side(), side(), side())).unwrap());
        let at = |rng: &mut Rng| {
            Pose::from_translation(Vec3::new(rng.whole(4), rng.whole(4), rng.whole(4)))
        };
        let poses = [at(&mut rng), at(&mut rng)];
        let found = check((&a, &b), poses, &mut rng, &format!("boxes {case}"));
        (0..2).for_each(|k| claimed[k] += usize::from(found[k]));
    }
    held(claimed, cases, [0.6, 0.0], "boxes");
}
