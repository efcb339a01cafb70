//! What a support costs by the number of vertices: a plain loop over them, the shape's own search, the same from a vertex that
//! is remembered, and what the hull and its tables cost to build.
//!
//! `cargo run --release --example support_scan`. Directions turn by some 0.05 rad from one support to the next where a vertex is
//! remembered, and are random else. In a chain each direction waits for the answer before, as in a query's loop; independent
//! ones overlap. Times are the least of several rounds.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use gjk::shape::Polytope;
use gjk::{NO_ID, Support, SupportPoint, Vec3, Vector};
use std::hint::black_box;
use std::time::Instant;

type V = Vec3<f64>;

const DIRECTIONS: usize = 512;
const ROUNDS: usize = 30;

struct Unit(u64);

impl Unit {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn direction(&mut self) -> V {
        let d = Vec3::new(self.next(), self.next(), self.next());
        if d.norm() > 0.1 && d.norm() < 1.0 { d.normalized().unwrap() } else { self.direction() }
    }
}

/// The lowest-numbered of the vertices farthest along a direction.
fn plain_loop(points: &[V], direction: V) -> u32 {
    let mut best = (points[0].dot(direction), 0);
    for (id, point) in points.iter().enumerate().skip(1) {
        let height = point.dot(direction);
        if height > best.0 {
            best = (height, id);
        }
    }
    best.1 as u32
}

/// Nanoseconds a call: each direction chosen by the answer before, and independent.
fn time(directions: &[V], mut support: impl FnMut(V) -> u32) -> [f64; 2] {
    let mut best = [f64::INFINITY; 2];
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let mut last = 0;
        for k in 0..directions.len() {
            last = support(directions[(k + (last as usize & 1)) % DIRECTIONS]);
        }
        black_box(last);
        let chain = start.elapsed();
        let start = Instant::now();
        black_box(directions.iter().fold(0, |sum, direction| sum ^ support(*direction)));
        let times = [chain, start.elapsed()].map(|time| time.as_nanos() as f64 / directions.len() as f64);
        best = [0, 1].map(|k| times[k].min(best[k]));
    }
    best
}

fn main() {
    println!("ns a support, in a chain / independent, least of {ROUNDS} rounds; hulls of points on a sphere");
    println!("{:>6} {:>15} {:>15} {:>15} {:>12}", "n", "loop", "shape", "remembered", "build us");
    for n in [4, 8, 9, 16, 32, 64, 128, 160, 191, 192, 256, 512, 1024, 2048, 8192, 32768] {
        let mut unit = Unit(n);
        let points: Vec<V> = (0..n).map(|_| unit.direction()).collect();
        let build = Instant::now();
        let shape = Polytope::new(&points).unwrap();
        let build = build.elapsed().as_nanos() as f64 / 1000.0;
        let random: Vec<V> = (0..DIRECTIONS).map(|_| unit.direction()).collect();
        let mut turning = vec![unit.direction()];
        while turning.len() < DIRECTIONS {
            turning.push((turning[turning.len() - 1] + unit.direction() * 0.05).normalized().unwrap());
        }
        for direction in random.iter().chain(&turning) {
            assert_eq!(shape.support_wide(*direction).id, plain_loop(shape.vertices(), *direction));
        }
        let plain = time(&random, |d| plain_loop(black_box(shape.vertices()), d));
        let own = time(&random, |d| black_box(&shape).support_wide(d).id);
        let mut hint = NO_ID;
        let remembered = time(&turning, |d| {
            let SupportPoint { id, .. } = black_box(&shape).support_wide_from(d, hint);
            hint = id;
            id
        });
        let pair = |[chain, independent]: [f64; 2]| format!("{chain:.1} / {independent:.1}");
        println!("{n:6} {:>15} {:>15} {:>15} {build:12.0}", pair(plain), pair(own), pair(remembered));
    }
}
