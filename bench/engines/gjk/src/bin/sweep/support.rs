//! What a support of a hull costs by the number of its vertices: of a plain loop, of the search that the shape chooses (loop,
//! SIMD scan, or climb along edges), and of the same from the vertex found before while the direction turns slowly.
//!
//! `chain`: each direction is chosen by the answer before, as in a query's loop; `free`: directions do not wait. Every search
//! must find the vertex that the plain loop finds, in every direction, before any is timed.

use crate::{line, unit};
use bench_protocol::measure;
use gjk::shape::Polytope;
use gjk::{NO_ID, Support, Vec3, Vector};
use std::hint::black_box;

type V = Vec3<f64>;

const DIRECTIONS: usize = 512;
const ROUNDS: usize = 40;
/// How far a direction turns from one support to the next, where the last vertex is remembered, in radians.
const TURN: f64 = 0.05;

/// Measures hulls of one number of vertices.
pub(crate) fn run(vertices: usize) -> Result<(), String> {
    let mut counter = vertices as u64;
    let points: Vec<V> = (0..vertices).map(|_| direction(&mut counter)).collect();
    let shape = Polytope::new(&points).map_err(|why| why.to_string())?;
    let random: Vec<V> = (0..DIRECTIONS).map(|_| direction(&mut counter)).collect();
    let mut turning = vec![direction(&mut counter)];
    while turning.len() < DIRECTIONS {
        let next = turning[turning.len() - 1] + direction(&mut counter) * TURN;
        turning.push(next.normalized().ok_or("a direction of length zero")?);
    }
    let plain = |d: V| plain_loop(shape.vertices(), d);
    let chosen = |d: V| shape.support(d, NO_ID).id;
    for &d in random.iter().chain(&turning) {
        let (id, found) = (plain(d), chosen(d));
        if found != id {
            return Err(format!(
                "{vertices} vertices, {d:?}: {id} is highest, found {found}"
            ));
        }
    }
    let mut last = NO_ID;
    let remembered = |d: V| {
        last = shape.support(d, last).id;
        last
    };
    let print = |case: &str, [chain, free]: [f64; 2]| {
        line("support", &format!("{case} chain"), vertices, "ns", chain);
        line("support", &format!("{case} free"), vertices, "ns", free);
    };
    print("loop", time(&random, |d| plain(black_box(d))));
    print("chosen", time(&random, chosen));
    print("remembered", time(&turning, remembered));
    Ok(())
}

fn direction(counter: &mut u64) -> V {
    loop {
        *counter += 1;
        let x = |k: u64| 2.0 * unit(*counter << 2 | k) - 1.0;
        let d = Vec3::new(x(0), x(1), x(2));
        if let Some(unit) = d.normalized().filter(|_| d.norm() > 0.1 && d.norm() <= 1.0) {
            return unit;
        }
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

/// The least nanoseconds a call of all rounds: in a chain, and free.
fn time(directions: &[V], mut support: impl FnMut(V) -> u32) -> [f64; 2] {
    let (chain, _) = measure::<()>(ROUNDS, directions.len(), |_| {
        let mut last = 0;
        for k in 0..directions.len() {
            last = support(directions[(k + (last as usize & 1)) % DIRECTIONS]);
        }
        black_box(last);
    });
    let (free, _) = measure::<()>(ROUNDS, directions.len(), |_| {
        black_box(
            directions
                .iter()
                .fold(0, |sum, &direction| sum ^ support(direction)),
        );
    });
    [chain.ns_min, free.ns_min]
}
